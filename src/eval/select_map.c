/* select_map.c - the single map that answers most like several together. */
#include "eval/select_map.h"

#include "eval/task_pool.h"
#include "eval/trial_reader.h"
#include "readers/affine_reader.h"
#include "readers/answer.h"

#include <math.h>
#include <string.h>

/* All rows and labels of the trials; "hidden" are the rows without a label. */
struct choosing {
    const pen_selection *s;
    pen_trial whole;
    double **p;   /* [candidates] of members: [hidden x classes], not tempered; others: NULL */
    double *mean; /* [hidden x classes] of the members' tempered p */
    int32_t *predicted; /* [hidden] by that mean */
    int32_t **each;     /* [candidates] of members: [hidden] */
};

static pen_status open_whole(pen_run *run, const pen_trials *t, pen_trial *out)
{
    const int64_t n = t->data->x.rows;
    int64_t *known, *hidden;

    PEN_TRY(PEN_NEW(run, known, n));
    PEN_TRY(PEN_NEW(run, hidden, n));
    *out = (pen_trial){ .trials = t, .data = *t->data, .known_rows = known, .hidden_rows = hidden };
    out->data.feature_names = NULL;
    for (int64_t i = 0; i < n; i++)
        if (t->class_of[i] >= 0)
            known[out->known++] = i;
        else
            hidden[out->hidden++] = i;
    return PEN_OK;
}

static const pen_spec *spec_of(const struct choosing *c, int candidate)
{
    return c->s->candidates[candidate].spec;
}

static pen_status read_whole(pen_run *run, const struct choosing *c, const pen_embedding *e,
                             int64_t r, int candidate, double *p, int32_t *classes)
{
    pen_trial_reader reader;

    PEN_TRY(pen_trial_reader_open(run, &c->whole, e, r, &spec_of(c, candidate)->common.reader,
                                  &reader));
    return pen_trial_reader_apply(run, &reader, c->whole.hidden, c->whole.hidden_rows, p, classes);
}

static pen_status fit_member(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct choosing *const c = context;
    const pen_spec *const spec = spec_of(c, (int)piece);
    pen_embedding e;

    if (!c->p[piece])
        return PEN_OK;
    PEN_TRY(pen_trial_embed(run, &c->whole, spec, spec->common.dim, control, &e));
    return read_whole(run, c, &e, e.k, (int)piece, c->p[piece], c->each[piece]);
}

/* One that failed is left out. */
static pen_status fit_members(pen_run *run, struct choosing *c)
{
    const int64_t cells = pen_times(c->whole.hidden, c->s->classes);
    const pen_task_pool tasks = {
        .phase = "map", .pieces = c->s->count, .fn = fit_member, .context = c
    };
    pen_error *why;
    char *state;
    int left = 0;

    PEN_TRY(PEN_NEW(run, c->p, c->s->count));
    PEN_TRY(PEN_NEW(run, c->each, c->s->count));
    PEN_TRY(PEN_NEW(run, state, c->s->count));
    PEN_TRY(PEN_NEW(run, why, c->s->count));
    for (int64_t i = 0; i < c->s->count; i++) {
        c->p[i] = NULL;
        if (!c->s->candidates[i].member)
            continue;
        PEN_TRY(PEN_NEW(run, c->p[i], cells));
        PEN_TRY(PEN_NEW(run, c->each[i], c->whole.hidden));
    }
    PEN_TRY(pen_tasks_run(run, &tasks, state, why));
    for (int64_t i = 0; i < c->s->count; i++) {
        if (state[i] == TASK_FAILED)
            c->p[i] = NULL;
        left += c->p[i] != NULL;
    }
    return left > 0 ? PEN_OK : pen_fail_as(run, &why[c->s->best]);
}

/* ---- the mean ---- */

static void copy_tempered(int64_t count, const double *p, double temperature, double *q)
{
    memcpy(q, p, (size_t)count * sizeof *q);
    pen_temper(count, temperature, q);
}

static pen_status average(pen_run *run, struct choosing *c)
{
    const int64_t count = c->s->classes;
    double *q;

    PEN_TRY(PEN_FILLED(run, c->mean, pen_times(c->whole.hidden, count), 0));
    PEN_TRY(PEN_NEW(run, c->predicted, c->whole.hidden));
    PEN_TRY(PEN_NEW(run, q, count));
    for (int64_t i = 0; i < c->whole.hidden; i++) {
        double *const row = c->mean + i * count;
        double members = 0;
        for (int64_t m = 0; m < c->s->count; m++) {
            if (!c->p[m])
                continue;
            copy_tempered(count, c->p[m] + i * count, c->s->candidates[m].temperature, q);
            for (int64_t k = 0; k < count; k++)
                row[k] += q[k];
            members++;
        }
        for (int64_t k = 0; k < count; k++)
            row[k] /= members;
        c->predicted[i] = pen_largest_share(count, row);
    }
    return PEN_OK;
}

