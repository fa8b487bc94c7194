/* trials.c - trials: the labels, pairs and rows that a fit may use. */
#include "eval/trials/trials.h"

#include "core/arguments.h"
#include "eval/trials/sample_rows.h"
#include "core/rng.h"
#include "core/row_order.h"
#include "core/folds.h"

/* ---- folds from the caller ---- */

/* Checks that rows of a group are held out together. */
static pen_status check_groups(pen_run *run, int64_t r, const pen_view *x, const int32_t *folds)
{
    int64_t *first; /* [n] labelled row of the group */

    if (!x->group)
        return PEN_OK;
    PEN_TRY(PEN_FILLED(run, first, x->n, -1));
    for (int64_t i = 0; i < x->labelled; i++) {
        const int64_t row = x->members[i];
        int64_t *const of_group = &first[x->group[row]];
        *of_group = *of_group < 0 ? row : *of_group;
        PEN_REQUIRE(run, folds[row] == folds[*of_group], PEN_BAD_ARGUMENT,
                    "rows %lld and %lld are in one group, but run %lld holds out only one of them",
                    (long long)*of_group, (long long)row, (long long)r + 1);
    }
    return PEN_OK;
}

/* Numbers the folds of a run from 0; -1: rows without a class. */
static pen_status number_run(pen_run *run, int64_t r, const pen_view *x, const int32_t *given,
                             int32_t *folds, int64_t *count)
{
    pen_view numbers = { .n = 0 };
    int32_t *number;
    int64_t *labelled;

    for (int64_t i = 0; i < x->n; i++)
        PEN_REQUIRE(run, given[i] >= -1, PEN_BAD_ARGUMENT,
                    "a fold must be >= 0, or -1: never held out, got %ld for row %lld in run %lld",
                    (long)given[i], (long long)i, (long long)r + 1);
    PEN_TRY(pen_rows_label(run, given, x->n, &numbers));
    PEN_REQUIRE(run, numbers.classes >= 1, PEN_BAD_ARGUMENT, "run %lld holds out no row",
                (long long)r + 1);
    *count = *count ? *count : numbers.classes;
    PEN_REQUIRE(run, numbers.classes == *count, PEN_BAD_ARGUMENT,
                "all runs must have %lld folds, got %lld in run %lld", (long long)*count,
                (long long)numbers.classes, (long long)r + 1);
    PEN_TRY(pen_rows_classes(run, &numbers, &number));
    PEN_TRY(PEN_FILLED(run, labelled, *count, 0));
    for (int64_t i = 0; i < x->n; i++)
        folds[i] = -1;
    for (int64_t i = 0; i < x->labelled; i++) {
        const int64_t row = x->members[i];
        folds[row] = number[row];
        if (number[row] >= 0)
            labelled[number[row]]++;
    }
    for (int64_t f = 0; f < *count; f++)
        PEN_REQUIRE(run, labelled[f] > 0, PEN_NO_LABELS,
                    "fold %ld of run %lld has no labelled row: there is nothing to hold out",
                    (long)given[numbers.members[numbers.starts[f]]], (long long)r + 1);
    return check_groups(run, r, x, folds);
}

/* folds [runs x x->n]; *count: the number of folds in each run. x: classes and groups.
 * PEN_BAD_ARGUMENT: a number below -1; a run without folds, or with a number of folds that differs
 * from the first run or protocol->folds; a group in two folds. PEN_NO_LABELS: a fold without
 * labelled rows. */
static pen_status take_given_folds(pen_run *run, const pen_protocol *protocol, const pen_view *x,
                                   int32_t *folds, int64_t *count)
{
    const pen_mark_t mark = pen_mark(run);

    *count = protocol->folds;
    for (int64_t r = 0; r < protocol->runs; r++)
        PEN_TRY(number_run(run, r, x, protocol->fold_of + r * x->n, folds + r * x->n, count));
    pen_release(run, mark);
    return PEN_OK;
}

enum { SHUFFLE_TAG = 2000, STABILITY_TAG = 3000 };

/* ---- all trials ---- */

