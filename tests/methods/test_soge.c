/* test_soge.c - orthogonal graph embedding with flexible scores against printed numbers, the oracle
 * and the definition: Liu, Han, Nie: IEEE Transactions on Cybernetics 47 (2017).
 *
 * With unlabelled_weight 0 there are always two equally good solutions, W and W - 2/c W 1 1', and
 * the criterion does not define the initial direction. The oracle is therefore compared step by
 * step only if unlabelled rows have weight, and at convergence otherwise. */
#include "kit/oracle_fit.h"

#include <stdio.h>

/* Entries of W [3 x 2], b and the last row of F of the printed fit, or of the other, equally good
 * one. */
TEST(golden)
{
    static const double w[] = { 0.3111964564,  0.4733063365,  0.3185599781,
                                -0.8689397347, -0.8953637841, -0.1446542405 };
    static const double b[] = { 0.9633176082, 0.1055660392 }, F[] = { 0.256019999, 0.6473332424 };
    static const char text[] =
        "soge mu=0.5 label_weight=10 unlabelled_weight=0 neighbors=3 dim=2 tol=0 max_iter=100000 "
        "prior=none";
    sample s = sample_labels();
    const pen_data data = sample_data(&s);
    label_oracle *o = label_oracle_fit(text, &data);
    pen_model *model = fit_data(text, &data);
    const double *W = model_columns(model);
    double origin[2];
    assert_true(label_oracle_two(o));
    if (o->fit->W[0] < 0)
        label_oracle_turn(o, 0);
    CHECK_ENTRIES(o->fit->W, w, 1e-7);
    CHECK_ENTRIES(o->F + 18, F, 1e-7);
    for (int k = 0; k < 2; k++) {
        origin[k] = o->bias[k];
        for (int l = 0; l < 3; l++)
            origin[k] -= o->fit->mean[l] * o->fit->W[l * 2 + k];
    }
    CHECK_ENTRIES(origin, b, 1e-7);
    if (W[0] > 0) {
        CHECK_ENTRIES(W, w, 1e-7);
        CHECK_ENTRIES(model_shares(model) + 18, F, 1e-7);
    } else {
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(W[i], -w[i ^ 1], 0, 1e-7);
    }
    check_like(text, &data, NULL, 1e-7);
}

/* Step by step. */
TEST(matches_the_oracle)
{
    static const char *const texts[] = {
        "soge unlabelled_weight=0.5 tol=0 max_iter=1",
        "soge unlabelled_weight=0.5 tol=0 max_iter=2",
        "soge unlabelled_weight=0.5 tol=0 max_iter=2 prior=none",
        "soge unlabelled_weight=0.5 tol=0 max_iter=2 prior=uniform",
        "soge unlabelled_weight=3 mu=0.1 tol=0 max_iter=9 neighbors=3",
        "soge unlabelled_weight=1 mu=20 tol=0 max_iter=25 graph=binary",
        "soge unlabelled_weight=1 heat=4 label_weight=2 tol=0 max_iter=12",
        "soge unlabelled_weight=0.7 tol=0 max_iter=6 scale=standard graph=adaptive",
        "soge unlabelled_weight=0.7 tol=0 max_iter=6 pca=rank",
        "soge unlabelled_weight=1 label_weight=1e6 tol=0 max_iter=6",
        "soge unlabelled_weight=0.7 tol=0 max_iter=6 dim=40",
    };
    pen_rng rng = check_rng(4501);
    int compared = 0;
    for (int which = 0; which < SHAPES; which++) {
        sample s = sample_shape(&rng, which);
        const pen_data data = sample_data(&s);
        /* all rows labelled: two solutions again */
        for (int64_t i = 0; i < COUNT_OF(texts) && which != 2; i++) {
            label_oracle *o = label_oracle_fit(texts[i], &data);
            assert_true(o->fit->status != PEN_OK || !label_oracle_two(o));
            compared += o->fit->status == PEN_OK;
            check_like(texts[i], &data, NULL, 1e-6);
        }
    }
    CHECK(compared > 50, "%d fits compared", compared);
}

/* At convergence, if the steps reach it. Sometimes another start reaches another local optimum. */
TEST(matches_the_oracle_at_convergence)
{
    static const char *const texts[] = {
        "soge tol=0 max_iter=200000",
        "soge tol=0 max_iter=200000 mu=0.1 neighbors=3",
        "soge tol=0 max_iter=200000 mu=10 graph=binary dim=4 allow_fewer=true",
    };
    static const int shapes[] = { 0, 2, 5, 6, 8 };
    pen_rng rng = check_rng(4502);
    int same = 0;
    for (int which = 0; which < COUNT_OF(shapes); which++) {
        sample s = sample_shape(&rng, shapes[which]);
        const pen_data data = sample_data(&s);
        for (int64_t i = 0; i < COUNT_OF(texts); i++) {
            label_oracle *o = label_oracle_fit(texts[i], &data);
            pen_model *model = fit_data(texts[i], &data);
            int64_t count;
            double *list = info_list(model, "objective", &count);
            if (fabs(list[count - 1] - o->history[0]) <= 1e-7 * o->history[0]) {
                check_like(texts[i], &data, NULL, 1e-4);
                same++;
            }
        }
    }
    CHECK(same >= 11, "%d of 15 fits end like the oracle's", same);
}