/* How many rows get the class that the mean gives them. */
static int64_t agreement(const struct choosing *c, const int32_t *classes)
{
    int64_t same = 0;

    for (int64_t i = 0; i < c->whole.hidden; i++)
        same += classes[i] == c->predicted[i];
    return same;
}

static int most_alike(const struct choosing *c, int64_t *same)
{
    int best = -1;

    for (int i = 0; i < (int)c->s->count; i++) {
        if (!c->p[i])
            continue;
        const int64_t found = agreement(c, c->each[i]);
        if (best < 0 || found > *same
            || (found == *same && c->s->candidates[i].score > c->s->candidates[best].score)) {
            best = i;
            *same = found;
        }
    }
    return best;
}

/* The temperature T of the least cross-entropy of q(T) with the mean. */
static pen_status closest_temperature(pen_run *run, const struct choosing *c, const double *p,
                                      double *out)
{
    const int64_t count = c->s->classes;
    double least = (double)INFINITY, *q;

    PEN_TRY(PEN_NEW(run, q, count));
    for (int t = 0; t < PEN_TEMPERATURES; t++) {
        double loss = 0;
        for (int64_t i = 0; i < c->whole.hidden; i++) {
            copy_tempered(count, p + i * count, pen_temperatures[t], q);
            for (int64_t k = 0; k < count; k++)
                loss -= c->mean[i * count + k] * log(q[k]);
        }
        if (loss < least) {
            least = loss;
            *out = pen_temperatures[t];
        }
    }
    return PEN_OK;
}

/* ---- fewer dimensions ---- */

struct fewer {
    struct choosing *c;
    pen_map_choice *choice;
    int64_t least; /* rows that must get the class of the mean */
    double *p;     /* [hidden x classes] of the choice in these dimensions */
};

/* 1, 2, 3, 4, 6, 8, 12, 16, ... */
static int64_t after(int64_t r)
{
    int64_t power = 1;

    while (2 * power <= r)
        power *= 2;
    return r == power && r > 1 ? r + r / 2 : 2 * power;
}

static pen_status try_fewer(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct fewer *const f = context;
    const int candidate = f->choice->candidate;
    const pen_spec *const spec = spec_of(f->c, candidate);
    int32_t *classes;
    pen_embedding e;

    (void)piece;
    PEN_TRY(PEN_NEW(run, classes, f->c->whole.hidden));
    PEN_TRY(pen_trial_embed(run, &f->c->whole, spec, spec->common.dim, control, &e));
    for (int64_t r = 1; r < e.k && f->choice->dims == 0; r = after(r)) {
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(read_whole(run, f->c, &e, r, candidate, f->p, classes));
        f->choice->dims = agreement(f->c, classes) >= f->least ? r : 0;
        pen_release(run, mark);
    }
    return PEN_OK;
}

static pen_status find_fewer(pen_run *run, struct choosing *c, int64_t same, pen_map_choice *choice)
{
    struct fewer f = { .c = c, .choice = choice };
    const pen_task_pool tasks = { .phase = "map", .pieces = 1, .fn = try_fewer, .context = &f };
    char state;

    PEN_TRY(PEN_NEW(run, f.p, pen_times(c->whole.hidden, c->s->classes)));
    f.least = same - (int64_t)floor(PEN_MAP_LOSS * (double)c->whole.hidden);
    PEN_TRY(pen_tasks_run(run, &tasks, &state, NULL));
    return choice->dims > 0 ? closest_temperature(run, c, f.p, &choice->temperature) : PEN_OK;
}

pen_status pen_select_map(pen_run *run, const pen_trials *trials, const pen_selection *selection,
                          pen_map_choice *out)
{
    struct choosing c = { .s = selection };
    int64_t same = 0;

    PEN_TRY(open_whole(run, trials, &c.whole));
    PEN_TRY(fit_members(run, &c));
    PEN_TRY(average(run, &c));
    *out = (pen_map_choice){ .candidate = most_alike(&c, &same) };
    PEN_TRY(closest_temperature(run, &c, c.p[out->candidate], &out->temperature_of_all));
    out->temperature = out->temperature_of_all;
    return spec_of(&c, out->candidate)->method->traits & PEN_UNNESTED
               ? PEN_OK
               : find_fewer(run, &c, same, out);
}
