/* learn.c - what the commands share that learn: parameters as flags, rows with labels and pairs, a
 * fit with its progress. */
#define _POSIX_C_SOURCE 200809L

#include "learn.h"

#include "input.h"
#include "blas_memory.h"
#include "output.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES_SHOWN = 6, VALUE_SIZE = 64 };

/* ---- parameters as flags ---- */

const pen_method *learn_method_in(int argc, char **argv)
{
    const pen_method *method = NULL;
    for (int i = 1; i < argc && !method; i++)
        method = argv[i][0] == '-' ? NULL : pen_method_named(argv[i]);
    return method;
}

int learn_has_param(const pen_method *method, const char *name)
{
    const pen_param *param;
    for (int64_t i = 0; method && (param = pen_method_param(method, i)); i++)
        if (cli_same_name(param->name, name))
            return 1;
    return 0;
}

static int flag_known(const cli_flag *table, const char *name)
{
    for (; table->name; table++)
        if (cli_same_name(table->name, name))
            return 1;
    return 0;
}

static int add_flag(const args_form *form, const pen_param *param, const char *name,
                    cli_flag *table, int count)
{
    if (!name || flag_known(table, name) || args_has(form, name))
        return count;
    table[count] = (cli_flag){ name, param->type == PEN_PARAM_FLAG ? "" : "VALUE", param->help, 0 };
    return count + 1;
}

/* A flag for each parameter of any method, but for those that are called like a flag of the form,
 * and for each older name. free() it; NULL: there is no memory. */
static cli_flag *params_of_all(const args_form *form)
{
    const pen_param *param;
    size_t room = 1;
    int count = 0;

    for (int64_t i = 0; i < pen_method_count(); i++)
        for (int64_t j = 0; pen_method_param(pen_method_at(i), j); j++)
            room += 2;
    cli_flag *const table = calloc(room, sizeof *table);
    if (!table)
        return NULL;
    for (int64_t i = 0; i < pen_method_count(); i++)
        for (int64_t j = 0; (param = pen_method_param(pen_method_at(i), j)); j++)
            count = add_flag(form, param, param->name, table, count);
    for (int64_t i = 0; i < pen_method_count(); i++)
        for (int64_t j = 0; (param = pen_method_param(pen_method_at(i), j)); j++)
            count = add_flag(form, param, param->alias, table, count);
    return table;
}

/* An args_more_fn: the parameters of METHOD. */
static void list_params(const cli_args *args, char *text, size_t size)
{
    const char *const name = args_operand(args, 0);
    const pen_method *const method = name ? pen_method_named(name) : NULL;
    const pen_param *param;

    for (int64_t i = 0; method && (param = pen_method_param(method, i)); i++) {
        const size_t used = strlen(text);
        if (i == 0)
            snprintf(text, size, "parameters of %s: %s", pen_method_name(method), param->name);
        else
            snprintf(text + used, size - used, ", %s", param->name);
    }
    for (; *text; text++)
        if (*text == '_')
            *text = '-';
}

static void print_help(const args_form *form, const pen_method *method)
{
    args_print_help(form);
    if (!method)
        return;
    putchar('\n');
    cli_print_title(method);
    putchar('\n');
    cli_print_params(method);
}

int learn_run(const args_form *form, int argc, char **argv,
              int (*command)(const cli_args *args, const cli_flag *params))
{
    cli_args args;

    if (args_want_help(argc, argv)) {
        print_help(form, learn_method_in(argc, argv));
        return CLI_OK;
    }
    cli_flag *const params = params_of_all(form);
    if (!params)
        return cli_say(argv[0], CLI_FAILED, "out of memory");
    int status = args_read(form, argc, argv, params, list_params, &args);
    if (status == CLI_OK)
        status = command(&args, params);
    args_free(&args);
    free(params);
    return status;
}

/* The parameter an argument is, or NULL. */
static const cli_flag *param_of(const cli_arg *arg, const cli_flag *table)
{
    for (; arg->name && table->name; table++)
        if (cli_same_name(arg->name, table->name))
            return table;
    return NULL;
}

const char *learn_any_param(const cli_args *args, const cli_flag *params)
{
    for (int i = 0; i < args->count; i++) {
        const cli_flag *const param = param_of(&args->list[i], params);
        if (param)
            return param->name;
    }
    return NULL;
}

int learn_spec(const cli_args *args, const char *method, const cli_flag *params, pen_spec **spec)
{
    pen_error err;

    if (pen_spec_new(method, spec, &err) != PEN_OK)
        return cli_say(args->command, CLI_USAGE, "%s", err.message);
    for (int i = 0; i < args->count; i++) {
        const cli_arg *const arg = &args->list[i];
        const cli_flag *const param = param_of(arg, params);
        if (!param)
            continue;
        const char *const text = !*param->value && !*arg->value ? "true" : arg->value;
        if (pen_spec_set(*spec, arg->name, text, &err) != PEN_OK)
            return cli_say(args->command, CLI_USAGE, "%s", err.message);
    }
    return CLI_OK;
}

