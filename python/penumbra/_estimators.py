"""The base class of all methods: fit, transform, predict and save as scikit-learn defines them."""

from __future__ import annotations

import contextlib
import copy
import functools
import importlib
import os
import typing
import warnings

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import ClassifierTags, Tags, check_random_state
from sklearn.utils.validation import (
    _get_feature_names,
    _num_features,
    check_array,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from penumbra import _graphs, _leaks, _pairs, _rows
from penumbra._c import ffi, lib
from penumbra._model import Model
from penumbra._names import FORMER, python_name, unknown_argument
from penumbra._native import Error, Method, Self, method_named, owned, spec, understood, warn
from penumbra._suggest import Suggestions, suggest_rows

# The information that a row step loses.
_LOST = {
    "total": "drops the sum of a row",
    "snv": "drops the mean and the scale of a row",
    "derivative": "drops the offset of a row",
    "select": "drops columns",
    "l2": "drops the length of a row",
}
# Classifiers that use class scores, or can.
_SCORED = ("auto", "scores")
# Attributes of some models only.
_OPTIONAL = tuple(
    (
        "eigenvalues_ n_iter_ classes_ classifier_ label_distributions_ transduction_ scale_ "
        "deviation_ landmarks_ landmark_indices_ kernel_gamma_ graphs_ graph_"
    ).split()
)
# All that a fit sets, except the columns of X.
LEARNED = ("_model", "components_", "mean_", "n_components_", "info_", *_OPTIONAL)


def drawn_seed(state: typing.Any) -> typing.Any:
    """Draw a seed if `state` is a NumPy generator; return anything else unchanged."""
    bound = np.iinfo(np.int32).max
    if isinstance(state, np.random.RandomState):
        return int(check_random_state(state).randint(bound))
    if isinstance(state, np.random.Generator):
        return int(state.integers(bound))
    return state


def validated(
    owner: BaseEstimator, X: _rows.Matrix, reset: bool = False, least: int = 1
) -> typing.Any:
    """Return rows [n x d] with the columns of `owner`'s fit, as an array or a SciPy CSR matrix.

    reset: store these columns instead; least: the smallest allowed number of rows."""
    X = X if isinstance(X, _rows.Named) else _rows.unwrap(X)
    if hasattr(X, "get_columns") and _get_feature_names(X) is None:
        X = _rows.Named(X, X.columns)
    checks = {**_rows.CHECKS, "ensure_min_samples": least}
    if getattr(owner, "kernel", "none") == "precomputed":
        checks["accept_sparse"] = False
    try:
        if isinstance(X, _rows.Named):
            validate_data(owner, X.header(), reset=reset, skip_check_array=True)
            X = X.values
            return check_array(X, estimator=owner, input_name="X", **checks)
        return validate_data(owner, X, reset=reset, **checks)
    except (TypeError, ValueError) as error:
        message = "" if "feature names" in str(error) else _rows.no_number(X)
        if not message and type(error).__name__ == "DuplicateError":
            # scikit-learn checks names first, and since 1.9 refuses such a frame: report other
            # errors before duplicate names
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                validate_data(owner, np.asarray(X), reset=reset, **checks)
            message = _rows.name_twice(X)
        if message:
            raise Error(message, "PEN_BAD_DATA") from None
        raise


class Rows(_rows.Named):
    """Prepared rows, accepted wherever X is, which keep the results that do not depend on labels.

    These are statistics, principal components, nearest rows and graphs. The next fit or `compare`
    uses them again and gives the same bits as for X. Threads may share the rows. Pickles and copies
    start empty, and so do the parts that cross-validation selects; these are plain rows without
    column names.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        As for `fit`, converted once. Do not change the values later: they may be used in place.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 4)) + 4 * np.eye(4)[y]
    >>> rows = penumbra.Rows(x)
    >>> for known in (9, 12):  # labels come, rows stay
    ...     fda = penumbra.FDA().fit(rows, np.where(np.arange(60) < known, y, -1))
    >>> rows, rows.memory > 0
    (Rows(60 x 4, float64), True)
    """

    def __init__(self, X: _rows.Matrix) -> None:
        owner = type("Rows", (BaseEstimator,), {})()
        values = validated(owner, X, reset=True)
        self.__setstate__((values, getattr(owner, "feature_names_in_", None)))

    def __getstate__(self) -> tuple[typing.Any, typing.Any]:
        return self.values, self.names

    def __setstate__(self, state: tuple[typing.Any, typing.Any]) -> None:
        self._array = _rows.rows(state[0])
        super().__init__(self._array.values, state[1])
        self._raw = owned("pen_rows", lib.pen_rows_new, self._array.raw, ffi.NULL)

    @property
    def memory(self) -> int:
        """Bytes of the stored results, without the rows."""
        return int(lib.pen_rows_memory(self._raw))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: typing.Any) -> typing.Any:
        return self.values[index]

    def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype, copy=copy)

    def __repr__(self) -> str:
        return f"Rows({self.shape[0]} x {self.shape[1]}, {self.values.dtype})"


