/* test_quality.c - folds, k-means, agreement of partitions, nearest labelled rows, purity,
 * trustworthiness, and Student's t, against hard-coded values and literal loops. */
#include "kit/check_fit.h"

#include "neighbors/nearest.h"
#include "eval/student.h"

/* ---- folds ---- */

static void check_folds(int stratified, const int32_t printed[10])
{
    static const int32_t labels[] = { 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 };
    int32_t fold[10];
    pen_error err;

    CHECK_OK(pen_folds(labels, 10, 3, stratified, 4, fold, &err), &err);
    for (int i = 0; i < 10; i++)
        CHECK(fold[i] == printed[i], "row %d is in fold %d, expected %d", i, fold[i], printed[i]);
}

static void folds_printed(void **state)
{
    static const int32_t plain[] = { 1, 2, 2, 0, 0, 1, 1, 0, 2, 0 },
                         stratified[] = { 1, 0, 1, 0, 2, 0, 0, 2, 1, 2 };
    (void)state;
    check_folds(0, plain);
    check_folds(1, stratified);
}

/* Fold sizes differ by at most one, also within each class; unlabelled rows are in no fold. */
static void folds_even(void **state)
{
    enum { N = 97 };
    pen_rng rng = check_rng(9101);
    (void)state;
    for (int repeat = 0; repeat < check_repeats(40); repeat++) {
        const int k = 2 + (int)pen_rng_below(&rng, 9), stratified = repeat % 2;
        int32_t labels[N], fold[N];
        int size[4][11] = { { 0 } };
        pen_error err;
        for (int i = 0; i < N; i++)
            labels[i] = i < 12 ? i % 3 : (int32_t)pen_rng_below(&rng, 4) - 1;
        CHECK_OK(pen_folds(labels, N, k, stratified, (uint64_t)repeat, fold, &err), &err);
        for (int i = 0; i < N; i++) {
            CHECK((labels[i] == -1) == (fold[i] == -1) && fold[i] < k,
                  "row %d of label %d in fold %d", i, labels[i], fold[i]);
            if (fold[i] >= 0) {
                size[labels[i]][fold[i]]++;
                size[3][fold[i]]++;
            }
        }
        for (int c = stratified ? 0 : 3; c < 4; c++)
            for (int f = 0; f < k; f++)
                for (int g = 0; g < k; g++)
                    CHECK(abs(size[c][f] - size[c][g]) <= 1, "folds of %d and %d rows", size[c][f],
                          size[c][g]);
    }
}

static void folds_refused(void **state)
{
    static const int32_t labels[] = { 3, -1, 3, 5 }, none[] = { -1, -1 };
    int32_t fold[4];
    pen_error err;
    (void)state;
    CHECK_STATUS(pen_folds(labels, 4, 4, 1, 0, fold, &err), PEN_BAD_ARGUMENT,
                 "folds must be in [2, 3], the number of labelled rows, got 4", &err);
    CHECK_STATUS(pen_folds(labels, 4, 1, 1, 0, fold, &err), PEN_BAD_ARGUMENT, "got 1", &err);
    CHECK_STATUS(pen_folds(none, 2, 2, 1, 0, fold, &err), PEN_NO_LABELS, NULL, &err);
    CHECK_STATUS(pen_folds(NULL, 2, 2, 1, 0, fold, &err), PEN_BAD_ARGUMENT, NULL, &err);
}

/* ---- agreement of partitions ---- */

static void agreement_literal(void **state)
{
    pen_rng rng = check_rng(9102);
    (void)state;
    for (int repeat = 0; repeat < check_repeats(60); repeat++) {
        enum { MOST = 60 };
        const int n = 2 + (int)pen_rng_below(&rng, MOST - 1),
                  classes = 1 + (int)pen_rng_below(&rng, 5),
                  clusters = 1 + (int)pen_rng_below(&rng, 5);
        int32_t a[MOST], b[MOST];
        double same = 0, apart = 0, same_both = 0, apart_both = 0, b_same = 0;
        pen_agreement found;
        pen_error err;
        for (int i = 0; i < n; i++) {
            a[i] = 7 * (int32_t)pen_rng_below(&rng, classes) + 3;
            b[i] = repeat % 3 ? (int32_t)pen_rng_below(&rng, clusters) : a[i] / 2;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                same += a[i] == a[j];
                apart += a[i] != a[j];
                b_same += b[i] == b[j];
                same_both += a[i] == a[j] && b[i] == b[j];
                apart_both += a[i] != a[j] && b[i] != b[j];
            }
        const double all = same + apart, chance = same * b_same / all, most = (same + b_same) / 2;
        const double shares =
            (same > 0 ? same_both / same : 0) + (apart > 0 ? apart_both / apart : 0);
        CHECK_OK(pen_compare_labels(a, b, n, &found, &err), &err);
        CHECK_CLOSE(found.rand, (same_both + apart_both) / all, 1e-14, 0);
        CHECK_CLOSE(found.normalized_rand, shares / ((same > 0) + (apart > 0)), 1e-14, 0);
        CHECK_CLOSE(found.adjusted_rand,
                    most == chance ? 1 : (same_both - chance) / (most - chance), 1e-12, 1e-14);
    }
}

