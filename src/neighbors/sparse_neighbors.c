/* sparse_neighbors.c - products of a few queries with blocks of candidates, then a filter with a
 * proven margin, and direct differences for the candidates that pass.
 *
 * |a - b|^2 = |a|^2 + |b|^2 - 2 ab. Of ab, the columns with entries in more than a sixteenth of the
 * candidates are multiplied as a dense matrix. All other columns use the inverted index: each entry
 * of the query adds the candidates that have an entry in its column. Blocks of candidates keep the
 * sums in the cache. Tasks have different queries, so nothing is merged. */
#include "neighbors/sparse_neighbors.h"

#include "core/duplicate_rows.h"
#include "core/parallel.h"
#include "core/sort.h"
#include "linalg/blas.h"
#include "linalg/sparse_rows.h"
#include "neighbors/heap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HIGH = 64,           /* queries of a task */
    WIDE = 4096,         /* candidates of a block */
    GROUP = 16,          /* products filtered at a time */
    DENSE = 16,          /* dense columns have entries in more than this part of the candidates */
    FEW_DENSE = 1 << 22, /* numbers of dense columns that always fit */
    MOST_TIMES = 16,     /* beyond that, at most this number per entry */
};

struct search {
    pen_run *run;
    const pen_view *q, *x;
    pen_subset queries, candidates;
    int64_t k;
    double margin;              /* |expanded - true| <= margin (|a|^2 + |b|^2) */
    pen_sparse_rows of_q, of_x; /* the entries of queries and candidates */
    int64_t dense_count;
    int32_t *dense;  /* [d] the number of a dense column, or -1 */
    double *values;  /* [candidates x dense_count] */
    double *length2; /* [candidates] */
    double *half;    /* [candidates] length2 (1 - margin) / 2 */
    double *longest; /* [blocks] the largest length2 of a block */
    /* [candidates] the first row equal to each row; NULL: only some rows are candidates */
    int64_t *duplicate;
    pen_slices products; /* [HIGH x WIDE], then dense columns of queries [HIGH x dense_count] */
    pen_slices cursors;  /* [entries of the queries of a task] the next entry of a column */
    pen_slices work;     /* struct work */
    pen_neighbor *found;
};

/* The candidates of a block that pass the filter. */
struct work {
    int64_t passed[WIDE];
    double lower[WIDE], upper[WIDE];
};

static int64_t row_of(pen_subset set, int64_t i)
{
    return set.rows ? set.rows[i] : i;
}

/* ---- preparation ---- */

struct column {
    int64_t entries, number;
};

static int by_entries(const void *a, const void *b)
{
    const struct column *p = a, *q = b;
    if (p->entries != q->entries)
        return p->entries > q->entries ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* Chooses the columns with the most entries, as long as their memory stays in proportion. */
static pen_status choose_dense(pen_run *run, struct search *s)
{
    const pen_sparse_rows *const x = &s->of_x;
    const int64_t most =
        pen_max(FEW_DENSE, pen_times(MOST_TIMES, x->starts[x->n])) / pen_max(1, x->n);
    struct column *list;
    int64_t count = 0;

    PEN_TRY(PEN_NEW(run, s->dense, x->d));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, list, x->d));
    for (int64_t j = 0; j < x->d; j++) {
        s->dense[j] = -1;
        if (x->tops[j + 1] - x->tops[j] > x->n / DENSE)
            list[count++] = (struct column){ x->tops[j + 1] - x->tops[j], j };
    }
    qsort(list, (size_t)count, sizeof *list, by_entries);
    s->dense_count = pen_min(count, most);
    for (int64_t c = 0; c < s->dense_count; c++)
        s->dense[list[c].number] = (int32_t)c;
    pen_release(run, mark);
    return PEN_OK;
}

/* Writes the dense columns of a row of entries; returns its squared length. */
static double spread(const struct search *s, const pen_sparse_rows *from, int64_t i, double *to)
{
    double sum = 0;

    memset(to, 0, (size_t)s->dense_count * sizeof *to);
    for (int64_t e = from->starts[i]; e < from->starts[i + 1]; e++) {
        const double value = from->values[e];
        const int32_t c = s->dense[from->columns[e]];
        sum += value * value;
        if (c >= 0)
            to[c] = value;
    }
    return sum;
}

static void measure_block(void *context, int64_t task, int worker)
{
    const struct search *s = context;

    (void)worker;
    s->longest[task] = 0;
    for (int64_t i = task * WIDE; i < pen_min((task + 1) * WIDE, s->candidates.count); i++) {
        s->length2[i] = spread(s, &s->of_x, i, s->values + i * s->dense_count);
        s->half[i] = s->length2[i] * (1 - s->margin) / 2;
        s->longest[task] = fmax(s->longest[task], s->length2[i]);
    }
}

