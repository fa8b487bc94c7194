"""python -m penumbra.convert turns files of other formats into files that the command reads."""

import contextlib
import csv
import gzip
import io
import os
import pathlib
import re
import runpy
import shlex
import subprocess
import sys

import anndata
import h5py
import numpy as np
import pandas
import penumbra
import penumbra.convert
import pyarrow
import pyarrow.orc
import pytest
import safetensors.numpy
import scipy.io
import scipy.sparse

from conftest import blobs, run_command

BIN = pathlib.Path(sys.executable).parent


def run(*arguments):
    """Run python -m penumbra.convert in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = penumbra.convert.main([str(argument) for argument in arguments])
        except SystemExit as stopped:
            status = stopped.code
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def run_line(line, folder):
    """Run the line, as a user would in a shell in the folder."""
    path = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, env=path)
    assert done.returncode == 0, (line, done.stderr)
    return done


def out_of(path, end):
    """Return a new path for the converted file."""
    plain = pathlib.Path(str(path).partition("::")[0])
    out = plain.with_name(f"{plain.name}.out{end}")
    for each in (out, out.with_name(f"{out.name}.labels.txt")):
        each.unlink(missing_ok=True)
    return out


def converted(path, end=".csv", **options):
    """Convert a file; return the text or the array."""
    out = out_of(path, end)
    penumbra.convert.convert(path, out, **options)
    if end == ".npz":
        return scipy.sparse.load_npz(out).toarray()
    return np.load(out) if end == ".npy" else out.read_bytes().decode()


def refused(path, end=".csv", **options):
    out = out_of(path, end)
    with pytest.raises(penumbra.Error) as caught:
        penumbra.convert.convert(path, out, **options)
    assert not out.exists() and not list(out.parent.glob("*.part*"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- making files ----

X, CODES = blobs(n=24, d=4, per_class=8)
X = np.round(np.where(X > 1, X, 0), 3)
WORDS = np.where(CODES < 0, None, np.array(["T cell", "B, or so", "NK"])[CODES])
TEXTS = [word or "" for word in WORDS]
CELLS = [f"cell{i}" for i in range(len(X))]
GENES = ["A", "B", "A", "C"]
CUBE, IMAGE = X.reshape(4, 6, 4), CODES.reshape(4, 6) + 1


def frame():
    return pandas.DataFrame(X, columns=["a", "b", "c", "d"]).assign(kind=WORDS)


def cells(matrix=X):
    obs = pandas.DataFrame({"kind": pandas.Categorical(WORDS)}, index=CELLS)
    data = anndata.AnnData(matrix, obs, pandas.DataFrame(index=list("ABCD")))
    data.raw = data
    data.layers["half"] = matrix / 2
    data.obsm["X_pca"] = X[:, :2] * 3
    return data


def no_matrix():
    data = anndata.AnnData(obs=pandas.DataFrame(index=["p", "q"]))
    data.obsm["frame"] = pandas.DataFrame({"u": [1.0, 2.0], "v": [3, 4]}, index=["p", "q"])
    data.obsm["deep"] = np.zeros((2, 2, 2, 1))
    return data


def hdf5(**entries):
    """Write an HDF5 file; a dictionary becomes a group, None an empty one."""

    def fill(group, entries):
        for name, value in entries.items():
            if value is None or isinstance(value, dict):
                fill(group.create_group(name), value or {})
            else:
                group[name] = value

    def written(path):
        with h5py.File(path, "w") as file:
            fill(file, entries)

    return written


LOOM = {
    "matrix": X.T,
    "layers": {"half": X.T / 2},
    "row_attrs": {"Gene": np.array(GENES, h5py.string_dtype())},
    "col_attrs": {
        "CellID": np.array(CELLS, "S"),
        "kind": np.array(TEXTS, h5py.string_dtype()),
        "number": np.arange(len(X)),
    },
}
COUNTS = scipy.sparse.csr_matrix(X)
GENOME = {
    **{name: getattr(COUNTS, name) for name in ("data", "indices", "indptr")},
    "shape": np.array(X.T.shape, np.int32),
    "barcodes": np.array(CELLS, "S"),
}
OLD_GENOME = {**GENOME, "gene_names": np.array(GENES, "S")}
NEW_GENOME = {**GENOME, "features": {"name": np.array(GENES, "S")}}


def make_folder(path, start="", end=".gz", genes="features"):
    path.mkdir(exist_ok=True)
    opened = gzip.open if end else open
    with opened(path / f"{start}matrix.mtx{end}", "wb") as file:
        scipy.io.mmwrite(file, scipy.sparse.coo_matrix(X.T))
    with opened(path / f"{start}barcodes.tsv{end}", "wt") as file:
        file.writelines(f"{cell}\n" for cell in CELLS)
    with opened(path / f"{start}{genes}.tsv{end}", "wt") as file:
        file.writelines(f"ENS{i}\t{gene}\tGene Expression\n" for i, gene in enumerate(GENES))


def mat(**variables):
    return lambda path: scipy.io.savemat(path, variables)


def make_mat73(path, **more):
    """Write as MATLAB does: with reversed dimensions, after a block of 512 bytes."""
    with h5py.File(path, "w", userblock_size=512) as file:
        file["fea"] = X.T
        file["fea"].attrs["MATLAB_class"] = np.bytes_("double")
        file["gnd"] = CODES[None, :] + 1.0
        file["gnd"].attrs["MATLAB_class"] = np.bytes_("double")
        for name, value in more.items():
            file[name] = value
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(128))


def make_sheets(path):
    with pandas.ExcelWriter(path) as writer:
        frame().to_excel(writer, sheet_name="one")
        pandas.DataFrame().to_excel(writer, sheet_name="empty")
        pandas.DataFrame(
            {
                "id": pandas.Series([10**15 + 1, None], dtype=object),
                2020: [0.5, 1],
                "s": ["u", None],
                "on": [True, None],
            }
        ).to_excel(writer, sheet_name="a b", index=False)


def arrow(table, opened=pyarrow.ipc.new_stream):
    def written(path):
        with opened(path, table.schema) as writer:
            writer.write_table(table)

    return written


def make_orc(path):
    pyarrow.orc.write_table(pyarrow.Table.from_pandas(frame()), path)


def in_gzip(made):
    def written(path):
        plain = path.with_suffix("")
        made(plain)
        path.write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()

    return written


# The name of a file, its maker, its labels, and the extension of the converted file.
KINDS = [
    ("c.h5ad", lambda path: cells().write_h5ad(path), "kind", ".csv"),
    ("s.h5ad", lambda path: cells(COUNTS).write_h5ad(path), "kind", ".npz"),
    ("c.h5ad.gz", in_gzip(lambda path: cells().write_h5ad(path)), "kind", ".csv"),
    ("c.loom", hdf5(**LOOM), "kind", ".npz"),
    ("v3.h5", hdf5(matrix=NEW_GENOME), None, ".npz"),
    ("v2.h5", hdf5(GRCh38=OLD_GENOME), None, ".npz"),
    ("filtered.v3", make_folder, None, ".npz"),
    ("old", lambda path: make_folder(path, end="", genes="genes"), None, ".npz"),
    ("GSM1_a_matrix.mtx.gz", lambda path: make_folder(path.parent, "GSM1_a_"), None, ".npz"),
    ("m.mat", mat(fea=X, gnd=CODES[:, None] + 1.0), "gnd", ".npy"),
    ("s.mat", mat(fea=scipy.sparse.csc_matrix(X), gnd=[CODES + 1]), "gnd", ".npz"),
    ("m73.mat", make_mat73, "gnd", ".npy"),
    ("d.h5", hdf5(one={"rows": X}, kind=CODES + 1), "kind", ".npy"),
    ("t.xlsx", lambda path: frame().to_excel(path, index=False), "kind", ".csv"),
    ("t.parquet", lambda path: frame().to_parquet(path), "kind", ".csv"),
    ("t.feather", lambda path: frame().to_feather(path), "kind", ".csv"),
    ("t.arrows", arrow(pyarrow.Table.from_pandas(frame())), "kind", ".csv"),
    ("t.orc", make_orc, "kind", ".csv"),
]
MAKE = {name: made for name, made, *_ in KINDS} | {
    "none.h5ad": lambda path: no_matrix().write_h5ad(path),
    "other.h5ad": hdf5(obs=[1]),
    "bare.loom": hdf5(matrix=X.T, row_attrs=None, col_attrs=None),
    "two.h5": hdf5(GRCh38=OLD_GENOME, mm10=OLD_GENOME),
    "text.mat": mat(s="abc", cells=np.array([[{}]], dtype=object)),
    "complex.mat": mat(s="abc", z=np.array([[1j, 2.0]])),
    "row.mat": mat(gnd=[CODES + 1]),
    "short.mat": mat(fea=X, gnd=[[1, 2], [3, 4]]),
    "cube.mat": mat(cube=CUBE, gt=IMAGE, line=IMAGE.reshape(1, -1), turned=IMAGE.T),
    "cube73.mat": lambda path: make_mat73(
        path, cube=CUBE.T, gt=IMAGE.T, line=IMAGE.reshape(-1, 1), turned=IMAGE
    ),
    "sheets.xlsx": make_sheets,
}


def make(folder, name):
    MAKE[name](folder / name)
    return folder / name


def values_of(out):
    """Return the numbers and labels of a converted file."""
    if out.suffix == ".csv":
        table = pandas.read_csv(out, keep_default_na=False)
        labels = list(table.pop("kind")) if "kind" in table else None
        return table.select_dtypes("number").to_numpy(), labels
    label_file = out.with_name(f"{out.name}.labels.txt")
    labels = None
    if label_file.exists():
        labels = [line[0] if line else "" for line in csv.reader(label_file.open())]
    matrix = scipy.sparse.load_npz(out).toarray() if out.suffix == ".npz" else np.load(out)
    return matrix, labels


def said_line(told):
    """Return the converter line that the command suggests."""
    line = re.search(r"python -m penumbra\.convert .*", told.stderr)
    assert told.returncode == 1 and line, told.stderr
    return line[0]


def fitted_line(done, out):
    """Return the line that fits the converted file: the last line of the converter, or pca."""
    lines = [x for x in done.stderr.splitlines() if x.startswith("penumbra.convert: penumbra fit ")]
    if not lines:
        return f"penumbra fit pca {shlex.quote(str(out))} -o m.pen"
    return lines[-1].removeprefix("penumbra.convert: ").replace(" fit ", " fit fda ") + " --ridge 1"


# ---- each format: the command, its suggested line, the converter, the command again ----


@pytest.mark.parametrize(("name", "label", "end"), [(n, *more) for n, _, *more in KINDS])
def test_the_command_says_what_to_type(tmp_path, monkeypatch, name, label, end):
    monkeypatch.chdir(tmp_path)
    os.mkdir("it's a folder")
    path = make(pathlib.Path("it's a folder"), name)
    # Sample names precede the names of Cell Ranger; the command only knows the folder.
    given = str(path.parent if name.endswith(".mtx.gz") else path)
    known = [] if label is None or name == "d.h5" else [label]  # its names are not columns
    flags = ["--label-column", *known] if known else []
    line = said_line(run_command("fit", "fda", given, *flags, "-o", "m", check=False))
    assert shlex.split(line)[3:] == [given, *(["--labels", label] if known else [])]
    done = run(*shlex.split(line)[3:], *(["--labels", "kind"] if name == "d.h5" else []))
    out = pathlib.Path(done.stdout.removesuffix("\n"))
    assert out.suffix == end
    matrix, labels = values_of(out)
    np.testing.assert_array_equal(matrix, X)
    in_numbers = end == ".npy" or label == "gnd"
    expected = [str(code + 1) for code in CODES] if in_numbers else TEXTS
    assert labels == (None if label is None else expected)
    run_line(fitted_line(done, out), tmp_path)
    model = penumbra.load(next(iter(tmp_path.rglob("*.pen"))))
    assert label is None or len(model.classes_) == 3
    if label is None or name == "c.loom":  # without labels the values are the same
        np.testing.assert_array_equal(converted(path, ".npz"), X)


@pytest.mark.parametrize(
    ("rows", "labels", "made"),
    [
        ("x.h5ad", "x.h5ad::obs/kind", "c.h5ad"),
        ("x.h5ad::X", "x.h5ad::obs/kind", "c.h5ad"),
        ("x.mat::fea", "x.mat::gnd", "m.mat"),
        ("x.mat::fea", "x.mat::gnd", "m73.mat"),
        ("x.h5::one/rows", "x.h5::kind", "d.h5"),
    ],
)
def test_the_command_says_what_to_type_for_a_part(tmp_path, monkeypatch, rows, labels, made):
    monkeypatch.chdir(tmp_path)
    MAKE[made](tmp_path / rows.partition("::")[0])
    told = run_command("fit", "fda", rows, "--labels", labels, "-o", "m", check=False)
    arguments = shlex.split(said_line(told))[3:]
    np.testing.assert_array_equal(values_of(pathlib.Path(run(*arguments).stdout.strip()))[0], X)


def test_the_command_says_what_to_type_for_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "my days'.csv"
    pathlib.Path(name).write_text(DAYS.replace("NA 18", "rain 18"))
    fit = ["fit", "fda", name, "--label-column", "play", "-o", "m"]
    line = said_line(run_command(*fit, check=False)).partition(";")[0]
    assert line.endswith(" --one-hot sky,wind")
    out = shlex.quote(run_line(line, tmp_path).stdout.strip())
    run_line(f"penumbra fit fda {out} --label-column play --ridge 1 -o days.pen", tmp_path)
    assert len(penumbra.load("days.pen").feature_names_in_) == 6


# ---- parts of a file ----


@pytest.mark.parametrize(
    ("file", "labels", "begin"),
    [
        ("c.h5ad::layers/half", "kind", ",A,B,C,D,kind\ncell0,"),
        ("c.h5ad::obsm/X_pca", None, ",column0,column1\ncell0,"),
        ("none.h5ad::obsm/frame", None, ",u,v\np,1.0,3.0\nq,2.0,4.0\n"),
        ("c.loom", "number", ",A,B,A-1,C,number\ncell0,"),
        ("bare.loom", None, "column0,column1,column2,column3\n"),
        ("two.h5::mm10", None, ",A,B,A-1,C\ncell0,"),
        ("m.mat::fea", "gnd", "column0,column1,column2,column3,gnd\n"),
        ("sheets.xlsx::one", None, "a,b,c,d,kind\n"),
        ("sheets.xlsx::a b", "s", f"id,2020,on,s\n{10**15 + 1},0.5,True,u\n,1,,\n"),
    ],
)
def test_parts_as_text(tmp_path, file, labels, begin):
    name, _, part = file.partition("::")
    path = make(tmp_path, name)
    text = converted(f"{path}::{part}" if part else path, labels=labels)
    assert text.startswith(begin) and ('"B, or so"' in text or labels != "kind")
    if labels == "number":
        assert [line.split(",")[-1] for line in text.split()[1:]] == [str(i) for i in range(24)]


@pytest.mark.parametrize(
    ("file", "ends", "values"),
    [
        ("c.h5ad::layers/half", ".npy .npz", X / 2),
        ("c.h5ad::obsm/X_pca", ".npy .npz", X[:, :2] * 3),
        ("c.h5ad::raw/X", ".npy .npz", X),
        ("c.loom::layers/half", ".npz", X / 2),
        ("m.mat::gnd", ".npy", CODES[:, None] + 1),
        ("row.mat::gnd", ".npy", CODES[:, None] + 1),
    ],
)
def test_parts_as_numbers(tmp_path, file, ends, values):
    make(tmp_path, file.partition("::")[0])
    for end in ends.split():
        np.testing.assert_array_equal(converted(f"{tmp_path}/{file}", end), values)


@pytest.mark.parametrize(
    ("file", "labels", "message"),
    [
        ("c.h5ad::layers/x", None, "no matrix 'layers/x'; there are X, layers/half, obsm/X_pca, "),
        ("c.h5ad", "type", "no column of obs 'type'; there are kind"),
        ("none.h5ad", None, "no matrix 'X'; there are obsm/deep, obsm/frame"),
        ("none.h5ad::obsm/deep", None, "obsm/deep must have 2 or 3 dimensions, got 4"),
        ("other.h5ad", None, "anndata cannot read it as h5ad"),
        ("c.loom::half", None, "no matrix 'half'; there are matrix, layers/half"),
        ("c.loom", "none", "no column of col_attrs 'none'; there are CellID, kind, number"),
        ("two.h5", None, "IN::NAME must name a genome, one of GRCh38, mm10"),
        ("two.h5::mm10", "kind", "it has no labels, such as 'kind'"),
        ("text.mat", None, "it has no matrix of numbers"),
        ("complex.mat", None, "z must hold real numbers, got complex128"),
        ("m.mat", None, "IN::NAME must name a matrix, one of fea, gnd"),
        ("m.mat::x", None, "no matrix 'x'; there are fea, gnd"),
        ("m.mat::fea", "y", "no variable 'y'"),
        ("short.mat", "gnd", "gnd must have a label for each row of 24 x 4, got 2 x 2"),
        ("cube.mat::cube", "turned", "a label for each row of 4 x 6 x 4, got 6 x 4"),
        ("sheets.xlsx", None, "IN::NAME must name a sheet, one of one, a b"),
        ("sheets.xlsx::two", None, "no sheet 'two'; there are one, a b"),
        ("t.parquet::x", None, "it has no x: it is one table"),
    ],
)
def test_parts_that_are_none(tmp_path, file, labels, message):
    make(tmp_path, file.partition("::")[0])
    assert message in refused(f"{tmp_path}/{file}", labels=labels)


def test_the_names_of_what_parts_become(tmp_path):
    make(tmp_path, "c.h5ad")
    assert run(f"{tmp_path}/c.h5ad::layers/half").stdout == f"{tmp_path}/c.layers.half.csv\n"
    said = refused(tmp_path / "c.h5ad", labels="kind", one_hot=["A"], like="none.pen")
    assert "none.pen" in said
    make(tmp_path, "none.h5ad")
    assert run(f"{tmp_path}/none.h5ad::obsm/frame", tmp_path / "o.npy").stderr == (
        f"penumbra.convert: {tmp_path / 'o.npy'}: names of rows and columns are left out\n"
    )
    make(tmp_path, "m.mat")
    for part in "fea", "gnd":
        assert run(f"{tmp_path}/m.mat::{part}").stdout == f"{tmp_path}/m.{part}.npy\n"
    run_line("penumbra fit fda m.fea.npy --labels m.gnd.npy --ridge 1 -o m.pen", tmp_path)


def test_labels_of_many_types(tmp_path):
    data = cells()
    data.obs["on"] = [True, False] * 12
    data.obs["id"] = pandas.array([2**60 + i for i in range(23)] + [None], dtype="Int64")
    data.obs["real"] = [1.0, 2.0, np.nan] * 8
    data.obs["A"] = 1
    data.write_h5ad(tmp_path / "c.h5ad")
    for label, cells_of in (("on", "True False"), ("id", f"{2**60} {2**60 + 1}"), ("real", "1 2")):
        lines = converted(tmp_path / "c.h5ad", labels=label).splitlines()
        assert lines[0] == f",A,B,C,D,{label}"
        assert [line.split(",")[-1] for line in lines[1:3]] == cells_of.split()
    converted(tmp_path / "c.h5ad", ".npz", labels="real")
    assert (tmp_path / "c.h5ad.out.npz.labels.txt").read_text() == '1\n2\n""\n' * 8
    assert "a column is named 'A', like the labels" in refused(tmp_path / "c.h5ad", labels="A")
    # An existing file of labels is not overwritten, and no file is written.
    (tmp_path / "o.npy.labels.txt").write_text("mine\n")
    done = run(tmp_path / "c.h5ad", tmp_path / "o.npy", "--labels", "A")
    assert ": the file already exists" in done.stderr and not (tmp_path / "o.npy").exists()


def test_folders_of_cell_ranger(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "a folder must have one matrix.mtx" in run(".").stderr
    folder = tmp_path / "counts"
    assert "No such file" in refused(folder / "matrix.mtx")
    folder.mkdir()
    assert "Is a directory" in refused(f"{folder}::matrix")
    assert "a folder must have one matrix.mtx or matrix.mtx.gz, it has none" in refused(folder)
    make_folder(folder, start="GSM1_a_")
    assert penumbra.convert.convert(folder, labels=None) == str(tmp_path / "counts.npz")
    text = converted(folder / "GSM1_a_matrix.mtx.gz")
    assert text.startswith(",A,B,A-1,C\ncell0,")
    make_folder(folder, start="GSM2_b.", end="", genes="genes")
    assert "it has GSM1_a_matrix.mtx.gz, GSM2_b.matrix.mtx" in refused(folder)
    other, genes = folder / "GSM2_b.matrix.mtx", folder / "GSM2_b.genes.tsv"
    assert converted(other) == text
    genes.write_text("ENS1\n")
    assert "GSM2_b.matrix.mtx must be 1 genes x 24 barcodes, got 4 x 24" in refused(other)
    genes.write_text("one\ntwo\nthree\nfour\n")
    assert converted(other).startswith(",one,two,three,four\n")
    genes.unlink()
    said = "there must be GSM2_b.features.tsv or .tsv.gz next to GSM2_b.matrix.mtx"
    assert said in refused(other)


def labelled(path, part, label, end=".npy"):
    """Return the values and the labels of a part."""
    values = converted(f"{path}::{part}", end, labels=label)
    return values, values_of(path.with_name(f"{path.name}.out{end}"))[1]


def test_structures_text_and_cells(tmp_path):
    path = tmp_path / "s.mat"
    mat(
        set={"train": X, "more": {"deep": X * 2}, "kind": np.array(TEXTS, dtype=object)},
        rows=np.array([f"{word:8}" for word in TEXTS]),
        many=np.array([(1, 2), (3, 4)], dtype=[("a", object), ("b", object)]),
        on=np.arange(24) % 2 == 0,
    )(path)
    values, labels = labelled(path, "set.train", "set.kind")
    np.testing.assert_array_equal(values, X)
    assert labels == TEXTS and values.dtype == np.float64
    np.testing.assert_array_equal(converted(f"{path}::set.more.deep", ".npy"), X * 2)
    assert [word.strip() for word in labelled(path, "set.train", "rows")[1]] == TEXTS
    assert labelled(path, "set.train", "on")[1][:2] == ["1", "0"]
    assert "one of set.train, set.more.deep, on" in refused(path)


@pytest.mark.parametrize("name", ["cube.mat", "cube73.mat"])
@pytest.mark.parametrize("label", ["gt", "line"])
def test_cubes_and_their_labels(tmp_path, name, label):
    values, labels = labelled(make(tmp_path, name), "cube", label)
    np.testing.assert_array_equal(values, X)  # row i*6 + j is the place i, j
    assert labels == [str(code + 1) for code in CODES]


def test_matlab_73(tmp_path):
    path = make(tmp_path, "m73.mat")
    matrix = scipy.sparse.csc_matrix(X)
    with h5py.File(path, "a") as file:
        group = file.create_group("sparse")
        group.attrs["MATLAB_sparse"] = np.uint64(len(X))
        group["data"], group["ir"], group["jc"] = matrix.data, matrix.indices, matrix.indptr
        file["set/train"] = X.T * 2
        codes = np.array([[ord(c) for c in f"{word:8}"] for word in TEXTS], np.uint16)
        file["set/rows"] = codes.T
        file["set/rows"].attrs["MATLAB_class"] = np.bytes_("char")
        for i, word in enumerate(TEXTS):
            node = file.create_dataset(f"#refs#/c{i}", data=codes[i, : len(word) or 1, None])
            node.attrs["MATLAB_class"] = np.bytes_("char")
            if not word:
                node.attrs["MATLAB_empty"] = np.uint8(1)
        places = [[file[f"#refs#/c{i}"].ref for i in range(24)]]
        more = [[file["set"].ref, file["fea"].ref]]  # cells with more than a word
        for name, cells_of in (("mixed", more), ("cells", places)):
            file.create_dataset(name, data=np.array(cells_of, h5py.ref_dtype), dtype=h5py.ref_dtype)
            file[name].attrs["MATLAB_class"] = np.bytes_("cell")
        file["words"] = np.zeros((1, 6), np.uint32)  # a string, which only MATLAB can read
        file["words"].attrs["MATLAB_object_decode"] = np.int32(3)
    for part, label, end, right in (
        ("sparse", "cells", ".npz", X),
        ("set.train", "set.rows", ".npy", X * 2),
    ):
        values, labels = labelled(path, part, label, end)
        np.testing.assert_array_equal(values, right)
        assert labels == TEXTS
    assert "one of fea, gnd, set.train, sparse" in refused(path)


# ---- tables ----


def parquet(folder, columns, **options):
    pandas.DataFrame(columns, **options).to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


def test_tables_of_pandas(tmp_path):
    table = pandas.DataFrame({"a": [1.5, None, 3.0], "b": [1, 2, 3]})
    table["kind"] = ["x, y", None, "z"]
    table["on"] = [True, False, True]
    table.to_parquet(tmp_path / "t.parquet")
    table.to_feather(tmp_path / "t.feather")
    for name in "t.parquet", "t.feather":
        text = 'a,b,kind,on\n1.5,1,"x, y",True\n,2,,False\n3.0,3,z,True\n'
        assert converted(tmp_path / name) == text
        tabs = converted(tmp_path / name, ".tsv", labels="b")
        assert tabs.splitlines()[1] == "1.5\tx, y\tTrue\t1"
    assert "kind are text" in refused(tmp_path / "t.parquet", ".npy")
    path = parquet(tmp_path, table[["a", "b"]])
    for end in ".npy", ".npz":
        np.testing.assert_array_equal(converted(path, end), [[1.5, 1], [np.nan, 2], [3, 3]])
    path = parquet(tmp_path, table[["b"]])
    assert converted(path, ".npy").tolist() == [[1], [2], [3]]
    assert "no columns of values" in refused(path, labels="b")
    assert "no columns of values" in refused(parquet(tmp_path, {}, index=[1, 2]))
    path = parquet(tmp_path, table[["b"]])
    assert "no column 'c'; there are b" in refused(path, labels="c")


def test_dates_in_sheets(tmp_path):
    path = tmp_path / "t.xlsx"
    times = pandas.DataFrame({"t": pandas.to_datetime(["2024-01-31", None]), "x": [1, 2]})
    times.to_excel(path, index=False)
    assert converted(path) == "t,x\n2024-01-31,1\n,2\n"
    times.set_axis(["p", "q"]).to_excel(path)
    assert converted(path) == ",t,x\np,2024-01-31,1\nq,,2\n"
    np.testing.assert_array_equal(converted(path, ".npy", labels="t"), [[1], [2]])


def in_parquet(folder, columns, end=".csv", **options):
    """Convert a table by way of parquet."""
    return converted(parquet(folder, columns, **options), end)


def test_an_index_comes_first_without_a_name(tmp_path):
    columns = {"a": [1.5, 3.0], "b": [1, 3]}
    levels = pandas.MultiIndex.from_arrays([["x", "y"], [1, 2]], names=["g", None])
    for index, names in (
        (pandas.Index(["r1", "r2"], name="id"), ["r1", "r2"]),
        (levels, ["x/1", "y/2"]),
        (None, None),
        (pandas.RangeIndex(1, 3), None),
        ([0, 1], None),
        ([0, 2], ["0", "2"]),
    ):
        first = [f"{name}," for name in ["", *names]] if names else ["", "", ""]
        right = "".join(f"{a}{b}\n" for a, b in zip(first, ["a,b", "1.5,1", "3.0,3"]))
        assert in_parquet(tmp_path, columns, index=index) == right
    np.testing.assert_array_equal(converted(tmp_path / "t.parquet", ".npy"), [[1.5, 1], [3, 3]])
    # The command reads a first column without a name as row names.
    run_command("convert", f"{tmp_path}/t.parquet.out.csv", tmp_path / "c.npy", "--quiet")
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), [[1.5, 1], [3, 3]])


TIMES = pandas.to_datetime(["2024-01-31", "2024-02-01 10:11:12.5", None], format="ISO8601")


@pytest.mark.parametrize(
    ("values", "text", "numbers"),
    [
        (pandas.array([True, None, False], dtype="boolean"), "True - False", [1, np.nan, 0]),
        (pandas.array(["u", None, "v"], dtype="string"), "u - v", None),
        (pandas.array([2**60 + 1, None, 3], dtype="Int64"), f"{2**60 + 1} - 3", None),
        (pandas.array([2**63 + 1, None, 3], dtype="UInt64"), f"{2**63 + 1} - 3", None),
        (pandas.Categorical(["u", None, "v"]), "u - v", None),
        (pandas.Categorical([1, None, 2]), "1 - 2", None),
        (np.array([0.1, np.nan, np.inf], dtype=np.float32), "0.1 - inf", None),
        ([None, None, None], "- - -", None),
        ([b"u", None, b"v"], "u - v", None),
        (TIMES.normalize(), "2024-01-31 2024-02-01 -", None),
        (TIMES, "2024-01-31_00:00:00.000 2024-02-01_10:11:12.500 -", None),
        (TIMES[:1].tz_localize("Etc/GMT-1"), "2024-01-31_00:00:00+01:00", None),
        (TIMES[:1].date, "2024-01-31", None),
        (pandas.to_timedelta(["1 days", "1500 ms", None]), "86400.0 1.5 -", [86400, 1.5, np.nan]),
    ],
)
def test_cells_of_every_type(tmp_path, values, text, numbers):
    cells_of = ['""' if cell == "-" else cell.replace("_", " ") for cell in text.split()]
    assert in_parquet(tmp_path, {"x": values}).split("\n") == ["x", *cells_of, ""]
    if numbers:
        np.testing.assert_array_equal(in_parquet(tmp_path, {"x": values}, ".npy")[:, 0], numbers)


@pytest.mark.parametrize(
    ("columns", "ends", "message"),
    [
        ({"y": [1, 2], "x": [{"p": 1}, {"p": 2}]}, ".csv .npy", "column x must hold"),
        ({"y": [1, 2], "x": [["a"], ["b"]]}, ".csv .npy", "column x must hold"),
        ({"x": [b"\xff"]}, ".csv", "column x holds bytes that are not UTF-8"),
        ({"x": []}, ".csv", "there are no rows"),
        ({"x": TIMES}, ".npy", "x are text"),
        ({"e": [[1, 2], [3]]}, ".csv", "column e must hold lists of numbers, all of the"),
        ({"e": [[1], None]}, ".csv", "column e must hold lists of numbers, all of the"),
        ({"e_1": [1], "e": [[2, 3]]}, ".csv", "two columns are named 'e_1'"),
    ],
)
def test_cells_that_are_no_cells(tmp_path, columns, ends, message):
    for end in ends.split():
        assert message in refused(parquet(tmp_path, columns), end)


def test_texts_are_kept(tmp_path):
    texts = ["a\rb", " s ", 'q"', "p,q", "l\nm", "é"]
    text = in_parquet(tmp_path, {"x": [1.5, 2, 3, 4, 5, None], "k": texts})
    assert text == '"x","k"\n1.5,"a\rb"\n2.0," s "\n3.0,"q"""\n4.0,"p,q"\n5.0,"l\nm"\n"","é"\n'
    in_parquet(tmp_path, {"x": [1.5, 2, 3, 4, 5, 6], "k": texts})
    given = ("convert", f"{tmp_path}/t.parquet.out.csv", "-", "--label-column", "k", "--quiet")
    assert '" s ",2' in run_command(*given).stdout
    assert in_parquet(tmp_path, {"x": [1.5, 2.0], "k": ["u", "é"]}) == "x,k\n1.5,u\n2.0,é\n"


