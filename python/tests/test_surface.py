"""The public interface of the package: names, arguments, and type hints."""

import inspect
import typing

import pytest

import penumbra

NAMES = (
    "AutoReducer Comparison Error LabelledOnly Pairs PenumbraWarning Reducer Rows "
    "SemiSupervisedKFold Statistics compare explore kneighbors_graph labelled_scorer load methods "
    "dask plot pp"
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
    "Rows": "X",
    "LabelledOnly": "estimator",
    "SemiSupervisedKFold": "n_splits=5, *, stratified=True, random_state=0",
    "labelled_scorer": "scoring='accuracy'",
    "kneighbors_graph": "X, n_neighbors=5, *, queries=None, n_jobs=None, verbose=False",
    "compare": "X, y, estimators=None, *, n_components=None, grid=None, classifiers=None,"
    " keep_labels=None, shuffled=False, cv=None, runs=None, inductive=False, must_link=None,"
    " cannot_link=None, row_id=None, groups=None, effort=1.0, random_state=0, n_jobs=None,"
    " verbose=False",
    "explore": "X, y=None, *, show=None, must_link=None, cannot_link=None",
    "Comparison.to_frame": "",
    "Comparison.to_html": "path=None",
}

# Every method has these; other parameters belong to one method or to methods that take pairs.
SHARED = (
    "row_steps scale pca pca_scale kernel kernel_gamma kernel_degree kernel_landmarks kernel_ridge "
    "classifier prior temperature random_state n_jobs verbose"
).split()
OF_PAIRS = ["contradictions", "closure", "pair_weights", "sample_pairs"]


def written(function):
    """Return the arguments of a function, in the notation of this file."""
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
    assert set(penumbra.__all__) == {*NAMES, *classes, "__version__"} and len(NAMES) == 19
    assert not classes & set(NAMES) and len(classes) == len(penumbra.methods())
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


def test_hints_resolve():
    """Also hints with names that only type checkers import, except from optional packages."""
    kinds = [getattr(penumbra, m.class_name) for m in penumbra.methods()]
    for kind in (*kinds, penumbra.AutoReducer, penumbra.LabelledOnly, penumbra.Statistics):
        typing.get_type_hints(kind)
        for name, method in inspect.getmembers(kind, inspect.isroutine):
            if not name.startswith("_") and str(method.__module__).startswith("penumbra."):
                typing.get_type_hints(method)
    assert "graph_" in typing.get_type_hints(penumbra.SELF)
    assert {"of", "raw"}.isdisjoint(dir(penumbra.Statistics))
    assert typing.get_type_hints(penumbra.kneighbors_graph)["return"].__name__ == "csr_matrix"
