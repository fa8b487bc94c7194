"""Nearest neighbors of all rows by penumbra, FAISS and scikit-learn, on the same rows in memory, in one run; one JSON line per peer.

    PENUMBRA_LIBRARY=build-bench/libpenumbra.so python bench/knn_peers.py X.npy [--rows ROWS] [--single] [--once] [--peers FAISS,scikit-learn]

--rows: the first ROWS rows (default 0: all). --single: penumbra also gets bytes as float32, instead of unchanged. The peers get float32 rows, the type they compute in. All use
OMP_NUM_THREADS threads and take turns, three times up to 30000 rows, otherwise or with --once one time, scikit-learn always one
time; the least time is printed. `cpu` is the processor time of all threads in seconds, `times` that of the
peer divided by that of penumbra. `same` is the fraction of lists with the same rows, ignoring rows at the distance of the last one (FAISS and scikit-learn leave the order of equally distant rows open);
`off` is the largest difference of a distance, relative to the largest one in its list (the peers compute small distances as differences of large numbers).

peer_kernels.py selects the kernels of the peers.
"""

import argparse
import json
import os
import sys
import time

import peer_kernels  # noqa: F401; first of all

import numpy as np

from library import array, call, ffi, library

NEIGHBORS, MANY_ROWS = 10, 30000


def penumbra(x):
    index, distance = np.empty((len(x), NEIGHBORS), np.int64), np.empty((len(x), NEIGHBORS))
    call(library.pen_neighbors, ffi.new("pen_array *", array(x)), ffi.NULL, NEIGHBORS, ffi.NULL, ffi.cast("int64_t *", index.ctypes.data),
         ffi.cast("double *", distance.ctypes.data))
    return index, distance


def isa():
    text = ffi.new("char[]", 4096)
    library.pen_system(text, len(text))
    return json.loads(ffi.string(text))["isa"]


def scikit_learn(x):
    from sklearn.neighbors import NearestNeighbors

    distance, index = NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute", n_jobs=-1).fit(x).kneighbors()
    return index, distance


def faiss_flat(x):
    import faiss

    flat = faiss.IndexFlatL2(x.shape[1])
    flat.add(x)
    squares, index = flat.search(x, NEIGHBORS + 1)
    return without_self(index, squares)


def without_self(index, squares):
    """Remove each row from its own list: FAISS finds it, but not always first."""
    others = index != np.arange(len(index))[:, None]
    others[:, -1] &= others[:, :-1].sum(axis=1) < NEIGHBORS
    return index[others].reshape(-1, NEIGHBORS), np.sqrt(np.maximum(squares[others], 0)).reshape(-1, NEIGHBORS)


PEERS = {"FAISS": ("FAISS IndexFlatL2", faiss_flat), "scikit-learn": ("scikit-learn NearestNeighbors(brute)", scikit_learn)}


def same_lists(index, distance, other):
    """Return the fraction of lists in which `other` has every row that is nearer than the last."""
    inner = distance < distance[:, -1:]
    return float(np.mean([np.isin(row[near], found).all() for row, near, found in zip(index, inner, other)]))


def timed(search, x, best):
    """Return the result of a search, and the smaller of its cost and `best`: seconds, processor seconds."""
    start, cpu = time.perf_counter(), time.process_time()
    result = search(x)
    cost = time.perf_counter() - start, time.process_time() - cpu
    return result, tuple(min(pair) for pair in zip(cost, best))


def main():
    parser = argparse.ArgumentParser(usage="knn_peers.py X.npy [--rows ROWS] [--single] [--once] [--peers FAISS,scikit-learn]")
    parser.add_argument("file")
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--peers", default="FAISS,scikit-learn")
    given = parser.parse_args()
    x = np.load(given.file)
    x = np.ascontiguousarray(x[:given.rows] if given.rows > 0 else x)
    single = x.astype(np.float32)
    if given.single:
        x = single
    searches = {"penumbra": penumbra, **{name: PEERS[name][1] for name in given.peers.split(",")}}
    few = single[:2 * NEIGHBORS]
    for search in searches.values():  # imports, and persistent threads
        search(few)
    costs, results = dict.fromkeys(searches, (float("inf"),) * 2), {}
    for turn in range(1 if given.once or len(x) > MANY_ROWS else 3):
        for name, search in searches.items():
            if turn > 0 and name == "scikit-learn":
                continue
            results[name], costs[name] = timed(search, x if name == "penumbra" else single, costs[name])
    (index, distance), (ours, our_cpu) = results["penumbra"], costs["penumbra"]
    for name in given.peers.split(","):
        (other, far), (theirs, cpu) = results[name], costs[name]
        print(json.dumps({"case": "knn", "dtype": x.dtype.name, "rows": x.shape[0], "columns": x.shape[1], "neighbors": NEIGHBORS,
                          "threads": int(os.environ.get("OMP_NUM_THREADS", 0)), "isa": isa(), "seconds": round(ours, 3), "cpu": round(our_cpu, 3),
                          "peer": PEERS[name][0], "kernels": os.environ.get("OPENBLAS_CORETYPE"), "peer_seconds": round(theirs, 3), "peer_cpu": round(cpu, 3),
                          "times": round(cpu / our_cpu, 2), "same": round(same_lists(index, distance, other), 6),
                          "off": float(np.max(np.abs(far - distance) / np.maximum(distance[:, -1:], 1e-30)))}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
