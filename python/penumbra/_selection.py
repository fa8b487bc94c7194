"""Cross-validation with unlabelled rows: a splitter, a scorer, and a classifier that is fitted to
labelled rows only."""

from __future__ import annotations

import inspect
import re
import typing

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_classifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import Tags, _safe_indexing, get_tags
from sklearn.utils.metadata_routing import (
    MetadataRequest,
    MetadataRouter,
    MethodMapping,
    _routing_enabled,
    process_routing,
)
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_method_params, check_consistent_length, check_is_fitted

from penumbra import _rows, _trials
from penumbra._c import ffi, lib
from penumbra._estimators import score_labelled
from penumbra._native import Error, Self, at, check, warn


# ---- the splitter ----


class SemiSupervisedKFold(BaseCrossValidator):  # type: ignore[misc]
    """Cross-validation folds of the labelled rows. Unlabelled rows are always in training.

    A test fold contains labelled rows only. The training rows are the remaining labelled rows and
    all unlabelled rows. For the same seed, the first run of `compare` and of the command uses the
    same folds.

    Parameters
    ----------
    n_splits : int, default=5
        At least 2, and at most the number of labelled rows.
    stratified : bool, default=True
        Within each class, fold sizes also differ by at most one.
    random_state : int, RandomState or Generator, default=0
        The seed of the folds, in [0, 2**64 - 1]; None is 0.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> x = np.zeros((8, 2))
    >>> y = [0, 1, 0, 1, -1, -1, -1, -1]
    >>> for train, test in penumbra.SemiSupervisedKFold(2).split(x, y):
    ...     print(len(train), sorted(np.take(y, test).tolist()))
    6 [0, 1]
    6 [0, 1]
    """

    def __init__(
        self, n_splits: int = 5, *, stratified: bool = True, random_state: typing.Any = 0
    ) -> None:
        self.n_splits = n_splits
        self.stratified = stratified
        self.random_state = random_state

    def get_n_splits(
        self, X: _rows.Matrix = None, y: _rows.Labels = None, groups: typing.Any = None
    ) -> int:
        """Return the number of folds. The arguments are ignored."""
        return _rows.whole("n_splits", self.n_splits, 2)

    def split(
        self, X: _rows.Matrix, y: _rows.Labels = None, groups: typing.Any = None
    ) -> typing.Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the training and test row numbers of each fold.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Only its length is used.
        y : array-like of shape (n_samples,)
            Labels of any one type. -1, NaN, None and pd.NA mean unlabelled.
        groups : array-like of shape (n_samples,), optional
            Rows of one sample have the same entry and stay in one fold. A row with -1, NaN or None
            is its own group. Error: fewer labelled rows, or groups with labelled rows, than folds.
        """
        if y is None:
            raise Error("y must be given to split its labelled rows into folds", "PEN_NO_LABELS")
        codes = _rows.classes(y).codes
        if X is not None:
            check_consistent_length(X, codes)
        grouped = None if groups is None else _rows.classes(groups, "groups").codes
        if grouped is not None:
            check_consistent_length(codes, grouped)
        fold = np.empty(len(codes), np.int32)
        error = ffi.new("pen_error *")
        status = lib.pen_deal_folds(
            at("int32_t *", codes),
            at("int32_t *", grouped),
            len(codes),
            self.get_n_splits(),
            _trials.flag("stratified", self.stratified),
            _trials.seed_of(self.random_state),
            at("int32_t *", fold),
            error,
        )
        try:
            check(status, error)
        except Error as refused:
            message = re.sub(r"^cv\b", "n_splits", str(refused))
            raise Error(message, refused.code) from None
        for k in range(self.get_n_splits()):
            yield np.nonzero(fold != k)[0], np.nonzero(fold == k)[0]


# ---- the scorer ----


class _LabelledScorer:
    """A scorer that uses labelled rows only."""

    def __init__(self, scorer: typing.Any) -> None:
        self._scorer = scorer

    def __repr__(self) -> str:
        return f"labelled_scorer({self._scorer!r})"

    def __call__(
        self, estimator: typing.Any, X: _rows.Matrix, y: _rows.Labels, **params: typing.Any
    ) -> float:
        has, values = _rows.some_known(y)
        _warn_of_marker(estimator)
        rows = np.nonzero(has)[0]
        given = _check_method_params(X, params, indices=rows)
        score: float = self._scorer(estimator, _safe_indexing(X, rows), values, **given)
        return score

    def get_metadata_routing(self) -> typing.Any:
        """Return the requests of the wrapped scorer; a plain function has none."""
        if hasattr(self._scorer, "get_metadata_routing"):
            return self._scorer.get_metadata_routing()
        return MetadataRequest(owner=self)

    def set_score_request(self, **request: typing.Any) -> Self:
        """Request metadata, such as ``sample_weight=True``."""
        return type(self)(self._scorer.set_score_request(**request))


def _warn_of_marker(estimator: typing.Any) -> None:
    """Warn of a classifier that learned the mark of unlabelled rows as a class."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or _rows.labelled(classes).all():
        return
    marker = np.asarray(classes)[~_rows.labelled(classes)][0]
    last = estimator[-1] if hasattr(estimator, "steps") else estimator
    name = type(last).__name__
    warn(
        f"{name} learned the mark of unlabelled rows, {marker}, as a class:"
        f" penumbra.LabelledOnly({name}(...)) fits it to the labelled rows only"
    )


