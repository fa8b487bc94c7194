"""Table 1 of Nie, Wang, Wang, Li (2021): 1-NN accuracy of SALOE and SALWE on COIL20, YaleB and PIE, of unlabelled training rows and of test rows.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/sale_table1.py [SET...] [--variants]

FOLDER holds coil20_16_derived, yaleb32 and pie_pose27, each with X.npy and y.npy. PIE is shown but not counted: the paper has another pose, C29, with 24
images of each face; 24 of the 42 images of pose 27 are drawn. Protocol: images of unit length (for YaleB; the paper does not say so, but its numbers
require it), principal components with 95% of the variance of all rows, half of every class for training, a percentage of these rows labelled in every
class, classes - 1 dimensions, 10 nearest neighbors; alpha from 0.001 to 1000 and within-neighbors from 1 to the smallest class less one, both
chosen on the accuracy of the unlabelled rows, averaged over 10 splits; nearest labelled row in the embedding. As the paper's, these
accuracies are those of the best of many parameters on rows they are chosen on: they are comparable with the table but optimistic for new rows.

Prints the paper's value, that of another implementation of the same method under this protocol, and ours. --variants shows the effect of
rescaling columns to unit length, more dimensions, other initial graphs, components from the training rows, and later stopping.
"""
import itertools
import multiprocessing
import os
import sys
import tempfile

import numpy as np

from protocol import Random, check, derive, penumbra, stratified_folds

NONE = float("nan")

# (per cent labelled, method): paper's and the other implementation's accuracy of unlabelled and test rows
PAPER = {
    "coil20_16_derived": {
        (30, "saloe"): (95.88, 94.94, 93.5, 93.1), (50, "saloe"): (98.33, 98.21, 96.6, 96.2),
        (30, "salwe"): (94.06, 94.06, 93.6, 93.0), (50, "salwe"): (98.86, 98.24, 97.0, 96.5),
    },
    "yaleb32": {
        (30, "saloe"): (90.10, 89.24, 86.5, 85.8), (50, "saloe"): (93.59, 93.40, 91.9, 91.2),
        (30, "salwe"): (88.21, 87.19, 87.1, 85.6), (50, "salwe"): (93.81, 93.66, 92.2, 91.5),
    },
    "pie_pose27": {
        (30, "saloe"): (89.89, 89.46, NONE, NONE), (50, "saloe"): (93.41, 92.54, NONE, NONE),
        (30, "salwe"): (90.31, 88.57, NONE, NONE), (50, "salwe"): (92.85, 92.70, NONE, NONE),
    },
}
UNIT_LENGTH, IMAGES = {"yaleb32", "pie_pose27"}, {"pie_pose27": 24}
ALPHAS = [0.001, 0.01, 0.1, 1, 10, 100, 1000]
SEED, SPLITS, NEIGHBORS, VARIANCE, TOLERANCE = 0, 10, 10, 0.95, 1.0


def principal_components(x, of=None):
    """x in the fewest principal components of `of` with that share of its variance."""
    of = x if of is None else of
    mean = of.mean(0)
    _, values, axes = np.linalg.svd(of - mean, full_matrices=False)
    share = np.cumsum(values**2) / np.sum(values**2)
    return (x - mean) @ axes[: np.searchsorted(share, VARIANCE) + 1].T


class Split:
    """Half of every class to learn from, some of it labelled; on disk for the command."""

    def __init__(self, x, y, percent, number, scratch):
        random = Random(derive(SEED, number, 1))
        self.train = stratified_folds(y, 2, derive(SEED, number, 0)) == 0
        self.labelled = np.zeros(len(y), dtype=bool)
        for c in np.unique(y):
            members = np.flatnonzero(self.train & (y == c))
            drawn = members[random.permutation(len(members))]
            self.labelled[drawn[: max(1, int(percent / 100 * len(members) + 0.5))]] = True
        self.y, self.classes = y, len(np.unique(y))
        self.smallest = min(np.sum(self.labelled & (y == c)) for c in np.unique(y))
        self.at = lambda name: os.path.join(scratch, f"{os.getpid()}_{name}")
        np.save(self.at("train.npy"), x[self.train])
        np.save(self.at("y.npy"), np.where(self.labelled, y, -1)[self.train].astype(np.int32))
        np.save(self.at("x.npy"), x)

    def fit(self, method, alpha, within, dim, more):
        flags = {"alpha": alpha, "within-neighbors": within, "neighbors": NEIGHBORS, "dim": dim, "pca": "off", "threads": 1, **more}
        given = [text for name, value in flags.items() for text in (f"--{name}", value)]
        penumbra("fit", method, self.at("train.npy"), "--labels", self.at("y.npy"), *given, "--allow-fewer", "-o", self.at("model"))
        penumbra("transform", self.at("model"), self.at("x.npy"), "--threads", 1, "-o", self.at("z.npy"))
        return np.load(self.at("z.npy"))

    def accuracy(self, z):
        """Of unlabelled training rows and of test rows, per cent; the nearest labelled row decides."""
        known = z[self.labelled]
        distance2 = (z**2).sum(1)[:, None] + (known**2).sum(1)[None, :] - 2 * z @ known.T
        right = self.y[self.labelled][distance2.argmin(1)] == self.y
        return 100 * right[self.train & ~self.labelled].mean(), 100 * right[~self.train].mean()


