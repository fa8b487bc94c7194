/* block_fit.c - a fit to rows that are read in blocks.
 *
 * Blocks of 4096 rows become statistics, merged by the canonical tree. A method that looks
 * at all rows is fitted to their principal components, which a second pass gathers. */
#define _POSIX_C_SOURCE 200809L

#include "block_fit.h"

#include "block_plan.h"
#include "block_tree.h"
#include "flags/input.h"
#include "leak_warning.h"
#include "progress.h"
#include "stats_files.h"

#include <stdlib.h>
#include <string.h>

enum { PARAM_TEXT = 128 };

const cli_flag memory_flag[] = {
    { "memory", "SIZE",
      "rows that do not fit into this, such as 500M or 2G, are read in\nblocks, and so are those "
      "that do not fit into the memory there is",
      0 },
    { NULL, NULL, NULL, 0 },
};

typedef struct work {
    const cli_args *args;
    const pen_spec *spec;
    learning *in;
    block_rows rows;
    block_plan plan;
    progress bar;
    pen_error err;
    pen_stats *all; /* the statistics of all rows */
    pen_model *model;
    class_list model_classes;
    row_classes found; /* those of a block */
    int64_t total, doubtful;
} work;

/* ---- one call after another ---- */

static int ask_stop(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)user;
    (void)phase;
    (void)done;
    (void)total;
    return progress_signal() != 0;
}

static pen_control quietly(const work *w)
{
    return (pen_control){ .threads = w->in->threads, .progress = ask_stop };
}

static int failed(const work *w, pen_status status)
{
    if (progress_signal())
        return CLI_FAILED;
    return status == PEN_OK ? CLI_OK : pairs_failed(w->args, &w->err);
}

/* Show how many rows were read. */
static int show(work *w, const char *phase)
{
    const int64_t done = w->rows.first + w->rows.data.x.rows;
    return progress_show(&w->bar, phase, done, w->plan.rows) ? CLI_FAILED : CLI_OK;
}

/* ---- a pass over the blocks ---- */

/* The rows of the block that pairs name, counted within it. */
static int64_t keep_of(const work *w, const int64_t *list, int64_t count, int64_t *keep)
{
    const int64_t first = w->rows.first, rows = w->rows.data.x.rows;
    int64_t kept = 0;

    for (int64_t i = 0; i < 2 * count; i++)
        if (list[i] >= first && list[i] - first < rows)
            keep[kept++] = list[i] - first;
    return kept;
}

/* The statistics of the block that was read. */
static pen_status sum_block(work *w, const pen_spec *spec, int64_t *keep, pen_stats **out)
{
    const pen_data *const linked = &w->in->data;
    const pen_control control = quietly(w);
    pen_stats_block given = { .id = w->rows.number, .keep = keep };

    if (keep) {
        given.keep_count = keep_of(w, linked->must_link, linked->must_link_count, keep);
        given.keep_count +=
            keep_of(w, linked->cannot_link, linked->cannot_link_count, keep + given.keep_count);
    }
    return pen_stats_new(spec, &w->rows.data, &given, &control, out, &w->err);
}

/* What a pass makes of a block: its sums, or with `all` the distances to its rows. */
static pen_status make_block(work *w, const pen_spec *spec, const pen_stats *all, int64_t *keep,
                             pen_stats **out)
{
    const pen_control control = quietly(w);

    return all ? pen_stats_nearest(spec, all, &w->rows.data, w->rows.number, &control, out, &w->err)
               : sum_block(w, spec, keep, out);
}

static int run_blocks(work *w, const pen_spec *spec, const pen_stats *all, int64_t *keep,
                      block_tree *t)
{
    const pen_control control = quietly(w);
    pen_status status = PEN_OK;
    int there = 1;

    block_rows_rewind(&w->rows);
    while (status == PEN_OK) {
        pen_stats *made;
        const int read = block_rows_next(&w->rows, &there);
        if (read != CLI_OK || !there)
            return read;
        if (!all && w->rows.number == 0 && w->rows.data.x.rows > 0)
            leaks_warn(w->args, w->rows.table, &w->rows.data, 0);
        status = make_block(w, spec, all, keep, &made);
        if (status == PEN_OK)
            status = block_tree_add(t, made, &control, &w->err);
        if (status == PEN_OK && show(w, all ? "nearest rows" : "statistics") != CLI_OK)
            return CLI_FAILED;
    }
    return failed(w, status);
}

