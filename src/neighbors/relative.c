/* relative.c - distances to reference rows, and relative distances between two rows. */
#include "neighbors/relative.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 16, /* reference rows processed at a time: their sums fit in registers */
    STRIP = 64, /* rows and reference rows processed at a time */
    /* rows sampled for `middle`, which need not be accurate: it cancels in all differences */
    SAMPLE = 128,
    ROWS = 32, /* rows of a task */
};

/* ---- distances to reference rows ---- */

/* The distances |a - reference| and |b - reference|, references first .. first + count - 1; first
 * is a multiple of LANES. Two rows share each load. Terms are always added in the same order, so
 * distances are symmetric, and equal rows have equal distances. a and b, and their outputs, may
 * coincide. */
static void compute_distances(const pen_relative *r, const double *a, const double *b,
                              int64_t first, int64_t count, double *to_a, double *to_b)
{
    for (int64_t at = 0; at < count; at += LANES) {
        const double *restrict panel = r->panels + (first + at) * r->p;
        double sum_a[LANES] = { 0 }, sum_b[LANES] = { 0 };
        for (int64_t c = 0; c < r->p; c++)
            for (int l = 0; l < LANES; l++) {
                const double from_a = a[c] - panel[c * LANES + l],
                             from_b = b[c] - panel[c * LANES + l];
                sum_a[l] += from_a * from_a;
                sum_b[l] += from_b * from_b;
            }
        for (int64_t l = 0; l < pen_min(LANES, count - at); l++) {
            to_a[at + l] = sqrt(sum_a[l]);
            to_b[at + l] = sqrt(sum_b[l]);
        }
    }
}

void pen_relative_coordinates(const pen_relative *r, int64_t i, int64_t first, int64_t count,
                              double *restrict to)
{
    if (r->y) {
        memcpy(to, r->y + i * r->m + first, (size_t)count * sizeof *to);
        return;
    }
    compute_distances(r, r->z + i * r->p, r->z + i * r->p, first, count, to, to);
    for (int64_t t = 0; t < count; t++)
        to[t] -= r->middle[first + t];
}

const double *pen_relative_row(const pen_relative *r, int64_t i, double *buffer)
{
    if (r->y)
        return r->y + i * r->m;
    pen_relative_coordinates(r, i, 0, r->m, buffer);
    return buffer;
}

/* The median of values [count <= SAMPLE], which a few outliers do not affect. */
static double median_of(double *values, int64_t count)
{
    qsort(values, (size_t)count, sizeof *values, pen_by_double);
    return values[count / 2];
}

/* Stores rows as differences from the first row, which preserves the differences of distant rows,
 * minus the median of those. */
static pen_status copy_rows(pen_run *run, const pen_view *x, pen_relative *r)
{
    const int64_t d = x->d, some = pen_min(SAMPLE, x->n);
    double *z, *z2, values[SAMPLE];

    if (pen_rows_are_sparse(x))
        PEN_TRY(pen_memory_check(run, pen_times(pen_times(x->n, d), (int64_t)sizeof *z),
                                 "rows in the relative space, which are dense in all columns,"));
    PEN_TRY(PEN_NEW(run, z, pen_times(x->n, d)));
    PEN_TRY(PEN_NEW(run, z2, x->n));
    for (int64_t i = 0; i < x->n; i++)
        pen_rows_difference(x, i, 0, z + i * d);
    for (int64_t c = 0; c < d; c++) {
        for (int64_t i = 0; i < some; i++)
            values[i] = z[i * x->n / some * d + c];
        const double middle = median_of(values, some);
        for (int64_t i = 0; i < x->n; i++)
            z[i * d + c] -= middle;
    }
    pen_squared_lengths(PEN_F64, z, x->n, d, z2);
    r->z = z;
    r->z2 = z2;
    return PEN_OK;
}

static pen_status copy_references(pen_run *run, pen_relative *r)
{
    const int64_t padded = (r->m + LANES - 1) / LANES * LANES;
    double *panels;
    int64_t *place;

    PEN_TRY(PEN_NEW(run, panels, pen_times(padded, r->p)));
    PEN_TRY(PEN_FILLED(run, place, r->n, -1));
    for (int64_t t = 0; t < padded; t++) {
        const int64_t row = t >= r->m ? 0 : r->landmarks ? r->landmarks[t] : t;
        if (t < r->m)
            place[row] = t;
        for (int64_t c = 0; c < r->p; c++)
            panels[t / LANES * LANES * r->p + c * LANES + t % LANES] = r->z[row * r->p + c];
    }
    r->panels = panels;
    r->place = place;
    return PEN_OK;
}

