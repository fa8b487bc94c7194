"""Weights (`cv`) and numbers of dimensions (`dim auto`) of methods that learn from pairs, chosen by
held-out pairs or labels, compared with the defaults.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/pairs_cv.py [SET...] [--draws 5]

FOLDER holds folders with X.npy and y.npy. In each draw half of the rows (at most 500) are for
training, with 30 must-links and 30 cannot-links among them, or with 50 labels. The remaining rows
(at most 500) are new. Columns are standardized. The table shows the accuracy on new rows, in
percent, of 1-NN among all training rows (pairs) or among the 50 labelled ones (labels): with the
defaults in five dimensions, and the difference to them in the same draws, with its standard error
over draws or sets. `cv`: every parameter with it, in five dimensions; `dim all`: the default.
"""

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

SETS = ("heart_statlog", "sk_wine", "wdbc", "segmentation2100", "sk_digits8x8")
METHODS = {
    "ssdr": ("alpha", "beta"),
    "npssdr": ("alpha", "beta", "mu"),
    "rssdr": ("alpha", "beta"),
    "bwdr": ("threshold",),
    "wbdr": ("threshold",),
    "sodrpac": ("lambda", "gamma"),
}
VARIANTS = ("defaults", "cv", "cv, dim auto", "dim auto", "dim all")
MOST_ROWS, DIMS, PAIRS, LABELS = 500, 5, 30, 50


def one_draw(job):
    """Return accuracies [methods x variants]."""
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
    learned = ["--labels", at("y.npy")]
    if kind == "pairs":
        learned += ["--sample-pairs", f"{PAIRS}+{PAIRS}", "--seed", draw]

    def embed(file):
        penumbra("transform", at("model"), at(file), "--threads", 1, "-o", at("z.npy"))
        return np.load(at("z.npy"))

    def accuracy(method, variant):
        dim = variant[-4:].strip() if "dim" in variant else min(DIMS, x.shape[1])
        chosen = METHODS[method] if "cv" in variant else ()
        flags = ["--scale", "standard", "--dim", dim, "--classifier", "none", "--threads", 1]
        flags += [f"--{name}=cv" for name in chosen] + ["--allow-fewer", "-o", at("model")]
        penumbra("fit", method, at("x.npy"), *learned, *flags)
        z, z_new = embed("x.npy"), embed("new.npy")
        return neighbor_accuracy(z[known], labels[known], z_new, y[new], [z.shape[1]])[0]

    return [[accuracy(method, variant) for variant in VARIANTS] for method in METHODS]


def line(name, kind, found):
    """Print a line; found [draws or sets x methods x variants]: accuracies."""
    for m, method in enumerate(METHODS):
        cells = [f"{100 * found[:, m, 0].mean():.1f}"]
        for v in range(1, len(VARIANTS)):
            more = 100 * (found[:, m, v] - found[:, m, 0])
            error = more.std(ddof=1) / np.sqrt(len(more))
            cells.append(f"{more.mean():+.1f} ± {error:.1f}")
        print(f"| {name} | {kind} | {method} | " + " | ".join(cells) + " |", flush=True)


def main():
    asked = arguments(__doc__, SETS, draws=5)
    print("| set | learned from | method | " + " | ".join(VARIANTS) + " |")
    print("|---" * (3 + len(VARIANTS)) + "|", flush=True)
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
