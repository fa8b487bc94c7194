/* test_kernel_file.c - model files of kernels that are damaged, inconsistent, or from other
 * versions: refused with a reason, or a model that works. */
#include "kit/embedded.h"

#include "core/checksum.h"

#include <stdio.h>

enum { ROWS = 12, D = 3, M = 4 };

struct file {
    unsigned char *bytes;
    size_t size;
};

/* A model of each form: with all tensors, and with those of precomputed values. */
static struct file file_of(const char *text, int precomputed)
{
    pen_rng rng = check_rng(3501);
    sample s = sample_random(&rng, ROWS, D, 2, 8), identity = sample_new(ROWS, ROWS);
    struct file f;

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

static struct file file_of_rows(void)
{
    return file_of("fme kernel=rbf scale=standard kernel_landmarks=4", 0);
}

static struct file file_of_values(void)
{
    return file_of("self dim=2 kernel=precomputed kernel_landmarks=4", 1);
}

static size_t header_length(const struct file *f)
{
    size_t length = 0;
    for (int i = 7; i >= 0; i--)
        length = length << 8 | f->bytes[i];
    return length;
}

/* The file with the first `from` in its header replaced by `to`. */
static struct file changed(const struct file *f, const char *from, const char *to)
{
    const size_t length = header_length(f), tail = f->size - 8 - length;
    char *const header = check_allocate((int64_t)length + 1, 1);
    struct file out;

    memcpy(header, f->bytes + 8, length);
    const char *const at = strstr(header, from);
    CHECK(at, "there is no %s in %s", from, header);
    const size_t left = (size_t)(at - header), now = length - strlen(from) + strlen(to);
    out.size = 8 + now + tail;
    out.bytes = check_allocate((int64_t)out.size, 1);
    for (int i = 0; i < 8; i++)
        out.bytes[i] = (unsigned char)(now >> (8 * i));
    memcpy(out.bytes + 8, header, left);
    memcpy(out.bytes + 8 + left, to, strlen(to));
    memcpy(out.bytes + 8 + left + strlen(to), at + strlen(from), length - left - strlen(from));
    memcpy(out.bytes + 8 + now, f->bytes + 8 + length, tail);
    free(header);
    return out;
}

static void check_refused(struct file f, pen_status code, const char *phrase)
{
    pen_model *model = (pen_model *)(void *)&f;
    pen_error err;

    CHECK_STATUS(pen_model_parse(f.bytes, f.size, &model, &err), code, phrase, &err);
    assert_null(model);
    free(f.bytes);
}

/* A model that embeds a row and predicts, or says what is wrong with the row. */
static void check_works(const pen_model *model)
{
    enum { MOST = 4096 };
    static const double row[MOST];
    const int64_t d = pen_model_input_dim(model), k = pen_model_output_dim(model),
                  m = pen_model_kernel(model) ? pen_model_kernel(model)->count : d;
    const pen_array x = pen_dense(row, PEN_F64, 1, d, d);
    pen_error err;
    double z[MOST];
    int32_t class;

    assert_true(d >= 1 && k >= 1 && m >= 1 && k <= MOST);
    assert_true(all_finite(m * k, pen_model_projection(model)));
    if (d > MOST) /* the row of a precomputed kernel */
        return;
    const pen_status status = pen_transform(model, &x, PEN_F64, z, k, NULL, &err);
    CHECK(status == PEN_OK || status == PEN_BAD_DATA, "%d %s", (int)status, err.message);
    if (pen_model_bias(model) && status == PEN_OK)
        CHECK_OK(pen_predict(model, &x, &class, NULL, NULL, &err), &err);
}

/* Parses the bytes: a model that works, or an error of a damaged file. Returns 1 for a model. */
static int check_parse(const unsigned char *bytes, size_t size)
{
    unsigned char *const exact = check_allocate((int64_t)size, 1);
    pen_model *model = NULL;
    pen_error err;

    memcpy(exact, bytes, size);
    const pen_status status = pen_model_parse(exact, size, &model, &err);
    free(exact);
    if (status == PEN_OK)
        check_works(model);
    else
        CHECK(!model && (status == PEN_BAD_FORMAT || status == PEN_NEWER_FORMAT) && err.message[0],
              "%d %s", (int)status, err.message);
    pen_model_free(model);
    return status == PEN_OK;
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
        { ",\\\"kernel\\\"]", "]", PEN_BAD_FORMAT, NULL },
        { ",\\\"kernel\\\"]", ",\\\"kernel\\\",\\\"kernel2\\\"]", PEN_NEWER_FORMAT, "kernel2" },
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
    struct file f = file_of_rows();
    (void)state;

    assert_true(check_parse(f.bytes, f.size));
    for (int64_t i = 0; i < COUNT_OF(cases); i++)
        check_refused(changed(&f, cases[i].from, cases[i].to), cases[i].code, cases[i].phrase);
    free(f.bytes);
}

/* The tensors with an entry replaced, and the checksum that belongs to them. */
static struct file with_number(const struct file *f, size_t at, double value)
{
    struct file out = { check_allocate((int64_t)f->size, 1), f->size };
    const size_t from = 8 + header_length(f);
    char digits[9];
    uint64_t bits;

