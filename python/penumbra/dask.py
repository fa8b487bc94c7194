"""Fit and embed rows in a dask array or dataframe where their partitions are.

``penumbra.dask.fit(penumbra.FDA(), X, y)`` gives the same model as ``fit`` with all rows, up to
rounding. ``penumbra.dask.transform(estimator, X)`` and ``predict`` are lazy and work on each
partition. Tasks run on dask's current scheduler: threads, processes, or the workers of a
``dask.distributed.Client``.

The way to fit depends on the method and its parameters (docs/statistics.md):

======================  ==========================================================================
statistics              each partition computes its `penumbra.Statistics`, a tree of tasks merges
                        them, and this process fits
and a second pass       ``SELF``, ``LFDA(scaling_rows="all")``: partitions are read twice
coordinates             every other method: statistics give principal components, this process
                        gathers all rows in these coordinates, and fits the method to them
======================  ==========================================================================

Blocks are numbered as the partitions, and the tree depends only on the number of partitions. So the
model has the same bits for any number of workers, and a repeated task, such as after the loss of a
worker, changes nothing. This module imports dask only when needed:
``pip install "penumbra-learn[dask]"``.
"""

from __future__ import annotations

import dataclasses
import importlib
import sys
import typing
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from penumbra import _pairs
from penumbra._c import lib
from penumbra._estimators import PairReducer, Reducer
from penumbra._model import Model
from penumbra._native import Error, extra
from penumbra._stats import Statistics, divided, passes, settings, take, why_all

__all__ = ["fit", "predict", "predict_proba", "statistics", "transform"]

_AnyReducer = typing.TypeVar("_AnyReducer", bound=Reducer)
_Collection = typing.Any  # a dask array or dataframe
_Task = typing.Any  # a dask Delayed


# ---- functions of tasks: the dashboard shows their names ----


def penumbra_statistics(
    estimator: Reducer, x: typing.Any, y: typing.Any, block: int, keep: np.ndarray
) -> Statistics:
    """Compute the statistics of a partition."""
    return Statistics(estimator, _rows_of(x), y, block=block, keep=keep)


def penumbra_merge(left: Statistics, right: Statistics) -> Statistics:
    """Merge two subtrees of the canonical tree."""
    return Statistics.merge([left, right])


def penumbra_nearest(
    estimator: Reducer, merged: Statistics, x: typing.Any, y: typing.Any, block: int
) -> Statistics:
    """Run the second pass over a partition."""
    return merged.nearest(estimator, _rows_of(x), y, block=block)


def penumbra_transform(x: typing.Any, estimator: Reducer) -> typing.Any:
    """Embed a partition, as an array or as a frame with the index of x."""
    x = _rows_of(x)
    if x.shape[0]:
        z = estimator.transform(x)
    else:
        z = np.empty((0, estimator.n_components_), _type(x))
    return _framed(z, x, estimator.get_feature_names_out())


def penumbra_predict(x: typing.Any, estimator: Reducer) -> typing.Any:
    """Predict the classes of a partition."""
    return _framed(estimator.predict(x) if x.shape[0] else estimator.classes_[:0], x, "class")


def penumbra_predict_proba(x: typing.Any, estimator: Reducer) -> typing.Any:
    """Predict the probabilities of a partition."""
    empty = np.empty((0, len(estimator.classes_)))
    shares = estimator.predict_proba(x) if x.shape[0] else empty
    return _framed(shares, x, estimator.classes_)


def penumbra_labels(y: typing.Any) -> np.ndarray:
    """Return the labels of a partition to the client."""
    return np.asarray(y)


def penumbra_rows(x: typing.Any) -> int:
    """Return the number of rows of a partition."""
    return int(_rows_of(x).shape[0])


def _framed(values: np.ndarray, x: typing.Any, names: typing.Any) -> typing.Any:
    """Return values of the rows x as an array, or as a frame or series if x is a frame."""
    if not hasattr(x, "iloc"):
        return values
    import pandas as pd

    if values.ndim == 1:
        return pd.Series(values, index=x.index, name=names)
    return pd.DataFrame(values, index=x.index, columns=list(names))


def _type(x: typing.Any) -> typing.Any:
    """Return the type of the result of `transform` for rows of this type."""
    types = list(x.dtypes) if hasattr(x, "dtypes") else [x.dtype]
    return np.dtype(np.float32 if all(t == np.float32 for t in types) else np.float64)


