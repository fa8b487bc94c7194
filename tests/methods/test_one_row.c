/* test_one_row.c - a row of fill values, copies of all rows, and rows far from all labels hardly
 * change the classes of the remaining rows, for all scores and classifiers. */
#include "kit/embedded.h"

enum { CLASSES = 3 };

static const char *const on_graphs[] = { "fme", "soge", "soda" };

static int32_t largest(int64_t c, const double *p)
{
    int64_t best = 0;
    for (int64_t k = 1; k < c; k++)
        best = p[k] > p[best] ? k : best;
    return (int32_t)best;
}

/* Fractions of unlabelled rows except row `without` that are classified correctly: by the fit (-1:
 * no classes), and by the model. */
static void measure(const pen_model *model, const sample *s, const int32_t *truth, int64_t without,
                    double right[2])
{
    const pen_array x = sample_data(s).x;
    const double *shares = model_values(model, "probabilities");
    int32_t *const classes = check_allocate(s->n, sizeof *classes);
    double hidden = 0;
    pen_error err;

    CHECK_OK(pen_predict(model, &x, NULL, classes, NULL, NULL, &err), &err);
    right[0] = right[1] = 0;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->y[i] != PEN_UNLABELLED || i == without)
            continue;
        hidden++;
        right[0] += shares && largest(CLASSES, shares + i * CLASSES) == truth[i];
        right[1] += classes[i] == truth[i];
    }
    right[0] = shares ? right[0] / hidden : -1;
    right[1] /= hidden;
}

enum { N = 240, D = 6, LABELLED = 15, FAR = 100 };

/* A column that varies only in the far row: scale auto uses the units of the other columns. */
TEST(scale_ignores_the_far_row)
{
    pen_rng rng = check_rng(3302);
    sample s = sample_random(&rng, N, D, CLASSES, N);
    double second[2];

    for (int far = 0; far < 2; far++) {
        for (int i = 0; i < N; i++)
            s.x[i * D + D - 1] = 3;
        for (int j = 0; far && j < D; j++)
            s.x[FAR * D + j] = -9999;
        pen_model *model = fit_sample("pca scale=auto", &s);
        second[far] = model_values(model, "eigenvalues")[1];
    }
    CHECK(second[1] > second[0] / 3 && second[1] < second[0] * 3, "eigenvalue %g, %g without",
          second[1], second[0]);
}

TEST(fill_values)
{
    const text_list texts = text_list_of(
        "fme; fme prior=uniform mu=1; soge; asl; pca classifier=nearest; pca classifier=neighbors; "
        "pca classifier=means; pca classifier=lda; pca classifier=self-training; "
        "pca classifier=logistic; pca classifier=logistic scale=auto; "
        "fda classifier=logistic ridge=0.1");
    pen_rng rng = check_rng(3301);
    sample s = sample_random(&rng, N, D, CLASSES, N), all = sample_of(N, D, s.x, s.y);
    int32_t left[CLASSES] = { 0 };

    for (int i = 0; i < N; i++)
        s.y[i] = i != FAR && left[s.y[i]]++ < LABELLED / CLASSES ? s.y[i] : PEN_UNLABELLED;
    sample far = sample_of(N, D, s.x, s.y);
    for (int j = 0; j < D; j++)
        far.x[FAR * D + j] = -9999;
    for (int64_t t = 0; t < texts.count; t++) {
        pen_model *const model = fit_sample(texts.text[t], &s), *const of_far =
                                                                    fit_sample(texts.text[t], &far);
        double without[2], with[2];
        measure(model, &s, all.y, FAR, without);
        measure(of_far, &far, all.y, FAR, with);
        for (int i = 0; i < 2; i++)
            CHECK(with[i] >= without[i] - 0.03 && (without[i] > 0.5 || without[i] < 0),
                  "%s, %s: %.3f of the classes are right, %.3f without", texts.text[t],
                  i ? "model" : "fit", with[i], without[i]);
    }
}

