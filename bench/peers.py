"""The same fits by penumbra and by the common Python packages, on the same rows in memory, in one run; one JSON line per fit.

    PENUMBRA_LIBRARY=build-bench/libpenumbra.so python bench/peers.py FOLDER        FOLDER holds X.npy (uint8) and y.npy

All get float64 rows in memory and take turns on OMP_NUM_THREADS threads. Only the fit is timed, the best of three. `cpu` is the processor time of all threads in seconds, `times` that of the peer
divided by that of penumbra. peer_kernels.py selects the kernels of the peers.
"""
import json
import os
import sys
import time

import peer_kernels  # noqa: F401; first of all

import numpy as np

from library import array, call, ffi, library


def penumbra_fit(method, parameters):
    """Return a function that fits `method` to rows and labels."""
    spec = ffi.new("pen_spec **")
    call(library.pen_spec_new, method.encode(), spec)
    for name, value in parameters.items():
        call(library.pen_spec_set, spec[0], name.encode(), str(value).encode())

    def fit(x, y):
        labels, model = y.astype(np.int32), ffi.new("pen_model **")
        data = ffi.new("pen_data *", {"x": array(x), "labels": ffi.cast("int32_t *", labels.ctypes.data)})
        call(library.pen_fit, spec[0], data, ffi.NULL, model)
        library.pen_model_free(model[0])

    return fit


def numpy_bwdr(x, y, percent, dim, threshold=0.95, block=4096):
    """Compute BWDR from difference rows, one block of pairs at a time."""
    first, second = np.triu_indices(len(x), 1)
    drawn = np.random.default_rng(1).random(len(first)) < percent / 100
    first, second = first[drawn], second[drawn]
    same = y[first] == y[second]
    scatters = []
    for kind in (~same, same):
        i, j, scatter = first[kind], second[kind], np.zeros((x.shape[1], x.shape[1]))
        for at in range(0, len(i), block):
            rows = x[i[at:at + block]] - x[j[at:at + block]]
            scatter += rows.T @ rows
        scatters.append(scatter)
    values, vectors = np.linalg.eigh(scatters[0])
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = max(dim, np.searchsorted(np.cumsum(values) / values.sum(), threshold, side="right"))
    stretched = vectors[:, :kept] * np.sqrt(values[0] / values[:kept])
    return stretched @ np.linalg.eigh(stretched.T @ scatters[1] @ stretched)[1][:, :dim]


def costs(fits, x, y, times=3):
    """Run the fits in turn; return the least seconds and processor seconds of each."""
    best = [(float("inf"),) * 2 for _ in fits]
    for _ in range(times):
        for i, fit in enumerate(fits):
            start, cpu = time.perf_counter(), time.process_time()
            fit(x, y)
            best[i] = min(best[i][0], time.perf_counter() - start), min(best[i][1], time.process_time() - cpu)
    return best


def report(case, peer, fits, x, y, times=3):
    (ours, cpu), (theirs, peer_cpu) = costs(fits, x, y, times)
    print(json.dumps({"case": case, "dtype": "f64", "rows": x.shape[0], "columns": x.shape[1], "threads": int(os.environ.get("OMP_NUM_THREADS", 0)),
                      "seconds": round(ours, 3), "cpu": round(cpu, 3), "peer": peer, "kernels": os.environ.get("OPENBLAS_CORETYPE"), "peer_seconds": round(theirs, 3),
                      "peer_cpu": round(peer_cpu, 3), "times": round(peer_cpu / cpu, 2)}), flush=True)


def main():
    from metric_learn import LFDA
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    folder = sys.argv[1]
    x, y = np.load(os.path.join(folder, "X.npy")), np.load(os.path.join(folder, "y.npy")).ravel()
    varying = np.flatnonzero(x.max(0) > x.min(0))
    every14th = np.arange(0, len(x), 14)  # metric-learn's LFDA allocates matrices of the squared class size: use 5000 rows
    cases = [
        ("pca", slice(None), slice(None), {"dim": 30}, "scikit-learn PCA(covariance_eigh)",
         lambda a, b: PCA(30, svd_solver="covariance_eigh").fit(a)),
        ("fda", slice(None), varying, {"ridge": 1e-4}, "scikit-learn LDA(eigen, shrinkage=1e-4)",
         lambda a, b: LinearDiscriminantAnalysis(solver="eigen", shrinkage=1e-4).fit(a, b)),
        ("lfda", every14th, varying, {"dim": 30, "ridge": 1e-4}, "metric-learn LFDA", lambda a, b: LFDA(n_components=30, k=7).fit(a, b)),
    ]
    few = np.sort(np.concatenate([np.flatnonzero(y == c)[:600] for c in np.unique(y)]))  # 30% of all their pairs: 5.4 million
    data, labels = x[few].astype(np.float64), y[few]
    report("bwdr", "NumPy difference rows", [penumbra_fit("bwdr", {"dim": 9, "sample_pairs": "30%", "seed": 1}), lambda a, b: numpy_bwdr(a, b, 30, 9)], data, labels, times=1)
    for method, rows, columns, parameters, name, peer in cases:
        data, labels = np.ascontiguousarray(x[rows][:, columns].astype(np.float64)), y[rows]
        report(method, name, [penumbra_fit(method, parameters), peer], data, labels)


if __name__ == "__main__":
    main()
