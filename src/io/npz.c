/* npz.c - zip archives of npy files. */
#include "io/npz.h"

#include "core/array.h"
#include "core/checksum.h"

#include <string.h>

/* Sizes of the records. A 32-bit field of 0xFFFFFFFF refers to the 64-bit field. */
enum {
    LOCAL_SIZE = 30,
    LOCAL_EXTRA = 20,
    CENTRAL_SIZE = 46,
    CENTRAL_EXTRA = 28,
    END64_SIZE = 56,
    LOCATOR_SIZE = 20,
    END_SIZE = 22
};
enum { VERSION = 45, FIRST_DAY_OF_1980 = 1 << 5 | 1, GROUP = 1024, NPY_SIZE = 128 };

/* ---- bytes ---- */

/* Little-endian numbers. */
struct record {
    unsigned char bytes[64];
    size_t size;
};

static void add(struct record *record, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        record->bytes[record->size++] = (unsigned char)(number >> 8 * i);
}

struct sum {
    uint32_t crc;
    uint64_t size;
};

static pen_status sum_put(void *to, const void *bytes, size_t size)
{
    struct sum *const sum = to;

    sum->crc = pen_crc32(sum->crc, bytes, size);
    sum->size += size;
    return PEN_OK;
}

/* ---- the archive ---- */

struct entry {
    uint32_t crc;
    uint64_t size, offset;
};

/* The fields that local and central headers share. */
static void add_middle(struct record *record, const struct entry *entry, size_t name, size_t extra)
{
    add(record, VERSION, 2);
    add(record, 0, 2); /* flags */
    add(record, 0, 2); /* not compressed */
    add(record, 0, 2); /* midnight */
    add(record, FIRST_DAY_OF_1980, 2);
    add(record, entry->crc, 4);
    add(record, UINT32_MAX, 4);
    add(record, UINT32_MAX, 4);
    add(record, name, 2);
    add(record, extra, 2);
}

/* The zip64 field of sizes. */
static void add_extra(struct record *record, const struct entry *entry, size_t extra)
{
    add(record, 1, 2);
    add(record, extra - 4, 2);
    add(record, entry->size, 8);
    add(record, entry->size, 8);
}

static pen_status put_local(const zip_file *file, const struct entry *entry, pen_put put, void *to)
{
    struct record head = { .size = 0 }, extra = { .size = 0 };

    add(&head, UINT32_C(0x04034B50), 4);
    add_middle(&head, entry, strlen(file->name), LOCAL_EXTRA);
    add_extra(&extra, entry, LOCAL_EXTRA);
    PEN_TRY(put(to, head.bytes, head.size));
    PEN_TRY(put(to, file->name, strlen(file->name)));
    return put(to, extra.bytes, extra.size);
}

static pen_status put_central(const zip_file *file, const struct entry *entry, pen_put put,
                              void *to)
{
    struct record head = { .size = 0 }, extra = { .size = 0 };

    add(&head, UINT32_C(0x02014B50), 4);
    add(&head, VERSION, 2);
    add_middle(&head, entry, strlen(file->name), CENTRAL_EXTRA);
    add(&head, 0, 2);          /* no comment */
    add(&head, 0, 2);          /* first disk */
    add(&head, 0, 2 + 4);      /* no attributes */
    add(&head, UINT32_MAX, 4); /* offset */
    add_extra(&extra, entry, CENTRAL_EXTRA);
    add(&extra, entry->offset, 8);
    PEN_TRY(put(to, head.bytes, head.size));
    PEN_TRY(put(to, file->name, strlen(file->name)));
    return put(to, extra.bytes, extra.size);
}

static pen_status put_end(int count, uint64_t central, uint64_t end, pen_put put, void *to)
{
    struct record large = { .size = 0 }, small = { .size = 0 };

    add(&large, UINT32_C(0x06064B50), 4);
    add(&large, END64_SIZE - 12, 8);
    add(&large, VERSION, 2);
    add(&large, VERSION, 2);
    add(&large, 0, 8); /* disks */
    add(&large, (uint64_t)count, 8);
    add(&large, (uint64_t)count, 8);
    add(&large, end - central, 8);
    add(&large, central, 8);
    PEN_TRY(put(to, large.bytes, large.size));
    add(&small, UINT32_C(0x07064B50), 4); /* locates the record above */
    add(&small, 0, 4);
    add(&small, end, 8);
    add(&small, 1, 4); /* disks */
    add(&small, UINT32_C(0x06054B50), 4);
    add(&small, 0, 4);
    add(&small, (uint64_t)count, 2);
    add(&small, (uint64_t)count, 2);
    add(&small, UINT32_MAX, 4);
    add(&small, UINT32_MAX, 4);
    add(&small, 0, 2);
    return put(to, small.bytes, small.size);
}

