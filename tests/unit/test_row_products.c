/* test_row_products.c - principal components by products, against those from the scatter or the
 * products of rows; fits of many wide rows. */
#include "check.h"
#include "kit/large_rows.h"

#include "linalg/products.h"
#include "linalg/reduce.h"
#include "linalg/row_products.h"

static pen_run *open_rows(const pen_array *x, int threads, pen_view *rows)
{
    const pen_data data = { .x = *x };

    pen_run *const run = check_run(threads, NULL);
    assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, rows), PEN_OK);
    return run;
}

/* Compares values with those of all components by another route; directions are orthonormal and
 * have these variances and their sum; the bits are the same for any number of threads. */
static void check_components(const pen_array *x, int64_t k)
{
    double values[64], trace;
    pen_row_products p, again;
    pen_components asked = { .pca = (double)INFINITY };
    pen_reduction all;
    pen_view rows, reduced;
    pen_run *const run = open_rows(x, 1, &rows), *other;

    assert_int_equal(pen_rows_components(run, &rows, &asked, &all, &reduced), PEN_OK);
    assert_true(all.route != PEN_ROUTE_PRODUCTS);
    for (int64_t c = 0; c < k; c++)
        values[c] = 0;
    const double *const z = reduced.values.values;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t c = 0; c < pen_min(k, all.q); c++)
            values[c] += z[i * all.q + c] * z[i * all.q + c];

    assert_int_equal(pen_rows_by_products(run, &rows, k, &p), PEN_OK);
    assert_int_equal(p.rank, pen_min(k, all.q));
    CHECK(p.residual <= 1e-10 && p.products >= k, "residual %g", p.residual);
    double *const y = check_allocate(x->rows * p.rank, sizeof *y);
    assert_int_equal(pen_rows_multiply(run, &rows, p.rank, p.V, y), PEN_OK);
    for (int64_t c = 0; c < k; c++)
        CHECK_CLOSE(p.values[c], values[c], 0, 1e-12 * values[0]);
    for (int64_t a = 0; a < p.rank; a++)
        for (int64_t b = 0; b <= a; b++) {
            double dot = 0, cross = 0;
            for (int64_t j = 0; j < x->cols; j++)
                dot += p.V[j * p.rank + a] * p.V[j * p.rank + b];
            for (int64_t i = 0; i < x->rows; i++)
                cross += y[i * p.rank + a] * y[i * p.rank + b];
            CHECK_CLOSE(dot, a == b, 0, 1e-13);
            CHECK_CLOSE(cross, a == b ? values[a] : 0, 0, 2e-10 * values[0]);
        }
    assert_int_equal(pen_rows_trace(run, &rows, &trace), PEN_OK);
    double sum = 0;
    for (int64_t i = 0; i < x->rows * all.q; i++)
        sum += z[i] * z[i];
    CHECK_CLOSE(trace, sum, 1e-12, 0);

    other = open_rows(x, 3, &rows);
    assert_int_equal(pen_rows_by_products(other, &rows, k, &again), PEN_OK);
    assert_memory_equal(p.V, again.V, (size_t)(x->cols * p.rank) * sizeof *p.V);
    pen_run_close(other);
    pen_run_close(run);
}

TEST(components)
{
    static const int64_t sizes[][3] = { { 400, 300, 60 }, { 300, 400, 60 }, { 500, 90, 90 },
                                        { 90, 500, 70 },  { 40, 30, 30 },   { 2, 9, 9 } };
    pen_rng rng = check_rng(1);
    for (int s = 0; s < 6; s++) {
        large_rows t = large_new(&rng, sizes[s][0], sizes[s][1], sizes[s][2]);
        const pen_array sparse = large_sparse(&t), dense = large_dense(&t);
        for (int64_t k = 1; k <= 60; k += k < 20 ? 12 : 47) {
            if (k <= pen_min(t.n, t.d))
                check_components(&sparse, k);
            if (k <= pen_min(t.n, t.used))
                check_components(&dense, k);
        }
    }
}

/* Many rows with many columns: eigenvalues and projection are those of the used columns, with more
 * rows or more columns; components are not chosen unless requested. */
TEST(large_fits)
{
    enum { MANY = 8200, USED = 40 };
    static const char *const asked[] = { "pca pca=5", "pca pca=0.9", "pca dim=5" };
    pen_rng rng = check_rng(2);
    for (int wide = 0; wide < 2; wide++) {
        large_rows t = large_new(&rng, MANY + 300 * !wide, MANY + 300 * wide, USED);
        const pen_array sparse = large_sparse(&t), dense = large_dense(&t);
        for (int c = 0; c < 3; c++) {
            pen_model *const one = large_fit(&(const pen_data){ .x = sparse }, asked[c], 1, PEN_OK,
                                             NULL),
                             *const two = large_fit(&(const pen_data){ .x = sparse }, asked[c], 2,
                                                    PEN_OK, NULL),
                             *const whole = large_fit(&(const pen_data){ .x = dense }, asked[c], 1,
                                                      PEN_OK, NULL);
            const int64_t k = pen_model_dim(one);
            assert_int_equal(k, pen_model_dim(whole));
            assert_memory_equal(pen_model_tensor(one, "projection").values,
                                pen_model_tensor(two, "projection").values,
                                (size_t)(t.d * k) * sizeof(double));
            assert_string_equal(model_text(one, "info.route"), "products");
            assert_null(model_text(whole, "info.route"));
            CHECK(model_number(one, "info.products") >= (double)k, "products");
            CHECK(model_number(one, "info.residual") <= 1e-10, "residual");
            if (c < 2) /* the variance of all components is known */
                CHECK_CLOSE(model_number(one, "info.variance"),
                            model_number(whole, "info.variance"), 1e-11, 0);
            const double *const W = pen_model_tensor(one, "projection").values,
                                *const right = pen_model_tensor(whole, "projection").values;
            for (int64_t i = 0; i < k; i++)
                CHECK_CLOSE(pen_model_tensor(one, "eigenvalues").values[i],
                            pen_model_tensor(whole, "eigenvalues").values[i], 1e-10, 0);
            for (int64_t i = 0; i < t.d * k; i++) {
                const int64_t at = large_place(&t, i / k);
                CHECK_CLOSE(W[i], at >= 0 ? right[at * k + i % k] : 0, 0, 1e-7);
            }
        }
        large_fit(&(const pen_data){ .x = sparse }, "pca pca=50", 1, PEN_RANK_TOO_SMALL,
                  "pca must be at most 40, the rank of the rows");
        large_fit(&(const pen_data){ .x = sparse }, "pca dim=50", 1, PEN_RANK_TOO_SMALL, "40");
        large_fit(&(const pen_data){ .x = sparse }, "pca", 1, PEN_BAD_ARGUMENT,
                  "set pca to a number of components");
        for (int64_t i = 0; i < t.n; i++) { /* rows of I: all variances are equal */
            t.starts[i + 1] = i + 1;
            t.columns[i] = (int32_t)(i % t.d);
            t.values[i] = 1;
        }
        const pen_array unit = large_sparse(&t);
        large_fit(&(const pen_data){ .x = unit }, "pca pca=0.95", 1, PEN_BAD_ARGUMENT,
                  "more than 2048 components");
    }
}
