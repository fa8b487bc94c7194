/* keep.h - what tests make stays until their program ends, where it is freed: memory of
 * check_allocate and of all that kit/ and oracle/ return, samples, specs and fits. */
#ifndef KEEP_H
#define KEEP_H

/* Returns `memory`, which `release` frees at the end of the program; NULL is passed on. Tasks of
 * several threads may call it. */
void *keep_until_end(void *memory, void (*release)(void *memory));

/* What was kept after the mark is freed now: for comparisons that need much memory and leave
 * nothing behind. */
const void *keep_mark(void);
void keep_release(const void *mark);

#endif
