/* classes.c - the scatters of labels in closed form: between and within classes. */
#include "scatter/classes.h"

#include "core/parallel.h"
#include "scatter/scatter.h"

#include <string.h>

enum { PIECE = 64 };

pen_status need_classes(pen_run *run, const pen_rows *x, int64_t least)
{
    PEN_REQUIRE(run, least == 0 || x->labelled > 0, PEN_NO_LABELS, "this method needs labelled rows: all %lld rows are unlabelled",
                (long long)x->n);
    PEN_REQUIRE(run, x->classes >= least, PEN_ONE_CLASS, "this method needs labelled rows of at least %lld classes, got %lld of %lld",
                (long long)least, (long long)x->labelled, (long long)x->classes);
    return PEN_OK;
}

void classes_fill(const void *context, int64_t first, int64_t count, void *block)
{
    const pen_classes *c = context;
    const int64_t d = c->x->d;

    pen_rows_block(c->x, c->x->members, first, count, block);
    for (int64_t i = 0; i < count; i++) {
        const double *restrict mean = c->means + c->class_of[first + i] * d;
        const double factor = c->factor ? c->factor[first + i] : 1;
        if (c->x->work == PEN_F64) {
            double *restrict row = (double *)block + i * d;
            for (int64_t j = 0; j < d; j++)
                row[j] = (row[j] - mean[j]) * factor;
        } else {
            float *restrict row = (float *)block + i * d;
            for (int64_t j = 0; j < d; j++)
                row[j] = (row[j] - (float)mean[j]) * (float)factor;
        }
    }
}

struct means {
    const pen_rows *x;
    double *means;
    char *blocks; /* [workers][PIECE x d] */
};

/* A task a class: its rows in order. */
static void mean_of_class(void *context, int64_t c, int worker)
{
    const struct means *m = context;
    const pen_rows *x = m->x;
    const int64_t d = x->d, size = pen_class_size(x, c);
    char *const block = m->blocks + (size_t)(worker * PIECE * d) * pen_size(x->work);
    double *restrict mean = m->means + c * d;

    memset(mean, 0, (size_t)d * sizeof *mean);
    for (int64_t first = 0; first < size; first += PIECE) {
        const int64_t count = pen_min(PIECE, size - first);
        pen_rows_block(x, x->members, x->starts[c] + first, count, block);
        for (int64_t i = 0; i < count; i++) {
            if (x->work == PEN_F64) {
                const double *restrict row = (const double *)block + i * d;
                for (int64_t j = 0; j < d; j++)
                    mean[j] += row[j];
            } else {
                const float *restrict row = (const float *)block + i * d;
                for (int64_t j = 0; j < d; j++)
                    mean[j] += (double)row[j];
            }
        }
    }
    for (int64_t j = 0; j < d; j++)
        mean[j] /= (double)size;
}

pen_status classes_open(pen_run *run, const pen_rows *x, pen_classes *out)
{
    const int64_t d = x->d;
    struct means m = { .x = x };
    double *mean;
    int64_t *class_of;

    PEN_TRY(PEN_NEW(run, m.means, x->classes * d));
    PEN_TRY(PEN_NEW(run, mean, d));
    PEN_TRY(PEN_NEW(run, class_of, x->labelled));
    const pen_mark_t mark = pen_mark(run);
    m.blocks = pen_scratch(run, pen_workers(run, x->classes) * PIECE * d, pen_size(x->work));
    if (!m.blocks)
        return PEN_NO_MEMORY;
    PEN_TRY(pen_parallel(run, PEN_WHOLE("class means"), x->classes, mean_of_class, &m));
    pen_release(run, mark);
    memset(mean, 0, (size_t)d * sizeof *mean);
    for (int64_t c = 0; c < x->classes; c++) {
        for (int64_t j = 0; j < d; j++)
            mean[j] += m.means[c * d + j] * ((double)pen_class_size(x, c) / (double)x->labelled);
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            class_of[i] = c;
    }
    *out = (pen_classes){ .x = x, .means = m.means, .mean = mean, .class_of = class_of };
    return PEN_OK;
}

pen_status scatter_between(pen_run *run, double weight, const pen_classes *classes, pen_sym *B)
{
    const pen_rows *x = classes->x;
    double *difference;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, difference, x->d));
    for (int64_t c = 0; c < x->classes; c++) {
        for (int64_t j = 0; j < x->d; j++)
            difference[j] = classes->means[c * x->d + j] - classes->mean[j];
        sym_add_outer(weight * (double)pen_class_size(x, c), difference, B);
    }
    sym_note(B, x->classes - 1, x->epsilon);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status scatter_classes(pen_run *run, double weight, const pen_rows *x, pen_sym *B, pen_sym *C)
{
    pen_classes classes;

    if (weight == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(classes_open(run, x, &classes));
    PEN_TRY(scatter_between(run, weight, &classes, B));
    PEN_TRY(sym_add_gram(run, "scatter within classes", weight, x->work, x->labelled, classes_fill, &classes, C));
    sym_note(C, x->labelled - x->classes, x->epsilon);
    pen_release(run, mark);
    return PEN_OK;
}
