/* blas_memory.h - the work buffers of the BLAS, allocated before the work. */
#ifndef BLAS_MEMORY_H
#define BLAS_MEMORY_H

#include "flags/args.h"

/* Read --threads (1 .. 1024; *threads keeps its value if it was not given), and allocate the
 * memory that the BLAS needs for them. If there is too little, *threads becomes a number for which
 * there is enough. Returns CLI_OK or the exit status, with the error printed. */
int memory_threads(const cli_args *args, int *threads);

#endif
