/* test_soda.c - discriminant analysis of propagated labels, compared with printed numbers, the
 * oracle and the definition: Nie, Xiang, Jia, Zhang: Pattern Recognition 42 (2009). */
#include "kit/oracle_fit.h"

#include <stdio.h>

static void golden(void **state)
{
    static const double w[] = { 0.04431930128, -0.5455881474, 0.8470777227,
                                0.4646220515,  -0.5296179106, 0.6974667897 };
    static const double F[] = { 0.2772527458, 0.5309727339 }, ratio[] = { 1.453602501 };
    sample s = keep(sample_labels());
    const pen_data data = sample_data(&s);
    static const char text[] = "soda alpha=0.9 ridge=0.01 neighbors=3 dim=2 prior=none";
    pen_model *model = keep(fit_data(text, &data));
    label_oracle *o = keep(label_oracle_fit(text, &data));
    const double found = info_number(model, "ratio");
    (void)state;

    CHECK(pen_model_dim(model) == 2, "%lld dimensions", (long long)pen_model_dim(model));
    CHECK_ENTRIES(model_columns(model), w, 1e-9);
    CHECK_ENTRIES(model_shares(model) + 18, F, 1e-9);
    CHECK_ENTRIES(&found, ratio, 1e-9);
    CHECK_ENTRIES(&o->ratio, ratio, 1e-9);
    CHECK_CLOSE(o->last[9], 0.1917745203, 1e-9, 0);
    CHECK_CLOSE(model_shares(model)[18] + model_shares(model)[19], 1 - 0.1917745203, 1e-9, 0);
    check_like(text, &data, NULL, 1e-9);
}

/* The trace ratio itself: S_b over S_t + 0.1 I of the labelled rows. */
static void golden_trace_ratio(void **state)
{
    static const double w[] = { -0.1226574639, -0.5542118631, 0.9117320762,
                                0.2647722811,  -0.3920456196, 0.789141844 };
    sample s = keep(sample_labels());
    double A[9], B[9], within[9], values[3], v[9] = { 0 };
    (void)state;
    oracle_fisher(10, 3, s.x, s.y, A, within);
    for (int i = 0; i < 9; i++)
        B[i] = A[i] + within[i] + (i % 4 == 0 ? 0.1 : 0);
    CHECK_CLOSE(dense_trace_ratio(3, 2, A, B, values, v), 0.8135669516, 1e-9, 0);
    for (int i = 0; i < 6; i++) {
        const double sign = dense_sign(3, v, 3, w, 2, i % 2);
        CHECK_CLOSE(sign * v[i / 2 * 3 + i % 2], w[i], 0, 1e-9);
    }
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "soda",
        "soda dim=1",
        "soda dim=2 ridge=1",
        "soda alpha=0.5 neighbors=3",
        "soda graph=binary dim=3",
        "soda graph=binary neighbors=12 alpha=0.999 allow_fewer=true dim=4",
        "soda heat=4 alpha=0.9 ridge=0.1",
        "soda alpha=0",
        "soda pca=3 dim=2",
        "soda pca=rank ridge=0.01",
        "soda scale=standard",
        "soda scale=minmax dim=2 alpha=0.7",
        "soda dim=40",
        "soda prior=uniform alpha=0.9",
        "soda prior=none",
    };
    check_shapes(4101, texts, COUNT_OF(texts), 1, 1, 1e-8);
    /* more rows than a block, and more columns than rows: the ridge is computed from the rows */
    pen_rng rng = check_rng(4790);
    sample wide = keep(sample_random(&rng, 67, 72, 3, 20));
    const pen_data data = sample_data(&wide);
    check_like("soda ridge=1 dim=2", &data, NULL, 1e-8);
}

/* Scores are shares: none is negative, and 1 minus the sum of a row is the share outside all
 * classes; labelled rows keep their class. */
