/* read_labels.c - from label texts to class codes: a hash table numbers the distinct texts, these
 * are sorted into classes, and the numbers are replaced by the codes of the classes. */
#include "core/number.h"
#include "io/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

/* ---- distinct texts ---- */

/* Numbered in the order of their first occurrence. Zeroed: none. In scratch memory; the characters
 * are borrowed. */
struct words {
    pen_text *texts; /* [count] */
    int64_t count, room;
    int32_t *slots; /* [slot_count] number of a text, or -1 */
    uint64_t slot_count;
};

static uint64_t hash(pen_text text)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < text.length; i++)
        h = (h ^ (unsigned char)text.start[i]) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

/* The slot of a text, or the free one where it belongs. */
static uint64_t slot_of(const struct words *words, pen_text text)
{
    uint64_t slot = hash(text) & (words->slot_count - 1);
    while (words->slots[slot] >= 0 && !pen_text_equal(words->texts[words->slots[slot]], text))
        slot = (slot + 1) & (words->slot_count - 1);
    return slot;
}

static pen_status grow(pen_run *run, struct words *words)
{
    const struct words old = *words;

    words->room = old.room ? pen_times(2, old.room) : FIRST_ROOM;
    words->slot_count = (uint64_t)pen_times(2, words->room);
    PEN_TRY(PEN_NEW(run, words->texts, words->room));
    PEN_TRY(PEN_NEW(run, words->slots, (int64_t)words->slot_count));
    memset(words->slots, 0xFF, words->slot_count * sizeof *words->slots);
    if (old.count > 0)
        memcpy(words->texts, old.texts, (size_t)old.count * sizeof *old.texts);
    for (int64_t i = 0; i < old.count; i++)
        words->slots[slot_of(words, words->texts[i])] = (int32_t)i;
    return PEN_OK;
}

/* The number of a text, or -1. */
static int32_t find_word(const struct words *words, pen_text text)
{
    return words->count > 0 ? words->slots[slot_of(words, text)] : -1;
}

/* Add a text that is not there yet. */
static pen_status add_word(pen_run *run, struct words *words, pen_text text, int32_t *number)
{
    PEN_REQUIRE(run, words->count < INT32_MAX, PEN_BAD_DATA, "more than %d different labels",
                INT32_MAX);
    if (words->count == words->room)
        PEN_TRY(grow(run, words));
    *number = (int32_t)words->count++;
    words->texts[*number] = text;
    words->slots[slot_of(words, text)] = *number;
    return PEN_OK;
}

/* ---- classes ---- */

/* A distinct text among the labels. */
struct word {
    pen_text text;
    double value;  /* if it is a number */
    int is_number; /* it is a finite number */
    int is_exact;  /* below 2^53, above which distinct whole numbers may be equal as doubles */
    int by_value;  /* compared as a number */
    int unlabelled;
    int32_t id;                     /* order of first occurrence */
    char shortest[PEN_NUMBER_SIZE]; /* shortest text of the number, if by_value */
};

/* Set ids[i] to the number of the word texts[i]. */
static pen_status collect(pen_run *run, const pen_text *texts, int64_t count, struct words *words,
                          int32_t *ids)
{
    for (int64_t i = 0; i < count; i++) {
        ids[i] = find_word(words, texts[i]);
        if (ids[i] < 0)
            PEN_TRY(add_word(run, words, texts[i], &ids[i]));
    }
    return PEN_OK;
}

/* The distinct labels, which are sorted. */
struct list {
    struct word *items;
    int64_t count;
};

static pen_status list_words(pen_run *run, const struct words *words, struct list *out)
{
    out->count = words->count;
    PEN_TRY(PEN_NEW(run, out->items, words->count));
    for (int64_t i = 0; i < words->count; i++)
        out->items[i] = (struct word){ .text = words->texts[i], .id = (int32_t)i };
    return PEN_OK;
}

/* Is this the label that the caller declares unlabelled? Numbers match in every notation, because a
 * program that writes 1.0 for 1 writes 0.0 for 0. */
static int is_named(const struct word *word, pen_text name)
{
    double value;

    return pen_text_equal(word->text, name)
           || (word->is_exact && pen_number_is(name.start, name.length, &value)
               && value == word->value);
}

/* Is this a whole number as numeric types print it? 1, 1.0 and 1.000000000000000000e+00 are the
 * same label. With a leading zero (01) or a redundant sign it is compared as text. */
