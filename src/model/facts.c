/* facts.c - a JSON object as values that a program can take without reading JSON. */
#include "model/facts.h"

#include "model/json.h"

#include <stdlib.h>
#include <string.h>

static int holds_numbers(const pen_json *list)
{
    if (!pen_json_is(list, PEN_JSON_ARRAY))
        return 0;
    for (const pen_json *value = list->first; value; value = value->next)
        if (value->type != PEN_JSON_NUMBER)
            return 0;
    return list->count > 0;
}

static pen_status take_numbers(pen_run *run, const pen_json *list, pen_fact *out)
{
    double *numbers;
    int64_t i = 0;

    PEN_TRY(PEN_KEEP(run, numbers, list->count));
    for (const pen_json *value = list->first; value; value = value->next)
        numbers[i++] = value->number;
    out->type = PEN_FACT_NUMBERS;
    out->numbers = numbers;
    out->count = list->count;
    return PEN_OK;
}

static pen_status take_json(pen_run *run, const pen_json *value, pen_fact *out)
{
    char *text;

    PEN_TRY(PEN_KEEP(run, text, (int64_t)value->source_size + 1));
    memcpy(text, value->source, value->source_size);
    out->type = PEN_FACT_JSON;
    out->text = text;
    return PEN_OK;
}

static pen_status take(pen_run *run, const pen_json *value, pen_fact *out)
{
    out->name = value->name;
    if (holds_numbers(value))
        return take_numbers(run, value, out);
    if (value->type == PEN_JSON_STRING) {
        out->type = PEN_FACT_TEXT;
        out->text = value->text;
        return PEN_OK;
    }
    if (value->type != PEN_JSON_NUMBER && value->type != PEN_JSON_FLAG)
        return take_json(run, value, out);
    out->type = value->type == PEN_JSON_NUMBER ? PEN_FACT_NUMBER : PEN_FACT_FLAG;
    out->numbers = &value->number;
    out->count = 1;
    return PEN_OK;
}

pen_status pen_facts_new(pen_run *run, pen_json *object, pen_fact_store *out)
{
    pen_fact *list;

    *out = (pen_fact_store){ .tree = object };
    PEN_TRY(PEN_KEEP(run, list, object->count));
    out->facts.list = list;
    for (const pen_json *value = object->first; value; value = value->next)
        PEN_TRY(take(run, value, &list[out->facts.count++]));
    return PEN_OK;
}

pen_status pen_facts_of_text(pen_run *run, const char *json, pen_fact_store *out)
{
    pen_json *object;

    *out = (pen_fact_store){ .tree = NULL };
    PEN_TRY(pen_json_parse(run, "the model", "a description", json, strlen(json), &object));
    return pen_facts_new(run, object, out);
}

pen_status pen_facts_take(pen_run *run, char *json, char **to, pen_fact_store *store)
{
    pen_facts_free(store);
    free(*to);
    *to = json;
    *store = (pen_fact_store){ .tree = NULL };
    return pen_facts_of_text(run, json, store);
}

void pen_facts_free(pen_fact_store *store)
{
    for (int64_t i = 0; i < store->facts.count; i++) {
        const pen_fact *const fact = &store->facts.list[i];
        if (fact->type == PEN_FACT_NUMBERS)
            free((void *)fact->numbers);
        if (fact->type == PEN_FACT_JSON)
            free((void *)fact->text);
    }
    free((void *)store->facts.list);
    free(store->tree);
    *store = (pen_fact_store){ .tree = NULL };
}
