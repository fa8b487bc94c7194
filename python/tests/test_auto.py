"""AutoReducer: the models of the command, one projection, and ensembles."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from conftest import blobs, fitted_by_the_command, parts, saved, wines
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from test_plot_page import told

import penumbra

LITTLE = 0.0005  # effort: fractions of a second to compare all methods
FEW_ROWS = 0.02  # effort: a sample of 100 rows


def same_answers(ours, theirs, x):
    np.testing.assert_array_equal(ours.transform(x), theirs.transform(x))
    np.testing.assert_array_equal(ours.predict_proba(x), theirs.predict_proba(x))
    np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))


@pytest.fixture(scope="module")
def auto():
    x, y, _ = wines(6)
    return penumbra.AutoReducer().fit(x, y)


@pytest.fixture(scope="module")
def mean():
    """Return the mean of an ensemble."""
    x, y, _ = wines(6)
    model = penumbra.AutoReducer(ensemble=True).fit(x, y)
    assert len(model.members_) > 1
    return model


BOTH = pytest.mark.parametrize("name", ["auto", "mean"])

# ---- the command ----


@pytest.mark.parametrize(
    "step, flags, given",
    [
        (45, (), {}),
        (6, ("--ensemble",), {"ensemble": True}),
        (1, ("--dim", 4, "--classifier", "lda"), {"n_components": 4, "classifier": "lda"}),
    ],
)
def test_auto_is_the_model_of_the_command(step, flags, given, tmp_path):
    x, y, _ = wines(step)
    auto = penumbra.AutoReducer(**given).fit(x, y)
    theirs, _ = fitted_by_the_command(tmp_path, *flags, x=x, labels=y)
    assert saved(auto, tmp_path) == theirs


def test_auto_with_labels_and_pairs_is_the_model_of_the_command(tmp_path):
    """All methods are compared."""
    x, y = blobs(60, 5, per_class=8)
    links = [[30, 33], [31, 34]]
    auto = penumbra.AutoReducer(effort=LITTLE).fit(x, y, must_link=links)
    arrays = {"labels": y, "must_link": links}
    theirs, _ = fitted_by_the_command(tmp_path, "--effort", LITTLE, x=x, **arrays)
    assert saved(auto, tmp_path) == theirs
    best = auto.comparison_.results["best"].partition("/")[0].partition("+")[0]
    assert best == auto.best_estimator_.method.name and auto.picture_ is None
    assert len(auto.comparison_.candidates) > 20
    is_of_pairs = bool(auto.method.traits & {"must_links", "cannot_links"})
    assert ("must_links" in auto.info_) == is_of_pairs  # if the method learns from them
    assert "seconds" not in auto.comparison_.results  # they differ from fit to fit
    assert not hasattr(auto.fit(x, y), "best_estimator_")


@pytest.mark.parametrize("kind", ["rows", "one kind", "both kinds"])
def test_auto_without_labels_is_the_model_of_the_command(kind, tmp_path):
    x, _ = blobs()
    fit = {}
    if "kind" in kind:
        fit["must_link"] = [[0, 3], [1, 4], [2, 5]]
    if kind == "both kinds":
        fit["cannot_link"] = [[0, 4], [1, 5]]
    auto = penumbra.AutoReducer().fit(x, **fit)
    best = auto.best_estimator_
    expected = {"rows": "PCA", "one kind": "SSDR", "both kinds": "WBDR"}
    assert type(best).__name__ == auto.method.class_name == expected[kind]
    assert auto.comparison_.results["folds"] == 0 and auto.comparison_.results["reason"]
    assert saved(auto, tmp_path) == fitted_by_the_command(tmp_path, x=x, **fit)[0]
    assert not hasattr(auto, "predict") and not hasattr(auto, "predict_proba")
    again = clone(best).fit(x, **fit)  # its parameters suffice
    assert parts(again) == parts(auto)
    fewer = penumbra.AutoReducer(n_components=2).fit(x, **fit)
    best.set_params(n_components=2, allow_fewer=False).fit(x, **fit)
    assert parts(fewer) == parts(best)


def test_auto_says_that_labels_of_one_class_say_nothing(tmp_path):
    x, _ = blobs()
    y = np.where(np.arange(60) < 9, 2, -1)
    with pytest.warns(penumbra.PenumbraWarning, match='labels of one class only, "2"') as warned:
        auto = penumbra.AutoReducer().fit(x, y)
    assert [w.filename for w in warned] == [__file__]
    assert type(auto.best_estimator_).__name__ == "PCA"
    _, said = fitted_by_the_command(tmp_path, x=x, labels=np.where(y < 0, "NA", "2"))
    reason = auto.comparison_.results["reason"]
    assert reason == "labels of one class say nothing, and there are no pairs" and reason in said


# ---- the projection ----


@BOTH
def test_probabilities_of_the_rows_of_the_fit(name):
    """Labels have probability 1; the ensemble predicts rows of the sample, the model the rest."""
    x, y = blobs(400, 5, per_class=6)
    model = penumbra.AutoReducer(ensemble=name == "mean", effort=FEW_ROWS).fit(x, y)
    told = model.comparison_.results
    assert told["rows"] == 100 and told["labelled"] == 18
    found, predicted = model.label_distributions_, model.predict_proba(x)
    np.testing.assert_array_equal(found[y >= 0], np.eye(3)[y[y >= 0]])
    others = (found != predicted).any(axis=1)
    assert others.sum() <= 100 and (found.argmax(axis=1) == predicted.argmax(axis=1)).mean() > 0.9
    np.testing.assert_array_equal(model.transduction_, found.argmax(axis=1))


def test_the_members_of_an_ensemble(mean, auto):
    x, _, _ = wines(6)
    tried = mean.comparison_.results
    members = [c["name"] for c in tried["candidates"] if c["member"]]
    members.sort(key=lambda name: name != tried["best"])  # which is the first
    names = [name.partition("/")[0].partition("+")[0] for name in members]
    assert [m.method.name for m in mean.members_] == names
    assert [m.classifier_ for m in mean.members_] == [m.partition("/")[2] for m in members]
    shares = mean.predict_proba(x)
    np.testing.assert_array_equal(mean.predict(x), shares.argmax(axis=1))
    np.testing.assert_array_equal(mean.predict_proba(x[5:6]), shares[5:6])
    np.testing.assert_array_equal(mean.transform(x), auto.transform(x))
    np.testing.assert_array_equal(mean.picture_, auto.picture_)
    np.testing.assert_array_equal(mean.label_distributions_, auto.label_distributions_)
    assert all(m.classes_ is mean.classes_ for m in mean.members_)
    assert mean.classifier_ == "ensemble" and mean.method is auto.method


def test_any_number_of_dimensions():
    x, y, truth = wines(6)
    for k in (1, 13):
        auto = penumbra.AutoReducer(k).fit(x, y)
        assert auto.n_components_ == auto.transform(x).shape[1] == k
        assert auto.classifier_ == "neighbors" and auto.method.name == "auto"
        assert not hasattr(auto, "members_") and not hasattr(auto, "best_estimator_")
        assert (auto.predict(x) == truth).mean() > (0.6 if k == 1 else 0.9)


@pytest.mark.parametrize("classifier", ["neighbors", "nearest", "means", "lda", "logistic"])
def test_other_classifiers(classifier, auto, tmp_path):
    x, y, truth = wines(6)
    other = penumbra.AutoReducer(classifier=classifier).fit(x, y)
    np.testing.assert_array_equal(other.transform(x), auto.transform(x))
    assert other.classifier_ == classifier and (other.predict(x) == truth).mean() > 0.9
    size, usual = len(saved(other, tmp_path)), len(saved(auto, tmp_path))
    assert classifier not in ("lda", "means", "logistic") or size < usual


# ---- the trials ----


def test_what_was_tried(auto, tmp_path):
    """The file contains its numbers and is the same as the command's."""
    compared = auto.comparison_
    found = compared.results
    by_name = {c["name"]: c for c in found["candidates"]}
    auto.save(tmp_path / "model")
    loaded = penumbra.load(tmp_path / "model").comparison_
    assert loaded.results == found and repr(loaded) == repr(compared)
    # as any comparison
    assert isinstance(compared, penumbra.Comparison) and compared.predicts
    assert compared.best_score == found["accuracy"] and compared.error == found["error"]
    assert {c.name.lower() for c in compared.candidates} == set(by_name)
    assert compared.candidates[0].accuracy == max(c["accuracy"] for c in by_name.values())
    assert repr(compared).startswith(f"accuracy {compared.best_score:.2f} ±")
    assert repr(compared.best_estimator) == repr(penumbra.AutoReducer())
    assert not hasattr(compared.best_estimator, "components_")
    page = compared.to_html(tmp_path / "page")
    assert page == (tmp_path / "page").read_text(encoding="utf-8")
    assert told(page).items() >= found.items() and told(page)["next"] is None
    pytest.importorskip("pandas")
    assert compared.to_frame().member.sum() == found["members"]


