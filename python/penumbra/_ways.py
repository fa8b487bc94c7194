"""How an estimator can be fitted to rows that are in several places."""

from __future__ import annotations

import functools
import typing

import numpy as np

from penumbra._estimators import Reducer
from penumbra._native import Error
from penumbra._stats import Statistics

# one: from statistics of one pass over the rows; two: of two passes; all: it needs every row, which
# are reduced to their principal components.
Way = typing.Literal["one", "two", "all"]

# Parameters that depend on the number of rows or columns, which the few rows below do not have.
_OF_SIZES = ("n_components", "pca", "random_state", "n_neighbors")


@functools.lru_cache(maxsize=256)
def _way(cls: typing.Any, values: tuple[tuple[str, typing.Any], ...]) -> tuple[Way, str]:
    """The library knows when a method asks for what is not there: so a few rows are fitted."""
    probe: Reducer = cls(**dict(values))
    y = np.arange(60) % 3
    x = np.random.default_rng(0).random(size=(60, 6)) + 4 * np.eye(6)[y]  # as row steps need it
    try:
        statistics = Statistics(probe, x, y)
    except Error as error:
        return ("all", str(error)) if error.code == "PEN_BAD_ARGUMENT" else ("one", "")
    try:
        statistics.model(probe)
    except Error as error:
        if error.code != "PEN_BAD_ARGUMENT":
            return "one", ""
        why = str(error)
    else:
        return "one", ""
    try:
        Statistics.merge([statistics, statistics.nearest(probe, x, y)]).model(probe)
    except Error:
        return "all", why
    return "two", why


def way(estimator: Reducer) -> tuple[Way, str]:
    """How the method of an estimator is fitted with its parameters, and why not in one pass."""
    values = {name: value for name, value in estimator._values().items() if name not in _OF_SIZES}
    try:
        cls: typing.Any = type(estimator)
        return _way(cls, tuple(sorted(values.items())))
    except TypeError:  # a value that no parameter has: the message comes with the rows
        return "one", ""
