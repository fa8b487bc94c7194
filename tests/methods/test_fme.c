/* test_fme.c - flexible manifold embedding against printed numbers, the oracle and ridge
 * regression: Nie, Xu, Tsang, Zhang: IEEE Transactions on Image Processing 19 (2010). */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double w[] = { 0.001218966416, -0.001218966416, 0.3750778698,
                                -0.3750778698,  -0.2303868939,   0.2303868939 };
    static const double b[] = { 0.7508388298, 0.2491611702 }, F[] = { 0.3372135299, 0.6627864701 },
                        value[] = { 1.70841739 };
    static const char text[] = "fme mu=0.5 gamma=2 label_weight=10 unlabelled_weight=0 neighbors=3 "
                               "prior=none";
    sample s = sample_labels();
    const pen_data data = sample_data(&s);
    pen_model *model = fit_data(text, &data);
    int64_t count;
    double *list = info_list(model, "objective", &count), origin[2];
    CHECK(pen_model_dim(model) == 2 && count == 1, "%lld dimensions, %lld objectives",
          (long long)pen_model_dim(model), (long long)count);
    for (int k = 0; k < 2; k++) {
        origin[k] = model_bias(model)[k];
        for (int l = 0; l < 3; l++)
            origin[k] -= model_mean(model)[l] * model_columns(model)[l * 2 + k];
    }
    CHECK_ENTRIES(model_columns(model), w, 1e-9);
    CHECK_ENTRIES(origin, b, 1e-9);
    CHECK_ENTRIES(model_shares(model) + 18, F, 1e-9);
    CHECK_ENTRIES(list, value, 1e-8);
    check_like(text, &data, NULL, 1e-9);
}

TEST(matches_the_oracle)
{
    /* mu 0: graph scores first, then regression; heat 1e-9: the graph is empty */
    check_shapes(4301, 1, 1, 1e-7,
                 "fme: mu=0.1 gamma=30 neighbors=3; graph=binary unlabelled_weight=0.5; "
                 "graph=binary neighbors=12 mu=1000 label_weight=1; "
                 "heat=4 gamma=0.01 label_weight=1000; mu=0 unlabelled_weight=0.1; "
                 "label_weight=1e6; prior=none; prior=uniform neighbors=3; heat=1e-9; pca=3; "
                 "pca=rank mu=1e-3; scale=standard; graph=adaptive; scale=minmax gamma=100; "
                 "mu=0.3 gamma=4 unlabelled_weight=0.2 heat=6 prior=none; "
                 "mu=2 label_weight=50 neighbors=4 prior=none; "
                 "heat=1e-9 label_weight=6 unlabelled_weight=1 mu=1.4 gamma=2");
}

/* Solves for a few classes at a time. */
TEST(many_classes)
{
    pen_rng rng = check_rng(4309);
    sample s = sample_random(&rng, 160, 5, 70, 140);
    const pen_data data = sample_data(&s);
    check_like("fme", &data, NULL, 1e-7);
    check_like("fme mu=0 unlabelled_weight=0.1", &data, NULL, 1e-7);
}

/* With an empty graph (narrow kernel) and fixed labels: ridge regression on the labelled rows with
 * the penalty 1 / gamma. */
TEST(ridge_regression_is_its_limit)
{
    pen_rng rng = check_rng(4304);
    sample s = sample_random(&rng, 40, 4, 3, 18);
    pen_model *model = fit_sample("fme heat=1e-9 label_weight=1e9 gamma=0.25 mu=3", &s);
    check_ridge_regression(model, &s, 4, 1e-6);
}

/* Well-separated classes are predicted without errors. */
TEST(predicts_separated_classes)
{
    pen_rng rng = check_rng(4308);
    sample s = sample_new(60, 3);
    int32_t *classes = check_allocate(60, sizeof *classes);
    pen_error err;
    for (int i = 0; i < 60; i++) {
        for (int l = 0; l < 3; l++)
            s.x[i * 3 + l] = (l == i % 3 ? 20 : 0) + check_normal(&rng);
        s.y[i] = i < 6 ? i % 3 : PEN_UNLABELLED;
    }
    const pen_data data = sample_data(&s);
    pen_model *model = fit_data("fme", &data);
    CHECK_OK(pen_predict(model, &data.x, NULL, classes, NULL, NULL, &err), &err);
    for (int i = 0; i < 60; i++)
        CHECK(classes[i] == i % 3, "row %d is of class %d", i, (int)classes[i]);
}

TEST(errors)
{
    pen_rng rng = check_rng(4309);
    sample s = sample_random(&rng, 30, 5, 3, 12);
    const pen_data data = sample_data(&s);
    fit_data("fme dim=3", &data);
    CHECK_FIT_FAILS("fme dim=2", &data, PEN_BAD_ARGUMENT, "dim");
    CHECK_FIT_FAILS("fme dim=4", &data, PEN_RANK_TOO_SMALL, "dim must be at most 3,");
}
