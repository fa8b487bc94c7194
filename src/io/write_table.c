/* write_table.c - tables as they were read, in another format. */
#include "io/io.h"

#include "core/arguments.h"
#include "core/array.h"
#include "core/number.h"
#include "io/npz.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 22, NAME_SIZE = 32 };

struct job {
    pen_run *run;
    const char *path;
    const pen_table *table;
    const char *label_name;
};

/* ---- dense blocks ---- */

/* Rows first .. first + count - 1 of type `dtype` into block [count x cols]. */
static void get_rows(const pen_array *x, int64_t first, int64_t count, void *block)
{
    const size_t item = pen_size(x->dtype);

    if (!x->starts) {
        pen_array_gather(x, NULL, first, count, 0, x->cols, x->dtype, block);
        return;
    }
    memset(block, 0, (size_t)(count * x->cols) * item);
    for (int64_t i = 0; i < count; i++)
        for (int64_t e = x->starts[first + i]; e < x->starts[first + i + 1]; e++)
            memcpy((char *)block + (size_t)(i * x->cols + x->columns[e]) * item,
                   (const char *)x->values + (size_t)e * item, item);
}

static int64_t rows_at_once(const pen_array *x)
{
    return pen_max(1, BLOCK_BYTES / pen_times(x->cols, (int64_t)pen_size(x->dtype)));
}

static pen_status new_block(const struct job *job, int64_t rows, void **block)
{
    const pen_array *const x = &job->table->x;
    char *bytes;

    PEN_TRY(PEN_NEW(
        job->run, bytes,
        pen_times(pen_min(rows, x->rows), pen_times(x->cols, (int64_t)pen_size(x->dtype)))));
    *block = bytes;
    return PEN_OK;
}

/* ---- text ---- */

/* The name of the class of a row; an unlabelled one has none. */
static const char *class_of(const pen_table *table, int64_t row)
{
    const int32_t label = table->labels[row];
    return label >= 0 && label < table->class_count ? table->class_names[label] : "";
}

/* Kept cells and labels, as one list. */
static pen_status join_texts(const struct job *job, const char ***names, const char ***cells,
                             int64_t *count)
{
    const pen_table *const table = job->table;
    const int64_t kept = table->kept_count, rows = table->x.rows;

    *count = kept + (table->labels != NULL);
    PEN_TRY(PEN_NEW(job->run, *names, *count));
    PEN_TRY(PEN_NEW(job->run, *cells, pen_times(rows, *count)));
    for (int64_t k = 0; k < kept; k++)
        (*names)[k] = table->kept_names[k];
    if (table->labels)
        (*names)[kept] = job->label_name;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t k = 0; k < kept; k++)
            (*cells)[i * *count + k] = table->kept[i * kept + k];
        if (table->labels)
            (*cells)[i * *count + kept] = class_of(table, i);
    }
    return PEN_OK;
}

/* The names of the columns; column0, .. where there are none but a header is needed. */
static pen_status name_columns(const struct job *job, int needed, const char ***out)
{
    const pen_table *const table = job->table;
    char(*made)[NAME_SIZE];

    *out = (const char **)(uintptr_t)table->column_names;
    if (*out || !needed)
        return PEN_OK;
    PEN_TRY(PEN_NEW(job->run, *out, table->x.cols));
    PEN_TRY(PEN_NEW(job->run, made, table->x.cols));
    for (int64_t j = 0; j < table->x.cols; j++) {
        snprintf(made[j], NAME_SIZE, "column%lld", (long long)j);
        (*out)[j] = made[j];
    }
    return PEN_OK;
}

static pen_status write_text(const struct job *job, pen_output *output)
{
    const pen_table *const table = job->table;
    const pen_array *const x = &table->x;
    const int64_t most = rows_at_once(x);
    const char **names, **cells, **columns;
    int64_t width;
    void *block;

    PEN_TRY(join_texts(job, &names, &cells, &width));
    PEN_TRY(name_columns(job, width > 0 || table->row_names, &columns));
    PEN_TRY(new_block(job, most, &block));
    for (int64_t i = 0; i < x->rows; i += most) {
        const int64_t count = pen_min(most, x->rows - i);
        const pen_array z = pen_dense(block, x->dtype, count, x->cols, x->cols);
        const pen_side_texts side = { table->row_names ? (const char *const *)table->row_names + i
                                                       : NULL,
                                      names, cells + i * width, width };
        get_rows(x, i, count, block);
        PEN_TRY(pen_write_text(job->run, &z, i == 0 ? (const char *const *)columns : NULL, &side,
                               pen_delimiter_of(job->path), pen_put_output, output));
    }
    return PEN_OK;
}

/* ---- libsvm ---- */

/* Are all classes numbers? Then their names are written. */
static int are_numbers(const pen_table *table)
{
    double value;

    for (int64_t c = 0; c < table->class_count; c++)
        if (!pen_number_is(table->class_names[c], strlen(table->class_names[c]), &value))
            return 0;
    return 1;
}

