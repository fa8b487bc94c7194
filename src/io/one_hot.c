/* one_hot.c - columns of words as a column of zeros and ones for each of their categories.
 *
 * Rows are read once: a word becomes its number in the order of occurrence, and when all rows are
 * there the categories are sorted, so that columns do not depend on the order of the rows. */
#include "io/one_hot.h"

#include "core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FOUND = 100, LIST_SIZE = 80 };

/* ---- words ---- */

/* 1, 1.0 and 1e0 are one category: its shortest text. Other texts are compared as they are. */
static pen_text word_of(pen_text cell, char shortest[PEN_NUMBER_SIZE])
{
    const char *const end = cell.start + cell.length, *p = cell.start;
    double value;

    p += p < end && *p == '-';
    if (!pen_number_is(cell.start, cell.length, &value) || !(fabs(value) < 0x1p53)
        || value != floor(value) || *p < '0' || *p > '9'
        || (*p == '0' && p + 1 < end && p[1] >= '0' && p[1] <= '9'))
        return cell;
    pen_number_write(value + 0.0, shortest);
    return pen_text_of(shortest);
}

static pen_status add_word(pen_run *run, pen_words *words, pen_text word, int32_t *number)
{
    char *copy;

    PEN_TRY(PEN_NEW(run, copy, pen_max(1, (int64_t)word.length)));
    memcpy(copy, word.start, word.length);
    return pen_words_add(run, words, (pen_text){ copy, word.length }, "words in a column", number);
}

/* ---- the columns ---- */

/* Those of a model: by their places, in which each of their groups is one column. */
static pen_status open_given(pen_run *run, const char *name, const pen_columns *columns,
                             const pen_read_options *options, pen_one_hot *out)
{
    int64_t more = 0;

    out->is_given = 1;
    for (int64_t i = 0; i < options->categorical_count; i++) {
        const pen_categorical *const from = &options->categorical[i];
        pen_word_column *const to = &out->columns[i];
        int32_t number;
        to->place = from->first - more;
        to->given = from->column;
        PEN_REQUIRE(run, to->place >= 0 && to->place < columns->number[PEN_COLUMN_VALUE],
                    PEN_BAD_DATA,
                    "%s: expected more than %lld value columns, as the model was fitted on, got "
                    "%lld",
                    name, (long long)to->place, (long long)columns->number[PEN_COLUMN_VALUE]);
        for (int64_t c = 0; c < from->count; c++)
            if (pen_words_find(&to->words, pen_text_of(from->categories[c])) < 0)
                PEN_TRY(pen_words_add(run, &to->words, pen_text_of(from->categories[c]),
                                      "categories", &number));
        PEN_REQUIRE(run, to->words.count == from->count, PEN_BAD_ARGUMENT,
                    "categorical[%lld].categories must be different texts", (long long)i);
        more += from->count - 1;
    }
    return PEN_OK;
}

/* In the order of their places, which is not that of the file where columns were selected. */
static void open_words(const pen_columns *columns, pen_one_hot *out)
{
    int64_t i = 0;

    for (int64_t v = 0; v < columns->number[PEN_COLUMN_VALUE]; v++) {
        const unsigned char how = columns->words[out->column_of[v]];
        if (how != PEN_WORDS_NO)
            out->columns[i++] = (pen_word_column){ .place = v, .is_asked = how == PEN_WORDS_ASKED };
    }
}

pen_status pen_one_hot_open(pen_run *run, const char *name, const pen_columns *columns,
                            const pen_read_options *options, pen_one_hot *out)
{
    const int64_t values = columns->number[PEN_COLUMN_VALUE];

    *out = (pen_one_hot){ .count = options->categorical_count };
    for (int64_t j = 0; j < columns->count && options->categorical_count == 0; j++)
        out->count += columns->words[j] && columns->roles[j] == PEN_COLUMN_VALUE;
    if (out->count == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, out->columns, out->count));
    PEN_TRY(PEN_NEW(run, out->index, values));
    memset(out->columns, 0, (size_t)out->count * sizeof *out->columns);
    for (int64_t v = 0; v < values; v++)
        out->index[v] = -1;
    PEN_TRY(PEN_NEW(run, out->column_of, values));
    for (int64_t j = 0; j < columns->count; j++)
        if (columns->roles[j] == PEN_COLUMN_VALUE)
            out->column_of[columns->places[j]] = j;
    if (options->categorical_count > 0)
        PEN_TRY(open_given(run, name, columns, options, out));
    else
        open_words(columns, out);
    for (int64_t i = 0; i < out->count; i++) {
        out->columns[i].column = out->column_of[out->columns[i].place];
        out->index[out->columns[i].place] = i;
    }
    return PEN_OK;
}

