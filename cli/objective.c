/* objective.c - the objective of an iteration, as a model keeps it. */
#define _POSIX_C_SOURCE 200809L

#include "objective.h"

#include "input.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

static int take_values(const cli_args *args, const char *path, const cJSON *list,
                       picture_panel *panel)
{
    const cJSON *value;

    panel->points = malloc((size_t)panel->count * 2 * sizeof *panel->points);
    panel->classes = calloc((size_t)panel->count, sizeof *panel->classes);
    panel->known = malloc((size_t)panel->count);
    if (!panel->points || !panel->classes || !panel->known)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    int64_t i = 0;
    cJSON_ArrayForEach(value, list)
    {
        if (!cJSON_IsNumber(value))
            return cli_say(args->command, CLI_FAILED,
                           "%s: value %lld of the objective is no number", path, (long long)i + 1);
        panel->points[2 * i] = (double)(i + 1);
        panel->points[2 * i + 1] = value->valuedouble;
        panel->known[i++] = 1;
    }
    return CLI_OK;
}

static int make_panel(const cli_args *args, const char *path, const pen_model *model,
                      picture_panel *panel)
{
    cJSON *const info = cJSON_Parse(pen_model_info(model));
    const cJSON *const list = cJSON_GetObjectItemCaseSensitive(info, "objective");
    int status;

    panel->dims = 2;
    panel->joined = 1;
    panel->axis_names[0] = "iteration";
    panel->axis_names[1] = "objective";
    panel->count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    if (panel->count > 0)
        status = take_values(args, path, list, panel);
    else
        status = cli_say(args->command, CLI_FAILED,
                         "%s: a model of %s keeps no objective; some methods that iterate do", path,
                         pen_model_method(model));
    cJSON_Delete(info);
    return status;
}

int objective_panel(const cli_args *args, const char *path, picture_panel *panel)
{
    pen_model *model = NULL;
    pen_error err;

    if (pen_model_load(path, &model, &err) != PEN_OK)
        return cli_say(args->command, CLI_FAILED, "%s", err.message);
    const int status = make_panel(args, input_name(path), model, panel);
    pen_model_free(model);
    return status;
}
