/* model_source.c - a model file that is read, and the JSON in its metadata. */
#include "model/model_source.h"

#include <stdio.h>
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

pen_status pen_source_json(const pen_model_source *s, const char *key, const char *text,
                           pen_json **out)
{
    char what[80];

    snprintf(what, sizeof what, "metadata \"%s\"", key);
    return pen_json_parse(s->run, s->name, what, text, strlen(text), out);
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
