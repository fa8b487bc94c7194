"""Semi-supervised dimensionality reduction.

Learn a small projection ``z = (x - mean) @ W`` from many rows and a few labels, or from pairs of
rows of the same or of different classes. Each method of the C library is a scikit-learn estimator:
``penumbra.SELF``, ``penumbra.FME``, ``penumbra.SODRPaC`` and so on. ``penumbra.methods()`` lists
them. ``penumbra.AutoReducer`` chooses for you.

>>> import numpy as np, penumbra
>>> x = np.random.default_rng(0).normal(size=(60, 4)) + 4 * np.eye(4)[np.arange(60) % 3]
>>> y = np.where(np.arange(60) < 9, np.arange(60) % 3, -1)
>>> penumbra.SELF(n_components=2).fit(x, y).transform(x).shape
(60, 2)
"""

from __future__ import annotations

import importlib
import sys
import typing

from penumbra import _names
from penumbra._native import Error as Error
from penumbra._native import PenumbraWarning as PenumbraWarning
from penumbra._native import __version__ as __version__
from penumbra._native import class_names
from penumbra._native import methods as methods

if typing.TYPE_CHECKING:  # "as": type checkers then treat the names as public
    from penumbra import dask as dask
    from penumbra import plot as plot
    from penumbra import pp as pp
    from penumbra._auto import AutoReducer as AutoReducer
    from penumbra._comparison import Comparison as Comparison
    from penumbra._comparison import compare as compare
    from penumbra._estimators import Reducer as Reducer
    from penumbra._estimators import Rows as Rows
    from penumbra._estimators import load as load
    from penumbra._explore import explore as explore
    from penumbra._graphs import kneighbors_graph as kneighbors_graph
    from penumbra._methods import *  # noqa: F403
    from penumbra._pairs import Pairs as Pairs
    from penumbra._selection import LabelledOnly as LabelledOnly
    from penumbra._selection import SemiSupervisedKFold as SemiSupervisedKFold
    from penumbra._selection import labelled_scorer as labelled_scorer
    from penumbra._stats import Statistics as Statistics

# The modules of names that need NumPy and scikit-learn. They are loaded on first use.
_HOMES = {
    "AutoReducer": "_auto",
    "Comparison": "_comparison",
    "LabelledOnly": "_selection",
    "Pairs": "_pairs",
    "Reducer": "_estimators",
    "Rows": "_estimators",
    "SemiSupervisedKFold": "_selection",
    "Statistics": "_stats",
    "compare": "_comparison",
    "explore": "_explore",
    "labelled_scorer": "_selection",
    "load": "_estimators",
    "kneighbors_graph": "_graphs",
    **dict.fromkeys(class_names(), "_methods"),
}

# Modules that need further packages.
_MODULES = ("dask", "plot", "pp")

if not typing.TYPE_CHECKING:  # type checkers would hide the classes and accept any attribute
    __all__ = ["Error", "PenumbraWarning", "__version__", "methods", *_HOMES, *_MODULES]

    def __getattr__(name: str) -> typing.Any:
        if name in _MODULES:
            return importlib.import_module(f"penumbra.{name}")
        if name not in _HOMES:
            message = f"module 'penumbra' has no attribute {name!r}"
            if name in _names.FORMER:
                message += f": it is now {_names.FORMER[name]}"
            else:
                known = (*_HOMES, *_MODULES)
                message += _names.did_you_mean(name, known, 0.75, of_methods=True)
            raise AttributeError(message, name=name, obj=sys.modules[__name__])
        value = getattr(importlib.import_module(f"penumbra.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES})
