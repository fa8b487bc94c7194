/* test_links.c - sets of pairs, as lists and as bits, against a 0-1 table; sampling without
 * replacement; published draws of pairs. */
#include "kit/opened.h"

#include "core/random_subset.h"

enum { MOST = 200 };

struct table {
    int64_t n, count;
    char *has; /* [n x n] */
};

/* Adds random pairs, some duplicate, in any order of ends, to a set and a table. */
static struct table fill(pen_run *run, pen_rng *rng, int64_t n, int64_t additions, int dense,
                         pen_links *links)
{
    struct table t = { .n = n, .has = check_allocate(n * n, 1) };

    CHECK_CALL(pen_links_new(run, n, additions, dense, links));
    for (int64_t k = 0; k < additions; k++) {
        const int64_t i = pen_rng_below(rng, n), j = (i + 1 + pen_rng_below(rng, n - 1)) % n;
        pen_links_add(links, i, j, 1);
        t.count += !t.has[i * n + j];
        t.has[i * n + j] = t.has[j * n + i] = 1;
    }
    CHECK_CALL(pen_links_sort(run, links));
    assert_int_equal(links->count, t.count);
    assert_int_equal(links->repeated, additions - t.count);
    return t;
}

/* Row i between `from` and `to`: in order, with its ends. */
static void check_row(const pen_links *links, const struct table *t, int64_t i, int64_t from,
                      int64_t to)
{
    int64_t found[MOST], low = t->n, high = -1, at = 0, first = t->n, last = -1;
    const int64_t count = pen_links_of(links, i, from, to, found);

    pen_links_span(links, i, from, to, &low, &high);
    for (int64_t j = pen_max(from, i + 1); j < to; j++)
        if (t->has[i * t->n + j]) {
            assert_true(at < count && found[at++] == j);
            first = pen_min(first, j);
            last = j;
        }
    assert_true(at == count && low == first && high == last);
}

static void check_set(pen_run *run, pen_rng *rng, pen_links *links, const struct table *t)
{
    const int64_t n = t->n;
    double degree[MOST] = { 0 };
    int64_t all[MOST], some[MOST], sum = 0;

    CHECK_CALL(pen_links_index(run, links));
    pen_links_add_degrees(links, degree);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            degree[i] -= t->has[i * n + j];
        assert_true(degree[i] == 0);
        const int64_t from = pen_rng_below(rng, n), to = from + pen_rng_below(rng, n - from + 1);
        check_row(links, t, i, 0, n);
        check_row(links, t, i, from, to);
        const int64_t count = pen_links_of(links, i, 0, n, all),
                      skip = count ? pen_rng_below(rng, count) : 0,
                      got = count ? pen_links_slice(links, i, skip, from + 1, some) : 0;
        assert_int_equal(got, count ? pen_min(from + 1, count - skip) : 0);
        assert_memory_equal(some, all + skip, (size_t)got * sizeof *some);
        assert_int_equal(links->first[i], sum);
        sum += count;
    }
    assert_true(links->first[n] == sum && links->count == sum);
}

static int odd_sum(void *context, int64_t i, int64_t j, double weight)
{
    struct table *t = context;
    const int keep = (int)((i + j) % 2);
    assert_true(i < j && t->has[i * t->n + j] && weight == 1);
    t->has[i * t->n + j] = t->has[j * t->n + i] = (char)keep;
    return keep;
}

/* Checks a set of none to all pairs, two sets without their common pairs, and one of these without
 * even sums. */
TEST(sets)
{
    static const int64_t sizes[] = { 2, 3, 63, 64, 65, 127, 128, 129, MOST };
    pen_rng rng = check_rng(401);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int64_t n = sizes[s], additions = 0; additions < 4 * n * n;
             additions = 1 + 5 * additions)
            for (int dense = 0; dense < 2; dense++) {
                pen_run *run = check_run(1, NULL);
                pen_links a, b, c;
                struct table ta = fill(run, &rng, n, additions, dense, &a),
                             tb = fill(run, &rng, n, additions / 2, dense, &b),
                             tc = fill(run, &rng, n, additions, dense, &c);
                int64_t both = 0, i = -1, j = -1, first = -1;
                check_set(run, &rng, &c, &tc);
                for (int64_t k = 0; k < n * n; k++)
                    if (ta.has[k] && tb.has[k]) {
                        if (k / n < k % n && both++ == 0)
                            first = k;
                        ta.has[k] = tb.has[k] = 0;
                    }
                assert_int_equal(pen_links_remove_common(&a, &b, &i, &j), both);
                if (both)
                    assert_int_equal(i * n + j, first);
                pen_links_filter(&a, odd_sum, &ta);
                check_set(run, &rng, &a, &ta);
                check_set(run, &rng, &b, &tb);
                pen_run_close(run);
            }
}

