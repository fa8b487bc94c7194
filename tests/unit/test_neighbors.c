/* test_neighbors.c - nearest neighbours against a sorted list of all distances. */
#include "check.h"

#include "graph/neighbors.h"

#include <stdio.h>

struct sample {
    pen_rows rows;
    pen_run *run;
    void *values;
};

/* Rows with few distinct values, many equal rows, and an offset; sorted by distance from the first row if `sorted` (the worst order for a
 * running k-th best). */
static struct sample sample_open(pen_rng *rng, pen_dtype dtype, int64_t n, int64_t d, int threads, int sorted, const char *normalize)
{
    const pen_control control = { .threads = threads };
    const pen_common common = { .normalize = normalize ? PEN_NORMALIZE_L2 : PEN_NORMALIZE_NONE };
    struct sample s = { .values = check_allocate(n * d, 8) };

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            const double value = sorted ? (double)(n - i) * 100 / (double)n + pen_rng_uniform(rng) : (double)(pen_rng_below(rng, 9) + 100);
            if (dtype == PEN_F64)
                ((double *)s.values)[i * d + j] = value;
            else if (dtype == PEN_F32)
                ((float *)s.values)[i * d + j] = (float)value;
            else
                ((uint8_t *)s.values)[i * d + j] = (uint8_t)value;
        }
    const pen_data data = { .x = pen_dense(s.values, dtype, n, d, d) };
    assert_int_equal(pen_run_open(&control, NULL, &s.run), PEN_OK);
    assert_int_equal(pen_rows_open(s.run, &data, &common, &s.rows), PEN_OK);
    return s;
}

static void sample_close(struct sample *s)
{
    pen_run_close(s->run);
    free(s->values);
}

static int nearer(const void *a, const void *b)
{
    const pen_neighbor *p = a, *q = b;
    if (p->distance2 != q->distance2)
        return p->distance2 < q->distance2 ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static void check_neighbors(const struct sample *s, pen_subset queries, pen_subset candidates, int64_t k)
{
    pen_neighbor *found = check_allocate(queries.count * k, sizeof *found), *all = check_allocate(candidates.count + k, sizeof *all);

    assert_int_equal(neighbors_nearest(s->run, &s->rows, queries, candidates, k, found), PEN_OK);
    for (int64_t i = 0; i < queries.count; i++) {
        const int64_t self = queries.rows ? queries.rows[i] : i;
        int64_t count = 0;
        for (int64_t j = 0; j < candidates.count; j++) {
            const int64_t row = candidates.rows ? candidates.rows[j] : j;
            if (row != self)
                all[count++] = (pen_neighbor){ pen_rows_distance2(&s->rows, self, row), row };
        }
        qsort(all, (size_t)count, sizeof *all, nearer);
        for (int64_t j = 0; j < k; j++) {
            const pen_neighbor right = j < count ? all[j] : (pen_neighbor){ INFINITY, -1 }, got = found[i * k + j];
            CHECK(got.row == right.row && got.distance2 == right.distance2,
                  "query %lld neighbor %lld: row %lld at %.17g, expected %lld at %.17g", (long long)self, (long long)j, (long long)got.row,
                  got.distance2, (long long)right.row, right.distance2);
        }
    }
    free(found);
    free(all);
}

static void exact(void **state)
{
    pen_rng rng = check_rng(320);
    int64_t subset[500];
    (void)state;

    for (int64_t i = 0; i < 500; i++)
        subset[i] = 2 * i + (i > 300);
    for (int threads = 1; threads <= 3; threads += 2)
        for (int dtype = PEN_F64; dtype <= PEN_U8; dtype++)
            for (int sorted = 0; sorted < 2; sorted++) {
                struct sample s = sample_open(&rng, (pen_dtype)dtype, 1100, 6, threads, sorted, NULL);
                const pen_subset some = { subset, 500 }, all = { NULL, 1100 }, few = { subset, 3 };
                check_neighbors(&s, all, all, 1);
                check_neighbors(&s, some, all, 7);
                check_neighbors(&s, few, some, 20);
                check_neighbors(&s, some, few, 5); /* fewer candidates than neighbours */
                sample_close(&s);
            }
}

/* More than 2^20 values that are no doubles: products in single precision, several batches of queries. */
static void exact_in_single_precision(void **state)
{
    pen_rng rng = check_rng(321);
    int64_t queries[60];
    (void)state;

    for (int64_t i = 0; i < 60; i++)
        queries[i] = 97 * i;
    for (int dtype = PEN_F32; dtype <= PEN_U8; dtype++)
        for (int kind = 0; kind < 3; kind++) {
            struct sample s = sample_open(&rng, (pen_dtype)dtype, 6000, 180, 2, kind == 1, kind == 2 ? "l2" : NULL);
            assert_int_equal(s.rows.work, PEN_F32);
            check_neighbors(&s, (pen_subset){ queries, 60 }, (pen_subset){ NULL, 6000 }, 7);
            sample_close(&s);
        }
}

static void scaling(void **state)
{
    const double x[] = { 0, 1, 3, 3, 10 };
    const pen_data data = { .x = pen_dense(x, PEN_F64, 5, 1, 1) };
    const pen_common common = { .dim = 0 };
    const int64_t one[] = { 4 };
    double sigma[5];
    pen_rows rows;
    pen_run *run;
    (void)state;

    assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
    assert_int_equal(pen_rows_open(run, &data, &common, &rows), PEN_OK);
    const pen_subset all = { NULL, 5 }, last = { one, 1 };
    assert_int_equal(neighbors_scaling(run, &rows, all, all, 1, sigma), PEN_OK);
    assert_true(sigma[0] == 1 && sigma[1] == 1 && sigma[2] == 0 && sigma[3] == 0 && sigma[4] == 7);
    assert_int_equal(neighbors_scaling(run, &rows, all, all, 100, sigma), PEN_OK); /* the farthest */
    assert_true(sigma[0] == 10 && sigma[1] == 9 && sigma[2] == 7 && sigma[3] == 7 && sigma[4] == 10);
    assert_int_equal(neighbors_scaling(run, &rows, last, last, 3, sigma), PEN_OK); /* nobody else */
    assert_true(sigma[0] == 0);
    pen_run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(exact), cmocka_unit_test(exact_in_single_precision), cmocka_unit_test(scaling) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
