"""Small data, and the command that comes with the package."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_wine

from penumbra._estimators import from_model
from penumbra._model import Model


def blobs(n=60, d=5, per_class=5, seed=0):
    """Three classes [n x d], `per_class` labels of each, -1 for the other rows."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    x = rng.normal(size=(n, d)) + 4 * np.eye(d)[y]
    return x, np.where(np.arange(n) < 3 * per_class, y, -1)


def run_command(*arguments, check=True, program=None):
    """The package's own command, as a user of this Python types it; or another build of it."""
    program = program or pathlib.Path(sys.executable).parent / "penumbra"
    return subprocess.run(
        [program, *map(os.fspath, map(str, arguments))], check=check, capture_output=True, text=True
    )


def composed(first, second):
    """One model of two that were fitted apart, as penumbra.dask makes it."""
    return from_model(Model.compose(first._model, second._model))


@pytest.fixture(scope="module")
def wine():
    """Rows of wine, and the labels of every sixth."""
    x, y = load_wine(return_X_y=True)
    return x, np.where(np.arange(178) % 6 == 0, y, -1)
