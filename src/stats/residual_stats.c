/* residual_stats.c - pen_stats_residuals: rows of a block are reconstructed from their neighbors,
 * which the lists of all rows name, also in other blocks.
 *
 * E'E is a sum over rows, and E_i needs the k neighbors of row i together: a pass over pairs of
 * blocks never has all of them, for two neighbors of a row may be in two other blocks. */
#include "stats/residual_stats.h"

#include "core/arguments.h"
#include "core/array.h"
#include "linalg/graph_terms.h"
#include "linalg/packed.h"
#include "model/spec.h"
#include "scatter/scatter.h"
#include "stats/merge.h"
#include "stats/pair_merge.h"
#include "stats/pair_task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Squared distances of the same rows differ by rounding: relative to themselves where rows are
 * coordinates that another machine computed, and to the squared length of rows. */
static const double SAME = 1e-6, SAME_OF_LENGTH = 1e-12;

/* A block, and the rows of other blocks that its own are reconstructed from. */
struct wanted {
    int64_t block, first, rows; /* its number, that of its first row among all, and its rows */
    int64_t neighbors, count;
    int64_t *number; /* [count] of these rows among all, ascending */
};

/* ---- which rows ---- */

static pen_status check_lists(pen_run *run, const pen_spec *spec, const pen_stats *s,
                              int64_t neighbors)
{
    const int64_t n = pen_stats_count(s);

    PEN_REQUIRE(run, s->parts & PEN_PART_LISTS, PEN_BAD_ARGUMENT,
                "rows are reconstructed from those in lists, which these statistics do not have: "
                "merge them with those of the first pass over pairs of blocks");
    PEN_REQUIRE(run, pen_units_digest(spec, s) == s->units, PEN_BAD_ARGUMENT,
                "the lists were found with other values of scale or pca, or with other statistics: "
                "digest %08lx, and of this pass %08lx",
                (unsigned long)s->units, (unsigned long)pen_units_digest(spec, s));
    PEN_REQUIRE(run, neighbors <= n - 1, PEN_BAD_ARGUMENT,
                "neighbors must be in [1, %lld], the number of other rows, got %lld",
                (long long)n - 1, (long long)neighbors);
    PEN_REQUIRE(run, neighbors <= s->list_width, PEN_BAD_ARGUMENT,
                "neighbors must be at most %lld, the nearest rows in the lists of the statistics, "
                "got %lld",
                (long long)s->list_width, (long long)neighbors);
    return pen_pair_lists_complete(run, s);
}

static pen_status open_block(pen_run *run, const pen_spec *spec, const pen_stats *s, int64_t block,
                             struct wanted *w)
{
    const int64_t at = pen_stats_find_block(s, block);

    PEN_REQUIRE(run, at >= 0, PEN_BAD_ARGUMENT, "block %lld is not in the statistics",
                (long long)block);
    *w = (struct wanted){ .block = block, .rows = s->blocks[3 * at + 1] };
    for (int64_t b = 0; b < at; b++)
        w->first += s->blocks[3 * b + 1];
    w->neighbors =
        (int64_t)pen_param_get(pen_param_find(spec->method->params, "neighbors"), spec->own);
    return PEN_OK;
}

static int is_own(const struct wanted *w, int64_t number)
{
    return number >= w->first && number - w->first < w->rows;
}

static int by_number(const void *a, const void *b)
{
    return pen_stats_compare(a, b, 1);
}

static pen_status find_wanted(pen_run *run, const pen_spec *spec, const pen_stats *s, int64_t block,
                              struct wanted *w)
{
    int64_t count = 0;

    PEN_TRY(pen_pair_check(run, spec, s));
    PEN_REQUIRE(run, spec->method->traits & PEN_RECONSTRUCTS, PEN_BAD_ARGUMENT,
                "%s does not reconstruct rows from their neighbors, and has no such pass",
                spec->method->name);
    PEN_TRY(open_block(run, spec, s, block, w));
    PEN_TRY(check_lists(run, spec, s, w->neighbors));
    PEN_TRY(PEN_NEW(run, w->number, pen_times(w->rows, w->neighbors)));
    for (int64_t i = 0; i < w->rows; i++) {
        const int64_t *const list = s->list_row + (w->first + i) * s->list_width;
        for (int64_t c = 0; c < w->neighbors; c++)
            if (!is_own(w, list[c]))
                w->number[count++] = list[c];
    }
    qsort(w->number, (size_t)count, sizeof *w->number, by_number);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || w->number[i] != w->number[i - 1])
            w->number[w->count++] = w->number[i];
    return PEN_OK;
}

static pen_status tell_wanted(pen_run *run, const pen_spec *spec, const pen_stats *s, int64_t block,
                              int64_t *count, int64_t *rows)
{
    struct wanted w;
    int64_t b = 0, before = 0;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, s, "lists"));
    PEN_TRY(pen_check_given(run, count, "count"));
    PEN_TRY(find_wanted(run, spec, s, block, &w));
    *count = w.count;
    for (int64_t i = 0; rows && i < w.count; i++) {
        for (; w.number[i] - before >= s->blocks[3 * b + 1]; b++)
            before += s->blocks[3 * b + 1];
        rows[2 * i] = s->blocks[3 * b];
        rows[2 * i + 1] = w.number[i] - before;
    }
    return PEN_OK;
}

