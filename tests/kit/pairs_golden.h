/* pairs_golden.h - small sets of rows and pairs with fits by the pair methods, printed to ten
 * digits. */
#ifndef PAIRS_GOLDEN_H
#define PAIRS_GOLDEN_H

#include <stdint.h>

typedef struct golden_set {
    const char *name;
    int64_t n, d;
    const double *x; /* [n x d] */
    int64_t must_count;
    const int64_t *must; /* [must_count x 2] */
    int64_t cannot_count;
    const int64_t *cannot; /* [cannot_count x 2] */
} golden_set;

typedef struct golden_fit {
    const golden_set *set;
    const char *text;   /* method and parameters */
    int64_t dim;        /* requested dimensions */
    int64_t gives;      /* dimensions available, at most dim */
    int64_t listed;     /* the number of printed columns */
    int64_t stretched;  /* bwdr, wbdr: directions stretched or compressed */
    double values[4];   /* [listed] of pca: variances, divisor n */
    double columns[16]; /* [d x listed] */
} golden_fit;

int64_t golden_fit_count(void);
/* Valid until the next call; NULL after the last. */
const golden_fit *golden_fit_at(int64_t index);
const golden_set *golden_set_named(const char *name);

#endif
