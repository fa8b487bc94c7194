"""AutoReducer and AutoClassifier: the models of the command, and means of their members."""

import itertools
import math
import pathlib
import pickle
import re
import warnings

import numpy as np
import pytest
from conftest import blobs, run_command
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import penumbra

WINE = pathlib.Path(__file__).parents[2] / "examples" / "data" / "wine.csv"
LITTLE = 0.0005  # effort: fractions of a second
MINUS_ONE = {"check_classifiers_classes": "its classes are -1 and 1; -1 means unlabelled here"}


def wine(step):
    """Rows, the labels of every step-th, and the true classes."""
    x, truth = load_wine(return_X_y=True)
    return x, np.where(np.arange(178) % step == 0, truth, -1), truth


def write(path, x, y=None):
    lines = [",".join(map(repr, row)) for row in x.tolist()]
    if y is not None:
        lines = [f"{line},{label}" for line, label in zip(lines, y)]
    path.write_text("\n".join(lines) + "\n")
    return path


def command(tmp_path, x, y, *flags):
    """The bytes of the model that the command fits, and what it says."""
    rows = write(tmp_path / "x.csv", x, y)
    labels = [] if y is None else ["--label-column", "-1"]
    done = run_command("fit", rows, *labels, *flags, "-o", tmp_path / "theirs")
    return (tmp_path / "theirs").read_bytes(), done.stderr


def saved(model, tmp_path):
    model.save(tmp_path / "ours")
    return (tmp_path / "ours").read_bytes()


def in_our_names(name):
    method, rest = re.fullmatch(r"([a-z-]+)(.*)", name).groups()
    return next(m.class_name for m in penumbra.methods() if m.name == method) + rest


@pytest.fixture(scope="module")
def mean():
    """Of several members."""
    x, y, _ = wine(6)
    model = penumbra.AutoClassifier().fit(x, y)
    assert len(model.members_) > 1
    return model


# ---- AutoReducer ----


@pytest.mark.parametrize("step", [1, 6, 20, 45])
def test_auto_is_the_model_of_the_command(step, tmp_path):
    x, y, _ = wine(step)
    auto = penumbra.AutoReducer().fit(x, y)
    theirs, _ = command(tmp_path, x, y)
    assert saved(auto, tmp_path) == theirs
    assert auto.comparison_ is None and auto.reason_ == auto.selection_.reason
    best = auto.best_estimator_
    assert best.get_params() == {**auto.selection_.map.get_params()}
    assert auto.method.class_name == type(best).__name__ and auto.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(auto.transform(x), best.transform(x))
    np.testing.assert_array_equal(auto.predict_proba(x), best.predict_proba(x))
    assert auto.score(x, y) == (auto.predict(x) == y)[y >= 0].mean()
    again = clone(best).fit(x, y)  # its parameters say all
    assert saved(again, tmp_path) == theirs


def test_auto_with_labels_and_pairs_is_the_model_of_the_command(tmp_path):
    """All methods are compared."""
    x, y = blobs(60, 5, per_class=8)
    links = [[30, 33], [31, 34]]
    auto = penumbra.AutoReducer(effort=LITTLE).fit(x, y, must_link=links)
    (tmp_path / "must.csv").write_text("30,33\n31,34\n")
    flags = ("--effort", LITTLE, "--must-link", tmp_path / "must.csv")
    assert saved(auto, tmp_path) == command(tmp_path, x, y, *flags)[0]
    assert auto.selection_ is None and auto.comparison_.facts.must_links == 2
    assert auto.comparison_.recommended.method == type(auto.best_estimator_).__name__
    assert auto.reason_ == auto.comparison_.reason
    is_of_pairs = bool(auto.method.traits & {"must_links", "cannot_links"})
    assert ("must_links" in auto.info_) == is_of_pairs  # left out where it does not learn from them
    assert auto.fit(x, y).comparison_ is None


