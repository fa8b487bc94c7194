/* text_list.c - see text_list.h. */
#include "kit/text_list.h"
#include "check.h"

text_list text_list_of(const char *list)
{
    const char *const colon = strstr(list, ": ");
    const int start = colon ? (int)(colon - list) : 0;
    text_list all = { 0 };

    for (const char *part = list, *end; part; part = end ? end + 2 : NULL) {
        const int first = all.count == 0 && start > 0;
        const size_t size = strlen(list) + 2;
        char *const text = check_allocate((int64_t)size, 1);
        end = first ? colon : strstr(part, "; ");
        snprintf(text, size, "%.*s%s%.*s", first ? 0 : start, list, first || !start ? "" : " ",
                 (int)(end ? end - part : (ptrdiff_t)strlen(part)), part);
        CHECK(all.count < COUNT_OF(all.text), "there are too many texts at \"%s\"", text);
        all.text[all.count++] = text;
    }
    return all;
}
