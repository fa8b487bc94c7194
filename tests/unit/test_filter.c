/* test_filter.c - search with a few coordinates against search with all, for every instruction set
 * of this CPU: the same lists, bit for bit. */
#include "kit/neighbor_lists.h"

#include "neighbors/code_search.h"
#include "neighbors/filter.h"
#include "neighbors/neighbors.h"

#include <stdio.h>

enum kind {
    NORMAL,
    FLAT, /* in a subspace of 12 dimensions: the projection keeps distances, so bounds are tight */
    CLUSTERS, /* of such rows */
    TIES,
    EQUAL_ROWS,
    REPEATED,
    FAR_ROW, /* one row a million times as far as any other */
    CONSTANT,
    SIGNS, /* zeros of both signs */
    ZERO_ROW,
    SMALL, /* 1e-150 */
    LARGE, /* 1e150 */
    SCALES,
    OFFSET, /* of bytes: all equal */
    KINDS
};

enum { RANK = 12, CENTERS = 9 };

/* Coordinate j of row i; `again` is the random state for equal rows. */
static double value_of(pen_rng *rng, pen_rng *again, enum kind kind, int64_t i, int64_t j)
{
    switch (kind) {
    case TIES:
        return (double)pen_rng_below(rng, 3) / 2;
    case EQUAL_ROWS:
        return (double)((i * i + 3) % 7 * (j % 5)) / 3;
    case REPEATED:
        return check_normal(again);
    case FAR_ROW:
        return check_normal(rng) * (i == 17 ? 1e6 : 1);
    case CONSTANT:
        return j % 3 ? 5 : check_normal(rng);
    case SIGNS:
        return pen_rng_below(rng, 2) ? -0.0 : (double)pen_rng_below(rng, 2) / 4;
    case ZERO_ROW:
        return i == 5 ? 0 : check_normal(rng);
    case SMALL:
        return 1e-150 * check_normal(rng);
    case LARGE:
        return 1e150 * check_normal(rng);
    case SCALES:
        return pow(10, (double)(i % 40) - 20) * check_normal(rng);
    case OFFSET:
        return 1e6 + check_normal(rng);
    default:
        return check_normal(rng);
    }
}

/* Points on a few axes, and around centers there. */
static void fill_flat(pen_rng *rng, int clustered, int64_t n, int64_t d, pen_dtype dtype,
                      void *values)
{
    double *const axes = check_allocate(RANK * d, sizeof *axes), centers[CENTERS * RANK];

    for (int64_t e = 0; e < RANK * d; e++)
        axes[e] = check_normal(rng);
    for (int64_t e = 0; e < CENTERS * RANK; e++)
        centers[e] = clustered ? 8 * check_normal(rng) : 0;
    for (int64_t i = 0; i < n; i++) {
        double point[RANK];
        for (int e = 0; e < RANK; e++)
            point[e] = centers[i % CENTERS * RANK + e] + check_normal(rng);
        for (int64_t j = 0; j < d; j++) {
            double sum = 0;
            for (int e = 0; e < RANK; e++)
                sum += point[e] * axes[e * d + j];
            set_value(values, dtype, i * d + j, dtype == PEN_U8 ? sum * 2 + 128 : sum);
        }
    }
}

static struct searched sample_open(pen_rng *rng, enum kind kind, pen_dtype dtype, int64_t n,
                                   int64_t d, int threads)
{
    void *const values = check_allocate(n * d, 8);

    if (kind == FLAT || kind == CLUSTERS) {
        fill_flat(rng, kind == CLUSTERS, n, d, dtype, values);
        return searched_open(values, dtype, n, d, 0, threads);
    }
    for (int64_t i = 0; i < n; i++) {
        pen_rng again = { (uint64_t)(i % 200) };
        for (int64_t j = 0; j < d; j++) {
            const double value = value_of(rng, &again, kind, i, j);
            set_value(values, dtype, i * d + j, dtype == PEN_U8 ? 40 * value : value);
        }
    }
    return searched_open(values, dtype, n, d, 0, threads);
}

/* The coding of the rows of these tests. */
static pen_coding coding_of(const struct searched *s)
{
    pen_coding coding;
    int suits;

    assert_int_equal(pen_coding_open(s->run, &s->rows, NULL, &coding, &suits), PEN_OK);
    assert_true(suits);
    return coding;
}

/* Searches rows, or a subset, with and without the filter, which gives up if all rows are
 * `equal`. */
