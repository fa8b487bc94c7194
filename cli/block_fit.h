/* block_fit.h - a fit to files that are read in blocks. */
#ifndef BLOCK_FIT_H
#define BLOCK_FIT_H

#include "learn.h"

/* Whether the files [NULL-terminated] are larger than PENUMBRA_MEMORY; or several, or larger than
 * half of the memory there is, and the fit can be made so. */
int block_fit_wanted(const pen_spec *spec, const char *const *paths, const learning *in,
                     int *wanted);

/* Fit, save and report. `in` has the flags. */
int block_fit(const pen_spec *spec, const char *const *paths, learning *in);

#endif
