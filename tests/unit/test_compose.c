/* test_compose.c - components from statistics of blocks, composed with every method fitted to them:
 * the model of all rows. */
#include "kit/embedded.h"
#include "kit/joined.h"
#include "kit/wine_blocks.h"

enum { COMPONENTS = 5 };

/* Components of the wines from their blocks, and their coordinates. */
static struct {
    wine_blocks *b;
    pen_model *first;
    double *z;
    pen_data reduced;
} parts;

static int set_up(void **state)
{
    static const char text[] = "pca scale=standard dim=5 classifier=none";
    pen_spec *const spec = spec_of(text);
    pen_error err;

    parts.b = wine_blocks_new();
    pen_stats *const s = wine_merged(parts.b, text);
    CHECK_OK(pen_stats_fit(spec, s, NULL, NULL, &parts.first, &err), &err);
    keep_model(parts.first);
    parts.z = embedded(parts.first, &parts.b->data.x);
    parts.reduced = (pen_data){ .x = pen_dense(parts.z, PEN_F64, WINES, COMPONENTS, COMPONENTS),
                                .labels = parts.b->labels };
    return 0;
}

GROUP(set_up, NULL);

static pen_model *composed(const pen_model *first, const pen_model *second)
{
    pen_model *both;
    pen_error err;
    CHECK_OK(pen_model_compose(first, second, &both, &err), &err);
    return keep_model(both);
}

/* The same columns with the same signs. */
static void check_same_columns(const pen_model *a, const pen_model *b, const char *text)
{
    const pen_array *const x = &parts.b->data.x;
    const int64_t k = pen_model_dim(a);

    CHECK(pen_model_dim(b) == k, "%s: %lld dimensions, not %lld", text, (long long)pen_model_dim(b),
          (long long)k);
    check_all_close(text, x->rows * k, embedded(b, x), embedded(a, x), 1e-10);
}

/* The same classes and probabilities of all rows, if both models have them. */
static void check_same_predictions(const pen_model *a, const pen_array *of_a, const pen_model *b,
                                   const pen_array *of_b, double tolerance, const char *text)
{
    const int64_t c = pen_model_class_count(a);
    double p[3 * WINES], q[3 * WINES];
    int32_t classes[2][WINES];
    pen_error err;

    CHECK(!model_text(a, "classifier") == !model_text(b, "classifier"), "%s: classifiers", text);
    if (!model_text(a, "classifier"))
        return;
    CHECK_OK(pen_predict(a, of_a, NULL, classes[0], p, NULL, &err), &err);
    CHECK_OK(pen_predict(b, of_b, NULL, classes[1], q, NULL, &err), &err);
    CHECK(memcmp(classes[0], classes[1], sizeof classes[0]) == 0, "%s: other classes", text);
    for (int64_t i = 0; i < WINES * c; i++)
        CHECK(fabs(p[i] - q[i]) <= tolerance, "%s: probability %g, not %g", text, q[i], p[i]);
}

static pen_spec *spec_for(const char *method, const char *classifier, int whole)
{
    pen_spec *const spec = spec_of(method);
    pen_error err;

    CHECK_OK(pen_spec_set(spec, "pca", whole ? "5" : "off", &err), &err);
    if (whole)
        CHECK_OK(pen_spec_set(spec, "scale", "standard", &err), &err);
    CHECK_OK(pen_spec_set(spec, "classifier", classifier, &err), &err);
    (void)pen_spec_set(spec, "origin", "mean", NULL);  /* methods with that parameter */
    (void)pen_spec_set(spec, "max_iter", "200", NULL); /* rounding would decide when it stops */
    return spec;
}

/* Fits a method to the coordinates and composes it: the model of all rows, which predicts like the
 * second model. Returns the number of columns with flipped signs. */
static int check_composed(const char *method, const char *classifier)
{
    const pen_array *const x = &parts.b->data.x;
    pen_spec *const spec = spec_for(method, classifier, 0), *const whole =
                                                                spec_for(method, classifier, 1);
    pen_model *second, *all;
    char text[80];
    int turned = 0;
    pen_error err;

    snprintf(text, sizeof text, "%s, %s", method, classifier);
    CHECK_OK(pen_fit(spec, &parts.reduced, NULL, &second, &err), &err);
    CHECK_OK(pen_fit(whole, &parts.b->data, NULL, &all, &err), &err);
    pen_model *const both = composed(parts.first, second);
    check_same_columns(all, both, text);
    check_same_predictions(all, x, both, x, 1e-7, text);
    check_same_predictions(second, &parts.reduced.x, both, x, 1e-9, text);
    double *const before = embedded(second, &parts.reduced.x), *const after = embedded(both, x);
    for (int64_t c = 0; c < pen_model_dim(both); c++)
        turned += before[c] * after[c] < 0;
    keep_model(second), keep_model(all);
    return turned;
}

