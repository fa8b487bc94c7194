"""The same fits by penumbra and by the Python packages users have, on the same rows, in one run; one JSON line a case.

    PENUMBRA=build/penumbra python bench/peers.py FOLDER        FOLDER holds X.npy (uint8) and y.npy

Packages are given float64 rows in memory and timed for fit alone; penumbra is timed as a process from float64 .npy file to model file.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np


def seconds(work, repeats=2):
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def main():
    from metric_learn import LFDA
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    folder = sys.argv[1]
    command = os.environ.get("PENUMBRA", "penumbra")
    x = np.load(os.path.join(folder, "X.npy"))
    y = np.load(os.path.join(folder, "y.npy")).ravel()
    varying = np.flatnonzero(x.max(0) > x.min(0))
    few = np.arange(0, len(x), 14)  # metric-learn's LFDA keeps matrices of the size of a class squared: 5000 rows

    with tempfile.TemporaryDirectory() as scratch:
        def case(name, rows, columns, args, peer_name, peer):
            data = np.ascontiguousarray(x[np.ix_(rows, columns)].astype(np.float64))
            np.save(os.path.join(scratch, "x.npy"), data)
            np.save(os.path.join(scratch, "y.npy"), y[rows].astype(np.int32))
            fit = [command, "fit", *args, os.path.join(scratch, "x.npy"), "-o", os.path.join(scratch, "m"), "--quiet"]
            if args[0] != "pca":
                fit += ["--labels", os.path.join(scratch, "y.npy")]
            ours = seconds(lambda: subprocess.run(fit, check=True))
            theirs = seconds(lambda: peer(data, y[rows]))
            print(json.dumps({"case": name, "rows": len(rows), "columns": len(columns), "seconds": round(ours, 3), "peer": peer_name,
                              "peer_seconds": round(theirs, 3), "ratio": round(ours / theirs, 3)}), flush=True)

        everything = np.arange(len(x))
        case("pca", everything, np.arange(x.shape[1]), ["pca", "--dim", "30"], "scikit-learn PCA(covariance_eigh)",
             lambda a, b: PCA(30, svd_solver="covariance_eigh").fit(a))
        case("fda", everything, varying, ["fda", "--ridge", "1e-4"], "scikit-learn LDA(eigen, shrinkage=1e-4)",
             lambda a, b: LinearDiscriminantAnalysis(solver="eigen", shrinkage=1e-4).fit(a, b))
        case("lfda", few, varying, ["lfda", "--dim", "30", "--ridge", "1e-4"], "metric-learn LFDA",
             lambda a, b: LFDA(n_components=30, k=7).fit(a, b))


if __name__ == "__main__":
    main()
