"""Wide and sparse rows by penumbra and by scikit-learn or NumPy, on the same rows in memory, in one run; one JSON line per case.

    PENUMBRA_LIBRARY=build-bench/libpenumbra.so python bench/sparse_peers.py [--million]

The sparse rows are generated: 11314 documents over 130000 words with power-law frequencies, weighted and scaled to length one as for texts. All use OMP_NUM_THREADS threads and take turns,
the best of three; `times` is the processor time of the peer divided by that of penumbra. `off` is the largest relative difference of an eigenvalue, or the fraction of neighbors that differ.
peer_kernels.py selects the kernels of the peers.

--million: instead, one `pca` with 50 dimensions of a million rows with a million columns and a hundred entries each, without a peer, with its memory peak and the memory of the rows.
"""

import json
import os
import resource
import sys
import time

import peer_kernels  # noqa: F401; first of all

import numpy as np
import scipy.sparse as sparse

from library import DTYPES, array, call, ffi, library

ROWS, WORDS, QUERIES, NEIGHBORS = 11314, 130000, 2048, 10


def words(rng, rows, columns, mean):
    """Draw word counts of documents with about `mean` words each, by the Zipf-Mandelbrot law."""
    share = 1 / (np.arange(columns) + 8.0)
    limits = np.cumsum(share / share.sum())
    lengths = np.maximum(1, rng.lognormal(np.log(mean) - 0.5, 1, rows)).astype(np.int64)
    topics = rng.integers(0, 20, rows)  # a topic shifts a third of the words
    drawn = np.minimum(np.searchsorted(limits, rng.random(lengths.sum())), columns - 1)
    row = np.repeat(np.arange(rows), lengths)
    moved = rng.random(len(drawn)) < 1 / 3
    drawn[moved] = (drawn[moved] * 31 + 977 * topics[row[moved]]) % columns
    counts = sparse.csr_matrix((np.ones(len(drawn)), (row, drawn)), shape=(rows, columns))
    counts.sum_duplicates()
    return counts


def weighted(counts):
    """Apply log1p, inverse document frequencies, and unit length."""
    from sklearn.preprocessing import normalize

    x = counts.copy()
    x.data = np.log1p(x.data)
    present = np.bincount(x.indices, minlength=x.shape[1])
    x.data *= (np.log((1 + x.shape[0]) / (1 + present)) + 1)[x.indices]
    return normalize(x)


class Rows:
    """Sparse rows for the library, with their memory."""

    def __init__(self, x):
        self.starts, self.columns, self.values = x.indptr.astype(np.int64), x.indices.astype(np.int32), x.data
        self.array = {
            "values": ffi.cast("void *", self.values.ctypes.data),
            "dtype": DTYPES[self.values.dtype.name],
            "rows": x.shape[0],
            "cols": x.shape[1],
            "starts": ffi.cast("int64_t *", self.starts.ctypes.data),
            "columns": ffi.cast("int32_t *", self.columns.ctypes.data),
        }


def pca(rows, dim):
    """Return the eigenvalues and the info of a fit."""
    spec, model = ffi.new("pen_spec **"), ffi.new("pen_model **")
    call(library.pen_spec_new, b"pca", spec)
    call(library.pen_spec_set, spec[0], b"dim", str(dim).encode())
    call(library.pen_fit, spec[0], ffi.new("pen_data *", {"x": rows}), ffi.NULL, model)
    values = np.array(ffi.unpack(library.pen_model_tensor(model[0], b"eigenvalues").values, library.pen_model_dim(model[0])))
    info = json.loads(ffi.string(library.pen_model_info(model[0])))["info"]
    library.pen_model_free(model[0])
    library.pen_spec_free(spec[0])
    return values, info


def neighbors(queries, rows, count):
    index = np.empty((count, NEIGHBORS), np.int64)
    call(library.pen_neighbors, ffi.new("pen_array *", rows), ffi.new("pen_array *", queries), NEIGHBORS, ffi.NULL,
         ffi.cast("int64_t *", index.ctypes.data), ffi.NULL)
    return index


def cost(work):
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - start, time.process_time() - cpu


