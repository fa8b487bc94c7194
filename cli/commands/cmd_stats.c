/* cmd_stats.c - penumbra stats: what a method needs of a block of rows. */
#define _POSIX_C_SOURCE 200809L

#include "blas_memory.h"
#include "flags/input.h"
#include "flags/output.h"
#include "flags/pair_flags.h"
#include "flags/param_flags.h"
#include "leak_warning.h"
#include "progress.h"
#include "stats_files.h"

#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "output", "FILE", "where the statistics are written", 'o' },
    { "block", "ID",
      "the number of this block, from 0: no two blocks have the same,\nand rows are numbered block "
      "by block",
      0 },
    { "labels", "FILE", "a file of labels, one for each row", 0 },
    { "nearest", "FILE",
      "a second pass: from the labelled rows of these merged\nstatistics to their nearest rows in "
      "this block",
      0 },
    { "threads", "N", "number of threads (all cores); the result does not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no report", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

static const cli_flag pair_files[] = {
    { "first-row", "N", "the number of the first row of this block among all", 0 },
    { "must-link", "FILE", "must-links between rows of all blocks: those of this one are kept", 0 },
    { "cannot-link", "FILE", "cannot-links, likewise", 0 },
    { "pairs", "FILE", "pairs of both kinds, likewise", 0 },
    { "chunks", "FILE",
      "rca, cfld: in place of must-links the chunk of each row, a whole\nnumber, or -1 for none: "
      "rows are not kept then",
      0 },
    { NULL, NULL, NULL, 0 },
};

typedef struct block {
    pen_read_options options;
    int threads;
    int64_t first_row;
    pen_stats_block given;
    int64_t *keep, *chunks;
    pen_table *rows, *label_file;
    pen_stats *all; /* what the second pass reads, or NULL */
    pen_data data;
} block;

/* ---- flags ---- */

static int read_flags(const cli_args *args, const char *path, block *b)
{
    int status = args_not_both(args, "labels", "label-column");
    const int paired = args_value(args, "must-link") || args_value(args, "cannot-link")
                       || args_value(args, "pairs");

    if (status == CLI_OK && !args_value(args, "output"))
        status = cli_say(args->command, CLI_USAGE, "-o FILE is required: the statistics");
    if (status == CLI_OK && !args_value(args, "block"))
        status = cli_say(args->command, CLI_USAGE, "--block ID is required: which rows these are");
    if (status == CLI_OK && paired && !args_value(args, "first-row"))
        status = cli_say(args->command, CLI_USAGE,
                         "--first-row N is required with pairs, which name rows of all blocks");
    if (status == CLI_OK)
        status = args_count(args, "block", 0, &b->given.id);
    if (status == CLI_OK)
        status = args_count(args, "first-row", 0, &b->first_row);
    if (status == CLI_OK)
        status = memory_threads(args, &b->threads);
    if (status == CLI_OK)
        status = input_options(args, &b->options);
    if (status == CLI_OK && b->options.missing == PEN_MISSING_MEAN)
        status = cli_say(args->command, CLI_USAGE,
                         "--missing mean: the mean of a block is not that of all rows; --missing "
                         "drop leaves out rows, and fit takes all rows at once");
    b->options.allow_empty = 1; /* one of several blocks */
    if (status == CLI_OK)
        status = output_ready(args);
    return status == CLI_OK ? input_sources(args, path) : status;
}

/* ---- pairs ---- */

static int64_t keep_list(const block *b, const int64_t *list, int64_t count, int64_t *keep)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < 2 * count; i++)
        if (list[i] >= b->first_row && list[i] - b->first_row < b->rows->x.rows)
            keep[kept++] = list[i] - b->first_row;
    return kept;
}

/* The rows of this block that pairs name. */
static int read_pairs(const cli_args *args, const char *path, block *b)
{
    const pen_table any = { .x = { .rows = 0 }, .dropped_rows = b->rows->dropped_rows };
    pairs given = { .sampled = 0 };
    pen_data data = { .x = { .rows = 0 } };

    int status = pairs_read(args, path, &any, &given);
    if (status == CLI_OK)
        status = pairs_set(args, &given, &data);
    if (status == CLI_OK) {
        const int64_t most = 2 * (data.must_link_count + data.cannot_link_count);
        b->keep = malloc(((size_t)most + 1) * sizeof *b->keep);
        if (!b->keep)
            status = cli_say(args->command, CLI_FAILED, "out of memory for pairs");
    }
    if (status == CLI_OK) {
        int64_t kept = keep_list(b, data.must_link, data.must_link_count, b->keep);
        kept += keep_list(b, data.cannot_link, data.cannot_link_count, b->keep + kept);
        b->given.keep = b->keep;
        b->given.keep_count = kept;
    }
    pairs_free(&given);
    return status;
}

/* ---- chunks ---- */

