/* picture_points.h - the points of a panel, and the marks they are drawn with.
 *
 * Points whose label was known are filled, larger, with a dark outline and a halo of the paper's
 * color, and drawn last; the others are hollow, in the color of their class, or gray without one,
 * the pale ones first. In a crowd they are translucent dots. */
#ifndef PICTURE_POINTS_H
#define PICTURE_POINTS_H

#include "pictures/picture_layout.h"

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

/* What a panel's marks take from the stream of the script, in the order of drawing. */
typedef struct point_order {
    int64_t *rows; /* [panel count] */
    int64_t marks; /* how many in all */
} point_order;

/* Returns 0 when there is no memory. free() rows. */
int points_order(const picture_panel *panel, const layout *lay, const frame *axes,
                 point_order *out);

/* The end of a plot command that reads the marks from the script, which are to follow with
 * points_write. */
void points_declare(const picture_panel *panel, const layout *lay, const point_order *order,
                    FILE *script);
void points_write(const picture_panel *panel, const layout *lay, const point_order *order,
                  FILE *script);

#endif
