/* picture_layout.h - where the panels and the legend of a picture are. Lengths are in pixels of a
 * picture of 1000 x 800; in a larger one all of them are larger. */
#ifndef PICTURE_LAYOUT_H
#define PICTURE_LAYOUT_H

#include "pictures/picture.h"

/* The axes of one panel: their ends and the distance of the numbers on them. */
typedef struct frame {
    double min[PICTURE_DIMS], max[PICTURE_DIMS], step[PICTURE_DIMS];
} frame;

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
    double margin_left;
    int columns, rows;
    legend names;
    int crowded;
    /* filled points, hollow points with a class, hollow points without one */
    int has_known, has_unknown, has_classless;
    int palest;         /* of the points */
    int64_t most_known; /* filled points of a panel */
} layout;

/* From the lower left corner. */
typedef struct rectangle {
    double left, right, bottom, top;
} rectangle;

static const double LAYOUT_FONT = 11; /* points */
static const double LAYOUT_EM = 16;   /* the size of a letter */
static const double LAYOUT_EDGE = 16, LAYOUT_BOTTOM = 58, LAYOUT_TOP = 16, LAYOUT_TITLE = 30;

/* Place everything; the axes into frames [panel_count]. Returns 0 when there is no memory; free()
 * names.entries in any case. */
int layout_make(const picture *pic, layout *lay, frame *frames);

/* Where the axes of panel p are. */
rectangle layout_panel(const picture *pic, const layout *lay, int p);

#endif
