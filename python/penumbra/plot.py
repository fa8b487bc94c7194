"""Pictures in matplotlib and in HTML pages, with the colors of the command `penumbra plot`."""

from __future__ import annotations

import os
import typing

import numpy as np

from penumbra import _page, _palette, _rows
from penumbra._native import Error, extra

if typing.TYPE_CHECKING:
    import matplotlib.axes

_MOST_CLASSES = 1000
_LONGEST, _LEGEND_LINES = 80, 20  # letters of a name, lines in a column


def _embedded(Z: typing.Any, X: _rows.Matrix, picture: typing.Any) -> tuple[np.ndarray, list[str]]:
    """Return rows [n x k] and their column names; `picture`: `picture_` of an estimator or None."""
    if hasattr(Z, "get_feature_names_out"):
        if X is None:
            raise TypeError("X must be given with an estimator: the rows to embed")
        z = np.asarray(Z.transform(X))
        if picture is not None:
            return z @ picture, strongest(Z._model, Z._model.projection @ picture)
        names, model = [str(name) for name in Z.get_feature_names_out()], getattr(Z, "_model", None)
        if model is None or model.kernel is not None or model.tensor("projection") is None:
            return z, names
        columns = strongest(model, model.projection)
        return z, [f"{name}: {most}" for name, most in zip(names, columns)]
    z = np.asarray(_rows.unwrap(Z))
    z = z[:, None] if z.ndim == 1 else z
    if z.ndim != 2 or not z.shape[1]:
        raise Error(f"Z must have shape (n_samples, n_components), got {z.shape}", "PEN_BAD_DATA")
    counted = [f"column {j + 1}" for j in range(z.shape[1])]
    return z, [str(name) for name in getattr(Z, "columns", counted)]


def strongest(model: typing.Any, weights: np.ndarray) -> list[str]:
    """Name the coordinates of a picture by the columns that contribute most: weight [d x 2] times
    deviation."""
    deviation = model.vector("deviation")
    weights = weights if deviation is None else weights * deviation[:, None]
    names = model.column_names or [f"#{j}" for j in range(len(weights))]
    return [
        ", ".join(
            f"{_short(names[j])} {'-' if w[j] < 0 else '+'}"
            for j in np.argsort(-abs(w), kind="stable")[:3]
        )
        for w in weights.T
    ]


