/* test_stsd.c - discriminant analysis with tangent spaces, compared with printed numbers, the
 * oracle and the definition: Zhou, Sun: International Journal of Machine Learning and Cybernetics 6
 * (2015). */
#include "kit/oracle_fit.h"

#include <stdio.h>

static void golden(void **state)
{
    static const double w[] = { 0.001802669088, 0.2912793851, -0.08883455329 },
                        value[] = { 0.5013427749 };
    static const char text[] = "stsd alpha=0.3 gamma=1 beta=1e-4 neighbors=3 tangent_dim=1";
    sample s = keep(sample_labels());
    const pen_data data = sample_data(&s);
    (void)state;
    check_printed_fit(text, &data, 1, value, w, 1e-9);
    check_like(text, &data, NULL, 1e-9);
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "stsd",
        "stsd alpha=2 neighbors=4 dim=1",
        "stsd graph=heat gamma=3",
        "stsd graph=heat heat=4 alpha=0.5 beta=0.1",
        "stsd alpha=0",
        "stsd tangent_dim=1 gamma=0.2",
        "stsd tangent_dim=3 neighbors=9",
        "stsd tangent_dim=6 neighbors=3", /* all available dimensions */
        "stsd scale=standard graph=heat",
        "stsd pca=3",
        "stsd dim=40",
    };
    check_shapes(4601, texts, COUNT_OF(texts), 1, 2, 1e-7);
    pen_rng rng = check_rng(4602);
    sample s = keep(sample_random(&rng, 40, 1, 2, 12));
    const pen_data data = sample_data(&s);
    check_like("stsd tangent_dim=1", &data, NULL, 1e-8);
    check_like("stsd", &data, NULL, 1e-8); /* one column: one direction */
}

/* ---- the definition ---- */

/* With alpha 0 there are no tangents and no graph: S_b w = value (S_t + beta I) w over labelled
 * rows. */
static void without_graph(void **state)
{
    enum { D = 4 };
    pen_rng rng = check_rng(4603);
    sample s = keep(sample_random(&rng, 40, D, 3, 20));
    pen_model *model = keep(fit_sample("stsd alpha=0 neighbors=1000 beta=0.5", &s));
    double B[D * D], C[D * D], within[D * D];
    const double *w = model_columns(model), *values = model_eigenvalues(model);
    (void)state;
    oracle_fisher(40, D, s.x, s.y, B, within);
    CHECK(pen_model_dim(model) == 2, "%lld dimensions", (long long)pen_model_dim(model));
    for (int p = 0; p < D * D; p++)
        C[p] = B[p] + within[p] + (p % (D + 1) == 0 ? 0.5 : 0);
    for (int j = 0; j < 2; j++)
        for (int p = 0; p < D; p++) {
            double left = 0, right = 0;
            for (int q = 0; q < D; q++) {
                left += B[p * D + q] * w[q * 2 + j];
                right += C[p * D + q] * w[q * 2 + j];
            }
            CHECK_CLOSE(left, values[j] * right, 1e-8, 1e-8);
        }
}

/* S_b w = value Schur w, W' Schur W = I, with the oracle's Schur complement; 0 < value < 1. */
static void definition(void **state)
{
    enum { D = 5 };
    pen_rng rng = check_rng(4604);
    (void)state;
    for (int form = 0; form < 2; form++) {
        static const char *const texts[] = {
            "stsd alpha=0.7", "stsd alpha=3 gamma=0.5 graph=heat tangent_dim=3 neighbors=7"
        };
        sample s = keep(sample_random(&rng, 50, D, 4, 24));
        const pen_data data = sample_data(&s);
        pen_model *model = keep(fit_data(texts[form], &data));
        label_oracle *o = keep(label_oracle_fit(texts[form], &data));
        const double *w = model_columns(model), *values = model_eigenvalues(model);
        CHECK(pen_model_dim(model) == 3 && !o->arbitrary, "%lld dimensions",
              (long long)pen_model_dim(model));
        double *inner = keep(dense_project(D, 3, o->B, w)),
               *between = keep(dense_project(D, 3, o->A, w));
        for (int p = 0; p < 9; p++) {
            CHECK_CLOSE(inner[p], p % 4 == 0, 0, 1e-8);
            CHECK_CLOSE(between[p], p % 4 == 0 ? values[p / 4] : 0, 0, 1e-8);
        }
        for (int j = 0; j < 3; j++)
            CHECK(values[j] > 0 && values[j] < 1 && (j == 0 || values[j] <= values[j - 1]),
                  "value %d is %g", j, values[j]);
    }
}

/* With as many tangents as columns any basis of them is equivalent: equal local variances leave
 * nothing undefined. */
