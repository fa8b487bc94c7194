/* picture_legend.h - the legend of a picture. */
#ifndef PICTURE_LEGEND_H
#define PICTURE_LEGEND_H

#include "pictures/picture.h"

/* What is in it, for the points that there are, and where it is: right of the panels or below them,
 * with names in full, in columns, and in a smaller font before anything is cut. */
void legend_place(const picture *pic, layout *lay);

/* As labels of gnuplot, which are drawn with the next plot. */
void legend_write(const layout *lay, FILE *script);

/* A name as a string of gnuplot; where it is wider than `room`, in LAYOUT_EM, its middle is left
 * out: names often differ at the end. */
void legend_name(FILE *script, const char *name, double room);

#endif
