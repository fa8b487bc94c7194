/* sample_rows.c - samples rows. */
#include "eval/trials/sample_rows.h"

#include "core/rng.h"
#include "core/row_digest.h"
#include "core/row_order.h"
#include "core/sort.h"
#include "problem/prepared_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    THIN_TAG = 5000,
    PART = 1 << 19, /* approximate number of digests compared at a time */
    LEAST_OF_CLASS = 3
};

/* Are these rows prepared, with a cache in the call? */
static int has_prepared(const pen_run *run, const pen_data *data)
{
    return data->rows && pen_run_cache(run) == data->rows->cache;
}

pen_status pen_data_order(pen_run *run, const pen_data *data, int64_t **order)
{
    pen_view rows;

    PEN_TRY((has_prepared(run, data) ? pen_rows_open_shared
                                     : pen_rows_open)(run, data, 0, PEN_SCALE_STANDARD, &rows));
    return pen_rows_order(run, &rows, order);
}

/* ---- drawing ---- */

/* The rows with one digest so far; count 0: a free place. */
struct copies {
    uint64_t digest, count;
};

struct ticket {
    int64_t number, row;
};

/* The `most` lowest tickets, and temporarily up to `most` more. */
struct draw {
    int64_t most, count;
    uint64_t seed;
    int64_t limit; /* tickets below it may be among the lowest */
    struct ticket *tickets;
};

static void keep_lowest(struct draw *d)
{
    qsort(d->tickets, (size_t)d->count, sizeof *d->tickets, pen_by_two_int64);
    if (d->count >= d->most) {
        d->count = d->most;
        d->limit = d->tickets[d->most - 1].number;
    }
}

/* Gives the next copy of this digest a ticket from digest, seed and count of copies. */
static void take_ticket(struct draw *d, struct copies *table, int64_t places, uint64_t digest,
                        int64_t row)
{
    int64_t at = (int64_t)(digest & (uint64_t)(places - 1));

    while (table[at].count > 0 && table[at].digest != digest)
        at = (at + 1) & (places - 1);
    table[at].digest = digest;
    const int64_t number = (int64_t)(pen_rng_derive(d->seed ^ digest, table[at].count++) >> 1);
    if (number > d->limit)
        return;
    d->tickets[d->count++] = (struct ticket){ number, row };
    if (d->count == 2 * d->most)
        keep_lowest(d);
}

/* The upper half of a digest decides its part, the lower half its place in a table. */
static int64_t part_of(uint64_t digest, int64_t parts)
{
    return (int64_t)((digest >> 32) * (uint64_t)parts >> 32);
}

/* Marks `most` of rows [count]. */
static pen_status draw(pen_run *run, uint64_t seed, const uint64_t *digests, const int64_t *rows,
                       int64_t count, int64_t most, char *taken)
{
    const int64_t parts = 1 + count / PART;
    struct draw d = { .most = most, .seed = seed, .limit = INT64_MAX };
    int64_t *sizes;

    if (most == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, d.tickets, pen_times(2, most)));
    PEN_TRY(PEN_FILLED(run, sizes, parts, 0));
    for (int64_t i = 0; i < count; i++)
        sizes[part_of(digests[rows[i]], parts)]++;
    for (int64_t part = 0; part < parts; part++) {
        const pen_mark_t mark = pen_mark(run);
        struct copies *table;
        int64_t places = 2;
        while (places < 2 * sizes[part])
            places *= 2;
        PEN_TRY(PEN_FILLED(run, table, places, 0));
        for (int64_t i = 0; i < count; i++)
            if (part_of(digests[rows[i]], parts) == part)
                take_ticket(&d, table, places, digests[rows[i]], rows[i]);
        pen_release(run, mark);
    }
    keep_lowest(&d);
    for (int64_t i = 0; i < d.count; i++)
        taken[d.tickets[i].row] = 1;
    return PEN_OK;
}

