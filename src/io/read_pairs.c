/* read_pairs.c - files of pairs: two row numbers, the kind of the pair if the file has both, and
 * optionally its weight, as text or npy.
 *
 * All pairs go into one block of memory, must-links from its start and cannot-links from its end,
 * so that the kinds need not be counted first. */
#include "io/io.h"

#include "core/arguments.h"
#include "core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_COLUMNS = 4 }; /* i, j, kind, weight */

struct kept {
    pen_pair_table table;
    int64_t values[]; /* [2 x room] row numbers, then [room] weights if the file has them */
};

/* A pair as read. */
struct pair {
    int64_t row, other, link;
    double weight;
};

struct job {
    pen_run *run;
    const pen_input *input;
    pen_link link;
    int64_t rows;    /* row numbers are below this; 0: not checked */
    uint64_t limit;  /* row numbers are below this; negative ones, as unsigned, are not */
    int64_t columns; /* of the file */
    int weighted;    /* the last column is weights */
    int64_t room;    /* capacity of kept, in pairs */
    struct kept *kept;
};

/* ---- the pairs ---- */

static pen_status reserve(struct job *job, int64_t room)
{
    const int64_t head = (int64_t)(sizeof *job->kept / sizeof *job->kept->values);

    job->room = room;
    job->kept = pen_keep(NULL, pen_plus(head, pen_times(job->weighted ? 3 : 2, room)),
                         sizeof *job->kept->values);
    PEN_REQUIRE(job->run, job->kept, PEN_NO_MEMORY, "%s: out of memory for up to %lld pairs",
                job->input->name, (long long)room);
    return PEN_OK;
}

/* The weights [room] of the pairs kept, or NULL. */
static double *weights_of(const struct job *job)
{
    return job->weighted ? (double *)(void *)(job->kept->values + 2 * job->room) : NULL;
}

static void keep(struct job *job, const struct pair *pair)
{
    pen_pair_table *const table = &job->kept->table;
    const int64_t at = pair->link == PEN_MUST_LINK ? table->must_link_count++
                                                   : job->room - ++table->cannot_link_count;

    job->kept->values[2 * at] = pair->row;
    job->kept->values[2 * at + 1] = pair->other;
    if (job->weighted)
        weights_of(job)[at] = pair->weight;
}

static void finish_weights(const struct job *job, pen_pair_table *table)
{
    double *const weights = weights_of(job);

    if (!weights)
        return;
    double *const cannot = weights + (job->room - table->cannot_link_count);
    for (int64_t low = 0, high = table->cannot_link_count - 1; low < high; low++, high--) {
        const double swapped = cannot[low];
        cannot[low] = cannot[high];
        cannot[high] = swapped;
    }
    table->must_link_weights = table->must_link_count > 0 ? weights : NULL;
    table->cannot_link_weights = table->cannot_link_count > 0 ? cannot : NULL;
}

/* Set the lists of the table, both in the order of the file. */
static void finish(const struct job *job)
{
    pen_pair_table *const table = &job->kept->table;
    int64_t *const values = job->kept->values, *const cannot =
                                                   values
                                                   + 2 * (job->room - table->cannot_link_count);

    for (int64_t low = 0, high = table->cannot_link_count - 1; low < high; low++, high--)
        for (int k = 0; k < 2; k++) {
            const int64_t swapped = cannot[2 * low + k];
            cannot[2 * low + k] = cannot[2 * high + k];
            cannot[2 * high + k] = swapped;
        }
    finish_weights(job, table);
    table->must_link = table->must_link_count > 0 ? values : NULL;
    table->cannot_link = table->cannot_link_count > 0 ? cannot : NULL;
}

/* ---- errors ---- */

/* A place in the file: a cell of a text, a pair of an array, or, if all are 0, the whole array. */
struct place {
    int64_t line, column; /* 1 .. */
    int64_t pair;         /* 1 .. */
};

enum { WHERE_SIZE = sizeof(((pen_error *)NULL)->message) };

