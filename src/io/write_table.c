/* write_table.c - writes tables as they were read, or coordinates of their rows, in any format. */
#include "core/arguments.h"
#include "core/array.h"
#include "core/number.h"
#include "io/numpy/npz.h"
#include "io/write.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 32 };

/* The output: row names, carried columns and labels of `table`; the values of x. */
struct job {
    pen_run *run;
    const char *path;
    const pen_array *x;
    const pen_table *table;
    const char *const *columns; /* or NULL */
    const char *label_name;     /* NULL: no labels */
};

/* ---- text and npy ---- */

static pen_status write_sheet(const struct job *job)
{
    const pen_table *const table = job->table;
    const char *const *columns = job->columns;
    const int has_texts = table->carried_count > 0 || job->label_name || table->row_names;

    if (!columns && has_texts)
        PEN_TRY(pen_number_names(job->run, "column", 0, job->x->cols, &columns));
    const pen_sheet sheet = {
        .rows = job->x->rows,
        .has_header = columns != NULL,
        .bands = {
            { table->row_names != NULL, .texts = (const char *const *)table->row_names },
            { table->carried_count, (const char *const *)table->carried_names,
              .texts = (const char *const *)table->carried },
            { job->label_name != NULL, &job->label_name, .codes = table->labels,
              .words = (const char *const *)table->class_names,
              .word_count = table->class_count },
            [PEN_BANDS - 1] = { job->x->cols, columns, .values = job->x },
        },
    };
    return pen_write_sheet(job->run, job->path, &sheet);
}

/* ---- libsvm ---- */

/* Labels are the names of classes if these are numbers, otherwise their codes. */
static pen_status find_classes(const struct job *job, const char *const **out)
{
    const pen_table *const table = job->table;
    double value;

    *out = (const char *const *)table->class_names;
    for (int64_t c = 0; c < table->class_count; c++)
        if (!pen_number_is(table->class_names[c], strlen(table->class_names[c]), &value))
            return pen_number_names(job->run, "", 0, table->class_count, out);
    return PEN_OK;
}

static pen_status put_label(const struct job *job, int64_t row, const char *const *classes,
                            pen_output *output)
{
    const int32_t label = job->label_name ? job->table->labels[row] : 0;
    const char *const text = !job->label_name                  ? "0"
                             : label < 0                       ? "nan"
                             : label < job->table->class_count ? classes[label]
                                                               : "";

    return pen_output_write(output, text, strlen(text));
}

static pen_status put_entry(pen_output *output, int64_t column, pen_dtype dtype, double value)
{
    char text[2 + NAME_SIZE + PEN_NUMBER_SIZE];
    int used = snprintf(text, sizeof text, " %lld:", (long long)column + 1);

    used += (int)(dtype == PEN_F64 ? pen_number_write(value, text + used)
                                   : pen_number_write_float((float)value, text + used));
    return pen_output_write(output, text, (size_t)used);
}

static pen_status write_libsvm(const struct job *job, pen_output *output)
{
    const pen_array *const x = job->x;
    const char *const *classes;

    PEN_TRY(find_classes(job, &classes));
    for (int64_t i = 0; i < x->rows; i++) {
        PEN_TRY(put_label(job, i, classes, output));
        const int64_t end = x->starts ? x->starts[i + 1] : x->cols;
        for (int64_t e = x->starts ? x->starts[i] : 0; e < end; e++) {
            const double value =
                x->starts ? pen_load_value(x->dtype, x->values, e) : pen_value_at(x, i, e);
            if (x->starts || value != 0)
                PEN_TRY(put_entry(output, x->starts ? x->columns[e] : e, x->dtype, value));
        }
        PEN_TRY(pen_output_write(output, "\n", 1));
    }
    return PEN_OK;
}

/* ---- npz ---- */

static pen_status write_npz(const struct job *job, pen_output *output)
{
    const pen_table *const table = job->table;
    pen_npz_array more[3];
    int count = 0;

    if (job->label_name)
        more[count++] =
            (pen_npz_array){ PEN_NPZ_LABELS, .texts = (const char *const *)table->class_names,
                             .codes = table->labels, .text_count = table->class_count,
                             .count = job->x->rows };
    if (table->row_names)
        more[count++] =
            (pen_npz_array){ PEN_NPZ_ROW_NAMES, .texts = (const char *const *)table->row_names,
                             .count = job->x->rows };
    if (job->columns)
        more[count++] =
            (pen_npz_array){ PEN_NPZ_COLUMN_NAMES, .texts = job->columns, .count = job->x->cols };
    return pen_npz_write_rows(job->run, job->x, more, count, pen_put_output, output);
}

