/* sparse_statistics.c - a pass over the entries, then the zeros of each column. */
#include "core/sparse_statistics.h"

#include "core/sparse_array.h"

#include <float.h>

enum { ASK = 4096 }; /* rows between checks for cancellation */

struct pass {
    const pen_scaled_rows *x;
    const double *origin;
    int extremes;
    double *low, *high;
    int64_t *counts;
};

static double shifted(const struct pass *p, int64_t column, double value)
{
    return (value - p->origin[column]) * (p->x->scale ? p->x->scale[column] : 1);
}

/* Adds the value t `times` times. */
static void add(const struct pass *p, int64_t column, double t, double times)
{
    if (p->extremes) {
        p->low[column] = t < p->low[column] ? t : p->low[column];
        p->high[column] = t > p->high[column] ? t : p->high[column];
    } else {
        p->low[column] += times * t;
        p->high[column] += times * (t * t);
    }
}

/* Returns 0 if a value is not finite. */
static int add_row(const struct pass *p, int64_t row)
{
    const pen_array *const a = p->x->values;
    double largest = 1, rest = 1, check = 0;

    if (p->x->unit)
        pen_sparse_length(a, row, &largest, &rest);
    for (int64_t e = a->starts[row]; e < a->starts[row + 1]; e++) {
        const double value = pen_entry(a, e),
                     t = shifted(p, a->columns[e], p->x->unit ? value / largest / rest : value);
        check += t * 0;
        add(p, a->columns[e], t, 1);
        p->counts[a->columns[e]]++;
    }
    return check == 0;
}

static void add_zeros(const struct pass *p)
{
    for (int64_t j = 0; j < p->x->values->cols; j++) {
        const int64_t zeros = p->x->values->rows - p->counts[j];
        if (zeros > 0)
            add(p, j, shifted(p, j, 0), (double)zeros);
    }
}

pen_status pen_sparse_statistics(pen_run *run, const pen_scaled_rows *x, const double *origin,
                                 int extremes, double *low, double *high, int64_t *counts,
                                 int64_t *bad)
{
    const int64_t n = x->values->rows, d = x->values->cols;
    struct pass p = { x, origin, extremes, low, high, counts };

    *bad = -1;
    const pen_mark_t mark = pen_mark(run);
    if (!counts)
        PEN_TRY(PEN_NEW(run, p.counts, d));
    for (int64_t j = 0; j < d; j++) {
        low[j] = extremes ? DBL_MAX : 0;
        high[j] = extremes ? -DBL_MAX : 0;
        p.counts[j] = 0;
    }
    for (int64_t i = 0; i < n && *bad < 0; i++) {
        if (i % ASK == 0)
            PEN_TRY(pen_progress(run, "reading rows", i, n));
        if (!add_row(&p, i))
            *bad = i;
    }
    add_zeros(&p);
    PEN_TRY(pen_progress(run, "reading rows", n, n));
    pen_release(run, mark);
    return PEN_OK;
}
