"""What weights are worth where labels were given to a biased sample of the rows: trials with and without `--weights`.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/weights.py [SET...] [--draws 20]

FOLDER holds folders with X.npy and y.npy. In each draw half of the rows (1000 at most) are at hand, and the others (1000 at most) are new rows, which nothing
learns from. A fifth of the rows at hand, 40 at least, have labels on average:

- `even`: each row with the same probability;
- `component`: with a probability that rises along the first principal component of the standardized columns, 1 / (1 + exp(-a - 2 t)), t of deviation one;
- `class`: of the last class five times as often as of the first, of the others in between.

`error` is what trials of SELF in five dimensions, or all columns, say its 1-NN accuracy is, less the accuracy on the new rows: its mean, which is
a bias, and the root of its mean square. `chosen` is the accuracy on the new rows after `tune self`, less that without weights. Weights: none, estimated
(`--weights auto`), or one over the probabilities of the draw (`true`). The standard errors are those over draws, and for all sets over sets.
"""
import collections
import json
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "papers"))
from protocol import arguments, files_of_process, load, load_labels, penumbra, workers  # noqa: E402

SETS = ("sk_wine", "ida_diabetis", "heart_statlog", "wdbc", "segmentation2100", "ida_breast_cancer", "seeds", "hepatitis")
BIASES, WEIGHTS = ("even", "component", "class"), ("none", "auto", "true")
MOST_ROWS, SHARE, FEWEST, STEEP, TIMES, DIMS, TRIES = 1000, 0.2, 40, 2.0, 5.0, 5, 50
FLAGS = ("--scale", "standard", "--reader", "nearest", "--threads", 1)


def chances(bias, x, y, wanted):
    """The probability of each row to be labelled; their sum is `wanted`."""
    if bias == "even":
        return np.full(len(x), wanted / len(x))
    if bias == "class":
        times = 1 + (TIMES - 1) * np.arange(y.max() + 1) / y.max()
        p = times[y]
        for _ in range(TRIES):  # none above 1
            p = np.minimum(p * wanted / p.sum(), 1)
        return p
    z = (x - x.mean(0)) / np.where(x.std(0) > 0, x.std(0), 1)
    left, values, _ = np.linalg.svd(z, full_matrices=False)
    t = left[:, 0] * np.sqrt(len(x))
    low, high = -50.0, 50.0
    for _ in range(TRIES):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / (1 + np.exp(-middle - STEEP * t))).sum() < wanted else (low, middle)
    return 1 / (1 + np.exp(-low - STEEP * t))


def drawn(rng, bias, x, y):
    """Labels, -1 where there are none, with three rows of two classes at least; and the probabilities."""
    p = chances(bias, x, y, max(FEWEST, SHARE * len(x)))
    for _ in range(TRIES):
        labels = np.where(rng.random(len(x)) < p, y, -1).astype(np.int32)
        if (np.bincount(labels[labels >= 0], minlength=2) >= 3).sum() >= 2:
            return labels, p
    raise ValueError("too few labels")


def one_draw(job):
    name, bias, draw, scratch = job
    rng, at = np.random.default_rng([draw, BIASES.index(bias), *name.encode()]), files_of_process(scratch)
    x, y = load(name).astype(float), load_labels(name)
    order = rng.permutation(len(x))
    half = min(len(x) // 2, MOST_ROWS)
    here, new = order[:half], order[half:2 * half]
    labels, p = drawn(rng, bias, x[here], y[here])
    np.save(at("x.npy"), x[here])
    np.save(at("new.npy"), x[new])
    np.save(at("y.npy"), labels)
    np.save(at("w.npy"), (1 / p)[:, None])
    dim = min(DIMS, x.shape[1])

    def accuracy():
        penumbra("predict", at("model"), at("new.npy"), "--threads", 1, "-o", at("told.csv"))
        told = np.loadtxt(at("told.csv"), delimiter=",", skiprows=1, usecols=0, ndmin=1)
        return np.mean(told == y[new])

    penumbra("fit", "self", at("x.npy"), "--labels", at("y.npy"), "--dim", dim, *FLAGS, "-o", at("model"))
    truth, found = accuracy(), []
    for weights in WEIGHTS:
        flags = {"none": [], "auto": ["--weights", "auto"], "true": ["--weights", at("w.npy")]}[weights]
        told = json.loads(penumbra("evaluate", "self", at("x.npy"), "--labels", at("y.npy"), "--dims", dim, *FLAGS, *flags, "--json"))
        penumbra("tune", "self", at("x.npy"), "--labels", at("y.npy"), *FLAGS, *flags, "-o", at("model"))
        found.append((told["accuracy"]["mean"][0] - truth, accuracy(), told.get("effective_rows", told["labelled"]) / told["labelled"]))
    return found


def cell(values, decimals=1):
    """A mean of percentages and its standard error."""
    values = 100 * np.asarray(values)
    return f"{values.mean():.{decimals}f} ± {values.std(ddof=1) / np.sqrt(len(values)):.{decimals}f}"


def line(name, bias, found):
    """found [draws or sets x weights x 4]: error, its square, accuracy gained by the choice, share of effective rows."""
    cells = [cell(found[:, w, 0]) for w in range(3)] + [f"{100 * np.sqrt(found[:, w, 1].mean()):.1f}" for w in range(3)]
    cells += [cell(found[:, w, 2], 2) for w in (1, 2)] + [f"{found[:, w, 3].mean():.2f}" for w in (1, 2)]
    print(f"| {name} | {bias} | " + " | ".join(cells) + " |", flush=True)


def main():
    asked = arguments(__doc__, SETS, draws=20)
    print("| set | labels | error, none | auto | true | root mean square, none | auto | true | chosen, auto | true | effective rows, auto | true |")
    print("|---" * 12 + "|", flush=True)
    means = collections.defaultdict(list)
    with workers() as (scratch, pool):
        for name in asked.sets:
            for bias in BIASES:
                jobs = [(name, bias, draw, scratch) for draw in range(asked.draws)]
                raw = np.array(pool.map(one_draw, jobs, chunksize=1))
                gained = raw[:, :, 1] - raw[:, :1, 1]
                found = np.stack([raw[:, :, 0], raw[:, :, 0] ** 2, gained, raw[:, :, 2]], axis=2)
                line(name, bias, found)
                means[bias].append(found.mean(0))
    for bias in BIASES:
        if len(asked.sets) > 1:
            line("all", bias, np.array(means[bias]))


if __name__ == "__main__":
    main()
