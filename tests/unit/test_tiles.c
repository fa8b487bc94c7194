/* test_tiles.c - dot products of codes in tiles, and the filters, of every instruction set of this
 * CPU and of the emulated ones: against literal loops and against each other. */
#define _DEFAULT_SOURCE
#include "check.h"

#include "core/cpu.h"
#include "oracle/emulated_tiles.h"

#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

enum { MOST_TABLES = 16, GUARD = 64 };

struct tables {
    int count;
    const pen_tiles *list[MOST_TABLES];
};

static struct tables all_tables(void)
{
    struct tables t = { 0 };

    for (int isa = 0; isa < PEN_ISA_COUNT; isa++)
        if (pen_isa_has((pen_isa)isa)) {
            t.list[t.count++] = pen_tiles_of_bytes((pen_isa)isa);
            t.list[t.count++] = pen_tiles_of_codes((pen_isa)isa);
        }
#if defined(__x86_64__)
    if (pen_isa_has(PEN_ISA_AVX2))
        t.list[t.count++] = &emulated_tiles_avx_vnni;
    if (pen_isa_has(PEN_ISA_AVX512))
        t.list[t.count++] = &emulated_tiles_amx;
#endif
    return t;
}

static void *allocate_aligned(int64_t bytes)
{
    void *const memory = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
    return keep_until_end(memory, free);
}

/* Codes of 32 rows [32 x depth]. Some rows have the largest code everywhere, some the smallest,
 * some both alternately, the rest any, so that a tile has every combination. */
static int8_t *new_codes(pen_rng *rng, int64_t depth, int largest)
{
    int8_t *const codes = check_allocate(PEN_SIDE * depth, 1);
    const int most = largest < 128 ? largest : 127;

    for (int64_t i = 0; i < PEN_SIDE; i++)
        for (int64_t k = 0; k < depth; k++) {
            const int any = (int)pen_rng_below(rng, most + largest + 1) - largest;
            const int code = i % 8 == 0   ? most
                             : i % 8 == 1 ? -largest
                             : i % 8 == 2 ? (k % 2 ? most : -largest)
                                          : any;
            codes[i * depth + k] = (int8_t)code;
        }
    return codes;
}

/* Two panels of `padded` codes, at `panels`; padding is 0. */
static void pack(int64_t depth, int64_t padded, const int8_t *codes, int8_t *panels)
{
    memset(panels, 0, (size_t)(2 * pen_panel_bytes(padded)));
    for (int64_t i = 0; i < PEN_SIDE; i++)
        for (int64_t k = 0; k < depth; k++)
            panels[i / PEN_PANEL * pen_panel_bytes(padded) + pen_panel_place(i % PEN_PANEL, k)] =
                codes[i * depth + k];
}

/* Products of the codes, and the sum of the codes in each row of b. */
struct literal {
    int64_t products[PEN_SIDE][PEN_SIDE], sums[PEN_SIDE];
};

static void literal_products(int64_t depth, const int8_t *a, const int8_t *b, struct literal *l)
{
    memset(l, 0, sizeof *l);
    for (int64_t j = 0; j < PEN_SIDE; j++) {
        for (int64_t k = 0; k < depth; k++)
            l->sums[j] += b[j * depth + k];
        for (int64_t i = 0; i < PEN_SIDE; i++)
            for (int64_t k = 0; k < depth; k++)
                l->products[i][j] += (int64_t)a[i * depth + k] * b[j * depth + k];
    }
}

/* The panels are misaligned by `shift` bytes. Nothing beyond them is read (memory checkers detect
 * that), and nothing beyond the result is written. */
static void check_products(const pen_tiles *t, int64_t depth, const int8_t *a, const int8_t *b,
                           const struct literal *l, int64_t shift)
{
    const int64_t padded = (depth + t->unit - 1) / t->unit * t->unit,
                  bytes = 2 * pen_panel_bytes(padded);
    int8_t *const a_memory = allocate_aligned(bytes + shift),
                  *const b_memory = allocate_aligned(bytes + shift),
                  *const left = allocate_aligned(bytes + GUARD);
    int32_t *const products = allocate_aligned((PEN_AREA + GUARD) * 4);

    memset(left, 77, (size_t)(bytes + GUARD));
    memset(products, 77, (PEN_AREA + GUARD) * 4);
    pack(depth, padded, a, a_memory + shift);
    pack(depth, padded, b, b_memory + shift);
    if (t->open)
        t->open();
    if (t->left)
        t->left(padded, a_memory + shift, left);
    for (int twice = 0; twice < 2; twice++) /* and nothing remains from the first call */
        t->multiply(padded, t->left ? left : a_memory + shift, b_memory + shift, products);
    if (t->close)
        t->close();
    for (int64_t i = 0; i < PEN_SIDE; i++)
        for (int64_t j = 0; j < PEN_SIDE; j++) {
            const int64_t expected = l->products[i][j] + t->bias * l->sums[j];
            CHECK(products[i * PEN_SIDE + j] == expected,
                  "%s, largest %d, depth %lld: product %lld, %lld is %d, expected %lld",
                  pen_isa_name(t->isa), t->largest, (long long)depth, (long long)i, (long long)j,
                  products[i * PEN_SIDE + j], (long long)expected);
        }
    for (int64_t i = 0; i < GUARD; i++)
        CHECK(left[bytes + i] == 77 && products[PEN_AREA + i] == 77 * 0x01010101,
              "%s writes outside the result", pen_isa_name(t->isa));
}

