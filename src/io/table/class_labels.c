/* class_labels.c - converts label texts to class codes: a hash table numbers the distinct texts,
 * which are sorted into classes, and class codes replace the numbers. */
#include "io/table/class_labels.h"

#include "core/number.h"
#include "io/table/cell_value.h"
#include "io/table/row_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 128 };

/* ---- distinct texts ---- */

static uint64_t hash(pen_text text)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < text.length; i++)
        h = (h ^ (unsigned char)text.start[i]) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

/* The first occurrences of texts, in scratch memory; -1: a free slot. All zero: empty. */
struct slots {
    int64_t *first;
    uint64_t size; /* a power of 2 */
};

/* The slot of a text, or the free slot for it. */
static int64_t *slot_of(const struct slots *slots, const pen_text *texts, pen_text text)
{
    uint64_t at = hash(text) & (slots->size - 1);
    while (slots->first[at] >= 0 && !pen_text_equal(texts[slots->first[at]], text))
        at = (at + 1) & (slots->size - 1);
    return &slots->first[at];
}

static pen_status grow(pen_run *run, const pen_text *texts, struct slots *slots)
{
    const struct slots old = *slots;

    slots->size = old.size ? 2 * old.size : FIRST_SIZE;
    PEN_TRY(PEN_FILLED(run, slots->first, (int64_t)slots->size, -1));
    for (uint64_t k = 0; k < old.size; k++)
        if (old.first[k] >= 0)
            *slot_of(slots, texts, texts[old.first[k]]) = old.first[k];
    return PEN_OK;
}

pen_status pen_number_texts(pen_run *run, const pen_text *texts, int64_t count, int32_t *ids,
                            int64_t *distinct)
{
    struct slots slots = { .first = NULL };
    int64_t words = 0;

    for (int64_t i = 0; i < count; i++) {
        if (2 * (uint64_t)words >= slots.size)
            PEN_TRY(grow(run, texts, &slots));
        int64_t *const first = slot_of(&slots, texts, texts[i]);
        const int is_new = *first < 0;
        PEN_REQUIRE(run, !is_new || words < INT32_MAX, PEN_BAD_DATA,
                    "more than %d different labels", INT32_MAX);
        *first = is_new ? i : *first;
        ids[i] = is_new ? (int32_t)words++ : ids[*first];
    }
    if (distinct)
        *distinct = words;
    return PEN_OK;
}

/* ---- the meaning of texts ---- */

/* A distinct text among the labels. */
struct word {
    pen_text text;
    double value;  /* if it is a number */
    int is_number; /* finite */
    int is_exact;  /* below 2^53, above which distinct whole numbers may be equal as doubles */
    int by_value;  /* compared as a number */
    int unlabelled;
    int32_t id;                     /* order of first occurrence */
    char shortest[PEN_NUMBER_SIZE]; /* shortest text of the number, if by_value */
};

/* The texts that mean unlabelled besides an empty one, in exactly these letters. */
static const char *const marks[] = { PEN_UNLABELLED_TEXTS };

/* Numbers match in every notation, because a program that writes 1.0 for 1 writes -1.0 for -1. */
static int means_unlabelled(const struct word *word, const pen_read_options *options)
{
    const char *const *const list = options->unlabelled ? options->unlabelled : marks;
    const int64_t count =
        options->unlabelled ? options->unlabelled_count : (int64_t)(sizeof marks / sizeof *marks);
    int found = pen_trim(word->text).length == 0;
    double value;

    for (int64_t i = 0; i < count && !found; i++) {
        const pen_text mark = pen_text_of(list[i]);
        found = pen_text_equal(word->text, mark)
                || (word->is_exact && pen_is_number(mark, '.', &value) && value == word->value);
    }
    return found;
}

/* Is this a whole number as numeric types print it? 1, 1.0, 1e+05 and 1.000000000000000000e+00 are.
 * A leading zero (01), a redundant sign, or an exponent as in codes (1E3) makes it a text. */
