/* test_soda.c - discriminant analysis of propagated labels against printed numbers, the oracle and
 * the definition: Nie, Xiang, Jia, Zhang: Pattern Recognition 42 (2009). */
#include "kit/oracle_fit.h"

TEST(golden)
{
    static const double w[] = { 0.04431930128, -0.5455881474, 0.8470777227,
                                0.4646220515,  -0.5296179106, 0.6974667897 };
    static const double F[] = { 0.2772527458, 0.5309727339 }, ratio[] = { 1.453602501 };
    sample s = sample_labels();
    const pen_data data = sample_data(&s);
    static const char text[] = "soda alpha=0.9 ridge=0.01 neighbors=3 dim=2 prior=none";
    pen_model *model = fit_data(text, &data);
    label_oracle *o = label_oracle_fit(text, &data);
    const double found = info_number(model, "ratio");
    CHECK(pen_model_dim(model) == 2, "%lld dimensions", (long long)pen_model_dim(model));
    CHECK_ENTRIES(model_columns(model), w, 1e-9);
    CHECK_ENTRIES(model_shares(model) + 18, F, 1e-9);
    CHECK_ENTRIES(&found, ratio, 1e-9);
    CHECK_ENTRIES(&o->ratio, ratio, 1e-9);
    CHECK_CLOSE(o->last[9], 0.1917745203, 1e-9, 0);
    CHECK_CLOSE(model_shares(model)[18] + model_shares(model)[19], 1 - 0.1917745203, 1e-9, 0);
    check_like(text, &data, NULL, 1e-9);
}

TEST(matches_the_oracle)
{
    check_shapes(4101, 1, 1, 1e-8,
                 "soda: dim=1; dim=2 ridge=1; alpha=0.5 neighbors=3; graph=binary dim=3; "
                 "graph=binary neighbors=12 alpha=0.999 allow_fewer=true dim=4; "
                 "heat=4 alpha=0.9 ridge=0.1; alpha=0; pca=3 dim=2; pca=rank ridge=0.01; "
                 "scale=standard; scale=minmax dim=2 alpha=0.7; dim=40; prior=uniform alpha=0.9; "
                 "prior=none; alpha=0.8 neighbors=4 prior=none dim=4 allow_fewer=true; "
                 "graph=binary ridge=0.02 prior=none dim=2");
    /* more rows than a block, and more columns than rows: the ridge is computed from the rows */
    pen_rng rng = check_rng(4790);
    sample wide = sample_random(&rng, 67, 72, 3, 20);
    const pen_data data = sample_data(&wide);
    check_like("soda ridge=1 dim=2", &data, NULL, 1e-8);
}

/* With all rows labelled, or alpha 0: the trace ratio of the scatters of the labelled rows. */
TEST(trace_ratio_is_its_limit)
{
    enum { D = 5 };
    static const char *const texts[] = { "soda dim=3", "soda alpha=0 dim=3",
                                         "soda alpha=0 neighbors=1000 dim=3" };
    pen_rng rng = check_rng(4104);
    for (int form = 0; form < 3; form++) {
        sample s = sample_random(&rng, 60, D, 4, form == 0 ? 60 : 24);
        pen_model *model = fit_sample(texts[form], &s);
        double A[D * D], B[D * D], values[D], v[D * D] = { 0 }, most = 0;
        oracle_fisher(60, D, s.x, s.y, A, B);
        for (int i = 0; i < D; i++)
            most = fmax(most, B[i * D + i]);
        for (int i = 0; i < D; i++)
            B[i * D + i] += 1e-3 * most;
        CHECK_CLOSE(info_number(model, "ratio"), dense_trace_ratio(D, 3, A, B, values, v), 1e-10,
                    0);
        CHECK(check_subspaces(D, 3, model_columns(model), 3, v, D) < 1e-8,
              "%s: the subspace differs", texts[form]);
    }
}

TEST(errors)
{
    pen_rng rng = check_rng(4109);
    sample s = sample_random(&rng, 30, 4, 3, 12);
    const pen_data data = sample_data(&s);
    check_rank("soda", &s, 4);
    CHECK_FIT_FAILS("soda heat=1e-9", &data, PEN_BAD_DATA, "heat"); /* every weight underflows */
}
