/* test_neighbors.c - nearest neighbors against sorted distances. */
#include "kit/neighbor_lists.h"

#include "core/duplicate_rows.h"
#include "neighbors/neighbors.h"

#include <stdio.h>

/* Rows with few distinct values, many duplicates, and an offset; sorted by distance from the first
 * row if `sorted` (the worst case for a running k-th best). */
static struct searched sample_open(pen_rng *rng, pen_dtype dtype, int64_t n, int64_t d, int threads,
                                   int sorted, int unit)
{
    void *const values = check_allocate(n * d, 8);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            set_value(values, dtype, i * d + j,
                      sorted ? (double)(n - i) * 100 / (double)n + pen_rng_uniform(rng)
                             : (double)(pen_rng_below(rng, 9) + 100));
    return searched_open(values, dtype, n, d, unit, threads);
}

/* Checks every `step`-th list, from the last one. */
static void check_some(const struct searched *s, pen_subset queries, pen_subset candidates,
                       int64_t k, int64_t step)
{
    pen_neighbor *const found = check_allocate(queries.count * k, sizeof *found);

    assert_int_equal(pen_neighbors_nearest(s->run, &s->rows, queries, candidates, k, found),
                     PEN_OK);
    for (int64_t i = queries.count - 1; i >= 0; i -= step)
        check_list(&s->rows, queries.rows ? queries.rows[i] : i, &s->rows, candidates, 1, k,
                   found + i * k, "candidates");
}

/* All rows as queries and candidates. */
static void check_all(const struct searched *s, int64_t k, int64_t step)
{
    const pen_subset all = { NULL, s->rows.n };
    check_some(s, all, all, k, step);
}

TEST(reach)
{
    static const double right[2][5] = { { 1, 1, 0, 0, 49 }, { 100, 81, 49, 49, 100 } };
    double *const x = check_allocate(5, sizeof *x), reach2[5];
    const int64_t one[] = { 4 };
    const pen_subset all = { NULL, 5 }, last = { one, 1 };
    memcpy(x, (const double[]){ 0, 1, 3, 3, 10 }, 5 * sizeof *x);
    struct searched s = searched_open(x, PEN_F64, 5, 1, 0, 1);
    for (int k = 0; k < 2; k++) { /* the nearest row, the farthest one */
        assert_int_equal(pen_neighbors_reach(s.run, &s.rows, all, all, k ? 100 : 1, reach2),
                         PEN_OK);
        assert_memory_equal(reach2, right[k], sizeof reach2);
    }
    /* no further candidate */
    assert_int_equal(pen_neighbors_reach(s.run, &s.rows, last, last, 3, reach2), PEN_OK);
    assert_true(reach2[0] == 0);
    searched_close(&s);
}

/* All rows: one fewer than a block, a block, one more; odd and even numbers of blocks; k equal to
 * the number of other rows, and larger. Also some rows among some, possibly fewer than k. */
TEST(exact)
{
    static const int64_t sizes[] = { 1, 2, 3, 17, 63, 64, 65, 128, 129, 192, 200, 257, 700, 1100 };
    pen_rng rng = check_rng(322);
    int64_t rows[500];
    for (int64_t i = 0; i < 500; i++)
        rows[i] = 2 * i + (i > 300);
    const pen_subset some = { rows, 500 }, few = { rows, 3 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int dtype = PEN_F64; dtype <= PEN_U8; dtype++)
            for (int sorted = 0; sorted < 2; sorted++) {
                const int64_t n = sizes[i];
                struct searched s = sample_open(&rng, (pen_dtype)dtype, n, 1 + (int64_t)i % 6,
                                                1 + (int)i % 3, sorted, 0);
                check_all(&s, 1, 1 + n / 20);
                check_all(&s, 5, 1 + n / 30);
                if (n > 1 && n < 300)
                    check_all(&s, n - 1, 1 + n / 10);
                if (n < 100)
                    check_all(&s, n + 2, 1 + n / 10);
                if (n >= 1100) {
                    check_some(&s, some, (pen_subset){ NULL, n }, 7, 17);
                    check_some(&s, few, some, 20, 1);
                    check_some(&s, some, few, 5, 5);
                }
                searched_close(&s);
            }
}

/* More than 2^20 values that are not doubles use single precision: several batches of queries, and
 * all rows; normalized rows; bytes with exact products, and rows of bytes too long for that. */
