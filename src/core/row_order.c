/* row_order.c - rows in order of content, classes in order of size. */
#include "core/row_order.h"

#include "core/parallel.h"
#include "core/rng.h"
#include "core/sparse_array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 };

/* ---- rows ---- */

/* Sums over the coordinates of a row: squares, cubes, and coordinates times column numbers. */
struct sums {
    double squares, cubes, places;
};

static void add(double sign, double z, int64_t column, struct sums *s)
{
    s->squares += sign * z * z;
    s->cubes += sign * z * z * z;
    s->places += sign * z * (double)(column + 1);
}

/* The centered coordinate of a value in a sparse row; 0 in a column that varies only by
 * rounding. */
static double coordinate(const pen_view *x, double value, int64_t column)
{
    const double scale = x->scale ? x->scale[column] : 1;

    return x->deviation && x->deviation[column] == 0
               ? 0
               : scale * (value - x->origin[column]) - x->offset[column];
}

/* Adds a sparse row to s, the sums of a row of zeros. */
static void add_entries(const pen_view *x, int64_t row, struct sums *s)
{
    const pen_array *const a = &x->values;
    const pen_row_length u = x->unit ? pen_length_of_row(a, row) : (pen_row_length){ 1, 1 };

    for (int64_t e = a->starts[row]; e < a->starts[row + 1]; e++) {
        add(-1, coordinate(x, 0, a->columns[e]), a->columns[e], s);
        add(1, coordinate(x, pen_entry(a, e) / u.largest / u.rest, a->columns[e]), a->columns[e],
            s);
    }
}

struct place {
    double near, lean, across;
    int64_t row;
};

/* The first 30 bits: values that differ by rounding are nearly always equal, and later keys
 * decide. */
static double cut(double value)
{
    int exponent;
    const double mantissa = frexp(value, &exponent);
    return isfinite(value) ? ldexp(nearbyint(mantissa * 0x1p30), exponent - 30) : 0;
}

/* Cubes are at most the third power of the length, relative to which their rounding is small. */
static struct place place_of(const struct sums *s, int64_t row)
{
    const double squares = fmax(0, s->squares);

    return (struct place){ cut(squares), cut(s->cubes + 2 * squares * sqrt(squares)),
                           cut(s->places), row };
}

static int by_content(const void *a, const void *b)
{
    const struct place *const p = a, *const q = b;

    if (p->near != q->near)
        return p->near < q->near ? -1 : 1;
    if (p->lean != q->lean)
        return p->lean < q->lean ? -1 : 1;
    if (p->across != q->across)
        return p->across < q->across ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

struct placing {
    const pen_view *x; /* with blocks of doubles */
    struct sums zeros; /* a sparse row without entries */
    struct place *places;
    pen_slices blocks; /* [PIECE x d], of dense rows */
};

static void place_piece(void *context, int64_t task, int worker)
{
    const struct placing *const p = context;
    const pen_view *const x = p->x;
    const int sparse = pen_rows_are_sparse(x);
    const int64_t first = task * PIECE, some = pen_min(PIECE, x->n - first);
    double *const block = pen_slice(&p->blocks, worker);

    if (!sparse)
        pen_rows_block(x, NULL, first, some, block);
    for (int64_t i = 0; i < some; i++) {
        struct sums s = p->zeros;
        if (sparse)
            add_entries(x, first + i, &s);
        for (int64_t j = 0; !sparse && j < x->d; j++)
            add(1, block[i * x->d + j] - x->offset[j], j, &s);
        p->places[first + i] = place_of(&s, first + i);
    }
}

static pen_status find_order(pen_run *run, const pen_view *x, int64_t **order)
{
    const int sparse = pen_rows_are_sparse(x);
    const int64_t tasks = (x->n + PIECE - 1) / PIECE;
    pen_view doubles = *x;
    struct placing p = { .x = &doubles };

    PEN_TRY(PEN_NEW(run, *order, x->n));
    doubles.work = PEN_F64;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, p.places, x->n));
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), pen_times(sparse ? 0 : PIECE, x->d),
                           sizeof(double), &p.blocks));
    for (int64_t j = 0; sparse && j < x->d; j++)
        add(1, coordinate(x, 0, j), j, &p.zeros);
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, place_piece, &p));
    qsort(p.places, (size_t)x->n, sizeof *p.places, by_content);
    for (int64_t i = 0; i < x->n; i++)
        (*order)[i] = p.places[i].row;
    pen_release(run, mark);
    return PEN_OK;
}

/* A pen_make_fn. */
static pen_status make_order(pen_run *run, void *context, pen_made *out)
{
    const pen_view *const x = context;
    int64_t *order;

    PEN_TRY(find_order(run, x, &order));
    *out = (pen_made){ .object = order, .size = 8 * x->n };
    return PEN_OK;
}

pen_status pen_rows_order(pen_run *run, const pen_view *x, int64_t **order)
{
    pen_view rows = *x;
    pen_cache_key *key;
    const void *value;

    if (!x->key)
        return find_order(run, x, order);
    PEN_TRY(pen_rows_key(run, x, PEN_CACHE_ORDER, 0, &key));
    PEN_TRY(pen_cache_get(run, key, make_order, &rows, &value));
    PEN_TRY(PEN_NEW(run, *order, x->n));
    memcpy(*order, value, (size_t)x->n * sizeof **order);
    return PEN_OK;
}

pen_status pen_rows_draw(pen_run *run, const pen_view *x, int64_t count, uint64_t seed,
                         int64_t **rows)
{
    pen_rng rng = { seed };
    int64_t *order, *turn;

    PEN_TRY(PEN_NEW(run, *rows, count));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_order(run, x, &order));
    PEN_TRY(PEN_NEW(run, turn, x->n));
    pen_rng_permutation(&rng, x->n, turn);
    for (int64_t i = 0; i < count; i++)
        (*rows)[i] = order[turn[i]];
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- classes ---- */

/* A labelled row: the size of its class, the position of the first row of its class, and its
 * own. */
struct member {
    int64_t size, first, position, row;
};

static int by_class(const void *a, const void *b)
{
    const struct member *const p = a, *const q = b;

    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    if (p->first != q->first)
        return p->first < q->first ? -1 : 1;
    return (p->position > q->position) - (p->position < q->position);
}

pen_status pen_rows_arrange(pen_run *run, const int64_t *order, pen_view *x)
{
    int64_t *members, *starts, *position;
    struct member *sorted;

    PEN_TRY(PEN_NEW(run, members, x->labelled));
    PEN_TRY(PEN_NEW(run, starts, x->classes + 1));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, position, x->n));
    PEN_TRY(PEN_NEW(run, sorted, x->labelled));
    for (int64_t i = 0; i < x->n; i++)
        position[order ? order[i] : i] = i;
    for (int64_t c = 0; c < x->classes; c++) {
        int64_t first = x->n;
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            first = pen_min(first, position[x->members[i]]);
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            sorted[i] = (struct member){ pen_class_size(x, c), first, position[x->members[i]],
                                         x->members[i] };
    }
    qsort(sorted, (size_t)x->labelled, sizeof *sorted, by_class);
    starts[0] = 0;
    for (int64_t i = 0, c = 0; i < x->labelled; i++) {
        members[i] = sorted[i].row;
        if (i == starts[c])
            starts[++c] = i + sorted[i].size;
    }
    pen_release(run, mark);
    x->members = members;
    x->starts = starts;
    return PEN_OK;
}
