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
 *   cpu       processor seconds of all threads
 *   limit     processor seconds of n^2 m + 2 n d^2 operations in floats: each pair of embedded rows
 *             multiplied once, and the scatter; d components, m dimensions; at `rate`, that of
 *             `instruction` in a loop that touches no memory. ratio: cpu / limit
 *   peak      largest resident size of the process in bytes, next to
 *             `formula`: input + (16 d + 12 m + 80 (k + 2)) n + 256 MB
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/array.h"
#include "registers.h"

#include <string.h>
#include <sys/resource.h>

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
    w->last = cost_now();
    if (!w->iterating) {
        w->first = w->last;
        memset(w->parts, 0, sizeof w->parts);
    }
    w->iterating = 1;
    return 0;
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
                                  .user = &watch };
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
    const registers_loop loop = registers_of_panels(pen_panels_of(pen_isa_now(), PEN_F32), PEN_F32);
    const double input = n * (double)x->x.cols * (double)pen_size(x->x.dtype),
                 rate = registers_best(&loop), limit = flops / rate;
    printf("{\"case\":\"saloe, an iteration\",\"rows\":%.0f,\"columns\":%.0f,\"dim\":%.0f,"
           "\"neighbors\":%.0f,\"labelled\":%s,\"dtype\":\"%s\",\"threads\":%d,\"isa\":\"%s\","
           "\"iterations\":%.0f,\"before\":%.2f,\"seconds\":%.3f,\"neighbors_seconds\":%.3f,"
           "\"scatter\":%.3f,\"solving\":%.3f,\"rest\":%.3f,\"cpu\":%.3f,\"instruction\":\"%s\","
           "\"rate\":%.4g,\"limit\":%.3f,\"ratio\":%.2f,\"input\":%.0f,\"peak\":%.0f,"
           "\"formula\":%.0f}\n",
           n, d, m, k, argv[5], dtype_name(x->x.dtype), control.threads,
           pen_isa_name(pen_isa_now()), iterations, watch.first.seconds - start, seconds,
           watch.parts[NEIGHBORS] / iterations, watch.parts[SCATTER] / iterations,
           watch.parts[SOLVING] / iterations, watch.parts[REST] / iterations, cpu, loop.instruction,
           rate, limit, cpu / limit, input, (double)usage.ru_maxrss * 1024,
           input + (16 * d + 12 * m + 80 * (k + 2)) * n + 256e6);
    pen_model_free(model);
    pen_table_free(x);
    pen_table_free(y);
    return 0;
}
