/* npy.c - the values of NumPy arrays; npy_header.c has the header. */
#include "io/numpy/npy.h"

#include "core/array.h"
#include "core/float_bits.h"
#include "core/number.h"
#include "io/table/columns.h"
#include "io/table/row_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TILE = 64 };

/* ---- the file ---- */

pen_status pen_npy_fits(pen_run *run, const pen_input *input, const pen_npy *npy)
{
    const size_t room = npy->bytes / npy->size; /* in values */

    PEN_REQUIRE(run, npy->cols == 0 || (uint64_t)npy->rows <= room / (uint64_t)npy->cols,
                PEN_BAD_FORMAT,
                "%s: the npy header claims %lld x %lld values of %zu bytes, the file has %zu bytes "
                "for them",
                input->name, (long long)npy->rows, (long long)npy->cols, npy->size, npy->bytes);
    const size_t claimed = (size_t)npy->rows * (size_t)npy->cols * npy->size;
    PEN_REQUIRE(run, claimed == npy->bytes, PEN_BAD_FORMAT,
                "%s: %zu bytes follow the %lld x %lld values of the npy file", input->name,
                npy->bytes - claimed, (long long)npy->rows, (long long)npy->cols);
    return PEN_OK;
}

/* ---- the values ---- */

static uint64_t bits_at(const pen_npy *npy, size_t index)
{
    return pen_number_at(npy->values + index * npy->size, npy->size, npy->high_first);
}

/* IEEE 754 half precision. */
static double half(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    const double size = exponent == 31  ? fraction > 0 ? (double)NAN : (double)INFINITY
                        : exponent == 0 ? ldexp(fraction, -24)
                                        : ldexp(fraction + 1024, exponent - 25);
    return bits >> 15 ? -size : size;
}

/* A two's complement integer of `size` bytes. */
static int64_t whole(uint64_t bits, size_t size)
{
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    return bits & sign ? -(int64_t)(sign - (bits & (sign - 1)) - 1) - 1 : (int64_t)bits;
}