/* ---- a cell ---- */

static pen_status refuse_unseen(pen_run *run, const char *name, int64_t line,
                                const pen_word_column *column, const pen_columns *columns,
                                pen_text cell)
{
    char list[LIST_SIZE] = "", quoted[PEN_QUOTE_SIZE], named[PEN_QUOTE_SIZE];
    char number[PEN_COLUMN_NUMBER_SIZE];

    for (int64_t i = 0; i < column->words.count; i++)
        pen_list_add(list, sizeof list, column->words.texts[i]);
    pen_fail(run, PEN_BAD_FORMAT,
             "%s:%lld:%lld: the model has no category \"%s\" of the column \"%s\", only %s", name,
             (long long)line, (long long)column->column + 1, pen_quote(cell, quoted),
             pen_quote(pen_column_name(columns, column->column, number), named), list);
    return pen_hint(run, PEN_BAD_FORMAT, PEN_HINT_UNSEEN);
}

/* None may be a category. */
static int is_missing_word(const pen_value_rules *rules, pen_text cell)
{
    for (int64_t i = 0; i < rules->na_count; i++)
        if (pen_text_equal(cell, pen_text_of(rules->na[i])))
            return 1;
    return pen_is_missing(cell);
}

pen_status pen_one_hot_code(pen_run *run, const char *name, int64_t line, pen_one_hot *one_hot,
                            const pen_columns *columns, int64_t place, pen_text cell,
                            const pen_value_rules *rules, pen_unseen unseen, double *code)
{
    pen_word_column *const column = &one_hot->columns[one_hot->index[place]];
    char shortest[PEN_NUMBER_SIZE];
    int32_t number = -1;

    if (is_missing_word(rules, cell)) {
        *code = (double)NAN;
        if (rules->missing == PEN_MISSING_ERROR)
            return pen_value_refuse(run, name, line, column->column + 1, cell, rules, "", 0);
        return PEN_OK;
    }
    const pen_text word = word_of(cell, shortest);
    number = pen_words_find(&column->words, word);
    if (number < 0 && !one_hot->is_given)
        PEN_TRY(add_word(run, &column->words, word, &number));
    else if (number < 0 && unseen == PEN_UNSEEN_ERROR)
        return refuse_unseen(run, name, line, column, columns, cell);
    one_hot->unseen += number < 0;
    *code = number;
    return PEN_OK;
}

/* ---- categories ---- */

/* A category. */
struct category {
    pen_text text;
    double value; /* NaN: the column has words that are no numbers */
    int32_t code;
};

static int by_name(const void *left, const void *right)
{
    const struct category *const a = left, *const b = right;
    const size_t shorter = a->text.length < b->text.length ? a->text.length : b->text.length;

    if (a->value < b->value || a->value > b->value)
        return a->value < b->value ? -1 : 1;
    const int order = shorter > 0 ? memcmp(a->text.start, b->text.start, shorter) : 0;
    return order ? order : (a->text.length > b->text.length) - (a->text.length < b->text.length);
}

/* Sort the words of a column into `list` [words]; place_of [words] is where each code goes. */
static pen_status sort_words(pen_run *run, const pen_words *words, int keep_order,
                             struct category **list, int64_t **place_of)
{
    const int64_t count = words->count;
    int numbers = 1;