/* The numbers that a file of labels has as their names. */
static int number_chunks(const cli_args *args, const char *path, const pen_table *table, block *b)
{
    b->chunks = malloc((size_t)(table->x.rows + 1) * sizeof *b->chunks);
    if (!b->chunks)
        return cli_say(args->command, CLI_FAILED, "out of memory for chunks");
    for (int64_t i = 0; i < table->x.rows; i++) {
        const int32_t label = table->labels[i];
        const char *const name = label < 0 ? "" : table->class_names[label];
        const char *end = name;
        uint64_t number = 0;
        if (label >= 0 && (!cli_whole(&end, &number) || *end || number > INT64_MAX))
            return cli_say(args->command, CLI_FAILED,
                           "%s: row %lld: a chunk must be a whole number, or -1 for none, got "
                           "\"%.60s\"",
                           input_name(path), (long long)i, name);
        b->chunks[i] = label < 0 ? -1 : (int64_t)number;
    }
    b->given.chunks = b->chunks;
    return CLI_OK;
}

static int read_chunks(const cli_args *args, const char *data_path, block *b)
{
    const char *const path = args_value(args, "chunks");
    pen_table *table = NULL;

    if (!path)
        return CLI_OK;
    int status = input_labels(args, path, data_path, b->rows, &table);
    if (status == CLI_OK)
        status = number_chunks(args, path, table, b);
    pen_table_free(table);
    return status;
}

/* ---- rows ---- */

static pen_data data_of(const pen_table *rows, const pen_table *labels)
{
    return (pen_data){ .x = rows->x,
                       .labels = labels->labels,
                       .class_names = (const char *const *)labels->class_names,
                       .class_count = labels->class_count,
                       .column_names = (const char *const *)rows->column_names };
}

static int read_rows(const cli_args *args, const char *path, block *b)
{
    const char *const labels = args_value(args, "labels"), *const all = args_value(args, "nearest");

    int status = all ? input_stats(args, all, &b->all) : CLI_OK;
    if (status == CLI_OK)
        status = input_rows(args, path, &b->options, &b->rows);
    if (status == CLI_OK && labels)
        status = input_labels(args, labels, path, b->rows, &b->label_file);
    if (status == CLI_OK)
        status = read_pairs(args, path, b);
    if (status == CLI_OK)
        status = read_chunks(args, path, b);
    if (status == CLI_OK)
        b->data = data_of(b->rows, b->label_file ? b->label_file : b->rows);
    return status == CLI_OK ? leaks_warn(args, b->rows, &b->data, 0) : status;
}

/* ---- the work ---- */

static int make_and_save(const cli_args *args, const pen_spec *spec, const block *b)
{
    const char *const path = args_value(args, "output");
    pen_stats *made = NULL;
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { .threads = b->threads, .progress = progress_show, .user = &bar };
    pen_status status =
        b->all ? pen_stats_nearest(spec, b->all, &b->data, b->given.id, &control, &made, &err)
               : pen_stats_new(spec, &b->data, &b->given, &control, &made, &err);
    progress_end(&bar);
    if (progress_signal()) {
        pen_stats_free(made);
        return progress_die(args->command);
    }
    if (status == PEN_OK)
        status = pen_stats_save(made, path, &err);
    if (status == PEN_OK && !args_value(args, "quiet")) {
        output_report(args, path);
        stats_print(made, " rows");
        if (b->all)
            fprintf(stderr, ", nearest %lld\n", (long long)pen_stats_near(made));
        else
            fprintf(stderr, ", %lld kept\n", (long long)pen_stats_kept(made));
    }
    pen_stats_free(made);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

/* A method whose fit from these statistics will be refused, said before all blocks have them. */
static void note_method(const cli_args *args, const pen_spec *spec, const block *b)
{
    const pen_method *const method = pen_spec_method(spec);
    const char *const name = method->name;

    if (!b->all && pen_method_parts(method) == 0 && !args_value(args, "quiet"))
        cli_say(args->command, 0,
                "%s looks at every row: these statistics serve fit pca; transform the rows by it, "
                "and fit %s to them",
                name, name);
}

static int stats(const cli_args *args, const cli_flag *params)
{
    const char *const path = args_operand(args, 1);
    block b = { .threads = 0 };
    pen_spec *spec = NULL;

    int status = params_spec(args, args_operand(args, 0), params, &spec);
    if (status == CLI_OK)
        status = read_flags(args, path, &b);
    if (status == CLI_OK)
        status = read_rows(args, path, &b);
    if (status == CLI_OK)
        note_method(args, spec, &b);
    if (status == CLI_OK)
        status = make_and_save(args, spec, &b);
    pen_table_free(b.rows);
    pen_table_free(b.label_file);
    pen_stats_free(b.all);
    free(b.keep);
    free(b.chunks);
    pen_spec_free(spec);
    return status;
}

static const args_form form = {
    "penumbra stats METHOD DATA --block ID [flags] -o PART.pens",
    "Write what METHOD needs of a block of rows. penumbra merge puts the blocks together, and "
    "penumbra fit METHOD ALL.pens gives the model\n"
    "that all rows together give.\n",
    2,
    2,
    { { NULL, flags },
      { "Pairs, for methods that learn from them", pair_files },
      { "Reading DATA", input_flags } },
};

int cmd_stats(int argc, char **argv)
{
    return params_run(&form, argc, argv, stats);
}