pen_status pen_zip_write(const zip_file *files, int count, pen_put put, void *to)
{
    struct entry entries[ZIP_MOST_FILES];
    struct sum sum = { .crc = 0 };
    uint64_t offset = 0, central;

    for (int i = 0; i < count; i++) {
        sum = (struct sum){ .crc = 0 };
        PEN_TRY(files[i].content(files[i].context, sum_put, &sum));
        entries[i] = (struct entry){ sum.crc, sum.size, offset };
        PEN_TRY(put_local(&files[i], &entries[i], put, to));
        PEN_TRY(files[i].content(files[i].context, put, to));
        offset += LOCAL_SIZE + strlen(files[i].name) + LOCAL_EXTRA + sum.size;
    }
    central = offset;
    for (int i = 0; i < count; i++) {
        PEN_TRY(put_central(&files[i], &entries[i], put, to));
        offset += CENTRAL_SIZE + strlen(files[i].name) + CENTRAL_EXTRA;
    }
    return put_end(count, central, offset, put, to);
}

/* ---- sparse matrices ---- */

/* A matrix of entries; its columns are int32 or int64. */
struct matrix {
    int64_t rows, cols, entries;
    const int64_t *starts;
    const void *columns;
    int wide; /* columns are int64 */
    pen_dtype dtype;
    const void *values;
};

/* In 32 bits if all numbers fit, which is the index type SciPy chooses. */
static pen_status put_indices(const int64_t *values, int64_t count, int64_t most, pen_put put,
                              void *to)
{
    int32_t narrow[GROUP];

    if (most > INT32_MAX)
        return pen_write_npy_items('i', sizeof *values, count, 0, values, put, to);
    PEN_TRY(pen_write_npy_header('i', sizeof *narrow, count, 0, put, to));
    for (int64_t first = 0; first < count; first += GROUP) {
        const int64_t some = pen_min(GROUP, count - first);
        for (int64_t i = 0; i < some; i++)
            narrow[i] = (int32_t)values[first + i];
        PEN_TRY(put(to, narrow, (size_t)some * sizeof *narrow));
    }
    return PEN_OK;
}

static pen_status indices(const void *context, pen_put put, void *to)
{
    const struct matrix *const m = context;

    return m->wide ? put_indices(m->columns, m->entries, pen_max(m->entries, m->cols), put, to)
                   : pen_write_npy_items('i', sizeof(int32_t), m->entries, 0, m->columns, put, to);
}

/* The index of the first entry of each row. */
static pen_status starts(const void *context, pen_put put, void *to)
{
    const struct matrix *const m = context;
    return put_indices(m->starts, m->rows + 1, pen_max(m->entries, m->cols), put, to);
}

/* A zero-dimensional array of a three-byte string. */
static pen_status format(const void *context, pen_put put, void *to)
{
    static const char text[] =
        "\x93NUMPY\x01\0v\0{'descr': '|S3', 'fortran_order': False, 'shape': (), }";
    char header[NPY_SIZE];
    (void)context;

    memset(header, ' ', sizeof header);
    memcpy(header, text, sizeof text - 1);
    header[NPY_SIZE - 1] = '\n';
    PEN_TRY(put(to, header, sizeof header));
    return put(to, "csr", 3);
}

static pen_status shape(const void *context, pen_put put, void *to)
{
    const struct matrix *const m = context;
    const int64_t sides[] = { m->rows, m->cols };

    return pen_write_npy_items('i', sizeof *sides, 2, 0, sides, put, to);
}

static pen_status values(const void *context, pen_put put, void *to)
{
    const struct matrix *const m = context;

    return pen_write_npy_items(m->dtype == PEN_U8 ? 'u' : 'f', pen_size(m->dtype), m->entries, 0,
                               m->values, put, to);
}

static pen_status write_matrix(const struct matrix *m, const zip_file *more, pen_put put, void *to)
{
    const zip_file files[] = {
        { "indices.npy", indices, m },  { "indptr.npy", starts, m },
        { "format.npy", format, NULL }, { "shape.npy", shape, m },
        { "data.npy", values, m },      more ? *more : (zip_file){ NULL, NULL, NULL }
    };
    return pen_zip_write(files, (int)(sizeof files / sizeof *files) - !more, put, to);
}

pen_status pen_npz_write_sparse(const pen_sparse *matrix, pen_put put, void *to)
{
    const struct matrix m = { matrix->rows,   matrix->cols,    matrix->starts[matrix->rows],
                              matrix->starts, matrix->columns, 1,
                              PEN_F64,        matrix->values };
    return write_matrix(&m, NULL, put, to);
}

pen_status pen_npz_write_csr(const pen_array *rows, const zip_file *more, pen_put put, void *to)
{
    const struct matrix m = { rows->rows,   rows->cols,    rows->starts[rows->rows],
                              rows->starts, rows->columns, 0,
                              rows->dtype,  rows->values };
    return write_matrix(&m, more, put, to);
}
