"""Convert files of other programs into files that the command reads.

    python -m penumbra.convert IN[::NAME] [OUT] [--labels NAME] [--one-hot A,B] [--like MODEL]

AnnData (anndata)     cells.h5ad --labels cell_type; cells.h5ad::layers/counts,
                      cells.h5ad::obsm/X_pca, cells.h5ad::raw/X
Loom (h5py)           cells.loom --labels ClusterName
Cell Ranger           filtered_feature_bc_matrix/, GSM1_a_matrix.mtx.gz; counts.h5 (h5py)
MATLAB (7.3: h5py)    data.mat::fea --labels gnd, data.mat::set.train --labels set.kind
other HDF5 (h5py)     data.h5::one/rows --labels one/kinds
Excel (openpyxl)      book.xlsx::Sheet2 --labels kind
Parquet, Arrow, Feather, ORC (pyarrow)
                      table.parquet --labels kind --one-hot color,shape
text                  table.csv --one-hot color,shape; new.csv --one-hot color --like model.pen

Files can be compressed by gzip. OUT is a .csv, .tsv or .npy file, or .npz for sparse rows. Without
OUT, the name is that of IN with another extension. The name is printed. Existing files are not
overwritten.

A vector becomes a column. An array a x b x c becomes a*b rows of c columns, where row i*b + j is
the place i, j; labels a x b follow the same order. Labels become the last column of a text file,
else a separate file next to OUT. --one-hot replaces a column by a column for each word, such as
color=red. With --like the words are those of the model, and other words become zeros. Missing
values become empty cells, dates and times text, durations seconds. A pandas index other than row
numbers becomes the first column, without a name: the row names.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import dataclasses
import datetime
import functools
import gzip
import importlib
import itertools
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile
import typing
import warnings
import zlib

import numpy as np
import scipy.io
import scipy.sparse

import penumbra
from penumbra import Error, PenumbraWarning

try:
    pandas: typing.Any = importlib.import_module("pandas")
except ImportError:
    pandas = None  # _convert reports it

__all__ = ["convert"]

_Any = typing.Any
_Path = pathlib.Path

_HDF5 = b"\x89HDF\r\n\x1a\n"

_ARROW = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "feather"),
    (b"FEA1", "feather"),
    (b"ORC", "orc"),
    (b"\xff\xff\xff\xff", "stream"),
)

# Unsupported files: how they begin, what they are, and sometimes what to do.
_OTHERS = (
    (rb"PK\x03\x04", "a zip archive or a spreadsheet other than xlsx"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel file"),
    (rb".{12}\xc2\xea\x81\x60\xb3\x14\x11\xcf", "a SAS file"),
    (rb"<stata_dta>", "a Stata file: pandas.read_stata(IN).to_csv(OUT, index=False)"),
    (rb"\$FL[23]@\(#\)", "an SPSS file"),
    (rb"RDX[23]\n|X\n\0\0\0[\x02\x03]", "a file of R"),
    (rb"\x28\xb5\x2f\xfd", "a zstd file"),
    (rb"\xff\xfe|\xfe\xff", "UTF-16 text: convert it to UTF-8, by iconv -f UTF-16 -t UTF-8"),
    (rb"\0\0\x08[\x01-\x04]", "an idx file (the MNIST format)"),
    (rb"(?i)(\s*%[^\r\n]*)*\s*@relation", "an ARFF file"),
)

_MISSING = ["", "NA", "NaN", "nan", "N/A", "#N/A", "NULL", ".", "?"]  # also in a column of labels
_BLOCK = 1 << 20  # cells to make dense, or text, at a time
_SHOWN = 12  # names in a message


@dataclasses.dataclass
class _Rows:
    """A frame or sparse rows. A RangeIndex stands for missing names of columns or rows."""

    values: _Any
    columns: _Any
    index: _Any
    labels: _Any = None
    end: str = ".csv"  # the extension of OUT if its name is not given


# ---- messages ----


def _package(name: str) -> _Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Error(f"this needs {name}: pip install {name}") from None


def _reason(error: BaseException) -> str:
    """Return the message of another package's error, in one line."""
    if isinstance(error, zlib.error):
        return "the compressed data are damaged"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _listed(names: typing.Iterable[_Any]) -> str:
    texts = list(map(str, names))
    return (", ".join(texts[:_SHOWN]) or "none") + ", ..." * (len(texts) > _SHOWN)


