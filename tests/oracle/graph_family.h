/* graph_family.h - sodrpac, clpp and sda once more, slow and literal: graphs of neighbors next to
 * pairs or labels, n x n tables of distances, neighbors and weights.
 *
 * Of the library only the types and the tables of parameters are used. There is no error handling
 * beyond abort(). */
#ifndef GRAPH_FAMILY_H
#define GRAPH_FAMILY_H

#include "kit/literal_derivation.h"
#include "oracle/pairs_family.h"

/* What a fit came to; NULL or 0 where a method has no such thing. */
typedef struct graph_oracle {
    pair_oracle *fit;       /* of this: status, pairs, mean, basis, x, values, W, gives */
    double gamma, heat;     /* widths used */
    int64_t shared;         /* sodrpac: pairs in N_S, */
    int64_t isolated;       /* and rows without weight in the manifold */
    transformed derived;    /* sodrpac */
    double *SC, *SN, *SM;   /* [q x q] sodrpac, of centered rows */
    double *signed_weights; /* [n x n] clpp */
} graph_oracle;

/* Fit what `text` says, "METHOD NAME=VALUE ...", as the other oracles. */
graph_oracle *graph_oracle_fit(const char *text, const pen_data *data);
void graph_oracle_free(graph_oracle *g);

/* ---- what the methods share ---- */

/* The directions in which rows differ: an orthonormal basis [q x r]. */
double *graph_span_of_rows(int64_t n, const pair_oracle *f, int64_t *r);

/* Columns basis t_j [basis q x r, t r x r] with their values, in the order first, first + step ..;
 * `count` of them. */
void graph_set_columns(pair_oracle *f, int64_t r, const double *basis, const double *t,
                       const double *values, int64_t count, int64_t first, int64_t step);

/* The mean of a over the entries of a table that are not 0. */
double graph_mean_over(int64_t n, const int *table, const double *a);

/* ---- the methods; pairs: a table of 1, -1, 0 for must, cannot, nothing (sda: NULL) ---- */

void sodrpac_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                    const double *distances, graph_oracle *g);
void clpp_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                 const double *distances, graph_oracle *g);
void sda_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                const double *distances, graph_oracle *g);

#endif
