"""What `penumbra fit` without METHOD is worth: accuracy on hidden rows of the fit and on rows that
are not in it, next to classifiers of scikit-learn and umap-learn, on real data with few labels.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/auto_table.py [SET...] [flags]

    --draws N          draws of rows and labels (2)
    --processes N      how many are worked on at a time (the cores)
    --kinds LIST       what is measured: penumbra,scikit-learn,umap,NAME (all)
    --results FILE     results are kept here, one JSON object a line, and what is there is not done
                       again (build-bench/auto.jsonl)
    --also NAME=COMMAND   another penumbra command, compared with this one
    --picture FILE     where the probabilities are drawn (build-bench/calibration.svg)
    --report           only print the tables of what is there
    --digits           only the table of the README: 1797 digits, three labels a class, ten draws
    --scale            only time and memory of many rows (auto_scale.py)

Each set in FOLDER has X.npy and y.npy. At most 1500 rows are drawn, of each class in proportion;
60 % of them are in the fit, and 3 or 10 labels of each class, or half, are known (auto_draws.py).
docs/results.md explains the tables.
"""

import argparse
import itertools
import json
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "PENUMBRA_THREADS"):
    os.environ[name] = "1"  # one thread for each process, also of BLAS

import auto_commands
import auto_draws
import auto_peers
import auto_report
import auto_scale

LDA = "projection, lda"  # in the first draw
FLAGS = {"ensemble": ["--ensemble"], "projection": [], LDA: ["--classifier", "lda"]}


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--kinds", default="")
    parser.add_argument("--results", default="build-bench/auto.jsonl")
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--picture", default="build-bench/calibration.svg")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--digits", action="store_true")
    parser.add_argument("--scale", action="store_true")
    return parser.parse_args()


def ours(draw, program, models=("ensemble", "projection")):
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
    elif kind == "penumbra":
        found = ours(draw, program, FLAGS if seed == 0 else ("ensemble", "projection"))
    else:
        found = ours(draw, program, ("projection",))
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


def read(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


def measure(options, folder):
    done = {(r["set"], r["labels"], r["draw"], r["kind"]) for r in read(options.results)}
    todo = list(jobs(options, folder, done))
    os.makedirs(os.path.dirname(options.results) or ".", exist_ok=True)
    with ProcessPoolExecutor(options.processes) as pool, open(options.results, "a") as file:
        waiting = {pool.submit(work, job): job for job in todo}
        for count, future in enumerate(as_completed(waiting)):
            try:
                file.writelines(json.dumps(line) + "\n" for line in future.result())
            except RuntimeError as why:
                print(f"{waiting[future][1:5]}: {why}", file=sys.stderr)
            file.flush()
            if sys.stderr.isatty():
                print(f"\r{count + 1} of {len(todo)}", end="", file=sys.stderr, flush=True)


def main():
    options, folder = arguments(), os.environ.get("PENUMBRA_DATA")
    program = os.environ.get("PENUMBRA", "penumbra")
    if options.scale:
        auto_scale.table(program)
    elif not folder:
        print("skipped: PENUMBRA_DATA names no folder")
    elif options.digits:
        auto_report.digits(folder, ours, program)
    else:
        if not options.report:
            measure(options, folder)
        auto_report.report(read(options.results), options.picture)


if __name__ == "__main__":
    main()
