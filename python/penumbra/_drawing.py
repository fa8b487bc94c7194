"""Pictures of a report as SVG, with the marks of the command: curves, and panels of points."""

from __future__ import annotations

import collections
import dataclasses
import math
import typing

import numpy as np

from penumbra import _palette
from penumbra._show import escaped

_DASH = 10
_FONT = 'font-family="Helvetica,Arial,sans-serif" font-size="13"'
_LEFT, _BOTTOM, _TOP, _EDGE = 62.0, 46.0, 26.0, 14.0
_ONE_LINE, _MOST_LETTERS = 12, 30  # of a legend: entries in lines, letters in columns

# In the legend: whatever the class.
_ANY = -2


@dataclasses.dataclass(frozen=True)
class Points:
    """A panel of points.

    `points` [m x 2]; `classes` [m], -1 for none; `known` [m]: labels that the method knew.
    """

    title: str
    points: np.ndarray
    classes: np.ndarray
    known: np.ndarray
    axes: tuple[str, str] = ("first dimension", "second dimension")


def steps(low: float, high: float, most: int) -> list[float]:
    """At most about `most` round numbers in [low, high]: multiples of 1, 2 or 5 times a power of
    ten."""
    power = 10 ** math.floor(math.log10((high - low) / most))
    part = (high - low) / most / power
    step = power * (1 if part <= 1 else 2 if part <= 2 else 5 if part <= 5 else 10)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _color(c: int) -> str:
    """Of a class; -1: none, _ANY: whatever the class."""
    special = {-1: _palette.NO_CLASS, _ANY: _palette.TEXT}
    return special[c] if c in special else _palette.color(c)


def _mark(x: float, y: float, size: float, c: int, filled: bool, halo: bool = False) -> str:
    """The mark of class `c`; `halo`: a ring in the color of the paper under it."""
    outer, inner = _palette.shape(c)
    color = _color(c)
    if filled:
        paint = f'fill="{color}" stroke="{_palette.OUTLINE}" stroke-width="{0.6 / size:.2g}"'
    else:
        paint = f'fill="none" stroke="{color}" stroke-width="{1 / size:.2g}"'
    under = f'<path d="{outer}" stroke="{_palette.PAPER}" stroke-width="{3.4 / size:.2g}"/>'
    lines = _palette.ink(color) if filled else color
    across = f'<path d="{inner}" stroke="{lines}" stroke-width="{1 / size:.2g}"/>' if inner else ""
    return (
        f'<g transform="translate({x:.1f},{y:.1f}) scale({size:.3g})">{under if halo else ""}'
        f'<path d="{outer}" {paint}/>{across}</g>'
    )


class _Frame:
    """Axes in a rectangle: ranges with some room at both ends, and where numbers fall."""

    def __init__(
        self, left: float, top: float, width: float, height: float, ranges: np.ndarray
    ) -> None:
        self.left, self.right = left + _LEFT, left + width - _EDGE
        self.top, self.bottom = top + _TOP, top + height - _BOTTOM
        room = np.maximum(0.05 * (ranges[1] - ranges[0]), 1e-5 * np.abs(ranges).max(axis=0))
        self.low, self.high = ranges[0] - np.maximum(room, 1e-300), ranges[1] + room

    def place(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.low[0]) / (self.high[0] - self.low[0])
        up = (y - self.low[1]) / (self.high[1] - self.low[1])
        return (
            self.left + across * (self.right - self.left),
            self.bottom - up * (self.bottom - self.top),
        )

    def axes(self, names: tuple[str, str], title: str = "", whole: bool = False) -> str:
        """Grid, numbers, names; `whole`: the horizontal axis counts."""
        out = []
        middle, half = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        for x in steps(self.low[0], self.high[0], max(2, int((self.right - self.left) / 56))):
            at, _ = self.place(x, self.low[1])
            if whole and x != round(x):
                continue
            out.append(
                f'<path d="M{at:.1f},{self.bottom:.1f}V{self.top:.1f}" stroke="{_palette.GRID}"/>'
                f'<text x="{at:.1f}" y="{self.bottom + 17:.1f}" text-anchor="middle">{x:g}</text>'
            )
        for y in steps(self.low[1], self.high[1], max(2, int((self.bottom - self.top) / 44))):
            _, at = self.place(self.low[0], y)
            out.append(
                f'<path d="M{self.left:.1f},{at:.1f}H{self.right:.1f}" stroke="{_palette.GRID}"/>'
                f'<text x="{self.left - 7:.1f}" y="{at + 4:.1f}" text-anchor="end">{y:g}</text>'
            )
        out.append(
            f'<path d="M{self.left:.1f},{self.top:.1f}V{self.bottom:.1f}H{self.right:.1f}"'
            f' fill="none" stroke="{_palette.AXIS}"/>'
            f'<text x="{middle:.1f}" y="{self.bottom + 38:.1f}" text-anchor="middle">'
            f"{escaped(names[0])}</text>"
            f'<text transform="translate({self.left - 46:.1f},{half:.1f}) rotate(-90)"'
            f' text-anchor="middle">{escaped(names[1])}</text>'
            f'<text x="{middle:.1f}" y="{self.top - 9:.1f}" text-anchor="middle"'
            f' font-size="15">{escaped(title)}</text>'
        )
        return "\n".join(out)


def _svg(width: float, height: float, name: str, parts: typing.Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img" aria-label="{escaped(name)}" {_FONT}'
        f' fill="{_palette.TEXT}">\n{body}\n</svg>\n'
    )


