/* embedding.c - embeds rows in a trial. */
#include "eval/trials/embedding.h"

#include "core/rng.h"
#include "model/model.h"
#include "model/spec.h"

#include <string.h>

int pen_has_pairs(const pen_spec *spec, const pen_data *data)
{
    return data->must_link_count > 0 || data->cannot_link_count > 0
           || pen_is_sample(&spec->common.pairs.sample);
}

pen_data pen_data_for(const pen_spec *spec, const pen_data *data)
{
    pen_data out = *data;

    if (!(spec->method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS)))
        out.must_link_count = out.cannot_link_count = 0;
    return out;
}

pen_status pen_shares_predict(pen_run *run, const pen_model *model, const pen_array *x,
                              const pen_control *control, double *p)
{
    int32_t *classes;

    PEN_TRY(PEN_NEW(run, classes, x->rows));
    return pen_predict(model, x, control, classes, p, NULL, pen_run_error(run));
}

static pen_status score(pen_run *run, const pen_model *model, const pen_trial_set *t,
                        const pen_control *control, pen_embedding *out)
{
    const pen_array *const x = &t->data->x;
    const double *const of_fit = t->protocol.inductive ? NULL : model->propagated;
    const int64_t count = pen_times(x->rows, out->classes = pen_model_class_count(model));

    if (of_fit) {
        PEN_TRY(PEN_NEW(run, out->fitted, count));
        memcpy(out->fitted, of_fit, (size_t)count * sizeof *of_fit);
    }
    out->scores = out->fitted;
    if (!pen_model_classifier(model) || (of_fit && !t->as_new))
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, out->scores, count));
    return pen_shares_predict(run, model, x, control, out->scores);
}

/* Embeds only labelled rows and the stability sample, which are few. */
static pen_status transform_some(pen_run *run, const pen_model *model, const pen_trial_set *t,
                                 const pen_control *control, const pen_embedding *out)
{
    int64_t *rows, count = 0;
    pen_array some;
    double *z;

    PEN_TRY(PEN_NEW(run, rows, pen_plus(t->data->x.rows, t->stability_count)));
    for (int64_t i = 0; i < t->data->x.rows; i++)
        if (t->class_of[i] >= 0)
            rows[count++] = i;
    for (int64_t i = 0; i < t->stability_count; i++)
        rows[count++] = t->stability_rows[i];
    PEN_TRY(pen_array_pick(run, &t->data->x, count, rows, &some));
    PEN_TRY(PEN_NEW(run, z, pen_times(count, out->k)));
    PEN_TRY(pen_transform(model, &some, control, PEN_F64, z, out->k, pen_run_error(run)));
    for (int64_t i = 0; i < count; i++)
        memcpy(out->z + rows[i] * out->k, z + i * out->k, (size_t)out->k * sizeof *z);
    return PEN_OK;
}

pen_status pen_trial_apply(pen_run *run, const pen_model *model, const pen_trial *c,
                           const pen_spec *spec, int all, const pen_control *control,
                           pen_embedding *out)
{
    const pen_array *const x = &c->trials->data->x;

    *out = (pen_embedding){ .k = pen_model_dim(model) };
    PEN_TRY(PEN_NEW(run, out->z, pen_times(x->rows, out->k)));
    if (!all)
        PEN_TRY(transform_some(run, model, c->trials, control, out));
    else
        PEN_TRY(pen_transform(model, x, control, PEN_F64, out->z, out->k, pen_run_error(run)));
    PEN_TRY(PEN_NEW(run, out->rounding, out->k));
    memcpy(out->rounding, model->rounding, (size_t)out->k * sizeof *out->rounding);
    return spec->common.classifier.kind == PEN_CLASSIFIER_SCORES
               ? score(run, model, c->trials, control, out)
               : PEN_OK;
}

pen_status pen_trial_model(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t dim,
                           const pen_control *control, pen_model **out)
{
    const int inductive = c->trials->protocol.inductive,
              with_scores = spec->common.classifier.kind == PEN_CLASSIFIER_SCORES;
    /* unless inductive, all trials fit the same rows and can share a cache */
    struct pen_cache *const cache = inductive ? NULL : pen_run_cache(run);
    const pen_data data = pen_data_for(spec, &c->data);
    pen_spec asked = *spec;

    PEN_REQUIRE(run, !inductive || spec->common.kernel.kind != PEN_KERNEL_PRECOMPUTED,
                PEN_BAD_ARGUMENT,
                "inductive trials leave rows out, but rows of a precomputed kernel have a value "
                "for each row; leave held-out rows in the fit, without their labels");
    asked.common.dim = dim;
    if (pen_is_sample(&spec->common.pairs.sample)) /* each trial draws its own pairs */
        asked.common.seed = (int64_t)pen_rng_derive(
            pen_rng_derive(c->trials->protocol.seed, (uint64_t)c->run), (uint64_t)(1 + c->fold));
    asked.common.allow_fewer |= !(spec->method->traits & PEN_UNNESTED);
    pen_spec_read_by(&asked, with_scores ? PEN_CLASSIFIER_SCORES : PEN_CLASSIFIER_NONE);
    return pen_model_fit(cache, &asked, &data, control, out, pen_run_error(run));
}