def labelled_scorer(scoring: typing.Any = "accuracy") -> typing.Any:
    """Make a scorer for searches (``scoring=``) that ignores unlabelled rows, for any splitter.

    The scorer warns of a classifier that learned the mark of unlabelled rows as a class, as plain
    classifiers do (see `LabelledOnly`). It raises Error (``PEN_NO_LABELS``) if no row has a label.

    Parameters
    ----------
    scoring : str or scorer, default="accuracy"
        Any scorer of scikit-learn. TypeError: a metric, such as ``accuracy_score``, which needs
        make_scorer. ValueError: an unknown name.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> from sklearn.dummy import DummyClassifier
    >>> x, y = np.zeros((4, 1)), np.array([1, 1, -1, -1])
    >>> model = penumbra.LabelledOnly(DummyClassifier()).fit(x, y)
    >>> penumbra.labelled_scorer()(model, x, y)
    1.0
    """
    if isinstance(scoring, str):
        return _LabelledScorer(get_scorer(scoring))
    if not callable(scoring):
        raise TypeError(f"scoring must be a name or a scorer, got {scoring!r}")
    parameters = inspect.signature(scoring).parameters if inspect.isfunction(scoring) else ()
    if list(parameters)[:1] == ["y_true"]:  # a function of labels instead of an estimator
        name = scoring.__name__
        raise TypeError(f"scoring must be a scorer, such as make_scorer({name}), got {name}")
    return _LabelledScorer(scoring)


# ---- a classifier for labelled rows ----


_DELEGATED = ("predict", "predict_proba", "predict_log_proba", "decision_function")


def _delegated(name: str, about: str) -> typing.Callable[..., np.ndarray]:
    """Make a method that exists if the classifier has it."""

    def check(self: typing.Any) -> bool:
        getattr(getattr(self, "estimator_", self.estimator), name)
        return True

    def method(self: typing.Any, X: _rows.Matrix, **params: typing.Any) -> np.ndarray:
        return self._call(name, X, params)  # type: ignore[no-any-return]

    method.__name__, method.__qualname__ = name, f"LabelledOnly.{name}"
    method.__doc__ = f"{about}: see the classifier."
    available: typing.Callable[..., np.ndarray] = available_if(check)(method)
    return available


class LabelledOnly(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Fit a classifier to the labelled rows only.

    In a pipeline after a reducer that learns from unlabelled rows, a plain classifier would learn
    their mark, such as -1, as a class. Parameters of `fit` with an entry per row, such as
    `sample_weight`, are also reduced to the labelled rows.

    Parameters
    ----------
    estimator : classifier
        For example ``KNeighborsClassifier()``.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    classes_ : ndarray of shape (n_classes,)
        The classes, without the mark.
    n_features_in_, feature_names_in_
        If `estimator_` has them.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> x = np.array([[0.0], [0.1], [1.0], [1.1], [0.05], [1.05]])
    >>> y = np.array([0, 0, 1, 1, -1, -1])
    >>> model = penumbra.LabelledOnly(KNeighborsClassifier(1)).fit(x, y)
    >>> model.predict(x).tolist()
    [0, 0, 1, 1, 0, 1]
    """

    classes_: np.ndarray

    def __init__(self, estimator: typing.Any) -> None:
        self.estimator = estimator

    def fit(self, X: _rows.Matrix, y: _rows.Labels, **params: typing.Any) -> Self:
        """Fit the classifier to the rows whose label is not -1, NaN, None or pd.NA.

        `params` go to its `fit`, or with metadata routing only the requested ones. Error: no row
        has a label (``PEN_NO_LABELS``); TypeError: `estimator` is not a classifier.
        """
        if isinstance(self.estimator, type) or not is_classifier(self.estimator):
            raise TypeError(f"estimator must be a classifier, got {self.estimator!r}")
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y"
                " is None."
            )
        if _routing_enabled():
            params = process_routing(self, "fit", **params).estimator.fit
        has, values = _rows.some_known(y)
        check_consistent_length(X, has)
        rows = np.nonzero(has)[0]
        given = _check_method_params(X, params, indices=rows)
        x = X if has.all() else _safe_indexing(X, rows)
        self.estimator_ = clone(self.estimator).fit(x, values, **given)
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _call(self, name: str, X: _rows.Matrix, params: dict[str, typing.Any]) -> np.ndarray:
        check_is_fitted(self)
        if _routing_enabled():
            params = process_routing(self, name, **params).estimator[name]
        result: np.ndarray = getattr(self.estimator_, name)(X, **params)
        return result

    predict = _delegated("predict", "Return the class of each row")
    predict_proba = _delegated("predict_proba", "Return class probabilities")
    predict_log_proba = _delegated("predict_log_proba", "Return logarithms of probabilities")
    decision_function = _delegated("decision_function", "Return class scores")

    score = score_labelled

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the requests of the classifier."""
        mapping = MethodMapping()
        for name in ("fit", *_DELEGATED):
            mapping.add(caller=name, callee=name)
        router = MetadataRouter(owner=self)
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags = inner.classifier_tags
        return tags
