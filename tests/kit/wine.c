/* wine.c - see wine.h. */
#include "kit/wine.h"

#include "check.h"
#include "kit/dense.h"

void wine_standardize(int64_t n, double *z)
{
    double *mean = dense_mean(n, WINE_COLUMNS, z, NULL), square[WINE_COLUMNS] = { 0 };

    for (int64_t i = 0; i < n * WINE_COLUMNS; i++)
        square[i % WINE_COLUMNS] += pow(z[i] - mean[i % WINE_COLUMNS], 2) / (double)n;
    for (int64_t i = 0; i < n * WINE_COLUMNS; i++)
        z[i] = (z[i] - mean[i % WINE_COLUMNS]) / sqrt(square[i % WINE_COLUMNS]);
}

static void find_components(const double *z, double *pc)
{
    double *t = dense_transpose(WINES, WINE_COLUMNS, z),
           *S = dense_product(WINE_COLUMNS, WINES, WINE_COLUMNS, t, z), values[WINE_COLUMNS],
           vectors[WINE_COLUMNS * WINE_COLUMNS], two[WINE_COLUMNS * 2];

    dense_eigen(WINE_COLUMNS, S, values, vectors);
    for (int j = 0; j < WINE_COLUMNS * 2; j++)
        two[j] = vectors[j / 2 * WINE_COLUMNS + j % 2];
    double *product = dense_product(WINES, WINE_COLUMNS, 2, z, two);
    memcpy(pc, product, WINES * 2 * sizeof *pc);
}

wine *wine_read(void)
{
    const char *const path = EXAMPLE_DATA "/wine.csv";
    const pen_read_options options = { .label_column = "class" };
    wine *w = check_allocate(1, sizeof *w);
    pen_table *table;
    pen_error err;

    CHECK_OK(pen_read(path, &options, &table, &err), &err);
    CHECK(table->x.rows == WINES && table->x.cols == WINE_COLUMNS && table->x.dtype == PEN_F64,
          "%s: %lld rows", path, (long long)table->x.rows);
    for (int i = 0; i < WINES; i++) {
        const double *const row = (const double *)table->x.values + i * table->x.stride;
        w->classes[i] = table->labels[i];
        for (int j = 0; j < WINE_COLUMNS; j++)
            w->x[i * WINE_COLUMNS + j] = (double)(float)row[j];
    }
    pen_table_free(table);
    memcpy(w->z, w->x, sizeof w->x);
    wine_standardize(WINES, w->z);
    find_components(w->z, w->pc);
    return w;
}

wine *wines;

int wines_open(void **state)
{
    wines = wine_read();
    return 0;
}

void wine_labels(const wine *w, int64_t step, int32_t *labels)
{
    for (int i = 0; i < WINES; i++)
        labels[i] = i % step == 0 ? w->classes[i] : -1;
}