static void scores_are_shares(void **state)
{
    pen_rng rng = check_rng(4102);
    (void)state;
    for (int graph = 0; graph < 2; graph++) {
        sample s = keep(sample_random(&rng, 80, 5, 4, 20));
        pen_model *model = keep(fit_sample(
            graph ? "soda graph=binary prior=none" : "soda alpha=0.8 neighbors=4 prior=none", &s));
        const double *F = model_shares(model);
        int soft = 0;
        for (int64_t i = 0; i < 80; i++) {
            double sum = 0;
            for (int32_t k = 0; k < 4; k++) {
                CHECK(F[i * 4 + k] >= 0, "score %d of row %d is %g", (int)k, (int)i, F[i * 4 + k]);
                if (s.y[i] >= 0)
                    CHECK_CLOSE(F[i * 4 + k], s.y[i] == k, 0, 1e-15);
                sum += F[i * 4 + k];
            }
            CHECK(sum <= 1 + 1e-12 && sum >= 0, "the scores of row %d sum to %.17g", (int)i, sum);
            soft += sum > 1e-3 && sum < 1 - 1e-3;
        }
        CHECK(soft >= 30, "%d rows with an open rest", soft);
    }
}

/* S_b and S_w + ridge of the scores F [n x c], summed over rows and classes about weighted
 * means. */
static void soft_scatters(const sample *s, int64_t c, const double *F, double ridge, double *S_b,
                          double *S_w)
{
    const int64_t d = s->d;
    double *mean = check_allocate(d, sizeof *mean), *center = check_allocate(d, sizeof *center),
           all = 0, most = 0;

    memset(S_b, 0, (size_t)(d * d) * sizeof *S_b);
    memset(S_w, 0, (size_t)(d * d) * sizeof *S_w);
    for (int64_t i = 0; i < s->n * c; i++)
        all += F[i];
    for (int64_t i = 0; i < s->n * c; i++)
        for (int64_t p = 0; p < d; p++)
            mean[p] += F[i] * s->x[i / c * d + p] / all;
    for (int64_t k = 0; k < c; k++) {
        double size = 0;
        memset(center, 0, (size_t)d * sizeof *center);
        for (int64_t i = 0; i < s->n; i++)
            size += F[i * c + k];
        for (int64_t i = 0; i < s->n * d; i++)
            center[i % d] += F[i / d * c + k] * s->x[i] / size;
        for (int64_t p = 0; p < d * d; p++) {
            S_b[p] += size * (center[p / d] - mean[p / d]) * (center[p % d] - mean[p % d]);
            for (int64_t i = 0; i < s->n; i++)
                S_w[p] += F[i * c + k] * (s->x[i * d + p / d] - center[p / d])
                          * (s->x[i * d + p % d] - center[p % d]);
        }
    }
    for (int64_t p = 0; p < d; p++)
        most = fmax(most, S_w[p * d + p]);
    for (int64_t p = 0; p < d; p++)
        S_w[p * d + p] += ridge * most;
    free(mean), free(center);
}

static double ratio_of(int64_t d, int64_t k, const double *A, const double *B, const double *w)
{
    double *above = keep(dense_project(d, k, A, w)), *below = keep(dense_project(d, k, B, w));
    const double ratio = trace(k, above) / trace(k, below);
    return ratio;
}

/* The columns are orthonormal and attain the ratio; at it, the first eigenvalues of S_b - ratio S_w
 * sum to 0, so no columns attain more. */
static void ratio_is_largest(void **state)
{
    enum { D = 6 };
    pen_rng rng = check_rng(4103);
    (void)state;
    for (int64_t k = 1; k <= 5; k++) {
        sample s = keep(sample_random(&rng, 70, D, 3, 21));
        char text[64];
        snprintf(text, sizeof text, "soda ridge=0.02 dim=%lld prior=none", (long long)k);
        pen_model *model = keep(fit_sample(text, &s));
        const double *w = model_columns(model), *values = model_eigenvalues(model),
                     rho = info_number(model, "ratio");
        double A[D * D], B[D * D], difference[D * D], all[D], vectors[D * D], sum = 0, size = 0;
        soft_scatters(&s, 3, model_shares(model), 0.02, A, B);
        CHECK_CLOSE(ratio_of(D, k, A, B, w), rho, 1e-10, 0);
        for (int i = 0; i < D * D; i++)
            difference[i] = A[i] - rho * B[i];
        dense_eigen(D, difference, all, vectors);
        for (int i = 0; i < D; i++)
            size += fabs(all[i]);
        for (int64_t j = 0; j < k; j++) {
            sum += all[j];
            CHECK_CLOSE(values[j], all[j], 0, 1e-9 * size);
            for (int64_t l = 0; l <= j; l++) {
                double inner = 0;
                for (int64_t i = 0; i < D; i++)
                    inner += w[i * k + j] * w[i * k + l];
                CHECK_CLOSE(inner, j == l, 0, 1e-12);
            }
        }
        CHECK(fabs(sum) <= 1e-9 * size, "the eigenvalues sum to %g of %g", sum, size);
        for (int turn = 0; turn < 50; turn++) {
            double *q = keep(random_orthonormal(&rng, D, k));
            CHECK(ratio_of(D, k, A, B, q) < rho, "columns of chance reach %.17g of %.17g",
                  ratio_of(D, k, A, B, q), rho);
        }
    }
}

