/* spec_list.c - METHODS of a command line, with parameters. */
#include "flags/spec_list.h"

#include "flags/method_text.h"
#include "flags/param_flags.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 };

static int set(const cli_args *args, pen_spec *spec, const char *name, const char *value)
{
    pen_error err;

    return pen_spec_set(spec, name, value, &err) == PEN_OK
               ? CLI_OK
               : cli_say(args->command, CLI_USAGE, "%s", err.message);
}

static int add(const cli_args *args, const char *method, const char *kernel, const char *classifier,
               spec_list *out)
{
    pen_error err;

    if (out->count == out->room) {
        out->room = 2 * out->room + 8;
        pen_spec **const list = realloc(out->list, (size_t)out->room * sizeof *list);
        if (!list)
            return cli_say(args->command, CLI_FAILED, "out of memory");
        out->list = list;
    }
    if (pen_spec_new(method, &out->list[out->count], &err) != PEN_OK)
        return cli_say(args->command, CLI_USAGE, "%s", err.message);
    pen_spec *const spec = out->list[out->count++];
    const int status = *kernel ? set(args, spec, "kernel", kernel) : CLI_OK;
    return status == CLI_OK && *classifier ? set(args, spec, "classifier", classifier) : status;
}

/* One name, cut at '+' and '/'. */
static int add_named(const cli_args *args, char *name, spec_list *out)
{
    char none[] = "", *const slash = strchr(name, '/'), *const plus = strchr(name, '+');
    const pen_method *method;
    int status = CLI_OK;

    if (slash)
        *slash = '\0';
    if (plus && (!slash || plus < slash))
        *plus = '\0';
    const char *const kernel = plus && (!slash || plus < slash) ? plus + 1 : none,
                      *const classifier = slash ? slash + 1 : none;
    if (strcmp(name, "all") != 0)
        return add(args, name, kernel, classifier, out);
    for (int64_t i = 0; status == CLI_OK && (method = pen_method_at(i)); i++)
        if (!(method->traits & PEN_BASELINE))
            status = add(args, method->name, kernel, classifier, out);
    return status;
}

/* The value of a parameter, for each method that has it. */
static int set_param(const cli_args *args, const cli_arg *arg, const cli_flag *param,
                     const spec_list *specs)
{
    const char *const text = !*param->value && !*arg->value ? "true" : arg->value;
    int status = CLI_OK, any = 0;

    for (int64_t i = 0; status == CLI_OK && i < specs->count; i++)
        if (method_has(pen_spec_method(specs->list[i]), arg->name)) {
            status = set(args, specs->list[i], arg->name, text);
            any = 1;
        }
    return status == CLI_OK && !any ? cli_say(args->command, CLI_USAGE,
                                              "none of the methods has a parameter %s", arg->name)
                                    : status;
}

int spec_list_read(const cli_args *args, const char *text, const cli_flag *params, spec_list *out)
{
    static const char *const none[] = { NULL };
    char all[] = "all", name[NAME_SIZE];
    int status = CLI_OK;

    if ((!text || strcmp(text, all) == 0) && !params_any(args, params, none))
        return CLI_OK;
    for (const char *at = text ? text : all; status == CLI_OK && at;) {
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < NAME_SIZE ? length : NAME_SIZE - 1), at);
        status = add_named(args, name, out);
        at = at[length] ? at + length + 1 : NULL;
    }
    for (int i = 0; status == CLI_OK && i < args->count; i++) {
        const cli_flag *const param = params_flag(&args->list[i], params);
        if (param)
            status = set_param(args, &args->list[i], param, out);
    }
    return status;
}

void spec_list_free(spec_list *specs)
{
    for (int64_t i = 0; i < specs->count; i++)
        pen_spec_free(specs->list[i]);
    free(specs->list);
}