def _figure(pictures: list[str], entries: list[tuple[str, int, bool]]) -> str:
    """Pictures with one legend of (name, class, filled), which is text: it wraps, and no name is
    cut."""
    letters = max((len(name) for name, _, _ in entries), default=0)
    width = 2.5 + 0.56 * min(letters, _MOST_LETTERS)
    many = f' many" style="column-width:{width:.1f}em' if len(entries) > _ONE_LINE else ""
    legend = "".join(
        f'<span><svg class="mark" viewBox="-8 -8 16 16" aria-hidden="true">'
        f"{_mark(0, 0, 5, c, filled)}"
        f"</svg>{escaped(name)}</span>\n"
        for name, c, filled in entries
    )
    several = ' class="several"' if len(pictures) > 1 else ""
    return (
        f'<figure{several}>\n<div class="panels">\n{"".join(pictures)}</div>\n'
        f'<figcaption class="legend{many}">\n{legend}</figcaption>\n</figure>\n'
    )


def _lines(places: typing.Sequence[typing.Sequence[tuple[float, float]]]) -> list[str]:
    """Curves by their points. Equal ones take turns: their dashes do not overlap, and where points
    coincide, each is on top at some of them."""
    paths = ["M" + "L".join(f"{a:.1f},{b:.1f}" for a, b in line) for line in places]
    out = []
    for i, path in enumerate(paths):
        equal = [j for j, other in enumerate(paths) if other == path]
        gap = _DASH * (len(equal) - 1)
        shift = -_DASH * equal.index(i)
        dashes = f' stroke-dasharray="{_DASH} {gap}" stroke-dashoffset="{shift}"' if gap else ""
        out.append(
            f'<path d="{path}" fill="none" stroke="{_palette.color(i)}"'
            f' stroke-width="1.4"{dashes}/>'
        )
    at: dict[tuple[float, float], list[int]] = {}
    for i, line in enumerate(places):
        for x, y in line:
            at.setdefault((round(x, 1), round(y, 1)), []).append(i)
    turns: collections.Counter[tuple[int, ...]] = collections.Counter()
    for (x, y), here in sorted(at.items()):
        first = turns[tuple(here)] % len(here)
        turns[tuple(here)] += 1
        out += [_mark(x, y, 4, i, True) for i in here[first:] + here[:first]]
    return out


def curves(
    lines: typing.Sequence[tuple[str, np.ndarray, np.ndarray]],
    baseline: float = math.nan,
    names: tuple[str, str] = ("dimensions", "accuracy"),
) -> str:
    """Lines of (name, x [m], y [m]), told apart by color and shape; a dashed line at chance."""
    width, height = 560.0, 380.0
    x = np.concatenate([line[1] for line in lines])
    y = np.concatenate([line[2] for line in lines] + [[] if math.isnan(baseline) else [baseline]])
    ranges = np.array([[x.min(), y.min()], [x.max(), y.max()]])
    if x.min() == x.max():
        ranges[:, 0] += (-0.5, 0.5)
    if y.min() == y.max():
        ranges[:, 1] += (-0.05, 0.05)
    frame = _Frame(0, 0, width, height, ranges)
    parts = [frame.axes(names, whole=True)]
    if not math.isnan(baseline):
        _, at = frame.place(x.min(), baseline)
        parts.append(
            f'<path d="M{frame.left:.1f},{at:.1f}H{frame.right:.1f}" stroke="{_palette.AXIS}"'
            f' stroke-dasharray="6 4"/><text x="{frame.left + 6:.1f}" y="{at - 6:.1f}">chance'
            "</text>"
        )
    parts += _lines([[frame.place(a, b) for a, b in zip(line[1], line[2])] for line in lines])
    entries = [(name, i, True) for i, (name, _, _) in enumerate(lines)]
    return _figure([_svg(width, height, f"{names[1]} by {names[0]}", parts)], entries)


def _point_marks(frame: _Frame, panel: Points, any_hollow: bool) -> list[str]:
    """Hollow points first; filled ones are larger, outlined, on a halo, and on top."""
    size = 3.4 * max(0.35, min(1.0, (600 / (len(panel.points) + 1)) ** 0.25))
    out = []
    for known in (False, True):
        large = size * (1.45 if known and any_hollow else 1)
        for i in np.nonzero(panel.known == known)[0]:
            x, y = frame.place(*panel.points[i])
            out.append(_mark(x, y, large, int(panel.classes[i]), known, known and any_hollow))
    return out


def _panel(view: Points, any_hollow: bool) -> str:
    width, height = 480.0, 390.0
    ranges = np.array([view.points.min(axis=0), view.points.max(axis=0)])
    frame = _Frame(0, 0, width, height, ranges)
    parts = [frame.axes(view.axes, view.title), *_point_marks(frame, view, any_hollow)]
    return _svg(width, height, view.title or "rows in two dimensions, by class", parts)


def panels(
    views: typing.Sequence[Points], class_names: typing.Sequence[str], filled: str, hollow: str
) -> str:
    """Panels of points by class, next to each other where there is room, with a legend below."""
    any_hollow = not all(view.known.all() for view in views)
    entries = [(name, c, True) for c, name in enumerate(class_names)]
    entries += [(filled, _ANY, True), (hollow, _ANY, False)]
    if any((view.classes < 0).any() for view in views):
        entries.append(("unlabelled", -1, False))
    return _figure([_panel(view, any_hollow) for view in views], entries)
