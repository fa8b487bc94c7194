/* cmd_transform.c - penumbra transform: embed rows with a model. */
#define _POSIX_C_SOURCE 200809L

#include "blas_memory.h"
#include "flags/input.h"
#include "flags/output.h"
#include "model_rows.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 24 };

static const cli_flag flags[] = {
    { "output", "FILE",
      "the output for embedded rows: .csv, .tsv, .npy, or - for CSV\non standard output", 'o' },
    { "dtype", "f64|f32", "type of the numbers written (f64)", 0 },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

static const char *const dtypes[] = { "f64", "f32", NULL };

/* ---- output ---- */

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

static int write_rows(const cli_args *args, const pen_array *z, const pen_table *rows)
{
    const char *const out = args_value(args, "output");
    pen_error err;

    char **const names = column_names(z->cols);
    if (!names)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    if (strcmp(cli_extension(out), "") == 0)
        progress_release();
    const pen_status status = pen_write_kept(out, z, (const char *const *)names, rows, &err);
    free(names);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

/* ---- the work ---- */

/* Nothing is written before all rows are embedded. */
static int embed(const cli_args *args, const pen_model *model, const pen_table *rows,
                 pen_dtype dtype, int threads)
{
    const int64_t n = rows->x.rows, k = pen_model_output_dim(model);
    pen_error err;
    progress bar;

    void *const values = calloc((size_t)n, (size_t)k * sizeof(double));
    if (!values)
        return cli_say(args->command, CLI_FAILED, "out of memory for %lld rows of %lld dimensions",
                       (long long)n, (long long)k);
    const pen_array z = pen_dense(values, dtype, n, k, k);
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { threads, progress_show, &bar };
    const pen_status status = pen_transform(model, &rows->x, dtype, values, k, &control, &err);
    progress_end(&bar);
    const int out = progress_signal()  ? CLI_FAILED
                    : status != PEN_OK ? cli_say(args->command, CLI_FAILED, "%s: %s",
                                                 input_name(args_operand(args, 1)), err.message)
                                       : write_rows(args, &z, rows);
    free(values);
    return out;
}

/* ---- the command ---- */

static int check_output(const cli_args *args)
{
    const char *const out = args_value(args, "output");

    int status = out ? args_refuse_h5ad(args, out) : CLI_OK;
    if (status == CLI_OK)
        status = args_output(args);
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

    if (!args_value(args, "carry") || strcmp(cli_extension(out), ".npy") != 0)
        return CLI_OK;
    return cli_say(args->command, CLI_USAGE,
                   "--carry requires -o with a .csv or .tsv file, or - for standard output, got %s",
                   out);
}

static int read_flags(const cli_args *args, pen_read_options *options, int *dtype, int *threads)
{
    int status = check_output(args);
    if (status == CLI_OK)
        status = check_keep(args);
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
        status = model_rows_load(args, 0, &model);
    if (status == CLI_OK)
        status = model_rows_read(args, model, args_operand(args, 1), &options, 0, &rows);
    if (status == CLI_OK)
        status = embed(args, model, rows, (pen_dtype)dtype, threads);
    pen_table_free(rows);
    pen_model_free(model);
    return progress_signal() && status != CLI_OK ? progress_die(args->command) : status;
}

static const args_form form = {
    "penumbra transform MODEL DATA -o OUT [flags]",
    "Embed the rows of DATA (CSV, TSV, npy or libsvm; - is standard input) with a model. Where "
    "both have column names the model finds its\n"
    "columns by name, in any order and among others. Columns of the output are named z1, z2, ...; "
    "row names are kept, and so are the columns of\n"
    "--carry. penumbra predict tells their classes.\n",
    2,
    2,
    { { NULL, flags }, { "Reading DATA (labels are left out)", input_flags } },
    "Usage: penumbra transform MODEL DATA -o FILE [flags]          all flags: --help\n"
    "Write the coordinates of each row of DATA in the dimensions of MODEL.\n"
    "\n"
    "  penumbra transform data.pen new.csv -o z.csv\n"
    "  penumbra transform data.pen new.npz -o z.npy\n"
    "\n"
    "  -o, --output FILE       .csv .tsv .npy; - is standard output (required)\n"
    "  --carry COLUMNS         copy these columns of DATA to the output\n",
};

int cmd_transform(int argc, char **argv)
{
    return args_run(&form, argc, argv, transform);
}