# ---- partitions ----


def _dask() -> typing.Any:
    return extra("dask", '"penumbra-learn[dask]"')


def _is_frame(X: _Collection) -> bool:
    return hasattr(type(X), "map_partitions")  # the type, as a Delayed object has every attribute


def _require_collection(X: _Collection) -> None:
    if not _dask().is_dask_collection(X) or not (_is_frame(X) or hasattr(type(X), "map_blocks")):
        raise TypeError(f"X must be a dask array or dataframe, got {type(X).__name__}")


def _whole_rows(X: _Collection) -> _Collection:
    """Return X in blocks of whole rows."""
    if _is_frame(X):
        return X
    if X.ndim != 2:
        raise ValueError(f"X must have shape (n_samples, n_features), got {X.shape}")
    return X if X.numblocks[1] == 1 else X.rechunk({1: -1})


def _sizes(X: _Collection) -> list[int] | None:
    """Return the number of rows of each partition, or None if unknown."""
    if _is_frame(X) or any(size != size for size in X.chunks[0]):
        return None
    return [int(size) for size in X.chunks[0]]


def _tasks(collection: _Collection) -> list[_Task]:
    return list(np.ravel(collection.to_delayed()))


class _Recipe:
    """A partition that a task computes from its graph and drops at the end.

    A separate task would keep it longer: the scheduler lets a worker start the next partition
    before it drops the last one, and sends partitions to idle workers.
    """

    def __init__(self, graph: dict[typing.Any, typing.Any], key: typing.Any) -> None:
        self.graph, self.key = graph, key

    def rows(self) -> typing.Any:
        return _dask().get(self.graph, self.key)


def _rows_of(x: typing.Any) -> typing.Any:
    return x.rows() if isinstance(x, _Recipe) else x


def _recipes(X: _Collection, tasks: list[_Task]) -> list[typing.Any]:
    """Return partitions of X for tasks: recipes, or separate tasks if two partitions share a task
    or workers already hold data of X."""
    cull: typing.Any = importlib.import_module("dask.optimization").cull
    distributed = sys.modules.get("distributed")
    if not tasks or (distributed and distributed.futures_of(X)):
        return tasks
    whole = dict(tasks[0].__dask_graph__())
    seen: set[typing.Any] = set()
    found: list[typing.Any] = []
    for task in tasks:
        graph, _ = cull(whole if task.key in whole else dict(task.__dask_graph__()), [task.key])
        needed: set[typing.Any] = set().union(
            *(getattr(node, "dependencies", ()) for node in graph.values())
        )
        if not (seen.isdisjoint(graph) and graph.keys() >= needed):
            return tasks
        seen.update(graph)
        found.append(_Recipe(graph, task.key))
    return found


def _split_labels(y: typing.Any, X: _Collection) -> list[typing.Any]:
    """Return the labels of each partition."""
    sizes = _sizes(X)
    is_here = not _dask().is_dask_collection(y)
    if sizes is None and is_here:
        raise TypeError(
            "y must be a dask collection if the sizes of the partitions of X are unknown:"
            f" got {type(y).__name__}"
        )
    is_cut = is_here or (hasattr(type(y), "rechunk") and _sizes(y) not in (None, sizes))
    if sizes is None or not is_cut:
        return _tasks(y)
    if len(y) != sum(sizes):
        raise ValueError(f"y must have {sum(sizes)} labels, got {len(y)}")
    if is_here:
        return np.split(np.asarray(y), np.cumsum(sizes)[:-1])
    return _tasks(y.rechunk((tuple(sizes),)))


