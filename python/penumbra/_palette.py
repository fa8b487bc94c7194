"""The colors of all pictures and pages, those of the command."""

# Okabe and Ito's colors for the color-blind without the yellow, which is lost on white, then three
# more that differ in lightness.
COLORS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#6A3D9A",
    "#B5A100",
    "#7B4A2D",
    "#4D4D4D",
)

# Rows without a class, outlines of points, and the lines, numbers and grid of the axes.
NO_CLASS = "#9A9A9A"
OUTLINE = "#202020"
AXIS = "#606060"
TEXT = "#404040"
GRID = "#E8E8E8"


def color(index: int) -> str:
    """The color of class `index`; classes beyond the last color begin again with the first."""
    return COLORS[index % len(COLORS)]
