"""Fits by Dask workers of rows in files: the bits, time, bytes and memory of four processes and of
one. One JSON line per fit, and one per method.

    python bench/dask_scale.py [--full] [--only self|sda] [--folder FOLDER]

`self` has 1000 labels, `sda` a label in a hundred rows. Rows are float32 npy files, which tasks map
into memory; their generators have fixed seeds. With --full 5 000 000 x 128 rows in 64 files (2.6 GB
on disk) and 200 000 x 128 in 16; else a twentieth and a tenth of them. Files lie in FOLDER, or
where temporary ones do, and are removed at the end.

Each worker has one thread, for BLAS, too. `sent` are the bytes of one task of each kind, pickled,
next to the formulas of docs/statistics.md; `moved` is what workers sent to each other and to the client. `peak` is
the most memory of a worker (VmHWM) in addition to one that has fitted a few rows; pages of mapped
files count. `held` is what it has of the rows at the same time: a block, or all of X in passes over
pairs of blocks. `formula` is what tasks need besides.
"""

import argparse
import json
import os
import pathlib
import pickle
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import dask
import dask.array as da
import distributed
import numpy as np

import penumbra
import penumbra.dask

COLUMNS, CLASSES = 128, 10


# ---- rows ----


def write_block(path, number, rows):
    """Ten classes about their centers, in a noise of unequal columns."""
    centers = np.random.default_rng(1).normal(size=(CLASSES, COLUMNS))
    rng = np.random.default_rng([2, number])
    of = rng.integers(CLASSES, size=rows)
    x = rng.standard_normal((rows, COLUMNS), np.float32)
    x *= np.linspace(3, 0.5, COLUMNS, dtype=np.float32)
    x += centers[of].astype(np.float32)
    np.save(path, x)
    return of


def write_blocks(folder, rows, files, labelled):
    """The paths, and labels of which all but `labelled` are -1."""
    cuts = np.arange(files + 1) * rows // files
    paths = [folder / f"{rows}-{i:03}.npy" for i in range(files)]
    of = [write_block(p, i, b - a) for i, (p, a, b) in enumerate(zip(paths, cuts, cuts[1:]))]
    os.sync()  # what is still to be written would slow the first fit
    y = np.concatenate(of)
    known = np.random.default_rng(3).choice(rows, labelled, replace=False)
    mask = np.zeros(rows, bool)
    mask[known] = True
    return paths, np.where(mask, y, -1), np.diff(cuts)


def mapped(path):
    return np.load(path, mmap_mode="r")


def rows_of(paths, sizes):
    load = dask.delayed(mapped, pure=True)
    return da.concatenate(
        [
            da.from_delayed(load(str(path)), (int(size), COLUMNS), np.float32)
            for path, size in zip(paths, sizes)
        ]
    )


# ---- what a process has used ----


def status(what):
    with open("/proc/self/status", encoding="ascii") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(what))


def begin():
    """Bytes in use, by which the peak starts anew, and processor seconds."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
    return status("VmRSS"), time.process_time()


def end(dask_worker):
    return status("VmHWM"), time.process_time(), dask_worker.transfer_outgoing_bytes_total


def warm_up():
    """What every worker has loaded: the package, its BLAS, its classes."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, COLUMNS)), np.arange(60) % 3
    for estimator in (penumbra.SELF(ridge=0.01), penumbra.SDA()):
        stats = penumbra.Statistics(estimator, x, y)
        pickle.loads(pickle.dumps(stats))
        estimator.set_params(n_jobs=1).fit(x, y)


# ---- a fit ----


