/* row_gram.h - products of the rows with each other. */
#ifndef PEN_ROW_GRAM_H
#define PEN_ROW_GRAM_H

#include "core/rows.h"

/* G = Xc Xc' [n x n], both triangles; Xc the centered rows [n x d], in double. Cost: n^2 d flops;
 * memory: 24 MB, or 256 n doubles for each thread, or n^2 doubles, whichever is most. Sparse rows:
 * pen_sparse_rows_gram. */
pen_status pen_rows_gram(pen_run *run, const pen_view *x, double *G);

#endif
