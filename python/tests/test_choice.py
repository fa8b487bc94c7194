"""compare: numbers and texts of the command, numbers of scikit-learn, and errors."""

import json
import re
import sys
import warnings

import numpy as np
import pytest
from conftest import WINE, blobs, run_command
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from test_plot_page import told

import penumbra
from penumbra import _palette

ROOT = WINE.parents[2]
LITTLE = 0.0005  # effort: fractions of a second


@pytest.fixture(scope="module")
def compared(wine_frame):
    return penumbra.compare(*wine_frame, effort=LITTLE)


def command(*arguments):
    """Return the JSON output of the command."""
    flags = ("--label-column", "class", "--json", "--quiet")
    return json.loads(run_command("compare", *arguments, *flags).stdout)


def timeless(told):
    """Drop entries that differ from call to call, or that only one of them has."""
    if isinstance(told, list):
        return [timeless(t) for t in told]
    if isinstance(told, dict):
        names = ("seconds", "penumbra", "command", "dims_asked", "picture")
        return {name: timeless(value) for name, value in told.items() if name not in names}
    return told


def named(found, name):
    return next(c for c in found.candidates if c.name == name)


# ---- the numbers ----


def test_a_comparison_has_the_numbers_of_the_command(compared):
    assert timeless(compared.results) == timeless(command(WINE, "--effort", LITTLE))
    assert {c.tried for c in compared.candidates} == {True, False}
    taken = next(c for c in compared.candidates if c.recommended)
    assert compared.best_score == taken.accuracy and compared.error == taken.error
    assert taken.error == pytest.approx(1.645 * taken.standard_error)


@pytest.mark.parametrize(
    ("given", "flags"),
    [
        ({"n_components": [1, 2, 40], "cv": 4}, ("--dims", "1,2,40", "--folds", 4)),
        ({"keep_labels": 5, "inductive": True}, ("--keep-labels", 5, "--inductive")),
        ({"keep_labels": "20%", "shuffled": True}, ("--keep-labels", "20%", "--shuffled")),
        ({"grid": {"beta": ["auto", 0.5]}}, ("--grid", "beta=auto,0.5")),
        ({"classifiers": ["means", "logistic"]}, ("--classifier", "means,logistic")),
    ],
)
def test_arguments_are_the_flags_of_the_command(wine_frame, given, flags):
    model = penumbra.SELF(ridge=0.1)
    found = penumbra.compare(*wine_frame, model, runs=1, effort=0, random_state=3, **given)
    usual = ("--ridge", 0.1, "--runs", 1, "--effort", 0, "--seed", 3)
    assert timeless(found.results) == timeless(command("self", WINE, *usual, *flags))


class Hiding(ClassifierMixin, BaseEstimator):
    """A model of all rows of x with some labels. Its inputs are row numbers."""

    def __init__(self, model, x):
        self.model = model
        self.x = x

    def fit(self, numbers, y):
        labels = np.full(len(self.x), -1)
        labels[numbers.ravel()] = y
        self.model_ = clone(self.model).fit(self.x, labels)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, numbers):
        return self.model_.predict(self.x[numbers.ravel()])


@pytest.mark.parametrize("inductive", [True, False])
@pytest.mark.parametrize("load", [load_wine, lambda **_: blobs(90, 5, per_class=30)])
def test_scores_are_those_of_scikit_learn(load, inductive):
    """cross_val_score on the same folds is equal: inductive trials fit without the rows of
    the fold, other trials with these rows but without their labels."""
    x, y = load(return_X_y=True)
    y = np.where(np.random.default_rng(5).random(len(y)) < 0.3, y, -1)
    folds = penumbra.SemiSupervisedKFold(4, random_state=7)
    kernel = {"kernel": "rbf", "kernel_landmarks": 60}
    models = {
        "SDA/lda": penumbra.SDA(n_components=2, classifier="lda"),
        "FME/scores": penumbra.FME(classifier="scores"),
        "PCA+rbf/logistic": penumbra.PCA(9, classifier="logistic", **kernel),
        "SELF/neighbors": penumbra.SELF(beta=0.5, scale="standard", classifier="neighbors"),
        "LFDA/means": penumbra.LFDA(ridge=0.1, classifier="means"),
        "RCA/nearest": penumbra.RCA(classifier="nearest"),
        "LPP/self-training": penumbra.LPP(3, classifier="self-training"),
    }
    found = penumbra.compare(x, y, models.values(), cv=folds, inductive=inductive, effort=0)
    rows = np.arange(len(x))[:, None]
    for name, model in models.items():
        shown, estimator = (x, model) if inductive else (rows, Hiding(model, x))
        theirs = cross_val_score(estimator, shown, y, cv=folds)
        np.testing.assert_allclose(named(found, name).trials, theirs, rtol=0, atol=1e-12)
        assert named(found, name).accuracy == pytest.approx(theirs.mean(), abs=1e-12)


