/* test_tangent.c - rows with fewer local principal directions than requested, against dense
 * covariances, and the reduced scatter against elimination of all slopes from one dense matrix.
 * (Other rows: the oracle of stsd.) */
#include "kit/opened.h"

#include "oracle/ratio_family.h"
#include "scatter/tangent_scatter.h"

enum { MOST = 4 }; /* columns where directions are compared */

struct near_rows {
    double *values;
    int64_t n, d, k;
    pen_run *run;
    pen_problem p;
    pen_neighbor *nearest;
    pen_graph graph;
};

static struct near_rows open_values(double *values, int64_t n, int64_t d, int64_t k,
                                    const pen_control *control, pen_error *err)
{
    const pen_data data = { .x = pen_dense(values, PEN_F64, n, d, d) };
    struct near_rows o = { .values = values, .n = n, .d = d, .k = k };

    CHECK_CALL(pen_run_open(control, err, &o.run));
    CHECK_CALL(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &o.p.rows));
    CHECK_CALL(pen_graph_neighbors(o.run, &o.p, "k", k, &o.nearest));
    CHECK_CALL(pen_graph_of_neighbors(o.run, n, k, o.nearest, PEN_JOIN_UNION, &o.graph));
    return o;
}

static double *random_values(pen_rng *rng, int64_t n, int64_t d)
{
    double *values = check_allocate(n * d, sizeof *values);
    for (int64_t i = 0; i < n * d; i++)
        values[i] = 20 + (double)(1 + i % d) * check_normal(rng) / (double)d;
    return values;
}

static struct near_rows open_random(pen_rng *rng, int64_t n, int64_t d, int64_t k,
                                    const pen_control *control)
{
    return open_values(random_values(rng, n, d), n, d, k, control, NULL);
}

/* S [d x d]: the scatter of row i and its neighbors about their mean. */
static void local_scatter(const struct near_rows *o, int64_t i, double *S)
{
    const int64_t d = o->d, rows = o->k + 1;

    memset(S, 0, (size_t)(d * d) * sizeof *S);
    for (int64_t p = 0; p < rows; p++) /* 1/rows times the sum over pairs p > q */
        for (int64_t q = 0; q < p; q++) {
            const double *const a = o->values + (p < o->k ? o->nearest[i * o->k + p].row : i) * d;
            const double *const b = o->values + o->nearest[i * o->k + q].row * d;
            for (int64_t s = 0; s < d; s++)
                for (int64_t t = 0; t < d; t++)
                    S[s * d + t] += (a[s] - b[s]) * (a[t] - b[t]) / (double)rows;
        }
}

/* Directions are orthonormal, or zero without variance; direction c has the variance of the c-th
 * largest eigenvalue. */
static int64_t check_directions(const struct near_rows *o, const pen_tangents *T, int64_t i)
{
    const int64_t d = o->d, q = T->q;
    const double *const basis = T->basis + i * q * d;
    double S[MOST * MOST], vectors[MOST * MOST], values[MOST], Sv[MOST];
    int64_t there = 0;

    local_scatter(o, i, S);
    dense_eigen(d, S, values, vectors);
    for (int64_t c = 0; c < q; c++)
        there += c < d && values[c] > 1e-12 * values[0];
    for (int64_t c = 0; c < q; c++) {
        for (int64_t b = 0; b <= c; b++)
            CHECK_CLOSE(dense_dot(d, basis + c * d, basis + b * d), b == c && c < there, 0, 1e-14);
        for (int64_t s = 0; s < d; s++)
            Sv[s] = dense_dot(d, S + s * d, basis + c * d);
        if (c < there)
            CHECK_CLOSE(dense_dot(d, Sv, basis + c * d), values[c], 0, 1e-12 * values[0]);
    }
    return q - there;
}

/* Equal rows, rows on a line, and rows in a plane have fewer directions. */
TEST(missing_directions)
{
    enum { N = 30, D = MOST };
    pen_rng rng = check_rng(362);

    for (int64_t rank = 0; rank < 4; rank++)
        for (int64_t k = 2; k < 9; k += 6) {
            double *const values = random_values(&rng, N, D);
            for (int64_t i = 0; i < N; i++)
                for (int64_t j = 0; j < D; j++)
                    values[i * D + j] =
                        j < rank
                            ? values[i * D + j]
                            : 3 * (double)(rank > 0 && j == rank) * values[i * D] + 0.1 * (double)j;
            struct near_rows o = open_values(values, N, D, k, NULL, NULL);
            pen_tangents T;
            int64_t missing = 0;
            CHECK_CALL(pen_tangents_find(o.run, &o.p.rows, k, o.nearest, 4, &T));
            for (int64_t i = 0; i < N; i++)
                missing += check_directions(&o, &T, i);
            assert_int_equal(missing, N * (4 - pen_min(rank, k)));
            assert_int_equal(T.missing, missing);
            pen_run_close(o.run);
        }
}

