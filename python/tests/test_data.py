"""Rows and labels in all supported types: the same bits for the same values, or a clear error."""

import subprocess
import sys
import textwrap

import numpy as np
import penumbra
import pytest
from conftest import parts
from penumbra import _rows
from penumbra._estimators import validated

NAMES = ["size", "weight", "age", "income"]


def sample(n=60):
    """Draw whole numbers in [0, 255], which fit every type, and a label for one row in four."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    x = np.clip(rng.normal(100, 10, size=(n, 4)) + 60 * np.eye(4)[y], 0, 255).round()
    return x, np.where(np.arange(n) < 15, y, -1)


def fit(x, y):
    return penumbra.SELF(beta=0.3).fit(x, y)


def assert_same_model(rows, y=None, dtype=np.float64):
    """Compare bits with row-major float64, or with row-major bytes, which are summed exactly."""
    x, labels = sample()
    x = x.astype(dtype)
    expected = fit(x, labels)
    model = fit(rows, labels if y is None else y)
    assert parts(model) == parts(expected)
    z = model.transform(rows)
    assert np.array_equal(z, expected.transform(x).astype(z.dtype))
    return model


# ---- NumPy ----


@pytest.mark.parametrize(
    "dtype", ["f8", "f4", "f2", "i2", "u2", "i4", "i8", ">f8", ">f4", ">i2", "longdouble"]
)
def test_types_of_numbers(dtype):
    model = assert_same_model(sample()[0].astype(dtype))
    kind = np.float32 if np.dtype(dtype) == np.float32 else np.float64
    assert model.transform(sample()[0].astype(dtype)).dtype == kind


def test_bytes():
    x, y = sample()
    expected, model = fit(x, y), fit(x.astype(np.uint8), y)
    assert np.allclose(model.mean_, expected.mean_, rtol=1e-14)
    assert np.allclose(model.components_, expected.components_, rtol=1e-9, atol=1e-12)
    assert model.transform(x.astype(np.uint8)).dtype == np.float64


def kind_of(dtype):
    return np.uint8 if dtype == np.uint8 else np.float64


def test_bools():
    x, y = sample()
    assert parts(fit(x > 120, y)) == parts(fit((x > 120).astype(float), y))


def layouts(x):
    n, d = x.shape
    wide = np.zeros((2 * n, 3 * d), x.dtype)
    wide[::2, ::3] = x
    deep = np.zeros((n, d, 2), x.dtype)
    deep[:, :, 1] = x
    frozen = x.copy()
    frozen.flags.writeable = False
    odd = np.frombuffer(b"_" + x.tobytes(), np.uint8)[1:].view(x.dtype).reshape(n, d)
    record = np.zeros((n, d), np.dtype([("tag", "u1"), ("value", x.dtype)]))
    record["value"] = x
    return {
        "columns": np.asfortranarray(x),
        "strided": wide[::2, ::3],
        "rows of a wider array": np.hstack([x, x])[:, :d],
        "part of a column-major array": np.asfortranarray(np.hstack([x, x]))[:, d:],
        "last axis": deep[:, :, 1],
        "rows reversed": x[::-1].copy()[::-1],
        "both reversed": np.asfortranarray(x[::-1, ::-1])[::-1, ::-1],
        "read-only": frozen,
        "unaligned": odd,
        "field of a record": record["value"],
        "masked, but nothing": np.ma.array(x),
    }


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8])
@pytest.mark.parametrize("layout", layouts(sample()[0]))
def test_layouts(layout, dtype):
    x = layouts(sample()[0].astype(dtype))[layout]
    assert np.array_equal(x, sample()[0])
    assert_same_model(x, dtype=kind_of(dtype))
    assert _rows.rows(x).values.flags.aligned


@pytest.mark.parametrize("axis", [0, 1])
def test_rows_that_share_memory(axis):
    x, _ = sample()
    shared = np.broadcast_to(x[:1] if axis == 0 else x[:, :1], x.shape)
    model = penumbra.PCA(n_components=1).fit(x)
    assert np.array_equal(model.transform(shared), model.transform(shared.copy()))
    window = np.lib.stride_tricks.sliding_window_view(x[:, 0], 4)
    assert np.array_equal(model.transform(window), model.transform(window.copy()))


def test_lists_and_buffers():
    x, y = sample()
    assert_same_model(x.tolist(), y.tolist())
    assert_same_model(tuple(map(tuple, x)), tuple(y.tolist()))
    assert_same_model(memoryview(np.ascontiguousarray(x)))


SPARSE = ["csr_matrix", "csr_array", "csc_matrix", "coo_array", "lil_matrix"]


@pytest.mark.parametrize("form", SPARSE)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_sparse_rows_are_rows(form, dtype):
    make = getattr(pytest.importorskip("scipy.sparse"), form)
    rng = np.random.default_rng(3)
    dense = (rng.integers(1, 9, size=(90, 40)) * (rng.random((90, 40)) < 0.15)).astype(dtype)
    rows, y = make(dense), np.where(np.arange(90) < 30, np.arange(90) % 3, -1)
    a, b = (penumbra.SELF(n_components=2).fit(x, y) for x in (rows, dense.astype(float)))
    z = b.transform(dense.astype(float))
    near = 1e-10 * np.abs(z).max() if dtype != np.float32 else 1e-5 * np.abs(z).max()
    np.testing.assert_allclose(a.transform(rows), z, rtol=0, atol=near)
    assert np.array_equal(a.predict(rows), b.predict(dense.astype(float)))
    alone = np.vstack([a.transform(make(dense[i : i + 1])) for i in range(3)])
    assert np.array_equal(alone, a.transform(rows)[:3])


def test_entries_of_sparse_rows_come_in_any_order_and_may_be_several():
    sparse = pytest.importorskip("scipy.sparse")
    x = sparse.csr_matrix(
        (np.array([1.0, 2, 3, 4, 5]), np.array([3, 0, 3, 1, 2]), np.array([0, 3, 4, 5])), (3, 4)
    )
    before = x.indices.copy()
    model = penumbra.PCA().fit(x)
    assert np.array_equal(x.indices, before)
    np.testing.assert_allclose(model.transform(x), model.transform(x.toarray()), atol=1e-12)


def test_sparse_values_that_are_not_finite_are_named():
    sparse = pytest.importorskip("scipy.sparse")
    x = sparse.random(20, 9, 0.4, "csr", random_state=0)
    x.data[7] = np.nan
    row = int(np.searchsorted(x.indptr, 7, "right")) - 1
    with pytest.raises(ValueError, match=f"NaN at row {row}, column {x.indices[7]}"):
        penumbra.PCA().fit(x)


# ---- pandas ----


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas")


def test_frames_of_pandas(pandas):
    x, _ = sample()
    block = pandas.DataFrame(x, columns=NAMES)
    columns = pandas.DataFrame({name: x[:, j] for j, name in enumerate(NAMES)})
    mixed = columns.astype({"size": "float32", "age": "uint8", "income": "int64"})
    nullable = columns.astype({"size": "Float32", "weight": "Float64", "age": "Int64"})
    odd_index = block.set_axis(np.random.default_rng(0).permutation(60), axis=0)
    for frame in (block, columns, mixed, nullable, odd_index, columns.astype(object)):
        model = assert_same_model(frame)
        assert model.feature_names_in_.tolist() == NAMES
        assert model._model.column_names == NAMES
    arrow = columns.astype({name: "float64[pyarrow]" for name in NAMES})
    assert_same_model(arrow)


def test_columns_without_names(pandas):
    model = assert_same_model(pandas.DataFrame(sample()[0]))
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize("kind", ["float64", "Float64", "object"])
def test_a_missing_value_names_its_column(pandas, kind):
    x, y = sample()
    good = pandas.DataFrame(x, columns=NAMES)
    bad = good.astype({"age": kind})
    bad.loc[3, "age"] = None
    message = 'values must be finite, got NaN at row 3, column 2 .*: column "age"'
    with pytest.raises(penumbra.Error, match=message):
        fit(bad, y)
    model = penumbra.FME().fit(good, y)
    for use in (model.transform, model.predict):
        with pytest.raises(penumbra.Error, match=message):
            use(bad)
    with pytest.raises(penumbra.Error, match=r"row 3, column 2 \(counted from 0\)$"):
        penumbra.PCA().fit(x).transform(bad.to_numpy(dtype=float, na_value=np.nan))


# ---- polars and Arrow ----


def test_frames_of_polars():
    polars = pytest.importorskip("polars")
    x, y = sample()
    frame = polars.DataFrame(x, schema=NAMES)
    for rows in (frame, frame.lazy(), frame.cast({"age": polars.UInt8, "size": polars.Float32})):
        model = assert_same_model(rows)
        assert model.feature_names_in_.tolist() == NAMES
    kind = {"embedding": polars.Array(polars.Float64, 4)}
    column = polars.DataFrame({"embedding": x}, schema=kind)
    assert_same_model(column)
    assert_same_model(column.lazy())
    assert_same_model(column["embedding"])
    single = polars.DataFrame({"size": x[:, 0]})
    assert penumbra.PCA().fit(single).n_features_in_ == 1
    with pytest.raises(penumbra.Error, match='row 3, column 2 .*: column "age"'):
        gap = polars.when(polars.int_range(60) != 3).then("age").alias("age")
        fit(frame.with_columns(gap), y)


def test_tables_and_arrays_of_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    x, y = sample()
    table = pyarrow.table({name: x[:, j] for j, name in enumerate(NAMES)})
    model = assert_same_model(table)
    assert model.feature_names_in_.tolist() == NAMES
    batch = pyarrow.RecordBatch.from_arrays([pyarrow.array(x[:, j]) for j in range(4)], NAMES)
    model = penumbra.PCA().fit(batch)
    assert list(model.feature_names_in_) == list(NAMES)
    with pytest.raises(ValueError, match="[Ff]eature names"):
        model.transform(batch.select(NAMES[::-1]))
    flat = pyarrow.array(x.ravel())
    lists = pyarrow.FixedSizeListArray.from_arrays(flat, 4)
    chunks = pyarrow.chunked_array([lists[:20], lists[20:33], lists[33:]])
    for rows in (chunks, pyarrow.chunked_array([lists]), pyarrow.table({"v": lists}), lists):
        model = assert_same_model(rows)
    bytes_ = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(x.ravel().astype(np.uint8)), 4)
    assert_same_model(bytes_, dtype=np.uint8)
    assert np.array_equal(validated(model, lists[10:]), x[10:])
    nulls = pyarrow.array([[1.0, 2.0, 3.0, 4.0], None], pyarrow.list_(pyarrow.float64(), 4))
    with pytest.raises(ValueError, match="rows must not be null, got 1"):
        penumbra.PCA().fit(nulls)
    inner = pyarrow.array([[1.0, None, 3.0, 4.0]] * 9, pyarrow.list_(pyarrow.float64(), 4))
    with pytest.raises(penumbra.Error, match="got NaN at row 0, column 1"):
        penumbra.PCA().fit(inner)
    gap = table.set_column(2, "age", pyarrow.array([None if i == 3 else 1.0 for i in range(60)]))
    with pytest.raises(penumbra.Error, match='row 3, column 2 .*: column "age"'):
        fit(gap, y)


# ---- DLPack ----


class OnlyDLPack:
    """The interface of a tensor from another library."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **arguments):
        return self._array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8])
