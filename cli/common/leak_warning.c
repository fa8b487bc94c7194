/* leak_warning.c - warns of columns that determine the labels or number the rows. */
#include "common/fit_data.h"

#include "base/lines.h"
#include "common/blas_memory.h"

#include <string.h>

enum { COLUMNS_SHOWN = 12 };

/* Adds a column for --drop: its name if a shell needs no quotes and it is no number, else #N. */
static void add_drop(line *l, const pen_table *rows, int64_t column)
{
    static const char digits[] = "0123456789.",
                      plain[] = "0123456789._ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char *const name = rows->column_names ? rows->column_names[column] : "";

    if (*name && !strchr(digits, *name) && !name[strspn(name, plain)])
        line_add(l, "%s", name);
    else
        line_add(l, "'#%lld'",
                 (long long)(rows->column_numbers ? rows->column_numbers[column] : column));
}

static void add_column(line *l, const pen_table *rows, int64_t column)
{
    if (rows->column_names && *rows->column_names[column])
        line_add(l, "%s", rows->column_names[column]);
    else
        add_drop(l, rows, column);
}

static void warn(const pen_table *rows, const pen_leak *leak)
{
    const int several = leak->count > 1;
    line l = { "" };

    line_add(&l, several ? "columns " : "column ");
    add_column(&l, rows, leak->first);
    line_add(&l, several ? " to " : "");
    if (several)
        add_column(&l, rows, leak->first + leak->count - 1);
    line_add(&l,
             leak->numbers_rows ? " numbers the rows%s"
                                : " determine%s the labels: the classes may have been left "
                                  "among the values",
             leak->numbers_rows || several ? "" : "s");
    line_add(&l, "; --drop ");
    for (int64_t j = 0; j < leak->count && j < COLUMNS_SHOWN; j++) {
        line_add(&l, j ? "," : "");
        add_drop(&l, rows, leak->first + j);
    }
    line_warn("%s%s leaves %s out", l.text, leak->count > COLUMNS_SHOWN ? ",..." : "",
              several ? "them" : "it");
}

void copies_warn(const pen_data *data)
{
    pen_leaks *leaks = NULL;

    if (!cli_quiet && pen_find_leaks(data, &leaks, NULL) == PEN_OK && leaks->copies > 0)
        line_warn("%.0f %% of the labelled rows have near copies of the same class, which give "
                  "the class away in trials; if they come from one sample, use --groups",
                  100 * leaks->copies);
    pen_leaks_free(leaks);
}

int leaks_warn(const pen_table *rows, const pen_data *data)
{
    pen_leaks *leaks;

    if (cli_quiet || data->x.rows == 0)
        return CLI_OK;
    blas_memory_take();
    if (pen_find_leaks(data, &leaks, &cli_error) != PEN_OK)
        return cli_fail("%s", cli_error.message);
    if (*leaks->alike)
        line_warn("classes that look alike: %s", leaks->alike);
    for (int64_t k = 0; k < leaks->count; k++)
        warn(rows, &leaks->list[k]);
    pen_leaks_free(leaks);
    return CLI_OK;
}
