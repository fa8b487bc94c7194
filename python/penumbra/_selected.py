"""The choice of candidates for labelled rows: in numbers, and as text."""

from __future__ import annotations

import dataclasses
import math
import re
import typing

import numpy as np

from penumbra import _rows, _trials
from penumbra._c import ffi, lib
from penumbra._calls import made
from penumbra._estimators import Reducer
from penumbra._extras import extra
from penumbra._names import python_text
from penumbra._native import method_named, text

if typing.TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True, eq=False)
class Tried:
    """One of the candidates of a `Selection`: a method with its classifier of classes.

    Attributes
    ----------
    name : str
        The class of the method, its kernel and its classifier: ``"PCA/lda"``,
        ``"SELF+rbf/nearest"``.
    estimator : Reducer
        Unfitted, with the classifier and its temperature.
    accuracy : float
        In [0, 1], over the held-out rows of all trials; NaN: not tried, or it failed.
    score : float
        accuracy - 0.001 brier, by which candidates are compared.
    brier, log_loss : float
        Of the probabilities of these rows; `log_loss` of the tempered ones.
    temperature : float
        That gives these rows the least `log_loss`: probabilities become p^(1 / temperature).
    member : bool
        It scores within a standard error of the best: part of the ensemble.
    failure : str
        Why it has no score; or "".
    """

    name: str
    estimator: Reducer
    accuracy: float
    score: float
    brier: float
    log_loss: float
    temperature: float
    member: bool
    failure: str


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """What was tried on held-out labels, and what it says of the labels. It shows itself as a
    table.

    Attributes
    ----------
    candidates : tuple
        In the order of the library. Each has `name`, `estimator` (unfitted), `accuracy`, `score`,
        `brier`, `log_loss`, `temperature`, `member` (whether it is part of the ensemble) and
        `failure` (why it has no score, or ""): see `to_frame`.
    best : int
        The index of the one with the highest score, the first of equal ones.
    margin : float
        The standard error of that score; NaN without trials.
    accuracy, error : float
        Of the projection, expected on rows without a label: 1.645 times `error` to either side hold
        the truth in 90 of 100 cases. NaN without trials.
    chance : float
        The share of the largest class among the labels: the accuracy of guessing it.
    p_value : float
        That the labels have nothing to do with the rows; NaN without trials.
    predicts : bool
        False: `p_value` is above 0.05 (0.2 of few labels): these labels do not predict classes.
    sample : ndarray of shape (rows,)
        The numbers of the rows on which everything is learned, ascending.
    rows, labelled : int
        How many rows these are, and how many of them have a label.
    folds, runs : int
        Of the trials; 0: none, for no class has three labels.
    classes : tuple of str
        Their names.
    reason : str
        Where there were no trials: why. Else ``"learned from 3 of 12 candidates"``.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> found = penumbra.AutoReducer().fit(x, y).selection_
    >>> print(str(found).splitlines()[0])
    1 run of 3 folds of 60 labelled rows
    >>> found.members[0] is found.candidates[found.best], found.predicts
    (True, True)
    """

    candidates: tuple[Tried, ...]
    best: int
    margin: float
    accuracy: float
    error: float
    chance: float
    p_value: float
    predicts: bool
    sample: np.ndarray
    rows: int
    labelled: int
    folds: int
    runs: int
    classes: tuple[str, ...]
    reason: str

    # ---- what came of it ----

    @property
    def members(self) -> tuple[Tried, ...]:
        """The ensemble: the candidates within `margin` of the best, the best one first."""
        best = self.candidates[self.best]
        return (best, *(c for c in self.candidates if c.member and c is not best))

    def to_frame(self) -> pandas.DataFrame:
        """The candidates as a frame of pandas, a row a candidate: all but the estimators."""
        pd = extra("pandas", "pandas")
        names = [f.name for f in dataclasses.fields(Tried) if f.name != "estimator"]
        frame = pd.DataFrame([{name: getattr(c, name) for name in names} for c in self.candidates])
        frame.insert(1, "best", [i == self.best for i in range(len(self.candidates))])
        return frame

    # ---- in words ----

    @property
    def doubt(self) -> str:
        """That these labels do not predict classes here; or ""."""
        if self.predicts:
            return ""
        return _trials.no_better(self.accuracy, self.error, self.chance, few=True)

    @property
    def summary(self) -> str:
        """What is expected of rows without a label, in a line."""
        if self.folds == 0:
            return f"nothing was held out: {self.reason}"
        return self.doubt or (
            f"accuracy {_trials.give_or_take(self.accuracy, self.error)} on unlabelled rows;"
            f" guessing the largest class gives {self.chance:.2f}"
        )

    def _line(self, c: Tried, digits: int) -> tuple[str, ...]:
        name = c.name + " *" * c.member
        if math.isnan(c.score):
            return (name, "-", "-", "-", c.failure)
        return (name, f"{c.accuracy:.{digits}f}", f"{c.log_loss:.2g}", f"{c.temperature:g}", "")

    def __repr__(self) -> str:
        if self.folds == 0:
            return self.summary
        digits = _trials.digits(self.labelled)
        head = ("candidate", "accuracy", "log-loss", "temperature", "")
        table = [head, *(self._line(c, digits) for c in self.candidates)]
        runs = f"{self.runs} run{'s' * (self.runs != 1)} of {self.folds} folds"
        return "\n".join(
            [
                f"{runs} of {self.labelled} labelled rows",
                _trials.aligned(table, right=(1, 2, 3)),
                f"* within a standard error ({self.margin:.1g}) of the best: the ensemble",
                self.summary,
            ]
        )


