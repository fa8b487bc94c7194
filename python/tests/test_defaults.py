"""Defaults compared with scikit-learn's LDA: units and constant columns do not matter."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA

import penumbra


def hidden_accuracy(model, x, y, draws=10):
    """Return the mean accuracy on unlabelled rows, with three of ten labelled."""
    found = []
    for draw in range(draws):
        known = np.random.default_rng(draw).random(len(y)) < 0.3
        if isinstance(model, LDA):
            fitted = model.fit(x[known], y[known])
        else:
            fitted = model.fit(x, np.where(known, y, -1))
        found.append(fitted.score(x[~known], y[~known]))
    return np.mean(found)


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("units", [1.0, 1e-6, 1e6])
def test_columns_in_any_units(load, units):
    x, y = load(return_X_y=True)
    right = hidden_accuracy(LDA(solver="lsqr", shrinkage="auto"), x, y)
    x[:, 4] *= units
    for model in (penumbra.PCA(), penumbra.Identity()):
        assert hidden_accuracy(model, x, y) > right - 0.01


def test_a_constant_column():
    x, y = load_wine(return_X_y=True)
    right = hidden_accuracy(LDA(), x, y)
    assert hidden_accuracy(penumbra.FDA(), np.c_[x, np.ones(len(y))], y) > right - 0.01
