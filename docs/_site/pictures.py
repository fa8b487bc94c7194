"""A picture for the page of each method: the same rows and labels in two dimensions of each."""

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
    """Two columns: of a model of two dimensions, or the two first of methods without a choice."""
    try:
        return cls(n_components=2).fit(X, y).transform(X)
    except (TypeError, penumbra.Error):  # scores have a dimension for each class
        return cls().fit(X, y).transform(X)[:, :2]


def draw(cls, path):
    """Write the picture; the fraction of hidden rows whose nearest labelled row has their class."""
    X, digit, y = rows()
    Z = embedded(cls, X, y)
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    penumbra.plot.embedding(Z, y, truth=digit, ax=axes)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    nearest = KNeighborsClassifier(1).fit(Z[y >= 0], y[y >= 0])
    return nearest.score(Z[y < 0], digit[y < 0])
