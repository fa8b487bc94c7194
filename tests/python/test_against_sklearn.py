"""The penumbra command against scikit-learn and a literal NumPy version of the methods.

PENUMBRA in the environment is the command to test.
"""

import json
import os
import struct
import subprocess

import numpy as np
import pytest
from scipy.linalg import eigh, subspace_angles
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


# ---- NumPy ----


def pairwise(x, weights):
    """1/2 sum_ij W_ij (x_i - x_j)(x_i - x_j)'."""
    return x.T @ (np.diag(weights.sum(axis=1)) - weights) @ x


def affinities(x, among, neighbors):
    """exp(-|x_i - x_j|^2 / (s_i s_j)); s_i: distance to the neighbor of that number among rows `among(i)`."""
    distance = np.sqrt(((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2))
    sigma = np.empty(len(x))
    for i in range(len(x)):
        others = np.sort(distance[i, [j for j in among(i) if j != i]])
        sigma[i] = others[min(neighbors, len(others)) - 1]
    return np.exp(-distance**2 / np.outer(sigma, sigma))


def local_scatters(x, y, a):
    """S_lb and S_lw of the labelled rows."""
    labelled = np.flatnonzero(y >= 0)
    total = len(labelled)
    between, within = np.zeros((len(x), len(x))), np.zeros((len(x), len(x)))
    for i in labelled:
        for j in labelled:
            if y[i] == y[j]:
                size = np.sum(y == y[i])
                between[i, j] = a[i, j] * (1 / total - 1 / size)
                within[i, j] = a[i, j] / size
            else:
                between[i, j] = 1 / total
    return pairwise(x, between), pairwise(x, within)


def check_ratio(model, b, c):
    """The model solves b phi = lambda c phi in the weighted metric."""
    values, vectors = eigh(b, c)
    values, vectors = values[::-1], vectors[:, ::-1]
    dim = model.info["dim"]
    np.testing.assert_allclose(model.eigenvalues, values[:dim], rtol=1e-7)
    w = model.projection
    np.testing.assert_allclose(w.T @ c @ w, np.diag(model.eigenvalues), rtol=0, atol=1e-8 * values[0])
    for k in range(1, dim + 1):
        if k == len(values) or values[k - 1] - values[k] > 1e-3 * values[0]:
            assert subspace_angles(w[:, :k], vectors[:, :k]).max() < 1e-7


def partly_labelled(name, rows, labelled):
    rng = np.random.default_rng(20)
    x, y = load(name)
    chosen = rng.permutation(len(x))[:rows]
    x, y = standardized(x[chosen]), y[chosen].astype(np.int64)
    y[rng.permutation(rows)[labelled:]] = -1
    return x, y


@pytest.mark.parametrize("name", ["iris", "wine"])
@pytest.mark.parametrize("scaling", ["classwise", "labelled", "all"])
def test_lfda(tmp_path, name, scaling):
    x, y = partly_labelled(name, 120, 90)
    among = {
        "classwise": lambda i: np.flatnonzero((y == y[i]) & (y >= 0)) if y[i] >= 0 else range(len(y)),
        "labelled": lambda i: np.flatnonzero(y >= 0),
        "all": lambda i: range(len(y)),
    }[scaling]
    b, c = local_scatters(x, y, affinities(x, among, 5))
    check_ratio(Model(tmp_path, "lfda", x, y, scaling_rows=scaling, neighbors=5, dim=3), b, c)


@pytest.mark.parametrize("name", ["iris", "wine"])
@pytest.mark.parametrize("beta", [0, 0.01, 0.5, 1])
@pytest.mark.parametrize("total", ["scatter", "covariance"])
def test_self(tmp_path, name, beta, total):
    x, y = partly_labelled(name, 120, 60)
    between, within = local_scatters(x, y, affinities(x, lambda i: range(len(y)), 7))
    scatter = (x - x.mean(axis=0)).T @ (x - x.mean(axis=0)) / (len(x) if total == "covariance" else 1)
    b = (1 - beta) * between + beta * scatter
    c = (1 - beta) * within + beta * np.eye(x.shape[1])
    check_ratio(Model(tmp_path, "self", x, y, beta=beta, total=total, dim=3), b, c)


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


def tensors(path):
    """A safetensors file in ten lines."""
    blob = path.read_bytes()
    (size,) = struct.unpack("<Q", blob[:8])
    header = json.loads(blob[8 : 8 + size])
    metadata = header.pop("__metadata__")
    out = {}
    for name, tensor in header.items():
        numbers = {"F64": "<f8", "F32": "<f4"}[tensor["dtype"]]
        first, end = tensor["data_offsets"]
        part = np.frombuffer(blob[8 + size + first : 8 + size + end], numbers)
        out[name] = part.reshape(tensor["shape"])
    return metadata, out


def test_model_file(tmp_path):
    x, y = load("wine")
    model = Model(tmp_path, "self", x, y, beta=0.25, dim=4)
    metadata, held = tensors(model.path)
    assert held["projection"].shape == (13, 4)
    for name in ["projection", "mean", "eigenvalues"]:
        assert np.array_equal(held[name], model.info[name]), name
    assert "self" in metadata.values()
    assert all(isinstance(value, str) for value in metadata.values())
    assert model.info["method"] == "self"
    assert (model.info["columns"], model.info["dim"]) == (13, 4)
    assert model.info["parameters"]["beta"] == 0.25


def test_model_file_with_the_safetensors_package(tmp_path):
    safetensors = pytest.importorskip("safetensors")
    x, y = load("wine")
    model = Model(tmp_path, "fda", x, y)
    _, held = tensors(model.path)
    with safetensors.safe_open(str(model.path), framework="np") as file:
        assert set(file.keys()) == set(held)
        for name in file.keys():
            assert np.array_equal(file.get_tensor(name), held[name])
