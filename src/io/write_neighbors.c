/* write_neighbors.c - writing nearest neighbors. */
#include "core/arguments.h"
#include "core/number.h"
#include "io/npz.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 2 * 24 + PEN_NUMBER_SIZE };

static pen_status write_npy(pen_run *run, int64_t n, int64_t k, const int64_t *index,
                            const double *distance, pen_put put, void *to)
{
    (void)run;
    (void)distance;
    PEN_TRY(pen_write_npy_header('i', sizeof *index, n, k, put, to));
    return put(to, index, (size_t)(n * k) * sizeof *index);
}

/* Matrix Market numbers rows and columns from 1. */
static pen_status write_mtx(pen_run *run, int64_t n, int64_t k, const int64_t *index,
                            const double *distance, pen_put put, void *to)
{
    char line[LINE + 64], number[PEN_NUMBER_SIZE];
    (void)run;

    snprintf(line, sizeof line, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %lld\n",
             (long long)n, (long long)n, (long long)(n * k));
    PEN_TRY(put(to, line, strlen(line)));
    for (int64_t i = 0; i < n * k; i++) {
        pen_number_write(distance[i], number);
        snprintf(line, sizeof line, "%lld %lld %s\n", (long long)(i / k + 1),
                 (long long)index[i] + 1, number);
        PEN_TRY(put(to, line, strlen(line)));
    }
    return PEN_OK;
}

static pen_status write_npz(pen_run *run, int64_t n, int64_t k, const int64_t *index,
                            const double *distance, pen_put put, void *to)
{
    pen_sparse matrix = { .rows = n, .cols = n, .columns = index, .values = distance };
    int64_t *starts;

    PEN_TRY(PEN_NEW(run, starts, n + 1));
    for (int64_t i = 0; i <= n; i++)
        starts[i] = i * k;
    matrix.starts = starts;
    return pen_npz_write_sparse(&matrix, put, to);
}

typedef pen_status (*writer)(pen_run *run, int64_t n, int64_t k, const int64_t *index,
                             const double *distance, pen_put put, void *to);

static writer writer_of(const char *path)
{
    return pen_has_extension(path, ".npy")   ? write_npy
           : pen_has_extension(path, ".npz") ? write_npz
           : pen_has_extension(path, ".mtx") ? write_mtx
                                             : NULL;
}

static pen_status check(pen_run *run, const char *path, int64_t n, int64_t k, const int64_t *index,
                        const double *distance)
{
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, index, "index"));
    PEN_REQUIRE(run, writer_of(path) != NULL, PEN_UNKNOWN_NAME,
                "%s: the name must end in .npy, .npz or .mtx", path);
    PEN_REQUIRE(run, distance || pen_has_extension(path, ".npy"), PEN_BAD_ARGUMENT,
                "distance must not be NULL for a matrix of distances");
    PEN_REQUIRE(run, n >= 1 && k >= 1 && k <= INT64_MAX / 16 / n, PEN_BAD_ARGUMENT,
                "n and k must be >= 1, and n k numbers must fit in memory, got %lld, %lld",
                (long long)n, (long long)k);
    for (int64_t i = 0; i < n * k; i++)
        PEN_REQUIRE(run, index[i] >= 0 && index[i] < n, PEN_BAD_ARGUMENT,
                    "index of a neighbor must be in [0, %lld], got %lld", (long long)n - 1,
                    (long long)index[i]);
    return PEN_OK;
}

static pen_status write_neighbors(pen_run *run, const char *path, int64_t n, int64_t k,
                                  const int64_t *index, const double *distance)
{
    pen_output *output;

    PEN_TRY(check(run, path, n, k, index, distance));
    PEN_TRY(pen_output_open(run, path, &output));
    return pen_output_close(output,
                            writer_of(path)(run, n, k, index, distance, pen_put_output, output));
}

pen_status pen_neighbors_write(const char *path, int64_t n, int64_t k, const int64_t *index,
                               const double *distance, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(NULL, err, &run));
    const pen_status status = write_neighbors(run, path, n, k, index, distance);
    pen_run_close(run);
    return status;
}
