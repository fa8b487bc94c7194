/* row_weights.h - the flag --weights of evaluate, tune and compare. */
#ifndef ROW_WEIGHTS_H
#define ROW_WEIGHTS_H

#include "learn.h"

/* Estimate the weights of the rows read from `data_path`, or read them from a file, into
 * `protocol`, and say what they are worth. Without the flag *out is NULL, and nothing is done. Free
 * *out with free after the last use of `protocol`. */
int weights_read(const cli_args *args, const char *data_path, const learning *in,
                 pen_protocol *protocol, double **out);

/* The number of held-out rows of equal weight that these are worth. */
int64_t weights_effective(const pen_data *data, const pen_protocol *protocol, int64_t held_out);

#endif
