/* class_scatter.c - the scatters between and within classes. */
#include "scatter/class_scatter.h"

#include "core/parallel.h"
#include "linalg/implicit.h"
#include "linalg/packed.h"
#include "scatter/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MEAN_ROWS = 64 };

/* Rounding error of a mean of equal numbers, relative to the mean. */
static const double MEAN_ROUNDING = 4 * DBL_EPSILON;

void pen_classes_fill(const void *context, int64_t first, int64_t count, void *block)
{
    const pen_classes *c = context;
    const int64_t d = c->x.d;

    pen_rows_block(&c->x, c->x.members, first, count, block);
    for (int64_t i = 0; i < count; i++) {
        const double *restrict mean = c->means + c->class_of[first + i] * d;
        const double factor = c->factor ? c->factor[first + i] : 1;
        double *restrict row = (double *)block + i * d;
        for (int64_t j = 0; j < d; j++)
            row[j] = (row[j] - mean[j]) * factor;
    }
}

struct means {
    const pen_view *x;
    double *means;
    pen_slices blocks; /* [MEAN_ROWS x d] */
};

/* One task for each class, which adds its rows in order. */
static void mean_of_class(void *context, int64_t c, int worker)
{
    const struct means *m = context;
    const pen_view *x = m->x;
    const int64_t d = x->d, size = pen_class_size(x, c);
    double *const block = pen_slice(&m->blocks, worker), *restrict mean = m->means + c * d;

    memset(mean, 0, (size_t)d * sizeof *mean);
    for (int64_t first = 0; first < size; first += MEAN_ROWS) {
        const int64_t count = pen_min(MEAN_ROWS, size - first);
        pen_rows_block(x, x->members, x->starts[c] + first, count, block);
        for (int64_t i = 0; i < count; i++) {
            const double *restrict row = block + i * d;
            for (int64_t j = 0; j < d; j++)
                mean[j] += row[j];
        }
    }
    for (int64_t j = 0; j < d; j++)
        mean[j] /= (double)size;
}

/* The mean of all labelled rows, and the rounding error of the class means. */
static void summarize(const pen_view *x, const double *means, double *mean, double *rounding,
                      int64_t *class_of)
{
    const int64_t d = x->d;

    for (int64_t j = 0; j < d; j++) {
        mean[j] = 0;
        rounding[j] = x->rounding[j];
    }
    for (int64_t c = 0; c < x->classes; c++) {
        for (int64_t j = 0; j < d; j++) {
            mean[j] += means[c * d + j] * ((double)pen_class_size(x, c) / (double)x->labelled);
            rounding[j] =
                fmax(rounding[j], x->rounding[j] + MEAN_ROUNDING * fabs(means[c * d + j]));
        }
        for (int64_t i = x->starts[c]; class_of && i < x->starts[c + 1]; i++)
            class_of[i] = c;
    }
}

/* Takes known means of block rows. */
static void take_means(const pen_view *x, double *means)
{
    const double *const given = x->class_moments->means;

    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t j = 0; j < x->d; j++)
            means[c * x->d + j] =
                (given[c * x->d + j] - x->origin[j]) * (x->scale ? x->scale[j] : 1);
}

pen_status pen_classes_open(pen_run *run, const pen_view *x, pen_classes *out)
{
    const int64_t d = x->d;
    struct means m = { .x = &out->x };
    double *mean, *rounding;
    int64_t *class_of = NULL;

    *out = (pen_classes){ .x = *x };
    out->x.work = PEN_F64;
    out->x.epsilon = DBL_EPSILON;
    PEN_TRY(PEN_NEW(run, m.means, pen_times(x->classes, d)));
    PEN_TRY(PEN_NEW2(run, mean, rounding, d));
    if (x->class_moments) {
        take_means(x, m.means);
    } else {
        PEN_TRY(PEN_NEW(run, class_of, x->labelled));
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(pen_slices_new(run, pen_workers(run, x->classes), pen_times(MEAN_ROWS, d),
                               sizeof(double), &m.blocks));
        PEN_TRY(pen_parallel(run, PEN_WHOLE("class means"), x->classes, mean_of_class, &m));
        pen_release(run, mark);
    }
    summarize(x, m.means, mean, rounding, class_of);
    out->means = m.means;
    out->mean = mean;
    out->class_of = class_of;
    out->rounding = rounding;
    return PEN_OK;
}

/* Rows of the between scatter: sqrt(n_c) (m_c - m). */
static void fill_means(const void *context, int64_t first, int64_t count, void *block)
{
    const pen_classes *k = context;
    const int64_t d = k->x.d;

    for (int64_t i = 0; i < count; i++) {
        const double size = sqrt((double)pen_class_size(&k->x, first + i));
        const double *restrict mean = k->means + (first + i) * d;
        double *restrict row = (double *)block + i * d;
        for (int64_t j = 0; j < d; j++)
            row[j] = size * (mean[j] - k->mean[j]);
    }
}

