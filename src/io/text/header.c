/* header.c - decides whether the first line of a text is a header.
 *
 * Columns of a spectrum have wavelengths as names, columns of an array 0, 1, 2, .. A line of such
 * names must not become a row unnoticed, and a row must not be lost as a header. The caller decides
 * unclear cases. */
#include "io/text/header.h"

#include <math.h>
#include <string.h>

enum {
    WORD_LINES = 256, /* lines that must not repeat words of a header */
    SURE_RUN = 8,     /* a row this long seldom rises by chance: once in 8! rows */
    EVEN_RUN = 4      /* nor has this number of equal steps */
};

/* The first line, and how to read the next ones. */
struct top {
    pen_cursor after;
    const pen_cell *cells;
    int64_t count;
    const pen_value_rules *rules;
};

static int is_number(const struct top *top, pen_cell cell)
{
    double value;
    return pen_is_number(cell.text, top->rules->decimal, &value);
}

static int is_word(const struct top *top, pen_cell cell)
{
    return cell.text.length > 0 && !pen_is_meant_as_number(cell.text)
           && !pen_is_missing_value(top->rules, cell.text);
}

/* ---- names in the options ---- */

static int has_cell(const struct top *top, pen_text name)
{
    for (int64_t j = 0; j < top->count; j++)
        if (pen_text_equal(top->cells[j].text, name))
            return 1;
    return 0;
}

/* A number is a position, unless it is a name. */
static int proves_text(const struct top *top, pen_text name)
{
    int64_t index;

    return name.length > 0 && !pen_is_index(name, &index) && has_cell(top, name);
}

static int proves(const struct top *top, const char *name)
{
    return name && proves_text(top, pen_text_of(name));
}

/* The same for several names, separated by commas. */
static int labels_prove(const struct top *top, const char *names)
{
    int found = proves(top, names);

    for (const char *p = names; p && *p && !found; p += strcspn(p, ","), p += *p == ',')
        found = proves_text(top, (pen_text){ p, strcspn(p, ",") });
    return found;
}

static int one_proves(const struct top *top, const char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (proves(top, names[i]))
            return 1;
    return 0;
}

/* One selected name is enough; if all are numbers, at least EVEN_RUN, they must all be there. */
static int is_selected(const struct top *top, const pen_read_options *options)
{
    if (one_proves(top, options->select, options->select_count))
        return 1;
    for (int64_t i = 0; i < options->select_count; i++)
        if (!has_cell(top, pen_text_of(options->select[i])))
            return 0;
    return options->select_count >= EVEN_RUN;
}

static int has_given_name(const struct top *top, const pen_read_options *options)
{
    return labels_prove(top, options->label_column) || proves(top, options->group_column)
           || proves(top, options->name_column)
           || one_proves(top, options->drop, options->drop_count)
           || one_proves(top, options->carry, options->carry_count) || is_selected(top, options);
}

/* ---- numbers that rise or fall ---- */

struct run {
    int64_t count;
    double first, last, step, largest; /* first step; largest difference of steps */
    int rises, falls;
};

static void run_add(struct run *run, double value)
{
    const double step = value - run->last;

    if (run->count == 0)
        *run = (struct run){ .first = value, .rises = 1, .falls = 1 };
    else if (run->count == 1)
        run->step = step;
    if (run->count > 0) {
        run->rises &= step > 0;
        run->falls &= step < 0;
        run->largest = fmax(run->largest, fabs(step - run->step));
    }
    run->last = value;
    run->count++;
}

static int is_strict(const struct run *run)
{
    return run->count > 1 && (run->rises || run->falls);
}

/* Equal steps, up to rounding of the text. */
static int is_even(const struct run *run)
{
    return is_strict(run) && run->largest <= 0.01 * fabs(run->step);
}

/* 0, 1, 2, .. or 1, 2, 3, .. */
static int is_count(const struct run *run)
{
    return is_even(run) && run->step == 1 && run->largest == 0
           && (run->first == 0 || run->first == 1);
}

/* ---- the first line and the next ones ---- */

/* Compares the lines below in the columns where the first line has numbers. */
struct comparison {
    struct run first;
    int words, numbers;       /* the first line has some */
    int64_t lines;            /* below it */
    int strict, even, counts; /* some line below is */
    int64_t values, whole;    /* values below, and whole numbers among them */
    int named;                /* the first cell of every line below is not a number */
    int above_number;         /* a word is above a number */
    int again;                /* a word occurs again in its column */
    int quoted, plain;        /* a quoted number is above an unquoted one; another is not quoted */
};

static struct comparison compare_first(const struct top *top)
{
    struct comparison c = { .first = { .count = 0 }, .named = 1 };
    double value;

