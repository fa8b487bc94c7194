/* fuzz_npy.c - npy files, read as rows with each treatment of missing values, and as labels. Rows
 * stay the same after writing and reading. */
#include "fuzz.h"

#include "core/array.h"
#include "io/numpy/npy.h"

static void round_trip(const pen_table *t)
{
    struct memory m = { NULL, 0, 0 };
    pen_table *back = NULL;
    pen_error err;

    if (t->x.dtype == PEN_U8)
        return;
    PROMISE(pen_write_npy(&t->x, put_memory, &m) == PEN_OK);
    PROMISE(m.size == 128 + (size_t)t->x.rows * (size_t)t->x.cols * pen_size(t->x.dtype));
    if (pen_read_bytes("again.npy", m.data, m.size, NULL, &back, &err) != PEN_OK) {
        PROMISE(err.code == PEN_NO_MEMORY);
    } else {
        PROMISE(back->x.dtype == t->x.dtype);
        promise_same_values(&t->x, &back->x);
    }
    pen_table_free(back);
    free(m.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pen_read_options options = { .map = 0 };
    pen_table *table;
    pen_error err;

    for (int missing = PEN_MISSING_ERROR; missing <= PEN_MISSING_DROP; missing++) {
        options.missing = (pen_missing)missing;
        const pen_status status = pen_read_bytes("fuzz.npy", data, size, &options, &table, &err);
        if (status != PEN_OK) {
            promise_failure(status, &err, table);
            continue;
        }
        promise_table(table);
        PROMISE(!table->labels && !table->column_names && !table->row_names);
        PROMISE((size_t)table->x.rows * (size_t)table->x.cols <= size);
        round_trip(table);
        pen_table_free(table);
    }
    const pen_status status = pen_read_labels_bytes("fuzz.npy", data, size, NULL, &table, &err);
    if (status != PEN_OK) {
        promise_failure(status, &err, table);
        return 0;
    }
    PROMISE(table->x.rows > 0 && table->x.cols == 0 && table->labels);
    promise_labels(table);
    pen_table_free(table);
    return 0;
}
