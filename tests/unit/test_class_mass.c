/* test_class_mass.c - class-mass normalization against printed numbers and for uninformative
 * scores. The oracles of fme, soda, asl and soge include it. */
#include "check.h"

#include "classifiers/class_mass.h"

/* Replaces scores by probabilities and stores the masses; returns the number of undecided rows. */
static int64_t normalize(int64_t n, int64_t c, const int32_t *labels, enum pen_prior prior,
                         double *F, double *class_mass)
{
    pen_view x = { .n = n };
    pen_projection map = { .propagated = F };
    int64_t undecided = 0;
    const pen_remark *remark;
    pen_error err;
    pen_run *const run = check_run(1, &err);

    CHECK_OK(pen_rows_label(run, labels, n, &x), &err);
    x.n = n;
    assert_int_equal(x.classes, c);
    CHECK_OK(pen_normalize_class_mass(run, &x, prior, &map), &err);
    assert_true((map.class_mass == NULL) == (prior == PEN_PRIOR_NONE));
    assert_ptr_equal(map.propagated, F);
    if (map.class_mass)
        memcpy(class_mass, map.class_mass, (size_t)(2 * c) * sizeof *class_mass);
    for (int i = 0; (remark = pen_note_at(run, i)); i++)
        if (strcmp(remark->name, "undecided") == 0)
            undecided = (int64_t)remark->number;
    pen_run_close(run);
    return undecided;
}

static const double golden_F[] = { 0.9, 0.1, 0,   0.2, 0.7,  0.1, 0.1, 0.2,  0.7,
                                   0.5, 0.3, 0.2, 0.3, -0.1, 0.8, 0.4, 0.35, 0.25 };
static const int32_t golden_labels[] = { 0, 1, 2, 0, -1, -1 };

/* Label -1 of row 4: unlabelled; its negative score counts as 0. */
TEST(golden)
{
    static const double shares[2][18] = {
        { 0.9000000000, 0.1000000000, 0.0000000000, 0.2142857143, 0.7500000000, 0.0357142857,
          0.1875000000, 0.3750000000, 0.4375000000, 0.5769230769, 0.3461538462, 0.0769230769,
          0.5294117647, 0.0000000000, 0.4705882353, 0.4800000000, 0.4200000000, 0.1000000000 },
        { 0.8181818182, 0.1818181818, 0.0000000000, 0.1200000000, 0.8400000000, 0.0400000000,
          0.1034482759, 0.4137931034, 0.4827586207, 0.4054054054, 0.4864864865, 0.1081081081,
          0.3600000000, 0.0000000000, 0.6400000000, 0.3157894737, 0.5526315789, 0.1315789474 },
    };
    static const double masses[2][6] = { { 0.7, 0.35, 1.05, 0.5, 0.25, 0.25 },
                                         { 0.7, 0.35, 1.05, 1 / 3., 1 / 3., 1 / 3. } };
    static const int32_t all[] = { 0, 1, 2, 0, 2, 0 };
    static const double ones[] = { 1, 1, 1, 1 / 3., 1 / 3., 1 / 3. };
    double F[18], class_mass[6];
    for (int form = 0; form < 2; form++) {
        const enum pen_prior prior = form ? PEN_PRIOR_UNIFORM : PEN_PRIOR_LABELS;
        memcpy(F, golden_F, sizeof F);
        assert_int_equal(normalize(6, 3, golden_labels, prior, F, class_mass), 0);
        check_all_close("shares", 18, F, shares[form], 6e-11);
        check_all_close("masses", 6, class_mass, masses[form], 1e-11);
        /* without unlabelled rows: proportional to F */
        memcpy(F, golden_F, sizeof F);
        assert_int_equal(normalize(6, 3, all, prior, F, class_mass), 0);
        check_all_close("shares", 12, F, golden_F, 6e-11);
        check_all_close("masses", 6, class_mass, ones, 1e-15);
        CHECK_CLOSE(F[12], 0.2727272727, 0, 6e-11);
        CHECK_CLOSE(F[14], 0.7272727273, 0, 6e-11);
    }
    memcpy(F, golden_F, sizeof F);
    assert_int_equal(normalize(6, 3, golden_labels, PEN_PRIOR_NONE, F, class_mass), 0);
    assert_memory_equal(F, golden_F, sizeof F);
}

/* Rows without a positive score, equal scores, nonfinite scores, and a class without scores in
 * unlabelled rows. */
TEST(uninformative_scores)
{
    enum { N = 8 };
    static const int32_t labels[N] = { 0, 1, 1, -1, -1, -1, -1, -1 };
    static const double scores[N * 2] = { 1,  0,  0,           1,         0,     1,        0.2, 0.6,
                                          -1, -2, (double)NAN, -INFINITY, 1e300, INFINITY, 0.1, 0 };
    double F[N * 2], class_mass[4];
    /* rows 4 and 5 have no score; the huge ones of row 6 add 2 to each mass */
    memcpy(F, scores, sizeof F);
    assert_int_equal(normalize(N, 2, labels, PEN_PRIOR_UNIFORM, F, class_mass), 2);
    CHECK_CLOSE(class_mass[0], 2.3, 1e-11, 0);
    CHECK_CLOSE(class_mass[1], 2.6, 1e-11, 0);
    for (int i = 0; i < N; i++)
        CHECK(F[i * 2] >= 0 && F[i * 2 + 1] >= 0 && fabs(F[i * 2] + F[i * 2 + 1] - 1) < 1e-15,
              "row %d: %g %g", i, F[i * 2], F[i * 2 + 1]);
    /* without the huge scores: rows without a score get the class fractions, whatever their masses
     * are */
    memcpy(F, scores, sizeof F);
    F[12] = F[13] = 0.3;
    assert_int_equal(normalize(N, 2, labels, PEN_PRIOR_LABELS, F, class_mass), 2);
    CHECK_CLOSE(class_mass[0], 0.6, 1e-11, 0);
    CHECK_CLOSE(class_mass[1], 0.9, 1e-11, 0);
    for (int i = 4; i < 6; i++)
        CHECK_CLOSE(F[i * 2 + 1], 2 / 3., 1e-15, 0);
    CHECK_CLOSE(F[6 * 2 + 1], (2 / 3. / 0.9) / (1 / 3. / 0.6 + 2 / 3. / 0.9), 1e-11, 0);
    /* raw scores: the largest one twice */
    memcpy(F, scores, sizeof F);
    F[8] = F[9] = -1;
    assert_int_equal(normalize(N, 2, labels, PEN_PRIOR_NONE, F, class_mass), 1);
    /* class 1 has a score only in labelled rows, up to rounding: it is not scaled up */
    memcpy(F, scores, sizeof F);
    for (int i = 3; i < N; i++)
        F[i * 2] = 0.5 / (i - 1), F[i * 2 + 1] = i % 2 ? 0 : 3e-15;
    assert_int_equal(normalize(N, 2, labels, PEN_PRIOR_LABELS, F, class_mass), 0);
    for (int i = 3; i < N; i++)
        CHECK(F[i * 2 + 1] < 1e-4, "row %d has probability %g of an empty class", i, F[i * 2 + 1]);
    CHECK(F[1] < 1e-3 && F[2] < 1e-3 && F[4] < 1e-3, "labelled rows: %g %g %g", F[1], F[2], F[4]);
}
