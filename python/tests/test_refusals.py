"""Errors and their messages: parameters, rows, labels, pairs, files, calls."""

import decimal
import functools

import numpy as np
import pytest
from conftest import blobs
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.metrics import accuracy_score
from sklearn.neighbors import KNeighborsClassifier

import penumbra
from penumbra import Error

X, Y = blobs()
NOT_A_NUMBER = X.copy()
NOT_A_NUMBER[4, 2] = np.nan
ROWS = np.arange(60)
CIRCLE = np.c_[ROWS, (ROWS + 1) % 60]


@functools.cache
def fitted(name, **parameters):
    return getattr(penumbra, name)(**parameters).fit(X, Y)


def refused(call, exception, message):
    with pytest.raises(exception, match=message) as caught:
        call()
    return caught.value


# ---- parameters of a fit ----


@pytest.mark.parametrize(
    "name, parameters, exception, message",
    [
        ("SELF", {"n_components": 99}, Error, "n_components must be at most"),
        ("SELF", {"beta": True}, Error, r"beta must be in \[0, 1\] or auto, got \"true\""),
        ("SELF", {"beta": [0.5]}, TypeError, "beta must be a number"),
        ("SELF", {"n_neighbors": 0}, Error, "n_neighbors must be"),
        ("SELF", {"total": "all"}, Error, "total must be"),
        ("SELF", {"allow_fewer": "maybe"}, Error, "allow_fewer must be true or false"),
        *(("PCA", {"n_jobs": n}, ValueError, "n_jobs must be None or") for n in (0, 1.5, True)),
        ("PCA", {"kernel": "poly"}, Error, "kernel must be one of"),
        ("PCA", {"kernel": "rbf", "kernel_gamma": np.nan}, Error, "kernel_gamma must be > 0"),
        ("PCA", {"kernel": "rbf", "kernel_landmarks": 61}, Error, "kernel_landmarks .* at most 60"),
        ("PCA", {"kernel_gamma": 1.0}, Error, "kernel is none"),
        ("PCA", {"kernel": "precomputed"}, Error, "as many columns as rows"),
        *(
            ("SSDR", {"sample_pairs": bad}, Error, "sample_pairs must be")
            for bad in (0, -1, 2.5, np.nan, "1+2+3", "x", 2**63)
        ),
        ("SSDR", {"sample_pairs": (40, 60)}, TypeError, "sample_pairs must be"),
        ("SSDR", {"contradictions": "yes"}, Error, "contradictions must be one of error, drop"),
        ("AutoReducer", {"effort": -1}, Error, r"effort must be in \[0, 100\], got -1"),
        ("AutoReducer", {"classifier": "trees"}, Error, "classifier.*trees"),
        ("AutoReducer", {"classifier": "scores"}, Error, "classifier.*scores"),
        ("AutoReducer", {"ensemble": 2}, Error, "ensemble must be"),
        *(
            ("AutoReducer", {"n_components": k}, Error, "n_components must be")
            for k in (0, -1, 1.5, "all", 6)
        ),
        *(
            ("LabelledOnly", {"estimator": other}, TypeError, "must be a classifier, got")
            for other in (LinearRegression(), KNeighborsClassifier)
        ),
    ],
    ids=str,
)
def test_parameters(name, parameters, exception, message):
    model = getattr(penumbra, name)(**parameters)
    refused(lambda: model.fit(X, Y), exception, message)


OF_FIT = "it is an argument of fit, of AutoReducer and methods that learn from pairs, such as WBDR"


@pytest.mark.parametrize(
    "name, parameters, message",
    [
        ("SELF", {"dim": 1}, "SELF has no parameter 'dim': did you mean 'n_components'"),
        ("SELF", {"n_neighbours": 1}, "SELF has no parameter .*: did you mean 'n_neighbors'"),
        ("SELF", {"threads": 2}, "did you mean 'n_jobs'"),
        ("SELF", {"class_weight": "balanced"}, "did you mean 'prior'"),
        ("FME", {"n_components": 2}, "its dimensions are the classes"),
        ("FME", {"seed": 1}, "no parameter 'seed': did you mean 'random_state'"),
        # A name for the mark of unlabelled rows leads to y; only similar names are suggested.
        ("FME", {"unlabelled": 0}, "'unlabelled': (?!.*mean).*y is -1, NaN or None in rows"),
        ("FME", {"weights": 1}, "no parameter 'weights'. It has "),
        ("AutoReducer", {"dim": 2}, "has no parameter 'dim': did you mean 'n_components'"),
        ("Reducer", {}, "is the base class of methods"),
        *(
            (name, {links: 1}, f"^{name} has no .*'{links}': {OF_FIT}")
            for name in ("WBDR", "RCA", "AutoReducer", "PCA", "FDA")
            for links in ("must_link", "cannot_link")
        ),
    ],
    ids=str,
)
def test_parameters_that_do_not_exist(name, parameters, message):
    refused(lambda: getattr(penumbra, name)(**parameters), TypeError, message)


