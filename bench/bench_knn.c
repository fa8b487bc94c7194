/* bench_knn.c - the nearest neighbors of all rows against what the machine can do.
 *
 *   bench_knn X.npy NEIGHBORS ROWS THREADS [OUT.npy]
 *
 * finds the NEIGHBORS nearest rows of each of the first ROWS rows of X.npy (0: all) and prints one
 * JSON line; OUT.npy: writes their row numbers, too.
 *
 *   seconds   from rows in memory to row numbers and distances; the best of three (of one for more
 *             than 30000 rows)
 *   again     the same for a search that gets these row numbers as guesses, with again_cpu and
 *             again_ratio like cpu and cpu_ratio below
 *   gemm      flops per second of products of 512 x 512 x d on all threads, in single precision;
 *             the best of six
 *   limit     n^2 d / gemm: each pair of rows multiplied once
 *   cpu       processor seconds, and cpu_ratio to the seconds that n^2 d flops take at the rate of
 *             gemm per processor second: the ratio without other load on the machine
 *   peak      largest resident size of the process in bytes before rates were measured, next to
 *             `input` and `formula`: input + 16 n k + 256 MB
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/parallel.h"
#include "linalg/blas.h"
#include "neighbors/all_neighbors.h"
#include "neighbors/neighbors.h"

#include <sys/resource.h>

enum { REPEATS = 3, MANY_ROWS = 30000, SIDE = 512, TASKS = 64 };

struct products {
    pen_dtype type;
    int64_t d;
    char *blocks;
};

static void multiply(void *context, int64_t task, int worker)
{
    const struct products *p = context;
    const size_t size = p->type == PEN_F64 ? 8 : 4, rows = SIDE * (size_t)p->d * size;
    char *const a = p->blocks + (size_t)worker * (2 * rows + SIDE * SIDE * size);
    (void)task;
    pen_blas_gemm(p->type, PEN_PLAIN, PEN_TRANSPOSED, SIDE, SIDE, p->d, 1, a, p->d, a + rows, p->d,
                  0, a + 2 * rows, SIDE);
}

/* Wall-clock seconds, and processor seconds of all threads. */
struct cost {
    double seconds, cpu;
};

static struct cost clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (struct cost){ now(), (double)t.tv_sec + 1e-9 * (double)t.tv_nsec };
}

static struct cost lower(struct cost best, struct cost start)
{
    const struct cost end = clock_now(),
                      this = { end.seconds - start.seconds, end.cpu - start.cpu };
    return (struct cost){ this.seconds < best.seconds ? this.seconds : best.seconds,
                          this.cpu < best.cpu ? this.cpu : best.cpu };
}

/* The cost of `flops` in products alone. */
static struct cost least(const pen_control *control, pen_dtype type, int64_t d, double flops)
{
    struct products p = { .type = type, .d = d };
    struct cost best = { 1e30, 1e30 };
    const double share = flops / (2.0 * TASKS * SIDE * SIDE * (double)d);
    pen_error err;
    pen_run *run;

    check(pen_run_open(control, &err, &run), &err);
    p.blocks = calloc((size_t)pen_threads(run), (2 * SIDE * (size_t)d + SIDE * SIDE) * 8);
    for (int i = 0; p.blocks && i < 2 * REPEATS; i++) {
        const struct cost start = clock_now();
        pen_parallel(run, PEN_SILENT, TASKS, multiply, &p);
        best = lower(best, start);
    }
    free(p.blocks);
    pen_run_close(run);
    return (struct cost){ best.seconds * share, best.cpu * share };
}

/* A search with the right numbers as guesses. */
static struct cost search_again(const pen_control *control, const pen_array *x, int64_t k,
                                const int64_t *index)
{
    const pen_data data = { .x = *x };
    const pen_common common = { .dim = 0 };
    struct cost best = { 1e30, 1e30 };
    pen_neighbor *lists;
    pen_rows rows;
    pen_error err;
    pen_run *run;

    check(pen_run_open(control, &err, &run), &err);
    check(pen_rows_open(run, &data, &common, &rows), &err);
    check(PEN_NEW(run, lists, x->rows * k), &err);
    for (int i = 0; i < (x->rows > MANY_ROWS ? 1 : REPEATS); i++) {
        for (int64_t j = 0; j < x->rows * k; j++)
            lists[j] = (pen_neighbor){ 0, index[j] };
        const struct cost start = clock_now();
        check(pen_neighbors_refresh(run, &rows, x->rows, k, lists, lists), &err);
        best = lower(best, start);
    }
    for (int64_t j = 0; j < x->rows * k; j++)
        if (lists[j].row != index[j])
            exit(1);
    pen_run_close(run);
    return best;
}

static void write_numbers(const char *path, int64_t n, int64_t k, const int64_t *index)
{
    pen_error err;
    check(pen_neighbors_write(path, n, k, index, NULL, &err), &err);
}

int main(int argc, char **argv)
{
    pen_table *table;
    struct rusage usage;
    struct cost best = { 1e30, 1e30 };
    pen_error err;

    if (argc != 5 && argc != 6) {
        fprintf(stderr, "usage: bench_knn X.npy NEIGHBORS ROWS THREADS [OUT.npy]\n");
        return 2;
    }
    const pen_control control = { .threads = atoi(argv[4]) };
    const int64_t k = atoll(argv[2]);
    check(pen_read(argv[1], NULL, &table, &err), &err);
    pen_array x = table->x;
    if (atoll(argv[3]) > 0 && atoll(argv[3]) < x.rows)
        x.rows = atoll(argv[3]);
    int64_t *const index = malloc((size_t)(x.rows * k) * sizeof *index);
    double *const distance = malloc((size_t)(x.rows * k) * sizeof *distance);
    if (!index || !distance)
        return 1;
    for (int i = 0; i < (x.rows > MANY_ROWS ? 1 : REPEATS); i++) {
        const struct cost start = clock_now();
        check(pen_neighbors(&x, k, &control, index, distance, &err), &err);
        best = lower(best, start);
    }
    getrusage(RUSAGE_SELF, &usage);
    const double n = (double)x.rows, d = (double)x.cols,
                 size = x.dtype == PEN_F64   ? 8
                        : x.dtype == PEN_F32 ? 4
                                             : 1;
    const struct cost again = search_again(&control, &x, k, index),
                      limit = least(&control, PEN_F32, x.cols, n * n * d);
    const double input = n * d * size;
    printf("{\"case\":\"knn\",\"rows\":%.0f,\"columns\":%.0f,\"neighbors\":%lld,\"threads\":%d,"
           "\"seconds\":%.3f,\"gemm\":%.3g,\"limit\":%.3f,"
           "\"ratio\":%.2f,\"cpu\":%.3f,\"cpu_ratio\":%.2f,\"again\":%.3f,\"again_cpu\":%.3f,"
           "\"again_ratio\":%.2f,"
           "\"input\":%.0f,\"peak\":%.0f,\"formula\":%.0f}\n",
           n, d, (long long)k, control.threads, best.seconds, n * n * d / limit.seconds,
           limit.seconds, best.seconds / limit.seconds, best.cpu, best.cpu / limit.cpu,
           again.seconds, again.cpu, again.cpu / limit.cpu, input, (double)usage.ru_maxrss * 1024,
           input + 16 * n * (double)k + 256e6);
    if (argc == 6)
        write_numbers(argv[5], x.rows, k, index);
    free(index);
    free(distance);
    pen_table_free(table);
    return 0;
}
