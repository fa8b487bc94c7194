/* graph.c - graphs from nearest-neighbor lists. */
#include "graph/graph.h"

#include "core/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One direction of an edge, stored at its smaller vertex: the larger vertex and the distance. */
struct half {
    int64_t other;
    double distance2;
};

/* at[i]: the offset of the halves stored at vertex i: one for each neighbor j > i of i, and one for
 * each j > i that has i as a neighbor. */
static void count_halves(int64_t n, int64_t k, const pen_neighbor *found, int64_t *at)
{
    memset(at, 0, (size_t)(n + 1) * sizeof *at);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k && found[i * k + c].row >= 0; c++)
            at[pen_min(i, found[i * k + c].row) + 1]++;
    for (int64_t i = 0; i < n; i++)
        at[i + 1] += at[i];
}

static void place_halves(int64_t n, int64_t k, const pen_neighbor *found, int64_t *at,
                         struct half *halves)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k && found[i * k + c].row >= 0; c++) {
            const int64_t j = found[i * k + c].row;
            halves[at[pen_min(i, j)]++] =
                (struct half){ pen_max(i, j), found[i * k + c].distance2 };
        }
    for (int64_t i = n; i > 0; i--)
        at[i] = at[i - 1];
    at[0] = 0;
}

pen_status pen_graph_of_neighbors(pen_run *run, int64_t n, int64_t k, const pen_neighbor *found,
                                  enum pen_join join, pen_graph *out)
{
    int64_t *at;
    struct half *halves;

    *out = (pen_graph){ .n = n };
    PEN_TRY(PEN_NEW(run, out->first, n + 1));
    PEN_TRY(PEN_NEW3(run, out->other, out->distance2, out->weight, pen_times(n, k)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, at, n + 1));
    PEN_TRY(PEN_NEW(run, halves, pen_times(n, k)));
    count_halves(n, k, found, at);
    place_halves(n, k, found, at, halves);
    for (int64_t i = 0; i < n; i++) {
        out->first[i] = out->edges;
        qsort(halves + at[i], (size_t)(at[i + 1] - at[i]), sizeof *halves, pen_by_int64);
        for (int64_t h = at[i]; h < at[i + 1];) {
            /* both directions are present */
            const int64_t same = h + 1 < at[i + 1] && halves[h + 1].other == halves[h].other;
            if (same || join == PEN_JOIN_UNION) {
                out->other[out->edges] = halves[h].other;
                out->distance2[out->edges] = halves[h].distance2;
                out->weight[out->edges++] = 1;
            }
            h += 1 + same;
        }
    }
    out->first[n] = out->edges;
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_graph_neighbors(pen_run *run, const pen_problem *problem, const char *name,
                               int64_t k, pen_neighbor **found)
{
    const pen_view *const x = &problem->rows;
    PEN_TRY(pen_problem_need_all(run, problem));
    PEN_REQUIRE(run, k >= 1 && k <= x->n - 1, PEN_BAD_ARGUMENT,
                "%s must be in [1, %lld], the number of other rows, got %lld", name,
                (long long)x->n - 1, (long long)k);
    PEN_TRY(PEN_NEW(run, *found, pen_times(x->n, k)));
    return pen_source_nearest(run, problem, name, k, *found);
}

void pen_graph_heat_weights(pen_graph *graph, double t)
{
    for (int64_t e = 0; e < graph->edges; e++)
        graph->weight[e] = exp(-graph->distance2[e] / t);
}

static void add_degrees(const pen_graph *graph, int absolute, double *degree)
{
    memset(degree, 0, (size_t)graph->n * sizeof *degree);
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const double weight = absolute ? fabs(graph->weight[e]) : graph->weight[e];
            degree[i] += weight;
            degree[graph->other[e]] += weight;
        }
}

/* The mean length of the centered rows. */
static pen_status mean_length(pen_run *run, const pen_view *x, double *length)
{
    double *squares, sum = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, squares, x->n));
    PEN_TRY(pen_rows_squares(run, x, squares));
    for (int64_t i = 0; i < x->n; i++)
        sum += sqrt(squares[i]);
    *length = sum / (double)x->n;
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_graph_width(pen_run *run, const pen_view *x, double given, double *width)
{
    double length;

    *width = given;
    if (given > 0)
        return PEN_OK;
    PEN_TRY(mean_length(run, x, &length));
    PEN_REQUIRE(run, length > 0, PEN_RANK_TOO_SMALL,
                "nothing to project on: all rows are equal up to rounding");
    *width = -given * length * length;
    return PEN_OK;
}

void pen_graph_degrees(const pen_graph *graph, double *degree)
{
    add_degrees(graph, 0, degree);
}

void pen_graph_absolute_degrees(const pen_graph *graph, double *degree)
{
    add_degrees(graph, 1, degree);
}

/* at[i]: the offset of the entries of row i, two entries for each edge. */
static void count_entries(const pen_graph *graph, int64_t *at)
{
    memset(at, 0, (size_t)(graph->n + 1) * sizeof *at);
    for (int64_t i = 0; i < graph->n; i++) {
        at[i + 1] += graph->first[i + 1] - graph->first[i];
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            at[graph->other[e] + 1]++;
    }
    for (int64_t i = 0; i < graph->n; i++)
        at[i + 1] += at[i];
}

