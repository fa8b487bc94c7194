"""The classes of all methods: scikit-learn's own checks, the command's numbers, files, pickles."""

import copy
import importlib
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
from conftest import blobs, composed, run_command
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import penumbra

METHODS = penumbra.methods()
NAMES = [m.class_name for m in METHODS]

# Checks that cannot hold, and why. Methods that need labels are classifiers.
MINUS_ONE = {"check_classifiers_classes": "its classes are -1 and 1; -1 means unlabelled here"}
# They reduce rows of one class, too, as one with unlabelled rows may say something.
ONE_CLASS = {"check_classifiers_one_label": "a classifier needs two of them"}
# Class scores of orthogonal columns: as many columns of the rows, and of Z, as there are classes.
ORTHOGONAL_SCORES = {
    **dict.fromkeys(
        (
            "check_classifiers_classes",
            "check_classifiers_train",
            "check_estimators_fit_returns_self",
            "check_estimators_overwrite_params",
            "check_readonly_memmap_input",
        ),
        "it has 2 columns for 3 classes",
    ),
    **dict.fromkeys(
        (
            "check_dont_overwrite_parameters",
            "check_fit2d_predict1d",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
        ),
        "it asks for 1 dimension of 3 classes",
    ),
}
FEW_COLUMNS = dict.fromkeys(
    ("check_estimator_sparse_array", "check_estimator_sparse_matrix"),
    "4 classes of rows with 3 columns, which have no 4 orthogonal scores",
)
EXPECTED = {
    **{m.class_name: MINUS_ONE for m in METHODS if "labels" in m.traits},
    **{
        name: {**MINUS_ONE, **ONE_CLASS}
        for name in ("SALOE", "SALWE", "SELF", "SELFILPP", "SELFMix", "SSDA")
    },
    "SOGE": {**MINUS_ONE, **ORTHOGONAL_SCORES, **FEW_COLUMNS},
}


def made(name, **parameters):
    return getattr(penumbra, name)(**parameters)


def fitted(name, **parameters):
    x, y = blobs()
    return made(name, **parameters).fit(x, y), x, y


@pytest.mark.parametrize("name", NAMES)
def test_scikit_learn_checks(name):
    """Every check passes; those in EXPECTED fail, or the list is out of date."""
    expected = EXPECTED.get(name, {})
    # scikit-learn 1.6 has 10 rows, too few for 10 neighbors of each
    few = {"n_neighbors": 5} if name in ("SALOE", "SALWE") else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(made(name, **few), expected_failed_checks=expected, on_skip=None)
    assert {r["check_name"] for r in results if r["status"] == "xfail"} == set(expected)


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


def test_a_parameter_that_does_not_exist():
    for wrong, meant in (("dim", "n_components"), ("n_neighbours", "n_neighbors"), ("lambda", "?")):
        with pytest.raises(TypeError, match="SELF has no parameter"):
            penumbra.SELF(**{wrong: 1})
        if meant != "?":
            with pytest.raises(TypeError, match=f"did you mean '{meant}'"):
                penumbra.SELF(**{wrong: 1})
    with pytest.raises(TypeError, match="multiple values"):
        penumbra.SELF(2, n_components=3)
    with pytest.raises(TypeError, match="its dimensions are the classes"):
        penumbra.FME(n_components=2)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"n_components": 0}, "n_components must be"),
        ({"n_components": 99}, "n_components must be at most"),
        ({"beta": 2}, "beta must be"),
        ({"beta": float("nan")}, "beta must be"),
        ({"n_neighbors": 0}, "n_neighbors must be"),
        ({"total": "all"}, "total must be"),
        ({"allow_fewer": "maybe"}, "allow_fewer"),
        ({"beta": True}, "beta"),
    ],
)
def test_a_value_out_of_range_is_named_as_here(parameters, message):
    x, y = blobs()
    with pytest.raises(penumbra.Error, match=message):
        penumbra.SELF(**parameters).fit(x, y)


def test_a_value_of_no_kind():
    x, y = blobs()
    with pytest.raises(TypeError, match="beta must be a number"):
        penumbra.SELF(beta=[0.5]).fit(x, y)
    for n_jobs in (0, 1.5, True):
        with pytest.raises(ValueError, match="n_jobs"):
            penumbra.PCA(n_jobs=n_jobs).fit(x)