@dataclasses.dataclass(frozen=True)
class _Blocks:
    """Partitions as tasks, with their labels."""

    x: list[typing.Any]  # or recipes for them
    y: list[typing.Any]
    sizes: list[int] | None
    token: str

    @classmethod
    def of(cls, X: _Collection, y: typing.Any) -> _Blocks:
        _require_collection(X)
        if isinstance(y, str):
            if not _is_frame(X) or y not in X.columns:
                raise Error(f"y must be a column of the dataframe X, got {y!r}")
            X, y = X.drop(columns=y), X[y]
        X = _whole_rows(X)
        rows = _tasks(X)
        labels = [None] * len(rows) if y is None else _split_labels(y, X)
        if len(labels) != len(rows):
            raise ValueError(
                f"X and y must have the same partitions, got {len(rows)} and {len(labels)}"
            )
        token = _dask().base.tokenize(rows, labels)
        return cls(_recipes(X, rows), labels, _sizes(X), token)

    def named(self, function: typing.Any, estimator: Reducer, *names: int) -> typing.Any:
        """Return a function that makes a task of `function` with a unique name."""
        dask = _dask()
        params = (type(estimator).__name__, estimator.get_params())
        key = "-".join(
            [function.__name__, dask.base.tokenize(params, self.token), *map(str, names)]
        )
        task = dask.delayed(function, pure=True, traverse=False)
        return lambda *given: task(*given, dask_key_name=key)

    def given(self, what: typing.Any) -> _Blocks:
        """Return the same blocks, with task names that also depend on `what`."""
        return dataclasses.replace(self, token=_dask().base.tokenize(self.token, what))

    def first_rows(self) -> np.ndarray:
        """Return the first row number of each partition, and the total number of rows."""
        sizes = self.sizes
        if sizes is None:
            count = _dask().delayed(penumbra_rows, traverse=False)
            sizes = _dask().compute(*[count(x) for x in self.x])
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def kept(self, linked: typing.Sequence[typing.Any]) -> list[np.ndarray]:
        """Return the rows of each partition that occur in pairs."""
        if not any(len(pairs) for pairs in linked):
            return [np.empty(0, np.int64)] * len(self.x)
        first = self.first_rows()
        rows = np.unique(np.concatenate([np.ravel(pairs) for pairs in linked]))
        if len(rows) and not (0 <= rows[0] and rows[-1] < first[-1]):
            bad = rows[0] if rows[0] < 0 else rows[-1]
            raise Error(f"a row number must be in [0, {first[-1] - 1}], got {bad}", "PEN_BAD_PAIR")
        cuts = np.searchsorted(rows, first)
        return [rows[a:b] - start for a, b, start in zip(cuts, cuts[1:], first)]

    def tree(self, leaves: list[_Task], estimator: Reducer, turn: int, at: int = 0) -> _Task:
        """Merge the leaves by the canonical tree."""
        if len(leaves) == 1:
            return leaves[0]
        left = 1
        while 2 * left < len(leaves):
            left *= 2
        return self.named(penumbra_merge, estimator, turn, at, len(leaves))(
            self.tree(leaves[:left], estimator, turn, at),
            self.tree(leaves[left:], estimator, turn, at + left),
        )

    def statistics(self, estimator: Reducer, keep: list[np.ndarray]) -> _Task:
        """Return a task that computes the statistics of all partitions."""
        names = self.given(keep)
        leaves = [
            names.named(penumbra_statistics, estimator, block)(estimator, x, y, block, kept)
            for block, (x, y, kept) in enumerate(zip(self.x, self.y, keep))
        ]
        return names.tree(leaves, estimator, 1)

    def nearest(self, estimator: Reducer, merged: Statistics) -> _Task:
        """Return a task that runs the second pass over all partitions."""
        names, shared = self.given(merged.bytes()), _dask().delayed(merged, traverse=False)
        leaves = [
            names.named(penumbra_nearest, estimator, block)(estimator, shared, x, y, block)
            for block, (x, y) in enumerate(zip(self.x, self.y))
        ]
        return names.tree(leaves, estimator, 2)

    def coordinates(self, estimator: Reducer) -> tuple[np.ndarray, typing.Any]:
        """Gather all embedded rows and their labels in this process."""
        bring = _dask().delayed(penumbra_labels, pure=True)
        z = [
            self.named(penumbra_transform, estimator, block)(x, estimator)
            for block, x in enumerate(self.x)
        ]
        y = [bring(labels) for labels in self.y if labels is not None]
        done = _dask().compute(*z, *y)
        embedded = np.concatenate([np.asarray(part, np.float64) for part in done[: len(z)]])
        return embedded, _together(done[len(z) :])


def _together(labels: typing.Sequence[np.ndarray]) -> typing.Any:
    """Concatenate the labels of all partitions, even if some have text and some only missing."""
    if not labels:
        return None
    if len({part.dtype.kind for part in labels}) == 1:
        return np.concatenate(labels)
    return np.concatenate([part.astype(object) for part in labels])


# ---- fitting ----


