"""Fits of `self` to rows in files by Dask workers: bits, time, bytes and memory with four processes
and with one. One JSON line per fit, and one for both.

    python bench/dask_scale.py [--full] [--folder FOLDER]

There are 1000 labels. Rows are float32 npy files, which tasks map into memory; their generators
have fixed seeds. With --full there are 5 000 000 x 128 rows in 64 files (2.6 GB on disk), else a
twentieth. Files are in FOLDER, or in the folder for temporary files, and are removed at the end.

Each worker has one thread, also for BLAS. `sent` is the pickled size of one task of each kind,
next to the formulas of docs/statistics.md. `moved` counts the bytes that workers sent to each other
and to the client. `peak` is the largest memory of a worker (VmHWM) beyond that of a worker that has
fitted a few rows; it includes pages of mapped files. `held` is the size of the rows in use, one
block. `formula` is the additional memory of tasks.
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
FILES, LABELLED = 64, 1000


# ---- rows ----


def write_block(path, number, rows):
    """Write ten classes around their centers, with different noise in each column."""
    centers = np.random.default_rng(1).normal(size=(CLASSES, COLUMNS))
    rng = np.random.default_rng([2, number])
    of = rng.integers(CLASSES, size=rows)
    x = rng.standard_normal((rows, COLUMNS), np.float32)
    x *= np.linspace(3, 0.5, COLUMNS, dtype=np.float32)
    x += centers[of].astype(np.float32)
    np.save(path, x)
    return of


def write_blocks(folder, rows, files, labelled):
    """Write all blocks; return their paths and labels, -1 except for `labelled` rows."""
    cuts = np.arange(files + 1) * rows // files
    paths = [folder / f"{rows}-{i:03}.npy" for i in range(files)]
    of = [write_block(p, i, b - a) for i, (p, a, b) in enumerate(zip(paths, cuts, cuts[1:]))]
    os.sync()  # pending writes would slow the first fit
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


# ---- resources of a process ----


def status(what):
    with open("/proc/self/status", encoding="ascii") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(what))


def begin():
    """Reset the memory peak; return the bytes in use, and processor seconds."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
    return status("VmRSS"), time.process_time()


def end(dask_worker):
    return status("VmHWM"), time.process_time(), dask_worker.transfer_outgoing_bytes_total


def warm_up():
    """Load the package, its BLAS and its classes in every worker."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, COLUMNS)), np.arange(60) % 3
    estimator = penumbra.SELF(ridge=0.01)
    stats = penumbra.Statistics(estimator, x, y)
    pickle.loads(pickle.dumps(stats))
    estimator.set_params(n_jobs=1).fit(x, y)


# ---- a fit ----


def made():
    return penumbra.SELF(scale="standard", ridge=0.01, n_jobs=1)


def fitted(X, y, workers, folder):
    """Return the bytes of the model, and the cost of the fit with this number of workers."""
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
        model = penumbra.dask.fit(made(), X, y)
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


def sent_bytes(estimator, paths, y, sizes):
    """Return the bytes of each kind of task and its formula, and a worker's memory without rows."""
    d, k = COLUMNS, estimator.n_neighbors
    x, labels = mapped(paths[0]), y[: sizes[0]]
    kept, labelled = int((labels >= 0).sum()), int((y >= 0).sum())
    stats = penumbra.Statistics(estimator, x, labels)
    near = stats.nearest(estimator, x, labels)
    sent = {
        "statistics": [len(pickle.dumps(stats)), 4 * d * d + 28 * d + kept * (8 * d + 20)],
        "nearest": [len(pickle.dumps(near)), 8 * kept * k + 16 * kept],
    }
    # labelled rows of all blocks in two forms, squares, and 4096 rows in double precision
    return sent, 2 * 8 * labelled * d + 4 * 8 * d * d + 3 * 8 * 4096 * d


def measure(rows, folder):
    paths, y, sizes = write_blocks(folder, rows, FILES, LABELLED)
    X = rows_of(paths, sizes)
    block = int(sizes.max()) * COLUMNS * 4
    sent, formula = sent_bytes(made(), paths, y, sizes)
    about = {"method": "self", "rows": rows, "columns": COLUMNS, "files": FILES}
    print(json.dumps({**about, "block": block, "sent": sent}), flush=True)
    models, lines = [], []
    for workers in 4, 1:
        model, line = fitted(X, y, workers, folder)
        line["held"] = block
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
    parser.add_argument("--folder", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        same = measure(5_000_000 if given.full else 250_000, pathlib.Path(folder))
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