struct measurement {
    const pen_relative *r;
    double *y, *middle, *y2;
    pen_slices buffers; /* [m] */
    int64_t *first_bad; /* [tasks] a row with non-finite distances, or -1 */
};

/* Estimates the median distance to some reference rows from a sample spread over the table. */
static void estimate_middle(void *context, int64_t task, int worker)
{
    const struct measurement *s = context;
    const int64_t n = s->r->n, first = task * LANES, count = pen_min(LANES, s->r->m - first),
                  some = pen_min(SAMPLE, n);
    double own[LANES], values[LANES][SAMPLE];
    (void)worker;

    for (int64_t i = 0; i < some; i++) {
        const double *const z = s->r->z + i * n / some * s->r->p;
        compute_distances(s->r, z, z, first, count, own, own);
        for (int64_t t = 0; t < count; t++)
            values[t][i] = own[t];
    }
    for (int64_t t = 0; t < count; t++)
        s->middle[first + t] = median_of(values[t], some);
}

/* Computes and stores distances from a tile of rows to a tile of reference rows; also the
 * transposed tile if all rows are reference rows. */
static void compute_tile(const struct measurement *s, int64_t low, int64_t high, int64_t first,
                         int both)
{
    const int64_t m = s->r->m, count = pen_min(STRIP, m - first);
    double tile[STRIP * STRIP];

    for (int64_t i = low; i < high; i += 2) {
        const int64_t next = pen_min(i + 1, high - 1);
        compute_distances(s->r, s->r->z + i * s->r->p, s->r->z + next * s->r->p, first, count,
                          tile + (i - low) * STRIP, tile + (next - low) * STRIP);
    }
    for (int64_t i = low; i < high; i++)
        for (int64_t t = 0; t < count; t++)
            s->y[i * m + first + t] = tile[(i - low) * STRIP + t] - s->middle[first + t];
    for (int64_t t = 0; both && t < count; t++)
        for (int64_t i = low; i < high; i++)
            s->y[(first + t) * m + i] = tile[(i - low) * STRIP + t] - s->middle[i];
}

static void compute_rows(void *context, int64_t task, int worker)
{
    const struct measurement *s = context;
    const int64_t low = task * STRIP, high = pen_min(low + STRIP, s->r->n);
    const int all = !s->r->landmarks;
    (void)worker;

    for (int64_t first = all ? low : 0; first < s->r->m; first += STRIP)
        compute_tile(s, low, high, first, all && first > low);
}

static void compute_lengths(void *context, int64_t task, int worker)
{
    const struct measurement *s = context;

    s->first_bad[task] = -1;
    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, s->r->n); i++) {
        const double *const y = pen_relative_row(s->r, i, pen_slice(&s->buffers, worker));
        pen_squared_lengths(PEN_F64, y, 1, s->r->m, s->y2 + i);
        if (s->first_bad[task] < 0 && !isfinite((s->y2[i] + s->r->z2[i]) * 16 * (double)s->r->n))
            s->first_bad[task] = i;
    }
}

static pen_status compute_coordinates(pen_run *run, int64_t most_bytes, pen_relative *r)
{
    const int64_t groups = (r->m + LANES - 1) / LANES, tasks = (r->n + ROWS - 1) / ROWS;
    struct measurement s = { .r = r };

    PEN_TRY(PEN_NEW(run, s.middle, r->m));
    PEN_TRY(PEN_NEW(run, s.y2, r->n));
    PEN_TRY(pen_parallel(run, PEN_SILENT, groups, estimate_middle, &s));
    r->middle = s.middle;
    if (r->n <= most_bytes / (int64_t)sizeof *s.y / r->m) {
        PEN_TRY(PEN_NEW(run, s.y, pen_times(r->n, r->m)));
        PEN_TRY(pen_parallel(run, PEN_PART("relative space", 0, 500, 1000),
                             (r->n + STRIP - 1) / STRIP, compute_rows, &s));
        r->y = s.y;
    }
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), r->m, sizeof(double), &s.buffers));
    PEN_TRY(PEN_NEW(run, s.first_bad, tasks));
    PEN_TRY(
        pen_parallel(run, PEN_PART("relative space", 500, 1000, 1000), tasks, compute_lengths, &s));
    r->y2 = s.y2;
    for (int64_t task = 0; task < tasks; task++)
        PEN_REQUIRE(run, s.first_bad[task] < 0, PEN_BAD_DATA,
                    "row %lld (counted from 0): values are too large: its distances overflow",
                    (long long)s.first_bad[task]);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_relative_open(pen_run *run, const pen_view *x, const int64_t *landmarks,
                             int64_t count, int64_t most_bytes, pen_relative *out)
{
    *out = (pen_relative){
        .n = x->n, .p = x->d, .m = landmarks ? count : x->n, .landmarks = landmarks
    };
    PEN_TRY(copy_rows(run, x, out));
    PEN_TRY(copy_references(run, out));
    return compute_coordinates(run, most_bytes, out);
}

