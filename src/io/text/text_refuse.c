/* text_refuse.c - messages about errors in rows of a text, with advice. */
#include "io/text/text_job.h"

#include <stdio.h>
#include <string.h>

enum {
    MANY_LINES = 100000,
    LIST_SIZE = 160, /* for names, or the name of a file */
    COUNT_SIZE = 48, /* for numbers of columns */
    MORE_SIZE = 2 * LIST_SIZE + 80,
    NAME_SIZE = 64, /* for the name of a file before a long message */
    NUMBER_SIZE = 24
};

/* Counts over the value cells of the first rows. */
struct sample {
    int *words;  /* [columns] the number of lines in which a cell is a word */
    int *others; /* [columns] the same for numbers and refused cells */
    int all_words, all_others;
    int refused;  /* numbers in another notation, in all columns */
    int numbered; /* words with a digit, in all columns: units, money, dates, codes */
};

static int has_digit(pen_text text)
{
    while (text.length > 0 && (text.start[0] < '0' || text.start[0] > '9'))
        text = (pen_text){ text.start + 1, text.length - 1 };
    return text.length > 0;
}

/* Counts the cells of up to `lines` lines at the cursor, which moves past them. */
static pen_status take_sample(const pen_text_job *job, pen_cursor *at, int64_t lines,
                              struct sample *s)
{
    pen_sample next = pen_sample_of(*at, lines, INT64_MAX);
    pen_cell cell;
    double value;

    *s = (struct sample){ .words = NULL };
    PEN_TRY(PEN_FILLED(job->run, s->words, job->columns, 0));
    PEN_TRY(PEN_FILLED(job->run, s->others, job->columns, 0));
    for (; pen_sample_next(&next, &cell); *at = next.at) {
        const int64_t j = next.column;
        if (j >= job->columns || job->roles.roles[j] != PEN_COLUMN_VALUE)
            continue;
        const enum pen_meaning meaning = pen_meaning_of(&job->rules, cell.text, &value);
        const int word = meaning == PEN_MEANS_WORD, refused = meaning == PEN_MEANS_REFUSED,
                  other = refused || meaning == PEN_MEANS_NUMBER;
        s->words[j] += word;
        s->others[j] += other;
        s->all_words += word;
        s->all_others += other;
        s->refused += refused;
        s->numbered += word && has_digit(cell.text);
    }
    return PEN_OK;
}

/* The name of the file as a shell word of at most `size` characters. */
static const char *file_word(const pen_text_job *job, char *word, size_t size)
{
    return strcmp(job->name, PEN_STANDARD_INPUT) != 0
                   && pen_shell_word(pen_text_of(job->name), word, size)
               ? word
               : "FILE";
}

/* Names the line where numbers begin, if all rows above have words and no row below does: units,
 * names below a title, or a second header; otherwise "". */
static pen_status say_where_numbers_begin(const pen_text_job *job, char more[MORE_SIZE])
{
    const long long first = job->first.line;
    pen_cursor at = job->first;
    struct sample s, below;
    int lines = 0, words = 0;
    char word[NAME_SIZE];

    *more = '\0';
    if (!job->header)
        return PEN_OK;
    do {
        PEN_TRY(take_sample(job, &at, 1, &s));
        words += s.all_words > 0;
    } while (s.all_others == 0 && ++lines < PEN_SAMPLE_LINES);
    const long long line = at.line - 1;
    PEN_TRY(take_sample(job, &at, PEN_SAMPLE_LINES, &below));
    if (lines == 0 || words != lines || s.all_others == 0 || below.all_words > 0)
        return PEN_OK;
    if (lines == 1 && !job->options->transpose)
        snprintf(more, MORE_SIZE,
                 "; numbers begin in line %lld: leave out line %lld by sed %lldd %s >NEW, or make "
                 "it the header by skip %lld",
                 line, first, first, file_word(job, word, sizeof word), first - 1);
    else
        snprintf(more, MORE_SIZE,
                 "; numbers begin in line %lld: keep the line above it that names the columns, "
                 "delete the others",
                 line);
    return PEN_OK;
}