/* ---- the file ---- */

typedef pen_status (*writer)(const struct job *job, pen_output *output);

static const struct kind {
    const char *extension;
    writer write; /* NULL: write as a sheet */
    int values_only;
} kinds[] = { { ".csv", NULL, 0 },         { ".tsv", NULL, 0 },
              { ".txt", NULL, 0 },         { ".libsvm", write_libsvm, 0 },
              { ".svm", write_libsvm, 0 }, { ".svmlight", write_libsvm, 0 },
              { ".npy", NULL, 1 },         { ".npz", write_npz, 1 } };

static const struct kind *kind_of(const char *path)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (pen_has_extension(path, kinds[i].extension))
            return &kinds[i];
    const char *const slash = strrchr(path, '/');
    if (!strchr(slash ? slash : path, '.'))
        return &kinds[0];
    const int streamed = pen_file_kind_of(path) == PEN_OTHER_FILE && pen_file_size(path) < 0;
    return streamed || strcmp(path, "-") == 0 ? &kinds[0] : NULL;
}

static pen_status check(const struct job *job, const struct kind *kind)
{
    const pen_array *const x = job->x;
    const pen_table *const table = job->table;

    PEN_REQUIRE(job->run, kind, PEN_UNKNOWN_NAME,
                "%s: the name must end in .csv, .tsv, .txt, .npy, .npz, .libsvm, .svm or .svmlight",
                job->path);
    PEN_REQUIRE(job->run, x->dtype >= PEN_F64 && x->dtype <= PEN_U8, PEN_BAD_ARGUMENT,
                "the dtype of rows to write must be a pen_dtype, got %d", (int)x->dtype);
    PEN_REQUIRE(job->run,
                x->rows >= 0 && x->cols >= 1 && (x->starts || x->step != 0 || x->stride >= x->cols),
                PEN_BAD_ARGUMENT,
                "rows to write must have rows >= 0, cols >= 1, stride >= cols or a step, got %lld, "
                "%lld, %lld",
                (long long)x->rows, (long long)x->cols, (long long)x->stride);
    PEN_REQUIRE(job->run, pen_array_fits(x), PEN_BAD_ARGUMENT,
                "rows to write: %lld rows are more than memory can hold", (long long)x->rows);
    if (x->rows > 0 && !x->starts)
        PEN_TRY(pen_check_given(job->run, x->values, "values of rows to write"));
    PEN_TRY(pen_check_names(job->run, job->columns, x->cols, "column_names"));
    PEN_TRY(pen_check_names(job->run, (const char *const *)table->row_names, x->rows, "row_names"));
    PEN_REQUIRE(job->run,
                !kind->values_only
                    || (!table->carried && (!job->label_name || kind->write == write_npz)),
                PEN_BAD_ARGUMENT, "%s: %s holds no %s", job->path, kind->extension,
                table->carried ? "carried columns" : "labels");
    return PEN_OK;
}

/* Coordinates replace values and labels. */
static pen_status take_coordinates(const pen_array *z, struct job *job)
{
    PEN_REQUIRE(job->run, z->rows == job->x->rows || job->x->cols == 0, PEN_BAD_ARGUMENT,
                "z must have the %lld rows of its table, got %lld", (long long)job->x->rows,
                (long long)z->rows);
    job->x = z;
    job->label_name = NULL;
    return z->cols < 1 ? PEN_OK : pen_number_names(job->run, "z", 1, z->cols, &job->columns);
}

static pen_status write_file(pen_run *run, const char *path, const pen_array *z,
                             const pen_table *table)
{
    const pen_table none = { .labels = NULL };
    pen_output *output;

    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_REQUIRE(run, z || table, PEN_BAD_ARGUMENT, "z and table must not both be NULL");
    if (!table)
        table = &none;
    struct job job = {
        run, path, &table->x, table, (const char *const *)table->column_names, NULL
    };
    if (table->labels)
        job.label_name = table->label_name && *table->label_name ? table->label_name : "label";
    if (z)
        PEN_TRY(take_coordinates(z, &job));
    const struct kind *const kind = kind_of(path);
    PEN_TRY(check(&job, kind));
    if (!kind->write)
        return write_sheet(&job);
    PEN_TRY(pen_output_open(run, path, &output));
    return pen_output_close(output, kind->write(&job, output));
}

pen_status pen_write(const char *path, const pen_array *z, const pen_table *table, pen_error *err)
{
    PEN_CALL(NULL, err, write_file(run, path, z, table));
}
