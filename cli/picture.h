/* picture.h - a picture of points in one or several panels, written as a gnuplot script. */
#ifndef PICTURE_H
#define PICTURE_H

#include "cli.h"

enum { PICTURE_DIMS = 3, PICTURE_NO_CLASS = -1, PICTURE_NUMBER = 32 };

/* One set of points. */
typedef struct picture_panel {
    const char *title; /* or NULL */
    int64_t count;
    int dims; /* 2 or 3 */
    /* the points of each class are joined by a line, in their order; every point has a class, and
     * the horizontal axis counts */
    int joined;
    double baseline;                      /* a horizontal line, */
    const char *baseline_name;            /* and what it is; NULL: none */
    const char *axis_names[PICTURE_DIMS]; /* [dims] */
    /* where they are kept if the columns have no names */
    char axis_numbers[PICTURE_DIMS][PICTURE_NUMBER];
    double *points; /* [count x dims], finite */
    /* [count] class of each point, PICTURE_NO_CLASS: not known */
    int *classes;
    /* [count] 1: the label was known in training */
    char *known;
} picture_panel;

/* How large letters and marks are, and where the legend is. */
typedef enum picture_use {
    PICTURE_GROWS,  /* by the area; it is higher if the legend is below */
    PICTURE_FIXED,  /* by the area; the legend takes its room from the panels */
    PICTURE_ON_PAGE /* by the width, readable on a phone; the page has the legend */
} picture_use;

typedef struct picture {
    int width, height; /* pixels */
    picture_use use;
    int svg;     /* else png */
    int crowded; /* drawn as a crowd however few points there are: a part of a crowded picture */
    int panel_count;
    picture_panel *panels;
    int class_count;
    const char *const *class_names;
    /* what filled and hollow points are in the legend */
    const char *filled_name, *hollow_name;
} picture;

/* What a script draws. An SVG of many points is drawn in two steps: they are an image in it. */
typedef enum picture_part {
    PICTURE_WHOLE,
    PICTURE_FRAME, /* axes and legend, without grid and points */
    PICTURE_IMAGE  /* grid and points, as a transparent png */
} picture_part;

/* Whether there are more than 20 000 points, which are drawn as translucent dots. */
int picture_is_crowded(const picture *pic);

/* Write the script that draws it. Returns 0 when there is no memory. */
int picture_write(const picture *pic, picture_part part, FILE *script);

#endif