pen_status pen_text_refuse_names(const pen_text_job *job)
{
    char more[MORE_SIZE];

    PEN_TRY(say_where_numbers_begin(job, more));
    if (*more && pen_explain(job->run, more + 2))
        return PEN_BAD_FORMAT;
    return pen_hint(job->run, PEN_BAD_FORMAT, PEN_HINT_SAME_NAME);
}

/* The error for a cell, with the name of its column. */
static pen_status refuse(const pen_text_job *job, const char *file, int64_t line, int64_t column,
                         pen_text cell, const pen_value_rules *rules, const char *more, int hints)
{
    char all[MORE_SIZE + 2 * PEN_QUOTE_SIZE], quoted[PEN_QUOTE_SIZE];
    const pen_text name = job->header ? job->header[column] : pen_text_of("");

    snprintf(all, sizeof all, "%s%s%s", name.length > 0 ? " in column " : "",
             pen_quote(name, quoted), more);
    return pen_value_refuse(job->run, file, line, column + 1, cell, rules, all, hints);
}

/* ---- columns of words ---- */

static int is_of_words(const struct sample *s, int64_t column)
{
    return s->words[column] > s->others[column];
}

/* Lists the columns of words as a,b. Returns 0 if a name is unsuitable or there are too many. */
static int name_columns(const pen_text_job *job, const struct sample *s, char list[LIST_SIZE])
{
    size_t used = 0;

    for (int64_t j = 0; j < job->columns; j++) {
        const pen_text name = job->header[j];
        if (!is_of_words(s, j))
            continue;
        if (name.length == 0 || memchr(name.start, ',', name.length)
            || memchr(name.start, '"', name.length) || used + 1 + name.length >= LIST_SIZE)
            return 0;
        used += (size_t)snprintf(list + used, LIST_SIZE - used, "%s%.*s", used ? "," : "",
                                 (int)name.length, name.start);
    }
    return 1;
}

/* The advice without a header. */
static void explain_numbers(const pen_text_job *job, const struct sample *s)
{
    char list[COUNT_SIZE] = "", number[NUMBER_SIZE], text[MORE_SIZE];

    for (int64_t j = 0; j < job->columns; j++)
        if (is_of_words(s, j)) {
            snprintf(number, sizeof number, "%lld", (long long)j);
            pen_list_add(list, sizeof list, pen_text_of(number));
        }
    snprintf(text, sizeof text, "columns of words, counted from 0: %s", list);
    pen_explain(job->run, text);
}

/* Adds the command that converts them to numbers, in a shorter form if necessary. */
static void explain_words(const pen_text_job *job, const struct sample *s)
{
    char list[LIST_SIZE], columns[LIST_SIZE], file[LIST_SIZE], text[MORE_SIZE];
    const char *from = file_word(job, file, sizeof file), *words = "COLUMNS";
    int fits = 0;

    if (name_columns(job, s, list) && pen_shell_word(pen_text_of(list), columns, sizeof columns))
        words = columns;
    for (int i = 0; i < 3 && !fits; i++, from = i > 1 ? "FILE" : from, words = "COLUMNS") {
        snprintf(text, sizeof text,
                 "convert words to numbers: python -m penumbra.convert %s --one-hot %s", from,
                 words);
        fits = pen_explain(job->run, text);
    }
}

/* Recognizes "# a note", but not #DIV/0! or #12, which are values. */
static int is_comment(const char *p, const char *end)
{
    return end - p > 1 && memchr("#%!", p[0], 3) && memchr(" \t#%!", p[1], 5);
}

/* Recognizes texts for a missing value or one below the detection limit: n.d., -, <0.01,
 * #DIV/0!. */
