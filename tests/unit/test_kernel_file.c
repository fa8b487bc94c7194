/* test_kernel_file.c - model files of kernels that are damaged, inconsistent, or from other
 * versions: refused with a reason, or a model that works. */
#include "kit/model_bytes.h"

enum { ROWS = 12, D = 3, M = 4 };

/* A model of each form: with all tensors, and with those of precomputed values. */
static model_file file_of(const char *text, int precomputed)
{
    pen_rng rng = check_rng(3501);
    sample s = sample_random(&rng, ROWS, D, 2, 8), identity = sample_new(ROWS, ROWS);
    model_file f;

    for (int i = 0; i < ROWS; i++) {
        identity.x[i * (ROWS + 1)] = 1 + (double)i / 8;
        identity.y[i] = s.y[i];
    }
    pen_model *const model = fit_sample(text, precomputed ? &identity : &s);
    f.bytes = model_bytes(model, &f.size);
    pen_model_free(model);
    sample_free(&s), sample_free(&identity);
    return f;
}

static model_file file_of_rows(void)
{
    return file_of("fme kernel=rbf scale=standard kernel_landmarks=4", 0);
}

static model_file file_of_values(void)
{
    return file_of("self dim=2 kernel=precomputed kernel_landmarks=4", 1);
}

/* ---- what the header says ---- */

static void metadata(void **state)
{
    static const struct {
        const char *from, *to;
        pen_status code;
        const char *phrase;
    } cases[] = {
        { "\\\"name\\\":\\\"rbf\\\"", "\\\"name\\\":\\\"matern\\\"", PEN_NEWER_FORMAT,
          "the model needs the kernel \"matern\", which this version" },
        { "\\\"name\\\":\\\"rbf\\\"", "\\\"name\\\":\\\"none\\\"", PEN_NEWER_FORMAT,
          "the model needs the kernel \"none\"" },
        { "\\\"name\\\":\\\"rbf\\\"", "\\\"name\\\":7", PEN_BAD_FORMAT,
          "metadata \"kernel\" must be an object with a name" },
        { "\\\"name\\\":\\\"rbf\\\"", "\\\"name\\\":\\\"precomputed\\\"", PEN_BAD_FORMAT,
          "the shapes of the tensors are inconsistent" },
        { "\\\"columns\\\":3", "\\\"columns\\\":4", PEN_BAD_FORMAT,
          "the shapes of the tensors are inconsistent" },
        { "\\\"columns\\\":3", "\\\"columns\\\":0", PEN_BAD_FORMAT,
          "metadata \"kernel\": columns must be a number in [1, " },
        { "\\\"columns\\\":3", "\\\"columns\\\":3.5", PEN_BAD_FORMAT,
          "metadata \"kernel\": columns and degree must be whole numbers" },
        { "\\\"columns\\\":3", "\\\"columns\\\":1e300", PEN_BAD_FORMAT,
          "metadata \"kernel\": columns must be a number in [1, " },
        { "\\\"columns\\\":3,", "", PEN_BAD_FORMAT,
          "metadata \"kernel\": columns must be a number in [1, " },
        { "\\\"degree\\\":3", "\\\"degree\\\":-1", PEN_BAD_FORMAT,
          "metadata \"kernel\": degree must be a number in [1, " },
        { "\\\"degree\\\":3", "\\\"degree\\\":1.5", PEN_BAD_FORMAT,
          "metadata \"kernel\": columns and degree must be whole numbers" },
        { "\\\"coef0\\\":1}", "\\\"coef0\\\":-1}", PEN_BAD_FORMAT,
          "metadata \"kernel\": coef0 must be a number in [0, " },
        { "\\\"coef0\\\":1}", "\\\"coef0\\\":1", PEN_BAD_FORMAT,
          "metadata \"kernel\" is not valid JSON" },
        { "\\\"coef0\\\":1}", "\\\"coef0\\\":1,\\\"coef0\\\":1}", PEN_BAD_FORMAT,
          "metadata \"kernel\" has the key \"coef0\" twice" },
        { ",\\\"columns\\\":3,\\\"gamma\\\":", ",\\\"columns\\\":3,\\\"gamma\\\":-", PEN_BAD_FORMAT,
          "metadata \"kernel\": gamma must be a number in [" },
        { ",\\\"columns\\\":3,\\\"gamma\\\":", ",\\\"columns\\\":3,\\\"gamma\\\":0,\\\"g\\\":",
          PEN_BAD_FORMAT, "metadata \"kernel\": gamma must be a number in [" },
        { "\"kernel\":\"{", "\"colonel\":\"{", PEN_BAD_FORMAT, "kernel" },
        { ",\\\"kernel\\\"", "", PEN_BAD_FORMAT, NULL },
        { ",\\\"kernel\\\"", ",\\\"kernel\\\",\\\"kernel2\\\"", PEN_NEWER_FORMAT, "kernel2" },
        { "\"format\":\"2\"", "\"format\":\"1\"", PEN_BAD_FORMAT, NULL },
        { "\"landmark_rows\":{\"dtype\":\"F64\",\"shape\":[4]",
          "\"landmark_rows\":{\"dtype\":\"F64\",\"shape\":[3]", PEN_BAD_FORMAT,
          "tensor \"landmark_rows\"" },
        { "\"landmarks\":{\"dtype\":\"F64\",\"shape\":[4,3]",
          "\"landmarks\":{\"dtype\":\"F64\",\"shape\":[3,4]", PEN_BAD_FORMAT,
          "the shapes of the tensors are inconsistent" },
        { "\"landmarks\":{\"dtype\":\"F64\",\"shape\":[4,3]",
          "\"landmarks\":{\"dtype\":\"F64\",\"shape\":[12,1]", PEN_BAD_FORMAT,
          "the shapes of the tensors are inconsistent" },
        { "\"landmarks\":{", "\"landmark\":{", PEN_BAD_FORMAT, NULL },
        { "\"kernel_origin\":{", "\"kernel_origins\":{", PEN_BAD_FORMAT, NULL },
        { "\"projection\":{\"dtype\":\"F64\",\"shape\":[4,2]",
          "\"projection\":{\"dtype\":\"F64\",\"shape\":[2,4]", PEN_BAD_FORMAT,
          "the shapes of the tensors are inconsistent" },
    };
    model_file f = file_of_rows();
    (void)state;

    assert_true(check_file_parses(f.bytes, f.size));
    for (int64_t i = 0; i < COUNT_OF(cases); i++)
        check_file_refused(model_file_changed(&f, cases[i].from, cases[i].to), cases[i].code,
                           cases[i].phrase);
    free(f.bytes);
}

