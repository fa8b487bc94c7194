/* sparse_gram.c - sums of products of sparse rows, and of their columns.
 *
 * Row i of XX' adds, for each of its entries, the entries of that column; row j of B'B adds, for
 * each entry of column j, the entries of that row. Columns or rows that would fill much of the
 * result anyway are multiplied as dense blocks. */
#include "linalg/sparse_rows.h"

#include "core/parallel.h"

#include <float.h>
#include <string.h>

enum {
    TASK = 32,         /* rows of the result in a task */
    DENSE_COLUMN = 16, /* dense columns have entries in more than this part of the rows */
    DENSE_ROW = 8,     /* dense rows have entries in more than this part of the columns */
};

/* ---- rows ---- */

struct gram {
    const pen_sparse_rows *s;
    const unsigned char *is_dense; /* [d] */
    const int64_t *dense;          /* [dense_count] */
    int64_t dense_count;
    double *G;
    const double *shift; /* [n] products of rows with the offset, only for sparse columns */
    double offset2;      /* its squared length */
};

/* Writes dense columns from number `first` on, centered, each as a row. */
static void fill_columns(const void *context, int64_t first, int64_t count, void *block)
{
    const struct gram *const g = context;
    const pen_sparse_rows *const s = g->s;
    double *to = block;

    for (int64_t c = first; c < first + count; c++, to += s->n) {
        const int64_t j = g->dense[c];
        for (int64_t i = 0; i < s->n; i++)
            to[i] = -s->offset[j];
        for (int64_t e = s->tops[j]; e < s->tops[j + 1]; e++)
            to[s->rows[e]] = s->by_column[e] - s->offset[j];
    }
}

/* Rows of the lower triangle. */
static void add_rows(void *context, int64_t task, int worker)
{
    const struct gram *const g = context;
    const pen_sparse_rows *const s = g->s;
    const int64_t n = s->n;

    (void)worker;
    for (int64_t i = task * TASK; i < pen_min((task + 1) * TASK, n); i++) {
        double *restrict to = g->G + i * n;
        for (int64_t l = 0; l <= i; l++)
            to[l] = g->offset2 - g->shift[i] - g->shift[l];
        for (int64_t e = s->starts[i]; e < s->starts[i + 1]; e++) {
            const int64_t j = s->columns[e];
            const double value = s->values[e];
            if (g->is_dense[j])
                continue;
            for (int64_t f = s->tops[j]; s->rows[f] < i; f++)
                to[s->rows[f]] += value * s->by_column[f];
            to[i] += value * value;
        }
    }
}

static pen_status split_columns(pen_run *run, struct gram *g)
{
    const pen_sparse_rows *const s = g->s;
    unsigned char *is_dense;
    int64_t *dense;
    double *shift;

    PEN_TRY(PEN_NEW2(run, is_dense, dense, s->d));
    PEN_TRY(PEN_NEW(run, shift, s->n));
    for (int64_t j = 0; j < s->d; j++) {
        is_dense[j] = s->tops[j + 1] - s->tops[j] > s->n / DENSE_COLUMN;
        if (is_dense[j])
            dense[g->dense_count++] = j;
        else
            g->offset2 += s->offset[j] * s->offset[j];
    }
    for (int64_t i = 0; i < s->n; i++) {
        shift[i] = 0;
        for (int64_t e = s->starts[i]; e < s->starts[i + 1]; e++)
            if (!is_dense[s->columns[e]])
                shift[i] += s->values[e] * s->offset[s->columns[e]];
    }
    g->is_dense = is_dense;
    g->dense = dense;
    g->shift = shift;
    return PEN_OK;
}

pen_status pen_sparse_rows_gram(pen_run *run, const pen_sparse_rows *s, double *G)
{
    const char *const phase = "products of rows";
    const int64_t n = s->n;
    struct gram g = { .s = s, .G = G };
    pen_sym sum = { .d = n, .a = G, .epsilon = DBL_EPSILON };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(split_columns(run, &g));
    PEN_TRY(pen_parallel(run, PEN_WHOLE(phase), (n + TASK - 1) / TASK, add_rows, &g));
    if (g.dense_count > 0)
        PEN_TRY(pen_sym_add_gram(run, phase, 1, PEN_F64, g.dense_count, fill_columns, &g, &sum));
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < i; l++)
            G[l * n + i] = G[i * n + l];
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- columns ---- */

struct scatter {
    const pen_sparse_rows *s;
    double weight;
    const int64_t *dense; /* dense rows */
    pen_sym *S;
};

static int is_dense_row(const pen_sparse_rows *s, int64_t i)
{
    return s->starts[i + 1] - s->starts[i] > s->d / DENSE_ROW;
}

static void fill_rows(const void *context, int64_t first, int64_t count, void *block)
{
    const struct scatter *const c = context;
    const pen_sparse_rows *const s = c->s;
    double *to = block;

    memset(to, 0, (size_t)(count * s->d) * sizeof *to);
    for (int64_t r = first; r < first + count; r++, to += s->d)
        for (int64_t e = s->starts[c->dense[r]]; e < s->starts[c->dense[r] + 1]; e++)
            to[s->columns[e]] = s->values[e];
}

static void add_columns(void *context, int64_t task, int worker)
{
    const struct scatter *const c = context;
    const pen_sparse_rows *const s = c->s;

    (void)worker;
    for (int64_t j = task * TASK; j < pen_min((task + 1) * TASK, s->d); j++) {
        double *restrict to = c->S->a + j * s->d;
        for (int64_t e = s->tops[j]; e < s->tops[j + 1]; e++) {
            const int64_t i = s->rows[e];
            const double value = c->weight * s->by_column[e];
            if (is_dense_row(s, i))
                continue;
            for (int64_t f = s->starts[i]; f < s->starts[i + 1] && s->columns[f] <= j; f++)
                to[s->columns[f]] += value * s->values[f];
        }
    }
}

pen_status pen_sparse_rows_scatter(pen_run *run, const char *phase, double weight,
                                   const pen_sparse_rows *s, pen_sym *S)
{
    struct scatter c = { .s = s, .weight = weight, .S = S };
    int64_t *dense, count = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, dense, s->n));
    for (int64_t i = 0; i < s->n; i++)
        if (is_dense_row(s, i))
            dense[count++] = i;
    c.dense = dense;
    PEN_TRY(pen_parallel(run, PEN_WHOLE(phase), (s->d + TASK - 1) / TASK, add_columns, &c));
    if (count > 0)
        PEN_TRY(pen_sym_add_gram(run, phase, weight, PEN_F64, count, fill_rows, &c, S));
    pen_release(run, mark);
    return PEN_OK;
}
