"""SODRPaC with `lambda cv` and `gamma cv`, next to fixed values and to what `compare` tunes.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/sodrpac_cv.py [SET...] [--draws 10]

FOLDER holds folders with X.npy and y.npy. In each draw half of the rows (500 at most) are learned
from, with 30 must-links and 30 cannot-links drawn among them, or with 50 labels; the others (500 at
most) are new. All projections have five dimensions, or all columns, of standardized
columns. Given is the accuracy on new rows of 1-NN by all rows that were learned from (pairs), or by
the 50 labelled ones (labels), in percent: with the defaults, and the difference to them in the same
draws with its standard error over draws, and for all sets over sets. `compare` needs labels.
"""

import json
import collections
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "papers"))
from protocol import (  # noqa: E402
    arguments,
    files_of_process,
    load,
    load_labels,
    neighbor_accuracy,
    penumbra,
    workers,
)

SETS = (
    "monks1",
    "monks3",
    "heart_statlog",
    "sk_wine",
    "ida_diabetis",
    "wdbc",
    "segmentation2100",
    "sk_digits8x8",
)
VARIANTS = {
    "the defaults": (),
    "lambda cv": ("--lambda", "cv"),
    "lambda, gamma cv": ("--lambda", "cv", "--gamma", "cv"),
    "sum, lambda, gamma cv": ("--pair-terms", "sum", "--lambda", "cv", "--gamma", "cv"),
    "lambda 0": ("--lambda", 0),
    "sum, lambda 1": ("--pair-terms", "sum", "--lambda", 1),
    "tune": None,
    "pca": None,
}
MOST_ROWS, DIMS, PAIRS, LABELS = 500, 5, 30, 50


def one_draw(job):
    name, kind, draw, scratch = job
    rng = np.random.default_rng([draw, kind == "labels", *name.encode()])
    at = files_of_process(scratch)
    x, y = load(name).astype(float), load_labels(name)
    order = rng.permutation(len(x))
    half = min(len(x) // 2, MOST_ROWS)
    here, new = order[:half], order[half : 2 * half]
    known = np.arange(half) if kind == "pairs" else np.arange(min(LABELS, half // 2))
    labels = np.full(half, -1, dtype=np.int32)
    labels[known] = y[here[known]]
    np.save(at("x.npy"), x[here])
    np.save(at("new.npy"), x[new])
    np.save(at("y.npy"), labels)
    flags = ["--scale", "standard", "--dim", min(DIMS, x.shape[1]), "--threads", 1]
    learned = ["--labels", at("y.npy")]
    if kind == "pairs":
        learned += ["--sample-pairs", f"{PAIRS}+{PAIRS}", "--seed", draw]

    def embed(file):
        penumbra("transform", at("model"), at(file), "--threads", 1, "-o", at("z.npy"))
        return np.load(at("z.npy"))

    found = []
    for variant, own in VARIANTS.items():
        if variant == "tune" and kind == "pairs":
            found.append(np.nan)
            continue
        allow = ["--allow-fewer", "-o", at("model")]
        if variant == "pca":
            penumbra("fit", "pca", at("x.npy"), *flags, *allow)
        elif variant == "tune":
            given = ("--classifier", "nearest", "--json")
            told = json.loads(penumbra("compare", "sodrpac", at("x.npy"), *learned, *flags, *given))
            (tuned,) = (c for c in told["candidates"] if c["method"] == "sodrpac")
            best = [f"--{name}={value}" for name, value in tuned["changed"].items()]
            penumbra("fit", "sodrpac", at("x.npy"), *learned, *best, *allow)
        else:
            penumbra("fit", "sodrpac", at("x.npy"), *learned, *flags, *own, *allow)
        z, z_new = embed("x.npy"), embed("new.npy")
        accuracy = neighbor_accuracy(z[known], labels[known], z_new, y[new], [z.shape[1]])
        found.append(accuracy[0])
    return found


def line(name, kind, found):
    """found [draws or sets x variants]: accuracies."""
    cells = [f"{100 * found[:, 0].mean():.1f}"]
    for v in range(1, len(VARIANTS)):
        more = 100 * (found[:, v] - found[:, 0])
        error = more.std(ddof=1) / np.sqrt(len(more))
        cells.append("-" if np.isnan(more).any() else f"{more.mean():+.1f} ± {error:.1f}")
    print(f"| {name} | {kind} | " + " | ".join(cells) + " |", flush=True)


def main():
    asked = arguments(__doc__, SETS, draws=10)
    print("| set | learned from | " + " | ".join(VARIANTS) + " |")
    print("|---" * (2 + len(VARIANTS)) + "|", flush=True)
    means = collections.defaultdict(list)
    with workers() as (scratch, pool):
        for name in asked.sets:
            for kind in ("pairs", "labels"):
                jobs = [(name, kind, draw, scratch) for draw in range(asked.draws)]
                found = np.array(pool.map(one_draw, jobs, chunksize=1))
                line(name, kind, found)
                means[kind].append(found.mean(0))
    for kind, rows in means.items():
        if len(rows) > 1:
            line("all", kind, np.array(rows))


if __name__ == "__main__":
    main()
