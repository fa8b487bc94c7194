/* textbuf.h - a growing text buffer, with JSON output. */
#ifndef PEN_TEXTBUF_H
#define PEN_TEXTBUF_H

#include "core/number.h"
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

/* Begins a value: adds "name": for a member of an object, or nothing if `name` is NULL, for an item
 * of a list. A comma comes first, except for the first value. The functions below do the same and
 * add a value. */
void pen_text_add_key(pen_string *text, const char *name);
/* Adds a value, or its beginning, that is already JSON. */
void pen_text_add_plain(pen_string *text, const char *name, const char *json);
/* A string; NULL: null. */
void pen_text_add_member(pen_string *text, const char *name, const char *value);
/* A string from another text, which is freed. */
void pen_text_add_text(pen_string *text, const char *name, pen_string *value);
/* true; 0: false. */
void pen_text_add_flag(pen_string *text, const char *name, int value);
/* A number; null if it is not finite. */
void pen_text_add_number(pen_string *text, const char *name, double value);
void pen_text_add_count(pen_string *text, const char *name, int64_t value);
/* Lists. `names` may be NULL: null. */
void pen_text_add_numbers(pen_string *text, const char *name, const double *values, int64_t count);
void pen_text_add_counts(pen_string *text, const char *name, const int64_t *values, int64_t count);
void pen_text_add_names(pen_string *text, const char *name, char *const *names, int64_t count);
/* Bytes in base64. */
void pen_text_add_base64(pen_string *text, const char *name, const void *bytes, size_t size);
/* The `names`, ended by NULL, whose bits are set. */
void pen_text_add_bits(pen_string *text, const char *name, const char *const *names, int bits);

/* The name of a label of the data; without a name its number, written to `number`. */
const char *pen_label_text(const pen_data *data, int32_t label, char number[PEN_NUMBER_SIZE]);

/* Transfers the NUL-terminated text to the caller, who frees it. On a failed allocation frees it
 * and returns PEN_NO_MEMORY. */
pen_status pen_text_finish(pen_run *run, pen_string *text, char **out);

/* Copies as much as fits into `to` [size] with a final NUL, frees the text, and returns its full
 * length; 0 if an allocation failed. */
size_t pen_text_give(pen_string *text, char *to, size_t size);

#endif
