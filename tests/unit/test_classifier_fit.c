/* test_classifier_fit.c - models with classifiers predict what a literal classifier of their
 * embedding predicts; few labels, temperatures, files, and unused parameters. */
#include "kit/embedded.h"

#include "oracle/classifier_oracle.h"
#include "oracle/logistic_oracle.h"

enum { N = 60, D = 5, CLASSES = 3, TEXT = 300, USUAL_VOTES = 5 };

/* Overlapping classes 4, 7 and 9; two of three rows are unlabelled. */
static sample problem(uint64_t tag)
{
    static const int32_t names[] = { 4, 7, 9 };
    pen_rng rng = check_rng(tag);
    sample s = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++)
            s.x[i * D + j] = ldexp(floor(4096 * (1 + j) * check_normal(&rng)), -12);
        s.x[i * D + i % 3 % 2] += i % 3 == 2 ? -3 : 3;
        s.y[i] = i / 3 % 3 ? PEN_UNLABELLED : names[i % 3];
    }
    return s;
}

/* Classes and p of the rows. The class has the largest p; ties go to the first. */
static void predict(const pen_model *model, const pen_array *x, const pen_control *control,
                    int32_t *classes, double *p)
{
    pen_error err;

    CHECK_OK(pen_predict(model, x, control, classes, p, NULL, &err), &err);
    for (int64_t i = 0; i < x->rows; i++)
        for (int c = 0; c < CLASSES; c++) {
            const double best = p[i * CLASSES + classes[i]], other = p[i * CLASSES + c];
            CHECK(other < best || (other == best && c >= classes[i]),
                  "row %lld: class %d has p %.17g, class %d %.17g", (long long)i, (int)classes[i],
                  best, c, other);
        }
}

/* The fit predicts x like a literal classifier of its embedding. */
static void check_votes(const char *text, int kind, int64_t votes, const sample *s,
                        const pen_array *fitted, const pen_array *x)
{
    const pen_data data = { .x = *fitted, .labels = s->y };
    pen_classifier_params params = { .kind = (enum pen_classifier_kind)kind, .neighbors = votes };
    /* the oracle has no estimated priors */
    const int found = kind >= PEN_CLASSIFIER_LDA && !strstr(text, "prior=");
    double p[N * CLASSES], literal[N * CLASSES];
    int32_t classes[N], labels[N];
    char whole[TEXT], voted[32] = "";

    if (votes != USUAL_VOTES)
        snprintf(voted, sizeof voted, ":%lld", (long long)votes);
    snprintf(whole, sizeof whole, "%.200s classifier=%s%s%s", text, pen_classifier_names[kind],
             voted, found ? " prior=labels" : "");
    fit_options o = options_read(whole);
    params.prior = (int)option(&o, "prior");
    pen_model *const model = fit_data(whole, &data);
    double *const z = embedded(model, fitted), *const to = embedded(model, x);
    const pen_embedded_rows e = {
        .z = z, .n = N, .k = pen_model_dim(model), .labels = labels, .classes = CLASSES
    };
    for (int i = 0; i < N; i++)
        labels[i] = s->y[i] < 0 ? -1 : s->y[i] / 3 - 1;
    if (kind == PEN_CLASSIFIER_LOGISTIC)
        logistic_oracle(&e, x->rows, to, literal);
    else
        classifier_oracle_read(&e, &params, x->rows, to, literal);
    predict(model, x, NULL, classes, p);
    for (int64_t i = 0; i < x->rows * CLASSES; i++)
        CHECK(fabs(p[i] - literal[i]) <= 1e-7, "%s: p %lld is %.12g, expected %.12g", whole,
              (long long)i, p[i], literal[i]);
    assert_string_equal(model_text(model, "classifier"), pen_classifier_names[kind]);
    assert_null(pen_model_tensor(model, "bias").values);
}

static void check_all(const char *text, const sample *s, const pen_array *fitted,
                      const pen_array *x)
{
    for (int kind = PEN_CLASSIFIER_NEAREST; kind <= PEN_CLASSIFIER_LOGISTIC; kind++)
        check_votes(text, kind, USUAL_VOTES, s, fitted, x);
}

TEST(literal)
{
    const text_list texts = text_list_of(
        "self beta=0.3; pca scale=standard dim=3; fda row_steps=l2 ridge=0.1; "
        "lpp pca=3 pca_scale=unit; sda kernel=rbf kernel_gamma=0.05 dim=2; "
        "lfda ridge=0.1 kernel=polynomial kernel_landmarks=20 scale=minmax dim=3; wbdr dim=3; fme; "
        "soda; self kernel=rbf kernel_landmarks=random:30 pca=0.9:6 ridge=0.1");
    sample s = problem(9401), fresh = problem(9402);
    const pen_array fitted = pen_dense(s.x, PEN_F64, N, D, D),
                    x = pen_dense(fresh.x, PEN_F64, N, D, D);
    for (int64_t t = 0; t < texts.count; t++) {
        check_all(texts.text[t], &s, &fitted, &fitted);
        check_all(texts.text[t], &s, &fitted, &x);
    }
}

