"""Comparison of methods and classifiers on held-out labels."""

from __future__ import annotations

import collections.abc
import dataclasses
import json
import math
import numbers
import os
import types
import typing

import numpy as np
from sklearn.base import BaseEstimator, clone

from penumbra import _leaks, _page, _rows, _trials
from penumbra._c import ffi, lib
from penumbra._calls import made
from penumbra._estimators import Reducer, gathered
from penumbra._names import did_you_mean, library_name, python_name, python_text
from penumbra._native import Error, extra, method_named, spec, text, understood
from penumbra._native import methods as all_methods

if typing.TYPE_CHECKING:
    import pandas

_SHOWN, _MOST_NAMES = 15, 100_000  # most candidates of an AutoReducer, and named rows


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The results of `compare`, best first. ``print`` shows them as a table.

    Attributes
    ----------
    candidates : tuple of namespaces
        Best first, each with the numbers of the command's ``compare --json``: `name`
        (``"SELF+rbf/lda"``), `method`, `classifier`, `accuracy` in [0, 1], `error` (half the width
        of an interval that holds the truth in 90 of 100 cases), `standard_error`, `stable`, `dim`,
        `baseline`, `recommended`, `trials` (accuracy of each trial), `curve` (accuracy for each of
        `dims`), `found` (accuracy by the values that tuning tried), `failure`, ...; and
        `estimator`, unfitted, or None if it failed. Candidates of an AutoReducer have `name`,
        `accuracy`, `log_loss`, `brier`, `failure`, and `member`: whether the ensemble contains it.
    best_estimator : Reducer
        The recommended candidate, unfitted: the most stable one within a standard error of the
        best. For an AutoReducer: its chosen method, or itself if it learned from an ensemble.
    best_score, error : float
        Its accuracy on held-out rows, and half the width of that interval. NaN if no labels were
        held out.
    chance : float
        The accuracy of always predicting the largest class.
    predicts : bool
        False if the labels do not predict classes better than guessing.
    results : dict
        Everything that the command prints as JSON: `held_out`, `folds`, `runs`, `confusion`, ....
        For an AutoReducer: the part that its model keeps, and the `reason` if no labels were held
        out.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> found = penumbra.compare(x, y, penumbra.PCA(classifier="lda"), effort=0)
    >>> found.best_estimator, found.best_score > 0.9
    (PCA(classifier='lda'), True)
    """

    candidates: tuple[types.SimpleNamespace, ...]
    results: dict[str, typing.Any]
    text: str
    best: Reducer
    warnings: tuple[str, ...] = ()

    @property
    def best_estimator(self) -> Reducer:
        estimator: Reducer = clone(self.best)
        return estimator

    @property
    def best_score(self) -> float:
        return float(self.results.get("accuracy", math.nan))

    @property
    def error(self) -> float:
        return float(self.results.get("error", math.nan))

    @property
    def chance(self) -> float:
        return float(self.results.get("chance", math.nan))

    @property
    def predicts(self) -> bool:
        return bool(self.results["predicts"])

    def to_frame(self) -> pandas.DataFrame:
        """Return a pandas frame with a row for each candidate, and for each requested number of
        dimensions."""
        pd = extra("pandas", "pandas")
        lists = ("trials", "curve", "curve_trials", "found", "parameters", "estimator", "title")
        lines = []
        for c in self.candidates:
            line = {name: value for name, value in vars(c).items() if name not in lists}
            lines.append(line)
            if self.results.get("dims_asked"):
                lines += [
                    {**line, "dim": dim, "accuracy": accuracy, "error": None}
                    for dim, accuracy in zip(self.results["dims"], c.curve)
                ]
        return pd.DataFrame(lines)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> _page.Page:
        """Return the results as a self-contained HTML page, the same as ``compare --report``. Also
        write it to `path`, if given. OSError: it cannot be written."""
        is_fitted = "confusion" not in self.results  # by an AutoReducer
        fit = None if is_fitted else f"penumbra.{self.best!r}.fit(X, y)"
        return _page.page("compare", path, next=fit, **self.results)

    def __repr__(self) -> str:
        lines = [self.text.rstrip("\n"), *(f"warning: {line}" for line in self.warnings)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return self.to_html()._repr_html_()


# ---- arguments ----


def _named(name: str) -> list[typing.Any]:
    """Return the specs for a name such as ``"SELF+rbf/lda"`` or ``"all/lda"``."""
    end = next((i for i, c in enumerate(name) if c in "+/"), len(name))
    asked, rest = name[:end], name[end:]
    kernel, _, classifier = rest.removeprefix("+").partition("/")
    values = {"kernel": kernel if rest.startswith("+") else None, "classifier": classifier or None}
    if asked == "all":
        return [spec(m.name, values) for m in all_methods() if "baseline" not in m.traits]
    for known in all_methods():
        if asked in (known.name, known.class_name):
            return [spec(known.name, values)]
    names = [m.class_name for m in all_methods()]
    meant = did_you_mean(asked, names, of_methods=True)
    message = f"estimators must be among {', '.join(names)}, got {name!r}{meant}"
    raise Error(message, "PEN_UNKNOWN_NAME")


def _no_method(what: typing.Any) -> str:
    return (
        f"estimators must be methods of penumbra, such as SELF() or 'FME', got {what!r};"
        " labelled_scorer scores any estimator in cross_val_score"
    )


def _specs(estimators: typing.Any) -> list[typing.Any] | None:
    """Return the pen_spec of each estimator. None: all methods with defaults."""
    if estimators is None or (isinstance(estimators, str) and estimators == "all"):
        return None
    is_one = isinstance(estimators, (str, type, BaseEstimator))
    found: list[typing.Any] = []
    if not is_one and not isinstance(estimators, collections.abc.Iterable):
        raise TypeError(_no_method(estimators))
    for one in [estimators] if is_one else estimators:
        if isinstance(one, str):
            found += _named(one)
            continue
        one = one() if isinstance(one, type) else one
        if not isinstance(one, Reducer) or not hasattr(one, "_method"):
            raise TypeError(_no_method(one))
        changed = _trials.parameters_of(one)
        values = {name: value for name, value in one._values().items() if name in changed}
        found.append(spec(one._method, values))
    if not found:
        raise Error("estimators must be at least one, got none")
    return found


def _grid_texts(grid: typing.Any) -> list[str]:
    """Return ``NAME=V,V`` for each parameter in a dict of lists."""
    texts = []
    for name, values in dict(grid or {}).items():
        if isinstance(values, (str, bytes)) or not isinstance(values, collections.abc.Iterable):
            raise TypeError(f"grid: {name} must have a list of values, got {values!r}")
        settings = [str(v).lower() if isinstance(v, (bool, np.bool_)) else str(v) for v in values]
        texts.append(f"{library_name(name)}={','.join(settings)}")
    return texts


def _take_folds(
    trials: _rows.Given, cv: typing.Any, runs: int | None, folds: np.ndarray | None
) -> None:
    """Set the given folds, or their number."""
    raw = trials.raw
    if folds is not None:
        if runs is not None and _trials.whole("runs", runs, 1) != len(folds):
            raise Error(f"runs is {runs}, but cv has folds for {len(folds)}")
        runs, cv = len(folds), None
        raw.fold_of = trials.numbers("int32_t *", folds)
    raw.folds, raw.runs = _trials.whole("cv", cv, 2), _trials.whole("runs", runs, 1)


def _dims(n_components: typing.Any) -> list[int]:
    if n_components is None:
        return []
    asked = n_components if isinstance(n_components, collections.abc.Iterable) else (n_components,)
    return sorted({_rows.whole("n_components", dim, 1) for dim in asked})


def _classifier_names(classifiers: typing.Any) -> list[str]:
    """Return the names as a list; one name may stand alone."""
    if classifiers is None:
        return []
    names = [classifiers] if isinstance(classifiers, str) else list(classifiers)
    if not names or not all(isinstance(name, str) for name in names):
        raise Error(f"classifiers must be names such as 'nearest' and 'lda', got {classifiers!r}")
    return names


# ---- results ----


def _name_here(name: str) -> str:
    """Return a candidate's name in Python: ``"self+rbf/lda"`` becomes ``SELF+rbf/lda``."""
    method = name.partition("/")[0].partition("+")[0].partition(" ")[0]
    return name if method == "columns" else method_named(method).class_name + name[len(method) :]


