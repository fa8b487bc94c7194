/* test_lpp.c - locality preserving projections compared with printed numbers, the oracle, and iLPP,
 * which has the same columns with different lengths. */
#include "kit/blend_fit.h"

static void golden(void **state)
{
    static const double lambda[] = { 0.04280778537, 0.3982457819 },
                        w[] = { 0.1303928786, -0.1031128633, 0.02897599575, 0.3813958079 };
    sample a = sample_golden('A');
    (void)state;

    check_golden("lpp neighbors=2", &a, 2, lambda, w);
    check_golden("lpp neighbors=2 column_scaling=plain", &a, 2, lambda, w);
    sample_free(&a);
}

static void matches_the_oracle(void **state)
{
    static const char *const texts[] = {
        "lpp",
        "lpp neighbors=2",
        "lpp neighbors=3 graph=mutual",
        "lpp origin=mean",
        "lpp ridge=0.01 dim=1",
        "lpp neighbors=100000 column_scaling=orthonormal",
        "lpp scale=standard neighbors=20",
        "lpp graph=mutual neighbors=20",
        "lpp scale=standard row_steps=l2 origin=mean column_scaling=orthonormal",
    };
    (void)state;
    check_all_lpp_shapes(1221, texts, COUNT_OF(texts), 2);
}

/* The same vectors, with reciprocal values, in the same order: the same subspace for every
 * dimension where a gap defines it. */
static void subspaces_of_ilpp(void **state)
{
    static const char *const texts[][2] = {
        { "lpp", "ilpp column_scaling=plain" },
        { "lpp origin=mean neighbors=3", "ilpp origin=mean neighbors=3 column_scaling=plain" },
        { "lpp graph=mutual neighbors=10",
          "ilpp graph=mutual neighbors=10 column_scaling=plain" }
    };
    pen_rng rng = check_rng(1222);
    (void)state;

    for (int repeat = 0; repeat < check_repeats(3); repeat++)
        for (int64_t i = 0; i < COUNT_OF(texts); i++) {
            sample s = sample_random(&rng, 80, 5, 3, 0);
            pen_model *lpp = fit_sample(texts[i][0], &s), *ilpp = fit_sample(texts[i][1], &s);
            const double *small = pen_model_tensor(lpp, "eigenvalues").values,
                         *large = pen_model_tensor(ilpp, "eigenvalues").values;
            for (int64_t c = 0; c < 5; c++) {
                CHECK_CLOSE(small[c] * large[c], 1, 1e-10, 0);
                const double gap = c == 4 ? 1 : (small[c + 1] - small[c]) / small[4];
                const double apart =
                    check_subspaces(5, c + 1, pen_model_tensor(lpp, "projection").values, 5,
                                    pen_model_tensor(ilpp, "projection").values, 5);
                CHECK(gap < 1e-3 || apart < 1e-10,
                      "%s: the first %lld columns are %.3g from those of ilpp", texts[i][0],
                      (long long)c + 1, apart);
                for (int64_t j = 0;
                     gap > 1e-3 && j < 5 && (c == 0 || small[c] - small[c - 1] > 1e-3 * small[4]);
                     j++)
                    CHECK_CLOSE(pen_model_tensor(lpp, "projection").values[j * 5 + c]
                                    * sqrt(large[c]),
                                pen_model_tensor(ilpp, "projection").values[j * 5 + c], 1e-7, 1e-8);
            }
            pen_model_free(lpp);
            pen_model_free(ilpp);
            sample_free(&s);
        }
}

static void invariances(void **state)
{
    pen_rng rng = check_rng(1223);
    sample s = sample_random(&rng, 60, 4, 3, 0), scaled = sample_of(s.n, s.d, s.x, s.y),
           moved = sample_of(s.n, s.d, s.x, s.y);
    (void)state;

    check_lpp_invariances("lpp", 1224);
    check_lpp_invariances("lpp graph=mutual neighbors=10 column_scaling=orthonormal", 1225);
    for (int64_t i = 0; i < s.n * s.d; i++) {
        scaled.x[i] *= 4;
        moved.x[i] += 1000;
    }
    check_lpp_same("lpp", "lpp", &scaled, &s, 0.25, 1);
    check_lpp_same("lpp column_scaling=orthonormal", "lpp column_scaling=orthonormal", &scaled, &s,
                   1, 1);
    check_lpp_same("lpp origin=mean", "lpp origin=mean", &moved, &s, 1, 1);
    check_lpp_same("lpp origin=mean pca=rank", "lpp origin=mean", &s, &s, 1, 1);
    check_rank("lpp", &s, 4);
    check_lpp_threads("lpp", &s);
    check_lpp_threads("lpp graph=mutual", &s);

    pen_model *two = fit_sample("lpp dim=2", &s), *all = fit_sample("lpp", &s);
    assert_int_equal(pen_model_dim(all), 4);
    for (int64_t i = 0; i < 8; i++)
        CHECK_CLOSE(pen_model_tensor(two, "projection").values[i],
                    pen_model_tensor(all, "projection").values[i / 2 * 4 + i % 2], 1e-12, 1e-12);
    pen_model_free(two);
    pen_model_free(all);
    sample_free(&s);
    sample_free(&scaled);
    sample_free(&moved);
}