def file_of_the_command(method, x, y, folder, program=None):
    """A model file that the command writes of the same rows and labels."""
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y.astype(np.int32))
    data = ["fit", method.name, folder / "x.npy", "--labels", folder / "y.npy"]
    run_command(*data, "-o", folder / "there", "--quiet", program=program)
    return folder / "there"


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_equal_to_the_command(method, tmp_path):
    """The model has the bytes of the one that the package's own command writes."""
    x, y = blobs()
    made(method.class_name).fit(x, y).save(tmp_path / "here")
    there = file_of_the_command(method, x, y, tmp_path)
    assert (tmp_path / "here").read_bytes() == there.read_bytes()


@pytest.mark.skipif("PENUMBRA" not in os.environ, reason="PENUMBRA names no other build")
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_equal_to_a_build_with_another_blas(method, tmp_path):
    """The same projection, up to rounding, by the command that `make` builds."""
    x, y = blobs(n=150, d=12, per_class=10)
    file = file_of_the_command(method, x, y, tmp_path, program=os.environ["PENUMBRA"])
    here, there = made(method.class_name).fit(x, y).components_, penumbra.load(file).components_
    # not the rows themselves: equal eigenvalues leave them open
    here, there = here.T @ here, there.T @ there
    assert np.abs(here - there).max() < 1e-9 * np.abs(there).max()


def test_embedding_is_the_affine_map():
    model, x, _ = fitted("SELF", n_components=2)
    z = model.transform(x)
    np.testing.assert_allclose(z, (x - model.mean_) @ model.components_.T, atol=1e-10)
    back = model.inverse_transform(z)
    np.testing.assert_allclose(model.transform(back), z, atol=1e-9)
    # the nearest to the mean of all rows with these embeddings, in the units of the fit
    lost = np.linalg.svd(model.components_ / model.scale_)[2][2:]
    np.testing.assert_allclose((back - model.mean_) * model.scale_ @ lost.T, 0, atol=1e-9)
    with pytest.raises(ValueError, match="Z must have 2 columns"):
        model.inverse_transform(x)
    # class scores add up to a constant: their components have one direction less
    rows, y = blobs()
    scores = penumbra.FME().fit(rows, y)
    seen = scores.components_ / scores.scale_
    nearest = np.linalg.lstsq(seen, np.eye(len(seen)), rcond=1e-8)[0].T / scores.scale_
    found = scores.inverse_transform(np.eye(len(seen))) - scores.mean_
    np.testing.assert_allclose(found, nearest, rtol=1e-6, atol=1e-9)


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
    x, y = blobs()
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


def test_labels_of_any_type():
    pd = pytest.importorskip("pandas")
    x, y = blobs()
    text = np.array(["ant", "bee", "cow"], dtype=object)[y]
    expected = penumbra.FDA().fit(x, y).components_
    some = np.where(y >= 0, text, None)
    forms = {
        "None": some,
        "NaN": np.where(y >= 0, text, np.nan),
        "NA": pd.Series([t if t is not None else pd.NA for t in some]),
        "string": pd.Series(some, dtype="string"),
        "categorical": pd.Series(pd.Categorical(some)),
        "floats": np.where(y >= 0, y, np.nan),
        "Int64": pd.Series(np.where(y >= 0, y, -1), dtype="Int64").mask(y < 0),
        "list": [None if c < 0 else f"c{c}" for c in y],
        "minus one among text": [-1 if c < 0 else f"c{c}" for c in y],
    }
    for name, labels in forms.items():
        model = penumbra.FDA().fit(x, labels)
        assert len(model.classes_) == 3, name
        np.testing.assert_array_equal(model.components_, expected, err_msg=name)
    assert list(penumbra.FDA().fit(x, some).classes_) == ["ant", "bee", "cow"]
    with pytest.raises(TypeError, match="one type, got float and str"):
        penumbra.FDA().fit(x, [1, "a"] * (len(x) // 2))
    with pytest.raises(ValueError, match="continuous"):
        penumbra.FDA().fit(x, x[:, 0])
    with pytest.raises(penumbra.Error) as error:
        penumbra.FDA().fit(x, np.full(len(x), -1))
    assert error.value.code == "PEN_NO_LABELS"
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        penumbra.FDA().fit(x, y[1:])


def test_prediction():
    x, y = blobs()
    truth = np.arange(len(x)) % 3
    for name in ("FME", "SOGE", "ASL"):
        model = made(name).fit(x, np.where(y < 0, None, np.array(list("abc"))[y]))
        predicted, shares = model.predict(x), model.predict_proba(x)
        least = 0.6 if name == "SOGE" else 0.95
        assert (predicted == np.array(list("abc"))[truth]).mean() > least
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], predicted)
        first = truth == 0
        assert model.score(x, np.where(first, "a", None)) == (predicted[first] == "a").mean()
        assert model.label_distributions_.shape == (len(x), 3)
        plain = made(name, prior="none", temperature="none").fit(x, y)
        assert not hasattr(plain, "predict_proba") and len(plain.predict(x)) == len(x)
        plain.set_params(prior="labels")  # its model has no class masses all the same
        assert not hasattr(plain, "predict_proba")
    soda = penumbra.SODA().fit(x, y)
    assert (soda.transduction_ == truth).mean() > 0.9


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