/* Permutes the labels of the labelled rows at random. */
static pen_status shuffle_labels(pen_run *run, const pen_trial_set *t, int32_t *labels)
{
    pen_rng rng = { pen_rng_derive(t->protocol.seed, SHUFFLE_TAG) };
    pen_view rows = t->classes;
    int64_t *turn;
    int32_t *from;

    PEN_TRY(pen_rows_arrange(run, t->order, &rows));
    PEN_TRY(PEN_NEW2(run, turn, from, rows.labelled));
    pen_rng_permutation(&rng, rows.labelled, turn);
    for (int64_t i = 0; i < rows.labelled; i++)
        from[i] = labels[rows.members[turn[i]]];
    for (int64_t i = 0; i < rows.labelled; i++)
        labels[rows.members[i]] = from[i];
    return PEN_OK;
}

int pen_trials_possible(const pen_view *classes)
{
    int64_t enough = 0;

    for (int64_t c = 0; c < classes->classes; c++)
        enough += pen_class_size(classes, c) >= 2;
    return enough >= 2;
}

uint64_t pen_run_seed(uint64_t seed, int64_t run)
{
    return pen_rng_derive(pen_rng_derive(seed, (uint64_t)run), 0);
}

/* most: the most folds that a class can be in. */
static pen_status check_protocol(pen_run *run, const pen_protocol *p, const pen_view *classes,
                                 int64_t most)
{
    PEN_REQUIRE(run, classes->labelled > 0, PEN_NO_LABELS,
                "all %lld rows are unlabelled: there is nothing to hold out",
                (long long)classes->n);
    PEN_REQUIRE(run, classes->classes >= 2, PEN_ONE_CLASS,
                "trials need labelled rows of at least 2 classes, got %lld of %lld",
                (long long)classes->labelled, (long long)classes->classes);
    PEN_REQUIRE(run, p->runs >= 1 && p->runs <= PEN_MOST_RUNS, PEN_BAD_ARGUMENT,
                "runs must be in [1, %d], got %lld", PEN_MOST_RUNS, (long long)p->runs);
    PEN_REQUIRE(run, p->folds != 0 || most > 1, PEN_NO_LABELS,
                "no class has %s, one to hold out and one to learn from; label more rows, or fit a "
                "method without trials",
                classes->group ? "labelled rows in 2 groups" : "2 labelled rows");
    PEN_REQUIRE(run, p->fold_of || p->folds <= most, PEN_BAD_ARGUMENT,
                "folds must be at most %lld, the number of %s, got %lld", (long long)most,
                classes->group ? "groups with rows of one class" : "rows of the largest class",
                (long long)p->folds);
    return PEN_OK;
}

static pen_status find_labels(pen_run *run, pen_trial_set *t)
{
    const int64_t n = t->data->x.rows;
    int32_t *labels;

    t->classes.n = n;
    PEN_TRY(pen_rows_group(run, t->data->groups, &t->classes));
    PEN_TRY(PEN_NEW(run, labels, n));
    for (int64_t i = 0; i < n; i++)
        labels[i] = t->data->labels ? t->data->labels[i] : PEN_UNLABELLED;
    PEN_TRY(pen_rows_label(run, labels, n, &t->classes));
    if (t->protocol.shuffle) {
        PEN_TRY(shuffle_labels(run, t, labels));
        PEN_TRY(pen_rows_label(run, labels, n, &t->classes));
    }
    t->labels = labels;
    return pen_rows_classes(run, &t->classes, &t->class_of);
}

static pen_status list_held(pen_run *run, pen_trial_set *t)
{
    const int64_t n = t->data->x.rows, folds = t->protocol.folds;
    int64_t *starts, *held, count = 0;

    PEN_TRY(PEN_NEW(run, starts, t->count + 1));
    PEN_TRY(PEN_NEW(run, held, pen_times(t->protocol.runs, t->classes.labelled)));
    for (int64_t trial = 0; trial < t->count; trial++) {
        starts[trial] = count;
        for (int64_t i = 0; i < n; i++)
            if (t->folds[trial / folds * n + i] == trial % folds)
                held[count++] = i;
    }
    starts[t->count] = count;
    t->starts = starts;
    t->held = held;
    return PEN_OK;
}

