/* stats_files.c - files of statistics: recognized, written for a block, fitted from, described. */
#define _POSIX_C_SOURCE 200809L

#include "stats_files.h"

#include "flags/input.h"
#include "learn.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 512 };

typedef struct work {
    const cli_args *args;
    pen_spec *spec;
    learning in;
    const char *rows; /* the operand that holds some, or NULL */
    pen_stats *stats; /* of the others, or NULL */
    pen_stats_block block;
} work;

int stats_are_in(const char *path)
{
    static const char mark[] = "\"kind\":\"statistics\"";
    size_t size;
    int found = 0;

    const unsigned char *const head = input_head(path, &size);
    for (size_t i = 8; i < HEAD && i + sizeof mark <= size + 1 && head[8] == '{' && !found; i++)
        found = memcmp(head + i, mark, sizeof mark - 1) == 0;
    return found;
}

/* What they are, as JSON. Free with free(); NULL when out of memory. */
static char *info_of(const pen_stats *stats)
{
    const size_t size = pen_stats_info(stats, NULL, 0) + 1;
    char *const json = malloc(size);

    if (json)
        pen_stats_info(stats, json, size);
    return json;
}

int stats_info(const cli_args *args, const char *path)
{
    pen_stats *stats = NULL;

    const int status = input_stats(args, path, &stats);
    char *const json = status == CLI_OK ? info_of(stats) : NULL;
    if (json)
        printf("{\"penumbra\":\"%s\",\"command\":\"info\",%s\n", pen_version(), json + 1);
    free(json);
    pen_stats_free(stats);
    return status;
}

/* "178 of 13 columns, 30 labelled", from the head of that. */
static void report_rows(const pen_stats *stats)
{
    static const char *const keys[] = { "\"rows\":", "\"columns\":", "\"labelled\":" };
    long long numbers[3] = { 0 };
    char *const json = info_of(stats);

    for (int i = 0; json && i < 3; i++)
        numbers[i] = strtoll(strstr(json, keys[i]) + strlen(keys[i]), NULL, 10);
    free(json);
    fprintf(cli_line("rows"), "%lld of %lld columns, %lld labelled\n", numbers[0], numbers[1],
            numbers[2]);
}

/* ---- reading ---- */

static int read_operands(work *w, const char *const *operands)
{
    int64_t all = 0, count = 0;
    int status = CLI_OK;
    pen_error err;

    while (operands[all])
        all++;
    pen_stats **const list = calloc((size_t)all + 1, sizeof *list);
    if (!list)
        return cli_say(w->args->command, CLI_FAILED, "out of memory");
    for (int64_t i = 0; i < all && status == CLI_OK; i++)
        if (stats_are_in(operands[i]))
            status = input_stats(w->args, operands[i], &list[count++]);
        else if (w->rows || !args_value(w->args, "block"))
            status = cli_say(w->args->command, CLI_USAGE,
                             "%s holds rows, and \"%s\" does not go with them: --block ID writes "
                             "the statistics of one file of rows",
                             input_name(operands[i]), w->rows ? w->rows : operands[!i]);
        else
            w->rows = operands[i];
    if (status == CLI_OK && count > 0
        && pen_stats_merge((const pen_stats *const *)list, count, 0, NULL, &w->stats, &err)
               != PEN_OK)
        status = input_failed(w->args, &err);
    for (int64_t i = 0; i < count; i++)
        pen_stats_free(list[i]);
    free(list);
    return status;
}

static int check_flags(const cli_args *args)
{
    static const char *const of_fits[] = { "pairs", "must-link", "cannot-link", "sample-pairs",
                                           NULL },
                             *const of_rows[] = { "label-column", "labels", "drop", NULL },
                             *const of_both[] = { "classes",  "keep-labels", "graph", "groups",
                                                  "ensemble", "effort",      NULL };
    const int block = args_value(args, "block") != NULL;
    const char *const *const lists[] = { block ? of_fits : of_rows, of_both };

    for (int i = 0; i < 2; i++)
        for (const char *const *flag = lists[i]; *flag; flag++)
            if (args_value(args, *flag))
                return cli_say(args->command, CLI_USAGE, "--%s does not apply to %s", *flag,
                               block ? "statistics of a block; in Python penumbra.Statistics keeps "
                                       "rows of pairs"
                                     : "a fit from statistics, which have no rows");
    return args_value(args, "output")
               ? CLI_OK
               : cli_say(args->command, CLI_USAGE, "-o MODEL is required: the file for the model");
}

