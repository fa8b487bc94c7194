/* learn.c - what the commands that learn share: rows with labels and pairs, and a fit with its
 * progress. */
#define _POSIX_C_SOURCE 200809L

#include "learn.h"

#include "input.h"
#include "blas_memory.h"
#include "leak_warning.h"
#include "output.h"
#include "progress.h"

#include <string.h>

enum { VALUES_SHOWN = 6 };

/* ---- data ---- */

void learn_free(learning *in)
{
    pen_table_free(in->rows);
    pen_table_free(in->label_file);
    pen_table_free(in->group_file);
    pen_fold_table_free(in->fold_file);
    pairs_free(&in->pairs);
    pen_sparse_free(in->neighbors);
}

int learn_options(const cli_args *args, const pen_method *method, const char *path, learning *out)
{
    int status = args_not_both(args, "labels", "label-column");

    if (status == CLI_OK)
        status = memory_threads(args, &out->threads);
    if (status == CLI_OK)
        status = input_options(args, &out->options);
    if (!input_group_file(args))
        out->options.group_column = args_value(args, "groups");
    if (status == CLI_OK)
        status = pairs_options(args, method, &out->pairs);
    if (status == CLI_OK)
        status = output_ready(args);
    return status == CLI_OK ? input_sources(args, path) : status;
}

static int read_folds(const cli_args *args, const char *data_path, learning *in)
{
    const char *const path = args_value(args, "folds-file");
    pen_error err;

    if (!path)
        return CLI_OK;
    const int status = input_all_rows(args, "folds", path, data_path, in->rows);
    if (status != CLI_OK)
        return status;
    return pen_read_folds(path, in->rows->x.rows, &in->fold_file, &err) == PEN_OK
               ? CLI_OK
               : cli_say(args->command, CLI_FAILED, "%s", err.message);
}

/* The reader numbers groups from 0. */
static void note_groups(const cli_args *args, const pen_data *data)
{
    int32_t last = -1;
    int64_t single = 0;

    for (int64_t i = 0; data->groups && i < data->x.rows; i++) {
        single += data->groups[i] < 0;
        last = data->groups[i] > last ? data->groups[i] : last;
    }
    if (data->groups && !args_value(args, "quiet"))
        cli_say(args->command, 0, "rows of %lld groups are held out together",
                (long long)(last + 1 + single));
}

int learn_read(const cli_args *args, const char *path, learning *in)
{
    const char *const labels = args_value(args, "labels"), *const groups = input_group_file(args);

    int status = input_rows(args, path, &in->options, &in->rows);
    if (status == CLI_OK && labels)
        status = input_labels(args, labels, path, in->rows, &in->label_file);
    if (status == CLI_OK && groups)
        status = input_labels(args, groups, path, in->rows, &in->group_file);
    if (status == CLI_OK)
        status = read_folds(args, path, in);
    if (status == CLI_OK)
        status = pairs_read(args, path, in->rows, &in->pairs);
    if (status != CLI_OK)
        return status;
    const pen_table *const from = in->label_file ? in->label_file : in->rows;
    in->data.x = in->rows->x;
    in->data.labels = from->labels;
    in->data.groups = in->group_file ? in->group_file->labels : in->rows->groups;
    in->data.class_names = (const char *const *)from->class_names;
    in->data.class_count = from->class_count;
    in->data.feature_names = (const char *const *)in->rows->column_names;
    in->data.missing = in->options.missing;
    in->data.fill = in->rows->fill;
    note_groups(args, &in->data);
    status = pairs_set(args, &in->pairs, &in->data);
    return status == CLI_OK ? leaks_warn(args, in->rows, &in->data, 0) : status;
}

int learn_tried(const cli_args *args, pen_status status, const pen_error *err)
{
    if (status == PEN_OK)
        return CLI_OK;
    if (progress_signal())
        return progress_die(args->command);
    return pairs_failed(args, err);
}

void learn_report_data(const cli_args *args, const pen_data *data)
{
    if (args_value(args, "quiet"))
        return;
    cli_tell(args->command);
    learn_print_data(NULL, data);
    fputc('\n', stderr);
}

void learn_print_data(const char *method, const pen_data *data)
{
    fprintf(stderr, "%s%s%lld rows of %lld columns", method ? method : "", method ? ", " : "",
            (long long)data->x.rows, (long long)data->x.cols);
    if (data->labels) {
        fputs(", ", stderr);
        input_print_classes("labelled", data->labels, data->x.rows, data->class_names,
                            data->class_count);
    }
}

/* ---- a fit ---- */

/* The data for `method`: without pairs, if it does not learn from pairs. */
static pen_data data_for(const pen_method *method, const pen_data *data)
{
    pen_data out = *data;

    if (!(pen_method_traits(method) & (PEN_MUST_LINKS | PEN_CANNOT_LINKS))) {
        out.must_link_count = out.cannot_link_count = 0;
        out.sample = NULL;
    }
    return out;
}

