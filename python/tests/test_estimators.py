"""The classes of all methods: scikit-learn's own checks, the command's numbers, files, pickles."""

import copy
import inspect
import os
import pickle
import re
import time
import warnings
import zlib

import numpy as np
import pytest
import sklearn
from conftest import blobs, composed, fitted_by_the_command, saved
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import penumbra

METHODS = penumbra.methods()
NAMES = [m.class_name for m in METHODS]

# Checks that must fail, and why. Methods that need labels are classifiers.
MINUS_ONE = {"check_classifiers_classes": "its classes are -1 and 1; -1 means unlabelled here"}
# They also reduce rows of one class, which with unlabelled rows can be informative.
ONE_CLASS = {"check_classifiers_one_label": "a classifier needs two of them"}
# Class scores of orthogonal columns: rows and Z need one column per class.
ORTHOGONAL_SCORES = {
    **dict.fromkeys(
        "check_classifiers_classes check_classifiers_train check_estimators_fit_returns_self "
        "check_estimators_overwrite_params check_readonly_memmap_input".split(),
        "it has 2 columns for 3 classes",
    ),
    **dict.fromkeys(
        "check_dont_overwrite_parameters check_fit2d_predict1d check_methods_subset_invariance "
        "check_methods_sample_order_invariance".split(),
        "it asks for 1 dimension of 3 classes",
    ),
}
FEW_COLUMNS = dict.fromkeys(
    ("check_estimator_sparse_array", "check_estimator_sparse_matrix"),
    "4 classes of rows with 3 columns, which have no 4 orthogonal scores",
)
KERNEL_VALUES = {
    "check_positive_only_tag_during_fit": "its rows are no kernel values",
    "check_estimators_dtypes": "values of single precision, said to be of double: not definite",
    "check_estimators_nan_inf": "it transforms rows of another number of columns",
}
REDUCES_ONE_CLASS = ("SALOE", "SALWE", "SELF", "SELFILPP", "SELFMix", "SSDA")
# The class, its parameters, and the failing checks.
CHECKED = [
    *((name, {}, {**MINUS_ONE, **ONE_CLASS}) for name in REDUCES_ONE_CLASS),
    ("SOGE", {}, {**MINUS_ONE, **ORTHOGONAL_SCORES, **FEW_COLUMNS}),
    ("AutoReducer", {"effort": 1e-3}, {}),
    ("AutoReducer", {"effort": 1e-3, "ensemble": True}, MINUS_ONE),
    ("LabelledOnly", {"estimator": GaussianNB()}, MINUS_ONE),
    ("PCA", {"kernel": "rbf"}, {}),
    ("RCA", {"kernel": "rbf"}, {}),
    ("FME", {"kernel": "rbf"}, MINUS_ONE),
    ("SELF", {"kernel": "rbf", "beta": 0.5}, {**MINUS_ONE, **ONE_CLASS}),
    ("PCA", {"kernel": "precomputed"}, KERNEL_VALUES),
]
CHECKED += [
    (m.class_name, {}, MINUS_ONE if "labels" in m.traits else {})
    for m in METHODS
    if m.class_name not in (*REDUCES_ONE_CLASS, "SOGE")
]


def made(name, **parameters):
    return getattr(penumbra, name)(**parameters)


def fitted(name, **parameters):
    x, y = blobs()
    return made(name, **parameters).fit(x, y), x, y


@pytest.mark.parametrize("name, parameters, expected", CHECKED, ids=str)
def test_scikit_learn_checks(name, parameters, expected):
    """Every check passes, except the listed ones, which must fail."""
    # scikit-learn 1.6 has 10 rows, too few for 10 neighbors of each
    few = {"n_neighbors": 5} if name in ("SALOE", "SALWE") else {}
    estimator = made(name, **parameters, **few)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, expected_failed_checks=expected, on_skip=None)
    failed = {r["check_name"] for r in results if r["status"] == "xfail"}
    # the BLAS decides which kernel values are definite after rounding
    assert failed <= set(expected) if expected is KERNEL_VALUES else failed == set(expected)


