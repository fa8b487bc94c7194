/* fuzz_text.c - text files. The first four bytes select the options; the rest is the file. Tables
 * survive being written and read again. */
#include "fuzz.h"

#include "io/write.h"

static void promise_same_names(char **a, char **b, int64_t count)
{
    PROMISE((a != NULL) == (b != NULL));
    for (int64_t i = 0; a && i < count; i++)
        PROMISE(strcmp(a[i], b[i]) == 0);
}

static void round_trip(const pen_table *t, char delimiter)
{
    struct memory m = { NULL, 0, 0 };
    pen_read_options options = { .delimiter = delimiter };
    const pen_control control = { .threads = 1 };
    pen_table *back = NULL;
    pen_error err;
    pen_run *run;

    /* Without row names, an unnamed first column would be taken for row names. */
    if (t->column_names && !t->row_names && t->column_names[0][0] == '\0')
        return;
    options.header = t->column_names ? 1 : -1;
    options.name_column = t->row_names ? "0" : NULL;
    for (int64_t j = 0; t->column_names && t->row_names && j < t->x.cols; j++)
        if (strcmp(t->column_names[j], "0") == 0) /* would be the name column */
            return;
    const pen_sheet sheet = { .rows = t->x.rows,
                              .has_header = t->column_names != NULL,
                              .bands = { { .count = t->row_names != NULL,
                                           .texts = (const char *const *)t->row_names },
                                         { .count = t->x.cols,
                                           .names = (const char *const *)t->column_names,
                                           .values = &t->x } } };
    PROMISE(pen_run_open(&control, NULL, &run) == PEN_OK);
    PROMISE(pen_write_text(run, &sheet, delimiter, put_memory, &m) == PEN_OK);
    pen_run_close(run);
    if (pen_read_bytes("again.csv", m.data, m.size, &options, &back, &err) != PEN_OK) {
        /* names can look like the first bytes of another format or of a compressed file */
        PROMISE(err.code == PEN_NO_MEMORY || strstr(err.message, ": this is ") || m.data[0] < ' '
                || m.data[1] < ' ');
    } else {
        promise_same_values(&t->x, &back->x);
        promise_same_names(t->column_names, back->column_names, t->x.cols);
        promise_same_names(t->row_names, back->row_names, t->x.rows);
    }
    pen_table_free(back);
    free(m.data);
}

static void fuzz_table(const uint8_t *data, size_t size, const pen_read_options *options)
{
    pen_table *table = NULL;
    pen_error err;
    const pen_status status = pen_read_bytes("fuzz.csv", data, size, options, &table, &err);

    if (status != PEN_OK) {
        promise_failure(status, &err, table);
        return;
    }
    promise_table(table);
    PROMISE((table->labels != NULL) == (options->label_column != NULL));
    PROMISE(options->missing == PEN_MISSING_DROP || table->dropped_rows == 0);
    PROMISE(options->missing == PEN_MISSING_MEAN || table->filled_cells == 0);
    round_trip(table, ',');
    round_trip(table, '\t');
    pen_table_free(table);
}

static void fuzz_labels(const uint8_t *data, size_t size, const pen_read_options *options)
{
    pen_table *table = NULL;
    pen_error err;
    const pen_status status = pen_read_labels_bytes("fuzz.txt", data, size, options, &table, &err);

    if (status != PEN_OK) {
        promise_failure(status, &err, table);
        return;
    }
    PROMISE(table->x.rows > 0 && table->x.cols == 0 && table->labels);
    promise_labels(table);
    pen_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char delimiters[] = { '\0', '\0', '\0', '\0', ',', ';', '\t', ' ' };
    static const char *const columns[] = { NULL, NULL, "0", "-1", "1", "y", "", "-2" };

    static const char *const na[] = { "-999", "x" }, *const drop[] = { "0" },
                             *const keep[] = { "-1" };

    if (size < 4)
        return 0;
    const int labels = data[1] >> 7;
    const pen_read_options options = {
        .delimiter = delimiters[data[0] & 7],
        .label_column = columns[data[0] >> 3 & 7],
        .unlabelled = data[0] >> 6 & 1 ? na : NULL,
        .unlabelled_count = data[2] >> 7,
        .header = ((data[1] & 15) % 3),
        .missing = (pen_missing)((data[1] >> 4 & 3) % 3),
        .name_column = data[1] >> 6 & 1 ? columns[data[1] & 7] : NULL,
        .decimal = data[2] & 1   ? ','
                   : data[2] & 2 ? '.'
                                 : '\0',
        .comment = data[2] & 4 ? '#' : '\0',
        .na = na,
        .na_count = data[2] & 8 ? 2 : 0,
        .drop = drop,
        .drop_count = data[3] & 1,
        .carry = keep,
        .carry_count = data[3] >> 1 & 1,
    };
    if (labels)
        fuzz_labels(data + 4, size - 4, &options);
    else
        fuzz_table(data + 4, size - 4, &options);
    return 0;
}