/* The beginning of a message. */
static const char *where(const struct job *job, struct place place, char text[WHERE_SIZE])
{
    if (place.line > 0)
        snprintf(text, WHERE_SIZE, "%s:%lld:%lld", job->input->name, (long long)place.line,
                 (long long)place.column);
    else if (place.pair > 0)
        snprintf(text, WHERE_SIZE, "%s: pair %lld (counted from 0)", job->input->name,
                 (long long)place.pair - 1);
    else
        snprintf(text, WHERE_SIZE, "%s", job->input->name);
    return text;
}

/* The column of weights, if there is one. */
static int64_t weight_column(const struct job *job)
{
    return job->link == PEN_ANY_LINK ? 3 : 2;
}

/* Does the number of columns match the kind of pairs requested? */
static pen_status check_columns(struct job *job, struct place first)
{
    char begin[WHERE_SIZE];

    first.column = weight_column(job);
    job->weighted = job->columns > weight_column(job);
    if (job->columns == weight_column(job) || job->columns == weight_column(job) + 1)
        return PEN_OK;
    if (job->link == PEN_ANY_LINK) {
        pen_fail(job->run, PEN_BAD_FORMAT,
                 "%s: two columns do not give the kind of the pair; expected a third column of 1 "
                 "(must-link) or -1 (cannot-link)",
                 where(job, first, begin));
        return pen_hint(job->run, PEN_BAD_FORMAT, PEN_HINT_ONE_LINK);
    }
    first.column = job->columns;
    pen_fail(job->run, PEN_BAD_FORMAT,
             "%s: expected pairs of one kind in two columns, or three with weights, got four "
             "columns with the kind and the weight of each pair",
             where(job, first, begin));
    return pen_hint(job->run, PEN_BAD_FORMAT, PEN_HINT_ANY_LINK);
}

/* One number of a pair, as given in the file. */
struct entry {
    enum pen_whole whole;
    int64_t value;
    pen_text text;      /* of a text */
    const pen_npy *npy; /* the array, or NULL */
    size_t index;       /* in it */
    struct place place;
};

static pen_text text_of(const struct entry *entry, char number[PEN_NUMBER_SIZE])
{
    if (!entry->npy)
        return entry->text;
    pen_npy_text(entry->npy, entry->index, number);
    return pen_text_of(number);
}

static const char *quote(const struct entry *entry, char quoted[PEN_QUOTE_SIZE])
{
    char number[PEN_NUMBER_SIZE];

    return pen_quote(text_of(entry, number), quoted);
}

static pen_status check_row_number(const struct job *job, const struct entry *entry)
{
    char begin[WHERE_SIZE], quoted[PEN_QUOTE_SIZE];

    if (entry->whole == PEN_WHOLE && (uint64_t)entry->value < job->limit)
        return PEN_OK;
    quote(entry, quoted);
    PEN_REQUIRE(job->run, entry->whole != PEN_NOT_WHOLE, PEN_BAD_FORMAT,
                "%s: row number must be a whole number, got \"%s\"",
                where(job, entry->place, begin), quoted);
    PEN_REQUIRE(job->run, job->rows > 0 || quoted[0] != '-', PEN_BAD_PAIR,
                "%s: row number must not be negative, got %s", where(job, entry->place, begin),
                quoted);
    return pen_fail(job->run, PEN_BAD_PAIR, "%s: row number must be in 0 .. %lld, got %s",
                    where(job, entry->place, begin), (long long)(job->limit - 1), quoted);
}

static pen_status check_kind(const struct job *job, const struct entry *kind)
{
    char begin[WHERE_SIZE], quoted[PEN_QUOTE_SIZE];

    PEN_REQUIRE(job->run,
                kind->whole == PEN_WHOLE
                    && (kind->value == PEN_MUST_LINK || kind->value == PEN_CANNOT_LINK),
                PEN_BAD_FORMAT,
                "%s: the kind of a pair must be 1 (must-link) or -1 (cannot-link), got \"%s\"",
                where(job, kind->place, begin), quote(kind, quoted));
    return PEN_OK;
}

