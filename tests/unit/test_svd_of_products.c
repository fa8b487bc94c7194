/* test_svd_of_products.c - singular values and directions of fewer rows than columns, with known
 * values down to 1e-15 of the largest. */
#include "kit/opened.h"

#include "core/rows.h"
#include "linalg/svd_of_products.h"
#include "linalg/products.h"

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
    return x;
}

static void open_dense(pen_run *run, const double *x, int64_t n, int64_t d, pen_view *out)
{
    const pen_data data = { .x = pen_dense(x, PEN_F64, n, d, d) };

    CHECK_CALL(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, out));
}

/* The directions [d x rank] as vectors. */
static double *directions(pen_run *run, const pen_view *x, const pen_graded *g)
{
    double *const V = check_allocate(x->d * g->rank, sizeof *V);

    if (g->V) {
        memcpy(V, g->V, (size_t)(x->d * g->rank) * sizeof *V);
        return V;
    }
    CHECK_CALL(pen_rows_gather(run, x, g->rank, g->U, V));
    for (int64_t i = 0; i < x->d * g->rank; i++)
        V[i] /= g->s[i % g->rank];
    return V;
}

/* The largest entry of V'V - I, and the largest |Xc'Xc v - s^2 v|. */
static void measure(pen_run *run, const pen_view *x, const pen_graded *g, double *skew,
                    double *residual)
{
    const int64_t n = x->n, d = x->d, q = g->rank;
    double *const V = directions(run, x, g), *const y = check_allocate(n * q, sizeof *y),
                  *const back = check_allocate(d * q, sizeof *back);

    *skew = *residual = 0;
    CHECK_CALL(pen_rows_multiply(run, x, q, V, y));
    CHECK_CALL(pen_rows_gather(run, x, q, y, back));
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
}

TEST(known_values)
{
    enum { N = 61, D = 2000, Q = 60 };
    static const struct {
        double last;
        int64_t rank;
        int rounds;
        double skew; /* directions that are not formed: rounding of s_1^2 relative to s^2 */
    } known[] = { { 1e-2, 60, 1, 1e-11 },
                  { 1e-6, 60, 2, 1e-14 },
                  { 1e-8, 60, 2, 1e-14 },
                  { 1e-12, 60, 3, 1e-14 },
                  { 1e-15, 49, 4, 1e-14 } };
    pen_rng rng = check_rng(1);
    double s[Q], skew, residual;
    for (int i = 0; i < 5; i++) {
        double *const x = graded_rows(&rng, N, D, Q, known[i].last, s);
        pen_graded g;
        pen_view rows;
        pen_run *run = check_run(0, NULL);
        open_dense(run, x, N, D, &rows);
        CHECK_CALL(pen_rows_svd_of_products(run, &rows, N, &g));
        CHECK(g.rank == known[i].rank, "%g: rank %lld", known[i].last, (long long)g.rank);
        CHECK(g.rounds == known[i].rounds, "%g: %d rounds", known[i].last, g.rounds);
        CHECK(!g.V == (g.rounds == 1), "%g: directions", known[i].last);
        for (int64_t l = 0; l < g.rank; l++)
            CHECK_CLOSE(g.s[l], s[l], 0, 4e-15);
        measure(run, &rows, &g, &skew, &residual);
        CHECK(skew <= known[i].skew, "%g: V'V - I is %g", known[i].last, skew);
        CHECK(residual <= 3e-14, "%g: residual %g", known[i].last, residual);
        pen_run_close(run);
    }
}

/* All rows equal, or some: the rank is that of the distinct rows, and no direction is formed. Also
 * some of the values. */
TEST(equal_rows)
{
    enum { N = 50, D = 300 };
    pen_rng rng = check_rng(2);
    double *const x = check_allocate(N * D, sizeof *x);
    pen_graded all, some;
    pen_view rows;
    pen_run *run;
    run = check_run(0, NULL);
    for (int64_t i = 0; i < N * D; i++)
        x[i] = 3;
    open_dense(run, x, N, D, &rows);
    CHECK_CALL(pen_rows_svd_of_products(run, &rows, N, &all));
    assert_int_equal(all.rank, 0);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = i < 20 ? 100 + check_normal(&rng) : x[(i - 20) * D + j];
    open_dense(run, x, N, D, &rows);
    CHECK_CALL(pen_rows_svd_of_products(run, &rows, N, &all));
    assert_int_equal(all.rank, 19);
    assert_int_equal(all.rounds, 1);
    assert_true(all.U && !all.V);
    for (int64_t wanted = 1; wanted <= 25; wanted += 8) {
        CHECK_CALL(pen_rows_svd_of_products(run, &rows, wanted, &some));
        CHECK(some.rank == (wanted < 19 ? wanted : 19), "%lld wanted: %lld", (long long)wanted,
              (long long)some.rank);
        CHECK_CLOSE(some.total, all.total, 1e-13, 0);
        for (int64_t l = 0; l < some.rank; l++)
            CHECK_CLOSE(some.s[l], all.s[l], 1e-13, 0);
    }
    pen_run_close(run);
}
