"""Splitter, scorer and LabelledOnly: unlabelled rows are for training only, never scored."""

import warnings

import numpy as np
import pytest
from conftest import blobs
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import penumbra
from penumbra import LabelledOnly, SemiSupervisedKFold, labelled_scorer


def overlapping(n=90, per_class=12):
    """Draw three classes that no method separates, so scores differ."""
    x, y = blobs(n, 6, per_class, seed=3)
    return x + np.random.default_rng(4).normal(scale=2, size=x.shape), y


def pipeline(classifier=None, reducer=None):
    return Pipeline(
        [
            ("scale", StandardScaler()),
            ("reduce", reducer or penumbra.SELF(beta=0.5)),
            ("classify", classifier or LabelledOnly(KNeighborsClassifier(1))),
        ]
    )


# ---- the splitter ----


@pytest.mark.parametrize("marker", [-1, np.nan, None, "text"])
def test_test_folds_hold_labelled_rows_and_training_all_others(marker):
    x, y = overlapping()
    if marker == "text":
        labels = np.array([None if c < 0 else f"c{c}" for c in y], dtype=object)
    elif marker is None:
        labels = [None if c < 0 else c for c in y]
    else:
        labels = np.where(y < 0, marker, y)
    splits = list(SemiSupervisedKFold(4).split(x, labels))
    assert len(splits) == SemiSupervisedKFold(4).get_n_splits() == 4
    tested = np.concatenate([test for _, test in splits])
    assert sorted(tested) == np.nonzero(y >= 0)[0].tolist()
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(90))
        assert np.bincount(y[test]).tolist() == [3, 3, 3]


def test_folds_depend_on_the_seed_and_may_be_plain():
    x, y = overlapping()

    def folds(**arguments):
        return [test.tolist() for _, test in SemiSupervisedKFold(**arguments).split(x, y)]

    assert folds() == folds() != folds(random_state=1)
    sizes = [np.bincount(y[test], minlength=3) for test in folds(stratified=False)]
    assert max(map(np.ptp, sizes)) > 1


# ---- the scorer ----


def test_unlabelled_rows_are_left_out_of_any_score_whatever_the_splitter():
    x, y = overlapping()
    shuffled = KFold(3, shuffle=True, random_state=0)
    found = cross_val_score(pipeline(), x, y, cv=shuffled, scoring=labelled_scorer())
    by_hand = []
    for train, test in shuffled.split(x):
        model = pipeline().fit(x[train], y[train])
        test = test[y[test] >= 0]
        by_hand.append(accuracy_score(y[test], model.predict(x[test])))
    assert found.tolist() == by_hand
    model = pipeline().fit(x, y)
    log_loss = labelled_scorer("neg_log_loss")(model, x, y)
    assert log_loss == labelled_scorer("neg_log_loss")(model, x[y >= 0], y[y >= 0])
    with pytest.raises(penumbra.Error, match="y must have a labelled row"):
        labelled_scorer()(model, x[y < 0], y[y < 0])


def test_a_class_made_of_the_mark_is_a_warning_that_names_the_cure():
    x, y = overlapping()
    plain = pipeline(KNeighborsClassifier(1)).fit(x, y)
    message = r"learned the mark of unlabelled rows, -1, .*LabelledOnly"
    with pytest.warns(penumbra.PenumbraWarning, match=message):
        labelled_scorer()(plain, x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labelled_scorer()(pipeline().fit(x, y), x, y)


# ---- searches ----


def searched_by_hand(make, grid, x, y, cv, **fit):
    """Return the mean accuracy for each n_components; `fit`: functions of the training rows."""
    means = []
    for value in grid:
        scores = []
        for train, test in cv.split(x, y):
            model = make().set_params(reduce__n_components=value)
            arguments = {name: made(train) for name, made in fit.items()}
            model.fit(x[train], y[train], **arguments)
            scores.append(accuracy_score(y[test], model.predict(x[test])))
        means.append(np.mean(scores))
    return means


@pytest.mark.parametrize("classifier", [KNeighborsClassifier(1), None], ids=["plain", "labelled"])
def test_a_search_is_a_loop_by_hand(classifier):
    x, y = overlapping()
    cv, grid = SemiSupervisedKFold(3), [1, 2, 4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(
            pipeline(classifier), {"reduce__n_components": grid}, cv=cv, scoring=labelled_scorer()
        ).fit(x, y)
    found = search.cv_results_["mean_test_score"]
    np.testing.assert_allclose(
        found, searched_by_hand(lambda: pipeline(classifier), grid, x, y, cv), rtol=1e-12
    )
    # Most neighbors of any row are unlabelled, so a plain classifier predicts -1.
    assert found.max() < 0.5 if classifier else found.max() > 0.5


def test_a_search_with_groups_of_must_links_is_a_loop_by_hand():
    x, y = overlapping()
    chunks = np.where(np.arange(90) >= 60, np.arange(90) % 3, -1)
    cv, grid = SemiSupervisedKFold(3), [1, 2]
    with config_context(enable_metadata_routing=True):
        made = pipeline(reducer=penumbra.RCA().set_fit_request(must_link=True))
        search = GridSearchCV(
            made, {"reduce__n_components": grid}, cv=cv, scoring=labelled_scorer()
        ).fit(x, y, must_link=chunks)
        by_hand = searched_by_hand(
            lambda: clone(made), grid, x, y, cv, must_link=lambda train: chunks[train]
        )
        without = searched_by_hand(lambda: clone(made), grid, x, y, cv)
    found = search.cv_results_["mean_test_score"]
    np.testing.assert_allclose(found, by_hand, rtol=1e-12)
    assert found.tolist() != without  # the chunks were not lost


@pytest.mark.parametrize("count", [40, 90], ids=["few", "as many as rows"])
def test_a_search_with_pairs_of_ids_is_a_loop_by_hand(count):
    """Pairs with a held-out row are dropped; a list as long as the rows is not split."""
    x, y = overlapping()
    rng = np.random.default_rng(0)
    ids = rng.permutation(1000)[:90]
    pairs = np.array([(i, i + 3 * k) for k in range(1, 20) for i in range(20) if i + 3 * k < 90])
    pairs = pairs[rng.permutation(len(pairs))[:count]]
    cv, grid = SemiSupervisedKFold(3), [1, 2]
    request = {"must_link": True, "row_id": True}

    def present(train):
        """Return the pairs as numbers of training rows, by a dictionary."""
        place = {row: at for at, row in enumerate(train)}
        return [(place[i], place[j]) for i, j in pairs if i in place and j in place]

    assert all(len(present(train)) < count for train, _ in cv.split(x, y))
    with config_context(enable_metadata_routing=True):
        made = pipeline(reducer=penumbra.SSDR().set_fit_request(**request))
        search = GridSearchCV(
            made, {"reduce__n_components": grid}, cv=cv, scoring=labelled_scorer()
        ).fit(x, y, must_link=penumbra.Pairs(ids[pairs]), row_id=ids)
        by_hand = searched_by_hand(lambda: clone(made), grid, x, y, cv, must_link=present)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], by_hand, rtol=1e-12)