@pytest.mark.parametrize("kind", ["rows", "one kind", "both kinds"])
def test_auto_without_labels_is_the_model_of_the_command(kind, tmp_path):
    x, _ = blobs()
    flags, fit = [], {}
    if "kind" in kind:
        (tmp_path / "must.csv").write_text("0,3\n1,4\n2,5\n")
        flags, fit["must_link"] = ["--must-link", tmp_path / "must.csv"], [[0, 3], [1, 4], [2, 5]]
    if kind == "both kinds":
        (tmp_path / "cannot.csv").write_text("0,4\n1,5\n")
        flags += ["--cannot-link", tmp_path / "cannot.csv"]
        fit["cannot_link"] = [[0, 4], [1, 5]]
    auto = penumbra.AutoReducer().fit(x, **fit)
    expected = {"rows": "PCA", "one kind": "SSDR", "both kinds": "WBDR"}
    assert type(auto.best_estimator_).__name__ == expected[kind]
    assert auto.comparison_ is None and auto.selection_ is None and auto.reason_
    assert saved(auto, tmp_path) == command(tmp_path, x, None, *flags)[0]
    assert not hasattr(auto, "predict") and not hasattr(auto, "predict_proba")


def test_auto_says_that_labels_of_one_class_say_nothing(tmp_path):
    x, _ = blobs()
    y = np.where(np.arange(60) < 9, 2, -1)
    with pytest.warns(penumbra.PenumbraWarning, match='labels of one class only, "2"') as warned:
        auto = penumbra.AutoReducer().fit(x, y)
    assert [w.filename for w in warned] == [__file__]
    assert type(auto.best_estimator_).__name__ == "PCA" and auto.selection_ is None
    _, said = command(tmp_path, x, np.where(y < 0, "NA", "2"))
    assert auto.reason_ == "labels of one class say nothing, and there are no pairs: " + (
        "components with 95 % of the variance, at most 50"
    )
    assert auto.reason_ in said


@pytest.mark.parametrize("name", ["AutoReducer", "AutoClassifier"])
def test_columns_that_determine_the_labels_are_warned_of(name):
    x, y = blobs(per_class=8)
    x[:, 2] = np.where(y < 0, 7, y)
    with pytest.warns(penumbra.PenumbraWarning, match="column 2 determines the labels") as warned:
        getattr(penumbra, name)().fit(x, y)
    assert [w.filename for w in warned] == [__file__]


def test_auto_refuses_what_applies_to_pairs():
    x, y = blobs(per_class=8)
    with pytest.raises(penumbra.Error, match=r"kernels must be False for labels .* got True"):
        penumbra.AutoReducer(kernels=True).fit(x, y)
    pairs = {"must_link": [[30, 33]]}
    auto = penumbra.AutoReducer(kernels=True, effort=LITTLE).fit(x, y, **pairs)
    assert auto.comparison_ is not None


def test_auto_passes_the_checks_of_scikit_learn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(penumbra.AutoReducer(), on_skip=None)


@pytest.mark.parametrize("name", ["AutoReducer", "AutoClassifier"])
def test_auto_says_why_it_has_no_dimensions(name):
    with pytest.raises(TypeError, match="no n_components: it chooses the numbers? of dimensions"):
        getattr(penumbra, name)(n_components=2)


def test_a_fitted_auto_is_pickled_with_its_choice():
    x, y = blobs(60, 5, per_class=8)
    for fit in ({}, {"must_link": [[30, 33]]}):
        auto = penumbra.AutoReducer(effort=1e-3).fit(x, y, **fit)
        again = pickle.loads(pickle.dumps(auto))
        np.testing.assert_array_equal(again.transform(x), auto.transform(x))
        assert repr(again.comparison_) == repr(auto.comparison_)
        assert repr(again.selection_) == repr(auto.selection_)


# ---- the choice ----


