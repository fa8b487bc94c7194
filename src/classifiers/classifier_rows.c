/* classifier_rows.c - center and divisor, for values of any magnitude. */
#include "classifiers/classifier_rows.h"

#include "core/parallel.h"
#include "core/sort.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1024 };

static const double MOST = 1e140;

void pen_classifier_row(int64_t k, const double *center, double divisor, const double *z,
                        double *to)
{
    for (int64_t j = 0; j < k; j++) { /* comparisons are vectorized, calls of fmax are not */
        const double value = (z[j] - center[j]) / divisor, below = value < MOST ? value : MOST;
        to[j] = below > -MOST ? below : -MOST;
    }
}

/* ---- labels ---- */

static pen_status find_labelled(pen_run *run, const pen_embedded_rows *all,
                                pen_classifier_rows *out)
{
    int64_t count = 0;

    for (int64_t i = 0; i < all->n; i++)
        count += all->labels[i] >= 0;
    PEN_REQUIRE(run, count > 0, PEN_NO_LABELS, "a classifier needs labelled rows");
    PEN_TRY(PEN_NEW2(run, out->members, out->of, count));
    PEN_TRY(PEN_FILLED(run, out->sizes, all->classes, 0));
    for (int64_t i = 0; i < all->n; i++) {
        const int32_t class = all->labels[i];
        if (class < 0)
            continue;
        PEN_REQUIRE(run, class < all->classes, PEN_BAD_ARGUMENT,
                    "the class of row %lld must be below %lld, the number of classes, got %ld",
                    (long long)i, (long long)all->classes, (long)class);
        out->members[out->labelled] = i;
        out->of[out->labelled++] = class;
        out->present += out->sizes[class]++ == 0;
    }
    return PEN_OK;
}

static void find_center(const pen_embedded_rows *all, pen_classifier_rows *out)
{
    const double *const first = all->z + out->members[0] * all->k;

    memset(out->center, 0, (size_t)all->k * sizeof *out->center);
    for (int64_t i = 1; i < out->labelled; i++) {
        const double *const row = all->z + out->members[i] * all->k;
        for (int64_t j = 0; j < all->k; j++)
            out->center[j] += (row[j] - first[j]) / (double)out->labelled;
    }
    for (int64_t j = 0; j < all->k; j++)
        out->center[j] += first[j];
}

/* ---- the divisor ---- */

struct extent {
    const pen_embedded_rows *all;
    const double *center;
    double *parts; /* [tasks] the largest entries */
    double unit;
    double *square; /* [n] sums of squares of entries divided by the unit */
};

static void measure_piece(void *context, int64_t task, int worker)
{
    const struct extent *e = context;
    const int64_t k = e->all->k, end = pen_min(e->all->n, (task + 1) * PIECE);
    double part = 0;
    int finite = 1;

    (void)worker;
    for (int64_t i = task * PIECE; i < end; i++) {
        double sum = 0;
        for (int64_t j = 0; j < k; j++) {
            const double entry = e->all->z[i * k + j] - e->center[j];
            finite &= isfinite(entry) != 0;
            sum += entry / e->unit * (entry / e->unit);
            part = fabs(entry) > part ? fabs(entry) : part;
        }
        e->square[i] = sum;
    }
    e->parts[task] = finite ? part : INFINITY;
}

static pen_status find_divisor(pen_run *run, const pen_embedded_rows *all, pen_classifier_rows *out)
{
    const int64_t tasks = (all->n + PIECE - 1) / PIECE;
    struct extent e = { .all = all, .center = out->center, .unit = 1 };
    double largest = 0, sum = 0, mean;

    out->divisor = 1;
    if (all->mean) {
        sum = all->spread;
        for (int64_t j = 0; j < all->k; j++)
            sum +=
                (all->mean[j] - out->center[j]) * (all->mean[j] - out->center[j]) / (double)all->k;
        PEN_REQUIRE(run, isfinite(sum), PEN_BAD_DATA,
                    "the embedding has values that are too large");
        out->divisor = sum > 0 ? sqrt(sum) : 1;
        return PEN_OK;
    }
    PEN_TRY(PEN_NEW(run, out->square, all->n));
    e.square = out->square;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, e.parts, tasks));
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, measure_piece, &e));
    for (int64_t t = 0; t < tasks; t++)
        largest = fmax(largest, e.parts[t]);
    PEN_REQUIRE(run, isfinite(largest), PEN_BAD_DATA,
                "the embedding has values that are not finite, or so large that their differences "
                "overflow");
    e.unit = largest;
    if (largest > 0) {
        PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, measure_piece, &e));
        PEN_TRY(pen_mean_of_most(run, all->n, e.square, &mean));
        out->divisor = largest * sqrt(mean / (double)all->k);
        for (int64_t i = 0; i < all->n; i++)
            out->square[i] /= mean;
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_classifier_rows_open(pen_run *run, const pen_embedded_rows *all,
                                    pen_classifier_rows *out)
{
    *out = (pen_classifier_rows){ .all = all };
    PEN_TRY(find_labelled(run, all, out));
    PEN_TRY(PEN_NEW(run, out->center, all->k));
    find_center(all, out);
    return find_divisor(run, all, out);
}
