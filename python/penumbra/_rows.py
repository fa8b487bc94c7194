"""Conversion of rows, labels and pairs into the structures of the library."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import numbers
import typing
import warnings

import numpy as np

from penumbra._c import UNLABELLED, ffi, lib
from penumbra._native import Error, at, text, warn

if typing.TYPE_CHECKING:
    from penumbra._pairs import Gathered

# Arguments: anything that scikit-learn, the buffer protocol or DLPack can read.
Matrix = typing.Any
Labels = typing.Any
# Results: an array, for type hints, or what `set_output` and dask make of it.
Found = typing.Union[np.ndarray, typing.Any]

_BLOCK = 4096  # rows to check at a time

_TYPES = {"float64": 0, "float32": 1, "uint8": 2}  # pen_dtype

# For check_array. The library finds NaN while it reads the rows, and names row and column.
CHECKS: dict[str, typing.Any] = {
    "accept_sparse": "csr",
    "dtype": [np.float64, np.float32, np.uint8],
    "ensure_all_finite": False,
}


@dataclasses.dataclass(frozen=True, eq=False)
class Named:
    """Rows with column names that scikit-learn does not see: SciPy sparse rows, frames of polars 2
    before scikit-learn 1.9, and prepared rows, whose names may be None."""

    values: typing.Any
    names: typing.Sequence[str] | None

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        shape: tuple[int, int] = self.values.shape
        return shape

    def header(self) -> typing.Any:
        """Return an empty frame of the columns for checks, or, without names or pandas, self."""
        try:
            import pandas as pd
        except ImportError:
            return self
        return self if self.names is None else pd.DataFrame(columns=list(self.names))


def is_partitioned(X: Matrix) -> bool:
    """Whether X has dask partitions, which `penumbra.dask` fits and embeds where they are."""
    return hasattr(type(X), "__dask_graph__")


def unwrap(X: Matrix) -> Matrix:
    """Convert rows in forms that scikit-learn does not accept; return other rows unchanged.

    A frame with one column of arrays, an Arrow array of fixed-size lists, and tensors that have
    only DLPack become NumPy arrays, without a copy if their memory allows it. Dask partitions are
    brought into this process.
    """
    if isinstance(X, Named):
        return X.values
    if is_partitioned(X):
        X = X.compute()
    kind = type(X).__module__.partition(".")[0]
    if kind == "polars":
        X = X.collect() if hasattr(X, "collect") else X
        if not hasattr(X, "get_columns"):
            return X.to_numpy()
        columns = X.get_columns()
        is_lists = len(columns) == 1 and type(columns[0].dtype).__name__ == "Array"
        return columns[0].to_numpy() if is_lists else X
    if kind == "pyarrow":
        if type(X).__name__ == "RecordBatch":
            import pyarrow

            X = pyarrow.Table.from_batches([X])
        is_column = hasattr(X, "columns") and X.num_columns == 1
        inner = _lists(X.column(0) if is_column else X)
        return X if inner is None else inner
    if isinstance(X, np.ma.MaskedArray):
        hidden = np.count_nonzero(np.ma.getmaskarray(X))
        if hidden:
            raise ValueError(f"X must not hold masked values, got {hidden} of them")
        return X.data
    if hasattr(X, "__dlpack__") and not hasattr(X, "__array__"):
        return np.from_dlpack(X)
    if kind == "torch":
        return X.detach().cpu().numpy()
    return X


def _lists(array: typing.Any) -> np.ndarray | None:
    """Return an Arrow array of fixed-size lists as rows; None for any other array."""
    width = getattr(getattr(array, "type", None), "list_size", None)
    if width is None:
        return None
    if array.null_count:
        raise ValueError(f"rows must not be null, got {array.null_count} null rows")
    if hasattr(array, "combine_chunks"):
        array = array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()
    values: np.ndarray = array.flatten().to_numpy(zero_copy_only=False)
    return values.reshape(len(array), width)


def whole(name: str, value: typing.Any, low: int = 0, most: int | None = None) -> int:
    """Return `value` as an int; refuse anything but a whole number in [low, most]."""
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not is_whole or not low <= int(value) <= (2**63 - 1 if most is None else most):
        rule = f">= {low}" if most is None else f"in [{low}, {most}]"
        raise Error(f"{name} must be a whole number {rule}, got {value!r}")
    return int(value)


def numbers_at(pointer: typing.Any, *shape: int, dtype: typing.Any = np.float64) -> np.ndarray:
    """Return a copy of 8-byte numbers of the library."""
    count = int(np.prod(shape))
    memory = ffi.buffer(pointer, 8 * count) if count else b""
    return np.frombuffer(memory, dtype).reshape(shape).copy()


class Given:
    """A structure of the library and the memory that it points to."""

    def __init__(self, kind: str, members: dict[str, typing.Any]) -> None:
        self.raw = ffi.new(kind, members)
        self._kept: list[typing.Any] = []

    def new(self, kind: str, value: typing.Any) -> typing.Any:
        """Allocate C memory with this value, and keep it."""
        self._kept.append(ffi.new(kind, value))
        return self._kept[-1]

    def numbers(self, kind: str, values: np.ndarray) -> typing.Any:
        """Return a pointer to the memory of an array, and keep the array."""
        self._kept.append(values)
        return at(kind, values)

    def texts(self, texts: typing.Iterable[str]) -> typing.Any:
        """Return pointers to texts; NULL if there are none."""
        kept = [self.new("char[]", t.encode()) for t in texts]
        return self.new("char *[]", kept) if kept else ffi.NULL


@dataclasses.dataclass(frozen=True)
class Array:
    """Rows for the library: a pen_array and the memory that it points to."""

    raw: typing.Any
    values: typing.Any  # NumPy array, or SciPy matrix or array in CSR form
    kept: tuple[np.ndarray, ...] = ()


def is_sparse(x: typing.Any) -> bool:
    """Whether x is a SciPy CSR matrix or array, the only sparse form that `validated` returns."""
    return not isinstance(x, np.ndarray)


def _sparse_rows(x: typing.Any) -> Array:
    """Return the rows of a SciPy CSR matrix or array.

    If entries are unsorted or duplicate, a copy has them sorted and added.
    """
    if x.dtype.name not in _TYPES:
        x = x.astype(np.float64)
    if not x.has_canonical_format:
        x = x.copy()
        x.sum_duplicates()
    values = np.ascontiguousarray(x.data)
    starts = np.ascontiguousarray(x.indptr, np.int64)
    columns = np.ascontiguousarray(x.indices, np.int32)
    raw = {
        "values": at("void *", values),
        "dtype": _TYPES[x.dtype.name],
        "rows": x.shape[0],
        "cols": x.shape[1],
        "starts": at("int64_t *", starts),
        "columns": at("int32_t *", columns),
    }
    return Array(ffi.new("pen_array *", raw), x, (values, starts, columns))


def rows(x: typing.Any) -> Array:
    """Return the rows of a 2-D array [n x d] in its own memory, row-major, column-major or a view;
    or of a SciPy CSR matrix.

    Copies only types other than float64, float32 and uint8, unaligned values, and columns that
    share memory.
    """
    if is_sparse(x):
        return _sparse_rows(x)
    if x.dtype.name not in _TYPES:
        x = x.astype(np.float64)
    if not x.flags.aligned or not x.strides[1] or any(s % x.itemsize for s in x.strides):
        x = x.copy()
    raw = {
        "values": at("void *", x),
        "dtype": _TYPES[x.dtype.name],
        "rows": x.shape[0],
        "cols": x.shape[1],
    }
    if x.flags.c_contiguous:
        raw["stride"] = x.shape[1]
    else:
        raw["stride"], raw["step"] = (step // x.itemsize for step in x.strides)
    return Array(ffi.new("pen_array *", raw), x)


def not_finite(x: typing.Any) -> tuple[int, int] | None:
    """Return row and column of the first value that is NaN or infinite, or None."""
    if is_sparse(x):
        if x.dtype.kind != "f" or np.isfinite(x.data).all():
            return None
        entry = int(np.argmin(np.isfinite(x.data)))
        return int(np.searchsorted(x.indptr, entry, "right")) - 1, int(x.indices[entry])
    for first in range(0, len(x) if x.dtype.kind == "f" else 0, _BLOCK):
        rows, columns = np.nonzero(~np.isfinite(x[first : first + _BLOCK]))
        if len(rows):
            return first + int(rows[0]), int(columns[0])
    return None


def name_twice(X: Matrix) -> str:
    """Return the message for a frame with duplicate column names; "": there are none."""
    counts = collections.Counter(getattr(X, "columns", ()))
    name, count = max(counts.items(), key=lambda entry: entry[1], default=("", 0))
    return f'names of columns must differ, got "{name}" {count} times' if count > 1 else ""


def no_number(X: Matrix) -> str:
    """Return the message for the first cell of a frame that is not a number; "": there is none."""
    if not hasattr(X, "columns") or not hasattr(X, "dtypes"):
        return ""
    for place, name in enumerate(X.columns):
        column = X.iloc[:, place] if hasattr(X, "iloc") else X[name]
        if np.asarray(column).dtype.kind in "biuf":
            continue
        for row, value in enumerate(np.asarray(column, dtype=object)):
            try:
                None if _is_missing(value) else float(value)
            except (TypeError, ValueError):
                return (
                    f'column "{name}" must hold numbers, got {value!r} in row {row} (counted from'
                    " 0): leave out the column, or make numbers of it"
                )
    return ""


@contextlib.contextmanager
def naming_column(
    x: typing.Any, names: typing.Callable[[], typing.Sequence[str] | None]
) -> typing.Iterator[None]:
    """Add the column name to the library's error for a value that is not finite."""
    try:
        yield
    except Error as error:
        at = not_finite(x) if error.code == "PEN_NOT_FINITE" else None
        known = names()
        if at is None or known is None:
            raise
        raise Error(f'{error}: column "{known[at[1]]}"', error.code) from None


