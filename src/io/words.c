/* words.c - the distinct texts of a list. */
#include "io/words.h"

#include <string.h>

enum { FIRST_ROOM = 64 };

static uint64_t hash(pen_text text)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < text.length; i++)
        h = (h ^ (unsigned char)text.start[i]) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

/* The slot of a text, or the free one where it belongs. */
static uint64_t slot_of(const pen_words *words, pen_text text)
{
    uint64_t slot = hash(text) & (words->slot_count - 1);
    while (words->slots[slot] >= 0 && !pen_text_equal(words->texts[words->slots[slot]], text))
        slot = (slot + 1) & (words->slot_count - 1);
    return slot;
}

static pen_status grow(pen_run *run, pen_words *words)
{
    const pen_words old = *words;

    words->room = old.room ? pen_times(2, old.room) : FIRST_ROOM;
    words->slot_count = (uint64_t)pen_times(2, words->room);
    PEN_TRY(PEN_NEW(run, words->texts, words->room));
    PEN_TRY(PEN_NEW(run, words->slots, (int64_t)words->slot_count));
    memset(words->slots, 0xFF, words->slot_count * sizeof *words->slots);
    if (old.count > 0)
        memcpy(words->texts, old.texts, (size_t)old.count * sizeof *old.texts);
    for (int64_t i = 0; i < old.count; i++)
        words->slots[slot_of(words, words->texts[i])] = (int32_t)i;
    return PEN_OK;
}

int32_t pen_words_find(const pen_words *words, pen_text text)
{
    return words->count > 0 ? words->slots[slot_of(words, text)] : -1;
}

pen_status pen_words_add(pen_run *run, pen_words *words, pen_text text, const char *what,
                         int32_t *number)
{
    PEN_REQUIRE(run, words->count < INT32_MAX, PEN_BAD_DATA, "more than %d different %s", INT32_MAX,
                what);
    if (words->count == words->room)
        PEN_TRY(grow(run, words));
    *number = (int32_t)words->count++;
    words->texts[*number] = text;
    words->slots[slot_of(words, text)] = *number;
    return PEN_OK;
}
