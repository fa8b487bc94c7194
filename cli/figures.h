/* figures.h - the pictures of a page, as SVG inside of it. */
#ifndef FIGURES_H
#define FIGURES_H

#include <penumbra.h>

#include <stdio.h>

/* A share as a bar from 0 to 1 with its deviation, and a mark for chance. */
void figure_bar(FILE *page, double share, double deviation, double chance);

/* Mean accuracy over the number of dimensions; the best methods that have such a curve. Returns how
 * many have one. */
int figure_curves(FILE *page, const pen_comparison *found);

/* What a row is in a picture. */
enum { ROW_KNOWN, ROW_HELD_OUT, ROW_UNLABELLED };

/* Rows [n] in the first two of k dimensions, classes as colors and shapes: known rows filled,
 * held-out ones hollow, others gray. In one dimension classes are apart in height. A part of the
 * rows where there are many. */
void figure_rows(FILE *page, const char *title, int64_t n, int64_t k, const double *z,
                 const int32_t *classes, const char *kinds, int64_t class_count);

enum { FIGURE_ROWS = 3000 /* drawn at most */ };

/* The sign of class c of known or held-out rows, as in figure_rows; class_count: of unlabelled
 * ones. */
void figure_key(FILE *page, int64_t c, int kind);

#endif
