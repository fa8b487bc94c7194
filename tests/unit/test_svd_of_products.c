/* test_svd_of_products.c - products of rows, and singular values and directions of rows that are
 * fewer than their columns, on rows with known ones: down to 1e-15 of the largest. */
#include "check.h"

#include "core/rows.h"
#include "linalg/svd_of_products.h"
#include "linalg/products.h"
#include "linalg/reduce.h"
#include "linalg/row_gram.h"

#include <float.h>

/* Random orthonormal rows [count x d], orthogonal to (1, ..., 1) if `centered`. */
static double *orthonormal_rows(pen_rng *rng, int64_t count, int64_t d, int centered)
{
    double *const v = check_allocate(count * d, sizeof *v);

    for (int64_t i = 0; i < count; i++) {
        double *const own = v + i * d;
        for (int64_t j = 0; j < d; j++)
            own[j] = check_normal(rng);
        for (int time = 0; time < 3; time++) {
            for (int64_t l = -1; l < i; l++) {
                double dot = 0;
                for (int64_t j = 0; j < d; j++)
                    dot += own[j] * (l < 0 ? centered / (double)d : v[l * d + j]);
                for (int64_t j = 0; j < d; j++)
                    own[j] -= dot * (l < 0 ? 1 : v[l * d + j]);
            }
            double square = 0;
            for (int64_t j = 0; j < d; j++)
                square += own[j] * own[j];
            for (int64_t j = 0; j < d; j++)
                own[j] /= sqrt(square);
        }
    }
    return v;
}

/* Rows [n x d] with q geometric singular values from 1 to `last`. */
static double *graded_rows(pen_rng *rng, int64_t n, int64_t d, int64_t q, double last, double *s)
{
    double *const U = orthonormal_rows(rng, q, n, 1), *const V = orthonormal_rows(rng, q, d, 0),
                  *const x = check_allocate(n * d, sizeof *x);

    for (int64_t l = q - 1; l >= 0; l--) { /* the smallest first */
        s[l] = pow(last, (double)l / (double)(q - 1));
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < d; j++)
                x[i * d + j] += U[l * n + i] * s[l] * V[l * d + j];
    }
    free(U), free(V);
    return x;
}

static void open_rows(pen_run *run, const double *x, int64_t n, int64_t d, pen_rows *out)
{
    const pen_data data = { .x = pen_dense(x, PEN_F64, n, d, d) };

    assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, out), PEN_OK);
}

/* The directions [d x rank], formed. */
static double *directions(pen_run *run, const pen_rows *x, const pen_graded *g)
{
    double *const V = check_allocate(x->d * g->rank, sizeof *V);

    if (g->V) {
        memcpy(V, g->V, (size_t)(x->d * g->rank) * sizeof *V);
        return V;
    }
    assert_int_equal(pen_rows_gather(run, x, g->rank, g->U, V), PEN_OK);
    for (int64_t i = 0; i < x->d * g->rank; i++)
        V[i] /= g->s[i % g->rank];
    return V;
}

/* The largest entry of V'V - I, and the largest |Xc'Xc v - s^2 v|. */
static void measure(pen_run *run, const pen_rows *x, const pen_graded *g, double *skew,
                    double *residual)
{
    const int64_t n = x->n, d = x->d, q = g->rank;
    double *const V = directions(run, x, g), *const y = check_allocate(n * q, sizeof *y),
                  *const back = check_allocate(d * q, sizeof *back);

    *skew = *residual = 0;
    assert_int_equal(pen_rows_multiply(run, x, q, V, y), PEN_OK);
    assert_int_equal(pen_rows_gather(run, x, q, y, back), PEN_OK);
    for (int64_t a = 0; a < q; a++) {
        double square = 0;
        for (int64_t j = 0; j < d; j++)
            square += pow(back[j * q + a] - g->s[a] * g->s[a] * V[j * q + a], 2);
        *residual = fmax(*residual, sqrt(square));
        for (int64_t b = 0; b <= a; b++) {
            double dot = 0;
            for (int64_t j = 0; j < d; j++)
                dot += V[j * q + a] * V[j * q + b];
            *skew = fmax(*skew, fabs(dot - (a == b)));
        }
    }
    free(V), free(y), free(back);
}

