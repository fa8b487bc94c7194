/* rssdr_oracle.h - rssdr and npssdr once more, slow and literal: whole tables of distances and
 * weights, sums over all pairs, elimination, Jacobi rotations.
 *
 * Of the library only the types of penumbra.h are used. Matrices are row-major and small; there is
 * no error handling beyond abort(). */
#ifndef RSSDR_ORACLE_H
#define RSSDR_ORACLE_H

#include <penumbra.h>

typedef struct rssdr_options {
    int difference; /* npssdr: terms are added, with mu */
    int original;   /* neighbors and weights of the rows themselves, not of the relative space */
    double alpha, beta, mu, lle_ridge, ridge;
    double pca; /* a fraction of the variance; 1: all there is */
    int64_t neighbors;
    int64_t landmark_count; /* 0: all rows */
    const int64_t *landmarks;
    int plain, mutual, unit;
} rssdr_options;

typedef struct rssdr_oracle {
    int64_t n, d, p, k;
    double *mean, *V;          /* [d], [d x p] */
    double *z;                 /* [n x p] */
    double *r2;                /* [n x n] */
    int64_t *nearest;          /* [n x k] */
    double *A;                 /* [n x n] */
    double *Sc, *Sm, *Sf, *Sr; /* [p x p] */
    double *Num, *Den;         /* [p x p] the ridge included; difference: the criterion, I */
    double *values, *W;        /* [p], [d x p] with the sign rule */
} rssdr_oracle;

rssdr_oracle *rssdr_oracle_fit(const pen_data *data, const rssdr_options *options);
void rssdr_oracle_free(rssdr_oracle *fit);

/* v' a v for a [p x p]. */
double rssdr_form(int64_t p, const double *a, const double *v);

#endif
