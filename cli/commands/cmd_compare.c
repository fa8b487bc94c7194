/* cmd_compare.c - penumbra compare: methods and classifiers side by side, each tuned on what is not
 * held out. */
#define _POSIX_C_SOURCE 200809L

#include "choice.h"
#include "compare_json.h"
#include "flags/input.h"
#include "flags/method_text.h"
#include "flags/output.h"
#include "flags/trial_flags.h"
#include "leak_warning.h"
#include "progress.h"
#include "report.h"
#include "selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "methods", "LIST",
      "names separated by commas (all); self+rbf: self with the rbf kernel;\nself/lda: with that "
      "classifier only",
      0 },
    { "classifier", "LIST",
      "classifiers of each method, separated by commas: nearest, neighbors, means,\nlda, "
      "self-training, "
      "logistic, scores (nearest,lda, and scores of methods\nthat have them)",
      0 },
    { "kernels", NULL, "each method with the rbf kernel, too", 0 },
    { "effort", "E", "how much is tried, in units of the default (1)", 0 },
    { "shuffle", NULL, "also the score of the recommended candidate on randomly\npermuted labels",
      0 },
    { "report", "FILE", "the results as a page to read: .html", 0 },
    { "output", "FILE", "write the model of the recommended candidate, fitted to all rows", 'o' },
    { "labels", "FILE", "a file of labels, one for each row", 0 },
    { "json", NULL, "as JSON, one object a line for each candidate, best first", 0 },
    { "threads", "N", "number of threads (all cores)", 0 },
    { "quiet", NULL, "no progress bar, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

enum { REASON = 70 };

/* ---- permuted labels ---- */

/* The score of the recommended candidate on permuted labels, as tuned on the true ones. NaN:
 * interrupted. */
static int score_shuffled(const cli_args *args, const choice_rules *rules, const learning *in,
                          const pen_comparison *found, double *mean, double *deviation)
{
    pen_protocol protocol = rules->protocol;
    pen_scores *scores = NULL;
    char dim[24];
    pen_error err;
    progress bar;

    *mean = *deviation = (double)NAN;
    if (!args_value(args, "shuffle") || progress_signal())
        return CLI_OK;
    protocol.shuffle = 1;
    protocol.runs = protocol.runs ? protocol.runs : PEN_COMPARE_RUNS;
    pen_spec_get(choice_taken(found)->spec, "dim", dim, sizeof dim);
    const int64_t dims = strtoll(dim, NULL, 10); /* a word: 0 */
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = in->threads, .progress = progress_show, .user = &bar };
    const pen_status status = pen_evaluate(choice_taken(found)->spec, &in->data, &protocol, &dims,
                                           1, &control, &scores, &err);
    progress_end(&bar);
    if (status == PEN_OK)
        pen_scores_summary(scores, scores->accuracy, 0, mean, deviation);
    pen_scores_free(scores);
    return status == PEN_OK || status == PEN_CANCELLED ? CLI_OK : pairs_failed(args, &err);
}

/* ---- as a table ---- */

/* Why a candidate has no score, up to some length. */
static void print_reason(const char *reason)
{
    char start[REASON + 1];

    snprintf(start, cli_cut(reason, REASON) + 1, "%s", reason);
    cli_put(stdout, start);
    puts(strlen(reason) > REASON ? "..." : "");
}

static void print_failures(const pen_comparison *found)
{
    char text[CHOICE_TEXT];

    for (int64_t m = 0; m < found->count; m++) {
        if (!choice_failed(found, m, text, sizeof text))
            continue;
        printf("failed: %s: ", text);
        print_reason(found->candidates[m].failure);
    }
}

static void print_untried(const pen_comparison *found)
{
    char text[CHOICE_TEXT];

    if (choice_untried(found, PEN_LEFT_OUT, text, sizeof text))
        printf("left out, with their cost in units of the budget (--effort raises it): %s\n", text);
    if (choice_untried(found, PEN_NOT_REACHED, text, sizeof text))
        printf("not reached: %s\n", text);
}