TEST(products_are_those_of_a_literal_loop)
{
    static const int64_t depths[] = { 1,   4,   8,    32,   64,    124,           128,
                                      132, 784, 1024, 3001, 33024, PEN_MOST_DEPTH };
    static const int largest[] = { 63, 128 };
    const struct tables tables = all_tables();
    pen_rng rng = check_rng(1);
    struct literal literal;

    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
        for (int s = 0; s < 2; s++) {
            int8_t *const a = new_codes(&rng, depths[d], largest[s]);
            int8_t *const b = new_codes(&rng, depths[d], largest[s]);
            literal_products(depths[d], a, b, &literal);
            for (int t = 0; t < tables.count; t++)
                if (tables.list[t]->largest >= largest[s])
                    check_products(tables.list[t], depths[d], a, b, &literal,
                                   t % 2 ? pen_rng_below(&rng, 64) : 0);
        }
}

/* Tables describe their products; a set without its own products takes those of a lesser set of
 * this CPU. */
TEST(every_set_has_tiles)
{
    const struct tables tables = all_tables();
    const pen_isa before = pen_isa_now();

    assert_true(tables.count >= 2);
    for (int t = 0; t < tables.count; t++) {
        const pen_tiles *const own = tables.list[t];
        const int64_t largest = own->largest, most = largest < 128 ? largest : 127;
        assert_true(own->multiply && own->whole && own->scaled && !own->open == !own->close);
        assert_true(PEN_MOST_DEPTH % own->unit == 0 && own->unit % 4 == 0);
        assert_true(largest > 0 && largest <= 128);
        assert_true((most + own->bias) * largest * PEN_MOST_DEPTH <= INT32_MAX);
    }
    for (int isa = 0; isa < PEN_ISA_COUNT; isa++) {
        if (!pen_isa_has((pen_isa)isa))
            continue;
        pen_isa_use((pen_isa)isa);
        assert_int_equal(pen_isa_now(), isa);
        const pen_tiles *const bytes = pen_tiles_of_bytes(pen_isa_now());
        const pen_tiles *const codes = pen_tiles_of_codes(pen_isa_now());
        CHECK(bytes->largest == 128 && pen_isa_has(bytes->isa) && pen_isa_has(codes->isa),
              "%s has tiles of %s and %s", pen_isa_name((pen_isa)isa), pen_isa_name(bytes->isa),
              pen_isa_name(codes->isa));
    }
    pen_isa_use(before);
}

/* Arguments of filters; the odd member before the arrays misaligns all of them. */
struct arrays {
    _Alignas(64) int32_t products[PEN_AREA];
    int32_t odd, own[PEN_SIDE], own_most[PEN_SIDE], base[PEN_SIDE], most[PEN_SIDE];
    float own_length[PEN_SIDE], own_scale[PEN_SIDE], own_slack[PEN_SIDE], own_reach[PEN_SIDE];
    float length[PEN_SIDE], scale[PEN_SIDE], slack[PEN_SIDE], reach[PEN_SIDE];
    pen_whole_filter by_whole;
    pen_scaled_filter by_scaled;
};

static struct arrays *new_arrays(void)
{
    struct arrays *const a = allocate_aligned(sizeof *a);

    memset(a, 0, sizeof *a);
    a->by_whole = (pen_whole_filter){ a->own, a->own_most, a->base, a->most };
    a->by_scaled = (pen_scaled_filter){
        .own_length = a->own_length,
        .own_scale = a->own_scale,
        .own_slack = a->own_slack,
        .own_reach = a->own_reach,
        .base = a->base,
        .length = a->length,
        .scale = a->scale,
        .slack = a->slack,
        .reach = a->reach,
    };
    return a;
}

