/* fuzz_labels.c - label files: one label per row, or labels by row number or row name. The first
 * byte selects the form of the rows; the rest is the file. Labels survive being written by row. */
#include "fuzz.h"

enum { ROWS = 12 };

/* Writes each label with its row number and reads the file again. The classes must be the same.
 * Reading fails if a class is named like a mark in another notation. */
static void round_trip(const pen_table *t)
{
    const pen_table rows = { .x = { .rows = t->x.rows } };
    const pen_read_options options = { .rows = &rows };
    struct memory m = { NULL, 0, 0 };
    pen_table *back = NULL;
    char number[32];
    pen_error err;

    put_memory(&m, "row,class\n", 10);
    for (int64_t i = 0; i < t->x.rows; i++) {
        if (t->labels[i] < 0)
            continue;
        put_memory(&m, number, (size_t)snprintf(number, sizeof number, "%lld,\"", (long long)i));
        for (const char *c = t->class_names[t->labels[i]]; *c; c++)
            put_memory(&m, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
        put_memory(&m, "\"\n", 2);
    }
    if (pen_read_labels_bytes("again.csv", m.data, m.size, &options, &back, &err) == PEN_OK) {
        PROMISE(back->x.rows == t->x.rows);
        for (int64_t i = 0; i < t->x.rows; i++)
            PROMISE(back->labels[i] < 0
                    || (t->labels[i] >= 0
                        && strcmp(back->class_names[back->labels[i]], t->class_names[t->labels[i]])
                               == 0));
    }
    pen_table_free(back);
    free(m.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char names[ROWS][8] = { "a",  "b",   "x,1",      "\"",  " c",    "10",
                                   "-1", "row", "\xC3\xA9", "NaN", "class", "0" };
    char *list[ROWS];
    const pen_table rows = { .x = { .rows = ROWS },
                             .row_names = size > 0 && data[0] & 1 ? list : NULL };
    pen_table *table = NULL;
    pen_error err;

    if (size < 1)
        return 0;
    for (int i = 0; i < ROWS; i++)
        list[i] = names[i];
    const pen_read_options options = { .rows = data[0] & 2 ? NULL : &rows,
                                       .name_column = data[0] & 4 ? "id" : NULL };
    const pen_status status =
        pen_read_labels_bytes("fuzz.csv", data + 1, size - 1, &options, &table, &err);
    if (status != PEN_OK) {
        promise_failure(status, &err, table);
        return 0;
    }
    promise_labels(table);
    PROMISE(table->x.cols == 0 && table->x.rows > 0 && table->labels);
    round_trip(table);
    pen_table_free(table);
    return 0;
}
