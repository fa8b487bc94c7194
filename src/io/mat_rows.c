/* mat_rows.c - rows and labels in MATLAB files, FILE::VARIABLE. */
#include "core/number.h"
#include "io/dense_rows.h"
#include "io/mat.h"
#include "io/unicode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIST_SIZE = 160 };

/* Can it be rows: real numbers, dense or sparse, in two dimensions? */
static int is_matrix(const pen_mat *v)
{
    return (v->class == PEN_MAT_SPARSE
            || (v->class >= PEN_MAT_DOUBLE && v->class <= PEN_MAT_UINT64))
           && v->dims == 2 && !v->complex;
}

/* The place of the variable that is named, or of the only one that can be rows. */
static pen_status choose(pen_run *run, const pen_input *input, int rows, size_t *place)
{
    char list[LIST_SIZE] = "";
    size_t at = 0;
    int64_t found = 0;

    for (;;) {
        const size_t begin = at;
        const pen_mark_t mark = pen_mark(run);
        pen_mat v;
        PEN_TRY(pen_mat_next(run, input, &at, &v));
        if (at == 0)
            break;
        const int named = input->member && pen_text_equal(v.name, pen_text_of(input->member));
        if (named || (!input->member && rows && is_matrix(&v) && v.rows > 1 && v.cols > 1)) {
            *place = begin;
            found++;
        }
        if (v.class != PEN_MAT_OPAQUE && v.name.length > 0 && (!rows || is_matrix(&v)))
            pen_list_add(list, sizeof list, v.name);
        pen_release(run, mark);
        if (named)
            return PEN_OK;
    }
    if (found == 1)
        return PEN_OK;
    PEN_REQUIRE(run, *list, PEN_BAD_DATA, "%s: there is no matrix of numbers in it", input->name);
    PEN_REQUIRE(run, input->member, PEN_UNKNOWN_NAME,
                "%s: which of its variables? FILE::NAME names one of %s", input->name, list);
    return pen_fail(run, PEN_UNKNOWN_NAME, "%s: no variable \"%s\"; there are %s", input->name,
                    input->member, list);
}

/* ---- rows ---- */

static pen_dtype dtype_of(const pen_mat *v)
{
    return v->class == PEN_MAT_SINGLE ? PEN_F32 : v->class == PEN_MAT_UINT8 ? PEN_U8 : PEN_F64;
}

/* Values of the class single may be stored as doubles that no float holds only in a damaged file,
 * bytes likewise. */
static int fits(pen_dtype dtype, double value)
{
    return dtype != PEN_U8 || (value >= 0 && value <= 255 && value == floor(value));
}

static pen_status load_rows(pen_run *run, void *context, int64_t first, int64_t count, void *values)
{
    const pen_mat *const v = context;
    const pen_dtype dtype = dtype_of(v);

    for (int64_t j = 0; j < v->cols; j++)
        for (int64_t i = 0; i < count; i++) {
            const double value = pen_mat_value(&v->values, j * v->rows + first + i);
            PEN_REQUIRE(run, fits(dtype, value), PEN_BAD_FORMAT,
                        "a MATLAB array of uint8 has the value %g", value);
            pen_store_value(dtype, values, i * v->cols + j, value);
        }
    return PEN_OK;
}

static pen_status load_entries(pen_run *run, void *context, int64_t first, int64_t count,
                               int64_t *rows, int64_t *indices, double *values)
{
    const pen_mat *const v = context;

    (void)run;
    (void)rows;
    for (int64_t e = 0; e < count; e++)
        indices[e] = (int64_t)pen_mat_value(&v->indices, first + e);
    for (int64_t e = 0; values && e < count; e++)
        values[e] = pen_mat_value(&v->values, first + e);
    return PEN_OK;
}

static int is_integer(const pen_mat_numbers *numbers)
{
    return numbers->type >= 1 && numbers->type <= 6;
}

