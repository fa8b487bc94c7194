/* dense_rows.c - missing values in tables of dense rows. */
#include "io/dense_rows.h"

#include "core/array.h"

#include <math.h>
#include <string.h>

pen_status pen_dense_holes(pen_run *run, const pen_input *input, const pen_read_options *options,
                           const pen_array *x, int64_t *holes)
{
    *holes = 0;
    if (pen_finite_values(x->dtype, x->values, x->rows * x->cols))
        return PEN_OK;
    for (int64_t i = 0; i < x->rows * x->cols; i++) {
        const double value = pen_load_value(x->dtype, x->values, i);
        PEN_TRY(pen_check_value(run, input, options->missing, i / x->cols, i % x->cols, value));
        *holes += isnan(value) != 0;
    }
    return PEN_OK;
}

static int row_has_nan(const pen_array *x, int64_t row)
{
    for (int64_t i = row * x->cols; i < (row + 1) * x->cols; i++)
        if (isnan(pen_load_value(x->dtype, x->values, i)))
            return 1;
    return 0;
}

/* Drops the rows with missing values. */
static pen_status drop(pen_run *run, const pen_input *input, const pen_read_options *options,
                       int is_block, pen_table *table)
{
    const size_t row_size = (size_t)table->x.cols * pen_size(table->x.dtype);
    char *const values = (char *)(uintptr_t)table->x.values; /* the table's own */
    int64_t rows = 0;

    for (int64_t i = 0; i < table->x.rows; i++)
        if (!row_has_nan(&table->x, i))
            memmove(values + (size_t)rows++ * row_size, values + (size_t)i * row_size, row_size);
    if (!is_block)
        PEN_TRY(pen_check_left(run, input->name, options, rows, table->x.rows));
    table->dropped_rows = table->x.rows - rows;
    table->x.rows = rows;
    return PEN_OK;
}

pen_status pen_dense_treat(pen_run *run, const pen_input *input, const pen_read_options *options,
                           int is_block, pen_table *table)
{
    int64_t holes;

    PEN_TRY(pen_dense_holes(run, input, options, &table->x, &holes));
    if (holes == 0)
        return PEN_OK;
    return options->missing == PEN_MISSING_DROP ? drop(run, input, options, is_block, table)
                                                : pen_table_fill(run, input, table);
}
