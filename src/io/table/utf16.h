/* utf16.h - converts UTF-16 to UTF-8. */
#ifndef PEN_UTF16_H
#define PEN_UTF16_H

#include "io/table/file_input.h"

/* Is it UTF-16 with a byte order mark, like "Unicode text" of spreadsheets? */
int pen_is_utf16(const pen_input *input);

/* The same text as UTF-8, in scratch memory, at most 1.5 times the size. PEN_BAD_FORMAT:
 * half a character. */
pen_status pen_utf16_read(pen_run *run, const pen_input *input, pen_input *out);

#endif
