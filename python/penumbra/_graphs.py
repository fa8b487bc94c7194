"""Nearest neighbors, and graphs of rows as SciPy has them."""

from __future__ import annotations

import typing

import numpy as np
from sklearn.utils.validation import check_array

from penumbra import _rows
from penumbra._c import ffi, lib
from penumbra._calls import call
from penumbra._native import Error, text

if typing.TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Sparse:
    """A pen_sparse of a SciPy matrix or array, and the memory that it points to."""

    def __init__(self, graph: typing.Any) -> None:
        from scipy import sparse

        if not sparse.issparse(graph):
            raise TypeError(
                f"graph must be a SciPy sparse matrix of distances, got {type(graph).__name__}"
            )
        rows = graph.tocsr()
        self._kept = (
            np.ascontiguousarray(rows.indptr, dtype=np.int64),
            np.ascontiguousarray(rows.indices, dtype=np.int64),
            np.ascontiguousarray(rows.data, dtype=np.float64),
        )
        starts, columns, values = self._kept
        self.raw = ffi.new(
            "pen_sparse *",
            {
                "rows": rows.shape[0],
                "cols": rows.shape[1],
                "starts": ffi.cast("int64_t *", starts.ctypes.data),
                "columns": ffi.cast("int64_t *", columns.ctypes.data),
                "values": ffi.cast("double *", values.ctypes.data),
            },
        )


def _numbers(pointer: typing.Any, count: int, kind: str, dtype: typing.Any) -> np.ndarray:
    """A copy of `count` numbers of the library."""
    if count == 0:
        return np.empty(0, dtype)
    array: np.ndarray = np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=kind).astype(dtype)
    return array


def _matrix(raw: typing.Any) -> csr_matrix:
    from scipy.sparse import csr_matrix

    entries = raw.starts[raw.rows]
    index = np.int32 if max(entries, raw.cols) < 2**31 else np.int64
    return csr_matrix(
        (
            _numbers(raw.values, entries, "f8", np.float64),
            _numbers(raw.columns, entries, "i8", index),
            _numbers(raw.starts, raw.rows + 1, "i8", index),
        ),
        shape=(raw.rows, raw.cols),
    )


def matrices(model: typing.Any) -> dict[str, csr_matrix]:
    """The graphs that a pen_model keeps, by their names."""
    found: dict[str, csr_matrix] = {}
    name = ffi.new("const char **")
    while graph := lib.pen_model_graph(model, len(found), name):
        found[text(name[0])] = _matrix(graph)
    return found


def kneighbors_graph(
    X: _rows.Matrix,
    n_neighbors: int = 5,
    *,
    queries: _rows.Matrix | None = None,
    n_jobs: int | None = None,
    verbose: bool | int = False,
) -> csr_matrix:
    """The exact nearest neighbors of every row, as a graph of distances.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    n_neighbors : int, default=5
        Other rows found for each row, at most n_samples - 1.
    queries : array-like of shape (n_queries, n_features), optional
        Rows for each of which the nearest rows of X are found, in place of the rows of X and the
        others than they. A query that is also a row of X finds that row, at distance 0.
    n_jobs : int, optional
        Threads: None or -1 for all cores that the process may use.
    verbose : bool, default=False
        Show progress.

    Returns
    -------
    scipy.sparse.csr_matrix of shape (n_samples, n_samples), or (n_queries, n_samples)
        Of distances, `n_neighbors` entries a row, nearest first, ties by row number. Equal rows are
        stored entries of 0: do not call ``eliminate_zeros``. ``fit`` of the methods that use
        neighbors takes it as `graph`.

    Raises
    ------
    Error
        NaN or infinite values; a number of neighbors out of range.

    Examples
    --------
    >>> import penumbra
    >>> penumbra.kneighbors_graph([[0.0], [1.0], [3.0]], 1).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 2., 0.]])
    >>> penumbra.kneighbors_graph([[0.0], [1.0], [3.0]], 2, queries=[[2.5]]).toarray()
    array([[0. , 1.5, 0.5]])
    """
    from scipy.sparse import csr_matrix

    x = _checked(X)
    k = _rows.whole("n_neighbors", n_neighbors, 1)
    q = x if queries is None else _checked(queries)
    n, others = q.shape[0], x.shape[0] - (queries is None)
    if k > others:
        what = "other rows" if queries is None else "rows"
        raise Error(f"n_neighbors must be in [1, {others}], the number of {what}, got {k}")
    rows, query_rows = _rows.rows(x), _rows.rows(q)
    array = ffi.new("pen_array *", rows.raw)
    query_array = ffi.NULL if queries is None else ffi.new("pen_array *", query_rows.raw)
    index = np.empty(n * k, np.int64)
    distance = np.empty(n * k)
    to_index = ffi.cast("int64_t *", index.ctypes.data)
    to_distance = ffi.cast("double *", distance.ctypes.data)
    call(
        lambda control, error: lib.pen_neighbors(
            array, query_array, k, control, to_index, to_distance, error
        ),
        n_jobs,
        verbose,
    )
    return csr_matrix((distance, index, np.arange(n + 1) * k), shape=(n, x.shape[0]))


def _checked(X: _rows.Matrix) -> typing.Any:
    return check_array(
        _rows.unwrap(X),
        accept_sparse="csr",
        dtype=[np.float64, np.float32, np.uint8],
        ensure_all_finite=False,
    )
