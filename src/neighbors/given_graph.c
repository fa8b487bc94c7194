/* given_graph.c - sorts lists by row, checks them, then sorts them by distance. */
#include "neighbors/given_graph.h"

#include "neighbors/heap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two rows that list each other may differ by this fraction of the distance: engines work in single
 * precision. */
static const double ASYMMETRY = 1e-4;

/* The spot check: lists, entries of each, and other rows to compare them with. */
enum { SPOTS = 256, ENTRIES = 32, OTHERS = 8, MEMBERS = 1 + ENTRIES + OTHERS };

/* Squared distances differ if one is larger than the other by more than rounding in floats. */
static const double ROUNDING = 1e-5;

/* Rank correlations, measured on 51 tables: nearly all graphs of other metrics or columns have at
 * least -0.04 within their lists, and 0.2 with other rows; graphs of another table have at most
 * 0.15 with other rows. */
static const double LEAST[] = { -0.06, 0.17 };

/* Is there a list for each row, one after the other? */
static pen_status check_starts(pen_run *run, const pen_sparse *graph, int64_t n)
{
    PEN_REQUIRE(run, graph->rows == n && graph->cols == n, PEN_BAD_DATA,
                "the neighbor graph must be %lld x %lld, a row and a column for each row of x, got "
                "%lld x %lld",
                (long long)n, (long long)n, (long long)graph->rows, (long long)graph->cols);
    PEN_REQUIRE(run, graph->starts, PEN_BAD_ARGUMENT, "neighbors.starts must not be NULL");
    PEN_REQUIRE(run, graph->starts[0] == 0, PEN_BAD_DATA,
                "the starts of the neighbor graph must begin with 0, got %lld",
                (long long)graph->starts[0]);
    for (int64_t i = 0; i < n; i++)
        PEN_REQUIRE(
            run, graph->starts[i + 1] >= graph->starts[i] && graph->starts[i + 1] <= INT64_MAX / 32,
            PEN_BAD_DATA, "the starts of the neighbor graph must ascend, got %lld after %lld",
            (long long)graph->starts[i + 1], (long long)graph->starts[i]);
    PEN_REQUIRE(run, graph->starts[n] == 0 || (graph->columns && graph->values), PEN_BAD_ARGUMENT,
                "neighbors.columns and neighbors.values must not be NULL");
    return PEN_OK;
}

/* Checks an entry of row i. */
static pen_status check_entry(pen_run *run, int64_t n, int64_t i, int64_t j, double distance)
{
    PEN_REQUIRE(run, j >= 0 && j < n, PEN_BAD_DATA,
                "row %lld (counted from 0) of the neighbor graph: a column must be in [0, %lld], "
                "got %lld",
                (long long)i, (long long)n - 1, (long long)j);
    PEN_REQUIRE(run, j != i, PEN_BAD_DATA,
                "row %lld (counted from 0) of the neighbor graph lists itself; leave out the "
                "diagonal, as the method kneighbors_graph() of scikit-learn does without X",
                (long long)i);
    PEN_REQUIRE(run, distance >= 0 && isfinite(distance * distance), PEN_BAD_DATA,
                "row %lld (counted from 0) of the neighbor graph: the distance to row %lld must be "
                ">= 0 and finite, also when squared, got %g",
                (long long)i, (long long)j, distance);
    return PEN_OK;
}

static int by_row(const void *a, const void *b)
{
    const pen_neighbor *p = a, *q = b;
    return (p->row > q->row) - (p->row < q->row);
}

/* Copies the entries of every row, in ascending order of the rows listed. */
static pen_status copy_entries(pen_run *run, const pen_sparse *graph, int64_t n,
                               pen_neighbor *entries)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t first = graph->starts[i], end = graph->starts[i + 1];
        for (int64_t e = first; e < end; e++) {
            PEN_TRY(check_entry(run, n, i, graph->columns[e], graph->values[e]));
            entries[e] = (pen_neighbor){ graph->values[e] * graph->values[e], graph->columns[e] };
        }
        qsort(entries + first, (size_t)(end - first), sizeof *entries, by_row);
        for (int64_t e = first + 1; e < end; e++)
            PEN_REQUIRE(run, entries[e].row != entries[e - 1].row, PEN_BAD_DATA,
                        "row %lld (counted from 0) of the neighbor graph lists row %lld twice",
                        (long long)i, (long long)entries[e].row);
    }
    return PEN_OK;
}

/* Requires that rows that list each other have equal distances. */
static pen_status check_symmetry(pen_run *run, const pen_given *given)
{
    for (int64_t i = 0; i < given->n; i++)
        for (int64_t e = given->starts[i]; e < given->starts[i + 1]; e++) {
            const int64_t j = given->entries[e].row, from = given->starts[j];
            const pen_neighbor key = { 0, i };
            const pen_neighbor *const back =
                j < i ? NULL
                      : bsearch(&key, given->entries + from, (size_t)(given->starts[j + 1] - from),
                                sizeof key, by_row);
            const double there = sqrt(given->entries[e].distance2),
                         here = back ? sqrt(back->distance2) : there;
            PEN_REQUIRE(run, fabs(there - here) <= ASYMMETRY * fmax(there, here), PEN_BAD_DATA,
                        "distances of the neighbor graph must be symmetric: row %lld (counted from "
                        "0) lists row %lld at %g, but the reverse is %g",
                        (long long)i, (long long)j, there, here);
        }
    return PEN_OK;
}