# ---- rows and labels ----


@pytest.mark.parametrize(
    "rows, exception, message",
    [
        ([[1, 2], [3]], ValueError, "inhomogeneous"),
        ([1, 2, 3], ValueError, "Expected 2D array"),
        (np.zeros((2, 2, 2)), ValueError, "dim 3"),
        (np.zeros((0, 3)), ValueError, r"Found array with 0 sample\(s\)"),
        (np.zeros((3, 0)), ValueError, "0 feature"),
        ([["a", "b"], ["c", "d"]], ValueError, "could not convert string to float"),
        (np.ones((3, 2), complex), ValueError, "Complex data not supported"),
        (NOT_A_NUMBER, ValueError, "row 4.*column 2.*NaN|NaN.*row 4.*column 2"),
        (np.ma.array(X, mask=np.arange(300).reshape(60, 5) < 3), ValueError, "masked .*, got 3"),
    ],
)
def test_rows(rows, exception, message):
    refused(lambda: penumbra.PCA().fit(rows), exception, message)


def of_one(label):
    labels = np.empty(60, dtype=object)
    labels[:] = [label] * 60
    return labels


@pytest.mark.parametrize(
    "y, exception, message",
    [
        (Y[1:], ValueError, "inconsistent numbers of samples: .60, 59."),
        (None, ValueError, "requires y"),
        (np.zeros((60, 2)), ValueError, "1d array"),
        (7, ValueError, "1d array"),
        (["a", 1] * 30, TypeError, "y must have labels of one type, got float and str"),
        ([True, "a"] * 30, TypeError, "y must have labels of one type, got bool and str"),
        *(([one, 2] * 30, TypeError, "y must have") for one in (2**64, True)),
        ([2**60, 1.0] * 30, TypeError, "y must have"),
        (np.array([1, 2] * 30, "m8[s]"), TypeError, "y must have"),
        (np.linspace(0, 1, 60), ValueError, "Unknown label type: continuous"),
        (Y * 0 - 1, Error, "needs labelled rows, but all 60 rows are unlabelled"),
        ([None] * 60, Error, "needs labelled rows, but all 60 rows are unlabelled"),
        (of_one(decimal.Decimal(1)), TypeError, "got Decimal: make text of them"),
        (of_one((1, 2)), TypeError, "got tuple: make text of them"),
        (np.where(Y == 0, "a\0b", "b"), Error, "classes must have names of UTF-8"),
        (np.where(Y == 0, "\ud800", "b"), Error, "classes must have names of UTF-8"),
    ],
)
def test_labels(y, exception, message):
    refused(lambda: penumbra.FDA().fit(X, y), exception, message)


# ---- pairs ----


def weighted(*weights):
    return {"must_link": penumbra.Pairs(CIRCLE[:4], weights)}


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"must_link": [[0, 60]]}, r"must_link: pair 0 .*: row must be in 0 \.\. 59, got 60"),
        ({"cannot_link": [[-1, 3]]}, "cannot_link: pair 0 .*: row must be in"),
        ({"must_link": [[2, 2]]}, "got row 2 twice"),
        ({"must_link": [0, 1]}, r"must_link must have shape \(m, 2\), or a group .* got \(2,\)"),
        ({"cannot_link": [0, 1]}, r"cannot_link must have shape \(m, 2\), got \(2,\)"),
        ({"must_link": [[0, 1, 2]]}, r"shape \(m, 2\)"),
        ({"must_link": [[0.5, 1]]}, "must_link must hold row numbers"),
        ({"must_link": [["a", "b"]]}, "must_link must hold row numbers"),
        ({"must_link": [["a", "b"]], "row_id": ROWS}, "ids of one type"),
        ({"must_link": [[b"a", b"b"]], "row_id": [str(i) for i in range(60)]}, "ids of one type"),
        ({"must_link": [[0.5, 1]], "row_id": ROWS}, "ids of one type"),
        ({"must_link": np.uint64([[2**63, 1]]), "row_id": range(60)}, "ids must be below"),
        ({"must_link": [[0, 1]], "row_id": np.arange(59)}, "row_id must have one id per row"),
        ({"must_link": [[0, 1]], "row_id": np.zeros(60)}, "row_id must be different"),
        ({"must_link": CIRCLE, "row_id": ROWS}, r"must_link=penumbra.Pairs\(must_link\)"),
        ({"must_link": [[0, 1]], "cannot_link": [[1, 0]]}, "rows 0 and 1 must link and cannot"),
        (weighted(1, 2, 3, -1), "pair 3 .*: weight must be a finite number >= 0, got -1"),
        (weighted(1, np.nan, 3, 1), "pair 1 .*, got nan"),
    ],
)
def test_pairs(arguments, message):
    error = refused(lambda: penumbra.SSDR().fit(X, **arguments), Error, message)
    assert error.code in ("PEN_BAD_PAIR", "PEN_CONTRADICTION")


