/* palette.c - the colors and shapes of all pictures. */
#include "pictures/palette.h"

/* Any two differ, from each other and from the paper, by at least 12 of CIEDE2000 for the eyes of
 * everybody, the red-blind and the green-blind; next ones alternate between dark and light, which
 * is seen in a gray print, too. python/tests/test_palette.py computes it. */
static const unsigned colors[PALETTE_COLORS] = { 0x076F9E, 0xCC8805, 0x17734F, 0xC46EE1, 0x3F1BBD,
                                                 0x90C6EA, 0x9E3A01, 0xC2D61B, 0x2F515C, 0xF3A893 };

unsigned palette_color(int index)
{
    return colors[index % PALETTE_COLORS];
}

unsigned palette_ink(unsigned color)
{
    const unsigned red = color >> 16, green = color >> 8 & 255, blue = color & 255;
    return 3 * red + 6 * green + blue > 1280 ? PALETTE_OUTLINE : PALETTE_PAPER;
}

static const mark_shape shapes[MARK_SHAPES] = {
    { { 7 }, { 6 }, 0 },         /* circle */
    { { 5 }, { 4 }, 0 },         /* square */
    { { 9 }, { 8 }, 0 },         /* upward triangle */
    { { 13 }, { 12 }, 0 },       /* diamond */
    { { 11 }, { 10 }, 0 },       /* downward triangle */
    { { 15 }, { 14 }, 0 },       /* pentagon */
    { { 9, 11 }, { 8, 10 }, 0 }, /* two triangles */
    { { 13 }, { 12, 1 }, 1 },    /* diamond with a cross */
    { { 7 }, { 6, 1 }, 1 },      /* circle with a cross */
    { { 5 }, { 4, 2 }, 2 },      /* square with diagonals */
};

const mark_shape *mark_of_class(int index)
{
    return &shapes[index < 0 ? 0 : (index + index / PALETTE_COLORS) % MARK_SHAPES];
}
