/* json.c - the checks that cJSON omits, before and after parsing. */
#include "model/json.h"

#include "core/textbuf.h"
#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Is there a NUL, raw or escaped, which would end a C string early? */
static int has_nul(const char *text, size_t size)
{
    static const char escape[] = "u0000";

    if (memchr(text, '\0', size))
        return 1;
    for (size_t i = 0; i + 1 < size; i++) {
        if (text[i] != '\\')
            continue;
        i++;
        if (size - i >= strlen(escape) && memcmp(text + i, escape, strlen(escape)) == 0)
            return 1;
    }
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A key that occurs twice in an object, or NULL. */
static pen_status find_duplicate(pen_run *run, const cJSON *object, const char **key)
{
    const int64_t count = cJSON_GetArraySize(object);
    const cJSON *item;
    const char **keys;
    int64_t i = 0;

    *key = NULL;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, keys, count));
    cJSON_ArrayForEach(item, object) keys[i++] = item->string;
    qsort(keys, (size_t)count, sizeof *keys, by_text);
    for (i = 1; i < count; i++)
        if (strcmp(keys[i - 1], keys[i]) == 0)
            *key = keys[i];
    pen_release(run, mark);
    return PEN_OK;
}

/* Recursive; cJSON limits the depth of nesting. */
static pen_status check_keys(pen_run *run, const char *file, const char *what, const cJSON *value)
{
    const cJSON *item;
    const char *key = NULL;

    if (cJSON_IsObject(value) && value->child)
        PEN_TRY(find_duplicate(run, value, &key));
    PEN_REQUIRE(run, !key, PEN_BAD_FORMAT, "%s: %s has the key \"%.40s\" twice", file, what, key);
    cJSON_ArrayForEach(item, value) PEN_TRY(check_keys(run, file, what, item));
    return PEN_OK;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

pen_status pen_json_parse(pen_run *run, const char *file, const char *what, const char *text,
                          size_t size, cJSON **out)
{
    const char *end = NULL;

    *out = NULL;
    PEN_REQUIRE(run, pen_text_is_utf8(text, size), PEN_BAD_FORMAT, "%s: %s is not in UTF-8", file,
                what);
    PEN_REQUIRE(run, !has_nul(text, size), PEN_BAD_FORMAT, "%s: %s has a NUL in a string", file,
                what);
    *out = cJSON_ParseWithLengthOpts(text, size, &end, 0);
    while (*out && end < text + size && is_blank(*end))
        end++;
    pen_status status = PEN_OK;
    if (!*out || end != text + size)
        status = pen_fail(run, PEN_BAD_FORMAT, "%s: %s is not valid JSON", file, what);
    else
        status = check_keys(run, file, what, *out);
    if (status != PEN_OK) {
        cJSON_Delete(*out);
        *out = NULL;
    }
    return status;
}
