"""What `penumbra fit auto` chooses, compared with every method at its defaults, on real data with some labelled rows.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/auto_table.py [SET...] [--labels N|half] [--rows N] [--effort E] [--draws N]

For each set in FOLDER (a folder with X.npy and y.npy, of which up to 800 rows are drawn at random), N labels per class (10), or those of half of the rows of
each class, are drawn. A model is fitted by `fit auto` with effort E (1) and by every method at its defaults, and the unlabelled rows are classified by the
nearest labelled row in the embedding. Prints the mean accuracy over the draws (3) of auto and of the best default method (chosen on the same rows that score
it, which makes it hard to match), their difference and its standard error: that of the mean difference over the draws, but at least that of a proportion of the
unlabelled rows. The last column is the standard error of a proportion of the labelled rows, which are all that `fit auto` has to choose by. The exit status is 1 if
auto is worse by more than one standard error.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np


def penumbra(*args):
    return subprocess.run([os.environ.get("PENUMBRA", "penumbra"), *map(str, args)], capture_output=True, text=True)


def load(folder, most_rows):
    x, y = np.load(os.path.join(folder, "X.npy")), np.load(os.path.join(folder, "y.npy")).ravel()
    keep = np.random.default_rng(0).permutation(len(x))[:most_rows]
    y = np.unique(y, return_inverse=True)[1][keep]
    return np.ascontiguousarray(x[keep]), y


def accuracy(z, y, known):
    """Accuracy on the unlabelled rows, classified by the nearest labelled row."""
    hidden = ~known
    a, b = z[hidden], z[known]
    distance2 = (a**2).sum(1)[:, None] + (b**2).sum(1)[None] - 2 * a @ b.T
    return np.mean(y[known][distance2.argmin(1)] == y[hidden])


def fit(at, method, *more):
    """The embedding of all rows and the method used; None and the error if the method fails."""
    done = penumbra("fit", method, at("x.npy"), "--labels", at("y.npy"), "-o", at("m.pen"), "--quiet", *more)
    if done.returncode:
        return None, done.stderr
    penumbra("transform", at("m.pen"), at("x.npy"), "-o", at("z.npy"), "--quiet")
    return np.load(at("z.npy")), json.loads(penumbra("info", at("m.pen"), "--json").stdout)["method"]


def choose(y, labels, seed):
    """Which rows are labelled: a number of each class, or half of it."""
    rng = np.random.default_rng(seed)
    known = np.zeros(len(y), dtype=bool)
    for c in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == c))
        known[rows[: len(rows) // 2 if labels == "half" else int(labels)]] = True
    return known


def draw(at, x, y, known, effort, methods):
    """Accuracy of auto, the method it chose, and the accuracy of each method at its defaults."""
    np.save(at("x.npy"), x)
    np.save(at("y.npy"), np.where(known, y, -1).astype(np.int32))
    z, chosen = fit(at, "auto", "--effort", effort)
    auto = accuracy(z, y, known) if z is not None else np.nan
    single = {}
    for method in methods:
        z, _ = fit(at, method)
        if z is not None:
            single[method] = accuracy(z, y, known)
    return auto, chosen, single


def main():
    folder, args = os.environ.get("PENUMBRA_DATA"), sys.argv[1:]
    option = lambda name, usual: args.pop(args.index(name) + 1) if name in args else usual
    labels, rows, effort, draws = option("--labels", "10"), int(option("--rows", 800)), float(option("--effort", 1)), int(option("--draws", 3))
    names = [a for a in args if not a.startswith("--")]
    if not folder:
        print("skipped: PENUMBRA_DATA names no folder")
        return 0
    names = names or sorted(n for n in os.listdir(folder) if os.path.exists(os.path.join(folder, n, "X.npy")) and os.path.exists(os.path.join(folder, n, "y.npy")))
    methods = [m["name"] for m in json.loads(penumbra("methods", "--json").stdout)]
    failed, differences = 0, []
    print("| set | rows | auto chooses | auto | best default | difference | standard error | of labels |\n" + "|---" * 8 + "|")
    with tempfile.TemporaryDirectory() as scratch:
        at = lambda name: os.path.join(scratch, name)
        for name in names:
            x, y = load(os.path.join(folder, name), rows)
            fewest = 4 if labels == "half" else int(labels) + 5
            if min(np.bincount(y)) < fewest or not np.all(np.isfinite(x)):
                why = f"a class has fewer than {fewest} rows" if np.all(np.isfinite(x)) else "values are missing"
                print(f"| {name} | {len(x)} | - | - | {why} | - | - | - |", flush=True)
                continue
            known = [choose(y, labels, seed) for seed in range(draws)]
            found = [draw(at, x, y, k, effort, methods) for k in known]
            auto = np.array([f[0] for f in found])
            means = {m: np.mean([f[2][m] for f in found]) for m in methods if all(m in f[2] for f in found)}
            best = max(means, key=means.get)
            difference = auto - np.array([f[2][best] for f in found])
            variance = means[best] * (1 - means[best])
            share = np.sqrt(variance / np.sum(~known[0]))
            error = max(difference.std(ddof=1) / np.sqrt(draws), share) if draws > 1 else share
            failed += not difference.mean() >= -error
            differences.append(difference.mean())
            print(f"| {name} | {len(x)} | {', '.join(f[1] for f in found)} | {auto.mean():.3f} | {means[best]:.3f} {best} | {difference.mean():+.3f} "
                  f"| {error:.3f} | {np.sqrt(variance / np.sum(known[0])):.3f} |", flush=True)
    print(f"\n{failed} of {len(differences)} sets: auto is worse than the best default method by more than one standard error; mean difference {np.mean(differences):+.3f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
