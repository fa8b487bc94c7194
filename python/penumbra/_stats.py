"""Statistics of rows in blocks: computed where the rows are, merged, and fitted from."""

from __future__ import annotations

import copy
import functools
import json
import typing

import numpy as np
from sklearn.utils.validation import check_consistent_length

from penumbra import _rows
from penumbra._c import ffi, lib
from penumbra._calls import made
from penumbra._estimators import PairReducer, Reducer, filled, gathered_pairs, validated
from penumbra._model import Model
from penumbra._native import Error, Filed, check, spec, text_of, warn
from penumbra._trials import estimator_of

_AnyReducer = typing.TypeVar("_AnyReducer", bound=Reducer)


def settings(estimator: Reducer) -> typing.Any:
    """The pen_spec of an estimator of one method."""
    if not isinstance(estimator, Reducer) or not isinstance(
        getattr(estimator, "_method", None), str
    ):
        raise TypeError(
            f"estimator must be one of a method, such as penumbra.FDA(), got {estimator!r}"
        )
    return spec(estimator._method, estimator._values())


def passes(estimator: Reducer) -> int:
    """What its fit needs of rows in several places: pen_spec_passes."""
    return int(lib.pen_spec_passes(settings(estimator)))


def divided(estimator: Reducer) -> tuple[Reducer, Reducer]:
    """The principal components that it can be fitted to, and what is fitted to these."""
    parts, error = ffi.new("pen_spec *[2]"), ffi.new("pen_error *")
    check(lib.pen_spec_split(settings(estimator), parts, parts + 1, error), error)
    first, second = map(estimator_of, (ffi.gc(part, lib.pen_spec_free) for part in parts))
    for one in (first, second):
        one.set_params(n_jobs=estimator.n_jobs, verbose=estimator.verbose)
    return first, second


def why_all(estimator: Reducer) -> str:
    """Why its fit needs every row."""
    try:
        divided(estimator)
    except Error as error:
        return str(error)
    return f"with these parameters {estimator._method} looks at every row"


def _row_numbers(name: str, values: typing.Any) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise Error(
            f"{name} must be whole numbers of shape (m,), got {array.dtype} of shape {array.shape}"
        )
    return np.ascontiguousarray(array, np.int64)


