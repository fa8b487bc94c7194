"""The colors of all pictures, those of the command, and the shapes of those of matplotlib."""

import typing

# Any two differ by at least 12 of CIEDE2000 for normal eyes, the red-blind and the green-blind, and
# next ones alternate between dark and light.
COLORS = tuple(
    "#076F9E #CC8805 #17734F #C46EE1 #3F1BBD #90C6EA #9E3A01 #C2D61B #2F515C #F3A893".split()
)

# Rows without a class, outlines of points, lines of a grid.
NO_CLASS, OUTLINE, GRID = "#9A9A9A", "#202020", "#E8E8E8"

MARKERS = ("o", "s", "^", "D", "v", "p", (6, 1), ">", "P", "X")

# More points than these are translucent dots.
CROWD = 20000


def color(index: int) -> str:
    """The color of class `index`, -1 for none; after the last color comes the first."""
    return COLORS[index % len(COLORS)] if index >= 0 else NO_CLASS


def marker(index: int) -> typing.Any:
    """The marker of class `index`, -1 for none: 100 classes are told apart by it and the color."""
    return MARKERS[(index + index // len(COLORS)) % len(MARKERS) if index >= 0 else 0]