/* ---- direct differences ---- */

static double squares_between(const double *restrict a, const double *restrict b, int64_t from,
                              int64_t to)
{
    double sum[8] = { 0 }, all = 0;
    int64_t t = from;

    for (; t + 8 <= to; t += 8)
        for (int l = 0; l < 8; l++)
            sum[l] += (a[t + l] - b[t + l]) * (a[t + l] - b[t + l]);
    for (; t < to; t++)
        all += (a[t] - b[t]) * (a[t] - b[t]);
    for (int l = 0; l < 8; l++)
        all += sum[l];
    return all;
}

double pen_relative_factor(const pen_relative *r, int64_t own)
{
    return r->m > own ? (double)(r->n - 2) / (double)(r->m - own) : 0;
}

double pen_relative_distance2_from(const pen_relative *r, int64_t i, const double *y_i, int64_t j,
                                   double *buffer)
{
    const double d2 = squares_between(r->z + i * r->p, r->z + j * r->p, 0, r->p);
    const int64_t a = r->place[i] < r->place[j] ? r->place[i] : r->place[j],
                  b = r->place[i] < r->place[j] ? r->place[j] : r->place[i];

    if (d2 == 0)
        return 0;
    const double *const y_j = pen_relative_row(r, j, buffer);
    if (!r->landmarks)
        return squares_between(y_i, y_j, 0, r->m);
    const double low = a >= 0 ? squares_between(y_i, y_j, 0, a) : 0;
    const double middle = b >= 0 ? squares_between(y_i, y_j, a + 1, b) : 0;
    return 2 * d2
           + pen_relative_factor(r, (a >= 0) + (b >= 0))
                 * (low + middle + squares_between(y_i, y_j, b + 1, r->m));
}

/* Differences of the distances from the neighbors and from row i to `row`, which is one of them. */
static void local_column(const pen_relative *r, int64_t i, const pen_neighbor *rows, int64_t count,
                         int64_t row, double *to, int64_t stride)
{
    const double own = sqrt(squares_between(r->z + i * r->p, r->z + row * r->p, 0, r->p));
    for (int64_t c = 0; c < count; c++)
        to[c * stride] =
            sqrt(squares_between(r->z + rows[c].row * r->p, r->z + row * r->p, 0, r->p)) - own;
}

void pen_relative_differences(const pen_relative *r, int64_t i, const pen_neighbor *rows,
                              int64_t count, double *to, int64_t *columns, double *work)
{
    const int corrected = r->landmarks != NULL;
    const double *const y_i = pen_relative_row(r, i, work);
    int64_t rest = r->m - (r->place[i] >= 0);

    *columns = corrected ? r->m + count + 1 : r->m;
    for (int64_t c = 0; c < count; c++)
        rest -= r->place[rows[c].row] >= 0;
    const double root = !corrected ? 1
                        : rest > 0 ? sqrt((double)(r->n - count - 1) / (double)rest)
                                   : 0;
    for (int64_t c = 0; c < count; c++) {
        const double *const y_j = pen_relative_row(r, rows[c].row, work + r->m);
        double *restrict own = to + c * *columns;
        for (int64_t t = 0; t < r->m; t++)
            own[t] = root * (y_j[t] - y_i[t]);
    }
    for (int64_t l = 0; corrected && l <= count; l++) {
        const int64_t row = l < count ? rows[l].row : i;
        for (int64_t c = 0; r->place[row] >= 0 && c < count; c++)
            to[c * *columns + r->place[row]] = 0; /* counted once, as a local reference */
        local_column(r, i, rows, count, row, to + r->m + l, *columns);
    }
}
