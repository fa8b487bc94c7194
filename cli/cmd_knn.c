/* cmd_knn.c - penumbra knn: the nearest neighbors of every row. */
#define _POSIX_C_SOURCE 200809L

#include "input.h"
#include "blas_memory.h"
#include "output.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

static const cli_flag flags[] = {
    { "neighbors", "K", "number of nearest rows to find for each row", 0 },
    { "queries", "FILE",
      "find the nearest rows of DATA for each row of FILE, which has the\nsame columns and is read "
      "in the same way",
      0 },
    { "output", "FILE",
      "the output: .npy (row numbers), or the distances as a sparse\nmatrix, .npz (SciPy) or .mtx "
      "(text)",
      'o' },
    { "distances", "FILE", "a .npy file for the distances alone", 0 },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no report", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

/* What is found, [n x k] each. */
typedef struct neighbors {
    const pen_table *rows;
    const pen_table *queries; /* NULL: the other rows of each row are sought */
    int64_t n, k;
    int64_t *index;
    double *distance;
} neighbors;

/* ---- flags ---- */

static int check_files(const cli_args *args)
{
    static const char *const outputs[] = { ".npy", ".npz", ".mtx", NULL }, *const arrays[] = {
        ".npy", NULL
    };
    const char *const out = args_value(args, "output"), *const distances =
                                                            args_value(args, "distances");

    if (!out)
        return cli_say(args->command, CLI_USAGE, "-o FILE is required: a .npy, .npz or .mtx file");
    int status = output_ending(args, out, "output", outputs, ".npy, .npz or .mtx");
    if (status == CLI_OK && distances)
        status = output_ending(args, distances, "distances", arrays, ".npy");
    if (status == CLI_OK)
        status = output_ready(args);
    return status == CLI_OK ? input_sources(args, args_operand(args, 0)) : status;
}

static int check_missing(const cli_args *args)
{
    const char *const missing = args_value(args, "missing");

    if (!args_value(args, "queries") || !missing || strcmp(missing, "mean") != 0)
        return CLI_OK;
    return cli_say(
        args->command, CLI_USAGE,
        "--missing mean does not apply to --queries: each file would have its own means");
}

static int read_flags(const cli_args *args, pen_read_options *options, neighbors *want,
                      int *threads)
{
    if (!args_value(args, "neighbors"))
        return cli_say(args->command, CLI_USAGE,
                       "--neighbors K is required: the number of rows to find for each");
    int status = args_count(args, "neighbors", 1, &want->k);
    if (status == CLI_OK)
        status = check_missing(args);
    if (status == CLI_OK)
        status = check_files(args);
    if (status == CLI_OK)
        status = memory_threads(args, threads);
    return status == CLI_OK ? input_options(args, options) : status;
}

/* ---- the work ---- */

static int write_files(const cli_args *args, const neighbors *found)
{
    const char *const distances = args_value(args, "distances");
    const pen_array array = pen_dense(found->distance, PEN_F64, found->n, found->k, found->k);
    pen_error err;

    if (distances && pen_write(distances, &array, NULL, NULL, &err) != PEN_OK)
        return input_failed(args, &err);
    if (pen_neighbors_of_write(args_value(args, "output"), found->n, found->rows->x.rows, found->k,
                               found->index, found->distance, &err)
        != PEN_OK)
        return input_failed(args, &err);
    return CLI_OK;
}

static void report(const cli_args *args, const neighbors *found)
{
    const int one = found->n == 1;

    output_report(args, args_value(args, "output"));
    fprintf(stderr, "%lld nearest %s of %s%lld %s of %lld columns\n", (long long)found->k,
            found->k == 1 ? "neighbor" : "neighbors", one ? "" : "each of ", (long long)found->n,
            one ? "row" : "rows", (long long)found->rows->x.cols);
}

static pen_status seek(const neighbors *found, const pen_control *control, pen_error *err)
{
    const pen_array *const x = &found->rows->x;

    if (found->queries)
        return pen_neighbors_of(&found->queries->x, x, found->k, control, found->index,
                                found->distance, err);
    return pen_neighbors(x, found->k, control, found->index, found->distance, err);
}

static int search(const cli_args *args, neighbors *found, int threads)
{
    const int quiet = args_value(args, "quiet") != NULL;
    pen_error err;
    progress bar;

    progress_begin(&bar, quiet);
    const pen_control control = { threads, progress_show, &bar };
    const pen_status status = seek(found, &control, &err);
    progress_end(&bar);
    if (progress_signal())
        return progress_die(args->command);
    if (status != PEN_OK)
        return cli_say(args->command, CLI_FAILED, "%s: %s", input_name(args_operand(args, 0)),
                       err.message);
    const int result = write_files(args, found);
    if (result == CLI_OK && !quiet)
        report(args, found);
    return result;
}

/* The library refuses an impossible number of neighbors. */
static int find(const cli_args *args, neighbors *found, int threads)
{
    int result;

    found->n = found->queries ? found->queries->x.rows : found->rows->x.rows;
    const size_t count = found->k <= found->rows->x.rows ? (size_t)(found->n * found->k) : 1;
    found->index = calloc(count, sizeof *found->index);
    found->distance = calloc(count, sizeof *found->distance);
    if (found->index && found->distance)
        result = search(args, found, threads);
    else
        result = cli_say(args->command, CLI_FAILED, "out of memory for %lld neighbors of %lld rows",
                         (long long)found->k, (long long)found->n);
    free(found->index);
    free(found->distance);
    return result;
}

static int read_queries(const cli_args *args, const pen_read_options *options,
                        const pen_table *rows, pen_table **queries)
{
    const char *const path = args_value(args, "queries");
    const int64_t d = rows->x.cols;
    const char **names = NULL;

    if (!path)
        return CLI_OK;
    /* libsvm does not store trailing zeros */
    pen_read_options same = *options;
    same.columns = d;
    if (rows->column_names) { /* in any order and among others; labels are not needed */
        names = malloc((size_t)d * sizeof *names);
        if (!names)
            return cli_say(args->command, CLI_FAILED, "out of memory");
        memcpy(names, rows->column_names, (size_t)d * sizeof *names);
        same.select = names;
        same.select_count = d;
        same.label_column = NULL;
    }
    const int status = input_rows(args, path, &same, queries);
    free(names);
    if (status == CLI_OK && (*queries)->x.cols != rows->x.cols)
        return cli_say(args->command, CLI_FAILED, "%s must have the %lld columns of %s, got %lld",
                       input_name(path), (long long)rows->x.cols, input_name(args_operand(args, 0)),
                       (long long)(*queries)->x.cols);
    return status;
}

static int knn(const cli_args *args)
{
    pen_read_options options;
    pen_table *rows = NULL, *queries = NULL;
    neighbors found = { 0 };
    int threads = 0;

    int status = read_flags(args, &options, &found, &threads);
    if (status == CLI_OK)
        status = input_rows(args, args_operand(args, 0), &options, &rows);
    if (status == CLI_OK)
        status = input_all_rows(args, "numbers", args_value(args, "output"), args_operand(args, 0),
                                rows);
    if (status == CLI_OK)
        status = read_queries(args, &options, rows, &queries);
    if (status == CLI_OK) {
        found.rows = rows;
        found.queries = queries;
        status = find(args, &found, threads);
    }
    pen_table_free(rows);
    pen_table_free(queries);
    return status;
}

static const args_form form = {
    "penumbra knn DATA --neighbors K [flags] -o FILE",
    "Find the K nearest other rows of every row of DATA (CSV, TSV, npy or libsvm; - is standard "
    "input), exactly, by Euclidean distance\n"
    "between the rows as they are; or with --queries the K nearest rows of DATA for rows of "
    "another file.\n"
    "Neighbors are sorted by distance, ties by row number. Rows are numbered from 0, in .mtx from "
    "1.\n",
    1,
    1,
    { { NULL, flags }, { "Reading DATA (labels are left out)", input_flags } },
};

int cmd_knn(int argc, char **argv)
{
    return args_run(&form, argc, argv, knn);
}
