/* test_code_search.c - neighbor search by codes against sorted distances, for every instruction set
 * of this CPU, and the bounds that make it exact. */
#include "kit/neighbor_lists.h"

#include "neighbors/codes.h"
#include "neighbors/neighbors.h"
#include "neighbors/code_search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum kind {
    NORMAL,
    TIES,       /* halves of small integers: not integers, and often equally distant */
    WHOLE,      /* integers from -100 to 155, in any type */
    EQUAL_ROWS, /* few distinct rows, many times each */
    SCALES,     /* lengths from 1e-30 to 1e30 */
    OFFSET,     /* far from the origin */
    OUTLIER,
    LOGNORMAL,
    CONSTANT,     /* columns */
    FAR_PAIR,     /* two clusters so far apart that codes do not distinguish rows within them */
    SMOOTH,       /* all coordinates of a row are nearly equal */
    REPEATED,     /* every row occurs twice */
    PARTLY_WHOLE, /* integers, except for some rows that are neither first nor last */
    KINDS
};

static double value_of(pen_rng *rng, enum kind kind, int64_t i, int64_t j, double factor)
{
    const double z = check_normal(rng);

    switch (kind) {
    case TIES:
        return (double)pen_rng_below(rng, 3) / 2;
    case WHOLE:
        return (double)pen_rng_below(rng, 256) - 100;
    case EQUAL_ROWS:
        return (double)((i * i + 3) % 7 * (j % 5)) / 3;
    case SCALES:
        return z * factor;
    case OFFSET:
        return z + 1e6;
    case OUTLIER:
        return i == 17 ? z * 1e4 : z;
    case LOGNORMAL:
        return exp(3 * z);
    case CONSTANT:
        return j % 3 ? 5 : z;
    case FAR_PAIR:
        return (i % 2 ? 1e7 : 0) + z * 1e-2;
    case SMOOTH:
        return factor + z * 1e-3;
    case PARTLY_WHOLE:
        return (double)pen_rng_below(rng, 200) * (i / 32 == 4 ? 0.5 : 1);
    default:
        return z;
    }
}

static struct searched sample_open(pen_rng *rng, enum kind kind, pen_dtype dtype, int64_t n,
                                   int64_t d, int threads)
{
    void *const values = check_allocate(n * d, 8);

    for (int64_t i = 0; i < n; i++) {
        pen_rng again = { (uint64_t)(i % 400) };
        const double factor =
            kind == SCALES ? pow(10, 60 * pen_rng_uniform(rng) - 30) : check_normal(rng);
        for (int64_t j = 0; j < d; j++)
            set_value(values, dtype, i * d + j,
                      value_of(kind == REPEATED ? &again : rng, kind, i, j, factor));
    }
    return searched_open(values, dtype, n, d, 0, threads);
}

static void check_sample(const struct searched *s, int64_t k, const char *what, int must)
{
    const int64_t n = s->rows.n;
    pen_neighbor *found = check_allocate(n * k, sizeof *found);
    int done;

    const pen_code_search_side all = { &s->rows, NULL, n };
    const pen_code_search_task task = { all, all, k, NULL, 0 };
    assert_int_equal(pen_code_search(s->run, &task, found, &done), PEN_OK);
    CHECK(must < 0 ? !done : done || !must, "%s: done %d", what, done);
    for (int64_t i = 0; done && i < n; i += 7)
        check_list(&s->rows, i, &s->rows, (pen_subset){ NULL, n }, 1, k, found + i * k, what);
    assert_int_equal(pen_neighbors_refresh(s->run, &s->rows, n, k, NULL, found), PEN_OK);
    for (int64_t i = 0; i < n; i += 31)
        check_list(&s->rows, i, &s->rows, (pen_subset){ NULL, n }, 1, k, found + i * k, what);
}

/* 1: codes must be used, -1: must not, 0: may be. FAR_PAIR must be given up; SCALES and LOGNORMAL
 * may be (with more columns, more pairs have similar codes). EQUAL_ROWS has too few distinct rows.
 * Codes of seven bits may be useless for so few rows. */
static int must_be_done(enum kind kind, int64_t d, int largest)
{
    if (kind == FAR_PAIR)
        return -1;
    return kind != SCALES && kind != EQUAL_ROWS && largest >= 127
           && (kind != LOGNORMAL || d <= 100);
}