static int is_written_by_type(const struct word *word)
{
    const char *const start = word->text.start, *const end = start + word->text.length, *p = start;

    p += p < end && *p == '-';
    if (!word->is_exact || word->value != floor(word->value) || p == end || *p < '0' || *p > '9'
        || (*p == '0' && p + 1 < end && p[1] >= '0' && p[1] <= '9'))
        return 0;
    while (p < end && *p != 'e' && *p != 'E')
        p++;
    return p == end || (end - p >= 4 && (p[1] == '+' || p[1] == '-'));
}

/* Determine whether the word is a number, and whether it means unlabelled. */
static void interpret(struct word *word, const pen_read_options *options, enum pen_labels kind)
{
    word->is_number = pen_is_number(word->text, '.', &word->value) && isfinite(word->value);
    word->is_exact = word->is_number && fabs(word->value) < 0x1p53;
    word->by_value = word->is_exact && (kind != PEN_LABELS_TEXT || is_written_by_type(word));
    word->unlabelled = means_unlabelled(word, options);
    if (word->by_value) {
        word->value += 0.0; /* -0 is 0 */
        pen_number_write(word->value, word->shortest);
    }
}

int pen_is_mark(pen_text text)
{
    struct word word = { .text = text };

    interpret(&word, &(pen_read_options){ .missing = PEN_MISSING_ERROR }, PEN_LABELS_TEXT);
    return word.unlabelled;
}

/* ---- classes ---- */

/* The distinct labels, in sorted order. */
struct list {
    struct word *items;
    int64_t count;
};

/* Finds the words of the texts, ids [count], and their meanings. */
static pen_status list_words(pen_run *run, const pen_text *texts, int64_t count,
                             const pen_read_options *options, enum pen_labels kind, int32_t *ids,
                             struct list *out)
{
    PEN_TRY(pen_number_texts(run, texts, count, ids, &out->count));
    PEN_TRY(PEN_NEW(run, out->items, out->count));
    for (int64_t i = 0, next = 0; i < count; i++)
        if (ids[i] == next) {
            out->items[next] = (struct word){ .text = texts[i], .id = ids[i] };
            interpret(&out->items[next++], options, kind);
        }
    return PEN_OK;
}

static pen_text name_of(const struct word *word)
{
    return word->by_value ? pen_text_of(word->shortest) : word->text;
}

static int by_bytes(const void *left, const void *right)
{
    return pen_text_order(name_of(left), name_of(right));
}

/* Different texts of the same number are ordered by bytes. */
static int by_number(const void *left, const void *right)
{
    const double a = ((const struct word *)left)->value, b = ((const struct word *)right)->value;
    return a != b ? (a > b) - (a < b) : by_bytes(left, right);
}

/* Set codes[id] for every word, and names [up to words->count] of the classes; return the number of
 * classes. Sorts the words. */
static int64_t classify(struct list *words, int32_t *codes, pen_text *names)
{
    int64_t labelled = 0, classes = 0;
    int all_numbers = 1;

    for (int64_t i = 0; i < words->count; i++) {
        const struct word word = words->items[i];
        codes[word.id] = PEN_UNLABELLED;
        if (word.unlabelled)
            continue;
        all_numbers &= word.is_number;
        words->items[labelled++] = word;
    }
    qsort(words->items, (size_t)labelled, sizeof *words->items, all_numbers ? by_number : by_bytes);
    for (int64_t i = 0; i < labelled; i++) {
        const pen_text name = name_of(&words->items[i]);
        if (classes == 0 || !pen_text_equal(names[classes - 1], name))
            names[classes++] = name;
        codes[words->items[i].id] = (int32_t)(classes - 1);
    }
    return classes;
}

/* Keeps the texts that meant unlabelled, and their rows. words: in the order of their ids
 * [count]. */
static pen_status keep_marks(pen_run *run, const struct list *words, const int32_t *ids,
                             int64_t count, pen_table *table)
{
    int64_t *rows, marked = 0;
    pen_text *texts;

    PEN_TRY(PEN_FILLED(run, rows, words->count, 0));
    PEN_TRY(PEN_NEW(run, texts, words->count));
    for (int64_t i = 0; i < count; i++)
        rows[ids[i]]++;
    for (int64_t i = 0; i < words->count; i++) {
        texts[marked] = words->items[i].text;
        rows[marked] = rows[i];
        marked += words->items[i].unlabelled && pen_trim(texts[marked]).length > 0;
    }
    table->mark_count = marked;
    if (marked == 0)
        return PEN_OK;
    table->mark_rows = pen_table_keep(run, table, marked, sizeof *rows);
    if (!table->mark_rows)
        return PEN_NO_MEMORY;
    memcpy(table->mark_rows, rows, (size_t)marked * sizeof *rows);
    return pen_table_keep_texts(run, table, texts, marked, &table->marks);
}

