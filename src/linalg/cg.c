/* cg.c - conjugate gradients. Solved columns leave the recursion and the remaining ones move
 * together, so that no product is wasted.
 *
 * r, p and q are [n x active], and q holds z, the preconditioned r, once A p is used; x keeps its
 * layout. Each column is divided by a power of two near its largest entry, so that squares neither
 * underflow nor overflow; this rounds nothing. Sums over rows are formed in pieces and reduced in
 * order. */
#include "linalg/cg.h"

#include "core/parallel.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TASK_ROWS = 512, PROGRESS_STEPS = 1000 };

/* A stage must reduce the true residual to at most this fraction; otherwise the rest is
 * rounding. */
static const double MIN_REDUCTION = 0.5;

struct column {
    int64_t at;        /* its column in rhs and x */
    double unit;       /* power of two */
    double rhs2;       /* |rhs / unit|^2 */
    double rr, rz, pq; /* r'r, r'z, p'Ap */
    double before;     /* true |r|^2 at the start of the stage */
};

struct cg {
    const pen_cg *system;
    int64_t k, active;
    const double *rhs;
    double *x, *r, *p, *q;
    double *sums;   /* [pieces][2 k] */
    double *factor; /* [active] alpha or beta */
    int64_t pieces;
    struct column *column; /* [active] */
    int64_t *kept;         /* [active] */
    double tol2;           /* tolerance for rr / rhs2 */
    double start;          /* largest rr / rhs2 at the start */
    int64_t iterations, progress;
    int stage;
};

/* The sum over all pieces for active column c: the first or the second of its two sums. */
static double total(const struct cg *s, int64_t c, int second)
{
    double sum = 0;
    for (int64_t piece = 0; piece < s->pieces; piece++)
        sum += s->sums[piece * 2 * s->k + second * s->active + c];
    return sum;
}

/* ---- passes over the rows ---- */

/* p = x / unit for the active columns. */
static void load_solution(void *context, int64_t task, int worker)
{
    const struct cg *s = context;
    const int64_t end = pen_min(s->system->n, (task + 1) * TASK_ROWS);

    (void)worker;
    for (int64_t i = task * TASK_ROWS; i < end; i++)
        for (int64_t c = 0; c < s->active; c++)
            s->p[i * s->active + c] = s->x[i * s->k + s->column[c].at] / s->column[c].unit;
}

/* r = rhs / unit - q, and the squares of r and rhs. */
static void compute_residuals(void *context, int64_t task, int worker)
{
    const struct cg *s = context;
    const int64_t end = pen_min(s->system->n, (task + 1) * TASK_ROWS), a = s->active;
    double *restrict rr = s->sums + task * 2 * s->k, *restrict bb = rr + a;

    (void)worker;
    memset(rr, 0, (size_t)(2 * a) * sizeof *rr);
    for (int64_t i = task * TASK_ROWS; i < end; i++)
        for (int64_t c = 0; c < a; c++) {
            const double b = s->rhs[i * s->k + s->column[c].at] / s->column[c].unit,
                         r = b - s->q[i * a + c];
            s->r[i * a + c] = r;
            rr[c] += r * r;
            bb[c] += b * b;
        }
}

/* q = z = r / diagonal, unless there is a preconditioner that left z, and r'z. */
static void precondition(void *context, int64_t task, int worker)
{
    const struct cg *s = context;
    const int64_t end = pen_min(s->system->n, (task + 1) * TASK_ROWS), a = s->active;
    double *restrict sums = s->sums + task * 2 * s->k + a;

    (void)worker;
    memset(sums, 0, (size_t)a * sizeof *sums);
    for (int64_t i = task * TASK_ROWS; i < end; i++) {
        const double inverse = 1 / s->system->diagonal[i], *restrict r = s->r + i * a;
        double *restrict z = s->q + i * a;
        for (int64_t c = 0; c < a; c++) {
            z[c] = s->system->precondition ? z[c] : r[c] * inverse;
            sums[c] += r[c] * z[c];
        }
    }
}