static void adversarial_rows_with(pen_isa isa, pen_rng *rng)
{
    static const int64_t columns[] = { 32, 33, 64, 100, 257 };
    char what[96];

    for (int kind = 0; kind < KINDS; kind++) {
        const pen_dtype dtype = (pen_dtype)((kind + (int)isa) % 2 ? PEN_F64 : PEN_F32);
        const int64_t d = columns[(kind + 2 * (int)isa) % 5], k = kind % 2 ? 10 : 3;
        if (!check_in_turn(kind + (int)isa, 2) || (kind == SCALES && dtype == PEN_F32))
            continue;
        struct searched s = sample_open(rng, (enum kind)kind, dtype, 500, d, 1 + kind % 3);
        snprintf(what, sizeof what, "%s, kind %d, type %d, %lld columns", pen_isa_name(isa), kind,
                 (int)dtype, (long long)d);
        check_sample(&s, k, what,
                     must_be_done((enum kind)kind, d, pen_tiles_of_codes(isa)->largest));
        searched_close(&s);
    }
}

TEST(adversarial_rows)
{
    for_every_isa(adversarial_rows_with, 900);
}

static void bytes_with(pen_isa isa, pen_rng *rng)
{
    for (int kind = TIES; kind <= EQUAL_ROWS; kind++)
        for (int64_t d = 32; d <= 333; d += 301) {
            if (!check_in_turn(kind + (int)isa + (d > 32), 2))
                continue;
            struct searched s = sample_open(rng, (enum kind)kind, PEN_U8, 700, d, 2);
            check_sample(&s, 6, pen_isa_name(isa), kind == WHOLE);
            searched_close(&s);
        }
}

TEST(bytes)
{
    for_every_isa(bytes_with, 901);
}

/* The largest squared distances of an int32, and one more column. */
TEST(widest_bytes)
{
    enum { N = 40 };
    pen_neighbor found[N * 2];
    for (int64_t d = 33025; d <= 33026; d++) {
        pen_rng rng = check_rng(902);
        struct searched s = sample_open(&rng, WHOLE, PEN_U8, N, d, 1);
        pen_coding coding;
        int suits;
        for (int64_t j = 0; j < d; j++) {
            ((uint8_t *)s.values)[j] = 0;
            ((uint8_t *)s.values)[d + j] = 255;
        }
        assert_int_equal(pen_coding_open(s.run, &s.rows, NULL, &coding, &suits), PEN_OK);
        assert_int_equal(coding.whole, d == 33025);
        assert_int_equal(pen_neighbors_refresh(s.run, &s.rows, N, 2, NULL, found), PEN_OK);
        for (int64_t i = 0; i < N; i++)
            check_list(&s.rows, i, &s.rows, (pen_subset){ NULL, N }, 1, 2, found + 2 * i, "widest");
        searched_close(&s);
    }
}

/* Equal values so large that adding 128 does not change a double. */
TEST(large_whole_numbers)
{
    enum { QUERIES = 64, N = 1024, D = 64 };
    double *const values = check_allocate(N * D, sizeof *values);
    int64_t index[QUERIES];
    double distance[QUERIES];
    for (int64_t i = 0; i < N * D; i++)
        values[i] = 0x1p60 + 256;
    const pen_array x = pen_dense(values, PEN_F64, N, D, D),
                    queries = pen_dense(values, PEN_F64, QUERIES, D, D);
    assert_int_equal(pen_neighbors(&x, &queries, 1, NULL, index, distance, NULL), PEN_OK);
    for (int64_t i = 0; i < QUERIES; i++)
        assert_true(index[i] == 0 && distance[i] == 0);
}

/* Queries farther from the rows than any row from another: products overflow in single precision,
 * and squares even in double. */
TEST(far_queries)
{
    enum { QUERIES = 3, N = 70000, D = 16 };
    float *const values = check_allocate(N * D, sizeof *values), far[QUERIES * D];
    double farther[QUERIES * D];
    pen_rng rng = check_rng(911);
    int64_t index[QUERIES];
    pen_error error;
    for (int64_t i = 0; i < N * D; i++)
        values[i] = (float)(1e10 * check_normal(&rng));
    for (int64_t i = 0; i < QUERIES * D; i++) {
        far[i] = (float)(1e36 * check_normal(&rng));
        farther[i] = 1e160;
    }
    const pen_array x = pen_dense(values, PEN_F32, N, D, D),
                    queries = pen_dense(far, PEN_F32, QUERIES, D, D),
                    beyond = pen_dense(farther, PEN_F64, QUERIES, D, D);
    assert_int_equal(pen_neighbors(&x, &queries, 1, NULL, index, NULL, &error), PEN_OK);
    for (int64_t i = 0; i < QUERIES; i++) /* in double, all rows are equally far */
        assert_int_equal(index[i], 0);
    assert_int_equal(pen_neighbors(&x, &beyond, 1, NULL, index, NULL, &error), PEN_BAD_DATA);
}

