/* bench_kernel.c - a kernel map of all rows and embedding through it, against the products that
 * they consist of.
 *
 *   bench_kernel X.npy LANDMARKS DIM THREADS
 *
 * maps the rows by rbf, gamma auto, with landmarks by Cholesky, and embeds them in DIM dimensions.
 * Prints one JSON line for each: CPU seconds, and their ratio to those of the products at the rate
 * of dgemm, which is the best of those measured before and after. The products of the map are those
 * with the landmarks, 2 n m d flops, and one of 2 n m^2 flops; those of the embedding have
 * 2 n m (d + k).
 * `megabytes` is the peak of the process, `formula` n m doubles and the input. */
#define _XOPEN_SOURCE 700

#include "bench.h"

#include "core/rows.h"
#include "kernels/kernel_gamma.h"
#include "kernels/kernel_map.h"
#include "linalg/blas.h"

#include <string.h>
#include <sys/resource.h>

enum { SIDE = 2000 };

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double megabytes(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? (double)used.ru_maxrss / 1024 : 0;
}

/* The larger of `best` and the flops per second of a product of squares. */
static double dgemm_rate(double best)
{
    const size_t size = (size_t)SIDE * SIDE;
    double *const a = malloc(3 * size * sizeof *a);

    if (!a)
        exit(1);
    for (size_t i = 0; i < 3 * size; i++)
        a[i] = (double)(i % 17) / 17;
    const double start = cpu_now();
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, SIDE, SIDE, SIDE, 1, a, SIDE, a + size, SIDE,
                  0, a + 2 * size, SIDE);
    const double rate = 2.0 * SIDE * SIDE * SIDE / (cpu_now() - start);
    free(a);
    return rate > best ? rate : best;
}

int main(int argc, char **argv)
{
    static const pen_common common = { .dim = 0 };
    pen_kernel kernel = { .kind = PEN_KERNEL_RBF };
    pen_table *table = NULL;
    pen_kernel_map map;
    double *phi, captured;
    pen_error err;
    pen_run *run;
    pen_rows x;

    if (argc != 5) {
        fprintf(stderr, "usage: bench_kernel X.npy LANDMARKS DIM THREADS\n");
        return 2;
    }
    const int64_t most = atoi(argv[2]), k = atoi(argv[3]);
    const pen_control control = { .threads = atoi(argv[4]) };
    check(pen_read(argv[1], NULL, &table, &err), &err);
    const pen_data data = { .x = table->x };
    check(pen_run_open(&control, &err, &run), &err);
    check(pen_rows_open(run, &data, &common, &x), &err);
    check(pen_kernel_gamma(run, &kernel, &x, 0, &kernel.gamma), &err);
    double rate = 0;
    for (int i = 0; i < 3; i++)
        rate = dgemm_rate(rate);
    const double start = cpu_now();
    check(pen_kernel_map_cholesky(run, &kernel, &x, most, 0, &map, &phi, &captured), &err);
    const double mapped = cpu_now() - start, peak = megabytes();
    double *const W = calloc((size_t)(map.m * k), sizeof *W), *const z = calloc((size_t)(x.n * k),
                                                                                sizeof *z);
    if (!W || !z)
        return 1;
    for (int64_t i = 0; i < map.m * k; i++)
        W[i] = map.T[i];
    const double between = cpu_now();
    check(pen_kernel_apply(run, "rows", &map.set, &x, NULL, W, k, PEN_F64, z, k), &err);
    const double applied = cpu_now() - between;
    for (int i = 0; i < 3; i++)
        rate = dgemm_rate(rate);
    const double n = (double)x.n, m = (double)map.m, d = (double)x.d,
                 map_flops = 2 * n * m * (d + m), apply_flops = 2 * n * m * (d + (double)k),
                 size = (double)pen_size(table->x.dtype);
    printf("{\"case\":\"kernel map\",\"rows\":%g,\"columns\":%g,\"landmarks\":%g,\"captured\":%.6f,"
           "\"threads\":%d,\"cpu_seconds\":%.3f,\"ratio\":%.3f,\"dgemm\":%.3g,\"megabytes\":%.0f,"
           "\"formula\":%.0f}\n",
           n, d, m, captured, control.threads, mapped, mapped * rate / map_flops, rate, peak,
           (8 * n * m + size * n * d) / 1048576);
    printf("{\"case\":\"kernel apply\",\"rows\":%g,\"columns\":%g,\"landmarks\":%g,\"dim\":%lld,"
           "\"threads\":%d,\"cpu_seconds\":%.3f,\"ratio\":%.3f,\"dgemm\":%.3g}\n",
           n, d, m, (long long)k, control.threads, applied, applied * rate / apply_flops, rate);
    free(W);
    free(z);
    pen_run_close(run);
    pen_table_free(table);
    return 0;
}
