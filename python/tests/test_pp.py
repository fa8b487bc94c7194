"""Cells in an AnnData: the entries that penumbra.pp reads and writes."""

import inspect
import pickle
import warnings

import numpy as np
import penumbra
import pytest

anndata = pytest.importorskip("anndata")
pandas = pytest.importorskip("pandas")
sparse = pytest.importorskip("scipy.sparse")

METHODS = {m.name.replace("-", "_"): m for m in penumbra.methods()}
KINDS = np.array(["b cell", "monocyte", "t cell"])


def cells(n=60, d=5, dtype=np.float64, names="gene"):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    x = (rng.normal(size=(n, d)) + 4 * np.eye(d)[y]).astype(dtype)
    adata = anndata.AnnData(x)
    adata.obs_names = [f"cell{i}" for i in range(n)]
    adata.var_names = [f"{names}{i}" for i in range(d)]
    known = np.arange(n) < 15
    adata.obs["kind"] = pandas.Categorical(np.where(known, KINDS[y], None), categories=KINDS)
    adata.obs["text"] = np.where(known, KINDS[y], "Unknown")
    adata.obs["number"] = np.where(known, y, -1)
    adata.obs["float"] = np.where(known, y, np.nan)
    return adata


def estimator(name):
    return getattr(penumbra, METHODS[name].class_name)


def known(adata):
    return np.array([None if k != k else k for k in adata.obs["kind"]], dtype=object)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_writes_what_its_estimator_finds(name):
    adata = cells()
    function = getattr(penumbra.pp, name)
    assert function(adata, labels="kind") is None
    model = estimator(name)().fit(adata.X, known(adata))
    key = f"X_{name}"
    assert np.array_equal(adata.obsm[key], model.transform(adata.X))
    assert np.array_equal(adata.varm[key], model.components_.T * model.deviation_[:, None])
    stored = adata.uns[key]
    assert np.array_equal(stored["mean"], model.mean_)
    assert np.array_equal(stored["projection"], model.components_.T)
    assert ("eigenvalues" in stored) == hasattr(model, "eigenvalues_")
    assert stored["classes"].tolist() == KINDS.tolist()
    assert stored["method"] == METHODS[name].name
    assert stored["version"] == penumbra.__version__
    assert stored["params"]["labels"] == "kind" and stored["params"]["use_rep"] == "X"
    assert stored["classifier"] == model.classifier_
    scored = "propagates" in METHODS[name].traits  # in the fit, also by unlabelled rows
    classes = model.transduction_ if scored else model.predict(adata.X)
    shares = model.label_distributions_ if scored else model.predict_proba(adata.X)
    assert adata.obs[f"{key}_class"].dtype == "category"
    assert adata.obs[f"{key}_class"].tolist() == classes.tolist()
    assert np.array_equal(adata.obsm[f"{key}_proba"], shares)


def test_classes_by_a_classifier_that_is_named():
    adata = cells()
    penumbra.pp.fme(adata, labels="kind", classifier="nearest", key_added="map")
    model = penumbra.FME(classifier="nearest").fit(adata.X, known(adata))
    assert adata.obs["map_class"].tolist() == model.predict(adata.X).tolist()
    assert np.array_equal(adata.obsm["map_proba"], model.predict_proba(adata.X))
    assert adata.uns["map"]["classifier"] == "nearest"
    penumbra.pp.fme(adata, labels="kind", classifier="none", key_added="map")
    assert "map_class" not in adata.obs and "classifier" not in adata.uns["map"]
    penumbra.pp.fme(adata, labels="kind", prior="none", temperature=2, key_added="map")
    assert np.allclose(adata.obsm["map_proba"].sum(axis=1), 1)


@pytest.mark.parametrize("name", METHODS)
def test_help_says_what_there_is(name):
    function = getattr(penumbra.pp, name)
    assert function.__name__ == name and name in dir(penumbra.pp)
    assert pickle.loads(pickle.dumps(function)) is function
    known = inspect.signature(function).parameters
    own = inspect.signature(estimator(name)).parameters
    assert set(own) < set(known) and "key_added" in known
    documented = inspect.getdoc(function)
    assert all(
        f"\n{p} :" in documented or f"\n{p}, " in documented or f", {p} :" in documented
        for p in known
    ), documented
    assert "\n>>> " in documented  # run with the doctests of modules
    needs = known["labels"].default is inspect.Parameter.empty
    assert needs == ("labels" in METHODS[name].traits)
    if needs:
        with pytest.raises(TypeError, match="labels"):
            function(cells())