void learn_describe(const pen_method *method, const pen_spec *spec, char *text, size_t size)
{
    char value[VALUE_SIZE];
    const pen_param *param;
    double number;

    *text = '\0';
    for (int64_t i = 0; (param = pen_method_param(method, i)); i++) {
        const size_t used = strlen(text);
        if (cli_same_name(param->name, "dim")
            || pen_spec_get(spec, param->name, &number, NULL) != PEN_OK || number == param->initial)
            continue;
        pen_param_text(param, number, value, sizeof value);
        snprintf(text + used, size - used, "%s--%s%s%s", used ? " " : "", param->name,
                 param->type == PEN_PARAM_FLAG ? "=" : " ", value);
        for (char *c = text + used; *c && *c != '=' && c < text + used + 3 + strlen(param->name);
             c++)
            if (*c == '_')
                *c = '-';
    }
}

void learn_json_params(const pen_method *method, const pen_spec *spec)
{
    char value[VALUE_SIZE];
    const pen_param *param;
    double number;

    putchar('{');
    for (int64_t i = 0; (param = pen_method_param(method, i)); i++) {
        if (pen_spec_get(spec, param->name, &number, NULL) != PEN_OK)
            continue;
        fputs(i ? ", " : "", stdout);
        cli_json_text(param->name);
        fputs(": ", stdout);
        pen_param_text(param, number, value, sizeof value);
        int word = param->type == PEN_PARAM_CHOICE;
        for (const pen_word *w = param->words; w && w->text; w++)
            word |= strcmp(w->text, value) == 0;
        if (word)
            cli_json_text(value);
        else if (param->type == PEN_PARAM_FLAG)
            fputs(number != 0 ? "true" : "false", stdout);
        else
            cli_json_number(number);
    }
    putchar('}');
}

const char *learn_dims(const pen_method *method, const pen_spec *spec, char *text, size_t size)
{
    const pen_param *param;
    double number;

    *text = '\0';
    for (int64_t i = 0; (param = pen_method_param(method, i)); i++)
        if (cli_same_name(param->name, "dim") && pen_spec_get(spec, "dim", &number, NULL) == PEN_OK)
            pen_param_text(param, number, text, size);
    return text;
}

/* ---- names of methods ---- */

int learn_read_names(const cli_args *args, const char *text, learn_names *out)
{
    pen_spec *spec;
    pen_error err;

    *out = (learn_names){ NULL, NULL, 0 };
    if (!text)
        return CLI_OK;
    out->text = strdup(text);
    out->list = out->text ? calloc(strlen(text) + 1, sizeof *out->list) : NULL;
    if (!out->list)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    for (char *name = out->text; name;) {
        char *const comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        if (pen_spec_new(name, &spec, &err) != PEN_OK)
            return cli_say(args->command, CLI_USAGE, "%s", err.message);
        pen_spec_free(spec);
        for (int64_t i = 0; i < out->count; i++)
            if (pen_method_named(out->list[i]) == pen_method_named(name))
                return cli_say(args->command, CLI_USAGE, "%s is named twice", name);
        out->list[out->count++] = pen_method_name(pen_method_named(name));
        name = comma ? comma + 1 : NULL;
    }
    return CLI_OK;
}

void learn_names_free(learn_names *names)
{
    free(names->text);
    free(names->list);
}

/* ---- data ---- */

void learn_free(learning *in)
{
    pen_table_free(in->rows);
    pen_table_free(in->label_file);
    pairs_free(&in->pairs);
}

int learn_options(const cli_args *args, const pen_method *method, const char *path, learning *out)
{
    int status = args_not_both(args, "labels", "label-column");

    if (status == CLI_OK)
        status = memory_threads(args, &out->threads);
    if (status == CLI_OK)
        status = input_options(args, &out->options);
    if (status == CLI_OK)
        status = pairs_options(args, method, &out->pairs);
    if (status == CLI_OK)
        status = output_ready(args);
    return status == CLI_OK ? input_sources(args, path) : status;
}

int learn_read(const cli_args *args, const char *path, learning *in)
{
    const char *const labels = args_value(args, "labels");

    int status = input_rows(args, path, &in->options, &in->rows);
    if (status == CLI_OK && labels)
        status = input_labels(args, labels, path, in->rows, &in->label_file);
    if (status == CLI_OK)
        status = pairs_read(args, path, in->rows, &in->pairs);
    if (status != CLI_OK)
        return status;
    const pen_table *const from = in->label_file ? in->label_file : in->rows;
    in->data.x = in->rows->x;
    in->data.labels = from->labels;
    in->data.class_names = (const char *const *)from->class_names;
    in->data.class_count = from->class_count;
    in->data.feature_names = (const char *const *)in->rows->column_names;
    return pairs_set(args, &in->pairs, &in->data);
}

int learn_tried(const cli_args *args, pen_status status, const pen_error *err, double seconds,
                const char *what)
{
    if (status == PEN_OK)
        return CLI_OK;
    if (progress_signal())
        return progress_die(args->command);
    if (status == PEN_CANCELLED)
        return cli_say(args->command, CLI_FAILED,
                       "%g seconds were too short for %s; --seconds allows more", seconds, what);
    return pairs_failed(args, err);
}

