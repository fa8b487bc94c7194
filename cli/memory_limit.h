/* memory_limit.h - how much memory a command may take, and takes before its work. */
#ifndef MEMORY_LIMIT_H
#define MEMORY_LIMIT_H

#include "flags/args.h"

/* The value of --memory, such as 500M, 2G or 1.5GiB, or the memory there is where that is less.
 * *given: the flag was given. Returns CLI_OK or the exit status, with the error printed. */
int memory_limit(const cli_args *args, double *limit, int *given);

/* What the process takes already, with what `threads` threads will: address space where that is
 * limited, otherwise what is resident. */
double memory_base(int threads);

/* The most that the process took so far, counted in the same way; 0 where that is not known. */
double memory_peak(void);

/* Whether the address space of the process is limited (ulimit -v), so that a mapped file counts. */
int memory_is_of_addresses(void);

/* "512 MB". Returns `text`. */
enum { MEMORY_TEXT = 24 };
const char *memory_text(double bytes, char text[MEMORY_TEXT]);

#endif