/* The merged statistics of all blocks. */
static int run_pass(work *w, const pen_spec *spec, const pen_stats *all, int64_t *keep,
                    pen_stats **out)
{
    const pen_control control = quietly(w);
    block_tree t = { .depth = 0 };

    int status = run_blocks(w, spec, all, keep, &t);
    if (status == CLI_OK)
        status = failed(w, block_tree_all(&t, &control, out, &w->err));
    block_tree_free(&t);
    return status;
}

static int sum_rows(work *w, const pen_spec *spec)
{
    const int64_t most = w->plan.way == BLOCK_MERGE
                             ? 2 * (w->in->data.must_link_count + w->in->data.cannot_link_count)
                             : 0;
    int64_t *const keep = most > 0 ? malloc((size_t)most * sizeof *keep) : NULL;

    if (most > 0 && !keep)
        return cli_say(w->args->command, CLI_FAILED, "out of memory for pairs");
    const int status = run_pass(w, spec, NULL, keep, &w->all);
    free(keep);
    return status;
}

/* ---- from sums ---- */

/* The distances to the nearest of all rows, merged with the sums. */
static int add_nearest(work *w)
{
    const pen_control control = quietly(w);
    pen_stats *near = NULL, *both = NULL;

    int status = run_pass(w, w->spec, w->all, NULL, &near);
    const pen_stats *const list[] = { w->all, near };
    if (status == CLI_OK)
        status = failed(w, pen_stats_merge(list, 2, 0, &control, &both, &w->err));
    pen_stats_free(near);
    if (status == CLI_OK) {
        pen_stats_free(w->all);
        w->all = both;
    }
    return status;
}

/* Some values of the parameters need no second pass: the fit says whether these do. */
static int fit_sums(work *w)
{
    const int parts = pen_method_parts(pen_spec_method(w->spec));
    const pen_control control = { .threads = w->in->threads,
                                  .progress = progress_show,
                                  .user = &w->bar };

    int status = sum_rows(w, w->spec);
    if (status != CLI_OK)
        return status;
    pen_status fit = pen_stats_fit(w->spec, w->all, &w->in->data, &control, &w->model, &w->err);
    if (fit != PEN_BAD_ARGUMENT || !(parts & PEN_PART_NEAREST))
        return failed(w, fit);
    status = add_nearest(w);
    if (status == CLI_OK)
        status =
            failed(w, pen_stats_fit(w->spec, w->all, &w->in->data, &control, &w->model, &w->err));
    return status;
}

/* ---- from components ---- */

/* The parameters that prepare rows: those of the components. */
static const char *const preparing[] = { "row_steps", "scale", "pca", "pca_scale" };

/* `components`: pca with these values; `rest`: the fit without them. */
static int divide_spec(const work *w, pen_spec **components, pen_spec **rest)
{
    char text[PARAM_TEXT];
    pen_spec *usual = NULL;
    pen_error err;

    pen_status status = pen_spec_new("pca", components, &err);
    if (status == PEN_OK)
        status = pen_spec_new("pca", &usual, &err);
    if (status == PEN_OK) /* components are in the units of the columns already */
        status = pen_spec_set(usual, "scale", "none", &err);
    if (status == PEN_OK)
        status = pen_spec_copy(w->spec, rest, &err);
    if (status == PEN_OK)
        status = pen_spec_set(*components, "classifier", "none", &err);
    for (size_t i = 0; status == PEN_OK && i < sizeof preparing / sizeof *preparing; i++) {
        if (params_text(w->spec, preparing[i], text, sizeof text))
            status = pen_spec_set(*components, preparing[i], text, &err);
        if (status == PEN_OK && params_text(usual, preparing[i], text, sizeof text))
            status = pen_spec_set(*rest, preparing[i], text, &err);
    }
    pen_spec_free(usual);
    return status == PEN_OK ? CLI_OK : input_failed(w->args, &err);
}

/* The names of the classes of all rows: their numbers are those of the statistics. */
static int list_classes(const work *w, class_list *list)
{
    const char *name;

    for (int64_t c = 0; (name = pen_stats_class_name(w->all, c)); c++)
        if (!class_list_add(list, &name, 1))
            return cli_say(w->args->command, CLI_FAILED, "out of memory for names of classes");
    return CLI_OK;
}

