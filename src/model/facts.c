/* facts.c - a JSON object as values that a program can take without reading JSON. */
#include "model/facts.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

/* What flags have for a number. */
static const double truth[] = { 0, 1 };

static int holds_numbers(const cJSON *list)
{
    const cJSON *value;

    cJSON_ArrayForEach(value, list)
    {
        if (!cJSON_IsNumber(value))
            return 0;
    }
    return cJSON_IsArray(list) && list->child;
}

static pen_status take_numbers(pen_run *run, const cJSON *list, pen_fact *out)
{
    const int64_t count = cJSON_GetArraySize(list);
    double *const numbers = pen_keep(run, count, sizeof *numbers);
    const cJSON *value;
    int64_t i = 0;

    if (!numbers)
        return PEN_NO_MEMORY;
    cJSON_ArrayForEach(value, list) numbers[i++] = value->valuedouble;
    out->type = PEN_FACT_NUMBERS;
    out->numbers = numbers;
    out->count = count;
    return PEN_OK;
}

static pen_status take_json(pen_run *run, const cJSON *value, pen_fact *out)
{
    out->type = PEN_FACT_JSON;
    out->text = cJSON_PrintUnformatted(value);
    PEN_REQUIRE(run, out->text, PEN_NO_MEMORY, "out of memory");
    return PEN_OK;
}

static pen_status take(pen_run *run, const cJSON *value, pen_fact *out)
{
    out->name = value->string;
    if (holds_numbers(value))
        return take_numbers(run, value, out);
    if (cJSON_IsString(value)) {
        out->type = PEN_FACT_TEXT;
        out->text = value->valuestring;
        return PEN_OK;
    }
    if (!cJSON_IsNumber(value) && !cJSON_IsBool(value))
        return take_json(run, value, out);
    out->type = cJSON_IsNumber(value) ? PEN_FACT_NUMBER : PEN_FACT_FLAG;
    out->numbers = cJSON_IsNumber(value) ? &value->valuedouble : &truth[cJSON_IsTrue(value)];
    out->count = 1;
    return PEN_OK;
}

pen_status pen_facts_new(pen_run *run, cJSON *object, pen_fact_store *out)
{
    const cJSON *value;

    *out = (pen_fact_store){ .tree = object };
    PEN_REQUIRE(run, object, PEN_NO_MEMORY, "out of memory");
    pen_fact *const list = pen_keep(run, cJSON_GetArraySize(object), sizeof *list);
    if (!list)
        return PEN_NO_MEMORY;
    out->facts.list = list;
    cJSON_ArrayForEach(value, object) PEN_TRY(take(run, value, &list[out->facts.count++]));
    return PEN_OK;
}

pen_status pen_facts_of_text(pen_run *run, const char *json, pen_fact_store *out)
{
    return pen_facts_new(run, cJSON_Parse(json), out);
}

void pen_facts_free(pen_fact_store *store)
{
    for (int64_t i = 0; i < store->facts.count; i++) {
        const pen_fact *const fact = &store->facts.list[i];
        if (fact->type == PEN_FACT_NUMBERS)
            free((void *)fact->numbers);
        if (fact->type == PEN_FACT_JSON)
            cJSON_free((void *)fact->text);
    }
    free((void *)store->facts.list);
    cJSON_Delete(store->tree);
    *store = (pen_fact_store){ .tree = NULL };
}
