/* text_list.h - many short texts in one, as fits of one method with other parameters. */
#ifndef TEXT_LIST_H
#define TEXT_LIST_H

#include <stdint.h>

typedef struct text_list {
    int64_t count;
    const char *text[48];
} text_list;

/* The texts that "; " separates; "START: A; B" are START, START A and START B. */
text_list text_list_of(const char *list);

#endif
