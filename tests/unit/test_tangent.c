/* test_tangent.c - local principal directions against those of dense covariances, and the reduced
 * scatter against eliminating all slopes from one dense matrix. */
#include "check.h"

#include "oracle/ratio_family.h"
#include "scatter/tangent_scatter.h"

struct opened {
    double *values;
    int64_t n, d, k;
    pen_run *run;
    pen_rows x;
    pen_neighbor *nearest;
    pen_graph graph;
};

static struct opened open_values(double *values, int64_t n, int64_t d, int64_t k,
                                 const pen_control *control, pen_error *err)
{
    const pen_data data = { .x = pen_dense(values, PEN_F64, n, d, d) };
    struct opened o = { .values = values, .n = n, .d = d, .k = k };

    assert_int_equal(pen_run_open(control, err, &o.run), PEN_OK);
    assert_int_equal(pen_rows_open(o.run, &data, 0, PEN_SCALE_NONE, &o.x), PEN_OK);
    assert_int_equal(pen_graph_neighbors(o.run, &(pen_problem){ .rows = o.x }, "k", k, &o.nearest),
                     PEN_OK);
    assert_int_equal(pen_graph_of_neighbors(o.run, n, k, o.nearest, PEN_JOIN_UNION, &o.graph),
                     PEN_OK);
    return o;
}

static double *random_values(pen_rng *rng, int64_t n, int64_t d)
{
    double *values = check_allocate(n * d, sizeof *values);
    for (int64_t i = 0; i < n * d; i++)
        values[i] = 20 + (double)(1 + i % d) * check_normal(rng) / (double)d;
    return values;
}

static struct opened open_random(pen_rng *rng, int64_t n, int64_t d, int64_t k,
                                 const pen_control *control)
{
    return open_values(random_values(rng, n, d), n, d, k, control, NULL);
}

static void close_rows(struct opened *o)
{
    pen_run_close(o->run);
    free(o->values);
}

/* S [d x d]: the scatter of row i and its neighbors around their mean. */
static void local_scatter(const struct opened *o, int64_t i, double *S)
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

static double dot(int64_t d, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t j = 0; j < d; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Directions are orthonormal, or zero where there is no variance; the variance of direction c is
 * the c-th largest eigenvalue. */
static int64_t check_directions(const struct opened *o, const pen_tangents *T, int64_t i)
{
    const int64_t d = o->d, q = T->q;
    const double *const basis = T->basis + i * q * d;
    double *const S = check_allocate(d * d, sizeof *S), *const values =
                                                            check_allocate(d, sizeof *values);
    double *const vectors = check_allocate(d * d, sizeof *vectors), *const Sv = check_allocate(
                                                                        d, sizeof *Sv);
    int64_t there = 0;

    local_scatter(o, i, S);
    dense_eigen(d, S, values, vectors);
    for (int64_t c = 0; c < q; c++)
        there += c < d && values[c] > 1e-12 * values[0];
    for (int64_t c = 0; c < q; c++) {
        for (int64_t b = 0; b <= c; b++)
            CHECK_CLOSE(dot(d, basis + c * d, basis + b * d), b == c && c < there, 0, 1e-14);
        for (int64_t s = 0; s < d; s++)
            Sv[s] = dot(d, S + s * d, basis + c * d);
        if (c < there)
            CHECK_CLOSE(dot(d, Sv, basis + c * d), values[c], 0, 1e-12 * values[0]);
    }
    free(S);
    free(values);
    free(vectors);
    free(Sv);
    return q - there;
}

/* More columns than nearby rows, equally many, fewer. */
static void directions(void **state)
{
    (void)state;
    static const int64_t shapes[][4] = { { 20, 3, 2, 1 },  { 30, 4, 3, 4 }, { 30, 5, 8, 3 },
                                         { 40, 12, 5, 5 }, { 70, 1, 4, 1 }, { 25, 6, 5, 2 },
                                         { 12, 2, 11, 2 }, { 9, 7, 1, 1 } };
    pen_rng rng = check_rng(361);

    for (int repeat = 0; repeat < check_repeats(2); repeat++)
        for (int s = 0; s < 8; s++) {
            struct opened o = open_random(&rng, shapes[s][0], shapes[s][1], shapes[s][2], NULL);
            pen_tangents T;
            int64_t missing = 0;
            assert_int_equal(pen_tangents_find(o.run, &o.x, o.k, o.nearest, shapes[s][3], &T),
                             PEN_OK);
            for (int64_t i = 0; i < o.n; i++)
                missing += check_directions(&o, &T, i);
            assert_int_equal(T.missing, missing);
            close_rows(&o);
        }
}

/* Equal rows, rows on a line, and rows in a plane have fewer directions. */
static void missing_directions(void **state)
{
    (void)state;
    enum { N = 30, D = 4 };
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
            struct opened o = open_values(values, N, D, k, NULL, NULL);
            pen_tangents T;
            int64_t missing = 0;
            assert_int_equal(pen_tangents_find(o.run, &o.x, k, o.nearest, 4, &T), PEN_OK);
            for (int64_t i = 0; i < N; i++)
                missing += check_directions(&o, &T, i);
            assert_int_equal(missing, N * (4 - pen_min(rank, k)));
            assert_int_equal(T.missing, missing);
            close_rows(&o);
        }
}

