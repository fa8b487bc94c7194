/* reduce.h - reduces rows to fewer coordinates: the span of the centered rows, or their principal
 * components. */
#ifndef PEN_REDUCE_H
#define PEN_REDUCE_H

#include "core/rows.h"
#include "linalg/eig.h"

/* S += weight * sum of (x - m)(x - m)', the scatter of all rows about their mean m. Cost: n d^2
 * flops. */
pen_status pen_rows_scatter(pen_run *run, const pen_view *x, double weight, pen_sym *S);

/* All eigenvectors of the scatter of all rows, with sums in double; vectors are read-only. Cost: n
 * d^2 and d^3, once if there is a cache. */
typedef struct pen_axes {
    pen_eig eig;
    double trace; /* of the scatter */
} pen_axes;
pen_status pen_rows_axes(pen_run *run, const pen_view *x, pen_axes *out);

/* Which components. */
typedef struct pen_components {
    double pca;   /* as in pen_common: a fraction of the variance, a count, or infinity: the rank */
    int64_t most; /* maximum number; 0: no limit */
    int unit;     /* 1: divided by the root mean square of all coordinates, one number */
    /* 1: all components of n >= d rows, from the rows and not their products, so that directions
     * keep their digits however small their variance; a direction counts if it is above the
     * rounding of the columns it depends on. Ignored for more than 1024 columns */
    int graded;
} pen_components;

/* How components are found. */
enum pen_route {
    PEN_ROUTE_SCATTER, /* an eigenproblem of the scatter of the columns, d <= n */
    PEN_ROUTE_GRAM,    /* of the products of rows, n < d (linalg/svd_of_products.h) */
    PEN_ROUTE_PRODUCTS /* of the smaller of both, which is not formed (linalg/lanczos.h) */
};
extern const char *const pen_route_names[];

/* Above this number of rows and of columns, neither matrix is formed. */
enum { PEN_BOTH_LARGE = 8192 };

/* 1 if there are more rows and more columns than that. */
static inline int pen_rows_are_large(const pen_view *x)
{
    return x->n > PEN_BOTH_LARGE && x->d > PEN_BOTH_LARGE;
}

/* y = V' scale (u v - mean), where V [d x q] has orthonormal columns, in order of descending
 * variance; with `unit` all divided by one number. */
typedef struct pen_reduction {
    int64_t q;
    double *V; /* [d x q], multiplied by the column scale: applies to centered, unscaled rows */
    double *A; /* [n x q], if V is not formed: V = scale Xc'A, Xc the centered rows; else NULL */
    double retained; /* fraction of the total variance retained */
    double size;     /* root mean square of the coordinates, before `unit` */
    enum pen_route route;
    /* by products: their number, restarts, and the largest residual relative to the largest
     * eigenvalue */
    int64_t products, restarts;
    double residual;
} pen_reduction;

/* Reduces the rows of x; `out` holds the rows in the new coordinates. With n >= d the d x d scatter
 * of the columns is decomposed, and a direction counts if its variance is above max(n, d) epsilon
 * times the largest. With n < d the rows are decomposed (linalg/svd_of_products.h), and a direction
 * counts if its standard deviation is above d epsilon times the largest. If n and d are above
 * PEN_BOTH_LARGE, products are used, for a count or a fraction, or `most`; residuals are at most
 * 1e-10 of the largest variance, and a variance counts as with n >= d. PEN_RANK_TOO_SMALL: all rows
 * are equal, or a count exceeds the rank. PEN_BAD_ARGUMENT: a fraction takes more than 2048
 * components by products; or all components of large sparse rows. Cost: n d^2 flops and an
 * eigenproblem of size d, and 2 n d q flops for the coordinates; or n^2 d flops and an eigenproblem
 * of size n; or that of pen_lanczos_solve. Memory: 5 d^2 + n q doubles, or 5 n^2, or that of
 * pen_lanczos_solve and d q. */
pen_status pen_rows_components(pen_run *run, const pen_view *x, const pen_components *asked,
                               pen_reduction *reduction, pen_view *out);

/* out = V W [d x k] for W [q x k], with x the rows before reduction. Cost: 2 d q k flops, or 2 n (d
 * + q) k. */
pen_status pen_reduction_unfold(pen_run *run, const pen_view *x, const pen_reduction *reduction,
                                int64_t k, const double *W, double *out);

/* out = V'v [q] for v [d]. Cost: 2 d q flops, or 2 n (d + q). */
pen_status pen_reduction_project(pen_run *run, const pen_view *x, const pen_reduction *reduction,
                                 const double *v, double *out);

#endif
