"""The surface of the package: its names, their arguments, what a fit sets, and what is refused."""

import inspect
import typing
import warnings

import numpy as np
import pytest
from conftest import blobs
from sklearn.exceptions import NotFittedError

import penumbra

NAMES = (
    "AutoReducer Comparison Error LabelledOnly Pairs PenumbraWarning Reducer SemiSupervisedKFold "
    "Statistics compare kneighbors_graph labelled_scorer load methods dask plot pp"
).split()

ARGUMENTS = {
    "AutoReducer": "n_components=None, *, ensemble=False, classifier='auto', effort=1.0,"
    " row_steps='', contradictions='error', closure=False, pair_weights='given',"
    " sample_pairs='all', random_state=0, n_jobs=None, verbose=False",
    "AutoReducer.fit": "X, y=None, *, must_link=None, cannot_link=None, row_id=None, groups=None,"
    " graph=None",
    "SELF.fit": "X, y=None, *, groups=None, graph=None",
    "SELF.suggest": "X, y=None, n=10",
    "SELF.typicality": "X",
    "SELF.save": "path",
    "SELF.to_onnx": "dtype=float32, compute='float64'",
    "SELF.to_faiss": "index=None",
    "SELF.inverse_transform": "Z",
    "FDA.partial_fit": "X, y=None, *, classes=None",
    "Pairs": "pairs, weights=None",
    "LabelledOnly": "estimator",
    "SemiSupervisedKFold": "n_splits=5, *, stratified=True, random_state=0",
    "labelled_scorer": "scoring='accuracy'",
    "kneighbors_graph": "X, n_neighbors=5, *, queries=None, n_jobs=None, verbose=False",
    "compare": "X, y, estimators=None, *, n_components=None, grid=None, classifiers=None,"
    " keep_labels=None, shuffled=False, cv=None, runs=None, inductive=False, must_link=None,"
    " cannot_link=None, row_id=None, groups=None, effort=1.0, random_state=0, n_jobs=None,"
    " verbose=False",
    "Comparison.to_frame": "",
    "Comparison.to_html": "path=None",
}

# Every method has these; the other parameters are of one method, or of those that take pairs.
SHARED = (
    "row_steps scale pca pca_scale kernel kernel_gamma kernel_degree kernel_landmarks kernel_ridge "
    "classifier prior temperature random_state n_jobs verbose"
).split()
OF_PAIRS = ["contradictions", "closure", "pair_weights", "sample_pairs"]


def written(function):
    """The arguments of a function, as they are written here."""
    parts, bare = [], False
    for p in inspect.signature(function).parameters.values():
        if p.name == "self":
            continue
        if p.kind is p.KEYWORD_ONLY and not bare:
            parts, bare = [*parts, "*"], True
        default = getattr(p.default, "__name__", repr(p.default))
        parts.append(p.name if p.default is p.empty else f"{p.name}={default}")
    return ", ".join(parts)


def test_the_names_beside_the_methods():
    classes = {method.class_name for method in penumbra.methods()}
    assert set(penumbra.__all__) == {*NAMES, *classes, "__version__"} and len(NAMES) == 17
    assert not classes & set(NAMES) and len(classes) >= 29
    for name in penumbra.__all__:
        assert getattr(penumbra, name) is not None and name in dir(penumbra)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(name):
    function = penumbra
    for part in name.split("."):
        function = getattr(function, part)
    assert written(function) == ARGUMENTS[name]


def test_parameters_of_methods():
    for method in penumbra.methods():
        cls = getattr(penumbra, method.class_name)
        names = list(inspect.signature(cls).parameters)
        assert set(SHARED) <= set(names), method.name
        has_pairs = bool(method.traits & {"must_links", "cannot_links"})
        assert (set(OF_PAIRS) <= set(names)) == has_pairs, method.name


def test_what_a_fit_sets():
    x, y = blobs()
    names = "components_ mean_ classes_ classifier_ eigenvalues_ info_ n_components_ scale_".split()
    model = penumbra.SELF(2, beta=0.5).fit(x, y)
    assert all(hasattr(model, name) for name in names)
    z = (x - model.mean_) @ model.components_.T
    np.testing.assert_allclose(model.transform(x), z, atol=1e-10)
    scored = penumbra.FME().fit(x, y)
    assert scored.transduction_.shape == (len(x),)
    assert scored.label_distributions_.shape == (len(x), 3)
    graph = penumbra.SDA().fit(x, y)
    assert graph.graph_ is next(iter(graph.graphs_.values()))
    auto = penumbra.AutoReducer(ensemble=True).fit(x, y)
    assert auto.members_ and auto.transduction_.shape == (len(x),)
    found = auto.comparison_
    assert isinstance(found, penumbra.Comparison)
    assert found.error >= 0 and 0 < found.chance < found.best_score <= 1
    assert len(found.to_frame()) == len(found.candidates) > 3