pen_status pen_stats_wanted(const pen_spec *spec, const pen_stats *lists, int64_t block,
                            int64_t *count, int64_t *rows, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(NULL, err, &run));
    const pen_status status = tell_wanted(run, spec, lists, block, count, rows);
    pen_run_close(run);
    return status;
}

/* ---- rows of another block ---- */

static pen_status fetch(pen_run *run, const pen_spec *spec, const pen_stats *s, int64_t block,
                        const pen_data *data, int64_t from, double *rows)
{
    int64_t first;
    struct wanted w;
    pen_rows given;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, s, "lists"));
    PEN_TRY(pen_check_given(run, data, "data"));
    PEN_TRY(pen_check_given(run, rows, "rows"));
    PEN_TRY(find_wanted(run, spec, s, block, &w));
    PEN_TRY(pen_units_block(run, spec, s, data, from, &given, &first));
    for (int64_t i = 0; i < w.count; i++) {
        const int64_t row = w.number[i] - first;
        if (row >= 0 && row < data->x.rows)
            pen_array_gather(&data->x, NULL, row, 1, 0, s->d, PEN_F64, rows + i * s->d);
    }
    return PEN_OK;
}

pen_status pen_stats_fetch(const pen_spec *spec, const pen_stats *lists, int64_t block,
                           const pen_data *data, int64_t from, double *rows, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(NULL, err, &run));
    const pen_status status = fetch(run, spec, lists, block, data, from, rows);
    pen_run_close(run);
    return status;
}

/* ---- the rows of a task ---- */

static pen_status check_others(pen_run *run, const pen_stats *s, const struct wanted *w,
                               const pen_data *others)
{
    const int64_t there = others ? others->x.rows : 0;

    PEN_REQUIRE(run, there == w->count, PEN_BAD_DATA,
                "block %lld wants %lld rows of other blocks, and got %lld", (long long)w->block,
                (long long)w->count, (long long)there);
    if (there == 0)
        return PEN_OK;
    PEN_TRY(pen_check_data(run, others));
    PEN_REQUIRE(run, others->x.cols == s->d, PEN_BAD_DATA,
                "the rows of other blocks have %lld columns, the statistics have %lld",
                (long long)others->x.cols, (long long)s->d);
    return PEN_OK;
}

/* Those of the block, then the others. */
static pen_status open_rows(pen_run *run, const pen_spec *spec, const pen_stats *s,
                            const pen_data *data, const pen_data *others, const struct wanted *w,
                            pen_pair_task *task)
{
    pen_rows own, rest;

    PEN_TRY(pen_units_block(run, spec, s, data, w->block, &own, NULL));
    PEN_TRY(check_others(run, s, w, others));
    *task = (pen_pair_task){ .sides = 1, .rows = { w->rows, w->count } };
    task->id[0] = task->id[1] = w->block;
    PEN_TRY(PEN_NEW(run, task->values[0], pen_times(pen_plus(w->rows, w->count), s->d)));
    if (w->rows > 0)
        pen_rows_centered(&own, NULL, 0, w->rows, task->values[0]);
    if (w->count == 0)
        return PEN_OK;
    PEN_TRY(pen_units_given(run, spec, others, &rest));
    pen_rows_centered(&rest, NULL, 0, w->count, task->values[0] + w->rows * s->d);
    return PEN_OK;
}

/* The mean length of all rows. */
static double length_of(const pen_stats *s)
{
    double sum = 0;

    for (int64_t b = 0; b < s->list_blocks; b++)
        sum += s->list_length[b];
    return sum / (double)pen_stats_count(s);
}

/* The lists of the block, by positions among the rows of the task. */
static pen_status place_lists(pen_run *run, const pen_stats *s, const struct wanted *w,
                              const pen_rows *near, pen_neighbor *nearest)
{
    const double length = length_of(s), least = SAME_OF_LENGTH * length * length;

    for (int64_t i = 0; i < w->rows; i++)
        for (int64_t c = 0; c < w->neighbors; c++) {
            const int64_t at = (w->first + i) * s->list_width + c, number = s->list_row[at];
            const int64_t *const other =
                is_own(w, number)
                    ? NULL
                    : bsearch(&number, w->number, (size_t)w->count, sizeof number, by_number);
            const int64_t row = other ? w->rows + (other - w->number) : number - w->first;
            const double known = s->list_distance2[at],
                         found = pen_rows_distance2_between(near, i, near, row);
            PEN_REQUIRE(run, fabs(found - known) <= SAME * known + least, PEN_BAD_DATA,
                        "row %lld of block %lld and row %lld of all are at squared distance %g, in "
                        "the lists at %g: these are not the rows of the first pass, or the rows of "
                        "other blocks are in another order",
                        (long long)i, (long long)w->block, (long long)number, found, known);
            nearest[i * w->neighbors + c] = (pen_neighbor){ known, row };
        }
    return PEN_OK;
}

/* ---- the object ---- */

