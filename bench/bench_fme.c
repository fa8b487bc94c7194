/* bench_fme.c - the cost of FME and of its neighbor search.
 *
 *   bench_fme X.npy Y.npy LABELLED PCA(0: off) ROWS(0: all) THREADS
 *
 * fits FME, its parameters at their defaults, to rows of which every (ROWS / LABELLED)-th has its
 * label, and prints one JSON line: seconds of the fit, of the search alone (the 5 nearest neighbors
 * of all rows, in the coordinates of the fit) and of the rest, conjugate gradient iterations, and
 * the peak resident memory next to what it should be: the values, the principal components, the
 * lists of neighbors, the sparse matrix twice, 15 numbers per row and class for the scores, and
 * 5 d^2 for the scatter. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "neighbors/neighbors.h"
#include "linalg/reduce.h"

#include <string.h>
#include <sys/resource.h>

enum { NEIGHBORS = 5, CLASSES = 10 };

/* A number in the info of a model; -1 if it is missing. */
static double noted(const pen_model *model, const char *name)
{
    const char *at = strstr(pen_model_info(model), name);
    return at ? atof(at + strlen(name) + 2) : -1;
}

/* Wall-clock seconds, and processor seconds. */
static double search(const pen_data *data, double pca, const pen_control *control, double *cpu)
{
    pen_reduction reduction;
    pen_neighbor *found;
    pen_view rows, reduced;
    pen_error err;
    pen_run *run;

    check(pen_run_open(control, &err, &run), &err);
    check(pen_rows_open(run, data, 0, PEN_SCALE_NONE, &rows), &err);
    if (pca > 0)
        check(
            pen_rows_components(run, &rows, &(pen_components){ .pca = pca }, &reduction, &reduced),
            &err);
    const pen_subset all = { NULL, rows.n };
    check(PEN_NEW(run, found, rows.n * NEIGHBORS), &err);
    const double begin = now(), cpu_begin = (double)clock() / CLOCKS_PER_SEC;
    check(pen_neighbors_nearest(run, pca > 0 ? &reduced : &rows, all, all, NEIGHBORS, found), &err);
    const double seconds = now() - begin;
    *cpu = (double)clock() / CLOCKS_PER_SEC - cpu_begin;
    pen_run_close(run);
    return seconds;
}

int main(int argc, char **argv)
{
    pen_table *x = NULL, *y = NULL;
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    struct rusage used;
    pen_error err;

    if (argc != 7) {
        fprintf(stderr, "usage: bench_fme X.npy Y.npy LABELLED PCA ROWS THREADS\n");
        return 2;
    }
    const pen_control control = { .threads = atoi(argv[6]) };
    const double pca = atof(argv[4]);
    check(pen_read(argv[1], NULL, &x, &err), &err);
    check(pen_read_labels(argv[2], NULL, &y, &err), &err);
    if (atoll(argv[5]) > 0)
        x->x.rows = atoll(argv[5]);
    const int64_t n = x->x.rows, d = x->x.cols, each = n / atoll(argv[3]);
    for (int64_t i = 0; i < n; i++)
        if (i % each != 0)
            y->labels[i] = -1;
    const pen_data data = { .x = x->x, .labels = y->labels };
    check(pen_spec_new("fme", &spec, &err), &err);
    check(pen_spec_set(spec, "pca", pca > 0 ? argv[4] : "off", &err), &err);
    const double start = now(), cpu = (double)clock() / CLOCKS_PER_SEC;
    check(pen_fit(spec, &data, &control, &model, &err), &err);
    const double fit = now() - start, fit_cpu = (double)clock() / CLOCKS_PER_SEC - cpu;
    getrusage(RUSAGE_SELF, &used);

    double nearest_cpu;
    const double q = pca > 0 ? noted(model, "components") : 0,
                 nearest = search(&data, pca, &control, &nearest_cpu);
    const double bytes =
        (double)n * ((double)d + 8 * q + 16 * NEIGHBORS + 40 * 2 * NEIGHBORS + 8 * 15 * CLASSES)
        + 8 * 5 * (double)(d * d);
    printf(
        "{\"case\":\"fme\",\"rows\":%lld,\"columns\":%lld,\"components\":%g,\"labelled\":%s,"
        "\"threads\":%d,\"seconds\":%.2f,\"neighbors\":%.2f,\"rest\":%.2f,"
        "\"cpu\":%.2f,\"neighbors_cpu\":%.2f,\"rest_cpu\":%.2f,\"cg_iterations\":%g,\"peak\":%.0f,"
        "\"formula\":%.0f}\n",
        (long long)n, (long long)d, q, argv[3], control.threads, fit, nearest, fit - nearest,
        fit_cpu, nearest_cpu, fit_cpu - nearest_cpu, noted(model, "cg_iterations"),
        (double)used.ru_maxrss * 1024, bytes);
    pen_model_free(model);
    pen_spec_free(spec);
    pen_table_free(x);
    pen_table_free(y);
    return 0;
}
