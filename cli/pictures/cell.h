/* cell.h - one value of an array. */
#ifndef CLI_CELL_H
#define CLI_CELL_H

#include <penumbra.h>

/* Value (i, j) of dense or sparse rows. */
double cli_cell(const pen_array *x, int64_t i, int64_t j);

#endif
