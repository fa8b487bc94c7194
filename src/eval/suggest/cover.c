/* cover.c - chooses places greedily by the weight that their labels cover. */
#include "eval/suggest/cover.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "linalg/blas.h"
#include "neighbors/heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 32, SAMPLED = 256 };

/* fmin would be a function call, because of NaN. */
static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* ---- distances ---- */

struct distances {
    pen_cover *cover;
    const double *columns; /* [d x count] */
    int64_t labels;
    const double *known;  /* [labels x d] */
    pen_slices distance2; /* [PLACES] */
};

/* Squared distances from `from` to places first .. first + count - 1, with the same bits in both
 * directions. */
static void distances_from(const struct distances *s, const double *from, int64_t first,
                           int64_t count, double *restrict distance2)
{
    const pen_places *const p = &s->cover->places;

    memset(distance2, 0, (size_t)count * sizeof *distance2);
    for (int64_t r = 0; r < p->d; r++) {
        const double *const restrict column = s->columns + r * p->count + first;
        for (int64_t i = 0; i < count; i++)
            distance2[i] += (from[r] - column[i]) * (from[r] - column[i]);
    }
}

static void measure_places(void *context, int64_t task, int worker)
{
    const struct distances *s = context;
    pen_cover *const c = s->cover;
    const int64_t n = c->places.count, d = c->places.d, first = task * PLACES,
                  count = pen_min(PLACES, n - first);
    double *const restrict distance2 = pen_slice(&s->distance2, worker);

    for (int64_t i = first; i < first + count; i++)
        distances_from(s, c->places.z + i * d, 0, n, c->distance2 + i * n);
    for (int64_t i = first; i < first + count; i++)
        c->known2[i] = (double)INFINITY;
    for (int64_t l = 0; l < s->labels; l++) {
        distances_from(s, s->known + l * d, first, count, distance2);
        for (int64_t i = 0; i < count; i++)
            c->known2[first + i] = smaller(c->known2[first + i], distance2[i]);
    }
    for (int64_t i = first; i < first + count; i++)
        c->open[i] = c->known2[i] > c->places.near2;
}

static pen_status measure(pen_run *run, pen_cover *c, int64_t labels, const double *known)
{
    const pen_places *const p = &c->places;
    const int64_t tasks = (p->count + PLACES - 1) / PLACES;
    struct distances s = { .cover = c, .labels = labels, .known = known };
    double *columns;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, columns, pen_times(p->d, p->count)));
    PEN_TRY(pen_slices_new(run, pen_workers(run, tasks), PLACES, sizeof(double), &s.distance2));
    pen_transpose(p->count, p->d, p->z, columns);
    s.columns = columns;
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, measure_places, &s));
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- the reach of a label ---- */

struct sorting {
    pen_cover *cover;
    pen_slices list; /* [count] neighbors */
};

static void sort_place(void *context, int64_t task, int worker)
{
    const struct sorting *s = context;
    pen_cover *const c = s->cover;
    const int64_t n = c->places.count;
    pen_neighbor *const list = pen_slice(&s->list, worker);
    double mass = 0;

    for (int64_t i = 0; i < n; i++)
        list[i] = (pen_neighbor){ c->distance2[task * n + i], i };
    pen_heap_sort(list, n);
    for (int64_t i = 0; i < n; i++) {
        mass += c->places.weight[list[i].row];
        c->radius2[task * n + i] = list[i].distance2;
        c->mass[task * n + i] = mass;
    }
}

static pen_status sort_places(pen_run *run, pen_cover *c)
{
    struct sorting s = { .cover = c };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_slices_new(run, pen_workers(run, c->sampled), c->places.count, sizeof(pen_neighbor),
                           &s.list));
    PEN_TRY(pen_parallel(run, PEN_SILENT, c->sampled, sort_place, &s));
    pen_release(run, mark);
    return PEN_OK;
}

/* The squared radius about a place that contains `mass` and at least one other place. */
static double radius_of(const pen_cover *c, int64_t place, double mass)
{
    const int64_t n = c->places.count;
    const double *const masses = c->mass + place * n;
    int64_t low = pen_min(1, n - 1), high = n - 1;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (masses[middle] < mass)
            low = middle + 1;
        else
            high = middle;
    }
    return c->radius2[place * n + low];
}

/* Sets r^2; 1 if all distances are 0. */
static pen_status find_reach(pen_run *run, pen_cover *c)
{
    double *radii;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, radii, c->sampled));
    for (int64_t i = 0; i < c->sampled; i++)
        radii[i] = radius_of(c, i, c->total / (double)(1 + c->known));
    qsort(radii, (size_t)c->sampled, sizeof *radii, pen_by_double);
    c->reach2 = radii[c->sampled / 2] > 0 ? radii[c->sampled / 2] : 1;
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- the choice ---- */

static void add_up(void *context, int64_t task, int worker)
{
    pen_cover *const c = context;
    const int64_t n = c->places.count;

    (void)worker;
    for (int64_t j = task * PLACES; j < pen_min((task + 1) * PLACES, n); j++) {
        const double *const distance2 = c->distance2 + j * n;
        double sum = 0;
        for (int64_t i = 0; c->open[j] && i < n; i++) {
            const double more = c->reach2 / (c->reach2 + distance2[i]) - c->covered[i];
            sum += more > 0 ? c->places.weight[i] * more : 0;
        }
        c->told[j] = sum;
    }
}

static int64_t best_place(const pen_cover *c)
{
    const int64_t *const row = c->places.row;
    int64_t best = -1;

    for (int64_t j = 0; j < c->places.count; j++)
        if (c->open[j]
            && (best < 0 || c->told[j] > c->told[best]
                || (!(c->told[j] < c->told[best]) && row[j] < row[best])))
            best = j;
    return best;
}

static void put_label(pen_cover *c, int64_t place)
{
    const int64_t n = c->places.count;
    const double *const distance2 = c->distance2 + place * n;

    for (int64_t i = 0; i < n; i++) {
        c->known2[i] = smaller(c->known2[i], distance2[i]);
        c->open[i] = c->open[i] && distance2[i] > c->places.near2;
    }
    c->known++;
}

pen_status pen_cover_next(pen_run *run, pen_cover *c, int64_t *place, double *share)
{
    const int64_t n = c->places.count;

    PEN_TRY(find_reach(run, c));
    for (int64_t i = 0; i < n; i++)
        c->covered[i] = c->reach2 / (c->reach2 + c->known2[i]);
    PEN_TRY(pen_parallel(run, PEN_SILENT, (n + PLACES - 1) / PLACES, add_up, c));
    *place = best_place(c);
    if (*place < 0)
        return PEN_OK;
    *share = c->told[*place] / c->total;
    put_label(c, *place);
    return PEN_OK;
}

pen_status pen_cover_open(pen_run *run, const pen_places *places, int64_t labels,
                          const double *known, pen_cover *out)
{
    const int64_t n = places->count;
    pen_cover *const c = out;

    *c = (pen_cover){ .places = *places, .known = labels, .sampled = pen_min(n, SAMPLED) };
    PEN_TRY(PEN_NEW(run, c->distance2, pen_times(n, n)));
    PEN_TRY(PEN_NEW4(run, c->known2, c->covered, c->open, c->told, n));
    PEN_TRY(PEN_NEW2(run, c->radius2, c->mass, pen_times(c->sampled, n)));
    for (int64_t i = 0; i < n; i++)
        c->total += places->weight[i];
    PEN_TRY(measure(run, c, labels, known));
    return sort_places(run, c);
}
