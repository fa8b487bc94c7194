"""Small data sets, and the command of the package."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_wine

from penumbra._estimators import from_model
from penumbra._model import Model


WINE = pathlib.Path(__file__).parents[2] / "examples" / "data" / "wine.csv"


def blobs(n=60, d=5, per_class=5, seed=0, apart=4):
    """Return three classes [n x d] with `per_class` labels each, -1 for unlabelled rows."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    x = rng.normal(size=(n, d)) + apart * np.eye(d)[y]
    return x, np.where(np.arange(n) < 3 * per_class, y, -1)


def run_command(*arguments, check=True, program=None):
    """Run the package's command, as a user of this Python would, or another build of it."""
    program = program or pathlib.Path(sys.executable).parent / "penumbra"
    return subprocess.run(
        [program, *map(os.fspath, map(str, arguments))], check=check, capture_output=True, text=True
    )


def fitted_by_the_command(folder, *flags, program=None, x, **arrays):
    """Fit rows x with the command; return the bytes of the model, and the output. Each other array
    becomes the file of its flag, such as must_link for --must-link."""
    files = [folder / "x.npy"]
    for name, values in {"x": x, **arrays}.items():
        np.save(folder / f"{name}.npy", values)
        if name != "x":
            files += ["--" + name.replace("_", "-"), folder / f"{name}.npy"]
    done = run_command("fit", *flags, *files, "-o", folder / "there", program=program)
    return (folder / "there").read_bytes(), done.stderr


def saved(model, folder):
    """Return the bytes of a model file."""
    model.save(folder / "here")
    return (folder / "here").read_bytes()


def composed(first, second):
    """Compose two separately fitted models, as penumbra.dask does."""
    return from_model(Model.compose(first._model, second._model))


def wines(step):
    """Return the rows of wine, labels for every step-th, and the true classes."""
    x, truth = load_wine(return_X_y=True)
    return x, np.where(np.arange(178) % step == 0, truth, -1), truth


@pytest.fixture(scope="module")
def wine():
    """Return the rows of wine, and labels for every sixth."""
    return wines(6)[:2]


@pytest.fixture(scope="module")
def wine_frame():
    """Return a frame of wine, and the class names."""
    frame = pytest.importorskip("pandas").read_csv(WINE)
    return frame, frame.pop("class")


def parts(model):
    """Return the bits of a projection."""
    return [model.components_.tobytes(), model.mean_.tobytes(), model.eigenvalues_.tobytes()]


def same_map(found, expected, x):
    """Check that two models agree up to rounding, in embeddings and classes."""
    z = expected.transform(x)
    assert np.abs(found.transform(x) - z).max() <= 1e-10 * np.abs(z).max()
    if hasattr(expected, "classes_"):
        assert found.classes_.tolist() == expected.classes_.tolist()
    if hasattr(expected, "predict"):
        assert (found.predict(x) == expected.predict(x)).all()