/* The dense matrix [d + n q] of the quadratic form in (v, t_1, .., t_n), by sums over ordered
 * pairs. A missing slope is decoupled. */
static double *whole_form(const struct near_rows *o, const pen_tangents *T,
                          const pen_tangent_weights *w)
{
    const int64_t d = o->d, q = T->q, size = d + o->n * q;
    double *const M = check_allocate(size * size, sizeof *M), *const row =
                                                                  check_allocate(size, sizeof *row);

    for (int64_t low = 0; low < o->n; low++)
        for (int64_t e = o->graph.first[low]; e < o->graph.first[low + 1]; e++)
            for (int turn = 0; turn < 2; turn++) {
                const int64_t high = o->graph.other[e], i = turn ? low : high,
                              j = turn ? high : low;
                const double *const x_i = o->values + i * d, *const x_j = o->values + j * d;
                /* the form is a sum of squares of row . (v, t) */
                for (int64_t part = 0; part <= q; part++) {
                    const double weight = w->alpha * o->graph.weight[e] * (part > 0 ? w->gamma : 1);
                    memset(row, 0, (size_t)size * sizeof *row);
                    for (int64_t s = 0; part == 0 && s < d; s++)
                        row[s] = x_i[s] - x_j[s];
                    for (int64_t b = 0; b < q; b++)
                        row[d + j * q + b] =
                            -dense_dot(d, part > 0 ? T->basis + (i * q + part - 1) * d : row,
                                       T->basis + (j * q + b) * d);
                    if (part > 0)
                        row[d + i * q + part - 1] += 1;
                    for (int64_t s = 0; s < size; s++)
                        for (int64_t t = 0; row[s] != 0 && t < size; t++)
                            M[s * size + t] += weight * row[s] * row[t];
                }
            }
    for (int64_t s = d; s < size; s++)
        M[s * size + s] +=
            dense_dot(d, T->basis + (s - d) * d, T->basis + (s - d) * d) == 0 ? 1 : w->beta;
    return M;
}

/* Gaussian elimination, last unknown first, until d are left. */
static void check_scatter(struct near_rows *o, const pen_tangents *T, const pen_tangent_weights *w,
                          double tolerance)
{
    const int64_t d = o->d, size = d + o->n * T->q;
    double *const M = whole_form(o, T, w), largest = 0;
    pen_sym C;

    for (int64_t s = 0; s < d; s++)
        largest = fmax(largest, M[s * size + s]);
    for (int64_t last = size - 1; last >= d; last--)
        for (int64_t s = 0; s < last; s++) {
            const double factor = M[s * size + last] / M[last * size + last];
            for (int64_t t = 0; factor != 0 && t < last; t++)
                M[s * size + t] -= factor * M[last * size + t];
        }
    CHECK_CALL(pen_sym_zero(o->run, d, &C));
    CHECK_CALL(pen_scatter_tangents(o->run, &o->p.rows, &o->graph, T, w, &C));
    for (int64_t s = 0; s < d; s++)
        for (int64_t t = 0; t <= s; t++)
            CHECK_CLOSE(C.a[s * d + t], M[s * size + t], 0, tolerance * largest);
}

/* Missing directions, of equal rows and rows on a line, do not affect other rows; without them
 * slopes need no beta. */
TEST(scatters)
{
    enum { N = 30, D = 3 };
    static const struct {
        int missing;
        double heat; /* 0: edges of weight 1 */
        pen_tangent_weights weights;
    } cases[] = {
        { 1, 0, { 0.3, 1, 1e-4 } },  { 1, 0, { 0.1, 0, 1e-2 } }, { 1, 50, { 10, 5, 1e-6 } },
        { 1, 50, { 1e-3, 1e3, 1 } }, { 0, 0, { 10, 5, 0 } },     { 0, 2, { 1, 0, 0 } },
    };
    pen_rng rng = check_rng(364);

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double *const values = random_values(&rng, N, D);
        for (int64_t i = 0; i < 14 * D && cases[c].missing; i++)
            values[i] = i < 6 * D ? 0.3 : (double)(i / D * (i % D + 1));
        struct near_rows o = open_values(values, N, D, 4, NULL, NULL);
        pen_tangents T;
        CHECK_CALL(
            pen_tangents_find(o.run, &o.p.rows, 4, o.nearest, cases[c].missing ? D : D - 1, &T));
        CHECK(cases[c].missing ? T.missing >= 6 * 3 + 4 * 2 : T.missing == 0,
              "%lld directions are missing", (long long)T.missing);
        if (cases[c].heat > 0)
            pen_graph_heat_weights(&o.graph, cases[c].heat);
        check_scatter(&o, &T, &cases[c].weights, 1e-10);
        pen_run_close(o.run);
    }
}

