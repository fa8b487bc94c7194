/* params.c - parameters by name. */
#include "core/params.h"

#include "core/meant.h"
#include "core/number.h"

#include <stdio.h>
#include <string.h>

static const double LARGEST_INTEGER = 0x1p53; /* every whole number up to it is a double */

int pen_name_equal(const char *a, const char *b)
{
    for (;; a++, b++) {
        const char p = *a == '-' ? '_' : *a, q = *b == '-' ? '_' : *b;
        if (p != q)
            return 0;
        if (p == '\0')
            return 1;
    }
}

const pen_param *pen_param_find(const pen_param *table, const char *name)
{
    for (const pen_param *param = table; param->name; param++)
        if (pen_name_equal(param->name, name))
            return param;
    return NULL;
}

static void store(const pen_param *param, void *record, double value)
{
    char *const place = (char *)record + param->offset;
    const int64_t whole = param->type == PEN_PARAM_REAL ? 0 : (int64_t)value;
    const int small = (int)whole;

    switch (param->type) {
    case PEN_PARAM_REAL:
        memcpy(place, &value, sizeof value);
        break;
    case PEN_PARAM_INT:
        memcpy(place, &whole, sizeof whole);
        break;
    case PEN_PARAM_CHOICE:
    case PEN_PARAM_FLAG:
        memcpy(place, &small, sizeof small);
        break;
    case PEN_PARAM_TEXT:
        break;
    }
}

double pen_param_get(const pen_param *param, const void *record)
{
    const char *const place = (const char *)record + param->offset;
    double real = 0;
    char text[PEN_PARAM_SIZE];
    int64_t whole;
    int small;

    switch (param->type) {
    case PEN_PARAM_REAL:
        memcpy(&real, place, sizeof real);
        break;
    case PEN_PARAM_INT:
        memcpy(&whole, place, sizeof whole);
        real = (double)whole;
        break;
    case PEN_PARAM_CHOICE:
    case PEN_PARAM_FLAG:
        memcpy(&small, place, sizeof small);
        real = small;
        break;
    case PEN_PARAM_TEXT:
        pen_text_write(param->form, place, text);
        if (!pen_number_is(text, strlen(text), &real))
            real = (double)NAN;
        break;
    }
    return real;
}

void pen_param_write(const pen_param *param, const void *record, char *text)
{
    if (param->type == PEN_PARAM_TEXT)
        pen_text_write(param->form, (const char *)record + param->offset, text);
    else
        pen_param_text(param, pen_param_get(param, record), text, PEN_PARAM_SIZE);
}

int pen_param_is_usual(const pen_param *param, const void *record)
{
    char text[PEN_PARAM_SIZE];

    if (param->type != PEN_PARAM_TEXT)
        return pen_param_get(param, record) == param->initial;
    pen_param_write(param, record, text);
    return strcmp(text, param->text) == 0;
}

void pen_params_reset(const pen_param *table, void *own, void *common)
{
    for (const pen_param *param = table; param->name; param++) {
        void *const record = param->common ? common : own;
        if (param->type == PEN_PARAM_TEXT)
            pen_text_read(param, (char *)record + param->offset, param->text, NULL);
        else
            store(param, record, param->initial);
    }
}

static double largest(const pen_param *param)
{
    if (param->type != PEN_PARAM_CHOICE)
        return param->max;
    int count = 0;
    while (param->choices[count])
        count++;
    return count - 1;
}

/* "in [0, 1]", ">= 1", "off, rank, ..." after "must be". */
static void range_text(const pen_param *param, char *text, size_t size)
{
    char low[PEN_NUMBER_SIZE], high[PEN_NUMBER_SIZE];
    const char *const whole = param->type == PEN_PARAM_INT ? "a whole number " : "";
    size_t used;

    pen_number_write(param->min, low);
    pen_number_write(largest(param), high);
    if (param->max < PEN_NO_LIMIT)
        snprintf(text, size, "%sin %c%s, %s%c", whole, param->open & PEN_OPEN_MIN ? '(' : '[', low,
                 high, param->open & PEN_OPEN_MAX ? ')' : ']');
    else
        snprintf(text, size, "%s%s %s", whole, param->open & PEN_OPEN_MIN ? ">" : ">=", low);
    for (const pen_word *word = param->words; word && word->text; word++) {
        used = strlen(text);
        snprintf(text + used, size - used, " or %s", word->text);
    }
}