static void numbers(void **state)
{
    model_file rows = file_of_rows(), values = file_of_values();
    /* projection, mean, bias, class_mass; projection, mean, eigenvalues */
    const size_t in_rows = M * 2 + M + 2 + 4, in_values = M * 2 + M + 2;
    (void)state;

    check_file_refused(model_file_with(&rows, in_rows, -1), PEN_BAD_FORMAT,
                       "a landmark must be the number of a row, got -1");
    check_file_refused(model_file_with(&rows, in_rows, 0.5), PEN_BAD_FORMAT,
                       "a landmark must be the number of a row, got 0.5");
    check_file_refused(model_file_with(&rows, in_rows, 1e300), PEN_BAD_FORMAT,
                       "a landmark must be the number of a row, got 1e+300");
    check_file_refused(model_file_with(&rows, in_rows, NAN), PEN_BAD_FORMAT, "landmark_rows");
    check_file_refused(model_file_with(&rows, in_rows + M, INFINITY), PEN_BAD_FORMAT, "landmarks");
    check_file_refused(model_file_with(&values, in_values, ROWS), PEN_BAD_FORMAT,
                       "a landmark must be the number of a row, got 12");
    const model_file same = model_file_with(&values, in_values, ROWS - 1);
    assert_true(check_file_parses(same.bytes, same.size));
    for (size_t at = 0; at < (rows.size - 8 - model_file_header(&rows)) / 8; at++) {
        static const double odd[] = { 0, -0.0, 1e308, -1e308, 5e-324, NAN };
        for (int64_t i = 0; i < COUNT_OF(odd); i++) {
            const model_file other = model_file_with(&rows, at, odd[i]);
            check_file_parses(other.bytes, other.size);
            free(other.bytes);
        }
    }
    free(same.bytes), free(rows.bytes), free(values.bytes);
}

/* ---- damage ---- */

static void damage(void **state)
{
    (void)state;
    const model_file rows = file_of_rows(), values = file_of_values();
    check_file_damaged(&rows), check_file_damaged(&values);
    free(rows.bytes), free(values.bytes);
}

/* Rows whose squared distances are nearly the largest numbers have a gamma below the least normal
 * one. */
static void least_gamma(void **state)
{
    pen_rng rng = check_rng(3502);
    sample s = sample_random(&rng, ROWS, D, 2, 8);
    pen_model *again;
    size_t size;
    pen_error err;
    (void)state;

    for (int i = 0; i < ROWS * D; i++)
        s.x[i] = ldexp(s.x[i], 509);
    pen_model *const model = fit_sample("pca dim=2 kernel=rbf kernel_gamma=1e-309", &s);
    unsigned char *const bytes = model_bytes(model, &size);
    CHECK_OK(pen_model_from_bytes(bytes, size, &again, &err), &err);
    assert_true(model_number(again, "kernel.gamma") == 1e-309);
    free(bytes);
    pen_model_free(again);
    pen_model_free(model);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(metadata), cmocka_unit_test(numbers),
                                        cmocka_unit_test(damage), cmocka_unit_test(least_gamma) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
