/* bench_refit.c - repeated fits of the same rows with new labels.
 *
 *   bench_refit X.npy CLASSES.npy METHOD THREADS
 *
 * fits METHOD to the rows of X.npy with labels for the first 10 rows of each class, and again with
 * a label for the next row of each class, and prints one JSON line (seconds are the median of five
 * fits after a warm-up):
 *
 *   cold      seconds of the second fit from the rows
 *   prepare   seconds of the first fit of prepared rows
 *   refit     seconds of the second fit of prepared rows; ratio: refit / cold
 *   equal     1: the models of both second fits are the same bytes
 *   rows_memory, input: bytes of the results that prepared rows keep, and of the rows
 *   peak      largest resident size of the process
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <string.h>
#include <sys/resource.h>

enum { REPEATS = 5, EACH = 10, MOST_CLASSES = 256 };

struct work {
    pen_table *x, *y;
    int32_t *labels;
    pen_spec *spec;
    pen_control control;
    pen_rows *rows;
};

/* The first `each` rows of each class keep their labels. */
static void label(struct work *w, int64_t each)
{
    int64_t seen[MOST_CLASSES] = { 0 };

    for (int64_t i = 0; i < w->y->x.rows; i++) {
        const int32_t class = w->y->labels[i];
        w->labels[i] = seen[class]++ < each ? class : PEN_UNLABELLED;
    }
}

static double fit_once(const struct work *w, pen_rows *rows, pen_model **out)
{
    const pen_data data = { .x = w->x->x, .labels = w->labels, .rows = rows };
    const double start = now();
    pen_error err;

    check(pen_fit(w->spec, &data, &w->control, out, &err), &err);
    return now() - start;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The last model is *last. */
static double median(const struct work *w, pen_rows *rows, pen_model **last)
{
    double seconds[REPEATS];

    fit_once(w, rows, last);
    for (int i = 0; i < REPEATS; i++) {
        pen_model_free(*last);
        seconds[i] = fit_once(w, rows, last);
    }
    qsort(seconds, REPEATS, sizeof *seconds, by_size);
    return seconds[REPEATS / 2];
}

static int are_equal(const pen_model *a, const pen_model *b)
{
    void *bytes[2];
    size_t sizes[2];
    pen_error err;

    check(pen_model_to_bytes(a, &bytes[0], &sizes[0], &err), &err);
    check(pen_model_to_bytes(b, &bytes[1], &sizes[1], &err), &err);
    const int equal = sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0;
    pen_free(bytes[0]);
    pen_free(bytes[1]);
    return equal;
}

int main(int argc, char **argv)
{
    struct work w = { .rows = NULL };
    pen_model *cold, *again;
    struct rusage usage;
    pen_error err;

    if (argc != 5) {
        fprintf(stderr, "usage: bench_refit X.npy CLASSES.npy METHOD THREADS\n");
        return 2;
    }
    w.control = (pen_control){ .threads = atoi(argv[4]) };
    check(pen_read(argv[1], NULL, &w.x, &err), &err);
    check(pen_read_labels(argv[2], NULL, &w.y, &err), &err);
    check(pen_spec_new(argv[3], &w.spec, &err), &err);
    w.labels = malloc((size_t)w.y->x.rows * sizeof *w.labels);
    if (!w.labels)
        return 1;
    label(&w, EACH + 1);
    const double cold_seconds = median(&w, NULL, &cold);
    check(pen_rows_new(&w.x->x, &w.control, &w.rows, &err), &err);
    label(&w, EACH);
    const double prepare = fit_once(&w, w.rows, &again);
    pen_model_free(again);
    label(&w, EACH + 1);
    const double refit = median(&w, w.rows, &again);
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"case\":\"refit %s\",\"rows\":%lld,\"columns\":%lld,\"threads\":%d,\"cold\":%.4f,"
           "\"prepare\":%.4f,\"refit\":%.4f,\"ratio\":%.3f,\"equal\":%d,\"rows_memory\":%zu,"
           "\"input\":%lld,\"peak\":%lld}\n",
           argv[3], (long long)w.x->x.rows, (long long)w.x->x.cols, w.control.threads, cold_seconds,
           prepare, refit, refit / cold_seconds, are_equal(cold, again), pen_rows_memory(w.rows),
           (long long)(w.x->x.rows * w.x->x.cols) * 4, (long long)usage.ru_maxrss * 1024);
    pen_model_free(cold);
    pen_model_free(again);
    pen_rows_free(w.rows);
    pen_spec_free(w.spec);
    pen_table_free(w.x);
    pen_table_free(w.y);
    free(w.labels);
    return 0;
}
