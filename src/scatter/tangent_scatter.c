/* tangent_scatter.c - fits slopes to every column, then adds up the squared residuals.
 *
 * The slopes of all rows solve K t = rhs for each of the d columns. With K_jj = L_j L_j' and the
 * unknowns u_j = L_j' t_j the diagonal blocks become identities: conjugate gradients for u are
 * those for t with a block Jacobi preconditioner. */
#include "scatter/tangent_scatter.h"

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/cg.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROWS = 32,    /* vertices of a task */
    COLUMNS = 32, /* right-hand sides solved together */
    ITERATIONS = 100000,
};

/* An error of this size in the slopes changes the sum by its square. */
static const double TOLERANCE = 1e-12;

/* A pivot of at most this many epsilon relative to its diagonal entry is rounding. */
static const double PIVOT_FACTOR = 16;

/* Rounding error of the residuals, relative to the differences. */
static const double ROUNDING = 16 * DBL_EPSILON;

struct tangent {
    const pen_view *x;
    const pen_tangents *tangents;
    pen_tangent_weights weights;
    int64_t n, d, q;
    pen_csr_sym adjacency; /* entries: -A_ij, diagonal: degrees */
    int64_t *owner;        /* [entries] the row of each entry */
    double *local;         /* [entries x q] T_j'(x_i - x_j), j the owner */
    double *L;             /* [n][q x q] lower triangles */
    double *slopes;        /* [n][q x d] right-hand sides, then u, then t */
    pen_csr_sym system;    /* for the unknowns u [n q] */
    int64_t *first, *other;
    double *entries;
    pen_slices buffers; /* [d + q^2] */
    int64_t *singular;  /* [tasks] the first row whose block is singular, or -1 */
};

static const double *tangents_of(const struct tangent *s, int64_t i)
{
    return s->tangents->basis + i * s->q * s->d;
}

static void add_multiple(int64_t d, double factor, const double *restrict a, double *restrict to)
{
    for (int64_t j = 0; j < d; j++)
        to[j] += factor * a[j];
}

/* P = T_i'T_j [q x q]. */
static void overlap(const struct tangent *s, int64_t i, int64_t j, double *P)
{
    for (int64_t a = 0; a < s->q; a++)
        for (int64_t b = 0; b < s->q; b++)
            P[a * s->q + b] =
                pen_dot(s->d, tangents_of(s, i) + a * s->d, tangents_of(s, j) + b * s->d);
}

/* Cholesky factorization K = L L' in place; returns 0 unless K is positive definite beyond
 * rounding. */
static int factor(int64_t q, double *K)
{
    for (int64_t c = 0; c < q; c++) {
        const double least = PIVOT_FACTOR * (double)q * DBL_EPSILON * K[c * q + c];
        for (int64_t j = 0; j <= c; j++) {
            const double rest = K[c * q + j] - pen_dot(j, K + c * q, K + j * q);
            if (j == c && !(rest > least))
                return 0;
            K[c * q + j] = j == c ? sqrt(rest) : rest / K[j * q + j];
        }
    }
    return 1;
}

/* rows = L^-1 rows, [q x count]. */
static void forward(int64_t q, int64_t count, const double *L, double *rows)
{
    for (int64_t c = 0; c < q; c++) {
        for (int64_t l = 0; l < c; l++)
            add_multiple(count, -L[c * q + l], rows + l * count, rows + c * count);
        for (int64_t j = 0; j < count; j++)
            rows[c * count + j] /= L[c * q + c];
    }
}

/* rows = L'^-1 rows, [q x count]. */
static void backward(int64_t q, int64_t count, const double *L, double *rows)
{
    for (int64_t c = q - 1; c >= 0; c--) {
        for (int64_t l = c + 1; l < q; l++)
            add_multiple(count, -L[l * q + c], rows + l * count, rows + c * count);
        for (int64_t j = 0; j < count; j++)
            rows[c * count + j] /= L[c * q + c];
    }
}

/* Adds the contribution of an edge to K_jj and to the right-hand side of j, and sets its local
 * coordinates. */
