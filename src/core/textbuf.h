/* textbuf.h - a growing text buffer, with JSON output. */
#ifndef PEN_TEXTBUF_H
#define PEN_TEXTBUF_H

#include "core/run.h"

/* All zero: empty. After a failed allocation all further calls do nothing; pen_text_finish reports
 * the failure. */
typedef struct pen_string {
    char *data;
    size_t size, room;
    int failed;
} pen_string;

void pen_text_add(pen_string *text, const char *bytes, size_t size);
void pen_text_add_string(pen_string *text, const char *string);

/* Adds the string in quotes with JSON escapes; bytes that are not UTF-8 become U+FFFD. */
void pen_text_add_json(pen_string *text, const char *string);

/* Adds "name": preceded by a comma unless it is the first member of an object. */
void pen_text_add_key(pen_string *text, const char *name);
/* Adds a string member. */
void pen_text_add_member(pen_string *text, const char *name, const char *value);
/* Adds a string member, which is another text; frees that. */
void pen_text_add_text(pen_string *text, const char *name, pen_string *value);
/* Adds a number member; null if the number is not finite. */
void pen_text_add_number(pen_string *text, const char *name, double value);
/* Adds an array of numbers. */
void pen_text_add_numbers(pen_string *text, const char *name, const double *values, int64_t count);

/* Transfers the NUL-terminated text to the caller, who frees it. On a failed allocation frees it
 * and returns PEN_NO_MEMORY. */
pen_status pen_text_finish(pen_run *run, pen_string *text, char **out);

#endif
