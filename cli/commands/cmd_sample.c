/* cmd_sample.c - penumbra sample: draw a sample of the labels, or of pairs. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/output.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "output", "FILE", "the output: .csv, .tsv, .txt, .npy, or - for text on standard\noutput",
      'o' },
    { "labels", "FILE", "a file of labels, one for each row, in place of DATA", 0 },
    { "seed", "N", "seed of the sample (0)", 0 },
    { "quiet", NULL, "no progress bar, no report", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

static const cli_flag label_flags[] = {
    { "per-class", "N", "keep the labels of N rows of each class; or", 0 },
    { "percent", "P", "of P percent of each class, at least one row", 0 },
    { NULL, NULL, NULL, 0 },
};

static const cli_flag pair_flags[] = {
    { "percent", "P", "draw P percent of all pairs of labelled rows; or", 0 },
    { "count", "N", "N of them; or", 0 },
    { "must", "N", "N must-links (0) and", 0 },
    { "cannot", "N", "N cannot-links (0)", 0 },
    { "noise", "FRACTION", "flip this fraction of the pairs drawn (0)", 0 },
    { NULL, NULL, NULL, 0 },
};

static const char *const words[] = { "labels", "pairs" };
enum { LABELS, PAIRS, WORDS };

/* ---- flags ---- */

typedef struct request {
    int word;
    pen_label_sample of_labels;
    pen_pair_sample of_pairs;
} request;

static int find_word(const cli_args *args, int *out)
{
    const char *const word = args_operand(args, 0);

    for (int i = 0; i < WORDS; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return CLI_OK;
        }
    }
    const char *const near = cli_nearest(word, words, WORDS);
    if (near)
        return cli_say(args->command, CLI_USAGE, "cannot sample \"%s\"; did you mean %s?", word,
                       near);
    return cli_say(args->command, CLI_USAGE, "cannot sample \"%s\"; expected labels or pairs",
                   word);
}

static int has_flag(const cli_flag *table, const char *name)
{
    for (; table->name; table++)
        if (strcmp(table->name, name) == 0)
            return 1;
    return 0;
}

/* A flag of the other word only is an error. */
static int check_flags(const cli_args *args, int word)
{
    const cli_flag *const own = word == LABELS ? label_flags : pair_flags, *const other =
                                                                               word == LABELS
                                                                                   ? pair_flags
                                                                                   : label_flags;

    for (const cli_flag *flag = other; flag->name; flag++)
        if (args_value(args, flag->name) && !has_flag(own, flag->name))
            return cli_say(args->command, CLI_USAGE,
                           "--%s is a flag of penumbra sample %s, not of penumbra sample %s",
                           flag->name, words[!word], words[word]);
    return CLI_OK;
}

static int label_options(const cli_args *args, pen_label_sample *out)
{
    int status = args_not_both(args, "per-class", "percent");

    if (status == CLI_OK && !args_value(args, "per-class") && !args_value(args, "percent"))
        status = cli_say(args->command, CLI_USAGE,
                         "--per-class or --percent is required: the number of labels to keep");
    if (status == CLI_OK)
        status = args_count(args, "per-class", 1, &out->per_class);
    if (status == CLI_OK)
        status = args_percent(args, "percent", &out->percent);
    return status == CLI_OK ? args_seed(args, "seed", &out->seed) : status;
}

/* --percent, --count, and --must with --cannot exclude each other. */
static int check_ways(const cli_args *args)
{
    static const char *const excluding[][2] = { { "percent", "count" },
                                                { "percent", "must" },
                                                { "percent", "cannot" },
                                                { "count", "must" },
                                                { "count", "cannot" } };
    int given = 0;

    for (size_t i = 0; i < sizeof excluding / sizeof *excluding; i++) {
        if (args_not_both(args, excluding[i][0], excluding[i][1]) != CLI_OK)
            return CLI_USAGE;
        given |= args_value(args, excluding[i][0]) || args_value(args, excluding[i][1]);
    }
    if (!given)
        return cli_say(args->command, CLI_USAGE,
                       "one of --percent, --count, or --must and --cannot is required: the number "
                       "of pairs to draw");
    return CLI_OK;
}

static int pair_options(const cli_args *args, pen_pair_sample *out)
{
    int status = check_ways(args);

    if (status == CLI_OK)
        status = args_percent(args, "percent", &out->percent);
    if (status == CLI_OK)
        status = args_count(args, "count", 1, &out->count);
    if (status == CLI_OK)
        status = args_count(args, "must", 0, &out->must_link);
    if (status == CLI_OK)
        status = args_count(args, "cannot", 0, &out->cannot_link);
    if (status == CLI_OK && out->percent == 0 && out->count == 0 && out->must_link == 0
        && out->cannot_link == 0)
        status = cli_say(args->command, CLI_USAGE, "--must or --cannot must be above 0");
    if (status == CLI_OK)
        status = args_real(args, "noise", 0, 1, &out->noise);
    return status == CLI_OK ? args_seed(args, "seed", &out->seed) : status;
}

/* ---- labels ---- */

typedef struct source {
    pen_table *rows, *label_file; /* NULL: not given */
    const pen_table *known;       /* the one of the two whose labels are used */
    int64_t n;
} source;

static void source_free(source *from)
{
    pen_table_free(from->rows);
    pen_table_free(from->label_file);
}