static void add_edge(const struct tangent *s, int64_t e, double *K, double *rhs, double *difference,
                     double *P)
{
    const int64_t q = s->q, d = s->d, i = s->adjacency.other[e], j = s->owner[e];
    const double weight = -s->weights.alpha * s->adjacency.weight[e];
    double *const local = s->local + e * q;

    pen_rows_difference(s->x, i, j, difference);
    overlap(s, i, j, P);
    for (int64_t a = 0; a < q; a++)
        local[a] = pen_dot(d, tangents_of(s, j) + a * d, difference);
    for (int64_t a = 0; a < q; a++) {
        add_multiple(d, weight * local[a], difference, rhs + a * d);
        for (int64_t b = 0; b < q; b++) {
            K[a * q + b] += weight * local[a] * local[b];
            for (int64_t c = 0; c < q; c++)
                K[a * q + b] += s->weights.gamma * weight * P[c * q + a] * P[c * q + b];
        }
    }
}

/* Computes K_jj and the right-hand side for some rows j. A zero direction is decoupled, and its
 * slope is 0. */
static void make_blocks(void *context, int64_t task, int worker)
{
    const struct tangent *s = context;
    const int64_t q = s->q, d = s->d;
    double *const difference = pen_slice(&s->buffers, worker);

    s->singular[task] = -1;
    for (int64_t j = task * ROWS; j < pen_min((task + 1) * ROWS, s->n); j++) {
        double *const K = s->L + j * q * q, *const rhs = s->slopes + j * q * d;
        memset(K, 0, (size_t)(q * q) * sizeof *K);
        memset(rhs, 0, (size_t)(q * d) * sizeof *rhs);
        for (int64_t e = s->adjacency.first[j]; e < s->adjacency.first[j + 1]; e++) {
            s->owner[e] = j;
            add_edge(s, e, K, rhs, difference, difference + d);
        }
        for (int64_t a = 0; a < q; a++) {
            const double *const t = tangents_of(s, j) + a * d;
            K[a * q + a] +=
                s->weights.beta + s->weights.alpha * s->weights.gamma * s->adjacency.diagonal[j];
            if (pen_dot(d, t, t) == 0)
                K[a * q + a] = 1;
        }
        if (!factor(q, K) && s->singular[task] < 0)
            s->singular[task] = j;
        forward(q, d, K, rhs);
    }
}

/* The q x q entries of the system for edge number c of row j:
 *
 *   -2 alpha gamma A_ij L_j^-1 T_j'T_i L_i'^-1 */
static void make_block(const struct tangent *s, int64_t j, int64_t c, double *P)
{
    const int64_t q = s->q, begin = s->adjacency.first[j],
                  degree = s->adjacency.first[j + 1] - begin;
    const int64_t i = s->adjacency.other[begin + c], low = pen_min(i, j), high = pen_max(i, j);
    const double factor = 2 * s->weights.alpha * s->weights.gamma * s->adjacency.weight[begin + c];

    overlap(s, low, high, P); /* identical numbers for both triangles */
    forward(q, q, s->L + low * q * q, P);
    for (int64_t a = 0; a < q; a++) /* times L'^-1: L^-1 applied to each row */
        forward(q, 1, s->L + high * q * q, P + a * q);
    for (int64_t a = 0; a < q; a++)
        for (int64_t b = 0; b < q; b++) {
            const int64_t at = (begin * q + a * degree + c) * q + b;
            s->other[at] = i * q + b;
            s->entries[at] = factor * (j == low ? P[a * q + b] : P[b * q + a]);
        }
}

static void make_entries(void *context, int64_t task, int worker)
{
    const struct tangent *s = context;
    const int64_t q = s->q;

    for (int64_t j = task * ROWS; j < pen_min((task + 1) * ROWS, s->n); j++) {
        const int64_t begin = s->adjacency.first[j], degree = s->adjacency.first[j + 1] - begin;
        for (int64_t c = 0; c < degree; c++)
            make_block(s, j, c, pen_slice(&s->buffers, worker));
        for (int64_t a = 0; a < q; a++)
            s->first[j * q + a] = begin * q * q + a * degree * q;
    }
}

