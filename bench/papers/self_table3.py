"""Table 3 of Sugiyama, Ide, Nakajima, Sese (2010): 1-NN error on documents, with other documents.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/papers/self_table3.py [SET...]
        [--tasks 5] [--runs 3] [--keep FILE]

The paper has the 295 tasks of the Technion repository TechTC-300, with some hundred documents of
two classes each, which were not available. FOLDER holds text_basehock_csr, text_pcmac_csr,
text_relathe_csr, each with y.npy and a sparse matrix of word counts, one row per document
(values.npy, indices.npy, indptr.npy, shape.npy): two groups of 20 Newsgroups. A task here is 100
documents per class, drawn from one of these sets.

Protocol of the paper: term frequency times the logarithm of documents over documents with the word;
20, 40, 60, 80 % of the documents are labelled at random, and the error is that of the remaining
ones. The number of dimensions, 1 to 10, and for SELF(CV) also beta, minimize the errors in 5-fold
cross-validation on the labelled documents (in a tie the first; held-out documents are left out of
the fits). LFDA is SELF(0.001), PCA is SELF(1), `total covariance`. Plain: in the space of words.
The paper uses the kernel form with a linear kernel; here documents are sparse rows, for which SELF
is the same.

Cells are the paper's number / ours. `deviation`: over runs, averaged over tasks. `best of tasks`:
the number of tasks on which the method has the smallest mean error (the paper: or no other method
has a significantly smaller one).

The documents differ from the paper's, so nothing is counted. Below the tables, statements of the
paper's text are checked.

--keep FILE keeps results, and does not repeat existing ones.
"""

import sys

import numpy as np
from protocol import (
    Random,
    arguments,
    check,
    derive,
    files_of_process,
    key_of,
    load,
    load_labels,
    neighbor_accuracy,
    penumbra,
    results,
    workers,
)
from scipy.sparse import csr_array, save_npz
from self_table1 import BETAS, FAMILIES, held_out_right

SETS = ("text_basehock_csr", "text_pcmac_csr", "text_relathe_csr")
METHODS = ("Plain", "LFDA", "SELF(0.5)", "PCA", "SELF(CV)")
PAPER = {  # share of labelled rows: mean error, its deviation, best of 295 tasks, mean dimensions
    0.2: (
        (20.8, 18.4, 16.3, 18.5, 16.4),
        (3.4, 2.3, 2.1, 1.7, 1.7),
        (41, 76, 252, 46, 242),
        (np.nan, 2.2, 3.3, 4.6, 3.5),
    ),
    0.4: (
        (20.8, 15.0, 13.8, 17.0, 13.9),
        (3.8, 1.6, 1.5, 1.6, 1.5),
        (10, 115, 239, 34, 220),
        (np.nan, 3.0, 4.0, 5.3, 3.9),
    ),
    0.6: (
        (21.1, 13.9, 12.7, 16.2, 12.7),
        (3.4, 1.5, 1.6, 1.7, 1.6),
        (8, 126, 235, 50, 242),
        (np.nan, 3.5, 4.2, 5.7, 3.9),
    ),
    0.8: (
        (21.5, 13.6, 12.0, 15.6, 12.1),
        (2.9, 2.0, 2.2, 2.4, 2.3),
        (9, 134, 245, 72, 240),
        (np.nan, 3.8, 4.1, 6.0, 3.8),
    ),
}
PAPER_BETA = {0.2: 0.57, 0.4: 0.52, 0.6: 0.48, 0.8: 0.46}
OF_ONE_BETA = {"LFDA": 0.001, "SELF(0.5)": 0.5, "PCA": 1}
SEED, FOLDS, DIMS, OF_EACH = 295, 5, 10, 100


def documents(name, task):
    """Draw OF_EACH documents per class."""
    of = {part: load(name, part + ".npy") for part in ("values", "indices", "indptr", "shape")}
    counts = csr_array((of["values"].astype(float), of["indices"], of["indptr"]), of["shape"])
    y, random, chosen = load_labels(name), Random(derive(SEED, task)), []
    for c in np.unique(y):
        members = np.flatnonzero(y == c)
        chosen.extend(members[random.permutation(len(members))[:OF_EACH]])
    counts = counts[chosen]
    there = np.bincount(counts.indices, minlength=counts.shape[1])
    counts = counts[:, there > 0]
    return csr_array(counts * np.log(len(chosen) / there[there > 0])), y[chosen]


