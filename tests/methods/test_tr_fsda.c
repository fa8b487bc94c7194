/* test_tr_fsda.c - trace ratio discriminant analysis with flexible scores against printed numbers
 * and the oracle: Huang, Xu, Nie: IEEE Transactions on Neural Networks and Learning Systems 23
 * (2012). */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double w[] = { 0.149887987,  -0.576730897,  0.9511495597,
                                0.3058440147, -0.2699038836, 0.7575228783 };
    static const double ratio[] = { 0.431663778 }, F[] = { 1.608492375, -0.1888452969 };
    static const char text[] = "tr-fsda alpha=0.5 ridge=0.2 neighbors=3 dim=2";
    sample s = sample_labels();
    const pen_data data = sample_data(&s);
    pen_model *model = fit_data(text, &data);
    label_oracle *o = label_oracle_fit(text, &data);
    const double found = info_number(model, "ratio");
    CHECK(pen_model_dim(model) == 2, "%lld dimensions", (long long)pen_model_dim(model));
    CHECK_ENTRIES(model_columns(model), w, 1e-9);
    CHECK_ENTRIES(&found, ratio, 1e-9);
    CHECK_ENTRIES(o->F, F, 1e-9);
    check_like(text, &data, NULL, 1e-9);
}

TEST(matches_the_oracle)
{
    const text_list texts = text_list_of(
        "tr-fsda: alpha=2 neighbors=3 dim=1; graph=heat dim=3 ridge=1; "
        "graph=heat heat=4 alpha=0.5 ridge=3; alpha=0 ridge=0.01; "
        "neighbors=12 ridge=0.5 dim=2 allow_fewer=true; scale=standard graph=heat; pca=3 dim=2; "
        "pca=rank scale=minmax ridge=0.01; dim=40");
    pen_rng rng = check_rng(4201);
    /* the last has too many rows for n x n matrices in every step */
    for (int which = 0; which < SHAPES - 1; which++) {
        sample s = sample_shape(&rng, which);
        const pen_data data = sample_data(&s);
        for (int64_t i = 0; i < texts.count; i++)
            check_like(texts.text[i], &data, NULL, 1e-8);
    }
}

/* Few labels and a large graph weight make the ratio small; the relative accuracy is the same. */
TEST(small_ratios)
{
    pen_rng rng = check_rng(4207);
    int small = 0;
    for (int repeat = 0; repeat < 12; repeat++) {
        sample s = sample_random(&rng, 20, 3, 3, 3);
        const pen_data data = sample_data(&s);
        for (int64_t i = 0; i < 60; i++)
            s.x[i] = 1e4 * check_normal(&rng);
        for (int i = 0; i < 20; i++)
            s.y[i] = i < 3 ? i : PEN_UNLABELLED;
        label_oracle *o = label_oracle_fit("tr-fsda alpha=1000 dim=1", &data);
        pen_model *model = fit_data("tr-fsda alpha=1000 dim=1", &data);
        const double ratio = info_number(model, "ratio");
        small += ratio < 1e-2;
        CHECK_CLOSE(ratio, o->ratio, 1e-8, 0);
    }
    CHECK(small >= 8, "%d ratios are small", small);
}

/* alpha 0: no graph, so neighbors do not matter. */
TEST(without_graph)
{
    pen_rng rng = check_rng(4204);
    sample s = sample_random(&rng, 40, 4, 3, 20);
    pen_model *one = fit_sample("tr-fsda alpha=0 neighbors=1000", &s),
              *other = fit_sample("tr_fsda alpha=0 graph=heat", &s);
    check_same_bits(one, other, "tr-fsda alpha=0");
    CHECK(pen_model_dim(one) == 2, "%lld dimensions, expected one less than classes",
          (long long)pen_model_dim(one));
}

TEST(errors)
{
    pen_rng rng = check_rng(4206);
    sample s = sample_random(&rng, 30, 4, 3, 12), equal = sample_random(&rng, 30, 4, 3, 12);
    pen_error err;
    check_rank("tr-fsda", &s, 4);
    for (int64_t i = 0; i < 120; i++) /* the classes coincide: all columns are equally good */
        equal.x[i] = equal.y[i / 4] >= 0 ? 1 : equal.x[i];
    const pen_data equal_data = sample_data(&equal);
    pen_model *model = NULL;
    const pen_status status = fit_status("tr-fsda alpha=0", &equal_data, &model, &err);
    CHECK(status == PEN_RANK_TOO_SMALL || status == PEN_SINGULAR_SCATTER || status == PEN_BAD_DATA,
          "%d %s", (int)status, status ? err.message : "arbitrary columns");
}
