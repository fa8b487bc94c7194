"""Files that the command does not read, made into files that it does.

    python -m penumbra.convert IN [OUT]

IN: Parquet, Arrow (files and streams), Feather and ORC (by pyarrow), ARFF, idx (the MNIST format),
each as it is or .gz; h5ad (by anndata), also ``IN::layers/NAME`` and ``IN::obsm/NAME``; MATLAB
before 7.3 (by SciPy), ``IN::NAME``. OUT: .csv, .tsv, .npy, or .npz of sparse rows; without it the
name of IN with another end. A file that exists is not overwritten.

An index of pandas other than row numbers becomes the first column, or columns; without a name it
has an empty one, which makes it the names of the rows. Missing values are empty cells, dates and
times are text (times with a zone in UTC), durations are seconds.
"""

from __future__ import annotations

import argparse
import gzip
import io
import math
import os
import pathlib
import re
import sys
import typing
import warnings
import zlib

import numpy as np

from penumbra._native import Error

__all__ = ["convert"]

_IDX_TYPES = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}


# Of files with other content, the first bytes and what to do.
_OTHERS = (
    (b"PK\3\4", 0, "a zip archive or a spreadsheet (xlsx, ods): save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "an old Excel file: save the sheet as CSV"),
    (b"\xc2\xea\x81\x60\xb3\x14\x11\xcf", 12, "a SAS file: pandas.read_sas(IN).to_csv(OUT)"),
    (b"<stata_dta>", 0, "a Stata file: pandas.read_stata(IN).to_csv(OUT)"),
    (b"$FL2@(#)", 0, "an SPSS file: pandas.read_spss(IN).to_csv(OUT)"),
    (b"$FL3@(#)", 0, "an SPSS file: pandas.read_spss(IN).to_csv(OUT)"),
    (b"RDX2\n", 0, "an R data file: write the rows with write.csv in R"),
    (b"RDX3\n", 0, "an R data file: write the rows with write.csv in R"),
    (b"X\n\0\0\0\2", 0, "an RDS file of R: write the rows with write.csv in R"),
    (b"X\n\0\0\0\3", 0, "an RDS file of R: write the rows with write.csv in R"),
    (b"MATLAB 7.3", 0, "a MATLAB 7.3 file: save it with -v7 in MATLAB"),
    (b"\x89HDF\r\n\x1a\n", 0, "an HDF5 file in gzip: expand it first, by gunzip"),
    (b"MATLAB 5", 0, "a MATLAB file in gzip: expand it first, by gunzip"),
    (b"\x28\xb5\x2f\xfd", 0, "a zstd file: expand it first, by unzstd"),
    (b"\xff\xfe", 0, "UTF-16 text: convert it to UTF-8, by iconv -f UTF-16 -t UTF-8"),
    (b"\xfe\xff", 0, "UTF-16 text: convert it to UTF-8, by iconv -f UTF-16 -t UTF-8"),
)

_BATCH = 4096  # rows that are written at a time


class _Table:
    """Columns [rows] by name, of numbers or of text; or a matrix, dense or sparse, with names.

    ``columns`` are lists or arrays of pyarrow; the first are ``index``, an index of pandas.
    """

    def __init__(
        self,
        columns: dict[str, typing.Any] | None = None,
        matrix: typing.Any = None,
        names: typing.Sequence[str] | None = None,
        rows: typing.Sequence[str] | None = None,
        end: str = ".csv",
        index: typing.Sequence[str] = (),
    ) -> None:
        self.columns = columns
        self.matrix = matrix
        self.names = names
        self.rows = rows
        self.end = end  # of OUT if it has no name
        self.index = index


# ---- reading ----


def _said(error: BaseException) -> str:
    """What an error of another package says, in one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _bytes(path: pathlib.Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def _arrow_times(column: typing.Any) -> list[str | None]:
    """ISO 8601 with as few digits as hold all times of the column; Z where there is a zone."""
    values = column.to_numpy()
    known = values[~np.isnat(values)]
    for unit in ("s", "ms", "us") if column.type.tz else ("D", "s", "ms", "us"):
        if (known == known.astype(f"datetime64[{unit}]")).all():
            values = values.astype(f"datetime64[{unit}]")
            break
    zone = "Z" if column.type.tz else ""
    texts = np.datetime_as_string(values).tolist()
    return [None if text == "NaT" else text + zone for text in texts]


def _arrow_column(name: str, column: typing.Any) -> typing.Any:
    """The column with cells that are numbers, booleans, text or None."""
    import pyarrow
    import pyarrow.compute

    kind, types = column.type, pyarrow.types
    if types.is_dictionary(kind) and str(kind.value_type) == "string_view":
        # Of polars; pyarrow does not cast it.
        chunks = [c.dictionary.cast(pyarrow.string()).take(c.indices) for c in column.chunks]
        return pyarrow.chunked_array(chunks, type=pyarrow.string())
    if types.is_dictionary(kind):
        return _arrow_column(name, column.cast(kind.value_type))
    if types.is_duration(kind):
        ticks = column.cast(pyarrow.int64()).cast(pyarrow.float64(), safe=False)
        per = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[kind.unit]
        return pyarrow.compute.divide(ticks, per)
    if types.is_timestamp(kind):
        return _arrow_times(column)
    if types.is_date64(kind):
        return column.cast(pyarrow.date32()).cast(pyarrow.string())
    if types.is_date(kind) or types.is_time(kind):
        return column.cast(pyarrow.string())
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        try:  # older writers of Parquet do not say that their bytes are text
            return column.cast(pyarrow.binary()).cast(pyarrow.string())
        except pyarrow.ArrowInvalid:
            raise Error(f"column {name} holds bytes that are not UTF-8 text") from None
    if str(kind) == "string_view":  # pyarrow before 16 has no function for it
        return column.cast(pyarrow.string())
    plain = (
        types.is_null(kind) or types.is_boolean(kind) or types.is_integer(kind)
        or types.is_floating(kind) or types.is_decimal(kind)
        or types.is_string(kind) or types.is_large_string(kind)
    )  # fmt: skip
    if not plain:
        words = str(kind) if len(str(kind)) <= 60 else f"{str(kind)[:60]}..."
        raise Error(f"column {name} holds {words}: expected numbers, text, dates or times")
    return column


def _arrow_columns(name: str, column: typing.Any) -> dict[str, typing.Any]:
    """The column; of lists of equally many numbers, as of embeddings, a column for each place."""
    import pyarrow
    import pyarrow.compute

    kind, types = column.type, pyarrow.types
    lists = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    if not lists or not (types.is_integer(kind.value_type) or types.is_floating(kind.value_type)):
        return {name: _arrow_column(name, column)}
    widths = pyarrow.compute.list_value_length(column).unique().to_pylist()
    if len(widths) > 1 or not all(widths):
        some = " and ".join("none" if width is None else str(width) for width in widths[:2])
        raise Error(f"column {name} must hold lists of equally many numbers, got {some}")
    flat = pyarrow.compute.list_flatten(column).to_numpy()
    matrix = flat.reshape(len(column), widths[0] if widths else 0)
    return {f"{name}_{place}": pyarrow.array(part) for place, part in enumerate(matrix.T)}


def _arrow_names(table: typing.Any) -> tuple[list[str], dict[int, str]]:
    """The names of the fields, and of those that are an index of pandas, by place."""
    names = list(map(str, table.column_names))
    about = table.schema.pandas_metadata or {}
    columns = about.get("columns", ())
    given = {str(c.get("field_name", c.get("name"))): c.get("name") for c in columns}
    index: dict[int, str] = {}
    for field in about.get("index_columns", ()):
        if isinstance(field, str) and field in names:  # otherwise a range, of row numbers
            name = given.get(field)
            missing = f"level_{len(index)}" if index else ""
            # Pandas 0.2x has no field_name, but the name of an unnamed level, as its name.
            unnamed = name is None or re.fullmatch(r"__index_level_\d+__", str(name))
            index[names.index(field)] = missing if unnamed else str(name)
    return names, index


def _arrow_table(table: typing.Any) -> _Table:
    fields, index = _arrow_names(table)
    order = [*index, *(at for at in range(len(fields)) if at not in index)]
    if len(order) == len(index):
        raise Error("the table has no columns")
    names = [index.get(at, fields[at]) for at in order]
    columns: dict[str, typing.Any] = {}
    for name, at in zip(names, order):
        found = _arrow_columns(name, table.column(at))
        for twice in found.keys() & columns.keys():
            raise Error(f"two columns are named {twice!r}")
        columns.update(found)
    return _Table(columns=columns, index=names[: len(index)])


def _arrow(data: bytes, kind: str) -> _Table:
    try:
        import pyarrow
    except ImportError:
        raise Error("this takes pyarrow: pip install pyarrow") from None
    if kind == "parquet":
        import pyarrow.parquet

        table = pyarrow.parquet.ParquetFile(io.BytesIO(data)).read()
    elif kind == "orc":
        import pyarrow.orc

        table = pyarrow.orc.ORCFile(io.BytesIO(data)).read()
    elif kind == "feather":
        import pyarrow.feather

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that later versions of pyarrow will not read it
            table = pyarrow.feather.read_table(io.BytesIO(data))
    else:
        opened = pyarrow.ipc.open_file if kind == "file" else pyarrow.ipc.open_stream
        table = opened(pyarrow.py_buffer(data)).read_all()
    return _arrow_table(table)


def _idx(data: bytes) -> _Table:
    kind, count = data[2], data[3]
    if kind not in _IDX_TYPES or len(data) < 4 + 4 * count:
        raise Error("not an idx file, or one that is truncated")
    shape = tuple(np.frombuffer(data, ">i4", count, 4).tolist())
    size, odd = divmod(len(data) - 4 - 4 * count, np.dtype(_IDX_TYPES[kind]).itemsize)
    if count == 0 or min(shape) < 0 or size != math.prod(shape) or odd:
        raise Error(f"the idx file has {size} values, the shape {shape} takes others")
    values = np.frombuffer(data, _IDX_TYPES[kind], offset=4 + 4 * count)
    values = values.astype(values.dtype.newbyteorder("="))
    return _Table(matrix=values.reshape(shape[0], -1 if values.size else 0), end=".npy")


_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
# A cell is quoted or reaches to the comma; a comment begins with % after a blank.
_ARFF_CELL = re.compile(rf"\s*({_QUOTED}|(?!['\"])[^,]*?)\s*(,|$|(?<=[\s,'\"])%.*)")
_ARFF_PAIR = re.compile(rf"\s*(\d+)\s+({_QUOTED}|[^\s,}}'\"][^,}}]*?)\s*([,}}])")
_ARFF_NAME = re.compile(rf"@attribute\s*({_QUOTED}|(?<=\s)[^\s{{'\"][^\s{{]*)\s*(.*)", re.I)
_ARFF_START = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:%[^\r\n]*)?[\r\n])*[ \t]*@relation", re.I)
_ARFF_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def _unquoted(word: str) -> str:
    if word[:1] not in ("'", '"'):
        return word
    return re.sub(r"\\(.)", lambda m: _ARFF_ESCAPES.get(m[1], m[1]), word[1:-1])


def _arff_value(word: str) -> str | None:
    return None if word in ("?", "") else _unquoted(word)


def _arff_words(line: str, number: int) -> list[str]:
    """Words separated by commas, with their quotes."""
    words, at = [], 0
    while True:
        found = _ARFF_CELL.match(line, at)
        if not found:
            whole = re.match(rf"\s*(?:{_QUOTED})", line[at:])
            fault = "expected a comma after a quote" if whole else "a quote does not end"
            raise Error(f"line {number}: {fault}: {line[at:].strip()[:60]}")
        words.append(found[1])
        if found[2] != ",":
            return words
        at = found.end()


class _Attribute(typing.NamedTuple):
    name: str
    kind: str  # number, nominal, string or date
    values: list[str]  # of a nominal one

    def omitted(self, number: int) -> str:
        """The value that a sparse row leaves out: that of code 0."""
        if self.kind == "number":
            return "0"
        if self.kind == "nominal":
            return self.values[0]
        # The string of code 0 is that which came first to the program that wrote the file.
        raise Error(
            f"line {number}: the {self.kind} attribute {self.name} is left out, which stands for"
            " a value that the file does not tell"
        )


def _arff_attribute(line: str, number: int) -> _Attribute:
    found = _ARFF_NAME.match(line)
    if not found:
        raise Error(f"line {number}: expected @attribute NAME TYPE, got {line[:60]}")
    name, rest = _unquoted(found[1]), found[2]
    if not name:
        raise Error(f"line {number}: the attribute has an empty name")
    if rest.startswith("{"):
        end = rest.rfind("}")
        words = _arff_words(rest[1:end], number) if end > 0 else []
        if len(words) == 1 and words[0][:1] not in ("'", '"'):
            words = words[0].split()  # blanks, too, separate values
        if not all(words) or not words:
            raise Error(f"line {number}: expected {{VALUE,VALUE,...}}, got {rest[:60]}")
        return _Attribute(name, "nominal", list(map(_unquoted, words)))
    word = re.match(r"[A-Za-z]*", rest)
    kind = word[0].lower() if word else ""
    if kind in ("numeric", "real", "integer"):
        return _Attribute(name, "number", [])
    if kind in ("string", "date"):
        return _Attribute(name, kind, [])
    raise Error(
        f"line {number}: attribute {name}: expected numeric, string, date or {{VALUES}},"
        f" got {rest[:60] or 'no type'}"
    )


def _arff_sparse(line: str, attributes: list[_Attribute], number: int) -> list[str | None]:
    """{INDEX VALUE, INDEX VALUE}"""
    values: dict[int, str | None] = {}
    at = 1
    while True:
        end = re.compile(r"\s*\}").match(line, at)
        if end:
            at = end.end()
            break
        found = _ARFF_PAIR.match(line, at)
        if not found:
            raise Error(f"line {number}: expected INDEX VALUE, got {line[at:].strip()[:60]}")
        index = int(found[1])
        if index >= len(attributes):
            raise Error(f"line {number}: there is no attribute {index}")
        if index in values:
            raise Error(f"line {number}: attribute {index} has two values")
        values[index] = _arff_value(found[2])
        at = found.end()
        if found[3] == "}":
            break
    rest = line[at:].strip()
    if rest and not rest.startswith("%"):
        raise Error(f"line {number}: expected the end of the row, got {rest[:60]}")
    return [
        values[at] if at in values else attribute.omitted(number)
        for at, attribute in enumerate(attributes)
    ]


def _arff_row(line: str, attributes: list[_Attribute], number: int) -> list[str | None]:
    if line.startswith("{"):
        return _arff_sparse(line, attributes, number)
    if any(c in line for c in "'\"%"):
        words = _arff_words(line, number)
    else:
        words = [word.strip() for word in line.split(",")]
    if len(words) == 1 and len(attributes) > 1:  # tabs and blanks, too, separate values
        words = re.findall(rf"{_QUOTED}|[^\s%]\S*|%.*", line)
        words = words[:-1] if words[-1].startswith("%") else words
    if len(words) == len(attributes) + 1 and words[-1].startswith("{"):
        raise Error(f"line {number}: a weight of a row, {words[-1]}, is not supported")
    if len(words) != len(attributes):
        raise Error(f"line {number}: expected {len(attributes)} cells, got {len(words)}")
    return list(map(_arff_value, words))


def _arff_check(attribute: _Attribute, column: list[str | None], numbers: list[int]) -> None:
    """A value other than declared is most often a sign of cells that are one off."""
    allowed = set(attribute.values)
    for value, number in zip(column, numbers):
        if value is None:
            continue
        if attribute.kind == "nominal" and value not in allowed:
            rule = "one of its values"
        elif attribute.kind == "number" and not _is_number(value):
            rule = "a number"
        else:
            continue
        raise Error(f"line {number}: {attribute.name} must be {rule}, got {value[:60]!r}")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _arff_text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        raise Error(
            f"line {line}: it is not UTF-8: convert it, as by iconv -f LATIN1 -t UTF-8"
        ) from None


def _arff(data: bytes) -> _Table:
    attributes: list[_Attribute] = []
    names: set[str] = set()
    rows: list[list[str | None]] | None = None
    numbers: list[int] = []
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", _arff_text(data)), 1):
        line, word = raw.strip(), raw.strip()[:10].lower()
        if not line or line.startswith("%"):
            continue
        if rows is not None:
            rows.append(_arff_row(line, attributes, number))
            numbers.append(number)
        elif word.startswith("@attribute"):
            attribute = _arff_attribute(line, number)
            if attribute.name in names:
                raise Error(f"line {number}: two attributes are named {attribute.name}")
            names.add(attribute.name)
            attributes.append(attribute)
        elif word.startswith("@data"):
            if not attributes:
                raise Error(f"line {number}: there is no @attribute before @data")
            rows = []
        elif not line.startswith("@"):
            raise Error(f"line {number}: expected @attribute or @data, got {line[:60]}")
    if not rows:
        raise Error("the ARFF file has no rows after @data")
    columns = {}
    for attribute, column in zip(attributes, map(list, zip(*rows))):
        _arff_check(attribute, column, numbers)
        columns[attribute.name] = column
    return _Table(columns=columns)


def _matrix(matrix: typing.Any, names: typing.Sequence[str] | None, what: str) -> _Table:
    if hasattr(matrix, "columns"):  # a dataframe
        names, matrix = list(map(str, matrix.columns)), matrix.to_numpy()
    matrix = matrix.tocsr() if _sparse(matrix) else np.asarray(matrix)
    if matrix.ndim != 2:
        raise Error(f"{what} has {matrix.ndim} dimensions, expected 2")
    if matrix.dtype.kind not in "biuf":
        raise Error(f"{what} holds {matrix.dtype}: expected real numbers")
    return _Table(matrix=matrix, names=names)


def _h5ad(path: pathlib.Path, member: str) -> _Table:
    try:
        import anndata
    except ImportError:
        raise Error("this takes anndata: pip install anndata") from None
    try:
        data = anndata.read_h5ad(path)
    except Exception as error:  # of many kinds where the HDF5 file is another
        raise Error(f"anndata does not read it as h5ad: {_said(error)}") from None
    kind, _, name = member.partition("/")
    columns = list(map(str, data.var_names))
    has = [] if data.X is None else ["X"]
    has += [f"layers/{key}" for key in data.layers] + [f"obsm/{key}" for key in data.obsm]
    if (member or "X") not in has:
        raise Error(f"there is no {member or 'X'}; there are {', '.join(has)}")
    if member in ("", "X"):
        table = _matrix(data.X, columns, "X")
    else:
        names = columns if kind == "layers" else None
        table = _matrix(getattr(data, kind)[name], names, member)
    table.rows = list(map(str, data.obs_names))
    table.end = ".npz" if _sparse(table.matrix) else ".csv"
    return table


def _matlab(path: pathlib.Path, member: str) -> _Table:
    import scipy.io

    variables = {
        name: value
        for name, value in scipy.io.loadmat(path).items()
        if not name.startswith("__")
        and getattr(value, "ndim", 0) == 2
        and value.dtype.kind in "biufc"  # not text, cells and structures
    }
    if not variables:
        raise Error("it has no matrix of numbers")
    if not member and len(variables) == 1:
        member = next(iter(variables))
    if member not in variables:
        raise Error(f"IN::NAME names one of {', '.join(variables)}")
    table = _matrix(variables[member], None, member)
    table.end = ".npz" if _sparse(table.matrix) else ".npy"
    return table


def _read(path: pathlib.Path, member: str) -> _Table:
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith(b"\x89HDF\r\n\x1a\n"):
        return _h5ad(path, member)
    if head.startswith(b"MATLAB 5"):
        return _matlab(path, member)
    if member:
        raise Error(f"it has no {member}: it is one table")
    data = _bytes(path)
    if data[:4] == b"PAR1":
        return _arrow(data, "parquet")
    if data[:6] == b"ARROW1":
        return _arrow(data, "file")
    if data[:4] == b"FEA1":
        return _arrow(data, "feather")
    if data[:4] == b"\xff\xff\xff\xff":
        return _arrow(data, "stream")
    if data[:3] == b"ORC":
        return _arrow(data, "orc")
    if data[:2] == b"\0\0" and len(data) > 8 and 1 <= data[3] <= 4:
        return _idx(data)
    if _ARFF_START.match(data):
        return _arff(data)
    npz = data[:4] == b"PK\3\4" and b".npy" in data[30:130]  # the name of the first file in it
    for start, at, what in _OTHERS:
        if data[at : at + len(start)] == start and not npz:
            raise Error(f"this is {what}")
    raise Error(
        "expected Parquet, Arrow (Feather), ORC, ARFF, idx, h5ad or MATLAB;"
        " penumbra convert takes what penumbra reads"
    )


# ---- writing ----


def _sparse(matrix: typing.Any) -> bool:
    return hasattr(matrix, "tocsr")


def _numbers(table: _Table) -> typing.Any:
    """The matrix; columns of text are an error."""
    if table.columns is None:
        return table.matrix
    text = []
    columns = []
    for name, values in table.columns.items():
        if table.index == [""] and name == "" and _is_integer(values):
            continue  # numbers of rows, of which some were dropped
        cells = values if isinstance(values, list) else values.to_numpy()
        try:
            if getattr(cells, "dtype", np.dtype(object)) == object:
                cells = [math.nan if cell is None or cell == "" else cell for cell in cells]
            columns.append(np.asarray(cells, dtype=np.float64))
        except (TypeError, ValueError):
            text.append(name)
            continue
        if name in table.index:
            raise Error(f"npy and npz hold no index {name!r}: write a .csv file")
    if text:
        words = ", ".join(name or "the names of rows" for name in text)
        raise Error(f"npy and npz hold numbers; {words} are text: write a .csv file")
    return np.column_stack(columns)


def _is_integer(values: typing.Any) -> bool:
    return not isinstance(values, list) and bool(values.to_numpy().dtype.kind in "iu")


def _cell(value: typing.Any, delimiter: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        special = value != value.strip() or any(c in value for c in (delimiter, '"', "\n", "\r"))
        return '"' + value.replace('"', '""') + '"' if special else value
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return str(int(value)) if isinstance(value, bool) else str(value)


def _cells(values: typing.Any) -> list[typing.Any]:
    """Python's numbers and texts, of which None is missing."""
    if isinstance(values, list):
        return values
    return list(values.tolist() if isinstance(values, np.ndarray) else values.to_pylist())


def _blocks(table: _Table) -> typing.Iterator[typing.Iterable[typing.Sequence[typing.Any]]]:
    """The rows, some at a time, as lists of Python's numbers and texts."""
    if table.columns is not None:
        count = len(next(iter(table.columns.values())))
        for begin in range(0, count, _BATCH):
            part = slice(begin, begin + _BATCH)
            yield zip(*[_cells(values[part]) for values in table.columns.values()])
        return
    rows = table.rows if table.names is not None else None
    wide = max(1, _BATCH // max(1, table.matrix.shape[1] // 256))
    for begin in range(0, table.matrix.shape[0], wide):
        block = table.matrix[begin : begin + wide]
        cells = _cells(block.toarray() if _sparse(block) else block)
        yield cells if rows is None else [[rows[begin + i], *row] for i, row in enumerate(cells)]


def _write_text(table: _Table, out: typing.TextIO, delimiter: str) -> None:
    head: list[str] | None = None
    if table.columns is not None:
        head = list(table.columns)
    elif table.names is not None:
        head = ([""] if table.rows is not None else []) + list(table.names)
    blocks = _blocks(table)
    if head is not None:
        out.write(delimiter.join(_cell(name, delimiter) for name in head) + "\n")
    for block in blocks:
        for row in block:
            # A row of one empty cell would be a blank line, which is skipped.
            out.write((delimiter.join([_cell(v, delimiter) for v in row]) or '""') + "\n")


def _write_npz(table: _Table, path: typing.BinaryIO) -> None:
    import scipy.sparse

    scipy.sparse.save_npz(path, scipy.sparse.csr_matrix(_numbers(table)))


def _write(table: _Table, draft: pathlib.Path, end: str) -> None:
    if end in (".csv", ".tsv"):
        with draft.open("w", newline="", encoding="utf-8") as text:
            _write_text(table, text, "\t" if end == ".tsv" else ",")
        return
    with draft.open("wb") as file:
        if end == ".npz":
            _write_npz(table, file)
        else:
            matrix = _numbers(table)
            np.save(file, matrix.toarray() if _sparse(matrix) else np.asarray(matrix))


def _remarks(table: _Table, out: pathlib.Path) -> list[str]:
    """What OUT does not hold, and what the command would take for values."""
    if out.suffix.lower() in (".npy", ".npz"):
        named = table.columns is not None or table.names is not None or table.rows is not None
        return [f"{out}: names of rows and columns are left out"] if named else []
    if table.rows is not None and table.names is None:
        return [f"{out}: names of rows are left out"]
    if not table.index or table.index[0] == "":
        return []
    flag = f"--row-name-column {table.index[0]}"
    return [f"{out}: the index {', '.join(table.index)} comes first: {flag} makes names of it"]


def _checked(out: pathlib.Path) -> None:
    if out.suffix.lower() not in (".csv", ".tsv", ".npy", ".npz"):
        raise Error(f"{out}: the name must end in .csv, .tsv, .npy or .npz")
    if os.path.lexists(out):
        raise Error(f"{out}: there is such a file")


def _convert(source: str, target: str | None) -> tuple[str, list[str]]:
    """The name of OUT, and remarks."""
    file, _, member = source.partition("::")
    if target is not None:
        _checked(pathlib.Path(target))  # before the work
    path = pathlib.Path(file)
    try:
        table = _read(path, member)
    except Error as error:
        raise Error(f"{file}: {error}") from None
    except zlib.error:
        raise Error(f"{file}: the gzip file is damaged") from None
    except Exception as error:  # packages that read files raise errors of many kinds
        raise Error(f"{file}: {_said(error)}") from None
    plain = path.with_suffix("") if path.suffix == ".gz" else path
    out = pathlib.Path(target) if target is not None else plain.with_suffix(table.end)
    _checked(out)
    draft = out.with_name(f"{out.name}.{os.getpid()}.part{out.suffix}")
    try:
        _write(table, draft, out.suffix.lower())
        draft.replace(out)
    except Error as error:
        raise Error(f"{file}: {error}") from None
    # ValueError: a zero byte in the name; MemoryError: sparse rows that become dense
    except (OSError, ValueError, MemoryError) as error:
        raise Error(f"{out}: {_said(error)}") from None
    finally:
        try:
            draft.unlink(missing_ok=True)
        except (OSError, ValueError):  # no file can have this name, so there is none
            pass
    return str(out), _remarks(table, out)


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str] | None = None) -> str:
    """Write ``source`` as ``target``: .csv, .tsv, .npy or .npz; returns its name.

    ``source`` may be ``FILE::NAME``. The file is written completely or not at all.
    """
    return _convert(os.fspath(source), None if target is None else os.fspath(target))[0]


def main(arguments: typing.Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m penumbra.convert",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN")
    parser.add_argument("target", metavar="OUT", nargs="?")
    given = parser.parse_args(arguments)
    try:
        name, remarks = _convert(given.source, given.target)
    except Error as error:
        print(f"penumbra.convert: {error}", file=sys.stderr)
        return 1
    for remark in remarks:
        print(f"penumbra.convert: {remark}", file=sys.stderr)
    print(name)
    return 0


if __name__ == "__main__":
    done = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(done)  # not by sys.exit: threads of pyarrow now and then abort it on a busy machine