def _number(value: typing.Any) -> typing.Any:
    return math.nan if value is None else value


_NUMBERS = (
    "accuracy error standard_error deviation untuned aside log_loss brier p stable cost".split()
)


def _candidate(facts: dict[str, typing.Any], raw: typing.Any) -> types.SimpleNamespace:
    named = dict(facts)
    named["method"] = method_named(facts["method"]).class_name
    named["name"] = _name_here(facts["name"])
    named["same_as"] = facts["same_as"] and _name_here(facts["same_as"])
    named["failure"] = python_text(facts["failure"] or "")
    named.update({name: _number(facts[name]) for name in _NUMBERS})
    for name in ("trials", "curve"):
        named[name] = np.array([_number(v) for v in facts[name]], dtype=float)
    named["curve_trials"] = np.array(
        [[_number(v) for v in row] for row in facts["curve_trials"]], dtype=float
    )
    for name in ("parameters", "changed"):
        values = facts[name] or {}
        named[name] = {python_name(key): value for key, value in values.items()}
    named["estimator"] = None if raw == ffi.NULL else _trials.estimator_of(raw)
    return types.SimpleNamespace(**named)


def _comparison(
    raw: typing.Any, warned: tuple[str, ...], *, verbose: bool, asked: bool
) -> Comparison:
    """Make a Comparison of a pen_comparison."""
    results = json.loads(text(lib.pen_comparison_json(raw)))
    candidates = tuple(
        _candidate(facts, lib.pen_comparison_spec(raw, index))
        for index, facts in enumerate(results["candidates"], 1)
    )
    results["dims_asked"] = asked
    shown = text(lib.pen_comparison_text(raw, verbose))
    return Comparison(
        candidates,
        results,
        python_text(shown.replace("--" + "verbose", "to_frame()")),
        next(c.estimator for c in candidates if c.recommended),
        warned,
    )


