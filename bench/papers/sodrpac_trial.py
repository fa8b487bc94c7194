"""Shared by the programs of Tong, Suzuki (2010): their sets, folds, pairs and grid."""

import itertools
import os

import numpy as np
from monks import check_monks, merged
from protocol import (
    Random,
    derive,
    drawn_pairs,
    files_of_process,
    load,
    load_labels,
    neighbor_accuracy,
    penumbra,
    stratified_folds,
)

GENERATED = ("monks2",)
GAMMAS = 2.0 ** np.arange(-4, 5)  # times the squared mean length of centered rows
LAMBDAS = 2.0 ** np.arange(-5, 11)
GRID = list(itertools.product(GAMMAS, LAMBDAS))
SEED, FOLDS = 0, 5
TRAINING, LETTERS, OF_EACH = 16000, 4, 100


def letters(x, y):
    """OF_EACH rows of each of the first letters from both parts."""
    random, chosen, part = Random(derive(SEED, 26)), [], np.arange(len(y)) >= TRAINING
    for of, c in itertools.product((False, True), range(LETTERS)):
        members = np.flatnonzero((y == c) & (part == of))
        chosen.extend(members[random.permutation(len(members))[:OF_EACH]])
    return x[np.sort(chosen)], y[np.sort(chosen)]


def rows_of(name):
    """Columns of deviation one, but for letter."""
    x, y = merged(name) if name in GENERATED else (load(name).astype(float), load_labels(name))
    return letters(x, y) if name == "letter" else ((x - x.mean(0)) / x.std(0), y)


def check_sets(names):
    for name in ("monks1", "monks3"):
        if name in names and os.path.isdir(os.path.join(os.environ["PENUMBRA_DATA"], name)):
            check_monks(name)


class Trial:
    """Rows of which a fold is held out; on disk for the command."""

    def __init__(self, name, run, fold, scratch):
        self.x, self.y = rows_of(name)
        self.at, self.run, self.fold = files_of_process(scratch), run, fold
        self.train = stratified_folds(self.y, FOLDS, derive(SEED, run, 0)) != fold
        np.save(self.at("train.npy"), self.x[self.train])
        np.save(self.at("x.npy"), self.x)
        centered = self.x[self.train] - self.x[self.train].mean(0)
        self.length2 = np.linalg.norm(centered, axis=1).mean() ** 2

    def accuracies(self, method, dims, must, cannot, *flags):
        """Of the held-out rows, in each of `dims`, learned from that number of pairs of the others."""
        given = ()
        if method != "pca":
            tags = (self.run, 1 + self.fold, must + cannot)
            tags += () if must == cannot else (must,)
            pairs = drawn_pairs(self.y[self.train], must, cannot, derive(SEED, *tags))
            np.save(self.at("pairs.npy"), pairs)
            given = ("--pairs", self.at("pairs.npy"))
        flags += ("--dim", max(dims), "--allow-fewer", "--threads", 1, "-o", self.at("model"))
        penumbra("fit", method, self.at("train.npy"), *given, *flags)
        flags = ("--threads", 1, "-o", self.at("z.npy"))
        penumbra("transform", self.at("model"), self.at("x.npy"), *flags)
        z, train = np.load(self.at("z.npy")), self.train
        dims = [min(dim, z.shape[1]) for dim in dims]
        return neighbor_accuracy(z[train], self.y[train], z[~train], self.y[~train], dims)

    def on_grid(self, gamma, value, dims, must, cannot):
        flags = ("--pair-terms", "sum", "--gamma", gamma * self.length2, "--lambda", value)
        return self.accuracies("sodrpac", dims, must, cannot, *flags)
