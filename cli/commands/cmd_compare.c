/* cmd_compare.c - penumbra compare: methods and classifiers side by side, on held-out labels. */
#include "flags/input.h"
#include "flags/output.h"
#include "flags/param_flags.h"
#include "common/fit_data.h"
#include "common/leak_warning.h"
#include "common/progress.h"
#include "common/rows_cache.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EFFORT 1e9

enum { TEXT_SIZE = 128, MOST_DIMS = 1000, LARGEST_DIM = 1000000 };

static struct {
    const char *folds, *report, *output;
} given;

static pen_trials how = { .effort = 1 };

static const cli_flag flags[] = {
    { "classifier", "LIST",
      "nearest, neighbors, means, lda, self-training, logistic, scores (nearest,lda, and scores "
      "of methods that have them)" },
    { "dims", "LIST", "accuracy in 1,2,5 or 1-9 dimensions, too" },
    { "grid", "NAME=V1,V2", "values to try of a parameter; may be repeated" },
    { "effort", "E", "0: defaults only; 1: about a minute of one core (1)", 0, FLAG_REAL,
      &how.effort, 0, MOST_EFFORT },
    { "report", "FILE", "a page with tables and pictures: .html", 0, FLAG_TEXT, &given.report },
    { "output", "FILE", "fit the recommended method to all rows, and write the model", 'o',
      FLAG_TEXT, &given.output },
    { NULL },
};

static const cli_flag trials_flags[] = {
    { "folds", "N|FILE",
      "number of folds, each held out once (5, or what the largest class allows); or a file with "
      "a line for each row, a column for each run: the number of the fold that holds it out; -1 "
      "or empty: none",
      0, FLAG_TEXT, &given.folds },
    { "runs", "N", "repetitions with newly dealt folds (2)", 0, FLAG_COUNT, &how.runs, 1 },
    { "inductive", NULL, "fit without held-out rows; otherwise they stay as unlabelled rows", 0,
      FLAG_SWITCH, &how.inductive },
    { "shuffled", NULL, "once more with shuffled labels, to see what chance gives", 0, FLAG_SWITCH,
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

/* "5" or "1-9", after smaller ones. Returns 0 for any other text. */
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

/* ---- what to type next ---- */

/* A word as a shell reads it: '\'' ends the quotes, and begins new ones. */
static void put_word(const char *word)
{
    static const char plain[] = "0123456789._-+/:,=%"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char *const quote = *word && !word[strspn(word, plain)] ? "" : "'";
    char *const text = cli_alloc((int64_t)(4 * strlen(word) + 1), 1), *end = text;

    for (; *word; word++)
        if (*word == '\'')
            end = strcpy(end, "'\\''") + 4;
        else
            *end++ = *word;
    *end = '\0';
    fputs(quote, stdout);
    cli_put(stdout, text);
    fputs(quote, stdout);
}

/* The flags by which rows, labels and pairs are read, as they were given; the entries of a list are
 * in it together. */
static void put_reading(void)
{
    for (int i = 0; i < args_all.count; i++) {
        const cli_arg *const arg = &args_all.list[i];
        if (!arg->name || args_in(args_common, arg->name) || args_in(flags, arg->name)
            || args_in(trials_flags, arg->name) || params_flag(arg))
            continue;
        const int joined = arg->is_list && i > 0 && args_all.list[i - 1].name == arg->name;
        if (joined)
            putchar(',');
        else
            printf(" --%s", arg->name);
        if (!joined && arg->value && *arg->value)
            putchar(' ');
        if (arg->value && *arg->value)
            put_word(arg->value);
    }
}

/* The parameters that differ from their defaults, except `dim`, as flags. */
static void put_params(const pen_spec *spec)
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
            continue; /* a number of dimensions comes last */
        snprintf(name, sizeof name, "%s", param->name);
        printf(" --%s%c", cli_dashed(name), param->type == PEN_PARAM_FLAG ? '=' : ' ');
        put_word(value);
    }
    pen_spec_free(usual);
}