/* Near rows do not differ in a column: the value is 0, and never negative. */
static void equal_among_neighbors(void **state)
{
    pen_rng rng = check_rng(1226);
    sample s = sample_random(&rng, 50, 3, 2, 0);
    (void)state;

    for (int64_t i = 0; i < s.n; i++)
        s.x[i * 3 + 1] = i % 2 ? 300 : -500;
    pen_model *model = fit_sample("lpp", &s);
    CHECK(pen_model_tensor(model, "eigenvalues").values[0] >= 0
              && pen_model_tensor(model, "eigenvalues").values[0] < 1e-14,
          "the first value is %g", pen_model_tensor(model, "eigenvalues").values[0]);
    CHECK(fabs(pen_model_tensor(model, "projection").values[0])
              < 1e-10 * pen_model_tensor(model, "projection").values[3],
          "the column is not the first");
    pen_model_free(model);
    sample_free(&s);
}

static void degenerate_input(void **state)
{
    pen_rng rng = check_rng(1227);
    sample wide = sample_random(&rng, 10, 20, 2, 0), dependent = sample_random(&rng, 30, 3, 2, 0),
           copies = sample_new(60, 3), one = sample_new(1, 1);
    const pen_data data[] = { sample_data(&wide), sample_data(&dependent), sample_data(&copies),
                              sample_data(&one) };
    (void)state;

    for (int64_t i = 0; i < copies.n * copies.d; i++)
        copies.x[i] = i < 3 * 10 ? check_normal(&rng) : copies.x[i - 3 * 10];
    for (int64_t i = 0; i < dependent.n; i++)
        dependent.x[i * 3 + 2] = dependent.x[i * 3] - 2 * dependent.x[i * 3 + 1];
    one.x[0] = 1;
    CHECK_FIT_FAILS("lpp", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    CHECK_FIT_FAILS("lpp origin=mean", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    pen_model_free(fit_data("lpp origin=mean ridge=0.01 dim=2", &data[0]));
    pen_model *without = fit_data("lpp", &data[1]);
    CHECK(pen_model_dim(without) == 2, "a dependent column is a dimension");
    pen_model_free(without);
    pen_model_free(fit_data("lpp ridge=0.01", &data[1]));
    CHECK_FIT_FAILS("lpp neighbors=5", &data[2], PEN_SINGULAR_SCATTER,
                    "equal ones or more; set neighbors higher");
    CHECK_FIT_FAILS("lpp neighbors=5 graph=mutual", &data[2], PEN_SINGULAR_SCATTER,
                    "each has 5 equal ones or more");
    CHECK_FIT_FAILS("lpp", &data[3], PEN_SINGULAR_SCATTER, "all rows are equal");
    sample_free(&wide);
    sample_free(&dependent);
    sample_free(&copies);
    sample_free(&one);
}

static void rejected_input(void **state)
{
    sample a = sample_golden('A');
    pen_spec *spec = spec_of("lpp");
    pen_error err;
    (void)state;

    check_extreme_values("lpp");
    check_extreme_values("lpp graph=mutual origin=mean");
    CHECK_STATUS(pen_spec_set(spec, "column_scaling", "weighted", &err), PEN_UNKNOWN_NAME,
                 "plain, orthonormal", &err);
    CHECK_STATUS(pen_spec_set_number(spec, "ridge", -1, &err), PEN_BAD_ARGUMENT, "ridge", &err);
    CHECK_STATUS(pen_spec_set_number(spec, "neighbors", 0, &err), PEN_BAD_ARGUMENT, "neighbors",
                 &err);
    const double kept = a.x[5];
    const pen_data data = sample_data(&a);
    a.x[5] = NAN;
    CHECK_FIT_FAILS("lpp", &data, PEN_NOT_FINITE, "row 2, column 1");
    a.x[5] = kept;
    CHECK_FIT_FAILS("lpp dim=3", &data, PEN_RANK_TOO_SMALL, "2");
    pen_spec_free(spec);
    sample_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(subspaces_of_ilpp),
        cmocka_unit_test(invariances),
        cmocka_unit_test(equal_among_neighbors),
        cmocka_unit_test(degenerate_input),
        cmocka_unit_test(rejected_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
