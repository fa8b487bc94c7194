/* fuzz_libsvm.c - libsvm files. The first byte selects the options. Writing the table and reading
 * it again gives the same rows. */
#include "fuzz.h"

#include "core/number.h"

/* Writes labels as codes from 1, with 0 for unlabelled rows, to avoid the conventions of the
 * format. Zeros are omitted, except in the last column. */
static void write_rows(const pen_table *t, struct memory *m)
{
    for (int64_t i = 0; i < t->x.rows; i++) {
        char text[64];
        put_memory(m, text, (size_t)snprintf(text, sizeof text, "%d", t->labels[i] + 1));
        for (int64_t j = 0; j < t->x.cols; j++) {
            char number[PEN_NUMBER_SIZE];
            const double value = value_at(&t->x, i, j);
            if (value == 0 && !signbit(value) && j < t->x.cols - 1)
                continue;
            pen_number_write(value, number);
            put_memory(m, text,
                       (size_t)snprintf(text, sizeof text, " %lld:%s", (long long)j + 1, number));
        }
        put_memory(m, "\n", 1);
    }
}

static void round_trip(const pen_table *t)
{
    struct memory m = { NULL, 0, 0 };
    pen_table *back = NULL;
    pen_error err;

    write_rows(t, &m);
    static const char *const zero[] = { "0" };
    const pen_read_options options = { .unlabelled = zero, .unlabelled_count = 1 };
    if (pen_read_bytes("again.svm", m.data, m.size, &options, &back, &err) != PEN_OK) {
        PROMISE(err.code == PEN_NO_MEMORY);
    } else {
        promise_same_values(&t->x, &back->x);
        PROMISE(back->class_count == t->class_count);
        for (int64_t i = 0; i < t->x.rows; i++)
            PROMISE(back->labels[i] == t->labels[i]);
    }
    pen_table_free(back);
    free(m.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pen_table *table = NULL;
    pen_error err;

    static const char *const none[] = { "" };

    if (size < 1)
        return 0;
    const pen_read_options options = { .missing = (pen_missing)(data[0] % 3),
                                       .unlabelled = data[0] & 64 ? none : NULL,
                                       .unlabelled_count = 1 };
    const pen_status status =
        pen_read_bytes("fuzz.svm", data + 1, size - 1, &options, &table, &err);
    if (status != PEN_OK) {
        promise_failure(status, &err, table);
        return 0;
    }
    /* one large index is read quickly, but visiting every zero takes long */
    if (table->x.rows * table->x.cols < 1 << 20) {
        promise_table(table);
        if (table->labels) /* the content may be of another format, without labels */
            round_trip(table);
    }
    pen_table_free(table);
    return 0;
}
