/* npy_labels.c - names and labels in NumPy arrays. Labels may be texts, numbers or a column for
 * each class. */
#include "io/numpy/npy.h"

#include "core/number.h"
#include "core/utf8.h"
#include "io/table/class_labels.h"

#include <math.h>

/* ---- texts ---- */

/* Reads a text, without its padding zeros, into `bytes`, which has the size of an item. */
static pen_status read_text(pen_run *run, const pen_input *input, const pen_npy *npy, int64_t row,
                            const char *what, char *bytes, pen_text *out)
{
    const unsigned char *const text = npy->values + (size_t)row * npy->size;
    const size_t wide = npy->kind == 'U' ? 4 : 1;
    size_t size = npy->size, used = 0;

    while (size > 0 && pen_number_at(text + size - wide, wide, 0) == 0)
        size -= wide;
    for (size_t i = 0; i < size; i += wide) {
        const uint32_t character = (uint32_t)pen_number_at(text + i, wide, npy->high_first);
        size_t length = 1;
        if (npy->kind == 'S')
            bytes[used] = (char)character;
        else
            length = pen_utf8_put(character, bytes + used);
        PEN_REQUIRE(
            run, character != 0 && length > 0, PEN_BAD_FORMAT,
            "%s: row %lld (counted from 0): a %s must be valid text without a NUL character",
            input->name, (long long)row, what);
        used += length;
    }
    PEN_REQUIRE(run, pen_text_is_utf8(bytes, used), PEN_BAD_FORMAT,
                "%s: row %lld (counted from 0): the bytes of a %s must be UTF-8; "
                "numpy.char.decode(%ss, \"cp1252\") converts text from western Windows",
                input->name, (long long)row, what, what);
    *out = (pen_text){ bytes, used };
    return PEN_OK;
}

static int is_text(const pen_npy *npy)
{
    return npy->kind == 'S' || npy->kind == 'U';
}

pen_status pen_npy_texts(pen_run *run, const pen_input *input, const pen_npy *npy, const char *what,
                         pen_text **out)
{
    const size_t room = is_text(npy) ? npy->size : PEN_NUMBER_SIZE;
    char *bytes;

    PEN_TRY(PEN_NEW(run, *out, npy->rows));
    PEN_TRY(PEN_NEW(run, bytes, pen_times(npy->rows, (int64_t)room)));
    for (int64_t i = 0; i < npy->rows; i++, bytes += room) {
        if (is_text(npy))
            PEN_TRY(read_text(run, input, npy, i, what, bytes, &(*out)[i]));
        else
            (*out)[i] = pen_text_of(pen_npy_text(npy, (size_t)i, bytes));
    }
    return PEN_OK;
}

/* ---- a column for each class ---- */

/* The class of row i, -1 if all its values are NaN. */
static pen_status class_of(pen_run *run, const pen_input *input, const pen_npy *npy, int64_t i,
                           int64_t *out)
{
    int64_t ones = 0, missing = 0;

    *out = -1;
    for (int64_t j = 0; j < npy->cols; j++) {
        const size_t index = pen_npy_index(npy, i, j);
        const double value = pen_npy_value(npy, index);
        char number[PEN_NUMBER_SIZE];
        PEN_REQUIRE(run, value == 0 || value == 1 || isnan(value), PEN_BAD_FORMAT,
                    "%s: row %lld (counted from 0): labels in %lld columns must be 1 for the class "
                    "of the row and 0 for others, got %s",
                    input->name, (long long)i, (long long)npy->cols,
                    pen_npy_text(npy, index, number));
        ones += value == 1;
        missing += isnan(value) != 0;
        *out = value == 1 ? j : *out;
    }
    PEN_REQUIRE(run, missing == npy->cols || (ones == 1 && missing == 0), PEN_BAD_FORMAT,
                "%s: row %lld (counted from 0): exactly one of the %lld columns must be 1, got "
                "%lld%s",
                input->name, (long long)i, (long long)npy->cols, (long long)ones,
                missing > 0 ? " and missing values" : "");
    return PEN_OK;
}

static pen_status read_columns(pen_run *run, const pen_input *input, const pen_npy *npy,
                               pen_text **texts)
{
    const char *const *names;
    int64_t class = -1;

    PEN_TRY(PEN_NEW(run, *texts, npy->rows));
    PEN_TRY(pen_number_names(run, "", 0, npy->cols, &names));
    for (int64_t i = 0; i < npy->rows; i++) {
        PEN_TRY(class_of(run, input, npy, i, &class));
        (*texts)[i] = pen_text_of(class < 0 ? "" : names[class]);
    }
    return PEN_OK;
}

/* ---- labels ---- */

/* Floats must be whole; NaN counts as an empty cell. */
static pen_status check_whole(pen_run *run, const pen_input *input, const pen_npy *npy,
                              pen_text *texts)
{
    for (int64_t i = 0; npy->kind == 'f' && i < npy->rows; i++) {
        const double value = pen_npy_value(npy, (size_t)i);
        PEN_REQUIRE(run, isnan(value) || (isfinite(value) && value == floor(value)), PEN_BAD_FORMAT,
                    "%s: row %lld (counted from 0): a label must be a whole number or NaN, got %s",
                    input->name, (long long)i, texts[i].start);
        if (isnan(value))
            texts[i].length = 0;
    }
    return PEN_OK;
}

pen_status pen_read_npy_labels(pen_run *run, const pen_input *input,
                               const pen_read_options *options, pen_table *table)
{
    pen_text *texts;
    pen_npy npy;

    PEN_TRY(pen_npy_open_any(run, input, &npy));
    PEN_REQUIRE(run, (npy.rows > 0 || options->allow_empty) && npy.cols > 0, PEN_BAD_DATA,
                "%s: no labels, the shape is %lld x %lld", input->name, (long long)npy.rows,
                (long long)npy.cols);
    PEN_TRY(pen_npy_fits(run, input, &npy));
    PEN_REQUIRE(run, npy.cols == 1 || !is_text(&npy), PEN_BAD_FORMAT,
                "%s: labels must be one column of texts, got the shape %lld x %lld", input->name,
                (long long)npy.rows, (long long)npy.cols);
    PEN_TRY(npy.cols > 1 ? read_columns(run, input, &npy, &texts)
                         : pen_npy_texts(run, input, &npy, "label", &texts));
    if (npy.cols == 1)
        PEN_TRY(check_whole(run, input, &npy, texts));
    table->x = pen_dense(NULL, PEN_F64, npy.rows, 0, 0);
    return pen_table_label(run, table, texts, npy.rows, options,
                           is_text(&npy) ? PEN_LABELS_TEXT : PEN_LABELS_NUMBERS);
}
