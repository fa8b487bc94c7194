"""The colors of all pictures, the same as in the command, and the markers for matplotlib."""

import typing

# Any two differ by at least 12 in CIEDE2000 for normal, red-blind and green-blind eyes, and
# consecutive ones alternate between dark and light.
COLORS = tuple(
    "#076F9E #CC8805 #17734F #C46EE1 #3F1BBD #90C6EA #9E3A01 #C2D61B #2F515C #F3A893".split()
)

# Rows without a class, outlines of points, lines of a grid.
NO_CLASS, OUTLINE, GRID = "#9A9A9A", "#202020", "#E8E8E8"

MARKERS = ("o", "s", "^", "D", "v", "p", (6, 1), ">", "P", "X")

# Above this number, points become translucent dots.
CROWD = 20000


def color(index: int) -> str:
    """Return the color of class `index`, -1 for none. The colors repeat."""
    return COLORS[index % len(COLORS)] if index >= 0 else NO_CLASS


def marker(index: int) -> typing.Any:
    """Return the marker of class `index`, -1 for none. Marker and color distinguish 100 classes."""
    return MARKERS[(index + index // len(COLORS)) % len(MARKERS) if index >= 0 else 0]