@pytest.mark.parametrize(
    ("home", "name", "now"),
    [
        ("_auto", "AutoClassifier", "AutoReducer(ensemble=True)"),
        ("_scores", "Scores", "Comparison"),
        ("_scores", "Tuning", "Comparison"),
        ("_selected", "Selection", "Comparison, of which AutoReducer.comparison_ is one"),
        ("_choice", "Candidate", "an entry of Comparison.candidates"),
        ("_weights", "PairWeights", 'pair_weights="agreement"'),
    ],
)
@pytest.mark.parametrize("load", [pickle.loads, pickle._loads], ids=["C", "Python"])
def test_a_pickle_of_a_name_that_left_says_what_it_is_now(home, name, now, load):
    kind = f"cpenumbra.{home}\n{name}\n"
    former = f"ccopy_reg\n_reconstructor\n({kind}c__builtin__\nobject\nNtR}}b."  # of protocol 0
    for made in (f"{kind})\x81}}b.", former):
        with pytest.raises(pickle.UnpicklingError) as refused:
            load(made.encode("latin-1"))
        assert str(refused.value) == (
            f"{name} was pickled by an earlier version of penumbra (it is now {now}): make it anew;"
            " penumbra.load(path) reads the models that save(path) of that version writes"
        )


GONE = object()


def blank(kind):
    return kind.__new__(kind)


class Earlier:
    """Pickled as an estimator, or a Comparison, with other attributes."""

    def __init__(self, made, **attributes):
        self.made, self.attributes = made, attributes

    def __reduce__(self):
        state = {**vars(self.made), **self.attributes}
        kept = {name: value for name, value in state.items() if value is not GONE}
        return blank, (type(self.made),), kept


def test_a_pickle_with_other_attributes_says_what_to_do():
    x, y = blobs()
    model = penumbra.SELF(beta=0.5).fit(x, y)
    found = penumbra.compare(x, y, penumbra.PCA(), effort=0)
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and again.results == found.results
    told = {
        "SELF": Earlier(model, row_steps=GONE, normalize="l2"),
        "FDA": Earlier(penumbra.FDA(), prior=GONE),
        "AutoReducer": Earlier(penumbra.AutoReducer().fit(x, y), comparison_=GONE, selection_=[]),
        "Comparison": Earlier(found, text=GONE),
    }
    for name, earlier in told.items():
        with pytest.raises(pickle.UnpicklingError, match=f"^{name} was pickled by an earlier"):
            pickle.loads(pickle.dumps(earlier))
    with_more = pickle.loads(pickle.dumps(Earlier(model, mine=1)))  # what a user has set
    assert with_more.mine == 1 and np.array_equal(with_more.transform(x), model.transform(x))


class OwnParameters(penumbra.FDA):
    """With a parameter of a name that left the package, and one that it keeps otherwise."""

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


def test_names_that_left_are_no_error_for_who_asks():
    """As the pickler does of all modules for an object that does not say its own."""
    for home in ("_auto", "_comparison", "_names"):
        module = importlib.import_module(f"penumbra.{home}")
        assert not hasattr(module, "knn") and getattr(module, "nothing", 1) == 1
        getattr(module, "Candidate", None)
    homeless = type("Candidate", (), {"__module__": None})
    assert pickle.whichmodule(homeless, "Candidate") == "__main__"


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
    with pytest.raises(OSError, match="No such file"):
        penumbra.load(tmp_path / "absent")
    with pytest.raises(OSError):
        penumbra.load(tmp_path)
    with pytest.raises(NotFittedError):
        penumbra.PCA().save(tmp_path / "x")


def test_non_default_parameters_come_back(tmp_path):
    x, y = blobs()
    given = penumbra.SALWE(
        2,
        alpha=0.2,
        n_neighbors=6,
        random_state=7,
        tol=1e-3,
        max_iter=50,
        scale="standard",
        init="random",
        restarts=2,
    )
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


