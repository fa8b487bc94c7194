/* keep.h - what tests make stays until their program ends, where it is freed. */
#ifndef KEEP_H
#define KEEP_H

/* Returns `memory`, which `release` frees at the end of the program; NULL is passed on. */
void *keep_until_end(void *memory, void (*release)(void *memory));

#endif
