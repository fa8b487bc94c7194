/* trial_embedding.c - all rows as one trial embeds them. */
#include "core/arguments.h"
#include "eval/embedding.h"
#include "model/spec.h"

#include <stdlib.h>
#include <string.h>

void pen_trial_embedding_free(pen_trial_embedding *embedding)
{
    if (!embedding)
        return;
    free(embedding->z);
    free(embedding->roles);
    free(embedding);
}

static void set_roles(const pen_trial *c, pen_row_role *roles)
{
    for (int64_t i = 0; i < c->known; i++)
        roles[c->known_rows[i]] = PEN_ROW_KNOWN;
    for (int64_t i = 0; i < c->hidden; i++)
        roles[c->hidden_rows[i]] = PEN_ROW_HELD_OUT;
    for (int64_t i = 0; i < c->dropped; i++)
        roles[c->dropped_rows[i]] = PEN_ROW_DROPPED;
}

static pen_status keep(pen_run *run, const pen_trial *c, const double *z, int64_t k,
                       pen_trial_embedding **out)
{
    const int64_t n = c->trials->data->x.rows;
    pen_trial_embedding *const e = *out = pen_keep(run, 1, sizeof *e);

    if (!e)
        return PEN_NO_MEMORY;
    e->rows = n;
    e->dim = k;
    e->z = pen_keep(run, pen_times(n, k), sizeof *e->z);
    e->roles = pen_keep(run, n, sizeof *e->roles);
    if (!e->z || !e->roles)
        return PEN_NO_MEMORY;
    memcpy(e->z, z, (size_t)(n * k) * sizeof *z);
    set_roles(c, e->roles);
    return PEN_OK;
}

/* With a run of its own, so that a failure can be followed by another attempt. */
static pen_status embed_and_keep(const pen_trial *c, const pen_spec *spec, int64_t dim,
                                 const pen_control *control, pen_trial_embedding **out,
                                 pen_error *err)
{
    pen_embedding e;
    pen_run *own;

    PEN_TRY(pen_run_open(control, err, &own));
    pen_status status = pen_trial_embed(own, c, spec, dim, control, &e);
    if (status == PEN_OK)
        status = keep(own, c, e.z, e.k, out);
    pen_run_close(own);
    return status;
}

static pen_status embed_trial(pen_run *run, const pen_spec *spec, const pen_data *data,
                              const pen_protocol *protocol, int64_t trial, int64_t dim,
                              const pen_control *control, pen_trial_embedding **out)
{
    pen_trials trials;
    pen_error err;
    pen_trial c;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_REQUIRE(run, dim >= 1, PEN_BAD_ARGUMENT, "dim must be >= 1, got %lld", (long long)dim);
    PEN_TRY(pen_trials_open(run, data, protocol, &trials));
    PEN_REQUIRE(run, trial >= 0 && trial < trials.count, PEN_BAD_ARGUMENT,
                "trial must be in [0, %lld], got %lld", (long long)trials.count - 1,
                (long long)trial);
    PEN_TRY(pen_trial_open(run, &trials, trial, &c));
    pen_status status = embed_and_keep(&c, spec, dim, control, out, &err);
    if (pen_is_no_such_dim(status))
        status = embed_and_keep(&c, spec, spec->common.dim, control, out, &err);
    return status == PEN_OK ? PEN_OK : pen_fail_as(run, &err);
}

pen_status pen_embed_trial(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                           int64_t trial, int64_t dim, const pen_control *control,
                           pen_trial_embedding **out, pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = embed_trial(run, spec, data, protocol, trial, dim, control, out);
    pen_run_close(run);
    if (status != PEN_OK && out) {
        pen_trial_embedding_free(*out);
        *out = NULL;
    }
    return status;
}
