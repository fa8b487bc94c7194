/* test_sda.c - discriminant analysis with a graph of all rows, compared with printed numbers, the
 * oracle and the definition: Cai, He, Han: ICCV 2007. */
#include "kit/dense.h"
#include "kit/oracle_fit.h"

#include <stdio.h>

static void golden(void **state)
{
    static const double x[] = { 0.97,  0.75, -0.02, -0.6, -1.43, 0.6,   -1.21, -0.42, -0.78, -0.28,
                                -1.35, 0.1,  0.44,  0.84, 0.78,  0.98,  -1.47, 1.03,  0.73,  -0.1,
                                -0.08, -0.4, -1.26, 0.85, -0.42, -0.41, 0.74,  0.48,  -0.59, 1.04 };
    static const int32_t y[] = { 0, 1, 0, 1, 0, 1, -1, -1, -1, -1 };
    static const double w[] = { -0.1066925754, 0.9376496126, -0.3308019021 },
                        value[] = { 0.7436860817 };
    sample s = keep(sample_of(10, 3, x, y));
    const pen_data data = sample_data(&s);
    (void)state;

    check_printed_fit("sda alpha=0.1 ridge=0.1 neighbors=3 dim=1", &data, 1, value, w, 1e-7);
    /* as set by its authors */
    check_printed_fit("sda neighbors=3 dim=1", &data, 1, value, w, 1e-7);
    check_like("sda neighbors=3", &data, NULL, 1e-8);
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "sda",
        "sda alpha=2 neighbors=3",
        "sda graph=heat",
        "sda graph=heat heat=4 alpha=0.5 ridge=3 dim=1",
        "sda alpha=0 ridge=0.01",
        "sda alpha=0 ridge=0",
        "sda ridge=0 neighbors=12",
        "sda scale=standard graph=heat",
        "sda pca=3",
        "sda pca=rank scale=minmax ridge=0.001",
        "sda dim=40",
    };
    check_all_shapes(3701, texts, COUNT_OF(texts), 1);
}

/* Lattice points in more columns than rows: ties between equally distant rows are broken by row
 * order, as always. */
static void lattice_of_many_columns(void **state)
{
    pen_rng rng = check_rng(3710);
    (void)state;
    for (int repeat = 0; repeat < 5; repeat++) {
        sample s = keep(sample_random(&rng, 25, 30, 3, 9));
        for (int64_t i = 0; i < 25 * 30; i++)
            s.x[i] = (double)pen_rng_below(&rng, 2);
        const pen_data data = sample_data(&s);
        check_like("sda alpha=3", &data, NULL, 1e-8);
    }
}

/* The fit satisfies S_b w = value (S_l + alpha X'LX + ridge I) w, with explicit sums; columns of
 * length one; 0 <= value <= 1. */
static void definition(void **state)
{
    enum { N = 60, D = 5 };
    pen_rng rng = check_rng(3702);
    (void)state;
    for (int graph = 0; graph < 2; graph++) {
        sample s = keep(sample_random(&rng, N, D, 4, 20));
        const pen_data data = sample_data(&s);
        pen_model *model = keep(fit_data(
            graph ? "sda alpha=0.7 ridge=2 graph=heat heat=5" : "sda alpha=0.7 ridge=2", &data));
        const int64_t r = pen_model_dim(model);
        const double *w = model_columns(model), *values = model_eigenvalues(model);
        double *distances = keep(table_distances(N, D, s.x)), x[N][D], means[4][D] = { { 0 } },
               size[4] = { 0 }, B[D][D] = { { 0 } }, C[D][D] = { { 0 } };
        int *nearest = keep(table_nearest(N, distances, 5));
        CHECK(r == 4, "%lld dimensions of 4 classes about the mean of all rows", (long long)r);
        for (int i = 0; i < N; i++)
            for (int c = 0; c < D; c++) {
                x[i][c] = s.x[i * D + c] - model_mean(model)[c];
                if (s.y[i] >= 0)
                    means[s.y[i]][c] += x[i][c];
                if (s.y[i] >= 0 && c == 0)
                    size[s.y[i]]++;
            }
        for (int p = 0; p < D; p++)
            for (int q = 0; q < D; q++) {
                for (int k = 0; k < 4; k++)
                    B[p][q] += means[k][p] * means[k][q] / size[k];
                for (int i = 0; i < N; i++)
                    C[p][q] += s.y[i] >= 0 ? x[i][p] * x[i][q] : 0;
                for (int i = 0; i < N; i++)
                    for (int j = 0; j < i; j++)
                        if (nearest[i * N + j] || nearest[j * N + i])
                            C[p][q] += 0.7 * (graph ? exp(-distances[i * N + j] / 5) : 1)
                                       * (x[i][p] - x[j][p]) * (x[i][q] - x[j][q]);
                C[p][q] += p == q ? 2 : 0;
            }
        for (int64_t j = 0; j < r; j++) {
            double length = 0;
            CHECK(values[j] > 0 && values[j] < 1 && (j == 0 || values[j] <= values[j - 1]),
                  "value %lld is %g", (long long)j, values[j]);
            for (int p = 0; p < D; p++) {
                double left = 0, right = 0;
                for (int q = 0; q < D; q++) {
                    left += B[p][q] * w[q * r + j];
                    right += C[p][q] * w[q * r + j];
                }
                CHECK_CLOSE(left, values[j] * right, 1e-8, 1e-8);
                length += w[p * r + j] * w[p * r + j];
            }
            CHECK_CLOSE(length, 1, 1e-12, 0);
        }
    }
}

