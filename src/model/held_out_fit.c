/* held_out_fit.c - fits all combinations of parameters and chooses one. */
#include "model/held_out_fit.h"

#include "solve/cross_validation.h"

#include <stdio.h>
#include <string.h>

enum { MOST_AXES = 4, MOST_VALUES = 16, VALUE_SIZE = 16, USUAL_DIMS = 9, MOST_DIMS = 60 };

/* A parameter set to cv, and the values of its grid, the default first. */
struct axis {
    const pen_param *param;
    int64_t count;
    char values[MOST_VALUES][VALUE_SIZE];
};

struct choice {
    const pen_method *method;
    int64_t axis_count, count; /* number of combinations */
    struct axis axes[MOST_AXES];
    void *params; /* parameters of a candidate */
};

int pen_held_out_asked(const pen_spec *spec)
{
    const pen_param *param = spec->method->params;

    while (param->name && pen_param_get(param, pen_spec_record(spec, param)) != PEN_CV)
        param++;
    return param->name || spec->common.dim == PEN_DIM_HELD_OUT;
}

/* ---- combinations ---- */

static void add_axis(const pen_param *param, struct choice *c)
{
    struct axis *const axis = &c->axes[c->axis_count++];
    int length;

    axis->param = param;
    pen_param_text(param, param->initial, axis->values[axis->count++], VALUE_SIZE);
    for (const char *at = param->grid;
         sscanf(at, "%15s%n", axis->values[axis->count], &length) == 1; at += length)
        axis->count += strcmp(axis->values[axis->count], axis->values[0]) != 0;
    c->count *= axis->count;
}

static pen_status open_choice(pen_run *run, const pen_spec *spec, struct choice *c)
{
    char *copy;

    PEN_TRY(PEN_NEW(run, copy, (int64_t)spec->method->inner->size + 1));
    memcpy(copy, spec->own, spec->method->inner->size);
    *c = (struct choice){ .method = spec->method, .count = 1, .params = copy };
    for (const pen_param *param = spec->method->params; param->name; param++)
        if (pen_param_get(param, pen_spec_record(spec, param)) == PEN_CV)
            add_axis(param, c);
    return PEN_OK;
}

/* Sets the parameters of combination i and returns the sum of their places in the grids. */
static int64_t set(const struct choice *c, int64_t i)
{
    int64_t places = 0;

    for (int64_t a = c->axis_count - 1; a >= 0; i /= c->axes[a--].count) {
        const int64_t place = i % c->axes[a].count;
        pen_param_read(c->axes[a].param, c->params, c->axes[a].values[place], NULL);
        places += place;
    }
    return places;
}

static pen_status fit_candidate(void *context, pen_run *own, const pen_problem *known, int64_t i,
                                const pen_request *request, pen_projection *out)
{
    const struct choice *const c = context;

    set(c, i);
    PEN_TRY(pen_method_check(own, c->method, known, c->params, request));
    return c->method->inner->fit(own, known, c->params, request, out);
}

/* ---- the choice ---- */

/* The place of the loss to choose, among losses in the dimensions first + 1 .. dims. */
static int64_t pick(const struct choice *c, const pen_held_out *held, int64_t first, int64_t dims)
{
    int64_t best = first, earliest = INT64_MAX;

    for (int64_t k = first; k < dims; k++)
        for (int64_t at = k; at < c->count * dims; at += dims)
            if (held->loss[at] < held->loss[best])
                best = at;
    const double least = held->loss[best],
                 most = least + sqrt(least * (1 - least) / (double)held->count) / 2;
    for (int64_t at = best % dims; at < c->count * dims; at += dims) {
        const int64_t places = set(c, at / dims);
        if (held->loss[at] <= most && places < earliest) {
            earliest = places;
            best = at;
        }
    }
    return best;
}

static pen_status note_choice(pen_run *run, const struct choice *c, const pen_spec *spec,
                              int64_t dims, const pen_held_out *held, int64_t wanted)
{
    const pen_param *const dim = pen_param_find(spec->method->params, "dim");
    char text[PEN_PARAM_SIZE] = "", value[VALUE_SIZE];

    for (int64_t a = 0; a < c->axis_count + (spec->common.dim == PEN_DIM_HELD_OUT); a++) {
        const pen_param *const param = a < c->axis_count ? c->axes[a].param : dim;
        const size_t used = strlen(text);
        pen_param_text(param, param == dim ? (double)wanted : pen_param_get(param, c->params),
                       value, sizeof value);
        snprintf(text + used, sizeof text - used, "%s%s=%s", used ? " " : "", param->name, value);
    }
    pen_note_text(run, "chosen", text);
    pen_trace_restart(run, "held_out_loss");
    for (int64_t at = 0; held->count > 0 && at < c->count * dims; at++)
        PEN_TRY(pen_trace(run, "held_out_loss", held->loss[at]));
    return PEN_OK;
}

pen_status pen_held_out_choose(pen_run *run, const pen_spec *spec, const pen_problem *problem,
                               pen_request *request, const void **params, int *too_little)
{
    const int by_dim = spec->common.dim == PEN_DIM_HELD_OUT, is_given = request->wanted > 0;
    const int64_t most = by_dim ? MOST_DIMS : USUAL_DIMS,
                  dims = pen_min(is_given ? request->wanted : most, problem->rows.d);
    struct choice c;
    pen_request few = *request;
    pen_held_out held;

    *params = spec->own;
    if (!pen_held_out_asked(spec))
        return PEN_OK;
    PEN_TRY(open_choice(run, spec, &c));
    few.wanted = !is_given && spec->method->inner->of_known_rows ? 0 : dims; /* 0: by threshold */
    few.allow_fewer = 1;
    few.rows = NULL; /* a singular denominator makes the candidate fail */
    PEN_TRY(pen_cross_validate(run, problem, &few, dims, c.count, fit_candidate, &c, &held));
    *params = c.params;
    const int64_t best = held.count > 0 ? pick(&c, &held, by_dim ? 0 : dims - 1, dims) : 0;
    *too_little = held.count == 0 || held.loss[best] == 1; /* or every candidate fails */
    set(&c, *too_little ? 0 : best / dims);
    if (by_dim)
        request->wanted = *too_little ? 0 : best % dims + 1;
    request->allow_fewer |= by_dim;
    return note_choice(run, &c, spec, dims, &held, request->wanted);
}
