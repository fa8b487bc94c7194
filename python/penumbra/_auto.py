"""AutoReducer: what suits the data, as the command's `fit` without a method finds it."""

from __future__ import annotations

import typing

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from penumbra import _leaks, _rows, _trials
from penumbra._comparison import Comparison, tried
from penumbra._estimators import PairReducer, Reducer, from_model, gathered
from penumbra._model import Model
from penumbra._native import Error, Method, method_named, spec, warn


def _warn_of(data: _rows.Data, classes: _rows.Classes | None) -> None:
    """Warnings about the data."""
    _leaks.warn_of(data)
    for line in _leaks.copies(data):
        warn(line)
    if classes is not None and len(classes.values) == 1:
        warn(
            f'y has labels of one class only, "{classes.names[0]}": they say nothing about'
            " which method suits the data"
        )


class AutoReducer(PairReducer):
    """What suits the data: what ``penumbra fit DATA`` of the command does.

    From labels of at least two classes it learns one small linear projection, and a classifier on
    it. Some labels are held out to try a dozen candidates: principal components, SELF and FME, of
    the columns and of kernels, each with a classifier. Those within a standard error of the
    best, the ensemble, classify all rows of a sample of at most ``5000 * effort`` rows, by the mean
    of their probabilities. From these the projection is learned: directions of the classes, then
    principal components of what is left within them, as few columns as agree with the ensemble.
    With ``ensemble=True`` its members are kept, and their mean predicts; `transform` is the same.

    With pairs of rows besides labels, labels are held out to compare all methods, as `compare`
    does, and the recommended one is fitted with tuned parameters. Where nothing can be held out it
    is WBDR for pairs of both kinds, SSDR for pairs of one kind, and PCA for rows alone or labels of
    one class. This one is `best_estimator_`.

    Inside a search or cross-validation every fit chooses anew: that is what makes the score of
    AutoReducer honest.

    Parameters
    ----------
    n_components : int, optional
        The number of dimensions. None: as few as say the same of the classes.
    ensemble : bool, default=False
        Keep the members, which predict together: a larger model. It needs labels of at least two
        classes, without pairs.
    classifier : {"auto", "neighbors", "nearest", "means", "lda", "logistic"}, default="auto"
        How classes are told from the projection. ``"auto"``: by the nearest rows of the sample,
        which vote with their probabilities, and are part of the model. ``"lda"``: a small model
        that is a little less accurate. For labels of at least two classes, without pairs.
    effort : float, default=1.0
        How much is tried, up to 100 times as much; 0: nothing is held out, and class scores of FME
        say the classes. The result depends on data, seed and settings, not on speed.
    row_steps : str, default=""
        What is done to each row first, as for other methods. Without them those of spectra are
        tried where rows are curves.
    random_state : int, RandomState or Generator, default=0
        The seed of sample and trials, in [0, 2**53]; None is 0.
    contradictions : {"error", "drop"}, default="error"
        Pairs, or chains of must-links, that contradict others or labels: an error, or dropped.
    closure : bool, default=False
        Also add the must-links that chains of must-links imply.
    pair_weights : {"given", "agreement"}, default="given"
        Weights of pairs as given, or times how well each agrees with the pairs around it, for pairs
        of which some are wrong.
    sample_pairs : int or str, default="all"
        Learn from a random sample of the pairs of labelled rows: ``200`` of them, ``"5%"``, or
        ``"50+100"`` must-links and cannot-links.
    n_jobs : int, optional
        Threads: None or -1 for all cores that the process may use; results do not depend on it.
    verbose : bool, default=False
        Show progress.

    Attributes
    ----------
    comparison_ : Comparison
        What was tried, and what to expect of rows without a label, also of a model from a file.
        Its `results` have the `p_value` that labels have nothing to do with rows, `folds` and
        `runs`, 0 where nothing was tried, the `rows` of the sample, and how many are `labelled`.
    label_distributions_ : ndarray of shape (n_samples, n_classes)
        Of labels without pairs: probabilities of the rows of the fit, 1 and 0 for labelled rows;
        not in files. Rows of the sample have those of the ensemble, which may know more of them
        than `predict_proba`: their neighbors.
    transduction_ : ndarray of shape (n_samples,)
        Their classes.
    members_ : tuple of Reducer
        With ``ensemble=True``: fitted, the best one first.
    picture_ : ndarray of shape (n_components_, 2), or None
        ``transform(X) @ picture_`` are two coordinates that show the classes best.
    best_estimator_ : Reducer
        With pairs, and without labels of two classes: the chosen one, fitted.
    components_, mean_, n_components_, info_, classes_, classifier_, n_features_in_,
    feature_names_in_
        As of other estimators.

    Warns
    -----
    PenumbraWarning
        The labels do not predict classes here: nothing is above guessing. A column determines the
        labels: the classes may have been left among the values. Python shows it once, however many
        folds there are. Labels of one class only, which say nothing.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> rng = np.random.default_rng(0)
    >>> truth = np.arange(90) % 3
    >>> x = rng.normal(size=(90, 4)) + 4 * np.eye(4)[truth]
    >>> y = np.where(np.arange(90) < 15, truth, -1)  # most rows are unlabelled
    >>> auto = penumbra.AutoReducer().fit(x, y)
    >>> auto.transform(x).shape, auto.predict(x[:3]), auto.predict_proba(x).shape
    ((90, 2), array([0, 1, 2]), (90, 3))
    >>> bool(auto.score(x, truth) > 0.95)
    True
    """

    comparison_: Comparison
    best_estimator_: Reducer
    members_: tuple[Reducer, ...]
    picture_: np.ndarray | None

    def __init__(
        self,
        n_components: int | None = None,
        *,
        ensemble: bool = False,
        classifier: str = "auto",
        effort: float = 1.0,
        row_steps: str = "",
        contradictions: typing.Literal["error", "drop"] = "error",
        closure: bool = False,
        pair_weights: typing.Literal["given", "agreement"] = "given",
        sample_pairs: int | str = "all",
        random_state: int | np.random.RandomState | np.random.Generator = 0,
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.n_components = n_components
        self.ensemble = ensemble
        self.classifier = classifier
        self.effort = effort
        self.row_steps = row_steps
        self.contradictions = contradictions
        self.closure = closure
        self.pair_weights = pair_weights
        self.sample_pairs = sample_pairs
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    # ---- fitting ----

    def _learn(self, X: _rows.Matrix, y: _rows.Labels, given: dict[str, typing.Any]) -> None:
        if given.pop("graph", None) is not None:
            raise Error("graph is for a method that is named, not for a choice of one")
        data, classes = gathered(self, X, y, given)
        settings = spec("auto", self._values("auto"))
        _warn_of(data, classes)
        try:
            model = Model.fit(settings, data, self.n_jobs, self.verbose)
        except Error as error:
            raise self._refusal(error, data.rows.values, y) from None
        self._take(model, None if classes is None else classes.values)
        found = self.comparison_
        if not found.predicts:
            warn(_trials.no_better(found.best_score, found.error, found.chance, uncertain=True))

    def _take(self, model: Model, classes: np.ndarray | None) -> None:
        super()._take(model, classes)
        for name in ("best_estimator_", "members_"):
            self.__dict__.pop(name, None)
        self.picture_ = model.tensor("picture")
        if model.is_ensemble:
            self.classifier_ = "ensemble"  # also of files whose first member embeds, too
            self.members_ = tuple(map(self._part, model.members()))
        elif model.last_method != "auto":
            self.best_estimator_ = self._part(model)
        best = clone(vars(self).get("best_estimator_", self))
        self.comparison_ = tried(self.info_.get("trials", {"predicts": True}), best)

    def _part(self, model: Model) -> Reducer:
        """A model of this one, as an estimator of its method with what this one knows."""
        part = from_model(model)
        part.set_params(n_jobs=self.n_jobs, verbose=self.verbose)
        for name in ("classes_", "feature_names_in_"):
            if name in vars(self):
                setattr(part, name, vars(self)[name])
        return part

    # ---- what it is ----

    @property
    def _needs_labels(self) -> bool:
        """What it is to be has no sense without labels of two classes."""
        return bool(self.ensemble) or self.classifier != "auto"

    @property
    def method(self) -> Method:
        """The method as the library describes it: the chosen one, or ``"auto"``."""
        check_is_fitted(self)
        best = vars(self).get("best_estimator_")
        return method_named("auto") if best is None else best.method
