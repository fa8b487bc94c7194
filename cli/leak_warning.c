/* leak_warning.c - a warning of columns from which the labels follow, or that number the rows. */
#include "leak_warning.h"

#include <string.h>

enum { COLUMNS_SHOWN = 12 };

/* A column as --drop takes it: by its name if that is a word for any shell, and no place. */
static void put_drop(const pen_table *rows, int64_t column)
{
    static const char digits[] = "0123456789.",
                      plain[] = "0123456789._ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char *const name = rows->column_names ? rows->column_names[column] : "";

    if (*name && !strchr(digits, *name) && !name[strspn(name, plain)])
        fputs(name, stderr);
    else
        fprintf(stderr, "'#%lld'",
                (long long)(rows->column_numbers ? rows->column_numbers[column] : column));
}

static void put_column(const pen_table *rows, int64_t column)
{
    if (rows->column_names && *rows->column_names[column])
        cli_put(stderr, rows->column_names[column]);
    else
        put_drop(rows, column);
}

static void warn(const pen_table *rows, const pen_leak *leak, int scored)
{
    const int several = leak->count > 1;

    fprintf(cli_warn(), "column%s ", several ? "s" : "");
    put_column(rows, leak->first);
    if (several) {
        fputs(" to ", stderr);
        put_column(rows, leak->first + leak->count - 1);
    }
    if (leak->numbers_rows)
        fputs(" numbers the rows", stderr);
    else
        fprintf(stderr, " determine%s the labels: the classes may have been left among the values",
                several ? "" : "s");
    fputs(scored ? ", and accuracy may rest on that; --drop " : "; --drop ", stderr);
    for (int64_t j = 0; j < leak->count && j < COLUMNS_SHOWN; j++) {
        fputs(j ? "," : "", stderr);
        put_drop(rows, leak->first + j);
    }
    fprintf(stderr, "%s leaves %s out\n", leak->count > COLUMNS_SHOWN ? ",..." : "",
            several ? "them" : "it");
}

void copies_warn(const pen_data *data)
{
    pen_leaks *leaks = NULL;

    if (!cli_quiet && pen_find_leaks(data, &leaks, NULL) == PEN_OK && leaks->copies > 0)
        fprintf(cli_warn(),
                "%.0f %% of the labelled rows have near copies of their class, which tell "
                "it when one is held out; if they are of one sample, --groups says which\n",
                100 * leaks->copies);
    pen_leaks_free(leaks);
}

int leaks_warn(const pen_table *rows, const pen_data *data, int scored)
{
    pen_leaks *leaks;

    if (cli_quiet || data->x.rows == 0)
        return CLI_OK;
    if (pen_find_leaks(data, &leaks, &cli_error) != PEN_OK)
        return cli_fail("%s", cli_error.message);
    if (*leaks->alike && !scored)
        fprintf(cli_warn(), "classes that look alike: %s\n", leaks->alike);
    for (int64_t k = 0; k < leaks->count; k++)
        warn(rows, &leaks->list[k], scored);
    pen_leaks_free(leaks);
    return CLI_OK;
}
