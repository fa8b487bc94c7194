/* test_join.c - copies of the members of models that answer together (test_select.c has the mean of
 * their probabilities). */
#include "check.h"
#include "kit/wine.h"

#include <string.h>

enum { MEMBERS = 3 };

static const struct {
    const char *method, *reader, *kernel;
} asked[MEMBERS] = { { "pca", "lda", "none" },
                     { "self", "nearest", "rbf" },
                     { "fme", "scores", "none" } };

typedef struct joined {
    wine *rows;
    int32_t labels[WINES];
    pen_data data;
    pen_model *alone[MEMBERS], *model;
} joined;

static pen_model *fitted(const pen_data *data, const char *method, const char *reader,
                         const char *kernel)
{
    pen_spec *spec;
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_spec_new(method, &spec, &err), &err);
    CHECK_OK(pen_spec_set(spec, "scale", "standard", &err), &err);
    CHECK_OK(pen_spec_set(spec, "kernel", kernel, &err), &err);
    CHECK_OK(pen_spec_set(spec, "reader", reader, &err), &err);
    CHECK_OK(pen_fit(spec, data, NULL, &model, &err), &err);
    pen_spec_free(spec);
    return model;
}

static int open_joined(void **state)
{
    joined *const j = check_allocate(1, sizeof *j);
    pen_error err;

    j->rows = wine_read(EXAMPLE_DATA "/wine.csv");
    wine_labels(j->rows, 6, j->labels);
    j->data = (pen_data){ .x = pen_dense(j->rows->x, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                          .labels = j->labels };
    for (int m = 0; m < MEMBERS; m++)
        j->alone[m] = fitted(&j->data, asked[m].method, asked[m].reader, asked[m].kernel);
    CHECK_OK(pen_join((const pen_model *const *)j->alone, MEMBERS, &j->model, &err), &err);
    *state = j;
    return 0;
}

static int close_joined(void **state)
{
    joined *const j = *state;

    for (int m = 0; m < MEMBERS; m++)
        pen_model_free(j->alone[m]);
    pen_model_free(j->model);
    free(j->rows);
    free(j);
    return 0;
}

static void predict(const joined *j, const pen_model *model, int32_t *classes, double *p)
{
    pen_error err;
    CHECK_OK(pen_predict(model, &j->data.x, classes, p, NULL, &err), &err);
}

static void check_same_file(const pen_model *a, const pen_model *b)
{
    void *of_a, *of_b;
    size_t size, other;
    pen_error err;

    CHECK_OK(pen_model_bytes(a, &of_a, &size, &err), &err);
    CHECK_OK(pen_model_bytes(b, &of_b, &other, &err), &err);
    assert_int_equal(size, other);
    assert_memory_equal(of_a, of_b, size);
    pen_model_bytes_free(of_a);
    pen_model_bytes_free(of_b);
}

/* Also after a file. */
static void members_are_copied_alone(void **state)
{
    const joined *const j = *state;
    double p[WINES * WINE_CLASSES], q[WINES * WINE_CLASSES];
    int32_t classes[WINES], others[WINES];
    pen_model *read, *copy;
    void *file;
    size_t size;
    pen_error err;

    CHECK_OK(pen_model_bytes(j->model, &file, &size, &err), &err);
    CHECK_OK(pen_model_parse(file, size, &read, &err), &err);
    pen_model_bytes_free(file);
    assert_int_equal(pen_model_members(read), MEMBERS);
    for (int m = 0; m < MEMBERS; m++)
        for (int from_file = 0; from_file < 2; from_file++) {
            CHECK_OK(pen_model_copy_member(from_file ? read : j->model, m, &copy, &err), &err);
            assert_int_equal(pen_model_members(copy), 1);
            check_same_file(copy, j->alone[m]);
            predict(j, copy, classes, p);
            predict(j, j->alone[m], others, q);
            assert_memory_equal(classes, others, sizeof classes);
            assert_memory_equal(p, q, sizeof p);
            pen_model_free(copy);
        }
    pen_model_free(read);
}

static void a_model_alone_is_its_only_member(void **state)
{
    const joined *const j = *state;
    pen_model *copy;
    pen_error err;

    CHECK_OK(pen_model_copy_member(j->alone[1], 0, &copy, &err), &err);
    check_same_file(copy, j->alone[1]);
    pen_model_free(copy);
}

static void what_is_no_member_is_refused(void **state)
{
    const joined *const j = *state;
    pen_model *out = j->alone[0];
    pen_error err;

    CHECK_STATUS(pen_model_copy_member(j->model, MEMBERS, &out, &err), PEN_BAD_ARGUMENT,
                 "index must be in [0, 2], the members, got 3", &err);
    assert_null(out);
    CHECK_STATUS(pen_model_copy_member(j->alone[0], -1, &out, &err), PEN_BAD_ARGUMENT,
                 "index must be in [0, 0], the members, got -1", &err);
    CHECK_STATUS(pen_model_copy_member(NULL, 0, &out, &err), PEN_BAD_ARGUMENT, "model", &err);
    CHECK_STATUS(pen_model_copy_member(j->model, 0, NULL, &err), PEN_BAD_ARGUMENT, "out", &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_copied_alone),
        cmocka_unit_test(a_model_alone_is_its_only_member),
        cmocka_unit_test(what_is_no_member_is_refused),
    };
    return cmocka_run_group_tests(tests, open_joined, close_joined);
}
