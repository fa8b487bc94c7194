"""``penumbra explore`` runs this: ``python -m penumbra._explore FOLDER PROGRAM DATA [FLAGS...]``.

FOLDER has the rows that the command read, and is removed. DATA and FLAGS are its arguments."""

from __future__ import annotations

import csv
import pathlib
import shutil
import sys
import typing

import numpy as np
from scipy.sparse import load_npz

from penumbra._explore import Exploration
from penumbra._rows import Named


def _started(folder: pathlib.Path, program: str, data: list[str]) -> Exploration:
    with np.load(folder / "rows.npz") as file:
        arrays: dict[str, typing.Any] = {name: file[name] for name in file.files}
    # the command writes labels and names as bytes
    texts = {
        k: np.char.decode(v, "utf-8").tolist() for k, v in arrays.items() if v.dtype.kind == "S"
    }
    x = arrays["X"] if "X" in arrays else load_npz(folder / "rows.npz")
    y = np.array([label or None for label in texts.get("labels", [None] * x.shape[0])], object)
    show = None
    if (folder / "shown.csv").exists():
        with open(folder / "shown.csv", newline="", encoding="utf-8") as shown:
            names, *lines = csv.reader(shown)
        show = dict(zip(names[:-1], zip(*lines)))  # the last column is empty
    rows = Named(x, texts.get("column_names"))
    return Exploration(rows, y, show, names=texts.get("row_names"), data=data, program=program)


def main() -> int:
    """Explore until the end; return 1 after an error message."""
    folder, program, *data = sys.argv[1:]
    try:
        explored = _started(pathlib.Path(folder), program, data)
    except (ImportError, OSError, TypeError, ValueError) as error:
        print("penumbra", "explore:", error, file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    explored.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
