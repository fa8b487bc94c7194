/* local_terms.c - see local_terms.h.
 *
 *   S_lw = X'(sum_c 1/n_c (D_c - A_c)) X
 *   S_lb = X'(M - M_all + sum_c (1/n_c - 1/n') (n_c I - 11' - D_c + A_c)) X
 *
 * M: the mean of the class of each labelled row, M_all: that of all labelled rows. Affinities are
 * those of affinity.h, by direct differences. */
#include "scatter/local_terms.h"

#include "core/parallel.h"
#include "linalg/implicit.h"
#include "linalg/products.h"
#include "linalg/reduce.h"

#include <math.h>
#include <string.h>

struct local {
    pen_rows x;
    const pen_affinity_scale *scale;
    double **A; /* [classes][n_c x n_c] */
    double *degree;
    int between; /* else within */
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
    const pen_rows *const x = &s->x;
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
    const pen_rows *const x = &s->x;

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

/* y, (D_c - A_c) v, becomes what class c has of S_lb. all [k]: the mean of the labelled rows. */
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
    const pen_rows *const x = &s->x;
    double *all, *sum, *of_class, *result;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, all, k, 0));
    PEN_TRY(PEN_NEW(run, sum, k));
    PEN_TRY(PEN_NEW(run, of_class, pen_times(pen_class_largest(x), k)));
    PEN_TRY(PEN_NEW(run, result, pen_times(pen_class_largest(x), k)));
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

pen_status pen_local_terms(pen_run *run, double between, double within, const pen_rows *x,
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
