/* cmd_tune.c - penumbra tune: tune the parameters of a method by trials. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/trial_flags.h"
#include "leak_warning.h"
#include "learn.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "output", "FILE", "write the model with the best values, fitted to all rows", 'o' },
    { "labels", "FILE", "a file of labels, one for each row", 0 },
    { "dims", "MOST", "try up to this number of dimensions, at most 30 (30, and all)", 0 },
    { "grid", "NAME=V1,V2,..",
      "values to try of a parameter, in place of those that are tried\notherwise; may be repeated",
      0 },
    { "kernels", NULL, "try the rbf kernel, too", 0 },
    { "json", NULL, "all combinations tried as JSON, best first", 0 },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

enum { TEXT_SIZE = 400, VALUE_SIZE = 64 };

typedef struct tuning {
    const pen_method *method;
    pen_spec *spec; /* with the values of the command line */
    pen_protocol protocol;
    int most_dims; /* 0: not given */
    learning in;
    pen_tuning *found;
} tuning;

/* ---- the best ---- */

static void print_candidate(const char *what, const pen_candidate *c)
{
    char text[TEXT_SIZE], score[VALUE_SIZE];

    params_describe(c->spec, text, sizeof text);
    printf("%-10s %-16s  %4lld  %s\n", what,
           trials_score(c->score, c->deviation, score, sizeof score), (long long)c->dim,
           *text ? text : "(the defaults)");
}

static void print_best(const tuning *t)
{
    const pen_candidate *const list = t->found->candidates;
    char text[VALUE_SIZE];

    printf("%s/%s: %s, %lld held-out rows\n", t->method->name, list[0].classifier,
           trials_words(&t->in.data, &t->protocol, PEN_TUNE_RUNS, text, sizeof text),
           (long long)t->found->held_out);
    printf("%-10s %-16s  %s\n", "", "score", "dims  parameters");
    print_candidate("best", &list[0]);
    if (t->found->count > 1 && !isnan(list[1].score))
        print_candidate("runner-up", &list[1]);
}

/* The smallest and the largest number of a grid that has two at least; 0: there are none, as among
 * names. */
static int grid_ends(const pen_param *param, const char *text, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    if (param->type != PEN_PARAM_REAL && param->type != PEN_PARAM_INT)
        return 0;
    while (*(text += strspn(text, " "))) {
        char *end;
        const double value = strtod(text, &end);
        if (end == text)
            return 0; /* a word has no distance from a number */
        *low = fmin(*low, value);
        *high = fmax(*high, value);
        text = end;
    }
    return *low < *high;
}

/* A best value at the end of its grid may have better ones beyond it. */
static void remark_edge(const cli_args *args, const tuning *t, const pen_param *param, double value)
{
    const char *const grid = pen_spec_grid(t->spec, param->name);
    char typed[VALUE_SIZE], text[CLI_NUMBER_SIZE];
    double low, high;

    if (!grid || !grid_ends(param, grid, &low, &high) || (value != low && value != high))
        return;
    if (value == low ? value <= param->min : value >= param->max)
        return; /* there is nothing beyond it */
    snprintf(typed, sizeof typed, "%s", param->name);
    for (char *c = typed; *c; c++)
        *c = *c == '_' ? '-' : *c;
    cli_say(args->command, 0, "%s %s is the %s value tried for %s; --grid %s=... tries others",
            typed, cli_number(value, text), value == low ? "smallest" : "largest", t->method->name,
            typed);
}

static void remark_edges(const cli_args *args, const tuning *t)
{
    const pen_spec *const best = t->found->candidates[0].spec;
    const int64_t most = t->most_dims ? t->most_dims : PEN_MOST_TUNED_DIMS;
    const pen_param *param;
    char value[VALUE_SIZE];

    for (param = t->method->params; param->name; param++) {
        char *end;
        pen_spec_get(best, param->name, value, sizeof value);
        const double number = strtod(value, &end);
        if (!*end)
            remark_edge(args, t, param, number);
    }
    pen_spec_get(best, "dim", value, sizeof value);
    if (strtoll(value, NULL, 10) == most && !pen_spec_is_set(t->spec, "dim")
        && most < t->in.data.x.cols)
        cli_say(args->command, 0, "%lld dimensions are the most that were tried", (long long)most);
}

static void report(const cli_args *args, const tuning *t)
{
    char text[VALUE_SIZE];
    int64_t failed = 0;

    for (int64_t i = 0; i < t->found->count; i++)
        failed += isnan(t->found->candidates[i].score);
    fprintf(cli_tell(args->command), "%s: %lld of %lld combination%s tried, %s", t->method->name,
            (long long)t->found->count, (long long)t->found->planned,
            t->found->planned == 1 ? "" : "s",
            trials_words(&t->in.data, &t->protocol, PEN_TUNE_RUNS, text, sizeof text));
    if (failed > 0)
        fprintf(stderr, "; %lld failed, one with:  ", (long long)failed);
    if (failed > 0)
        cli_put(stderr, t->found->candidates[t->found->count - 1].failure);
    fputc('\n', stderr);
    remark_edges(args, t);
}

/* ---- as JSON ---- */

static void json_candidate(const pen_candidate *c)
{
    fputs("{\"score\": ", stdout);
    cli_json_number(stdout, c->score);
    fputs(", \"deviation\": ", stdout);
    cli_json_number(stdout, isnan(c->score) ? c->score : c->deviation);
    printf(", \"dims\": %lld, \"order\": %lld, \"failure\": ", (long long)c->dim,
           (long long)c->order);
    cli_json_text(stdout, *c->failure ? c->failure : NULL);
    printf(", \"classifier\": \"%s\", \"parameters\": ", c->classifier);
    params_json(stdout, c->spec);
    putchar('}');
}