def test_a_failed_fit_leaves_the_previous_one():
    model, x, y = fitted("SELF", n_components=2)
    before = model.components_
    model.set_params(beta=7)
    with pytest.raises(penumbra.Error):
        model.fit(x, y)
    with pytest.raises(penumbra.Error):
        model.fit(x[:, :3], y)  # of another number of columns
    assert model.components_ is before and model.n_features_in_ == 5
    np.testing.assert_array_equal(model.set_params(beta="auto").transform(x).shape, (len(x), 2))


def test_threads_and_batches_give_the_same_bits():
    x, y = blobs()
    one = penumbra.SODRPaC(n_jobs=1).fit(x, y)
    two = penumbra.SODRPaC(n_jobs=2).fit(x, y)
    np.testing.assert_array_equal(one.components_, two.components_)
    np.testing.assert_array_equal(one.transform(x)[3:4], one.transform(x[3:4]))


def test_in_a_pipeline():
    """The step that make_pipeline names after SELF."""
    x, y = blobs()
    pipe = make_pipeline(StandardScaler(), penumbra.SELF(n_components=2))
    assert pipe.fit(x, y).transform(x).shape == (len(x), 2)
    assert pipe.set_params(self_reducer__n_components=1).fit(x, y).transform(x).shape[1] == 1
    assert repr(penumbra.SELF()) == "SELF()"
    assert pickle.loads(pickle.dumps(penumbra.SELF)) is penumbra.SELF


def test_errors_name_the_thing():
    x, y = blobs()
    bad = x.copy()
    bad[4, 2] = np.nan
    with pytest.raises(ValueError, match="row 4.*column 2.*NaN|NaN.*row 4.*column 2"):
        penumbra.PCA().fit(bad)
    model = penumbra.PCA().fit(x)
    with pytest.raises(ValueError, match="NaN"):
        model.transform(bad)
    with pytest.raises(ValueError, match="X has 4 features, but PCA is expecting 5"):
        model.transform(x[:, :4])
    with pytest.raises(ValueError, match="requires y"):
        penumbra.FDA().fit(x)
    assert penumbra.SELF(beta=1).fit(x).n_components_ == 5  # no labels needed, none looked at


def test_warnings_of_the_library():
    x, y = blobs()
    x[:, 0] *= 1e14
    with pytest.warns(penumbra.PenumbraWarning, match="column 0 varies 1e.14 times more"):
        penumbra.PCA(scale="none").fit(x, y)


def test_names_that_c_cannot_hold(tmp_path):
    pd = pytest.importorskip("pandas")
    x, y = blobs()
    frame = pd.DataFrame(x, columns=["a b", "a", "é", " ", "x" * 999])
    penumbra.PCA().fit(frame).save(tmp_path / "model")
    assert list(penumbra.load(tmp_path / "model").feature_names_in_) == list(frame.columns)
    for name in ("a\0b", "\ud800"):
        with pytest.raises(penumbra.Error, match="columns must have names of UTF-8"):
            columns = pd.Index([name, *"bcde"], dtype=object)  # text of pandas 3 is UTF-8
            penumbra.PCA().fit(frame.set_axis(columns, axis=1))
        with pytest.raises(penumbra.Error, match="classes must have names of UTF-8"):
            penumbra.FDA().fit(x, np.where(y == 0, name, "b"))
    model = penumbra.PCA().fit(x)
    for call in (model.save, penumbra.load):
        with pytest.raises(ValueError, match="must not hold a NUL"):
            call(f"{tmp_path}/a\0b")
    assert not (tmp_path / "a").exists()
    with pytest.raises(FileNotFoundError):
        penumbra.load(tmp_path / "absent")
    with pytest.raises((IsADirectoryError, PermissionError)):
        model.save(tmp_path)


def test_labels_that_numpy_would_round():
    x, y = blobs()
    large = [None if c < 0 else 2**53 + int(c) for c in y]
    forms = {"list": large, "object": np.array(large, dtype=object)}
    for module, make in {
        "pandas": lambda m: m.Series(large, dtype="Int64"),
        "polars": lambda m: m.Series(large),
        "pyarrow": lambda m: m.array(large),
    }.items():
        try:
            forms[module] = make(__import__(module))
        except ImportError:
            continue
    for name, labels in forms.items():
        found = penumbra.FDA().fit(x, labels).classes_
        assert found.tolist() == [2**53, 2**53 + 1, 2**53 + 2], name
        assert found.dtype.kind == "i", name