/* The class of each row of the block, by its number among those of all rows. */
static int take_labels(const work *w, const class_list *all, int32_t *labels)
{
    const pen_data *const data = &w->rows.data;
    int32_t *const number = malloc((size_t)(data->class_count + 1) * sizeof *number);

    if (!number)
        return cli_say(w->args->command, CLI_FAILED, "out of memory for names of classes");
    for (int64_t c = 0; c < data->class_count; c++)
        number[c] = (int32_t)class_list_find(all, data->class_names[c]);
    for (int64_t i = 0; i < data->x.rows; i++)
        labels[i] = data->labels[i] < 0 ? -1 : number[data->labels[i]];
    free(number);
    return CLI_OK;
}

/* z [rows x components] and labels [rows] of all blocks. */
static int gather(work *w, const pen_model *first, const class_list *list, double *z,
                  int32_t *labels)
{
    const int64_t q = pen_model_dim(first);
    const pen_control control = quietly(w);
    pen_status status = PEN_OK;
    int there = 1;

    block_rows_rewind(&w->rows);
    while (status == PEN_OK) {
        const int read = block_rows_next(&w->rows, &there);
        if (read != CLI_OK || !there)
            return read;
        if (w->rows.first + w->rows.data.x.rows > w->plan.rows)
            return cli_say(w->args->command, CLI_FAILED, "%s: has changed while it was read",
                           input_name(w->rows.path));
        if (w->rows.data.x.rows > 0)
            status = pen_transform(first, &w->rows.data.x, &control, PEN_F64, z + w->rows.first * q,
                                   q, &w->err);
        if (w->rows.data.labels && take_labels(w, list, labels + w->rows.first) != CLI_OK)
            return CLI_FAILED;
        if (show(w, "components") != CLI_OK)
            return CLI_FAILED;
    }
    return failed(w, status);
}

/* The method on the components, and one model of both. */
static int fit_gathered(work *w, const pen_model *first, const pen_spec *rest,
                        const class_list *list, const double *z, const int32_t *labels)
{
    const pen_control control = { .threads = w->in->threads,
                                  .progress = progress_show,
                                  .user = &w->bar };
    const int64_t q = pen_model_dim(first);
    pen_data data = w->in->data;
    pen_model *second = NULL;

    data.x = pen_dense(z, PEN_F64, w->plan.rows, q, q);
    data.labels = list->count > 0 ? labels : NULL;
    data.class_names = list->count > 0 ? (const char *const *)list->names : NULL;
    data.class_count = list->count;
    pen_status status = pen_fit(rest, &data, &control, &second, &w->err);
    if (status == PEN_OK)
        status = pen_compose(first, second, &w->model, &w->err);
    pen_model_free(second);
    return failed(w, status);
}

static int fit_components_of(work *w, const pen_spec *components, const pen_spec *rest)
{
    const pen_control control = quietly(w);
    const pen_data unpaired = { .missing = w->in->data.missing };
    const size_t n = (size_t)w->plan.rows;
    pen_model *first = NULL;
    double *z = NULL;
    int32_t *labels = NULL;
    class_list list = { .names = NULL };

    int status = sum_rows(w, components);
    if (status == CLI_OK)
        status = failed(w, pen_stats_fit(components, w->all, &unpaired, &control, &first, &w->err));
    if (status == CLI_OK)
        status = list_classes(w, &list);
    if (status == CLI_OK) {
        z = calloc(n, (size_t)pen_model_dim(first) * sizeof *z);
        labels = calloc(n, sizeof *labels);
        if (!z || !labels)
            status = cli_say(w->args->command, CLI_FAILED,
                             "out of memory for %zu rows of %lld components", n,
                             (long long)pen_model_dim(first));
    }
    if (status == CLI_OK)
        status = gather(w, first, &list, z, labels);
    if (status == CLI_OK)
        status = fit_gathered(w, first, rest, &list, z, labels);
    pen_model_free(first);
    free(z);
    free(labels);
    class_list_free(&list);
    return status;
}

static int fit_components(work *w)
{
    pen_spec *components = NULL, *rest = NULL;

    int status = divide_spec(w, &components, &rest);
    if (status == CLI_OK)
        status = fit_components_of(w, components, rest);
    pen_spec_free(components);
    pen_spec_free(rest);
    return status;
}

/* ---- the command ---- */

