"""Statistics of blocks of rows: compute them where the rows are, merge them, and fit."""

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
    """Return the pen_spec of an estimator of one method."""
    if not isinstance(estimator, Reducer) or not isinstance(
        getattr(estimator, "_method", None), str
    ):
        raise TypeError(
            f"estimator must be that of a method, such as penumbra.FDA(), got {estimator!r}"
        )
    return spec(estimator._method, estimator._values())


def passes(estimator: Reducer) -> int:
    """Return the parts that its fit needs from distributed rows: pen_spec_passes."""
    return int(lib.pen_spec_passes(settings(estimator)))


def divided(estimator: Reducer) -> tuple[Reducer, Reducer]:
    """Split an estimator into principal components and the method that is fitted to them."""
    parts, error = ffi.new("pen_spec *[2]"), ffi.new("pen_error *")
    check(lib.pen_spec_split(settings(estimator), parts, parts + 1, error), error)
    first, second = map(estimator_of, (ffi.gc(part, lib.pen_spec_free) for part in parts))
    for one in (first, second):
        one.set_params(n_jobs=estimator.n_jobs, verbose=estimator.verbose)
    return first, second


def why_all(estimator: Reducer) -> str:
    """Return the reason why its fit needs every row."""
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
    """Statistics of a block of rows, or of several merged blocks, to fit a method from.

    Rows can be in many files, on many machines, or arrive over time. Compute their statistics where
    they are, then `merge` and `fit`: the model is that of all rows together, up to rounding. The
    size does not grow with the rows: about 4 d^2 bytes for d columns, and the labelled rows.
    docs/statistics.md lists the methods that can be fitted from statistics.

    Objects are immutable. Pickles hold the bytes of their files.

    Parameters
    ----------
    estimator : Reducer
        An unfitted estimator of the method to fit, which stays unchanged. Only its method, its row
        steps, and whether `classifier` is ``"none"`` matter here; `fit` can set other parameters.
    X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
        The rows of the block, possibly none.
    y : array-like of shape (n_samples,), optional
        Labels of any one type; -1, NaN, None and pd.NA mean unlabelled.
    block : int, default=0
        The number of the block, >= 0. Rows of lower blocks come first. Merged blocks need different
        numbers.
    keep : array-like of shape (m,), optional
        Row numbers of `X` in the pairs that `fit` will get.
    chunks : array-like of shape (n_samples,), optional
        For methods that learn from must-links only: the chunk of must-linked rows to which each row
        belongs, a whole number, or -1 for none. Either all blocks have chunks or none has.

    Raises
    ------
    Error
        The block number is below 0, a row to keep does not exist, there are more than 8191 columns,
        or a value is NaN or infinite (the message names block, row and column). The parameters need
        all rows, such as a kernel or ``row_steps="total:median"``.
    ValueError, TypeError
        Rows contain text, sizes do not match, or `estimator` has no method.

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

    # ---- merging ----

    @classmethod
    def merge(cls, parts: typing.Iterable[Statistics], *, blocks: int | None = None) -> Statistics:
        """Merge the statistics of all blocks in `parts`, given in any order.

        If the parts are subtrees of the canonical tree over all blocks, such as single blocks, the
        merge follows this tree, and the bits do not depend on earlier merges. Results of a second
        pass (`nearest`) merge with each other and with the statistics of the first pass.

        Parameters
        ----------
        parts : iterable of Statistics
            At least one.
        blocks : int, optional
            The number of all blocks, for any block numbers. None: the blocks in `parts` must have
            consecutive numbers, which for `fit` start at 0.

        Error: two parts contain the same block, because a task ran twice; columns, column names,
        `row_steps` or kinds of statistics differ; distances have other parameters; or blocks are
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
        """Second pass: distances of all labelled rows to their nearest rows in this block.

        Methods that scale affinities among all rows need it, such as `penumbra.SELF`. Pass the
        `estimator` to fit (`n_neighbors`, `scale` and `pca` matter), and rows, labels and number of
        the block as in the first pass. The result has distances only: the parts in its `info` are
        ``["nearest"]``. Merge the results of all blocks with this object. Additional errors: the
        method needs no second pass, or the block is unknown or had other rows.
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
        """Fit an estimator, as its own ``fit`` does with all rows.

        Parameters
        ----------
        estimator : Reducer
            An estimator of a method that these statistics suffice for. `classes_` have the type of
            the labels if all blocks share one, otherwise they are whole numbers or text.
        must_link, cannot_link : array-like of shape (m, 2) or Pairs, optional
            Pairs of row numbers, counted through all blocks in order. These rows must be kept.

        Returns
        -------
        Reducer
            The same `estimator`.

        Raises
        ------
        Error, TypeError
            The method needs missing statistics or every row, a row of a pair was not kept, the
            method does not learn from pairs, blocks are missing, or ``fit`` of the estimator fails.
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
        """Return the approximate size in bytes, which schedulers use."""
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

    # ---- contents ----

    @functools.cached_property
    def info(self) -> dict[str, typing.Any]:
        """The contents.

        ``rows``, ``columns``, ``labelled``; ``kept``, the number of labelled rows and rows of
        pairs; ``parts``, among total, classes, chunks, rows, nearest; ``blocks``, each with ``id``,
        ``rows`` and ``labelled``, ascending; ``merges``, canonical or free; ``row_steps``;
        ``class_names``; ``column_names`` or None.
        """
        found: dict[str, typing.Any] = json.loads(text_of(lib.pen_stats_info, self._raw))
        return found


def parsed_statistics(data: bytes) -> Statistics:
    """Pickles name this function, because cloudpickle would pickle a class method by value."""
    return Statistics.parse(data)


def _data(estimator: Reducer, X: _rows.Matrix, y: _rows.Labels) -> tuple[_rows.Data, typing.Any]:
    """Return a block for the library and its rows, without changing the estimator."""
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
    """Let the library make a pen_stats of a block."""
    with _rows.naming_column(data.rows.values, lambda: data.names):
        return made("pen_stats", function, given, estimator.n_jobs, estimator.verbose)


def take(estimator: Reducer, model: Model) -> None:
    """Set the fitted attributes of `estimator`, which may have been fitted before."""
    for name in ("feature_names_in_", "_stream"):
        estimator.__dict__.pop(name, None)
    filled(estimator, model)
