"""How accurately one method classifies held-out rows, and which of its parameters do best."""

from __future__ import annotations

import collections.abc
import dataclasses
import math
import typing

import numpy as np
from sklearn.base import clone

from penumbra import _leaks, _rows, _trials
from penumbra._c import ffi, lib
from penumbra._calls import made
from penumbra._estimators import Reducer
from penumbra._extras import extra
from penumbra._names import python_name, python_text
from penumbra._native import Error, set_grids, spec, text

if typing.TYPE_CHECKING:
    import pandas


def _prepared(
    estimator: Reducer, X: _rows.Matrix, y: _rows.Labels, pairs: dict[str, typing.Any]
) -> tuple[typing.Any, _rows.Data, _rows.Classes | None]:
    """The pen_spec of an estimator, and what it learns from."""
    if not isinstance(estimator, Reducer) or not hasattr(estimator, "_method"):
        raise TypeError(f"estimator must be of a method of penumbra, got {estimator!r}")
    unfitted = clone(estimator)
    data, classes = unfitted._gathered(X, y, pairs)
    _rows.require_finite(data)
    set_by_user = _trials.parameters_of(unfitted)
    values = {k: v for k, v in unfitted._values().items() if k in set_by_user}
    return spec(unfitted._method, values), data, classes


# ---- evaluate ----


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """The accuracy of one method by the number of dimensions. It shows itself as a table.

    Attributes
    ----------
    estimator : Reducer
        What was evaluated, unfitted.
    dims : ndarray of shape (n_dims,)
        Numbers of dimensions; 0: the number that the method chooses.
    accuracy : ndarray of shape (n_trials, n_dims)
        In [0, 1], of the held-out rows; NaN for dimensions that the method does not give.
    classifier : str
        Which tells the classes of the held-out rows: that of the models of `estimator`.
    log_loss, brier : ndarray of shape (n_trials, n_dims)
        Of the probabilities of the held-out rows: means of the negative logarithm of that of the
        true class (each counts as at least 1e-4, and they are divided by their sum), and of the sum
        over the classes of (p - [is true])^2. NaN as `accuracy`.
    mean, deviation : ndarray of shape (n_dims,)
        Of `accuracy` over the trials, and its standard deviation (NaN for a single trial).
    standard_error : ndarray of shape (n_dims,)
        Of `mean`: how far it may be off, for `held_out` rows. At least 1 / (2 `held_out`): few
        rows that are all classified correctly do not make it certain.
    held_out : int
        The number of rows held out.
    mean_error, mean_error_deviation : float
        The error averaged over the numbers of dimensions: its mean and its standard deviation over
        the trials. NaN for fewer than two numbers of dimensions.
    error_area : float
        The area under the curve of mean error over dimensions, divided by their range.
    facts : Facts
        The data in numbers: rows, columns, classes, folds, runs.
    dropped : ndarray of shape (n_trials, n_dims), or None
        As `accuracy`, of the rows whose labels were not kept. None: all labels were.
    keep_per_class : int, or None
    keep_percent : float, or None
    sample_pairs : int, float or (int, int), or None
        Of how many labels and pairs the trials learned, as they were given to `evaluate`.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> scores = penumbra.evaluate(penumbra.SDA(n_components=2), x, y, runs=1)
    >>> scores.dims.tolist(), scores.accuracy.shape, scores.held_out
    ([2], (5, 1), 60)
    """

    estimator: Reducer
    classifier: str
    dims: np.ndarray
    accuracy: np.ndarray
    log_loss: np.ndarray
    brier: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    standard_error: np.ndarray
    held_out: int
    mean_error: float
    mean_error_deviation: float
    error_area: float
    facts: _trials.Facts
    dropped: np.ndarray | None = None
    keep_per_class: int | None = None
    keep_percent: float | None = None
    sample_pairs: int | float | tuple[int, int] | None = None

    @property
    def best_dim(self) -> int:
        """The number of dimensions of the highest mean accuracy, the first of equal ones.

        Chosen on the same rows: expect less on new rows.
        """
        return int(self.dims[np.nanargmax(self.mean)])

    def to_frame(self) -> pandas.DataFrame:
        """A frame of pandas with a row for each number of dimensions.

        Its first columns are `keep_per_class`, `keep_percent` and `sample_pairs`, those that were
        given, so that frames of several calls can be joined.
        """
        pd = extra("pandas", "pandas")
        names = ("dims", "mean", "deviation", "standard_error")
        columns = {name: getattr(self, name) for name in names}
        sizes = {name: [value] * len(self.dims) for name, value in self._size.items()}
        return pd.DataFrame({**sizes, **columns, **self._losses})

    @property
    def _size(self) -> dict[str, typing.Any]:
        """How many labels and pairs the trials learned from, where it is not all of them."""
        values = {name: getattr(self, name) for name in _SIZES}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def _losses(self) -> dict[str, np.ndarray]:
        """The means [n_dims] of `log_loss` and `brier`."""
        return {"log_loss": self.log_loss.mean(axis=0), "brier": self.brier.mean(axis=0)}

    @property
    def _digits(self) -> int:
        return _trials.digits(self.held_out)

    @property
    def _basis(self) -> str:
        trials = len(self.accuracy)
        error = self.standard_error[np.nanargmax(self.mean)]
        return (
            f"{''.join(f'{name}={value!r}, ' for name, value in self._size.items())}"
            f"{trials} trial{'s' * (trials != 1)}, {self.facts.words}, {self.held_out} held-out"
            f" row{'s' * (self.held_out != 1)}: standard error about {error:.1g}"
        )

    @property
    def _rows(self) -> list[list[str]]:
        """Dimensions, as they are called, their accuracy and losses, those that there are."""
        best = self.best_dim
        return [
            [
                str(dim) if dim else "auto",
                _trials.with_deviation(self.mean[i], self.deviation[i], self._digits)
                + " *" * (dim == best),
                *(f"{means[i]:.4f}" for means in self._losses.values()),
            ]
            for i, dim in enumerate(self.dims.tolist())
            if not math.isnan(self.mean[i])
        ]

    @property
    def _heads(self) -> list[str]:
        return ["dims", "accuracy", *(name.replace("_", "-") for name in self._losses)]

    def __repr__(self) -> str:
        rows = [self._heads, *self._rows]
        if not math.isnan(self.mean_error):
            spread = _trials.with_deviation(self.mean_error, self.mean_error_deviation, 4)
            rows.append(["mean error", spread, *[""] * len(self._losses)])
            rows.append(["error area", f"{self.error_area:.4f}", *[""] * len(self._losses)])
        basis = f"{self.estimator!r}, classifier {self.classifier}: {self._basis}"
        lines = [basis, _trials.aligned(rows), _HIGHEST]
        return "\n".join([*lines, *self.facts.remarks])


