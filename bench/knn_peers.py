"""The nearest neighbors of all rows by penumbra, scikit-learn and FAISS, on the same rows in memory, in one run; one JSON line per peer.

    PENUMBRA_LIBRARY=build-bench/libpenumbra.so python bench/knn_peers.py FOLDER [ROWS]        FOLDER contains X.npy (uint8)

ROWS: use the first ROWS rows (default 0: all). penumbra gets the bytes, the peers float32 rows, which is the type they compute in. All use OMP_NUM_THREADS
threads and are timed once; `cpu` is the time of all threads in seconds. `same` is the fraction of lists with the same rows, ignoring rows at the distance of the
last one (FAISS and scikit-learn leave the order of equally distant rows open); `off` is the largest relative difference of a distance.
"""

import ctypes
import json
import os
import sys
import time

import numpy as np

NEIGHBORS = 10


class Array(ctypes.Structure):
    _fields_ = [("values", ctypes.c_void_p), ("dtype", ctypes.c_int), ("rows", ctypes.c_int64), ("cols", ctypes.c_int64), ("stride", ctypes.c_int64), ("step", ctypes.c_int64)]


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 256)]


def penumbra(x):
    library, err = ctypes.CDLL(os.environ["PENUMBRA_LIBRARY"]), Error()
    index, distance = np.empty((len(x), NEIGHBORS), np.int64), np.empty((len(x), NEIGHBORS))
    array = Array(x.ctypes.data, 2, x.shape[0], x.shape[1], x.shape[1])
    status = library.pen_neighbors(ctypes.byref(array), ctypes.c_int64(NEIGHBORS), None, ctypes.c_void_p(index.ctypes.data),
                                   ctypes.c_void_p(distance.ctypes.data), ctypes.byref(err))
    if status:
        raise RuntimeError(err.message.decode())
    return index, distance


def scikit_learn(x):
    from sklearn.neighbors import NearestNeighbors

    distance, index = NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute", n_jobs=-1).fit(x).kneighbors()
    return index, distance


def faiss_flat(x):
    import faiss

    flat = faiss.IndexFlatL2(x.shape[1])
    flat.add(x)
    squares, index = flat.search(x, NEIGHBORS + 1)
    return index, squares


def without_self(index, squares):
    """A row is its own neighbor to FAISS, but not always the first."""
    others = index != np.arange(len(index))[:, None]
    others[:, -1] &= others[:, :-1].sum(axis=1) < NEIGHBORS
    return index[others].reshape(-1, NEIGHBORS), np.sqrt(np.maximum(squares[others], 0)).reshape(-1, NEIGHBORS)


def same_lists(index, distance, other):
    """The share of lists in which `other` has every row that is nearer than the last."""
    inner = distance < distance[:, -1:]
    found = (index[:, :, None] == other[:, None, :]).any(axis=2)
    return float((found | ~inner).all(axis=1).mean())


def timed(search, x):
    start, cpu = time.perf_counter(), time.process_time()
    return search(x), time.perf_counter() - start, time.process_time() - cpu


def main():
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    x = np.load(os.path.join(sys.argv[1], "X.npy"))
    x = np.ascontiguousarray(x[:rows] if rows > 0 else x)
    (index, distance), ours, our_cpu = timed(penumbra, x)
    single = x.astype(np.float32)
    for name, search in (("scikit-learn NearestNeighbors(brute)", scikit_learn), ("FAISS IndexFlatL2", faiss_flat)):
        (other, far), theirs, cpu = timed(search, single)
        if search is faiss_flat:
            other, far = without_self(other, far)
        print(json.dumps({"case": "knn", "rows": x.shape[0], "columns": x.shape[1], "neighbors": NEIGHBORS, "seconds": round(ours, 3), "cpu": round(our_cpu, 3),
                          "peer": name, "peer_seconds": round(theirs, 3), "peer_cpu": round(cpu, 3), "ratio": round(ours / theirs, 3),
                          "same": round(same_lists(index, distance, other), 6),
                          "off": float(np.max(np.abs(far - distance) / np.maximum(distance, 1e-30)))}), flush=True)


if __name__ == "__main__":
    main()
