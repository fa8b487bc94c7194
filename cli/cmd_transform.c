/* cmd_transform.c - penumbra transform: embed rows with a model. */
#define _POSIX_C_SOURCE 200809L

#include "input.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "penumbra transform MODEL DATA [flags] -o OUT";

enum { MOST_THREADS = 1024, NAME_SIZE = 24 };

static const cli_flag flags[] = {
    { "output", "FILE", "where the embedded rows are written: .csv, .tsv, .npy,\nor - for CSV on standard output", 'o' },
    { "dtype", "f64|f32", "type of the numbers written (f64)", 0 },
    { "ignore-names", NULL, "do not compare the names of the columns with the model's", 0 },
    { "threads", "N", "threads to use (all cores); the numbers are the same for any", 0 },
    { "quiet", NULL, "no progress, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

static const char *const dtypes[] = { "f64", "f32", NULL };

/* ---- names of the columns ---- */

static int model_has(const pen_model *model, const char *name)
{
    for (int64_t j = 0; j < pen_model_input_dim(model); j++)
        if (strcmp(pen_model_feature_name(model, j), name) == 0)
            return 1;
    return 0;
}

/* The rows must have the columns the model has learnt from, in that order. */
static int check_names(const cli_args *args, const pen_model *model, const pen_table *rows)
{
    const char *const path = input_name(args_operand(args, 1));
    const int64_t d = pen_model_input_dim(model);

    if (!rows->column_names || !pen_model_feature_name(model, 0) || args_value(args, "ignore-names"))
        return CLI_OK;
    for (int64_t j = 0; rows->x.cols > d && j < rows->x.cols; j++)
        if (!model_has(model, rows->column_names[j]))
            return cli_say(args->command, CLI_FAILED,
                           "%s: the model knows no column \"%s\"; if it holds labels, leave it out with --label-column", path,
                           rows->column_names[j]);
    for (int64_t j = 0; j < d && j < rows->x.cols; j++) {
        const char *const expected = pen_model_feature_name(model, j);
        if (strcmp(rows->column_names[j], expected) != 0)
            return cli_say(args->command, CLI_FAILED,
                           "%s: column %lld is \"%s\", the model expects \"%s\" there; --ignore-names lets it pass", path, (long long)j + 1,
                           rows->column_names[j], expected);
    }
    return CLI_OK;
}

/* ---- the work ---- */

/* z1, z2, ... as k pointers with their texts behind them, in one piece. */
static char **output_names(int64_t k)
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

    if (strcmp(cli_extension(out), "") == 0)
        progress_release();
    char **const names = output_names(z->cols);
    if (!names)
        return cli_say(args->command, CLI_FAILED, "out of memory");
    const pen_status status = pen_write(out, z, (const char *const *)names, (const char *const *)rows->row_names, &err);
    free(names);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

static int embed(const cli_args *args, const pen_model *model, const pen_table *rows, pen_dtype dtype, int threads)
{
    const int64_t k = pen_model_output_dim(model), n = rows->x.rows;
    pen_error err;
    progress bar;

    void *const z = calloc((size_t)n, (size_t)k * sizeof(double));
    if (!z)
        return cli_say(args->command, CLI_FAILED, "out of memory for %lld rows of %lld dimensions", (long long)n, (long long)k);
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { threads, progress_show, &bar };
    const pen_status status = pen_transform(model, &rows->x, dtype, z, k, &control, &err);
    progress_end(&bar);
    int result = CLI_OK;
    if (progress_signal()) {
        free(z);
        return progress_die(args->command);
    }
    if (status == PEN_OK) {
        const pen_array array = pen_dense(z, dtype, n, k, k);
        result = write_rows(args, &array, rows);
    } else {
        result = cli_say(args->command, CLI_FAILED, "%s: %s", input_name(args_operand(args, 1)), err.message);
    }
    free(z);
    return result;
}

static int transform(const cli_args *args)
{
    const char *const model_path = args_operand(args, 0), *const data_path = args_operand(args, 1);
    pen_read_options options;
    pen_table *rows = NULL;
    pen_model *model = NULL;
    pen_error err;
    int threads = 0, dtype = PEN_F64;

    int status = args_operands(args, 2, 2, usage);
    if (status == CLI_OK)
        status = args_output(args);
    if (status == CLI_OK)
        status = args_choice(args, "dtype", dtypes, &dtype);
    if (status == CLI_OK)
        status = args_int(args, "threads", 1, MOST_THREADS, &threads);
    if (status == CLI_OK)
        status = input_options(args, &options);
    if (status == CLI_OK)
        status = input_safe(args, args_value(args, "output"), model_path);
    if (status == CLI_OK)
        status = input_safe(args, args_value(args, "output"), data_path);
    if (status == CLI_OK && pen_model_load(model_path, &model, &err) != PEN_OK)
        status = input_failed(args, &err);
    if (status == CLI_OK) {
        options.columns = pen_model_input_dim(model);
        status = input_rows(args, data_path, &options, &rows);
    }
    if (status == CLI_OK)
        status = check_names(args, model, rows);
    if (status == CLI_OK)
        status = embed(args, model, rows, (pen_dtype)dtype, threads);
    pen_table_free(rows);
    pen_model_free(model);
    return status;
}

static int print_help(void)
{
    printf(
        "usage: %s\n\n"
        "Embed the rows of DATA (CSV, TSV, npy or libsvm; - is standard input) with a model. Columns of the output are named z1, z2, ...;\n"
        "names of rows are kept.\n\n",
        usage);
    args_print_flags(flags);
    puts("\nReading DATA (labels are left out):");
    args_print_flags(input_flags);
    return CLI_OK;
}

int cmd_transform(int argc, char **argv)
{
    const cli_flag *const tables[] = { flags, input_flags, NULL };
    cli_args args;

    if (args_want_help(argc, argv))
        return print_help();
    int status = args_parse(argc, argv, tables, NULL, &args);
    if (status == CLI_OK)
        status = transform(&args);
    args_free(&args);
    return status;
}
