/* picture_points.h - the points of a panel, and the marks they are drawn with.
 *
 * Points whose label was known are filled, larger, with a dark outline and a halo of the paper's
 * color, and drawn last; the others are hollow, in the color of their class, or gray without one,
 * the pale ones first. In a crowd they are translucent dots. */
#ifndef PICTURE_POINTS_H
#define PICTURE_POINTS_H

#include "pictures/picture.h"

enum { POINT_MARKS = 8 };

/* One of gnuplot's marks. */
typedef struct point_mark {
    int type;
    double size;
    unsigned color; /* 0xAARRGGBB, 0 opaque */
} point_mark;

/* Whether filled points, or the others, are too numerous for anything but dots. */
int point_is_dot(const layout *lay, int pale);

/* The marks of a point of that size, the lowest first. Returns their number. */
int point_marks(const layout *lay, int class_index, int pale, double size,
                point_mark marks[POINT_MARKS]);

/* The end of a plot command, and the marks that it reads from the script: hollow before filled; in
 * three dimensions, what is farther away first; in a crowd, rows of all classes mixed, so that none
 * covers the others. */
void points_write(const picture_panel *panel, const layout *lay, FILE *script);

#endif
