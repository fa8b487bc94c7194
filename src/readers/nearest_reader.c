/* nearest_reader.c - distances of rows to stored rows, by direct differences, and what they say of
 * classes. */
#include "readers/nearest_reader.h"

#include "core/parallel.h"
#include "neighbors/heap.h"
#include "readers/affine_reader.h"

#include <math.h>
#include <string.h>

enum {
    LANES = 8,  /* stored rows whose distances are summed side by side */
    BLOCK = 16, /* rows compared with a tile of stored rows while that is in the cache */
    TASK = 64,  /* rows of a task */
    ASK = 64,   /* tiles between looks at whether the caller has stopped the call */
};

static const double LEAST_DISTANCE = 1e-9;

pen_status pen_nearest_reader_fit(pen_run *run, const pen_reader_rows *rows, int64_t neighbors,
                                  pen_reader *out)
{
    const int64_t k = rows->all->k;

    out->center = rows->center;
    out->divisor = rows->divisor;
    out->count = rows->labelled;
    out->neighbors = pen_min(neighbors, rows->labelled);
    out->of = rows->of;
    PEN_TRY(PEN_NEW(run, out->rows, pen_times(out->count, k)));
    for (int64_t i = 0; i < out->count; i++)
        pen_reader_row(k, rows->center, rows->divisor, rows->all->z + rows->members[i] * k,
                       out->rows + i * k);
    return PEN_OK;
}

struct search {
    pen_run *run;
    const pen_reader *reader;
    pen_array z;
    int64_t tiles, votes; /* votes: 0 unless the reader is `neighbors` */
    const double *tile;   /* [tiles][k x LANES] stored rows of one class, transposed; then zeros */
    const int64_t *row;   /* [tiles x LANES] which rows, ascending in a class; then -1 */
    double *p;
    int32_t *classes;
    int64_t *first_bad;  /* [tasks] first row that is not finite, or -1 */
    pen_slices rows;     /* [BLOCK x k] */
    pen_slices distance; /* [BLOCK x classes] the least d^2 to rows of each class */
    pen_slices nearest;  /* [BLOCK] the nearest row */
    pen_slices voters;   /* [BLOCK x votes] heaps */
};

/* What is known of the distances of one row. */
struct found {
    double *distance;
    pen_neighbor *nearest, *voters;
};

/* Rows that vote with their probabilities have no class, and are of class 0 here. */
static int32_t class_of(const pen_reader *reader, int64_t row)
{
    return reader->of ? reader->of[row] : 0;
}

/* Each class begins a tile. starts [classes]: the first place of each. */
static void place_classes(const pen_reader *reader, int64_t *starts, int64_t *tiles)
{
    for (int64_t c = 0; c < reader->classes; c++)
        starts[c] = 0;
    for (int64_t i = 0; i < reader->count; i++)
        starts[class_of(reader, i)]++;
    *tiles = 0;
    for (int64_t c = 0; c < reader->classes; c++) {
        const int64_t own = (starts[c] + LANES - 1) / LANES;
        starts[c] = *tiles * LANES;
        *tiles += own;
    }
}

static pen_status transpose_rows(pen_run *run, const pen_reader *reader, struct search *s)
{
    const int64_t k = reader->k;
    int64_t *places, *row;
    double *tile;

    PEN_TRY(PEN_NEW(run, places, reader->classes));
    place_classes(reader, places, &s->tiles);
    PEN_TRY(PEN_FILLED(run, row, pen_times(s->tiles, LANES), -1));
    PEN_TRY(PEN_FILLED(run, tile, pen_times(pen_times(s->tiles, k), LANES), 0));
    for (int64_t i = 0; i < reader->count; i++) {
        const int64_t place = places[class_of(reader, i)]++;
        row[place] = i;
        for (int64_t j = 0; j < k; j++)
            tile[(place / LANES * k + j) * LANES + place % LANES] = reader->rows[i * k + j];
    }
    s->tile = tile;
    s->row = row;
    return PEN_OK;
}

static void distances(int64_t k, const double *restrict x, const double *restrict tile,
                      double *restrict distance2)
{
    double sum[LANES] = { 0 };

    for (int64_t j = 0; j < k; j++)
        for (int lane = 0; lane < LANES; lane++) {
            const double difference = x[j] - tile[j * LANES + lane];
            sum[lane] += difference * difference;
        }
    memcpy(distance2, sum, sizeof sum);
}

