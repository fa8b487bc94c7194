/* fit_data.c - shared by commands that learn: reads rows, labels and pairs; fits and reports. */
#define _POSIX_C_SOURCE 200809L

#include "common/fit_data.h"

#include "flags/input.h"
#include "flags/method_text.h"
#include "flags/output.h"
#include "base/lines.h"
#include "common/loadings.h"
#include "common/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { VALUES_SHOWN = 6, DIMENSIONS_SHOWN = 5, COLUMNS_SHOWN = 3, USUAL_NEIGHBORS = 5 };

/* ---- data ---- */

int fit_options(const pen_method *method, const char *path, fit_data *out)
{
    CLI_TRY(input_options(&out->options));
    if (!input_group_file())
        out->options.group_column = args_value("groups");
    CLI_TRY(pairs_check(method));
    out->data.drop_missing = out->options.missing == PEN_MISSING_DROP;
    CLI_TRY(output_ready());
    return input_sources(path);
}

/* Groups are numbered from 0; rows without a group are single groups. */
static void note_groups(const pen_data *data)
{
    int32_t last = -1;
    int64_t single = 0;

    for (int64_t i = 0; data->groups && i < data->x.rows; i++) {
        single += data->groups[i] < 0;
        last = data->groups[i] > last ? data->groups[i] : last;
    }
    if (data->groups)
        cli_note("rows of %lld groups are held out together", (long long)(last + 1 + single));
}

int fit_read_data(const char *path, fit_data *in)
{
    const char *const groups = input_group_file();
    pen_table *from, *groups_of = NULL;

    CLI_TRY(input_rows(path, &in->options, &in->rows));
    CLI_TRY(input_known_labels(path, in->rows, in->rows->labels ? in->rows : NULL, NULL, &from));
    if (groups)
        CLI_TRY(input_labels(groups, path, in->rows, NULL, NULL, &groups_of));
    CLI_TRY(pairs_read(path, in->rows, &in->data));
    from = from ? from : in->rows;
    in->data.x = in->rows->x;
    in->labels = in->data.labels = from->labels;
    in->data.groups = groups_of ? groups_of->labels : in->rows->groups;
    in->data.class_names = (const char *const *)from->class_names;
    in->data.class_count = from->class_count;
    in->data.column_names = (const char *const *)in->rows->column_names;
    in->data.fill = in->rows->fill;
    in->data.reading = in->rows->reading;
    note_groups(&in->data);
    return leaks_warn(in->rows, &in->data);
}

/* ---- a fit ---- */

/* Changes the row and column in an error of the fit to those of the file, which may have more. */
static void place_in_file(const pen_table *rows)
{
    char *const at = strstr(cli_error.message, " at row ");
    const char *const *const names = (const char *const *)rows->column_names;
    long long i, j;
    int end = 0;

    if (at && sscanf(at, " at row %lld, column %lld (counted from 0)%n", &i, &j, &end) == 2 && end
        && at[end] == '\0')
        snprintf(at, (size_t)(cli_error.message + sizeof cli_error.message - at),
                 " at row %lld, column %lld (counted from 0)%s%s",
                 (long long)(rows->row_numbers ? rows->row_numbers[i] : i),
                 (long long)(rows->column_numbers ? rows->column_numbers[j] : j), names ? ": " : "",
                 names ? names[j] : "");
}

/* The context of fit. */
typedef struct fitting {
    const pen_spec *spec;
    const fit_data *in;
    pen_model *model;
} fitting;

static pen_status fit(void *context, const pen_control *control)
{
    fitting *const f = context;
    pen_data data = f->in->data;

    if (!method_learns_from_pairs(pen_spec_method(f->spec)))
        data.must_link_count = data.cannot_link_count = 0;
    const pen_status status = pen_fit(f->spec, &data, control, &f->model, &cli_error);
    if (status != PEN_OK)
        place_in_file(f->in->rows);
    return status;
}

static double fit_seconds;

int fit_model(const pen_spec *spec, const fit_data *in, pen_model **out)
{
    const pen_method *const method = pen_spec_method(spec);
    const unsigned kinds = method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS);
    fitting f = { spec, in, NULL };

    if (kinds == PEN_MUST_LINKS && in->data.cannot_link_count > 0)
        cli_note("%s learns nothing from cannot-links, which can only contradict must-links",
                 method->name);
    CLI_TRY(cli_work(NULL, fit, &f));
    fit_seconds = cli_work_seconds();
    *out = cli_own(f.model, cli_free_model);
    return CLI_OK;
}

