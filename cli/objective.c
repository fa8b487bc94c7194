/* objective.c - the objective of an iteration, as kept in a model. */
#define _POSIX_C_SOURCE 200809L

#include "objective.h"

#include "input.h"

#include <stdlib.h>

static int take_values(const cli_args *args, const pen_fact *values, picture_panel *panel)
{
    panel->count = values->count;
    panel->points = malloc((size_t)panel->count * 2 * sizeof *panel->points);
    panel->classes = calloc((size_t)panel->count, sizeof *panel->classes);
    panel->known = malloc((size_t)panel->count);
    if (!panel->points || !panel->classes || !panel->known)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    for (int64_t i = 0; i < panel->count; i++) {
        panel->points[2 * i] = (double)(i + 1);
        panel->points[2 * i + 1] = values->numbers[i];
        panel->known[i] = 1;
    }
    return CLI_OK;
}

static int make_panel(const cli_args *args, const char *path, const pen_model *model,
                      picture_panel *panel)
{
    const pen_fact *const values = pen_fact_named(pen_model_info_facts(model), "objective");

    panel->dims = 2;
    panel->joined = 1;
    panel->axis_names[0] = "iteration";
    panel->axis_names[1] = "objective";
    if (values && values->type == PEN_FACT_NUMBERS)
        return take_values(args, values, panel);
    return cli_say(args->command, CLI_FAILED,
                   "%s: a model of %s keeps no objective; some methods that iterate do", path,
                   pen_model_method(model));
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
