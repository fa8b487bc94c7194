"""penumbra.plot: the marks, colors, order and names of the command's pictures."""

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
    yield
    pyplot.close("all")


def layers(ax):
    """Points, face colors, edge colors, size and level of what is drawn."""
    return [
        (
            np.asarray(c.get_offsets()),
            [colors.to_hex(f).upper() for f in c.get_facecolors()],
            [colors.to_hex(e).upper() for e in c.get_edgecolors()],
            c.get_sizes()[0],
            c.get_zorder(),
        )
        for c in ax.collections
    ]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_known_rows_are_filled_large_and_on_top():
    x, y = blobs(60, 3)
    ax = penumbra.plot.embedding(x, y)
    hollow, filled = layers(ax)
    np.testing.assert_array_equal(hollow[0], x[y < 0][:, :2])
    np.testing.assert_array_equal(filled[0], x[y >= 0][:, :2])
    assert hollow[1] == [] and set(hollow[2]) == {_palette.NO_CLASS}
    assert filled[1] == [_palette.COLORS[c] for c in y[y >= 0]]
    assert set(filled[2]) == {_palette.OUTLINE}
    assert filled[3] > hollow[3] and filled[4] > hollow[4]
    assert legend(ax) == ["0", "1", "2", "unlabelled"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("column 1", "column 2")
    assert ax.get_aspect() == "auto" and ax is pyplot.gca()


def test_true_classes_color_the_hollow_points():
    x, y = blobs(60, 3)
    truth = np.array(["c", "b", "a"])[np.arange(60) % 3]
    labels = np.where(y < 0, None, truth)
    ax = penumbra.plot.embedding(x, labels, truth=truth)
    hollow, filled = layers(ax)
    order = {"a": 0, "b": 1, "c": 2}
    assert hollow[2] == [_palette.COLORS[order[c]] for c in truth[y < 0]]
    assert filled[1] == [_palette.COLORS[order[c]] for c in truth[y >= 0]]
    assert legend(ax) == ["a", "b", "c", "labelled", "unlabelled"]


def test_an_estimator_names_the_axes_and_one_dimension_is_drawn_over_the_rows():
    x, y = blobs()
    model = penumbra.SELF(n_components=2).fit(x, y)
    ax = penumbra.plot.embedding(model, y, x, dims=(1, 0))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("self1", "self0")
    np.testing.assert_array_equal(layers(ax)[1][0], model.transform(x)[y >= 0][:, ::-1])
    with pytest.raises(TypeError, match="X must be given with an estimator"):
        penumbra.plot.embedding(model, y)
    _, ax = pyplot.subplots()
    assert penumbra.plot.embedding(x[:, 0], ax=ax) is ax
    (drawn,) = layers(ax)
    np.testing.assert_array_equal(drawn[0], np.column_stack([x[:, 0], np.arange(60) + 1]))
    assert ax.get_ylabel() == "row" and ax.get_legend() is None


def test_frames_have_names_and_three_dimensions_a_box():
    pandas = pytest.importorskip("pandas")
    x, y = blobs(60, 3)
    frame = pandas.DataFrame(x, columns=["a", "b", "c"])
    assert penumbra.plot.embedding(frame, y).get_ylabel() == "b"
    ax = penumbra.plot.embedding(frame, y, dims=(0, 1, 2))
    assert ax.name == "3d" and ax.get_zlabel() == "c"


def test_predicted_classes_are_hollow_as_opaque_as_probable_and_the_doubtful_below():
    """Rows between two classes are doubtful; true classes take the place of predicted ones."""
    x, y = blobs()
    truth = np.arange(60) % 3
    means = np.array([x[truth == c].mean(axis=0) for c in range(3)])
    share = np.linspace(0, 1, 21)[:, None]
    between = share * means[0] + (1 - share) * means[1]
    model = penumbra.SELF(n_components=2).fit(x, y)
    p = model.predict_proba(between)
    assert p.max(axis=1).min() < 0.9
    ax = penumbra.plot.embedding(model, X=between)
    ((points, faces, edges, _, _),) = layers(ax)
    order = np.argsort(p.max(axis=1), kind="stable")
    assert faces == [] and legend(ax) == ["0", "1", "2", "predicted"]
    np.testing.assert_allclose(points, model.transform(between)[order])
    assert edges == [_palette.COLORS[c] for c in p.argmax(axis=1)[order]]
    np.testing.assert_allclose(ax.collections[0].get_edgecolors()[:, 3], p.max(axis=1)[order])
    ax = penumbra.plot.embedding(model, y, x, ax=pyplot.figure().gca())
    assert legend(ax)[3:] == ["labelled", "predicted"]
    assert {*ax.collections[1].get_facecolors()[:, 3]} == {1}
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
    drawn = np.concatenate([points for points, *_ in layers(ax)])
    seen = model.transform(frame) @ model.picture_
    np.testing.assert_allclose(np.sort(drawn, axis=0), np.sort(seen, axis=0))
    share = (model.components_.T @ model.picture_) * frame.to_numpy().std(axis=0)[:, None]
    for text, weights in zip((ax.get_xlabel(), ax.get_ylabel()), share.T):
        strongest = np.argsort(-abs(weights))[:3]
        assert text == ", ".join(f"{names[j]} {'+' if weights[j] > 0 else '-'}" for j in strongest)
    ax = penumbra.plot.embedding(model, y, frame, dims=(0, 1), ax=pyplot.figure().gca())
    assert ax.get_xlabel() == "self0"


def shapes(ax):
    """What tells the marks of each row apart, in the order of drawing: color and outline."""
    out = []
    for c in ax.collections:
        faces = c.get_facecolors() if len(c.get_facecolors()) else c.get_edgecolors()
        paths = [tuple(map(tuple, path.vertices.round(3))) for path in c.get_paths()]
        out += [(colors.to_hex(f), paths[i % len(paths)]) for i, f in enumerate(faces)]
    return out


def test_a_hundred_classes_have_marks_of_their_own_and_ten_have_ten_shapes():
    x = np.random.default_rng(0).normal(size=(200, 2))
    drawn = shapes(penumbra.plot.embedding(x, np.arange(200) % 100))
    assert len(drawn) == 200 and len(set(drawn)) == 100
    assert drawn[:100] == drawn[100:]
    assert len({path for _, path in drawn[:10]}) == 10


def test_a_mark_has_the_outline_of_its_path():
    """The diamond with lines across it, and the circle, of diameter 1."""
    x = np.zeros((10, 2))
    paths = penumbra.plot.embedding(x, np.arange(10)).collections[0].get_paths()
    box = paths[0].get_extents()
    np.testing.assert_allclose([box.x0, box.y0, box.x1, box.y1], [-0.5, -0.5, 0.5, 0.5], atol=1e-3)
    expected = 0.5 * np.array([[0, 1.41], [1.41, 0], [0, -1.41], [-1.41, 0]])
    np.testing.assert_allclose(paths[7].vertices[:4], expected)
    np.testing.assert_allclose(paths[7].vertices[-4:, 0], [-0.6, 0.6, 0, 0])
    assert paths[2].vertices[:, 1].max() == pytest.approx(0.665)  # a tip above


def test_labelled_rows_have_a_halo_where_there_are_others():
    x, y = blobs(60, 3)
    hollow, filled = penumbra.plot.embedding(x, y).collections
    assert not hollow.get_path_effects()
    (effect,) = filled.get_path_effects()
    assert effect._gc["linewidth"] > 2 and colors.to_hex(effect._gc["foreground"]) == "#ffffff"
    (alone,) = penumbra.plot.embedding(x, np.arange(60) % 3, ax=pyplot.figure().gca()).collections
    assert not alone.get_path_effects()


def test_a_crowd_is_dots_in_an_image_and_labelled_rows_are_marks_on_it(tmp_path):
    n = _palette.CROWD + 1
    x = np.random.default_rng(0).normal(size=(n, 2))
    y = np.where(np.arange(n) < 30, np.arange(n) % 3, -1)
    ax = penumbra.plot.embedding(x, y)
    dots, marks = ax.collections
    assert dots.get_rasterized() and len(dots.get_offsets()) == n - 30
    assert 0.5 < dots.get_facecolors()[:, 3].min() < 1
    assert not marks.get_rasterized() and len(marks.get_offsets()) == 30
    assert marks.get_sizes()[0] > 3 * dots.get_sizes()[0]
    ax.figure.savefig(tmp_path / "crowd.svg")
    drawn = (tmp_path / "crowd.svg").read_text()
    assert "<image" in drawn and len(drawn) < 2e6
    few = penumbra.plot.embedding(x[1:], y[1:], ax=pyplot.figure().gca()).collections
    assert not any(c.get_rasterized() for c in few)


def inside(ax):
    """Whether the legend is within the figure and right of the axes."""
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
    """What is drawn, not what the text is: "$x_" alone would be an error of TeX."""
    pandas = pytest.importorskip("pandas")
    x, y = blobs(60, 3)
    x = x[:, :2]
    names = np.array(["$a_1$", "US$", r"$\frac$"])
    ax = penumbra.plot.embedding(pandas.DataFrame(x, columns=["$u_", "$v^2$"]), names[y % 3])
    drawn = [ax.xaxis.label, ax.yaxis.label, *ax.get_legend().get_texts()]
    assert [text.get_parse_math() for text in drawn] == [False] * 5
    assert legend(ax) == sorted(names)
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
        ([[0, 1], [np.nan, 0]], {}, "Z must be finite, got NaN or infinity in row 1"),
        (np.zeros((3, 2)), {"y": [1, 2]}, "y must have one entry a row, 3, got 2"),
        (np.zeros((3003, 2)), {"y": np.arange(3003) % 1001}, "1001 classes are too many to draw"),
    ],
)
def test_what_cannot_be_drawn_is_refused(z, arguments, message):
    with pytest.raises(penumbra.Error, match=message):
        penumbra.plot.embedding(z, **arguments)
