/* tall_qr.c - block Gram-Schmidt on tall matrices. A pass over the rows subtracts, multiplies and
 * sums products of a few rows while they are in cache. */
#include "linalg/tall_qr.h"

#include "core/parallel.h"
#include "linalg/blas.h"

#include <math.h>
#include <string.h>

enum {
    TASK_ROWS = 1024,  /* rows in a task, at least */
    MAX_TASKS = 64,    /* limits the memory of partial sums */
    BAND_SIZE = 65536, /* numbers of Q to read at a time */
    MIN_BAND = 32,
    ROTATED = 64, /* rows to rotate at a time */
};

/* The fraction of a column that must lie outside the earlier ones: in the first step, so that
 * squares find it; in the second, to be orthogonal to all digits. */
static const double FIRST_SHARE = 1e-5, SECOND_SHARE = 0.5;

void pen_tall_draw(pen_rng *rng, int64_t count, double *to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = 2 * pen_rng_uniform(rng) - 1;
}

/* ---- passes over the rows ---- */

/* In this order, as far as they are set: W -= Q H; W <- W T; sums of Q'W and of W'W. */
struct pass {
    int64_t n, m, stride, c;
    const double *Q, *H;
    const double *T; /* [c x c] upper triangle */
    double *W;
    int with_q, with_w;
    double *sums; /* [tasks][(m + c) x c] */
    int64_t each, band;
};

/* Multiplies rows of W by an upper triangle, in place. */
static void times_triangle(int64_t rows, int64_t c, const double *T, double *W)
{
    for (int64_t i = 0; i < rows; i++, W += c)
        for (int64_t j = c - 1; j >= 0; j--) {
            double sum = 0;
            for (int64_t l = 0; l <= j; l++)
                sum += W[l] * T[l * c + j];
            W[j] = sum;
        }
}

static void pass_rows(void *context, int64_t task, int worker)
{
    const struct pass *p = context;
    const int64_t m = p->m, c = p->c, start = task * p->each, end = pen_min(p->n, start + p->each);
    double *const inner = p->sums ? p->sums + task * (m + c) * c : NULL;

    (void)worker;
    for (int64_t first = start; first < end; first += p->band) {
        const int64_t rows = pen_min(p->band, end - first);
        const double *const Q = p->Q + first * p->stride;
        double *const W = p->W + first * c;
        if (p->H && m > 0)
            pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, rows, c, m, -1, Q, p->stride, p->H, c, 1,
                          W, c);
        if (p->T)
            times_triangle(rows, c, p->T, W);
        if (p->with_q && m > 0)
            pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, m, c, rows, 1, Q, p->stride, W, c,
                          first > start, inner, c);
        if (p->with_w)
            pen_blas_gemm(PEN_F64, PEN_TRANSPOSED, PEN_PLAIN, c, c, rows, 1, W, c, W, c,
                          first > start, inner + m * c, c);
    }
}

/* to [count]: the sum over tasks of `count` numbers, `apart` from each other. */
static void add_tasks(int64_t tasks, int64_t apart, const double *from, int64_t count, double *to)
{
    memcpy(to, from, (size_t)count * sizeof *to);
    for (int64_t t = 1; t < tasks; t++)
        for (int64_t i = 0; i < count; i++)
            to[i] += from[t * apart + i];
}

/* Writes the sums to of_q [m x c] and of_w [c x c]; NULL: not wanted. */
static pen_status run_pass(pen_run *run, struct pass *p, double *of_q, double *of_w)
{
    const int64_t c = p->c, m = p->m, size = (m + c) * c;

    p->each = pen_max(TASK_ROWS, (p->n + MAX_TASKS - 1) / MAX_TASKS);
    p->band = pen_max(MIN_BAND, pen_min(p->each, BAND_SIZE / (m + c)));
    p->with_q = of_q != NULL;
    p->with_w = of_w != NULL;
    p->sums = NULL;
    const int64_t tasks = (p->n + p->each - 1) / p->each;
    const pen_mark_t mark = pen_mark(run);
    if (of_q || of_w)
        PEN_TRY(PEN_NEW(run, p->sums, pen_times(tasks, size)));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, pass_rows, p));
    if (of_q)
        add_tasks(tasks, size, p->sums, m * c, of_q);
    if (of_w)
        add_tasks(tasks, size, p->sums + m * c, c * c, of_w);
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- blocks ---- */

/* The upper triangle R with R'R = G, and T = R^-1. Returns 0 if at most `floor` or `share` of a
 * column is outside the earlier ones. */
