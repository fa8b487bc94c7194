/* keep.h - keeps objects of tests until the program ends: memory of check_allocate, results of kit/
 * and oracle/, samples, specs and fits. */
#ifndef KEEP_H
#define KEEP_H

/* Returns `memory`, which `release` frees at the end of the program; NULL is passed on. Safe to
 * call from several threads. */
void *keep_until_end(void *memory, void (*release)(void *memory));

/* Frees everything kept after the mark, for comparisons that need much memory. */
const void *keep_mark(void);
void keep_release(const void *mark);

#endif
