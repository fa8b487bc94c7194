/* paths.c - Prim's algorithm adds one row at a time; the edges of the tree, sorted, are the merges.
 * Similarities are stored as costs -log s, which do not underflow. */
#include "graph/paths.h"

#include "core/parallel.h"
#include "core/sort.h"
#include "graph/graph_set.h"
#include "pairs/chains.h"

#include <math.h>
#include <stdlib.h>

/* a thread takes longer to wake up than to do a smaller task */
enum { PIECE_VALUES = 100000 };

/* The mean of |x_i - x_j|^2 over all pairs. The sum is n times that of the squared lengths of the
 * centered rows. */
static pen_status mean_of_pairs(pen_run *run, const pen_view *x, double *mean)
{
    PEN_TRY(pen_rows_square_sum(run, x, mean));
    *mean = 2 * *mean / (double)(x->n - 1);
    PEN_REQUIRE(run, isfinite(*mean), PEN_BAD_DATA,
                "values are too large: their products overflow");
    PEN_REQUIRE(run, *mean > 0, PEN_RANK_TOO_SMALL,
                "nothing to project on: all rows are equal up to rounding");
    return PEN_OK;
}

pen_status pen_similarity_robust(pen_run *run, const pen_view *x, int64_t k,
                                 const pen_neighbor *nearest, pen_similarity *out)
{
    const int64_t n = x->n;
    double width = 0, *sorted;

    PEN_TRY(PEN_NEW(run, out->loss, n));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, sorted, n));
    PEN_TRY(mean_of_pairs(run, x, &out->t));
    for (int64_t i = 0; i < n * k; i++)
        width += nearest[i].distance2 / (double)(n * k);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t c = 0; c < k; c++)
            sum += width > 0 ? exp(-nearest[i * k + c].distance2 / width) : 1;
        sorted[i] = out->loss[i] = sum / (double)k;
    }
    qsort(sorted, (size_t)n, sizeof *sorted, pen_by_double);
    /* Positive: exp() underflows beyond 745 times the mean, and at most one row in 745 is that far
     * from its neighbors. */
    const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    for (int64_t i = 0; i < n; i++)
        out->loss[i] = out->loss[i] < median ? log(median) - log(out->loss[i]) : 0;
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- spanning tree ---- */

/* A row outside the tree, and the row of the tree it is most similar to. */
struct candidate {
    int64_t row, from;
    double cost;
};

struct growth {
    const pen_view *x;
    const pen_similarity *similarity;
    struct candidate *candidates; /* [count] */
    int64_t count, added;         /* the row last added to the tree */
    int64_t piece;                /* candidates in a task */
    /* [tasks] index of the candidate with the lowest cost, ties by row */
    int64_t *best;
};

static int comes_before(const struct candidate *a, const struct candidate *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->row < b->row);
}

static void update(void *context, int64_t task, int worker)
{
    const struct growth *g = context;
    const double *const loss = g->similarity->loss;
    (void)worker;

    g->best[task] = task * g->piece;
    for (int64_t c = task * g->piece; c < pen_min((task + 1) * g->piece, g->count); c++) {
        struct candidate *const r = &g->candidates[c];
        const double distance2 =
            pen_rows_distance2(g->x, pen_min(r->row, g->added), pen_max(r->row, g->added));
        const double cost = distance2 / g->similarity->t + (loss[r->row] + loss[g->added]);
        if (cost < r->cost) {
            r->cost = cost;
            r->from = g->added;
        }
        if (comes_before(r, &g->candidates[g->best[task]]))
            g->best[task] = c;
    }
}

/* Finds the n - 1 edges of the tree, in the order in which they were added. */
static pen_status grow(pen_run *run, struct growth *g, struct candidate *edges)
{
    const int64_t n = g->x->n, pairs = pen_times(n, n - 1) / 2;
    int64_t done = 0;

    for (int64_t i = 1; i < n; i++)
        g->candidates[i - 1] = (struct candidate){ i, 0, (double)INFINITY };
    g->count = n - 1;
    g->added = 0;
    for (int64_t e = 0; e < n - 1; e++) {
        const int64_t tasks = (g->count + g->piece - 1) / g->piece;
        PEN_TRY(pen_progress(run, "spanning tree", done, pairs));
        PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, update, g));
        int64_t best = g->best[0];
        for (int64_t task = 1; task < tasks; task++)
            if (comes_before(&g->candidates[g->best[task]], &g->candidates[best]))
                best = g->best[task];
        done += g->count;
        edges[e] = g->candidates[best];
        g->added = edges[e].row;
        g->candidates[best] = g->candidates[--g->count];
    }
    return pen_progress(run, "spanning tree", pairs, pairs);
}

/* ---- merges ---- */

static int by_cost(const void *a, const void *b)
{
    const struct candidate *p = a, *q = b;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row; /* no two edges added the same row */
}

static pen_status merge(pen_run *run, int64_t n, const struct candidate *edges, pen_merge *list)
{
    int64_t *parent, *group, *size;

    PEN_TRY(PEN_NEW(run, parent, n));
    PEN_TRY(PEN_NEW(run, group, n)); /* indexed by representative row */
    PEN_TRY(PEN_NEW(run, size, n));
    for (int64_t i = 0; i < n; i++) {
        parent[i] = group[i] = i;
        size[i] = 1;
    }
    for (int64_t e = 0; e < n - 1; e++) {
        const int64_t a = pen_chains_root(parent, edges[e].from),
                      b = pen_chains_root(parent, edges[e].row);
        const int64_t large = size[a] >= size[b] ? a : b, small = large == a ? b : a;
        list[e] = (pen_merge){ group[a], group[b], exp(-edges[e].cost) };
        parent[small] = large;
        size[large] += size[small];
        group[large] = n + e;
    }
    return PEN_OK;
}

pen_status pen_paths_merges(pen_run *run, const pen_view *x, const pen_similarity *similarity,
                            pen_merges *out)
{
    struct growth g = { .x = x, .similarity = similarity, .piece = PIECE_VALUES / x->d + 1 };
    struct candidate *edges;

    out->n = x->n;
    PEN_TRY(PEN_NEW(run, out->list, x->n - 1));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, edges, g.candidates, x->n - 1));
    PEN_TRY(PEN_NEW(run, g.best, x->n / g.piece + 1));
    PEN_TRY(grow(run, &g, edges));
    qsort(edges, (size_t)(x->n - 1), sizeof *edges, by_cost);
    PEN_TRY(merge(run, x->n, edges, out->list));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_paths_robust(pen_run *run, const pen_problem *problem, int64_t k, pen_merges *out)
{
    const pen_view *const x = &problem->rows;
    pen_similarity similarity;
    pen_neighbor *nearest;

    PEN_TRY(pen_graph_neighbors(run, problem, "neighbors", k, &nearest));
    PEN_TRY(pen_graphs_add_lists(run, "neighbors", x->n, k, nearest, NULL));
    PEN_TRY(pen_similarity_robust(run, x, k, nearest, &similarity));
    PEN_TRY(pen_paths_merges(run, x, &similarity, out));
    pen_note(run, "path_similarity_smallest", out->list[x->n - 2].similarity);
    return PEN_OK;
}
