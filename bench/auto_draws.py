"""Rows and labels for bench/auto_table.py: real data, of which few labels are known."""

import os
from dataclasses import dataclass

import numpy as np

LABELS = ("3", "10", "half")
MOST_ROWS = 600


@dataclass(frozen=True)
class Draw:
    """Rows of a set, their classes from 0, and which of them are labelled."""

    x: np.ndarray
    y: np.ndarray
    known: np.ndarray

    @property
    def given(self):
        """The labels as a fit gets them: -1 where they are hidden."""
        return np.where(self.known, self.y, -1).astype(np.int32)

    def accuracy(self, told):
        """The share of the hidden rows that are told their class."""
        return float(np.mean(told[~self.known] == self.y[~self.known]))


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


def draw(folder, name, labels, seed, most_rows=MOST_ROWS):
    """At most `most_rows` rows, of each class in proportion, and `labels` of each class ("half":
    half of them), but of no class more than half. None where more than half of the classes have
    too few rows for that many labels."""
    rng = np.random.default_rng(seed)
    y = np.unique(np.load(os.path.join(folder, name, "y.npy")).ravel(), return_inverse=True)[1]
    share = (places(y, rng) + rng.random(len(y))) / np.bincount(y)[y]
    rows = np.sort(np.argsort(share)[:most_rows])
    x = np.load(os.path.join(folder, name, "X.npy"), mmap_mode="r")[rows].astype(np.float64)
    y = np.unique(y[rows], return_inverse=True)[1]
    counts = np.bincount(y)
    wanted = counts // 2 if labels == "half" else np.full(len(counts), int(labels))
    if np.mean(counts < 2 * wanted) > 0.5:
        return None
    known = places(y, rng) < np.maximum(1, np.minimum(wanted, counts // 2))[y]
    return Draw(np.ascontiguousarray(x), y, known)
