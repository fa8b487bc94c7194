"""What the programs that recompute published tables share: the command, random folds, 1-NN. Random draws are those of docs/sampling.md."""
import os
import subprocess

import numpy as np

MASK, STEP = 2**64 - 1, 0x9E3779B97F4A7C15


def penumbra(*args):
    """Run the command that PENUMBRA names, quietly; what it printed."""
    command = [os.environ.get("PENUMBRA", "penumbra"), *map(str, args)]
    if args[0] != "info":
        command.append("--quiet")
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Random:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + STEP) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def below(self, n):
        return min(int((self.next() >> 11) * 2.0**-53 * n), n - 1)

    def permutation(self, n):
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def derive(seed, *tags):
    for tag in tags:
        seed = Random(seed ^ ((tag + 1) * STEP & MASK)).next()
    return seed


def stratified_folds(y, k, seed):
    """The fold of each row: members of each class, in random order, are dealt to the folds one after the other."""
    random, folds, at = Random(seed), np.empty(len(y), dtype=int), 0
    for c in np.unique(y):
        members = np.flatnonzero(y == c)
        folds[members[random.permutation(len(members))]] = (at + np.arange(len(members))) % k
        at += len(members)
    return folds


def neighbor_accuracy(train, train_y, test, test_y, dims):
    """For each r in dims, the share of test rows whose nearest training row (lowest index on ties) in the first r columns has their label."""
    distance2 = np.zeros((len(test), len(train)))
    right = []
    for r in range(max(dims)):
        distance2 += (test[:, r][:, None] - train[:, r][None, :]) ** 2
        if r + 1 in dims:
            right.append(np.mean(train_y[distance2.argmin(1)] == test_y))
    return np.array(right)


def standardize(train, test):
    """Both less the mean of train, over its standard deviation; a column that hardly varies is only centered."""
    mean, deviation = train.mean(0), train.std(0)
    deviation[deviation <= 1e-12 * deviation.max()] = 1
    return (train - mean) / deviation, (test - mean) / deviation


def check():
    """Numbers of docs/sampling.md, and folds another program found."""
    assert Random(42).permutation(10) == [8, 3, 6, 5, 4, 0, 9, 2, 1, 7]
    assert derive(42, 3, 5) == 15655485300240997167
    assert stratified_folds(np.repeat([0, 1], 5), 3, 4).tolist() == [1, 0, 1, 0, 2, 0, 0, 2, 1, 2]


def check_command(scratch):
    """That the command draws pairs as docs/sampling.md says."""
    path = os.path.join(scratch, "check.npy")
    np.save(path, np.repeat([0, 1, 2], 50).astype(np.int32))
    text = penumbra("sample", "pairs", "--labels", path, "--percent", 0.5, "--seed", 9, "-o", "-")
    i, j, kind = np.array([line.split(",") for line in text.split() if line[0].isdigit()], dtype=int).T
    assert (np.sum(kind == 1), np.sum(kind == -1), np.sum(31 * i + j)) == (22, 34, 93948)
