/* bench_sale.c - SALOE: the cost of an iteration against what the machine can do, and its parts.
 *
 *   bench_sale X.npy Y.npy DIM NEIGHBORS LABELLED ROWS(0: all) ITERATIONS THREADS
 *
 * fits SALOE to principal components with 95 % of the variance, with the labels of the first
 * LABELLED rows, and prints one JSON line; seconds are those of an iteration:
 *
 *   seconds   from the first report of an iteration to the last, divided by their number; what
 *             comes first is `before`, which is not per iteration
 *   neighbors_seconds, scatter, solving, rest
 *             its parts, by what is reported; the embedding and the sparse graph are in the rest
 *   gemm      flops per second of single-precision products of 512 x 512 x 512 on all threads, the
 *             best of six
 *   limit     (n^2 m + 2 n d^2) / gemm: each pair of embedded rows multiplied once, and the
 *             scatter; d components, m dimensions
 *   cpu       processor seconds of all threads, and cpu_ratio to the limit in processor seconds
 *   peak      largest resident size of the process in bytes before rates were measured, next to
 *             `formula`: input + (16 d + 12 m + 80 (k + 2)) n + 256 MB
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/parallel.h"
#include "linalg/blas.h"

#include <string.h>
#include <sys/resource.h>

enum { SIDE = 512, TASKS = 64, REPEATS = 6 };

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

/* ---- reports and their times ---- */

enum { NEIGHBORS, SCATTER, SOLVING, REST, PARTS };

static const char *const names[] = { "nearest neighbors", "scatter of a graph", "solving" };

struct watch {
    int iterating, part;
    double since, parts[PARTS];
    struct cost first, last;
};

static int note_progress(void *user, const char *phase, int64_t done, int64_t total)
{
    struct watch *w = user;
    const double time = now();

    w->parts[w->part] += time - w->since;
    w->since = time;
    w->part = REST;
    for (int i = 0; i < REST && done < total; i++)
        if (strcmp(phase, names[i]) == 0)
            w->part = i;
    if (strncmp(phase, "saloe", 5) != 0)
        return 0;
    w->last = clock_now();
    if (!w->iterating) {
        w->first = w->last;
        memset(w->parts, 0, sizeof w->parts);
    }
    w->iterating = 1;
    return 0;
}

/* ---- the cost of products ---- */

static void multiply(void *context, int64_t task, int worker)
{
    float *const a = (float *)context + (int64_t)worker * 3 * SIDE * SIDE;
    (void)task;
    pen_blas_gemm(PEN_F32, PEN_PLAIN, PEN_TRANSPOSED, SIDE, SIDE, SIDE, 1, a, SIDE, a + SIDE * SIDE,
                  SIDE, 0, a + 2 * SIDE * SIDE, SIDE);
}

/* The best flops per second, by the wall clock and per processor second. */
static struct cost rates(const pen_control *control)
{
    const double flops = 2.0 * TASKS * SIDE * SIDE * SIDE;
    struct cost best = { 0, 0 };
    pen_error err;
    pen_run *run;

    check(pen_run_open(control, &err, &run), &err);
    float *const blocks = calloc((size_t)pen_threads(run) * 3 * SIDE * SIDE, sizeof *blocks);
    for (int i = 0; blocks && i < REPEATS; i++) {
        const struct cost start = clock_now();
        pen_parallel(run, PEN_SILENT, TASKS, multiply, blocks);
        const struct cost end = clock_now();
        const double rate = flops / (end.seconds - start.seconds),
                     cpu_rate = flops / (end.cpu - start.cpu);
        best.seconds = rate > best.seconds ? rate : best.seconds;
        best.cpu = cpu_rate > best.cpu ? cpu_rate : best.cpu;
    }
    free(blocks);
    pen_run_close(run);
    return best;
}

/* ---- the fit ---- */

static double number_of(const pen_model *model, const char *name)
{
    const char *const at = strstr(pen_model_info(model), name);
    return at ? strtod(at + strlen(name) + 1, NULL) : 0;
}

