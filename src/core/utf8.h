/* utf8.h - characters in UTF-8. */
#ifndef PEN_UTF8_H
#define PEN_UTF8_H

#include <stddef.h>

/* Length in bytes of the UTF-8 character at `text`, where `room` bytes are left; 0 if the bytes are
 * not valid UTF-8. */
size_t pen_text_character(const char *text, size_t room);

/* 1 if the character of `length` bytes (0: invalid) is safe to show on a terminal: it is not a
 * control character. */
int pen_text_is_shown(const char *character, size_t length);

/* The number of bytes before the first one that is not valid UTF-8. */
size_t pen_text_valid(const char *bytes, size_t size);

/* 1 if all bytes are valid UTF-8; NUL is allowed. */
int pen_text_is_utf8(const char *bytes, size_t size);

#endif