pen_status pen_graph_csr(pen_run *run, const pen_graph *graph, double weight, pen_csr_sym *out)
{
    int64_t *at, *other;
    double *weights, *diagonal;

    PEN_TRY(PEN_NEW(run, at, graph->n + 1));
    PEN_TRY(PEN_NEW2(run, other, weights, pen_times(2, graph->edges)));
    PEN_TRY(PEN_NEW(run, diagonal, graph->n));
    count_entries(graph, at);
    /* Rows are visited in ascending order, so row j receives all i < j before its own edges, which
     * also ascend: entries are in order. */
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const int64_t j = graph->other[e];
            weights[at[i]] = weights[at[j]] = -weight * graph->weight[e];
            other[at[i]++] = j;
            other[at[j]++] = i;
        }
    for (int64_t i = graph->n; i > 0; i--)
        at[i] = at[i - 1];
    at[0] = 0;
    pen_graph_degrees(graph, diagonal);
    for (int64_t i = 0; i < graph->n; i++)
        diagonal[i] *= weight;
    *out = (pen_csr_sym){
        .n = graph->n, .first = at, .other = other, .weight = weights, .diagonal = diagonal
    };
    return PEN_OK;
}

pen_status pen_graph_unreached(pen_run *run, const pen_csr_sym *A, int64_t labelled,
                               const int64_t *members, int64_t *unreached)
{
    int64_t *queue, count = 0;
    char *seen;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, queue, A->n));
    PEN_TRY(PEN_FILLED(run, seen, A->n, 0));
    for (; count < labelled; count++) {
        queue[count] = members[count];
        seen[members[count]] = 1;
    }
    for (int64_t at = 0; at < count; at++)
        for (int64_t e = A->first[queue[at]]; e < A->first[queue[at] + 1]; e++)
            if (A->weight[e] != 0 && !seen[A->other[e]]) {
                seen[A->other[e]] = 1;
                queue[count++] = A->other[e];
            }
    pen_release(run, mark);
    *unreached = A->n - count;
    if (*unreached > 0)
        pen_note(run, "unreached", (double)*unreached);
    return PEN_OK;
}

int64_t pen_graph_normalize(pen_graph *graph, const double *degree, double *diagonal)
{
    int64_t isolated = 0;

    for (int64_t i = 0; i < graph->n; i++) {
        diagonal[i] = degree[i] > 0;
        isolated += !(degree[i] > 0);
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            if (graph->weight[e] > 0)
                graph->weight[e] =
                    graph->weight[e] / sqrt(degree[i]) / sqrt(degree[graph->other[e]]);
    }
    return isolated;
}

/* ---- shared neighbors ---- */

static int64_t shared(const int64_t *a, const int64_t *b, int64_t k)
{
    int64_t i = 0, j = 0, count = 0;
    while (i < k && j < k) {
        count += a[i] == b[j];
        const int advance = a[i] <= b[j];
        j += b[j] <= a[i];
        i += advance;
    }
    return count;
}

static pen_status weigh_shared(pen_run *run, pen_graph *graph, int64_t k, const pen_neighbor *found)
{
    int64_t *lists;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, lists, pen_times(graph->n, k)));
    for (int64_t i = 0; i < graph->n * k; i++)
        lists[i] = found[i].row;
    for (int64_t i = 0; i < graph->n; i++)
        qsort(lists + i * k, (size_t)k, sizeof *lists, pen_by_int64);
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            graph->weight[e] = (double)shared(lists + i * k, lists + graph->other[e] * k, k);
    pen_release(run, mark);
    return PEN_OK;
}

/* The first `fewer` entries of each list of k. */
static pen_status shorten(pen_run *run, int64_t n, int64_t k, const pen_neighbor *found,
                          int64_t fewer, pen_neighbor **out)
{
    PEN_TRY(PEN_NEW(run, *out, pen_times(n, fewer)));
    for (int64_t i = 0; i < n; i++)
        memcpy(*out + i * fewer, found + i * k, (size_t)fewer * sizeof **out);
    return PEN_OK;
}

pen_status pen_graph_shared_and_nearest(pen_run *run, const pen_problem *problem,
                                        const char *few_name, int64_t few, pen_graph *shared,
                                        const char *many_name, int64_t many, pen_graph *nearest)
{
    const pen_view *const x = &problem->rows;
    const int64_t k = pen_max(few, many);
    pen_neighbor *found, *lists;

    PEN_TRY(pen_graph_neighbors(run, problem, few > many ? few_name : many_name, k, &found));
    PEN_TRY(shorten(run, x->n, k, found, few, &lists));
    PEN_TRY(pen_graph_of_neighbors(run, x->n, few, lists, PEN_JOIN_MUTUAL, shared));
    PEN_TRY(weigh_shared(run, shared, few, lists));
    PEN_TRY(shorten(run, x->n, k, found, many, &lists));
    return pen_graph_of_neighbors(run, x->n, many, lists, PEN_JOIN_UNION, nearest);
}
