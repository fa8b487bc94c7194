/* pair_edges.c - pen_stats_edges: the scatter of the edges between the rows of two blocks, or of
 * those within one, about the mean of all rows, in the units of the rows as given. */
#include "core/arguments.h"
#include "linalg/graph_terms.h"
#include "linalg/packed.h"
#include "model/spec.h"
#include "scatter/partial_affinity.h"
#include "scatter/scatter.h"
#include "stats/pair_task.h"
#include "stats/soft_stats.h"

#include <math.h>
#include <string.h>

struct edges {
    const pen_stats *graph;
    pen_pair_task task;
    pen_rows x;     /* the rows of both blocks, measured from the mean of all */
    pen_stats *out; /* the result */
};

/* ---- the rows, and the edges between them ---- */

/* The position of a row of all among those here, or -1. */
static int64_t here(const pen_pair_task *task, int64_t number)
{
    for (int side = 0; side < task->sides; side++)
        if (number >= task->first[side] && number - task->first[side] < task->rows[side])
            return number - task->first[side] + (side ? task->rows[0] : 0);
    return -1;
}

/* The side of a row that is here. */
static int side_of(const pen_pair_task *task, int64_t at)
{
    return at >= task->rows[0];
}

/* The edges of a task: of two blocks those from one to the other. */
static pen_status pick_edges(pen_run *run, const struct edges *e, const int64_t *first,
                             pen_graph *out)
{
    const pen_pair_task *const task = &e->task;
    const pen_stats *const g = e->graph;
    const int64_t n = e->x.n, rows = task->rows[0], from = task->first[0];
    const int64_t most = first[from + rows] - first[from];

    *out = (pen_graph){ .n = n };
    PEN_TRY(PEN_NEW(run, out->first, n + 1));
    PEN_TRY(PEN_NEW(run, out->other, most));
    PEN_TRY(PEN_NEW(run, out->weight, most));
    for (int64_t i = 0; i < n; i++) {
        out->first[i] = out->edges;
        for (int64_t k = i < rows ? first[from + i] : 0; i < rows && k < first[from + i + 1]; k++) {
            const int64_t j = here(task, g->graph_other[k]);
            if (j < 0 || side_of(task, j) != task->sides - 1)
                continue;
            out->other[out->edges] = j;
            out->weight[out->edges++] = g->graph_weight[k];
        }
    }
    out->first[n] = out->edges;
    return PEN_OK;
}

/* ---- sums ---- */

/* Result r: S, and sums of the rows by r_i = rest [n], and by degrees |a_i| = size [n]. */
static pen_status put_result(pen_run *run, const struct edges *e, int64_t r, const pen_sym *S,
                             const double *rest, const double *size)
{
    const int64_t d = e->x.d;
    double *const vector = e->out->edge_vector + r * d,
                  *const squares = e->out->edge_squares + r * d, *row;

    PEN_TRY(PEN_NEW(run, row, d));
    pen_packed_of(S, e->out->edge_scatter + r * e->out->packed);
    for (int64_t i = 0; i < e->x.n; i++) {
        pen_rows_centered(&e->x, NULL, i, 1, row);
        for (int64_t j = 0; j < d; j++) {
            vector[j] += rest[i] * row[j];
            squares[j] += size[i] * row[j] * row[j];
        }
        e->out->edge_mass[r] += rest[i];
    }
    return PEN_OK;
}

/* The rows by themselves, in the tasks of single blocks. */
static void pick_rest(const struct edges *e, const double *rest, double *out)
{
    for (int64_t i = 0; i < e->x.n; i++)
        out[i] = e->task.sides == 1 ? rest[e->task.first[0] + i] : 0;
}

static pen_status add_term(pen_run *run, const struct edges *e, int64_t term)
{
    const pen_stats *const g = e->graph;
    const int64_t n = e->x.n;
    double *rest, *degree, *size;
    pen_graph edges;
    pen_sym S;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pick_edges(run, e, g->graph_first + term * g->firsts, &edges));
    PEN_TRY(PEN_NEW(run, rest, n));
    PEN_TRY(PEN_NEW(run, degree, n));
    PEN_TRY(PEN_NEW(run, size, n));
    pick_rest(e, g->graph_rest + term * g->all_rows, rest);
    pen_graph_degrees(&edges, degree);
    for (int64_t i = 0; i < n; i++) {
        size[i] = fabs(degree[i]) + fabs(rest[i]);
        degree[i] += rest[i];
    }
    PEN_TRY(pen_sym_zero(run, e->x.d, &S));
    if (n > 0)
        PEN_TRY(pen_scatter_graph(run, 1, &e->x, &edges, degree, &S));
    PEN_TRY(put_result(run, e, term, &S, rest, size));
    pen_release(run, mark);
    return PEN_OK;
}