def test_lists_of_numbers_are_columns(tmp_path):
    rows = [[1.5, 2, -3], [4, 5, 6.25]]
    for kind in (pyarrow.list_, pyarrow.large_list):
        part = pyarrow.table({"e": pyarrow.array(rows, kind(pyarrow.float32()))})
        with pyarrow.ipc.new_file(tmp_path / "e.arrow", part.schema) as writer:
            writer.write_table(part)
            writer.write_table(part)
        np.testing.assert_array_equal(converted(tmp_path / "e.arrow", ".npy"), rows + rows)
    text = in_parquet(tmp_path, {"id": ["a", "b"], "e": rows, "y": [0, 1]})
    assert text == "id,e_0,e_1,e_2,y\na,1.5,2.0,-3.0,0\nb,4.0,5.0,6.25,1\n"


def test_arrow_and_orc(tmp_path):
    table = pyarrow.table({"x": [2**60 + 1, None], "y": ["a", None]})
    twice = pyarrow.table([[1], [2]], names=["x", "x"])
    for name, opened in ("s.arrows", pyarrow.ipc.new_stream), ("f.arrow", pyarrow.ipc.new_file):
        arrow(table, opened)(tmp_path / name)
        assert converted(tmp_path / name) == f"x,y\n{2**60 + 1},a\n,\n"
        arrow(twice, opened)(tmp_path / name)
        assert "two columns are named 'x'" in refused(tmp_path / name)
    pyarrow.orc.write_table(table, tmp_path / "t.orc")
    assert converted(tmp_path / "t.orc") == f"x,y\n{2**60 + 1},a\n,\n"


