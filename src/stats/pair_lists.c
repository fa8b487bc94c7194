/* pair_lists.c - pen_stats_lists: of the rows of two blocks the nearest in each other, or of one
 * block in itself, by direct differences in double. */
#include "core/arguments.h"
#include "model/spec.h"
#include "neighbors/neighbors.h"
#include "scatter/scatter.h"
#include "stats/pair_task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXTRA = 8 /* entries for rows that are as near as the last one, where these count, too */
};

/* The longest list that the parameters ask for. */
static int64_t width_of(const pen_spec *spec, int64_t n)
{
    static const char *const names[] = { "neighbors", "snn_neighbors", "manifold_neighbors" };
    const pen_param *const graph = pen_param_find(spec->method->params, "graph");
    const int mutual = graph && graph->choices == pen_affinity_graph_names
                       && pen_param_get(graph, spec->own) == PEN_AFFINITY_MUTUAL;
    int64_t width = 1;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const pen_param *const param = pen_param_find(spec->method->params, names[i]);
        if (param)
            width = pen_max(width, (int64_t)pen_param_get(param, spec->own));
    }
    return pen_max(1, pen_min(width + (mutual ? EXTRA : 0), n - 1));
}

static void put_lists(const pen_neighbor *found, int64_t rows, int64_t width, int64_t first,
                      int64_t at, pen_stats *s)
{
    for (int64_t i = 0; i < rows * width; i++) {
        const int there = found[i].row >= 0;
        s->list_row[at * width + i] = there ? first + found[i].row : -1;
        s->list_distance2[at * width + i] = there ? found[i].distance2 : (double)INFINITY;
    }
}

/* The sum of the lengths of rows about the mean of all. */
static pen_status add_lengths(pen_run *run, const pen_rows *x, double *sum)
{
    double *row;

    PEN_TRY(PEN_NEW(run, row, x->d));
    for (int64_t i = 0; i < x->n; i++) {
        double length2;
        pen_rows_centered(x, NULL, i, 1, row);
        pen_squared_lengths(PEN_F64, row, 1, x->d, &length2);
        *sum += sqrt(length2);
    }
    return PEN_OK;
}

/* The rows of one side, which have none there if there is no other row. */
static pen_status search_side(pen_run *run, const pen_pair_task *task, const pen_rows rows[2],
                              int side, int64_t at, pen_stats *s)
{
    const int other = task->sides == 2 ? 1 - side : side;
    pen_neighbor *found;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, found, pen_times(rows[side].n, s->list_width)));
    for (int64_t i = 0; i < rows[side].n * s->list_width; i++)
        found[i] = (pen_neighbor){ (double)INFINITY, -1 };
    const pen_subset all = { NULL, rows[side].n };
    if (rows[side].n > 0 && rows[other].n > 0)
        PEN_TRY(other == side
                    ? pen_neighbors_nearest(run, &rows[side], all, all, s->list_width, found)
                    : pen_neighbors_among(run, &rows[side], &rows[other], s->list_width, found));
    put_lists(found, rows[side].n, s->list_width, task->first[other], at, s);
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status fill(pen_run *run, const pen_spec *spec, const pen_stats *all,
                       const pen_stats_pair *pair, pen_stats *s)
{
    pen_pair_task task;
    pen_units units;
    pen_rows rows[2];

    PEN_TRY(pen_pair_task_open(run, spec, all, pair, &task));
    PEN_TRY(pen_units_open(run, spec, all, &units));
    s->list_tasks = 1;
    s->list_blocks = task.sides;
    s->listed = task.rows[0] + task.rows[1];
    s->list_width = width_of(spec, pen_stats_count(all));
    s->units = pen_units_digest(spec, all);
    PEN_TRY(pen_pair_allocate(run, all, s));
    for (int side = 0; side < task.sides; side++) {
        s->list_block[side] = task.id[side];
        PEN_TRY(pen_units_rows(run, &units, task.values[side], task.rows[side], &rows[side]));
    }
    memcpy(s->list_task, task.id, sizeof task.id);
    for (int side = 0; side < task.sides; side++)
        PEN_TRY(search_side(run, &task, rows, side, side ? task.rows[0] : 0, s));
    return task.sides == 1 ? add_lengths(run, &rows[0], s->list_length) : PEN_OK;
}

static pen_status make(pen_run *run, const pen_spec *spec, const pen_stats *all,
                       const pen_stats_pair *pair, pen_stats **out)
{
    pen_stats *s = NULL;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, all, "all"));
    PEN_TRY(pen_check_given(run, pair, "rows"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_pair_check(run, spec, all));
    pen_status status = pen_pair_object(run, all, PEN_PART_LISTS, &s);
    if (status == PEN_OK)
        status = fill(run, spec, all, pair, s);
    if (status != PEN_OK) {
        pen_stats_free(s);
        return status;
    }
    *out = s;
    return PEN_OK;
}

pen_status pen_stats_lists(const pen_spec *spec, const pen_stats *all, const pen_stats_pair *rows,
                           const pen_control *control, pen_stats **out, pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = make(run, spec, all, rows, out);
    pen_run_close(run);
    return status;
}
