/* write_classes.c - writes the classes of rows with their probabilities. */
#include "core/arguments.h"
#include "io/table/strings.h"
#include "io/write.h"

#include <stdio.h>
#include <string.h>

/* A file of classes. */
struct classes_file {
    pen_run *run;
    pen_output *output;
    char delimiter;
    int64_t first;            /* the number of the next row */
    const char *const *heads; /* [class_count] p_NAME; NULL: probabilities are not written */
};

static pen_status check(pen_run *run, const pen_class_rows *all)
{
    PEN_REQUIRE(run, PEN_IS_ZERO(all->reserved), PEN_BAD_ARGUMENT, PEN_NOT_ZERO, "rows");
    if (all->n > 0) {
        PEN_TRY(pen_check_given(run, all->classes, "classes"));
        PEN_TRY(pen_check_given(run, all->probabilities, "probabilities"));
    }
    PEN_REQUIRE(run, all->n >= 0 && all->class_count >= 1, PEN_BAD_ARGUMENT,
                "classes to write must have n >= 0, class_count >= 1, got %lld, %lld",
                (long long)all->n, (long long)all->class_count);
    PEN_REQUIRE(run, pen_times(all->n, all->class_count) <= INT64_MAX / 16, PEN_BAD_ARGUMENT,
                "%lld rows of %lld probabilities are more than memory can hold", (long long)all->n,
                (long long)all->class_count);
    PEN_TRY(pen_check_given(run, all->class_names, "class_names"));
    PEN_TRY(pen_check_names(run, all->class_names, all->class_count, "class_names"));
    PEN_TRY(pen_check_names(run, all->label_names, all->label_count, "label_names"));
    PEN_TRY(pen_check_names(run, all->row_names, all->n, "row_names"));
    for (int64_t i = 0; i < all->n; i++)
        PEN_REQUIRE(run, all->classes[i] >= PEN_UNLABELLED && all->classes[i] < all->class_count,
                    PEN_BAD_ARGUMENT, "class of row %lld must be in [-1, %lld], got %ld",
                    (long long)i, (long long)all->class_count - 1, (long)all->classes[i]);
    return PEN_OK;
}

/* Writes the rows, or the header before all rows. */
static pen_status put_rows(struct classes_file *file, const pen_class_rows *rows, int has_header)
{
    static const char *const heads[] = {
        "row", "name", "class", "probability", "typical", "label"
    };
    const int64_t n = has_header ? 0 : rows->n, c = rows->class_count;

    PEN_TRY(check(file->run, rows));
    const pen_array all = pen_dense(rows->probabilities, PEN_F64, n, c, c),
                    typical = pen_dense(rows->typical, PEN_F64, n, 1, 1);
    const pen_sheet sheet = {
        .rows = n,
        .has_header = has_header,
        .bands = {
            { 1, &heads[rows->row_names != NULL], .first = file->first,
              .numbered = !rows->row_names, .texts = rows->row_names },
            { 1, &heads[2], .codes = rows->classes, .words = rows->class_names, .word_count = c },
            { 1, &heads[3], .values = &all, .codes = rows->classes, .is_rounded = 1 },
            { rows->typical ? 1 : 0, &heads[4], .values = &typical, .is_rounded = 1 },
            { 1, &heads[5], .codes = rows->labels, .words = rows->label_names,
              .word_count = rows->label_count },
            { file->heads ? c : 0, file->heads, .values = &all, .codes = rows->classes,
              .is_rounded = 1 },
        },
    };
    file->first += n;
    return pen_write_text(file->run, &sheet, file->delimiter, pen_put_output, file->output);
}

/* Makes p_NAME of each class. */
static pen_status open_heads(struct classes_file *file, const pen_class_rows *rows)
{
    const char **heads;

    PEN_TRY(PEN_NEW(file->run, heads, rows->class_count));
    for (int64_t c = 0; c < rows->class_count; c++) {
        const size_t size = strlen(rows->class_names[c]) + 3;
        char *head;
        PEN_TRY(PEN_NEW(file->run, head, (int64_t)size));
        snprintf(head, size, "p_%s", rows->class_names[c]);
        heads[c] = head;
    }
    file->heads = heads;
    return PEN_OK;
}

static pen_status put_all(struct classes_file *file, pen_class_rows rows)
{
    PEN_TRY(put_rows(file, &rows, 1));
    PEN_TRY(put_rows(file, &rows, 0));
    while (rows.next) {
        rows.n = 0;
        const pen_status status = rows.next(rows.user, &rows);
        PEN_REQUIRE(file->run, status == PEN_OK, status, "the next rows to write are missing");
        if (rows.n == 0)
            break;
        PEN_TRY(put_rows(file, &rows, 0));
    }
    return PEN_OK;
}

static pen_status write_classes(pen_run *run, const char *path, const pen_class_rows *rows)
{
    struct classes_file file = { .run = run };

    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, rows, "rows"));
    PEN_REQUIRE(run, !pen_has_extension(path, ".npy"), PEN_UNKNOWN_NAME,
                "%s: classes with probabilities must be written as text, .csv or .tsv", path);
    PEN_TRY(check(run, rows));
    file.delimiter = pen_delimiter_of(path);
    if (rows->every)
        PEN_TRY(open_heads(&file, rows));
    PEN_TRY(pen_output_open(run, path, &file.output));
    return pen_output_close(file.output, put_all(&file, *rows));
}

pen_status pen_write_classes(const char *path, const pen_class_rows *rows, pen_error *err)
{
    PEN_CALL(NULL, err, write_classes(run, path, rows));
}