/* All rows labelled, or alpha 0: the trace ratio of the scatters of the labelled rows. */
static void trace_ratio_is_its_limit(void **state)
{
    enum { D = 5 };
    static const char *const texts[] = { "soda dim=3", "soda alpha=0 dim=3",
                                         "soda alpha=0 neighbors=1000 dim=3" };
    pen_rng rng = check_rng(4104);
    (void)state;
    for (int form = 0; form < 3; form++) {
        sample s = keep(sample_random(&rng, 60, D, 4, form == 0 ? 60 : 24));
        pen_model *model = keep(fit_sample(texts[form], &s));
        double A[D * D], B[D * D], values[D], v[D * D] = { 0 }, most = 0;
        oracle_fisher(60, D, s.x, s.y, A, B);
        for (int i = 0; i < D; i++)
            most = fmax(most, B[i * D + i]);
        for (int i = 0; i < D; i++)
            B[i * D + i] += 1e-3 * most;
        CHECK_CLOSE(info_number(model, "ratio"), dense_trace_ratio(D, 3, A, B, values, v), 1e-10,
                    0);
        CHECK(check_subspaces(D, 3, model_columns(model), 3, v, D) < 1e-8, "%s: another subspace",
              texts[form]);
    }
}

/* Fewer dimensions have a larger ratio. */
static void ratio_falls_with_dim(void **state)
{
    pen_rng rng = check_rng(4105);
    sample s = keep(sample_random(&rng, 60, 6, 3, 24));
    double last = INFINITY;
    (void)state;
    for (int k = 1; k <= 6; k++) {
        char text[32];
        snprintf(text, sizeof text, "soda dim=%d", k);
        pen_model *model = keep(fit_sample(text, &s));
        CHECK(info_number(model, "ratio") < last, "%s: ratio %g after %g", text,
              info_number(model, "ratio"), last);
        last = info_number(model, "ratio");
    }
    pen_model *usual = keep(fit_sample("soda", &s));
    CHECK(pen_model_dim(usual) == 6, "%lld dimensions, two a class are usual",
          (long long)pen_model_dim(usual));
}

static void errors(void **state)
{
    static const refused values[] = {
        { "alpha", "-0.1", "alpha must be in [0, 1), got -0.1" },
        { "alpha", "1", "alpha must be in [0, 1), got 1" },
        { "alpha", "inf", "alpha must be in [0, 1), got inf" },
        { "ridge", "-1", "ridge" },
        { "neighbors", "0", "neighbors" },
        { "heat", "0", "heat" },
        { "graph", "dense", "dense" },
    };
    pen_rng rng = check_rng(4109);
    sample s = keep(sample_random(&rng, 30, 4, 3, 12));
    const pen_data data = sample_data(&s);
    (void)state;

    check_rank("soda", &s, 4);
    CHECK_FIT_FAILS("soda heat=1e-9", &data, PEN_BAD_DATA, "heat"); /* every weight underflows */
    check_refused("soda heat=auto dim=auto", values, COUNT_OF(values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(golden_trace_ratio),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(scores_are_shares),
        cmocka_unit_test(ratio_is_largest),
        cmocka_unit_test(trace_ratio_is_its_limit),
        cmocka_unit_test(ratio_falls_with_dim),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