static pen_status read_sparse(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_mat *v, pen_table *table)
{
    const pen_row_texts none = { .names = NULL };
    int64_t *starts;

    PEN_REQUIRE(run,
                is_integer(&v->indices) && is_integer(&v->starts) && v->starts.count == v->cols + 1,
                PEN_BAD_FORMAT, "%s: the sparse matrix is damaged: %lld starts of %lld columns",
                input->name, (long long)v->starts.count, (long long)v->cols);
    PEN_TRY(PEN_NEW(run, starts, v->starts.count));
    for (int64_t j = 0; j < v->starts.count; j++)
        starts[j] = (int64_t)pen_mat_value(&v->starts, j);
    const int64_t count = starts[v->cols]; /* there may be room for more */
    PEN_REQUIRE(
        run, count >= 0 && count <= pen_min(v->indices.count, v->values.count), PEN_BAD_FORMAT,
        "%s: the sparse matrix is damaged: %lld entries, but %lld indices and %lld values",
        input->name, (long long)count, (long long)v->indices.count, (long long)v->values.count);
    const pen_entries entries = { .rows = v->rows,
                                  .cols = v->cols,
                                  .count = count,
                                  .by_columns = 1,
                                  .dtype = PEN_F64,
                                  .starts = starts,
                                  .load = load_entries,
                                  .context = v };
    return pen_table_sparse(run, input, options, &entries, &none, table);
}

static pen_status read_variable(pen_run *run, const pen_input *input,
                                const pen_read_options *options, pen_mat *v, pen_table *table)
{
    const pen_row_texts none = { .names = NULL };
    const pen_dense_source source = {
        .rows = v->rows, .cols = v->cols, .dtype = dtype_of(v), .load = load_rows, .context = v
    };

    PEN_REQUIRE(run, is_matrix(v), PEN_BAD_FORMAT,
                "%s: expected a matrix of real numbers in two dimensions", input->name);
    return v->class == PEN_MAT_SPARSE ? read_sparse(run, input, options, v, table)
                                      : pen_table_dense(run, input, options, &source, &none, table);
}

/* ---- labels ----
 *
 * In MATLAB files two classes are often 1 and -1, as in libsvm files. */

/* Row i of a char array [rows x cols]; bytes are those of UTF-8 as it is. */
static pen_status row_text(pen_run *run, const pen_mat *v, const uint32_t *characters, int bytes,
                           int64_t i, pen_text *out)
{
    char *text;

    if (!bytes)
        return pen_units_text(run, characters + i, v->rows, v->cols, out);
    PEN_TRY(PEN_NEW(run, text, v->cols));
    for (int64_t j = 0; j < v->cols; j++)
        text[j] = (char)(characters[i + j * v->rows] ? characters[i + j * v->rows] : '?');
    *out = pen_trim((pen_text){ text, (size_t)v->cols });
    return PEN_OK;
}

/* A row of a char array is a label. */
static pen_status char_labels(pen_run *run, const pen_mat *v, pen_text *texts)
{
    uint32_t *characters;
    int bytes;

    PEN_TRY(pen_mat_characters(run, v, &characters, &bytes));
    for (int64_t i = 0; i < v->rows; i++)
        PEN_TRY(row_text(run, v, characters, bytes, i, &texts[i]));
    return PEN_OK;
}

static pen_status cell_labels(pen_run *run, const pen_input *input, const pen_mat *v, int64_t count,
                              pen_text *texts)
{
    size_t at = 0;

    for (int64_t i = 0; i < count; i++) {
        pen_mat cell;
        PEN_TRY(pen_mat_cell(run, input, v, &at, &cell));
        PEN_REQUIRE(run, cell.class == PEN_MAT_CHAR && cell.dims == 2 && cell.rows <= 1,
                    PEN_BAD_FORMAT, "%s: cell %lld (counted from 0) must be a text", input->name,
                    (long long)i);
        texts[i] = (pen_text){ "", 0 };
        PEN_TRY(char_labels(run, &cell, &texts[i]));
    }
    return PEN_OK;
}

