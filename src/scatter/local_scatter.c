/* local_scatter.c - the local scatters of labelled rows.
 *
 * With G_c = 1/2 sum_{i,j in c} A_ij (x_i - x_j)(x_i - x_j)' and S_c the scatter of class c,
 *
 *   S_lw = sum_c 1/n_c G_c
 *   S_lb = S_b + sum_c (1/n_c - 1/n') (n_c S_c - G_c) */
#include "problem/neighbor_source.h"
#include "core/parallel.h"
#include "linalg/implicit.h"
#include "linalg/products.h"
#include "linalg/reduce.h"
#include "scatter/affinity.h"
#include "scatter/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- as terms of matrices that are not stored (linalg/implicit.h) ----
 *
 *   S_lw = X'(sum_c 1/n_c (D_c - A_c)) X
 *   S_lb = X'(M - M_all + sum_c (1/n_c - 1/n') (n_c I - 11' - D_c + A_c)) X
 *
 * M averages over the class of each labelled row, M_all over all labelled rows. Affinities are
 * those of affinity.h, by direct differences. */

struct local {
    pen_view x;
    const pen_affinity_scale *scale;
    double **A; /* [classes][n_c x n_c] */
    double *degree;
    int between; /* otherwise within */
};

/* ---- affinities ---- */

static double affinity_of(const struct local *s, int64_t i, int64_t j)
{
    const pen_affinity_scale *const scale = s->scale;

    if (scale->kind == PEN_AFFINITY_ONE)
        return 1;
    const double distance2 = pen_rows_distance2(&s->x, i, j);
    if (scale->kind == PEN_AFFINITY_KNN)
        return distance2 <= fmax(scale->reach2[i], scale->reach2[j]);
    const double width = scale->sigma[i] * scale->sigma[j];
    return width > 0 ? exp(-distance2 / width) : distance2 == 0;
}

/* A row of the lower triangle. */
static void fill_row(void *context, int64_t task, int worker)
{
    const struct local *const s = context;
    const pen_view *const x = &s->x;
    int64_t c = 0;

    (void)worker;
    while (task >= x->starts[c + 1])
        c++;
    const int64_t first = x->starts[c], size = pen_class_size(x, c), i = task - first;
    for (int64_t j = 0; j <= i; j++)
        s->A[c][i * size + j] = affinity_of(s, x->members[task], x->members[first + j]);
}

static pen_status fill(pen_run *run, struct local *s)
{
    const pen_view *const x = &s->x;

    PEN_TRY(PEN_NEW(run, s->A, x->classes));
    PEN_TRY(PEN_FILLED(run, s->degree, x->labelled, 0));
    for (int64_t c = 0; c < x->classes; c++)
        PEN_TRY(PEN_NEW(run, s->A[c], pen_times(pen_class_size(x, c), pen_class_size(x, c))));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("local scatters"), x->labelled, fill_row, s));
    for (int64_t c = 0; c < x->classes; c++) {
        const int64_t size = pen_class_size(x, c);
        double *const A = s->A[c], *const degree = s->degree + x->starts[c];
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j <= i; j++) {
                A[j * size + i] = A[i * size + j];
                degree[i] += A[i * size + j];
                degree[j] += i == j ? 0 : A[i * size + j];
            }
    }
    return PEN_OK;
}

/* ---- products ---- */

/* y = (D_c - A_c) v, both [n_c x k]. */
static pen_status apply_class(pen_run *run, const struct local *s, int64_t c, int64_t k,
                              const double *v, double *y)
{
    const int64_t size = pen_class_size(&s->x, c);
    const double *const degree = s->degree + s->x.starts[c];

    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, size, k, size, s->A[c], v, y));
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < k; j++)
            y[i * k + j] = degree[i] * v[i * k + j] - y[i * k + j];
    return PEN_OK;
}

/* Turns y = (D_c - A_c) v into the part of S_lb from class c. all [k]: mean of the labelled
 * rows. */
