/* fit_blocks.c - pen_fit_blocks: a fit to rows in blocks.
 *
 * Blocks become statistics, merged by the canonical tree. A method that needs all rows is fitted to
 * their principal components, which a second pass collects. */
#include "core/arguments.h"
#include "core/sort.h"
#include "methods/auto.h"
#include "model/model.h"
#include "model/spec.h"
#include "stats/stats.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 64 }; /* of the tree */

struct blocks {
    pen_run *run;
    pen_error *err; /* the run's error, set by calls for one block */
    pen_control quiet;
    pen_block_fn next;
    void *user;
    const pen_data *pairs; /* or NULL */
    const pen_control *control;
    const char *phase;
    int64_t done, rows; /* so far, and in total; 0: unknown */
    int64_t *paired;    /* [paired_count] rows that pairs name, ascending */
    int64_t paired_count;
    /* freed at the end: subtrees of the canonical tree, of decreasing powers of two of blocks; the
     * statistics of all blocks, and of their nearest rows; the spec in two parts, and both
     * models */
    pen_stats *nodes[LEVELS], *all, *near;
    int depth;
    pen_spec *components, *rest;
    pen_model *first, *second;
};

static void free_parts(struct blocks *b)
{
    while (b->depth > 0)
        pen_stats_free(b->nodes[--b->depth]);
    pen_stats_free(b->all);
    pen_stats_free(b->near);
    pen_spec_free(b->components);
    pen_spec_free(b->rest);
    pen_model_free(b->first);
    pen_model_free(b->second);
}

/* ---- merging ---- */

/* Merges two objects into the place of the first. */
static pen_status merge(const struct blocks *b, pen_stats *first, pen_stats *second,
                        pen_stats **place)
{
    const pen_stats *const list[] = { first, second };
    pen_stats *both;

    PEN_TRY(pen_stats_merge(list, 2, 0, &b->quiet, &both, b->err));
    pen_stats_free(*place);
    *place = both;
    return PEN_OK;
}

/* Adds a block; NULL: the end. */
static pen_status add(struct blocks *b, pen_stats *block)
{
    if (block)
        b->nodes[b->depth++] = block;
    while (b->depth > 1) {
        pen_stats **const last = b->nodes + b->depth - 2;
        if (block && last[0]->block_count != last[1]->block_count)
            break;
        PEN_TRY(merge(b, last[0], last[1], last));
        pen_stats_free(b->nodes[--b->depth]);
    }
    return PEN_OK;
}

/* ---- a pass over the blocks ---- */

/* Repeats the rows so far during calls for one block, so that the caller can stop. */
static int repeat(void *user, const char *phase, int64_t done, int64_t total)
{
    const struct blocks *const b = user;

    (void)phase;
    (void)done;
    (void)total;
    return pen_progress(b->run, b->phase, b->done, b->rows) != PEN_OK;
}

/* Uses a block of rows; its first row has the number `first`. */
typedef pen_status (*use_fn)(struct blocks *b, const pen_data *rows, int64_t block, int64_t first,
                             void *context);

static pen_status pass(struct blocks *b, const char *phase, use_fn use, void *context)
{
    b->phase = phase;
    b->done = 0;
    for (int64_t block = 0;; block++) {
        const pen_mark_t mark = pen_mark(b->run);
        pen_data rows = { .x = { .rows = 0 } };
        PEN_TRY(b->next(b->user, block, &rows, b->err));
        if (rows.x.cols == 0)
            break;
        PEN_TRY(use(b, &rows, block, b->done, context));
        b->done += rows.x.rows;
        PEN_TRY(pen_progress(b->run, phase, b->done, b->rows));
        pen_release(b->run, mark);
    }
    b->rows = b->done;
    return PEN_OK;
}

/* ---- statistics ---- */

struct summing {
    const pen_spec *spec;
    int keeps; /* 1: keep rows in pairs */
};

/* Finds the rows of a block that pairs name, by number in the block. */
static pen_status find_kept(const struct blocks *b, int64_t first, int64_t rows, int64_t **keep,
                            int64_t *count)
{
    int64_t low = 0, high = b->paired_count;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        *(b->paired[middle] < first ? &low : &high) = middle + (b->paired[middle] < first);
    }
    for (high = low; high < b->paired_count && b->paired[high] - first < rows;)
        high++;
    *count = high - low;
    PEN_TRY(PEN_NEW(b->run, *keep, *count));
    for (int64_t i = 0; i < *count; i++)
        (*keep)[i] = b->paired[low + i] - first;
    return PEN_OK;
}

