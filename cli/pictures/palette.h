/* palette.h - the colors of all pictures. */
#ifndef PALETTE_H
#define PALETTE_H

enum { PALETTE_COLORS = 10 };

/* 0xRRGGBB of class `index` >= 0; classes beyond the last color begin again with the first. */
unsigned palette_color(int index);

/* The color and `share` of PALETTE_PAPER, in [0, 1]. */
unsigned palette_pale(unsigned color, double share);

/* What is seen on a color: PALETTE_OUTLINE on a light one, PALETTE_PAPER on a dark one. */
unsigned palette_ink(unsigned color);

/* Rows without a class, outlines of points, and the lines, numbers and grid of the axes; the
 * background of pictures. */
enum {
    PALETTE_NO_CLASS = 0x9A9A9A,
    PALETTE_OUTLINE = 0x202020,
    PALETTE_AXIS = 0x606060,
    PALETTE_TEXT = 0x404040,
    PALETTE_GRID = 0xE8E8E8,
    PALETTE_BOX = 0xB0B0B0,
    PALETTE_PAPER = 0xFFFFFF
};

#endif
