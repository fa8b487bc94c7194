"""Folds that are given instead of dealt: arrays, splitters, pairs of lists of row numbers."""

from __future__ import annotations

import collections.abc
import numbers
import typing

import numpy as np

from penumbra._native import Error

Folds = typing.Any  # int, array-like, splitter or iterable of (train, test)


def given(folds: Folds, codes: np.ndarray, groups: typing.Any = None) -> np.ndarray | None:
    """The fold of each row by run, int32 (n_runs, n); None where `folds` is a number or None.

    `codes`: the classes of the rows, -1 for unlabelled ones; `groups`: for a splitter.
    """
    if folds is None or isinstance(folds, (bool, np.bool_, numbers.Number, str)):
        return None
    if hasattr(folds, "split"):
        return _of_splits(folds.split(np.zeros((len(codes), 1)), codes, groups), codes)
    if isinstance(folds, collections.abc.Iterator) or _are_splits(folds):
        return _of_splits(folds, codes)
    return _of_array(folds, len(codes))


def _are_splits(folds: typing.Any) -> bool:
    listed = isinstance(folds, (list, tuple)) and len(folds) > 0
    return listed and all(isinstance(pair, tuple) and len(pair) == 2 for pair in folds)


def _of_array(folds: typing.Any, n: int) -> np.ndarray:
    try:
        values = np.asarray(folds, dtype=np.float64)
    except (TypeError, ValueError):
        raise Error(f"folds must be whole numbers, a row for each of the {n} rows") from None
    table = values[:, None] if values.ndim == 1 else values
    if table.ndim != 2 or len(table) != n or table.shape[1] == 0:
        raise Error(f"folds must have the shape ({n},) or ({n}, n_runs), got {values.shape}")
    table = np.where(np.isnan(table), -1, table)
    bad = (table != np.floor(table)) | (table < -1) | (table > np.iinfo(np.int32).max)
    if bad.any():
        i, r = np.argwhere(bad)[0]
        raise Error(
            "folds must be whole numbers >= 0, or -1: never held out,"
            f" got {table[i, r]:g} for row {i} in run {r + 1}"
        )
    return np.ascontiguousarray(table.T, dtype=np.int32)


def _of_splits(splits: typing.Iterable[typing.Any], codes: np.ndarray) -> np.ndarray:
    """A run is over where a test part has a row that it has held out before. Where runs would
    have different numbers of folds, as test parts drawn anew may, each part is a run."""
    n = len(codes)
    runs: list[np.ndarray] = []
    parts: list[np.ndarray] = []
    held = np.ones(n, dtype=bool)
    for k, (train, test) in enumerate(splits):
        test = np.arange(n)[test]
        rest = np.ones(n, dtype=bool)
        rest[test] = False
        rest[train] = False
        if (rest & (codes >= 0)).any():
            row = np.nonzero(rest & (codes >= 0))[0][0]
            raise Error(
                f"folds: split {k} has labelled row {row} in neither part; rows that are not held"
                " out are learned from, so leave out what is not to be learned from"
            )
        if not runs or held[test].any():
            runs.append(np.full(n, -1, dtype=np.int32))
            held[:] = False
        runs[-1][test] = runs[-1].max() + 1
        held[test] = True
        parts.append(np.where(np.isin(np.arange(n), test), 0, -1).astype(np.int32))
    if not runs:
        raise Error("folds: there is no split")
    alike = len({run.max() for run in runs}) == 1
    return np.stack(runs if alike else parts)