_SIZES = ("keep_per_class", "keep_percent", "sample_pairs")
_CHOSEN = "chosen on the same rows: expect less on new rows"
_HIGHEST = f"* the highest, {_CHOSEN}"


def evaluate(
    estimator: Reducer,
    X: _rows.Matrix,
    y: _rows.Labels,
    *,
    dims: int | typing.Sequence[int] | None = None,
    must_link: typing.Any = None,
    cannot_link: typing.Any = None,
    chunks: typing.Any = None,
    row_id: typing.Any = None,
    groups: typing.Any = None,
    folds: typing.Any = None,
    runs: int | None = None,
    inductive: bool = False,
    shuffle: bool = False,
    keep_per_class: int | None = None,
    keep_percent: float | None = None,
    sample_pairs: int | float | tuple[int, int] | None = None,
    random_state: typing.Any = 0,
) -> Scores:
    """How accurately rows are classified in the embeddings of a method, by cross-validation.

    Each part of the labelled rows is held out in turn, the method learns from the others, and the
    held-out rows get the class that `predict` of the fitted estimator gives them. `n_jobs` and
    `verbose` are those of the estimator.

    Parameters
    ----------
    estimator : Reducer
        Such as ``penumbra.SELF(beta=0.5)`` or ``penumbra.SELF(classifier="lda")``; it is not
        changed.
    X : array-like of shape (n_samples, n_features)
        The rows, labelled or not.
    y : array-like of shape (n_samples,)
        Labels of any one type. -1, NaN, None and pd.NA mean unlabelled.
    dims : int or sequence of int, optional
        Numbers of dimensions to try, each at least 1. None: `n_components` of the estimator, or 1
        to 9.
    must_link, cannot_link, chunks, row_id : optional
        Pairs of rows, as for `fit` of the methods that learn from them.
    groups : array-like of shape (n_samples,), optional
        Rows of one sample, as scans of a patient, have the same entry and are held out together;
        -1, NaN and None: a row by itself.
    folds : int, array-like, splitter or iterable of (train, test), optional
        At least 2. None: 5, or the size of the largest class if that is less. Published splits:
        the fold that holds out each row, of shape (n_samples,) or, with a column for each run,
        (n_samples, n_runs); -1 or NaN: none. A splitter such as ``GroupKFold(5)``, which is given
        the groups, or what its `split` gives, such as ``[(train, test)]`` for a single test set;
        all rows that are not in a test part are learned from.
    runs : int, optional
        Repetitions with newly dealt folds. None: 3.
    inductive : bool, default=False
        Leave held-out rows out of the fits. Otherwise they stay as unlabelled rows.
    shuffle : bool, default=False
        Permute the labels at random first, to measure chance.
    keep_per_class : int, optional
        Of the rows not held out, keep the labels of this number of each class.
    keep_percent : float, optional
        Likewise, those of this percentage of each class.
    sample_pairs : int, float or (int, int), optional
        Learn from a sample of the pairs of labelled rows, as the parameter of the estimator says,
        in place of that: a number of them, a fraction in (0, 1], or a tuple of the numbers of
        must-links and of cannot-links.
    random_state : int, RandomState or Generator, default=0
        The seed of the folds, in [0, 2**64 - 1]; None is 0.

    Returns
    -------
    Scores

    Raises
    ------
    Error
        No labels (``PEN_NO_LABELS``), dimensions that no trial gives (``PEN_RANK_TOO_SMALL``), and
        what the method refuses in a trial.
    KeyboardInterrupt
        Ctrl-C.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(120) % 3
    >>> x = rng.normal(size=(120, 5)) + 3 * np.eye(5)[y]
    >>> y[60:] = -1
    >>> scores = penumbra.evaluate(penumbra.SELF(), x, y, dims=[1, 2])
    >>> scores.accuracy.shape
    (15, 2)
    >>> bool(scores.mean[1] > 0.9)
    True
    """
    given = {"must_link": must_link, "cannot_link": cannot_link, "chunks": chunks, "row_id": row_id}
    raw_spec, data, classes = _prepared(estimator, X, y, _given({**given, "groups": groups}))
    _leaks.warn(data, 2)
    asked = () if dims is None else dims if isinstance(dims, collections.abc.Iterable) else (dims,)
    tried = [_trials.whole("dims", dim, 1) for dim in asked]
    how = _trials.protocol(
        folds,
        runs,
        inductive,
        random_state,
        shuffle=shuffle,
        codes=_trials.codes_of(classes),
        groups=groups,
        keep_per_class=keep_per_class,
        keep_percent=keep_percent,
    )
    if sample_pairs is not None:
        data.sample(sample_pairs, _sample_seed(estimator))
    raw = made(
        "pen_scores",
        lambda out, control, error: lib.pen_evaluate(
            raw_spec, data.raw, how, tried or ffi.NULL, len(tried), control, out, error
        ),
        estimator.n_jobs,
        estimator.verbose,
    )
    facts = _trials.Facts.of(data, classes, how, lib.PEN_EVALUATE_RUNS)
    size = {
        "keep_per_class": keep_per_class,
        "keep_percent": keep_percent,
        "sample_pairs": sample_pairs,
    }
    return _scores_of(estimator, raw, facts, size)


