/* sodrpac_oracle.h - sodrpac, clpp and sda once more, slow and literal: n x n tables of distances,
 * neighbors and weights, loops over all rows for every premise of a rule, Jacobi rotations.
 *
 * Of the library only the types of penumbra.h are used. Matrices are row-major and small; there is
 * no error handling beyond abort(). */
#ifndef SODRPAC_ORACLE_H
#define SODRPAC_ORACLE_H

#include "oracle/pairs_fit.h"

/* ---- tables [n x n]; free() them ---- */

double *table_distances(int64_t n, int64_t d, const double *x); /* squared */

/* 1 at (i, j) if j is among the k nearest of i, ties to the lower row. */
int *table_nearest(int64_t n, const double *distance2, int64_t k);

/* 1 if i is among the k nearest of j or j among those of i; if both are. */
int *table_union(int64_t n, const int *nearest);
int *table_mutual(int64_t n, const int *nearest);

/* How many rows are among the k nearest of both ends of a mutual pair; -1: no mutual pair. */
int *table_shared(int64_t n, const int *nearest);

/* exp(-distance2 / t) where the table is not 0. */
double *table_heat(int64_t n, const int *table, const double *distance2, double t);

/* I - K^-1/2 A K^-1/2, rows and columns of isolated rows 0. */
double *table_normalized_laplacian(int64_t n, const double *weights, int64_t *isolated);

/* diag(row sums) - A. */
double *table_laplacian(int64_t n, const double *weights);

/* x' m x [d x d]. */
double *table_scatter(int64_t n, int64_t d, const double *x, const double *m);

/* ---- cannot-links from must-links ---- */

enum {
    ORACLE_RULE_A = 1,
    ORACLE_RULE_B = 2,
    ORACLE_RULE_C = 4,
    ORACLE_RULE_D = 8,
    ORACLE_GIVEN = 16
};

typedef struct transformed {
    double *reliability; /* [n x n] -1: no cannot-link */
    int *rules;          /* [n x n] what derives the pair */
    int64_t pairs, by_rule[4], conflicts;
} transformed;

/* pairs: a table of 1, -1, 0 for must, cannot, nothing; near: a symmetric table. Every premise is
 * looked up in them. */
transformed transform_literally(int64_t n, const int *pairs, const int *near,
                                const double *distance2, double gamma, int only_if_no_enemy);
void transformed_free(transformed *t);

/* ---- fits ---- */

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
