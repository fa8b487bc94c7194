/* bench_relative.c - nearest neighbors in the relative space, against what the machine can do.
 *
 *   bench_relative ROWS COLUMNS THREADS
 *       normal random rows, all of them reference rows
 *   bench_relative X.npy LANDMARKS THREADS [ROWS]
 *       the first ROWS rows of a file, in the principal components with 98 % of the variance
 *
 * finds the 5 nearest neighbors of all rows and prints one JSON line:
 *
 *   seconds   measuring the space and searching it, once; cpu: processor seconds of all threads
 *   limit     processor seconds of n^3 operations in floats at `rate`, that of `instruction` in a
 *             loop that touches no memory; with landmarks those of the nearest neighbors of the
 *             same rows in their original space. ratio: cpu / limit
 *   peak      largest resident size of the process in bytes
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/rng.h"
#include "core/row_order.h"
#include "neighbors/relative.h"
#include "linalg/reduce.h"
#include "registers.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

enum { NEIGHBORS = 5 };

static double *random_rows(int64_t count)
{
    double *values = malloc((size_t)count * sizeof *values);
    pen_rng rng = { 1 };

    for (int64_t i = 0; values && i < count; i++)
        values[i] = sqrt(-2 * log(1 - pen_rng_uniform(&rng)))
                    * cos(6.283185307179586 * pen_rng_uniform(&rng));
    return values;
}

/* The cost in the relative space, and in the original one if wanted. */
static struct cost search(pen_run *run, const pen_view *x, int64_t landmarks, struct cost *own)
{
    const pen_subset all = { NULL, x->n };
    int64_t *list = NULL;
    pen_relative space;
    pen_neighbor *nearest;

    if (PEN_NEW(run, nearest, x->n * NEIGHBORS) != PEN_OK)
        exit(1);
    if (own) {
        const struct cost start = cost_now();
        if (pen_neighbors_nearest(run, x, all, all, NEIGHBORS, nearest) != PEN_OK)
            exit(1);
        *own = cost_least(WORST, start);
    }
    const struct cost start = cost_now();
    if (landmarks > 0 && pen_rows_draw(run, x, landmarks, 1, &list) != PEN_OK)
        exit(1);
    if (pen_relative_open(run, x, list, landmarks, PEN_RELATIVE_BYTES, &space) != PEN_OK
        || pen_relative_nearest(run, &space, NEIGHBORS, nearest) != PEN_OK)
        exit(1);
    return cost_least(WORST, start);
}

int main(int argc, char **argv)
{
    const int file = argc > 1 && strstr(argv[1], ".npy") != NULL;
    pen_table *table = NULL;
    double *values = NULL;
    struct cost own = { 0, 0 };
    pen_data data = { .labels = NULL };
    pen_reduction components;
    pen_view rows, x;
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
    if (pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &rows) != PEN_OK
        || pen_rows_components(run, &rows,
                               &(pen_components){ .pca = file ? 0.98 : (double)INFINITY },
                               &components, &x)
               != PEN_OK)
        return 1;
    const struct cost took = search(run, &x, file ? atoll(argv[2]) : 0, file ? &own : NULL);
    const registers_loop loop = registers_of_panels(pen_panels_of(pen_isa_now(), PEN_F32), PEN_F32);
    const double n = (double)x.n, rate = registers_best(&loop),
                 limit = file ? own.cpu : n * n * n / rate;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"case\":\"knn, relative space\",\"rows\":%.0f,\"columns\":%lld,\"landmarks\":%lld,"
           "\"dtype\":\"f64\",\"threads\":%d,\"isa\":\"%s\",\"seconds\":%.3f,\"cpu\":%.3f,"
           "\"instruction\":\"%s\",\"rate\":%.4g,\"limit\":%.3f,\"ratio\":%.2f,\"peak\":%.0f}\n",
           n, (long long)x.d, file ? atoll(argv[2]) : 0LL, control.threads,
           pen_isa_name(pen_isa_now()), took.seconds, took.cpu,
           file ? "search in the space of the rows" : loop.instruction, rate, limit,
           took.cpu / limit, (double)usage.ru_maxrss * 1024);
    pen_run_close(run);
    pen_table_free(table);
    free(values);
    return 0;
}
