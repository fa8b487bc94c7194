/* test_sparse_neighbors.c - nearest neighbors of sparse rows have the bits of those of dense rows:
 * all rows, some among some, other rows, any number of threads. (Dense rows against all distances:
 * test_neighbors.) */
#include "core/rows.h"
#include "kit/check_fit.h"
#include "kit/neighbor_lists.h"
#include "kit/sparse_sample.h"
#include "neighbors/neighbors.h"

enum { K = 6 };

/* All rows, every third row among every second one, and rows 0 .. 9 among all. */
static void check_lists(const sample *s, pen_dtype type, enum zeros stored, int unit,
                        enum pen_scale scale, int threads)
{
    const int64_t n = s->n;
    int64_t *const thirds = check_allocate(n, 8), *const halves = check_allocate(n, 8);
    pen_neighbor *const right = check_allocate(n * K, sizeof *right), *const found = check_allocate(
                                                                          n * K, sizeof *found);
    double *const reach = check_allocate(2 * n, 8);
    pen_array x = recast(s, type, 0), sparse = sparse_of(&x, stored);
    pen_data data = sample_data(s);
    pen_view of_dense, of_sparse;

    for (int64_t i = 0; i < n; i++) {
        thirds[i] = 3 * i;
        halves[i] = 2 * i;
    }
    const pen_subset all = { NULL, n }, some = { thirds, (n + 2) / 3 }, half = { halves, n / 2 };
    pen_run *const run = check_run(threads, NULL);
    data.x = x;
    assert_int_equal(pen_rows_open(run, &data, unit, scale, &of_dense), PEN_OK);
    data.x = sparse;
    assert_int_equal(pen_rows_open(run, &data, unit, scale, &of_sparse), PEN_OK);
    of_dense.scale = of_sparse.scale; /* equal up to rounding */
    assert_int_equal(pen_neighbors_nearest(run, &of_dense, all, all, K, right), PEN_OK);
    assert_int_equal(pen_neighbors_nearest(run, &of_sparse, all, all, K, found), PEN_OK);
    check_same_lists(found, right, n * K, "all rows");
    assert_int_equal(pen_neighbors_nearest(run, &of_dense, some, half, K, right), PEN_OK);
    assert_int_equal(pen_neighbors_nearest(run, &of_sparse, some, half, K, found), PEN_OK);
    check_same_lists(found, right, some.count * K, "some rows");
    assert_int_equal(pen_neighbors_reach(run, &of_dense, some, half, K, reach), PEN_OK);
    assert_int_equal(pen_neighbors_reach(run, &of_sparse, some, half, K, reach + n), PEN_OK);
    CHECK(memcmp(reach, reach + n, (size_t)some.count * 8) == 0, "reaches differ");
    pen_view dense_queries = of_dense, sparse_queries = of_sparse;
    dense_queries.n = sparse_queries.n = 10;
    assert_int_equal(pen_neighbors_among(run, &dense_queries, &of_dense, K, right), PEN_OK);
    assert_int_equal(pen_neighbors_among(run, &sparse_queries, &of_sparse, K, found), PEN_OK);
    check_same_lists(found, right, 10 * K, "other rows");
    pen_run_close(run);
}

TEST(same_as_dense)
{
    pen_rng rng = check_rng(2201);
    /* more rows than a block, few columns and many ties; and more columns than rows */
    sample narrow = sparse_random(&rng, check_many(4300), 14, 3, 0),
           wide = sparse_random(&rng, 300, 700, 3, 0), many = sparse_random(&rng, 500, 90, 3, 0),
           few = sparse_few(&rng, check_many(4600), 100, 5),
           fractions = sparse_random(&rng, 400, 60, 4, 0);

    for (int64_t i = 4096; i < few.n; i++) /* equal rows in other blocks */
        memcpy(few.x + i * few.d, few.x + (i - 4096) * few.d, (size_t)few.d * sizeof *few.x);
    for (int64_t i = 0; i < many.n; i++) /* few entries, and many equal rows */
        for (int64_t j = 0; j < many.d; j++)
            many.x[i * many.d + j] = j == i * 7 % 90 || (i % 5 == 0 && j == i % 11);
    for (int64_t i = 0; i < fractions.n * fractions.d; i++) /* a column far from 0 */
        fractions.x[i] = fractions.x[i] * (1 + pen_rng_uniform(&rng)) + (i % 60 == 0 ? 1e6 : 0);
    check_lists(&fractions, PEN_F64, NO_ZEROS, 0, PEN_SCALE_NONE, 2);
    for (int type = PEN_F64; type <= PEN_U8; type++)
        for (int unit = 0; unit <= 1; unit++)
            for (enum pen_scale scale = PEN_SCALE_NONE; scale <= PEN_SCALE_MINMAX; scale++) {
                check_lists(&many, (pen_dtype)type, NO_ZEROS, unit, scale, 1 + type);
                check_lists(&wide, (pen_dtype)type, SOME_ZEROS, unit, scale, 1 + type);
                if (type == PEN_F64 && scale == PEN_SCALE_NONE) {
                    check_lists(&narrow, (pen_dtype)type, SOME_ZEROS, unit, scale, 2);
                    check_lists(&few, (pen_dtype)type, NO_ZEROS, unit, scale, 2);
                }
            }
}
