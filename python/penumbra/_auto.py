"""AutoReducer chooses what suits the data, as the command's `fit` without a method does."""

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
    """Warn about columns that determine labels, near copies of rows, and a single class."""
    _leaks.warn_of(data)
    for line in _leaks.copies(data):
        warn(line)
    if classes is not None and len(classes.values) == 1:
        warn(
            f'y has labels of one class only, "{classes.names[0]}": they cannot show'
            " which method suits the data"
        )


class AutoReducer(PairReducer):
    """Choose a projection and a classifier that suit the data, as ``penumbra fit DATA`` does.

    From labels of at least two classes, it learns one small linear projection and a classifier on
    it. It holds out some labels to try a dozen candidates: principal components, SELF and FME, with
    and without kernels, each with a classifier. The candidates within a standard error of the best
    form the ensemble. The mean of their probabilities classifies a sample of at most
    ``5000 * effort`` rows. The projection is learned from these probabilities: first directions
    that separate the classes, then principal components of the remaining variation, as few as agree
    with the ensemble. With ``ensemble=True`` the model keeps the ensemble, whose mean then
    predicts; `transform` stays the same.

    With pairs in addition to labels, it compares all methods on held-out labels, as `compare` does,
    and fits the recommended one with tuned parameters. If no labels can be held out, it fits WBDR
    to pairs of both kinds, SSDR to pairs of one kind, and PCA to rows alone or to labels of one
    class. `best_estimator_` is the fitted method.

    Inside a search or cross-validation every fit chooses again, so the score of AutoReducer is
    honest.

    Parameters
    ----------
    n_components : int, optional
        The number of dimensions. None: the fewest that predict the classes equally well.
    ensemble : bool, default=False
        Keep the ensemble and predict with it. The model is larger. Needs labels of at least two
        classes and no pairs.
    classifier : {"auto", "neighbors", "nearest", "means", "lda", "logistic"}, default="auto"
        The classifier on the projection. ``"auto"``: the nearest rows of the sample vote with their
        probabilities; the model stores these rows. ``"lda"``: a small model that is slightly less
        accurate. Needs labels of at least two classes and no pairs.
    effort : float, default=1.0
        How much to try, up to 100. 0: hold nothing out, and predict by the class scores of FME.
        The result depends on data, seed and settings, not on speed.
    row_steps : str, default=""
        Steps applied to each row first, as for other methods. If there are none and the rows are
        curves, the steps for spectra are tried.
    random_state : int, RandomState or Generator, default=0
        The seed of the sample and the trials, in [0, 2**53]; None is 0.
    contradictions : {"error", "drop"}, default="error"
        Raise an error if pairs, or chains of must-links, contradict other pairs or labels, or drop
        them.
    closure : bool, default=False
        Also add the must-links that chains of must-links imply.
    pair_weights : {"given", "agreement"}, default="given"
        Use the given weights of pairs. ``"agreement"``: multiply each by how well the pair agrees
        with the pairs around it, in case some pairs are wrong.
    sample_pairs : int or str, default="all"
        Learn from a random sample of the pairs of labelled rows: ``200`` pairs, ``"5%"``, or
        ``"50+100"`` must-links and cannot-links.
    n_jobs : int, optional
        Threads: None or -1 for all cores that the process may use. Results do not depend on it.
    verbose : bool, default=False
        Show progress.

    Attributes
    ----------
    comparison_ : Comparison
        The candidates and the expected accuracy on unlabelled rows, also for a model from a file.
        Its `results` contain `p_value`, for the hypothesis that labels and rows are unrelated;
        `folds` and `runs`, 0 if nothing was tried; and the numbers of `rows` and `labelled` rows in
        the sample.
    label_distributions_ : ndarray of shape (n_samples, n_classes)
        Class probabilities of the training rows, after a fit to labels without pairs: 1 and 0 for
        labelled rows. For rows of the sample they come from the ensemble, which can use more than
        `predict_proba` does: the neighbors of each row. Not saved in files.
    transduction_ : ndarray of shape (n_samples,)
        The most probable classes of these rows.
    members_ : tuple of Reducer
        With ``ensemble=True``: the fitted models of the ensemble, best first.
    picture_ : ndarray of shape (n_components_, 2), or None
        ``transform(X) @ picture_`` gives the two coordinates that show the classes best.
    best_estimator_ : Reducer
        The chosen and fitted method, if there were pairs or fewer than two classes.
    components_, mean_, n_components_, info_, classes_, classifier_, n_features_in_,
    feature_names_in_
        As in other estimators.

    Warns
    -----
    PenumbraWarning
        The labels do not predict classes better than guessing. A column determines the labels: the
        classes may have been left among the values. All labels are of one class. Python shows each
        warning once, for any number of folds.

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
            raise Error("graph needs a named method, such as SELF, instead of AutoReducer")
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
            self.classifier_ = "ensemble"  # also for files whose first member also embeds
            self.members_ = tuple(map(self._part, model.members()))
        elif model.last_method != "auto":
            self.best_estimator_ = self._part(model)
        best = clone(vars(self).get("best_estimator_", self))
        self.comparison_ = tried(self.info_.get("trials", {"predicts": True}), best)

    def _part(self, model: Model) -> Reducer:
        """One model of this estimator, as an estimator of its method."""
        part = from_model(model)
        part.set_params(n_jobs=self.n_jobs, verbose=self.verbose)
        for name in ("classes_", "feature_names_in_"):
            if name in vars(self):
                setattr(part, name, vars(self)[name])
        return part

    # ---- description ----

    @property
    def _needs_labels(self) -> bool:
        """Whether these parameters require labels of two classes."""
        return bool(self.ensemble) or self.classifier != "auto"

    @property
    def method(self) -> Method:
        """The chosen method as the library describes it, or ``"auto"``."""
        check_is_fitted(self)
        best = vars(self).get("best_estimator_")
        return method_named("auto") if best is None else best.method