static pen_status check_weight(const struct job *job, const struct entry *entry, double *weight)
{
    char begin[WHERE_SIZE], quoted[PEN_QUOTE_SIZE], number[PEN_NUMBER_SIZE];
    const pen_text text = text_of(entry, number);

    if (pen_number_is(text.start, text.length, weight) && isfinite(*weight) && *weight >= 0)
        return PEN_OK;
    const int kind = job->link != PEN_ANY_LINK && *weight == -1;
    const pen_status code = kind ? PEN_BAD_FORMAT : PEN_BAD_PAIR;
    pen_fail(job->run, code, "%s: the weight of a pair must be a finite number >= 0, got \"%s\"%s",
             where(job, entry->place, begin), pen_quote(text, quoted),
             kind ? ", as in files with the kind of each pair" : "");
    return pen_hint(job->run, code, kind ? PEN_HINT_ANY_LINK : 0);
}

/* Check the entries [columns] of a pair and convert them. */
static pen_status check_pair(const struct job *job, const struct entry *entries, struct pair *pair)
{
    char begin[WHERE_SIZE];

    for (int64_t j = 0; j < 2; j++)
        PEN_TRY(check_row_number(job, &entries[j]));
    PEN_REQUIRE(job->run, entries[0].value != entries[1].value, PEN_BAD_PAIR,
                "%s: a pair must be two different rows, got %lld twice",
                where(job, entries[1].place, begin), (long long)entries[1].value);
    *pair = (struct pair){ entries[0].value, entries[1].value, job->link, 1 };
    if (job->link == PEN_ANY_LINK) {
        PEN_TRY(check_kind(job, &entries[2]));
        pair->link = entries[2].value;
    }
    return job->weighted ? check_weight(job, &entries[job->columns - 1], &pair->weight) : PEN_OK;
}

/* ---- text ---- */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The first few cells of a line. */
struct line {
    pen_cell cells[MOST_COLUMNS];
    struct place places[MOST_COLUMNS];
    int64_t count; /* of all cells */
};

/* Read the line at the cursor and move to the next. */
static pen_status read_line(const struct job *job, pen_cursor *at, struct line *line)
{
    enum pen_follows then = PEN_CELL;

    for (line->count = 0; then == PEN_CELL; line->count++) {
        const struct place place = { at->line, at->column, 0 };
        pen_cell cell;
        then = pen_next_cell(at, &cell);
        if (then == PEN_MALFORMED)
            return pen_malformed(job->run, job->input->name, at);
        if (line->count < MOST_COLUMNS) {
            line->cells[line->count] = cell;
            line->places[line->count] = place;
        }
    }
    return PEN_OK;
}

/* Is this a possible number of cells for a pair? */
static pen_status check_count(const struct job *job, int64_t line, int64_t count)
{
    char begin[WHERE_SIZE];

    if (count <= 1) {
        pen_fail(job->run, PEN_BAD_FORMAT,
                 "%s: a pair is two row numbers, got 1 cell; is this a file of labels?",
                 where(job, (struct place){ line, 2, 0 }, begin));
        return pen_hint(job->run, PEN_BAD_FORMAT, PEN_HINT_LABEL_FILE);
    }
    PEN_REQUIRE(job->run, count <= MOST_COLUMNS, PEN_BAD_FORMAT,
                "%s: a pair is two row numbers and optionally its kind and its weight, got %lld "
                "cells",
                where(job, (struct place){ line, MOST_COLUMNS + 1, 0 }, begin), (long long)count);
    return PEN_OK;
}

/* Does the line consist of words in place of numbers? */
static int is_header(const struct line *line)
{
    for (int64_t j = 0; j < line->count; j++) {
        const pen_text text = line->cells[j].text;
        double value;
        if (pen_is_missing(text) || pen_number_is(text.start, text.length, &value))
            return 0;
    }
    return 1;
}

/* Digits with an optional sign are read exactly, any other number as a double. */
static enum pen_whole whole_text(pen_text text, int64_t *value)
{
    const size_t sign = text.length > 0 && (text.start[0] == '-' || text.start[0] == '+');
    uint64_t sum = 0;
    double number;

