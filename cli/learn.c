/* learn.c - what the commands that learn share: rows with labels and pairs, and a fit with its
 * progress. */
#define _POSIX_C_SOURCE 200809L

#include "learn.h"

#include "blas_memory.h"
#include "flags/input.h"
#include "flags/output.h"
#include "flags/trial_flags.h"
#include "leak_warning.h"
#include "loadings.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    VALUES_SHOWN = 6,
    DIMENSIONS_SHOWN = 5,
    COLUMNS_SHOWN = 3,
    LINE_SIZE = 400,
    USUAL_NEIGHBORS = 5
};

/* ---- data ---- */

void learn_free(learning *in)
{
    pen_table_free(in->rows);
    pen_table_free(in->label_file);
    pen_table_free(in->group_file);
    pen_folds_free(in->fold_file);
    pairs_free(&in->pairs);
    free(in->kept);
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
    const char *const path = trials_fold_file(args);
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

/* The classifier numbers groups from 0. */
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
    const char *const groups = input_group_file(args);

    int status = input_rows(args, path, &in->options, &in->rows);
    if (status == CLI_OK)
        status = input_known_labels(args, path, in->rows, &in->label_file);
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
    in->labels = in->data.labels = from->labels;
    in->data.groups = in->group_file ? in->group_file->labels : in->rows->groups;
    in->data.class_names = (const char *const *)from->class_names;
    in->data.class_count = from->class_count;
    in->data.column_names = (const char *const *)in->rows->column_names;
    in->data.missing = in->options.missing;
    in->data.fill = in->rows->fill;
    note_groups(args, &in->data);
    if (!in->keeps_in_trials)
        status = input_keep_labels(args, in->labels, in->data.x.rows, &in->kept);
    in->data.labels = in->kept ? in->kept : in->labels;
    if (status == CLI_OK)
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
    learn_print_data(data);
    fputc('\n', stderr);
}

