/* svd_of_products.c - rounds of eigenproblems; each finds directions that earlier ones missed.
 *
 *   1. G = Y Y', Y = Xc; for an eigenpair with a value above 1e-8 of the largest of the round,
 *      v = Y'u / |Y'u|, s = |Y'u|.
 *   2. For the remaining eigenvectors Y <- U'Y, minus its part in the directions found, twice. Stop
 *      if there are none, or all are rounding.
 *   3. V <- V L'^-1 with L L' = V'V, unless that is I.
 *
 * If the first round finds everything, no direction is formed. */
#include "linalg/svd_of_products.h"

#include "linalg/blas.h"
#include "linalg/decompose.h"
#include "linalg/products.h"
#include "linalg/row_products.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 6, STRIP_BYTES = 32 << 20, MIN_STRIP = 16 };

/* Relative to the largest eigenvalue of a round: smaller ones are left to the next round. */
static const double ROUND_SHARE = 1e-8;

/* Entries of V'V - I up to this are rounding. */
static const double ORTHONORMAL = 1e-13;

struct graded {
    const pen_view *x;
    int64_t n, d, r; /* rows, columns, rows of Y */
    double *U;       /* [found x n] the eigenvectors found, in rows */
    double *rest;    /* [r x n] the remaining ones; in later rounds [r x d] Y */
    double *values;  /* [n] eigenvalues of the first round, descending */
    double limit;    /* of s */
    int64_t found;
    double *s; /* [n] */
    double *V; /* [n x d] directions found, in rows */
};

/* Finds eigenvalues of a [r x r], descending, and vectors in the rows of U [wanted x r]. */
static pen_status decompose(pen_run *run, int64_t r, int64_t wanted, double *a, double *values,
                            double *U)
{
    double *found;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, found, pen_times(wanted, r)));
    PEN_TRY(pen_decompose(run, r, wanted, a, values, found));
    for (int64_t i = 0; i < wanted; i++)
        memcpy(U + i * r, found + (wanted - 1 - i) * r, (size_t)r * sizeof *U);
    for (int64_t i = 0; i < wanted / 2; i++) {
        const double kept = values[i];
        values[i] = values[wanted - 1 - i];
        values[wanted - 1 - i] = kept;
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* The rounding of the rows along v [d], times the root of their number. */
static double noise_along(const struct graded *g, const double *v, int64_t stride)
{
    double sum = 0;

    for (int64_t j = 0; j < g->d; j++)
        sum += v[j * stride] * g->x->rounding[j] * (v[j * stride] * g->x->rounding[j]);
    return sqrt((double)g->n * sum);
}

/* ---- the first round ---- */

/* noise [wanted] of the first directions: 0, and nothing is formed, if none is above the limit. */
static pen_status find_noise(pen_run *run, const struct graded *g, int64_t wanted, double *noise)
{
    double *coefficients, *V, most = 0;

    memset(noise, 0, (size_t)wanted * sizeof *noise);
    for (int64_t j = 0; j < g->d; j++)
        most = fmax(most, g->x->rounding[j]);
    if (sqrt((double)g->n) * most <= g->limit)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, coefficients, pen_times(g->n, wanted)));
    PEN_TRY(PEN_NEW(run, V, pen_times(g->d, wanted)));
    pen_transpose(wanted, g->n, g->U, coefficients);
    PEN_TRY(pen_rows_gather(run, g->x, wanted, coefficients, V));
    for (int64_t i = 0; i < wanted; i++)
        noise[i] = g->values[i] > 0 ? noise_along(g, V + i, wanted) / sqrt(g->values[i]) : 0;
    pen_release(run, mark);
    return PEN_OK;
}

/* Finds the eigenvectors of Xc Xc' with the `wanted` largest values; found: the number that the
 * round can see. */