@pytest.mark.parametrize(
    "name, given",
    [("self", {}), ("fme", {}), ("pca", {}), ("fme", {"kernel": "rbf", "kernel_landmarks": 25})],
)
def test_files_keep_everything(name, given, tmp_path):
    adata = cells()
    getattr(penumbra.pp, name)(adata, labels="kind", key_added="map", **given)
    if given:
        model = penumbra.FME(**given).fit(adata.X, known(adata))
        names = [f"cell{i}" for i in model.landmark_indices_]
        assert adata.uns["map"]["landmarks"].tolist() == names
        assert np.array_equal(adata.obsm["map"], model.transform(adata.X))
    adata.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    assert np.array_equal(again.obsm["map"], adata.obsm["map"])
    assert given or np.array_equal(again.varm["map"], adata.varm["map"])
    before, after = adata.uns["map"], again.uns["map"]
    assert set(before) == set(after) and before["params"] == after["params"]
    for entry, value in before.items():
        if entry != "params":
            assert np.array_equal(value, after[entry]), entry
    if name == "fme":
        assert again.obs["map_class"].tolist() == adata.obs["map_class"].tolist()
    new = cells()
    new.uns = again.uns
    penumbra.pp.transform(new, "map")
    assert np.array_equal(new.obsm["map"], adata.obsm["map"])


@pytest.mark.parametrize(
    "column, unlabelled",
    [("kind", ()), ("text", "Unknown"), ("two", ["Unknown", "?"]), ("number", ()), ("float", ())],
)
def test_labels_may_be_of_any_kind(column, unlabelled):
    adata = cells()
    if column == "two":
        adata.obs["two"] = adata.obs["text"].astype(object)
        adata.obs.loc["cell59", "two"] = "?"
    penumbra.pp.self(adata, labels=column, unlabelled=unlabelled, beta=0.3)
    model = penumbra.SELF(beta=0.3).fit(adata.X, adata.obs["number"])
    assert np.array_equal(adata.obsm["X_self"], model.transform(adata.X))
    assert list(adata.obs.columns[:4]) == list(cells().obs.columns)
    classes = model.predict(adata.X)
    of_cells = adata.obs["X_self_class"]
    given = model.classes_ if column in ("number", "float") else KINDS
    assert of_cells.tolist() == given[classes].tolist()


def test_labels_that_are_not_there():
    with pytest.raises(penumbra.Error, match=r"labels must be a key of adata.obs \(kind, text"):
        penumbra.pp.self(cells(), labels="type")
    with pytest.raises(TypeError, match="no parameter 'betta': did you mean 'beta'"):
        penumbra.pp.self(cells(), labels="kind", betta=0.3)
    with pytest.raises(TypeError, match="no parameter 'must_link'"):
        penumbra.pp.self(cells(), labels="kind", must_link=[["cell0", "cell3"]])