/* p'q. */
static void curvatures(void *context, int64_t task, int worker)
{
    const struct cg *s = context;
    const int64_t end = pen_min(s->system->n, (task + 1) * TASK_ROWS), a = s->active;
    double *restrict sums = s->sums + task * 2 * s->k;

    (void)worker;
    memset(sums, 0, (size_t)(2 * a) * sizeof *sums);
    for (int64_t i = task * TASK_ROWS; i < end; i++) {
        const double *restrict p = s->p + i * a, *restrict q = s->q + i * a;
        for (int64_t c = 0; c < a; c++)
            sums[c] += p[c] * q[c];
    }
}

/* r -= alpha q, x += alpha p, and r'r. */
static void step(void *context, int64_t task, int worker)
{
    const struct cg *s = context;
    const int64_t end = pen_min(s->system->n, (task + 1) * TASK_ROWS), a = s->active;
    const double *restrict alpha = s->factor;
    double *restrict rr = s->sums + task * 2 * s->k;

    (void)worker;
    memset(rr, 0, (size_t)a * sizeof *rr);
    for (int64_t i = task * TASK_ROWS; i < end; i++) {
        const double *restrict p = s->p + i * a, *restrict q = s->q + i * a;
        double *restrict r = s->r + i * a, *restrict x = s->x + i * s->k;
        for (int64_t c = 0; c < a; c++) {
            r[c] -= alpha[c] * q[c];
            rr[c] += r[c] * r[c];
        }
        for (int64_t c = 0; c < a; c++)
            x[s->column[c].at] += s->column[c].unit * (alpha[c] * p[c]);
    }
}

/* p = z + beta p. */
static void next_directions(void *context, int64_t task, int worker)
{
    const struct cg *s = context;
    const int64_t end = pen_min(s->system->n, (task + 1) * TASK_ROWS), a = s->active;
    const double *restrict beta = s->factor;

    (void)worker;
    for (int64_t i = task * TASK_ROWS; i < end; i++) {
        const double *restrict z = s->q + i * a;
        double *restrict p = s->p + i * a;
        for (int64_t c = 0; c < a; c++)
            p[c] = z[c] + beta[c] * p[c];
    }
}

static pen_status pass(pen_run *run, struct cg *s, pen_task_fn fn)
{
    return pen_parallel(run, PEN_SILENT, s->pieces, fn, s);
}

static pen_status find_preconditioned(pen_run *run, struct cg *s)
{
    const pen_cg *const A = s->system;

    if (A->precondition)
        PEN_TRY(A->precondition(run, A->preconditioner, s->active, s->r, s->q));
    return pass(run, s, precondition);
}

/* ---- columns ---- */

/* Keeps the columns kept[0 .. count) and moves them together in r, p and q, in place: a row is
 * written only where rows were read before. */
static void compact(struct cg *s, int64_t count)
{
    const int64_t a = s->active;

    if (count == a)
        return;
    for (int64_t i = 0; count > 0 && i < s->system->n; i++)
        for (int64_t c = 0; c < count; c++) {
            s->r[i * count + c] = s->r[i * a + s->kept[c]];
            s->p[i * count + c] = s->p[i * a + s->kept[c]];
            s->q[i * count + c] = s->q[i * a + s->kept[c]];
        }
    for (int64_t c = 0; c < count; c++)
        s->column[c] = s->column[s->kept[c]];
    s->active = count;
}

/* A power of two near the largest entry of a column of rhs; 0 for a zero column, NaN if an entry is
 * not finite. */
static double unit_of(const struct cg *s, int64_t at)
{
    double largest = 0, bad = 0;
    int exponent;

    for (int64_t i = 0; i < s->system->n; i++) {
        const double entry = s->rhs[i * s->k + at];
        bad += entry * 0;
        largest = fmax(largest, fabs(entry));
    }
    if (bad != 0 || largest == 0)
        return bad;
    frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent);
}

