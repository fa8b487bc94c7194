/* test_pairs.c - scatters of pairs: every route against sums over pairs, with several blocks and
 * tiles; supervision combined from lists, labels, and samples. */
#include "kit/opened.h"

#include "linalg/factored.h"
#include "scatter/pair_scatter.h"
#include "scatter/scatter.h"

/* Rows, and two lists of pairs. */
struct problem {
    int64_t n, d;
    pen_array x;
    double *values; /* [n x d], the values of x */
    void *stored;
    int32_t *labels;
    int64_t *must, *cannot, musts, cannots;
};

/* Rows around 100, as bytes if requested, and pairs of both kinds with the given probabilities;
 * must-links are within classes. */
static struct problem make(pen_rng *rng, pen_dtype type, int64_t n, int64_t d, int64_t classes,
                           double must, double cannot)
{
    struct problem p = { .n = n, .d = d };

    p.values = check_allocate(n * d, sizeof *p.values);
    p.stored = check_allocate(n * d, sizeof(double));
    p.labels = check_allocate(n, sizeof *p.labels);
    p.must = check_allocate(n * n, sizeof *p.must);
    p.cannot = check_allocate(n * n, sizeof *p.cannot);
    for (int64_t i = 0; i < n; i++)
        p.labels[i] = (int32_t)pen_rng_below(rng, classes);
    for (int64_t k = 0; k < n * d; k++) {
        p.values[k] =
            fmax(0, fmin(255, 100 + 20 * check_normal(rng) + 10 * p.labels[k / d] * (k % 3 == 0)));
        if (type != PEN_F64)
            p.values[k] = floor(p.values[k]);
        if (type == PEN_F64)
            ((double *)p.stored)[k] = p.values[k];
        else if (type == PEN_F32)
            ((float *)p.stored)[k] = (float)p.values[k];
        else
            ((uint8_t *)p.stored)[k] = (uint8_t)p.values[k];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            const int same = p.labels[i] == p.labels[j];
            int64_t *const list = same ? p.must : p.cannot, *const count =
                                                                same ? &p.musts : &p.cannots;
            if (pen_rng_uniform(rng) >= (same ? must : cannot))
                continue;
            list[2 * *count] = pen_rng_below(rng, 2) ? i : j;
            list[2 * *count + 1] = list[2 * *count] == i ? j : i;
            ++*count;
        }
    p.x = pen_dense(p.stored, type, n, d, d);
    return p;
}

static pen_data data_of(const struct problem *p)
{
    return (pen_data){ .x = p->x,
                       .must_link = p->must,
                       .must_link_count = p->musts,
                       .cannot_link = p->cannot,
                       .cannot_link_count = p->cannots };
}

/* Options of the tests. */
static pen_pair_params how;

/* The data as methods receive it, and two zero matrices. */
struct scatters {
    opened o;
    pen_sym W, B;
};

static void open_data(const pen_data *data, enum pen_order order, int threads, struct scatters *s)
{
    open_pairs(data, threads, &how, order, &s->o);
    CHECK_CALL(pen_sym_zero(s->o.run, data->x.cols, &s->W));
    CHECK_CALL(pen_sym_zero(s->o.run, data->x.cols, &s->B));
}

static void add_links(struct scatters *s, const pen_links *links, int route, double weight,
                      pen_sym *to)
{
    CHECK_CALL(pen_scatter_links(s->o.run, &s->o.p, links, (pen_route)route, weight, to, NULL));
}

/* Sum over the pairs, lower triangle. */
static double *literal(const struct problem *p, const int64_t *list, int64_t count)
{
    double *S = check_allocate(p->d * p->d, sizeof *S),
           *difference = check_allocate(p->d, sizeof *difference);
    for (int64_t k = 0; k < count; k++) {
        for (int64_t j = 0; j < p->d; j++)
            difference[j] =
                p->values[list[2 * k] * p->d + j] - p->values[list[2 * k + 1] * p->d + j];
        for (int64_t a = 0; a < p->d; a++)
            for (int64_t b = 0; b <= a; b++)
                S[a * p->d + b] += difference[a] * difference[b];
    }
    return S;
}