TEST(single_precision)
{
    pen_rng rng = check_rng(323);
    int64_t queries[60];
    for (int64_t i = 0; i < 60; i++)
        queries[i] = 97 * i;
    for (int dtype = PEN_F32; dtype <= PEN_U8; dtype++)
        for (int kind = 0; kind < check_repeats(3); kind++) {
            const int64_t n = kind == 2 ? 600 : 700; /* normalization takes time */
            struct searched s =
                sample_open(&rng, (pen_dtype)dtype, n, 1050000 / n, 2, kind == 1, kind == 2);
            assert_int_equal(s.rows.work, PEN_F32);
            check_all(&s, 7, 53);
            searched_close(&s);
            s = sample_open(&rng, (pen_dtype)dtype, 6000, 180, 2, kind == 1, kind == 2);
            assert_int_equal(s.rows.work, PEN_F32);
            check_some(&s, (pen_subset){ queries, 60 }, (pen_subset){ NULL, 6000 }, 7, 7);
            searched_close(&s);
        }
    struct searched s = sample_open(&rng, PEN_U8, 900, 1200, 2, 0, 0);
    for (int64_t i = 0; i < 900 * 1200; i++)
        /* squared lengths above 2^24 */
        ((uint8_t *)s.values)[i] =
            (uint8_t)(i % 1200 < 1190 ? 255 * (i % 2) : pen_rng_below(&rng, 3));
    check_all(&s, 4, 31);
    searched_close(&s);
}

/* Blocks of several chunks against the rectangular search, used for an explicit list of all
 * rows. */
TEST(all_rows_as_in_rectangles)
{
    enum { K = 6 };
    const int64_t n = check_many(8300), some = n / 7;
    pen_rng rng = check_rng(324);
    int64_t *rows = check_allocate(some, sizeof *rows);
    pen_neighbor *mine = check_allocate(n * K, sizeof *mine),
                 *right = check_allocate(some * K, sizeof *right);
    for (int64_t i = 0; i < some; i++)
        rows[i] = n - 1 - 7 * i;
    for (int wide = 0; wide < 2; wide++) {
        struct searched s =
            sample_open(&rng, wide ? PEN_U8 : PEN_F64, n, wide ? 127 : 3, 3 - wide, 0, 0);
        assert_int_equal(pen_neighbors_nearest(s.run, &s.rows, (pen_subset){ NULL, n },
                                               (pen_subset){ NULL, n }, K, mine),
                         PEN_OK);
        assert_int_equal(pen_neighbors_nearest(s.run, &s.rows, (pen_subset){ rows, some },
                                               (pen_subset){ NULL, n }, K, right),
                         PEN_OK);
        for (int64_t i = 0; i < some; i++)
            check_same_lists(mine + rows[i] * K, right + i * K, K, "all rows");
        searched_close(&s);
    }
}

/* All rows, or every second one, are the same point, which is nearer to the other rows than these
 * are to each other: the first equal rows are nearest, at distance 0. */
TEST(equal_rows)
{
    pen_rng rng = check_rng(326);
    for (int dtype = PEN_F64; dtype <= PEN_U8; dtype++)
        for (int every = 1; every <= 2; every++) {
            const int64_t n = every == 1 ? 2700 : 700, d = every == 1 ? 400 : 1500;
            struct searched s = sample_open(&rng, (pen_dtype)dtype, n, d, 2, 0, 0);
            for (int64_t i = 0; i < n * d; i++)
                set_value(s.values, (pen_dtype)dtype, i,
                          100.1 + (i / d % every ? check_normal(&rng) : 0));
            check_all(&s, 5, 37);
            searched_close(&s);
        }
}

/* Extreme doubles, whose products are tried in single precision: far from their mean (few distinct
 * floats), too large for floats, squares that underflow in float or double, one outlier, few
 * distinct values. */
TEST(doubles_in_single_precision)
{
    static const int64_t columns[] = { 1, 3, 30, 64, 65 };
    static const struct {
        double offset, scale;
        int whole;
    } kinds[] = { { 0, 1, 0 },       { 0, 1, 1 },     { 1e2, 1, 0 },    { 1e4, 1, 0 },
                  { 1e9, 1, 0 },     { 0, 1e18, 0 },  { 0, 1e19, 0 },   { 0, 1e140, 0 },
                  { 0, 1e-19, 0 },   { 0, 1e-30, 0 }, { 0, 1e-160, 0 }, { 0, 1e-200, 0 },
                  { 1e20, 1e-20, 0 } };
    pen_rng rng = check_rng(328);
    for (int kind = 0; kind < check_repeats((int)(sizeof kinds / sizeof *kinds)); kind++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            /* blocks of the minimum size and, for two kinds, larger ones */
            const int64_t n = kind < 2 && c % 2 == 0 ? 1300 : c % 2 ? 200 : 330, d = columns[c];
            struct searched s = sample_open(&rng, PEN_F64, n, d, 1 + (int)c % 3, 0, 0);
            double *const values = s.values;
            for (int64_t i = 0; i < n * d; i++) {
                const double value =
                    kinds[kind].whole ? (double)pen_rng_below(&rng, 3) : check_normal(&rng);
                values[i] = kinds[kind].scale * (value + (i / d % 2 ? -1 : 1) * kinds[kind].offset);
            }
            for (int64_t j = 0; j < d; j++) {
                values[5 * d + j] = values[n / 2 * d + j] = values[(n - 1) * d + j];
                values[7 * d + j] *= 1e3;
            }
            const pen_data data = { .x = pen_dense(values, PEN_F64, n, d, d) };
            assert_int_equal(pen_rows_open(s.run, &data, 0, PEN_SCALE_NONE, &s.rows), PEN_OK);
            check_all(&s, 10, 13);
            searched_close(&s);
        }
}