def test_tables_of_polars(tmp_path):
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"a": [1, None], "s": ["x", None], "on": [None, True]})
    table = table.with_columns(polars.Series("c", ["u", None], dtype=polars.Categorical))
    table.write_parquet(tmp_path / "t.parquet")
    table.write_ipc(tmp_path / "t.arrow")
    table.write_ipc_stream(tmp_path / "t.arrows")
    for name in "t.parquet", "t.arrow", "t.arrows":
        assert converted(tmp_path / name) == "a,s,on,c\n1,x,,u\n,,True,\n"


def test_more_rows_than_are_written_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(penumbra.convert, "_BLOCK", 64)
    values = np.arange(1000) / 8
    path = parquet(tmp_path, {"x": values, "k": [f"r{i}" for i in range(len(values))]})
    lines = converted(path, labels="k").splitlines()
    assert lines == ["x,k", *(f"{value},r{i}" for i, value in enumerate(values.tolist()))]
    path = make(tmp_path, "c.loom")
    np.testing.assert_array_equal(converted(path, ".npz"), X)
    found = [line[:5] for line in csv.reader(converted(path, labels="kind").splitlines()[1:])]
    assert [line[0] for line in found] == CELLS
    np.testing.assert_array_equal(np.array([line[1:] for line in found], float), X)


