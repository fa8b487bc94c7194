"""Shared by the programs of Tong, Suzuki (2010): their sets, folds, pairs and grid."""

import itertools

import numpy as np
from protocol import (
    Random,
    derive,
    drawn_pairs,
    embedded,
    files_of_process,
    load,
    load_labels,
    neighbor_accuracy,
    penumbra,
    stratified_folds,
)

GAMMAS = 2.0 ** np.arange(-4, 5)  # times the squared mean length of centered rows
LAMBDAS = 2.0 ** np.arange(-5, 11)
SEED, FOLDS = 0, 5
TRAINING, LETTERS, OF_EACH = 16000, 4, 100


def grid_of(step):
    """Return the paper's grid, or every second value of both parameters."""
    return list(itertools.product(GAMMAS[::step].tolist(), LAMBDAS[::step].tolist()))


def letters(x, y):
    """Draw OF_EACH rows of each of the first letters from both parts."""
    random, chosen, part = Random(derive(SEED, 26)), [], np.arange(len(y)) >= TRAINING
    for of, c in itertools.product((False, True), range(LETTERS)):
        members = np.flatnonzero((y == c) & (part == of))
        chosen.extend(members[random.permutation(len(members))[:OF_EACH]])
    return x[np.sort(chosen)], y[np.sort(chosen)]


def codes(x, y):
    """Return the attributes of monks-2, 1, 2 ... The folder has ranks over both parts, which had
    different units, so values are ranked again within each part. The rule of the problem, that two
    attributes are 1, checks the result."""
    part = load("monks2", "train_mask.npy")
    for of, j in itertools.product((part, ~part), range(x.shape[1])):
        x[of, j] = 1 + np.unique(x[of, j], return_inverse=True)[1]
    assert (((x == 1).sum(1) == 2) == y).all()
    return x


def rows_of(name, raw):
    """Return rows with columns of deviation one (except letter), or unscaled."""
    x, y = load(name).astype(float), load_labels(name)
    if name == "letter":
        return letters(x, y)
    if name == "monks2":
        x = codes(x, y)
    return (x if raw else (x - x.mean(0)) / x.std(0)), y


class Trial:
    """Rows with a held-out fold, on disk for the command."""

    def __init__(self, name, run, fold, scratch, raw=False):
        self.x, self.y = rows_of(name, raw)
        self.at, self.run, self.fold = files_of_process(scratch), run, fold
        self.train = stratified_folds(self.y, FOLDS, derive(SEED, run, 0)) != fold
        np.save(self.at("train.npy"), self.x[self.train])
        centered = self.x[self.train] - self.x[self.train].mean(0)
        self.length2 = np.linalg.norm(centered, axis=1).mean() ** 2
        self.kinds = None

    def draw(self, must, cannot):
        """Draw pairs of training rows, and write them for the command."""
        if self.kinds != (must, cannot):
            tags = (self.run, 1 + self.fold, must + cannot)
            tags += () if must == cannot else (must,)
            pairs = drawn_pairs(self.y[self.train], must, cannot, derive(SEED, *tags))
            np.save(self.at("pairs.npy"), pairs)
            self.kinds = must, cannot

    def accuracies(self, method, dims, must, cannot, *flags):
        """Return accuracies on held-out rows in each of `dims`, learned from the drawn pairs."""
        if method != "pca":
            self.draw(must, cannot)
            flags += ("--pairs", self.at("pairs.npy"))
        flags += ("--dim", max(dims), "--allow-fewer", "--threads", 1, "-o", self.at("model"))
        penumbra("fit", method, self.at("train.npy"), *flags)
        z, train = embedded(self.at("model"), self.x), self.train
        dims = [min(dim, z.shape[1]) for dim in dims]
        return neighbor_accuracy(z[train], self.y[train], z[~train], self.y[~train], dims)

    def on_grid(self, gamma, value, dims, must, cannot):
        flags = ("--pair-terms", "sum", "--gamma", gamma * self.length2, "--lambda", value)
        return self.accuracies("sodrpac", dims, must, cannot, *flags)
