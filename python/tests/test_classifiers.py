"""Classifiers, compared with scikit-learn. test_ways_out compares them with NumPy."""

import warnings

import numpy as np
import pytest
from conftest import blobs, composed
from sklearn.base import is_classifier
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import penumbra

METHODS = {m.class_name: m for m in penumbra.methods()}


def mixed(classes=3, n=120, d=6, per_class=8, seed=1):
    """Draw classes [n x d] that no classifier separates."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    x = rng.normal(size=(n, d)) + rng.normal(size=(classes, d))[y] + rng.normal(size=d)
    return x, np.where(np.arange(n) < classes * per_class, y, -1)


def in_units(model, x, y):
    """Return the embedding of all rows as classifiers see it, centered and scaled."""
    z = model.transform(x)
    z = z - z[y >= 0].mean(axis=0)
    return z / np.sqrt((z**2).mean())


# ---- compared with scikit-learn ----

PLAIN = {"prior": "labels", "temperature": "none"}


@pytest.mark.parametrize("classes, per_class", [(2, 8), (3, 8), (12, 5), (3, 2)])
def test_lda_is_that_of_scikit_learn(classes, per_class):
    x, y = mixed(classes, d=14, per_class=per_class)
    model = penumbra.SELF(classifier="lda", **PLAIN).fit(x, y)
    z, has = model.transform(x), y >= 0
    shrinkage = model.info_["classifier_shrinkage"]
    assert 0 < shrinkage < 1
    lda = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage)
    there = lda.fit(z[has], y[has]).predict_proba(z)
    np.testing.assert_allclose(model.predict_proba(x), there, rtol=0, atol=1e-7)
    assert (model.predict(x) == there.argmax(axis=1)).all()
    assert model.classifier_ == "lda" and len(np.unique(model.predict(x))) == classes


@pytest.mark.parametrize("classes, per_class", [(2, 8), (3, 8), (12, 5), (3, 1), (2, 1)])
def test_logistic_is_that_of_scikit_learn(classes, per_class):
    x, y = mixed(classes, per_class=per_class)
    model = penumbra.PCA(classifier="logistic", **PLAIN).fit(x, y)
    u, has = in_units(model, x, y), y >= 0
    there = LogisticRegression(C=1, solver="newton-cg", tol=1e-12, max_iter=10000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class has one row
        there.fit(u[has], y[has])
    np.testing.assert_allclose(model.predict_proba(x), there.predict_proba(u), rtol=0, atol=1e-6)
    assert (model.predict(x) == there.predict(u)).mean() > 0.99


# ---- every method ----


@pytest.mark.parametrize("name", METHODS)
def test_every_method_with_labels_predicts(name):
    x, y = blobs(per_class=8)
    truth = np.array(["ant", "bee", "cow"])[np.arange(60) % 3]
    labels = np.where(y < 0, None, truth)
    model = getattr(penumbra, name)().fit(x, labels)
    predicted, shares = model.predict(x), model.predict_proba(x)
    assert model.classifier_ == ("scores" if "predicts" in METHODS[name].traits else "lda")
    assert predicted.dtype == truth.dtype  # never the mark of unlabelled rows
    assert (predicted == truth).mean() > (0.6 if name == "SOGE" else 0.9)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], predicted)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(x)), shares, atol=1e-300)
    has = y >= 0
    assert model.score(x, labels) == (predicted[has] == truth[has]).mean()
    assert model.score(x, truth) == (predicted == truth).mean()
    assert is_classifier(model)
    with np.errstate(all="raise"):
        assert np.isfinite(model.predict_log_proba(100 * x)).all()
    if "propagates" in METHODS[name].traits:
        assert model.label_distributions_.shape == (60, 3) and len(model.transduction_) == 60


@pytest.mark.parametrize("name", ["FME", "SELF", "AutoReducer"])
def test_typicality_is_even_for_known_rows_and_least_for_far_ones(name, tmp_path):
    x, y = mixed(n=400)
    known, new = x[:200], x[200:]
    model = getattr(penumbra, name)().fit(known, y[:200])
    found = model.typicality(new)
    assert 0 < found.min() and found.max() <= 1 and abs(found.mean() - 0.5) < 0.1
    np.testing.assert_array_equal(model.typicality(new[3:5]), found[3:5])
    least = model.typicality(new + 1e5)
    assert np.ptp(least) == 0 and least[0] < 0.02 and least[0] <= found.min()
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(penumbra.load(tmp_path / "model").typicality(new), found)


def test_typicality_is_refused_where_it_is_not_known():
    x, y = mixed()
    first = penumbra.PCA(n_components=4).fit(x)
    assert "without labels of at least two classes" in why_missing(first, "typicality")
    both = composed(first, penumbra.FDA(ridge=0.1).fit(first.transform(x), y))
    with pytest.raises(penumbra.Error, match="cannot tell how typical"):
        both.typicality(x)


def why_missing(model, name="predict"):
    with pytest.raises(AttributeError) as error:
        getattr(model, name)
    assert not hasattr(model, name)
    return str(error.value.__cause__)


def test_predict_is_missing_where_there_is_no_classifier():
    x, y = blobs()
    for names in ("predict", "predict_proba", "predict_log_proba", "score"):
        assert "without labels of at least two classes" in why_missing(penumbra.PCA().fit(x), names)
    one = penumbra.SELF().fit(x, np.where(y == 0, 0, -1))
    assert "without labels of at least two classes (-1: unlabelled)" in why_missing(one)
    assert not hasattr(one, "classifier_") and not is_classifier(one)
    assert "got classifier 'none'" in why_missing(penumbra.SELF(classifier="none"))
    none = penumbra.SELF(classifier="none").fit(x, y)
    assert "its model has none: fit it again with one" in why_missing(none)
    scored = penumbra.SODA(classifier="scores").fit(x, y)
    assert "scores only the rows of the fit" in why_missing(scored)
    raw = penumbra.FME(prior="none", temperature="none").fit(x, y)
    assert "got a model of raw scores" in why_missing(raw, "predict_proba")
    raw = penumbra.FME(prior="none", temperature="none")
    assert "got 'none'" in why_missing(raw, "predict_proba")
    assert hasattr(penumbra.FME(prior="none"), "predict_proba")
    with pytest.raises(penumbra.Error, match="classifier lda needs labelled rows, got none"):
        penumbra.PCA(classifier="lda").fit(x)
    model = penumbra.PCA().fit(x, y)
    assert model.classifier_ == "lda" and not hasattr(model.fit(x), "classifier_")


# ---- for scikit-learn ----


def test_what_scikit_learn_takes_for_classifiers():
    for name, method in METHODS.items():
        cls = getattr(penumbra, name)
        assert is_classifier(cls()) == ("labels" in method.traits), name
        assert not is_classifier(cls(classifier="none")), name
    assert not is_classifier(penumbra.AutoReducer())


def test_cross_validation_is_stratified_and_scores_probabilities():
    """Rows of iris are sorted by class, so unstratified folds would miss a class."""
    x, y = load_iris(return_X_y=True)
    assert cross_val_score(penumbra.LFDA(), x, y).min() > 0.9
    pipe = make_pipeline(StandardScaler(), penumbra.SDA(n_components=2))
    assert is_classifier(pipe)
    assert cross_val_score(pipe, x, y, scoring="neg_log_loss").min() > -0.3
    folds = penumbra.SemiSupervisedKFold(3)
    some = np.where(np.arange(150) % 5 == 0, y, -1)
    for reducer in (penumbra.PCA(), penumbra.WBDR()):  # classifiers after a fit
        scores = cross_val_score(reducer, x, some, cv=folds, scoring="roc_auc_ovr")
        assert scores.min() > 0.9, reducer
