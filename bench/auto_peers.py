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


def standard(x):
    """Standardized columns; of more than 80, components with 99 % of the variance, at most 100."""
    z = StandardScaler().fit_transform(x)
    if z.shape[1] > MANY_COLUMNS:
        z = PCA(svd_solver="full").fit_transform(z)
        explained = np.cumsum(z.var(0)) / z.var(0).sum()
        z = z[:, : min(COMPONENTS, 1 + np.searchsorted(explained, VARIANCE))]
    return z


def logistic(c):
    return LogisticRegression(C=c, max_iter=500, tol=1e-3)


def candidates(columns, d):
    """Of each classifier: the rows it gets, raw or d standardized columns, whether it learns from
    unlabelled ones, and its variants; of equally good ones the first is taken."""
    lda = [LinearDiscriminantAnalysis(solver="lsqr", shrinkage=s) for s in ("auto", 0.5, 0.1)]
    forests = [
        RandomForestClassifier(100, max_features=share, random_state=0)
        for share in ("sqrt", min(1.0, 2 / np.sqrt(columns)))
    ]
    svc = [SVC(C=c, gamma=g / d) for c in (10, 1, 100) for g in (0.2, 1, 0.04)]
    training = [SelfTrainingClassifier(logistic(c), threshold=0.9) for c in (1, 0.1)]
    spreading = [LabelSpreading(kernel="knn", n_neighbors=7, alpha=0.2)] + [
        LabelSpreading(gamma=g / d, alpha=a) for g in (1, 4, 0.25) for a in (0.2, 0.8)
    ]
    neighbors = [KNeighborsClassifier(k, weights="distance") for k in (1, 3, 5)]
    return {
        "SVC rbf": ("standard", False, svc),
        "random forest": ("raw", False, forests),
        "logistic regression": ("standard", False, [logistic(c) for c in (1, 0.1, 10)]),
        "self-training logistic": ("standard", True, training),
        "shrinkage LDA": ("standard", False, lda),
        "LabelSpreading": ("standard", True, spreading),
        "k-NN": ("standard", False, neighbors),
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
    penumbra takes."""
    counts = np.bincount(given[given >= 0])
    each = counts.mean()
    count, runs = (3, 2) if each < 6 else (4, 2) if each < 20 else (3, 1)
    for run in range(runs):
        fold = folds(given, np.random.default_rng(run), min(count, counts.max()))
        for f in range(fold.max() + 1):
            yield np.where(fold == f, -1, given), np.flatnonzero(fold == f)


def scikit_learn(draw, only=None):
    """Accuracy of each classifier, or of those named, on the hidden rows, and of the one that is
    best in cross-validation; equally good ones count as their mean."""
    rows = {"standard": standard(draw.x), "raw": draw.x}
    d = rows["standard"].shape[1]
    trials = list(held_out(draw.given))
    found, scores = {}, {}
    for name, (view, semi, models) in candidates(draw.x.shape[1], d).items():
        if only and name not in only:
            continue
        x = rows[view]
        right = [
            sum(np.sum(tell(m, x, given, semi)[hid] == draw.y[hid]) for given, hid in trials)
            for m in models
        ]
        best = int(np.argmax(right))
        scores[name] = right[best]
        found[name] = draw.accuracy(tell(models[best], x, draw.given, semi))
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
            standard(draw.x), draw.given
        )
    return {"umap-learn + 1-NN": draw.accuracy(nearest(z.astype(np.float64), draw))}
