/* picture.h - a picture of points in one or several panels, drawn by gnuplot. */
#ifndef PICTURE_H
#define PICTURE_H

#include "base/lines.h"

enum { PICTURE_DIMS = 3, PICTURE_NO_CLASS = -1 };

/* The opacity of a hollow point is at most PICTURE_HOLLOW; filled ones are opaque. */
enum { PICTURE_HOLLOW = 254, PICTURE_FILLED };

/* One set of points. */
typedef struct picture_panel {
    const char *title; /* "": none */
    int64_t count;
    int dims;                /* 2 or 3 */
    line axes[PICTURE_DIMS]; /* [dims] their names */
    double *points;          /* [count x dims], finite */
    int *classes;            /* [count]; PICTURE_NO_CLASS: not known */
    unsigned char *opacity;  /* [count]; PICTURE_FILLED: the label was known */
} picture_panel;

typedef struct picture {
    int width, height; /* pixels */
    int fixed;         /* the legend takes its room from the panels; else it may add height */
    int predicted;     /* the classes of hollow points are */
    int panel_count;
    picture_panel *panels;
    int class_count;
    const char **class_names;
} picture;

/* Draw it to `path`. Points whose label was known are filled, larger, with a dark outline and a
 * halo of the paper's color, and drawn last; the others are hollow, in the color of their class, or
 * gray without one. In a crowd they are translucent dots. A signal ends the process. Returns CLI_OK
 * or the exit status, with the error printed. */
int picture_save(const picture *pic, const char *path);

#endif
