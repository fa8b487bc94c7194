/* fuzz_stats.c - statistics files. An accepted file is written with the same contents, cannot be
 * merged with itself, and gives a model or an error with a message. */
#include "fuzz.h"
#include "stats/stats.h"

static void promise_parts(const pen_stats *s)
{
    int64_t rows = 0;

    PROMISE(s->d >= 1 && s->block_count >= 1 && s->parts > 0);
    for (int64_t b = 0; b < s->block_count; b++) {
        const int64_t *const block = s->blocks + 3 * b;
        PROMISE(block[0] >= 0 && (b == 0 || block[0] > block[-3]));
        PROMISE(block[2] >= 0 && block[2] <= block[1]);
        rows += block[1];
    }
    PROMISE(s->kept <= rows);
    PROMISE((s->parts & PEN_PART_NEAREST) != 0 || s->near == 0);
    PROMISE(pen_stats_info(s, NULL, 0) > 0);
}

/* Serializing an object and reading it gives the same object. */
static void promise_file(const pen_stats *s)
{
    void *bytes, *more;
    size_t size, again;
    pen_stats *same;
    pen_error err;

    if (pen_stats_to_bytes(s, &bytes, &size, &err) != PEN_OK)
        return;
    PROMISE(pen_stats_from_bytes(bytes, size, &same, &err) == PEN_OK);
    PROMISE(pen_stats_to_bytes(same, &more, &again, &err) == PEN_OK);
    PROMISE(size == again && memcmp(bytes, more, size) == 0);
    pen_stats_free(same);
    pen_free(bytes);
    pen_free(more);
}

static void promise_merges(const pen_stats *s)
{
    const pen_stats *const twice[] = { s, s };
    pen_stats *out = NULL;
    pen_error err;

    const pen_status status = pen_stats_merge(twice, 2, 0, NULL, &out, &err);
    PROMISE(status != PEN_OK);
    promise_failure(status, &err, out);
}

static void promise_fit(const pen_stats *s, const char *method)
{
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_error err;

    PROMISE(pen_spec_new(method, &spec, &err) == PEN_OK);
    const pen_status status = pen_stats_fit(spec, s, NULL, NULL, &model, &err);
    if (status != PEN_OK)
        promise_failure(status, &err, model);
    pen_model_free(model);
    pen_spec_free(spec);
}

static void parse(const uint8_t *data, size_t size)
{
    pen_stats *s = NULL;
    pen_error err;
    const pen_status status = pen_stats_from_bytes(data, size, &s, &err);

    if (status != PEN_OK) {
        promise_failure(status, &err, s);
        return;
    }
    promise_parts(s);
    promise_file(s);
    promise_merges(s);
    if (s->d <= 64) {
        promise_fit(s, "pca");
        promise_fit(s, "fda");
        promise_fit(s, "self");
        promise_fit(s, "ssdr");
        promise_fit(s, "sda");
        promise_fit(s, "npssdr");
    }
    pen_stats_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    with_checksum(data, size, parse);
    return 0;
}