def test_a_curve_is_that_of_fits_with_so_many_dimensions():
    x, y = blobs(90, 5, per_class=20)
    folds = penumbra.SemiSupervisedKFold(3, random_state=1)
    given = {"cv": folds, "inductive": True, "effort": 0}
    found = penumbra.compare(x, y, penumbra.PCA(classifier="lda"), n_components=[1, 3], **given)
    curve = named(found, "PCA/lda").curve_trials
    for i, dim in enumerate((1, 3)):
        model = penumbra.PCA(dim, classifier="lda")
        np.testing.assert_allclose(curve[:, i], cross_val_score(model, x, y, cv=folds))
    pytest.importorskip("pandas")
    lines = found.to_frame().query("name == 'PCA/lda'")
    assert lines["dim"].tolist() == [5, 1, 3]
    np.testing.assert_allclose(lines["accuracy"][1:], curve.mean(axis=0))


# ---- the result ----


def test_the_best_is_unfitted_and_ready(compared, wine_frame):
    best = compared.best_estimator
    taken = next(c for c in compared.candidates if c.recommended)
    assert type(best).__name__ == taken.method and best is not taken.estimator
    assert not hasattr(best, "components_")
    assert best.fit(*wine_frame).n_components_ == taken.dim
    frame = compared.to_frame()
    assert len(frame) == len(compared.candidates) and frame.recommended.sum() == 1


def test_a_comparison_shows_the_table_of_the_command(compared):
    said = run_command("compare", WINE, "--label-column", "class", "--effort", LITTLE).stdout

    def rows(text):
        return [line[:57] for line in text.splitlines() if re.match(r" [>= ] *\d+  ", line)]

    assert rows(repr(compared)) == rows(said) and len(rows(said)) > 5
    assert "to_frame()" in repr(compared) and ": --verbose" not in repr(compared)


def test_methods_that_fail_for_the_same_reason_are_named_together():
    found = penumbra.compare(*blobs(8, 5, per_class=2), ["PCA", "SALOE", "SALWE"])
    (line,) = [line for line in repr(found).splitlines() if line.startswith("failed: ")]
    assert line.startswith("failed: saloe, salwe: ")
    failed = found.candidates[-1]
    assert failed.estimator is None and np.isnan(failed.accuracy) and failed.trials.size == 0
    assert failed.failure.startswith("n_neighbors must be in [1, 7]")
    assert repr(found).count("too few labels") == 1


def test_labels_that_mean_nothing_are_told():
    x = np.random.default_rng(1).normal(size=(60, 5))
    found = penumbra.compare(x, np.arange(60) % 3, ["PCA", "FDA"], effort=0)
    assert not found.predicts and found.chance == 1 / 3
    assert repr(found).startswith("nothing: these labels do not predict classes here (")


def test_specs_of_one_method_are_told_apart():
    x, y = blobs(90, 5, per_class=10)
    models = [penumbra.SELF(beta=0.1), penumbra.SELF(beta=0.9), "SELF+rbf/lda", "all/means"]
    found = penumbra.compare(x, y, models, effort=0, runs=1)
    names = {c.name for c in found.candidates}
    assert {"SELF/lda", "SELF (2)/lda", "SELF+rbf/lda", "FME/means"} <= names
    assert named(found, "SELF (2)/lda").estimator.beta == 0.9