def accuracies(job):
    """For one split: accuracy [alphas x within x 2]."""
    x, y, percent, number, method, alphas, withins, variant, scratch = job
    more = dict(variant)
    length, own, dims = more.pop("columns", None), more.pop("components", None), more.pop("dims", None)
    if own:
        train = stratified_folds(y, 2, derive(SEED, number, 0)) == 0
        x = principal_components(x, x[train])
    split = Split(x, y, percent, number, scratch)
    found = np.zeros((len(alphas), len(withins), 2))
    for (i, alpha), (j, within) in itertools.product(enumerate(alphas), enumerate(withins)):
        z = split.fit(method, alpha, within, dims * split.classes if dims else split.classes - 1, more)
        if length:
            w, *_ = np.linalg.lstsq(x - x.mean(0), z - z.mean(0), rcond=None)
            z = z / np.linalg.norm(w, axis=0)
        found[i, j] = split.accuracy(z)
    return found


def best(pool, raw, x, y, percent, method, scratch, alphas=None, withins=None, variant=()):
    """Mean over the splits at the parameters that are best for unlabelled rows, its standard error, and these parameters."""
    smallest = min(int(percent / 100 * np.sum(stratified_folds(y, 2, derive(SEED, 0, 0))[y == c] == 0) + 0.5) for c in np.unique(y))
    alphas = alphas or ALPHAS
    withins = withins or list(range(1, smallest))
    rows = raw if dict(variant).get("components") else x
    jobs = [(rows, y, percent, s, method, alphas, withins, variant, scratch) for s in range(SPLITS)]
    all_ = np.array(pool.map(accuracies, jobs, chunksize=1))
    mean = all_.mean(0)
    i, j = np.unravel_index(mean[:, :, 0].argmax(), mean.shape[:2])
    return mean[i, j], all_[:, i, j].std(0, ddof=1) / np.sqrt(SPLITS), alphas[i], withins[j]


VARIANTS = {
    "as above": {},
    "columns of length one": {"columns": "unit"},
    "dimensions: classes": {"dims": 1},
    "dimensions: 2 classes": {"dims": 2},
    "start: zero": {"init": "zero"},
    "start: random": {"init": "random"},
    "components of the training rows": {"components": "train"},
    "stop: 1e-8 of the objective": {"stop": "relative", "tol": 1e-8},
    "one step of each": {"max-iter": 1},
}


def load(folder, name):
    x = np.load(os.path.join(folder, name, "X.npy")).astype(float)
    y = np.load(os.path.join(folder, name, "y.npy")).ravel()
    if name in IMAGES:
        random = np.random.default_rng(SEED)
        some = np.sort(np.concatenate([random.permutation(np.flatnonzero(y == c))[: IMAGES[name]] for c in np.unique(y)]))
        x, y = x[some], y[some]
    if name in UNIT_LENGTH:
        x /= np.linalg.norm(x, axis=1, keepdims=True)
    return x, y


def table(pool, name, raw, x, y, scratch):
    """Rows of the table; the parameters chosen, and how far ours is below the other implementation."""
    chosen, worst = {}, 0.0
    for (percent, method), (paper_u, paper_t, other_u, other_t) in PAPER[name].items():
        (u, t), (error_u, error_t), alpha, within = best(pool, raw, x, y, percent, method, scratch)
        chosen[percent, method] = alpha, within
        other = "-" if np.isnan(other_u) else f"{other_u:.1f} / {other_t:.1f}"
        worst = worst if np.isnan(other_u) else max(worst, other_u - u, other_t - t)
        print(f"| {name} | {percent} % | {method} | {paper_u:.1f} / {paper_t:.1f} | {other} | {u:.1f} / {t:.1f} "
              f"| {u - paper_u:+.1f} / {t - paper_t:+.1f} | {error_u:.1f} / {error_t:.1f} | {alpha:g}, {within} |", flush=True)
    return chosen, worst


def variants(pool, name, raw, x, y, chosen, scratch):
    for (percent, method), (alpha, within) in chosen.items():
        for label, variant in VARIANTS.items():
            (u, t), _, _, _ = best(pool, raw, x, y, percent, method, scratch, [alpha], [within], tuple(variant.items()))
            print(f"| {name} | {percent} % | {method} | {label} | {u:.1f} / {t:.1f} |", flush=True)


def main():
    folder, names = os.environ.get("PENUMBRA_DATA"), [a for a in sys.argv[1:] if a != "--variants"] or list(PAPER)
    unknown = [name for name in names if name not in PAPER]
    if unknown:
        print("no such set:", ", ".join(unknown), "- there are", ", ".join(PAPER), file=sys.stderr)
        return 2
    there = [name for name in names if folder and os.path.isdir(os.path.join(folder, name))]
    if len(there) < len(names):
        print("skipped: PENUMBRA_DATA names no folder with", ", ".join(name for name in names if name not in there))
    names = there
    if not names:
        return 0
    check()
    worst, chosen, data = 0.0, {}, {}
    with tempfile.TemporaryDirectory() as scratch, multiprocessing.get_context("fork").Pool() as pool:
        print("| set | labelled | method | paper | other | ours | ours - paper | standard error | alpha, within |\n" + "|---" * 9 + "|")
        for name in names:
            raw, y = load(folder, name)
            data[name] = raw, principal_components(raw), y
            chosen[name], below = table(pool, name, *data[name], scratch)
            worst = max(worst, below)
        if "--variants" in sys.argv:
            print("\n| set | labelled | method | variant | ours |\n" + "|---" * 5 + "|")
            for name in names:
                variants(pool, name, *data[name], chosen[name], scratch)
    print(f"most below the other implementation: {worst:.1f} ({TOLERANCE} allowed)")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
