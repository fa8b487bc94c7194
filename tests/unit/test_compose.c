/* test_compose.c - components of rows in blocks from their statistics, and every method fitted to
 * them: the model of all rows. */
#include "check.h"
#include "kit/check_fit.h"
#include "kit/joined.h"
#include "kit/wine_blocks.h"

enum { COMPONENTS = 5 };

static pen_model *components(const wine_blocks *b, const char *text)
{
    pen_stats *s = wine_merged(b, text);
    pen_spec *spec = spec_of(text);
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_stats_fit(spec, s, NULL, NULL, &model, &err), &err);
    pen_spec_free(spec);
    pen_stats_free(s);
    return model;
}

static double *embedded(const pen_model *model, const pen_array *x)
{
    const int64_t k = pen_model_dim(model);
    double *z = check_allocate(x->rows * k, sizeof *z);
    pen_error err;

    CHECK_OK(pen_transform(model, x, NULL, PEN_F64, z, k, &err), &err);
    return z;
}

/* The same columns, with the same signs. */
static void check_same_columns(const pen_model *a, const pen_model *b, const pen_array *x,
                               double tolerance)
{
    const int64_t k = pen_model_dim(a);
    const char *const name = model_text(b, "method");

    CHECK(pen_model_dim(b) == k, "%s: %lld dimensions, not %lld", name, (long long)pen_model_dim(b),
          (long long)k);
    double *p = embedded(a, x), *q = embedded(b, x), largest = 0;
    for (int64_t i = 0; i < x->rows * k; i++)
        largest = fmax(largest, fabs(p[i]));
    for (int64_t i = 0; i < x->rows * k; i++) {
        const double off = fabs(p[i] - q[i]);
        CHECK(off <= tolerance * largest, "%s: column %lld is off by %g of %g", name,
              (long long)(i % k), off, largest);
    }
    free(p), free(q);
}

/* Class probabilities of all rows, if both have them. */
static void check_same_predictions(const pen_model *a, const pen_model *b, const pen_array *x)
{
    const int64_t c = pen_model_class_count(a);
    double *p = check_allocate(x->rows * c + 1, sizeof *p),
           *q = check_allocate(x->rows * c + 1, sizeof *q);
    int32_t *of = check_allocate(x->rows, sizeof *of);
    pen_error err;

    CHECK(!model_text(a, "classifier") == !model_text(b, "classifier"), "%s: classifiers",
          model_text(b, "method"));
    if (model_text(a, "classifier")) {
        CHECK_OK(pen_predict(a, x, NULL, of, p, NULL, &err), &err);
        CHECK_OK(pen_predict(b, x, NULL, of, q, NULL, &err), &err);
        for (int64_t i = 0; i < x->rows * c; i++)
            CHECK(fabs(p[i] - q[i]) <= 1e-7, "%s: probability %g, not %g", model_text(b, "method"),
                  p[i], q[i]);
    }
    free(p), free(q), free(of);
}

static pen_spec *spec_for(const char *method, int whole)
{
    pen_spec *spec = spec_of(method);
    pen_error err;

    if (whole) {
        CHECK_OK(pen_spec_set(spec, "scale", "standard", &err), &err);
        CHECK_OK(pen_spec_set_number(spec, "pca", COMPONENTS, &err), &err);
    } else {
        CHECK_OK(pen_spec_set(spec, "pca", "off", &err), &err);
    }
    (void)pen_spec_set(spec, "origin", "mean", NULL);  /* of those that have it */
    (void)pen_spec_set(spec, "max_iter", "200", NULL); /* rounding decides where it ends itself */
    return spec;
}

static void test_every_method(void **state)
{
    wine_blocks *b = wine_blocks_new();
    pen_model *first = components(b, "pca scale=standard dim=5 classifier=none");
    double *z = embedded(first, &b->data.x);
    const pen_data reduced = { .x = pen_dense(z, PEN_F64, WINES, COMPONENTS, COMPONENTS),
                               .labels = b->labels };
    pen_error err;

    (void)state;
    for (int64_t m = 0; pen_method_at(m); m++) {
        const char *const name = pen_method_at(m)->name;
        pen_spec *spec = spec_for(name, 0), *whole = spec_for(name, 1);
        pen_model *second, *both, *all;
        CHECK_OK(pen_fit(spec, &reduced, NULL, &second, &err), &err);
        CHECK_OK(pen_model_compose(first, second, &both, &err), &err);
        CHECK_OK(pen_fit(whole, &b->data, NULL, &all, &err), &err);
        check_same_columns(all, both, &b->data.x, 1e-10);
        check_same_predictions(all, both, &b->data.x);
        pen_model_free(second), pen_model_free(both), pen_model_free(all);
        pen_spec_free(spec), pen_spec_free(whole);
    }
    free(z);
    pen_model_free(first);
    wine_blocks_free(b);
}

