/* joined.c - see joined.h. */
#include "kit/joined.h"

#include "model/model.h"

pen_model *joined(const pen_model *const *models, int64_t count)
{
    pen_model *out;
    pen_run *run;
    pen_error err;

    CHECK_OK(pen_run_open(NULL, &err, &run), &err);
    CHECK_OK(pen_model_copy(run, models[0], &out), &err);
    out->members = check_allocate(count, sizeof *out->members);
    for (int64_t i = 1; i < count; i++)
        CHECK_OK(pen_model_copy(run, models[i], &out->members[out->member_count++]), &err);
    pen_run_close(run);
    return out;
}
