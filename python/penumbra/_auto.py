"""AutoReducer and AutoClassifier: what suits the data, as the command's `fit` chooses it."""

from __future__ import annotations

import copy
import os
import typing
import warnings

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from penumbra import _leaks, _rows, _trials
from penumbra._c import ffi, lib
from penumbra._choice import compare_data
from penumbra._comparison import Comparison
from penumbra._estimators import PairReducer, Reducer, filled, from_model, opened
from penumbra._model import Model
from penumbra._native import Error, Method, PenumbraWarning, method_named, text
from penumbra._selected import Selection, has_labels_alone, select, selection_of

if typing.TYPE_CHECKING:
    from typing_extensions import Self


def _data_for(method: Method, data: _rows.Data) -> _rows.Data:
    """Without pairs for a method that does not learn from pairs."""
    if method.traits & {"must_links", "cannot_links"}:
        return data
    out = copy.copy(data)
    out.raw = ffi.new("pen_data *", data.raw[0])
    out.raw.must_link_count = out.raw.cannot_link_count = 0
    out.raw.sample = ffi.NULL
    return out


def _warn_of(data: _rows.Data, classes: _rows.Classes | None) -> tuple[str, ...]:
    """Warnings about the data, at the call of `fit`; returned are those of columns."""
    found = _leaks.warn(data, 6)
    for line in _trials.copies(data):
        warnings.warn(line, PenumbraWarning, 6)
    if classes is not None and len(classes.values) == 1:
        warnings.warn(
            f'y has labels of one class only, "{classes.names[0]}": they say nothing about'
            " which method suits the data",
            PenumbraWarning,
            stacklevel=6,
        )
    return found


