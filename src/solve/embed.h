/* embed.h - columns that bring neighbors near, and neighbors found in the embedding, in turn.
 *
 *   minimize over W and the weights
 *       sum_ij p_ij^2 |W'x_i - W'x_j|^2 + alpha sum_ij s_ij^2 |W'x_i - W'x_j|^2
 *
 * P within classes, S over all rows, as graph/adaptive.h has them. Both parts are exact
 * minimizations, so that from weights which sum to 1 the sum only falls. All happens in the
 * coordinates of the directions in which rows differ, where the columns are orthonormal. */
#ifndef PEN_EMBED_H
#define PEN_EMBED_H

#include "solve/ratio.h"
#include "scatter/scatter.h"

/* The lists to begin with: the nearest of the rows as they are, with equal weights; none, and the
 * principal axes for columns; any. */
enum pen_embed_init { PEN_EMBED_ADJACENCY, PEN_EMBED_ZERO, PEN_EMBED_RANDOM };
enum pen_embed_stop { PEN_EMBED_ABSOLUTE, PEN_EMBED_RELATIVE };

/* W'W = I, or W'S_t W = I with S_t the covariance of all rows. */
enum pen_embed_metric { PEN_EMBED_ORTHONORMAL, PEN_EMBED_WHITENED };

typedef struct pen_embedding {
    double alpha;
    int64_t within_neighbors, neighbors;
    int strict;
    enum pen_embed_init init;
    int64_t restarts, seed; /* start t is the one that seed + t has on its own */
    double tol;
    enum pen_embed_stop stop;
    int64_t max_iter;
    double null_tol; /* directions of no more than so much of the largest variance are none */
} pen_embedding;

/* The columns; their eigenvalues are those of the last projection, ascending, half of what the
 * lists then came to. As many as are wanted of the rank of S_t, or one less than the classes. Notes
 * "rank", "within_neighbors_used", "classes_cut", with several starts "restart", and what alternate
 * notes and traces.
 * PEN_NO_LABELS, PEN_RANK_TOO_SMALL, errors of pen_adaptive_open; PEN_BAD_ARGUMENT: several starts
 * that are all the same. Cost, with k = neighbors: an iteration n^2 dim flops for the search, n k r
 * + 2 n r^2 for the scatter and order r^3, r the rank. Memory: n (r + dim) doubles, and 56 bytes an
 * entry of the lists. */
pen_status pen_embed(pen_run *run, const char *method, const pen_rows *x,
                     const pen_embedding *rules, enum pen_embed_metric metric,
                     const pen_request *request, pen_map *out);

#endif
