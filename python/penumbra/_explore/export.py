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


def _write_rows(path: pathlib.Path, cards: Cards) -> None:
    """The rows and their names, as the command reads them."""
    x = cards.values
    arrays: dict[str, typing.Any] = {"X": x, "column_names": np.array(cards.columns)}
    if _rows.is_sparse(x):
        del arrays["X"]
        arrays |= {name: getattr(x, name) for name in ("data", "indices", "indptr", "shape")}
        arrays["format"] = np.array(b"csr")
    if cards.names is not None:
        arrays["row_names"] = np.array(cards.names)
    np.savez(path, **arrays)


def _write_table(path: pathlib.Path, lines: typing.Iterable[typing.Sequence[typing.Any]]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def _run(*command: str, home: pathlib.Path) -> None:
    done = subprocess.run([*command, "--quiet"], cwd=home, capture_output=True, text=True)
    if done.returncode:
        raise Error(done.stderr.strip() or f"{command[0]} ended with status {done.returncode}")


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

    def fit(at: str) -> list[str]:
        """The arguments that make the model in the folder `at`."""
        told = ["--labels", f"{at}/labels.csv"] if labels else []
        told += ["--pairs", f"{at}/pairs.csv"] if pairs else []
        return ["fit", *rows_from, *told, "-o", f"{at}/model.pen"]

    with tempfile.TemporaryDirectory(dir=folder, prefix="new-") as name:
        new, at = pathlib.Path(name), os.path.relpath(name, home)
        if not data and not (folder / "rows.npz").exists():
            _write_rows(new / "rows.npz", cards)
            os.replace(new / "rows.npz", folder / "rows.npz")
        if labels:
            _write_table(new / "labels.csv", [("row", "class", "rule"), *labels])
        if pairs:
            _write_table(new / "pairs.csv", pairs)
        command = shlex.join(["penumbra", *fit(place)])
        (new / "command.sh").write_text(f"{command}\n", encoding="utf-8")
        _run(program, *fit(at), home=home)
        if known.has_classes:
            _run(
                program,
                "predict",
                f"{at}/model.pen",
                *rows_from,
                "-o",
                f"{at}/classes.csv",
                home=home,
            )
        seen = ["--labels", f"{at}/labels.csv"] if labels else []
        _run(
            program,
            "plot",
            f"{at}/model.pen",
            *rows_from,
            *seen,
            "-o",
            f"{at}/picture.html",
            home=home,
        )
        for old in ("labels.csv", "pairs.csv", "classes.csv"):  # of an export before
            (folder / old).unlink(missing_ok=True)
        files = sorted(os.listdir(new))
        for file in files:
            os.replace(new / file, folder / file)
    return {"folder": place, "files": files, "command": command}
