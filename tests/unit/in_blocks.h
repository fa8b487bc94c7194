/* in_blocks.h - reads a file in blocks and compares every row with the whole file. */
#ifndef IN_BLOCKS_H
#define IN_BLOCKS_H

#include "check.h"

#include <penumbra.h>

#include <stdio.h>

static inline int in_blocks_same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static inline const char *in_blocks_class(const pen_table *t, int64_t row)
{
    return t->labels && t->labels[row] >= 0 ? t->class_names[t->labels[row]] : NULL;
}

/* Row `row` of a block equals row `at` of the whole: bits, class, and texts. */
static inline void in_blocks_row(const char *path, const pen_table *whole, int64_t at,
                                 const pen_table *block, int64_t row)
{
    const size_t bytes = (size_t)whole->x.cols
                         * (whole->x.dtype == PEN_F64   ? 8
                            : whole->x.dtype == PEN_F32 ? 4
                                                        : 1);

    CHECK(at < whole->x.rows, "%s: more than %lld rows", path, (long long)whole->x.rows);
    CHECK(block->x.dtype == whole->x.dtype && block->x.cols == whole->x.cols
              && memcmp((const char *)block->x.values + (size_t)row * bytes,
                        (const char *)whole->x.values + (size_t)at * bytes, bytes)
                     == 0,
          "%s: row %lld differs", path, (long long)at);
    CHECK(!block->labels == !whole->labels
              && in_blocks_same_text(in_blocks_class(block, row), in_blocks_class(whole, at)),
          "%s: the class of row %lld differs", path, (long long)at);
    CHECK(!block->row_names == !whole->row_names
              && (!block->row_names
                  || in_blocks_same_text(block->row_names[row], whole->row_names[at])),
          "%s: the name of row %lld differs", path, (long long)at);
    for (int64_t k = 0; k < whole->carried_count; k++)
        CHECK(in_blocks_same_text(block->carried[row * whole->carried_count + k],
                                  whole->carried[at * whole->carried_count + k]),
              "%s: kept texts of row %lld differ", path, (long long)at);
}

static inline void in_blocks_columns(const char *path, const pen_table *whole,
                                     const pen_table *block)
{
    CHECK(!block->column_names == !whole->column_names
              && !block->column_numbers == !whole->column_numbers
              && block->carried_count == whole->carried_count
              && block->left_out_count == whole->left_out_count
              && block->short_header == whole->short_header
              && block->decimal_commas == whole->decimal_commas,
          "%s: the columns of a block are described differently", path);
    for (int64_t j = 0; j < whole->x.cols; j++)
        CHECK(
            (!whole->column_names
             || in_blocks_same_text(block->column_names[j], whole->column_names[j]))
                && (!whole->column_numbers || block->column_numbers[j] == whole->column_numbers[j]),
            "%s: column %lld differs", path, (long long)j);
}

/* Blocks have no means, which need all rows, and are not transposed. */
static inline int in_blocks_possible(const pen_read_options *options)
{
    return options->missing != PEN_MISSING_MEAN && !options->transpose;
}

/* Reads all blocks of `rows` rows. If the whole file fails, so do blocks. */
static inline void in_blocks_of(const char *path, const pen_read_options *options, int64_t rows,
                                const pen_table *whole, const pen_error *refused)
{
    pen_blocks *blocks = NULL;
    pen_table *block = NULL;
    pen_error err;
    int64_t at = 0, dropped = 0;

    pen_status status = pen_blocks_open(path, options, &blocks, &err);
    while (status == PEN_OK && (status = pen_blocks_next(blocks, rows, &block, &err)) == PEN_OK
           && block) {
        for (int64_t i = 0; whole && i < block->x.rows; i++)
            in_blocks_row(path, whole, at + i, block, i);
        if (whole)
            in_blocks_columns(path, whole, block);
        at += block->x.rows;
        dropped += block->dropped_rows;
        pen_table_free(block);
    }
    pen_blocks_free(blocks);
    if (whole)
        CHECK(status == PEN_OK && at == whole->x.rows && dropped == whole->dropped_rows,
              "%s: %lld rows and %lld dropped in blocks of %lld: %s", path, (long long)at,
              (long long)dropped, (long long)rows, status == PEN_OK ? "" : err.message);
    else if (at > 0 || dropped == 0)
        CHECK(status == refused->code && strcmp(err.message, refused->message) == 0,
              "%s in blocks of %lld:\n    %s\nthe whole:\n    %s", path, (long long)rows,
              status == PEN_OK ? "no error" : err.message, refused->message);
}

static inline void in_blocks_check(const char *path, const pen_read_options *options)
{
    static const pen_read_options usual = { .missing = PEN_MISSING_ERROR };
    static const int64_t sizes[] = { 1, 7, 4096 };
    pen_table *whole = NULL;
    pen_error err;

    if (!in_blocks_possible(options ? options : &usual))
        return;
    const pen_status status = pen_read(path, options, &whole, &err);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        in_blocks_of(path, options, sizes[s], status == PEN_OK ? whole : NULL, &err);
    pen_table_free(whole);
}

#endif