static pen_status make_system(pen_run *run, struct tangent *s)
{
    const int64_t n = s->n, q = s->q, entries = s->adjacency.first[n],
                  tasks = (n + ROWS - 1) / ROWS;
    double *ones;

    PEN_TRY(PEN_NEW(run, ones, pen_times(n, q)));
    PEN_TRY(PEN_FILLED(run, s->first, pen_plus(pen_times(n, q), 1), 0));
    PEN_TRY(PEN_NEW(run, s->other, s->weights.gamma > 0 ? pen_times(entries, pen_times(q, q)) : 1));
    PEN_TRY(
        PEN_NEW(run, s->entries, s->weights.gamma > 0 ? pen_times(entries, pen_times(q, q)) : 1));
    for (int64_t i = 0; i < n * q; i++)
        ones[i] = 1;
    if (s->weights.gamma > 0) {
        s->first[n * q] = entries * q * q;
        PEN_TRY(pen_parallel(run, PEN_WHOLE("overlaps of tangents"), tasks, make_entries, s));
    }
    s->system = (pen_csr_sym){
        .n = n * q, .first = s->first, .other = s->other, .weight = s->entries, .diagonal = ones
    };
    return PEN_OK;
}

/* Replaces the right-hand sides by u, some columns at a time. */
static pen_status solve_slopes(pen_run *run, struct tangent *s)
{
    const int64_t unknowns = pen_times(s->n, s->q), d = s->d;
    int64_t iterations = 0;
    const pen_cg cg = { .phase = "slopes on tangents",
                        .n = unknowns,
                        .apply = pen_csr_apply,
                        .context = &s->system,
                        .diagonal = s->system.diagonal,
                        .tol = TOLERANCE,
                        .most = ITERATIONS,
                        .iterations = &iterations };
    double *rhs, *u;

    PEN_TRY(PEN_NEW2(run, rhs, u, pen_times(unknowns, pen_min(COLUMNS, d))));
    for (int64_t from = 0; from < d; from += COLUMNS) {
        const int64_t columns = pen_min(COLUMNS, d - from);
        const size_t bytes = (size_t)columns * sizeof *rhs;
        for (int64_t i = 0; i < unknowns; i++)
            memcpy(rhs + i * columns, s->slopes + i * d + from, bytes);
        memcpy(u, rhs, (size_t)unknowns * bytes);
        PEN_TRY(pen_cg_solve(run, &cg, columns, rhs, u));
        for (int64_t i = 0; i < unknowns; i++)
            memcpy(s->slopes + i * d + from, u + i * columns, bytes);
    }
    pen_note(run, "cg_iterations", (double)iterations);
    return PEN_OK;
}

static void recover_slopes(void *context, int64_t task, int worker)
{
    const struct tangent *s = context;
    (void)worker;
    for (int64_t j = task * ROWS; j < pen_min((task + 1) * ROWS, s->n); j++)
        backward(s->q, s->d, s->L + j * s->q * s->q, s->slopes + j * s->q * s->d);
}

static const double *slope(const struct tangent *s, int64_t i, int64_t a)
{
    return s->slopes + (i * s->q + a) * s->d;
}

/* The residuals of the differences, one row for each entry:
 *
 *   sqrt(alpha A_ij) (x_i - x_j - (T_j'(x_i - x_j))' t_j) */
static void fill_differences(const void *context, int64_t first, int64_t count, void *block)
{
    const struct tangent *s = context;

    for (int64_t e = first; e < first + count; e++) {
        double *const row = (double *)block + (e - first) * s->d;
        const double root = sqrt(-s->weights.alpha * s->adjacency.weight[e]);
        pen_rows_difference(s->x, s->adjacency.other[e], s->owner[e], row);
        for (int64_t a = 0; a < s->q; a++)
            add_multiple(s->d, -s->local[e * s->q + a], slope(s, s->owner[e], a), row);
        for (int64_t j = 0; j < s->d; j++)
            row[j] *= root;
    }
}

/* The differences of slopes along edges, q rows for each entry:
 *
 *   sqrt(alpha gamma A_ij) (t_i - T_i'T_j t_j) */
static void fill_slopes(const void *context, int64_t first, int64_t count, void *block)
{
    const struct tangent *s = context;
    const int64_t q = s->q, d = s->d;

    for (int64_t r = first; r < first + count; r++) {
        const int64_t e = r / q, a = r % q, i = s->adjacency.other[e], j = s->owner[e];
        const double root = sqrt(-s->weights.alpha * s->weights.gamma * s->adjacency.weight[e]);
        double *const row = (double *)block + (r - first) * d;
        memcpy(row, slope(s, i, a), (size_t)d * sizeof *row);
        for (int64_t b = 0; b < q; b++)
            add_multiple(d, -pen_dot(d, tangents_of(s, i) + a * d, tangents_of(s, j) + b * d),
                         slope(s, j, b), row);
        for (int64_t c = 0; c < d; c++)
            row[c] *= root;
    }
}

