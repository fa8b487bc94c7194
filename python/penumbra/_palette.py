"""The colors and shapes of all pictures, those of the command."""

import typing

# Any two differ by at least 12 of CIEDE2000 for normal eyes, the red-blind and the green-blind, and
# next ones alternate between dark and light.
COLORS = tuple(
    "#076F9E #CC8805 #17734F #C46EE1 #3F1BBD #90C6EA #9E3A01 #C2D61B #2F515C #F3A893".split()
)

# Rows without a class, outlines of points, and the lines, numbers and grid of the axes; the
# background of pictures.
NO_CLASS = "#9A9A9A"
OUTLINE = "#202020"
AXIS = "#606060"
TEXT = "#404040"
GRID = "#E8E8E8"
PAPER = "#FFFFFF"

# Outlines of radius about 1, corner by corner, none of a circle; and the lines across them.
_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_TRIANGLE = ((0, 1.33), (1.33, -0.67), (-1.33, -0.67))
_DIAMOND = ((0, 1.41), (1.41, 0), (0, -1.41), (-1.41, 0))
_STAR = (
    ((0, 1.33), (0.44, 0.67), (1.33, 0.67), (0.88, 0), (1.33, -0.67), (0.44, -0.67))
    + ((0, -1.33), (-0.44, -0.67), (-1.33, -0.67), (-0.88, 0), (-1.33, 0.67), (-0.44, 0.67))
)  # fmt: skip
SHAPES = (
    ((), ()),
    (_SQUARE, ()),
    (_TRIANGLE, ()),
    (_DIAMOND, ()),
    (tuple((x, -y) for x, y in _TRIANGLE), ()),
    (((0, 1.33), (1.27, 0.41), (0.78, -1.08), (-0.78, -1.08), (-1.27, 0.41)), ()),
    (_STAR, ()),
    (_DIAMOND, (((-1.2, 0), (1.2, 0)), ((0, -1.2), (0, 1.2)))),
    ((), (((-1, 0), (1, 0)), ((0, -1), (0, 1)))),
    (_SQUARE, (((-1, -1), (1, 1)), ((1, -1), (-1, 1)))),
)

# More points than these are translucent dots.
CROWD = 20000


def color(index: int) -> str:
    """The color of class `index`; classes beyond the last color begin again with the first."""
    return COLORS[index % len(COLORS)]


def shape(index: int) -> tuple[typing.Any, typing.Any]:
    """The shape of class `index`, a circle where that is negative: classes of the same color have
    different ones, up to 100 classes."""
    return SHAPES[0 if index < 0 else (index + index // len(COLORS)) % len(SHAPES)]


def ink(paint: str) -> str:
    """What is seen on a color: dark on a light one, light on a dark one."""
    red, green, blue = (int(paint[i : i + 2], 16) for i in (1, 3, 5))
    return OUTLINE if 3 * red + 6 * green + blue > 1280 else PAPER


def faintness(count: int) -> float:
    """The opacity of dots: the more of them, the fainter."""
    return float(min(0.8, max(0.15, 0.8 * (CROWD / (count + 1)) ** 0.5)))
