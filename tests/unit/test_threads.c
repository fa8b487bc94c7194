/* test_threads.c - the same fit gives the same model file, byte for byte, for any number of threads
 * and on every run. */
#define _POSIX_C_SOURCE 200809L

#include "kit/check_fit.h"

#include <stdio.h>
#include <unistd.h>

/* The bytes of the model file of a fit on the given number of threads. */
static unsigned char *model_bytes(const char *text, const pen_data *data, int threads, size_t *size)
{
    const char *folder = getenv("TMPDIR");
    const pen_control control = { .threads = threads };
    pen_spec *spec = spec_of(text);
    pen_model *model = NULL;
    pen_error err;
    char path[256];

    snprintf(path, sizeof path, "%s/penumbra-threads-%ld.pen", folder ? folder : "/tmp",
             (long)getpid());
    CHECK_OK(pen_fit(spec, data, &control, &model, &err), &err);
    CHECK_OK(pen_model_save(model, path, &err), &err);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL, "%s cannot be opened", path);
    unsigned char *bytes = check_allocate(1, 1 << 22);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    unlink(path);
    pen_model_free(model);
    pen_spec_free(spec);
    return bytes;
}

static void check_threads(const char *text, const pen_data *data)
{
    static const int threads[] = { 2, 5, 1 };
    size_t size, other_size;
    unsigned char *bytes = model_bytes(text, data, 1, &size);

    CHECK(size > 0 && size < 1 << 22, "%s: a model file of %zu bytes", text, size);
    for (int64_t i = 0; i < COUNT_OF(threads); i++) {
        unsigned char *other = model_bytes(text, data, threads[i], &other_size);
        size_t at = 0;
        while (at < size && at < other_size && bytes[at] == other[at])
            at++;
        CHECK(size == other_size && at == size,
              "%s, %lld x %lld, type %d: the files for 1 and %d threads differ from byte %zu on",
              text, (long long)data->x.rows, (long long)data->x.cols, (int)data->x.dtype,
              threads[i], at);
        free(other);
    }
    free(bytes);
}

static void check_sample(const char *const *texts, int64_t count, sample *s)
{
    sample_to_bytes(s);
    for (int kind = 0; kind < 3; kind++) {
        pen_data data = { .x = recast(s, (pen_dtype)kind, kind), .labels = s->y };
        for (int64_t i = 0; i < count; i++)
            check_threads(texts[i], &data);
        recast_free(&data.x);
    }
}

/* Many blocks of rows, few labels; floats and bytes use the single precision path. */
static void tall(void **state)
{
    (void)state;
    static const char *const texts[] = { "pca dim=5",  "fda",
                                         "lfda dim=5", "lfda scaling_rows=all dim=3",
                                         "self dim=5", "self scale=standard pca=0.9" };
    pen_rng rng = check_rng(501);
    sample s = sample_random(&rng, check_many(27000), 40, 4, 100);
    check_sample(texts, COUNT_OF(texts), &s);
    sample_free(&s);
}

/* Classes with more rows than one block. */
static void large_classes(void **state)
{
    (void)state;
    static const char *const texts[] = { "fda", "lfda", "self row_steps=l2" };
    pen_rng rng = check_rng(502);
    sample s = sample_random(&rng, check_many(1200), 12, 2, check_many(1150));
    check_sample(texts, COUNT_OF(texts), &s);
    sample_free(&s);
}

/* More columns than rows. */
static void wide(void **state)
{
    (void)state;
    static const char *const texts[] = { "pca dim=5", "fda ridge=0.1", "lfda pca=10", "self dim=5",
                                         "self scale=minmax column_scaling=orthonormal" };
    pen_rng rng = check_rng(503);
    sample s = sample_random(&rng, 60, 700, 4, 40);
    check_sample(texts, COUNT_OF(texts), &s);
    sample_free(&s);
}

/* Many small fits: unlocked sharing between threads shows up about once in a hundred runs. */
static void repeated_fits(void **state)
{
    (void)state;
    static const char *const texts[] = { "self beta=0", "lfda scaling_rows=all ridge=0.1",
                                         "self pca=rank" };
    sample a = sample_golden('A');
    const pen_data data = sample_data(&a);

    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        size_t size, other_size;
        unsigned char *bytes = model_bytes(texts[i], &data, 1, &size);
        for (int repeat = 0; repeat < check_repeats(100); repeat++) {
            unsigned char *other = model_bytes(texts[i], &data, 2 + repeat % 3, &other_size);
            CHECK(size == other_size && memcmp(bytes, other, size) == 0,
                  "%s: fit %d of the same rows is another", texts[i], repeat);
            free(other);
        }
        free(bytes);
    }
    sample_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(tall), cmocka_unit_test(large_classes),
                                        cmocka_unit_test(wide), cmocka_unit_test(repeated_fits) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
