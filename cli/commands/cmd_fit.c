/* cmd_fit.c - penumbra fit: learn a model from rows, labels and pairs. */
#define _POSIX_C_SOURCE 200809L

#include "block_fit.h"
#include "class_output.h"
#include "flags/input.h"
#include "flags/method_text.h"
#include "flags/output.h"
#include "leak_warning.h"
#include "learn.h"
#include "progress.h"
#include "selection.h"
#include "stats_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 10000 };

static const cli_flag flags[] = {
    { "output", "FILE", "where the model is written", 'o' },
    { "labels", "FILE", "a file of labels, one for each row, or lines that name rows", 0 },
    { "keep-labels", "N|P%",
      "learn from N labels of each class, or from P percent of them, and\ntest on the others", 0 },
    { "classes", "FILE",
      "write the class of every row with its probability, too: .csv,\n.tsv, or - for CSV on "
      "standard output",
      0 },
    { "threads", "N", "number of threads (all cores); the model does not depend on it", 0 },
    { "ensemble", NULL,
      "without METHOD: keep all good candidates, whose mean predicts:\nmore accurate, a larger "
      "model",
      0 },
    { "effort", "E", "without METHOD: how much is tried, in units of the default (1)", 0 },
    { "groups", "COLUMN|FILE", CLI_GROUPS_HELP, 0 },
    { "block", "ID",
      "write what METHOD needs of these rows, the block ID (from 0), as\nstatistics, .pens; "
      "penumbra fit METHOD A.pens B.pens learns from all",
      0 },
    { "quiet", NULL, "no progress bar, no report, no warnings", 'q' },
    { "verbose", NULL, "all that was tried, and more numbers of the fit", 0 },
    { "help", NULL, "this text", 'h' },
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

static int is_file_there(const char *path)
{
    return strcmp(path, "-") == 0 || access(path, F_OK) == 0;
}

static int is_method(const char *name)
{
    return strcmp(name, "auto") == 0 || pen_method_named(name);
}

/* METHOD, or NULL: the first operand is DATA, as a single one is. */
static const char *method_operand(const cli_args *args)
{
    const char *const first = args_operand(args, 0);

    return args_operand(args, 1) && (is_method(first) || !is_file_there(first)) ? first : NULL;
}

/* DATA, NULL after the last. */
static const char *const *data_operands(const cli_args *args)
{
    static const char *list[FILES + 1];
    const int first = method_operand(args) != NULL;
    int count = 0;

    for (; args_operand(args, first + count); count++)
        list[count] = args_operand(args, first + count);
    return list;
}

static const char *data_operand(const cli_args *args)
{
    return data_operands(args)[0];
}

static int is_auto(const cli_args *args)
{
    const char *const name = method_operand(args);
    return !name || strcmp(name, "auto") == 0;
}

/* The method is named, DATA is not; or they are in the wrong order. */
static int check_operands(const cli_args *args)
{
    const char *const first = args_operand(args, 0), *const second = args_operand(args, 1);

    if (!second && is_method(first) && !is_file_there(first))
        return cli_say(args->command, CLI_USAGE,
                       "%s is a method, and there is no file of that name; usage: penumbra fit "
                       "[METHOD] DATA... [flags] -o MODEL",
                       first);
    if (second && !is_method(first) && is_method(second) && is_file_there(first))
        return cli_say(args->command, CLI_USAGE, "METHOD comes first: penumbra fit %s %s", second,
                       first);
    return CLI_OK;
}

/* ---- the classes of the rows ---- */

static int32_t best_class(const double *scores, int64_t count)
{
    int64_t best = 0;
    for (int64_t c = 1; c < count; c++)
        if (scores[c] > scores[best])
            best = c;
    return (int32_t)best;
}

/* The probabilities that the fit gave its rows, unless a classifier was named that gives others; or
 * NULL. spec NULL: no method was named. */
static const double *scores_of_fit(const pen_spec *spec, const pen_model *model)
{
    const char *const classifier = cli_model_text(model, "classifier");
    char named[128] = "auto";

    if (spec)
        pen_spec_get(spec, "classifier", named, sizeof named);
    return strcmp(named, "auto") == 0 || !classifier || strcmp(classifier, "scores") == 0
               ? pen_model_tensor(model, "probabilities").values
               : NULL;
}

/* The classes of the rows by their scores in the fit, or as the model predicts them. */
static int classify(const cli_args *args, const learning *in, const pen_spec *spec,
                    const pen_model *model, row_classes *out)
{
    const double *const scores = scores_of_fit(spec, model);
    const int64_t n = in->data.x.rows, count = out->rows.class_count;
    const pen_control control = { .threads = in->threads };
    pen_error err;

    if (pen_predict(model, &in->data.x, &control, scores ? NULL : out->of_row,
                    scores ? NULL : out->scores, out->typical, &err)
        != PEN_OK)
        return cli_say(args->command, CLI_FAILED, "%s", err.message);
    if (!scores)
        return CLI_OK;
    memcpy(out->scores, scores, (size_t)(n * count) * sizeof *scores);
    for (int64_t i = 0; i < n; i++)
        out->of_row[i] = best_class(scores + i * count, count);
    return CLI_OK;
}

/* The accuracy on labels that --keep-labels set aside. Every class of a table has a row, so that
 * its number is that of the model's class. */
static void check_labels(const learning *in, row_classes *all)
{
    for (int64_t i = 0; i < in->data.x.rows; i++) {
        const int32_t label = in->labels[i];
        if (label == PEN_UNLABELLED || in->data.labels[i] != PEN_UNLABELLED)
            continue;
        all->checked++;
        all->correct += all->of_row[i] == label;
    }
}

/* The classes of the rows, where they are wanted. A label is the class of its row. */
static int find_classes(const cli_args *args, const learning *in, const pen_spec *spec,
                        const pen_model *model, row_classes *out)
{
    const char *const wanted = args_value(args, "classes") ? "classes" : "keep-labels";

    if (!args_value(args, wanted))
        return CLI_OK;
    int status = classes_possible(args, wanted, model, 1);
    if (status == CLI_OK)
        status = classes_new(args, model, in->rows, out);
    if (status == CLI_OK)
        status = classify(args, in, spec, model, out);
    if (status != CLI_OK)
        return status;
    for (int64_t i = 0; i < in->data.x.rows; i++)
        if (in->data.labels[i] != PEN_UNLABELLED)
            classes_know(out, i, in->data.labels[i]);
    check_labels(in, out);
    classes_place(out, in->rows, in->labels, in->data.class_names, in->data.class_count);
    return CLI_OK;
}

/* ---- the command ---- */

static int save_and_report(const cli_args *args, const learning *in, const pen_spec *spec,
                           const pen_model *model)
{
    row_classes all = { .of_row = NULL };

    int status = find_classes(args, in, spec, model, &all);
    if (status == CLI_OK)
        status = learn_save(args, model, &all);
    if (status == CLI_OK && !is_auto(args)) /* else they were reported before the trials */
        learn_report_rows(args, in);
    if (status == CLI_OK)
        learn_report_model(args, model);
    if (status == CLI_OK)
        learn_report_saved(args, &all);
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

/* DATA is not read in blocks. */
static int check_one_file(const cli_args *args)
{
    const char *const *const data = data_operands(args);

    if (!data[1])
        return CLI_OK;
    return cli_say(
        args->command, CLI_USAGE,
        "one file of rows is read, got \"%s\" and \"%s\"; labels are read with --labels, "
        "pairs with --pairs",
        data[0], data[1]);
}

/* The rows at once. */
static int fit_read(const cli_args *args, const pen_spec *spec, learning *in)
{
    const char *const graph = args_value(args, "neighbors-graph");
    pen_error err;

    int status = check_one_file(args);
    if (status == CLI_OK)
        status = learn_read(args, data_operand(args), in);
    if (status == CLI_OK && graph && pen_read_graph(graph, &in->neighbors, &err) != PEN_OK)
        return input_failed(args, &err);
    in->data.graph = in->neighbors;
    return status == CLI_OK ? fit_and_save(args, spec, in) : status;
}

/* METHOD as named. */
static int fit_named(const cli_args *args, const cli_flag *params, learning *in)
{
    static const char *const only_auto[] = { "effort", "ensemble" };
    const char *const name = method_operand(args), *const path = data_operand(args);
    pen_spec *spec = NULL;
    int in_blocks = 0;

    int status = check_method(args, name);
    if (status == CLI_OK)
        status = params_spec(args, name, params, &spec);
    if (status == CLI_OK)
        status = check_output(args);
    for (int i = 0; i < 2 && status == CLI_OK; i++)
        if (args_value(args, only_auto[i]))
            status =
                cli_say(args->command, CLI_USAGE,
                        "--%s applies to a fit without METHOD only, not to %s", only_auto[i], name);
    if (status == CLI_OK)
        status = classes_check(args, "classes");
    if (status == CLI_OK)
        status = learn_options(args, pen_spec_method(spec), path, in);
    if (status == CLI_OK)
        status = block_fit_wanted(args, spec, data_operands(args), in, &in_blocks);
    if (status == CLI_OK)
        status =
            in_blocks ? block_fit(args, spec, data_operands(args), in) : fit_read(args, spec, in);
    pen_spec_free(spec);
    return status;
}

/* The flags that name or need a method. */
static int check_auto(const cli_args *args, const cli_flag *params)
{
    static const char *const of_auto[] = { "dim", "classifier", NULL };
    const char *param = params_any(args, params, of_auto);

    if (!param && args_value(args, "neighbors-graph"))
        param = "neighbors-graph";
    if (param)
        return cli_say(args->command, CLI_USAGE,
                       "--%s requires a METHOD; without one, or with auto, parameters are chosen",
                       param);
    return classes_check(args, "classes");
}

/* A method that was chosen, with --dim where that is given. */
static int fit_chosen(const cli_args *args, pen_spec *spec, const pen_wanted *wanted,
                      const learning *in)
{
    pen_error err;

    if (wanted->dim > 0
        && (pen_spec_set_number(spec, "dim", (double)wanted->dim, &err) != PEN_OK
            || pen_spec_set_number(spec, "allow_fewer", 0, &err) != PEN_OK))
        return cli_say(args->command, CLI_USAGE, "%s", err.message);
    return fit_and_save(args, spec, in);
}

/* A number of the result, in which names of files do not come before it. */
static double number_of(const pen_comparison *found, const char *key)
{
    const char *const at = strstr(pen_comparison_json(found), key);
    return at ? strtod(at + strlen(key), NULL) : (double)NAN;
}

/* The recommended method, tuned. */
static int fit_recommended(const cli_args *args, double effort, const pen_wanted *wanted,
                           const learning *in)
{
    const pen_trials trials = { .effort = effort > 0 ? effort : 1 };
    pen_comparison *found = NULL;
    char text[400];
    pen_error err;
    progress bar;

    copies_warn(args, &in->data);
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = in->threads, .progress = progress_show, .user = &bar };
    pen_status tried = pen_compare(NULL, 0, &in->data, &trials, &control, &found, &err);
    progress_end(&bar);
    int status = learn_tried(args, tried, &err);
    const pen_spec *const spec = pen_comparison_spec(found, 0);
    if (status == CLI_OK && !args_value(args, "quiet")) {
        params_describe(spec, text, sizeof text);
        fprintf(cli_line("tried"), "%.0f candidates; taken: %s%s%s\n",
                number_of(found, "\"compared\":"), pen_spec_method(spec)->name, *text ? " " : "",
                text);
        selection_expect(in, number_of(found, "\"accuracy\":"),
                         number_of(found, "\"standard_error\":"), number_of(found, "\"chance\":"),
                         1);
    }
    if (status == CLI_OK) {
        pen_spec *own = NULL;
        status = pen_spec_copy(spec, &own, &err) == PEN_OK ? fit_chosen(args, own, wanted, in)
                                                           : input_failed(args, &err);
        pen_spec_free(own);
    }
    pen_comparison_free(found);
    return status;
}

/* A projection that is learned from several candidates. */
static int fit_projection(const cli_args *args, double effort, const pen_wanted *wanted,
                          const learning *in)
{
    pen_selection *found = NULL;
    pen_model *model = NULL;

    copies_warn(args, &in->data);
    int status = selection_make(args, effort, in, &found);
    if (status == CLI_OK)
        status = selection_fit(args, found, wanted, in, &model);
    if (status == CLI_OK)
        status = save_and_report(args, in, NULL, model);
    pen_selection_free(found);
    pen_model_free(model);
    return status;
}

/* What the library takes for pairs, rows alone, and labels of one class. */
static int fit_others(const cli_args *args, double effort, const pen_wanted *wanted,
                      const learning *in)
{
    static const char *const of_labels[] = { "ensemble", "classifier" };
    pen_selection *found = NULL;

    for (int i = 0; i < 2; i++)
        if (args_value(args, of_labels[i]))
            return cli_say(args->command, CLI_USAGE,
                           "--%s applies to labels of at least two classes without pairs",
                           of_labels[i]);
    int status = selection_make(args, 0, in, &found);
    if (status == CLI_OK)
        status = found->spec ? fit_chosen(args, found->spec, wanted, in)
                             : fit_recommended(args, effort, wanted, in);
    pen_selection_free(found);
    return status;
}

static int fit_best(const cli_args *args, const cli_flag *params, learning *in)
{
    const char *const path = data_operand(args);
    double effort = 0;
    pen_wanted wanted = { .ensemble = args_value(args, "ensemble") != NULL,
                          .rows = args_value(args, "classes") || args_value(args, "keep-labels"),
                          .classifier = args_value(args, "classifier") };

    int status = check_output(args);
    if (status == CLI_OK)
        status = check_auto(args, params);
    if (status == CLI_OK)
        status = args_count(args, "dim", 1, &wanted.dim);
    if (status == CLI_OK)
        status = args_real(args, "effort", 0, 1e9, &effort);
    if (status == CLI_OK)
        status = check_one_file(args);
    if (status == CLI_OK)
        status = learn_options(args, NULL, path, in);
    if (status == CLI_OK)
        status = learn_read(args, path, in);
    if (status != CLI_OK)
        return status;
    learn_report_rows(args, in);
    status = selection_applies(in) ? fit_projection(args, effort, &wanted, in)
                                   : fit_others(args, effort, &wanted, in);
    return progress_signal() && status != CLI_OK ? progress_die(args->command) : status;
}

static int fit(const cli_args *args, const cli_flag *params)
{
    learning in = { 0 };

    int status = check_operands(args);
    for (const char *const *data = data_operands(args); status == CLI_OK && *data; data++)
        if (args_value(args, "block") || stats_are_in(*data))
            return stats_fit(args, method_operand(args), data_operands(args), params);
    if (status == CLI_OK)
        status = is_auto(args) ? fit_best(args, params, &in) : fit_named(args, params, &in);
    learn_free(&in);
    return status;
}

static const args_form form = {
    "penumbra fit [METHOD] DATA... [flags] -o MODEL",
    "Learn a model from the rows of DATA (CSV, TSV, npy or libsvm; - is standard input), the "
    "labels they have, and pairs of rows;\n"
    "or from their statistics, files of fit --block. Files larger than PENUMBRA_MEMORY, such as "
    "2G (half of the memory), are read in blocks.\n"
    "The label -1, NA, NaN, ? or an empty cell marks an unlabelled row. Without METHOD, or with "
    "auto, labels are held out to choose a\n"
    "map and a classifier; where there are pairs besides labels, to compare all "
    "methods, as penumbra compare does. Where\n"
    "no labels can be held out: wbdr for pairs of both kinds, ssdr for pairs of one kind, class "
    "scores for fewer than three labels a class,\n"
    "and pca for rows alone.\n",
    1,
    FILES,
    { { NULL, flags },
      { "A graph of near rows, for methods that use one", graph_flag },
      { "Pairs of rows, for methods that learn from them, in addition to all pairs of labelled "
        "rows",
        pairs_flags },
      { "Reading DATA", input_flags } },
    "Usage: penumbra fit [METHOD] DATA... -o MODEL [flags]         all flags: --help\n"
    "Learn a small linear projection and a classifier from all rows of DATA and the\n"
    "few that have a label. Without METHOD several are tried on held-out labels.\n"
    "\n"
    "  penumbra fit data.csv --label-column class -o data.pen\n"
    "  penumbra fit self data.csv --label-column class --dim 2 -o data.pen\n"
    "\n"
    "  -o, --output FILE       the model (required)\n"
    "  --label-column COLUMN   column of the labels; an empty cell: unlabelled\n"
    "  --labels FILE           labels from a file: lines row,class or name,class\n"
    "  --pairs FILE            pairs of rows: i,j,1 same class, i,j,-1 different\n"
    "  --drop COLUMNS          columns not to learn from, such as an id\n"
    "  --missing POLICY        empty cells: error, mean or drop (error)\n"
    "  --dim N                 dimensions of the projection (classes minus one)\n"
    "  --classes FILE          also write the class of every row\n"
    "  --keep-labels N         learn from N labels of each class, test on the others\n"
    "  --ensemble              keep all good candidates: more accurate, larger file\n"
    "  --effort E              how much is tried: 0.1 to 100 (1)\n"
    "penumbra methods lists the methods; penumbra fit self -h shows one.\n",
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
    const int status = params_run(&form, argc, argv, fit);

    if (args_want_help(argc, argv) == ARGS_FULL && !names_method(argc, argv)) {
        puts("\nMethods (penumbra fit METHOD --help lists the parameters):");
        method_print_all();
    }
    return status;
}
