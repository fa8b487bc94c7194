/* row_digest.c - the checksum of rows, by products modulo 2^64.
 *
 *   h_i = sum_j (lo_ij + p_j) (hi_ij + q_j) - p_j q_j,    digest = sum_i mix(h_i + key(i))
 *
 * lo and hi are the halves of the bits of a value, p and q fixed numbers of 32 bits that differ
 * from column to column (Black et al., CRYPTO 1999: NH). A value 0 adds nothing, so entries of
 * sparse rows are enough, and rows may be taken in any order. Values are those given, not those
 * after row steps, whose last bits depend on the machine; the steps are compared by themselves. */
#include "stats/row_digest.h"

#include "core/array.h"
#include "core/parallel.h"
#include "core/rng.h"

#include <string.h>

enum { PIECE = 1024, TILE = 4096 /* values that are gathered at a time, or one row */ };

struct pieces {
    const pen_array *x;
    uint64_t *key;     /* [d] p in the lower half, q in the upper one */
    uint64_t none;     /* sum of p_j q_j */
    pen_slices slices; /* [tile x d] */
    int64_t tile;      /* rows */
    uint64_t *parts;   /* [pieces] */
};

static uint64_t key_of(int64_t number)
{
    return pen_rng_mix(((uint64_t)number + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* (lo + p) (hi + q) */
static inline uint64_t term(double value, uint64_t key)
{
    const double positive = value + 0.0; /* -0 becomes 0 */
    uint64_t bits;

    memcpy(&bits, &positive, sizeof bits);
    const uint32_t lo = (uint32_t)bits + (uint32_t)key,
                   hi = (uint32_t)(bits >> 32) + (uint32_t)(key >> 32);
    return (uint64_t)lo * hi;
}

static uint64_t add_row(const double *row, const uint64_t *key, int64_t d)
{
    uint64_t sum = 0;
    for (int64_t j = 0; j < d; j++)
        sum += term(row[j], key[j]);
    return sum;
}

static uint64_t add_entries(const pen_array *x, int64_t row, const uint64_t *key)
{
    uint64_t sum = 0;
    for (int64_t e = x->starts[row]; e < x->starts[row + 1]; e++) {
        const uint64_t of = key[x->columns[e]];
        sum += term(pen_entry(x, e), of) - term(0, of);
    }
    return sum;
}

/* Rows first .. end - 1; tile: scratch. */
static uint64_t add_rows(const struct pieces *p, int64_t first, int64_t end, double *tile)
{
    const pen_array *const x = p->x;
    const int64_t d = x->cols;
    uint64_t sum = 0;

    if (pen_is_sparse(x)) {
        for (int64_t i = first; i < end; i++)
            sum += pen_rng_mix(add_entries(x, i, p->key) + key_of(i));
        return sum;
    }
    for (int64_t i = first; i < end; i += p->tile) {
        const int64_t some = pen_min(p->tile, end - i);
        const int here = x->dtype == PEN_F64 && pen_is_contiguous(x); /* no copy of doubles */
        if (!here)
            pen_array_gather(x, NULL, i, some, 0, d, PEN_F64, tile);
        for (int64_t r = 0; r < some; r++) {
            const double *const row = here ? pen_row_at(x, i + r) : tile + r * d;
            sum += pen_rng_mix(add_row(row, p->key, d) - p->none + key_of(i + r));
        }
    }
    return sum;
}

static void add_piece(void *context, int64_t task, int worker)
{
    const struct pieces *const p = context;
    const int64_t first = task * PIECE, end = pen_min(p->x->rows, first + PIECE);

    p->parts[task] = add_rows(p, first, end, pen_slice(&p->slices, worker));
}

pen_status pen_row_digest(pen_run *run, const pen_array *x, int64_t *digest)
{
    const int64_t d = x->cols, pieces = (x->rows + PIECE - 1) / PIECE;
    struct pieces p = { .x = x, .tile = pen_max(1, TILE / pen_max(1, d)) };
    uint64_t sum = 0;

    *digest = 0;
    if (x->rows == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, pieces), pen_times(p.tile, d), sizeof(double),
                           &p.slices));
    PEN_TRY(PEN_NEW(run, p.key, d));
    PEN_TRY(PEN_NEW(run, p.parts, pieces));
    for (int64_t j = 0; j < d; j++) {
        p.key[j] = key_of(-2 - j); /* rows have the others */
        p.none += term(0, p.key[j]);
    }
    PEN_TRY(pen_parallel(run, PEN_WHOLE("reading rows"), pieces, add_piece, &p));
    for (int64_t t = 0; t < pieces; t++)
        sum += p.parts[t];
    memcpy(digest, &sum, sizeof sum);
    pen_release(run, mark);
    return PEN_OK;
}
