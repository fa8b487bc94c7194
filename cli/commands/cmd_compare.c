/* cmd_compare.c - penumbra compare: compare methods and classifiers on held-out labels. */
#include "flags/input.h"
#include "flags/output.h"
#include "flags/param_flags.h"
#include "common/fit_data.h"
#include "common/progress.h"
#include "pictures/picture.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EFFORT 1e9

enum { TEXT_SIZE = 128, MOST_DIMS = 1000, LARGEST_DIM = 1000000, MOST_NAMES = 100000 };

static struct {
    const char *folds, *report, *output;
} given;

static pen_trials how = { .effort = 1 };

static const cli_flag flags[] = {
    { "classifier", "LIST",
      "classifiers to compare: nearest, neighbors, means, lda, self-training, logistic, scores "
      "(nearest, lda, and scores for methods that have them)" },
    { "dims", "LIST", "also report accuracy in 1,2,5 or 1-9 dimensions" },
    { "grid", "NAME=V1,V2", "values of a parameter to try; may be repeated" },
    { "effort", "E", "0: defaults only; 1: about a minute of one core (1)", 0, FLAG_REAL,
      &how.effort, 0, MOST_EFFORT },
    { "report", "FILE", "an .html page with tables and pictures", 0, FLAG_TEXT, &given.report },
    { "output", "FILE", "fit the recommended method to all rows, and write the model", 'o',
      FLAG_TEXT, &given.output },
    { NULL },
};

static const cli_flag trials_flags[] = {
    { "folds", "N|FILE",
      "number of folds, each held out once (5, or fewer if no class has 5 labels); or a file with "
      "a line for each row and a column for each run, of the fold that holds the row out; -1 or "
      "an empty cell: the run never holds it out",
      0, FLAG_TEXT, &given.folds },
    { "runs", "N", "number of runs, each with new folds (2)", 0, FLAG_COUNT, &how.runs, 1 },
    { "inductive", NULL, "fit without the held-out rows; by default they stay as unlabelled rows",
      0, FLAG_SWITCH, &how.inductive },
    { "shuffled", NULL, "repeat with shuffled labels to measure what chance gives", 0, FLAG_SWITCH,
      &how.shuffled },
    { "seed", "N", "seed of the folds (0)", 0, FLAG_SEED, &how.seed },
    { NULL },
};

typedef struct comparing {
    spec_list specs;
    fit_data in;
    pen_comparison *found;
} comparing;

/* ---- trials ---- */

/* Adds "5" or "1-9". Returns 0 for another text, or if the numbers do not increase. */
static int add_dims(const char *text, int64_t *dims)
{
    uint64_t first, last;

    if (!cli_whole(&text, &first))
        return 0;
    last = first;
    if (*text == '-' && (text++, !cli_whole(&text, &last)))
        return 0;
    if (*text || first <= (uint64_t)(how.dim_count ? dims[how.dim_count - 1] : 0) || last < first
        || last > LARGEST_DIM || last - first >= (uint64_t)(MOST_DIMS - how.dim_count))
        return 0;
    for (uint64_t d = first; d <= last; d++)
        dims[how.dim_count++] = (int64_t)d;
    return 1;
}

static int read_dims(void)
{
    static int64_t dims[MOST_DIMS];
    int64_t count;
    const char *const *const texts = args_list("dims", &count);

    for (int64_t i = 0; i < count; i++)
        if (!add_dims(texts[i], dims))
            return cli_refuse("--dims must be whole numbers >= 1, each larger than the one before, "
                              "such as 1,2,5 or 1-9, at most %d of them, got \"%s\"",
                              MOST_DIMS, texts[i]);
    how.dims = count > 0 ? dims : NULL;
    return CLI_OK;
}

/* --folds is a file. */
static int has_fold_file(void)
{
    return given.folds && (!*given.folds || given.folds[strspn(given.folds, "0123456789")]);
}

static int read_trials(void)
{
    how.keep_labels = args_value("keep-labels");
    how.picture = given.report != NULL;
    how.classifiers = args_list("classifier", &how.classifier_count);
    how.grid = args_list("grid", &how.grid_count);
    CLI_TRY(has_fold_file() ? args_not_both("folds", "runs") : args_count("folds", 2, &how.folds));
    CLI_TRY(args_not_both("dims", "dim"));
    return read_dims();
}

