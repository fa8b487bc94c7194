"""penumbra.plot.page: the page of the command, with the same numbers."""

import base64
import html
import importlib.resources
import json

import numpy as np
import pytest
from conftest import blobs, run_command

import penumbra

KINDS = {"points": "<f4", "class": "<u2", "probability": "<u2", "label": "<u2", "known": "u1"}


def told(page):
    """Return the JSON in the page."""
    template = importlib.resources.files("penumbra").joinpath("page.html").read_text("utf-8")
    before, after = template.split("@JSON@")
    assert page.startswith(before) and page.endswith(after)
    inside = page[len(before) : len(page) - len(after)]
    assert "<" not in inside
    return json.loads(inside)


def arrays(picture):
    """Return the arrays of rows, then those of axes."""
    there = [(name, kind) for name, kind in KINDS.items() if name in picture]
    found = {name: np.frombuffer(base64.b64decode(picture[name]), kind) for name, kind in there}
    found["points"] = found["points"].reshape(picture["rows"], picture["dims"])
    curves = picture.get("curves", {"weights": []})
    found["weights"] = [np.frombuffer(base64.b64decode(w), "<f4") for w in curves["weights"]]
    return found


def spectra():
    """Return a frame with row names and falling column names, and some labels."""
    pd = pytest.importorskip("pandas")
    x, y = blobs(60, 30)
    names = [f"<row {i}>" for i in range(60)]
    frame = pd.DataFrame(x, names, [str(900.5 - 2 * j) for j in range(30)])
    return frame, np.array([None if v < 0 else f"</script>{v}" for v in y], object)


@pytest.mark.parametrize(
    ("method", "dims"),
    [(penumbra.SELF(n_components=3), [2, 0]), (penumbra.AutoReducer(effort=1e-3), None)],
)
def test_a_page_has_the_numbers_of_the_command(method, dims, tmp_path):
    frame, y = spectra()
    model = method.fit(frame, y)
    y[1] = y[0]  # a wrong one
    model.save(tmp_path / "m.pen")
    frame.to_csv(tmp_path / "x.csv", index_label="name")
    (tmp_path / "y.txt").write_text("".join(f"{label or '?'}\n" for label in y))
    flags = [] if dims is None else ["--columns", ",".join(str(d + 1) for d in dims)]
    files = [tmp_path / "m.pen", tmp_path / "x.csv", "--labels", tmp_path / "y.txt"]
    run_command("plot", *files, "--name-column", "name", *flags, "-o", tmp_path / "p.html")
    theirs = told((tmp_path / "p.html").read_text("utf-8"))
    page = penumbra.plot.page(model, y, frame, dims=dims, path=tmp_path / "ours.html")
    assert (tmp_path / "ours.html").read_text("utf-8") == page
    ours = told(page)
    (mine,), (other,) = ours.pop("pictures"), theirs.pop("pictures")
    assert (theirs.pop("source"), theirs.pop("model")) == ("x.csv", "m.pen")
    assert (ours.pop("source"), ours.pop("model")) == (None, None)
    assert ours == theirs and ours["predicted"]
    same = ("rows", "dims", "names", "label", "known", "class")
    assert [mine[s] for s in same] == [other[s] for s in same]
    assert mine["curves"]["at"] == other["curves"]["at"]
    if dims is None:
        assert mine["axes"] == other["axes"]
    for a, b in zip(arrays(mine).values(), arrays(other).values(), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-5)
    assert arrays(mine)["label"][1] != arrays(mine)["class"][1]


def test_without_an_estimator_there_are_labels_and_truth():
    x, y = blobs(60, 3)
    truth, dims = np.arange(60) % 3, np.array([2, 1, 0])
    given = told(penumbra.plot.page(x, y, truth=truth, dims=dims, names=range(60)))
    found = arrays(given["pictures"][0])
    np.testing.assert_array_equal(found["points"], x[:, ::-1].astype("f4"))
    np.testing.assert_array_equal(found["label"], np.arange(60) % 3)
    np.testing.assert_array_equal(found["known"], y >= 0)
    assert given["classes"] == ["0", "1", "2"] and not given["predicted"]
    assert given["pictures"][0]["names"][:2] == ["0", "1"] and "class" not in found


def test_plain_rows_have_no_class_and_a_column_is_drawn_over_the_row():
    given = told(penumbra.plot.page(np.array([3.0, 1.5])))
    found = arrays(given["pictures"][0])
    assert found["points"].tolist() == [[3, 0], [1.5, 1]] and given["classes"] == []
    assert found["label"].tolist() == [65535] * 2 and found["known"].tolist() == [0, 0]
    assert "names" not in given["pictures"][0] and "curves" not in given["pictures"][0]


@pytest.mark.parametrize(
    ("step", "names", "method", "there"),
    [
        (1, False, {}, False),
        (1, True, {}, True),
        (2, True, {}, False),
        (1, False, {"row_steps": "snv"}, True),
        (1, True, {"kernel": "rbf"}, False),
    ],
)
def test_axes_of_spectra_have_curves(step, names, method, there):
    frame, y = spectra()
    frame = frame.iloc[:, ::step]
    model = penumbra.FDA(**method).fit(frame if names else frame.to_numpy(), y)
    given = told(penumbra.plot.page(model, y, frame if names else frame.to_numpy()))
    assert ("curves" in given["pictures"][0]) == there
    if there:
        weights = np.array(arrays(given["pictures"][0])["weights"])
        np.testing.assert_allclose(weights, model.components_[:2], rtol=1e-5)


def test_a_notebook_shows_the_page_in_a_frame(tmp_path):
    page = penumbra.plot.page(np.eye(3), ["<b>", "'", '"'])
    before, frame, after = page._repr_html_().partition("<iframe ")
    assert not before and frame and after.count("<") == 1 and after.endswith("></iframe>")
    assert html.unescape(after.split('srcdoc="')[1].rpartition('"')[0]) == page
    assert repr(page) == f"<Page of {len(page)} characters: save(path) writes it>"
    page.save(tmp_path / "p.html")
    assert (tmp_path / "p.html").read_text("utf-8") == page


def test_what_a_page_cannot_draw_is_said():
    x, y = blobs(9, 3)
    with pytest.raises(penumbra.Error, match="names must have one entry per row, 9, got 2"):
        penumbra.plot.page(x, y, names=["a", "b"])
    x[4, 1] = -1e39
    with pytest.raises(penumbra.Error, match="Z must be finite, got .* more than 3.4e38 in row 4"):
        penumbra.plot.page(x, y)
    with pytest.raises(OSError, match="No such file"):
        penumbra.plot.page(np.eye(3), path="/no/such/folder/p.html")
