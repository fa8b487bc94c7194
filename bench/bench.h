/* bench.h - what the benchmarks share; a file defines _POSIX_C_SOURCE before it includes this. */
#ifndef BENCH_H
#define BENCH_H

#include <penumbra.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void check(pen_status status, const pen_error *err)
{
    if (status == PEN_OK)
        return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

#endif
