"""Files that the command does not read, made into files that it does.

    python -m penumbra.convert IN [OUT]

IN: Parquet, Arrow and Feather, ORC (by pandas and pyarrow), ARFF, idx (the MNIST format), each as
it is or .gz; h5ad (by anndata), also ``IN::layers/NAME`` and ``IN::obsm/NAME``; MATLAB before 7.3
(by SciPy), ``IN::NAME``. OUT: .csv, .tsv, .npy, or .npz of sparse rows; without it the name of IN
with another end. A file that exists is not overwritten.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import os
import pathlib
import sys
import typing

import numpy as np

from penumbra._native import Error

__all__ = ["convert"]

_IDX_TYPES = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}


class _Table:
    """Columns [rows] by name, of numbers or of text; or a matrix, dense or sparse, with names."""

    def __init__(
        self,
        columns: dict[str, typing.Sequence[typing.Any] | np.ndarray] | None = None,
        matrix: typing.Any = None,
        names: typing.Sequence[str] | None = None,
        rows: typing.Sequence[str] | None = None,
        end: str = ".csv",
    ) -> None:
        self.columns = columns
        self.matrix = matrix
        self.names = names
        self.rows = rows
        self.end = end  # of OUT if it has no name


# ---- reading ----


def _bytes(path: pathlib.Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def _frame(read: typing.Callable[..., typing.Any], data: bytes) -> _Table:
    frame = read(io.BytesIO(data))
    return _Table(columns={str(name): frame[name].to_numpy() for name in frame.columns})


def _pandas(data: bytes, name: str) -> _Table:
    try:
        import pandas
        import pyarrow  # noqa: F401
    except ImportError:
        raise Error("this takes pandas and pyarrow: pip install pandas pyarrow") from None
    return _frame(getattr(pandas, name), data)


def _idx(data: bytes) -> _Table:
    kind, count = data[2], data[3]
    if kind not in _IDX_TYPES or len(data) < 4 + 4 * count:
        raise Error("not an idx file, or one that is truncated")
    shape = np.frombuffer(data, ">i4", count, 4).astype(int)
    values = np.frombuffer(data, _IDX_TYPES[kind], offset=4 + 4 * count)
    if count == 0 or (shape < 0).any() or values.size != np.prod(shape):
        raise Error(f"the idx file has {values.size} values, the shape {tuple(shape)} takes others")
    values = values.astype(values.dtype.newbyteorder("="))
    return _Table(matrix=values.reshape(shape[0], -1 if values.size else 0), end=".npy")


def _arff_words(line: str) -> list[str]:
    """The words of a declaration: separated by blanks, unless they are quoted."""
    words, at = [], 0
    while at < len(line):
        if line[at].isspace():
            at += 1
        elif line[at] in "'\"":
            end = line.find(line[at], at + 1)
            if end < 0:
                raise Error(f"a quote does not end: {line.strip()}")
            words.append(line[at + 1 : end])
            at = end + 1
        else:
            end = at
            while end < len(line) and not line[end].isspace():
                end += 1
            words.append(line[at:end])
            at = end
    return words


def _arff_cells(line: str) -> list[str]:
    """Cells separated by commas; quotes of both kinds, with backslashes."""
    cells, cell, quote, at = [], "", "", 0
    while at < len(line):
        c = line[at]
        if quote:
            if c == "\\" and at + 1 < len(line):
                at += 1
                cell += line[at]
            elif c == quote:
                quote = ""
            else:
                cell += c
        elif c in "'\"" and not cell.strip():
            quote, cell = c, ""
        elif c == ",":
            cells.append(cell.strip())
            cell = ""
        else:
            cell += c
        at += 1
    if quote:
        raise Error(f"a quote does not end: {line}")
    return [*cells, cell.strip()]


def _arff_row(line: str, names: list[str], number: int) -> list[str]:
    if not line.startswith("{"):
        cells = _arff_cells(line)
    else:  # index value, index value
        cells = ["0"] * len(names)
        for pair in _arff_cells(line.strip("{} ")):
            if pair:
                index, _, value = pair.partition(" ")
                if not index.isdigit() or int(index) >= len(names):
                    raise Error(f"line {number}: there is no attribute {index}")
                cells[int(index)] = value.strip().strip("'\"")
    if len(cells) != len(names):
        raise Error(f"line {number}: expected {len(names)} cells, got {len(cells)}")
    return ["" if cell == "?" else cell for cell in cells]


def _arff(data: bytes) -> _Table:
    names: list[str] = []
    rows: list[list[str]] | None = None
    for number, raw in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        if rows is not None:
            rows.append(_arff_row(line, names, number))
        elif line.lower().startswith("@attribute"):
            names.append(_arff_words(line)[1])
        elif line.lower().startswith("@data"):
            rows = []
    if not rows:
        raise Error("the ARFF file has no rows after @data")
    return _Table(columns={name: list(column) for name, column in zip(names, zip(*rows))})


def _h5ad(path: pathlib.Path, member: str) -> _Table:
    try:
        import anndata
    except ImportError:
        raise Error("this takes anndata: pip install anndata") from None
    data = anndata.read_h5ad(path)
    kind, _, name = member.partition("/")
    columns: list[str] | None = list(map(str, data.var_names))
    if member in ("", "X"):
        matrix, names = data.X, columns
    elif kind in ("layers", "obsm") and name in getattr(data, kind):
        matrix = getattr(data, kind)[name]
        names = columns if kind == "layers" else None
    else:
        known = [f"layers/{key}" for key in data.layers] + [f"obsm/{key}" for key in data.obsm]
        raise Error(f"there is no {member}; there are {', '.join(['X', *known])}")
    rows = list(map(str, data.obs_names))
    return _Table(matrix=matrix, names=names, rows=rows, end=".npz" if _sparse(matrix) else ".csv")


def _matlab(path: pathlib.Path, member: str) -> _Table:
    import scipy.io

    variables = {
        name: value
        for name, value in scipy.io.loadmat(path).items()
        if not name.startswith("__") and getattr(value, "ndim", 0) == 2
    }
    if not member and len(variables) == 1:
        member = next(iter(variables))
    if member not in variables:
        raise Error(f"IN::NAME names one of {', '.join(variables)}")
    matrix = variables[member]
    return _Table(matrix=matrix, end=".npz" if _sparse(matrix) else ".npy")


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
        return _pandas(data, "read_parquet")
    if data[:6] == b"ARROW1" or data[:4] == b"FEA1":
        return _pandas(data, "read_feather")
    if data[:3] == b"ORC":
        return _pandas(data, "read_orc")
    if data[:2] == b"\0\0" and len(data) > 8 and 1 <= data[3] <= 4:
        return _idx(data)
    if b"@relation" in data[: 1 << 16].lower():
        return _arff(data)
    raise Error("expected Parquet, Arrow (Feather), ORC, ARFF, idx, h5ad or MATLAB")


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
        try:
            columns.append(np.asarray(["nan" if v == "" else v for v in values], dtype=np.float64))
        except (TypeError, ValueError):
            text.append(name)
    if text:
        raise Error(f"npy and npz hold numbers; {', '.join(text)} are text: write a .csv file")
    return np.column_stack(columns)


def _cell(value: typing.Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def _write_text(table: _Table, out: typing.TextIO, delimiter: str) -> None:
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    if table.columns is not None:
        writer.writerow(table.columns)
        for cells in zip(*table.columns.values()):
            writer.writerow([_cell(value) for value in cells])
        return
    matrix, rows = table.matrix, table.rows
    if table.names is not None:
        writer.writerow(([""] if rows is not None else []) + list(table.names))
    for i in range(matrix.shape[0]):
        row = matrix[i].toarray().ravel() if _sparse(matrix) else np.asarray(matrix[i]).ravel()
        name = [rows[i]] if rows is not None and table.names is not None else []
        writer.writerow(name + [_cell(value) for value in row])


def _write_npz(table: _Table, path: str) -> None:
    import scipy.sparse

    scipy.sparse.save_npz(path, scipy.sparse.csr_matrix(_numbers(table)))


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str] | None = None) -> str:
    """Write ``source`` as ``target``: .csv, .tsv, .npy or .npz; returns its name.

    ``source`` may be ``FILE::NAME``. The file is written completely or not at all.
    """
    file, _, member = os.fspath(source).partition("::")
    path = pathlib.Path(file)
    try:
        table = _read(path, member)
    except (Error, OSError, EOFError, ValueError) as error:
        raise Error(f"{file}: {error}") from None
    plain = path.with_suffix("") if path.suffix == ".gz" else path
    end = table.end
    out = pathlib.Path(target) if target is not None else plain.with_suffix(end)
    if out.suffix not in (".csv", ".tsv", ".npy", ".npz"):
        raise Error(f"{out}: the name must end in .csv, .tsv, .npy or .npz")
    if out.exists():
        raise Error(f"{out}: there is such a file")
    draft = out.with_name(f"{out.name}.{os.getpid()}.part{out.suffix}")
    try:
        if out.suffix == ".npy":
            matrix = _numbers(table)
            np.save(draft, matrix.toarray() if _sparse(matrix) else np.asarray(matrix))
        elif out.suffix == ".npz":
            _write_npz(table, str(draft))
        else:
            with draft.open("w", newline="", encoding="utf-8") as text:
                _write_text(table, text, "\t" if out.suffix == ".tsv" else ",")
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
    return str(out)


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
        print(convert(given.source, given.target))
    except Error as error:
        print(f"penumbra.convert: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    done = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(done)  # not by sys.exit: threads of pyarrow now and then abort it on a busy machine
