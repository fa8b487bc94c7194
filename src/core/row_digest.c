/* row_digest.c - the sum over the values v of a row of mix(bits of v + key of its column), modulo
 * 2^64.
 *
 * A value 0 adds nothing, so the entries of sparse rows suffice. Values are taken before row steps,
 * because the last bits after them depend on the machine; the steps are compared separately. */
#include "core/row_digest.h"

#include "core/rng.h"

#include <string.h>

enum { PIECE = 1024, TILE = 4096 /* values gathered at a time, or one row */ };

static const uint64_t STEP = UINT64_C(0x9e3779b97f4a7c15);

struct pieces {
    const pen_array *x;
    pen_slices slices; /* [tile x d] */
    int64_t tile;      /* rows */
    uint64_t *digests; /* [rows] */
    int64_t *bad;      /* [pieces] the first nonfinite row, or -1 */
};

static inline uint64_t term(double value, int64_t column)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits = pen_rng_mix(bits + (uint64_t)(column + 1) * STEP);
    return value != 0 ? bits : 0;
}

static uint64_t add_row(const double *row, int64_t d)
{
    uint64_t sum = 0;
    for (int64_t j = 0; j < d; j++)
        sum += term(row[j], j);
    return sum;
}

static uint64_t add_entries(const pen_array *x, int64_t row, int *finite)
{
    uint64_t sum = 0;
    for (int64_t e = x->starts[row]; e < x->starts[row + 1]; e++) {
        const double value = pen_entry(x, e);
        *finite &= value * 0 == 0;
        sum += term(value, x->columns[e]);
    }
    return sum;
}

/* Adds dense rows first .. first + some - 1; tile: scratch. */
static void add_tile(const struct pieces *p, int64_t first, int64_t some, double *tile,
                     int64_t *bad)
{
    const pen_array *const x = p->x;
    const int64_t d = x->cols;
    const int here = x->dtype == PEN_F64 && pen_is_contiguous(x); /* no copy of doubles */

    if (!here)
        pen_array_gather(x, NULL, first, some, 0, d, PEN_F64, tile);
    for (int64_t r = 0; r < some; r++) {
        const double *const row = here ? pen_row_at(x, first + r) : tile + r * d;
        p->digests[first + r] = pen_rng_mix(add_row(row, d));
        if (*bad < 0 && !pen_finite_values(PEN_F64, row, d))
            *bad = first + r;
    }
}

static void add_piece(void *context, int64_t task, int worker)
{
    const struct pieces *const p = context;
    const int64_t first = task * PIECE, end = pen_min(p->x->rows, first + PIECE);
    int64_t bad = -1;

    for (int64_t i = first; pen_is_sparse(p->x) && i < end; i++) {
        int finite = 1;
        p->digests[i] = pen_rng_mix(add_entries(p->x, i, &finite));
        bad = finite || bad >= 0 ? bad : i;
    }
    for (int64_t i = first; !pen_is_sparse(p->x) && i < end; i += p->tile)
        add_tile(p, i, pen_min(p->tile, end - i), pen_slice(&p->slices, worker), &bad);
    p->bad[task] = bad;
}

pen_status pen_row_digests(pen_run *run, pen_phase phase, const pen_array *x, uint64_t **digests,
                           int64_t *bad)
{
    const int64_t d = x->cols, pieces = (x->rows + PIECE - 1) / PIECE;
    struct pieces p = { .x = x, .tile = pen_max(1, TILE / pen_max(1, d)) };

    *bad = -1;
    PEN_TRY(PEN_NEW(run, *digests, x->rows));
    p.digests = *digests;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, pieces),
                           pen_is_sparse(x) ? 0 : pen_times(p.tile, d), sizeof(double), &p.slices));
    PEN_TRY(PEN_NEW(run, p.bad, pieces));
    PEN_TRY(pen_parallel(run, phase, pieces, add_piece, &p));
    for (int64_t t = 0; t < pieces && *bad < 0; t++)
        *bad = p.bad[t];
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_row_digest(pen_run *run, const pen_array *x, int64_t *digest)
{
    uint64_t *digests, sum = 0;
    int64_t bad;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_row_digests(run, PEN_WHOLE("reading rows"), x, &digests, &bad));
    for (int64_t i = 0; i < x->rows; i++)
        sum += pen_rng_mix(digests[i] + (uint64_t)(i + 1) * STEP);
    memcpy(digest, &sum, sizeof sum);
    pen_release(run, mark);
    return PEN_OK;
}
