/* test_ssdr.c - variance with cannot-links apart and must-links together, compared with printed
 * numbers, the oracle and the definition: Zhang, Zhou, Chen: SDM 2007. */
#include "kit/oracle_fit.h"
#include "model/spec.h"

static void golden(void **state)
{
    (void)state;
    check_pair_golden("ssdr");
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "ssdr",
        "ssdr alpha=2 beta=0.5",
        "ssdr alpha=0",
        "ssdr beta=0",
        "ssdr alpha=0.3 beta=1 dim=2",
        "ssdr dim=1",
        "ssdr dim=40",
        "ssdr scale=standard",
        "ssdr scale=minmax dim=2",
        "ssdr pca=3",
        "ssdr pca=0.9 scale=standard beta=1",
        "ssdr pca=rank",
    };
    check_all_shapes(701, texts, COUNT_OF(texts), 4);
}

/* A = X' (D - S) X with weights S between all rows: 1/n^2, plus alpha/q on cannot-links, minus
 * beta/m on must-links; A w = value w. */
static void eigenvectors_of_the_graph(void **state)
{
    (void)state;
    enum { N = 40, D = 5 };
    pen_rng rng = check_rng(702);
    linked l = linked_random(&rng, N, D, 3, 20, 30);
    const pen_data data = linked_data(&l);
    linked set = linked_expand(&l); /* every pair once */
    double weight[N][N], a[D][D] = { { 0 } };

    for (int i = 0; i < N * N; i++)
        weight[i / N][i % N] = 1.0 / (N * N);
    for (int64_t p = 0; p < set.must_count; p++) {
        weight[set.must[2 * p]][set.must[2 * p + 1]] -= 5 / (double)set.must_count;
        weight[set.must[2 * p + 1]][set.must[2 * p]] -= 5 / (double)set.must_count;
    }
    for (int64_t p = 0; p < set.cannot_count; p++) {
        weight[set.cannot[2 * p]][set.cannot[2 * p + 1]] += 2 / (double)set.cannot_count;
        weight[set.cannot[2 * p + 1]][set.cannot[2 * p]] += 2 / (double)set.cannot_count;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            /* x' (D - S) x = 1/2 sum of weight times squared difference */
            for (int c = 0; c < D * D; c++)
                a[c / D][c % D] += weight[i][j] / 2 * (l.s.x[i * D + c / D] - l.s.x[j * D + c / D])
                                   * (l.s.x[i * D + c % D] - l.s.x[j * D + c % D]);
    pen_model *model = keep(fit_data("ssdr alpha=2 beta=5", &data));
    CHECK(pen_model_dim(model) == D, "%lld dimensions", (long long)pen_model_dim(model));
    for (int j = 0; j < D; j++)
        for (int i = 0; i < D; i++) {
            double sum = 0;
            for (int c = 0; c < D; c++)
                sum += a[i][c] * model_columns(model)[c * D + j];
            CHECK_CLOSE(sum, model_eigenvalues(model)[j] * model_columns(model)[i * D + j], 1e-9,
                        1e-9);
        }
}

/* Weights of 0, or no pairs: principal components, with variances as eigenvalues. */
static void pca_is_its_limit(void **state)
{
    (void)state;
    pen_rng rng = check_rng(703);

    for (int which = 0; which < 4; which++) {
        linked l = which % 2 == 0 ? linked_random(&rng, 50, 6, 3, 30, 30)
                                  : linked_random(&rng, 15, 24, 3, 20, 20);
        pen_data data = linked_data(&l), rows = data;
        rows.must_link = rows.cannot_link = NULL;
        rows.must_link_count = rows.cannot_link_count = 0;
        pen_model *model = keep(fit_data(which < 2 ? "ssdr alpha=0 beta=0" : "ssdr",
                                         which < 2 ? &data : &rows)),
                  *pca = keep(fit_data("pca", &rows));
        const int64_t r = pen_model_dim(pca), d = l.s.d;
        CHECK(pen_model_dim(model) == r, "%lld dimensions, expected %lld",
              (long long)pen_model_dim(model), (long long)r);
        for (int64_t j = 0; j < r; j++)
            CHECK_CLOSE(model_eigenvalues(model)[j] * (double)l.s.n, model_eigenvalues(pca)[j],
                        1e-10, 0);
        for (int64_t i = 0; i < d * r; i++)
            CHECK_CLOSE(model_columns(model)[i], model_columns(pca)[i], 0, 1e-9);
    }
}

/* W' W = I, and every column is in the span of the rows: no column for a constant feature, and no
 * more columns than rows. */
static void orthonormal_in_the_span(void **state)
{
    (void)state;
    pen_rng rng = check_rng(705);
    linked c = linked_golden("C"), wide = linked_random(&rng, 12, 30, 2, 15, 15);
    const pen_data data[] = { linked_data(&c), linked_data(&wide) };
    static const int64_t ranks[] = { 3, 11 };

    for (int which = 0; which < 2; which++) {
        CHECK_FIT_FAILS("ssdr dim=12", &data[which], PEN_RANK_TOO_SMALL, which == 0 ? "3" : "11");
        pen_model *model = keep(fit_data("ssdr", &data[which]));
        const int64_t r = pen_model_dim(model), d = pen_model_columns(model);
        CHECK(r == ranks[which], "%lld dimensions", (long long)r);
        CHECK(model_eigenvalues(model)[r - 1] < 0, "the least eigenvalue is %g",
              model_eigenvalues(model)[r - 1]);
        for (int64_t i = 0; i < r; i++)
            for (int64_t j = 0; j < r; j++) {
                double dot = 0;
                for (int64_t l = 0; l < d; l++)
                    dot += model_columns(model)[l * r + i] * model_columns(model)[l * r + j];
                CHECK_CLOSE(dot, i == j, 1e-12, 1e-12);
            }
    }
}

static void errors(void **state)
{
    static const refused values[] = {
        { "alpha", "-1", "alpha" },
        { "beta", "-1e-9", "beta" },
        { "beta", "nan", "beta" },
    };
    (void)state;
    pen_error err;
    pen_spec *spec = keep(spec_of("ssdr"));
    double alpha = 0, beta = 0;

    CHECK_OK(pen_spec_number(spec, "alpha", &alpha, &err), &err);
    CHECK_OK(pen_spec_number(spec, "beta", &beta, &err), &err);
    CHECK(alpha == 1 && beta == 20, "alpha=%g beta=%g", alpha, beta);
    check_refused("ssdr", values, COUNT_OF(values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(eigenvectors_of_the_graph),
        cmocka_unit_test(pca_is_its_limit),
        cmocka_unit_test(orthonormal_in_the_span),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