/* What statistics of blocks cannot be of. */
static int check_block(const work *w)
{
    const char *const name = pen_spec_method(w->spec)->name;

    if (!w->rows)
        return cli_say(w->args->command, CLI_USAGE, "--block: a file of rows is required");
    if (w->in.options.missing == PEN_MISSING_MEAN)
        return cli_say(w->args->command, CLI_USAGE,
                       "--missing mean: the mean of a block is not that of all rows; --missing "
                       "drop leaves out rows, and fit takes all rows at once");
    if (pen_spec_passes(w->spec) != 0)
        return CLI_OK;
    return cli_say(w->args->command, CLI_USAGE,
                   "--block: %s with these parameters looks at every row: fit pca from statistics, "
                   "transform the rows, and fit %s to these",
                   name, name);
}

/* The distances to the nearest rows, where the fit needs them. */
static int check_passes(const work *w)
{
    char *const json = info_of(w->stats);
    const int lacks =
        pen_spec_passes(w->spec) & PEN_PART_NEAREST && json && !strstr(json, "\"nearest\"");

    free(json);
    if (!lacks)
        return CLI_OK;
    return cli_say(w->args->command, CLI_USAGE,
                   "%s needs a second pass over each block, which is given all files of the first: "
                   "penumbra fit %s DATA A.pens B.pens --block ID -o NEAR.pens",
                   pen_spec_method(w->spec)->name, pen_spec_method(w->spec)->name);
}

/* ---- the work ---- */

/* The first pass over a block, or the second one, whose result goes with the statistics of all. */
static pen_status write_block(work *w, const pen_control *control, pen_error *err)
{
    const pen_data *const data = &w->in.data;
    pen_stats *made = NULL;

    pen_status status =
        w->stats ? pen_stats_nearest(w->spec, w->stats, data, w->block.id, control, &made, err)
                 : pen_stats_new(w->spec, data, &w->block, control, &made, err);
    if (status == PEN_OK)
        status = pen_stats_save(made, args_value(w->args, "output"), err);
    pen_stats_free(made);
    return status;
}

static int run(work *w)
{
    const int block = w->rows != NULL, quiet = args_value(w->args, "quiet") != NULL;
    pen_model *model = NULL;
    progress bar;
    pen_error err;

    progress_begin(&bar, quiet);
    const pen_control control = { .threads = w->in.threads,
                                  .progress = progress_show,
                                  .user = &bar };
    const pen_status made =
        block ? write_block(w, &control, &err)
              : pen_stats_fit(w->spec, w->stats, &w->in.data, &control, &model, &err);
    progress_end(&bar);
    int status = made == PEN_OK ? CLI_OK : pairs_failed(w->args, &err);
    if (status == CLI_OK && !block)
        status = learn_save(w->args, model, NULL);
    if (status == CLI_OK && !quiet) {
        block ? learn_report_rows(w->args, &w->in) : report_rows(w->stats);
        if (!block)
            learn_report_model(w->args, model);
        learn_report_saved(w->args, NULL);
    }
    pen_model_free(model);
    return progress_signal() ? progress_die(w->args->command) : status;
}

int stats_fit(const cli_args *args, const char *method, const char *const *operands,
              const cli_flag *params)
{
    const pen_table any = { .x = { .rows = 0 } }; /* pairs are of numbers among all */
    work w = { .args = args };

    if (!method || strcmp(method, "auto") == 0)
        return cli_say(args->command, CLI_USAGE,
                       "statistics need a METHOD, for labels cannot be held out");
    int status = check_flags(args);
    if (status == CLI_OK)
        status = args_count(args, "block", 0, &w.block.id);
    if (status == CLI_OK)
        status = params_spec(args, method, params, &w.spec);
    if (status == CLI_OK)
        status = read_operands(&w, operands);
    if (status == CLI_OK)
        status = learn_options(args, pen_spec_method(w.spec), w.rows ? w.rows : operands[0], &w.in);
    w.in.options.allow_empty = 1;
    if (status == CLI_OK)
        status = args_value(args, "block") ? check_block(&w) : check_passes(&w);
    if (status == CLI_OK && w.rows)
        status = learn_read(args, w.rows, &w.in);
    else if (status == CLI_OK)
        status = pairs_read(args, operands[0], &any, &w.in.pairs);
    if (status == CLI_OK && !w.rows)
        status = pairs_set(args, &w.in.pairs, &w.in.data);
    w.in.data.missing =
        w.in.options.missing == PEN_MISSING_DROP ? PEN_MISSING_DROP : PEN_MISSING_ERROR;
    if (status == CLI_OK)
        status = run(&w);
    learn_free(&w.in);
    pen_stats_free(w.stats);
    pen_spec_free(w.spec);
    return status;
}