void learn_print_data(const pen_data *data)
{
    fprintf(stderr, "%lld rows of %lld columns", (long long)data->x.rows, (long long)data->x.cols);
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

    if (!(method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS))) {
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
    const pen_control control = { .threads = in->threads, .progress = progress_show, .user = &bar };
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

static pen_status write_classes(const cli_args *args, const row_classes *all, pen_error *err)
{
    const char *const path = args_value(args, "classes");
    return path ? pen_write_classes(path, &all->rows, err) : PEN_OK;
}

/* What cannot be undone is written first. */
int learn_save(const cli_args *args, const pen_model *model, const row_classes *all)
{
    const char *const out = args_value(args, "output"), *const to = args_value(args, "classes");
    const int out_new = output_new(out),
              classes_first = to && output_streamed(to) && !output_streamed(out);
    pen_error err;

    pen_status status = classes_first ? write_classes(args, all, &err) : PEN_OK;
    if (status == PEN_OK)
        status = pen_model_save(model, out, &err);
    if (status == PEN_OK && !classes_first) {
        status = write_classes(args, all, &err);
        if (status != PEN_OK && out_new)
            remove(out);
    }
    if (status == PEN_CANCELLED) /* by what reads the rows, which said why */
        return CLI_FAILED;
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

int learn_save_alone(const cli_args *args, const pen_model *model)
{
    const int status = learn_save(args, model, NULL);

    if (status == CLI_OK) {
        learn_report_model(args, model);
        learn_report_saved(args, NULL);
    }
    return status;
}

int learn_fit_and_save(const cli_args *args, const pen_spec *spec, const learning *in)
{
    pen_model *model = NULL;

    int status = learn_fit(args, spec, in, &model);
    if (progress_signal())
        return progress_die_told(args->command);
    if (status == CLI_OK)
        status = learn_save_alone(args, model);
    pen_model_free(model);
    return status;
}

/* ---- the report ---- */

/* "17 labelled (a: 5, b: 12), 161 unlabelled" */
static void print_labels(const pen_data *data)
{
    int64_t *const counts = calloc((size_t)data->class_count + 1, sizeof *counts), labelled = 0;
    int alike = counts != NULL;

    for (int64_t i = 0; counts && i < data->x.rows; i++)
        if (data->labels[i] >= 0) {
            counts[data->labels[i]]++;
            labelled++;
        }
    for (int64_t c = 1; counts && c < data->class_count; c++)
        alike &= counts[c] == counts[0];
    if (alike && data->class_count > 1)
        fprintf(stderr, "%lld labelled (%lld in each of %lld classes)", (long long)labelled,
                (long long)counts[0], (long long)data->class_count);
    else
        input_print_classes("labelled", data->labels, data->x.rows, data->class_names,
                            data->class_count);
    if (labelled < data->x.rows)
        fprintf(stderr, ", %lld unlabelled", (long long)(data->x.rows - labelled));
    free(counts);
}

void learn_report_rows(const cli_args *args, const learning *in)
{
    if (args_value(args, "quiet"))
        return;
    fprintf(cli_line("rows"), "%lld of %lld columns", (long long)in->data.x.rows,
            (long long)in->data.x.cols);
    fputs(in->data.labels ? "; " : "", stderr);
    if (in->data.labels)
        print_labels(&in->data);
    fputc('\n', stderr);
}

static void report_number(const char *before, double number, const char *what, const char *after)
{
    if (number >= 0)
        fprintf(stderr, "%s%.0f %s%s%s", before, number, what, number == 1 ? "" : "s", after);
}

/* What users should know before they use the model; few models have a warning. */
static void report_warning(const cli_args *args, const pen_model *model)
{
    const char *const warning = cli_model_text(model, "info.warning");

    if (!warning)
        return;
    cli_put(cli_warn(args->command), warning);
    fputc('\n', stderr);
}

/* The pairs used; only models of methods that learn from pairs have them. */
static void report_pairs(const pen_model *model)
{
    const double twice = cli_model_number(model, "info.duplicates"),
                 dropped = cli_model_number(model, "info.contradictions");

    if (!cli_model_text(model, "info.must_links"))
        return;
    cli_line("pairs");
    report_number("", cli_model_number(model, "info.must_links"), "must-link", "");
    report_number(", ", cli_model_number(model, "info.cannot_links"), "cannot-link", "");
    report_number(", ", twice > 0 ? twice : -1, "duplicate", "");
    report_number(", ", dropped > 0 ? dropped : -1, "contradiction", " dropped");
    fputc('\n', stderr);
}

/* The numbers of a fit, and what `auto` chose. */
static void report_details(const pen_model *model)
{
    const char *const regularized = cli_model_text(model, "info.regularized");
    const int64_t dims = pen_model_dim(model);
    const double *const eigenvalues = pen_model_tensor(model, "eigenvalues").values;
    const double beta = cli_model_number(model, "info.beta"),
                 agreement = cli_model_number(model, "info.agreement");
    const char *const members = cli_model_text(model, "info.members");

    cli_line("details");
    fprintf(stderr, "%s", cli_model_text(model, "method"));
    fputs(eigenvalues ? "; eigenvalues" : "", stderr);
    for (int64_t i = 0; eigenvalues && i < dims && i < VALUES_SHOWN; i++)
        fprintf(stderr, " %.4g", eigenvalues[i]);
    fputs(eigenvalues && dims > VALUES_SHOWN ? " ..." : "", stderr);
    if (agreement >= 0 && members)
        fprintf(stderr, "; ridge %g; tells %.3f of other rows as these together: %s",
                cli_model_number(model, "info.ridge"), agreement, members);
    if (beta >= 0)
        fprintf(stderr, "; beta %g (auto)", beta);
    if (regularized)
        fprintf(stderr, "; the denominator is singular: %s (ridge auto)", regularized);
    report_number("; ", cli_model_number(model, "info.iterations"), "iteration", "");
    fputc('\n', stderr);
}

/* "; classes by the 10 nearest of 1797 rows" */
static void print_classifier(const pen_model *model)
{
    const char *const classifier = cli_model_text(model, "classifier");
    const char *const set = cli_model_text(model, "parameters.classifier");
    const char *const colon = set ? strchr(set, ':') : NULL;
    const long long rows = pen_model_tensor(model, "classifier_rows").rows;
    const double members = cli_model_number(model, "members");
    double k = colon ? strtod(colon + 1, NULL) : USUAL_NEIGHBORS;

    pen_model_value(model, "info.neighbors", &k, NULL);
    if (members > 1)
        fprintf(stderr, "; classes by the mean of %.0f candidates", members);
    else if (classifier && strcmp(classifier, "neighbors") == 0 && k > 1)
        fprintf(stderr, "; classes by the %.0f nearest of %lld rows", k, rows);
    else if (rows > 0)
        fprintf(stderr, "; classes by the nearest of %lld rows", rows);
    else if (classifier)
        fprintf(stderr, "; classes by %s", classifier);
}

/* What each of the first dimensions separates, and by which columns. */
static void report_dimensions(const pen_model *model)
{
    const int64_t dims = cli_model_text(model, "info.separates") ? pen_model_dim(model) : 0;
    loading list[LOADINGS_MOST];
    char text[LINE_SIZE];

    for (int64_t i = 0; i < dims && i < DIMENSIONS_SHOWN; i++) {
        const int count = loadings_of(model, i, list);
        snprintf(text, sizeof text, "  %lld", (long long)i + 1);
        loadings_separates(cli_line(text), model, i);
        loadings_text(model, list, count < COLUMNS_SHOWN ? count : COLUMNS_SHOWN, text,
                      sizeof text);
        cli_put(stderr, text);
        fputc('\n', stderr);
    }
}

/* Row steps, which a fit without METHOD may choose. */
static void print_steps(const pen_model *model)
{
    const char *const steps = cli_model_text(model, "parameters.row_steps");

    if (steps && *steps)
        fprintf(stderr, " of rows after %s", steps);
}

void learn_report_model(const cli_args *args, const pen_model *model)
{
    const int64_t dims = pen_model_dim(model);
    const char *const kernel = cli_model_text(model, "kernel.name");

    if (args_value(args, "quiet"))
        return;
    if (args_value(args, "verbose"))
        report_pairs(model);
    if (kernel)
        fprintf(cli_line("learned"), "a projection of %s kernel values with %s rows", kernel,
                cli_model_text(model, "kernel.landmarks"));
    else
        fputs("a linear projection", cli_line("learned"));
    fprintf(stderr, " to %lld dimension%s", (long long)dims, dims == 1 ? "" : "s");
    print_steps(model);
    print_classifier(model);
    if (cli_model_number(model, "info.converged") == 0)
        report_number("; not converged in ", cli_model_number(model, "info.iterations"),
                      "iteration", "");
    fputc('\n', stderr);
    report_dimensions(model);
    if (args_value(args, "verbose"))
        report_details(model);
    report_warning(args, model);
}

static void print_file(const char *path)
{
    static const char *const units[] = { "kB", "MB", "GB", "TB" };
    struct stat there;
    int unit = 0;

    cli_put(stderr, strcmp(path, "-") == 0 ? "standard output" : path);
    if (output_streamed(path) || stat(path, &there) != 0)
        return;
    double size = (double)there.st_size / 1e3;
    for (; size >= 999.5 && unit < 3; unit++)
        size /= 1e3;
    fprintf(stderr, " (%.0f %s)", size < 1 ? 1 : size, units[unit]);
}

void learn_report_saved(const cli_args *args, const row_classes *all)
{
    const char *const to = args_value(args, "classes");

    if (args_value(args, "quiet"))
        return;
    if (all && all->checked > 0)
        fprintf(cli_line("checked"),
                "accuracy %.2f on the %lld labels that --keep-labels set aside\n",
                (double)all->correct / (double)all->checked, (long long)all->checked);
    cli_line("wrote");
    print_file(args_value(args, "output"));
    if (to) {
        fputs("; ", stderr);
        cli_put(stderr, strcmp(to, "-") == 0 ? "standard output" : to);
        fprintf(stderr, " (%lld of %lld rows below probability 0.8)", (long long)all->doubtful,
                (long long)all->total);
    }
    fputc('\n', stderr);
}
