/* bench_embeddings.c - rows that resemble sentence embeddings, for benchmarks of neighbors.
 *
 *   bench_embeddings OUT.npy ROWS [SEED [CLASSES.npy]]
 *
 * writes ROWS rows of length 1 in 384 columns, as floats: points around 200 centers in a random
 * subspace of 64 dimensions, of standard deviation j^-1/2 in the j-th for the centers and 0.7 of
 * that around them, scaled to length 1, and Gaussian noise of length 1/5 in all columns. With the
 * same SEED (0) fewer rows are the first ones of more. CLASSES.npy gets 10 classes: each has every
 * tenth center. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/rng.h"

#include <math.h>

enum { COLUMNS = 384, RANK = 64, CENTERS = 200, CLASSES = 10 };
static const double NOISE = 0.2, WITHIN = 0.7, PI = 3.14159265358979323846;

struct world {
    double basis[RANK][COLUMNS]; /* orthonormal */
    double centers[CENTERS][RANK];
};

/* Box and Muller: two numbers of the standard normal distribution. */
static void normal_pair(pen_rng *rng, double *out)
{
    const double length = sqrt(-2 * log(1 - pen_rng_uniform(rng))),
                 angle = 2 * PI * pen_rng_uniform(rng);
    out[0] = length * cos(angle);
    out[1] = length * sin(angle);
}

static void normals(pen_rng *rng, int count, double *out)
{
    for (int i = 0; i < count; i += 2)
        normal_pair(rng, out + i);
}

static double product(int count, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void stretch(int count, double length, double *row)
{
    const double factor = length / sqrt(product(count, row, row));
    for (int i = 0; i < count; i++)
        row[i] *= factor;
}

/* Gram and Schmidt, twice. */
static void open_world(pen_rng *rng, struct world *w)
{
    for (int i = 0; i < RANK; i++) {
        double *const row = w->basis[i];
        normals(rng, COLUMNS, row);
        for (int twice = 0; twice < 2; twice++) {
            for (int j = 0; j < i; j++) {
                const double share = product(COLUMNS, row, w->basis[j]);
                for (int c = 0; c < COLUMNS; c++)
                    row[c] -= share * w->basis[j][c];
            }
            stretch(COLUMNS, 1, row);
        }
    }
    for (int i = 0; i < CENTERS; i++) {
        normals(rng, RANK, w->centers[i]);
        for (int j = 0; j < RANK; j++)
            w->centers[i][j] /= sqrt(j + 1);
    }
}

/* Returns the number of its center. */
static int64_t draw_row(pen_rng *rng, const struct world *w, float *out)
{
    const int64_t number = pen_rng_below(rng, CENTERS);
    const double *const center = w->centers[number];
    double point[RANK], noise[COLUMNS], row[COLUMNS] = { 0 };

    normals(rng, RANK, point);
    normals(rng, COLUMNS, noise);
    for (int j = 0; j < RANK; j++)
        point[j] = center[j] + WITHIN * point[j] / sqrt(j + 1);
    stretch(RANK, 1, point);
    stretch(COLUMNS, NOISE, noise);
    for (int j = 0; j < RANK; j++)
        for (int c = 0; c < COLUMNS; c++)
            row[c] += point[j] * w->basis[j][c];
    for (int c = 0; c < COLUMNS; c++)
        row[c] += noise[c];
    stretch(COLUMNS, 1, row);
    for (int c = 0; c < COLUMNS; c++)
        out[c] = (float)row[c];
    return number;
}

static void write_array(const char *path, pen_array x)
{
    pen_error err;

    check(pen_write(path, NULL, &(pen_table){ .x = x }, &err), &err);
}

int main(int argc, char **argv)
{
    const int64_t n = argc > 2 ? atoll(argv[2]) : 0;
    pen_rng rng = { argc > 3 ? strtoull(argv[3], NULL, 10) : 0 };
    struct world *const w = malloc(sizeof *w);

    if (argc < 3 || argc > 5 || n < 1) {
        fprintf(stderr, "usage: bench_embeddings OUT.npy ROWS [SEED [CLASSES.npy]]\n");
        return 2;
    }
    float *const rows = malloc((size_t)(n * COLUMNS) * sizeof *rows);
    uint8_t *const classes = malloc((size_t)n);
    if (!w || !rows || !classes)
        return 1;
    open_world(&rng, w);
    for (int64_t i = 0; i < n; i++)
        classes[i] = (uint8_t)(draw_row(&rng, w, rows + i * COLUMNS) % CLASSES);
    write_array(argv[1], pen_dense(rows, PEN_F32, n, COLUMNS, COLUMNS));
    if (argc > 4)
        write_array(argv[4], pen_dense(classes, PEN_U8, n, 1, 1));
    free(classes);
    free(rows);
    free(w);
    return 0;
}
