/* pair_merge.c - lists are merged all at once, scatters of edges two by two. */
#include "stats/pair_merge.h"

#include "linalg/graph_terms.h"
#include "stats/merge.h"
#include "stats/pair_task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pen_pair_counts(const pen_stats *from, pen_stats *to)
{
    to->list_tasks = from->list_tasks;
    to->list_blocks = from->list_blocks;
    to->listed = from->listed;
    to->list_width = from->list_width;
    to->units = from->units;
    to->terms = from->terms;
    to->firsts = from->firsts;
    to->all_rows = from->all_rows;
    to->edges = from->edges;
    to->dense = from->dense;
    to->results = from->results;
    to->edge_tasks = from->edge_tasks;
    to->soft_classes = from->soft_classes;
    to->soft_tasks = from->soft_tasks;
    to->residual_tasks = from->residual_tasks;
}

/* ---- do they belong together? ---- */

pen_status pen_pair_same(pen_run *run, const pen_stats *a, const pen_stats *b)
{
    PEN_TRY(pen_stats_same_columns(run, a, b));
    PEN_REQUIRE(run, pen_stats_same_blocks(a, b), PEN_BAD_ARGUMENT,
                "passes over pairs of blocks were over %lld blocks, and over %lld others: all "
                "tasks must be given the same merged statistics",
                (long long)a->block_count, (long long)b->block_count);
    return pen_stats_same_rows(run, a, b);
}

static pen_status check_lists(pen_run *run, const pen_stats *a, const pen_stats *b)
{
    PEN_TRY(pen_pair_same(run, a, b));
    PEN_REQUIRE(run, a->list_width == b->list_width, PEN_BAD_ARGUMENT,
                "lists have %lld nearest rows after the task (%lld, %lld), and %lld after (%lld, "
                "%lld)",
                (long long)a->list_width, (long long)a->list_task[0], (long long)a->list_task[1],
                (long long)b->list_width, (long long)b->list_task[0], (long long)b->list_task[1]);
    PEN_REQUIRE(run, a->units == b->units, PEN_BAD_ARGUMENT,
                "the lists are measured differently: digest %08lx in the task (%lld, %lld), %08lx "
                "in (%lld, %lld)",
                (unsigned long)a->units, (long long)a->list_task[0], (long long)a->list_task[1],
                (unsigned long)b->units, (long long)b->list_task[0], (long long)b->list_task[1]);
    return PEN_OK;
}

static pen_status twice(pen_run *run, const int64_t *task)
{
    return pen_fail(run, PEN_BAD_ARGUMENT, "the task (%lld, %lld) is in both: merged twice?",
                    (long long)task[0], (long long)task[1]);
}

/* ---- lists ---- */

static int by_blocks(const void *a, const void *b)
{
    return pen_stats_compare(a, b, 2);
}

/* The tasks of all, in order. */
static pen_status gather_tasks(pen_run *run, const pen_stats *const *list, int64_t count,
                               int64_t **tasks, int64_t *total)
{
    *total = 0;
    for (int64_t i = 0; i < count; i++)
        *total = pen_plus(*total, list[i]->list_tasks);
    PEN_TRY(PEN_NEW(run, *tasks, pen_times(2, *total)));
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        memcpy(*tasks + 2 * at, list[i]->list_task,
               (size_t)(2 * list[i]->list_tasks) * sizeof **tasks);
        at += list[i]->list_tasks;
    }
    qsort(*tasks, (size_t)*total, 2 * sizeof **tasks, by_blocks);
    for (int64_t t = 1; t < *total; t++)
        if (pen_stats_compare(*tasks + 2 * t - 2, *tasks + 2 * t, 2) == 0)
            return twice(run, *tasks + 2 * t);
    return PEN_OK;
}

static int64_t rows_of(const pen_stats *s, int64_t id)
{
    return s->blocks[3 * pen_stats_find_block(s, id) + 1];
}

static int is_nearer(const pen_stats *a, int64_t i, const pen_stats *b, int64_t j)
{
    const double p = a->list_distance2[i], q = b->list_distance2[j];
    return p != q ? p < q
                  : b->list_row[j] < 0 || (a->list_row[i] >= 0 && a->list_row[i] < b->list_row[j]);
}

/* Takes what is nearer of the list at j of `from` into that at i of `to`. rows, distances
 * [list_width]: scratch. */
