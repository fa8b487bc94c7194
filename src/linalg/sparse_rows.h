/* sparse_rows.h - the block rows of sparse rows as a sparse matrix B, by rows and by columns:
 *
 *   B = scale (u v - origin),   X = B - 1 offset'
 *
 * with X the centered rows. X is never formed: products subtract what the offset adds. */
#ifndef PEN_SPARSE_ROWS_H
#define PEN_SPARSE_ROWS_H

#include "core/rows.h"
#include "linalg/sym.h"

/* In scratch memory, where it does not borrow from x, which is sparse. Cost: some operations for
 * each entry; memory: 12 to 24 bytes for each. */
pen_status pen_sparse_rows_open(pen_run *run, const pen_view *x, pen_sparse_rows *out);

/* The same for rows members[0 .. count) of x alone, or its first `count` rows if `members` is NULL:
 * row i is that of member i. transposed 0: by rows only; tops, rows and by_column are NULL. */
pen_status pen_sparse_rows_open_some(pen_run *run, const pen_view *x, const int64_t *members,
                                     int64_t count, int transposed, pen_sparse_rows *out);

/* Sets x->entries, unless it is set or x is dense: products of x then do without opening them anew.
 * They live as long as scratch memory of now. */
pen_status pen_sparse_rows_attach(pen_run *run, pen_view *x);

/* The entries of x: those attached, or opened in scratch memory as `own`. */
pen_status pen_sparse_rows_of(pen_run *run, const pen_view *x, pen_sparse_rows *own,
                              const pen_sparse_rows **out);

/* y = X V, y [n x k], V [d x k]. Cost: 2 k flops for each entry, 2 d k; memory: k doubles. */
pen_status pen_sparse_rows_multiply(pen_run *run, const pen_sparse_rows *s, int64_t k,
                                    const double *V, double *y);

/* G = X'y, G [d x k], y [n x k]. Cost: likewise, 2 n k. */
pen_status pen_sparse_rows_gather(pen_run *run, const pen_sparse_rows *s, int64_t k,
                                  const double *y, double *G);

/* G = XX' [n x n], both triangles. Columns with entries in more than a sixteenth of the rows
 * are multiplied as dense ones, the others by their entries: n^2 / 2 multiply-adds for each of the
 * first, c_j^2 / 2 for each of the others with c_j entries. Memory: as for pen_sym_add_gram. */
pen_status pen_sparse_rows_gram(pen_run *run, const pen_sparse_rows *s, double *G);

/* S += weight B'B, of size d. Rows with more than an eighth of the columns are multiplied as dense
 * ones, d^2 / 2 multiply-adds each; the others cost r_i^2 / 2 with r_i entries. */
pen_status pen_sparse_rows_scatter(pen_run *run, const char *phase, double weight,
                                   const pen_sparse_rows *s, pen_sym *S);

#endif
