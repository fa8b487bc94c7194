/* duplicate_rows.c - duplicate rows: rows are sorted by a hash of their bytes, then compared. */
#include "core/duplicate_rows.h"

#include "core/parallel.h"
#include "core/sparse_array.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096, GATHERED = 64 };

struct entry {
    uint64_t hash;
    int64_t row;
};

struct all {
    const pen_array *values;
    int64_t n;
    struct entry *entries;
    pen_slices buffer; /* [GATHERED] rows, where columns are apart */
};

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

/* Of a sparse row: zeros that are stored are passed over, and so are signs of zeros. */
static uint64_t hash_of_entries(const pen_array *a, int64_t row)
{
    uint64_t hash = 0;

    for (int64_t e = a->starts[row]; e < a->starts[row + 1]; e++) {
        struct {
            double value;
            int64_t column;
        } const entry = { pen_entry(a, e), a->columns[e] };
        if (entry.value != 0)
            hash = (hash ^ hash_of((const char *)&entry, sizeof entry)) * 5 + 1;
    }
    return hash;
}

/* The first entry from e on that is not 0, before `end`. */
static int64_t next_entry(const pen_array *a, int64_t e, int64_t end)
{
    while (e < end && pen_entry(a, e) == 0)
        e++;
    return e;
}

static int are_sparse_equal(const pen_array *a, int64_t row, int64_t other)
{
    const int64_t end = a->starts[row + 1], other_end = a->starts[other + 1];
    int64_t p = next_entry(a, a->starts[row], end), q = next_entry(a, a->starts[other], other_end);

    while (p < end && q < other_end) {
        if (a->columns[p] != a->columns[q] || pen_entry(a, p) != pen_entry(a, q))
            return 0;
        p = next_entry(a, p + 1, end);
        q = next_entry(a, q + 1, other_end);
    }
    return p == end && q == other_end;
}

static void hash_block(void *context, int64_t task, int worker)
{
    const struct all *s = context;
    const pen_array *const a = s->values;
    const size_t size = (size_t)a->cols * pen_size(a->dtype);
    const int64_t end = pen_min((task + 1) * BLOCK, s->n);
    char *const rows = pen_slice(&s->buffer, worker);

    for (int64_t i = task * BLOCK; i < end; i++) {
        const int64_t r = i % GATHERED;
        if (pen_is_sparse(a)) {
            s->entries[i] = (struct entry){ hash_of_entries(a, i), i };
            continue;
        }
        if (pen_step(a) != 1 && r == 0)
            pen_array_gather(a, NULL, i, pen_min(GATHERED, end - i), 0, a->cols, a->dtype, rows);
        const char *const row = pen_step(a) != 1 ? rows + (size_t)r * size : pen_row_at(a, i);
        s->entries[i] = (struct entry){ hash_of(row, size), i };
    }
}

static int by_hash_then_row(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    if (p->hash != q->hash)
        return p->hash < q->hash ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static int are_equal(const pen_array *a, int64_t row, int64_t other)
{
    const size_t item = pen_size(a->dtype);
    int equal = 1;

    if (row == other)
        return 1;
    if (pen_is_sparse(a))
        return are_sparse_equal(a, row, other);
    const char *const p = pen_row_at(a, row), *const q = pen_row_at(a, other);
    const int64_t step = pen_step(a) * (int64_t)item;
    if (pen_step(a) == 1)
        return memcmp(p, q, (size_t)a->cols * item) == 0;
    for (int64_t j = 0; equal && j < a->cols; j++)
        equal = memcmp(p + j * step, q + j * step, item) == 0;
    return equal;
}

/* Of rows with equal hashes but different values, some duplicates may be missed: that costs time
 * but is not wrong. */
pen_status pen_duplicates_find(pen_run *run, const pen_rows *x, int64_t n, int64_t *duplicate)
{
    /* the rows whose distances are compared */
    const pen_array *const values = x->source ? &x->source->values : &x->values;
    struct all s = { .values = values, .n = n };
    const pen_mark_t mark = pen_mark(run);
    const int64_t tasks = (n + BLOCK - 1) / BLOCK,
                  gathered = pen_step(values) == 1 ? 0 : pen_times(GATHERED, values->cols);

    PEN_TRY(
        pen_slices_new(run, pen_workers(run, tasks), gathered, pen_size(values->dtype), &s.buffer));
    PEN_TRY(PEN_NEW(run, s.entries, n));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, hash_block, &s));
    qsort(s.entries, (size_t)n, sizeof *s.entries, by_hash_then_row);
    for (int64_t i = 0, first = 0; i < n; i++) {
        const int64_t row = s.entries[i].row;
        if (s.entries[i].hash != s.entries[first].hash)
            first = i;
        const int64_t original = s.entries[first].row;
        duplicate[row] = are_equal(values, row, original) ? original : row;
    }
    pen_release(run, mark);
    return PEN_OK;
}
