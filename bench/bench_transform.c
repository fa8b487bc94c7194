/* bench_transform.c - embedding rows, against reading them and against the flops.
 *
 *   bench_transform X.npy DIM THREADS
 *
 * fits pca and embeds all rows; prints one JSON line: seconds (the best of five), gigabytes of
 * input per second, and flops per second of 2 n d k. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

enum { REPEATS = 5 };

int main(int argc, char **argv)
{
    pen_table *table = NULL;
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_error err;
    double best = 1e30;

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
    const int64_t n = table->x.rows, d = table->x.cols, k = pen_model_output_dim(model);
    double *z = malloc((size_t)(n * k) * sizeof *z);
    for (int i = 0; z && i < REPEATS; i++) {
        const double start = now();
        check(pen_transform(model, &table->x, PEN_F64, z, k, &control, &err), &err);
        best = now() - start < best ? now() - start : best;
    }
    const double bytes = (double)(n * d)
                         * (table->x.dtype == PEN_F64   ? 8
                            : table->x.dtype == PEN_F32 ? 4
                                                        : 1);
    printf("{\"case\":\"transform\",\"rows\":%lld,\"columns\":%lld,\"dim\":%lld,\"threads\":%d,"
           "\"seconds\":%.3f,\"gigabytes\":%.3f,\"flops\":%.3g}\n",
           (long long)n, (long long)d, (long long)k, control.threads, best, bytes / best / 1e9,
           2 * (double)(n * d * k) / best);
    free(z);
    pen_model_free(model);
    pen_spec_free(spec);
    pen_table_free(table);
    return 0;
}