/* One cluster for all rows, or one per row: exactly one half, if there are pairs of both kinds. */
static void agreement_limits(void **state)
{
    static const int32_t a[] = { 0, 0, 1, 1, 1 }, one[] = { 4, 4, 4, 4, 4 },
                         each[] = { 0, 1, 2, 3, 4 }, named[] = { 9, 9, 2, 2, 2 },
                         unknown[] = { 0, 0, -1, 1, 1 };
    pen_agreement found;
    pen_error err;
    (void)state;
    CHECK_OK(pen_compare_labels(a, one, 5, &found, &err), &err);
    CHECK(found.normalized_rand == 0.5 && found.adjusted_rand == 0, "%g, %g", found.normalized_rand,
          found.adjusted_rand);
    CHECK_OK(pen_compare_labels(a, each, 5, &found, &err), &err);
    CHECK(found.normalized_rand == 0.5, "%g", found.normalized_rand);
    CHECK_OK(pen_compare_labels(a, named, 5, &found, &err), &err);
    CHECK(found.rand == 1 && found.normalized_rand == 1 && found.adjusted_rand == 1,
          "names of labels matter");
    CHECK_OK(pen_compare_labels(a, one, 1, &found, &err), &err);
    CHECK(found.rand == 1 && found.normalized_rand == 1, "one row");
    CHECK_STATUS(pen_compare_labels(a, unknown, 5, &found, &err), PEN_NO_LABELS,
                 "b must be labelled in all rows, 1 of 5 are not", &err);
}

/* ---- k-means ---- */

/* The result is stable: each row is assigned to the nearest mean, the sum is the sum of squares,
 * and no start from another seed is much better. */
static void kmeans_stable(void **state)
{
    enum { N = 120, D = 3, K = 6 };
    pen_rng rng = check_rng(9103);
    (void)state;
    for (int repeat = 0; repeat < check_repeats(10); repeat++) {
        sample s = sample_new(N, D);
        int32_t cluster[N], again[N];
        double sum, total = 0, means[K][D] = { { 0 } }, size[K] = { 0 };
        pen_error err;
        for (int i = 0; i < N * D; i++)
            s.x[i] = 100 + check_normal(&rng) + 3 * (double)(i / D % K % (1 + i % D));
        const pen_array x = pen_dense(s.x, PEN_F64, N, D, D);
        const pen_control three = { .threads = 3 };
        CHECK_OK(pen_kmeans(&x, K, 10, 5, NULL, cluster, &sum, &err), &err);
        CHECK_OK(pen_kmeans(&x, K, 10, 5, &three, again, NULL, &err), &err);
        CHECK(memcmp(cluster, again, sizeof cluster) == 0, "threads change clusters");
        for (int i = 0; i < N; i++) {
            size[cluster[i]]++;
            for (int j = 0; j < D; j++)
                means[cluster[i]][j] += s.x[i * D + j];
        }
        for (int i = 0; i < N; i++) {
            double own = 0, nearest = INFINITY;
            for (int c = 0; c < K; c++) {
                double distance2 = 0;
                CHECK(size[c] > 0, "cluster %d is empty", c);
                for (int j = 0; j < D; j++)
                    distance2 += pow(s.x[i * D + j] - means[c][j] / size[c], 2);
                nearest = fmin(nearest, distance2);
                if (c == cluster[i])
                    own = distance2;
            }
            CHECK(own <= nearest * (1 + 1e-9) + 1e-12, "row %d is nearer to another mean", i);
            total += own;
        }
        CHECK_CLOSE(sum, total, 1e-10, 0);
        sample_free(&s);
    }
}

/* Well-separated clusters are found; one cluster per row; equal rows; more clusters than distinct
 * rows. */