static void compare(const struct searched *s, const int64_t *members, int64_t n, int64_t k,
                    const double *bound2, int equal, const char *what)
{
    const pen_coding coding = coding_of(s);
    const pen_filter_rows rows = { &coding, &s->rows, members, n, bound2 };
    const pen_code_search_side side = { &s->rows, members, n };
    const pen_code_search_task task = { side, side, k, NULL, 1 };
    const pen_subset all = { members, n };
    pen_neighbor *const found = check_allocate(2 * n * k, sizeof *found), *const right =
                                                                              found + n * k;
    int done;

    assert_int_equal(pen_filter_search(s->run, &rows, k, 1, found, &done), PEN_OK);
    CHECK(done == !equal, "%s: done %d", what, done);
    if (equal)
        return;
    assert_int_equal(pen_code_search(s->run, &task, right, &done), PEN_OK);
    if (!done) /* codes of all coordinates are useless: float products */
        assert_int_equal(pen_neighbors_nearest(s->run, &s->rows, all, all, k, right), PEN_OK);
    check_same_lists(found, right, n * k, what);
}

static void all_kinds_with(pen_isa isa, pen_rng *rng)
{
    static const pen_dtype types[] = { PEN_F64, PEN_F32, PEN_U8 };
    static const int64_t columns[] = { 64, 33, 100, 17 }, rows[] = { 700, 511, 513, 96 },
                         neighbors[] = { 10, 1, 100, 3 };
    char what[96];

    for (int kind = 0; kind < KINDS; kind++)
        for (int type = 0; type < 3; type++) {
            const int turn = kind + type + (int)isa;
            const int64_t n = rows[turn % 4], d = columns[(turn / 2) % 4],
                          k = neighbors[turn / 3 % 4];
            if (!check_in_turn(kind + (int)isa, 2)
                || (types[type] != PEN_F64 && (kind == SMALL || kind == LARGE || kind == SCALES)))
                continue;
            struct searched s = sample_open(rng, (enum kind)kind, types[type], n, d, 1 + turn % 3);
            snprintf(what, sizeof what, "%s, kind %d, type %d, %lld x %lld, %lld neighbors",
                     pen_isa_name(isa), kind, (int)types[type], (long long)n, (long long)d,
                     (long long)k);
            compare(&s, NULL, n, k, NULL, kind == OFFSET && types[type] == PEN_U8, what);
            searched_close(&s);
        }
}

TEST(all_kinds)
{
    for_every_isa(all_kinds_with, 920);
}

/* Tight bounds: ignoring the residual of the other row would lose neighbors. */
static void tight_with(pen_isa isa, pen_rng *rng)
{
    for (int type = 0; type < 2; type++) {
        struct searched s = sample_open(rng, FLAT, type ? PEN_F32 : PEN_F64, 3000, 64, 2);
        compare(&s, NULL, 3000, 5, NULL, 0, pen_isa_name(isa));
        searched_close(&s);
    }
}

TEST(tight)
{
    for_every_isa(tight_with, 921);
}

/* Blocks end with the rows, just before, or just after; every third row; known bounds. */
TEST(blocks_and_members)
{
    enum { MOST = 2049, K = 6 };
    pen_rng rng = check_rng(922);
    struct searched s = sample_open(&rng, CLUSTERS, PEN_F32, MOST, 48, 3);
    int64_t members[MOST / 3];
    double bound2[MOST];

    for (int64_t i = 0; i < MOST / 3; i++)
        members[i] = 3 * i + 1;
    compare(&s, members, MOST / 3, K, NULL, 0, "members");
    for (int64_t n = MOST - 2; n <= MOST; n++) {
        s.rows.n = n;
        compare(&s, NULL, n, K, NULL, 0, "blocks");
        for (int64_t i = 0; i < n; i++) {
            bound2[i] = 0;
            for (int64_t e = 1; e <= K; e++)
                bound2[i] = fmax(bound2[i], pen_rows_distance2(&s.rows, i, (i + e * CENTERS) % n));
        }
        compare(&s, NULL, n, K, bound2, 0, "bounds");
    }
    searched_close(&s);
}

/* The number of useful axes from a sample; rows are not searched. */
static int64_t axes_of(enum kind kind, int64_t n)
{
    pen_rng rng = check_rng(923);
    struct searched s = sample_open(&rng, kind, PEN_F32, n, 128, 2);
    const pen_coding coding = coding_of(&s);
    pen_filter_basis basis;

    const pen_filter_rows rows = { &coding, &s.rows, NULL, n, NULL };
    assert_int_equal(pen_filter_basis_open(s.run, &rows, 10, 0, &basis), PEN_OK);
    CHECK(basis.m == 0 || basis.most > 0, "most %g", basis.most);
    const int64_t m = basis.m;
    searched_close(&s);
    return m;
}

TEST(choice)
{
    const pen_isa best = pen_isa_now();

    pen_isa_use(PEN_ISA_PORTABLE); /* products slow enough to pay off for few rows */
    assert_int_equal(axes_of(CLUSTERS, 10000), 16); /* the smallest number for their 12 axes */
    assert_int_equal(axes_of(NORMAL, 10000), 0);
    assert_int_equal(axes_of(CLUSTERS, 1000), 0);
    pen_isa_use(best);
}
