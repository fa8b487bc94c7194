"""Statistics of rows in blocks: computed where the rows are, merged, and fitted from."""

from __future__ import annotations

import copy
import os
import typing
import warnings

import numpy as np
from sklearn.utils.validation import check_consistent_length

from penumbra import _pairs, _rows
from penumbra._c import ffi, lib
from penumbra._calls import made
from penumbra._estimators import PairReducer, Reducer, validated
from penumbra._model import Model, path_bytes
from penumbra._native import Error, check, part_names, spec, text

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


def block_number(block: typing.Any) -> int:
    """A number of a block, checked."""
    if not _rows.is_count(block):
        raise Error(f"block must be a whole number >= 0, got {block!r}")
    return int(block)


def _row_numbers(name: str, values: typing.Any) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise Error(
            f"{name} must be whole numbers of shape (m,), got {array.dtype} of shape {array.shape}"
        )
    return np.ascontiguousarray(array, np.int64)


class Statistics:
    """What a method needs of the rows of a block, or of several blocks that were merged.

    Rows may lie in many files, on many machines, or arrive over time. Statistics of them are
    computed where they are, `merge` puts them together, and `fit` gives the model that all rows
    together give, up to rounding. They do not grow with the rows: for d columns they are about
    4 d^2 bytes, and the labelled rows. docs/statistics.md says which methods can do with them.

    Objects are immutable, and pickled as the bytes of their files.

    Parameters
    ----------
    estimator : Reducer
        Of the method to fit, not fitted. Its method, `row_total`, `log1p`, `normalize`, and whether
        `reader` is ``"none"`` count; all other parameters are free until `fit`. It is not changed.
    X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
        The rows of the block, possibly none.
    y : array-like of shape (n_samples,), optional
        Labels of any one type; -1, NaN, None and pd.NA mean unlabelled.
    block : int, default=0
        The number of the block, >= 0. Rows of a lower one come first, and no two blocks that are
        merged have the same.
    keep : array-like of shape (m,), optional
        Row numbers of `X` that pairs name, which `fit` is then given.
    groups : array-like of shape (n_samples,), optional
        For methods of must-links alone: the group of each row that these join, a whole number, or
        -1 for none. All blocks have groups, or none has.

    Raises
    ------
    Error
        A block below 0, a row to keep that does not exist, more than 8191 columns, NaN or infinity
        (the message names block, row and column); parameters that need all rows, such as a kernel
        or ``row_total="median"``.
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
    >>> both.rows, both.blocks.tolist(), both.merges
    (60, [[0, 40, 40], [1, 20, 20]], 'canonical')
    >>> np.allclose(both.fit(fda).transform(x), penumbra.FDA().fit(x, y).transform(x))
    True
    """

    def __init__(
        self,
        estimator: Reducer,
        X: _rows.Matrix,
        y: _rows.Labels = None,
        *,
        block: int = 0,
        keep: typing.Any = None,
        groups: typing.Any = None,
    ) -> None:
        raw_spec = settings(estimator)
        data, x = _data(estimator, X, y)
        given = ffi.new("pen_stats_block *", {"id": block_number(block)})
        kept: list[np.ndarray] = []
        if keep is not None:
            kept.append(_row_numbers("keep", keep))
            given.keep = ffi.cast("int64_t *", kept[-1].ctypes.data)
            given.keep_count = len(kept[-1])
        if groups is not None:
            kept.append(_row_numbers("groups", groups))
            check_consistent_length(x, kept[-1])
            given.groups = ffi.cast("int64_t *", kept[-1].ctypes.data)
        self._raw = _made(
            lambda out, control, error: lib.pen_stats_new(
                raw_spec, data.raw, given, control, out, error
            ),
            estimator,
            data,
        )

    @classmethod
    def _of(cls, raw: typing.Any) -> Statistics:
        new = cls.__new__(cls)
        new._raw = raw
        return new

    # ---- putting together ----

    @classmethod
    def merge(cls, parts: typing.Iterable[Statistics]) -> Statistics:
        """The statistics of all blocks of `parts`, in whatever order these are given.

        Where they are subtrees of the canonical tree over all blocks, such as single blocks, this
        tree is followed, and the bits do not depend on who merged what. Those of a second pass
        (`nearest`, `lists`, `edges`) are merged with each other and with those of the first.

        Parameters
        ----------
        parts : iterable of Statistics
            At least one.

        Returns
        -------
        Statistics

        Raises
        ------
        Error
            A block, or a pair of blocks, in two of them (a task that ran twice), other columns or
            names of columns, another `normalize`, other parts; lists or edges of other parameters.
        """
        listed = list(parts)
        for part in listed:
            if not isinstance(part, Statistics):
                raise TypeError(f"parts must be Statistics, got {type(part).__name__}")
        array = ffi.new("pen_stats *[]", [part._raw for part in listed])
        return cls._of(
            made(
                "pen_stats",
                lambda out, control, error: lib.pen_stats_merge(
                    array, len(listed), control, out, error
                ),
                lib.pen_stats_free,
                1,
                False,
            )
        )

    def nearest(
        self, estimator: Reducer, X: _rows.Matrix, y: _rows.Labels = None, *, block: int = 0
    ) -> Statistics:
        """A second pass: how far the labelled rows of all blocks are from their nearest in this.

        For methods that scale affinities among all rows (``"nearest"`` in the parts of their
        `penumbra.Method`). Merge the results of all blocks with this object.

        Parameters
        ----------
        estimator : Reducer
            As it will be fitted: `n_neighbors`, `scale` and `pca` count.
        X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
            The rows of the block, as before.
        y : array-like of shape (n_samples,), optional
            Their labels, as before.
        block : int, default=0
            The number of the block.

        Returns
        -------
        Statistics
            Of distances alone: `parts` is ``("nearest",)``.

        Raises
        ------
        Error
            The method needs no such pass, the block is not one of this object, or it had other
            rows; NaN or infinity.
        ValueError, TypeError
            As for the first pass.
        """
        raw_spec = settings(estimator)
        data, _ = _data(estimator, X, y)
        number = block_number(block)
        return type(self)._of(
            _made(
                lambda out, control, error: lib.pen_stats_nearest(
                    raw_spec, self._raw, data.raw, number, control, out, error
                ),
                estimator,
                data,
            )
        )

    # ---- passes over pairs of blocks ----

    def lists(
        self,
        estimator: Reducer,
        X: _rows.Matrix,
        *,
        block: int = 0,
        other: _rows.Matrix | None = None,
        other_block: int | None = None,
    ) -> Statistics:
        """The first pass over pairs of blocks: the nearest rows of two blocks in each other.

        For methods of a graph of all rows (``"lists"`` in the parts of their `penumbra.Method`).
        There is a task for every two blocks, and one for every single block, in any order: merge
        the results of all with this object, then make the `graph`.

        Parameters
        ----------
        estimator : Reducer
            As it will be fitted: its numbers of neighbors, `scale` and `pca` count.
        X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
            The rows of a block, as before. Their labels are known already.
        block : int, default=0
            The number of the block.
        other : array-like or SciPy sparse matrix of shape (n_other, n_features), optional
            The rows of another block; without it, the nearest rows of `X` in itself are found.
        other_block : int, optional
            Its number, given with `other`; higher or lower than `block`.

        Returns
        -------
        Statistics
            Of lists alone: `parts` is ``("lists",)``, 16 bytes for each of `listed` nearest rows
            of each row.

        Raises
        ------
        Error
            The method has no such pass, or not with these parameters; a block is not one of this
            object, had other rows, or is given twice; `other` without `other_block`, or the other
            way round; NaN or infinity.
        ValueError, TypeError
            As for the first pass.
        """
        return self._pair(lib.pen_stats_lists, estimator, (X, block), (other, other_block))

    def graph(
        self, estimator: Reducer, *, must_link: typing.Any = None, cannot_link: typing.Any = None
    ) -> Statistics:
        """The weighted graph of all rows, between the two passes over pairs of blocks.

        Parameters
        ----------
        estimator : Reducer
            As it will be fitted.
        must_link, cannot_link : array-like of shape (m, 2) or Pairs, optional
            As `fit` will be given them.

        Returns
        -------
        Statistics
            Of which nothing is merged: its `edges` are. `parts` is ``("total", "graph")``, 16 bytes
            for each of `graph_edges` edges, or 8 bytes a row where all pairs of rows are edges. Of
            methods that propagate labels, ``("total", "shares")``: 8 bytes a row and class.

        Raises
        ------
        Error
            This object has no lists, or not those of every pair of blocks; with these parameters
            the fit has no graph; what `fit` refuses.
        TypeError
            Pairs for a method that does not learn from them.
        """
        return type(self)._of(
            self._fitted(lib.pen_stats_graph, lib.pen_stats_free, estimator, must_link, cannot_link)
        )

    def edges(
        self,
        estimator: Reducer,
        X: _rows.Matrix,
        *,
        block: int = 0,
        other: _rows.Matrix | None = None,
        other_block: int | None = None,
    ) -> Statistics:
        """The second pass over pairs of blocks, of a `graph`: the scatter of edges between two.

        There is a task for every two blocks, and one for the edges within every single block, in
        any order. Merge the results of all with the object that made the graph, then `fit`. With
        shares of rows in classes (`SODA`), there is a task for every single block alone.

        Parameters
        ----------
        estimator : Reducer
            As it will be fitted.
        X, block, other, other_block
            As for `lists`.

        Returns
        -------
        Statistics
            Of scatters alone: `parts` is ``("edges",)``, 4 d^2 bytes for each of one to three, or
            ``("soft",)``, 4 d^2 bytes and the means of the classes.

        Raises
        ------
        Error
            This object is no graph, or one of other parameters; as for `lists`.
        ValueError, TypeError
            As for the first pass.
        """
        return self._pair(lib.pen_stats_edges, estimator, (X, block), (other, other_block))

    # ---- rows that are reconstructed ----

    def wanted(self, estimator: Reducer, block: int = 0) -> np.ndarray:
        """The rows of other blocks that those of a block are reconstructed from in `residuals`.

        Parameters
        ----------
        estimator : Reducer
            As it will be fitted: `NPSSDR`, whose `n_neighbors`, `scale` and `pca` count.
        block : int, default=0
            The number of the block.

        Returns
        -------
        ndarray of shape (n_wanted, 2)
            For each its block, and its row there, ascending: at most `n_neighbors` times the rows
            of the block.

        Raises
        ------
        Error
            The method has no such pass; this object has no lists, not those of every pair of
            blocks, shorter ones, or of other parameters; it has no such block.
        """
        raw_spec, number = settings(estimator), block_number(block)
        count, error = ffi.new("int64_t *"), ffi.new("pen_error *")
        check(lib.pen_stats_wanted(raw_spec, self._raw, number, count, ffi.NULL, error), error)
        rows = np.empty((count[0], 2), np.int64)
        out = ffi.cast("int64_t *", rows.ctypes.data)
        check(lib.pen_stats_wanted(raw_spec, self._raw, number, count, out, error), error)
        return rows

    def residuals(
        self,
        estimator: Reducer,
        X: _rows.Matrix,
        *,
        block: int = 0,
        others: _rows.Matrix | None = None,
    ) -> Statistics:
        """The pass after `lists`, of `NPSSDR`: residuals of the rows of a block from its neighbors.

        In place of `graph` and `edges`. There is a task for every block, in any order. Merge the
        results of all with this object, then `fit`.

        Parameters
        ----------
        estimator : Reducer
            As it will be fitted.
        X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
            The rows of a block, as before.
        block : int, default=0
            The number of the block.
        others : array-like or SciPy sparse matrix of shape (n_wanted, n_features), optional
            The rows of other blocks that `wanted` names, in its order; none where it names none.

        Returns
        -------
        Statistics
            Of a scatter alone: `parts` is ``("residuals",)``, 4 d^2 bytes.

        Raises
        ------
        Error
            As for `wanted`; other numbers of rows than those of the first pass and of `wanted`;
            `others` that are not as far away as the lists say; ``lle_ridge=0`` with neighbors that
            depend on each other; NaN or infinity.
        ValueError, TypeError
            As for the first pass.
        """
        raw_spec, number = settings(estimator), block_number(block)
        rows = _data(estimator, X, None)[0]
        more = None if others is None else _data(estimator, others, None)[0]
        return type(self)._of(
            _made(
                lambda out, control, error: lib.pen_stats_residuals(
                    raw_spec,
                    self._raw,
                    rows.raw,
                    number,
                    ffi.NULL if more is None else more.raw,
                    control,
                    out,
                    error,
                ),
                estimator,
                rows,
            )
        )

    def _pair(
        self,
        function: typing.Any,
        estimator: Reducer,
        one: tuple[_rows.Matrix, typing.Any],
        other: tuple[_rows.Matrix | None, typing.Any],
    ) -> Statistics:
        """What a function of the library makes of two blocks and their numbers, or of one."""
        if (other[0] is None) != (other[1] is None):
            raise Error("other and other_block belong together: rows of a block, and its number")
        raw_spec = settings(estimator)
        given = [side for side in (one, other) if side[0] is not None]
        data = [_data(estimator, x, None)[0] for x, _ in given]
        pair = ffi.new("pen_stats_pair *", {"a": data[0].raw, "block_a": block_number(one[1])})
        if len(data) == 2:
            pair.b, pair.block_b = data[1].raw, block_number(other[1])
        return type(self)._of(
            _made(
                lambda out, control, error: function(
                    raw_spec, self._raw, pair, control, out, error
                ),
                estimator,
                data[0],
            )
        )

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
            Of a method that these statistics are enough for. `classes_` are text, or whole numbers
            where all names are, as in models that are loaded.
        must_link, cannot_link : array-like of shape (m, 2) or Pairs, optional
            Pairs of the numbers of rows among all, block by block; these rows were kept.

        Returns
        -------
        Reducer
            The same `estimator`.

        Raises
        ------
        Error
            The method needs a part that is absent, or every row; a pair of a row that was not kept;
            what ``fit`` of the estimator refuses.
        TypeError
            Pairs for a method that does not learn from them.
        """
        model = self.model(estimator, must_link=must_link, cannot_link=cannot_link)
        take(estimator, model)
        if "warning" in estimator.info_:
            warnings.warn(estimator.info_["warning"], stacklevel=2)
        return estimator

    def model(
        self, estimator: Reducer, *, must_link: typing.Any = None, cannot_link: typing.Any = None
    ) -> Model:
        """The model that `fit` gives; no estimator changes. Parameters and errors as there."""
        return Model(
            self._fitted(lib.pen_stats_fit, lib.pen_model_free, estimator, must_link, cannot_link)
        )

    def _fitted(
        self,
        function: typing.Any,
        free: typing.Any,
        estimator: Reducer,
        must_link: typing.Any,
        cannot_link: typing.Any,
    ) -> typing.Any:
        """What a function of the library makes of these statistics, an estimator, and pairs."""
        raw_spec = settings(estimator)
        is_paired = isinstance(estimator, PairReducer)
        if not is_paired and (must_link is not None or cannot_link is not None):
            raise TypeError(f"{type(estimator).__name__} does not learn from pairs")
        linked = _pairs.gather(self.rows, must_link=must_link, cannot_link=cannot_link)
        pairs = _rows.Data(np.zeros((1, self.columns)), linked=linked)
        estimator._arrange(pairs)
        return made(
            "pen_model" if free is lib.pen_model_free else "pen_stats",
            lambda out, control, error: function(
                raw_spec, self._raw, pairs.raw, control, out, error
            ),
            free,
            estimator.n_jobs,
            estimator.verbose,
        )

    # ---- keeping ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a safetensors file, which the command reads too; completely or not at all.

        Raises
        ------
        OSError
            With the reason reported by the system.
        """
        error = ffi.new("pen_error *")
        check(lib.pen_stats_save(self._raw, path_bytes(path), error), error)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Statistics:
        """Read a file that `save` or the command wrote.

        Raises
        ------
        OSError
            It cannot be read.
        Error
            It is no file of statistics, or is damaged.
        """
        out, error = ffi.new("pen_stats **"), ffi.new("pen_error *")
        check(lib.pen_stats_load(path_bytes(path), out, error), error)
        return cls._of(ffi.gc(out[0], lib.pen_stats_free))

    @classmethod
    def parse(cls, data: bytes) -> Statistics:
        """The statistics whose file has these bytes. Error: they are none, or damaged."""
        out, error = ffi.new("pen_stats **"), ffi.new("pen_error *")
        check(lib.pen_stats_parse(data, len(data), out, error), error)
        return cls._of(ffi.gc(out[0], lib.pen_stats_free))

    def bytes(self) -> bytes:
        """What the file holds; the same object gives the same bytes."""
        out, size, error = ffi.new("void **"), ffi.new("size_t *"), ffi.new("pen_error *")
        check(lib.pen_stats_bytes(self._raw, out, size, error), error)
        try:
            return bytes(ffi.buffer(out[0], size[0]))
        finally:
            lib.pen_model_bytes_free(out[0])

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return parsed_statistics, (self.bytes(),)

    def __sizeof__(self) -> int:
        """About the bytes that it holds, by which schedulers place it."""
        if not set(self.parts) <= {"total", "classes", "groups", "rows"}:
            return len(self.bytes())  # they depend on lists, graphs and tasks
        d, kept = self.columns, int(lib.pen_stats_kept(self._raw))
        squares = 1 + ("classes" in self.parts) + ("groups" in self.parts)
        return 1024 + 8 * (squares * d * (d + 1) // 2 + kept * (d + 3) + 3 * d)

    def __repr__(self) -> str:
        return (
            f"<Statistics of {self.rows} rows, {self.columns} columns, {len(self.blocks)} blocks:"
            f" {', '.join(self.parts)}>"
        )

    # ---- what it holds ----

    @property
    def parts(self) -> tuple[str, ...]:
        """Of total, classes, groups, rows, nearest, lists, graph, edges, shares, soft,
        residuals."""
        return part_names(lib.pen_stats_parts(self._raw))

    @property
    def columns(self) -> int:
        """The columns of a row."""
        return int(lib.pen_stats_columns(self._raw))

    @property
    def rows(self) -> int:
        """The rows of all blocks."""
        return int(lib.pen_stats_rows(self._raw))

    @property
    def kept(self) -> int:
        """The rows that are kept: the labelled ones, and those of pairs."""
        return int(lib.pen_stats_kept(self._raw))

    @property
    def listed(self) -> int:
        """The nearest rows of each row in lists, or 0 without these."""
        return int(lib.pen_stats_listed(self._raw))

    @property
    def graph_edges(self) -> int:
        """The edges of a graph, or 0; where all pairs of rows have an affinity, these pairs."""
        return int(lib.pen_stats_graph_edges(self._raw))

    @property
    def list_tasks(self) -> np.ndarray:
        """The pairs of blocks that `lists` has compared [tasks x 2], a <= b, ascending."""
        return self._tasks(lib.PEN_PART_LISTS)

    @property
    def edge_tasks(self) -> np.ndarray:
        """The pairs of blocks whose `edges` are there [tasks x 2], a <= b, ascending."""
        return self._tasks(lib.PEN_PART_SOFT if "soft" in self.parts else lib.PEN_PART_EDGES)

    @property
    def residual_tasks(self) -> np.ndarray:
        """The blocks whose `residuals` are there, each twice [tasks x 2], ascending."""
        return self._tasks(lib.PEN_PART_RESIDUALS)

    def _tasks(self, part: int) -> np.ndarray:
        out = ffi.new("int64_t **")
        count = int(lib.pen_stats_tasks(self._raw, part, out))
        if count == 0:
            return np.empty((0, 2), np.int64)
        return np.frombuffer(ffi.buffer(out[0], 16 * count), np.int64).reshape(count, 2).copy()

    @property
    def blocks(self) -> np.ndarray:
        """For each block its number, rows and labelled rows [blocks x 3], ascending."""
        out = ffi.new("int64_t **")
        count = int(lib.pen_stats_blocks(self._raw, out))
        numbers = np.frombuffer(ffi.buffer(out[0], 24 * count), np.int64)
        return numbers.reshape(count, 3).copy()

    @property
    def merges(self) -> str:
        """canonical: merged by the canonical tree; free: in another order."""
        return text(lib.pen_stats_merges(self._raw))

    @property
    def normalize(self) -> str:
        """none or l2."""
        return text(lib.pen_stats_normalize(self._raw))

    @property
    def row_total(self) -> float:
        """Of the row step that the rows took, or 0 without it."""
        return float(lib.pen_stats_row_total(self._raw))

    @property
    def log1p(self) -> bool:
        """Whether the rows took this step."""
        return bool(lib.pen_stats_log1p(self._raw))

    @property
    def class_names(self) -> list[str]:
        """The classes that occur, in their order."""
        return _names(self._raw, lib.pen_stats_class_name)

    @property
    def feature_names(self) -> list[str] | None:
        """The names of the columns, or None."""
        return _names(self._raw, lib.pen_stats_feature_name) or None


def parsed_statistics(data: bytes) -> Statistics:
    """What pickles name: cloudpickle would take a method of the class apart."""
    return Statistics.parse(data)


def _names(raw: typing.Any, name_of: typing.Any) -> list[str]:
    names: list[str] = []
    while name := name_of(raw, len(names)):
        names.append(text(name))
    return names


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
    function: typing.Callable[[typing.Any, typing.Any, typing.Any], int],
    estimator: Reducer,
    data: _rows.Data,
) -> typing.Any:
    """A pen_stats that the library makes of a block."""
    with _rows.naming_column(data.rows.values, lambda: data.names):
        return made("pen_stats", function, lib.pen_stats_free, estimator.n_jobs, estimator.verbose)


def take(estimator: Reducer, model: Model, classes: np.ndarray | None = None) -> None:
    """Make `estimator` one that was fitted as the model was; classes: their values, if known."""
    for name in ("feature_names_in_", "derived_pairs_", "derived_reliability_", "_stream"):
        estimator.__dict__.pop(name, None)
    estimator.n_features_in_ = model.input_dim
    if model.feature_names is not None:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    estimator._take(model, classes)
