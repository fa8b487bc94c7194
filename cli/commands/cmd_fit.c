/* cmd_fit.c - penumbra fit: learn a model from rows, labels and pairs. */
#define _POSIX_C_SOURCE 200809L

#include "common/class_output.h"
#include "flags/input.h"
#include "flags/output.h"
#include "common/fit_data.h"
#include "common/progress.h"

#include <string.h>
#include <unistd.h>

enum { FILES = 10000, NAMED_SIZE = 64 };

static struct {
    const char *output, *classes, *block;
} given;

static const cli_flag flags[] = {
    { "output", "FILE", "the model file", 'o', FLAG_TEXT, &given.output, .required = 1 },
    { "classes", "FILE",
      "also write the class of every row and its probability: .csv, .tsv, or - for CSV on "
      "standard output",
      0, FLAG_TEXT, &given.classes },
    { "block", "ID",
      "write the statistics of these rows, block ID (from 0), that METHOD needs, as a .pens file; "
      "penumbra fit METHOD A.pens B.pens learns from all blocks",
      0, FLAG_TEXT, &given.block },
    { NULL },
};

static const cli_flag graph_flag[] = {
    { "graph", "FILE",
      "use the nearest rows and distances in this .npz file (a SciPy matrix, rows x rows) instead "
      "of searching for them" },
    { NULL },
};

/* ---- METHOD and DATA ---- */

static int is_file_there(const char *path)
{
    return strcmp(path, "-") == 0 || access(path, F_OK) == 0;
}

/* METHOD, or NULL if the first operand is DATA, as a single operand always is. */
static const char *method_operand(void)
{
    const char *const first = args_operand(0);

    return args_operand(1) && (pen_method_named(first) || !is_file_there(first)) ? first : NULL;
}

/* DATA, NULL after the last. */
static const char *const *data_operands(void)
{
    int64_t count;
    return args_list(NULL, &count) + (method_operand() != NULL);
}

static int is_auto(void)
{
    const char *const name = method_operand();
    return !name || strcmp(name, "auto") == 0;
}