def _require(names: typing.Iterable[_Any], name: str, what: str) -> None:
    if name not in names:
        raise Error(f"there is no {what} {name!r}; there are {_listed(names)}")


def _only(names: typing.Sequence[str], member: str, what: str) -> str:
    """Return the named one, or the only one."""
    if member:
        _require(names, member, what)
    elif len(names) != 1:
        raise Error(f"IN::NAME must name a {what}, one of {_listed(names)}")
    return member or names[0]


# ---- frames and matrices ----


def _texts(values: _Any) -> _Any:
    """Return a series of text, whole numbers without a point, missing values as None."""
    series = pandas.Series(values).reset_index(drop=True)
    known = series.dropna()
    if series.dtype.kind == "f" and (known % 1 == 0).all() and (known.abs() < 2**53).all():
        series = series.astype("Int64")
    text = series.astype(object).map(str, na_action="ignore")
    return text.astype(object).where(series.notna(), None)  # pandas 3 has no None in text


def _unique(names: typing.Iterable[_Any]) -> list[str]:
    """Append -1 to the second use of a name, and so on, as anndata does."""
    texts = list(map(str, names))
    given, found = set(texts), dict[str, None]()
    for text in texts:
        tried = itertools.chain([text], (f"{text}-{at}" for at in itertools.count(1)))
        free = (name for name in tried if name not in found and (name == text or name not in given))
        found[next(free)] = None
    return list(found)


def _matrix(values: _Any, what: str, columns: _Any = None, index: _Any = None) -> _Rows:
    """Make rows of a matrix of numbers."""
    if hasattr(values, "columns"):
        columns, values = values.columns, values.to_numpy()
    sparse = scipy.sparse.issparse(values)
    values = scipy.sparse.csr_matrix(values) if sparse else np.asarray(values)
    if values.ndim == 3:
        values = values.reshape(-1, values.shape[2])
    if values.ndim != 2:
        raise Error(f"{what} must have 2 or 3 dimensions, got {values.ndim}")
    if values.dtype.kind not in "biuf":
        raise Error(f"{what} must hold real numbers, got {values.dtype}")
    if values.dtype.kind == "b":
        values = values.astype(np.uint8)
    rows, width = values.shape
    columns = pandas.RangeIndex(width) if columns is None else pandas.Index(_unique(columns))
    index = pandas.RangeIndex(rows) if index is None else pandas.Index(index)
    if not sparse:
        values = pandas.DataFrame(values, index=index, columns=columns)
    return _Rows(values, columns, index, end=".npz" if sparse else ".npy")


def _cells(name: str, column: _Any) -> dict[str, _Any]:
    """Return the column with numbers or text as cells; lists of numbers become several columns."""
    if isinstance(column.dtype, pandas.CategoricalDtype):
        column = column.astype(object)
    types = set(map(type, column.dropna())) if column.dtype.kind == "O" else set()
    if types and types <= {datetime.datetime, pandas.Timestamp}:
        column = pandas.to_datetime(column)
    if column.dtype.kind == "m":
        return {name: column.dt.total_seconds()}
    if column.dtype.kind == "M":
        return {name: column.astype(str).where(column.notna(), None)}
    if types == {bytes}:  # older Parquet writers do not mark bytes as text
        try:
            return {name: column.map(bytes.decode, na_action="ignore")}
        except UnicodeDecodeError:
            raise Error(f"column {name} holds bytes that are not UTF-8 text") from None
    if types and types <= {list, np.ndarray}:
        lengths = {len(cell) if isinstance(cell, (list, np.ndarray)) else 0 for cell in column}
        matrix = np.array(column.tolist() if len(lengths) == 1 else [])
        if matrix.ndim != 2 or matrix.dtype.kind not in "iuf":
            raise Error(f"column {name} must hold lists of numbers, all of the same length")
        return {f"{name}_{j}": pandas.Series(part) for j, part in enumerate(matrix.T)}
    if types & {dict, list, tuple, set, np.ndarray, bytes}:
        raise Error(f"column {name} must hold numbers, text, dates or times, or lists of numbers")
    return {name: column}


