"""The penumbra command against scikit-learn, and its files as NumPy, scikit-learn and safetensors
read and write them.

PENUMBRA in the environment is the command to test.
"""

import json
import os
import subprocess

import numpy as np
import pytest
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

SETS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "digits": datasets.load_digits,
    "cancer": datasets.load_breast_cancer,
}


def load(name):
    return SETS[name](return_X_y=True)


def penumbra(*arguments):
    command = [os.environ["PENUMBRA"], *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


class Model:
    """A fit by the command, of columns as they are unless told otherwise, read back from info
    --json."""

    def __init__(self, folder, method, data, labels=None, **options):
        options = {"scale": "none", **options}
        self.path = folder / f"{method}.pen"
        arguments = []
        if not isinstance(data, (str, os.PathLike)):
            np.save(folder / "x.npy", data)
            data = folder / "x.npy"
        if labels is not None:
            np.save(folder / "y.npy", labels)
            arguments += ["--labels", folder / "y.npy"]
        for name, value in options.items():
            arguments += [f"--{name.replace('_', '-')}={value}"]
        penumbra("fit", method, data, *arguments, "-o", self.path)
        self.info = json.loads(penumbra("info", self.path, "--json"))
        self.mean = np.array(self.info["mean"])
        self.eigenvalues = np.array(self.info["eigenvalues"])
        self.projection = np.array(self.info["projection"])

    def transform(self, folder, data):
        np.save(folder / "t.npy", data)
        penumbra("transform", self.path, folder / "t.npy", "-o", folder / "z.npy")
        return np.load(folder / "z.npy")


def same_columns(a, b, tolerance):
    """Columns equal up to sign and length."""
    a = a / np.linalg.norm(a, axis=0)
    b = b / np.linalg.norm(b, axis=0)
    np.testing.assert_allclose(a * np.sign(np.sum(a * b, axis=0)), b, rtol=0, atol=tolerance)


def standardized(x):
    deviation = x.std(axis=0)
    return (x - x.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


# ---- scikit-learn ----


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("scale", ["none", "standard"])
def test_pca(tmp_path, name, scale):
    x, _ = load(name)
    dim = 3
    model = Model(tmp_path, "pca", x, dim=dim, scale=scale)
    rows = standardized(x) if scale == "standard" else x
    peer = PCA(n_components=dim, svd_solver="full").fit(rows)
    spread = np.ones(x.shape[1])
    if scale == "standard":
        spread = np.where(x.std(axis=0) > 0, x.std(axis=0), 1)

    # scikit-learn's explained_variance_ is divided by n - 1; the eigenvalues are those of the scatter.
    np.testing.assert_allclose(model.eigenvalues, peer.explained_variance_ * (len(x) - 1), rtol=1e-8)
    np.testing.assert_allclose(model.mean, x.mean(axis=0), rtol=1e-12, atol=1e-12)
    same_columns(model.projection * spread[:, None], peer.components_.T, 1e-8)
    z, other = model.transform(tmp_path, x), peer.transform(rows)
    np.testing.assert_allclose(z * np.sign(np.sum(z * other, axis=0)), other, rtol=0, atol=1e-8 * np.abs(other).max())


def test_pca_with_more_columns_than_rows(tmp_path):
    x = load("digits")[0][:40]
    model = Model(tmp_path, "pca", x, dim=10)
    peer = PCA(n_components=10, svd_solver="full").fit(x)
    np.testing.assert_allclose(model.eigenvalues, peer.explained_variance_ * 39, rtol=1e-8)
    same_columns(model.projection, peer.components_.T, 1e-8)


@pytest.mark.parametrize("fraction", [0.5, 0.9, 0.99])
def test_pca_keeps_the_fraction_scikit_learn_keeps(tmp_path, fraction):
    x, _ = load("digits")
    model = Model(tmp_path, "pca", x, pca=fraction)
    assert model.info["dim"] == PCA(n_components=fraction, svd_solver="full").fit(x).n_components_


@pytest.mark.parametrize("name, options", [("iris", {}), ("wine", {}), ("wine", {"scale": "standard"}), ("cancer", {"scale": "standard"}),
                                           ("digits", {"pca": 30})])
def test_fda(tmp_path, name, options):
    x, y = load(name)
    model = Model(tmp_path, "fda", x, y, **options)
    rows, back = x, np.eye(x.shape[1])
    if "scale" in options:
        rows, back = standardized(x), np.diag(1 / x.std(axis=0))
    if "pca" in options:
        peer = PCA(n_components=options["pca"], svd_solver="full").fit(x)
        rows, back = peer.transform(x), peer.components_.T
    peer = LinearDiscriminantAnalysis(solver="eigen").fit(rows, y)
    dim = len(np.unique(y)) - 1

    assert model.info["dim"] == dim
    same_columns(model.projection, back @ peer.scalings_[:, :dim], 1e-8)
    np.testing.assert_allclose(model.eigenvalues / model.eigenvalues.sum(), peer.explained_variance_ratio_, rtol=1e-8)


# ---- files ----


def test_other_formats_give_the_same_model(tmp_path):
    x, y = load("wine")
    right = Model(tmp_path, "self", x, y).info
    names = [f"c{i}" for i in range(x.shape[1])]

    np.savetxt(tmp_path / "x.csv", np.column_stack([x, y]), fmt="%.17g", delimiter=",", header=",".join(names + ["kind"]), comments="")
    text = Model(tmp_path, "self", tmp_path / "x.csv", label_column="kind").info
    datasets.dump_svmlight_file(x, y + 1, str(tmp_path / "x.libsvm"), zero_based=False)
    libsvm = Model(tmp_path, "self", tmp_path / "x.libsvm").info
    single = Model(tmp_path, "self", x.astype(np.float32), y).info
    rounded = Model(tmp_path, "self", x.astype(np.float32).astype(np.float64), y).info
    fortran = Model(tmp_path, "self", np.asfortranarray(x), y).info

    for key in ["mean", "eigenvalues", "projection"]:
        assert text[key] == right[key], f"{key} from CSV"
        assert fortran[key] == right[key], f"{key} from columns"
        assert libsvm[key] == right[key], f"{key} from libsvm"
        np.testing.assert_allclose(single[key], rounded[key], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("suffix", ["npy", "csv", "tsv"])
def test_written_rows_read_back_exactly(tmp_path, suffix):
    x, _ = load("iris")
    model = Model(tmp_path, "pca", x, dim=2)
    out = tmp_path / f"z.{suffix}"
    penumbra("transform", model.path, tmp_path / "x.npy", "-o", out)
    delimiter = "\t" if suffix == "tsv" else ","
    z = np.load(out) if suffix == "npy" else np.genfromtxt(out, delimiter=delimiter, names=True)
    if suffix != "npy":
        z = np.column_stack([z[name] for name in z.dtype.names])
    right = model.transform(tmp_path, x)
    assert z.shape == (150, 2)
    assert np.array_equal(z, right)
    np.testing.assert_allclose(right, (x - model.mean) @ model.projection, rtol=0, atol=1e-12)


def test_model_file_with_the_safetensors_package(tmp_path):
    safetensors = pytest.importorskip("safetensors")
    x, y = load("wine")
    model = Model(tmp_path, "self", x, y, beta=0.25, dim=4)
    with safetensors.safe_open(str(model.path), framework="np") as file:
        for name in ["projection", "mean", "eigenvalues"]:
            assert np.array_equal(file.get_tensor(name), model.info[name]), name
        metadata = file.metadata()
    assert metadata["method"] == model.info["method"] == "self"
    assert model.projection.shape == (13, 4)
    assert model.info["parameters"]["beta"] == 0.25
