/* test_classifier_fit.c - models with classifiers: what they predict is what a literal classifier
 * reads from the embedding of the same model; few labels, temperatures, files, and parameters
 * without use. */
#include "kit/embedded.h"

#include "oracle/classifier_oracle.h"
#include "oracle/logistic_oracle.h"

#include <stdio.h>

enum { N = 60, D = 5, CLASSES = 3, TEXT = 300, USUAL_VOTES = 5 };

static const char *const classifiers[] = { "nearest", "neighbors",     "means",
                                           "lda",     "self-training", "logistic" };
enum { CLASSIFIERS = 6 };

/* Overlapping classes 4, 7 and 9; two rows of three are unlabelled. */
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

/* ---- predictions ---- */

/* Classes of the labels [n] by their order: 0 .. classes - 1, or -1. */
static int64_t number_labels(const sample *s, int32_t *classes)
{
    int64_t count = 0;

    for (int64_t i = 0; i < s->n; i++)
        classes[i] = -1;
    for (int32_t last = -1;; count++) {
        int32_t next = INT32_MAX;
        for (int64_t i = 0; i < s->n; i++)
            next = s->y[i] > last && s->y[i] < next ? s->y[i] : next;
        if (next == INT32_MAX)
            return count;
        for (int64_t i = 0; i < s->n; i++)
            classes[i] = s->y[i] == next ? (int32_t)count : classes[i];
        last = next;
    }
}

static int kind_of(const char *name)
{
    int kind = 0;
    while (strcmp(pen_classifier_names[kind], name) != 0)
        kind++;
    return kind;
}

/* p of the rows of the fit, and of others x, by a literal classifier of the embedding. */
static double *read_literally(const pen_model *model, const sample *s, const pen_array *fitted,
                              const pen_array *x, const pen_classifier_params *params)
{
    int32_t *const labels = check_allocate(s->n, sizeof *labels);
    double *const z = embedded(model, fitted), *const to = embedded(model, x);
    const pen_embedded_rows e = { .z = z,
                                  .n = s->n,
                                  .k = pen_model_dim(model),
                                  .labels = labels,
                                  .classes = number_labels(s, labels) };
    double *const p = check_allocate(x->rows * e.classes, sizeof *p);

    assert_int_equal(e.classes, pen_model_class_count(model));
    if (params->kind == PEN_CLASSIFIER_LOGISTIC)
        logistic_oracle(&e, x->rows, to, p);
    else
        classifier_oracle_read(&e, params, x->rows, to, p);
    free(labels), free(z), free(to);
    return p;
}

/* The class is that of the largest p, of equal ones the first. */
static void check_classes(int64_t n, int64_t c, const double *p, const int32_t *classes)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < c; k++) {
            const double best = p[i * c + classes[i]];
            CHECK(p[i * c + k] < best || (p[i * c + k] == best && k >= classes[i]),
                  "row %lld: class %d has p %.17g, class %d %.17g", (long long)i, (int)classes[i],
                  best, (int)k, p[i * c + k]);
        }
}

