"""Statistics of rows in blocks, and estimators that learn from rows as they arrive."""

import copy
import pickle
import re
import sys
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
import pytest
from conftest import blobs, run_command, same_map
from scipy import sparse
from sklearn.base import clone

import penumbra

METHODS = {m.class_name: m for m in penumbra.methods()}
# Statistics cannot count unlabelled rows, and have no trials.
OF_LABELS = {"prior": "labels", "temperature": "none"}
# Parameters for which one pass is enough, if the defaults need more.
ONE_PASS = {
    "LFDA": {"scaling_rows": "classwise"},
    "NPSSDR": {"mu": 0},
    "SDA": {"alpha": 0},
    "SELF": {"beta": 1},
    "SELFMix": {"beta": 1},
    "STSD": {"alpha": 0},
}
MERGED = [
    name
    for name, method in METHODS.items()
    if hasattr(getattr(penumbra, name)(**ONE_PASS.get(name, {})), "partial_fit")
]
CUTS = [178 * j * j // 100 for j in range(11)]
MUST = [(1, 50), (50, 57), (3, 33), (60, 120), (61, 125), (125, 70), (131, 177), (140, 170)]
CANNOT = [(1, 177), (60, 131), (0, 100), (57, 61), (99, 176)]


def blocks(n=len(CUTS) - 1):
    return list(zip(range(n), CUTS, CUTS[1:]))


def is_paired(name):
    return issubclass(getattr(penumbra, name), penumbra._estimators.PairReducer)


def estimator(name, **more):
    labels = {} if "classifier" in more else OF_LABELS
    return getattr(penumbra, name)(scale="standard", **{**labels, **ONE_PASS.get(name, {}), **more})


def merged(model, x, y, pairs=None, form=np.asarray):
    kept = np.array(sorted({row for pair in pairs or [] for row in pair}), np.int64)
    parts = []
    for block, a, b in blocks():
        keep = kept[(kept >= a) & (kept < b)] - a
        parts.append(penumbra.Statistics(model, form(x[a:b]), y[a:b], block=block, keep=keep))
    return penumbra.Statistics.merge(parts[::-1])


def same_subspace(found, expected, x):
    """Check eigenvalues, and the sine of the largest angle between the components."""
    same_map(found, expected, x)
    if hasattr(expected, "eigenvalues_"):
        most = np.abs(expected.eigenvalues_).max()
        assert np.abs(found.eigenvalues_ - expected.eigenvalues_).max() <= 1e-10 * most
    p, q = (np.linalg.qr(model.components_.T)[0] for model in (found, expected))
    assert p.shape == q.shape
    assert np.linalg.norm(q - p @ (p.T @ q), 2) <= 1e-10
    assert np.allclose(found.mean_, expected.mean_, rtol=1e-12)


# ---- statistics ----


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("name", MERGED)
def test_blocks_give_the_model_of_all_rows(name, form, wine):
    x, y = wine
    pairs = {"must_link": MUST, "cannot_link": CANNOT} if is_paired(name) else {}
    stats = merged(estimator(name), x, y, sum(pairs.values(), []), form)
    assert stats.info["rows"] == 178 and stats.info["merges"] == "canonical"
    assert [block["rows"] for block in stats.info["blocks"]] == list(np.diff(CUTS))
    expected = estimator(name).fit(x, y, **pairs)
    found = stats.fit(estimator(name), **pairs)
    same_subspace(found, expected, x)
    assert found.classes_.tolist() == expected.classes_.tolist()
    assert (found.predict(x) == expected.predict(x)).all()
    assert found.info_["merges"] == "canonical"


@pytest.mark.parametrize("name, parameters", [("SELF", {}), ("LFDA", {"scaling_rows": "all"})])
def test_a_second_pass(name, parameters, wine):
    x, y = wine
    model = getattr(penumbra, name)(scale="standard", ridge=0.01, **parameters)
    stats = merged(model, x, y)
    with pytest.raises(penumbra.Error, match="needs nearest, the distances"):
        stats.fit(model)
    near = [stats.nearest(model, x[a:b], y[a:b], block=i) for i, a, b in blocks()]
    assert near[0].info["parts"] == ["nearest"]
    both = penumbra.Statistics.merge([*near, stats])
    expected = clone(model).fit(x, y)
    same_subspace(both.fit(model), expected, x)


def test_pickles_and_files_are_the_same_bytes(tmp_path, wine):
    x, y = wine
    stats = merged(penumbra.FDA(), x, y)
    stats.save(tmp_path / "all.pens")
    data = (tmp_path / "all.pens").read_bytes()
    assert stats.bytes() == data and data in pickle.dumps(stats)
    for other in (
        pickle.loads(pickle.dumps(stats)),
        copy.deepcopy(stats),
        pickle.loads(pytest.importorskip("cloudpickle").dumps(stats)),  # of Dask, Spark, Ray
        penumbra.Statistics.load(tmp_path / "all.pens"),
        penumbra.Statistics.parse(data),
    ):
        assert other.bytes() == data
    assert 0.5 < sys.getsizeof(stats) / len(data) < 2
    run_command("fit", "fda", tmp_path / "all.pens", "-o", tmp_path / "model")
    found = penumbra.load(tmp_path / "model")
    assert np.array_equal(found.components_, stats.fit(penumbra.FDA()).components_)
    with pytest.raises(penumbra.Error):
        penumbra.Statistics.load(tmp_path / "model")
    with pytest.raises(penumbra.Error):
        penumbra.load(tmp_path / "all.pens")


def test_columns_and_classes_by_name():
    pandas = pytest.importorskip("pandas")
    x, y = blobs()
    frame = pandas.DataFrame(x, columns=list("abcde"))
    kind = np.array(["p", "q", "r"], object)[y]
    kind[y < 0] = None
    model = penumbra.FDA()
    order = np.argsort(y, kind="stable")[::-1]
    frame, kind = frame.iloc[order], kind[order]
    parts = [
        penumbra.Statistics(model, frame[a:b], kind[a:b], block=a) for a, b in ((0, 5), (5, 60))
    ]
    both = penumbra.Statistics.merge(parts, blocks=2)
    assert parts[0].info["class_names"] == ["r"]
    assert both.info["class_names"] == ["p", "q", "r"]
    assert both.info["column_names"] == list("abcde") and both.info["row_steps"] == ""
    assert not hasattr(model, "feature_names_in_")
    found = both.fit(model)
    assert found.classes_.tolist() == ["p", "q", "r"]
    assert found.feature_names_in_.tolist() == list("abcde")
    expected = penumbra.FDA().fit(frame, kind)
    assert found.predict(frame).tolist() == expected.predict(frame).tolist()


def test_blocks_that_say_little():
    x, y = blobs()
    model = penumbra.FDA()
    none = penumbra.Statistics(model, x[:0], y[:0], block=3)
    assert none.info["rows"] == none.info["kept"] == 0 and "of 0 rows" in repr(none)
    one = penumbra.Statistics(model, x[:1], y[:1], block=1)
    rest = penumbra.Statistics(model, x[1:], y[1:], block=2)
    stats = penumbra.Statistics.merge([none, one, rest], blocks=3)
    with pytest.raises(penumbra.Error, match="blocks must be"):
        penumbra.Statistics.merge([one], blocks=0.5)
    same_subspace(stats.fit(model), penumbra.FDA().fit(x, y), x)
    empty = penumbra.Statistics(model, sparse.csr_matrix((0, 5)), block=4)
    assert empty.info["rows"] == 0 and empty.info["columns"] == 5
    with pytest.raises(penumbra.Error) as error:
        penumbra.Statistics.merge([one], blocks=1).fit(penumbra.FDA())
    assert error.value.code == "PEN_RANK_TOO_SMALL"


def test_chunks_in_place_of_rows(wine):
    x, _ = wine
    chunks = np.full(178, -1)
    for chunk, rows in enumerate(([1, 50, 57], [3, 33], [60, 120], [61, 125, 70], [131, 177])):
        chunks[rows] = chunk
    model = penumbra.RCA(ridge=0.01, classifier="none")
    parts = [
        penumbra.Statistics(model, x[a:b], block=i, chunks=chunks[a:b]) for i, a, b in blocks()
    ]
    stats = penumbra.Statistics.merge(parts)
    assert stats.info["kept"] == 0 and "chunks" in stats.info["parts"]
    expected = penumbra.RCA(ridge=0.01, classifier="none").fit(x, must_link=chunks)
    same_subspace(stats.fit(model), expected, x)


def test_a_refused_fit_leaves_the_estimator():
    x, y = blobs()
    model = penumbra.FDA().fit(x, y)
    before = model._model.bytes()
    with pytest.raises(penumbra.Error):
        penumbra.Statistics(model, x[:0]).fit(model)
    assert model._model.bytes() == before


# ---- rows as they arrive ----


def arrived(name, x, y, cuts=CUTS, **more):
    model = estimator(name, **more)
    for a, b in zip(cuts, cuts[1:]):
        assert model.partial_fit(x[a:b], y[a:b]) is model
    return model


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("name", MERGED)
def test_rows_that_arrive_give_the_model_of_all(name, form, wine):
    x, y = wine
    model = arrived(name, form(x) if form is not np.asarray else x, y)
    expected = estimator(name).fit(x, y)
    same_subspace(model, expected, x)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert (model.predict(x) == expected.predict(x)).all()
    stats = merged(estimator(name), x, y).fit(estimator(name))
    if form is np.asarray:
        assert model._model.bytes() == stats._model.bytes()  # the same tree


def test_the_library_says_which_have_it():
    for name, method in METHODS.items():
        merges = "merges" in str(method.traits)
        assert hasattr(getattr(penumbra, name), "partial_fit") == merges, name
    listed = set(
        "PCA FDA LOL LFDA SELF SELFMix SSDR CMM BWDR WBDR RCA CFLD SDA STSD NPSSDR".split()
    )
    assert set(MERGED) == listed


@pytest.mark.parametrize(
    "name, parameters, why",
    [
        ("SELF", {}, "second pass"),
        ("LFDA", {"scaling_rows": "all"}, "second pass"),
        ("SDA", {}, "looks at every row"),
        ("NPSSDR", {}, "looks at every row"),
        ("PCA", {"kernel": "rbf"}, "a kernel needs the rows"),
        ("FDA", {"row_steps": "total:median"}, "total:median is learned"),
    ],
)
def test_parameters_that_need_every_row_are_refused_at_once(name, parameters, why, wine):
    x, y = wine
    model = getattr(penumbra, name)(**parameters)
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="has no attribute 'partial_fit'") as error:
        model.partial_fit(x, y)
    assert str(error.value.__cause__).startswith("partial_fit sees rows once: ")
    assert re.search(why, str(error.value.__cause__))