/* Copies of all rows without their labels: about as accurate as the rows alone. */
TEST(copies)
{
    enum { ROWS = 120, COLUMNS = 4, COPIES = 7 };
    pen_rng rng = check_rng(9301);
    sample one = sample_random(&rng, ROWS, COLUMNS, CLASSES, ROWS),
           more = sample_new(COPIES * ROWS, COLUMNS);
    int32_t truth[COPIES * ROWS];

    for (int64_t i = 0; i < more.n; i++) {
        truth[i] = one.y[i % ROWS];
        more.y[i] = i < 15 ? truth[i] : PEN_UNLABELLED;
        memcpy(more.x + i * COLUMNS, one.x + i % ROWS * COLUMNS, COLUMNS * sizeof *one.x);
    }
    memcpy(one.y, more.y, ROWS * sizeof *one.y);
    for (int64_t m = 0; m < COUNT_OF(on_graphs); m++) {
        pen_model *alone = fit_sample(on_graphs[m], &one), *model = fit_sample(on_graphs[m], &more);
        const double unreached = model_number(alone, "info.unreached");
        double right[2], of_more[2];
        CHECK(
            !(model_number(model, "info.unreached") > COPIES * (isnan(unreached) ? 0 : unreached)),
            "%s: %g rows unreached", on_graphs[m], model_number(model, "info.unreached"));
        measure(alone, &one, truth, -1, right);
        measure(model, &more, truth, -1, of_more);
        CHECK(right[0] > 0.5 && of_more[0] >= right[0] - 0.03,
              "%s: accuracy %g, of the rows alone %g", on_graphs[m], of_more[0], right[0]);
    }
}

/* Rows far from all labels are counted, and many of them cause a warning. Their probabilities are
 * the class fractions or those of the regression, and sum to 1. */
TEST(unreached)
{
    enum { ROWS = 60, MANY = 20 };
    pen_rng rng = check_rng(9302);
    sample s = sample_random(&rng, ROWS, 3, 2, ROWS);
    double prior[2] = { 0, 0 };

    for (int64_t i = 0; i < ROWS; i++) {
        s.y[i] = i >= MANY && i < MANY + 15 ? s.y[i] : PEN_UNLABELLED;
        s.x[i * 3] += i < MANY ? 40 : 0;
        for (int32_t k = 0; k < 2; k++)
            prior[k] += s.y[i] == k ? 1 / 15. : 0;
    }
    for (int64_t m = 0; m < COUNT_OF(on_graphs); m++) {
        pen_model *model = fit_sample(on_graphs[m], &s);
        const double *const p = model_values(model, "probabilities");
        CHECK_CLOSE(model_number(model, "info.unreached"), MANY, 0, 0);
        assert_non_null(model_text(model, "info.warning"));
        for (int64_t i = 0; i < 2 * MANY; i++)
            if (strcmp(on_graphs[m], "soda") == 0)
                CHECK_CLOSE(p[i], prior[i % 2], 1e-12, 0);
            else
                CHECK(p[i] >= 0 && fabs(p[i] + p[i ^ 1] - 1) <= 1e-12,
                      "%s: probabilities sum to %g and %g", on_graphs[m], p[i], p[i ^ 1]);
    }
}

/* A row that is near no landmark gets the class fractions, also after reading from a file. */
TEST(no_landmark_near)
{
    enum { COLUMNS = 8 };
    static const char *const methods[] = { "pca", "sda", "fme" }, *const classifiers[] = {
        "auto", "nearest", "means", "lda", "logistic"
    };
    static const int32_t labels[] = { 2, 1, 2, 2, 1, 2, -1, 0, 0 }; /* 2, 2 and 4 of them */
    pen_rng rng = check_rng(5400);
    sample s = sample_random(&rng, 40, COLUMNS, CLASSES, 0);
    double far[COLUMNS] = { 1e6 }, p[CLASSES];
    const pen_array row = pen_dense(far, PEN_F64, 1, COLUMNS, COLUMNS);
    int32_t class;
    pen_error err;

    memcpy(s.y, labels, sizeof labels);
    for (int t = 0; t < 15; t++) {
        char text[80];
        /* classifiers with a prior use that of the labels */
        const int weighs = classifiers[t % 5][0] != 'n' && strcmp(classifiers[t % 5], "means") != 0;
        snprintf(text, sizeof text, "%s kernel=rbf classifier=%s%s", methods[t / 5],
                 classifiers[t % 5], weighs ? " prior=labels" : "");
        pen_model *const model = fit_sample(text, &s), *const again = through_file(model);
        CHECK_OK(pen_predict(again, &row, NULL, &class, p, NULL, &err), &err);
        CHECK(class == 2 && fabs(p[0] - 0.25) + fabs(p[1] - 0.25) + fabs(p[2] - 0.5) < 1e-12,
              "%s: class %d, p %g %g %g", text, (int)class, p[0], p[1], p[2]);
    }
}
