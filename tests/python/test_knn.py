"""penumbra knn against scikit-learn, and its files read by NumPy and SciPy.

PENUMBRA in the environment is the command to test.
"""

import functools
import os
import subprocess
import zipfile

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from sklearn import datasets
from sklearn.neighbors import NearestNeighbors, kneighbors_graph


def knn(folder, x, k, suffix, *arguments):
    np.save(folder / "x.npy", x)
    out = folder / f"near{suffix}"
    command = [os.environ["PENUMBRA"], "knn", folder / "x.npy", "--neighbors", str(k), "-o", out, "--quiet", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return out


def rows(name):
    rng = np.random.default_rng(7)
    enough = 750, 1400  # values for products in single precision: more than 2^20
    if name == "digits":
        return datasets.load_digits().data
    if name == "bytes":
        return rng.integers(0, 256, enough).astype(np.uint8)
    if name == "floats":
        return (rng.normal(size=enough) + 50).astype(np.float32)
    return rng.integers(0, 3, (400, 4)).astype(np.float64)  # a lattice: ties


@functools.cache
def ten_nearest(name):
    """For every third row, the ten nearest rows and distances, by direct differences, in the order of (distance, row)."""
    x = rows(name).astype(np.float64)
    some = np.arange(0, len(x), 3)
    index, distance = np.empty((len(some), 10), np.int64), np.empty((len(some), 10))
    for at, i in enumerate(some):
        far = ((x - x[i]) ** 2).sum(axis=1)
        far[i] = np.inf
        index[at] = np.lexsort((np.arange(len(x)), far))[:10]
        distance[at] = np.sqrt(far[index[at]])
    return index, distance


@pytest.mark.parametrize("name", ["digits", "bytes", "floats", "lattice"])
@pytest.mark.parametrize("k", [1, 10])
def test_neighbors(tmp_path, name, k):
    x = rows(name)
    out = knn(tmp_path, x, k, ".npy", "--distances", tmp_path / "far.npy", "--threads", 2)
    index, distance = (nearest[:, :k] for nearest in ten_nearest(name))
    mine, far = np.load(out), np.load(tmp_path / "far.npy")
    assert mine.dtype == np.int64 and far.dtype == np.float64
    np.testing.assert_allclose(far[::3], distance, rtol=1e-14)
    if name == "floats":  # the two round sums of float differences differently
        np.testing.assert_allclose(np.sort(far, axis=1), far)
        assert np.mean(mine[::3] == index) > 0.999
    else:
        assert np.array_equal(mine[::3], index)
    peer, _ = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(x.astype(np.float64)).kneighbors()
    np.testing.assert_allclose(far, peer, rtol=1e-6)


@pytest.mark.parametrize("suffix", [".npz", ".mtx"])
@pytest.mark.parametrize("name", ["digits", "lattice"])
def test_matrix_of_distances(tmp_path, suffix, name):
    x = rows(name)
    out = knn(tmp_path, x, 6, suffix)
    index, distance = (nearest[:, :6] for nearest in ten_nearest(name))
    right = scipy.sparse.csr_matrix((distance.ravel(), index.ravel(), np.arange(0, index.size + 1, 6)), shape=(len(index), len(x)))
    mine = scipy.sparse.load_npz(out) if suffix == ".npz" else scipy.sparse.csr_matrix(scipy.io.mmread(out))
    assert mine.shape == (len(x), len(x)) and mine.nnz == 6 * len(x)
    np.testing.assert_allclose(mine[::3].toarray(), right.toarray(), rtol=1e-14)
    peer = kneighbors_graph(x, 6, mode="distance")  # with ties in any order
    lists = [np.sort(matrix.data.reshape(len(x), 6), axis=1) for matrix in (mine, peer)]
    np.testing.assert_allclose(*lists, rtol=1e-9)


def test_npz_is_laid_out_as_scipy_does(tmp_path):
    out = knn(tmp_path, rows("digits"), 5, ".npz")
    mine = scipy.sparse.load_npz(out)
    assert isinstance(mine, scipy.sparse.csr_matrix)
    assert mine.indices.dtype == np.int32 and mine.indptr.dtype == np.int32 and mine.data.dtype == np.float64
    scipy.sparse.save_npz(tmp_path / "scipy.npz", mine, compressed=False)
    with zipfile.ZipFile(out) as ours, zipfile.ZipFile(tmp_path / "scipy.npz") as theirs:
        assert ours.testzip() is None
        assert sorted(ours.namelist()) == sorted(theirs.namelist())
        for name in ours.namelist():
            assert ours.read(name) == theirs.read(name), name
