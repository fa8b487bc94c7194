/* picture.h - draws points in one or several panels, by gnuplot or in a page. */
#ifndef PICTURE_H
#define PICTURE_H

#include "base/lines.h"

#include "core/textbuf.h"

enum { PICTURE_DIMS = 3, PICTURE_NO_CLASS = -1 };

/* Opacity: at most PICTURE_HOLLOW for hollow points; filled points are opaque. */
enum { PICTURE_HOLLOW = 254, PICTURE_FILLED };

/* A panel of points. */
typedef struct picture_panel {
    const char *title; /* "": none */
    int64_t count;
    int dims;                /* 2 or 3 */
    line axes[PICTURE_DIMS]; /* [dims] names */
    double *points;          /* [count x dims], finite */
    int *classes;            /* [count]; PICTURE_NO_CLASS: not known */
    unsigned char *opacity;  /* [count]; PICTURE_FILLED: the label was known */

    /* More facts for a page. */
    unsigned char *known;         /* [count] the label was known */
    uint16_t *labels;             /* [count] known to the fit or not; UINT16_MAX: none */
    uint16_t *predicted;          /* [count] by a model, in the same form; NULL: none */
    uint16_t *probabilities;      /* [count] of that class, times UINT16_MAX; or NULL */
    const pen_table *rows;        /* row names and numbers */
    const pen_model *model;       /* the model that embeds the rows, or NULL */
    const double *mix;            /* as in loadings_of: maps dimensions to axes */
    int64_t column[PICTURE_DIMS]; /* the dimension, or the column of mix; -1: the row number */
} picture_panel;

typedef struct picture {
    int width, height; /* pixels */
    int fixed;         /* the legend shrinks the panels; else it may add height */
    int predicted;     /* hollow points have predicted classes */
    int panel_count;
    picture_panel *panels;
    int class_count;
    const char **class_names;
} picture;

/* Draw to `path` with gnuplot. Points with a known label are filled and larger, have a dark outline
 * and a halo, and are drawn last. Other points are hollow, in the color of their class, or gray
 * without one. Crowds are translucent dots. A signal ends the process. This function and those
 * below return CLI_OK, or the exit status after printing an error. */
int picture_save(const picture *pic, const char *path);

/* Write the page of a picture of `data`, embedded by `model` (NULL: none). */
int picture_page(const picture *pic, const char *data, const char *model, const char *path);

/* Write a page about `data`. `members` is the end of its JSON, with "}", and is freed. */
int page_write(const char *path, const char *data, pen_string *members);

/* ---- scripts for gnuplot ---- */

/* Open a temporary file, owned; NULL, with errno, on failure. */
FILE *gnuplot_file(void);

/* Write a command and a text as a gnuplot string, shortened in the middle to `most` letters, with
 * '?' for control characters and bytes that are not UTF-8. */
void gnuplot_text(FILE *script, const char *command, const char *text, int most);

/* Run a script (a temporary file; NULL: failed, with errno) and write the picture to `path`. A
 * signal ends the process. */
int gnuplot_draw(const char *path, FILE *script);

#endif