def _table(frame: _Any, label: str | None) -> _Rows:
    """Split a frame into values and the column of labels."""
    if "Unnamed: 0" in frame.columns[:1]:  # a first column without a name
        frame = frame.set_index("Unnamed: 0")
    index, columns = frame.index, dict[str, _Any]()
    frame = frame.reset_index(drop=True)
    for at, name in enumerate(map(str, frame.columns)):
        found = _cells(name, frame.iloc[:, at])
        for twice in found.keys() & columns.keys():
            raise Error(f"two columns are named {twice!r}")
        columns.update(found)
    labels = None
    if label is not None:
        _require(columns, label, "column")
        labels = columns.pop(label)
    if not columns:
        raise Error("the table has no columns of values")
    values = pandas.concat(list(columns.values()), axis=1, keys=list(columns))
    if isinstance(index, pandas.MultiIndex):
        index = pandas.Index(["/".join(map(str, names)) for names in index])
    if not isinstance(index, pandas.RangeIndex) and list(index) != list(values.index):
        values.index = index
    return _Rows(values, values.columns, values.index, labels)


# ---- tables ----


def _arrow(path: _Path, kind: str, label: str | None) -> _Rows:
    pyarrow = _package("pyarrow")
    with path.open("rb") as file:  # from a path, pyarrow would take some folders as columns
        if kind == "stream":
            table = pyarrow.ipc.open_stream(file).read_all()
        else:
            table = _package(f"pyarrow.{kind}").read_table(file)
    # NumPy would round whole numbers if others are missing.
    whole = {
        pyarrow.type_for_alias(f"{sign}int{bits}"): pandas.api.types.pandas_dtype(name + str(bits))
        for sign, name in (("", "Int"), ("u", "UInt"))
        for bits in (8, 16, 32, 64)
    }
    return _table(table.to_pandas(types_mapper=whole.get), label)


def _excel(path: _Path, member: str, label: str | None) -> _Rows:
    _package("openpyxl")
    # Unconverted cells: whole numbers keep their digits if others are empty.
    sheets = pandas.read_excel(
        path, sheet_name=None, dtype=object, engine="openpyxl",
        keep_default_na=False, na_values=_MISSING,
    )  # fmt: skip
    full = [name for name, sheet in sheets.items() if not sheet.empty]
    return _table(sheets[_only(full, member, "sheet")], label)