def tried(results: dict[str, typing.Any], best: Reducer) -> Comparison:
    """Make a Comparison of the trials that the model of an AutoReducer keeps."""
    usual = {**dict.fromkeys(("accuracy", "log_loss", "brier"), math.nan), "failure": ""}
    candidates = [
        types.SimpleNamespace(**usual | facts | {"name": _name_here(facts["name"])})
        for facts in results.get("candidates", ())
    ]
    candidates.sort(key=lambda c: math.inf if c.failure else 0.001 * c.brier - c.accuracy)
    found = Comparison(tuple(candidates), results, "", best)
    numbers = (found.best_score, found.error, found.chance)
    if reason := results.get("reason"):
        lines = [f"nothing was held out: {reason}"]
    elif not found.predicts:
        lines = [_trials.no_better(*numbers, uncertain=True)]
    else:
        lines = ["accuracy {:.2f} ± {:.2f} of new rows; guessing gives {:.2f}".format(*numbers)]
    if not math.isnan(found.best_score):
        lines.append(f"   {'candidate':<28}accuracy  log-loss")
        lines += [
            f" {'*' if c.member else ' '} {c.name:<28}{c.accuracy:8.3f}  {c.log_loss:8.2g}"
            for c in candidates[:_SHOWN]
        ]
        lines.append(f"* in the ensemble; to_frame() has all {len(candidates)}, also failed ones")
    return dataclasses.replace(found, text="\n".join(lines))


