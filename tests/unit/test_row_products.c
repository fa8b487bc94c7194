/* test_row_products.c - principal components by products, against those of the scatter or of the
 * products of rows, and the fit of rows that are many and wide. */
#include "check.h"
#include "kit/options.h"

#include "linalg/products.h"
#include "linalg/reduce.h"
#include "linalg/row_products.h"

/* Sparse rows [n x d] of which `used` columns, spread over all, have numbers in a tenth of the
 * places; and the used columns alone, dense. */
typedef struct table {
    int64_t n, d, used;
    int64_t *starts;
    int32_t *columns;
    double *values, *dense;
} table;

static table new_table(pen_rng *rng, int64_t n, int64_t d, int64_t used)
{
    table t = { .n = n, .d = d, .used = used };
    int64_t count = 0;

    t.starts = check_allocate(n + 1, sizeof *t.starts);
    t.columns = check_allocate(n * used, sizeof *t.columns);
    t.values = check_allocate(n * used, sizeof *t.values);
    t.dense = check_allocate(n * used, sizeof *t.dense);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < used; j++) {
            if (pen_rng_below(rng, 10) > 0 && j > 0) /* column 0 is full, and is centered */
                continue;
            t.columns[count] = (int32_t)(d / used * j + (d > used));
            t.dense[i * used + j] = t.values[count++] =
                (3 + check_normal(rng)) / sqrt((double)(j + 1));
        }
        t.starts[i + 1] = count;
    }
    return t;
}

static void free_table(table *t)
{
    free(t->starts), free(t->columns), free(t->values), free(t->dense);
}

static pen_array sparse_rows(const table *t)
{
    return pen_csr(t->values, PEN_F64, t->starts, t->columns, t->n, t->d);
}

static pen_array dense_rows(const table *t)
{
    return pen_dense(t->dense, PEN_F64, t->n, t->used, t->used);
}

static pen_run *open_rows(const pen_array *x, int threads, pen_rows *rows)
{
    const pen_control control = { .threads = threads };
    const pen_common common = { .dim = 0 };
    const pen_data data = { .x = *x };
    pen_run *run;

    assert_int_equal(pen_run_open(&control, NULL, &run), PEN_OK);
    assert_int_equal(pen_rows_open(run, &data, &common, rows), PEN_OK);
    return run;
}

/* Values as those of all components by another route, orthonormal directions of these variances,
 * their sum, the same bits for any number of threads. */
static void check_components(const pen_array *x, int64_t k)
{
    double values[64], trace;
    pen_row_products p, again;
    pen_components asked = { .pca = (double)INFINITY };
    pen_reduction all;
    pen_rows rows, reduced;
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
    free(y);
}

static void components(void **state)
{
    static const int64_t sizes[][3] = { { 400, 300, 60 }, { 300, 400, 60 }, { 500, 90, 90 },
                                        { 90, 500, 70 },  { 40, 30, 30 },   { 2, 9, 9 } };
    pen_rng rng = check_rng(1);
    (void)state;

    for (int s = 0; s < 6; s++) {
        table t = new_table(&rng, sizes[s][0], sizes[s][1], sizes[s][2]);
        const pen_array sparse = sparse_rows(&t), dense = dense_rows(&t);
        for (int64_t k = 1; k <= 60; k += k < 20 ? 12 : 47) {
            if (k <= pen_min(t.n, t.d))
                check_components(&sparse, k);
            if (k <= pen_min(t.n, t.used))
                check_components(&dense, k);
        }
        free_table(&t);
    }
}

static pen_model *fit(const pen_array *x, const char *text, int threads, pen_status code,
                      const char *phrase)
{
    const pen_data data = { .x = *x };
    const pen_control control = { .threads = threads };
    pen_model *model = NULL;
    pen_spec *const spec = spec_of(text);
    pen_error err;

    const pen_status status = pen_fit(spec, &data, &control, &model, &err);
    if (code == PEN_OK)
        CHECK_OK(status, &err);
    else
        CHECK_STATUS(status, code, phrase, &err);
    pen_spec_free(spec);
    return model;
}

static const pen_fact *fact(const pen_model *model, const char *name)
{
    return pen_fact_named(pen_model_info_facts(model), name);
}

/* Many rows with many columns: eigenvalues and projection are those of the columns in use, whether
 * there are more rows or more columns; what is not asked for is not chosen. */
static void large_fits(void **state)
{
    enum { MANY = 8200, USED = 40 };
    static const char *const asked[] = { "pca pca=5", "pca pca=0.9", "pca dim=5" };
    pen_rng rng = check_rng(2);
    (void)state;

    for (int wide = 0; wide < 2; wide++) {
        table t = new_table(&rng, MANY + 300 * !wide, MANY + 300 * wide, USED);
        const pen_array sparse = sparse_rows(&t), dense = dense_rows(&t);
        for (int c = 0; c < 3; c++) {
            pen_model *const one = fit(&sparse, asked[c], 1, PEN_OK, NULL),
                             *const two = fit(&sparse, asked[c], 2, PEN_OK, NULL),
                             *const whole = fit(&dense, asked[c], 1, PEN_OK, NULL);
            const int64_t k = pen_model_output_dim(one);
            assert_int_equal(k, pen_model_output_dim(whole));
            assert_memory_equal(pen_model_projection(one), pen_model_projection(two),
                                (size_t)(t.d * k) * sizeof(double));
            assert_string_equal(fact(one, "route")->text, "products");
            assert_null(fact(whole, "route"));
            CHECK(fact(one, "products")->numbers[0] >= (double)k, "products");
            CHECK(fact(one, "residual")->numbers[0] <= 1e-10, "residual");
            if (c < 2) /* of all components the variance goes without saying */
                CHECK_CLOSE(fact(one, "variance")->numbers[0], fact(whole, "variance")->numbers[0],
                            1e-11, 0);
            for (int64_t i = 0; i < k; i++) {
                CHECK_CLOSE(pen_model_eigenvalues(one)[i], pen_model_eigenvalues(whole)[i], 1e-10,
                            0);
                for (int64_t j = 0; j < t.d; j++) {
                    const int64_t at = (j - 1) % (t.d / USED) ? -1 : (j - 1) / (t.d / USED);
                    CHECK_CLOSE(pen_model_projection(one)[j * k + i],
                                at >= 0 && at < USED ? pen_model_projection(whole)[at * k + i] : 0,
                                0, 1e-7);
                }
            }
            pen_model_free(one), pen_model_free(two), pen_model_free(whole);
        }
        fit(&sparse, "pca pca=50", 1, PEN_RANK_TOO_SMALL,
            "pca must be at most 40, the rank of the rows");
        fit(&sparse, "pca dim=50", 1, PEN_RANK_TOO_SMALL, "40");
        fit(&sparse, "pca", 1, PEN_BAD_ARGUMENT, "set pca to a number of components");
        for (int64_t i = 0; i < t.n; i++) { /* rows of I: all variances are equal */
            t.starts[i + 1] = i + 1;
            t.columns[i] = (int32_t)(i % t.d);
            t.values[i] = 1;
        }
        const pen_array unit = sparse_rows(&t);
        fit(&unit, "pca pca=0.95", 1, PEN_BAD_ARGUMENT, "more than 2048 components");
        free_table(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components),
        cmocka_unit_test(large_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