pen_status pen_scatter_between(pen_run *run, double weight, const pen_classes *classes, pen_sym *B)
{
    const pen_view *x = &classes->x;

    PEN_TRY(pen_sym_add_gram(run, "scatter between classes", weight, PEN_F64, x->classes,
                             fill_means, classes, B));
    pen_sym_add_floor(weight * (double)x->labelled, classes->rounding, B);
    return PEN_OK;
}

static pen_status add_within(pen_run *run, double weight, const pen_classes *classes, pen_sym *C)
{
    const pen_view *x = &classes->x;

    if (x->class_moments)
        pen_packed_add(x, weight, x->class_moments->within, C);
    else
        PEN_TRY(pen_sym_add_gram(run, "scatter within classes", weight, PEN_F64, x->labelled,
                                 pen_classes_fill, classes, C));
    pen_sym_note(C, x->labelled - x->classes, DBL_EPSILON);
    pen_sym_add_floor(weight * (double)x->labelled, classes->rounding, C);
    return PEN_OK;
}

pen_status pen_scatter_within(pen_run *run, const pen_classes *classes, pen_factored *S_w)
{
    const pen_view *x = &classes->x;

    *S_w = (pen_factored){ .d = x->d };
    if (x->labelled >= x->d || x->class_moments) {
        PEN_TRY(pen_sym_zero(run, x->d, &S_w->matrix));
        return add_within(run, 1, classes, &S_w->matrix);
    }
    S_w->count = x->labelled;
    PEN_TRY(PEN_NEW(run, S_w->rows, pen_times(x->labelled, x->d)));
    pen_classes_fill(classes, 0, x->labelled, S_w->rows);
    return PEN_OK;
}

void pen_classes_difference(const pen_classes *classes, int64_t a, int64_t b, double *row)
{
    const int64_t d = classes->x.d;

    for (int64_t j = 0; j < d; j++) {
        const double gap = classes->means[a * d + j] - classes->means[b * d + j];
        row[j] = fabs(gap) > 4 * classes->rounding[j] ? gap : 0;
    }
}

/* Sorts by insertion, because there are few classes. */
void pen_classes_by_size(const pen_view *x, int64_t *order)
{
    for (int64_t c = 0; c < x->classes; c++) {
        int64_t at = c;
        for (; at > 0 && pen_class_size(x, order[at - 1]) < pen_class_size(x, c); at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
}

pen_status pen_scatter_classes_weighted(pen_run *run, double between, double within,
                                        const pen_view *x, pen_sym *B, pen_sym *C)
{
    pen_classes classes;

    if (between == 0 && within == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_classes_open(run, x, &classes));
    if (between != 0) {
        PEN_TRY(pen_scatter_between(run, between, &classes, B));
        pen_sym_note(B, x->classes - 1, DBL_EPSILON);
    }
    if (within != 0)
        PEN_TRY(add_within(run, within, &classes, C));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_scatter_classes(pen_run *run, double weight, const pen_view *x, pen_sym *B,
                               pen_sym *C)
{
    return pen_scatter_classes_weighted(run, weight, weight, x, B, C);
}

/* Multiplies by the indicator of labelled rows. */
static pen_status apply_labelled(pen_run *run, const void *context, int64_t k, const double *v,
                                 double *y)
{
    const pen_view *const x = context;

    (void)run;
    memset(y, 0, (size_t)(x->n * k) * sizeof *y);
    for (int64_t i = 0; i < x->labelled; i++)
        memcpy(y + x->members[i] * k, v + x->members[i] * k, (size_t)k * sizeof *y);
    return PEN_OK;
}

/* For matrices that are not stored: the sum of n_c (m_c - mu)(m_c - mu)' = X'FF'X, F_ic = 1 /
 * sqrt(n_c) in class c, and all labelled rows about mu. */
static pen_status add_terms_about_all(pen_run *run, const pen_view *x, pen_sym *B, pen_sym *C)
{
    double *factor;
    pen_view *kept;

    PEN_TRY(PEN_NEW(run, kept, 1));
    PEN_TRY(PEN_FILLED(run, factor, pen_times(x->n, x->classes), 0));
    *kept = *x;
    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            factor[x->members[i] * x->classes + c] = 1 / sqrt((double)pen_class_size(x, c));
    PEN_TRY(pen_implicit_add_factor(run, x, 1, x->classes, factor, B));
    return pen_implicit_add(run, x, 1, apply_labelled, kept, C);
}

pen_status pen_scatter_classes_about_all(pen_run *run, const pen_view *x, pen_sym *B, pen_sym *C)
{
    pen_classes classes;
    double *mean;

    if (B->terms)
        return add_terms_about_all(run, x, B, C);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_classes_open(run, x, &classes));
    PEN_TRY(PEN_NEW(run, mean, x->d));
    for (int64_t j = 0; j < x->d; j++)
        mean[j] = classes.mean[j] - x->offset[j];
    PEN_TRY(pen_scatter_between(run, 1, &classes, B));
    pen_sym_add_outer((double)x->labelled, mean, B);
    pen_sym_note(B, x->classes, DBL_EPSILON);
    pen_sym_add(B, C);
    PEN_TRY(add_within(run, 1, &classes, C));
    pen_release(run, mark);
    return PEN_OK;
}
