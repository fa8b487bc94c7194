"""Labels and pairs as they are made, and the file in which each change is a line."""

from __future__ import annotations

import dataclasses
import datetime
import fcntl
import functools
import json
import os
import pathlib
import threading
import typing

import numpy as np

from penumbra import _pairs, _rows
from penumbra._model import Model
from penumbra._native import Error, __version__, spec

KINDS = ("must_link", "cannot_link")
_LONGEST = 200  # letters of a name
Entry = dict[str, typing.Any]


@dataclasses.dataclass(frozen=True, eq=False)
class Known:
    """What is known of the rows after some changes; never changed itself."""

    classes: tuple[str, ...]
    codes: np.ndarray  # [n], -1: no label
    by: np.ndarray  # [n]: the change that labelled a row, -1: none
    must_link: tuple[tuple[int, int], ...]
    cannot_link: tuple[tuple[int, int], ...]

    @property
    def counts(self) -> np.ndarray:
        """The number of labels of each class."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.classes))

    @property
    def has_classes(self) -> bool:
        """Whether labels are of at least two classes."""
        return int(np.count_nonzero(self.counts)) >= 2

    def pairs(self, kind: str) -> np.ndarray:
        """Those of a kind [m x 2]."""
        return np.array(getattr(self, kind), np.int64).reshape(-1, 2)

    def after(self, number: int, entry: Entry) -> Known:
        """The same after the change `number`."""
        change = functools.partial(dataclasses.replace, self)
        if "class" in entry:
            return change(classes=(*self.classes, entry["class"]))
        if "label" not in entry:
            ((what, pair),) = entry.items()
            i, j = map(int, pair)
            if what != "unlink":
                return change(**{what: (*getattr(self, what), (i, j))})
            gone = {(i, j), (j, i)}
            return change(**{k: tuple(p for p in getattr(self, k) if p not in gone) for k in KINDS})
        name, classes = entry["label"], self.classes
        if name is not None and name not in classes:
            classes = (*classes, name)
        codes, by = self.codes.copy(), self.by.copy()
        codes[entry["rows"]] = -1 if name is None else classes.index(name)
        by[entry["rows"]] = number
        return change(classes=classes, codes=codes, by=by)

    def check(self) -> None:
        """Error: labels and pairs contradict each other; it names their path."""
        must, cannot = map(self.pairs, KINDS)
        if not len(must) + len(cannot):
            return
        x = np.arange(len(self.codes), dtype=float)[:, None]  # any rows: only pairs are asked about
        linked = _pairs.Gathered(must, cannot, None, None)
        data = _rows.Data(x, _rows.classes(self.codes), None, linked)
        Model.fit(spec("ssdr", {"n_components": 1, "classifier": "none"}), data, None, False)


def _class_name(name: typing.Any) -> str:
    """A name that files of labels and models can hold."""
    if not isinstance(name, str) or not 0 < len(name := name.strip()) <= _LONGEST:
        raise Error(f"a class must have a name of 1 to {_LONGEST} letters, got {name!r}")
    if _rows.is_mark(name):
        raise Error(f'a class must not be called "{name}", which means unlabelled in files')
    if not name.isprintable():
        raise Error(f"a class must have a name of letters that can be shown, got {name!r}")
    return name


class Journal:
    """What is known now, and the changes that led there, each on disk before it counts.

    A journal that is there goes on; what kill -9 left of a last line is cut off.
    """

    def __init__(self, folder: pathlib.Path, columns: int, begin: Known) -> None:
        begin.check()
        self.known, self.change, self.lock = begin, 0, threading.RLock()
        self.entries: list[Entry] = []
        self._begin = begin
        folder.mkdir(exist_ok=True)
        self.path = folder / "journal.jsonl"
        self._file = open(self.path, "a+b", buffering=0)  # closed by close()
        try:
            self._resume(columns)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let another process go on with the file."""
        self._file.close()

    def _resume(self, columns: int) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = f"{self.path} is in use: these rows are being explored by another process"
            raise Error(message, "PEN_FILE_ERROR") from None
        self._file.seek(0)
        told = self._file.read()
        self._file.truncate(whole := told.rfind(b"\n") + 1)
        first: Entry = {"rows": len(self.known.codes), "columns": columns}
        if not whole:
            self._write({"penumbra": __version__, **first})
        number = 0
        try:
            for number, line in enumerate(told[:whole].splitlines(), 1):
                entry = json.loads(line)
                if number == 1 and {key: entry[key] for key in first} != first:
                    raise ValueError
                if "undo" in entry:
                    self.entries.pop()
                elif number > 1:
                    self.entries.append(entry)
            self.known = self._replayed(self.entries)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            message = f"{self.path}:{number}: this line is no change of these rows"
            raise Error(message, "PEN_FILE_ERROR") from None

    def _write(self, entry: Entry) -> None:
        self._file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        os.fsync(self._file)

    def _replayed(self, entries: list[Entry]) -> Known:
        known = self._begin
        for number, entry in enumerate(entries):
            known = known.after(number, entry)
        return known

    def do(self, asked: dict[str, typing.Any]) -> int:
        """Make a change that the page asks for, and give its number. Error: it cannot be made."""
        with self.lock:
            entry = self._entry(asked)
            if "undo" in entry:
                entries = self.entries[:-1]
                known = self._replayed(entries)
            else:
                entries = [*self.entries, entry]
                known = self.known.after(len(self.entries), entry)
                known.check()
            self._write(entry)
            self.entries, self.known = entries, known
            self.change += 1
            return self.change

    def _entry(self, asked: dict[str, typing.Any]) -> Entry:
        action = asked.get("action")
        if action == "label":
            return self._label(asked)
        if action == "class":
            if (name := _class_name(asked.get("name"))) in self.known.classes:
                raise Error(f'there is a class "{name}" already')
            return {"class": name}
        if action == "undo":
            if not self.entries:
                raise Error("there is nothing to undo")
            return {"undo": True}
        kind = asked.get("kind") if action == "link" else action
        if kind not in (*KINDS, "unlink"):
            raise Error(f"unknown action {action!r}")
        i, j = pair = self._numbers(asked, least=2, most=2)
        linked = {tuple(sorted(p)) for k in KINDS if kind in (k, "unlink") for p in self._of(k)}
        if i == j or (tuple(sorted(pair)) in linked) != (kind == "unlink"):
            are = "are not linked" if kind == "unlink" else "are linked already"
            raise Error(f"rows {i} and {j} {are if i != j else 'are the same row'}")
        return {kind: pair}

    def _of(self, kind: str) -> list[list[int]]:
        found: list[list[int]] = self.known.pairs(kind).tolist()
        return found

    def _label(self, asked: dict[str, typing.Any]) -> Entry:
        name, code = asked.get("name"), asked.get("class")
        if name is not None:
            name = _class_name(name)
        elif code is not None:
            classes = self.known.classes
            if not classes:
                raise Error("there is no class yet")
            name = classes[_rows.whole("class", code, 0, len(classes) - 1)]
        at = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        rule = str(asked.get("rule") or "click")
        return {"label": name, "rows": self._numbers(asked), "rule": rule, "at": at}

    def _numbers(self, asked: dict[str, typing.Any], least: int = 1, most: int = 0) -> list[int]:
        """Numbers of rows, at least and at most so many (0: all)."""
        n, rows = len(self.known.codes), asked.get("rows")
        if not isinstance(rows, list) or not least <= len(rows) <= (most or n):
            raise Error(f"rows must be {least} to {most or n} row numbers, got {rows!r:.40}")
        return [_rows.whole("row", row, 0, n - 1) for row in rows]

    def last(self) -> str | None:
        """What undo takes back, in words."""
        if not self.entries:
            return None
        entry = self.entries[-1]
        if "label" in entry:
            what = "no label" if entry["label"] is None else f"label {entry['label']}"
            return f"{what}, {(n := len(entry['rows']))} row{'s' * (n != 1)}"
        ((what, of),) = entry.items()
        return f"class {of}" if what == "class" else f"{what.replace('_', '-')} {of[0]} and {of[1]}"

    def rule(self, row: int) -> str:
        """How a row came to its label."""
        by = int(self.known.by[row])
        return "given" if by < 0 else str(self.entries[by]["rule"])

    def labelled(self, row: int) -> str | None:
        """The label of a row, how and when it was made; None: it has none."""
        if (code := int(self.known.codes[row])) < 0:
            return None
        told, by = f"{self.known.classes[code]}, by {self.rule(row)}", int(self.known.by[row])
        if by < 0:
            return f"{self.known.classes[code]}, given"
        return f"{told}, {self.entries[by]['at'][11:16]}"
