"""Prepared rows: fits have the same bytes as for X, and all functions of X take them."""

import concurrent.futures
import copy
import pickle
import warnings

import numpy as np
import pytest
from conftest import blobs, saved
from scipy import sparse
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import penumbra

X, Y = blobs()
FEWER = np.where(np.arange(60) < 9, Y, -1)
K = X @ X.T

METHODS = {
    "SDA": penumbra.SDA(scale="none", n_neighbors=4),
    "SELF": penumbra.SELF(kernel="rbf"),
    "FME": penumbra.FME(pca=3),
    "WBDR": penumbra.WBDR(),
    "AutoReducer": penumbra.AutoReducer(effort=0.1),
}


def frame(x):
    return pytest.importorskip("pandas").DataFrame(x, columns=list("abcde"))


def unsorted(x):
    """Return entries in descending order of columns."""
    csr = sparse.csr_matrix(x)
    return sparse.csr_array((csr.data[::-1], csr.indices[::-1], csr.indptr), csr.shape)[::-1]


KINDS = {
    "float64": np.array,
    "float32": np.float32,
    "float16": np.float16,
    "uint8": lambda x: np.uint8(20 * (x + 4)),
    "columns first": np.asfortranarray,
    "every second, reversed": lambda x: np.repeat(x, 2, axis=0)[::-2],
    "list": np.ndarray.tolist,
    "pandas": frame,
    "polars": lambda x: pytest.importorskip("polars").DataFrame(x, schema=list("abcde")),
    "csr": sparse.csr_matrix,
    "csc": sparse.csc_array,
    "unsorted": unsorted,
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kind", ["float64", "csr"])
def test_fits_have_the_bytes_of_those_of_x(name, kind, tmp_path):
    """Labels change in between."""
    x, rows = KINDS[kind](X), penumbra.Rows(KINDS[kind](X))
    expected = [saved(METHODS[name].fit(x, y), tmp_path) for y in (FEWER, Y)]
    for y, cold in zip((FEWER, Y, FEWER), expected + expected):
        assert saved(METHODS[name].fit(rows, y), tmp_path) == cold


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_takes_x_takes_rows(kind, tmp_path):
    x = KINDS[kind](X)
    rows = penumbra.Rows(x)
    model, expected = penumbra.FDA().fit(rows, Y), penumbra.FDA().fit(x, Y)
    assert saved(model, tmp_path) == saved(expected, tmp_path)
    assert rows.shape == (60, 5) and len(rows) == 60
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # about column names
        for method in ("transform", "predict", "predict_proba", "predict_log_proba", "typicality"):
            found = getattr(model, method)(rows)
            assert found.dtype == getattr(expected, method)(x).dtype
            assert np.array_equal(found, getattr(expected, method)(x))
        assert model.score(rows, Y) == expected.score(x, Y)
        assert np.array_equal(model.suggest(rows, Y, 5).rows, expected.suggest(x, Y, 5).rows)
        assert np.array_equal(penumbra.FDA().fit_transform(rows, Y), model.transform(x))
        found = penumbra.FDA().partial_fit(rows, Y).transform(rows)
        assert np.array_equal(found, penumbra.FDA().partial_fit(x, Y).transform(x))
    assert penumbra.Statistics(penumbra.FDA(), rows, Y).info["rows"] == 60
    near = penumbra.kneighbors_graph(rows, 3, queries=rows)
    assert (near != penumbra.kneighbors_graph(x, 3, queries=x)).nnz == 0


@pytest.mark.parametrize("kind", ["float64", "csr"])
def test_compare(kind):
    x = KINDS[kind](X)
    rows = penumbra.Rows(x)
    before, found = rows.memory, []
    for given in (x, rows, rows):
        compared = penumbra.compare(given, Y, ["SDA", "PCA"], runs=1, effort=0)
        found.append([(c.name, c.trials.tolist()) for c in compared.candidates])
    assert found[0] == found[1] == found[2] and rows.memory > before


@pytest.mark.parametrize("kind", ["float32", "pandas", "unsorted"])
@pytest.mark.parametrize("again", [copy.copy, lambda rows: pickle.loads(pickle.dumps(rows))])
def test_copies_have_the_rows_alone(kind, again):
    rows = penumbra.Rows(KINDS[kind](X))
    empty = rows.memory
    model = penumbra.SDA().fit(rows, Y)
    copied = again(rows)
    assert empty < 1024 and rows.memory > 1000 and copied.memory == empty
    assert pickle.dumps(penumbra.SDA().fit(copied, Y)) == pickle.dumps(model)
    assert (copied.names is None) == (kind != "pandas") and copied != rows and hash(copied)


def test_threads_share_them():
    rows = penumbra.Rows(X)
    labels = [np.where(np.arange(60) < n, np.arange(60) % 3, -1) for n in (9, 12, 15, 30)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        fits = [pool.submit(penumbra.SDA(n_jobs=1).fit, rows, y) for y in labels]
    for fit, y in zip(fits, labels):
        assert pickle.dumps(fit.result()) == pickle.dumps(penumbra.SDA(n_jobs=1).fit(X, y))


@pytest.mark.parametrize("kind", ["float64", "csr"])
def test_scikit_learn_takes_parts_of_them(kind):
    x, rows = KINDS[kind](X), penumbra.Rows(KINDS[kind](X))
    given = {"cv": penumbra.SemiSupervisedKFold(3), "scoring": penumbra.labelled_scorer()}
    scores = [cross_val_score(penumbra.FDA(), one, Y, **given).tolist() for one in (x, rows)]
    assert scores[0] == scores[1]
    if kind == "float64":
        scaled = make_pipeline(StandardScaler(), penumbra.FDA())
        assert np.array_equal(scaled.fit(rows, Y).transform(rows), scaled.fit(x, Y).transform(x))


def test_precomputed_kernels():
    model, expected = (penumbra.SELF(kernel="precomputed").fit(k, Y) for k in (penumbra.Rows(K), K))
    assert pickle.dumps(model) == pickle.dumps(expected)
    assert np.array_equal(model.transform(penumbra.Rows(K)), expected.transform(K))
    with pytest.raises(TypeError, match="[Ss]parse"):
        penumbra.SELF(kernel="precomputed").fit(penumbra.Rows(sparse.csr_matrix(K)), Y)


@pytest.mark.parametrize(
    "x", [X[:, 0], np.zeros((0, 3)), [["a", "b"]], None, np.zeros((2, 2, 2)), X + 1j]
)
def test_what_is_no_rows_is_refused_as_by_fit(x):
    with pytest.raises((TypeError, ValueError)) as by_rows:
        penumbra.Rows(x)
    with pytest.raises((TypeError, ValueError)) as by_fit:
        penumbra.FDA().fit(x, Y)
    assert by_rows.type is by_fit.type
    assert str(by_rows.value) == str(by_fit.value).replace("FDA", "Rows")


@pytest.mark.parametrize("kind", ["float64", "pandas", "csr"])
def test_nan_is_refused_by_the_fit_as_in_x(kind):
    bad = X.copy()
    bad[7, 3] = np.nan
    bad = KINDS[kind](bad)
    rows = penumbra.Rows(bad)
    for method in (penumbra.FDA(), penumbra.SDA(), penumbra.AutoReducer()):
        messages = []
        for given in (bad, rows, rows):
            with pytest.raises(penumbra.Error, match="row 7") as error:
                method.fit(given, Y)
            messages.append(str(error.value))
        assert len(set(messages)) == 1
    with pytest.raises(penumbra.Error, match="row 7"):
        penumbra.FDA().fit(KINDS[kind](X), Y).transform(rows)


def test_names_and_lengths_are_checked():
    rows, model = penumbra.Rows(frame(X)), penumbra.FDA().fit(frame(X), Y)
    assert model.transform(rows).shape == (60, 2) and rows.names.tolist() == list("abcde")
    assert penumbra.FDA().fit(rows, Y).feature_names_in_.tolist() == list("abcde")
    with pytest.raises(ValueError, match="feature names"):
        model.transform(penumbra.Rows(frame(X)[list("edcba")]))
    with pytest.warns(UserWarning, match="names"), pytest.raises(ValueError, match="features"):
        model.transform(penumbra.Rows(X[:, :3]))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(rows, Y[:50])
    with pytest.raises(penumbra.Error, match="groups"):
        model.fit(rows, Y, groups=np.zeros(50, int))
