"""Export of labels, pairs, the model, classes, a picture, and the command that makes them."""

from __future__ import annotations

import csv
import os
import pathlib
import shlex
import subprocess
import tempfile
import typing

import numpy as np

from penumbra import _rows
from penumbra._estimators import Rows
from penumbra._explore.journal import KINDS
from penumbra._native import Error

if typing.TYPE_CHECKING:
    from penumbra._explore import Exploration


def _write_rows(folder: pathlib.Path, rows: Rows, row_names: list[str] | None) -> None:
    """Write the rows and their names for the command."""
    x, named = rows.values, (("column_names", rows.names), ("row_names", row_names))
    arrays: dict[str, typing.Any] = {k: np.array([*map(str, v)]) for k, v in named if v is not None}
    if _rows.is_sparse(x):
        parts = ("data", "indices", "indptr", "shape")
        arrays |= {"format": np.array(b"csr"), **{part: getattr(x, part) for part in parts}}
    else:
        arrays["X"] = x
    np.savez(folder / "new.npz", **arrays)
    os.replace(folder / "new.npz", folder / "rows.npz")


def _write_table(path: pathlib.Path, lines: typing.Iterable[typing.Sequence[typing.Any]]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def export(explored: Exploration) -> dict[str, typing.Any]:
    """Write all files, or none. Error: there is nothing to write, or the command fails."""
    known, folder = explored.journal.known, explored.journal.path.parent
    own = pathlib.Path(__file__).parents[1] / "_bin" / "penumbra"
    program = explored.program or str(own)
    codes = enumerate(known.codes.tolist())
    labels = [(row, known.classes[code], known.rule(row)) for row, code in codes if code >= 0]
    pairs = [(i, j, sign) for kind, sign in zip(KINDS, (1, -1)) for i, j in getattr(known, kind)]
    if not labels and not pairs:
        raise Error("there is nothing to export yet: no row has a label, and no rows are linked")
    rows = list(explored.data) or [f"{folder.name}/rows.npz"]

    def run(*arguments: str) -> None:
        call = [program, *arguments, "--quiet"]
        done = subprocess.run(call, cwd=folder.parent, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Error(done.stderr.strip() or f"{program} ended with status {done.returncode}")

    if not explored.data and not (folder / "rows.npz").exists():
        _write_rows(folder, explored.worker.rows, explored.cards.names)
    with tempfile.TemporaryDirectory(dir=folder, prefix="new-") as name:
        new, at = pathlib.Path(name), f"{folder.name}/{os.path.basename(name)}"
        told = ["--labels", f"{at}/labels.csv"] if labels else []
        fit = ["fit", *rows, *told, *(["--pairs", f"{at}/pairs.csv"] if pairs else [])]
        fit += ["-o", f"{at}/model.pen"]
        if labels:
            _write_table(new / "labels.csv", [("row", "class", "rule"), *labels])
        if pairs:
            _write_table(new / "pairs.csv", pairs)
        command = shlex.join(["penumbra", *fit]).replace(at, folder.name)
        (new / "command.sh").write_text(f"{command}\n", encoding="utf-8")
        run(*fit)
        if known.has_classes:
            run("predict", f"{at}/model.pen", *rows, *told, "-o", f"{at}/classes.csv")
        run("plot", f"{at}/model.pen", *rows, *told, "-o", f"{at}/picture.html")
        files = sorted(os.listdir(new))
        for old in {"labels.csv", "pairs.csv", "classes.csv"} - {*files}:
            (folder / old).unlink(missing_ok=True)
        for file in files:
            os.replace(new / file, folder / file)
    return {"folder": folder.name, "files": files, "command": command}
