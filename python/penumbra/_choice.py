"""Which method suits some data: all side by side, each tuned on what is not held out."""

from __future__ import annotations

import collections.abc
import math
import typing

import numpy as np
from sklearn.base import BaseEstimator

from penumbra import _leaks, _report, _rows, _trials
from penumbra._c import ffi, lib
from penumbra._calls import made
from penumbra._comparison import Candidate, Comparison, Tried
from penumbra._estimators import gathered
from penumbra._names import python_text
from penumbra._native import Error, method_named, methods as all_methods, text

_TRIED: tuple[Tried, ...] = ("tried", "left out", "not reached")  # pen_tried


def _name_here(name: str) -> str:
    """The name of a candidate here: ``"self+rbf/lda"`` is ``SELF+rbf/lda``."""
    method, rest = _parts(name)
    return name if method == "columns" else method_named(method).class_name + rest


def _parts(name: str) -> tuple[str, str]:
    """The method in a name, and what follows it: a kernel, a classifier."""
    end = next((i for i, c in enumerate(name) if c in "+/"), len(name))
    return name[:end], name[end:]


def _candidate(raw: typing.Any, trials: int, dim_count: int) -> Candidate:
    failure = python_text(text(raw.failure))
    estimator = _trials.estimator_of(raw.spec) if raw.spec else None
    has_curve = raw.curve != ffi.NULL and raw.tried == lib.PEN_TRIED
    return Candidate(
        method=method_named(text(raw.method.name)).class_name,
        name=_name_here(text(raw.name)),
        classifier=text(raw.classifier),
        baseline=bool(raw.baseline),
        title=_report.title(raw),
        experimental=raw.method.source == lib.PEN_SOURCE_RECONSTRUCTED,
        estimator=estimator,
        parameters={} if estimator is None else _trials.parameters_of(estimator),
        dim=raw.dim,
        score=raw.score,
        deviation=math.nan if failure else raw.deviation,
        untuned=raw.untuned,
        log_loss=raw.log_loss,
        brier=raw.brier,
        p=raw.p,
        stability=raw.stability,
        seconds=raw.seconds,
        cost=raw.cost,
        grid=raw.grid,
        combinations=raw.combinations,
        tried=_TRIED[raw.tried],
        same_as=_name_here(text(raw.same_as)) if raw.same_as else None,
        trials=np.empty(0) if failure else _rows.numbers_at(raw.trials, trials),
        curve=_rows.numbers_at(raw.curve, dim_count) if has_curve else np.empty(0),
        failure=failure,
    )


# ---- a comparison ----


def compare_data(
    data: _rows.Data,
    classes: _rows.Classes | None,
    methods: typing.Any,
    how: typing.Any,
    warned: tuple[str, ...],
    n_jobs: int | None,
    verbose: bool | int,
    classifiers: typing.Any = None,
) -> tuple[Comparison, typing.Any]:
    """The comparison by a pen_protocol, and the pen_comparison that it is made of."""
    texts, pointers = _pointers(None if methods is None else _method_names(methods))
    names, listed = _pointers(None if classifiers is None else _classifier_names(classifiers))
    how.classifiers, how.classifier_count = listed, len(names)
    try:
        raw = made(
            "pen_comparison",
            lambda out, control, error: lib.pen_compare(
                pointers, len(texts), data.raw, how, control, out, error
            ),
            n_jobs,
            verbose,
        )
    finally:
        how.classifiers = ffi.NULL  # the names do not live longer
    dims = np.array([raw.dims[i] for i in range(raw.dim_count)], dtype=np.int64)
    comparison = Comparison(
        candidates=tuple(
            _candidate(raw.candidates[m], raw.trials, raw.dim_count) for m in range(raw.count)
        ),
        chosen=raw.chosen,
        alike=raw.alike,
        margin=raw.margin,
        chance=raw.chance,
        p_value=raw.p_value,
        predicts=bool(raw.predicts),
        trials=raw.trials,
        held_out=raw.held_out,
        inner_folds=raw.inner_folds,
        tuned=raw.tuned,
        dims=dims,
        facts=_trials.Facts.of(data, classes, how, lib.PEN_COMPARE_RUNS),
        warnings=warned,
        results=_report.results(raw, data, classes, how),
        **_outcome(raw, classes),
    )
    return comparison, raw


def _outcome(raw: typing.Any, classes: _rows.Classes | None) -> dict[str, typing.Any]:
    """How the predictions of the recommended candidate went."""
    count = raw.class_count
    codes = [raw.classes[c] for c in range(count)]
    bins = [raw.calibration[b] for b in range(lib.PEN_CALIBRATION_BINS)]
    return {
        "classes": tuple(str(c) if classes is None else classes.names[c] for c in codes),
        "confusion": np.array(
            [raw.confusion[i] for i in range(count * count)], dtype=np.int64
        ).reshape(count, count),
        "calibration": np.array([(b.predicted, b.right, b.rows) for b in bins]),
    }


def _pointers(names: list[str] | None) -> tuple[list[typing.Any], typing.Any]:
    """Strings of C and an array of them, which both must be kept."""
    texts = [ffi.new("char[]", name.encode()) for name in names or ()]
    return texts, ffi.NULL if names is None else ffi.new("char *[]", texts)