def test_masked_arrays():
    x, y = blobs()
    masked = np.ma.array(np.arange(60) % 3, mask=np.arange(60) > 14)
    np.testing.assert_array_equal(
        penumbra.FDA().fit(x, masked).components_, penumbra.FDA().fit(x, y).components_
    )
    with pytest.raises(ValueError, match="X must not hold masked values, got 3"):
        penumbra.PCA().fit(np.ma.array(x, mask=np.arange(300).reshape(60, 5) < 3))
    penumbra.PCA().fit(np.ma.array(x))


def test_labels_of_no_kind():
    import decimal

    x, y = blobs()
    for label in (decimal.Decimal(1), (1, 2), frozenset()):
        labels = np.empty(60, dtype=object)
        labels[:] = [label] * 60
        with pytest.raises(TypeError, match=f"got {type(label).__name__}: make text of them"):
            penumbra.FDA().fit(x, labels)
    days = np.where(y < 0, np.datetime64("NaT"), np.datetime64("2026-01-01") + y)
    assert penumbra.FDA().fit(x, days).classes_.dtype.kind == "M"


def test_one_label_a_class_is_no_regression():
    x, _ = blobs()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        penumbra.SELF().fit(x, np.where(np.arange(60) < 20, np.arange(60), -1))


def test_no_parameter_is_meant_that_is_far():
    """Where a name says how rows are unlabelled, y is told; a near name is meant, and no other."""
    with pytest.raises(TypeError, match="'unlabelled': y is -1, NaN or None in rows") as told:
        penumbra.FME(unlabelled=0)
    assert "did you mean" not in str(told.value)
    near = {"n_neighbours": "n_neighbors", "seed": "random_state", "weights": None}
    for name, meant in near.items():
        with pytest.raises(TypeError, match=f"no parameter '{name}'") as told:
            penumbra.FME(**{name: 1})
        hint = f": did you mean {meant!r}?" if meant else ". It has "
        assert str(told.value).partition(f"'{name}'")[2].startswith(hint)


OF_FIT = "it is an argument of fit, of AutoReducer and methods that learn from pairs, such as WBDR"


def test_what_is_no_method():
    with pytest.raises(TypeError, match="and no method"):
        penumbra.Reducer()
    with pytest.raises(TypeError, match="did you mean 'n_jobs'"):
        penumbra.SELF(threads=2)
    for name, meant in {"Self": "SELF", "LDA": "FDA", "AutoReducr": "AutoReducer"}.items():
        with pytest.raises(AttributeError, match=f"'{name}': did you mean '{meant}'"):
            getattr(penumbra, name)
    with pytest.raises(AttributeError, match="no attribute 'UMAP'$"):
        penumbra.UMAP
    x, y = blobs()
    with pytest.raises(penumbra.Error, match="got 'LDA': did you mean 'FDA'"):
        penumbra.compare(x, y, ["LDA"])
    with pytest.raises(TypeError, match="methods of penumbra, such as .* got PCA.*labelled_scorer"):
        penumbra.compare(x, y, PCA())
    with pytest.raises(TypeError, match=OF_FIT):
        penumbra.SELF().fit(x, y, must_link=[[0, 1]])
    for name in ("WBDR", "RCA", "AutoReducer", "PCA", "FDA"):
        for links in ("must_link", "cannot_link"):
            with pytest.raises(TypeError, match=f"^{name} has no .*'{links}': {OF_FIT}"):
                getattr(penumbra, name)(**{links: 1})


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
    """scikit-learn 1.9 and later reads no such frame; another mistake is told before that."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 4)), columns=list("abab"))
    model = penumbra.PCA().fit(np.random.default_rng(1).normal(size=(6, 5)))
    with pytest.raises(ValueError, match="X has 4 features, but PCA is expecting 5"):
        model.transform(frame)
    with pytest.raises(ValueError, match=r"Found array with 0 sample\(s\)"):
        penumbra.PCA().fit(frame[:0])
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
    assert time.process_time() - began < 1.5


def test_an_embedding_that_float32_cannot_hold():
    x, y = blobs()
    large = (x * 1e37).astype(np.float32)
    model = penumbra.SELF(scale="none").fit(large, y)
    with pytest.raises(penumbra.Error, match="too large for float32: pass float64 rows"):
        model.transform(large)
    assert np.isfinite(model.transform(large.astype(np.float64))).all()
