"""penumbra.dask: partitions, and lost workers."""

import functools
import os
import signal
import sys
import weakref

import numpy as np
import pytest
from conftest import blobs, same_map
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import penumbra

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

METHODS = {m.class_name: m for m in penumbra.methods()}
# Rounding decides whether a slow iteration stops at one step or the next.
STEPS = {"SOGE": {"max_iter": 50}, "ASL": {"max_iter": 50}}
# Statistics cannot count unlabelled rows, and have no trials.
OF_LABELS = {"prior": "labels", "temperature": "none"}
FDA = functools.partial(penumbra.FDA, **OF_LABELS)
SELF = functools.partial(penumbra.SELF, **OF_LABELS)
SIZES = (1, 30, 17, 2, 40, 33, 5, 20, 30)  # nine partitions of wine


@pytest.fixture(autouse=True)
def one_process():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_as_with_all_rows(name, wine):
    x, y = wine
    model = getattr(penumbra, name)(**OF_LABELS, scale="standard", pca=5, **STEPS.get(name, {}))
    expected = clone(model).fit(x, y)
    X = da.from_array(x, chunks=(SIZES, 13))
    assert penumbra.dask.fit(model, X, y) is model
    assert model.n_features_in_ == 13
    z = expected.transform(x)
    found = penumbra.dask.transform(model, X)
    assert found.shape == z.shape and found.dtype == z.dtype and found.chunks[0] == SIZES
    assert np.abs(found.compute() - z).max() <= 1e-10 * np.abs(z).max()
    classes = penumbra.dask.predict(model, X)
    assert classes.shape == (178,) and classes.chunks == (SIZES,)
    assert (classes.compute() == expected.predict(x)).all()
    shares = penumbra.dask.predict_proba(model, X)
    assert shares.shape == (178, 3)
    assert np.allclose(shares.compute(), expected.predict_proba(x), atol=1e-8)


@pytest.mark.parametrize(
    "name, given, right",
    [
        # without pca, all components are kept
        *(
            (name, {"scale": "standard", "row_steps": "l2", "pca": "off"}, {"pca": "rank"})
            for name in "FME RSSDR SALOE SALWE TRFSDA SSDA SDA CLPP SODRPaC LPP ILPP SELFILPP SODA "
            "NPSSDR".split()
        ),
        # a default fraction of the variance applies only once
        *((name, {"scale": "standard"}, {}) for name in "RSSDR SALOE SALWE TRFSDA SODA".split()),
        *(
            (name, {"row_steps": "total:1e3,log1p", "pca": 5}, {})
            for name in "SELF FME SDA".split()
        ),
    ],
)
def test_steps_and_components(name, given, right, wine):
    x, y = wine
    model = getattr(penumbra, name)(**OF_LABELS, **given)
    assert right or model.pca == 5 or 0 < model.pca < 1
    expected = clone(model).set_params(**right).fit(x, y)
    same_map(penumbra.dask.fit(model, da.from_array(x, chunks=(SIZES, 13)), y), expected, x)
    assert not right or model._model.method == f"pca:{expected.method.name}"


def counted_tasks(model, X, y, **more):
    """Count the tasks of each name in a fit."""
    names = []
    with dask.callbacks.Callback(pretask=lambda key, *_: names.append(dask.utils.key_split(key))):
        penumbra.dask.fit(model, X, y, **more)
    return {name: names.count(name) for name in set(names) if name.startswith("penumbra_")}


def test_a_partition_does_not_outlive_the_task_that_needs_it(wine):
    x, y = wine
    cuts = np.concatenate([[0], np.cumsum(SIZES)]).tolist()
    alive, most = [], []

    class Rows(np.ndarray):
        pass

    def load(block):
        most.append(sum(rows() is not None for rows in alive))
        rows = x[cuts[block] : cuts[block + 1]].copy().view(Rows)
        alive.append(weakref.ref(rows))
        return rows

    parts = [
        da.from_delayed(dask.delayed(load)(i), (size, 13), float) for i, size in enumerate(SIZES)
    ]
    model = SELF(scale="standard", ridge=0.01)
    names = counted_tasks(model, da.concatenate(parts), y)
    assert names["penumbra_statistics"] == names["penumbra_nearest"] == len(SIZES)
    assert len(most) == 2 * len(SIZES) and max(most) == 0
    same_map(model, SELF(scale="standard", ridge=0.01).fit(x, y), x)


def test_what_partitions_share_is_made_once(wine):
    x, y = wine
    made = []

    def load():
        made.append(1)
        return x

    X = da.from_delayed(dask.delayed(load)(), x.shape, float).rechunk((SIZES, 13))
    model = penumbra.dask.fit(FDA(), X, y)
    assert len(made) == 1
    same_map(model, FDA().fit(x, y), x)