@pytest.mark.parametrize("step", [6, 1])
def test_a_selection_has_the_numbers_of_the_command(step, tmp_path):
    x, y, _ = wine(step)
    found = penumbra.AutoReducer().fit(x, y).selection_
    _, said = command(tmp_path, x, y, "--answer", "classes")
    line = r"  (\S+) +accuracy (\S+), log-loss (\S+?)(  \*)?$"
    theirs = re.findall(line, said, re.MULTILINE)
    digits = 2 if step == 6 else 4
    ours = [
        (c.name, f"{c.accuracy:.{digits}f}", f"{c.log_loss:.2g}", "  *" * c.member)
        for c in found.candidates
    ]
    assert ours == [(in_our_names(name), *rest) for name, *rest in theirs]
    members = re.search(r"the mean of \d+: (.*)", said).group(1).split(", ")
    assert [c.name for c in found.members] == list(map(in_our_names, members))
    runs = f"{found.runs} run{'s' * (found.runs > 1)} of {found.folds} folds"
    assert f"{runs} of {found.labelled} labelled rows, chance {found.chance:.2f};" in said
    assert found.rows == 178 and found.labelled == (y >= 0).sum()
    assert not any(c.failure for c in found.candidates)


def test_a_selection_follows_its_rule():
    x, y, _ = wine(6)
    found = penumbra.AutoReducer().fit(x, y).selection_
    best = found.candidates[found.best]
    assert found.members[0] is best and best.score == max(c.score for c in found.candidates)
    for c in found.candidates:
        assert c.score == pytest.approx(c.accuracy - 0.001 * c.brier, abs=1e-12)
        assert c.member == (c.score >= best.score - found.margin) == (c in found.members)
        assert c.estimator.reader_temperature == c.temperature
        assert c.name.endswith("/" + c.estimator.reader)
        assert c.name.startswith(type(c.estimator).__name__)
        kernels = [k for k in ("rbf", "laplacian") if f"+{k}/" in c.name]
        assert (kernels or ["none"]) == [c.estimator.kernel]
        assert eval(c.call, vars(penumbra)).get_params() == c.estimator.get_params()
    mapped = found.candidates[found.mapped]
    assert mapped in found.members and type(found.map) is type(mapped.estimator)
    held_out = found.runs * found.labelled
    assert found.confusion.shape == (3, 3) and found.confusion.sum() == held_out
    assert found.confusion.trace() / held_out == pytest.approx(mapped.accuracy)
    np.testing.assert_array_equal(found.confusion.sum(axis=1), 2 * np.bincount(y[y >= 0]))


def test_a_selection_shows_itself():
    x, y, _ = wine(6)
    found = penumbra.AutoReducer().fit(x, y).selection_
    shown = repr(found).splitlines()
    assert len(shown) == 2 + 12 + 2 and shown[0].startswith("2 runs of ")
    for line, c in zip(shown[2:], found.candidates):
        mark = "->" if c is found.members[0] else "  "
        cells = [c.name, *"*" * c.member, f"{c.accuracy:.2f}", f"{c.log_loss:.2g}"]
        assert line[:4] == mark + "  " and line.split()[-1] == f"{c.temperature:g}"
        assert line[4:].split()[:-1] == cells
    assert shown[-1] == found.summary and f"{found.map_accuracy:.2f}, log-loss" in found.summary
    assert found.summary.startswith(repr(found.map).split("(")[0])
    frame = pytest.importorskip("pandas") and found.to_frame()
    assert frame.name.tolist() == [c.name for c in found.candidates]
    assert frame.best.tolist() == [c is found.members[0] for c in found.candidates]


def test_without_trials_the_selection_says_so():
    x, y, truth = wine(45)
    auto = penumbra.AutoReducer().fit(x, y)
    found = auto.selection_
    assert (found.folds, found.runs, found.confusion) == (0, 0, None)
    assert [c.name for c in found.members] == ["FME+rbf/scores"]
    assert all(math.isnan(c.score) for c in found.candidates) and math.isnan(found.map_accuracy)
    assert repr(found).splitlines()[0] == found.reason and "no class has three" in found.reason
    assert "nan" not in repr(found) and len(repr(found).splitlines()) == 4
    assert (auto.predict(x) == truth).mean() > 0.6
    classifier = penumbra.AutoClassifier().fit(x, y)
    np.testing.assert_array_equal(classifier.predict_proba(x), auto.predict_proba(x))


