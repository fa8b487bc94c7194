/* json.h - strict reading of JSON (RFC 8259): strings are UTF-8 without NUL, keys of an object are
 * unique, and nothing but white space follows the value. */
#ifndef PEN_JSON_H
#define PEN_JSON_H

#include "core/run.h"

typedef enum pen_json_type {
    PEN_JSON_NULL,
    PEN_JSON_FLAG,
    PEN_JSON_NUMBER,
    PEN_JSON_STRING,
    PEN_JSON_ARRAY,
    PEN_JSON_OBJECT
} pen_json_type;

/* A value. It shares one block of memory with all values inside it. */
typedef struct pen_json {
    pen_json_type type;
    const char *name;                    /* of a member of an object; otherwise NULL */
    const char *text;                    /* of a string; otherwise NULL */
    double number;                       /* infinite if too large; of flags 1 or 0 */
    int64_t count;                       /* the number of values in an array or object */
    const struct pen_json *first, *next; /* its first value; the next value in the same parent */
    const char *source;                  /* its start in the parsed text */
    size_t source_size;
} pen_json;

enum { PEN_JSON_DEPTH = 100 };

/* Parse text [size]. `file` and `what` are for messages: "FILE: WHAT is not valid JSON". *out, NULL
 * on failure, is scratch memory of the run, or, with _kept, outlives it: free() it.
 * PEN_BAD_FORMAT: any violation of the above, or more than PEN_JSON_DEPTH arrays and objects inside
 * each other.
 * Memory: one value for each comma, colon and bracket of the text, and `size` bytes. */
pen_status pen_json_parse(pen_run *run, const char *file, const char *what, const char *text,
                          size_t size, pen_json **out);
pen_status pen_json_parse_kept(pen_run *run, const char *file, const char *what, const char *text,
                               size_t size, pen_json **out);

/* 1 if there is a value, and it has this type. */
int pen_json_is(const pen_json *value, pen_json_type type);

/* The member of that name; NULL: there is none, or `object` is no object. */
const pen_json *pen_json_member(const pen_json *object, const char *name);

/* Value `index` of an array; NULL: there is none. */
const pen_json *pen_json_item(const pen_json *array, int64_t index);

#endif
