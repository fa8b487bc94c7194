/* trial_flags.c - the flags that define the trials of compare. */
#include "flags/trial_flags.h"

#include "flags/input.h"

#include <stdlib.h>
#include <string.h>

const cli_flag trials_flags[] = {
    { "keep-labels", "N|P%",
      "learn from N labels of each class, or from P percent of them, and\ntest on the others", 0 },
    { "folds", "N|FILE",
      "number of folds, each held out once (5, or what the largest class\nallows); or a file with "
      "a line for each row, a column for each run:\nthe number of the fold that holds it out; -1 "
      "or empty: none",
      0 },
    { "runs", "N", "repetitions with newly dealt folds (2)", 0 },
    { "groups", "COLUMN|FILE", CLI_GROUPS_HELP, 0 },
    { "inductive", NULL, "fit without held-out rows; otherwise they stay as unlabelled rows", 0 },
    { "shuffled", NULL, "once more with shuffled labels, to see what chance gives", 0 },
    { "seed", "N", "seed of the folds (0)", 0 },
    { NULL, NULL, NULL, 0 },
};

#define MOST_EFFORT 1e9

enum { LARGEST_DIM = 1000000 };

const char *trials_fold_file(const cli_args *args)
{
    const char *const text = args_value(args, "folds");

    return text && (!*text || text[strspn(text, "0123456789")]) ? text : NULL;
}

void trials_use_folds(const pen_folds *given, pen_trials *out)
{
    if (!given)
        return;
    out->fold_of = given->fold_of;
    out->runs = given->runs;
    out->folds = given->folds;
}

static int by_size(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* "5" or "1-9", after those that are there. Returns 0 for any other text. */
static int add_dims(const char *text, trial_flags *out)
{
    uint64_t first, last;

    if (!cli_whole(&text, &first))
        return 0;
    last = first;
    if (*text == '-' && (text++, !cli_whole(&text, &last)))
        return 0;
    if (*text || first < 1 || last < first || last > LARGEST_DIM
        || last - first >= (uint64_t)(TRIAL_MOST_DIMS - out->how.dim_count))
        return 0;
    for (uint64_t d = first; d <= last; d++)
        out->dims[out->how.dim_count++] = (int64_t)d;
    return 1;
}

/* Ascending, each once. */
static int read_dims(const cli_args *args, trial_flags *out)
{
    int64_t count, kept = 0;
    const char *const *const texts = args_list(args, "dims", &count);

    for (int64_t i = 0; i < count; i++)
        if (!add_dims(texts[i], out))
            return cli_say(args->command, CLI_USAGE,
                           "--dims must be whole numbers >= 1 such as 1,2,5 or 1-9, at most %d of "
                           "them, got \"%s\"",
                           TRIAL_MOST_DIMS, texts[i]);
    qsort(out->dims, (size_t)out->how.dim_count, sizeof *out->dims, by_size);
    for (int64_t i = 0; i < out->how.dim_count; i++)
        if (i == 0 || out->dims[i] != out->dims[i - 1])
            out->dims[kept++] = out->dims[i];
    out->how.dim_count = kept;
    out->how.dims = kept > 0 ? out->dims : NULL;
    return CLI_OK;
}

static void read_grids(const cli_args *args, trial_flags *out)
{
    const char *text;

    for (int i = 0; i < TRIAL_MOST_DIMS && (text = args_repeated(args, "grid", i)); i++) {
        out->grid[i] = text;
        out->how.grid_count = i + 1;
    }
    out->how.grid = out->how.grid_count ? out->grid : NULL;
}

int trials_options(const cli_args *args, trial_flags *out)
{
    pen_trials *const how = &out->how;
    int status = trials_fold_file(args) ? args_not_both(args, "folds", "runs")
                                        : args_count(args, "folds", 2, &how->folds);

    how->effort = 1;
    how->inductive = args_value(args, "inductive") != NULL;
    how->shuffled = args_value(args, "shuffled") != NULL;
    how->keep_labels = args_value(args, "keep-labels");
    how->classifiers = args_list(args, "classifier", &how->classifier_count);
    if (how->classifier_count == 0)
        how->classifiers = NULL;
    if (status == CLI_OK)
        status = args_count(args, "runs", 1, &how->runs);
    if (status == CLI_OK)
        status = args_seed(args, "seed", &how->seed);
    if (status == CLI_OK)
        status = args_real(args, "effort", 0, MOST_EFFORT, &how->effort);
    if (status == CLI_OK)
        status = args_not_both(args, "dims", "dim");
    if (status == CLI_OK)
        status = read_dims(args, out);
    read_grids(args, out);
    return status;
}