/* Writes classes first, because streamed output cannot be undone. */
static int save(const pen_model *model, const row_classes *all)
{
    const char *const to = args_value("classes");
    struct stat info;
    const int is_new = to && strcmp(to, "-") != 0 && lstat(to, &info) != 0;

    if (to)
        CLI_CALL(pen_write_classes(to, &all->rows, &cli_error));
    if (pen_model_save(model, args_value("output"), &cli_error) == PEN_OK)
        return CLI_OK;
    if (is_new)
        remove(to);
    return input_failed();
}

/* ---- the report ---- */

static void add_number(line *l, const char *before, double number, const char *what,
                       const char *after)
{
    if (number >= 0)
        line_add(l, "%s%.0f %s%s%s", before, number, what, number == 1 ? "" : "s", after);
}

/* Adds "30 labelled (3 in each of 10 classes), 1767 unlabelled", or lists unequal classes. */
static void add_labels(line *l, const pen_data *data)
{
    int64_t *const counts = cli_alloc(data->class_count, sizeof *counts);
    int alike = data->class_count > 1;
    line classes = { "" };

    const int64_t labelled = line_add_classes(&classes, data->labels, data->x.rows,
                                              data->class_names, data->class_count);
    for (int64_t i = 0; i < data->x.rows; i++)
        if (data->labels[i] >= 0)
            counts[data->labels[i]]++;
    for (int64_t c = 1; c < data->class_count; c++)
        alike = alike && counts[c] == counts[0];
    line_add(l, "; %lld labelled", (long long)labelled);
    if (alike)
        line_add(l, " (%lld in each of %lld classes)", (long long)counts[0],
                 (long long)data->class_count);
    else if (labelled > 0)
        line_add(l, " (%s)", classes.text);
    if (labelled < data->x.rows)
        line_add(l, ", %lld unlabelled", (long long)(data->x.rows - labelled));
}

static void report_rows(const fit_data *in)
{
    const pen_data *const data = &in->data;
    line l = { "" };

    if (in->where)
        line_add(&l, "%lld of %lld columns%s; %lld labelled", (long long)in->row_count,
                 (long long)in->column_count, in->where, (long long)in->labelled);
    else
        line_add(&l, "%lld of %lld columns", (long long)data->x.rows, (long long)data->x.cols);
    if (data->labels)
        add_labels(&l, data);
    line_print("rows", "%s", l.text);
}

/* ---- trials ---- */

static void report_candidates(const pen_model *model)
{
    static const char one[] = "info.trials.candidates.%d.%s";
    const char *name;

    for (int i = 0; (name = cli_model_text(model, one, i, "name")); i++) {
        const double accuracy = cli_model_number(model, one, i, "accuracy");
        const char *const why = cli_model_text(model, one, i, "failure");
        if (isnan(accuracy))
            line_print("", "%-33s %s", name, why ? why : "not tried");
        else
            line_print("", "%-33s accuracy %.3f, log-loss %.2g%s", name, accuracy,
                       cli_model_number(model, one, i, "log_loss"),
                       cli_model_number(model, one, i, "member") > 0 ? "  *" : "");
    }
}

static void report_expected(const fit_data *in, const pen_model *model)
{
    const double accuracy = cli_model_number(model, "info.trials.accuracy"),
                 half = cli_model_number(model, "info.trials.error"),
                 chance = cli_model_number(model, "info.trials.chance");
    const int predicts = cli_model_number(model, "info.trials.predicts") > 0;
    const int64_t n = in->data.x.rows;
    const char *const rows = cli_labelled(in->data.labels, n) < n ? "unlabelled" : "new";

    if (predicts || accuracy - half > chance)
        line_print("expect",
                   "accuracy %.2f ± %.2f on %s rows%s; guessing the largest class gives %.2f",
                   accuracy, half, rows,
                   predicts ? "" : ", or chance: there are too few labels to tell", chance);
    else
        line_print("expect",
                   "nothing: these labels do not predict classes here (%.2f ± "
                   "%.2f, guessing %.2f)",
                   accuracy, half, chance);
}

