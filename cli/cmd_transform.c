/* cmd_transform.c - penumbra transform: embed rows with a model, and predict their classes. */
#define _POSIX_C_SOURCE 200809L

#include "class_output.h"
#include "input.h"
#include "blas_memory.h"
#include "model_rows.h"
#include "output.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 24 };

static const cli_flag flags[] = {
    { "output", "FILE",
      "the output for embedded rows: .csv, .tsv, .npy, or - for CSV\non standard output", 'o' },
    { "predict", "FILE",
      "the output for predicted classes and their probabilities: .csv,\n.tsv, or - for CSV on "
      "standard output",
      0 },
    { "dtype", "f64|f32", "type of the numbers written (f64)", 0 },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

static const char *const dtypes[] = { "f64", "f32", NULL };

/* ---- output ---- */

typedef struct results {
    const pen_table *rows;
    const pen_model *model;
    pen_dtype dtype;
    void *z;           /* [rows x dimensions] or NULL: not wanted */
    classes predicted; /* of_row NULL: likewise */
} results;

/* z1, z2, ... as k pointers followed by their texts, in one allocation. */
static char **column_names(int64_t k)
{
    char **const names = malloc((size_t)k * (sizeof *names + NAME_SIZE));
    if (!names)
        return NULL;
    char *const texts = (char *)(names + k);
    for (int64_t j = 0; j < k; j++) {
        names[j] = texts + j * NAME_SIZE;
        snprintf(names[j], NAME_SIZE, "z%lld", (long long)j + 1);
    }
    return names;
}

static int write_rows(const cli_args *args, const results *found)
{
    const int64_t k = pen_model_output_dim(found->model);
    const pen_array z = pen_dense(found->z, found->dtype, found->rows->x.rows, k, k);
    pen_error err;

    char **const names = column_names(k);
    if (!names)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    const pen_status status = pen_write_kept(args_value(args, "output"), &z,
                                             (const char *const *)names, found->rows, &err);
    free(names);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

static int write_classes(const cli_args *args, const results *found)
{
    pen_error err;
    const pen_status status =
        classes_write(args_value(args, "predict"), &found->predicted, found->model,
                      (const char *const *)found->rows->row_names, &err);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

/* Both or neither: what cannot be undone is written first. */
static int write_both(const cli_args *args, const results *found)
{
    const char *const out = args_value(args, "output"), *const predict =
                                                            args_value(args, "predict");
    const int out_new = output_new(out),
              predict_first = output_streamed(predict) && !output_streamed(out);
    progress bar;

    if (output_streamed(predict_first ? predict : out))
        progress_release();
    int status = predict_first ? write_classes(args, found) : write_rows(args, found);
    if (status != CLI_OK)
        return status;
    progress_begin(&bar, 1);
    status = predict_first ? write_rows(args, found) : write_classes(args, found);
    if (status != CLI_OK && !predict_first && out_new)
        remove(out);
    return status;
}

static int write_results(const cli_args *args, const results *found)
{
    const char *const out = args_value(args, "output"), *const predict =
                                                            args_value(args, "predict");

    if (out && predict)
        return write_both(args, found);
    if (strcmp(cli_extension(out ? out : predict), "") == 0)
        progress_release();
    return out ? write_rows(args, found) : write_classes(args, found);
}

/* ---- the work ---- */

static int make_room(const cli_args *args, results *found)
{
    const int64_t n = found->rows->x.rows, k = pen_model_output_dim(found->model);

    if (args_value(args, "output")) {
        found->z = calloc((size_t)n, (size_t)k * sizeof(double));
        if (!found->z)
            return cli_say(args->command, CLI_FAILED,
                           "out of memory for %lld rows of %lld dimensions", (long long)n,
                           (long long)k);
    }
    if (!args_value(args, "predict"))
        return CLI_OK;
    return classes_new(args, n, pen_model_class_count(found->model), 0, &found->predicted);
}

/* Nothing is written before all results are there. */
static int embed(const cli_args *args, int threads, results *found)
{
    const pen_array *const x = &found->rows->x;
    pen_status status = PEN_OK;
    pen_error err;
    progress bar;

    const int room = make_room(args, found);
    if (room != CLI_OK)
        return room;
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { threads, progress_show, &bar };
    if (found->z)
        status = pen_transform(found->model, x, found->dtype, found->z,
                               pen_model_output_dim(found->model), &control, &err);
    if (status == PEN_OK && found->predicted.of_row)
        status = pen_predict(found->model, x, found->predicted.of_row, found->predicted.scores,
                             &control, &err);
    progress_end(&bar);
    if (progress_signal())
        return CLI_FAILED;
    if (status != PEN_OK)
        return cli_say(args->command, CLI_FAILED, "%s: %s", input_name(args_operand(args, 1)),
                       err.message);
    return write_results(args, found);
}

static int embed_rows(const cli_args *args, const pen_model *model, const pen_table *rows,
                      pen_dtype dtype, int threads)
{
    results found = { .rows = rows, .model = model, .dtype = dtype };

    const int status = embed(args, threads, &found);
    free(found.z);
    classes_free(&found.predicted);
    return status;
}

/* ---- the command ---- */

static int check_outputs(const cli_args *args)
{
    const char *const out = args_value(args, "output");
    int status = CLI_OK;

    if (!out && !args_value(args, "predict"))
        return cli_say(
            args->command, CLI_USAGE,
            "-o OUT or --predict FILE is required: the output for embedded rows or classes");
    if (out)
        status = args_refuse_h5ad(args, out);
    if (status == CLI_OK && out)
        status = args_output(args);
    if (status == CLI_OK)
        status = classes_check(args, "predict");
    if (status == CLI_OK)
        status = output_ready(args);
    if (status == CLI_OK)
        status = output_safe(args, args_operand(args, 0));
    return status == CLI_OK ? input_sources(args, args_operand(args, 1)) : status;
}

/* Kept columns are text next to the dimensions. */
static int check_keep(const cli_args *args)
{
    const char *const out = args_value(args, "output");

    if (!args_value(args, "keep") || (out && strcmp(cli_extension(out), ".npy") != 0))
        return CLI_OK;
    return cli_say(args->command, CLI_USAGE,
                   "--keep requires -o with a .csv or .tsv file, or - for standard output%s%s",
                   out ? ", got " : "", out ? out : "");
}

static int read_flags(const cli_args *args, pen_read_options *options, int *dtype, int *threads)
{
    int status = check_outputs(args);
    if (status == CLI_OK)
        status = check_keep(args);
    if (status == CLI_OK && args_value(args, "dtype") && !args_value(args, "output"))
        status =
            cli_say(args->command, CLI_USAGE, "--dtype requires -o OUT; scores are always f64");
    if (status == CLI_OK)
        status = args_choice(args, "dtype", dtypes, dtype);
    if (status == CLI_OK)
        status = memory_threads(args, threads);
    return status == CLI_OK ? input_options(args, options) : status;
}

static int transform(const cli_args *args)
{
    pen_read_options options;
    pen_table *rows = NULL;
    pen_model *model = NULL;
    int threads = 0, dtype = PEN_F64;

    int status = read_flags(args, &options, &dtype, &threads);
    if (status == CLI_OK)
        status = model_rows_load(args, args_value(args, "predict") != NULL, &model);
    if (status == CLI_OK)
        status = model_rows_read(args, model, args_operand(args, 1), &options, 0, &rows);
    if (status == CLI_OK)
        status = embed_rows(args, model, rows, (pen_dtype)dtype, threads);
    pen_table_free(rows);
    pen_model_free(model);
    return progress_signal() && status != CLI_OK ? progress_die(args->command) : status;
}

static const args_form form = {
    "penumbra transform MODEL DATA [-o OUT] [--predict FILE] [flags]",
    "Embed the rows of DATA (CSV, TSV, npy or libsvm; - is standard input) with a model. Where "
    "both have column names the model finds its\n"
    "columns by name, in any order and among others. Columns of the output are named z1, z2, ...; "
    "row names are kept, and so are the columns of\n"
    "--keep. A model that was fitted with labels also predicts classes: --predict writes them with "
    "the probabilities of all classes;\n"
    "penumbra predict has more choices.\n",
    2,
    2,
    { { NULL, flags }, { "Reading DATA (labels are left out)", input_flags } },
};

int cmd_transform(int argc, char **argv)
{
    return args_run(&form, argc, argv, transform);
}