def _classifier_names(classifiers: typing.Any) -> list[str]:
    """Classifiers, or one alone."""
    names = [classifiers] if isinstance(classifiers, str) else list(classifiers)
    if not names or not all(isinstance(name, str) for name in names):
        raise Error(f"classifiers must be names such as 'nearest' and 'lda', got {classifiers!r}")
    return names


def _method_names(methods: typing.Any) -> list[str]:
    """The library's names of methods, or of one alone."""
    is_one = isinstance(methods, str) or not isinstance(methods, collections.abc.Iterable)
    names = [_method_name(m) for m in ([methods] if is_one else methods)]
    if not names:
        raise Error("methods must name at least one, got none")
    return names


def _method_name(method: typing.Any) -> str:
    """The library's name of a method: a class, an estimator, or a name of either kind, which may
    have a kernel and a classifier."""
    asked = getattr(method, "_method", method)
    name, rest = _parts(asked) if isinstance(asked, str) else (asked, "")
    for known in all_methods():
        if name in (known.name, known.class_name):
            return known.name + rest
    names = ", ".join(m.class_name for m in all_methods())
    raise Error(f"methods must be among {names}, got {asked!r}", "PEN_UNKNOWN_NAME")


class Compare(BaseEstimator):  # type: ignore[misc]
    """Whose columns scikit-learn notes, and which it names in its messages."""


def compare(
    X: _rows.Matrix,
    y: _rows.Labels = None,
    *,
    methods: typing.Any = None,
    classifiers: typing.Any = None,
    kernels: bool = False,
    must_link: typing.Any = None,
    cannot_link: typing.Any = None,
    chunks: typing.Any = None,
    row_id: typing.Any = None,
    groups: typing.Any = None,
    folds: typing.Any = None,
    runs: int | None = None,
    inductive: bool = False,
    effort: float | None = None,
    random_state: typing.Any = 0,
    n_jobs: int | None = None,
    verbose: bool | int = False,
) -> Comparison:
    """Compare methods by cross-validation on the labelled rows.

    Each part of the labelled rows is held out in turn; each method is tuned on the others, and
    several classifiers classify the held-out rows in its embedding. Candidates are pairs of method
    and classifier, ``SELF/lda``, and baselines: the standardized columns, ``columns/lda``.
    Recommended is the most stable candidate within one standard error of the best, a baseline only
    where no other is. Neither the label of a held-out row nor a pair that contains one is used to
    learn or to choose anything.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows, labelled or not.
    y : array-like of shape (n_samples,)
        Labels of any one type. -1, NaN, None and pd.NA mean unlabelled.
    methods : sequence of classes, estimators or str, or one of these, optional
        What is compared, such as ``["SELF", "SELF+rbf", penumbra.FME]``; parameters of estimators
        do not matter. ``+`` and a kernel: the method with that kernel, whose gamma is tuned. ``/``
        and a classifier: the method with that classifier only. None: all methods.
    classifiers : sequence of str, or one, optional
        How each method tells classes: ``"nearest"`` (that of the nearest labelled row),
        ``"neighbors"``, ``"means"``, ``"lda"``, ``"self-training"``, ``"logistic"``, ``"scores"``.
        None: nearest, lda, and the scores of methods that have them.
    kernels : bool, default=False
        Each method with the rbf kernel, too.
    must_link, cannot_link, chunks, row_id : optional
        Pairs of rows, as for `fit` of the methods that learn from them; others do without.
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
        Repetitions with newly dealt folds. None: 2.
    inductive : bool, default=False
        Leave held-out rows out of the fits. Otherwise they stay as unlabelled rows.
    effort : float, optional
        How much is tried, in units of the default: about a minute on one core. The result depends
        on data, seed and settings, not on speed.
    random_state : int, RandomState or Generator, default=0
        The seed of the folds, in [0, 2**64 - 1]; None is 0.
    n_jobs : int, optional
        Threads: None or -1 for all cores that the process may use.
    verbose : bool, default=False
        Show progress.

    Returns
    -------
    Comparison

    Warns
    -----
    PenumbraWarning
        A column determines the labels: the classes may have been left among the values.

    Raises
    ------
    Error
        No labels (``PEN_NO_LABELS``), or no class of two labelled rows.
    KeyboardInterrupt
        Ctrl-C.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(120) % 3
    >>> x = rng.normal(size=(120, 5)) + 3 * np.eye(5)[y]
    >>> y[60:] = -1
    >>> found = penumbra.compare(x, y, methods=["PCA", "SELF", "SDA"], runs=1, effort=0.1)
    >>> found.candidates[0].score > 0.9
    True
    >>> found.best.fit(x, y).transform(x).shape[0]
    120
    """
    given = {"must_link": must_link, "cannot_link": cannot_link, "chunks": chunks, "row_id": row_id}
    data, classes = gathered(Compare(), X, y, {**given, "groups": groups})
    _rows.require_finite(data)
    warned = _leaks.warn(data, 2)
    how = _trials.protocol(
        folds,
        runs,
        inductive,
        random_state,
        effort=effort,
        kernels=kernels,
        codes=_trials.codes_of(classes),
        groups=groups,
    )
    return compare_data(data, classes, methods, how, warned, n_jobs, verbose, classifiers)[0]