/* The dense matrix [d + n q] of the quadratic form in (v, t_1, .., t_n), by literal sums over
 * ordered pairs. A missing slope is decoupled. */
static double *whole_form(const struct opened *o, const pen_tangents *T,
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
                            -dot(d, part > 0 ? T->basis + (i * q + part - 1) * d : row,
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
            dot(d, T->basis + (s - d) * d, T->basis + (s - d) * d) == 0 ? 1 : w->beta;
    free(row);
    return M;
}

/* Gaussian elimination, last unknown first, until d are left. */
static void check_scatter(struct opened *o, const pen_tangents *T, const pen_tangent_weights *w,
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
    assert_int_equal(pen_sym_zero(o->run, d, &C), PEN_OK);
    assert_int_equal(pen_scatter_tangents(o->run, &o->x, &o->graph, T, w, &C), PEN_OK);
    for (int64_t s = 0; s < d; s++)
        for (int64_t t = 0; t <= s; t++)
            CHECK_CLOSE(C.a[s * d + t], M[s * size + t], 0, tolerance * largest);
    free(M);
}

static void scatters(void **state)
{
    (void)state;
    static const int64_t shapes[][4] = { { 12, 3, 3, 1 },  { 20, 4, 3, 2 }, { 40, 6, 5, 3 },
                                         { 35, 34, 4, 2 }, { 70, 2, 2, 1 }, { 15, 1, 2, 1 } };
    static const pen_tangent_weights weights[] = {
        { 0.3, 1, 1e-4 }, { 0.1, 0, 1e-2 }, { 10, 5, 0 }, { 1e-3, 1e3, 1 }, { 1, 0, 0 }
    };
    pen_rng rng = check_rng(363);

    for (int s = 0; s < 6; s++)
        for (int w = 0; w < 5; w++)
            for (int heat = 0; heat < 2; heat++) {
                struct opened o = open_random(&rng, shapes[s][0], shapes[s][1], shapes[s][2], NULL);
                pen_tangents T;
                double mean = 0;
                for (int64_t e = 0; e < o.graph.edges; e++)
                    mean += o.graph.distance2[e] / (double)o.graph.edges;
                if (heat)
                    pen_graph_heat_weights(&o.graph, mean);
                assert_int_equal(pen_tangents_find(o.run, &o.x, o.k, o.nearest, shapes[s][3], &T),
                                 PEN_OK);
                check_scatter(&o, &T, &weights[w], 1e-10);
                close_rows(&o);
            }
}

/* Missing directions, of equal rows and of rows on a line, do not affect the other rows. */
static void scatters_of_fewer(void **state)
{
    (void)state;
    enum { N = 30, D = 3 };
    static const pen_tangent_weights weights = { 0.3, 1, 1e-4 };
    pen_rng rng = check_rng(364);
    double *const values = random_values(&rng, N, D);

    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            values[i * D + j] = i < 6 ? 0.3 : i < 14 ? (double)(i * (j + 1)) : values[i * D + j];
    struct opened o = open_values(values, N, D, 4, NULL, NULL);
    pen_tangents T;
    assert_int_equal(pen_tangents_find(o.run, &o.x, 4, o.nearest, 3, &T), PEN_OK);
    CHECK(T.missing >= 6 * 3 + 4 * 2, "%lld directions are missing", (long long)T.missing);
    check_scatter(&o, &T, &weights, 1e-10);
    close_rows(&o);
}

/* Rows with full-dimensional tangents: slopes t_i = T_i'v leave no residual and cost at most beta n
 * |v|^2. */
static void flat(void **state)
{
    (void)state;
    enum { N = 60, D = 2 };
    pen_rng rng = check_rng(365);
    struct opened o = open_random(&rng, N, D, 5, NULL);
    pen_tangents T;

    assert_int_equal(pen_tangents_find(o.run, &o.x, 5, o.nearest, 2, &T), PEN_OK);
    for (int step = 0; step < 3; step++) {
        const pen_tangent_weights weights = { 1, 1, step == 0 ? 0 : step == 1 ? 1e-9 : 1e-3 };
        const double most = weights.beta * N + 1e-20;
        pen_sym C;
        assert_int_equal(pen_sym_zero(o.run, D, &C), PEN_OK);
        assert_int_equal(pen_scatter_tangents(o.run, &o.x, &o.graph, &T, &weights, &C), PEN_OK);
        CHECK(C.a[0] >= 0 && C.a[3] >= 0 && C.a[0] <= most && C.a[3] <= most
                  && fabs(C.a[2]) <= most,
              "beta %g: the scatter is %g %g %g", weights.beta, C.a[0], C.a[2], C.a[3]);
    }
    close_rows(&o);
}

/* The same bits for any number of threads. */
static void threads(void **state)
{
    (void)state;
    enum { N = 300, D = 40, Q = 2 };
    double *const first = check_allocate(D * D, sizeof *first), *const bases = check_allocate(
                                                                    N * Q * D, sizeof *bases);
    const pen_tangent_weights weights = { 0.1, 1, 1e-4 };

    for (int t = 0; t < 3; t++) {
        const pen_control control = { .threads = t == 2 ? 5 : 1 + t };
        pen_rng rng = check_rng(366);
        struct opened o = open_random(&rng, N, D, 5, &control);
        pen_tangents T;
        pen_sym C;
        assert_int_equal(pen_tangents_find(o.run, &o.x, 5, o.nearest, Q, &T), PEN_OK);
        assert_int_equal(pen_sym_zero(o.run, D, &C), PEN_OK);
        assert_int_equal(pen_scatter_tangents(o.run, &o.x, &o.graph, &T, &weights, &C), PEN_OK);
        if (t == 0)
            memcpy(bases, T.basis, N * Q * D * sizeof *bases);
        assert_memory_equal(bases, T.basis, N * Q * D * sizeof *bases);
        for (int64_t s = 0; s < D; s++)
            for (int64_t c = 0; c <= s; c++) {
                if (t == 0)
                    first[s * D + c] = C.a[s * D + c];
                CHECK(C.a[s * D + c] == first[s * D + c], "%d threads: entry %lld, %lld is another",
                      control.threads, (long long)s, (long long)c);
            }
        close_rows(&o);
    }
    free(first);
    free(bases);
}

static int stop_at(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)done;
    (void)total;
    return strcmp(phase, user) == 0;
}

