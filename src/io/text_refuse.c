/* text_refuse.c - what is wrong with a row of a text: a message that says what to do. */
#include "io/text_job.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE_LINES = 8, LIST_SIZE = 100, MORE_SIZE = 160 };

/* What the value cells of the first rows are. */
struct sample {
    int *words;  /* [columns] the number of lines in which a cell is a word */
    int *others; /* [columns] a number, or refused */
};

/* Count the cells of up to `lines` lines at the cursor, which moves past them. */
static void count_lines(const pen_text_job *job, pen_cursor *at, int lines, struct sample *s)
{
    for (int i = 0; i < lines && pen_next_line(at); i++) {
        enum pen_follows then = PEN_CELL;
        for (int64_t j = 0; then == PEN_CELL; j++) {
            pen_cell cell;
            double value;
            then = pen_next_cell(at, &cell);
            if (then == PEN_MALFORMED)
                return;
            if (j >= job->columns || job->roles.roles[j] != PEN_COLUMN_VALUE)
                continue;
            const enum pen_meaning meaning = pen_meaning_of(&job->rules, cell.text, &value);
            s->words[j] += meaning == PEN_MEANS_WORD;
            s->others[j] += meaning == PEN_MEANS_NUMBER || meaning == PEN_MEANS_REFUSED;
        }
    }
}

static pen_status take_sample(const pen_text_job *job, pen_cursor *at, int lines, struct sample *s)
{
    PEN_TRY(PEN_NEW(job->run, s->words, job->columns));
    PEN_TRY(PEN_NEW(job->run, s->others, job->columns));
    memset(s->words, 0, (size_t)job->columns * sizeof *s->words);
    memset(s->others, 0, (size_t)job->columns * sizeof *s->others);
    count_lines(job, at, lines, s);
    return PEN_OK;
}

/* Does the first row have words only, above a row with none? */
static pen_status has_units(const pen_text_job *job, int *units)
{
    pen_cursor at = job->first;
    struct sample first, second;

    *units = 0;
    if (!job->header)
        return PEN_OK;
    PEN_TRY(take_sample(job, &at, 1, &first));
    PEN_TRY(take_sample(job, &at, SAMPLE_LINES, &second));
    int64_t below = 0;
    for (int64_t j = 0; j < job->columns; j++) {
        if (first.others[j] > 0 || second.words[j] > 0)
            return PEN_OK;
        below += second.others[j] > 0;
    }
    *units = below > 0;
    return PEN_OK;
}

/* "; columns of words: a, b"; the number of such columns. */
static int64_t list_columns(const pen_text_job *job, const struct sample *s, char *list)
{
    size_t used = (size_t)snprintf(list, MORE_SIZE,
                                   "; columns of words%s: ", job->header ? "" : ", counted from 0");
    const size_t begin = used;
    int64_t count = 0;

    for (int64_t j = 0; j < job->columns; j++) {
        char quoted[PEN_QUOTE_SIZE], number[PEN_COLUMN_NUMBER_SIZE];
        if (s->words[j] <= s->others[j] || job->roles.words[j] != PEN_WORDS_NO)
            continue;
        const char *const text = pen_quote(pen_column_name(&job->roles, j, number), quoted);
        count++;
        if (used - begin + strlen(text) > LIST_SIZE) {
            snprintf(list + used, MORE_SIZE - used, ", ...");
            break;
        }
        used +=
            (size_t)snprintf(list + used, MORE_SIZE - used, "%s%s", count > 1 ? ", " : "", text);
    }
    return count;
}

pen_status pen_text_refuse(const pen_text_job *job, int64_t line, int64_t column, pen_text cell)
{
    pen_cursor at = job->first;
    char more[MORE_SIZE + 8] = "";
    struct sample s;
    double value;
    int units = 0, hints = 0;

    if (column == job->columns - 1 && cell.length == 0 && job->header
        && job->header[column].length == 0)
        strcpy(more, "; the last column has no name: drop column -1 if rows end with a delimiter");
    if (pen_meaning_of(&job->rules, cell, &value) == PEN_MEANS_WORD) {
        PEN_TRY(take_sample(job, &at, SAMPLE_LINES, &s));
        if (line == job->first.line)
            PEN_TRY(has_units(job, &units));
        if (column == 0 && memchr("#%!", cell.start[0], 3))
            hints = PEN_HINT_COMMENT;
        else if (units)
            strcpy(more, "; the line looks like units under the header: delete it");
        else if (s.words[column] <= s.others[column])
            more[0] = '\0'; /* one word among numbers */
        else if (list_columns(job, &s, more) > 0)
            hints = PEN_HINT_LABEL_COLUMN;
    }
    return pen_value_refuse(job->run, job->name, line, column + 1, cell, &job->rules, more, hints);
}

pen_status pen_text_refuse_width(const pen_text_job *job, const pen_cursor *row, int64_t count)
{
    const int comment = memchr("#%!", *job->first.p, 3) || memchr("#%!", *row->p, 3);

    pen_fail(job->run, PEN_BAD_FORMAT, "%s:%lld: expected %lld cells, as in line %lld, got %lld",
             job->name, (long long)row->line, (long long)job->columns, (long long)job->first.line,
             (long long)count);
    return pen_hint(job->run, PEN_BAD_FORMAT, comment ? PEN_HINT_COMMENT : 0);
}

pen_status pen_text_find_words(pen_text_job *job)
{
    pen_cursor at = job->first;

    while (pen_next_line(&at)) {
        enum pen_follows then = PEN_CELL;
        for (int64_t j = 0; then == PEN_CELL; j++) {
            pen_cell cell;
            double value;
            if ((then = pen_next_number(&at, &value)) != PEN_MALFORMED)
                continue;
            then = pen_next_cell(&at, &cell);
            if (then == PEN_MALFORMED)
                return PEN_OK; /* the rows are read next, which reports it */
            if (j < job->columns && job->roles.roles[j] == PEN_COLUMN_VALUE
                && job->roles.words[j] == PEN_WORDS_NO
                && pen_meaning_of(&job->rules, cell.text, &value) == PEN_MEANS_WORD)
                job->roles.words[j] = PEN_WORDS_FOUND;
        }
    }
    return PEN_OK;
}