static void check_routes(pen_dtype type, int64_t n, int64_t d, double must, double cannot)
{
    static const char *const names[] = { "least", "differences", "gather", "tiles" };
    pen_rng rng = check_rng((uint64_t)(500 + n + d));
    struct problem p = make(&rng, type, n, d, 3, must, cannot);
    double *S_W = literal(&p, p.must, p.musts), *S_B = literal(&p, p.cannot, p.cannots),
           *first[4] = { NULL };
    const pen_data data = data_of(&p);

    for (int threads = 1; threads <= 3; threads += 2)
        for (int route = PEN_ROUTE_LEAST; route <= PEN_ROUTE_TILES; route++) {
            struct scatters s;
            open_data(&data, route % 2 ? PEN_ORDER_ROWS : PEN_ORDER_MUST_LINKS, threads, &s);
            add_links(&s, &s.o.pairs.must, route, 0.5, &s.W);
            add_links(&s, &s.o.pairs.cannot, route, -2, &s.B);
            check_scatter_is(&s.W, S_W, 0.5, 1e-10, names[route]);
            check_scatter_is(&s.B, S_B, -2, 1e-10, names[route]);
            if (threads == 1) {
                first[route] = check_allocate(d * d, sizeof **first);
                memcpy(first[route], s.B.a, (size_t)(d * d) * sizeof **first);
            }
            for (int64_t i = 0; i < d; i++)
                assert_memory_equal(first[route] + i * d, s.B.a + i * d,
                                    (size_t)(i + 1) * sizeof(double));
            pen_run_close(s.o.run);
        }
}

TEST(all_routes_give_the_same_scatter)
{
    check_routes(PEN_F64, 40, 7, 0.4, 0.2);
    check_routes(PEN_F64, 300, 20, 1, 1);
    check_routes(PEN_F64, 300, 20, 0.02, 0.3);
    check_routes(PEN_F64, 2300, 5, 0.3, 0.3);
    check_routes(PEN_F64, 2300, 5, 0.001, 0.002);
    check_routes(PEN_F32, 1200, 9, 0.05, 0.01);
}

/* More than 2^20 bytes use single precision in tiles, exactly. */
TEST(bytes_in_single_precision)
{
    check_routes(PEN_U8, 2700, 400, 0.003, 0.0008);
    check_routes(PEN_F32, 2700, 400, 0.0005, 0.0003);
}

/* Fewer pairs than columns: the eigenvalues come from singular values of the difference rows and
 * include directions that a formed matrix would lose. */
TEST(few_pairs_are_kept_as_rows)
{
    enum { N = 60, D = 40, PAIRS = 8 };
    pen_rng rng = check_rng(520);
    struct problem p = make(&rng, PEN_F64, N, D, 2, 0, 0);
    for (int64_t k = 0; k < PAIRS; k++) {
        /* Pairs of rows 2k, 2k + 1 that differ by 10^-k along column k. */
        memcpy(p.values + (2 * k + 1) * D, p.values + 2 * k * D, D * sizeof *p.values);
        p.values[2 * k * D + k] = 0;
        p.values[(2 * k + 1) * D + k] = pow(10, -(double)k);
        p.cannot[2 * k] = 2 * k;
        p.cannot[2 * k + 1] = 2 * k + 1;
    }
    memcpy(p.stored, p.values, N * D * sizeof *p.values);
    p.cannots = PAIRS;
    const pen_data data = data_of(&p);
    struct scatters s;
    pen_factored B, W;
    pen_eig e;
    pen_sym S;
    open_data(&data, PEN_ORDER_MUST_LINKS, 0, &s);
    CHECK_CALL(pen_scatter_pairs_factored(s.o.run, &s.o.p, &B, &W));
    assert_non_null(B.rows);
    assert_int_equal(B.count, PAIRS);
    assert_int_equal(W.count, 0);
    CHECK_CALL(pen_factored_eig(s.o.run, &B, &e));
    assert_int_equal(e.rank, PAIRS);
    for (int k = 0; k < PAIRS; k++) {
        CHECK_CLOSE(e.values[k], pow(10, -2.0 * k), 1e-9, 0);
        CHECK_CLOSE(fabs(e.vectors[k * D + k]), 1, 1e-9, 0);
    }
    CHECK_CALL(pen_factored_project(s.o.run, &B, e.vectors, PAIRS, &S));
    for (int i = 0; i < PAIRS; i++)
        for (int j = 0; j <= i; j++)
            CHECK_CLOSE(S.a[i * PAIRS + j], i == j ? e.values[i] : 0, 1e-9, 1e-16);
    pen_run_close(s.o.run);
}

