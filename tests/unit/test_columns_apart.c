/* test_columns_apart.c - arrays with a column stride give the same bits as row-major ones, in every
 * call that reads rows. */
#include "core/rows.h"
#include "kit/measures.h"

#include <stdio.h>
#include <unistd.h>

/* Memory layouts of the same values. */
enum layout { COLUMN_MAJOR, EVERY_SECOND, BACKWARDS, LAYOUTS };

static const char *const layout_names[] = { "column-major", "every second", "backwards" };

/* Copies a row-major array into another layout, surrounded by guard bytes. */
static pen_array laid_out(const pen_array *x, enum layout layout)
{
    const int64_t n = x->rows, d = x->cols, size = (int64_t)pen_size(x->dtype);
    int64_t room = n * d, origin = 0;
    pen_array out = *x;

    out.stride = 1;
    out.step = n;
    if (layout == EVERY_SECOND) {
        out.stride = 4 * d + 3;
        out.step = 2;
        room = n * out.stride;
    } else if (layout == BACKWARDS) {
        out.stride = -d;
        out.step = -1;
        origin = n * d - 1;
    }
    char *const bytes = check_allocate(room, (size_t)size);
    memset(bytes, 0xFF, (size_t)(room * size)); /* NaN, except in bytes */
    out.values = bytes + origin * size;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            memcpy(bytes + (origin + i * out.stride + j * out.step) * size,
                   (const char *)x->values + (i * x->stride + j) * size, (size_t)size);
    return out;
}

/* Both models have the same file, embedding, and classes. */
static void check_models(const pen_model *model, const pen_model *other, const pen_array *x,
                         const pen_array *apart, const char *what)
{
    const int64_t k = pen_model_dim(model), n = x->rows, classes = pen_model_class_count(model);
    const pen_model *const models[] = { model, other };
    double *const z = check_allocate(2 * n * k, 8), *const scores =
                                                        check_allocate(2 * n * classes, 8);
    int32_t *const found = check_allocate(2 * n, 4);
    void *bytes[2];
    size_t size[2];
    pen_error err;

    for (int m = 0; m < 2; m++) {
        const pen_array *const of = m ? apart : x;
        CHECK_OK(pen_model_to_bytes(models[m], &bytes[m], &size[m], &err), &err);
        CHECK_OK(pen_transform(model, of, NULL, PEN_F64, z + m * n * k, k, &err), &err);
        if (model_text(model, "classifier"))
            CHECK_OK(
                pen_predict(model, of, NULL, found + m * n, scores + m * n * classes, NULL, &err),
                &err);
    }
    CHECK(size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0, "%s: the model differs",
          what);
    CHECK(memcmp(z, z + n * k, (size_t)(n * k) * 8) == 0, "%s: the embedding differs", what);
    CHECK(memcmp(found, found + n, (size_t)n * 4) == 0
              && memcmp(scores, scores + n * classes, (size_t)(n * classes) * 8) == 0,
          "%s: other classes", what);
    pen_free(bytes[0]), pen_free(bytes[1]);
}

/* The model of all layouts of rows of this type. */
static void check_layouts(const char *text, const sample *s, pen_dtype type)
{
    pen_data data = sample_data(s);
    pen_array x = recast(s, type, 0);

    data.x = x;
    pen_model *const model = fit_data(text, &data);
    for (int layout = 0; layout < LAYOUTS; layout++) {
        char what[160];
        snprintf(what, sizeof what, "%s, type %d, %s", text, (int)type, layout_names[layout]);
        data.x = laid_out(&x, (enum layout)layout);
        pen_model *const other = fit_data(text, &data);
        check_models(model, other, &x, &data.x, what);
    }
}

TEST(every_method)
{
    pen_rng rng = check_rng(1501);
    sample s = sample_random(&rng, 45, 5, 3, 24);

    sample_to_bytes(&s);
    memcpy(s.x + 40 * s.d, s.x + 7 * s.d, (size_t)s.d * sizeof *s.x); /* duplicate rows */
    for (int64_t m = 0; pen_method_at(m); m++)
        for (int type = PEN_F64; type <= PEN_U8; type++)
            check_layouts(pen_method_at(m)->name, &s, (pen_dtype)type);
}

/* Other kinds of coordinates, and enough values for blocks in single precision. */
TEST(other_coordinates)
{
    static const char *const texts[] = { "self row_steps=l2 scale=standard", "lpp scale=minmax",
                                         "self pca=3 row_steps=l2", "bwdr pca=rank" };
    pen_rng rng = check_rng(1502);
    sample s = sample_random(&rng, 50, 5, 3, 20), wide = sample_random(&rng, 20, 50, 3, 12),
           large = sample_random(&rng, 8200, 128, 4, 60);

    sample_to_bytes(&large);
    for (int type = PEN_F64; type <= PEN_F32; type++)
        for (int64_t t = 0; t < COUNT_OF(texts); t++)
            check_layouts(texts[t], &s, (pen_dtype)type);
    check_layouts("self", &wide, PEN_F64);
    for (int type = PEN_F32; type <= PEN_U8; type++) {
        check_layouts("self beta=0.5 dim=3", &large, (pen_dtype)type);
        check_layouts("self beta=0.5 dim=3 row_steps=l2", &large, (pen_dtype)type);
    }
}