/* Records the rounding error of the rows and of numbers computed from them. */
static void add_floors(const struct tangent *s, double *work, pen_sym *C)
{
    double all = 0;

    for (int64_t j = 0; j < s->n; j++)
        all += 2 * s->weights.alpha * s->adjacency.diagonal[j];
    pen_sym_add_floor(all, s->x->rounding, C);
    for (int64_t j = 0; j < s->d; j++)
        work[j] = ROUNDING * sqrt(fmax(0, C->a[j * s->d + j]));
    pen_sym_add_floor(1, work, C);
}

static pen_status add_squares(pen_run *run, struct tangent *s, pen_sym *C)
{
    const int64_t entries = s->adjacency.first[s->n];

    PEN_TRY(pen_sym_add_gram(run, "residuals of tangent fits", 1, PEN_F64, entries,
                             fill_differences, s, C));
    if (s->weights.gamma > 0)
        PEN_TRY(pen_sym_add_gram(run, "scatter of slopes", 1, PEN_F64, entries * s->q, fill_slopes,
                                 s, C));
    if (s->weights.beta > 0)
        PEN_TRY(
            pen_sym_add_rows(run, "size of slopes", s->weights.beta, s->n * s->q, s->slopes, C));
    pen_sym_note(C, s->d, DBL_EPSILON);
    add_floors(s, pen_slice(&s->buffers, 0), C);
    return PEN_OK;
}

pen_status pen_scatter_tangents(pen_run *run, const pen_view *x, const pen_graph *graph,
                                const pen_tangents *tangents, const pen_tangent_weights *weights,
                                pen_sym *C)
{
    const int64_t n = x->n, d = x->d, q = tangents->q, tasks = (n + ROWS - 1) / ROWS;
    struct tangent s = {
        .x = x, .tangents = tangents, .weights = *weights, .n = n, .d = d, .q = q
    };

    if (weights->alpha == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_graph_csr(run, graph, 1, &s.adjacency));
    PEN_TRY(PEN_NEW(run, s.owner, s.adjacency.first[n]));
    PEN_TRY(PEN_NEW(run, s.local, pen_times(s.adjacency.first[n], q)));
    PEN_TRY(PEN_NEW(run, s.L, pen_times(pen_times(n, q), q)));
    PEN_TRY(PEN_NEW(run, s.slopes, pen_times(pen_times(n, q), d)));
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), pen_plus(d, pen_times(q, q)),
                           sizeof(double), &s.buffers));
    PEN_TRY(PEN_NEW(run, s.singular, tasks));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("products of tangents"), tasks, make_blocks, &s));
    for (int64_t task = 0; task < tasks; task++)
        PEN_REQUIRE(run, s.singular[task] < 0, PEN_SINGULAR_SCATTER,
                    "row %lld (counted from 0): its slopes are not determined with beta %g and "
                    "gamma %g",
                    (long long)s.singular[task], weights->beta, weights->gamma);
    const pen_mark_t system = pen_mark(run);
    PEN_TRY(make_system(run, &s));
    PEN_TRY(solve_slopes(run, &s));
    pen_release(run, system);
    PEN_TRY(pen_parallel(run, PEN_WHOLE("slopes"), tasks, recover_slopes, &s));
    PEN_TRY(add_squares(run, &s, C));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_scatter_affine_tangents(pen_run *run, const pen_problem *problem,
                                       const pen_affinity_rules *how, int64_t q,
                                       const pen_tangent_weights *weights, pen_sym *C)
{
    const pen_view *const x = &problem->rows;
    const int64_t k = how->neighbors;
    pen_neighbor *nearest;
    pen_tangents tangents;
    pen_graph graph;

    if (weights->alpha == 0)
        return PEN_OK;
    PEN_TRY(pen_graph_affinities_of(run, problem, how, &nearest, &graph));
    PEN_TRY(pen_tangents_find(run, x, k, nearest, pen_min(q, pen_min(k, x->d)), &tangents));
    pen_note(run, "missing_directions", (double)tangents.missing);
    return pen_scatter_tangents(run, x, &graph, &tangents, weights, C);
}
