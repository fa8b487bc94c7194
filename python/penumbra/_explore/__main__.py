"""``python -m penumbra._explore FOLDER PROGRAM DATA [FLAGS...]``: what ``penumbra explore`` becomes.

FOLDER has the rows as the command read them, and is removed; DATA and FLAGS are what it read."""

from __future__ import annotations

import csv
import pathlib
import shutil
import sys
import typing

import numpy as np


def _read(path: pathlib.Path) -> tuple[typing.Any, dict[str, np.ndarray]]:
    """Rows with the names of their columns, and the other arrays of the file."""
    from penumbra._rows import Named

    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    if "indptr" in arrays:
        import scipy.sparse

        x: typing.Any = scipy.sparse.load_npz(path)
    else:
        x = arrays["X"]
    names = arrays.get("column_names")
    return (x if names is None else Named(x, [str(name) for name in names])), arrays


def _shown(path: pathlib.Path) -> dict[str, list[str]] | None:
    """Carried columns; the last one of the file is empty."""
    if not path.exists():
        return None
    with open(path, newline="", encoding="utf-8") as file:
        names, *lines = csv.reader(file)
    return {name: [line[j] for line in lines] for j, name in enumerate(names[:-1])}


def main() -> int:
    """Explore until the end; 1: it was refused, with a line that says why."""
    folder, program, *data = sys.argv[1:]
    try:
        from penumbra import _explore

        x, arrays = _read(pathlib.Path(folder) / "rows.npz")
        y = names = None
        if "labels" in arrays:
            texts = [str(label) for label in arrays["labels"]]
            y = np.array([text or None for text in texts], object)
        if "row_names" in arrays:
            names = [str(name) for name in arrays["row_names"]]
        show = _shown(pathlib.Path(folder) / "shown.csv")
        explored = _explore.start(x, y, show, names=names, data=data, program=program)
    except (ImportError, OSError, TypeError, ValueError) as error:
        print(f"penumbra explore: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    _explore.run(explored)
    return 0


if __name__ == "__main__":
    sys.exit(main())
