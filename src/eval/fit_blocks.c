/* fit_blocks.c - pen_fit_blocks: a fit to rows that come in blocks.
 *
 * Blocks become statistics, merged by the canonical tree. A method that looks at all rows is fitted
 * to their principal components, which a second pass gathers. */
#include "core/arguments.h"
#include "core/sort.h"
#include "model/model.h"
#include "model/spec.h"
#include "stats/stats.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 64 }; /* of a tree */

struct blocks {
    pen_run *run;
    pen_error *err; /* that of the run: calls for one block set it */
    pen_control quiet;
    pen_block_fn next;
    void *user;
    const pen_data *pairs; /* or NULL */
    const pen_control *control;
    const char *phase;
    int64_t done, rows; /* so far, and of all; 0: not known */
    int64_t *paired;    /* [paired_count] rows that pairs name, ascending */
    int64_t paired_count;
};

/* Subtrees of the canonical tree, of falling powers of two of blocks. */
typedef struct tree {
    pen_stats *nodes[LEVELS];
    int depth;
} tree;

/* ---- merging ---- */

static void free_tree(tree *t)
{
    while (t->depth > 0)
        pen_stats_free(t->nodes[--t->depth]);
}

/* The last two. */
static pen_status join(struct blocks *b, tree *t)
{
    pen_stats **const last = t->nodes + t->depth - 2, *joined = NULL;

    const pen_status status =
        pen_stats_merge((const pen_stats *const *)last, 2, 0, &b->quiet, &joined, b->err);
    if (status != PEN_OK)
        return status;
    pen_stats_free(last[0]);
    pen_stats_free(last[1]);
    last[0] = joined;
    t->depth--;
    return PEN_OK;
}

/* NULL: there are no more. */
static pen_status add(struct blocks *b, pen_stats *block, tree *t)
{
    pen_status status = PEN_OK;

    if (block)
        t->nodes[t->depth++] = block;
    while (
        status == PEN_OK && t->depth > 1
        && (!block || t->nodes[t->depth - 1]->block_count == t->nodes[t->depth - 2]->block_count))
        status = join(b, t);
    return status;
}

/* ---- a pass over the blocks ---- */

/* During the calls for one block, too, the rows so far are reported, and the caller can stop. */
static int repeat(void *user, const char *phase, int64_t done, int64_t total)
{
    const struct blocks *const b = user;

    (void)phase;
    (void)done;
    (void)total;
    return pen_progress(b->run, b->phase, b->done, b->rows) != PEN_OK;
}

/* What a pass does with a block of rows, of which the first has the number `first`. */
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
    const pen_stats *all; /* the second pass is over these; NULL: the first one */
    int keeps;            /* rows of pairs */
    tree tree;
};

/* The rows of a block that pairs name, by their numbers there. */
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
    struct summing *const s = context;
    pen_stats_block given = { .id = block };
    int64_t *keep = NULL;
    pen_stats *made = NULL;

    if (s->keeps)
        PEN_TRY(find_kept(b, first, rows->x.rows, &keep, &given.keep_count));
    given.keep = keep;
    PEN_TRY(s->all ? pen_stats_nearest(s->spec, s->all, rows, block, &b->quiet, &made, b->err)
                   : pen_stats_new(s->spec, rows, &given, &b->quiet, &made, b->err));
    return add(b, made, &s->tree);
}

/* The merged statistics of all blocks. */
static pen_status sum_all(struct blocks *b, const pen_spec *spec, const pen_stats *all, int keeps,
                          pen_stats **out)
{
    struct summing s = { .spec = spec, .all = all, .keeps = keeps };

    pen_status status = pass(b, all ? "nearest rows" : "statistics", sum, &s);
    if (status == PEN_OK)
        status = add(b, NULL, &s.tree);
    if (status == PEN_OK && s.tree.depth == 0)
        status = pen_fail(b->run, PEN_BAD_DATA, "there are no blocks of rows");
    if (status == PEN_OK)
        *out = s.tree.nodes[--s.tree.depth];
    free_tree(&s.tree);
    return status;
}

static pen_status add_nearest(struct blocks *b, const pen_spec *spec, pen_stats **all)
{
    pen_stats *near = NULL, *both = NULL;

    PEN_TRY(sum_all(b, spec, *all, 0, &near));
    const pen_stats *const list[] = { *all, near };
    const pen_status status = pen_stats_merge(list, 2, 0, &b->quiet, &both, b->err);
    pen_stats_free(near);
    if (status == PEN_OK) {
        pen_stats_free(*all);
        *all = both;
    }
    return status;
}