/* Pairs that pass, by wider numbers: in int64, and in double, where sums and products of two
 * floats, rounded to float, equal those of floats. */
static uint32_t literal_whole(const struct arrays *a, int i)
{
    const pen_whole_filter *const f = &a->by_whole;
    uint32_t bits = 0;

    for (int j = 0; j < PEN_SIDE; j++) {
        const int64_t distance2 =
            (int64_t)f->own[i] + f->base[j] - 2 * (int64_t)a->products[i * PEN_SIDE + j];
        if (distance2 <= f->own_reach[i] || distance2 <= f->reach[j])
            bits |= 1u << j;
    }
    return bits;
}

static float plus(float a, float b)
{
    return (float)((double)a + (double)b);
}

static float times(float a, float b)
{
    return (float)((double)a * (double)b);
}

static uint32_t literal_scaled(const struct arrays *a, int i)
{
    const pen_scaled_filter *const f = &a->by_scaled;
    uint32_t bits = 0;

    for (int j = 0; j < PEN_SIDE; j++) {
        const float p = (float)((int64_t)a->products[i * PEN_SIDE + j] - f->base[j]),
                    low = plus(plus(f->own_length[i], f->length[j]),
                               -times(f->own_scale[i], times(f->scale[j], p))),
                    t1 = plus(f->own_reach[i], f->slack[j]),
                    t2 = plus(f->reach[j], f->own_slack[i]);
        assert_false(isnan(low) || isnan(t1) || isnan(t2));
        if (low <= times(t1, t1) || low <= times(t2, t2))
            bits |= 1u << j;
    }
    return bits;
}

/* All tables against the literal filters. Returns the number of pairs that pass. */
static int64_t check_filters(const struct tables *tables, const struct arrays *a, int scaled)
{
    uint32_t passing[PEN_SIDE + 1], any = 0, expected[PEN_SIDE];
    int64_t count = 0;

    for (int i = 0; i < PEN_SIDE; i++) {
        any |= expected[i] = scaled ? literal_scaled(a, i) : literal_whole(a, i);
        for (int j = 0; j < PEN_SIDE; j++)
            count += expected[i] >> j & 1;
    }
    for (int t = 0; t < tables->count; t++) {
        const pen_tiles *const own = tables->list[t];
        memset(passing, 77, sizeof passing);
        const int answer = scaled ? own->scaled(&a->by_scaled, a->products, passing)
                                  : own->whole(&a->by_whole, a->products, passing);
        CHECK(!answer == !any, "%s answers %d", pen_isa_name(own->isa), answer);
        CHECK(passing[PEN_SIDE] == 77 * 0x01010101, "%s writes more", pen_isa_name(own->isa));
        for (int i = 0; i < PEN_SIDE; i++)
            CHECK(passing[i] == expected[i], "%s, %s filter, row %d: %08x passes, expected %08x",
                  pen_isa_name(own->isa), scaled ? "scaled" : "whole", i, passing[i], expected[i]);
    }
    return count;
}

static int32_t any_within(pen_rng *rng, int64_t most)
{
    return (int32_t)(pen_rng_below(rng, 2 * most + 1) - most);
}

/* Distances near both ends of int32, with intermediate sums beyond them, and small ones that tie
 * often. */
TEST(filters_of_whole_distances)
{
    static const int64_t spans[] = { 3, 1000, INT32_MAX / 8 };
    const struct tables tables = all_tables();
    struct arrays *const a = new_arrays();
    pen_rng rng = check_rng(2);
    int64_t passed = 0;
    const int repeats = check_repeats(300);

    for (int repeat = 0; repeat < repeats; repeat++) {
        const int64_t span = spans[repeat % 3];
        const int32_t far = span > 1000 ? INT32_MAX / 2 : 0; /* own + base is almost 2^31 */
        for (int i = 0; i < PEN_SIDE; i++) {
            a->own[i] = far + any_within(&rng, span);
            a->own_most[i] = i % 7 ? any_within(&rng, 2 * span) : -1;
            a->base[i] = far + any_within(&rng, span);
            a->most[i] = i % 5 ? any_within(&rng, 2 * span) : i ? -1 : INT32_MAX;
        }
        for (int i = 0; i < PEN_AREA; i++)
            a->products[i] = far + any_within(&rng, span);
        passed += check_filters(&tables, a, 0);
    }
    CHECK(passed > repeats * PEN_AREA / 10 && passed < repeats * PEN_AREA * 9 / 10,
          "%lld pairs passed", (long long)passed);
    for (int i = 0; i < PEN_SIDE; i++) {
        a->own[i] = a->base[i] = 10;
        a->own_most[i] = a->most[i] = 5;
    }
    memset(a->products, 0, PEN_AREA * 4);
    assert_int_equal(check_filters(&tables, a, 0), 0);
    a->products[PEN_AREA - 1] = 8;
    assert_int_equal(check_filters(&tables, a, 0), 1);
}

