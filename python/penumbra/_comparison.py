"""The result of a comparison of methods: in numbers, as text, as a page."""

from __future__ import annotations

import dataclasses
import math
import os
import pathlib
import re
import typing

import numpy as np

from penumbra import _report, _trials
from penumbra._estimators import Reducer
from penumbra._extras import extra

if typing.TYPE_CHECKING:
    import pandas

Tried = typing.Literal["tried", "left out", "not reached"]


@dataclasses.dataclass(frozen=True, eq=False)
class Candidate:
    """A method and a classifier in a comparison.

    Attributes
    ----------
    method : str
        Its class in this package.
    name : str
        The same, its kernel if it has one, and its classifier: ``"SELF/lda"``, ``"SELF+rbf/lda"``;
        of baselines ``"columns/lda"``.
    classifier : str
        How it tells classes.
    baseline : bool
        The standardized columns, which are those of PCA with all dimensions.
    title : str
        The full name of the method.
    experimental : bool
        Its formula is reconstructed from secondary sources.
    estimator : Reducer or None
        Unfitted, with the values tuned on all labelled rows, or the defaults if they score higher.
        None: it failed or was not tried.
    parameters : dict
        What differs from the defaults in `estimator`.
    dim : int
        The number of dimensions; where it is left to the method, the least of the trials.
    score, deviation : float
        Mean accuracy in [0, 1] over the trials, tuned within each trial on the rows that are not
        held out, and its standard deviation over the trials. NaN: there is none.
    untuned : float
        The same with default parameters; NaN: it failed with these.
    log_loss, brier : float
        Means over the trials of -ln p of the true class, each p at least 1e-4, and of the squared
        errors of the probabilities, summed over the classes.
    p : float
        Of a paired t-test against the best one, corrected for trials that share rows; NaN for
        the best one itself. Nadeau, Bengio: Machine Learning (2003).
    stability : float
        The fraction of unlabelled rows that get the same class in two trials; NaN: no such rows.
    seconds : float
        Taken by the trials of its method with default parameters.
    cost : float
        Estimated of these, in units of the budget (`effort`).
    grid, combinations : int
        Combinations of values that there are, and that were tried in each trial (0: defaults only).
    tried : {"tried", "left out", "not reached"}
        Left out: too expensive for the budget. Not reached: there was no time.
    same_as : str or None
        The name of the best one that predicts the same for all held-out rows.
    trials : ndarray of shape (n_trials,)
        Accuracy in each trial; empty where there are none.
    curve : ndarray of shape (n_dims,)
        Mean accuracy by the number of dimensions (`Comparison.dims`) with default parameters; NaN:
        not given. Empty where there is none.
    failure : str
        Why it has no score; or "".

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> best = penumbra.compare(x, y, methods=["PCA", "SDA"], runs=1).candidates[0]
    >>> 0.9 < best.score <= 1 and best.failure == ""
    True
    """

    method: str
    name: str
    classifier: str
    baseline: bool
    title: str
    experimental: bool
    estimator: Reducer | None
    parameters: dict[str, typing.Any]
    dim: int
    score: float
    deviation: float
    untuned: float
    log_loss: float
    brier: float
    p: float
    stability: float
    seconds: float
    cost: float
    grid: int
    combinations: int
    tried: Tried
    same_as: str | None
    trials: np.ndarray
    curve: np.ndarray
    failure: str

    @property
    def fit(self) -> str:
        """The name without the classifier: candidates of one name share fits."""
        return self.name.partition("/")[0]

    @property
    def call(self) -> str:
        """The estimator as Python writes it: ``SELF(beta=0.5)``."""
        return f"{self.method}({_trials.call_text(self.parameters)})"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Methods and classifiers side by side, best first. It shows itself as a table.

    Attributes
    ----------
    candidates : tuple of Candidate
        Best first, of equal ones baselines, then the cheapest; failed and untried ones last.
    chosen : int
        The index of the recommended one: the most stable of the first `alike`, a baseline only
        where these are all baselines.
    alike : int
        How many score within `margin` of the best.
    margin : float
        The standard error of the best score.
    chance : float
        The accuracy of always predicting the largest class.
    p_value : float
        How often labels that have nothing to do with the rows would be predicted as well by one of
        the candidates.
    predicts : bool
        False: by `p_value` these labels do not predict classes here, which is what its table says
        first.
    trials, held_out : int
        The number of trials, and of rows held out at least once in these.
    inner_folds : int
        Of the tuning within trials; 0: too few labels to tune.
    tuned : int
        How many candidates were tuned in the budget; the others use their defaults.
    dims : ndarray of shape (n_dims,)
        Dimensions of the curves.
    facts : Facts
        The data in numbers: rows, columns, classes, folds, runs.
    warnings : tuple of str
        Such as columns from which the labels follow.
    classes : tuple of str
        The names of the classes of `confusion`.
    confusion : ndarray of shape (n_classes, n_classes)
        How many held-out rows of all trials the recommended candidate gave each class (columns),
        by true class (rows).
    calibration : ndarray of shape (10, 3)
        The same rows by the probability of their predicted class, in [0, 0.1), [0.1, 0.2) and so
        on: the mean of these probabilities, the fraction of rows that are of that class (NaN
        without rows), and the number of rows.
    results : tuple of dict
        What ``penumbra compare --json`` prints: an object for each candidate, in its names.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> found = penumbra.compare(x, y, methods=["PCA/lda"], runs=1)
    >>> print(str(found).splitlines()[0])
    5 trials, 1 run of 5 folds, 60 held-out rows
    >>> found.recommended.method, found.reason
    ('PCA', 'the only one')
    """

    candidates: tuple[Candidate, ...]
    chosen: int
    alike: int
    margin: float
    chance: float
    p_value: float
    predicts: bool
    trials: int
    held_out: int
    inner_folds: int
    tuned: int
    dims: np.ndarray
    facts: _trials.Facts
    warnings: tuple[str, ...]
    classes: tuple[str, ...] = ()
    confusion: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros((0, 0), np.int64))
    calibration: np.ndarray | None = None
    results: tuple[dict[str, typing.Any], ...] = ()

    # ---- what came of it ----

    @property
    def recommended(self) -> Candidate:
        """The recommended candidate."""
        return self.candidates[self.chosen]

    @property
    def best(self) -> Reducer:
        """The recommended candidate as an estimator, unfitted."""
        from sklearn.base import clone

        estimator: Reducer = clone(self.recommended.estimator)
        return estimator

    @property
    def reason(self) -> str:
        """Why it is recommended: ``"best of 60 candidates"``."""
        count = self._count
        alike = [m for m in range(self.alike) if not self.candidates[m].baseline]
        if not alike:
            return "a baseline: no method is within one standard error of it"
        if count == 1:
            return "the only one"
        if self.chosen == alike[0]:
            return f"best of {count} candidates" + " besides the baselines" * (self.chosen > 0)
        return (
            f"the most stable of {len(alike)} within one standard error of the best,"
            f" of {count} candidates"
        )

    @property
    def _count(self) -> int:
        """The number of candidates that are no baselines."""
        return sum(not e.baseline for e in self.candidates)

    def to_frame(self) -> pandas.DataFrame:
        """The candidates as a frame of pandas, a row for each: all but arrays and estimators."""
        pd = extra("pandas", "pandas")
        columns = [
            field.name
            for field in dataclasses.fields(Candidate)
            if field.name not in ("estimator", "trials", "curve", "title")
        ]
        frame = pd.DataFrame([{c: getattr(e, c) for c in columns} for e in self.candidates])
        frame.insert(1, "recommended", [m == self.chosen for m in range(len(self.candidates))])
        return frame

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The results as a page of HTML that needs no other file: that of the command's
        ``compare --report``.

        Parameters
        ----------
        path : path-like, optional
            Write it to this file, ``.html``.

        Returns
        -------
        str
            The page.

        Raises
        ------
        OSError
            It cannot be written.
        """
        page = _report.page(self.results)
        if path is not None:
            pathlib.Path(path).write_text(page, encoding="utf-8")
        return page

    # ---- in words ----

    @property
    def _ranked(self) -> list[Candidate]:
        return [e for e in self.candidates if not e.failure and e.tried == "tried"]

    @property
    def _digits(self) -> int:
        return _trials.digits(self.held_out)

    @property
    def doubt(self) -> str:
        """That these labels do not predict classes here; or ""."""
        if self.predicts:
            return ""
        return _trials.no_better(self.recommended.score, self.margin, self.chance)

    @property
    def _trials_text(self) -> str:
        return f"{self.trials} trials, {self.facts.words}, {self.held_out} held-out rows"

    @property
    def _failures(self) -> list[str]:
        """Methods that failed for the same reason, but for numbers in it, together."""
        groups: dict[str, list[Candidate]] = {}
        for e in self.candidates:
            if e.failure and e.tried == "tried":
                groups.setdefault(_reason(e), []).append(e)
        return [
            f"{', '.join(self._names(group).values())}: {group[0].failure}"
            for group in groups.values()
        ]

    def _names(self, group: list[Candidate]) -> dict[int, str]:
        """The names of these, by their places; of the method alone where all its classifiers are
        there for the same reason."""
        names: dict[int, str] = {}
        for i, e in enumerate(group):
            others = [o for o in self.candidates if o.fit == e.fit]
            if any(o.tried != e.tried or _reason(o) != _reason(e) for o in others):
                names[i] = e.name
            elif e.fit not in names.values():
                names[i] = e.fit
        return names

    @property
    def _untried(self) -> list[str]:
        """What was left out and why."""
        out = [e for e in self.candidates if e.tried == "left out"]
        left = [f"{name} {out[i].cost:.2g}" for i, name in self._names(out).items()]
        missed = [e for e in self.candidates if e.tried == "not reached"]
        late = self._names(missed).values()
        lines = []
        if left:
            lines.append(
                "left out, with their cost in units of the budget (effort raises it): "
                + ", ".join(left)
            )
        if late:
            lines.append("not reached: " + ", ".join(late))
        return lines

    @property
    def _limits(self) -> str:
        """What was not tuned."""
        works = [e for e in self._ranked if not e.baseline]
        partly = sum(0 < e.combinations < e.grid for e in works)
        out = ""
        if self.inner_folds == 0:
            out += "; too few labels to tune any"
        elif self.tuned < len(works):
            out += f"; {self.tuned} of {len(works)} tuned"
        return out + (f"; {partly} tuned over a part of their values" if partly else "")

    @property
    def summary(self) -> str:
        """The recommended method, why, and how sure that is, in a line."""
        taken = self.recommended
        return (
            f"{taken.call}{' (experimental)' * taken.experimental}, {self.reason}: accuracy"
            f" {taken.score:.{self._digits}f} on {self.held_out} held-out rows (standard error"
            f" about {self.margin:.1g}), chance {self.chance:.2f}{self._limits}"
        )

    def __repr__(self) -> str:
        ranked = self._ranked
        columns = self._columns
        rows: list[tuple[str, ...]] = [("", "", "method", "score", *columns, "parameters")]
        for m, e in enumerate(ranked):
            same = f"; the same answer as {e.same_as}" if e.same_as else ""
            rows.append(
                (
                    "->" if m == self.chosen else "",
                    str(m + 1),
                    e.name + "*" * e.experimental + " b" * e.baseline,
                    _trials.with_deviation(e.score, e.deviation, self._digits),
                    *self._cells(e),
                    (_trials.settings_text(e.parameters) or "(the defaults)") + same,
                )
            )
        chance = f"{self.chance:.{self._digits}f}: always the largest class"
        right = 3 + len(columns)  # of the seconds, after the dimensions
        lines = [self.doubt] * (not self.predicts)
        lines += [self._trials_text, _trials.aligned(rows, right=(1, right - 1, right))]
        lines.append(f"chance {chance}")
        if any(e.experimental for e in ranked):
            lines.append("* experimental: the formula is reconstructed from secondary sources")
        if any(e.baseline for e in ranked):
            lines.append(
                "b baseline: the standardized columns, recommended only where no method is within"
                " one standard error"
            )
        lines += [f"failed: {line}" for line in self._failures] + self._untried
        lines.append(self.summary)
        lines += self.facts.remarks
        return "\n".join(lines)

    @property
    def _columns(self) -> list[str]:
        """Of the numbers in tables; without unlabelled rows nothing is known to be stable."""
        is_known = any(not math.isnan(e.stability) for e in self._ranked)
        return ["untuned", "p", *(["stable"] * is_known), "dims", "seconds"]

    def _cells(self, e: Candidate) -> list[str]:
        """What these columns say of a candidate."""
        words = {
            "untuned": _trials.fixed(e.untuned, self._digits, "fails"),
            "p": "< 0.001" if e.p < 0.001 else _trials.fixed(e.p, 3),
            "stable": _trials.fixed(e.stability, 4),
            "dims": str(e.dim),
            "seconds": f"{e.seconds:.2f}",
        }
        return [words[column] for column in self._columns]

def _reason(e: Candidate) -> str:
    """Why it failed, but for the numbers in it."""
    return re.sub(r"[0-9.+-]+", "", e.failure)
