/* layout.h - the parts of a picture, as a gnuplot script. Lengths are in pixels of a picture of
 * 1000 x 800; in a larger one all of them are larger. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "pictures/picture.h"

/* Text of gnuplot. */
static const double LAYOUT_FONT = 11;    /* points */
static const double LAYOUT_LETTER = 8.6; /* its width, about */

/* Angles of the view of three dimensions, degrees. */
static const double LAYOUT_TILT = 62, LAYOUT_TURN = 35;

typedef struct layout {
    double scale; /* pixels of a usual one */
    double width, height;
    int svg;             /* else png */
    int columns, rows;   /* of panels */
    double right, below; /* the room of the legend */
    int crowded;         /* more than 20 000 points, which are drawn as translucent dots */
    int has_unknown, has_classless; /* hollow points with a class, and without one */
    int palest;                     /* of the points */
    int64_t most_known;             /* filled points of a panel */
} layout;

/* ---- the legend ---- */

/* In the legend: whatever the class. */
enum { ANY_CLASS = PICTURE_NO_CLASS - 1 };

/* Write it as labels, which are drawn with the next plot: right of the panels or below them, with
 * names in full, if need be in more height, which is added; or in a fixed picture, with less of
 * each name. Its room goes to `lay`. */
void legend_write(const picture *pic, layout *lay, FILE *script);

/* ---- points ----
 *
 * Points whose label was known are filled, larger, with a dark outline and a halo of the paper's
 * color, and drawn last; the others are hollow, in the color of their class, or gray without one,
 * the pale ones first. In a crowd they are translucent dots. */

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

/* ---- gnuplot ---- */

/* Write text as a gnuplot string with all of its markup escaped, and its middle left out where it
 * has more than `most` letters: names often differ at the end. A blank for control characters,
 * U+FFFD for bytes that are not UTF-8. */
void gnuplot_text(FILE *script, const char *text, int most);

/* Draw what a script says, a temporary file (NULL: there is none, with errno), to `path`. A signal
 * ends the process. Returns CLI_OK or the exit status, with the error printed. */
int gnuplot_draw(const char *path, FILE *script);

/* A temporary file, owned; NULL, with errno: there is none. */
FILE *gnuplot_file(void);

#endif
