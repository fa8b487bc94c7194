/* test_transform.c - embedding rows: the same bits for the same row regardless of other rows, the
 * value of the formula, and models as bytes. */
#define _POSIX_C_SOURCE 200809L

#include "kit/check_fit.h"

#include <stdio.h>
#include <unistd.h>

/* ---- rows and models of every size ---- */

enum { MANY = 10000 };

static const struct {
    int64_t d, k;
} sizes[] = {
    { 1, 1 },  { 3, 1 },  { 3, 2 },   { 17, 2 },  { 17, 5 },  { 17, 17 },
    { 64, 1 }, { 64, 5 }, { 64, 17 }, { 300, 1 }, { 300, 2 }, { 300, 17 },
};

/* Rows of integers 0 .. 255 in random order, exact in every type. */
static sample bytes_sample(pen_rng *rng, int64_t n, int64_t d)
{
    sample s = sample_new(n, d);
    for (int64_t i = 0; i < n * d; i++)
        s.x[i] = (double)pen_rng_below(rng, 256);
    return s;
}

/* A model of the given size: the principal components of random rows. */
static pen_model *model_of(pen_rng *rng, int64_t d, int64_t k, const char *options)
{
    char text[128];
    sample s = bytes_sample(rng, d + 40, d);
    snprintf(text, sizeof text, "pca dim=%lld%s", (long long)k, options);
    pen_model *model = fit_sample(text, &s);
    sample_free(&s);
    return model;
}

static size_t width(pen_dtype dtype)
{
    return dtype == PEN_F64 ? 8 : dtype == PEN_F32 ? 4 : 1;
}

static void pen_embed(const pen_model *model, const pen_array *x, pen_dtype out, void *z,
                      int threads)
{
    const pen_control control = { .threads = threads };
    pen_error err;
    CHECK_OK(pen_transform(model, x, &control, out, z, pen_model_dim(model), &err), &err);
}

/* ---- the same bits ---- */

/* Row `row` alone, and at each of the three positions of a batch of three, gives the bytes at z +
 * row. */
static void check_alone(const pen_model *model, const pen_array *x, int64_t row, pen_dtype out,
                        const unsigned char *z)
{
    const int64_t k = pen_model_dim(model);
    const size_t in_bytes = width(x->dtype) * (size_t)x->cols, out_bytes = width(out) * (size_t)k;
    const unsigned char *values = x->values, *right = z + (size_t)row * out_bytes;
    unsigned char *batch = check_allocate(3, in_bytes), *got = check_allocate(3, out_bytes);
    pen_array part = pen_dense(values + (size_t)row * in_bytes, x->dtype, 1, x->cols, x->cols);

    pen_embed(model, &part, out, got, 1);
    CHECK(memcmp(got, right, out_bytes) == 0,
          "d %lld k %lld in %d out %d: row %lld has other bits alone", (long long)x->cols,
          (long long)k, (int)x->dtype, (int)out, (long long)row);
    for (int64_t place = 0; place < 3; place++) {
        for (int64_t i = 0; i < 3; i++)
            memcpy(batch + (size_t)i * in_bytes,
                   values + (size_t)((row + i - place + MANY) % MANY) * in_bytes, in_bytes);
        part = pen_dense(batch, x->dtype, 3, x->cols, x->cols);
        pen_embed(model, &part, out, got, 2);
        CHECK(memcmp(got + (size_t)place * out_bytes, right, out_bytes) == 0,
              "d %lld k %lld in %d out %d: row %lld has other bits at place %lld",
              (long long)x->cols, (long long)k, (int)x->dtype, (int)out, (long long)row,
              (long long)place);
    }
    free(batch);
    free(got);
}

static void check_bits(const pen_model *model, const pen_array *x, pen_dtype out, pen_rng *rng)
{
    static const int64_t rows[] = { 0,    1,    2,    3,    4,    7,    8,   63,
                                    64,   65,   127,  255,  256,  257,  511, 1023,
                                    1024, 2048, 4095, 4096, 8191, 9998, 9999 };
    const int64_t k = pen_model_dim(model);
    const size_t size = width(out) * (size_t)(k * MANY);
    unsigned char *z = check_allocate(1, size), *other = check_allocate(1, size);

    pen_embed(model, x, out, z, 1);
    for (int threads = 2; threads <= 5; threads += 3) {
        memset(other, 0, size);
        pen_embed(model, x, out, other, threads);
        CHECK(memcmp(z, other, size) == 0, "d %lld k %lld in %d out %d: other bits with %d threads",
              (long long)x->cols, (long long)k, (int)x->dtype, (int)out, threads);
    }
    for (int64_t i = 0; i < COUNT_OF(rows); i++)
        check_alone(model, x, rows[i], out, z);
    for (int i = 0; i < check_repeats(10); i++)
        check_alone(model, x, pen_rng_below(rng, MANY), out, z);
    free(z);
    free(other);
}

