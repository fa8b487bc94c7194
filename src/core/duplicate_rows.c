/* duplicate_rows.c - sorts rows by digests of their values, then compares neighbors. */
#include "core/duplicate_rows.h"

#include "core/row_digest.h"

#include <stdlib.h>

struct entry {
    uint64_t digest;
    int64_t row;
};

static int by_digest(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    if (p->digest != q->digest)
        return p->digest < q->digest ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* Among different rows with equal digests, some duplicates may be missed: that costs time but is
 * not wrong. */
pen_status pen_duplicates_find(pen_run *run, const pen_view *x, int64_t n, int64_t *duplicate)
{
    /* distances refer to these rows */
    pen_array values = x->source ? x->source->values : x->values;
    struct entry *entries;
    uint64_t *digests;
    int64_t bad;

    const pen_mark_t mark = pen_mark(run);
    values.rows = n;
    PEN_TRY(pen_row_digests(run, PEN_SILENT, &values, &digests, &bad));
    PEN_TRY(PEN_NEW(run, entries, n));
    for (int64_t i = 0; i < n; i++)
        entries[i] = (struct entry){ digests[i], i };
    qsort(entries, (size_t)n, sizeof *entries, by_digest);
    for (int64_t i = 0, first = 0; i < n; i++) {
        const int64_t row = entries[i].row;
        if (entries[i].digest != entries[first].digest)
            first = i;
        const int64_t original = entries[first].row;
        duplicate[row] = pen_rows_distance2(x, row, original) == 0 ? original : row;
    }
    pen_release(run, mark);
    return PEN_OK;
}
