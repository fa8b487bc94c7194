/* write.c - writing rows and labels as text and npy. */
#include "io/io.h"

#include "core/arguments.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/textbuf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NPY_HEADER_SIZE = 128, NPY_PREFIX_SIZE = 10, PIECE = 512 };

/* text that is made at a time: blocks, of as many values unless a row has more, then fewer */
enum { BLOCKS = 32, LEAST_BLOCKS = 4, BLOCK_VALUES = 4096 };

/* ---- text ---- */

/* Also quoted if the first byte could begin a byte order mark, or if a list of labels could be
 * mistaken for a table: any delimiter, or numbers separated by blanks. */
pen_status pen_write_name(const char *name, char delimiter, pen_put put, void *context)
{
    const size_t length = strlen(name);
    const char special[] = { '"', '\r', '\n', ',', ';', '\t', delimiter, '\0' };
    const int cells =
        strpbrk(name, special) || (strchr(name, ' ') && strchr("0123456789+-.", name[0]));
    const int plain = length > 0 && !cells && !strchr(" \t\xEF\xFE\xFF", name[0])
                      && !strchr(" \t", name[length - 1]);

    if (plain)
        return put(context, name, length);
    PEN_TRY(put(context, "\"", 1));
    for (const char *p = name; *p;) {
        const size_t part = strcspn(p, "\"");
        PEN_TRY(put(context, p, part));
        p += part;
        if (*p == '"') {
            PEN_TRY(put(context, "\"\"", 2));
            p++;
        }
    }
    return put(context, "\"", 1);
}

/* Texts of a line, each after a delimiter unless it is the first of the line. */
static pen_status put_names(const char *const *names, int64_t count, int first, char delimiter,
                            pen_put put, void *context)
{
    for (int64_t j = 0; j < count; j++) {
        if (j > 0 || !first)
            PEN_TRY(put(context, &delimiter, 1));
        PEN_TRY(pen_write_name(names[j], delimiter, put, context));
    }
    return PEN_OK;
}

/* The header; with row names its first cell is empty. */
static pen_status put_header(const pen_array *z, const char *const *column_names,
                             const pen_side_texts *side, char delimiter, pen_put put, void *context)
{
    const int no_rows = !side->row_names;

    PEN_TRY(put_names(side->kept_names, side->kept_count, no_rows, delimiter, put, context));
    PEN_TRY(put_names(column_names, z->cols, no_rows && side->kept_count == 0, delimiter, put,
                      context));
    return put(context, "\n", 1);
}

/* The text of rows is made in parallel, block by block, and written in order. */
struct text_rows {
    const pen_array *z;
    const pen_side_texts *side;
    char delimiter;
    int64_t block, first; /* rows in a block, first row of the blocks that are made */
    pen_string texts[BLOCKS];
};

static pen_status add_text(void *context, const void *bytes, size_t size)
{
    pen_text_add(context, bytes, size);
    return PEN_OK;
}

/* `count` values of row i from column j on. */
static void add_values(const struct text_rows *t, int64_t i, int64_t j, int64_t count, int first,
                       pen_string *out)
{
    double values[PIECE];
    char text[PIECE * (1 + PEN_NUMBER_SIZE)], *p = text;

    pen_array_gather(t->z, NULL, i, 1, j, count, PEN_F64, values);
    for (int64_t c = 0; c < count; c++) {
        *p = t->delimiter;
        p += c > 0 || !first;
        p += t->z->dtype == PEN_F64 ? pen_number_write(values[c], p)
                                    : pen_number_write_float((float)values[c], p);
    }
    pen_text_add(out, text, (size_t)(p - text));
}

static void make_rows(void *context, int64_t task, int worker)
{
    struct text_rows *const t = context;
    const pen_side_texts *const side = t->side;
    pen_string *const out = &t->texts[task];
    const int64_t first = t->first + task * t->block, kept = side->kept_count;
    const int no_texts = !side->row_names && kept == 0;

    (void)worker;
    out->size = 0;
    for (int64_t i = first; i < pen_min(first + t->block, t->z->rows); i++) {
        if (side->row_names)
            (void)pen_write_name(side->row_names[i], t->delimiter, add_text, out);
        if (kept > 0)
            (void)put_names(side->kept + i * kept, kept, !side->row_names, t->delimiter, add_text,
                            out);
        for (int64_t j = 0; j < t->z->cols; j += PIECE)
            add_values(t, i, j, pen_min(PIECE, t->z->cols - j), no_texts && j == 0, out);
        pen_text_add(out, "\n", 1);
    }
}

