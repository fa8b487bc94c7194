"""Nearest neighbors, and graphs of rows as SciPy matrices."""

from __future__ import annotations

import typing

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.utils.validation import check_array

from penumbra import _rows
from penumbra._c import ffi, lib
from penumbra._calls import call
from penumbra._native import Error, at, text


def sparse(graph: typing.Any) -> _rows.Given:
    """Make a pen_sparse of a SciPy matrix or array."""
    if not issparse(graph):
        raise TypeError(
            f"graph must be a SciPy sparse matrix of distances, got {type(graph).__name__}"
        )
    rows = graph.tocsr()
    given = _rows.Given("pen_sparse *", {"rows": rows.shape[0], "cols": rows.shape[1]})
    for name, kind, values, dtype in (
        ("starts", "int64_t *", rows.indptr, np.int64),
        ("columns", "int64_t *", rows.indices, np.int64),
        ("values", "double *", rows.data, np.float64),
    ):
        setattr(given.raw, name, given.numbers(kind, np.ascontiguousarray(values, dtype)))
    return given


def _matrix(raw: typing.Any) -> csr_matrix:
    entries = raw.starts[raw.rows]
    index = np.int32 if max(entries, raw.cols) < 2**31 else np.int64
    columns = _rows.numbers_at(raw.columns, entries, dtype=np.int64).astype(index)
    starts = _rows.numbers_at(raw.starts, raw.rows + 1, dtype=np.int64).astype(index)
    values = _rows.numbers_at(raw.values, entries)
    return csr_matrix((values, columns, starts), shape=(raw.rows, raw.cols))


def matrices(model: typing.Any) -> dict[str, csr_matrix]:
    """Return the graphs that a pen_model keeps, by name."""
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
    """Find the exact nearest neighbors of every row, as a graph of distances.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    n_neighbors : int, default=5
        The number of other rows to find for each row, at most n_samples - 1.
    queries : array-like of shape (n_queries, n_features), optional
        Find the nearest rows of X for each of these rows instead. A query that is also a row of X
        finds that row, at distance 0.
    n_jobs : int, optional
        Threads: None or -1 for all cores that the process may use.
    verbose : bool, default=False
        Show progress.

    Returns
    -------
    scipy.sparse.csr_matrix of shape (n_samples, n_samples), or (n_queries, n_samples)
        Distances, `n_neighbors` entries per row, nearest first, ties by row number. Equal rows are
        stored entries of 0: do not call ``eliminate_zeros``. Methods that use neighbors take it as
        `graph` in ``fit``.

    Raises
    ------
    Error
        A value is NaN or infinite, or the number of neighbors is out of range.

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
    x = check_array(_rows.unwrap(X), **_rows.CHECKS)
    k = _rows.whole("n_neighbors", n_neighbors, 1)
    q = x if queries is None else check_array(_rows.unwrap(queries), **_rows.CHECKS)
    n, others = q.shape[0], x.shape[0] - (queries is None)
    if k > others:
        what = "other rows" if queries is None else "rows"
        raise Error(f"n_neighbors must be in [1, {others}], the number of {what}, got {k}")
    rows, query_rows = _rows.rows(x), _rows.rows(q)
    asked = ffi.NULL if queries is None else query_rows.raw
    index = np.empty(n * k, np.int64)
    distance = np.empty(n * k)
    into = (at("int64_t *", index), at("double *", distance))
    call(lib.pen_neighbors, (rows.raw, asked, k), into, n_jobs, verbose)
    return csr_matrix((distance, index, np.arange(n + 1) * k), shape=(n, x.shape[0]))