# ---- labels ----


@dataclasses.dataclass(frozen=True)
class Classes:
    """Labels for the library: codes [n], -1 for unlabelled rows, and the values of the classes."""

    codes: np.ndarray
    values: np.ndarray

    @property
    def names(self) -> list[str]:
        """The class names in model files: 1, 1.0 and True become 1, 1 and True."""
        if self.values.dtype.kind == "M":
            return [str(v) for v in np.datetime_as_string(self.values)]
        if self.values.dtype.kind == "f":
            return [str(int(v)) for v in self.values]
        return [str(v) for v in self.values.tolist()]

    @property
    def type(self) -> str:
        """The type from which `classes_named` restores the values; "": names are enough."""
        dtype = self.values.dtype
        if classes_named(self.names).dtype == dtype:
            return ""
        return "str" if dtype.kind == "U" else dtype.name


def _is_missing(value: typing.Any) -> bool:
    """Whether a label is None, NaN, pd.NA, NaT, or the number -1."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, (bool, np.bool_, str, bytes)):
        return False
    try:
        return bool(value != value) or bool(value == -1)
    except (TypeError, ValueError):
        return False


def _kind(label: typing.Any) -> type:
    """Return the kind that all labels must share; all numbers are of one kind."""
    if isinstance(label, (bool, np.bool_)):
        return bool
    is_number = isinstance(label, (int, float, np.number)) and not isinstance(label, np.timedelta64)
    return float if is_number else type(label)


def _plain(values: list[typing.Any], name: str) -> np.ndarray:
    """Return labels of one kind as an array of that kind."""
    kinds = {str if isinstance(v, str) else _kind(v) for v in values}
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"{name} must have labels of one type, got {names}")
    if kinds - {str, bytes, bool, float}:
        (kind,) = kinds
        raise TypeError(
            f"{name} must have labels that are text, numbers, bools or datetime64, got"
            f" {kind.__name__}: make text of them"
        )
    if kinds == {float} and any(_is_long(v) for v in values):  # NumPy may round these
        if all(isinstance(v, (int, np.integer)) for v in values):
            for integers in (np.int64, np.uint64):
                with contextlib.suppress(OverflowError):
                    return np.array([int(v) for v in values], integers)
        raise TypeError(f"{name} must have whole numbers below 2^64, without fractions, or text")
    return np.array(values)


def _is_long(value: typing.Any) -> bool:
    """Whether float64 may not represent a whole number."""
    return isinstance(value, (int, np.integer)) and not -(2**53) <= int(value) <= 2**53


def _objects(values: list[typing.Any]) -> np.ndarray:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def labelled(y: Labels) -> np.ndarray:
    """Return whether each label of `y` [n] is known: not -1, NaN, None or pd.NA."""
    array = _column(y)
    if array.dtype.kind in "ui":
        return np.asarray(array != -1) if array.dtype.kind == "i" else np.ones(len(array), bool)
    if array.dtype.kind == "f":
        return np.asarray(~(np.isnan(array) | (array == -1)))
    if array.dtype.kind == "O":
        return np.fromiter((not _is_missing(v) for v in array), bool, len(array))
    if array.dtype.kind in "mM":
        return np.asarray(~np.isnat(array))
    return np.ones(len(array), bool)


def _column(y: Labels) -> np.ndarray:
    """Return labels as an array that preserves missing values and numbers."""
    from sklearn.utils.validation import column_or_1d

    if hasattr(y, "__dlpack__") and not hasattr(y, "__array__"):
        y = np.from_dlpack(y)
    # NumPy turns whole numbers with missing values into floats, and None among text into text
    kind = type(y).__module__.partition(".")[0]
    if isinstance(y, np.ma.MaskedArray):
        hidden, y = np.ma.getmaskarray(y), np.array(y.data, dtype=object)
        y[hidden] = None
    elif kind == "polars" and hasattr(y, "to_list") and y.null_count():
        y = _objects(y.to_list())
    elif kind == "pyarrow" and hasattr(y, "to_pylist") and y.null_count:
        y = _objects(y.to_pylist())
    elif kind == "pandas" and getattr(getattr(y, "dtype", None), "na_value", None) is not None:
        y = y.astype(object)
    elif isinstance(y, (list, tuple)) and any(
        _is_missing(v) or isinstance(v, (str, bool)) or _is_long(v) for v in y
    ):
        y = _objects(list(y))
    array: np.ndarray = column_or_1d(np.asarray(y), warn=True)
    return array.astype(object) if array.dtype.kind == "T" else array


def known(y: Labels, name: str = "y") -> tuple[np.ndarray, np.ndarray]:
    """Return which rows have a label [n], and these labels as an array of their own type."""
    array = _column(y)
    has = labelled(array)
    values = array[has]
    if values.dtype.kind in "Om":
        values = _plain(list(values), name)
    if values.dtype.kind == "U":
        _refuse_marks(values, name)
    return has, values


_MARKS = {"", *UNLABELLED}


def is_mark(name: str) -> bool:
    with contextlib.suppress(ValueError):  # -1 in any notation
        return float(name) == -1 or name in _MARKS
    return name in _MARKS


def _refuse_marks(values: np.ndarray, owner: str) -> None:
    """Refuse labels whose text means unlabelled in files, because they are ambiguous."""
    for name in np.unique(values).tolist():
        if is_mark(name.strip()):
            more = ", and NumPy makes it of a NaN among text" if name == "nan" else ""
            raise Error(
                f"{owner} must not have the text {name!r}, which means unlabelled in files{more}:"
                " mark unlabelled rows by None (dtype=object), or rename the class"
            )


def some_known(y: Labels) -> tuple[np.ndarray, np.ndarray]:
    """Like `known`, but an error if no row has a label."""
    has, values = known(y)
    if not len(values):
        raise Error("y must have a labelled row, got none", "PEN_NO_LABELS")
    return has, values


def classes(y: Labels, name: str = "y") -> Classes:
    """Return the sorted classes of `y` [n]. Messages call the argument `name`.

    Raises ValueError for labels that are not classes (fractions), TypeError for mixed types.
    """
    from sklearn.utils.multiclass import check_classification_targets

    has, values = known(y, name)
    codes = np.full(len(has), -1, np.int32)
    if not len(values):
        return Classes(codes, values)
    with warnings.catch_warnings():  # many classes for few labels need not mean a regression
        warnings.simplefilter("ignore", UserWarning)
        check_classification_targets(values)
    unique, inverse = np.unique(values, return_inverse=True)
    codes[has] = inverse
    if unique.dtype.kind == "U":  # only as wide as the classes need
        unique = np.array(unique.tolist())
    return Classes(codes, unique)


MINUS_ONE = "-1 in y means unlabelled: if it is a class, give it another label: y[y == -1] = 2"


def count_minus_ones(y: Labels) -> int:
    """Return the number of labels -1."""
    array = _column(y)
    if array.dtype.kind == "O":
        array = np.array([v for v in array if isinstance(v, (int, float, np.number))])
    return int(np.count_nonzero(array == -1)) if array.dtype.kind in "if" else 0


def warn_of_classes(y: Labels, found: Classes) -> None:
    """Warn if -1 may be meant as a class."""
    if found.values.dtype.kind in "iuf" and found.names in (["1"], ["0", "1"]):
        minus, sizes = count_minus_ones(y), np.bincount(found.codes[found.codes >= 0])
        if minus and (len(sizes) == 1 or minus <= sizes.max()):
            warn(f"{MINUS_ONE} ({minus} rows)")


def classes_named(names: list[str], kind: str = "") -> np.ndarray:
    """Return the classes of a model file from their names, in the type of their `Classes`.

    For a file of the command: whole numbers if all names are such, otherwise text.
    """
    for known in [kind] if kind else ["int64", "uint64"]:
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            is_bool = known == "bool"  # NumPy converts any text to True
            values = np.array([name == "True" for name in names] if is_bool else names, known)
            if Classes(values, values).names == names:
                return values
    return np.array(names)


# ---- one fit ----


class Data(Given):
    """A pen_data and the memory that it points to."""

    def __init__(
        self,
        x: typing.Any,
        y: Classes | None = None,
        names: typing.Sequence[str] | None = None,
        linked: Gathered | None = None,
        prepared: typing.Any = None,
    ) -> None:
        self.rows = rows(x) if prepared is None else prepared._array
        self.names = names
        super().__init__("pen_data *", {"x": self.rows.raw[0]})
        if prepared is not None:
            self.raw.rows = prepared._raw
            self._kept.append(prepared)
        if y is not None:
            self.set_labels(y.codes)
            self.raw.class_names = self.texts(_utf8("classes", y.names))
            self.raw.class_count = len(y.values)
            if kind := y.type:
                self.raw.class_type = self.new("char[]", kind.encode())
        if names is not None:
            self.raw.column_names = self.texts(_utf8("columns", names))
        for kind in ("must_link", "cannot_link") if linked else ():
            pairs, weights = getattr(linked, kind), getattr(linked, kind + "_weights")
            if pairs is not None:
                setattr(self.raw, kind, self.numbers("int64_t *", pairs))
                setattr(self.raw, kind + "_count", len(pairs))
            if weights is not None:
                setattr(self.raw, kind + "_weights", self.numbers("double *", weights))

    def set_labels(self, codes: np.ndarray) -> None:
        """Set the class of each row, -1 for unlabelled rows."""
        self.raw.labels = self.numbers("int32_t *", codes)

    def set_groups(self, codes: np.ndarray) -> None:
        """Set groups of rows that are held out together; -1: the row is its own group."""
        if len(codes) != self.raw.x.rows:
            raise Error(f"groups must have one entry per row, {self.raw.x.rows}, got {len(codes)}")
        self.raw.groups = self.numbers("int32_t *", codes)

    def set_neighbors(self, graph: Given) -> None:
        """Set a graph of neighbors, a pen_sparse."""
        self._kept.append(graph)
        self.raw.graph = graph.raw


def _utf8(what: str, names: typing.Iterable[str]) -> list[str]:
    """Return the names as a list; refuse names that model files cannot hold."""
    listed = list(names)
    for name in listed:
        if "\0" in name or name.encode("utf-8", "replace") != name.encode("utf-8", "ignore"):
            raise Error(f"{what} must have names of UTF-8 without NUL, got {name!r}")
    return listed