def test_the_way_can_be_asked_for(wine):
    x, y = wine
    X = da.from_array(x, chunks=(SIZES, 13))
    for name in "SDA", "FDA":
        model = getattr(penumbra, name)(**OF_LABELS, scale="standard")
        tasks = counted_tasks(model, X, y, way="coordinates")
        assert tasks["penumbra_transform"] == 9
        right = getattr(penumbra, name)(**OF_LABELS, scale="standard", pca="rank")
        same_map(model, right.fit(x, y), x)


def test_the_model_is_that_of_statistics_by_hand(wine):
    x, y = wine
    fda = FDA(scale="standard")
    cuts = np.concatenate([[0], np.cumsum(SIZES)])
    parts = [
        penumbra.Statistics(fda, x[a:b], y[a:b], block=i)
        for i, (a, b) in enumerate(zip(cuts, cuts[1:]))
    ]
    by_hand = penumbra.Statistics.merge(parts)
    lazy = penumbra.dask.statistics(fda, da.from_array(x, chunks=(SIZES, 13)), y)
    assert lazy.compute().bytes() == by_hand.bytes()
    assert lazy.compute(scheduler="threads").bytes() == by_hand.bytes()
    assert by_hand.info["merges"] == "canonical"


def test_tasks_have_names(wine):
    x, y = wine
    X = da.from_array(x, chunks=(SIZES, 13))
    graph = dict(penumbra.dask.statistics(FDA(), X, y).dask)
    named = [dask.utils.key_split(key) for key in graph]
    assert named.count("penumbra_statistics") == 9
    assert named.count("penumbra_merge") == 8
    model = FDA().fit(x, y)
    z = penumbra.dask.transform(model, X)
    assert {dask.utils.key_split(key) for key in dict(z.dask)} >= {"penumbra_transform"}
    again = penumbra.dask.statistics(FDA(), X, y)
    assert again.key == penumbra.dask.statistics(FDA(), X, y).key
    assert again.key != penumbra.dask.statistics(FDA(row_steps="l2"), X, y).key
    assert again.key != penumbra.dask.statistics(FDA(), X + 1, y).key
    pairs = [penumbra.dask.statistics(penumbra.CMM(), X, must_link=[(0, i)]).key for i in (3, 99)]
    assert pairs[0] != pairs[1]  # other rows are kept


def test_pairs_of_rows_of_any_partitions(wine):
    x, _ = wine
    must, cannot = [(1, 50), (3, 33), (60, 120), (131, 177)], [(1, 177), (60, 131), (0, 100)]
    X = da.from_array(x, chunks=(SIZES, 13))
    for name in "WBDR", "SODRPaC", "CLPP", "NPSSDR":
        model = getattr(penumbra, name)(**OF_LABELS, scale="standard", pca=5, n_components=2)
        expected = clone(model).fit(x, must_link=must, cannot_link=cannot)
        penumbra.dask.fit(model, X, must_link=must, cannot_link=penumbra.Pairs(cannot))
        same_map(model, expected, x)


@pytest.mark.parametrize("name", ["FDA", "SELF", "SDA", "NPSSDR", "FME"])
def test_dataframes(name):
    pandas = pytest.importorskip("pandas")
    dd = pytest.importorskip("dask.dataframe")
    x, y = blobs()
    frame = pandas.DataFrame(x, columns=list("abcde"), index=np.arange(60) + 100)
    kind = pandas.Series(np.array(["p", "q", "r", None], object)[y], index=frame.index)
    X = dd.from_pandas(frame, npartitions=5)
    model = getattr(penumbra, name)(**OF_LABELS, pca="rank")
    expected = clone(model).fit(frame, kind)
    Y = dd.from_pandas(kind, npartitions=5)
    with_kind = dd.from_pandas(frame.assign(kind=kind), npartitions=5)
    cut = [frame.assign(kind=kind).iloc[a:b] for a, b in ((0, 9), (9, 9), (9, 10), (10, 60))]
    hollow = dd.from_delayed([dask.delayed(part) for part in cut])
    for rows, labels in ((X, Y), (with_kind, "kind"), (hollow, "kind")):
        penumbra.dask.fit(model, rows, labels)
        same_map(model, expected, frame)
        assert model.feature_names_in_.tolist() == list("abcde")
    z = penumbra.dask.transform(model, X)
    assert list(z.columns) == list(expected.get_feature_names_out())
    found = z.compute()
    assert found.index.equals(frame.index) and (found.dtypes == np.float64).all()
    assert np.allclose(found, expected.transform(frame))
    classes = penumbra.dask.predict(model, X).compute()
    assert classes.index.equals(frame.index)
    assert classes.tolist() == expected.predict(frame).tolist()
    shares = penumbra.dask.predict_proba(model, X)
    assert list(shares.columns) == ["p", "q", "r"]
    assert np.allclose(shares.compute(), expected.predict_proba(frame))
    single = penumbra.dask.transform(model, X.astype("float32"))
    assert (single.dtypes == np.float32).all() and (single.compute().dtypes == np.float32).all()


