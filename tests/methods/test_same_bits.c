/* test_same_bits.c - every method gives the same bits for any number of threads, any alignment of
 * the caller's rows, and prepared rows.
 *
 * Some BLAS kernels round differently for differently aligned data: those of old processors do
 * (OPENBLAS_CORETYPE=Prescott). */
#include "kit/embedded.h"
#include "model/spec.h"

enum { MOST_BYTES = 1 << 22, BOUNDARY = 64 };

static const char *const type_names[] = { "f64", "f32", "u8" };

/* Results of a fit: the model file, the scores of its rows, and embedded doubles and floats. */
struct outcome {
    unsigned char *bytes;
    size_t size;
};

static void append(struct outcome *to, const void *bytes, size_t size)
{
    CHECK(to->size + size <= MOST_BYTES, "more than %d bytes", (int)MOST_BYTES);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void append_file(struct outcome *to, const pen_model *model)
{
    size_t size;
    unsigned char *const bytes = model_bytes(model, &size);

    append(to, bytes, size);
}

/* Memory that begins `offset` bytes after a boundary. */
static char *after_boundary(size_t size, size_t offset)
{
    char *const memory =
        aligned_alloc(BOUNDARY, (size + offset + BOUNDARY - 1) / BOUNDARY * BOUNDARY);
    if (!memory)
        abort();
    memset(memory, 0xA5, offset);
    return memory;
}

/* Rows of z at an address that depends on the offset. */
static void append_embedding(struct outcome *to, const pen_model *model, const pen_array *x,
                             pen_dtype dtype, int shifted, const pen_control *control)
{
    const size_t item = dtype == PEN_F64 ? 8 : 4,
                 size = (size_t)(x->rows * pen_model_dim(model)) * item;
    const size_t offset = shifted ? item : 0;
    char *const memory = after_boundary(size, offset);
    pen_error err;

    CHECK_OK(pen_transform(model, x, control, dtype, memory + offset, pen_model_dim(model), &err),
             &err);
    append(to, memory + offset, size);
    free(memory);
}

static pen_status fit_once(const char *text, const pen_data *data, int threads, int shifted,
                           struct outcome *out, pen_error *err)
{
    const pen_control control = { .threads = threads };
    pen_spec *spec = spec_of(text);
    pen_model *model = NULL;
    const pen_status status = pen_fit(spec, data, &control, &model, err);

    *out = (struct outcome){ .bytes = malloc(MOST_BYTES) };
    CHECK(out->bytes != NULL, "out of memory");
    if (status == PEN_OK) {
        append_file(out, model);
        if (model_values(model, "probabilities"))
            append(out, model_values(model, "probabilities"),
                   (size_t)(data->x.rows * pen_model_class_count(model)) * sizeof(double));
        append_embedding(out, model, &data->x, PEN_F64, shifted, &control);
        append_embedding(out, model, &data->x, PEN_F32, shifted, &control);
    }
    pen_model_free(model);
    return status;
}

static void check_again(const char *text, const pen_data *data, int threads, int shifted,
                        const struct outcome *first)
{
    struct outcome other;
    pen_error err;
    size_t at = 0;

    CHECK_OK(fit_once(text, data, threads, shifted, &other, &err), &err);
    while (at < first->size && at < other.size && first->bytes[at] == other.bytes[at])
        at++;
    CHECK(first->size == other.size && at == first->size,
          "%s, %lld x %lld %s: on %d threads, rows %s a boundary: bytes differ from %zu on", text,
          (long long)data->x.rows, (long long)data->x.cols, type_names[data->x.dtype], threads,
          shifted ? "after" : "on", at);
    free(other.bytes);
}

/* Every fifth row is unlabelled. */
static int32_t *labels_without_some(const pen_data *data)
{
    int32_t *const fewer = check_allocate(data->x.rows, sizeof *fewer);

    for (int64_t i = 0; i < data->x.rows; i++)
        fewer[i] = i % 5 && data->labels ? data->labels[i] : PEN_UNLABELLED;
    return fewer;
}

static int has_parameter(const char *method, const char *name)
{
    pen_spec *spec = NULL;
    pen_error err;
    double value;

    CHECK_OK(pen_spec_new(method, &spec, &err), &err);
    const int there = pen_spec_number(spec, name, &value, NULL) == PEN_OK;
    pen_spec_free(spec);
    return there;
}

/* Stores a method with its defaults, or with the first of these options that fits the rows, in
 * `text`. */
static void fit_somehow(const char *name, const pen_data *data, struct outcome *out, char text[96])
{
    static const char *const needed[][2] = { { "pca", "" },
                                             { "ridge", " ridge=0.1" },
                                             { "origin", " origin=mean ridge=0.1" },
                                             { "pca", " pca=6" } };
    pen_error err = { .code = PEN_INTERNAL };

    *out = (struct outcome){ .size = 0 };
    for (int64_t i = 0; err.code != PEN_OK && i < COUNT_OF(needed); i++) {
        if (!has_parameter(name, needed[i][0]))
            continue;
        free(out->bytes);
        snprintf(text, 96, "%s%s", name, needed[i][1]);
        fit_once(text, data, 1, 0, out, &err);
    }
    CHECK(err.code == PEN_OK, "%s, %lld x %lld %s: cannot be fitted: %s", text,
          (long long)data->x.rows, (long long)data->x.cols, type_names[data->x.dtype], err.message);
}

/* The same bits from prepared rows that a fit with fewer labels has used. */
static void check_prepared(const char *text, const pen_data *on, const struct outcome *first)
{
    int32_t *const fewer = labels_without_some(on);
    pen_data data = *on;
    struct outcome before;
    pen_error err;

    CHECK_OK(pen_rows_new(&on->x, NULL, &data.rows, &err), &err);
    data.labels = fewer;
    fit_once(text, &data, 1, 0, &before, &err);
    free(before.bytes);
    data.labels = on->labels;
    check_again(text, &data, 2, 0, first);
    check_again(text, &data, 5, 0, first);
    pen_rows_free(data.rows);
}

/* The same bits with other threads, and with rows after a boundary instead of on it. */
static void check_method(const char *name, const pen_data *on, const pen_data *after)
{
    struct outcome first;
    char text[96];

    fit_somehow(name, on, &first, text);
    check_again(text, on, 2, 0, &first);
    check_again(text, on, 5, 0, &first);
    check_again(text, after, 1, 1, &first);
    check_prepared(text, on, &first);
    free(first.bytes);
}

static void store(double value, pen_dtype dtype, char *to)
{
    const float single = (float)value;
    const uint8_t byte = (uint8_t)value;

    if (dtype == PEN_F64)
        memcpy(to, &value, sizeof value);
    else if (dtype == PEN_F32)
        memcpy(to, &single, sizeof single);
    else
        memcpy(to, &byte, sizeof byte);
}

/* The rows as `dtype`, `offset` bytes after a boundary. */
static char *rows_after(const sample *s, pen_dtype dtype, size_t offset)
{
    const size_t item = dtype == PEN_F64 ? 8 : dtype == PEN_F32 ? 4 : 1;
    char *const memory = after_boundary((size_t)(s->n * s->d) * item, offset);

    for (int64_t i = 0; i < s->n * s->d; i++)
        store(s->x[i], dtype, memory + offset + (size_t)i * item);
    return memory;
}

static void check_all(pen_dtype dtype, int64_t n, int64_t d, int64_t labelled)
{
    const size_t item = dtype == PEN_F64 ? 8 : dtype == PEN_F32 ? 4 : 1;
    pen_rng rng = check_rng(2101);
    sample s = sample_random(&rng, n, d, 3, labelled);

    sample_to_bytes(&s);
    char *const on_memory = rows_after(&s, dtype, 0), *const after_memory =
                                                          rows_after(&s, dtype, item);
    const pen_data on = { .x = pen_dense(on_memory, dtype, n, d, d), .labels = s.y };
    const pen_data after = { .x = pen_dense(after_memory + item, dtype, n, d, d), .labels = s.y };
    for (int64_t m = 0; pen_method_at(m); m++)
        if (check_in_turn(m + (int64_t)dtype + (n < d), 3))
            check_method(pen_method_at(m)->name, &on, &after);
    free(on_memory), free(after_memory);
}

/* Enough rows for several tasks and blocks, with an odd number of columns. */
TEST(tall)
{
    check_all(PEN_F64, check_many(450), 13, 21);
    check_all(PEN_F32, check_many(90) + 60, 13, 21);
    check_all(PEN_U8, check_many(90) + 60, 13, 21);
}

/* More columns than rows. */
TEST(wide)
{
    check_all(PEN_F64, 50, 61, 18);
    check_all(PEN_F32, 36, 41, 18);
    check_all(PEN_U8, 36, 41, 18);
}

/* Listed pairs take other code paths than labels: must-links within the residue classes modulo 3,
 * cannot-links between them. */
static int64_t *list_pairs(pen_rng *rng, int64_t n, int64_t count)
{
    int64_t *const pairs = check_allocate(2 * count, 2 * sizeof *pairs);

    for (int64_t p = 0; p < 2 * count; p++) {
        pairs[2 * p] = pen_rng_below(rng, n - 4);
        pairs[2 * p + 1] = pairs[2 * p] % 3 + 3 * pen_rng_below(rng, n / 3 - 2) + (p >= count);
        if (pairs[2 * p] == pairs[2 * p + 1])
            pairs[2 * p + 1] += 3;
    }
    return pairs;
}

TEST(listed_pairs)
{
    enum { N = 300, D = 9, PAIRS = 300 };
    pen_rng rng = check_rng(2102);
    sample s = sample_random(&rng, N, D, 3, 3);
    int64_t *pairs = list_pairs(&rng, N, PAIRS);
    char *const on_memory = rows_after(&s, PEN_F64, 0), *const after_memory =
                                                            rows_after(&s, PEN_F64, sizeof(double));
    pen_data on = { .x = pen_dense(on_memory, PEN_F64, N, D, D),
                    .must_link = pairs,
                    .must_link_count = PAIRS };
    for (int64_t m = 0; pen_method_at(m); m++) {
        const pen_method *const method = pen_method_at(m);
        const int must = (method->traits & PEN_MUST_LINKS) != 0,
                  cannot = (method->traits & PEN_CANNOT_LINKS) != 0;
        if (!must && !cannot)
            continue;
        on.cannot_link = pairs + 2 * PAIRS;
        on.cannot_link_count = cannot ? PAIRS : 0;
        pen_data after = on;
        after.x.values = after_memory + sizeof(double);
        check_method(method->name, &on, &after);
    }
    free(on_memory), free(after_memory);
}
