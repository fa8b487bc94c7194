/* test_threads.c - fits give the same model, byte for byte, for any number of threads and in every
 * run. */
#include "kit/check_fit.h"

/* The bytes of the model of a fit on this number of threads; free them with pen_free. */
static void *model_bytes(const char *text, const pen_data *data, int threads, size_t *size)
{
    pen_spec *const spec = spec_of(text);
    pen_model *model = NULL;
    pen_error err;
    void *bytes;

    CHECK_OK(pen_fit(spec, data, &(pen_control){ .threads = threads }, &model, &err), &err);
    CHECK_OK(pen_model_to_bytes(model, &bytes, size, &err), &err);
    pen_model_free(model);
    return bytes;
}

/* Fits of many rows take long, so they use only five threads. */
static void check_threads(const char *text, const pen_data *data)
{
    static const int threads[] = { 5, 2, 1 };
    size_t size, other_size;
    void *const bytes = model_bytes(text, data, 1, &size);

    for (int64_t i = 0; i < (data->x.rows > 20000 ? 1 : COUNT_OF(threads)); i++) {
        void *const other = model_bytes(text, data, threads[i], &other_size);
        CHECK(size == other_size && memcmp(bytes, other, size) == 0,
              "%s, %lld x %lld, type %d: the models of 1 and %d threads differ", text,
              (long long)data->x.rows, (long long)data->x.cols, (int)data->x.dtype, threads[i]);
        pen_free(other);
    }
    pen_free(bytes);
}

static void check_sample(const char *const *texts, int64_t count, sample *s)
{
    sample_to_bytes(s);
    for (int kind = 0; kind < 3; kind++) {
        pen_data data = { .x = recast(s, (pen_dtype)kind, kind), .labels = s->y };
        for (int64_t i = 0; i < count; i++)
            check_threads(texts[i], &data);
    }
}

/* Many blocks of rows, few labels; floats and bytes take the single precision path. */
TEST(tall)
{
    static const char *const texts[] = { "pca dim=5",  "fda",
                                         "lfda dim=5", "lfda scaling_rows=all dim=3",
                                         "self dim=5", "self scale=standard pca=0.9" };
    pen_rng rng = check_rng(501);
    sample s = sample_random(&rng, check_many(27000), 40, 4, 100);
    check_sample(texts, COUNT_OF(texts), &s);
}

/* Classes with more rows than a block. */
TEST(large_classes)
{
    static const char *const texts[] = { "fda", "lfda", "self row_steps=l2" };
    pen_rng rng = check_rng(502);
    sample s = sample_random(&rng, check_many(1200), 12, 2, check_many(1150));
    check_sample(texts, COUNT_OF(texts), &s);
}

/* More columns than rows. */
TEST(wide)
{
    static const char *const texts[] = { "pca dim=5", "fda ridge=0.1", "lfda pca=10", "self dim=5",
                                         "self scale=minmax column_scaling=orthonormal" };
    pen_rng rng = check_rng(503);
    sample s = sample_random(&rng, 60, 700, 4, 40);
    check_sample(texts, COUNT_OF(texts), &s);
}

/* Many small fits: a race between threads shows up about once in a hundred runs. */
TEST(repeated_fits)
{
    static const char *const texts[] = { "self beta=0", "lfda scaling_rows=all ridge=0.1",
                                         "self pca=rank" };
    sample a = sample_golden('A');
    const pen_data data = sample_data(&a);

    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        size_t size, other_size;
        void *const bytes = model_bytes(texts[i], &data, 1, &size);
        for (int repeat = 0; repeat < check_repeats(100); repeat++) {
            void *const other = model_bytes(texts[i], &data, 2 + repeat % 3, &other_size);
            CHECK(size == other_size && memcmp(bytes, other, size) == 0,
                  "%s: fit %d of the same rows differs", texts[i], repeat);
            pen_free(other);
        }
        pen_free(bytes);
    }
}
