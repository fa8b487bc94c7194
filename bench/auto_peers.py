"""The peers of bench/auto_table.py: classifiers of scikit-learn, each with the best parameters by
cross-validation on the labels, and the nearest row in an embedding by umap-learn."""

import warnings

import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC

MANY_COLUMNS, COMPONENTS, VARIANCE = 80, 100, 0.99


def views(draw):
    """Return training and new rows for the classifiers: unchanged columns, and standardized ones.
    More than 80 standardized columns are replaced by all principal components, or by those with
    99 % of the variance, at most 100."""
    scaler = StandardScaler().fit(draw.x)
    raw, z = (
        [draw.x, draw.new_x],
        [scaler.transform(x) if len(x) else x for x in (draw.x, draw.new_x)],
    )
    if draw.x.shape[1] <= MANY_COLUMNS:
        return {"raw": raw, "all": z, "few": z}
    pca = PCA(svd_solver="full").fit(z[0])
    z = [pca.transform(x) if len(x) else x[:, : pca.n_components_] for x in z]
    before = np.cumsum(pca.explained_variance_ratio_) - pca.explained_variance_ratio_
    count = min(COMPONENTS, int(np.sum(before < VARIANCE)))
    return {
        "raw": raw,
        "all": [x[:, before < 1 - 1e-12] for x in z],
        "few": [x[:, :count] for x in z],
    }


def logistic(c):
    return LogisticRegression(C=c, max_iter=500, tol=1e-3)


def candidates(rows):
    """Return for each classifier whether it learns from unlabelled rows, and its variants with
    their kind of rows. In a tie the first variant is taken."""
    columns, d = rows["raw"][0].shape[1], rows["few"][0].shape[1]
    wide = ["all"] if columns > MANY_COLUMNS else []

    def lda(shrinkage):
        return LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage)

    def on(view, models):
        return [(view, model) for model in models]

    return {
        "SVC rbf": (
            False,
            on("few", [SVC(C=c, gamma=g / d) for c in (10, 1, 100) for g in (0.2, 1, 0.04)])
            + [(v, SVC(C=10, gamma=g / rows[v][0].shape[1])) for v in wide for g in (0.2, 0.04)],
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


def tell(model, x, given, semi, asked):
    """Fit a model to the rows with given >= 0; return classes and probabilities (or None) of the
    rows `asked`. A model that cannot be fitted (one class, few rows) gives the commonest class."""
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
            p = model.predict_proba(asked).max(1) if hasattr(model, "predict_proba") else None
            return model.predict(asked), p
        except (ValueError, np.linalg.LinAlgError):
            return np.full(len(asked), most), None


def folds(given, rng, count):
    """Return a fold for each labelled row, classes spread evenly; -1: unlabelled."""
    fold = np.full(len(given), -1)
    first = 0
    for c in np.unique(given[given >= 0]):
        rows = rng.permutation(np.flatnonzero(given == c))
        fold[rows] = (first + np.arange(len(rows))) % count
        first += len(rows)
    return fold


def held_out(given):
    """Yield the labels of each trial with one fold hidden, and the rows of this fold. Folds and runs
    are as in penumbra, but one run if there are 100 labels."""
    counts = np.bincount(given[given >= 0])
    each = counts.mean()
    count, runs = (3, 2) if each < 6 else (4, 2) if each < 20 else (3, 1)
    for run in range(runs if counts.sum() < 100 else 1):
        fold = folds(given, np.random.default_rng(run), min(count, counts.max()))
        for f in range(fold.max() + 1):
            yield np.where(fold == f, -1, given), np.flatnonzero(fold == f)


def scikit_learn(draw, only=None):
    """Return the accuracy of each classifier (or of those in `only`) on unlabelled training rows
    and on new rows, its calibration, and the accuracy of the best classifier by cross-validation,
    in a tie the mean."""
    rows = views(draw)
    trials = list(held_out(draw.given))
    found, scores = {}, {}
    for name, (semi, models) in candidates(rows).items():
        if only and name not in only:
            continue
        right = [
            sum(
                np.sum(tell(m, rows[v][0], given, semi, rows[v][0][hid])[0] == draw.y[hid])
                for given, hid in trials
            )
            for v, m in models
        ]
        view, best = models[int(np.argmax(right))]
        scores[name] = max(right)
        told, p = tell(best, rows[view][0], draw.given, semi, np.vstack(rows[view]))
        n = len(draw.y)
        found[name] = draw.accuracy(told[:n], told[n:])
        if p is not None and np.isfinite(p).all():
            found[name] |= draw.bins(told[:n], p[:n], told[n:], p[n:])
    if only:
        return found
    top = [found[name] for name in found if scores[name] == max(scores.values())]
    found["best of scikit-learn"] = {
        part: float(np.mean([accuracy[part] for accuracy in top])) for part in ("fit", "new")
    }
    return found


def nearest(draw, z, new):
    """Return the accuracy of the nearest labelled row."""
    model = KNeighborsClassifier(1).fit(z[draw.known], draw.y[draw.known])
    told = model.predict(np.vstack([z, new]))
    return draw.accuracy(told[: len(z)], told[len(z) :])


def purity(z, y, asked):
    """Return the fraction of the ten nearest rows that have the class of the row."""
    near = (
        NearestNeighbors(n_neighbors=min(10, len(z) - 1)).fit(z).kneighbors(return_distance=False)
    )
    return float(np.mean((y[near] == y[:, None])[asked]))


def umap(draw):
    """Run umap-learn with the labels: the nearest labelled row in ten dimensions, and a picture of
    the training rows in two."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from umap import UMAP

        x, new = views(draw)["few"]
        ten = UMAP(n_components=min(10, x.shape[1]), random_state=0, n_jobs=1).fit(x, draw.given)
        found = nearest(draw, ten.embedding_, ten.transform(new))
        two = UMAP(n_components=2, random_state=0, n_jobs=1).fit_transform(x, draw.given)
    return {"umap-learn + 1-NN": {**found, "picture": [purity(two, draw.y, ~draw.known)]}}