TEST(parameters)
{
    static const char uniform[] = "self beta=0.3 prior=uniform";
    sample s = problem(9403);
    const pen_array x = pen_dense(s.x, PEN_F64, N, D, D);
    for (int64_t i = 0; i < N; i++) /* classes of 3, 6 and 7 labels */
        s.y[i] = s.y[i] == 4 && i > 20 ? PEN_UNLABELLED : s.y[i];
    for (int64_t votes = 1; votes <= 100; votes = votes == 3 ? 100 : votes + 2)
        check_votes("self beta=0.3", PEN_CLASSIFIER_NEIGHBORS, votes, &s, &x, &x);
    check_votes(uniform, PEN_CLASSIFIER_LDA, USUAL_VOTES, &s, &x, &x);
    check_votes(uniform, PEN_CLASSIFIER_SELF_TRAINING, USUAL_VOTES, &s, &x, &x);
}

/* Rows of other types, separated by garbage. */
TEST(types)
{
    sample s = problem(9404);
    sample_to_bytes(&s);
    for (int dtype = PEN_F32; dtype <= PEN_U8; dtype++) {
        pen_array x = recast(&s, (pen_dtype)dtype, 3);
        check_all("self beta=0.3 scale=standard dim=2", &s, &x, &x);
    }
}

/* One label per class, two, and one class with a single label. */
TEST(few_labels)
{
    static const char *const texts[] = { "pca scale=standard", "self beta=0.5", "fme" };
    for (int labels = 1; labels <= 3; labels++) {
        sample s = problem(9408);
        const pen_array x = pen_dense(s.x, PEN_F64, N, D, D);
        int64_t kept[CLASSES] = { 0 };
        for (int64_t i = 0; i < N; i++)
            if (s.y[i] >= 0 && kept[i % 3]++ >= (labels < 3 ? labels : i % 3 == 1 ? 1 : 5))
                s.y[i] = PEN_UNLABELLED;
        for (int64_t t = 0; t < COUNT_OF(texts); t++)
            check_all(texts[t], &s, &x, &x);
    }
}

TEST(usual_classifiers)
{
    static const struct {
        const char *text, *classifier;
    } cases[] = { { "self", "lda" },
                  { "pca", "lda" },
                  { "wbdr", "lda" },
                  { "fme", "scores" },
                  { "soda", "lda" },
                  { "fme classifier=scores", "scores" },
                  { "fme classifier=lda", "lda" },
                  { "pca classifier=none", "none" },
                  { "fme classifier=none", "none" } };
    sample s = problem(9405);
    const pen_array x = pen_dense(s.x, PEN_F64, N, D, D);
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        pen_model *const model = fit_sample(cases[i].text, &s);
        const char *const told = model_text(model, "classifier");
        pen_error err;
        CHECK(strcmp(told ? told : "none", cases[i].classifier) == 0, "%s: classifier %s",
              cases[i].text, told ? told : "none");
        assert_true((pen_model_tensor(model, "bias").values != NULL)
                    == (strcmp(cases[i].classifier, "scores") == 0));
        if (!told)
            CHECK_STATUS(pen_predict(model, &x, NULL, NULL, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                         "predicts no classes without a classifier", &err);
    }
}

TEST(without_classes)
{
    sample s = problem(9406);
    pen_data data = sample_data(&s);
    pen_error err;
    for (int one = 0; one < 2; one++) {
        for (int64_t i = 0; i < N; i++)
            s.y[i] = one && i % 3 == 0 ? 4 : PEN_UNLABELLED;
        pen_model *const model = fit_data("pca", &data);
        assert_null(model_text(model, "classifier"));
        CHECK_STATUS(pen_predict(model, &data.x, NULL, NULL, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                     "it was fitted without labels of at least two classes", &err);
        CHECK_FIT_FAILS("pca classifier=lda", &data, one ? PEN_ONE_CLASS : PEN_NO_LABELS,
                        one ? "classifier lda needs labelled rows of at least 2 classes, got 1"
                            : "classifier lda needs labelled rows, got none");
    }
}

TEST(refused)
{
    static const struct {
        const char *text, *phrase;
    } cases[] = {
        { "self classifier=scores",
          "classifier scores needs a method that scores classes, and self does not" },
        { "self classifier=nearest prior=uniform",
          "prior applies to the classifiers scores, lda, self-training and logistic, got "
          "classifier nearest" },
        { "fme classifier=lda prior=none",
          "prior none applies only to class scores, got fme with classifier lda" },
        { "self prior=none", "none applies only to class scores, got self with classifier auto" },
        { "self classifier=none temperature=2", "temperature is set, but classifier is none" },
    };
    sample s = problem(9407);
    const pen_data data = sample_data(&s);
    for (int64_t i = 0; i < COUNT_OF(cases); i++)
        CHECK_FIT_FAILS(cases[i].text, &data, PEN_BAD_ARGUMENT, cases[i].phrase);
}

/* q [N x CLASSES] is p^(1 / T), with rows normalized to sum 1. */
static void check_tempered(double temperature, const double *p, const double *q)
{
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int c = 0; c < CLASSES; c++)
            sum += pow(fmax(p[i * CLASSES + c], 1e-4), 1 / temperature);
        for (int c = 0; c < CLASSES; c++)
            CHECK_CLOSE(q[i * CLASSES + c],
                        pow(fmax(p[i * CLASSES + c], 1e-4), 1 / temperature) / sum, 1e-12, 0);
    }
}

