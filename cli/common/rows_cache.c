/* rows_cache.c - the file of --cache. */
#include "common/fit_data.h"

#include "core/file.h"
#include "common/progress.h"
#include "flags/input.h"

static const char *path;

const cli_flag rows_cache_flag[] = {
    { "cache", "FILE",
      "keep prepared rows (neighbors, scatters, components, graphs) in this file, and reuse them "
      "if it exists; use only a file that you trust",
      0, FLAG_TEXT, &path },
    { NULL },
};

static pen_status prepare(void *context, const pen_control *control)
{
    pen_data *const data = context;
    pen_status status = PEN_BAD_DATA;

    if (pen_file_kind_of(path) != PEN_NO_FILE) {
        status = pen_rows_load(path, &data->x, control, &data->rows, &cli_error);
        if (status == PEN_BAD_DATA)
            cli_note("%s; it is replaced", cli_error.message);
    }
    if (status == PEN_BAD_DATA)
        return pen_rows_new(&data->x, control, &data->rows, &cli_error);
    if (status == PEN_OK && cli_verbose)
        cli_note("%s: read %.1f MB of prepared rows", path,
                 (double)pen_rows_memory(data->rows) / 1e6);
    return status;
}

int rows_cache_open(pen_data *data)
{
    if (path && pen_file_kind_of(path) != PEN_NO_FILE && pen_file_size(path) < 0)
        return cli_refuse("%s is not a regular file and cannot keep prepared rows", path);
    if (path)
        CLI_TRY(cli_work(NULL, prepare, data));
    cli_own(data->rows, cli_free_rows);
    return CLI_OK;
}

int rows_cache_save(const pen_data *data)
{
    if (path)
        CLI_CALL(pen_rows_save(data->rows, path, &cli_error));
    return CLI_OK;
}
