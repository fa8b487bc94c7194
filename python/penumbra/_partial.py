"""Estimators that learn from rows as they arrive: ``partial_fit``, by statistics of blocks."""

from __future__ import annotations

import copy
import dataclasses
import threading
import typing

import numpy as np
from sklearn.utils.metaestimators import available_if

from penumbra import _pairs, _rows
from penumbra._c import lib
from penumbra._estimators import LEARNED, PairReducer, Reducer, as_before, validated
from penumbra._native import Error, Self, warn
from penumbra._stats import Statistics, passes, why_all

_LAZY = threading.RLock()  # held during a postponed fit


@dataclasses.dataclass(frozen=True)
class Stream:
    """The statistics and pairs that ``partial_fit`` has collected.

    The statistics are subtrees of the canonical tree, one for each 1 in the binary number of
    blocks, largest first.
    """

    nodes: tuple[tuple[int, Statistics], ...] = ()
    blocks: int = 0
    rows: int = 0
    must_link: tuple[_pairs.Pairs, ...] = ()
    cannot_link: tuple[_pairs.Pairs, ...] = ()
    allowed: tuple[str, ...] | None = None

    def with_block(self, statistics: Statistics) -> Stream:
        """Return this stream with the next block added."""
        nodes = [*self.nodes, (1, statistics)]
        while len(nodes) > 1 and nodes[-1][0] == nodes[-2][0]:
            (size, left), (_, right) = nodes[-2:]
            nodes[-2:] = [(2 * size, Statistics.merge([left, right]))]
        return dataclasses.replace(
            self,
            nodes=tuple(nodes),
            blocks=self.blocks + 1,
            rows=self.rows + statistics.info["rows"],
        )

    def with_classes(self, y: _rows.Labels, classes: typing.Any) -> Stream:
        """Return this stream with the announced `classes`; refuse labels of other classes."""
        allowed = self.allowed
        if classes is not None:
            named = tuple(_rows.classes(np.asarray(classes)).names)
            if allowed not in (None, named):
                raise ValueError(f"`classes` must stay those of the first call, got {classes!r}")
            if self.blocks == 0:
                allowed = named
        if y is not None and allowed is not None:
            for name in _rows.classes(y).names:
                if name not in allowed:
                    raise ValueError(f"y must have labels of `classes`, got {name!r}")
        return dataclasses.replace(self, allowed=allowed)

    def with_pairs(self, linked: _pairs.Gathered) -> Stream:
        """Return this stream with pairs of rows of the next block."""

        def later(pairs: np.ndarray | None, weights: np.ndarray | None) -> list[_pairs.Pairs]:
            return [] if pairs is None else [_pairs.Pairs(pairs + self.rows, weights)]

        must = later(linked.must_link, linked.must_link_weights)
        cannot = later(linked.cannot_link, linked.cannot_link_weights)
        return dataclasses.replace(
            self, must_link=(*self.must_link, *must), cannot_link=(*self.cannot_link, *cannot)
        )

    def merged(self) -> Statistics:
        """Return the statistics of all blocks."""
        return Statistics.merge([node for _, node in self.nodes])


def _together(lists: tuple[_pairs.Pairs, ...]) -> _pairs.Pairs | None:
    """Concatenate the pairs of all blocks; None: none were given."""
    if not lists:
        return None
    weights = None
    if any(pairs.weights is not None for pairs in lists):
        weights = np.concatenate(
            [np.ones(len(p.pairs)) if p.weights is None else p.weights for p in lists]
        )
    return _pairs.Pairs(np.concatenate([pairs.pairs for pairs in lists]), weights)


def _needs_one_pass(self: typing.Any) -> bool:
    """Check the parameters, for available_if."""
    try:
        needed = passes(self)
    except (Error, TypeError):  # an invalid value: the call with rows reports it
        return True
    if needed and not needed & lib.PEN_PART_NEAREST:
        return True
    why = "these parameters need a second pass" if needed else why_all(self)
    raise AttributeError(f"partial_fit sees rows once: {why}")