def _text(path: _Path, label: str | None) -> _Rows:
    """Read text, without converting cells."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            first = next((line for line in file if line.strip()), "")
        marked = first.startswith("sep=")  # from a spreadsheet
        mark = first[4:5] if marked else max(",;\t", key=first.count)
        read = functools.partial(
            pandas.read_csv,
            path, sep=mark if mark in first else r"\s+", dtype=str, encoding="utf-8-sig",
            skipinitialspace=True, keep_default_na=False, na_values=_MISSING, skiprows=int(marked),
        )  # fmt: skip
        frame = read()
        names = read(header=None, nrows=1).iloc[0]  # pandas renames equal names in a header
    except UnicodeDecodeError:
        line = f"iconv -f WINDOWS-1252 -t UTF-8 {shlex.quote(str(path))} >NEW"
        raise Error(f"it is not UTF-8; convert it, such as Western European text: {line}") from None
    for twice in names[names.notna() & names.duplicated()]:
        raise Error(f"two columns are named {twice!r}")
    return _table(frame, label)


def _one_hot(rows: _Rows, names: typing.Sequence[str], like: str | None) -> None:
    """Replace each of these columns by a column for each of its words."""
    if not isinstance(rows.values, pandas.DataFrame):
        raise Error("columns of words need a table, got sparse rows")
    model = getattr(penumbra.load(like), "feature_names_in_", ()) if like is not None else ()
    parts = {name: rows.values[[name]] for name in rows.columns}
    for name in names:
        _require(rows.columns, name, "column")
        words = _texts(rows.values[name])
        known = [m.removeprefix(f"{name}=") for m in model if m.startswith(f"{name}=")]
        if like is not None and not known:
            raise Error(f"{like} has no columns {name}=WORD; it has {_listed(model)}")
        known = known or sorted(words.dropna().unique())
        other = words[words.notna() & ~words.isin(known)]
        if len(other):
            those = _listed(other.unique())
            message = f"{len(other)} words of {name} are not in {like}: {those}"
            warnings.warn(message, PenumbraWarning, 4)
        part = pandas.DataFrame({f"{name}={w}": (words == w).astype("Int8") for w in known})
        part[words.isna()] = pandas.NA
        parts[name] = part.set_axis(rows.index)
    rows.values = pandas.concat(list(parts.values()), axis=1)
    rows.columns = rows.values.columns


# ---- cells by genes ----


def _h5ad(path: _Path, member: str, label: str | None) -> _Rows:
    read = _package("anndata").read_h5ad
    try:
        data = read(path)
    except Exception as error:  # other HDF5 files raise errors of many kinds
        raise Error(f"anndata cannot read it as h5ad: {_reason(error)}") from None
    matrices = {} if data.X is None else {"X": (data.X, data.var_names)}
    layers = {key: value for key, value in data.layers.items() if key is not None}  # None is X
    matrices |= {f"layers/{key}": (value, data.var_names) for key, value in layers.items()}
    matrices |= {f"obsm/{key}": (value, None) for key, value in data.obsm.items()}
    if data.raw is not None:
        matrices["raw/X"] = (data.raw.X, data.raw.var_names)
    name = member or "X"
    _require(matrices, name, "matrix")
    rows = _matrix(matrices[name][0], name, matrices[name][1], data.obs_names.map(str))
    rows.end = ".csv" if rows.end == ".npy" else rows.end
    if label is not None:
        _require(data.obs, label, "column of obs")
        rows.labels = data.obs[label]
    return rows


def _strings(node: _Any) -> list[str]:
    """Return the contents of an HDF5 data set as text."""
    values = np.asarray(node[...]).ravel().tolist()
    return [value.decode() if isinstance(value, bytes) else str(value) for value in values]


def _loom(file: _Any, member: str, label: str | None) -> _Rows:
    layers = ["matrix"] + [f"layers/{name}" for name in file.get("layers", ())]
    name = member or "matrix"
    _require(layers, name, "matrix")
    data, genes, cells = file[name], file["row_attrs"], file["col_attrs"]
    step = max(1, _BLOCK // max(1, data.shape[0]))
    blocks = [
        scipy.sparse.csr_matrix(np.asarray(data[:, at : at + step]).T)
        for at in range(0, data.shape[1], step)
    ]
    columns = next((_strings(genes[key]) for key in ("Gene", "var_names") if key in genes), None)
    index = next((_strings(cells[key]) for key in ("CellID", "obs_names") if key in cells), None)
    rows = _matrix(scipy.sparse.vstack(blocks), name, columns, index)
    if label is not None:
        _require(cells, label, "column of col_attrs")
        text = cells[label].dtype.kind in "SO"
        rows.labels = _strings(cells[label]) if text else cells[label][...]
    return rows


def _tenx(group: _Any) -> _Rows:
    genes, cells = map(int, group["shape"][...])
    parts = (group["data"][...], group["indices"][...], group["indptr"][...])
    matrix = scipy.sparse.csr_matrix(parts, shape=(cells, genes))
    names = group["features/name" if "features" in group else "gene_names"]
    return _matrix(matrix, "the matrix", _strings(names), _strings(group["barcodes"]))


_MTX = re.compile(r"matrix\.mtx(\.gz)?$")


def _cell_ranger(path: _Path) -> _Rows:
    """Read a Cell Ranger folder, or a matrix and the files with the same prefix."""
    if path.is_dir():
        found = sorted(each for each in path.iterdir() if _MTX.search(each.name))
        if len(found) != 1:
            names = _listed(each.name for each in found)
            raise Error(f"a folder must have one matrix.mtx or matrix.mtx.gz, it has {names}")
        path = found[0]
    start = _MTX.sub("", path.name)

    def lines(*kinds: str) -> list[list[str]]:
        for kind in kinds:
            for end, opened in (("", open), (".gz", gzip.open)):
                file = path.with_name(f"{start}{kind}.tsv{end}")
                if file.exists():
                    with opened(file, "rt", encoding="utf-8") as text:
                        return [line.rstrip("\r\n").split("\t") for line in text]
        raise Error(f"there must be {start}{kinds[0]}.tsv or .tsv.gz next to {path.name}")

    genes, barcodes = lines("features", "genes"), lines("barcodes")
    matrix = scipy.io.mmread(path)
    if matrix.shape != (len(genes), len(barcodes)):
        raise Error(
            f"{path.name} must be {len(genes)} genes x {len(barcodes)} barcodes,"
            f" got {matrix.shape[0]} x {matrix.shape[1]}"
        )
    columns = [gene[min(1, len(gene) - 1)] for gene in genes]
    matrix = scipy.sparse.csr_matrix(matrix.T)
    return _matrix(matrix, path.name, columns, [barcode[0] for barcode in barcodes])


# ---- MATLAB variables and HDF5 data sets: arrays and lists of text, by name ----


def _word(cell: _Any) -> str:
    """Return the text or number of a MATLAB cell; "" if it holds several values."""
    parts = cell if isinstance(cell, list) else np.ravel(cell).tolist()
    return str(parts[0]) if len(parts) == 1 else ""


def _mat(path: _Path) -> dict[str, _Any]:
    """Read a MATLAB file before version 7.3."""
    found: dict[str, _Any] = {}

    def add(name: str, value: _Any) -> None:
        if isinstance(value, scipy.io.matlab.MatlabOpaque):  # only MATLAB can read it
            return
        kind = value.dtype.kind if hasattr(value, "dtype") else ""
        if kind == "V" and value.size == 1:  # a structure
            for field in value.dtype.names:
                add(f"{name}.{field}", value.flat[0][field])
        elif kind == "O":
            found[name] = [_word(cell) for cell in value.flat]
        elif kind and kind in "biufcU":
            found[name] = value.tolist() if kind == "U" else value

    for name, value in scipy.io.loadmat(path).items():
        if not name.startswith("__"):
            add(name, value)
    return found


def _mat73(file: _Any) -> dict[str, _Any]:
    """Read MATLAB 7.3: HDF5 with reversed dimensions."""
    found: dict[str, _Any] = {}

    def value_of(node: _Any) -> _Any:
        kind = node.attrs.get("MATLAB_class")
        if "MATLAB_empty" in node.attrs or hasattr(node, "keys"):
            return []
        values = node[...].T
        if kind == b"char":
            return ["".join(map(chr, codes.flat)).rstrip() for codes in values]
        if kind == b"cell":
            return [_word(value_of(file[reference])) for reference in values.flat]
        return values

    def add(name: str, node: _Any) -> None:
        if "MATLAB_sparse" in node.attrs:
            ends, data, places = (node[k][...] if k in node else () for k in ("jc", "data", "ir"))
            shape = (int(node.attrs["MATLAB_sparse"]), len(ends) - 1)
            found[name] = scipy.sparse.csc_matrix((data, places, ends), shape)
        elif hasattr(node, "keys"):  # a structure
            for key in node:
                add(f"{name}.{key}", node[key])
        elif "MATLAB_object_decode" not in node.attrs:
            found[name] = value_of(node)

    for name in file:
        if not name.startswith("#"):
            add(name, file[name])
    return found


def _data_sets(file: _Any) -> dict[str, _Any]:
    """Read HDF5 of other programs."""
    found: dict[str, _Any] = {}

    def add(name: str, node: _Any) -> None:
        kind = node.dtype.kind if getattr(node, "ndim", 0) else ""
        if kind and kind in "biufSO":
            found[name] = _strings(node) if kind in "SO" else node[...]

    file.visititems(add)
    return found


def _variable(variables: dict[str, _Any], member: str, label: str | None) -> _Rows:
    matrices = [
        name
        for name, value in variables.items()
        if getattr(value, "ndim", 0) in (2, 3) and max(value.shape) > 1 and name != label
        if value.dtype.kind in "biufc"
    ]
    if not matrices:
        raise Error("it has no matrix of numbers")
    name = _only(matrices, member, "matrix")
    shape = variables[name].shape
    rows = _matrix(
        variables[name].T if shape[0] == 1 and len(shape) == 2 else variables[name], name
    )
    if label is not None:
        _require(variables, label, "variable")
        values = np.asarray(variables[label])
        line = values.size == len(rows.index) == max(values.shape, default=0)
        if not line and (len(shape) != 3 or values.shape != shape[:2]):
            those = " x ".join(map(str, values.shape)), " x ".join(map(str, shape))
            raise Error(f"{label} must have a label for each row of {those[1]}, got {those[0]}")
        rows.labels = values.ravel()
    return rows


# ---- reading ----


@contextlib.contextmanager
def _plain(path: _Path) -> typing.Iterator[_Path]:
    """Yield the path of the file, or of its uncompressed copy if it is gzip."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    if not packed:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        plain = _Path(folder, path.stem if path.suffix == ".gz" else path.name)
        with gzip.open(path) as source, plain.open("wb") as target:
            shutil.copyfileobj(source, target)
        yield plain


