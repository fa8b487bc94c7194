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
    figure, ax = pyplot.subplots()
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


def test_many_classes_have_other_shapes_and_a_legend_in_columns():
    x, _ = blobs(60, 3)
    y = np.arange(60) % 30
    ax = penumbra.plot.embedding(x, y)
    shapes = [tuple(map(tuple, c.get_paths()[0].vertices.round(3))) for c in ax.collections]
    assert len(shapes) == len(set(shapes)) == 3  # ten colors each
    assert sum(len(layer[0]) for layer in layers(ax)) == 60
    assert ax.get_legend()._ncols == 2 and legend(ax)[:3] == ["0", "1", "2"]
    long = penumbra.plot.embedding(x, np.where(y < 5, "x" * 40, "y"), ax=pyplot.figure().gca())
    assert legend(long)[0] == "x" * 22 + "..."


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
