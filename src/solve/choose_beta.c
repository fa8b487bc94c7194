/* choose_beta.c - transductive cross-validation of SELF. What depends on all rows is computed once.
 *
 * Distances in all weighted columns are those of M = C^-1 B C^-1, so the columns themselves are not
 * needed: z = F'C^-1 x with B = F F'. Only fewer dimensions need eigenproblems. */
#include "solve/choose_beta.h"

#include "core/folds.h"
#include "core/rng.h"
#include "core/row_order.h"
#include "linalg/blas.h"
#include "neighbors/nearest.h"

#include <math.h>
#include <string.h>

enum { SHARES = 5, MOST_FOLDS = 10, SEED = 0 };

static const double SHARE[SHARES] = { 0.001, 0.25, 0.5, 0.75, 1 };

static const double USUAL = 0.75; /* if there are too few labels to choose */

/* Relative to the trace of B: added to its diagonal so that it has a Cholesky factor. */
static const double TINY = 1e-12;

struct choice {
    pen_view x; /* the labelled rows in use */
    int64_t k;  /* dimensions; 0: all */
    const pen_share_rules *rules;
    pen_request request;
    pen_sym S_t;
    pen_affinity_scale scale;
    const double *rows; /* [labelled x d] centered */
    double *z;          /* [labelled x columns] their embedding with one beta */
    int64_t columns, folds, runs, *order;
    int32_t *fold;                       /* [n] */
    int64_t wrong[SHARES], left[SHARES]; /* errors, and the rows not yet tried, over all runs */
    int there;                           /* z exists; otherwise C is singular */
};

/* ---- one beta in one fold ---- */

/* z in all weighted columns, up to a rotation. B and C become factors; without one, z is absent. */
static pen_status embed_in_all(pen_run *run, struct choice *h, pen_sym *B, pen_sym *C)
{
    const int64_t d = B->d, l = h->x.labelled;
    double *u; /* [d x labelled] C^-1 x */

    PEN_TRY(PEN_NEW(run, u, pen_times(d, l)));
    pen_sym_add_identity(TINY * pen_sym_trace(B), B);
    h->there = pen_lapack_cholesky(d, C->a) == 0 && pen_lapack_cholesky(d, B->a) == 0;
    if (!h->there)
        return PEN_OK;
    pen_transpose(l, d, h->rows, u);
    pen_lapack_cholesky_solve(d, l, C->a, u);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i + 1; j < d; j++)
            B->a[i * d + j] = 0;
    pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, l, d, d, 1, u, l, B->a, d, 0, h->z, d);
    return PEN_OK;
}

/* z in the first k weighted columns. */
static pen_status embed_in_some(pen_run *run, struct choice *h, const pen_sym *B, const pen_sym *C)
{
    const int64_t d = B->d, k = h->k;
    pen_eig e;

    PEN_TRY(pen_eig_regular(run, B, C, k, &e));
    for (int64_t c = 0; c < k; c++)
        for (int64_t j = 0; j < d; j++)
            e.vectors[c * d + j] *= sqrt(e.values[c]);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, h->x.labelled, k, d, 1, h->rows, d, e.vectors,
                  d, 0, h->z, k);
    return PEN_OK;
}

static pen_status embed(pen_run *run, struct choice *h, int share, const pen_sym *S_lb,
                        const pen_sym *S_lw)
{
    const double b = SHARE[share], w = pen_beta_within(h->rules->within, b);
    const pen_ridge ridge = { .amount = fmax(0, h->rules->ridge) };
    pen_projection map = { .k = 0 };
    pen_regular p;
    pen_sym B, C;
    double condition;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_ZEROS(run, h->x.d, &B, &C));
    pen_sym_add_scaled(1 - b, S_lb, &B); /* B = (1-b) S_lb + b S_t */
    pen_sym_add_scaled(b, &h->S_t, &B);
    pen_sym_add_scaled(1 - w, S_lw, &C); /* C = (1-w) S_lw + w I */
    pen_sym_add_identity(w, &C);
    PEN_TRY(pen_regular_open(run, &B, &C, &ridge, &h->request, &p, &map));
    PEN_TRY(pen_eig_condition(run, &B, &C, &condition));
    h->there = condition > 0;
    if (h->there)
        PEN_TRY(h->k ? embed_in_some(run, h, &B, &C) : embed_in_all(run, h, &B, &C));
    pen_release(run, mark);
    return PEN_OK;
}

/* Counts the rows of fold f that 1-NN among the other rows misclassifies; all, if C is singular. */
static pen_status count_wrong(pen_run *run, struct choice *h, int32_t f, int share)
{
    const int64_t k = h->columns, l = h->x.labelled;
    double *rows; /* rows of the fold come last */
    int64_t *places, right = 0;
    int32_t *classes;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rows, pen_times(l, k)));
    PEN_TRY(PEN_NEW2(run, places, classes, l));
    const int64_t known = pen_folds_divide(&h->x, h->fold, f, places, classes);
    for (int64_t i = 0; i < l; i++)
        memcpy(rows + i * k, h->z + places[i] * k, (size_t)k * sizeof *rows);
    const pen_nearest trial = { k,       known,          l - known, rows, rows + known * k,
                                classes, classes + known };
    if (h->there)
        PEN_TRY(pen_nearest_correct(run, &trial, 1, &right));
    h->wrong[share] += trial.hidden - right;
    h->left[share] -= trial.hidden;
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- folds ---- */

