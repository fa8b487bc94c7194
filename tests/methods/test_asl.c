/* test_asl.c - adaptive labels by ridge regression against printed numbers, the oracle and ridge
 * regression: Wang, Nie, Huang: ICDM 2014. */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double w[] = { 0.07751156714, -0.07751156714, 0.3658617595,
                                -0.3658617595, -0.3972595594,  0.3972595594 };
    static const double b[] = { 0.764297844, 0.235702156 }, p[] = { 0.00188453636, 0.9981154636 },
                        ends[] = { 1.025784199, 0.8837232934 };
    static const char text[] = "asl exponent=1.5 ridge=0.5 tol=0 prior=none";
    sample s = sample_labels();
    const pen_data data = sample_data(&s);
    pen_model *model = fit_data(text, &data);
    int64_t count;
    double *list = info_list(model, "objective", &count), origin[2];
    CHECK(pen_model_dim(model) == 2 && count >= 2, "%lld dimensions, %lld objectives",
          (long long)pen_model_dim(model), (long long)count);
    for (int k = 0; k < 2; k++) {
        origin[k] = model_bias(model)[k];
        for (int l = 0; l < 3; l++)
            origin[k] -= model_mean(model)[l] * model_columns(model)[l * 2 + k];
    }
    const double found[] = { list[0], list[count - 1] };
    CHECK_ENTRIES(model_columns(model), w, 1e-8);
    CHECK_ENTRIES(origin, b, 1e-8);
    CHECK_ENTRIES(model_shares(model) + 18, p, 1e-8);
    CHECK_ENTRIES(found, ends, 1e-9);
    check_like(text, &data, NULL, 1e-8);
}

TEST(matches_the_oracle)
{
    const text_list stopped = text_list_of(
        "asl tol=0 max_iter=6; asl exponent=1 tol=0 max_iter=4 ridge=0.1; "
        "asl exponent=2 ridge=5 tol=0 max_iter=9; asl exponent=1.2 ridge=20 tol=0 max_iter=5; "
        "asl pca=3 tol=0 max_iter=3; asl scale=standard tol=0 max_iter=8 exponent=1.8; "
        "asl tol=1e-14 max_iter=30; asl exponent=1.7 tol=1e-3");
    /* the columns before and after the last step give nearly the same scores only near
     * convergence */
    static const char *const finished[] = {
        "asl exponent=1.4 ridge=0.5 tol=0 max_iter=3000",
        "asl exponent=1.4 ridge=0.5 tol=0 max_iter=3000 prior=none", "asl exponent=1 ridge=3 tol=0",
        "asl exponent=1.7 ridge=2 tol=0 max_iter=3000 prior=uniform"
    };
    pen_rng rng = check_rng(4401);
    for (int which = 0; which < SHAPES; which++) {
        sample s = sample_shape(&rng, which);
        const pen_data data = sample_data(&s);
        for (int64_t i = 0; i < stopped.count; i++) {
            label_oracle *o = label_oracle_fit(stopped.text[i], &data);
            if (o->fit->status == PEN_OK) {
                pen_model *model = fit_data(stopped.text[i], &data);
                int64_t count;
                double *list = info_list(model, "objective", &count);
                /* with all rows labelled there is no second step */
                const int64_t steps = o->labelled < o->n ? o->iterations : 1;
                CHECK(count >= 1 && (count == steps || !strstr(stopped.text[i], "tol=1e-3")),
                      "%s: %lld iterations, expected %lld", stopped.text[i], (long long)count,
                      (long long)steps);
                for (int64_t k = 0; k < count && k < o->iterations; k++)
                    CHECK_CLOSE(list[k], o->history[k], 1e-9, 1e-12);
                for (int64_t k = 0; k < s.d * o->classes; k++)
                    CHECK_CLOSE(model_columns(model)[k], o->fit->W[k], 1e-7, 1e-8);
                for (int64_t k = 0; k < o->classes; k++)
                    CHECK_CLOSE(model_bias(model)[k], o->bias[k], 1e-7, 1e-8);
            } else {
                CHECK_FIT_FAILS(stopped.text[i], &data, o->fit->status, NULL);
            }
        }
        for (int64_t i = 0; i < COUNT_OF(finished); i++)
            check_like(finished[i], &data, NULL, 1e-5);
    }
}

/* With all rows labelled: ridge regression on the classes, with an unpenalized intercept. */
TEST(ridge_regression_is_its_limit)
{
    enum { N = 40, D = 4 };
    pen_rng rng = check_rng(4403);
    sample s = sample_random(&rng, N, D, 3, N);
    pen_model *model = fit_sample("asl ridge=3 prior=none", &s);
    check_ridge_regression(model, &s, 3, 1e-9);
    for (int i = 0; i < N * 3; i++)
        CHECK(model_shares(model)[i] == (s.y[i / 3] == i % 3), "share %d is %g", i,
              model_shares(model)[i]);
    CHECK(info_number(model, "iterations") <= 2, "%g iterations", info_number(model, "iterations"));
}

/* tol is relative to the objective, and a larger tol stops earlier; max_iter stops without an
 * error. */
TEST(stops)
{
    static const char *const texts[] = { "asl exponent=1.7 tol=1e-2", "asl exponent=1.7 tol=1e-5",
                                         "asl exponent=1.7 tol=1e-9 max_iter=100000" };
    static const double tolerances[] = { 1e-2, 1e-5, 1e-9 };
    pen_rng rng = check_rng(4405);
    sample s = sample_random(&rng, 80, 4, 3, 12);
    int64_t last = 0;
    for (int form = 0; form < 3; form++) {
        pen_model *model = fit_sample(texts[form], &s);
        int64_t count;
        double *list = info_list(model, "objective", &count);
        CHECK(info_number(model, "converged") == 1 && count >= 2 && count >= last, "%s: %s",
              texts[form], pen_model_info(model));
        for (int64_t i = 1; i < count; i++)
            CHECK((list[i - 1] - list[i] <= tolerances[form] * list[i]) == (i == count - 1),
                  "%s: step %lld of %lld", texts[form], (long long)i, (long long)count);
        last = count;
    }
    pen_model *cut = fit_sample("asl exponent=1.7 tol=0 max_iter=3", &s);
    CHECK(info_number(cut, "iterations") == 3 && info_number(cut, "converged") == 0, "%s",
          pen_model_info(cut));
}

TEST(errors)
{
    pen_rng rng = check_rng(4408);
    sample s = sample_random(&rng, 30, 5, 3, 12);
    const pen_data data = sample_data(&s);
    fit_data("asl dim=3", &data);
    CHECK_FIT_FAILS("asl dim=2", &data, PEN_BAD_ARGUMENT, "dim");
    CHECK_FIT_FAILS("asl dim=4", &data, PEN_RANK_TOO_SMALL, "dim must be at most 3,");
}
