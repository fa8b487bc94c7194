"""k-means, adjusted Rand index, trustworthiness and nearest neighbors' accuracy against scikit-learn.

PENUMBRA_LIBRARY in the environment is the shared library to test.
"""

import ctypes
import os

import numpy as np
import pytest
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness
from sklearn.metrics import adjusted_rand_score, rand_score


class Array(ctypes.Structure):
    _fields_ = [("values", ctypes.c_void_p), ("dtype", ctypes.c_int), ("rows", ctypes.c_int64), ("cols", ctypes.c_int64), ("stride", ctypes.c_int64), ("step", ctypes.c_int64),
                ("starts", ctypes.c_void_p), ("columns", ctypes.c_void_p)]


class Agreement(ctypes.Structure):
    _fields_ = [("rand", ctypes.c_double), ("normalized_rand", ctypes.c_double), ("adjusted_rand", ctypes.c_double)]


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 256)]


library = ctypes.CDLL(os.environ["PENUMBRA_LIBRARY"])


def call(name, *arguments):
    err = Error()
    status = getattr(library, name)(*arguments, ctypes.byref(err))
    assert status == 0, err.message.decode()


def array(x):
    return Array(x.ctypes.data, 0, x.shape[0], x.shape[1], x.shape[1])


def pointer(a):
    return ctypes.c_void_p(a.ctypes.data)


def kmeans(x, k, seed=0):
    cluster, total, rows = np.empty(len(x), np.int32), ctypes.c_double(), array(x)
    call("pen_kmeans", ctypes.byref(rows), ctypes.c_int64(k), ctypes.c_int64(10), ctypes.c_uint64(seed), None, pointer(cluster), ctypes.byref(total))
    return cluster, total.value


def rows(name):
    data = {"iris": datasets.load_iris, "wine": datasets.load_wine, "digits": datasets.load_digits}[name]()
    return np.ascontiguousarray(data.data, dtype=np.float64), data.target.astype(np.int32)


@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_kmeans(name):
    """scikit-learn cannot improve the result, and its own sum is about as low."""
    x, y = rows(name)
    k = len(np.unique(y))
    cluster, total = kmeans(x, k)
    means = np.array([x[cluster == c].mean(0) for c in range(k)])
    again = KMeans(k, init=means, n_init=1, tol=0, algorithm="lloyd").fit(x)
    np.testing.assert_array_equal(again.labels_, cluster)
    assert again.inertia_ == pytest.approx(total, rel=1e-10)
    assert total <= KMeans(k, n_init=10, random_state=0).fit(x).inertia_ * 1.01


@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_agreement(name):
    x, y = rows(name)
    for k in (2, 5, 13):
        cluster, _ = kmeans(x, k, seed=k)
        found = Agreement()
        call("pen_compare_labels", pointer(y), pointer(cluster), ctypes.c_int64(len(y)), ctypes.byref(found))
        assert found.rand == pytest.approx(rand_score(y, cluster), abs=1e-12)
        assert found.adjusted_rand == pytest.approx(adjusted_rand_score(y, cluster), abs=1e-12)


@pytest.mark.parametrize("k", [1, 5, 30])
def test_trustworthiness(k):
    x = np.random.default_rng(3).normal(size=(500, 8))  # no ties
    z = np.ascontiguousarray(PCA(2).fit_transform(x))
    trust, xs, zs = ctypes.c_double(), array(x), array(z)
    call("pen_trustworthiness", ctypes.byref(xs), ctypes.byref(zs), ctypes.c_int64(k), None, ctypes.byref(trust))
    assert trust.value == pytest.approx(trustworthiness(x, z, n_neighbors=k), abs=1e-12)
