/* param_flags.c - names of methods and their parameters as flags. */
#define _POSIX_C_SOURCE 200809L

#include "flags/param_flags.h"

#include "flags/method_text.h"
#include "flags/pair_flags.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 128 };

/* ---- parameters as flags ---- */

const pen_method *params_method_in(int argc, char **argv)
{
    const pen_method *method = NULL;
    for (int i = 1; i < argc && !method; i++)
        method = argv[i][0] == '-' ? NULL : pen_method_named(argv[i]);
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

/* Those of the list, after auto. */
static const pen_method *method_of(int64_t i)
{
    return i < 0 ? pen_method_named("auto") : pen_method_at(i);
}

/* A flag for each parameter of any method, except those with the name of a flag of the form. */
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

/* With METHOD, -h is about its parameters. */
static void print_help(const args_form *form, const pen_method *method, int wanted)
{
    if (!method || wanted == ARGS_FULL)
        args_print_help(form, wanted);
    if (!method)
        return;
    if (wanted == ARGS_FULL)
        putchar('\n');
    method_print_title(method);
    putchar('\n');
    method_print_params(method);
}

int params_run(const args_form *form, const char *usual, int argc, char **argv,
               int (*command)(void))
{
    const int help = args_want_help(argc, argv);

    if (help) {
        const pen_method *method = params_method_in(argc, argv);
        if (!method && usual && help == ARGS_FULL)
            method = pen_method_named(usual);
        print_help(form, method, help);
        return CLI_OK;
    }
    CLI_TRY(args_read(form, argc, argv, params_of_all(form), params_method_in(argc, argv)));
    return command();
}

const cli_flag *params_flag(const cli_arg *arg)
{
    return arg->name ? args_in(args_all.params, arg->name) : NULL;
}

const char *params_value(const cli_arg *arg, const cli_flag *param)
{
    return !*param->value && !*arg->value ? "true" : arg->value;
}

/* The error of a value, or of a parameter that the method does not have. */
static int refuse(const pen_spec *spec, const char *name)
{
    const pen_method *const method = pen_spec_method(spec), *const chosen = method_of(-1);
    const pen_param *const known = method_param(chosen, name);
    char flag[VALUE_SIZE];

    snprintf(flag, sizeof flag, "%s", name);
    for (char *c = flag; *c; c++)
        *c = (char)(*c == '_' ? '-' : *c);
    if (method_has(method, name))
        return cli_refuse("%s", cli_error.message);
    if (method == chosen)
        return cli_refuse(
            "--%s requires a METHOD; without one, or with auto, parameters are chosen", flag);
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
        if (param && pen_spec_set(*spec, arg->name, params_value(arg, param), &cli_error) != PEN_OK)
            return refuse(*spec, param->name);
    }
    return CLI_OK;
}

int params_text(const pen_spec *spec, const char *name, char *text, size_t size)
{
    pen_spec_get(spec, name, text, size);
    return method_has(pen_spec_method(spec), name);
}

/* The value of a parameter; returns 1 if it is not the default. */
static int is_changed(const pen_spec *spec, const pen_spec *usual, const char *name,
                      char value[VALUE_SIZE])
{
    char initial[VALUE_SIZE] = "";

    pen_spec_get(spec, name, value, VALUE_SIZE);
    pen_spec_get(usual, name, initial, sizeof initial);
    return strcmp(value, initial) != 0;
}

/* The defaults of its method; NULL: out of memory. */
static pen_spec *usual_of(const pen_spec *spec)
{
    pen_spec *usual;

    pen_spec_new(pen_spec_method(spec)->name, &usual, NULL);
    return usual;
}

void params_describe(const pen_spec *spec, char *text, size_t size)
{
    char value[VALUE_SIZE];
    pen_spec *const usual = usual_of(spec);

    *text = '\0';
    for (const pen_param *param = pen_spec_method(spec)->params; param->name; param++) {
        const size_t used = strlen(text);
        if (!is_changed(spec, usual, param->name, value) || cli_same_name(param->name, "dim"))
            continue;
        const char *const quote = strchr(value, '*') || !*value ? "'" : ""; /* for a shell */
        snprintf(text + used, size - used, "%s--%s%s%s%s%s", used ? " " : "", param->name,
                 param->type == PEN_PARAM_FLAG ? "=" : " ", quote, value, quote);
        for (char *c = text + used; *c && *c != '=' && c < text + used + 3 + strlen(param->name);
             c++)
            if (*c == '_')
                *c = '-';
    }
    pen_spec_free(usual);
}