/* Refuses a METHOD without DATA, and DATA before METHOD. */
static int check_operands(void)
{
    const char *const first = args_operand(0), *const second = args_operand(1);

    if (!second && pen_method_named(first) && !is_file_there(first))
        return cli_refuse("%s is a method, and there is no file of that name; usage: penumbra fit "
                          "[METHOD] DATA... [flags] -o MODEL",
                          first);
    if (second && !pen_method_named(first) && pen_method_named(second) && is_file_there(first))
        return cli_refuse("METHOD comes first: penumbra fit %s %s", second, first);
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

/* The probabilities that the fit gave its rows; NULL if it gave none, or if the user chose another
 * classifier. */
static const double *scores_of_fit(const pen_spec *spec, const pen_model *model)
{
    const char *const classifier = cli_model_text(model, "classifier");
    char named[NAMED_SIZE] = "auto";

    pen_spec_get(spec, "classifier", named, sizeof named);
    return strcmp(named, "auto") == 0 || !classifier || strcmp(classifier, "scores") == 0
                   || strcmp(cli_model_text(model, "method"), "auto") == 0
               ? pen_model_tensor(model, "probabilities").values
               : NULL;
}

/* The context of classify. */
typedef struct classifying {
    const pen_model *model;
    const pen_array *x;
    const double *scores; /* of the fit, or NULL */
    row_classes *out;
} classifying;

static pen_status classify(void *context, const pen_control *control)
{
    const classifying *const c = context;

    return pen_predict(c->model, c->x, control, c->scores ? NULL : c->out->of_row,
                       c->scores ? NULL : c->out->scores, c->out->typical, &cli_error);
}

/* Check that a new model can classify its rows, as `flag` requires, by a classifier or by the
 * scores of the fit. */
static int check_possible(const char *flag, const pen_model *model)
{
    if (cli_model_text(model, "classifier") || pen_model_tensor(model, "probabilities").values)
        return CLI_OK;
    return cli_fail(
        "--%s: this fit of %s gives the rows no classes: %s", flag, cli_model_text(model, "method"),
        pen_model_class_count(model) >= 2 ? "it has no classifier"
                                          : "there are no labels of at least two classes");
}

/* Sets the class of row i with probability 1. */
static void set_known(row_classes *all, int64_t i, int32_t class)
{
    all->of_row[i] = class;
    for (int64_t c = 0; c < all->rows.class_count; c++)
        all->scores[i * all->rows.class_count + c] = c == class;
}

/* Counts correct classes among the labels that --keep-labels held out. Every class of a table has a
 * kept row, so the table and the model number classes alike. */
static void check_labels(const fit_data *in, row_classes *all)
{
    for (int64_t i = 0; i < in->data.x.rows; i++) {
        const int32_t label = in->labels[i];
        if (label == PEN_UNLABELLED || in->data.labels[i] != PEN_UNLABELLED)
            continue;
        all->checked++;
        all->correct += all->of_row[i] == label;
    }
}

/* Finds the classes of the rows, if a flag asks for them, by the scores of the fit or the
 * predictions of the model. A labelled row keeps its label. */
static int find_classes(const pen_spec *spec, const fit_data *in, const pen_model *model,
                        row_classes *out)
{
    const int64_t n = in->data.x.rows, count = pen_model_class_count(model);
    classifying how = { model, &in->data.x, scores_of_fit(spec, model), out };

    if (!given.classes && !args_value("keep-labels"))
        return CLI_OK;
    CLI_TRY(check_possible(given.classes ? "classes" : "keep-labels", model));
    classes_new(model, in->rows, out);
    CLI_TRY(cli_work(NULL, classify, &how));
    if (how.scores)
        memcpy(out->scores, how.scores, (size_t)(n * count) * sizeof *how.scores);
    for (int64_t i = 0; i < n; i++) {
        if (how.scores)
            out->of_row[i] = best_class(how.scores + i * count, count);
        if (in->data.labels[i] != PEN_UNLABELLED)
            set_known(out, i, in->data.labels[i]);
    }
    check_labels(in, out);
    classes_place(out, in->rows, in->labels, in->data.class_names, in->data.class_count);
    return CLI_OK;
}

/* ---- the command ---- */

/* Fits to all rows in memory. */
static int fit_read(const pen_spec *spec, fit_data *in)
{
    const char *const *const data = data_operands();
    row_classes all = { .of_row = NULL };
    pen_sparse *neighbors;
    pen_model *model;

    if (data[1])
        CLI_TRY(input_join(data, &in->options));
    CLI_TRY(fit_read_data(data[0], in));
    CLI_TRY(input_keep_labels(in->data.x.rows, &in->data.labels));
    if (in->graph) {
        CLI_CALL(pen_read_graph(in->graph, &neighbors, &cli_error));
        in->data.graph = cli_own(neighbors, cli_free_sparse);
    }
    if (is_auto())
        copies_warn(&in->data);
    CLI_TRY(rows_cache_open(&in->data));
    CLI_TRY(fit_model(spec, in, &model));
    CLI_TRY(find_classes(spec, in, model, &all));
    CLI_TRY(fit_finish(in, model, &all));
    return rows_cache_save(&in->data);
}

/* The file of --graph; a value that names a kind of graph sets the parameter of the method. */
static const char *graph_file(pen_spec *spec)
{
    const char *file = NULL, *value;

    for (int i = 0; (value = args_repeated("graph", i)); i++)
        if (pen_spec_set(spec, "graph", value, NULL) != PEN_OK)
            file = value;
    return file;
}

static int fit_rows(void)
{
    static fit_data in;
    const char *const *const data = data_operands();
    pen_spec *spec;
    int in_blocks;

    CLI_TRY(params_spec(is_auto() ? "auto" : method_operand(), &spec));
    in.graph = graph_file(spec);
    if (in.graph && is_auto())
        return params_refuse(spec, "graph");
    CLI_TRY(classes_check("classes"));
    CLI_TRY(fit_options(pen_spec_method(spec), data[0], &in));
    CLI_TRY(block_fit_wanted(spec, data, &in, &in_blocks));
    return in_blocks ? block_fit(spec, data, &in) : fit_read(spec, &in);
}

static int fit(void)
{
    CLI_TRY(check_operands());
    const char *const *const list = data_operands();
    for (const char *const *data = list; list[1] && *data; data++)
        if (output_streamed(*data)) /* cannot be opened again */
            return cli_refuse("several DATA must be files; %s is not", cli_input_name(*data));
    for (const char *const *data = list; *data; data++)
        if (given.block || stats_are_in(*data))
            return stats_fit(method_operand(), list);
    return fit_rows();
}

const args_form cmd_fit = {
    "fit",
    "learn a projection and a classifier from all rows and a few labels",
    fit,
    ARGS_AUTO,
    1,
    FILES,
    { { NULL, input_labels_flag },
      { NULL, input_held_flags },
      { NULL, flags },
      { NULL, rows_cache_flag },
      { "Neighbor graph, for methods that use one", graph_flag },
      { "Pairs of rows, for methods that learn from pairs; labelled rows form more pairs",
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
    "  --labels FILE           labels, one a line; or lines row,class or name,class\n"
    "  --pairs FILE            pairs of rows: i,j,1 same class, i,j,-1 different\n"
    "  --drop COLUMNS          columns not to learn from, such as an id\n"
    "  --missing POLICY        empty cells: error, mean or drop (error)\n"
    "  --dim N                 dimensions of the projection (the fewest that suffice)\n"
    "  --classes FILE          also write the class of every row\n"
    "  --keep-labels N         learn from N labels of each class, test on the rest\n"
    "  --ensemble              keep all good candidates: more accurate, larger file\n"
    "  --effort E              how much to try: 0 to 100 (1)\n"
    "penumbra methods lists the methods; penumbra fit self -h shows one.\n",
};
