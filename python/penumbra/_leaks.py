"""Warnings of columns that determine the labels or number the rows, and of similar class names."""

from __future__ import annotations

import typing

from penumbra._c import ffi, lib
from penumbra._native import Error, owned, text, warn
from penumbra._rows import Data


def _found(given: typing.Any, strict: bool) -> typing.Any:
    """Return the pen_leaks that the library finds; after an error None, unless `strict`."""
    try:
        return owned("pen_leaks", lib.pen_find_leaks, given)
    except Error:
        if strict:
            raise
        return None


def copies(data: Data) -> tuple[str, ...]:
    """Return a warning if labelled rows have near copies; none for rows that are not finite."""
    raw = _found(data.raw, False)
    if raw is None or raw.copies == 0:
        return ()
    return (
        f"{100 * raw.copies:.0f} % of the labelled rows have near copies of their class, which tell"
        " it when one is held out; if they are of one sample, groups says which",
    )


def warn_of(data: Data, labels: bool = True) -> tuple[str, ...]:
    """Warn of each such column and return the texts; without `labels`, of row numbers only."""
    given = ffi.new("pen_data *", data.raw[0])
    if not labels:
        given.labels = ffi.NULL
    raw = _found(given, labels)
    if raw is None:
        return ()  # the fit reports the error
    alike = text(raw.alike)
    found = (
        *([f"y has classes that look alike: {alike}"] if alike else []),
        *(_text(raw.list[i], data.names) for i in range(raw.count)),
    )
    for line in found:
        warn(line)
    return found


def _text(leak: typing.Any, names: typing.Any) -> str:
    ends = (leak.first, leak.first + leak.count - 1)
    first, last = (str(j) if names is None else str(names[j]) for j in ends)
    several = leak.count > 1
    if leak.numbers_rows:
        return f"column {first} numbers the rows, which does not help with new rows: leave it out"
    return (
        f"column{'s' * several} {first}{f' to {last}' if several else ''}"
        f" determine{'s' * (not several)} the labels: the classes may have been left among the"
        f" values; without {'them' if several else 'it'} the scores may be lower"
    )