TEST(every_method)
{
    for (int64_t m = 0; pen_method_at(m); m++)
        check_composed(pen_method_at(m)->name, "auto");
}

/* Every classifier sees the same input. Columns of class scores keep their signs, also with another
 * classifier. */
TEST(classifiers)
{
    static const char *const methods[] = { "self", "ssda", "fme" }, *const names[] = {
        "nearest", "neighbors", "means", "lda", "self-training", "logistic"
    };
    int turned = 0;

    for (int i = 0; i < 18; i++)
        turned += check_composed(methods[i / 6], names[i % 6]);
    CHECK(turned > 0, "no column changed sign");
}

/* The embedding of `second` after `first`, up to column signs, which are chosen again. */
static void check_one_after_the_other(const pen_model *first, const pen_model *second,
                                      const pen_model *both, double tolerance)
{
    const int64_t d = pen_model_columns(second), k = pen_model_dim(both);
    double *const z = embedded(first, &parts.b->data.x);
    const pen_array rows = pen_dense(z, PEN_F64, WINES, d, d);
    double *const right = embedded(second, &rows), *const found = embedded(both, &parts.b->data.x);

    for (int64_t i = 0; i < WINES * k; i++) {
        const double wanted = found[i % k] * right[i % k] < 0 ? -right[i] : right[i];
        CHECK_CLOSE(found[i], wanted, tolerance, tolerance);
    }
}

/* Also if the mean of the second model is not that of the embedding, and through a file; the
 * parameters and info are those of both. */
TEST(one_model)
{
    pen_model *const first = fit_data("self scale=standard dim=4 row_steps=l2", &parts.b->data);
    double *const z = embedded(first, &parts.b->data.x);
    const pen_data some = { .x = pen_dense(z + 30 * 4, PEN_F64, 60, 4, 4),
                            .labels = parts.b->labels + 30 };
    pen_model *const second = fit_data("pca scale=standard dim=3 classifier=means", &some),
                     *const both = composed(first, second), *const again = through_file(both);

    assert_string_equal(model_text(again, "method"), "self:pca");
    assert_string_equal(model_text(again, "parameters.row_steps"), "l2");
    assert_string_equal(model_text(again, "parameters.pca.scale"), "standard");
    assert_string_equal(model_text(again, "classifier"), "means");
    CHECK(model_text(again, "parameters.self.beta") && model_text(again, "parameters.dim")
              && model_text(again, "info.self.dimensions"),
          "%s", pen_model_info(again));
    check_one_after_the_other(first, second, again, 1e-12);
}

/* Columns of class scores sum to 0: the mean of a second model is shifted within their span. */
TEST(class_scores)
{
    int32_t two[WINES];
    const pen_data labelled = { .x = parts.b->data.x, .labels = two };

    for (int i = 0; i < WINES; i++)
        two[i] = parts.b->labels[i] == 2 ? PEN_UNLABELLED : parts.b->labels[i];
    pen_model *const first = fit_data("fme scale=standard", &labelled);
    double *const z = embedded(first, &parts.b->data.x);
    const pen_data some = { .x = pen_dense(z + 30 * 2, PEN_F64, 60, 2, 2) };
    pen_model *const second = fit_data("pca scale=standard", &some), *const both =
                                                                         composed(first, second);
    check_one_after_the_other(first, second, both, 1e-8);
}

TEST(refused)
{
    pen_model *const first = fit_data("pca scale=standard dim=4", &parts.b->data);
    double *const z = embedded(first, &parts.b->data.x);
    const pen_data data = { .x = pen_dense(z, PEN_F64, WINES, 4, 4), .labels = parts.b->labels };
    pen_model *const second = fit_data("self dim=2", &data);
    const pen_model *const members[] = { second, second };
    pen_model *const both = composed(first, second), *const mean = joined(members, 2);
    const struct {
        pen_model *first, *second;
        const char *phrase;
    } cases[] = {
        { first, fit_data("pca dim=13", &parts.b->data), "got 13 columns" },
        { second, fit_data("pca dim=13", &parts.b->data), "the 2 dimensions of the first" },
        { first, fit_data("fda row_steps=l2", &data), "row_steps" },
        { first, fit_data("pca row_steps=select:3 dim=2", &data), "row_steps" },
        { first, fit_data("pca kernel=rbf dim=2", &data), "and a kernel" },
        { fit_data("pca dim=13", &parts.b->data), both, "composed of pca already" },
        { first, mean, "cannot be composed" },
    };
    pen_model *out;
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        CHECK_STATUS(pen_model_compose(cases[i].first, cases[i].second, &out, &err),
                     PEN_BAD_ARGUMENT, cases[i].phrase, &err);
        assert_null(out);
    }
}