static pen_status fit_sums(struct blocks *b, const pen_spec *spec, pen_model **out)
{
    pen_stats *all = NULL;

    pen_status status = sum_all(b, spec, NULL, 1, &all);
    if (status == PEN_OK && pen_spec_passes(spec) & PEN_PART_NEAREST && pen_stats_labelled(all) > 0)
        status = add_nearest(b, spec, &all);
    if (status == PEN_OK)
        status = pen_stats_fit(spec, all, b->pairs, b->control, out, b->err);
    pen_stats_free(all);
    return status;
}

/* ---- coordinates of all rows ---- */

struct gathering {
    const pen_stats *all;
    const pen_model *model; /* their principal components */
    double *z;              /* [rows x k] */
    int32_t *labels;        /* [rows] as classes of `all`, if these have names */
    int64_t rows, k;
};

/* The number of a class among those of all rows. */
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

/* Each class of the block is sought once. */
static pen_status take_labels(struct blocks *b, const pen_data *rows, const struct gathering *g,
                              int32_t *labels)
{
    const int64_t count = rows->class_names ? rows->class_count : 0;
    const int by_number = pen_stats_in_number_order(g->all->class_names, g->all->class_count);
    int32_t *number;

    PEN_TRY(PEN_FILLED(b->run, number, count, -1));
    for (int64_t i = 0; i < rows->x.rows; i++) {
        const int32_t label = rows->labels[i];
        if (label >= 0 && label < count && number[label] < 0)
            number[label] = class_named(g->all, rows->class_names[label], by_number);
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
        pen_transform(g->model, &rows->x, &b->quiet, PEN_F64, g->z + first * g->k, g->k, b->err));
    return rows->labels ? take_labels(b, rows, g, g->labels + first) : PEN_OK;
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

/* The method on the coordinates, and one model of both. */
static pen_status fit_gathered(struct blocks *b, const pen_spec *rest, const struct gathering *g,
                               pen_model **out)
{
    const pen_stats *const all = g->all;
    pen_data data = { .x = { .rows = 0 } };
    pen_model *second = NULL;

    if (b->pairs)
        data = *b->pairs;
    data.x = pen_dense(g->z, PEN_F64, g->rows, g->k, g->k);
    data.labels = all->class_count > 0 ? g->labels : NULL;
    data.class_names = all->is_named ? (const char *const *)all->class_names : NULL;
    data.class_count = all->is_named ? all->class_count : 0;
    data.class_type = *all->class_type ? all->class_type : NULL;
    pen_status status = pen_fit(rest, &data, b->control, &second, b->err);
    if (status == PEN_OK)
        status = pen_model_compose(g->model, second, out, b->err);
    pen_model_free(second);
    return status;
}

static pen_status fit_components(struct blocks *b, const pen_spec *components, const pen_spec *rest,
                                 pen_model **out)
{
    pen_data unpaired = { .drop_missing = b->pairs && b->pairs->drop_missing };
    pen_stats *all = NULL;
    pen_model *first = NULL;
    struct gathering g = { .z = NULL };

    pen_status status = sum_all(b, components, NULL, 0, &all);
    if (status == PEN_OK)
        status = pen_stats_fit(components, all, &unpaired, &b->quiet, &first, b->err);
    if (status == PEN_OK) {
        g = (struct gathering){
            .all = all, .model = first, .rows = pen_stats_count(all), .k = pen_model_dim(first)
        };
        status = gather_all(b, &g);
    }
    if (status == PEN_OK)
        status = fit_gathered(b, rest, &g, out);
    pen_model_free(first);
    pen_stats_free(all);
    return status;
}

static pen_status fit_divided(struct blocks *b, const pen_spec *spec, pen_model **out)
{
    pen_spec *components = NULL, *rest = NULL;

    PEN_TRY(pen_spec_split(spec, &components, &rest, b->err)); /* refuses kernels, learned steps */
    const pen_status status =
        spec->common.pca > 0
            ? fit_components(b, components, rest, out)
            : pen_fail(b->run, PEN_BAD_ARGUMENT,
                       "the rows are read in blocks, and %s with these parameters looks at "
                       "all of them together: set pca to the number of components it is fitted to",
                       spec->method->name);
    pen_spec_free(components);
    pen_spec_free(rest);
    return status;
}

/* ---- the call ---- */

static pen_status list_paired(struct blocks *b)
{
    const pen_data *const p = b->pairs;
    const int64_t must = p ? 2 * p->must_link_count : 0, cannot = p ? 2 * p->cannot_link_count : 0;

    PEN_REQUIRE(
        b->run,
        must >= 0 && cannot >= 0 && (must == 0 || p->must_link) && (cannot == 0 || p->cannot_link),
        PEN_BAD_ARGUMENT, "pairs must not be NULL where their count is above 0, nor this below");
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
    PEN_TRY(pen_spec_passes(spec) ? fit_sums(b, spec, out) : fit_divided(b, spec, out));
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
