/* bench_knn.c - the nearest neighbors of all rows against what the machine can do.
 *
 *   bench_knn X.npy NEIGHBORS ROWS THREADS
 *
 * finds the NEIGHBORS nearest rows of each of the first ROWS rows of X.npy (0: all) and prints one
 * JSON line.
 *
 *   seconds   from rows in memory to row numbers and distances; cpu: processor seconds of all
 *             threads; the best of three (of one for more than 30000 rows)
 *   sweep     the same where all columns of all pairs are multiplied, with sweep_cpu
 *   again     the same for a search that gets these row numbers as guesses, with again_cpu and
 *             again_ratio
 *   rate      operations per processor second of `instruction`, the one that multiplies rows, in a
 *             loop that touches no memory; measured before and after, the best
 *   limit     processor seconds of n^2 / 2 pairs of rows at this rate, 2 operations for each column
 *             of a pair, columns padded as the instruction wants them: all pairs once. ratio: cpu /
 *             limit
 *   peak      largest resident size of the process in bytes before the search with guesses, next to
 *             `input`, the rows, and `formula`: the rows, the result, what pen_neighbors says it
 *             takes, with 8 MB a thread, and what the process held before
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "neighbors/code_search.h"
#include "neighbors/codes.h"
#include "neighbors/neighbors.h"
#include "registers.h"

#include <sys/resource.h>

enum { REPEATS = 3, MANY_ROWS = 30000 };

/* How rows are multiplied. */
struct products {
    registers_loop loop;
    int codes, whole;  /* rows are bytes, and these are their values */
    double operations; /* of all pairs */
};

static struct products products_of(const pen_control *control, const pen_array *x)
{
    const pen_data data = { .x = *x };
    const double pairs = (double)x->rows * (double)x->rows / 2;
    pen_coding coding;
    pen_view rows;
    pen_error err;
    pen_run *run;
    int suits;

    check(pen_run_open(control, &err, &run), &err);
    check(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &rows), &err);
    check(pen_coding_open(run, &rows, NULL, &coding, &suits), &err);
    const int codes = suits;
    const pen_panels *const panels = pen_panels_of(pen_isa_now(), PEN_F32);
    const struct products p = {
        .loop = codes ? registers_of_tiles(coding.tiles) : registers_of_panels(panels, PEN_F32),
        .codes = codes,
        .whole = codes && coding.whole,
        .operations = pairs * 2 * (double)(codes ? coding.depth : x->cols),
    };
    pen_run_close(run);
    return p;
}

/* Bytes of a call of pen_neighbors, from compare.h. */
static double promised(const struct products *p, const pen_array *x, double k, int threads)
{
    const double n = (double)x->rows, each = (double)x->cols + 8 * k + 72;
    const double all = each + (p->whole ? 0 : 24 * k + 200),
                 first = (p->whole ? 1 : 4) * (double)x->cols + 1420;
    return 16 * n * k + n * (all > first ? all : first) + 8e6 * threads;
}

static int repeats(const pen_array *x)
{
    return x->rows > MANY_ROWS ? 1 : REPEATS;
}

static double resident(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

/* Another search for the lists with these row numbers; the program fails if its lists are others.
 * again: with the right numbers as guesses; otherwise all columns are multiplied, and without codes
 * that suit there is no such search. */
static struct cost search(const pen_control *control, const pen_array *x, int64_t k, int again,
                          const int64_t *index)
{
    const pen_data data = { .x = *x };
    struct cost best = WORST;
    pen_neighbor *lists;
    pen_view rows;
    pen_error err;
    pen_run *run;
    int done = 1;

    check(pen_run_open(control, &err, &run), &err);
    check(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &rows), &err);
    check(PEN_NEW(run, lists, x->rows * k), &err);
    const pen_code_search_side all = { &rows, NULL, x->rows };
    const pen_code_search_task task = { all, all, k, NULL, 1 };
    for (int i = 0; i < repeats(x); i++) {
        for (int64_t j = 0; j < x->rows * k; j++)
            lists[j] = (pen_neighbor){ 0, again ? index[j] : -1 };
        const struct cost start = cost_now();
        check(again ? pen_neighbors_refresh(run, &rows, x->rows, k, lists, lists)
                    : pen_code_search(run, &task, lists, &done),
              &err);
        best = cost_least(best, start);
    }
    for (int64_t j = 0; done && j < x->rows * k; j++)
        if (lists[j].row != index[j])
            exit(1);
    pen_run_close(run);
    return done ? best : (struct cost){ 0 };
}

int main(int argc, char **argv)
{
    const double before = resident();
    struct cost best = WORST;
    pen_table *table;
    pen_error err;

    if (argc != 5) {
        fprintf(stderr, "usage: bench_knn X.npy NEIGHBORS ROWS THREADS\n");
        return 2;
    }
    const pen_control control = { .threads = atoi(argv[4]) };
    const int64_t k = atoll(argv[2]);
    check(pen_read(argv[1], NULL, &table, &err), &err);
    pen_array x = table->x;
    if (atoll(argv[3]) > 0 && atoll(argv[3]) < x.rows)
        x.rows = atoll(argv[3]);
    int64_t *const index = malloc((size_t)(x.rows * k) * sizeof *index);
    double *const distance = malloc((size_t)(x.rows * k) * sizeof *distance);
    if (!index || !distance)
        return 1;
    const struct products products = products_of(&control, &x);
    const double rate = registers_best(&products.loop);
    for (int i = 0; i < repeats(&x); i++) {
        const struct cost start = cost_now();
        check(pen_neighbors(&x, NULL, k, &control, index, distance, &err), &err);
        best = cost_least(best, start);
    }
    const double peak = resident(), rate_after = registers_best(&products.loop);
    const struct cost sweep = search(&control, &x, k, 0, index);
    const struct cost again = search(&control, &x, k, 1, index);
    const double n = (double)x.rows, d = (double)x.cols,
                 input = (double)table->x.rows * d * (double)pen_size(x.dtype),
                 best_rate = rate > rate_after ? rate : rate_after,
                 limit = products.operations / best_rate;
    printf("{\"case\":\"knn\",\"dtype\":\"%s\",\"rows\":%.0f,\"columns\":%.0f,\"neighbors\":%lld,"
           "\"threads\":%d,\"isa\":\"%s\",\"seconds\":%.3f,\"cpu\":%.3f,\"instruction\":\"%s\","
           "\"rate\":%.4g,\"limit\":%.3f,\"ratio\":%.2f,\"sweep\":%.3f,\"sweep_cpu\":%.3f,"
           "\"again\":%.3f,\"again_cpu\":%.3f,"
           "\"again_ratio\":%.2f,\"input\":%.0f,\"peak\":%.0f,\"formula\":%.0f}\n",
           dtype_name(x.dtype), n, d, (long long)k, control.threads, pen_isa_name(pen_isa_now()),
           best.seconds, best.cpu, products.loop.instruction, best_rate, limit, best.cpu / limit,
           sweep.seconds, sweep.cpu, again.seconds, again.cpu, again.cpu / limit, input, peak,
           before + input + 16 * n * (double)k
               + promised(&products, &x, (double)k, control.threads));
    free(index);
    free(distance);
    pen_table_free(table);
    return 0;
}
