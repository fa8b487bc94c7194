/* palette.h - the colors and shapes of all pictures. */
#ifndef PALETTE_H
#define PALETTE_H

enum { PALETTE_COLORS = 10, MARK_SHAPES = 10, MARK_PARTS = 2 };

/* 0xRRGGBB of class `index` >= 0; classes beyond the last color begin again with the first. */
unsigned palette_color(int index);

/* What is seen on a color: PALETTE_OUTLINE on a light one, PALETTE_PAPER on a dark one. */
unsigned palette_ink(unsigned color);

/* A shape is made of one or two of gnuplot's. */
typedef struct mark_shape {
    int filled[MARK_PARTS]; /* gnuplot's types of points; 0: no more */
    int hollow[MARK_PARTS];
    int lines; /* its type of the lines across a filled one; 0: none */
} mark_shape;

/* The shape of class `index`; a circle where that is negative. Classes of the same color have
 * different shapes, up to PALETTE_COLORS x MARK_SHAPES classes. */
const mark_shape *mark_of_class(int index);

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
