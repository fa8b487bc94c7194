/* layout.c - the delimiter and the decimal sign of a text, from its first lines. */
#include "io/io.h"

#include <string.h>

enum {
    SAMPLE_LINES = 8,       /* lines that decide about the delimiter */
    DECIMAL_LINES = 256,    /* and about the decimal sign */
    SAMPLE_BYTES = 1 << 16, /* and how far to read for them */
};

/* How well a delimiter fits the first lines. */
struct fit {
    int64_t numbers; /* cells that are numbers, or missing values that are written */
    int64_t words;   /* other cells with text */
    int64_t lists;   /* cells of several numbers, with blanks between them */
    int top;         /* the first line is cut, and no other */
    int same;        /* all lines have equal numbers of cells */
    int equal;       /* or the first has one less */
    int proper;      /* and more than one */
};

static int is_number_or_missing(pen_text text)
{
    return pen_is_meant_as_number(text) || (text.length > 0 && pen_is_missing(text));
}

/* Several numbers with blanks between them, which are no thousands. */
static int is_list(pen_text text)
{
    int64_t count = 0;

    if (!memchr(text.start, ' ', text.length) || pen_groups_of(text) != PEN_GROUPS_NONE)
        return 0;
    for (size_t at = 0, end; at < text.length; at = end + 1, count++) {
        while (at < text.length && text.start[at] == ' ')
            at++;
        for (end = at; end < text.length && text.start[end] != ' ';)
            end++;
        if (!is_number_or_missing((pen_text){ text.start + at, end - at }))
            return 0;
    }
    return count > 1;
}

static struct fit fit_of(pen_cursor at, char delimiter)
{
    const char *const begin = at.p;
    struct fit fit = { .top = 1, .same = 1, .equal = 1, .proper = 1 };
    int64_t width = 0;
    int line = 0;

    at.delimiter = delimiter;
    for (; line < SAMPLE_LINES && at.p - begin < SAMPLE_BYTES && pen_next_line(&at); line++) {
        pen_cell cell;
        enum pen_follows then;
        int64_t cells = 0;
        do {
            then = pen_next_cell(&at, &cell);
            if (is_number_or_missing(cell.text))
                fit.numbers++;
            else
                fit.words += cell.text.length > 0;
            fit.lists += is_list(cell.text);
            cells++;
        } while (then == PEN_CELL && at.p - begin < SAMPLE_BYTES);
        if (then != PEN_LINE)
            break;
        fit.top &= line == 0 ? cells > 1 : cells == 1;
        fit.same &= line == 0 || cells == width;
        fit.equal &= line == 0 || cells == width || (line == 1 && cells == width + 1);
        width = cells;
        fit.proper &= cells > 1;
    }
    fit.proper &= fit.equal && line > 0;
    return fit;
}

/* Names of columns have numbers, too: Gene 1, Gene 2. Blanks cut these off, and the header no
 * longer has as many cells as the rows, in which there are no more numbers than before. */
static int is_cut(const struct fit *a, const struct fit *by)
{
    return a->proper && !by->equal && 2 * a->numbers >= by->numbers;
}

/* More numbers are better; then lines of equal numbers of cells, several of them; then fewer words
 * besides the numbers: 1,5;2 is two numbers cut at ';', and a word cut at ','. */
static int is_better(const struct fit *a, const struct fit *b)
{
    if (is_cut(a, b) || is_cut(b, a))
        return is_cut(a, b);
    if (2 * a->numbers + a->equal != 2 * b->numbers + b->equal)
        return 2 * a->numbers + a->equal > 2 * b->numbers + b->equal;
    if (a->proper != b->proper)
        return a->proper;
    return a->numbers > 0 && a->words < b->words;
}

/* Cells between tabs may be words with numbers in them: 10 mg, day 1. Blanks would cut these, and
 * the tabs as well. So they only separate what has tabs if these leave lists of numbers. Nor do
 * they cut the name of a single column, PC 1. */
static int may_be_blanks(const struct fit *tabs, const struct fit *blanks)
{
    return (!tabs->proper || (tabs->lists > 0 && blanks->same))
           && !(blanks->top && blanks->words > 0);
}

char pen_find_delimiter(pen_cursor at)
{
    static const char known[] = { ',', ';', '\t', ' ' };
    const struct fit tabs = fit_of(at, '\t');
    struct fit best = fit_of(at, known[0]);
    char found = known[0];

    for (size_t i = 1; i < sizeof known; i++) {
        const struct fit fit = fit_of(at, known[i]);
        if (known[i] == ' ' && !may_be_blanks(&tabs, &fit))
            break;
        if (is_better(&fit, &best)) {
            best = fit;
            found = known[i];
        }
    }
    return found;
}

/* Semicolons separate cells where commas are decimal signs. Elsewhere 1,234 may be a number of
 * thousands, so there must be a number that cannot be one. */
char pen_find_decimal(pen_cursor at)
{
    const char *const begin = at.p;
    int64_t commas = 0, thousands = 0;

    for (int line = 0; line < DECIMAL_LINES && at.p - begin < SAMPLE_BYTES && pen_next_line(&at);
         line++) {
        enum pen_follows then;
        do {
            pen_cell cell;
            double value;
            then = pen_next_cell(&at, &cell);
            if (pen_has_decimal_comma(cell.text)) {
                commas++;
                thousands += pen_groups_of(cell.text) != PEN_GROUPS_NONE;
            } else if (cell.text.length > 0 && memchr(cell.text.start, '.', cell.text.length)
                       && pen_is_number(cell.text, '.', &value)) {
                return '.';
            }
        } while (then == PEN_CELL);
        if (then == PEN_MALFORMED)
            break;
    }
    return commas > 0 && (at.delimiter == ';' || commas > thousands) ? ',' : '.';
}
