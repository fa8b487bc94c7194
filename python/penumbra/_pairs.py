"""Pairs of rows for one fit, given by row numbers, by ids of rows, or by groups."""

from __future__ import annotations

import typing

import numpy as np

from penumbra._native import Error
from penumbra._rows import classes

# The most pairs within groups: the library lists every pair of a group, 16 bytes each.
_MOST_GROUP_PAIRS = 50_000_000


class Pairs:
    """Pairs of row ids that scikit-learn does not split.

    scikit-learn splits every argument that is as long as the rows into folds. A list of pairs of
    this length would lose pairs. scikit-learn does not split a `Pairs` object.

    Parameters
    ----------
    pairs : array-like of shape (m, 2)
        Ids, as in `row_id`; without `row_id`, row numbers.
    weights : array-like of shape (m,), optional
        Weights >= 0 of the pairs. None: all 1. A pair with weight 0 is ignored.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> x = np.random.default_rng(0).normal(size=(6, 2))
    >>> pairs = penumbra.Pairs([[10, 11], [12, 13], [14, 15], [10, 12], [11, 13], [10, 13]])
    >>> model = penumbra.RCA().fit(x, must_link=pairs, row_id=[10, 11, 12, 13, 14, 15])
    >>> model.n_features_in_
    2
    """

    def __init__(self, pairs: typing.Any, weights: typing.Any = None) -> None:
        self.pairs = pairs
        self.weights = weights

    def __repr__(self) -> str:
        weights = "" if self.weights is None else f", weights={self.weights!r}"
        return f"Pairs({self.pairs!r}{weights})"


def _ids(values: typing.Any) -> np.ndarray:
    """Return an array of int64 or of text; convert objects, such as text of pandas, and whole
    numbers of any type."""
    array = np.asarray(values)
    if array.dtype.kind == "O":
        array = np.array(array.tolist())
    if array.dtype.kind == "f" and (abs(array) <= 2**53).all() and (array % 1 == 0).all():
        array = array.astype(np.int64)
    if array.dtype.kind == "u":
        if array.size and array.max() > np.iinfo(np.int64).max:
            raise Error(f"ids must be below 2**63, got {array.max()}", "PEN_BAD_PAIR")
        array = array.astype(np.int64)
    return array


def _two_columns(pairs: typing.Any, name: str) -> np.ndarray:
    array = _ids(pairs.pairs if isinstance(pairs, Pairs) else pairs)
    if array.size == 0:
        return np.empty((0, 2), array.dtype if array.ndim == 2 else np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise Error(f"{name} must have shape (m, 2), got {array.shape}", "PEN_BAD_PAIR")
    return array


def _weights(pairs: typing.Any, name: str, count: int) -> np.ndarray | None:
    """Return the weights of the pairs; the library checks their range."""
    given = pairs.weights if isinstance(pairs, Pairs) else None
    if given is None:
        return None
    weights = np.asarray(given)
    if weights.shape != (count,) or weights.dtype.kind not in "biuf":
        raise Error(
            f"{name}: weights must be one number per pair, ({count},), got"
            f" {weights.dtype} of shape {weights.shape}",
            "PEN_BAD_PAIR",
        )
    return weights.astype(np.float64)


def _by_id(
    pairs: typing.Any, name: str, row_id: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return row numbers of pairs of ids, and the weights of these pairs; leave out pairs with
    unknown ids."""
    array = _two_columns(pairs, name)
    if not isinstance(pairs, Pairs) and len(array) == len(row_id):
        raise Error(
            f"{name} has as many pairs as X has rows, {len(array)}: in a search scikit-learn"
            f" would split it with the rows. Pass {name}=penumbra.Pairs({name})",
            "PEN_BAD_PAIR",
        )
    if not len(array):
        return np.empty((0, 2), np.int64), _weights(pairs, name, 0)
    if array.dtype.kind != row_id.dtype.kind:
        raise Error(
            f"{name} and row_id must hold ids of one type, got {array.dtype} and {row_id.dtype}",
            "PEN_BAD_PAIR",
        )
    order = np.argsort(row_id, kind="stable")
    at = np.searchsorted(row_id[order], array)
    found = order[np.minimum(at, len(order) - 1)]
    present = (row_id[found] == array).all(axis=1)
    weights = _weights(pairs, name, len(array))
    return found[present].astype(np.int64), None if weights is None else weights[present]


def _within(group: typing.Any, n: int) -> np.ndarray:
    """Return all pairs of rows within each group."""
    codes = classes(group, "must_link").codes
    if len(codes) != n:
        raise Error(
            f"must_link must have shape (m, 2), or a group for each of the {n} rows, got"
            f" ({len(codes)},)",
            "PEN_BAD_PAIR",
        )
    members = np.argsort(codes, kind="stable")[np.count_nonzero(codes < 0) :]
    groups = np.split(members, np.nonzero(np.diff(codes[members]))[0] + 1)
    total = sum(len(g) * (len(g) - 1) // 2 for g in groups)
    if total > _MOST_GROUP_PAIRS:
        raise Error(
            f"must_link: groups must give at most {_MOST_GROUP_PAIRS} pairs of rows, got {total}:"
            " pass them as labels y, or fewer rows of each",
            "PEN_BAD_PAIR",
        )
    pairs = [np.stack([g[a] for a in np.triu_indices(len(g), 1)], axis=1) for g in groups]
    return np.concatenate([np.empty((0, 2), np.int64), *pairs])


class Gathered(typing.NamedTuple):
    """Must-links and cannot-links as row numbers [m x 2], and their weights [m]; None: not given,
    or all 1."""

    must_link: np.ndarray | None
    cannot_link: np.ndarray | None
    must_link_weights: np.ndarray | None
    cannot_link_weights: np.ndarray | None


def _checked_ids(row_id: typing.Any, n: int) -> np.ndarray:
    ids = _ids(row_id)
    if ids.shape != (n,):
        raise Error(f"row_id must have one id per row, ({n},), got {ids.shape}", "PEN_BAD_PAIR")
    unique, counts = np.unique(ids, return_counts=True)
    if len(unique) != n:
        twice = unique[counts > 1][0]
        raise Error(f"row_id must be different for all rows, got {twice} twice", "PEN_BAD_PAIR")
    return ids


def gather(
    n: int, must_link: typing.Any = None, cannot_link: typing.Any = None, row_id: typing.Any = None
) -> Gathered:
    """Return the pairs of one fit as row numbers."""
    ids = None if row_id is None else _checked_ids(row_id, n)

    def read(pairs: typing.Any, name: str) -> tuple[np.ndarray | None, np.ndarray | None]:
        if pairs is None:
            return None, None
        if name == "must_link" and not isinstance(pairs, Pairs) and np.ndim(pairs) == 1:
            return (_within(pairs, n) if len(pairs) else np.empty((0, 2), np.int64)), None
        if ids is not None:
            return _by_id(pairs, name, ids)
        numbers = _two_columns(pairs, name)  # the library checks their range
        if numbers.size and numbers.dtype.kind not in "iu":
            message = f"{name} must hold row numbers (or pass row_id), got {numbers.dtype}"
            raise Error(message, "PEN_BAD_PAIR")
        return numbers.astype(np.int64), _weights(pairs, name, len(numbers))

    must, must_weights = read(must_link, "must_link")
    cannot, cannot_weights = read(cannot_link, "cannot_link")
    arrays = (must, cannot, must_weights, cannot_weights)
    return Gathered(*(None if each is None else np.ascontiguousarray(each) for each in arrays))
