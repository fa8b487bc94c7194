/* draw.c - numbers drawn so far are bits of a set or, when they are few among many, entries of a
 * hash table. */
#include "core/draw.h"

#include "core/sort.h"

#include <string.h>

enum { WORD = 64, LIST_FACTOR = 192, REPORT = 1 << 20 };

static const int64_t FREE = -1;

/* ---- bits ---- */

static pen_status draw_bits(pen_run *run, pen_rng *rng, int64_t wanted, pen_draw *draw)
{
    const int64_t words = draw->total / WORD + 1;

    PEN_TRY(PEN_NEW(run, draw->bits, words));
    memset(draw->bits, 0, (size_t)words * sizeof *draw->bits);
    for (int64_t drawn = 0; drawn < wanted;) {
        const int64_t t = pen_rng_below(rng, draw->total);
        const uint64_t bit = UINT64_C(1) << (t % WORD);
        if (draw->bits[t / WORD] & bit)
            continue;
        draw->bits[t / WORD] |= bit;
        if (drawn++ % REPORT == 0)
            PEN_TRY(pen_progress(run, "drawing pairs", drawn, wanted));
    }
    return PEN_OK;
}

/* ---- a hash table, which becomes a sorted list ---- */

static pen_status draw_list(pen_run *run, pen_rng *rng, int64_t wanted, pen_draw *draw)
{
    int64_t room = 16, *slots;

    while (room < 2 * wanted)
        room *= 2;
    PEN_TRY(PEN_NEW(run, draw->list, wanted));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, slots, room));
    for (int64_t i = 0; i < room; i++)
        slots[i] = FREE;
    while (draw->listed < wanted) {
        const int64_t t = pen_rng_below(rng, draw->total);
        int64_t slot = (int64_t)(((uint64_t)t * UINT64_C(0x9E3779B97F4A7C15)) >> 11) & (room - 1);
        while (slots[slot] != FREE && slots[slot] != t)
            slot = (slot + 1) & (room - 1);
        if (slots[slot] == t)
            continue;
        slots[slot] = t;
        draw->list[draw->listed] = (uint64_t)t;
        if (draw->listed++ % REPORT == 0)
            PEN_TRY(pen_progress(run, "drawing pairs", draw->listed, wanted));
    }
    pen_release(run, mark);
    return pen_sort_keys(run, "sorting pairs", draw->list, wanted, (uint64_t)draw->total);
}

pen_status pen_draw_open(pen_run *run, pen_rng *rng, int64_t total, int64_t count, pen_draw *out)
{
    *out = (pen_draw){ .total = total, .count = count, .left_out = count > total - count };
    const int64_t wanted = out->left_out ? total - count : count;
    return wanted < total / LIST_FACTOR ? draw_list(run, rng, wanted, out)
                                        : draw_bits(run, rng, wanted, out);
}

/* ---- reading ---- */

static int has(const pen_draw *draw, pen_draw_place *place, int64_t t)
{
    if (draw->bits)
        return (int)(draw->bits[t / WORD] >> (t % WORD) & 1) != draw->left_out;
    const int listed = place->at < draw->listed && draw->list[place->at] == (uint64_t)t;
    place->at += listed;
    return listed != draw->left_out;
}

int64_t pen_draw_next(const pen_draw *draw, pen_draw_place *place)
{
    const uint64_t none = draw->left_out ? ~UINT64_C(0) : 0;

    if (!draw->bits && !draw->left_out)
        return place->at < draw->listed ? (int64_t)draw->list[place->at++] : -1;
    while (place->next < draw->total) {
        const int64_t t = place->next++;
        if (draw->bits && t % WORD == 0 && draw->bits[t / WORD] == none)
            place->next = t + WORD;
        else if (has(draw, place, t))
            return t;
    }
    return -1;
}
