"""Published folds in trials: arrays, splitters, and what is refused."""

import numpy as np
import penumbra
import pytest
import sklearn.base
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier


@pytest.fixture
def blobs():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    x = rng.normal(size=(90, 4)) + 1.5 * np.eye(4)[y]
    y[60:] = -1
    return x, y


def literal(x, y, fold):
    """The accuracy of the nearest known row in the columns as they are, by fold."""
    scores = []
    for k in np.unique(fold[fold >= 0]):
        test, train = (fold == k) & (y >= 0), (fold != k) & (y >= 0)
        model = KNeighborsClassifier(1).fit(x[train], y[train])
        scores.append(model.score(x[test], y[test]))
    return scores


def test_arrays_are_the_folds(blobs):
    x, y = blobs
    fold = np.column_stack([np.arange(90) % 4 + 7, np.arange(90) // 5 % 4])
    fold[:9, 1] = -1
    scores = penumbra.evaluate(penumbra.Identity(), x, y, folds=fold)
    expected = literal(x, y, fold[:, 0]) + literal(x, y, fold[:, 1])
    np.testing.assert_allclose(scores.accuracy[:, 0], expected)
    assert scores.facts.runs == 2 and scores.facts.folds == 4 and scores.held_out == 60
    one = penumbra.evaluate(penumbra.Identity(), x, y, folds=fold[:, 0].tolist())
    np.testing.assert_array_equal(one.accuracy, scores.accuracy[:4])
    missing = np.where(fold[:, 1] < 0, np.nan, fold[:, 1])
    two = penumbra.evaluate(penumbra.Identity(), x, y, folds=missing)
    np.testing.assert_array_equal(two.accuracy, scores.accuracy[4:])
    assert "1 run of 4 given folds" in repr(two)


def test_splitters_give_folds(blobs):
    x, y = blobs
    for splitter in (
        KFold(3, shuffle=True, random_state=2),
        StratifiedKFold(3, shuffle=True, random_state=1),
    ):
        fold = np.empty(90, int)
        for k, (_, test) in enumerate(splitter.split(x, y)):
            fold[test] = k
        scores = penumbra.evaluate(penumbra.Identity(), x, y, folds=splitter)
        np.testing.assert_allclose(scores.accuracy[:, 0], literal(x, y, fold))
        again = penumbra.evaluate(penumbra.Identity(), x, y, folds=splitter.split(x, y))
        np.testing.assert_array_equal(again.accuracy, scores.accuracy)
    repeated = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    scores = penumbra.evaluate(penumbra.Identity(), x, y, folds=list(repeated.split(x)))
    assert (scores.facts.runs, scores.facts.folds) == (2, 3)


def test_tune_takes_folds(blobs):
    x, y = blobs
    for fold in (np.arange(90) // 5 % 3, np.arange(90) // 7 % 3):
        found = penumbra.tune(penumbra.FDA(), x, y, folds=fold, grid={"ridge": [0.01, 10]})
        assert found.facts.given_folds and found.held_out == 60
        for setting in found.candidates:
            right = 0.0
            for k in range(3):
                known = np.where(fold != k, y, -1)
                model = sklearn.base.clone(setting.estimator).set_params(n_components=setting.dim)
                z = model.fit(x, known).transform(x)
                held = (fold == k) & (y >= 0)
                vote = KNeighborsClassifier(1).fit(z[known >= 0], known[known >= 0])
                right += vote.score(z[held], y[held]) * held.sum()
            np.testing.assert_allclose(setting.score, right / 60)


def test_compare_takes_folds(blobs):
    x, y = blobs
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    fold = np.arange(90) // 5 % 3
    trials = []
    for given in (fold, np.random.default_rng(1).permutation(fold)):
        compared = penumbra.compare(x, y, methods="FDA", folds=given, effort=0.01)
        by_name = {c.name: c.trials for c in compared.candidates}
        np.testing.assert_allclose(by_name["columns/nearest"], literal(scaled, y, given))
        trials.append(by_name["FDA/nearest"])
    assert trials[0].shape == trials[1].shape == (3,)
    assert (trials[0] != trials[1]).any()


@pytest.mark.parametrize(
    ("folds", "words"),
    [
        (np.zeros(90), "at least 2 are needed"),
        (np.zeros(89), r"folds must have the shape \(90,\)"),
        (np.full(90, 0.5), "whole numbers >= 0"),
        (np.full(90, -2), "got -2 for row 0 in run 1"),
        (np.where(np.arange(90) < 60, np.arange(90) % 2, 2), "fold 2 of run 1 has no labelled"),
        (np.array(["a"] * 90), "folds must be whole numbers"),
        (ShuffleSplit(2, test_size=0.2, train_size=0.2, random_state=0), "in neither part"),
        (iter([]), "there is no split"),
    ],
)
def test_folds_refused(blobs, folds, words):
    with pytest.raises(penumbra.Error, match=words):
        penumbra.evaluate(penumbra.PCA(), *blobs, folds=folds)


def test_runs_must_agree(blobs):
    with pytest.raises(penumbra.Error, match="runs is 3, but folds are those of 1"):
        penumbra.evaluate(penumbra.PCA(), *blobs, folds=np.arange(90) % 2, runs=3)


def test_identity_is_the_identity(blobs):
    x, _y = blobs
    np.testing.assert_array_equal(penumbra.Identity().fit_transform(x), x)
    scaled = penumbra.Identity(scale="standard").fit_transform(x)
    np.testing.assert_allclose(scaled, (x - x.mean(axis=0)) / x.std(axis=0))
