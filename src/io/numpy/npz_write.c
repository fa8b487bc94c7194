/* npz_write.c - writes zip archives of npy files. */
#include "io/numpy/npz.h"

#include "core/array.h"
#include "core/checksum.h"
#include "io/numpy/npy.h"

#include <string.h>

enum { VERSION = 45, FIRST_DAY_OF_1980 = 1 << 5 | 1, END64_SIZE = 56, RECORD_SIZE = 160 };

/* ---- an array ---- */

/* The length of the longest text, at least 1. */
static size_t longest_of(const pen_npz_array *a)
{
    const int64_t count = a->codes ? a->text_count : a->count;
    size_t longest = 1;

    for (int64_t i = 0; i < count; i++)
        longest = strlen(a->texts[i]) > longest ? strlen(a->texts[i]) : longest;
    return longest;
}

static pen_status put_texts(const pen_npz_array *a, pen_put put, void *to)
{
    static const char zeros[RECORD_SIZE];
    const size_t longest = longest_of(a);

    PEN_TRY(pen_write_npy_header('S', longest, a->count, 0, put, to));
    for (int64_t i = 0; i < a->count; i++) {
        const int64_t code = a->codes ? a->codes[i] : i;
        const int is_text = code >= 0 && (!a->codes || code < a->text_count);
        size_t length = is_text ? strlen(a->texts[code]) : 0;
        if (length > 0)
            PEN_TRY(put(to, a->texts[code], length));
        for (size_t some; length < longest; length += some) {
            some = longest - length < sizeof zeros ? longest - length : sizeof zeros;
            PEN_TRY(put(to, zeros, some));
        }
    }
    return PEN_OK;
}

static pen_status put_array(const pen_npz_array *a, pen_put put, void *to)
{
    if (a->x)
        return pen_write_npy(a->x, put, to);
    if (a->texts || a->codes)
        return put_texts(a, put, to);
    return pen_write_npy_items(a->kind, a->size, a->count, 0, a->items, put, to);
}

/* ---- the archive ---- */

struct entry {
    const char *name;
    uint32_t crc;
    uint64_t size, offset;
};

/* A pen_put that computes the checksum and the size. */
static pen_status sum_put(void *to, const void *bytes, size_t size)
{
    struct entry *const sum = to;

    sum->crc = pen_crc32(sum->crc, bytes, size);
    sum->size += size;
    return PEN_OK;
}

/* Little-endian numbers and a name. */
struct record {
    unsigned char bytes[RECORD_SIZE];
    size_t size;
};

static void add(struct record *record, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        record->bytes[record->size++] = (unsigned char)(number >> 8 * i);
}

/* The header of a file: before its contents or, with their offset, in the directory. A 32-bit field
 * of all ones refers to the 64-bit field after the name. */
static pen_status put_header(const struct entry *e, int in_directory, uint64_t *offset, pen_put put,
                             void *to)
{
    const size_t length = strlen(e->name), wide = in_directory ? 24 : 16;
    struct record r = { .size = 0 };

    add(&r, in_directory ? 0x02014B50 : 0x04034B50, 4);
    if (in_directory)
        add(&r, VERSION, 2);
    add(&r, VERSION, 2);
    add(&r, 0, 2 + 2 + 2); /* flags; not compressed; midnight */
    add(&r, FIRST_DAY_OF_1980, 2);
    add(&r, e->crc, 4);
    add(&r, UINT64_MAX, 4 + 4); /* sizes */
    add(&r, length, 2);
    add(&r, wide + 4, 2);
    if (in_directory) {
        add(&r, 0, 2 + 2 + 2); /* no comment; first disk; attributes .. */
        add(&r, 0, 4);
        add(&r, UINT32_MAX, 4); /* offset */
    }
    memcpy(r.bytes + r.size, e->name, length);
    r.size += length;
    add(&r, 1, 2);
    add(&r, wide, 2);
    add(&r, e->size, 8);
    add(&r, e->size, 8);
    if (in_directory)
        add(&r, e->offset, 8);
    *offset += r.size;
    return put(to, r.bytes, r.size);
}

