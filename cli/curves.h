/* curves.h - accuracy over the number of dimensions, drawn for the report of compare. */
#ifndef CURVES_H
#define CURVES_H

#include "args.h"

/* Draw the mean accuracies of the best methods that have such a curve, and chance: *drawn as
 * picture_figure hands it over, *count how many there are. NULL and 0: no method has a curve.
 * Returns as picture_figure; `path` is the page. */
int curves_draw(const cli_args *args, const pen_comparison *found, const char *path, FILE **drawn,
                int *count);

#endif
