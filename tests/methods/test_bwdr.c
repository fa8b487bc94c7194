/* test_bwdr.c - bwdr against printed numbers, the oracle, and the propositions of the paper: Long,
 * Meng, Sioutis: IEEE Access 8 (2020). */
#include "kit/oracle_fit.h"

TEST(golden)
{
    check_pair_golden("bwdr");
}

TEST(matches_the_oracle)
{
    check_all_shapes(501, 4,
                     "bwdr: threshold=0.5; threshold=1; threshold=0.01; target=1; "
                     "target=mean threshold=0.8; dim=1; dim=2; dim=4 threshold=0.3 target=mean; "
                     "dim=40; scale=standard; scale=minmax threshold=1; pca=3; "
                     "pca=0.9 scale=standard dim=2; pca=rank");
}

/* With the whole spectrum and scatters of full rank, bwdr and wbdr find the same directions, and
 * the products of paired eigenvalues are equal. */
TEST(wbdr_finds_the_same_directions)
{
    pen_rng rng = check_rng(506);
    linked l = linked_random(&rng, 60, 5, 3, 50, 60);
    const pen_data data = linked_data(&l);
    pair_oracle *b = pair_oracle_fit("bwdr threshold=1", &data),
                *w = pair_oracle_fit("wbdr threshold=1", &data);
    pen_model *bwdr = fit_data("bwdr threshold=1", &data),
              *wbdr = fit_data("wbdr threshold=1", &data);

    CHECK(pen_model_dim(bwdr) == 5 && pen_model_dim(wbdr) == 5, "too few dimensions");
    for (int j = 0; j < 5; j++) {
        double aa = 0, bb = 0, ab = 0;
        for (int i = 0; i < 5; i++) {
            const double one = model_columns(bwdr)[5 * i + j], two = model_columns(wbdr)[5 * i + j];
            aa += one * one, bb += two * two, ab += one * two;
        }
        CHECK_CLOSE(fabs(ab), sqrt(aa * bb), 1e-10, 0);
        CHECK_CLOSE(model_eigenvalues(bwdr)[j] * model_eigenvalues(wbdr)[j],
                    b->lambda[0] * w->lambda[4], 1e-8, 0);
    }
}

TEST(errors)
{
    pen_rng rng = check_rng(523);
    linked l = linked_random(&rng, 30, 4, 2, 20, 0);
    pen_data data = linked_data(&l);

    CHECK_FIT_FAILS("bwdr", &data, PEN_NO_PAIRS, "cannot");
    data.must_link_count = 0;
    data.must_link = NULL;
    CHECK_FIT_FAILS("bwdr", &data, PEN_NO_PAIRS, NULL);
    for (int64_t i = 0; i < 30; i++)
        l.s.y[i] = 4;
    data.labels = l.s.y;
    CHECK_FIT_FAILS("bwdr", &data, PEN_NO_PAIRS, "cannot");
    for (int64_t i = 0; i < 4; i++)
        l.s.x[4 + i] = l.s.x[i];
    l.s.y[0] = 3;
    for (int64_t i = 2; i < 30; i++)
        l.s.y[i] = PEN_UNLABELLED;
    CHECK_FIT_FAILS("bwdr", &data, PEN_RANK_TOO_SMALL, NULL); /* the one cannot-link has length 0 */
}

/* Ten equal eigenvalues: exactly three reach 0.3 of the total, seven 0.7, despite the rounding
 * errors of reflected rows. */
TEST(threshold_met_exactly)
{
    static const struct {
        const char *text, *stretched;
    } cases[] = { { "bwdr threshold=0.3", "\"levelled\":3," },
                  { "bwdr threshold=0.7", "\"levelled\":7," } };
    const int64_t must[] = { 1, 2 };
    int64_t cannot[20];
    pen_rng rng = check_rng(791);

    for (int repeat = 0; repeat < check_repeats(20); repeat++) {
        double x[110] = { 0 }, v[10], length2 = 0;
        for (int j = 0; j < 10; j++) {
            v[j] = check_normal(&rng);
            length2 += v[j] * v[j];
        }
        /* row 0 is the origin, row j + 1 the reflected unit vector j */
        for (int64_t j = 0; j < 10; j++) {
            cannot[2 * j] = 0;
            cannot[2 * j + 1] = j + 1;
            for (int64_t k = 0; k < 10; k++)
                x[(j + 1) * 10 + k] = (j == k) - 2 * v[j] * v[k] / length2;
        }
        const pen_data data = { .x = pen_dense(x, PEN_F64, 11, 10, 10),
                                .must_link = must,
                                .must_link_count = 1,
                                .cannot_link = cannot,
                                .cannot_link_count = 10 };
        for (int i = 0; i < 2; i++) {
            pen_model *model = fit_data(cases[i].text, &data);
            CHECK(strstr(pen_model_info(model), cases[i].stretched), "%s: %s", cases[i].text,
                  pen_model_info(model));
        }
    }
}