static void report_trials(const fit_data *in, const pen_model *model)
{
    const double tried = cli_model_number(model, "info.trials.tried"),
                 members = cli_model_number(model, "info.trials.members");

    if (isnan(tried))
        return;
    if (!(cli_model_number(model, "info.trials.folds") > 0)) {
        line_print("tried", "nothing: %s", cli_model_text(model, "info.trials.reason"));
        return;
    }
    if (members == 1)
        line_print("tried", "%.0f candidates on held-out labels in %.1f s; %s is the best", tried,
                   fit_seconds, cli_model_text(model, "info.trials.best"));
    else
        line_print("tried",
                   "%.0f candidates on held-out labels in %.1f s; %.0f of them are equally good",
                   tried, fit_seconds, members);
    if (cli_verbose)
        report_candidates(model);
    report_expected(in, model);
}

/* ---- the model ---- */

/* Reports the pairs used by methods that learn from pairs. */
static void report_pairs(const pen_model *model)
{
    const double twice = cli_model_number(model, "info.duplicates"),
                 dropped = cli_model_number(model, "info.contradictions");
    line l = { "" };

    if (!cli_model_text(model, "info.must_links"))
        return;
    add_number(&l, "", cli_model_number(model, "info.must_links"), "must-link", "");
    add_number(&l, ", ", cli_model_number(model, "info.cannot_links"), "cannot-link", "");
    add_number(&l, ", ", twice > 0 ? twice : -1, "duplicate", "");
    add_number(&l, ", ", dropped > 0 ? dropped : -1, "contradiction", " dropped");
    line_print("pairs", "%s", l.text);
}

/* Reports the numbers of a fit and the choices of `auto`. */
static void report_details(const pen_model *model)
{
    const char *const regularized = cli_model_text(model, "info.regularized");
    const int64_t dims = pen_model_dim(model);
    const double *const eigenvalues = pen_model_tensor(model, "eigenvalues").values;
    const double beta = cli_model_number(model, "info.beta"),
                 agreement = cli_model_number(model, "info.agreement");
    const char *const members = cli_model_text(model, "info.members");
    line l = { "" };

    line_add(&l, "%s%s", cli_model_text(model, "method"), eigenvalues ? "; eigenvalues" : "");
    for (int64_t i = 0; eigenvalues && i < dims && i < VALUES_SHOWN; i++)
        line_add(&l, " %.4g", eigenvalues[i]);
    line_add(&l, "%s", eigenvalues && dims > VALUES_SHOWN ? " ..." : "");
    if (agreement >= 0 && members)
        line_add(&l, "; ridge %g; agrees on %.3f of the other rows with the mean of %s",
                 cli_model_number(model, "info.ridge"), agreement, members);
    if (beta >= 0)
        line_add(&l, "; beta %g (auto)", beta);
    if (regularized)
        line_add(&l, "; the denominator is singular: %s (ridge auto)", regularized);
    add_number(&l, "; ", cli_model_number(model, "info.iterations"), "iteration", "");
    line_print("details", "%s", l.text);
}

/* Adds "; classes by the 10 nearest of 1797 rows". */
static void add_classifier(line *l, const pen_model *model)
{
    const char *const classifier = cli_model_text(model, "classifier");
    const char *const set = cli_model_text(model, "parameters.classifier");
    const char *const colon = set ? strchr(set, ':') : NULL;
    const long long rows = pen_model_tensor(model, "classifier_rows").rows;
    const double members = cli_model_number(model, "members");
    double k = colon ? strtod(colon + 1, NULL) : USUAL_NEIGHBORS;

    pen_model_value(model, "info.neighbors", &k, NULL);
    if (members == 1)
        line_add(l, "; classes by one candidate");
    else if (members > 1)
        line_add(l, "; classes by the mean of %.0f candidates", members);
    else if (classifier && strcmp(classifier, "neighbors") == 0 && k > 1)
        line_add(l, "; classes by the %.0f nearest of %lld rows", k, rows);
    else if (rows > 0)
        line_add(l, "; classes by the nearest of %lld rows", rows);
    else if (classifier)
        line_add(l, "; classes by %s", classifier);
}

/* Reports what each of the first dimensions separates, and by which columns. */
static void report_dimensions(const pen_model *model)
{
    const int64_t dims = cli_model_text(model, "info.separates") ? pen_model_dim(model) : 0;
    loading list[LOADINGS_MOST];
    char number[24];

    for (int64_t i = 0; i < dims && i < DIMENSIONS_SHOWN; i++) {
        const int count = loadings_of(model, NULL, i, list);
        line l = { "" };
        snprintf(number, sizeof number, "  %lld", (long long)i + 1);
        loadings_separates(model, i, &l);
        loadings_add(model, list, count < COLUMNS_SHOWN ? count : COLUMNS_SHOWN, 0, &l);
        line_print(number, "%s", l.text);
    }
}

