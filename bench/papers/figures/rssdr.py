"""Figure 2 of Cai, Wen, Wei, Yu (2014): four points in their own space and in the relative space.

    python bench/papers/figures/rssdr.py

Points and distances are those of bench/papers/rssdr_fig2.py, which also checks them.
"""

# ruff: noqa: I001 (style comes first: it lets the programs one folder up be imported)
import sys

import numpy as np
from style import BLUE, INK, RED, Figures, plt

from rssdr_fig2 import FIRST, FOURTH, POINTS, THIRD, distances, in_plane


def measure():
    d = distances(POINTS)
    return {
        "points": [POINTS, in_plane(d)],
        "distances": [d, distances(d)],
    }


def draw(found):
    figure, both = plt.subplots(1, 2, figsize=(9, 4.2))
    titles = "the points", "in the relative space"
    for axes, title, z, d in zip(both, titles, *map(np.array, found.values()), strict=True):
        axes.set_title(title)
        axes.set_aspect("equal")
        axes.axis("off")
        radius = d[THIRD, FIRST]
        axes.add_patch(plt.Circle(z[THIRD], radius, fill=False, color="#999999", ls="--"))
        for other, color in ((FIRST, BLUE), (FOURTH, RED)):
            axes.plot(*zip(z[THIRD], z[other], strict=True), color=color, zorder=1)
            aside = 26 * np.sign(z[THIRD, 0] - z[other, 0]) * (z[other, 1] < -0.1)
            axes.annotate(
                f"{d[THIRD, other]:.3f}",
                (z[THIRD] + z[other]) / 2,
                (aside, -13),
                textcoords="offset points",
                ha="center",
                color=color,
            )
        axes.scatter(*z.T, s=45, color=INK)
        for i, point in enumerate(z):
            away = 15 * np.sign(point[0] - z[THIRD, 0]) * (i in (FIRST, FOURTH))
            place = (away, -3) if away else (0, 9)
            axes.annotate(
                f"$x_{i + 1}$", point, place, textcoords="offset points", ha="center", color=INK
            )
        axes.margins(0.12)
    return figure


if __name__ == "__main__":
    figures = Figures("rssdr", __doc__)
    figures.add(2, measure, draw)
    sys.exit(figures.main())
