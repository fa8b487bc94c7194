/* test_typical.c - typicality: distances and fractions against a literal version, for any number of
 * threads and batches. */
#include "classifiers/typical.h"
#include "kit/dense.h"

#include "check.h"

enum { MOST_N = 700, MOST_K = 9, NEW = 130 };

struct rows {
    int64_t n, k;
    double y[MOST_N * MOST_K], x[NEW * MOST_K]; /* [. x k], each row ends with its length */
};

/* Some rows are equal, some new rows are rows of the fit, and some are far from all. */
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

/* The distances from the new rows to the stored ones. */
static void literally(const struct rows *r, double found[NEW])
{
    static double z[MOST_N * MOST_K], length[MOST_N];
    const int64_t k = r->k - 1;

    for (int64_t i = 0; i < r->n; i++) {
        memcpy(z + i * k, r->y + i * r->k, (size_t)k * sizeof *z);
        length[i] = r->y[i * r->k + k];
    }
    double *const center = dense_mean(r->n, k, z, NULL), *const mean =
                                                             dense_mean(r->n, 1, length, NULL);
    const double of_z = dense_unit(r->n, k, z, center),
                 of_length = 4 * dense_unit(r->n, 1, length, mean);
    for (int64_t i = 0; i < NEW; i++) {
        double least[2] = { INFINITY, INFINITY };
        for (int64_t s = 0; s < r->n; s++) {
            double away = 0;
            for (int64_t j = 0; j <= k; j++)
                away +=
                    pow((r->x[i * r->k + j] - r->y[s * r->k + j]) / (j < k ? of_z : of_length), 2);
            least[1] = fmin(least[1], fmax(away, least[0]));
            least[0] = fmin(least[0], away);
        }
        found[i] = sqrt(least[r->n > 1 && least[0] < 1e-9]);
    }
}

TEST(distances_are_literal)
{
    static const struct {
        int64_t n, k;
        double unit;
    } shapes[] = { { 1, 3, 1 }, { 2, 2, 1 }, { 40, 3, 1e-8 }, { 120, 9, 1e6 }, { 700, 5, 1 } };
    static const int64_t ways[][2] = { { 1, NEW }, { 3, NEW }, { 2, 37 }, { 1, 1 } };
    static struct rows r;

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        pen_rng rng = check_rng(8800 + s);
        double found[2][NEW], right[NEW];
        draw(&rng, shapes[s].n, shapes[s].k, shapes[s].unit, &r);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            pen_run *const run = check_run((int)ways[w][0], NULL);
            pen_typical t;
            assert_int_equal(pen_typical_open(run, r.n, r.k, r.y, &t), PEN_OK);
            for (int64_t i = 0; i < NEW; i += ways[w][1])
                assert_int_equal(pen_typical_measure(run, &t, pen_min(ways[w][1], NEW - i),
                                                     r.x + i * r.k, found[w > 0] + i),
                                 PEN_OK);
            pen_run_close(run);
            if (w > 0)
                assert_memory_equal(found[0], found[1], sizeof found[0]);
        }
        literally(&r, right);
        for (int64_t i = 0; i < NEW; i++)
            if (right[i] < 1e100)
                CHECK_CLOSE(found[0][i], right[i], 1e-5, 1e-5);
            else
                CHECK(found[0][i] > 1e100 && isfinite(found[0][i]), "%g", found[0][i]);
    }
}

TEST(fractions_count_farther_rows)
{
    static const double far[] = { 0, 1, 1.5, 2, 3, INFINITY };
    static const int right[] = { 5, 5, 4, 4, 2, 1 };
    double of_fit[] = { 1, 2, 2, 3 };
    const pen_typical t = { .measured = 4, .distances = of_fit };

    for (int i = 0; i < 6; i++)
        assert_true(pen_typical_share(&t, far[i]) == right[i] / 5.);
}
