/* embedding.c - rows embedded by a method that is tried next to others. */
#include "eval/embedding.h"

#include "model/model.h"
#include "model/spec.h"

int pen_is_no_such_dim(pen_status status)
{
    return status == PEN_RANK_TOO_SMALL || status == PEN_BAD_ARGUMENT;
}

pen_status pen_embed_rows(pen_run *run, struct pen_cache *cache, const pen_spec *spec, int64_t dim,
                          const pen_data *data, const pen_array *x, const pen_control *control,
                          int64_t *k, double **z)
{
    pen_spec asked = *spec;
    pen_data taken = *data;
    pen_model *model;
    pen_error err;

    asked.common.dim = dim;
    asked.common.allow_fewer |= !(spec->method->traits & PEN_UNNESTED);
    if (!(spec->method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS))) {
        taken.must_link_count = taken.cannot_link_count = 0;
        taken.sample = NULL;
    }
    if (pen_model_fit(cache, &asked, &taken, control, &model, &err) != PEN_OK)
        return pen_fail_as(run, &err);
    *k = pen_model_output_dim(model);
    pen_status status = PEN_NEW(run, *z, pen_times(x->rows, *k));
    if (status == PEN_OK) {
        status = pen_transform(model, x, PEN_F64, *z, *k, control, &err);
        if (status != PEN_OK)
            pen_fail_as(run, &err);
    }
    pen_model_free(model);
    return status;
}