static int factor(int64_t c, const double *G, double floor, double share, double *R, double *T)
{
    for (int64_t i = 0; i < c * c; i++)
        R[i] = T[i] = 0;
    for (int64_t j = 0; j < c; j++) {
        const double length = sqrt(G[j * c + j]);
        if (!(length > floor))
            return 0;
        double rest = G[j * c + j];
        for (int64_t i = 0; i < j; i++) {
            double sum = G[i * c + j];
            for (int64_t l = 0; l < i; l++)
                sum -= R[l * c + i] * R[l * c + j];
            R[i * c + j] = sum / R[i * c + i];
            rest -= R[i * c + j] * R[i * c + j];
        }
        if (!(rest > share * share * length * length && sqrt(rest) > floor))
            return 0;
        R[j * c + j] = sqrt(rest);
    }
    for (int64_t j = 0; j < c; j++)
        for (int64_t i = j; i >= 0; i--) {
            double sum = i == j;
            for (int64_t l = i + 1; l <= j; l++)
                sum -= R[i * c + l] * T[l * c + j];
            T[i * c + j] = sum / R[i * c + i];
        }
    return 1;
}

/* A = B A, both upper triangles. */
static void multiply_triangles(int64_t c, const double *B, double *A)
{
    for (int64_t i = 0; i < c; i++)
        for (int64_t j = c - 1; j >= i; j--) {
            double sum = 0;
            for (int64_t l = i; l <= j; l++)
                sum += B[i * c + l] * A[l * c + j];
            A[i * c + j] = sum;
        }
}

struct block {
    double *H, *again;     /* [m x c] */
    double *G, *R, *S, *T; /* [c x c] */
};

static pen_status new_block(pen_run *run, int64_t m, int64_t c, struct block *b)
{
    PEN_TRY(PEN_NEW2(run, b->H, b->again, pen_times(m + 1, c)));
    PEN_TRY(PEN_NEW3(run, b->G, b->R, b->S, pen_times(c, c)));
    return PEN_NEW(run, b->T, pen_times(c, c));
}

/* Subtracts H of Q from W, and divides by R. *divided says whether it could; otherwise R = I. */
static pen_status first_step(pen_run *run, const pen_tall *t, struct pass *p, struct block *b,
                             int *divided)
{
    const int64_t c = t->c;

    PEN_TRY(run_pass(run, p, b->H, NULL));
    p->H = b->H;
    PEN_TRY(run_pass(run, p, NULL, b->G));
    *divided = factor(c, b->G, t->floor, FIRST_SHARE, b->R, b->T);
    p->H = NULL;
    p->T = b->T;
    for (int64_t i = 0; !*divided && i < c * c; i++)
        b->R[i] = i % (c + 1) == 0;
    return *divided ? run_pass(run, p, b->again, b->G) : PEN_OK;
}

/* Subtracts `again` of Q from W and divides by S, if W is nearly orthonormal. */
static pen_status second_step(pen_run *run, const pen_tall *t, struct pass *p, struct block *b,
                              int *done)
{
    const int64_t c = t->c;

    for (int64_t i = 0; i < c; i++)
        for (int64_t j = 0; j < c; j++)
            for (int64_t l = 0; l < t->m; l++)
                b->G[i * c + j] -= b->again[l * c + i] * b->again[l * c + j];
    *done = factor(c, b->G, SECOND_SHARE, SECOND_SHARE, b->S, b->T);
    p->H = b->again;
    return *done ? run_pass(run, p, NULL, NULL) : PEN_OK;
}

/* ---- columns one by one ---- */

static void divide(int64_t n, double length, double *v)
{
    for (int64_t i = 0; i < n; i++)
        v[i] /= length;
}

/* Subtracts from u [n] its part in the first m columns of Q: along [m] is that part, *length the
 * length of the remainder, and u becomes its direction; *length is 0 if it is at most `floor`. */
static pen_status clear_column(pen_run *run, const pen_tall *t, int64_t m, double floor, double *u,
                               double *along, double *length)
{
    struct pass p = { .n = t->n, .m = m, .stride = t->stride, .c = 1, .Q = t->Q, .W = u };
    double *more, square;

    *length = 1;
    memset(along, 0, (size_t)m * sizeof *along);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, more, m + 1));
    for (int time = 0; time < 3; time++) {
        p.H = NULL;
        PEN_TRY(run_pass(run, &p, more, NULL));
        p.H = more;
        PEN_TRY(run_pass(run, &p, NULL, &square));
        for (int64_t i = 0; i < m; i++)
            along[i] += *length * more[i];
        const double rest = sqrt(square);
        if (!(*length * rest > floor)) {
            *length = 0;
            break;
        }
        divide(t->n, rest, u);
        *length *= rest;
    }
    pen_release(run, mark);
    return PEN_OK;
}