# ---- words ----

DAYS = """sky temperature wind play
sunny 30 weak no
rain 20 weak yes
overcast 28 strong yes
sunny 22 strong no
NA 18 strong no
"""


def test_columns_of_words(tmp_path):
    path = tmp_path / "days.txt"
    path.write_text(DAYS)
    coded = {"labels": "play", "one_hot": ["sky", "wind"]}
    assert converted(path, **coded) == (
        "sky=overcast,sky=rain,sky=sunny,temperature,wind=strong,wind=weak,play\n"
        "0,0,1,30,0,1,no\n0,1,0,20,0,1,yes\n1,0,0,28,1,0,yes\n0,0,1,22,1,0,no\n,,,18,1,0,no\n"
    )
    found = converted(path, ".npy", **coded)
    np.testing.assert_array_equal(found[0], [0, 0, 1, 30, 0, 1])
    assert np.isnan(found[4, :3]).all()
    assert "temperature, wind, play are text" not in refused(path, ".npy", one_hot=["sky"])
    said = refused(path, one_hot=["sun"])
    assert "there is no column 'sun'; there are sky, temp" in said
    assert "files that penumbra reads, use penumbra convert" in run(path).stderr
    (tmp_path / "days.csv").write_text(DAYS)
    assert run(tmp_path / "days.csv", "--one-hot", "sky").stdout == f"{tmp_path}/days.one-hot.csv\n"
    path = parquet(tmp_path, {"x": [1.5, 2], "grade": [2.0, np.nan], "on": [True, False]})
    text = converted(path, one_hot=["on", "grade"])
    assert text == "x,grade=2,on=False,on=True\n1.5,1,0,1\n2.0,,1,0\n"