def report(case, peer, ours, theirs, off, rows):
    best = [[float("inf")] * 2 for _ in range(2)]
    results = [None, None]
    for _ in range(3):
        for i, work in enumerate((ours, theirs)):
            results[i], seconds, cpu = cost(work)
            best[i] = [min(best[i][0], seconds), min(best[i][1], cpu)]
    line = {"case": case, "rows": rows[0], "columns": rows[1], "threads": int(os.environ.get("OMP_NUM_THREADS", 0)), "seconds": round(best[0][0], 3), "cpu": round(best[0][1], 3),
            "peer": peer, "kernels": os.environ.get("OPENBLAS_CORETYPE"), "peer_seconds": round(best[1][0], 3), "peer_cpu": round(best[1][1], 3),
            "times": round(best[1][1] / best[0][1], 2), "off": float(f"{off(*results):.2g}")}
    if isinstance(results[0], tuple):
        line.update({name: results[0][1][name] for name in ("route", "residual") if name in results[0][1]})
    print(json.dumps(line), flush=True)


def values_off(ours, theirs):
    return np.max(np.abs(ours[0] - theirs) / theirs)


def compare():
    from sklearn.decomposition import PCA
    from sklearn.neighbors import NearestNeighbors

    rng = np.random.default_rng(2026)
    x = weighted(words(rng, ROWS, WORDS, 250))
    rows, queries = Rows(x), Rows(x[:QUERIES])
    for dim in 20, 100:
        report(f"pca {dim}, sparse", "scikit-learn PCA(arpack)", lambda: pca(rows.array, dim),
               lambda: (len(x.indptr) - 1) * PCA(dim, svd_solver="arpack", random_state=0).fit(x).explained_variance_ * (ROWS - 1) / ROWS, values_off, x.shape)
    report("2048 near, sparse", "scikit-learn brute force", lambda: neighbors(queries.array, rows.array, QUERIES),
           lambda: NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute").fit(x).kneighbors(x[:QUERIES], return_distance=False),
           lambda a, b: np.mean([len(set(p) - set(q)) for p, q in zip(a, b)]) / NEIGHBORS, x.shape)

    wide = rng.standard_normal((200, 20000)) * np.linspace(2, 0.5, 20000)

    def by_numpy():
        centered = wide - wide.mean(0)
        values, vectors = np.linalg.eigh(centered @ centered.T)
        directions = centered.T @ vectors[:, 1:]
        return values[:0:-1][:199], directions

    report("pca of 200 rows", "NumPy XX', eigh, V", lambda: pca(array(wide), 199), by_numpy, lambda a, b: values_off(a, b[0]), wide.shape)

    from scipy.linalg import eigh

    square = rng.standard_normal((8192, 4096)) / np.sqrt(np.arange(1, 4097))

    def by_lapack():
        centered = square - square.mean(0)
        return eigh(centered.T @ centered, subset_by_index=[4086, 4095], driver="evr", eigvals_only=False)[0][::-1]

    report("pca 10 of 4096 columns", "NumPy X'X, LAPACK dsyevr", lambda: pca(array(square), 10), by_lapack, values_off, square.shape)


def million():
    n, entries = 10**6, 100
    rng = np.random.default_rng(5)
    starts = np.arange(n + 1, dtype=np.int64) * entries
    columns, values = np.empty(n * entries, np.int32), np.empty(n * entries, np.float32)
    for first in range(0, n, 10000):
        # distinct ascending columns: a power law for the first, then steps
        steps = rng.pareto(0.8, (10000, entries)) + 1
        drawn = np.cumsum(steps / steps.sum(1, keepdims=True) * rng.uniform(0.2, 1, (10000, 1)) * (n - entries - 1), axis=1).astype(np.int64)
        columns[first * entries:(first + 10000) * entries] = (drawn + np.arange(entries)).ravel()
        values[first * entries:(first + 10000) * entries] = rng.random(10000 * entries)
    rows = {"values": ffi.cast("void *", values.ctypes.data), "dtype": DTYPES["float32"], "rows": n, "cols": n,
            "starts": ffi.cast("int64_t *", starts.ctypes.data), "columns": ffi.cast("int32_t *", columns.ctypes.data)}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (found, info), seconds, cpu = cost(lambda: pca(rows, 50))
    print(json.dumps({"case": "pca 50, sparse", "rows": n, "columns": n, "entries": n * entries, "seconds": round(seconds, 1), "cpu": round(cpu, 1),
                      "bytes_of_rows": starts.nbytes + columns.nbytes + values.nbytes, "peak_before": before * 1024,
                      "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "first": found[0], "last": found[-1],
                      **{name: info[name] for name in ("route", "products", "restarts", "residual") if name in info}}), flush=True)


if __name__ == "__main__":
    million() if sys.argv[1:] == ["--million"] else compare()
