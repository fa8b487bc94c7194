/* class_list.c - the names of the classes of several blocks, in a hash table: an identifier or a
 * number to predict, given as labels, has as many classes as rows. */
#define _POSIX_C_SOURCE 200809L

#include "class_list.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

static uint64_t hash(const char *name)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */

    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

/* The slot of a name, or the free one where it belongs. */
static int64_t slot_of(const class_list *list, const char *name)
{
    const uint64_t mask = (uint64_t)list->slot_count - 1;
    uint64_t slot = hash(name) & mask;

    while (list->slots[slot] >= 0 && strcmp(list->names[list->slots[slot]], name) != 0)
        slot = (slot + 1) & mask;
    return (int64_t)slot;
}

/* Twice the room, when half of the slots are taken. */
static int grow(class_list *list)
{
    const int64_t room = list->count > 0 ? 2 * list->count : FIRST_ROOM;
    char **const names = realloc(list->names, (size_t)room * sizeof *names);

    if (names)
        list->names = names;
    int64_t *const slots = names ? malloc(2 * (size_t)room * sizeof *slots) : NULL;
    if (!slots)
        return 0;
    free(list->slots);
    list->slots = slots;
    list->slot_count = 2 * room;
    memset(slots, 0xFF, (size_t)list->slot_count * sizeof *slots);
    for (int64_t i = 0; i < list->count; i++)
        slots[slot_of(list, list->names[i])] = i;
    return 1;
}

static int add(class_list *list, const char *name)
{
    if (class_list_find(list, name) >= 0)
        return 1;
    if (2 * list->count == list->slot_count && !grow(list))
        return 0;
    char *const copy = strdup(name);
    if (!copy)
        return 0;
    list->slots[slot_of(list, name)] = list->count;
    list->names[list->count++] = copy;
    list->bytes += (double)strlen(name) + 1;
    return 1;
}

int class_list_add(class_list *list, const char *const *names, int64_t count)
{
    for (int64_t c = 0; c < count; c++)
        if (!add(list, names[c])) {
            class_list_free(list);
            return 0;
        }
    return 1;
}

int64_t class_list_find(const class_list *list, const char *name)
{
    return list->count > 0 ? list->slots[slot_of(list, name)] : -1;
}

void class_list_free(class_list *list)
{
    for (int64_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
    free(list->slots);
    *list = (class_list){ .names = NULL };
}
