"""The choice of a map and a reader for labelled rows: in numbers, and as text."""

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
class MapCandidate:
    """A map with a reader of classes, as one of a `Selection`.

    Attributes
    ----------
    name : str
        The class of the map, its kernel and its reader: ``"PCA/lda"``, ``"SELF+rbf/nearest"``.
    estimator : Reducer
        Unfitted, with the reader and its temperature.
    parameters : dict
        What differs from the defaults in `estimator`.
    accuracy : float
        In [0, 1], over the held-out rows of all trials; NaN: not tried, or it failed.
    score : float
        accuracy - 0.001 brier, by which candidates are compared.
    brier, log_loss : float
        Of the probabilities of these rows; `log_loss` of the tempered ones.
    temperature : float
        That gives these rows the least `log_loss`: probabilities become p^(1 / temperature).
    member : bool
        It scores within a standard error of the best: part of an `AutoClassifier`.
    failure : str
        Why it has no score; or "".

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> found = penumbra.AutoReducer().fit(x, y).selection_
    >>> [c.name for c in found.candidates if c.name.startswith("FME")]
    ['FME+rbf/scores', 'FME/scores', 'FME+laplacian/scores']
    """

    name: str
    estimator: Reducer
    parameters: dict[str, typing.Any]
    accuracy: float
    score: float
    brier: float
    log_loss: float
    temperature: float
    member: bool
    failure: str

    @property
    def call(self) -> str:
        """The estimator as Python writes it: ``PCA(scale='standard', reader='lda')``."""
        return f"{type(self.estimator).__name__}({_trials.call_text(self.parameters)})"

    @property
    def has_score(self) -> bool:
        """Whether there is a score."""
        return not math.isnan(self.score)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """How a map and a reader were chosen for labelled rows. It shows itself as a table.

    Attributes
    ----------
    candidates : tuple of MapCandidate
        In the order of the library.
    best : int
        The index of the one with the highest score, the first of equal ones.
    margin : float
        The standard error of that score; NaN without trials.
    mapped : int
        The index of the map: the member that gives the most unlabelled rows the class that the mean
        of all members gives them; the best one, if all rows are labelled.
    map : Reducer
        Unfitted: that candidate, in the fewest dimensions that answer alike.
    map_accuracy, map_log_loss : float
        Of `map`, as of a candidate.
    chance : float
        The share of the largest class among the labels.
    rows, labelled : int
        Of the trials, which may leave rows out.
    folds, runs : int
        Of the trials; 0: none, for no class has three labels.
    classes : tuple of str
        Their names.
    confusion : ndarray of shape (n_classes, n_classes), or None
        Held-out rows by their true class and the one that the candidate of the map predicts. None:
        there were no trials.
    reason : str
        Why the map was chosen: ``"chosen among 12 pairs of map and reader"``.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> found = penumbra.AutoReducer().fit(x, y).selection_
    >>> print(str(found).splitlines()[0])
    1 run of 3 folds of 60 labelled rows, chance 0.33
    >>> found.members[0] is found.candidates[found.best]
    True
    """

    candidates: tuple[MapCandidate, ...]
    best: int
    margin: float
    mapped: int
    map: Reducer
    map_accuracy: float
    map_log_loss: float
    chance: float
    rows: int
    labelled: int
    folds: int
    runs: int
    classes: tuple[str, ...]
    confusion: np.ndarray | None
    reason: str

    # ---- what came of it ----

    @property
    def members(self) -> tuple[MapCandidate, ...]:
        """The candidates within `margin` of the best, the best one first."""
        best = self.candidates[self.best]
        return (best, *(c for c in self.candidates if c.member and c is not best))

    def to_frame(self) -> pandas.DataFrame:
        """The candidates as a frame of pandas, a row a candidate: all but the estimators."""
        pd = extra("pandas", "pandas")
        names = [f.name for f in dataclasses.fields(MapCandidate) if f.name != "estimator"]
        frame = pd.DataFrame([{name: getattr(c, name) for name in names} for c in self.candidates])
        frame.insert(1, "best", [i == self.best for i in range(len(self.candidates))])
        return frame

    # ---- in words ----

    @property
    def _digits(self) -> int:
        return _trials.digits(self.labelled)

    @property
    def _trials_text(self) -> str:
        if self.folds == 0:
            return self.reason
        runs = f"{self.runs} run{'s' * (self.runs != 1)} of {self.folds} folds"
        return f"{runs} of {self.labelled} labelled rows, chance {self.chance:.2f}"

    @property
    def _map_text(self) -> str:
        name = type(self.map).__name__
        return f"{name}({_trials.call_text(_trials.parameters_of(self.map))})"

    @property
    def summary(self) -> str:
        """The map, why, and how good it is, in a line."""
        line = f"{self._map_text}, {self.reason}"
        if self.folds == 0:
            return line
        return (
            f"{line}: accuracy {self.map_accuracy:.{self._digits}f}, log-loss"
            f" {self.map_log_loss:.2g} on held-out rows (standard error about {self.margin:.1g})"
        )

    @property
    def _shown(self) -> list[tuple[str, MapCandidate]]:
        """Candidates with a mark: what was tried or failed, and the best in any case."""
        best = self.candidates[self.best]
        return [
            ("->" if c is best else "", c)
            for c in self.candidates
            if c.has_score or c.failure or c is best
        ]

    def _cells(self, c: MapCandidate) -> tuple[str, str, str]:
        """Accuracy, log-loss and temperature as text."""
        if not c.has_score:
            return ("-", "-", "-")
        return (f"{c.accuracy:.{self._digits}f}", f"{c.log_loss:.2g}", f"{c.temperature:g}")

    def __repr__(self) -> str:
        rows: list[tuple[str, ...]] = [
            ("", "map/reader", "accuracy", "log-loss", "temperature", "")
        ]
        for mark, c in self._shown:
            name = c.name + " *" * c.member
            rows.append((mark, name, *self._cells(c), c.failure))
        lines = [self._trials_text, _trials.aligned(rows, right=(2, 3, 4))]
        if self.folds > 0:
            lines.append(f"* within a standard error ({self.margin:.1g}) of the best")
        return "\n".join([*lines, self.summary])