def test_labels_that_do_not_predict_classes_are_told():
    """Random labels: the warning has the numbers of the selection."""
    x, _ = blobs(120, 5)
    y = np.where(np.arange(120) < 45, np.random.default_rng(0).integers(3, size=120), -1)
    with pytest.warns(penumbra.PenumbraWarning, match="do not predict classes here") as warned:
        auto = penumbra.AutoReducer().fit(x, y)
    found = auto.comparison_.results
    assert [w.filename for w in warned] == [__file__] and not found["predicts"]
    assert found["p_value"] > 0.05
    numbers = f"(accuracy {found['accuracy']:.2f} ± {found['error']:.2f}, guessing 0."
    assert numbers in str(warned[0].message)
    assert auto.predict(x).shape == (120,)
    with pytest.warns(penumbra.PenumbraWarning, match="do not predict classes here") as warned:
        auto = penumbra.AutoReducer(effort=LITTLE).fit(x, y, must_link=[[60, 63]])
    assert [w.filename for w in warned] == [__file__] and not auto.comparison_.predicts
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        penumbra.AutoReducer().fit(*blobs(120, 5))


def test_without_trials_it_is_said():
    x, y, truth = wines(45)
    auto = penumbra.AutoReducer().fit(x, y)
    found = auto.comparison_.results
    assert np.isnan(auto.comparison_.best_score) and auto.comparison_.candidates[0].failure == ""
    assert repr(auto.comparison_).startswith("nothing was held out: no class has three")
    assert (found["folds"], found["runs"], found["predicts"]) == (0, 0, True)
    assert [c["name"] for c in found["candidates"] if c["member"]] == ["fme+rbf/scores"]
    assert not {"accuracy", "error", "p_value"} & set(found)
    assert "no class has three" in found["reason"]
    cheap = penumbra.AutoReducer(effort=0).fit(*wines(6)[:2])
    assert cheap.comparison_.results["reason"] == "effort is 0" and cheap.score(x, truth) > 0.9
    ensemble = penumbra.AutoReducer(ensemble=True).fit(x, y)
    assert len(ensemble.members_) == 1 and ensemble.classifier_ == "ensemble"


