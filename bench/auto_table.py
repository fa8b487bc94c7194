"""What `penumbra fit` without METHOD is worth: accuracy on hidden rows of the fit and on rows that
are not in it, next to classifiers of scikit-learn and umap-learn, on real data with few labels.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/auto_table.py [SET...] [flags]

    --draws N          draws of rows and labels (2)
    --processes N      how many are worked on at a time (the cores)
    --kinds LIST       what is measured: penumbra,scikit-learn,umap,NAME (all); also one classifier
                       of scikit-learn, such as "logistic regression"
    --results FILE     results are kept here, one JSON object a line, and what is there is not done
                       again (build-bench/auto.jsonl)
    --also NAME=COMMAND   another penumbra command, compared with this one: `before`, an earlier one
    --picture FILE     where the probabilities are drawn (build-bench/calibration.svg)
    --seconds S        nothing is begun after this time
    --report           only print the tables of what is there
    --probabilities    of these, only those of probabilities and of the accuracy that fits expect
    --scale            only time and memory of many rows (auto_scale.py)

Each set in FOLDER has X.npy and y.npy. At most 1500 rows are drawn, of each class in proportion;
60 % of them are in the fit, and 3 or 10 labels of each class, or half, are known (auto_draws.py).
Peers take the best of a small grid by cross-validation on the labels and, of more than 80 columns,
of all columns and of their components. Means over sets; differences on the same draws, with their
standard error over sets. Rows `before` are of the command that --also gives that name. Columns,
model and time are medians (columns: and the most). Pictures: the share of the ten nearest rows in
two columns that are of the class, on sets of more than three classes. Expected calibration error: over
ten equal bins of the probability of a row's class, the mean distance between the mean probability
and the share that is right. Last the accuracy that `fit` expects: the share of fits in which its
interval holds the true accuracy on unlabelled rows, half its width, and how much more than true is
expected.
"""

import itertools
import os
import tempfile

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "PENUMBRA_THREADS"):
    os.environ[name] = "1"  # one thread for each process, also of BLAS

import auto_commands
import auto_draws
import auto_peers
import auto_report
import auto_scale
import kept_results

LDA = "projection, lda"  # in the first draw
FLAGS = {
    "ensemble": ["--ensemble"],
    "projection": [],
    "fme": ["fme"],
    LDA: ["--classifier", "lda"],
}


def arguments():
    parser = kept_results.parser("auto", 2)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--picture", default="build-bench/calibration.svg")
    parser.add_argument("--probabilities", action="store_true")
    parser.add_argument("--scale", action="store_true")
    return parser.parse_args()


def ours(draw, program, models=("ensemble", "projection", "fme")):
    with tempfile.TemporaryDirectory() as scratch:
        command = auto_commands.Command(program, scratch, draw)
        found = {who: auto_commands.fitted(command, *FLAGS[who]) for who in models}
        if LDA in models:
            found["PCA"] = auto_commands.pca(command)
        return found


def work(job):
    """One kind of results for one draw: lines of the file of results."""
    folder, name, labels, seed, kind, program = job
    key = {"set": name, "labels": labels, "draw": seed, "kind": kind}
    draw = auto_draws.draw(folder, name, labels, seed)
    if draw is None:
        return [{**key, "who": None}]
    if kind == "umap":
        found = auto_peers.umap(draw)
    elif kind == "scikit-learn":
        found = auto_peers.scikit_learn(draw)
    elif not program:
        found = auto_peers.scikit_learn(draw, (kind,))
    elif kind == "penumbra" and seed == 0:
        found = ours(draw, program, FLAGS)
    else:
        found = ours(draw, program)
    shape = {"shape": draw.x.shape, "classes": int(draw.y.max()) + 1}
    return [{**key, **shape, "who": who, **result} for who, result in found.items()]


def jobs(options, folder, done):
    """What is not yet there, draw by draw."""
    sets = options.sets or auto_draws.sets(folder)
    programs = {"penumbra": os.environ.get("PENUMBRA", "penumbra")}
    programs |= dict(also.split("=", 1) for also in options.also)
    kinds = options.kinds.split(",") if options.kinds else ["scikit-learn", "umap", *programs]
    for seed, kind in itertools.product(range(options.draws), kinds):
        for name, labels in itertools.product(sets, auto_draws.LABELS):
            if (name, labels, seed, kind) not in done:
                yield folder, name, labels, seed, kind, programs.get(kind)


def measure(options, folder):
    done = {
        (r["set"], r["labels"], r["draw"], r["kind"]) for r in kept_results.read(options.results)
    }
    todo = jobs(options, folder, done)
    kept_results.measure(work, todo, options.results, options.processes, options.seconds)


def main():
    options, folder = arguments(), os.environ.get("PENUMBRA_DATA")
    program = os.environ.get("PENUMBRA", "penumbra")
    if options.scale:
        auto_scale.table(program)
    elif not folder:
        print("skipped: PENUMBRA_DATA names no folder")
    else:
        if not options.report:
            measure(options, folder)
        lines = kept_results.read(options.results)
        if not options.probabilities:
            auto_report.report(lines)
        auto_report.report_probabilities(lines, options.picture)


if __name__ == "__main__":
    main()
