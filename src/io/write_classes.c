/* write_classes.c - writing predicted classes and their scores. */
#include "core/arguments.h"
#include "core/number.h"
#include "io/io.h"

#include <stdio.h>
#include <string.h>

/* The classes of n rows; members that the caller did not pass are NULL. */
struct classes {
    int64_t n, count;
    const int32_t *of_row;    /* [n] */
    const char *const *names; /* [count] */
    const int32_t *given;     /* [n] */
    const double *scores;     /* [n x count] */
    const char *const *row_names;
    const double *probability; /* [n] */
};

struct sheet {
    char delimiter;
    pen_put put;
    void *context;
};

static pen_status put_cell(const struct sheet *to, const char *text)
{
    PEN_TRY(to->put(to->context, &to->delimiter, 1));
    return to->put(to->context, text, strlen(text));
}

/* The name of a class, or its number. */
static pen_status put_class(const struct sheet *to, const struct classes *all, int64_t c)
{
    char number[PEN_NUMBER_SIZE];

    snprintf(number, sizeof number, "%lld", (long long)c);
    return pen_write_name(all->names ? all->names[c] : number, to->delimiter, to->put, to->context);
}

/* The header; with row names its first cell is empty. */
static pen_status put_header(const struct sheet *to, const struct classes *all)
{
    if (all->row_names)
        PEN_TRY(to->put(to->context, &to->delimiter, 1));
    PEN_TRY(to->put(to->context, "class", 5));
    if (all->given)
        PEN_TRY(put_cell(to, "given"));
    if (all->probability)
        PEN_TRY(put_cell(to, "probability"));
    for (int64_t c = 0; all->scores && c < all->count; c++) {
        PEN_TRY(to->put(to->context, &to->delimiter, 1));
        PEN_TRY(put_class(to, all, c));
    }
    return to->put(to->context, "\n", 1);
}

static pen_status put_number(const struct sheet *to, double value)
{
    char number[PEN_NUMBER_SIZE];

    pen_number_write(value, number);
    return put_cell(to, number);
}

static pen_status put_row(const struct sheet *to, const struct classes *all, int64_t i)
{
    if (all->row_names) {
        PEN_TRY(pen_write_name(all->row_names[i], to->delimiter, to->put, to->context));
        PEN_TRY(to->put(to->context, &to->delimiter, 1));
    }
    PEN_TRY(put_class(to, all, all->of_row[i]));
    if (all->given)
        PEN_TRY(put_cell(to, all->given[i] ? "1" : "0"));
    if (all->probability)
        PEN_TRY(put_number(to, all->probability[i]));
    for (int64_t c = 0; all->scores && c < all->count; c++)
        PEN_TRY(put_number(to, all->scores[i * all->count + c]));
    return to->put(to->context, "\n", 1);
}

static pen_status put_all(const struct sheet *to, const struct classes *all)
{
    PEN_TRY(put_header(to, all));
    for (int64_t i = 0; i < all->n; i++)
        PEN_TRY(put_row(to, all, i));
    return PEN_OK;
}

static pen_status check(pen_run *run, const char *path, const struct classes *all)
{
    PEN_TRY(pen_check_given(run, path, "path"));
    if (all->n > 0)
        PEN_TRY(pen_check_given(run, all->of_row, "classes"));
    PEN_REQUIRE(run, !pen_has_extension(path, ".npy"), PEN_UNKNOWN_NAME,
                "%s: classes with scores are written as text, .csv or .tsv", path);
    PEN_REQUIRE(run, all->n >= 0 && all->count >= 1, PEN_BAD_ARGUMENT,
                "classes to write must have n >= 0, class_count >= 1, got %lld, %lld",
                (long long)all->n, (long long)all->count);
    PEN_REQUIRE(run, !all->scores || pen_times(all->n, all->count) <= INT64_MAX / 16,
                PEN_BAD_ARGUMENT, "%lld rows of %lld scores are more than memory can hold",
                (long long)all->n, (long long)all->count);
    PEN_TRY(pen_check_names(run, all->names, all->count, "class_names"));
    PEN_TRY(pen_check_names(run, all->row_names, all->n, "row_names"));
    for (int64_t i = 0; i < all->n; i++)
        PEN_REQUIRE(run, all->of_row[i] >= 0 && all->of_row[i] < all->count, PEN_BAD_ARGUMENT,
                    "class of row %lld must be in [0, %lld], got %ld", (long long)i,
                    (long long)all->count - 1, (long)all->of_row[i]);
    return PEN_OK;
}

static pen_status write_classes(pen_run *run, const char *path, const struct classes *all)
{
    pen_output *output;

    PEN_TRY(check(run, path, all));
    PEN_TRY(pen_output_open(run, path, &output));
    const struct sheet to = { pen_delimiter_of(path), pen_put_output, output };
    return pen_output_close(output, put_all(&to, all));
}

static pen_status open_and_write(const char *path, const struct classes *all, pen_error *err)
{
    PEN_CALL(NULL, err, write_classes(run, path, all));
}

pen_status pen_write_classes(const char *path, int64_t n, const int32_t *classes,
                             int64_t class_count, const char *const *class_names,
                             const int32_t *given, const double *scores,
                             const char *const *row_names, pen_error *err)
{
    const struct classes all = { .n = n,
                                 .count = class_count,
                                 .of_row = classes,
                                 .names = class_names,
                                 .given = given,
                                 .scores = scores,
                                 .row_names = row_names };
    return open_and_write(path, &all, err);
}

pen_status pen_write_predictions(const char *path, int64_t n, const int32_t *classes,
                                 const double *probability, int64_t class_count,
                                 const char *const *class_names, const double *probabilities,
                                 const char *const *row_names, pen_error *err)
{
    const struct classes all = { .n = n,
                                 .count = class_count,
                                 .of_row = classes,
                                 .names = class_names,
                                 .scores = probabilities,
                                 .row_names = row_names,
                                 .probability = probability };
    return open_and_write(path, &all, err);
}
