/* sparse_rows.h - the block rows of sparse rows as a sparse matrix B, by rows and by columns:
 *
 *   B = scale (u v - origin),   X = B - 1 offset'
 *
 * with X the centered rows. X is never formed: products subtract what the offset adds. */
#ifndef PEN_SPARSE_ROWS_H
#define PEN_SPARSE_ROWS_H

#include "core/rows.h"
#include "linalg/sym.h"

/* Opens the entries in scratch memory, or borrows them from x, which is sparse. Cost: a few
 * operations per entry; memory: 12 to 24 bytes per entry. */
pen_status pen_sparse_rows_open(pen_run *run, const pen_view *x, pen_sparse_rows *out);

/* The same for only rows members[0 .. count) of x, or its first `count` rows if `members` is NULL:
 * row i is that of member i. transposed 0: by rows only; tops, rows and by_column are NULL. */
pen_status pen_sparse_rows_open_some(pen_run *run, const pen_view *x, const int64_t *members,
                                     int64_t count, int transposed, pen_sparse_rows *out);

/* Sets x->entries, unless it is set or x is dense, so that products of x need not open them again.
 * They live as long as current scratch memory. */
pen_status pen_sparse_rows_attach(pen_run *run, pen_view *x);

/* The entries of x: attached ones, or opened in scratch memory as `own`. */
pen_status pen_sparse_rows_of(pen_run *run, const pen_view *x, pen_sparse_rows *own,
                              const pen_sparse_rows **out);

/* y = X V, y [n x k], V [d x k]. Cost: 2 k flops for each entry, 2 d k; memory: k doubles. */
pen_status pen_sparse_rows_multiply(pen_run *run, const pen_sparse_rows *s, int64_t k,
                                    const double *V, double *y);

/* G = X'y, G [d x k], y [n x k]. Cost: as above, but 2 n k. */
pen_status pen_sparse_rows_gather(pen_run *run, const pen_sparse_rows *s, int64_t k,
                                  const double *y, double *G);

/* G = XX' [n x n], both triangles. Columns with entries in more than a sixteenth of the rows are
 * multiplied as dense ones, at n^2 / 2 multiply-adds each; other columns with c_j entries cost
 * c_j^2 / 2. Memory: as for pen_sym_add_gram. */
pen_status pen_sparse_rows_gram(pen_run *run, const pen_sparse_rows *s, double *G);

/* S += weight B'B, of size d. Rows with more than an eighth of the columns are multiplied as dense
 * ones, at d^2 / 2 multiply-adds each; other rows with r_i entries cost r_i^2 / 2. */
pen_status pen_sparse_rows_scatter(pen_run *run, const char *phase, double weight,
                                   const pen_sparse_rows *s, pen_sym *S);

#endif
