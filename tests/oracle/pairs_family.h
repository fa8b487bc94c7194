/* pairs_family.h - literal versions of the methods that learn from pairs alone: bwdr, wbdr, ssdr,
 * cmm, cfld, rca. They use a table of the known link of every two rows, double loops, Jacobi
 * rotations.
 *
 * Only types and parameter tables of the library are used. Errors end in abort(). */
#ifndef PAIRS_FAMILY_H
#define PAIRS_FAMILY_H

#include "kit/dense.h"
#include "kit/options.h"
#include "kit/tables.h"

/* An eigenvalue of a criterion below this fraction of the largest counts as 0, so that its basis
 * must be chosen. */
#define NULL_SPACE 1e-10

/* The result of a fit. q: columns after preprocessing (the method's coordinates). Values and
 * columns exist only if status is PEN_OK, or PEN_RANK_TOO_SMALL with gives > 0. */
typedef struct pair_oracle {
    pen_status status;
    int64_t must, cannot;              /* pairs in effect */
    double must_weight, cannot_weight; /* the sums of their weights */
    int weighted;                      /* the data has weights */
    double *weights;                   /* [n x n] of the pairs, */
    double *strengths;                 /* [n x n] and of chains of must-links */
    int64_t duplicates, contradictions;
    int64_t d, q;
    double *mean;    /* [d] */
    double *basis;   /* [d x q] method coordinates = (row - mean) basis */
    double *x;       /* [n x q] the rows in these coordinates */
    double *SB, *SW; /* [q x q] sums over the cannot-links and the must-links */
    double *St;      /* [q x q] covariance of all rows, divisor n */
    int64_t i_paper; /* bwdr, wbdr: directions kept by the threshold, */
    int64_t i, rank; /* directions that are stretched, and available, */
    double level;    /* the level they are stretched to; */
    double *lambda;  /* [q] eigenvalues of the stretched scatter, descending; */
    double *V;       /* [q x width] the leveling projection; cfld: the one that makes S_t = I */
    int64_t width;
    int64_t chunklets, chunklet_rows; /* cfld, rca */
    int64_t count;                    /* columns available */
    int64_t gives;                    /* columns of this fit: at most dim */
    double *values;                   /* [count] best first */
    double *ties;                     /* [count] the order of columns of value 0; otherwise 0 */
    double *W;                        /* [d x count] */
} pair_oracle;

/* Fits `text`, "METHOD NAME=VALUE ...", with the library's names and defaults, on doubles;
 * `sample_pairs` must be all. */
pair_oracle *pair_oracle_fit(const char *text, const pen_data *data);

/* ---- shared by the methods ---- */

/* The rows in the coordinates of the method: d, q, mean, basis, x. */
void pair_oracle_place(const fit_options *o, const pen_data *data, pair_oracle *f);

/* Sets the number of columns from the available ones and `dim`, and whether it is too small. */
void pair_oracle_count(const fit_options *o, pair_oracle *f);

/* bwdr, wbdr: eigenvalues of the scatter s, the number of stretched directions, and their target
 * level: f->lambda, rank, i_paper, i, level; the eigenvectors e. */
void pair_find_level(const fit_options *o, const double *s, pair_oracle *f, double *e);

/* Eigenvalues and eigenvectors of a, ascending. */
void pair_eigen_ascending(int64_t n, const double *a, double *values, double *u);

/* Columns from .. from + z - 1 of u [n x n] span an eigenspace. Rotates them to the eigenvectors of
 * diag(weight) restricted to it, ascending or (`up` 0) descending; stores the restricted
 * eigenvalues in ties. */
void pair_settle(int64_t n, int64_t from, int64_t z, const double *weight, int up, double *u,
                 double *ties);

/* `count` columns span u_j [span q x r, NULL: the identity; u r x r] with their values [r] and ties
 * (NULL: 0), the last first if `up`. */
void pair_set_columns(pair_oracle *f, int64_t r, const double *span, const double *u,
                      const double *values, const double *ties, int64_t count, int up);

/* cfld, rca: covariance within chunklets, and of the rows in them or, if `all`, of all rows. */
void pair_chunklet_scatters(int all, int64_t n, const int *table, pair_oracle *f, double *within,
                            double *total);

/* ---- the methods ---- */

void bwdr_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f);
void wbdr_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f);
void cfld_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f);
void rca_oracle(const fit_options *o, int64_t n, const int *table, pair_oracle *f);

#endif
