"""python -m penumbra.convert: files of other kinds become files that the command reads."""

import csv
import gzip
import json
import os
import pathlib
import re
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
import scipy.io
import scipy.sparse

from conftest import blobs, run_command

BIN = pathlib.Path(sys.executable).parent


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "penumbra.convert", *map(str, arguments)],
        capture_output=True,
        text=True,
    )


def run_line(line, folder):
    """The line, as a user types it into a shell in the folder."""
    path = f"{BIN}:{os.environ['PATH']}"
    done = subprocess.run(
        line,
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode == 0, (line, done.stderr)
    return done


def run_without(package, *arguments):
    """The same in a Python that does not have `package`."""
    code = (
        f"import runpy, sys; sys.modules[{package!r}] = None;"
        " runpy.run_module('penumbra.convert', run_name='__main__', alter_sys=True)"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True
    )


def converted(path, end=".csv", **options):
    """What the file becomes: text, or an array."""
    plain = pathlib.Path(str(path).partition("::")[0])
    out = plain.with_name(f"{plain.name}.out{end}")
    out.unlink(missing_ok=True)
    label_file = out.with_name(f"{out.name}.labels.txt")
    label_file.unlink(missing_ok=True)
    penumbra.convert.convert(path, out, **options)
    if end == ".npz":
        return scipy.sparse.load_npz(out).toarray()
    return np.load(out) if end == ".npy" else out.read_bytes().decode()


def refused(path, end=".csv", **options):
    plain = pathlib.Path(str(path).partition("::")[0])
    out = plain.with_name(f"{plain.name}.out{end}")
    out.unlink(missing_ok=True)
    with pytest.raises(penumbra.Error) as caught:
        penumbra.convert.convert(path, out, **options)
    assert not out.exists() and not list(plain.parent.glob("*.part*"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- each kind: what it was made of, the converter, the command ----

X, CODES = blobs(n=24, d=4, per_class=8)
X = np.round(np.where(X > 1, X, 0), 3)
WORDS = np.where(CODES < 0, None, np.array(["T cell", "B, or so", "NK"])[CODES])
CELLS = [f"cell{i}" for i in range(len(X))]
GENES = ["A", "B", "A", "C"]


def frame():
    table = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    table["kind"] = WORDS
    return table


def cells(matrix=X):
    obs = pandas.DataFrame({"kind": pandas.Categorical(WORDS)}, index=CELLS)
    data = anndata.AnnData(matrix, obs, pandas.DataFrame(index=list("ABCD")))
    data.raw = data
    data.layers["half"] = matrix / 2
    data.obsm["X_pca"] = X[:, :2] * 3
    return data


def make_h5ad(path):
    cells().write_h5ad(path)


def make_sparse_h5ad(path):
    cells(scipy.sparse.csr_matrix(X)).write_h5ad(path)


def make_loom(path):
    text = h5py.string_dtype()
    with h5py.File(path, "w") as file:
        file["matrix"] = X.T
        file["layers/half"] = X.T / 2
        file.create_dataset("row_attrs/Gene", data=GENES, dtype=text)
        file["col_attrs/CellID"] = np.array(CELLS, "S")
        file.create_dataset("col_attrs/kind", data=[w or "" for w in WORDS], dtype=text)
        file["col_attrs/number"] = np.arange(len(X))


def make_10x(path, version=3):
    matrix = scipy.sparse.csr_matrix(X)
    with h5py.File(path, "w") as file:
        group = file.create_group("matrix" if version == 3 else "GRCh38")
        for name in ("data", "indices", "indptr"):
            group[name] = getattr(matrix, name)
        group["shape"] = np.array(X.T.shape, np.int32)
        group["barcodes"] = np.array(CELLS, "S")
        group["features/name" if version == 3 else "gene_names"] = np.array(GENES, "S")


def make_10x_2(path):
    make_10x(path, 2)


def make_folder(path, start="", end=".gz", genes="features"):
    path.mkdir(exist_ok=True)
    opened = gzip.open if end else open
    with opened(path / f"{start}matrix.mtx{end}", "wb") as file:
        scipy.io.mmwrite(file, scipy.sparse.coo_matrix(X.T))
    with opened(path / f"{start}barcodes.tsv{end}", "wt") as file:
        file.writelines(f"{cell}\n" for cell in CELLS)
    with opened(path / f"{start}{genes}.tsv{end}", "wt") as file:
        file.writelines(f"ENS{i}\t{gene}\tGene Expression\n" for i, gene in enumerate(GENES))


def make_old_folder(path):
    make_folder(path, end="", genes="genes")


def make_geo(path):
    make_folder(path.parent, start="GSM1_a_")


def make_mat(path):
    scipy.io.savemat(path, {"fea": X, "gnd": CODES[:, None] + 1.0})


def make_sparse_mat(path):
    scipy.io.savemat(path, {"fea": scipy.sparse.csc_matrix(X), "gnd": [CODES + 1]})


def make_mat73(path, **more):
    """As MATLAB writes it: dimensions in reverse, after a block of 512 bytes."""
    with h5py.File(path, "w", userblock_size=512) as file:
        file["fea"] = X.T
        file["fea"].attrs["MATLAB_class"] = np.bytes_("double")
        file["gnd"] = CODES[None, :] + 1.0
        file["gnd"].attrs["MATLAB_class"] = np.bytes_("double")
        for name, value in more.items():
            file[name] = value
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(128))


def make_hdf5(path):
    with h5py.File(path, "w") as file:
        file["one/rows"] = X
        file["kind"] = CODES + 1


def make_xlsx(path):
    frame().to_excel(path, index=False)


def make_parquet(path):
    frame().to_parquet(path)


def make_feather(path):
    frame().to_feather(path)


def make_stream(path):
    table = pyarrow.Table.from_pandas(frame())
    with pyarrow.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


def make_orc(path):
    pyarrow.orc.write_table(pyarrow.Table.from_pandas(frame()), path)


def in_gzip(make):
    def made(path):
        plain = path.with_suffix("")
        make(plain)
        path.write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()

    return made


# The name of the file, what makes it, its labels, and the end of the file that it becomes.
KINDS = [
    ("c.h5ad", make_h5ad, "kind", ".csv"),
    ("s.h5ad", make_sparse_h5ad, "kind", ".npz"),
    ("c.h5ad.gz", in_gzip(make_h5ad), "kind", ".csv"),
    ("c.loom", make_loom, "kind", ".npz"),
    ("v3.h5", make_10x, None, ".npz"),
    ("v2.h5", make_10x_2, None, ".npz"),
    ("filtered.v3", make_folder, None, ".npz"),
    ("old", make_old_folder, None, ".npz"),
    ("GSM1_a_matrix.mtx.gz", make_geo, None, ".npz"),
    ("m.mat", make_mat, "gnd", ".npy"),
    ("s.mat", make_sparse_mat, "gnd", ".npz"),
    ("m73.mat", make_mat73, "gnd", ".npy"),
    ("d.h5", make_hdf5, "kind", ".npy"),
    ("t.xlsx", make_xlsx, "kind", ".csv"),
    ("t.parquet", make_parquet, "kind", ".csv"),
    ("t.parquet.gz", in_gzip(make_parquet), "kind", ".csv"),
    ("t.feather", make_feather, "kind", ".csv"),
    ("t.arrows", make_stream, "kind", ".csv"),
    ("t.orc", make_orc, "kind", ".csv"),
]
NAMES = [name for name, *_ in KINDS]


def values_of(out):
    """The numbers and labels of a file that was converted."""
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


def check_values(out, label):
    matrix, labels = values_of(out)
    np.testing.assert_array_equal(matrix, X)
    texts = [w or "" for w in WORDS] if out.suffix == ".csv" else labels
    if label is None:
        assert labels is None
    elif "gnd" in label or out.suffix == ".npy":
        assert labels == [str(code + 1) for code in CODES]
    else:
        assert labels == [word or "" for word in WORDS] == texts


def fitted_line(done, out):
    """The line that fits what was converted: the last one of the converter, or pca."""
    lines = [x for x in done.stderr.splitlines() if x.startswith("penumbra.convert: penumbra fit ")]
    if not lines:
        return f"penumbra fit pca {shlex.quote(str(out))} -o m.pen"
    return lines[-1].removeprefix("penumbra.convert: ").replace(" fit ", " fit fda ") + " --ridge 1"


@pytest.mark.parametrize(("name", "make", "label", "end"), KINDS, ids=NAMES)
def test_a_file_becomes_one_that_the_command_fits(tmp_path, name, make, label, end):
    folder = tmp_path / "it's a folder"
    folder.mkdir()
    make(folder / name)
    done = run(folder / name, *(["--labels", label] if label else []))
    assert done.returncode == 0, done.stderr
    out = pathlib.Path(done.stdout.removesuffix("\n"))
    assert out.parent == folder and out.suffix == end
    check_values(out, label)
    run_line(fitted_line(done, out), folder)
    model = penumbra.load(next(iter(folder.glob("*.pen"))))
    if label is not None:
        assert len(model.classes_) == 3
    # Without labels the values are the same.
    again = folder / "again.npz"
    if label is None or name == "c.loom":
        assert run(folder / name, again).returncode == 0
        np.testing.assert_array_equal(values_of(again)[0], X)


@pytest.mark.parametrize(("name", "make", "label", "end"), KINDS, ids=NAMES)
def test_the_command_says_what_to_type(tmp_path, monkeypatch, name, make, label, end):
    monkeypatch.chdir(tmp_path)
    label = None if name == "d.h5" else label  # its data sets have names, but no columns
    for folder in "plain", "it's a folder":
        os.mkdir(folder)
        make(tmp_path / folder / name)
        # Names of samples before those of Cell Ranger: the folder is what the command knows.
        given = folder if name.endswith(".mtx.gz") else f"{folder}/{name}"
        flags = ["--label-column", label] if label else []
        told = run_command("fit", "fda", given, *flags, "-o", "m", check=False)
        assert told.returncode == 1
        line = re.search(r"python -m penumbra\.convert .*", told.stderr)
        assert line, told.stderr
        assert shlex.split(line[0])[3:] == [given, *(["--labels", label] if label else [])]
        done = run_line(line[0], tmp_path)
        out = pathlib.Path(done.stdout.removesuffix("\n"))
        check_values(out, label)
        run_line(fitted_line(done, out), tmp_path)


@pytest.mark.parametrize(
    ("rows", "labels", "name", "make"),
    [
        ("x.h5ad", "x.h5ad::obs/kind", "x.h5ad", make_h5ad),
        ("x.h5ad::X", "x.h5ad::obs/kind", "x.h5ad", make_h5ad),
        ("x.mat::fea", "x.mat::gnd", "x.mat", make_mat),
        ("x.mat::fea", "x.mat::gnd", "x.mat", make_mat73),
        ("x.h5::one/rows", "x.h5::kind", "x.h5", make_hdf5),
    ],
)
def test_the_command_says_what_to_type_for_a_part(tmp_path, monkeypatch, rows, labels, name, make):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / name)
    told = run_command("fit", "fda", rows, "--labels", labels, "-o", "m", check=False)
    line = re.search(r"python -m penumbra\.convert .*", told.stderr)
    assert line, told.stderr
    done = run_line(line[0], tmp_path)
    np.testing.assert_array_equal(values_of(pathlib.Path(done.stdout.strip()))[0], X)


@pytest.mark.parametrize("name", ["days.txt", "days.csv", "my days'.txt"])
def test_the_command_says_what_to_type_for_words(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    pathlib.Path(name).write_text(DAYS.replace("NA 18", "rain 18"))
    told = run_command("fit", "fda", name, "--label-column", "play", "-o", "m", check=False)
    line = re.search(r"python -m penumbra\.convert .* --one-hot sky,wind", told.stderr)
    assert line, told.stderr
    out = run_line(line[0], tmp_path).stdout.strip()
    line = f"penumbra fit fda {shlex.quote(out)} --label-column play --ridge 1 -o days.pen"
    run_line(line, tmp_path)
    assert len(penumbra.load("days.pen").feature_names_in_) == 6


# ---- the parts of a file ----


def test_parts_of_h5ad(tmp_path):
    make_h5ad(tmp_path / "c.h5ad")
    done = run(f"{tmp_path}/c.h5ad::layers/half")
    assert done.stdout == f"{tmp_path}/c.layers.half.csv\n"
    text = converted(f"{tmp_path}/c.h5ad::layers/half", labels="kind")
    assert text.startswith(",A,B,C,D,kind\ncell0,") and '"B, or so"' in text
    for member, values in (("layers/half", X / 2), ("obsm/X_pca", X[:, :2] * 3), ("raw/X", X)):
        for end in ".npy", ".npz":
            found = converted(f"{tmp_path}/c.h5ad::{member}", end)
            np.testing.assert_array_equal(found, values)
    assert converted(f"{tmp_path}/c.h5ad::obsm/X_pca").startswith(",column0,column1\ncell0,")
    said = refused(f"{tmp_path}/c.h5ad::layers/other")
    assert "no matrix 'layers/other'; there are X, layers/half, obsm/X_pca, raw/X" in said
    assert "no column of obs 'type'; there are kind" in refused(tmp_path / "c.h5ad", labels="type")
    said = refused(tmp_path / "c.h5ad", labels="kind", one_hot=["A"], like="none.pen")
    assert "none.pen" in said


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
    converted(tmp_path / "c.h5ad", ".npy", labels="A")
    # A file of labels is not overwritten either, and neither of both is written.
    (tmp_path / "c.h5ad.out.npy").unlink()
    assert "labels.txt: there is such a file" in refused(tmp_path / "c.h5ad", ".npy", labels="A")


def test_matrices_that_are_none(tmp_path):
    data = anndata.AnnData(obs=pandas.DataFrame(index=["p", "q"]))
    data.obsm["frame"] = pandas.DataFrame({"u": [1.0, 2.0], "v": [3, 4]}, index=["p", "q"])
    data.obsm["deep"] = np.zeros((2, 2, 2, 1))
    data.write_h5ad(tmp_path / "t.h5ad")
    assert "no matrix 'X'; there are obsm/deep, obsm/frame" in refused(tmp_path / "t.h5ad")
    said = refused(f"{tmp_path}/t.h5ad::obsm/deep")
    assert "obsm/deep must have 2 or 3 dimensions, got 4" in said
    assert converted(f"{tmp_path}/t.h5ad::obsm/frame") == ",u,v\np,1.0,3.0\nq,2.0,4.0\n"
    done = run(f"{tmp_path}/t.h5ad::obsm/frame", tmp_path / "o.npy")
    assert done.stderr == (
        f"penumbra.convert: {tmp_path / 'o.npy'}: names of rows and columns are left out\n"
    )
    with h5py.File(tmp_path / "other.h5ad", "w") as file:
        file["obs"] = [1]
    assert "anndata does not read it as h5ad" in refused(tmp_path / "other.h5ad")
    scipy.io.savemat(tmp_path / "text.mat", {"s": "abc", "cells": np.array([[{}]], dtype=object)})
    assert "it has no matrix of numbers" in refused(tmp_path / "text.mat")
    scipy.io.savemat(tmp_path / "c.mat", {"s": "abc", "z": np.array([[1j, 2.0]])})
    assert "z must hold real numbers, got complex128" in refused(tmp_path / "c.mat")


def test_loom(tmp_path):
    make_loom(tmp_path / "c.loom")
    lines = converted(tmp_path / "c.loom", labels="number").splitlines()
    assert lines[0] == ",A,B,A-1,C,number" and lines[5].startswith("cell4,")
    assert lines[5].endswith(",4")
    np.testing.assert_array_equal(converted(f"{tmp_path}/c.loom::layers/half", ".npz"), X / 2)
    assert "no matrix 'half'; there are matrix, layers/half" in refused(f"{tmp_path}/c.loom::half")
    said = refused(tmp_path / "c.loom", labels="none")
    assert "no column of col_attrs 'none'; there are CellID, kind, number" in said
    with h5py.File(tmp_path / "bare.loom", "w") as file:
        file["matrix"] = X.T
        file.create_group("row_attrs")
        file.create_group("col_attrs")
    assert converted(tmp_path / "bare.loom").startswith("column0,column1,column2,column3\n")


def test_two_genomes(tmp_path):
    make_10x(tmp_path / "v2.h5", 2)
    with h5py.File(tmp_path / "v2.h5", "a") as file:
        file.copy("GRCh38", "mm10")
    said = refused(tmp_path / "v2.h5")
    assert "IN::NAME must name a genome, one of GRCh38, mm10" in said
    text = converted(f"{tmp_path}/v2.h5::mm10")
    assert text.startswith(",A,B,A-1,C\ncell0,")
    said = refused(f"{tmp_path}/v2.h5::mm10", labels="kind")
    assert "it has no labels, such as 'kind'" in said


def test_folders_of_cell_ranger(tmp_path):
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
    said = refused(folder)
    assert "it has GSM1_a_matrix.mtx.gz, GSM2_b.matrix.mtx" in said
    assert converted(folder / "GSM2_b.matrix.mtx") == text
    (folder / "GSM2_b.genes.tsv").write_text("ENS1\n")
    said = refused(folder / "GSM2_b.matrix.mtx")
    assert "GSM2_b.matrix.mtx must be 1 genes x 24 barcodes, got 4 x 24" in said
    (folder / "GSM2_b.genes.tsv").write_text("one\ntwo\nthree\nfour\n")
    text = converted(folder / "GSM2_b.matrix.mtx")
    assert text.startswith(",one,two,three,four\n")
    (folder / "GSM2_b.genes.tsv").unlink()
    said = refused(folder / "GSM2_b.matrix.mtx")
    assert "there must be GSM2_b.features.tsv next to GSM2_b.matrix.mtx, as it is or .gz" in said
    done = subprocess.run(
        [sys.executable, "-m", "penumbra.convert", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "a folder must have one matrix.mtx" in done.stderr


def in_mat(path, **variables):
    scipy.io.savemat(path, variables)
    return path


def test_names_of_variables(tmp_path):
    make_mat(tmp_path / "m.mat")
    assert "IN::NAME must name a matrix, one of fea, gnd" in refused(tmp_path / "m.mat")
    assert "no matrix 'x'; there are fea, gnd" in refused(f"{tmp_path}/m.mat::x")
    assert "no variable 'y'" in refused(f"{tmp_path}/m.mat::fea", labels="y")
    np.testing.assert_array_equal(converted(f"{tmp_path}/m.mat::gnd", ".npy"), CODES[:, None] + 1)
    in_mat(tmp_path / "row.mat", gnd=[CODES + 1])
    np.testing.assert_array_equal(converted(f"{tmp_path}/row.mat", ".npy"), CODES[:, None] + 1)
    for part in "fea", "gnd":
        done = run(f"{tmp_path}/m.mat::{part}")
        assert done.stdout == f"{tmp_path}/m.{part}.npy\n"
    run_line("penumbra fit fda m.fea.npy --labels m.gnd.npy --ridge 1 -o m.pen", tmp_path)
    text = converted(f"{tmp_path}/m.mat::fea", labels="gnd")
    assert text.startswith("column0,column1,column2,column3,gnd\n")
    path = in_mat(tmp_path / "short.mat", fea=X, gnd=[[1, 2], [3, 4]])
    said = refused(path, labels="gnd")
    assert "gnd must have a label for each row of 24 x 4, got 2 x 2" in said


def test_structures_text_and_cells(tmp_path):
    words = [word or "" for word in WORDS]
    cell = np.array(words, dtype=object)
    path = in_mat(
        tmp_path / "s.mat",
        set={"train": X, "more": {"deep": X * 2}, "kind": cell},
        rows=np.array([f"{word:8}" for word in words]),
        many=np.array([(1, 2), (3, 4)], dtype=[("a", object), ("b", object)]),
        on=np.arange(24) % 2 == 0,
    )
    np.testing.assert_array_equal(converted(f"{path}::set.train", ".npy", labels="set.kind"), X)
    assert values_of(tmp_path / "s.mat.out.npy")[1] == words
    np.testing.assert_array_equal(converted(f"{path}::set.more.deep", ".npy"), X * 2)
    converted(f"{path}::set.train", ".npy", labels="rows")
    assert [word.strip() for word in values_of(tmp_path / "s.mat.out.npy")[1]] == words
    assert np.load(tmp_path / "s.mat.out.npy").dtype == np.float64
    converted(f"{path}::set.train", ".npy", labels="on")
    assert values_of(tmp_path / "s.mat.out.npy")[1][:2] == ["1", "0"]
    assert "one of set.train, set.more.deep, on" in refused(path)


def test_cubes_and_their_labels(tmp_path):
    cube, image = X.reshape(4, 6, 4), CODES.reshape(4, 6) + 1
    in_mat(tmp_path / "v5.mat", cube=cube, gt=image, line=image.reshape(1, -1))
    make_mat73(tmp_path / "v73.mat", cube=cube.T, gt=image.T, line=image.reshape(-1, 1))
    for name in "v5.mat", "v73.mat":
        for label in "gt", "line":
            found = converted(f"{tmp_path / name}::cube", ".npy", labels=label)
            np.testing.assert_array_equal(found, X)  # row i*6 + j is the place i, j
            assert values_of(tmp_path / f"{name}.out.npy")[1] == [str(c + 1) for c in CODES]
    path = in_mat(tmp_path / "turned.mat", cube=cube, gt=image.T)
    said = refused(f"{path}::cube", labels="gt")
    assert "gt must have a label for each row of 4 x 6 x 4, got 6 x 4" in said


def test_matlab_73(tmp_path):
    path = tmp_path / "m.mat"
    make_mat73(path)
    words = [word or "" for word in WORDS]
    matrix = scipy.sparse.csc_matrix(X)
    with h5py.File(path, "a") as file:
        group = file.create_group("sparse")
        group.attrs["MATLAB_sparse"] = np.uint64(len(X))
        group["data"], group["ir"], group["jc"] = matrix.data, matrix.indices, matrix.indptr
        file["set/train"] = X.T * 2
        codes = np.array([[ord(c) for c in f"{word:8}"] for word in words], np.uint16)
        file["set/rows"] = codes.T
        file["set/rows"].attrs["MATLAB_class"] = np.bytes_("char")
        for i, word in enumerate(words):
            node = file.create_dataset(f"#refs#/c{i}", data=codes[i, : len(word) or 1, None])
            node.attrs["MATLAB_class"] = np.bytes_("char")
            if not word:
                node.attrs["MATLAB_empty"] = np.uint8(1)
        places = np.array([[file[f"#refs#/c{i}"].ref for i in range(24)]], h5py.ref_dtype)
        more = [[file["set"].ref, file["fea"].ref]]  # cells that hold more than a word
        file.create_dataset("mixed", data=np.array(more, h5py.ref_dtype), dtype=h5py.ref_dtype)
        file["mixed"].attrs["MATLAB_class"] = np.bytes_("cell")
        file.create_dataset("cells", data=places, dtype=h5py.ref_dtype)
        file["cells"].attrs["MATLAB_class"] = np.bytes_("cell")
        file["words"] = np.zeros((1, 6), np.uint32)  # of a string, which only MATLAB knows
        file["words"].attrs["MATLAB_object_decode"] = np.int32(3)
    np.testing.assert_array_equal(converted(f"{path}::sparse", ".npz", labels="cells"), X)
    assert values_of(tmp_path / "m.mat.out.npz")[1] == words
    np.testing.assert_array_equal(converted(f"{path}::set.train", ".npy", labels="set.rows"), X * 2)
    assert values_of(tmp_path / "m.mat.out.npy")[1] == words
    assert "one of fea, gnd, set.train, sparse" in refused(path)


def test_classes_1_and_minus_1(tmp_path):
    path = in_mat(tmp_path / "m.mat", X=X, y=[[1.0, -1.0] * 12])
    done = run(path, "--labels", "y")
    assert done.stderr == (
        f"penumbra.convert: penumbra fit {tmp_path}/m.npy --labels {tmp_path}/m.npy.labels.txt"
        f" --unlabelled '' -o {tmp_path}/m.pen\n"
    )


def test_sheets(tmp_path):
    path = tmp_path / "b.xlsx"
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
    assert "IN::NAME must name a sheet, one of one, a b" in refused(path)
    assert converted(f"{path}::one").startswith("a,b,c,d,kind\n")
    text = converted(f"{path}::a b", labels="s")
    assert text == f"id,2020,on,s\n{10**15 + 1},0.5,True,u\n,1,,\n"
    assert "no sheet 'two'; there are one, a b" in refused(f"{path}::two")
    times = pandas.DataFrame({"t": pandas.to_datetime(["2024-01-31", None]), "x": [1, 2]})
    times.to_excel(tmp_path / "t.xlsx", index=False)
    assert converted(tmp_path / "t.xlsx") == "t,x\n2024-01-31,1\n,2\n"
    times.set_axis(["p", "q"]).to_excel(tmp_path / "t.xlsx")
    assert converted(tmp_path / "t.xlsx") == ",t,x\np,2024-01-31,1\nq,,2\n"
    np.testing.assert_array_equal(converted(tmp_path / "t.xlsx", ".npy", labels="t"), [[1], [2]])


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
    expected = 'a,b,kind,on\n1.5,1,"x, y",True\n,2,,False\n3.0,3,z,True\n'
    for name in "t.parquet", "t.feather":
        assert converted(tmp_path / name) == expected
        tabs = converted(tmp_path / name, ".tsv", labels="b")
        assert tabs.splitlines()[1] == "1.5\tx, y\tTrue\t1"
    assert "kind are text" in refused(tmp_path / "t.parquet", ".npy")
    table[["a", "b"]].to_parquet(tmp_path / "n.parquet")
    found = converted(tmp_path / "n.parquet", ".npy")
    np.testing.assert_array_equal(found, [[1.5, 1], [np.nan, 2], [3, 3]])
    np.testing.assert_array_equal(converted(tmp_path / "n.parquet", ".npz"), found)
    table[["b"]].to_parquet(tmp_path / "n.parquet")
    assert converted(tmp_path / "n.parquet", ".npy").tolist() == [[1], [2], [3]]
    assert "no columns of values" in refused(tmp_path / "n.parquet", labels="b")
    assert "no column 'c'; there are b" in refused(tmp_path / "n.parquet", labels="c")


def test_an_index_comes_first_without_a_name(tmp_path):
    columns = {"a": [1.5, 2.0, 3.0], "b": [1, 2, 3]}
    named = pandas.Index(["r1", "r2", "r3"], name="id")
    path = parquet(tmp_path, columns, index=named)
    assert converted(path) == ",a,b\nr1,1.5,1\nr2,2.0,2\nr3,3.0,3\n"
    np.testing.assert_array_equal(converted(path, ".npy"), [[1.5, 1], [2, 2], [3, 3]])
    levels = pandas.MultiIndex.from_arrays([["x", "x", "y"], [1, 2, 3]], names=["g", None])
    assert converted(parquet(tmp_path, columns, index=levels)).startswith(",a,b\nx/1,1.5")
    for rows in (None, pandas.RangeIndex(1, 4), [0, 1, 2]):
        assert converted(parquet(tmp_path, columns, index=rows)).startswith("a,b\n1.5,1\n")
    path = parquet(tmp_path, {"a": [1.5, 3.0], "b": [1, 3]}, index=[0, 2])
    assert converted(path) == ",a,b\n0,1.5,1\n2,3.0,3\n"
    # The command takes a first column without a name for names.
    run_command("convert", f"{path}.out.csv", tmp_path / "c.npy", "--quiet")
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), [[1.5, 1], [3, 3]])


def test_missing_values_of_every_type(tmp_path):
    for values, text in [
        (pandas.array([True, None, False], dtype="boolean"), "True - False"),
        (pandas.array(["u", None, "v"], dtype="string"), "u - v"),
        (pandas.array([2**60 + 1, None, 3], dtype="Int64"), f"{2**60 + 1} - 3"),
        (pandas.array([2**63 + 1, None, 3], dtype="UInt64"), f"{2**63 + 1} - 3"),
        (pandas.Categorical(["u", None, "v"]), "u - v"),
        (pandas.Categorical([1, None, 2]), "1 - 2"),
        (np.array([0.1, np.nan, np.inf], dtype=np.float32), "0.1 - inf"),
        ([None, None, None], "- - -"),
        ([b"u", None, b"v"], "u - v"),
    ]:
        expected = "".join(f"{cell}\n" for cell in text.replace("-", '""').split())
        assert converted(parquet(tmp_path, {"x": values})) == f"x\n{expected}"
    path = parquet(tmp_path, {"x": pandas.array([True, None, False], dtype="boolean")})
    np.testing.assert_array_equal(converted(path, ".npy"), [[1], [np.nan], [0]])


def test_dates_times_and_durations(tmp_path):
    times = pandas.to_datetime(["2024-01-31", "2024-02-01 10:11:12.5", None], format="ISO8601")
    for values, cells_of in [
        (times.normalize(), ["2024-01-31", "2024-02-01", '""']),
        (times, ["2024-01-31 00:00:00.000", "2024-02-01 10:11:12.500", '""']),
        (times[:1].tz_localize("Etc/GMT-1"), ["2024-01-31 00:00:00+01:00"]),
        (times[:1].date, ["2024-01-31"]),
        (pandas.to_timedelta(["1 days", "1500 ms", None]), ["86400.0", "1.5", '""']),
    ]:
        path = parquet(tmp_path, {"x": values})
        assert converted(path).split("\n") == ["x", *cells_of, ""]
    np.testing.assert_array_equal(converted(path, ".npy"), [[86400], [1.5], [np.nan]])
    assert "x are text" in refused(parquet(tmp_path, {"x": times}), ".npy")


def test_cells_that_are_no_cells(tmp_path):
    for cells_of in ([{"p": 1}, {"p": 2}], [["a"], ["b"]]):
        path = parquet(tmp_path, {"y": [1, 2], "x": cells_of})
        for end in ".csv", ".npy":
            assert "column x must hold" in refused(path, end)
    assert "column x holds bytes that are not UTF-8" in refused(parquet(tmp_path, {"x": [b"\xff"]}))
    assert "no columns of values" in refused(parquet(tmp_path, {}, index=[1, 2]))
    assert "there are no rows" in refused(parquet(tmp_path, {"x": []}))


def test_texts_are_kept(tmp_path):
    texts = ["a\rb", " s ", 'q"', "p,q", "l\nm", "é"]
    path = parquet(tmp_path, {"x": [1.5, 2, 3, 4, 5, None], "k": texts})
    text = converted(path)
    assert text == '"x","k"\n1.5,"a\rb"\n2.0," s "\n3.0,"q"""\n4.0,"p,q"\n5.0,"l\nm"\n"","é"\n'
    path = parquet(tmp_path, {"x": [1.5, 2, 3, 4, 5, 6], "k": texts})
    converted(path)
    out = run_command("convert", f"{path}.out.csv", "-", "--label-column", "k", "--quiet").stdout
    assert '" s ",2' in out
    path = parquet(tmp_path, {"x": [1.5, 2.0], "k": ["u", "é"]})
    assert converted(path) == "x,k\n1.5,u\n2.0,é\n"


def test_lists_of_numbers_are_columns(tmp_path):
    rows = [[1.5, 2, -3], [4, 5, 6.25]]
    for kind in ("list_", "large_list"):
        wide = pyarrow.array(rows, getattr(pyarrow, kind)(pyarrow.float32()))
        with pyarrow.ipc.new_file(tmp_path / "e.arrow", pyarrow.schema({"e": wide.type})) as writer:
            writer.write_table(pyarrow.table({"e": wide}))
            writer.write_table(pyarrow.table({"e": wide}))
        np.testing.assert_array_equal(converted(tmp_path / "e.arrow", ".npy"), rows + rows)
    path = parquet(tmp_path, {"id": ["a", "b"], "e": rows, "y": [0, 1]})
    assert converted(path) == "id,e_0,e_1,e_2,y\na,1.5,2.0,-3.0,0\nb,4.0,5.0,6.25,1\n"
    for cells_of in ([[1, 2], [3]], [[1], None]):
        rule = "column e must hold lists of equally many numbers"
        assert rule in refused(parquet(tmp_path, {"e": cells_of}))
    assert "two columns are named 'e_1'" in refused(parquet(tmp_path, {"e_1": [1], "e": [[2, 3]]}))


def test_arrow_and_orc(tmp_path):
    table = pyarrow.table({"x": [2**60 + 1, None], "y": ["a", None]})
    twice = pyarrow.table([[1], [2]], names=["x", "x"])
    for name, opened in ("s.arrows", pyarrow.ipc.new_stream), ("f.arrow", pyarrow.ipc.new_file):
        with opened(tmp_path / name, table.schema) as writer:
            writer.write_table(table)
        assert converted(tmp_path / name) == f"x,y\n{2**60 + 1},a\n,\n"
        with opened(tmp_path / name, twice.schema) as writer:
            writer.write_table(twice)
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
    make_loom(tmp_path / "c.loom")
    np.testing.assert_array_equal(converted(tmp_path / "c.loom", ".npz"), X)
    text = converted(tmp_path / "c.loom", labels="kind")
    found = [line[:5] for line in csv.reader(text.splitlines()[1:])]
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
    (tmp_path / "days.txt").write_text(DAYS)
    text = converted(tmp_path / "days.txt", labels="play", one_hot=["sky", "wind"])
    assert text == (
        "sky=overcast,sky=rain,sky=sunny,temperature,wind=strong,wind=weak,play\n"
        "0,0,1,30,0,1,no\n0,1,0,20,0,1,yes\n1,0,0,28,1,0,yes\n0,0,1,22,1,0,no\n,,,18,1,0,no\n"
    )
    found = converted(tmp_path / "days.txt", ".npy", labels="play", one_hot=["sky", "wind"])
    np.testing.assert_array_equal(found[0], [0, 0, 1, 30, 0, 1])
    assert np.isnan(found[4, :3]).all()
    assert "temperature, wind, play are text" not in refused(
        tmp_path / "days.txt", ".npy", one_hot=["sky"]
    )
    assert "there is no column 'sun'; there are sky, temp" in refused(
        tmp_path / "days.txt", one_hot=["sun"]
    )
    done = run(tmp_path / "days.txt")
    assert "text and --one-hot; penumbra convert takes what penumbra reads" in done.stderr
    (tmp_path / "days.csv").write_text(DAYS)
    assert run(tmp_path / "days.csv", "--one-hot", "sky").stdout == f"{tmp_path}/days.one-hot.csv\n"
    table = pandas.DataFrame({"x": [1.5, 2], "grade": [2.0, np.nan], "on": [True, False]})
    table.to_parquet(tmp_path / "t.parquet")
    text = converted(tmp_path / "t.parquet", one_hot=["on", "grade"])
    assert text == "x,grade=2,on=False,on=True\n1.5,1,0,1\n2.0,,1,0\n"


def test_columns_of_the_words_of_a_model(tmp_path):
    days = DAYS.replace("NA 18", "rain 18")
    (tmp_path / "days.txt").write_text(days)
    done = run(tmp_path / "days.txt", "--labels", "play", "--one-hot", "sky,wind")
    assert (done.returncode, done.stdout) == (0, f"{tmp_path}/days.csv\n")
    line = done.stderr.removeprefix("penumbra.convert: ").replace(" fit ", " fit fda ")
    run_line(line.strip() + " --ridge 1", tmp_path)
    model = penumbra.load(tmp_path / "days.pen")
    assert list(model.feature_names_in_)[2] == "sky=sunny"
    (tmp_path / "new.csv").write_text(
        "sky,temperature,wind\nrain,21,weak\nfog,12,weak\nfog,9,weak\n"
    )
    done = run(
        tmp_path / "new.csv", "--one-hot", "sky,wind", tmp_path / "coded.csv",
        "--like", tmp_path / "days.pen",
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == (
        f"penumbra.convert: 2 words of sky are not in {tmp_path}/days.pen: fog\n"
    )
    assert (tmp_path / "coded.csv").read_text() == (
        "sky=overcast,sky=rain,sky=sunny,temperature,wind=strong,wind=weak\n"
        "0,1,0,21,0,1\n0,0,0,12,0,1\n0,0,0,9,0,1\n"
    )
    run_command("predict", tmp_path / "days.pen", tmp_path / "coded.csv", "-o", tmp_path / "p.csv")
    said = refused(tmp_path / "new.csv", one_hot=["temperature"], like=tmp_path / "days.pen")
    assert "days.pen has no columns temperature=WORD; it has sky=overcast, sky=rain" in said
    assert run(tmp_path / "new.csv", "--like", tmp_path / "days.pen").returncode == 2
    file = (tmp_path / "days.pen").read_bytes()
    end = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(file[8:end])
    header["__metadata__"] |= {"format": "2", "needs": '["one_hot"]'}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (tmp_path / "old.pen").write_bytes(len(text).to_bytes(8, "little") + text + file[end:])
    said = refused(tmp_path / "new.csv", one_hot=["sky"], like=tmp_path / "old.pen")
    assert "to what python -m penumbra.convert FILE --one-hot COLUMNS writes" in said


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
    (tmp_path / "l.csv").write_bytes(b"color,x\nr\xe9d,1\n")
    said = refused(tmp_path / "l.csv", one_hot=["x"])
    assert f"iconv -f WINDOWS-1252 -t UTF-8 {tmp_path}/l.csv >NEW" in said
    (tmp_path / "t.csv").write_text("color,x,x\nred,1,2\n")
    assert "two columns are named 'x'" in refused(tmp_path / "t.csv", one_hot=["color"])
    make_sparse_h5ad(tmp_path / "c.h5ad")
    assert "and these are sparse rows" in refused(tmp_path / "c.h5ad", one_hot=["A"])


# ---- what is around it ----


def test_help():
    done = run("--help")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("usage: python -m penumbra.convert [-h] ")
    for word in ("h5ad", "loom", "Cell Ranger", "MATLAB", "xlsx", "parquet", "--like", ".npz"):
        assert word in done.stdout
    assert run().returncode == 2


@pytest.mark.parametrize(
    ("package", "name", "make"),
    [
        ("pandas", "t.parquet", make_parquet),
        ("pyarrow", "t.parquet", make_parquet),
        ("pyarrow", "t.arrows", make_stream),
        ("openpyxl", "t.xlsx", make_xlsx),
        ("anndata", "t.h5ad", make_h5ad),
        ("h5py", "t.loom", make_loom),
    ],
)
def test_a_package_that_is_not_there(tmp_path, package, name, make):
    make(tmp_path / name)
    done = run_without(package, tmp_path / name)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == (
        f"penumbra.convert: {tmp_path / name}: this takes {package}: pip install {package}\n"
    )


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
    assert "there is such a file" in run(path, tmp_path / "link.csv").stderr
    (tmp_path / "t.csv").write_text("a\n1\n")  # named as one that it would become
    assert "there is such a file" in run(path).stderr
    assert (tmp_path / "t.csv").read_text() == "a\n1\n"
    assert run(path, tmp_path / "o.CSV").returncode == 0
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names == ["link.csv", "o.CSV", "t.csv", "t.parquet"]
    # A name that cannot be is an error before the work, here of reading what is not there.
    assert "must end in" in run(tmp_path / "nothing", tmp_path / "o.xlsx").stderr


def test_sparse_rows_that_are_too_many_to_be_dense(tmp_path, monkeypatch):
    def full(table):
        raise MemoryError("Unable to allocate 8.00 TiB")

    monkeypatch.setattr(penumbra.convert, "_numbers", full)
    path = parquet(tmp_path, {"a": [1, 2]})
    assert "t.parquet.out.npy: Unable to allocate 8.00 TiB" in refused(path, ".npy")


def test_other_files(tmp_path):
    (tmp_path / "t.txt").write_text("1,2\n")
    assert "expected AnnData" in run(tmp_path / "t.txt").stderr
    done = run(tmp_path / "none")
    assert done.stderr == f"penumbra.convert: {tmp_path / 'none'}: No such file or directory\n"
    assert "it has no x: it is one table" in refused(f"{parquet(tmp_path, {'a': [1]})}::x")
    for data, fault in [
        (b"PK\3\4" + bytes(30), "a spreadsheet other than xlsx"),
        (b"PK\3\4" + bytes(26) + b"[Content_Types].xml", "ip file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(30), "an old Excel file"),
        (gzip.compress(b"X\n\0\0\0\3" + bytes(30)), "a file of R"),
        (b"RDX2\nX\n", "a file of R"),
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
        (b"", "expected AnnData"),
    ]:
        (tmp_path / "t.bin").write_bytes(data)
        assert fault in refused(tmp_path / "t.bin")


def test_damaged_files_are_one_line(tmp_path):
    for name, make, label, _ in KINDS:
        path = tmp_path / name
        make(path)
        if path.is_dir() or name.endswith(".mtx.gz"):
            continue
        data = path.read_bytes()
        for damaged in (data[: len(data) // 2], data[: len(data) // 3] + b"#" * 64):
            path.write_bytes(damaged)
            said = refused(path, labels=label)
            assert said.startswith(f"{path}: ")