/* The fit counts the rows and columns that it has, of which the file may have others. */
static void place_in_file(const pen_table *rows, pen_error *err)
{
    char *const at = strstr(err->message, " at row ");
    const char *const *const names = (const char *const *)rows->column_names;
    long long i, j;
    int end = 0;

    if (at && sscanf(at, " at row %lld, column %lld (counted from 0)%n", &i, &j, &end) == 2 && end
        && at[end] == '\0')
        snprintf(at, (size_t)(err->message + sizeof err->message - at),
                 " at row %lld, column %lld (counted from 0)%s%s",
                 (long long)(rows->row_numbers ? rows->row_numbers[i] : i),
                 (long long)(rows->column_numbers ? rows->column_numbers[j] : j), names ? ": " : "",
                 names ? names[j] : "");
}

int learn_fit(const cli_args *args, const pen_spec *spec, const learning *in, pen_model **out)
{
    const pen_data data = data_for(pen_spec_method(spec), &in->data);
    pen_error err;
    progress bar;

    progress_begin(&bar, args_value(args, "quiet") != NULL);
    const pen_control control = { in->threads, progress_show, &bar };
    const pen_status status = pen_fit(spec, &data, &control, out, &err);
    progress_end(&bar);
    if (progress_signal()) {
        pen_model_free(*out);
        *out = NULL;
        return CLI_FAILED;
    }
    if (status == PEN_OK)
        return CLI_OK;
    place_in_file(in->rows, &err);
    return pairs_failed(args, &err);
}

int learn_save(const cli_args *args, const pen_model *model)
{
    const char *const path = args_value(args, "output");
    pen_error err;

    if (pen_model_save(model, path, &err) != PEN_OK)
        return input_failed(args, &err);
    if (!args_value(args, "quiet"))
        learn_report_model(args, model, path);
    return CLI_OK;
}

int learn_fit_and_save(const cli_args *args, const pen_spec *spec, const learning *in)
{
    pen_model *model = NULL;

    int status = learn_fit(args, spec, in, &model);
    if (progress_signal())
        return progress_die_told(args->command);
    if (status == CLI_OK)
        status = learn_save(args, model);
    pen_model_free(model);
    return status;
}

/* A fact that is a number; negative if there is none. */
static double info_number(const pen_facts *info, const char *name)
{
    const pen_fact *const fact = pen_fact_named(info, name);
    return fact && fact->type == PEN_FACT_NUMBER ? fact->numbers[0] : -1;
}

static void report_number(const char *before, double number, const char *what, const char *after)
{
    if (number >= 0)
        fprintf(stderr, "%s%.0f %s%s%s", before, number, what, number == 1 ? "" : "s", after);
}

/* What users should know before they use the model; few models have a warning. */
static void report_warning(const cli_args *args, const pen_facts *info)
{
    const pen_fact *const warning = pen_fact_named(info, "warning");

    if (warning && warning->type == PEN_FACT_TEXT)
        cli_say(args->command, 0, "warning: %s", warning->text);
}

/* The pairs used; only models of methods that learn from pairs have them. */
static void report_pairs(const cli_args *args, const pen_facts *info)
{
    const double twice = info_number(info, "duplicates"),
                 dropped = info_number(info, "contradictions");

    if (info_number(info, "must_links") < 0)
        return;
    cli_tell(args->command);
    report_number("", info_number(info, "must_links"), "must-link", "");
    report_number(", ", info_number(info, "cannot_links"), "cannot-link", "");
    report_number(", ", twice > 0 ? twice : -1, "duplicate", "");
    report_number(", ", dropped > 0 ? dropped : -1, "contradiction", " dropped");
    fputc('\n', stderr);
}

static void report_eigenvalues(const pen_model *model)
{
    const int64_t dims = pen_model_output_dim(model);
    const double *const eigenvalues = pen_model_eigenvalues(model);

    if (!eigenvalues)
        return;
    fputs(", eigenvalues", stderr);
    for (int64_t i = 0; i < dims && i < VALUES_SHOWN; i++)
        fprintf(stderr, " %.4g", eigenvalues[i]);
    fputs(dims > VALUES_SHOWN ? " ..." : "", stderr);
}

/* What `auto` chose, which is never silent. */
static void report_choices(const pen_facts *info)
{
    const pen_fact *const regularized = pen_fact_named(info, "regularized");
    const double beta = info_number(info, "beta");

    if (beta >= 0)
        fprintf(stderr, "; beta %g (auto)", beta);
    if (regularized && regularized->type == PEN_FACT_TEXT)
        fprintf(stderr, "; the denominator is singular: %s (ridge auto)", regularized->text);
}

void learn_report_model(const cli_args *args, const pen_model *model, const char *path)
{
    const int64_t dims = pen_model_output_dim(model);
    const pen_facts *const info = pen_model_info_facts(model);

    report_pairs(args, info);
    output_report(args, path);
    fprintf(stderr, "%lld dimension%s", (long long)dims, dims == 1 ? "" : "s");
    report_eigenvalues(model);
    report_choices(info);
    /* How an iteration ended; only models of iterative methods have it. */
    report_number("; ", info_number(info, "iterations"), "iteration", "");
    if (info_number(info, "converged") == 0)
        fputs(", not converged", stderr);
    fputc('\n', stderr);
    report_warning(args, info);
}
