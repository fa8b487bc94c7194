"""AutoReducer: the recommended method, tuned and fitted, as the command's `fit auto` does."""

from __future__ import annotations

import copy
import typing
import warnings

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from penumbra import _rows, _trials
from penumbra._c import ffi, lib
from penumbra._choice import choose, compare_data
from penumbra._comparison import Comparison
from penumbra._estimators import PairReducer, Reducer, from_model
from penumbra._model import Model
from penumbra._native import Error, Method, method_named, text


def _data_for(method: Method, data: _rows.Data) -> _rows.Data:
    """Without pairs for a method that does not learn from pairs."""
    if method.traits & {"must_links", "cannot_links"}:
        return data
    out = copy.copy(data)
    out.raw = ffi.new("pen_data *", data.raw[0])
    out.raw.must_link_count = out.raw.cannot_link_count = 0
    out.raw.sample = ffi.NULL
    return out


class AutoReducer(PairReducer):
    """The method that suits the data, tuned: what ``penumbra fit DATA`` of the command does.

    Labels are held out to compare all methods, as `compare` does, and the recommended one is fitted
    to all rows with tuned parameters. Where no labels can be held out it is WBDR for pairs of both
    kinds, SSDR for pairs of one kind, FME for one label a class, and PCA for rows alone or labels
    of one class.

    There is no `n_components`: the number of dimensions is part of what is chosen. For another one
    fit ``clone(auto.best_estimator_).set_params(n_components=2)``.

    Inside a search or cross-validation every fit compares anew: that is what makes the score of
    AutoReducer honest. A small `effort` makes it quick.

    Parameters
    ----------
    effort : float, optional
        How much is tried, in units of the default: about a minute on one core. The result depends
        on data, seed and settings, not on speed.
    kernels : bool, default=False
        Try each method with the rbf kernel, too.
    seconds : float, optional
        A time limit that cuts this short: the result then depends on speed. None: no limit.
    random_state : int, RandomState or Generator, default=0
        The seed of the trials, in [0, 2**64 - 1]; None is 0.
    on_contradiction : {"error", "drop"}, default="error"
        Pairs that are both must-linked and cannot-linked: an error, or dropped.
    transitive : {"off", "check", "close"}, default="off"
        Chains of must-links: not followed; an error where one joins cannot-linked rows; or all
        pairs that they join are added.
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
    comparison_ : Comparison or None
        How it was chosen; None: no labels could be held out.
    reason_ : str
        Why it was chosen, in a few words.
    components_, mean_, n_components_, info_, classes_, reader_, n_features_in_, feature_names_in_
        Of `best_estimator_`.

    Warns
    -----
    UserWarning
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
        seconds: float | None = None,
        random_state: int | np.random.RandomState | np.random.Generator = 0,
        on_contradiction: typing.Literal["error", "drop"] = "error",
        transitive: typing.Literal["off", "check", "close"] = "off",
        sample_pairs: int | float | tuple[int, int] | None = None,
        sample_seed: int = 0,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.effort = effort
        self.kernels = kernels
        self.seconds = seconds
        self.random_state = random_state
        self.on_contradiction = on_contradiction
        self.transitive = transitive
        self.sample_pairs = sample_pairs
        self.sample_seed = sample_seed
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _learn(self, X: _rows.Matrix, y: _rows.Labels, pairs: dict[str, typing.Any]) -> None:
        data, classes = self._gathered(X, y, pairs)
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
        found = _trials.leaks(data)
        for line in found:
            warnings.warn(line, stacklevel=5)
        if classes is not None and len(classes.values) == 1:
            warnings.warn(
                f'y has labels of one class only, "{classes.names[0]}": they say nothing about'
                " which method suits the data",
                stacklevel=5,
            )
        comparison: Comparison | None = None
        spec, reason = choose(data)
        if spec is None:
            comparison, raw = compare_data(
                data, classes, None, how, self.seconds, found, self.n_jobs, self.verbose
            )
            spec, reason = raw.candidates[raw.chosen].spec, comparison.reason
        method = method_named(text(lib.pen_method_name(lib.pen_spec_method(spec))))
        model = Model.fit(spec, _data_for(method, data), self.n_jobs, self.verbose)
        self._take(model, None if classes is None else classes.values)
        best = from_model(model)
        best.set_params(n_jobs=self.n_jobs, verbose=self.verbose)
        for name in ("classes_", "transduction_", "feature_names_in_"):
            if name in vars(self):
                setattr(best, name, vars(self)[name])
        self.best_estimator_, self.comparison_, self.reason_ = best, comparison, reason

    @property
    def method(self) -> Method:
        """The chosen method as the library describes it."""
        check_is_fitted(self)
        return self.best_estimator_.method

    def __sklearn_tags__(self) -> Tags:
        tags = super(Reducer, self).__sklearn_tags__()
        tags.target_tags.one_d_labels = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        self._note_classifier(tags, False)
        return tags