pen_status pen_trials_open(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                           pen_trial_set *out)
{
    int64_t *order;
    int32_t *folds;
    int64_t most;

    PEN_TRY(pen_check_trial_data(run, data));
    const int64_t n = data->x.rows;
    *out = (pen_trial_set){ .data = data, .as_new = 1 };
    if (protocol)
        out->protocol = *protocol;
    pen_protocol *const p = &out->protocol;
    if (p->runs == 0)
        p->runs = p->fold_of ? 1 : PEN_DEFAULT_RUNS;
    PEN_TRY(pen_data_order(run, data, &order));
    out->order = order;
    PEN_TRY(find_labels(run, out));
    PEN_TRY(pen_folds_most(run, &out->classes, &most));
    PEN_TRY(check_protocol(run, p, &out->classes, most));
    if (p->folds == 0 && !p->fold_of)
        p->folds = pen_min(PEN_DEFAULT_FOLDS, most);
    PEN_TRY(PEN_NEW(run, folds, pen_times(p->runs, n)));
    if (p->fold_of)
        PEN_TRY(take_given_folds(run, p, &out->classes, folds, &p->folds));
    for (int64_t r = 0; r < p->runs && !p->fold_of; r++) {
        PEN_TRY(pen_progress(run, "folds", r, p->runs));
        PEN_TRY(pen_folds_deal(run, &out->classes, order, p->folds, 1, pen_run_seed(p->seed, r),
                               folds + r * n));
    }
    out->folds = folds;
    out->count = pen_times(p->runs, p->folds);
    return list_held(run, out);
}

double pen_trials_share(const pen_trial_set *t)
{
    return (double)t->starts[t->count] / ((double)t->count * (double)t->classes.labelled);
}

int64_t pen_trials_fewest_rows(const pen_trial_set *t)
{
    int64_t most = 0;

    for (int64_t trial = 0; trial < t->count && t->protocol.inductive; trial++)
        most = pen_max(most, t->starts[trial + 1] - t->starts[trial]);
    return t->data->x.rows - most;
}

int64_t pen_trials_held_out(const pen_trial_set *t, int64_t done)
{
    const int64_t n = t->data->x.rows, folds = t->protocol.folds;
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++) {
        int held = 0;
        for (int64_t r = 0; r * folds < done && !held; r++)
            held = t->folds[r * n + i] >= 0 && r * folds + t->folds[r * n + i] < done;
        count += held;
    }
    return count;
}

pen_status pen_trials_sample_for_stability(pen_run *run, pen_trial_set *t, int64_t most)
{
    const int64_t n = t->data->x.rows;
    pen_rng rng = { pen_rng_derive(t->protocol.seed, STABILITY_TAG) };
    int64_t *turn, *rows;

    PEN_TRY(PEN_NEW(run, turn, n));
    PEN_TRY(PEN_NEW(run, rows, pen_min(most, n)));
    pen_rng_permutation(&rng, n, turn);
    t->stability_count = 0;
    for (int64_t i = 0; i < n && t->stability_count < most; i++)
        if (t->class_of[t->order[turn[i]]] < 0)
            rows[t->stability_count++] = t->order[turn[i]];
    t->stability_rows = rows;
    return PEN_OK;
}

/* ---- one trial ---- */

/* Sets the labels of the fit [n], and lists known, hidden and dropped rows. */
static pen_status hide_labels(pen_run *run, const pen_trial_set *t, const int32_t *fold,
                              pen_trial *c, int32_t *labels)
{
    const int64_t n = t->data->x.rows;
    pen_label_sample keep = t->protocol.labels;
    const int64_t *const group = t->classes.group;
    int64_t *known, *dropped;
    char *told; /* [n] 1: the group has a known row */

    PEN_TRY(PEN_NEW2(run, known, dropped, n));
    PEN_TRY(PEN_FILLED(run, told, n, 0));
    for (int64_t i = 0; i < n; i++)
        labels[i] = fold[i] == c->fold ? PEN_UNLABELLED : t->labels[i];
    if (keep.per_class != 0 || keep.percent != 0) {
        keep.seed = pen_rng_derive(pen_rng_derive(t->protocol.seed, (uint64_t)c->run),
                                   (uint64_t)(1 + c->fold));
        PEN_TRY(pen_labels_draw(run, labels, n, t->order, &keep, labels));
    }
    for (int64_t i = 0; i < n; i++)
        if (labels[i] != PEN_UNLABELLED) {
            known[c->known++] = i;
            told[group ? group[i] : i] = 1;
        }
    for (int64_t i = 0; i < n; i++)
        if (fold[i] != c->fold && t->labels[i] != PEN_UNLABELLED && !told[group ? group[i] : i])
            dropped[c->dropped++] = i;
    c->known_rows = known;
    c->dropped_rows = dropped;
    PEN_REQUIRE(run, c->known > 0, PEN_NO_LABELS,
                "fold %lld of run %lld leaves no labelled row to learn from",
                (long long)c->fold + 1, (long long)c->run + 1);
    return PEN_OK;
}

