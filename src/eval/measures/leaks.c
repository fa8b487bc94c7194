/* leaks.c - finds columns that determine the labels: a class column among the values, or its
 * indicator columns; copies of columns; and names of classes that look alike.
 *
 * A column determines the labels if each of its values belongs to one class. How probable is that
 * by chance for a column with few values? There are l! / (n_1! .. n_c!) ways to distribute labels
 * over rows. At most c^v of them are constant on each of the v values, at most c! if v = c, and 1
 * if the values are the numbers of the classes. A column with many values for its rows, such as a
 * feature or a row number, is never a code. The probability is multiplied by the number of
 * candidate columns (Bonferroni).
 *
 * A column that numbers the rows only reflects their order in a table, which reveals all classes if
 * the table is sorted by class. */
#define _XOPEN_SOURCE 700 /* strcasecmp */

#include "core/arguments.h"
#include "core/number.h"
#include "core/rows.h"
#include "core/sort.h"
#include "core/textbuf.h"
#include "core/utf8.h"
#include "eval/trials/sample_rows.h"
#include "io/table/class_labels.h"
#include "problem/prepared_rows.h"
#include "linalg/sparse_rows.h"
#include "neighbors/neighbors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- labelled rows with near copies ----
 *
 * A row has near copies if, among its ascending distances to the rows of its class, one is more
 * than JUMP times the one before. For continuous values in m dimensions, the k-th distance jumps
 * with probability JUMP^(-k m), so few rows have such a gap by chance; with three scans of a sample
 * it comes after the second distance. Gaps after a third of a class come from its parts, not from
 * copies. */

enum { MOST_ROWS = 100, LEAST_ROWS = 10, MOST_NEAR = 30 };
static const double JUMP = 5, LEAST_SHARE = 1.0 / 3;

/* The most differences of values: with more, fewer than MOST_ROWS rows are checked, or none. */
static const double MOST_WORK = 2e8;

/* Counts the rows with near copies among `count` evenly spaced rows of class c. */
static pen_status count_copied(pen_run *run, const pen_view *x, int64_t c, int64_t count,
                               int64_t most, int64_t *copied)
{
    const pen_subset class = { x->members + x->starts[c], pen_class_size(x, c) };
    pen_neighbor *near;
    int64_t *rows;

    PEN_TRY(PEN_NEW(run, near, pen_times(count, most)));
    PEN_TRY(PEN_NEW(run, rows, count));
    for (int64_t i = 0; i < count; i++)
        rows[i] = class.rows[i * class.count / count];
    PEN_TRY(pen_neighbors_nearest(run, x, (pen_subset){ rows, count }, class, most, near));
    for (int64_t i = 0; i < count; i++, near += most) {
        int64_t k = 1;
        while (k < most && near[k].distance2 <= JUMP * JUMP * near[k - 1].distance2)
            k++;
        *copied += k < most;
    }
    return PEN_OK;
}

/* Sets pen_leaks.copies. PEN_NOT_FINITE. */
static pen_status find_copies(pen_run *run, const pen_data *data, double *share)
{
    pen_view x = { .n = 0 }, classes = { .n = 0 };
    int64_t seen = 0, copied = 0;
    pen_data labelled;

    *share = 0;
    if (!data->labels || data->groups)
        return PEN_OK;
    PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &classes));
    const int64_t largest = pen_class_largest(&classes);
    const double each = (double)data->x.cols * (double)pen_max(MOST_ROWS, largest);
    const int64_t rows = (int64_t)fmin(MOST_ROWS, MOST_WORK / each);
    if (classes.labelled < 3 || rows < LEAST_ROWS)
        return PEN_OK;
    PEN_TRY(pen_data_pick(run, data, classes.labelled, classes.members, &labelled));
    PEN_TRY(pen_rows_open(run, &labelled, 0, PEN_SCALE_STANDARD, &x));
    PEN_TRY(pen_sparse_rows_attach(run, &x));
    for (int64_t c = 0; c < x.classes; c++) {
        const int64_t n = pen_class_size(&x, c), most = pen_min(MOST_NEAR, (n - 1) / 3) + 1,
                      count = most < 2 ? 0 : pen_min(n, (rows * n - 1) / x.labelled + 1);
        const pen_mark_t mark = pen_mark(run);
        if (count > 0)
            PEN_TRY(count_copied(run, &x, c, count, most, &copied));
        seen += count;
        pen_release(run, mark);
    }
    if ((double)copied >= LEAST_SHARE * (double)seen && seen > 0)
        *share = (double)copied / (double)seen;
    return PEN_OK;
}

