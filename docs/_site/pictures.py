"""Draws the picture of each method's page: the same rows and labels, in two dimensions."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import penumbra
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

FIVE = [1, 2, 3, 8, 9]  # the digits that two principal components mix up


def rows():
    """Five digits, and five labels of each: rows, classes, labels."""
    X, digit = load_digits(return_X_y=True)
    some = np.isin(digit, FIVE)
    X, digit = X[some], digit[some]
    labelled = np.concatenate([np.flatnonzero(digit == d)[:5] for d in FIVE])
    y = np.full(len(X), -1)
    y[labelled] = digit[labelled]
    return X, digit, y


def embedded(cls, X, y):
    """Two dimensions, or the first two of methods whose number of dimensions is fixed."""
    try:
        return cls(n_components=2).fit(X, y).transform(X)
    except (TypeError, penumbra.Error):  # scores have a dimension for each class
        return cls().fit(X, y).transform(X)[:, :2]


def draw(cls, path):
    """Write the picture; return the accuracy of the nearest labelled row on hidden rows."""
    X, digit, y = rows()
    Z = embedded(cls, X, y)
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    penumbra.plot.embedding(Z, y, truth=digit, ax=axes)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    nearest = KNeighborsClassifier(1).fit(Z[y >= 0], y[y >= 0])
    return nearest.score(Z[y < 0], digit[y < 0])
