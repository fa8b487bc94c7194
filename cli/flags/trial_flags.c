/* trial_flags.c - the flags of evaluate, tune and compare that define their trials. */
#include "flags/trial_flags.h"

#include "flags/input.h"
#include "leak_warning.h"

#include <math.h>

const cli_flag trials_flags[] = {
    { "folds", "N", "number of folds; each is held out once (5, or what the largest\nclass allows)",
      0 },
    { "runs", "N", "repetitions with newly dealt folds (3; compare 2, tune 1)", 0 },
    { "folds-file", "FILE",
      "folds as they were published: a line for each row of DATA, a\ncolumn for each run, the "
      "number "
      "of the fold that holds it out; -1\nor empty: none. One number is a single test set",
      0 },
    { "groups", "COLUMN|FILE", CLI_GROUPS_HELP, 0 },
    { "plain", NULL, "folds are not stratified by class", 0 },
    { "inductive", NULL,
      "leave held-out rows out of the fit; otherwise they stay as\nunlabelled rows", 0 },
    { "seed", "N", "seed of the folds (0)", 0 },
    { "keep-per-class", "N", "of the rows not held out, keep the labels of N of each class;\nor",
      0 },
    { "keep-percent", "P", "keep those of P percent of each class (all)", 0 },
    { NULL, NULL, NULL, 0 },
};

enum { NAMES_SHOWN = 8 };

int trials_options(const cli_args *args, pen_protocol *out)
{
    static const char *const dealing[] = { "folds", "runs", "plain" };
    int status = args_not_both(args, "keep-per-class", "keep-percent");

    for (size_t i = 0; i < sizeof dealing / sizeof *dealing && status == CLI_OK; i++)
        status = args_not_both(args, "folds-file", dealing[i]);

    out->plain = args_value(args, "plain") != NULL;
    out->inductive = args_value(args, "inductive") != NULL;
    if (status == CLI_OK)
        status = args_count(args, "folds", 2, &out->folds);
    if (status == CLI_OK)
        status = args_count(args, "runs", 1, &out->runs);
    if (status == CLI_OK)
        status = args_seed(args, "seed", &out->seed);
    if (status == CLI_OK)
        status = args_count(args, "keep-per-class", 1, &out->labels.per_class);
    return status == CLI_OK ? args_percent(args, "keep-percent", &out->labels.percent) : status;
}

void trials_use_folds(const pen_folds *given, pen_protocol *out)
{
    if (!given)
        return;
    out->fold_of = given->fold_of;
    out->runs = given->runs;
    out->folds = given->folds;
}

static int64_t size_of_class(const pen_data *data, int64_t c)
{
    int64_t size = 0;
    for (int64_t i = 0; i < data->x.rows; i++)
        size += data->labels[i] == c;
    return size;
}

/* The number of folds in the trials of these data. */
static int64_t folds_of(const pen_data *data, const pen_protocol *protocol)
{
    return protocol->folds ? protocol->folds
                           : pen_default_folds(data->labels, data->groups, data->x.rows);
}

void trials_remark(const cli_args *args, const pen_data *data, const pen_protocol *protocol)
{
    int64_t small = 0;

    copies_warn(args, data);
    if (args_value(args, "quiet") || !data->labels || protocol->fold_of)
        return;
    for (int64_t c = 0; c < data->class_count; c++) {
        const int64_t size = size_of_class(data, c);
        if (size >= folds_of(data, protocol))
            continue;
        if (small++ < NAMES_SHOWN)
            cli_say(args->command, 0,
                    "class \"%s\" has %lld labelled row%s, fewer than %lld folds: some trials hold "
                    "out none of them%s",
                    data->class_names[c], (long long)size, size == 1 ? "" : "s",
                    (long long)folds_of(data, protocol),
                    size == 1 ? ", and one has none to learn from" : "");
    }
    if (small > NAMES_SHOWN)
        cli_say(args->command, 0, "so do %lld more classes", (long long)(small - NAMES_SHOWN));
}

const char *trials_words(const pen_data *data, const pen_protocol *protocol, int64_t usual_runs,
                         char *text, size_t size)
{
    const int64_t runs = protocol->runs ? protocol->runs : usual_runs,
                  folds = folds_of(data, protocol);

    snprintf(text, size, "%lld run%s of %lld%s fold%s", (long long)runs, runs == 1 ? "" : "s",
             (long long)folds,
             protocol->plain     ? " plain"
             : protocol->fold_of ? " given"
                                 : "",
             folds == 1 ? "" : "s");
    return text;
}

const char *trials_score(double mean, double deviation, char *text, size_t size)
{
    if (isnan(deviation))
        snprintf(text, size, "%.4f", mean);
    else
        snprintf(text, size, "%.4f +- %.4f", mean, deviation);
    return text;
}

static int64_t count_labelled(const pen_data *data)
{
    int64_t count = 0;
    for (int64_t i = 0; data->labels && i < data->x.rows; i++)
        count += data->labels[i] != PEN_UNLABELLED;
    return count;
}

static void json_count(FILE *out, const char *name, int64_t value)
{
    fprintf(out, "\"%s\": %lld, ", name, (long long)value);
}

static void json_flag(FILE *out, const char *name, int set)
{
    fprintf(out, "\"%s\": %s, ", name, set ? "true" : "false");
}

void trials_json(FILE *out, const pen_data *data, const pen_protocol *protocol, int64_t usual_runs)
{
    json_count(out, "rows", data->x.rows);
    json_count(out, "columns", data->x.cols);
    json_count(out, "labelled", count_labelled(data));
    json_count(out, "classes", data->class_count);
    json_count(out, "folds", folds_of(data, protocol));
    json_count(out, "runs", protocol->runs ? protocol->runs : usual_runs);
    fprintf(out, "\"seed\": %llu, ", (unsigned long long)protocol->seed);
    json_flag(out, "given_folds", protocol->fold_of != NULL);
    json_flag(out, "groups", data->groups != NULL);
    json_flag(out, "plain", protocol->plain);
    json_flag(out, "inductive", protocol->inductive);
    json_flag(out, "shuffle", protocol->shuffle);
}