static pen_status sum(struct blocks *b, const pen_data *rows, int64_t block, int64_t first,
                      void *context)
{
    const struct summing *const s = context;
    pen_stats_block given = { .id = block };
    int64_t *keep = NULL;
    pen_stats *made = NULL;

    if (s->keeps)
        PEN_TRY(find_kept(b, first, rows->x.rows, &keep, &given.keep_count));
    given.keep = keep;
    PEN_TRY(b->all ? pen_stats_nearest(s->spec, b->all, rows, block, &b->quiet, &made, b->err)
                   : pen_stats_new(s->spec, rows, &given, &b->quiet, &made, b->err));
    return add(b, made);
}

/* Merges the statistics of all blocks; in the second pass, the nearest rows. */
static pen_status sum_all(struct blocks *b, const pen_spec *spec, int keeps, pen_stats **out)
{
    struct summing s = { spec, keeps };

    PEN_TRY(pass(b, b->all ? "nearest rows" : "statistics", sum, &s));
    PEN_TRY(add(b, NULL));
    PEN_REQUIRE(b->run, b->depth > 0, PEN_BAD_DATA, "there are no blocks of rows");
    *out = b->nodes[--b->depth];
    return PEN_OK;
}

static pen_status fit_sums(struct blocks *b, const pen_spec *spec, pen_model **out)
{
    PEN_TRY(sum_all(b, spec, 1, &b->all));
    if (pen_spec_passes(spec) & PEN_PART_NEAREST && pen_stats_labelled(b->all) > 0) {
        PEN_TRY(sum_all(b, spec, 0, &b->near));
        PEN_TRY(merge(b, b->all, b->near, &b->all));
    }
    return pen_stats_fit(spec, b->all, b->pairs, b->control, out, b->err);
}

/* ---- coordinates of all rows ---- */

struct gathering {
    double *z;       /* [rows x k] */
    int32_t *labels; /* [rows] classes of all blocks, if they have names */
    int64_t rows, k;
};

/* The number of a class among the classes of all rows. */
static int32_t class_named(const pen_stats *all, const char *name, int by_number)
{
    int64_t low = 0, high = all->class_count;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const int order = pen_stats_compare_names(all->class_names[middle], name, by_number);
        if (order == 0)
            return (int32_t)middle;
        *(order < 0 ? &low : &high) = middle + (order < 0);
    }
    return PEN_UNLABELLED;
}

/* Looks up each class of the block once. */
static pen_status take_labels(const struct blocks *b, const pen_data *rows, int32_t *labels)
{
    const int64_t count = rows->class_names ? rows->class_count : 0;
    const pen_stats *const all = b->all;
    const int by_number = pen_stats_in_number_order(all->class_names, all->class_count);
    int32_t *number;

    PEN_TRY(PEN_FILLED(b->run, number, count, -1));
    for (int64_t i = 0; i < rows->x.rows; i++) {
        const int32_t label = rows->labels[i];
        if (label >= 0 && label < count && number[label] < 0)
            number[label] = class_named(all, rows->class_names[label], by_number);
        labels[i] = label >= 0 && label < count ? number[label] : label;
    }
    return PEN_OK;
}

static pen_status gather(struct blocks *b, const pen_data *rows, int64_t block, int64_t first,
                         void *context)
{
    struct gathering *const g = context;

    (void)block;
    PEN_REQUIRE(b->run, first + rows->x.rows <= g->rows, PEN_BAD_DATA,
                "a second pass over the blocks has more rows");
    if (rows->x.rows == 0)
        return PEN_OK;
    PEN_TRY(
        pen_transform(b->first, &rows->x, &b->quiet, PEN_F64, g->z + first * g->k, g->k, b->err));
    return rows->labels ? take_labels(b, rows, g->labels + first) : PEN_OK;
}

static pen_status gather_all(struct blocks *b, struct gathering *g)
{
    PEN_TRY(PEN_NEW(b->run, g->z, pen_times(g->rows, g->k)));
    PEN_TRY(PEN_FILLED(b->run, g->labels, g->rows, -1));
    PEN_TRY(pass(b, "components", gather, g));
    PEN_REQUIRE(b->run, b->done == g->rows, PEN_BAD_DATA,
                "a second pass over the blocks has fewer rows");
    return PEN_OK;
}