/* The largest number of entries in the queries of a task. */
static int64_t most_entries(const struct search *s)
{
    const int64_t *const starts = s->of_q.starts;
    int64_t most = 0;

    for (int64_t i = 0; i < s->queries.count; i += HIGH)
        most = pen_max(most, starts[pen_min(i + HIGH, s->queries.count)] - starts[i]);
    return most;
}

static pen_status open_entries(pen_run *run, struct search *s)
{
    const int same = s->q == s->x && s->queries.rows == s->candidates.rows
                     && s->queries.count == s->candidates.count;

    if (s->x->entries && !s->candidates.rows && s->candidates.count == s->x->n)
        s->of_x = *s->x->entries;
    else
        PEN_TRY(pen_sparse_rows_open_some(run, s->x, s->candidates.rows, s->candidates.count, 1,
                                          &s->of_x));
    if (same)
        s->of_q = s->of_x;
    else
        PEN_TRY(
            pen_sparse_rows_open_some(run, s->q, s->queries.rows, s->queries.count, 0, &s->of_q));
    return PEN_OK;
}

static pen_status prepare(pen_run *run, struct search *s, int64_t tasks)
{
    const int64_t n = s->candidates.count, blocks = (n + WIDE - 1) / WIDE;
    const int workers = pen_workers(run, tasks);

    PEN_TRY(open_entries(run, s));
    PEN_TRY(choose_dense(run, s));
    PEN_TRY(PEN_NEW(run, s->values, pen_times(n, s->dense_count)));
    PEN_TRY(PEN_NEW2(run, s->length2, s->half, n));
    PEN_TRY(PEN_NEW(run, s->longest, blocks));
    if (!s->candidates.rows) {
        PEN_TRY(PEN_NEW(run, s->duplicate, n));
        PEN_TRY(pen_duplicates_find(run, s->x, n, s->duplicate));
    }
    PEN_TRY(pen_slices_new(run, workers, pen_times(HIGH, WIDE + s->dense_count), sizeof(double),
                           &s->products));
    PEN_TRY(pen_slices_new(run, workers, most_entries(s), sizeof(int64_t), &s->cursors));
    PEN_TRY(pen_slices_new(run, workers, 1, sizeof(struct work), &s->work));
    return pen_parallel(run, PEN_SILENT, blocks, measure_block, s);
}

/* ---- one block ---- */

/* Adds the products of a query with candidates first .. end - 1 in the columns that are not dense.
 * Cursors belong to the entries of the query. */
static void add_indexed(const struct search *s, int64_t query, int64_t first, int64_t end,
                        int64_t *cursors, double *restrict sums)
{
    const pen_sparse_rows *const q = &s->of_q, *const x = &s->of_x;

    for (int64_t e = q->starts[query]; e < q->starts[query + 1]; e++, cursors++) {
        const int64_t j = q->columns[e], top = x->tops[j + 1];
        const double value = q->values[e];
        if (s->dense[j] >= 0)
            continue;
        int64_t f = *cursors;
        for (; f < top && x->rows[f] < end; f++)
            sums[x->rows[f] - first] += value * x->by_column[f];
        *cursors = f;
    }
}

/* The candidates first .. first + count - 1 whose lower bound is at most `worst`: returns their
 * number, and stores them with their bounds in w. Groups are filtered first, with an allowance for
 * the rounding of that filter:
 *
 *   lower <= worst   <=>   ab - b2 (1 - margin) / 2 >= (a2 (1 - margin) - worst) / 2 */
static int64_t filter(const struct search *s, int64_t first, int64_t count, double a2, double worst,
                      double longest, const double *restrict ab, struct work *w)
{
    const double *restrict half = s->half + first, *const b2 = s->length2 + first;
    const double rest = (a2 * (1 - s->margin) - worst) / 2,
                 limit = rest - 4 * DBL_EPSILON * (fabs(rest) + a2 + longest);
    int64_t found = 0;

    for (int64_t j = 0; j < count; j += GROUP) {
        const int64_t end = pen_min(j + GROUP, count);
        int any = 0;
        for (int64_t i = j; i < end; i++)
            any += !(ab[i] - half[i] < limit);
        for (int64_t i = j; any > 0 && i < end; i++) {
            const double low = (a2 + b2[i]) * (1 - s->margin) - 2 * ab[i];
            if (!(low <= worst))
                continue;
            w->lower[found] = low;
            w->passed[found++] = i;
        }
    }
    return found;
}

/* A bound on the k-th distance from this block and the list so far. Few candidates then need an
 * exact distance: those in the list after the block. */
