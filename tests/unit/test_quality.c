/* test_quality.c - folds, nearest labelled rows, and Student's t, against hard-coded values and
 * literal loops. */
#include "kit/check_fit.h"

#include "eval/measures/student.h"
#include "neighbors/nearest.h"

TEST(folds_printed)
{
    static const int32_t labels[] = { 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 },
                         printed[2][10] = { { 1, 2, 2, 0, 0, 1, 1, 0, 2, 0 },
                                            { 1, 0, 1, 0, 2, 0, 0, 2, 1, 2 } };
    int32_t fold[10];
    pen_error err;
    for (int stratified = 0; stratified < 2; stratified++) {
        CHECK_OK(pen_deal_folds(labels, NULL, 10, 3, stratified, 4, fold, &err), &err);
        assert_memory_equal(fold, printed[stratified], sizeof fold);
    }
}

/* Fold sizes differ by at most one, also within each class; unlabelled rows are in no fold. */
TEST(folds_even)
{
    enum { N = 97 };
    pen_rng rng = check_rng(9101);
    for (int repeat = 0; repeat < check_repeats(40); repeat++) {
        const int k = 2 + (int)pen_rng_below(&rng, 9), stratified = repeat % 2;
        int32_t labels[N], fold[N];
        int size[4][11] = { { 0 } };
        pen_error err;
        for (int i = 0; i < N; i++)
            labels[i] = i < 12 ? i % 3 : (int32_t)pen_rng_below(&rng, 4) - 1;
        CHECK_OK(pen_deal_folds(labels, NULL, N, k, stratified, (uint64_t)repeat, fold, &err),
                 &err);
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

TEST(folds_refused)
{
    static const int32_t labels[] = { 3, -1, 3, 5 }, none[] = { -1, -1 };
    int32_t fold[4];
    pen_error err;
    CHECK_STATUS(pen_deal_folds(labels, NULL, 4, 4, 1, 0, fold, &err), PEN_BAD_ARGUMENT,
                 "folds must be in [2, 3], the number of labelled rows, got 4", &err);
    CHECK_STATUS(pen_deal_folds(labels, NULL, 4, 1, 1, 0, fold, &err), PEN_BAD_ARGUMENT, "got 1",
                 &err);
    CHECK_STATUS(pen_deal_folds(none, NULL, 2, 2, 1, 0, fold, &err), PEN_NO_LABELS, NULL, &err);
    CHECK_STATUS(pen_deal_folds(NULL, NULL, 2, 2, 1, 0, fold, &err), PEN_BAD_ARGUMENT, NULL, &err);
}

/* The class of the nearest row, ties to the first, in the first r dimensions. */
static int32_t predicted(const pen_nearest *t, int64_t row, int64_t r)
{
    double least = INFINITY;
    int32_t best = -1;

    for (int64_t i = 0; i < t->known; i++) {
        const double far =
            dense_distance2(r, t->hidden_rows + row * t->d, t->known_rows + i * t->d);
        if (far < least) {
            least = far;
            best = t->known_classes[i];
        }
    }
    return best;
}

TEST(nearest_literal)
{
    enum { KNOWN = 70, HIDDEN = 45, D = 6 };
    pen_rng rng = check_rng(9104);
    for (int repeat = 0; repeat < check_repeats(12); repeat++) {
        double known[KNOWN * D], hidden[HIDDEN * D];
        int32_t known_classes[KNOWN], hidden_classes[HIDDEN];
        const pen_nearest t = { D, KNOWN, HIDDEN, known, hidden, known_classes, hidden_classes };
        const int64_t some = 1 + repeat % D;
        int64_t right[D];
        for (int i = 0; i < KNOWN * D; i++)
            /* a lattice has ties */
            known[i] = repeat % 2 ? check_normal(&rng) : (double)pen_rng_below(&rng, 3);
        for (int i = 0; i < HIDDEN * D; i++)
            hidden[i] = repeat % 2 ? check_normal(&rng) : (double)pen_rng_below(&rng, 3);
        for (int i = 0; i < KNOWN; i++)
            known_classes[i] = (int32_t)pen_rng_below(&rng, 4);
        for (int i = 0; i < HIDDEN; i++)
            hidden_classes[i] = (int32_t)pen_rng_below(&rng, 5);
        pen_run *const run = check_run(0, NULL);
        CHECK(pen_nearest_correct(run, &t, some, right) == PEN_OK, "nearest_correct fails");
        for (int64_t r = D - some + 1; r <= D; r++) {
            int64_t count = 0;
            for (int64_t i = 0; i < HIDDEN; i++)
                count += predicted(&t, i, r) == hidden_classes[i];
            CHECK(right[r - 1 - (D - some)] == count,
                  "%lld of %d correct in %lld dimensions, expected %lld",
                  (long long)right[r - 1 - (D - some)], HIDDEN, (long long)r, (long long)count);
        }
        pen_run_close(run);
    }
}

TEST(student_printed)
{
    CHECK_CLOSE(pen_student_two_sided(0, 4), 1, 0, 1e-15);
    CHECK_CLOSE(pen_student_two_sided(1, 1), 0.5, 1e-13, 0);                /* Cauchy */
    CHECK_CLOSE(pen_student_two_sided(-3, 2), 1 - 3 / sqrt(11.), 1e-13, 0); /* t / sqrt(2 + t^2) */
    CHECK_CLOSE(pen_student_two_sided(0.3, 2), 1 - 0.3 / sqrt(2.09), 1e-13, 0);
    CHECK_CLOSE(pen_student_two_sided(2.776445105198, 4), 0.05, 1e-10, 0);  /* from tables */
    CHECK_CLOSE(pen_student_two_sided(1.959963984540, 1e6), 0.05, 1e-5, 0); /* normal */
    CHECK_CLOSE(pen_student_two_sided(1e200, 3), 0, 0, 1e-300);
}
