/* block_way.h - which parameters a method can be fitted with from sums of its rows. */
#ifndef BLOCK_WAY_H
#define BLOCK_WAY_H

#include "flags/args.h"

/* *enough: sums over the rows, with the distances of labelled rows to their nearest, are enough for
 * the method with these parameters; `labelled`: there are labels or pairs. Looks at no row. */
int block_way_sums(const cli_args *args, const pen_spec *spec, int labelled, int threads,
                   int *enough);

#endif
