/* blas_memory.h - the work buffers of the BLAS. */
#ifndef BLAS_MEMORY_H
#define BLAS_MEMORY_H

/* Have the BLAS allocate its work buffers for --threads, once; without memory for them the process
 * says so and ends, where the BLAS would retry forever. */
void blas_memory_take(void);

#endif
