/* test_self_ilpp.c - SELF' compared with printed numbers, the oracle, and its two limits. */
#include "kit/blend_fit.h"

static void golden(void **state)
{
    static const double lambda[] = { 25.56806427, 2.095957006 },
                        w[] = { 3.709756144, -0.3158411332, 0.8853482025, 1.090357483 };
    sample a = sample_golden('A');
    (void)state;

    check_golden("self-ilpp neighbors=2", &a, 2, lambda, w);
    check_golden("self_ilpp beta=0.5 neighbors=2", &a, 2, lambda, w);
    sample_free(&a);
}

static void matches_the_oracle(void **state)
{
    static const char *const texts[] = {
        "self-ilpp",
        "self-ilpp beta=0.1 neighbors=3 graph=mutual",
        "self-ilpp beta=0.9 origin=mean",
        "self-ilpp beta=0.3 ridge=0.1 origin=mean column_scaling=plain",
        "self-ilpp beta=0.01 scale=standard column_scaling=orthonormal",
        "self-ilpp beta=0.7 neighbors=1",
        "self-ilpp beta=1 neighbors=4",
        "self-ilpp beta=0 ridge=0.1",
        "self-ilpp row_steps=l2 graph=mutual dim=1",
    };
    (void)state;
    check_all_lpp_shapes(1241, texts, COUNT_OF(texts), 2);
}

static void limits(void **state)
{
    pen_rng rng = check_rng(1242);
    (void)state;

    for (int repeat = 0; repeat < check_repeats(5); repeat++) {
        sample s = sample_random(&rng, 50, 4, 3, 30), wide = sample_random(&rng, 15, 30, 3, 9);
        check_lpp_same("self-ilpp beta=0", "lfda scaling_rows=all", &s, &s, 1, 1);
        check_lpp_same("self-ilpp beta=0 origin=mean neighbors=3 column_scaling=plain",
                       "lfda scaling_rows=all neighbors=3 column_scaling=plain", &s, &s, 1, 1);
        check_lpp_same("self-ilpp beta=0 ridge=0.2", "lfda scaling_rows=all ridge=0.2", &wide,
                       &wide, 1, 1);
        check_lpp_same("self-ilpp beta=1", "ilpp", &s, &s, 1, 1);
        check_lpp_same("self-ilpp beta=1 graph=mutual neighbors=9 ridge=0.2",
                       "ilpp graph=mutual neighbors=9 ridge=0.2", &s, &s, 1, 1);
        check_lpp_same("self-ilpp beta=1 origin=mean ridge=0.1 column_scaling=orthonormal",
                       "ilpp origin=mean ridge=0.1 column_scaling=orthonormal", &wide, &wide, 1, 1);
        sample_free(&s);
        sample_free(&wide);
    }
}

static void invariances(void **state)
{
    pen_rng rng = check_rng(1243);
    sample s = sample_random(&rng, 60, 6, 3, 20), large = sample_random(&rng, 1500, 5, 3, 700);
    (void)state;

    check_nested("self-ilpp", &s);
    check_rank("self-ilpp beta=0.2", &s, 6);
    check_types("self-ilpp origin=mean", &s, 1e-10);
    check_invariances("self-ilpp origin=mean", 1244);
    check_invariances("self-ilpp origin=mean graph=mutual beta=0.2 column_scaling=orthonormal",
                      1245);
    check_lpp_invariances("self-ilpp", 1246);
    check_scaled("self-ilpp", 1247, 5, 0.2, 1);
    check_lpp_threads("self-ilpp beta=0.2", &large);
    check_lpp_threads("self-ilpp beta=0.2 graph=mutual", &large);
    sample_free(&s);
    sample_free(&large);
}

static void labels(void **state)
{
    pen_rng rng = check_rng(1248);
    sample s = sample_random(&rng, 40, 3, 1, 10), few = sample_random(&rng, 40, 6, 2, 4);
    const pen_data one_class = sample_data(&s), little = sample_data(&few);
    pen_data none = one_class;
    (void)state;

    none.labels = NULL;
    CHECK_FIT_FAILS("self-ilpp beta=0", &one_class, PEN_ONE_CLASS, "class");
    check_like_lpp_oracle("self-ilpp beta=0.5", &s, 1e-8);
    check_like_lpp_oracle("self-ilpp beta=0.001", &s, 1e-8);
    CHECK_FIT_FAILS("self-ilpp", &none, PEN_NO_LABELS, "label");
    CHECK_FIT_FAILS("self-ilpp beta=0", &none, PEN_NO_LABELS, "label");
    pen_model_free(fit_data("self-ilpp beta=1", &none));
    CHECK_FIT_FAILS("self-ilpp beta=0", &little, PEN_SINGULAR_SCATTER, "ridge");
    check_like_lpp_oracle("self-ilpp beta=0.01", &few, 1e-8);
    sample_free(&s);
    sample_free(&few);
}

static void degenerate_input(void **state)
{
    pen_rng rng = check_rng(1249);
    sample wide = sample_random(&rng, 10, 20, 2, 6), equal = sample_new(8, 2);
    const pen_data data[] = { sample_data(&wide), sample_data(&equal) };
    (void)state;

    for (int64_t i = 0; i < equal.n; i++)
        equal.y[i] = (int32_t)(i % 2);
    CHECK_FIT_FAILS("self-ilpp", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    /* the origin does not matter */
    CHECK_FIT_FAILS("self-ilpp beta=0", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    CHECK_FIT_FAILS("self-ilpp origin=mean", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    pen_model_free(fit_data("self-ilpp origin=mean ridge=0.1", &data[0]));
    pen_model_free(fit_data("self-ilpp ridge=0.1", &data[0]));
    pen_model_free(fit_data("self-ilpp origin=mean pca=rank", &data[0]));
    CHECK_FIT_FAILS("self-ilpp", &data[1], PEN_SINGULAR_SCATTER, NULL);
    CHECK_FIT_FAILS("self-ilpp beta=0", &data[1], PEN_SINGULAR_SCATTER, NULL);
    sample_free(&wide);
    sample_free(&equal);
}

static void rejected_input(void **state)
{
    sample a = sample_golden('A');
    pen_spec *spec = spec_of("self-ilpp");
    pen_error err;
    (void)state;

    check_refusals("self-ilpp", &a);
    check_extreme_values("self-ilpp");
    check_extreme_values("self-ilpp beta=0.1 graph=mutual origin=mean");
    CHECK_STATUS(pen_spec_set_number(spec, "beta", 1.3, &err), PEN_BAD_ARGUMENT, NULL, &err);
    CHECK_MESSAGE(&err, "beta must be in [0, 1], got 1.3");
    CHECK_STATUS(pen_spec_set(spec, "total", "scatter", &err), PEN_UNKNOWN_NAME, "total", &err);
    pen_spec_free(spec);
    sample_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),         cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(limits),         cmocka_unit_test(invariances),
        cmocka_unit_test(labels),         cmocka_unit_test(degenerate_input),
        cmocka_unit_test(rejected_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