static double block_limit(const struct search *s, int64_t first, double a2,
                          const pen_neighbor *heap, int64_t count, struct work *w)
{
    const int64_t known = heap->row >= 0 ? s->k : 0; /* the list is full, or almost empty */

    if (count + known <= s->k || count + known > WIDE)
        return (double)INFINITY;
    for (int64_t p = 0; p < count; p++)
        w->upper[p] = w->lower[p] + 2 * s->margin * (a2 + s->length2[first + w->passed[p]]);
    for (int64_t p = 0; p < known; p++)
        w->upper[count + p] = heap[p].distance2;
    /* index k, not k - 1: the query itself may be among them */
    return pen_select_kth(w->upper, count + known, s->k);
}

/* Candidates come in ascending order, so one as far as the worst row of the list never replaces it:
 * duplicates of that row are skipped. */
static int is_ruled_out(const struct search *s, const pen_neighbor *heap, double low, int64_t row)
{
    return low > heap->distance2
           || (s->duplicate && heap->row >= 0 && s->duplicate[row] == s->duplicate[heap->row]);
}

static void scan(const struct search *s, int64_t query, double a2, int64_t block, const double *ab,
                 struct work *w)
{
    const int64_t first = block * WIDE, count = pen_min(WIDE, s->candidates.count - first),
                  own = row_of(s->queries, query);
    pen_neighbor *const heap = s->found + query * s->k;
    const int64_t some = filter(s, first, count, a2, heap->distance2, s->longest[block], ab, w);
    const double limit = block_limit(s, first, a2, heap, some, w);

    for (int64_t p = 0; p < some; p++) {
        const int64_t row = row_of(s->candidates, first + w->passed[p]);
        if ((row == own && s->q == s->x) || w->lower[p] > limit
            || is_ruled_out(s, heap, w->lower[p], row))
            continue;
        const pen_neighbor entry = { pen_rows_distance2_between(s->q, own, s->x, row), row };
        if (heap_worse(heap[0], entry))
            pen_heap_replace(heap, s->k, entry);
    }
}

/* ---- the search ---- */

/* The first entry of the column of each entry of the queries. */
static void reset_cursors(const struct search *s, int64_t first, int64_t end, int64_t *cursors)
{
    for (int64_t e = s->of_q.starts[first]; e < s->of_q.starts[end]; e++)
        *cursors++ = s->of_x.tops[s->of_q.columns[e]];
}

static void search_rows(void *context, int64_t task, int worker)
{
    const struct search *s = context;
    const int64_t first = task * HIGH, end = pen_min(first + HIGH, s->queries.count),
                  n = s->candidates.count, *const starts = s->of_q.starts;
    double *const products = pen_slice(&s->products, worker), *const dense = products + HIGH * WIDE;
    struct work *const work = pen_slice(&s->work, worker);
    int64_t *const cursors = pen_slice(&s->cursors, worker);
    double length2[HIGH];

    for (int64_t i = first; i < end; i++)
        length2[i - first] = spread(s, &s->of_q, i, dense + (i - first) * s->dense_count);
    reset_cursors(s, first, end, cursors);
    pen_heap_clear(s->found + first * s->k, (end - first) * s->k);
    for (int64_t block = 0; block * WIDE < n && !pen_stopped(s->run, worker); block++) {
        const int64_t left = block * WIDE, wide = pen_min(WIDE, n - left);
        if (s->dense_count > 0)
            pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, end - first, wide, s->dense_count, 1,
                          dense, s->dense_count, s->values + left * s->dense_count, s->dense_count,
                          0, products, WIDE);
        else
            memset(products, 0, HIGH * WIDE * sizeof *products);
        for (int64_t i = first; i < end; i++) {
            double *const ab = products + (i - first) * WIDE;
            add_indexed(s, i, left, left + wide, cursors + starts[i] - starts[first], ab);
            scan(s, i, length2[i - first], block, ab, work);
        }
    }
    for (int64_t i = first; i < end; i++)
        pen_heap_sort(s->found + i * s->k, s->k);
}

pen_status pen_sparse_neighbors(pen_run *run, const pen_view *q, pen_subset queries,
                                const pen_view *x, pen_subset candidates, int64_t k,
                                pen_neighbor *found)
{
    const int64_t tasks = (queries.count + HIGH - 1) / HIGH;
    struct search s = { .run = run,
                        .q = q,
                        .x = x,
                        .queries = queries,
                        .candidates = candidates,
                        .k = k,
                        .margin = pen_neighbors_margin(x),
                        .found = found };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(prepare(run, &s, tasks));
    PEN_TRY(pen_parallel(run, PEN_WHOLE("nearest neighbors"), tasks, search_rows, &s));
    pen_release(run, mark);
    return PEN_OK;
}
