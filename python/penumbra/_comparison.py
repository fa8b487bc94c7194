"""The result of a comparison of methods: in numbers, as text, in a notebook, as a page."""

from __future__ import annotations

import dataclasses
import math
import re
import typing

import numpy as np

from penumbra import _drawing, _show, _trials
from penumbra._estimators import Reducer
from penumbra._extras import extra
from penumbra._native import __version__

if typing.TYPE_CHECKING:
    import pandas

Tried = typing.Literal["tried", "left out", "not reached"]

# The largest number of rows that are drawn in a view.
VIEW_ROWS = 3000

_CURVES, _CLASSES_SHOWN = 8, 24


@dataclasses.dataclass(frozen=True, eq=False)
class Candidate:
    """A method and a reader in a comparison.

    Attributes
    ----------
    method : str
        Its class in this package.
    name : str
        The same, its kernel if it has one, and its reader: ``"SELF/lda"``, ``"SELF+rbf/lda"``; of
        baselines ``"columns/lda"``.
    reader : str
        How it tells classes; ``"nearest"``: by the vote of the nearest rows of known class.
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
        errors of the probabilities, summed over the classes; NaN for the reader nearest.
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
    reader: str
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
        """The name without the reader: candidates of one name share fits."""
        return self.name.partition("/")[0]

    @property
    def call(self) -> str:
        """The estimator as Python writes it: ``SELF(beta=0.5)``."""
        return f"{self.method}({_trials.call_text(self.parameters)})"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison(_show.Shown):
    """Methods and readers side by side, best first. It shows itself as a table, in a notebook with
    bars.

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
    trials, held_out : int
        The number of trials, and of rows held out at least once in these.
    inner_folds : int
        Of the tuning within trials; 0: too few labels to tune.
    tuned : int
        How many candidates were tuned in the budget; the others use their defaults.
    cut_short : bool
        The time limit was reached: the result depends on the speed of the machine.
    dims : ndarray of shape (n_dims,)
        Dimensions of the curves.
    facts : Facts
        The data in numbers: rows, columns, classes, folds, runs.
    warnings : tuple of str
        Such as columns from which the labels follow.
    seconds : float
        The time limit; 0: none.
    views : tuple
        The first trial of the best methods in two dimensions, for `to_html`.
    classes : tuple of str
        The names of the classes of `confusion`.
    confusion : ndarray of shape (n_classes, n_classes)
        How many held-out rows of all trials the recommended candidate gave each class (columns),
        by true class (rows).
    calibration : ndarray of shape (10, 3) or None
        The same rows by the probability of their predicted class, in [0, 0.1), [0.1, 0.2) and so
        on: the mean of these probabilities, the fraction of rows that are of that class (NaN
        without rows), and the number of rows. None: the reader nearest.

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
    trials: int
    held_out: int
    inner_folds: int
    tuned: int
    cut_short: bool
    dims: np.ndarray
    facts: _trials.Facts
    warnings: tuple[str, ...]
    seconds: float
    views: tuple[_drawing.Points | str, ...] = ()
    classes: tuple[str, ...] = ()
    confusion: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros((0, 0), np.int64))
    calibration: np.ndarray | None = None

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

    # ---- in words ----

    @property
    def _ranked(self) -> list[Candidate]:
        return [e for e in self.candidates if not e.failure and e.tried == "tried"]

    @property
    def _digits(self) -> int:
        return _trials.digits(self.held_out)

    @property
    def _trials_text(self) -> str:
        late = "; cut short by the time limit: depends on speed" if self.cut_short else ""
        return f"{self.trials} trials, {self.facts.words}, {self.held_out} held-out rows{late}"

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
        """The names of these, by their places; of the method alone where all its readers are there
        for the same reason."""
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
                    _show.with_deviation(e.score, e.deviation, self._digits),
                    *self._cells(e),
                    (_trials.settings_text(e.parameters) or "(the defaults)") + same,
                )
            )
        chance = f"{self.chance:.{self._digits}f}: always the largest class"
        right = 3 + len(columns)  # of the seconds, after the dimensions
        lines = [self._trials_text, _show.aligned(rows, right=(1, right - 1, right))]
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
        lines += [*self.facts.remarks, *(f"warning: {w}" for w in self.warnings)]
        return "\n".join(lines)

    @property
    def _columns(self) -> list[str]:
        """Of the numbers in tables; without unlabelled rows nothing is known to be stable."""
        is_known = any(not math.isnan(e.stability) for e in self._ranked)
        return ["untuned", "p", *(["stable"] * is_known), "dims", "seconds"]

    def _cells(self, e: Candidate) -> list[str]:
        """What these columns say of a candidate."""
        words = {
            "untuned": _show.fixed(e.untuned, self._digits, "fails"),
            "p": "< 0.001" if e.p < 0.001 else _show.fixed(e.p, 3),
            "stable": _show.fixed(e.stability, 4),
            "dims": str(e.dim),
            "seconds": f"{e.seconds:.2f}",
        }
        return [words[column] for column in self._columns]

    # ---- as HTML ----

    def _title(self) -> str:
        return f"Methods compared on {self.facts.rows} rows of {self.facts.columns} columns"

    def _html(self, whole: bool) -> str:
        parts = [
            *([self._data_html()] if whole else []),
            _show.paragraphs((f"Warning: {w}." for w in self.warnings), "warning"),
            "<h2>Ranking</h2>\n" if whole else "",
            self._best_html(),
            _show.paragraphs([self._trials_text + "."]),
            self._table_html(),
            _show.paragraphs((f"Failed: {line}" for line in self._failures), "soft"),
            _show.paragraphs((s[0].upper() + s[1:] for s in self._untried), "soft"),
            _show.paragraphs((s[0].upper() + s[1:] for s in self.facts.remarks), "soft"),
            _legend(self._columns) if whole else "",
            self._predictions_html() if whole else "",
            self._curves_html(),
            *([self._views_html(), self._protocol_html()] if whole else []),
        ]
        return "".join(parts)

    def _data_html(self) -> str:
        facts = self.facts
        line = (
            f"{facts.rows} rows of {facts.columns} columns; {facts.labelled} rows have labels, of"
            f" {len(facts.classes)} classes."
        )
        if facts.must_links + facts.cannot_links:
            line += f" {facts.must_links} must-links, {facts.cannot_links} cannot-links."
        sizes = "".join(
            f'<span>{_show.escaped(name)} <span class="soft">{size}</span></span>\n'
            for name, size in facts.classes[:_CLASSES_SHOWN]
        )
        if len(facts.classes) > _CLASSES_SHOWN:
            sizes += f"<span>and {len(facts.classes) - _CLASSES_SHOWN} more classes</span>\n"
        return f'<p>{line}</p>\n<div class="classes">\n{sizes}</div>\n'

    def _best_html(self) -> str:
        first, taken = self.candidates[0], self.recommended
        digits = 0 if self._digits == 2 else 1
        close = sum(e.p >= 0.05 for e in self._ranked[1:])
        out = (
            f"<p><strong>{first.name}</strong> ({_show.escaped(first.title)}) scores best: it"
            f" classifies {100 * first.score:.{digits}f}% of the held-out rows correctly, with a"
            f" standard error of {100 * self.margin:.1f} percentage points; always naming the"
            f" largest class would give {100 * self.chance:.{digits}f}%."
        )
        if close:
            out += (
                f" {close} of the others do{'es' * (close == 1)} not differ from it significantly"
                " (p of 0.05 or more)."
            )
        if self.chosen > 0:
            out += f" Recommended is <strong>{taken.name}</strong>, {self.reason}."
        return out + "</p>\n"

    def _table_html(self) -> str:
        rows = []
        for m, e in enumerate(self._ranked):
            name = f"<strong>{e.name}</strong>" if m == self.chosen else e.name
            parameters = _show.escaped(_trials.settings_text(e.parameters))
            cell = f"<code>{parameters}</code>" if parameters else _soft("the defaults")
            if e.same_as:
                cell += _soft(f"; the same answer as {e.same_as}")
            rows.append(
                (
                    str(m + 1),
                    f'<span title="{_show.escaped(e.title)}">{name}</span>'
                    + (" " + _soft("experimental")) * e.experimental
                    + (" " + _soft("baseline")) * e.baseline,
                    _show.bar(e.score, e.deviation, self.chance),
                    _show.with_deviation(e.score, e.deviation, self._digits, "±"),
                    *map(_show.escaped, self._cells(e)),
                    cell,
                )
            )
        return _show.table(("", "method", "", "score", *self._columns, "parameters"), rows)

    def _predictions_html(self) -> str:
        """How the predictions of the recommended candidate went, by class and by probability."""
        rows = [
            (
                f"<strong>{_show.escaped(name)}</strong>",
                *(str(count) if count or i == j else "" for j, count in enumerate(counts)),
                str(counts.sum()),
                f"{100 * counts[i] / counts.sum():.1f}%" if counts.sum() else "",
            )
            for i, (name, counts) in enumerate(zip(self.classes, self.confusion))
        ]
        names = map(_show.escaped, self.classes)
        out = (
            "<h2>Predicted classes</h2>\n<p>The held-out rows of all trials by their true class and"
            f" by the one that {self.recommended.name} predicts; each row is held out once in a"
            " run.</p>\n" + _show.table(("true \\ predicted", *names, "rows", "right"), rows)
        )
        if self.calibration is None:
            return out
        bins = [
            (
                f"{100 * p:.1f}%",
                _show.bar(right, math.sqrt(right * (1 - right) / count), p),
                f"{100 * right:.1f}%",
                f"{count:.0f}",
            )
            for p, right, count in self.calibration
            if count
        ]
        return (
            out
            + "<h2>Probabilities of the classes</h2>\n<p>The same rows by the probability of the"
            " predicted class. As many should be right: the bar, with its standard error, then"
            " ends at the dashed line.</p>\n"
            + _show.table(("share given", "", "right", "rows"), bins)
        )

    def _curves_html(self) -> str:
        lines: list[tuple[str, np.ndarray, np.ndarray]] = []
        for e in self._ranked:
            given = ~np.isnan(e.curve)
            if given.any() and len(lines) < _CURVES:
                lines.append((e.name, self.dims[given].astype(float), e.curve[given]))
        head = "<h2>Accuracy by the number of dimensions</h2>\n"
        if not lines:
            return head + (
                "<p>These methods are fitted anew for each number of dimensions: there is no such"
                " curve.</p>\n"
            )
        count = len(lines)
        return (
            head
            + _drawing.curves(lines, self.chance)
            + '<p class="soft">Mean over the trials with all parameters at their defaults, for the'
            f" best {f'{count} candidates' if count > 1 else '1 candidate'} whose first columns are"
            " also the answer for fewer dimensions.</p>\n"
        )

    def _views_html(self) -> str:
        drawn = [view for view in self.views if isinstance(view, _drawing.Points)]
        if not self.views:
            return ""
        remarks = [view for view in self.views if isinstance(view, str)]
        gray = " Gray ones have no label." * (self.facts.labelled < self.facts.rows)
        some = self.facts.rows > VIEW_ROWS
        part = f" {VIEW_ROWS} of {self.facts.rows} rows are drawn." * some
        names = [name for name, _ in self.facts.classes]
        return (
            "<h2>Rows in two dimensions</h2>\n<p>The best methods in the first trial, with the"
            " parameters above. Filled points are rows whose label the method knew. Hollow ones are"
            " held out, in the color of their true class, which the method did not know."
            f"{gray}{part} Each axis has its own scale.</p>\n"
            + (_drawing.panels(drawn, names, "known", "held out") if drawn else "")
            + '<ul class="soft">\n'
            + "".join(f"<li>{_show.escaped(line)}</li>\n" for line in remarks)
            + "</ul>\n"
        )

    def _protocol_html(self) -> str:
        facts = self.facts
        nearest = (
            "majority of its nearest rows of known class"
            if facts.neighbors > 1
            else "nearest row of known class"
        )
        lines = [
            f"{facts.words} of the labelled rows (seed {facts.seed}). Each fold is held out once:"
            f" its labels are removed, "
            + ("and so are its rows." if facts.inductive else "its rows stay as unlabelled ones."),
            f"Readers give a held-out row its class: nearest that of the {nearest} in the"
            " embedding, others what they learn from the rows of known class; a score is the mean"
            " share of rows classified correctly.",
            "In each trial, each candidate is tuned by trials of its own on the rows that are not"
            " held out: no label that a score is measured on has influenced a parameter. One that"
            " scores higher with its defaults keeps them.",
            "What is tried follows from the costs of the methods and a budget, not from the speed"
            " of the machine.",
        ]
        if self.cut_short:
            lines.append(
                f"A time limit of {self.seconds:g} seconds has cut this short: the result depends"
                " on the speed of the machine."
            )
        lines.append(
            "There are too few labels to tune."
            if self.inner_folds == 0
            else f"{self.tuned} of {self._count} candidates were tuned, by"
            f" {self.inner_folds} folds."
        )
        lines.append(
            "p is that of a two-sided paired t-test over the trials, corrected for trials that"
            " share rows (Nadeau and Bengio 2003)."
        )
        call = _show.escaped(self.recommended.call)
        return (
            "<h2>How it was done</h2>\n<ul>\n"
            + "".join(f"<li>{line}</li>\n" for line in lines)
            + "</ul>\n<p>A model of the recommended candidate, fitted to all rows:</p>\n"
            f"<pre>penumbra.{call}.fit(X, y)</pre>\n"
            f'<p class="soft">penumbra {__version__}</p>\n'
        )


def _legend(columns: typing.Container[str]) -> str:
    stable = (
        " Stable: the share of unlabelled rows that get the same class in two trials."
        if "stable" in columns
        else ""
    )
    return (
        '<p class="soft">Bars run from 0 to 1, with one standard deviation over the trials to'
        " either side; the dashed line is chance, always naming the largest class. Untuned: with"
        " all parameters at their defaults, which are used where they score higher. p: of a test"
        f" of whether the candidate is as good as the first one.{stable} Seconds: for the untuned"
        " trials of the method. Baselines are the standardized columns, read without a method; one"
        " is recommended only where no other candidate is within one standard error.</p>\n"
    )


def _reason(e: Candidate) -> str:
    """Why it failed, but for the numbers in it."""
    return re.sub(r"[0-9.+-]+", "", e.failure)


def _soft(words: str) -> str:
    return f'<span class="soft">{words}</span>'
