/* graph_golden.h - small sets of rows and pairs with fits by sodrpac and clpp, printed to ten
 * digits. */
#ifndef GRAPH_GOLDEN_H
#define GRAPH_GOLDEN_H

#include <penumbra.h>

typedef struct graph_set {
    int64_t n, d, dim;
    const double *x; /* [n x d] */
    int64_t must_count;
    const int64_t *must;
    int64_t cannot_count;
    const int64_t *cannot;
    /* "i-j:count ...": mutual three-nearest pairs and their number of shared neighbors */
    const char *shared;
} graph_set;

typedef struct sodrpac_case {
    const char *set, *text; /* method and parameters */
    double gamma;
    /* "i-j:reliability:letters ...": the rules that derive each pair; o: given */
    const char *derived;
    double SC[9], SN[9], SM[9];   /* [d x d] */
    double columns[6], values[2]; /* [d x dim], [dim] */
} sodrpac_case;

typedef struct clpp_case {
    const char *set, *text;
    double heat;
    const char *weights; /* "i-j:weight ...", empty: not printed */
    double columns[6], values[2];
} clpp_case;

/* "s1", "s2" or "s3" of pairs_golden.h. */
const graph_set *graph_set_named(const char *name);
pen_data graph_set_data(const graph_set *g);
const sodrpac_case *sodrpac_case_at(int64_t index); /* terminated by NULL */
const clpp_case *clpp_case_at(int64_t index);

#endif