# ---- labels, names, files ----


@pytest.mark.parametrize("unlabelled", [None, np.nan, -1])
def test_labels_of_any_type(mean, unlabelled):
    x, y, truth = wines(6)
    names = np.array(["ant", "bee", "cow"]) if unlabelled is None else np.array([2, 5, 7])
    labels = np.array([unlabelled if c < 0 else names[c] for c in y])
    model = penumbra.AutoReducer(ensemble=True).fit(x, labels)
    assert model.classes_.tolist() == names.tolist()
    np.testing.assert_array_equal(model.predict_proba(x), mean.predict_proba(x))
    np.testing.assert_array_equal(model.predict(x), names[mean.predict(x)])
    assert model.predict(x).dtype.kind == model.transduction_.dtype.kind
    assert model.members_[1].predict(x).tolist() == names[mean.members_[1].predict(x)].tolist()
    right = model.predict(x) == names[truth]
    assert model.score(x, labels) == right[y >= 0].mean()
    assert model.score(x, names[truth]) == right.mean() > 0.9


@pytest.mark.parametrize("ensemble", [False, True])
def test_frames_give_names_to_all_members(ensemble, wine_frame, tmp_path):
    frame, kind = wine_frame
    y = kind.where(np.arange(178) % 6 == 0)
    model = penumbra.AutoReducer(ensemble=ensemble).fit(frame, y)
    model.save(tmp_path / "model")
    loaded = penumbra.load(tmp_path / "model")
    for m in (model, loaded, *getattr(model, "members_", ()), *getattr(loaded, "members_", ())):
        assert m.feature_names_in_.tolist() == list(frame.columns)
        assert m.set_output(transform="pandas").transform(frame).shape[0] == 178
    assert model.transform(frame).columns[0] == "autoreducer0"
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[frame.columns[::-1]])


