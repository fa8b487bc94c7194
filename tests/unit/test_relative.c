/* test_relative.c - the relative space against its definition, and its nearest neighbors against
 * sorted distances: random rows, many equal distances, duplicate rows, outliers; stored and
 * computed distances, one block and several. */
#include "kit/dense.h"
#include "kit/neighbor_lists.h"

#include "core/row_order.h"
#include "neighbors/relative.h"

#include <stdio.h>

enum kind { RANDOM, LATTICE, REPEATED, OUTLIERS, KINDS };

/* r_ij^2 by direct differences; work [2 m]. */
static double relative2(const pen_relative *r, int64_t i, int64_t j, double *work)
{
    return pen_relative_distance2_from(r, i, pen_relative_row(r, i, work), j, work + r->m);
}

static struct searched open_rows(pen_rng *rng, enum kind kind, int64_t n, int64_t d, int threads)
{
    double *const x = check_allocate(n * d, sizeof *x);

    for (int64_t i = 0; i < n * d; i++)
        x[i] = kind == LATTICE ? (double)pen_rng_below(rng, 3) : check_normal(rng) + 100;
    for (int64_t i = n / 30 + 1; i < n && kind == REPEATED; i++) /* each row thirty times */
        memcpy(x + i * d, x + i % (n / 30 + 1) * d, (size_t)d * sizeof *x);
    for (int64_t c = 0; c < d && kind == OUTLIERS; c++)
        x[n / 2 * d + c] = 1e6;
    return searched_open(x, PEN_F64, n, d, 0, threads);
}

static double distance(const struct searched *o, int64_t i, int64_t j)
{
    const double *const x = o->values;
    return sqrt(dense_distance2(o->rows.d, x + i * o->rows.d, x + j * o->rows.d));
}

/* r_ij^2 by definition. */
static double defined(const struct searched *o, const int64_t *landmarks, int64_t m, int64_t i,
                      int64_t j)
{
    double sum = 0;
    int64_t count = 0;

    for (int64_t l = 0; l < (landmarks ? m : o->rows.n); l++) {
        const int64_t t = landmarks ? landmarks[l] : l;
        const double apart = distance(o, i, t) - distance(o, j, t);
        if (landmarks && (t == i || t == j))
            continue;
        sum += apart * apart;
        count++;
    }
    if (!landmarks || i == j)
        return i == j ? 0 : sum;
    return 2 * distance(o, i, j) * distance(o, i, j)
           + (count > 0 ? (double)(o->rows.n - 2) / (double)count * sum : 0);
}

/* Lists of about `some` rows, exact to the last bit, against sorted distances. */
static void check_lists(const struct searched *o, const pen_relative *space, int64_t k,
                        const pen_neighbor *found, int64_t some, const char *what)
{
    pen_neighbor *all = check_allocate(o->rows.n, sizeof *all);
    double *work = check_allocate(2 * space->m, sizeof *work);

    /* includes the last, partial block */
    for (int64_t i = o->rows.n - 1; i >= 0; i -= 1 + o->rows.n / some) {
        int64_t count = 0;
        for (int64_t j = 0; j < o->rows.n; j++)
            if (j != i)
                all[count++] = (pen_neighbor){ relative2(space, i, j, work), j };
        check_nearest(i, count, all, k, found + i * k, what);
    }
}

