"""The colors and shapes of all pictures, those of the command."""

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

# Outlines of radius about 1 as paths of SVG, and the lines across them.
SHAPES = (
    ("M1,0A1,1 0 1 1 -1,0A1,1 0 1 1 1,0Z", ""),
    ("M-1,-1H1V1H-1Z", ""),
    ("M0,-1.33L1.33,.67H-1.33Z", ""),
    ("M0,-1.41L1.41,0L0,1.41L-1.41,0Z", ""),
    ("M0,1.33L1.33,-.67H-1.33Z", ""),
    ("M0,-1.33L1.27,-.41L.78,1.08H-.78L-1.27,-.41Z", ""),
    ("M0,-1.33L.44,-.67H1.33L.88,0L1.33,.67H.44L0,1.33L-.44,.67H-1.33L-.88,0L-1.33,-.67H-.44Z", ""),
    ("M0,-1.41L1.41,0L0,1.41L-1.41,0Z", "M-1.2,0H1.2M0,-1.2V1.2"),
    ("M1,0A1,1 0 1 1 -1,0A1,1 0 1 1 1,0Z", "M-1,0H1M0,-1V1"),
    ("M-1,-1H1V1H-1Z", "M-1,-1L1,1M1,-1L-1,1"),
)

# Predicted classes are the paler the more of these their probability is below, by the shares of the
# paper's color.
DOUBTFUL = (0.9, 0.7, 0.5)
PALENESS = (0, 0.3, 0.55, 0.75)

# More points than these are translucent dots.
CROWD = 20000


def color(index: int) -> str:
    """The color of class `index`; classes beyond the last color begin again with the first."""
    return COLORS[index % len(COLORS)]


def shape(index: int) -> tuple[str, str]:
    """The shape of class `index`, a circle where that is negative: classes of the same color have
    different ones, up to 100 classes."""
    return SHAPES[0 if index < 0 else (index + index // len(COLORS)) % len(SHAPES)]


def ink(paint: str) -> str:
    """What is seen on a color: dark on a light one, light on a dark one."""
    red, green, blue = (int(paint[i : i + 2], 16) for i in (1, 3, 5))
    return OUTLINE if 3 * red + 6 * green + blue > 1280 else PAPER


def pale(paint: str, level: int) -> str:
    """The color of a point whose class is doubtful, with more of the paper's color at each level
    from 0 to 3."""
    parts = (int(paint[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{int(p + PALENESS[level] * (255 - p) + 0.5):02X}" for p in parts)


def faintness(count: int) -> float:
    """The opacity of dots: the more of them, the fainter."""
    return float(min(0.8, max(0.15, 0.8 * (CROWD / (count + 1)) ** 0.5)))