def test_what_is_compared():
    x, y = blobs(90, 5, 20)
    given = {"effort": 0, "runs": 1}
    for estimators in (penumbra.PCA(), penumbra.PCA, "PCA", "pca", [penumbra.PCA()], ["PCA"]):
        found = penumbra.compare(x, y, estimators, **given)
        assert {c.method for c in found.candidates} >= {"PCA"}
    found = penumbra.compare(x, y, ["SELF+rbf/lda", penumbra.FDA()], n_components=[1, 2], **given)
    assert {"SELF+rbf/lda", "FDA/nearest", "columns/lda"} <= {c.name for c in found.candidates}
    assert not hasattr(found.best_estimator, "components_")
    lines = found.to_frame()
    # a line of its own dimensions, and of each asked for, which baselines do not have
    assert len(lines) == sum(1 + len(c.curve) for c in found.candidates) > len(found.candidates)
    assert "<!DOCTYPE html>" in found.to_html() and "accuracy" in repr(found)


UNLABELLED = [-1, np.nan, None]
MARKS = ["", "nan", "NA", "-1", "None", "?"]


@pytest.mark.parametrize("mark", UNLABELLED)
def test_what_means_unlabelled(mark):
    x, y = blobs()
    model = penumbra.FDA().fit(x, [mark if c < 0 else int(c) for c in y])
    assert model.classes_.tolist() == [0, 1, 2] and model.info_["labelled"] == 15


@pytest.mark.parametrize("mark", MARKS)
def test_texts_that_mean_unlabelled_in_files(mark):
    x, y = blobs()
    labels = np.array([mark if c < 0 else f"c{c}" for c in y], dtype=object)
    with pytest.raises(penumbra.Error, match="unlabelled in files.*None .*or rename the class"):
        penumbra.FDA().fit(x, labels)


def test_minus_one_beside_one_is_told():
    x, y = blobs()
    with pytest.raises(penumbra.Error, match="-1 in y means unlabelled"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        penumbra.FDA().fit(x, np.where(y == 0, 1, -1))


def test_errors(tmp_path):
    x, y = blobs()
    with pytest.raises(penumbra.Error) as refused:
        penumbra.FDA(n_components=3).fit(x, y)
    assert isinstance(refused.value, ValueError) and refused.value.code == "PEN_RANK_TOO_SMALL"
    assert "n_components" in str(refused.value)
    with pytest.raises(TypeError, match="did you mean 'prior'"):
        penumbra.SELF(class_weight="balanced")
    with pytest.raises(NotFittedError):
        penumbra.SELF().transform(x)
    with pytest.raises(FileNotFoundError):
        penumbra.load(tmp_path / "none.pen")
    with pytest.raises(OSError):
        penumbra.PCA().fit(x).save(tmp_path / "no" / "folder.pen")
    bad = x.copy()
    bad[3, 2] = np.nan
    with pytest.raises(penumbra.Error, match="row 3, column 2"):
        penumbra.PCA().fit(bad)


def test_warnings():
    x, y = blobs(120, 5, 20)
    with pytest.warns(penumbra.PenumbraWarning, match="numbers the rows"):
        penumbra.PCA().fit(np.column_stack([x, np.arange(len(x))]))
    with pytest.warns(penumbra.PenumbraWarning, match="determine"):
        penumbra.compare(np.column_stack([x, 7 * y]), y, "PCA", effort=0, runs=1)
    noise = np.random.default_rng(0).permutation(y)
    with pytest.warns(penumbra.PenumbraWarning, match="predict"):
        penumbra.AutoReducer().fit(x, noise)


def test_hints_resolve():
    """Also those of what type checkers alone import; other than of optional packages."""
    kinds = [getattr(penumbra, m.class_name) for m in penumbra.methods()]
    for kind in (*kinds, penumbra.AutoReducer, penumbra.LabelledOnly, penumbra.Statistics):
        typing.get_type_hints(kind)
        for name, method in inspect.getmembers(kind, inspect.isroutine):
            if not name.startswith("_") and str(method.__module__).startswith("penumbra."):
                typing.get_type_hints(method)
    assert "graph_" in typing.get_type_hints(penumbra.SELF)
    assert {"of", "raw"}.isdisjoint(dir(penumbra.Statistics)) and penumbra.kneighbors_graph
    assert typing.get_type_hints(penumbra.kneighbors_graph)["return"].__name__ == "csr_matrix"