def test_columns_of_the_words_of_a_model(tmp_path):
    days, new = tmp_path / "days.txt", tmp_path / "new.csv"
    model, coded = tmp_path / "days.pen", tmp_path / "coded.csv"
    days.write_text(DAYS.replace("NA 18", "rain 18"))
    done = run(days, "--labels", "play", "--one-hot", "sky,wind")
    assert (done.returncode, done.stdout) == (0, f"{tmp_path}/days.csv\n")
    run_line(fitted_line(done, tmp_path / "days.csv"), tmp_path)
    assert list(penumbra.load(model).feature_names_in_)[2] == "sky=sunny"
    new.write_text("sky,temperature,wind\nrain,21,weak\nfog,12,weak\nfog,9,weak\n")
    done = run(new, "--one-hot", "sky,wind", coded, "--like", model)
    assert done.returncode == 0
    assert done.stderr == f"penumbra.convert: 2 words of sky are not in {model}: fog\n"
    assert coded.read_text() == (
        "sky=overcast,sky=rain,sky=sunny,temperature,wind=strong,wind=weak\n"
        "0,1,0,21,0,1\n0,0,0,12,0,1\n0,0,0,9,0,1\n"
    )
    run_command("predict", model, coded, "-o", tmp_path / "p.csv")
    said = refused(new, one_hot=["temperature"], like=model)
    assert "days.pen has no columns temperature=WORD; it has sky=overcast, sky=rain" in said
    with safetensors.safe_open(model, "numpy") as file:
        about = dict(file.metadata(), format="2", needs='["one_hot"]')
    del about["crc32"]
    safetensors.numpy.save_file(safetensors.numpy.load_file(model), model, about)
    said = refused(new, one_hot=["sky"], like=model)  # as typed, without renaming
    assert "to the output of python -m penumbra.convert FILE --one-hot COLUMNS" in said


