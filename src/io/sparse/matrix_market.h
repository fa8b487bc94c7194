/* matrix_market.h - the matrix exchange format of NIST. */
#ifndef PEN_MATRIX_MARKET_H
#define PEN_MATRIX_MARKET_H

#include "io/table/file_input.h"

int pen_is_matrix_market(const pen_input *input);

/* The reader (io/read.h). */
pen_status pen_read_matrix_market(pen_run *run, const pen_input *input,
                                  const pen_read_options *options, pen_table *table);

#endif