class AutoReducer(PairReducer):
    """The method that suits the data: what ``penumbra fit DATA`` of the command does.

    Of labels of at least two classes some are held out, to try up to fourteen pairs of a map
    (principal components, SELF and FME, of the columns and of two kernels) and a reader of classes.
    Of those within a standard error of the best, the one whose answer for the unlabelled rows is
    most like that of all of them together is fitted, in the fewest dimensions that answer alike.
    Where no class has three labels it is FME with the rbf kernel. `AutoClassifier` takes the mean
    of all pairs that do as well.

    With pairs of rows besides labels, labels are held out to compare all methods, as `compare`
    does, and the recommended one is fitted with tuned parameters. Where nothing can be held out it
    is WBDR for pairs of both kinds, SSDR for pairs of one kind, and PCA for rows alone or labels of
    one class.

    There is no `n_components`: the number of dimensions is part of what is chosen. For another one
    fit ``clone(auto.best_estimator_).set_params(n_components=2)``.

    Inside a search or cross-validation every fit chooses anew: that is what makes the score of
    AutoReducer honest.

    Parameters
    ----------
    effort : float, optional
        How much is tried, in units of the default: at most about a minute on one core. The result
        depends on data, seed and settings, not on speed.
    kernels : bool, default=False
        Of labels with pairs: try each method with the rbf kernel, too.
    random_state : int, RandomState or Generator, default=0
        The seed of the trials, in [0, 2**64 - 1]; None is 0.
    on_contradiction : {"error", "drop"}, default="error"
        Pairs that are both must-linked and cannot-linked: an error, or dropped.
    transitive : {"check", "off", "close"}, default="check"
        Chains of must-links: a contradiction where one joins cannot-linked rows, or rows of two
        labels; not followed; or, after the check, all pairs that they join are added.
    pair_weights : {"given", "agreement"}, default="given"
        Weights of pairs as given, or times how well each agrees with the pairs around it, for pairs
        of which some are wrong: see `weigh_pairs`.
    sample_pairs : int, float or (int, int), optional
        Learn from a random sample of the pairs of labelled rows.
    sample_seed : int, default=0
    n_jobs : int, optional
        Threads: None or -1 for all cores that the process may use; results do not depend on it.
    verbose : bool, default=False
        Show progress.

    Attributes
    ----------
    best_estimator_ : Reducer
        The chosen one, fitted.
    selection_ : Selection or None
        How it was chosen by labels without pairs, of at least two classes.
    comparison_ : Comparison or None
        How it was chosen by labels with pairs. Both are None where no labels could be held out.
    reason_ : str
        Why it was chosen, in a few words.
    components_, mean_, n_components_, info_, classes_, reader_, n_features_in_, feature_names_in_
        Of `best_estimator_`.

    Warns
    -----
    PenumbraWarning
        A column determines the labels: the classes may have been left among the values. Python
        shows it once, however many folds there are. Labels of one class only, which say nothing.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> x = np.random.default_rng(0).normal(size=(40, 5)) * [9, 9, 1, 1, 1]
    >>> auto = penumbra.AutoReducer().fit(x)
    >>> type(auto.best_estimator_).__name__
    'PCA'
    >>> auto.transform(x).shape == (40, auto.n_components_)
    True
    """

    _why_no_dim = "it chooses the number of dimensions"

    best_estimator_: Reducer

    def __init__(
        self,
        *,
        effort: float | None = None,
        kernels: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator = 0,
        on_contradiction: typing.Literal["error", "drop"] = "error",
        transitive: typing.Literal["check", "off", "close"] = "check",
        pair_weights: typing.Literal["given", "agreement"] = "given",
        sample_pairs: int | float | tuple[int, int] | None = None,
        sample_seed: int = 0,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.effort = effort
        self.kernels = kernels
        self.random_state = random_state
        self.on_contradiction = on_contradiction
        self.transitive = transitive
        self.pair_weights = pair_weights
        self.sample_pairs = sample_pairs
        self.sample_seed = sample_seed
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _learn(self, X: _rows.Matrix, y: _rows.Labels, given: dict[str, typing.Any]) -> None:
        if given.pop("neighbors_graph", None) is not None:
            raise Error("neighbors_graph is for a method that is named, not for a choice of one")
        data, classes = self._gathered(X, y, given)
        _rows.require_finite(data)
        how = _trials.protocol(
            random_state=self.random_state, effort=self.effort, kernels=self.kernels
        )
        try:
            self._choose_and_fit(data, classes, how)
        except Error as error:
            raise self._refusal(error, data.rows.values, y) from None

    def _choose_and_fit(
        self, data: _rows.Data, classes: _rows.Classes | None, how: typing.Any
    ) -> None:
        leaks = _warn_of(data, classes)
        self.selection_: Selection | None = None
        self.comparison_: Comparison | None = None
        if has_labels_alone(data):
            model = self._selected(data, classes, how)
        else:
            model = self._recommended(data, classes, how, leaks)
        self._take(model, None if classes is None else classes.values)
        best = from_model(model)
        best.set_params(n_jobs=self.n_jobs, verbose=self.verbose)
        for name in ("classes_", "transduction_", "feature_names_in_"):
            if name in vars(self):
                setattr(best, name, vars(self)[name])
        self.best_estimator_ = best

    def _selected(self, data: _rows.Data, classes: typing.Any, how: typing.Any) -> Model:
        """The map that was chosen, with its reader."""
        if self.kernels:
            raise Error(
                "kernels must be False for labels without pairs (kernels are tried in any case),"
                f" got {self.kernels}"
            )
        raw = select(data, how.seed, how.effort, self.n_jobs, self.verbose)
        found = selection_of(raw, classes.names)
        self.selection_, self.reason_ = found, found.reason
        return Model.fit_selected(raw, data, lib.PEN_ANSWER_MAP, self.n_jobs, self.verbose)

    def _recommended(
        self,
        data: _rows.Data,
        classes: _rows.Classes | None,
        how: typing.Any,
        leaks: tuple[str, ...],
    ) -> Model:
        """The recommended one of all methods, or what needs no trials."""
        chosen = select(data, how.seed, 0, self.n_jobs, self.verbose)
        spec, self.reason_ = chosen.map, text(chosen.reason)
        if spec == ffi.NULL:
            found, raw = compare_data(data, classes, None, how, leaks, self.n_jobs, self.verbose)
            spec = raw.candidates[raw.chosen].spec
            self.comparison_, self.reason_ = found, found.reason
        method = method_named(text(lib.pen_method_name(lib.pen_spec_method(spec))))
        return Model.fit_graphs(spec, _data_for(method, data), self.n_jobs, self.verbose)[0]

    @property
    def method(self) -> Method:
        """The chosen method as the library describes it."""
        check_is_fitted(self)
        return self.best_estimator_.method

    def __sklearn_tags__(self) -> Tags:
        tags = super(Reducer, self).__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.one_d_labels = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        self._note_classifier(tags, False)
        return tags


class AutoClassifier(Reducer):
    """Classes of rows by the mean of several models: ``penumbra fit DATA --answer classes``.

    Some labels are held out to try all pairs of a map and a reader of `AutoReducer`. All that
    score within a standard error of the best are fitted to all rows, labelled or not, and their
    probabilities are averaged: better classes, and a larger model. `transform` embeds rows as the
    best one of them does.

    A fit to rows among which those to be classified are, unlabelled, is more accurate than one
    without these: see `transduction_`.

    Parameters
    ----------
    effort : float, optional
        How much is tried, in units of the default: at most about a minute on one core. The result
        depends on data, seed and settings, not on speed.
    random_state : int, RandomState or Generator, default=0
        The seed of the trials, in [0, 2**64 - 1]; None is 0.
    n_jobs : int, optional
        Threads: None or -1 for all cores that the process may use; results do not depend on it.
    verbose : bool, default=False
        Show progress.

    Attributes
    ----------
    members_ : tuple of Reducer
        Fitted, the best one first.
    selection_ : Selection or None
        How they were chosen. None: the model was read from a file.
    classes_ : ndarray of shape (n_classes,)
    propagated_ : ndarray of shape (n_samples, n_classes)
        Probabilities of the rows of the fit, where some of these are unlabelled; not in files. They
        may differ from `predict_proba` of these rows, for some members know more of them: their
        neighbors. Also called `label_distributions_`.
    transduction_ : ndarray of shape (n_samples,)
        Their classes.
    components_, mean_, n_components_, info_
        Of the first member.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Warns
    -----
    PenumbraWarning
        A column determines the labels: the classes may have been left among the values.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> rng = np.random.default_rng(0)
    >>> truth = np.arange(90) % 3
    >>> x = rng.normal(size=(90, 4)) + 4 * np.eye(4)[truth]
    >>> y = np.where(np.arange(90) < 15, truth, -1)  # most rows are unlabelled
    >>> model = penumbra.AutoClassifier().fit(x, y)
    >>> model.predict(x[:3]), model.predict_proba(x).shape
    (array([0, 1, 2]), (90, 3))
    >>> bool(model.score(x, truth) > 0.95)
    True
    """

    _why_no_dim = "it chooses the numbers of dimensions"

    members_: tuple[Reducer, ...]
    selection_: Selection | None

    def __init__(
        self,
        *,
        effort: float | None = None,
        random_state: int | np.random.RandomState | np.random.Generator = 0,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.effort = effort
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    # no neighbors_graph: its members are many methods
    def fit(  # type: ignore[override]
        self, X: _rows.Matrix, y: _rows.Labels = None, *, groups: typing.Any = None
    ) -> Self:
        """Choose the members and fit them to all rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows, labelled or not: NumPy float64, float32 or uint8 in any layout is used in
            place; pandas, polars, pyarrow, DLPack and other types are converted.
        y : array-like of shape (n_samples,)
            Labels of any one type, of at least two classes. -1, NaN, None and pd.NA mean
            unlabelled.
        groups : array-like of shape (n_samples,), optional
            Rows of one sample, as scans of a patient, have the same entry and are held out
            together; -1, NaN and None: a row by itself.

        Returns
        -------
        self

        Raises
        ------
        Error
            No labels (``PEN_NO_LABELS``), labels of one class (``PEN_ONE_CLASS``), an `effort` that
            leaves nothing to try.
        ValueError, TypeError
            Rows that are not numbers, NaN or infinite; sizes that do not match.
        KeyboardInterrupt
            Ctrl-C: the fit ends within a tenth of a second; a previous fit stays.
        """
        return self._fit(X, y, groups=groups)

    def _learn(self, X: _rows.Matrix, y: _rows.Labels, given: dict[str, typing.Any]) -> None:
        if given.pop("neighbors_graph", None) is not None:
            raise Error("neighbors_graph is for a method that is named, not for a choice of one")
        data, classes = self._gathered(X, y, given)
        _rows.require_finite(data)
        how = _trials.protocol(random_state=self.random_state, effort=self.effort)
        try:
            self._choose_and_fit(data, classes, how)
        except Error as error:
            raise self._refusal(error, data.rows.values, y) from None

    def _choose_and_fit(
        self, data: _rows.Data, classes: _rows.Classes | None, how: typing.Any
    ) -> None:
        raw = select(data, how.seed, how.effort, self.n_jobs, self.verbose)
        _warn_of(data, classes)
        values = None if classes is None else classes.values
        are_known = classes is None or bool((classes.codes >= 0).all())
        answer = lib.PEN_ANSWER_CLASSES if are_known else lib.PEN_ANSWER_ROWS
        model = Model.fit_selected(raw, data, answer, self.n_jobs, self.verbose)
        self._take(model, values)
        self.selection_ = selection_of(raw, () if classes is None else classes.names)

    def _take(self, model: Model, classes: np.ndarray | None) -> None:
        super()._take(model, classes)
        self.__dict__.pop("reader_", None)  # of the first member
        self.selection_ = None
        members = tuple(map(from_model, model.members()))
        for member in members:
            member.set_params(n_jobs=self.n_jobs, verbose=self.verbose)
            member.classes_ = self.classes_
            if hasattr(self, "feature_names_in_"):
                member.feature_names_in_ = self.feature_names_in_
        self.members_ = members

    def predict(self, X: _rows.Matrix) -> np.ndarray:
        """The class of each row: that of the largest probability, the first of equal ones.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            Of `classes_`.

        Raises
        ------
        NotFittedError, Error, ValueError
            As `transform`.
        """
        classes: np.ndarray = super().predict(X)
        return classes

    def predict_proba(self, X: _rows.Matrix) -> np.ndarray:
        """The mean of the probabilities that the members give the classes of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.

        Raises
        ------
        NotFittedError, Error, ValueError
            As `transform`.
        """
        shares: np.ndarray = super().predict_proba(X)
        return shares

    @property
    def propagated_(self) -> np.ndarray:
        """Probabilities of the rows of the fit."""
        return self.label_distributions_

    @property
    def method(self) -> Method:
        """The method of the first member, as the library describes it."""
        check_is_fitted(self)
        return self.members_[0].method

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model that `save` or the command wrote; one of a single member, too.

        Raises
        ------
        OSError
            It cannot be read.
        Error
            It is not a model file, or its model predicts no probabilities.
        """

        def made(model: Model) -> AutoClassifier:
            if not model.gives_shares:
                raise Error(
                    f"must be a model that predicts probabilities, got one of {model.method} that"
                    " does not"
                )
            return filled(cls(), model)

        return typing.cast("Self", opened(path, made))

    def __sklearn_tags__(self) -> Tags:
        tags = super(Reducer, self).__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.one_d_labels = True
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        self._note_classifier(tags, True)
        return tags
