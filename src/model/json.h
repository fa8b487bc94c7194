/* json.h - strict parsing of JSON from files: keys of an object are unique, strings are UTF-8
 * without NUL, and nothing but white space follows the value. cJSON alone takes the first of
 * duplicate keys and truncates strings at a NUL. */
#ifndef PEN_JSON_H
#define PEN_JSON_H

#include "core/run.h"

#include <cjson/cJSON.h>

/* `file` and `what` are for messages: "FILE: WHAT is not valid JSON". Free *out with cJSON_Delete;
 * it is NULL on failure. PEN_BAD_FORMAT: any violation of the above. */
pen_status pen_json_parse(pen_run *run, const char *file, const char *what, const char *text,
                          size_t size, cJSON **out);

#endif