static pen_status put_end(int count, uint64_t central, uint64_t end, pen_put put, void *to)
{
    struct record r = { .size = 0 };

    add(&r, 0x06064B50, 4);
    add(&r, END64_SIZE - 12, 8);
    add(&r, VERSION, 2);
    add(&r, VERSION, 2);
    add(&r, 0, 8); /* disks */
    add(&r, (uint64_t)count, 8);
    add(&r, (uint64_t)count, 8);
    add(&r, end - central, 8);
    add(&r, central, 8);
    add(&r, 0x07064B50, 4); /* locates the record above */
    add(&r, 0, 4);
    add(&r, end, 8);
    add(&r, 1, 4); /* disks */
    add(&r, 0x06054B50, 4);
    add(&r, 0, 4);
    add(&r, (uint64_t)count, 2);
    add(&r, (uint64_t)count, 2);
    add(&r, UINT64_MAX, 4 + 4);
    add(&r, 0, 2);
    return put(to, r.bytes, r.size);
}

pen_status pen_npz_write(const pen_npz_array *arrays, int count, pen_put put, void *to)
{
    struct entry entries[PEN_NPZ_MOST];
    uint64_t offset = 0;

    for (int i = 0; i < count; i++) {
        entries[i] = (struct entry){ .name = arrays[i].name, .offset = offset };
        PEN_TRY(put_array(&arrays[i], sum_put, &entries[i]));
        PEN_TRY(put_header(&entries[i], 0, &offset, put, to));
        PEN_TRY(put_array(&arrays[i], put, to));
        offset += entries[i].size;
    }
    const uint64_t central = offset;
    for (int i = 0; i < count; i++)
        PEN_TRY(put_header(&entries[i], 1, &offset, put, to));
    return put_end(count, central, offset, put, to);
}

/* ---- rows ---- */

/* In 32 bits if all numbers fit, which is the index type SciPy chooses. */
static pen_status narrow(pen_run *run, const int64_t *numbers, int64_t count, int64_t most,
                         pen_npz_array *out)
{
    int32_t *copy;

    out->kind = 'i';
    out->size = sizeof *numbers;
    out->count = count;
    out->items = numbers;
    if (most > INT32_MAX)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, copy, count));
    for (int64_t i = 0; i < count; i++)
        copy[i] = (int32_t)numbers[i];
    out->size = sizeof *copy;
    out->items = copy;
    return PEN_OK;
}

pen_status pen_npz_write_rows(pen_run *run, const pen_array *x, const pen_npz_array *more,
                              int count, pen_put put, void *to)
{
    const int64_t shape[] = { x->rows, x->cols }, entries = x->starts ? x->starts[x->rows] : 0;
    const char kind = x->dtype == PEN_U8 ? 'u' : 'f';
    pen_npz_array arrays[PEN_NPZ_MOST] = {
        { "indices.npy", .kind = 'i', .size = 4, .count = entries, .items = x->columns },
        { .name = "indptr.npy" },
        { "format.npy", .kind = 'S', .size = 3, .count = -1, .items = "csr" },
        { "shape.npy", .kind = 'i', .size = 8, .count = 2, .items = shape },
        { "data.npy", .kind = kind, .size = pen_size(x->dtype), .count = entries,
          .items = x->values },
    };
    int used = 5;

    if (x->starts) {
        PEN_TRY(narrow(run, x->starts, x->rows + 1, pen_max(entries, x->cols), &arrays[1]));
    } else {
        arrays[0] = (pen_npz_array){ "X.npy", .x = x };
        used = 1;
    }
    for (int i = 0; i < count; i++)
        arrays[used++] = more[i];
    return pen_npz_write(arrays, used, put, to);
}

pen_status pen_npz_write_sparse(pen_run *run, const pen_sparse *m, pen_put put, void *to)
{
    pen_npz_array columns;

    PEN_TRY(narrow(run, m->columns, m->starts[m->rows], m->cols, &columns));
    const pen_array x = pen_csr(m->values, PEN_F64, m->starts, columns.items, m->rows, m->cols);
    return pen_npz_write_rows(run, &x, NULL, 0, put, to);
}
