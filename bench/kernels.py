"""Accuracy of kernels on real data with few labels, compared with linear projections, UMAP and a
support vector machine.

    PENUMBRA_DATA=FOLDER python bench/kernels.py [SET...] [--labels N] [--draws N]
    python bench/kernels.py --shapes [--draws N]
    PENUMBRA_DATA=FOLDER python bench/kernels.py --cost

N random rows per class (10) are labelled. Columns of segmentation2100 have standard deviation one.
Reducers learn from all rows, the support vector machine from the labelled ones. The table shows
mean and standard deviation over the draws of the accuracy on unlabelled rows, by the nearest
labelled row in the embedding, and the median seconds of a fit with its embedding.

--shapes: two moons and three rings, as in examples/kernels.sh, 200 rows and 3 labels per class.
--cost: `SELF` with 1000 landmarks on MNIST, 100 labels per class, compared with its parts, the
products and a linear fit: processor seconds on one thread.
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
    """Return the accuracy of the nearest labelled row."""
    some, others = np.flatnonzero(known >= 0), np.flatnonzero(known < 0)
    distance2 = (z[some] ** 2).sum(1) - 2 * z[others] @ z[some].T
    return float((known[some][distance2.argmin(1)] == y[others]).mean())


def median_gamma(x):
    """Return 1 / the median squared distance of up to 2000 rows."""
    from scipy.spatial.distance import pdist

    rows = np.random.default_rng(0).permutation(len(x))[:2000]
    return 1 / np.median(pdist(x[rows], "sqeuclidean"))


def reducers(classes):
    """Return names, and functions from rows and labels to an embedding."""
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


def shape(kind, seed):
    """Draw rows and classes: (half) circles with noise of standard deviation 0.04."""
    rng = np.random.default_rng(seed)
    classes = 2 if kind == "moons" else 3
    y = np.arange(200 * classes) % classes
    angle = rng.uniform(0, np.pi if kind == "moons" else 2 * np.pi, len(y))
    x = np.c_[np.cos(angle), np.sin(angle)]
    x = np.where(y[:, None], [1, 0.5] - x, x) if kind == "moons" else x * (y[:, None] + 1) / 2
    return x + rng.normal(0, 0.04, x.shape), y


SHAPES = [
    ("SELF", {"beta": 0.01, "n_components": 2}, 3),
    ("SELF", {"beta": 0.01, "n_components": 2, "kernel": "rbf", "kernel_gamma": "auto*4"}, 3),
    ("SELF", {"beta": 0.01, "n_components": 2, "kernel": "rbf", "kernel_gamma": "auto*4"}, 10),
    ("SELF", {"beta": 0.01, "n_components": 2, "kernel": "rbf", "kernel_gamma": "auto*4"}, 30),
    ("SELFILPP", {"n_components": 2}, 3),
    ("SELFILPP", {"n_components": 2, "kernel": "rbf"}, 3),
    ("SDA", {}, 3),
    ("SDA", {"kernel": "rbf"}, 3),
    ("SDA", {"kernel": "rbf", "kernel_gamma": "auto*4", "ridge": 0.001}, 3),
    ("FME", {}, 3),
    ("FME", {"kernel": "rbf"}, 3),
    ("FME", {"kernel": "rbf", "kernel_gamma": "auto*4", "mu": 0.001}, 3),
]


def shapes(draws):
    import penumbra

    print("| | labels a class | moons | rings |\n|---|---|---|---|")
    for name, parameters, labels in SHAPES:
        cells = []
        for kind in ("moons", "rings"):
            found = []
            for seed in range(draws):
                x, y = shape(kind, seed)
                known = np.where(np.arange(len(y)) < labels * (y.max() + 1), y, -1)
                estimator = getattr(penumbra, name)(**parameters).fit(x, known)
                found.append(accuracy(estimator.transform(x), known, y))
            cells.append(f"{np.mean(found):.3f} ± {np.std(found, ddof=1):.3f}")
        said = ", ".join(f"{key} {value}" for key, value in parameters.items())
        print(f"| {name} {said} | {labels} | {' | '.join(cells)} |", flush=True)


def processor(work):
    """Return processor seconds and the result of the work."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def landmark_products(x, landmarks):
    """Compute x landmarks' [n x m], in blocks of rows."""
    return np.concatenate(
        [x[i : i + 4096].astype(float) @ landmarks.T for i in range(0, len(x), 4096)]
    )


def cost():
    import penumbra

    folder = os.path.join(os.environ["PENUMBRA_DATA"], "mnist70000")
    x, y = (np.load(os.path.join(folder, name)) for name in ("X.npy", "y.npy"))
    known = labels_of(y.astype(int), 100, 0)
    print("| | " + " | ".join(parts := ["fit", "landmarks", "n m²", "linear fit", "ratio"]) + " |")
    print("|---" * (len(parts) + 1) + "|")
    for beta in (0.5, "auto"):
        fit = penumbra.SELF(9, beta=beta, kernel="rbf", kernel_landmarks=LANDMARKS, n_jobs=1)
        whole, _ = processor(lambda fit=fit: fit.fit(x, known))
        rows = fit.landmarks_.astype(float)
        products, values = processor(lambda rows=rows: landmark_products(x, rows))
        square = np.random.default_rng(0).normal(size=(len(rows), len(rows)))
        product, _ = processor(lambda values=values, square=square: values @ square)
        # columns with variances like those of the projection: other rows would take the same time
        values = (values - values.mean(0)) / values.std()
        linear, _ = processor(
            lambda values=values, beta=beta: penumbra.SELF(9, beta=beta, n_jobs=1).fit(
                values, known
            )
        )
        ratio = whole / (products + product + linear)
        seconds = " | ".join(f"{s:.1f}" for s in (whole, products, product, linear))
        print(f"| beta {beta} | {seconds} | {ratio:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sets", nargs="*", default=["sk_digits8x8", "segmentation2100"])
    parser.add_argument("--labels", type=int, default=10)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--shapes", action="store_true")
    parser.add_argument("--cost", action="store_true")
    arguments = parser.parse_args()
    if arguments.shapes:
        return shapes(arguments.draws)
    if arguments.cost:
        return cost()
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
    return None


if __name__ == "__main__":
    main()