/* The width of the column of names. */
static int name_width(const pen_comparison *found)
{
    size_t width = 10;

    for (int64_t m = 0; m < found->count; m++) {
        const size_t length = strlen(found->candidates[m].name) + 1;
        width = !*found->candidates[m].failure && length > width ? length : width;
    }
    return (int)width;
}

static void print_candidate(const pen_compared *e, int64_t rank, int taken, int width)
{
    char text[CHOICE_TEXT], score[CLI_NUMBER_SIZE], p[CLI_NUMBER_SIZE], untuned[CLI_NUMBER_SIZE],
        stable[CLI_NUMBER_SIZE];

    printf("%s%3lld  %-*s%c ", taken ? "->" : "  ", (long long)rank, width, e->name,
           method_is_experimental(e->method) ? '*'
           : e->baseline                     ? 'b'
                                             : ' ');
    snprintf(p, sizeof p, isnan(e->p) ? " " : e->p < 0.001 ? "< 0.001" : "%.3f", e->p);
    snprintf(untuned, sizeof untuned, isnan(e->untuned) ? "fails" : "%.4f", e->untuned);
    snprintf(stable, sizeof stable, isnan(e->stability) ? " " : "%.4f", e->stability);
    params_describe(e->spec, text, sizeof text);
    printf("%-16s  %-8s  %-7s  %-6s  %4lld  %7.2f  %s%s%s\n",
           trials_score(e->score, e->deviation, score, sizeof score), untuned, p, stable,
           (long long)e->dim, e->seconds, *text ? text : "(the defaults)",
           e->same_as ? "; the same answer as " : "", e->same_as ? e->same_as : "");
}

static void print_table(const cli_args *args, const compare_result *result)
{
    const pen_comparison *const found = result->found;
    char text[CHOICE_TEXT];
    const int width = name_width(found);
    int any_experimental = 0, any_baseline = 0;

    if (!found->predicts)
        printf("these labels do not predict classes here (%.2f \302\261 %.2f, guessing %.2f)\n",
               choice_taken(found)->score, CLI_HALF_WIDTH * found->margin, found->chance);
    puts(choice_trials(result->rules, &result->in->data, found, text, sizeof text));
    printf("       %-*s  %-16s  %-8s  %-7s  %-6s  %4s  %7s  %s\n", width, "method", "score",
           "untuned", "p", "stable", "dims", "seconds", "parameters");
    for (int64_t m = 0; m < found->count && !*found->candidates[m].failure; m++) {
        print_candidate(&found->candidates[m], m + 1, m == found->chosen, width);
        any_experimental |= method_is_experimental(found->candidates[m].method);
        any_baseline |= found->candidates[m].baseline;
    }
    printf("       %-*s  %.4f: always the largest class\n", width, "chance", found->chance);
    if (!isnan(result->shuffled))
        printf("       %-*s  %s: %s on randomly permuted labels\n", width, "shuffled",
               trials_score(result->shuffled, result->shuffled_deviation, text, sizeof text),
               choice_taken(found)->name);
    if (any_experimental)
        puts("* experimental: the formula is reconstructed from secondary sources");
    if (any_baseline)
        puts(
            "b baseline: the columns by themselves, recommended only where no method is within one "
            "standard error");
    print_failures(found);
    print_untried(found);
    if (!args_value(args, "quiet"))
        choice_report(args, found);
}

/* ---- the command ---- */

/* Print the result; *json: as compare_json makes it where it is asked for, free() it. */
static int tell(const cli_args *args, const choice_rules *rules, const learning *in,
                const pen_comparison *found, char **json)
{
    compare_result result = { .rules = rules, .in = in, .found = found };

    int status =
        score_shuffled(args, rules, in, found, &result.shuffled, &result.shuffled_deviation);
    result.interrupted = progress_signal() != 0;
    if (args_value(args, "json") || args_value(args, "report")) {
        *json = compare_json(&result);
        if (!*json)
            return cli_say(args->command, CLI_FAILED, "out of memory for the results");
    }
    if (args_value(args, "json"))
        fputs(*json, stdout);
    else
        print_table(args, &result);
    leaks_warn(args, in->rows, &in->data, 1);
    return status;
}