enum {
    /* a column with more values for each class, and fewer labelled rows for each value, is a
     * feature */
    VALUES_A_CLASS = 2,
    ROWS_A_VALUE = 5,
    ROWS_FOR_COUNTS = 1000 /* labelled rows for detecting indicators */
};
static const double IMPROBABLE = 1e-3, IMPROBABLE_ORDER = 1e-2;

/* A value and its class in the hash table; empty if `column` is another column. */
struct slot {
    double value;
    int64_t class_of, column;
};

struct search {
    pen_run *run;
    const pen_data *data;
    pen_view rows; /* classes only */
    /* for sparse rows: the entries of labelled rows in class order, and one column [labelled] of
     * them at a time */
    pen_sparse_rows entries;
    double *column;
    int64_t most;       /* values of a column */
    struct slot *slots; /* [slot_count] a power of two */
    int64_t slot_count;
    const double *numbers; /* [classes] the classes as numbers, NaN: not a number */
    double log_labelings;  /* log l! / (n_1! .. n_c!) */
    int64_t candidates;    /* columns and groups with few values */
    int64_t found;
    pen_leak *list; /* [cols] */
};

/* ---- single columns ---- */

/* The slot of a value, or the empty slot for it. */
static struct slot *slot_of(const struct search *s, int64_t column, double value)
{
    uint64_t bits;

    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    bits = (bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    for (int64_t at = (int64_t)(bits >> 32) & (s->slot_count - 1);;
         at = (at + 1) & (s->slot_count - 1))
        if (s->slots[at].column != column || s->slots[at].value == value)
            return &s->slots[at];
}

/* The relation of a column to the labels. */
struct telling {
    int64_t values;
    int determines, equals; /* each value belongs to one class; and equals its number */
};

/* Copies a column of sparse rows into s->column (opened 1), or resets it to 0. */
static void set_column(const struct search *s, int64_t column, int opened)
{
    const pen_sparse_rows *const from = &s->entries;

    for (int64_t e = s->column ? from->tops[column] : 0; s->column && e < from->tops[column + 1];
         e++)
        s->column[from->rows[e]] = opened ? from->by_column[e] : 0;
}

/* Examines the values in the labelled rows, one row of each class in turn, so that most columns end
 * after a few rows; stops as soon as there are too many values. */
static struct telling examine(const struct search *s, int64_t column)
{
    struct telling t = { 0, 1, 1 };
    int64_t left = s->rows.labelled;