/* The fit of these rows predicts x as the literal classifier does. */
static void check_votes(const char *text, const char *classifier, int64_t votes, const sample *s,
                        const pen_array *fitted, const pen_array *x)
{
    const pen_data data = { .x = *fitted, .labels = s->y };
    pen_classifier_params params = { .kind = (enum pen_classifier_kind)kind_of(classifier),
                                     .neighbors = votes };
    char whole[TEXT], voted[32] = "";
    pen_error err;

    /* the oracle knows no shares that are found */
    const int found = params.kind >= PEN_CLASSIFIER_LDA && !strstr(text, "prior=");
    if (votes != USUAL_VOTES)
        snprintf(voted, sizeof voted, ":%lld", (long long)votes);
    snprintf(whole, sizeof whole, "%.200s classifier=%s%s%s", text, classifier, voted,
             found ? " prior=labels" : "");
    fit_options o = options_read(whole);
    params.prior = (int)option(&o, "prior");
    options_free(&o);
    pen_model *const model = fit_data(whole, &data);
    const int64_t c = pen_model_class_count(model);
    assert_string_equal(model_text(model, "classifier"), classifier);
    assert_null(pen_model_tensor(model, "bias").values);
    double *const literal_p = read_literally(model, s, fitted, x, &params), *const p =
                                                                                check_allocate(
                                                                                    x->rows * c,
                                                                                    sizeof *p);
    int32_t *const classes = check_allocate(x->rows, sizeof *classes);
    CHECK_OK(pen_predict(model, x, NULL, classes, p, NULL, &err), &err);
    for (int64_t i = 0; i < x->rows * c; i++)
        CHECK(fabs(p[i] - literal_p[i]) <= 1e-7, "%s: p %lld is %.12g, expected %.12g", whole,
              (long long)i, p[i], literal_p[i]);
    check_classes(x->rows, c, p, classes);
    pen_model_free(model);
    free(literal_p), free(p), free(classes);
}

static void check_predictions(const char *text, const char *classifier, const sample *s,
                              const pen_array *fitted, const pen_array *x)
{
    check_votes(text, classifier, USUAL_VOTES, s, fitted, x);
}

static void literal(void **state)
{
    static const char *const texts[] = {
        "self beta=0.3",
        "pca scale=standard dim=3",
        "fda row_steps=l2 ridge=0.1",
        "lpp pca=3 pca_scale=unit",
        "sda kernel=rbf kernel_gamma=0.05 dim=2",
        "lfda ridge=0.1 kernel=polynomial kernel_landmarks=20 scale=minmax dim=3",
        "wbdr dim=3",
        "fme",
        "soda",
        "self kernel=rbf kernel_landmarks=random:30 pca=0.9:6 ridge=0.1",
    };
    sample s = problem(9401), fresh = problem(9402);
    const pen_array fitted = pen_dense(s.x, PEN_F64, N, D, D),
                    x = pen_dense(fresh.x, PEN_F64, N, D, D);
    (void)state;

    for (int64_t t = 0; t < COUNT_OF(texts); t++)
        for (int r = 0; r < CLASSIFIERS; r++) {
            check_predictions(texts[t], classifiers[r], &s, &fitted, &fitted);
            check_predictions(texts[t], classifiers[r], &s, &fitted, &x);
        }
    sample_free(&s), sample_free(&fresh);
}

static void parameters(void **state)
{
    sample s = problem(9403);
    const pen_array fitted = pen_dense(s.x, PEN_F64, N, D, D);
    (void)state;

    for (int64_t i = 0; i < N; i++) /* classes of 3, 6 and 7 labels */
        s.y[i] = s.y[i] == 4 && i > 20 ? PEN_UNLABELLED : s.y[i];
    check_votes("self beta=0.3", "neighbors", 1, &s, &fitted, &fitted);
    check_votes("self beta=0.3", "neighbors", 3, &s, &fitted, &fitted);
    check_votes("self beta=0.3", "neighbors", 100, &s, &fitted, &fitted);
    check_predictions("self beta=0.3 prior=uniform", "lda", &s, &fitted, &fitted);
    check_predictions("self beta=0.3 prior=uniform", "self-training", &s, &fitted, &fitted);
    sample_free(&s);
}

/* Rows of other types, with garbage between them. */
static void types(void **state)
{
    static const pen_dtype dtypes[] = { PEN_F32, PEN_U8 };
    sample s = problem(9404);
    (void)state;

    sample_to_bytes(&s);
    for (int64_t t = 0; t < COUNT_OF(dtypes); t++)
        for (int r = 0; r < CLASSIFIERS; r++) {
            pen_array x = recast(&s, dtypes[t], 3);
            check_predictions("self beta=0.3 scale=standard dim=2", classifiers[r], &s, &x, &x);
            recast_free(&x);
        }
    sample_free(&s);
}