def measure(job):
    """Return percentages of misclassified unlabelled rows and numbers of dimensions for METHODS,
    and the beta of SELF(CV)."""
    name, task, run, share, scratch = job
    (x, y), at = documents(name, task), files_of_process(scratch)
    seed = derive(SEED, task, run, round(10 * share))
    known = np.zeros(len(y), dtype=bool)
    known[Random(seed).permutation(len(y))[: round(share * len(y))]] = True
    with open(at("learn.npy"), "wb") as file:
        save_npz(file, x)
    np.save(at("labels.npy"), np.where(known, y, -1).astype(np.int32))

    def wrong(z, dims):
        return 100 * (1 - neighbor_accuracy(z[known], y[known], z[~known], y[~known], dims))

    (command, _), dims = FAMILIES["self"], range(1, DIMS + 1)
    right = held_out_right(at, command, known.sum(), dims, derive(seed, 0), BETAS, FOLDS)
    error = []
    for beta in BETAS:
        given = (*command[1:], "--labels", at("labels.npy"), "--beta", beta)
        flags = ("--dim", DIMS, "--threads", 1, "-o", at("model"))
        penumbra("fit", command[0], at("learn.npy"), *given, *flags)
        penumbra("transform", at("model"), at("learn.npy"), "--threads", 1, "-o", at("z.npy"))
        error.append(wrong(np.load(at("z.npy")), dims))
    error = np.array(error)
    of_one = [BETAS.index(beta) for beta in OF_ONE_BETA.values()]
    chosen = [(b, right[b].argmax()) for b in of_one]
    chosen.append(np.unravel_index(right.argmax(), right.shape))
    errors = [wrong(x.toarray(), [x.shape[1]])[0]] + [error[at_] for at_ in chosen]
    return errors + [np.nan] + [r + 1 for _, r in chosen] + [BETAS[chosen[-1][0]]]


def cells(paper, ours, form):
    both = ((f"{p:{form}}", f"{o:{form}}") for p, o in zip(paper, ours))
    return ["-" if o == "nan" else f"{p} / {o}" for p, o in both]


def of_share(share, found):
    """Return lines of the table from found [tasks x runs x results of measure]."""
    m = len(METHODS)
    errors, dims = found[:, :, :m], found[:, :, m : 2 * m].mean((0, 1))
    means = errors.mean(1)
    best = (means == means.min(1, keepdims=True)).sum(0)
    mean, deviation, bests, r = PAPER[share]
    tasks = len(found)
    lines = {
        "mean error": cells(mean, means.mean(0), ".1f"),
        "deviation": cells(deviation, errors.std(1, ddof=1).mean(0), ".1f"),
        f"best of tasks (295 / {tasks})": cells(bests, best, "d"),
        "mean dimensions": cells(r, dims, ".1f"),
    }
    for what, line in lines.items():
        print(f"| {100 * share:.0f} % | {what} | " + " | ".join(line) + " |", flush=True)
    return means


def holds(means, lesser, greater):
    """Return the difference of two methods, its standard error, and the tasks on which it holds."""
    each = means[:, METHODS.index(greater)] - means[:, METHODS.index(lesser)]
    error = each.std(ddof=1) / np.sqrt(len(each))
    return f"{each.mean():+.1f} ± {error:.1f} ({np.sum(each > 0)} of {len(each)})"


def main():
    asked = arguments(__doc__, SETS, files=("keep",), tasks=5, runs=3)
    check()
    tasks = [(name, task) for name in asked.sets for task in range(asked.tasks)]
    print("| labelled | | " + " | ".join(METHODS) + " |\n" + "|---" * (2 + len(METHODS)) + "|")
    said = []
    with workers() as (scratch, pool):
        jobs = {
            share: [(*task, run, share, scratch) for task in tasks for run in range(asked.runs)]
            for share in PAPER
        }
        all_ = [job for of in jobs.values() for job in of]
        found = results(measure, all_, key_of, pool, asked.keep)
    for share, of in jobs.items():
        numbers = np.array([found[key_of(job)] for job in of], dtype=float)
        means = of_share(share, numbers.reshape(len(tasks), asked.runs, -1))
        said.append((share, means, numbers[:, -1].mean()))
    heads = ("labelled", "Plain less the worst other", "LFDA less SELF(CV)", "PCA less SELF(CV)")
    heads += ("SELF(CV) less SELF(0.5)", "PCA less LFDA", "mean beta, paper / here")
    print("\n| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    for share, means, beta in said:
        worst = METHODS[1 + means[:, 1:].mean(0).argmax()]
        line = [f"{100 * share:.0f} %", f"{worst}: " + holds(means, worst, "Plain")]
        line += [holds(means, "SELF(CV)", other) for other in ("LFDA", "PCA")]
        line += [holds(means, "SELF(0.5)", "SELF(CV)"), holds(means, "LFDA", "PCA")]
        print("| " + " | ".join(line) + f" | {PAPER_BETA[share]:.2f} / {beta:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
