"""What `penumbra fit` without METHOD is worth: accuracy on hidden rows, next to classifiers of
scikit-learn, umap-learn and version 0.1.0, on real data with few labels.

    PENUMBRA=build/penumbra PENUMBRA_DATA=FOLDER python bench/auto_table.py [SET...] [flags]

    --draws N          draws of rows and labels (3)
    --processes N      how many are worked on at a time (the cores)
    --results FILE     results are kept here, one JSON object a line, and what is there is not done
                       again (build-bench/auto.jsonl)
    --before COMMAND   the command of version 0.1.0; it takes long: its --before-draws N (1)
    --umap-draws N     draws for umap-learn (1)
    --also NAME=COMMAND, --also-draws N   another penumbra command, compared with this one (1)
    --picture FILE     where the probabilities are drawn (build-bench/calibration.svg)
    --report           only print the tables of what is there
    --digits           only the table of the README: 1797 digits, three labels a class, ten draws

Each set in FOLDER has X.npy and y.npy. At most 600 rows are drawn, of each class in proportion, and
3 or 10 labels of each class, or half, are known (auto_draws.py). docs/results.md explains the
tables.
"""

import argparse
import itertools
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "PENUMBRA_THREADS"):
    os.environ[name] = "1"  # one thread for each process, also of BLAS

import auto_commands
import auto_draws
import auto_peers
import auto_report


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--results", default="build-bench/auto.jsonl")
    parser.add_argument("--before")
    parser.add_argument("--before-draws", type=int, default=1)
    parser.add_argument("--umap-draws", type=int, default=1)
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--also-draws", type=int, default=1)
    parser.add_argument("--picture", default="build-bench/calibration.svg")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--digits", action="store_true")
    return parser.parse_args()


def both_answers(draw, program):
    with tempfile.TemporaryDirectory() as scratch:
        command = auto_commands.Command(program, scratch, draw)
        return {kind: auto_commands.answer(command, kind) for kind in ("classes", "map")}


def before(draw, program):
    with tempfile.TemporaryDirectory() as scratch:
        command = auto_commands.Command(program, scratch, draw)
        return {"fit auto 0.1.0 + 1-NN": auto_commands.version_0_1_0(command)}


def others(draw, which):
    found = auto_peers.umap(draw) if which == "umap" else auto_peers.scikit_learn(draw)
    return {name: {"accuracy": accuracy} for name, accuracy in found.items()}


def work(job):
    """One kind of results for one draw: lines of the file of results."""
    folder, name, labels, seed, kind, program = job
    key = {"set": name, "labels": labels, "draw": seed, "kind": kind}
    draw = auto_draws.draw(folder, name, labels, seed)
    if draw is None:
        return [{**key, "who": None}]
    start = time.perf_counter()
    if kind in ("umap", "scikit-learn"):
        found = others(draw, kind)
    elif kind == "before":
        found = before(draw, program)
    else:
        found = both_answers(draw, program)
    seconds = round(time.perf_counter() - start, 2)
    shape = {
        "rows": draw.x.shape[0],
        "columns": draw.x.shape[1],
        "hidden": int((~draw.known).sum()),
    }
    return [
        {**key, **shape, "who": who, **result, "seconds": seconds} for who, result in found.items()
    ]


def kinds(options):
    """What is to be measured: a name, the command, how many draws."""
    yield "penumbra", os.environ.get("PENUMBRA", "penumbra"), options.draws
    yield "scikit-learn", None, options.draws
    yield "umap", None, options.umap_draws
    if options.before:
        yield "before", options.before, options.before_draws
    for also in options.also:
        name, _, command = also.partition("=")
        yield name, command, options.also_draws


def jobs(options, folder, done):
    """What is not yet there, draw by draw."""
    sets = options.sets or auto_draws.sets(folder)
    wanted = list(kinds(options))
    for seed in range(max(draws for _, _, draws in wanted)):
        for kind, program, draws in wanted:
            for name, labels in itertools.product(sets if seed < draws else [], auto_draws.LABELS):
                if (name, labels, seed, kind) not in done:
                    yield folder, name, labels, seed, kind, program


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
    if not folder:
        print("skipped: PENUMBRA_DATA names no folder")
        return
    if options.digits:
        auto_report.digits(folder, both_answers, os.environ.get("PENUMBRA", "penumbra"))
        return
    if not options.report:
        measure(options, folder)
    auto_report.report(read(options.results), options.picture)


if __name__ == "__main__":
    main()
