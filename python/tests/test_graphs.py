"""Nearest neighbors, also passed to a fit, and graphs of a fit, compared with scikit-learn."""

import pickle

import numpy as np
import pytest
from conftest import blobs
from scipy import sparse
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

import penumbra


@pytest.fixture(scope="module")
def rows():
    return blobs(90, 5, per_class=8, seed=3, apart=3)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8])
def test_graph_is_that_of_scikit_learn(rows, dtype):
    x = (40 * (rows[0] + 2)).clip(0, 255).astype(dtype)
    ours, theirs = (
        penumbra.kneighbors_graph(x, 7),
        kneighbors_graph(x.astype(float), 7, mode="distance"),
    )
    assert ours.shape == (90, 90) and ours.nnz == 630
    np.testing.assert_allclose(ours.toarray(), theirs.toarray(), rtol=1e-12)


@pytest.mark.parametrize("name", ["SDA", "FME", "NPSSDR", "STSD", "SODRPaC"])
def test_given_graph_gives_the_model_of_the_search(rows, name):
    x, y = rows
    cls = getattr(penumbra, name)
    searched = cls(scale="none").fit(x, y)
    given = cls(scale="none").fit(x, y, graph=penumbra.kneighbors_graph(x, 12))
    np.testing.assert_allclose(searched.components_, given.components_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix])
def test_graphs_of_other_searches_are_taken(rows, make):
    x, y = rows
    theirs = make(NearestNeighbors(n_neighbors=9).fit(x).kneighbors_graph(mode="distance"))
    searched = penumbra.SDA(scale="none").fit(x, y)
    given = penumbra.SDA(scale="none").fit(x, y, graph=theirs)
    np.testing.assert_allclose(searched.components_, given.components_, rtol=1e-6, atol=1e-9)


def test_bad_graphs_are_refused(rows):
    x, y = rows
    near = penumbra.kneighbors_graph(x, 5)
    with pytest.raises(TypeError, match="SciPy sparse"):
        penumbra.SDA().fit(x, y, graph=near.toarray())
    with pytest.raises(penumbra.Error, match="named method, such as SELF"):
        penumbra.AutoReducer().fit(x, y, graph=near)


def test_graph_of_a_fit(rows):
    x, y = rows
    sda = penumbra.SDA(n_neighbors=4).fit(x, y)
    near = penumbra.kneighbors_graph(x, 4) > 0
    assert list(sda.graphs_) == ["affinities"]
    assert (sda.graph_.toarray() == (near + near.T).toarray()).all()
    saloe = penumbra.SALOE(n_components=2, n_neighbors=6).fit(x, y)
    assert set(saloe.graphs_) == {"within", "neighbors"}
    np.testing.assert_allclose(saloe.graphs_["neighbors"].sum(axis=1), 1)
    assert (pickle.loads(pickle.dumps(sda)).graph_ != sda.graph_).nnz == 0
    assert not hasattr(penumbra.PCA().fit(x), "graph_")
    sda.set_params(alpha=0).fit(x, y)
    assert not hasattr(sda, "graph_")


def test_nearest_rows_of_other_rows():
    rng = np.random.default_rng(5)
    x = rng.standard_normal((300, 40)).astype(np.float32)
    queries = rng.standard_normal((70, 40))
    graph = penumbra.kneighbors_graph(x, 4, queries=queries)
    distance = np.linalg.norm(queries[:, None] - x[None].astype(float), axis=2)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :4]
    assert graph.shape == (70, 300)
    np.testing.assert_array_equal(graph.indices.reshape(70, 4), nearest)
    np.testing.assert_allclose(
        graph.data.reshape(70, 4), np.take_along_axis(distance, nearest, 1), rtol=1e-12
    )
    itself = penumbra.kneighbors_graph(x, 1, queries=x)
    np.testing.assert_array_equal(itself.indices, np.arange(300))
    assert not itself.data.any()
