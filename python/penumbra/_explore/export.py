"""What is taken home: labels, pairs, the model, classes, a picture, and the command again."""

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
from penumbra._explore.cards import Cards
from penumbra._explore.journal import KINDS, Journal
from penumbra._native import Error


def _write_rows(folder: pathlib.Path, cards: Cards) -> None:
    """The rows and their names, as the command reads them."""
    x, names = cards.values, {"column_names": cards.columns, "row_names": cards.names}
    arrays: dict[str, typing.Any] = {k: np.array(v) for k, v in names.items() if v is not None}
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


def export(
    folder: pathlib.Path, journal: Journal, cards: Cards, program: str, data: typing.Sequence[str]
) -> dict[str, typing.Any]:
    """Write all files, or none; `data`: what the command reads the rows by, empty: a file here."""
    with journal.lock:
        known, rows = journal.known, np.flatnonzero(journal.known.codes >= 0).tolist()
        labels = [(row, known.classes[known.codes[row]], journal.rule(row)) for row in rows]
    pairs = [(i, j, sign) for kind, sign in zip(KINDS, (1, -1)) for i, j in getattr(known, kind)]
    if not labels and not pairs:
        raise Error("there is nothing to export yet: no row has a label, and no rows are linked")
    home, place = folder.parent, folder.name
    rows_from = list(data) or [f"{place}/rows.npz"]

    def run(*arguments: str) -> None:
        call = [program, *arguments, "--quiet"]
        done = subprocess.run(call, cwd=home, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Error(done.stderr.strip() or f"{program} ended with status {done.returncode}")

    def fit(at: str) -> list[str]:
        """The arguments that make the model in the folder `at`."""
        told = ["--labels", f"{at}/labels.csv"] if labels else []
        told += ["--pairs", f"{at}/pairs.csv"] if pairs else []
        return ["fit", *rows_from, *told, "-o", f"{at}/model.pen"]

    if not data and not (folder / "rows.npz").exists():
        _write_rows(folder, cards)
    with tempfile.TemporaryDirectory(dir=folder, prefix="new-") as name:
        new, at = pathlib.Path(name), os.path.relpath(name, home)
        if labels:
            _write_table(new / "labels.csv", [("row", "class", "rule"), *labels])
        if pairs:
            _write_table(new / "pairs.csv", pairs)
        command = shlex.join(["penumbra", *fit(place)])
        (new / "command.sh").write_text(f"{command}\n", encoding="utf-8")
        run(*fit(at))
        known_labels = ["--labels", f"{at}/labels.csv"] if labels else []
        if known.has_classes:
            run("predict", f"{at}/model.pen", *rows_from, *known_labels, "-o", f"{at}/classes.csv")
        run("plot", f"{at}/model.pen", *rows_from, *known_labels, "-o", f"{at}/picture.html")
        files = sorted(os.listdir(new))
        for old in {"labels.csv", "pairs.csv", "classes.csv"} - {*files}:
            (folder / old).unlink(missing_ok=True)
        for file in files:
            os.replace(new / file, folder / file)
    return {"folder": place, "files": files, "command": command}