static double form(int64_t n, int64_t m, const double *a, const double *b, int64_t j, int64_t k)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i * m + j] * b[i * m + k];
    return sum;
}

/* More columns than classes: the first block, its bias, scores, iterations and objectives equal a
 * fit without the further columns. */
TEST(blocks)
{
    enum { D = 7 };
    pen_rng rng = check_rng(4505);
    sample s = sample_random(&rng, 60, D, 3, 21);
    pen_model *first = fit_sample("soge unlabelled_weight=0.2", &s);
    CHECK(pen_model_dim(first) == 3, "%lld dimensions, expected one per class",
          (long long)pen_model_dim(first));
    for (int64_t m = 4; m <= 6; m++) {
        char text[64];
        snprintf(text, sizeof text, "soge unlabelled_weight=0.2 dim=%lld", (long long)m);
        pen_model *model = fit_sample(text, &s);
        CHECK(pen_model_dim(model) == m, "%lld dimensions", (long long)pen_model_dim(model));
        for (int64_t i = 0; i < D * 3; i++)
            CHECK_CLOSE(model_columns(model)[i / 3 * m + i % 3], model_columns(first)[i], 0, 1e-9);
        for (int64_t j = 0; j < m; j++)
            for (int64_t k = 0; k <= j; k++)
                CHECK_CLOSE(form(D, m, model_columns(model), model_columns(model), j, k), j == k, 0,
                            1e-10);
        for (int64_t k = 0; k < 3; k++)
            CHECK_CLOSE(model_bias(model)[k], model_bias(first)[k], 0, 1e-9);
        for (int64_t i = 0; i < 180; i++)
            CHECK_CLOSE(model_shares(model)[i], model_shares(first)[i], 0, 1e-9);
        CHECK_CLOSE(info_number(model, "iterations"), info_number(first, "iterations"), 0, 0);
        int64_t count, steps;
        double *list = info_list(model, "objective", &count),
               *right = info_list(first, "objective", &steps);
        assert_int_equal(count, steps);
        for (int64_t i = 0; i < count; i++)
            CHECK_CLOSE(list[i], right[i], 1e-9, 0);
    }
}

/* Rows far from the origin, exact at any offset, so that only the mean is rounded. */
TEST(shifted_rows)
{
    enum { N = 60, D = 6, C = 3 };
    static const char *const texts[] = { "soge", "soge dim=5 max_iter=40",
                                         "soge unlabelled_weight=0.3 mu=1" };
    pen_rng rng = check_rng(4509);
    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        sample s = sample_random(&rng, N, D, C, 18), far = sample_of(N, D, s.x, s.y);
        for (int64_t i = 0; i < N * D; i++) {
            s.x[i] = round(16 * s.x[i]) / 16;
            far.x[i] = s.x[i] + 1e8;
        }
        pen_model *one = fit_sample(texts[t], &s), *other = fit_sample(texts[t], &far);
        for (int64_t i = 0; i < D * pen_model_dim(one); i++)
            CHECK_CLOSE(model_columns(other)[i], model_columns(one)[i], 0, 1e-11);
        for (int64_t i = 0; i < N * C; i++)
            CHECK_CLOSE(model_shares(other)[i], model_shares(one)[i], 0, 1e-6);
    }
}

TEST(errors)
{
    pen_rng rng = check_rng(4508);
    sample s = sample_random(&rng, 30, 5, 3, 12), narrow = sample_random(&rng, 30, 2, 3, 12),
           flat = sample_random(&rng, 30, 4, 3, 12);
    const pen_data data = sample_data(&s), narrow_data = sample_data(&narrow);
    /* whole blocks with one column per class */
    check_rank("soge max_iter=50", &s, 3);
    CHECK_FIT_FAILS("soge dim=2", &data, PEN_BAD_ARGUMENT, "dim");
    CHECK_FIT_FAILS("soge", &narrow_data, PEN_RANK_TOO_SMALL, NULL);
    for (int64_t i = 0; i < 30; i++) {
        flat.x[i * 4 + 2] = flat.x[i * 4] - flat.x[i * 4 + 1];
        flat.x[i * 4 + 3] = 0.1;
    }
    const pen_data flat_data = sample_data(&flat);
    CHECK_FIT_FAILS("soge", &flat_data, PEN_RANK_TOO_SMALL, NULL);
}
