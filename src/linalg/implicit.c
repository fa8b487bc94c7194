/* implicit.c - y = X'(sum of weight L (X v)) + identity v. */
#include "linalg/implicit.h"

#include "linalg/products.h"

#include <string.h>

static pen_status add(pen_run *run, const pen_view *x, pen_operator_term term, pen_operator *terms)
{
    if (term.weight == 0)
        return PEN_OK;
    PEN_REQUIRE(run, terms->count < PEN_MOST_TERMS, PEN_INTERNAL, "too many scatters are added");
    terms->x = *x;
    terms->term[terms->count++] = term;
    return PEN_OK;
}

pen_status pen_implicit_add(pen_run *run, const pen_view *x, double weight, pen_apply_fn apply,
                            const void *context, pen_sym *S)
{
    const pen_operator_term term = { .weight = weight, .apply = apply, .context = context };
    return add(run, x, term, S->terms);
}

pen_status pen_implicit_add_part(pen_run *run, const pen_view *x, double weight, pen_apply_fn apply,
                                 const void *context, int64_t count, const int64_t *known,
                                 pen_sym *S)
{
    const pen_operator_term term = {
        .weight = weight, .apply = apply, .context = context, .known = known, .known_count = count
    };
    return add(run, x, term, S->terms);
}

pen_status pen_implicit_add_factor(pen_run *run, const pen_view *x, double weight, int64_t rank,
                                   const double *factor, pen_sym *S)
{
    const pen_operator_term term = { .weight = weight, .factor = factor, .rank = rank };
    return add(run, x, term, S->terms);
}

/* L v, in `part` [n x k] unless it is v. */
static pen_status apply_term(pen_run *run, const pen_operator_term *term, int64_t n, int64_t k,
                             const double *v, double *part, const double **out)
{
    double *inner;

    *out = term->apply || term->factor ? part : v;
    if (term->apply)
        return term->apply(run, term->context, k, v, part);
    if (!term->factor)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, inner, pen_times(term->rank, k)));
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, term->rank, k, n, term->factor, v, inner));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, n, k, term->rank, term->factor, inner, part));
    pen_release(run, mark);
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
    PEN_TRY(PEN_FILLED(run, sum, count, 0));
    PEN_TRY(PEN_NEW(run, part, count));
    if (t->count > 0)
        PEN_TRY(pen_rows_multiply(run, &t->x, k, v, rows));
    for (int64_t i = 0; i < t->count; i++) {
        const pen_operator_term *const term = t->term + i;
        const double *added;
        PEN_TRY(apply_term(run, term, t->x.n, k, rows, part, &added));
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