def fitted(make, X, y, workers, folder):
    """The bytes of the model, and what the fit has cost with so many workers."""
    with (
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            local_directory=str(folder / "scratch"),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(warm_up)
        before, here = client.run(begin), time.process_time()
        start = time.perf_counter()
        model = penumbra.dask.fit(make(), X, y)
        seconds = time.perf_counter() - start
        after, here = client.run(end), time.process_time() - here
    cpu = sum(after[worker][1] - before[worker][1] for worker in before)
    line = {
        "workers": workers,
        "seconds": round(seconds, 1),
        "cpu_of_workers": round(cpu, 1),
        "cpu_of_client": round(here, 1),
        "moved": sum(used[2] for used in after.values()),
        "peak": [after[worker][0] - before[worker][0] for worker in before],
    }
    return model._model.bytes(), line


# ---- formulas ----


def sent_by_self(estimator, paths, y, sizes):
    """Bytes of a task of each kind, and of its formula; and what a worker needs beside a block."""
    d, k = COLUMNS, estimator.n_neighbors
    x, labels = mapped(paths[0]), y[: sizes[0]]
    kept, labelled = int((labels >= 0).sum()), int((y >= 0).sum())
    stats = penumbra.Statistics(estimator, x, labels)
    near = stats.nearest(estimator, x, labels)
    sent = {
        "statistics": [len(pickle.dumps(stats)), 4 * d * d + 28 * d + kept * (8 * d + 20)],
        "nearest": [len(pickle.dumps(near)), 8 * kept * k + 16 * kept],
    }
    # labelled rows of all blocks in two forms, squares, and a part of 4096 rows in double
    return sent, 2 * 8 * labelled * d + 4 * 8 * d * d + 3 * 8 * 4096 * d


def sent_by_sda(estimator, paths, y, sizes):
    d, k = COLUMNS, estimator.n_neighbors
    n, pair = int(sizes.sum()), int(sizes[0] + sizes[1])
    x = [mapped(path) for path in paths[:2]]
    cuts = [0, sizes[0], pair]
    parts = [
        penumbra.Statistics(estimator, x[i], y[cuts[i] : cuts[i + 1]], block=i) for i in range(2)
    ]
    both = penumbra.Statistics.merge(parts)
    tasks = [(x[0], {"block": 0}), (x[1], {"block": 1})]
    tasks.append((x[0], {"block": 0, "other": x[1], "other_block": 1}))
    lists = [both.lists(estimator, rows, **which) for rows, which in tasks]
    graph = penumbra.Statistics.merge([both, *lists]).graph(estimator)
    edges = graph.edges(estimator, tasks[2][0], **tasks[2][1])
    kept = parts[0].kept
    sent = {
        "statistics": [
            len(pickle.dumps(parts[0])),
            2 * (4 * d * d + 28 * d) + 8 * CLASSES * d + kept * (8 * d + 20),
        ],
        "lists": [len(pickle.dumps(lists[2])), 16 * k * pair],
        "edges": [len(pickle.dumps(edges)), 4 * d * d + 20 * d],
    }
    # two blocks in double, prepared and not; lists of all rows, merged and in bytes; the graph
    return sent, 2 * 8 * pair * d + 4 * 16 * k * n + 2 * 16 * k * n


CASES = {
    "self": (
        lambda: penumbra.SELF(scale="standard", ridge=0.01, n_jobs=1),
        sent_by_self,
        (5_000_000, 64, lambda rows: 1000),
        (250_000, 64, lambda rows: 1000),
    ),
    "sda": (
        lambda: penumbra.SDA(scale="standard", n_jobs=1),
        sent_by_sda,
        (200_000, 16, lambda rows: rows // 100),
        (20_000, 16, lambda rows: rows // 100),
    ),
}


def measure(name, is_full, folder):
    make, formulas, full, small = CASES[name]
    rows, files, labelled = full if is_full else small
    paths, y, sizes = write_blocks(folder, rows, files, labelled(rows))
    X = rows_of(paths, sizes)
    block = int(sizes.max()) * COLUMNS * 4
    sent, formula = formulas(make(), paths, y, sizes)
    about = {"method": name, "rows": rows, "columns": COLUMNS, "files": files}
    print(json.dumps({**about, "block": block, "sent": sent}), flush=True)
    models, lines = [], []
    for workers in 4, 1:
        model, line = fitted(make, X, y, workers, folder)
        line["held"] = block if name == "self" else block * files
        line["formula"] = formula
        print(json.dumps({**about, **line}), flush=True)
        models.append(model)
        lines.append(line)
    summary = {
        "same_bits": models[0] == models[1],
        "times": round(lines[1]["seconds"] / lines[0]["seconds"], 2),
        "cores": len(os.sched_getaffinity(0)),
    }
    print(json.dumps({**about, **summary}), flush=True)
    for path in paths:
        path.unlink()
    return summary["same_bits"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", choices=list(CASES))
    parser.add_argument("--folder", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        names = [given.only] if given.only else list(CASES)
        same = [measure(name, given.full, pathlib.Path(folder)) for name in names]
    return 0 if all(same) else 1


if __name__ == "__main__":
    raise SystemExit(main())
