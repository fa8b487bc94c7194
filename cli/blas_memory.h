/* blas_memory.h - the memory that the BLAS works in, taken before the work. */
#ifndef BLAS_MEMORY_H
#define BLAS_MEMORY_H

#include "args.h"

/* Read --threads (1 .. 1024; *threads keeps its value if it was not given), and take the memory the
 * BLAS needs for that many threads. Where there is too little, *threads becomes a number for which
 * there is enough. Returns CLI_OK or the exit status, the error said. */
int memory_threads(const cli_args *args, int *threads);

#endif
