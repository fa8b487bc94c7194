/* class_output.c - the classes of rows with their scores. */
#define _POSIX_C_SOURCE 200809L

#include "class_output.h"

#include "output.h"

#include <math.h>
#include <stdlib.h>

int classes_check(const cli_args *args, const char *flag)
{
    static const char *const endings[] = { "", ".csv", ".tsv", ".txt", NULL };
    const char *const path = args_value(args, flag);

    return path ? output_ending(args, path, "classes", endings, ".csv or .tsv") : CLI_OK;
}

int classes_new(const cli_args *args, int64_t n, int64_t count, int with_given, classes *out)
{
    *out = (classes){ .n = n, .count = count };
    out->of_row = calloc((size_t)n, sizeof *out->of_row);
    out->given = with_given ? calloc((size_t)n, sizeof *out->given) : NULL;
    out->scores = calloc((size_t)n, (size_t)count * sizeof *out->scores);
    if (!out->of_row || !out->scores || (with_given && !out->given))
        return cli_say(args->command, CLI_FAILED,
                       "out of memory for the scores of %lld classes for %lld rows",
                       (long long)count, (long long)n);
    return CLI_OK;
}

void classes_free(classes *all)
{
    free(all->of_row);
    free(all->given);
    free(all->scores);
}

const char **classes_names(const pen_model *model)
{
    const int64_t count = pen_model_class_count(model);
    const char **const names = malloc((size_t)count * sizeof *names);

    for (int64_t c = 0; names && c < count; c++)
        names[c] = pen_model_class_name(model, c);
    return names;
}

static pen_status out_of_memory(pen_error *err)
{
    *err = (pen_error){ .code = PEN_NO_MEMORY, .message = "out of memory" };
    return PEN_NO_MEMORY;
}

pen_status classes_write(const char *path, const classes *all, const pen_model *model,
                         const char *const *row_names, pen_error *err)
{
    const char **const names = classes_names(model);

    if (!names)
        return out_of_memory(err);
    const pen_status status = pen_write_classes(path, all->n, all->of_row, all->count, names,
                                                all->given, all->scores, row_names, err);
    free(names);
    return status;
}

pen_status classes_write_predictions(const char *path, const classes *all, int with_all,
                                     const pen_model *model, const char *const *row_names,
                                     pen_error *err)
{
    const char **const names = classes_names(model);
    double *const of_class = calloc((size_t)all->n, sizeof *of_class);
    pen_status status = PEN_NO_MEMORY;

    for (int64_t i = 0; of_class && i < all->n; i++)
        of_class[i] =
            all->of_row[i] < 0 ? (double)NAN : all->scores[i * all->count + all->of_row[i]];
    if (names && of_class)
        status = pen_write_predictions(path, all->n, all->of_row, of_class, all->count, names,
                                       with_all ? all->scores : NULL, row_names, err);
    else
        status = out_of_memory(err);
    free(of_class);
    free(names);
    return status;
}
