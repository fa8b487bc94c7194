/* bench_sodrpac.c - the cost of SODRPaC and of its neighbor search.
 *
 *   bench_sodrpac X.npy Y.npy PAIRS ROWS(0: all) THREADS
 *
 * fits SODRPaC to 9 dimensions with PAIRS / 2 must-links and PAIRS / 2 cannot-links drawn from the
 * labels, and prints one JSON line: seconds of the fit, of the search alone (the 5 nearest
 * neighbors of all rows) on the same rows, of the rest, and the same in processor seconds. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/rows.h"
#include "neighbors/neighbors.h"

int main(int argc, char **argv)
{
    pen_table *x = NULL, *y = NULL;
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_neighbor *found;
    pen_view rows;
    pen_run *run;
    pen_error err;
    char sample[64];

    if (argc != 6) {
        fprintf(stderr, "usage: bench_sodrpac X.npy Y.npy PAIRS ROWS THREADS\n");
        return 2;
    }
    const pen_control control = { .threads = atoi(argv[5]) };
    check(pen_read(argv[1], NULL, &x, &err), &err);
    check(pen_read_labels(argv[2], NULL, &y, &err), &err);
    if (atoll(argv[4]) > 0)
        x->x.rows = atoll(argv[4]);
    const pen_data data = { .x = x->x, .labels = y->labels };
    check(pen_spec_new("sodrpac", &spec, &err), &err);
    check(pen_spec_set_number(spec, "dim", 9, &err), &err);
    snprintf(sample, sizeof sample, "%lld+%lld", atoll(argv[3]) / 2, atoll(argv[3]) / 2);
    check(pen_spec_set(spec, "sample_pairs", sample, &err), &err);
    check(pen_spec_set_number(spec, "seed", 1, &err), &err);
    const double start = now(), cpu = (double)clock() / CLOCKS_PER_SEC;
    check(pen_fit(spec, &data, &control, &model, &err), &err);
    const double fit = now() - start, fit_cpu = (double)clock() / CLOCKS_PER_SEC - cpu;

    check(pen_run_open(&control, &err, &run), &err);
    check(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &rows), &err);
    const pen_subset all = { NULL, rows.n };
    check(PEN_NEW(run, found, rows.n * 5), &err);
    const double begin = now(), begin_cpu = (double)clock() / CLOCKS_PER_SEC;
    check(pen_neighbors_nearest(run, &rows, all, all, 5, found), &err);
    const double search = now() - begin, search_cpu = (double)clock() / CLOCKS_PER_SEC - begin_cpu;
    printf("{\"case\":\"sodrpac\",\"rows\":%lld,\"columns\":%lld,\"pairs\":%s,\"threads\":%d,"
           "\"seconds\":%.2f,\"neighbors\":%.2f,\"rest\":%.2f,"
           "\"cpu\":%.2f,\"neighbors_cpu\":%.2f,\"rest_cpu\":%.2f}\n",
           (long long)rows.n, (long long)rows.d, argv[3], control.threads, fit, search,
           fit - search, fit_cpu, search_cpu, fit_cpu - search_cpu);
    pen_run_close(run);
    pen_model_free(model);
    pen_spec_free(spec);
    pen_table_free(x);
    pen_table_free(y);
    return 0;
}
