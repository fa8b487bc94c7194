"""Shared parts of trials: arguments, folds, specs as estimators, messages."""

from __future__ import annotations

import collections.abc
import numbers
import typing

import numpy as np

from penumbra import _rows
from penumbra._c import lib
from penumbra._estimators import Reducer, class_of, drawn_seed
from penumbra._native import Error, spec_values, text

# ---- arguments ----


def whole(name: str, value: typing.Any, low: int) -> int:
    """Return a whole number; None becomes 0, the default of the library."""
    return 0 if value is None else _rows.whole(name, value, low)


def seed_of(random_state: typing.Any) -> int:
    """Return the seed of a random_state; None is 0."""
    seed = drawn_seed(random_state)
    return 0 if seed is None else _rows.whole("random_state", seed, 0, 2**64 - 1)


def flag(name: str, value: typing.Any) -> bool:
    """Return a Python or NumPy bool as a bool; refuse anything else."""
    if not isinstance(value, (bool, np.bool_)):
        raise Error(f"{name} must be True or False, got {value!r}")
    return bool(value)


# ---- given folds: arrays, splitters, pairs of lists of row numbers ----

Folds = typing.Any  # int, array-like, splitter or iterable of (train, test)


def given_folds(folds: Folds, codes: np.ndarray, groups: typing.Any = None) -> np.ndarray | None:
    """Return the fold of each row by run, int32 (n_runs, n); None if `folds` is a number or None.

    `codes`: the classes of the rows, -1 for unlabelled ones; `groups`: for a splitter.
    """
    if folds is None or isinstance(folds, (bool, np.bool_, numbers.Number, str)):
        return None
    if hasattr(folds, "split"):
        return _of_splits(folds.split(np.zeros((len(codes), 1)), codes, groups), codes)
    listed = isinstance(folds, (list, tuple)) and len(folds) > 0
    are_splits = listed and all(isinstance(pair, tuple) and len(pair) == 2 for pair in folds)
    if isinstance(folds, collections.abc.Iterator) or are_splits:
        return _of_splits(folds, codes)
    return _of_array(folds, len(codes))


def _of_array(folds: typing.Any, n: int) -> np.ndarray:
    try:
        values = np.asarray(folds, dtype=np.float64)
    except (TypeError, ValueError):
        raise Error(f"cv must be whole numbers, a row for each of the {n} rows") from None
    table = values[:, None] if values.ndim == 1 else values
    if table.ndim != 2 or len(table) != n or table.shape[1] == 0:
        raise Error(f"cv must have the shape ({n},) or ({n}, n_runs), got {values.shape}")
    table = np.where(np.isnan(table), -1, table)
    bad = (table != np.floor(table)) | (table < -1) | (table > np.iinfo(np.int32).max)
    if bad.any():
        i, r = np.argwhere(bad)[0]
        raise Error(
            "cv must be whole numbers >= 0, or -1: never held out,"
            f" got {table[i, r]:g} for row {i} in run {r + 1}"
        )
    return np.ascontiguousarray(table.T, dtype=np.int32)


def _of_splits(splits: typing.Iterable[typing.Any], codes: np.ndarray) -> np.ndarray:
    """Start a new run when a test part repeats a row. If runs would differ in their number of
    folds, as for independently drawn test parts, each part becomes a run."""
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
                f"cv: split {k} has labelled row {row} in neither part; all rows that are not held"
                " out are learned from, so remove rows that must not be"
            )
        if not runs or held[test].any():
            runs.append(np.full(n, -1, dtype=np.int32))
            held[:] = False
        runs[-1][test] = runs[-1].max() + 1
        held[test] = True
        parts.append(np.where(np.isin(np.arange(n), test), 0, -1).astype(np.int32))
    if not runs:
        raise Error("cv must have at least one split, got none")
    alike = len({run.max() for run in runs}) == 1
    return np.stack(runs if alike else parts)


# ---- results of the library ----


def estimator_of(raw: typing.Any) -> Reducer:
    """Make an unfitted estimator with the parameters of a pen_spec."""
    return class_of(text(lib.pen_spec_method(raw).name))._of(spec_values(raw))


def parameters_of(estimator: Reducer) -> dict[str, typing.Any]:
    """Return the parameters that differ from their defaults, in order."""
    defaults = type(estimator)().get_params(deep=False)
    values = {name: getattr(estimator, name) for name in defaults}
    return {name: value for name, value in values.items() if value != defaults[name]}


def no_better(accuracy: float, error: float, chance: float, *, uncertain: bool = False) -> str:
    """Return the message for labels that are predicted no better than by guessing.

    uncertain: the message may say that the labels are too few to tell.
    """
    uncertain = uncertain and accuracy - error > chance
    return (
        "these labels "
        + ("are too few to tell whether they" if uncertain else "do not")
        + " predict classes here (accuracy"
        f" {accuracy:.2f} ± {error:.2f}, guessing {chance:.2f})"
    )
