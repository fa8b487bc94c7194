/* bench_transform.c - embedding rows, against reading them and against the flops.
 *
 *   bench_transform X.npy DIM THREADS
 *
 * fits pca and embeds all rows; prints one JSON line:
 *
 *   seconds   the best of five; cpu: processor seconds of all threads
 *   gigabytes of input per second
 *   limit     processor seconds of 2 n d k operations in double at `rate`, that of `instruction` in
 *             a loop that touches no memory; ratio: cpu / limit
 *   peak      largest resident size of the process in bytes, next to `formula`: rows, result,
 *             7 * 8 d^2 of the fit before, and 64 MB
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/array.h"
#include "registers.h"

#include <sys/resource.h>

enum { REPEATS = 5 };

int main(int argc, char **argv)
{
    pen_table *table = NULL;
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_error err;
    struct cost best = WORST;
    struct rusage usage;

    if (argc != 4) {
        fprintf(stderr, "usage: bench_transform X.npy DIM THREADS\n");
        return 2;
    }
    const pen_control control = { .threads = atoi(argv[3]) };
    check(pen_read(argv[1], NULL, &table, &err), &err);
    const pen_data data = { .x = table->x };
    check(pen_spec_new("pca", &spec, &err), &err);
    check(pen_spec_set(spec, "dim", argv[2], &err), &err);
    check(pen_fit(spec, &data, &control, &model, &err), &err);
    const int64_t n = table->x.rows, d = table->x.cols, k = pen_model_dim(model);
    double *z = malloc((size_t)(n * k) * sizeof *z);
    for (int i = 0; z && i < REPEATS; i++) {
        const struct cost start = cost_now();
        check(pen_transform(model, &table->x, &control, PEN_F64, z, k, &err), &err);
        best = cost_least(best, start);
    }
    getrusage(RUSAGE_SELF, &usage);
    const registers_loop loop = registers_of_panels(pen_panels_of(pen_isa_now(), PEN_F64), PEN_F64);
    const double bytes = (double)(n * d) * (double)pen_size(table->x.dtype),
                 rate = registers_best(&loop), limit = 2 * (double)(n * d * k) / rate;
    printf("{\"case\":\"transform\",\"rows\":%lld,\"columns\":%lld,\"dim\":%lld,\"dtype\":\"%s\","
           "\"threads\":%d,\"isa\":\"%s\",\"seconds\":%.3f,\"cpu\":%.3f,\"gigabytes\":%.3f,"
           "\"instruction\":\"%s\",\"rate\":%.4g,\"limit\":%.3f,\"ratio\":%.2f,\"peak\":%.0f,"
           "\"formula\":%.0f}\n",
           (long long)n, (long long)d, (long long)k, dtype_name(table->x.dtype), control.threads,
           pen_isa_name(pen_isa_now()), best.seconds, best.cpu, bytes / best.seconds / 1e9,
           loop.instruction, rate, limit, best.cpu / limit, (double)usage.ru_maxrss * 1024,
           bytes + 8 * (double)(n * k) + 56 * (double)(d * d) + 64e6);
    free(z);
    pen_model_free(model);
    pen_spec_free(spec);
    pen_table_free(table);
    return 0;
}
