/* sparse_rows.c - the entries of block rows, and products of them. Tasks are parts of the result,
 * and each of its numbers is a sum in the order of the rows or the columns: the same bits for any
 * number of threads. */
#include "linalg/sparse_rows.h"

#include "core/parallel.h"
#include "core/sparse_array.h"

enum {
    TASK_ROWS = 256, /* rows in a task of a product */
    TASKS = 64,      /* parts of columns with about equal numbers of entries */
    ASK = 4096,      /* rows between checks whether the caller stops the call */
    AHEAD = 16,      /* entries whose rows are prefetched */
};

/* ---- entries ---- */

/* Centered columns, in ascending order: they have an entry in every row. */
struct centered {
    int64_t count;
    int32_t *columns;
};

static pen_status find_centered(pen_run *run, const pen_view *x, struct centered *c)
{
    c->count = 0;
    for (int64_t j = 0; j < x->d; j++)
        c->count += x->origin[j] != 0;
    PEN_TRY(PEN_NEW(run, c->columns, c->count));
    c->count = 0;
    for (int64_t j = 0; j < x->d; j++)
        if (x->origin[j] != 0)
            c->columns[c->count++] = (int32_t)j;
    return PEN_OK;
}

/* Writes the entries of row i of B, in ascending order of columns; NULL: only counts them. */
static int64_t fill_row(const pen_view *x, const struct centered *c, int64_t i, int32_t *columns,
                        double *values)
{
    const pen_array *const a = &x->values;
    const int64_t end = a->starts[i + 1];
    int64_t e = a->starts[i], f = 0, count = 0;
    double largest = 1, rest = 1;

    if (columns && x->unit)
        pen_sparse_length(a, i, &largest, &rest);
    for (; e < end || f < c->count; count++) {
        const int64_t p = e < end ? a->columns[e] : INT64_MAX,
                      q = f < c->count ? c->columns[f] : INT64_MAX, column = pen_min(p, q);
        const int64_t at = e;
        e += p == column;
        f += q == column;
        if (!columns)
            continue;
        const double given = p == column ? pen_entry(a, at) : 0,
                     value = (x->unit ? given / largest / rest : given) - x->origin[column];
        columns[count] = (int32_t)column;
        values[count] = x->scale ? value * x->scale[column] : value;
    }
    return count;
}

static pen_status copy_entries(pen_run *run, const pen_view *x, const int64_t *members,
                               const struct centered *c, pen_sparse_rows *out)
{
    int64_t *starts;
    int32_t *columns;
    double *values;

    PEN_TRY(PEN_NEW(run, starts, pen_plus(out->n, 1)));
    starts[0] = 0;
    for (int64_t i = 0; i < out->n; i++)
        starts[i + 1] = pen_plus(starts[i], fill_row(x, c, members ? members[i] : i, NULL, NULL));
    PEN_TRY(PEN_NEW2(run, columns, values, starts[out->n]));
    for (int64_t i = 0; i < out->n; i++) {
        fill_row(x, c, members ? members[i] : i, columns + starts[i], values + starts[i]);
        if (i % ASK == 0)
            PEN_TRY(pen_poll(run));
    }
    out->starts = starts;
    out->columns = columns;
    out->values = values;
    return PEN_OK;
}

static pen_status transpose(pen_run *run, pen_sparse_rows *s)
{
    const int64_t entries = s->starts[s->n];
    int64_t *tops;
    int32_t *rows;
    double *by_column;

    PEN_TRY(PEN_FILLED(run, tops, pen_plus(s->d, 2), 0));
    PEN_TRY(PEN_NEW2(run, rows, by_column, entries));
    for (int64_t e = 0; e < entries; e++)
        tops[s->columns[e] + 2]++;
    for (int64_t j = 0; j < s->d; j++)
        tops[j + 2] += tops[j + 1];
    for (int64_t i = 0; i < s->n;
         i++) { /* tops[j + 1] moves from the start of column j to its end */
        for (int64_t e = s->starts[i]; e < s->starts[i + 1]; e++) {
            const int64_t to = tops[s->columns[e] + 1]++;
            rows[to] = (int32_t)i;
            by_column[to] = s->values[e];
        }
        if (i % ASK == 0)
            PEN_TRY(pen_poll(run));
    }
    s->tops = tops;
    s->rows = rows;
    s->by_column = by_column;
    return PEN_OK;
}

pen_status pen_sparse_rows_open_some(pen_run *run, const pen_view *x, const int64_t *members,
                                     int64_t count, int transposed, pen_sparse_rows *out)
{
    struct centered c;

    *out = (pen_sparse_rows){ .n = count, .d = x->d, .offset = x->offset };
    PEN_TRY(find_centered(run, x, &c));
    if (!members && c.count == 0 && !x->unit && !x->scale && x->values.dtype == PEN_F64) {
        out->starts = x->values.starts;
        out->columns = x->values.columns;
        out->values = x->values.values;
    } else {
        PEN_TRY(copy_entries(run, x, members, &c, out));
    }
    return transposed ? transpose(run, out) : PEN_OK;
}

pen_status pen_sparse_rows_open(pen_run *run, const pen_view *x, pen_sparse_rows *out)
{
    return pen_sparse_rows_open_some(run, x, NULL, x->n, 1, out);
}

pen_status pen_sparse_rows_attach(pen_run *run, pen_view *x)
{
    pen_sparse_rows *entries;

    if (!pen_rows_are_sparse(x) || x->entries)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, entries, 1));
    PEN_TRY(pen_sparse_rows_open(run, x, entries));
    x->entries = entries;
    return PEN_OK;
}