static pen_status add_rows(pen_run *run, const pen_spec *spec, const pen_stats *s,
                           const pen_pair_task *task, const struct wanted *w, double lle_ridge,
                           pen_stats *out)
{
    pen_neighbor *nearest;
    pen_units units;
    pen_rows near, x;
    char where[40];
    pen_sym S;

    PEN_TRY(PEN_NEW(run, nearest, pen_times(w->rows, w->neighbors)));
    PEN_TRY(pen_units_open(run, spec, s, &units));
    PEN_TRY(pen_units_rows(run, &units, task->values[0], w->rows + w->count, &near));
    PEN_TRY(pen_pair_rows(run, s, task, &x));
    PEN_TRY(place_lists(run, s, w, &near, nearest));
    near.n = x.n = w->rows;
    const pen_partial_rows rows = { &x, &near, nearest, w->neighbors };
    PEN_TRY(pen_sym_zero(run, s->d, &S));
    const pen_status status =
        pen_scatter_partial_reconstruction(run, &rows, lle_ridge, out->residual_noise, &S);
    snprintf(where, sizeof where, "block %lld", (long long)w->block);
    if (status == PEN_SINGULAR_SCATTER || status == PEN_BAD_DATA)
        pen_explain(run, where);
    pen_packed_of(&S, out->residual_scatter);
    return status;
}

static pen_status fill(pen_run *run, const pen_spec *spec, const pen_stats *s, const pen_data *data,
                       const pen_data *others, const struct wanted *w, pen_stats *out)
{
    const double lle_ridge =
        pen_param_get(pen_param_find(spec->method->params, "lle_ridge"), spec->own);
    pen_pair_task task;

    PEN_TRY(open_rows(run, spec, s, data, others, w, &task));
    out->residual_tasks = 1;
    PEN_TRY(pen_pair_allocate(run, s, out));
    memcpy(out->residual_task, task.id, sizeof task.id);
    out->residual_check[0] = (double)w->neighbors;
    out->residual_check[1] = lle_ridge;
    out->residual_check[2] = (double)s->units;
    return w->rows > 0 ? add_rows(run, spec, s, &task, w, lle_ridge, out) : PEN_OK;
}

static pen_status make(pen_run *run, const pen_spec *spec, const pen_stats *s, const pen_data *data,
                       int64_t block, const pen_data *others, pen_stats **out)
{
    pen_stats *made = NULL;
    struct wanted w;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, s, "lists"));
    PEN_TRY(pen_check_given(run, data, "data"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(find_wanted(run, spec, s, block, &w));
    pen_status status = pen_pair_object(run, s, PEN_PART_RESIDUALS, &made);
    if (status == PEN_OK)
        status = fill(run, spec, s, data, others, &w, made);
    if (status != PEN_OK) {
        pen_stats_free(made);
        return status;
    }
    *out = made;
    return PEN_OK;
}

pen_status pen_stats_residuals(const pen_spec *spec, const pen_stats *lists, const pen_data *data,
                               int64_t block, const pen_data *others, const pen_control *control,
                               pen_stats **out, pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = make(run, spec, lists, data, block, others, out);
    pen_run_close(run);
    return status;
}

/* ---- two blocks ---- */

static pen_status check_same(pen_run *run, const pen_stats *a, const pen_stats *b)
{
    const double *const p = a->residual_check, *const q = b->residual_check;

    PEN_TRY(pen_pair_same(run, a, b));
    PEN_REQUIRE(run, memcmp(p, q, PEN_TERM_CHECKS * sizeof *p) == 0, PEN_BAD_ARGUMENT,
                "residuals of block %lld were found with neighbors %g, lle_ridge %g, digest %08lx, "
                "and of block %lld with %g, %g, %08lx",
                (long long)a->residual_task[0], p[0], p[1], (unsigned long)p[2],
                (long long)b->residual_task[0], q[0], q[1], (unsigned long)q[2]);
    return PEN_OK;
}

static pen_status join(pen_run *run, const pen_stats *a, const pen_stats *b, pen_stats *s)
{
    char *takes;

    PEN_TRY(check_same(run, a, b));
    PEN_TRY(PEN_NEW(run, takes, a->residual_tasks + b->residual_tasks));
    s->residual_tasks = pen_stats_merge_order(a->residual_task, a->residual_tasks, b->residual_task,
                                              b->residual_tasks, 2, 2, takes);
    PEN_TRY(pen_pair_allocate(run, a, s));
    PEN_TRY(pen_pair_join_tasks(run, takes, s->residual_tasks, a->residual_task, b->residual_task,
                                s->residual_task));
    memcpy(s->residual_check, a->residual_check, PEN_TERM_CHECKS * sizeof *s->residual_check);
    s->residual_noise[0] = a->residual_noise[0] + b->residual_noise[0];
    for (int64_t i = 0; i < s->packed; i++)
        s->residual_scatter[i] = a->residual_scatter[i] + b->residual_scatter[i];
    return PEN_OK;
}

pen_status pen_residual_merge(pen_run *run, const pen_stats *a, const pen_stats *b, pen_stats **out)
{
    return pen_pair_merge_two(run, a, b, join, out);
}
