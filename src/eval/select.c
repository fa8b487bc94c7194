/* select.c - what to fit where no method is named: maps, each with a reader of classes
 * (eval/candidates.c), in the same trials, where there are labels alone. */
#include "core/arguments.h"
#include "core/cache.h"
#include "core/folds.h"
#include "eval/candidates.h"
#include "eval/choose.h"
#include "eval/plan.h"
#include "eval/task_pool.h"
#include "eval/thin.h"
#include "eval/trial_reader.h"
#include "model/spec.h"
#include "readers/answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Labels of the largest class, with fewer of which there are no trials. */
enum { LEAST_LABELS = 3 };

/* ---- the trials ---- */

/* The folds and runs below a number of labels a class. */
static const struct {
    double labels;
    int64_t folds, runs;
} schedules[] = { { 6, 3, 2 }, { 20, 4, 2 }, { (double)INFINITY, 3, 1 } };

/* most: folds in which a class can be. */
static pen_protocol protocol_for(const pen_rows *classes, int64_t most, uint64_t seed)
{
    const double each = (double)classes->labelled / (double)classes->classes;
    int at = 0;

    while (!(each < schedules[at].labels))
        at++;
    return (pen_protocol){ .folds = pen_min(schedules[at].folds, most),
                           .runs = schedules[at].runs,
                           .seed = seed };
}

/* What one candidate does in one trial. */
struct outcome {
    pen_answer answer;
};

struct selecting {
    const pen_trials *trials;
    int64_t count;
    pen_chosen *candidates; /* [count] */
    const int *map;         /* [count]: see eval/candidates.h */
    struct outcome *found;  /* [trials x count] */
};

static struct outcome *outcome_of(const struct selecting *s, int64_t trial, int64_t candidate)
{
    return &s->found[trial * s->count + candidate];
}

static int map_count(const struct selecting *s)
{
    return s->map[s->count - 1] + 1;
}

static pen_status read_hidden(pen_run *run, const pen_trial *c, const pen_embedding *e, int64_t r,
                              const pen_reader_params *params, struct outcome *out)
{
    const int64_t count = c->trials->classes.classes;
    pen_trial_reader reader;
    double *p, *work;
    int32_t *told;

    PEN_TRY(PEN_NEW(run, p, pen_times(c->hidden, count)));
    PEN_TRY(PEN_NEW(run, told, c->hidden));
    PEN_TRY(PEN_NEW(run, work, count));
    PEN_TRY(pen_trial_reader_open(run, c, e, r, params, &reader));
    PEN_TRY(pen_trial_reader_apply(run, &reader, c->hidden, c->hidden_rows, p, told));
    pen_answer_open(count, &out->answer);
    for (int64_t i = 0; i < c->hidden; i++) {
        const int32_t truth = c->trials->class_of[c->hidden_rows[i]];
        pen_answer_add(&out->answer, p + i * count, told[i], truth, work);
    }
    return PEN_OK;
}

static int is_left_out(const pen_chosen *e)
{
    return *e->failure != '\0';
}

/* One map in one trial, by all of its readers that are not left out. */
static pen_status try_map(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct selecting *const s = context;
    const int64_t trial = piece / map_count(s), map = piece % map_count(s);
    int64_t first = 0;
    pen_embedding e;
    pen_trial c;

    while (first < s->count && (s->map[first] != map || is_left_out(&s->candidates[first])))
        first++;
    if (first == s->count)
        return PEN_OK;
    const pen_spec *const spec = s->candidates[first].spec;
    PEN_TRY(pen_trial_open(run, s->trials, trial, &c));
    PEN_TRY(pen_trial_embed(run, &c, spec, spec->common.dim, control, &e));
    for (int64_t i = first; i < s->count && s->map[i] == map; i++) {
        const pen_mark_t mark = pen_mark(run);
        if (is_left_out(&s->candidates[i]))
            continue;
        PEN_TRY(read_hidden(run, &c, &e, e.k, &s->candidates[i].spec->common.reader,
                            outcome_of(s, trial, i)));
        pen_release(run, mark);
    }
    return PEN_OK;
}

static void fail(pen_chosen *e, const char *why)
{
    snprintf(e->failure, sizeof e->failure, "%.*s", (int)sizeof e->failure - 1, why);
    e->score = e->accuracy = e->brier = e->log_loss = (double)NAN;
}

/* Over the rows of all trials. */
static void sum_up(const struct selecting *s, int64_t i, pen_answer_summary *out)
{
    pen_answer all;

    pen_answer_open(s->trials->classes.classes, &all);
    for (int64_t t = 0; t < s->trials->count; t++)
        pen_answer_merge(&outcome_of(s, t, i)->answer, &all);
    pen_answer_summarize(&all, out);
}