def _sample_seed(estimator: Reducer) -> int:
    """The seed of samples of pairs, of an estimator that learns from pairs."""
    if not hasattr(estimator, "sample_seed"):
        raise Error(f"sample_pairs is of methods that learn from pairs, got {estimator!r}")
    seed: int = estimator.sample_seed
    return seed


def _scores_of(
    estimator: Reducer,
    raw: typing.Any,
    facts: _trials.Facts,
    size: dict[str, typing.Any],
) -> Scores:
    count = raw.dim_count
    errors = ffi.new("double[2]")
    lib.pen_scores_mean_error(raw, errors, errors + 1)
    summaries = np.array([_summary(raw, i) for i in range(count)])
    return Scores(
        estimator=clone(estimator),
        classifier=text(raw.classifier),
        dims=np.array([raw.dims[i] for i in range(count)], dtype=np.int64),
        accuracy=_rows.numbers_at(raw.accuracy, raw.done, count),
        log_loss=_rows.numbers_at(raw.log_loss, raw.done, count),
        brier=_rows.numbers_at(raw.brier, raw.done, count),
        mean=summaries[:, 0],
        deviation=summaries[:, 1],
        standard_error=np.array([lib.pen_standard_error(m, raw.held_out) for m in summaries[:, 0]]),
        held_out=raw.held_out,
        mean_error=errors[0],
        mean_error_deviation=errors[1],
        error_area=lib.pen_scores_error_area(raw),
        facts=facts,
        dropped=_rows.numbers_or_none(raw.dropped, raw.done, count),
        **size,
    )


