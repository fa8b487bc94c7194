/* model_source.c - a model file that is read, and the JSON in its metadata. */
#include "model/model_source.h"

#include "core/checksum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEADER = 100000000 };

void pen_put_u64(uint64_t value, unsigned char bytes[8])
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
}

uint64_t pen_get_u64(const unsigned char bytes[8])
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* Before anything is believed: one flipped bit can make another valid header. */
static pen_status check_crc(const pen_model_source *s, const unsigned char *bytes, size_t size)
{
    enum { AT = LENGTH_SIZE + sizeof CRC_START - 1, END = AT + CRC_DIGITS };
    char found[CRC_DIGITS + 1];

    if (size < END || memcmp(bytes + LENGTH_SIZE, CRC_START, sizeof CRC_START - 1) != 0)
        return PEN_OK;
    const uint32_t start = pen_crc32(pen_crc32(0, bytes, AT), CRC_ZEROS, CRC_DIGITS);
    pen_crc32_text(pen_crc32(start, bytes + END, size - END), found);
    REFUSE_UNLESS(
        s, memcmp(found, bytes + AT, CRC_DIGITS) == 0,
        "%s: damaged: the CRC-32 of its %zu bytes is %s, which is not the one it begins with",
        s->name, size, found);
    return PEN_OK;
}

pen_status pen_source_open(pen_model_source *s, const unsigned char *bytes, size_t size,
                           pen_json **root)
{
    char what[80];

    REFUSE_UNLESS(s, size > LENGTH_SIZE, "%s: not %s: it has only %zu bytes", s->name, s->what,
                  size);
    const uint64_t length = pen_get_u64(bytes);
    REFUSE_UNLESS(
        s, length <= MOST_HEADER && length <= size - LENGTH_SIZE && bytes[LENGTH_SIZE] == '{',
        "%s: not %s, or a truncated one: its header does not fit a file of %zu bytes", s->name,
        s->what, size);
    PEN_TRY(check_crc(s, bytes, size));
    s->tensors = bytes + LENGTH_SIZE + length;
    s->tensor_bytes = (int64_t)(size - LENGTH_SIZE - length);
    snprintf(what, sizeof what, "not %s: its header", s->what);
    return pen_json_parse(s->run, s->name, what, (const char *)bytes + LENGTH_SIZE, (size_t)length,
                          root);
}

pen_status pen_source_text(const pen_model_source *s, const pen_json *metadata, const char *key,
                           const char **text)
{
    const pen_json *item = pen_json_member(metadata, key);
    REFUSE_UNLESS(s, pen_json_is(item, PEN_JSON_STRING) && item->text[0],
                  "%s: not %s: its metadata has no \"%s\"", s->name, s->what, key);
    *text = item->text;
    return PEN_OK;
}

pen_status pen_source_json(const pen_model_source *s, const pen_json *metadata, const char *key,
                           pen_json **out)
{
    const char *text = NULL;
    char what[80];

    PEN_TRY(pen_source_text(s, metadata, key, &text));
    snprintf(what, sizeof what, "metadata \"%s\"", key);
    return pen_json_parse(s->run, s->name, what, text, strlen(text), out);
}

static pen_status bad_names(const pen_model_source *s, const char *key)
{
    return pen_fail(s->run, PEN_BAD_FORMAT, "%s: metadata \"%s\" must be a list of strings",
                    s->name, key);
}

/* A list of names. *numbers: they are numbers; NULL: they must not be. */
static pen_status read_names(const pen_model_source *s, const char *key, const pen_json *list,
                             char ***names, int64_t *count, int *numbers)
{
    const pen_json *item;
    char text[24];
    int64_t i = 0;

    if (!pen_json_is(list, PEN_JSON_ARRAY))
        return bad_names(s, key);
    PEN_TRY(PEN_KEEP(s->run, *names, pen_max(1, list->count)));
    *count = list->count;
    if (numbers)
        *numbers = list->first && pen_json_is(list->first, PEN_JSON_NUMBER);
    for (item = list->first; item; item = item->next) {
        const int number = numbers && *numbers;
        if (!pen_json_is(item, number ? PEN_JSON_NUMBER : PEN_JSON_STRING))
            return bad_names(s, key);
        if (number && !(fabs(item->number) <= 0x1p31 && item->number == floor(item->number)))
            return bad_names(s, key);
        snprintf(text, sizeof text, "%.0f", number ? item->number + 0.0 : 0.0);
        PEN_TRY(pen_model_text(s->run, number ? text : item->text, &(*names)[i++]));
    }
    return PEN_OK;
}

pen_status pen_source_names(const pen_model_source *s, const pen_json *metadata, const char *key,
                            char ***names, int64_t *count, int *numbers)
{
    pen_json *list;

    PEN_TRY(pen_source_json(s, metadata, key, &list));
    const pen_status status = read_names(s, key, list, names, count, numbers);
    free(list);
    return status;
}

pen_status pen_source_features(const pen_model_source *s, const pen_json *metadata, int64_t columns,
                               char ***out)
{
    char **names = NULL;
    int64_t count = 0;

    const char *const key =
        pen_json_member(metadata, "column_names") ? "column_names" : "feature_names"; /* 0.1.0 */

    if (!pen_json_member(metadata, key))
        return PEN_OK;
    pen_status status = pen_source_names(s, metadata, key, &names, &count, NULL);
    if (status == PEN_OK && count == columns) {
        *out = names;
        return PEN_OK;
    }
    for (int64_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    PEN_TRY(status);
    return pen_fail(s->run, PEN_BAD_FORMAT, "%s: expected %lld column names, got %lld", s->name,
                    (long long)columns, (long long)count);
}

pen_status pen_source_number(const pen_model_source *s, const char *key, const pen_json *object,
                             const char *name, double least, double most, double *number)
{
    const pen_json *const item = pen_json_member(object, name);

    REFUSE_UNLESS(
        s, pen_json_is(item, PEN_JSON_NUMBER) && item->number >= least && item->number <= most,
        "%s: metadata \"%s\": %s must be a number in [%g, %g]", s->name, key, name, least, most);
    *number = item->number;
    return PEN_OK;
}
