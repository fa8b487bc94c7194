/* model_source.c - a model file that is read, and the JSON in its metadata. */
#include "model/model_source.h"

#include <stdio.h>
#include <string.h>

pen_status pen_source_text(const pen_model_source *s, const pen_json *metadata, const char *key,
                           const char **text)
{
    const pen_json *item = pen_json_member(metadata, key);
    REFUSE_UNLESS(s, pen_json_is(item, PEN_JSON_STRING) && item->text[0],
                  "%s: not a penumbra model: its metadata has no \"%s\"", s->name, key);
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
