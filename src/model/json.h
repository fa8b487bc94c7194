/* json.h - JSON from files, read strictly: each key of an object comes once, texts are UTF-8
 * without NUL, and there is one value and nothing after it but blanks. cJSON alone takes the first
 * of two keys and ends a text at its NUL. */
#ifndef PEN_JSON_H
#define PEN_JSON_H

#include "core/run.h"

#include <cjson/cJSON.h>

/* `file` and `what` are for messages: "FILE: WHAT is no JSON". PEN_BAD_FORMAT; then *out is NULL,
 * else cJSON_Delete frees it. */
pen_status pen_json_parse(pen_run *run, const char *file, const char *what, const char *text,
                          size_t size, cJSON **out);

#endif
