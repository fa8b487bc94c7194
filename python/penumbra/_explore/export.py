"""What is taken home: labels, pairs, the model, classes, a picture, and the command again."""

from __future__ import annotations

import contextlib
import csv
import os
import pathlib
import shlex
import subprocess
import tempfile
import typing

import numpy as np

from penumbra import _rows
from penumbra._explore.journal import KINDS, Journal
from penumbra._native import Error


def _write_rows(path: pathlib.Path, cards: typing.Any) -> None:
    """The rows with their names in a file that the command reads."""
    x, names = cards.values, {"column_names": np.array(cards.columns)}
    if cards.names is not None:
        names["row_names"] = np.array(cards.names)
    if _rows.is_sparse(x):
        parts = {"data": x.data, "indices": x.indices, "indptr": x.indptr, "shape": x.shape}
        np.savez(path, format=np.array(b"csr"), **parts, **names)
    else:
        np.savez(path, rows=x, **names)


def _write_table(path: pathlib.Path, lines: typing.Iterable[typing.Sequence[typing.Any]]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def _run(program: str, home: pathlib.Path, *arguments: str) -> None:
    done = subprocess.run(
        [program, *arguments, "--quiet"], cwd=home, capture_output=True, text=True
    )
    if done.returncode:
        raise Error(done.stderr.strip() or f"{program} ended with status {done.returncode}")


def export(
    folder: pathlib.Path,
    journal: Journal,
    cards: typing.Any,
    program: str,
    data: typing.Sequence[str],
) -> dict[str, typing.Any]:
    """Write the files into `folder`; `data`: what the command reads the rows by, empty: from
    rows.npz."""
    with journal.lock:
        known, rows = journal.known, np.flatnonzero(journal.known.codes >= 0).tolist()
        labels = [(row, known.classes[known.codes[row]], journal.rule(row)) for row in rows]
    pairs = [(i, j, s) for kind, s in zip(KINDS, (1, -1)) for i, j in getattr(known, kind)]
    if not labels and not pairs:
        raise Error("there is nothing to export yet: no row has a label, and no rows are linked")
    home, place = folder.parent, folder.name
    data = list(data) or [f"{place}/rows.npz"]
    with tempfile.TemporaryDirectory(dir=folder, prefix=".") as name:
        new = pathlib.Path(name)
        if f"{place}/rows.npz" in data and not (folder / "rows.npz").exists():
            _write_rows(new / "rows.npz", cards)
            os.replace(new / "rows.npz", folder / "rows.npz")
        told: list[str] = []
        if labels:
            _write_table(new / "labels.csv", [("row", "class", "rule"), *labels])
            told += ["--labels", f"{place}/labels.csv"]
        if pairs:
            _write_table(new / "pairs.csv", pairs)
            told += ["--pairs", f"{place}/pairs.csv"]
        fit = ["fit", *data, *told, "-o", f"{place}/model.pen"]
        command = shlex.join(["penumbra", *fit])
        (new / "command.sh").write_text(f"#!/bin/sh\n{command}\n")
        inside = [
            part.replace(f"{place}/", f"{place}/{new.name}/") for part in fit[len(data) + 1 :]
        ]
        _run(program, home, "fit", *data, *inside)
        model, there = f"{place}/{new.name}/model.pen", f"{place}/{new.name}"
        if known.has_classes:
            _run(program, home, "predict", model, *data, "-o", f"{there}/classes.csv")
        seen = ["--labels", f"{there}/labels.csv"] if labels else []
        _run(program, home, "plot", model, *data, *seen, "-o", f"{there}/picture.html")
        files = sorted(os.listdir(new))
        for gone in {"labels.csv", "pairs.csv", "classes.csv"} - set(files):
            with contextlib.suppress(FileNotFoundError):
                (folder / gone).unlink()
        for file in files:
            os.replace(new / file, folder / file)
    return {"folder": place, "files": files, "command": command}