@pytest.mark.parametrize("one", ["PCA", "pca", penumbra.PCA, penumbra.PCA()])
def test_one_method_needs_no_list(one):
    found = penumbra.compare(*blobs(), one, runs=1, effort=0)
    assert sorted(c.name for c in found.candidates if not c.baseline) == ["PCA/lda", "PCA/nearest"]


def test_a_seed_from_a_generator_is_drawn_once():
    x, y = blobs(60, 5, per_class=8)
    given = {"runs": 1, "effort": 0}
    found = penumbra.compare(x, y, "PCA", random_state=np.random.default_rng(3), **given)
    seed = int(np.random.default_rng(3).integers(np.iinfo(np.int32).max))
    again = penumbra.compare(x, y, "PCA", random_state=seed, **given)
    assert found.results["seed"] == seed
    np.testing.assert_array_equal(found.candidates[0].trials, again.candidates[0].trials)


def test_a_frame_without_pandas_says_what_is_needed(compared, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        compared.to_frame()


# ---- the page ----


def test_the_page_has_the_results(compared, tmp_path):
    page = compared.to_html(tmp_path / "ours.html")
    assert (tmp_path / "ours.html").read_text("utf-8") == page == compared.to_html()
    theirs = command(WINE, "--effort", LITTLE, "--report", tmp_path / "theirs.html")
    shown, ours = told((tmp_path / "theirs.html").read_text("utf-8")), told(page)
    assert (shown.pop("source"), ours.pop("source")) == ("wine.csv", None)
    assert shown.pop("next").startswith("penumbra fit ")
    assert ours.pop("next") == f"penumbra.{compared.best_estimator!r}.fit(X, y)"
    assert timeless(ours) == timeless(theirs) == timeless(shown)
    assert ours["picture"] == theirs["picture"] == shown["picture"] and ours["picture"]
    assert compared._repr_html_() == page._repr_html_()


def test_names_that_are_markup_are_text():
    y = np.array(["</script><b>", "<!--\u2028&c;"])[np.arange(60) % 2].astype(object)
    x = np.random.default_rng(0).normal(size=(60, 4)) + 3 * np.eye(4)[np.arange(60) % 2]
    y[20:] = None
    inside = told(penumbra.compare(x, y, "PCA", effort=0).to_html())
    assert sorted(inside["class_names"]) == ["<!--\u2028&c;", "</script><b>"]


def test_colors_are_those_of_the_command():
    source = (ROOT / "cli" / "pictures" / "picture.c").read_text()
    colors = tuple("#" + c for c in re.findall(r"0x([0-9A-F]{6})\b", source))
    assert colors[:2] == (_palette.NO_CLASS, _palette.OUTLINE) and _palette.GRID in colors[:7]
    assert colors[7:17] == _palette.COLORS


# ---- warnings and mistakes ----


def test_a_label_among_the_columns_is_a_warning_everywhere():
    x, y = blobs(90, 5, per_class=30)
    x[:, 3] = y
    message = "column 3 determines the labels"
    with pytest.warns(penumbra.PenumbraWarning, match=message):
        found = penumbra.compare(x, y, "PCA", runs=1, effort=0)
    assert f"warning: {message}" in repr(found)
    with pytest.warns(penumbra.PenumbraWarning, match=message):
        penumbra.AutoReducer(effort=1e-6).fit(x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        penumbra.compare(x[:, :3], y, "PCA", runs=1, effort=0)


@pytest.mark.parametrize(
    "act",
    [
        lambda x, y: penumbra.compare(x, y, "PCA", runs=1, effort=0),
        lambda x, y: penumbra.FDA().fit(x, y),
        lambda x, y: penumbra.PCA().fit(x),
    ],
)
def test_a_column_that_numbers_the_rows_is_a_warning_everywhere(act):
    pandas = pytest.importorskip("pandas")
    x, y = blobs(90, 4, per_class=30)
    frame = pandas.DataFrame(x, columns=list("abcd"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        act(frame, y)
    shuffled = np.random.default_rng(0).permutation(90)
    for name, column, order in (("t", 2, np.arange(90)), ("id", 0, shuffled)):
        numbered = frame.copy()
        numbered.insert(column, name, order)
        told = f"column {name} numbers the rows"
        with pytest.warns(penumbra.PenumbraWarning, match=told) as warned:
            found = act(numbered, y)
        assert [w.filename for w in warned] == [__file__] * len(warned)
        if not hasattr(found, "transform"):
            assert f"warning: column {name} numbers the rows" in repr(found)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"cv": 1}, "cv must be a whole number >= 2, got 1"),
        ({"runs": True}, "runs must be a whole number >= 1, got True"),
        ({"effort": -1}, "effort must be a number >= 0, got -1"),
        ({"random_state": 2**64}, r"random_state must be a whole number in .*, got 18446744"),
        ({"inductive": "maybe"}, "inductive must be True or False, got 'maybe'"),
        ({"keep_labels": 0}, "a number of labels of each class, at least 1"),
        ({"n_components": 0}, "n_components must be a whole number >= 1, got 0"),
        ({"estimators": "sefl/lda"}, "among Identity, PCA, .* got 'sefl/lda': did you mean 'SELF'"),
        ({"estimators": []}, "estimators must be at least one, got none"),
        ({"estimators": "PCA/knn"}, r"classifier must be auto\|nearest\|"),
        ({"estimators": "PCA/scores"}, "classifier scores needs a method that scores classes"),
        ({"estimators": ["PCA", "PCA"]}, "pca is named twice"),
        ({"classifiers": []}, "classifiers must be names such as 'nearest' and 'lda', got "),
        ({"grid": {"beta": [2]}, "estimators": "SELF"}, r"beta must be in \[0, 1\] or auto"),
        ({"grid": {"delta": [1]}, "estimators": "SELF"}, "unknown parameter"),
    ],
)
def test_arguments_are_checked(arguments, message):
    with pytest.raises(penumbra.Error, match=message):
        penumbra.compare(*blobs(), **arguments)


