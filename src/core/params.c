/* params.c - parameters by name, and text parameters made of other parameters. */
#include "core/params.h"

#include "core/meant.h"
#include "core/number.h"

#include <stdio.h>
#include <string.h>

static const double LARGEST_INTEGER = 0x1p53; /* all whole numbers up to it are doubles */

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

static int choice_count(const pen_param *param)
{
    int count = 0;

    while (param->choices[count])
        count++;
    return count;
}

static double largest(const pen_param *param)
{
    return param->type == PEN_PARAM_CHOICE ? choice_count(param) - 1 : param->max;
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
        if (inside && value > LARGEST_INTEGER)
            return pen_error_set(err, PEN_BAD_ARGUMENT, "%s must be at most 2^53, got %s",
                                 param->name, got);
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
            store(param, record, word->value); /* may be outside the range */
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

/* ---- texts, which are made of other parameters ---- */

static void add(char *text, const char *part)
{
    const size_t used = strlen(text);

    snprintf(text + used, PEN_PARAM_SIZE - used, "%s", part);
}

static void add_value(char *text, const pen_param *param, const void *record)
{
    const size_t used = strlen(text);

    pen_param_text(param, pen_param_get(param, record), text + used, PEN_PARAM_SIZE - used);
}

void pen_text_write(const pen_text_form *form, const void *record, char *text)
{
    const pen_param *part = form->parts;

    *text = '\0';
    if (form->write) {
        form->write(record, text);
        return;
    }
    if (!form->list)
        add_value(text, part++, record);
    for (; part->name; part++) {
        if ((form->list || *text)
            && (pen_param_is_usual(part, record)
                || (form->takes && !form->takes(pen_param_get(form->parts, record)))))
            continue;
        add(text, !*text ? "" : form->list ? "," : ":");
        add(text, form->list ? part->name : "");
        if (part->type == PEN_PARAM_FLAG)
            continue;
        add(text, form->list ? ":" : "");
        add_value(text, part, record);
    }
}

/* ---- lists ---- */

/* NULL: no such step, or its value is invalid. */
static const pen_param *read_step(const pen_param *steps, const char *text, size_t length,
                                  void *record)
{
    char name[PEN_PARAM_SIZE], *value;

    if (length >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if ((value = strchr(name, ':')))
        *value++ = '\0';
    const pen_param *const step = pen_param_find(steps, name);
    return step && (step->type == PEN_PARAM_FLAG) == !value
                   && pen_param_read(step, record, value ? value : "true", NULL) == PEN_OK
               ? step
               : NULL;
}

static pen_status read_list(const pen_param *param, void *record, const char *text, pen_error *err)
{
    const pen_param *last = NULL;
    char right[PEN_PARAM_SIZE];
    int ordered = 1;

    for (const char *at = strcmp(text, "none") == 0 ? "" : text; *at;) {
        const size_t length = strcspn(at, ",");
        const pen_param *const step = read_step(param->form->parts, at, length, record);
        if (!step || (at[length] && !at[length + 1]))
            return pen_error_set(
                err, PEN_BAD_ARGUMENT,
                "%s must be steps joined by commas, in this order: %s; got \"%.60s\"", param->name,
                param->syntax, text);
        ordered &= !last || step > last;
        last = step;
        at += length + (at[length] == ',');
    }
    if (ordered)
        return PEN_OK;
    pen_text_write(param->form, record, right);
    return pen_error_set(err, PEN_BAD_ARGUMENT,
                         "%s must be in order, each once: set %s to %s, got \"%.60s\"", param->name,
                         param->name, right, text);
}

/* ---- head and tail ---- */

/* "; did you mean WORD?" for a text that is not a word of the choice. */
static const char *meant_word(const pen_param *choice, const char *text, char meant[PEN_MEANT_SIZE])
{
    const int count = choice->type == PEN_PARAM_CHOICE ? choice_count(choice) : 0;

    return pen_meant(text, choice->choices, count, meant);
}

static pen_status read_pair(const pen_param *param, void *record, const char *text, pen_error *err)
{
    const pen_param *const head = param->form->parts, *const tail = head + 1;
    char before[PEN_PARAM_SIZE], range[PEN_PARAM_SIZE] = "", meant[PEN_MEANT_SIZE];
    const char *after = NULL;
    pen_status status = PEN_BAD_ARGUMENT;

    snprintf(before, sizeof before, "%s", text);
    char *const colon = strchr(before, ':');
    if (colon) {
        *colon = '\0';
        after = colon + 1;
    }
    if (strlen(text) < sizeof before)
        status = pen_param_read(head, record, before, NULL);
    if (status != PEN_OK && !colon && pen_param_read(head, record, "", NULL) == PEN_OK) {
        after = text;
        status = PEN_OK;
    }
    if (status == PEN_OK && after)
        status = param->form->takes && !param->form->takes(pen_param_get(head, record))
                     ? PEN_BAD_ARGUMENT
                     : pen_param_read(tail, record, after, NULL);
    if (status == PEN_OK)
        return PEN_OK;
    if (tail->max < PEN_NO_LIMIT)
        snprintf(range, sizeof range, ", %s in [%g, %g]", tail->name, tail->min, tail->max);
    return pen_error_set(err, status, "%s must be %s%s; got \"%.60s\"%s", param->name,
                         param->syntax, range, text, meant_word(head, before, meant));
}

pen_status pen_text_read(const pen_param *param, void *record, const char *text, pen_error *err)
{
    char before[PEN_PARAM_SIZE];

    if (param->form->read)
        return param->form->read(text, record)
                   ? PEN_OK
                   : pen_error_set(err, PEN_BAD_ARGUMENT, "%s must be %s, got \"%.60s\"",
                                   param->name, param->syntax, text);
    pen_text_write(param->form, record, before);
    pen_params_reset(param->form->parts, record, NULL);
    const pen_status status = param->form->list ? read_list(param, record, text, err)
                                                : read_pair(param, record, text, err);
    if (status != PEN_OK)
        pen_text_read(param, record, before, NULL); /* cannot fail */
    return status;
}