/* ---- combined supervision ---- */

struct counts {
    int64_t must, cannot, duplicates, contradictions;
};

static pen_status count_pairs(const pen_data *data, int64_t n, struct counts *out, pen_error *err)
{
    pen_view x = { .n = 0 };
    pen_pair_set pairs;

    pen_run *const run = check_run(0, err);
    CHECK_CALL(pen_rows_label(run, data->labels, n, &x));
    const pen_status status = pen_pairs_open(run, data, &how, 0, &x, PEN_ORDER_MUST_LINKS, &pairs);
    if (status == PEN_OK)
        *out = (struct counts){ pairs.must_count, pairs.cannot_count, pairs.duplicates,
                                pairs.contradictions };
    pen_run_close(run);
    return status;
}

static void check_counts(const pen_data *data, int64_t n, struct counts expected)
{
    struct counts found = { -1, -1, -1, -1 };
    pen_error err;
    CHECK_OK(count_pairs(data, n, &found, &err), &err);
    CHECK(memcmp(&found, &expected, sizeof found) == 0,
          "%lld must-links, %lld cannot-links, %lld duplicates, %lld contradictions",
          (long long)found.must, (long long)found.cannot, (long long)found.duplicates,
          (long long)found.contradictions);
}

static void check_refused(const pen_data *data, int64_t n, pen_status code, const char *phrase)
{
    struct counts found;
    pen_error err;
    CHECK_STATUS(count_pairs(data, n, &found, &err), code, phrase, &err);
}

/* Rows 0 to 2 have class 5, rows 3 and 4 class 8; rows 5 to 9 are unlabelled. */
static const int32_t some_labels[10] = { 5, 5, 5, 8, 8, -1, -1, -1, -1, -1 };

/* Parses pairs "0,1 5,6"; returns their number. */
static int64_t pairs_of(const char *text, int64_t *pairs)
{
    int64_t count = 0;
    for (char *end; *text; text = *end ? end + 1 : end, count++) {
        pairs[2 * count] = strtoll(text, &end, 10);
        pairs[2 * count + 1] = strtoll(end + 1, &end, 10);
    }
    return count;
}

/* Options: labels besides lists, treatment of contradictions. */
enum { LABELS = 1, DROP = 2, CLOSURE = 4, CHECKED = 8, WEIGHED = 16 };

TEST(lists_and_labels)
{
    static const char chain[] = "5,6 6,7 8,9", ends[] = "7,5 5,9";
    static const struct {
        int how;
        const char *must, *cannot;
        int64_t must_links, cannot_links, duplicates, contradictions;
        const char *refused; /* NULL: no error */
    } cases[] = {
        { LABELS, "", "", 4, 6, 0, 0, NULL },
        { 0, "0,1 5,6 6,5 7,0", "3,1 5,7 8,9 9,8 5,7", 3, 3, 3, 0, NULL },
        { LABELS, "0,1 5,6 6,5 7,0", "3,1 5,7 8,9 9,8 5,7", 6, 8, 5, 0, NULL },
        /* contradictions of lists, and of lists and labels */
        { 0, "5,6 7,8 1,3", "8,7 0,2", 0, 0, 0, 0, "rows 7 and 8 must link and cannot link" },
        { DROP, "5,6 7,8 1,3", "8,7 0,2", 2, 1, 0, 1, NULL },
        { LABELS, "5,6 7,8 1,3", "8,7 0,2", 0, 0, 0, 0,
          "rows 1 and 3 must link, but their labels differ" },
        { LABELS, "5,6", "8,7 0,2", 0, 0, 0, 0,
          "rows 0 and 2 cannot link, but their labels are the same" },
        { LABELS | DROP, "5,6 7,8 1,3", "8,7 0,2", 5, 6, 0, 3, NULL },
        /* of chains of must-links, unless checked before or weighed */
        { 0, chain, ends, 0, 0, 0, 0,
          "rows 5 and 7 cannot link, but a chain of must-links joins them: 5-6-7" },
        { CLOSURE, chain, ends, 0, 0, 0, 0, "rows 5 and 7" },
        { CLOSURE | DROP, chain, ends, 4, 1, 0, 1, NULL },
        { DROP, chain, ends, 3, 1, 0, 1, NULL },
        { CHECKED, chain, ends, 3, 2, 0, 0, NULL },
        { WEIGHED, chain, ends, 3, 2, 0, 0, NULL },
        { LABELS | CLOSURE, "0,5", "", 4 + 3, 6, 0, 0, NULL }, /* 5 with 0, 1, and 2 */
        { LABELS, "0,5 5,3", "", 0, 0, 0, 0,
          "rows 0 and 3 have different labels, but a chain of must-links joins them: 0-5-3" },
        /* it is unknown which of the two is wrong */
        { LABELS | DROP, "0,5 5,3", "", 4, 6, 0, 2, NULL },
        { LABELS, "5,0 2,6", "6,5", 0, 0, 0, 0,
          "rows 5 and 6 cannot link, but a chain of must-links joins them: 5-0=2-6" },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int asked = cases[c].how;
        int64_t must[10], cannot[10];
        const pen_data data = { .labels = asked & LABELS ? some_labels : NULL,
                                .must_link = must,
                                .must_link_count = pairs_of(cases[c].must, must),
                                .cannot_link = cannot,
                                .cannot_link_count = pairs_of(cases[c].cannot, cannot) };
        how = (pen_pair_params){ .contradictions = (asked & DROP) != 0,
                                 .closure = (asked & CLOSURE) != 0,
                                 .checked = (asked & CHECKED) != 0,
                                 .weights = (asked & WEIGHED) != 0 };
        if (cases[c].refused)
            check_refused(&data, 10, PEN_CONTRADICTION, cases[c].refused);
        else
            check_counts(&data, 10,
                         (struct counts){ cases[c].must_links, cases[c].cannot_links,
                                          cases[c].duplicates, cases[c].contradictions });
    }
    how = (pen_pair_params){ .closure = 0 };
}

