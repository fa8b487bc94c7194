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

# Of a legend: names, letters of each, lines in a column, and the share of the width of a figure of
# ours above which it makes that wider.
_MOST_CLASSES, _LEGEND_NAME, _LEGEND_LINES, _LEGEND_SHARE = 1000, 80, 21, 0.35


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


def _probabilities(source: typing.Any, X: _rows.Matrix) -> np.ndarray | None:
    """Of the classes of an estimator; None: it predicts none."""
    model = getattr(source, "_model", None)
    predicts = X is not None and model and (model.classifier_name or model.is_ensemble)
    return np.asarray(source.predict_proba(X)) if predicts else None


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
    next to labels, which may be wrong. The result is a str; its `save(path)` writes it.

    Parameters
    ----------
    Z, y, X, truth, dims
        As of `embedding`, and so are the errors.
    names : iterable of length n_samples, optional
        Of the rows. None: the index of a pandas DataFrame `X` or `Z`, unless it counts from 0.
    path : path, optional
        Where to write the page, too. OSError: it cannot be written.

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
    p = _probabilities(Z, X)
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
    the color of the class that the estimator predicts, as opaque as it is probable, or of their
    true class; gray where there is neither. More than 20 000 rows are translucent dots, and an
    image in files of vectors. Colors, shapes, order of classes and axes are those of the command
    ``penumbra plot``. Requires matplotlib.

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
    asks = truth is None and (y is None or not _rows.known(y)[0].all())
    p = _probabilities(Z, X) if asks else None
    of_model = np.empty(0) if p is None else Z.classes_
    hidden = truth if p is None else Z.classes_[p.argmax(axis=1)]
    codes, known, names = _class_codes(y, hidden, of_model, len(points))
    opacity = np.ones(len(points))
    if p is not None:
        opacity[~known] = np.maximum(p.max(axis=1), 0.1)[~known]
    ours = ax is None and not pyplot.get_fignums()
    if ours:
        pyplot.figure(layout="constrained")  # with room for the legend
    axes = ax or (pyplot.gca() if points.shape[1] == 2 else _new_box(pyplot.gcf()))
    _draw(axes, points, codes, known, opacity, size)
    _name_axes(axes, axes_names)
    if legend and names:
        _add_legend(axes, codes, known, names, ours, p is not None)
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


def _is_dot(known: np.ndarray, filled: bool) -> bool:
    """In a crowd, filled points or the others are dots."""
    return (known.sum() if filled else len(known)) > _palette.CROWD


def _draw(
    ax: typing.Any,
    points: np.ndarray,
    codes: np.ndarray,
    known: np.ndarray,
    opacity: np.ndarray,
    size: float | None,
) -> None:
    """Hollow points without a class, then the other hollow ones, the doubtful first, then filled
    ones on a halo; each in the order of the rows, in a crowd mixed: no class covers another."""
    of_class, flat = range(-1, codes.max(initial=-1) + 1), points.shape[1] == 2
    size = _usual_size(ax, len(points)) if size is None else size
    colors = _matplotlib("colors").to_rgba_array
    for level, layer in enumerate((~known & (codes < 0), ~known & (codes >= 0), known)):
        rows = np.nonzero(layer)[0]
        filled, dots = level == 2, _is_dot(known, level == 2)
        mixed = rows * 0.6180339887498949 % 1 if dots else 0
        rows = rows[np.argsort(opacity[rows] + mixed, kind="stable")]
        paint = colors([_color(c) for c in of_class])[codes[rows] + 1]
        paint[:, 3] = opacity[rows] * (_palette.faintness(len(points)) if dots else 1)
        edges = colors([_edge(c) for c in of_class])[codes[rows] + 1] if filled else paint
        style: dict[str, typing.Any] = {"s": size**2, "zorder": 2 + 0.1 * level}
        style |= {"linewidths": 0 if dots else 0.5 if filled else 0.9, "rasterized": dots}
        style |= {} if flat else {"depthshade": False}
        if filled and not dots and len(rows) < len(points):
            style["s"] = max(1.45 * size, 0.8 * _usual_size(ax, len(rows))) ** 2
            halo = _matplotlib("patheffects").withStroke
            style["path_effects"] = [halo(linewidth=3.2, foreground=ax.get_facecolor())]
        # in three dimensions matplotlib sorts points and colors, but not shapes
        groups = np.zeros(len(rows)) if flat or dots else codes[rows]
        for group in np.unique(groups):
            at = groups == group
            style["facecolors"] = paint[at] if dots or filled else "none"
            drawn = ax.scatter(*points[rows[at]].T, edgecolors=edges[at], **style)
            drawn.set_paths([_path(c) for c in ([-1] if dots else codes[rows[at]].tolist())])


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
    return {-1: _palette.NO_CLASS, _ANY: _palette.TEXT}.get(c) or _palette.color(c)


def _edge(c: int) -> str:
    """Of a filled mark: dark, but where lines across a dark mark need a light one."""
    return _palette.ink(_color(c)) if _palette.shape(c)[1] else _palette.OUTLINE


def _name_axes(ax: typing.Any, names: list[str]) -> None:
    for letter, name in zip("xyz", names):
        getattr(ax, f"set_{letter}label")(name, parse_math=False)  # "$" is part of a name
    ax.grid(True, color=_palette.GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    if len(names) == 2:
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color(_palette.AXIS)
    ax.tick_params(colors=_palette.TEXT)


def _add_legend(
    ax: typing.Any, codes: np.ndarray, known: np.ndarray, names: list[str], ours: bool, model: bool
) -> None:
    """Right of the axes: classes, what filled and hollow points are where both have classes, and
    the unlabelled; `ours`: a figure that may become wider; `model`: a class may be predicted."""
    flat = ax.name != "3d"  # else the numbers of an axis are on the right
    hollow, any_known = (~known & (codes >= 0)).any(), bool(known.any())
    entries = [(_short(name), c, any_known) for c, name in enumerate(names)]
    if any_known and hollow:
        entries.append(("labelled", _ANY, True))
    if hollow and (any_known or model):
        entries.append(("predicted" if model else "unlabelled", _ANY, False))
    if (codes < 0).any():
        entries.append(("unlabelled", -1, False))
    marks = []
    for _, c, filled in entries:
        dot = _is_dot(known, filled)
        mark = _matplotlib("lines").Line2D([], [], linestyle="none", marker=_path(-1 if dot else c))
        mark.set(markersize=3 if dot else 7, markeredgewidth=0.5 if filled else 0.9)
        mark.set_markerfacecolor(_color(c) if filled or dot else "none")
        mark.set_markeredgecolor(_edge(c) if filled and not dot else _color(c))
        marks.append(mark)
    drawn = ax.legend(
        marks,
        [name for name, _, _ in entries],
        loc="upper left",
        bbox_to_anchor=(1.01 if flat else 1.13, 1),
        ncols=-(-len(entries) // _LEGEND_LINES),
        frameon=False,
        handletextpad=0.2,
        borderaxespad=0,
    )
    for text in drawn.get_texts():
        text.set_parse_math(False)
    if ours:
        width, height = ax.figure.get_size_inches()
        more = drawn.get_window_extent().width / ax.figure.dpi - _LEGEND_SHARE * width
        ax.figure.set_size_inches(width + max(0, more), height)
        ax.figure.draw_without_rendering()  # a box needs its layout twice
