/* reconstruct_family.h - literal versions of rssdr and npssdr: full tables of distances and
 * weights, sums over all pairs, elimination, Jacobi rotations.
 *
 * Only types and parameter tables of the library are used. Errors end in abort(). */
#ifndef RECONSTRUCT_FAMILY_H
#define RECONSTRUCT_FAMILY_H

#include "kit/options.h"

typedef struct rssdr_oracle {
    int64_t n, d, p, k;
    int difference;            /* npssdr: terms are added, Den is I */
    double *mean, *V;          /* [d], [d x p] */
    double *z;                 /* [n x p] */
    double *r2;                /* [n x n] */
    int64_t *nearest;          /* [n x k] */
    double *A;                 /* [n x n] */
    double *Sc, *Sm, *Sf, *Sr; /* [p x p] */
    double *Num, *Den;         /* [p x p] including the ridge; difference: the criterion, I */
    double *values, *W;        /* [p], [d x p] */
} rssdr_oracle;

/* Fits `text`, "METHOD NAME=VALUE ...", with the library's names and defaults; dim is ignored.
 * landmarks: the drawn rows if requested, or NULL. */
rssdr_oracle *rssdr_oracle_fit(const char *text, const pen_data *data, const int64_t *landmarks);

#endif
