/* random_subset.c - numbers drawn, in a bit set or, if they are sparse, a hash table. */
#include "core/random_subset.h"

#include "core/sort.h"

enum { WORD = 64, SPARSE_FACTOR = 192, REPORT_INTERVAL = 1 << 20 };

static const int64_t FREE = -1;

/* ---- bit set ---- */

static pen_status draw_bits(pen_run *run, pen_rng *rng, int64_t sampled, pen_draw *draw)
{
    const int64_t words = draw->total / WORD + 1;

    PEN_TRY(PEN_FILLED(run, draw->bits, words, 0));
    for (int64_t drawn = 0; drawn < sampled;) {
        const int64_t t = pen_rng_below(rng, draw->total);
        const uint64_t bit = UINT64_C(1) << (t % WORD);
        if (draw->bits[t / WORD] & bit)
            continue;
        draw->bits[t / WORD] |= bit;
        if (drawn++ % REPORT_INTERVAL == 0)
            PEN_TRY(pen_progress(run, "drawing pairs", drawn, sampled));
    }
    return PEN_OK;
}

/* ---- hash table, then sorted list ---- */

static pen_status draw_list(pen_run *run, pen_rng *rng, int64_t sampled, pen_draw *draw)
{
    int64_t capacity = 16, *slots;

    while (capacity < 2 * sampled)
        capacity *= 2;
    PEN_TRY(PEN_NEW(run, draw->list, sampled));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, slots, capacity, -1));
    while (draw->listed < sampled) {
        const int64_t t = pen_rng_below(rng, draw->total);
        int64_t slot =
            (int64_t)(((uint64_t)t * UINT64_C(0x9E3779B97F4A7C15)) >> 11) & (capacity - 1);
        while (slots[slot] != FREE && slots[slot] != t)
            slot = (slot + 1) & (capacity - 1);
        if (slots[slot] == t)
            continue;
        slots[slot] = t;
        draw->list[draw->listed] = (uint64_t)t;
        if (draw->listed++ % REPORT_INTERVAL == 0)
            PEN_TRY(pen_progress(run, "drawing pairs", draw->listed, sampled));
    }
    pen_release(run, mark);
    return pen_sort_keys(run, "sorting pairs", draw->list, sampled, (uint64_t)draw->total);
}

pen_status pen_draw_open(pen_run *run, pen_rng *rng, int64_t total, int64_t count, pen_draw *out)
{
    *out = (pen_draw){ .total = total, .count = count, .complement = count > total - count };
    const int64_t sampled = out->complement ? total - count : count;
    return sampled < total / SPARSE_FACTOR ? draw_list(run, rng, sampled, out)
                                           : draw_bits(run, rng, sampled, out);
}

/* ---- reading ---- */

static int is_member(const pen_draw *draw, pen_draw_cursor *cursor, int64_t t)
{
    if (draw->bits)
        return (int)(draw->bits[t / WORD] >> (t % WORD) & 1) != draw->complement;
    const int listed = cursor->at < draw->listed && draw->list[cursor->at] == (uint64_t)t;
    cursor->at += listed;
    return listed != draw->complement;
}

int64_t pen_draw_next(const pen_draw *draw, pen_draw_cursor *cursor)
{
    const uint64_t none = draw->complement ? ~UINT64_C(0) : 0;

    if (!draw->bits && !draw->complement)
        return cursor->at < draw->listed ? (int64_t)draw->list[cursor->at++] : -1;
    while (cursor->next < draw->total) {
        const int64_t t = cursor->next++;
        if (draw->bits && t % WORD == 0 && draw->bits[t / WORD] == none)
            cursor->next = t + WORD;
        else if (is_member(draw, cursor, t))
            return t;
    }
    return -1;
}
