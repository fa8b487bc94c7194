/* graph_terms.h - scatters of graphs of rows that are not here (pen_rows.moments).
 *
 * A fit runs twice. The first time the graphs that it has scatters of are written down, and it ends
 * before anything is solved. The second time their scatters, which were computed where the rows
 * are, are taken in the same order. */
#ifndef PEN_GRAPH_TERMS_H
#define PEN_GRAPH_TERMS_H

#include "core/rows.h"
#include "linalg/sym.h"

enum { PEN_TERMS_MOST = 8, PEN_TERM_CHECKS = 3 };

/* The scatter X'(diag(a) - A)X of all n rows: of edges {i, j}, i < j, which are numbers first[i] ..
 * first[i + 1] - 1, ascending in j, and of the rows by themselves, with `rest`. Or affinities of
 * all pairs by local scaling with `sigma`, of which there are two scatters, with the Laplacian and
 * with the degrees. */
typedef struct pen_term {
    const int64_t *first; /* [n + 1] or NULL: no edges */
    const int64_t *other;
    const double *weight;
    const double *rest;  /* [n] a_i less the degree of i, or NULL: 0 */
    const double *sigma; /* [n] or NULL */
} pen_term;

/* Sums of what is about the mean of all rows: those of the pairs {i, j} with A_ij of
 * (x_i - x_j)(x_i - x_j)', and those of the rows with r_i = rest. */
typedef struct pen_term_sums {
    const double *scatter; /* packed [d (d + 1) / 2]: of pairs, and r_i x_i x_i' */
    const double *vector;  /* [d] of r_i x_i */
    const double *squares; /* [d] of |a_i| x_ij^2 */
    double mass;           /* of r_i */
} pen_term_sums;

/* The scatters of soft classes, to which rows belong in part: their masses, their means less the
 * mean of all rows, and the scatter of all rows about the means of their classes. */
typedef struct pen_soft_sums {
    int64_t classes;
    const double *mass;   /* [classes] */
    const double *mean;   /* [classes x d] */
    const double *within; /* packed [d (d + 1) / 2] */
} pen_soft_sums;

/* The scatter of the residuals of all rows from combinations of their neighbors. */
typedef struct pen_residual_sums {
    double neighbors, lle_ridge; /* with which they were found */
    double noise;                /* by how much rounding errors of rows grow (scatter/scatter.h) */
    const double *scatter;       /* packed [d (d + 1) / 2] */
} pen_residual_sums;

typedef struct pen_terms {
    pen_run *keeper; /* in whose scratch memory graphs are written down */
    int writing;
    int ended; /* the fit has come to what it solves */
    int64_t n, edges;
    int64_t count; /* terms written */
    pen_term term[PEN_TERMS_MOST];
    double check[PEN_TERMS_MOST + 1][PEN_TERM_CHECKS];

    int64_t classes;     /* soft classes written, or 0 */
    const double *share; /* [n x classes] of each row in them */
    double share_check[PEN_TERM_CHECKS];

    const pen_soft_sums *soft; /* what is known of soft classes; or NULL */
    const double *soft_check;  /* [PEN_TERM_CHECKS] */

    const pen_residual_sums *residuals; /* what is known of them; or NULL */

    int64_t known; /* sums there are */
    pen_term_sums sums[PEN_TERMS_MOST + 1];
    const double *known_check; /* [known x PEN_TERM_CHECKS] */
    int64_t *taken;            /* how many were taken; of all coordinates together */
} pen_terms;

/* The number of sums of a term. */
static inline int pen_term_results(const pen_term *term)
{
    return term->sigma ? 2 : 1;
}

/* Numbers that tell whether two terms are the same up to rounding. */
void pen_term_check(int64_t n, const pen_term *term, double check[PEN_TERM_CHECKS]);

/* Writes the term down, and *sums is NULL; or *sums: what is known of it. PEN_BAD_ARGUMENT: nothing
 * is known, or of another graph; PEN_NO_MEMORY. */
pen_status pen_terms_next(pen_run *run, const pen_rows *x, const pen_term *term,
                          const pen_term_sums **sums);

/* The same for soft classes, F [n x c] the shares of all rows. */
pen_status pen_terms_soft(pen_run *run, const pen_rows *x, const double *F, int64_t c,
                          const pen_soft_sums **sums);

/* The same for residuals, which no graph is written down for. */
pen_status pen_terms_residuals(pen_run *run, const pen_rows *x, int64_t neighbors, double lle_ridge,
                               const pen_residual_sums **sums);

/* S += weight times the sums in the units of x, of rows about their mean, or measured from c [d].
 * NULL: S gets an identity in their place, for the fit will not solve it. */
void pen_terms_add(const pen_rows *x, double weight, const pen_term_sums *sums, const double *c,
                   pen_sym *S);

/* The sums in the coordinates of `basis` [q x d]; the same object while graphs are written down. */
pen_status pen_terms_project(pen_run *run, pen_terms *terms, int64_t d, const double *basis,
                             int64_t q, pen_terms **out);

#endif