enum guess {
    GUESS_RIGHT,
    GUESS_RANDOM,
    GUESS_REPEATED,
    GUESS_NOBODY,
    GUESS_BEYOND,
    GUESS_SELF,
    GUESSES
};

/* Initial lists of one kind, or of random kinds. */
static void guess(pen_rng *rng, int64_t n, int64_t k, int kind, const pen_neighbor *right,
                  pen_neighbor *guesses)
{
    for (int64_t i = 0; i < n; i++) {
        const int this = kind < GUESSES ? kind : (int)pen_rng_below(rng, GUESSES);
        const int64_t odd = pen_rng_below(rng, k);
        for (int64_t j = 0; j < k; j++) {
            pen_neighbor *const to = guesses + i * k + j;
            *to = (pen_neighbor){ -1, this == GUESS_RANDOM ? pen_rng_below(rng, n)
                                                           : right[i * k + k - 1 - j].row };
            if (j == odd && this >= GUESS_REPEATED)
                to->row = this == GUESS_REPEATED ? right[i * k].row
                          : this == GUESS_NOBODY ? -1
                          : this == GUESS_BEYOND ? n
                                                 : i;
        }
    }
}

/* A search with any initial lists, also in place, gives the result of one without; lists from
 * before the rows moved are valid. */
TEST(guesses)
{
    static const struct {
        int64_t n, d, k;
    } sizes[] = { { 1, 1, 2 },   { 2, 2, 1 },    { 40, 3, 39 },  { 40, 4, 45 },
                  { 300, 5, 1 }, { 600, 6, 10 }, { 700, 20, 8 }, { 600, 40, 5 } };
    pen_rng rng = check_rng(329);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int dtype = PEN_F64; dtype <= PEN_U8; dtype++)
            for (int kind = 0; kind <= GUESSES + 1; kind++) {
                const int64_t n = sizes[i].n, k = sizes[i].k;
                struct searched s =
                    sample_open(&rng, (pen_dtype)dtype, n, sizes[i].d, 1 + kind % 3, kind % 2, 0);
                pen_neighbor *const right = check_allocate(3 * n * k, sizeof *right),
                                    *const guessed = right + n * k, *const found = guessed + n * k;
                assert_int_equal(pen_neighbors_refresh(s.run, &s.rows, n, k, NULL, right), PEN_OK);
                guess(&rng, n, k, kind, right, guessed);
                for (int64_t e = 0; kind > GUESSES && e < n * sizes[i].d; e++)
                    set_value(s.values, (pen_dtype)dtype, e, 100 + 5 * check_normal(&rng));
                if (kind > GUESSES)
                    assert_int_equal(pen_neighbors_refresh(s.run, &s.rows, n, k, NULL, right),
                                     PEN_OK);
                assert_int_equal(pen_neighbors_refresh(s.run, &s.rows, n, k, guessed, found),
                                 PEN_OK);
                check_same_lists(found, right, n * k, "guessed");
                assert_int_equal(pen_neighbors_refresh(s.run, &s.rows, n, k, guessed, guessed),
                                 PEN_OK);
                check_same_lists(guessed, right, n * k, "guessed in place");
                searched_close(&s);
            }
}

TEST(duplicates)
{
    pen_rng rng = check_rng(327);
    int64_t duplicate[300];
    for (int dtype = PEN_F64; dtype <= PEN_U8; dtype++)
        for (int64_t d = 1; d <= 3; d++) { /* 1 to 24 bytes, 9 values each */
            struct searched s = sample_open(&rng, (pen_dtype)dtype, 300, d, 2, 0, 0);
            for (int64_t i = 0; dtype != PEN_U8 && i < 100; i++) /* 0 and -0 are equal */
                set_value(s.values, (pen_dtype)dtype, i * d, i % 2 ? 0 : -0.0);
            assert_int_equal(pen_duplicates_find(s.run, &s.rows, 300, duplicate), PEN_OK);
            for (int64_t i = 0; i < 300; i++) {
                int64_t first = 0;
                while (pen_rows_distance2(&s.rows, first, i) != 0)
                    first++;
                CHECK(duplicate[i] == first, "row %lld is the same as %lld, got %lld", (long long)i,
                      (long long)first, (long long)duplicate[i]);
            }
            searched_close(&s);
        }
}