def _read_hdf5(path: _Path, matlab: bool, member: str, label: str | None) -> _Rows:
    with _package("h5py").File(path, "r") as file:
        if matlab:
            return _variable(_mat73(file), member, label)
        if {"matrix", "row_attrs", "col_attrs"} <= file.keys():
            return _loom(file, member, label)
        if genomes := [name for name in file if f"{name}/barcodes" in file]:
            return _tenx(file[_only(genomes, member, "genome")])
        if "obs" not in file:
            return _variable(_data_sets(file), member, label)
    return _h5ad(path, member, label)


def _read(path: _Path, member: str, label: str | None, words: bool) -> _Rows:
    path.stat()  # an error if it does not exist
    if not member and (path.is_dir() or _MTX.search(path.name)):
        return _cell_ranger(path)
    with _plain(path) as plain:
        with plain.open("rb") as file:
            head = file.read(1 << 16)
        if _HDF5 in (head[:8], head[512:520]):
            return _read_hdf5(plain, head.startswith(b"MATLAB"), member, label)
        if head.startswith(b"MATLAB 5") or plain.suffix.lower() == ".mat":
            return _variable(_mat(plain), member, label)
        if head.startswith(b"PK\3\4") and (b"[Content_Types]" in head or b"xl/" in head):
            return _excel(plain, member, label)
        if member:
            raise Error(f"it has no {member}: it is one table")
        for start, kind in _ARROW:
            if head.startswith(start):
                return _arrow(plain, kind, label)
        for start, what in _OTHERS:
            if re.match(start, head.removeprefix(b"\xef\xbb\xbf"), re.DOTALL):
                raise Error(f"this is {what}")
        if words:
            return _text(plain, label)
    raise Error(
        "expected AnnData, Loom, Cell Ranger, MATLAB, HDF5, Excel, Parquet, Arrow, ORC, or text and"
        " --one-hot; for files that penumbra reads, use penumbra convert"
    )


