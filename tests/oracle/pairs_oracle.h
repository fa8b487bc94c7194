/* pairs_oracle.h - the methods that learn from pairs once more, slow and literal: a table of what
 * is known of every two rows, double loops over it, Jacobi rotations.
 *
 * Of the library only the types of penumbra.h are used. Matrices are row-major and small; there is
 * no error handling beyond abort(). */
#ifndef PAIRS_ORACLE_H
#define PAIRS_ORACLE_H

#include <penumbra.h>

/* What a fit came to. q: columns after preprocessing (the method's coordinates). Unless status is
 * PEN_OK, or PEN_RANK_TOO_SMALL with gives > 0, there are no values and no columns. */
typedef struct pair_oracle {
    pen_status status;
    int64_t must, cannot; /* pairs that count */
    int64_t duplicates, contradictions;
    int64_t d, q;
    double *mean;    /* [d] */
    double *basis;   /* [d x q] method coordinates = (row - mean) basis */
    double *x;       /* [n x q] the rows in them */
    double *SB, *SW; /* [q x q] sums over the cannot-links and the must-links */
    double *St;      /* [q x q] covariance of all rows, divisor n */
    int64_t i_paper; /* bwdr, wbdr: directions kept by the threshold, */
    int64_t i, rank; /* directions that are stretched, and there are, */
    double level;    /* what they are stretched to; */
    double *lambda;  /* [q] eigenvalues of the stretched scatter, descending; */
    double *V;       /* [q x width] the levelling map; cfld: what makes the total scatter I */
    int64_t width;
    int64_t chunklets, chunklet_rows; /* cfld, rca */
    int64_t count;                    /* columns there are */
    int64_t gives;                    /* columns of this fit: at most dim */
    double *values;                   /* [count] best first */
    double *ties;                     /* [count] what orders columns of value 0: 0 for the others */
    double *W;                        /* [d x count] with the sign rule */
} pair_oracle;

/* Fit what `text` says, "METHOD NAME=VALUE ...", with the names and defaults of the library, but
 * not normalize. Rows are doubles; data->sample must be NULL. Free with pair_oracle_free. */
pair_oracle *pair_oracle_fit(const char *text, const pen_data *data);
void pair_oracle_free(pair_oracle *fit);

/* What is known of rows i and j [n x n]: 1 must-link, -1 cannot-link, 0 nothing; free() it. NULL,
 * and the reason, if the pairs contradict each other. duplicates and contradictions may be NULL. */
int *pair_table(const pen_data *data, pen_status *status, int64_t *duplicates,
                int64_t *contradictions);

/* The chunklet of every row [n] under such a table, -1: none; numbered from 0 by their first rows.
 * free() it. */
int64_t *pair_chunklets(int64_t n, const int *table, int64_t *count);

/* sum of (x_i - x_j)(x_i - x_j)' over the pairs i < j of one kind: s [d x d]. */
void pair_scatter(int64_t n, int64_t d, const double *x, const int *table, int kind, double *s);

/* v' a v [k x k] of a [d x d], v [d x k]; free() it. */
double *pair_project(int64_t d, int64_t k, const double *a, const double *v);

#endif
