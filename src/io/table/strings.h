/* strings.h - borrowed texts: compared, cut, and quoted in messages. */
#ifndef PEN_STRINGS_H
#define PEN_STRINGS_H

#include "core/run.h"

/* Borrowed characters, not NUL-terminated. */
typedef struct pen_text {
    const char *start;
    size_t length;
} pen_text;

pen_text pen_text_of(const char *string);
int pen_text_equal(pen_text a, pen_text b);
int pen_text_order(pen_text a, pen_text b);       /* by bytes: < 0, 0 or > 0 */
int pen_is_word(pen_text text, const char *word); /* equal, ignoring case */
pen_text pen_trim(pen_text text);                 /* without blanks and tabs at the ends */

/* Is the text a whole number of at most 18 digits, without a sign? */
int pen_is_count(pen_text text, int64_t *out);

/* Are the first bytes [length] of two texts equal, ignoring case? */
int pen_is_alike(const char *a, const char *b, size_t length);

/* Does the path end in this extension, ignoring case? */
int pen_has_extension(const char *path, const char *extension);

/* Quotes a text for messages: on one line, truncated if long. */
enum { PEN_QUOTE_SIZE = 48 };
const char *pen_quote(pen_text text, char quoted[PEN_QUOTE_SIZE]);

/* Shortens the name of a file to [size] for a message: dots, then the end of the name. */
void pen_short_name(const char *name, char *shown, size_t size);

/* Quotes a word for a shell if necessary. Returns 0 if it does not fit, is empty, looks like an
 * option, or has a character that messages do not show. */
int pen_shell_word(pen_text word, char *quoted, size_t size);

/* Adds a quoted text to a list [size] for a message, after a comma unless it is the first; if it
 * does not fit, "..." ends the list. */
void pen_list_add(char *list, size_t size, pen_text text);

/* The names prefixN, N = first, first + 1, .., in scratch memory. */
pen_status pen_number_names(pen_run *run, const char *prefix, int64_t first, int64_t count,
                            const char *const **out);

#endif