static int read_labels(const cli_args *args, const pen_read_options *options, source *from)
{
    const char *const data = args_operand(args, 1), *const labels = args_value(args, "labels");
    int status = CLI_OK;

    if (data)
        status = input_rows(args, data, options, &from->rows);
    if (status == CLI_OK && labels)
        status = input_labels(args, labels, data, from->rows, &from->label_file);
    if (status != CLI_OK)
        return status;
    from->known = labels ? from->label_file : from->rows;
    from->n = from->known->x.rows;
    if (data && input_all_rows(args, "rows", args_value(args, "output"), data, from->rows))
        return CLI_FAILED;
    if (!from->known->labels)
        return cli_say(args->command, CLI_FAILED,
                       "%s: no labels found; --label-column or --labels says where they are",
                       input_name(data));
    return CLI_OK;
}

static void report_labels(const cli_args *args, const source *from, const int32_t *kept)
{
    output_report(args, args_value(args, "output"));
    fprintf(stderr, "%lld rows, ", (long long)from->n);
    input_print_classes("labelled", kept, from->n, (const char *const *)from->known->class_names,
                        from->known->class_count);
    fputc('\n', stderr);
}

static int write_labels(const cli_args *args, const source *from, const pen_label_sample *sample)
{
    const int quiet = args_value(args, "quiet") != NULL;
    pen_error err;
    progress bar;

    int32_t *const kept = calloc((size_t)from->n, sizeof *kept);
    if (!kept)
        return cli_say(args->command, CLI_FAILED, "out of memory for %lld labels",
                       (long long)from->n);
    progress_begin(&bar, quiet);
    if (strcmp(args_value(args, "output"), "-") == 0)
        progress_release();
    pen_status status = pen_sample_labels(from->known->labels, from->n, sample, kept, &err);
    if (status == PEN_OK && progress_signal()) {
        free(kept);
        return progress_die(args->command);
    }
    if (status == PEN_OK)
        status = pen_write_labels(args_value(args, "output"), kept, from->n,
                                  (const char *const *)from->known->class_names,
                                  from->known->class_count, &err);
    if (status == PEN_OK && !quiet)
        report_labels(args, from, kept);
    free(kept);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

/* ---- pairs ---- */

static void report_pairs(const cli_args *args, const source *from, const pen_pair_sample *sample)
{
    double labelled = 0, drawn = (double)(sample->count + sample->must_link + sample->cannot_link);

    for (int64_t i = 0; i < from->n; i++)
        labelled += from->known->labels[i] != PEN_UNLABELLED;
    const double all = labelled * (labelled - 1) / 2;
    if (sample->percent > 0)
        drawn = fmin(floor(sample->percent / 100 * all + 0.5), all);
    output_report(args, args_value(args, "output"));
    fprintf(stderr, "%.0f of %.0f pairs", drawn, all);
    if (sample->must_link + sample->cannot_link > 0)
        fprintf(stderr, ", %lld must-links and %lld cannot-links", (long long)sample->must_link,
                (long long)sample->cannot_link);
    if (sample->noise > 0)
        fprintf(stderr, ", %.0f of them flipped", floor(sample->noise * drawn + 0.5));
    fputc('\n', stderr);
}

static int write_pairs(const cli_args *args, const source *from, const pen_pair_sample *sample)
{
    const char *const out = args_value(args, "output");
    const int quiet = args_value(args, "quiet") != NULL, streamed = strcmp(out, "-") == 0;
    pen_error err;
    progress bar;

    progress_begin(&bar, quiet || streamed);
    if (streamed)
        progress_release();
    const pen_control control = { 0, progress_show, &bar };
    const pen_status status =
        pen_sample_pairs_write(out, from->known->labels, from->n, sample, &control, &err);
    progress_end(&bar);
    if (status == PEN_CANCELLED)
        return progress_die(args->command);
    if (status == PEN_OK && !quiet)
        report_pairs(args, from, sample);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

/* ---- the command ---- */

static int read_flags(const cli_args *args, pen_read_options *options, request *want)
{
    int status = find_word(args, &want->word);
    if (status == CLI_OK)
        status = check_flags(args, want->word);
    if (status == CLI_OK)
        status = want->word == LABELS ? label_options(args, &want->of_labels)
                                      : pair_options(args, &want->of_pairs);
    if (status == CLI_OK)
        status = args_output(args);
    if (status == CLI_OK)
        status = output_ready(args);
    if (status == CLI_OK)
        status = args_not_both(args, "labels", "label-column");
    if (status == CLI_OK && !args_operand(args, 1) && !args_value(args, "labels"))
        status = cli_say(args->command, CLI_USAGE,
                         "DATA or --labels FILE is required: where the labels are");
    if (status == CLI_OK)
        status = input_options(args, options);
    return status == CLI_OK ? input_sources(args, args_operand(args, 1)) : status;
}

static int sample(const cli_args *args)
{
    pen_read_options options;
    request want = { 0 };
    source from = { 0 };

    int status = read_flags(args, &options, &want);
    if (status == CLI_OK)
        status = read_labels(args, &options, &from);
    if (status == CLI_OK)
        status = want.word == LABELS ? write_labels(args, &from, &want.of_labels)
                                     : write_pairs(args, &from, &want.of_pairs);
    source_free(&from);
    return status;
}

static const args_form form = {
    "penumbra sample labels|pairs [DATA] [flags] -o OUT",
    "Draw a sample of the labels, or of the pairs of labelled rows. Labels come from DATA (CSV, "
    "TSV, npy or libsvm; - is standard input) or\n"
    "from a separate file. Labels not drawn are written as -1; pairs as i,j,1 (must-link) or "
    "i,j,-1 (cannot-link), rows numbered from 0.\n",
    1,
    2,
    { { NULL, flags },
      { "Flags of labels", label_flags },
      { "Flags of pairs", pair_flags },
      { "Reading DATA", input_flags } },
};

int cmd_sample(int argc, char **argv)
{
    return args_run(&form, argc, argv, sample);
}