static int is_written_by_type(const struct word *word)
{
    const char *const start = word->text.start, *const end = start + word->text.length, *p = start;

    p += p < end && *p == '-';
    if (!word->is_exact || word->value != floor(word->value) || p == end || *p < '0' || *p > '9')
        return 0;
    return *p != '0' || p + 1 == end || p[1] < '0' || p[1] > '9';
}

static int is_minus_one(const struct word *word)
{
    return word->is_exact && word->value == PEN_UNLABELLED;
}

/* Determine whether the word is a number, and whether it means unlabelled. */
static void interpret(struct word *word, const pen_read_options *options, enum pen_labels kind)
{
    const int parsed = pen_number_is(word->text.start, word->text.length, &word->value);

    word->is_number = parsed && isfinite(word->value);
    word->is_exact = word->is_number && fabs(word->value) < 0x1p53;
    word->by_value = word->is_exact && (kind != PEN_LABELS_TEXT || is_written_by_type(word));
    word->unlabelled = pen_is_missing(word->text)
                       || (is_minus_one(word) && !options->minus_one_is_class)
                       || (parsed && isnan(word->value));
    if (options->unlabelled)
        word->unlabelled |= is_named(word, pen_text_of(options->unlabelled));
    if (word->by_value) {
        word->value += 0.0; /* -0 is 0 */
        pen_number_write(word->value, word->shortest);
    }
}

/* In libsvm files two classes are labeled +1 and -1 by convention, and there is no notation for
 * unlabelled rows. So -1 is a class if 1 is the only other label, unless the caller says that "-1"
 * means unlabelled. */
static void allow_minus_one(const struct list *words, const char *unlabelled)
{
    int others = 0, plus_one = 0;
    double value;

    for (int64_t i = 0; i < words->count; i++) {
        const struct word *word = &words->items[i];
        if (word->is_number && word->value == 1 && !word->unlabelled)
            plus_one = 1;
        else if (!word->unlabelled)
            others = 1;
    }
    if (others || !plus_one
        || (unlabelled && pen_number_is(unlabelled, strlen(unlabelled), &value)
            && value == PEN_UNLABELLED))
        return;
    for (int64_t i = 0; i < words->count; i++)
        if (words->items[i].is_number && words->items[i].value == PEN_UNLABELLED)
            words->items[i].unlabelled = 0;
}

static pen_text name_of(const struct word *word)
{
    return word->by_value ? pen_text_of(word->shortest) : word->text;
}

static int by_bytes(const void *left, const void *right)
{
    const pen_text a = name_of(left), b = name_of(right);
    const size_t shorter = a.length < b.length ? a.length : b.length;
    const int order = shorter > 0 ? memcmp(a.start, b.start, shorter) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
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

pen_status pen_table_label(pen_run *run, pen_table *table, const pen_text *texts, int64_t count,
                           const pen_read_options *options, enum pen_labels kind)
{
    struct words distinct = { .texts = NULL };
    struct list words;
    int32_t *const labels = pen_table_keep(run, table, count, sizeof *labels);
    int32_t *codes;
    unsigned char *is_minus;
    pen_text *names;

    if (!labels)
        return PEN_NO_MEMORY;
    PEN_TRY(collect(run, texts, count, &distinct, labels));
    PEN_TRY(list_words(run, &distinct, &words));
    for (int64_t i = 0; i < words.count; i++)
        interpret(&words.items[i], options, kind);
    if (kind == PEN_LABELS_LIBSVM)
        allow_minus_one(&words, options->unlabelled);
    PEN_TRY(PEN_NEW(run, codes, words.count));
    PEN_TRY(PEN_NEW(run, is_minus, words.count));
    for (int64_t i = 0; i < words.count; i++)
        is_minus[i] = is_minus_one(&words.items[i]) && words.items[i].unlabelled;
    for (int64_t i = 0; i < count; i++)
        table->minus_ones += is_minus[labels[i]];
    PEN_TRY(PEN_NEW(run, names, words.count));
    table->class_count = classify(&words, codes, names);
    for (int64_t i = 0; i < count; i++)
        labels[i] = codes[labels[i]];
    if (table->class_count > 0)
        PEN_TRY(pen_table_keep_texts(run, table, names, table->class_count, &table->class_names));
    table->labels = labels;
    return PEN_OK;
}
