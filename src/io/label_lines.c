/* label_lines.c - is a text a list of labels, or a table?
 *
 * A label may contain blanks (New York) and occasionally a comma, so each line is one label. But if
 * most lines have several cells separated by commas, semicolons or tabs, or if all lines are
 * separated by blanks into the same number of cells that are numbers or have row numbers first, the
 * file is a table: reading its lines as labels would give each row a class of its own. */
#include "core/number.h"
#include "io/io.h"

enum { MOST_IDS = 64 };

/* The cells of a text for one delimiter. */
struct cells {
    int64_t lines, wide; /* the number of lines, and of those with several cells */
    int64_t line, count; /* the first line with several cells, and their number */
    int equal;           /* all lines have that number of cells */
    int numbers;         /* all cells are numbers, except perhaps in the first line */
    int numbered;        /* first cells count up from 0 or 1, except perhaps in the first line */
    int64_t next;        /* the next number in that count; negative: not started */
    pen_text ids[MOST_IDS];
    int64_t id_count; /* first cells after the first line, at most MOST_IDS */
};

/* Is the text the next number in the count? */
static int counts(struct cells *c, pen_text text)
{
    int64_t number;

    if (!pen_is_index(text, &number)
        || (c->next < 0 ? number > 1 || number < 0 : number != c->next))
        return 0;
    c->next = number + 1;
    return 1;
}

/* The first cell of a line. */
static void take_first(struct cells *c, pen_text text)
{
    if (!counts(c, text) && c->lines > 0)
        c->numbered = 0;
    if (c->lines > 0 && c->id_count < MOST_IDS)
        c->ids[c->id_count++] = text;
}

/* Take the line at the cursor and move past it. Returns 0 if its quotes are malformed for this
 * delimiter. */
static int take_line(struct cells *c, pen_cursor *at)
{
    const int64_t line = at->line;
    enum pen_follows then = PEN_CELL;
    int64_t count = 0;
    double value;

    for (; then == PEN_CELL; count++) {
        pen_cell cell;
        then = pen_next_cell(at, &cell);
        if (then == PEN_MALFORMED)
            return 0;
        if (count == 0)
            take_first(c, cell.text);
        if (c->lines > 0 && !pen_is_missing(cell.text)
            && !pen_number_is(cell.text.start, cell.text.length, &value))
            c->numbers = 0;
    }
    if (count > 1 && c->wide++ == 0) {
        c->line = line;
        c->count = count;
    }
    c->equal &= count == c->count;
    c->lines++;
    return 1;
}

static int cut_lines(pen_cursor at, char delimiter, struct cells *c)
{
    *c = (struct cells){ .equal = 1, .numbers = 1, .numbered = 1, .next = -1 };
    at.delimiter = delimiter;
    while (pen_next_line(&at))
        if (!take_line(c, &at))
            return 0;
    return 1;
}

static int is_table(const struct cells *c, char delimiter)
{
    if (delimiter != ' ')
        return 2 * c->wide > c->lines;
    return c->wide > 0 && c->equal && c->lines > 1 && (c->numbers || c->numbered);
}

/* Do the first cells look like row names: all different, with no fractional numbers? */
static int are_ids(const struct cells *c)
{
    int64_t index;
    double value;

    for (int64_t i = 0; i < c->id_count; i++) {
        if (pen_number_is(c->ids[i].start, c->ids[i].length, &value)
            && !pen_is_index(c->ids[i], &index))
            return 0;
        for (int64_t j = 0; j < i; j++)
            if (pen_text_equal(c->ids[i], c->ids[j]))
                return 0;
    }
    return c->id_count > 1;
}

static pen_status refuse(pen_run *run, const pen_input *input, char delimiter,
                         const struct cells *c)
{
    static const struct {
        char delimiter;
        const char *name, *second; /* a command that extracts the second column */
    } texts[] = { { ',', "','", "cut -d, -f2" },
                  { ';', "';'", "cut -d';' -f2" },
                  { '\t', "tabs", "cut -f2" },
                  { ' ', "blanks", "awk '{ print $2 }'" } };
    int i = 0;

    while (texts[i].delimiter != delimiter)
        i++;
    if (c->count == 2 && are_ids(c))
        return pen_fail(
            run, PEN_BAD_FORMAT,
            "%s:%lld: expected one label per line, got 2 cells separated by %s; the first "
            "column looks like row names: %s keeps the labels",
            input->name, (long long)c->line, texts[i].name, texts[i].second);
    return pen_fail(run, PEN_BAD_FORMAT,
                    "%s:%lld: expected one label per line, got %lld cells separated by %s; quote "
                    "labels that contain them",
                    input->name, (long long)c->line, (long long)c->count, texts[i].name);
}

/* libsvm rows begin with a number, so "ratio 1:2" is a label. */
static int is_libsvm(const pen_input *input)
{
    const char *const text = (const char *)input->data;
    double value;

    return pen_format_libsvm.recognizes(input) && pen_number_read(text, input->size, &value) > 0;
}

pen_status pen_check_label_lines(pen_run *run, const pen_input *input, pen_cursor at)
{
    static const char delimiters[] = { ',', ';', '\t', ' ' };
    struct cells cells;

    PEN_REQUIRE(run, !is_libsvm(input), PEN_BAD_FORMAT,
                "%s: expected one label per line, got libsvm rows, which include their labels",
                input->name);
    for (size_t i = 0; i < sizeof delimiters; i++)
        if (cut_lines(at, delimiters[i], &cells) && is_table(&cells, delimiters[i]))
            return refuse(run, input, delimiters[i], &cells);
    return PEN_OK;
}
