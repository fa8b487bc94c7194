"""Rows and labels for bench/auto_table.py: real data with few labels."""

import os
from dataclasses import dataclass

import numpy as np

LABELS = ("3", "10", "half")
MOST_ROWS, FITTED = 1500, 0.6
BINS = 10


@dataclass(frozen=True)
class Draw:
    """Training rows, their classes from 0, and which of them are labelled; new rows and classes."""

    x: np.ndarray
    y: np.ndarray
    known: np.ndarray
    new_x: np.ndarray
    new_y: np.ndarray

    @property
    def given(self):
        """The labels for a fit, -1 for unlabelled rows."""
        return np.where(self.known, self.y, -1).astype(np.int32)

    def right(self, told, new):
        """Return which unlabelled training rows, and which new rows, are classified correctly."""
        return (told == self.y)[~self.known], new == self.new_y

    def accuracy(self, told, new):
        """Return the accuracy on both; NaN if there are no such rows."""
        fit, other = self.right(told, new)
        return {"fit": float(np.mean(fit)), "new": float(np.mean(other)) if len(other) else np.nan}

    def bins(self, told, p, new, p_new):
        """Return the calibration of both, by the probabilities of the predicted classes."""
        fit, other = self.right(told, new)
        return {"bins": calibration(p[~self.known], fit), "new_bins": calibration(p_new, other)}


def calibration(p, right):
    """Return [bins x 3]: rows, the sum of their probabilities, and correctly classified rows."""
    at = np.minimum((p * BINS).astype(int), BINS - 1)
    return [
        [int(np.sum(at == b)), float(p[at == b].sum()), int(right[at == b].sum())]
        for b in range(BINS)
    ]


def sets(folder):
    """Return the sets with rows and classes, and no missing value."""
    files = ("X.npy", "y.npy")
    return [
        name
        for name in sorted(os.listdir(folder))
        if all(os.path.exists(os.path.join(folder, name, file)) for file in files)
        and np.isfinite(np.load(os.path.join(folder, name, "X.npy"), mmap_mode="r")[:1000]).all()
    ]


def places(y, rng):
    """Return a random rank of each row within its class."""
    place = np.empty(len(y), dtype=np.int64)
    for c in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == c))
        place[rows] = np.arange(len(rows))
    return place


def shares(y, rng):
    """Return a random order with evenly spread classes, as numbers from 0 to 1."""
    return (places(y, rng) + rng.random(len(y))) / np.bincount(y)[y]


def draw(folder, name, labels, seed, most_rows=MOST_ROWS, fitted=FITTED):
    """Draw at most `most_rows` rows, classes in proportion. The fraction `fitted` is for training,
    with `labels` labels per class ("half": half of the rows), at most half of a class. None if more
    than half of the classes have too few rows for these labels."""
    rng = np.random.default_rng(seed)
    y = np.unique(np.load(os.path.join(folder, name, "y.npy")).ravel(), return_inverse=True)[1]
    rows = np.sort(np.argsort(shares(y, rng))[:most_rows])
    x = np.load(os.path.join(folder, name, "X.npy"), mmap_mode="r")[rows].astype(np.float64)
    y = np.unique(y[rows], return_inverse=True)[1]
    fit = shares(y, rng) < fitted
    counts = np.bincount(y[fit], minlength=y.max() + 1)
    wanted = counts // 2 if labels == "half" else np.full(len(counts), int(labels))
    if np.mean(counts < 2 * wanted) > 0.5:
        return None
    known = places(y[fit], rng) < np.maximum(1, np.minimum(wanted, counts // 2))[y[fit]]
    return Draw(x[fit], y[fit], known, x[~fit], y[~fit])
