/* picture.h - a picture of points in one or several panels, written as a gnuplot script. Lengths
 * are in pixels of a picture of 1000 x 800; in a larger one all of them are larger. */
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

/* In the legend: whatever the class. */
enum { ANY_CLASS = PICTURE_NO_CLASS - 1 };

typedef struct legend_entry {
    const char *name;
    int class_index; /* or PICTURE_NO_CLASS, ANY_CLASS */
    int pale;        /* as of points */
} legend_entry;

typedef struct legend {
    int count; /* 0: no legend */
    legend_entry *entries;
    int below; /* else right of the panels */
    double font;
    int columns, lines;
    double column_width, line_height, name_width; /* longer names are cut */
    int shown;                                    /* the others are counted in one more line */
    double width, height;                         /* right of the panels, or below them */
} legend;

typedef struct layout {
    double scale; /* pixels of a usual one */
    double width, height;
    int columns, rows; /* of panels */
    legend names;
    int crowded;
    /* filled points, hollow points with a class, hollow points without one */
    int has_known, has_unknown, has_classless;
    int palest;         /* of the points */
    int64_t most_known; /* filled points of a panel */
} layout;

static const double LAYOUT_FONT = 11; /* points */
static const double LAYOUT_EM = 16;   /* the size of a letter */
static const double LAYOUT_EDGE = 16, LAYOUT_TOP = 16;

/* Whether there are more than 20 000 points, which are drawn as translucent dots. */
int picture_is_crowded(const picture *pic);

/* Write the script that draws it. */
void picture_write(const picture *pic, FILE *script);

#endif
