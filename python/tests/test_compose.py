"""Models composed of two separately fitted models, and their files."""

import pathlib

import numpy as np
import pytest

import penumbra
from conftest import composed, run_command

DATA = pathlib.Path(__file__).parents[2] / "tests" / "data"


def test_a_composed_model_is_kept(tmp_path):
    rng = np.random.default_rng(5)
    y = np.arange(90) % 3
    x = rng.normal(size=(90, 6)) + 3 * np.eye(6)[y] + 100
    first = penumbra.SELF(n_components=4, beta=0.5, scale="standard").fit(x, y)
    second = penumbra.RCA(n_components=2, ridge=0.1, scale="minmax")
    both = composed(first, second.fit(first.transform(x), y))
    assert type(both) is penumbra.RCA and both.ridge == 0.1 and both.n_components == 2
    assert both.scale == "standard"  # for the given rows
    assert both.info_["self.dimensions"] == 4
    assert (both.predict(x) == second.predict(first.transform(x))).all()
    both.save(tmp_path / "both.pen")
    for again in (penumbra.load(tmp_path / "both.pen"), penumbra.RCA.load(tmp_path / "both.pen")):
        assert (again.transform(x) == both.transform(x)).all()
        assert again.get_params() == both.get_params()
    with pytest.raises(penumbra.Error, match="must be a model of pca, got one of rca"):
        penumbra.PCA.load(tmp_path / "both.pen")
    assert run_command("info", tmp_path / "both.pen").stdout.startswith(
        "method         self:rca - Semi-supervised local Fisher discriminant analysis,\n"
        "               then: Relevant component analysis\n"
    )


def test_a_file_of_a_chain_of_methods_loads():
    model = penumbra.load(DATA / "chain-0.1.0.pen")
    assert type(model) is penumbra.RCA and model.ridge == "auto" and model.n_components == 1
    x = np.array([[1.0, 2.0], [6.0, 2.0]])
    np.testing.assert_allclose(
        model.transform(x), [[-5.51882433771235], [6.939341609564489]], rtol=1e-12
    )
    assert model.predict(x).tolist() == ["x", "y"]