@understood
def compare(
    X: _rows.Matrix,
    y: _rows.Labels,
    estimators: typing.Any = None,
    *,
    n_components: int | typing.Sequence[int] | None = None,
    grid: typing.Mapping[str, typing.Iterable[typing.Any]] | None = None,
    classifiers: str | typing.Sequence[str] | None = None,
    keep_labels: int | str | None = None,
    shuffled: bool = False,
    cv: typing.Any = None,
    runs: int | None = None,
    inductive: bool = False,
    must_link: typing.Any = None,
    cannot_link: typing.Any = None,
    row_id: typing.Any = None,
    groups: typing.Any = None,
    effort: float = 1.0,
    random_state: typing.Any = 0,
    n_jobs: int | None = None,
    verbose: bool | int = False,
) -> Comparison:
    """Compare methods by cross-validation on the labelled rows.

    Each part of the labelled rows is held out in turn. Each method is tuned on the remaining rows,
    and several classifiers classify the held-out rows. A candidate is a method with a classifier,
    such as ``SELF/lda``. Baselines use the standardized columns: ``columns/lda``. Neither labels of
    held-out rows nor pairs with such a row affect a fit or a choice.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows, labelled or not.
    y : array-like of shape (n_samples,)
        Labels of any one type. -1, NaN, None and pd.NA mean unlabelled.
    estimators : estimator, class or str, or a sequence of these, optional
        The candidates, such as ``[penumbra.SELF(beta=0.3), "FDA", "SELF+rbf/lda"]``. A name can
        have ``+`` and a kernel, ``/`` and a classifier. Parameters that you set are not tuned.
        None: all methods.
    n_components : int or sequence of int, optional
        Also measure the accuracy in these dimensions: `curve` of the candidates.
    grid : dict, optional
        The only values to try, as lists by parameter name, such as ``{"beta": [0.1, 0.3]}``.
    classifiers : str or sequence of str, optional
        ``"nearest"`` (the class of the nearest labelled row), ``"neighbors"``, ``"means"``,
        ``"lda"``, ``"self-training"``, ``"logistic"``, ``"scores"``. Used for each method whose
        classifier is not set. None: nearest, lda, and scores for methods that have class scores.
    keep_labels : int or str, optional
        In each trial, learn from only this number of labels per class, or from ``"10%"`` of them.
    shuffled : bool, default=False
        Repeat the recommended candidate with shuffled labels: `results["shuffled"]`.
    cv : int, array-like, splitter or iterable of (train, test), optional
        The number of folds, at least 2. None: 5, or the size of the largest class if that is less.
        An array assigns each row to the fold that holds it out, -1 or NaN to none: its shape is
        (n_samples,), or (n_samples, n_runs) with a column for each run. A splitter, such as
        ``GroupKFold(5)``, gets the groups; or pass the result of its `split`.
    runs : int, optional
        Repetitions with newly drawn folds. None: 2.
    inductive : bool, default=False
        Leave held-out rows out of the fits. Otherwise they stay as unlabelled rows.
    must_link, cannot_link, row_id : optional
        Pairs of rows, as for `fit`. Methods that do not learn from pairs ignore them.
    groups : array-like of shape (n_samples,), optional
        Rows of one sample, such as scans of a patient, have the same entry and are held out
        together. A row with -1, NaN or None is its own group.
    effort : float, default=1.0
        How much to try: 1 takes about a minute on one core; 0 does not tune. The result depends on
        data, seed and settings, not on speed.
    random_state : int, RandomState or Generator, default=0
        The seed of the folds, in [0, 2**64 - 1]; None is 0.
    n_jobs : int, optional
        Threads: None or -1 for all cores that the process may use.
    verbose : bool, default=False
        Show progress, and all candidates.

    Returns
    -------
    Comparison

    Warns
    -----
    PenumbraWarning
        A column determines the labels or numbers the rows.

    Raises
    ------
    Error
        There are no labels (``PEN_NO_LABELS``), no class has two labelled rows, or a parameter has
        an invalid value. With a single method, also any error of its fit.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(120) % 3
    >>> x = rng.normal(size=(120, 5)) + 3 * np.eye(5)[y]
    >>> y[60:] = -1
    >>> found = penumbra.compare(x, y, ["PCA", "SELF", "SDA"], runs=1, effort=0.1)
    >>> found.best_score > 0.9, found.chance
    (True, 0.3333333333333333)
    >>> found.best_estimator.fit(x, y).transform(x).shape[0]
    120
    """
    given = {"must_link": must_link, "cannot_link": cannot_link, "row_id": row_id}
    specs = _specs(estimators)
    owner = type("Compare", (BaseEstimator,), {})()  # scikit-learn stores the columns here
    data, classes = gathered(owner, X, y, {**given, "groups": groups})
    if isinstance(effort, bool) or not isinstance(effort, numbers.Real) or not effort >= 0:
        raise Error(f"effort must be a number >= 0, got {effort!r}")
    how = {
        "inductive": _trials.flag("inductive", inductive),
        "shuffled": _trials.flag("shuffled", shuffled),
        "seed": _trials.seed_of(random_state),
        "effort": float(effort),
        "picture": 1,
    }
    trials = _rows.Given("pen_trials *", how)
    folds = None if classes is None else _trials.given_folds(cv, classes.codes, groups)
    _take_folds(trials, cv, runs, folds)
    values, names, dims = _grid_texts(grid), _classifier_names(classifiers), _dims(n_components)
    trials.raw.grid, trials.raw.grid_count = trials.texts(values), len(values)
    trials.raw.classifiers, trials.raw.classifier_count = trials.texts(names), len(names)
    if dims:
        trials.raw.dims, trials.raw.dim_count = trials.new("int64_t[]", dims), len(dims)
    if keep_labels is not None:
        trials.raw.keep_labels = trials.new("char[]", str(keep_labels).encode())
    listed = ffi.NULL if specs is None else ffi.new("pen_spec *[]", specs)
    inputs = (listed, len(specs or ()), data.raw, trials.raw)
    with _rows.naming_column(data.rows.values, lambda: data.names):
        warned = (*_leaks.copies(data), *_leaks.warn_of(data))
        raw = made("pen_comparison", lib.pen_compare, inputs, n_jobs, verbose)
    found = _comparison(raw, warned, verbose=bool(verbose), asked=n_components is not None)
    if (names := _page.row_names(X)) and len(names) <= _MOST_NAMES:
        found.results["names"] = names
    return found
