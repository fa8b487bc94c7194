"""Figure 2 of Cai, Wen, Wei, Yu (2014): four points in their own space and in the relative space.

    python bench/papers/rssdr_fig2.py [--picture FILE.png] [--keep FILE]

The paper gives no coordinates. It says that the third point is at the same distance from the first
and the fourth, and nearer to the first in the relative space. The points here are (0, 0),
(0.6, 0.5), (1, 0) and (2, 0). The program prints the distances, and ends with status 3 if they
disagree. --picture draws both spaces by gnuplot. The relative one has four dimensions and is shown
in the plane of the first, third and fourth point, which preserves their distances. --keep is
accepted, as by all these programs, and ignored.
"""

import argparse
import subprocess
import sys

import numpy as np

POINTS = np.array([[0, 0], [0.6, 0.5], [1, 0], [2, 0]])
FIRST, THIRD, FOURTH = 0, 2, 3
INK, NEAR, FAR = "#333333", "#0072b2", "#d55e00"


def distances(x):
    return np.linalg.norm(x[:, None] - x[None], axis=2)


def in_plane(y):
    """Return coordinates in the plane of the first, third and fourth point: the third at 0,
    the first on the left and the fourth on the right, at equal height."""
    to_first, to_fourth = y[FIRST] - y[THIRD], y[FOURTH] - y[THIRD]
    across = to_fourth / np.linalg.norm(to_fourth) - to_first / np.linalg.norm(to_first)
    across /= np.linalg.norm(across)
    down = to_first - across * (across @ to_first)
    down /= np.linalg.norm(down)
    return (y - y[THIRD]) @ np.c_[across, -down]


def panel(z, r, title, x_range, y_range):
    """Return gnuplot commands for one space: its points, and the circle around the third point
    through the first."""
    x, y = z[THIRD]
    lines = [
        f"set title '{title}'",
        f"set xrange [{x_range[0]}:{x_range[1]}]",
        f"set yrange [{y_range[0]}:{y_range[1]}]",
        "unset arrow",
        "unset label",
        "unset object",
        f"set object 1 circle at {x},{y} size {r[THIRD, FIRST]} fc rgb '#999999' fs empty dt 2",
    ]
    for other, color in ((FIRST, NEAR), (FOURTH, FAR)):
        ox, oy = z[other]
        lines.append(f"set arrow from {x},{y} to {ox},{oy} nohead lw 2 lc rgb '{color}'")
        middle = f"{(x + ox) / 2},{(y + oy) / 2}"
        text = f"{r[THIRD, other]:.3f}"
        aside = 3 * np.sign(x - ox) if oy < y else 0
        place = f"{middle} center offset {aside},-0.9"
        lines.append(f"set label '{text}' at {place} tc rgb '{color}'")
    for i, (px, py) in enumerate(z):
        lines.append(f"set label 'x_{i + 1}' at {px},{py} center offset 0,1.1 tc rgb '{INK}'")
    rows = "\n".join(f"{px} {py}" for px, py in z)
    lines.append(f"plot '-' using 1:2 with points pt 7 ps 1.6 lc rgb '{INK}' notitle\n{rows}\ne")
    return lines


def draw(path, spaces):
    script = [
        "set terminal pngcairo size 1000,470 font 'Sans,12' enhanced",
        f"set output '{path}'",
        "unset border",
        "unset tics",
        "set size ratio -1",
        "set multiplot layout 1,2 margins 0.01,0.99,0.02,0.9 spacing 0.02,0",
    ]
    for space in spaces:
        script += panel(*space)
    script.append("unset multiplot")
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--picture", metavar="FILE")
    parser.add_argument("--keep", metavar="FILE")
    asked = parser.parse_args()
    d = distances(POINTS)
    r = distances(d)
    print("| from the third point to | the first | the second | the fourth |\n" + "|---" * 4 + "|")
    for name, table in (("in their own space", d), ("in the relative space", r)):
        cells = [f"{table[THIRD, i]:.3f}" for i in (FIRST, 1, FOURTH)]
        print(f"| {name} | " + " | ".join(cells) + " |")
    if asked.picture:
        spaces = (
            (POINTS, d, "the points", (-0.35, 2.35), (-1.1, 1.1)),
            (in_plane(d), r, "in the relative space", (-2.4, 2.4), (-2.05, 1.86)),
        )
        draw(asked.picture, spaces)
    return 0 if d[THIRD, FIRST] == d[THIRD, FOURTH] and r[THIRD, FIRST] < r[THIRD, FOURTH] else 3


if __name__ == "__main__":
    sys.exit(main())
