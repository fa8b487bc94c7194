/* test_cfld.c - Fisher's discriminant of chunklets against printed numbers, the oracle, and the
 * discriminant of classes: Bar-Hillel, Hertz, Shental, Weinshall: JMLR 6 (2005). */
#include "kit/oracle_fit.h"

TEST(golden)
{
    check_pair_golden("cfld");
}

/* One chunklet has no scatter between chunklets. */
TEST(one_chunklet)
{
    linked d = linked_golden("D"), e = linked_golden("E");
    const pen_data data[] = { linked_data(&d), linked_data(&e) };

    for (int i = 0; i < 2; i++) {
        CHECK_FIT_FAILS("cfld", &data[i], PEN_RANK_TOO_SMALL, NULL);
        CHECK_FIT_FAILS("cfld allow_fewer=true", &data[i], PEN_RANK_TOO_SMALL, NULL);
        check_like("cfld total_rows=all", &data[i], NULL, 1e-8);
    }
}

TEST(matches_the_oracle)
{
    check_all_shapes(901, 4,
                     "cfld: total_rows=all; column_scaling=unit; "
                     "column_scaling=within total_rows=all; column_scaling=within; dim=1; "
                     "dim=2 total_rows=all column_scaling=unit; dim=40; scale=standard; "
                     "scale=minmax total_rows=all; scale=standard column_scaling=unit; pca=3; "
                     "pca=0.9 scale=standard total_rows=all dim=2");
}

/* With labels the chunklets are the classes: the classical discriminant, with one column fewer than
 * classes, parallel to those of fda. */
TEST(fda_is_its_limit)
{
    pen_rng rng = check_rng(902);

    for (int which = 0; which < 3; which++) {
        linked l = linked_random(&rng, 70, 6, 4, 0, 0);
        linked_label(&rng, &l, which == 0 ? 70 : 45);
        linked listed = linked_expand(&l);
        const pen_data data = linked_data(which == 2 ? &listed : &l), labels = linked_data(&l);
        pen_model *model = fit_data("cfld", &data), *fda = fit_data("fda", &labels);
        CHECK(pen_model_dim(model) == 3 && pen_model_dim(fda) == 3, "%lld dimensions",
              (long long)pen_model_dim(model));
        for (int j = 0; j < 3; j++) {
            double aa = 0, bb = 0, ab = 0;
            for (int i = 0; i < 6; i++) {
                const double one = model_columns(model)[3 * i + j],
                             two = model_columns(fda)[3 * i + j];
                aa += one * one, bb += two * two, ab += one * two;
            }
            CHECK_CLOSE(ab, sqrt(aa * bb), 1e-10, 0);
            CHECK_CLOSE(1 / model_eigenvalues(model)[j] - 1, model_eigenvalues(fda)[j], 1e-8, 0);
        }
    }
}

/* Cannot-links are ignored. */
TEST(cannot_links_make_no_difference)
{
    pen_rng rng = check_rng(905);
    linked l = linked_random(&rng, 60, 4, 3, 50, 60);
    pen_data data = linked_data(&l);
    pen_model *with = fit_data("cfld", &data);
    data.cannot_link = NULL;
    data.cannot_link_count = 0;
    pen_model *without = fit_data("cfld", &data);

    check_same_bits(with, without, "cfld");
}

/* One column in other units, up to 10^8 times as large: the same eigenvalues, and one dimension
 * fewer than classes. */
TEST(very_different_units)
{
    pen_rng rng = check_rng(790);
    sample s = sample_random(&rng, 300, 4, 3, 300);
    pen_model *plain = fit_sample("cfld", &s);

    assert_int_equal(pen_model_dim(plain), 2);
    for (double factor = 1e-8; factor < 1e9; factor *= 10) {
        sample scaled = sample_of(s.n, s.d, s.x, s.y);
        for (int64_t i = 0; i < s.n; i++)
            scaled.x[i * 4 + 1] *= factor;
        pen_model *model = fit_sample("cfld", &scaled);
        assert_int_equal(pen_model_dim(model), 2);
        for (int j = 0; j < 2; j++)
            CHECK_CLOSE(model_eigenvalues(model)[j], model_eigenvalues(plain)[j], 1e-9, 0);
    }
}
