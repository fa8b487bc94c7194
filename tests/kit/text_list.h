/* text_list.h - splits a text into many, such as fits of one method with various parameters. */
#ifndef TEXT_LIST_H
#define TEXT_LIST_H

#include <stdint.h>

typedef struct text_list {
    int64_t count;
    const char *text[48];
} text_list;

/* Splits at "; ". "START: A; B" gives START, START A and START B. */
text_list text_list_of(const char *list);

#endif
