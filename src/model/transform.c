/* transform.c - embedding rows and predicting their classes. */
#include "core/arguments.h"
#include "linalg/affine.h"
#include "model/model.h"
#include "solve/class_mass.h"

#include <string.h>

static pen_status transform(pen_run *run, const pen_model *model, const pen_array *x,
                            pen_dtype dtype, void *z, int64_t stride)
{
    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, x, "x"));
    PEN_TRY(pen_check_given(run, z, "z"));
    PEN_TRY(pen_array_check(run, x, "x"));
    PEN_REQUIRE(run, x->cols == model->d, PEN_BAD_DATA,
                "rows must have %lld columns, as the model was fitted on, got %lld",
                (long long)model->d, (long long)x->cols);
    PEN_REQUIRE(run, dtype == PEN_F64 || dtype == PEN_F32, PEN_BAD_ARGUMENT,
                "the dtype of z must be PEN_F64 or PEN_F32, got %d", (int)dtype);
    PEN_REQUIRE(run, stride >= model->k, PEN_BAD_ARGUMENT,
                "the stride of z must be >= %lld, the dimensions of the model, got %lld",
                (long long)model->k, (long long)stride);
    PEN_REQUIRE(run, stride <= INT64_MAX / 16 / x->rows, PEN_BAD_ARGUMENT,
                "z: %lld rows with a stride of %lld are more than memory can hold",
                (long long)x->rows, (long long)stride);
    return pen_affine_apply(run, "embedding rows", x, model->unit, model->mean, model->projection,
                            model->k, dtype, z, stride);
}

pen_status pen_transform(const pen_model *model, const pen_array *x, pen_dtype dtype, void *z,
                         int64_t stride, const pen_control *control, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = transform(run, model, x, dtype, z, stride);
    pen_run_close(run);
    return status;
}

/* Set the class of each row of z [n x k], turning its first entries into scores or shares. */
static void choose_classes(const pen_model *model, int64_t n, double *z, int32_t *classes,
                           double *scores)
{
    const int64_t c = model->class_count;

    for (int64_t i = 0; i < n; i++) {
        double *const row = z + i * model->k;
        int64_t best = 0;
        for (int64_t j = 0; j < c; j++)
            row[j] += model->bias[j];
        if (model->class_mass)
            pen_class_shares(c, model->class_mass, row);
        for (int64_t j = 1; j < c; j++)
            if (row[j] > row[best])
                best = j;
        classes[i] = (int32_t)best;
        if (scores)
            memcpy(scores + i * c, row, (size_t)c * sizeof *scores);
    }
}

static pen_status predict(pen_run *run, const pen_model *model, const pen_array *x,
                          int32_t *classes, double *scores)
{
    double *z;

    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, x, "x"));
    PEN_TRY(pen_check_given(run, classes, "classes"));
    PEN_REQUIRE(run, model->bias, PEN_BAD_ARGUMENT, "a model of %s predicts no classes",
                model->method);
    PEN_TRY(pen_array_check(run, x, "x"));
    PEN_TRY(PEN_NEW(run, z, pen_times(x->rows, model->k)));
    PEN_TRY(transform(run, model, x, PEN_F64, z, model->k));
    choose_classes(model, x->rows, z, classes, scores);
    return PEN_OK;
}

pen_status pen_predict(const pen_model *model, const pen_array *x, int32_t *classes, double *scores,
                       const pen_control *control, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = predict(run, model, x, classes, scores);
    pen_run_close(run);
    return status;
}
