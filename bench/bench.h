/* bench.h - shared parts of the benchmarks. Define _POSIX_C_SOURCE before including this. */
#ifndef BENCH_H
#define BENCH_H

#include <penumbra.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double clock_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

/* Processor seconds of this thread. */
static inline double thread_cpu_now(void)
{
    return clock_of(CLOCK_THREAD_CPUTIME_ID);
}

/* Seconds, and processor seconds of all threads. */
struct cost {
    double seconds, cpu;
};

static inline struct cost cost_now(void)
{
    return (struct cost){ now(), clock_of(CLOCK_PROCESS_CPUTIME_ID) };
}

static const struct cost WORST = { 1e30, 1e30 };

/* The smaller of `best` and the cost since `start`. */
static inline struct cost cost_least(struct cost best, struct cost start)
{
    const struct cost end = cost_now();
    const double seconds = end.seconds - start.seconds, cpu = end.cpu - start.cpu;
    return (struct cost){ seconds < best.seconds ? seconds : best.seconds,
                          cpu < best.cpu ? cpu : best.cpu };
}

static inline const char *dtype_name(pen_dtype type)
{
    return type == PEN_F64 ? "f64" : type == PEN_F32 ? "f32" : "u8";
}

static inline void check(pen_status status, const pen_error *err)
{
    if (status == PEN_OK)
        return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

#endif