/* All eigenvalues decrease as alpha or ridge increases. */
static void values_fall(void **state)
{
    static const char *const forms[] = { "sda ridge=%.17g", "sda alpha=%.17g",
                                         "sda graph=heat alpha=%.17g ridge=0.01" };
    pen_rng rng = check_rng(3703);
    (void)state;
    for (int form = 0; form < 3; form++) {
        sample s = keep(sample_random(&rng, 60, 6, 3, 24));
        const pen_data data = sample_data(&s);
        double last[3] = { 1, 1, 1 };
        for (int power = -8; power <= 12; power++) {
            char text[96];
            snprintf(text, sizeof text, forms[form], ldexp(1, power));
            pen_model *model = keep(fit_data(text, &data));
            CHECK(pen_model_dim(model) == 3, "%lld dimensions", (long long)pen_model_dim(model));
            for (int j = 0; j < 3; j++) {
                CHECK(model_eigenvalues(model)[j] < last[j], "%s: value %d is %.17g, and was %.17g",
                      text, j, model_eigenvalues(model)[j], last[j]);
                last[j] = model_eigenvalues(model)[j];
            }
        }
        CHECK(last[0] < 0.5, "%s: %g at last", forms[form], last[0]);
    }
}

/* alpha 0: no graph, and unlabelled rows affect only the mean. */
static void without_graph(void **state)
{
    pen_rng rng = check_rng(3704);
    sample s = keep(sample_random(&rng, 40, 4, 3, 20)), moved = keep(sample_of(40, 4, s.x, s.y));
    int64_t first = -1, second = -1;
    (void)state;
    for (int64_t i = 0; i < 40; i++)
        if (s.y[i] == PEN_UNLABELLED)
            *(first < 0 ? &first : &second) = i;
    for (int64_t c = 0; c < 4; c++) { /* two unlabelled rows moved apart, with the mean unchanged */
        moved.x[first * 4 + c] += 64;
        moved.x[second * 4 + c] -= 64;
    }
    const pen_data data = sample_data(&s), moved_data = sample_data(&moved);
    pen_model *a = keep(fit_data("sda alpha=0 neighbors=39", &data)),
              *b = keep(fit_data("sda alpha=0 neighbors=39", &moved_data));
    const int64_t k = pen_model_dim(a);
    const double *const w = model_columns(a), *const v = model_columns(b);
    for (int64_t i = 0; i < 4 * k; i++)
        CHECK_CLOSE(dense_sign(4, v, k, w, k, i % k) * v[i], w[i], 0, 1e-9);
    pen_model *c = keep(fit_data("sda", &data)), *d = keep(fit_data("sda", &moved_data));
    CHECK(fabs(model_eigenvalues(c)[0] - model_eigenvalues(d)[0]) > 1e-6,
          "unlabelled rows make no difference");
}

/* All rows labelled, no terms other than the scatters: Fisher's subspace, with value / (1 + value)
 * for each value. */
static void fisher_is_its_limit(void **state)
{
    pen_rng rng = check_rng(3711);
    sample s = keep(sample_random(&rng, 60, 5, 4, 60));
    pen_model *model = keep(fit_sample("sda alpha=0 ridge=0 neighbors=1000", &s)),
              *fda = keep(fit_sample("fda column_scaling=plain", &s)); /* no graph: any neighbors */
    (void)state;
    CHECK(pen_model_dim(model) == 3 && pen_model_dim(fda) == 3, "%lld dimensions",
          (long long)pen_model_dim(model));
    for (int64_t j = 0; j < 3; j++) {
        const double value = model_eigenvalues(fda)[j];
        CHECK_CLOSE(model_eigenvalues(model)[j], value / (1 + value), 1e-10, 0);
        CHECK(check_subspaces(5, 1, model_columns(model) + j, 3, model_columns(fda) + j, 3) < 1e-8,
              "column %lld", (long long)j);
    }
}

/* ---- degenerate or invalid input ---- */

static void errors(void **state)
{
    static const refused values[] = {
        { "alpha", "-0.5", "alpha" },      { "ridge", "-1", "ridge" },
        { "neighbors", "0", "neighbors" }, { "heat", "0", "heat" },
        { "graph", "dense", "dense" },
    };
    pen_rng rng = check_rng(3708);
    sample s = keep(sample_random(&rng, 30, 4, 3, 12)),
           wide = keep(sample_random(&rng, 12, 20, 2, 8)),
           equal = keep(sample_random(&rng, 30, 4, 3, 12));
    (void)state;

    for (int64_t i = 0; i < 120; i++)
        equal.x[i] = 0.1;
    const pen_data wide_data = sample_data(&wide), equal_data = sample_data(&equal);
    CHECK_FIT_FAILS("sda ridge=0", &wide_data, PEN_SINGULAR_SCATTER, "ridge");
    pen_model_free(fit_data("sda ridge=1e-3", &wide_data));
    CHECK_FIT_FAILS("sda", &equal_data, PEN_RANK_TOO_SMALL, NULL);
    CHECK_FIT_FAILS("sda graph=heat", &equal_data, PEN_BAD_DATA,
                    "heat auto: all neighbors are equal rows");

    check_refused("sda graph=heat heat=auto", values, COUNT_OF(values));
    check_rank("sda", &s, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(lattice_of_many_columns),
        cmocka_unit_test(definition),
        cmocka_unit_test(values_fall),
        cmocka_unit_test(without_graph),
        cmocka_unit_test(fisher_is_its_limit),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
