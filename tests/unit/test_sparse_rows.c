/* test_sparse_rows.c - sparse rows: refused input; blocks, statistics, distances and products
 * against the same dense rows; every call that reads rows. */
#include "core/rows.h"
#include "core/sparse_array.h"
#include "kit/check_fit.h"
#include "kit/dense.h"
#include "kit/embedded.h"
#include "kit/measures.h"
#include "kit/sparse_sample.h"
#include "linalg/products.h"
#include "linalg/reduce.h"
#include "linalg/sparse_rows.h"

#include <float.h>

TEST(refusals)
{
    static const double values[] = { 1, 2, 3, 4 }, gap[] = { 1, 2, (double)NAN, 4 };
    static const int64_t starts[] = { 0, 2, 2, 4 }, falling[] = { 0, 2, 1, 4 },
                         late[] = { 1, 2, 2, 4 }, nothing[] = { 0, 0, 0, 0 };
    static const int32_t columns[] = { 0, 2, 1, 4 }, twice[] = { 0, 0, 1, 4 },
                         beyond[] = { 0, 2, 1, 5 }, before[] = { -1, 2, 1, 4 };
    static const struct {
        const double *values;
        const int64_t *starts;
        const int32_t *columns;
        int64_t stride, step;
        pen_status code;
        const char *phrase;
    } cases[] = {
        { values, starts, columns, 0, 0, PEN_OK, NULL },
        { values, falling, columns, 0, 0, PEN_BAD_DATA,
          "x: row 1 (counted from 0) ends at entry 1, before its start 2" },
        { values, late, columns, 0, 0, PEN_BAD_DATA, "x: starts[0] must be 0, got 1" },
        { values, starts, twice, 0, 0, PEN_BAD_DATA,
          "x: row 0 (counted from 0): columns must be in strictly ascending order, got 0 after 0" },
        { values, starts, beyond, 0, 0, PEN_BAD_DATA,
          "x: row 2 (counted from 0): columns must be in [0, 4], got 5" },
        { values, starts, before, 0, 0, PEN_BAD_DATA,
          "x: row 0 (counted from 0): columns must be in [0, 4], got -1" },
        { values, starts, NULL, 0, 0, PEN_BAD_ARGUMENT,
          "x.columns must not be NULL: there are 4 entries" },
        { NULL, starts, columns, 0, 0, PEN_BAD_ARGUMENT,
          "x.values must not be NULL: there are 4 entries" },
        { values, starts, columns, 0, 1, PEN_BAD_ARGUMENT,
          "x: sparse rows have no stride and no step, got 0 and 1" },
        { values, NULL, columns, 5, 0, PEN_BAD_ARGUMENT,
          "x.starts must not be NULL if columns are given" },
        { gap, starts, columns, 0, 0, PEN_NOT_FINITE,
          "values must be finite, got NaN at row 2, column 1 (counted from 0)" },
        { NULL, nothing, NULL, 0, 0, PEN_OK, NULL },
    };
    int64_t index[3];
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        const pen_array x = {
            cases[i].values, PEN_F64,         3, 5, cases[i].stride, cases[i].step,
            cases[i].starts, cases[i].columns
        };
        CHECK_STATUS(pen_neighbors(&x, NULL, 1, NULL, index, NULL, &err), cases[i].code,
                     cases[i].phrase, &err);
    }
    CHECK(index[0] == 1 && index[1] == 0 && index[2] == 0, "neighbors of equal rows");
}

TEST(reading)
{
    static const int64_t some[] = { 5, 6, 7, 39, 20, 3, 0, 5 };
    pen_rng rng = check_rng(2101);
    sample s = sparse_random(&rng, 40, 45, 2, 0);
    double block[40 * 45];

    pen_run *const run = check_run(0, NULL);
    for (int type = PEN_F64; type <= PEN_U8; type++) {
        pen_array x = recast(&s, (pen_dtype)type, 0), sparse = sparse_of(&x, SOME_ZEROS), picked;
        for (int64_t i = 0; i < s.n; i++)
            for (int64_t j = 0; j < s.d; j++)
                CHECK(pen_value_at(&sparse, i, j) == s.x[i * s.d + j], "at %lld, %lld",
                      (long long)i, (long long)j);
        pen_array_gather(&sparse, NULL, 3, 30, 2, 40, PEN_F64, block);
        for (int64_t i = 0; i < 30 * 40; i++)
            CHECK(block[i] == s.x[(3 + i / 40) * s.d + 2 + i % 40], "gathered number %lld",
                  (long long)i);
        assert_int_equal(pen_array_pick(run, &sparse, COUNT_OF(some), some, &picked), PEN_OK);
        CHECK(pen_is_sparse(&picked) && picked.rows == COUNT_OF(some), "picked rows");
        for (int64_t i = 0; i < picked.rows; i++)
            for (int64_t j = 0; j < s.d; j++)
                CHECK(pen_value_at(&picked, i, j) == s.x[some[i] * s.d + j], "picked %lld, %lld",
                      (long long)i, (long long)j);
    }
    pen_run_close(run);
}

