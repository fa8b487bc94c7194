/* first_line.c - reads the first line of a text table: a header or a row. */
#include "io/text/header.h"
#include "io/table/reading.h"
#include "io/text/text_job.h"

#include <string.h>

pen_status pen_text_take(pen_run *run, const char *name, pen_cell cell, int64_t line,
                         int64_t column, pen_text *out)
{
    char *copy;
    size_t length = 0;

    PEN_REQUIRE(run, cell.text.length == 0 || !memchr(cell.text.start, '\0', cell.text.length),
                PEN_BAD_FORMAT, "%s:%lld:%lld: text must not contain a NUL byte", name,
                (long long)line, (long long)column);
    *out = cell.text;
    if (!cell.escaped)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, copy, (int64_t)cell.text.length));
    for (size_t i = 0; i < cell.text.length; i++) {
        copy[length++] = cell.text.start[i];
        i += cell.text.start[i] == '"';
    }
    *out = (pen_text){ copy, length };
    return PEN_OK;
}

/* Read the cells of the line at the cursor and move past it. */
static pen_status read_cells(pen_text_job *job, pen_cell **out, int64_t *count)
{
    pen_cursor ahead = job->at;

    *count = pen_count_cells(&ahead);
    if (*count == 0)
        return pen_malformed(job->run, job->name, &ahead);
    PEN_TRY(PEN_NEW(job->run, *out, *count));
    for (int64_t j = 0; j < *count; j++)
        pen_next_cell(&job->at, &(*out)[j]);
    return PEN_OK;
}

/* Do all of the first rows end with an empty cell? */
static int ends_with_delimiters(const pen_text_job *job)
{
    pen_sample s = pen_sample_of(job->first, PEN_SAMPLE_LINES, INT64_MAX);
    pen_cell cell;

    while (pen_sample_next(&s, &cell))
        if (s.then == PEN_LINE && cell.text.length > 0)
            return 0;
    return s.then != PEN_MALFORMED;
}

static int is_like_comment(const pen_cell *cells)
{
    const pen_text text = cells[0].text;

    return !cells[0].quoted && text.length > 0
           && (text.start[0] == '#' || text.start[0] == '%' || text.start[0] == '!');
}

/* NumPy's savetxt writes names as a comment: # a,b,c. */
static void take_names_of_comment(pen_text_job *job)
{
    pen_text *const first = &job->top[0].text;

    if (job->top[0].quoted || first->length == 0 || first->start[0] != '#')
        return;
    if (first->length > 1) {
        *first = pen_trim((pen_text){ first->start + 1, first->length - 1 });
    } else if (job->at.delimiter == ' ' && job->top_count > 1) {
        job->top++;
        job->top_count--;
    }
}

/* Take a header that names all columns, or all but the first. */
static pen_status take_header(pen_text_job *job, int64_t line, int is_comment)
{
    const int64_t shift = job->columns - job->top_count;

    if ((shift != 0 && shift != 1) || (shift == 1 && is_comment)) {
        pen_fail(job->run, PEN_BAD_FORMAT,
                 "%s:%lld: the header must have %lld cells, like the rows, got %lld%s", job->name,
                 (long long)line, (long long)job->columns, (long long)job->top_count,
                 job->top_count == 1 && !is_comment ? "; if it is a title, delete it" : "");
        return pen_hint(job->run, PEN_BAD_FORMAT, is_comment ? PEN_HINT_COMMENT : 0);
    }
    PEN_REQUIRE(job->run, shift == 0 || !ends_with_delimiters(job), PEN_BAD_FORMAT,
                "%s:%lld: the header has %lld cells and rows have one more, which is empty: remove "
                "the delimiter at the end of each row",
                job->name, (long long)line, (long long)job->top_count);
    job->table->short_header = shift == 1;
    PEN_TRY(PEN_NEW(job->run, job->header, job->columns));
    job->header[0] = (pen_text){ "", 0 };
    for (int64_t j = 0; j < job->top_count; j++)
        PEN_TRY(
            pen_text_take(job->run, job->name, job->top[j], line, j + 1, &job->header[j + shift]));
    return PEN_OK;
}