def test_candidates_that_cost_too_much_are_left_out():
    x, y, _ = wine(6)
    effort = 1e-7
    while True:  # an effort that allows some of them
        try:
            found = penumbra.AutoReducer(effort=effort).fit(x, y).selection_
            break
        except penumbra.Error as error:
            assert "every candidate was left out: a larger effort allows more" in str(error)
            effort *= 2
    left_out = [c for c in found.candidates if c.failure]
    assert 0 < len(left_out) < 12 and effort > 1e-7
    assert all(" costs " in c.failure and math.isnan(c.score) for c in left_out)
    assert left_out[0].failure in repr(found) and not any(c.member for c in left_out)
    assert f"among {12 - len(left_out)} pairs" in found.reason


# ---- AutoClassifier ----


@pytest.mark.parametrize("step", [1, 6, 20, 45])
def test_the_classifier_is_the_model_of_the_command(step, tmp_path):
    x, y, truth = wine(step)
    model = penumbra.AutoClassifier().fit(x, y)
    shares = tmp_path / "shares.csv"
    theirs, _ = command(tmp_path, x, y, "--answer", "classes", "--propagate", shares)
    assert saved(model, tmp_path) == theirs
    if step == 1:
        assert not hasattr(model, "propagated_") and not hasattr(model, "transduction_")
        return
    written = np.loadtxt(shares, delimiter=",", skiprows=1, usecols=(2, 3, 4))
    np.testing.assert_allclose(model.propagated_, written, rtol=1e-12)
    assert model.propagated_ is model.label_distributions_
    assert (model.transduction_ == truth).mean() > 0.6
    np.testing.assert_array_equal(model.transduction_, model.propagated_.argmax(axis=1))


def test_the_classifier_is_the_mean_of_its_members(mean):
    """Which are fits of the candidates that do as well as the best."""
    x, y, _ = wine(6)
    assert [type(m).__name__ for m in mean.members_] == [
        c.name.partition("/")[0].partition("+")[0] for c in mean.selection_.members
    ]
    alone = [clone(c.estimator).fit(x, y) for c in mean.selection_.members]
    for ours, fit in zip(mean.members_, alone):
        assert ours.get_params() == fit.get_params() and ours.reader_ == fit.reader_
        np.testing.assert_array_equal(ours.predict_proba(x), fit.predict_proba(x))
        np.testing.assert_array_equal(ours.transform(x), fit.transform(x))
        assert ours.classes_ is mean.classes_
    expected = np.mean([fit.predict_proba(x) for fit in alone], axis=0)
    shares = mean.predict_proba(x)
    np.testing.assert_allclose(shares, expected, rtol=0, atol=1e-14)
    assert np.abs(expected - alone[0].predict_proba(x)).max() > 1e-3
    np.testing.assert_array_equal(mean.predict(x), shares.argmax(axis=1))
    np.testing.assert_allclose(np.exp(mean.predict_log_proba(x)), shares, atol=1e-300)
    np.testing.assert_array_equal(mean.transform(x), alone[0].transform(x))
    assert mean.method is alone[0].method and not hasattr(mean, "reader_")
    np.testing.assert_array_equal(mean.predict_proba(x[5:6]), shares[5:6])


@pytest.mark.parametrize("unlabelled", [None, np.nan, -1])
def test_labels_of_any_type(mean, unlabelled):
    x, y, truth = wine(6)
    names = np.array(["ant", "bee", "cow"]) if unlabelled is None else np.array([2, 5, 7])
    labels = np.array([unlabelled if c < 0 else names[c] for c in y])
    model = penumbra.AutoClassifier().fit(x, labels)
    assert model.classes_.tolist() == names.tolist()
    np.testing.assert_array_equal(model.predict_proba(x), mean.predict_proba(x))
    np.testing.assert_array_equal(model.predict(x), names[mean.predict(x)])
    assert model.predict(x).dtype.kind == model.transduction_.dtype.kind
    assert model.members_[1].predict(x).tolist() == names[mean.members_[1].predict(x)].tolist()
    right = model.predict(x) == names[truth]
    assert model.score(x, labels) == right[y >= 0].mean()
    assert model.score(x, names[truth]) == right.mean() > 0.9
    assert names[0] in model.classes_ and {*model.predict(x)} <= {*names}