static void known_values(void **state)
{
    enum { N = 61, D = 2000, Q = 60 };
    static const struct {
        double last;
        int64_t rank;
        int rounds;
        double skew; /* of directions that are not formed: rounding of s_1^2 relative to s^2 */
    } known[] = { { 1e-2, 60, 1, 1e-11 },
                  { 1e-6, 60, 2, 1e-14 },
                  { 1e-8, 60, 2, 1e-14 },
                  { 1e-12, 60, 3, 1e-14 },
                  { 1e-15, 49, 4, 1e-14 } };
    pen_rng rng = check_rng(1);
    double s[Q], skew, residual;
    (void)state;

    for (int i = 0; i < 5; i++) {
        double *const x = graded_rows(&rng, N, D, Q, known[i].last, s);
        pen_graded g;
        pen_rows rows;
        pen_run *run;
        assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
        open_rows(run, x, N, D, &rows);
        assert_int_equal(pen_rows_svd_of_products(run, &rows, N, &g), PEN_OK);
        CHECK(g.rank == known[i].rank, "%g: rank %lld", known[i].last, (long long)g.rank);
        CHECK(g.rounds == known[i].rounds, "%g: %d rounds", known[i].last, g.rounds);
        CHECK(!g.V == (g.rounds == 1), "%g: directions", known[i].last);
        for (int64_t l = 0; l < g.rank; l++)
            CHECK_CLOSE(g.s[l], s[l], 0, 4e-15);
        measure(run, &rows, &g, &skew, &residual);
        CHECK(skew <= known[i].skew, "%g: V'V - I is %g", known[i].last, skew);
        CHECK(residual <= 1e-14, "%g: residual %g", known[i].last, residual);
        pen_run_close(run);
        free(x);
    }
}

/* Equal rows, all of them or some: the rank is that of the others, and no direction is formed. A
 * part of the values. */
static void equal_rows(void **state)
{
    enum { N = 50, D = 300 };
    pen_rng rng = check_rng(2);
    double *const x = check_allocate(N * D, sizeof *x);
    pen_graded all, some;
    pen_rows rows;
    pen_run *run;
    (void)state;

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    for (int64_t i = 0; i < N * D; i++)
        x[i] = 3;
    open_rows(run, x, N, D, &rows);
    assert_int_equal(pen_rows_svd_of_products(run, &rows, N, &all), PEN_OK);
    assert_int_equal(all.rank, 0);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = i < 20 ? 100 + check_normal(&rng) : x[(i - 20) * D + j];
    open_rows(run, x, N, D, &rows);
    assert_int_equal(pen_rows_svd_of_products(run, &rows, N, &all), PEN_OK);
    assert_int_equal(all.rank, 19);
    assert_int_equal(all.rounds, 1);
    assert_true(all.U && !all.V);
    for (int64_t wanted = 1; wanted <= 25; wanted += 8) {
        assert_int_equal(pen_rows_svd_of_products(run, &rows, wanted, &some), PEN_OK);
        CHECK(some.rank == (wanted < 19 ? wanted : 19), "%lld wanted: %lld", (long long)wanted,
              (long long)some.rank);
        CHECK_CLOSE(some.total, all.total, 1e-13, 0);
        for (int64_t l = 0; l < some.rank; l++)
            CHECK_CLOSE(some.s[l], all.s[l], 1e-13, 0);
    }
    pen_run_close(run);
    free(x);
}

