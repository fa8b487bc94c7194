"""Figures 2 to 6 of Long, Meng, Sioutis (2020).

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/figures/bwdr.py [FIGURE...]

2: 1-NN accuracy of BWDR and WBDR for growing thresholds, with the best number of dimensions up to
   nine that the threshold keeps. Columns have deviation one: in raw units the first direction has
   most of the spectrum. The paper does not name its set.
3: the same for growing numbers of pairs; the first two sets are those of the paper.
4: accuracy in one to nine dimensions, 30 % of the pairs. isolet1 has 26 letters and the paper two
   classes: A to M against N to Z.
5: the same for YaleB and 600 images of each digit of MNIST.
6: purity: the fraction of the nearest rows in 15 dimensions that have the row's class, learned from
   30 % of the pairs of all rows.

Protocol: raw values (except in 2), three runs of five stratified folds (one for 5), pairs of
training rows, embedded rows divided by their deviations, nearest row.
"""

# ruff: noqa: I001 (style comes first: it lets the programs one folder up be imported)
import json
import os
import sys
import tempfile

import numpy as np
from style import TITLES, Figures, curve, embed, legend_below, plt, side_by_side

from bwdr_table2 import FOLDS, RUNS, Fold
from protocol import files_of_process, load, load_labels, penumbra, workers

METHODS = ("pca", "cfld", "ssdr", "bwdr", "wbdr")
OURS = METHODS[-2:]
SEED, DIMS, SHARE, EACH = 2020, 9, "30%", 600
THRESHOLDS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 1]
SHARES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]
PURITY_DIMS, NEIGHBORS = 15, [1, 2, 5, 10, 15, 20, 30, 40, 50, 60]


def rows_of(name):
    x, y = load(name), load_labels(name)
    if name == "isolet1":
        return x, (y >= 13).astype(np.int32)
    if name != "mnist70000":
        return x, y
    random = np.random.default_rng(SEED)
    of_class = [random.permutation(np.flatnonzero(y == c))[:EACH] for c in np.unique(y)]
    some = np.sort(np.concatenate(of_class))
    return x[some], y[some]


def store(name, scratch):
    for part, values in zip("xy", rows_of(name), strict=True):
        np.save(os.path.join(scratch, f"{name}_{part}.npy"), values)


def accuracy(name, scratch, method, share, runs, *flags):
    """Return accuracies in 1 to DIMS dimensions; None if the method has fewer."""
    x, y = (np.load(os.path.join(scratch, f"{name}_{part}.npy")) for part in "xy")
    curves = []
    with tempfile.TemporaryDirectory() as own:  # threads of a process need separate files
        for run, k in np.ndindex(runs, FOLDS):
            fold = Fold(lambda file: os.path.join(own, file), x, y, run, k, flags)
            fold.share = share
            there = list(fold.curve(method))
            curves.append(there + [np.nan] * (DIMS - len(there)))
    return [None if np.isnan(value) else value for value in np.mean(curves, 0).tolist()]


def best(values):
    return max((value for value in values if value is not None), default=None)


def stored(measure):
    """Return measure(name, scratch) for each set; scratch holds its rows."""

    def of_sets(there):
        found = {}
        with tempfile.TemporaryDirectory() as scratch:
            for name in there:
                store(name, scratch)
                found[name] = measure(name, scratch)
        return found

    return of_sets


class Kept(Fold):
    """A fold with a threshold for its fits, and at most the dimensions that it keeps."""

    threshold = 1

    def fit(self, method, dim):
        pairs = ["--labels", self.at("y.npy"), "--sample-pairs", SHARE, "--seed", self.seed]
        more = "--threshold", self.threshold, "--threads", 1
        penumbra("fit", method, self.at("train.npy"), *pairs, *more, "-o", self.at("model"))
        return json.loads(penumbra("info", self.at("model"), "--json"))

    def best_of(self, method, threshold):
        self.threshold = threshold
        kept = min(self.fit(method, None)["dim"], DIMS)
        curve = list(self.score(range(1, kept + 1)))
        return curve + [curve[-1]] * (DIMS - kept)


