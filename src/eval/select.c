/* select.c - what to fit where no method is named: maps, each with a reader of classes
 * (eval/candidates.c), in the same trials, where there are labels alone. */
#include "core/arguments.h"
#include "core/cache.h"
#include "core/folds.h"
#include "eval/candidates.h"
#include "eval/choose.h"
#include "eval/plan.h"
#include "eval/select_map.h"
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
    int64_t dims;       /* of the embedding */
    int64_t *confusion; /* [classes x classes] true x predicted; NULL: not wanted */
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
    out->dims = e->k;
    pen_answer_open(count, &out->answer);
    for (int64_t i = 0; i < c->hidden; i++) {
        const int32_t truth = c->trials->class_of[c->hidden_rows[i]];
        pen_answer_add(&out->answer, p + i * count, told[i], truth, work);
        if (out->confusion)
            out->confusion[truth * count + told[i]]++;
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

static pen_status new_outcomes(pen_run *run, struct selecting *s)
{
    const int64_t cells = pen_times(s->trials->classes.classes, s->trials->classes.classes),
                  count = pen_times(s->trials->count, s->count);
    int64_t *confusion;

    PEN_TRY(PEN_FILLED(run, s->found, count, 0));
    PEN_TRY(PEN_FILLED(run, confusion, pen_times(count, cells), 0));
    for (int64_t i = 0; i < count; i++)
        s->found[i].confusion = confusion + i * cells;
    return PEN_OK;
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

/* The candidate in several numbers of dimensions, first .. first + count - 1. */
struct fewer {
    const struct selecting *s;
    int64_t candidate, first, count;
    struct outcome *found; /* [trials x count] */
};

static pen_status try_dims(void *context, pen_run *run, const pen_control *control, int64_t trial)
{
    const struct fewer *const f = context;
    const pen_spec *const spec = f->s->candidates[f->candidate].spec;
    pen_embedding e;
    pen_trial c;

    PEN_TRY(pen_trial_open(run, f->s->trials, trial, &c));
    PEN_TRY(pen_trial_embed(run, &c, spec, f->first + f->count - 1, control, &e));
    for (int64_t i = 0; i < f->count && f->first + i <= e.k; i++) {
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(read_hidden(run, &c, &e, f->first + i, &spec->common.reader,
                            &f->found[trial * f->count + i]));
        pen_release(run, mark);
    }
    return PEN_OK;
}

/* The least of these numbers of dimensions whose score is at least `least`; 0: none. A number that
 * a trial does not give has no score. */
static pen_status try_some(pen_run *run, struct fewer *f, double least, int64_t *r,
                           pen_answer_summary *found)
{
    const int64_t trials = f->s->trials->count;
    const pen_task_pool tasks = {
        .phase = "dimensions", .pieces = trials, .fn = try_dims, .context = f
    };
    char *state;

    PEN_TRY(PEN_FILLED(run, f->found, pen_times(trials, f->count), 0));
    PEN_TRY(PEN_NEW(run, state, trials));
    PEN_TRY(pen_tasks_run(run, &tasks, state, NULL));
    *r = 0;
    for (int64_t i = 0; i < f->count && *r == 0; i++) {
        pen_answer all;
        int given = 1;
        pen_answer_open(f->s->trials->classes.classes, &all);
        for (int64_t t = 0; t < trials; t++) {
            given &= f->found[t * f->count + i].answer.rows > 0;
            pen_answer_merge(&f->found[t * f->count + i].answer, &all);
        }
        if (!given)
            return PEN_OK;
        pen_answer_summarize(&all, found);
        *r = found->score >= least ? f->first + i : 0;
    }
    return PEN_OK;
}

/* Where the first columns are the answer for fewer dimensions: the fewest with a score of at least
 * `least`, tried in larger and larger groups. */
static pen_status find_fewest(pen_run *run, const struct selecting *s, int64_t candidate,
                              double least, int64_t most, int64_t *r, pen_answer_summary *found)
{
    struct fewer f = { .s = s, .candidate = candidate, .first = 1, .count = 4 };

    *r = 0;
    while (*r == 0 && f.first < most) {
        const pen_mark_t mark = pen_mark(run);
        f.count = pen_min(pen_max(f.count, f.first - 1), most - f.first);
        PEN_TRY(try_some(run, &f, least, r, found));
        pen_release(run, mark);
        f.first += f.count;
    }
    return PEN_OK;
}

static pen_status copy_spec(pen_run *run, const pen_spec *spec, double temperature, pen_spec **out)
{
    pen_error err;

    if (pen_spec_copy(spec, out, &err) != PEN_OK
        || pen_spec_set_real(*out, "reader_temperature", temperature, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    return PEN_OK;
}

/* The number of dimensions that all trials give. */
static int64_t dims_of(const struct selecting *s, int64_t candidate)
{
    int64_t least = INT64_MAX;

    for (int64_t t = 0; t < s->trials->count; t++)
        least = pen_min(least, outcome_of(s, t, candidate)->dims);
    return least;
}

/* The spec of the map: the candidate `mapped` in r dimensions (0: all), of which `found` is, with a
 * temperature, one of pen_temperatures. */
static pen_status take_map(pen_run *run, pen_selection *out, int64_t r,
                           const pen_answer_summary *found, double temperature)
{
    pen_error err;

    PEN_TRY(copy_spec(run, out->candidates[out->mapped].spec, temperature, &out->map));
    out->map_accuracy = found->accuracy;
    for (int t = 0; t < PEN_TEMPERATURES; t++)
        if (pen_temperatures[t] == temperature)
            out->map_log_loss = found->tempered_losses[t];
    if (r > 0 && pen_spec_set_int(out->map, "dim", r, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    return PEN_OK;
}

/* Where all rows are labelled, the map is the best candidate; where its first columns are the
 * answer for fewer dimensions, in the fewest that score within the margin. */
static pen_status choose_by_score(pen_run *run, const struct selecting *s, pen_selection *out)
{
    const pen_chosen *const best = &out->candidates[out->best];
    const int nested = !(best->spec->method->traits & PEN_UNNESTED);
    pen_answer_summary found;
    int64_t r = 0;

    out->mapped = out->best;
    if (nested)
        PEN_TRY(find_fewest(run, s, out->best, best->score - out->margin, dims_of(s, out->best), &r,
                            &found));
    if (r == 0)
        sum_up(s, out->best, &found);
    return take_map(run, out, r, &found, found.temperature);
}

/* Otherwise the one that answers most like the members together; see select_map.h. Its fewer
 * dimensions must also score within the margin of all of them. */
static pen_status choose_by_agreement(pen_run *run, const struct selecting *s, pen_selection *out)
{
    pen_map_choice choice;
    pen_answer_summary found;
    int64_t r = 0;

    PEN_TRY(pen_select_map(run, s->trials, out, &choice));
    out->mapped = choice.candidate;
    if (choice.dims > 0) {
        struct fewer f = {
            .s = s, .candidate = choice.candidate, .first = choice.dims, .count = 1
        };
        const double score = out->candidates[choice.candidate].score;
        PEN_TRY(try_some(run, &f, score - out->margin, &r, &found));
    }
    if (r == 0)
        sum_up(s, out->mapped, &found);
    return take_map(run, out, r, &found, r > 0 ? choice.temperature : choice.temperature_of_all);
}

static pen_status keep_confusion(pen_run *run, const struct selecting *s, pen_selection *out)
{
    const int64_t cells = pen_times(out->classes, out->classes);

    out->confusion = pen_keep(run, cells, sizeof *out->confusion);
    if (!out->confusion)
        return PEN_NO_MEMORY;
    for (int64_t t = 0; t < s->trials->count; t++)
        for (int64_t i = 0; i < cells; i++)
            out->confusion[i] += outcome_of(s, t, out->mapped)->confusion[i];
    return PEN_OK;
}

static pen_status choose(pen_run *run, const struct selecting *s, pen_selection *out)
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
    PEN_TRY(s->trials->as_new ? choose_by_score(run, s, out) : choose_by_agreement(run, s, out));
    return keep_confusion(run, s, out);
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
    out->mapped = out->best;
    out->margin = out->map_accuracy = out->map_log_loss = (double)NAN;
    snprintf(out->reason, sizeof out->reason,
             "no class has %s, too few to hold any out: class scores",
             grouped ? "labels in three groups" : "three labels");
    return copy_spec(run, out->candidates[out->best].spec, 1, &out->map);
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
        PEN_TRY(pen_data_thin(run, data, most, seed, &some));
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
    PEN_TRY(new_outcomes(run, &s));
    PEN_TRY(try_all(run, &s));
    return choose(run, &s, out);
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
    pen_spec_free(selection->map);
    free(selection->confusion);
    free(selection);
}
