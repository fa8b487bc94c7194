/* delimiter.c - finds the delimiter and the decimal sign of a text in its first lines. */
#include "io/text/cells.h"

#include "io/table/cell_value.h"

#include <string.h>

enum { DECIMAL_LINES = 256 }; /* lines that decide about the decimal sign */

/* How well a delimiter fits the first lines. */
struct fit {
    int64_t numbers; /* cells that are numbers or nonempty missing values */
    int64_t words;   /* other cells with text */
    int64_t lists;   /* cells of several numbers, with blanks between them */
    int top;         /* only the first line is cut */
    int same;        /* all lines have equal numbers of cells */
    int equal;       /* or the first line has one less */
    int proper;      /* and more than one cell */
};

static int is_number_or_missing(pen_text text)
{
    return pen_is_meant_as_number(text) || (text.length > 0 && pen_is_missing(text));
}

/* Several numbers with blanks between them that do not separate thousands. */
static int is_list(pen_text text)
{
    int64_t count = 0;

    if (!memchr(text.start, ' ', text.length) || pen_digit_groups_of(text) != PEN_DIGIT_GROUPS_NONE)
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

/* The limit may fall within a line. */
static int is_far(const pen_sample *s)
{
    return s->at.p - s->begin >= s->bytes;
}

static struct fit fit_of(pen_cursor at, char delimiter)
{
    struct fit fit = { .top = 1, .same = 1, .equal = 1, .proper = 1 };
    int64_t width = 0, lines = 0;
    pen_cell cell;

    at.delimiter = delimiter;
    for (pen_sample s = pen_sample_of(at, PEN_SAMPLE_LINES, PEN_SAMPLE_BYTES);
         !is_far(&s) && pen_sample_next(&s, &cell);) {
        const int64_t cells = s.column + 1;
        if (is_number_or_missing(cell.text))
            fit.numbers++;
        else
            fit.words += cell.text.length > 0;
        fit.lists += is_list(cell.text);
        if (s.then != PEN_LINE)
            continue;
        fit.top &= lines == 0 ? cells > 1 : cells == 1;
        fit.same &= lines == 0 || cells == width;
        fit.equal &= lines == 0 || cells == width || (lines == 1 && cells == width + 1);
        width = cells;
        fit.proper &= cells > 1;
        lines++;
    }
    fit.proper &= fit.equal && lines > 0;
    return fit;
}

/* Names of columns may have numbers: Gene 1, Gene 2. Cutting at their blanks makes the header
 * differ from the rows in length, without more numbers in the rows. */
static int is_cut(const struct fit *a, const struct fit *by)
{
    return a->proper && !by->equal && 2 * a->numbers >= by->numbers;
}

/* More numbers are better; then lines with equal numbers of cells, at least two; then fewer words
 * besides the numbers: 1,5;2 is two numbers if cut at ';', and has a word if cut at ','. */
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

/* Cells between tabs may be words with numbers: 10 mg, day 1. Cutting at blanks would also cut at
 * tabs. So in lines with tabs, blanks separate only if tabs leave lists of numbers. Blanks also do
 * not cut the name of a single column, PC 1. */
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

/* Semicolons separate cells if commas are decimal signs. Otherwise 1,234 may mean thousands, so
 * some number must exclude that. */
char pen_find_decimal(pen_cursor at)
{
    pen_sample s = pen_sample_of(at, DECIMAL_LINES, PEN_SAMPLE_BYTES);
    int64_t commas = 0, thousands = 0;
    pen_cell cell;
    double value;

    while (pen_sample_next(&s, &cell)) {
        if (pen_has_decimal_comma(cell.text)) {
            commas++;
            thousands += pen_digit_groups_of(cell.text) != PEN_DIGIT_GROUPS_NONE;
        } else if (cell.text.length > 0 && memchr(cell.text.start, '.', cell.text.length)
                   && pen_is_number(cell.text, '.', &value)) {
            return '.';
        }
    }
    return commas > 0 && (at.delimiter == ';' || commas > thousands) ? ',' : '.';
}
