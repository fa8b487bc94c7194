/* typical.c - distances to the nearest rows of a fit, and the fraction of its rows with larger
 * ones. */
#include "classifiers/typical.h"

#include "classifiers/nearest_classifier.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NEAR = 2 }; /* the nearest, and a second in case the first is the row itself */

static const double LENGTH = 0.25, SAME = 1e-6, MOST = 1e140;

/* Scales to the units; clips so that no square overflows. */
static void to_units(const pen_typical *t, int64_t n, double most, const double *y, double *to)
{
    for (int64_t i = 0; i < n * t->k; i++) {
        const double value = (y[i] - t->units[i % t->k]) * t->units[t->k + i % t->k];
        to[i] = fmax(-most, fmin(most, value));
    }
}

/* The units of columns first .. first + k - 1. */
static pen_status find_units(pen_run *run, int64_t n, const double *y, int64_t first, int64_t k,
                             double factor, const pen_typical *t)
{
    pen_embedded_rows e = { .n = n, .k = k, .classes = 1 };
    int32_t *labels;
    double *z;
    pen_classifier_rows r;

    PEN_TRY(PEN_FILLED(run, labels, n, 0));
    PEN_TRY(PEN_NEW(run, z, pen_times(n, k)));
    for (int64_t i = 0; i < n; i++)
        memcpy(z + i * k, y + i * t->k + first, (size_t)k * sizeof *z);
    e.labels = labels;
    e.z = z;
    PEN_TRY(pen_classifier_rows_open(run, &e, &r));
    for (int64_t j = 0; j < k; j++) {
        t->units[first + j] = r.center[j];
        t->units[t->k + first + j] = r.divisor > SAME * fabs(r.center[0]) ? factor / r.divisor : 0;
    }
    return PEN_OK;
}

pen_status pen_typical_open(pen_run *run, int64_t n, int64_t k, const double *y, pen_typical *out)
{
    *out = (pen_typical){ .k = k, .count = n };
    PEN_TRY(PEN_NEW(run, out->units, pen_times(2, k)));
    PEN_TRY(PEN_NEW(run, out->rows, pen_times(n, k)));
    PEN_TRY(find_units(run, n, y, 0, k - 1, 1, out));
    PEN_TRY(find_units(run, n, y, k - 1, 1, LENGTH, out));
    to_units(out, n, FLT_MAX, y, out->rows);
    for (int64_t i = 0; i < n * k; i++)
        out->rows[i] = (float)out->rows[i];
    return PEN_OK;
}

pen_status pen_typical_measure(pen_run *run, const pen_typical *t, int64_t n, const double *y,
                               double *distances)
{
    pen_classifier near = { .kind = PEN_CLASSIFIER_NEIGHBORS,
                            .k = t->k,
                            .classes = NEAR,
                            .divisor = 1,
                            .count = t->count,
                            .rows = t->rows,
                            .neighbors = NEAR };
    const pen_mark_t mark = pen_mark(run);
    double *rows, *nearest2;

    PEN_TRY(PEN_FILLED(run, near.center, t->k, 0));
    PEN_TRY(PEN_NEW(run, rows, pen_times(n, t->k)));
    PEN_TRY(PEN_NEW(run, nearest2, pen_times(n, NEAR)));
    to_units(t, n, MOST, y, rows);
    PEN_TRY(pen_nearest_classifier_apply(run, &near, n, rows, t->k, nearest2, NULL));
    for (int64_t i = 0; i < n; i++) {
        const double *const to = nearest2 + i * NEAR;
        double square = 1;
        for (int64_t j = 0; j < t->k; j++)
            square += rows[i * t->k + j] * rows[i * t->k + j];
        const int is_stored = t->count > 1 && to[0] <= SAME * SAME * square;
        distances[i] = sqrt(to[is_stored]);
    }
    pen_release(run, mark);
    return PEN_OK;
}

double pen_typical_share(const pen_typical *t, double distance)
{
    int64_t nearer = 0;

    while (nearer < t->measured && t->distances[nearer] < distance)
        nearer++;
    return (double)(1 + t->measured - nearer) / (double)(1 + t->measured);
}
