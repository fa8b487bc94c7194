"""Published folds in trials: arrays, splitters, and errors."""

import warnings

import numpy as np
import penumbra
import pytest
from conftest import blobs
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier


COLUMNS = penumbra.Identity(scale="none", classifier="nearest")


def trials(x, y, model=COLUMNS, **given):
    """Return the accuracy in each trial, and the comparison."""
    found = penumbra.compare(x, y, model, effort=0, **given)
    return next(c for c in found.candidates if c.name.startswith("Identity")).trials, found


@pytest.fixture
def rows():
    return blobs(90, 4, per_class=20, apart=1.5)


def literal(x, y, fold):
    """Return the accuracy of the nearest labelled row in unchanged columns, by fold."""
    scores = []
    for k in np.unique(fold[fold >= 0]):
        test, train = (fold == k) & (y >= 0), (fold != k) & (y >= 0)
        model = KNeighborsClassifier(1).fit(x[train], y[train])
        scores.append(model.score(x[test], y[test]))
    return scores


def test_arrays_are_the_folds(rows):
    x, y = rows
    fold = np.column_stack([np.arange(90) % 4 + 7, np.arange(90) // 5 % 4])
    fold[:9, 1] = -1
    both, found = trials(x, y, cv=fold)
    expected = literal(x, y, fold[:, 0]) + literal(x, y, fold[:, 1])
    np.testing.assert_allclose(both, expected)
    assert [found.results[name] for name in ("runs", "folds", "held_out")] == [2, 4, 60]
    np.testing.assert_array_equal(trials(x, y, cv=fold[:, 0].tolist())[0], both[:4])
    missing = np.where(fold[:, 1] < 0, np.nan, fold[:, 1])
    two, found = trials(x, y, cv=missing)
    np.testing.assert_array_equal(two, both[4:])
    assert "1 run of 4 given folds" in repr(found)


def test_splitters_give_folds(rows):
    x, y = rows
    for splitter in (
        KFold(3, shuffle=True, random_state=2),
        StratifiedKFold(3, shuffle=True, random_state=1),
    ):
        fold = np.empty(90, int)
        for k, (_, test) in enumerate(splitter.split(x, y)):
            fold[test] = k
        scores = trials(x, y, cv=splitter)[0]
        np.testing.assert_allclose(scores, literal(x, y, fold))
        np.testing.assert_array_equal(trials(x, y, cv=splitter.split(x, y))[0], scores)
    repeated = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    found = trials(x, y, cv=list(repeated.split(x)))[1]
    assert (found.results["runs"], found.results["folds"]) == (2, 3)


def test_single_test_sets(rows):
    x, y = rows
    fold = np.where(np.arange(90) < 20, 0, -1)
    split = [(np.arange(20, 90), np.arange(20))]
    for folds in (fold, PredefinedSplit(fold), split):
        scores, found = trials(x, y, cv=folds)
        np.testing.assert_allclose(scores, literal(x, y, fold))
        assert "1 run of 1 given fold;" in repr(found) and found.results["held_out"] == 20
    found = penumbra.compare(x, y, "PCA", cv=fold, effort=0.01)
    assert all(len(c.trials) == 1 for c in found.candidates)
    # two of four independently drawn test parts can be disjoint by chance
    drawn = ShuffleSplit(4, test_size=0.2, random_state=0)
    expected = []
    for _, test in drawn.split(x):
        expected += literal(x, y, np.where(np.isin(np.arange(90), test), 0, -1))
    np.testing.assert_allclose(trials(x, y, cv=drawn)[0], expected)


@pytest.fixture
def scans():
    """Draw three scans per sample, with uninformative labels."""
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(size=(60, 20)), 3, axis=0) + 0.01 * rng.normal(size=(180, 20))
    return x, np.repeat(rng.permutation(np.arange(60) % 2), 3), np.repeat(np.arange(60), 3)


def test_groups_are_held_out_together(scans):
    x, y, groups = scans
    told = {
        "untuned": lambda **given: trials(x, y, **given)[0].mean(),
        "tuned": lambda **given: max(
            c.accuracy for c in penumbra.compare(x, y, "PCA", effort=0.01, **given).candidates
        ),
        "choice": lambda **given: max(
            c.accuracy
            for c in penumbra.AutoReducer().fit(x, y, **given).comparison_.candidates
            if not c.failure
        ),
    }
    names = np.array([f"patient {g}" for g in groups], dtype=object)
    for name, score in told.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about near copies
            assert score() > 0.9, name
        assert score(groups=names) < 0.8, name
        if name != "choice":
            assert score(groups=groups, cv=GroupKFold(5)) < 0.8, name


def test_near_copies_are_told(scans, rows):
    x, y, groups = scans
    words = "100 % of the labelled rows have near copies of their class"
    assert words in repr(trials(x, y, runs=1)[1])
    assert words not in repr(trials(x, y, groups=groups, runs=1)[1])
    assert "copies" not in repr(trials(*rows)[1])
    with pytest.warns(penumbra.PenumbraWarning, match=words):
        penumbra.AutoReducer().fit(x, y)


def test_groups_within_a_fit(scans):
    x, y, groups = scans
    errors = [
        min(penumbra.SELF(beta="auto").fit(x, y, groups=g).info_["beta_errors"])
        for g in (None, groups)
    ]
    assert errors[0] < 18 and errors[1] > 36
    with pytest.raises(penumbra.Error, match="groups must have one entry per row, 180, got 2"):
        penumbra.SELF().fit(x, y, groups=[1, 2])
    with pytest.raises(penumbra.Error, match="run 1 holds out only one of them"):
        trials(x, y, groups=groups, cv=KFold(4, shuffle=True))


def test_splitter_keeps_groups_whole_and_even():
    rng = np.random.default_rng(1)
    groups = rng.integers(0, 40, 400)
    y = np.where(rng.random(400) < 0.2, -1, (groups % 5 == 0) + (rng.random(400) < 0.3))
    splitter = penumbra.SemiSupervisedKFold(4, random_state=1)
    tests = [test for _, test in splitter.split(None, y, groups)]
    assert sorted(np.concatenate(tests)) == np.nonzero(y >= 0)[0].tolist()
    assert len(np.concatenate([np.unique(groups[test]) for test in tests])) == 40
    for c in range(3):
        sizes = [np.sum(y[test] == c) for test in tests]
        assert np.ptp(sizes) <= 0.15 * np.sum(y == c), sizes
    with pytest.raises(penumbra.Error, match="n_splits must be in .2, 40., the number of groups"):
        next(penumbra.SemiSupervisedKFold(41).split(None, y, groups))


@pytest.mark.parametrize(
    ("folds", "words"),
    [
        (np.zeros(89), r"cv must have the shape \(90,\)"),
        (np.full(90, 0.5), "whole numbers >= 0"),
        (np.full(90, -2), "got -2 for row 0 in run 1"),
        (np.array(["a"] * 90), "cv must be whole numbers"),
        (ShuffleSplit(2, test_size=0.2, train_size=0.2, random_state=0), "in neither part"),
        (iter([]), "at least one split, got none"),
    ],
)
def test_folds_refused(rows, folds, words):
    with pytest.raises(penumbra.Error, match=words):
        trials(*rows, cv=folds)


def test_runs_must_agree(rows):
    with pytest.raises(penumbra.Error, match="runs is 3, but cv has folds for 1"):
        trials(*rows, cv=np.arange(90) % 2, runs=3)