def test_every_method_has_a_class_with_its_parameters():
    for method in METHODS:
        cls = getattr(penumbra, method.class_name)
        signature = inspect.signature(cls).parameters
        for param in method.params:
            if param.name == "n_components":
                assert ("n_components" in signature) == (method.dims not in ("classes", "columns"))
            else:
                assert signature[param.name].default == param.default, (method.name, param.name)
        assert method.title in cls.__doc__ and cls.__module__ == "penumbra._methods"
        assert set(signature) >= {"n_jobs", "verbose"}


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_equal_to_the_command(method, tmp_path):
    """The model has the same bytes as the one that the package's command writes."""
    x, y = blobs()
    there, _ = fitted_by_the_command(tmp_path, method.name, x=x, labels=y)
    assert saved(made(method.class_name).fit(x, y), tmp_path) == there


@pytest.mark.skipif("PENUMBRA" not in os.environ, reason="PENUMBRA names no other build")
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_equal_to_a_build_with_another_blas(method, tmp_path):
    """The command that `make` builds gives the same projection, up to rounding."""
    x, y = blobs(n=150, d=12, per_class=10)
    fitted_by_the_command(tmp_path, method.name, program=os.environ["PENUMBRA"], x=x, labels=y)
    here = made(method.class_name).fit(x, y).components_
    there = penumbra.load(tmp_path / "there").components_
    # not single rows, which equal eigenvalues leave undetermined
    here, there = here.T @ here, there.T @ there
    assert np.abs(here - there).max() < 1e-9 * np.abs(there).max()


def same_directions(found, expected):
    """Check that rows are equal up to signs and lengths."""
    a, b = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (found, expected))
    signs = np.sign((a * b).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(a * signs, b, rtol=0, atol=1e-8)


def spread_of(x, scale):
    return np.where(np.ptp(x, axis=0) > 0, x.std(axis=0), 1) if scale == "standard" else 1


@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits, load_breast_cancer])
@pytest.mark.parametrize("scale", ["none", "standard"])
def test_components_are_those_of_scikit_learn(load, scale):
    x, _ = load(return_X_y=True)
    for rows, k in (x, 3), (x[:40], 3):  # fewer rows than columns in some sets
        spread = spread_of(rows, scale)
        here = penumbra.PCA(k, scale=scale).fit(rows)
        there = PCA(k, svd_solver="full").fit(rows / spread)
        values = there.explained_variance_ * (len(rows) - 1)
        np.testing.assert_allclose(here.eigenvalues_, values, rtol=1e-8)
        same_directions(here.components_ * spread, there.components_)
    for share in (0.5, 0.9, 0.99):
        kept = PCA(share, svd_solver="full").fit(x / spread_of(x, scale)).n_components_
        assert penumbra.PCA(pca=share, scale=scale).fit(x).n_components_ == kept


@pytest.mark.parametrize(
    "load, options",
    [
        (load_iris, {}),
        (load_wine, {"scale": "standard"}),
        (load_breast_cancer, {"scale": "standard"}),
        (load_digits, {"pca": 30}),
    ],
)
def test_discriminants_are_those_of_scikit_learn(load, options):
    x, y = load(return_X_y=True)
    spread = spread_of(x, options.get("scale"))
    model = penumbra.FDA(**{"scale": "none", **options}).fit(x, y)
    steps = make_pipeline(PCA(options.get("pca", x.shape[1])), LinearDiscriminantAnalysis("eigen"))
    components, there = (step for _, step in steps.fit(x / spread, y).steps)
    same_directions(
        model.components_ * spread,
        there.scalings_.T[: model.n_components_] @ components.components_,
    )
    shares = model.eigenvalues_ / model.eigenvalues_.sum()
    np.testing.assert_allclose(shares, there.explained_variance_ratio_, rtol=1e-8)


