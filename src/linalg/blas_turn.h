/* blas_turn.h - every call of BLAS or LAPACK stands between pen_blas_begin and pen_blas_end, which
 * see to it that it runs on the calling thread alone and is safe from several threads at once,
 * whatever build of the BLAS the process has loaded:
 *
 *   OpenBLAS on OpenMP           asks its thread how many it may use: one, for the time of the call
 *   OpenBLAS on POSIX threads    as a private copy (PENUMBRA_BLAS_PRIVATE): set to one thread, once
 *   anything else                calls take turns under a lock, and no setting is touched: another
 *                                part of the program may rely on it. The answers stay right
 */
#ifndef PEN_BLAS_TURN_H
#define PEN_BLAS_TURN_H

/* Returns what pen_blas_end wants back. */
int pen_blas_begin(void);
void pen_blas_end(int before);

/* What is known of the BLAS that is loaded. */
typedef struct blas_facts {
    const char *name;    /* as it describes itself; "unknown" */
    const char *core;    /* the kernels it took; NULL: it does not say */
    const char *threads; /* "openmp", "pthreads", "none", "unknown": how it was built */
    const char *in_turn; /* why calls take turns; NULL: they do not */
} blas_facts;
blas_facts pen_blas_ask(void);

/* The core that OPENBLAS_CORETYPE should name because the CPU can do more than `core` uses, from
 * the features of the CPU (core/cpu.h); NULL: none. An OpenBLAS that does not know a CPU's model
 * number takes its oldest kernels. */
const char *pen_blas_better_core(const char *core, unsigned long long features);

#endif