struct pair {
    pen_view dense, sparse;
};

/* B = X + 1 offset' from the entries by rows and by columns. */
static void check_entries(pen_run *run, const struct pair *p, const double *centered)
{
    const int64_t n = p->dense.n, d = p->dense.d;
    double *const rows = zeros(n * d), *const columns = zeros(n * d);
    pen_sparse_rows s;

    assert_int_equal(pen_sparse_rows_open(run, &p->sparse, &s), PEN_OK);
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = s.starts[i]; e < s.starts[i + 1]; e++)
            rows[i * d + s.columns[e]] = s.values[e];
    for (int64_t j = 0; j < d; j++)
        for (int64_t e = s.tops[j]; e < s.tops[j + 1]; e++)
            columns[s.rows[e] * d + j] = s.by_column[e];
    CHECK(memcmp(rows, columns, (size_t)(n * d) * 8) == 0, "entries of rows and columns differ");
    for (int64_t i = 0; i < n * d; i++)
        rows[i] -= s.offset[i % d];
    check_all_close("entries", n * d, rows, centered, 1e-14);
}

/* Products with small matrices, and sums of products, against loops over the centered rows. */
static void check_products(pen_run *run, const struct pair *p, const double *X, pen_rng *rng)
{
    enum { K = 3 };
    const int64_t n = p->dense.n, d = p->dense.d;
    double *const V = zeros(d * K), *const u = zeros(n * K), *const y = zeros(n * K),
                  *const G = zeros(d * K), *const XX = zeros(n * n);
    double *const transposed = dense_transpose(n, d, X);
    pen_sparse_rows s;
    pen_sym S;

    for (int64_t i = 0; i < d * K; i++)
        V[i] = pen_rng_uniform(rng) - 0.5;
    for (int64_t i = 0; i < n * K; i++)
        u[i] = pen_rng_uniform(rng);
    double *const right_y = dense_product(n, d, K, X, V),
                  *const right_G = dense_product(d, n, K, transposed, u),
                  *const right_XX = dense_product(n, d, n, X, transposed),
                  *const right_S = dense_product(d, n, d, transposed, X);
    assert_int_equal(pen_rows_multiply(run, &p->sparse, K, V, y), PEN_OK);
    check_all_close("X V", n * K, y, right_y, 1e-13);
    assert_int_equal(pen_rows_gather(run, &p->sparse, K, u, G), PEN_OK);
    check_all_close("X'u", d * K, G, right_G, 1e-13);
    assert_int_equal(pen_sparse_rows_open(run, &p->sparse, &s), PEN_OK);
    assert_int_equal(pen_sparse_rows_gram(run, &s, XX), PEN_OK);
    check_all_close("XX'", n * n, XX, right_XX, 1e-13);
    assert_int_equal(pen_sym_zero(run, d, &S), PEN_OK);
    assert_int_equal(pen_rows_scatter(run, &p->sparse, 2, &S), PEN_OK);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            right_S[i * d + j] = j <= i ? 2 * right_S[i * d + j] : (S.a[i * d + j] = 0);
    check_all_close("X'X", d * d, S.a, right_S, 1e-13);
}

/* Distances have the bits of those of dense rows. */
static void check_distances(const struct pair *p)
{
    for (int64_t i = 0; i < p->dense.n; i++)
        for (int64_t j = 0; j < p->dense.n; j += 3) {
            const double found = pen_rows_distance2(&p->sparse, i, j),
                         right = pen_rows_distance2(&p->dense, i, j);
            CHECK(found == right, "distance of rows %lld and %lld is %.17g, dense %.17g",
                  (long long)i, (long long)j, found, right);
            CHECK(pen_rows_distance2_between(&p->sparse, i, &p->dense, j) == right,
                  "distance of sparse row %lld and dense row %lld", (long long)i, (long long)j);
        }
}

/* scale (u v - mean) [n x d] of dense rows, with the mean in long double. */
static void center(const pen_view *x, double *to)
{
    pen_view plain = *x;
    double *const none = zeros(x->d);

    plain.mean = none;
    plain.scale = NULL;
    pen_rows_centered(&plain, NULL, 0, x->n, to);
    for (int64_t j = 0; j < x->d; j++) {
        const long double first = to[j];
        long double sum = 0;
        for (int64_t i = 0; i < x->n; i++)
            sum += to[i * x->d + j] - first;
        for (int64_t i = 0; i < x->n; i++)
            to[i * x->d + j] =
                (double)(to[i * x->d + j] - first - sum / x->n) * (x->scale ? x->scale[j] : 1);
    }
}

static void check_rows(pen_run *run, const sample *s, pen_dtype type, enum zeros stored, int unit,
                       enum pen_scale scale, pen_rng *rng)
{
    const pen_mark_t mark = pen_mark(run);
    pen_array x = recast(s, type, 0), sparse = sparse_of(&x, stored);
    pen_data dense_data = sample_data(s), sparse_data = dense_data;
    struct pair p;