def _of_one_thread(estimator: _AnyReducer) -> _AnyReducer:
    """Copy the estimator for tasks, with one thread, because every core runs a task."""
    worker: _AnyReducer = clone(estimator)
    if worker.n_jobs is None:
        worker.set_params(n_jobs=1)
    return worker


def _linked(estimator: Reducer, pairs: dict[str, typing.Any]) -> list[np.ndarray]:
    """Return the given pairs as row numbers."""
    given = {name: value for name, value in pairs.items() if value is not None}
    if given and not isinstance(estimator, PairReducer):
        raise TypeError(f"{type(estimator).__name__} does not learn from pairs")
    must = given.get("must_link", [[]])
    if not isinstance(must, _pairs.Pairs) and np.ndim(must) == 1 and np.size(must):
        raise Error("must_link of a group for each row needs all rows in one process: X.compute()")
    found = _pairs.gather(2**62, **given)
    return [pairs for pairs in (found.must_link, found.cannot_link) if pairs is not None]


def statistics(
    estimator: Reducer,
    X: _Collection,
    y: typing.Any = None,
    *,
    must_link: typing.Any = None,
    cannot_link: typing.Any = None,
) -> typing.Any:
    """Return the merged statistics of all partitions, lazily: a dask Delayed of a
    `penumbra.Statistics`, whose blocks are numbered as the partitions.

    Arguments and errors are as in `fit`. Rows of the pairs are kept for `penumbra.Statistics.fit`.
    """
    settings(estimator)
    linked = _linked(estimator, {"must_link": must_link, "cannot_link": cannot_link})
    blocks = _Blocks.of(X, y)
    return blocks.statistics(_of_one_thread(estimator), blocks.kept(linked))


def fit(
    estimator: _AnyReducer,
    X: _Collection,
    y: typing.Any = None,
    *,
    must_link: typing.Any = None,
    cannot_link: typing.Any = None,
    way: typing.Literal["auto", "statistics", "coordinates"] = "auto",
) -> _AnyReducer:
    """Fit an estimator to the rows of a dask array or dataframe.

    Each partition is a block. If the method needs every row, principal components of all rows are
    fitted first, and this process gathers all rows in these coordinates: 8 bytes per row and
    component. The parameter ``pca`` sets their number (``"off"``: all). The model then consists of
    two methods, such as ``"pca:fme"`` in its file.

    Parameters
    ----------
    estimator : Reducer
        An estimator of a method, fitted in place.
    X : dask array or dataframe of shape (n_samples, n_features)
        Blocks can be arrays, SciPy sparse matrices or frames, and may have no rows.
    y : dask array or series of shape (n_samples,), array-like, or str, optional
        Labels, as in ``fit`` of the estimator, or the name of a column of the dataframe X. Labels
        outside dask need an array X with known chunks. `classes_` are whole numbers if all classes
        are, otherwise text.
    must_link, cannot_link : array-like of shape (m, 2) or Pairs, optional
        Pairs of row numbers, counted through all partitions, for methods that learn from pairs.
    way : {"auto", "statistics", "coordinates"}, default="auto"
        ``"auto"``: use statistics if they are enough, else coordinates. ``"statistics"``: raise an
        error if they are not enough, instead of gathering coordinates of all rows.
        ``"coordinates"``: always use coordinates.

    Returns
    -------
    Reducer
        The same `estimator`.

    Raises
    ------
    Error, ValueError, TypeError
        An error of the library; a kernel, or row steps that are learned from all rows
        (``total:median``, ``idf``, ``select:K``); ``"statistics"`` for a method that needs every
        row; partitions or lengths that do not match; X is not a dask collection.

    Examples
    --------
    >>> import dask.array, numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> X = dask.array.from_array(x, chunks=(20, 5))
    >>> fda = penumbra.dask.fit(penumbra.FDA(), X, y)
    >>> z = penumbra.dask.transform(fda, X)
    >>> z.shape, np.allclose(z.compute(), penumbra.FDA().fit(x, y).transform(x))
    ((60, 2), True)
    """
    settings(estimator)
    pairs = {"must_link": must_link, "cannot_link": cannot_link}
    given = {name: value for name, value in pairs.items() if value is not None}
    linked = _linked(estimator, given)
    needed = _needed(estimator, way)
    blocks = _Blocks.of(X, y)
    if not needed:
        return _fit_coordinates(estimator, blocks, given)
    worker = _of_one_thread(estimator)
    merged = _computed(blocks.statistics(worker, blocks.kept(linked)))
    if needed & lib.PEN_PART_NEAREST:
        merged = Statistics.merge([merged, _computed(blocks.nearest(worker, merged))])
    merged.fit(estimator, **given)
    return estimator