static pen_status ask(const pen_text_job *job, int64_t line)
{
    char first[PEN_QUOTE_SIZE], last[PEN_QUOTE_SIZE];
    int64_t from = 0, to = job->top_count - 1;
    double value;

    while (from < to && !pen_is_number(job->top[from].text, job->rules.decimal, &value))
        from++;
    while (from < to && !pen_is_number(job->top[to].text, job->rules.decimal, &value))
        to--;
    pen_fail(job->run, PEN_BAD_FORMAT,
             "%s:%lld: the first line, %s .. %s, may be a header or a row: its numbers only rise "
             "or fall, unlike those below",
             job->name, (long long)line, pen_quote(job->top[from].text, first),
             pen_quote(job->top[to].text, last));
    return pen_hint(job->run, PEN_BAD_FORMAT, PEN_HINT_HEADER);
}

/* Vectors of words may begin with a line of their number and their length. Column names may also be
 * two numbers, but then the first is less than the number of rows. */
static int is_count_line(const pen_text_job *job)
{
    const pen_cell *const top = job->top;
    pen_cursor ahead = job->at;
    int64_t rows, length, seen = 0;

    if (job->at.delimiter != ' ' || job->options->header == 1 || job->top_count != 2
        || top[0].quoted || top[1].quoted || !pen_is_index(top[0].text, &rows)
        || !pen_is_index(top[1].text, &length) || length < 2)
        return 0;
    for (; seen < PEN_SAMPLE_LINES && pen_next_line(&ahead); seen++)
        if (pen_count_cells(&ahead) != length + 1)
            return 0;
    return seen > 0 && rows >= seen;
}

pen_status pen_text_first_line(pen_text_job *job)
{
    const int wanted = job->options->header;
    int of_fit = 0;
    int64_t numbers = 0;
    double value;

    PEN_REQUIRE(job->run, pen_next_line(&job->at), PEN_BAD_DATA, "%s: no rows, only blank lines",
                job->name);
    pen_cursor top = job->at;
    PEN_TRY(read_cells(job, &job->top, &job->top_count));
    if (is_count_line(job)) {
        pen_next_line(&job->at);
        top = job->at;
        PEN_TRY(read_cells(job, &job->top, &job->top_count));
    }
    const int64_t cells = job->top_count;
    const int is_comment = is_like_comment(job->top);
    take_names_of_comment(job);
    const int more = pen_next_line(&job->at);
    for (int64_t j = 0; j < job->top_count; j++)
        numbers += pen_is_number(job->top[j].text, job->rules.decimal, &value)
                   || pen_is_missing_value(&job->rules, job->top[j].text);
    const int alone = !more && (wanted == 1 || (wanted == 0 && numbers == 0));
    PEN_REQUIRE(job->run, !alone || job->options->allow_empty, PEN_BAD_DATA,
                "%s: no rows, only a header", job->name);
    PEN_TRY(pen_reading_header(job->run, job->options, &of_fit));
    enum pen_top is =
        alone || wanted == 1 ? PEN_TOP_HEADER
        : wanted == -1       ? PEN_TOP_ROW
                       : pen_top_of(job->at, job->top, job->top_count, job->options, &job->rules);
    if (wanted == 0 && is != PEN_TOP_HEADER && of_fit != 0)
        is = of_fit > 0 ? PEN_TOP_HEADER : PEN_TOP_ROW;
    if (is == PEN_TOP_ASK)
        return ask(job, top.line);
    if (is == PEN_TOP_ROW)
        job->at = top;
    job->first = job->at;
    pen_cursor ahead = job->at;
    job->columns = is == PEN_TOP_ROW ? cells : alone ? job->top_count : pen_count_cells(&ahead);
    if (job->columns == 0)
        return pen_malformed(job->run, job->name, &ahead);
    return is == PEN_TOP_ROW ? PEN_OK : take_header(job, top.line, is_comment);
}
