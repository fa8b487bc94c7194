"""Time, memory and accuracy of the Python package and its peers on the same rows.

    PYTHON_PEERS=OTHER PENUMBRA_DATA=FOLDER python bench/python_peers.py [SET...] [--labels N]

python has penumbra, umap-learn and scikit-learn; OTHER, another Python, has metric-learn and the
scikit-learn version that it needs. Each fit runs in a separate process on two threads, with half of
the rows. N rows per class (10) are labelled. Peers that do not take unlabelled rows get only the
labelled ones. The other half are new rows.

  fit         seconds of the fit, after a fit to a few rows (which compiles UMAP)
  transform   seconds for the new rows
  memory      increase of the memory peak by the fit, MB
  1-NN        accuracy on the new rows, by the nearest labelled row, in the same dimension for all
  moves       largest change of the embedding of a new row when it is embedded alone instead of with
              all new rows, relative to the spread of the embedding: 0 for a function of the row
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings

import numpy as np

DRAWS, LIMIT = 3, 300
METHODS = [
    "penumbra PCA",
    "penumbra LFDA",
    "penumbra SELF",
    "penumbra SODRPaC",
    "penumbra FME",
    "penumbra RCA",
    "scikit-learn PCA",
    "scikit-learn LDA",
    "scikit-learn NCA",
    "umap-learn",
    "umap-learn, no labels",
    "metric-learn LFDA",
    "metric-learn RCA",
    "metric-learn NCA",
]


def load(name):
    folder = os.path.join(os.environ["PENUMBRA_DATA"], name)
    x = np.load(os.path.join(folder, "X.npy"))
    y = np.unique(np.load(os.path.join(folder, "y.npy")), return_inverse=True)[1]
    return np.ascontiguousarray(x, dtype=np.float64), y


def labels_of(y, per_class, seed):
    rng = np.random.default_rng(seed)
    known = np.full(len(y), -1)
    for c in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == c))[:per_class]
        known[rows] = c
    return known


def made(method, dim, classes, y):
    """Return an unfitted estimator, and whether it takes unlabelled rows."""
    package, _, name = method.partition(" ")
    if package == "penumbra":
        import penumbra

        cls = getattr(penumbra, name)
        if name == "FME":
            return cls(n_jobs=2), True
        return cls(
            n_components=min(dim, classes - 1) if name == "LFDA" else dim,
            allow_fewer=True,
            n_jobs=2,
        ), True
    if package == "scikit-learn":
        if name == "PCA":
            from sklearn.decomposition import PCA

            return PCA(dim), True
        if name == "LDA":
            from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

            # with few labels the within scatter is singular: the solver that shrinks it
            return LinearDiscriminantAnalysis(
                solver="eigen", shrinkage="auto", n_components=min(dim, classes - 1)
            ), False
        from sklearn.neighbors import NeighborhoodComponentsAnalysis

        return NeighborhoodComponentsAnalysis(dim, random_state=0), False
    if package.startswith("umap"):
        import umap

        return umap.UMAP(n_components=dim, n_jobs=2), True
    import metric_learn

    if name == "LFDA":
        return metric_learn.LFDA(n_components=min(dim, classes - 1)), False
    if name == "NCA":
        return metric_learn.NCA(n_components=dim, random_state=0), False
    return metric_learn.RCA_Supervised(
        n_components=dim, n_chunks=len(y) // 2, random_state=0
    ), False


def peak():
    """Return the largest resident set of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def accuracy(known, labels, new, truth):
    """Return the accuracy of the nearest labelled row."""
    right = 0
    for rows in np.array_split(np.arange(len(new)), max(1, len(new) // 1000)):
        distance2 = (known**2).sum(1) - 2 * new[rows] @ known.T
        right += (labels[distance2.argmin(1)] == truth[rows]).sum()
    return right / len(new)


def one(method, name, per_class, seed):
    """Run one fit in this process."""
    warnings.simplefilter("ignore")
    x, truth = load(name)
    known = labels_of(truth, per_class, seed)
    some, others = np.flatnonzero(known >= 0), np.flatnonzero(known < 0)
    others = np.random.default_rng(seed).permutation(others)
    new = others[: len(x) // 2]
    classes = known.max() + 1
    dim = min(10, x.shape[1], classes - 1) if x.shape[1] > 10 else min(2, x.shape[1])
    model, all_rows = made(method, dim, classes, some)
    unsupervised = method.endswith("no labels")

    def data(unlabelled):
        rows = np.r_[some, unlabelled] if all_rows else some
        return x[rows], None if unsupervised else known[rows]

    made(method, dim, classes, some)[0].fit(*data(others[len(x) // 2 :][:200]))
    rows, labels = data(others[len(x) // 2 :])
    before, begin = peak(), time.perf_counter()
    model.fit(rows, labels)
    fit, memory, begin = time.perf_counter() - begin, peak() - before, time.perf_counter()
    z = model.transform(x[new])
    transform = time.perf_counter() - begin
    alone = np.concatenate([model.transform(x[i : i + 1]) for i in new[:20]])
    print(
        json.dumps(
            {
                "fit": fit,
                "transform": transform,
                "memory": memory,
                "dim": z.shape[1],
                "moves": float(np.abs(alone - z[:20]).max() / z.std()),
                "accuracy": accuracy(model.transform(x[some]), known[some], z, truth[new]),
            }
        )
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", default=["sk_digits8x8", "isolet1", "letter"])
    parser.add_argument("--labels", type=int, default=10)
    parser.add_argument("--one", nargs=2)
    arguments = parser.parse_args()
    if arguments.one:
        return one(arguments.one[0], arguments.sets[0], arguments.labels, int(arguments.one[1]))
    environment = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "2"
    )
    for name in arguments.sets:
        x, y = load(name)
        print(
            f"\n{name}: {len(x)} rows of {x.shape[1]} columns, {y.max() + 1} classes,"
            f" {arguments.labels} labels of each\n"
        )
        print(
            "| | dim | fit s | transform s | memory MB | 1-NN | moves |\n"
            "|---|---|---|---|---|---|---|"
        )
        for method in METHODS:
            python = os.environ["PYTHON_PEERS"] if method.startswith("metric") else sys.executable
            found, failure = [], ""
            for seed in range(DRAWS):
                command = [
                    python,
                    __file__,
                    name,
                    "--labels",
                    str(arguments.labels),
                    "--one",
                    method,
                    str(seed),
                ]
                try:
                    done = subprocess.run(
                        command,
                        capture_output=True,
                        text=True,
                        timeout=LIMIT,
                        env={**os.environ, **environment},
                    )
                except subprocess.TimeoutExpired:
                    failure = f"not done after {LIMIT} s"
                    break
                if done.returncode:
                    failure = (done.stderr.strip().splitlines() or ["killed"])[-1]
                    break
                found.append(json.loads(done.stdout.splitlines()[-1]))
            if failure:
                print(f"| {method} | {failure} |", flush=True)
                continue
            middle = {key: float(np.median([f[key] for f in found])) for key in found[0]}
            mean = np.mean([f["accuracy"] for f in found])
            print(
                f"| {method} | {middle['dim']:.0f} | {middle['fit']:.3g} |"
                f" {middle['transform']:.2g} | {middle['memory']:.0f} | {mean:.3f} | {middle['moves']:.1g} |",
                flush=True,
            )
    return None


if __name__ == "__main__":
    main()
