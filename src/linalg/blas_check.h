/* blas_check.h - is the BLAS right? Some versions of OpenBLAS select kernels whose products are
 * wrong on the CPU at hand. */
#ifndef PEN_BLAS_CHECK_H
#define PEN_BLAS_CHECK_H

/* Calls each kind of routine that blas.c uses once with small matrices. Returns the name of the
 * first one with a wrong result; NULL: all are right. Takes less than a millisecond, and 80 kB of
 * the stack. */
const char *pen_blas_check(void);

#endif
