/* embed.h - alternates columns that keep neighbors near with neighbors found in the embedding.
 *
 *   minimize  sum_ij p_ij^2 |W'x_i - W'x_j|^2 + alpha sum_ij s_ij^2 |W'x_i - W'x_j|^2
 *             over W and the weights
 *
 * P is within classes, S over all rows (graph/adaptive.h). Both half steps are exact minimizations,
 * so from weights that sum to 1 the objective never rises. Everything is computed in coordinates of
 * the directions in which rows differ, where the columns are orthonormal. */
#ifndef PEN_EMBED_H
#define PEN_EMBED_H

#include "scatter/scatter.h"
#include "solve/ratio.h"

/* The first graphs: nearest neighbors of the original rows, with equal weights; none, so that the
 * columns are principal axes; random. */
enum pen_embed_init { PEN_EMBED_ADJACENCY, PEN_EMBED_ZERO, PEN_EMBED_RANDOM };
/* The change that tol limits: of the objective per 1000 rows of unit length, if the rows are more
 * or longer; of the objective; relative to it. */
enum pen_embed_stop { PEN_EMBED_SCALED, PEN_EMBED_ABSOLUTE, PEN_EMBED_RELATIVE };

/* W'W = I, or W'S_t W = I with S_t the covariance of all rows. */
enum pen_embed_metric { PEN_EMBED_ORTHONORMAL, PEN_EMBED_WHITENED };

typedef struct pen_embedding {
    double alpha;
    int64_t within_neighbors, neighbors;
    enum pen_embed_init init;
    int64_t restarts; /* start t uses the seed of the request + t */
    double tol;
    enum pen_embed_stop stop;
    int64_t max_iter;
    double null_tol; /* leave out directions with less of the largest variance */
} pen_embedding;

/* Finds the columns, by default one fewer than the classes, at most the rank of S_t. Their
 * eigenvalues are those of the last projection, ascending; they sum to half of its objective. x has
 * labelled rows. Notes "rank", "within_neighbors_used", "classes_cut", with several starts
 * "restart", and the notes of pen_descent_note. PEN_RANK_TOO_SMALL, errors of pen_adaptive_open;
 * PEN_BAD_ARGUMENT: several equal starts.
 * Cost, with k = neighbors and rank r: per iteration n^2 dim flops for the search, n k r + 2 n r^2
 * for the scatter and order r^3. Memory: n (r + dim) doubles, and 56 bytes per entry of the
 * lists. */
pen_status pen_embed(pen_run *run, const char *method, const pen_problem *problem,
                     const pen_embedding *rules, enum pen_embed_metric metric,
                     const pen_request *request, pen_projection *out);

#endif
