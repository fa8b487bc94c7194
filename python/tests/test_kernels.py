"""Kernels in front of every method: against scikit-learn, the definition of kernel SELF, files."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from conftest import blobs, run_command
from scipy.linalg import eigh
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import pairwise
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

import penumbra

pytestmark = pytest.mark.filterwarnings("ignore:[0-9]+ landmarks explain")

METHODS = penumbra.methods()
NAMES = [m.class_name for m in METHODS]

# The parameters of a kernel here, its name and its parameters in scikit-learn.
SAME = {
    "linear": ({}, "linear", {}),
    "rbf": ({"kernel_gamma": 0.3}, "rbf", {"gamma": 0.3}),
    "laplacian": ({"kernel_gamma": 0.2}, "laplacian", {"gamma": 0.2}),
    "polynomial": (
        {"kernel_gamma": 0.5, "kernel_degree": 2},
        "polynomial",
        {"gamma": 0.5, "degree": 2, "coef0": 1},
    ),
    "cosine": ({}, "cosine", {}),
}
KERNELS = [*SAME, "precomputed"]


def sample(n=60, d=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(20, d))


def reference(kernel, a, b):
    """Kernel values by scikit-learn."""
    _, name, parameters = SAME[kernel]
    return pairwise.pairwise_kernels(a, b, metric=name, **parameters)


def made(name, kernel, **parameters):
    given = SAME[kernel][0] if kernel in SAME else {}
    parameters = {"scale": "none", **given, **parameters}
    return getattr(penumbra, name)(kernel=kernel, **parameters)


def assert_same_columns(a, b, tolerance=1e-9):
    """Embeddings that agree up to the signs of their columns."""
    assert a.shape == b.shape
    signs = np.where((a * b).sum(axis=0) < 0, -1, 1)
    assert np.abs(a * signs - b).max() <= tolerance * np.abs(b).max()


# ---- against scikit-learn ----


@pytest.mark.parametrize("kernel", SAME)
def test_pca_is_kernel_pca(kernel):
    x, new = sample()
    here = made("PCA", kernel, n_components=4).fit(x)
    _, name, parameters = SAME[kernel]
    rows, others = x, new
    if name == "laplacian":  # which KernelPCA knows by its values alone
        rows, others = reference(kernel, x, x), reference(kernel, new, x)
        name, parameters = "precomputed", {}
    there = KernelPCA(4, kernel={"polynomial": "poly"}.get(name, name), **parameters).fit(rows)
    assert_same_columns(here.transform(x), there.transform(rows))
    assert_same_columns(here.transform(new), there.transform(others))
    assert np.allclose(here.eigenvalues_, there.eigenvalues_, rtol=1e-9)


def test_pca_of_kernel_values_is_kernel_pca():
    x, new = sample()
    K, across = reference("rbf", x, x), reference("rbf", new, x)
    here = penumbra.PCA(n_components=4, kernel="precomputed").fit(K)
    there = KernelPCA(4, kernel="precomputed").fit(K)
    assert_same_columns(here.transform(K), there.transform(K))
    assert_same_columns(here.transform(across), there.transform(across))


class Chosen(np.random.RandomState):
    """A generator whose permutation begins with given numbers."""

    def __init__(self, first):
        super().__init__(0)
        self.first = first

    def permutation(self, n):
        return np.concatenate([self.first, np.setdiff1d(np.arange(n), self.first)])


@pytest.mark.parametrize("landmarks", [8, "random:8"])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "polynomial"])
def test_landmarks_give_the_features_of_nystroem(kernel, landmarks):
    x, new = sample(200)
    m = 8
    here = made("PCA", kernel, kernel_landmarks=landmarks).fit(x)
    assert len(set(here.landmark_indices_.tolist())) == m == here.n_components_
    assert np.array_equal(here.landmarks_, x[here.landmark_indices_])
    _, name, parameters = SAME[kernel]
    features = Nystroem(
        name, n_components=m, random_state=Chosen(here.landmark_indices_), **parameters
    )
    there = make_pipeline(features, PCA()).fit(x)
    assert_same_columns(here.transform(x), there.transform(x))
    assert_same_columns(here.transform(new), there.transform(new))
    gram = features.transform(x)
    assert here.info_["captured"] == pytest.approx(
        (gram**2).sum() / np.trace(reference(kernel, x, x)), rel=1e-9
    )


def test_the_seed_draws_the_landmarks():
    x, _ = sample(200)
    drawn = [
        made("PCA", "rbf", kernel_landmarks="random:9", random_state=seed)
        .fit(x)
        .landmark_indices_.tolist()
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_few_landmarks_are_said_to_be_few():
    x, _ = sample(200)
    with pytest.warns(penumbra.PenumbraWarning, match="2 landmarks explain"):
        penumbra.PCA(kernel="rbf", kernel_gamma=2.0, kernel_landmarks=2).fit(x)


# Checks that cannot hold, and why.
MINUS_ONE = {"check_classifiers_classes": "its classes are -1 and 1; -1 means unlabelled"}
EXPECTED = {
    ("FME", "rbf"): MINUS_ONE,
    ("SELF", "rbf"): {
        **MINUS_ONE,
        "check_classifiers_one_label": "a classifier needs two of them",
    },
    ("PCA", "precomputed"): {
        "check_positive_only_tag_during_fit": "its rows are no kernel values",
        "check_estimators_dtypes": "values of single precision, said to be of double: not definite",
        "check_estimators_nan_inf": "it transforms rows of another number of columns",
    },
}


@pytest.mark.parametrize("name, kernel", [("PCA", "rbf"), ("RCA", "rbf"), *EXPECTED])
def test_scikit_learn_checks(name, kernel):
    expected = EXPECTED.get((name, kernel), {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = getattr(penumbra, name)(kernel=kernel)
        results = check_estimator(estimator, expected_failed_checks=expected, on_skip=None)
    failed = {r["check_name"] for r in results if r["status"] == "xfail"}
    assert failed <= set(expected)  # which values are definite after rounding is up to the BLAS


# ---- kernel SELF as it is defined ----


def literal_self(K, y, beta, k, eps):
    """Eigenvalues [n] and coefficients [n x n] of K L K a = lambda (...) a, as it stands."""
    n, diagonal = len(K), np.diag(K)
    squares = diagonal[:, None] + diagonal - 2 * K
    size = np.abs(diagonal)[:, None] + np.abs(diagonal)
    squares[squares <= 8 * np.finfo(float).eps * size] = 0
    others = squares + np.diag(np.full(n, np.inf))
    sigma = np.sqrt(np.sort(others, axis=1)[:, k - 1])
    affinity = np.exp(-squares / np.outer(sigma, sigma))
    within, between = np.zeros((n, n)), np.zeros((n, n))
    labelled = y >= 0
    for i in np.flatnonzero(labelled):
        for j in np.flatnonzero(labelled):
            if y[i] == y[j]:
                count = (y == y[i]).sum()
                within[i, j] = affinity[i, j] / count
                between[i, j] = affinity[i, j] * (1 / labelled.sum() - 1 / count)
            else:
                between[i, j] = 1 / labelled.sum()
    laplacian = lambda W: np.diag(W.sum(axis=1)) - W  # noqa: E731
    large = (1 - beta) * laplacian(between) + beta * (np.eye(n) - 1 / n)
    small = (1 - beta) * K @ laplacian(within) @ K + beta * K + eps * np.eye(n)
    values, vectors = eigh(K @ large @ K, small)
    return values[::-1], np.sqrt(np.maximum(values[::-1], 0)) * vectors[:, ::-1]


@pytest.mark.parametrize("eps", [0, 1e-3, 0.5])
@pytest.mark.parametrize("beta", [0.25, 0.5])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "polynomial", "precomputed"])
def test_kernel_self_is_what_its_definition_says(kernel, beta, eps):
    if kernel == "polynomial" and eps == 0:
        pytest.skip("the n x n problem is singular: the kernel has a lower rank")
    rng = np.random.default_rng(7)
    x, new = 2 * rng.normal(size=(40, 3)), 2 * rng.normal(size=(15, 3))
    y = np.where(np.arange(40) < 24, np.arange(40) % 3, -1)
    of = "laplacian" if kernel == "precomputed" else kernel
    K, across = reference(of, x, x), reference(of, new, x)
    model = made(
        "SELF", kernel, n_components=3, beta=beta, n_neighbors=5, ridge=0, kernel_ridge=eps
    )
    model.fit(*((K, y) if kernel == "precomputed" else (x, y)))
    values, coefficients = literal_self(K, y, beta, 5, eps)
    mean = (K @ coefficients[:, :3]).mean(axis=0)
    assert np.allclose(model.eigenvalues_, values[:3], rtol=1e-8)
    for rows, numbers in ((x, K), (new, across)):
        z = model.transform(numbers if kernel == "precomputed" else rows)
        assert_same_columns(z, numbers @ coefficients[:, :3] - mean, 1e-8)


# ---- every method ----


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_every_method_with_a_kernel(method):
    x, kind = load_iris(return_X_y=True)
    y = np.where(np.arange(150) % 5 == 0, kind, -1)
    model = getattr(penumbra, method.class_name)(kernel="rbf").fit(x[::2], y[::2])
    z = model.transform(x[1::2])
    assert z.shape == (75, model.n_components_) and np.isfinite(z).all() and np.ptp(z[:, 0]) > 0
    assert np.array_equal(model.transform(x[1:2]), z[:1])
    assert model.components_.shape == (model.n_components_, 75) and model.mean_.shape == (75,)
    assert model.n_features_in_ == 4 and model.get_feature_names_out().shape == (z.shape[1],)
    if "predicts" in method.traits:
        assert (model.predict(x[1::2]) == kind[1::2]).mean() > 0.8


# ---- attributes ----


@pytest.mark.parametrize("kernel", SAME)
@pytest.mark.parametrize("landmarks", ["all", 7])
def test_attributes_are_the_map(kernel, landmarks):
    x, new = sample()
    model = made("PCA", kernel, kernel_landmarks=landmarks, scale="standard").fit(x)
    scaled = [(rows - x.mean(axis=0)) / x.std(axis=0) for rows in (x, new)]
    assert np.allclose(model.landmarks_, scaled[0][model.landmark_indices_], atol=1e-12)
    values = reference(kernel, scaled[1], model.landmarks_)
    z = (values - model.mean_) @ model.components_.T
    assert np.abs(z - model.transform(new)).max() <= 1e-9 * np.abs(z).max()
    assert hasattr(model, "kernel_gamma_") == (kernel in ("rbf", "laplacian", "polynomial"))


def test_gamma_by_itself():
    x, _ = sample()
    away = pairwise.euclidean_distances(x, squared=True)
    usual = 1 / np.median(away[np.triu_indices(60, 1)])
    for word, times in (("auto", 1), ("auto/4", 0.25), ("auto*4", 4)):
        model = penumbra.PCA(scale="none", kernel="rbf", kernel_gamma=word).fit(x)
        assert model.kernel_gamma_ == pytest.approx(times * usual, rel=1e-2)
    assert penumbra.PCA(kernel="rbf", kernel_gamma=0.7).fit(x).kernel_gamma_ == 0.7


def test_no_attributes_without_a_kernel():
    x, _ = sample()
    model = made("PCA", "rbf").fit(x)
    model.set_params(kernel="none", kernel_gamma="auto").fit(x)
    for name in ("landmarks_", "landmark_indices_", "kernel_gamma_"):
        assert not hasattr(model, name)
    assert model.components_.shape == (4, 4)
    values = penumbra.PCA(kernel="precomputed").fit(reference("rbf", x, x))
    assert not hasattr(values, "landmarks_") and not hasattr(values, "kernel_gamma_")
    assert values.landmark_indices_.tolist() == list(range(60))


def test_a_kernel_has_no_inverse():
    x, _ = sample()
    assert not hasattr(penumbra.PCA(kernel="rbf"), "inverse_transform")
    assert not hasattr(made("PCA", "linear").fit(x), "inverse_transform")
    assert not hasattr(made("PCA", "rbf").fit(x).set_params(kernel="none"), "inverse_transform")
    assert hasattr(penumbra.PCA().fit(x), "inverse_transform")


@pytest.mark.parametrize("kernel", KERNELS)
def test_copies_are_the_same(kernel, tmp_path):
    x, new = sample()
    y = np.arange(60) % 3
    rows = x if kernel in SAME else reference("rbf", x, x)
    fresh = new if kernel in SAME else reference("rbf", new, x)
    model = made("FME", kernel, kernel_landmarks=20).fit(rows, y)
    model.save(tmp_path / "model")
    same = [pickle.loads(pickle.dumps(model)), copy.deepcopy(model)]
    loaded = penumbra.load(tmp_path / "model")
    assert loaded.get_params() == model.get_params()
    for other in [*same, loaded, clone(model).fit(rows, y)]:
        assert np.array_equal(other.transform(fresh), model.transform(fresh))
        assert np.array_equal(other.predict_proba(fresh), model.predict_proba(fresh))
        assert np.array_equal(other.landmark_indices_, model.landmark_indices_)
        for name in ("landmarks_", "kernel_gamma_"):
            expected = getattr(model, name, None)
            assert np.array_equal(getattr(other, name, None), expected)
    np.save(tmp_path / "new.npy", fresh)
    run_command("transform", tmp_path / "model", tmp_path / "new.npy", "-o", tmp_path / "z.npy")
    assert np.array_equal(np.load(tmp_path / "z.npy"), model.transform(fresh))


def test_rows_of_other_types():
    x, _ = sample()
    bytes_ = np.clip(40 * x + 120, 0, 255).astype(np.uint8)
    model = penumbra.PCA(n_components=3, kernel="rbf").fit(bytes_)
    wide = penumbra.PCA(n_components=3, kernel="rbf").fit(bytes_.astype(np.float64))
    assert_same_columns(model.transform(bytes_), wide.transform(bytes_.astype(np.float64)))
    single = model.transform(bytes_.astype(np.float32))
    assert single.dtype == np.float32
    assert np.allclose(single, model.transform(bytes_), rtol=0, atol=1e-6)


# ---- precomputed values ----


def test_pairwise_tag():
    for name in NAMES:
        cls = getattr(penumbra, name)
        assert get_tags(cls(kernel="precomputed")).input_tags.pairwise
        assert not get_tags(cls(kernel="rbf")).input_tags.pairwise
        assert not get_tags(cls(kernel="precomputed")).input_tags.sparse
    assert get_tags(
        make_pipeline(penumbra.PCA(kernel="precomputed"), KNeighborsClassifier())
    ).input_tags.pairwise


def test_cross_validation_cuts_rows_and_columns():
    x, kind = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(150)
    x, kind = x[order], kind[order]
    y = np.where(np.arange(150) % 3 == 0, kind, -1)
    K = reference("rbf", x, x)
    folds = penumbra.SemiSupervisedKFold(5)
    score = cross_val_score(penumbra.FME(kernel="precomputed"), K, y, cv=folds)
    assert np.array_equal(score, cross_val_score(made("FME", "rbf"), x, y, cv=folds))
    assert score.mean() > 0.8

    def search(reducer, rows, labels, cv):
        steps = Pipeline([("reduce", reducer), ("classify", KNeighborsClassifier(1))])
        return GridSearchCV(steps, {"reduce__n_components": [1, 2]}, cv=cv).fit(rows, labels)

    there = search(penumbra.LFDA(kernel="precomputed"), K, kind, KFold(3))
    here = search(made("LFDA", "rbf"), x, kind, KFold(3))
    assert np.allclose(
        there.cv_results_["mean_test_score"], here.cv_results_["mean_test_score"], atol=0.02
    )
    assert np.array_equal(there.predict(K), here.predict(x))


def test_values_with_the_landmarks_alone():
    pandas = pytest.importorskip("pandas")
    x, new = sample()
    K, across = reference("rbf", x, x), reference("rbf", new, x)
    model = penumbra.PCA(kernel="precomputed", kernel_landmarks=12).fit(K)
    rows = model.landmark_indices_
    assert np.array_equal(model.transform(across[:, rows]), model.transform(across))
    assert np.array_equal(model.transform(across[:, rows].tolist()), model.transform(across))
    with pytest.raises(ValueError, match="X has 13 features"):
        model.transform(across[:, :13])
    with pytest.raises(ValueError, match="1D array"):
        model.transform(across[0])

    names = [f"row{i}" for i in range(60)]
    model.fit(pandas.DataFrame(K, columns=names))
    frame = pandas.DataFrame(across, columns=names)
    part = frame.iloc[:, rows].copy()
    assert np.array_equal(model.transform(part), model.transform(frame))
    with pytest.raises(ValueError, match="feature names"):
        model.transform(part.iloc[:, ::-1])
    part.iloc[3, 5] = np.nan
    with pytest.raises(penumbra.Error, match=f'column "row{rows[5]}"'):
        model.transform(part)


# ---- searches ----


def rings(n=150):
    """Three rings, and labels of the first 60 rows."""
    rng = np.random.default_rng(0)
    ring, angle = np.arange(n) % 3, rng.uniform(0, 2 * np.pi, n)
    x = (1 + ring)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return x + 0.1 * rng.normal(size=x.shape), np.where(np.arange(n) < 60, ring, -1)


def test_search_of_gamma():
    x, y = rings(300)
    ring = np.arange(300) % 3
    steps = Pipeline(
        [
            ("reduce", penumbra.SDA(n_components=2, kernel="rbf")),
            ("classify", penumbra.LabelledOnly(KNeighborsClassifier(1))),
        ]
    )
    grid = {"reduce__kernel_gamma": ["auto/4", "auto", "auto*4", 1e-3]}
    found = GridSearchCV(
        steps, grid, cv=penumbra.SemiSupervisedKFold(3), scoring=penumbra.labelled_scorer()
    ).fit(x, y)
    assert found.best_params_["reduce__kernel_gamma"] in ("auto/4", "auto", "auto*4")
    assert found.score(x[60:], ring[60:]) > 0.95
    linear = steps.set_params(reduce__kernel="none").fit(x, y)
    assert linear.score(x[60:], ring[60:]) < found.score(x[60:], ring[60:])


def test_comparing_kernels():
    x, y = rings()
    found = penumbra.compare(x, y, ["PCA", "SDA", "SDA+rbf"], runs=1)
    by_name = {c.name: c for c in found.candidates}
    assert by_name["SDA+rbf/lda"].method == "SDA"
    assert by_name["SDA+rbf/lda"].parameters["kernel"] == "rbf"
    assert by_name["SDA/lda"].parameters["kernel"] == "none"
    assert by_name["SDA+rbf/lda"].estimator.fit(x, y).landmarks_.shape[1] == 2
    equal = penumbra.compare(x, y, ["PCA/means", "PCA+linear/means"], runs=1).candidates
    kernels = [c for c in equal if c.classifier == "means"]
    assert len({tuple(c.trials) for c in kernels}) == 1
    assert {c.same_as for c in kernels} & {"PCA/means", "PCA+linear/means"}
    with pytest.raises(penumbra.Error, match="kernel must be one of"):
        penumbra.compare(x, y, ["SDA+poly"])
    with pytest.raises(penumbra.Error, match=r"got 'sad\+rbf'"):
        penumbra.compare(x, y, ["sad+rbf"])


# ---- leaving the package ----


def run(graph, x, *outputs):
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    return session.run(list(outputs), {"X": x})


@pytest.mark.parametrize("name", ["PCA", "SELF", "FME"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_onnx_embeds_as_transform_does(kernel, name):
    pytest.importorskip("onnx")
    x, new = sample()
    y = np.arange(60) % 3
    if kernel in SAME:
        given = {"scale": "minmax", "row_steps": "" if name == "PCA" else "l2"}
        new[3] = 0  # a row without a direction
    else:
        given = {}
        x, new = reference("rbf", x, x), reference("rbf", new, x)
    if name != "FME":  # later columns are those of eigenvalues near zero: few digits remain
        given["n_components"] = 4
    for landmarks in ("all", 15):
        model = made(name, kernel, kernel_landmarks=landmarks, **given).fit(x, y)
        for dtype, tolerance in ((np.float32, 1e-6), (np.float64, 1e-12)):
            rows = new.astype(dtype)
            (z,) = run(model.to_onnx(dtype), rows, "Z")
            expected = model.transform(rows)
            assert z.dtype == expected.dtype
            assert np.abs(z - expected).max() <= tolerance * np.abs(expected).max()
        if name == "FME":
            classes, shares = run(model.to_onnx(np.float64), new, "class", "probabilities")
            assert np.array_equal(classes, model.predict(new))
            assert np.allclose(shares, model.predict_proba(new), rtol=0, atol=1e-12)


def test_faiss_refuses_a_kernel():
    pytest.importorskip("faiss")
    x, _ = sample()
    with pytest.raises(penumbra.Error, match=r"a linear projection, got 'rbf': index what"):
        made("PCA", "rbf").fit(x).to_faiss()


def test_cells(tmp_path):
    anndata = pytest.importorskip("anndata")
    x, y = blobs()
    cells = anndata.AnnData(x[:40], obs={"kind": np.array(["a", "b", "c", "?"])[y[:40]]})
    cells.obs_names = [f"cell{i}" for i in range(40)]
    penumbra.pp.fme(cells, "kind", unlabelled="?")
    assert cells.varm["X_fme"].shape == (5, 3)
    given = {"kernel": "rbf", "kernel_landmarks": 25}
    penumbra.pp.fme(cells, "kind", unlabelled="?", **given)
    assert "X_fme" not in cells.varm
    facts = cells.uns["X_fme"]
    assert facts["projection"].shape == (25, 3) and facts["params"]["kernel"] == "rbf"
    model = penumbra.FME(**given).fit(x[:40], y[:40])
    assert facts["landmarks"].tolist() == [f"cell{i}" for i in model.landmark_indices_]
    assert np.array_equal(cells.obsm["X_fme"], model.transform(x[:40]))

    cells.write_h5ad(tmp_path / "cells.h5ad")
    new = anndata.AnnData(x[40:])
    new.var_names = cells.var_names
    penumbra.pp.transform(new, anndata.read_h5ad(tmp_path / "cells.h5ad").uns["X_fme"])
    assert np.array_equal(new.obsm["X_fme"], model.transform(x[40:]))


# ---- what is refused ----


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"kernel": "poly"}, "kernel must be one of"),
        ({"kernel": "rbf", "kernel_gamma": 0}, "kernel_gamma must be > 0"),
        ({"kernel": "rbf", "kernel_gamma": float("nan")}, "kernel_gamma must be > 0"),
        ({"kernel": "rbf", "kernel_gamma": "auto*2"}, "kernel_gamma must be > 0"),
        ({"kernel": "rbf", "kernel_landmarks": 61}, "kernel_landmarks must be at most 60"),
        ({"kernel_gamma": 1.0}, "kernel is none"),
        ({"kernel": "precomputed"}, "as many columns as rows"),
        ({"kernel": "precomputed", "scale": "standard"}, "scale none"),
    ],
)
def test_what_is_refused(parameters, message):
    x, _ = sample()
    with pytest.raises(penumbra.Error, match=message):
        penumbra.PCA(**parameters).fit(x)


def test_what_is_no_kernel():
    x, _ = sample()
    K = reference("rbf", x, x)
    across = K.copy()
    across[3, 4] += 0.1
    with pytest.raises(penumbra.Error, match="symmetric"):
        penumbra.PCA(kernel="precomputed").fit(across)
    with pytest.raises(penumbra.Error, match="positive semidefinite"):
        penumbra.PCA(kernel="precomputed").fit(K - 0.2)
