/* model_rows.c - reads the rows of a file in the columns of a model. */
#define _POSIX_C_SOURCE 200809L

#include "common/model_rows.h"

#include "flags/input.h"
#include "flags/output.h"
#include "base/lines.h"

#include <string.h>

enum { NAMES_SHOWN = 8 };

/* Prints columns that the model does not have. */
static void report_left_out(const char *path, const pen_table *rows)
{
    const int64_t count = rows->left_out_count;
    line names = { "" };

    for (int64_t j = 0; j < count && j < NAMES_SHOWN; j++)
        line_add(&names, "%s%s", j ? ", " : "", rows->left_out[j]);
    if (count > 0)
        cli_note("%s: left out %lld column%s that the model does not have: %s%s",
                 cli_input_name(path), (long long)count, count == 1 ? "" : "s", names.text,
                 count > NAMES_SHOWN ? ", ..." : "");
}

/* If names do not identify the columns, their number must match. */
static int check_width(const pen_model *model, const char *path, const pen_table *rows)
{
    const int64_t d = pen_model_columns(model);
    const char *const kernel = cli_model_text(model, "kernel.name");

    /* the library checks precomputed kernel values */
    if (rows->x.cols == d || (kernel && strcmp(kernel, "precomputed") == 0))
        return CLI_OK;
    return cli_fail("%s: rows must have %lld columns, like those of the fit, got %lld%s",
                    cli_input_name(path), (long long)d, (long long)rows->x.cols,
                    rows->x.cols > d ? "; penumbra convert --drop COLUMN leaves others out" : "");
}

/* The model stores the policy of --missing; another one is refused. */
static int check_missing(const pen_model *model, const pen_read_options *options)
{
    const char *const name = cli_model_text(model, "missing");

    if (!args_value("missing") || strcmp(input_missings[options->missing], name) == 0)
        return CLI_OK;
    return cli_refuse(
        "--missing must be \"%s\" as in the fit of the model, got \"%s\": leave it out", name,
        input_missings[options->missing]);
}

int model_rows_read(const pen_model *model, const char *path, const pen_read_options *options,
                    int drops, pen_table **out)
{
    pen_read_options chosen = *options;

    CLI_TRY(check_missing(model, options));
    chosen.model = model;
    chosen.missing = drops ? PEN_MISSING_ERROR : PEN_MISSING_KEEP;
    CLI_TRY(input_rows(path, &chosen, out));
    report_left_out(path, *out);
    if ((*out)->filled_cells > 0)
        cli_note("%s: %lld missing values: %s", cli_input_name(path),
                 (long long)(*out)->filled_cells,
                 pen_model_tensor(model, "fill").values ? "replaced by the means of the fit"
                                                        : "their rows have no result");
    return check_width(model, path, *out);
}

int model_rows_labels(const pen_model *model, const char *data, pen_table *rows, pen_table **out)
{
    CLI_TRY(input_known_labels(data, rows, NULL, model, out));
    if (!*out && rows->labels)
        *out = rows;
    return CLI_OK;
}

int model_rows_load(int predicts, pen_model **out)
{
    const char *const path = args_operand(0);

    CLI_TRY(input_model(path, out));
    if (!predicts || cli_model_text(*out, "classifier")
        || (predicts == 2 && pen_model_class_count(*out) < 2))
        return CLI_OK;
    return cli_fail("%s: this model of %s predicts no classes: %s", cli_input_name(path),
                    cli_model_text(*out, "method"),
                    pen_model_class_count(*out) >= 2
                        ? "it has no classifier; fit it again with one"
                        : "it was fitted without labels of at least two classes");
}

int model_rows_open(int predicts, int drops, model_rows *out)
{
    const char *const data = args_operand(1);
    pen_read_options options;

    CLI_TRY(args_not_both("labels", "label-column"));
    if (args_value("carry") && strcmp(cli_command, "transform") != 0)
        return cli_refuse("--carry applies to transform only; --name-column writes the row names");
    CLI_TRY(output_ready());
    CLI_TRY(input_sources(data));
    CLI_TRY(input_options(&options));
    CLI_TRY(model_rows_load(predicts, &out->model));
    CLI_TRY(model_rows_read(out->model, data, &options, drops, &out->rows));
    return model_rows_labels(out->model, data, out->rows, &out->known);
}
