"""Pictures in matplotlib and in a page, with the marks of the command `penumbra plot`."""

from __future__ import annotations

import functools
import os
import typing

import numpy as np

from penumbra import _page, _palette, _rows
from penumbra._native import Error, extra

if typing.TYPE_CHECKING:
    import matplotlib.axes

# In the legend: whatever the class.
_ANY = -2

# A legend: letters shown of a name, lines beside the axes, the share of the figure's width that it
# may take there; the height of a line, the width of a letter, and what numbers and the name of an
# axis take below it, in fonts.
_MOST_CLASSES, _LEGEND_NAME, _LEGEND_LINES, _LEGEND_SHARE = 1000, 80, 24, 0.45
_LINE, _LETTER, _BELOW = 1.5, 0.6, 4.2


def _matplotlib(module: str) -> typing.Any:
    return extra(f"matplotlib.{module}", '"penumbra-learn[plot]"')


def _coordinates(source: typing.Any, X: _rows.Matrix, whole: bool) -> tuple[np.ndarray, list[str]]:
    """Rows [n x k] and the names of the axes; `whole`: not the picture of an estimator."""
    if hasattr(source, "get_feature_names_out"):
        if X is None:
            raise TypeError("X must be given with an estimator: the rows to embed")
        named = [str(name) for name in source.get_feature_names_out()]
        z = np.asarray(source.transform(X))
        picture = None if whole else getattr(source, "picture_", None)
        return (z, named) if picture is None else (z @ picture, _strongest(source, picture))
    columns = getattr(source, "columns", None)
    z = np.asarray(_rows.unwrap(source))
    if z.ndim == 1:
        z = z[:, None]
    if z.ndim != 2 or not z.shape[1]:
        raise Error(f"Z must have shape (n_samples, n_components), got {z.shape}", "PEN_BAD_DATA")
    if columns is not None:
        return z, [str(name) for name in columns]
    return z, [f"column {j + 1}" for j in range(z.shape[1])]


def _strongest(source: typing.Any, picture: np.ndarray) -> list[str]:
    """The coordinates of a picture, named by the columns of the rows that contribute most, weight
    times deviation."""
    model = source._model
    weights = model.projection @ picture
    deviation = model.vector("deviation")
    if deviation is not None:
        weights = weights * deviation[:, None]
    names = model.column_names or [f"#{j}" for j in range(len(weights))]
    return [
        ", ".join(
            f"{_short(names[j])} {'-' if w[j] < 0 else '+'}"
            for j in np.argsort(-abs(w), kind="stable")[:3]
        )
        for w in weights.T
    ]


def _predicted(
    source: typing.Any, X: _rows.Matrix, y: _rows.Labels
) -> tuple[_rows.Labels, np.ndarray | None]:
    """The classes that an estimator predicts, and how doubtful each is, 0 to 3; None: it does not,
    or all are known."""
    model = getattr(source, "_model", None)
    if X is None or model is None or not (model.classifier_name or model.is_ensemble):
        return None, None
    if y is not None and _rows.known(y)[0].all():
        return None, None
    p = source.predict_proba(X)
    doubt = (p.max(axis=1)[:, None] < np.array(_palette.DOUBTFUL)).sum(axis=1)
    return source.classes_[p.argmax(axis=1)], doubt


def _chosen(
    z: np.ndarray, names: list[str], dims: typing.Sequence[int] | None
) -> tuple[np.ndarray, list[str]]:
    """The columns to draw [n x 2 or 3]; a single one is drawn over the row number."""
    n, k = z.shape
    if dims is None:
        dims = range(min(k, 2))
    if len(dims) not in (1, 2, 3) or not all(0 <= j < k for j in dims):
        raise Error(f"dims must be one to three columns in [0, {k - 1}], got {tuple(dims)}")
    points = z[:, list(dims)].astype(float)
    if not np.isfinite(points).all():
        row = int(np.nonzero(~np.isfinite(points).all(axis=1))[0][0])
        raise Error(f"Z must be finite, got NaN or infinity in row {row}", "PEN_NOT_FINITE")
    chosen = [names[j] for j in dims]
    if len(dims) == 1:
        return np.column_stack([points, np.arange(n) + 1]), [*chosen, "row"]
    return points, chosen