static pen_spec *spec_with_classifier(const char *method, const char *classifier, int whole)
{
    pen_spec *spec = spec_for(method, whole);
    pen_error err;

    CHECK_OK(pen_spec_set(spec, "classifier", classifier, &err), &err);
    return spec;
}

/* Every classifier sees what it saw: its predictions are those of the second model. Columns that
 * score classes keep their signs, also with another classifier than that of scores. */
static void test_classifiers(void **state)
{
    static const char *const methods[] = { "self", "ssda", "fme" }, *const classifiers[] = {
        "nearest", "neighbors", "means", "lda", "self-training", "logistic"
    };
    wine_blocks *b = wine_blocks_new();
    pen_model *first = components(b, "pca scale=standard dim=5 classifier=none");
    double *z = embedded(first, &b->data.x);
    const pen_data reduced = { .x = pen_dense(z, PEN_F64, WINES, COMPONENTS, COMPONENTS),
                               .labels = b->labels };
    double p[3 * WINES], q[3 * WINES];
    int32_t of_p[WINES], of_q[WINES];
    int turned = 0;
    pen_error err;

    (void)state;
    for (int i = 0; i < 18; i++) {
        const char *const method = methods[i / 6], *const classifier = classifiers[i % 6];
        pen_spec *spec = spec_with_classifier(method, classifier, 0),
                 *whole = spec_with_classifier(method, classifier, 1);
        pen_model *second, *both, *all;
        CHECK_OK(pen_fit(spec, &reduced, NULL, &second, &err), &err);
        CHECK_OK(pen_model_compose(first, second, &both, &err), &err);
        CHECK_OK(pen_fit(whole, &b->data, NULL, &all, &err), &err);
        check_same_columns(all, both, &b->data.x, 1e-10);
        check_same_predictions(all, both, &b->data.x);
        double *before = embedded(second, &reduced.x), *after = embedded(both, &b->data.x);
        for (int64_t c = 0; c < pen_model_dim(both); c++)
            turned += before[c] * after[c] < 0;
        CHECK_OK(pen_predict(second, &reduced.x, NULL, of_p, p, NULL, &err), &err);
        CHECK_OK(pen_predict(both, &b->data.x, NULL, of_q, q, NULL, &err), &err);
        CHECK(memcmp(of_p, of_q, sizeof of_p) == 0, "%s, %s: other classes", method, classifier);
        for (int e = 0; e < 3 * WINES; e++)
            CHECK(fabs(p[e] - q[e]) <= 1e-9, "%s, %s: probability %g, not %g", method, classifier,
                  q[e], p[e]);
        free(before), free(after);
        pen_model_free(second), pen_model_free(both), pen_model_free(all);
        pen_spec_free(spec), pen_spec_free(whole);
    }
    CHECK(turned > 0, "no column changed its sign");
    free(z);
    pen_model_free(first);
    wine_blocks_free(b);
}

/* One after the other, also where the mean of the second is not that of the embedding, and through
 * a file; parameters and info of both. */
static void test_one_model(void **state)
{
    wine_blocks *b = wine_blocks_new();
    pen_model *first = fit_data("self scale=standard dim=4 row_steps=l2", &b->data), *both, *again;
    double *z = embedded(first, &b->data.x);
    const pen_data some = { .x = pen_dense(z + 30 * 4, PEN_F64, 60, 4, 4),
                            .labels = b->labels + 30 };
    pen_model *second = fit_data("pca scale=standard dim=3 classifier=means", &some);
    void *bytes;
    size_t size;
    pen_error err;

    (void)state;
    const pen_array rows = pen_dense(z, PEN_F64, WINES, 4, 4);
    double *expected_z = embedded(second, &rows);
    CHECK_OK(pen_model_compose(first, second, &both, &err), &err);
    CHECK_OK(pen_model_to_bytes(both, &bytes, &size, &err), &err);
    CHECK_OK(pen_model_from_bytes(bytes, size, &again, &err), &err);
    double *found = embedded(again, &b->data.x);
    for (int i = 0; i < WINES * 3; i++) { /* signs are decided anew */
        const double wanted = found[i % 3] * expected_z[i % 3] < 0 ? -expected_z[i] : expected_z[i];
        CHECK(fabs(found[i] - wanted) <= 1e-12 * fmax(1, fabs(wanted)), "%g, not %g", found[i],
              wanted);
    }
    CHECK(strcmp(model_text(again, "method"), "self:pca") == 0, "%s", model_text(again, "method"));
    CHECK(strcmp(model_text(again, "parameters.row_steps"), "l2") == 0
              && strcmp(model_text(again, "parameters.pca.scale"), "standard") == 0
              && model_text(again, "parameters.self.beta") && model_text(again, "parameters.dim"),
          "parameters: %s", model_text(again, "parameters"));
    CHECK(model_text(again, "info.self.dimensions"), "%s", pen_model_info(again));
    CHECK(strcmp(model_text(again, "classifier"), "means") == 0, "%s",
          model_text(again, "classifier"));
    free(z), free(found), free(expected_z), pen_free(bytes);
    pen_model_free(first), pen_model_free(second), pen_model_free(both), pen_model_free(again);
    wine_blocks_free(b);
}