    for (size_t i = sign; i < text.length; i++) {
        const char c = text.start[i];
        if (!is_digit(c))
            return pen_number_is(text.start, text.length, &number) ? pen_whole_of(number, value)
                                                                   : PEN_NOT_WHOLE;
        sum = sum <= INT64_MAX / 10 ? 10 * sum + (uint64_t)(c - '0') : UINT64_MAX;
    }
    if (text.length == sign)
        return PEN_NOT_WHOLE;
    if (sum > INT64_MAX)
        return PEN_TOO_LARGE;
    *value = text.start[0] == '-' ? -(int64_t)sum : (int64_t)sum;
    return PEN_WHOLE;
}

static pen_status read_pair(const struct job *job, pen_cursor *at, int64_t first_line,
                            struct pair *pair)
{
    const int64_t number = at->line;
    struct line line;
    struct entry entries[MOST_COLUMNS];
    char begin[WHERE_SIZE];

    PEN_TRY(read_line(job, at, &line));
    PEN_REQUIRE(
        job->run, line.count == job->columns, PEN_BAD_FORMAT,
        "%s: expected %lld cells, as in line %lld, got %lld",
        where(job, (struct place){ number, pen_min(line.count, job->columns) + 1, 0 }, begin),
        (long long)job->columns, (long long)first_line, (long long)line.count);
    for (int64_t j = 0; j < job->columns; j++) {
        entries[j] = (struct entry){ .text = line.cells[j].text, .place = line.places[j] };
        entries[j].whole = whole_text(entries[j].text, &entries[j].value);
    }
    return check_pair(job, entries, pair);
}

static pen_status read_text(struct job *job)
{
    struct pair pair;
    struct line line;
    pen_cursor at = pen_text_open(job->input, '\0');

    at.delimiter = pen_find_delimiter(at);
    if (!pen_next_line(&at))
        return reserve(job, 0);
    const pen_cursor top = at;
    PEN_TRY(read_line(job, &at, &line));
    PEN_TRY(check_count(job, top.line, line.count));
    job->columns = line.count;
    if (!is_header(&line))
        at = top;
    if (!pen_next_line(&at))
        return reserve(job, 0);
    PEN_TRY(check_columns(job, (struct place){ .line = at.line }));
    PEN_TRY(reserve(job, pen_most_rows(&at, job->columns)));
    do {
        PEN_TRY(read_pair(job, &at, top.line, &pair));
        keep(job, &pair);
    } while (pen_next_line(&at));
    return PEN_OK;
}

/* ---- npy ---- */

/* The position of number j of pair i in the array. */
static size_t index_of(const pen_npy *npy, int64_t i, int64_t j)
{
    return (size_t)(npy->fortran ? j * npy->rows + i : i * npy->cols + j);
}

static pen_status read_row(const struct job *job, const pen_npy *npy, int64_t i, struct pair *pair)
{
    struct entry entries[MOST_COLUMNS];

    for (int64_t j = 0; j < npy->cols; j++) {
        entries[j] =
            (struct entry){ .npy = npy, .index = index_of(npy, i, j), .place.pair = i + 1 };
        entries[j].whole = pen_npy_whole(npy, entries[j].index, &entries[j].value);
    }
    return check_pair(job, entries, pair);
}

static pen_status read_npy(struct job *job)
{
    const struct place nowhere = { 0, 0, 0 };
    struct pair pair;
    pen_npy npy;

    PEN_TRY(pen_npy_open(job->run, job->input, &npy));
    if (npy.cols < 2 || npy.cols > MOST_COLUMNS) {
        pen_fail(job->run, PEN_BAD_FORMAT,
                 "%s: pairs must be 2 to 4 columns, got the shape %lld x %lld%s", job->input->name,
                 (long long)npy.rows, (long long)npy.cols,
                 npy.cols == 1 ? "; is this a file of labels?" : "");
        return pen_hint(job->run, PEN_BAD_FORMAT, npy.cols == 1 ? PEN_HINT_LABEL_FILE : 0);
    }
    PEN_REQUIRE(job->run, npy.kind != 'b', PEN_BAD_FORMAT,
                "%s: row numbers must be integers, or whole floats, got the dtype b1",
                job->input->name);
    PEN_TRY(pen_npy_fits(job->run, job->input, &npy));
    job->columns = npy.cols;
    if (npy.rows > 0)
        PEN_TRY(check_columns(job, nowhere));
    PEN_TRY(reserve(job, npy.rows));
    for (int64_t i = 0; i < npy.rows; i++) {
        PEN_TRY(read_row(job, &npy, i, &pair));
        keep(job, &pair);
    }
    return PEN_OK;
}

