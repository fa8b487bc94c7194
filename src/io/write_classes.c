/* write_classes.c - writing the classes of rows with their probabilities. */
#include "core/arguments.h"
#include "core/number.h"
#include "io/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* probabilities that are rounded at a time */
enum { PIECE_CELLS = 1 << 16 };

/* A file of classes; the buffers are those of a piece. */
struct classes_file {
    pen_run *run;
    pen_output *output;
    char delimiter;
    int64_t first;               /* the number of the next row */
    double *own, *typical, *all; /* [piece], [piece], [piece x class_count] */
    const char *const *heads;    /* [class_count] p_NAME, or NULL: they are not written */
};

/* The nearest double of six decimal digits, whose shortest text has no more. */
static double six_digits(double value)
{
    const double size = fabs(value);
    char text[PEN_NUMBER_SIZE];

    if (!(size >= 1e-300 && size <= 1e300))
        return value;
    const int e = (int)floor(log10(size)) - 5;
    if (e < -22 || e > 22) { /* powers of ten that are no doubles */
        const int length = snprintf(text, sizeof text, "%.0fe%d",
                                    value * pow(10, -e / 2) * pow(10, -e + e / 2), e);
        pen_number_read(text, (size_t)length, &value);
        return value;
    }
    return e < 0 ? round(value * pow(10, -e)) / pow(10, -e)
                 : round(value / pow(10, e)) * pow(10, e);
}

static pen_status check(pen_run *run, const pen_class_rows *all)
{
    PEN_REQUIRE(run, pen_is_zero(all->reserved), PEN_BAD_ARGUMENT, PEN_NOT_ZERO, "rows");
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

/* The probabilities of rows first .. first + count - 1, rounded; NaN where there is no class. */
static void round_rows(const struct classes_file *file, const pen_class_rows *rows, int64_t first,
                       int64_t count)
{
    const int64_t c = rows->class_count;

    for (int64_t i = 0; i < count; i++) {
        const double *const p = rows->probabilities + (first + i) * c;
        const int32_t class = rows->classes[first + i];
        file->own[i] = class < 0 ? (double)NAN : six_digits(p[class]);
        if (rows->typical)
            file->typical[i] = six_digits(rows->typical[first + i]);
        for (int64_t j = 0; file->heads && j < c; j++)
            file->all[i * c + j] = class < 0 ? (double)NAN : six_digits(p[j]);
    }
}

/* Rows from .. from + count - 1; none of them: the header. */
static pen_status put_piece(struct classes_file *file, const pen_class_rows *rows, int64_t from,
                            int64_t count)
{
    static const char *const heads[] = {
        "row", "name", "class", "probability", "typical", "label"
    };
    const int64_t c = rows->class_count;

    round_rows(file, rows, from, count);
    const pen_array own = pen_dense(file->own, PEN_F64, count, 1, 1),
                    typical = pen_dense(file->typical, PEN_F64, count, 1, 1),
                    all = pen_dense(file->all, PEN_F64, count, c, c);
    const pen_sheet sheet = {
        .rows = count,
        .has_header = count == 0,
        .bands = {
            { 1, &heads[rows->row_names != NULL], .first = file->first,
              .numbered = !rows->row_names,
              .texts = rows->row_names ? rows->row_names + from : NULL },
            { 1, &heads[2], .codes = rows->classes ? rows->classes + from : NULL,
              .words = rows->class_names, .word_count = c, .blank = 1 },
            { 1, &heads[3], .values = &own },
            { rows->typical ? 1 : 0, &heads[4], .values = &typical },
            { 1, &heads[5], .codes = rows->labels ? rows->labels + from : NULL,
              .words = rows->label_names, .word_count = rows->label_count, .blank = 1 },
            { file->heads ? c : 0, file->heads, .values = &all },
        },
    };
    file->first += count;
    return pen_write_text(file->run, &sheet, file->delimiter, pen_put_output, file->output);
}

static pen_status put_rows(struct classes_file *file, const pen_class_rows *rows, int64_t piece)
{
    PEN_TRY(check(file->run, rows));
    for (int64_t i = 0; i < rows->n; i += piece)
        PEN_TRY(put_piece(file, rows, i, pen_min(piece, rows->n - i)));
    return PEN_OK;
}

/* p_NAME of each class. */
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

static pen_status put_all(struct classes_file *file, pen_class_rows rows, int64_t piece)
{
    PEN_TRY(put_piece(file, &rows, 0, 0));
    PEN_TRY(put_rows(file, &rows, piece));
    while (rows.next) {
        rows.n = 0;
        const pen_status status = rows.next(rows.user, &rows);
        PEN_REQUIRE(file->run, status == PEN_OK, status, "the next rows to write are missing");
        if (rows.n == 0)
            break;
        PEN_TRY(put_rows(file, &rows, piece));
    }
    return PEN_OK;
}

static pen_status write_classes(pen_run *run, const char *path, const pen_class_rows *rows)
{
    struct classes_file file = { .run = run };

    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, rows, "rows"));
    PEN_REQUIRE(run, !pen_has_extension(path, ".npy"), PEN_UNKNOWN_NAME,
                "%s: classes with probabilities are written as text, .csv or .tsv", path);
    PEN_TRY(check(run, rows));
    const int64_t piece = pen_max(1, PIECE_CELLS / rows->class_count);
    file.delimiter = pen_delimiter_of(path);
    PEN_TRY(PEN_NEW(run, file.own, piece));
    PEN_TRY(PEN_NEW(run, file.typical, piece));
    if (rows->every) {
        PEN_TRY(PEN_NEW(run, file.all, pen_times(piece, rows->class_count)));
        PEN_TRY(open_heads(&file, rows));
    }
    PEN_TRY(pen_output_open(run, path, &file.output));
    return pen_output_close(file.output, put_all(&file, *rows, piece));
}

pen_status pen_write_classes(const char *path, const pen_class_rows *rows, pen_error *err)
{
    PEN_CALL(NULL, err, write_classes(run, path, rows));
}