/* Columns of class scores add up to 0: the mean of a second model is moved in the span that they
 * have. */
static void test_class_scores(void **state)
{
    wine_blocks *b = wine_blocks_new();
    int32_t two[WINES];
    for (int i = 0; i < WINES; i++)
        two[i] = b->labels[i] == 2 ? PEN_UNLABELLED : b->labels[i];
    const pen_data labelled = { .x = b->data.x, .labels = two };
    pen_model *first = fit_data("fme scale=standard", &labelled), *both;
    double *z = embedded(first, &b->data.x);
    const pen_array rows = pen_dense(z, PEN_F64, WINES, 2, 2);
    const pen_data some = { .x = pen_dense(z + 30 * 2, PEN_F64, 60, 2, 2) };
    pen_model *second = fit_data("pca scale=standard", &some);
    pen_error err;

    (void)state;
    CHECK_OK(pen_model_compose(first, second, &both, &err), &err);
    double *expected_z = embedded(second, &rows), *found = embedded(both, &b->data.x);
    for (int64_t i = 0, k = pen_model_dim(both); i < WINES * k; i++)
        CHECK_CLOSE(fabs(found[i]), fabs(expected_z[i]), 0, 1e-8);
    free(z), free(found), free(expected_z);
    pen_model_free(first), pen_model_free(second), pen_model_free(both);
    wine_blocks_free(b);
}

static void check_refused(const pen_model *first, const pen_model *second, const char *phrase)
{
    pen_model *out = NULL;
    pen_error err;

    CHECK_STATUS(pen_model_compose(first, second, &out, &err), PEN_BAD_ARGUMENT, phrase, &err);
    assert_null(out);
}

static void test_refused(void **state)
{
    wine_blocks *b = wine_blocks_new();
    pen_model *first = fit_data("pca scale=standard dim=4", &b->data), *both;
    double *z = embedded(first, &b->data.x);
    const pen_data data = { .x = pen_dense(z, PEN_F64, WINES, 4, 4), .labels = b->labels };
    pen_model *second = fit_data("self dim=2", &data), *unit = fit_data("fda row_steps=l2", &data),
              *kernel = fit_data("pca kernel=rbf dim=2", &data),
              *select = fit_data("pca row_steps=select:3 dim=2", &data);
    pen_error err;

    (void)state;
    check_refused(NULL, second, "first must not be NULL");
    check_refused(first, NULL, "second must not be NULL");
    check_refused(first, first, "got 13 columns");
    check_refused(second, first, "of the 2 dimensions of the first");
    check_refused(first, unit, "row_steps");
    check_refused(first, kernel, "and a kernel");
    check_refused(first, select, "row_steps");
    CHECK_OK(pen_model_compose(first, second, &both, &err), &err);
    pen_model *same = fit_data("pca dim=13", &b->data);
    check_refused(same, both, "composed of pca already");
    const pen_model *const two[] = { second, second };
    pen_model *const ensemble = joined(two, 2);
    check_refused(first, ensemble, "cannot be composed");
    CHECK_STATUS(pen_model_compose(first, second, NULL, &err), PEN_BAD_ARGUMENT, "out", &err);
    free(z);
    pen_model_free(first), pen_model_free(second), pen_model_free(unit), pen_model_free(kernel);
    pen_model_free(ensemble), pen_model_free(both), pen_model_free(same), pen_model_free(select);
    wine_blocks_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method), cmocka_unit_test(test_classifiers),
        cmocka_unit_test(test_one_model),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_class_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
