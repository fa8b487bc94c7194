/* chain_fit.c - the fit of a chain: each method learns from the embedding of the one before it, and
 * the projections are multiplied.
 *
 *   z = ((x - m) V - n) W = (x - m) VW   for the projections V and W of two methods
 *
 * where m is the mean of the rows and n that of their embedding, which is 0 but for rounding. */
#include "core/arguments.h"
#include "model/spec.h"
#include "model/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one method ---- */

static pen_status fail(pen_run *run, const pen_spec *spec, int index, const pen_error *err)
{
    const pen_chain *const chain = spec->chain;
    pen_error named = *err;

    if (err->code != PEN_CANCELLED && err->code != PEN_NO_MEMORY)
        snprintf(named.message, sizeof named.message, "%s of %.64s: %.150s",
                 chain->parts[index]->method->name, chain->name, err->message);
    return pen_fail_as(run, &named);
}

/* Pairs are those of the methods that learn from them; if none does, the first one refuses them. */
static pen_status fit_part(pen_run *run, struct pen_cache *cache, const pen_spec *spec, int index,
                           const pen_data *data, const pen_control *control, pen_model **out)
{
    const int pairs = PEN_MUST_LINKS | PEN_CANNOT_LINKS;
    const pen_spec part = pen_chain_part(spec, index);
    pen_data taken = *data;
    pen_error err;

    if (!(part.method->traits & pairs) && (spec->method->traits & pairs)) {
        taken.must_link_count = taken.cannot_link_count = 0;
        taken.sample = NULL;
    }
    return pen_model_fit(cache, &part, &taken, control, out, &err) == PEN_OK
               ? PEN_OK
               : fail(run, spec, index, &err);
}

/* The name and the parameters of the chain. */
static pen_status name_model(pen_run *run, const pen_spec *spec, pen_model *model)
{
    char *method, *parameters;

    PEN_TRY(pen_model_text(run, spec->method->name, &method));
    free(model->method);
    model->method = method;
    PEN_TRY(pen_describe_parameters(run, spec, model, &parameters));
    pen_facts_free(&model->parameter_facts);
    free(model->parameters);
    model->parameters = parameters;
    model->parameter_facts = (pen_fact_store){ .tree = NULL };
    return pen_facts_of_text(run, parameters, &model->parameter_facts);
}

/* The next method on the embedding of *model, which becomes that of both. The embedding has an
 * address of its own only for a while, so it must not be looked up in a cache. */
static pen_status append(pen_run *run, const pen_spec *spec, int index, const pen_data *data,
                         const pen_control *control, pen_model **model)
{
    const int64_t n = data->x.rows, k = (*model)->k;
    pen_data embedded = *data;
    pen_model *next = NULL;
    pen_error err;
    double *z;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, z, pen_times(n, k)));
    if (pen_transform(*model, &data->x, PEN_F64, z, k, control, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    embedded.x = pen_dense(z, PEN_F64, n, k, k);
    embedded.feature_names = NULL;
    PEN_TRY(fit_part(run, NULL, spec, index, &embedded, control, &next));
    pen_release(run, mark);
    const pen_status status =
        pen_model_fold(run, spec->chain->parts[index - 1]->method->name, *model, next);
    pen_model_free(status == PEN_OK ? *model : next);
    *model = status == PEN_OK ? next : *model;
    return status;
}

static pen_status fit(pen_run *run, struct pen_cache *cache, const pen_spec *spec,
                      const pen_data *data, const pen_control *control, pen_model **out)
{
    pen_model *model = NULL;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_data(run, data));
    PEN_REQUIRE(run, !data->neighbors, PEN_BAD_ARGUMENT,
                "a chain of methods takes no neighbor graph, for that is one of rows: %s",
                spec->method->name);
    PEN_TRY(fit_part(run, cache, spec, 0, data, control, &model));
    pen_status status = PEN_OK;
    for (int p = 1; p < spec->chain->count && status == PEN_OK; p++)
        status = append(run, spec, p, data, control, &model);
    if (status == PEN_OK)
        status = name_model(run, spec, model);
    if (status != PEN_OK) {
        pen_model_free(model);
        return status;
    }
    *out = model;
    return PEN_OK;
}

pen_status pen_chain_fit(struct pen_cache *cache, const pen_spec *spec, const pen_data *data,
                         const pen_control *control, pen_model **out, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = fit(run, cache, spec, data, control, out);
    pen_run_close(run);
    return status;
}
