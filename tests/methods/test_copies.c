/* test_copies.c - graphs that carry labels where rows are equal, and rows that no label reaches. */
#include "kit/check_fit.h"

static const char *const methods[] = { "fme", "soge", "soda" };

/* The fraction of the unlabelled rows whose largest share is that of their class. */
static double accuracy(const pen_model *model, const sample *s, const int32_t *truth)
{
    const int64_t c = pen_model_class_count(model);
    const double *const p = pen_model_tensor(model, "probabilities").values;
    double right = 0, count = 0;

    for (int64_t i = 0; i < s->n; i++) {
        int64_t best = 0;
        for (int64_t k = 1; k < c; k++)
            best = p[i * c + k] > p[i * c + best] ? k : best;
        right += s->y[i] < 0 && best == truth[i];
        count += s->y[i] < 0;
    }
    return right / count;
}

static double number_of(const pen_model *model, const char *name)
{
    double number = 0;
    pen_model_value(model, name, &number, NULL);
    return number;
}

/* Copies of all rows without their labels: about as good as the rows alone. */
static void copies(void **state)
{
    enum { N = 120, D = 4, C = 3, COPIES = 7 };
    pen_rng rng = check_rng(9301);
    sample all = sample_random(&rng, N, D, C, N), one = sample_of(N, D, all.x, all.y),
           more = sample_new(COPIES * N, D);
    int32_t truth[COPIES * N];
    (void)state;

    for (int64_t i = 0; i < N; i++)
        one.y[i] = i < 15 ? all.y[i] : PEN_UNLABELLED;
    for (int64_t i = 0; i < COPIES * N; i++) {
        truth[i] = all.y[i % N];
        more.y[i] = i < 15 ? all.y[i] : PEN_UNLABELLED;
        for (int64_t j = 0; j < D; j++)
            more.x[i * D + j] = all.x[i % N * D + j];
    }
    for (int64_t m = 0; m < COUNT_OF(methods); m++) {
        pen_model *alone = fit_sample(methods[m], &one), *model = fit_sample(methods[m], &more);
        CHECK(number_of(model, "info.unreached") <= COPIES * number_of(alone, "info.unreached"),
              "%s: %g rows unreached", methods[m], number_of(model, "info.unreached"));
        CHECK(accuracy(model, &more, truth) >= accuracy(alone, &one, truth) - 0.03,
              "%s: accuracy %g, of the rows alone %g", methods[m], accuracy(model, &more, truth),
              accuracy(alone, &one, truth));
        pen_model_free(alone);
        pen_model_free(model);
    }
    sample_free(&all), sample_free(&one), sample_free(&more);
}

/* Rows far from all labels are counted, and told if they are many. They have the shares of the
 * classes, or those of the regression, whose scores are as those of any row of their values. */
static void unreached(void **state)
{
    enum { N = 60, FAR = 20, D = 3 };
    pen_rng rng = check_rng(9302);
    sample s = sample_random(&rng, N, D, 2, N);
    double prior[2] = { 0, 0 };
    (void)state;

    for (int64_t i = 0; i < N; i++) {
        s.y[i] = i >= FAR && i < FAR + 15 ? s.y[i] : PEN_UNLABELLED;
        s.x[i * D] += i < FAR ? 40 : 0;
        for (int32_t k = 0; k < 2; k++)
            prior[k] += s.y[i] == k ? 1 / 15. : 0;
    }
    for (int64_t m = 0; m < COUNT_OF(methods); m++) {
        pen_model *model = fit_sample(methods[m], &s);
        const double *const p = pen_model_tensor(model, "probabilities").values;
        CHECK(number_of(model, "info.unreached") == FAR, "%s: %g rows", methods[m],
              number_of(model, "info.unreached"));
        assert_non_null(model_text(model, "info.warning"));
        for (int64_t i = 0; i < 2 * FAR; i++)
            if (m == 2)
                CHECK_CLOSE(p[i], prior[i % 2], 1e-12, 0);
            else
                CHECK(p[i] >= 0 && p[i] <= 1, "%s: a share of %g", methods[m], p[i]);
        pen_model_free(model);
    }
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies),
        cmocka_unit_test(unreached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