TEST(bits_are_used_when_they_are_smaller)
{
    assert_false(pen_links_are_dense(6000, 281203)); /* 6000 * 5999 / 2 / 64 = 281203.1 */
    assert_true(pen_links_are_dense(6000, 281204));
}

TEST(draws_are_sets_of_the_size_asked_for)
{
    static const int64_t totals[] = { 1, 2, 64, 65, 1000, 100000 };
    for (size_t t = 0; t < sizeof totals / sizeof *totals; t++)
        for (int64_t count = 0; count <= totals[t];
             count = count < totals[t] && 3 * count + 1 > totals[t] ? totals[t] : 3 * count + 1) {
            pen_run *run = check_run(1, NULL);
            pen_rng rng = check_rng((uint64_t)(410 + count));
            pen_draw draw;
            pen_draw_cursor place = { 0, 0 };
            int64_t last = -1, found = 0;
            CHECK_CALL(pen_draw_open(run, &rng, totals[t], count, &draw));
            for (int64_t k = pen_draw_next(&draw, &place); k >= 0;
                 k = pen_draw_next(&draw, &place), found++) {
                assert_true(k > last && k < totals[t]);
                last = k;
            }
            assert_int_equal(found, count);
            pen_run_close(run);
        }
}

/* The numbers excluded in one draw are those included in the other. */
TEST(large_draws_store_the_complement)
{
    enum { TOTAL = 400000, FEW = 5 };
    pen_run *run = check_run(1, NULL);
    pen_rng one = { 3 }, two = { 3 };
    pen_draw few, most;
    pen_draw_cursor at = { 0, 0 }, other = { 0, 0 };
    CHECK_CALL(pen_draw_open(run, &one, TOTAL, FEW, &few));
    CHECK_CALL(pen_draw_open(run, &two, TOTAL, TOTAL - FEW, &most));
    int64_t out = pen_draw_next(&few, &at), in = pen_draw_next(&most, &other);
    for (int64_t k = 0; k < TOTAL; k++)
        if (k == out)
            out = pen_draw_next(&few, &at);
        else {
            assert_int_equal(in, k);
            in = pen_draw_next(&most, &other);
        }
    assert_true(in == -1 && out == -1);
    pen_run_close(run);
}

struct drawn {
    int64_t must[1000][2], cannot[1000][2], musts, cannots;
};

/* The pairs of one kind, in ascending order. */
static void take(const int64_t *pairs, int64_t count, int64_t (*list)[2], int64_t *size)
{
    assert_true(count < 1000);
    *size = count;
    for (int64_t k = 0; k < count; k++) {
        list[k][0] = pairs[2 * k];
        list[k][1] = pairs[2 * k + 1];
        assert_true(list[k][0] < list[k][1]);
        assert_true(k == 0 || list[k - 1][0] < list[k][0]
                    || (list[k - 1][0] == list[k][0] && list[k - 1][1] < list[k][1]));
    }
}

static struct drawn draw_pairs(const int32_t *labels, int64_t n, const char *text, uint64_t seed)
{
    struct drawn d = { .musts = 0 };
    pen_pairs *pairs;
    pen_error err;

    CHECK_OK(pen_sample_pairs(labels, n, text, seed, NULL, &pairs, &err), &err);
    take(pairs->must_link, pairs->must_link_count, d.must, &d.musts);
    take(pairs->cannot_link, pairs->cannot_link_count, d.cannot, &d.cannots);
    assert_true(!pairs->must_link_weights && !pairs->cannot_link_weights);
    pen_pairs_free(pairs);
    return d;
}