@pytest.mark.parametrize("as_categories", [False, True])
def test_values_that_mean_unlabelled_must_be_there(as_categories):
    """Otherwise unlabelled cells would silently become a class."""
    adata = cells()
    if as_categories:
        adata.obs["text"] = adata.obs["text"].astype("category")
    listed = r"adata.obs\['text'\] \(.*b cell.*\)"
    with pytest.raises(penumbra.Error, match=rf"{listed}, got 'unknown': did you mean 'Unknown'"):
        penumbra.pp.fme(adata, labels="text", unlabelled="unknown")
    with pytest.raises(penumbra.Error, match=rf"{listed}, got 'xyz'$"):
        penumbra.pp.fme(adata, labels="text", unlabelled=["Unknown", "xyz"])
    adata.obs["name"] = ["fda", "b"] * (len(adata) // 2)  # names of methods are not values
    with pytest.raises(penumbra.Error, match="got 'LinearDiscriminantAnalysis'$"):
        penumbra.pp.fme(adata, labels="name", unlabelled="LinearDiscriminantAnalysis")
    with pytest.raises(penumbra.Error, match=r"\(0, 1, 2, -1\), got '-1': did you mean -1"):
        penumbra.pp.fme(adata, labels="number", unlabelled="-1")
    penumbra.pp.fme(adata, labels="text", unlabelled="Unknown")
    assert adata.uns["X_fme"]["classes"].tolist() == KINDS.tolist()


@pytest.mark.parametrize("unlabelled", [(), "Unknown"])
def test_categories_that_no_cell_has_are_no_classes_and_may_mean_unlabelled(unlabelled):
    """A batch whose cells are all labelled is read in the same way."""
    adata = cells()
    adata.obs["kind"] = adata.obs["kind"].cat.add_categories(["Unknown"])
    penumbra.pp.fme(adata, labels="kind", unlabelled=unlabelled)
    assert adata.uns["X_fme"]["classes"].tolist() == KINDS.tolist()


def test_what_is_no_anndata_is_refused():
    frame = pandas.DataFrame(cells().X)
    with pytest.raises(TypeError, match=r"self\(\) needs an AnnData, got DataFrame"):
        penumbra.pp.self(frame, "a")
    with pytest.raises(TypeError, match=r"transform\(\) needs an AnnData, got ndarray"):
        penumbra.pp.transform(frame.to_numpy(), "X_self")


# ---- location of the rows ----


def with_pca(adata, k=3):
    x = adata.X - adata.X.mean(axis=0)
    _, _, v = np.linalg.svd(x, full_matrices=False)
    adata.varm["PCs"] = np.ascontiguousarray(v[:k].T)
    adata.obsm["X_pca"] = np.asfortranarray((x @ v[:k].T).astype(np.float32))
    return adata


def test_loadings_of_principal_components_are_those_of_genes():
    adata = with_pca(cells())
    penumbra.pp.self(adata, labels="kind", use_rep="X_pca", key_added="self")
    model = penumbra.SELF().fit(np.ascontiguousarray(adata.obsm["X_pca"]), known(adata))
    z = adata.obsm["self"]
    assert z.dtype == np.float32
    assert np.array_equal(z, model.transform(adata.obsm["X_pca"]))
    x = adata.X - adata.X.mean(axis=0)
    mean = model.mean_ @ model.components_.T
    assert np.allclose(x @ adata.varm["self"] - mean, z, atol=1e-5 * np.abs(z).max())


def test_no_loadings_where_they_are_not_known():
    adata = with_pca(cells())
    penumbra.pp.self(adata, labels="kind", key_added="self")
    assert "self" in adata.varm
    adata.varm["PCs"] = adata.varm["PCs"][:, :2]
    penumbra.pp.self(adata, labels="kind", use_rep="X_pca", key_added="self")
    assert "self" not in adata.varm


def test_representation_by_default():
    adata = with_pca(cells())
    penumbra.pp.pca(adata, key_added="z")
    assert adata.uns["z"]["params"]["use_rep"] == "X"
    adata = with_pca(cells(d=51))
    penumbra.pp.pca(adata, key_added="z")
    assert adata.uns["z"]["params"]["use_rep"] == "X_pca"
    adata.layers["counts"] = adata.X
    penumbra.pp.pca(adata, key_added="z", layer="counts")
    assert adata.uns["z"]["params"]["layer"] == "counts"
    with pytest.raises(penumbra.Error, match="use_rep must be None or 'X' if layer is given"):
        penumbra.pp.pca(adata, layer="counts", use_rep="X_pca")
    with pytest.raises(penumbra.Error, match=r"use_rep must be a key of adata.obsm \(X_pca, z"):
        penumbra.pp.pca(adata, use_rep="X_umap")
    with pytest.raises(penumbra.Error, match=r"layer must be a key of adata.layers \(counts"):
        penumbra.pp.pca(adata, layer="scaled")


SPARSE = ("csr_matrix", "csc_matrix", "csr_array", "csc_array")


def counts(n=60, d=40):
    """Draw cells with many zeros, as in gene counts."""
    adata = cells(n, d)
    adata.X = np.where(adata.X > 0.8, adata.X, 0)
    return adata


def in_form(adata, form):
    other = adata.copy()
    other.X = getattr(sparse, form)(adata.X)
    return other


def same_up_to_rounding(found, expected):
    """Check that embeddings agree up to rounding; the library fixes the signs."""
    assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max()


@pytest.fixture
def never_dense(monkeypatch):
    def refuse(self, *_, **__):
        raise AssertionError("sparse rows were made dense")

    for kind in {type(getattr(sparse, form)(np.eye(2))) for form in SPARSE}:
        monkeypatch.setattr(kind, "toarray", refuse)
        monkeypatch.setattr(kind, "todense", refuse)


@pytest.mark.parametrize("name", ["self", "fme"])
@pytest.mark.parametrize("form", SPARSE)
def test_sparse_cells_are_as_dense_ones(name, form, never_dense):
    dense = counts()
    adata = in_form(dense, form)
    options = {"n_components": 2} if name == "self" else {}
    for each in dense, adata:
        getattr(penumbra.pp, name)(each, labels="kind", key_added="map", **options)
    same_up_to_rounding(adata.obsm["map"], dense.obsm["map"])
    same_up_to_rounding(adata.varm["map"], dense.varm["map"])
    assert adata.obs["map_class"].tolist() == dense.obs["map_class"].tolist()
    assert adata.uns["map"]["params"] == dense.uns["map"]["params"]
    stored = penumbra.pp._model(adata, "map")[0]
    assert stored.feature_names_in_.tolist() == adata.var_names.tolist()


def test_sparse_layers_and_representations():
    dense, adata = counts(), counts()
    dense.layers["scaled"] = dense.X * np.arange(1, 41)
    adata.layers["scaled"] = sparse.csc_matrix(dense.layers["scaled"])
    adata.obsm["tfidf"] = sparse.csr_matrix(dense.X / 2)
    dense.obsm["tfidf"] = dense.X / 2
    for options in {"layer": "scaled"}, {"use_rep": "tfidf"}:
        for each in dense, adata:
            penumbra.pp.self(each, labels="kind", key_added="map", n_components=2, **options)
            penumbra.pp.transform(each, "map", key_added="again")
        rows = dense.layers["scaled"] if "layer" in options else dense.obsm["tfidf"]
        expected = penumbra.SELF(n_components=2).fit(rows, known(dense))
        assert np.array_equal(dense.obsm["map"], expected.transform(rows))
        same_up_to_rounding(adata.obsm["map"], dense.obsm["map"])
        assert np.array_equal(adata.obsm["again"], adata.obsm["map"])


def test_variables_of_sparse_cells_are_found_by_name():
    adata = in_form(counts(), "csr_matrix")
    penumbra.pp.self(adata, labels="kind")
    turned = adata[:, ::-1].copy()
    dense = counts()[:, ::-1].copy()
    for new in turned, dense:
        penumbra.pp.transform(new, adata.uns["X_self"])
        same_up_to_rounding(new.obsm["X_self"], adata.obsm["X_self"])
    model = penumbra.pp._model(adata, "X_self")[0]
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(penumbra._rows.Named(turned.X, turned.var_names))


@pytest.mark.parametrize("make", [cells, lambda: in_form(counts(), "csr_matrix")])
def test_cells_in_a_file(tmp_path, make):
    adata = make()
    adata.write_h5ad(tmp_path / "cells.h5ad")
    penumbra.pp.self(adata, labels="kind")
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    penumbra.pp.self(backed, labels="kind")
    penumbra.pp.transform(backed, "X_self", key_added="again")
    assert np.array_equal(backed.obsm["X_self"], adata.obsm["X_self"])
    assert np.array_equal(backed.obsm["again"], adata.obsm["X_self"])
    backed.file.close()


@pytest.mark.parametrize("form", [None, "csc_matrix"])
def test_values_that_are_not_finite(form):
    adata = cells()
    adata.X[7, 2] = np.nan
    with pytest.raises(penumbra.Error, match='row 7, column 2 .*: column "gene2"'):
        penumbra.pp.self(in_form(adata, form) if form else adata, labels="kind")


def test_views_and_copies():
    adata = cells()
    view = adata[::-1]
    other = penumbra.pp.self(view, labels="kind", copy=True)
    assert "X_self" not in view.obsm and "X_self" not in adata.obsm
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # anndata: a view becomes actual
        penumbra.pp.self(view, labels="kind")
    assert np.array_equal(view.obsm["X_self"], other.obsm["X_self"])
    assert "X_self" not in adata.obsm and "X_self" not in adata.uns
    before = cells()
    assert adata.obs.equals(before.obs) and np.array_equal(adata.X, before.X)


def test_a_second_fit_leaves_nothing_of_the_first():
    adata = cells()
    penumbra.pp.fme(adata, labels="kind", key_added="map")
    penumbra.pp.lpp(adata, key_added="map")
    assert "map_class" not in adata.obs and "map_proba" not in adata.obsm
    penumbra.pp.fme(adata, labels="kind", key_added="map", prior="none", temperature="none")
    assert "map_class" in adata.obs and "map_proba" not in adata.obsm


# ---- pairs ----


def test_pairs_of_cells():
    adata = cells()
    must, cannot = [[0, 3], [1, 4], [2, 5]], [[0, 1], [1, 2], [3, 5]]
    expected = penumbra.WBDR().fit(adata.X, must_link=must, cannot_link=cannot).transform(adata.X)

    def names(pairs):
        return [[f"cell{i}", f"cell{j}"] for i, j in pairs]

    penumbra.pp.wbdr(
        adata, must_link=[*names(must), ["cell0", "elsewhere"]], cannot_link=names(cannot)
    )
    assert np.array_equal(adata.obsm["X_wbdr"], expected)
    for key, pairs in (("same", must), ("different", cannot)):
        i, j = np.transpose(pairs)
        matrix = sparse.coo_matrix((np.ones(3), (i, j)), shape=(60, 60))
        adata.obsp[key] = (matrix + matrix.T + sparse.eye(60)).tocsr()
    penumbra.pp.wbdr(adata, must_link="same", cannot_link="different", key_added="matrix")
    assert np.array_equal(adata.obsm["matrix"], expected)
    with pytest.raises(penumbra.Error, match=r"must_link must be a key of adata.obsp \(same"):
        penumbra.pp.wbdr(adata, must_link="pairs")


def test_as_many_pairs_as_cells():
    adata = cells(n=6)
    pairs = [["cell0", "cell3"], ["cell1", "cell4"], ["cell2", "cell5"]] * 2
    penumbra.pp.rca(adata, must_link=pairs)
    assert "X_rca" in adata.obsm


def test_groups_of_cells():
    adata = cells()
    adata.obs["donor"] = pandas.Categorical(np.where(np.arange(60) < 20, np.arange(60) % 5, None))
    penumbra.pp.rca(adata, must_link="donor")
    donors = np.where(np.arange(60) < 20, np.arange(60) % 5, -1)
    expected = penumbra.RCA().fit(adata.X, must_link=donors).transform(adata.X)
    assert np.array_equal(adata.obsm["X_rca"], expected)


# ---- new cells ----


def test_new_cells_by_every_way_to_name_the_model(tmp_path):
    adata = cells()
    penumbra.pp.fme(adata, labels="kind")
    new = cells(n=9)
    model = penumbra.FME().fit(pandas.DataFrame(adata.X, columns=adata.var_names), known(adata))
    model.save(tmp_path / "model")
    for given in (adata.uns["X_fme"], model, tmp_path / "model", str(tmp_path / "model")):
        other = penumbra.pp.transform(new, given, copy=True, n_jobs=1)
        assert np.array_equal(other.obsm["X_fme"], adata.obsm["X_fme"][:9])
        frame = pandas.DataFrame(new.X, columns=new.var_names)
        assert other.obs["X_fme_class"].tolist() == model.predict(frame).tolist()
        assert np.array_equal(other.obsm["X_fme_proba"], model.predict_proba(frame))
    with pytest.raises(penumbra.Error, match="model must be a key of adata.uns.*got 'X_self'"):
        penumbra.pp.transform(new, "X_self")
    with pytest.raises(penumbra.Error, match="model must be a key of the uns entry"):
        penumbra.pp.transform(new, {"params": {}})


def test_variables_are_found_by_name():
    adata = cells()
    penumbra.pp.self(adata, labels="kind")
    more = anndata.concat([adata, cells(names="other")], axis=1)[:, ::-1].copy()
    penumbra.pp.transform(more, adata.uns["X_self"])
    assert np.array_equal(more.obsm["X_self"], adata.obsm["X_self"])
    with pytest.raises(penumbra.Error, match="5 variables of the model, got none for 2, such as"):
        penumbra.pp.transform(adata[:, :3].copy(), adata.uns["X_self"])
