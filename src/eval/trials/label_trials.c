/* label_trials.c - chooses folds, runs and rows for trials. */
#include "eval/trials/label_trials.h"

#include "core/folds.h"
#include "eval/trials/sample_rows.h"
#include "problem/prepared_rows.h"

#include <math.h>

enum { MOST_VALUES = 400000, LEAST_ROWS = 2000 };

/* Folds and runs below a number of labels for each class. */
static const struct {
    double labels;
    int64_t folds, runs;
} schedules[] = { { 6, 3, 2 }, { 20, 4, 2 }, { (double)INFINITY, 3, 1 } };

/* most: the most folds that a class can be in. */
static pen_protocol protocol_for(const pen_view *classes, int64_t most, uint64_t seed)
{
    const double each = (double)classes->labelled / (double)classes->classes;
    int at = 0;

    while (!(each < schedules[at].labels))
        at++;
    return (pen_protocol){ .folds = pen_min(schedules[at].folds, most),
                           .runs = schedules[at].runs,
                           .seed = seed };
}

int64_t pen_effort_limit(double effort, int64_t most)
{
    return (int64_t)ceil((effort > 0 ? effort : 1) * (double)most);
}

int64_t pen_label_trials_rows(double effort, int64_t columns)
{
    return pen_effort_limit(effort, pen_max(LEAST_ROWS, MOST_VALUES / columns));
}

pen_status pen_label_trials_open(pen_run *run, const pen_data *data, int64_t most, uint64_t seed,
                                 pen_data *some, pen_trial_set *out)
{
    const int64_t n = data->x.rows;
    pen_view classes = { .n = 0 };
    int64_t *rows, count, folds;

    *some = *data;
    if (n > most) {
        PEN_TRY(pen_data_sample(run, data, most, seed, &rows, &count));
        PEN_TRY(pen_data_pick(run, data, count, rows, some));
        PEN_TRY(pen_cache_open(run)); /* these rows are private to the call */
    } else if (!pen_run_cache(run)) {
        PEN_TRY(pen_rows_share(run, data));
    }
    PEN_TRY(pen_rows_label(run, some->labels, some->x.rows, &classes));
    PEN_TRY(pen_rows_group(run, some->groups, &classes));
    PEN_TRY(pen_folds_most(run, &classes, &folds));
    const pen_protocol protocol = protocol_for(&classes, folds, seed);
    PEN_TRY(pen_trials_open(run, some, &protocol, out));
    out->as_new = 1; /* without unlabelled rows, models are for new rows */
    for (int64_t i = 0; i < n; i++)
        out->as_new &= data->labels[i] != PEN_UNLABELLED;
    return PEN_OK;
}
