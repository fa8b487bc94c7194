/* row_gram.c - the sum over columns of their outer products. Blocks of columns are written as rows
 * of Xc', and linalg/sym.h adds their products. */
#include "linalg/row_gram.h"

#include "linalg/row_bands.h"
#include "linalg/sparse_rows.h"
#include "linalg/sym.h"

#include <string.h>

enum { TOGETHER = 8, COLUMNS = 128 };

/* Writes a few rows at a time, so that writes are contiguous. */
static void fill_columns(const void *context, int64_t first, int64_t count, void *block)
{
    const pen_row_bands *const bands = context;
    const int64_t n = bands->x->n;
    double part[TOGETHER][COLUMNS], *const to = block;

    for (int64_t j = 0; j < count; j += COLUMNS) {
        const int64_t some = pen_min(COLUMNS, count - j);
        for (int64_t i = 0; i < n; i += TOGETHER) {
            const int64_t rows = pen_min(TOGETHER, n - i);
            for (int64_t r = 0; r < rows; r++)
                pen_row_band(bands, i + r, first + j, some, part[r]);
            for (int64_t l = 0; l < some; l++)
                for (int64_t r = 0; r < rows; r++)
                    to[(j + l) * n + i + r] = part[r][l];
        }
    }
}

static pen_status gram_of_sparse(pen_run *run, const pen_view *x, double *G)
{
    const pen_mark_t mark = pen_mark(run);
    const pen_sparse_rows *entries;
    pen_sparse_rows own;

    PEN_TRY(pen_sparse_rows_of(run, x, &own, &entries));
    PEN_TRY(pen_sparse_rows_gram(run, entries, G));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_rows_gram(pen_run *run, const pen_view *x, double *G)
{
    const int64_t n = x->n;
    pen_sym sum = { .d = n, .a = G };
    pen_row_bands bands;

    if (pen_rows_are_sparse(x))
        return gram_of_sparse(run, x, G);
    memset(G, 0, (size_t)(n * n) * sizeof *G);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_row_bands_open(run, x, &bands));
    PEN_TRY(
        pen_sym_add_gram(run, "products of rows", 1, PEN_F64, x->d, fill_columns, &bands, &sum));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            G[j * n + i] = G[i * n + j];
    pen_release(run, mark);
    return PEN_OK;
}
