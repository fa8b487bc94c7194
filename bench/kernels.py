"""Kernels on real data with few labels: accuracy next to linear maps, UMAP and a support vector
machine.

    PENUMBRA_DATA=FOLDER python bench/kernels.py [SET...] [--labels N] [--draws N]

N rows of each class (10) are labelled at random, the others are not; columns of segmentation2100
have standard deviation one. Reducers learn from all rows, the support vector machine from the
labelled ones. Accuracy on the unlabelled rows, by the nearest labelled row in the embedding: mean
and standard deviation over the draws; seconds of a fit with its embedding, median.
"""

import argparse
import os
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")

LANDMARKS = 1000


def load(name):
    folder = os.path.join(os.environ["PENUMBRA_DATA"], name)
    x = np.load(os.path.join(folder, "X.npy")).astype(np.float64)
    y = np.unique(np.load(os.path.join(folder, "y.npy")), return_inverse=True)[1]
    if name.startswith("segmentation"):
        spread = x.std(0)
        x = (x - x.mean(0)) / np.where(spread > 0, spread, 1)
    return np.ascontiguousarray(x), y


def labels_of(y, per_class, seed):
    rng = np.random.default_rng(seed)
    known = np.full(len(y), -1)
    for c in np.unique(y):
        known[rng.permutation(np.flatnonzero(y == c))[:per_class]] = c
    return known


def accuracy(z, known, y):
    """Of the nearest labelled row."""
    some, others = np.flatnonzero(known >= 0), np.flatnonzero(known < 0)
    distance2 = (z[some] ** 2).sum(1) - 2 * z[others] @ z[some].T
    return float((known[some][distance2.argmin(1)] == y[others]).mean())


def median_gamma(x):
    """1 / the median squared distance, of up to 2000 rows."""
    from scipy.spatial.distance import pdist

    rows = np.random.default_rng(0).permutation(len(x))[:2000]
    return 1 / np.median(pdist(x[rows], "sqeuclidean"))


def reducers(classes):
    """Names, and functions from rows and labels to an embedding."""
    import penumbra

    def embed(name, **parameters):
        dims = {} if name == "FME" else {"n_components": classes - 1, "allow_fewer": True}

        def run(x, known):
            estimator = getattr(penumbra, name)(n_jobs=2, **dims, **parameters)
            return estimator.fit(x, known).transform(x)

        return run

    def nystroem(x, known):
        from sklearn.kernel_approximation import Nystroem

        features = Nystroem(
            gamma=median_gamma(x), n_components=min(LANDMARKS, len(x)), random_state=0
        ).fit_transform(x)
        return embed("SELF")(features, known)

    def neighbors(x, known):
        return x

    def umap_of(x, known):
        import umap

        return umap.UMAP(n_components=classes - 1, n_jobs=2).fit(x, known).embedding_

    names = ("PCA", "SELF", "LFDA", "SDA", "FME")
    table = {"1-NN on the rows": neighbors}
    table |= {f"{name}": embed(name) for name in names}
    table |= {f"{name}, rbf": embed(name, kernel="rbf") for name in names}
    table["SELF on Nystroem features"] = nystroem
    table["UMAP"] = umap_of
    return table


def machine(x, known, y):
    from sklearn.svm import SVC

    some = known >= 0
    found = SVC(C=10).fit(x[some], known[some]).predict(x[~some])
    return float((found == y[~some]).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sets", nargs="*", default=["sk_digits8x8", "segmentation2100"])
    parser.add_argument("--labels", type=int, default=10)
    parser.add_argument("--draws", type=int, default=5)
    arguments = parser.parse_args()
    for name in arguments.sets:
        x, y = load(name)
        draws = [labels_of(y, arguments.labels, seed) for seed in range(arguments.draws)]
        print(
            f"\n**{name}**, {len(x)} × {x.shape[1]}, {y.max() + 1} classes,"
            f" {arguments.labels} labels of each, {len(draws)} draws\n"
        )
        print("| | accuracy | seconds |\n|---|---|---|")
        table = reducers(int(y.max()) + 1)
        for method in [*table, "SVC"]:
            found = []
            for known in draws:
                begin = time.perf_counter()
                if method == "SVC":
                    found.append((machine(x, known, y), time.perf_counter() - begin))
                    continue
                z = table[method](x, known)
                seconds = time.perf_counter() - begin
                found.append((accuracy(np.asarray(z, float), known, y), seconds))
            scores, seconds = np.array(found).T
            print(
                f"| {method} | {scores.mean():.3f} ± {scores.std(ddof=1):.3f} |"
                f" {np.median(seconds):.2g} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
