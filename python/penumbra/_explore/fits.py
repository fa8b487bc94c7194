"""Projections and classes for the page, fitted again after every change."""

from __future__ import annotations

import contextlib
import functools
import json
import threading
import typing
import warnings

import numpy as np

from penumbra import _calls, plot
from penumbra._auto import AutoReducer
from penumbra._estimators import Reducer, Rows, class_of
from penumbra._explore.journal import Journal, Known
from penumbra._native import Error, PenumbraWarning
from penumbra._suggest import Suggestions

_FOLDS, _LEAST, _SURE, _MOST_SUSPECTS, _MOST_SUGGESTED = 5, 3, 0.9, 50, 10
_ENOUGH = 20  # labels before a curve says anything
_Told = typing.Any


class _Newer(Exception):
    """Stops a fit after a later change, or at the end."""


class Worker(threading.Thread):
    """Fits the state after the last change, first a fast projection, then an AutoReducer, and keeps
    the results for the page: a small text and arrays."""

    def __init__(self, rows: Rows, journal: Journal) -> None:
        super().__init__(daemon=True)
        self.rows, self.journal = rows, journal
        self.version, self.ended = 0, False
        self._told: dict[str, _Told] = {"error": None, "curve": [], "chance": None, "suspects": []}
        self._told |= {"sentence": None, "suggested": [], "method": "pca", "axes": ["", ""]}
        self._told["answers"] = 0
        self._arrays: dict[str, tuple[int, np.ndarray]] = {}  # with the version of each
        self._news = threading.Condition()
        self._done: Known | None = None
        self._points: np.ndarray | None = None
        self._curve: dict[int, tuple[float, float]] = {}
        # a filter, because catch_warnings would affect other threads
        warnings.filterwarnings("ignore", category=PenumbraWarning, module="threading")
        self._publish({"given": (journal.begin.codes >= 0).astype("u1")})
        self.wake()
        self.start()

    # ---- results for the page ----

    def _publish(self, arrays: dict[str, np.ndarray], **told: _Told) -> None:
        """Change some of the results."""
        with self._news:
            self.version += 1
            self._told |= told
            self._arrays |= {name: (self.version, array) for name, array in arrays.items()}
            self._news.notify()

    def packed(self, have: int) -> bytes:
        """Return the text, and the arrays that changed after the version `have`."""
        with self._news:
            new = {name: array for name, (at, array) in self._arrays.items() if at > have}
            listed = [[name, a.dtype.str[1:], a.size] for name, a in new.items()]
            told = json.dumps({"version": self.version, "arrays": listed, **self._told}).encode()
        told += b" " * (-(4 + len(told)) % 8)
        parts = [len(told).to_bytes(4, "little"), told]
        for a in new.values():
            parts += [a.tobytes(), bytes(-a.nbytes % 8)]
        return b"".join(parts)

    def wake(self) -> None:
        """Show and fit the current state of the journal."""
        with self._news:
            known = self.journal.known
            rows = np.flatnonzero(known.codes >= 0)
            self._publish(
                {"labelled": rows.astype("<u4"), "label": known.codes[rows].astype("<u2")},
                classes=known.classes,
                counts=known.counts.tolist(),
                work=known.method,
                error=None,
                labelled=len(rows),
                undo=known.last(),
                must_link=known.must_link,
                cannot_link=known.cannot_link,
            )

    # ---- fitting ----

    def end(self) -> None:
        """Stop within a tenth of a second."""
        self.ended = True
        self._publish({})

    def run(self) -> None:
        """Fit after each change, until `end`."""
        while not self.ended:
            with self._news:
                self._news.wait_for(self._is_late)
                known = self._done = self.journal.known
            try:
                with _calls.stopped_by(self._check):
                    self._fit(known)
            except _Newer:
                continue
            except Exception as error:
                self._publish({}, work=None, error=str(error))

    def _is_late(self) -> bool:
        return self.ended or self._done is not self.journal.known

    def _check(self) -> None:
        if self._is_late():
            raise _Newer

    def _fit(self, known: Known) -> None:
        method = known.method
        fast: typing.Any = self._pca if method == "pca" else class_of(method)()
        if method != "pca":
            fast.fit(self.rows, known.codes if known.counts.any() else None, **known.pairs)
        self._show(fast, known, "auto" if known.has_classes else None)
        rows = fast.suggest(self.rows, known.codes, _MOST_SUGGESTED)
        self._publish({}, suggested=_listed(rows, known.classes))
        self._publish({}, suspects=self._suspects(known))
        if not known.has_classes:
            return
        auto = AutoReducer().fit(self.rows, known.codes, **known.pairs)
        found = auto.comparison_
        if np.isfinite(found.best_score):
            self._curve[int(known.counts.sum())] = (found.best_score, found.error)
        curve = [[count, *point] for count, point in sorted(self._curve.items())]
        chance = found.chance if np.isfinite(found.chance) else None
        self._show(auto, known, None, curve=curve, chance=chance, sentence=sentence(curve))

    @functools.cached_property
    def _pca(self) -> Reducer:
        """Two principal components of the rows, or the only one."""
        try:
            return class_of("pca")(n_components=2).fit(self.rows)
        except Error:
            return class_of("pca")(n_components=1).fit(self.rows)

    # ---- results of a fit ----

    def _show(self, model: Reducer, known: Known, work: str | None, **told: _Told) -> None:
        """Publish points and classes, then how typical the rows are, which takes longer."""
        points, told["axes"] = self._placed(model)
        none = np.full(len(points), 65535, "<u2")
        codes, shares = none, 0 * none
        if hasattr(model, "predict_proba"):
            p = model.predict_proba(self.rows)
            codes = np.asarray(model.classes_)[p.argmax(axis=1)].astype("<u2")
            shares = _shares(p.max(axis=1))
        arrays = {"points": points.astype("<f4").ravel(), "class": codes, "probability": shares}
        method = "auto" if isinstance(model, AutoReducer) else model.method.name
        told |= {"work": work, "method": method, "answers": known.change}
        with self._news:  # publish nothing after a newer change
            self._check()
            self._points = points
            self._publish(arrays, **told)
        typical = none
        with contextlib.suppress(Error, AttributeError):  # some models do not know it
            typical = _shares(model.typicality(self.rows))
        self._publish({"typical": typical})

    def _placed(self, model: Reducer) -> tuple[np.ndarray, list[str]]:
        """Return two coordinates of each row, rotated to match the earlier ones, and axis names."""
        picture, learned = getattr(model, "picture_", None), model._model
        z, weights = np.asarray(model.transform(self.rows)), learned.projection
        if picture is None and z.shape[1] == 1:
            z, weights = self._with_component(z, weights)
        mix = np.eye(z.shape[1])[:, :2] if picture is None else picture
        points = (z @ mix.astype(z.dtype)).astype(float)
        points -= points.mean(axis=0)
        scale = points.std(axis=0)
        scale[~(scale > 0)] = np.inf
        points /= scale
        turn = np.eye(2)
        if self._points is not None:
            left, _, right = np.linalg.svd(points.T @ self._points)
            turn = left @ right
        if learned.kernel is not None:
            return points @ turn, ["", ""]
        return points @ turn, plot.strongest(learned, weights @ (mix / scale @ turn))

    def _with_component(self, z: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Add a second column: the first principal component not explained by the only column."""
        z, other = z - z.mean(axis=0), np.asarray(self._pca.transform(self.rows), float)
        part = z.T @ other / max(float((z**2).sum()), np.finfo(float).tiny)
        rest, own = other - z * part, self._pca._model.projection - w * part
        is_left = (rest**2).mean(axis=0) > 1e-6 * (other**2).mean(axis=0)  # not only rounding
        rest, j = rest * is_left, int(np.argmax(is_left))
        return np.column_stack([z, rest[:, j]]), np.column_stack([w, own[:, j]])

    def _suspects(self, known: Known) -> list[_Told]:
        """Return labels that models of the remaining labels contradict, most certain first."""
        codes, names = known.codes, known.classes
        rows = np.argsort(codes, kind="stable")[np.count_nonzero(codes < 0) :]
        rows = rows[known.counts[codes[rows]] >= _LEAST]
        if len(np.unique(codes[rows])) < 2:
            return []
        fold = (np.arange(len(rows)) - np.searchsorted(codes[rows], codes[rows])) % _FOLDS
        found: list[tuple[float, int, int]] = []
        for k in range(fold.max() + 1):  # fewer folds for few labels
            held, seen = rows[fold == k], codes.copy()
            seen[held] = -1
            model = class_of("fda")().fit(self.rows, seen)
            best, p = model._model.predict(self.rows.values[held], None, False)
            best, sure = model.classes_[best], p.max(axis=1)
            wrong = (best != codes[held]) & (sure > _SURE)
            found += zip(-sure[wrong], held[wrong].tolist(), best[wrong].tolist())
        found = sorted(found)[:_MOST_SUSPECTS]
        return [[row, names[codes[row]], names[other]] for _, row, other in found]


def _shares(p: np.ndarray) -> np.ndarray:
    """Return fractions as u2, 65535 for 1."""
    return (65535 * p.clip(0, 1) + 0.5).astype("<u2")


def _listed(found: Suggestions, names: tuple[str, ...]) -> list[_Told]:
    """Return suggested rows with reasons."""
    if found.classes is None or found.probabilities is None:
        return [[int(row), "like many rows without a label"] for row in found.rows]
    return [
        [int(row), f"{names[a]} ({p:.2f}) or {names[b]} ({q:.2f})"]
        for row, (a, b), (p, q) in zip(found.rows, found.classes, found.probabilities)
    ]


def sentence(curve: list[list[_Told]]) -> str | None:
    """Return the message if more labels have stopped helping, else None."""
    if not curve or (last := curve[-1])[0] < _ENOUGH:
        return None
    before = [point for point in curve if 2 * point[0] <= last[0]]
    if not before or last[1] - before[-1][1] > max(last[2], before[-1][2]):
        return None
    return (
        f"From {before[-1][0]} to {last[0]} labels the expected accuracy did not rise by more than"
        " its error: more labels of this kind may not help."
    )
