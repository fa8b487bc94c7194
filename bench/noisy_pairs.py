"""Partly wrong pairs: `--pair-weights agreement` compared with the given pairs.

    PENUMBRA_DATA=FOLDER PENUMBRA=COMMAND python bench/noisy_pairs.py [SET...] [--draws N]
        [--pairs N]

Labels of at most 600 standardized rows of a set give 300 random pairs, and a fraction of them is
flipped to the other kind. A method learns at most 5 dimensions from the rows and these pairs. The
score is the fraction of rows whose nearest other row has the same class. Labels have no other use.
Ways: `given`, all pairs except cannot-links that a chain of must-links contradicts
(`--contradictions drop`); `agreement`, weighted pairs; `right`, without the flipped pairs, the best
possible result.

For each method and fraction the program prints the means over sets, and the gain of `agreement`
over `given`, with its standard error over sets (5 draws each) and the numbers of sets with a gain
above and below 0; then the gain of each set.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

import numpy as np

SETS = [
    "sk_iris",
    "sk_wine",
    "seeds",
    "wdbc",
    "heart_statlog",
    "ida_breast_cancer",
    "ida_diabetis",
    "segmentation210_train",
    "sk_digits8x8",
    "mfeat_factors",
    "letter",
    "monks3",
]
METHODS = ["bwdr", "wbdr", "ssdr", "sodrpac"]
NOISE = [0, 0.1, 0.2, 0.3]
WAYS = {  # which pairs, and flags
    "given": ("p.npy", "--contradictions", "drop"),
    "agreement": ("p.npy", "--pair-weights", "agreement"),
    "right": ("r.npy",),
}
MOST_ROWS, DIM = 600, 5


def penumbra(*args):
    """Run the command quietly; a fit uses one thread."""
    command = [os.environ.get("PENUMBRA", "penumbra"), *map(str, args), "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def load(name):
    """Return at most 600 standardized rows, by a fixed permutation, and their classes."""
    folder = os.path.join(os.environ["PENUMBRA_DATA"], name)
    x = np.nan_to_num(np.load(os.path.join(folder, "X.npy")).astype(float))
    y = np.unique(np.load(os.path.join(folder, "y.npy")).ravel(), return_inverse=True)[1]
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ROWS])
    x, y = x[rows], y[rows]
    x = x[:, x.std(0) > 0]
    return (x - x.mean(0)) / x.std(0), y


def accuracy(z, y):
    """Return the fraction of rows whose nearest other row has the same class."""
    lengths = (z * z).sum(1)
    distance2 = lengths[:, None] + lengths - 2 * z @ z.T
    np.fill_diagonal(distance2, np.inf)
    return float((y[distance2.argmin(1)] == y).mean())


def draw(labels, pairs, noise, seed):
    """Draw pairs [m x 3] and flip some; return them and which ones were flipped."""
    random = np.random.default_rng(seed)
    i, j = np.triu_indices(len(labels), 1)
    chosen = np.sort(random.choice(len(i), pairs, replace=False))
    i, j = i[chosen], j[chosen]
    flipped = np.zeros(pairs, bool)
    flipped[random.permutation(pairs)[: round(noise * pairs)]] = True
    return np.stack([i, j, np.where((labels[i] == labels[j]) != flipped, 1, -1)], 1), flipped


def one_draw(task):
    """Return the accuracies [method, way] of one draw."""
    name, noise, seed, pairs = task
    x, y = load(name)
    found = np.empty((len(METHODS), len(WAYS)))
    with tempfile.TemporaryDirectory() as folder:
        data, model, z = (os.path.join(folder, f) for f in ("x.npy", "m.pen", "z.npy"))
        np.save(data, x)
        drawn, flipped = draw(y, pairs, noise, seed)
        np.save(os.path.join(folder, "p.npy"), drawn)
        np.save(os.path.join(folder, "r.npy"), drawn[~flipped])
        for m, method in enumerate(METHODS):
            for w, (given, *flags) in enumerate(WAYS.values()):
                flags += ["--dim", DIM, "--allow-fewer", "--threads", 1, "-o", model]
                penumbra("fit", method, data, "--pairs", os.path.join(folder, given), *flags)
                penumbra("transform", model, data, "-o", z)
                found[m, w] = accuracy(np.load(z), y)
    return found


def gains(found):
    """Return the gain of `agreement` over `given` by set: found [sets, draws, methods, ways]."""
    return (found[..., 1] - found[..., 0]).mean(1)


def report(names, found):
    """Print the tables; found: by noise, [sets, draws, methods, ways]."""
    print("| method | wrong | given | agreement | right | gain | sets above, below |")
    print("|---|---|---|---|---|---|---|")
    for m, method in enumerate(METHODS):
        for noise in NOISE:
            mean = found[noise][:, :, m].mean((0, 1))
            gain = gains(found[noise])[:, m]
            error = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else float("nan")
            print(
                f"| {method} | {noise:.0%} | " + " | ".join(f"{100 * v:.1f}" for v in mean) + f" |"
                f" {100 * gain.mean():+.1f} ± {100 * error:.1f} | {(gain > 0).sum()},"
                f" {(gain < 0).sum()} |"
            )
    print("\n| set |" + "".join(f" {m} {r:.0%} |" for m in METHODS for r in NOISE))
    print("|---" * (1 + len(METHODS) * len(NOISE)) + "|")
    for s, name in enumerate(names):
        cells = [gains(found[r])[s, m] for m in range(len(METHODS)) for r in NOISE]
        print(f"| {name} |" + "".join(f" {100 * c:+.1f} |" for c in cells))


def main():
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sets", nargs="*", metavar="SET", default=[])
    parser.add_argument("--draws", type=int, default=5, metavar="N")
    parser.add_argument("--pairs", type=int, default=300, metavar="N")
    asked = parser.parse_args()
    folder = os.environ.get("PENUMBRA_DATA", "")
    wanted = asked.sets or SETS
    names = [n for n in wanted if folder and os.path.isdir(os.path.join(folder, n))]
    for name in wanted:
        if name not in names:
            print(f"skipped: {name}")
    if not names:
        return 0
    tasks = [(n, r, s, asked.pairs) for r in NOISE for n in names for s in range(asked.draws)]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        results = np.array(list(pool.map(one_draw, tasks)))
    shape = (len(NOISE), len(names), asked.draws, len(METHODS), len(WAYS))
    report(names, dict(zip(NOISE, results.reshape(shape), strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
