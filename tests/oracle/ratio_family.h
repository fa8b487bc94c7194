/* ratio_family.h - literal versions of pca, fda, lfda and self as a ratio of two scatters. Each
 * method fills B and C; the remaining steps are shared. Only parameter tables of the library are
 * used. */
#ifndef RATIO_FAMILY_H
#define RATIO_FAMILY_H

#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/literal_scatters.h"

enum oracle_metric { ORACLE_WEIGHTED, ORACLE_PLAIN, ORACLE_ORTHONORMAL };

/* The result of a fit. q: columns after preprocessing (the method's coordinates). 0, and nothing
 * else, if `pca` requests more than the rank or no column remains. */
typedef struct oracle {
    int64_t d, q;
    int64_t k;    /* positive eigenvalues: the dimensions of the method */
    int singular; /* C is not positive definite: lambda, phi, T, W are undefined */
    enum oracle_metric metric;
    double *mean;    /* [d] of the rows after `row_steps` */
    double *basis;   /* [d x q] method coordinates = (row - mean) basis */
    double *unbasis; /* [q x d] its left inverse */
    double *B, *C;   /* [q x q] B phi = lambda C phi */
    double *lambda;  /* [q] descending, negative values set to 0 */
    double *phi;     /* [q x q] columns with phi' C phi = I */
    double *T;       /* [q x q] phi in the requested metric; only the first k columns are valid */
    double *W;       /* [d x q] basis T; only the first k columns are valid */
} oracle;

/* Fits `text`, "METHOD NAME=VALUE ...", with the library's names and defaults; dim and allow_fewer
 * are ignored. y [n] may be NULL. */
oracle *oracle_fit(const char *text, int64_t n, int64_t d, const double *x, const int32_t *y);

#endif
