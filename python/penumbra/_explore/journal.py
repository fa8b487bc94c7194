"""Labels and pairs as they are made, and the file in which each change is a line."""

from __future__ import annotations

import dataclasses
import datetime
import fcntl
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
    by: np.ndarray  # [n]: the number of the change that labelled a row, -1: none
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
        changed: Entry = {}
        name = entry.get("class", entry.get("label"))
        if name is not None and name not in self.classes:
            changed["classes"] = (*self.classes, name)
        if "label" in entry:
            codes, by = changed["codes"], changed["by"] = self.codes.copy(), self.by.copy()
            classes = changed.get("classes", self.classes)
            codes[entry["rows"]] = -1 if name is None else classes.index(name)
            by[entry["rows"]] = number
        for kind in KINDS:
            gone, come = {*entry.get("unlink", ())}, tuple(entry.get(kind, ()))
            kept = tuple(pair for pair in getattr(self, kind) if {*pair} != gone)
            changed[kind] = (*kept, come) if come else kept
        return dataclasses.replace(self, **changed)

    def check(self) -> None:
        """Error: labels and pairs contradict each other; it names their path."""
        if self.must_link or self.cannot_link:
            x = np.arange(len(self.codes), dtype=float)[:, None]  # any: only pairs are asked about
            linked = _pairs.gather(len(x), *map(self.pairs, KINDS))
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

    A file that is there goes on; what kill -9 left of a last line is cut off.
    """

    def __init__(self, folder: pathlib.Path, columns: int, begin: Known) -> None:
        begin.check()
        self.known, self.change, self.lock = begin, 0, threading.RLock()
        self.entries: list[Entry] = []
        self._begin = begin
        folder.mkdir(exist_ok=True)
        self.path = folder / "journal.jsonl"
        self._file = open(self.path, "a+b", buffering=0)
        try:
            self._resume({"rows": len(begin.codes), "columns": columns})
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let another process go on with the file."""
        self._file.close()

    def _resume(self, about: Entry) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = f"{self.path} is in use: these rows are being explored by another process"
            raise Error(message, "PEN_FILE_ERROR") from None
        self._file.seek(0)
        whole, end, _ = self._file.read().rpartition(b"\n")
        self._file.truncate(len(whole + end))
        if not end:
            self._write({"penumbra": __version__, **about})
        number = 1
        try:
            for number, line in enumerate(whole.splitlines(), 1):
                entry = json.loads(line)
                if number == 1 and not about.items() <= entry.items():
                    raise ValueError
                if "undo" in entry:
                    self.entries.pop()
                elif number > 1:
                    self.entries.append(entry)
            self.known = self._after(self.entries)
        except (ValueError, LookupError, TypeError, AttributeError):
            message = f"{self.path}:{number}: this line is no change of these rows"
            raise Error(message, "PEN_FILE_ERROR") from None

    def _write(self, entry: Entry) -> None:
        self._file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        os.fsync(self._file)

    def _after(self, entries: list[Entry]) -> Known:
        known = self._begin
        for number, entry in enumerate(entries):
            known = known.after(number, entry)
        return known

    def do(self, asked: Entry) -> int:
        """Make a change that the page asks for, and give its number. Error: it cannot be made."""
        with self.lock:
            entry = self._entry(asked)
            if "undo" in entry:
                entries = self.entries[:-1]
                known = self._after(entries)
            else:
                entries = [*self.entries, entry]
                known = self.known.after(len(self.entries), entry)
                known.check()
            self._write(entry)
            self.entries, self.known = entries, known
            self.change += 1
            return self.change

    def _entry(self, asked: Entry) -> Entry:
        """The line of a change."""
        action = asked.get("action")
        if action == "label":
            at = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            rule = str(asked.get("rule") or "click")
            return {
                "label": self._named(asked),
                "rows": self._numbers(asked),
                "rule": rule,
                "at": at,
            }
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
        linked = [{*p} for k in KINDS if kind in (k, "unlink") for p in getattr(self.known, k)]
        if i == j:
            raise Error(f"rows {i} and {j} are the same row")
        if ({i, j} in linked) != (kind == "unlink"):
            what = "are not linked" if kind == "unlink" else "are linked already"
            raise Error(f"rows {i} and {j} {what}")
        return {kind: pair}

    def _named(self, asked: Entry) -> str | None:
        """The class that is asked for."""
        if asked.get("name") is not None:
            return _class_name(asked["name"])
        if asked.get("class") is None:
            return None
        return self.known.classes[
            _rows.whole("class", asked["class"], 0, len(self.known.classes) - 1)
        ]

    def _numbers(self, asked: Entry, least: int = 1, most: int = 0) -> list[int]:
        """The numbers of rows that are asked for, at least and at most so many (0: all)."""
        n, rows = len(self.known.codes), asked.get("rows")
        if not isinstance(rows, list) or not least <= len(rows) <= (most or n):
            raise Error(f"rows must be {least} to {most or n} row numbers, got {rows!r:.40}")
        return [_rows.whole("row", row, 0, n - 1) for row in rows]

    # ---- in words ----

    def last(self) -> str | None:
        """What undo takes back."""
        if not self.entries:
            return None
        entry = self.entries[-1]
        if "label" in entry:
            what, count = entry["label"], len(entry["rows"])
            what = "no label" if what is None else f"label {what}"
            return f"{what}, {count} row{'s' * (count != 1)}"
        ((what, of),) = entry.items()
        return f"class {of}" if what == "class" else f"{what.replace('_', '-')} {of[0]} and {of[1]}"

    def rule(self, row: int) -> str:
        """How a row came to its label."""
        by = int(self.known.by[row])
        return "given" if by < 0 else str(self.entries[by]["rule"])

    def labelled(self, row: int) -> str | None:
        """The label of a row, how and when it was made; None: it has none."""
        code, by = int(self.known.codes[row]), int(self.known.by[row])
        if code < 0:
            return None
        made = "given" if by < 0 else f"by {self.rule(row)}, {self.entries[by]['at'][11:16]}"
        return f"{self.known.classes[code]}, {made}"
