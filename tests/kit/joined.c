/* joined.c - see joined.h. */
#include "kit/joined.h"

#include "kit/check_fit.h"
#include "model/model.h"

#include <stdlib.h>

static void take_classifier(pen_model *model)
{
    static const int tensors[] = { BIAS,
                                   CLASS_MASS,
                                   CLASS_SHARES,
                                   CLASSIFIER_CENTER,
                                   CLASSIFIER_ROWS,
                                   CLASSIFIER_CLASSES,
                                   CLASSIFIER_WEIGHTS,
                                   CLASSIFIER_BIAS,
                                   CLASSIFIER_VOTES };

    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++) {
        void **const numbers = pen_tensor_at(model, &pen_tensor_kinds[tensors[t]]);
        free(*numbers);
        *numbers = NULL;
    }
    free(model->classifier.of);
    model->classifier = (pen_classifier){ .kind = PEN_CLASSIFIER_NONE };
    model->temperature = 0;
}

pen_model *joined(const pen_model *const *models, int64_t count)
{
    pen_model *out;
    pen_error err;

    pen_run *const run = check_run(0, &err);
    CHECK_OK(pen_model_copy(run, models[0], &out), &err);
    out->members = calloc((size_t)count, sizeof *out->members);
    for (int64_t i = pen_model_classifier(out) ? 0 : 1; i < count; i++)
        CHECK_OK(pen_model_copy(run, models[i], &out->members[out->member_count++]), &err);
    pen_run_close(run);
    take_classifier(out);
    return keep_model(out);
}