@pytest.mark.parametrize("scale, scaler", [("standard", StandardScaler), ("minmax", MinMaxScaler)])
@pytest.mark.parametrize("n, d, k", [(60, 8, 5), (60, 8, 8), (5, 8, 4)])
def test_reconstructions_are_those_of_scaled_components(scale, scaler, n, d, k):
    x = np.random.default_rng(7).normal(size=(n, d)) * np.logspace(-3, 3, d)
    model = penumbra.PCA(n_components=k, scale=scale).fit(np.c_[x, np.full(n, 4.0)])
    other = make_pipeline(scaler(), PCA(k)).fit(x)
    back = model.inverse_transform(model.transform(np.c_[x, np.full(n, 4.0)]))
    right = other.inverse_transform(other.transform(x))
    np.testing.assert_allclose((back[:, :d] - right) / x.std(0), 0, atol=1e-11)
    assert np.all(back[:, d] == 4)


def test_a_composed_model_takes_back_as_its_parts():
    x, _ = blobs()
    x *= np.logspace(-3, 3, x.shape[1])
    first = penumbra.PCA(n_components=3, scale="standard").fit(x)
    second = penumbra.PCA(n_components=2).fit(first.transform(x[:40]))
    both = composed(first, second)
    moved = first.inverse_transform(second.mean_[None])[0]
    np.testing.assert_allclose(both.mean_ * first.scale_, moved * first.scale_, atol=1e-10)


def test_names_and_frames():
    pd = pytest.importorskip("pandas")
    x, y = blobs()
    frame = pd.DataFrame(x, columns=list("abcde"))
    model = penumbra.SELF(n_components=2).set_output(transform="pandas").fit(frame, y)
    assert list(model.transform(frame).columns) == ["self0", "self1"]
    assert list(model.get_feature_names_out()) == ["self0", "self1"]
    assert list(model.feature_names_in_) == list("abcde") and model.n_features_in_ == 5
    polars = pytest.importorskip("polars")
    out = model.set_output(transform="polars").transform(frame)
    assert isinstance(out, polars.DataFrame) and out.shape == (len(x), 2)


