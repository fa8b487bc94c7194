/* blas_memory.h - the work buffers of the BLAS, allocated before the work. */
#ifndef BLAS_MEMORY_H
#define BLAS_MEMORY_H

#include "flags/args.h"

/* Allocate the memory that the BLAS needs for --threads. If there is too little, args_threads
 * becomes a number for which there is enough. Returns CLI_OK or the exit status, with the error
 * printed. */
int memory_threads(void);

#endif
