/* expect.c - trials of the projection learned from an ensemble. */
#include "eval/choose/expect.h"

#include "classifiers/predictions.h"
#include "eval/choose/members.h"
#include "eval/choose/projection.h"
#include "eval/measures/summary.h"
#include "eval/trials/task_pool.h"
#include "eval/trials/trial_classifier.h"

#include <math.h>

struct expecting {
    const pen_trial_set *trials;
    const pen_selection *s;
    pen_known_rows all;
    pen_projection_choice choice; /* in the first trial, unless as_new */
    pen_predictions *answers;     /* [trials] */
};

static pen_status try_trial(pen_run *run, struct expecting *e, const pen_control *control,
                            int64_t trial)
{
    const pen_trial_set *const t = e->trials;
    const int64_t classes = e->s->classes;
    pen_predictions *const answer = &e->answers[trial];
    pen_projection_choice own, *const choice = t->as_new ? &own : &e->choice;
    pen_known_rows all = e->all;
    int32_t *class_of;
    double *p, *told;
    pen_trial c;

    PEN_TRY(pen_trial_open(run, t, trial, &c));
    c.data.groups = NULL;
    PEN_TRY(PEN_NEW(run, class_of, all.n));
    PEN_TRY(PEN_NEW(run, p, pen_times(all.n, classes)));
    PEN_TRY(PEN_NEW(run, told, pen_times(c.hidden, classes)));
    for (int64_t i = 0; i < all.n; i++)
        class_of[i] = t->as_new || c.data.labels[i] != PEN_UNLABELLED ? t->class_of[i] : -1;
    PEN_TRY(pen_members_tell(run, e->s, &c.data, class_of, control, NULL, p));
    all.p = p;
    all.but = c.hidden_rows;
    all.but_count = t->as_new ? c.hidden : 0;
    if (t->as_new || trial == 0)
        PEN_TRY(pen_projection_choose(run, &c.data, &all, e->s->seed, choice));
    PEN_TRY(pen_projection_tell(run, &all, choice, c.hidden, c.hidden_rows, told));
    pen_predictions_open(classes, answer);
    return pen_trial_answer(run, &c, told, NULL, answer);
}

/* Tries one of the trials after the first. */
static pen_status try_piece(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    return try_trial(run, context, control, piece + 1);
}

/* The error of an accuracy a on l rows, such that a -+ PEN_HALF_WIDTH errors contains Wilson's
 * interval (1927): a few rows that are all classified correctly do not make it certain. m: the
 * number of rows to predict, which are also a sample; 0: any number. */
static double expected_error(double a, int64_t l, int64_t m)
{
    const double share = m > 0 ? 1 / (double)l + 1 / (double)m : 1 / (double)l,
                 z2 = PEN_HALF_WIDTH * PEN_HALF_WIDTH * share, center = (a + z2 / 2) / (1 + z2),
                 half = sqrt(z2 * (a * (1 - a) + z2 / 4)) / (1 + z2);

    return (half + fabs(center - a)) / PEN_HALF_WIDTH;
}

pen_status pen_expect_accuracy(pen_run *run, const pen_trial_set *trials, int64_t unlabelled,
                               const pen_control *control, pen_selection *s)
{
    struct expecting e = { .trials = trials, .s = s, .all = { .classes = s->classes } };
    const pen_task_pool tasks = {
        .phase = "expected accuracy", .pieces = trials->count - 1, .fn = try_piece, .context = &e
    };
    pen_predictions found;
    const pen_row_params steps = pen_members_steps(s);

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, e.answers, trials->count));
    PEN_TRY(pen_known_rows_open(run, trials->data, &steps, control, &e.all));
    PEN_TRY(try_trial(run, &e, control, 0));
    PEN_TRY(pen_tasks_run(run, &tasks, NULL));
    pen_predictions_open(s->classes, &found);
    for (int64_t t = 0; t < trials->count; t++)
        pen_predictions_merge(&e.answers[t], &found);
    s->accuracy = pen_predictions_accuracy(&found);
    s->error = expected_error(s->accuracy, trials->classes.labelled, unlabelled);
    s->temperature =
        pen_predictions_temperature(&found, trials->protocol.runs, PEN_USUAL_OF_PROJECTION);
    pen_release(run, mark);
    return PEN_OK;
}
