"""The same fits by penumbra and by the Python packages users have, on the same rows in memory, in one run; one JSON line a case.

    PENUMBRA_LIBRARY=build-bench/libpenumbra.so python bench/peers.py FOLDER        FOLDER holds X.npy (uint8) and y.npy

All are given float64 rows in memory and timed for the fit alone, best of three, on OMP_NUM_THREADS threads.
"""
import ctypes
import json
import os
import sys
import time

import numpy as np


class Array(ctypes.Structure):
    _fields_ = [("values", ctypes.c_void_p), ("dtype", ctypes.c_int), ("rows", ctypes.c_int64), ("cols", ctypes.c_int64), ("stride", ctypes.c_int64)]


class Data(ctypes.Structure):
    _fields_ = [("x", Array), ("labels", ctypes.c_void_p), ("class_names", ctypes.c_void_p), ("class_count", ctypes.c_int64),
                ("feature_names", ctypes.c_void_p)]


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 256)]


def penumbra_fit(library, method, parameters):
    """A function that fits `method` to rows and labels."""
    err, spec = Error(), ctypes.c_void_p()

    def check(status):
        if status:
            raise RuntimeError(err.message.decode())

    check(library.pen_spec_new(method.encode(), ctypes.byref(spec), ctypes.byref(err)))
    for name, value in parameters.items():
        check(library.pen_spec_set(spec, name.encode(), str(value).encode(), ctypes.byref(err)))

    def fit(x, y):
        labels, model = y.astype(np.int32), ctypes.c_void_p()
        data = Data(Array(x.ctypes.data, 0, x.shape[0], x.shape[1], x.shape[1]), labels.ctypes.data, None, 0, None)
        check(library.pen_fit(spec, ctypes.byref(data), None, ctypes.byref(model), ctypes.byref(err)))
        library.pen_model_free(model)

    return fit


def seconds(fit, x, y):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        fit(x, y)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    from metric_learn import LFDA
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    folder, library = sys.argv[1], ctypes.CDLL(os.environ["PENUMBRA_LIBRARY"])
    library.pen_model_free.argtypes = [ctypes.c_void_p]
    x, y = np.load(os.path.join(folder, "X.npy")), np.load(os.path.join(folder, "y.npy")).ravel()
    varying = np.flatnonzero(x.max(0) > x.min(0))
    few = np.arange(0, len(x), 14)  # metric-learn's LFDA holds matrices of the size of a class squared: 5000 rows
    cases = [
        ("pca", slice(None), slice(None), {"dim": 30}, "scikit-learn PCA(covariance_eigh)",
         lambda a, b: PCA(30, svd_solver="covariance_eigh").fit(a)),
        ("fda", slice(None), varying, {"ridge": 1e-4}, "scikit-learn LDA(eigen, shrinkage=1e-4)",
         lambda a, b: LinearDiscriminantAnalysis(solver="eigen", shrinkage=1e-4).fit(a, b)),
        ("lfda", few, varying, {"dim": 30, "ridge": 1e-4}, "metric-learn LFDA", lambda a, b: LFDA(n_components=30, k=7).fit(a, b)),
    ]
    for method, rows, columns, parameters, name, peer in cases:
        data, labels = np.ascontiguousarray(x[rows][:, columns].astype(np.float64)), y[rows]
        ours, theirs = seconds(penumbra_fit(library, method, parameters), data, labels), seconds(peer, data, labels)
        print(json.dumps({"case": method, "rows": data.shape[0], "columns": data.shape[1], "seconds": round(ours, 3), "peer": name,
                          "peer_seconds": round(theirs, 3), "ratio": round(ours / theirs, 3)}), flush=True)


if __name__ == "__main__":
    main()