static pen_status put_label(const struct job *job, int64_t row, int numbers, pen_output *output)
{
    const pen_table *const table = job->table;
    const char *text = "0";
    char code[NAME_SIZE];

    if (table->labels && table->labels[row] < 0) {
        text = "nan";
    } else if (table->labels && numbers) {
        text = class_of(table, row);
    } else if (table->labels) {
        snprintf(code, sizeof code, "%d", (int)table->labels[row]);
        text = code;
    }
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
    const pen_array *const x = &job->table->x;
    const int numbers = are_numbers(job->table);
    void *row = NULL;

    if (!x->starts)
        PEN_TRY(new_block(job, 1, &row));
    for (int64_t i = 0; i < x->rows; i++) {
        PEN_TRY(put_label(job, i, numbers, output));
        if (x->starts) {
            for (int64_t e = x->starts[i]; e < x->starts[i + 1]; e++)
                PEN_TRY(put_entry(output, x->columns[e], x->dtype,
                                  pen_load_value(x->dtype, x->values, e)));
        } else {
            get_rows(x, i, 1, row);
            for (int64_t j = 0; j < x->cols; j++)
                if (pen_load_value(x->dtype, row, j) != 0)
                    PEN_TRY(put_entry(output, j, x->dtype, pen_load_value(x->dtype, row, j)));
        }
        PEN_TRY(pen_output_write(output, "\n", 1));
    }
    return PEN_OK;
}

/* ---- npy and npz ---- */

static pen_status put_dense(const void *context, pen_put put, void *to)
{
    const struct job *const job = context;
    const pen_array *const x = &job->table->x;
    const size_t item = pen_size(x->dtype);
    const int64_t most = rows_at_once(x);
    const pen_mark_t mark = pen_mark(job->run);
    void *block;

    PEN_TRY(pen_write_npy_header(x->dtype == PEN_U8 ? 'u' : 'f', item, x->rows, x->cols, put, to));
    PEN_TRY(new_block(job, most, &block));
    for (int64_t i = 0; i < x->rows; i += most) {
        const int64_t count = pen_min(most, x->rows - i);
        get_rows(x, i, count, block);
        PEN_TRY(put(to, block, (size_t)(count * x->cols) * item));
    }
    pen_release(job->run, mark);
    return PEN_OK;
}

static pen_status write_npy(const struct job *job, pen_output *output)
{
    return put_dense(job, pen_put_output, output);
}

static pen_status write_npz(const struct job *job, pen_output *output)
{
    const zip_file dense = { "X.npy", put_dense, job };

    return job->table->x.starts ? pen_npz_write_csr(&job->table->x, pen_put_output, output)
                                : pen_zip_write(&dense, 1, pen_put_output, output);
}

/* ---- the file ---- */

typedef pen_status (*writer)(const struct job *job, pen_output *output);

static const struct kind {
    const char *extension;
    writer write;
    int values_only;
} kinds[] = { { ".csv", write_text, 0 },        { ".tsv", write_text, 0 },
              { ".libsvm", write_libsvm, 0 },   { ".svm", write_libsvm, 0 },
              { ".svmlight", write_libsvm, 0 }, { ".npy", write_npy, 1 },
              { ".npz", write_npz, 1 } };

static const struct kind *kind_of(const char *path)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (pen_has_extension(path, kinds[i].extension))
            return &kinds[i];
    return strcmp(path, "-") == 0 ? &kinds[0] : NULL;
}

static pen_status check(const struct job *job, const struct kind *kind)
{
    const pen_array *const x = &job->table->x;

    PEN_REQUIRE(job->run, kind, PEN_UNKNOWN_NAME,
                "%s: the name must end in .csv, .tsv, .npy, .npz, .libsvm, .svm or .svmlight",
                job->path);
    PEN_REQUIRE(job->run, x->rows > 0 && x->cols > 0 && (x->values || x->starts), PEN_BAD_ARGUMENT,
                "the table must have rows and columns, got %lld x %lld", (long long)x->rows,
                (long long)x->cols);
    PEN_REQUIRE(job->run, !kind->values_only || (!job->table->labels && !job->table->kept),
                PEN_BAD_ARGUMENT, "%s: %s holds values alone, but there are %s", job->path,
                kind->extension, job->table->labels ? "labels" : "kept columns");
    return PEN_OK;
}

static pen_status write_file(const struct job *job)
{
    pen_output *output;

    PEN_TRY(pen_check_given(job->run, job->path, "path"));
    PEN_TRY(pen_check_given(job->run, job->table, "table"));
    const struct kind *const kind = kind_of(job->path);
    PEN_TRY(check(job, kind));
    PEN_TRY(pen_output_open(job->run, job->path, &output));
    return pen_output_close(output, kind->write(job, output));
}

pen_status pen_write_table(const char *path, const pen_table *table, const char *label_name,
                           pen_error *err)
{
    struct job job = { .path = path,
                       .table = table,
                       .label_name = label_name && *label_name ? label_name : "label" };

    PEN_TRY(pen_run_open(NULL, err, &job.run));
    const pen_status status = write_file(&job);
    pen_run_close(job.run);
    return status;
}