double pen_npy_value(const pen_npy *npy, size_t index)
{
    const uint64_t bits = bits_at(npy, index);
    double value;

    if (npy->kind == 'b')
        return bits != 0;
    if (npy->kind != 'f')
        return npy->kind == 'i' ? (double)whole(bits, npy->size) : (double)bits;
    if (npy->size < 8)
        return npy->size == 2 ? half(bits) : (double)pen_float_of((uint32_t)bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum pen_whole pen_npy_whole(const pen_npy *npy, size_t index, int64_t *value)
{
    if (npy->kind == 'f')
        return pen_whole_of(pen_npy_value(npy, index), value);
    const uint64_t bits = bits_at(npy, index);
    if (npy->kind == 'u' && bits > INT64_MAX)
        return PEN_TOO_LARGE;
    *value = npy->kind == 'i' ? whole(bits, npy->size) : (int64_t)bits;
    return PEN_WHOLE;
}

const char *pen_npy_text(const pen_npy *npy, size_t index, char *text)
{
    const uint64_t bits = bits_at(npy, index);

    if (npy->kind == 'f')
        pen_number_write(pen_npy_value(npy, index), text);
    else if (npy->kind == 'i')
        snprintf(text, PEN_NUMBER_SIZE, "%lld", (long long)whole(bits, npy->size));
    else
        snprintf(text, PEN_NUMBER_SIZE, "%llu",
                 (unsigned long long)(npy->kind == 'b' ? bits != 0 : bits));
    return text;
}

pen_dtype pen_npy_dtype(const pen_npy *npy)
{
    if (npy->kind == 'f')
        return npy->size == 8 ? PEN_F64 : PEN_F32;
    return npy->kind == 'u' && npy->size == 1 ? PEN_U8 : PEN_F64;
}

/* Does the array have the same layout in the file as in memory? */
static int as_in_memory(const pen_npy *npy)
{
    const int ordered = !npy->fortran || npy->rows == 1 || npy->cols == 1;
    const int same_type = npy->kind == (pen_npy_dtype(npy) == PEN_U8 ? 'u' : 'f')
                          && npy->size == pen_size(pen_npy_dtype(npy));
    return ordered && same_type && (npy->size == 1 || npy->high_first == !pen_low_byte_first());
}

/* Converts to values [rows x value columns], tile by tile, so that transposing Fortran order stays
 * in cache. */
static void convert(const pen_npy *npy, const pen_columns *columns, void *values)
{
    const pen_dtype dtype = pen_npy_dtype(npy);
    const int64_t cols = columns->number[PEN_COLUMN_VALUE];

    for (int64_t top = 0; top < npy->rows; top += TILE)
        for (int64_t left = 0; left < npy->cols; left += TILE) {
            const int64_t bottom = pen_min(top + TILE, npy->rows),
                          right = pen_min(left + TILE, npy->cols);
            for (int64_t k = 0; k < (bottom - top) * (right - left); k++) {
                const int64_t i = top + k / (right - left), j = left + k % (right - left);
                if (columns->roles[j] == PEN_COLUMN_VALUE)
                    pen_store_value(dtype, values, i * cols + columns->places[j],
                                    pen_npy_value(npy, pen_npy_index(npy, i, j)));
            }
        }
}

/* Takes the values of an array, or of a block of its rows. */
static pen_status take_values(pen_run *run, const pen_input *input, const pen_read_options *options,
                              const pen_npy *npy, int is_block, pen_table *table)
{
    pen_columns columns;
    int64_t holes;

    PEN_TRY(pen_columns_assign(run, input->name, input->header, npy->cols, options, 0, &columns));
    PEN_TRY(pen_columns_describe(run, options, &columns, table));
    const pen_dtype dtype = pen_npy_dtype(npy);
    const size_t item = pen_size(dtype);
    const int64_t cols = columns.number[PEN_COLUMN_VALUE];
    const int as_is = as_in_memory(npy) && cols == npy->cols && !table->column_numbers,
              in_place = as_is && input->owner && (uintptr_t)npy->values % item == 0;
    if (in_place) {
        table->x = pen_dense(npy->values, dtype, npy->rows, npy->cols, npy->cols);
        PEN_TRY(pen_table_holes(run, input, options, table, &holes));
        if (holes == 0 || options->missing == PEN_MISSING_KEEP) {
            table->filled_cells = holes;
            if (options->missing == PEN_MISSING_MEAN) /* which also has the means */
                PEN_TRY(pen_table_treat(run, input, options, is_block, table, NULL));
            table->mapped = input->owner->mapped;
            pen_table_keep_bytes(table, input->owner);
            return PEN_OK;
        }
    }
    void *const values = pen_table_rows(run, input, table, npy->rows, cols, dtype);
    if (!values)
        return PEN_NO_MEMORY;
    if (as_is)
        memcpy(values, npy->values, (size_t)npy->rows * (size_t)npy->cols * item);
    else
        convert(npy, &columns, values);
    table->x = pen_dense(values, dtype, npy->rows, cols, cols);
    return pen_table_treat(run, input, options, is_block, table, NULL);
}

pen_status pen_read_npy(pen_run *run, const pen_input *input, const pen_read_options *options,
                        pen_table *table)
{
    pen_npy npy;

    PEN_TRY(pen_npy_open(run, input, &npy));
    PEN_TRY(pen_check_shape(run, input, options, npy.rows, npy.cols));
    PEN_TRY(pen_npy_fits(run, input, &npy));
    return take_values(run, input, options, &npy, 0, table);
}

/* ---- a block of rows ---- */

/* Loads rows first .. of the file into `to`, column by column in Fortran order. */
static pen_status load_block(pen_run *run, const pen_block *block, const pen_npy *npy,
                             int64_t values_at, unsigned char *to)
{
    const int64_t parts = npy->fortran ? npy->cols : 1,
                  row = (int64_t)npy->size * (npy->fortran ? 1 : npy->cols);

    for (int64_t j = 0; j < parts; j++)
        PEN_TRY(pen_bytes_part(run, block->path, values_at + (j * npy->rows + block->first) * row,
                               block->count * row, to + j * block->count * row));
    return PEN_OK;
}

/* Replaces the rows of the array, whose header is parsed, by the rows of the block. */
static pen_status take_block(pen_run *run, const pen_input *input, pen_block *block, pen_npy *npy)
{
    const int64_t values_at = npy->values - input->data;
    unsigned char *bytes;

    npy->bytes = (size_t)(block->size - values_at);
    PEN_TRY(pen_npy_fits(run, input, npy));
    block->rows = npy->rows;
    block->count = pen_min(block->count, npy->rows - block->first);
    PEN_TRY(PEN_NEW(run, bytes, pen_times(block->count, pen_times(npy->cols, (int64_t)npy->size))));
    PEN_TRY(load_block(run, block, npy, values_at, bytes));
    npy->values = bytes;
    npy->rows = block->count;
    return PEN_OK;
}

pen_status pen_read_npy_block(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_block *block, pen_table *table)
{
    pen_input here = *input;
    pen_npy npy;

    PEN_TRY(pen_npy_open(run, input, &npy));
    PEN_TRY(pen_check_shape(run, input, options, npy.rows, npy.cols));
    PEN_TRY(take_block(run, input, block, &npy));
    here.owner = NULL;
    here.first_row = block->first;
    return block->count > 0 ? take_values(run, &here, options, &npy, 1, table) : PEN_OK;
}