def gathered_pairs(owner: BaseEstimator, n: int, **pairs: typing.Any) -> _pairs.Gathered:
    """Return the pairs of one fit; warn of pairs that the method does not learn from."""
    linked = _pairs.gather(n, **pairs)
    is_one, kind = isinstance(getattr(owner, "_method", None), str), type(owner).__name__
    has_any = linked.cannot_link is not None and len(linked.cannot_link) > 0
    if has_any and is_one and "cannot_links" not in owner.method.traits:
        warn(f"{kind} learns nothing from cannot-links, which can only contradict must-links")
    return linked


def gathered(
    owner: BaseEstimator, X: _rows.Matrix, y: _rows.Labels, pairs: dict[str, typing.Any]
) -> tuple[_rows.Data, _rows.Classes | None]:
    """Return rows, labels and pairs for the library; store the columns in `owner`."""
    x = validated(owner, X, reset=True)
    classes = None
    if y is not None:
        classes = _rows.classes(y)
        _rows.warn_of_classes(y, classes)
        check_consistent_length(x, classes.codes)
    groups = pairs.pop("groups", None)
    linked = gathered_pairs(owner, x.shape[0], **pairs)
    names = getattr(owner, "feature_names_in_", None)
    data = _rows.Data(x, classes, names, linked, X if isinstance(X, Rows) else None)
    if groups is not None:
        data.set_groups(_rows.classes(groups, "groups").codes)
    return data, classes


@contextlib.contextmanager
def as_before(estimator: BaseEstimator) -> typing.Iterator[None]:
    """Restore the estimator after an error, because scikit-learn stores the columns of X first."""
    before = estimator.__dict__.copy()
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise


def _in_partitions(X: _rows.Matrix) -> typing.Any:
    """Return `penumbra.dask` if X has dask partitions, else None."""
    return importlib.import_module("penumbra.dask") if _rows.is_partitioned(X) else None


class _StepName(str):
    """A class name that make_pipeline can turn into the name of a step, in lower case.

    A step cannot be called "self", because scikit-learn passes steps as keyword arguments.
    """

    def lower(self) -> str:
        lower = super().lower()
        return "self_reducer" if lower == "self" else lower


_Method = typing.TypeVar("_Method", bound=typing.Callable[..., typing.Any])


def _available_if(
    check: typing.Callable[[typing.Any], None],
) -> typing.Callable[[_Method], _Method]:
    """Like available_if of scikit-learn, with the error message of `check`."""
    return typing.cast("typing.Callable[[_Method], _Method]", functools.partial(_Available, check))


class _Available:
    """A method that exists unless `check` raises an error."""

    def __init__(self, check: typing.Callable[[typing.Any], None], method: typing.Any) -> None:
        self.check, self.method = check, method

    def __get__(self, owner: typing.Any, kind: type | None = None) -> typing.Any:
        try:
            if owner is not None:
                self.check(owner)
        except Exception as error:
            raise AttributeError(str(error)) from error
        return self.method.__get__(owner, kind)


def _is_linear(self: typing.Any) -> None:
    is_fitted = self.__sklearn_is_fitted__()
    name = self._model.kernel_name if is_fitted else getattr(self, "kernel", "none")
    if name != "none":
        raise AttributeError(
            f"inverse_transform needs kernel 'none', a linear projection, got {name!r}"
        )
    if is_fitted and (step := self._model.beyond("missing", "log1p", "idf")):
        raise AttributeError(f"inverse_transform cannot undo {step.name}, which {_LOST[step.name]}")