static void whole_space_as_tangents(void **state)
{
    pen_rng rng = check_rng(4605);
    sample s = keep(sample_random(&rng, 40, 3, 3, 18));
    const pen_data data = sample_data(&s);
    (void)state;
    check_like("stsd tangent_dim=3 neighbors=5", &data, NULL, 1e-8);
    pen_model *two = keep(fit_data("stsd tangent_dim=2", &data)),
              *three = keep(fit_data("stsd tangent_dim=3", &data));
    CHECK(fabs(model_eigenvalues(two)[0] - model_eigenvalues(three)[0]) > 1e-6,
          "tangent_dim makes no difference");
}

/* Mirrored columns flip the signs of the local directions: only the signs of the rows of W
 * change. */
static void signs_of_tangents(void **state)
{
    pen_rng rng = check_rng(4606);
    sample s = keep(sample_random(&rng, 40, 4, 3, 18)), mirrored = keep(sample_of(40, 4, s.x, s.y));
    (void)state;
    for (int i = 0; i < 160; i++)
        mirrored.x[i] *= i % 4 == 1 || i % 4 == 2 ? -1 : 1;
    pen_model *one = keep(fit_sample("stsd", &s)), *other = keep(fit_sample("stsd", &mirrored));
    for (int j = 0; j < 2; j++) {
        double along = 0;
        CHECK_CLOSE(model_eigenvalues(other)[j], model_eigenvalues(one)[j], 1e-10, 0);
        for (int l = 0; l < 4; l++)
            along += (l == 1 || l == 2 ? -1 : 1) * model_columns(one)[l * 2 + j]
                     * model_columns(other)[l * 2 + j];
        for (int l = 0; l < 4; l++)
            CHECK_CLOSE((along < 0 ? -1 : 1) * (l == 1 || l == 2 ? -1 : 1)
                            * model_columns(other)[l * 2 + j],
                        model_columns(one)[l * 2 + j], 0, 1e-9);
    }
}

/* All eigenvalues decrease as alpha or beta increases. */
static void values_fall(void **state)
{
    static const char *const forms[] = { "stsd beta=%.17g", "stsd alpha=%.17g",
                                         "stsd graph=heat alpha=%.17g gamma=4" };
    pen_rng rng = check_rng(4607);
    (void)state;
    for (int form = 0; form < 3; form++) {
        sample s = keep(sample_random(&rng, 50, 5, 3, 20));
        double last[2] = { 1, 1 };
        for (int power = -8; power <= 8; power++) {
            char text[96];
            snprintf(text, sizeof text, forms[form], ldexp(1, power));
            pen_model *model = keep(fit_sample(text, &s));
            CHECK(pen_model_dim(model) == 2, "%lld dimensions", (long long)pen_model_dim(model));
            for (int j = 0; j < 2; j++) {
                CHECK(model_eigenvalues(model)[j] < last[j], "%s: value %d is %.17g, and was %.17g",
                      text, j, model_eigenvalues(model)[j], last[j]);
                last[j] = model_eigenvalues(model)[j];
            }
        }
    }
}

/* The width of the heat kernel is reported. */
static void width(void **state)
{
    pen_rng rng = check_rng(4613);
    sample s = keep(sample_random(&rng, 40, 4, 3, 18));
    const pen_data data = sample_data(&s);
    label_oracle *o = keep(label_oracle_fit("stsd graph=heat", &data));
    pen_model *model = keep(fit_data("stsd graph=heat", &data)),
              *without = keep(fit_data("stsd", &data));
    (void)state;
    CHECK_CLOSE(info_number(model, "heat"), o->heat, 1e-12, 0);
    CHECK(isnan(info_number(without, "heat")), "a width without a kernel: %s",
          pen_model_info(without));
}

static void errors(void **state)
{
    static const refused values[] = {
        { "alpha", "-1", "alpha" },         { "gamma", "-1", "gamma" },
        { "beta", "-1", "beta" },           { "tangent_dim", "-1", "tangent_dim" },
        { "neighbors", "-1", "neighbors" }, { "tangent_dim", "0", "tangent_dim" },
        { "neighbors", "0", "neighbors" },  { "heat", "0", "heat" },
        { "graph", "dense", "dense" },
    };
    pen_rng rng = check_rng(4609);
    sample s = keep(sample_random(&rng, 30, 4, 3, 12)),
           flat = keep(sample_random(&rng, 30, 4, 3, 12));
    (void)state;

    for (int64_t i = 0; i < 30; i++)
        flat.x[i * 4 + 2] = flat.x[i * 4] - flat.x[i * 4 + 1];
    check_rank("stsd", &s, 2);
    check_rank("stsd beta=0 alpha=0", &flat, 2);
    check_refused("stsd graph=heat heat=auto dim=all", values, COUNT_OF(values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(without_graph),
        cmocka_unit_test(definition),
        cmocka_unit_test(whole_space_as_tangents),
        cmocka_unit_test(signs_of_tangents),
        cmocka_unit_test(values_fall),
        cmocka_unit_test(width),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
