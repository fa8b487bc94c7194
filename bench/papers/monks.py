"""The three monk's problems of Thrun and others (1991), from their rules: six attributes, 432 rows,
all there are."""

import itertools

import numpy as np
from protocol import Random, derive, load, load_labels

VALUES = (3, 3, 2, 3, 4, 2)  # of each attribute: 1, 2 ..
RULES = {
    "monks1": lambda a: a[0] == a[1] or a[4] == 1,
    "monks2": lambda a: sum(value == 1 for value in a) == 2,
    "monks3": lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
}
TRAINING = {"monks1": 124, "monks2": 169, "monks3": 122}
NOISE = {"monks1": 0, "monks2": 0, "monks3": 6}  # training rows with the wrong label
SEED = 1991


def problem(name):
    """All rows, in lexicographic order, and what the rule says of them."""
    rows = list(itertools.product(*(range(1, count + 1) for count in VALUES)))
    return np.array(rows, dtype=float), np.array([RULES[name](row) for row in rows], dtype=np.int32)


def merged(name):
    """Training rows before all rows, as the published files have them. Which rows those train with
    is no rule: here they are drawn, each at most once, and the first NOISE of them are wrong."""
    x, y = problem(name)
    chosen = np.array(Random(derive(SEED, 0)).permutation(len(x))[: TRAINING[name]])
    labels = y[chosen]
    labels[: NOISE[name]] = 1 - labels[: NOISE[name]]
    return np.r_[x[chosen], x], np.r_[labels, y]


def check_monks(name):
    """The published file, training rows first, has the rows and labels of the rules."""
    x, y = load(name).astype(float), load_labels(name)
    rows, labels = problem(name)
    count = TRAINING[name]
    assert len(x) == count + len(rows)
    assert (x[count:] == rows).all() and (y[count:] == labels).all()
    at = {tuple(row): label for row, label in zip(rows, labels)}
    wrong = sum(at[tuple(row)] != label for row, label in zip(x[:count], y[:count]))
    assert wrong == NOISE[name]
    assert len(np.unique(x[:count], axis=0)) == count