/* Products of rows of each type, scaled, normalized, apart in memory, for any number of threads. */
static void products(void **state)
{
    enum { N = 37, D = 700 };
    static const pen_dtype types[] = { PEN_F64, PEN_F32, PEN_U8 };
    pen_rng rng = check_rng(3);
    double *const x = check_allocate(2 * N * D, sizeof *x), G[N * N],
                  again[N * N], *const c = check_allocate(N * D, sizeof *c);
    (void)state;

    for (int kind = 0; kind < 24; kind++) {
        const pen_dtype type = types[kind % 3];
        const int64_t step = 1 + kind / 3 % 2, size = (int64_t)pen_size(type);
        const enum pen_scale scale = kind / 6 % 2 ? PEN_SCALE_STANDARD : PEN_SCALE_NONE;
        for (int64_t i = 0; i < 2 * N * D * size / (int64_t)sizeof(uint8_t) && type == PEN_U8; i++)
            ((uint8_t *)x)[i] = (uint8_t)pen_rng_below(&rng, 256);
        for (int64_t i = 0; i < 2 * N * D && type != PEN_U8; i++)
            if (type == PEN_F64)
                x[i] = 5 + check_normal(&rng);
            else
                ((float *)x)[i] = (float)check_normal(&rng);
        pen_data data = { .x = pen_dense(x, type, N, D, 2 * D) };
        data.x.step = step;
        for (int threads = 1; threads <= 3; threads += 2) {
            const pen_control control = { .threads = threads };
            pen_rows rows;
            pen_run *run;
            assert_int_equal(pen_run_open(&control, NULL, &run), PEN_OK);
            assert_int_equal(pen_rows_open(run, &data, kind / 12, scale, &rows), PEN_OK);
            assert_int_equal(pen_rows_gram(run, &rows, threads == 1 ? G : again), PEN_OK);
            pen_rows_centered(&rows, NULL, 0, N, c);
            pen_run_close(run);
        }
        assert_memory_equal(G, again, sizeof G);
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++) {
                double dot = 0;
                for (int64_t l = 0; l < D; l++)
                    dot += c[i * D + l] * c[j * D + l];
                CHECK_CLOSE(G[i * N + j], dot, 0, 1e-12 * (G[i * N + i] + G[j * N + j]));
            }
    }
    free(x), free(c);
}

/* The reduction: coordinates are products with V, whether it is formed or not. */
static void reductions(void **state)
{
    enum { N = 40, D = 500 };
    pen_rng rng = check_rng(4);
    double s[N];
    (void)state;

    for (int kind = 0; kind < 12; kind++) {
        const pen_components asked = { .pca = kind % 3 == 0   ? (double)INFINITY
                                              : kind % 3 == 1 ? 7
                                                              : 0.8,
                                       .unit = kind / 3 % 2 };
        const double last = kind / 6 ? 1e-7 : 1e-1;
        double *const x = graded_rows(&rng, N, D, N - 1, last, s), all = 0, kept = 0;
        pen_reduction r;
        pen_rows rows, reduced;
        pen_run *run;
        assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
        open_rows(run, x, N, D, &rows);
        assert_int_equal(pen_rows_components(run, &rows, &asked, &r, &reduced), PEN_OK);
        assert_int_equal(reduced.d, r.q);
        for (int64_t l = 0; l < N - 1; l++) {
            all += s[l] * s[l];
            kept += l < r.q ? s[l] * s[l] : 0;
        }
        CHECK_CLOSE(r.retained, kept / all, 1e-12, 0);
        CHECK(kind % 3 != 0 || r.q == N - 1, "%lld components", (long long)r.q);
        CHECK(kind % 3 != 2 || (kept >= 0.8 * all && kept - s[r.q - 1] * s[r.q - 1] < 0.8 * all),
              "%lld components for a share of 0.8", (long long)r.q);

        double *const V = check_allocate(D * r.q, sizeof *V),
                      *const I = check_allocate(r.q * r.q, 8),
                      *const y = check_allocate(N * r.q, sizeof *y),
                      *const p = check_allocate(r.q, 8);
        for (int64_t i = 0; i < r.q; i++)
            I[i * r.q + i] = 1;
        assert_int_equal(pen_reduction_unfold(run, &rows, &r, r.q, I, V), PEN_OK);
        assert_int_equal(pen_rows_multiply(run, &rows, r.q, V, y), PEN_OK);
        assert_int_equal(pen_reduction_project(run, &rows, &r, x, p), PEN_OK);
        const double unit = asked.unit ? r.size : 1;
        for (int64_t c = 0; c < r.q; c++) {
            double dot = 0, square = 0;
            for (int64_t j = 0; j < D; j++) {
                dot += x[j] * V[j * r.q + c];
                square += pow(V[j * r.q + c] * unit, 2);
            }
            CHECK_CLOSE(p[c], dot, 0, 1e-13 / unit);
            CHECK_CLOSE(square, 1, 0, 1e-11);
            for (int64_t i = 0; i < N; i++)
                CHECK_CLOSE(((const double *)reduced.values.values)[i * r.q + c], y[i * r.q + c], 0,
                            1e-13 / unit);
        }
        free(V), free(I), free(y), free(p), free(x);
        pen_run_close(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(equal_rows),
        cmocka_unit_test(products),
        cmocka_unit_test(reductions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
