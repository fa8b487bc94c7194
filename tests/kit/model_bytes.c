/* model_bytes.c - see model_bytes.h. */
#include "kit/model_bytes.h"

#include "kit/check_fit.h"
#include "kit/signed.h"

#include <stdio.h>

/* The text with ' and ` replaced by " and \". */
static char *quoted(const char *text)
{
    char *const out = check_allocate(2 * (int64_t)strlen(text) + 1, 1), *to = out;
    for (; *text; text++) {
        if (*text == '`')
            *to++ = '\\';
        *to++ = (char)(*text == '`' || *text == '\'' ? '"' : *text);
    }
    return out;
}

static void put_u64(unsigned char *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

static void put_number(unsigned char *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u64(bytes, bits);
}

model_file model_file_of(const char *header, size_t count, const double *numbers)
{
    char *const text = quoted(header);
    const size_t length = strlen(text);
    model_file f = { .size = 8 + length + 8 * count };

    f.bytes = check_allocate((int64_t)f.size, 1);
    put_u64(f.bytes, length);
    memcpy(f.bytes + 8, text, length);
    for (size_t i = 0; i < count; i++)
        put_number(f.bytes + 8 + length + 8 * i, numbers[i]);
    return f;
}

model_file model_file_fitted(const char *text, const sample *s)
{
    pen_model *const model = fit_sample(text, s);
    model_file f;
    f.bytes = model_bytes(model, &f.size);
    return f;
}

pen_model *model_file_read(const model_file *f)
{
    pen_model *model;
    pen_error err;
    CHECK_OK(pen_model_from_bytes(f->bytes, f->size, &model, &err), &err);
    return keep_model(model);
}

size_t model_file_header(const model_file *f)
{
    size_t length = 0;
    for (int i = 7; i >= 0; i--)
        length = length << 8 | f->bytes[i];
    return length;
}

model_file model_file_changed(const model_file *f, const char *old, const char *new)
{
    const size_t length = model_file_header(f), tail = f->size - 8 - length;
    char *const header = check_allocate((int64_t)length + 1, 1), *const from = quoted(old),
                *const to = quoted(new);
    model_file out;

    memcpy(header, f->bytes + 8, length);
    const char *const at = strstr(header, from);
    CHECK(at, "there is no %s in %s", from, header);
    const size_t left = (size_t)(at - header), now = length - strlen(from) + strlen(to);
    out.size = 8 + now + tail;
    out.bytes = check_allocate((int64_t)out.size, 1);
    put_u64(out.bytes, now);
    memcpy(out.bytes + 8, header, left);
    memcpy(out.bytes + 8 + left, to, strlen(to));
    memcpy(out.bytes + 8 + left + strlen(to), at + strlen(from), length - left - strlen(from));
    memcpy(out.bytes + 8 + now, f->bytes + 8 + length, tail);
    sign_file(out.bytes, out.size);
    return out;
}

void check_file_refused(model_file f, pen_status code, const char *phrase)
{
    pen_model *model = (pen_model *)(void *)&f;
    pen_error err;

    CHECK_STATUS(pen_model_from_bytes(f.bytes, f.size, &model, &err), code, phrase, &err);
    assert_true(code == PEN_OK ? check_file_parses(f.bytes, f.size) : !model);
    pen_model_free(model);
}

void check_file_changes(const model_file *files, int64_t count, const file_change *changes)
{
    char to[256];
    for (const file_change *c = changes; c < changes + count; c++)
        for (const char *at = c->to; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
            snprintf(to, sizeof to, "%.*s", (int)strcspn(at, "|"), at);
            check_file_refused(model_file_changed(&files[c->file], c->from, to),
                               (pen_status)c->code, c->phrase);
        }
}

void check_number_changes(const model_file *files, int64_t count, const number_change *changes)
{
    for (const number_change *c = changes; c < changes + count; c++)
        check_file_refused(model_file_with(&files[c->file], c->at, c->value), PEN_BAD_FORMAT,
                           c->phrase);
}

void check_odd_numbers(const model_file *f)
{
    static const double odd[] = { 0, -0.0, 1e308, -1e308, 5e-324, NAN };
    for (size_t at = 0; at < (f->size - 8 - model_file_header(f)) / 8; at++)
        for (int64_t i = 0; i < COUNT_OF(odd); i++) {
            const model_file other = model_file_with(f, at, odd[i]);
            check_file_parses(other.bytes, other.size);
        }
}

/* The model embeds a row and predicts, or an error reports what is wrong with the row. */
static void check_model_works(const pen_model *model)
{
    enum { MOST = 4096 };
    static const double row[MOST];
    const int64_t d = pen_model_columns(model), k = pen_model_dim(model),
                  m = pen_model_tensor(model, "projection").rows;
    const pen_array x = pen_dense(row, PEN_F64, 1, d, d);
    pen_error err;
    double z[MOST];
    int32_t class;

    assert_true(d >= 1 && k >= 1 && m >= 1 && k <= MOST);
    assert_true(all_finite(m * k, model_values(model, "projection")));
    if (d > MOST) /* the row of a precomputed kernel */
        return;
    const pen_status status = pen_transform(model, &x, NULL, PEN_F64, z, k, &err);
    CHECK(status == PEN_OK || status == PEN_BAD_DATA, "%d %s", (int)status, err.message);
    if (model_text(model, "classifier") && status == PEN_OK) {
        const pen_status read = pen_predict(model, &x, NULL, &class, NULL, NULL, &err);
        CHECK(read == PEN_OK || read == PEN_BAD_DATA, "%d %s", (int)read, err.message);
        assert_true(read != PEN_OK || (class >= 0 && class < pen_model_class_count(model)));
    }
}

int check_file_parses(const unsigned char *bytes, size_t size)
{
    unsigned char *const exact = check_allocate((int64_t)size, 1);
    pen_model *model = NULL;
    pen_error err;

    memcpy(exact, bytes, size);
    const pen_status status = pen_model_from_bytes(exact, size, &model, &err);
    if (status == PEN_OK)
        check_model_works(model);
    else
        CHECK(!model && (status == PEN_BAD_FORMAT || status == PEN_NEWER_FORMAT) && err.message[0],
              "%d %s", (int)status, err.message);
    pen_model_free(model);
    return status == PEN_OK;
}

model_file model_file_with(const model_file *f, size_t at, double value)
{
    model_file out = { check_allocate((int64_t)f->size, 1), f->size };

    memcpy(out.bytes, f->bytes, f->size);
    put_number(out.bytes + 8 + model_file_header(f) + 8 * at, value);
    sign_file(out.bytes, out.size);
    return out;
}

void check_file_damaged(const model_file *f)
{
    unsigned char *const changed = check_allocate((int64_t)f->size, 1);
    const size_t step = check_in_turn(1, 2) ? 1 : 5; /* of 8 */

    for (size_t size = 0; size < f->size; size += step)
        assert_false(check_file_parses(f->bytes, size));
    for (size_t i = 0; i < f->size; i += step)
        for (int bit = 0; bit < 8; bit += 2) {
            memcpy(changed, f->bytes, f->size);
            changed[i] ^= (unsigned char)(1 << bit);
            const int model = check_file_parses(changed, f->size);
            CHECK(!model || i < 8 + sizeof CRC_START, "the change of byte %zu is not detected", i);
            sign_file(changed, f->size);
            check_file_parses(changed, f->size);
        }
    assert_true(check_file_parses(f->bytes, f->size));
}
