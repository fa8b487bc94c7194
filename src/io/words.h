/* words.h - the distinct texts of a list, numbered in the order of their first occurrence by a hash
 * table. */
#ifndef PEN_WORDS_H
#define PEN_WORDS_H

#include "io/io.h"

/* Zeroed: no words. In scratch memory. */
typedef struct pen_words {
    pen_text *texts; /* [count] */
    int64_t count, room;
    int32_t *slots; /* [slot_count] number of a word, or -1 */
    uint64_t slot_count;
} pen_words;

/* The number of a word, or -1. */
int32_t pen_words_find(const pen_words *words, pen_text text);

/* Add a word that is not there yet; the characters are borrowed. PEN_BAD_DATA: more than 2^31 - 1
 * words, of `what`. */
pen_status pen_words_add(pen_run *run, pen_words *words, pen_text text, const char *what,
                         int32_t *number);

#endif