def test_tensors(dtype):
    x, y = sample()
    rows = x.astype(dtype)
    assert_same_model(OnlyDLPack(rows), OnlyDLPack(y), kind_of(dtype))
    assert_same_model(OnlyDLPack(np.asfortranarray(rows)), dtype=kind_of(dtype))
    assert np.shares_memory(_rows.unwrap(OnlyDLPack(rows)), rows)


def test_memory_that_is_used_in_place(pandas):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    x, _ = sample()
    lists = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(x.ravel()), 4)
    series = polars.Series(x, dtype=polars.Array(polars.Float64, 4))
    forms = [
        (x[::-2, 1:], x),
        (np.asfortranarray(x), None),
        (pandas.DataFrame(x, columns=NAMES, copy=False), x),
        (lists, lists.flatten().to_numpy()),
        (polars.DataFrame({"v": series}), series.to_numpy()),
        (OnlyDLPack(x), x),
    ]
    for rows, memory in forms:
        model = penumbra.PCA().fit(rows)
        seen = _rows.rows(validated(model, rows)).values
        assert np.shares_memory(seen, rows if memory is None else memory), type(rows)


# ---- labels ----


def label_forms():
    """Return the labels 0, 1, 2 of `sample` in every form, by name."""
    _, y = sample()
    known = y >= 0
    kinds = np.array(["ash", "beech", "cedar"])
    text = [kinds[k] if k >= 0 else None for k in y.tolist()]
    some = [int(k) if k >= 0 else None for k in y.tolist()]
    forms = {
        "int64": y,
        "int8": y.astype(np.int8),
        "big-endian": y.astype(">i4"),
        "float with NaN": np.where(known, y, np.nan),
        "float with -1": y.astype(float),
        "list": y.tolist(),
        "list with None": some,
        "list of text": text,
        "list of floats": [float(k) if k >= 0 else float("nan") for k in y],
        "objects": np.array(some, dtype=object),
        "objects with NaN": np.array([k if k is not None else np.nan for k in some], dtype=object),
        "text": np.array(text, dtype=object),
        "text and -1": np.array([t if t else -1 for t in text], dtype=object),
        "read-only": np.frombuffer(y.tobytes(), y.dtype),
        "strided": np.repeat(y, 2)[::2],
        "masked": np.ma.array(np.arange(60) % 3, mask=y < 0),
    }
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    series = pandas.Series
    return forms | {
        "Series": series(y),
        "Series of floats": series(np.where(known, y, np.nan)),
        "Series with an index": series(y, index=np.arange(60)[::-1]),
        "Int64 with NA": series(some, dtype="Int64"),
        "objects with NA": series([pandas.NA if k is None else k for k in some], dtype=object),
        "categories": series(pandas.Categorical(text)),
        "Categorical": pandas.Categorical(text, categories=["dill", "cedar", "beech", "ash"]),
        "categories of numbers": series(pandas.Categorical(some)),
        "text of pandas": series(text, dtype="string"),
        "column of a frame": pandas.DataFrame({"y": some}, dtype="Int64")["y"],
        "polars": polars.Series(some),
        "polars text": polars.Series(text),
        "polars categories": polars.Series(text, dtype=polars.Categorical),
        "Arrow": pyarrow.array(some),
        "Arrow text": pyarrow.array(text),
        "Arrow chunks": pyarrow.chunked_array([some[:7], some[7:]]),
        "Arrow dictionary": pyarrow.array(text).dictionary_encode(),
        "Series of Arrow": series(y).where(known).astype("int64[pyarrow]"),
    }


