/* write_neighbors.c - writing nearest neighbors. */
#include "core/arguments.h"
#include "core/number.h"
#include "io/npz.h"

#include <stdio.h>
#include <string.h>

/* k entries for each of n rows of a matrix n x n. */
struct lists {
    int64_t n, k;
    const int64_t *index;
    const double *distance;
};

enum { LINE = 2 * 24 + PEN_NUMBER_SIZE };

static pen_status write_npy(pen_run *run, const struct lists *l, pen_put put, void *to)
{
    (void)run;
    return pen_write_npy_items('i', sizeof *l->index, l->n, l->k, l->index, put, to);
}

/* Matrix Market numbers rows and columns from 1. */
static pen_status write_mtx(pen_run *run, const struct lists *l, pen_put put, void *to)
{
    char line[LINE + 64], number[PEN_NUMBER_SIZE];
    (void)run;

    snprintf(line, sizeof line, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %lld\n",
             (long long)l->n, (long long)l->n, (long long)(l->n * l->k));
    PEN_TRY(put(to, line, strlen(line)));
    for (int64_t i = 0; i < l->n * l->k; i++) {
        pen_number_write(l->distance[i], number);
        snprintf(line, sizeof line, "%lld %lld %s\n", (long long)(i / l->k + 1),
                 (long long)l->index[i] + 1, number);
        PEN_TRY(put(to, line, strlen(line)));
    }
    return PEN_OK;
}

static pen_status write_npz(pen_run *run, const struct lists *l, pen_put put, void *to)
{
    pen_sparse matrix = { .rows = l->n, .cols = l->n, .columns = l->index, .values = l->distance };
    int64_t *starts;

    PEN_TRY(PEN_NEW(run, starts, l->n + 1));
    for (int64_t i = 0; i <= l->n; i++)
        starts[i] = i * l->k;
    matrix.starts = starts;
    return pen_npz_write_sparse(&matrix, put, to);
}

typedef pen_status (*writer)(pen_run *run, const struct lists *l, pen_put put, void *to);

static writer writer_of(const char *path)
{
    return pen_has_extension(path, ".npy")   ? write_npy
           : pen_has_extension(path, ".npz") ? write_npz
           : pen_has_extension(path, ".mtx") ? write_mtx
                                             : NULL;
}

static pen_status check(pen_run *run, const char *path, const struct lists *l)
{
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, l->index, "index"));
    PEN_REQUIRE(run, writer_of(path) != NULL, PEN_UNKNOWN_NAME,
                "%s: the name must end in .npy, .npz or .mtx", path);
    PEN_REQUIRE(run, l->distance || pen_has_extension(path, ".npy"), PEN_BAD_ARGUMENT,
                "distance must not be NULL for a matrix of distances");
    PEN_REQUIRE(run, l->n >= 1 && l->k >= 1 && l->k <= INT64_MAX / 16 / l->n, PEN_BAD_ARGUMENT,
                "n and k must be >= 1, and n k numbers must fit in memory, got %lld, %lld",
                (long long)l->n, (long long)l->k);
    for (int64_t i = 0; i < l->n * l->k; i++)
        PEN_REQUIRE(run, l->index[i] >= 0 && l->index[i] < l->n, PEN_BAD_ARGUMENT,
                    "index of a neighbor must be in [0, %lld], got %lld", (long long)l->n - 1,
                    (long long)l->index[i]);
    return PEN_OK;
}

static pen_status write_lists(pen_run *run, const char *path, const struct lists *l)
{
    pen_output *output;

    PEN_TRY(check(run, path, l));
    PEN_TRY(pen_output_open(run, path, &output));
    return pen_output_close(output, writer_of(path)(run, l, pen_put_output, output));
}

pen_status pen_neighbors_write(const char *path, int64_t n, int64_t k, const int64_t *index,
                               const double *distance, pen_error *err)
{
    const struct lists lists = { n, k, index, distance };
    PEN_CALL(NULL, err, write_lists(run, path, &lists));
}
