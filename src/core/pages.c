/* pages.c - large pages by madvise. */
#define _DEFAULT_SOURCE /* madvise, which POSIX lacks */
#include "core/pages.h"

#include <stdint.h>
#include <sys/mman.h>

void pen_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t large = 1 << 21, least = 1 << 22;

    if (bytes < least)
        return;
    /* only whole large pages inside: no neighboring memory changes */
    char *const first = (char *)(((uintptr_t)memory + large - 1) & ~(uintptr_t)(large - 1)),
                *const last = (char *)(((uintptr_t)memory + bytes) & ~(uintptr_t)(large - 1));
    if (first < last)
        (void)madvise(first, (size_t)(last - first), MADV_HUGEPAGE); /* the system may refuse */
#else
    (void)memory;
    (void)bytes;
#endif
}
