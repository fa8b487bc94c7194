"""What compare, evaluate and tune share: the protocol of trials, text, data in numbers, leaks."""

from __future__ import annotations

import dataclasses
import math
import numbers
import typing
import weakref

import numpy as np

from penumbra import _folds, _leaks
from penumbra._c import ffi, lib
from penumbra._estimators import Reducer, drawn_seed
from penumbra._native import Error, method_named, spec_values, text
from penumbra._rows import Classes, Data

# Accuracies on fewer held-out rows than these have two decimals.
_FEW_ROWS = 100
_NAMES_SHOWN = 8


def digits(held_out: int) -> int:
    """The number of decimals of an accuracy on this number of rows."""
    return 2 if held_out < _FEW_ROWS else 4


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


def positive(name: str, value: typing.Any) -> float:
    """A number above 0; 0, which is the default of the library, for None."""
    if value is None:
        return 0.0
    if not isinstance(value, numbers.Real) or not 0 < float(value) < math.inf:
        raise Error(f"{name} must be a number above 0, got {value!r}")
    return float(value)


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


# The folds that protocols point into.
_FOLDS: weakref.WeakKeyDictionary[typing.Any, np.ndarray] = weakref.WeakKeyDictionary()


def protocol(
    folds: typing.Any = None,
    runs: typing.Any = None,
    inductive: bool = False,
    random_state: typing.Any = 0,
    *,
    shuffle: bool = False,
    effort: typing.Any = None,
    kernels: bool = False,
    codes: np.ndarray | None = None,
    groups: typing.Any = None,
    keep_per_class: typing.Any = None,
    keep_percent: typing.Any = None,
) -> typing.Any:
    """A pen_protocol of arguments of compare, evaluate and tune; None is the default.

    `codes`: the classes of the rows, where `folds` may be those of each row; `groups`: for a
    splitter.
    """
    fold_of = None if codes is None else _folds.given(folds, codes, groups)
    if keep_per_class is not None and keep_percent is not None:
        raise Error(
            "keep_per_class and keep_percent cannot both be given, got"
            f" {keep_per_class!r} and {keep_percent!r}"
        )
    if fold_of is not None:
        if runs is not None and whole("runs", runs, 1) != len(fold_of):
            raise Error(f"runs is {runs}, but folds are those of {len(fold_of)}")
        runs = len(fold_of)
        folds = None  # its different numbers
    raw = ffi.new(
        "pen_protocol *",
        {
            "folds": whole("folds", folds, 2),
            "runs": whole("runs", runs, 1),
            "inductive": flag("inductive", inductive),
            "seed": seed_of(random_state),
            "shuffle": flag("shuffle", shuffle),
            "effort": positive("effort", effort),
            "kernels": flag("kernels", kernels),
            "labels": {
                "per_class": whole("keep_per_class", keep_per_class, 1),
                "percent": positive("keep_percent", keep_percent),
            },
        },
    )
    if fold_of is not None:
        raw.fold_of = ffi.cast("int32_t *", fold_of.ctypes.data)
        _FOLDS[raw] = fold_of
    return raw


def codes_of(classes: Classes | None) -> np.ndarray | None:
    """The classes of the rows in numbers; None: there are none."""
    return None if classes is None else classes.codes


# ---- results of the library ----


def estimator_of(raw: typing.Any) -> Reducer:
    """An unfitted estimator with the parameters of a pen_spec."""
    import penumbra

    method = method_named(text(lib.pen_spec_method(raw).name))
    cls: type[Reducer] = getattr(penumbra, method.class_name)
    return cls._of(spec_values(raw))


def parameters_of(estimator: Reducer) -> dict[str, typing.Any]:
    """The parameters that differ from their defaults, in their order."""
    defaults = type(estimator)().get_params(deep=False)
    values = {name: getattr(estimator, name) for name in defaults}
    return {name: value for name, value in values.items() if value != defaults[name]}


def call_text(parameters: typing.Mapping[str, typing.Any]) -> str:
    """Parameters as Python writes them: ``beta=0.5, pca=100``."""
    return ", ".join(f"{name}={value!r}" for name, value in parameters.items())


def settings_text(parameters: typing.Mapping[str, typing.Any]) -> str:
    """The same in a table that has a column of its own for the dimensions."""
    return call_text({k: v for k, v in parameters.items() if k != "n_components"})


