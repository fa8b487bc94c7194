/* test_typical.c - how typical rows are: distances and fractions against a literal version, for any
 * number of threads and batch. */
#include "classifiers/typical.h"
#include "kit/dense.h"

#include "check.h"
#include "core/rng.h"

enum { MOST_N = 700, MOST_K = 9, NEW = 130 };

struct rows {
    int64_t n, k;
    double y[MOST_N * MOST_K], x[NEW * MOST_K]; /* [. x k], the last of each is a length */
};

/* Some rows are equal, some of the new ones are rows of the fit, and some are far from all. */
static void draw(pen_rng *rng, int64_t n, int64_t k, double unit, struct rows *r)
{
    r->n = n, r->k = k;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            r->y[i * k + j] = i % 11 == 10 ? r->y[(i - 1) * k + j]
                              : j == k - 1 ? 3 + fabs(check_normal(rng))
                                           : unit * (check_normal(rng) + (i % 3 == j ? 8 : 0) + 50);
    for (int64_t i = 0; i < NEW; i++)
        for (int64_t j = 0; j < k; j++)
            r->x[i * k + j] = r->y[i % n * k + j]
                              + (i % 3 == 0   ? 0
                                 : j == k - 1 ? 0.1 * check_normal(rng) + (i % 13 == 8 ? 1e5 : 0)
                                              : unit * check_normal(rng)
                                                    + (i % 13 == 5   ? unit * 1e6
                                                       : i % 13 == 7 ? 1e300
                                                                     : 0));
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What columns first .. end - 1 of the stored rows are divided by. */
static double divisor(const struct rows *r, int64_t first, int64_t end)
{
    double center[MOST_K] = { 0 }, squares[MOST_N] = { 0 };

    for (int64_t i = 0; i < r->n * r->k; i++)
        center[i % r->k] += r->y[i] / (double)r->n;
    for (int64_t i = 0; i < r->n; i++)
        for (int64_t j = first; j < end; j++)
            squares[i] += pow(r->y[i * r->k + j] - center[j], 2);
    const double mean = dense_mean_of_most(r->n, squares) / (double)(end - first);
    return mean > 0 ? sqrt(mean) : 1;
}

/* The distance of a row from the stored ones. */
static double literally(const struct rows *r, const double *x)
{
    const double of_z = divisor(r, 0, r->k - 1), of_length = 4 * divisor(r, r->k - 1, r->k);
    double away[MOST_N];

    for (int64_t i = 0; i < r->n; i++) {
        away[i] = 0;
        for (int64_t j = 0; j < r->k; j++)
            away[i] += pow((x[j] - r->y[i * r->k + j]) / (j < r->k - 1 ? of_z : of_length), 2);
    }
    qsort(away, (size_t)r->n, sizeof *away, by_value);
    return sqrt(away[r->n > 1 && away[0] < 1e-9]);
}

static void distances_are_literal(void **state)
{
    static const struct {
        int64_t n, k;
        double unit;
    } shapes[] = { { 1, 3, 1 }, { 2, 2, 1 }, { 40, 3, 1e-8 }, { 120, 9, 1e6 }, { 700, 5, 1 } };
    static const struct {
        int threads;
        int64_t batch;
    } ways[] = { { 1, NEW }, { 3, NEW }, { 2, 37 }, { 1, 1 } };
    static struct rows r;
    (void)state;

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        pen_rng rng = check_rng(8800 + s);
        double found[2][NEW];
        draw(&rng, shapes[s].n, shapes[s].k, shapes[s].unit, &r);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            const pen_control control = { .threads = ways[w].threads };
            pen_typical t;
            pen_run *run;
            assert_int_equal(pen_run_open(&control, NULL, &run), PEN_OK);
            assert_int_equal(pen_typical_open(run, r.n, r.k, r.y, &t), PEN_OK);
            for (int64_t i = 0; i < NEW; i += ways[w].batch)
                assert_int_equal(pen_typical_measure(run, &t, pen_min(ways[w].batch, NEW - i),
                                                     r.x + i * r.k, found[w > 0] + i),
                                 PEN_OK);
            pen_run_close(run);
            if (w > 0)
                assert_memory_equal(found[0], found[1], sizeof found[0]);
        }
        for (int64_t i = 0; i < NEW; i++) {
            const double want = literally(&r, r.x + i * r.k);
            if (want < 1e100)
                CHECK_CLOSE(found[0][i], want, 1e-5, 1e-5);
            else
                CHECK(found[0][i] > 1e100 && isfinite(found[0][i]), "%g", found[0][i]);
        }
    }
}

static void fractions_count_what_is_as_far(void **state)
{
    double of_fit[] = { 1, 2, 2, 3 };
    const pen_typical t = { .measured = 4, .distances = of_fit };
    (void)state;

    assert_true(pen_typical_share(&t, 0) == 1);
    assert_true(pen_typical_share(&t, 1) == 1);
    assert_true(pen_typical_share(&t, 1.5) == 4. / 5);
    assert_true(pen_typical_share(&t, 2) == 4. / 5);
    assert_true(pen_typical_share(&t, 3) == 2. / 5);
    assert_true(pen_typical_share(&t, INFINITY) == 1. / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_literal),
        cmocka_unit_test(fractions_count_what_is_as_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
