/* arguments.c - checks of the arguments of public calls. */
#include "core/arguments.h"

#include "core/rows.h"
#include "core/utf8.h"

#include <string.h>

pen_status pen_check_given(pen_run *run, const void *argument, const char *name)
{
    PEN_REQUIRE(run, argument, PEN_BAD_ARGUMENT, "%s must not be NULL", name);
    return PEN_OK;
}

pen_status pen_check_names(pen_run *run, const char *const *names, int64_t count, const char *what)
{
    for (int64_t i = 0; names && i < count; i++)
        PEN_REQUIRE(run, names[i] && pen_text_is_utf8(names[i], strlen(names[i])), PEN_BAD_ARGUMENT,
                    "%s: name %lld (counted from 0) must be UTF-8, got %s", what, (long long)i,
                    names[i] ? "other bytes" : "NULL");
    return PEN_OK;
}

static pen_status check_class_names(pen_run *run, const char *const *names, int64_t count)
{
    PEN_REQUIRE(run, count >= 0 && count <= INT32_MAX, PEN_BAD_ARGUMENT,
                "class_count must be in [0, %ld], got %lld", (long)INT32_MAX, (long long)count);
    PEN_REQUIRE(run, names || count == 0, PEN_BAD_ARGUMENT,
                "class_names must not be NULL if class_count is %lld", (long long)count);
    return pen_check_names(run, names, count, "class_names");
}

static pen_status check_pairs(pen_run *run, const int64_t *list, int64_t count, const char *name)
{
    PEN_REQUIRE(run, count >= 0 && count <= INT64_MAX / 32, PEN_BAD_ARGUMENT,
                "%s_count must be in [0, %lld], got %lld", name, (long long)(INT64_MAX / 32),
                (long long)count);
    PEN_REQUIRE(run, list || count == 0, PEN_BAD_ARGUMENT,
                "%s must not be NULL if %s_count is %lld", name, name, (long long)count);
    return PEN_OK;
}

pen_status pen_check_trial_data(pen_run *run, const pen_data *data)
{
    PEN_TRY(pen_check_data(run, data));
    PEN_REQUIRE(
        run, !data->graph, PEN_BAD_ARGUMENT,
        "data.graph must be NULL: only a fit of one method to all rows takes a neighbor graph");
    return PEN_OK;
}

pen_status pen_check_data(pen_run *run, const pen_data *data)
{
    PEN_TRY(pen_check_given(run, data, "data"));
    PEN_REQUIRE(run, PEN_IS_ZERO(data->reserved), PEN_BAD_ARGUMENT, PEN_NOT_ZERO, "data");
    PEN_TRY(pen_array_check(run, &data->x, "x"));
    PEN_TRY(check_class_names(run, data->class_names, data->class_count));
    PEN_TRY(pen_check_names(run, data->column_names, data->x.cols, "column_names"));
    PEN_REQUIRE(run, !data->fill || !data->drop_missing, PEN_BAD_ARGUMENT,
                "fill must be NULL if drop_missing is set: rows with NaN then have no result");
    PEN_TRY(check_pairs(run, data->must_link, data->must_link_count, "must_link"));
    return check_pairs(run, data->cannot_link, data->cannot_link_count, "cannot_link");
}