def thresholds_of_fold(job):
    name, run, k, scratch = job
    x, y = load(name).astype(float), load_labels(name)
    fold = Kept(files_of_process(scratch), (x - x.mean(0)) / x.std(0), y, run, k)
    return [[fold.best_of(method, t) for t in THRESHOLDS] for method in OURS]


def measure_thresholds(there):
    found = {}
    with workers() as (scratch, pool):
        for name in there:
            jobs = [(name, run, k, scratch) for run in range(RUNS) for k in range(FOLDS)]
            mean = np.mean(pool.map(thresholds_of_fold, jobs, chunksize=1), 0)
            found[name] = dict(zip(OURS, mean.max(2), strict=True))
    return found


@stored
def measure_shares(name, scratch):
    n = 0.8 * len(rows_of(name)[1])
    shares = [s for s in SHARES if s / 100 * n * n / 2 >= 4]
    jobs = lambda m: [(name, scratch, m, f"{share}%", 3) for share in shares]
    curves = {m: [best(values) for values in side_by_side(accuracy, jobs(m))] for m in OURS}
    return {"shares": shares, **curves}


def measure_dims(runs):
    @stored
    def of_set(name, scratch):
        jobs = [(name, scratch, method, SHARE, runs) for method in METHODS]
        return dict(zip(METHODS, side_by_side(accuracy, jobs), strict=True))

    return of_set


@stored
def measure_purity(name, scratch):
    x, y = rows_of(name)
    np.save(os.path.join(scratch, "rows.npy"), x)
    at = lambda file: os.path.join(scratch, file)
    pairs = ["--labels", at(f"{name}_y.npy"), "--sample-pairs", SHARE, "--seed", SEED]
    found = {}
    for method in METHODS:
        given = [] if method == "pca" else pairs
        z, _ = embed(at, method, *given, "--dim", PURITY_DIMS, "--allow-fewer")
        found[method] = purity(z, y)
    return found


def purity(z, y, block=500):
    """Return for each number in NEIGHBORS the fraction of nearest rows with the row's label."""
    length2, same = (z**2).sum(1), np.zeros(max(NEIGHBORS))
    for start in range(0, len(z), block):
        at = np.arange(start, min(start + block, len(z)))
        distance2 = length2 - 2 * z[at] @ z.T
        distance2[np.arange(len(at)), at] = np.inf
        near = np.argpartition(distance2, max(NEIGHBORS))[:, : max(NEIGHBORS)]
        order = np.take_along_axis(distance2, near, 1).argsort(1)
        same += (y[np.take_along_axis(near, order, 1)] == y[at, None]).sum(0)
    return [same[:k].sum() / (k * len(z)) for k in NEIGHBORS]


def draw(x, methods, label, log=False, every="1-NN accuracy", sets=None):
    def drawn(found):
        figure, panels = plt.subplots(1, len(found), figsize=(10, 3.7), squeeze=False)
        for axes, (name, curves) in zip(panels.flat, found.items(), strict=True):
            at = curves.get("shares", x)
            for method in methods:
                values = np.array(curves[method], dtype=float)
                curve(axes, at[: len(values)], values, method)
            axes.set(title=TITLES[name], xlabel=label)
            if log:
                axes.set_xscale("log")
        panels[0, 0].set_ylabel(every)
        legend_below(figure, panels[0, 0], len(methods))
        return figure

    return drawn


if __name__ == "__main__":
    best_of = "1-NN accuracy, best of 9 dimensions"
    dims, ks = range(1, DIMS + 1), NEIGHBORS
    figures = Figures("bwdr", __doc__)
    small = "wdbc", "heart_statlog", "seeds"
    figures.add(2, measure_thresholds, draw(THRESHOLDS, OURS, "threshold t₀", every=best_of), small)
    few = "cnae9", "mfeat_karhunen", "seeds"
    figures.add(3, measure_shares, draw([], OURS, "pairs, %", True, best_of), few)
    in_dims = draw(dims, METHODS, "dimensions")
    figures.add(4, measure_dims(3), in_dims, ("isolet1", "kr_vs_kp", "mfeat_factors"))
    images = "yaleb32", "mnist70000"
    figures.add(5, measure_dims(1), in_dims, images)
    shown = draw(ks, METHODS, "nearest rows", every="purity in 15 dimensions")
    figures.add(6, measure_purity, shown, images)
    sys.exit(figures.main())