/* ---- the classifier that a fit takes ---- */

static void usual_classifiers(void **state)
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
                  { "pca classifier=none", NULL },
                  { "fme classifier=none", NULL } };
    sample s = problem(9405);
    const pen_array x = pen_dense(s.x, PEN_F64, N, D, D);
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        pen_model *const model = fit_sample(cases[i].text, &s);
        const char *const classifier = model_text(model, "classifier");
        int32_t classes[N];
        pen_error err;
        CHECK((classifier == NULL) == (cases[i].classifier == NULL)
                  && (!classifier || strcmp(classifier, cases[i].classifier) == 0),
              "%s: classifier %s", cases[i].text, classifier ? classifier : "NULL");
        assert_true((pen_model_tensor(model, "bias").values != NULL)
                    == (classifier && strcmp(classifier, "scores") == 0));
        if (!classifier)
            CHECK_STATUS(pen_predict(model, &x, NULL, classes, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                         "predicts no classes without a classifier", &err);
        pen_model_free(model);
    }
    sample_free(&s);
}

static void without_classes(void **state)
{
    sample s = problem(9406);
    pen_data data = sample_data(&s);
    int32_t classes[N];
    pen_error err;
    (void)state;

    for (int one = 0; one < 2; one++) {
        for (int64_t i = 0; i < N; i++)
            s.y[i] = one && s.y[i] >= 0 ? 4 : PEN_UNLABELLED;
        if (one)
            s.y[0] = s.y[1] = 4;
        pen_model *const model = fit_data("pca", &data);
        assert_null(model_text(model, "classifier"));
        CHECK_STATUS(pen_predict(model, &data.x, NULL, classes, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                     "it was fitted without labels of at least two classes", &err);
        pen_model_free(model);
        CHECK_FIT_FAILS("pca classifier=lda", &data, one ? PEN_ONE_CLASS : PEN_NO_LABELS,
                        one ? "classifier lda needs labelled rows of at least 2 classes, got 1"
                            : "classifier lda needs labelled rows, got none");
    }
    sample_free(&s);
}

static void refused(void **state)
{
    static const struct {
        const char *text, *phrase;
    } cases[] = {
        { "self classifier=scores",
          "classifier scores is of methods that score classes, and self does not" },
        { "self classifier=nearest prior=uniform",
          "prior is of the classifiers scores, lda, self-training and logistic, got classifier "
          "nearest" },
        { "fme classifier=lda prior=none",
          "prior none is of class scores, got fme with classifier lda" },
        { "self prior=none", "prior none is of class scores, got self with classifier auto" },
        { "self classifier=none temperature=2", "temperature is set, but classifier is none" },
    };
    sample s = problem(9407);
    const pen_data data = sample_data(&s);
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(cases); i++)
        CHECK_FIT_FAILS(cases[i].text, &data, PEN_BAD_ARGUMENT, cases[i].phrase);
    sample_free(&s);
}

/* ---- few labels ---- */

/* One label a class, two, and a class with one among larger ones. */
static void few_labels(void **state)
{
    static const char *const texts[] = { "pca scale=standard", "self beta=0.5", "fme" };
    sample s = problem(9408);
    const pen_array fitted = pen_dense(s.x, PEN_F64, N, D, D);
    (void)state;

    for (int labels = 1; labels <= 3; labels++) {
        sample few = problem(9408);
        int64_t kept[3] = { 0, 0, 0 };
        for (int64_t i = 0; i < N; i++) {
            const int64_t class = i % 3;
            const int64_t most = labels < 3 ? labels : class == 1 ? 1 : 5;
            if (few.y[i] >= 0 && kept[class]++ >= most)
                few.y[i] = PEN_UNLABELLED;
        }
        for (int64_t t = 0; t < COUNT_OF(texts); t++)
            for (int r = 0; r < CLASSIFIERS; r++)
                check_predictions(texts[t], classifiers[r], &few, &fitted, &fitted);
        sample_free(&few);
    }
    sample_free(&s);
}

