/* cmd_fit.c - penumbra fit: learn a model from rows, labels and pairs. */
#define _POSIX_C_SOURCE 200809L

#include "classes.h"
#include "input.h"
#include "output.h"
#include "pairs.h"
#include "progress.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "penumbra fit METHOD DATA [flags] -o MODEL";

enum { MOST_THREADS = 1024, VALUES_SHOWN = 6 };

static const cli_flag flags[] = {
    { "output", "FILE", "where the model is written", 'o' },
    { "labels", "FILE", "a file of labels, one for each row", 0 },
    { "threads", "N", "threads to use (all cores); the model is the same for any", 0 },
    { "quiet", NULL, "no progress and no report", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

/* Unless the method has a parameter of that name. */
static const cli_flag propagate_flag[] = {
    { "propagate", "FILE",
      "where the classes of the rows are written with their scores,\nby methods that give some: .csv, .tsv, or - for CSV on\nstandard output",
      0 },
    { NULL, NULL, NULL, 0 },
};

/* ---- parameters as flags ---- */

/* The method that the command line names, wherever it stands; NULL: none yet. */
static const pen_method *method_in(int argc, char **argv)
{
    const pen_method *method = NULL;
    for (int i = 1; i < argc && !method; i++)
        method = argv[i][0] == '-' ? NULL : pen_method_named(argv[i]);
    return method;
}

static int has_param(const pen_method *method, const char *name)
{
    const pen_param *param;
    for (int64_t i = 0; method && (param = pen_method_param(method, i)); i++)
        if (cli_same_name(param->name, name))
            return 1;
    return 0;
}

static int flag_known(const cli_flag *table, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (cli_same_name(table[i].name, name))
            return 1;
    return 0;
}

/* A flag for each parameter of any method but `without` (NULL: all), so that flags may come before METHOD too. free() it. */
static cli_flag *param_flags(const char *without)
{
    const pen_param *param;
    size_t room = 1;
    int count = 0;

    for (int64_t i = 0; i < pen_method_count(); i++)
        for (int64_t j = 0; pen_method_param(pen_method_at(i), j); j++)
            room++;
    cli_flag *const table = calloc(room, sizeof *table);
    if (!table)
        return NULL;
    for (int64_t i = 0; i < pen_method_count(); i++)
        for (int64_t j = 0; (param = pen_method_param(pen_method_at(i), j)); j++)
            if (!flag_known(table, count, param->name) && !(without && cli_same_name(param->name, without)))
                table[count++] = (cli_flag){ param->name, param->type == PEN_PARAM_FLAG ? "" : "VALUE", param->help, 0 };
    return table;
}

/* What is said behind an unknown flag once METHOD is known: the parameters there are. */
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

/* The parameter an argument is, or NULL. */
static const cli_flag *param_of(const cli_arg *arg, const cli_flag *table)
{
    for (; arg->name && table->name; table++)
        if (arg->name == table->name)
            return table;
    return NULL;
}

/* The method with the values of the command line. */
static int make_spec(const cli_args *args, const cli_flag *params, pen_spec **spec)
{
    pen_error err;

    if (pen_spec_new(args_operand(args, 0), spec, &err) != PEN_OK)
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

/* ---- data ---- */

typedef struct input {
    pen_table *rows;
    pen_table *label_file; /* NULL: the labels are those of the rows */
    pairs pairs;
    pen_data data;
} input;

static void input_free(input *in)
{
    pen_table_free(in->rows);
    pen_table_free(in->label_file);
    pairs_free(&in->pairs);
}

static int read_input(const cli_args *args, const pen_read_options *options, input *in)
{
    const char *const path = args_operand(args, 1), *const labels = args_value(args, "labels");

    int status = input_rows(args, path, options, &in->rows);
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

/* ---- report ---- */

/* A member of a model's info that is a number; negative if there is none. */
static double info_number(const cJSON *info, const char *name)
{
    const cJSON *const member = cJSON_GetObjectItemCaseSensitive(info, name);
    return cJSON_IsNumber(member) ? member->valuedouble : -1;
}

static void report_number(const char *before, double number, const char *what, const char *after)
{
    if (number >= 0)
        fprintf(stderr, "%s%.0f %s%s%s", before, number, what, number == 1 ? "" : "s", after);
}

/* How many pairs counted; only models of methods that learn from pairs say it. */
static void report_pairs(const cli_args *args, const pen_model *model)
{
    cJSON *const info = cJSON_Parse(pen_model_info(model));
    const double twice = info_number(info, "duplicates"), dropped = info_number(info, "contradictions");

    if (info_number(info, "must_links") >= 0) {
        fprintf(stderr, "penumbra %s: ", args->command);
        report_number("", info_number(info, "must_links"), "must-link", "");
        report_number(", ", info_number(info, "cannot_links"), "cannot-link", "");
        report_number(", ", twice > 0 ? twice : -1, "duplicate", "");
        report_number(", ", dropped > 0 ? dropped : -1, "contradiction", " dropped");
        fputc('\n', stderr);
    }
    cJSON_Delete(info);
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

/* How an iteration ended; only models of methods that iterate say it. */
static void report_iterations(const pen_model *model)
{
    cJSON *const info = cJSON_Parse(pen_model_info(model));

    report_number("; ", info_number(info, "iterations"), "iteration", "");
    if (info_number(info, "converged") == 0)
        fputs(", not converged", stderr);
    cJSON_Delete(info);
}

static void report(const cli_args *args, const pen_data *data, const pen_model *model, const char *path)
{
    const int64_t dims = pen_model_output_dim(model);

    fprintf(stderr, "penumbra %s: %s, %lld rows of %lld columns", args->command, pen_model_method(model), (long long)data->x.rows,
            (long long)data->x.cols);
    if (data->labels) {
        fputs(", ", stderr);
        input_print_classes("labelled", data->labels, data->x.rows, data->class_names, data->class_count);
    }
    fputc('\n', stderr);
    report_pairs(args, model);
    fprintf(stderr, "penumbra %s: %s: %lld dimension%s", args->command, path, (long long)dims, dims == 1 ? "" : "s");
    report_eigenvalues(model);
    report_iterations(model);
    fputc('\n', stderr);
}

/* ---- the classes of the rows ---- */

static int check_predict(const cli_args *args, const pen_method *method)
{
    char known[METHODS_SIZE];

    if (!args_value(args, "propagate"))
        return CLI_OK;
    if (!(pen_method_traits(method) & PEN_PROPAGATES)) {
        cli_list_methods(PEN_PROPAGATES, known, sizeof known);
        return cli_say(args->command, CLI_USAGE, "--propagate is of no use to %s, which gives the rows no classes; %s do",
                       pen_method_name(method), *known ? known : "none of the methods");
    }
    return classes_check(args, "propagate");
}

/* The class of the largest score, the first among equal ones. */
static int32_t best_class(const double *scores, int64_t count)
{
    int64_t best = 0;
    for (int64_t c = 1; c < count; c++)
        if (scores[c] > scores[best])
            best = c;
    return (int32_t)best;
}

/* Labelled rows keep their labels. Every class of a table has a row, so that its number is that of the model's class. */
static int propagate(const cli_args *args, const pen_data *data, const pen_model *model, classes *out)
{
    const double *const scores = pen_model_propagated(model);
    const int64_t n = pen_model_fitted_rows(model), count = pen_model_class_count(model);

    if (!args_value(args, "propagate"))
        return CLI_OK;
    if (!scores)
        return cli_say(args->command, CLI_FAILED, "this fit of %s gave the rows no classes", pen_model_method(model));
    const int status = classes_new(args, n, count, 1, out);
    if (status != CLI_OK)
        return status;
    memcpy(out->scores, scores, (size_t)(n * count) * sizeof *scores);
    for (int64_t i = 0; i < n; i++) {
        out->given[i] = data->labels[i] != PEN_UNLABELLED;
        out->of_row[i] = out->given[i] ? data->labels[i] : best_class(scores + i * count, count);
    }
    return CLI_OK;
}

/* Rows that were not labelled and whose largest score is that of several classes, as where nothing reaches them. */
static int64_t count_undecided(const classes *all)
{
    int64_t count = 0;

    for (int64_t i = 0; i < all->n; i++) {
        const double *const scores = all->scores + i * all->count;
        int64_t largest = 0;
        for (int64_t c = 0; c < all->count; c++)
            largest += scores[c] == scores[all->of_row[i]];
        count += !all->given[i] && largest > 1;
    }
    return count;
}

/* The rows that were not labelled, by class. */
static void report_classes(const cli_args *args, const pen_data *data, classes *all)
{
    const int64_t undecided = count_undecided(all);

    /* What was given is not told again. */
    for (int64_t i = 0; i < all->n; i++)
        if (all->given[i])
            all->of_row[i] = PEN_UNLABELLED;
    fprintf(stderr, "penumbra %s: %s: ", args->command, output_name(args_value(args, "propagate")));
    input_print_classes("unlabelled rows got a class", all->of_row, all->n, data->class_names, data->class_count);
    if (undecided > 0)
        fprintf(stderr, ", %lld of them the first of equal scores", (long long)undecided);
    fputc('\n', stderr);
}

/* ---- the command ---- */

static pen_status write_classes(const cli_args *args, const input *in, const pen_model *model, const classes *all, pen_error *err)
{
    return classes_write(args_value(args, "propagate"), all, model, (const char *const *)in->rows->row_names, err);
}

/* The model and the classes, both or none: what cannot be taken back goes first. */
static pen_status save(const cli_args *args, const input *in, const pen_model *model, const classes *all, pen_error *err)
{
    const char *const out = args_value(args, "output"), *const to = args_value(args, "propagate");
    const int out_new = output_new(out), classes_first = to && output_streamed(to) && !output_streamed(out);
    pen_status status = PEN_OK;

    if (classes_first)
        status = write_classes(args, in, model, all, err);
    if (status == PEN_OK)
        status = pen_model_save(model, out, err);
    if (status != PEN_OK || !to || classes_first)
        return status;
    status = write_classes(args, in, model, all, err);
    if (status != PEN_OK && out_new)
        remove(out);
    return status;
}

static int save_and_report(const cli_args *args, const input *in, const pen_model *model)
{
    const char *const path = args_value(args, "output");
    classes all = { 0 };
    pen_error err;

    int status = propagate(args, &in->data, model, &all);
    if (status == CLI_OK && save(args, in, model, &all, &err) != PEN_OK)
        status = input_failed(args, &err);
    if (status == CLI_OK && !args_value(args, "quiet")) {
        report(args, &in->data, model, output_name(path));
        if (all.n > 0)
            report_classes(args, &in->data, &all);
    }
    classes_free(&all);
    return status;
}

static int fit_and_save(const cli_args *args, const pen_spec *spec, const input *in, int threads)
{
    pen_model *model = NULL;
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { threads, progress_show, &bar };
    const pen_status status = pen_fit(spec, &in->data, &control, &model, &err);
    progress_end(&bar);
    if (progress_signal()) {
        pen_model_free(model);
        return progress_die(args->command);
    }
    const int result = status == PEN_OK ? save_and_report(args, in, model) : pairs_failed(args, &err);
    pen_model_free(model);
    return result;
}

static int fit(const cli_args *args, const cli_flag *params)
{
    const pen_method *method = NULL;
    pen_read_options options;
    pen_spec *spec = NULL;
    input in = { 0 };
    int threads = 0;

    int status = args_operands(args, 2, 2, usage);
    if (status == CLI_OK)
        status = make_spec(args, params, &spec);
    if (status == CLI_OK)
        method = pen_method_named(args_operand(args, 0));
    if (status == CLI_OK && !args_value(args, "output"))
        status = cli_say(args->command, CLI_USAGE, "-o MODEL is needed: the file the model is written to");
    if (status == CLI_OK)
        status = args_not_both(args, "labels", "label-column");
    if (status == CLI_OK)
        status = args_int(args, "threads", 1, MOST_THREADS, &threads);
    if (status == CLI_OK)
        status = input_options(args, &options);
    if (status == CLI_OK)
        status = pairs_options(args, method, &in.pairs);
    if (status == CLI_OK)
        status = check_predict(args, method);
    if (status == CLI_OK)
        status = output_apart(args);
    if (status == CLI_OK)
        status = input_sources(args, args_operand(args, 1));
    if (status == CLI_OK)
        status = read_input(args, &options, &in);
    if (status == CLI_OK)
        status = fit_and_save(args, spec, &in, threads);
    input_free(&in);
    pen_spec_free(spec);
    return status;
}

static int print_help(int argc, char **argv)
{
    printf("usage: %s\n\n"
           "Learn a model from the rows of DATA (CSV, TSV, npy or libsvm; - is standard input), the labels they have, and pairs of them.\n"
           "A label -1, NA, NaN, ? or an empty one means that the row is unlabelled.\n\n",
           usage);
    args_print_flags(flags);
    if (!has_param(method_in(argc, argv), "propagate"))
        args_print_flags(propagate_flag);
    puts("\nPairs of rows, for methods that learn from them; all pairs of labelled rows count too:");
    args_print_flags(pairs_flags);
    puts("\nReading DATA:");
    args_print_flags(input_flags);
    const pen_method *const method = method_in(argc, argv);
    if (method) {
        putchar('\n');
        cli_print_title(method);
        putchar('\n');
        cli_print_params(method);
        return CLI_OK;
    }
    puts("\nMethods (penumbra fit METHOD --help lists the parameters):");
    cli_print_methods();
    return CLI_OK;
}

int cmd_fit(int argc, char **argv)
{
    cli_args args;

    if (args_want_help(argc, argv))
        return print_help(argc, argv);
    const int own = has_param(method_in(argc, argv), "propagate");
    cli_flag *const params = param_flags(own ? NULL : "propagate");
    if (!params)
        return cli_say(argv[0], CLI_FAILED, "out of memory");
    const cli_flag *const tables[] = { flags, pairs_flags, input_flags, params, own ? NULL : propagate_flag, NULL };
    int status = args_parse(argc, argv, tables, list_params, &args);
    if (status == CLI_OK)
        status = fit(&args, params);
    args_free(&args);
    free(params);
    return status;
}
