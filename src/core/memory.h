/* memory.h - how much memory the process may use. */
#ifndef PEN_MEMORY_H
#define PEN_MEMORY_H

#include <penumbra.h>

#include <stdint.h>

/* Physical memory in bytes, or the limit of the process (RLIMIT_AS, its control group) if that is
 * lower. INT64_MAX: unknown. Larger requests are refused before anything is allocated: a system
 * that overcommits memory would kill the process later. */
int64_t pen_memory(void);

/* 1 if `bytes` are at most pen_memory(). Small sizes are not checked, because the check takes
 * longer than reading a block of rows. */
int pen_memory_has(int64_t bytes);

/* PEN_NO_MEMORY if `bytes` exceed pen_memory(): "WHAT take .., the limit is ..". */
struct pen_run;
pen_status pen_memory_check(struct pen_run *run, int64_t bytes, const char *what);

/* A number of bytes in readable form, such as "1.07 GB". Returns `text`. */
enum { PEN_BYTES_SIZE = 16 };
const char *pen_bytes_text(int64_t bytes, char text[PEN_BYTES_SIZE]);

#endif