    PEN_TRY(PEN_NEW(run, *list, count));
    PEN_TRY(PEN_NEW(run, *place_of, count));
    for (int64_t c = 0; c < count; c++) {
        struct category *const item = &(*list)[c];
        *item = (struct category){ .text = words->texts[c], .code = (int32_t)c };
        numbers &= pen_number_is(item->text.start, item->text.length, &item->value);
    }
    for (int64_t c = 0; c < count && !numbers; c++)
        (*list)[c].value = (double)NAN;
    if (!keep_order)
        qsort(*list, (size_t)count, sizeof **list, by_name);
    for (int64_t c = 0; c < count; c++)
        (*place_of)[(*list)[c].code] = c;
    return PEN_OK;
}

/* Drop words that occur in no row, because the rows were dropped: codes of `column` are numbered
 * anew. */
static pen_status drop_unused(pen_run *run, pen_word_column *column, const pen_array *x,
                              double *codes)
{
    const int64_t count = column->words.count;
    int32_t *number, next = 0;

    PEN_TRY(PEN_NEW(run, number, pen_max(1, count)));
    memset(number, 0xFF, (size_t)count * sizeof *number);
    for (int64_t i = 0; i < x->rows; i++)
        if (codes[i * x->cols + column->place] >= 0)
            number[(int64_t)codes[i * x->cols + column->place]] = 0;
    for (int64_t c = 0; c < count; c++)
        if (number[c] == 0) {
            column->words.texts[next] = column->words.texts[c];
            number[c] = next++;
        }
    column->words.count = next;
    for (int64_t i = 0; i < x->rows; i++) {
        double *const code = &codes[i * x->cols + column->place];
        if (*code >= 0)
            *code = number[(int64_t)*code];
    }
    return PEN_OK;
}

static pen_status check_found(pen_run *run, const char *name, const pen_columns *columns,
                              const pen_word_column *column, int64_t rows)
{
    char quoted[PEN_QUOTE_SIZE], number[PEN_COLUMN_NUMBER_SIZE];
    const pen_text called = pen_column_name(columns, column->column, number);
    const int64_t words = column->words.count;

    PEN_REQUIRE(run, words > 0, PEN_BAD_DATA, "%s: column \"%s\" has only missing values", name,
                pen_quote(called, quoted));
    PEN_REQUIRE(run, column->is_asked || (words <= MOST_FOUND && (words < rows || rows < 4)),
                PEN_BAD_DATA,
                "%s: column \"%s\" has %lld different words in %lld rows, too many for categories; "
                "leave it out, or ask for it by name",
                name, pen_quote(called, quoted), (long long)words, (long long)rows);
    return PEN_OK;
}

/* ---- the result ---- */

/* One column of the result. */
struct place {
    int64_t from;   /* the column of codes or values */
    int64_t number; /* of the file */
    double code;    /* 1 where this is the code; negative: a copy */
    pen_text name;
};

struct result {
    pen_run *run;
    pen_one_hot *one_hot;
    const pen_columns *columns;
    const pen_array *codes;
    pen_table *table;
    struct place *places; /* [cols] */
    int64_t cols;
};

static pen_text name_category(char *name, pen_text column, pen_text category)
{
    memcpy(name, column.start, column.length);
    name[column.length] = '=';
    memcpy(name + column.length + 1, category.start, category.length);
    return (pen_text){ name, column.length + 1 + category.length };
}

/* The columns of one column of words. */
static pen_status place_words(struct result *r, const pen_word_column *column, int64_t *cols,
                              pen_categorical *out)
{
    const pen_text *const header = r->columns->header;
    struct category *list;
    int64_t *place_of;
    pen_text *texts;
    char *name;

    PEN_TRY(sort_words(r->run, &column->words, r->one_hot->is_given, &list, &place_of));
    PEN_TRY(PEN_NEW(r->run, texts, column->words.count));
    for (int64_t c = 0; c < column->words.count; c++) {
        texts[c] = list[c].text;
        struct place *const to = &r->places[*cols + c];
        *to = (struct place){ column->place, column->column, list[c].code, { "", 0 } };
        if (!header)
            continue;
        const pen_text called = header[column->column];
        PEN_TRY(PEN_NEW(r->run, name, (int64_t)(called.length + texts[c].length + 1)));
        to->name = name_category(name, called, texts[c]);
    }
    char **categories = NULL, **called = NULL;
    PEN_TRY(pen_table_keep_texts(r->run, r->table, texts, column->words.count, &categories));
    const pen_text given = pen_text_of(column->given ? column->given : "");
    if (r->one_hot->is_given ? column->given != NULL : header != NULL)
        PEN_TRY(pen_table_keep_texts(
            r->run, r->table, r->one_hot->is_given ? &given : &header[column->column], 1, &called));
    *out = (pen_categorical){ .column = called ? called[0] : NULL,
                              .first = *cols,
                              .count = column->words.count,
                              .categories = (const char *const *)categories };
    *cols += column->words.count;
    return PEN_OK;
}

