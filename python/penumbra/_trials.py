"""What trials share: arguments, specs as estimators, text, near copies of rows."""

from __future__ import annotations

import numbers
import typing

import numpy as np

from penumbra import _leaks
from penumbra._c import lib
from penumbra._estimators import Reducer, class_of, drawn_seed
from penumbra._native import Error, spec_values, text
from penumbra._rows import Data

# ---- arguments ----


def whole(name: str, value: typing.Any, low: int) -> int:
    """A whole number of at least `low`; 0, which is the default of the library, for None."""
    if value is None:
        return 0
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise Error(f"{name} must be a whole number, got {value!r}")
    if value < low:
        raise Error(f"{name} must be at least {low}, got {value}")
    return int(value)


def seed_of(random_state: typing.Any) -> int:
    """The seed that a random_state stands for; None is 0."""
    seed = whole("random_state", drawn_seed(random_state), 0)
    if seed >= 2**64:
        raise Error(f"random_state must be in [0, 2**64 - 1], got {random_state}")
    return seed


def flag(name: str, value: typing.Any) -> bool:
    """True or False, also of NumPy."""
    if not isinstance(value, (bool, np.bool_)):
        raise Error(f"{name} must be True or False, got {value!r}")
    return bool(value)


# ---- results of the library ----


def estimator_of(raw: typing.Any) -> Reducer:
    """An unfitted estimator with the parameters of a pen_spec."""
    return class_of(text(lib.pen_spec_method(raw).name))._of(spec_values(raw))


def parameters_of(estimator: Reducer) -> dict[str, typing.Any]:
    """The parameters that differ from their defaults, in their order."""
    defaults = type(estimator)().get_params(deep=False)
    values = {name: getattr(estimator, name) for name in defaults}
    return {name: value for name, value in values.items() if value != defaults[name]}


# ---- text ----


def no_better(accuracy: float, error: float, chance: float, *, few: bool = False) -> str:
    """What is said of labels that are predicted no better than by guessing, give or take `error`.

    few: unless they are too few to tell.
    """
    few = few and accuracy - error > chance
    return (
        "these labels "
        + ("are too few to tell whether they" if few else "do not")
        + " predict classes here (accuracy"
        f" {accuracy:.2f} ± {error:.2f}, guessing {chance:.2f})"
    )


# ---- copies ----


def copies(data: Data) -> tuple[str, ...]:
    """A warning of near copies of labelled rows; data without finite rows have none."""
    share = _leaks.copies(data)
    if share == 0:
        return ()
    return (
        f"{100 * share:.0f} % of the labelled rows have near copies of their class, which tell"
        " it when one is held out; if they are of one sample, groups says which",
    )
