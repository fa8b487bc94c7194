/* bench_fit.c - fitting, from the file on disk to the model file, against what the machine can do.
 *
 *   bench_fit X.npy Y.npy METHOD DIM LABELLED DTYPE THREADS
 *
 * fits METHOD to the rows of X.npy, of which the first LABELLED / classes of each class in Y.npy
 * keep their labels (0: all), passed as DTYPE (file: the type in the file; f64: widened, which is
 * not counted as reading), and prints one JSON line:
 *
 *   seconds   reading, fitting and saving; cpu: processor seconds of all threads; the best of
 *             three
 *   rate      operations per processor second of `instruction`, the one that multiplies rows of
 *             this type, in a loop that touches no memory
 *   eig       processor seconds of the eigenproblem alone, on matrices of the same size
 *   limit     (n d^2 [one pass for a scatter] + 2 labelled n d [labelled rows to all rows, for
 *             self]) / rate + eig; ratio: cpu / limit
 *   peak      largest resident size of the process in bytes before the limit was measured, next to
 *             `input` and `formula`: input + 6 * 8 d^2 + 64 MB
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/array.h"
#include "core/rng.h"
#include "linalg/eig.h"
#include "registers.h"

#include <string.h>
#include <sys/resource.h>

enum { REPEATS = 3 };

/* ---- what the machine can do ---- */

static double eig_seconds(pen_run *run, int64_t d, int64_t k, int ratio)
{
    pen_sym B, C;
    pen_eig e;
    pen_rng rng = { 1 };
    struct cost best = WORST;

    if (pen_sym_zero(run, d, &B) != PEN_OK || pen_sym_zero(run, d, &C) != PEN_OK)
        exit(1);
    double *v = pen_scratch(run, d, sizeof *v);
    for (int64_t i = 0; v && i < 2 * d; i++) {
        for (int64_t j = 0; j < d; j++)
            v[j] = pen_rng_uniform(&rng) - 0.5;
        pen_sym_add_outer(1, v, i % 2 ? &B : &C);
    }
    pen_sym_add_identity(1, &B);
    pen_sym_add_identity(1, &C);
    for (int i = 0; i < REPEATS; i++) {
        const struct cost start = cost_now();
        if (pen_eig_largest(run, &B, ratio ? &C : NULL, k, &e) != PEN_OK)
            exit(1);
        best = cost_least(best, start);
    }
    return best.cpu;
}

/* ---- the work ---- */

struct work {
    pen_table *x, *y;
    int32_t *labels;
    double *wide;
    int64_t labelled;
};

static void hide_labels(struct work *w, int64_t labelled)
{
    int64_t *seen = calloc((size_t)w->y->class_count + 1, sizeof *seen);
    const int64_t each = labelled / w->y->class_count;

    w->labels = malloc((size_t)w->y->x.rows * sizeof *w->labels);
    for (int64_t i = 0; seen && w->labels && i < w->y->x.rows; i++) {
        const int32_t label = w->y->labels[i];
        w->labels[i] = labelled == 0 || seen[label]++ < each ? label : PEN_UNLABELLED;
        w->labelled += w->labels[i] != PEN_UNLABELLED;
    }
    free(seen);
}

static struct cost run_once(struct work *w, struct cost best, const char *path, const char *method,
                            const char *dim, int wide, const pen_control *control)
{
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_error err;
    struct cost start = cost_now();

    pen_table_free(w->x);
    check(pen_read(path, NULL, &w->x, &err), &err);
    pen_data data = { .x = w->x->x, .labels = w->labels };
    if (wide) {
        if (!w->wide)
            w->wide = malloc((size_t)(data.x.rows * data.x.cols) * sizeof *w->wide);
        for (int64_t i = 0; w->wide && i < data.x.rows * data.x.cols; i++)
            w->wide[i] = ((const uint8_t *)data.x.values)[i];
        data.x = pen_dense(w->wide, PEN_F64, data.x.rows, data.x.cols, data.x.cols);
        start = cost_now();
    }
    check(pen_spec_new(method, &spec, &err), &err);
    check(pen_spec_set(spec, "dim", dim, &err), &err);
    if (pen_spec_set(spec, "ridge", "1e-6", NULL) == PEN_OK && strcmp(method, "self") == 0)
        check(pen_spec_set(spec, "ridge", "0", &err), &err);
    if (strcmp(method, "self") == 0) /* one fit, not a choice among many */
        check(pen_spec_set(spec, "beta", "0.5", &err), &err);
    check(pen_fit(spec, &data, control, &model, &err), &err);
    check(pen_model_save(model, "bench_fit.model", &err), &err);
    best = cost_least(best, start);
    remove("bench_fit.model");
    pen_model_free(model);
    pen_spec_free(spec);
    return best;
}

int main(int argc, char **argv)
{
    struct work w = { .labelled = 0 };
    struct rusage usage;
    pen_error err;
    pen_run *run;
    struct cost best = WORST;

    if (argc != 8) {
        fprintf(stderr, "usage: bench_fit X.npy Y.npy METHOD DIM LABELLED file|f64 THREADS\n");
        return 2;
    }
    const int wide = strcmp(argv[6], "f64") == 0;
    const pen_control control = { .threads = atoi(argv[7]) };
    check(pen_read_labels(argv[2], NULL, &w.y, &err), &err);
    hide_labels(&w, atoll(argv[5]));
    for (int i = 0; i < REPEATS; i++)
        best = run_once(&w, best, argv[1], argv[3], argv[4], wide, &control);
    getrusage(RUSAGE_SELF, &usage);
    check(pen_run_open(&control, &err, &run), &err);
    const double n = (double)w.x->x.rows, d = (double)w.x->x.cols;
    const pen_dtype type = wide ? PEN_F64 : w.x->x.dtype;
    const double bytes = n * d * (double)pen_size(type);
    const double flops =
        n * d * d + (strcmp(argv[3], "self") == 0 ? 2 * (double)w.labelled * n * d : 0);
    const pen_dtype work = type == PEN_F64 ? PEN_F64 : PEN_F32;
    const registers_loop loop = registers_of_panels(pen_panels_of(pen_isa_now(), work), work);
    const double rate = registers_best(&loop);
    const double eig = eig_seconds(run, w.x->x.cols, atoll(argv[4]), strcmp(argv[3], "pca") != 0),
                 limit = flops / rate + eig;
    printf("{\"case\":\"%s\",\"rows\":%.0f,\"columns\":%.0f,\"labelled\":%lld,\"dtype\":\"%s\","
           "\"threads\":%d,\"isa\":\"%s\",\"seconds\":%.3f,\"cpu\":%.3f,\"instruction\":\"%s\","
           "\"rate\":%.4g,\"eig\":%.3f,\"limit\":%.3f,\"ratio\":%.2f,\"input\":%.0f,\"peak\":%.0f,"
           "\"formula\":%.0f}\n",
           argv[3], n, d, (long long)w.labelled, dtype_name(type), control.threads,
           pen_isa_name(pen_isa_now()), best.seconds, best.cpu, loop.instruction, rate, eig, limit,
           best.cpu / limit, bytes, (double)usage.ru_maxrss * 1024, bytes + 48 * d * d + 64e6);
    pen_run_close(run);
    pen_table_free(w.x);
    pen_table_free(w.y);
    free(w.labels);
    free(w.wide);
    return 0;
}