def _class_codes(
    y: _rows.Labels, truth: _rows.Labels, of_model: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The class of each row [n], -1 for none, whether it was known [n], and the names of the
    classes: all in the order of `_rows.classes`, of labels, truth and classes of a model together,
    so that a class has the same color in all pictures of a model."""
    if y is None and truth is None:
        return np.zeros(n, int), np.ones(n, bool), []
    parts = []
    for name, labels in (("y", y), ("truth", truth)):
        found = None if labels is None else _rows.known(labels)
        if found is not None and len(found[0]) != n:
            raise Error(f"{name} must have one entry a row, {n}, got {len(found[0])}")
        parts.append((np.zeros(n, bool), np.empty(0)) if found is None else found)
    (known, values), (has_truth, true_values) = parts
    both = [v for v in (values, of_model, true_values) if len(v)]
    joined = _rows.classes([label for v in both for label in v.tolist()]) if both else None
    codes = np.full(n, -1)
    if joined is not None:
        codes[has_truth] = joined.codes[len(joined.codes) - len(true_values) :]
        codes[known] = joined.codes[: len(values)]
    names = [] if joined is None else joined.names
    if len(names) > _MOST_CLASSES:
        raise Error(f"{len(names)} classes are too many to draw, the most is {_MOST_CLASSES}")
    return codes, known, names


def _short(name: str) -> str:
    """Names longer than there is room for in any figure lose their middle: they often differ at the
    end."""
    keep = _LEGEND_NAME // 2
    return name if len(name) <= _LEGEND_NAME else f"{name[:keep]}...{name[-keep:]}"


def _names_of(rows: typing.Any, names: typing.Any, n: int) -> list[str] | None:
    """The names of `rows`: those given, or the index of a frame of pandas, unless it counts."""
    if names is None and type(rows).__module__.startswith("pandas"):
        names = None if np.array_equal(rows.index, range(n)) else rows.index
    listed = None if names is None else [str(name) for name in names]
    if listed is not None and len(listed) != n:
        raise Error(f"names must have one entry a row, {n}, got {len(listed)}")
    return listed


def page(
    Z: typing.Any,
    y: _rows.Labels = None,
    X: _rows.Matrix = None,
    *,
    truth: _rows.Labels = None,
    dims: typing.Sequence[int] | None = None,
    names: typing.Iterable[typing.Any] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> _page.Page:
    """Draw embedded rows in a page of HTML, to zoom into, with the names of rows on hover.

    That of the command ``penumbra plot -o FILE.html``: it needs no other file, no network and no
    matplotlib, and a notebook shows it. An estimator that predicts tells the class of every row,
    next to labels, which may be wrong.

    Parameters
    ----------
    Z, y, X, truth, dims
        As of `embedding`, and so are the errors.
    names : iterable of length n_samples, optional
        Of the rows. None: the index of a pandas DataFrame `X` or `Z`, unless it counts from 0.
    path : path, optional
        Where to write the page, too. OSError: it cannot be written.

    Returns
    -------
    Page, a str
        The HTML; `save(path)` writes it.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> penumbra.plot.page(np.eye(3), ["a", "b", None]).startswith("<!DOCTYPE html>")
    True
    """
    z, axes = _coordinates(Z, X, dims is not None)
    points, axes = _chosen(z, axes, dims)
    n, k, model = len(points), z.shape[1], getattr(Z, "_model", None)
    if (large := abs(points).max(axis=1)).max() > np.finfo(np.float32).max:
        row = large.argmax()
        raise Error(f"Z must have values to 3.4e38 for a page, got {large[row]:g} in row {row}")
    p = Z.predict_proba(X) if model and (model.classifier_name or model.is_ensemble) else None
    of_model = np.empty(0) if p is None else Z.classes_
    hidden = np.full(n, None) if truth is None else truth
    codes, known, classes = _class_codes(y, hidden, of_model, n)
    sure = None if p is None else 65535 * p.max(axis=1).clip(0, 1) + 0.5
    place = np.array([classes.index(name) for name in _rows.classes(of_model).names])
    mix = getattr(Z, "picture_", None) if dims is None else np.eye(k)[:, list(dims)]
    mix = np.eye(k)[:, :2] if mix is None else mix
    drawn = {
        "title": "",
        "rows": n,
        "dims": points.shape[1],
        "axes": axes,
        "curves": _page.curves(model, mix),
        "points": _page.packed(points, "<f4"),
        "class": None if p is None else _page.packed(place[p.argmax(axis=1)], "<u2"),
        "probability": None if p is None else _page.packed(sure, "<u2"),
        "label": _page.packed(codes & 65535, "<u2"),
        "known": _page.packed(known, "u1"),
        "names": _names_of(Z if X is None else X, names, n),
    }
    drawn = {name: value for name, value in drawn.items() if value is not None}
    told = {"model": None, "classes": classes, "predicted": p is not None, "pictures": [drawn]}
    return _page.page("plot", path, **told)


def embedding(
    Z: typing.Any,
    y: _rows.Labels = None,
    X: _rows.Matrix = None,
    *,
    truth: _rows.Labels = None,
    dims: typing.Sequence[int] | None = None,
    ax: matplotlib.axes.Axes | None = None,
    size: float | None = None,
    legend: bool = True,
) -> matplotlib.axes.Axes:
    """Draw embedded rows as points, colored by class.

    Rows with a label are filled, larger, outlined, on a halo and on top; the others are hollow, in
    the color of the class that the estimator predicts, paler where its probability is below 0.9,
    0.7 and 0.5, or of their true class; gray where there is neither. More than 20 000 rows are
    translucent dots, and an image in files of vectors. Colors, shapes, order of classes and axes
    are those of the command ``penumbra plot``. Requires matplotlib.

    Parameters
    ----------
    Z : array-like of shape (n_samples, n_components), or fitted estimator
        The embedding; or what embeds `X`. A single column is drawn over the row number.
    y : array-like of shape (n_samples,), optional
        Labels of any one type. -1, NaN, None and pd.NA mean unlabelled.
    X : array-like of shape (n_samples, n_features), optional
        The rows to embed, where `Z` is an estimator.
    truth : array-like of shape (n_samples,), optional
        True classes: points without a label are drawn in the color of theirs.
    dims : sequence of one to three int, optional
        The columns to draw, from 0; three are drawn in three dimensions. None: the picture of an
        estimator that has one (`picture_`), whose axes are named by the columns of `X` that
        contribute most; else the first two.
    ax : matplotlib Axes, optional
        Where to draw; for three dimensions one with ``projection="3d"``. None: the current ones.
    size : float, optional
        The diameter of hollow points in typographic points (1/72 inch). None: by their number.
    legend : bool, default=True
        Name the classes, where there are any.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    Error, ValueError
        A column that is not there, NaN or infinite values, sizes that do not match, fractions as
        labels.

    Examples
    --------
    >>> import matplotlib, numpy as np, penumbra
    >>> matplotlib.use("Agg")
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(60) % 3
    >>> x = rng.normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> model = penumbra.SELF(n_components=2).fit(x, y)
    >>> ax = penumbra.plot.embedding(model, y, x)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('self0', 'self1')
    """
    pyplot = _matplotlib("pyplot")
    points, axes_names = _chosen(*_coordinates(Z, X, dims is not None), dims)
    predicted, doubt = _predicted(Z, X, y) if truth is None else (None, None)
    of_model = np.empty(0) if predicted is None else Z.classes_
    hidden = truth if predicted is None else predicted
    codes, known, names = _class_codes(y, hidden, of_model, len(points))
    if doubt is None:
        doubt = np.zeros(len(points), int)
    doubt[known] = 0
    flat = points.shape[1] == 2
    ours = ax is None and not pyplot.get_fignums()
    if ours:
        pyplot.figure(layout="constrained")  # with room for the legend
    axes = ax or (pyplot.gca() if flat else _new_box(pyplot.gcf()))
    cloud = _Cloud(axes, points, codes, known, doubt)
    _draw(cloud, size)
    _name_axes(axes, axes_names)
    if legend and names:
        _add_legend(cloud, names, ours, predicted is not None)
    return axes


def _new_box(figure: typing.Any) -> typing.Any:
    """Axes of three dimensions, seen as by the command."""
    ax = figure.add_subplot(projection="3d")
    ax.view_init(elev=28, azim=-55)
    return ax


def _usual_size(ax: typing.Any, n: int) -> float:
    """The diameter of a point: smaller in smaller panels, and where there are many."""
    place = ax.get_window_extent()
    area = place.width * place.height / ax.figure.dpi**2
    return float(6.5 * max(0.26, min(1.0, (600 / (n + 1)) ** 0.25)) * (area / 60) ** 0.25)


class _Cloud(typing.NamedTuple):
    """Points [n x 2 or 3], the class of each, whether it was known, how doubtful it is, and the
    axes that they are drawn in."""

    ax: typing.Any
    points: np.ndarray
    codes: np.ndarray
    known: np.ndarray
    doubt: np.ndarray


def _draw(cloud: _Cloud, size: float | None) -> None:
    """Hollow points without a class, then the other hollow ones, the doubtful first, then filled
    ones, each in the order of the rows, in a crowd in a scattered one: no class covers another."""
    ax, points, codes, known, doubt = cloud
    if size is None:
        size = _usual_size(ax, len(points))
    layers = (~known & (codes < 0), ~known & (codes >= 0), known)
    crowded = len(points) > _palette.CROWD
    for level, layer in enumerate(layers):
        rows = np.nonzero(layer)[0]
        if not len(rows):
            continue
        dots = crowded and (level < 2 or len(rows) > _palette.CROWD)
        order = rows * 0.6180339887498949 % 1 if dots else np.zeros(len(rows))
        rows = rows[np.argsort(order - 2 * doubt[rows], kind="stable")]
        if dots:
            _dots(cloud, rows, size, level)
        else:
            large = size
            if level == 2 and len(rows) < len(points):
                large = max(1.45 * size, 0.8 * _usual_size(ax, len(rows)))
            _marks(cloud, rows, large, level)


def _dots(cloud: _Cloud, rows: np.ndarray, size: float, level: int) -> None:
    """Points of a crowd: translucent, and an image in files of vectors."""
    cloud.ax.scatter(
        *cloud.points[rows].T,
        marker="o",
        s=size**2,
        c=_colors(cloud.codes[rows], cloud.doubt[rows]),
        alpha=_palette.faintness(len(cloud.points)),
        linewidths=0,
        zorder=2 + 0.1 * level,
        rasterized=True,
    )


def _marks(cloud: _Cloud, rows: np.ndarray, size: float, level: int) -> None:
    """Points by class; filled ones, of level 2, on a ring of the paper's color where there are
    hollow ones, too."""
    ax, points, codes, _, doubt = cloud
    style: dict[str, typing.Any] = {"s": size**2, "zorder": 2 + 0.1 * level}
    if level == 2 and len(rows) < len(points):
        effects = _matplotlib("patheffects")
        style["path_effects"] = [effects.withStroke(linewidth=3.2, foreground=ax.get_facecolor())]
    if points.shape[1] == 2:
        drawn = ax.scatter(*points[rows].T, **style, **_paint(codes[rows], doubt[rows], level == 2))
        drawn.set_paths([_path(c) for c in codes[rows].tolist()])
        return
    for shape in sorted({_palette.shape(c) for c in codes[rows].tolist()}):
        of_shape = rows[[_palette.shape(c) == shape for c in codes[rows].tolist()]]
        paint = _paint(codes[of_shape], doubt[of_shape], level == 2)
        drawn = ax.scatter(*points[of_shape].T, **style, **paint, depthshade=False)
        drawn.set_paths([_path(int(codes[of_shape[0]]))])


@functools.cache
def _outline(corners: typing.Any, across: typing.Any) -> typing.Any:
    """A shape for matplotlib, where a mark has the diameter 1."""
    Path, scale = _matplotlib("path").Path, _matplotlib("transforms").Affine2D().scale(0.5)
    outer = Path([*corners, (0, 0)], closed=True) if corners else Path.unit_circle()
    return Path.make_compound_path(outer, *map(Path, across)).transformed(scale)


def _path(c: int) -> typing.Any:
    """The shape of a class."""
    return _outline(*_palette.shape(c))


def _color(c: int) -> str:
    """Of a class; -1: none, _ANY: whatever the class."""
    special = {-1: _palette.NO_CLASS, _ANY: _palette.TEXT}
    return special[c] if c in special else _palette.color(c)


def _edge(c: int) -> str:
    """Of a filled mark: dark, but where lines across a dark mark need a light one."""
    return _palette.ink(_color(c)) if _palette.shape(c)[1] else _palette.OUTLINE


def _colors(codes: np.ndarray, doubt: np.ndarray) -> list[str]:
    return [_palette.pale(_color(c), d) for c, d in zip(codes.tolist(), doubt.tolist())]


def _paint(codes: np.ndarray, doubt: np.ndarray, filled: bool) -> dict[str, typing.Any]:
    colors = _colors(codes, doubt)
    if filled:
        edges = [_edge(c) for c in codes.tolist()]
        return {"facecolors": colors, "edgecolors": edges, "linewidths": 0.5}
    return {"facecolors": "none", "edgecolors": colors, "linewidths": 0.9}


def _name_axes(ax: typing.Any, names: list[str]) -> None:
    for letter, name in zip("xyz", names):
        getattr(ax, f"set_{letter}label")(name, parse_math=False)  # "$" is part of a name
    ax.grid(True, color=_palette.GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    if len(names) == 2:
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color(_palette.AXIS)
    ax.tick_params(colors=_palette.TEXT)


def _add_legend(cloud: _Cloud, names: list[str], ours: bool, predicted: bool) -> None:
    """Classes, what filled, hollow and pale points are where both have classes, and the unlabelled;
    `ours`: the figure was made for this picture; `predicted`: hollow points are."""
    ax, _, codes, known, doubt = cloud
    from matplotlib.lines import Line2D

    entries = [(_short(name), c, bool(known.any()), 0) for c, name in enumerate(names)]
    hollow = bool((~known & (codes >= 0)).any())
    if known.any() and hollow:
        entries.append(("labelled", _ANY, True, 0))
    if hollow and (known.any() or predicted):
        entries.append(("predicted" if predicted else "unlabelled", _ANY, False, 0))
    if predicted and doubt.any():
        entries.append(("doubtful", _ANY, False, int(doubt.max())))
    if (codes < 0).any():
        entries.append(("unlabelled", -1, False, 0))
    crowded = len(codes) > _palette.CROWD
    marks = []
    for _, c, filled, level in entries:
        is_dot = crowded and (not filled or known.sum() > _palette.CROWD)
        color = _palette.pale(_color(c), level)
        marks.append(
            Line2D(
                [],
                [],
                linestyle="none",
                marker="o" if is_dot else _path(c),
                markersize=3 if is_dot else 7,
                markerfacecolor=color if filled or is_dot else "none",
                markeredgecolor=_edge(c) if filled and not is_dot else color,
                markeredgewidth=0.5 if filled else 0.9,
            )
        )
    drawn = ax.legend(
        marks,
        [entry[0] for entry in entries],
        frameon=False,
        labelspacing=0.4,
        handletextpad=0.2,
        columnspacing=1,
        borderaxespad=0,
        **_legend_place(ax, [entry[0] for entry in entries], ours),
    )
    for text in drawn.get_texts():
        text.set_parse_math(False)


def _legend_place(ax: typing.Any, names: list[str], ours: bool) -> dict[str, typing.Any]:
    """Right of the axes, or below them where that would take too much width; a figure of ours
    grows by what is below. Letters are smaller before anything is lost."""
    transforms = _matplotlib("transforms")
    figure = ax.figure
    width, height = figure.get_size_inches()
    fonts = _matplotlib("font_manager")
    size = _matplotlib("pyplot").rcParams["legend.fontsize"]
    font = fonts.FontProperties(size=size).get_size_in_points() / 72
    letters = max(map(len, names))
    column = (_LETTER * letters + 3.5) * font
    beside = -(-len(names) // _LEGEND_LINES)
    if beside * column <= _LEGEND_SHARE * width:
        return {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "ncols": beside}
    scale = min(1.0, 0.95 * width / column)
    columns = min(len(names), max(1, int(0.95 * width / (scale * column))))
    lines = -(-len(names) // columns)
    if ours:
        figure.set_size_inches(width, height + lines * _LINE * scale * font)
    return {
        "loc": "upper left",
        "bbox_to_anchor": (0, 0),
        "bbox_transform": ax.transAxes
        + transforms.ScaledTranslation(0, -_BELOW * font, figure.dpi_scale_trans),
        "ncols": columns,
        "fontsize": 72 * scale * font,
    }