pen_status pen_sparse_rows_of(pen_run *run, const pen_view *x, pen_sparse_rows *own,
                              const pen_sparse_rows **out)
{
    *out = x->entries ? x->entries : own;
    return x->entries ? PEN_OK : pen_sparse_rows_open(run, x, own);
}

/* ---- products with small matrices ---- */

struct product {
    const pen_sparse_rows *s;
    int64_t k;
    const double *from;
    double *to;
    const double *shift; /* [k] */
};

static void add_scaled(int64_t k, double weight, const double *restrict from, double *restrict to)
{
    for (int64_t c = 0; c < k; c++)
        to[c] += weight * from[c];
}

/* Rows of `from`, which lie `k` numbers apart, by index and weight. */
struct entries {
    int64_t count, k;
    const int32_t *index;
    const double *weight;
    const double *from;
};

/* to [WIDE]: their sum in WIDE columns, which stays in registers. Prefetches rows, because memory
 * is slow. */
#define SUM_ENTRIES(NAME, WIDE)                                                                    \
    static void NAME(const struct entries *s, double *restrict to)                                 \
    {                                                                                              \
        double sum[WIDE] = { 0 };                                                                  \
        for (int64_t e = 0; e < s->count; e++) {                                                   \
            const double weight = s->weight[e], *restrict from =                                   \
                                                    s->from + (int64_t)s->index[e] * s->k;         \
            if (e + AHEAD < s->count)                                                              \
                __builtin_prefetch(s->from + (int64_t)s->index[e + AHEAD] * s->k);                 \
            for (int64_t c = 0; c < (WIDE); c++)                                                   \
                sum[c] += weight * from[c];                                                        \
        }                                                                                          \
        for (int64_t c = 0; c < (WIDE); c++)                                                       \
            to[c] = sum[c];                                                                        \
    }
SUM_ENTRIES(sum_of_16, 16)
SUM_ENTRIES(sum_of_8, 8)
SUM_ENTRIES(sum_of_4, 4)
SUM_ENTRIES(sum_of_1, 1)

/* to [k]. */
static void sum_entries(struct entries s, double *to)
{
    int64_t done = 0;

    for (; done + 16 <= s.k; done += 16, s.from += 16)
        sum_of_16(&s, to + done);
    for (; done + 8 <= s.k; done += 8, s.from += 8)
        sum_of_8(&s, to + done);
    for (; done + 4 <= s.k; done += 4, s.from += 4)
        sum_of_4(&s, to + done);
    for (; done < s.k; done++, s.from++)
        sum_of_1(&s, to + done);
}

static void multiply_rows(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const pen_sparse_rows *const s = p->s;
    const int64_t k = p->k, end = pen_min((task + 1) * TASK_ROWS, s->n);

    (void)worker;
    for (int64_t i = task * TASK_ROWS; i < end; i++) {
        double *const to = p->to + i * k;
        const int64_t first = s->starts[i];
        sum_entries((struct entries){ s->starts[i + 1] - first, k, s->columns + first,
                                      s->values + first, p->from },
                    to);
        add_scaled(k, -1, p->shift, to);
    }
}

pen_status pen_sparse_rows_multiply(pen_run *run, const pen_sparse_rows *s, int64_t k,
                                    const double *V, double *y)
{
    double *shift;

    if (k == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, shift, k, 0));
    for (int64_t j = 0; j < s->d; j++)
        if (s->offset[j] != 0)
            add_scaled(k, s->offset[j], V + j * k, shift);
    struct product p = { s, k, V, y, shift };
    PEN_TRY(pen_parallel(run, PEN_SILENT, (s->n + TASK_ROWS - 1) / TASK_ROWS, multiply_rows, &p));
    pen_release(run, mark);
    return PEN_OK;
}

/* The first column of a task; tasks have about equal numbers of entries and columns. */
static int64_t first_column(const pen_sparse_rows *s, int64_t task)
{
    const int64_t all = s->tops[s->d] + s->d,
                  goal = all / TASKS * task + all % TASKS * task / TASKS;
    int64_t low = 0, high = s->d;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (s->tops[middle] + middle < goal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void gather_columns(void *context, int64_t task, int worker)
{
    const struct product *p = context;
    const pen_sparse_rows *const s = p->s;
    const int64_t k = p->k, end = task + 1 < TASKS ? first_column(s, task + 1) : s->d;

    (void)worker;
    for (int64_t j = first_column(s, task); j < end; j++) {
        double *const to = p->to + j * k;
        const int64_t first = s->tops[j];
        sum_entries((struct entries){ s->tops[j + 1] - first, k, s->rows + first,
                                      s->by_column + first, p->from },
                    to);
        if (s->offset[j] != 0)
            add_scaled(k, -s->offset[j], p->shift, to);
    }
}

pen_status pen_sparse_rows_gather(pen_run *run, const pen_sparse_rows *s, int64_t k,
                                  const double *y, double *G)
{
    double *sum;

    if (k == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, sum, k, 0));
    for (int64_t i = 0; i < s->n; i++)
        add_scaled(k, 1, y + i * k, sum);
    struct product p = { s, k, y, G, sum };
    PEN_TRY(pen_parallel(run, PEN_SILENT, TASKS, gather_columns, &p));
    pen_release(run, mark);
    return PEN_OK;
}