pen_status pen_given_open(pen_run *run, const pen_sparse *graph, int64_t n, pen_given *out)
{
    pen_neighbor *entries;
    int64_t *starts;

    PEN_TRY(check_starts(run, graph, n));
    PEN_TRY(PEN_NEW(run, starts, n + 1));
    PEN_TRY(PEN_NEW(run, entries, graph->starts[n]));
    memcpy(starts, graph->starts, (size_t)(n + 1) * sizeof *starts);
    PEN_TRY(copy_entries(run, graph, n, entries));
    *out = (pen_given){ .n = n, .starts = starts, .entries = entries };
    PEN_TRY(check_symmetry(run, out));
    for (int64_t i = 0; i < n; i++)
        pen_heap_sort(entries + starts[i], starts[i + 1] - starts[i]);
    return PEN_OK;
}

/* Pairs of entries, and of an entry and another row, at different distances: how many rise with
 * them minus how many fall, and their number; and the number of equal entries. */
struct shown {
    int64_t rise[2], count[2], equal;
};

static int sign(double a, double b)
{
    return a - b > ROUNDING * a ? 1 : b - a > ROUNDING * b ? -1 : 0;
}

static void make_unit(const pen_view *x, double *centered)
{
    double sum = 0;

    for (int64_t j = 0; j < x->d; j++) {
        centered[j] += (x->scale ? x->scale[j] : 1) * x->mean[j];
        sum += centered[j] * centered[j];
    }
    for (int64_t j = 0; j < x->d; j++)
        centered[j] /= sum > 0 ? sqrt(sum) : 1;
}

/* rows [MEMBERS x d]: scratch memory; unit: by the angles of the rows. */
static void look_at(const pen_given *given, const pen_view *x, int64_t row, int unit, double *rows,
                    struct shown *shown)
{
    const pen_neighbor *const list = given->entries + given->starts[row];
    const int64_t d = x->d, length = given->starts[row + 1] - given->starts[row],
                  entries = pen_min(length, ENTRIES);
    double stored[MEMBERS], distance2[MEMBERS] = { 0 };
    int64_t member[MEMBERS] = { row }, count = 1;

    for (; count <= entries; count++) {
        member[count] = list[(count - 1) * length / entries].row;
        stored[count] = list[(count - 1) * length / entries].distance2;
    }
    for (int64_t o = 1; o <= OTHERS && 4 * length <= given->n; o++) { /* few of them are listed */
        member[count] = (row + o * given->n / (OTHERS + 1)) % given->n;
        stored[count++] = DBL_MAX;
    }
    pen_rows_centered(x, member, 0, count, rows);
    for (int64_t m = 0; unit && m < count; m++)
        make_unit(x, rows + m * d);
    for (int64_t m = 1; m < count; m++) {
        for (int64_t j = 0; j < d; j++)
            distance2[m] += (rows[m * d + j] - rows[j]) * (rows[m * d + j] - rows[j]);
        for (int64_t e = 1; e < pen_min(m, entries + 1); e++) {
            const int far = sign(distance2[m], distance2[e]),
                      rise = far * sign(stored[m], stored[e]);
            shown->rise[m > entries] += rise;
            shown->count[m > entries] += rise != 0;
            shown->equal += far != 0 && rise == 0;
        }
    }
}

pen_status pen_given_spot_check(pen_run *run, const pen_given *given, const pen_view *x)
{
    static const char way[] = "it must hold distances, as from kneighbors_graph(mode=\"distance\")";
    const int64_t spots = pen_min(given->n, SPOTS);
    const pen_mark_t mark = pen_mark(run);
    struct shown s = { .equal = 0 };
    double *rows, rise[2] = { -1, -2 };

    PEN_TRY(PEN_NEW(run, rows, pen_times(MEMBERS, x->d)));
    for (int unit = 0; unit < 2; unit++) { /* the better fit; it may hold cosine distances */
        struct shown by = { .equal = 0 };
        for (int64_t t = 0; t < spots; t++)
            look_at(given, x, t * given->n / spots, unit, rows, &by);
        const double with = (double)by.rise[1] / (double)pen_max(1, by.count[1]);
        if (with <= rise[1])
            continue;
        rise[0] = by.count[0] > 0 ? (double)by.rise[0] / (double)by.count[0] : 1;
        rise[1] = with;
        s = by;
    }
    rise[1] = s.count[1] > 0 ? rise[1] : 1;
    pen_release(run, mark);
    PEN_REQUIRE(run, s.count[0] > 0 || s.equal == 0, PEN_BAD_DATA,
                "the neighbor graph has equal entries for near and far rows: are they "
                "connectivities? %s",
                way);
    PEN_REQUIRE(run, rise[1] >= LEAST[1], PEN_BAD_DATA,
                "the rows that the neighbor graph lists are no nearer than other rows (rank "
                "correlation %.2f): does it belong to these rows, in this order?",
                rise[1]);
    PEN_REQUIRE(run, rise[0] >= LEAST[0], PEN_BAD_DATA,
                "the entries of the neighbor graph fall with the distance of the rows (rank "
                "correlation %.2f): are they similarities? %s",
                rise[0], way);
    return PEN_OK;
}

pen_status pen_given_check(pen_run *run, const pen_given *given, const char *name, int64_t k)
{
    for (int64_t i = 0; i < given->n; i++)
        PEN_REQUIRE(run, given->starts[i + 1] - given->starts[i] >= k, PEN_BAD_DATA,
                    "row %lld (counted from 0) has %lld neighbors in the neighbor graph, fewer "
                    "than %s, %lld",
                    (long long)i, (long long)(given->starts[i + 1] - given->starts[i]), name,
                    (long long)k);
    return PEN_OK;
}

pen_status pen_given_nearest(pen_run *run, const pen_given *given, const char *name, int64_t k,
                             pen_neighbor *found)
{
    PEN_TRY(pen_given_check(run, given, name, k));
    for (int64_t i = 0; i < given->n; i++)
        memcpy(found + i * k, given->entries + given->starts[i], (size_t)k * sizeof *found);
    return PEN_OK;
}