@pytest.mark.parametrize("name", ["SSDR", "RCA", "SODRPaC"])
def test_pairs_that_contradict_through_a_chain(name):
    chain = {"must_link": [[0, 1], [1, 2]], "cannot_link": [[0, 2]]}
    refused(lambda: getattr(penumbra, name)().fit(X, **chain), Error, "joins them: 0-1-2")


# ---- fits, models, statistics, folds: calls ----


def statistics(model, rows=X, y=Y, **given):
    return penumbra.Statistics(model, rows, y, **given)


def merge(*parts, **given):
    return penumbra.Statistics.merge(parts, **given)


def split(splits, *given):
    return next(penumbra.SemiSupervisedKFold(splits).split(*given))


nearest = penumbra.kneighbors_graph
LINK = {"must_link": [[0, 1]]}
RCA = penumbra.RCA()
NO_NAME = np.where(ROWS < 6, "a", "NA")
OTHERS = "inconsistent numbers of samples"
NO_METHOD = "estimator must be that of a method"


@pytest.mark.parametrize(
    "call, exception, message",
    [
        # names
        (lambda: penumbra.Self, AttributeError, "'Self': did you mean 'SELF'"),
        (lambda: penumbra.LDA, AttributeError, "'LDA': did you mean 'FDA'"),
        (lambda: penumbra.AutoReducr, AttributeError, "'AutoReducr': did you mean 'AutoReducer'"),
        (lambda: penumbra.UMAP, AttributeError, "no attribute 'UMAP'$"),
        # fits
        (lambda: penumbra.SELF(2, n_components=3), TypeError, "multiple values"),
        (lambda: penumbra.SELF().fit(X, Y, **LINK), TypeError, OF_FIT),
        (lambda: penumbra.AutoReducer(6).fit(X), Error, "n_components must be at most 5, .* got 6"),
        (lambda: penumbra.SELF().fit(X, Y, groups=[1, 2]), Error, "one entry per row, 60, got 2"),
        *(
            (lambda n=n: penumbra.SSDR().fit(X, Y, **{n: NO_NAME}), Error, f"{n} must .* text 'NA'")
            for n in ("must_link", "groups")
        ),
        (lambda: penumbra.PCA(kernel="precomputed").fit(sparse.eye(9)), TypeError, "dense data is"),
        # models
        (lambda: fitted("PCA").inverse_transform(X[:, :4]), ValueError, "Z must have 5 columns"),
        (lambda: penumbra.SELF().transform(X), NotFittedError, "not fitted"),
        (lambda: penumbra.PCA().predict(X), NotFittedError, "not fitted"),
        (lambda: penumbra.PCA().save("x"), NotFittedError, "not fitted"),
        (lambda: fitted("PCA").save("nowhere/to/x"), OSError, "No such file"),
        (lambda: fitted("PCA").save("a\0b"), ValueError, "must not hold a NUL"),
        (lambda: penumbra.load("a\0b"), ValueError, "must not hold a NUL"),
        (lambda: penumbra.load("none.pen"), FileNotFoundError, "none.pen"),
        (lambda: penumbra.Statistics.load("none.pens"), FileNotFoundError, "none.pens"),
        (lambda: fitted("PCA").to_onnx(np.int64), Error, "float64 or uint8, got int64"),
        (lambda: fitted("PCA").to_onnx("x"), Error, "dtype must be float32, .* uint8, got 'x'"),
        (lambda: penumbra.SSDR().fit(X, **weighted(1, 2, 3)), Error, "one number per pair"),
        # suggestions
        (lambda: fitted("FME").suggest(X, n=0), ValueError, "n must be a whole number >= 1, got 0"),
        (lambda: fitted("FME").suggest(X, Y[:-1]), ValueError, OTHERS),
        (lambda: fitted("FME").suggest(X[:, :3]), ValueError, "3 features"),
        (lambda: fitted("FME").suggest(NOT_A_NUMBER), Error, "NaN"),
        (lambda: fitted("FDA", classifier="none").suggest(X), Error, "fda predicts no classes"),
        (lambda: penumbra.FME().suggest(X), NotFittedError, "not fitted"),
        # graphs
        (lambda: nearest(X, 0), Error, "a whole number >= 1, got 0"),
        (lambda: nearest(X, 60), Error, r"must be in \[1, 59\].* got 60"),
        (lambda: nearest(X, 2.5), Error, "a whole number >= 1, got 2.5"),
        (lambda: nearest(X, 1, queries=X[:2, :4]), Error, "must have the 5 columns of x, got 4"),
        (lambda: nearest(X, 61, queries=X), Error, r"must be in \[1, 60\], the number of row"),
        # comparisons
        (lambda: penumbra.compare(X, Y, ["LDA"]), Error, "got 'LDA': did you mean 'FDA'"),
        (lambda: penumbra.compare(X, Y, ["SDA+poly"]), Error, "kernel must be one of"),
        (lambda: penumbra.compare(X, Y, ["sad+rbf"]), Error, r"got 'sad\+rbf'"),
        # statistics
        (lambda: statistics(penumbra.FDA(), block=-1), Error, "block must be a whole number >= 0"),
        (lambda: statistics(penumbra.FDA(), block=1.5), Error, "block must be a whole number >= 0"),
        (lambda: statistics(penumbra.FDA(), block="a"), Error, "block must be a whole number >= 0"),
        (lambda: statistics(penumbra.FDA(), keep=[60]), Error, "must be in 0 .. 59, got 60"),
        (lambda: statistics(penumbra.FDA(), keep=[[1]]), Error, "keep must be whole numbers"),
        (lambda: statistics(penumbra.RCA(), y=None, chunks=[1]), ValueError, OTHERS),
        (lambda: statistics(penumbra.FDA(), NOT_A_NUMBER, block=4), Error, "row 4, .* 2 .*block 4"),
        (lambda: statistics(penumbra.PCA(kernel="rbf")), Error, "kernel needs the rows, not stat"),
        (lambda: statistics(penumbra.AutoReducer()), TypeError, NO_METHOD),
        (lambda: statistics(penumbra.FDA), TypeError, NO_METHOD),
        (lambda: statistics("fda"), TypeError, NO_METHOD),
        (lambda: statistics(fda := penumbra.FDA()).fit(fda, **LINK), TypeError, "does not learn"),
        *(
            (lambda m=m: statistics(m()).fit(m()), Error, "components of .* or .* a neighbor graph")
            for m in (penumbra.FME, penumbra.LPP, penumbra.SODA, penumbra.SODRPaC)
        ),
        (lambda: merge(*[statistics(penumbra.FDA())] * 2), Error, "block 0 is in both"),
        (lambda: merge(1), TypeError, "parts must be Statistics"),
        (lambda: merge(), Error, "count must be at least 1, got 0"),
        # folds, scores, classifiers of labelled rows
        (lambda: split(5, X), Error, "y must be given"),
        (lambda: split(1, X, Y), Error, "n_splits must be a whole number >= 2, got 1"),
        (lambda: split(5, X[:5], Y), ValueError, OTHERS),
        (lambda: penumbra.labelled_scorer(accuracy_score), TypeError, r"make_scorer\(accuracy_sc"),
        (lambda: penumbra.labelled_scorer(None), TypeError, "must be a name or a scorer, got None"),
    ],
)
def test_calls(call, exception, message):
    refused(call, exception, message)


@pytest.mark.parametrize(
    "call, code, message",
    [
        (lambda: penumbra.FDA().fit(X, Y * 0 - 1), "PEN_NO_LABELS", "needs labelled rows"),
        (lambda: penumbra.FDA(3).fit(X, Y), "PEN_RANK_TOO_SMALL", "must be at most 2, .* got 3"),
        (lambda: split(16, X, Y), "PEN_BAD_ARGUMENT", r"^n_splits must be in \[2, 15\].* got 16"),
        (lambda: statistics(RCA, y=None).fit(RCA, **LINK), "PEN_BAD_PAIR", "row 0 was not kept"),
    ],
)
def test_codes(call, code, message):
    error = refused(call, Error, message)
    assert isinstance(error, ValueError) and error.code == code
