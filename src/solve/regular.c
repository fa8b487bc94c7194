/* regular.c - shrinkage, the span of the rows and the smallest sufficient ridge. */
#include "solve/regular.h"

#include "scatter/shrinkage.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Shrinkage is limited, because 1 would leave nothing of the scatter. */
static const double MOST_SHRUNK = 0.999;

/* A larger condition number leaves fewer than six digits of the columns. */
static const double WORST_CONDITION = 1e10;

static const double NOISE_FACTOR = 100;

static const char *ridge_name(const pen_request *request)
{
    return request->ridge ? request->ridge : "ridge";
}

pen_status pen_regular_explain(pen_run *run, pen_status status, const pen_regular *problem)
{
    const int groups = problem->ridge && problem->ridge->residuals;
    char text[160];

    if (status == PEN_SINGULAR_SCATTER) {
        snprintf(text, sizeof text,
                 "columns are constant or dependent%s, or there are too few rows; set %s > 0, or "
                 "pca to fewer columns",
                 groups ? " within classes or chunklets" : "", ridge_name(problem->request));
        pen_explain(run, text);
    }
    return status;
}

/* The mean of the diagonal over all columns. In those that an exact reduction left out, B is the
 * multiple of I that the method added. */
static double mean_diagonal(const pen_sym *B, const pen_request *request)
{
    const double left_out = B->identity * (double)(request->columns - B->d);
    return (pen_sym_trace(B) + left_out) / (double)request->columns;
}

static void add(double number, pen_sym *B, pen_map *map)
{
    const double identity = B->identity;

    map->ridge = number;
    pen_sym_add_identity(number, B);
    B->identity = identity; /* that of the method alone */
}

/* ---- ridge auto ---- */

/* The least number that makes the condition number of B tolerable, and is well above the rounding
 * errors of the rows. */
static pen_status add_smallest(pen_run *run, pen_sym *B, pen_map *map)
{
    double noise = 0;
    pen_eig e;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_eig_largest(run, B, NULL, 1, &e));
    for (int64_t j = 0; j < B->d; j++)
        noise = fmax(noise, B->floor[j]);
    const double least = e.values[0] / (WORST_CONDITION - 1);
    add(fmax(least, NOISE_FACTOR * noise), B, map);
    pen_release(run, mark);
    pen_note_text(run, "regularized",
                  least > NOISE_FACTOR * noise ? "smallest ridge for a condition number of 1e10"
                                               : "smallest ridge above rounding errors");
    return PEN_OK;
}

/* The denominator is zero, as where each class has one row, or each row has only equal rows near
 * it: the numerator alone decides. */
static int is_zero(const pen_regular *p)
{
    return pen_sym_is_rounding(p->B)
           || !(mean_diagonal(p->B, p->request)
                > (double)p->B->d * DBL_EPSILON * mean_diagonal(p->A, p->request));
}

static void use_identity(pen_run *run, const pen_regular *p, pen_map *map)
{
    const double unit = mean_diagonal(p->A, p->request);

    add(unit > 0 ? unit : 1, p->B, map);
    pen_note(run, "shrinkage", 1);
    pen_note_text(run, "regularized", "the scatter is zero: the identity instead");
}

/* Adds a multiple of I in the proportion of the shrinkage. */
static pen_status shrink(pen_run *run, const pen_regular *p, pen_map *map)
{
    const int exact = p->ridge->exact && !p->request->penalty;
    char text[PEN_NOTE_SIZE];
    double rho;

    PEN_TRY(pen_scatter_shrinkage(run, p->ridge->residuals, p->request->columns,
                                  exact ? p->B : NULL, &rho));
    rho = fmin(rho, MOST_SHRUNK);
    if (!(rho / (1 - rho) * p->unit > pen_sym_trace(p->B) / WORST_CONDITION))
        return add_smallest(run, p->B, map);
    add(rho / (1 - rho) * p->unit, p->B, map);
    pen_note(run, "shrinkage", rho);
    snprintf(text, sizeof text, "shrunk by %.2g", rho);
    pen_note_text(run, "regularized", text);
    return PEN_OK;
}

/* Takes the problem to the span of the rows; *definite: the denominator is regular there. */
static pen_status enter_span(pen_run *run, const pen_rows *rows, pen_regular *p, int *definite)
{
    char text[PEN_NOTE_SIZE];

    if (p->B->d == p->request->columns) {
        PEN_TRY(pen_solve_span_of(run, rows, &p->span));
        p->in_span = p->span.rank < p->B->d;
    }
    if (p->in_span) {
        PEN_TRY(pen_solve_enter(run, &p->span, p->A, p->B, p->request, &p->inner));
        p->inner.B.identity = p->B->identity; /* the basis is orthonormal */
        p->A = &p->inner.A;
        p->B = &p->inner.B;
        PEN_TRY(pen_eig_is_definite(run, p->A, p->B, definite));
    }
    snprintf(text, sizeof text, "columns in the span of the rows, of rank %lld",
             (long long)p->B->d);
    pen_note_text(run, "regularized", text);
    return PEN_OK;
}

static pen_status find_ridge(pen_run *run, pen_regular *p, pen_map *map)
{
    const int left_out = p->B->d < p->request->columns && p->B->identity == 0;
    int definite;

    PEN_TRY(pen_eig_is_definite(run, p->A, p->B, &definite));
    if (definite && !left_out)
        return PEN_OK;
    if (p->ridge->span)
        PEN_TRY(enter_span(run, p->ridge->span, p, &definite));
    if (p->ridge->span && definite)
        return PEN_OK;
    if (is_zero(p)) {
        use_identity(run, p, map);
        return PEN_OK;
    }
    if (p->ridge->residuals)
        return shrink(run, p, map);
    return add_smallest(run, p->B, map);
}

pen_status pen_regular_open(pen_run *run, const pen_sym *A, pen_sym *B, const pen_ridge *ridge,
                            const pen_request *request, pen_regular *out, pen_map *map)
{
    const double amount = ridge ? ridge->amount : 0;

    *out = (pen_regular){ .A = A, .B = B, .ridge = ridge, .request = request };
    if (!B)
        return PEN_OK;
    out->unit = mean_diagonal(B, request);
    if (request->penalty)
        pen_sym_add_scaled(1, request->penalty, B);
    map->penalized = request->penalty != NULL;
    if (amount == PEN_RIDGE_AUTO)
        return find_ridge(run, out, map);
    if (amount > 0 && is_zero(out))
        use_identity(run, out, map);
    else if (amount > 0)
        add(amount * out->unit, B, map);
    PEN_REQUIRE(
        run, B->d == request->columns || B->identity > 0 || amount > 0, PEN_SINGULAR_SCATTER,
        "the denominator scatter is singular: there are fewer rows than the %lld columns; set "
        "%s > 0, or pca",
        (long long)request->columns, ridge_name(request));
    return PEN_OK;
}
