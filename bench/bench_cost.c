/* bench_cost.c - compares the cost formulas of the methods with the time of fits.
 *
 *   bench_cost X.npy Y.npy LABELS_PER_CLASS [METHOD]...
 *
 * fits each method (all, or only these) with its defaults on one thread, to rows with this number
 * of labels per class, and prints one JSON line for each: seconds of the fit, multiply-adds by its
 * formula, and their ratio in units of 10^9 per second. The formulas are useful if the ratios of
 * all methods are within a factor of about 5 of 2. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "eval/choose/budget.h"
#include "model/spec.h"

#include <string.h>

static const double AT_LEAST = 0.2; /* seconds of one measurement */

/* The fastest of the fits within AT_LEAST seconds; negative: the fit fails. */
static double fit_seconds(const pen_spec *spec, const pen_data *data, pen_error *err)
{
    const pen_control control = { .threads = 1 };
    const double begin = now();
    double fastest = -1;

    do {
        pen_model *model;
        const double start = now();
        if (pen_fit(spec, data, &control, &model, err) != PEN_OK)
            return -1;
        const double seconds = now() - start;
        fastest = fastest < 0 || seconds < fastest ? seconds : fastest;
        pen_model_free(model);
    } while (now() - begin < AT_LEAST);
    return fastest;
}

static void measure(const char *name, const pen_data *data, const pen_costs *costs)
{
    pen_spec *spec;
    pen_error err;

    check(pen_spec_new(name, &spec, &err), &err);
    double seconds = fit_seconds(spec, data, &err);
    const double cost = pen_costs_fit(costs, spec);
    if (seconds < 0 && pen_spec_set(spec, "ridge", "0.1", &err) == PEN_OK)
        seconds = fit_seconds(spec, data, &err);
    if (seconds < 0)
        printf("{\"method\": \"%s\", \"failure\": \"%.60s\"}\n", name, err.message);
    else
        printf("{\"method\": \"%s\", \"seconds\": %.5f, \"cost\": %.3g, \"per_ns\": %.3g}\n", name,
               seconds, cost, cost / seconds / 1e9);
    fflush(stdout);
    pen_spec_free(spec);
}

int main(int argc, char **argv)
{
    pen_table *x = NULL, *y = NULL;
    pen_error err;
    pen_run *run;
    pen_costs costs;

    if (argc < 4) {
        fprintf(stderr, "usage: bench_cost X.npy Y.npy LABELS_PER_CLASS [METHOD]...\n");
        return 2;
    }
    check(pen_read(argv[1], NULL, &x, &err), &err);
    check(pen_read_labels(argv[2], NULL, &y, &err), &err);
    check(pen_sample_labels(y->labels, y->x.rows, argv[3], 0, y->labels, &err), &err);
    const pen_data data = { .x = x->x, .labels = y->labels };
    check(pen_run_open(NULL, &err, &run), &err);
    check(pen_costs_open(run, &data, &costs), &err);
    for (int64_t m = 0; argc == 4 && pen_method_at(m); m++)
        measure(pen_method_at(m)->name, &data, &costs);
    for (int i = 4; i < argc; i++)
        measure(argv[i], &data, &costs);
    pen_run_close(run);
    pen_table_free(x);
    pen_table_free(y);
    return 0;
}