/* Adds row steps, which a fit without METHOD may choose. */
static void add_steps(line *l, const pen_model *model)
{
    const char *const steps = cli_model_text(model, "parameters.row_steps");

    if (steps && *steps)
        line_add(l, " of rows after %s", steps);
}

static void report_model(const pen_model *model)
{
    const int64_t dims = pen_model_dim(model);
    const char *const kernel = cli_model_text(model, "kernel.name"),
                      *const warning = cli_model_text(model, "info.warning"),
                      *const method = cli_model_text(model, "method");
    const int chosen = cli_model_text(model, "info.trials") && strcmp(method, "auto") != 0;
    line l = { "" };

    if (cli_verbose)
        report_pairs(model);
    if (kernel)
        line_add(&l, "a projection of %s kernel values with %.0f rows", kernel,
                 cli_model_number(model, "kernel.landmarks"));
    else
        line_add(&l, "a linear projection");
    line_add(&l, " to %lld dimension%s", (long long)dims, dims == 1 ? "" : "s");
    if (chosen)
        line_add(&l, " by %s", method);
    add_steps(&l, model);
    add_classifier(&l, model);
    if (cli_model_number(model, "info.converged") == 0)
        add_number(&l, "; not converged in ", cli_model_number(model, "info.iterations"),
                   "iteration", "");
    line_print("learned", "%s", l.text);
    report_dimensions(model);
    if (cli_verbose)
        report_details(model);
    if (warning) /* a warning of the library about the model */
        line_print("warning", "%s", warning);
}

/* ---- files ---- */

static void add_file(line *l, const char *path)
{
    static const char *const units[] = { "kB", "MB", "GB", "TB" };
    struct stat info;
    int unit = 0;

    line_add(l, "%s", output_name(path));
    if (output_streamed(path) || stat(path, &info) != 0)
        return;
    double size = (double)info.st_size / 1e3;
    for (; size >= 999.5 && unit < 3; unit++)
        size /= 1e3;
    line_add(l, " (%.0f %s)", size < 1 ? 1 : size, units[unit]);
}

static void report_saved(const row_classes *all)
{
    const char *const to = args_value("classes");
    line l = { "" };

    if (all && all->checked > 0)
        line_print("checked", "accuracy %.2f on the %lld labels that --keep-labels set aside",
                   (double)all->correct / (double)all->checked, (long long)all->checked);
    add_file(&l, args_value("output"));
    if (to)
        line_add(&l, "; %s (%lld of %lld rows below probability 0.8)", output_name(to),
                 (long long)all->doubtful, (long long)all->total);
    line_print("wrote", "%s", l.text);
}

/* ---- JSON ---- */

static void print_json(const fit_data *in, const pen_model *model, const row_classes *all)
{
    const pen_data *const data = &in->data;
    const char *const to = args_value("classes");

    cli_json_begin();
    cli_json_count("rows", in->where ? in->row_count : data->x.rows);
    cli_json_count("columns", in->where ? in->column_count : data->x.cols);
    cli_json_count("labelled", in->labelled + cli_labelled(data->labels, data->x.rows));
    if (model) {
        cli_json_string("method", cli_model_text(model, "method"));
        cli_json_count("dim", pen_model_dim(model));
        cli_json_string("classifier", cli_model_text(model, "classifier"));
        cli_json_raw("model", pen_model_info(model));
    }
    if (all && all->checked > 0) {
        cli_json_open("checked", '{', 0);
        cli_json_real("accuracy", (double)all->correct / (double)all->checked);
        cli_json_count("labels", all->checked);
        cli_json_close();
    }
    cli_json_string("output", args_value("output"));
    if (to) {
        cli_json_string("classes", to);
        cli_json_count("doubtful", all->doubtful);
    }
    cli_json_close();
}

int fit_finish_model(const pen_model *model)
{
    CLI_TRY(save(model, NULL));
    report_model(model);
    report_saved(NULL);
    return CLI_OK;
}

int fit_finish(const fit_data *in, const pen_model *model, const row_classes *all)
{
    if (model)
        CLI_TRY(save(model, all));
    if (cli_json) {
        print_json(in, model, all);
        return CLI_OK;
    }
    report_rows(in);
    if (model) {
        report_trials(in, model);
        report_model(model);
    }
    report_saved(all);
    return CLI_OK;
}
