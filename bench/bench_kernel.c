/* bench_kernel.c - the kernel map and the embedding of all rows, compared with the products that
 * they consist of.
 *
 *   bench_kernel X.npy LANDMARKS DIM THREADS
 *
 * maps the rows by rbf, gamma auto, with landmarks by Cholesky, and embeds them in DIM dimensions.
 * Prints one JSON line for each: seconds; cpu, processor seconds of all threads; limit, those of
 * the products at `rate`, the operations per processor second of `instruction`, the multiply-add
 * of doubles, in a loop that touches no memory; ratio, cpu / limit. The products of the map are
 * those with the landmarks, 2 n m d flops, and one of 2 n m^2 flops; those of the embedding have
 * 2 n m (d + k).
 * `peak` is the largest resident size of the process in bytes, `formula` n m doubles and the
 * input. */
#define _XOPEN_SOURCE 700

#include "bench.h"

#include "core/rows.h"
#include "kernels/kernel_gamma.h"
#include "kernels/kernel_map.h"
#include "registers.h"

#include <sys/resource.h>

static double resident(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? (double)used.ru_maxrss * 1024 : 0;
}

int main(int argc, char **argv)
{
    pen_kernel kernel = { .kind = PEN_KERNEL_RBF };
    pen_table *table = NULL;
    pen_kernel_map map;
    double *phi, captured;
    pen_error err;
    pen_run *run;
    pen_view x;

    if (argc != 5) {
        fprintf(stderr, "usage: bench_kernel X.npy LANDMARKS DIM THREADS\n");
        return 2;
    }
    const int64_t most = atoi(argv[2]), k = atoi(argv[3]);
    const pen_control control = { .threads = atoi(argv[4]) };
    check(pen_read(argv[1], NULL, &table, &err), &err);
    const pen_data data = { .x = table->x };
    check(pen_run_open(&control, &err, &run), &err);
    check(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x), &err);
    check(pen_kernel_gamma(run, &kernel, &x, 0, &kernel.gamma), &err);
    const struct cost start = cost_now();
    check(pen_kernel_map_cholesky(run, &kernel, &x, NULL, most, 0, &map, &phi, &captured), &err);
    const struct cost mapped = cost_least(WORST, start);
    const double peak = resident();
    double *const W = calloc((size_t)(map.m * k), sizeof *W), *const z = calloc((size_t)(x.n * k),
                                                                                sizeof *z);
    if (!W || !z)
        return 1;
    for (int64_t i = 0; i < map.m * k; i++)
        W[i] = map.T[i];
    const struct cost between = cost_now();
    check(pen_kernel_apply(run, "rows", &map.set, &x, NULL, W, k, PEN_F64, z, k, NULL), &err);
    const struct cost applied = cost_least(WORST, between);
    const registers_loop loop = registers_of_panels(pen_panels_of(pen_isa_now(), PEN_F64), PEN_F64);
    const double rate = registers_best(&loop), n = (double)x.n, m = (double)map.m, d = (double)x.d,
                 map_limit = 2 * n * m * (d + m) / rate,
                 apply_limit = 2 * n * m * (d + (double)k) / rate;
    printf("{\"case\":\"kernel map\",\"rows\":%g,\"columns\":%g,\"landmarks\":%g,\"captured\":%.6f,"
           "\"threads\":%d,\"isa\":\"%s\",\"seconds\":%.3f,\"cpu\":%.3f,\"instruction\":\"%s\","
           "\"rate\":%.4g,\"limit\":%.3f,\"ratio\":%.3f,\"peak\":%.0f,\"formula\":%.0f}\n",
           n, d, m, captured, control.threads, pen_isa_name(pen_isa_now()), mapped.seconds,
           mapped.cpu, loop.instruction, rate, map_limit, mapped.cpu / map_limit, peak,
           8 * n * m + (double)pen_size(table->x.dtype) * n * d);
    printf("{\"case\":\"kernel apply\",\"rows\":%g,\"columns\":%g,\"landmarks\":%g,\"dim\":%lld,"
           "\"threads\":%d,\"isa\":\"%s\",\"seconds\":%.3f,\"cpu\":%.3f,\"instruction\":\"%s\","
           "\"rate\":%.4g,\"limit\":%.3f,\"ratio\":%.3f}\n",
           n, d, m, (long long)k, control.threads, pen_isa_name(pen_isa_now()), applied.seconds,
           applied.cpu, loop.instruction, rate, apply_limit, applied.cpu / apply_limit);
    free(W);
    free(z);
    pen_run_close(run);
    pen_table_free(table);
    return 0;
}
