"""Missing values belong to the model: those of the command fill NaN, or do not answer its row."""

import numpy as np
import penumbra
import pytest
from conftest import run_command

WAYS = [
    ["fda", "--ridge", "0.1"],
    ["pca", "--dim", "2", "--row-steps", "total:10,log1p,select:3,l2"],
    ["sda", "--kernel", "rbf"],
]


@pytest.fixture
def rows(tmp_path):
    """Rows of a fit with gaps, and new ones; the last column has no value."""
    draw = np.random.default_rng(0)
    x, new = (1 + draw.random((n, 5)) + np.arange(n)[:, None] % 2 for n in (40, 12))
    x[draw.random(x.shape) < 0.1] = np.nan
    x[:, 4] = np.nan
    new[:, 4] = draw.random(12)
    new[::2, 1:4][draw.random((6, 3)) < 0.5] = np.nan
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", np.arange(40) % 2)
    return x, new


def model_of(path, *flags):
    files = [path / "x.npy", "--labels", path / "y.npy", "-o", path / "m.pen"]
    run_command("fit", *flags, *files, "--quiet")
    return penumbra.load(path / "m.pen")


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[0])
def test_filled_by_the_means_of_the_fit(rows, tmp_path, way):
    x, new = rows
    model = model_of(tmp_path, *way, "--missing", "mean")
    filled = np.where(np.isnan(new), np.append(np.nanmean(x[:, :4], axis=0), 0), new)
    z, p = model.transform(new), model.predict_proba(new)
    np.testing.assert_array_equal(z, model.transform(filled))
    np.testing.assert_array_equal(p[3:4], model.predict_proba(new[3:4]))
    np.testing.assert_array_equal(z, model.transform(np.c_[new[:, :4], 1e9 * new[:, :1]]))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[0])
def test_rows_without_an_answer(rows, tmp_path, way):
    x, new = (each[:, :4] for each in rows)
    model = model_of(tmp_path, *way, "--missing", "drop", "--drop", "4")
    gaps, z = np.isnan(new).any(axis=1), model.transform(new)
    assert np.isnan(z[gaps]).all()
    full = ~np.isnan(x).any(axis=1)
    np.save(tmp_path / "x.npy", x[full])
    np.save(tmp_path / "y.npy", np.arange(40)[full] % 2)
    np.testing.assert_array_equal(z[~gaps], model_of(tmp_path, *way).transform(new[~gaps]))
    assert (z[~gaps].std(axis=0) > 0).all()
    assert [one is None for one in model.predict(new)] == list(gaps)
    assert list(model.predict(new)[~gaps]) == list(model.predict(new[~gaps]))
    y = model.predict(np.nan_to_num(new))
    y[~gaps] = model.predict(new[~gaps])
    assert model.score(new, y) == pytest.approx(1 - gaps.mean())
    with pytest.raises(penumbra.Error, match=f"row {gaps.argmax()} .*missing"):
        model.suggest(new)