/* Values between the rows are not read; the number of threads does not matter. */
TEST(strides_and_threads)
{
    enum { ROWS = 1500, COLUMNS = 7, STRIDE = 11, K = 9 };
    double *const wide = check_allocate(ROWS * STRIDE, sizeof *wide);
    double *const dense = check_allocate(ROWS * COLUMNS, sizeof *dense);
    int64_t *const index = check_allocate(2 * ROWS * K, sizeof *index);
    double *const distance = check_allocate(2 * ROWS * K, sizeof *distance);
    pen_rng rng = check_rng(325);
    pen_error err;
    for (int64_t i = 0; i < ROWS * STRIDE; i++)
        wide[i] = i % STRIDE < COLUMNS ? check_normal(&rng) : (double)NAN;
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        dense[i] = wide[i / COLUMNS * STRIDE + i % COLUMNS];
    const pen_array x = pen_dense(dense, PEN_F64, ROWS, COLUMNS, COLUMNS),
                    y = pen_dense(wide, PEN_F64, ROWS, COLUMNS, STRIDE);
    CHECK_OK(pen_neighbors(&x, NULL, K, NULL, index, distance, &err), &err);
    for (int threads = 1; threads <= 5; threads += 2) {
        const pen_control control = { .threads = threads };
        CHECK_OK(pen_neighbors(&y, NULL, K, &control, index + ROWS * K,
                               threads == 3 ? NULL : distance + ROWS * K, &err),
                 &err);
        assert_memory_equal(index, index + ROWS * K, ROWS * K * sizeof *index);
        assert_memory_equal(distance, distance + ROWS * K, ROWS * K * sizeof *distance);
    }
}

static int stop_at_once(void *user, const char *phase, int64_t done, int64_t total)
{
    assert_true(done >= 0 && done <= total);
    *(int *)user += strcmp(phase, "nearest neighbors") == 0;
    return *(int *)user > 3;
}

TEST(refusals)
{
    enum { MANY = 1000 };
    static const double rows[] = { 0, 1, 3, 4, 9, 4 }, gap[] = { 0, NAN },
                        far[] = { 1e160, -1e160 }, near[] = { 1e-200, -1e-200 };
    const pen_array x = pen_dense(rows, PEN_F64, 3, 2, 2), one = pen_dense(rows, PEN_F64, 1, 2, 2),
                    hole = pen_dense(gap, PEN_F64, 2, 1, 1),
                    huge = pen_dense(far, PEN_F64, 2, 1, 1),
                    tiny = pen_dense(near, PEN_F64, 2, 1, 1);
    const struct {
        const pen_array *x;
        int64_t k;
        pen_status code;
        const char *phrase;
    } cases[] = {
        { &x, 3, PEN_BAD_ARGUMENT, "neighbors must be in [1, 2], the number of other rows, got 3" },
        { &x, 0, PEN_BAD_ARGUMENT, "got 0" },
        { NULL, 1, PEN_BAD_ARGUMENT, "must not be NULL" },
        { &one, 1, PEN_BAD_DATA, "at least 2 rows, got 1" },
        { &hole, 1, PEN_NOT_FINITE, "row 1, column 0" },
        { &huge, 1, PEN_BAD_DATA, "values are too large: column 0" },
        { &tiny, 1, PEN_BAD_DATA, "values are too small: the largest deviation" },
    };
    double many[MANY];
    int64_t index[MANY];
    int calls = 0;
    pen_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STATUS(pen_neighbors(cases[i].x, NULL, cases[i].k, NULL, index, NULL, &err),
                     cases[i].code, cases[i].phrase, &err);
    CHECK(!strstr(err.message, "scale"), "%s", err.message); /* no such parameter */
    for (int64_t i = 0; i < MANY; i++)
        many[i] = (double)(i * i % 997);
    const pen_array long_column = pen_dense(many, PEN_F64, MANY, 1, 1);
    const pen_control stop = { .threads = 1, .progress = stop_at_once, .user = &calls };
    CHECK_STATUS(pen_neighbors(&long_column, NULL, 1, &stop, index, NULL, &err), PEN_CANCELLED,
                 "cancelled", &err);
    assert_int_equal(calls, 4);
}