static void check_space(struct searched *o, int64_t m, int64_t most_bytes, int64_t k, int64_t some)
{
    int64_t *landmarks = NULL;
    pen_relative space;
    pen_neighbor *found;
    char what[160];

    snprintf(what, sizeof what, "%lld rows, %lld landmarks, %lld bytes, k %lld",
             (long long)o->rows.n, (long long)m, (long long)most_bytes, (long long)k);
    const pen_mark_t mark = pen_mark(o->run);
    if (m > 0)
        assert_int_equal(pen_rows_draw(o->run, &o->rows, m, 7, &landmarks), PEN_OK);
    assert_int_equal(pen_relative_open(o->run, &o->rows, landmarks, m, most_bytes, &space), PEN_OK);
    CHECK((space.y != NULL) == (8 * o->rows.n * (m ? m : o->rows.n) <= most_bytes),
          "%s: stored: %d", what, space.y != NULL);
    double *work = check_allocate(2 * space.m, sizeof *work), most = 0;
    const int64_t step = 1 + o->rows.n / (o->rows.n > 1000 ? 10 : 30);
    for (int64_t i = 0; i < o->rows.n; i += step)
        most = fmax(most, defined(o, landmarks, m, i, i == o->rows.n / 2 ? 0 : o->rows.n / 2));
    for (int64_t i = 0; i < o->rows.n; i += step)
        for (int64_t j = 0; j < o->rows.n; j += step) {
            const double r2 = relative2(&space, i, j, work);
            CHECK(fabs(r2 - defined(o, landmarks, m, i, j)) <= 1e-12 * most,
                  "%s: distance of %lld and %lld: %.17g, expected %.17g", what, (long long)i,
                  (long long)j, r2, defined(o, landmarks, m, i, j));
            CHECK(r2 == relative2(&space, j, i, work),
                  "%s: distance of %lld and %lld is not symmetric", what, (long long)i,
                  (long long)j);
        }
    assert_int_equal(PEN_NEW(o->run, found, o->rows.n * k), PEN_OK);
    assert_int_equal(pen_relative_nearest(o->run, &space, k, found), PEN_OK);
    check_lists(o, &space, k, found, some, what);
    pen_release(o->run, mark);
}

TEST(nearest)
{
    static const int64_t sizes[] = { 2, 3, 16, 17, 65, 130 };
    pen_rng rng = check_rng(331);

    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t s = 0; s < 6; s++) {
            const int64_t n = sizes[s];
            struct searched o = open_rows(&rng, (enum kind)kind, n, kind == LATTICE ? 3 : 6, 2);
            for (int stored = 0; stored < 2; stored++) {
                const int64_t bytes = stored ? PEN_RELATIVE_BYTES : 0;
                check_space(&o, 0, bytes, pen_min(5, n - 1), 20);
                check_space(&o, 0, bytes, n - 1, 10);
                check_space(&o, 1, bytes, pen_min(3, n - 1), 20);
                check_space(&o, 2, bytes, 1, 20);
                check_space(&o, pen_max(1, n / 2), bytes, pen_min(5, n - 1), 20);
                check_space(&o, n, bytes, pen_min(40, n - 1), 20);
            }
            searched_close(&o);
        }
}

/* More rows than one block. */
TEST(blocks)
{
    pen_rng rng = check_rng(332);

    for (int kind = 0; kind < check_repeats(KINDS); kind++) {
        struct searched o = open_rows(&rng, (enum kind)kind, 2070, 4, 2),
                        far = open_rows(&rng, (enum kind)kind, 4100, 3, 2);
        check_space(&o, 50, PEN_RELATIVE_BYTES, 6, 6);
        check_space(&far, 30, 0, 4, 12);
        if (kind == RANDOM && check_effort() >= 0.15)
            check_space(&o, 2060, PEN_RELATIVE_BYTES, 6, 4);
        if (kind == RANDOM && check_effort() >= 0.5)
            check_space(&o, 0, PEN_RELATIVE_BYTES, 6, 3);
        searched_close(&o);
        searched_close(&far);
    }
}

/* All rows, or a third of them, are near each other and far from the rest: single precision does
 * not distinguish the nearest. */
TEST(clusters)
{
    enum { N = 130, D = 3 };
    pen_rng rng = check_rng(334);

    for (int all = 0; all < 2; all++) {
        double *const x = check_allocate(N * D, sizeof *x);
        for (int64_t i = 0; i < N * D; i++)
            x[i] = all ? check_normal(&rng) + 1e5 * (double)(i / D % 2)
                       : check_normal(&rng) * (i / D % 3 ? 1 : 1e-4);
        struct searched o = searched_open(x, PEN_F64, N, D, 0, 2);
        check_space(&o, 0, PEN_RELATIVE_BYTES, 5, 40);
        check_space(&o, 70, 0, 5, 40);
        searched_close(&o);
    }
}

