/* model_rows.c - the rows of a file in the columns that a model was fitted on. */
#define _POSIX_C_SOURCE 200809L

#include "model_rows.h"

#include "flags/input.h"
#include "flags/output.h"
#include "lines.h"

#include <string.h>

enum { NAMES_SHOWN = 8, START_SIZE = 9, LENGTH_HIGH = 4 };

/* A model begins with the length of its header in 8 bytes, the lowest first, and "{". */
int model_rows_is_model(const char *path)
{
    static const char zeros[LENGTH_HIGH] = { 0 };
    size_t size;

    const unsigned char *const head = input_head(path, &size);
    return size >= START_SIZE && head[START_SIZE - 1] == '{'
           && memcmp(head + LENGTH_HIGH, zeros, LENGTH_HIGH) == 0;
}

/* The names of the model's columns as those to select; none if they are not to be checked or the
 * model has none. */
static void select_columns(const pen_model *model, pen_read_options *options)
{
    const int64_t d = pen_model_columns(model);

    options->ignore_names |= !pen_model_column_name(model, 0);
    if (options->ignore_names)
        return;
    const char **const names = cli_alloc(d, sizeof *names);
    for (int64_t j = 0; j < d; j++)
        names[j] = pen_model_column_name(model, j);
    options->select = names;
    options->select_count = d;
}

/* Columns that the model does not have. */
static void report_left_out(const char *path, const pen_table *rows)
{
    const int64_t count = rows->left_out_count;
    line names = { "" };

    for (int64_t j = 0; j < count && j < NAMES_SHOWN; j++)
        line_add(&names, "%s%s", j ? ", " : "", rows->left_out[j]);
    if (count > 0)
        cli_note("%s: left out %lld column%s that the model does not have: %s%s", input_name(path),
                 (long long)count, count == 1 ? "" : "s", names.text,
                 count > NAMES_SHOWN ? ", ..." : "");
}

/* Where names do not tell which columns the model wants, their number must be right. */
static int check_width(const pen_model *model, const char *path, const pen_table *rows)
{
    const int64_t d = pen_model_columns(model);
    const char *const kernel = cli_model_text(model, "kernel.name");

    /* the library says which kernel values are wanted */
    if (rows->x.cols == d || (kernel && strcmp(kernel, "precomputed") == 0))
        return CLI_OK;
    return cli_fail("%s: rows must have %lld columns, as the model was fitted on, got %lld%s",
                    input_name(path), (long long)d, (long long)rows->x.cols,
                    rows->x.cols > d ? "; --drop COLUMN leaves out those that were left out of the "
                                       "fit"
                                     : "");
}

/* Missing values are treated as in the fit. */
static int take_missing(const pen_model *model, int drops, pen_read_options *options)
{
    const char *const name = cli_model_text(model, "missing");
    int place = PEN_MISSING_ERROR;

    while (place < PEN_MISSING_DROP && strcmp(name, input_missings[place]) != 0)
        place++;
    const pen_missing of_fit = (pen_missing)place;

    if (args_value("missing") && options->missing != of_fit)
        return cli_refuse(
            "--missing %s: the model was fitted with --missing %s, and treats new rows "
            "so, too: leave the flag out, or fit another model",
            input_missings[options->missing], name);
    options->missing = of_fit == PEN_MISSING_MEAN || (of_fit && !drops) ? PEN_MISSING_KEEP : of_fit;
    return CLI_OK;
}

int model_rows_read(const pen_model *model, const char *path, const pen_read_options *options,
                    int drops, pen_table **out)
{
    pen_read_options chosen = *options;

    CLI_TRY(take_missing(model, drops, &chosen));
    select_columns(model, &chosen);
    chosen.columns = pen_model_columns(model);
    CLI_TRY(input_rows(path, &chosen, out));
    report_left_out(path, *out);
    if ((*out)->filled_cells > 0)
        cli_note("%s: %lld missing values: %s", input_name(path), (long long)(*out)->filled_cells,
                 pen_model_tensor(model, "fill").values ? "the means of the fit take their place"
                                                        : "their rows have no result");
    return check_width(model, path, *out);
}

int model_rows_labels(const char *data, pen_table *rows, pen_table **out)
{
    CLI_TRY(input_known_labels(data, rows, NULL, out));
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
    return cli_fail("%s: this model of %s predicts no classes: %s", input_name(path),
                    cli_model_text(*out, "method"),
                    pen_model_class_count(*out) >= 2
                        ? "it has no classifier; fit it anew, with one"
                        : "it was fitted without labels of at least two classes");
}

int model_rows_open(int predicts, int drops, model_rows *out)
{
    const char *const data = args_operand(1);
    pen_read_options options;

    CLI_TRY(args_not_both("labels", "label-column"));
    if (args_value("carry") && strcmp(cli_command, "transform") != 0)
        return cli_refuse("--carry is of transform; --name-column writes a column of names");
    CLI_TRY(output_ready());
    CLI_TRY(input_sources(data));
    CLI_TRY(input_options(&options));
    CLI_TRY(model_rows_load(predicts, &out->model));
    CLI_TRY(model_rows_read(out->model, data, &options, drops, &out->rows));
    return model_rows_labels(data, out->rows, &out->known);
}
