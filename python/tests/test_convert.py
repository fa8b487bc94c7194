"""python -m penumbra.convert: files of other kinds become files that the command reads."""

import gzip
import os
import pathlib
import struct
import subprocess
import sys
import zipfile

import numpy as np
import penumbra
import penumbra.convert
import pytest

from conftest import blobs, run_command


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "penumbra.convert", *map(str, arguments)],
        capture_output=True,
        text=True,
    )


def run_without(package, *arguments):
    """The same in a Python that does not have `package`."""
    code = (
        f"import runpy, sys; sys.modules[{package!r}] = None;"
        " runpy.run_module('penumbra.convert', run_name='__main__', alter_sys=True)"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True
    )


def test_the_wheel_has_it():
    wheel = os.environ.get("PENUMBRA_WHEEL")
    if not wheel:
        pytest.skip("PENUMBRA_WHEEL names no wheel")
    with zipfile.ZipFile(wheel) as archive:
        packed = archive.read("penumbra/convert.py")
    assert packed == pathlib.Path(penumbra.convert.__file__).read_bytes()


def test_help():
    done = run("--help")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("usage: python -m penumbra.convert [-h] IN [OUT]")
    for word in ("Parquet", "Arrow", "ARFF", "idx", "h5ad", "MATLAB", ".npz"):
        assert word in done.stdout
    assert run().returncode == 2


@pytest.mark.parametrize("magic", [b"PAR1", b"ARROW1", b"ORC", b"FEA1", b"\xff\xff\xff\xff"])
def test_tables_without_the_package_that_reads_them(tmp_path, magic):
    (tmp_path / "t").write_bytes(magic + bytes(16))
    done = run_without("pyarrow", tmp_path / "t")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == (
        f"penumbra.convert: {tmp_path / 't'}: this takes pyarrow: pip install pyarrow\n"
    )


def test_tables_without_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"x": pandas.to_datetime(["2024-01-31", None])}, index=["p", "q"])
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_feather(tmp_path / "t.feather")
    for name in "t.parquet", "t.feather":
        done = run_without("pandas", tmp_path / name, tmp_path / f"{name}.csv")
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / f"{name}.csv").read_text() == ",x\np,2024-01-31\nq,\n"


def test_h5ad_without_anndata(tmp_path):
    (tmp_path / "t.h5ad").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(16))
    done = run_without("anndata", tmp_path / "t.h5ad")
    assert done.returncode == 1
    assert "this takes anndata: pip install anndata" in done.stderr


def test_what_takes_no_package(tmp_path):
    (tmp_path / "t.arff").write_text(ARFF)
    assert run_without("pandas", tmp_path / "t.arff").returncode == 0
    assert (tmp_path / "t.csv").read_text().startswith("first one,kind,n\n1.5,")


@pytest.mark.parametrize("name", ["t.parquet", "t.parquet.gz", "t.feather", "t.arrow"])
def test_a_table_becomes_one_that_the_command_fits(tmp_path, name):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    x, y = blobs()
    frame = pandas.DataFrame(x, columns=[f"c{j}" for j in range(x.shape[1])])
    frame["kind"] = np.where(y < 0, None, np.array(["p", "q", "r"])[y])
    plain = tmp_path / name.removesuffix(".gz")
    frame.to_parquet(plain) if "parquet" in name else frame.to_feather(plain)
    if plain.name != name:
        (tmp_path / name).write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    done = run(tmp_path / name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / 't.csv'}\n"
    model = tmp_path / "model"
    run_command("fit", "fda", tmp_path / "t.csv", "--label-column", "kind", "-o", model)
    expected = penumbra.FDA().fit(frame.drop(columns="kind"), frame["kind"])
    found = penumbra.load(model)
    assert found.feature_names_in_.tolist() == expected.feature_names_in_.tolist()
    np.testing.assert_array_equal(found.components_, expected.components_)