def _given(pairs: dict[str, typing.Any]) -> dict[str, typing.Any]:
    return {name: value for name, value in pairs.items() if value is not None}


def _summary(raw: typing.Any, index: int) -> tuple[float, float]:
    """Mean and standard deviation over the trials."""
    mean, deviation = ffi.new("double *"), ffi.new("double *")
    lib.pen_scores_summary(raw, raw.accuracy, index, mean, deviation)
    return mean[0], deviation[0]


# ---- tune ----


@dataclasses.dataclass(frozen=True, eq=False)
class Setting:
    """One combination of parameter values, and its score.

    Attributes
    ----------
    estimator : Reducer
        With these values and the fewest dimensions within one standard error of the best score;
        unfitted.
    parameters : dict
        What differs from the defaults.
    classifier : str
        Which tells the classes, that of the models.
    dim : int
        The number of dimensions; where it is left to the method, the least of the trials.
    score, deviation : float
        Accuracy in [0, 1] over the held-out rows of all trials in these dimensions, and its
        standard deviation over the trials; NaN: there is none.
    order : int
        The position in the grid.
    failure : str
        Why there is no score; or "".
    """

    estimator: Reducer
    parameters: dict[str, typing.Any]
    classifier: str
    dim: int
    score: float
    deviation: float
    order: int
    failure: str


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Tuning:
    """Combinations of parameter values, best first. It shows itself as a table.

    Attributes
    ----------
    candidates : tuple of Setting
        Best first; equal scores: fewer dimensions first, then the order of the grid.
    planned : int
        The number of combinations in the grid.
    held_out : int
        The number of rows held out in the trials.
    standard_error : float
        Of the best score.
    facts : Facts
        The data in numbers: rows, columns, classes, folds, runs.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> found = penumbra.tune(penumbra.PCA(), x, y)
    >>> len(found.candidates), type(found.best).__name__
    (3, 'PCA')
    """

    candidates: tuple[Setting, ...]
    planned: int
    held_out: int
    standard_error: float
    facts: _trials.Facts

    @property
    def best(self) -> Reducer:
        """The estimator with the best values, unfitted."""
        estimator: Reducer = clone(self.candidates[0].estimator)
        return estimator

    def to_frame(self) -> pandas.DataFrame:
        """A frame of pandas with a row for each combination."""
        pd = extra("pandas", "pandas")
        names = ("score", "deviation", "dim", "order", "failure", "classifier", "parameters")
        return pd.DataFrame([{name: getattr(c, name) for name in names} for c in self.candidates])

    @property
    def _basis(self) -> str:
        name = type(self.candidates[0].estimator).__name__
        return (
            f"{name}/{self.candidates[0].classifier}: {len(self.candidates)} of {self.planned}"
            f" combination{'s' * (self.planned != 1)} tried, {self.facts.words},"
            f" {self.held_out} held-out rows:"
            f" standard error about {self.standard_error:.1g}"
        )

    def _row(self, c: Setting) -> tuple[str, str, str]:
        digits = _trials.digits(self.held_out)
        words = c.failure or _trials.settings_text(c.parameters)
        return (
            _trials.with_deviation(c.score, c.deviation, digits),
            "" if c.failure else str(c.dim),
            words or "(the defaults)",
        )

    def __repr__(self) -> str:
        rows = [("score", "dims", "parameters"), *map(self._row, self.candidates)]
        lines = [self._basis, _trials.aligned(rows, right=(1,)), _CHOSEN]
        return "\n".join([*lines, *self.facts.remarks])


