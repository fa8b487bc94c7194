/* test_join.c - copies of the members of ensembles (test_select.c has the mean of
 * their probabilities). */
#include "check.h"
#include "kit/joined.h"
#include "kit/wine.h"

#include <string.h>

enum { MEMBERS = 3 };

static const struct {
    const char *method, *classifier, *kernel;
} asked[MEMBERS] = { { "pca", "lda", "none" },
                     { "self", "nearest", "rbf" },
                     { "fme", "scores", "none" } };

typedef struct together {
    wine *rows;
    int32_t labels[WINES];
    pen_data data;
    pen_model *alone[MEMBERS], *model;
} together;

static pen_model *fitted(const pen_data *data, const char *method, const char *classifier,
                         const char *kernel)
{
    pen_spec *spec;
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_spec_new(method, &spec, &err), &err);
    CHECK_OK(pen_spec_set(spec, "scale", "standard", &err), &err);
    CHECK_OK(pen_spec_set(spec, "kernel", kernel, &err), &err);
    CHECK_OK(pen_spec_set(spec, "classifier", classifier, &err), &err);
    CHECK_OK(pen_fit(spec, data, NULL, &model, &err), &err);
    pen_spec_free(spec);
    return model;
}

static int open_joined(void **state)
{
    together *const j = check_allocate(1, sizeof *j);

    j->rows = wine_read();
    wine_labels(j->rows, 6, j->labels);
    j->data = (pen_data){ .x = pen_dense(j->rows->x, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                          .labels = j->labels };
    for (int m = 0; m < MEMBERS; m++)
        j->alone[m] = fitted(&j->data, asked[m].method, asked[m].classifier, asked[m].kernel);
    j->model = joined((const pen_model *const *)j->alone, MEMBERS);
    *state = j;
    return 0;
}

static int close_joined(void **state)
{
    together *const j = *state;

    for (int m = 0; m < MEMBERS; m++)
        pen_model_free(j->alone[m]);
    pen_model_free(j->model);
    free(j->rows);
    free(j);
    return 0;
}

static void predict(const together *j, const pen_model *model, int32_t *classes, double *p)
{
    pen_error err;
    CHECK_OK(pen_predict(model, &j->data.x, NULL, classes, p, NULL, &err), &err);
}

static void check_same_file(const pen_model *a, const pen_model *b)
{
    void *of_a, *of_b;
    size_t size, other;
    pen_error err;

    CHECK_OK(pen_model_to_bytes(a, &of_a, &size, &err), &err);
    CHECK_OK(pen_model_to_bytes(b, &of_b, &other, &err), &err);
    assert_int_equal(size, other);
    assert_memory_equal(of_a, of_b, size);
    pen_free(of_a);
    pen_free(of_b);
}

/* Also after a file, and the same member by any name. */
static void members_are_models_alone(void **state)
{
    const together *const j = *state;
    double p[WINES * WINE_CLASSES], q[WINES * WINE_CLASSES];
    int32_t classes[WINES], others[WINES];
    pen_model *read;
    void *file;
    size_t size;
    pen_error err;

    CHECK_OK(pen_model_to_bytes(j->model, &file, &size, &err), &err);
    CHECK_OK(pen_model_from_bytes(file, size, &read, &err), &err);
    pen_free(file);
    for (int from_file = 0; from_file < 2; from_file++) {
        const pen_model *const model = from_file ? read : j->model;
        assert_true(model_number(model, "members") == MEMBERS);
        for (int m = 0; m < MEMBERS; m++) {
            const pen_model *const member = pen_model_member(model, m);
            char key[32];
            snprintf(key, sizeof key, "members.%d.classifier", m);
            assert_string_equal(model_text(model, key), model_text(j->alone[m], "classifier"));
            assert_string_equal(pen_model_info(member), pen_model_info(j->alone[m]));
            assert_ptr_equal(pen_model_member(model, m), member);
            assert_null(pen_model_member(member, 0));
            check_same_file(member, j->alone[m]);
            predict(j, member, classes, p);
            predict(j, j->alone[m], others, q);
            assert_memory_equal(classes, others, sizeof classes);
            assert_memory_equal(p, q, sizeof p);
        }
        assert_true(!pen_model_member(model, MEMBERS) && !pen_model_member(model, -1));
    }
    assert_true(model_number(j->alone[0], "members") == 0);
    assert_true(!pen_model_member(j->alone[0], 0) && !pen_model_member(NULL, 0));
    pen_model_free(read);
}

/* The first model has no classifier: it embeds, and the others predict, also after a file. */
static void a_map_whose_members_predict(void **state)
{
    const together *const j = *state;
    pen_model *const map = fitted(&j->data, "fda", "none", "none"), *both[2];
    const pen_model *const models[] = { map, j->alone[0], j->alone[1], j->alone[2] };
    double p[WINES * WINE_CLASSES], q[MEMBERS][WINES * WINE_CLASSES], z[2][WINES * WINE_COLUMNS];
    int32_t classes[WINES], others[WINES];
    const int64_t k = pen_model_dim(map);
    void *file;
    size_t size;
    pen_error err;

    both[0] = joined(models, 1 + MEMBERS);
    CHECK_OK(pen_model_to_bytes(both[0], &file, &size, &err), &err);
    CHECK_OK(pen_model_from_bytes(file, size, &both[1], &err), &err);
    pen_free(file);
    CHECK_OK(pen_transform(map, &j->data.x, NULL, PEN_F64, z[0], k, &err), &err);
    for (int m = 0; m < MEMBERS; m++)
        predict(j, j->alone[m], others, q[m]);
    for (int from_file = 0; from_file < 2; from_file++) {
        const pen_model *const model = both[from_file];
        assert_string_equal(model_text(model, "method"), "fda");
        assert_string_equal(model_text(model, "classifier"), "ensemble");
        assert_true(model_number(model, "members") == MEMBERS);
        assert_null(pen_model_member(model, MEMBERS));
        for (int m = 0; m < MEMBERS; m++)
            check_same_file(pen_model_member(model, m), j->alone[m]);
        CHECK_OK(pen_transform(model, &j->data.x, NULL, PEN_F64, z[1], k, &err), &err);
        assert_memory_equal(z[0], z[1], (size_t)(WINES * k) * sizeof **z);
        predict(j, model, classes, p);
        for (int i = 0; i < WINES * WINE_CLASSES; i++) {
            CHECK_CLOSE(p[i], (q[0][i] + q[1][i] + q[2][i]) / 3, 1e-15, 1e-15);
            assert_true(p[i] <= p[i / WINE_CLASSES * WINE_CLASSES + classes[i / WINE_CLASSES]]);
        }
    }
    CHECK_STATUS(pen_predict(map, &j->data.x, NULL, classes, p, NULL, &err), PEN_BAD_ARGUMENT,
                 "without a classifier", &err);
    pen_model_free(both[0]), pen_model_free(both[1]), pen_model_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_models_alone),
        cmocka_unit_test(a_map_whose_members_predict),
    };
    return cmocka_run_group_tests(tests, open_joined, close_joined);
}