static void same_bits(void **state)
{
    (void)state;
    pen_rng rng = check_rng(401);
    const int64_t step = check_effort() >= 0.15 ? 1 : 4; /* all three kinds of i % 3 */

    for (int64_t i = 0; i < COUNT_OF(sizes); i += step) {
        pen_model *model = model_of(&rng, sizes[i].d, sizes[i].k,
                                    i % 3 == 2 ? " row_steps=l2 scale=standard" : "");
        sample s = bytes_sample(&rng, MANY, sizes[i].d);
        for (int kind = 0; kind < 3; kind++) {
            pen_array x = recast(&s, (pen_dtype)kind, 0);
            check_bits(model, &x, PEN_F64, &rng);
            check_bits(model, &x, PEN_F32, &rng);
            recast_free(&x);
        }
        sample_free(&s);
        pen_model_free(model);
    }
}

/* ---- the value ---- */

/* (x - mean) W of one row, and the sum of the absolute terms, to which rounding errors are
 * relative. */
static void formula(const pen_model *model, const double *row, double *z, double *size)
{
    const int64_t d = pen_model_columns(model), k = pen_model_dim(model);
    const double *mean = pen_model_tensor(model, "mean").values,
                 *w = pen_model_tensor(model, "projection").values;

    for (int64_t j = 0; j < k; j++) {
        z[j] = size[j] = 0;
        for (int64_t c = 0; c < d; c++) {
            z[j] += (row[c] - mean[c]) * w[c * k + j];
            size[j] += (fabs(row[c]) + fabs(mean[c])) * fabs(w[c * k + j]);
        }
    }
}

/* Both output types, rows with gaps on both sides, and nothing written to the gaps. */
static void check_values(const pen_model *model, const sample *s, pen_dtype dtype, int unit)
{
    const int64_t d = s->d, k = pen_model_dim(model), stride = k + 2;
    pen_array x = recast(s, dtype, 5);
    double *z = check_allocate(s->n * stride, sizeof *z), *right = check_allocate(k, sizeof *right),
           *size = check_allocate(k, sizeof *size);
    double *row = check_allocate(d, sizeof *row);
    float *narrow = check_allocate(s->n * stride, sizeof *narrow);
    pen_error err;

    for (int64_t i = 0; i < s->n * stride; i++)
        z[i] = narrow[i] = -1.5f;
    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, stride, &err), &err);
    CHECK_OK(pen_transform(model, &x, NULL, PEN_F32, narrow, stride, &err), &err);
    for (int64_t i = 0; i < s->n; i++) {
        double square = 0;
        for (int64_t c = 0; c < d; c++)
            square += s->x[i * d + c] * s->x[i * d + c];
        for (int64_t c = 0; c < d; c++)
            row[c] = s->x[i * d + c] / (unit && square > 0 ? sqrt(square) : 1);
        formula(model, row, right, size);
        for (int64_t j = 0; j < k; j++) {
            CHECK_CLOSE(z[i * stride + j], right[j], 0, 1e-13 * size[j]);
            CHECK_CLOSE((double)narrow[i * stride + j], right[j], 1e-6, 1e-6 * size[j]);
        }
        CHECK(z[i * stride + k] == -1.5 && z[i * stride + k + 1] == -1.5,
              "row %lld: the gap was written to", (long long)i);
        CHECK(narrow[i * stride + k] == -1.5f && narrow[i * stride + k + 1] == -1.5f,
              "row %lld: the gap was written to", (long long)i);
    }
    free(z), free(right), free(size), free(row), free(narrow);
    recast_free(&x);
}

