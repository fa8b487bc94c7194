/* test_join.c - a projection that embeds, with an ensemble that predicts, as from a fit without
 * METHOD; also through a file (test_select.c checks the mean probabilities). */
#include "kit/embedded.h"
#include "kit/joined.h"
#include "kit/wine.h"

GROUP(wines_open, NULL);

enum { MEMBERS = 3, ALL = WINES * WINE_CLASSES };

static const char *const asked[MEMBERS] = { "pca scale=standard classifier=lda",
                                            "self scale=standard kernel=rbf classifier=nearest",
                                            "fme scale=standard classifier=scores" };

/* Each model of the ensemble alone, by any name. */
static void check_members(const pen_model *model, pen_model *const *alone, const pen_array *x)
{
    assert_true(model_number(model, "members") == MEMBERS);
    for (int m = 0; m < MEMBERS; m++) {
        const pen_model *const member = pen_model_member(model, m);
        double p[2][ALL];
        int32_t classes[2][WINES];
        char key[32];
        pen_error err;
        snprintf(key, sizeof key, "members.%d.classifier", m);
        assert_string_equal(model_text(model, key), model_text(alone[m], "classifier"));
        assert_string_equal(pen_model_info(member), pen_model_info(alone[m]));
        assert_ptr_equal(pen_model_member(model, m), member);
        assert_null(pen_model_member(member, 0));
        check_same_model(member, alone[m], asked[m]);
        CHECK_OK(pen_predict(member, x, NULL, classes[0], p[0], NULL, &err), &err);
        CHECK_OK(pen_predict(alone[m], x, NULL, classes[1], p[1], NULL, &err), &err);
        assert_memory_equal(classes[0], classes[1], sizeof classes[0]);
        assert_memory_equal(p[0], p[1], sizeof p[0]);
    }
    assert_true(!pen_model_member(model, MEMBERS) && !pen_model_member(model, -1));
}

/* The projection embeds, and the mean of the ensemble predicts. */
static void check_answers(const pen_model *model, const pen_model *projection,
                          pen_model *const *alone, const pen_array *x)
{
    const int64_t k = pen_model_dim(projection);
    double p[ALL],
        q[MEMBERS][ALL], *const z = embedded(model, x), *const own = embedded(projection, x);
    int32_t classes[WINES];
    pen_error err;

    assert_memory_equal(z, own, (size_t)(WINES * k) * sizeof *z);
    for (int m = 0; m < MEMBERS; m++)
        CHECK_OK(pen_predict(alone[m], x, NULL, NULL, q[m], NULL, &err), &err);
    CHECK_OK(pen_predict(model, x, NULL, classes, p, NULL, &err), &err);
    for (int i = 0; i < ALL; i++) {
        CHECK_CLOSE(p[i], (q[0][i] + q[1][i] + q[2][i]) / 3, 1e-15, 1e-15);
        assert_true(p[i] <= p[i / WINE_CLASSES * WINE_CLASSES + classes[i / WINE_CLASSES]]);
    }
}

TEST(ensemble_predicts)
{
    int32_t labels[WINES], classes[WINES];
    const pen_data data = { .x = pen_dense(wines->x, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                            .labels = labels };
    pen_model *models[1 + MEMBERS], *both[2];
    void *file;
    size_t size;
    pen_error err;

    wine_labels(wines, 6, labels);
    models[0] = fit_data("fda scale=standard classifier=none", &data);
    for (int m = 0; m < MEMBERS; m++)
        models[1 + m] = fit_data(asked[m], &data);
    both[0] = joined((const pen_model *const *)models, 1 + MEMBERS);
    CHECK_OK(pen_model_to_bytes(both[0], &file, &size, &err), &err);
    CHECK_OK(pen_model_from_bytes(file, size, &both[1], &err), &err);
    pen_free(file), keep_model(both[1]);
    for (int from_file = 0; from_file < 2; from_file++) {
        assert_string_equal(model_text(both[from_file], "method"), "fda");
        assert_string_equal(model_text(both[from_file], "classifier"), "ensemble");
        check_members(both[from_file], models + 1, &data.x);
        check_answers(both[from_file], models[0], models + 1, &data.x);
    }
    assert_true(model_number(models[1], "members") == 0);
    assert_true(!pen_model_member(models[1], 0) && !pen_model_member(NULL, 0));
    CHECK_STATUS(pen_predict(models[0], &data.x, NULL, classes, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                 "without a classifier", &err);
}
