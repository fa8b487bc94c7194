/* cmd_merge.c - penumbra merge: statistics of several blocks as one file. */
#define _POSIX_C_SOURCE 200809L

#include "flags/input.h"
#include "flags/output.h"
#include "progress.h"
#include "stats_files.h"

#include <stdlib.h>

enum { MOST_FILES = 1000000 };

static const cli_flag flags[] = {
    { "output", "FILE", "where the merged statistics are written", 'o' },
    { "blocks", "N", "the number of blocks that there are, whatever their numbers", 0 },
    { "quiet", NULL, "no progress bar, no report", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

/* The output may be one of the inputs: it is replaced when all have been read. */
static int load(const cli_args *args, int64_t count, pen_stats **list)
{
    int status = CLI_OK;

    for (int64_t i = 0; i < count && status == CLI_OK; i++)
        status = input_stats(args, args_operand(args, (int)i), &list[i]);
    return status;
}

static int merge_and_save(const cli_args *args, int64_t count, int64_t blocks,
                          pen_stats *const *list)
{
    const char *const path = args_value(args, "output");
    pen_stats *merged = NULL;
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = 0, .progress = progress_show, .user = &bar };
    pen_status status =
        pen_stats_merge((const pen_stats *const *)list, count, blocks, &control, &merged, &err);
    progress_end(&bar);
    if (progress_signal()) {
        pen_stats_free(merged);
        return progress_die(args->command);
    }
    if (status == PEN_OK)
        status = pen_stats_save(merged, path, &err);
    if (status == PEN_OK && !args_value(args, "quiet")) {
        output_report(args, path);
        stats_print(merged, " rows");
        fprintf(stderr, "; merges %s\n", pen_stats_merges(merged));
    }
    pen_stats_free(merged);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

static int merge(const cli_args *args)
{
    int64_t count = 0, blocks = 0;

    if (!args_value(args, "output"))
        return cli_say(args->command, CLI_USAGE, "-o FILE is required: the merged statistics");
    while (args_operand(args, (int)count))
        count++;
    pen_stats **const list = calloc((size_t)count, sizeof *list);
    if (!list)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    int status = args_count(args, "blocks", 1, &blocks);
    if (status == CLI_OK)
        status = output_ready(args);
    if (status == CLI_OK)
        status = load(args, count, list);
    if (status == CLI_OK)
        status = merge_and_save(args, count, blocks, list);
    for (int64_t i = 0; i < count; i++)
        pen_stats_free(list[i]);
    free(list);
    return status;
}

static const args_form form = {
    "penumbra merge FILE.pens... -o ALL.pens",
    "Merge the statistics of several blocks of rows (penumbra stats). The order of the files does "
    "not matter; blocks missing between others are an error. Files of a second pass\n"
    "(stats --nearest) are merged with those of the first.\n",
    1,
    MOST_FILES,
    { { NULL, flags } },
};

int cmd_merge(int argc, char **argv)
{
    return args_run(&form, argc, argv, merge);
}
