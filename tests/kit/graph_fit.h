/* graph_fit.h - models of sodrpac, clpp and sda compared with what they should be. */
#ifndef GRAPH_FIT_H
#define GRAPH_FIT_H

#include "kit/pairs_fit.h"
#include "oracle/graph_family.h"

/* The library's fit is the oracle's, with the same numbers in its info, or fails as it does. The
 * oracle fits `data`, the library `of` (NULL: the same). */
void check_like_graph_oracle(const char *text, const pen_data *data, const pen_data *of,
                             double tolerance);

/* Every text on every shape of rows with pairs; labels alone if `pairs` is 0. */
void check_all_graph_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats,
                            int pairs);

/* Columns [d x k] and values of ten printed digits. */
void check_graph_printed(const char *text, const pen_data *data, int64_t k, const double *values,
                         const double *columns, double tolerance);

/* The order of rows, of pairs and of their ends, pairs said twice, the place of the origin make no
 * difference; a rotation of the rows rotates the columns; rows times 3 give columns times
 * column_factor and values times value_factor; floats, bytes and rows with gaps give what doubles
 * give; the number of threads makes no difference to any bit. `scaled`: the text at rows times
 * 3. */
void check_graph_invariances(const char *text, const char *scaled, uint64_t tag,
                             double column_factor, double value_factor, int pairs);

#endif