/* ---- the call ---- */

/* The content decides the format; for an empty file, or one that is neither, the extension. */
static pen_status read_content(struct job *job)
{
    const pen_input *input = job->input;
    const int named_npy = pen_has_extension(input->name, ".npy");

    PEN_TRY(pen_refuse_kind(job->run, input, NULL));
    if (pen_format_npy.recognizes(input))
        return read_npy(job);
    if (input->size == 0 && !named_npy)
        return reserve(job, 0);
    if (input->size > 0 && pen_format_text.recognizes(input))
        return read_text(job);
    PEN_REQUIRE(job->run, named_npy, PEN_BAD_FORMAT, "%s: the content is neither text nor npy",
                input->name);
    return read_npy(job); /* which reports what is wrong */
}

static pen_status read_input(pen_run *run, const pen_input *input, pen_link link, int64_t rows,
                             pen_pair_table **out)
{
    struct job job = { .run = run,
                       .input = input,
                       .link = link,
                       .rows = rows,
                       .limit = rows > 0 ? (uint64_t)rows : INT64_MAX + UINT64_C(1) };
    const pen_status status = read_content(&job);

    if (status != PEN_OK) {
        free(job.kept);
        return status;
    }
    finish(&job);
    *out = &job.kept->table;
    return PEN_OK;
}

static pen_status read_path(pen_run *run, const char *path, pen_link link, int64_t rows,
                            pen_pair_table **out)
{
    pen_bytes bytes;
    pen_input input;

    PEN_TRY(pen_input_read(run, path, 0, &bytes, &input));
    const pen_status status = read_input(run, &input, link, rows, out);
    pen_bytes_free(&bytes);
    return status;
}

static pen_status check_arguments(pen_run *run, pen_link link, int64_t rows)
{
    PEN_REQUIRE(run, link >= PEN_CANNOT_LINK && link <= PEN_MUST_LINK, PEN_BAD_ARGUMENT,
                "link must be one of pen_link, got %d", (int)link);
    PEN_REQUIRE(run, rows >= 0, PEN_BAD_ARGUMENT, "rows must be >= 0, got %lld", (long long)rows);
    return PEN_OK;
}

static pen_status read_any(pen_run *run, const char *path, const pen_input *input, pen_link link,
                           int64_t rows, pen_pair_table **out)
{
    PEN_TRY(pen_check_given(run, out, "out"));
    if (!input)
        PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(check_arguments(run, link, rows));
    return path ? read_path(run, path, link, rows, out) : read_input(run, input, link, rows, out);
}

static pen_status read_call(const char *path, const pen_input *input, pen_link link, int64_t rows,
                            pen_pair_table **out, pen_error *err)
{
    if (out)
        *out = NULL;
    PEN_CALL(NULL, err, read_any(run, path, input, link, rows, out));
}

pen_status pen_read_pairs_bytes(const char *name, const void *data, size_t size, pen_link link,
                                int64_t rows, pen_pair_table **out, pen_error *err)
{
    return read_call(NULL, &(pen_input){ .name = name, .data = data, .size = size }, link, rows,
                     out, err);
}

pen_status pen_read_pairs(const char *path, pen_link link, int64_t rows, pen_pair_table **out,
                          pen_error *err)
{
    return read_call(path, NULL, link, rows, out, err);
}

void pen_pair_table_free(pen_pair_table *table)
{
    free(table); /* the first member of a struct kept, which also contains the lists */
}
