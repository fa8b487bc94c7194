"""The labels and pairs, and the file with one line for each change."""

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
Entry = dict[str, typing.Any]


@dataclasses.dataclass(frozen=True, eq=False)
class Known:
    """The labels and pairs after some changes. Immutable."""

    classes: tuple[str, ...]
    codes: np.ndarray  # [n], -1: no label
    by: np.ndarray  # [n]: the index in `entries` of the change that labelled a row, -1: none
    must_link: tuple[tuple[int, int], ...]
    cannot_link: tuple[tuple[int, int], ...]
    entries: tuple[Entry, ...] = ()  # the changes that led here
    change: int = 0  # counted in this process

    @property
    def counts(self) -> np.ndarray:
        """The number of labels per class."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.classes))

    @property
    def has_classes(self) -> bool:
        """Whether labels are of at least two classes."""
        return int(np.count_nonzero(self.counts)) >= 2

    @property
    def method(self) -> str:
        """The fast method to fit first; with pairs, labels also count as pairs."""
        if self.must_link or self.cannot_link:
            return "wbdr" if self.cannot_link or self.has_classes else "ssdr"
        return "fda" if self.has_classes else "pca"

    @property
    def pairs(self) -> dict[str, np.ndarray]:
        """The pairs of each kind [m x 2] that has any, for `fit`."""
        return {kind: np.array(pairs) for kind in KINDS if (pairs := getattr(self, kind))}

    def after(self, entry: Entry) -> Known:
        """Return the state after a change."""
        codes, by, classes = self.codes, self.by, self.classes
        name = entry.get("class", entry.get("label"))
        if name is not None and name not in classes:
            classes = (*classes, name)
        if "label" in entry:
            codes, by = codes.copy(), by.copy()
            codes[entry["rows"]] = -1 if name is None else classes.index(name)
            by[entry["rows"]] = len(self.entries)
        gone, pairs = {*entry.get("unlink", ())}, dict[str, typing.Any]()
        for kind in KINDS:
            come = [tuple(entry[kind])] if kind in entry else []
            pairs[kind] = (*(pair for pair in getattr(self, kind) if {*pair} != gone), *come)
        return Known(
            classes, codes, by, **pairs, entries=(*self.entries, entry), change=self.change
        )

    def check(self) -> None:
        """Raise an error if labels and pairs contradict each other; it names their path."""
        if self.pairs:
            x = np.arange(len(self.codes), dtype=float)[:, None]  # any values: only pairs matter
            linked = _pairs.gather(len(x), **self.pairs)
            data = _rows.Data(x, _rows.classes(self.codes), None, linked)
            Model.fit(spec("ssdr", {"n_components": 1, "classifier": "none"}), data, None, False)

    # ---- texts ----

    def last(self) -> str | None:
        """The change that undo would revert, as text."""
        if not self.entries:
            return None
        (what, of), *more = self.entries[-1].items()
        if what == "label":
            count = len(more[0][1])
            label = "no label" if of is None else f"label {of}"
            return f"{label}, {count} row{'s' * (count != 1)}"
        return f"class {of}" if what == "class" else f"{what.replace('_', '-')} {of[0]} and {of[1]}"

    def rule(self, row: int) -> str:
        """Return how a row got its label."""
        return "given" if self.by[row] < 0 else str(self.entries[self.by[row]]["rule"])

    def labelled(self, row: int) -> str | None:
        """Return the label of a row, and how and when it was set; None: unlabelled."""
        if self.codes[row] < 0:
            return None
        rule, by = self.rule(row), self.by[row]
        made = rule if by < 0 else f"by {rule}, {self.entries[by]['at'][11:16]}"
        return f"{self.classes[self.codes[row]]}, {made}"


def _class_name(given: typing.Any) -> str:
    """Return the class name; refuse names that files of labels and models cannot hold."""
    name = given.strip() if isinstance(given, str) and given.isprintable() else ""
    if not 0 < len(name) <= 200:
        raise Error("a class must have a name of 1 to 200 letters that can be shown")
    if _rows.is_mark(name):
        raise Error(f'a class must not be called "{name}", which means unlabelled in files')
    return name


class Journal:
    """The current state and its changes, each written to disk before it takes effect.

    An existing file is continued. An incomplete last line, after kill -9, is removed.
    """

    def __init__(self, folder: pathlib.Path, columns: int, begin: Known) -> None:
        begin.check()
        self.known = self.begin = begin
        self._lock = threading.Lock()
        folder.mkdir(exist_ok=True)
        self.path = folder / "journal.jsonl"
        self._file = open(self.path, "a+b", buffering=0)
        try:
            self._resume({"rows": len(begin.codes), "columns": columns})
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file, so that another process can continue it."""
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
        number, entries = 1, list[Entry]()
        try:
            for number, line in enumerate(whole.splitlines(), 1):
                entry = json.loads(line)
                if number == 1 and not about.items() <= entry.items():
                    raise ValueError
                if "undo" in entry:
                    entries.pop()
                elif number > 1:
                    entries.append(entry)
            self.known = self._after(entries)
        except (ValueError, LookupError, TypeError, AttributeError):
            message = f"{self.path}:{number}: this line is no change of these rows"
            raise Error(message, "PEN_FILE_ERROR") from None

    def _write(self, entry: Entry) -> None:
        self._file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        os.fsync(self._file)

    def _after(self, entries: typing.Iterable[Entry]) -> Known:
        return functools.reduce(Known.after, entries, self.begin)

    def do(self, asked: Entry) -> int:
        """Make a change that the page requests, and return its number. Error: it is invalid."""
        with self._lock:
            entry, before = self._entry(asked), self.known
            known = self._after(before.entries[:-1]) if "undo" in entry else before.after(entry)
            known.check()
            self._write(entry)
            self.known = dataclasses.replace(known, change=before.change + 1)
            return self.known.change

    def _entry(self, asked: Entry) -> Entry:
        """Return the journal entry of a change."""
        action, name, known = asked.get("action"), asked.get("name"), self.known
        if action == "undo":
            if not known.entries:
                raise Error("there is nothing to undo")
            return {"undo": True}
        if action == "class":
            if (name := _class_name(name)) in known.classes:
                raise Error(f'there is a class "{name}" already')
            return {"class": name}
        n, rows = len(known.codes), asked.get("rows")
        if not isinstance(rows, list) or not rows:
            raise Error(f"rows must be row numbers, got {rows!r:.40}")
        rows = [_rows.whole("row", row, 0, n - 1) for row in rows]
        if action == "label":
            if name is not None:
                name = _class_name(name)
            elif (code := asked.get("class")) is not None:
                name = known.classes[_rows.whole("class", code, 0, len(known.classes) - 1)]
            at = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            return {
                "label": name,
                "rows": rows,
                "rule": str(asked.get("rule") or "click"),
                "at": at,
            }
        kind = asked.get("kind") if action == "link" else action
        if kind not in (*KINDS, "unlink"):
            raise Error(f"unknown action {action!r}")
        pairs = [{*pair} for k in KINDS if kind in (k, "unlink") for pair in getattr(known, k)]
        if ({*rows} in pairs) != (kind == "unlink"):
            what = "are not linked" if kind == "unlink" else "are linked already"
            raise Error(f"rows {' and '.join(map(str, rows))} {what}")
        return {kind: rows}
