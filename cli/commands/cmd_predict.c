/* cmd_predict.c - penumbra predict: the classes of rows, by a model. */
#define _POSIX_C_SOURCE 200809L

#include "blas_memory.h"
#include "class_output.h"
#include "flags/input.h"
#include "flags/output.h"
#include "model_rows.h"
#include "progress.h"

static const cli_flag flags[] = {
    { "output", "FILE", "the output: .csv, .tsv, or - for CSV on standard output", 'o' },
    { "probabilities", NULL, "write the probabilities of all classes, too", 0 },
    { "threads", "N", "number of threads (all cores); results do not depend on it", 0 },
    { "quiet", NULL, "no progress bar, no remarks", 0 },
    { "help", NULL, "this text", 'h' },
    { NULL, NULL, NULL, 0 },
};

/* The rows by class, where the numbers do not go where the classes go. */
static void report(const cli_args *args, const pen_model *model, const row_classes *found)
{
    const char *const path = args_value(args, "output");

    if (args_value(args, "quiet") || output_streamed(path))
        return;
    output_report(args, path);
    input_print_classes("rows classified", found->of_row, found->rows.n, found->names,
                        found->rows.class_count);
    fprintf(stderr, " by %s of %s\n", pen_model_classifier(model), pen_model_method(model));
}

/* Nothing is written before all classes are there. */
static int predict_rows(const cli_args *args, const pen_model *model, const pen_table *rows,
                        int threads, row_classes *found)
{
    const char *const path = args_value(args, "output");
    pen_error err;
    progress bar;

    int status = classes_new(args, model, rows, found);
    if (status != CLI_OK)
        return status;
    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { threads, progress_show, &bar };
    const pen_status predicted =
        pen_predict(model, &rows->x, &control, found->of_row, found->scores, found->typical, &err);
    progress_end(&bar);
    if (progress_signal())
        return CLI_FAILED;
    if (predicted != PEN_OK)
        return cli_say(args->command, CLI_FAILED, "%s: %s", input_name(args_operand(args, 1)),
                       err.message);
    if (output_streamed(path))
        progress_release();
    classes_place(found, rows, rows->labels, (const char *const *)rows->class_names,
                  rows->class_count);
    found->rows.every = args_value(args, "probabilities") != NULL;
    if (pen_write_classes(path, &found->rows, &err) != PEN_OK)
        return input_failed(args, &err);
    report(args, model, found);
    return CLI_OK;
}

static int check_output(const cli_args *args)
{
    if (!args_value(args, "output"))
        return cli_say(args->command, CLI_USAGE,
                       "-o OUT is required: the output for the classes; - is standard output");
    int status = classes_check(args, "output");
    if (status == CLI_OK)
        status = output_ready(args);
    if (status == CLI_OK)
        status = output_safe(args, args_operand(args, 0));
    return status == CLI_OK ? input_sources(args, args_operand(args, 1)) : status;
}

static int predict(const cli_args *args)
{
    pen_read_options options;
    pen_table *rows = NULL;
    pen_model *model = NULL;
    row_classes found = { 0 };
    int threads = 0;

    int status = check_output(args);
    if (status == CLI_OK)
        status = memory_threads(args, &threads);
    if (status == CLI_OK)
        status = input_options(args, &options);
    if (status == CLI_OK)
        status = model_rows_load(args, 1, &model);
    if (status == CLI_OK)
        status = model_rows_read(args, model, args_operand(args, 1), &options, 0, &rows);
    if (status == CLI_OK)
        status = predict_rows(args, model, rows, threads, &found);
    classes_free(&found);
    pen_table_free(rows);
    pen_model_free(model);
    return progress_signal() && status != CLI_OK ? progress_die(args->command) : status;
}

static const args_form form = {
    "penumbra predict MODEL DATA -o OUT [flags]",
    "Tell the class of each row of DATA (CSV, TSV, npy or libsvm; - is standard input), by a model "
    "that was fitted with labels. A line of OUT\n"
    "has the name or number of a row, its class with the probability, how typical "
    "it is of the rows of the fit (small: of no known class), and its label in DATA, if any; "
    "labels are not used otherwise. Columns\n"
    "are found as penumbra transform finds them.\n",
    2,
    2,
    { { NULL, flags }, { "Reading DATA", input_flags } },
    "Usage: penumbra predict MODEL DATA -o FILE [flags]            all flags: --help\n"
    "Write the class of each row of DATA. Where DATA has labels, also print how many\n"
    "of them the model gets right. A row gets the same answer alone and in any file.\n"
    "\n"
    "  penumbra predict data.pen new.csv -o classes.csv\n"
    "  penumbra predict data.pen test.csv --label-column class -o classes.csv\n"
    "\n"
    "  -o, --output FILE       .csv or .tsv; - is standard output (required)\n"
    "  --probabilities         one more column for each class\n"
    "  --label-column COLUMN   column of known labels (that of the fit, if present)\n"
    "  --labels FILE           known labels from a file\n"
    "  --json                  print the summary as JSON\n",
};

int cmd_predict(int argc, char **argv)
{
    return args_run(&form, argc, argv, predict);
}
