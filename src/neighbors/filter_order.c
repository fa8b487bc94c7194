/* filter_order.c - orders rows by cluster, so that most blocks are far from each other: k-means on
 * some rows. */
#include "core/parallel.h"
#include "core/sort.h"
#include "linalg/blas.h"
#include "neighbors/filter.h"

#include <string.h>

enum {
    SOME = 16384, /* rows that determine the centers */
    ROUNDS = 4,
    MOST_CLUSTERS = 1024,
    ROWS = 256, /* of a task */
};

struct clusters {
    int64_t m, count;
    float *centers; /* [count x m] */
    float *half2;   /* [count] half the squared length */
    const float *y;
    int64_t rows, apart; /* use rows 0, apart, .. */
    int64_t *cluster;    /* [rows] */
    pen_slices products; /* [ROWS x count] */
};

static void assign_rows(void *context, int64_t task, int worker)
{
    const struct clusters *c = context;
    const int64_t first = task * ROWS, rows = pen_min(ROWS, c->rows - first);
    float *const products = pen_slice(&c->products, worker);

    pen_blas_gemm(PEN_F32, PEN_PLAIN, PEN_TRANSPOSED, rows, c->count, c->m, 1,
                  c->y + first * c->apart * c->m, c->apart * c->m, c->centers, c->m, 0, products,
                  c->count);
    for (int64_t i = 0; i < rows; i++) {
        const float *const product = products + i * c->count;
        float most = product[0] - c->half2[0];
        int64_t best = 0;
        for (int64_t j = 1; j < c->count; j++)
            if (product[j] - c->half2[j] > most) {
                most = product[j] - c->half2[j];
                best = j;
            }
        c->cluster[first + i] = best;
    }
}

static pen_status assign(pen_run *run, struct clusters *c, int64_t rows, int64_t apart)
{
    c->rows = rows;
    c->apart = apart;
    for (int64_t j = 0; j < c->count; j++) {
        c->half2[j] = 0;
        for (int64_t e = 0; e < c->m; e++)
            c->half2[j] += c->centers[j * c->m + e] * c->centers[j * c->m + e] / 2;
    }
    return pen_parallel(run, PEN_SILENT, (rows + ROWS - 1) / ROWS, assign_rows, c);
}

/* Moves each center to the mean of its rows, if it has any. sums [count x m], sizes [count]. */
static void move_centers(struct clusters *c, double *sums, int64_t *sizes)
{
    memset(sums, 0, (size_t)(c->count * c->m) * sizeof *sums);
    memset(sizes, 0, (size_t)c->count * sizeof *sizes);
    for (int64_t i = 0; i < c->rows; i++) {
        sizes[c->cluster[i]]++;
        for (int64_t e = 0; e < c->m; e++)
            sums[c->cluster[i] * c->m + e] += (double)c->y[i * c->apart * c->m + e];
    }
    for (int64_t j = 0; j < c->count; j++)
        for (int64_t e = 0; sizes[j] && e < c->m; e++)
            c->centers[j * c->m + e] = (float)(sums[j * c->m + e] / (double)sizes[j]);
}

pen_status pen_filter_order(pen_run *run, int64_t count, int64_t m, const float *y, int64_t block,
                            int64_t *order)
{
    const int64_t apart = (count + SOME - 1) / SOME, some = (count + apart - 1) / apart;
    struct clusters c = { .m = m, .y = y };
    int64_t *sizes;
    double *sums;

    c.count = pen_min(MOST_CLUSTERS, pen_min(some, (count + block - 1) / block));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, c.centers, pen_times(c.count, m)));
    PEN_TRY(PEN_NEW(run, sums, pen_times(c.count, m)));
    PEN_TRY(PEN_NEW(run, c.half2, c.count));
    PEN_TRY(PEN_NEW(run, sizes, c.count + 1));
    PEN_TRY(PEN_NEW(run, c.cluster, count));
    PEN_TRY(pen_slices_new(run, pen_workers(run, (count + ROWS - 1) / ROWS),
                           pen_times(ROWS, c.count), sizeof(float), &c.products));
    for (int64_t j = 0; j < c.count; j++)
        memcpy(c.centers + j * m, y + j * some / c.count * apart * m, (size_t)m * sizeof *y);
    for (int round = 0; round < ROUNDS; round++) {
        PEN_TRY(assign(run, &c, some, apart));
        move_centers(&c, sums, sizes);
    }
    PEN_TRY(assign(run, &c, count, 1));
    pen_sort_groups(count, c.cluster, c.count, sizes, order);
    pen_release(run, mark);
    return PEN_OK;
}