/* Small integers tie often; the other values round at every step. Products beyond 2^24 are rounded
 * to floats. */
static int64_t fill_scaled(struct arrays *a, pen_rng *rng, int whole, int large)
{
    const float unit = large ? 0x1p-14f : 1;
    int64_t ties = 0;

#define ANY (whole ? (float)pen_rng_below(rng, 5) : 4 * (float)pen_rng_uniform(rng))
    for (int i = 0; i < PEN_SIDE; i++) {
        a->own_length[i] = 2 * ANY;
        a->length[i] = 2 * ANY;
        a->own_scale[i] = unit * (whole ? 1 : ANY);
        a->scale[i] = unit * (whole ? 1 : ANY);
        a->own_slack[i] = whole ? ANY > 3 : ANY / 4;
        a->slack[i] = whole ? ANY > 3 : ANY / 4;
        a->own_reach[i] = i % 9 ? ANY : 0;
        a->reach[i] = i % 7 ? ANY : 0;
        a->base[i] = any_within(rng, large ? INT32_MAX / 2 : 4);
    }
#undef ANY
    for (int i = 0; i < PEN_AREA; i++)
        a->products[i] = any_within(rng, large ? INT32_MAX / 2 : 16);
    for (int i = 0; i < PEN_AREA; i++) {
        const int row = i / PEN_SIDE, j = i % PEN_SIDE;
        const float t = fmaxf(a->own_reach[row] + a->slack[j], a->reach[j] + a->own_slack[row]),
                    p = a->own_scale[row] * a->scale[j] * (float)(a->products[i] - a->base[j]);
        ties += a->own_length[row] + a->length[j] - p == t * t;
    }
    return ties;
}

TEST(filters_of_scaled_codes)
{
    const struct tables tables = all_tables();
    struct arrays *const a = new_arrays();
    pen_rng rng = check_rng(3);
    int64_t passed = 0, ties = 0;
    const int repeats = check_repeats(300);

    for (int repeat = 0; repeat < repeats; repeat++) {
        ties += fill_scaled(a, &rng, repeat % 2 == 0, repeat % 4 >= 2);
        passed += check_filters(&tables, a, 1);
    }
    CHECK(passed > repeats * PEN_AREA / 10 && passed < repeats * PEN_AREA * 9 / 10
              && ties > 5 * repeats,
          "%lld pairs passed, %lld tied", (long long)passed, (long long)ties);
}

/* Infinite reaches, finite ones with an infinite square, and zeros. */
TEST(filters_of_infinite_reaches)
{
    const struct tables tables = all_tables();
    struct arrays *const a = new_arrays();

    for (int i = 0; i < PEN_SIDE; i++) {
        a->own_length[i] = a->length[i] = 0x1p126f; /* no pair is near without a reach */
        a->own_scale[i] = a->scale[i] = 0x1p40f;
    }
    assert_int_equal(check_filters(&tables, a, 1), 0);
    a->own_reach[3] = a->reach[17] = INFINITY;
    a->own_slack[5] = 0x1p-149f;
    assert_int_equal(check_filters(&tables, a, 1), 2 * PEN_SIDE - 1);
    a->own_reach[4] = 0x1p127f;
    assert_int_equal(check_filters(&tables, a, 1), 3 * PEN_SIDE - 2);
    memset(a->own_length, 0, sizeof a->own_length);
    memset(a->length, 0, sizeof a->length);
    memset(a->own_reach, 0, sizeof a->own_reach);
    memset(a->reach, 0, sizeof a->reach);
    assert_int_equal(check_filters(&tables, a, 1), PEN_AREA); /* 0 <= 0 */
    a->products[PEN_AREA - 1] = -1;
    assert_int_equal(check_filters(&tables, a, 1), PEN_AREA - 1);
}

/* Linux grants a process the AMX registers on request. */
TEST(amx_is_found_if_linux_grants_it)
{
#if defined(__x86_64__) && defined(__linux__)
    const unsigned long long wanted = CPU_AMX_TILE | CPU_AMX_INT8 | CPU_AVX512VNNI;

    if ((pen_cpu_features() & wanted) == wanted && syscall(SYS_arch_prctl, 0x1023, 18) == 0)
        assert_true(pen_isa_has(PEN_ISA_AMX));
#else
#endif
}
