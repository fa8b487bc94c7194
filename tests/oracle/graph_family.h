/* graph_family.h - literal versions of sodrpac, clpp and sda: neighbor graphs combined with pairs
 * or labels, n x n tables of distances, neighbors and weights.
 *
 * Only types and parameter tables of the library are used. Errors end in abort(). */
#ifndef GRAPH_FAMILY_H
#define GRAPH_FAMILY_H

#include "kit/literal_derivation.h"
#include "oracle/pairs_family.h"

/* The result of a fit; fields that a method does not use are NULL or 0. */
typedef struct graph_oracle {
    pair_oracle *fit;    /* of these: status, pairs, mean, basis, x, values, W, gives */
    double gamma, heat;  /* widths used */
    int64_t shared;      /* sodrpac: pairs in N_S, */
    int64_t isolated;    /* and rows without weight in the manifold */
    transformed derived; /* sodrpac */
    double weighted,
        unweighted;         /* sodrpac: sums of reliabilities, with weights of pairs and without */
    double *SC, *SN, *SM;   /* [q x q] sodrpac, of centered rows */
    double *signed_weights; /* [n x n] clpp */
} graph_oracle;

/* Fits `text`, "METHOD NAME=VALUE ...", like the other oracles. */
graph_oracle *graph_oracle_fit(const char *text, const pen_data *data);

/* ---- the methods; pairs: a table of 1, -1, 0 for must, cannot, none (sda: NULL) ---- */

void sodrpac_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                    const double *distances, graph_oracle *g);
void clpp_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                 const double *distances, graph_oracle *g);
void sda_oracle(const fit_options *o, const pen_data *data, const int *pairs,
                const double *distances, graph_oracle *g);

#endif