    dense_data.x = x;
    sparse_data.x = sparse;
    assert_int_equal(pen_rows_open(run, &dense_data, unit, scale, &p.dense), PEN_OK);
    assert_int_equal(pen_rows_open(run, &sparse_data, unit, scale, &p.sparse), PEN_OK);
    check_all_close("means", s->d, p.sparse.mean, p.dense.mean, 1e-13);
    if (p.dense.scale)
        check_all_close("scales", s->d, p.sparse.scale, p.dense.scale, 1e-14);
    p.dense.scale = p.sparse.scale; /* equal up to rounding */
    double *const right = zeros(s->n * s->d), *const block = zeros(s->n * s->d);
    center(&p.dense, right);
    pen_rows_centered(&p.sparse, NULL, 0, s->n, block);
    check_all_close("centered rows", s->n * s->d, block, right,
                    dense_largest(s->d, p.dense.mean, 1) > 1e6 ? 1e-8 : 1e-14);
    pen_rows_block(&p.sparse, NULL, 0, s->n, block);
    for (int64_t i = 0; i < s->n * s->d; i++)
        block[i] -= p.sparse.offset[i % s->d];
    check_all_close("block rows", s->n * s->d, block, right, 1e-14);
    check_entries(run, &p, right);
    check_products(run, &p, right, rng);
    check_distances(&p);
    pen_release(run, mark);
}

TEST(rows_of_a_fit)
{
    pen_rng rng = check_rng(2102);
    sample narrow = sparse_random(&rng, 90, 21, 3, 40), wide = sparse_random(&rng, 40, 530, 3, 20),
           few = sparse_few(&rng, 120, 60, 4), scattered = sparse_few(&rng, 130, 300, 6);
    sample *const all[] = { &narrow, &wide, &few, &scattered };

    for (int64_t j = 0; j < few.d; j++) /* one row that is multiplied as a dense one */
        few.x[7 * few.d + j] = (double)(j % 5);
    pen_run *const run = check_run(0, NULL);
    for (int type = PEN_F64; type <= PEN_U8; type++)
        for (int unit = 0; unit <= 1; unit++)
            for (enum pen_scale scale = PEN_SCALE_NONE; scale <= PEN_SCALE_MINMAX; scale++)
                for (int s = 0; s < 4; s++)
                    check_rows(run, all[s], (pen_dtype)type, s < 2 ? SOME_ZEROS : NO_ZEROS, unit,
                               scale, &rng);
    pen_run_close(run);
}

/* A full column, 1e9 deviations from 0: its mean does not cost digits. */
TEST(far_columns)
{
    pen_rng rng = check_rng(2103);
    sample s = sparse_random(&rng, 80, 22, 3, 40);

    for (int64_t i = 0; i < s.n; i++)
        s.x[i * s.d] = 1e9 + (double)pen_rng_below(&rng, 9);
    pen_run *const run = check_run(0, NULL);
    check_rows(run, &s, PEN_F64, SOME_ZEROS, 0, PEN_SCALE_NONE, &rng);
    pen_run_close(run);

    pen_array x = pen_dense(s.x, PEN_F64, s.n, s.d, s.d), sparse = sparse_of(&x, NO_ZEROS);
    pen_model *const model = fit_sample("pca", &s);
    double *const z = embedded(model, &x), *const of_sparse = embedded(model, &sparse);
    check_all_close("embedding", s.n * pen_model_dim(model), of_sparse, z, 1e-13);
}

TEST(every_call)
{
    pen_rng rng = check_rng(2104);
    sample s = sparse_random(&rng, MEASURES_ROWS, 24, 3, MEASURES_ROWS);

    for (int64_t i = 0; i < s.n; i++)
        s.x[i * s.d + 2] = s.y[i]; /* a leaking column */
    for (int type = PEN_F64; type <= PEN_U8; type++) {
        struct measures *const right = check_allocate(2, sizeof *right), *const found = right + 1;
        pen_data data = sample_data(&s);
        pen_array x = recast(&s, (pen_dtype)type, 0), sparse = sparse_of(&x, SOME_ZEROS),
                  some = sparse;
        some.rows = 9;
        data.x = x;
        measure(data, &x, right);
        CHECK(right->leaks == 1 && right->leak.first == 2, "no leak found in column 2");
        data.x = sparse;
        measure(data, &sparse, found);
        check_all_close("accuracies", MEASURES_SCORES, found->accuracy, right->accuracy, 1e-12);
        CHECK(memcmp(found, right, offsetof(struct measures, accuracy)) == 0,
              "type %d: measures differ", type);
        measure(data, &x, found); /* dense queries among sparse rows */
        CHECK(memcmp(found->of_some, right->of_some, sizeof found->of_some) == 0,
              "type %d: neighbors of dense queries differ", type);
        data.x = x;
        measure(data, &some, found); /* and the reverse */
        CHECK(memcmp(found->of_some, right->of_some, 9 * MEASURES_NEIGHBORS * sizeof(int64_t)) == 0,
              "type %d: neighbors of sparse queries differ", type);
    }
}