/* The classes of the fit are the classes with known rows, in the same order. */
static pen_status place_classes(pen_run *run, const pen_trial_set *t, pen_trial *c)
{
    int64_t *place;

    PEN_TRY(PEN_FILLED(run, place, t->classes.classes, -1));
    for (int64_t i = 0; i < c->known; i++)
        place[t->class_of[c->known_rows[i]]] = 0;
    for (int64_t k = 0; k < t->classes.classes; k++)
        if (place[k] == 0)
            place[k] = c->present++;
    c->place = place;
    return PEN_OK;
}

/* Keeps the pairs, with their weights, if both rows may be used with their labels; place [n] is the
 * number of a row in the fit, or -1. */
static pen_status keep_pairs(pen_run *run, const int64_t *place, const int64_t **kept,
                             const double **kept_weights, int64_t *left)
{
    const int64_t *const pairs = *kept, count = *left;
    const double *const weights = *kept_weights;
    int64_t *list;
    double *their = NULL;

    *left = 0;
    PEN_TRY(PEN_NEW(run, list, pen_times(2, count)));
    if (weights)
        PEN_TRY(PEN_NEW(run, their, count));
    for (int64_t p = 0; p < count; p++) {
        const int64_t i = pairs[2 * p], j = pairs[2 * p + 1];
        if (place[i] < 0 || place[j] < 0)
            continue;
        if (weights)
            their[*left] = weights[p];
        list[2 * *left] = place[i];
        list[2 * *left + 1] = place[j];
        ++*left;
    }
    *kept = list;
    *kept_weights = their;
    return PEN_OK;
}

/* Chooses the rows of the fit: all, or all except the held-out ones; labels [n] and groups move
 * with them. */
static pen_status choose_rows(pen_run *run, const pen_trial_set *t, const int32_t *fold,
                              pen_trial *c, int32_t *labels)
{
    const int64_t n = t->data->x.rows;
    int64_t *place, *rows, count = 0;
    int32_t *groups = NULL;

    PEN_TRY(PEN_NEW2(run, place, rows, n));
    if (t->data->groups)
        PEN_TRY(PEN_NEW(run, groups, n));
    for (int64_t i = 0; i < n; i++) {
        /* a pair would reveal a hidden or dropped label */
        place[i] = labels[i] == PEN_UNLABELLED && t->labels[i] != PEN_UNLABELLED ? -1 : count;
        if (fold[i] == c->fold && t->protocol.inductive)
            continue;
        if (groups)
            groups[count] = t->data->groups[i];
        labels[count] = labels[i];
        rows[count++] = i;
    }
    c->data.groups = groups;
    c->rows = rows;
    c->count = count;
    if (t->protocol.inductive) {
        PEN_TRY(pen_array_pick(run, &t->data->x, count, rows, &c->data.x));
        c->data.rows = NULL;
    }
    PEN_TRY(keep_pairs(run, place, &c->data.must_link, &c->data.must_link_weights,
                       &c->data.must_link_count));
    return keep_pairs(run, place, &c->data.cannot_link, &c->data.cannot_link_weights,
                      &c->data.cannot_link_count);
}

pen_status pen_trial_open(pen_run *run, const pen_trial_set *t, int64_t number, pen_trial *out)
{
    const int64_t n = t->data->x.rows;
    int32_t *labels;

    *out = (pen_trial){ .trials = t,
                        .run = number / t->protocol.folds,
                        .fold = number % t->protocol.folds,
                        .data = *t->data,
                        .hidden = t->starts[number + 1] - t->starts[number],
                        .hidden_rows = t->held + t->starts[number] };
    if (t->protocol.shuffle) /* listed pairs would reveal the true classes */
        out->data.must_link_count = out->data.cannot_link_count = 0;
    const int32_t *const fold = t->folds + out->run * n;
    PEN_TRY(PEN_NEW(run, labels, n));
    PEN_TRY(hide_labels(run, t, fold, out, labels));
    PEN_TRY(place_classes(run, t, out));
    PEN_TRY(choose_rows(run, t, fold, out, labels));
    out->data.labels = labels;
    out->data.column_names = NULL;
    return PEN_OK;
}
