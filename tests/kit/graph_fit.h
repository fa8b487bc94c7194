/* graph_fit.h - compares models of sodrpac, clpp and sda with their expected values. */
#ifndef GRAPH_FIT_H
#define GRAPH_FIT_H

#include "kit/pairs_fit.h"
#include "oracle/graph_family.h"

/* The library's fit matches the oracle's, with the same numbers in its info, or fails with the same
 * status. The oracle fits `data`, the library `of` (NULL: the same). */
void check_like_graph_oracle(const char *text, const pen_data *data, const pen_data *of,
                             double tolerance);

/* Every text on every shape of rows with pairs; only labels if `pairs` is 0. */
void check_all_graph_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats,
                            int pairs);

/* Columns [d x k] and values printed to ten digits. */
void check_graph_printed(const char *text, const pen_data *data, int64_t k, const double *values,
                         const double *columns, double tolerance);

/* The order of rows, of pairs and of their ends, duplicate pairs, and the position of the origin
 * make no difference; a rotation of the rows rotates the columns; rows times 3 give columns times
 * column_factor and values times value_factor; floats, bytes and rows with gaps give the same
 * result as doubles; the number of threads does not change a bit. `scaled`: the text for rows times
 * 3. */
void check_graph_invariances(const char *text, const char *scaled, uint64_t tag,
                             double column_factor, double value_factor, int pairs);

#endif
