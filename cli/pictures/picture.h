/* picture.h - a picture of points in one or several panels, written as a gnuplot script. */
#ifndef PICTURE_H
#define PICTURE_H

#include "cli.h"

enum { PICTURE_DIMS = 3, PICTURE_NO_CLASS = -1, PICTURE_AXIS = 200 };

/* How a point is drawn: filled, its label was known; or hollow, of full color or paler. */
enum { PICTURE_FILLED = -1, PICTURE_HOLLOW, PICTURE_PALEST = 3 };

/* One set of points. */
typedef struct picture_panel {
    const char *title; /* or NULL */
    int64_t count;
    int dims;                             /* 2 or 3 */
    const char *axis_names[PICTURE_DIMS]; /* [dims] */
    /* where they are kept if they are not those of columns */
    char axis_texts[PICTURE_DIMS][PICTURE_AXIS];
    double *points; /* [count x dims], finite */
    /* [count] class of each point, PICTURE_NO_CLASS: not known */
    int *classes;
    signed char *pale; /* [count] from PICTURE_FILLED to PICTURE_PALEST */
} picture_panel;

typedef struct picture {
    int width, height; /* pixels */
    int fixed;         /* the legend takes its room from the panels; else it may add height */
    int svg;           /* else png */
    int predicted;     /* the classes of hollow points are */
    int panel_count;
    picture_panel *panels;
    int class_count;
    const char *const *class_names;
} picture;

/* Whether there are more than 20 000 points, which are drawn as translucent dots. */
int picture_is_crowded(const picture *pic);

/* Write the script that draws it. Returns 0 when there is no memory. */
int picture_write(const picture *pic, FILE *script);

#endif
