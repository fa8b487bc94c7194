/* textbuf.h - text that grows, and JSON written into it. */
#ifndef PEN_TEXTBUF_H
#define PEN_TEXTBUF_H

#include "core/run.h"

/* All zero: empty. Once an allocation has failed every further call does nothing; text_finish
 * tells. */
typedef struct pen_string {
    char *data;
    size_t size, room;
    int failed;
} pen_string;

void text_add(pen_string *text, const char *bytes, size_t size);
void text_add_string(pen_string *text, const char *string);

/* Bytes of the UTF-8 character at `text`, which `room` bytes are left of; 0 if there is none. */
size_t text_character(const char *text, size_t room);

/* Whether a character of that many bytes (0: none) may go to a terminal: it controls nothing. */
int text_is_shown(const char *character, size_t length);

/* 1 if the bytes are characters in UTF-8, NUL among them. */
int text_is_utf8(const char *bytes, size_t size);

/* The string in quotes with JSON's escapes; bytes that are not UTF-8 become U+FFFD. */
void text_add_json(pen_string *text, const char *string);

/* "name":  with a comma before it unless it is the first member of an object. */
void text_add_key(pen_string *text, const char *name);
/* a string member */
void text_add_member(pen_string *text, const char *name, const char *value);
/* a number member; not finite: null */
void text_add_number(pen_string *text, const char *name, double value);
/* a list of them */
void text_add_numbers(pen_string *text, const char *name, const double *values, int64_t count);

/* Hand the text over, NUL-terminated, to be freed by the receiver; or free it and say
 * PEN_NO_MEMORY. */
pen_status text_finish(pen_run *run, pen_string *text, char **out);

#endif