static void turn_between(const struct local *s, int64_t c, int64_t k, const double *all,
                         const double *v, double *y, double *sum)
{
    const int64_t size = pen_class_size(&s->x, c);
    const double own = 1 / (double)size, rest = own - 1 / (double)s->x.labelled;

    memset(sum, 0, (size_t)k * sizeof *sum);
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < k; j++)
            sum[j] += v[i * k + j];
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < k; j++)
            y[i * k + j] = own * sum[j] - all[j]
                           + rest * ((double)size * v[i * k + j] - sum[j] - y[i * k + j]);
}

static pen_status apply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const struct local *const s = context;
    const pen_view *const x = &s->x;
    double *all, *sum, *of_class, *result;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, all, k, 0));
    PEN_TRY(PEN_NEW(run, sum, k));
    PEN_TRY(PEN_NEW2(run, of_class, result, pen_times(pen_class_largest(x), k)));
    memset(y, 0, (size_t)(x->n * k) * sizeof *y);
    for (int64_t i = 0; i < x->labelled; i++)
        for (int64_t j = 0; j < k; j++)
            all[j] += v[x->members[i] * k + j] / (double)x->labelled;
    for (int64_t c = 0; c < x->classes; c++) {
        const int64_t size = pen_class_size(x, c), *const members = x->members + x->starts[c];
        for (int64_t i = 0; i < size; i++)
            memcpy(of_class + i * k, v + members[i] * k, (size_t)k * sizeof *v);
        PEN_TRY(apply_class(run, s, c, k, of_class, result));
        if (s->between)
            turn_between(s, c, k, all, of_class, result, sum);
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j < k; j++)
                y[members[i] * k + j] =
                    s->between ? result[i * k + j] : result[i * k + j] / (double)size;
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* B += between S_lb, C += within S_lw (local_scatter.c). PEN_BAD_ARGUMENT: more than PEN_BOTH_LARGE
 * labelled rows. Cost: n_c^2 d for each class; memory: n_c^2 doubles for each. */
static pen_status add_local_terms(pen_run *run, double between, double within, const pen_view *x,
                                  const pen_affinity_scale *scale, pen_sym *B, pen_sym *C)
{
    struct local *s;

    if (x->labelled > PEN_BOTH_LARGE)
        return pen_sym_need_stored(run, between != 0 ? B : C);
    PEN_TRY(PEN_NEW(run, s, 2));
    s[0] = (struct local){ .x = *x, .scale = scale };
    PEN_TRY(fill(run, &s[0]));
    s[1] = s[0];
    s[1].between = 1;
    PEN_TRY(pen_implicit_add(run, x, between, apply, &s[1], B));
    return pen_implicit_add_part(run, x, within, apply, &s[0], x->labelled, x->members, C);
}

const char *const pen_scaling_names[] = { "classwise", "labelled", "all", NULL };
const char *const pen_affinity_kind_names[] = { "local", "heat", "knn", "one", NULL };

/* ---- scales ---- */

/* The squared distances of the labelled rows, in the order of members, to their k-th neighbors. */
static pen_status find_reach(pen_run *run, const pen_problem *problem,
                             const pen_class_affinity *how, enum pen_scaling scaling,
                             double *reach2)
{
    const pen_view *const x = &problem->rows;
    const pen_subset labelled = { x->members, x->labelled };

    if (scaling != PEN_SCALING_CLASSWISE)
        return scaling == PEN_SCALING_ALL
                   ? pen_source_reach(run, problem, labelled, how->neighbors, reach2)
                   : pen_neighbors_reach(run, x, labelled, labelled, how->neighbors, reach2);
    for (int64_t c = 0; c < x->classes; c++) {
        const pen_subset class = { x->members + x->starts[c], pen_class_size(x, c) };
        PEN_TRY(pen_neighbors_reach(run, x, class, class, how->neighbors, reach2 + x->starts[c]));
    }
    return PEN_OK;
}

