"""Exported models: ONNX graphs and FAISS transforms."""

import json
import sys

import numpy as np
import penumbra
import pytest
from conftest import blobs

CLASSIFIERS = ("nearest", "neighbors", "means", "lda", "self-training", "logistic")
PREDICTING = [m.class_name for m in penumbra.methods() if "predicts" in m.traits]


def sample():
    return blobs(90, 6, per_class=10, apart=3)


def fitted(name, x, y, **parameters):
    return getattr(penumbra, name)(**parameters).fit(x, y)


def run(graph, x, *outputs):
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    return session.run(list(outputs) or None, {"X": x})


def assert_close(a, b, tolerance):
    assert a.dtype == b.dtype and a.shape == b.shape
    assert np.abs(a - b).max() <= tolerance * np.abs(b).max()


@pytest.mark.parametrize("far, dtype, tolerance", [(1e6, np.float32, 1e-6), (128, np.uint8, 1e-12)])
def test_onnx_is_right_far_from_zero(far, dtype, tolerance):
    x, y = sample()
    rows = (20 * x + far).astype(dtype)
    model = fitted("SELF", rows, y, scale="standard")
    (z,) = run(model.to_onnx(dtype), rows, "Z")
    assert_close(z, model.transform(rows), tolerance)


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_onnx_divides_rows_by_their_lengths(size):
    x, y = sample()
    model = fitted("SELF", x, y, row_steps="l2")
    rows = np.vstack([size * x, np.zeros((1, 6))])
    (z,) = run(model.to_onnx(np.float64), rows, "Z")
    assert_close(z, model.transform(rows), 1e-12)


def near_and_far(x):
    """Return training rows, rows between them, and rows far from all of them."""
    rng = np.random.default_rng(1)
    return np.vstack([x, x[:30] + 0.1 * rng.normal(size=(30, 6)), 5 * x[:30]])


# Means of one row each: p is exp(-d^2 / 1e-9), which multiplies rounding errors by a billion.
CASES = [
    (classifier, *sizes)
    for classifier in CLASSIFIERS
    for sizes in ((2, 10), (3, 10), (3, 1), (9, 3))
    if (classifier, sizes[1]) != ("means", 1)
]


@pytest.mark.parametrize("classifier, classes, per_class", CASES)
def test_onnx_reads_classes_as_the_model_does(classifier, classes, per_class):
    x, _ = sample()
    y = np.where(np.arange(90) < classes * per_class, np.arange(90) % classes, -1)
    for parameters in ({}, {"temperature": 3}, {"kernel": "rbf"}, {"row_steps": "l2"}):
        model = fitted("PCA", x, y, classifier=classifier, **parameters)
        for dtype, tolerance in ((np.float32, 1e-6), (np.float64, 1e-12)):
            graph = model.to_onnx(dtype)
            assert [o.name for o in graph.graph.output] == ["Z", "class", "probabilities"]
            rows = near_and_far(x).astype(dtype)
            found, shares = run(graph, rows, "class", "probabilities")
            assert (found == model.predict(rows)).all()
            assert_close(shares, model.predict_proba(rows).astype(dtype), tolerance)


def test_onnx_reads_classes_where_rows_are_equal():
    """In a tie of two equally near rows, the lower row wins, and the lower class."""
    x, y = sample()
    x[3:6], y[3:6] = x[:3], [1, 2, 0]
    for classifier in ("nearest", "neighbors:2"):
        model = fitted("PCA", x, y, classifier=classifier)
        found, shares = run(model.to_onnx(np.float64), x, "class", "probabilities")
        assert (found == model.predict(x)).all()
        assert_close(shares, model.predict_proba(x), 1e-12)


def test_onnx_without_a_classifier_embeds_alone():
    x, y = sample()
    for model in (fitted("PCA", x, None), fitted("SELF", x, y, classifier="none")):
        graph = model.to_onnx()
        assert [o.name for o in graph.graph.output] == ["Z"]
        assert "classifier" not in {p.key for p in graph.metadata_props}


@pytest.mark.parametrize("name", PREDICTING)
def test_onnx_predicts_text_and_raw_scores(name):
    x, y = sample()
    text = np.array(["ash", "beech", "cedar", None], dtype=object)[y]
    model = fitted(name, x, text, prior="none", temperature="none")
    graph = model.to_onnx(np.float64)
    assert [o.name for o in graph.graph.output] == ["Z", "class", "scores"]
    _, classes, scores = run(graph, x)
    assert classes.tolist() == model.predict(x).tolist()
    assert (scores.argmax(axis=1) == model.classes_.searchsorted(classes.astype(str))).all()


def test_onnx_carries_names():
    pandas = pytest.importorskip("pandas")
    x, y = sample()
    frame = pandas.DataFrame(x, columns=list("abcdef"))
    graph = fitted("SELF", frame, y, n_components=2).to_onnx()
    facts = {p.key: p.value for p in graph.metadata_props}
    assert facts["method"] == "self"
    assert json.loads(facts["column_names"]) == list("abcdef")
    assert json.loads(facts["class_names"]) == ["0", "1", "2"]
    assert json.loads(facts["parameters"])["n_components"] == 2


def test_faiss_transform_is_orthonormal_where_the_components_are():
    pytest.importorskip("faiss")
    x, y = sample()
    assert fitted("PCA", x, y, scale="none").to_faiss().is_orthonormal
    assert not fitted("SELF", 3 * x, y, beta=0.3).to_faiss().is_orthonormal


def test_faiss_refuses_what_is_not_linear():
    faiss = pytest.importorskip("faiss")
    x, y = sample()
    model = fitted("SELF", x, y, n_components=2, row_steps="l2")
    with pytest.raises(penumbra.Error, match=r"to_faiss\(faiss.IndexFlatL2\(2\)\)"):
        model.to_faiss()
    with pytest.raises(penumbra.Error, match="index must have 2 dimensions.*, got 5"):
        model.to_faiss(faiss.IndexFlatL2(5))
    with pytest.raises(TypeError, match="index must be an index of FAISS, got 'x'"):
        model.to_faiss("x")


@pytest.mark.parametrize("module, extra", [("onnx", "onnx"), ("faiss", "faiss")])
def test_what_is_missing_is_named(monkeypatch, module, extra):
    x, y = sample()
    model = fitted("PCA", x, y)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf'pip install "penumbra-learn\[{extra}\]"'):
        model.to_onnx() if extra == "onnx" else model.to_faiss()
