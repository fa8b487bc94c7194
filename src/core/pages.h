/* pages.h - large pages for large arrays. */
#ifndef PEN_PAGES_H
#define PEN_PAGES_H

#include <stddef.h>

/* Asks the system to back memory with large pages before it is filled. The first touch of a page
 * costs about as much as filling it, and one large page replaces 512 usual ones. Has no effect
 * below 4 MB or without system support. */
void pen_large_pages(void *memory, size_t bytes);

#endif
