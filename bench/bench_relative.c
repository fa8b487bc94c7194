/* bench_relative.c - nearest neighbors in the relative space, against what the machine can do.
 *
 *   bench_relative ROWS COLUMNS THREADS
 *       normal random rows, all of them reference rows
 *   bench_relative X.npy LANDMARKS THREADS [ROWS]
 *       the first ROWS rows of a file, in the principal components with 98 % of the variance
 *
 * finds the 5 nearest neighbors of all rows and prints one JSON line:
 *
 *   seconds   measuring the space and searching it, once
 *   gemm      flops per second of double-precision products of 512 x 512 x 1024 on all threads, the
 *             better of one run before and one after
 *   limit     n^3 / gemm, and with landmarks the seconds of the nearest neighbors of the same rows
 *             in their original space
 *   ratio     seconds / limit; where other programs run, processor_ratio, the same ratio of
 *             processor seconds, says more
 *   peak      largest resident size of the process in bytes
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/parallel.h"
#include "core/rng.h"
#include "neighbors/relative.h"
#include "linalg/blas.h"
#include "linalg/reduce.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

enum { NEIGHBORS = 5, SIDE = 512, INNER = 1024, TASKS = 32, REPEATS = 6 };

static double processor(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wall-clock seconds, and processor seconds. */
struct seconds {
    double clock, processor;
};

static struct seconds since(struct seconds start)
{
    return (struct seconds){ now() - start.clock, processor() - start.processor };
}

static void multiply(void *context, int64_t task, int worker)
{
    double *const a = (double *)context + (int64_t)worker * (2 * SIDE * INNER + SIDE * SIDE),
                  *const b = a + SIDE * INNER;
    (void)task;
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, SIDE, SIDE, INNER, 1, a, INNER, b, INNER, 0,
                  b + SIDE * INNER, SIDE);
}

static struct seconds gemm_rate(pen_run *run)
{
    double *blocks =
        calloc((size_t)pen_threads(run), (2 * SIDE * INNER + SIDE * SIDE) * sizeof *blocks);
    struct seconds best = { 0, 0 };

    for (int i = 0; blocks && i < REPEATS; i++) {
        const struct seconds start = { now(), processor() };
        pen_parallel(run, PEN_SILENT, TASKS, multiply, blocks);
        const struct seconds took = since(start);
        best.clock = fmax(best.clock, 2.0 * TASKS * SIDE * SIDE * INNER / took.clock);
        best.processor = fmax(best.processor, 2.0 * TASKS * SIDE * SIDE * INNER / took.processor);
    }
    free(blocks);
    return best;
}

static double *random_rows(int64_t count)
{
    double *values = malloc((size_t)count * sizeof *values);
    pen_rng rng = { 1 };

    for (int64_t i = 0; values && i < count; i++)
        values[i] = sqrt(-2 * log(1 - pen_rng_uniform(&rng)))
                    * cos(6.283185307179586 * pen_rng_uniform(&rng));
    return values;
}

/* Seconds in the relative space, and in the original one if wanted. */
static struct seconds search(pen_run *run, const pen_rows *x, int64_t landmarks,
                             struct seconds *own)
{
    const pen_subset all = { NULL, x->n };
    const int64_t *list = NULL;
    pen_relative space;
    pen_neighbor *nearest;

    if (PEN_NEW(run, nearest, x->n * NEIGHBORS) != PEN_OK)
        exit(1);
    if (own) {
        *own = (struct seconds){ now(), processor() };
        if (pen_neighbors_nearest(run, x, all, all, NEIGHBORS, nearest) != PEN_OK)
            exit(1);
        *own = since(*own);
    }
    const struct seconds start = { now(), processor() };
    if (landmarks > 0 && pen_relative_landmarks(run, x->n, landmarks, 1, &list) != PEN_OK)
        exit(1);
    if (pen_relative_open(run, x, list, landmarks, PEN_LANDMARKS_CORRECTED, PEN_RELATIVE_BYTES,
                          &space)
            != PEN_OK
        || pen_relative_nearest(run, &space, NEIGHBORS, nearest) != PEN_OK)
        exit(1);
    return since(start);
}

int main(int argc, char **argv)
{
    const int file = argc > 1 && strstr(argv[1], ".npy") != NULL;
    const pen_common common = { .dim = 0 };
    pen_table *table = NULL;
    double *values = NULL;
    struct seconds own = { 0, 0 };
    pen_data data = { .labels = NULL };
    pen_reduction components;
    pen_rows rows, x;
    struct rusage usage;
    pen_error err;
    pen_run *run;

    if (argc < 4 || argc > 5 || (argc == 5 && !file)) {
        fprintf(stderr, "usage: bench_relative ROWS COLUMNS THREADS, or bench_relative X.npy "
                        "LANDMARKS THREADS [ROWS]\n");
        return 2;
    }
    const pen_control control = { .threads = atoi(argv[3]) };
    if (file) {
        check(pen_read(argv[1], NULL, &table, &err), &err);
        data.x = table->x;
        data.x.rows = argc == 5 && atoll(argv[4]) < data.x.rows ? atoll(argv[4]) : data.x.rows;
    } else {
        values = random_rows(atoll(argv[1]) * atoll(argv[2]));
        data.x = pen_dense(values, PEN_F64, atoll(argv[1]), atoll(argv[2]), atoll(argv[2]));
    }
    check(pen_run_open(&control, &err, &run), &err);
    if (pen_rows_open(run, &data, &common, &rows) != PEN_OK
        || pen_rows_reduce(run, &rows, file ? 0.98 : (double)INFINITY, &components, &x) != PEN_OK)
        return 1;
    const struct seconds before = gemm_rate(run),
                         took = search(run, &x, file ? atoll(argv[2]) : 0, file ? &own : NULL);
    const struct seconds after = gemm_rate(run), rate = { fmax(before.clock, after.clock),
                                                          fmax(before.processor, after.processor) };
    const double n = (double)x.n;
    const struct seconds limit = { file ? own.clock : n * n * n / rate.clock,
                                   file ? own.processor : n * n * n / rate.processor };
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"case\":\"%s\",\"rows\":%.0f,\"columns\":%lld,\"landmarks\":%lld,\"threads\":%d,"
           "\"seconds\":%.3f,\"gemm\":%.3g,\"limit\":%.3f,"
           "\"ratio\":%.2f,\"processor_ratio\":%.2f,\"peak\":%.0f}\n",
           file ? "corrected landmarks" : "all rows", n, (long long)x.d,
           file ? atoll(argv[2]) : 0LL, control.threads, took.clock, rate.clock, limit.clock,
           took.clock / limit.clock, took.processor / limit.processor,
           (double)usage.ru_maxrss * 1024);
    pen_run_close(run);
    pen_table_free(table);
    free(values);
    return 0;
}
