/* fuzz_matrix.c - npz archives and Matrix Market files, compressed or not. The first byte selects
 * the array in the file, the second one the options; the rest is the file. Sparse rows keep the
 * rules of pen_csr, and rows have finite values. */
#include "fuzz.h"

static const char *const members[] = { "", "::X", "::y" };
enum { MEMBERS = sizeof members / sizeof *members };

static double entry(const pen_array *x, int64_t e)
{
    return x->dtype == PEN_F64   ? ((const double *)x->values)[e]
           : x->dtype == PEN_F32 ? (double)((const float *)x->values)[e]
                                 : ((const unsigned char *)x->values)[e];
}

static void promise_sparse(const pen_table *t)
{
    const pen_array *const x = &t->x;

    PROMISE(x->rows > 0 && x->cols > 0 && x->starts[0] == 0);
    for (int64_t i = 0; i < x->rows; i++) {
        PROMISE(x->starts[i + 1] >= x->starts[i]);
        for (int64_t e = x->starts[i]; e < x->starts[i + 1]; e++) {
            PROMISE(x->columns[e] >= 0 && x->columns[e] < x->cols && isfinite(entry(x, e)));
            PROMISE(e == x->starts[i] || x->columns[e] > x->columns[e - 1]);
        }
    }
    for (int64_t j = 0; t->column_names && j < x->cols; j++)
        PROMISE(t->column_names[j]);
    for (int64_t i = 0; t->row_names && i < x->rows; i++)
        PROMISE(t->row_names[i]);
    promise_labels(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const dropped[] = { "0" }, *const kept[] = { "number" };
    pen_read_options options = { .map = 0 };
    char name[64];
    pen_table *table;
    pen_error err;

    if (size < 2)
        return 0;
    snprintf(name, sizeof name, "fuzz.bin%s", members[data[0] % MEMBERS]);
    options.missing = (pen_missing)(data[1] % 3);
    options.label_column = data[1] & 4 ? data[1] & 8 ? "number" : "kind" : NULL;
    options.drop = dropped;
    options.drop_count = data[1] >> 4 & 1;
    options.carry = kept;
    options.carry_count = data[1] >> 5 & 1;
    pen_status status = pen_read_bytes(name, data + 2, size - 2, &options, &table, &err);
    if (status != PEN_OK)
        promise_failure(status, &err, table);
    else if (table->x.starts)
        promise_sparse(table);
    else
        promise_table(table);
    pen_table_free(table);
    status = pen_read_labels_bytes(name, data + 2, size - 2, NULL, &table, &err);
    if (status != PEN_OK)
        promise_failure(status, &err, table);
    else
        promise_labels(table);
    pen_table_free(table);
    return 0;
}
