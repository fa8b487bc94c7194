/* row_weights.c - the flag --weights of evaluate, tune and compare: estimated or read. */
#include "row_weights.h"

#include "cell.h"
#include "input.h"
#include "progress.h"
#include "trial_flags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer rows than these, or less than that share of the labelled ones, are little to go by. */
enum { FEW = 30 };
static const double SMALL_SHARE = 0.2;

static int check_values(const cli_args *args, const char *path, const pen_data *data,
                        const pen_table *table)
{
    char text[CLI_NUMBER_SIZE];

    if (table->x.rows != data->x.rows || table->x.cols != 1)
        return cli_say(args->command, CLI_FAILED,
                       "%s must have one weight for each of %lld rows, got %lld rows of %lld "
                       "columns",
                       input_name(path), (long long)data->x.rows, (long long)table->x.rows,
                       (long long)table->x.cols);
    for (int64_t i = 0; i < data->x.rows; i++) {
        const double value = cli_cell(&table->x, i, 0);
        if (data->labels && data->labels[i] != PEN_UNLABELLED && !(value > 0 && isfinite(value)))
            return cli_say(args->command, CLI_FAILED,
                           "%s: the weight of a labelled row must be > 0, got %s for row %lld",
                           input_name(path), cli_number(value, text), (long long)i);
    }
    return CLI_OK;
}

static int from_file(const cli_args *args, const char *path, const char *data_path,
                     const learning *in, double *weights)
{
    pen_table *table = NULL;
    pen_error err;

    int status = input_all_rows(args, "weights", path, data_path, in->rows);
    if (status != CLI_OK)
        return status;
    if (pen_read(path, NULL, &table, &err) != PEN_OK)
        return cli_say(args->command, CLI_FAILED, "%s", err.message);
    status = check_values(args, path, &in->data, table);
    for (int64_t i = 0; status == CLI_OK && i < in->data.x.rows; i++)
        weights[i] = cli_cell(&table->x, i, 0);
    pen_table_free(table);
    return status;
}

static int estimate(const cli_args *args, const learning *in, double *weights)
{
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { in->threads, progress_show, &bar };
    const pen_status status = pen_estimate_weights(&in->data, &control, weights, &err);
    progress_end(&bar);
    if (status == PEN_OK)
        return CLI_OK;
    return progress_signal() ? progress_die(args->command) : input_failed(args, &err);
}

static void tell(const cli_args *args, const pen_data *data, const double *weights)
{
    const int64_t labelled = trials_labelled(data);
    const double worth = pen_effective_rows(weights, data->labels, data->x.rows);

    if (args_value(args, "quiet"))
        return;
    cli_say(args->command, 0, "by their weights %lld labelled rows are worth %.0f of equal weight",
            (long long)labelled, worth);
    if (worth < FEW || worth < SMALL_SHARE * (double)labelled)
        cli_say(args->command, 0,
                "that is few: a few rows of large weight decide, and differences between methods "
                "may be theirs");
}

int weights_read(const cli_args *args, const char *data_path, const learning *in,
                 pen_protocol *protocol, double **out)
{
    const char *const path = args_value(args, "weights");

    *out = NULL;
    if (!path)
        return CLI_OK;
    *out = calloc((size_t)in->data.x.rows, sizeof **out);
    if (!*out)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    const int status = strcmp(path, "auto") == 0 ? estimate(args, in, *out)
                                                 : from_file(args, path, data_path, in, *out);
    if (status != CLI_OK)
        return status;
    tell(args, &in->data, *out);
    protocol->weights = *out;
    return CLI_OK;
}

int64_t weights_effective(const pen_data *data, const pen_protocol *protocol, int64_t held_out)
{
    const int64_t worth =
        llround(pen_effective_rows(protocol->weights, data->labels, data->x.rows));

    return !protocol->weights || worth > held_out ? held_out : worth < 1 ? 1 : worth;
}