# ---- text ----


def fixed(value: float, digits: int, none: str = "") -> str:
    """A number with `digits` decimals; `none` for NaN."""
    return none if math.isnan(value) else f"{value:.{digits}f}"


def with_deviation(mean: float, deviation: float, digits: int) -> str:
    """``0.9120 +- 0.0200``; NaN as a deviation: there is none."""
    if math.isnan(deviation):
        return fixed(mean, digits, "-")
    return f"{fixed(mean, digits)} +- {fixed(deviation, digits)}"


# Half the width of the interval that holds the truth in 90 of 100 cases, in standard errors.
_HALF_WIDTH = 1.645


def give_or_take(mean: float, error: float) -> str:
    """``0.92 ± 0.03``: a mean by its standard error."""
    return f"{mean:.2f} ± {_HALF_WIDTH * error:.2f}"


def no_better(accuracy: float, error: float, chance: float, *, few: bool = False) -> str:
    """What is said of labels that are predicted no better than by guessing.

    few: unless they are too few to tell.
    """
    few = few and accuracy - _HALF_WIDTH * error > chance
    return (
        "these labels "
        + ("are too few to tell whether they" if few else "do not")
        + " predict classes here (accuracy"
        f" {give_or_take(accuracy, error)}, guessing {chance:.2f})"
    )


def aligned(rows: typing.Sequence[typing.Sequence[str]], right: typing.Container[int] = ()) -> str:
    """Lines of cells in columns; columns in `right` are aligned there, the last is as it comes."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if j in right else cell.ljust(width)
            for j, (cell, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


# ---- the data ----


def folds_of(data: Data, raw: typing.Any) -> int:
    """The number of folds of a pen_protocol in trials of these data."""
    n = data.raw.x.rows
    if raw.fold_of != ffi.NULL:
        first = np.frombuffer(ffi.buffer(raw.fold_of, 4 * n), np.int32)
        return len(np.unique(first[first >= 0]))
    folds: int = raw.folds or lib.pen_default_folds(data.raw.labels, data.raw.groups, n)
    return folds


@dataclasses.dataclass(frozen=True)
class Facts:
    """The data of trials, and how these are made, in numbers."""

    rows: int
    columns: int
    classes: tuple[tuple[str, int], ...]
    must_links: int
    cannot_links: int
    folds: int
    runs: int
    seed: int
    inductive: bool
    given_folds: bool = False
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Data, classes: Classes | None, raw: typing.Any, usual_runs: int) -> Facts:
        """`raw`: the pen_protocol; `usual_runs`: what its 0 stands for."""
        n, d = data.rows.values.shape
        sizes: typing.Any = ()
        if classes is not None:
            counts = np.bincount(classes.codes[classes.codes >= 0], minlength=len(classes.values))
            sizes = zip(classes.names, counts.tolist())
        return cls(
            n,
            d,
            tuple(sizes),
            data.raw.must_link_count,
            data.raw.cannot_link_count,
            folds_of(data, raw),
            raw.runs or usual_runs,
            raw.seed,
            bool(raw.inductive),
            raw.fold_of != ffi.NULL,
            (*copies(data), *_leaks.leaks(data)),
        )

    @property
    def labelled(self) -> int:
        return sum(size for _, size in self.classes)

    @property
    def words(self) -> str:
        """Runs and folds: ``2 runs of 5 folds``."""
        how = " given" * self.given_folds
        runs = f"{self.runs} run{'s' * (self.runs != 1)}"
        return f"{runs} of {self.folds}{how} fold{'s' * (self.folds != 1)}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Classes that some trials hold out no row of, and near copies."""
        small = [
            (name, size)
            for name, size in self.classes
            if size < self.folds and not self.given_folds
        ]
        remarks = [
            f'class "{name}" has {size} labelled row{"s" * (size != 1)}, fewer than {self.folds}'
            f" folds: some trials hold out none of them"
            + (", and one has none to learn from" if size == 1 else "")
            for name, size in small[:_NAMES_SHOWN]
        ]
        if len(small) > _NAMES_SHOWN:
            remarks.append(f"so do {len(small) - _NAMES_SHOWN} more classes")
        return (*remarks, *(f"warning: {line}" for line in self.warnings))


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