def test_sparse_blocks_and_unknown_sizes(wine):
    x, y = wine
    X = da.from_array(x, chunks=(SIZES, (6, 7)))
    expected = FDA().fit(x, y)
    same_map(penumbra.dask.fit(FDA(), X, da.from_array(y, chunks=50)), expected, x)
    rows = X.rechunk((SIZES, 13)).map_blocks(sparse.csr_matrix)
    model = penumbra.dask.fit(FDA(), rows, y)
    same_map(model, expected, x)
    z = penumbra.dask.transform(model, rows).compute()
    assert np.allclose(z, expected.transform(x))
    some = X[da.from_array(y, chunks=(SIZES,)) != 1]
    labels = da.from_array(y, chunks=(SIZES,))
    model = penumbra.dask.fit(FDA(), some, labels[labels != 1])
    same_map(model, FDA().fit(x[y != 1], y[y != 1]), x)


@pytest.mark.parametrize("name", ["PCA", "SELF", "SDA", "NPSSDR", "FME"])
def test_estimators_take_arrays_of_dask(name, wine):
    x, y = wine
    X, Y = da.from_array(x, chunks=(50, 13)), da.from_array(y, chunks=60)
    model = getattr(penumbra, name)(**OF_LABELS, scale="standard", pca=5)
    expected = penumbra.dask.fit(clone(model), X, Y)
    assert model.fit(X, Y) is model
    assert model._model.bytes() == expected._model.bytes()
    lazy = {
        "transform": expected.transform(x),
        "predict": expected.predict(x),
        "predict_proba": expected.predict_proba(x),
        "predict_log_proba": expected.predict_log_proba(x),
    }
    for function, values in lazy.items():
        found = getattr(model, function)(X)
        assert isinstance(found, da.Array) and found.chunks[0] == X.chunks[0]
        assert (found.compute() == values).all()
    assert isinstance(clone(model).fit_transform(X, Y), da.Array)
    assert model.score(X, Y) == model.score(X, y) == expected.score(x, y)


def test_estimators_take_frames_of_dask(wine):
    pd, dd = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    x, y = wine
    frame = pd.DataFrame(x, columns=[f"c{i}" for i in range(13)])
    kinds = pd.Series(np.array(["a", "b", "c", None], dtype=object)[y], name="kind")
    X, Y = dd.from_pandas(frame, npartitions=3), dd.from_pandas(kinds, npartitions=3)
    expected = FDA(scale="standard").fit(frame, kinds)
    model = FDA(scale="standard").fit(X.assign(kind=Y), "kind")
    same_map(model, expected, frame)
    z, classes = model.transform(X), model.predict(X)
    assert isinstance(z, dd.DataFrame) and list(z.columns) == ["fda0", "fda1"]
    assert isinstance(classes, dd.Series) and (classes.compute() == expected.predict(frame)).all()
    assert model.score(X, Y) == expected.score(frame, kinds)
    for other, what in ((X.assign(more=1), "more"), (X.rename(columns={"c1": "d"}), "c1")):
        with pytest.raises(ValueError, match=f"feature names should match(.|\n)*{what}"):
            model.transform(other)
    for chosen in (penumbra.AutoReducer(), penumbra.AutoReducer(ensemble=True)):
        chosen.fit(X, Y)  # draws a sample of all rows: here
        assert list(chosen.feature_names_in_) == list(frame.columns)
        assert (chosen.predict(X).compute() == chosen.predict(frame)).all()


