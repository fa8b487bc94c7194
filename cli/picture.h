/* picture.h - a picture of points in one or several panels, written as a gnuplot script. */
#ifndef PICTURE_H
#define PICTURE_H

#include "cli.h"

enum { PICTURE_DIMS = 3, PICTURE_NO_CLASS = -1, PICTURE_NUMBER = 32 };

/* One set of points. */
typedef struct picture_panel {
    const char *title; /* or NULL */
    int64_t count;
    int dims;                             /* 2 or 3 */
    const char *axis_names[PICTURE_DIMS]; /* [dims] */
    /* where they are kept if the columns have no names */
    char axis_numbers[PICTURE_DIMS][PICTURE_NUMBER];
    double *points; /* [count x dims], finite */
    /* [count] class of each point, PICTURE_NO_CLASS: not known */
    int *classes;
    /* [count] 1: the label was known in training */
    char *known;
} picture_panel;

typedef struct picture {
    int width, height; /* pixels */
    int fixed;         /* the legend takes its room from the panels; else it may add height */
    int svg;           /* else png */
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
