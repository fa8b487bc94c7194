/* textbuf.c - a growing text buffer. */
#include "core/textbuf.h"

#include "core/number.h"
#include "core/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

void pen_text_add(pen_string *text, const char *bytes, size_t size)
{
    if (text->failed)
        return;
    if (text->room - text->size <= size) {
        size_t room = text->room ? text->room : FIRST_ROOM;
        while (room - text->size <= size)
            room *= 2;
        char *grown = realloc(text->data, room);
        if (!grown) {
            text->failed = 1;
            return;
        }
        text->data = grown;
        text->room = room;
    }
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void pen_text_add_string(pen_string *text, const char *string)
{
    pen_text_add(text, string, strlen(string));
}

void pen_text_add_json(pen_string *text, const char *string)
{
    char escaped[8];

    pen_text_add(text, "\"", 1);
    for (const char *s = string, *const end = s + strlen(string); s < end;) {
        const size_t length = pen_text_character(s, (size_t)(end - s));
        if (length == 0) {
            pen_text_add_string(text, "\xEF\xBF\xBD");
            s++;
            continue;
        }
        if (*s == '"' || *s == '\\')
            snprintf(escaped, sizeof escaped, "\\%c", *s);
        else if (!pen_text_is_shown(s, length))
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)s[length - 1]);
        else {
            memcpy(escaped, s, length);
            escaped[length] = '\0';
        }
        pen_text_add_string(text, escaped);
        s += length;
    }
    pen_text_add(text, "\"", 1);
}

void pen_text_add_key(pen_string *text, const char *name)
{
    if (text->size > 0 && !strchr("{[", text->data[text->size - 1]))
        pen_text_add(text, ",", 1);
    if (!name)
        return;
    pen_text_add_json(text, name);
    pen_text_add(text, ":", 1);
}

void pen_text_add_plain(pen_string *text, const char *name, const char *json)
{
    pen_text_add_key(text, name);
    pen_text_add_string(text, json);
}

void pen_text_add_member(pen_string *text, const char *name, const char *value)
{
    pen_text_add_key(text, name);
    if (value)
        pen_text_add_json(text, value);
    else
        pen_text_add_string(text, "null");
}

void pen_text_add_text(pen_string *text, const char *name, pen_string *value)
{
    text->failed |= value->failed;
    if (!value->failed)
        pen_text_add_member(text, name, value->data);
    free(value->data);
}

void pen_text_add_flag(pen_string *text, const char *name, int value)
{
    pen_text_add_plain(text, name, value ? "true" : "false");
}

void pen_text_add_number(pen_string *text, const char *name, double value)
{
    char number[PEN_NUMBER_SIZE];

    pen_number_write(value, number);
    pen_text_add_plain(text, name, isfinite(value) ? number : "null");
}

void pen_text_add_count(pen_string *text, const char *name, int64_t value)
{
    pen_text_add_number(text, name, (double)value);
}

void pen_text_add_numbers(pen_string *text, const char *name, const double *values, int64_t count)
{
    pen_text_add_plain(text, name, "[");
    for (int64_t i = 0; i < count; i++)
        pen_text_add_number(text, NULL, values[i]);
    pen_text_add_string(text, "]");
}

void pen_text_add_counts(pen_string *text, const char *name, const int64_t *values, int64_t count)
{
    pen_text_add_plain(text, name, "[");
    for (int64_t i = 0; i < count; i++)
        pen_text_add_count(text, NULL, values[i]);
    pen_text_add_string(text, "]");
}

void pen_text_add_names(pen_string *text, const char *name, char *const *names, int64_t count)
{
    pen_text_add_plain(text, name, names ? "[" : "null");
    for (int64_t i = 0; names && i < count; i++)
        pen_text_add_member(text, NULL, names[i]);
    pen_text_add_string(text, names ? "]" : "");
}

void pen_text_add_base64(pen_string *text, const char *name, const void *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = bytes;

    pen_text_add_plain(text, name, "\"");
    for (size_t left = size; left > 0; left -= left < 3 ? left : 3, b += 3) {
        const unsigned first = *b, second = left > 1 ? b[1] : 0, third = left > 2 ? b[2] : 0;
        const char four[] = { digits[first >> 2], digits[(first & 3) << 4 | second >> 4],
                              left > 1 ? digits[(second & 15) << 2 | third >> 6] : '=',
                              left > 2 ? digits[third & 63] : '=' };
        pen_text_add(text, four, sizeof four);
    }
    pen_text_add(text, "\"", 1);
}

void pen_text_add_bits(pen_string *text, const char *name, const char *const *names, int bits)
{
    pen_text_add_plain(text, name, "[");
    for (int i = 0; names[i]; i++)
        if (bits & 1 << i)
            pen_text_add_member(text, NULL, names[i]);
    pen_text_add_string(text, "]");
}

const char *pen_label_text(const pen_data *data, int32_t label, char number[PEN_NUMBER_SIZE])
{
    if (data->class_names && label >= 0 && label < data->class_count)
        return data->class_names[label];
    snprintf(number, PEN_NUMBER_SIZE, "%ld", (long)label);
    return number;
}

pen_status pen_text_finish(pen_run *run, pen_string *text, char **out)
{
    pen_text_add(text, "", 0);
    *out = text->failed ? NULL : text->data;
    if (text->failed)
        free(text->data);
    const int failed = text->failed;
    *text = (pen_string){ .data = NULL };
    PEN_REQUIRE(run, !failed, PEN_NO_MEMORY, "out of memory");
    return PEN_OK;
}

size_t pen_text_give(pen_string *text, char *to, size_t size)
{
    char *made;

    if (pen_text_finish(NULL, text, &made) != PEN_OK)
        made = NULL;
    if (to && size > 0)
        snprintf(to, size, "%s", made ? made : "");
    const size_t length = made ? strlen(made) : 0;
    free(made);
    return length;
}
