/* cell_value.c - the meaning of a cell's text: a number, a missing value, or why it is neither. */
#include "io/table/cell_value.h"

#include "core/number.h"

#include <math.h>
#include <string.h>

enum { MOST_DIGITS = 120 }; /* characters of a number with a decimal comma */

/* ---- missing values ---- */

int pen_is_missing(pen_text text)
{
    static const char *const words[] = { "na", "nan", "n/a", "#n/a", "#na", "<na>", "null", NULL };

    if (text.length == 0)
        return 1;
    if (text.length == 1)
        return text.start[0] == '?' || text.start[0] == '.';
    if (text.length > 4) /* longer than all words */
        return 0;
    for (int i = 0; words[i]; i++)
        if (pen_is_word(text, words[i]))
            return 1;
    return 0;
}

pen_status pen_value_rules_open(pen_run *run, const pen_read_options *options, char decimal,
                                pen_value_rules *out)
{
    double *numbers;

    *out = (pen_value_rules){ .decimal = decimal,
                              .missing = options->missing,
                              .na = options->na,
                              .na_count = options->na_count };
    PEN_TRY(PEN_NEW(run, numbers, pen_max(1, options->na_count)));
    for (int64_t i = 0; i < options->na_count; i++) {
        const pen_text text = pen_text_of(options->na[i]);
        if (pen_is_number(text, '.', &numbers[out->na_number_count])
            || pen_is_number(text, decimal, &numbers[out->na_number_count]))
            out->na_number_count++;
    }
    out->na_numbers = numbers;
    return PEN_OK;
}

static int is_missing_number(const pen_value_rules *rules, double value)
{
    for (int64_t i = 0; i < rules->na_number_count; i++)
        if (value == rules->na_numbers[i])
            return 1;
    return 0;
}

int pen_is_missing_value(const pen_value_rules *rules, pen_text text)
{
    double value;

    if (pen_is_missing(text) || pen_is_word(text, "none"))
        return 1;
    for (int64_t i = 0; i < rules->na_count; i++)
        if (pen_text_equal(text, pen_text_of(rules->na[i])))
            return 1;
    return pen_is_number(text, rules->decimal, &value)
           && (isnan(value) || is_missing_number(rules, value));
}

/* ---- numbers ---- */

int pen_is_number(pen_text text, char decimal, double *value)
{
    char copy[MOST_DIGITS];

    if (decimal != ',')
        return pen_number_is(text.start, text.length, value);
    if (text.length > MOST_DIGITS || memchr(text.start, '.', text.length))
        return 0;
    memcpy(copy, text.start, text.length);
    char *const comma = memchr(copy, ',', text.length);
    if (comma)
        *comma = '.';
    return pen_number_is(copy, text.length, value);
}

int pen_has_decimal_comma(pen_text cell)
{
    double value;

    return cell.length > 0 && memchr(cell.start, ',', cell.length)
           && pen_is_number(cell, ',', &value);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The number of digits at `at`. */
static size_t digits(pen_text text, size_t at)
{
    size_t count = 0;

    while (at + count < text.length && is_digit(text.start[at + count]))
        count++;
    return count;
}

/* The length of a separator between groups of three digits at `at`: point, comma, apostrophe or
 * blank, including no-break spaces; 0: none. */
static size_t separator(pen_text text, size_t at)
{
    static const char *const signs[] = { ".",           ",", "'", " ", "\xC2\xA0", "\xE2\x80\xAF",
                                         "\xE2\x80\x99" };

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t length = strlen(signs[i]);
        if (text.length - at >= length && memcmp(text.start + at, signs[i], length) == 0)
            return length;
    }
    return 0;
}

enum pen_digit_groups pen_digit_groups_of(pen_text text)
{
    size_t at = text.length > 0 && (text.start[0] == '-' || text.start[0] == '+');
    const size_t first = digits(text, at);
    const char *sign = text.start;
    size_t length = 0;
    int groups = 0;

    if (first < 1 || first > 3 || text.start[at] == '0')
        return PEN_DIGIT_GROUPS_NONE;
    for (at += first; at < text.length; at += length + 3, groups++) {
        const size_t here = separator(text, at);
        if (here == 0 || digits(text, at + here) != 3
            || (groups > 0 && (here != length || memcmp(sign, text.start + at, length) != 0)))
            break;
        sign = text.start + at;
        length = here;
    }
    if (groups == 0)
        return PEN_DIGIT_GROUPS_NONE;
    if (at == text.length) /* 1,234 may also have three decimals */
        return groups > 1 || (*sign != ',' && *sign != '.') ? PEN_DIGIT_GROUPS_SURE
                                                            : PEN_DIGIT_GROUPS_PERHAPS;
    const char last = text.start[at];
    return (last == '.' || last == ',') && last != *sign
                   && at + 1 + digits(text, at + 1) == text.length
               ? PEN_DIGIT_GROUPS_SURE
               : PEN_DIGIT_GROUPS_NONE;
}