static void put_column(const pen_tall *t, int64_t column, const double *u)
{
    for (int64_t i = 0; i < t->n; i++)
        t->Q[i * t->stride + column] = u[i];
}

/* The second step for any W: columns of length `floor` or less are replaced. */
static pen_status column_steps(pen_run *run, const pen_tall *t, double floor, struct block *b)
{
    const int64_t n = t->n, m = t->m, c = t->c;
    int64_t found = 0;
    double *u, *along, length;

    PEN_TRY(PEN_NEW(run, u, n));
    PEN_TRY(PEN_NEW(run, along, m + c));
    memset(b->S, 0, (size_t)(c * c) * sizeof *b->S);
    for (int64_t j = 0; j < c; j++) {
        for (int64_t i = 0; i < n; i++)
            u[i] = t->W[i * c + j];
        PEN_TRY(clear_column(run, t, m + found, floor, u, along, &length));
        for (int64_t l = 0; l < m; l++)
            b->again[l * c + j] = along[l];
        for (int64_t i = 0; i < found; i++)
            b->S[i * c + j] = along[m + i];
        if (length > 0) {
            b->S[found * c + j] = length;
            put_column(t, m + found++, u);
        }
    }
    while (found < c) {
        pen_tall_draw(t->rng, n, u);
        PEN_TRY(clear_column(run, t, m + found, 0, u, along, &length));
        PEN_REQUIRE(run, length > 0, PEN_INTERNAL, "no further orthogonal column");
        put_column(t, m + found++, u);
    }
    for (int64_t i = 0; i < n; i++)
        memcpy(t->W + i * c, t->Q + i * t->stride + m, (size_t)c * sizeof *t->W);
    return PEN_OK;
}

/* H += again R, R = S R. */
static void merge_steps(const pen_tall *t, struct block *b)
{
    const int64_t c = t->c;

    for (int64_t l = 0; l < t->m; l++)
        for (int64_t j = 0; j < c; j++)
            for (int64_t i = 0; i <= j; i++)
                b->H[l * c + j] += b->again[l * c + i] * b->R[i * c + j];
    multiply_triangles(c, b->S, b->R);
}

pen_status pen_tall_append(pen_run *run, const pen_tall *t)
{
    const int64_t m = t->m, c = t->c;
    struct pass p = { .n = t->n, .m = m, .stride = t->stride, .c = c, .Q = t->Q, .W = t->W };
    struct block b;
    int divided, done = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(new_block(run, m, c, &b));
    PEN_TRY(first_step(run, t, &p, &b, &divided));
    if (divided)
        PEN_TRY(second_step(run, t, &p, &b, &done));
    if (!done)
        PEN_TRY(column_steps(run, t, divided ? 0 : t->floor, &b));
    for (int64_t i = 0; done && i < t->n; i++)
        memcpy(t->Q + i * t->stride + m, t->W + i * c, (size_t)c * sizeof *t->Q);
    if (t->H) {
        merge_steps(t, &b);
        memcpy(t->H, b.H, (size_t)(m * c) * sizeof *t->H);
        memcpy(t->R, b.R, (size_t)(c * c) * sizeof *t->R);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- rotation ---- */

struct rotate {
    int64_t n, stride, m, q, c, each;
    double *Q;
    const double *S;
    pen_slices rows; /* [ROTATED x q] */
};

static void rotate_rows(void *context, int64_t task, int worker)
{
    const struct rotate *r = context;
    const int64_t q = r->q, end = pen_min(r->n, (task + 1) * r->each);
    double *const rows = pen_slice(&r->rows, worker);

    for (int64_t first = task * r->each; first < end; first += ROTATED) {
        const int64_t count = pen_min(ROTATED, end - first);
        double *const Q = r->Q + first * r->stride;
        pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, count, q, r->m, 1, Q, r->stride, r->S, q, 0,
                      rows, q);
        for (int64_t i = 0; i < count; i++) {
            double *const to = Q + i * r->stride;
            memmove(to + q, to + r->m, (size_t)r->c * sizeof *to);
            memcpy(to, rows + i * q, (size_t)q * sizeof *to);
        }
    }
}

pen_status pen_tall_rotate(pen_run *run, int64_t n, int64_t stride, double *Q, int64_t m,
                           const double *S, int64_t q, int64_t c)
{
    struct rotate r = { .n = n, .stride = stride, .m = m, .q = q, .c = c, .Q = Q, .S = S };

    r.each = pen_max(TASK_ROWS, (n + MAX_TASKS - 1) / MAX_TASKS);
    const int64_t tasks = (n + r.each - 1) / r.each;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), pen_times(ROTATED, q), sizeof(double),
                           &r.rows));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, rotate_rows, &r));
    pen_release(run, mark);
    return PEN_OK;
}
