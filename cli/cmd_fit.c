/* cmd_fit.c - penumbra fit: learn a model from rows, labels and pairs. */
#define _POSIX_C_SOURCE 200809L

#include "block_fit.h"
#include "block_plan.h"
#include "choice.h"
#include "class_output.h"
#include "input.h"
#include "leak_warning.h"
#include "learn.h"
#include "method_text.h"
#include "output.h"
#include "progress.h"
#include "selection.h"
#include "stats_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_flag flags[] = {
    { "output", "FILE", "where the model is written", 'o' },
    { "labels", "FILE", "a file of labels, one for each row", 0 },
    { "threads", "N", "number of threads (all cores); the model does not depend on it", 0 },
    { "answer", "map|classes",
      "without METHOD: one map with its reader (map), or the mean of\nall that do as well: better "
      "classes, a larger model",
      0 },
    { "effort", "E", "without METHOD: how much is tried, in units of the default (1)", 0 },
    { "groups", "COLUMN|FILE", CLI_GROUPS_HELP, 0 },
    { "kernels", NULL, "without METHOD, labels and pairs: each method with the rbf kernel, too",
      0 },
    { "quiet", NULL, "no progress bar, no report, no warnings", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

/* Unless the method has a parameter of that name. */
static const cli_flag propagate_flag[] = {
    { "propagate", "FILE",
      "write the classes of the rows with their probabilities: .csv,\n.tsv, or - for CSV on "
      "standard output",
      0 },
    { NULL, NULL, NULL, 0 },
};

static const cli_flag graph_flag[] = {
    { "neighbors-graph", "FILE",
      "a .npz file of near rows and their distances, from any\nsearch (SciPy, CSR, rows x rows): "
      "taken instead of searching",
      0 },
    { NULL, NULL, NULL, 0 },
};

/* ---- METHOD and DATA ---- */

/* METHOD, or NULL: a single operand is DATA. */
static const char *method_operand(const cli_args *args)
{
    return args_operand(args, 1) ? args_operand(args, 0) : NULL;
}

static const char *data_operand(const cli_args *args)
{
    return args_operand(args, method_operand(args) ? 1 : 0);
}

static int is_file_there(const char *path)
{
    return strcmp(path, "-") == 0 || access(path, F_OK) == 0;
}

static int is_method(const char *name)
{
    return strcmp(name, "auto") == 0 || pen_method_named(name);
}

/* The method is named, DATA is not; or they are in the wrong order. */
static int check_operands(const cli_args *args)
{
    const char *const first = args_operand(args, 0), *const second = args_operand(args, 1);

    if (!second && is_method(first) && !is_file_there(first))
        return cli_say(args->command, CLI_USAGE,
                       "%s is a method, and there is no file of that name; usage: penumbra fit "
                       "[METHOD] DATA [flags] -o MODEL",
                       first);
    if (second && !is_method(first) && is_method(second) && is_file_there(first))
        return cli_say(args->command, CLI_USAGE, "METHOD comes first: penumbra fit %s %s", second,
                       first);
    if (second && !is_method(first) && is_file_there(first) && is_file_there(second))
        return cli_say(args->command, CLI_USAGE,
                       "one file of rows is read, got \"%s\" and \"%s\"; labels are read with "
                       "--labels, pairs with --pairs",
                       first, second);
    return CLI_OK;
}

/* ---- the classes of the rows ---- */

/* Where classes are written, or NULL; not the parameter of that name that some methods have. */
static const char *propagate_path(const cli_args *args)
{
    const char *const name = method_operand(args);
    return method_has(name ? pen_method_named(name) : NULL, "propagate")
               ? NULL
               : args_value(args, "propagate");
}

static int32_t best_class(const double *scores, int64_t count)
{
    int64_t best = 0;
    for (int64_t c = 1; c < count; c++)
        if (scores[c] > scores[best])
            best = c;
    return (int32_t)best;
}

/* The scores that the fit gave its rows, unless a reader was named that gives others; or NULL. */
static const double *scores_of_fit(const pen_spec *spec, const pen_model *model)
{
    const char *const reader = pen_model_reader(model);
    double named = 0; /* auto */

    if (!spec)
        return pen_model_propagated(model);
    if (pen_spec_get(spec, "reader", &named, NULL) != PEN_OK)
        return NULL;
    return named == 0 || !reader || strcmp(reader, "scores") == 0 ? pen_model_propagated(model)
                                                                  : NULL;
}

/* The classes of the rows by their scores in the fit, or as the model predicts them. */
static int classify(const cli_args *args, const learning *in, const pen_spec *spec,
                    const pen_model *model, classes *out)
{
    const double *const scores = scores_of_fit(spec, model);
    const int64_t n = pen_model_fitted_rows(model), count = pen_model_class_count(model);
    pen_error err;

    if (scores) {
        memcpy(out->scores, scores, (size_t)(n * count) * sizeof *scores);
        for (int64_t i = 0; i < n; i++)
            out->of_row[i] = best_class(scores + i * count, count);
        return CLI_OK;
    }
    const pen_control control = { .threads = in->threads };
    if (pen_predict(model, &in->data.x, out->of_row, out->scores, &control, &err) != PEN_OK)
        return cli_say(args->command, CLI_FAILED, "%s", err.message);
    return CLI_OK;
}

/* Makes room for the rows that were dropped, which get no class. rows: those that were kept. */
static void spread(const pen_table *rows, int64_t kept, classes *out)
{
    const int64_t c = out->count;

    for (int64_t i = out->n - 1, k = kept - 1; rows->row_numbers && i >= 0; i--) {
        const int there = k >= 0 && rows->row_numbers[k] == i;
        out->of_row[i] = there ? out->of_row[k] : PEN_UNLABELLED;
        out->given[i] = there && out->given[k];
        for (int64_t j = 0; j < c; j++)
            out->scores[i * c + j] = there ? out->scores[k * c + j] : (double)NAN;
        k -= there;
    }
}

/* Labelled rows keep their labels. Every class of a table has a row, so that its number is that of
 * the model's class. */
static int propagate(const cli_args *args, const learning *in, const pen_spec *spec,
                     const pen_model *model, classes *out)
{
    if (!propagate_path(args))
        return CLI_OK;
    if (!pen_model_reader(model) && !pen_model_propagated(model))
        return cli_say(
            args->command, CLI_FAILED, "--propagate: this fit of %s gives the rows no classes: %s",
            pen_model_method(model),
            pen_model_class_count(model) >= 2 ? "it has no reader"
                                              : "there are no labels of at least two classes");
    const int64_t kept = in->data.x.rows;
    int status =
        classes_new(args, kept + in->rows->dropped_rows, pen_model_class_count(model), 1, out);
    if (status == CLI_OK)
        status = classify(args, in, spec, model, out);
    for (int64_t i = 0; status == CLI_OK && i < kept; i++) {
        out->given[i] = in->data.labels[i] != PEN_UNLABELLED;
        if (out->given[i])
            out->of_row[i] = in->data.labels[i];
    }
    if (status == CLI_OK)
        spread(in->rows, kept, out);
    return status;
}

/* The rows that were not labelled, by class, and the number of those without a score above 0, as
 * where no label reaches them, or with equal ones. */
static void report_classes(const cli_args *args, const pen_data *data, const pen_model *model,
                           classes *all)
{
    const pen_fact *const undecided = pen_fact_named(pen_model_info_facts(model), "undecided");

    /* Given labels are not reported again. */
    for (int64_t i = 0; i < all->n; i++)
        if (all->given[i])
            all->of_row[i] = PEN_UNLABELLED;
    output_report(args, propagate_path(args));
    input_print_classes("unlabelled rows classified", all->of_row, all->n, data->class_names,
                        data->class_count);
    if (undecided)
        fprintf(stderr, ", %.0f of them undecided (equal scores)", undecided->numbers[0]);
    fputc('\n', stderr);
}

/* ---- the command ---- */

static pen_status write_classes(const cli_args *args, const learning *in, const pen_model *model,
                                const classes *all, pen_error *err)
{
    const pen_table *const rows = in->rows;
    const char **const names = calloc((size_t)all->n + 1, sizeof *names); /* in the file's order */

    for (int64_t i = 0; names && rows->row_names && i < all->n; i++)
        names[rows->row_numbers ? rows->row_numbers[i] : i] = rows->row_names[i];
    const pen_status status =
        names ? classes_write(propagate_path(args), all, model, rows->row_names ? names : NULL, err)
              : PEN_NO_MEMORY;
    free(names);
    return status;
}

/* The model and the classes, both or neither: what cannot be undone is written first. */
static pen_status save(const cli_args *args, const learning *in, const pen_model *model,
                       const classes *all, pen_error *err)
{
    const char *const out = args_value(args, "output"), *const to = propagate_path(args);
    const int out_new = output_new(out),
              classes_first = to && output_streamed(to) && !output_streamed(out);
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

static int save_and_report(const cli_args *args, const learning *in, const pen_spec *spec,
                           const pen_model *model)
{
    const char *const path = args_value(args, "output");
    classes all = { 0 };
    pen_error err;

    int status = propagate(args, in, spec, model, &all);
    if (status == CLI_OK && save(args, in, model, &all, &err) != PEN_OK)
        status = input_failed(args, &err);
    if (status == CLI_OK && !args_value(args, "quiet")) {
        cli_tell(args->command);
        learn_print_data(pen_model_method(model), &in->data);
        fputc('\n', stderr);
        learn_report_model(args, model, path);
        if (all.n > 0)
            report_classes(args, &in->data, model, &all);
    }
    classes_free(&all);
    return status;
}

static int fit_and_save(const cli_args *args, const pen_spec *spec, const learning *in)
{
    pen_model *model = NULL;

    int status = learn_fit(args, spec, in, &model);
    if (progress_signal())
        return progress_die(args->command);
    if (status == CLI_OK)
        status = save_and_report(args, in, spec, model);
    pen_model_free(model);
    return status;
}

static int check_output(const cli_args *args)
{
    if (!args_value(args, "output"))
        return cli_say(args->command, CLI_USAGE, "-o MODEL is required: the file for the model");
    return CLI_OK;
}

static int check_method(const cli_args *args, const char *name)
{
    pen_spec *spec;
    pen_error err;

    if (pen_spec_new(name, &spec, &err) != PEN_OK)
        return cli_say(args->command, CLI_USAGE, "%s%s", err.message,
                       err.code == PEN_UNKNOWN_NAME ? "; auto selects the best one" : "");
    pen_spec_free(spec);
    return CLI_OK;
}

/* The rows at once. */
static int fit_read(const cli_args *args, const pen_spec *spec, learning *in)
{
    const char *const graph = args_value(args, "neighbors-graph");
    pen_error err;

    const int status = learn_read(args, data_operand(args), in);
    if (status == CLI_OK && graph && pen_sparse_read(graph, &in->neighbors, &err) != PEN_OK)
        return input_failed(args, &err);
    in->data.neighbors = in->neighbors;
    return status == CLI_OK ? fit_and_save(args, spec, in) : status;
}

/* METHOD as named. */
static int fit_named(const cli_args *args, const cli_flag *params, learning *in)
{
    static const char *const only_auto[] = { "effort", "kernels", "answer" };
    const char *const name = method_operand(args), *const path = data_operand(args);
    pen_spec *spec = NULL;
    int in_blocks = 0;

    int status = check_method(args, name);
    if (status == CLI_OK)
        status = params_spec(args, name, params, &spec);
    if (status == CLI_OK)
        status = check_output(args);
    for (int i = 0; i < 3 && status == CLI_OK; i++)
        if (args_value(args, only_auto[i]))
            status =
                cli_say(args->command, CLI_USAGE,
                        "--%s applies to a fit without METHOD only, not to %s", only_auto[i], name);
    if (status == CLI_OK)
        status = propagate_path(args) ? classes_check(args, "propagate") : CLI_OK;
    if (status == CLI_OK)
        status = learn_options(args, pen_spec_method(spec), path, in);
    if (status == CLI_OK)
        status = block_plan_wanted(args, path, in, &in_blocks);
    if (status == CLI_OK)
        status = in_blocks ? block_fit(args, spec, path, in) : fit_read(args, spec, in);
    pen_spec_free(spec);
    return status;
}

/* The flags that name or need a method. */
static int check_auto(const cli_args *args, const cli_flag *params)
{
    static const char *const only_named[] = { "neighbors-graph", "memory" };
    const char *param = params_any(args, params);

    for (int i = 0; i < 2 && !param; i++)
        param = args_value(args, only_named[i]) ? only_named[i] : NULL;
    if (param)
        return cli_say(args->command, CLI_USAGE,
                       "--%s requires a METHOD; without one, or with auto, parameters are chosen",
                       param);
    return classes_check(args, "propagate");
}

/* What the library takes without trials. */
static int fit_default(const cli_args *args, const pen_selection *found, const learning *in)
{
    const char *const name = pen_method_name(pen_spec_method(found->spec));
    char text[CHOICE_TEXT];

    params_describe(found->spec, text, sizeof text);
    if (!args_value(args, "quiet"))
        cli_say(args->command, 0, "%s%s%s: %s", name, *text ? " " : "", text, found->reason);
    return fit_and_save(args, found->spec, in);
}

/* The recommended method, tuned. */
static int fit_recommended(const cli_args *args, const choice_rules *rules, const learning *in)
{
    pen_comparison *found = NULL;

    int status = choice_make(args, rules, in, &found);
    if (status == CLI_OK && !args_value(args, "quiet"))
        choice_report(args, found);
    if (status == CLI_OK)
        status = fit_and_save(args, choice_taken(found)->spec, in);
    pen_comparison_free(found);
    return status;
}

static const char *const answers[] = { "map", "classes", NULL };

/* One of the maps with a reader, or several. */
static int fit_selected(const cli_args *args, const choice_rules *rules, const learning *in)
{
    pen_selection *found = NULL;
    pen_model *model = NULL;
    int together = 0;

    int status = args_choice(args, "answer", answers, &together);
    if (status == CLI_OK && args_value(args, "kernels"))
        status = cli_say(args->command, CLI_USAGE,
                         "--kernels applies to labels with pairs, which are compared by all "
                         "methods; of labels alone kernels are tried in any case");
    if (status == CLI_OK) {
        copies_warn(args, &in->data);
        status = selection_make(args, rules->protocol.effort, in, &found);
    }
    if (status == CLI_OK) {
        selection_report(args, found, together);
        leaks_warn(args, in->rows, &in->data, 1);
    }
    if (status == CLI_OK)
        status = selection_fit(
            args, found,
            &(pen_wanted){ .ensemble = together, .rows = propagate_path(args) != NULL }, in,
            &model);
    if (status == CLI_OK)
        status = save_and_report(args, in, found->spec, model);
    pen_selection_free(found);
    pen_model_free(model);
    return progress_signal() && status != CLI_OK ? progress_die(args->command) : status;
}

/* The answer of several is that of labels alone. */
static int check_answer(const cli_args *args)
{
    return args_value(args, "answer")
               ? cli_say(args->command, CLI_USAGE,
                         "--answer applies to labels of at least two classes without pairs")
               : CLI_OK;
}

/* What the library takes for pairs, rows alone, and labels of one class. */
static int fit_others(const cli_args *args, const choice_rules *rules, const learning *in)
{
    pen_selection *found = NULL;

    int status = check_answer(args);
    if (status == CLI_OK)
        status = selection_make(args, 0, in, &found);
    if (status == CLI_OK)
        status = found->spec ? fit_default(args, found, in) : fit_recommended(args, rules, in);
    pen_selection_free(found);
    return progress_signal() && status != CLI_OK ? progress_die(args->command) : status;
}

static int fit_best(const cli_args *args, const cli_flag *params, learning *in)
{
    const char *const path = data_operand(args);
    choice_rules rules = { .readers = NULL };

    int status = check_output(args);
    if (status == CLI_OK)
        status = check_auto(args, params);
    if (status == CLI_OK)
        status = choice_limits(args, &rules);
    if (status == CLI_OK)
        status = learn_options(args, NULL, path, in);
    if (status == CLI_OK)
        status = learn_read(args, path, in);
    if (status == CLI_OK)
        status =
            selection_applies(in) ? fit_selected(args, &rules, in) : fit_others(args, &rules, in);
    return status;
}

static int is_auto(const cli_args *args)
{
    const char *const name = method_operand(args);
    return !name || strcmp(name, "auto") == 0;
}

static int fit(const cli_args *args, const cli_flag *params)
{
    learning in = { 0 };

    int status = check_operands(args);
    if (status == CLI_OK && stats_are_in(data_operand(args)))
        return stats_fit_command(args, method_operand(args), data_operand(args), params);
    if (status == CLI_OK)
        status = is_auto(args) ? fit_best(args, params, &in) : fit_named(args, params, &in);
    learn_free(&in);
    return status;
}

static const args_form form = {
    "penumbra fit [METHOD] DATA [flags] -o MODEL",
    "Learn a model from the rows of DATA (CSV, TSV, npy or libsvm; - is standard input), the "
    "labels they have, and pairs of rows;\n"
    "or from their statistics (penumbra stats, penumbra merge).\n"
    "The label -1, NA, NaN, ? or an empty cell marks an unlabelled row. Without METHOD, or with "
    "auto, labels are held out to choose a\n"
    "map and a reader of classes; where there are pairs besides labels, to compare all "
    "methods, as penumbra compare does. Where\n"
    "no labels can be held out: wbdr for pairs of both kinds, ssdr for pairs of one kind, class "
    "scores for fewer than three labels a class,\n"
    "and pca for rows alone.\n",
    1,
    2,
    { { NULL, flags },
      { NULL, memory_flag },
      { NULL, propagate_flag },
      { "A graph of near rows, for methods that use one", graph_flag },
      { "Pairs of rows, for methods that learn from them, in addition to all pairs of labelled "
        "rows",
        pairs_flags },
      { "Reading DATA", input_flags } },
};

static int names_method(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-' && is_method(argv[i]))
            return 1;
    return 0;
}

int cmd_fit(int argc, char **argv)
{
    static const cli_flag none[] = { { NULL, NULL, NULL, 0 } };
    const pen_method *const method = params_method_in(argc, argv);
    args_form own = form;

    if (method_has(method, "propagate"))
        own.groups[2].flags = none;
    const int status = params_run(&own, argc, argv, fit);
    if (args_want_help(argc, argv) && !names_method(argc, argv)) {
        puts("\nMethods (penumbra fit METHOD --help lists the parameters):");
        method_print_all();
    }
    return status;
}
