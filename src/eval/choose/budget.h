/* budget.h - what trials cost, in multiply-adds by the formulas of the methods, and so what fits
 * into a budget: a matter of sizes and settings, not of the speed or the load of a machine. */
#ifndef PEN_BUDGET_H
#define PEN_BUDGET_H

#include "eval/trials/trials.h"
#include "methods/method_params.h"

/* ---- costs ---- */

/* What the letters of a formula (pen_method.cost) stand for: rows, labelled rows, columns (or
 * components, where there are fewer), neighbors of a row, classes, pairs that are listed or drawn,
 * iterations. It is a sum of products of whole numbers and letters, which may have a power:
 * "n l d + n d^2 + 10 d^3". Blanks stand between factors, " + " between products. */
typedef struct pen_sizes {
    double n, l, d, k, c, p, t;
} pen_sizes;

/* Multiply-adds, roughly; NaN if the text is no formula. */
double pen_cost_of(const char *formula, const pen_sizes *sizes);

/* The sizes of the data of a fit. */
typedef struct pen_costs {
    pen_sizes sizes; /* without k, which a method has */
    int shared;      /* 1: components are computed once for all fits */
} pen_costs;

pen_status pen_costs_open(pen_run *run, const pen_data *data, pen_costs *out);

/* A fit of `spec`. Pairs that a sample draws from labels count as drawn. Where `pca` is a fraction
 * half of the components are assumed. */
double pen_costs_fit(const pen_costs *costs, const pen_spec *spec);

/* Fit and embed the rows in a trial. */
double pen_costs_trial(const pen_costs *costs, const pen_spec *spec);

/* Read them by a classifier, not auto, that classifies that many rows. */
double pen_costs_classifier(const pen_costs *costs, const pen_spec *spec,
                            enum pen_classifier_kind kind, int64_t classified);

/* ---- shares of a budget ---- */

/* What is tried of a method. */
typedef struct pen_share {
    double trial;         /* the cost of a trial */
    int64_t grid;         /* the number of combinations of parameter values */
    int tried;            /* 0: left out, its trials cost too much */
    int64_t combinations; /* to try in each trial and on all rows; 0: the given values only */
} pen_share;

/* Share a budget by the costs and grids in shares [count]: set `tried` and `combinations`, and the
 * number of trials, *trials at most. The trials of the cheapest methods take up to half of the
 * budget; those that cost no more than a fiftieth of it are always made. There are fewer trials
 * where otherwise more than half of the methods would be left out. What remains is for tuning, by
 * `inner` trials (0: none) in each trial and on all rows, the same for each method; what a method
 * with few combinations does not need is shared by the others. order [count]: methods, cheapest
 * first. */
void pen_plan_shares(double budget, int64_t inner, int64_t count, pen_share *shares, int64_t *order,
                     int64_t *trials);

/* ---- components ---- */

/* The value of `pca` with which trials begin where there are many columns: scatters and graphs of
 * few labels say little about them. NULL: there are not many. fewest: the number of rows in the
 * smallest fit. kernel: coordinates of this kernel take the place of the columns; or NULL. */
pen_status pen_plan_components(pen_run *run, const pen_array *x, int64_t fewest,
                               const pen_kernel_params *kernel, const char **pca);

/* Is the parameter set, or are there values to try? */
int pen_plan_is_asked(const pen_spec *spec, const char *name);

/* Sets, of a spec with a kernel, fewer landmarks where there are very many rows, and `pca` where
 * there are many coordinates, unless that is set or the method takes many. */
pen_status pen_plan_kernel(pen_run *run, const pen_array *x, int64_t fewest, pen_spec *spec);

#endif
