/* bench_text.c - a table of doubles as text.
 *
 *   bench_text ROWS COLUMNS FILE.csv
 *
 * writes ROWS x COLUMNS normal numbers to FILE.csv, reads them back, and prints one JSON line with
 * the seconds and the CPU seconds of both, the best of three. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/rng.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 3 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct best {
    double seconds, cpu;
};

static void note(struct best *best, double start, double cpu_start)
{
    best->seconds = fmin(best->seconds, now() - start);
    best->cpu = fmin(best->cpu, cpu_seconds() - cpu_start);
}

/* Box and Muller. */
static void draw(double *values, int64_t count)
{
    const double turn = 6.283185307179586;
    pen_rng rng = { 1 };

    for (int64_t i = 0; i < count; i++) {
        const double radius = sqrt(-2 * log(1 - pen_rng_uniform(&rng)));
        values[i] = radius * cos(turn * pen_rng_uniform(&rng));
    }
}

int main(int argc, char **argv)
{
    struct best write = { 1e30, 1e30 }, read = { 1e30, 1e30 };
    pen_table *back;
    pen_error err;

    if (argc != 4 || atoll(argv[1]) < 1 || atoll(argv[2]) < 1) {
        fprintf(stderr, "usage: bench_text ROWS COLUMNS FILE.csv\n");
        return 2;
    }
    const int64_t rows = atoll(argv[1]), cols = atoll(argv[2]);
    double *const values = malloc((size_t)(rows * cols) * sizeof *values);
    if (!values)
        return 1;
    draw(values, rows * cols);
    const pen_array x = pen_dense(values, PEN_F64, rows, cols, cols);
    for (int i = 0; i < REPEATS; i++) {
        double start = now(), cpu = cpu_seconds();
        check(pen_write(argv[3], NULL, &(pen_table){ .x = x }, &err), &err);
        note(&write, start, cpu);
        start = now();
        cpu = cpu_seconds();
        check(pen_read(argv[3], NULL, &back, &err), &err);
        note(&read, start, cpu);
        if (back->x.rows != rows || back->x.cols != cols
            || memcmp(back->x.values, values, (size_t)(rows * cols) * sizeof *values) != 0) {
            fprintf(stderr, "%s: other numbers\n", argv[3]);
            return 1;
        }
        pen_table_free(back);
    }
    remove(argv[3]);
    printf("{\"case\":\"text\",\"rows\":%lld,\"columns\":%lld,\"write\":%.3f,\"write_cpu\":%.3f,"
           "\"read\":%.3f,\"read_cpu\":%.3f}\n",
           (long long)rows, (long long)cols, write.seconds, write.cpu, read.seconds, read.cpu);
    free(values);
    return 0;
}
