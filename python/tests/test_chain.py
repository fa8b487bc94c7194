"""Chains of methods: one model that maps as a pipeline of the same methods does."""

import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import Pipeline

import penumbra

COMMAND = pathlib.Path(sys.executable).with_name("penumbra")


@pytest.fixture
def rows():
    rng = np.random.default_rng(5)
    y = np.arange(90) % 3
    x = rng.normal(size=(90, 6)) + 3 * np.eye(6)[y] + 100
    return x, np.where(np.arange(90) < 45, y, -1), y


def chained(**parameters):
    return penumbra.Chain(
        "self:rca", parameters={"self.n_components": 4, "beta": 0.5, **parameters}, n_components=2
    )


def test_is_a_pipeline(rows):
    x, y, _ = rows
    steps = Pipeline(
        [
            ("reduce", penumbra.SELF(n_components=4, beta=0.5)),
            ("metric", penumbra.RCA(n_components=2)),
        ]
    )
    expected = steps.fit(x, y).transform(x)
    chain = chained().fit(x, y)
    assert np.allclose(chain.transform(x), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    assert np.allclose((x - chain.mean_) @ chain.components_.T, expected, rtol=0, atol=1e-8)
    assert np.allclose(chain.eigenvalues_, steps["metric"].eigenvalues_)
    assert chain.info_["self.dimensions"] == 4
    assert (chain.predict(x) == steps.predict(x)).all()
    assert penumbra.Chain("self:rca").method.title.count("then: ") == 1


def test_is_kept(rows, tmp_path):
    x, y, truth = rows
    chain = chained(**{"self.n_neighbors": 3, "rca.ridge": 0.1, "scale": "standard"}).fit(x, y)
    path = tmp_path / "chain.pen"
    chain.save(path)
    for again in (
        penumbra.load(path),
        penumbra.Chain.load(path),
        pickle.loads(pickle.dumps(chain)),
    ):
        assert type(again) is penumbra.Chain
        assert (again.transform(x) == chain.transform(x)).all()
        assert again.chain == "self:rca" and again.n_components == 2
    loaded = penumbra.load(path)
    assert loaded.parameters["self.neighbors"] == 3 and loaded.parameters["scale"] == "standard"
    assert (clone(loaded).fit(x, y).components_ == chain.components_).all()
    with pytest.raises(penumbra.Error, match="must be a model of pca, got one of self:rca"):
        penumbra.PCA.load(path)
    assert chain.score(x, truth) > 0.8


def test_the_command_reads_it(rows, tmp_path):
    x, y, _ = rows
    chained().fit(x, y).save(tmp_path / "chain.pen")
    done = subprocess.run(
        [COMMAND, "info", tmp_path / "chain.pen"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("method         self:rca - ")


def test_trials(rows):
    x, y, _ = rows
    scores = penumbra.evaluate(chained(), x, y, dims=[1, 2], folds=3, runs=1)
    assert scores.accuracy.shape == (3, 2) and scores.mean[1] > 0.6
    tuning = penumbra.tune(chained(**{"self.ridge": 0.0, "rca.ridge": 0.0}), x, y, folds=3, runs=1)
    assert isinstance(tuning.best, penumbra.Chain) and tuning.best.chain == "self:rca"
    assert tuning.best.parameters["self.dim"] == 4 and tuning.best.parameters["self.beta"] == 0.5
    assert tuning.best.fit(x, y).n_components_ == 2
    assert str(tuning).startswith("Chain: ")


@pytest.mark.parametrize(
    ("chain", "message"),
    [
        (penumbra.Chain("self"), "must be names of methods such as 'self:rca'"),
        (penumbra.Chain("self:self"), "a chain has each method once"),
        (penumbra.Chain("self:nothing"), 'unknown method "nothing"'),
        (penumbra.Chain(parameters={"ridge": 1}), "self.ridge, rca.ridge"),
        (penumbra.Chain(parameters={"n_components": 1}), "must be an argument of Chain"),
        (penumbra.Chain(parameters={"self.n_components": 60}), "self of self:rca: "),
    ],
)
def test_refusals(rows, chain, message):
    x, y, _ = rows
    with pytest.raises(penumbra.Error, match=message):
        chain.fit(x, y)