@pytest.mark.parametrize("wrong", [5, penumbra.AutoReducer(), [np.zeros(3)]])
def test_estimators_are_methods(wrong):
    with pytest.raises(TypeError, match="estimators must be methods of penumbra, such as .*, got "):
        penumbra.compare(*blobs(), wrong)


@pytest.mark.parametrize(
    "call", [lambda x, y: penumbra.compare(x, y), lambda x, y: penumbra.AutoReducer().fit(x, y)]
)
def test_nan_is_named(call):
    pd = pytest.importorskip("pandas")
    x, y = blobs()
    x[5, 2] = np.nan
    said = r'^values must be finite, got NaN .* column "c"( \(n_samples=[0-9]+, n_features=5\))?$'
    with pytest.raises(penumbra.Error, match=said):
        call(pd.DataFrame(x, columns=list("abcde")), y)


def test_a_copy_has_the_place_of_its_twin():
    """In the table and in `rank`; each line has its estimator."""
    y = np.repeat([0, 1], 20)
    x = np.random.default_rng(0).normal(size=(40, 3)) + 2 * y[:, None]
    names = ["Identity", "FDA", "PCA", "LFDA"]
    kinds = ["nearest", "lda", "means"]
    found = penumbra.compare(x, y, names, classifiers=kinds, runs=1, effort=0, verbose=True)
    ranks = {c.name: c.rank for c in found.candidates}
    copies = [c for c in found.candidates if c.same_as]
    assert len(copies) >= 2 and all(c.rank == ranks[c.same_as] for c in copies)
    different = [c.rank for c in found.candidates if not c.same_as]
    assert different == list(range(1, len(different) + 1))
    lines = [re.match(r" [>= ] +(\d+)  \S+ +(\S+) +\d", line) for line in found.text.splitlines()]
    printed = [(int(line[1]), line[2]) for line in lines if line]
    assert printed == [(c.rank, c.classifier) for c in found.candidates]
    assert [c.estimator.classifier for c in found.candidates] == [p[1] for p in printed]
