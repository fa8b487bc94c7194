/* leak_warning.c - a warning of columns from which the labels follow. */
#include "leak_warning.h"

#include <string.h>

enum { COLUMNS_SHOWN = 12, NUMBER_SIZE = 32 };

/* How --drop names a column of the table: by its name, unless that is not unique, or by its
 * number. */
static const char *column_text(const pen_table *rows, int64_t column, char number[NUMBER_SIZE])
{
    const char *const name = rows->column_names ? rows->column_names[column] : "";
    int unique = *name && !strchr(name, ',');

    for (int64_t j = 0; unique && j < rows->x.cols; j++)
        unique = j == column || strcmp(rows->column_names[j], name) != 0;
    if (unique)
        return name;
    snprintf(number, NUMBER_SIZE, "%lld",
             (long long)(rows->column_numbers ? rows->column_numbers[column] : column));
    return number;
}

static void put_column(const pen_table *rows, int64_t column)
{
    char number[NUMBER_SIZE];
    cli_put(stderr, column_text(rows, column, number));
}

static void warn(const cli_args *args, const pen_table *rows, const pen_leak *leak)
{
    const int64_t last = leak->first + leak->count - 1;

    fprintf(cli_tell(args->command), "warning: column%s ", leak->count > 1 ? "s" : "");
    put_column(rows, leak->first);
    if (leak->count > 1) {
        fputs(" to ", stderr);
        put_column(rows, last);
    }
    fprintf(stderr, " determine%s the labels: the classes may have been left among the values; ",
            leak->count > 1 ? "" : "s");
    for (int64_t j = 0; j < leak->count && j < COLUMNS_SHOWN; j++) {
        fputs(j ? "," : "--drop ", stderr);
        put_column(rows, leak->first + j);
    }
    fprintf(stderr, "%s leaves %s out\n", leak->count > COLUMNS_SHOWN ? ",..." : "",
            leak->count > 1 ? "them" : "it");
}

void copies_warn(const cli_args *args, const pen_data *data)
{
    double share;

    if (!args_value(args, "quiet") && pen_find_copies(data, &share, NULL) == PEN_OK && share > 0)
        cli_say(args->command, 0,
                "warning: %.0f %% of the labelled rows have near copies of their class, which tell "
                "it when one is held out; if they are of one sample, --groups says which",
                100 * share);
}

int leaks_warn(const cli_args *args, const pen_table *rows, const pen_data *data)
{
    pen_leaks *leaks;
    pen_error err;

    if (args_value(args, "quiet") || !data->labels)
        return CLI_OK;
    if (pen_find_leaks(data, &leaks, &err) != PEN_OK)
        return cli_say(args->command, CLI_FAILED, "%s", err.message);
    for (int64_t k = 0; k < leaks->count; k++)
        warn(args, rows, &leaks->list[k]);
    pen_leaks_free(leaks);
    return CLI_OK;
}
