/* class_list.h - the names of the classes of several blocks, each once. */
#ifndef CLASS_LIST_H
#define CLASS_LIST_H

#include <stdint.h>

typedef struct class_list {
    char **names; /* [count] in the order in which they came */
    int64_t count;
    int64_t *slots; /* [slot_count] a hash table of them, -1: free */
    int64_t slot_count;
    double bytes; /* of the names, with their ends */
} class_list;

/* Adds those that are not there yet. Returns 0 if out of memory; then the list is empty. */
int class_list_add(class_list *list, const char *const *names, int64_t count);

/* The number of a name, or -1. */
int64_t class_list_find(const class_list *list, const char *name);
void class_list_free(class_list *list);

#endif
