/* text_params.c - parameters whose value is a text, made of other parameters. */
#include "core/params.h"

#include "core/meant.h"

#include <stdio.h>
#include <string.h>

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

/* NULL: there is no such step, or it has another value. */
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
                         "%s are taken once, in one order: set %s to %s, got \"%.60s\"",
                         param->name, param->name, right, text);
}

/* ---- head and tail ---- */

/* "; did you mean WORD?" for a text that is none of the words of a choice. */
static const char *meant_word(const pen_param *choice, const char *text, char meant[PEN_MEANT_SIZE])
{
    int count = 0;

    while (choice->type == PEN_PARAM_CHOICE && choice->choices[count])
        count++;
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
        pen_text_read(param, record, before, NULL); /* which it can */
    return status;
}
