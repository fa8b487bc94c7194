"""penumbra.plot.embedding: markers, and the colors, order and names of the command's pictures."""

import warnings

import numpy as np
import pytest
from conftest import blobs

import penumbra
from penumbra import _palette

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
colors = pytest.importorskip("matplotlib.colors")
pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def closed():
    pyplot.close("all")  # figures of other tests, such as examples of docstrings
    yield
    pyplot.close("all")


def drawn(ax):
    """Return the points in drawing order: positions [n x 2], whether they are filled, colors with
    opacity, sizes and shapes."""
    points = []
    for c in ax.collections:
        filled = len(c.get_facecolors()) > 0
        paint = c.get_facecolors() if filled else c.get_edgecolors()
        shape = tuple(map(tuple, c.get_paths()[0].vertices.round(3)))
        points += [
            (xy, filled, colors.to_hex(color).upper(), color[3], c.get_sizes()[0], shape)
            for xy, color in zip(np.asarray(c.get_offsets()), paint, strict=True)
        ]
    return [np.array(v) for v in [*zip(*points)][:5]] + [[p[5] for p in points]]


def at_rows(ax, x):
    """Return which points are filled, and colors with opacity, by row of x; each is drawn once."""
    xy, filled, color, opacity, *_ = drawn(ax)
    place = {tuple(point): i for i, point in enumerate(xy)}
    assert len(xy) == len(x) == len(place)
    at = [place[tuple(point)] for point in x]
    return filled[at], color[at], opacity[at]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_known_rows_are_filled_large_and_on_top():
    x, y = blobs(60, 3)
    ax = penumbra.plot.embedding(x, y)
    filled, color, opacity = at_rows(ax, x[:, :2])
    np.testing.assert_array_equal(filled, y >= 0)
    assert list(color) == [_palette.COLORS[c] if c >= 0 else _palette.NO_CLASS for c in y]
    assert (opacity == 1).all()
    _, filled, _, _, size, _ = drawn(ax)
    assert (np.diff(filled.astype(int)) >= 0).all()
    assert size[filled].min() > size[~filled].max()
    edges = {colors.to_hex(e).upper() for c in ax.collections[1:] for e in c.get_edgecolors()}
    assert edges == {_palette.OUTLINE}
    assert legend(ax) == ["0", "1", "2", "labelled", "unlabelled"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("column 1", "column 2")
    assert ax.get_aspect() == "auto" and ax is pyplot.gca()
    larger = penumbra.plot.embedding(x, y, ax=pyplot.figure().gca(), size=20)
    assert {*drawn(larger)[4]} == {20**2, 26**2}


def test_true_classes_color_the_hollow_points():
    x, y = blobs(60, 3)
    truth = np.array(["c", "b", "a"])[np.arange(60) % 3]
    ax = penumbra.plot.embedding(x, np.where(y < 0, None, truth), truth=truth)
    filled, color, _ = at_rows(ax, x[:, :2])
    np.testing.assert_array_equal(filled, y >= 0)
    assert list(color) == [_palette.COLORS["abc".index(c)] for c in truth]
    assert legend(ax) == ["a", "b", "c", "labelled", "unlabelled"]
    assert legend(penumbra.plot.embedding(x, truth)) == ["a", "b", "c"]


def test_an_estimator_names_the_axes_and_one_dimension_is_drawn_over_the_rows():
    x, y = blobs()
    model = penumbra.SELF(n_components=2).fit(x, y)
    ax = penumbra.plot.embedding(model, y, x, dims=(1, 0))
    labels = ax.get_xlabel(), ax.get_ylabel()
    assert [label.partition(": ")[0] for label in labels] == ["self1", "self0"]
    np.testing.assert_array_equal(at_rows(ax, model.transform(x)[:, ::-1])[0], y >= 0)
    with pytest.raises(TypeError, match="X must be given with an estimator"):
        penumbra.plot.embedding(model, y)
    _, ax = pyplot.subplots()
    assert penumbra.plot.embedding(x[:, 0], ax=ax) is ax
    filled, color, _ = at_rows(ax, np.column_stack([x[:, 0], np.arange(60)]))
    assert not filled.any() and {*color} == {_palette.NO_CLASS}
    assert ax.get_ylabel() == "row" and ax.get_legend() is None


def test_frames_have_names_and_three_dimensions_a_box():
    pandas = pytest.importorskip("pandas")
    x, y = blobs(60, 3)
    frame = pandas.DataFrame(x, columns=["a", "b", "c"])
    assert penumbra.plot.embedding(frame, y).get_ylabel() == "b"
    ax = penumbra.plot.embedding(frame, y, dims=(0, 1, 2))
    assert ax.name == "3d" and ax.get_zlabel() == "c"
    ax.figure.canvas.draw()
    np.testing.assert_array_equal(np.sort(ax.collections[0]._offsets3d[2]), np.sort(x[y < 0, 2]))


def test_predicted_classes_are_hollow_as_opaque_as_probable_and_the_doubtful_below():
    """Rows between two classes are uncertain; true classes replace predicted ones."""
    x, y = blobs()
    truth = np.arange(60) % 3
    means = np.array([x[truth == c].mean(axis=0) for c in range(3)])
    share = np.linspace(0, 1, 21)[:, None]
    between = share * means[0] + (1 - share) * means[1]
    model = penumbra.SELF(n_components=2).fit(x, y)
    p = model.predict_proba(between)
    assert p.max(axis=1).min() < 0.9
    ax = penumbra.plot.embedding(model, X=between)
    filled, color, opacity = at_rows(ax, model.transform(between))
    assert not filled.any() and legend(ax) == ["0", "1", "2", "predicted"]
    assert list(color) == [_palette.COLORS[c] for c in p.argmax(axis=1)]
    np.testing.assert_allclose(opacity, p.max(axis=1))
    for c in ax.collections:
        assert (np.diff(c.get_edgecolors()[:, 3]) >= 0).all()
    ax = penumbra.plot.embedding(model, y, x, ax=pyplot.figure().gca())
    assert legend(ax)[3:] == ["labelled", "predicted"]
    filled, _, opacity = at_rows(ax, model.transform(x))
    np.testing.assert_array_equal(filled, y >= 0)
    assert {*opacity[filled]} == {1}
    ax = penumbra.plot.embedding(model, y, x, truth=truth, ax=pyplot.figure().gca())
    assert legend(ax) == ["0", "1", "2", "labelled", "unlabelled"]


def test_the_picture_of_a_model_is_drawn_and_named_by_its_strongest_columns():
    pandas = pytest.importorskip("pandas")
    x, y = blobs(60, 5)
    names = ["one", "two", "three", "four", "five"]
    frame = pandas.DataFrame(x * [1, 1000, 1, 1, 1], columns=names)
    model = penumbra.SELF(n_components=3, scale="none").fit(frame, y)
    model.picture_ = np.array([[1.0, 0.5], [0, 1], [2, 0]])
    ax = penumbra.plot.embedding(model, y, frame)
    at_rows(ax, model.transform(frame) @ model.picture_)
    share = (model.components_.T @ model.picture_) * frame.to_numpy().std(axis=0)[:, None]
    for text, weights in zip((ax.get_xlabel(), ax.get_ylabel()), share.T):
        strongest = np.argsort(-abs(weights))[:3]
        assert text == ", ".join(f"{names[j]} {'+' if weights[j] > 0 else '-'}" for j in strongest)
    ax = penumbra.plot.embedding(model, y, frame, dims=(0, 1), ax=pyplot.figure().gca())
    assert ax.get_xlabel().startswith("self0: ")


def test_a_hundred_classes_have_marks_of_their_own_and_ten_have_ten_shapes():
    x = np.random.default_rng(0).normal(size=(200, 2))
    _, _, color, _, _, shape = drawn(penumbra.plot.embedding(x, np.arange(200) % 100))
    assert len(shape) == 200 and len({*zip(color, shape)}) == 100
    assert len({*shape[:20]}) == 10


def test_a_crowd_is_dots_in_an_image_and_labelled_rows_are_marks_on_it(tmp_path):
    n = _palette.CROWD + 1
    x = np.random.default_rng(0).normal(size=(n, 2))
    y = np.where(np.arange(n) < 30, np.arange(n) % 3, -1)
    ax = penumbra.plot.embedding(x, y)
    dots, *marks = ax.collections
    assert dots.get_rasterized() and len(dots.get_offsets()) == n - 30
    assert 0.5 < dots.get_facecolors()[:, 3].min() < 1
    assert not any(c.get_rasterized() for c in marks) and len(marks) == 3
    assert marks[0].get_sizes()[0] > 3 * dots.get_sizes()[0]
    ax.figure.savefig(tmp_path / "crowd.svg")
    written = (tmp_path / "crowd.svg").read_text()
    assert "<image" in written and len(written) < 2e6
    few = penumbra.plot.embedding(x[1:], y[1:], ax=pyplot.figure().gca()).collections
    assert not any(c.get_rasterized() for c in few)


def inside(ax):
    """Return whether the legend is within the figure and right of the axes."""
    ax.figure.canvas.draw()
    box, whole = ax.get_legend().get_window_extent(), ax.figure.bbox
    fits = box.x1 <= whole.x1 and box.y0 >= whole.y0
    return fits and ax.bbox.x1 <= box.x0 and ax.bbox.width > 250


@pytest.mark.parametrize("count", [3, 26, 100])
@pytest.mark.parametrize("letters", [2, 40])
def test_names_in_a_legend_are_whole_and_fit(count, letters):
    x = np.random.default_rng(0).normal(size=(200, 2))
    names = np.array([f"{i:02d}".rjust(letters, "n") for i in range(count)])
    ax = penumbra.plot.embedding(x, names[np.arange(200) % count])
    assert legend(ax) == sorted(names)
    assert inside(ax)


def test_a_figure_of_the_user_keeps_its_size_and_very_long_names_lose_their_middle():
    x = np.zeros((4, 2))
    figure, ax = pyplot.subplots(figsize=(5, 4))
    penumbra.plot.embedding(x, ["a" * 200 + "1", "a" * 200 + "2"] * 2, ax=ax)
    assert tuple(figure.get_size_inches()) == (5, 4)
    assert legend(ax) == ["a" * 40 + "..." + "a" * 39 + end for end in "12"]


def test_dollars_are_drawn_as_they_are():
    """Check the drawing instead of the text: TeX would fail on "$x_" alone."""
    pandas = pytest.importorskip("pandas")
    x, y = blobs(60, 3)
    x = x[:, :2]
    names = np.array(["$a_1$", "US$", r"$\frac$"])
    ax = penumbra.plot.embedding(pandas.DataFrame(x, columns=["$u_", "$v^2$"]), names[y % 3])
    texts = [ax.xaxis.label, ax.yaxis.label, *ax.get_legend().get_texts()]
    assert not any(text.get_parse_math() for text in texts)
    assert legend(ax)[:3] == sorted(names)
    ax.figure.canvas.draw()


def test_many_labels_are_classes_and_fractions_are_not():
    x, _ = blobs()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = penumbra.plot.embedding(x, np.arange(60))
    assert len(legend(ax)) == 60
    with pytest.raises(ValueError, match="continuous"):
        penumbra.plot.embedding(x, np.arange(60) + 0.5)


@pytest.mark.parametrize(
    "z, arguments, message",
    [
        (np.zeros((3, 2)), {"dims": (0, 2)}, r"dims must be one to three columns in \[0, 1\]"),
        (np.zeros((3, 2, 2)), {}, "Z must have shape"),
        ([[0, 1], [np.nan, 0]], {}, "finite, got NaN, infinity or more than 3.4e38 in row 1"),
        (np.zeros((3, 2)), {"y": [1, 2]}, "y must have one entry per row, 3, got 2"),
        (np.zeros((3003, 2)), {"y": np.arange(3003) % 1001}, "1001 classes are too many to draw"),
    ],
)
def test_what_cannot_be_drawn_is_refused(z, arguments, message):
    with pytest.raises(penumbra.Error, match=message):
        penumbra.plot.embedding(z, **arguments)