    for (int64_t k = 0; left > 0; k++)
        for (int64_t c = 0; c < s->rows.classes; c++) {
            if (k >= pen_class_size(&s->rows, c))
                continue;
            left--;
            const int64_t place = s->rows.starts[c] + k;
            const double value = s->column
                                     ? s->column[place]
                                     : pen_value_at(&s->data->x, s->rows.members[place], column);
            struct slot *const slot = slot_of(s, column, value);
            if (slot->column != column) {
                *slot = (struct slot){ value, c, column };
                if (++t.values > s->most)
                    return t;
            }
            t.determines &= slot->class_of == c;
            t.equals &= value == s->numbers[c];
            if (!t.determines && s->rows.labelled > ROWS_FOR_COUNTS)
                return t;
        }
    return t;
}

static double log_factorial(int64_t n)
{
    double sum = 0;
    for (int64_t k = 2; k <= n; k++)
        sum += log((double)k);
    return sum;
}

/* The logarithm of the probability by chance, for this column alone; above 0: the bound is
 * useless. */
static double log_chance(const struct search *s, const struct telling *t)
{
    const int64_t classes = s->rows.classes;

    if (t->equals)
        return -s->log_labelings;
    return (t->values == classes ? log_factorial(classes)
                                 : (double)t->values * log((double)classes))
           - s->log_labelings;
}

/* Columns first .. first + count - 1 are a candidate; note it if they determine the labels. */
static void consider(struct search *s, int64_t first, int64_t count, const struct telling *t)
{
    if (t->values < s->rows.classes || t->values > s->most)
        return;
    s->candidates++;
    if (t->determines)
        s->list[s->found++] = (pen_leak){ first, count, 0, log_chance(s, t) };
}

/* ---- indicator columns ---- */

/* ones [cols]: the number of 1s of a column in `count` labelled rows, from all classes; -1: it has
 * values other than 0 and 1. */
static void count_ones(const struct search *s, int64_t count, int64_t *ones)
{
    const pen_array *const x = &s->data->x;

    memset(ones, 0, (size_t)x->cols * sizeof *ones);
    for (int64_t k = 0; k < count; k++) {
        const int64_t row = s->rows.members[k * s->rows.labelled / count],
                      end = x->starts ? x->starts[row + 1] : x->cols;
        for (int64_t e = x->starts ? x->starts[row] : 0; e < end; e++) {
            const double value =
                x->starts ? pen_load_value(x->dtype, x->values, e) : pen_value_at(x, row, e);
            int64_t *const of_column = &ones[x->starts ? x->columns[e] : e];
            if (value != 0)
                *of_column = value == 1 && *of_column >= 0 ? *of_column + 1 : -1;
        }
    }
}

/* The column after the shortest group from `first` on whose ones add up to `count`; 0: none. */
static int64_t end_of_group(const int64_t *ones, int64_t cols, int64_t first, int64_t count)
{
    int64_t sum = ones[first];

    if (sum <= 0 || sum == count)
        return 0;
    for (int64_t j = first + 1; j < cols && ones[j] >= 0 && sum < count; j++) {
        sum += ones[j];
        if (sum == count)
            return j + 1;
    }
    return 0;
}

/* The only column of first .. end - 1 that is 1 in a row, with 0 in the rest; -1: none. */
static int64_t indicated(const pen_array *x, int64_t row, int64_t first, int64_t end)
{
    int64_t found = -1;

    for (int64_t j = first; j < end; j++) {
        const double value = pen_value_at(x, row, j);
        if (value == 0)
            continue;
        if (value != 1 || found >= 0)
            return -1;
        found = j;
    }
    return found;
}

/* Do the columns indicate one value in every row, and how does it relate to the labels? */
static int examine_group(const struct search *s, int64_t first, int64_t end, int64_t *class_of,
                         struct telling *t)
{
    *t = (struct telling){ 0, 1, 0 };
    for (int64_t j = first; j < end; j++)
        class_of[j] = -1;
    for (int64_t i = 0; i < s->data->x.rows; i++)
        if (indicated(&s->data->x, i, first, end) < 0)
            return 0;
    for (int64_t c = 0; c < s->rows.classes; c++)
        for (int64_t i = s->rows.starts[c]; i < s->rows.starts[c + 1]; i++) {
            const int64_t j = indicated(&s->data->x, s->rows.members[i], first, end);
            t->values += class_of[j] < 0;
            t->determines &= class_of[j] < 0 || class_of[j] == c;
            class_of[j] = c;
        }
    return 1;
}

/* Finds groups of indicators; grouped [cols] marks the columns of groups that determine the
 * labels. */
static pen_status find_groups(struct search *s, unsigned char *grouped)
{
    const int64_t cols = s->data->x.cols, count = pen_min(s->rows.labelled, ROWS_FOR_COUNTS);
    int64_t *ones, *class_of;

    PEN_TRY(PEN_NEW(s->run, ones, cols));
    PEN_TRY(PEN_NEW(s->run, class_of, cols));
    count_ones(s, count, ones);
    memset(grouped, 0, (size_t)cols);
    for (int64_t j = 0; s->rows.classes > 1 && j < cols; j++) {
        const int64_t end = end_of_group(ones, cols, j, count), before = s->found;
        struct telling t;
        if (end == 0 || !examine_group(s, j, end, class_of, &t))
            continue;
        consider(s, j, end - j, &t);
        if (s->found > before)
            memset(grouped + j, 1, (size_t)(end - j));
        j = end - 1;
    }
    return PEN_OK;
}

/* ---- columns that number the rows ---- */

/* Do the values rise or fall in equal steps, or in multiples of a whole step, with so few `places`
 * that n numbers would not be distinct by chance? (The birthday problem: with probability
 * exp(-n^2 / 2 places), here less than e^-7.) */
static int is_count(const pen_array *x, int64_t column)
{
    const double n = (double)x->rows, first = pen_value_at(x, 0, column),
                 step = pen_value_at(x, 1, column) - first;
    double last = first, unit = fabs(step);
    int even = 1, whole = first == floor(first);

    for (int64_t i = 1; i < x->rows; i++) {
        const double value = pen_value_at(x, i, column), by = value - last;
        even &= fabs(by - step) <= 1e-3 * fabs(step);
        whole &= value == floor(value);
        if (!(by * step > 0) || !(even || whole))
            return 0;
        for (double rest = whole ? fabs(by) : 0, next; rest > 0; unit = rest, rest = next)
            next = fmod(unit, rest); /* Euclid */
        last = value;
    }
    const double places = fabs(last - first) / unit;
    return even || places < 2 * n || n * n > 14 * places;
}

/* Does it have the name of an index, and no value twice? values [rows]: room. */
static int is_index(const pen_array *x, int64_t column, const char *name, double *values)
{
    static const char *const names[] = { "",   "index", "idx",    "level_0",   "row", "rownum",
                                         "nr", "no",    "number", "row.names", "key", "pk" };
    const size_t length = strlen(name);
    int found = strcmp(name, "X") == 0 || strncmp(name, "Unnamed: ", 9) == 0
                || (length > 1 && strcasecmp(name + length - 2, "id") == 0);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= strcasecmp(name, names[i]) == 0;
    for (int64_t i = 0; found && i < x->rows; i++) {
        values[i] = pen_value_at(x, i, column);
        found = values[i] == floor(values[i]);
    }
    if (found)
        qsort(values, (size_t)x->rows, sizeof *values, pen_by_double);
    for (int64_t i = 1; found && i < x->rows; i++)
        found = values[i] > values[i - 1];
    /* X is the index in R, but also a coordinate */
    return found && (strcmp(name, "X") != 0 || values[x->rows - 1] - values[0] < (double)x->rows);
}

/* Marks the columns in `grouped`, so that no column is reported twice. */
static pen_status find_numbers(struct search *s, unsigned char *grouped)
{
    const pen_array *const x = &s->data->x;
    const char *const *const names = s->data->column_names;
    const int64_t some = pen_min(x->rows, ROWS_FOR_COUNTS);           /* with more, p is 0 */
    const double p = 2 * (double)x->cols * exp(-log_factorial(some)); /* order by chance */
    double *values;

    PEN_TRY(PEN_NEW(s->run, values, x->rows));
    for (int64_t j = 0; p < IMPROBABLE_ORDER && j < x->cols; j++)
        if (!grouped[j] && (is_count(x, j) || (names && is_index(x, j, names[j], values)))) {
            grouped[j] = 1;
            s->list[s->found++] = (pen_leak){ j, 1, 1, p };
        }
    return PEN_OK;
}

/* ---- all columns ---- */

/* Converts the classes to numbers: by their names or, without names, by label. */
static pen_status number_classes(struct search *s)
{
    const pen_data *const data = s->data;
    char text[PEN_NUMBER_SIZE];
    double *numbers;

    PEN_TRY(PEN_NEW(s->run, numbers, s->rows.classes));
    for (int64_t c = 0; c < s->rows.classes; c++) {
        const int32_t label = data->labels[s->rows.members[s->rows.starts[c]]];
        const char *const name = pen_label_text(data, label, text);
        if (!pen_number_is(name, strlen(name), &numbers[c]))
            numbers[c] = (double)NAN;
    }
    s->numbers = numbers;
    return PEN_OK;
}

static pen_status make_room(struct search *s)
{
    s->most = pen_max(pen_times(VALUES_A_CLASS, s->rows.classes), s->rows.labelled / ROWS_A_VALUE);
    for (s->slot_count = 4; s->slot_count < 2 * (s->most + 1);)
        s->slot_count *= 2;
    PEN_TRY(PEN_FILLED(s->run, s->slots, s->slot_count, -1));
    PEN_TRY(PEN_NEW(s->run, s->list, s->data->x.cols));
    s->log_labelings = log_factorial(s->rows.labelled);
    for (int64_t c = 0; c < s->rows.classes; c++)
        s->log_labelings -= log_factorial(pen_class_size(&s->rows, c));
    return number_classes(s);
}

static pen_status open_entries(struct search *s)
{
    const pen_array *const x = &s->data->x;
    const int64_t labelled = s->rows.labelled;
    double *zeros;

    if (!pen_is_sparse(x) || s->rows.classes < 2)
        return PEN_OK;
    PEN_TRY(PEN_FILLED(s->run, zeros, x->cols, 0));
    PEN_TRY(PEN_FILLED(s->run, s->column, labelled, 0));
    const pen_view plain = { .values = *x, .n = x->rows, .d = x->cols, .origin = zeros };
    return pen_sparse_rows_open_some(s->run, &plain, s->rows.members, labelled, 1, &s->entries);
}

/* Keeps the improbable ones, with their probabilities. */
static pen_status keep_leaks(struct search *s, pen_leaks *out)
{
    for (int64_t k = 0; k < s->found; k++) {
        if (!s->list[k].numbers_rows)
            s->list[k].p = fmin(1, (double)s->candidates * exp(fmin(0, s->list[k].p)));
        if (s->list[k].numbers_rows || s->list[k].p < IMPROBABLE)
            s->list[out->count++] = s->list[k];
    }
    qsort(s->list, (size_t)out->count, sizeof *s->list, pen_by_int64);
    PEN_TRY(PEN_KEEP(s->run, out->list, pen_max(1, out->count)));
    memcpy(out->list, s->list, (size_t)out->count * sizeof *out->list);
    return PEN_OK;
}

/* ---- names of classes that look alike ---- */

/* The letters U+00C0 to U+017F that are an ASCII letter with an accent, U+0300 + sign - '0'; blank
 * for others (Unicode 15, canonical decompositions). */
enum { FIRST_LETTER = 0xC0, END_LETTERS = 0x180, ACCENTS = 0x300 };
static const char letters[] = "AAAAAA CEEEEIIII NOOOOO  UUUUY  aaaaaa ceeeeiiii nooooo  uuuuy y"
                              "AaAaAaCcCcCcCcDd  EeEeEeEeEeGgGgGgGgHh  IiIiIiIiI   JjKk LlLlLl "
                              "   NnNnNn   OoOoOo  RrRrRrSsSsSsSsTtTt  UuUuUuUuUuUuWwYyYZzZzZz ",
                  accents[] = "01238: W01280128 301238  01281  01238: W01280128 301238  01281 8"
                              "4466XX112277<<<<  446677XX<<226677WW22  334466XX7   22WW 11WW<< "
                              "   11WW<<   4466;;  11WW<<1122WW<<WW<<  334466::;;XX222281177<< ";

static char *put(char *p, uint32_t character)
{
    if (character >= 'A' && character <= 'Z')
        character += 'a' - 'A';
    return p + pen_utf8_put(character, p);
}

/* Folds a character of two bytes, U+0080 to U+07FF. */
static char *fold_letter(char *p, uint32_t c)
{
    const int is_latin = c >= FIRST_LETTER && c < END_LETTERS;

    if (c == 0xA0) /* no-break space */
        return p;
    if (is_latin && letters[c - FIRST_LETTER] != ' ') {
        p = put(p, (unsigned char)letters[c - FIRST_LETTER]);
        return put(p, (uint32_t)(ACCENTS + accents[c - FIRST_LETTER] - '0'));
    }
    if ((c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3A9)
        || (c >= 0x410 && c <= 0x42F)) /* Latin, Greek and Cyrillic capitals */
        c += 0x20;
    return put(p, c >= 0x400 && c <= 0x40F ? c + 0x50 : c);
}

/* Blanks of three bytes: U+2000 to U+200B, U+202F, U+3000, U+FEFF. */
static int is_blank(const unsigned char *s)
{
    return (s[0] == 0xE2 && s[1] == 0x80 && (s[2] <= 0x8B || s[2] == 0xAF))
           || memcmp(s, "\xE3\x80\x80", 3) == 0 || memcmp(s, "\xEF\xBB\xBF", 3) == 0;
}

/* The common form of names that look alike. */
static pen_status fold(pen_run *run, const char *name, pen_text *out)
{
    const unsigned char *s = (const unsigned char *)name;
    char *text, *p;
    double value;

    PEN_TRY(PEN_NEW(run, text, pen_times(2, (int64_t)strlen(name) + PEN_NUMBER_SIZE)));
    for (p = text; *s; s++) {
        if (*s >= 0xC2 && *s <= 0xDF && s[1] >> 6 == 2) {
            p = fold_letter(p, (uint32_t)(*s & 0x1F) << 6 | (s[1] & 0x3F));
            s++;
        } else if (*s >= 0xE2 && s[1] && s[2] && is_blank(s)) {
            s += 2;
        } else if (*s >= 0x80) {
            *p++ = (char)*s;
        } else if (!strchr(" \t\r\n", *s)) {
            p = put(p, *s);
        }
    }
    *out = (pen_text){ text, (size_t)(p - text) };
    if (pen_number_is(text, out->length, &value) && fabs(value) < 0x1p53)
        out->length = pen_number_write(value + 0.0, text);
    return PEN_OK;
}

static void add(char *list, size_t size, const char *name)
{
    char quoted[PEN_QUOTE_SIZE], marked[PEN_QUOTE_SIZE + 2];

    snprintf(marked, sizeof marked, "\"%s\"", pen_quote(pen_text_of(name), quoted));
    pen_list_add(list, size, pen_text_of(marked));
}

/* Finds names [count] that differ only in case, blanks, encoding of accents or notation of a
 * number, and writes the first of them, quoted, to text [size]; "": none. */
static pen_status find_alike(pen_run *run, const char *const *names, int64_t count, char *text,
                             size_t size)
{
    pen_text *folded;
    int32_t *ids;
    int64_t *first; /* of each id; count: already in the list */

    text[0] = '\0';
    PEN_TRY(PEN_NEW2(run, folded, ids, count));
    PEN_TRY(PEN_FILLED(run, first, count, -1));
    for (int64_t i = 0; i < count; i++)
        PEN_TRY(fold(run, names[i], &folded[i]));
    PEN_TRY(pen_number_texts(run, folded, count, ids, NULL));
    for (int64_t i = 0; i < count; i++) {
        int64_t *const of = &first[ids[i]];
        if (*of < 0) {
            *of = i;
            continue;
        }
        if (*of < count)
            add(text, size, names[*of]);
        *of = count;
        add(text, size, names[i]);
    }
    return PEN_OK;
}

static pen_status find_leaks(pen_run *run, const pen_data *given, pen_leaks **out)
{
    pen_data taken;
    const pen_data *const data = &taken;
    struct search s = { .run = run, .data = data };
    unsigned char *grouped;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(PEN_KEEP(run, *out, 1));
    PEN_TRY(pen_rows_take(run, given, &taken));
    PEN_TRY(pen_check_trial_data(run, data));
    PEN_TRY(
        find_alike(run, data->class_names, data->class_count, (*out)->alike, sizeof(*out)->alike));
    PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &s.rows));
    PEN_TRY(make_room(&s));
    PEN_TRY(open_entries(&s));
    PEN_TRY(PEN_NEW(run, grouped, data->x.cols));
    PEN_TRY(find_groups(&s, grouped));
    PEN_TRY(find_numbers(&s, grouped));
    for (int64_t j = 0; s.rows.classes > 1 && j < data->x.cols; j++)
        if (!grouped[j]) {
            set_column(&s, j, 1);
            const struct telling t = examine(&s, j);
            set_column(&s, j, 0);
            consider(&s, j, 1, &t);
        }
    PEN_TRY(keep_leaks(&s, *out));
    const pen_status status = find_copies(run, data, &(*out)->copies);
    if (status != PEN_NOT_FINITE)
        return status;
    (*out)->copies = 0;
    return PEN_OK;
}

pen_status pen_find_leaks(const pen_data *data, pen_leaks **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_leaks_free, find_leaks(run, data, out));
}

void pen_leaks_free(pen_leaks *leaks)
{
    if (leaks)
        free(leaks->list);
    free(leaks);
}
