/* graph_terms.c - terms are written down once, and their sums taken once, in order. */
#include "linalg/graph_terms.h"

#include "linalg/packed.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounding error of sums of rows with degrees, relative to |a| x^2. */
static const double ROUNDING = 4 * DBL_EPSILON;

/* Relative difference of checks of the same graph, whose weights come from exponentials. */
static const double SAME = 1e-9;

void pen_term_check(int64_t n, const pen_term *term, double check[PEN_TERM_CHECKS])
{
    check[0] = term->first ? (double)(term->first[n] - term->first[0]) : term->sigma ? -1 : 0;
    check[1] = check[2] = 0;
    for (int64_t i = 0; i < n; i++) {
        const double here = (double)i / (double)n;
        const double own =
            (term->rest ? fabs(term->rest[i]) : 0) + (term->sigma ? term->sigma[i] : 0);
        check[1] += own;
        check[2] += own * here;
        for (int64_t e = term->first ? term->first[i] : 0; term->first && e < term->first[i + 1];
             e++) {
            const double weight = fabs(term->weight[e]);
            check[1] += weight;
            check[2] += weight * (here + 2 * ((double)term->other[e] / (double)n));
        }
    }
}

/* ---- writing ---- */

static pen_status copy_numbers(pen_run *run, const double *from, int64_t count, const double **out)
{
    double *to;

    *out = NULL;
    if (!from)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, to, count));
    memcpy(to, from, (size_t)count * sizeof *to);
    *out = to;
    return PEN_OK;
}

static pen_status copy_edges(pen_run *run, const pen_term *from, int64_t n, pen_term *to)
{
    const int64_t edges = from->first ? from->first[n] : 0;
    int64_t *first, *other;

    if (!from->first)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, first, n + 1));
    PEN_TRY(PEN_NEW(run, other, edges));
    memcpy(first, from->first, (size_t)(n + 1) * sizeof *first);
    memcpy(other, from->other, (size_t)edges * sizeof *other);
    to->first = first;
    to->other = other;
    return copy_numbers(run, from->weight, edges, &to->weight);
}

static pen_status write_term(pen_terms *t, const pen_term *term)
{
    pen_term *const to = &t->term[t->count];

    *to = (pen_term){ .first = NULL };
    PEN_TRY(copy_edges(t->keeper, term, t->n, to));
    PEN_TRY(copy_numbers(t->keeper, term->rest, t->n, &to->rest));
    PEN_TRY(copy_numbers(t->keeper, term->sigma, t->n, &to->sigma));
    t->edges += term->first ? term->first[t->n] : 0;
    pen_term_check(t->n, to, t->check[t->count++]);
    return PEN_OK;
}

/* ---- reading ---- */

static int is_same(const double *a, const double *b)
{
    int same = 1;
    for (int i = 0; i < PEN_TERM_CHECKS; i++)
        same &= fabs(a[i] - b[i]) <= SAME * fmax(fabs(a[i]), fabs(b[i]));
    return same;
}

pen_status pen_terms_next(pen_run *run, const pen_rows *x, const pen_term *term,
                          const pen_term_sums **sums)
{
    pen_terms *const t = x->moments->terms;
    double check[PEN_TERM_CHECKS];

    *sums = NULL;
    if (!t || (!t->writing && t->known == 0)) {
        PEN_REQUIRE(run, !x->moments->by_pairs, PEN_BAD_ARGUMENT,
                    "%s needs edges: run the second pass over pairs of blocks, which takes the "
                    "scatter of its graph",
                    x->moments->method);
        return pen_rows_need_all(run, x);
    }
    if (t->writing) {
        PEN_REQUIRE(run, t->count < PEN_TERMS_MOST, PEN_INTERNAL, "too many graphs");
        PEN_REQUIRE(run, write_term(t, term) == PEN_OK, PEN_NO_MEMORY, "out of memory for a graph");
        return PEN_OK;
    }
    pen_term_check(t->n, term, check);
    PEN_REQUIRE(run,
                *t->taken + pen_term_results(term) <= t->known
                    && is_same(check, t->known_check + *t->taken * PEN_TERM_CHECKS),
                PEN_BAD_ARGUMENT,
                "the edges in these statistics are those of another graph: it was made with other "
                "parameters, labels or pairs than this fit");
    *sums = &t->sums[*t->taken];
    *t->taken += pen_term_results(term);
    return PEN_OK;
}

static void check_shares(int64_t n, int64_t c, const double *F, double check[PEN_TERM_CHECKS])
{
    check[0] = (double)c;
    check[1] = check[2] = 0;
    for (int64_t i = 0; i < n * c; i++) {
        check[1] += F[i];
        check[2] += F[i] * ((double)i / (double)(n * c));
    }
}

pen_status pen_terms_soft(pen_run *run, const pen_rows *x, const double *F, int64_t c,
                          const pen_soft_sums **sums)
{
    pen_terms *const t = x->moments->terms;
    double check[PEN_TERM_CHECKS];

    *sums = NULL;
    PEN_REQUIRE(run, t && (t->writing || t->soft), PEN_BAD_ARGUMENT,
                "%s needs soft: run the last pass over blocks, which takes the scatters of the "
                "labels that were propagated",
                x->moments->method);
    if (t->writing) {
        PEN_REQUIRE(run, copy_numbers(t->keeper, F, pen_times(t->n, c), &t->share) == PEN_OK,
                    PEN_NO_MEMORY, "out of memory for propagated labels");
        t->classes = c;
        check_shares(t->n, c, F, t->share_check);
        return PEN_OK;
    }
    check_shares(t->n, c, F, check);
    PEN_REQUIRE(run, t->soft->classes == c && is_same(check, t->soft_check), PEN_BAD_ARGUMENT,
                "the soft classes in these statistics are of other labels: they were propagated "
                "with other parameters than those of this fit");
    *sums = t->soft;
    return PEN_OK;
}