/* Flags that need the rows, or more than a model. */
static int check_flags(const cli_args *args)
{
    static const char *const of_all[] = { "keep-labels", "neighbors-graph", "groups" };

    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        if (args_value(args, of_all[i]))
            return cli_say(args->command, CLI_USAGE,
                           "--%s needs all rows together, and they do not fit into memory",
                           of_all[i]);
    return CLI_OK;
}

/* ---- the classes of the rows ---- */

static pen_status predict_block(work *w)
{
    const pen_control control = quietly(w);
    const pen_table *const table = w->rows.table;
    int32_t *const labels = calloc((size_t)table->x.rows + 1, sizeof *labels);
    row_classes *const found = &w->found;

    int status = labels ? classes_new(w->args, w->model, table, found)
                        : cli_say(w->args->command, CLI_FAILED, "out of memory");
    if (status == CLI_OK && table->x.rows > 0)
        status = failed(w, pen_predict(w->model, &table->x, &control, found->of_row, found->scores,
                                       found->typical, &w->err));
    if (status == CLI_OK && w->rows.data.labels)
        status = take_labels(w, &w->model_classes, labels);
    for (int64_t i = 0; status == CLI_OK && w->rows.data.labels && i < table->x.rows; i++)
        if (labels[i] >= 0)
            classes_know(found, i, labels[i]);
    if (status == CLI_OK)
        classes_place(found, table, w->rows.data.labels ? labels : NULL, found->names,
                      found->rows.class_count);
    free(labels);
    return status == CLI_OK ? PEN_OK : PEN_CANCELLED;
}

/* The rows of the next block; its messages are printed. */
static pen_status next_classes(void *user, pen_class_rows *rows)
{
    work *const w = user;
    pen_status status = PEN_OK;
    int there = 1;

    classes_free(&w->found);
    *rows = (pen_class_rows){ .n = 0 };
    while (status == PEN_OK && there && rows->n == 0) {
        if (block_rows_next(&w->rows, &there) != CLI_OK)
            return PEN_CANCELLED;
        if (!there)
            break;
        status = predict_block(w);
        if (status == PEN_OK && show(w, "classes") != CLI_OK)
            status = PEN_CANCELLED;
        *rows = w->found.rows;
        w->total += w->found.total;
        w->doubtful += w->found.doubtful;
    }
    rows->next = next_classes;
    rows->user = w;
    return status;
}

/* The first block of classes, if they are wanted, from which the others follow. */
static int open_classes(work *w, pen_class_rows *first)
{
    const int64_t count = pen_model_class_count(w->model);

    if (!args_value(w->args, "classes"))
        return CLI_OK;
    const int status = classes_possible(w->args, "classes", w->model, 0);
    if (status != CLI_OK)
        return status;
    for (int64_t c = 0; c < count; c++) {
        const char *const name = pen_model_class_name(w->model, c);
        if (!class_list_add(&w->model_classes, &name, 1))
            return cli_say(w->args->command, CLI_FAILED, "out of memory for names of classes");
    }
    block_rows_rewind(&w->rows);
    return next_classes(w, first) == PEN_OK ? CLI_OK : CLI_FAILED;
}

static int save(work *w)
{
    row_classes all = { .of_row = NULL };

    int status = open_classes(w, &all.rows);
    if (status == CLI_OK)
        status = learn_save(w->args, w->model, &all);
    all.total = w->total;
    all.doubtful = w->doubtful;
    if (status == CLI_OK)
        stats_report(w->args, w->all, w->model, &all);
    return status;
}

/* ---- the command ---- */

int block_fit(const cli_args *args, const pen_spec *spec, const char *path, learning *in)
{
    work w = { .args = args, .spec = spec, .in = in };

    in->data.missing = in->options.missing;
    int status = check_flags(args);
    if (status == CLI_OK)
        status = block_rows_open(args, path, &in->options, &w.rows);
    if (status == CLI_OK)
        status = block_plan_make(args, spec, &w.rows, in, &w.plan);
    if (status == CLI_OK) {
        progress_begin(&w.bar, args_value(args, "quiet") != NULL);
        status = w.plan.way == BLOCK_MERGE ? fit_sums(&w) : fit_components(&w);
        if (status == CLI_OK)
            status = save(&w);
        progress_end(&w.bar);
    }
    if (status != CLI_OK && progress_signal())
        status = progress_die(args->command);
    classes_free(&w.found);
    class_list_free(&w.model_classes);
    block_rows_free(&w.rows);
    pen_stats_free(w.all);
    pen_model_free(w.model);
    return status;
}
