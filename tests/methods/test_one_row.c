/* test_one_row.c - one row of fill values among 240: the classes of the others hardly change, by
 * any scores and any classifier. */
#include "kit/check_fit.h"

enum { N = 240, D = 6, CLASSES = 3, LABELLED = 15, FAR = 100 };

/* Fractions of the hidden rows, but for the far one, whose classes are right: by the fit (-1: it
 * has none), and by the model. */
static void measure(const char *text, const sample *s, const int32_t *truth, double right[2])
{
    const pen_array x = pen_dense(s->x, PEN_F64, N, D, D);
    pen_model *model = fit_sample(text, s);
    const double *shares = pen_model_tensor(model, "probabilities").values;
    int32_t classes[N];
    double hidden = 0;
    pen_error err;

    CHECK_OK(pen_predict(model, &x, NULL, classes, NULL, NULL, &err), &err);
    right[0] = shares ? 0 : -1;
    right[1] = 0;
    for (int i = 0; i < N; i++) {
        int largest = 0;
        if (s->y[i] != PEN_UNLABELLED || i == FAR)
            continue;
        for (int c = 1; shares && c < CLASSES; c++)
            largest = shares[i * CLASSES + c] > shares[i * CLASSES + largest] ? c : largest;
        hidden++;
        right[0] += shares && largest == truth[i];
        right[1] += classes[i] == truth[i];
    }
    right[0] /= shares ? hidden : 1;
    right[1] /= hidden;
    pen_model_free(model);
}

/* A column that varies by the far row alone: scale auto has the units of the others. */
static void units_of_the_others(void **state)
{
    pen_rng rng = check_rng(3302);
    sample s = sample_random(&rng, N, D, CLASSES, N);
    double second[2];
    (void)state;

    for (int far = 0; far < 2; far++) {
        for (int i = 0; i < N; i++)
            s.x[i * D + D - 1] = 3;
        for (int j = 0; far && j < D; j++)
            s.x[FAR * D + j] = -9999;
        pen_model *model = fit_sample("pca scale=auto", &s);
        second[far] = pen_model_tensor(model, "eigenvalues").values[1];
        pen_model_free(model);
    }
    CHECK(second[1] > second[0] / 3 && second[1] < second[0] * 3, "eigenvalue %g, %g without",
          second[1], second[0]);
    sample_free(&s);
}

static void fill_values(void **state)
{
    static const char *const texts[] = {
        "fme",
        "fme prior=uniform mu=1",
        "soge",
        "asl",
        "pca classifier=nearest",
        "pca classifier=neighbors",
        "pca classifier=means",
        "pca classifier=lda",
        "pca classifier=self-training",
        "pca classifier=logistic",
        "pca classifier=logistic scale=auto",
        "fda classifier=logistic ridge=0.1",
    };
    pen_rng rng = check_rng(3301);
    sample s = sample_random(&rng, N, D, CLASSES, N);
    int32_t truth[N], left[CLASSES] = { 0 };
    (void)state;

    for (int i = 0; i < N; i++) {
        truth[i] = s.y[i];
        s.y[i] = i != FAR && left[truth[i]]++ < LABELLED / CLASSES ? truth[i] : PEN_UNLABELLED;
    }
    sample far = sample_of(N, D, s.x, s.y);
    for (int j = 0; j < D; j++)
        far.x[FAR * D + j] = -9999;
    for (size_t t = 0; t < COUNT_OF(texts); t++) {
        double without[2], with[2];
        measure(texts[t], &s, truth, without);
        measure(texts[t], &far, truth, with);
        for (int i = 0; i < 2; i++)
            CHECK(with[i] >= without[i] - 0.03,
                  "%s, %s: %.3f of the classes are right, %.3f without", texts[t],
                  i ? "model" : "fit", with[i], without[i]);
    }
    sample_free(&s);
    sample_free(&far);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(fill_values),
                                        cmocka_unit_test(units_of_the_others) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