    memcpy(out.bytes, f->bytes, f->size);
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++)
        out.bytes[from + 8 * at + (size_t)i] = (unsigned char)(bits >> (8 * i));
    snprintf(digits, sizeof digits, "%08lx",
             (unsigned long)pen_crc32(0, out.bytes + from, out.size - from));
    for (size_t i = 8; i + 14 < from; i++)
        if (memcmp(out.bytes + i, "crc32:", 6) == 0)
            memcpy(out.bytes + i + 6, digits, 8);
    return out;
}

static void numbers(void **state)
{
    struct file rows = file_of_rows(), values = file_of_values();
    /* projection, mean, bias, class_mass; projection, mean, eigenvalues */
    const size_t in_rows = M * 2 + M + 2 + 4, in_values = M * 2 + M + 2;
    (void)state;

    check_refused(with_number(&rows, in_rows, -1), PEN_BAD_FORMAT,
                  "a landmark must be the number of a row, got -1");
    check_refused(with_number(&rows, in_rows, 0.5), PEN_BAD_FORMAT,
                  "a landmark must be the number of a row, got 0.5");
    check_refused(with_number(&rows, in_rows, 1e300), PEN_BAD_FORMAT,
                  "a landmark must be the number of a row, got 1e+300");
    check_refused(with_number(&rows, in_rows, NAN), PEN_BAD_FORMAT, "landmark_rows");
    check_refused(with_number(&rows, in_rows + M, INFINITY), PEN_BAD_FORMAT, "landmarks");
    check_refused(with_number(&values, in_values, ROWS), PEN_BAD_FORMAT,
                  "a landmark must be the number of a row, got 12");
    const struct file same = with_number(&values, in_values, ROWS - 1);
    assert_true(check_parse(same.bytes, same.size));
    for (size_t at = 0; at < (rows.size - 8 - header_length(&rows)) / 8; at++) {
        static const double odd[] = { 0, -0.0, 1e308, -1e308, 5e-324, NAN };
        for (int64_t i = 0; i < COUNT_OF(odd); i++) {
            const struct file other = with_number(&rows, at, odd[i]);
            check_parse(other.bytes, other.size);
            free(other.bytes);
        }
    }
    free(same.bytes), free(rows.bytes), free(values.bytes);
}

/* ---- damage ---- */

/* Every shorter file is refused; every changed byte gives an error or a model that works, and every
 * changed byte of the numbers an error. */
static void check_damaged(struct file f)
{
    const size_t from = 8 + header_length(&f);

    for (size_t size = 0; size < f.size; size++)
        assert_false(check_parse(f.bytes, size));
    for (size_t i = 0; i < f.size; i++)
        for (int bit = 0; bit < 8; bit += 2) {
            f.bytes[i] ^= (unsigned char)(1 << bit);
            const int model = check_parse(f.bytes, f.size);
            CHECK(!model || i < from, "byte %zu is changed and nobody notices", i);
            f.bytes[i] ^= (unsigned char)(1 << bit);
        }
    assert_true(check_parse(f.bytes, f.size));
    free(f.bytes);
}

static void damage(void **state)
{
    (void)state;
    check_damaged(file_of_rows());
    check_damaged(file_of_values());
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
    CHECK_OK(pen_model_parse(bytes, size, &again, &err), &err);
    assert_true(pen_model_kernel(again)->gamma == 1e-309);
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