/* ---- temperature ---- */

static void check_tempered(const char *text, double temperature, const sample *s)
{
    const pen_array x = pen_dense(s->x, PEN_F64, N, D, D);
    double p[N * CLASSES], q[N * CLASSES];
    char whole[TEXT];
    int32_t a[N], b[N];
    pen_error err;

    snprintf(whole, sizeof whole, "%s temperature=%g", text, temperature);
    pen_model *const plain = fit_sample(text, s), *const model = fit_sample(whole, s);
    CHECK_OK(pen_predict(plain, &x, NULL, a, p, NULL, &err), &err);
    CHECK_OK(pen_predict(model, &x, NULL, b, q, NULL, &err), &err);
    assert_memory_equal(a, b, sizeof a);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int c = 0; c < CLASSES; c++)
            sum += pow(fmax(p[i * CLASSES + c], 1e-4), 1 / temperature);
        for (int c = 0; c < CLASSES; c++)
            CHECK_CLOSE(q[i * CLASSES + c],
                        pow(fmax(p[i * CLASSES + c], 1e-4), 1 / temperature) / sum, 1e-12, 0);
    }
    const double *const from = pen_model_tensor(plain, "probabilities").values,
                        *const to = pen_model_tensor(model, "probabilities").values;
    assert_true((from == NULL) == (to == NULL));
    for (int i = 0; from && i < N; i++) {
        double sum = 0;
        for (int c = 0; c < CLASSES; c++)
            sum += pow(fmax(from[i * CLASSES + c], 1e-4), 1 / temperature);
        CHECK_CLOSE(to[i * CLASSES], pow(fmax(from[i * CLASSES], 1e-4), 1 / temperature) / sum,
                    1e-12, 0);
    }
    pen_model_free(plain);
    pen_model_free(model);
}

static void temperatures(void **state)
{
    static const double values[] = { 0.5, 1, 2, 8, 1e6 };
    sample s = problem(9409);
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(values); i++) {
        check_tempered("self beta=0.3 classifier=lda", values[i], &s);
        check_tempered("self beta=0.3 classifier=nearest", values[i], &s);
        check_tempered("fme", values[i], &s);
    }
    sample_free(&s);
}

/* ---- bits ---- */

static const char *const whole_texts[] = {
    "self beta=0.3 classifier=nearest",
    "self beta=0.3 classifier=neighbors:4",
    "pca scale=standard classifier=means",
    "fda ridge=0.1 classifier=lda temperature=2",
    "sda kernel=rbf kernel_landmarks=20 classifier=self-training",
    "lpp row_steps=l2 classifier=logistic",
    "fme classifier=scores temperature=4"
};

/* A model that is written and read has the same bits, alone and in memory. */
static void files(void **state)
{
    sample s = problem(9410);
    const pen_array x = pen_dense(s.x, PEN_F64, N, D, D);
    (void)state;

    for (int64_t t = 0; t < COUNT_OF(whole_texts); t++) {
        pen_model *const model = fit_sample(whole_texts[t], &s), *again;
        double p[N * CLASSES], q[N * CLASSES];
        int32_t a[N], b[N];
        size_t size;
        unsigned char *const bytes = model_bytes(model, &size);
        pen_error err;
        CHECK_OK(pen_model_from_bytes(bytes, size, &again, &err), &err);
        assert_string_equal(model_text(again, "classifier"), model_text(model, "classifier"));
        CHECK_OK(pen_predict(model, &x, NULL, a, p, NULL, &err), &err);
        CHECK_OK(pen_predict(again, &x, NULL, b, q, NULL, &err), &err);
        CHECK(memcmp(p, q, sizeof p) == 0 && memcmp(a, b, sizeof a) == 0,
              "%s: a model that was written predicts other bits", whole_texts[t]);
        check_same_model(model, again, whole_texts[t]);
        pen_model_free(model);
        pen_model_free(again);
        free(bytes);
    }
    sample_free(&s);
}

