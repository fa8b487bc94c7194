/* implicit.c - y = X'(sum of weight L (X v)) + identity v. */
#include "linalg/implicit.h"

#include "linalg/products.h"

#include <string.h>

pen_status pen_implicit_add(pen_run *run, const pen_rows *x, double weight, pen_apply_fn apply,
                            const void *context, pen_sym *S)
{
    pen_operator *const terms = S->terms;

    if (weight == 0)
        return PEN_OK;
    PEN_REQUIRE(run, terms->count < PEN_MOST_TERMS, PEN_INTERNAL, "too many scatters are added");
    terms->x = *x;
    terms->term[terms->count++] = (pen_operator_term){ weight, apply, context };
    return PEN_OK;
}

pen_status pen_implicit_apply(pen_run *run, const void *context, int64_t k, const double *v,
                              double *y)
{
    const pen_sym *const S = context;
    const pen_operator *const t = S->terms;
    const int64_t count = pen_times(t->x.n, k);
    double *rows, *sum, *part;

    PEN_REQUIRE(run, t->count <= PEN_MOST_TERMS, PEN_INTERNAL, "too many scatters are added");
    memset(y, 0, (size_t)(S->d * k) * sizeof *y);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rows, count));
    PEN_TRY(PEN_NEW(run, sum, count));
    PEN_TRY(PEN_NEW(run, part, count));
    memset(sum, 0, (size_t)count * sizeof *sum);
    if (t->count > 0)
        PEN_TRY(pen_rows_multiply(run, &t->x, k, v, rows));
    for (int64_t i = 0; i < t->count; i++) {
        const pen_operator_term *const term = t->term + i;
        if (term->apply)
            PEN_TRY(term->apply(run, term->context, k, rows, part));
        const double *const added = term->apply ? part : rows;
        for (int64_t j = 0; j < count; j++)
            sum[j] += term->weight * added[j];
    }
    if (t->count > 0)
        PEN_TRY(pen_rows_gather(run, &t->x, k, sum, y));
    for (int64_t j = 0; S->identity != 0 && j < S->d * k; j++)
        y[j] += S->identity * v[j];
    pen_release(run, mark);
    return PEN_OK;
}