def _reads_classes(self: typing.Any) -> None:
    """Raise an error if there is no classifier, or will be none."""
    if self.__sklearn_is_fitted__():
        if self._model.classifier_name is None:
            raise AttributeError(f"prediction needs a classifier: {self._why_no_classifier}")
    elif getattr(self, "classifier", "auto") == "none":
        raise AttributeError("prediction needs a classifier, got classifier 'none'")


def _gives_shares(self: typing.Any) -> None:
    """Also raise an error if the scores of the classifier are not probabilities."""
    _reads_classes(self)
    if self.__sklearn_is_fitted__():
        if not self._model.gives_shares:
            raise AttributeError(
                "predict_proba needs prior 'labels' or 'uniform', or a temperature, got a"
                " model of raw scores, prior 'none'"
            )
    elif getattr(self, "prior", None) == "none" and getattr(self, "classifier", "auto") in _SCORED:
        if getattr(self, "temperature", "none") == "none":
            raise AttributeError("predict_proba needs prior 'labels' or 'uniform', got 'none'")


def score_labelled(
    self: typing.Any, X: _rows.Matrix, y: _rows.Labels, sample_weight: typing.Any = None
) -> float:
    """Return the accuracy on the labelled rows. Unlabelled rows do not count.

    Error: no row has a label (``PEN_NO_LABELS``); ValueError: lengths differ."""
    has, values = _rows.some_known(y)
    found = np.asarray(self.predict(X))  # of partitions: computed
    check_consistent_length(found, has, sample_weight)
    weight = None if sample_weight is None else np.asarray(sample_weight)[has]
    if found.dtype == object:  # None: a row without a predicted class
        return float(np.average(found[has] == values, weights=weight))
    return float(accuracy_score(values, found[has], sample_weight=weight))


