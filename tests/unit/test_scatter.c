/* test_scatter.c - scatters against sums over all pairs, with several strips, groups, and
 * blocks. */
#include "kit/dense.h"
#include "kit/opened.h"

#include "scatter/scatter.h"

enum { D = 3 };

/* Adds the sum over pairs of weight (x_i - x_j)(x_i - x_j)' to S [D x D], lower triangle. */
static void add_pair(double weight, const double *a, const double *b, double *S)
{
    for (int i = 0; i < D; i++)
        for (int j = 0; j <= i; j++)
            S[i * D + j] += weight * (a[i] - b[i]) * (a[j] - b[j]);
}

/* The squared distance of row i to its k-th nearest row in the class, or to the farthest. */
static double reach2(int64_t n, const double *x, const int32_t *y, int64_t i, int64_t k)
{
    double *nearest = check_allocate(k + 1, sizeof *nearest);
    int64_t count = 0;

    for (int64_t j = 0; j < n; j++) {
        const double far = dense_distance2(D, x + i * D, x + j * D);
        if (j == i || y[j] != y[i] || (count == k && far >= nearest[k - 1]))
            continue;
        int64_t at = count < k ? count++ : k - 1;
        for (; at > 0 && nearest[at - 1] > far; at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = far;
    }
    const double answer = count > 0 ? nearest[count - 1] : 0;
    return answer;
}

/* Classes of the given sizes, with an unlabelled row after every tenth row. */
static void check_local(const int64_t *sizes, int classes, int64_t neighbors, int threads)
{
    pen_rng rng = check_rng(330);
    int64_t n = 0, labelled = 0;

    for (int c = 0; c < classes; c++)
        labelled += sizes[c];
    n = labelled + labelled / 10;
    double *x = check_allocate(n * D, sizeof *x), *sigma = check_allocate(n, sizeof *sigma),
           lb[D * D] = { 0 }, lw[D * D] = { 0 };
    int32_t *y = check_allocate(n, sizeof *y);
    int64_t left[64], row = 0;
    for (int c = 0; c < classes; c++)
        left[c] = sizes[c];
    for (int64_t rest = labelled; row < n; row++) {
        int c = (int)pen_rng_below(&rng, classes);
        y[row] = PEN_UNLABELLED;
        if (row % 11 != 10 && rest > 0) {
            while (left[c] == 0)
                c = (c + 1) % classes;
            left[c]--;
            rest--;
            y[row] = 5 * c - 3;
        }
        for (int j = 0; j < D; j++)
            x[row * D + j] = 1000 + 2 * c * (j == 0) + check_normal(&rng);
    }
    const pen_data data = { .x = pen_dense(x, PEN_F64, n, D, D), .labels = y };
    const pen_class_affinity affinity = { .neighbors = neighbors };
    pen_sym B, C;
    opened o;
    open_rows(&data, threads, &o);
    assert_int_equal(o.p.rows.classes, classes);
    assert_int_equal(o.p.rows.labelled, labelled);
    CHECK_CALL(pen_sym_zero(o.run, D, &B));
    CHECK_CALL(pen_sym_zero(o.run, D, &C));
    CHECK_CALL(pen_scatter_local(o.run, 0.5, 0.5, &o.p, &affinity, PEN_SCALING_CLASSWISE, &B, &C));

    for (int64_t i = 0; i < n; i++)
        if (y[i] != PEN_UNLABELLED)
            sigma[i] = reach2(n, x, y, i, neighbors);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            if (y[i] == PEN_UNLABELLED || y[j] == PEN_UNLABELLED)
                continue;
            if (y[i] != y[j]) {
                add_pair(0.5 / (double)labelled, x + i * D, x + j * D, lb);
                continue;
            }
            const double size = (double)sizes[(y[i] + 3) / 5],
                         a = exp(-dense_distance2(D, x + i * D, x + j * D)
                                 / sqrt(sigma[i] * sigma[j]));
            add_pair(0.5 * a * (1 / (double)labelled - 1 / size), x + i * D, x + j * D, lb);
            add_pair(0.5 * a / size, x + i * D, x + j * D, lw);
        }
    check_scatter_is(&B, lb, 1, 1e-10, "S_lb");
    check_scatter_is(&C, lw, 1, 1e-10, "S_lw");
    pen_run_close(o.run);
}

TEST(local_of_large_classes)
{
    static const int64_t large[] = { 4400, 300 }, several[] = { 2500, 40, 2000, 30 },
                         many[] = { 1, 2, 255, 256, 257, 1, 511, 512, 513, 30, 1, 90 };
    check_local(large, 2, 7, 2);    /* more than one group of tiles */
    check_local(several, 4, 7, 2);  /* classes within a group, but not all in one */
    check_local(many, 12, 1000, 1); /* more neighbors than rows */
    check_local(many, 12, 40, 3);
}