static void kmeans_limits(void **state)
{
    static const double apart[] = { 0, 0.1, 50, 50.1, 99, 99.1 }, equal[] = { 2, 2, 2, 2 };
    pen_array x = pen_dense(apart, PEN_F64, 6, 1, 1);
    int32_t cluster[6];
    double sum;
    pen_error err;
    (void)state;
    CHECK_OK(pen_kmeans(&x, 3, 10, 0, NULL, cluster, &sum, &err), &err);
    CHECK(cluster[0] == cluster[1] && cluster[2] == cluster[3] && cluster[4] == cluster[5]
              && cluster[0] != cluster[2] && cluster[2] != cluster[4] && cluster[0] != cluster[4],
          "three pairs of rows are not three clusters");
    CHECK_CLOSE(sum, 3 * 2 * 0.05 * 0.05, 1e-9, 0);
    CHECK_OK(pen_kmeans(&x, 6, 1, 0, NULL, cluster, &sum, &err), &err);
    CHECK(sum == 0, "a cluster for each row: %g", sum);
    x = pen_dense(equal, PEN_F64, 4, 1, 1);
    CHECK_OK(pen_kmeans(&x, 3, 2, 0, NULL, cluster, &sum, &err), &err);
    CHECK(sum == 0, "equal rows: %g", sum);
    CHECK_STATUS(pen_kmeans(&x, 5, 1, 0, NULL, cluster, &sum, &err), PEN_BAD_ARGUMENT,
                 "clusters must be in [1, 4], the number of rows, got 5", &err);
    CHECK_STATUS(pen_kmeans(&x, 2, 0, 0, NULL, cluster, &sum, &err), PEN_BAD_ARGUMENT,
                 "restarts must be in [1, 100000], got 0", &err);
}

/* ---- nearest labelled rows ---- */