@pytest.mark.parametrize("parameters", [{"n_components": 40}, {"pca": 30}, {"scale": "minmax"}])
def test_sizes_do_not_decide(parameters):
    assert hasattr(penumbra.PCA(**parameters), "partial_fit")


def test_the_fit_is_made_when_it_is_asked_for(wine, monkeypatch):
    x, y = wine
    made = []
    original = penumbra.Statistics.fit
    monkeypatch.setattr(
        penumbra.Statistics, "fit", lambda *a, **k: made.append(1) or original(*a, **k)
    )
    model = penumbra.FDA()
    for a in range(0, 178, 20):
        model.partial_fit(x[a : a + 20], y[a : a + 20])
    assert len(model._stream.nodes) == 2  # for nine blocks
    before = len(made)
    model.transform(x), model.predict(x), model.components_, model.classes_
    assert len(made) == before + 1
    assert not hasattr(model, "graph_") and not hasattr(model, "nothing_")


def test_pairs_of_rows_that_arrive(wine):
    x, _ = wine
    rng = np.random.default_rng(0)
    must, cannot, weights = [], [], []
    model = penumbra.WBDR(scale="standard", n_components=2)
    for a in range(0, 178, 89):
        pairs = rng.integers(89, size=(40, 2))
        pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
        near = (a + pairs) // 60
        same = near[:, 0] == near[:, 1]
        weight = rng.uniform(size=same.sum())
        model.partial_fit(
            x[a : a + 89], must_link=penumbra.Pairs(pairs[same], weight), cannot_link=pairs[~same]
        )
        must.append(a + pairs[same])
        cannot.append(a + pairs[~same])
        weights.append(weight)
    expected = penumbra.WBDR(scale="standard", n_components=2).fit(
        x,
        must_link=penumbra.Pairs(np.concatenate(must), np.concatenate(weights)),
        cannot_link=np.concatenate(cannot),
    )
    same_subspace(model, expected, x)