def test_frames_give_names_to_all_members(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(WINE)
    y = frame.pop("class").where(np.arange(178) % 6 == 0)
    model = penumbra.AutoClassifier().fit(frame, y)
    for m in (model, *model.members_):
        assert m.feature_names_in_.tolist() == list(frame.columns)
    assert model.members_[-1].set_output(transform="pandas").transform(frame).shape[0] == 178
    assert model.set_output(transform="pandas").transform(frame).columns[0] == "autoclassifier0"
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[frame.columns[::-1]])
    model.save(tmp_path / "model")
    loaded = penumbra.load(tmp_path / "model")
    for m in (loaded, *loaded.members_):
        assert m.feature_names_in_.tolist() == list(frame.columns)


def test_files_keep_all_members(mean, tmp_path):
    x, _, _ = wine(6)
    mean.save(tmp_path / "model")
    loaded = penumbra.load(tmp_path / "model")
    for again in (
        loaded,
        penumbra.AutoClassifier.load(tmp_path / "model"),
        pickle.loads(pickle.dumps(mean)),
        pickle.loads(pickle.dumps(loaded)),
    ):
        assert type(again) is penumbra.AutoClassifier and again.n_features_in_ == 13
        np.testing.assert_array_equal(again.predict_proba(x), mean.predict_proba(x))
        np.testing.assert_array_equal(again.predict(x), mean.predict(x))
        np.testing.assert_array_equal(again.transform(x), mean.transform(x))
        for ours, theirs in itertools.zip_longest(again.members_, mean.members_):
            assert ours.get_params() == theirs.get_params()
            np.testing.assert_array_equal(ours.predict_proba(x), theirs.predict_proba(x))
        assert saved(again, tmp_path) == (tmp_path / "model").read_bytes()
    assert loaded.selection_ is None and not hasattr(loaded, "propagated_")
    assert repr(pickle.loads(pickle.dumps(mean)).selection_) == repr(mean.selection_)
    with pytest.raises(penumbra.Error, match="must be a model of pca, got one of AutoClassifier"):
        penumbra.PCA.load(tmp_path / "model")
    found = penumbra.suggest(tmp_path / "model", x, n=3)
    assert found.rows.tolist() == mean.suggest(x, 3).rows.tolist()
    order = np.sort(mean.predict_proba(x)[found.rows], axis=1)[:, :0:-1]
    np.testing.assert_allclose(found.probabilities, order, rtol=1e-12)


def test_a_file_of_one_member_is_that_member(tmp_path):
    x, y = blobs(per_class=1)
    model = penumbra.AutoClassifier().fit(x, y)
    assert len(model.members_) == 1
    model.save(tmp_path / "model")
    loaded = penumbra.load(tmp_path / "model")
    assert type(loaded) is type(model.members_[0])
    assert loaded.get_params() == model.members_[0].get_params()
    again = penumbra.AutoClassifier.load(tmp_path / "model")
    assert type(again) is penumbra.AutoClassifier and len(again.members_) == 1
    for other in (loaded, again):
        np.testing.assert_array_equal(other.predict_proba(x), model.predict_proba(x))
    penumbra.PCA().fit(x).save(tmp_path / "model")
    with pytest.raises(penumbra.Error, match="must be a model that predicts probabilities, got"):
        penumbra.AutoClassifier.load(tmp_path / "model")
    penumbra.FME(prior="none").fit(x, y).save(tmp_path / "model")
    with pytest.raises(penumbra.Error, match="got one of fme that does not"):
        penumbra.AutoClassifier.load(tmp_path / "model")


