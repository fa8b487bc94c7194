/* whiten.c - see whiten.h. */
#include "solve/whiten.h"

#include "linalg/decompose.h"
#include "linalg/operator.h"
#include "linalg/products.h"
#include "linalg/row_gram.h"
#include "linalg/sparse_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TOGETHER = 64 }; /* columns of L that are found at a time */

int pen_can_whiten(const pen_sym *C)
{
    const pen_operator *const terms = C->terms;

    return C->identity > 0 && terms
           && (terms->count == 0 || (terms->count == 1 && terms->term[0].known));
}

/* The rows that L knows, ascending. */
static pen_status find_rows(pen_run *run, const pen_operator *terms, int64_t **out)
{
    const pen_operator_term *const term = terms->term;
    const int64_t n = terms->x.n;
    int64_t count = 0;
    char *known;

    PEN_TRY(PEN_NEW(run, *out, term->known_count));
    PEN_TRY(PEN_FILLED(run, known, n, 0));
    for (int64_t i = 0; i < term->known_count; i++)
        known[term->known[i]] = 1;
    for (int64_t i = 0; i < n; i++)
        if (known[i])
            (*out)[count++] = i;
    return PEN_OK;
}

/* L [l x l] of the rows [l]: its products with unit vectors. */
static pen_status find_inner(pen_run *run, const pen_operator *terms, int64_t l,
                             const int64_t *rows, double *L)
{
    const pen_operator_term *const term = terms->term;
    const int64_t n = terms->x.n;
    double *unit, *column;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, unit, pen_times(n, TOGETHER)));
    PEN_TRY(PEN_NEW(run, column, pen_times(n, TOGETHER)));
    for (int64_t first = 0; first < l; first += TOGETHER) {
        const int64_t count = pen_min(TOGETHER, l - first);
        memset(unit, 0, (size_t)(n * count) * sizeof *unit);
        for (int64_t j = 0; j < count; j++)
            unit[rows[first + j] * count + j] = 1;
        PEN_TRY(term->apply(run, term->context, count, unit, column));
        for (int64_t i = 0; i < l; i++)
            memcpy(L + i * l + first, column + rows[i] * count, (size_t)count * sizeof *L);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* Replaces L [l x l] by F' [l x l] in rows, L = FF'. */
static pen_status factor(pen_run *run, int64_t l, double *L)
{
    double *values, *vectors;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, values, l));
    PEN_TRY(PEN_NEW(run, vectors, pen_times(l, l)));
    PEN_TRY(pen_decompose(run, l, l, L, values, vectors));
    for (int64_t c = 0; c < l; c++)
        for (int64_t i = 0; i < l; i++)
            L[c * l + i] = sqrt(fmax(0, values[c])) * vectors[c * l + i];
    pen_release(run, mark);
    return PEN_OK;
}

/* N and the condition number from F' and K = XX'. */
static pen_status combine(pen_run *run, double weight, int64_t l, const double *F, const double *K,
                          pen_whitening *w)
{
    const double identity = w->identity;
    double *half, *H, *values, *U;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, half, pen_times(l, l)));
    PEN_TRY(PEN_NEW(run, H, pen_times(l, l)));
    PEN_TRY(PEN_NEW(run, U, pen_times(l, l)));
    PEN_TRY(PEN_NEW(run, values, l));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, l, l, l, F, K, half));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, l, l, l, half, F, H));
    PEN_TRY(pen_decompose(run, l, l, H, values, U));
    PEN_REQUIRE(run, identity > (double)l * DBL_EPSILON * weight * values[l - 1],
                PEN_SINGULAR_SCATTER,
                "the denominator scatter is singular: its smallest eigenvalue is %.2g times its "
                "largest",
                identity / (identity + weight * values[l - 1]));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, l, l, l, U, F, half)); /* U'F' */
    for (int64_t c = 0; c < l; c++) {
        const double s = weight * fmax(0, values[c]) / identity, root = sqrt(1 + s);
        /* (1/root - 1) / s, where s may be 0 */
        const double change = -1 / (root * (1 + root));
        for (int64_t i = 0; i < l; i++)
            U[c * l + i] = weight / identity * change * half[c * l + i];
    }
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, l, l, l, half, U, w->N));
    w->condition = 1 + weight * fmax(0, values[l - 1]) / identity;
    pen_release(run, mark);
    return PEN_OK;
}

/* The rows and N of the only term, and the ridge in units of its trace. */
static pen_status open_term(pen_run *run, const pen_operator *terms, int64_t d, double amount,
                            pen_whitening *w, double *ridge)
{
    const pen_operator_term *const term = terms->term;
    const int64_t l = term->known_count;
    int64_t *rows;
    double *L, *K;

    PEN_TRY(find_rows(run, terms, &rows));
    PEN_TRY(pen_rows_open_part(run, &terms->x, l, rows, &w->rows));
    PEN_TRY(pen_sparse_rows_attach(run, &w->rows));
    PEN_TRY(PEN_NEW(run, w->N, pen_times(l, l)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, L, pen_times(l, l)));
    PEN_TRY(PEN_NEW(run, K, pen_times(l, l)));
    PEN_TRY(find_inner(run, terms, l, rows, L));
    PEN_TRY(pen_rows_gram(run, &w->rows, K));
    *ridge += amount * term->weight * pen_dot(l * l, L, K) / (double)d;
    w->identity += *ridge;
    PEN_TRY(factor(run, l, L));
    PEN_TRY(combine(run, term->weight, l, L, K, w));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_whitening_open(pen_run *run, const pen_sym *C, double amount, pen_whitening *out,
                              double *ridge)
{
    *out =
        (pen_whitening){ .d = C->d, .identity = C->identity, .condition = 1, .rows = { .n = 0 } };
    *ridge = amount * C->identity;
    if (C->terms->count > 0)
        return open_term(run, C->terms, C->d, amount, out, ridge);
    out->identity += *ridge;
    return PEN_OK;
}

pen_status pen_whiten(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    const pen_whitening *const w = context;
    const int64_t l = w->rows.n, size = w->d * k;
    const double root = 1 / sqrt(w->identity);
    double *products, *turned;

    const pen_mark_t mark = pen_mark(run);
    memset(y, 0, (size_t)size * sizeof *y);
    if (l > 0) {
        PEN_TRY(PEN_NEW(run, products, pen_times(l, k)));
        PEN_TRY(PEN_NEW(run, turned, pen_times(l, k)));
        PEN_TRY(pen_rows_multiply(run, &w->rows, k, v, products));
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, l, k, l, w->N, products, turned));
        PEN_TRY(pen_rows_gather(run, &w->rows, k, turned, y));
    }
    for (int64_t j = 0; j < size; j++)
        y[j] = root * (v[j] + y[j]);
    pen_release(run, mark);
    return PEN_OK;
}