static void summarize(const struct selecting *s, int64_t i)
{
    pen_chosen *const e = &s->candidates[i];
    pen_answer_summary found;

    sum_up(s, i, &found);
    e->accuracy = found.accuracy;
    e->brier = found.brier;
    e->score = found.score;
    e->log_loss = found.tempered_log_loss;
    e->temperature = found.temperature;
}

/* A candidate that fails in one trial is none; if all fail, the first failure is that of the
 * call. */
static pen_status try_all(pen_run *run, struct selecting *s)
{
    const int64_t pieces = pen_times(s->trials->count, map_count(s));
    const pen_task_pool tasks = {
        .phase = "trials", .pieces = pieces, .fn = try_map, .context = s
    };
    const pen_error *first = NULL;
    pen_error *why;
    char *state;
    int left = 0;

    PEN_TRY(PEN_NEW(run, state, pieces));
    PEN_TRY(PEN_NEW(run, why, pieces));
    PEN_TRY(pen_tasks_run(run, &tasks, state, why));
    for (int64_t i = 0; i < s->count; i++) {
        const pen_error *failure = NULL;
        for (int64_t t = 0; t < s->trials->count && !failure; t++) {
            const int64_t piece = t * map_count(s) + s->map[i];
            failure = state[piece] == TASK_FAILED ? &why[piece] : NULL;
        }
        first = first ? first : failure;
        if (is_left_out(&s->candidates[i]))
            continue;
        if (failure)
            fail(&s->candidates[i], failure->message);
        else
            summarize(s, i), left++;
    }
    PEN_REQUIRE(run, left > 0 || first, PEN_BAD_ARGUMENT,
                "every candidate was left out: a larger effort allows more");
    return left > 0 ? PEN_OK : pen_fail_as(run, first);
}

/* ---- the choice ---- */

static int64_t best_of(int64_t count, const pen_chosen *candidates)
{
    int64_t best = -1;

    for (int64_t i = 0; i < count; i++)
        if (!isnan(candidates[i].score)
            && (best < 0 || candidates[i].score > candidates[best].score))
            best = i;
    return best;
}

static pen_status choose(pen_run *run, pen_selection *out)
{
    pen_error err;

    out->best = best_of(out->count, out->candidates);
    out->margin = pen_standard_error(out->candidates[out->best].score, out->labelled);
    for (int64_t i = 0; i < out->count; i++) {
        pen_chosen *const e = &out->candidates[i];
        e->member = e->score >= out->candidates[out->best].score - out->margin;
        if (!*e->failure
            && pen_spec_set_real(e->spec, "reader_temperature", e->temperature, &err) != PEN_OK)
            return pen_fail_as(run, &err);
    }
    out->accuracy = out->candidates[out->best].accuracy;
    out->error = pen_standard_error(out->accuracy, out->labelled);
    return PEN_OK;
}

/* ---- the call ---- */

/* Rows of the trials, in units of the effort. */
enum { MOST_ROWS = 4000 };

/* Multiply-adds of a fit to all rows, in units of the budget of a comparison: of the first
 * candidates, and of the others, with their readers, all of which some eight trials repeat. */
static const double MOST_COST = 10, MOST_COST_OF_OTHERS = 0.125;

/* A fit to all rows and, for those that are not among the first candidates, of the reader. */
static double cost_of(const pen_costs *costs, const pen_chosen *e, int is_first)
{
    const enum pen_reader_kind kind = e->spec->common.reader.kind;
    const double fit = pen_costs_fit(costs, e->spec),
                 reader = pen_costs_reader(costs, e->spec, kind, (int64_t)costs->sizes.n);

    return (is_first ? fit : fit + reader) / PEN_COMPARE_BUDGET;
}

/* A candidate whose fit to all rows takes too long is none. */
static pen_status leave_out(pen_run *run, const pen_data *data, double effort, pen_selection *out)
{
    pen_costs costs;

    PEN_TRY(pen_costs_open(run, data, &costs));
    for (int64_t i = 0; i < out->count; i++) {
        const int is_first = i < PEN_FIRST_CANDIDATES;
        const double cost = cost_of(&costs, &out->candidates[i], is_first),
                     most = (is_first ? MOST_COST : MOST_COST_OF_OTHERS) * effort;
        char why[128];
        snprintf(why, sizeof why, "%s to all rows costs %.3g, more than %.3g",
                 is_first ? "its fit" : "its fit and reader", cost, most);
        if (cost > most)
            fail(&out->candidates[i], why);
    }
    return PEN_OK;
}

