/* ridge.c - shrinkage, dependent columns and the smallest sufficient ridge. */
#include "solve/ridge.h"

#include "linalg/blas.h"
#include "linalg/reduce.h"
#include "scatter/shrinkage.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Limits shrinkage, because 1 would leave nothing of the scatter. */
static const double MOST_SHRUNK = 0.999;

/* A larger condition number leaves fewer than six digits of the columns. */
static const double WORST_CONDITION = 1e10;

static const double NOISE_FACTOR = 100;

/* Fraction of an entry of the diagonal. */
static const double LITTLE_NOISE = 1e-8;

enum { LEAST_ROWS = 16 };

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

/* The mean of the diagonal over all columns. In columns that an exact reduction left out, B is the
 * multiple of I that the method added. */
static double mean_diagonal(const pen_sym *B, int64_t columns)
{
    const double left_out = B->identity * (double)(columns - B->d);
    return (pen_sym_trace(B) + left_out) / (double)columns;
}

static void add(double number, pen_sym *B, pen_projection *map)
{
    const double identity = B->identity;

    map->ridge = number;
    pen_sym_add_identity(number, B);
    B->identity = identity; /* the identity that the method added */
    /* a column with more rounding gets a separate ridge and does not decide for other columns */
    for (int64_t j = 0; j < B->d; j++)
        if (B->floor[j] > LITTLE_NOISE * B->a[j * B->d + j])
            B->a[j * B->d + j] += 2 * B->floor[j];
}

/* ---- ridge auto ---- */

/* The smallest ridge that makes the condition number of B acceptable, and is well above the
 * rounding errors of the rows. */
static pen_status add_smallest(pen_run *run, pen_sym *B, pen_projection *map)
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

/* The denominator is zero, for example if each class has one row, or each row has only duplicates
 * near it. Then only the numerator decides. */
static int is_zero(const pen_regular *p)
{
    return pen_sym_is_rounding(p->B)
           || !(mean_diagonal(p->B, p->columns)
                > (double)p->B->d * DBL_EPSILON * mean_diagonal(p->A, p->columns));
}

static void use_identity(pen_run *run, const pen_regular *p, pen_projection *map)
{
    const double unit = mean_diagonal(p->A, p->columns);

    add(unit > 0 ? unit : 1, p->B, map);
    pen_note(run, "shrinkage", 1);
    pen_note_text(run, "regularized", "the scatter is zero: identity replaces it");
}

/* Adds the multiple of I that shrinkage calls for. */
static pen_status shrink(pen_run *run, const pen_regular *p, pen_projection *map)
{
    const int exact = p->ridge->exact && !p->request->penalty;
    char text[PEN_NOTE_SIZE];
    double rho;

    PEN_TRY(pen_scatter_shrinkage(run, p->ridge->residuals, p->columns, exact ? p->B : NULL, &rho));
    rho = fmin(rho, MOST_SHRUNK);
    if (!(rho / (1 - rho) * p->unit > pen_sym_trace(p->B) / WORST_CONDITION))
        return add_smallest(run, p->B, map);
    add(rho / (1 - rho) * p->unit, p->B, map);
    pen_note(run, "shrinkage", rho);
    snprintf(text, sizeof text, "shrunk by %.2g", rho);
    pen_note_text(run, "regularized", text);
    return PEN_OK;
}

/* Are columns of the rows constant, or dependent up to digits that products lose? Tests enough
 * rows that their number cannot be the reason. */
static pen_status rows_depend(pen_run *run, const pen_view *x, int *depend)
{
    const int64_t d = x->d, m = pen_min(x->n, 2 * d + LEAST_ROWS);
    double *block, condition;
    int64_t *some;
    pen_sym S;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sym_zero(run, d, &S));
    if (x->moments) {
        PEN_TRY(pen_rows_scatter(run, x, 1, &S));
    } else {
        PEN_TRY(PEN_NEW(run, block, pen_times(m, d)));
        PEN_TRY(PEN_NEW(run, some, m));
        for (int64_t i = 0; i < m; i++)
            some[i] = (int64_t)((double)i / (double)m * (double)x->n);
        pen_rows_centered(x, some, 0, m, block);
        pen_blas_syrk(PEN_F64, d, m, block, d, 0, S.a, d);
        pen_sym_add_floor((double)m, x->rounding, &S);
    }
    PEN_TRY(pen_eig_condition(run, &S, &S, &condition));
    *depend = condition < 1 / WORST_CONDITION && !pen_sym_is_rounding(&S);
    pen_release(run, mark);
    return PEN_OK;
}

/* Lets the caller choose other coordinates if those of the rows cause the problem. */
static pen_status judge(pen_run *run, const pen_regular *p, double *condition)
{
    int depend = 0;

    PEN_TRY(pen_eig_condition(run, p->A, p->B, condition));
    if (*condition >= 1 / WORST_CONDITION)
        return PEN_OK;
    if (p->request->rows)
        PEN_TRY(rows_depend(run, p->request->rows, &depend));
    if (depend)
        return PEN_FROM_ROWS;
    if (*condition > 0)
        pen_note(run, "condition", 1 / *condition);
    return PEN_OK;
}

static pen_status find_ridge(pen_run *run, pen_regular *p, double condition, pen_projection *map)
{
    char text[PEN_NOTE_SIZE];

    snprintf(text, sizeof text, "columns in the span of the rows, of rank %lld",
             (long long)p->B->d);
    if (condition > 0 && p->B->d < p->request->columns)
        pen_note_text(run, "regularized", text);
    if (condition > 0)
        return PEN_OK;
    if (is_zero(p)) {
        use_identity(run, p, map);
        return PEN_OK;
    }
    return p->ridge->residuals ? shrink(run, p, map) : add_smallest(run, p->B, map);
}

pen_status pen_regular_open(pen_run *run, const pen_sym *A, pen_sym *B, const pen_ridge *ridge,
                            const pen_request *request, pen_regular *out, pen_projection *map)
{
    const double amount = ridge ? ridge->amount : 0;
    double condition = 0;

    *out = (pen_regular){ .A = A, .B = B, .ridge = ridge, .request = request };
    if (!B)
        return PEN_OK;
    out->columns = amount == PEN_RIDGE_AUTO ? request->spanned : request->columns;
    out->unit = mean_diagonal(B, out->columns);
    if (request->penalty)
        pen_sym_add_scaled(1, request->penalty, B);
    map->penalized = request->penalty != NULL;
    if (amount == PEN_RIDGE_AUTO || (amount == 0 && B->identity == 0))
        PEN_TRY(judge(run, out, &condition));
    if (amount == PEN_RIDGE_AUTO)
        return find_ridge(run, out, condition, map);
    if (amount > 0 && is_zero(out))
        use_identity(run, out, map);
    else if (amount > 0)
        add(amount * out->unit, B, map);
    PEN_REQUIRE(run, B->d == request->spanned || B->identity > 0 || amount > 0,
                PEN_SINGULAR_SCATTER,
                "the denominator scatter is singular: there are fewer rows than the %lld columns; "
                "set %s > 0, or pca",
                (long long)request->columns, ridge_name(request));
    return PEN_OK;
}