def tune(
    estimator: Reducer,
    X: _rows.Matrix,
    y: _rows.Labels,
    *,
    most_dims: int | None = None,
    grid: typing.Mapping[str, typing.Iterable[typing.Any]] | None = None,
    kernels: bool = False,
    must_link: typing.Any = None,
    cannot_link: typing.Any = None,
    chunks: typing.Any = None,
    row_id: typing.Any = None,
    groups: typing.Any = None,
    folds: typing.Any = None,
    runs: int | None = None,
    inductive: bool = False,
    random_state: typing.Any = 0,
) -> Tuning:
    """Tune the parameters of a method, and the number of dimensions, by cross-validation.

    All combinations of the values worth trying (`Param.grid`, or `grid`) are scored as by
    `evaluate`. Other parameters of the estimator that differ from their defaults keep their values.
    `n_jobs` and `verbose` are those of the estimator.

    Parameters
    ----------
    estimator : Reducer
        Such as ``penumbra.SELF(n_components=2)``; it is not changed.
    X : array-like of shape (n_samples, n_features)
        The rows, labelled or not.
    y : array-like of shape (n_samples,)
        Labels of any one type. -1, NaN, None and pd.NA mean unlabelled.
    most_dims : int, optional
        Try up to this number of dimensions, at most 30. None: 30, and all there are.
    grid : dict, optional
        Lists of values by the name of a parameter, such as ``{"beta": [0.1, 0.3]}``: they are tried
        in place of those that are tried otherwise, and of the value that the estimator has. Also of
        parameters that have none otherwise, such as `classifier` and `kernel_gamma`.
    kernels : bool, default=False
        Try the rbf kernel, too; not where the estimator has a kernel.
    must_link, cannot_link, chunks, row_id : optional
        Pairs of rows, as for `fit` of the methods that learn from them.
    groups : array-like of shape (n_samples,), optional
        Rows of one sample, as scans of a patient, have the same entry and are held out together;
        -1, NaN and None: a row by itself.
    folds : int, array-like, splitter or iterable of (train, test), optional
        At least 2. None: 5, or the size of the largest class if that is less. Published splits:
        the fold that holds out each row, of shape (n_samples,) or, with a column for each run,
        (n_samples, n_runs); -1 or NaN: none. A splitter such as ``GroupKFold(5)``, which is given
        the groups, or what its `split` gives, such as ``[(train, test)]`` for a single test set;
        all rows that are not in a test part are learned from.
    runs : int, optional
        Repetitions with newly dealt folds. None: 1.
    inductive : bool, default=False
        Leave held-out rows out of the fits. Otherwise they stay as unlabelled rows.
    random_state : int, RandomState or Generator, default=0
        The seed of the folds, in [0, 2**64 - 1]; None is 0.

    Returns
    -------
    Tuning

    Raises
    ------
    Error
        No labels (``PEN_NO_LABELS``), a value in `grid` that its parameter does not take, and
        what the method refuses.
    KeyboardInterrupt
        Ctrl-C.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(120) % 3
    >>> x = rng.normal(size=(120, 5)) + 3 * np.eye(5)[y]
    >>> y[60:] = -1
    >>> found = penumbra.tune(penumbra.SELF(), x, y)
    >>> found.candidates[0].score >= found.candidates[-1].score
    True
    >>> found.best.fit(x, y).n_components_ == found.candidates[0].dim
    True
    >>> found = penumbra.tune(penumbra.SELF(), x, y, grid={"beta": [0.1, 0.3]})
    >>> sorted({setting.estimator.beta for setting in found.candidates})
    [0.1, 0.3]
    """
    given = {"must_link": must_link, "cannot_link": cannot_link, "chunks": chunks, "row_id": row_id}
    raw_spec, data, classes = _prepared(estimator, X, y, _given({**given, "groups": groups}))
    _leaks.warn(data, 2)
    grid = dict(grid or {})
    set_grids(raw_spec, grid)
    how = _trials.protocol(
        folds,
        runs,
        inductive,
        random_state,
        kernels=kernels,
        codes=_trials.codes_of(classes),
        groups=groups,
    )
    most = _trials.whole("most_dims", most_dims, 1)
    raw = made(
        "pen_tuning",
        lambda out, control, error: lib.pen_tune(
            raw_spec, data.raw, how, most, control, out, error
        ),
        estimator.n_jobs,
        estimator.verbose,
    )
    facts = _trials.Facts.of(data, classes, how, lib.PEN_TUNE_RUNS)
    candidates = tuple(_setting(raw.candidates[i], estimator, grid) for i in range(raw.count))
    margin = lib.pen_standard_error(candidates[0].score, raw.held_out)
    return Tuning(candidates, raw.planned, raw.held_out, margin, facts)


def _setting(raw: typing.Any, estimator: Reducer, grid: typing.Iterable[str]) -> Setting:
    found = _trials.estimator_of(raw.spec)
    parameters = _trials.parameters_of(found)
    # what was tried may be a default
    known = found.get_params(deep=False)
    tried = {name: known[name] for name in map(python_name, grid) if name in known}
    failure = python_text(text(raw.failure))
    return Setting(
        estimator=clone(estimator).set_params(**{**tried, **parameters}),
        parameters=parameters,
        classifier=text(raw.classifier),
        dim=raw.dim,
        score=raw.score,
        deviation=math.nan if failure else raw.deviation,
        order=raw.order,
        failure=failure,
    )