/* Activates the nonzero columns; the solution of a zero column is zero. */
static pen_status activate_columns(pen_run *run, struct cg *s)
{
    for (int64_t at = 0; at < s->k; at++) {
        const double unit = unit_of(s, at);
        PEN_REQUIRE(run, !isnan(unit), PEN_BAD_DATA,
                    "%s: values are too large: the right-hand side overflows", s->system->phase);
        if (unit > 0)
            s->column[s->active++] = (struct column){ .at = at, .unit = unit };
        for (int64_t i = 0; unit == 0 && i < s->system->n; i++)
            s->x[i * s->k + at] = 0;
    }
    return PEN_OK;
}

/* Progress is the fraction of the required digits gained. */
static pen_status report(pen_run *run, struct cg *s)
{
    double worst = 0;

    for (int64_t c = 0; c < s->active; c++)
        worst = fmax(worst, s->column[c].rr / s->column[c].rhs2);
    if (s->iterations == 0)
        s->start = fmax(worst, s->tol2);
    const double all = log(s->start / s->tol2),
                 part = worst > 0 && all > 0 ? log(s->start / worst) / all : 0;
    s->progress = pen_max(s->progress, (int64_t)(PROGRESS_STEPS * fmin(fmax(part, 0), 1)));
    return pen_progress(run, s->system->phase, s->progress, PROGRESS_STEPS);
}

/* Computes the true residuals of the active columns and drops the columns that are solved or did
 * not improve. */
static pen_status begin_stage(pen_run *run, struct cg *s)
{
    int64_t count = 0;

    PEN_TRY(pass(run, s, load_solution));
    PEN_TRY(s->system->apply(run, s->system->context, s->active, s->p, s->q));
    PEN_TRY(pass(run, s, compute_residuals));
    for (int64_t c = 0; c < s->active; c++) {
        struct column *const column = s->column + c;
        column->rr = total(s, c, 0);
        column->rhs2 = total(s, c, 1);
        PEN_REQUIRE(run, isfinite(column->rr) && isfinite(column->rhs2), PEN_BAD_DATA,
                    "%s: values are too large: their sums overflow", s->system->phase);
        const int solved = column->rr <= s->tol2 * column->rhs2;
        const int at_rounding =
            s->stage > 0 && column->rr > MIN_REDUCTION * MIN_REDUCTION * column->before;
        column->before = column->rr;
        if (!solved && !at_rounding)
            s->kept[count++] = c;
    }
    compact(s, count);
    PEN_TRY(find_preconditioned(run, s));
    for (int64_t c = 0; c < s->active; c++)
        s->column[c].rz = total(s, c, 1);
    memcpy(s->p, s->q, (size_t)(s->system->n * s->active) * sizeof *s->p);
    return report(run, s);
}

/* Computes p'Ap. A direction without positive curvature is an error, unless the recursion has
 * solved the column in an earlier stage: then the column is dropped. */
static pen_status check_curvatures(pen_run *run, struct cg *s)
{
    int64_t count = 0;

    PEN_TRY(pass(run, s, curvatures));
    for (int64_t c = 0; c < s->active; c++) {
        struct column *const column = s->column + c;
        column->pq = total(s, c, 0);
        PEN_REQUIRE(run, isfinite(column->pq), PEN_BAD_DATA,
                    "%s: values are too large: their sums overflow", s->system->phase);
        PEN_REQUIRE(run, column->pq > 0 || s->stage > 0, PEN_SINGULAR_SCATTER,
                    "%s: the system is not positive definite (a direction p has p'Ap = %.2g)",
                    s->system->phase, column->pq);
        if (column->pq > 0)
            s->kept[count++] = c;
    }
    compact(s, count);
    return PEN_OK;
}

