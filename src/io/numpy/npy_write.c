/* npy_write.c - writes NumPy arrays. */
#include "core/array.h"
#include "io/numpy/npy.h"

#include <stdio.h>
#include <string.h>

enum { HEADER_SIZE = 128, PREFIX_SIZE = 10, PIECE = 4096 };

/* Format version 1.0; the values are aligned to 64 bytes. */
pen_status pen_write_npy_header(char kind, size_t size, int64_t rows, int64_t cols, pen_put put,
                                void *context)
{
    const size_t rest = HEADER_SIZE - PREFIX_SIZE;
    char header[HEADER_SIZE + 1], shape[64] = "";

    if (cols > 0)
        snprintf(shape, sizeof shape, "%lld, %lld", (long long)rows, (long long)cols);
    else if (rows >= 0)
        snprintf(shape, sizeof shape, "%lld,", (long long)rows);
    memcpy(header, "\x93NUMPY\x01", PREFIX_SIZE - 2);
    header[PREFIX_SIZE - 2] = (char)rest;
    header[PREFIX_SIZE - 1] = 0;
    const int used = snprintf(header + PREFIX_SIZE, rest + 1,
                              "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%s), }",
                              kind == 'S'            ? '|'
                              : pen_low_byte_first() ? '<'
                                                     : '>',
                              kind, size, shape);
    memset(header + PREFIX_SIZE + used, ' ', rest - (size_t)used);
    header[HEADER_SIZE - 1] = '\n';
    return put(context, header, HEADER_SIZE);
}

pen_status pen_write_npy_items(char kind, size_t size, int64_t rows, int64_t cols,
                               const void *items, pen_put put, void *context)
{
    const size_t bytes = (size_t)((rows < 0 ? 1 : rows) * pen_max(1, cols)) * size;

    PEN_TRY(pen_write_npy_header(kind, size, rows, cols, put, context));
    return bytes > 0 ? put(context, items, bytes) : PEN_OK;
}

pen_status pen_write_npy(const pen_array *z, pen_put put, void *context)
{
    const size_t item = pen_size(z->dtype);
    const int64_t at_once = pen_max(1, PIECE / z->cols);
    double some[PIECE];

    PEN_TRY(
        pen_write_npy_header(z->dtype == PEN_U8 ? 'u' : 'f', item, z->rows, z->cols, put, context));
    for (int64_t i = 0; i < z->rows; i += at_once)
        for (int64_t j = 0; j < z->cols; j += PIECE) {
            const int64_t rows = pen_min(at_once, z->rows - i), cols = pen_min(PIECE, z->cols - j);
            pen_array_gather(z, NULL, i, rows, j, cols, z->dtype, some);
            PEN_TRY(put(context, some, (size_t)(rows * cols) * item));
        }
    return PEN_OK;
}

pen_status pen_write_npy_wholes(const pen_array *z, pen_put put, void *context)
{
    int64_t some[PIECE];
    const int64_t count = z->rows * z->cols;

    PEN_TRY(pen_write_npy_header('i', sizeof *some, z->rows, z->cols, put, context));
    for (int64_t i = 0; i < count; i += PIECE) {
        const int64_t left = pen_min(PIECE, count - i);
        for (int64_t k = 0; k < left; k++)
            some[k] = (int64_t)((const double *)z->values)[i + k];
        PEN_TRY(put(context, some, (size_t)left * sizeof *some));
    }
    return PEN_OK;
}
