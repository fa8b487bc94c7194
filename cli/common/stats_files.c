/* stats_files.c - files of statistics: detect, write for a block, fit from, describe. */
#define _POSIX_C_SOURCE 200809L

#include "common/fit_data.h"

#include "flags/input.h"
#include "common/progress.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 512 };

typedef struct work {
    pen_spec *spec;
    fit_data in;
    const char *rows; /* the operand that holds rows, or NULL */
    pen_stats *stats; /* of the other operands, or NULL */
    pen_stats_block block;
    pen_model *model;
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

/* A description as JSON. */
static char *info_of(const pen_stats *stats)
{
    const size_t size = pen_stats_info(stats, NULL, 0) + 1;
    char *const json = cli_alloc((int64_t)size, 1);

    pen_stats_info(stats, json, size);
    return json;
}

int stats_info(const char *path)
{
    pen_stats *stats;

    CLI_TRY(input_stats(path, &stats));
    printf("{\"penumbra\":\"%s\",\"command\":\"info\",%s\n", pen_version(), info_of(stats) + 1);
    return CLI_OK;
}

static void count_rows(const pen_stats *stats, fit_data *in)
{
    static const char *const keys[] = { "\"rows\":", "\"columns\":", "\"labelled\":" };
    int64_t *const to[] = { &in->row_count, &in->column_count, &in->labelled };
    const char *const json = info_of(stats);

    for (int i = 0; i < 3; i++)
        *to[i] = strtoll(strstr(json, keys[i]) + strlen(keys[i]), NULL, 10);
    in->where = "";
}

/* ---- reading ---- */

static int read_operands(work *w, const char *const *operands)
{
    int64_t all = 0, count = 0;

    while (operands[all])
        all++;
    pen_stats **const list = cli_alloc(all, sizeof *list);
    for (int64_t i = 0; i < all; i++)
        if (stats_are_in(operands[i]))
            CLI_TRY(input_stats(operands[i], &list[count++]));
        else if (w->rows || !args_value("block"))
            return cli_refuse("%s holds rows and cannot be combined with \"%s\": --block ID "
                              "writes the statistics of one file of rows",
                              cli_input_name(operands[i]), w->rows ? w->rows : operands[!i]);
        else
            w->rows = operands[i];
    if (count == 0)
        return CLI_OK;
    CLI_CALL(
        pen_stats_merge((const pen_stats *const *)list, count, 0, NULL, &w->stats, &cli_error));
    cli_own(w->stats, cli_free_stats);
    return CLI_OK;
}

/* Refuses the first eleven flags for a block, and the last ten for a fit from statistics. */
static int check_flags(void)
{
    static const char *const flags[] = { "pairs",   "must-link",   "cannot-link", "sample-pairs",
                                         "classes", "keep-labels", "graph",       "groups",
                                         "cache",   "effort",      "ensemble",    "label-column",
                                         "labels",  "drop" };
    const int block = args_value("block") != NULL;

    for (int i = block ? 0 : 4; i < (block ? 11 : 14); i++)
        if (args_value(flags[i]))
            return cli_refuse("--%s does not apply to %s", flags[i],
                              block ? "statistics of a block; in Python penumbra.Statistics keeps "
                                      "rows of pairs"
                                    : "a fit from statistics, which hold no rows");
    return CLI_OK;
}

/* Refuses what statistics of blocks do not support. */
static int check_block(const work *w)
{
    const char *const name = pen_spec_method(w->spec)->name;

    if (!w->rows)
        return cli_refuse("--block: a file of rows is required");
    if (w->in.options.missing == PEN_MISSING_MEAN)
        return cli_refuse("--missing mean: the mean of a block differs from that of all rows; use "
                          "--missing drop, or fit all rows at once");
    if (pen_spec_passes(w->spec) != 0)
        return CLI_OK;
    return cli_refuse("--block: %s with these parameters needs all rows at once: fit pca from "
                      "statistics, transform the rows, and fit %s to these",
                      name, name);
}

/* Refuses a fit that needs distances to the nearest rows, if the statistics lack them. */
static int check_passes(const work *w)
{
    if (!(pen_spec_passes(w->spec) & PEN_PART_NEAREST) || strstr(info_of(w->stats), "\"nearest\""))
        return CLI_OK;
    return cli_refuse("%s needs a second pass over each block, with all files of the first pass: "
                      "penumbra fit %s DATA A.pens B.pens --block ID -o NEAR.pens",
                      pen_spec_method(w->spec)->name, pen_spec_method(w->spec)->name);
}

/* ---- the work ---- */

/* Runs the first pass over a block, or the second one, which needs the statistics of all blocks. */
static pen_status write_block(const work *w, const pen_control *control)
{
    const pen_data *const data = &w->in.data;
    pen_stats *made = NULL;

    pen_status status =
        w->stats
            ? pen_stats_nearest(w->spec, w->stats, data, w->block.id, control, &made, &cli_error)
            : pen_stats_new(w->spec, data, &w->block, control, &made, &cli_error);
    if (status == PEN_OK)
        status = pen_stats_save(made, args_value("output"), &cli_error);
    pen_stats_free(made);
    return status;
}

static pen_status run(void *context, const pen_control *control)
{
    work *const w = context;

    return w->rows ? write_block(w, control)
                   : pen_stats_fit(w->spec, w->stats, &w->in.data, control, &w->model, &cli_error);
}

int stats_fit(const char *method, const char *const *operands)
{
    static const pen_table any = { .x = { .rows = 0 } }; /* pairs use numbers among all rows */
    static work w;

    if (!method || strcmp(method, "auto") == 0)
        return cli_refuse("statistics require a METHOD, because they hold out no labels");
    CLI_TRY(check_flags());
    CLI_TRY(args_count("block", 0, &w.block.id));
    CLI_TRY(params_spec(method, &w.spec));
    CLI_TRY(read_operands(&w, operands));
    CLI_TRY(fit_options(pen_spec_method(w.spec), w.rows ? w.rows : operands[0], &w.in));
    w.in.options.allow_empty = 1;
    CLI_TRY(args_value("block") ? check_block(&w) : check_passes(&w));
    CLI_TRY(w.rows ? fit_read_data(w.rows, &w.in) : pairs_read(operands[0], &any, &w.in.data));
    CLI_TRY(cli_work(NULL, run, &w));
    cli_own(w.model, cli_free_model);
    if (!w.rows)
        count_rows(w.stats, &w.in);
    return fit_finish(&w.in, w.model, NULL);
}