void learn_report_data(const cli_args *args, const pen_data *data)
{
    if (args_value(args, "quiet"))
        return;
    fprintf(stderr, "penumbra %s: ", args->command);
    learn_print_data(NULL, data);
    fputc('\n', stderr);
}

void learn_print_data(const char *method, const pen_data *data)
{
    fprintf(stderr, "%s%s%lld rows of %lld columns", method ? method : "", method ? ", " : "",
            (long long)data->x.rows, (long long)data->x.cols);
    if (data->labels) {
        fputs(", ", stderr);
        input_print_classes("labelled", data->labels, data->x.rows, data->class_names,
                            data->class_count);
    }
}

/* ---- a fit ---- */

pen_data learn_data_for(const pen_method *method, const pen_data *data)
{
    pen_data out = *data;

    if (!(pen_method_traits(method) & (PEN_MUST_LINKS | PEN_CANNOT_LINKS))) {
        out.must_link_count = out.cannot_link_count = 0;
        out.sample = NULL;
    }
    return out;
}

int learn_fit(const cli_args *args, const pen_method *method, const pen_spec *spec,
              const learning *in, pen_model **out)
{
    const pen_data data = learn_data_for(method, &in->data);
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { in->threads, progress_show, &bar };
    const pen_status status = pen_fit(spec, &data, &control, out, &err);
    progress_end(&bar);
    if (progress_signal()) {
        pen_model_free(*out);
        *out = NULL;
        return CLI_FAILED;
    }
    return status == PEN_OK ? CLI_OK : pairs_failed(args, &err);
}

int learn_fit_and_save(const cli_args *args, const pen_method *method, const pen_spec *spec,
                       const learning *in)
{
    const char *const path = args_value(args, "output");
    pen_model *model = NULL;
    pen_error err;

    int status = learn_fit(args, method, spec, in, &model);
    if (progress_signal())
        return progress_die_told(args->command);
    if (status == CLI_OK && pen_model_save(model, path, &err) != PEN_OK)
        status = input_failed(args, &err);
    if (status == CLI_OK && !args_value(args, "quiet"))
        learn_report_model(args, model, path);
    pen_model_free(model);
    return status;
}

/* A fact that is a number; negative if there is none. */
static double info_number(const pen_facts *info, const char *name)
{
    const pen_fact *const fact = pen_fact_named(info, name);
    return fact && fact->type == PEN_FACT_NUMBER ? fact->numbers[0] : -1;
}

static void report_number(const char *before, double number, const char *what, const char *after)
{
    if (number >= 0)
        fprintf(stderr, "%s%.0f %s%s%s", before, number, what, number == 1 ? "" : "s", after);
}

/* What the user should know of the fit before he uses it; few models have one. */
static void report_warning(const cli_args *args, const pen_facts *info)
{
    const pen_fact *const warning = pen_fact_named(info, "warning");

    if (warning && warning->type == PEN_FACT_TEXT)
        cli_say(args->command, 0, "warning: %s", warning->text);
}

/* How many pairs counted; only models of methods that learn from pairs say it. */
static void report_pairs(const cli_args *args, const pen_facts *info)
{
    const double twice = info_number(info, "duplicates"),
                 dropped = info_number(info, "contradictions");

    if (info_number(info, "must_links") < 0)
        return;
    fprintf(stderr, "penumbra %s: ", args->command);
    report_number("", info_number(info, "must_links"), "must-link", "");
    report_number(", ", info_number(info, "cannot_links"), "cannot-link", "");
    report_number(", ", twice > 0 ? twice : -1, "duplicate", "");
    report_number(", ", dropped > 0 ? dropped : -1, "contradiction", " dropped");
    fputc('\n', stderr);
}

static void report_eigenvalues(const pen_model *model)
{
    const int64_t dims = pen_model_output_dim(model);
    const double *const eigenvalues = pen_model_eigenvalues(model);

    if (!eigenvalues)
        return;
    fputs(", eigenvalues", stderr);
    for (int64_t i = 0; i < dims && i < VALUES_SHOWN; i++)
        fprintf(stderr, " %.4g", eigenvalues[i]);
    fputs(dims > VALUES_SHOWN ? " ..." : "", stderr);
}

void learn_report_model(const cli_args *args, const pen_model *model, const char *path)
{
    const int64_t dims = pen_model_output_dim(model);
    const pen_facts *const info = pen_model_info_facts(model);

    report_pairs(args, info);
    output_report(args, path);
    fprintf(stderr, "%lld dimension%s", (long long)dims, dims == 1 ? "" : "s");
    report_eigenvalues(model);
    /* How an iteration ended; only models of methods that iterate say it. */
    report_number("; ", info_number(info, "iterations"), "iteration", "");
    if (info_number(info, "converged") == 0)
        fputs(", not converged", stderr);
    fputc('\n', stderr);
    report_warning(args, info);
}
