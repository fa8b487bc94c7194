/* test_transform.c - embedding rows: the same bits for a row regardless of other rows, the value of
 * the formula; names in model files. */
#include "kit/model_bytes.h"

#include <stdio.h>

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

/* Row `row` alone, and at each position of a batch of three, gives the bytes at z + row. */
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
          "d %lld k %lld in %d out %d: bits of row %lld alone differ", (long long)x->cols,
          (long long)k, (int)x->dtype, (int)out, (long long)row);
    for (int64_t place = 0; place < 3; place++) {
        for (int64_t i = 0; i < 3; i++)
            memcpy(batch + (size_t)i * in_bytes,
                   values + (size_t)((row + i - place + MANY) % MANY) * in_bytes, in_bytes);
        part = pen_dense(batch, x->dtype, 3, x->cols, x->cols);
        pen_embed(model, &part, out, got, 2);
        CHECK(memcmp(got + (size_t)place * out_bytes, right, out_bytes) == 0,
              "d %lld k %lld in %d out %d: bits of row %lld at place %lld differ",
              (long long)x->cols, (long long)k, (int)x->dtype, (int)out, (long long)row,
              (long long)place);
    }
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
        CHECK(memcmp(z, other, size) == 0, "d %lld k %lld in %d out %d: %d threads differ",
              (long long)x->cols, (long long)k, (int)x->dtype, (int)out, threads);
    }
    for (int64_t i = 0; i < COUNT_OF(rows); i++)
        check_alone(model, x, rows[i], out, z);
    for (int i = 0; i < check_repeats(10); i++)
        check_alone(model, x, pen_rng_below(rng, MANY), out, z);
}

TEST(same_bits)
{
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
        }
    }
}

/* (x - mean) W of one row, and the sum of absolute terms as the scale of rounding errors. */
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

/* Both output types, strided rows on both sides, and nothing written between rows. */
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
        const double square = dense_dot(d, s->x + i * d, s->x + i * d);
        for (int64_t c = 0; c < d; c++)
            row[c] = s->x[i * d + c] / (unit && square > 0 ? sqrt(square) : 1);
        formula(model, row, right, size);
        for (int64_t j = 0; j < k; j++) {
            CHECK_CLOSE(z[i * stride + j], right[j], 0, 1e-13 * size[j]);
            CHECK_CLOSE((double)narrow[i * stride + j], right[j], 1e-6, 1e-6 * size[j]);
        }
        for (int64_t j = k; j < stride; j++)
            CHECK(z[i * stride + j] == -1.5 && narrow[i * stride + j] == -1.5f,
                  "row %lld: the gap was written to", (long long)i);
    }
}

TEST(value_of_the_formula)
{
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
    }
}

static int stop_at_once(void *user, const char *phase, int64_t done, int64_t total)
{
    CHECK(phase && phase[0] && done >= 0 && done <= total, "progress: phase %s, %lld of %lld",
          phase ? phase : "none", (long long)done, (long long)total);
    return 1;
}

TEST(errors)
{
    pen_rng rng = check_rng(403);
    pen_model *const model = model_of(&rng, 6, 2, "");
    sample s = bytes_sample(&rng, 20, 6);
    const pen_array good = pen_dense(s.x, PEN_F64, 20, 6, 6);
    const struct {
        pen_array x;
        pen_dtype out;
        int64_t stride;
        pen_control control;
        pen_status code;
        const char *phrase;
    } bad[] = {
        { pen_dense(s.x, PEN_F64, 20, 5, 6),
          PEN_F64,
          2,
          { 0 },
          PEN_BAD_DATA,
          "must have 6 columns, as the model was fitted on, got 5" },
        { pen_dense(s.x, PEN_F64, 20, 6, 5), PEN_F64, 2, { 0 }, PEN_BAD_ARGUMENT, "stride" },
        { pen_dense(s.x, (pen_dtype)9, 20, 6, 6), PEN_F64, 2, { 0 }, PEN_BAD_ARGUMENT, "9" },
        { good, PEN_F64, 1, { 0 }, PEN_BAD_ARGUMENT, "stride" },
        { good, PEN_U8, 2, { 0 }, PEN_BAD_ARGUMENT, NULL },
        { good, PEN_F64, 2, { .threads = 5000 }, PEN_BAD_ARGUMENT, "5000" },
        { good, PEN_F64, 2, { .progress = stop_at_once }, PEN_CANCELLED, NULL },
    };
    double z[40];
    float narrow[40];
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(bad); i++)
        CHECK_STATUS(
            pen_transform(model, &bad[i].x, &bad[i].control, bad[i].out, z, bad[i].stride, &err),
            bad[i].code, bad[i].phrase, &err);
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
}

/* Names with any characters are read back, and every change of such a file is noticed. */
TEST(names_in_a_file)
{
    static const char *const features[] = { "height", "w\"eight\\", "\xc3\xa9t\xc3\xa9", "" },
                             *const classes[] = { "no", "yes, always", "\xe2\x82\xac" };
    pen_rng rng = check_rng(405);
    sample s = sample_random(&rng, 30, 4, 3, 20);
    pen_data data = sample_data(&s);
    model_file file;
    pen_model *again;
    pen_error err;
    data.column_names = features;
    data.class_names = classes;
    data.class_count = 3;
    pen_model *const model = fit_data("self beta=0.25 dim=3", &data);
    file.bytes = model_bytes(model, &file.size);
    CHECK_OK(pen_model_from_bytes(file.bytes, file.size, &again, &err), &err);
    for (int i = 0; i < 4; i++)
        assert_string_equal(pen_model_column_name(again, i), features[i]);
    for (int i = 0; i < 3; i++)
        assert_string_equal(pen_model_class_name(again, i), classes[i]);
    assert_null(pen_model_column_name(again, 4));
    assert_null(pen_model_column_name(again, -1));
    assert_null(pen_model_class_name(again, 3));
    assert_null(pen_model_class_name(again, -1));
    check_same_model(model, again, "names");
    check_file_damaged(&file);
    pen_model_free(again);
}