/* Reference numbers that other programs draw with the same seed. */
TEST(the_published_pairs)
{
    static const int64_t must[3][2] = { { 0, 11 }, { 6, 32 }, { 8, 36 } },
                         cannot[3][2] = { { 3, 128 }, { 4, 61 }, { 4, 70 } };
    int32_t labels[150];
    int64_t sum = 0;
    for (int i = 0; i < 150; i++)
        labels[i] = i / 50;
    const struct drawn d = draw_pairs(labels, 150, "0.5%", 9);
    assert_int_equal(d.musts, 22);
    assert_int_equal(d.cannots, 34);
    assert_memory_equal(d.must, must, sizeof must);
    assert_memory_equal(d.cannot, cannot, sizeof cannot);
    for (int64_t k = 0; k < d.musts; k++)
        sum += 31 * d.must[k][0] + d.must[k][1];
    for (int64_t k = 0; k < d.cannots; k++)
        sum += 31 * d.cannot[k][0] + d.cannot[k][1];
    assert_int_equal(sum, 93948);
}

/* Labels in any order, some missing: kinds match the labels, counts are as requested. */
TEST(kinds_and_counts)
{
    enum { N = 60 };
    pen_rng rng = check_rng(420);
    for (int repeat = 0; repeat < check_repeats(50); repeat++) {
        int32_t labels[N];
        int64_t musts = 0, cannots = 0, must = 0;
        char text[64];
        for (int i = 0; i < N; i++)
            labels[i] = (int32_t)pen_rng_below(&rng, 4) - 1;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < i; j++)
                if (labels[i] != PEN_UNLABELLED && labels[j] != PEN_UNLABELLED) {
                    musts += labels[i] == labels[j];
                    cannots += labels[i] != labels[j];
                }
        const int64_t most = repeat % 2 ? cannots : musts + cannots,
                      other = 1 + pen_rng_below(&rng, most < 900 ? most : 900);
        if (repeat % 2)
            must = pen_rng_below(&rng, musts + 1);
        if (repeat % 2)
            snprintf(text, sizeof text, "%lld+%lld", (long long)must, (long long)other);
        else
            snprintf(text, sizeof text, "%lld", (long long)other);
        const struct drawn d = draw_pairs(labels, N, text, pen_rng_next(&rng));
        assert_int_equal(d.musts + d.cannots, must + other);
        assert_true(repeat % 2 == 0 || d.musts == must);
        for (int64_t k = 0; k < d.musts; k++)
            assert_int_equal(labels[d.must[k][0]], labels[d.must[k][1]]);
        for (int64_t k = 0; k < d.cannots; k++)
            assert_int_not_equal(labels[d.cannot[k][0]], labels[d.cannot[k][1]]);
    }
}

/* The ten rows of docs/sampling.md; row i has class i mod 3. */
TEST(the_tables_of_the_documentation)
{
    static const int64_t must[4][2] = { { 0, 6 }, { 2, 5 }, { 3, 6 }, { 4, 7 } }, cannot[6][2] = {
        { 1, 5 }, { 1, 8 }, { 2, 9 }, { 3, 4 }, { 4, 9 }, { 7, 8 }
    };
    static const int32_t two[10] = { 0, 1, -1, 0, 1, 2, -1, -1, 2, -1 };
    int32_t labels[10], kept[10];
    pen_error err;
    for (int i = 0; i < 10; i++)
        labels[i] = i % 3;
    const struct drawn d = draw_pairs(labels, 10, "4+6", 9);
    assert_memory_equal(d.must, must, sizeof must);
    assert_memory_equal(d.cannot, cannot, sizeof cannot);
    assert_int_equal(draw_pairs(labels, 10, "40", 9).musts, 12 - 2);
    CHECK_OK(pen_sample_labels(labels, 10, "2", 9, kept, &err), &err);
    assert_memory_equal(kept, two, sizeof two);
}

#define TOO_LONG "99999999999999999999"

