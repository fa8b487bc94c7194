"""How an estimator can be fitted to rows that are in several places."""

from __future__ import annotations

import functools
import typing

import numpy as np

from penumbra._estimators import Reducer
from penumbra._native import Error
from penumbra._stats import Statistics

# one: from statistics of one pass over the rows; two: of two passes; pairs: of one pass, and two
# over pairs of blocks; residuals: of one pass, one over pairs of blocks, and one with neighbors in
# other blocks; all: it needs every row, which are reduced to their principal components.
Way = typing.Literal["one", "two", "pairs", "residuals", "all"]

# Parameters that depend on the number of rows or columns, which the few rows below do not have.
_OF_SIZES = (
    *("n_components", "pca", "pca_most", "random_state", "max_pairs"),
    *("n_neighbors", "snn_neighbors", "manifold_neighbors"),
)


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
    if _works(lambda: Statistics.merge([statistics, statistics.nearest(probe, x, y)]).model(probe)):
        return "two", why
    if _works(lambda: _fit_pairs(probe, statistics, x)):
        return "pairs", why
    return ("residuals" if _works(lambda: _fit_residuals(probe, statistics, x)) else "all"), why


def _fit_pairs(probe: Reducer, statistics: Statistics, x: np.ndarray) -> None:
    """The passes over pairs of blocks, of which there is one."""
    listed = Statistics.merge([statistics, statistics.lists(probe, x)])
    edges = listed.graph(probe).edges(probe, x)
    Statistics.merge([listed, edges]).model(probe)


def _fit_residuals(probe: Reducer, statistics: Statistics, x: np.ndarray) -> None:
    """Likewise where rows are reconstructed."""
    listed = Statistics.merge([statistics, statistics.lists(probe, x)])
    Statistics.merge([listed, listed.residuals(probe, x)]).model(probe)


def _works(attempt: typing.Callable[[], object]) -> bool:
    try:
        attempt()
    except Error:
        return False
    return True


def way(estimator: Reducer) -> tuple[Way, str]:
    """How the method of an estimator is fitted with its parameters, and why not in one pass."""
    values = {name: value for name, value in estimator._values().items() if name not in _OF_SIZES}
    try:
        cls: typing.Any = type(estimator)
        return _way(cls, tuple(sorted(values.items())))
    except TypeError:  # a value that no parameter has: the message comes with the rows
        return "one", ""
