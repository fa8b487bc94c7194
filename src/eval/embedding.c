/* embedding.c - rows embedded by a method that is tried next to others. */
#include "eval/embedding.h"

#include "model/model.h"
#include "model/spec.h"

#include <string.h>

int pen_is_no_such_dim(pen_status status)
{
    return status == PEN_RANK_TOO_SMALL || status == PEN_BAD_ARGUMENT;
}

static pen_status predict(pen_run *run, const pen_model *model, const pen_array *x,
                          const pen_control *control, double *scores)
{
    int32_t *classes;
    pen_error err;

    PEN_TRY(PEN_NEW(run, classes, x->rows));
    return pen_predict(model, x, classes, scores, control, &err) == PEN_OK ? PEN_OK
                                                                           : pen_fail_as(run, &err);
}

static pen_status score(pen_run *run, const pen_model *model, const pen_array *x, int as_new,
                        const pen_control *control, pen_embedding *out)
{
    const double *const of_fit = as_new ? NULL : pen_model_propagated(model);

    out->classes = pen_model_class_count(model);
    if (!of_fit && !pen_model_reader(model))
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, out->scores, pen_times(x->rows, out->classes)));
    if (!of_fit)
        return predict(run, model, x, control, out->scores);
    memcpy(out->scores, of_fit, (size_t)(x->rows * out->classes) * sizeof *of_fit);
    return PEN_OK;
}

static pen_status apply(pen_run *run, const pen_model *model, const pen_array *x, int with_scores,
                        int as_new, const pen_control *control, pen_embedding *out)
{
    pen_error err;

    out->k = pen_model_output_dim(model);
    PEN_TRY(PEN_NEW(run, out->z, pen_times(x->rows, out->k)));
    if (pen_transform(model, x, PEN_F64, out->z, out->k, control, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    return with_scores ? score(run, model, x, as_new, control, out) : PEN_OK;
}

pen_status pen_embed_rows(pen_run *run, struct pen_cache *cache, const pen_spec *spec, int64_t dim,
                          const pen_data *data, const pen_array *x, int as_new,
                          const pen_control *control, pen_embedding *out)
{
    const int with_scores = spec->common.reader.kind == PEN_READER_SCORES;
    pen_spec asked = *spec;
    pen_data taken = *data;
    pen_model *model;
    pen_error err;

    *out = (pen_embedding){ .k = 0 };
    asked.common.dim = dim;
    asked.common.allow_fewer |= !(spec->method->traits & PEN_UNNESTED);
    pen_spec_read_by(&asked, with_scores ? PEN_READER_SCORES : PEN_READER_NONE);
    if (!(spec->method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS))) {
        taken.must_link_count = taken.cannot_link_count = 0;
        taken.sample = NULL;
    }
    if (pen_model_fit(cache, &asked, &taken, control, &model, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    const pen_status status =
        apply(run, model, x, with_scores, as_new || x->values != data->x.values, control, out);
    pen_model_free(model);
    return status;
}
