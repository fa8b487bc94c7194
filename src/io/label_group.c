/* label_group.c - labels as a group of columns, of which each row has a 1 in the one of its
 * class. */
#include "io/label_group.h"

#include "io/words.h"

#include <string.h>

pen_status pen_label_group_open(pen_run *run, const char *name, const pen_columns *columns,
                                const pen_text **names)
{
    pen_words words = { .texts = NULL };
    char(*numbers)[PEN_COLUMN_NUMBER_SIZE];
    char quoted[PEN_QUOTE_SIZE];
    int32_t number;

    PEN_TRY(PEN_NEW(run, numbers, columns->number[PEN_COLUMN_LABEL]));
    for (int64_t j = 0; j < columns->count; j++) {
        if (columns->roles[j] != PEN_COLUMN_LABEL)
            continue;
        const pen_text text = pen_column_name(columns, j, numbers[columns->places[j]]);
        PEN_REQUIRE(run, pen_words_find(&words, text) < 0, PEN_BAD_FORMAT,
                    "%s: label columns must have different names, got \"%s\" twice", name,
                    pen_quote(text, quoted));
        PEN_TRY(pen_words_add(run, &words, text, "label columns", &number));
    }
    *names = words.texts;
    return PEN_OK;
}

static int is_word(pen_text text, const char *word)
{
    if (text.length != strlen(word))
        return 0;
    for (size_t i = 0; i < text.length; i++)
        if ((text.start[i] | 0x20) != word[i])
            return 0;
    return 1;
}

pen_status pen_label_group_add(pen_run *run, const char *name, int64_t line, int64_t column,
                               pen_text cell, int64_t place, const pen_value_rules *rules,
                               pen_indicators *row)
{
    char quoted[PEN_QUOTE_SIZE];
    double value = -1;

    if (is_word(cell, "true") || is_word(cell, "false")) {
        value = is_word(cell, "true");
    } else if (pen_meaning_of(rules, cell, &value) == PEN_MEANS_MISSING) {
        row->missing++;
        return PEN_OK;
    }
    PEN_REQUIRE(run, value == 0 || value == 1, PEN_BAD_FORMAT,
                "%s:%lld:%lld: a label column must have 1 for the class of the row and 0 for "
                "others, got \"%s\"",
                name, (long long)line, (long long)column, pen_quote(cell, quoted));
    if (value == 1) {
        row->ones++;
        row->place = place;
    }
    return PEN_OK;
}

pen_status pen_label_group_class(pen_run *run, const char *name, int64_t line,
                                 const pen_text *names, int64_t count, const pen_indicators *row,
                                 pen_text *out)
{
    *out = (pen_text){ "", 0 };
    if (row->missing == count)
        return PEN_OK;
    PEN_REQUIRE(run, row->ones == 1 && row->missing == 0, PEN_BAD_FORMAT,
                "%s:%lld: exactly one of the %lld label columns must be 1, got %lld%s", name,
                (long long)line, (long long)count, (long long)row->ones,
                row->missing > 0 ? " and missing values" : "");
    *out = names[row->place];
    return PEN_OK;
}
