/* duplicate_rows.c - duplicate rows: rows are sorted by a hash of their bytes, then compared. */
#include "neighbors/duplicate_rows.h"

#include "core/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

struct entry {
    uint64_t hash;
    int64_t row;
};

struct all {
    const pen_array *values;
    int64_t n;
    struct entry *entries;
};

static const char *bytes_of(const pen_array *a, int64_t row)
{
    return (const char *)a->values + (size_t)(row * a->stride) * pen_size(a->dtype);
}

static uint64_t hash_of(const char *bytes, size_t size)
{
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = size, word;

    for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, bytes, size);
    return (hash ^ word) * factor;
}

static void hash_block(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    const size_t size = (size_t)s->values->cols * pen_size(s->values->dtype);
    (void)worker;
    for (int64_t i = task * BLOCK; i < pen_min((task + 1) * BLOCK, s->n); i++)
        s->entries[i] = (struct entry){ hash_of(bytes_of(s->values, i), size), i };
}

static int by_hash_then_row(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    if (p->hash != q->hash)
        return p->hash < q->hash ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* Of rows with equal hashes but different values, some duplicates may be missed: that costs time
 * but is not wrong. */
pen_status pen_duplicates_find(pen_run *run, const pen_rows *x, int64_t n, int64_t *duplicate)
{
    /* the rows whose distances are compared */
    const pen_array *const values = x->source ? &x->source->values : &x->values;
    struct all s = { .values = values, .n = n };
    const pen_mark_t mark = pen_mark(run);
    const size_t size = (size_t)values->cols * pen_size(values->dtype);

    PEN_TRY(PEN_NEW(run, s.entries, n));
    PEN_TRY(pen_parallel(run, PEN_SILENT, (n + BLOCK - 1) / BLOCK, hash_block, &s));
    qsort(s.entries, (size_t)n, sizeof *s.entries, by_hash_then_row);
    for (int64_t i = 0, first = 0; i < n; i++) {
        const int64_t row = s.entries[i].row;
        if (s.entries[i].hash != s.entries[first].hash)
            first = i;
        const int64_t original = s.entries[first].row;
        duplicate[row] =
            memcmp(bytes_of(values, row), bytes_of(values, original), size) == 0 ? original : row;
    }
    pen_release(run, mark);
    return PEN_OK;
}
