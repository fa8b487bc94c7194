"""Classifiers that bench/auto_table.py compares with: scikit-learn's, each with the parameters
that are best in cross-validation on the labels, and the nearest row in a map of umap-learn."""

import warnings

import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC

MANY_COLUMNS, COMPONENTS, VARIANCE = 80, 100, 0.99


def views(x):
    """What classifiers are given: the columns as they are; standardized; and of these, where there
    are more than 80, all principal components, or those with 99 % of the variance, at most 100."""
    z = StandardScaler().fit_transform(x)
    if z.shape[1] <= MANY_COLUMNS:
        return {"raw": x, "all": z, "few": z}
    z = PCA(svd_solver="full").fit_transform(z)
    shares = np.cumsum(z.var(0)) / z.var(0).sum()
    count = min(COMPONENTS, 1 + int(np.searchsorted(shares, VARIANCE)))
    return {
        "raw": x,
        "all": z[:, shares - z.var(0) / z.var(0).sum() < 1 - 1e-12],
        "few": z[:, :count],
    }


def logistic(c):
    return LogisticRegression(C=c, max_iter=500, tol=1e-3)


def candidates(rows):
    """Of each classifier: whether it learns from unlabelled rows, and its variants, each with the
    rows that it gets; of equally good ones the first is taken."""
    columns, d = rows["raw"].shape[1], rows["few"].shape[1]
    wide = ["all"] if columns > MANY_COLUMNS else []

    def lda(shrinkage):
        return LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage)

    def on(view, models):
        return [(view, model) for model in models]

    return {
        "SVC rbf": (
            False,
            on("few", [SVC(C=c, gamma=g / d) for c in (10, 1, 100) for g in (0.2, 1, 0.04)])
            + [(v, SVC(C=10, gamma=g / rows[v].shape[1])) for v in wide for g in (0.2, 0.04)],
        ),
        "random forest": (
            False,
            [
                ("raw", RandomForestClassifier(100, max_features=share, random_state=0))
                for share in ("sqrt", min(1.0, 2 / np.sqrt(columns)))
            ],
        ),
        "logistic regression": (
            False,
            on("few", [logistic(c) for c in (1, 0.1, 10)]) + [(v, logistic(1)) for v in wide],
        ),
        "self-training logistic": (
            True,
            on("few", [SelfTrainingClassifier(logistic(c), threshold=0.9) for c in (1, 0.1)]),
        ),
        "shrinkage LDA": (
            False,
            on("few", [lda("auto"), lda(0.5), lda(0.1)])
            + [(v, lda(s)) for v in wide for s in (0.5, 0.1)],
        ),
        "LabelSpreading": (
            True,
            [("few", LabelSpreading(kernel="knn", n_neighbors=7, alpha=0.2))]
            + [
                ("few", LabelSpreading(gamma=g / d, alpha=a))
                for g in (1, 4, 0.25)
                for a in (0.2, 0.8)
            ],
        ),
        "k-NN": (
            False,
            on("few", [KNeighborsClassifier(k, weights="distance") for k in (1, 3, 5)])
            + [("raw", KNeighborsClassifier(1))],
        ),
    }


def tell(model, x, given, semi):
    """The classes of all rows by a model that learns from those with given >= 0. A model that does
    not fit these labels (one class, too few rows) tells the most frequent one."""
    known = given >= 0
    most = np.bincount(given[known]).argmax()
    if isinstance(model, KNeighborsClassifier):
        model.set_params(n_neighbors=min(model.n_neighbors, int(known.sum())))
    with warnings.catch_warnings():
        for kind in (ConvergenceWarning, UserWarning, RuntimeWarning, FutureWarning):
            warnings.simplefilter("ignore", kind)
        try:
            if semi:
                model.fit(x, given)
            else:
                model.fit(x[known], given[known])
            return model.predict(x)
        except (ValueError, np.linalg.LinAlgError):
            return np.full(len(given), most)


def folds(given, rng, count):
    """A fold for each labelled row, the rows of each class spread evenly; -1: unlabelled."""
    fold = np.full(len(given), -1)
    first = 0
    for c in np.unique(given[given >= 0]):
        rows = rng.permutation(np.flatnonzero(given == c))
        fold[rows] = (first + np.arange(len(rows))) % count
        first += len(rows)
    return fold


def held_out(given):
    """The labels of each trial with a fold hidden, and the rows of it: as many folds and runs as
    penumbra takes, but one run where there are 100 labels."""
    counts = np.bincount(given[given >= 0])
    each = counts.mean()
    count, runs = (3, 2) if each < 6 else (4, 2) if each < 20 else (3, 1)
    for run in range(runs if counts.sum() < 100 else 1):
        fold = folds(given, np.random.default_rng(run), min(count, counts.max()))
        for f in range(fold.max() + 1):
            yield np.where(fold == f, -1, given), np.flatnonzero(fold == f)


def scikit_learn(draw, only=None):
    """Accuracy of each classifier, or of those named, on the hidden rows, and of the one that is
    best in cross-validation; equally good ones count as their mean."""
    rows = views(draw.x)
    trials = list(held_out(draw.given))
    found, scores = {}, {}
    for name, (semi, models) in candidates(rows).items():
        if only and name not in only:
            continue
        right = [
            sum(np.sum(tell(m, rows[v], given, semi)[hid] == draw.y[hid]) for given, hid in trials)
            for v, m in models
        ]
        view, best = models[int(np.argmax(right))]
        scores[name] = max(right)
        found[name] = draw.accuracy(tell(best, rows[view], draw.given, semi))
    top = max(scores.values())
    found["best of scikit-learn"] = float(
        np.mean([found[name] for name in found if scores[name] == top])
    )
    return found


def nearest(z, draw):
    """The class of the nearest labelled row."""
    a = z[draw.known]
    squares = (z**2).sum(1)[:, None] + (a**2).sum(1)[None] - 2 * z @ a.T
    return draw.y[draw.known][squares.argmin(1)]


def umap(draw):
    """umap-learn with the labels, -1 for hidden ones, in ten dimensions, and the nearest row."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from umap import UMAP

        z = UMAP(n_components=min(10, draw.x.shape[1]), random_state=0, n_jobs=1).fit_transform(
            views(draw.x)["few"], draw.given
        )
    return {"umap-learn + 1-NN": draw.accuracy(nearest(z.astype(np.float64), draw))}
