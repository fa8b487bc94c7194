/* utf8.h - characters in UTF-8. */
#ifndef PEN_UTF8_H
#define PEN_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length in bytes of the UTF-8 character at `text`, where `room` bytes are left; 0 if the bytes are
 * not valid UTF-8. */
size_t pen_text_character(const char *text, size_t room);

/* 1 if the character of `length` bytes (0: invalid) is safe to show on a terminal: it is not a
 * control character. */
int pen_text_is_shown(const char *character, size_t length);

/* Writes the bytes of a character; returns their number, 0 if there is no such character. */
enum { PEN_UTF8_SIZE = 4 };
size_t pen_utf8_put(uint32_t character, char bytes[PEN_UTF8_SIZE]);

/* The character with these two halves in UTF-16; 0: invalid. */
uint32_t pen_utf8_join(uint32_t high, uint32_t low);

/* The number of bytes before the first one that is not valid UTF-8. */
size_t pen_text_valid(const char *bytes, size_t size);

/* 1 if all bytes are valid UTF-8; NUL is allowed. */
int pen_text_is_utf8(const char *bytes, size_t size);

#endif
