/* textbuf.h - text that grows, and JSON written into it. */
#ifndef PEN_TEXTBUF_H
#define PEN_TEXTBUF_H

#include "core/run.h"

/* All zero: empty. Once an allocation has failed every further call does nothing; pen_text_finish
 * tells. */
typedef struct pen_string {
    char *data;
    size_t size, room;
    int failed;
} pen_string;

void pen_text_add(pen_string *text, const char *bytes, size_t size);
void pen_text_add_string(pen_string *text, const char *string);

/* The string in quotes with JSON's escapes; bytes that are not UTF-8 become U+FFFD. */
void pen_text_add_json(pen_string *text, const char *string);

/* "name":  with a comma before it unless it is the first member of an object. */
void pen_text_add_key(pen_string *text, const char *name);
/* a string member */
void pen_text_add_member(pen_string *text, const char *name, const char *value);
/* a number member; not finite: null */
void pen_text_add_number(pen_string *text, const char *name, double value);
/* a list of them */
void pen_text_add_numbers(pen_string *text, const char *name, const double *values, int64_t count);

/* Hand the text over, NUL-terminated, to be freed by the receiver; or free it and say
 * PEN_NO_MEMORY. */
pen_status pen_text_finish(pen_run *run, pen_string *text, char **out);

#endif