int pen_is_meant_as_number(pen_text text)
{
    double value;

    return pen_is_number(text, '.', &value) || pen_has_decimal_comma(text)
           || pen_digit_groups_of(text) == PEN_DIGIT_GROUPS_SURE;
}

/* ---- a cell ---- */

int pen_is_logical(pen_text cell, double *value)
{
    const int yes = pen_is_word(cell, "true") || pen_is_word(cell, "yes");

    *value = yes;
    return yes || pen_is_word(cell, "false") || pen_is_word(cell, "no");
}

enum pen_meaning pen_meaning_of(const pen_value_rules *rules, pen_text cell, double *value)
{
    if (pen_is_number(cell, rules->decimal, value) && isfinite(*value)
        && !is_missing_number(rules, *value))
        return PEN_MEANS_NUMBER;
    if (pen_is_missing_value(rules, cell)) {
        *value = (double)NAN;
        return PEN_MEANS_MISSING;
    }
    if (pen_is_logical(cell, value))
        return PEN_MEANS_NUMBER;
    return pen_is_number(cell, rules->decimal, value)
                   || pen_digit_groups_of(cell) != PEN_DIGIT_GROUPS_NONE
                   || pen_has_decimal_comma(cell) || pen_is_number(cell, '.', value)
               ? PEN_MEANS_REFUSED
               : PEN_MEANS_WORD;
}

/* The rule for values that this cell breaks. */
static const char *rule_for(const pen_value_rules *rules, pen_text cell, int *hints)
{
    const enum pen_digit_groups groups = pen_digit_groups_of(cell);
    double value;

    if (pen_is_number(cell, rules->decimal, &value))
        return "finite";
    if (groups == PEN_DIGIT_GROUPS_SURE)
        return "a number without thousands separators";
    if (!rules->mixed)
        *hints |= PEN_HINT_DECIMAL;
    if (rules->decimal == ',' && pen_is_number(cell, '.', &value))
        return groups ? "a number with a decimal comma, without thousands separators"
                      : "a number with a decimal comma";
    if (pen_has_decimal_comma(cell))
        return groups ? "a number with a decimal point, without thousands separators"
                      : "a number with a decimal point";
    *hints &= ~PEN_HINT_DECIMAL;
    return "a number";
}

pen_status pen_value_refuse(pen_run *run, const char *name, int64_t line, int64_t column,
                            pen_text cell, const pen_value_rules *rules, const char *more,
                            int hints)
{
    char quoted[PEN_QUOTE_SIZE];
    double value;

    if (pen_meaning_of(rules, cell, &value) == PEN_MEANS_MISSING) {
        pen_fail(run, PEN_BAD_FORMAT, "%s:%lld:%lld: value is missing, got \"%s\"%s", name,
                 (long long)line, (long long)column, pen_quote(cell, quoted), more);
        return pen_hint(run, PEN_BAD_FORMAT, hints);
    }
    hints &= ~PEN_HINT_MISSING;
    const char *const rule = rule_for(rules, cell, &hints);
    pen_fail(run, PEN_BAD_FORMAT, "%s:%lld:%lld: value must be %s, got \"%s\"%s", name,
             (long long)line, (long long)column, rule, pen_quote(cell, quoted), more);
    return pen_hint(run, PEN_BAD_FORMAT, hints);
}

pen_status pen_value(pen_run *run, const char *name, int64_t line, int64_t column, pen_text cell,
                     const pen_value_rules *rules, double *value)
{
    const enum pen_meaning meaning = pen_meaning_of(rules, cell, value);

    if (meaning == PEN_MEANS_NUMBER
        || (meaning == PEN_MEANS_MISSING && rules->missing != PEN_MISSING_ERROR))
        return PEN_OK;
    return pen_value_refuse(run, name, line, column, cell, rules, "", PEN_HINT_MISSING);
}

enum pen_whole pen_whole_of(double number, int64_t *value)
{
    if (!isfinite(number) || number != floor(number))
        return PEN_NOT_WHOLE;
    if (!(fabs(number) < 0x1p53))
        return PEN_TOO_LARGE;
    *value = (int64_t)number;
    return PEN_WHOLE;
}

enum pen_whole pen_whole_of_text(pen_text text, int64_t *value)
{
    const size_t sign = text.length > 0 && (text.start[0] == '-' || text.start[0] == '+');
    uint64_t sum = 0;
    double number;

    for (size_t i = sign; i < text.length; i++) {
        const char c = text.start[i];
        if (c < '0' || c > '9')
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

int pen_is_index(pen_text text, int64_t *index)
{
    return pen_whole_of_text(text, index) == PEN_WHOLE && *index < INT64_C(1) << 53
           && *index > -(INT64_C(1) << 53);
}