/* The same bits for any number of threads. */
TEST(threads)
{
    enum { N = 300, D = 40, Q = 2 };
    double *const first = check_allocate(D * D, sizeof *first), *const bases = check_allocate(
                                                                    N * Q * D, sizeof *bases);
    const pen_tangent_weights weights = { 0.1, 1, 1e-4 };

    for (int t = 0; t < 3; t++) {
        const pen_control control = { .threads = t == 2 ? 5 : 1 + t };
        pen_rng rng = check_rng(366);
        struct near_rows o = open_random(&rng, N, D, 5, &control);
        pen_tangents T;
        pen_sym C;
        CHECK_CALL(pen_tangents_find(o.run, &o.p.rows, 5, o.nearest, Q, &T));
        CHECK_CALL(pen_sym_zero(o.run, D, &C));
        CHECK_CALL(pen_scatter_tangents(o.run, &o.p.rows, &o.graph, &T, &weights, &C));
        if (t == 0)
            memcpy(bases, T.basis, N * Q * D * sizeof *bases);
        assert_memory_equal(bases, T.basis, N * Q * D * sizeof *bases);
        for (int64_t s = 0; s < D; s++) {
            if (t == 0)
                memcpy(first + s * D, C.a + s * D, (size_t)(s + 1) * sizeof *first);
            assert_memory_equal(first + s * D, C.a + s * D, (size_t)(s + 1) * sizeof *first);
        }
        pen_run_close(o.run);
    }
}

static int stop_at(void *user, const char *phase, int64_t done, int64_t total)
{
    return strcmp(phase, user) == 0;
}

TEST(refusals)
{
    static char *const phases[] = { "tangents", "products of tangents", "overlaps of tangents",
                                    "slopes on tangents", "scatter of slopes" };
    const pen_tangent_weights usual = { 1, 1, 1 }, alone = { 1, 0, 0 }, off = { 0, 1, 1 };
    pen_rng rng = check_rng(367);
    pen_error err;
    pen_tangents T;
    pen_sym C;

    for (int p = 0; p < 5; p++) {
        const pen_control control = { .threads = 1, .progress = stop_at, .user = phases[p] };
        struct near_rows o = open_random(&rng, 40, 3, 4, &control);
        const pen_status found = pen_tangents_find(o.run, &o.p.rows, 4, o.nearest, 2, &T);
        assert_int_equal(found, p == 0 ? PEN_CANCELLED : PEN_OK);
        CHECK_CALL(pen_sym_zero(o.run, 3, &C));
        if (p > 0)
            assert_int_equal(pen_scatter_tangents(o.run, &o.p.rows, &o.graph, &T, &usual, &C),
                             PEN_CANCELLED);
        pen_run_close(o.run);
    }
    struct near_rows o = open_values(random_values(&rng, 40, 3), 40, 3, 4, NULL, &err);
    CHECK_CALL(pen_tangents_find(o.run, &o.p.rows, 4, o.nearest, 2, &T));
    for (int64_t e = 0; e < o.graph.edges; e++)
        o.graph.weight[e] = 0;
    CHECK_CALL(pen_sym_zero(o.run, 3, &C));
    CHECK_CALL(pen_scatter_tangents(o.run, &o.p.rows, &o.graph, &T, &off, &C));
    CHECK_CALL(pen_scatter_tangents(o.run, &o.p.rows, &o.graph, &T, &usual, &C));
    CHECK(pen_sym_largest(&C) == 0, "without weights the scatter is %g", pen_sym_largest(&C));
    CHECK_STATUS(
        pen_scatter_tangents(o.run, &o.p.rows, &o.graph, &T, &alone, &C), PEN_SINGULAR_SCATTER,
        "row 0 (counted from 0): its slopes are not determined with beta 0 and gamma 0", &err);
    pen_run_close(o.run);
    double *const values = random_values(&rng, 40, 3);
    o = open_values(values, 40, 3, 4, NULL, &err);
    for (int64_t i = 0; i < 120; i++)
        values[i] *= 1e160;
    CHECK_STATUS(pen_tangents_find(o.run, &o.p.rows, 4, o.nearest, 2, &T), PEN_BAD_DATA,
                 "row 0 (counted from 0): values are too large", &err);
    pen_run_close(o.run);
}