class Streaming(Reducer):
    """The base class of estimators with ``partial_fit``, which fit when first used."""

    _stream: Stream

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in vars(self) or "_stream" in vars(self)

    if not typing.TYPE_CHECKING:  # type checkers would then accept every attribute

        def __getattr__(self, name: str) -> typing.Any:
            if name in LEARNED and "_stream" in vars(self):
                self._fit_stream()
            return super().__getattr__(name)

    def _fit_stream(self) -> None:
        """Fit a copy, unless another thread has: existing attributes are read without the lock."""
        with _LAZY:
            if "_model" in vars(self):
                return
            stream, made = self._stream, copy.copy(self)
            must, cannot = _together(stream.must_link), _together(stream.cannot_link)
            stream.merged().fit(made, must_link=must, cannot_link=cannot)
            self.__dict__.update(made.__dict__)

    def _next_block(
        self, X: _rows.Matrix, y: _rows.Labels, classes: typing.Any, pairs: dict[str, typing.Any]
    ) -> Self:
        with as_before(self):
            self._add_block(X, y, classes, pairs)
        return self

    def _add_block(
        self, X: _rows.Matrix, y: _rows.Labels, classes: typing.Any, pairs: dict[str, typing.Any]
    ) -> None:
        forgotten = None if "_stream" in self.__dict__ else self.__dict__.get("info_")
        stream = self.__dict__.get("_stream", Stream())
        x = validated(self, X, reset=stream.blocks == 0)
        linked = _pairs.gather(x.shape[0], **pairs)
        stream = stream.with_classes(y, classes).with_pairs(linked)
        named = [p for p in (linked.must_link, linked.cannot_link) if p is not None]
        keep = np.unique(np.concatenate(named)) if named else None
        statistics = Statistics(self, X, y, block=stream.blocks, keep=keep)
        for name in LEARNED:
            self.__dict__.pop(name, None)
        self._stream = stream.with_block(statistics)
        if forgotten is not None:
            warn(
                f"partial_fit starts again and forgets the {forgotten.get('rows', 'earlier')} rows"
                " of the earlier fit, because a model has no statistics of them (a pickle of an"
                " estimator that learned by partial_fit has them, and continues)"
            )


_PARTIAL_FIT = """\
        Learn from more rows. The result is that of ``fit`` on the rows of all calls together.

        The estimator keeps statistics of the rows, and the labelled rows unless
        ``classifier="none"``{kept}. It computes the projection when it is next used, and only then
        reports too few rows or labels. The first call after ``fit`` or ``load`` starts again and
        warns, because a model has no statistics of its rows.

        Parameters
        ----------
        X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
            At least one row.
        y : array-like of shape (n_samples,), optional
            Labels of any one type. -1, NaN, None and pd.NA mean unlabelled. New classes can occur.
{pairs}        classes : array-like of shape (n_classes,), optional
            All classes that may occur, as in scikit-learn. Other classes are then an error.
            `classes_` contains the classes that occurred.

        Returns
        -------
        self

        Raises
        ------
        AttributeError
            The parameters need every row or a second pass, as the cause says. See `Statistics`.
        Error
            A value is NaN or infinite, or a pair has an unknown row. The estimator is unchanged.
        ValueError, TypeError
            Rows contain text, or columns or `classes` differ from the first call.
        """

_OF_PAIRS = """        must_link, cannot_link : array-like of shape (m, 2) or Pairs, optional
            Pairs of row numbers of this `X`, or of ids if `row_id` is given. `must_link` can
            instead be one group per row, -1 for none. Labels of all calls count as pairs.
        row_id : array-like of shape (n_samples,), optional
            The id of each row of this call.
"""


def _learns_further(kept: str, pairs: str) -> typing.Callable[[typing.Any], typing.Any]:
    """Decorate a partial_fit, which exists if one pass is enough, and set its docstring."""

    def decorate(method: typing.Any) -> typing.Any:
        method.__doc__ = _PARTIAL_FIT.format(kept=kept, pairs=pairs)
        return available_if(_needs_one_pass)(method)

    return decorate


class OnePass(Streaming):
    """The base class of methods that learn from rows as they arrive."""

    @_learns_further("", "")
    def partial_fit(
        self, X: _rows.Matrix, y: _rows.Labels = None, *, classes: typing.Any = None
    ) -> Self:
        return self._next_block(X, y, classes, {})


class OnePassPairs(PairReducer, Streaming):
    """The same for methods that learn from pairs."""

    @_learns_further(", and the rows of pairs", _OF_PAIRS)
    def partial_fit(
        self,
        X: _rows.Matrix,
        y: _rows.Labels = None,
        *,
        must_link: typing.Any = None,
        cannot_link: typing.Any = None,
        row_id: typing.Any = None,
        classes: typing.Any = None,
    ) -> Self:
        pairs = {"must_link": must_link, "cannot_link": cannot_link, "row_id": row_id}
        return self._next_block(X, y, classes, pairs)