# ---- writing ----


def _checked(out: _Path) -> _Path:
    if os.path.lexists(out):
        raise Error(f"{out}: the file already exists")
    return out


def _numbers(rows: _Rows) -> _Any:
    """Return the matrix; raise an error for columns of text."""
    if not isinstance(rows.values, pandas.DataFrame):
        return rows.values
    frame, text = rows.values, []
    for name in frame.columns[[dtype.kind == "O" for dtype in frame.dtypes]]:
        try:
            frame = frame.assign(**{name: pandas.to_numeric(frame[name])})
        except (TypeError, ValueError):
            text.append(name)
    if text:
        raise Error(f"npy and npz hold numbers; {_listed(text)} are text: write a .csv file")
    if len(set(frame.dtypes)) == 1 and isinstance(frame.dtypes.iloc[0], np.dtype):
        return frame.to_numpy()
    return frame.to_numpy(np.float64, na_value=np.nan)


def _quoting(columns: typing.Iterable[_Any]) -> typing.Literal[0, 2]:
    """Quote all text if blanks at its ends, or line ends, must be preserved."""
    texts = (cell for column in columns for cell in column if isinstance(cell, str))
    special = any(cell != cell.strip() or "\r" in cell for cell in texts)
    return csv.QUOTE_NONNUMERIC if special else csv.QUOTE_MINIMAL