def test_text_of_many_kinds(tmp_path):
    for name, text in [
        ("a.csv", ",color,x\nr1,red,007\nr2,blue,2\n"),
        ("b.csv", "\ufeffcolor;x\nred;007\nblue;2\n"),
        ("c.tsv", "color\tx\nred\t007\nblue\t2\n"),
        ("s.csv", "sep=;\ncolor;x\nred;007\nblue;2\n"),
        ("d.csv", "color,x\nr1,red,007\nr2,blue,2\n"),
        ("e.csv", '"color", "x"\r\n"red", "007"\r\n"blue", "2"\r\n'),
    ]:
        (tmp_path / name).write_text(text, newline="")
        rows = ("r1,", "r2,") if "r1" in text else ("", "")
        assert converted(tmp_path / name, one_hot=["color"]) == (
            f"{rows[0] and ','}color=blue,color=red,x\n{rows[0]}0,1,007\n{rows[1]}1,0,2\n"
        )
    path = tmp_path / "l.csv"
    path.write_bytes(b"color,x\nr\xe9d,1\n")
    assert f"iconv -f WINDOWS-1252 -t UTF-8 {path} >NEW" in refused(path, one_hot=["x"])
    path.write_text("color,x,x\nred,1,2\n")
    assert "two columns are named 'x'" in refused(path, one_hot=["color"])
    assert "need a table, got sparse rows" in refused(make(tmp_path, "s.h5ad"), one_hot=["A"])


