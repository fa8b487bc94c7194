"""Pairs of rows for one fit: row numbers, ids, groups."""

import numpy as np
import pytest
from conftest import blobs, fitted_by_the_command, saved

import penumbra
from penumbra._pairs import gather

X, Y = blobs()
MUST = np.array([[0, 3], [1, 4], [2, 5], [0, 6]])
CANNOT = np.array([[0, 1], [1, 2], [3, 5]])
METHODS = [m for m in penumbra.methods() if m.traits & {"must_links", "cannot_links"}]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_equal_to_the_command(method, tmp_path):
    pairs = {"must_link": MUST}
    if "cannot_links" in method.traits:
        pairs["cannot_link"] = CANNOT
    model = getattr(penumbra, method.class_name)(allow_fewer=True).fit(X, **pairs)
    there, _ = fitted_by_the_command(tmp_path, method.name, "--allow-fewer", x=X, **pairs)
    assert saved(model, tmp_path) == there


def components(**pairs):
    return penumbra.SSDR(n_components=2).fit(X, **pairs).components_


def test_ids_are_rows():
    expected = components(must_link=MUST, cannot_link=CANNOT)
    for ids in (
        np.arange(60) + 1000,
        np.array([f"row {i}" for i in range(60)]),
        np.array([f"row {i}" for i in range(60)], dtype=object),
        np.random.default_rng(1).permutation(10**6)[:60],
        np.arange(60, dtype=np.uint64) + np.uint64(2**62),
        np.arange(60, dtype=np.float64),
    ):
        must, cannot = ids[MUST].tolist(), ids[CANNOT].tolist()
        found = components(must_link=must, cannot_link=cannot, row_id=ids)
        np.testing.assert_array_equal(found, expected)
    found = components(must_link=penumbra.Pairs(MUST.tolist()), cannot_link=CANNOT)
    np.testing.assert_array_equal(found, expected)


def test_pairs_of_absent_rows_are_dropped():
    ids = np.arange(60) + 1000
    some = np.r_[0:4, 6:60]
    must, cannot, *_ = gather(58, ids[MUST], ids[CANNOT], ids[some])
    where = {row: at for at, row in enumerate(some)}
    np.testing.assert_array_equal(must, [[where[i], where[j]] for i, j in ((0, 3), (0, 6))])
    np.testing.assert_array_equal(cannot, [[0, 1], [1, 2]])
    must, cannot, *_ = gather(2, [[7, 8]], [[7, 8]], [1, 2])
    assert must.shape == cannot.shape == (0, 2)


def test_groups_of_must_links():
    group = np.full(60, -1)
    group[[0, 3, 6]], group[[1, 4]], group[9] = 7, 2, 5  # a group of one row has no pairs
    must, cannot, *_ = gather(60, group)
    assert {tuple(sorted(p)) for p in must.tolist()} == {(0, 3), (0, 6), (3, 6), (1, 4)}
    assert cannot is None
    names = np.where(group < 0, None, group.astype(str))
    np.testing.assert_array_equal(gather(60, names)[0], gather(60, group)[0])
    for none in (np.full(60, -1), []):
        assert gather(60, none)[0].shape == (0, 2)


def test_options_of_pairs():
    contrary = {"must_link": [[0, 1], [3, 4]], "cannot_link": [[1, 0], [0, 3]]}
    dropped = penumbra.SSDR(2, contradictions="drop").fit(X, **contrary)
    rest = penumbra.SSDR(2).fit(X, must_link=[[3, 4]], cannot_link=[[0, 3]])
    np.testing.assert_array_equal(dropped.components_, rest.components_)
    labels = np.arange(60) % 3
    whole = penumbra.SSDR(2, sample_pairs="100%").fit(X, labels)
    np.testing.assert_allclose(whole.components_, penumbra.SSDR(2).fit(X, labels).components_)
    for sample in ("20%", 100, "40+60"):
        some = penumbra.SSDR(2, sample_pairs=sample, random_state=3).fit(X, labels)
        assert (some.components_ != whole.components_).any()


def test_closure_tells_what_it_adds():
    known = {"must_link": [[0, 1], [1, 2], [5, 6]], "cannot_link": [[0, 5]]}
    closed = penumbra.SSDR(2, closure=True).fit(X, **known)
    np.testing.assert_array_equal(closed.info_["derived_pairs"], [[0, 2, 1]])
    known["must_link"] = [*known["must_link"], [2, 0]]
    listed = penumbra.SSDR(2).fit(X, **known)
    np.testing.assert_allclose(closed.components_, listed.components_, atol=1e-10)
    assert "derived_pairs" not in listed.info_


def test_weights_of_pairs(tmp_path):
    weights = np.array([0.5, 2, 0, 1])
    must = penumbra.Pairs(MUST, weights)
    found = components(must_link=must, cannot_link=CANNOT)
    np.testing.assert_allclose(
        found, components(must_link=penumbra.Pairs(MUST[[0, 1, 3]], [2, 8, 4]), cannot_link=CANNOT),
        atol=1e-10,
    )  # fmt: skip
    assert not np.allclose(found, components(must_link=MUST, cannot_link=CANNOT))
    ids = np.arange(60) + 1000
    by_id = penumbra.Pairs(np.vstack([ids[MUST], [[7, 8]]]), [*weights, 3])
    np.testing.assert_array_equal(
        components(must_link=by_id, cannot_link=ids[CANNOT], row_id=ids), found
    )
    arrays = {"must_link": np.column_stack([MUST, weights]), "cannot_link": CANNOT}
    there, _ = fitted_by_the_command(tmp_path, "ssdr", x=X, **arrays)
    assert saved(penumbra.SSDR().fit(X, must_link=must, cannot_link=CANNOT), tmp_path) == there


def test_agreement():
    """Each pair has a row: its weight, its two rows, and its kind."""
    links = {"must_link": [*MUST.tolist(), [3, 7]], "cannot_link": CANNOT}
    found = penumbra.SSDR(pair_weights="agreement").fit(X, **links).info_["pair_weights"]
    assert len(found) == 8 and (0 <= found[:, 0]).all() and (found[:, 0] <= 1).all()
