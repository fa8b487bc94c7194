/* test_categorical_file.c - columns of words in models and their files. */
#include "kit/model_bytes.h"

enum { ROWS = 12, D = 6 };

static const char *const names[D] = { "x", "color=blue", "color=red", "y", "1", "2" },
                         *const colors[] = { "blue", "red" }, *const grades[] = { "1", "\"2\"" };

/* Two columns of words, one without a name, in rows of their indicators. */
static const pen_categorical words[] = { { "color", 1, 2, colors }, { NULL, 4, 2, grades } };

static pen_status fit(const char *method, const pen_categorical *list, int64_t count,
                      pen_model **out, pen_error *err)
{
    double x[ROWS * D];
    int32_t labels[ROWS];
    pen_spec *spec;

    for (int i = 0; i < ROWS; i++) {
        const double row[D] = { i * 0.7, i % 2, 1 - i % 2, (i * 5) % 7, i % 3 == 0, i % 3 != 0 };
        memcpy(x + (ptrdiff_t)i * D, row, sizeof row);
        labels[i] = i % 4 / 2;
    }
    const pen_data data = { .x = pen_dense(x, PEN_F64, ROWS, D, D),
                            .labels = labels,
                            .feature_names = names,
                            .categorical = list,
                            .categorical_count = count };
    CHECK_OK(pen_spec_new(method, &spec, err), err);
    const pen_status status = pen_fit(spec, &data, NULL, out, err);
    pen_spec_free(spec);
    return status;
}

static void check_words(const pen_model *model)
{
    int64_t count = -1;
    const pen_categorical *const list = pen_model_categorical(model, &count);

    assert_int_equal(count, 2);
    assert_string_equal(list[0].column, "color");
    assert_null(list[1].column);
    assert_int_equal(list[0].first, 1);
    assert_int_equal(list[1].first, 4);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(list[i].count, 2);
        for (int c = 0; c < 2; c++)
            assert_string_equal(list[i].categories[c], words[i].categories[c]);
    }
}

/* Of a method, of a chain, in a file, and in what is joined from models. */
static void models_keep_words(void **state)
{
    static const char *const methods[] = { "pca", "lfda", "pca:lfda" };
    pen_error err;

    (void)state;
    for (int m = 0; m < 3; m++) {
        pen_model *model, *again, *joined;
        size_t size;
        void *bytes;
        CHECK_OK(fit(methods[m], words, 2, &model, &err), &err);
        check_words(model);
        CHECK_OK(pen_model_bytes(model, &bytes, &size, &err), &err);
        CHECK_OK(pen_model_parse(bytes, size, &again, &err), &err);
        check_words(again);
        const pen_model *const both[] = { model, again };
        CHECK_OK(pen_join(both, 2, &joined, &err), &err);
        check_words(joined);
        pen_model_bytes_free(bytes);
        pen_model_free(model);
        pen_model_free(again);
        pen_model_free(joined);
    }
}

static void other_models_have_none(void **state)
{
    pen_model *model;
    pen_error err;
    int64_t count = -1;

    (void)state;
    CHECK_OK(fit("pca", NULL, 0, &model, &err), &err);
    assert_null(pen_model_categorical(model, &count));
    assert_int_equal(count, 0);
    assert_null(pen_model_categorical(NULL, &count));
    assert_null(pen_model_categorical(model, NULL));
    pen_model_free(model);
}

static void lists_must_fit_the_columns(void **state)
{
    static const pen_categorical outside[] = { { "color", 5, 2, colors } },
                                 before[] = { { "color", 4, 2, colors }, { "g", 1, 2, grades } },
                                 overlap[] = { { "color", 1, 2, colors }, { "g", 2, 2, grades } },
                                 empty[] = { { "color", 1, 0, colors } },
                                 absent[] = { { "color", 1, 2, NULL } },
                                 negative[] = { { "color", -1, 2, colors } };
    static const struct {
        const pen_categorical *list;
        int64_t count;
        const char *phrase;
    } cases[] = {
        { outside, 1,
          "categorical[0] must be columns of x after those of the one before it, got 2 "
          "from column 5 on" },
        { before, 2, "categorical[1] must be columns of x" },
        { overlap, 2, "categorical[1] must be columns of x" },
        { empty, 1, "categorical[0] must be columns of x" },
        { negative, 1, "categorical[0] must be columns of x" },
        { absent, 1, "categorical.categories must not be NULL" },
        { NULL, 1, "categorical must not be NULL" },
        { words, -1, "categorical_count must be >= 0, got -1" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pen_model *model = NULL;
        pen_error err;
        CHECK_STATUS(fit("pca", cases[i].list, cases[i].count, &model, &err), PEN_BAD_ARGUMENT,
                     cases[i].phrase, &err);
        assert_null(model);
    }
}

static model_file file_of_words(void)
{
    pen_model *model;
    pen_error err;
    model_file f;

    CHECK_OK(fit("lfda", words, 2, &model, &err), &err);
    f.bytes = model_bytes(model, &f.size);
    pen_model_free(model);
    return f;
}

static void metadata(void **state)
{
    static const struct {
        const char *from, *to;
        pen_status code;
        const char *phrase;
    } cases[] = {
        /* what an older reader does with a word it does not know */
        { "\\\"one_hot\\\"", "\\\"two_hot\\\"", PEN_NEWER_FORMAT,
          "the model needs \"two_hot\", which this version" },
        { "\\\"first\\\":4", "\\\"first\\\":2", PEN_BAD_FORMAT,
          "metadata \"one_hot\": first must be a number in [3, 4]" },
        { "\\\"first\\\":4", "\\\"first\\\":5", PEN_BAD_FORMAT,
          "metadata \"one_hot\": first must be a number in [3, 4]" },
        { "\\\"first\\\":4", "\\\"first\\\":3.5", PEN_BAD_FORMAT,
          "metadata \"one_hot\": first must be a whole number" },
        { "\\\"column\\\":\\\"color\\\"", "\\\"column\\\":7", PEN_BAD_FORMAT,
          "metadata \"one_hot\" must be a list of columns with categories" },
        { "[\\\"blue\\\",\\\"red\\\"]", "[]", PEN_BAD_FORMAT,
          "metadata \"one_hot\" must be a list of columns with categories" },
        { "[\\\"blue\\\",\\\"red\\\"]", "[\\\"blue\\\",7]", PEN_BAD_FORMAT,
          "metadata \"one_hot\": categories must be strings" },
        { "[\\\"blue\\\",\\\"red\\\"]", "\\\"blue\\\"", PEN_BAD_FORMAT,
          "metadata \"one_hot\" must be a list of columns with categories" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const model_file f = file_of_words();
        check_file_refused(model_file_changed(&f, cases[i].from, cases[i].to), cases[i].code,
                           cases[i].phrase);
        free(f.bytes);
    }
}

static void damaged_files(void **state)
{
    (void)state;
    check_file_damaged(file_of_words());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_keep_words),
        cmocka_unit_test(other_models_have_none),
        cmocka_unit_test(lists_must_fit_the_columns),
        cmocka_unit_test(metadata),
        cmocka_unit_test(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
