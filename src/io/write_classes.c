/* write_classes.c - writing predicted classes and their scores. */
#include "core/arguments.h"
#include "io/io.h"

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
        PEN_REQUIRE(run, all->of_row[i] >= PEN_UNLABELLED && all->of_row[i] < all->count,
                    PEN_BAD_ARGUMENT, "class of row %lld must be in [-1, %lld], got %ld",
                    (long long)i, (long long)all->count - 1, (long)all->of_row[i]);
    return PEN_OK;
}

static pen_status write_classes(pen_run *run, const char *path, const struct classes *all)
{
    static const char *const heads[] = { "class", "given", "probability" }, *const digits[] = {
        "0", "1"
    };
    const char *const *names = all->names;

    PEN_TRY(check(run, path, all));
    if (!names && all->scores)
        PEN_TRY(pen_number_names(run, "", all->count, &names));
    const pen_array probability = pen_dense(all->probability, PEN_F64, all->n, 1, 1),
                    scores = pen_dense(all->scores, PEN_F64, all->n, all->count, all->count);
    const pen_sheet sheet = {
        .rows = all->n,
        .has_header = 1,
        .bands = {
            { .count = all->row_names != NULL, .texts = all->row_names },
            { 1, &heads[0], .codes = all->of_row, .words = all->names, .word_count = all->count,
              .other = all->names ? "" : NULL },
            { all->given != NULL, &heads[1], .codes = all->given, .words = digits, .word_count = 2,
              .other = "1" },
            { all->probability != NULL, &heads[2], .values = &probability },
            { all->scores ? all->count : 0, names, .values = &scores },
        },
    };
    return pen_write_sheet(run, path, &sheet);
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
    PEN_CALL(NULL, err, write_classes(run, path, &all));
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
    PEN_CALL(NULL, err, write_classes(run, path, &all));
}