def test_tables_of_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"a": [1.5, None, 3.0], "b": [1, 2, 3]})
    frame["kind"] = ["x, y", None, "z"]
    frame["on"] = [True, False, True]
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_feather(tmp_path / "t.feather")
    expected = 'a,b,kind,on\n1.5,1,"x, y",1\n,2,,0\n3.0,3,z,1\n'
    for name in "t.parquet", "t.feather":
        out = tmp_path / f"{name}.csv"
        assert penumbra.convert.convert(tmp_path / name, out) == str(out)
        assert out.read_text() == expected
    with pytest.raises(penumbra.Error, match="kind are text"):
        penumbra.convert.convert(tmp_path / "t.parquet", tmp_path / "t.npy")
    assert not list(tmp_path.glob("*.part*"))
    frame[["a", "b"]].to_parquet(tmp_path / "n.parquet")
    penumbra.convert.convert(tmp_path / "n.parquet", tmp_path / "n.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "n.npy"), [[1.5, 1], [np.nan, 2], [3, 3]])


def converted(path, end=".csv"):
    """What the file becomes: text, or an array."""
    out = path.with_name(f"{path.name}.out{end}")
    out.unlink(missing_ok=True)
    penumbra.convert.convert(path, out)
    return np.load(out) if end == ".npy" else out.read_bytes().decode()


def refused(path, end=".csv"):
    out = path.with_name(f"{path.name}.out{end}")
    out.unlink(missing_ok=True)
    with pytest.raises(penumbra.Error) as caught:
        penumbra.convert.convert(path, out)
    assert not out.exists() and not list(path.parent.glob("*.part*"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def parquet(folder, columns, **options):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pandas.DataFrame(columns, **options).to_parquet(folder / "t.parquet")
    return folder / "t.parquet"


def test_an_index_comes_first(tmp_path):
    pandas = pytest.importorskip("pandas")
    columns = {"a": [1.5, 2.0, 3.0], "b": [1, 2, 3]}
    named = pandas.Index(["r1", "r2", "r3"], name="id")
    path = parquet(tmp_path, columns, index=named)
    assert converted(path) == "id,a,b\nr1,1.5,1\nr2,2.0,2\nr3,3.0,3\n"
    assert "npy and npz hold numbers; id are text" in refused(path, ".npy")
    done = run(path)
    assert done.returncode == 0
    assert done.stderr == (
        f"penumbra.convert: {tmp_path / 't.csv'}: the index id comes first:"
        " --row-name-column id makes names of it\n"
    )
    path = parquet(tmp_path, columns, index=list(named))
    assert converted(path).startswith(",a,b\nr1,1.5,1\n")
    assert "the names of rows are text" in refused(path, ".npy")
    path = parquet(tmp_path, columns, index=pandas.Index([7, 8, 9], name="id"))
    assert converted(path).startswith("id,a,b\n7,1.5,1\n")
    assert "npy and npz hold no index 'id'" in refused(path, ".npy")
    levels = pandas.MultiIndex.from_arrays([["x", "x", "y"], [1, 2, 3]], names=["g", None])
    assert converted(parquet(tmp_path, columns, index=levels)).startswith("g,level_1,a,b\nx,1,1.5")
    for rows in (None, pandas.RangeIndex(1, 4)):
        assert converted(parquet(tmp_path, columns, index=rows)).startswith("a,b\n1.5,1\n")
    same = parquet(tmp_path, columns, index=named.rename("a"))
    assert "two columns are named 'a'" in refused(same)


def test_rows_that_were_selected_keep_their_numbers_as_names(tmp_path):
    path = parquet(tmp_path, {"a": [1.5, 3.0], "b": [1, 3]}, index=[0, 2])
    assert converted(path) == ",a,b\n0,1.5,1\n2,3.0,3\n"
    np.testing.assert_array_equal(converted(path, ".npy"), [[1.5, 1], [3, 3]])
    # The command takes a first column without a name for names.
    run_command("convert", f"{path}.out.csv", tmp_path / "c.npy", "--quiet")
    np.testing.assert_array_equal(np.load(tmp_path / "c.npy"), [[1.5, 1], [3, 3]])


def test_missing_values_of_every_type(tmp_path):
    pandas = pytest.importorskip("pandas")
    for values, text in [
        (pandas.array([True, None, False], dtype="boolean"), "1 - 0"),
        (pandas.array(["u", None, "v"], dtype="string"), "u - v"),
        (pandas.array([2**60 + 1, None, 3], dtype="Int64"), f"{2**60 + 1} - 3"),
        (pandas.Categorical(["u", None, "v"]), "u - v"),
        (pandas.Categorical([1, None, 2]), "1 - 2"),
        (np.array([0.5, np.nan, np.inf], dtype=np.float32), "0.5 - inf"),
        ([None, None, None], "- - -"),
        ([b"u", None, b"v"], "u - v"),
    ]:
        expected = "".join(f"{cell}\n" for cell in text.replace("-", '""').split())
        assert converted(parquet(tmp_path, {"x": values})) == f"x\n{expected}"
    path = parquet(tmp_path, {"x": pandas.array([True, None, False], dtype="boolean")})
    np.testing.assert_array_equal(converted(path, ".npy"), [[1], [np.nan], [0]])


def test_dates_times_and_durations(tmp_path):
    pandas = pytest.importorskip("pandas")
    times = pandas.to_datetime(["2024-01-31", "2024-02-01 10:11:12.5", None], format="ISO8601")
    for values, cells in [
        (times.normalize(), ["2024-01-31", "2024-02-01", '""']),
        (times, ["2024-01-31T00:00:00.000", "2024-02-01T10:11:12.500", '""']),
        (times[:1].tz_localize("Etc/GMT-1"), ["2024-01-30T23:00:00Z"]),
        (times[:1].date, ["2024-01-31"]),
        (pandas.to_timedelta(["1 days", "1500 ms", None]), ["86400.0", "1.5", '""']),
    ]:
        path = parquet(tmp_path, {"x": values})
        assert converted(path).split("\n") == ["x", *cells, ""]
    np.testing.assert_array_equal(converted(path, ".npy"), [[86400], [1.5], [np.nan]])
    assert "x are text" in refused(parquet(tmp_path, {"x": times}), ".npy")


def test_cells_that_are_no_cells(tmp_path):
    for cells, kind in [
        ([["a"], ["b"]], "list<element: string>"),
        ([{"p": 1}, {"p": 2}], "struct<p: int64>"),
    ]:
        path = parquet(tmp_path, {"y": [1, 2], "x": cells})
        for end in ".csv", ".npy":
            assert f"column x holds {kind}: expected numbers, text" in refused(path, end)
    assert "column x holds bytes that are not UTF-8" in refused(parquet(tmp_path, {"x": [b"\xff"]}))
    assert "the table has no columns" in refused(parquet(tmp_path, {}, index=[1, 2]))
    path = parquet(tmp_path, {"x": ["a\rb", " s ", 'q"', "p,q", "l\nm"]})
    assert converted(path) == 'x\n"a\rb"\n" s "\n"q"""\n"p,q"\n"l\nm"\n'


def test_lists_of_numbers_are_columns(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    rows = [[1.5, 2, -3], [4, 5, 6.25]]
    for kind in ("list_", "large_list"):
        wide = pyarrow.array(rows, getattr(pyarrow, kind)(pyarrow.float32()))
        with pyarrow.ipc.new_file(tmp_path / "e.arrow", pyarrow.schema({"e": wide.type})) as writer:
            writer.write_table(pyarrow.table({"e": wide}))
            writer.write_table(pyarrow.table({"e": wide}))
        np.testing.assert_array_equal(converted(tmp_path / "e.arrow", ".npy"), rows + rows)
    path = parquet(tmp_path, {"id": ["a", "b"], "e": rows, "y": [0, 1]})
    assert converted(path) == "id,e_0,e_1,e_2,y\na,1.5,2.0,-3.0,0\nb,4.0,5.0,6.25,1\n"
    path = parquet(tmp_path, {"e": pyarrow.array(rows, pyarrow.list_(pyarrow.float64(), 3))})
    assert converted(path).startswith("e_0,e_1,e_2\n1.5")
    for cells, lengths in (([[1, 2], [3]], "2 and 1"), ([[1], None], "1 and none")):
        rule = "column e must hold lists of equally many numbers"
        assert f"{rule}, got {lengths}" in refused(parquet(tmp_path, {"e": cells}))
    assert "two columns are named 'e_1'" in refused(parquet(tmp_path, {"e_1": [1], "e": [[2, 3]]}))


def test_arrow_and_orc(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.orc

    table = pyarrow.table({"x": [2**60 + 1, None], "y": ["a", None]})
    twice = pyarrow.table([[1], [2]], names=["x", "x"])
    for name, opened in ("s.arrows", pyarrow.ipc.new_stream), ("f.arrow", pyarrow.ipc.new_file):
        with opened(tmp_path / name, table.schema) as writer:
            writer.write_table(table)
        assert converted(tmp_path / name) == f"x,y\n{2**60 + 1},a\n,\n"
        with opened(tmp_path / name, twice.schema) as writer:
            writer.write_table(twice)
        assert "two columns are named 'x'" in refused(tmp_path / name)
    view = table.set_column(1, "y", table["y"].cast(pyarrow.string_view()))
    with pyarrow.ipc.new_file(tmp_path / "v.arrow", view.schema) as writer:
        writer.write_table(view)
    assert converted(tmp_path / "v.arrow") == f"x,y\n{2**60 + 1},a\n,\n"
    pyarrow.orc.write_table(table, tmp_path / "t.orc")
    assert converted(tmp_path / "t.orc") == f"x,y\n{2**60 + 1},a\n,\n"


def test_tables_of_polars(tmp_path):
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    frame = polars.DataFrame({"a": [1, None], "s": ["x", None], "on": [None, True]})
    frame = frame.with_columns(polars.Series("c", ["u", None], dtype=polars.Categorical))
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_ipc(tmp_path / "t.arrow")
    frame.write_ipc_stream(tmp_path / "t.arrows")
    for name in "t.parquet", "t.arrow", "t.arrows":
        assert converted(tmp_path / name) == "a,s,on,c\n1,x,,u\n,,1,\n"


def test_more_rows_than_are_written_at_a_time(tmp_path):
    values = np.arange(10000) / 8
    path = parquet(tmp_path, {"x": values, "k": [f"r{i}" for i in range(len(values))]})
    lines = converted(path).splitlines()
    assert lines == ["x,k", *(f"{value},r{i}" for i, value in enumerate(values.tolist()))]


ARFF = """% remark
@RELATION 'a b'
@attribute 'first one' real
@attribute kind {'good','bad one', "it, is"}
@attribute n numeric

@data
1.5,'bad one',?
% another
2, "it, is" ,3
{0 4, 2 5}
"""


def test_arff(tmp_path):
    (tmp_path / "t.arff").write_bytes(ARFF.replace("\n", "\r\n").encode())
    done = run(tmp_path / "t.arff")
    assert done.returncode == 0 and done.stdout == f"{tmp_path / 't.csv'}\n", done.stderr
    assert (tmp_path / "t.csv").read_text() == (
        'first one,kind,n\n1.5,bad one,\n2,"it, is",3\n4,good,5\n'
    )
    again = run(tmp_path / "t.arff")
    assert again.returncode == 1 and "there is such a file" in again.stderr
    (tmp_path / "short.arff").write_text("@relation a\n@attribute x real\n@data\n1,2\n")
    bad = run(tmp_path / "short.arff")
    assert bad.returncode == 1 and "line 4: expected 1 cells, got 2" in bad.stderr


def arff(folder, body):
    (folder / "t.arff").write_text("@relation r\n" + body, encoding="utf-8")
    return folder / "t.arff"


def test_sparse_arff(tmp_path):
    head = "@attribute x numeric\n@attribute class {A,'b,c'}\n@data\n"
    path = arff(tmp_path, head + "{1 'b,c'}\n{0 2, 1 ?} % remark\n{}\n{ 0\t3 }\n")
    assert converted(path) == 'x,class\n0,"b,c"\n2,\n0,A\n3,A\n'
    for row, fault in [
        ("{2 5}", "line 5: there is no attribute 2"),
        ("{0 1, 0 2}", "line 5: attribute 0 has two values"),
        ("{0 1", "line 5: expected INDEX VALUE, got 0 1"),
        ("{0 1}, {2}", "line 5: expected the end of the row, got , {2}"),
    ]:
        assert fault in refused(arff(tmp_path, head + row))
    for kind in "string", "date 'yyyy'":
        path = arff(tmp_path, f"@attribute x real\n@attribute s {kind}\n@data\n{{1 a}}\n{{0 2}}\n")
        assert "line 6: the %s attribute s is left out" % kind.split()[0] in refused(path)


def test_arff_as_it_is_written_elsewhere(tmp_path):
    for body, text in [
        ("@attribute class{A,B}\n@data\nA\n", "class\nA\n"),
        ("@attribute'x y'numeric\n@data\n1\n", "x y\n1\n"),
        ("@attribute 'it\\'s' real [0, 1]\n@inputs a\n@data\n1\n", "it's\n1\n"),
        ("@attribute x numeric % c\n@data\n1 % one\n", "x\n1\n"),
        ("@attribute x real\n@attribute y real\n@data\n1\t2\n3 4\n", "x,y\n1,2\n3,4\n"),
        ("@attribute x {'?',b}\n@data\n'?'\n?\n", 'x\n?\n""\n'),
        ("@attribute x string\n@data\n'a\\nb'\n'c\u2028d'\n", 'x\n"a\nb"\nc\u2028d\n'),
        ("@attribute x date 'yyyy'\n@data\n2024\n", "x\n2024\n"),
    ]:
        assert converted(arff(tmp_path, body)) == text
    start = "% " + "x" * 70000 + "\n@relation r\n"
    (tmp_path / "t.arff").write_text(start + "@attribute x real\n@data\n1")
    assert converted(tmp_path / "t.arff") == "x\n1\n"


def test_arff_that_is_refused(tmp_path):
    for body, fault in [
        ("@attribute x real\n@attribute x real\n@data\n1,2", "line 3: two attributes are named x"),
        ("@attribute\n@data\n1", "line 2: expected @attribute NAME TYPE, got @attribute"),
        ("@attribute x\n@data\n1", "attribute x: expected numeric, string, date or {VALUES}"),
        ("@attribute x relational\n@data\n1", "line 2: attribute x: expected numeric, string"),
        ("@attribute x {a,b\n@data\na", "line 2: expected {VALUE,VALUE,...}, got {a,b"),
        ("@attribute x real\n@data\nabc", "line 4: x must be a number, got 'abc'"),
        ("@attribute x {a}\n@data\n?\nc", "line 5: x must be one of its values, got 'c'"),
        ("@attribute x real\n@data\n1, {5}", "line 4: a weight of a row, {5}, is not supported"),
        ("@attribute x string\n@data\n'a", "line 4: a quote does not end: 'a"),
        ("@attribute x string\n@data\n'a' b", "line 4: expected a comma after a quote: 'a' b"),
        ("@attribute x real\n1", "line 3: expected @attribute or @data, got 1"),
        ("@data\n1", "line 2: there is no @attribute before @data"),
    ]:
        assert fault in refused(arff(tmp_path, body))
    (tmp_path / "t.arff").write_bytes(b"@relation r\r\n@attribute \xe9 real\r\n@data\r\n1\r\n")
    assert "line 2: it is not UTF-8" in refused(tmp_path / "t.arff")


def test_idx(tmp_path):
    values = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    data = struct.pack(">BBBB3i", 0, 0, 8, 3, 2, 3, 4) + values.tobytes()
    (tmp_path / "images-idx3-ubyte.gz").write_bytes(gzip.compress(data))
    (tmp_path / "images.idx").write_bytes(data)
    assert penumbra.convert.convert(tmp_path / "images.idx") == str(tmp_path / "images.npy")
    penumbra.convert.convert(tmp_path / "images-idx3-ubyte.gz")
    for name in "images.npy", "images-idx3-ubyte.npy":
        found = np.load(tmp_path / name)
        assert found.dtype == np.uint8
        np.testing.assert_array_equal(found, values.reshape(2, 12))
    (tmp_path / "short.idx").write_bytes(data[:-1])
    assert "the idx file has 23 values" in run(tmp_path / "short.idx").stderr
    # 2^64 values, which is 0 in 64 bits; and a part of a value.
    (tmp_path / "many.idx").write_bytes(struct.pack(">BBBB4i", 0, 0, 8, 4, *[1 << 16] * 4))
    assert "the idx file has 0 values, the shape (65536, 6" in refused(tmp_path / "many.idx")
    (tmp_path / "odd.idx").write_bytes(struct.pack(">BBBBi", 0, 0, 11, 1, 2) + bytes(5))
    assert "the idx file has 2 values" in refused(tmp_path / "odd.idx")
    (tmp_path / "labels-idx1-ubyte").write_bytes(struct.pack(">BBBBi3B", 0, 0, 8, 1, 3, 7, 0, 7))
    labels = converted(tmp_path / "labels-idx1-ubyte", ".npy")
    np.testing.assert_array_equal(labels, [[7], [0], [7]])


def test_h5ad_and_matlab(tmp_path):
    anndata = pytest.importorskip("anndata")
    import scipy.io
    import scipy.sparse

    x = np.array([[0, 1.5], [2, 0], [0, 0]])
    data = anndata.AnnData(scipy.sparse.csr_matrix(x), layers={"raw": 2 * x})
    data.obs_names, data.var_names = ["p", "q", "r"], ["u", "v"]
    data.write_h5ad(tmp_path / "t.h5ad")
    assert penumbra.convert.convert(tmp_path / "t.h5ad") == str(tmp_path / "t.npz")
    np.testing.assert_array_equal(scipy.sparse.load_npz(tmp_path / "t.npz").toarray(), x)
    penumbra.convert.convert(f"{tmp_path}/t.h5ad::layers/raw", tmp_path / "raw.csv")
    assert (tmp_path / "raw.csv").read_text() == ",u,v\np,0.0,3.0\nq,4.0,0.0\nr,0.0,0.0\n"
    with pytest.raises(penumbra.Error, match="there is no layers/other; there are X, layers/raw"):
        penumbra.convert.convert(f"{tmp_path}/t.h5ad::layers/other")
    scipy.io.savemat(tmp_path / "t.mat", {"fea": x, "gnd": [[1], [2], [1]]})
    penumbra.convert.convert(f"{tmp_path}/t.mat::fea", tmp_path / "fea.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "fea.npy"), x)
    with pytest.raises(penumbra.Error, match="IN::NAME names one of fea, gnd"):
        penumbra.convert.convert(tmp_path / "t.mat")


def test_matrices_that_are_none(tmp_path):
    anndata = pytest.importorskip("anndata")
    pandas = pytest.importorskip("pandas")
    import scipy.io

    data = anndata.AnnData(obs=pandas.DataFrame(index=["p", "q"]))
    data.obsm["frame"] = pandas.DataFrame({"u": [1.0, 2.0], "v": [3, 4]}, index=["p", "q"])
    data.obsm["deep"] = np.zeros((2, 2, 2))
    data.write_h5ad(tmp_path / "t.h5ad")
    out = tmp_path / "o.csv"
    for member, fault in [
        ("", "there is no X; there are obsm/deep, obsm/frame"),
        ("::obsm/deep", "obsm/deep has 3 dimensions, expected 2"),
    ]:
        with pytest.raises(penumbra.Error, match=fault):
            penumbra.convert.convert(f"{tmp_path}/t.h5ad{member}", out)
    penumbra.convert.convert(f"{tmp_path}/t.h5ad::obsm/frame", out)
    assert out.read_text() == ",u,v\np,1.0,3.0\nq,2.0,4.0\n"
    done = run(f"{tmp_path}/t.h5ad::obsm/frame", tmp_path / "o.npy")
    assert done.stderr == (
        f"penumbra.convert: {tmp_path / 'o.npy'}: names of rows and columns are left out\n"
    )
    import h5py  # comes with anndata

    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["a"] = [[1.0, 2.0]]
    assert "anndata does not read it as h5ad" in refused(tmp_path / "other.h5")
    scipy.io.savemat(tmp_path / "text.mat", {"s": "abc", "cells": np.array([[{}]], dtype=object)})
    assert "it has no matrix of numbers" in refused(tmp_path / "text.mat")
    scipy.io.savemat(tmp_path / "c.mat", {"s": "abc", "z": np.array([[1j, 2.0]])})
    assert "z holds complex128: expected real numbers" in refused(tmp_path / "c.mat")


def test_out(tmp_path):
    (tmp_path / "t.arff").write_text(ARFF)
    for name, fault in [
        ("o.xlsx", "the name must end in .csv, .tsv, .npy or .npz"),
        ("none/o.csv", "none/o.csv: No such file or directory"),
        ("t.arff/o.csv", "t.arff/o.csv: Not a directory"),
        ("x" * 250 + ".csv", "File name too long"),
    ]:
        done = run(tmp_path / "t.arff", tmp_path / name)
        assert (done.returncode, done.stdout) == (1, "")
        assert fault in done.stderr and done.stderr.count("\n") == 1
    with pytest.raises(penumbra.Error, match="null"):
        penumbra.convert.convert(tmp_path / "t.arff", "\0.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "nowhere")
    assert "there is such a file" in run(tmp_path / "t.arff", tmp_path / "link.csv").stderr
    (tmp_path / "t.csv").write_text(ARFF)  # named as one that it would become
    assert "there is such a file" in run(tmp_path / "t.csv").stderr
    assert (tmp_path / "t.csv").read_text() == ARFF
    assert run(tmp_path / "t.arff", tmp_path / "o.CSV").returncode == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.csv", "o.CSV", "t.arff", "t.csv"]
    # A name that cannot be is an error before the work, here of reading what is not there.
    assert "must end in" in run(tmp_path / "nothing", tmp_path / "o.xlsx").stderr


def test_sparse_rows_that_are_too_many_to_be_dense(tmp_path, monkeypatch):
    def full(table):
        raise MemoryError("Unable to allocate 8.00 TiB")

    monkeypatch.setattr(penumbra.convert, "_numbers", full)
    (tmp_path / "t.arff").write_text(ARFF)
    assert "t.arff.out.npy: Unable to allocate 8.00 TiB" in refused(tmp_path / "t.arff", ".npy")


def test_other_files(tmp_path):
    (tmp_path / "t.txt").write_text("1,2\n")
    assert "expected Parquet" in run(tmp_path / "t.txt").stderr
    done = run(tmp_path / "none")
    assert done.stderr == f"penumbra.convert: {tmp_path / 'none'}: No such file or directory\n"
    for data, fault in [
        (b"PK\3\4" + bytes(30), "a spreadsheet (xlsx, ods): save the sheet as CSV"),
        (gzip.compress(b"X\n\0\0\0\3" + bytes(30)), "an RDS file of R"),
        (b"<stata_dta><header>", "a Stata file"),
        (gzip.compress(b"\x89HDF\r\n\x1a\n" + bytes(30)), "an HDF5 file in gzip: expand it"),
        (gzip.compress(b"MATLAB 5.0 MAT-file" + bytes(99)), "a MATLAB file in gzip: expand it"),
        (b"MATLAB 7.3 MAT-file" + bytes(999), "a MATLAB 7.3 file: save it with -v7"),
        (bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf" + bytes(30), "a SAS file"),
        (gzip.compress(b"PAR1" * 9)[:-8] + bytes(8), "CRC check failed"),
        (gzip.compress(bytes(range(256)) * 9)[:20], "ended before"),
        (b"\x1f\x8b\x08" + bytes(7) + b"\xff" * 40, "the gzip file is damaged"),
        (b"MATLAB 5.0 MAT-file" + bytes(300), "mat file"),
        (b"", "expected Parquet"),
        (b"PK\3\4" + bytes(26) + b"x.npy", "penumbra convert takes what penumbra reads"),
    ]:
        (tmp_path / "t.bin").write_bytes(data)
        assert fault in refused(tmp_path / "t.bin")
