/* fuzz_pairs.c - pair files. The first byte selects the kind and the number of rows; the rest is
 * the file. Pairs survive being written and read again, also with all numbers in quotes, which
 * takes another path through the reader. */
#include "fuzz.h"

static void promise_list(const int64_t *pairs, int64_t count, int64_t rows)
{
    PROMISE(count >= 0 && (count > 0) == (pairs != NULL));
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = pairs[2 * k], j = pairs[2 * k + 1];
        PROMISE(i >= 0 && j >= 0 && i != j);
        PROMISE(rows == 0 || (i < rows && j < rows));
    }
}

static void put_list(struct memory *m, const int64_t *pairs, int64_t count, const char *format,
                     int kind)
{
    char line[128];

    for (int64_t k = 0; k < count; k++)
        put_memory(m, line,
                   (size_t)snprintf(line, sizeof line, format, (long long)pairs[2 * k],
                                    (long long)pairs[2 * k + 1], kind));
}

static void promise_same_list(const int64_t *a, int64_t a_count, const int64_t *b, int64_t b_count)
{
    PROMISE(a_count == b_count);
    PROMISE(a_count == 0 || memcmp(a, b, 2 * (size_t)a_count * sizeof *a) == 0);
}

static void round_trip(const pen_pairs *t, int64_t rows, const char *format)
{
    struct memory m = { NULL, 0, 0 };
    pen_pairs *back = NULL;
    pen_error err;

    put_list(&m, t->must_link, t->must_link_count, format, 1);
    put_list(&m, t->cannot_link, t->cannot_link_count, format, -1);
    if (pen_read_pairs_bytes("again.csv", m.data, m.size, PEN_ANY_LINK, rows, &back, &err)
        != PEN_OK) {
        PROMISE(err.code == PEN_NO_MEMORY);
    } else {
        promise_same_list(t->must_link, t->must_link_count, back->must_link, back->must_link_count);
        promise_same_list(t->cannot_link, t->cannot_link_count, back->cannot_link,
                          back->cannot_link_count);
    }
    pen_pairs_free(back);
    free(m.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const pen_link links[] = { PEN_ANY_LINK, PEN_MUST_LINK, PEN_CANNOT_LINK, PEN_ANY_LINK };
    static const int64_t rows_there_are[] = { 0, 1, 10, 1000 };
    static const char *const names[] = { "fuzz.csv", "fuzz.npy" };
    pen_pairs *table = NULL;
    pen_error err;

    if (size < 1)
        return 0;
    const pen_link link = links[data[0] & 3];
    const int64_t rows = rows_there_are[data[0] >> 2 & 3];
    const pen_status status =
        pen_read_pairs_bytes(names[data[0] >> 4 & 1], data + 1, size - 1, link, rows, &table, &err);
    if (status != PEN_OK) {
        promise_failure(status, &err, table);
        return 0;
    }
    promise_list(table->must_link, table->must_link_count, rows);
    promise_list(table->cannot_link, table->cannot_link_count, rows);
    PROMISE(link != PEN_MUST_LINK || table->cannot_link_count == 0);
    PROMISE(link != PEN_CANNOT_LINK || table->must_link_count == 0);
    PROMISE((size_t)table->must_link_count + (size_t)table->cannot_link_count <= size / 2);
    round_trip(table, rows, "%lld,%lld,%d\n");
    round_trip(table, rows, "\"%lld\" ;\"%lld\"; \"%d\"\r\n");
    pen_pairs_free(table);
    return 0;
}
