/* test_ssda.c - discriminant analysis with path similarities, compared with printed numbers, the
 * oracle and the definition: Zhang, Yeung: CVPR 2008. */
#include "kit/oracle_fit.h"

#include <stdio.h>

static void golden(void **state)
{
    static const double w[] = { -0.1212682942, 0.2263922643, -0.09157807628 },
                        value[] = { 0.4061994974 };
    sample s = keep(sample_labels());
    const pen_data data = sample_data(&s);
    (void)state;
    check_printed_fit("ssda beta=1e-3 neighbors=3 dim=1", &data, 1, value, w, 1e-9);
    check_printed_fit("ssda neighbors=3 dim=1", &data, 1, value, w, 1e-9);
    check_like("ssda neighbors=3", &data, NULL, 1e-9);
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "ssda",
        "ssda neighbors=1 dim=1",
        "ssda neighbors=12 beta=0.1",
        "ssda beta=3 dim=2 allow_fewer=true",
        "ssda scale=standard",
        "ssda pca=3",
        "ssda pca=rank scale=minmax",
        "ssda dim=40",
    };
    check_shapes(4701, texts, COUNT_OF(texts), 1, 1, 1e-8);
}

/* ---- the definition ---- */

/* The best path from row `at` to row `to` among all that visit no row twice: the one with the
 * largest minimum step. */
static double best_path(int n, const double *s, int at, int to, int visited, double smallest)
{
    double best = 0;
    if (at == to)
        return smallest;
    for (int next = 0; next < n; next++)
        if (!(visited >> next & 1))
            best = fmax(best, best_path(n, s, next, to, visited | 1 << next,
                                        fmin(smallest, s[at * n + next])));
    return best;
}

/* Seven rows, all paths between them. The medians of an even and of an odd number of rows. */
static void every_path(void **state)
{
    enum { D = 3, K = 2 };
    pen_rng rng = check_rng(4702);
    (void)state;
    for (int n = 6; n <= 7; n++) {
        sample s = keep(sample_random(&rng, n, D, 2, 4));
        double *distances = keep(table_distances(n, D, s.x)), q[7], sorted[7], similarity[49],
               near = 0, all = 0, S_w[D * D] = { 0 }, S_t[D * D];
        int *nearest = keep(table_nearest(n, distances, K));
        for (int p = 0; p < n * n; p++) {
            near += nearest[p] ? distances[p] / (n * K) : 0;
            all += distances[p] / (n * (n - 1));
        }
        for (int i = 0; i < n; i++) {
            q[i] = 0;
            for (int j = 0; j < n; j++)
                q[i] += nearest[i * n + j] ? exp(-distances[i * n + j] / near) / K : 0;
            int place = i; /* insertion sort */
            for (; place > 0 && sorted[place - 1] > q[i]; place--)
                sorted[place] = sorted[place - 1];
            sorted[place] = q[i];
        }
        const double median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        for (int p = 0; p < n * n; p++)
            similarity[p] =
                fmin(1, q[p / n] / median) * fmin(1, q[p % n] / median) * exp(-distances[p] / all);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                const double weight = s.y[i] >= 0 && s.y[j] >= 0
                                          ? s.y[i] == s.y[j]
                                          : best_path(n, similarity, i, j, 1 << i, INFINITY);
                for (int p = 0; p < D * D; p++)
                    S_w[p] += weight * (s.x[i * D + p / D] - s.x[j * D + p / D])
                              * (s.x[i * D + p % D] - s.x[j * D + p % D]);
            }
        const double ridge = 0.01 * (S_w[0] + S_w[4] + S_w[8]) / D;
        for (int p = 0; p < D; p++)
            S_w[p * D + p] += ridge;
        oracle_total(n, D, s.x, S_t);
        pen_model *model = keep(fit_sample("ssda beta=0.01 neighbors=2", &s));
        const double *values = model_eigenvalues(model);
        CHECK(pen_model_dim(model) == D, "%lld dimensions", (long long)pen_model_dim(model));
        double *within = keep(dense_project(D, D, S_w, model_columns(model))),
               *total = keep(dense_project(D, D, S_t, model_columns(model)));
        for (int p = 0; p < D * D; p++) {
            CHECK_CLOSE(within[p], p % 4 == 0, 0, 1e-8);
            CHECK_CLOSE(total[p], p % 4 == 0 ? values[p / D] : 0, 0, 1e-8 * values[0]);
        }
    }
}

/* All rows labelled: there are no paths, so neighbors make no difference. */
static void without_paths(void **state)
{
    pen_rng rng = check_rng(4703);
    sample s = keep(sample_random(&rng, 40, 4, 3, 40));
    const pen_data data = sample_data(&s);
    pen_model *few = keep(fit_data("ssda neighbors=2", &data)),
              *many = keep(fit_data("ssda neighbors=20", &data));
    (void)state;
    for (int i = 0; i < 16; i++)
        CHECK_CLOSE(model_columns(few)[i], model_columns(many)[i], 1e-10, 1e-12);
    check_like("ssda", &data, NULL, 1e-9);
}

/* All eigenvalues decrease as beta increases. */
static void values_fall(void **state)
{
    pen_rng rng = check_rng(4704);
    sample s = keep(sample_random(&rng, 50, 4, 3, 20));
    double last[4] = { INFINITY, INFINITY, INFINITY, INFINITY };
    (void)state;
    for (int power = -12; power <= 12; power++) {
        char text[64];
        snprintf(text, sizeof text, "ssda beta=%.17g", ldexp(1, power));
        pen_model *model = keep(fit_sample(text, &s));
        for (int j = 0; j < 4; j++) {
            CHECK(model_eigenvalues(model)[j] < last[j], "%s: value %d is %.17g, and was %.17g",
                  text, j, model_eigenvalues(model)[j], last[j]);
            last[j] = model_eigenvalues(model)[j];
        }
    }
}

static void errors(void **state)
{
    static const refused values[] = {
        { "beta", "-0.5", "beta" },
        { "neighbors", "0", "neighbors" },
        { "graph", "heat", "graph" },
    };
    pen_rng rng = check_rng(4706);
    sample s = keep(sample_random(&rng, 30, 4, 3, 12)),
           flat = keep(sample_random(&rng, 30, 4, 3, 12));
    (void)state;

    check_rank("ssda", &s, 4);
    for (int64_t i = 0; i < 30; i++)
        flat.x[i * 4 + 2] = flat.x[i * 4] - flat.x[i * 4 + 1];
    check_rank("ssda", &flat, 3);
    check_rank("ssda beta=0", &flat, 3);
    check_refused("ssda dim=all", values, COUNT_OF(values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),      cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(every_path),  cmocka_unit_test(without_paths),
        cmocka_unit_test(values_fall), cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
