"""Rows and labels for bench/auto_table.py: real data, of which few labels are known."""

import os
from dataclasses import dataclass

import numpy as np

LABELS = ("3", "10", "half")
MOST_ROWS, FITTED = 1500, 0.6
BINS = 10


@dataclass(frozen=True)
class Draw:
    """Rows of a fit, their classes from 0 and which of them are labelled; rows not in the fit."""

    x: np.ndarray
    y: np.ndarray
    known: np.ndarray
    new_x: np.ndarray
    new_y: np.ndarray

    @property
    def given(self):
        """The labels as a fit gets them: -1 where they are hidden."""
        return np.where(self.known, self.y, -1).astype(np.int32)

    def right(self, told, new):
        """Which of the hidden rows of the fit, and of the rows not in it, are told their class."""
        return (told == self.y)[~self.known], new == self.new_y

    def accuracy(self, told, new):
        """The shares of these; NaN where there are no such rows."""
        fit, other = self.right(told, new)
        return {"fit": float(np.mean(fit)), "new": float(np.mean(other)) if len(other) else np.nan}

    def bins(self, told, p, new, p_new):
        """How right these are by the probabilities of what is told: see calibration."""
        fit, other = self.right(told, new)
        return {"bins": calibration(p[~self.known], fit), "new_bins": calibration(p_new, other)}


def calibration(p, right):
    """[bins x 3]: rows, the sum of their probabilities, and how many are right."""
    at = np.minimum((p * BINS).astype(int), BINS - 1)
    return [
        [int(np.sum(at == b)), float(p[at == b].sum()), int(right[at == b].sum())]
        for b in range(BINS)
    ]


def sets(folder):
    """Sets with rows and classes, and no missing value."""
    files = ("X.npy", "y.npy")
    return [
        name
        for name in sorted(os.listdir(folder))
        if all(os.path.exists(os.path.join(folder, name, file)) for file in files)
        and np.isfinite(np.load(os.path.join(folder, name, "X.npy"), mmap_mode="r")[:1000]).all()
    ]


def places(y, rng):
    """A random order of the rows of each class: the place of each row among those of its class."""
    place = np.empty(len(y), dtype=np.int64)
    for c in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == c))
        place[rows] = np.arange(len(rows))
    return place


def shares(y, rng):
    """A random order in which each class is spread evenly, as numbers from 0 to 1."""
    return (places(y, rng) + rng.random(len(y))) / np.bincount(y)[y]


def draw(folder, name, labels, seed, most_rows=MOST_ROWS, fitted=FITTED):
    """At most `most_rows` rows, of each class in proportion, of which `fitted` are in the fit, and
    `labels` of each class ("half": half of them), but of no class more than half. None where more
    than half of the classes have too few rows for that many labels."""
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
