"""Suggestions of rows to label next."""

from __future__ import annotations

import dataclasses
import typing

import numpy as np
from sklearn.utils.validation import check_consistent_length

from penumbra import _rows
from penumbra._c import ffi, lib
from penumbra._calls import call
from penumbra._model import Model
from penumbra._native import warn


@dataclasses.dataclass(frozen=True)
class Suggestions:
    """Rows to label next, best first, with reasons.

    Attributes
    ----------
    rows : ndarray of shape (m,)
        Row numbers of `X`, counted from 0.
    classes : ndarray of shape (m, 2), or None
        The two likeliest classes of each row. None: the model has no classes.
    probabilities : ndarray of shape (m, 2), or None
        The probabilities of these classes.
    shares : ndarray of shape (m,)
        The fraction of all uncertainty that the label would resolve, beyond the labels and the
        earlier suggestions.
    """

    rows: np.ndarray
    classes: np.ndarray | None
    probabilities: np.ndarray | None
    shares: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def margins(self) -> np.ndarray | None:
        """The first probability minus the second [m]; None: the model has no classes."""
        if self.probabilities is None:
            return None
        margins: np.ndarray = self.probabilities[:, 0] - self.probabilities[:, 1]
        return margins

    def __str__(self) -> str:
        lines = []
        for i, row in enumerate(self.rows):
            why = ""
            if self.classes is not None and self.probabilities is not None:
                (first, second), (p, q) = self.classes[i], self.probabilities[i]
                why = f"{first} ({p:.3f}) or {second} ({q:.3f}), "
            lines.append(f"row {row}: {why}tells {100 * self.shares[i]:.1f} %")
        return "\n".join(lines)


def _two_classes(found: typing.Any, count: int, classes: np.ndarray) -> np.ndarray:
    """Return two classes per row [count x 2]; a model of one class repeats it."""
    codes = np.array(
        [(found[i].first, max(found[i].second, 0)) for i in range(count)], dtype=np.int64
    )
    two: np.ndarray = np.asarray(classes)[codes.reshape(count, 2)]
    return two


def suggest_rows(
    model: Model,
    x: np.ndarray,
    n: typing.Any,
    y: _rows.Labels,
    classes: np.ndarray | None,
    n_jobs: int | None,
    verbose: bool | int,
) -> Suggestions:
    """Return the suggestions of a model with these `classes` (None: it has none)."""
    asked = _rows.whole("n", n, 1)
    codes = None
    if y is not None:
        codes = _rows.classes(y).codes
        check_consistent_length(x, codes)
    data = _rows.Data(x)
    if codes is not None:
        data.set_labels(codes)
    most = min(asked, x.shape[0])
    found, count = ffi.new("pen_suggestion[]", most), ffi.new("int64_t *")
    with _rows.naming_column(x, lambda: model.column_names):
        call(lib.pen_suggest, (model._raw, data.raw, most), (found, count), n_jobs, verbose)
    m = int(count[0])
    if m < asked:
        warn(
            f"{m} of {asked} rows: all remaining rows are labelled or nearly equal to a labelled or"
            " suggested row"
        )
    pairs = [(found[i].p_first, found[i].p_second) for i in range(m)]
    return Suggestions(
        rows=np.array([found[i].row for i in range(m)], dtype=np.int64),
        classes=None if classes is None else _two_classes(found, m, classes),
        probabilities=None if classes is None else np.array(pairs).reshape(m, 2),
        shares=np.array([found[i].share for i in range(m)]),
    )