# ---- messages, names and files ----


def test_help():
    done = run("--help")
    assert done.stderr == ""
    assert done.stdout.startswith("usage: python -m penumbra.convert [-h] ")
    for word in ("h5ad", "loom", "Cell Ranger", "MATLAB", "xlsx", "parquet", "--like", ".npz"):
        assert word in done.stdout
    assert run().returncode == 2


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("pandas", "t.parquet"),
        ("pyarrow", "t.parquet"),
        ("pyarrow", "t.arrows"),
        ("openpyxl", "t.xlsx"),
        ("anndata", "c.h5ad"),
        ("h5py", "c.loom"),
    ],
)
def test_a_package_that_is_not_there(tmp_path, monkeypatch, capsys, package, name):
    path = make(tmp_path, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(sys, "argv", ["convert", str(path)])
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit) as ended, pytest.warns(RuntimeWarning, match="in sys.modules"):
        runpy.run_module("penumbra.convert", run_name="__main__", alter_sys=True)
    said = f"penumbra.convert: {path}: this needs {package}: pip install {package}\n"
    assert (ended.value.code, *capsys.readouterr()) == (1, "", said)


def test_out(tmp_path):
    path = parquet(tmp_path, {"a": [1, 2]})
    for name, fault in [
        ("o.xlsx", "the name must end in .csv, .tsv, .npy or .npz"),
        ("none/o.csv", "none/o.csv: No such file or directory"),
        ("t.parquet/o.csv", "t.parquet/o.csv: Not a directory"),
        ("x" * 250 + ".csv", "File name too long"),
    ]:
        done = run(path, tmp_path / name)
        assert (done.returncode, done.stdout) == (1, "")
        assert fault in done.stderr and done.stderr.count("\n") == 1
    with pytest.raises(penumbra.Error, match="null"):
        penumbra.convert.convert(path, "\0.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "nowhere")
    assert "the file already exists" in run(path, tmp_path / "link.csv").stderr
    (tmp_path / "t.csv").write_text("a\n1\n")  # the name of a possible result
    assert "the file already exists" in run(path).stderr
    assert (tmp_path / "t.csv").read_text() == "a\n1\n"
    assert run(path, tmp_path / "o.CSV").returncode == 0
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names == ["link.csv", "o.CSV", "t.csv", "t.parquet"]
    said = f"penumbra.convert: {tmp_path / 'none'}: No such file or directory\n"
    assert run(tmp_path / "none").stderr == said
    # An impossible name is an error before reading, here before a missing file.
    assert "must end in" in run(tmp_path / "nothing", tmp_path / "o.xlsx").stderr


def test_sparse_rows_that_are_too_many_to_be_dense(tmp_path, monkeypatch):
    def full(table):
        raise MemoryError("Unable to allocate 8.00 TiB")

    monkeypatch.setattr(penumbra.convert, "_numbers", full)
    path = parquet(tmp_path, {"a": [1, 2]})
    assert "t.parquet.out.npy: Unable to allocate 8.00 TiB" in refused(path, ".npy")


OTHERS = [
    (b"1,2\n", "expected AnnData"),
    (b"PK\3\4" + bytes(30), "a spreadsheet other than xlsx"),
    (b"PK\3\4" + bytes(26) + b"[Content_Types].xml", "ip file"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(30), "an old Excel file"),
    (gzip.compress(b"X\n\0\0\0\3" + bytes(30)), "a file of R"),
    (b"$FL2@(#) SPSS", "an SPSS file"),
    (b"<stata_dta><header>", "a Stata file"),
    (bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf" + bytes(30), "a SAS file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xff\xfea\0", "UTF-16 text: convert it to UTF-8, by iconv"),
    (b"\xef\xbb\xbf% c\r\n\r\n@RELATION r", "an ARFF file"),
    (b"\0\0\x08\3" + bytes(12), "an idx file"),
    (gzip.compress(b"PAR1" * 9)[:-8] + bytes(8), "CRC check failed"),
    (gzip.compress(bytes(range(256)) * 9)[:20], "ended before"),
    (b"\x1f\x8b\x08" + bytes(7) + b"\xff" * 40, "the compressed data are damaged"),
    (b"MATLAB 5.0 MAT-file" + bytes(300), "mat file"),
    (b"MATLAB 7.3".ljust(512) + b"\x89HDF\r\n\x1a\n" + bytes(99), "open file"),
    (b"PAR1" + bytes(30), "arquet"),
]


@pytest.mark.parametrize(("data", "fault"), OTHERS, ids=[fault for _, fault in OTHERS])
def test_other_files(tmp_path, data, fault):
    (tmp_path / "t.bin").write_bytes(data)
    assert fault in refused(tmp_path / "t.bin")


FOLDERS = ("filtered.v3", "old", "GSM1_a_matrix.mtx.gz")
OF_ONE_FILE = [(name, label) for name, _, label, _ in KINDS if name not in FOLDERS]


@pytest.mark.parametrize(("name", "label"), OF_ONE_FILE)
def test_damaged_files_are_one_line(tmp_path, name, label):
    path = make(tmp_path, name)
    data = path.read_bytes()
    for damaged in (data[: len(data) // 2], data[: len(data) // 3] + b"#" * 64):
        path.write_bytes(damaged)
        assert refused(path, labels=label).startswith(f"{path}: ")
