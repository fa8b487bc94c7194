/* blas_memory.h - allocates the work buffers of the BLAS. */
#ifndef BLAS_MEMORY_H
#define BLAS_MEMORY_H

/* Make the BLAS allocate its work buffers for --threads, once. If memory is exhausted, the process
 * reports it and ends; the BLAS alone would retry forever. */
void blas_memory_take(void);

/* Starts or stops the timer that ends the process in this way. */
void blas_memory_watch(int on);

#endif