TEST(temperatures)
{
    static const double values[] = { 0.5, 1, 2, 8, 1e6 };
    static const char *const texts[] = { "self beta=0.3 classifier=lda",
                                         "self beta=0.3 classifier=nearest", "fme" };
    sample s = problem(9409);
    const pen_array x = pen_dense(s.x, PEN_F64, N, D, D);
    double p[N * CLASSES], q[N * CLASSES];
    int32_t a[N], b[N];
    char text[TEXT];
    for (int64_t t = 0; t < COUNT_OF(texts); t++)
        for (int64_t i = 0; i < COUNT_OF(values); i++) {
            snprintf(text, sizeof text, "%s temperature=%g", texts[t], values[i]);
            pen_model *const plain = fit_sample(texts[t], &s), *const model = fit_sample(text, &s);
            const double *const from = pen_model_tensor(plain, "probabilities").values,
                                *const to = pen_model_tensor(model, "probabilities").values;
            predict(plain, &x, NULL, a, p);
            predict(model, &x, NULL, b, q);
            assert_memory_equal(a, b, sizeof a);
            check_tempered(values[i], p, q);
            assert_true((from == NULL) == (to == NULL));
            if (from)
                check_tempered(values[i], from, to);
        }
}

/* Fits and predictions have the same bits on any number of threads, after saving and loading, and
 * for a row alone; also without probabilities. */
TEST(same_bits)
{
    const text_list texts = text_list_of(
        "self beta=0.3 classifier=nearest; self beta=0.3 classifier=neighbors:4; "
        "pca scale=standard classifier=means; fda ridge=0.1 classifier=lda temperature=2; "
        "sda kernel=rbf kernel_landmarks=20 classifier=self-training; "
        "lpp row_steps=l2 classifier=logistic; fme classifier=scores temperature=4");
    static const pen_control controls[] = { { .threads = 1 }, { .threads = 3 } };
    sample s = problem(9411);
    const pen_data data = sample_data(&s);
    for (int64_t t = 0; t < texts.count; t++) {
        pen_spec *const spec = spec_of(texts.text[t]);
        pen_model *models[3];
        double p[3][N * CLASSES], alone[CLASSES];
        int32_t classes[3][N], one;
        size_t size;
        pen_error err;
        for (int m = 0; m < 2; m++)
            CHECK_OK(pen_fit(spec, &data, &controls[m], &models[m], &err), &err);
        unsigned char *const bytes = model_bytes(models[0], &size);
        CHECK_OK(pen_model_from_bytes(bytes, size, &models[2], &err), &err);
        assert_string_equal(model_text(models[2], "classifier"),
                            model_text(models[0], "classifier"));
        for (int m = 0; m < 3; m++) {
            check_same_model(models[0], models[m], texts.text[t]);
            predict(models[m], &data.x, &controls[m % 2], classes[m], p[m]);
            assert_memory_equal(p[0], p[m], sizeof p[0]);
            assert_memory_equal(classes[0], classes[m], sizeof classes[0]);
        }
        CHECK_OK(pen_predict(models[0], &data.x, &controls[1], classes[1], NULL, NULL, &err), &err);
        assert_memory_equal(classes[0], classes[1], sizeof classes[0]);
        for (int i = 0; i < N; i++) {
            const pen_array row = pen_dense(s.x + i * D, PEN_F64, 1, D, D);
            predict(models[0], &row, NULL, &one, alone);
            assert_int_equal(one, classes[0][i]);
            assert_memory_equal(alone, p[0] + i * CLASSES, sizeof alone);
        }
        for (int m = 0; m < 3; m++)
            pen_model_free(models[m]);
    }
}

/* A fit stopped at any report leaves no model; otherwise it gives one. */
TEST(cancelled)
{
    sample s = problem(9412);
    const pen_data data = sample_data(&s);
    for (int kind = PEN_CLASSIFIER_NEAREST; kind <= PEN_CLASSIFIER_LOGISTIC; kind++) {
        char text[TEXT];
        pen_model *model = NULL;
        pen_status status = PEN_CANCELLED;
        snprintf(text, sizeof text, "pca classifier=%s", pen_classifier_names[kind]);
        pen_spec *const spec = spec_of(text);
        int64_t at = 0;
        for (; status == PEN_CANCELLED; at++) {
            struct check_stop stop = { .at = at };
            const pen_control control = { .threads = 1, .progress = check_stop_at, .user = &stop };
            pen_error err;
            status = pen_fit(spec, &data, &control, &model, &err);
            CHECK(status == PEN_OK || status == PEN_CANCELLED, "%s: %s", text, err.message);
            assert_true((status == PEN_OK) == (model != NULL));
        }
        CHECK(at > 2, "%s: only %lld reports", text, (long long)at);
        pen_model_free(model);
    }
}
