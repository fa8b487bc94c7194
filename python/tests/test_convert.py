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


@pytest.mark.parametrize("missing", ["pandas", "pyarrow"])
@pytest.mark.parametrize("magic", [b"PAR1", b"ARROW1", b"ORC"])
def test_tables_without_the_packages_that_read_them(tmp_path, magic, missing):
    (tmp_path / "t").write_bytes(magic + bytes(16))
    done = run_without(missing, tmp_path / "t")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == (
        f"penumbra.convert: {tmp_path / 't'}: this takes pandas and pyarrow:"
        " pip install pandas pyarrow\n"
    )


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


ARFF = """% remark
@RELATION 'a b'
@attribute 'first one' real
@attribute kind {'good','bad one', other}
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
        'first one,kind,n\n1.5,bad one,\n2,"it, is",3\n4,0,5\n'
    )
    again = run(tmp_path / "t.arff")
    assert again.returncode == 1 and "there is such a file" in again.stderr
    (tmp_path / "short.arff").write_text("@relation a\n@attribute x real\n@data\n1,2\n")
    bad = run(tmp_path / "short.arff")
    assert bad.returncode == 1 and "line 4: expected 1 cells, got 2" in bad.stderr


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


def test_other_files(tmp_path):
    (tmp_path / "t.txt").write_text("1,2\n")
    assert "expected Parquet" in run(tmp_path / "t.txt").stderr
    assert "No such file" in run(tmp_path / "none").stderr