static pen_status put_rows(pen_run *run, struct text_rows *t, pen_put put, void *context)
{
    const int64_t rows = t->z->rows;

    t->block = pen_max(1, BLOCK_VALUES / t->z->cols);
    const int64_t most =
        pen_max(LEAST_BLOCKS, pen_min(BLOCKS, BLOCKS * BLOCK_VALUES / (t->block * t->z->cols)));
    for (t->first = 0; t->first < rows; t->first += most * t->block) {
        const int64_t left = rows - t->first,
                      blocks = pen_min(most, (left + t->block - 1) / t->block);
        PEN_TRY(pen_parallel(run, PEN_SILENT, blocks, make_rows, t));
        for (int64_t b = 0; b < blocks; b++) {
            PEN_REQUIRE(run, !t->texts[b].failed, PEN_NO_MEMORY, "out of memory");
            PEN_TRY(put(context, t->texts[b].data, t->texts[b].size));
        }
    }
    return PEN_OK;
}

pen_status pen_write_text(pen_run *run, const pen_array *z, const char *const *column_names,
                          const pen_side_texts *side, char delimiter, pen_put put, void *context)
{
    struct text_rows t = { .z = z, .side = side, .delimiter = delimiter };

    if (column_names)
        PEN_TRY(put_header(z, column_names, side, delimiter, put, context));
    const pen_status status = put_rows(run, &t, put, context);
    for (int b = 0; b < BLOCKS; b++)
        free(t.texts[b].data);
    return status;
}

/* ---- npy ---- */

/* Format version 1.0; the values are aligned to 64 bytes. */
pen_status pen_write_npy_header(char kind, size_t size, int64_t rows, int64_t cols, pen_put put,
                                void *context)
{
    const size_t rest = NPY_HEADER_SIZE - NPY_PREFIX_SIZE;
    char header[NPY_HEADER_SIZE + 1], shape[64];

    if (cols > 0)
        snprintf(shape, sizeof shape, "%lld, %lld", (long long)rows, (long long)cols);
    else
        snprintf(shape, sizeof shape, "%lld,", (long long)rows);
    memcpy(header, "\x93NUMPY\x01", NPY_PREFIX_SIZE - 2);
    header[NPY_PREFIX_SIZE - 2] = (char)rest;
    header[NPY_PREFIX_SIZE - 1] = 0;
    const int used = snprintf(header + NPY_PREFIX_SIZE, rest + 1,
                              "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%s), }",
                              pen_low_byte_first() ? '<' : '>', kind, size, shape);
    memset(header + NPY_PREFIX_SIZE + used, ' ', rest - (size_t)used);
    header[NPY_HEADER_SIZE - 1] = '\n';
    return put(context, header, NPY_HEADER_SIZE);
}

pen_status pen_write_npy(const pen_array *z, pen_put put, void *context)
{
    const size_t item = pen_size(z->dtype);
    double some[PIECE];

    PEN_TRY(pen_write_npy_header('f', item, z->rows, z->cols, put, context));
    for (int64_t i = 0; i < z->rows; i++)
        for (int64_t j = 0; j < z->cols; j += PIECE) {
            const int64_t count = pen_min(PIECE, z->cols - j);
            pen_array_gather(z, NULL, i, 1, j, count, z->dtype, some);
            PEN_TRY(put(context, some, (size_t)count * item));
        }
    return PEN_OK;
}

/* ---- files ---- */

static pen_status check(pen_run *run, const char *path, const pen_array *z)
{
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, z, "z"));
    PEN_REQUIRE(run, z->dtype == PEN_F64 || z->dtype == PEN_F32, PEN_BAD_ARGUMENT,
                "rows to write must be PEN_F64 or PEN_F32, got %d", (int)z->dtype);
    PEN_REQUIRE(run, z->rows >= 0 && z->cols >= 1 && (z->step != 0 || z->stride >= z->cols),
                PEN_BAD_ARGUMENT,
                "rows to write must have rows >= 0, cols >= 1, stride >= cols or a step, got %lld, "
                "%lld, %lld",
                (long long)z->rows, (long long)z->cols, (long long)z->stride);
    PEN_REQUIRE(run, pen_array_fits(z), PEN_BAD_ARGUMENT,
                "rows to write: %lld rows are more than memory can hold", (long long)z->rows);
    return z->rows > 0 ? pen_check_given(run, z->values, "z.values") : PEN_OK;
}

pen_status pen_put_output(void *context, const void *bytes, size_t size)
{
    return pen_output_write(context, bytes, size);
}

pen_status pen_output_close(pen_output *output, pen_status status)
{
    if (status != PEN_OK) {
        pen_output_discard(output);
        return status;
    }
    return pen_output_commit(output);
}

char pen_delimiter_of(const char *path)
{
    return pen_has_extension(path, ".tsv") ? '\t' : ',';
}

static pen_status write_path(pen_run *run, const char *path, const pen_array *z,
                             const char *const *column_names, const pen_side_texts *side)
{
    pen_output *output;
    pen_status status;

    PEN_TRY(check(run, path, z));
    PEN_TRY(pen_check_names(run, column_names, z->cols, "column_names"));
    PEN_TRY(pen_check_names(run, side->row_names, z->rows, "row_names"));
    PEN_TRY(pen_output_open(run, path, &output));
    if (pen_has_extension(path, ".npy"))
        status = pen_write_npy(z, pen_put_output, output);
    else
        status = pen_write_text(run, z, column_names, side, pen_delimiter_of(path), pen_put_output,
                                output);
    return pen_output_close(output, status);
}