/* The recommended spec as a fit takes it; a classifier that `auto` stands for is not named. */
static void put_next(const pen_comparison *found)
{
    const pen_spec *const taken = pen_comparison_spec(found, 0);
    const pen_method *const method = pen_spec_method(taken);
    const char *const usual = method->traits & PEN_PREDICTS ? "scores" : "lda";
    char value[TEXT_SIZE];
    pen_spec *spec;

    if (pen_spec_copy(taken, &spec, NULL) != PEN_OK)
        return;
    if (pen_spec_get(spec, "classifier", value, sizeof value) && strcmp(value, usual) == 0)
        pen_spec_set(spec, "classifier", "auto", NULL);
    printf("next: penumbra fit %s ", method->name);
    put_word(args_operand(args_operand(1) ? 1 : 0));
    put_reading();
    put_params(spec);
    pen_spec_get(spec, "dim", value, sizeof value);
    if (strtoll(value, NULL, 10) > 0) /* a word: 0 */
        printf(" --%s %s", "dim", value);
    puts(" -o model.pen");
    pen_spec_free(spec);
}

/* ---- the page ---- */

/* page/report.html, which the build makes part of the command. */
extern const unsigned char report_page[];

/* The page with the JSON of the results in its place, where '<' alone could begin markup. */
static int write_page(const char *json)
{
    static const char place[] = "@JSON@", escaped[] = "\\u003c";
    const char *const page = (const char *)report_page, *const rest = strstr(page, place);
    char *const text = cli_alloc((int64_t)(strlen(page) + 6 * strlen(json)), 1);
    char *end = text + (rest - page);

    memcpy(text, page, (size_t)(rest - page));
    for (; *json; json++)
        if (*json == '<')
            end = strcpy(end, escaped) + strlen(escaped);
        else
            *end++ = *json;
    strcpy(end, rest + strlen(place));
    return output_bytes(given.report, text, strlen(text));
}

/* ---- the command ---- */

static pen_status search(void *context, const pen_control *control)
{
    comparing *const c = context;
    const pen_spec *const *const specs = (const pen_spec *const *)c->specs.list;

    return pen_compare(specs, c->specs.count, &c->in.data, &how, control, &c->found, &cli_error);
}

static int fit_best(const comparing *c)
{
    pen_model *model;

    CLI_TRY(fit_model(pen_comparison_spec(c->found, 0), &c->in, &model));
    return fit_finish_model(model);
}

static void tell(const comparing *c)
{
    if (cli_json)
        printf("{\"penumbra\":\"%s\",\"command\":\"compare\",%s\n", pen_version(),
               pen_comparison_json(c->found) + 1);
    else {
        fputs(pen_comparison_text(c->found, cli_verbose), stdout);
        put_next(c->found);
    }
    fflush(stdout); /* a second signal ends the process at once */
}

static int compare(void)
{
    static comparing c;
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
    tell(&c);
    const int stopped = progress_finish(); /* with what is finished */
    if (given.report)
        CLI_TRY(write_page(pen_comparison_json(c.found)));
    if (given.output)
        CLI_TRY(fit_best(&c));
    return stopped || progress_finish() ? progress_die() : rows_cache_save(&c.in.data);
}

const args_form cmd_compare = {
    "compare",
    "hold out labels, and list what predicts them best",
    compare,
    ARGS_PARAMS,
    1,
    2,
    { { NULL, input_labels_flag },
      { NULL, flags },
      { NULL, rows_cache_flag },
      { "Trials", input_held_flags },
      { NULL, trials_flags },
      { "Pairs of rows, for methods that learn from them", pairs_flags },
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
    "  --keep-labels N         learn from N labels of each class, test on the others\n"
    "  --effort E              0: defaults only; 1: about a minute of one core (1)\n"
    "  --report FILE.html      a page with tables and pictures\n"
    "  -o, --output MODEL      fit the recommended method to all rows\n"
    "  --json                  print all numbers as JSON\n",
};