/* No method is clearly better: what fit without METHOD learns. */
static int save_projection(const cli_args *args, const learning *in)
{
    pen_selection *found = NULL;
    pen_model *model = NULL;

    if (!args_value(args, "quiet"))
        cli_say(args->command, 0,
                "no method is clearly the best: the model is that of fit without METHOD");
    int status = selection_make(args, 0, in, &found);
    if (status == CLI_OK)
        status = selection_fit(args, found, NULL, in, &model);
    if (progress_signal())
        status = progress_die_told(args->command);
    else if (status == CLI_OK)
        status = learn_save_alone(args, model);
    pen_selection_free(found);
    pen_model_free(model);
    return status;
}

static int compare_and_tell(const cli_args *args, const choice_rules *rules, const learning *in)
{
    const char *const page = args_value(args, "report");
    pen_comparison *found = NULL;
    char *json = NULL;

    learn_report_data(args, &in->data);
    int status = choice_make(args, rules, in, &found);
    if (status == CLI_OK) {
        status = tell(args, rules, in, found, &json);
        fflush(stdout); /* a second signal ends the process at once */
        progress_finish();
    }
    if (status == CLI_OK && page)
        status = report_write(args, page, json);
    if (status == CLI_OK && args_value(args, "output"))
        status = choice_is_clear(found) || !selection_applies(in)
                     ? learn_fit_and_save(args, choice_taken(found)->spec, in)
                     : save_projection(args, in);
    if (status == CLI_OK && progress_finish())
        status = progress_die_told(args->command);
    free(json);
    pen_comparison_free(found);
    return status;
}

static int read_flags(const cli_args *args, choice_rules *rules)
{
    static const char *const endings[] = { ".html", ".htm", NULL };
    const char *const page = args_value(args, "report");

    int status = method_names_read(args, args_value(args, "methods"), 1, &rules->names);
    if (status == CLI_OK)
        status = trials_options(args, &rules->protocol);
    if (status == CLI_OK)
        status = choice_limits(args, rules);
    if (status == CLI_OK)
        status = choice_classifiers(args, rules);
    if (status == CLI_OK && page)
        status = output_ending(args, page, "report", endings, ".html");
    return status;
}

static int compare(const cli_args *args)
{
    choice_rules rules = { .classifiers = NULL };
    learning in = { .threads = 0 };

    int status = read_flags(args, &rules);
    if (status == CLI_OK)
        status = learn_options(args, NULL, args_operand(args, 0), &in);
    if (status == CLI_OK)
        status = learn_read(args, args_operand(args, 0), &in);
    trials_use_folds(in.fold_file, &rules.protocol);
    if (status == CLI_OK)
        status = compare_and_tell(args, &rules, &in);
    method_names_free(&rules.names);
    choice_classifiers_free(&rules);
    learn_free(&in);
    return status;
}

static const args_form form = {
    "penumbra compare DATA [flags] [--report FILE.html] [-o MODEL]",
    "Hold out each part of the labelled rows of DATA in turn, tune each method on the others, and "
    "classify the held-out rows in its embedding by\n"
    "several classifiers: the nearest row of known class, shrinkage LDA, class scores. Pairs of "
    "method "
    "and classifier are listed best first, among them\n"
    "baselines, the standardized columns. p tests whether one is as good as the best one, stable "
    "is "
    "the share of unlabelled rows that get the same\n"
    "class in two trials, -> marks the recommended one: the most stable within one standard error "
    "of the best.\n",
    1,
    1,
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
    return args_run(&form, argc, argv, compare);
}
