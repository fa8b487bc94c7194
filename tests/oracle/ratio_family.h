/* ratio_family.h - pca, fda, lfda, self, reimplemented slowly and literally: one ratio of two
 * scatters of the coordinates.
 *
 * Each method fills B and C; all later steps are shared. Only the parameter tables of the library
 * are used. */
#ifndef RATIO_FAMILY_H
#define RATIO_FAMILY_H

#include "kit/coordinates.h"
#include "kit/dense.h"
#include "kit/literal_scatters.h"

enum oracle_metric { ORACLE_WEIGHTED, ORACLE_PLAIN, ORACLE_ORTHONORMAL };

/* The result of a fit. q: columns after preprocessing (the method's coordinates); 0, and nothing
 * else, if `pca` requests more than the rank or there are no columns to keep. */
typedef struct oracle {
    int64_t d, q;
    int64_t k;    /* eigenvalues above 0: dimensions the method gives */
    int singular; /* C is not positive definite: lambda, phi, T, W are undefined */
    enum oracle_metric metric;
    double *mean;    /* [d] of the rows after `row_steps` */
    double *basis;   /* [d x q] method coordinates = (row - mean) basis */
    double *unbasis; /* [q x d] its left inverse */
    double *B, *C;   /* [q x q] B phi = lambda C phi */
    double *lambda;  /* [q] descending, nonpositive values set to 0 */
    double *phi;     /* [q x q] phi' C phi = I, one a column */
    double *T;       /* [q x q] phi in the requested metric; only the first k columns count */
    double *W;       /* [d x q] basis T; likewise */
} oracle;

/* Fits `text`, "METHOD NAME=VALUE ...", with the names and defaults of the library; dim and
 * allow_fewer are read and ignored. y [n] may be NULL. */
oracle *oracle_fit(const char *text, int64_t n, int64_t d, const double *x, const int32_t *y);

#endif
