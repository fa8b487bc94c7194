"""Rows and labels for bench/shares_table.py: real data in which one class has more rows or labels
than other classes."""

import os

import auto_draws
import auto_peers
import numpy as np

LABELS = (3, 10)
POOL, MOST_ROWS, TIMES = 4000, 1000, 10
REGIMES = {
    "equal": "rows and labels equal",
    "rows": "one class with ten times the rows",
    "labels": "one class with ten times the labels",
    "both": "ten times the rows, labels a random sample",
    "as is": "rows as they are, labels equal",
    "random": "rows as they are, labels a random sample",
}
# sets with all rows and unchanged columns: the number of labels per class, and one more
WHOLE = {"digits": ("sk_digits8x8", 3, 60), "usps": ("ssl2_usps", 3, 3)}


def equal_rows(place, y):
    """Return the same number of rows of each class."""
    return place < min(np.bincount(y).min(), MOST_ROWS // (y.max() + 1))


def skewed_rows(place, y, least, rng):
    """Return rows with ten times as many of one class, chosen so that other classes keep at least
    `least`; if there is no such class, drop all rows."""
    counts = np.bincount(y)
    small = [
        min(counts[c] // TIMES, np.delete(counts, c).min(), MOST_ROWS // (TIMES + len(counts) - 1))
        for c in range(len(counts))
    ]
    possible = np.flatnonzero(np.array(small) >= least)
    if not len(possible):
        return np.full(len(y), False)
    large = rng.choice(possible)
    return place < np.where(y == large, TIMES * small[large], small[large])


def labels_of(wanted, y, rng):
    """Return the rows that keep their labels: this number per class."""
    return auto_draws.places(y, rng) < np.asarray(wanted)[y]


def random_sample(count, y, rng):
    """Return a random sample; the class with most labels gives one to each class without."""
    got = np.bincount(y[rng.permutation(len(y))[:count]], minlength=y.max() + 1)
    for c in np.flatnonzero(got == 0):
        got[got.argmax()] -= 1
        got[c] = 1
    return labels_of(got, y, rng)


def rows_of(y, regime, least, rng):
    """Return the rows of a regime, in order."""
    order = np.argsort(auto_draws.shares(y, rng))
    if regime in ("as is", "random"):
        return np.sort(order[:MOST_ROWS])
    pool = np.sort(order[:POOL])
    place = auto_draws.places(y[pool], rng)
    if regime in ("rows", "both"):
        return pool[skewed_rows(place, y[pool], least, rng)]
    return pool[equal_rows(place, y[pool])]


def known_of(y, regime, labels, rng):
    """Return which rows keep their labels; None: a class has too few rows."""
    counts = np.bincount(y)
    if regime in ("as is", "random"):
        if np.mean(counts < 2 * labels) > 0.5:
            return None
        if regime == "random":
            return random_sample(labels * len(counts), y, rng)
        return labels_of(np.maximum(1, np.minimum(labels, counts // 2)), y, rng)
    if regime == "both":
        return random_sample(labels * len(counts), y, rng)
    wanted = np.full(len(counts), labels)
    if regime == "labels":
        wanted[rng.integers(len(counts))] = min(TIMES * labels, 4 * counts.min() // 5)
        if wanted.max() < TIMES * labels / 2:
            return None
    return labels_of(wanted, y, rng)


def draw(folder, name, regime, labels, seed):
    """Draw at most 1000 rows with standardized columns; at most 100 principal components replace
    more than 80 columns. None if the set has too few rows for a regime."""
    rng = np.random.default_rng(seed)
    y = np.unique(np.load(os.path.join(folder, name, "y.npy")).ravel(), return_inverse=True)[1]
    if regime in WHOLE:
        rows = np.arange(len(y))
        wanted = np.full(y.max() + 1, labels)
        wanted[rng.integers(len(wanted))] = WHOLE[regime][2]
        known = labels_of(wanted, y, rng)
    else:
        rows = rows_of(y, regime, labels + max(2, labels // 2), rng)
        y = np.unique(y[rows], return_inverse=True)[1]
        few = not len(y) or np.bincount(y).min() < labels + max(2, labels // 2)
        if few and regime not in ("as is", "random"):
            return None
        known = known_of(y, regime, labels, rng)
        if known is None:
            return None
    x = np.load(os.path.join(folder, name, "X.npy"), mmap_mode="r")[rows].astype(np.float64)
    plain = auto_draws.Draw(x, y, known, x[:0], y[:0])
    if regime in WHOLE:
        return plain
    return auto_draws.Draw(auto_peers.views(plain)["few"][0], y, known, x[:0], y[:0])
