/* transform.c - embedding rows. */
#include "linalg/affine.h"
#include "model/model.h"

static pen_status transform(pen_run *run, const pen_model *model, const pen_array *x, pen_dtype dtype, void *z, int64_t stride)
{
    PEN_TRY(pen_array_check(run, x, "x"));
    PEN_REQUIRE(run, x->cols == model->d, PEN_BAD_DATA, "rows must have %lld columns, as the model was fitted on, got %lld",
                (long long)model->d, (long long)x->cols);
    PEN_REQUIRE(run, dtype == PEN_F64 || dtype == PEN_F32, PEN_BAD_ARGUMENT, "the dtype of z must be PEN_F64 or PEN_F32, got %d",
                (int)dtype);
    PEN_REQUIRE(run, stride >= model->k, PEN_BAD_ARGUMENT, "the stride of z must be >= %lld, the dimensions of the model, got %lld",
                (long long)model->k, (long long)stride);
    PEN_REQUIRE(run, z != NULL, PEN_BAD_ARGUMENT, "z must not be NULL");
    return affine_apply(run, "embedding rows", x, model->unit, model->mean, model->projection, model->k, dtype, z, stride);
}

pen_status pen_transform(const pen_model *model, const pen_array *x, pen_dtype dtype, void *z, int64_t stride, const pen_control *control,
                         pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = transform(run, model, x, dtype, z, stride);
    pen_run_close(run);
    return status;
}