    for (int64_t j = 0; j < top->count; j++) {
        const pen_cell cell = top->cells[j];
        c.words |= is_word(top, cell);
        c.numbers |= pen_is_meant_as_number(cell.text);
        if (pen_is_number(cell.text, top->rules->decimal, &value))
            run_add(&c.first, value);
    }
    return c;
}

/* Compares a cell with the one above it in the first line; run: of its line. */
static void compare_cells(const struct top *top, pen_cell above, pen_cell cell, struct run *run,
                          struct comparison *c)
{
    double value, logical;
    const int number = pen_is_number(cell.text, top->rules->decimal, &value);

    if (is_word(top, above)) {
        c->again |= pen_text_equal(cell.text, above.text);
        /* TRUE and no count as numbers only below a line without numbers; otherwise they may be
         * labels */
        c->above_number |= pen_is_meant_as_number(cell.text)
                           || (!c->numbers && pen_is_logical(cell.text, &logical)
                               && !pen_is_logical(above.text, &logical));
    } else if (is_number(top, above)) {
        const int quoted = above.quoted && number && !cell.quoted;
        c->quoted |= quoted;
        c->plain |= !quoted;
        if (!number)
            return;
        run_add(run, value);
        c->values++;
        c->whole += value == floor(value);
    }
}

static struct comparison compare_lines(const struct top *top, int most)
{
    struct comparison c = compare_first(top);
    pen_sample s = pen_sample_of(top->after, most, PEN_SAMPLE_BYTES);
    struct run run = { .count = 0 };
    int64_t shift = 0; /* 1: the line has one more cell, at its start */
    pen_cell cell;

    while (pen_sample_next(&s, &cell)) {
        if (s.column == 0) {
            pen_cursor ahead = s.line;
            shift = pen_count_cells(&ahead) == top->count + 1;
            run.count = 0;
            c.named &= cell.text.length > 0 && !is_number(top, cell);
        }
        if (s.column >= shift && s.column - shift < top->count)
            compare_cells(top, top->cells[s.column - shift], cell, &run, &c);
        if (s.then != PEN_LINE)
            continue;
        c.lines++;
        c.strict |= is_strict(&run) && run.rises == c.first.rises;
        c.even |= is_even(&run);
        c.counts |= is_count(&run);
    }
    return c;
}

static int looks_like_names(const struct comparison *c)
{
    if (c->lines == 0 || !is_strict(&c->first))
        return 0;
    return (c->first.count >= SURE_RUN && !c->strict)
           || (c->first.count >= EVEN_RUN && is_even(&c->first) && !c->even)
           || (is_count(&c->first) && !c->counts
               && (c->first.count > 2 ? c->whole < c->values : c->lines > 2 && c->whole == 0));
}

/* Words that do not occur again, next to numbers that rise or fall unlike any other line:
 * country,2000,2010 above AT,5,2 is not one more country, and label,400,500 is not one more
 * class. */
static int has_names_and_numbers(const struct top *top)
{
    const struct comparison c = compare_lines(top, WORD_LINES);

    return c.lines > 1 && is_strict(&c.first)
           && (!c.strict || (c.first.count > 2 && is_even(&c.first) && !c.even)) && c.words
           && !c.again;
}

/* ,0,1,2 above rows that begin with their numbers, as in pandas, or ,400,402,404. */
static int has_empty_corner(const struct top *top, const struct comparison *c)
{
    pen_cursor ahead = top->after;
    pen_cell cell;

    if (top->count < 2 || top->cells[0].text.length > 0 || c->first.count != top->count - 1
        || c->lines == 0 || pen_next_cell(&ahead, &cell) == PEN_MALFORMED || cell.text.length == 0)
        return 0;
    return is_count(&c->first) || (c->first.count == 1 && c->first.first == 0)
           || (is_strict(&c->first) && c->first.count >= 3);
}

/* Does each line below have one more cell, and a name as its first cell? */
static int is_short(const struct top *top, const struct comparison *c)
{
    pen_cursor ahead = top->after;

    return c->named && c->lines > 0 && pen_count_cells(&ahead) == top->count + 1;
}

enum pen_top pen_top_of(pen_cursor after, const pen_cell *first, int64_t count,
                        const pen_read_options *options, const pen_value_rules *rules)
{
    const struct top top = { after, first, count, rules };

    if (has_given_name(&top, options))
        return PEN_TOP_HEADER;
    const struct comparison c = compare_lines(&top, PEN_SAMPLE_LINES);
    if (c.above_number || (c.quoted && !c.plain) /* write.table quotes names but not numbers */
        || has_empty_corner(&top, &c) || (is_strict(&c.first) && is_short(&top, &c)))
        return PEN_TOP_HEADER;
    return looks_like_names(&c) || has_names_and_numbers(&top) ? PEN_TOP_ASK : PEN_TOP_ROW;
}
