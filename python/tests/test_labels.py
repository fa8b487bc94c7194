"""Labels keep type and value in a file; marks of unlabelled rows are recognized."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

import penumbra

pl, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")

X = np.array([[0.0], [1], [5], [6], [9], [9.5]])


def pairs(a, b, c):
    return [a, a, b, b, c, c]


@pytest.mark.parametrize(
    "y, dtype",
    [
        (np.array(pairs(1, 2**63, 2**63 + 1), np.uint64), "uint64"),
        (pd.Series(pairs(1, 2**63, None), dtype="UInt64"), "uint64"),
        (pairs(-5, 2**62, 2**62 + 1), "int64"),
        (pl.Series(pairs(2**60 + 1, 2**60, None)), "int64"),
        (pyarrow.array(pairs(2**60 + 1, 2**60, None)), "int64"),
        (np.array([-5, None, 2**60, 2**60, 2**60 + 1, None], object), "int64"),
        (pairs(False, True, True), "bool"),
        (np.array(pairs(True, False, None), object), "bool"),
        (pd.Series(pairs(True, False, None), dtype="boolean"), "bool"),
        (pd.Series(pd.Categorical(pairs(True, False, False))), "bool"),
        (np.array(pairs(1, 2, 3), np.uint8), "uint8"),
        (pairs(1.0, 2.0**60, 2.0**61), "float64"),
        (np.array(pairs(1, 2, 3), np.float32), "float32"),
        (pairs("1", "2", None), "<U1"),
        (pairs("True", "False", "1e3"), "<U5"),
        (np.array(pairs("2020-01-01", "2021-01-01", "2022-01-01T11"), "M8[ns]"), "<M8[ns]"),
        (pd.to_datetime(pd.Series(pairs("2020-01-01", "2021-01-01", None))), "<M8[ns]"),
    ],
    ids=str,
)
def test_labels_keep_type_and_value(y, dtype, tmp_path):
    model = penumbra.FDA().fit(X, y)
    model.save(tmp_path / "m.pen")
    statistics = penumbra.Statistics(penumbra.FDA(), X, y, block=0)
    statistics.fit(penumbra.FDA()).save(tmp_path / "s.pen")
    arrived = penumbra.FDA()
    for at in range(0, 6, 2):
        arrived.partial_fit(X[at : at + 2], y[at : at + 2])
    has = [not pd.isna(v) and getattr(v, "is_valid", True) for v in y]
    known = np.array([v for v, is_known in zip(y, has) if is_known], dtype)
    assert model.classes_.tolist() == np.unique(known).tolist()
    assert model.classes_.dtype == dtype
    np.testing.assert_array_equal(model.predict(X)[has], known)
    for again in (
        penumbra.load(tmp_path / "m.pen"),
        pickle.loads(pickle.dumps(model)),
        penumbra.load(tmp_path / "s.pen"),
        arrived,
    ):
        assert again.classes_.dtype == dtype
        np.testing.assert_array_equal(np.sort(again.classes_), np.sort(model.classes_))
        np.testing.assert_array_equal(again.predict(X), model.predict(X))


@pytest.mark.parametrize("mark", ["", "nan", "NaN", "NA", "-1", "-1.0", "None", "?", "<NA>"])
def test_texts_that_mean_unlabelled_are_refused(mark):
    with pytest.raises(penumbra.Error, match="means unlabelled in files"):
        penumbra.FDA().fit(X, np.array(["a", "a", "b", "b", mark, mark]))
    assert list(penumbra.FDA().fit(X, pairs("Na", "null", None)).classes_) == ["Na", "null"]


@pytest.mark.parametrize(
    "y, told",
    [
        (pairs(-1, 1, 0), "-1 in y means unlabelled"),
        (pairs("b", "B", "a"), "look alike"),
        (pairs("caf\u00e9", "a", "cafe\u0301"), "look alike"),
        (pairs("a b", "a\u00a0b", "c"), "look alike"),
        (pairs("01", "1", "2"), "look alike"),
        ([-1, -1, -1, 0, 1, 1], None),
        (pairs(-1, 2, 3), None),
        (pairs("b", "ä", "a"), None),
    ],
    ids=str,
)
def test_classes_that_may_be_others_are_told(y, told):
    model = penumbra.FDA(ridge=1.0)
    for learn in (model.fit, lambda x, y: penumbra.compare(x, y, model, runs=1, effort=0)):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            learn(np.repeat(X, 2, 0), np.repeat(y, 2))
        texts = [str(w.message) for w in found]
        assert any(told in text for text in texts) if told else not texts


def test_one_class_besides_minus_one():
    with pytest.warns(penumbra.PenumbraWarning):
        with pytest.raises(penumbra.Error, match="-1 in y means unlabelled"):
            penumbra.FDA().fit(X, pairs(-1, 1, 1))


@pytest.mark.parametrize("y", [pairs(1, 2**63, 2**63 + 1), pairs(-5, 2**62, 3), pairs(7, 8, 9)])
def test_classes_of_graphs(y):
    """Classes are whole numbers, or text if int64 cannot hold them."""
    onnxruntime = pytest.importorskip("onnxruntime")
    graph = penumbra.FDA().fit(X, y).to_onnx(np.float64)
    (found,) = onnxruntime.InferenceSession(graph.SerializeToString()).run(["class"], {"X": X})
    assert list(map(int, found)) == y