def test_what_the_classifier_refuses():
    x, y, _ = wine(6)
    with pytest.raises(penumbra.Error, match="requires y to be passed") as error:
        penumbra.AutoClassifier().fit(x)
    assert error.value.code == "PEN_NO_LABELS"
    with pytest.raises(penumbra.Error, match="needs labelled rows, got none"):
        penumbra.AutoClassifier().fit(x, np.full(178, -1))
    with pytest.raises(penumbra.Error, match="at least 2 classes, got 1") as error:
        penumbra.AutoClassifier().fit(x, np.where(y == 0, 0, -1))
    assert error.value.code == "PEN_ONE_CLASS"
    with pytest.raises(penumbra.Error, match="effort must be a number above 0, got -1"):
        penumbra.AutoClassifier(effort=-1).fit(x, y)
    with pytest.raises(TypeError, match="has no parameter 'kernels'"):
        penumbra.AutoClassifier(kernels=True)
    model = penumbra.AutoClassifier().fit(x, y)
    before = model.predict_proba(x)
    with pytest.raises(penumbra.Error, match="effort"):
        model.set_params(effort=1e-9).fit(x, y)
    np.testing.assert_array_equal(model.predict_proba(x), before)


def test_the_seed_and_the_threads(mean):
    x, y, _ = wine(6)
    one = penumbra.AutoClassifier(n_jobs=1).fit(x, y)
    np.testing.assert_array_equal(one.predict_proba(x), mean.predict_proba(x))
    assert {m.n_jobs for m in one.members_} == {1}
    seeds = {repr(penumbra.AutoClassifier(random_state=s).fit(x, y).selection_) for s in range(3)}
    assert len(seeds) > 1


def test_the_classifier_passes_the_checks_of_scikit_learn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(
            penumbra.AutoClassifier(), expected_failed_checks=MINUS_ONE, on_skip=None
        )
    assert {r["check_name"] for r in results if r["status"] == "xfail"} == set(MINUS_ONE)


def test_the_classifier_in_searches_and_pipelines():
    x, y, truth = wine(3)
    assert is_classifier(penumbra.AutoClassifier())
    pipe = make_pipeline(StandardScaler(), penumbra.AutoClassifier())
    assert is_classifier(pipe) and pipe.fit(x, y).score(x, truth) > 0.9
    folds = penumbra.SemiSupervisedKFold(3)
    scores = cross_val_score(pipe, x, y, cv=folds, scoring="neg_log_loss")
    assert scores.min() > -0.5
    grid = {"autoclassifier__random_state": [0, 1]}
    search = GridSearchCV(pipe, grid, cv=folds).fit(x, y)
    assert search.best_score_ > 0.9 and search.best_estimator_.transform(x).shape[0] == 178


def test_the_classifier_leaves_the_package(mean, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    x, _, _ = wine(6)
    graph = mean.to_onnx(np.float64)
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    z, classes, shares = session.run(["Z", "class", "probabilities"], {"X": x})
    np.testing.assert_allclose(z, mean.transform(x), rtol=1e-9, atol=1e-9 * np.abs(z).max())
    np.testing.assert_allclose(shares, mean.predict_proba(x), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(classes, mean.predict(x))
    facts = {entry.key: entry.value for entry in graph.metadata_props}
    assert all(f'"{m.reader_}"' in facts["readers"] for m in mean.members_)


def test_cells_are_classified_by_the_mean(mean, tmp_path):
    anndata = pytest.importorskip("anndata")
    x, _, _ = wine(6)
    cells = anndata.AnnData(x)
    mean.save(tmp_path / "model")
    for model in (mean, str(tmp_path / "model")):
        penumbra.pp.transform(cells, model, key_added="auto")
        np.testing.assert_array_equal(cells.obsm["auto"], mean.transform(x))
        np.testing.assert_array_equal(cells.obsm["auto_proba"], mean.predict_proba(x))
        assert cells.obs["auto_class"].astype(int).tolist() == mean.predict(x).tolist()