pen_status pen_write(const char *path, const pen_array *z, const char *const *column_names,
                     const char *const *row_names, pen_error *err)
{
    const pen_side_texts side = { row_names, NULL, NULL, 0 };
    PEN_CALL(NULL, err, write_path(run, path, z, column_names, &side));
}

static pen_status write_kept(pen_run *run, const char *path, const pen_array *z,
                             const char *const *column_names, const pen_table *rows)
{
    PEN_TRY(pen_check_given(run, rows, "rows"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, z, "z"));
    const pen_side_texts side = { (const char *const *)rows->row_names,
                                  (const char *const *)rows->kept_names,
                                  (const char *const *)rows->kept, rows->kept_count };
    PEN_REQUIRE(run, z->rows == rows->x.rows, PEN_BAD_ARGUMENT,
                "z must have the %lld rows of its table, got %lld", (long long)rows->x.rows,
                (long long)z->rows);
    if (side.kept_count > 0) {
        PEN_TRY(pen_check_given(run, column_names, "column_names"));
        PEN_REQUIRE(run, !pen_has_extension(path, ".npy"), PEN_BAD_ARGUMENT,
                    "%s: kept columns are text, which npy cannot hold; write .csv or .tsv", path);
    }
    return write_path(run, path, z, column_names, &side);
}

pen_status pen_write_kept(const char *path, const pen_array *z, const char *const *column_names,
                          const pen_table *rows, pen_error *err)
{
    PEN_CALL(NULL, err, write_kept(run, path, z, column_names, rows));
}

/* ---- labels ---- */

/* The labels of n rows. */
struct labels {
    const int32_t *codes;
    int64_t n;
    const char *const *class_names;
    int64_t class_count;
};

static const char *name_of(const struct labels *labels, int32_t code)
{
    return labels->class_names && code >= 0 && code < labels->class_count
               ? labels->class_names[code]
               : NULL;
}

/* A class of such a name would be read back as unlabelled. */
static int means_unlabelled(const char *name)
{
    const pen_text text = pen_text_of(name);
    double value;

    return pen_is_missing(text)
           || (pen_number_is(name, text.length, &value)
               && (value == PEN_UNLABELLED || isnan(value)));
}

static pen_status check_labels(pen_run *run, const char *path, const struct labels *labels)
{
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_REQUIRE(run, labels->n >= 0, PEN_BAD_ARGUMENT, "n must be >= 0, got %lld",
                (long long)labels->n);
    if (labels->n > 0)
        PEN_TRY(pen_check_given(run, labels->codes, "labels"));
    PEN_TRY(pen_check_class_names(run, labels->class_names, labels->class_count));
    for (int64_t i = 0; i < labels->n && !pen_has_extension(path, ".npy"); i++) {
        const char *const name = name_of(labels, labels->codes[i]);
        PEN_REQUIRE(run, !name || !means_unlabelled(name), PEN_BAD_ARGUMENT,
                    "%s: a class must not be named \"%s\", which means unlabelled in text; a .npy "
                    "file stores its number instead",
                    path, name);
    }
    return PEN_OK;
}

static pen_status put_labels(const struct labels *labels, char delimiter, pen_put put,
                             void *context)
{
    for (int64_t i = 0; i < labels->n; i++) {
        const char *const name = name_of(labels, labels->codes[i]);
        char number[PEN_NUMBER_SIZE];
        snprintf(number, sizeof number, "%d", (int)labels->codes[i]);
        PEN_TRY(pen_write_name(name ? name : number, delimiter, put, context));
        PEN_TRY(put(context, "\n", 1));
    }
    return PEN_OK;
}

static pen_status put_codes(const struct labels *labels, pen_put put, void *context)
{
    PEN_TRY(pen_write_npy_header('i', sizeof *labels->codes, labels->n, 0, put, context));
    return labels->n > 0 ? put(context, labels->codes, (size_t)labels->n * sizeof *labels->codes)
                         : PEN_OK;
}

static pen_status write_labels(pen_run *run, const char *path, const struct labels *labels)
{
    pen_output *output;
    pen_status status;

    PEN_TRY(check_labels(run, path, labels));
    PEN_TRY(pen_output_open(run, path, &output));
    if (pen_has_extension(path, ".npy"))
        status = put_codes(labels, pen_put_output, output);
    else
        status = put_labels(labels, pen_delimiter_of(path), pen_put_output, output);
    return pen_output_close(output, status);
}

pen_status pen_write_labels(const char *path, const int32_t *labels, int64_t n,
                            const char *const *class_names, int64_t class_count, pen_error *err)
{
    const struct labels all = { labels, n, class_names, class_count };
    PEN_CALL(NULL, err, write_labels(run, path, &all));
}