/* The same bits for any number of threads, with and without stored distances. */
TEST(threads)
{
    enum { N = 400, K = 5 };
    static const struct {
        int threads;
        int64_t bytes;
    } ways[] = { { 1, PEN_RELATIVE_BYTES }, { 2, PEN_RELATIVE_BYTES }, { 5, 0 } };

    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t m = 0; m <= 100; m += 100) {
            pen_neighbor *const first = check_allocate(2 * N * K, sizeof *first);
            for (int w = 0; w < 3; w++) {
                pen_rng rng = check_rng(333);
                struct searched o = open_rows(&rng, (enum kind)kind, N, 4, ways[w].threads);
                int64_t *landmarks = NULL;
                pen_relative space;
                if (m > 0)
                    assert_int_equal(pen_rows_draw(o.run, &o.rows, m, 2, &landmarks), PEN_OK);
                assert_int_equal(
                    pen_relative_open(o.run, &o.rows, landmarks, m, ways[w].bytes, &space), PEN_OK);
                assert_int_equal(
                    pen_relative_nearest(o.run, &space, K, first + (w > 0 ? N * K : 0)), PEN_OK);
                if (w > 0)
                    check_same_lists(first + N * K, first, N * K, "threads");
                searched_close(&o);
            }
        }
}

/* A row apart from three others: as near as one of them in the input space, but farther in the
 * relative space. */
TEST(outlier)
{
    static const double z[] = { 0, 0, 0.6, 0.5, 1, 0, 2, 0 };
    double *const values = check_allocate(8, sizeof *values), work[8];
    pen_relative space;
    pen_neighbor found[4];

    memcpy(values, z, sizeof z);
    struct searched o = searched_open(values, PEN_F64, 4, 2, 0, 1);
    assert_int_equal(pen_relative_open(o.run, &o.rows, NULL, 0, PEN_RELATIVE_BYTES, &space),
                     PEN_OK);
    CHECK_CLOSE(sqrt(relative2(&space, 2, 0, work)), 1.737757182, 1e-7, 0);
    CHECK_CLOSE(sqrt(relative2(&space, 2, 3, work)), 1.927748486, 1e-7, 0);
    assert_int_equal(pen_relative_nearest(o.run, &space, 1, found), PEN_OK);
    assert_int_equal(found[3].row, 2);
    searched_close(&o);
}

static int stop_at_search(void *user, const char *phase, int64_t done, int64_t total)
{
    return strcmp(phase, "relative neighbors") == 0;
}

TEST(refusals)
{
    pen_rng rng = check_rng(335);
    struct searched o = open_rows(&rng, RANDOM, 20, 3, 1);
    const pen_control control = { .threads = 1, .progress = stop_at_search };
    const pen_data data = { .x = pen_dense(o.values, PEN_F64, 20, 3, 3) };

    for (int large = 0; large < 2; large++) {
        pen_relative space;
        pen_neighbor found[20];
        pen_view x;
        pen_run *run;
        pen_error err;
        assert_int_equal(pen_run_open(&control, &err, &run), PEN_OK);
        assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &x), PEN_OK);
        CHECK_STATUS(pen_relative_open(run, &x, NULL, 0, PEN_RELATIVE_BYTES, &space),
                     large ? PEN_BAD_DATA : PEN_OK, large ? "its distances overflow" : NULL, &err);
        if (!large)
            assert_int_equal(pen_relative_nearest(run, &space, 1, found), PEN_CANCELLED);
        pen_run_close(run);
        ((double *)o.values)[7] = 1e160;
    }
    searched_close(&o);
}
