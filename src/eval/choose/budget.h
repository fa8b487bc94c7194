/* budget.h - the cost of trials, in multiply-adds by the formulas of the methods. Sizes and
 * settings alone decide which trials fit into a budget, not the speed or the load of a machine. */
#ifndef PEN_BUDGET_H
#define PEN_BUDGET_H

#include "methods/method_params.h"

/* ---- costs ---- */

/* The letters of a formula (pen_method.cost): rows, labelled rows, columns (or components, if
 * fewer), neighbors of a row, classes, pairs listed or drawn, iterations. A formula is a sum of
 * products of whole numbers and letters, which may have a power:
 * "n l d + n d^2 + 10 d^3". Blanks separate factors, " + " separates products. */
typedef struct pen_sizes {
    double n, l, d, k, c, p, t;
} pen_sizes;

/* The approximate number of multiply-adds; NaN: invalid formula. */
double pen_cost_of(const char *formula, const pen_sizes *sizes);

/* The sizes of the data of a fit. */
typedef struct pen_costs {
    pen_sizes sizes; /* without k, which depends on the method */
    int shared;      /* 1: components are computed once for all fits */
} pen_costs;

pen_status pen_costs_open(pen_run *run, const pen_data *data, pen_costs *out);

/* The cost of a fit of `spec`. Pairs sampled from labels count as drawn. If `pca` is a fraction,
 * half of the components are assumed. */
double pen_costs_fit(const pen_costs *costs, const pen_spec *spec);

/* The cost of fitting and embedding the rows in a trial. */
double pen_costs_trial(const pen_costs *costs, const pen_spec *spec);

/* The cost of a classifier, not auto, that classifies this number of rows. */
double pen_costs_classifier(const pen_costs *costs, const pen_spec *spec,
                            enum pen_classifier_kind kind, int64_t classified);

/* ---- parts of a budget ---- */

/* The trials of a method. */
typedef struct pen_share {
    double trial;         /* cost of a trial */
    int64_t grid;         /* the number of combinations of parameter values */
    int tried;            /* 0: left out because its trials cost too much */
    int64_t combinations; /* to try in each trial and on all rows; 0: the given values only */
} pen_share;

/* Divides a budget by the costs and grids in shares [count]: sets `tried`, `combinations` and the
 * number of trials, at most *trials. The trials of the cheapest methods take up to half of the
 * budget; trials that cost at most a fiftieth of it are always made. There are fewer trials if
 * otherwise more than half of the methods would be left out. The rest is for tuning, by `inner`
 * trials (0: none) in each trial and on all rows, in equal parts; other methods share what a method
 * with few combinations does not need. order [count]: methods, cheapest first. */
void pen_plan_shares(double budget, int64_t inner, int64_t count, pen_share *shares, int64_t *order,
                     int64_t *trials);

/* ---- components ---- */

/* The value of `pca` for trials with many columns, about which scatters and graphs of few labels
 * say little. NULL: not many columns. fewest: the number of rows in the smallest fit. kernel: its
 * coordinates replace the columns; or NULL. */
pen_status pen_plan_components(pen_run *run, const pen_array *x, int64_t fewest,
                               const pen_kernel_params *kernel, const char **pca);

/* Is the parameter set, or does it have values to try? */
int pen_plan_is_asked(const pen_spec *spec, const char *name);

/* For a spec with a kernel: reduces the landmarks if there are very many rows, and sets `pca` if
 * there are many coordinates, unless it is set or the method takes many. */
pen_status pen_plan_kernel(pen_run *run, const pen_array *x, int64_t fewest, pen_spec *spec);

#endif