enum { WIDE_ROWS = 700, WIDE = 1600 };

/* S_lb and S_lw of the rows; the first half is one class, the rest another. */
static void local_of_wide(const pen_array *x, const int32_t *y, pen_dtype work, opened *o,
                          pen_sym *B, pen_sym *C)
{
    const pen_data data = { .x = *x, .labels = y };
    const pen_class_affinity affinity = { .neighbors = 7 };

    open_rows(&data, 0, o);
    assert_int_equal(o->p.rows.work, work);
    CHECK_CALL(pen_sym_zero(o->run, WIDE, B));
    CHECK_CALL(pen_sym_zero(o->run, WIDE, C));
    CHECK_CALL(pen_scatter_local(o->run, 1, 1, &o->p, &affinity, PEN_SCALING_CLASSWISE, B, C));
}

/* The largest difference of an entry relative to the diagonal. */
static double difference_of(const pen_sym *A, const pen_sym *expected)
{
    double largest = 0;
    for (int64_t i = 0; i < WIDE; i++)
        for (int64_t j = 0; j <= i; j++)
            largest =
                fmax(largest, fabs(A->a[i * WIDE + j] - expected->a[i * WIDE + j])
                                  / sqrt(expected->a[i * WIDE + i] * expected->a[j * WIDE + j]));
    return largest;
}

/* Rows in clusters of `together`, of width `spread`, in single and double precision. */
static void check_single(int64_t together, double spread)
{
    float *single = check_allocate(WIDE_ROWS * WIDE, sizeof *single);
    double *x = check_allocate(WIDE_ROWS * WIDE, sizeof *x);
    int32_t *y = check_allocate(WIDE_ROWS, sizeof *y);
    pen_rng rng = check_rng(331);
    pen_sym B, C, B1, C1;
    opened one, two;

    for (int64_t i = 0; i < WIDE_ROWS; i++) {
        y[i] = i < WIDE_ROWS / 2;
        for (int64_t j = 0; j < WIDE; j++) {
            const double *const center = x + (i / together * together) * WIDE + j;
            single[i * WIDE + j] = (float)(i % together ? *center + spread * check_normal(&rng)
                                                        : 3 * y[i] + check_normal(&rng));
            x[i * WIDE + j] = (double)single[i * WIDE + j];
        }
    }
    const pen_array floats = pen_dense(single, PEN_F32, WIDE_ROWS, WIDE, WIDE),
                    doubles = pen_dense(x, PEN_F64, WIDE_ROWS, WIDE, WIDE);
    local_of_wide(&floats, y, PEN_F32, &one, &B1, &C1);
    local_of_wide(&doubles, y, PEN_F64, &two, &B, &C);
    /* an affinity is wrong by at most 1/e of the relative error of a distance, which is 2^-24 times
     * sums of products that exceed it by at most 2^6 */
    CHECK(difference_of(&B1, &B) < 0x1p-19, "S_lb differs by %g", difference_of(&B1, &B));
    CHECK(difference_of(&C1, &C) < 0x1p-19, "S_lw differs by %g", difference_of(&C1, &C));
    pen_run_close(one.run);
    pen_run_close(two.run);
}

TEST(single_precision)
{
    static const struct {
        int64_t together;
        double spread;
    } kinds[] = {
        { 1, 0 },     /* distances as long as the rows */
        { 2, 1e-3 },  /* some are much shorter, */
        { 2, 0 },     /* or 0, */
        { 100, .01 }, /* or most within a tile */
    };
    for (int64_t i = 0; i < COUNT_OF(kinds); i++)
        if (check_in_turn(i + 1, 2))
            check_single(kinds[i].together, kinds[i].spread);
}

TEST(weight_zero_costs_nothing)
{
    const double x[] = { 1, 2, 3 };
    const pen_data data = { .x = pen_dense(x, PEN_F64, 1, D, D) };
    opened o;

    open_rows(&data, 1, &o);
    CHECK_CALL(pen_scatter_local(o.run, 0, 0, &o.p, NULL, PEN_SCALING_ALL, NULL, NULL));
    CHECK_CALL(pen_scatter_classes(o.run, 0, &o.p.rows, NULL, NULL));
    CHECK_CALL(pen_scatter_total(o.run, 0, &o.p.rows, PEN_TOTAL_SCATTER, NULL));
    pen_run_close(o.run);
}