static int read_folds(const char *data_path, const pen_table *rows)
{
    pen_folds *folds;

    if (!has_fold_file())
        return CLI_OK;
    CLI_TRY(input_all_rows("folds", given.folds, data_path, rows));
    if (pen_read_folds(given.folds, rows->x.rows, &folds, &cli_error) != PEN_OK)
        return cli_fail("%s", cli_error.message);
    cli_own(folds, cli_free_folds);
    how.fold_of = folds->fold_of;
    how.runs = folds->runs;
    how.folds = folds->folds;
    return CLI_OK;
}

/* ---- the next command ---- */

static void add(pen_string *text, const char *before, const char *after)
{
    pen_text_add_string(text, before);
    pen_text_add_string(text, after);
}

/* Adds a word with quotes for a shell; '\'' stands for a quote. */
static void add_word(pen_string *text, const char *before, const char *word)
{
    static const char plain[] = "0123456789._-+/:,=%"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char *const quote = *word && !word[strspn(word, plain)] ? "" : "'";

    add(text, before, quote);
    for (; *word; word++)
        pen_text_add(text, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    pen_text_add_string(text, quote);
}

/* Adds the given flags for reading rows, labels and pairs. Entries of a list are joined by commas
 * again. */
static void add_reading(pen_string *text)
{
    for (int i = 0; i < args_all.count; i++) {
        const cli_arg *const arg = &args_all.list[i];
        if (!arg->name || args_in(args_common, arg->name) || args_in(flags, arg->name)
            || args_in(trials_flags, arg->name) || params_flag(arg))
            continue;
        const int joined = arg->is_list && i > 0 && args_all.list[i - 1].name == arg->name;
        if (!joined)
            add(text, " --", arg->name);
        if (arg->value && *arg->value)
            add_word(text, joined ? "," : " ", arg->value);
    }
}

/* Adds parameters that differ from their defaults as flags, with a number of dimensions last. */
static void add_params(pen_string *text, const pen_spec *spec)
{
    const pen_method *const method = pen_spec_method(spec);
    char name[TEXT_SIZE], value[TEXT_SIZE], initial[TEXT_SIZE];
    pen_spec *usual;

    if (pen_spec_new(method->name, &usual, NULL) != PEN_OK)
        return;
    for (const pen_param *param = method->params; param->name; param++) {
        pen_spec_get(spec, param->name, value, sizeof value);
        pen_spec_get(usual, param->name, initial, sizeof initial);
        if (strcmp(value, initial) == 0 || (strcmp(param->name, "dim") == 0 && *value != 'a'))
            continue;
        snprintf(name, sizeof name, "%s", param->name);
        add(text, " --", cli_dashed(name));
        add_word(text, param->type == PEN_PARAM_FLAG ? "=" : " ", value);
    }
    pen_spec_free(usual);
    pen_spec_get(spec, "dim", value, sizeof value);
    if (strtoll(value, NULL, 10) > 0) { /* a word: 0 */
        add(text, " --", "dim");
        add_word(text, " ", value);
    }
}

/* The command that fits the recommended spec. It omits a classifier that `auto` would choose. Empty
 * if memory is exhausted. */
static const char *next_command(const pen_comparison *found)
{
    const pen_spec *const taken = pen_comparison_spec(found, 0);
    const pen_method *const method = pen_spec_method(taken);
    const char *const usual = method->traits & PEN_PREDICTS ? "scores" : "lda";
    char value[TEXT_SIZE];
    pen_string text = { .data = NULL };
    pen_spec *spec;

    if (pen_spec_copy(taken, &spec, NULL) != PEN_OK)
        return "";
    if (pen_spec_get(spec, "classifier", value, sizeof value) && strcmp(value, usual) == 0)
        pen_spec_set(spec, "classifier", "auto", NULL);
    add(&text, "penumbra fit ", method->name);
    add_word(&text, " ", args_operand(args_operand(1) ? 1 : 0));
    add_reading(&text);
    add_params(&text, spec);
    pen_text_add_string(&text, " -o model.pen");
    pen_spec_free(spec);
    cli_own(text.data, free);
    return text.failed ? "" : text.data;
}

/* ---- the command ---- */

static pen_status search(void *context, const pen_control *control)
{
    comparing *const c = context;
    const pen_spec *const *const specs = (const pen_spec *const *)c->specs.list;

    return pen_compare(specs, c->specs.count, &c->in.data, &how, control, &c->found, &cli_error);
}

static void tell(const comparing *c, const char *next)
{
    if (cli_json)
        printf("{\"penumbra\":\"%s\",\"command\":\"compare\",%s\n", pen_version(),
               pen_comparison_json(c->found) + 1);
    else {
        fputs(pen_comparison_text(c->found, cli_verbose), stdout);
        cli_put(stdout, "next: ");
        cli_put(stdout, next);
        putchar('\n');
    }
    fflush(stdout); /* a second signal ends the process at once */
}

static int write_report(const comparing *c, const char *data, const char *next)
{
    const pen_table *const rows = c->in.rows;
    pen_string json = { .data = NULL };

    pen_text_add_member(&json, "next", next);
    if (rows->row_names && rows->x.rows <= MOST_NAMES)
        pen_text_add_names(&json, "names", rows->row_names, rows->x.rows);
    else if (rows->dropped_rows > 0)
        pen_text_add_counts(&json, "row_numbers", rows->row_numbers, rows->x.rows);
    pen_text_add_string(&json, ",");
    pen_text_add_string(&json, pen_comparison_json(c->found) + 1);
    return page_write(given.report, data, &json);
}

static int compare(void)
{
    static comparing c;
    pen_model *model;
    const char *const second = args_operand(1), *const data = second ? second : args_operand(0);

    CLI_TRY(spec_list_read(second ? args_operand(0) : NULL, &c.specs));
    CLI_TRY(read_trials());
    if (given.report)
        CLI_TRY(output_ending(given.report, "report", ".html"));
    CLI_TRY(fit_options(NULL, data, &c.in));
    CLI_TRY(fit_read_data(data, &c.in));
    CLI_TRY(read_folds(data, c.in.rows));
    copies_warn(&c.in.data);
    CLI_TRY(rows_cache_open(&c.in.data));
    CLI_TRY(cli_work_partly(NULL, search, &c));
    cli_own(c.found, cli_free_comparison);
    const char *const next = next_command(c.found);
    tell(&c, next);
    const int stopped = progress_finish(); /* after a signal: with the finished trials */
    if (given.report)
        CLI_TRY(write_report(&c, data, next));
    if (given.output) {
        CLI_TRY(fit_model(pen_comparison_spec(c.found, 0), &c.in, &model));
        CLI_TRY(fit_finish_model(model));
    }
    return stopped || progress_finish() ? progress_die() : rows_cache_save(&c.in.data);
}

const args_form cmd_compare = {
    "compare",
    "hold out labels and list what predicts them best",
    compare,
    ARGS_PARAMS,
    1,
    2,
    { { NULL, input_labels_flag },
      { NULL, flags },
      { NULL, rows_cache_flag },
      { "Trials", input_held_flags },
      { NULL, trials_flags },
      { "Pairs of rows, for methods that learn from pairs", pairs_flags },
      { "Reading DATA", input_flags } },
    "Usage: penumbra compare [METHODS] DATA [flags]                all flags: --help\n"
    "Hold out part of the labels in turn and list what predicts them best, next to\n"
    "plain baselines. METHODS: all, or a list such as self,fda,pca+rbf.\n"
    "\n"
    "  penumbra compare data.csv --label-column class --report data.html\n"
    "  penumbra compare sda data.csv --label-column class --grid alpha=0.1,1 -o m.pen\n"
    "\n"
    "  --label-column COLUMN   column of the labels; --labels FILE, as for fit\n"
    "  --classifier LIST       nearest, neighbors, means, lda, logistic, scores, ...\n"
    "  --dims LIST             accuracy in 1,2,5 or 1-9 dimensions\n"
    "  --grid NAME=V1,V2       values to try of a parameter; may be repeated\n"
    "  --keep-labels N         learn from N labels of each class, test on the rest\n"
    "  --effort E              0: defaults only; 1: about a minute of one core (1)\n"
    "  --report FILE.html      a page with tables and pictures\n"
    "  -o, --output MODEL      fit the recommended method to all rows\n"
    "  --json                  print all numbers as JSON\n",
};