static void value_of_the_formula(void **state)
{
    (void)state;
    pen_rng rng = check_rng(402);

    for (int64_t i = 0; i < COUNT_OF(sizes); i++) {
        pen_model *plain = model_of(&rng, sizes[i].d, sizes[i].k, " scale=minmax"), *unit = NULL;
        sample s = bytes_sample(&rng, 150, sizes[i].d);
        /* a zero row remains zero when rows are normalized */
        memset(s.x, 0, (size_t)s.d * sizeof *s.x);
        if (sizes[i].d > 1) /* a single normalized column is constant */
            unit = model_of(&rng, sizes[i].d, sizes[i].k < sizes[i].d ? sizes[i].k : sizes[i].d - 1,
                            " row_steps=l2");
        for (int kind = 0; kind < 3; kind++) {
            check_values(plain, &s, (pen_dtype)kind, 0);
            if (unit)
                check_values(unit, &s, (pen_dtype)kind, 1);
        }
        sample_free(&s);
        pen_model_free(plain);
        pen_model_free(unit);
    }
}

/* ---- errors ---- */

static void errors(void **state)
{
    (void)state;
    pen_rng rng = check_rng(403);
    pen_model *model = model_of(&rng, 6, 2, "");
    sample s = bytes_sample(&rng, 20, 6);
    const pen_array good = pen_dense(s.x, PEN_F64, 20, 6, 6);
    pen_array bad = good;
    double z[40];
    float narrow[40];
    pen_error err;

    bad.cols = 5;
    CHECK_STATUS(pen_transform(model, &bad, NULL, PEN_F64, z, 2, &err), PEN_BAD_DATA, "5", &err);
    CHECK(strstr(err.message, "6"), "the message does not say how many columns are wanted: %s",
          err.message);
    bad = good;
    bad.stride = 5;
    CHECK_STATUS(pen_transform(model, &bad, NULL, PEN_F64, z, 2, &err), PEN_BAD_ARGUMENT, "stride",
                 &err);
    bad = good;
    bad.dtype = (pen_dtype)9;
    CHECK_STATUS(pen_transform(model, &bad, NULL, PEN_F64, z, 2, &err), PEN_BAD_ARGUMENT, "9",
                 &err);
    CHECK_STATUS(pen_transform(model, &good, NULL, PEN_F64, z, 1, &err), PEN_BAD_ARGUMENT, "stride",
                 &err);
    CHECK_STATUS(pen_transform(model, &good, NULL, PEN_U8, z, 2, &err), PEN_BAD_ARGUMENT, NULL,
                 &err);
    CHECK_STATUS(
        pen_transform(model, &good, &(pen_control){ .threads = 5000 }, PEN_F64, z, 2, &err),
        PEN_BAD_ARGUMENT, "5000", &err);
    s.x[17 * 6 + 4] = NAN;
    CHECK_STATUS(pen_transform(model, &good, NULL, PEN_F64, z, 2, &err), PEN_NOT_FINITE,
                 "row 17, column 4", &err);
    s.x[3 * 6 + 5] = -INFINITY;
    CHECK_STATUS(pen_transform(model, &good, NULL, PEN_F32, narrow, 2, &err), PEN_NOT_FINITE,
                 "row 3, column 5", &err);
    s.x[3 * 6 + 5] = s.x[17 * 6 + 4] = 1;
    for (int c = 0; c < 6; c++)
        s.x[9 * 6 + c] = 1e200 * pen_model_tensor(model, "projection").values[c * 2];
    CHECK_OK(pen_transform(model, &good, NULL, PEN_F64, z, 2, &err), &err);
    CHECK_STATUS(pen_transform(model, &good, NULL, PEN_F32, narrow, 2, &err), PEN_BAD_DATA, "row 9",
                 &err);
    pen_model_free(model);
    sample_free(&s);
}

static int stop_at_once(void *user, const char *phase, int64_t done, int64_t total)
{
    CHECK(phase && phase[0] && done >= 0 && done <= total, "progress: phase %s, %lld of %lld",
          phase ? phase : "none", (long long)done, (long long)total);
    ++*(int *)user;
    return 1;
}

static void cancelling(void **state)
{
    (void)state;
    pen_rng rng = check_rng(404);
    sample s = bytes_sample(&rng, 400, 8);
    int calls = 0;
    const pen_control control = { .progress = stop_at_once, .user = &calls };
    const pen_data data = sample_data(&s);
    pen_model *model = NULL;
    pen_spec *spec = spec_of("pca");
    pen_error err;
    double *z = check_allocate(400 * 8, sizeof *z);

    CHECK_STATUS(pen_fit(spec, &data, &control, &model, &err), PEN_CANCELLED, NULL, &err);
    CHECK(model == NULL && calls == 1, "after the stop there is a model, or %d calls were made",
          calls);
    CHECK_OK(pen_fit(spec, &data, NULL, &model, &err), &err);
    CHECK_STATUS(pen_transform(model, &data.x, &control, PEN_F64, z, 8, &err), PEN_CANCELLED, NULL,
                 &err);
    CHECK(calls == 2, "%d calls of the progress function, expected 2", calls);
    free(z);
    pen_spec_free(spec);
    pen_model_free(model);
    sample_free(&s);
}

