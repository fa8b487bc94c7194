/* bench_pairs.c - learning from pairs, against what the machine can do.
 *
 *   bench_pairs X.npy Y.npy sample ROWS DTYPE THREADS
 *       30 % of all pairs of the first ROWS / classes rows of each class
 *   bench_pairs X.npy Y.npy labels ROWS DTYPE THREADS
 *       all pairs of the first ROWS rows, in closed form
 *
 * fits BWDR to 9 dimensions (DTYPE file: the type in the file; f64: widened) and prints one JSON
 * line:
 *
 *   seconds   the whole fit; cpu: processor seconds of all threads; the best of three
 *   pairs     seconds to draw the pairs and make sets of them
 *   scatters  processor seconds for both scatters, the best of three
 *   limit     processor seconds of 2 n^2 d operations (sample: the product of a dense n x n matrix
 *             and the rows) or n d^2 (labels: one pass for a scatter) at `rate`, that of
 *             `instruction` in a loop that touches no memory: the multiply-add of floats for the
 *             sample from bytes, otherwise of doubles. ratio: scatters / limit
 *   peak      largest resident size of the process in bytes, next to `input` and `formula`: input +
 *             12 * 8 d^2 + 3 n^2 / 16 + 96 MB
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/array.h"
#include "pairs/pairs.h"
#include "registers.h"
#include "scatter/scatter.h"

#include <string.h>
#include <sys/resource.h>

enum { REPEATS = 3, DIM = 9 };

struct work {
    char *values; /* [n x d] */
    int32_t *labels;
    pen_data data;
};

/* The first rows of each class, or the first rows. */
static void take_rows(const pen_table *x, const pen_table *y, int64_t rows, int each_class,
                      int wide, struct work *w)
{
    int64_t *seen = calloc((size_t)y->class_count + 1, sizeof *seen), taken = 0;
    const size_t from = x->x.dtype == PEN_F64   ? 8
                        : x->x.dtype == PEN_F32 ? 4
                                                : 1,
                 size = wide ? 8 : from;
    const int64_t d = x->x.cols;

    w->values = malloc((size_t)(rows * d) * size);
    w->labels = malloc((size_t)rows * sizeof *w->labels);
    if (!seen || !w->values || !w->labels)
        exit(1);
    for (int64_t i = 0; i < x->x.rows && taken < rows; i++) {
        if (each_class && seen[y->labels[i]]++ >= rows / y->class_count)
            continue;
        const uint8_t *const row = (const uint8_t *)x->x.values + (size_t)(i * x->x.stride) * from;
        for (int64_t j = 0; wide && j < d; j++)
            ((double *)(void *)w->values)[taken * d + j] = row[j];
        if (!wide)
            memcpy(w->values + (size_t)(taken * d) * size, row, (size_t)d * size);
        w->labels[taken++] = y->labels[i];
    }
    w->data = (pen_data){ .x = pen_dense(w->values, wide ? PEN_F64 : x->x.dtype, taken, d, d),
                          .labels = w->labels };
    free(seen);
}

static struct cost fit_cost(const pen_data *data, int sampled, const pen_control *control,
                            struct cost best)
{
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_error err;

    const struct cost start = cost_now();
    check(pen_spec_new("bwdr", &spec, &err), &err);
    check(pen_spec_set_number(spec, "dim", DIM, &err), &err);
    check(pen_spec_set(spec, "sample_pairs", sampled ? "30%" : "all", &err), &err);
    check(pen_spec_set_number(spec, "seed", 1, &err), &err);
    check(pen_fit(spec, data, control, &model, &err), &err);
    best = cost_least(best, start);
    pen_model_free(model);
    pen_spec_free(spec);
    return best;
}

static void parts(pen_run *run, const pen_data *data, int sampled, double *pairs_seconds,
                  double *scatter_seconds)
{
    const pen_pair_params how = { .sample = { .percent = sampled ? 30 : 0 } };
    pen_view x;
    pen_pair_set pairs;
    pen_factored B, W;

    if (pen_rows_open(run, data, 0, PEN_SCALE_NONE, &x) != PEN_OK)
        exit(1);
    const double start = now();
    if (pen_pairs_open(run, data, &how, 1, &x, PEN_ORDER_MUST_LINKS, &pairs) != PEN_OK)
        exit(1);
    *pairs_seconds = now() - start;
    const struct cost before = cost_now();
    if (pen_scatter_pairs_factored(run, &(pen_problem){ .rows = x, .pairs = &pairs }, &B, &W)
        != PEN_OK)
        exit(1);
    *scatter_seconds = cost_least(WORST, before).cpu;
}

int main(int argc, char **argv)
{
    pen_table *x = NULL, *y = NULL;
    struct work w = { .values = NULL };
    struct rusage usage;
    pen_error err;
    pen_run *run;
    struct cost best = WORST;
    double pairs = 1e30, scatters = 1e30;

    if (argc != 7) {
        fprintf(stderr, "usage: bench_pairs X.npy Y.npy sample|labels ROWS file|f64 THREADS\n");
        return 2;
    }
    const int sampled = strcmp(argv[3], "sample") == 0, wide = strcmp(argv[5], "f64") == 0;
    const pen_control control = { .threads = atoi(argv[6]) };
    check(pen_read(argv[1], NULL, &x, &err), &err);
    check(pen_read_labels(argv[2], NULL, &y, &err), &err);
    take_rows(x, y, atoll(argv[4]), sampled, wide, &w);
    pen_table_free(x);
    pen_table_free(y);
    for (int i = 0; i < REPEATS; i++)
        best = fit_cost(&w.data, sampled, &control, best);
    getrusage(RUSAGE_SELF, &usage);
    const double n = (double)w.data.x.rows, d = (double)w.data.x.cols;
    for (int i = 0; i < REPEATS; i++) {
        double p, s;
        check(pen_run_open(&control, &err, &run), &err);
        parts(run, &w.data, sampled, &p, &s);
        pen_run_close(run);
        pairs = p < pairs ? p : pairs;
        scatters = s < scatters ? s : scatters;
    }
    const pen_dtype type = !sampled || w.data.x.dtype == PEN_F64 ? PEN_F64 : PEN_F32;
    const registers_loop loop = registers_of_panels(pen_panels_of(pen_isa_now(), type), type);
    const double rate = registers_best(&loop), limit = (sampled ? 2 * n * n * d : n * d * d) / rate,
                 input = n * d * (double)pen_size(w.data.x.dtype);
    printf("{\"case\":\"bwdr, %s\",\"rows\":%.0f,\"columns\":%.0f,\"dtype\":\"%s\",\"threads\":%d,"
           "\"isa\":\"%s\",\"seconds\":%.3f,\"cpu\":%.3f,\"pairs\":%.3f,\"scatters\":%.3f,"
           "\"instruction\":\"%s\",\"rate\":%.4g,\"limit\":%.3f,\"ratio\":%.2f,\"input\":%.0f,"
           "\"peak\":%.0f,\"formula\":%.0f}\n",
           sampled ? "30 % of pairs" : "all pairs", n, d, dtype_name(w.data.x.dtype),
           control.threads, pen_isa_name(pen_isa_now()), best.seconds, best.cpu, pairs, scatters,
           loop.instruction, rate, limit, scatters / limit, input, (double)usage.ru_maxrss * 1024,
           input + 96 * d * d + (sampled ? 3 * n * n / 16 : 0) + 96e6);
    free(w.values);
    free(w.labels);
    return 0;
}
