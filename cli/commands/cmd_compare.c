/* cmd_compare.c - penumbra compare: methods and classifiers side by side, on held-out labels. */
#include "flags/input.h"
#include "flags/output.h"
#include "flags/param_flags.h"
#include "flags/spec_list.h"
#include "flags/trial_flags.h"
#include "leak_warning.h"
#include "learn.h"
#include "progress.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "labels", "FILE", "a file of labels, one for each row, or lines that name rows", 0 },
    { "classifier", "LIST",
      "nearest, neighbors, means, lda, self-training, logistic, scores\n(nearest,lda, and scores "
      "of methods that have them)",
      0 },
    { "dims", "LIST", "accuracy in 1,2,5 or 1-9 dimensions, too", 0 },
    { "grid", "NAME=V1,V2", "values to try of a parameter; may be repeated", 0 },
    { "effort", "E", "0: defaults only; 1: about a minute of one core (1)", 0 },
    { "report", "FILE", "a page with tables and pictures: .html", 0 },
    { "output", "FILE", "fit the recommended method to all rows, and write the model", 'o' },
    { "json", NULL, "print all numbers as JSON", 0 },
    { NULL, NULL, NULL, 0 },
};

enum { TEXT_SIZE = 1200 };

typedef struct comparing {
    spec_list specs;
    trial_flags trials;
    learning in;
    pen_comparison *found;
} comparing;

/* ---- what to type next ---- */

static int is_own(const cli_arg *arg)
{
    static const char *const common[] = { "quiet", "verbose", "threads" };
    const cli_flag *const tables[] = { flags, trials_flags };

    for (int i = 0; i < 3; i++)
        if (strcmp(common[i], arg->name) == 0)
            return 1;
    for (int t = 0; t < 2; t++)
        for (const cli_flag *flag = tables[t]; flag->name; flag++)
            if (strcmp(flag->name, arg->name) == 0)
                return strcmp(arg->name, "labels") != 0 && strcmp(arg->name, "keep-labels") != 0
                       && strcmp(arg->name, "groups") != 0;
    return 0;
}

/* A word as a shell reads it. */
static void put_word(const char *word)
{
    static const char plain[] = "0123456789._-+/:,=%"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char *const quote = *word && !word[strspn(word, plain)] ? "" : "'";

    fputs(quote, stdout);
    cli_put(stdout, word);
    fputs(quote, stdout);
}

/* The flags by which rows, labels and pairs are read, as they were given; the entries of a list are
 * in it together. */
static void put_reading(const cli_args *args, const cli_flag *params)
{
    for (int i = 0; i < args->count; i++) {
        const cli_arg *const arg = &args->list[i];
        if (!arg->name || is_own(arg) || params_flag(arg, params))
            continue;
        const int joined = arg->is_list && i > 0 && args->list[i - 1].name == arg->name;
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

/* The recommended spec as a fit takes it; a classifier that `auto` stands for is not named. */
static void put_next(const cli_args *args, const cli_flag *params, const pen_comparison *found)
{
    const pen_spec *const taken = pen_comparison_spec(found, 0);
    const pen_method *const method = pen_spec_method(taken);
    const char *const usual = method->traits & PEN_PREDICTS ? "scores" : "lda";
    char text[TEXT_SIZE];
    pen_spec *spec;
    char dim[24];

    if (pen_spec_copy(taken, &spec, NULL) != PEN_OK)
        return;
    if (params_text(spec, "classifier", text, sizeof text) && strcmp(text, usual) == 0)
        pen_spec_set(spec, "classifier", "auto", NULL);
    params_describe(spec, text, sizeof text);
    pen_spec_get(spec, "dim", dim, sizeof dim);
    printf("next: penumbra fit %s ", method->name);
    put_word(args_operand(args, args_operand(args, 1) ? 1 : 0));
    put_reading(args, params);
    printf("%s%s", *text ? " " : "", text);
    if (strtoll(dim, NULL, 10) > 0) /* a word: 0 */
        printf(" --%s %s", "dim", dim);
    puts(" -o model.pen");
    pen_spec_free(spec);
}

/* ---- the command ---- */

static pen_status search(void *context, const pen_control *control, pen_error *err)
{
    comparing *const c = context;
    const pen_spec *const *const specs = (const pen_spec *const *)c->specs.list;

    return pen_compare(c->specs.count ? specs : NULL, c->specs.count, &c->in.data, &c->trials.how,
                       control, &c->found, err);
}

static void tell(const cli_args *args, const cli_flag *params, const comparing *c)
{
    if (args_value(args, "json"))
        printf("{\"penumbra\":\"%s\",\"command\":\"compare\",%s\n", pen_version(),
               pen_comparison_json(c->found) + 1);
    else {
        fputs(pen_comparison_text(c->found, args_value(args, "verbose") != NULL), stdout);
        put_next(args, params, c->found);
    }
    fflush(stdout); /* a second signal ends the process at once */
    leaks_warn(args, c->in.rows, &c->in.data, 1);
}

static int compare_and_tell(const cli_args *args, const cli_flag *params, comparing *c)
{
    const char *const page = args_value(args, "report");

    copies_warn(args, &c->in.data);
    CLI_TRY(cli_work_partly(args, NULL, search, c));
    tell(args, params, c);
    const int stopped = progress_finish(); /* with what is finished */
    if (page)
        CLI_TRY(report_write(args, page, pen_comparison_json(c->found)));
    if (args_value(args, "output"))
        CLI_TRY(learn_fit_and_save(args, pen_comparison_spec(c->found, 0), &c->in));
    return stopped || progress_finish() ? progress_die_told(args->command) : CLI_OK;
}

static int run(const cli_args *args, const cli_flag *params, comparing *c)
{
    static const char *const endings[] = { ".html", ".htm", NULL };
    const char *const second = args_operand(args, 1), *const first = args_operand(args, 0),
                      *const page = args_value(args, "report");

    CLI_TRY(spec_list_read(args, second ? first : NULL, params, &c->specs));
    CLI_TRY(trials_options(args, &c->trials));
    if (page)
        CLI_TRY(output_ending(args, page, "report", endings, ".html"));
    CLI_TRY(learn_options(args, NULL, second ? second : first, &c->in));
    c->in.keeps_in_trials = 1;
    CLI_TRY(learn_read(args, second ? second : first, &c->in));
    trials_use_folds(c->in.fold_file, &c->trials.how);
    return compare_and_tell(args, params, c);
}

static int compare(const cli_args *args, const cli_flag *params)
{
    comparing c = { .found = NULL };

    const int status = run(args, params, &c);
    pen_comparison_free(c.found);
    spec_list_free(&c.specs);
    learn_free(&c.in);
    return status;
}

static const args_form form = {
    "penumbra compare [METHODS] DATA [flags]",
    "Hold out part of the labels in turn and list what predicts them best, next to plain "
    "baselines. METHODS: all, or a list such as self,fda,pca+rbf, self/lda. Parameters of "
    "methods are flags, as for fit.",
    1,
    2,
    { { NULL, flags },
      { "Trials", trials_flags },
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

int cmd_compare(int argc, char **argv)
{
    return params_run(&form, NULL, argc, argv, compare);
}