@pytest.mark.parametrize("name", NAMES)
def test_pickled_copied_saved(name, tmp_path):
    model, x, _ = fitted(name)
    z = model.transform(x)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.get_params() == model.get_params()
        np.testing.assert_array_equal(other.transform(x), z)
        np.testing.assert_array_equal(other.classes_, model.classes_)
    model.save(tmp_path / "model")
    for other in (penumbra.load(tmp_path / "model"), type(model).load(tmp_path / "model")):
        assert type(other) is type(model) and other.get_params() == model.get_params()
        np.testing.assert_array_equal(other.transform(x), z)
        np.testing.assert_array_equal(other.classes_, model.classes_)
        other.save(tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()
    assert not hasattr(clone(model), "components_")


def test_a_comparison_is_pickled():
    found = penumbra.compare(*blobs(), penumbra.PCA(), effort=0)
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and again.results == found.results


class OwnParameters(penumbra.FDA):
    """An estimator with a parameter of a former name, and one that it stores differently."""

    def __init__(self, n_components=None, *, tune=True):
        super().__init__(n_components=n_components)
        self.tune = tune


class OwnName(penumbra.SELF):
    def __init__(self, k=3, n_components=2):
        super().__init__(n_components=n_components)
        self.kk = k


class OwnAttribute(penumbra.SELF):
    def fit(self, X, y=None, **given):
        super().fit(X, y, **given)
        self.selection_ = 3
        return self


def test_what_users_derive_is_copied_and_pickled():
    x, y = blobs()
    made = [OwnParameters(), OwnParameters().fit(x, y), OwnName(), OwnAttribute().fit(x, y)]
    for kind in (penumbra.SELF, penumbra.AutoReducer):
        made += [kind(), kind().fit(x, y)]
        made[-1].selection_ = made[-2].selection_ = 3
    for model in made:
        for again in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
            assert type(again) is type(model) and vars(again).keys() == vars(model).keys()
    assert cross_val_score(OwnParameters(1, tune=False), x, y, cv=2, n_jobs=2).min() > 0.5


def test_loading_what_is_no_model(tmp_path):
    fitted("PCA")[0].save(tmp_path / "pca")
    with pytest.raises(penumbra.Error, match="must be a model of self, got one of pca"):
        penumbra.SELF.load(tmp_path / "pca")
    assert isinstance(penumbra._estimators.Reducer.load(tmp_path / "pca"), penumbra.PCA)
    (tmp_path / "cut").write_bytes((tmp_path / "pca").read_bytes()[:-3])
    (tmp_path / "empty").write_bytes(b"")
    for name in ("cut", "empty"):
        with pytest.raises(penumbra.Error) as error:
            penumbra.load(tmp_path / name)
        assert error.value.code == "PEN_BAD_FORMAT"
    later = (tmp_path / "pca").read_bytes().replace(b'"method":"pca"', b'"method":"pcb"')
    later = bytearray(re.sub(rb'(?<="crc32":")........', b"00000000", later))
    at = later.index(b'"crc32":"') + 9
    later[at : at + 8] = b"%08x" % zlib.crc32(later)
    (tmp_path / "later").write_bytes(later)
    with pytest.raises(penumbra.Error, match="later: unknown method 'pcb'") as error:
        penumbra.load(tmp_path / "later")
    assert error.value.code == "PEN_UNKNOWN_NAME"
    with pytest.raises(OSError):
        penumbra.load(tmp_path)


def test_non_default_parameters_come_back(tmp_path):
    x, y = blobs()
    numbers = {"alpha": 0.2, "n_neighbors": 6, "random_state": 7, "tol": 1e-3, "max_iter": 50}
    given = penumbra.SALWE(2, scale="standard", init="random", restarts=2, **numbers)
    given.fit(x, y).save(tmp_path / "model")
    assert penumbra.load(tmp_path / "model").get_params() == given.get_params()
    assert penumbra.load(tmp_path / "model").n_iter_ == given.n_iter_ >= 1


def test_random_state():
    x, y = blobs()

    def at(state):
        return penumbra.SALOE(init="random", random_state=state).fit(x, y)

    np.testing.assert_array_equal(at(None).components_, at(0).components_)
    np.testing.assert_array_equal(
        at(np.random.RandomState(3)).components_, at(np.random.RandomState(3)).components_
    )
    state = np.random.default_rng(3)
    first = at(state)
    assert first.random_state is state  # as given
    assert (first.components_ != at(state).components_).any()  # another draw


@pytest.mark.parametrize(
    "name, given, wrong",
    [("SELF", {"beta": "auto"}, 7), ("AutoReducer", {"classifier": "lda"}, "?")],
)
def test_a_failed_fit_leaves_the_previous_one(name, given, wrong):
    model, x, y = fitted(name, n_components=2, **given)
    before = model.components_
    with pytest.raises(penumbra.Error):
        model.set_params(**dict.fromkeys(given, wrong)).fit(x, y)
    with pytest.raises(penumbra.Error):
        model.fit(x[:, :3], y)  # another number of columns
    assert model.components_ is before and model.n_features_in_ == 5
    assert model.set_params(**given).transform(x).shape == (len(x), 2)


def test_in_a_pipeline():
    """make_pipeline finds a name for the step of SELF."""
    x, y = blobs()
    pipe = make_pipeline(StandardScaler(), penumbra.SELF(n_components=2))
    assert pipe.fit(x, y).transform(x).shape == (len(x), 2)
    assert pipe.set_params(self_reducer__n_components=1).fit(x, y).transform(x).shape[1] == 1
    assert repr(penumbra.SELF()) == "SELF()"
    assert pickle.loads(pickle.dumps(penumbra.SELF)) is penumbra.SELF


def test_warnings_of_the_library():
    x, y = blobs()
    x[:, 0] *= 1e14
    with pytest.warns(penumbra.PenumbraWarning, match="column 0 varies 1e.14 times more"):
        penumbra.PCA(scale="none").fit(x, y)


def test_names_that_c_cannot_hold(tmp_path):
    pd = pytest.importorskip("pandas")
    x, _ = blobs()
    frame = pd.DataFrame(x, columns=["a b", "a", "é", " ", "x" * 999])
    penumbra.PCA().fit(frame).save(tmp_path / "model")
    assert list(penumbra.load(tmp_path / "model").feature_names_in_) == list(frame.columns)
    for name in ("a\0b", "\ud800"):
        with pytest.raises(penumbra.Error, match="columns must have names of UTF-8"):
            columns = pd.Index([name, *"bcde"], dtype=object)  # pandas 3 stores text as UTF-8
            penumbra.PCA().fit(frame.set_axis(columns, axis=1))
    model = penumbra.PCA().fit(x)
    with pytest.raises((IsADirectoryError, PermissionError)):
        model.save(tmp_path)


def test_one_label_a_class_is_no_regression():
    x, _ = blobs()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        penumbra.SELF().fit(x, np.where(np.arange(60) < 20, np.arange(60), -1))


def test_links_that_a_method_does_not_learn_from():
    x, y = blobs()
    links = {"must_link": [[0, 1], [2, 3], [4, 5]], "cannot_link": [[0, 40]]}
    told = "^RCA learns nothing from cannot-links, which can only contradict must-links$"
    with pytest.warns(penumbra.PenumbraWarning, match=told):
        penumbra.RCA(n_components=1).fit(x, **links)
    with pytest.warns(penumbra.PenumbraWarning, match=told):
        penumbra.RCA(n_components=1).partial_fit(x, **links).transform(x)
    kept = penumbra.Statistics(penumbra.RCA(), x, keep=[0, 1, 2, 3, 4, 5, 40])
    with pytest.warns(penumbra.PenumbraWarning, match=told):
        kept.fit(penumbra.RCA(n_components=1), **links)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        penumbra.WBDR(n_components=1).fit(x, **links)
        penumbra.RCA(n_components=1).fit(x, y, cannot_link=[])
        penumbra.RCA(n_components=1).fit(x, **links | {"cannot_link": np.empty((0, 2), int)})


def test_columns_of_one_name():
    """scikit-learn 1.9 and later refuses such a frame; other errors are reported first."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 4)), columns=list("abab"))
    model = penumbra.PCA().fit(np.random.default_rng(1).normal(size=(6, 5)))
    with pytest.raises(ValueError, match="X has 4 features, but PCA is expecting 5"):
        model.transform(frame)
    words = frame.astype(object)
    words.iloc[2, 3] = "x"
    with pytest.raises(ValueError, match="column \"b\" must hold numbers, got 'x' in row 2"):
        penumbra.PCA().fit(words)
    if tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9):
        with pytest.raises(penumbra.Error, match='must differ, got "a" 2 times'):
            penumbra.PCA().fit(frame)


def test_many_columns_are_looked_at_once():
    names = [f"c{i}" for i in range(20000)]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.zeros((2, 20000)), columns=names)
    model = penumbra.PCA().fit(np.random.default_rng(0).normal(size=(6, 5)))
    began = time.process_time()
    with pytest.raises(ValueError, match="X has 20000 features"):
        with pytest.warns(UserWarning, match="X has feature names"):
            model.transform(frame)
    assert penumbra._rows.name_twice(frame) == ""
    assert time.process_time() - began < 10  # by pairs of names: a minute