def refusals(x, y):
    """Return calls and their errors."""
    X = da.from_array(x, chunks=(50, 13))
    some = X[da.from_array(y, chunks=50) != 1]
    bad = x.copy()
    bad[60, 2] = np.nan
    fit, Error = penumbra.dask.fit, penumbra.Error
    model = FDA().fit(X, y)
    assert (model.transform(X).compute() == model.transform(x)).all()
    return [
        *(
            (lambda rows=rows: fit(FDA(), rows, y), TypeError, "X must be a dask array or datafr")
            for rows in (x, [[1.0]], dask.delayed(x))
        ),
        (lambda: fit(FDA(), X, y[:5]), ValueError, "y must have 178 labels, got 5"),
        (lambda: fit(FDA(), X, da.from_array(y[:5])), ValueError, "y must have 178 labels, got 5"),
        (lambda: fit(FDA(), some, y), TypeError, "y must be a dask collection if the sizes"),
        (lambda: fit(FDA(), X, "kind"), Error, "y must be a column"),
        (lambda: fit(FDA(), X), Error, "needs labelled rows|requires y"),
        (lambda: fit(FDA(), X, must_link=[(1, 50)]), TypeError, "FDA does not learn from pairs"),
        (lambda: fit(penumbra.WBDR(), X, must_link=[(0, 178)]), Error, r"in \[0, 177\], got 178"),
        (lambda: fit(FDA(), da.from_array(bad, chunks=50), y), Error, "row 10, column 2 .*block 1"),
        (lambda: fit(penumbra.FME(kernel="rbf"), X, y), Error, "kernel"),
        (lambda: fit(penumbra.AutoReducer(), X, y), TypeError, "must be that of a method"),
        (lambda: fit(penumbra.FME(), X, y, way="statistics"), Error, "fme looks at every row"),
        (lambda: fit(FDA(), X, y, way="b"), Error, "auto, statistics or coordinates, got 'b'"),
        (lambda: penumbra.dask.transform(FDA(), X), NotFittedError, "not fitted"),
        (lambda: penumbra.dask.predict(penumbra.PCA().fit(x), X), AttributeError, "predict"),
        # estimators
        (lambda: FDA(kernel="rbf").fit(X, y), Error, r"X.compute\(\) brings all rows"),
        (lambda: penumbra.PCA(row_steps="idf").fit(X), Error, r"X.compute\(\) brings all rows"),
        (lambda: penumbra.SDA().fit(X, y, graph=sparse.eye(178)), Error, "graph needs all rows in"),
        (lambda: penumbra.RCA().fit(X, y, must_link=y), Error, "group for each row needs all rows"),
        (lambda: model.transform(X[:, :3]), ValueError, "X has 3 features, but FDA is expecting"),
    ]


def test_what_is_refused(wine):
    for call, exception, message in refusals(*wine):
        with pytest.raises(exception, match=message):
            call()
    with pytest.raises(penumbra.Error) as error:
        penumbra.dask.fit(FDA(), da.from_array(wine[0]))
    assert error.value.code == "PEN_NO_LABELS"


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(
        ImportError, match=r'^dask is needed: pip install "penumbra-learn\[dask\]"$'
    ):
        penumbra.dask.fit(FDA(), None)


# ---- workers ----


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Start one worker more than are killed: some versions of distributed do not restart them."""
    distributed = pytest.importorskip("distributed")
    folder = str(tmp_path_factory.mktemp("dask"))
    with distributed.LocalCluster(
        n_workers=4,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        local_directory=folder,
    ) as cluster:
        with distributed.Client(cluster, set_as_default=False) as client:
            yield client


def test_rows_that_workers_hold(client, wine):
    x, y = wine
    X = da.from_array(x, chunks=(SIZES, 13))
    with client.as_current(), dask.config.set(scheduler=client):
        found = [
            penumbra.dask.fit(FDA(), rows, y)._model.bytes()
            for rows in (X, X.persist(), X.persist() * 1, *dask.optimize(X.persist() * 1))
        ]
    assert len(found) == 4 and len(set(found)) == 1


@pytest.mark.parametrize("name, dies_at", [("FDA", 1), ("SELF", 2), ("FME", 2)])
def test_a_worker_that_is_killed_changes_nothing(name, dies_at, client, wine, tmp_path):
    """Kill a worker in the first pass over the rows, or in a later one."""
    x, y = wine
    cuts = np.concatenate([[0], np.cumsum(SIZES)]).tolist()
    folder, kill = str(tmp_path), int(signal.SIGKILL)

    def load(block, is_deadly):
        """Load the rows of a partition; one read of the sixth partition kills its process."""
        if is_deadly and block == 5:
            read = len(os.listdir(folder)) + 1
            with open(f"{folder}/{read}", "x"):
                pass
            if read == dies_at:
                os.kill(os.getpid(), kill)
        return x[cuts[block] : cuts[block + 1]]

    def rows(is_deadly):
        parts = [
            da.from_delayed(dask.delayed(load, pure=True)(i, is_deadly), (size, 13), float)
            for i, size in enumerate(SIZES)
        ]
        return da.concatenate(parts)

    model = getattr(penumbra, name)(**OF_LABELS, scale="standard")
    alone = penumbra.dask.fit(clone(model), rows(False), y)
    with client.as_current(), dask.config.set(scheduler=client):
        together = penumbra.dask.fit(clone(model), rows(True), y)
    assert len(os.listdir(folder)) > dies_at  # it was read again
    assert together._model.bytes() == alone._model.bytes()
    z = penumbra.dask.transform(together, rows(False))
    assert np.array_equal(client.compute(z).result(), alone.transform(x))