/* Fits the method to the coordinates, and composes both models. */
static pen_status fit_gathered(struct blocks *b, const struct gathering *g, pen_model **out)
{
    const pen_stats *const all = b->all;
    pen_data data = { .x = { .rows = 0 } };

    if (b->pairs)
        data = *b->pairs;
    data.x = pen_dense(g->z, PEN_F64, g->rows, g->k, g->k);
    data.labels = all->class_count > 0 ? g->labels : NULL;
    data.class_names = all->is_named ? (const char *const *)all->class_names : NULL;
    data.class_count = all->is_named ? all->class_count : 0;
    data.class_type = *all->class_type ? all->class_type : NULL;
    PEN_TRY(pen_fit(b->rest, &data, b->control, &b->second, b->err));
    return pen_model_compose(b->first, b->second, out, b->err);
}

static pen_status fit_divided(struct blocks *b, const pen_spec *spec, pen_model **out)
{
    const pen_data unpaired = { .drop_missing = b->pairs && b->pairs->drop_missing };
    struct gathering g;

    PEN_REQUIRE(b->run, spec->method != &pen_method_auto, PEN_BAD_ARGUMENT,
                "auto needs all rows at once, but they are read in blocks; choose a method");
    /* refuses kernels, learned steps */
    PEN_TRY(pen_spec_split(spec, &b->components, &b->rest, b->err));
    PEN_REQUIRE(b->run, spec->common.pca > 0, PEN_BAD_ARGUMENT,
                "the rows are read in blocks, but %s with these parameters needs all of them at "
                "once: set pca to the number of components it is fitted to",
                spec->method->name);
    PEN_TRY(sum_all(b, b->components, 0, &b->all));
    PEN_TRY(pen_stats_fit(b->components, b->all, &unpaired, &b->quiet, &b->first, b->err));
    g = (struct gathering){ .rows = pen_stats_count(b->all), .k = pen_model_dim(b->first) };
    PEN_TRY(gather_all(b, &g));
    return fit_gathered(b, &g, out);
}

/* ---- the call ---- */

static pen_status list_paired(struct blocks *b)
{
    const pen_data *const p = b->pairs;
    const int64_t must = p ? 2 * p->must_link_count : 0, cannot = p ? 2 * p->cannot_link_count : 0;

    PEN_REQUIRE(
        b->run,
        must >= 0 && cannot >= 0 && (must == 0 || p->must_link) && (cannot == 0 || p->cannot_link),
        PEN_BAD_ARGUMENT,
        "pairs must not be NULL if their count is above 0, and the count must not be negative");
    PEN_TRY(PEN_NEW(b->run, b->paired, pen_plus(must, cannot)));
    if (must > 0)
        memcpy(b->paired, p->must_link, (size_t)must * sizeof *b->paired);
    if (cannot > 0)
        memcpy(b->paired + must, p->cannot_link, (size_t)cannot * sizeof *b->paired);
    b->paired_count = must + cannot;
    qsort(b->paired, (size_t)b->paired_count, sizeof *b->paired, pen_by_int64);
    return PEN_OK;
}

static pen_status fit_blocks(pen_run *run, struct blocks *b, const pen_spec *spec, pen_model **out)
{
    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_REQUIRE(run, b->next, PEN_BAD_ARGUMENT, "next must not be NULL");
    PEN_TRY(pen_check_given(run, out, "out"));
    b->run = run;
    b->quiet = (pen_control){ .threads = b->control ? b->control->threads : 0,
                              .progress = repeat,
                              .user = b };
    PEN_TRY(list_paired(b));
    const pen_status status =
        pen_spec_passes(spec) ? fit_sums(b, spec, out) : fit_divided(b, spec, out);
    free_parts(b);
    PEN_TRY(status);
    return pen_model_keep_reading(run, "data", b->pairs ? b->pairs->reading : NULL, *out);
}

pen_status pen_fit_blocks(const pen_spec *spec, pen_block_fn next, void *user,
                          const pen_data *pairs, const pen_control *control, pen_model **out,
                          pen_error *err)
{
    pen_error unseen;
    struct blocks b = {
        .err = err ? err : &unseen, .next = next, .user = user, .pairs = pairs, .control = control
    };

    PEN_MAKE(control, b.err, out, pen_model_free, fit_blocks(run, &b, spec, out));
}
