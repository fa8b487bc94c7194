/* neighbor_lists.h - rows to search, and neighbor lists against sorted distances, for every
 * instruction set. */
#ifndef NEIGHBOR_LISTS_H
#define NEIGHBOR_LISTS_H

#include "check.h"

#include "core/isa.h"
#include "neighbors/neighbor.h"

struct searched {
    pen_view rows;
    pen_run *run;
    void *values;
};

/* Value i of an array of any type; bytes are integers modulo 256. */
static inline void set_value(void *values, pen_dtype dtype, int64_t i, double value)
{
    if (dtype == PEN_F64)
        ((double *)values)[i] = value;
    else if (dtype == PEN_F32)
        ((float *)values)[i] = (float)value;
    else
        ((uint8_t *)values)[i] = (uint8_t)((int)fmin(fabs(value), 1e6) % 256);
}

/* The rows in `values` [n x d], from check_allocate, normalized if `unit`. */
static inline struct searched searched_open(void *values, pen_dtype dtype, int64_t n, int64_t d,
                                            int unit, int threads)
{
    const pen_control control = { .threads = threads };
    const pen_data data = { .x = pen_dense(values, dtype, n, d, d) };
    struct searched s = { .values = values };

    assert_int_equal(pen_run_open(&control, NULL, &s.run), PEN_OK);
    assert_int_equal(pen_rows_open(s.run, &data, unit, PEN_SCALE_NONE, &s.rows), PEN_OK);
    return s;
}

static inline void searched_close(struct searched *s)
{
    pen_run_close(s->run);
}

static inline int nearer(const void *a, const void *b)
{
    const pen_neighbor *p = a, *q = b;
    if (fabs(p->distance2 - q->distance2) > 1e-12 * fmin(p->distance2, q->distance2))
        return p->distance2 < q->distance2 ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* `found` [k] must be the nearest of all [count], which are sorted here. */
static inline void check_nearest(int64_t query, int64_t count, pen_neighbor *all, int64_t k,
                                 const pen_neighbor *found, const char *what)
{
    qsort(all, (size_t)count, sizeof *all, nearer);
    for (int64_t e = 0; e < k; e++) {
        const pen_neighbor right = e < count ? all[e] : (pen_neighbor){ INFINITY, -1 };
        CHECK(found[e].row == right.row && found[e].distance2 == right.distance2,
              "%s, query %lld, neighbor %lld: row %lld at %.17g, expected %lld at %.17g", what,
              (long long)query, (long long)e, (long long)found[e].row, found[e].distance2,
              (long long)right.row, right.distance2);
    }
}

/* `found` [k] must be the k nearest rows of x to row `self` of q, excluding the row itself if
 * `others`. */
static inline void check_list(const pen_view *q, int64_t self, const pen_view *x,
                              pen_subset candidates, int others, int64_t k,
                              const pen_neighbor *found, const char *what)
{
    pen_neighbor *const all = check_allocate(candidates.count, sizeof *all);
    int64_t count = 0;

    for (int64_t j = 0; j < candidates.count; j++) {
        const int64_t row = candidates.rows ? candidates.rows[j] : j;
        if (!others || row != self)
            all[count++] = (pen_neighbor){ pen_rows_distance2_between(q, self, x, row), row };
    }
    check_nearest(self, count, all, k, found, what);
}

/* The lists have the same rows at distances with the same bits. */
static inline void check_same_lists(const pen_neighbor *found, const pen_neighbor *right,
                                    int64_t count, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        CHECK(found[i].row == right[i].row && found[i].distance2 == right[i].distance2,
              "%s: entry %lld is row %lld at %.17g, expected %lld at %.17g", what, (long long)i,
              (long long)found[i].row, found[i].distance2, (long long)right[i].row,
              right[i].distance2);
}

/* Runs `body` with each instruction set of this CPU, then restores the best one. */
static inline void for_every_isa(void (*body)(pen_isa isa, pen_rng *rng), uint64_t tag)
{
    const pen_isa best = pen_isa_now();
    pen_rng rng = check_rng(tag);

    for (int isa = 0; isa < PEN_ISA_COUNT; isa++)
        if (pen_isa_has((pen_isa)isa)) {
            pen_isa_use((pen_isa)isa);
            body((pen_isa)isa, &rng);
        }
    pen_isa_use(best);
}

#endif
