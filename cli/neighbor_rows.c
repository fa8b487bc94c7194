/* neighbor_rows.c - rows are picked from the files of other blocks. */
#define _POSIX_C_SOURCE 200809L

#include "neighbor_rows.h"

#include "input.h"

#include <stdlib.h>

/* ---- flags ---- */

static int belong_together(const cli_args *args)
{
    return cli_say(args->command, CLI_USAGE,
                   "--with FILE and --with-block ID belong together: each file has a number");
}

/* The number of block `index` of those that flags name. */
static int read_id(const cli_args *args, int index, int64_t *id)
{
    const char *const text = args_repeated(args, "with-block", index), *end = text;
    uint64_t number = 0;

    if (!text)
        return belong_together(args);
    if (!cli_whole(&end, &number) || *end || number > INT64_MAX)
        return cli_say(args->command, CLI_USAGE,
                       "--with-block must be a whole number >= 0, got \"%.60s\"", text);
    *id = (int64_t)number;
    return CLI_OK;
}

int neighbor_rows_flags(const cli_args *args)
{
    int count = 0, status = CLI_OK;
    int64_t id;

    while (args_repeated(args, "with", count))
        count++;
    for (int i = 0; status == CLI_OK && i < count; i++)
        status = read_id(args, i, &id);
    return status == CLI_OK && args_repeated(args, "with-block", count) ? belong_together(args)
                                                                        : status;
}

/* The file of a block, or NULL. */
static const char *file_of(const cli_args *args, int64_t block)
{
    const char *found = NULL, *path;
    int64_t id = -1;

    for (int i = 0; !found && (path = args_repeated(args, "with", i)); i++)
        if (read_id(args, i, &id) == CLI_OK && id == block)
            found = path;
    return found;
}

/* ---- rows ---- */

static int list_wanted(const cli_args *args, const pen_spec *spec, const pen_stats *lists,
                       int64_t block, neighbor_rows *out)
{
    pen_error err;

    if (pen_stats_wanted(spec, lists, block, &out->count, NULL, &err) != PEN_OK)
        return input_failed(args, &err);
    const size_t count = (size_t)out->count + 1, columns = (size_t)pen_stats_columns(lists);
    out->wanted = calloc(count, 2 * sizeof *out->wanted);
    out->values = calloc(count, columns * sizeof *out->values);
    if (!out->wanted || !out->values)
        return cli_say(args->command, CLI_FAILED, "out of memory for %lld rows of other blocks",
                       (long long)out->count);
    if (pen_stats_wanted(spec, lists, block, &out->count, out->wanted, &err) != PEN_OK)
        return input_failed(args, &err);
    out->data = (pen_data){ .x = pen_dense(out->values, PEN_F64, out->count, (int64_t)columns,
                                           (int64_t)columns) };
    return CLI_OK;
}

static int fetch(const cli_args *args, const pen_spec *spec, const pen_stats *lists, int64_t block,
                 const pen_read_options *options, int64_t from, neighbor_rows *out)
{
    const char *const path = file_of(args, from);
    pen_table *table = NULL;
    pen_error err;

    if (!path)
        return cli_say(args->command, CLI_USAGE,
                       "rows of block %lld have neighbors in block %lld: --with FILE --with-block "
                       "%lld is required",
                       (long long)block, (long long)from, (long long)from);
    int status = input_rows(args, path, options, &table);
    const pen_data data = { .x = status == CLI_OK ? table->x : out->data.x };
    if (status == CLI_OK
        && pen_stats_fetch(spec, lists, block, &data, from, out->values, &err) != PEN_OK)
        status = input_failed(args, &err);
    pen_table_free(table);
    return status;
}

int neighbor_rows_read(const cli_args *args, const pen_spec *spec, const pen_stats *lists,
                       int64_t block, const pen_read_options *options, neighbor_rows *out)
{
    int status = list_wanted(args, spec, lists, block, out);

    for (int64_t i = 0; status == CLI_OK && i < out->count; i++)
        if (i == 0 || out->wanted[2 * i] != out->wanted[2 * i - 2])
            status = fetch(args, spec, lists, block, options, out->wanted[2 * i], out);
    return status;
}

void neighbor_rows_free(neighbor_rows *rows)
{
    free(rows->wanted);
    free(rows->values);
}