static pen_status first_round(pen_run *run, struct graded *g, int64_t wanted, double *total)
{
    const int64_t n = g->n;
    double *G, *noise;

    PEN_TRY(PEN_NEW(run, g->U, pen_times(wanted, n)));
    PEN_TRY(PEN_NEW(run, g->values, n));
    PEN_TRY(PEN_NEW(run, noise, wanted));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, G, pen_times(n, n)));
    PEN_TRY(pen_rows_gram(run, g->x, G));
    *total = 0;
    for (int64_t i = 0; i < n; i++)
        *total += G[i * n + i];
    PEN_REQUIRE(run, isfinite(*total), PEN_BAD_DATA,
                "values are too large: their products overflow");
    PEN_TRY(pen_progress(run, "principal components", 0, 1));
    PEN_TRY(decompose(run, n, wanted, G, g->values, g->U));
    pen_release(run, mark);
    const double largest = fmax(0, g->values[0]);
    g->limit = (double)g->d * DBL_EPSILON * sqrt(largest);
    PEN_TRY(find_noise(run, g, wanted, noise));
    g->found = 0;
    while (g->found < pen_min(wanted, n - 1) && g->values[g->found] > ROUND_SHARE * largest
           && sqrt(g->values[g->found]) > fmax(g->limit, noise[g->found]))
        g->found++;
    g->r = n - g->found;
    g->rest = g->U + g->found * n;
    return PEN_OK;
}

/* The longest of the rows `count` of `rest` times Xc, minus their parts in the directions found,
 * twice; forms no direction. */
static pen_status longest_rest(pen_run *run, const struct graded *g, const double *rest,
                               int64_t count, double *longest)
{
    const int64_t n = g->n, d = g->d, q = g->found;
    double *Y, *more, *coefficients, *part;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, Y, more, pen_times(d, count)));
    PEN_TRY(PEN_NEW(run, coefficients, pen_times(n, count)));
    PEN_TRY(PEN_NEW(run, part, pen_times(q, count)));
    pen_transpose(count, n, rest, coefficients);
    PEN_TRY(pen_rows_gather(run, g->x, count, coefficients, Y));
    for (int time = 0; time < 2 && q > 0; time++) {
        PEN_TRY(pen_rows_multiply(run, g->x, count, Y, coefficients));
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, q, count, n, g->U, coefficients, part));
        for (int64_t i = 0; i < q; i++)
            for (int64_t c = 0; c < count; c++)
                part[i * count + c] /= g->values[i];
        PEN_TRY(
            pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, n, count, q, g->U, part, coefficients));
        PEN_TRY(pen_rows_gather(run, g->x, count, coefficients, more));
        for (int64_t i = 0; i < d * count; i++)
            Y[i] -= more[i];
    }
    for (int64_t c = 0; c < count; c++) {
        double sum = 0;
        for (int64_t j = 0; j < d; j++)
            sum += Y[j * count + c] * Y[j * count + c];
        *longest = fmax(*longest, sqrt(sum));
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* 1 if the first round found everything. */
static pen_status is_complete(pen_run *run, const struct graded *g, int *complete)
{
    const int64_t strip = pen_max(MIN_STRIP, STRIP_BYTES / 8 / g->d);
    double longest = 0;

    for (int64_t i = 0; g->found < g->n - 1 && i < g->r && longest <= g->limit; i += strip)
        PEN_TRY(longest_rest(run, g, g->rest + i * g->n, pen_min(strip, g->r - i), &longest));
    *complete = longest <= g->limit;
    return PEN_OK;
}

/* ---- further rounds ---- */

/* Forms the directions of the first round, and Y. */
static pen_status form_directions(pen_run *run, struct graded *g)
{
    const int64_t n = g->n, d = g->d;
    double *coefficients, *columns, *Y;

    PEN_TRY(PEN_NEW(run, Y, pen_times(g->r, d)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, coefficients, pen_times(n, n)));
    PEN_TRY(PEN_NEW(run, columns, pen_times(d, n)));
    pen_transpose(n, n, g->U, coefficients);
    PEN_TRY(pen_rows_gather(run, g->x, n, coefficients, columns));
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < n; i++)
            (i < g->found ? g->V + i * d : Y + (i - g->found) * d)[j] = columns[j * n + i];
    pen_release(run, mark);
    for (int64_t i = 0; i < g->found; i++) {
        g->s[i] = pen_norm(d, g->V + i * d);
        for (int64_t j = 0; j < d; j++)
            g->V[i * d + j] /= g->s[i];
    }
    g->rest = Y;
    return PEN_OK;
}

/* Subtracts from Y its part in the directions found, twice. */
static pen_status strip(pen_run *run, struct graded *g)
{
    double *part, *more;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, part, pen_times(g->r, g->found)));
    PEN_TRY(PEN_NEW(run, more, pen_times(g->r, g->d)));
    for (int time = 0; time < 2 && g->found > 0; time++) {
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, g->r, g->found, g->d, g->rest, g->V,
                             part));
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, g->r, g->d, g->found, part, g->V, more));
        for (int64_t i = 0; i < g->r * g->d; i++)
            g->rest[i] -= more[i];
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* Appends the directions of Y that the round can see and that exceed rounding; *joined is their
 * number, and Y the remainder. */