@pytest.mark.parametrize("form", label_forms())
def test_labels(form):
    y = label_forms()[form]
    model = assert_same_model(sample()[0], y)
    is_text = model.classes_.dtype.kind in "UO"
    assert model.classes_.tolist() == (["ash", "beech", "cedar"] if is_text else [0, 1, 2])


# ---- memory ----

linux = pytest.mark.skipif(sys.platform != "linux", reason="measured as Linux counts memory")


def run(program, *arguments):
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@linux
def test_a_fit_copies_no_rows():
    """30 000 x 784 bytes, row-major and column-major: 24 MB each; float32 would take 94 MB."""
    added = run(
        """
        import numpy as np, penumbra

        x = np.random.default_rng(0).integers(0, 256, (30_000, 784), np.uint8)
        columns = np.asfortranarray(x)
        y = np.full(30_000, -1)
        y[:100] = np.arange(100) % 10
        penumbra.PCA().fit(np.eye(3))
        def memory(name):  # ru_maxrss includes that of the parent process
            with open("/proc/self/status") as status:
                return next(int(line.split()[1]) for line in status if line.startswith(name))
        now = memory("VmRSS")
        for rows in (columns, x):
            penumbra.PCA(n_components=10, n_jobs=2).fit(rows)
        penumbra.SELF(n_components=10, beta=0.5, n_jobs=2).fit(x, y)
        print((memory("VmHWM") - now) / 1024)
        """
    )
    assert 0 < float(added) < 90