/* 1 if a distance is at most `bound`. */
static int any_within(const double *distance2, double bound)
{
    int any = 0;

    for (int lane = 0; lane < LANES; lane++)
        any |= distance2[lane] <= bound;
    return any;
}

/* Most tiles have no row that is nearer than those of its class so far. The lower of equally near
 * rows counts, in whatever order they come. */
static void note_distances(const struct search *s, int64_t tile, const double *distance2,
                           const struct found *f)
{
    const int64_t *const row = s->row + tile * LANES;
    double *const least = &f->distance[class_of(s->reader, row[0])];

    if (!any_within(distance2, s->votes > 0 ? fmax(*least, f->voters->distance2) : *least))
        return;
    for (int64_t lane = 0; lane < LANES && row[lane] >= 0; lane++) {
        const pen_neighbor entry = { distance2[lane], row[lane] };
        *least = fmin(*least, entry.distance2);
        if (heap_worse(*f->nearest, entry))
            *f->nearest = entry;
        if (s->votes > 0 && heap_worse(f->voters[0], entry))
            pen_heap_replace(f->voters, s->votes, entry);
    }
}

static void shares_of_means(const pen_reader *reader, double nearest, double *p)
{
    for (int64_t c = 0; c < reader->classes; c++)
        p[c] = -(p[c] - nearest) / reader->width;
    pen_softmax(reader->classes, p);
}

static void shares_of_nearest(int64_t classes, double nearest, double *p)
{
    const double least = LEAST_DISTANCE + sqrt(nearest);
    double sum = 0;

    for (int64_t c = 0; c < classes; c++) {
        const double ratio = least / (LEAST_DISTANCE + sqrt(p[c]));
        sum += p[c] = ratio * ratio * (ratio * ratio);
    }
    for (int64_t c = 0; c < classes; c++)
        p[c] /= sum;
}

/* The mean of probabilities, as of the nearest row first: the order of a heap is any. They sum to 1
 * but for their rounding. */
static void mean_of_votes(const struct search *s, pen_neighbor *voters, double *p)
{
    const int64_t classes = s->reader->classes;
    double sum = 0;

    pen_heap_sort(voters, s->votes);
    memset(p, 0, (size_t)classes * sizeof *p);
    for (int64_t v = 0; v < s->votes; v++)
        for (int64_t c = 0; c < classes; c++)
            p[c] += s->reader->votes[voters[v].row * classes + c];
    for (int64_t c = 0; c < classes; c++)
        sum += p[c];
    for (int64_t c = 0; c < classes; c++)
        p[c] /= sum;
}

static void add_votes(const struct search *s, const pen_neighbor *voters, double *p)
{
    for (int64_t c = 0; c < s->reader->classes; c++)
        p[c] /= 2;
    for (int64_t v = 0; v < s->votes; v++)
        p[s->reader->of[voters[v].row]] += 1;
    for (int64_t c = 0; c < s->reader->classes; c++)
        p[c] /= (double)s->votes + 0.5;
}

/* Turns the distances of a row into p. Returns its class. */
static int32_t decide(const struct search *s, const struct found *f)
{
    const pen_reader *const reader = s->reader;

    if (reader->votes)
        mean_of_votes(s, f->voters, f->distance);
    else if (reader->kind == PEN_READER_MEANS)
        shares_of_means(reader, f->nearest->distance2, f->distance);
    else
        shares_of_nearest(reader->classes, f->nearest->distance2, f->distance);
    if (reader->kind == PEN_READER_NEAREST)
        return reader->of[f->nearest->row];
    if (reader->kind == PEN_READER_NEIGHBORS && !reader->votes)
        add_votes(s, f->voters, f->distance);
    return pen_largest_share(reader->classes, f->distance);
}

static struct found found_at(const struct search *s, int64_t row, int worker)
{
    return (struct found){ (double *)pen_slice(&s->distance, worker) + row * s->reader->classes,
                           (pen_neighbor *)pen_slice(&s->nearest, worker) + row,
                           (pen_neighbor *)pen_slice(&s->voters, worker) + row * s->votes };
}

