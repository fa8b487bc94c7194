/* memory.h - how much memory there can be. */
#ifndef PEN_MEMORY_H
#define PEN_MEMORY_H

#include <stdint.h>

/* Bytes of memory that the machine has, or that the process may have where that is less
 * (RLIMIT_AS). INT64_MAX: not known. What asks for more is refused before anything is allocated: a
 * system that promises memory it does not have would end the process later. */
int64_t pen_memory(void);

/* A number of bytes as people say it, as "1.07 GB". Returns text. */
enum { PEN_BYTES_SIZE = 16 };
const char *pen_bytes_text(int64_t bytes, char text[PEN_BYTES_SIZE]);

#endif