@linux
def test_rows_in_a_file_larger_than_memory(tmp_path):
    path = tmp_path / "rows"
    n, d = 300_000, 100
    rows = np.memmap(path, np.float32, "w+", shape=(n, d))  # 120 MB; zeros take no disk space
    rows[:1000] = np.random.default_rng(0).normal(size=(1000, d))
    rows.flush()
    expected = (rows[:1000].sum(axis=0, dtype=np.float64) / n).tolist()
    out = run(
        """
        import resource, sys
        import numpy as np, penumbra

        rows = np.memmap(sys.argv[1], np.float32, "r", shape=(300_000, 100))
        penumbra.PCA(n_jobs=2).fit(rows[:50_000])
        with open("/proc/self/status") as status:
            (now,) = (int(line.split()[1]) << 10 for line in status if line.startswith("VmData"))
        limit = now + (60 << 20)  # of memory for data: the file is mapped and does not count
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        try:
            rows.copy()
        except MemoryError:
            print("no memory for a copy")
        model = penumbra.PCA(n_components=2, n_jobs=2).fit(rows)
        print(model.transform(rows).shape)
        print(model.mean_.tolist())
        """,
        path,
    ).splitlines()
    assert out[:2] == ["no memory for a copy", "(300000, 2)"]
    assert np.allclose(eval(out[2]), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", ["text", "category", "dates", "polars"])
def test_a_column_without_numbers_is_named(kind):
    pandas = pytest.importorskip("pandas")
    y = np.arange(20) % 2
    frame = pandas.DataFrame(np.random.default_rng(0).normal(size=(20, 3)), columns=list("abc"))
    frame["d"] = np.array(["p", "q"], dtype=object)[y]
    value = "'p'"
    if kind == "category":
        frame["d"] = frame["d"].astype("category")
    elif kind == "dates":
        frame["d"], value = pandas.date_range("2020", periods=20), "Timestamp"
    elif kind == "polars":
        frame = pytest.importorskip("polars").DataFrame(frame.to_dict("list"))
    message = f'^column "d" must hold numbers, got {value}.* in row 0'
    for call in (penumbra.PCA().fit, lambda rows: penumbra.compare(rows, y, "PCA")):
        with pytest.raises(penumbra.Error, match=message):
            call(frame)
