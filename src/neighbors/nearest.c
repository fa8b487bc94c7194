/* nearest.c - squared distances are accumulated column by column, so one pass covers every number
 * of dimensions. */
#include "neighbors/nearest.h"

#include "core/parallel.h"
#include "linalg/blas.h"

#include <string.h>

enum { ROWS = 16 };

struct search {
    const pen_nearest *rows;
    int64_t count;
    double *columns;      /* [d x known] coordinates of the known rows, transposed */
    pen_slices distance2; /* [known] */
    int64_t *correct;     /* [tasks x count] */
};

static int64_t nearest_one(const double *distance2, int64_t count)
{
    int64_t best = 0;
    for (int64_t i = 1; i < count; i++)
        if (distance2[i] < distance2[best])
            best = i;
    return best;
}

static void try_rows(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const pen_nearest *t = s->rows;
    const int64_t before = t->d - s->count;
    double *const restrict distance2 = pen_slice(&s->distance2, worker);
    int64_t *const correct = s->correct + task * s->count;

    memset(correct, 0, (size_t)s->count * sizeof *correct);
    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, t->hidden); i++) {
        memset(distance2, 0, (size_t)t->known * sizeof *distance2);
        for (int64_t r = 0; r < t->d; r++) {
            const double *restrict column = s->columns + r * t->known,
                                   at = t->hidden_rows[i * t->d + r];
            for (int64_t j = 0; j < t->known; j++)
                distance2[j] += (at - column[j]) * (at - column[j]);
            if (r >= before)
                correct[r - before] +=
                    t->known_classes[nearest_one(distance2, t->known)] == t->hidden_classes[i];
        }
    }
}

pen_status pen_nearest_correct(pen_run *run, const pen_nearest *rows, int64_t count,
                               int64_t *correct)
{
    const int64_t tasks = (rows->hidden + ROWS - 1) / ROWS;
    struct search s = { .rows = rows, .count = count };

    memset(correct, 0, (size_t)count * sizeof *correct);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, s.columns, pen_times(rows->d, rows->known)));
    PEN_TRY(PEN_NEW(run, s.correct, pen_times(tasks, count)));
    PEN_TRY(
        pen_slices_new(run, pen_workers(run, tasks), rows->known, sizeof(double), &s.distance2));
    pen_transpose(rows->known, rows->d, rows->known_rows, s.columns);
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, try_rows, &s));
    for (int64_t i = 0; i < tasks * count; i++)
        correct[i % count] += s.correct[i];
    pen_release(run, mark);
    return PEN_OK;
}