# ---- LabelledOnly ----


def test_the_classifier_is_fitted_to_the_labelled_rows_in_their_own_type():
    x, y = overlapping()
    labels = np.array([None if c < 0 else f"c{c}" for c in y], dtype=object)
    model = LabelledOnly(LogisticRegression()).fit(x, labels)
    plain = LogisticRegression().fit(x[y >= 0], labels[y >= 0].astype(str))
    assert model.classes_.tolist() == ["c0", "c1", "c2"] and model.n_features_in_ == 6
    for name in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        np.testing.assert_array_equal(getattr(model, name)(x), getattr(plain, name)(x))
    assert model.score(x, labels) == plain.score(x[y >= 0], labels[y >= 0].astype(str))
    assert not hasattr(LabelledOnly(KNeighborsClassifier()), "decision_function")
    with pytest.raises(penumbra.Error, match="y must have a labelled row, got none"):
        model.fit(x, np.full(90, -1))


def test_weights_are_cut_with_the_rows_and_routed():
    x, y = overlapping()
    weight = np.random.default_rng(0).uniform(size=90)
    plain = GaussianNB().fit(x[y >= 0], y[y >= 0], sample_weight=weight[y >= 0])
    model = LabelledOnly(GaussianNB()).fit(x, y, sample_weight=weight)
    np.testing.assert_array_equal(model.predict_proba(x), plain.predict_proba(x))
    with config_context(enable_metadata_routing=True):
        inner = GaussianNB().set_fit_request(sample_weight=True)
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        routed = Pipeline([("reduce", penumbra.SELF(beta=0.5)), ("classify", LabelledOnly(inner))])
        routed.fit(x, y, sample_weight=weight)
        search = GridSearchCV(
            LabelledOnly(inner),
            {"estimator__var_smoothing": [1e-9, 0.5]},
            cv=SemiSupervisedKFold(3),
            scoring=labelled_scorer(scorer),
        ).fit(x, y, sample_weight=weight)
    z = routed["reduce"].transform(x)
    direct = GaussianNB().fit(z[y >= 0], y[y >= 0], sample_weight=weight[y >= 0])
    np.testing.assert_array_equal(routed.predict_proba(x), direct.predict_proba(z))
    by_hand = []
    for train, test in SemiSupervisedKFold(3).split(x, y):
        known = train[y[train] >= 0]
        made = GaussianNB(var_smoothing=0.5).fit(x[known], y[known], sample_weight=weight[known])
        by_hand.append(made.score(x[test], y[test], sample_weight=weight[test]))
    np.testing.assert_allclose(search.cv_results_["mean_test_score"][1], np.mean(by_hand))


def test_a_score_needs_a_label_or_mark_for_each_row():
    x, y = blobs()
    model = LabelledOnly(KNeighborsClassifier(1)).fit(x, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.score(x, y[:50])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.score(x, y, sample_weight=np.ones(50))


def test_a_plain_function_as_scoring():
    x, y = blobs()

    def accuracy(estimator, x, y):
        return (estimator.predict(x) == y).mean()

    for routing in (False, True):
        with config_context(enable_metadata_routing=routing):
            scores = cross_val_score(
                penumbra.FME(),
                x,
                y,
                cv=SemiSupervisedKFold(2),
                scoring=labelled_scorer(accuracy),
                params={},  # without them, scikit-learn 1.6.0 fails with metadata routing
            )
            assert scores.shape == (2,) and not np.isnan(scores).any()
