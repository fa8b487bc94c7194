/* block_fit.h - a fit to rows that are read in blocks. */
#ifndef BLOCK_FIT_H
#define BLOCK_FIT_H

#include "learn.h"

extern const cli_flag memory_flag[];

/* `penumbra fit METHOD` of a file that does not fit into memory: the model of all rows is written.
 * `in` has the flags of learn_options. */
int block_fit(const cli_args *args, const pen_spec *spec, const char *path, learning *in);

#endif
