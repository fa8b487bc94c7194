/* dealt.c - see dealt.h. */
#include "kit/dealt.h"

#include "check.h"

struct at {
    double far;
    int64_t row;
};

static int by_distance(const void *a, const void *b)
{
    const double p = ((const struct at *)a)->far, q = ((const struct at *)b)->far;
    return (p > q) - (p < q);
}

void content_order(const pen_array *x, int standard, int64_t *order)
{
    const int64_t n = x->rows;
    const double *const values = x->values;
    struct at *const rows = check_allocate(n, sizeof *rows);

    for (int64_t i = 0; i < n; i++)
        rows[i].row = i;
    for (int64_t j = 0; j < x->cols; j++) {
        double mean = 0, square = 0;
        for (int64_t i = 0; i < n; i++)
            mean += values[i * x->stride + j] / (double)n;
        for (int64_t i = 0; i < n; i++)
            square += pow(values[i * x->stride + j] - mean, 2) / (double)n;
        for (int64_t i = 0; i < n && square > 0; i++)
            rows[i].far += pow(values[i * x->stride + j] - mean, 2) / (standard ? square : 1);
    }
    qsort(rows, (size_t)n, sizeof *rows, by_distance);
    for (int64_t i = 0; i < n; i++)
        order[i] = rows[i].row;
}

/* Deals rows [count] to folds, from fold `first` on. */
static void deal(pen_rng *rng, const int64_t *rows, int64_t count, int64_t first, int64_t k,
                 int32_t *fold)
{
    int64_t *const turn = check_allocate(count, sizeof *turn);

    pen_rng_permutation(rng, count, turn);
    for (int64_t i = 0; i < count; i++)
        fold[rows[turn[i]]] = (int32_t)((first + i) % k);
}

void dealt_folds(const pen_array *x, int standard, const int32_t *labels, int64_t k, int stratified,
                 uint64_t seed, int32_t *fold)
{
    const int64_t n = x->rows;
    int64_t *const order = check_allocate(n, sizeof *order),
                   *const rows = check_allocate(n, sizeof *rows),
                   *const size = check_allocate(n, sizeof *size);
    pen_rng rng = { seed };
    int64_t listed = 0, begin = 0;

    content_order(x, standard, order);
    for (int64_t i = 0; i < n && !stratified; i++)
        if (labels[order[i]] != PEN_UNLABELLED)
            rows[listed++] = order[i];
    for (int64_t i = 0; i < n; i++) {
        fold[i] = -1;
        for (int64_t j = 0; j < n; j++)
            size[i] += labels[i] != PEN_UNLABELLED && labels[i] == labels[j];
    }
    if (!stratified)
        deal(&rng, rows, listed, 0, k, fold);
    while (stratified) { /* the largest remaining class; ties: the class of the first row */
        int64_t first = -1;
        for (int64_t i = 0; i < n; i++)
            if (size[order[i]] > 0 && (first < 0 || size[order[i]] > size[first]))
                first = order[i];
        if (first < 0)
            break;
        for (int64_t i = 0; i < n; i++)
            if (labels[order[i]] == labels[first]) {
                rows[listed++] = order[i];
                size[order[i]] = 0;
            }
        deal(&rng, rows + begin, listed - begin, begin, k, fold);
        begin = listed;
    }
}

void folds_by_number(const int32_t *labels, int64_t n, int64_t k, uint64_t seed, int32_t *fold)
{
    int64_t *const rows = check_allocate(n, sizeof *rows), before = 0;
    pen_rng rng = { seed };

    for (int32_t c = 0; c < 8; c++) {
        int64_t count = 0;
        for (int64_t i = 0; i < n; i++)
            if (labels[i] == c)
                rows[count++] = i;
        deal(&rng, rows, count, before, k, fold);
        before += count;
    }
    for (int64_t i = 0; i < n; i++)
        fold[i] = labels[i] < 0 ? -1 : fold[i];
}
