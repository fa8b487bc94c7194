/* spec_list.c - METHODS of a command line, with parameters. */
#include "flags/param_flags.h"

#include "flags/method_text.h"

#include <string.h>

enum { NAME_SIZE = 64 };

static int set(pen_spec *spec, const char *name, const char *value)
{

    return pen_spec_set(spec, name, value, &cli_error) == PEN_OK
               ? CLI_OK
               : cli_refuse("%s", cli_error.message);
}

static int add(const char *method, const char *kernel, const char *classifier, spec_list *out)
{
    pen_spec *spec;

    CLI_ASK(pen_spec_new(method, &spec, &cli_error));
    out->list[out->count++] = cli_own(spec, cli_free_spec);
    if (kernel)
        CLI_TRY(set(spec, "kernel", kernel));
    return classifier ? set(spec, "classifier", classifier) : CLI_OK;
}

/* What follows the sign in a text, which is cut there; or NULL. */
static const char *cut_at(char *text, char sign)
{
    char *const at = strchr(text, sign);

    if (at)
        *at = '\0';
    return at ? at + 1 : NULL;
}

static int add_named(char *name, spec_list *out)
{
    const char *const classifier = cut_at(name, '/'), *const kernel = cut_at(name, '+');
    const pen_method *method;

    if (strcmp(name, "all") != 0)
        return add(name, kernel, classifier, out);
    for (int64_t i = 0; (method = pen_method_at(i)); i++)
        if (!(method->traits & PEN_BASELINE))
            CLI_TRY(add(method->name, kernel, classifier, out));
    return CLI_OK;
}

/* The value of a parameter, for each method that has it. */
static int set_param(const cli_arg *arg, const cli_flag *param, const spec_list *specs)
{
    int any = 0;

    for (int64_t i = 0; i < specs->count; i++)
        if (method_has(pen_spec_method(specs->list[i]), arg->name)) {
            CLI_TRY(set(specs->list[i], arg->name, params_value(arg, param)));
            any = 1;
        }
    return any ? CLI_OK : cli_refuse("none of the methods has a parameter %s", arg->name);
}

int spec_list_read(const char *text, spec_list *out)
{
    char all[] = "all", name[NAME_SIZE];
    int64_t methods = 0, names = 1;
    int given = 0;

    for (int i = 0; i < args_all.count; i++)
        given |= params_flag(&args_all.list[i]) != NULL;
    if ((!text || strcmp(text, all) == 0) && !given)
        return CLI_OK;
    while (pen_method_at(methods))
        methods++;
    for (const char *at = text; at && *at; at++)
        names += *at == ',';
    out->list = cli_alloc(names * methods, sizeof *out->list); /* each may be `all` */
    for (const char *at = text ? text : all; at;) {
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < NAME_SIZE ? length : NAME_SIZE - 1), at);
        CLI_TRY(add_named(name, out));
        at = at[length] ? at + length + 1 : NULL;
    }
    for (int i = 0; i < args_all.count; i++) {
        const cli_flag *const param = params_flag(&args_all.list[i]);
        if (param)
            CLI_TRY(set_param(&args_all.list[i], param, out));
    }
    return CLI_OK;
}