TEST(a_long_chain)
{
    enum { N = 200000 };
    static const int64_t ends[] = { N - 1, 0 };
    int64_t *const must = check_allocate(2 * N, sizeof *must);
    pen_data data = {
        .must_link = must, .must_link_count = N - 1, .cannot_link = ends, .cannot_link_count = 1
    };
    for (int64_t i = 0; i < N - 1; i++) {
        must[2 * i] = i + i % 2; /* either end first */
        must[2 * i + 1] = i + 1 - i % 2;
    }
    check_refused(&data, N, PEN_CONTRADICTION, "joins them: 0-1-2-3-4-5-6-7-...");
    data.must_link_count = N - 2;
    check_counts(&data, N, (struct counts){ N - 2, 1, 0, 0 });
    data.must_link_count = N - 1; /* all pairs, without enumerating them */
    data.cannot_link_count = 0;
    how = (pen_pair_params){ .closure = 1 };
    check_counts(&data, N, (struct counts){ (int64_t)N * (N - 1) / 2, 0, 0, 0 });
    how = (pen_pair_params){ .closure = 0 };
}

TEST(invalid_pairs)
{
    static const int64_t far[] = { 0, 1, 2, 10 }, low[] = { -1, 2 }, self[] = { 0, 1, 4, 4 };
    static const struct {
        pen_data data;
        pen_status code;
        const char *phrase;
    } cases[] = {
        { { .must_link = far, .must_link_count = 2 },
          PEN_BAD_PAIR,
          "must_link: pair 1 (counted from 0): row must be in 0 .. 9, got 10" },
        { { .cannot_link = low, .cannot_link_count = 1 },
          PEN_BAD_PAIR,
          "cannot_link: pair 0 (counted from 0): row must be in 0 .. 9, got -1" },
        { { .cannot_link = self, .cannot_link_count = 2 },
          PEN_BAD_PAIR,
          "pair 1 (counted from 0): a pair needs two different rows, got row 4 twice" },
        { { .must_link_count = 2 },
          PEN_BAD_ARGUMENT,
          "must_link must not be NULL if its count is 2" },
        { { .must_link = self, .must_link_count = -1 }, PEN_BAD_ARGUMENT, "must_link" },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check_refused(&cases[c].data, 10, cases[c].code, cases[c].phrase);
}

/* Of lists, of lists and labels; a class with one labelled row has no must-link. */
TEST(chunklets)
{
    static const int64_t must[] = { 9, 6, 6, 7, 5, 8 };
    static const int32_t alone[10] = { 0, 0, 1, 2, 2, -1, -1, -1, -1, -1 };
    static const struct {
        const int32_t *labels;
        int64_t must, classes, starts[5], members[10];
    } cases[] = {
        { NULL, 3, 2, { 0, 2, 5 }, { 5, 8, 6, 7, 9 } },
        { some_labels, 3, 4, { 0, 3, 5, 7, 10 }, { 0, 1, 2, 3, 4, 5, 8, 6, 7, 9 } },
        { alone, 0, 2, { 0, 2, 4 }, { 0, 1, 3, 4 } },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const pen_data data = { .labels = cases[c].labels,
                                .must_link = must,
                                .must_link_count = cases[c].must };
        pen_view x = { .n = 0 }, out;
        pen_pair_set pairs;
        pen_run *const run = check_run(0, NULL);
        CHECK_CALL(pen_rows_label(run, data.labels, 10, &x));
        CHECK_CALL(pen_pairs_open(run, &data, &how, 0, &x, PEN_ORDER_MUST_LINKS, &pairs));
        CHECK_CALL(pen_pairs_chunklets(run, &x, &pairs, &out));
        assert_int_equal(out.classes, cases[c].classes);
        assert_int_equal(out.labelled, cases[c].starts[out.classes]);
        assert_memory_equal(out.starts, cases[c].starts,
                            (size_t)(out.classes + 1) * sizeof *out.starts);
        assert_memory_equal(out.members, cases[c].members,
                            (size_t)out.labelled * sizeof *out.members);
        pen_run_close(run);
    }
}

/* The eigenvalues above rounding of the scatter of one kind of pairs by a route, descending, into
 * values [d]; returns their number. */
static int64_t values_by(const struct problem *p, int must, int route, double *values)
{
    const pen_data data = data_of(p);
    struct scatters s;
    pen_eig e;

    open_data(&data, PEN_ORDER_MUST_LINKS, 0, &s);
    add_links(&s, must ? &s.o.pairs.must : &s.o.pairs.cannot, route, 1, &s.W);
    CHECK_CALL(pen_eig_largest(s.o.run, &s.W, NULL, p->d, &e));
    memcpy(values, e.values, (size_t)e.rank * sizeof *values);
    pen_run_close(s.o.run);
    return e.rank;
}

/* Differences within pairs are small compared with a large offset, or 0 in one column: no route
 * gives an eigenvalue due to rounding. */
TEST(rounding_is_not_a_direction)
{
    enum { N = 400, D = 4 };
    pen_rng rng = check_rng(540);
    struct problem p = make(&rng, PEN_F64, N, D, 2, 0.3, 0.3);
    double values[D];
    /* the third column is the sum of the first two; the fourth is constant up to rounding */
    for (int64_t i = 0; i < N; i++) {
        double *const row = (double *)p.stored + i * D;
        row[0] *= 1e-4;
        row[1] *= 1e-4;
        row[2] = row[0] + row[1];
        row[3] = i % 2 ? 1e9 : nextafter(1e9, 2e9);
    }
    for (int route = PEN_ROUTE_DIFFERENCES; route <= PEN_ROUTE_TILES; route++)
        assert_int_equal(values_by(&p, 0, route, values), 2);
}

/* Pairs of close rows in clusters a million times farther apart: differences cancel in deg x - sum
 * x, and the remainder must not give an eigenvalue. */
TEST(canceled_differences_are_not_a_direction)
{
    enum { N = 300, D = 2 };
    pen_rng rng = check_rng(550);
    for (int repeat = 0; repeat < check_repeats(8); repeat++) {
        struct problem p = make(&rng, PEN_F64, N, D, 2, 0.5, 0);
        double values[D];
        for (int64_t i = 0; i < N; i++) {
            p.values[i * D] = (p.labels[i] ? 1e6 : -1e6) + 1e-3 * check_normal(&rng);
            p.values[i * D + 1] = 1e-3 * check_normal(&rng);
        }
        memcpy(p.stored, p.values, N * D * sizeof *p.values);
        double *right = literal(&p, p.must, p.musts);
        for (int route = PEN_ROUTE_DIFFERENCES; route <= PEN_ROUTE_TILES; route++) {
            const int64_t rank = values_by(&p, 1, route, values);
            assert_true(route != PEN_ROUTE_DIFFERENCES || rank == D);
            for (int64_t r = 0; r < rank; r++)
                CHECK_CLOSE(values[r], (right[0] + right[3]) / 2, 0.2, 0);
        }
    }
}