/* Queries from another array and of another type. */
TEST(other_rows)
{
    enum { N = 900, OTHERS = 333, K = 4 };
    pen_rng rng = check_rng(904);
    int64_t index[OTHERS * K];
    double distance[OTHERS * K];
    for (int kind = NORMAL; kind <= WHOLE; kind++) {
        struct searched s = sample_open(&rng, (enum kind)kind, PEN_F32, N, 48, 2),
                        other = sample_open(&rng, (enum kind)kind, PEN_F64, OTHERS, 48, 1);
        pen_error err;
        CHECK_OK(pen_neighbors(&s.rows.values, &other.rows.values, K, NULL, index, distance, &err),
                 &err);
        for (int64_t i = 0; i < OTHERS; i++) {
            pen_neighbor found[K];
            for (int64_t e = 0; e < K; e++) {
                const double d2 =
                    pen_rows_distance2_between(&other.rows, i, &s.rows, index[i * K + e]);
                found[e] = (pen_neighbor){ d2, index[i * K + e] };
                assert_true(distance[i * K + e] == sqrt(d2));
            }
            check_list(&other.rows, i, &s.rows, (pen_subset){ NULL, N }, 0, K, found, "others");
        }
        searched_close(&s);
        searched_close(&other);
    }
}

/* Fewer candidates than neighbors, or no candidate besides the query. */
TEST(few_candidates)
{
    enum { N = 4000 };
    pen_rng rng = check_rng(905);
    struct searched s = sample_open(&rng, NORMAL, PEN_F64, N, 32, 1);
    const int64_t few[] = { 5, 9, 3999 };
    const pen_subset queries = { NULL, N }, three = { few, 3 };
    pen_neighbor *found = check_allocate(N * 20, sizeof *found);
    const pen_code_search_task task = { { &s.rows, NULL, N }, { &s.rows, few, 3 }, 20, NULL, 0 },
                               all = { { &s.rows, NULL, N }, { &s.rows, NULL, N }, 20, NULL, 0 };
    int done;
    assert_int_equal(pen_code_search(s.run, &task, found, &done), PEN_OK);
    assert_int_equal(done, pen_code_search_is_worth(&task));
    assert_true(pen_code_search_is_worth(&all));
    s.rows.n = INT64_C(1) << 32; /* row numbers would not fit */
    assert_false(pen_code_search_is_worth(&all));
    s.rows.n = N;
    assert_int_equal(pen_neighbors_nearest(s.run, &s.rows, queries, three, 20, found), PEN_OK);
    for (int64_t e = 0; e < N * 20; e++) {
        const int64_t i = e / 20;
        assert_int_equal(found[e].row >= 0, e % 20 < 3 - (i == 5 || i == 9 || i == 3999));
    }
    searched_close(&s);
}

/* A filter must pass a pair if the reach of either row equals its distance. Each row of a tile in
 * turn has the right reach for one column at a time. */
static int64_t violations(const pen_coding *c, const pen_codes *codes, const pen_view *x, int64_t i,
                          int64_t j)
{
    _Alignas(64) int32_t products[PEN_AREA];
    const int64_t depth = c->depth;
    void *left = aligned_alloc(64, (size_t)(PEN_SIDE * depth + 63) / 64 * 64);
    const float none[PEN_SIDE] = { 0 };
    int64_t count = 0;

    if (c->tiles->open)
        c->tiles->open();
    if (c->tiles->left)
        c->tiles->left(depth, codes->panels + i * depth, left);
    else
        memcpy(left, codes->panels + i * depth, (size_t)(PEN_SIDE * depth));
    c->tiles->multiply(depth, left, codes->panels + j * depth, products);
    for (int64_t r = 0; r < PEN_SIDE; r++) {
        float reach[PEN_SIDE];
        uint32_t passing[PEN_SIDE];
        for (int64_t e = 0; e < PEN_SIDE; e++) {
            const double distance = sqrt(pen_rows_distance2(x, i + r, j + e)) * c->unit;
            /* as in code_search.c, without its allowance for rounded distances */
            const double t = (distance * (1 + 1e-13) + (double)codes->slack[j + e]) * (1 + 0x1p-22);
            reach[e] = (float)t >= t ? (float)t : nextafterf((float)t, INFINITY);
        }
        const pen_scaled_filter f = {
            codes->low + i, codes->twice + i, codes->slack + i, none, codes->base + j,
            codes->low + j, codes->scale + j, codes->slack + j, reach
        };
        c->tiles->scaled(&f, products, passing);
        count += PEN_SIDE - __builtin_popcount(passing[r]);
    }
    if (c->tiles->close)
        c->tiles->close();
    free(left);
    return count;
}