/* The width of the heat kernel, given or the mean of reach2. */
static double find_heat(const pen_view *x, double given, const double *reach2)
{
    double heat = given;
    for (int64_t i = 0; given == 0 && i < x->labelled; i++)
        heat += reach2[i] / (double)x->labelled;
    return heat;
}

pen_status pen_scatter_local_scale(pen_run *run, const pen_problem *problem,
                                   const pen_class_affinity *how, enum pen_scaling scaling,
                                   pen_affinity_scale *out)
{
    const pen_view *const x = &problem->rows;
    double *reach2, *by_row, heat = 0;

    *out = (pen_affinity_scale){ .kind = how->kind };
    if (how->kind == PEN_AFFINITY_ONE)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, by_row, x->n));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, reach2, x->labelled));
    if (pen_affinity_seeks(how))
        PEN_TRY(find_reach(run, problem, how, scaling, reach2));
    if (how->kind == PEN_AFFINITY_HEAT)
        heat = find_heat(x, how->heat, reach2);
    for (int64_t i = 0; i < x->labelled; i++)
        by_row[x->members[i]] = how->kind == PEN_AFFINITY_HEAT    ? sqrt(heat)
                                : how->kind == PEN_AFFINITY_LOCAL ? sqrt(reach2[i])
                                                                  : reach2[i];
    pen_release(run, mark);
    if (how->kind == PEN_AFFINITY_HEAT)
        pen_note(run, "heat", heat);
    *(how->kind == PEN_AFFINITY_KNN ? &out->reach2 : &out->sigma) = by_row;
    return PEN_OK;
}

/* ---- scatters ---- */

static pen_status add(pen_run *run, double between, double within, const pen_view *x,
                      pen_affinity *affinity, pen_sym *B, pen_sym *C)
{
    double *ratio; /* (1/n_c - 1/n') / (1/n_c) */

    PEN_TRY(PEN_NEW(run, ratio, x->classes));
    for (int64_t c = 0; c < x->classes; c++)
        ratio[c] = 1 - (double)pen_class_size(x, c) / (double)x->labelled;
    if (between != 0)
        PEN_TRY(pen_scatter_between(run, between, &affinity->classes, B));
    PEN_TRY(pen_affinity_scatter(run, between, within, affinity, ratio, B, C));
    if (between != 0)
        pen_sym_note(B, x->labelled - 1, DBL_EPSILON);
    return PEN_OK;
}

pen_status pen_scatter_local_scaled(pen_run *run, double between, double within, const pen_view *x,
                                    const pen_affinity_scale *scale, pen_sym *B, pen_sym *C)
{
    pen_affinity affinity;
    double *reach2;

    if (between == 0 && within == 0)
        return PEN_OK;
    if ((between != 0 ? B : C)->terms)
        return add_local_terms(run, between, within, x, scale, B, C);
    if (scale->kind == PEN_AFFINITY_ONE)
        return pen_scatter_classes_weighted(run, between, within, x, B, C);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_affinity_open(run, x, &affinity));
    PEN_TRY(PEN_NEW(run, reach2, x->labelled));
    affinity.binary = scale->kind == PEN_AFFINITY_KNN;
    affinity.reach2 = affinity.binary ? reach2 : NULL;
    for (int64_t i = 0; i < x->labelled; i++) {
        affinity.sigma[i] = affinity.binary ? 0 : scale->sigma[x->members[i]];
        reach2[i] = affinity.binary ? scale->reach2[x->members[i]] : 0;
    }
    PEN_TRY(add(run, between, within, x, &affinity, B, C));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_scatter_local(pen_run *run, double between, double within,
                             const pen_problem *problem, const pen_class_affinity *affinity,
                             enum pen_scaling scaling, pen_sym *B, pen_sym *C)
{
    pen_affinity_scale scale;

    if (between == 0 && within == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_scatter_local_scale(run, problem, affinity, scaling, &scale));
    PEN_TRY(pen_scatter_local_scaled(run, between, within, &problem->rows, &scale, B, C));
    if (!(between != 0 ? B : C)->terms) /* terms are used later */
        pen_release(run, mark);
    return PEN_OK;
}
