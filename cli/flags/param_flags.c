/* param_flags.c - flags for the parameters of methods. */
#define _POSIX_C_SOURCE 200809L

#include "flags/param_flags.h"

#include "flags/method_text.h"
#include "flags/pair_flags.h"

#include <string.h>

enum { VALUE_SIZE = 128, NAME_SIZE = 64 };

/* ---- parameters as flags ---- */

/* The first method named on the command line; NULL: none. */
static const pen_method *method_in(int argc, char **argv)
{
    const pen_method *method = NULL;
    char name[VALUE_SIZE];

    for (int i = 1; i < argc && !method; i++) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i], "+/"), argv[i]);
        method = argv[i][0] == '-' ? NULL : pen_method_named(name);
    }
    return method;
}

static int add_flag(const args_form *form, const pen_param *param, cli_flag *table, int count)
{
    if (args_in(table, param->name) || args_has(form, param->name))
        return count;
    table[count] =
        (cli_flag){ param->name, param->type == PEN_PARAM_FLAG ? "" : "VALUE", param->help, 0 };
    return count + 1;
}

/* Method i of the list, which begins with auto at -1. */
static const pen_method *method_of(int64_t i)
{
    return i < 0 ? pen_method_named("auto") : pen_method_at(i);
}

/* A flag for each parameter of any method, unless the form has a flag of that name. */
static cli_flag *params_of_all(const args_form *form)
{
    const pen_param *param;
    int64_t room = 1;
    int count = 0;

    for (int64_t i = -1; method_of(i); i++)
        for (param = method_of(i)->params; param->name; param++)
            room++;
    cli_flag *const table = cli_alloc(room, sizeof *table);
    for (int64_t i = -1; method_of(i); i++)
        for (param = method_of(i)->params; param->name; param++)
            count = add_flag(form, param, table, count);
    return table;
}

/* With METHOD, -h prints its parameters. */
static void print_help(const args_form *form, const pen_method *named, int wanted)
{
    const int in_full = wanted == ARGS_FULL, of_auto = !named && form->params == ARGS_AUTO;
    const pen_method *const method = in_full && of_auto ? method_of(-1) : named;

    if (!method || in_full)
        args_print_help(form, wanted);
    if (!method)
        return;
    if (in_full)
        putchar('\n');
    method_print_title(method);
    putchar('\n');
    method_print_params(method);
    if (of_auto) {
        puts("\nMethods (penumbra fit METHOD --help lists the parameters):");
        method_print_all();
    }
}

int params_run(const args_form *form, int argc, char **argv)
{
    const pen_method *const named = form->params ? method_in(argc, argv) : NULL;
    const int help = args_want_help(argc, argv);

    if (help) {
        print_help(form, named, help);
        return CLI_OK;
    }
    CLI_TRY(args_read(form, argc, argv, form->params ? params_of_all(form) : NULL, named));
    return form->run();
}

const cli_flag *params_flag(const cli_arg *arg)
{
    return arg->name ? args_in(args_all.params, arg->name) : NULL;
}

/* The value of an argument in the form that pen_spec_set takes. */
static const char *value_of(const cli_arg *arg, const cli_flag *param)
{
    return !*param->value && !*arg->value ? "true" : arg->value;
}

int params_refuse(const pen_spec *spec, const char *name)
{
    const pen_method *const method = pen_spec_method(spec), *const chosen = method_of(-1);
    const pen_param *const known = method_param(chosen, name);
    char flag[VALUE_SIZE];

    snprintf(flag, sizeof flag, "%s", name);
    cli_dashed(flag);
    if (method_has(method, name))
        return cli_refuse("%s", cli_error.message);
    if (method == chosen)
        return cli_refuse(
            "--%s requires a METHOD; without one, or with auto, penumbra chooses the parameters",
            flag);
    if (known && known->common == 2)
        return pairs_no_use(flag, method);
    if (known)
        return cli_refuse("--%s applies to a fit without METHOD only, not to %s", flag,
                          method->name);
    return cli_refuse("%s", cli_error.message);
}

int params_spec(const char *method, pen_spec **spec)
{
    CLI_ASK(pen_spec_new(method, spec, &cli_error));
    cli_own(*spec, cli_free_spec);
    for (int i = 0; i < args_all.count; i++) {
        const cli_arg *const arg = &args_all.list[i];
        const cli_flag *const param = params_flag(arg);
        if (param && pen_spec_set(*spec, arg->name, value_of(arg, param), &cli_error) != PEN_OK)
            return params_refuse(*spec, param->name);
    }
    return CLI_OK;
}

/* ---- METHODS ---- */

static int add(const char *name, spec_list *out)
{
    pen_spec *spec;

    CLI_ASK(pen_spec_new(name, &spec, &cli_error));
    out->list[out->count++] = cli_own(spec, cli_free_spec);
    return CLI_OK;
}

/* Adds a method; `all`, `all+rbf` and such add each method in that form. */
static int add_named(const char *text, spec_list *out)
{
    const pen_method *method;
    char name[2 * NAME_SIZE];

    if (strcspn(text, "+/") != 3 || strncmp(text, "all", 3) != 0)
        return add(text, out);
    for (int64_t i = 0; (method = pen_method_at(i)); i++) {
        snprintf(name, sizeof name, "%s%s", method->name, text + 3);
        if (!(method->traits & PEN_BASELINE))
            CLI_TRY(add(name, out));
    }
    return CLI_OK;
}

/* Sets a parameter of each method that has it. */
static int set_param(const cli_arg *arg, const cli_flag *param, const spec_list *specs)
{
    int any = 0;

    for (int64_t i = 0; i < specs->count; i++)
        if (method_has(pen_spec_method(specs->list[i]), arg->name)) {
            CLI_ASK(pen_spec_set(specs->list[i], arg->name, value_of(arg, param), &cli_error));
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
    out->list = cli_alloc(names * methods, sizeof *out->list); /* each name may be `all` */
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
