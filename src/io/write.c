/* write.c - writes columns side by side, as text or an array. */
#include "io/write.h"

#include "core/number.h"
#include "core/parallel.h"
#include "core/textbuf.h"
#include "io/numpy/npy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 512 };

/* text made at a time: blocks of BLOCK_CELLS cells; fewer blocks if a row has more */
enum { BLOCKS = 32, LEAST_BLOCKS = 4, BLOCK_CELLS = 4096 };

/* ---- text ---- */

/* Threads make the text of rows block by block; it is written in order. A delimiter follows each
 * cell, and the end of the line replaces the last one. */
struct text_rows {
    const pen_sheet *sheet;
    char delimiter;
    int64_t block, first; /* rows in a block, first row of the current blocks */
    pen_string texts[BLOCKS];
};

/* Adds a text, quoted if it would read back differently: also if its first byte could begin a byte
 * order mark, or if a list of labels could look like a table (any delimiter, or numbers separated
 * by blanks). */
static void add_name(pen_string *out, const char *name, char delimiter)
{
    const size_t length = strlen(name);
    const char special[] = { '"', '\r', '\n', ',', ';', '\t', delimiter, '\0' };
    const int cells =
        strpbrk(name, special) || (strchr(name, ' ') && strchr("0123456789+-.", name[0]));

    if (length > 0 && !cells && !strchr(" \t\xEF\xFE\xFF", name[0])
        && !strchr(" \t", name[length - 1])) {
        pen_text_add(out, name, length);
        return;
    }
    pen_text_add(out, "\"", 1);
    for (; *name; name++)
        pen_text_add(out, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    pen_text_add(out, "\"", 1);
}

/* The double nearest to a number of six decimal digits; its shortest text has at most six. */
static double six_digits(double value)
{
    const double size = fabs(value);
    char text[PEN_NUMBER_SIZE];

    if (!(size >= 1e-300 && size <= 1e300))
        return value;
    const int e = (int)floor(log10(size)) - 5;
    if (e < -22 || e > 22) { /* powers of ten that are not doubles */
        const int length = snprintf(text, sizeof text, "%.0fe%d",
                                    value * pow(10, -e / 2) * pow(10, -e + e / 2), e);
        pen_number_read(text, (size_t)length, &value);
        return value;
    }
    return e < 0 ? round(value * pow(10, -e)) / pow(10, -e)
                 : round(value / pow(10, e)) * pow(10, e);
}

static void add_values(pen_string *out, const pen_band *band, int64_t i, char delimiter, int alone)
{
    const pen_array *const x = band->values;
    const int is_empty = band->codes && band->codes[i] < 0;
    double values[PIECE];
    char text[PIECE * (1 + PEN_NUMBER_SIZE)];

    for (int64_t j = 0; j < band->count; j += PIECE) {
        const int64_t count = pen_min(PIECE, band->count - j);
        char *p = text;
        if (!is_empty)
            pen_array_gather(x, NULL, i, 1, band->codes && count == 1 ? band->codes[i] : j, count,
                             PEN_F64, values);
        for (int64_t c = 0; c < count; c++) {
            if (!is_empty && !isnan(values[c])) {
                const double value = band->is_rounded ? six_digits(values[c]) : values[c];
                p += x->dtype == PEN_F64 ? pen_number_write(value, p)
                                         : pen_number_write_float((float)value, p);
            } else if (alone) { /* a blank line would be skipped */
                *p++ = '"', *p++ = '"';
            }
            *p++ = delimiter;
        }
        pen_text_add(out, text, (size_t)(p - text));
    }
}

static void end_line(pen_string *out)
{
    if (!out->failed)
        out->data[out->size - 1] = '\n';
}

static void add_header(pen_string *out, const pen_sheet *sheet, char delimiter)
{
    for (int b = 0; b < PEN_BANDS; b++)
        for (int64_t j = 0; j < sheet->bands[b].count; j++) {
            if (sheet->bands[b].names)
                add_name(out, sheet->bands[b].names[j], delimiter);
            pen_text_add(out, &delimiter, 1);
        }
    end_line(out);
}

static int64_t count_columns(const pen_sheet *sheet)
{
    int64_t count = 0;

    for (int b = 0; b < PEN_BANDS; b++)
        count += sheet->bands[b].count;
    return count;
}

static void add_row(pen_string *out, const pen_sheet *sheet, int64_t i, char delimiter)
{
    char number[PEN_NUMBER_SIZE];

    for (int b = 0; b < PEN_BANDS; b++) {
        const pen_band *const band = &sheet->bands[b];
        if (band->values && band->count > 0)
            add_values(out, band, i, delimiter, count_columns(sheet) == 1);
        for (int64_t j = 0; !band->values && j < band->count; j++) {
            if (band->texts)
                add_name(out, band->texts[i * band->count + j], delimiter);
            else if (band->numbered)
                pen_text_add(out, number, pen_number_write((double)(band->first + i), number));
            else if (band->codes && band->codes[i] >= 0 && band->codes[i] < band->word_count)
                add_name(out, band->words[band->codes[i]], delimiter);
            pen_text_add(out, &delimiter, 1);
        }
    }
    end_line(out);
}

static void make_rows(void *context, int64_t task, int worker)
{
    struct text_rows *const t = context;
    const int64_t first = t->first + task * t->block;

    (void)worker;
    t->texts[task].size = 0;
    for (int64_t i = first; i < pen_min(first + t->block, t->sheet->rows); i++)
        add_row(&t->texts[task], t->sheet, i, t->delimiter);
}

static pen_status put_texts(pen_run *run, struct text_rows *t, int64_t count, pen_put put,
                            void *context)
{
    for (int64_t b = 0; b < count; b++) {
        PEN_REQUIRE(run, !t->texts[b].failed, PEN_NO_MEMORY, "out of memory");
        PEN_TRY(put(context, t->texts[b].data, t->texts[b].size));
    }
    return PEN_OK;
}

static pen_status put_rows(pen_run *run, struct text_rows *t, pen_put put, void *context)
{
    const int64_t rows = t->sheet->rows, cells = count_columns(t->sheet);

    t->block = pen_max(1, BLOCK_CELLS / cells);
    const int64_t most =
        pen_max(LEAST_BLOCKS, pen_min(BLOCKS, BLOCKS * BLOCK_CELLS / (t->block * cells)));
    for (t->first = 0; t->first < rows; t->first += most * t->block) {
        const int64_t left = rows - t->first,
                      blocks = pen_min(most, (left + t->block - 1) / t->block);
        PEN_TRY(pen_parallel(run, PEN_SILENT, blocks, make_rows, t));
        PEN_TRY(put_texts(run, t, blocks, put, context));
    }
    return PEN_OK;
}

pen_status pen_write_text(pen_run *run, const pen_sheet *sheet, char delimiter, pen_put put,
                          void *context)
{
    struct text_rows t = { .sheet = sheet, .delimiter = delimiter };
    pen_status status = PEN_OK;

    if (sheet->has_header) {
        add_header(&t.texts[0], sheet, delimiter);
        status = put_texts(run, &t, 1, put, context);
    }
    if (status == PEN_OK)
        status = put_rows(run, &t, put, context);
    for (int b = 0; b < BLOCKS; b++)
        free(t.texts[b].data);
    return status;
}

/* ---- files ---- */

char pen_delimiter_of(const char *path)
{
    return pen_has_extension(path, ".tsv") ? '\t' : ',';
}

pen_status pen_write_sheet(pen_run *run, const char *path, const pen_sheet *sheet)
{
    const pen_array *const values = sheet->bands[PEN_BANDS - 1].values;
    pen_output *output;
    pen_status status;

    PEN_TRY(pen_output_open(run, path, &output));
    if (!pen_has_extension(path, ".npy"))
        status = pen_write_text(run, sheet, pen_delimiter_of(path), pen_put_output, output);
    else
        status = (sheet->is_whole ? pen_write_npy_wholes : pen_write_npy)(values, pen_put_output,
                                                                          output);
    return pen_output_close(output, status);
}