static void take(const pen_stats *from, int64_t j, pen_stats *to, int64_t i, int64_t *rows,
                 double *distances)
{
    const int64_t k = to->list_width;
    int64_t p = i * k, q = j * k;

    for (int64_t c = 0; c < k; c++) {
        const int mine = is_nearer(to, p, from, q);
        rows[c] = mine ? to->list_row[p] : from->list_row[q];
        distances[c] = mine ? to->list_distance2[p] : from->list_distance2[q];
        p += mine;
        q += !mine;
    }
    memcpy(to->list_row + i * k, rows, (size_t)k * sizeof *rows);
    memcpy(to->list_distance2 + i * k, distances, (size_t)k * sizeof *distances);
}

static pen_status take_all(pen_run *run, const pen_stats *from, pen_stats *to)
{
    int64_t at = 0, from_at = 0, *rows;
    double *distances;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rows, to->list_width));
    PEN_TRY(PEN_NEW(run, distances, to->list_width));
    for (int64_t b = 0, f = 0; b < to->list_blocks && f < from->list_blocks; b++) {
        const int64_t count = rows_of(to, to->list_block[b]);
        if (to->list_block[b] == from->list_block[f]) {
            for (int64_t i = 0; i < count; i++)
                take(from, from_at + i, to, at + i, rows, distances);
            to->list_length[b] += from->list_length[f++];
            from_at += count;
        }
        at += count;
    }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status open_lists(pen_run *run, const pen_stats *like, const int64_t *tasks,
                             int64_t count, pen_stats *s)
{
    int64_t *blocks;

    s->list_tasks = count;
    s->list_width = like->list_width;
    s->units = like->units;
    PEN_TRY(pen_pair_blocks(run, like, tasks, count, &blocks, &s->list_blocks));
    for (int64_t b = 0; b < s->list_blocks; b++)
        s->listed += rows_of(like, blocks[b]);
    PEN_TRY(pen_pair_allocate(run, like, s));
    memcpy(s->list_task, tasks, (size_t)(2 * count) * sizeof *tasks);
    memcpy(s->list_block, blocks, (size_t)s->list_blocks * sizeof *blocks);
    for (int64_t i = 0; i < s->listed * s->list_width; i++) {
        s->list_row[i] = -1;
        s->list_distance2[i] = INFINITY;
    }
    return PEN_OK;
}

pen_status pen_pair_merge_lists(pen_run *run, const pen_stats *const *list, int64_t count,
                                pen_stats **out)
{
    pen_stats *s = NULL;
    int64_t *tasks, total;

    for (int64_t i = 1; i < count; i++)
        PEN_TRY(check_lists(run, list[0], list[i]));
    PEN_TRY(gather_tasks(run, list, count, &tasks, &total));
    pen_status status = pen_pair_object(run, list[0], PEN_PART_LISTS, &s);
    if (status == PEN_OK)
        status = open_lists(run, list[0], tasks, total, s);
    for (int64_t i = 0; status == PEN_OK && i < count; i++)
        status = take_all(run, list[i], s);
    if (status != PEN_OK) {
        pen_stats_free(s);
        return status;
    }
    *out = s;
    return PEN_OK;
}

/* ---- two by two ---- */

pen_status pen_pair_merge_two(pen_run *run, const pen_stats *a, const pen_stats *b,
                              pen_pair_join *join, pen_stats **out)
{
    pen_stats *s = NULL;

    const pen_mark_t mark = pen_mark(run);
    pen_status status = pen_pair_object(run, a, a->parts, &s);
    if (status == PEN_OK)
        status = join(run, a, b, s);
    pen_release(run, mark);
    if (status != PEN_OK) {
        pen_stats_free(s);
        return status;
    }
    *out = s;
    return PEN_OK;
}

/* ---- edges ---- */

static pen_status check_edges(pen_run *run, const pen_stats *a, const pen_stats *b)
{
    PEN_TRY(pen_pair_same(run, a, b));
    PEN_REQUIRE(run,
                a->results == b->results
                    && memcmp(a->edge_check, b->edge_check,
                              (size_t)(PEN_TERM_CHECKS * a->results) * sizeof *a->edge_check)
                           == 0,
                PEN_BAD_ARGUMENT,
                "the tasks (%lld, %lld) and (%lld, %lld) have edges of different graphs",
                (long long)a->edge_task[0], (long long)a->edge_task[1], (long long)b->edge_task[0],
                (long long)b->edge_task[1]);
    return PEN_OK;
}

pen_status pen_pair_join_tasks(pen_run *run, const char *takes, int64_t count, const int64_t *a,
                               const int64_t *b, int64_t *out)
{
    int64_t at[2] = { 0, 0 };

    for (int64_t t = 0; t < count; t++) {
        const int64_t *const task = (takes[t] == 1 ? b : a) + 2 * at[takes[t] == 1]++;
        if (takes[t] == 2)
            return twice(run, task);
        memcpy(out + 2 * t, task, 2 * sizeof *task);
    }
    return PEN_OK;
}