pen_status pen_terms_residuals(pen_run *run, const pen_rows *x, int64_t neighbors, double lle_ridge,
                               const pen_residual_sums **sums)
{
    const pen_terms *const t = x->moments->terms;

    PEN_REQUIRE(run, t && t->residuals, PEN_BAD_ARGUMENT,
                "%s needs residuals: run the last pass over blocks, which reconstructs their rows "
                "from the neighbors in the lists",
                x->moments->method);
    *sums = t->residuals;
    PEN_REQUIRE(run, (*sums)->neighbors == (double)neighbors && (*sums)->lle_ridge == lle_ridge,
                PEN_BAD_ARGUMENT,
                "the residuals in these statistics are those of neighbors %g and lle_ridge %g, the "
                "fit has %lld and %g",
                (*sums)->neighbors, (*sums)->lle_ridge, (long long)neighbors, lle_ridge);
    return PEN_OK;
}

/* S += weight (v c' + c v' + mass c c'), v in the units of x. */
static void move_origin(const pen_rows *x, double weight, const pen_term_sums *sums,
                        const double *c, pen_sym *S)
{
    for (int64_t i = 0; i < x->d; i++) {
        const double v_i = sums->vector[i] * (x->scale ? x->scale[i] : 1);
        for (int64_t j = 0; j <= i; j++) {
            const double v_j = sums->vector[j] * (x->scale ? x->scale[j] : 1);
            S->a[i * x->d + j] += weight * (v_i * c[j] + c[i] * v_j + sums->mass * c[i] * c[j]);
        }
    }
}

void pen_terms_add(const pen_rows *x, double weight, const pen_term_sums *sums, const double *c,
                   pen_sym *S)
{
    if (!sums) {
        pen_sym_add_identity(1, S);
        return;
    }
    pen_packed_add(x, weight, sums->scatter, S);
    if (c)
        move_origin(x, weight, sums, c, S);
    for (int64_t j = 0; j < x->d; j++) {
        const double scale = x->scale ? x->scale[j] : 1;
        S->floor[j] += fabs(weight) * ROUNDING * sums->squares[j] * scale * scale;
    }
    pen_sym_note(S, x->moments->n, DBL_EPSILON);
}

/* ---- other coordinates ---- */

static pen_status project_term(pen_run *run, const pen_term_sums *from, int64_t d,
                               const double *basis, int64_t q, pen_term_sums *to)
{
    double *vector, *squares;

    PEN_TRY(pen_packed_project(run, from->scatter, d, basis, q, &to->scatter));
    PEN_TRY(PEN_NEW(run, vector, q));
    PEN_TRY(PEN_NEW(run, squares, q));
    for (int64_t i = 0; i < q; i++) {
        vector[i] = squares[i] = 0;
        for (int64_t j = 0; j < d; j++) {
            vector[i] += from->vector[j] * basis[i * d + j];
            squares[i] += from->squares[j] * basis[i * d + j] * basis[i * d + j];
        }
    }
    to->vector = vector;
    to->squares = squares;
    to->mass = from->mass;
    return PEN_OK;
}

static pen_status project_soft(pen_run *run, const pen_soft_sums *from, int64_t d,
                               const double *basis, int64_t q, const pen_soft_sums **out)
{
    pen_soft_sums *to;
    double *mean;

    PEN_TRY(PEN_NEW(run, to, 1));
    PEN_TRY(PEN_NEW(run, mean, pen_times(from->classes, q)));
    *to = (pen_soft_sums){ .classes = from->classes, .mass = from->mass, .mean = mean };
    for (int64_t c = 0; c < from->classes; c++)
        for (int64_t i = 0; i < q; i++) {
            mean[c * q + i] = 0;
            for (int64_t j = 0; j < d; j++)
                mean[c * q + i] += from->mean[c * d + j] * basis[i * d + j];
        }
    *out = to;
    return pen_packed_project(run, from->within, d, basis, q, &to->within);
}

static pen_status project_residuals(pen_run *run, const pen_residual_sums *from, int64_t d,
                                    const double *basis, int64_t q, const pen_residual_sums **out)
{
    pen_residual_sums *to;

    PEN_TRY(PEN_NEW(run, to, 1));
    *to = *from;
    *out = to;
    return pen_packed_project(run, from->scatter, d, basis, q, &to->scatter);
}

pen_status pen_terms_project(pen_run *run, pen_terms *terms, int64_t d, const double *basis,
                             int64_t q, pen_terms **out)
{
    *out = terms;
    if (terms->writing)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, *out, 1));
    **out = *terms;
    for (int64_t t = 0; t < terms->known; t++)
        PEN_TRY(project_term(run, &terms->sums[t], d, basis, q, &(*out)->sums[t]));
    if (terms->soft)
        PEN_TRY(project_soft(run, terms->soft, d, basis, q, &(*out)->soft));
    if (terms->residuals)
        PEN_TRY(project_residuals(run, terms->residuals, d, basis, q, &(*out)->residuals));
    return PEN_OK;
}
