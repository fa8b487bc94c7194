/* affine_classifier.c - class scores that are affine in a row, and their softmax. */
#include "classifiers/affine_classifier.h"

#include "core/parallel.h"
#include "linalg/affine.h"

#include <math.h>

enum { PIECE = 1024 };

pen_status pen_affine_classifier_new(pen_run *run, const pen_classifier_rows *rows,
                                     pen_classifier *out)
{
    const int64_t k = rows->all->k, c = rows->all->classes;

    PEN_TRY(PEN_FILLED(run, out->weights, pen_times(k, c), 0));
    PEN_TRY(PEN_NEW(run, out->bias, c));
    for (int64_t a = 0; a < c; a++)
        out->bias[a] = -INFINITY;
    return PEN_OK;
}

pen_status pen_affine_classifier_fold(pen_run *run, const pen_classifier_rows *rows,
                                      pen_classifier *out)
{
    const int64_t k = out->k, c = out->classes;
    int finite = 1;

    for (int64_t j = 0; j < k; j++)
        for (int64_t a = 0; a < c; a++) {
            double *const weight = &out->weights[j * c + a];
            *weight /= rows->divisor;
            out->bias[a] -= rows->center[j] * *weight;
            finite &= isfinite(*weight) != 0;
        }
    for (int64_t a = 0; a < c; a++)
        finite &= isfinite(out->bias[a]) || rows->sizes[a] == 0;
    PEN_REQUIRE(run, finite, PEN_BAD_DATA,
                "the class scores overflow: the embedding, or the differences of labelled rows "
                "within classes, are too small");
    return PEN_OK;
}

int32_t pen_largest_share(int64_t classes, const double *p)
{
    int64_t best = 0;

    for (int64_t a = 1; a < classes; a++)
        if (p[a] > p[best])
            best = a;
    return (int32_t)best;
}

int32_t pen_softmax(int64_t classes, double *row)
{
    const double most = row[pen_largest_share(classes, row)];
    double sum = 0;

    for (int64_t a = 0; a < classes; a++)
        sum += row[a] = exp(row[a] - most);
    for (int64_t a = 0; a < classes; a++)
        row[a] /= sum;
    return pen_largest_share(classes, row);
}

struct apply {
    const pen_classifier *classifier;
    int64_t n;
    double *p, *largest;
    int32_t *classes;
};

static void finish_rows(void *context, int64_t task, int worker)
{
    const struct apply *a = context;
    const int64_t c = a->classifier->classes, end = pen_min(a->n, (task + 1) * PIECE);

    (void)worker;
    for (int64_t i = task * PIECE; i < end; i++) {
        double *const row = a->p + i * c;
        for (int64_t b = 0; b < c; b++)
            row[b] += a->classifier->bias[b];
        const int32_t class = pen_softmax(c, row);
        if (a->classes)
            a->classes[i] = class;
        if (a->largest)
            a->largest[i] = row[class];
    }
}

pen_status pen_affine_classifier_apply(pen_run *run, const pen_classifier *classifier, int64_t n,
                                       const double *z, int64_t stride, double *p, int32_t *classes,
                                       double *largest)
{
    const pen_array rows = pen_dense(z, PEN_F64, n, classifier->k, stride);
    struct apply a = { classifier, n, p, largest, classes };
    double *zeros;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, zeros, classifier->k, 0));
    PEN_TRY(pen_affine_apply(run, "predicting classes", &rows, 0, zeros, classifier->weights,
                             classifier->classes, PEN_F64, p, classifier->classes));
    PEN_TRY(pen_parallel(run, PEN_SILENT, (n + PIECE - 1) / PIECE, finish_rows, &a));
    pen_release(run, mark);
    return PEN_OK;
}