/* The two results of affinities between all rows. */
static pen_status add_dense(pen_run *run, const pen_spec *spec, const struct edges *e)
{
    const pen_pair_task *const task = &e->task;
    const pen_stats *const g = e->graph;
    const int64_t n = e->x.n;
    double *degree, *sigma, *none;
    pen_units units;
    pen_rows near;
    pen_sym S, D;

    PEN_TRY(pen_units_open(run, spec, g, &units));
    PEN_TRY(pen_units_rows(run, &units, task->values[0], n, &near));
    PEN_TRY(PEN_NEW(run, degree, n));
    PEN_TRY(PEN_NEW(run, sigma, n));
    PEN_TRY(PEN_NEW(run, none, n));
    memset(none, 0, (size_t)n * sizeof *none);
    for (int side = 0; side < task->sides; side++)
        memcpy(sigma + (side ? task->rows[0] : 0), g->graph_sigma + task->first[side],
               (size_t)task->rows[side] * sizeof *sigma);
    PEN_TRY(PEN_ZEROS(run, e->x.d, &S, &D));
    const pen_partial_affinity sets = { &e->x, &near, task->rows[0], task->sides == 1, sigma };
    if (n > 0) {
        PEN_TRY(pen_scatter_partial_affinities(run, &sets, degree, &S));
        PEN_TRY(pen_scatter_graph(run, 1, &e->x, NULL, degree, &D));
    }
    PEN_TRY(put_result(run, e, g->terms, &S, none, degree));
    return put_result(run, e, g->terms + 1, &D, degree, degree);
}

/* ---- the object ---- */

static pen_status fill(pen_run *run, const pen_spec *spec, const pen_stats_pair *pair,
                       struct edges *e)
{
    const pen_stats *const g = e->graph;
    pen_stats *const s = e->out;

    PEN_TRY(pen_pair_task_open(run, spec, g, pair, &e->task));
    s->edge_tasks = 1;
    s->results = g->results;
    PEN_TRY(pen_pair_allocate(run, g, s));
    memcpy(s->edge_task, e->task.id, sizeof e->task.id);
    memcpy(s->edge_check, g->edge_check,
           (size_t)(PEN_TERM_CHECKS * g->results) * sizeof *s->edge_check);
    PEN_TRY(pen_pair_rows(run, g, &e->task, &e->x));
    for (int64_t t = 0; t < g->terms; t++)
        PEN_TRY(add_term(run, e, t));
    return g->dense ? add_dense(run, spec, e) : PEN_OK;
}

static pen_status edges_of(pen_run *run, const pen_spec *spec, const pen_stats_pair *pair,
                           struct edges *e)
{
    PEN_TRY(pen_pair_object(run, e->graph, PEN_PART_EDGES, &e->out));
    return fill(run, spec, pair, e);
}

static pen_status make(pen_run *run, const pen_spec *spec, const pen_stats *graph,
                       const pen_stats_pair *pair, pen_stats **out)
{
    struct edges e = { .graph = graph };

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, graph, "graph"));
    PEN_TRY(pen_check_given(run, pair, "rows"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_pair_check(run, spec, graph));
    PEN_REQUIRE(run, !(spec->method->traits & PEN_RECONSTRUCTS), PEN_BAD_ARGUMENT,
                "%s has no edges: its second pass is that of residuals", spec->method->name);
    const int soft = (graph->parts & PEN_PART_SHARES) != 0,
              propagates = (spec->method->traits & PEN_PROPAGATES) != 0;
    PEN_REQUIRE(run, soft || graph->parts & PEN_PART_GRAPH, PEN_BAD_ARGUMENT,
                "the second pass over pairs of blocks needs the graph of all rows, and these "
                "statistics have none");
    PEN_REQUIRE(run, !graph->dense || pen_units_digest(spec, graph) == graph->units,
                PEN_BAD_ARGUMENT, "the graph was made with other values of scale or pca");
    PEN_REQUIRE(run, soft == propagates, PEN_BAD_ARGUMENT,
                "%s needs %s, and these statistics have %s", spec->method->name,
                propagates ? "shares" : "a graph", soft ? "shares" : "a graph");
    pen_status status =
        soft ? pen_soft_block(run, spec, graph, pair, &e.out) : edges_of(run, spec, pair, &e);
    if (status != PEN_OK) {
        pen_stats_free(e.out);
        return status;
    }
    *out = e.out;
    return PEN_OK;
}

pen_status pen_stats_edges(const pen_spec *spec, const pen_stats *graph, const pen_stats_pair *rows,
                           const pen_control *control, pen_stats **out, pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = make(run, spec, graph, rows, out);
    pen_run_close(run);
    return status;
}