static pen_status number_labels(pen_run *run, const pen_input *input, const pen_mat *v,
                                int64_t count, pen_text *texts)
{
    char(*written)[PEN_NUMBER_SIZE];

    PEN_TRY(PEN_NEW(run, written, count));
    for (int64_t i = 0; i < count; i++) {
        const double value = pen_mat_value(&v->values, i);
        PEN_REQUIRE(run, isnan(value) || value == floor(value), PEN_BAD_FORMAT,
                    "%s: row %lld (counted from 0): a label must be a whole number or NaN, got %g",
                    input->name, (long long)i, value);
        texts[i] =
            (pen_text){ written[i], isnan(value) ? 0 : pen_mat_text(&v->values, i, written[i]) };
    }
    return PEN_OK;
}

static pen_status read_label_variable(pen_run *run, const pen_input *input,
                                      const pen_read_options *options, pen_mat *v, pen_table *table)
{
    const int is_char = v->class == PEN_MAT_CHAR, is_cell = v->class == PEN_MAT_CELL;
    const int64_t count = is_char ? v->rows : pen_times(v->rows, v->cols);
    pen_text *texts;

    PEN_REQUIRE(run, v->dims == 2 && (is_char || v->rows == 1 || v->cols == 1), PEN_BAD_FORMAT,
                "%s: labels must be one column, got the shape %lld x %lld", input->name,
                (long long)v->rows, (long long)v->cols);
    PEN_REQUIRE(run, is_char || is_cell || (is_matrix(v) && v->class != PEN_MAT_SPARSE),
                PEN_BAD_FORMAT, "%s: labels must be numbers, characters or cells of them",
                input->name);
    PEN_REQUIRE(run, count > 0, PEN_BAD_DATA, "%s: no labels", input->name);
    PEN_TRY(PEN_NEW(run, texts, count));
    PEN_TRY(is_char   ? char_labels(run, v, texts)
            : is_cell ? cell_labels(run, input, v, count, texts)
                      : number_labels(run, input, v, count, texts));
    table->x = pen_dense(NULL, PEN_F64, count, 0, 0);
    return pen_table_label(run, table, texts, count, options,
                           is_char || is_cell ? PEN_LABELS_TEXT : PEN_LABELS_LIBSVM);
}

/* ---- both ---- */

typedef pen_status (*read_fn)(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_mat *v, pen_table *table);

static pen_status refuse_object(pen_run *run, const pen_input *input, const pen_mat *v)
{
    char quoted[PEN_QUOTE_SIZE];

    return pen_fail(
        run, PEN_BAD_FORMAT,
        "%s: \"%s\" is an object (string, categorical, table, datetime, ..), which only "
        "MATLAB can read; save numbers, or texts as cellstr(%s)",
        input->name, pen_quote(v->name, quoted), quoted);
}

static pen_status read(pen_run *run, const pen_input *input, const pen_read_options *options,
                       int rows, read_fn of_variable, pen_table *table)
{
    size_t place = 0;
    pen_bytes expanded;
    pen_mat v;

    PEN_TRY(choose(run, input, rows, &place));
    PEN_TRY(pen_mat_open(run, input, place, &expanded, &v));
    const pen_status status = v.class == PEN_MAT_OPAQUE
                                  ? refuse_object(run, input, &v)
                                  : of_variable(run, input, options, &v, table);
    pen_bytes_free(&expanded);
    return status;
}

static pen_status read_rows(pen_run *run, const pen_input *input, const pen_read_options *options,
                            pen_table *table)
{
    return read(run, input, options, 1, read_variable, table);
}

static pen_status read_labels(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_table *table)
{
    return read(run, input, options, 0, read_label_variable, table);
}

static const char *const extensions[] = { ".mat", NULL };

const pen_format pen_format_mat = { .name = "mat",
                                    .extensions = extensions,
                                    .recognizes = pen_mat_recognizes,
                                    .read = read_rows,
                                    .read_labels = read_labels,
                                    .has_members = 1,
                                    .is_sure = 1 };