TEST(bad_samples)
{
    static const char *const bad[] = {
        "",    "-1%", "0%",  "101%", "nan%", "3%4", "3 %", "-1",    "0",      "7",
        "1.5", "3+0", "0+5", "0+0",  "-1+2", "1+",  "+1",  "1+2+3", TOO_LONG, ("1+" TOO_LONG),
    };
    static const int32_t labels[] = { 0, 0, 1, 1 }, none[] = { -1, -1, 3, -1 };
    pen_pairs *pairs;
    pen_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(pen_sample_pairs(labels, 4, bad[i], 0, NULL, &pairs, &err) == PEN_BAD_ARGUMENT
                  && !pairs && err.message[0],
              "\"%s\"", bad[i]);
    }
    assert_int_equal(pen_sample_pairs(none, 4, "100%", 0, NULL, &pairs, &err), PEN_NO_LABELS);
    const struct drawn all = draw_pairs(labels, 4, "1e2%", 0);
    assert_int_equal(all.musts, 2);
    assert_int_equal(all.cannots, 4);
}

TEST(the_caller_may_stop)
{
    int32_t labels[300] = { 0 };
    struct check_stop stop = { .at = 0 };
    const pen_control control = { .progress = check_stop_at, .user = &stop };
    pen_pairs *pairs;
    pen_error err;
    assert_int_equal(pen_sample_pairs(labels, 300, "100%", 0, &control, &pairs, &err),
                     PEN_CANCELLED);
    assert_true(stop.reports > 0 && !pairs);
}

TEST(labels_are_kept_by_class)
{
    enum { N = 400 };
    int32_t labels[N], kept[N];
    pen_rng rng = check_rng(430);
    pen_error err;
    for (int repeat = 0; repeat < check_repeats(20); repeat++) {
        int64_t size[4] = { 0 }, left[4] = { 0 };
        for (int i = 0; i < N; i++)
            labels[i] = (int32_t)pen_rng_below(&rng, 5) - 1;
        const int64_t per_class = 1 + pen_rng_below(&rng, 100);
        char count[24];
        snprintf(count, sizeof count, "%lld", (long long)per_class);
        CHECK_OK(pen_sample_labels(labels, N, repeat % 2 ? count : "12.5%", 5, kept, &err), &err);
        for (int i = 0; i < N; i++) {
            assert_true(kept[i] == PEN_UNLABELLED || kept[i] == labels[i]);
            if (labels[i] >= 0)
                size[labels[i]]++;
            if (kept[i] >= 0)
                left[kept[i]]++;
        }
        for (int c = 0; c < 4; c++)
            assert_int_equal(left[c], repeat % 2 ? (per_class < size[c] ? per_class : size[c])
                                                 : (int64_t)floor(0.125 * (double)size[c] + 0.5));
    }
    static const char *const bad[] = { "", "0", "-2", "2.5", "0%", "101%", "few", "5%%" };
    static const int32_t nothing[] = { -1, -1 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(pen_sample_labels(labels, N, bad[i], 0, kept, &err) == PEN_BAD_ARGUMENT, "\"%s\"",
              bad[i]);
    assert_int_equal(pen_sample_labels(nothing, 2, "100%", 0, kept, &err), PEN_NO_LABELS);
    CHECK_OK(pen_sample_labels(labels, N, "100%", 0, kept, &err), &err);
    assert_memory_equal(labels, kept, sizeof labels);
}

/* By definition: the ascending rows of each class are permuted, class by class, the largest first,
 * from one stream. */
TEST(the_first_of_a_permutation)
{
    static const int32_t labels[] = { 7, -1, 2, 7, 2, 7, 7, 2 };
    static const int64_t members[2][4] = { { 0, 3, 5, 6 }, { 2, 4, 7, 0 } };
    static const int64_t sizes[] = { 4, 3 };
    int32_t kept[8], expected[8];
    int64_t order[4];
    pen_rng rng = { 11 };
    pen_error err;
    for (int i = 0; i < 8; i++)
        expected[i] = PEN_UNLABELLED;
    for (int c = 0; c < 2; c++) {
        pen_rng_permutation(&rng, sizes[c], order);
        for (int i = 0; i < 2; i++)
            expected[members[c][order[i]]] = labels[members[c][order[i]]];
    }
    CHECK_OK(pen_sample_labels(labels, 8, "2", 11, kept, &err), &err);
    assert_memory_equal(kept, expected, sizeof kept);
}