/* The majority class of the k nearest rows in the first r dimensions, by sorting. */
static int32_t predicted(const pen_vote *t, int64_t row, int64_t k, int64_t r)
{
    double *far = check_allocate(t->known, sizeof *far);
    int64_t *order = check_allocate(t->known, sizeof *order), votes[8] = { 0 };
    for (int64_t i = 0; i < t->known; i++) {
        for (int64_t j = 0; j < r; j++)
            far[i] += pow(t->hidden_rows[row * t->d + j] - t->known_rows[i * t->d + j], 2);
        int64_t at = i;
        for (; at > 0 && far[i] < far[order[at - 1]]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    k = k < t->known ? k : t->known;
    for (int64_t i = 0; i < k; i++)
        votes[t->known_classes[order[i]]]++;
    int32_t best = t->known_classes[order[0]];
    for (int64_t i = 0; i < k; i++)
        if (votes[t->known_classes[order[i]]] > votes[best])
            best = t->known_classes[order[i]];
    free(far), free(order);
    return best;
}

static void nearest_literal(void **state)
{
    enum { KNOWN = 70, HIDDEN = 45, D = 6 };
    pen_rng rng = check_rng(9104);
    (void)state;
    for (int repeat = 0; repeat < check_repeats(12); repeat++) {
        double known[KNOWN * D], hidden[HIDDEN * D];
        int32_t known_classes[KNOWN], hidden_classes[HIDDEN];
        const pen_vote t = { D, KNOWN, HIDDEN, known, hidden, known_classes, hidden_classes, 5 };
        const int64_t k = repeat % 3 == 0 ? 1 : repeat % 3 == 1 ? 7 : 1000;
        int64_t right[D];
        pen_run *run;
        for (int i = 0; i < KNOWN * D; i++)
            /* a lattice has ties */
            known[i] = repeat % 2 ? check_normal(&rng) : (double)pen_rng_below(&rng, 3);
        for (int i = 0; i < HIDDEN * D; i++)
            hidden[i] = repeat % 2 ? check_normal(&rng) : (double)pen_rng_below(&rng, 3);
        for (int i = 0; i < KNOWN; i++)
            known_classes[i] = (int32_t)pen_rng_below(&rng, 4);
        for (int i = 0; i < HIDDEN; i++)
            hidden_classes[i] = (int32_t)pen_rng_below(&rng, 5);
        CHECK(pen_run_open(NULL, NULL, &run) == PEN_OK, "no run");
        CHECK(pen_nearest_correct(run, &t, k, right) == PEN_OK, "nearest_correct fails");
        for (int64_t r = 1; r <= D; r++) {
            int64_t count = 0;
            for (int64_t i = 0; i < HIDDEN; i++)
                count += predicted(&t, i, k, r) == hidden_classes[i];
            CHECK(right[r - 1] == count,
                  "%lld of %d predicted right in %lld dimensions, expected %lld",
                  (long long)right[r - 1], HIDDEN, (long long)r, (long long)count);
        }
        pen_run_close(run);
    }
}

static void standardized(void **state)
{
    double known[] = { 1, 5, 3, 5, 5, 5 }, hidden[] = { 3, 7 };
    (void)state;
    pen_nearest_standardize(2, 3, known, 1, hidden);
    CHECK_CLOSE(known[0], -2 / sqrt(8. / 3), 1e-15, 0);
    CHECK_CLOSE(known[4], 2 / sqrt(8. / 3), 1e-15, 0);
    CHECK(known[1] == 0 && hidden[1] == 2, "a constant coordinate is only centered: %g, %g",
          known[1], hidden[1]);
    CHECK(hidden[0] == 0, "%g", hidden[0]);
}

/* ---- purity and trustworthiness ---- */

static int nearer(const double *x, int d, int i, int a, int b)
{
    double far_a = 0, far_b = 0;
    for (int j = 0; j < d; j++) {
        far_a += pow(x[i * d + j] - x[a * d + j], 2);
        far_b += pow(x[i * d + j] - x[b * d + j], 2);
    }
    return far_a < far_b || (far_a == far_b && a < b);
}

/* The rank of row j among the neighbors of row i, from 1. */
static int rank_among(const double *x, int n, int d, int i, int j)
{
    int rank = 1;
    for (int other = 0; other < n; other++)
        rank += other != i && other != j && nearer(x, d, i, other, j);
    return rank;
}

static void neighborhoods_literal(void **state)
{
    enum { N = 50, D = 4, K = 9 };
    pen_rng rng = check_rng(9105);
    (void)state;
    for (int repeat = 0; repeat < check_repeats(4); repeat++) {
        double x[N * D], z[N * 2], purity[N - 1], trust, shares[N - 1] = { 0 }, far = 0;
        int32_t labels[N], sizes[3] = { 0 };
        pen_error err;
        for (int i = 0; i < N * D; i++)
            x[i] = repeat % 2 ? check_normal(&rng) : (double)pen_rng_below(&rng, 4);
        for (int i = 0; i < N; i++) {
            z[2 * i] = x[i * D] + x[i * D + 2];
            z[2 * i + 1] = x[i * D + 1];
            labels[i] = (int32_t)pen_rng_below(&rng, 3);
            sizes[labels[i]]++;
        }
        const pen_array xs = pen_dense(x, PEN_F64, N, D, D), zs = pen_dense(z, PEN_F64, N, 2, 2);
        CHECK_OK(pen_purity(&zs, labels, N - 1, NULL, purity, &err), &err);
        CHECK_OK(pen_trustworthiness(&xs, &zs, K, NULL, &trust, &err), &err);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                if (i == j)
                    continue;
                const int rank = rank_among(z, N, 2, i, j), true_rank = rank_among(x, N, D, i, j);
                for (int k = rank; k < N && labels[i] == labels[j]; k++)
                    shares[k - 1] += 1.0 / (N * k);
                if (rank <= K && true_rank > K)
                    far += true_rank - K;
            }
        for (int k = 0; k < N - 1; k++)
            CHECK_CLOSE(purity[k], shares[k], 1e-12, 0);
        CHECK_CLOSE(trust, 1 - 2 * far / (N * K * (2.0 * N - 3 * K - 1)), 1e-12, 0);
        double all = 0;
        for (int c = 0; c < 3; c++)
            all += (double)sizes[c] * (sizes[c] - 1);
        CHECK_CLOSE(purity[N - 2], all / (N * (N - 1.0)), 1e-12, 0);
        CHECK_OK(pen_trustworthiness(&xs, &xs, K, NULL, &trust, &err), &err);
        CHECK(trust == 1, "rows as their own embedding: %.17g", trust);
        CHECK_STATUS(pen_trustworthiness(&xs, &zs, 25, NULL, &trust, &err), PEN_BAD_ARGUMENT,
                     "neighbors must be in [1, 24]", &err);
        labels[7] = -1;
        CHECK_STATUS(pen_purity(&zs, labels, 3, NULL, purity, &err), PEN_NO_LABELS,
                     "row 7 has none", &err);
    }
}

/* ---- Student's t ---- */

static void student_printed(void **state)
{
    (void)state;
    CHECK_CLOSE(pen_student_two_sided(0, 4), 1, 0, 1e-15);
    CHECK_CLOSE(pen_student_two_sided(1, 1), 0.5, 1e-13, 0);                /* Cauchy */
    CHECK_CLOSE(pen_student_two_sided(-3, 2), 1 - 3 / sqrt(11.), 1e-13, 0); /* t / sqrt(2 + t^2) */
    CHECK_CLOSE(pen_student_two_sided(0.3, 2), 1 - 0.3 / sqrt(2.09), 1e-13, 0);
    CHECK_CLOSE(pen_student_two_sided(2.776445105198, 4), 0.05, 1e-10, 0);  /* from tables */
    CHECK_CLOSE(pen_student_two_sided(1.959963984540, 1e6), 0.05, 1e-5, 0); /* normal */
    CHECK_CLOSE(pen_student_two_sided(1e200, 3), 0, 0, 1e-300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_printed),    cmocka_unit_test(folds_even),
        cmocka_unit_test(folds_refused),    cmocka_unit_test(agreement_literal),
        cmocka_unit_test(agreement_limits), cmocka_unit_test(kmeans_stable),
        cmocka_unit_test(kmeans_limits),    cmocka_unit_test(nearest_literal),
        cmocka_unit_test(standardized),     cmocka_unit_test(neighborhoods_literal),
        cmocka_unit_test(student_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