class Reducer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The base class of all methods.

    A fitted reducer is the projection ``z = (x - mean_) @ components_.T``, or with a kernel
    ``z = (k(x, landmarks_) - mean_) @ components_.T``, where x is the row after its `row_steps`.
    The result depends on the row alone: a row gives the same bits by itself and in any batch, for
    any number of threads. All functions that take rows raise the same errors as `transform`.
    """

    _method: typing.ClassVar[str]
    _why_no_dim: typing.ClassVar[str] = "its dimensions are the classes"
    _model: Model

    classifier: str
    n_jobs: int | None
    verbose: bool | int

    # after a fit; those in _OPTIONAL only after some fits
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_components_: int
    components_: np.ndarray
    mean_: np.ndarray
    scale_: np.ndarray
    deviation_: np.ndarray
    eigenvalues_: np.ndarray
    n_iter_: int
    info_: dict[str, typing.Any]
    classes_: np.ndarray
    classifier_: str
    label_distributions_: np.ndarray
    transduction_: np.ndarray
    landmarks_: np.ndarray
    landmark_indices_: np.ndarray
    kernel_gamma_: float
    graph_: csr_matrix
    graphs_: dict[str, csr_matrix]

    def __init_subclass__(cls, **arguments: typing.Any) -> None:
        super().__init_subclass__(**arguments)
        cls.__name__ = _StepName(cls.__name__)

    def __new__(cls, *arguments: typing.Any, **parameters: typing.Any) -> Self:
        """Suggest the probable name for a parameter that does not exist."""
        if cls is Reducer:
            raise TypeError("Reducer is the base class of methods, not a method")
        known = cls._get_param_names()
        for name in parameters:
            if name not in known:
                if name == "n_components":
                    raise TypeError(f"{cls.__name__} has no n_components: {cls._why_no_dim}")
                raise TypeError(unknown_argument(cls.__name__, name, known))
        made: Self = super().__new__(cls)
        return made

    if not typing.TYPE_CHECKING:  # type checkers would then accept every attribute

        def __getattr__(self, name: str) -> typing.Any:
            """Raise an error that gives the current name of a renamed attribute."""
            if name in FORMER:
                kind = type(self).__name__
                raise AttributeError(f"{kind} has no {name}: it is now {FORMER[name]}")
            return object.__getattribute__(self, name)

    # ---- fitting ----

    @understood
    def fit(
        self,
        X: _rows.Matrix,
        y: _rows.Labels = None,
        *,
        groups: typing.Any = None,
        graph: typing.Any = None,
    ) -> Self:
        """Learn the projection.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows, labelled or not. NumPy float64, float32 or uint8 in any layout is used in
            place; pandas, polars, pyarrow, DLPack and other types are converted. Dask partitions
            stay where they are: see `penumbra.dask.fit`.
        y : array-like of shape (n_samples,), optional
            Labels of any one type. -1, NaN, None and pd.NA mean unlabelled.
        groups : array-like of shape (n_samples,), optional
            Rows of one sample, such as scans of a patient, have the same entry. If the fit holds
            labels out, it holds them out together. A row with -1, NaN or None is its own group.
        graph : SciPy sparse matrix of shape (n_samples, n_samples), optional
            Distances from each row to its neighbors, from any search. Replaces the search in
            methods that use nearest neighbors. A row must not list itself: see
            `penumbra.kneighbors_graph`.

        Returns
        -------
        self

        Raises
        ------
        Error
            An error of the library, such as too few labels (``PEN_NO_LABELS``,
            ``PEN_ONE_CLASS``), too many dimensions (``PEN_RANK_TOO_SMALL``), or missing or invalid
            pairs (``PEN_NO_PAIRS``, ``PEN_BAD_PAIR``, ``PEN_CONTRADICTION``).
        ValueError, TypeError
            Rows contain text, NaN or infinity, or sizes do not match.
        KeyboardInterrupt
            Ctrl-C stops the fit within a tenth of a second. An earlier fit stays.
        """
        return self._fit(X, y, groups=groups, graph=graph)

    def _fit(self, X: _rows.Matrix, y: _rows.Labels, **given: typing.Any) -> Self:
        """Fit to rows, labels, and the `given` pairs, groups and graph."""
        if (partitions := _in_partitions(X)) and isinstance(getattr(self, "_method", None), str):
            linked = {name: given.pop(name, None) for name in ("must_link", "cannot_link")}
            for name, value in given.items():
                if value is not None:
                    raise Error(f"{name} needs all rows in one process: X.compute(), got {X!r}")
            return typing.cast("Self", partitions.fit(self, X, y, **linked))
        with as_before(self):
            self.__dict__.pop("_stream", None)  # partial_fit starts over
            self._learn(X, y, given)
        if "warning" in self.info_:
            warn(self.info_["warning"])
        return self

    def _learn(self, X: _rows.Matrix, y: _rows.Labels, given: dict[str, typing.Any]) -> None:
        graph = given.pop("graph", None)
        data, classes = gathered(self, X, y, given)
        _leaks.warn_of(data, labels=False)
        if graph is not None:
            data.set_neighbors(_graphs.sparse(graph))
        settings = spec(self._method, self._values())
        try:
            model = Model.fit(settings, data, self.n_jobs, self.verbose)
        except Error as error:
            raise self._refusal(error, data.rows.values, y) from None
        self._take(model, None if classes is None else classes.values)
        if matrices := _graphs.matrices(model._raw):  # that the fit used or learned
            self.graphs_ = matrices
            self.graph_ = next(iter(matrices.values()))

    def _refusal(self, error: Error, x: typing.Any, y: _rows.Labels) -> Error:
        """Return an error of the library, with scikit-learn's wording where it has one."""
        message = str(error)
        if error.code == "PEN_NO_LABELS" and y is None:
            message = (
                f"This {type(self).__name__} estimator requires y to be passed, but the target y"
                f" is None: {message}"
            )
        elif error.code == "PEN_ONE_CLASS" and _rows.count_minus_ones(y):
            message = f"{message}; {_rows.MINUS_ONE}"
        elif error.code != "PEN_NOT_FINITE" and _rows.not_finite(x):
            message = "X must not hold NaN or infinity"
        return Error(f"{message} (n_samples={x.shape[0]}, n_features={x.shape[1]})", error.code)

    def _values(self, method: str | None = None) -> dict[str, typing.Any]:
        """Return the parameters for the library, by their Python names."""
        names, params = self._get_param_names(), method_named(method or self._method).params
        values = {p.name: getattr(self, p.name) for p in params if p.name in names}
        if "random_state" in values:
            values["random_state"] = drawn_seed(values["random_state"])
        return values

    def _take(self, model: Model, classes: np.ndarray | None) -> None:
        """Set the attributes of a fitted estimator."""
        for name in _OPTIONAL:
            self.__dict__.pop(name, None)
        self._model = model
        self.components_ = np.ascontiguousarray(model.projection.T)
        self.mean_ = model.mean
        if model.kernel_name == "none":
            scale = model.vector("scale")
            self.scale_ = np.ones_like(self.mean_) if scale is None else scale
        for name in ("deviation", "eigenvalues"):
            if (values := model.vector(name)) is not None:
                setattr(self, f"{name}_", values)
        self.n_components_ = model.dim
        self.info_ = model.info
        for name in ("pair_weights", "derived_pairs"):  # only right after a fit
            if (found := model.tensor(name)) is not None:
                self.info_[name] = found
        if "iterations" in self.info_:
            self.n_iter_ = self.info_["iterations"]
        if (kernel := model.kernel) is not None:
            self.landmark_indices_ = kernel.rows
            if kernel.landmarks is not None:
                self.landmarks_ = kernel.landmarks
            if kernel.gamma > 0:
                self.kernel_gamma_ = kernel.gamma
        if model.classifier_name is not None:
            self.classifier_ = model.classifier_name
        if model.class_count:
            kind = str(self.info_.get("class_type", ""))
            named = _rows.classes_named(model.class_names, kind) if classes is None else classes
            self.classes_ = named
        propagated = model.propagated
        if propagated is not None:
            self.label_distributions_ = propagated
            self.transduction_ = self.classes_[np.argmax(propagated, axis=1)]

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in vars(self)

    # ---- applying ----

    def _validated(self, X: _rows.Matrix) -> typing.Any:
        """Return rows for the model [n x d], or precomputed kernel values [n x m]."""
        check_is_fitted(self)
        if self._model.kernel_name != "precomputed":
            return validated(self, X)
        rows = self.landmark_indices_
        try:
            columns = _num_features(_rows.unwrap(X))
        except TypeError:  # not a matrix: raise the usual error
            return validated(self, X)
        if columns != len(rows) or columns == self._model.columns:
            return validated(self, X)
        part = copy.copy(self)
        part.n_features_in_ = columns
        if hasattr(self, "feature_names_in_"):
            part.feature_names_in_ = self.feature_names_in_[rows]
        return validated(part, X)

    def transform(self, X: _rows.Matrix) -> _rows.Found:
        """Embed rows: ``(X - mean_) @ components_.T``, where kernels replace X by kernel values.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            With ``kernel="precomputed"``, a column for each training row, or for each of
            `landmark_indices_` in their order.

        Returns
        -------
        ndarray of shape (n_samples, n_components_)
            float32 for float32 rows, otherwise float64; a frame after ``set_output``; a lazy dask
            collection if X is one.

        Raises
        ------
        NotFittedError, Error, ValueError
            The model is not fitted, a value is NaN or infinite, or the columns do not match.
        """
        if partitions := _in_partitions(X):
            return partitions.transform(self, X)
        x = self._validated(X)
        return self._model.transform(x, self.n_jobs, self.verbose)

    # ---- classes ----

    @_available_if(_reads_classes)
    def predict(self, X: _rows.Matrix) -> _rows.Found:
        """Predict the class of each row from its embedding, with the classifier `classifier_`.

        This method exists if the labels of the fit had at least two classes and `classifier` is not
        ``"none"``. Returns a lazy dask collection if X is one. Models of ``--missing drop`` return
        None for a row with NaN.
        """
        if partitions := _in_partitions(X):
            return partitions.predict(self, X)
        x = self._validated(X)
        codes, _ = self._model.predict(x, self.n_jobs, self.verbose)
        classes: np.ndarray = self.classes_[codes]
        if (codes < 0).any():  # rows with NaN, in a model of --missing drop
            classes = classes.astype(object)
            classes[codes < 0] = None
        return classes

    @_available_if(_gives_shares)
    def predict_proba(self, X: _rows.Matrix) -> _rows.Found:
        """Predict class probabilities, with the classifier `classifier_`.

        The columns are in the order of `classes_`, and each row sums to 1. `predict` returns the
        most probable class, the first one in a tie; ``"nearest"`` returns the class of the nearest
        labelled row. ``"scores"`` turns class scores into probabilities by class-mass normalization
        (Zhu, Ghahramani, Lafferty: International Conference on Machine Learning (2003), section 4),
        and gives none with ``prior="none"``. A row far from all landmarks of an rbf kernel, whose
        kernel values are all 0, gets the priors of the classifier, or the class frequencies of the
        labelled rows. Returns a lazy dask collection if X is one.
        """
        if partitions := _in_partitions(X):
            return partitions.predict_proba(self, X)
        x = self._validated(X)
        _, scores = self._model.predict(x, self.n_jobs, self.verbose)
        return scores

    @_available_if(_reads_classes)
    def typicality(self, X: _rows.Matrix) -> np.ndarray:
        """Return how typical each row is of the training rows, in (0, 1].

        This is the fraction of training rows that lie at least as far from other rows, within the
        projection and off it. It is evenly distributed for rows like those of the fit, and small
        for rows of unknown classes. Models of ``--missing drop`` return NaN for a row with NaN.

        Raises
        ------
        Error
            The model is old, composed, or fitted from statistics, and lacks these distances.
        """
        return self._model.typicality(self._validated(X), self.n_jobs, self.verbose)

    @_available_if(_gives_shares)
    def predict_log_proba(self, X: _rows.Matrix) -> np.ndarray:
        """Return the logarithms of `predict_proba`; 0 counts as the smallest normal number."""
        logs: np.ndarray = np.log(np.maximum(self.predict_proba(X), np.finfo(np.float64).tiny))
        return logs

    score = _available_if(_reads_classes)(score_labelled)

    @property
    def _why_no_classifier(self) -> str:
        """Why a fitted estimator has no classifier."""
        if self._model.class_count < 2:
            return "it was fitted without labels of at least two classes (-1: unlabelled)"
        if getattr(self, "classifier", "auto") == "scores":
            return "classifier 'scores' of this method scores only the rows of the fit"
        return "its model has none: fit it again with one"

    # ---- back to rows ----

    @_available_if(_is_linear)
    def inverse_transform(self, Z: typing.Any) -> np.ndarray:
        """Return rows that `transform` embeds at `Z`; for PCA, the reconstructions.

        Many rows have the same embedding. This is the one nearest to ``mean_``, with columns
        multiplied by ``scale_``: the pseudo-inverse of the projection, divided by ``scale_``.
        Linearly dependent components, such as class scores, are solved by least squares. The row
        steps `log1p` and `idf` are inverted. This method does not exist for models with a kernel or
        with the row steps `total`, `snv`, `derivative`, `select` or `l2`, which lose information.

        Parameters
        ----------
        Z : array-like of shape (n_samples, n_components_)

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        z = check_array(Z, dtype=[np.float64, np.float32])
        if z.shape[1] != self.n_components_:
            raise ValueError(
                f"Z must have {self.n_components_} columns, the components, got {z.shape[1]}"
            )
        units = np.zeros_like(self.scale_)
        np.divide(1, self.scale_, out=units, where=self.scale_ > 0)
        # smaller singular values are rounding errors: the components of class scores add up to 0
        inverse = np.linalg.pinv(units[:, None] * self.components_.T, rcond=1e-10)
        x = self._model.undone(z @ inverse * units + self.mean_)
        return x.astype(z.dtype, copy=False)

    @understood
    def suggest(self, X: _rows.Matrix, y: _rows.Labels = None, n: int = 10) -> Suggestions:
        """Suggest rows to label next.

        The model is uncertain about their classes, they are typical of many such rows, and their
        embeddings lie apart from labelled rows and from each other. If the model has no classes,
        the rows cover the data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows to choose from. They can differ from the rows of the fit.
        y : array-like of shape (n_samples,), optional
            Their labels; -1, NaN, None and pd.NA mean unlabelled. Labelled rows, and rows nearly
            equal to them, are not suggested.
        n : int, default=10
            At least 1. A smaller `n` gives the first of the same rows. If there are too few rows, a
            PenumbraWarning says so.

        Returns
        -------
        Suggestions
            Best first: `rows`, the two likeliest `classes` of each with their `probabilities`, and
            `shares`, the fraction of all uncertainty that each label would resolve. Error: the
            model has classes and does not predict them.

        Examples
        --------
        >>> import numpy as np, penumbra
        >>> truth = np.arange(90) % 3
        >>> x = np.random.default_rng(0).normal(size=(90, 4)) + 4 * np.eye(4)[truth]
        >>> y = np.where(np.arange(90) < 6, truth, -1)
        >>> found = penumbra.FME().fit(x, y).suggest(x, y, n=5)
        >>> len(found), bool((y[found.rows] == -1).all())
        (5, True)
        """
        x = self._validated(X)
        classes = getattr(self, "classes_", None)
        return suggest_rows(self._model, x, n, y, classes, self.n_jobs, self.verbose)

    def get_feature_names_out(self, input_features: typing.Any = None) -> np.ndarray:
        """Return the names of the dimensions, the method and a number, such as ``"self0"``.
        `input_features` is ignored."""
        check_is_fitted(self)
        prefix = str.lower(type(self).__name__)
        return np.array([f"{prefix}{i}" for i in range(self.n_components_)], dtype=object)

    # ---- saving ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as a safetensors file, which the command and the C library also read.

        The file is written completely or not at all. It holds the projection, the parameters of
        the method, and the names of classes and columns, but not `n_jobs` and `verbose`. OSError:
        the system's error.
        """
        check_is_fitted(self)
        self._model.save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model that `save` or the command wrote; `penumbra.load` reads any method's model.
        OSError: it cannot be read; Error: it is not a model file, or has another method."""
        loaded = load(path)
        if not isinstance(loaded, cls):
            kinds = [kind.__dict__.get("_method", kind.__name__) for kind in (cls, type(loaded))]
            raise Error(f"{os.fspath(path)} must be a model of {kinds[0]}, got one of {kinds[1]}")
        return loaded

    # ---- leaving this package ----

    def to_onnx(self, dtype: typing.Any = np.float32, compute: str = "float64") -> typing.Any:
        """Export the model as an ONNX graph, which runs without this package.

        Parameters
        ----------
        dtype : {float32, float64, uint8}, default=float32
            The type of the input. The graph returns float32 for float32 rows, otherwise float64, as
            `transform` does.
        compute : {"float64", "float32"}, default="float64"
            The precision of the graph. Use ``"float32"`` for programs without double precision.

        Returns
        -------
        onnx.ModelProto
            Input ``X`` of shape (n, n_features), output ``Z`` of shape (n, n_components_). With a
            classifier also ``class`` of shape (n,), whole numbers below 2^63 or text, and
            ``probabilities`` of shape (n, n_classes), or raw ``scores`` if there is no
            `predict_proba`. The metadata hold the method, its parameters, the classifier, and the
            names of columns and classes. ``compute="float32"`` adds `difference`, the largest error
            of Z, in standard deviations of its columns, or of a probability. It is measured on at
            most 256 training rows, or, for an estimator from a file, on rows drawn from the means
            and deviations of the columns. A warning reports an error above 0.001, or none measured.

        Notes
        -----
        All row steps are part of the graph. A value that `transform` refuses, such as a negative
        count, gives NaN or infinity.

        Run large models in small batches. For a batch of n rows, the classifiers nearest and
        neighbors take 8 n l n_components_ bytes with l labelled rows. A kernel takes 8 n m bytes
        with m landmarks; the laplacian kernel takes 8 n m d bytes. A precomputed kernel takes a
        column for each training row.

        Examples
        --------
        >>> import numpy as np, penumbra
        >>> x = np.random.default_rng(0).normal(size=(20, 3))
        >>> graph = penumbra.PCA(n_components=2).fit(x).to_onnx()
        >>> [output.name for output in graph.graph.output]
        ['Z']
        """
        from penumbra import _export

        return _export.to_onnx(self, dtype, compute)

    def to_faiss(self, index: typing.Any = None) -> typing.Any:
        """Export the model as a FAISS transform, alone or in front of a FAISS index.

        FAISS computes in single precision. The transform alone loses digits if columns lie far from
        zero; with an index, the mean is subtracted first. A warning reports an error of more than
        0.001 standard deviations of a dimension, measured as `to_onnx` does.

        Parameters
        ----------
        index : faiss.Index, optional
            An index of n_components_ dimensions.

        Returns
        -------
        faiss.LinearTransform or faiss.IndexPreTransform
            Without an index, the transform alone. With one, an index that takes rows of n_features
            columns and embeds them before it adds or searches them.

        Raises
        ------
        Error
            The index has another number of dimensions; the row step `l2` has no index; or the model
            has a kernel or the row steps `total`, `log1p`, `snv`, `derivative`, or `idf` before
            `l2`, which FAISS lacks: index the result of `transform` instead.

        Examples
        --------
        >>> import numpy as np, penumbra
        >>> x = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
        >>> pca = penumbra.PCA(n_components=2).fit(x)
        >>> np.allclose(pca.to_faiss().apply(x), pca.transform(x), atol=1e-5)
        True
        """
        from penumbra import _export

        return _export.to_faiss(self, index)

    # ---- description ----

    @classmethod
    def _of(cls, values: typing.Mapping[str, typing.Any]) -> Self:
        """Return an unfitted estimator with these parameters, ignoring unknown ones."""
        known = set(cls._get_param_names())
        given = {name: value for name, value in values.items() if name in known}
        usual = {p.name: p.default for p in method_named(getattr(cls, "_method", "auto")).params}
        if given.get("n_components") == usual.get("n_components", ""):  # "all", "auto"
            given["n_components"] = None
        return cls(**given)

    @property
    def method(self) -> Method:
        """The method as the library describes it: title, source, cost, parameters."""
        return method_named(self._method)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = getattr(self, "kernel", "none") == "precomputed"
        tags.input_tags.sparse = not tags.input_tags.pairwise
        tags.target_tags.required = self._needs_labels
        tags.target_tags.one_d_labels = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        # scikit-learn stratifies folds and scores probabilities for classifiers only. Before the
        # fit, only methods that need labels are known to be classifiers. Reading tags must not
        # start a fit that was put off.
        tags.classifier_tags = ClassifierTags()  # required wherever predict_proba exists
        needs_one = self._needs_labels and self.classifier != "none"
        if self._model.classifier_name is not None if "_model" in vars(self) else needs_one:
            tags.estimator_type = "classifier"
        return tags

    @property
    def _needs_labels(self) -> bool:
        return "labels" in self.method.traits


class PairReducer(Reducer):
    """The base class of methods that learn from pairs of rows."""

    @understood
    def fit(
        self,
        X: _rows.Matrix,
        y: _rows.Labels = None,
        *,
        must_link: typing.Any = None,
        cannot_link: typing.Any = None,
        row_id: typing.Any = None,
        groups: typing.Any = None,
        graph: typing.Any = None,
    ) -> Self:
        pairs = {"must_link": must_link, "cannot_link": cannot_link, "row_id": row_id}
        return self._fit(X, y, groups=groups, graph=graph, **pairs)

    fit.__doc__ = str(Reducer.fit.__doc__).replace(
        "        groups : array-like",
        """\
        must_link, cannot_link : array-like of shape (m, 2) or Pairs, optional
            Pairs of row numbers of `X`, or of ids if `row_id` is given. ``Pairs(pairs, weights)``
            gives them weights. Labels also count as pairs. `must_link` can instead be one group per
            row, -1 for none; rows of a group are must-linked.
        row_id : array-like of shape (n_samples,), optional
            The id of each row. Pairs with unknown ids are ignored, as cross-validation needs.
        groups : array-like""",
    )


_AnyReducer = typing.TypeVar("_AnyReducer", bound=Reducer)


def load(path: str | os.PathLike[str]) -> Reducer:
    """Read a model that `Reducer.save` or the command wrote, as an instance of its method's class.

    A model that was fitted without naming a method becomes an `AutoReducer`. OSError: the file
    cannot be read; Error: it is not a model file, or is damaged.
    """
    model = Model.load(path)
    try:
        return from_model(model)
    except Error as error:
        raise Error(f"{os.fspath(path)}: {error}", error.code) from None


def class_of(method: str) -> type[Reducer]:
    """Return the class of a method by its name in the library. Error: there is none."""
    name = method_named(method).class_name
    home = "penumbra._auto" if method == "auto" else "penumbra._methods"  # they import this module
    return typing.cast("type[Reducer]", getattr(importlib.import_module(home), name))


def from_model(model: Model) -> Reducer:
    """Return a model as a fitted estimator of its method, with its parameters. The method of a
    composed model is its last one."""
    last = model.last_method
    own = {
        python_name(name.removeprefix(f"{last}.")): value
        for name, value in model.parameters.items()
        if name.startswith(f"{last}.")
    }
    values = {**own, **model.parameters}
    if last == "auto" or model.is_ensemble:
        auto = class_of("auto")._of(values if last == "auto" else {})
        auto.set_params(ensemble=model.is_ensemble)
        return filled(auto, model)
    return filled(class_of(last)._of(values), model)


def filled(estimator: _AnyReducer, model: Model) -> _AnyReducer:
    """Set the fitted attributes of `estimator` from the model, and return it."""
    estimator.n_features_in_ = model.columns
    if model.column_names is not None:
        estimator.feature_names_in_ = np.array(model.column_names, dtype=object)
    estimator._take(model, None)
    return estimator