# ---- the choice ----


def has_labels_alone(data: _rows.Data) -> bool:
    """Whether a projection is learned: from labels of two classes, without pairs."""
    raw = data.raw
    if raw.labels == ffi.NULL or raw.must_link_count or raw.cannot_link_count or raw.sample:
        return False
    codes = np.frombuffer(ffi.buffer(raw.labels, 4 * raw.x.rows), np.int32)
    return len(np.unique(codes[codes >= 0])) > 1


def _name_here(name: str) -> str:
    """The name of a candidate here: ``"self+rbf/lda"`` is ``SELF+rbf/lda``."""
    return re.sub(r"^[^+/]+", lambda match: method_named(match.group()).class_name, name)


def _tried(raw: typing.Any) -> Tried:
    return Tried(
        name=_name_here(text(raw.name)),
        estimator=_trials.estimator_of(raw.spec),
        accuracy=raw.accuracy,
        score=raw.score,
        brier=raw.brier,
        log_loss=raw.log_loss,
        temperature=raw.temperature,
        member=bool(raw.member),
        failure=python_text(text(raw.failure)),
    )


def select(
    data: _rows.Data, seed: int, effort: float, n_jobs: int | None, verbose: bool | int
) -> typing.Any:
    """The pen_selection for these rows."""
    return made(
        "pen_selection",
        lambda out, control, error: lib.pen_select(data.raw, seed, effort, control, out, error),
        n_jobs,
        verbose,
    )


def selection_of(raw: typing.Any, names: typing.Sequence[str], n: int) -> Selection:
    """A pen_selection by trials among these classes, of `n` rows."""
    candidates = tuple(_tried(raw.candidates[i]) for i in range(raw.count))
    members, tried = sum(c.member for c in candidates), sum(c.score == c.score for c in candidates)
    if raw.sample == ffi.NULL:
        sample = np.arange(n)
    else:
        sample = np.frombuffer(ffi.buffer(raw.sample, 8 * raw.rows), np.int64).copy()
    return Selection(
        candidates=candidates,
        best=raw.best,
        margin=raw.margin,
        accuracy=raw.accuracy,
        error=raw.error,
        chance=raw.chance,
        p_value=raw.p_value,
        predicts=bool(raw.predicts),
        sample=sample,
        rows=raw.rows,
        labelled=raw.labelled,
        folds=raw.folds,
        runs=raw.runs,
        classes=tuple(names),
        reason=text(raw.reason) or f"learned from {members} of {tried} candidates",
    )