static pen_model *fit(char **argv, const pen_data *data, const pen_control *control)
{
    static const char *const parameters[] = { "dim", "neighbors", "max_iter" };
    const char *const values[] = { argv[3], argv[4], argv[7] };
    pen_spec *spec;
    pen_model *model;
    pen_error err;

    check(pen_spec_new("saloe", &spec, &err), &err);
    check(pen_spec_set(spec, "tol", "0", &err), &err);
    for (int i = 0; i < 3; i++)
        check(pen_spec_set(spec, parameters[i], values[i], &err), &err);
    check(pen_fit(spec, data, control, &model, &err), &err);
    pen_spec_free(spec);
    return model;
}

int main(int argc, char **argv)
{
    pen_table *x, *y;
    struct rusage usage;
    pen_error err;

    if (argc != 9) {
        fprintf(stderr,
                "usage: bench_sale X.npy Y.npy DIM NEIGHBORS LABELLED ROWS ITERATIONS THREADS\n");
        return 2;
    }
    struct watch watch = { .part = REST, .since = now() };
    const pen_control control = { .threads = atoi(argv[8]),
                                  .progress = note_progress,
                                  .user = &watch },
                      silent = { .threads = atoi(argv[8]) };
    check(pen_read(argv[1], NULL, &x, &err), &err);
    check(pen_read_labels(argv[2], NULL, &y, &err), &err);
    if (atoll(argv[6]) > 0 && atoll(argv[6]) < x->x.rows)
        x->x.rows = atoll(argv[6]);
    for (int64_t i = atoll(argv[5]); i < x->x.rows; i++)
        y->labels[i] = PEN_UNLABELLED;
    const pen_data data = { .x = x->x, .labels = y->labels };
    const double start = now();
    pen_model *const model = fit(argv, &data, &control);
    getrusage(RUSAGE_SELF, &usage);

    const double n = (double)x->x.rows, d = number_of(model, "\"rank\""), m = atof(argv[3]),
                 k = atof(argv[4]);
    const double iterations = number_of(model, "\"iterations\""), flops = n * n * m + 2 * n * d * d;
    const double seconds = (watch.last.seconds - watch.first.seconds) / iterations,
                 cpu = (watch.last.cpu - watch.first.cpu) / iterations;
    const double size = x->x.dtype == PEN_F64   ? 8
                        : x->x.dtype == PEN_F32 ? 4
                                                : 1,
                 input = n * (double)x->x.cols * size;
    const struct cost rate = rates(&silent);
    printf("{\"case\":\"sale\",\"rows\":%.0f,\"components\":%.0f,\"dim\":%.0f,\"neighbors\":%.0f,"
           "\"labelled\":%s,\"threads\":%d,"
           "\"iterations\":%.0f,\"before\":%.2f,\"seconds\":%.3f,\"neighbors_seconds\":%.3f,"
           "\"scatter\":%.3f,\"solving\":%.3f,\"rest\":%.3f,"
           "\"gemm\":%.3g,\"limit\":%.3f,\"ratio\":%.2f,\"cpu\":%.3f,\"cpu_ratio\":%.2f,\"input\":%"
           ".0f,\"peak\":%.0f,\"formula\":%.0f}\n",
           n, d, m, k, argv[5], control.threads, iterations, watch.first.seconds - start, seconds,
           watch.parts[NEIGHBORS] / iterations, watch.parts[SCATTER] / iterations,
           watch.parts[SOLVING] / iterations, watch.parts[REST] / iterations, rate.seconds,
           flops / rate.seconds, seconds * rate.seconds / flops, cpu, cpu * rate.cpu / flops, input,
           (double)usage.ru_maxrss * 1024, input + (16 * d + 12 * m + 80 * (k + 2)) * n + 256e6);
    pen_model_free(model);
    pen_table_free(x);
    pen_table_free(y);
    return 0;
}