static void search_block(const struct search *s, int64_t first, int64_t count, int worker)
{
    const int64_t k = s->reader->k, c = s->reader->classes;
    double *const rows = pen_slice(&s->rows, worker), distance2[LANES];

    for (int64_t i = 0; i < count; i++) {
        const struct found f = found_at(s, i, worker);
        pen_reader_row(k, s->reader->center, s->reader->divisor, pen_row_at(&s->z, first + i),
                       rows + i * k);
        for (int64_t a = 0; a < c; a++)
            f.distance[a] = INFINITY;
        pen_heap_clear(f.nearest, 1);
        pen_heap_clear(f.voters, s->votes);
    }
    for (int64_t tile = 0; tile < s->tiles; tile++) {
        if (tile % ASK == 0 && pen_stopped(s->run, worker))
            return;
        for (int64_t i = 0; i < count; i++) {
            const struct found f = found_at(s, i, worker);
            distances(k, rows + i * k, s->tile + tile * k * LANES, distance2);
            note_distances(s, tile, distance2, &f);
        }
    }
}

/* Were the rows found that decide? Squares of distances may overflow, and then none is. */
static int is_near(const struct search *s, const struct found *f)
{
    return isfinite(f->nearest->distance2)
           && (s->votes == 0 || isfinite(f->voters->distance2)); /* the farthest of them */
}

/* Returns the first row too far from all known rows, or -1. */
static int64_t answer_block(const struct search *s, int64_t first, int64_t count, int worker)
{
    const int64_t c = s->reader->classes;

    for (int64_t i = 0; i < count; i++) {
        const struct found f = found_at(s, i, worker);
        if (!is_near(s, &f))
            return first + i;
        const int32_t class = decide(s, &f);
        if (s->classes)
            s->classes[first + i] = class;
        if (s->p)
            memcpy(s->p + (first + i) * c, f.distance, (size_t)c * sizeof *s->p);
    }
    return -1;
}

static void search_rows(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const int64_t end = pen_min(s->z.rows, (task + 1) * TASK);

    s->first_bad[task] = -1;
    for (int64_t i = task * TASK; i < end; i++)
        if (!pen_all_finite(pen_row_at(&s->z, i), s->reader->k)) {
            s->first_bad[task] = i;
            return;
        }
    for (int64_t first = task * TASK; first < end; first += BLOCK) {
        const int64_t count = pen_min(BLOCK, end - first);
        search_block(s, first, count, worker);
        if (pen_stopped(s->run, worker))
            return;
        s->first_bad[task] = answer_block(s, first, count, worker);
        if (s->first_bad[task] >= 0)
            return;
    }
}

static pen_status open_slices(pen_run *run, int workers, struct search *s)
{
    const pen_reader *const r = s->reader;

    PEN_TRY(pen_slices_new(run, workers, pen_times(BLOCK, r->k), sizeof(double), &s->rows));
    PEN_TRY(
        pen_slices_new(run, workers, pen_times(BLOCK, r->classes), sizeof(double), &s->distance));
    PEN_TRY(pen_slices_new(run, workers, BLOCK, sizeof(pen_neighbor), &s->nearest));
    return pen_slices_new(run, workers, pen_times(BLOCK, s->votes), sizeof(pen_neighbor),
                          &s->voters);
}

pen_status pen_nearest_reader_apply(pen_run *run, const pen_reader *reader, int64_t n,
                                    const double *z, int64_t stride, double *p, int32_t *classes)
{
    const int64_t tasks = (n + TASK - 1) / TASK;
    struct search s = { .run = run,
                        .reader = reader,
                        .z = pen_dense(z, PEN_F64, n, reader->k, stride),
                        .votes = reader->kind == PEN_READER_NEIGHBORS
                                     ? pen_min(reader->neighbors, reader->count)
                                     : 0,
                        .p = p,
                        .classes = classes };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(transpose_rows(run, reader, &s));
    PEN_TRY(open_slices(run, pen_workers(run, tasks), &s));
    PEN_TRY(PEN_NEW(run, s.first_bad, tasks));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("reading classes"), tasks, search_rows, &s));
    for (int64_t t = 0; t < tasks; t++)
        if (s.first_bad[t] >= 0)
            return pen_rows_refuse(run, &s.z, s.first_bad[t]);
    pen_release(run, mark);
    return PEN_OK;
}