/* Drops the labels of rows that `rows` has dropped, and words without other rows. */
static pen_status drop_rows(pen_run *run, const pen_table *rows, struct list *words, int32_t *ids,
                            pen_table *table)
{
    int32_t *is_left;

    PEN_TRY(PEN_FILLED(run, is_left, words->count, 0));
    for (int64_t i = 0; i < rows->x.rows; i++) {
        ids[i] = ids[rows->row_numbers[i]];
        is_left[ids[i]] = 1;
    }
    for (int64_t i = 0; i < words->count; i++)
        words->items[i].unlabelled |= !is_left[i];
    table->x.rows = rows->x.rows;
    table->dropped_rows = rows->dropped_rows;
    return PEN_OK;
}

/* Replaces unlabelled texts [count] by known labels, in scratch memory. PEN_BAD_DATA: two labels of
 * a row differ. */
static pen_status join_known(pen_run *run, const pen_read_options *options, enum pen_labels kind,
                             int64_t count, const pen_text **texts)
{
    const pen_table *const known = options->labels, *const rows = options->rows;
    const int64_t *const numbers =
        rows && count == rows->x.rows + rows->dropped_rows ? rows->row_numbers : NULL;
    char quoted[2][PEN_QUOTE_SIZE];
    pen_text *joined;

    PEN_REQUIRE(run, known->x.rows == (numbers ? rows->x.rows : count), PEN_BAD_DATA,
                "%lld rows are labelled elsewhere, and %lld here", (long long)known->x.rows,
                (long long)count);
    PEN_TRY(PEN_NEW(run, joined, pen_max(1, count)));
    memcpy(joined, *texts, (size_t)count * sizeof *joined);
    for (int64_t k = 0; k < known->x.rows; k++) {
        const int64_t i = numbers ? numbers[k] : k;
        struct word word = { .text = joined[i] };
        if (known->labels[k] < 0)
            continue;
        const pen_text name = pen_text_of(known->class_names[known->labels[k]]);
        interpret(&word, options, kind);
        PEN_REQUIRE(run, word.unlabelled || pen_text_equal(name_of(&word), name), PEN_BAD_DATA,
                    "row %lld is labelled %s elsewhere, and %s here", (long long)i,
                    pen_quote(name, quoted[0]), pen_quote(name_of(&word), quoted[1]));
        joined[i] = name;
    }
    *texts = joined;
    return PEN_OK;
}

pen_status pen_table_label(pen_run *run, pen_table *table, const pen_text *texts, int64_t count,
                           const pen_read_options *options, enum pen_labels kind)
{
    struct list words;
    const pen_table *const rows = table->x.cols == 0 ? options->rows : NULL; /* a file of labels */
    int32_t *const labels = pen_table_keep(run, table, count, sizeof *labels);
    int32_t *codes;
    pen_text *names;

    if (!labels)
        return PEN_NO_MEMORY;
    if (table->x.cols == 0 && options->labels)
        PEN_TRY(join_known(run, options, kind, count, &texts));
    PEN_TRY(list_words(run, texts, count, options, kind, labels, &words));
    PEN_TRY(PEN_NEW(run, codes, words.count));
    PEN_TRY(keep_marks(run, &words, labels, count, table));
    if (rows && rows->row_numbers && count == rows->x.rows + rows->dropped_rows) {
        PEN_TRY(drop_rows(run, rows, &words, labels, table));
        count = rows->x.rows;
    }
    PEN_TRY(PEN_NEW(run, names, words.count));
    table->class_count = classify(&words, codes, names);
    for (int64_t i = 0; i < count; i++)
        labels[i] = codes[labels[i]];
    if (table->class_count > 0)
        PEN_TRY(pen_table_keep_texts(run, table, names, table->class_count, &table->class_names));
    table->labels = labels;
    return PEN_OK;
}