/* Draws labelled rows, from `classes`, and sets their number. */
static pen_status draw_labelled(pen_run *run, uint64_t seed, const uint64_t *digests,
                                const pen_view *classes, int64_t most, char *taken, int64_t *count)
{
    const double share = (double)most / (double)pen_max(most, classes->labelled);

    *count = 0;
    for (int64_t c = 0; c < classes->classes; c++) {
        const int64_t size = pen_class_size(classes, c), part = (int64_t)(share * (double)size),
                      some = pen_min(size, pen_max(part, LEAST_OF_CLASS));
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(draw(run, seed, digests, classes->members + classes->starts[c], size, some, taken));
        pen_release(run, mark);
        *count += some;
    }
    return PEN_OK;
}

/* A pen_make_fn. */
static pen_status make_digests(pen_run *run, void *context, pen_made *out)
{
    const pen_array *const x = context;
    uint64_t *digests;
    int64_t bad;

    PEN_TRY(pen_row_digests(run, PEN_WHOLE("reading rows"), x, &digests, &bad));
    *out = (pen_made){ .object = digests, .size = 8 * x->rows };
    return bad < 0 ? PEN_OK : pen_rows_refuse(run, x, bad);
}

static pen_status find_digests(pen_run *run, const pen_data *data, const uint64_t **out)
{
    pen_array x = data->x;
    pen_cache_key *key = NULL;
    const void *value;

    if (has_prepared(run, data))
        PEN_TRY(pen_cache_key_new(run, &x, PEN_CACHE_DIGESTS, &key));
    PEN_TRY(pen_cache_get(run, key, make_digests, &x, &value));
    *out = value;
    return PEN_OK;
}

pen_status pen_data_sample(pen_run *run, const pen_data *data, int64_t most, uint64_t seed,
                           int64_t **rows, int64_t *count)
{
    const int64_t n = data->x.rows;
    const uint64_t own = pen_rng_derive(seed, THIN_TAG);
    pen_view classes = { .n = 0 };
    int64_t *others, left = 0;
    const uint64_t *digests;
    char *taken;

    PEN_TRY(PEN_NEW(run, others, n));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_label(run, data->labels, n, &classes));
    PEN_TRY(find_digests(run, data, &digests));
    PEN_TRY(PEN_FILLED(run, taken, n, 0));
    PEN_TRY(draw_labelled(run, own, digests, &classes, most, taken, count));
    for (int64_t i = 0; i < n; i++)
        if (!data->labels || data->labels[i] == PEN_UNLABELLED)
            others[left++] = i;
    most = pen_min(left, pen_max(0, most - *count));
    PEN_TRY(draw(run, own, digests, others, left, most, taken));
    *count = 0;
    for (int64_t i = 0; i < n; i++)
        if (taken[i])
            others[(*count)++] = i;
    *rows = others;
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_pick(pen_run *run, const double *from, int64_t k, int64_t r, int64_t count,
                         const int64_t *rows, double **z)
{
    PEN_TRY(PEN_NEW(run, *z, pen_times(count, r)));
    for (int64_t i = 0; i < count; i++)
        memcpy(*z + i * r, from + rows[i] * k, (size_t)r * sizeof **z);
    return PEN_OK;
}

pen_status pen_data_pick(pen_run *run, const pen_data *data, int64_t count, const int64_t *rows,
                         pen_data *out)
{
    int32_t *labels, *groups;

    PEN_TRY(PEN_NEW2(run, labels, groups, count));
    for (int64_t i = 0; i < count; i++) {
        labels[i] = data->labels ? data->labels[rows[i]] : PEN_UNLABELLED;
        groups[i] = data->groups ? data->groups[rows[i]] : PEN_UNLABELLED;
    }
    *out = *data;
    out->rows = NULL;
    out->labels = labels;
    out->groups = data->groups ? groups : NULL;
    return pen_array_pick(run, &data->x, count, rows, &out->x);
}
