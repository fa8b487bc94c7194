/* model_bytes.c - see model_bytes.h. */
#include "kit/model_bytes.h"

#include "kit/signed.h"

#include <stdio.h>

size_t model_file_header(const model_file *f)
{
    size_t length = 0;
    for (int i = 7; i >= 0; i--)
        length = length << 8 | f->bytes[i];
    return length;
}

model_file model_file_changed(const model_file *f, const char *from, const char *to)
{
    const size_t length = model_file_header(f), tail = f->size - 8 - length;
    char *const header = check_allocate((int64_t)length + 1, 1);
    model_file out;

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
    sign_file(out.bytes, out.size);
    return out;
}

void check_file_refused(model_file f, pen_status code, const char *phrase)
{
    pen_model *model = (pen_model *)(void *)&f;
    pen_error err;

    CHECK_STATUS(pen_model_from_bytes(f.bytes, f.size, &model, &err), code, phrase, &err);
    assert_null(model);
    free(f.bytes);
}

/* A model that embeds a row and predicts, or says what is wrong with the row. */
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
    assert_true(all_finite(m * k, pen_model_tensor(model, "projection").values));
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
    free(exact);
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
    const size_t from = 8 + model_file_header(f);
    uint64_t bits;

    memcpy(out.bytes, f->bytes, f->size);
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++)
        out.bytes[from + 8 * at + (size_t)i] = (unsigned char)(bits >> (8 * i));
    sign_file(out.bytes, out.size);
    return out;
}

void check_file_damaged(model_file f)
{
    unsigned char *const changed = check_allocate((int64_t)f.size, 1);

    for (size_t size = 0; size < f.size; size++)
        assert_false(check_file_parses(f.bytes, size));
    for (size_t i = 0; i < f.size; i++)
        for (int bit = 0; bit < 8; bit += 2) {
            memcpy(changed, f.bytes, f.size);
            changed[i] ^= (unsigned char)(1 << bit);
            const int model = check_file_parses(changed, f.size);
            CHECK(!model || i < 8 + sizeof CRC_START, "byte %zu is changed and nobody notices", i);
            sign_file(changed, f.size);
            check_file_parses(changed, f.size);
        }
    assert_true(check_file_parses(f.bytes, f.size));
    free(changed);
    free(f.bytes);
}