class Statistics(Filed):
    """What a method needs of the rows of a block, or of several blocks that were merged.

    Rows may lie in many files, on many machines, or arrive over time. Statistics of them are
    computed where they are, `merge` puts them together, and `fit` gives the model that all rows
    together give, up to rounding. They do not grow with the rows: for d columns they are about
    4 d^2 bytes, and the labelled rows. docs/statistics.md says which methods can do with them.

    Objects are immutable, and pickled as the bytes of their files.

    Parameters
    ----------
    estimator : Reducer
        Of the method to fit, not fitted. Its method, row steps, and whether
        `classifier` is ``"none"`` count; all other parameters are free until `fit`. It is not
        changed.
    X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
        The rows of the block, possibly none.
    y : array-like of shape (n_samples,), optional
        Labels of any one type; -1, NaN, None and pd.NA mean unlabelled.
    block : int, default=0
        The number of the block, >= 0. Rows of a lower one come first, and no two blocks that are
        merged have the same.
    keep : array-like of shape (m,), optional
        Row numbers of `X` that pairs name, which `fit` is then given.
    chunks : array-like of shape (n_samples,), optional
        For methods of must-links alone: the chunk of each row that these join, a whole number, or
        -1 for none. All blocks have chunks, or none has.

    Raises
    ------
    Error
        A block below 0, a row to keep that does not exist, more than 8191 columns, NaN or infinity
        (the message names block, row and column); parameters that need all rows, such as a kernel
        or ``row_steps="total:median"``.
    ValueError, TypeError
        Rows that are not numbers, sizes that do not match; no estimator of a method.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> fda = penumbra.FDA()
    >>> first = penumbra.Statistics(fda, x[:40], y[:40], block=0)
    >>> second = penumbra.Statistics(fda, x[40:], y[40:], block=1)
    >>> both = penumbra.Statistics.merge([first, second])
    >>> both.info["rows"], len(both.info["blocks"]), both.info["merges"]
    (60, 2, 'canonical')
    >>> np.allclose(both.fit(fda).transform(x), penumbra.FDA().fit(x, y).transform(x))
    True
    """

    _kind = "pen_stats"

    def __init__(
        self,
        estimator: Reducer,
        X: _rows.Matrix,
        y: _rows.Labels = None,
        *,
        block: int = 0,
        keep: typing.Any = None,
        chunks: typing.Any = None,
    ) -> None:
        raw_spec = settings(estimator)
        data, x = _data(estimator, X, y)
        given = _rows.Given("pen_stats_block *", {"id": _rows.whole("block", block)})
        if keep is not None:
            kept = _row_numbers("keep", keep)
            given.raw.keep, given.raw.keep_count = given.numbers("int64_t *", kept), len(kept)
        if chunks is not None:
            joined = _row_numbers("chunks", chunks)
            check_consistent_length(x, joined)
            given.raw.chunks = given.numbers("int64_t *", joined)
        self._raw = _made(estimator, data, lib.pen_stats_new, raw_spec, data.raw, given.raw)

    # ---- putting together ----

    @classmethod
    def merge(cls, parts: typing.Iterable[Statistics], *, blocks: int | None = None) -> Statistics:
        """The statistics of all blocks of `parts`, in whatever order these are given.

        Where they are subtrees of the canonical tree over all blocks, such as single blocks, this
        tree is followed, and the bits do not depend on who merged what. Those of a second pass
        (`nearest`) are merged with each other and with those of the first.

        Parameters
        ----------
        parts : iterable of Statistics
            At least one.
        blocks : int, optional
            The number of all blocks, whatever their own numbers. None: no block is missing between
            those of `parts`, and for `fit` none from 0 on.

        An Error are a block in two of them (a task that ran twice), other columns or names of
        columns, other `row_steps`, other parts; distances with other parameters; blocks that are
        missing, which the message names.
        """
        listed = list(parts)
        count = 0 if blocks is None else _rows.whole("blocks", blocks)
        for part in listed:
            if not isinstance(part, Statistics):
                raise TypeError(f"parts must be Statistics, got {type(part).__name__}")
        given = (ffi.new("pen_stats *[]", [part._raw for part in listed]), len(listed), count)
        return cls._of(made("pen_stats", lib.pen_stats_merge, given, 1, False))

    def nearest(
        self, estimator: Reducer, X: _rows.Matrix, y: _rows.Labels = None, *, block: int = 0
    ) -> Statistics:
        """A second pass: how far the labelled rows of all blocks are from their nearest in this.

        For methods that scale affinities among all rows, such as `penumbra.SELF`: `estimator` as it
        will be fitted (`n_neighbors`, `scale` and `pca` count), rows, labels and number of the
        block as in the first pass. The result is of distances alone: the parts in its `info` are
        ``["nearest"]``. Merge those of all blocks with this object. Error, besides those of the
        first pass: the method needs none, the block is not one of this object, or had other rows.
        """
        raw_spec = settings(estimator)
        data, _ = _data(estimator, X, y)
        number = _rows.whole("block", block)
        given = (raw_spec, self._raw, data.raw, number)
        return type(self)._of(_made(estimator, data, lib.pen_stats_nearest, *given))

    # ---- fitting ----

    def fit(
        self,
        estimator: _AnyReducer,
        *,
        must_link: typing.Any = None,
        cannot_link: typing.Any = None,
    ) -> _AnyReducer:
        """Fit an estimator, as its own ``fit`` does to all rows.

        Parameters
        ----------
        estimator : Reducer
            Of a method that these statistics are enough for. `classes_` have the type of the labels
            where all blocks had the same, otherwise they are whole numbers or text.
        must_link, cannot_link : array-like of shape (m, 2) or Pairs, optional
            Pairs of the numbers of rows among all, block by block; these rows were kept.

        Returns
        -------
        Reducer
            The same `estimator`.

        Raises
        ------
        Error, TypeError
            The method needs a part that is absent, or every row; a pair of a row that was not kept,
            or for a method without pairs; what ``fit`` of the estimator refuses; missing blocks.
        """
        raw_spec = settings(estimator)
        is_paired = isinstance(estimator, PairReducer)
        if not is_paired and (must_link is not None or cannot_link is not None):
            raise TypeError(f"{type(estimator).__name__} does not learn from pairs")
        given_pairs = {"must_link": must_link, "cannot_link": cannot_link}
        linked = gathered_pairs(estimator, self.info["rows"], **given_pairs)
        pairs = _rows.Data(np.zeros((1, self.info["columns"])), linked=linked)
        given = (raw_spec, self._raw, pairs.raw)
        raw = made("pen_model", lib.pen_stats_fit, given, estimator.n_jobs, estimator.verbose)
        take(estimator, Model._of(raw))
        if "warning" in estimator.info_:
            warn(estimator.info_["warning"])
        return estimator

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return parsed_statistics, (self.bytes(),)

    def __sizeof__(self) -> int:
        """About the bytes that it holds, by which schedulers place it."""
        info = self.info
        d, kept, parts = info["columns"], info["kept"], info["parts"]
        if "nearest" in parts:
            return len(self.bytes())
        squares = 1 + ("classes" in parts) + ("chunks" in parts)
        return int(1024 + 8 * (squares * d * (d + 1) // 2 + kept * (d + 3) + 3 * d))

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<Statistics of {info['rows']} rows, {info['columns']} columns,"
            f" {len(info['blocks'])} blocks: {', '.join(info['parts'])}>"
        )

    # ---- what it holds ----

    @functools.cached_property
    def info(self) -> dict[str, typing.Any]:
        """What it is of.

        ``rows``, ``columns``, ``labelled``; ``kept``, the rows that are kept: the labelled ones,
        and those of pairs; ``parts`` of total, classes, chunks, rows, nearest; ``blocks``, for each
        its ``id``, ``rows`` and ``labelled``, ascending; ``merges``, canonical or free;
        ``row_steps``, what rows took; ``class_names``; ``column_names`` or None.
        """
        found: dict[str, typing.Any] = json.loads(text_of(lib.pen_stats_info, self._raw))
        return found


def parsed_statistics(data: bytes) -> Statistics:
    """What pickles name: cloudpickle would take a method of the class apart."""
    return Statistics.parse(data)


def _data(estimator: Reducer, X: _rows.Matrix, y: _rows.Labels) -> tuple[_rows.Data, typing.Any]:
    """A block as the library takes it, and its rows; the estimator notes nothing."""
    owner = copy.copy(estimator)
    x = validated(owner, X, reset=True, least=0)
    classes = None
    if y is not None:
        classes = _rows.classes(y)
        check_consistent_length(x, classes.codes)
    return _rows.Data(x, classes, getattr(owner, "feature_names_in_", None)), x


def _made(
    estimator: Reducer, data: _rows.Data, function: typing.Any, *given: typing.Any
) -> typing.Any:
    """A pen_stats that the library makes of a block."""
    with _rows.naming_column(data.rows.values, lambda: data.names):
        return made("pen_stats", function, given, estimator.n_jobs, estimator.verbose)


def take(estimator: Reducer, model: Model) -> None:
    """Make `estimator`, which may have been fitted before, one that was fitted as the model was."""
    for name in ("feature_names_in_", "_stream"):
        estimator.__dict__.pop(name, None)
    filled(estimator, model)