static void print_json(const tuning *t)
{
    fputs("{\"method\": ", stdout);
    cli_json_text(stdout, t->method->name);
    fputs(", ", stdout);
    trials_json(stdout, &t->in.data, &t->protocol, PEN_TUNE_RUNS);
    printf("\"held_out\": %lld, \"planned\": %lld, \"tried\": %lld, \"candidates\": [",
           (long long)t->found->held_out, (long long)t->found->planned, (long long)t->found->count);
    for (int64_t i = 0; i < t->found->count; i++) {
        fputs(i ? ",\n  " : "\n  ", stdout);
        json_candidate(&t->found->candidates[i]);
    }
    puts("\n]}");
}

/* ---- the command ---- */

static int search(const cli_args *args, tuning *t)
{
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = t->in.threads,
                                  .progress = progress_show,
                                  .user = &bar };
    const pen_status status =
        pen_tune(t->spec, &t->in.data, &t->protocol, t->most_dims, &control, &t->found, &err);
    progress_end(&bar);
    return learn_tried(args, status, &err);
}

static int search_and_fit(const cli_args *args, tuning *t)
{
    const int quiet = args_value(args, "quiet") != NULL;

    learn_report_data(args, &t->in.data);
    trials_remark(args, &t->in.data, &t->protocol);
    const int status = search(args, t);
    if (status != CLI_OK)
        return status;
    if (!quiet)
        report(args, t);
    if (args_value(args, "json"))
        print_json(t);
    else
        print_best(t);
    leaks_warn(args, t->in.rows, &t->in.data, 1);
    if (progress_signal())
        return progress_die_told(args->command);
    return args_value(args, "output")
               ? learn_fit_and_save(args, t->found->candidates[0].spec, &t->in)
               : CLI_OK;
}

/* One --grid NAME=V1,V2,.. */
static int read_grid(const cli_args *args, const char *text, pen_spec *spec)
{
    const char *const values = strchr(text, '=');
    char name[VALUE_SIZE];
    pen_error err;

    if (!values || values == text || values - text >= VALUE_SIZE)
        return cli_say(args->command, CLI_USAGE,
                       "--grid needs NAME=V1,V2,.., a parameter and its values, got \"%.60s\"",
                       text);
    snprintf(name, sizeof name, "%.*s", (int)(values - text), text);
    if (pen_spec_is_set(spec, name))
        return cli_say(args->command, CLI_USAGE, "--%s and --grid %s=... are mutually exclusive",
                       name, name);
    if (pen_spec_has_grid(spec, name))
        return cli_say(args->command, CLI_USAGE, "--grid %s=... is given twice", name);
    return pen_spec_set_grid(spec, name, values + 1, &err) == PEN_OK
               ? CLI_OK
               : cli_say(args->command, CLI_USAGE, "%s", err.message);
}

static int read_grids(const cli_args *args, pen_spec *spec)
{
    const char *text;
    int status = CLI_OK;

    for (int i = 0; status == CLI_OK && (text = args_repeated(args, "grid", i)); i++)
        status = read_grid(args, text, spec);
    return status;
}

static int read_flags(const cli_args *args, tuning *t)
{
    int status = trials_options(args, &t->protocol);

    t->protocol.kernels = args_value(args, "kernels") != NULL;
    if (status == CLI_OK)
        status = args_not_both(args, "dims", "dim");
    if (status == CLI_OK)
        status = args_not_both(args, "kernels", "kernel");
    if (status == CLI_OK)
        status = args_int(args, "dims", 1, PEN_MOST_TUNED_DIMS, &t->most_dims);
    return status;
}

static int tune(const cli_args *args, const cli_flag *params)
{
    const char *const path = args_operand(args, 1);
    tuning t = { .method = NULL };

    int status = params_spec(args, args_operand(args, 0), params, &t.spec);
    if (status == CLI_OK)
        status = read_grids(args, t.spec);
    if (status == CLI_OK)
        status = read_flags(args, &t);
    if (status == CLI_OK)
        t.method = pen_spec_method(t.spec);
    if (status == CLI_OK)
        status = learn_options(args, t.method, path, &t.in);
    if (status == CLI_OK)
        status = learn_read(args, path, &t.in);
    trials_use_folds(t.in.fold_file, &t.protocol);
    if (status == CLI_OK)
        status = search_and_fit(args, &t);
    pen_tuning_free(t.found);
    pen_spec_free(t.spec);
    learn_free(&t.in);
    return status;
}

static const args_form form = {
    "penumbra tune METHOD DATA [flags] [-o MODEL]",
    "Score combinations of parameter values of METHOD (penumbra methods METHOD lists them) and "
    "numbers of dimensions on held-out rows; print the\n"
    "best, and with -o fit it to all rows. Parameters given as flags keep their values. --grid "
    "beta=0.1,0.3 tries these\nvalues of beta.\n",
    2,
    2,
    { { NULL, flags },
      { "Trials", trials_flags },
      { "Pairs of rows, for methods that learn from them", pairs_flags },
      { "Reading DATA", input_flags } },
};

int cmd_tune(int argc, char **argv)
{
    return params_run(&form, argc, argv, tune);
}