/* A row alone has the bits that it has among others; so has a fit and a prediction on any number of
 * threads, and classes without probabilities. */
static void same_bits(void **state)
{
    sample s = problem(9411);
    const pen_data data = sample_data(&s);
    const pen_control three = { .threads = 3 }, one = { .threads = 1 };
    (void)state;

    for (int64_t t = 0; t < COUNT_OF(whole_texts); t++) {
        pen_spec *const spec = spec_of(whole_texts[t]);
        double p[N * CLASSES], q[N * CLASSES];
        int32_t a[N], b[N];
        pen_model *model, *other;
        pen_error err;
        CHECK_OK(pen_fit(spec, &data, &one, &model, &err), &err);
        CHECK_OK(pen_fit(spec, &data, &three, &other, &err), &err);
        check_same_model(model, other, whole_texts[t]);
        CHECK_OK(pen_predict(model, &data.x, &one, a, p, NULL, &err), &err);
        CHECK_OK(pen_predict(model, &data.x, &three, b, q, NULL, &err), &err);
        assert_memory_equal(p, q, sizeof p);
        assert_memory_equal(a, b, sizeof a);
        CHECK_OK(pen_predict(model, &data.x, &three, b, NULL, NULL, &err), &err);
        assert_memory_equal(a, b, sizeof a);
        for (int i = 0; i < N; i++) {
            const pen_array row = pen_dense(s.x + i * D, PEN_F64, 1, D, D);
            CHECK_OK(pen_predict(model, &row, NULL, &b[i], q + i * CLASSES, NULL, &err), &err);
        }
        CHECK(memcmp(p, q, sizeof p) == 0 && memcmp(a, b, sizeof a) == 0,
              "%s: a row alone has other bits", whole_texts[t]);
        pen_model_free(model);
        pen_model_free(other);
        pen_spec_free(spec);
    }
    sample_free(&s);
}

/* ---- stopping ---- */

struct stop {
    int64_t at, calls;
};

static int stop_at(void *user, const char *phase, int64_t done, int64_t total)
{
    struct stop *const s = user;
    (void)phase, (void)done, (void)total;
    return s->calls++ == s->at;
}

/* A fit that is stopped at any report leaves no model; one that is not stopped is a model. */
static void cancelled(void **state)
{
    sample s = problem(9412);
    const pen_data data = sample_data(&s);
    (void)state;

    for (int r = 0; r < CLASSIFIERS; r++) {
        char text[TEXT];
        pen_model *model = NULL;
        pen_status status = PEN_CANCELLED;
        snprintf(text, sizeof text, "pca classifier=%s", classifiers[r]);
        pen_spec *const spec = spec_of(text);
        int64_t at = 0;
        for (; status == PEN_CANCELLED; at++) {
            struct stop stop = { at, 0 };
            const pen_control control = { .threads = 1, .progress = stop_at, .user = &stop };
            pen_error err;
            status = pen_fit(spec, &data, &control, &model, &err);
            CHECK(status == PEN_OK || status == PEN_CANCELLED, "%s: %s", text, err.message);
            assert_true((status == PEN_OK) == (model != NULL));
        }
        CHECK(at > 2, "%s: only %lld reports", text, (long long)at);
        pen_model_free(model);
        pen_spec_free(spec);
    }
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal),         cmocka_unit_test(parameters),
        cmocka_unit_test(types),           cmocka_unit_test(usual_classifiers),
        cmocka_unit_test(without_classes), cmocka_unit_test(refused),
        cmocka_unit_test(few_labels),      cmocka_unit_test(temperatures),
        cmocka_unit_test(files),           cmocka_unit_test(same_bits),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
