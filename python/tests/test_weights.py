"""Weights of held-out rows: literal weighted shares, estimated ones, and what is refused."""

import numpy as np
import penumbra
import pytest


@pytest.fixture
def biased():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 3))
    p = 1 / (1 + np.exp(1 - 1.5 * x[:, 0]))
    y = np.where(rng.random(400) < p, (x[:, 1] + rng.normal(size=400) > 0).astype(int), -1)
    return x, y, p


def test_equal_weights_change_nothing(biased):
    x, y, _ = biased
    for call in (penumbra.evaluate, penumbra.tune):
        one, other = (call(penumbra.SELF(), x, y, weights=w) for w in (None, np.full(400, 0.3)))
        assert str(one) == str(other)
    kinds = {"methods": ["SELF", "FDA"], "runs": 1, "effort": 0.05}
    one, other = (penumbra.compare(x, y, weights=w, **kinds) for w in (None, np.full(400, 3)))
    assert [c.score for c in one.candidates] == [c.score for c in other.candidates]


def test_weighted_share(biased):
    x, y, p = biased
    fold = np.arange(400) % 4
    scores = penumbra.evaluate(penumbra.PCA(), x, y, dims=3, folds=fold, weights=1 / p)
    for k in range(4):
        train, test = (y >= 0) & (fold != k), np.flatnonzero((y >= 0) & (fold == k))
        nearest = ((x[test, None] - x[None, train]) ** 2).sum(axis=2).argmin(axis=1)
        right = y[train][nearest] == y[test]
        expected = np.average(right, weights=1 / p[test])
        np.testing.assert_allclose(scores.accuracy[k, 0], expected)
    w = 1 / p[y >= 0]
    np.testing.assert_allclose(scores.facts.effective_rows, w.sum() ** 2 / (w**2).sum())
    plain = penumbra.evaluate(penumbra.PCA(), x, y, dims=3, folds=fold)
    assert scores.standard_error[0] > plain.standard_error[0]
    assert plain.facts.effective_rows == plain.facts.labelled


def test_auto_finds_the_ratio():
    """Rows on the right are labelled more often, and have more noise in their labels."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2000, 3))
    p = 1 / (1 + np.exp(1 - x[:, 0]))
    wrong = rng.random(2000) < np.where(x[:, 0] > 0, 0.4, 0)
    y = np.where(rng.random(2000) < p, ((x[:, 1] > 0) ^ wrong).astype(int), -1)
    fold = np.arange(2000) % 2
    auto, true, plain = (
        penumbra.evaluate(penumbra.Identity(), x, y, dims=3, folds=fold, weights=w)
        for w in ("auto", 1 / p, None)
    )
    effect = true.accuracy.mean() - plain.accuracy.mean()
    assert effect > 0.05
    assert abs(auto.accuracy.mean() - true.accuracy.mean()) < 0.15 * effect
    assert 0.85 < auto.facts.effective_rows / true.facts.effective_rows < 1.15
    assert true.facts.effective_rows < 0.7 * true.facts.labelled


def test_auto_widens_the_margin(biased):
    x, y, _ = biased
    kinds = {"methods": "FDA", "runs": 1, "effort": 0.05}
    margins = [penumbra.compare(x, y, weights=w, **kinds).margin for w in ("auto", None)]
    assert margins[0] > margins[1]


def test_refusals(biased):
    x, y, p = biased
    for weights, words in (
        ("none", "'auto' or a number"),
        (p[:-1], "one for each of 400 rows"),
        (np.zeros(400), "a number > 0"),
        (np.full(400, np.nan), "a number > 0"),
    ):
        with pytest.raises(penumbra.Error, match=words):
            penumbra.evaluate(penumbra.PCA(), x, y, weights=weights)
