/* utf8.h - characters in UTF-8. */
#ifndef PEN_UTF8_H
#define PEN_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character at `text`, which `room` bytes are left of; 0 if there is none. */
size_t pen_text_character(const char *text, size_t room);

/* Whether a character of that many bytes (0: none) may go to a terminal: it controls nothing. */
int pen_text_is_shown(const char *character, size_t length);

/* 1 if the bytes are characters in UTF-8, NUL among them. */
int pen_text_is_utf8(const char *bytes, size_t size);

#endif