@BOTH
def test_files_and_pickles(name, request, tmp_path):
    model = request.getfixturevalue(name)
    x, _, _ = wines(6)
    model.save(tmp_path / "model")
    loaded = penumbra.load(tmp_path / "model")
    assert loaded.ensemble == model.ensemble and loaded.classifier_ == model.classifier_
    assert loaded.n_components == model.n_components_
    for again in (
        loaded,
        penumbra.AutoReducer.load(tmp_path / "model"),
        pickle.loads(pickle.dumps(model)),
        pickle.loads(pickle.dumps(loaded)),
    ):
        assert type(again) is penumbra.AutoReducer and again.n_features_in_ == 13
        same_answers(again, model, x)
        assert again.comparison_.results == model.comparison_.results
        np.testing.assert_array_equal(again.picture_, model.picture_)
        members = [getattr(m, "members_", ()) for m in (again, model)]
        for ours, theirs in itertools.zip_longest(*members):
            assert ours.get_params() == theirs.get_params()
            same_answers(ours, theirs, x)
        assert saved(again, tmp_path) == (tmp_path / "model").read_bytes()
    assert not hasattr(loaded, "label_distributions_")
    with pytest.raises(penumbra.Error, match="must be a model of pca, got one of AutoReducer"):
        penumbra.PCA.load(tmp_path / "model")
    found = penumbra.load(tmp_path / "model").suggest(x, n=3)
    assert found.rows.tolist() == model.suggest(x, n=3).rows.tolist()


# ---- errors ----


def test_what_needs_labels_alone():
    x, y, _ = wines(6)
    for given in ({"ensemble": True}, {"classifier": "lda"}):
        model = penumbra.AutoReducer(**given)
        with pytest.raises(penumbra.Error, match="requires y to be passed") as error:
            model.fit(x)
        assert error.value.code == "PEN_NO_LABELS"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(penumbra.Error, match="at least 2 classes") as error:
                model.fit(x, np.where(y == 0, 0, -1))
        assert error.value.code == "PEN_ONE_CLASS"
        for labels in (y, None):
            with pytest.raises(penumbra.Error, match="without pairs"):
                model.fit(x, labels, must_link=[[0, 2]], cannot_link=[[1, 3]])


# ---- in other programs ----


def test_the_seed_and_the_threads(mean):
    x, y, _ = wines(6)
    one = penumbra.AutoReducer(ensemble=True, n_jobs=1).fit(x, y)
    same_answers(one, mean, x)
    assert {m.n_jobs for m in one.members_} == {1}
    seeds = {repr(penumbra.AutoReducer(random_state=s).fit(x, y).comparison_) for s in range(3)}
    assert len(seeds) > 1


def test_auto_in_searches_and_pipelines(auto):
    x, y, truth = wines(3)
    assert is_classifier(auto) and not is_classifier(clone(auto))
    assert is_classifier(penumbra.AutoReducer(ensemble=True))
    pipe = make_pipeline(StandardScaler(), penumbra.AutoReducer(ensemble=True))
    assert is_classifier(pipe) and pipe.fit(x, y).score(x, truth) > 0.9
    folds = penumbra.SemiSupervisedKFold(3)
    scores = cross_val_score(pipe, x, y, cv=folds, scoring="neg_log_loss")
    assert scores.min() > -0.5
    grid = {"autoreducer__ensemble": [False, True]}
    search = GridSearchCV(pipe, grid, cv=folds).fit(x, y)
    assert search.best_score_ > 0.9 and search.best_estimator_.transform(x).shape[0] == 178


@BOTH
def test_auto_leaves_the_package(name, request):
    onnxruntime = pytest.importorskip("onnxruntime")
    model = request.getfixturevalue(name)
    x, _, _ = wines(6)
    graph = model.to_onnx(np.float64)
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    z, classes, shares = session.run(["Z", "class", "probabilities"], {"X": x})
    np.testing.assert_allclose(z, model.transform(x), rtol=1e-9, atol=1e-9 * np.abs(z).max())
    np.testing.assert_allclose(shares, model.predict_proba(x), rtol=0, atol=1e-6)
    np.testing.assert_array_equal(classes, model.predict(x))
    back = model.inverse_transform(model.transform(x))
    np.testing.assert_allclose(model.transform(back), z, rtol=1e-6, atol=1e-6 * np.abs(z).max())
    faiss = pytest.importorskip("faiss") and model.to_faiss()
    z = faiss.apply(x.astype(np.float32)) - faiss.apply(np.zeros((1, 13), np.float32))
    expected = model.transform(x) - model.transform(np.zeros((1, 13)))
    np.testing.assert_allclose(z, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())
