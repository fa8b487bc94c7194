/* pages.h - how the system keeps large arrays. */
#ifndef PEN_PAGES_H
#define PEN_PAGES_H

#include <stddef.h>

/* Asks the system to back memory that is about to be filled by large pages. A first touch of a page
 * costs about as much as filling it, and a large page is touched once where 512 usual ones are.
 * Memory of less than 4 MB, and systems without such pages, stay as they are. */
void pen_large_pages(void *memory, size_t bytes);

#endif