/* Too few labels to hold any out: class scores by the kernel, which did best without trials. */
static pen_status take_scores(pen_run *run, int grouped, pen_selection *out)
{
    pen_error err;

    for (int64_t i = 0; i < out->count; i++) {
        pen_chosen *const e = &out->candidates[i];
        if (strcmp(e->name, PEN_CANDIDATE_WITHOUT_TRIALS) == 0)
            out->best = i;
        fail(e, "");
        e->temperature = 1;
        if (pen_spec_set_real(e->spec, "reader_temperature", 1, &err) != PEN_OK)
            return pen_fail_as(run, &err);
    }
    out->candidates[out->best].member = 1;
    out->margin = (double)NAN;
    snprintf(out->reason, sizeof out->reason,
             "no class has %s, too few to hold any out: class scores",
             grouped ? "labels in three groups" : "three labels");
    return PEN_OK;
}

static pen_status select_by_trials(pen_run *run, const pen_data *data, const pen_rows *classes,
                                   const int *map, uint64_t seed, double effort, pen_selection *out)
{
    const int64_t most = (int64_t)fmin(fmax(1, effort) * MOST_ROWS, 0x1p40);
    int64_t folds;
    pen_protocol protocol;
    pen_data some = *data;
    pen_rows kept = *classes;
    pen_trials trials;
    struct selecting s = {
        .trials = &trials, .candidates = out->candidates, .count = out->count, .map = map
    };

    if (data->x.rows > most) {
        int64_t *rows;
        PEN_TRY(pen_data_thin(run, data, most, seed, &rows, &some));
        PEN_TRY(PEN_KEEP(run, out->sample, some.x.rows));
        memcpy(out->sample, rows, (size_t)some.x.rows * sizeof *rows);
        PEN_TRY(pen_rows_label(run, some.labels, some.x.rows, &kept));
        PEN_TRY(pen_rows_group(run, some.groups, &kept));
    }
    PEN_TRY(pen_folds_most(run, &kept, &folds));
    protocol = protocol_for(&kept, folds, seed);
    PEN_TRY(pen_trials_open(run, &some, &protocol, &trials));
    /* where no row is left to classify, models are for other rows */
    trials.as_new = classes->labelled == data->x.rows;
    out->rows = some.x.rows;
    out->labelled = kept.labelled;
    out->folds = trials.protocol.folds;
    out->runs = trials.protocol.runs;
    PEN_TRY(PEN_FILLED(run, s.found, pen_times(trials.count, s.count), 0));
    PEN_TRY(try_all(run, &s));
    return choose(run, out);
}

static int has_pairs(const pen_data *data)
{
    return data->must_link_count > 0 || data->cannot_link_count > 0 || data->sample;
}

static pen_status select_best(pen_run *run, const pen_data *data, uint64_t seed, double effort,
                              pen_selection **out)
{
    int map[PEN_MOST_CANDIDATES];
    int64_t most;
    pen_rows classes = { .n = 0 };

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_trial_data(run, data));
    PEN_TRY(pen_cache_open(run));
    PEN_REQUIRE(run, effort >= 0 && effort <= 1e6, PEN_BAD_ARGUMENT,
                "effort must be in [0, 1e6], got %g", effort);
    PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &classes));
    PEN_TRY(pen_rows_group(run, data->groups, &classes));
    PEN_TRY(pen_folds_most(run, &classes, &most));
    pen_selection *const s = *out = pen_keep(run, 1, sizeof *s);
    if (!s)
        return PEN_NO_MEMORY;
    s->classes = classes.classes;
    s->labelled = classes.labelled;
    s->rows = data->x.rows;
    s->accuracy = s->error = s->p_value = (double)NAN;
    s->predicts = 1;
    if (classes.classes < 2 || has_pairs(data))
        return pen_choose_untried(run, data, &classes, s);
    s->chance = (double)pen_class_largest(&classes) / (double)classes.labelled;
    s->candidates = pen_keep(run, PEN_MOST_CANDIDATES, sizeof *s->candidates);
    if (!s->candidates)
        return PEN_NO_MEMORY;
    PEN_TRY(pen_candidates_make(run, data, seed, s->candidates, map, &s->count));
    if (most < LEAST_LABELS)
        return take_scores(run, classes.group != NULL, s);
    PEN_TRY(leave_out(run, data, effort > 0 ? effort : 1, s));
    return select_by_trials(run, data, &classes, map, seed, effort > 0 ? effort : 1, s);
}

pen_status pen_select(const pen_data *data, uint64_t seed, double effort,
                      const pen_control *control, pen_selection **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_selection_free, select_best(run, data, seed, effort, out));
}

void pen_selection_free(pen_selection *selection)
{
    if (!selection)
        return;
    for (int64_t i = 0; selection->candidates && i < selection->count; i++)
        pen_spec_free(selection->candidates[i].spec);
    free(selection->candidates);
    pen_spec_free(selection->spec);
    free(selection->sample);
    free(selection);
}