static pen_status place_columns(struct result *r)
{
    pen_table *const table = r->table;
    int64_t cols = 0;

    table->categorical =
        pen_table_keep(r->run, table, r->one_hot->count, sizeof *table->categorical);
    if (!table->categorical)
        return PEN_NO_MEMORY;
    table->categorical_count = r->one_hot->count;
    PEN_TRY(PEN_NEW(r->run, r->places, r->cols));
    for (int64_t v = 0; v < r->codes->cols; v++) {
        const int64_t i = r->one_hot->index[v];
        if (i >= 0) {
            PEN_TRY(place_words(r, &r->one_hot->columns[i], &cols, &table->categorical[i]));
            continue;
        }
        r->places[cols] = (struct place){ v, 0, -1, { "", 0 } };
        r->places[cols].number = r->one_hot->column_of[v];
        if (r->columns->header)
            r->places[cols].name = r->columns->header[r->one_hot->column_of[v]];
        cols++;
    }
    return PEN_OK;
}

static pen_status name_columns(const struct result *r)
{
    pen_text *names;

    r->table->column_numbers =
        pen_table_keep(r->run, r->table, r->cols, sizeof *r->table->column_numbers);
    if (!r->table->column_numbers)
        return PEN_NO_MEMORY;
    PEN_TRY(PEN_NEW(r->run, names, r->cols));
    for (int64_t j = 0; j < r->cols; j++) {
        r->table->column_numbers[j] = r->places[j].number;
        names[j] = r->places[j].name;
    }
    if (r->columns->header)
        PEN_TRY(pen_table_keep_texts(r->run, r->table, names, r->cols, &r->table->column_names));
    return PEN_OK;
}

static void fill_rows(const struct result *r, double *values)
{
    const double *const codes = r->codes->values;

    for (int64_t i = 0; i < r->codes->rows; i++)
        for (int64_t j = 0; j < r->cols; j++) {
            const double code = codes[i * r->codes->cols + r->places[j].from];
            values[i * r->cols + j] =
                r->places[j].code < 0 || isnan(code) ? code : (double)(code == r->places[j].code);
        }
}

pen_status pen_one_hot_expand(pen_run *run, const pen_input *input, pen_one_hot *one_hot,
                              const pen_columns *columns, pen_table *table)
{
    const pen_array codes = table->x;
    struct result r = { .run = run,
                        .one_hot = one_hot,
                        .columns = columns,
                        .codes = &codes,
                        .table = table,
                        .cols = codes.cols };

    for (int64_t i = 0; i < one_hot->count; i++) {
        if (!one_hot->is_given) {
            PEN_TRY(
                drop_unused(run, &one_hot->columns[i], &codes, (void *)(uintptr_t)codes.values));
            PEN_TRY(check_found(run, input->name, columns, &one_hot->columns[i], codes.rows));
        }
        r.cols += one_hot->columns[i].words.count - 1;
    }
    PEN_TRY(place_columns(&r));
    PEN_TRY(name_columns(&r));
    double *const values = pen_table_rows(run, input, table, codes.rows, r.cols, PEN_F64);
    if (!values)
        return PEN_NO_MEMORY;
    fill_rows(&r, values);
    table->x = pen_dense(values, PEN_F64, codes.rows, r.cols, r.cols);
    table->unseen_cells = one_hot->unseen;
    return PEN_OK;
}