/* One step of all active columns; drops columns that the recursion has solved. */
static pen_status iterate(pen_run *run, struct cg *s)
{
    int64_t count = 0;

    PEN_TRY(s->system->apply(run, s->system->context, s->active, s->p, s->q));
    PEN_TRY(check_curvatures(run, s));
    if (s->active == 0)
        return PEN_OK;
    for (int64_t c = 0; c < s->active; c++)
        s->factor[c] = s->column[c].rz / s->column[c].pq;
    PEN_TRY(pass(run, s, step));
    s->iterations++;
    for (int64_t c = 0; c < s->active; c++) {
        s->column[c].rr = total(s, c, 0);
        if (!(s->column[c].rr <= s->tol2 * s->column[c].rhs2))
            s->kept[count++] = c;
    }
    PEN_TRY(report(run, s));
    compact(s, count);
    if (s->active == 0)
        return PEN_OK;
    PEN_TRY(find_preconditioned(run, s));
    for (int64_t c = 0; c < s->active; c++) {
        const double rz = total(s, c, 1);
        s->factor[c] = rz / s->column[c].rz;
        s->column[c].rz = rz;
    }
    return pass(run, s, next_directions);
}

static pen_status not_converged(pen_run *run, const struct cg *s)
{
    double worst = 0;

    for (int64_t c = 0; c < s->active; c++)
        worst = fmax(worst, s->column[c].rr / s->column[c].rhs2);
    return pen_fail(run, PEN_NOT_CONVERGED,
                    "%s: not converged after %lld iterations: residual %.2g of the right-hand "
                    "side, tolerance %.2g",
                    s->system->phase, (long long)s->iterations, sqrt(worst), sqrt(s->tol2));
}

/* Runs stages until no column is active; each stage reactivates its columns for the check of their
 * true residuals. */
static pen_status run_stages(pen_run *run, struct cg *s)
{
    struct column *started;
    int64_t count;

    PEN_TRY(PEN_NEW(run, started, s->k));
    for (s->stage = 0; s->active > 0; s->stage++) {
        PEN_TRY(begin_stage(run, s));
        count = s->active;
        memcpy(started, s->column, (size_t)count * sizeof *started);
        while (s->active > 0) {
            if (s->iterations == s->system->most)
                return not_converged(run, s);
            PEN_TRY(iterate(run, s));
        }
        memcpy(s->column, started, (size_t)count * sizeof *started);
        s->active = count;
    }
    return pen_progress(run, s->system->phase, PROGRESS_STEPS, PROGRESS_STEPS);
}

pen_status pen_cg_solve(pen_run *run, const pen_cg *system, int64_t k, const double *rhs, double *x)
{
    const double tol = fmax(system->tol, DBL_EPSILON);
    struct cg s = { .system = system,
                    .k = k,
                    .rhs = rhs,
                    .x = x,
                    .tol2 = tol * tol,
                    .pieces = (system->n + TASK_ROWS - 1) / TASK_ROWS };

    for (int64_t i = 0; i < system->n; i++)
        PEN_REQUIRE(run, system->diagonal[i] > 0 && isfinite(system->diagonal[i]),
                    PEN_SINGULAR_SCATTER,
                    "%s: the diagonal of the system must be positive and finite, got %g in row "
                    "%lld",
                    system->phase, system->diagonal[i], (long long)i);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW3(run, s.r, s.p, s.q, pen_times(system->n, k)));
    PEN_TRY(PEN_NEW(run, s.sums, pen_times(pen_times(s.pieces, 2), k)));
    PEN_TRY(PEN_NEW3(run, s.factor, s.column, s.kept, k));
    PEN_TRY(activate_columns(run, &s));
    PEN_TRY(run_stages(run, &s));
    if (system->iterations)
        *system->iterations = pen_max(*system->iterations, s.iterations);
    pen_release(run, mark);
    return PEN_OK;
}
