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
_LEFT, _BOTTOM, _TOP, _EDGE, _LEGEND_LINE = 62.0, 46.0, 26.0, 14.0, 20.0


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


def _mark(x: float, y: float, size: float, shape: int) -> str:
    """A circle, square, triangle, diamond or triangle on its tip."""
    if shape % 5 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"'
    corners = {
        1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        2: ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
        3: ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        4: ((0, 1.2), (1.1, -0.8), (-1.1, -0.8)),
    }[shape % 5]
    ends = " ".join(f"{x + size * a:.1f},{y + size * b:.1f}" for a, b in corners)
    return f'<polygon points="{ends}"'


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
        f'<figure>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img" aria-label="{escaped(name)}" {_FONT}'
        f' fill="{_palette.TEXT}">\n{body}\n</svg>\n</figure>\n'
    )


def _filled(i: int) -> str:
    return f' fill="{_palette.color(i)}" stroke="{_palette.OUTLINE}" stroke-width=".6"/>'


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
        out += [_mark(x, y, 4, i) + _filled(i) for i in here[first:] + here[:first]]
    return out


def curves(
    lines: typing.Sequence[tuple[str, np.ndarray, np.ndarray]],
    baseline: float = math.nan,
    names: tuple[str, str] = ("dimensions", "accuracy"),
) -> str:
    """Lines of (name, x [m], y [m]), told apart by color and shape; a dashed line at chance."""
    width, height, legend = 760.0, 440.0, 110.0
    x = np.concatenate([line[1] for line in lines])
    y = np.concatenate([line[2] for line in lines] + [[] if math.isnan(baseline) else [baseline]])
    ranges = np.array([[x.min(), y.min()], [x.max(), y.max()]])
    if x.min() == x.max():
        ranges[:, 0] += (-0.5, 0.5)
    if y.min() == y.max():
        ranges[:, 1] += (-0.05, 0.05)
    frame = _Frame(0, 0, width - legend, height, ranges)
    parts = [frame.axes(names, whole=True)]
    if not math.isnan(baseline):
        _, at = frame.place(x.min(), baseline)
        parts.append(
            f'<path d="M{frame.left:.1f},{at:.1f}H{frame.right:.1f}" stroke="{_palette.AXIS}"'
            f' stroke-dasharray="6 4"/><text x="{frame.left + 6:.1f}" y="{at - 6:.1f}">chance'
            "</text>"
        )
    parts += _lines([[frame.place(a, b) for a, b in zip(line[1], line[2])] for line in lines])
    for i, (name, _, _) in enumerate(lines):
        level = frame.top + 10 + i * _LEGEND_LINE
        parts.append(_mark(width - legend + 6, level - 4, 4.5, i) + _filled(i))
        parts.append(f'<text x="{width - legend + 18:g}" y="{level:g}">{escaped(name)}</text>')
    return _svg(width, height, f"{names[1]} by {names[0]}", parts)


def _point_marks(frame: _Frame, panel: Points, any_hollow: bool) -> list[str]:
    """Hollow points first; filled ones are larger, outlined, and on top."""
    size = 3.4 * max(0.35, min(1.0, (600 / (len(panel.points) + 1)) ** 0.25))
    out = []
    for known in (False, True):
        for i in np.nonzero(panel.known == known)[0]:
            c = int(panel.classes[i])
            color = _palette.NO_CLASS if c < 0 else _palette.color(c)
            x, y = frame.place(*panel.points[i])
            shape = max(c, 0) // len(_palette.COLORS)
            if known:
                mark = _mark(x, y, size * (1.45 if any_hollow else 1), shape)
                out.append(f'{mark} fill="{color}" stroke="{_palette.OUTLINE}" stroke-width=".6"/>')
            else:
                out.append(f'{_mark(x, y, size, shape)} fill="none" stroke="{color}"/>')
    return out


def panels(
    views: typing.Sequence[Points], class_names: typing.Sequence[str], filled: str, hollow: str
) -> str:
    """Panels of points by class, two in a row, with a legend below."""
    width, height, per_line = 960.0, 390.0, 6
    columns = min(len(views), 2)
    rows = -(-len(views) // columns)
    has_none = any((view.classes < 0).any() for view in views)
    entries = [
        (name, _palette.color(c), c // len(_palette.COLORS), True)
        for c, name in enumerate(class_names)
    ]
    entries += [(filled, _palette.TEXT, 0, True), (hollow, _palette.TEXT, 0, False)]
    entries += [("unlabelled", _palette.NO_CLASS, 0, False)] * has_none
    parts = []
    for i, view in enumerate(views):
        ranges = np.array([view.points.min(axis=0), view.points.max(axis=0)])
        across = width / columns
        frame = _Frame(i % columns * across, i // columns * height, across, height, ranges)
        parts.append(frame.axes(view.axes, view.title))
        parts += _point_marks(frame, view, any_hollow=not all(v.known.all() for v in views))
    for i, (name, color, shape, is_filled) in enumerate(entries):
        x = 30 + i % per_line * (width - 40) / per_line
        y = rows * height + 16 + i // per_line * _LEGEND_LINE
        paint = (
            f'fill="{color}" stroke="{_palette.OUTLINE}" stroke-width=".6"/>'
            if is_filled
            else f'fill="none" stroke="{color}"/>'
        )
        short = name if len(name) <= 18 else name[:18] + "..."
        parts.append(f"{_mark(x, y - 4, 4.5, shape)} {paint}")
        parts.append(f'<text x="{x + 12:.1f}" y="{y:.1f}">{escaped(short)}</text>')
    total = rows * height + 10 + -(-len(entries) // per_line) * _LEGEND_LINE
    return _svg(width, total, "rows in two dimensions, by class", parts)