static void refusals(void **state)
{
    (void)state;
    static char *const phases[] = { "tangents", "products of tangents", "overlaps of tangents",
                                    "slopes on tangents", "scatter of slopes" };
    const pen_tangent_weights usual = { 1, 1, 1 }, alone = { 1, 0, 0 }, off = { 0, 1, 1 };
    pen_rng rng = check_rng(367);
    pen_error err;
    pen_tangents T;
    pen_sym C;

    for (int p = 0; p < 5; p++) {
        const pen_control control = { .threads = 1, .progress = stop_at, .user = phases[p] };
        struct opened o = open_random(&rng, 40, 3, 4, &control);
        const pen_status found = pen_tangents_find(o.run, &o.x, 4, o.nearest, 2, &T);
        assert_int_equal(found, p == 0 ? PEN_CANCELLED : PEN_OK);
        assert_int_equal(pen_sym_zero(o.run, 3, &C), PEN_OK);
        if (p > 0)
            assert_int_equal(pen_scatter_tangents(o.run, &o.x, &o.graph, &T, &usual, &C),
                             PEN_CANCELLED);
        close_rows(&o);
    }
    struct opened o = open_values(random_values(&rng, 40, 3), 40, 3, 4, NULL, &err);
    assert_int_equal(pen_tangents_find(o.run, &o.x, 4, o.nearest, 2, &T), PEN_OK);
    for (int64_t e = 0; e < o.graph.edges; e++)
        o.graph.weight[e] = 0;
    assert_int_equal(pen_sym_zero(o.run, 3, &C), PEN_OK);
    assert_int_equal(pen_scatter_tangents(o.run, &o.x, &o.graph, &T, &off, &C), PEN_OK);
    assert_int_equal(pen_scatter_tangents(o.run, &o.x, &o.graph, &T, &usual, &C), PEN_OK);
    CHECK(pen_sym_largest(&C) == 0, "no weight, and the scatter is %g", pen_sym_largest(&C));
    CHECK_STATUS(pen_scatter_tangents(o.run, &o.x, &o.graph, &T, &alone, &C), PEN_SINGULAR_SCATTER,
                 "row 0 (counted from 0): its slopes are not determined with beta 0 and gamma 0",
                 &err);
    close_rows(&o);
    double *const values = random_values(&rng, 40, 3);
    o = open_values(values, 40, 3, 4, NULL, &err);
    for (int64_t i = 0; i < 120; i++)
        values[i] *= 1e160;
    CHECK_STATUS(pen_tangents_find(o.run, &o.x, 4, o.nearest, 2, &T), PEN_BAD_DATA,
                 "row 0 (counted from 0): values are too large", &err);
    close_rows(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions), cmocka_unit_test(missing_directions),
        cmocka_unit_test(scatters),   cmocka_unit_test(scatters_of_fewer),
        cmocka_unit_test(flat),       cmocka_unit_test(threads),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
