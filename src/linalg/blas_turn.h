/* blas_turn.h - every call of BLAS or LAPACK is made between pen_blas_begin and pen_blas_end. They
 * ensure that it runs only on the calling thread and is safe from several threads at once,
 * whichever build of the BLAS the process has loaded, and that public calls fail if its results are
 * wrong:
 *
 *   OpenBLAS on OpenMP           the thread's setting is one OpenMP thread during the call
 *   OpenBLAS on POSIX threads    a private copy (PENUMBRA_BLAS_PRIVATE) is set to one thread, once
 *   anything else                calls take turns under a lock, and no setting is changed, because
 *                                another part of the program may rely on it; results stay correct
 */
#ifndef PEN_BLAS_TURN_H
#define PEN_BLAS_TURN_H

/* Returns the value to pass to pen_blas_end. */
int pen_blas_begin(void);
void pen_blas_end(int saved);

/* What is known about the loaded BLAS. */
typedef struct blas_facts {
    const char *name;    /* its own description, or "unknown" */
    const char *core;    /* the kernels it selected; NULL: unknown */
    const char *threads; /* "openmp", "pthreads", "none", "unknown": how it was built */
    const char *in_turn; /* why calls take turns; NULL: they run in parallel */
    const char *wrong;   /* a routine with wrong results; NULL: none */
    const char *better;  /* see pen_blas_better_core */
} blas_facts;
blas_facts pen_blas_ask(void);

/* Calls each kind of BLAS routine that blas.c uses. Returns the name of the first one with a wrong
 * result; NULL: all are right. Takes a millisecond. Not from two threads. */
const char *pen_blas_check(void);

/* The core to name in OPENBLAS_CORETYPE if the CPU supports more than `core` uses, given the
 * features of the CPU (core/cpu.h), or if it is `wrong`; NULL: none. An OpenBLAS that does not know
 * the model number of a CPU falls back to its oldest kernels. These kernels are wrong: armv9sme in
 * 0.3.34, and armv8sve with vectors of 256 bits or more. */
const char *pen_blas_better_core(const char *core, unsigned long long features, int wrong);

#endif
