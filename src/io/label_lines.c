/* label_lines.c - is a text a list of labels, or a table?
 *
 * A label may hold blanks, as New York, and even a comma now and then, so a line is one label. But
 * where most lines have several cells between commas, semicolons or tabs, or all are rows of
 * numbers or numbered between blanks, the file is a table: its lines would be classes of one row
 * each. */
#include "core/number.h"
#include "io/io.h"

enum { MOST_IDS = 64 };

/* The cells of a text for one delimiter. */
struct cells {
    int64_t lines, wide; /* lines, and those of several cells */
    int64_t line, count; /* the first of those, and its cells */
    int equal;           /* all lines have as many cells as the first */
    int numbers;         /* all cells are numbers, but perhaps those of the first line */
    /* the first cells count up from 0 or 1, but perhaps that of the first line */
    int numbered;
    int64_t next; /* in that count; negative: not begun */
    pen_text ids[MOST_IDS];
    int64_t id_count; /* first cells after the first line, no more than MOST_IDS */
};

/* Is it the next number of the count? */
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

/* The line at the cursor, which moves past it. Returns 0 if its quotes do not go with the
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

/* Do the first cells look like names of the rows: are they all different, and no measurements? */
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
        const char *name, *second; /* a command that keeps the second column */
    } texts[] = { { ',', "','", "cut -d, -f2" },
                  { ';', "';'", "cut -d';' -f2" },
                  { '\t', "tabs", "cut -f2" },
                  { ' ', "blanks", "awk '{ print $2 }'" } };
    int i = 0;

    while (texts[i].delimiter != delimiter)
        i++;
    if (c->count == 2 && are_ids(c))
        return pen_fail(run, PEN_BAD_FORMAT,
                        "%s:%lld: one label a line is expected, got 2 cells between %s; the first "
                        "look like names of the rows: %s keeps the "
                        "labels",
                        input->name, (long long)c->line, texts[i].name, texts[i].second);
    return pen_fail(run, PEN_BAD_FORMAT,
                    "%s:%lld: one label a line is expected, got %lld cells between %s; a label "
                    "that holds them must be in quotes",
                    input->name, (long long)c->line, (long long)c->count, texts[i].name);
}

/* Rows of libsvm begin with a number; "ratio 1:2" is a label. */
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
                "%s: one label a line is expected, got rows of libsvm, which hold their labels",
                input->name);
    for (size_t i = 0; i < sizeof delimiters; i++)
        if (cut_lines(at, delimiters[i], &cells) && is_table(&cells, delimiters[i]))
            return refuse(run, input, delimiters[i], &cells);
    return PEN_OK;
}