def _write_text(rows: _Rows, labels: _Any, label: str | None, end: str, path: _Path) -> None:
    dense = isinstance(rows.values, pandas.DataFrame)
    texts = [rows.columns, rows.index] + ([] if labels is None else [labels])
    if dense:
        texts += [cells for _, cells in rows.values.items() if cells.dtype.kind == "O"]
    columns = rows.columns
    if isinstance(columns, pandas.RangeIndex):
        columns = pandas.Index([f"column{j}" for j in columns])
    if label in columns:
        raise Error(f"a column is named {label!r}, like the labels: write a .npz or .npy file")
    step = max(1, _BLOCK // max(1, len(columns)))
    options = {
        "sep": "\t" if end == ".tsv" else ",",
        "index": not isinstance(rows.index, pandas.RangeIndex),
        "index_label": "",
        "quoting": _quoting(texts),
        "lineterminator": "\n",
    }
    with path.open("w", newline="", encoding="utf-8") as file:
        for at in range(0, len(rows.index), step):
            part = slice(at, at + step)
            block = rows.values.iloc[part] if dense else rows.values[part].toarray()
            block = pandas.DataFrame(block).set_axis(columns, axis=1).set_axis(rows.index[part])
            if labels is not None:
                block = block.assign(**{str(label): labels[part].to_numpy()})
            block.to_csv(file, header=at == 0, **options)


def _write(rows: _Rows, label: str | None, out: _Path) -> list[str]:
    """Write OUT and its labels, completely or not at all; return remarks."""
    end, remarks = out.suffix.lower(), []
    labels = None if label is None else _texts(rows.labels)
    drafts: dict[_Path, _Path] = {}

    def draft(path: _Path) -> _Path:
        drafts[_checked(path)] = path.with_name(f"{path.name}.{os.getpid()}.part")
        return drafts[path]

    try:
        if end in (".csv", ".tsv"):
            _write_text(rows, labels, label, end, draft(out))
            flag = f"--label-column {shlex.quote(str(label))}"
        else:
            matrix = _numbers(rows)
            with draft(out).open("wb") as file:
                if end == ".npz":
                    scipy.sparse.save_npz(file, scipy.sparse.csr_matrix(matrix))
                else:
                    np.save(file, matrix.toarray() if scipy.sparse.issparse(matrix) else matrix)
            label_file = out.with_name(f"{out.name}.labels.txt")
            if labels is not None:
                with draft(label_file).open("w", newline="", encoding="utf-8") as text:
                    lines = csv.writer(text, lineterminator="\n", quoting=_quoting([labels]))
                    lines.writerows(["" if each is None else each] for each in labels)
            flag = f"--labels {shlex.quote(str(label_file))}"
            if not all(isinstance(n, pandas.RangeIndex) for n in (rows.columns, rows.index)):
                remarks.append(f"{out}: names of rows and columns are left out")
        for path, made in drafts.items():
            made.replace(path)
    finally:
        for made in drafts.values():
            with contextlib.suppress(OSError, ValueError):  # ValueError: an invalid name
                made.unlink(missing_ok=True)
    if labels is not None:
        flag += " --unlabelled ''" * (set(labels.dropna()) == {"1", "-1"})
        files = (shlex.quote(str(path)) for path in (out, out.with_suffix(".pen")))
        remarks.append(f"penumbra fit {next(files)} {flag} -o {next(files)}")
    return remarks


def _convert(
    source: str,
    target: str | None,
    label: str | None = None,
    one_hot: typing.Sequence[str] = (),
    like: str | None = None,
) -> tuple[str, list[str]]:
    """Convert the file; return the name of OUT, and remarks."""
    name, _, member = source.partition("::")
    path = _Path(name)
    if target is not None:
        if _Path(target).suffix.lower() not in (".csv", ".tsv", ".npy", ".npz"):
            raise Error(f"{target}: the name must end in .csv, .tsv, .npy or .npz")
        _checked(_Path(target))  # before reading
    try:
        _package("pandas")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of other packages
            rows = _read(path, member, label, bool(one_hot))
        if len(rows.index) == 0:
            raise Error("there are no rows")
        if label is not None and rows.labels is None:
            raise Error(f"it has no labels, such as {label!r}: they are in another file")
        if one_hot:
            _one_hot(rows, one_hot, like)
    except Error as error:
        raise Error(f"{name}: {error}") from None
    except Exception as error:  # packages that read files raise errors of many kinds
        raise Error(f"{name}: {_reason(error)}") from None
    if target is not None:
        out = _Path(target)
    elif path.is_dir():
        out = path.parent / f"{path.resolve().name}{rows.end}"
    else:
        plain = path.with_suffix("") if path.suffix == ".gz" else path
        part = f".{member.replace('/', '.')}" if member else ""
        part = ".one-hot" if not part and plain.suffix == rows.end else part
        out = plain.with_name(f"{plain.stem}{part}{rows.end}")
    try:
        return str(out), _write(rows, label, out)
    except Error:
        raise
    # ValueError: a zero byte in the name; MemoryError: sparse rows that become dense
    except (OSError, ValueError, MemoryError) as error:
        raise Error(f"{out}: {_reason(error)}") from None


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str] | None = None,
    *,
    labels: str | None = None,
    one_hot: typing.Sequence[str] = (),
    like: str | os.PathLike[str] | None = None,
) -> str:
    """Convert ``source`` to ``target``, a .csv, .tsv, .npy or .npz file; return its name.

    ``source`` can be ``FILE::NAME``. The file is written completely or not at all. The arguments
    are those of ``python -m penumbra.convert``: see its ``--help``.
    """
    out = None if target is None else os.fspath(target)
    model = None if like is None else os.fspath(like)
    return _convert(os.fspath(source), out, labels, one_hot, model)[0]


def main(arguments: typing.Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m penumbra.convert",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN")
    parser.add_argument("target", metavar="OUT", nargs="?")
    parser.add_argument("--labels", metavar="NAME", help="the column, or variable, of the labels")
    parser.add_argument("--one-hot", metavar="A,B", default="", help="columns of words")
    parser.add_argument("--like", metavar="MODEL", help="the model whose columns give the words")
    given = parser.parse_intermixed_args(arguments)
    one_hot = next(csv.reader([given.one_hot]), [])
    if given.like and not one_hot:
        parser.error("--like needs --one-hot A,B")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            name, remarks = _convert(given.source, given.target, given.labels, one_hot, given.like)
    except Error as error:
        print(f"penumbra.convert: {error}", file=sys.stderr)
        return 1
    for remark in [each.message for each in caught] + remarks:
        print(f"penumbra.convert: {remark}", file=sys.stderr)
    print(name)
    return 0


if __name__ == "__main__":
    done = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(done)  # not sys.exit: on a busy machine, threads of pyarrow sometimes abort it
