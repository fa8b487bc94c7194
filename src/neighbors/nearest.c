/* nearest.c - squared distances are accumulated column by column, so one pass covers every number
 * of dimensions. */
#include "neighbors/nearest.h"

#include "core/parallel.h"

#include <math.h>
#include <string.h>

enum { ROWS = 16 };

static const double SAME = 1e-12;

struct vote {
    const pen_vote *trial;
    int64_t k;
    double *columns;      /* [d x known] coordinates of the known rows, transposed */
    pen_slices distance2; /* [known] */
    pen_slices nearest;   /* [k] rows, nearest first */
    pen_slices votes;     /* [classes] */
    int64_t *correct;     /* [tasks x d], or NULL */
    int32_t *predicted;   /* [hidden] in all dimensions, or NULL */
};

static int64_t nearest_one(const double *distance2, int64_t count)
{
    int64_t best = 0;
    for (int64_t i = 1; i < count; i++)
        if (distance2[i] < distance2[best])
            best = i;
    return best;
}

/* The k nearest by insertion into a sorted list: few rows are near enough to be inserted. */
static void nearest_some(const double *distance2, int64_t count, int64_t k, int64_t *nearest)
{
    int64_t there = 0;

    for (int64_t i = 0; i < count; i++) {
        if (there == k && !(distance2[i] < distance2[nearest[k - 1]]))
            continue;
        int64_t at = there < k ? there++ : k - 1;
        for (; at > 0 && distance2[i] < distance2[nearest[at - 1]]; at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = i;
    }
}

static int32_t majority(const struct vote *v, const int64_t *nearest, int64_t *votes)
{
    const int32_t *const classes = v->trial->known_classes;
    int32_t best = classes[nearest[0]];

    memset(votes, 0, (size_t)v->trial->classes * sizeof *votes);
    for (int64_t i = 0; i < v->k; i++)
        votes[classes[nearest[i]]]++;
    for (int64_t i = 0; i < v->k; i++)
        if (votes[classes[nearest[i]]] > votes[best])
            best = classes[nearest[i]];
    return best;
}

/* The majority class of the nearest known rows by distance2. */
static int32_t classify(const struct vote *v, const double *distance2, int worker)
{
    int64_t *const nearest = pen_slice(&v->nearest, worker);

    if (v->k == 1)
        nearest[0] = nearest_one(distance2, v->trial->known);
    else
        nearest_some(distance2, v->trial->known, v->k, nearest);
    return majority(v, nearest, pen_slice(&v->votes, worker));
}

static void try_rows(void *context, int64_t task, int worker)
{
    const struct vote *v = context;
    const pen_vote *t = v->trial;
    double *const restrict distance2 = pen_slice(&v->distance2, worker);
    int64_t *const correct = v->correct ? v->correct + task * t->d : NULL;

    if (correct)
        memset(correct, 0, (size_t)t->d * sizeof *correct);
    for (int64_t i = task * ROWS; i < pen_min((task + 1) * ROWS, t->hidden); i++) {
        memset(distance2, 0, (size_t)t->known * sizeof *distance2);
        for (int64_t r = 0; r < t->d; r++) {
            const double *restrict column = v->columns + r * t->known,
                                   at = t->hidden_rows[i * t->d + r];
            for (int64_t j = 0; j < t->known; j++)
                distance2[j] += (at - column[j]) * (at - column[j]);
            if (correct)
                correct[r] += classify(v, distance2, worker) == t->hidden_classes[i];
        }
        if (v->predicted)
            v->predicted[i] = classify(v, distance2, worker);
    }
}

static pen_status vote(pen_run *run, struct vote *v)
{
    const pen_vote *const t = v->trial;
    const int64_t tasks = (t->hidden + ROWS - 1) / ROWS;
    const int workers = pen_workers(run, tasks);

    PEN_TRY(PEN_NEW(run, v->columns, pen_times(t->d, t->known)));
    PEN_TRY(pen_slices_new(run, workers, t->known, sizeof(double), &v->distance2));
    PEN_TRY(pen_slices_new(run, workers, v->k, sizeof(int64_t), &v->nearest));
    PEN_TRY(pen_slices_new(run, workers, t->classes, sizeof(int64_t), &v->votes));
    for (int64_t j = 0; j < t->known; j++)
        for (int64_t r = 0; r < t->d; r++)
            v->columns[r * t->known + j] = t->known_rows[j * t->d + r];
    return pen_parallel(run, PEN_SILENT, tasks, try_rows, v);
}

pen_status pen_nearest_correct(pen_run *run, const pen_vote *trial, int64_t k, int64_t *correct)
{
    const int64_t tasks = (trial->hidden + ROWS - 1) / ROWS, d = trial->d;
    struct vote v = { .trial = trial, .k = pen_min(k, trial->known) };

    memset(correct, 0, (size_t)d * sizeof *correct);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, v.correct, pen_times(tasks, d)));
    PEN_TRY(vote(run, &v));
    for (int64_t task = 0; task < tasks; task++)
        for (int64_t r = 0; r < d; r++)
            correct[r] += v.correct[task * d + r];
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_nearest_classes(pen_run *run, const pen_vote *trial, int64_t k, int32_t *predicted)
{
    struct vote v = { .trial = trial, .k = pen_min(k, trial->known), .predicted = predicted };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(vote(run, &v));
    pen_release(run, mark);
    return PEN_OK;
}

static void shift_and_scale(int64_t d, int64_t count, double *rows, int64_t column, double mean,
                            double scale)
{
    for (int64_t i = 0; i < count; i++)
        rows[i * d + column] = (rows[i * d + column] - mean) / scale;
}

static double mean_of(int64_t d, int64_t count, const double *rows, int64_t column)
{
    double mean = 0;
    for (int64_t i = 0; i < count; i++)
        mean += rows[i * d + column] / (double)count;
    return mean;
}

static double deviation_of(int64_t d, int64_t count, const double *rows, int64_t column,
                           double mean)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (rows[i * d + column] - mean) * (rows[i * d + column] - mean);
    return sqrt(sum / (double)count);
}

void pen_nearest_standardize(int64_t d, int64_t known, double *known_rows, int64_t hidden,
                             double *hidden_rows)
{
    double largest = 0;

    for (int64_t j = 0; j < d; j++)
        largest =
            fmax(largest, deviation_of(d, known, known_rows, j, mean_of(d, known, known_rows, j)));
    for (int64_t j = 0; j < d; j++) {
        const double mean = mean_of(d, known, known_rows, j),
                     deviation = deviation_of(d, known, known_rows, j, mean);
        const double scale = deviation > SAME * largest ? deviation : 1;
        shift_and_scale(d, known, known_rows, j, mean, scale);
        shift_and_scale(d, hidden, hidden_rows, j, mean, scale);
    }
}