static void bounds_hold_with(pen_isa isa, pen_rng *rng)
{
    for (int round = 0; round < KINDS * check_repeats(1); round++) {
        const int kind = round % KINDS;
        const int64_t n = 96, d = 32 + pen_rng_below(rng, 200);
        struct searched s = sample_open(rng, (enum kind)kind, PEN_F64, n, d, 1);
        pen_coding coding;
        pen_codes codes;
        int suits;
        assert_int_equal(pen_coding_open(s.run, &s.rows, NULL, &coding, &suits), PEN_OK);
        if (suits && !coding.whole) {
            assert_int_equal(pen_codes_make(s.run, &coding, &s.rows, NULL, n, &codes), PEN_OK);
            for (int64_t i = 0; i < n; i += PEN_SIDE)
                for (int64_t j = 0; j < n; j += PEN_SIDE)
                    CHECK(violations(&coding, &codes, &s.rows, i, j) == 0,
                          "%s, kind %d, %lld columns, tile %lld %lld", pen_isa_name(isa), kind,
                          (long long)d, (long long)i, (long long)j);
        }
        searched_close(&s);
    }
}

TEST(bounds_hold)
{
    for_every_isa(bounds_hold_with, 906);
}

/* Coordinate i of the Hadamard transform of v [size], by definition. */
static long double hadamard(int64_t size, const long double *v, int64_t i)
{
    long double sum = 0;
    for (int64_t j = 0; j < size; j++)
        sum += __builtin_popcountll((unsigned long long)(i & j)) % 2 ? -v[j] : v[j];
    return sum / sqrtl((long double)size);
}

/* Rotates v [d]; work [d]. */
static void rotate(const pen_coding *c, int64_t d, long double *v, long double *work)
{
    int64_t size = 1;
    while (2 * size <= d)
        size *= 2;
    for (int round = 0; round < 2; round++) {
        for (int64_t j = 0; j < d; j++)
            v[j] *= (long double)c->signs[round * d + j];
        for (int part = 0; part < (size < d ? 2 : 1); part++) {
            long double *const from = v + (part ? d - size : 0);
            for (int64_t j = 0; j < size; j++)
                work[j] = hadamard(size, from, j);
            memcpy(from, work, (size_t)size * sizeof *work);
        }
    }
}

/* Codes, scales and residuals by definition: the slack is at least the residual, and not much more.
 * A residual far longer than that of bytes, about scale sqrt(d / 12), would be exact but
 * useless. */
TEST(codes_are_as_defined)
{
    enum { N = 5 };
    pen_rng rng = check_rng(908);
    for (int64_t d = 32; d <= 304; d += d < 100 ? 17 : 102)
        for (int kind = 0; kind < KINDS; kind++) {
            struct searched s = sample_open(&rng, (enum kind)kind, PEN_F64, N, d, 1);
            long double *v = check_allocate(2 * d, sizeof *v);
            double *block = check_allocate(d, sizeof *block);
            pen_coding c;
            pen_codes codes;
            int suits;
            assert_int_equal(pen_coding_open(s.run, &s.rows, NULL, &c, &suits), PEN_OK);
            if (suits && !c.whole)
                assert_int_equal(pen_codes_make(s.run, &c, &s.rows, NULL, N, &codes), PEN_OK);
            for (int64_t i = 0; suits && !c.whole && i < N; i++) {
                long double rest2 = 0, length2 = 0;
                pen_rows_block(&s.rows, NULL, i, 1, block);
                for (int64_t j = 0; j < d; j++)
                    v[j] = ((long double)block[j] - (c.center ? (long double)c.center[j] : 0))
                           * (long double)c.unit;
                rotate(&c, d, v, v + d);
                for (int64_t j = 0; j < d; j++) {
                    const int code = codes.panels[i / PEN_PANEL * pen_panel_bytes(c.depth)
                                                  + pen_panel_place(i % PEN_PANEL, j)];
                    const long double rest = v[j] - (long double)codes.scale[i] * code;
                    assert_true(abs(code) <= c.tiles->largest && abs(code) <= 127);
                    rest2 += rest * rest;
                    length2 += v[j] * v[j];
                }
                CHECK((double)sqrtl(rest2) <= (double)codes.slack[i]
                          && (double)codes.slack[i]
                                 <= (double)(sqrtl(rest2) * (1 + 1e-5L) + 1e-4L * sqrtl(length2))
                                        + c.absolute * (1 + 1e-6) + 2e-18,
                      "kind %d, %lld columns, row %lld: residual %g, slack %g", kind, (long long)d,
                      (long long)i, (double)sqrtl(rest2), (double)codes.slack[i]);
                assert_true(kind != SMOOTH
                            || (double)codes.slack[i]
                                   < 0.07 * sqrt((double)codes.length2[i]) * (double)codes.scale[i]
                                         + 1e-6);
            }
            searched_close(&s);
        }
}