def _class_codes(
    y: _rows.Labels, truth: _rows.Labels, of_model: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Return the class of each row [n], -1 for none; whether `y` has it [n]; the indices of the
    model's classes; and all class names, in the order of `_rows.classes`, so that a class has the
    same color in all pictures of a model."""
    found = []
    for name, labels in (("y", y), ("truth", truth)):
        has, values = _rows.known(np.full(n, None) if labels is None else labels, name)
        if len(has) != n:
            raise Error(f"{name} must have one entry per row, {n}, got {len(has)}")
        found.append((has, values.tolist()))
    (known, given), (has_truth, true) = found
    joined = _rows.classes([*given, *of_model.tolist(), *true])
    if (count := len(joined.values)) > _MOST_CLASSES:
        raise Error(f"{count} classes are too many to draw, the most is {_MOST_CLASSES}")
    codes, end = np.full(n, -1), len(joined.codes) - len(true)
    codes[has_truth] = joined.codes[end:]
    codes[known] = joined.codes[: len(given)]
    return codes, known, joined.codes[len(given) : end], joined.names


def _gathered(
    Z: typing.Any,
    y: _rows.Labels,
    X: _rows.Matrix,
    truth: _rows.Labels,
    dims: typing.Sequence[int] | None,
    predicts: bool = True,
) -> tuple[dict[str, typing.Any], list[str]]:
    """Return the arrays to draw and the class names. `label`, known or true, is -1 for other rows,
    even if the estimator predicts their `class` with a `probability`."""
    model, picture = getattr(Z, "_model", None), getattr(Z, "picture_", None)
    picture = picture if dims is None else None
    z, axes = _embedded(Z, X, picture)
    n, k = z.shape
    columns = list(range(min(k, 2)) if dims is None else dims)
    if len(columns) not in (1, 2, 3) or not all(0 <= j < k for j in columns):
        raise Error(f"dims must be one to three columns in [0, {k - 1}], got {tuple(columns)}")
    points, axes = z[:, columns].astype(float), [axes[j] for j in columns]
    fits = (abs(points) <= np.finfo(np.float32).max).all(axis=1)
    if not fits.all():
        message = f"Z must be finite, got NaN, infinity or more than 3.4e38 in row {fits.argmin()}"
        raise Error(message, "PEN_NOT_FINITE")
    if len(columns) == 1:
        points, axes = np.column_stack([points, np.arange(n)]), [*axes, "row"]
    p = None
    if predicts and X is not None and model and (model.classifier_name or model.is_ensemble):
        p = np.asarray(Z.predict_proba(X))
    of_model = np.empty(0) if p is None else Z.classes_
    codes, known, places, classes = _class_codes(y, truth, of_model, n)
    mix = np.eye(k)[:, columns] if picture is None else picture
    drawn = {"axes": axes, "points": points, "label": codes, "known": known}
    drawn["curves"] = _page.curves(model, mix)
    if p is not None:
        best = p.argmax(axis=1) if n else np.empty(0, int)
        drawn |= {"class": places[best], "probability": p.max(axis=1, initial=0)}
    return drawn, classes


def _short(name: str) -> str:
    """Shorten the middle of long names, which often differ at the end."""
    keep = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[:keep]}...{name[-keep:]}"


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
    """Draw embedded rows in an HTML page with zoom and row names on hover.

    The page is that of ``penumbra plot -o FILE.html``. It needs no other file, no network and no
    matplotlib, and notebooks show it. An estimator with a classifier predicts the class of every
    row, also of labelled rows, whose labels may be wrong. The result is a str; `save(path)` writes
    it.

    Parameters
    ----------
    Z, y, X, truth, dims
        As in `embedding`, with the same errors.
    names : iterable of length n_samples, optional
        Row names. None: the index of a pandas DataFrame `X` or `Z`, unless it counts from 0.
    path : path, optional
        Also write the page to this file. OSError: it cannot be written.

    Examples
    --------
    >>> import numpy as np, penumbra
    >>> penumbra.plot.page(np.eye(3), ["a", "b", None]).startswith("<!DOCTYPE html>")
    True
    """
    drawn, classes = _gathered(Z, y, X, truth, dims)
    rows, n = Z if X is None else X, len(drawn["points"])
    listed = _page.row_names(rows) if names is None else [str(name) for name in names]
    if listed is not None and len(listed) != n:
        raise Error(f"names must have one entry per row, {n}, got {len(listed)}")
    return _page.plotted(drawn | {"names": listed}, classes, path)


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
    """Draw embedded rows in matplotlib, colored by class, for figures in papers.

    Labelled rows are filled, larger, outlined and on top. Unlabelled rows are hollow, in the color
    of their true class, or without `truth` of the predicted class, whose probability sets their
    opacity; otherwise they are gray. More than 20 000 rows become translucent dots, rasterized in
    vector files. Colors, order of classes and axes are those of ``penumbra plot``.

    Parameters
    ----------
    Z : array-like of shape (n_samples, n_components), or fitted estimator
        The embedding, or an estimator that embeds `X`. A single column is drawn over the row
        number.
    y : array-like of shape (n_samples,), optional
        Labels of any one type. -1, NaN, None and pd.NA mean unlabelled.
    X : array-like of shape (n_samples, n_features), optional
        The rows to embed if `Z` is an estimator.
    truth : array-like of shape (n_samples,), optional
        True classes, which color the unlabelled points.
    dims : sequence of one to three int, optional
        The columns to draw, from 0; three give a 3-D plot. None: the first two, or `picture_` of an
        estimator that has it, whose axes are named by the columns of `X` that contribute most.
    ax : matplotlib Axes, optional
        Where to draw; for three dimensions, with ``projection="3d"``. None: the current axes.
    size : float, optional
        The diameter of hollow points, in points (1/72 inch). None: depends on their number.
    legend : bool, default=True
        Show a legend of the classes.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    Error, ValueError
        A column does not exist, a value is NaN or infinite, sizes do not match, or labels are
        fractions.

    Examples
    --------
    >>> import matplotlib, numpy as np, penumbra
    >>> matplotlib.use("Agg")
    >>> y = np.arange(60) % 3
    >>> x = np.random.default_rng(0).normal(size=(60, 5)) + 4 * np.eye(5)[y]
    >>> ax = penumbra.plot.embedding(penumbra.SELF(n_components=2).fit(x, y), y, x)
    >>> ax.get_xlabel().startswith("self0: ")
    True
    """
    pyplot = extra("matplotlib.pyplot", '"penumbra-learn[plot]"')
    asks = truth is None and (y is None or not _rows.known(y)[0].all())
    drawn, classes = _gathered(Z, y, X, truth, dims, asks)
    ours = ax is None and not pyplot.get_fignums()
    if ours:
        pyplot.figure(layout="constrained")  # leaves room for the legend
    flat, place = len(drawn["axes"]) == 2, ax
    if place is None:
        place = pyplot.gca() if flat else pyplot.gcf().add_subplot(projection="3d")
    _scatter(place, drawn, size)
    for letter, name in zip("xyz", drawn["axes"]):
        getattr(place, f"set_{letter}label")(name, parse_math=False)  # "$" is part of a name
    place.grid(color=_palette.GRID)
    place.set_axisbelow(True)
    if legend and classes:
        _add_legend(place, classes, drawn["known"], "class" in drawn, ours)
    return place


def _scatter(ax: typing.Any, drawn: dict[str, typing.Any], size: float | None) -> None:
    """Draw hollow points, then filled ones; within a class, uncertain ones first. Many points
    become dots: gray ones first, then all classes in random order, so that none covers another."""
    from matplotlib.colors import to_rgba_array

    points, known = drawn["points"], drawn["known"]
    codes = np.where(known, drawn["label"], drawn.get("class", drawn["label"]))
    opacity = np.where(known, 1, np.clip(drawn.get("probability", 1), 0.1, 1))
    paint = to_rgba_array([_palette.color(c) for c in range(-1, codes.max(initial=-1) + 1)])
    paint = np.column_stack([paint[codes + 1, :3], opacity])
    for filled in (False, True):
        rows = np.flatnonzero(known == filled)
        count = len(rows) if filled else len(known)
        diameter = size or 5.5 * min(1, (600 / (count + 1)) ** 0.25)
        style: dict[str, typing.Any] = {"s": (1.3 * diameter if filled else diameter) ** 2}
        style |= {"depthshade": False} if points.shape[1] == 3 else {}
        if dots := count > _palette.CROWD:
            paint[rows, 3] *= max(0.15, 0.8 * (_palette.CROWD / count) ** 0.5)
            rows = np.random.default_rng(0).permutation(rows)
        rows = rows[np.argsort(codes[rows] >= 0 if dots else opacity[rows], kind="stable")]
        for c in [-1] if dots else np.unique(codes[rows]):
            at = rows if dots else rows[codes[rows] == c]
            style["facecolors"] = paint[at] if filled or dots else "none"
            style["edgecolors"] = _palette.OUTLINE if filled else paint[at]
            style["linewidths"] = 0 if dots else 0.5 if filled else 0.9
            ax.scatter(*points[at].T, marker=_palette.marker(c), rasterized=dots, **style)


def _add_legend(
    ax: typing.Any, classes: list[str], known: np.ndarray, predicted: bool, ours: bool
) -> None:
    """Put the legend right of the axes; `ours`: widen the figure for it."""
    from matplotlib.lines import Line2D

    some = bool(known.any())
    entries = [(_short(name), c, some) for c, name in enumerate(classes)]
    if not known.all():
        entries += [("labelled", -1, True)] if some else []
        entries.append(("predicted" if predicted else "unlabelled", -1, False))
    marks = []
    for _, c, filled in entries:
        color = _palette.color(c)
        marks.append(Line2D([], [], linestyle="none", marker=_palette.marker(c), color=color))
        marks[-1].set_fillstyle("full" if filled else "none")
        marks[-1].set_markeredgecolor(_palette.OUTLINE if filled else color)
    shown = ax.legend(
        marks,
        [name for name, *_ in entries],
        loc="upper left",
        bbox_to_anchor=(1.1 if ax.name == "3d" else 1, 1),
        ncols=-(-len(entries) // _LEGEND_LINES),
        frameon=False,
    )
    for text in shown.get_texts():
        text.set_parse_math(False)
    if ours:
        wide = shown.get_window_extent().width / ax.figure.dpi
        ax.figure.set_figwidth(ax.figure.get_figwidth() + wide)