static pen_status out_of_range(const pen_param *param, const char *got, pen_error *err)
{
    char range[128];
    range_text(param, range, sizeof range);
    return pen_error_set(err, PEN_BAD_ARGUMENT, "%s must be %s, got %.60s", param->name, range,
                         got);
}

pen_status pen_param_set(const pen_param *param, void *record, double value, pen_error *err)
{
    char got[PEN_NUMBER_SIZE];

    if (param->type == PEN_PARAM_TEXT) {
        pen_number_write(value, got);
        return pen_param_read(param, record, got, err);
    }
    const int inside =
        isfinite(value) && (param->open & PEN_OPEN_MIN ? value > param->min : value >= param->min)
        && (param->open & PEN_OPEN_MAX ? value < param->max : value <= largest(param));
    const int whole = param->type == PEN_PARAM_REAL
                      || (inside && value <= LARGEST_INTEGER && value == floor(value));

    if (!inside || !whole) {
        pen_number_write(value, got);
        return out_of_range(param, got, err);
    }
    store(param, record, value);
    return PEN_OK;
}

static pen_status read_choice(const pen_param *param, void *record, const char *text,
                              pen_error *err)
{
    char known[160] = "", meant[PEN_MEANT_SIZE];
    int count = 0;

    for (; param->choices[count]; count++) {
        if (pen_name_equal(param->choices[count], text))
            return pen_param_set(param, record, count, err);
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", count ? ", " : "",
                 param->choices[count]);
    }
    return pen_error_set(err, PEN_UNKNOWN_NAME, "%s must be one of %s, got \"%.60s\"%s",
                         param->name, known, text, pen_meant(text, param->choices, count, meant));
}

pen_status pen_param_read(const pen_param *param, void *record, const char *text, pen_error *err)
{
    double value;
    char got[80];

    if (param->type == PEN_PARAM_TEXT)
        return pen_text_read(param, (char *)record + param->offset, text, err);
    if (param->type == PEN_PARAM_CHOICE)
        return read_choice(param, record, text, err);
    if (param->type == PEN_PARAM_FLAG && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
        return pen_param_set(param, record, text[0] == 't', err);
    for (const pen_word *word = param->words; word && word->text; word++)
        if (strcmp(text, word->text) == 0) {
            store(param, record, word->value); /* it may be outside the range */
            return PEN_OK;
        }
    if (!pen_number_is(text, strlen(text), &value)) {
        snprintf(got, sizeof got, "\"%.60s\"", text);
        return param->type == PEN_PARAM_FLAG ? pen_error_set(
                   err, PEN_BAD_ARGUMENT, "%s must be true or false, got %s", param->name, got)
                                             : out_of_range(param, got, err);
    }
    return pen_param_set(param, record, value, err);
}

void pen_param_text(const pen_param *param, double value, char *text, size_t size)
{
    char number[PEN_NUMBER_SIZE];

    if (param->type == PEN_PARAM_TEXT) {
        snprintf(text, size, "%s", param->text);
        return;
    }
    for (const pen_word *word = param->words; word && word->text; word++)
        if (value == word->value) {
            snprintf(text, size, "%s", word->text);
            return;
        }
    if (param->type == PEN_PARAM_CHOICE && value >= 0 && value <= largest(param)) {
        snprintf(text, size, "%s", param->choices[(int)value]);
    } else if (param->type == PEN_PARAM_FLAG) {
        snprintf(text, size, "%s", value != 0 ? "true" : "false");
    } else {
        pen_number_write(value, number);
        snprintf(text, size, "%s", number);
    }
}