def test_it_starts_over_after_a_fit(tmp_path):
    x, y = blobs()
    model = penumbra.FDA().fit(x + 5, y)
    with pytest.warns(penumbra.PenumbraWarning, match="forgets the 60 rows") as told:
        model.partial_fit(x[:30], y[:30]).partial_fit(x[30:], y[30:])
    assert len(told) == 1
    same_subspace(model, penumbra.FDA().fit(x, y), x)
    model.save(tmp_path / "model")
    with pytest.warns(penumbra.PenumbraWarning, match="forgets the 60 rows"):
        loaded = penumbra.load(tmp_path / "model").partial_fit(x[:20], y[:20])
    same_subspace(loaded, penumbra.FDA().fit(x[:20], y[:20]), x)
    model.partial_fit(x, y).fit(x[:20], y[:20])
    assert np.array_equal(model.components_, penumbra.FDA().fit(x[:20], y[:20]).components_)
    with pytest.warns(penumbra.PenumbraWarning, match="forgets the 20 rows"):
        model.partial_fit(x[:30], y[:30])
    again = pickle.loads(pickle.dumps(model))  # continues in another process
    for each in model, again, copy.deepcopy(model):
        each.partial_fit(x[30:], y[30:])
        same_subspace(each, penumbra.FDA().fit(x, y), x)
    assert not hasattr(clone(model), "_stream")


