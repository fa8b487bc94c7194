"""Missing values: models of the command fill NaN, or return no result for such rows."""

import numpy as np
import penumbra
import pytest
from conftest import fitted_by_the_command

WAYS = [
    ["fda", "--ridge", "0.1"],
    ["pca", "--dim", "2", "--row-steps", "total:10,log1p,select:3,l2"],
    ["sda", "--kernel", "rbf"],
]


@pytest.fixture
def rows(tmp_path):
    """Return training rows with gaps, and new rows; the last column has no value."""
    draw = np.random.default_rng(0)
    x, new = (1 + draw.random((n, 5)) + np.arange(n)[:, None] % 2 for n in (40, 12))
    x[draw.random(x.shape) < 0.1] = np.nan
    x[:, 4] = np.nan
    new[:, 4] = draw.random(12)
    new[::2, 1:4][draw.random((6, 3)) < 0.5] = np.nan
    return x, new


def model_of(path, *flags, x, y):
    fitted_by_the_command(path, *flags, x=x, labels=y)
    return penumbra.load(path / "there")


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[0])
def test_rows_without_an_answer(rows, tmp_path, way):
    x, new = (each[:, :4] for each in rows)
    y = np.arange(40) % 2
    model = model_of(tmp_path, *way, "--missing", "drop", x=x, y=y)
    gaps, z = np.isnan(new).any(axis=1), model.transform(new)
    assert np.isnan(z[gaps]).all()
    full = ~np.isnan(x).any(axis=1)
    right = model_of(tmp_path, *way, x=x[full], y=y[full])
    np.testing.assert_array_equal(z[~gaps], right.transform(new[~gaps]))
    assert (z[~gaps].std(axis=0) > 0).all()
    assert [one is None for one in model.predict(new)] == list(gaps)
    assert list(model.predict(new)[~gaps]) == list(model.predict(new[~gaps]))
    y = model.predict(np.nan_to_num(new))
    y[~gaps] = model.predict(new[~gaps])
    assert model.score(new, y) == pytest.approx(1 - gaps.mean())
    with pytest.raises(penumbra.Error, match=f"row {gaps.argmax()} .*missing"):
        model.suggest(new)