def _needed(estimator: Reducer, asked: str) -> int:
    """Return the statistics that the fit needs; 0: coordinates of all rows."""
    if asked not in ("auto", "statistics", "coordinates"):
        raise Error(f"way must be auto, statistics or coordinates, got {asked!r}")
    needed = 0 if asked == "coordinates" else passes(estimator)
    if asked == "statistics" and not needed:
        raise Error(why_all(estimator))
    return needed


def _computed(task: _Task) -> Statistics:
    """Compute a task and return its result to this process."""
    with warnings.catch_warnings():
        # every worker needs all labelled rows for a second pass
        warnings.filterwarnings("ignore", "Sending large graph")
        (found,) = _dask().compute(task)
    return typing.cast(Statistics, found)


def _fit_coordinates(
    estimator: _AnyReducer, blocks: _Blocks, pairs: dict[str, typing.Any]
) -> _AnyReducer:
    """Fit a method to principal components of all rows."""
    try:
        first, second = divided(estimator)
    except Error as error:
        here = "X.compute() brings all rows into this process"
        raise Error(f"{error}; {here}", error.code) from None
    first = _of_one_thread(first)
    unlabelled = dataclasses.replace(blocks, y=[None] * len(blocks.x))
    _computed(unlabelled.statistics(first, unlabelled.kept([]))).fit(first)
    z, y = blocks.coordinates(first)
    second.fit(z, y, **pairs)
    take(estimator, Model.compose(first._model, second._model))
    for name in ("graphs_", "graph_"):
        if hasattr(second, name):
            setattr(estimator, name, getattr(second, name))
    return estimator


# ---- applying ----


def _map(
    function: typing.Any, estimator: Reducer, X: _Collection, columns: typing.Any, dtype: typing.Any
) -> typing.Any:
    """Apply a function to partitions, lazily; columns: names, or None for one value per row."""
    _require_collection(X)
    X = _whole_rows(X)
    header = X._meta if _is_frame(X) else np.empty((0, X.shape[1]))
    validate_data(estimator, header, reset=False, skip_check_array=True)
    if _is_frame(X):
        width = () if columns is None else (len(columns),)
        meta = _framed(np.empty((0, *width), dtype), X._meta.iloc[:0], columns or "class")
        return X.map_partitions(function, estimator, meta=meta)
    shape = {"drop_axis": 1} if columns is None else {"chunks": (X.chunks[0], (len(columns),))}
    meta = np.empty(0 if columns is None else (0, 0), dtype)
    return X.map_blocks(
        function, estimator, dtype=dtype, meta=meta, token=function.__name__, **shape
    )


def transform(estimator: Reducer, X: _Collection) -> typing.Any:
    """Embed the partitions, lazily, as the same kind of dask collection as X.

    A dataframe keeps the index of X and has columns such as ``fda0``. NotFittedError,
    AttributeError: the estimator is not fitted, or has no classifier; TypeError: X is not a dask
    collection; ValueError: the columns differ from the fit. Errors in rows appear when dask
    computes the result.
    """
    check_is_fitted(estimator)
    _require_collection(X)
    names = list(estimator.get_feature_names_out())
    return _map(penumbra_transform, estimator, X, names, _type(X))


def predict(estimator: Reducer, X: _Collection) -> typing.Any:
    """Predict classes, lazily, as a series if X is a dataframe. Errors as in `transform`."""
    check_is_fitted(estimator)
    estimator.predict  # noqa: B018 (raise an AttributeError here, not in a task)
    return _map(penumbra_predict, estimator, X, None, estimator.classes_.dtype)


def predict_proba(estimator: Reducer, X: _Collection) -> typing.Any:
    """Predict class probabilities, lazily, in the order of `classes_`, which are the columns if X
    is a dataframe. Errors as in `transform`."""
    check_is_fitted(estimator)
    estimator.predict_proba  # noqa: B018
    return _map(penumbra_predict_proba, estimator, X, list(estimator.classes_), np.float64)