static void add_numbers(const double *a, const double *b, int64_t count, double *out)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = a[i] + b[i];
}

static pen_status join_edges(pen_run *run, const pen_stats *a, const pen_stats *b, pen_stats *s)
{
    char *takes;

    PEN_TRY(check_edges(run, a, b));
    PEN_TRY(PEN_NEW(run, takes, a->edge_tasks + b->edge_tasks));
    s->edge_tasks = pen_stats_merge_order(a->edge_task, a->edge_tasks, b->edge_task, b->edge_tasks,
                                          2, 2, takes);
    s->results = a->results;
    PEN_TRY(pen_pair_allocate(run, a, s));
    PEN_TRY(
        pen_pair_join_tasks(run, takes, s->edge_tasks, a->edge_task, b->edge_task, s->edge_task));
    memcpy(s->edge_check, a->edge_check,
           (size_t)(PEN_TERM_CHECKS * s->results) * sizeof *s->edge_check);
    add_numbers(a->edge_scatter, b->edge_scatter, s->results * s->packed, s->edge_scatter);
    add_numbers(a->edge_vector, b->edge_vector, s->results * s->d, s->edge_vector);
    add_numbers(a->edge_squares, b->edge_squares, s->results * s->d, s->edge_squares);
    add_numbers(a->edge_mass, b->edge_mass, s->results, s->edge_mass);
    return PEN_OK;
}

pen_status pen_pair_merge_edges(pen_run *run, const pen_stats *a, const pen_stats *b,
                                pen_stats **out)
{
    return pen_pair_merge_two(run, a, b, join_edges, out);
}

/* ---- with the sums ---- */

/* The nearest rows are those of the labelled rows that `all` keeps. */
static pen_status check_labelled(pen_run *run, const pen_stats *nearest, const pen_stats *all)
{
    int64_t at = 0;
    int same = 1;

    for (int64_t i = 0; same && i < all->kept; i++)
        if (all->row_class[i] >= 0) {
            same = at < nearest->near_rows
                   && pen_stats_compare(nearest->near_id + 2 * at, all->row_id + 2 * i, 2) == 0;
            at++;
        }
    PEN_REQUIRE(run, same && at == nearest->near_rows, PEN_BAD_ARGUMENT,
                "the nearest rows are those of other labelled rows than the statistics keep");
    return PEN_OK;
}

pen_status pen_pair_attach(pen_run *run, pen_stats *found, pen_stats *all)
{
    const int nearest = found->parts == PEN_PART_NEAREST;
    const char *const name = nearest ? "nearest rows" : pen_part_name(found->parts);
    const pen_stats before = *all;

    PEN_TRY(pen_stats_same_columns(run, found, all));
    PEN_REQUIRE(run, pen_stats_same_blocks(found, all), PEN_BAD_ARGUMENT,
                "the %s are those of %lld blocks, and the sums are of %lld others: all passes must "
                "be over the same blocks",
                name, (long long)found->block_count, (long long)all->block_count);
    PEN_TRY(pen_stats_same_rows(run, found, all));
    PEN_REQUIRE(run, !(all->parts & found->parts), PEN_BAD_ARGUMENT,
                "the statistics have %s already: merge all tasks of a pass at once, or with each "
                "other first",
                name);
    if (nearest) {
        PEN_TRY(check_labelled(run, found, all));
        all->near = found->near;
        all->near_rows = found->near_rows;
        all->digest = found->digest;
    }
    pen_pair_counts(found, all);
    if (found->parts != PEN_PART_LISTS) { /* the lists stay */
        all->list_tasks = before.list_tasks;
        all->list_blocks = before.list_blocks;
        all->listed = before.listed;
        all->list_width = before.list_width;
        all->units = before.units;
    }
    if (found->parts != PEN_PART_EDGES) {
        all->edge_tasks = before.edge_tasks;
        all->results = before.results;
    }
    if (found->parts != PEN_PART_SOFT) {
        all->soft_classes = before.soft_classes;
        all->soft_tasks = before.soft_tasks;
    }
    if (found->parts != PEN_PART_RESIDUALS)
        all->residual_tasks = before.residual_tasks;
    for (int t = 0; t < STATS_TENSORS; t++)
        if (pen_stats_tensors[t].part & found->parts) {
            void **const from = pen_stats_at(found, &pen_stats_tensors[t]);
            *pen_stats_at(all, &pen_stats_tensors[t]) = *from;
            *from = NULL;
        }
    all->parts |= found->parts;
    all->is_free |= found->is_free;
    return PEN_OK;
}