TEST(other_calls)
{
    pen_rng rng = check_rng(1503);
    sample s = sample_random(&rng, 60, 5, 3, 60);

    sample_to_bytes(&s);
    for (int64_t i = 0; i < s.n; i++)
        s.x[i * s.d + 2] = s.y[i]; /* a leaking column */
    for (int type = PEN_F64; type <= PEN_U8; type++) {
        struct measures *const right = check_allocate(2, sizeof *right), *const found = right + 1;
        pen_data data = sample_data(&s);
        pen_array x = recast(&s, (pen_dtype)type, 0);
        data.x = x;
        measure(data, &data.x, right);
        CHECK(right->leaks == 1 && right->leak.first == 2, "no leak found in column 2");
        for (int layout = 0; layout < LAYOUTS; layout++) {
            data.x = laid_out(&x, (enum layout)layout);
            measure(data, &data.x, found);
            CHECK(memcmp(found, right, sizeof *found) == 0, "type %d, %s: measures differ", type,
                  layout_names[layout]);
        }
    }
}

/* Reads the bytes of a file. */
static int64_t contents(const char *path, char *bytes, int64_t room)
{
    FILE *const file = fopen(path, "rb");
    CHECK(file, "%s: cannot be opened", path);
    const int64_t count = (int64_t)fread(bytes, 1, (size_t)room, file);
    fclose(file);
    return count;
}

TEST(writing)
{
    enum { ROOM = 1 << 18 };
    static const char *const ends[] = { ".csv", ".npy" };
    pen_rng rng = check_rng(1504);
    sample s = sample_random(&rng, 9, 700, 1, 0); /* a row takes several pieces */
    char *const right = check_allocate(2, ROOM), *const found = right + ROOM;
    pen_error err;

    for (int type = PEN_F64; type <= PEN_F32; type++)
        for (int e = 0; e < 2; e++) {
            char path[64];
            pen_array x = recast(&s, (pen_dtype)type, 0);
            snprintf(path, sizeof path, "columns-apart-%ld%s", (long)getpid(), ends[e]);
            CHECK_OK(pen_write(path, &x, NULL, &err), &err);
            const int64_t count = contents(path, right, ROOM);
            for (int layout = 0; layout < LAYOUTS; layout++) {
                const pen_array apart = laid_out(&x, (enum layout)layout);
                CHECK_OK(pen_write(path, &apart, NULL, &err), &err);
                CHECK(contents(path, found, ROOM) == count
                          && memcmp(found, right, (size_t)count) == 0,
                      "%s, %s: the file differs", path, layout_names[layout]);
            }
            unlink(path);
        }
}

/* Checks every element against the formula of the header. */
TEST(gathering)
{
    static const int64_t some[] = { 5, 6, 7, 70, 71, 3, 99, 0, 1, 2 };
    pen_rng rng = check_rng(1505);
    sample s = sample_random(&rng, 100, 45, 1, 0);
    double block[100 * 45];

    sample_to_bytes(&s);
    for (int type = PEN_F64; type <= PEN_U8; type++)
        for (int layout = 0; layout < LAYOUTS; layout++) {
            pen_array x = recast(&s, (pen_dtype)type, 0);
            const pen_array apart = laid_out(&x, (enum layout)layout);
            pen_array_gather(&apart, NULL, 3, 90, 2, 40, PEN_F64, block);
            for (int64_t i = 0; i < 90; i++)
                for (int64_t j = 0; j < 40; j++)
                    CHECK(block[i * 40 + j] == s.x[(3 + i) * s.d + 2 + j], "at %lld, %lld",
                          (long long)i, (long long)j);
            pen_array_gather(&apart, some, 1, 9, 0, s.d, PEN_F64, block);
            for (int64_t i = 0; i < 9; i++)
                for (int64_t j = 0; j < s.d; j++)
                    CHECK(block[i * s.d + j] == s.x[some[1 + i] * s.d + j], "row %lld",
                          (long long)some[1 + i]);
        }
}

TEST(limits)
{
    static const double values[] = { 1, 2, 3, 4, 5, 6 };
    int64_t index[4];
    pen_error err;
    pen_array x = pen_dense(values, PEN_F64, 4, 3, 1);

    CHECK_STATUS(pen_neighbors(&x, NULL, 1, NULL, index, NULL, &err), PEN_BAD_ARGUMENT,
                 "x: stride must be >= 3, the number of columns, unless a step is given, got 1",
                 &err);
    x.step = 1; /* a moving window */
    CHECK_OK(pen_neighbors(&x, NULL, 1, NULL, index, NULL, &err), &err);
    CHECK(index[0] == 1 && index[3] == 2, "neighbors %lld, %lld", (long long)index[0],
          (long long)index[3]);
    x.stride = 0; /* one row, repeated */
    CHECK_OK(pen_neighbors(&x, NULL, 1, NULL, index, NULL, &err), &err);
    CHECK(index[0] == 1 && index[3] == 0, "neighbors %lld, %lld", (long long)index[0],
          (long long)index[3]);
    static const int64_t far[][2] = { { INT64_MAX, 1 },      { 1, INT64_MAX },
                                      { INT64_MIN, 1 },      { 1, INT64_MIN },
                                      { INT64_MAX / 32, 1 }, { 1, -(INT64_MAX / 32) } };
    for (int64_t i = 0; i < COUNT_OF(far); i++) {
        x.stride = far[i][0];
        x.step = far[i][1];
        CHECK_STATUS(pen_neighbors(&x, NULL, 1, NULL, index, NULL, &err), PEN_BAD_DATA,
                     "x: 4 rows are too many for memory", &err);
        CHECK_STATUS(pen_write("never-written.npy", &x, NULL, &err), PEN_BAD_ARGUMENT,
                     "rows to write: 4 rows are more than memory can hold", &err);
    }
}