static int looks_missing(pen_text cell)
{
    static const char *const texts[] = {
        "n.d.", "nd",      "n/d",     "n.a.", "n.m.", "bdl", "lod",
        "BDL",  "missing", "unknown", "ND",   "N.D.", "LOD", "<LOD"
    };
    size_t marks = 0;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (pen_text_equal(cell, pen_text_of(texts[i])))
            return 1;
    while (marks < cell.length && memchr("-*/_", cell.start[marks], 4))
        marks++;
    if (cell.length == 0 || marks == cell.length)
        return marks > 0;
    if (*cell.start == '#')
        return cell.start[cell.length - 1] == '!';
    return memchr("<>", *cell.start, 2)
           && pen_is_meant_as_number(pen_trim((pen_text){ cell.start + 1, cell.length - 1 }));
}

static pen_status refuse_word(const pen_text_job *job, int64_t line, int64_t column, pen_text cell,
                              const struct sample *s)
{
    const int comment = column == 0 && is_comment(cell.start, cell.start + cell.length);
    const int absent = s->others[column] > 0 && looks_missing(cell);
    char name[NAME_SIZE], more[MORE_SIZE] = "";

    if (!comment && line == job->first.line)
        PEN_TRY(say_where_numbers_begin(job, more));
    if (comment || *more || absent || !is_of_words(s, column))
        return refuse(job, job->name, line, column, cell, &job->rules, more,
                      comment            ? PEN_HINT_COMMENT
                      : absent && !*more ? PEN_HINT_NA
                                         : 0);
    pen_short_name(job->name, name, sizeof name);
    refuse(job, name, line, column, cell, &job->rules, cell.length > 0 ? "" : ", a column of words",
           job->header || s->all_others > 0 ? PEN_HINT_LABEL_COLUMN : 0);
    if (!job->header)
        explain_numbers(job, s);
    else if (s->numbered == 0 && !job->options->transpose) /* digits: not categories */
        explain_words(job, s);
    return PEN_BAD_FORMAT;
}

pen_status pen_text_refuse(const pen_text_job *job, int64_t line, int64_t column, pen_text cell)
{
    const int nameless = column == job->columns - 1 && cell.length == 0 && job->header
                         && job->header[column].length == 0;
    pen_text_job other = *job; /* with the other decimal sign */
    pen_cursor at = job->first;
    struct sample s;
    double value;

    const enum pen_meaning meaning = pen_meaning_of(&job->rules, cell, &value);
    const int missing = meaning == PEN_MEANS_MISSING; /* only few rows may have a label */
    PEN_TRY(take_sample(job, &at, missing ? MANY_LINES : PEN_SAMPLE_LINES, &s));
    if (meaning == PEN_MEANS_WORD || (missing && is_of_words(&s, column)))
        return refuse_word(job, line, column, cell, &s);
    at = job->first;
    other.rules.decimal = job->rules.decimal == ',' ? '.' : ',';
    PEN_TRY(take_sample(&other, &at, line - at.line + PEN_SAMPLE_LINES, &s));
    other.rules.decimal = job->rules.decimal;
    other.rules.mixed = s.refused > 0;
    return refuse(job, job->name, line, column, cell, &other.rules,
                  nameless
                      ? "; the last column has no name: drop column -1 if rows end with a delimiter"
                      : "",
                  nameless ? 0 : PEN_HINT_MISSING);
}

pen_status pen_text_refuse_width(const pen_text_job *job, const pen_cursor *row, int64_t count)
{
    const int comment = is_comment(job->first.p, job->first.end) || is_comment(row->p, row->end);

    pen_fail(job->run, PEN_BAD_FORMAT, "%s:%lld: expected %lld cells, as in line %lld, got %lld",
             job->name, (long long)row->line, (long long)job->columns, (long long)job->first.line,
             (long long)count);
    return pen_hint(job->run, PEN_BAD_FORMAT, comment ? PEN_HINT_COMMENT : 0);
}