/* ---- models as bytes ---- */

static char *temporary(char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/penumbra-transform-%ld.pen", folder ? folder : "/tmp", (long)getpid());
    return path;
}

/* The bytes of a file; free them with free(). */
static unsigned char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL, "%s cannot be opened", path);
    unsigned char *bytes = check_allocate(1, 1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* A small model with every part that a model can have. */
static pen_model *named_model(pen_rng *rng)
{
    static const char *const features[] = { "height", "w\"eight\\", "\xc3\xa9t\xc3\xa9", "" };
    static const char *const classes[] = { "no", "yes, always", "\xe2\x82\xac" };
    sample s = sample_random(rng, 30, 4, 3, 20);
    pen_data data = sample_data(&s);

    data.column_names = features;
    data.class_names = classes;
    data.class_count = 3;
    pen_model *model = fit_data("self beta=0.25 dim=3", &data);
    sample_free(&s);
    return model;
}

static void check_text(const char *a, const char *b, const char *what)
{
    CHECK((a == NULL) == (b == NULL) && (!a || strcmp(a, b) == 0), "%s: \"%s\" became \"%s\"", what,
          a ? a : "NULL", b ? b : "NULL");
}

/* Every getter returns the same, and rows embed to the same bits. */
static void check_equal_models(const pen_model *a, const pen_model *b, pen_rng *rng)
{
    const int64_t d = pen_model_columns(a), k = pen_model_dim(a);

    CHECK(pen_model_columns(b) == d && pen_model_dim(b) == k, "the sizes changed");
    CHECK(memcmp(pen_model_tensor(a, "projection").values, pen_model_tensor(b, "projection").values,
                 (size_t)(d * k) * 8)
              == 0,
          "the projection changed");
    CHECK(memcmp(pen_model_tensor(a, "mean").values, pen_model_tensor(b, "mean").values,
                 (size_t)d * 8)
              == 0,
          "the mean changed");
    CHECK(memcmp(pen_model_tensor(a, "eigenvalues").values,
                 pen_model_tensor(b, "eigenvalues").values, (size_t)k * 8)
              == 0,
          "the eigenvalues changed");
    check_text(model_text(a, "method"), model_text(b, "method"), "method");
    check_text(model_text(a, "parameters"), model_text(b, "parameters"), "parameters");
    check_text(pen_model_info(a), pen_model_info(b), "info");
    CHECK(pen_model_class_count(a) == pen_model_class_count(b), "the number of classes changed");
    for (int64_t i = -1; i <= pen_model_class_count(a); i++)
        check_text(pen_model_class_name(a, i), pen_model_class_name(b, i), "class name");
    for (int64_t i = -1; i <= d; i++)
        check_text(pen_model_column_name(a, i), pen_model_column_name(b, i), "column name");

    sample s = bytes_sample(rng, 40, d);
    const pen_array x = pen_dense(s.x, PEN_F64, 40, d, d);
    double *z = check_allocate(40 * k, sizeof *z), *other = check_allocate(40 * k, sizeof *other);
    pen_embed(a, &x, PEN_F64, z, 1);
    pen_embed(b, &x, PEN_F64, other, 1);
    CHECK(memcmp(z, other, (size_t)(40 * k) * sizeof *z) == 0, "rows embed to other bits");
    free(z);
    free(other);
    sample_free(&s);
}

static void round_trip(void **state)
{
    (void)state;
    pen_rng rng = check_rng(405);
    pen_model *models[] = { named_model(&rng),
                            model_of(&rng, 64, 5, " row_steps=l2 scale=standard"),
                            model_of(&rng, 1, 1, "") };
    char path[256];
    pen_error err;

    CHECK(strcmp(pen_model_class_name(models[0], 1), "yes, always") == 0, "class 1 is called %s",
          pen_model_class_name(models[0], 1));
    CHECK(strcmp(pen_model_column_name(models[0], 0), "height") == 0, "feature 0 is called %s",
          pen_model_column_name(models[0], 0));
    CHECK(pen_model_column_name(models[1], 0) == NULL, "a feature has a name that nobody gave");
    for (int i = 0; i < 3; i++) {
        pen_model *loaded = NULL, *parsed = NULL;
        size_t size;
        CHECK_OK(pen_model_save(models[i], temporary(path, sizeof path), &err), &err);
        CHECK_OK(pen_model_load(path, &loaded, &err), &err);
        unsigned char *bytes = bytes_of(path, &size);
        CHECK_OK(pen_model_from_bytes(bytes, size, &parsed, &err), &err);
        free(bytes);
        check_equal_models(models[i], loaded, &rng);
        check_equal_models(models[i], parsed, &rng);
        pen_model_free(loaded);
        pen_model_free(parsed);
        pen_model_free(models[i]);
    }
    unlink(path);
    pen_model *none = NULL;
    CHECK_STATUS(pen_model_load(path, &none, &err), PEN_FILE_ERROR, path, &err);
    CHECK(none == NULL, "a file that is not there gives a model");
}

/* Arbitrary bytes give an error or a valid model. */
static int check_bytes(const unsigned char *bytes, size_t size)
{
    pen_model *model = NULL;
    pen_error err;
    /* exact size, so that a checker detects reads past the end */
    unsigned char *own = check_allocate(1, size ? size : 1);
    memcpy(own, bytes, size);
    const pen_status status = pen_model_from_bytes(own, size, &model, &err);
    free(own);

    if (status != PEN_OK) {
        CHECK(model == NULL && err.code == status && err.message[0],
              "an error without a text, or with a model");
        CHECK(status == PEN_BAD_FORMAT || status == PEN_NEWER_FORMAT, "status %d: %s", (int)status,
              err.message);
        return 0;
    }
    const expected e = expected_of(model);
    CHECK(e.d >= 1 && e.k >= 1, "a model of %lld columns and %lld dimensions", (long long)e.d,
          (long long)e.k);
    CHECK(all_finite(e.d * e.k, e.w) && all_finite(e.d, e.mean) && all_finite(e.k, e.lambda),
          "a model that is not finite");
    CHECK(model_text(model, "method") && model_text(model, "parameters") && pen_model_info(model),
          "a model without its texts");
    for (int64_t i = 0; i < pen_model_class_count(model); i++)
        CHECK(pen_model_class_name(model, i) != NULL, "a class without a name");
    double *row = check_allocate(e.d, sizeof *row), *z = check_allocate(e.k, sizeof *z);
    const pen_array x = pen_dense(row, PEN_F64, 1, e.d, e.d);
    (void)pen_transform(model, &x, NULL, PEN_F64, z, e.k, &err);
    free(row);
    free(z);
    pen_model_free(model);
    return 1;
}

static void damaged_bytes(void **state)
{
    (void)state;
    pen_rng rng = check_rng(406);
    pen_model *model = named_model(&rng);
    char path[256];
    pen_error err;
    size_t size;

    CHECK_OK(pen_model_save(model, temporary(path, sizeof path), &err), &err);
    unsigned char *bytes = bytes_of(path, &size);
    CHECK(check_bytes(bytes, size), "the whole file is no model");
    for (size_t cut = 0; cut < size; cut++)
        CHECK(!check_bytes(bytes, cut), "the first %zu of %zu bytes are a model", cut, size);
    CHECK(!check_bytes(bytes, size + 8), "a file with more bytes than it says is a model");
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] = (unsigned char)(bytes[i] ^ 1u << bit);
            check_bytes(bytes, size);
            bytes[i] = (unsigned char)(bytes[i] ^ 1u << bit);
        }
    for (int repeat = 0; repeat < check_repeats(3000); repeat++) {
        unsigned char kept[8];
        const size_t at = (size_t)pen_rng_below(&rng, (int64_t)size - 8);
        const uint64_t noise = pen_rng_next(&rng);
        memcpy(kept, bytes + at, 8);
        memcpy(bytes + at, &noise, (size_t)(1 + repeat % 8));
        check_bytes(bytes, size);
        memcpy(bytes + at, kept, 8);
    }
    free(bytes);
    unlink(path);
    pen_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),  cmocka_unit_test(value_of_the_formula),
        cmocka_unit_test(errors),     cmocka_unit_test(cancelling),
        cmocka_unit_test(round_trip), cmocka_unit_test(damaged_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
