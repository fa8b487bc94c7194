/* picture.h - a picture of points in one or several panels, drawn by gnuplot or in a page. */
#ifndef PICTURE_H
#define PICTURE_H

#include "base/lines.h"

#include "core/textbuf.h"

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

    /* What a page says besides. */
    unsigned char *known;         /* [count] the label was known */
    uint16_t *labels;             /* [count] given, if known or not; UINT16_MAX: none */
    uint16_t *predicted;          /* [count] by a model, likewise; NULL: it predicts none */
    uint16_t *probabilities;      /* [count] of that class, times UINT16_MAX; NULL likewise */
    const pen_table *rows;        /* their names and numbers */
    const pen_model *model;       /* that embeds them; NULL: none */
    const double *mix;            /* as of loadings_of: what axes are of its dimensions */
    int64_t column[PICTURE_DIMS]; /* the dimension, or the column of mix; -1: the row number */
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

/* Draw it to `path` by gnuplot. Points whose label was known are filled, larger, with a dark
 * outline and a halo of the paper's color, and drawn last; the others are hollow, in the color of
 * their class, or gray without one. In a crowd they are translucent dots. A signal ends the
 * process. Returns CLI_OK or the exit status, with the error printed; so do those below. */
int picture_save(const picture *pic, const char *path);

/* Write the page of a picture of `data`, by `model` (NULL: none). */
int picture_page(const picture *pic, const char *data, const char *model, const char *path);

/* Write a page about `data`, of whose JSON these are the last members, and "}"; they are freed. */
int page_write(const char *path, const char *data, pen_string *members);

/* ---- scripts for gnuplot ---- */

/* A temporary file, owned; NULL, with errno: there is none. */
FILE *gnuplot_file(void);

/* Write a command and text as a gnuplot string, its middle left out where it has more than `most`
 * letters; '?' for control characters and for bytes that are not UTF-8. */
void gnuplot_text(FILE *script, const char *command, const char *text, int most);

/* Draw what a script says, a temporary file (NULL: there is none, with errno), to `path`. A signal
 * ends the process. Returns CLI_OK or the exit status, with the error printed. */
int gnuplot_draw(const char *path, FILE *script);

#endif