/* The most errors that a chosen beta may have: the fewest of any beta, plus half a standard error
 * in runs of the same rows. Until the end this is an upper bound, because all rows not yet tried
 * might be wrong. */
static double allowed(const struct choice *h)
{
    int64_t fewest = INT64_MAX;

    for (int share = 0; share < SHARES; share++)
        fewest = pen_min(fewest, h->wrong[share] + h->left[share]);
    const double runs = (double)h->runs, l = (double)h->x.labelled, each = (double)fewest / runs;
    return (double)fewest + runs * sqrt(fmax(0, each * (1 - each / l))) / 2;
}

static int is_open(const struct choice *h, int share)
{
    return h->left[share] > 0 && (double)h->wrong[share] <= allowed(h);
}

static pen_status try_fold(pen_run *run, struct choice *h, int32_t f)
{
    pen_view known;
    pen_sym S_lb, S_lw;
    int32_t *labels;
    int open = 0;

    for (int share = 0; share < SHARES; share++)
        open += is_open(h, share);
    if (open == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_folds_select(run, &h->x, h->fold, f, 0, &labels, &known));
    PEN_TRY(PEN_ZEROS(run, h->x.d, &S_lb, &S_lw));
    PEN_TRY(pen_scatter_local_scaled(run, 1, 1, &known, &h->scale, &S_lb, &S_lw));
    for (int share = SHARES - 1; share >= 0; share--)
        if (is_open(h, share)) {
            PEN_TRY(embed(run, h, share, &S_lb, &S_lw));
            PEN_TRY(count_wrong(run, h, f, share));
        }
    pen_release(run, mark);
    return PEN_OK;
}

/* total: tries only the last beta, whose z is the same in all folds. */
static pen_status try_folds(pen_run *run, struct choice *h, int total)
{
    for (int64_t r = 0; r < h->runs; r++) {
        PEN_TRY(pen_folds_deal(run, &h->x, h->order, h->folds, 1, pen_rng_derive(SEED, (uint64_t)r),
                               h->fold));
        for (int32_t f = 0; f < h->folds; f++)
            PEN_TRY(total ? count_wrong(run, h, f, SHARES - 1) : try_fold(run, h, f));
    }
    return PEN_OK;
}

static pen_status try_all(pen_run *run, struct choice *h)
{
    pen_sym none;

    h->runs = MOST_FOLDS / h->folds;
    for (int share = 0; share < SHARES; share++)
        h->left[share] = h->runs * h->x.labelled;
    if (pen_beta_within(h->rules->within, 1) == 1) { /* B = S_t, C = I */
        PEN_TRY(pen_sym_zero(run, h->x.d, &none));
        PEN_TRY(embed(run, h, SHARES - 1, &none, &none));
        PEN_TRY(try_folds(run, h, 1));
    }
    return try_folds(run, h, 0);
}

static pen_status try_problem(pen_run *run, const pen_problem *problem, struct choice *h)
{
    const pen_view *const x = &problem->rows;
    pen_problem known = *problem;
    double *rows;

    PEN_TRY(PEN_NEW(run, h->fold, x->n));
    PEN_TRY(pen_rows_order(run, x, &h->order));
    PEN_TRY(pen_folds_some(run, x, h->order, MOST_FOLDS, h->fold, &h->x, &h->folds));
    if (h->folds == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, rows, pen_times(h->x.labelled, x->d)));
    pen_rows_centered(x, h->x.members, 0, h->x.labelled, rows);
    h->rows = rows;
    h->columns = h->k ? h->k : x->d;
    PEN_TRY(PEN_NEW(run, h->z, pen_times(h->x.labelled, h->columns)));
    known.rows = h->x;
    PEN_TRY(pen_scatter_local_scale(run, &known, &h->rules->affinity, PEN_SCALING_ALL, &h->scale));
    PEN_TRY(pen_sym_zero(run, x->d, &h->S_t));
    PEN_REQUIRE(run, !h->S_t.terms, PEN_BAD_ARGUMENT,
                "%lld rows and %lld columns are too many to choose beta; set beta, or pca "
                "to a number of components, such as 100",
                (long long)x->n, (long long)x->d);
    PEN_TRY(pen_scatter_total(run, 1, x, h->rules->total, &h->S_t));
    return try_all(run, h);
}

double pen_beta_within(double within, double beta)
{
    return within == PEN_BETA_SAME ? beta : within;
}

pen_status pen_choose_beta(pen_run *run, const pen_problem *problem, const pen_share_rules *rules,
                           const pen_request *request, double *beta)
{
    const pen_view *const x = &problem->rows;
    struct choice h = { .k = request->wanted < pen_min(pen_rows_count(x) - 1, x->d)
                                 ? request->wanted
                                 : 0,
                        .rules = rules,
                        .request = *request };
    int best = SHARES - 1;

    if (*beta != PEN_BETA_AUTO)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    *beta = USUAL;
    h.request.rows = NULL; /* a singular denominator counts as errors */
    PEN_TRY(try_problem(run, problem, &h));
    if (h.runs > 0) {
        pen_trace_restart(run, "beta_errors");
        for (int share = 0; share < SHARES; share++)
            PEN_TRY(pen_trace(run, "beta_errors", (double)h.wrong[share]));
        while (best > 0 && !((double)h.wrong[best] <= allowed(&h)))
            best--;
        *beta = SHARE[best];
    }
    pen_note(run, "beta", *beta);
    pen_release(run, mark);
    return PEN_OK;
}