# ---- the choice ----


def has_labels_alone(data: _rows.Data) -> bool:
    """Whether `select` applies: labels of two classes, and no pairs."""
    raw = data.raw
    if raw.labels == ffi.NULL or raw.must_link_count or raw.cannot_link_count or raw.sample:
        return False
    codes = np.frombuffer(ffi.buffer(raw.labels, 4 * raw.x.rows), np.int32)
    return len(np.unique(codes[codes >= 0])) > 1


def _name_here(name: str) -> str:
    """The name of a candidate here: ``"self+rbf/lda"`` is ``SELF+rbf/lda``."""
    return re.sub(r"^[^+/]+", lambda match: method_named(match.group()).class_name, name)


def _candidate(raw: typing.Any) -> MapCandidate:
    estimator = _trials.estimator_of(raw.spec)
    return MapCandidate(
        name=_name_here(text(raw.name)),
        estimator=estimator,
        parameters=_trials.parameters_of(estimator),
        accuracy=raw.accuracy,
        score=raw.score,
        brier=raw.brier,
        log_loss=raw.log_loss,
        temperature=raw.temperature,
        member=bool(raw.member),
        failure=python_text(text(raw.failure)),
    )


def _confusion(raw: typing.Any) -> np.ndarray | None:
    if raw.confusion == ffi.NULL:
        return None
    c = raw.classes
    counts = np.frombuffer(ffi.buffer(raw.confusion, 8 * c * c), np.int64)
    return counts.reshape(c, c).copy()


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


def selection_of(raw: typing.Any, names: typing.Sequence[str]) -> Selection:
    """A pen_selection by trials among these classes."""
    candidates = tuple(_candidate(raw.candidates[i]) for i in range(raw.count))
    among = f"chosen among {sum(c.has_score for c in candidates)} pairs of map and reader"
    return Selection(
        candidates=candidates,
        best=raw.best,
        margin=raw.margin,
        mapped=raw.mapped,
        map=_trials.estimator_of(raw.map),
        map_accuracy=raw.map_accuracy,
        map_log_loss=raw.map_log_loss,
        chance=raw.chance,
        rows=raw.rows,
        labelled=raw.labelled,
        folds=raw.folds,
        runs=raw.runs,
        classes=tuple(names),
        confusion=_confusion(raw),
        reason=text(raw.reason) or among,
    )