static pen_status next_round(pen_run *run, struct graded *g, int64_t *joined)
{
    const int64_t r = g->r, d = g->d;
    double *G, *U, *values, *Y, longest = 0;

    for (int64_t i = 0; i < r; i++)
        longest = fmax(longest, pen_norm(d, g->rest + i * d));
    *joined = 0;
    if (!(longest > g->limit))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, G, U, pen_times(r, r)));
    PEN_TRY(PEN_NEW(run, values, r));
    PEN_TRY(PEN_NEW(run, Y, pen_times(r, d)));
    for (int64_t i = 0; i < r * d; i++) /* squares of small numbers underflow */
        Y[i] = g->rest[i] / longest;
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, r, r, d, Y, Y, G));
    PEN_TRY(decompose(run, r, r, G, values, U));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, r, d, r, U, g->rest, Y));
    while (g->found < g->n - 1 && values[*joined] > ROUND_SHARE * values[0]) {
        const double s = pen_norm(d, Y + *joined * d);
        if (!(s > fmax(g->limit, noise_along(g, Y + *joined * d, 1) / s)))
            break;
        for (int64_t j = 0; j < d; j++)
            g->V[g->found * d + j] = Y[*joined * d + j] / s;
        g->s[g->found++] = s;
        ++*joined;
    }
    g->r = r - *joined;
    memcpy(g->rest, Y + *joined * d, (size_t)(g->r * d) * sizeof *Y);
    pen_release(run, mark);
    return PEN_OK;
}

/* V [d x q] <- V L'^-1. */
static pen_status orthonormalize(pen_run *run, int64_t d, int64_t q, double *V)
{
    double *M, most = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, M, pen_times(q, q)));
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, q, q, d, V, V, M));
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < q; j++)
            most = fmax(most, fabs(M[i * q + j] - (i == j)));
    if (most > ORTHONORMAL) {
        PEN_REQUIRE(run, pen_lapack_cholesky(q, M) == 0, PEN_INTERNAL,
                    "directions depend on each other");
        pen_blas_solve_rows(d, q, M, V, q);
    }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status further_rounds(pen_run *run, struct graded *g, pen_graded *out)
{
    int64_t joined = 1;

    PEN_TRY(PEN_NEW(run, out->V, pen_times(g->d, g->n)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, g->V, pen_times(g->n, g->d)));
    PEN_TRY(form_directions(run, g));
    while (joined > 0 && g->found < g->n - 1 && out->rounds < MOST_ROUNDS) {
        PEN_TRY(pen_progress(run, "principal components", out->rounds, MOST_ROUNDS));
        PEN_TRY(strip(run, g));
        PEN_TRY(next_round(run, g, &joined));
        out->rounds += joined > 0;
    }
    pen_transpose(g->found, g->d, g->V, out->V);
    pen_release(run, mark);
    return orthonormalize(run, g->d, g->found, out->V);
}

pen_status pen_rows_svd_of_products(pen_run *run, const pen_view *x, int64_t wanted,
                                    pen_graded *out)
{
    struct graded g = { .x = x, .n = x->n, .d = x->d };
    int complete = 1;

    *out = (pen_graded){ .tolerance = (double)x->d * DBL_EPSILON, .rounds = 1 };
    PEN_TRY(PEN_NEW(run, g.s, x->n));
    out->s = g.s;
    PEN_TRY(first_round(run, &g, wanted, &out->total));
    if (g.found < wanted && wanted < x->n) /* all vectors are needed to see the rest */
        PEN_TRY(first_round(run, &g, x->n, &out->total));
    if (g.found < wanted)
        PEN_TRY(is_complete(run, &g, &complete));
    if (!complete)
        PEN_TRY(further_rounds(run, &g, out));
    out->rank = g.found;
    for (int64_t i = 0; complete && i < g.found; i++)
        g.s[i] = sqrt(g.values[i]);
    if (wanted == x->n) { /* there is nothing beyond the cut */
        out->total = 0;
        for (int64_t i = 0; i < g.found; i++)
            out->total += g.s[i] * g.s[i];
    }
    if (!complete)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, out->U, pen_times(x->n, g.found)));
    pen_transpose(g.found, x->n, g.U, out->U);
    return PEN_OK;
}