def test_what_partial_fit_refuses():
    x, y = blobs()
    model = penumbra.FDA().partial_fit(x[:30], y[:30], classes=[0, 1, 2])
    before = model.components_
    bad = x.copy()
    bad[3, 1] = np.inf
    for refused in (
        lambda: model.partial_fit(x[:, :4], y),
        lambda: model.partial_fit(bad, y),
        lambda: model.partial_fit(x, y[:5]),
        lambda: model.partial_fit(x, np.where(y == 1, 9, y)),
        lambda: model.partial_fit(x, y, classes=[0, 1]),
        lambda: model.partial_fit(x[:0], y[:0]),
    ):
        with pytest.raises(ValueError):
            refused()
        assert model.components_ is before
    model.partial_fit(x[30:], y[30:])
    same_subspace(model, penumbra.FDA().fit(x, y), x)
    first = penumbra.FDA().partial_fit(x[:1], y[:1])  # one class is not enough yet
    with pytest.raises(penumbra.Error):
        first.transform(x)
    assert not hasattr(first, "predict")
    same_subspace(first.partial_fit(x[1:], y[1:]), penumbra.FDA().fit(x, y), x)


def test_threads_that_predict_at_once_wait_for_one_fit(wine, monkeypatch):
    x, y = wine
    model = penumbra.FDA().partial_fit(x, y)
    named, pool, others, fits = penumbra._rows.classes_named, ThreadPoolExecutor(2), [], []

    def classes_named(*names):  # late in a fit
        fits.append(names)
        if len(fits) == 1:
            others.extend(pool.submit(lambda: model.predict(x)) for _ in range(2))
            wait(others, timeout=0.2)
        return named(*names)

    monkeypatch.setattr(penumbra._rows, "classes_named", classes_named)
    expected = model.predict(x)
    assert all((other.result() == expected).all() for other in others)
    assert len(others) == 2 and len(fits) == 1
