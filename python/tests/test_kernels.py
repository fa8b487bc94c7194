"""Kernels with every method, compared with scikit-learn; attributes, files, searches. test_ways_out
checks the results of models with kernels by hand and in other programs."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import KernelPCA
from sklearn.metrics import pairwise
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import get_tags

import penumbra

pytestmark = pytest.mark.filterwarnings("ignore:[0-9]+ landmarks explain")

METHODS = penumbra.methods()
NAMES = [m.class_name for m in METHODS]

# The parameters of a kernel in penumbra; its name and its parameters in scikit-learn.
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


def sample(n=60, d=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(20, d))


def reference(kernel, a, b):
    """Compute kernel values by scikit-learn."""
    _, name, parameters = SAME[kernel]
    return pairwise.pairwise_kernels(a, b, metric=name, **parameters)


def made(name, kernel, **parameters):
    given = SAME[kernel][0] if kernel in SAME else {}
    parameters = {"scale": "none", **given, **parameters}
    return getattr(penumbra, name)(kernel=kernel, **parameters)


def assert_same_columns(a, b, tolerance=1e-9):
    """Check that embeddings agree up to the signs of columns."""
    assert a.shape == b.shape
    signs = np.where((a * b).sum(axis=0) < 0, -1, 1)
    assert np.abs(a * signs - b).max() <= tolerance * np.abs(b).max()


# ---- compared with scikit-learn ----


@pytest.mark.parametrize("kernel", SAME)
def test_pca_is_kernel_pca(kernel):
    x, new = sample()
    here = made("PCA", kernel, n_components=4).fit(x)
    _, name, parameters = SAME[kernel]
    rows, others = x, new
    if name == "laplacian":  # KernelPCA takes only its values
        rows, others = reference(kernel, x, x), reference(kernel, new, x)
        name, parameters = "precomputed", {}
    there = KernelPCA(4, kernel={"polynomial": "poly"}.get(name, name), **parameters).fit(rows)
    assert_same_columns(here.transform(x), there.transform(rows))
    assert_same_columns(here.transform(new), there.transform(others))
    assert np.allclose(here.eigenvalues_, there.eigenvalues_, rtol=1e-9)


@pytest.mark.parametrize("landmarks", [9, "random:9"])
def test_the_seed_draws_the_landmarks(landmarks):
    x, _ = sample(200)
    drawn = [
        made("PCA", "rbf", kernel_landmarks=landmarks, random_state=seed).fit(x).landmark_indices_
        for seed in (1, 1, 2)
    ]
    assert drawn[0].tolist() == drawn[1].tolist() != drawn[2].tolist()


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
