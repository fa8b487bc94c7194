/* test_sample_rows.c - samples of many rows: drawn by values regardless of order and type, copies
 * independently, labelled rows first. */
#include "kit/check_fit.h"
#include "kit/sparse_sample.h"

#include "eval/trials/sample_rows.h"

#include <math.h>

/* The drawn rows [most]; the caller frees them. */
static int64_t *drawn(const pen_data *d, int64_t most, uint64_t seed, int threads)
{
    int64_t *const out = check_allocate(most, sizeof *out), *rows, count;
    pen_error err;

    pen_run *const run = check_run(threads, &err);
    CHECK_OK(pen_data_sample(run, d, most, seed, &rows, &count), &err);
    assert_int_equal(count, most);
    memcpy(out, rows, (size_t)count * sizeof *out);
    pen_run_close(run);
    return out;
}

TEST(type_and_layout_do_not_matter)
{
    enum { ROWS = 3000, COLUMNS = 5, MOST = 700 };
    pen_rng rng = check_rng(8201);
    sample s = sample_random(&rng, ROWS, COLUMNS, 3, 30);
    double *turned = check_allocate(ROWS * COLUMNS, sizeof *turned);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        if (pen_rng_uniform(&rng) < 0.3)
            s.x[i] = i % 2 ? 0 : -0.0;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++)
            turned[j * ROWS + i] = s.x[i * COLUMNS + j];
    const pen_data d = sample_data(&s);
    for (int way = 0; way < 3; way++) {
        pen_data other = d;
        other.x = way == 0   ? recast(&s, PEN_F32, 3)
                  : way == 1 ? sparse_of(&d.x, SOME_ZEROS)
                             : pen_dense(turned, PEN_F64, ROWS, COLUMNS, 1);
        other.x.step = way == 2 ? ROWS : other.x.step;
        int64_t *const p = drawn(&d, MOST, (uint64_t)way, 1), *const q = drawn(&other, MOST,
                                                                               (uint64_t)way, 3);
        assert_memory_equal(p, q, MOST * sizeof *p);
    }
}

/* Reordered rows give the same sample, also if their digests are compared in parts. */
TEST(order_does_not_matter)
{
    enum { ROWS = 700000, MOST = 400 };
    pen_rng rng = check_rng(8202);
    double *x = check_allocate(ROWS, sizeof *x), *moved = check_allocate(ROWS, sizeof *x);
    int64_t *turn = check_allocate(ROWS, sizeof *turn), first_half = 0;
    char *taken = check_allocate(ROWS, 1);
    for (int64_t i = 0; i < ROWS; i++)
        x[i] = (double)i;
    pen_rng_permutation(&rng, ROWS, turn);
    for (int64_t i = 0; i < ROWS; i++)
        moved[i] = x[turn[i]];
    const pen_data d = { .x = pen_dense(x, PEN_F64, ROWS, 1, 1) },
                   m = { .x = pen_dense(moved, PEN_F64, ROWS, 1, 1) };
    int64_t *const p = drawn(&d, MOST, 5, 1), *const q = drawn(&m, MOST, 5, 2);
    for (int64_t i = 0; i < MOST; i++) {
        taken[p[i]] = 1;
        first_half += p[i] < ROWS / 2;
    }
    for (int64_t i = 0; i < MOST; i++)
        assert_true(taken[turn[q[i]]]);
    CHECK(10 * first_half > 4 * MOST && 10 * first_half < 6 * MOST, "%lld of the first half",
          (long long)first_half);
}

TEST(copies_are_drawn_independently)
{
    enum { ROWS = 20000, VALUES = 4, MOST = 1000 };
    static const double share[VALUES] = { 0.1, 0.2, 0.3, 0.4 };
    double *x = check_allocate(ROWS, sizeof *x);
    int64_t found[VALUES] = { 0 };
    for (int64_t i = 0; i < ROWS; i++)
        x[i] = i % 10 < 1 ? 0 : i % 10 < 3 ? 1 : i % 10 < 6 ? 2 : 3;
    const pen_data d = { .x = pen_dense(x, PEN_F64, ROWS, 1, 1) };
    int64_t *const rows = drawn(&d, MOST, 1, 1);
    for (int64_t i = 0; i < MOST; i++)
        found[(int)x[rows[i]]]++;
    for (int v = 0; v < VALUES; v++)
        CHECK(fabs((double)found[v] - MOST * share[v]) < 4 * sqrt(MOST * share[v]),
              "%lld of value %d", (long long)found[v], v);
}

/* Takes all of few rows, and some of each class of many. */
TEST(labelled_rows_come_first)
{
    enum { ROWS = 4000, MOST = 500 };
    pen_rng rng = check_rng(8203);
    sample s = sample_random(&rng, ROWS, 3, 1, 1);
    for (int many = 0; many < 2; many++) {
        int64_t of_class[3] = { 0 }, taken[3] = { 0 }, others = 0;
        for (int64_t i = 0; i < ROWS; i++) { /* the third class has few rows */
            s.y[i] = i % (many ? 2 : 20) > 0 ? PEN_UNLABELLED : i % 400 == 0 ? 2 : i / 2 % 3 == 1;
            if (s.y[i] >= 0)
                of_class[s.y[i]]++;
        }
        const pen_data d = sample_data(&s);
        int64_t *const rows = drawn(&d, MOST, 3, 2);
        for (int64_t i = 0; i < MOST; i++) {
            assert_true(i == 0 || rows[i] > rows[i - 1]);
            if (s.y[rows[i]] >= 0)
                taken[s.y[rows[i]]]++;
            else
                others++;
        }
        for (int c = 0; c < 3; c++) {
            const int64_t part = (int64_t)((double)MOST / (ROWS / 2) * (double)of_class[c]);
            CHECK(taken[c]
                      == (!many      ? of_class[c]
                          : part < 3 ? 3
                                     : part),
                  "%lld of class %d", (long long)taken[c], c);
        }
        assert_true(many ? others < 3 : others == MOST - ROWS / 20);
    }
}

TEST(nonfinite_values_are_refused)
{
    double x[2000] = { [1500] = (double)INFINITY, [1999] = (double)NAN };
    const pen_data d = { .x = pen_dense(x, PEN_F64, 2000, 1, 1) };
    int64_t *rows, count;
    pen_error err;
    pen_run *const run = check_run(0, &err);
    CHECK_STATUS(pen_data_sample(run, &d, 10, 0, &rows, &count), PEN_NOT_FINITE, "at row 1500",
                 &err);
    pen_run_close(run);
}
