/* test_cfld.c - Fisher's discriminant of chunklets, compared with printed numbers, the oracle, and
 * the discriminant of classes: Bar-Hillel, Hertz, Shental, Weinshall: JMLR 6 (2005). */
#include "kit/pairs_fit.h"

static void golden(void **state)
{
    (void)state;
    check_pair_golden("cfld");
}

/* One chunklet has no scatter between chunklets. */
static void one_chunklet(void **state)
{
    (void)state;
    linked d = linked_golden("D"), e = linked_golden("E");
    const pen_data data[] = { linked_data(&d), linked_data(&e) };

    for (int i = 0; i < 2; i++) {
        CHECK_FIT_FAILS("cfld", &data[i], PEN_RANK_TOO_SMALL, NULL);
        CHECK_FIT_FAILS("cfld allow_fewer=true", &data[i], PEN_RANK_TOO_SMALL, NULL);
        check_like_pair_oracle("cfld total_rows=all", &data[i], NULL, 1e-8);
    }
    linked_free(&d);
    linked_free(&e);
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "cfld",
        "cfld total_rows=all",
        "cfld column_scaling=unit",
        "cfld column_scaling=within total_rows=all",
        "cfld column_scaling=within",
        "cfld dim=1",
        "cfld dim=2 total_rows=all column_scaling=unit",
        "cfld dim=40",
        "cfld scale=standard",
        "cfld scale=minmax total_rows=all",
        "cfld scale=standard column_scaling=unit",
        "cfld pca=3",
        "cfld pca=0.9 scale=standard total_rows=all dim=2",
    };
    check_all_linked_shapes(901, texts, COUNT_OF(texts), 4);
}

/* The chunklets of a labelling are its classes: this is the classical discriminant, with one column
 * fewer than classes, parallel to those of fda. */
static void fda_is_its_limit(void **state)
{
    (void)state;
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
                const double one = pen_model_tensor(model, "projection").values[3 * i + j],
                             two = pen_model_tensor(fda, "projection").values[3 * i + j];
                aa += one * one, bb += two * two, ab += one * two;
            }
            CHECK_CLOSE(ab, sqrt(aa * bb), 1e-10, 0);
            CHECK_CLOSE(1 / pen_model_tensor(model, "eigenvalues").values[j] - 1,
                        pen_model_tensor(fda, "eigenvalues").values[j], 1e-8, 0);
        }
        pen_model_free(model);
        pen_model_free(fda);
        linked_free(&l);
        linked_free(&listed);
    }
}

/* The lengths of the columns: a' S_t a = 1, a' S_w a = 1, |a| = 1. */
static void lengths_of_columns(void **state)
{
    (void)state;
    pen_rng rng = check_rng(903);
    linked l = linked_random(&rng, 60, 4, 3, 50, 0);
    const pen_data data = linked_data(&l);
    pair_oracle *f = pair_oracle_fit("cfld total_rows=all", &data);
    pen_model *total = fit_data("cfld total_rows=all", &data),
              *within = fit_data("cfld total_rows=all column_scaling=within", &data),
              *unit = fit_data("cfld total_rows=all column_scaling=unit", &data);
    const int64_t r = pen_model_dim(total);
    double *whole = dense_project(4, r, f->St, pen_model_tensor(total, "projection").values);

    for (int64_t j = 0; j < r; j++) {
        const double theta = pen_model_tensor(total, "eigenvalues").values[j];
        double square = 0, dot = 0;
        CHECK_CLOSE(whole[j * r + j], 1, 1e-10, 0);
        for (int64_t i = 0; i < 4; i++) {
            CHECK_CLOSE(pen_model_tensor(within, "projection").values[i * r + j] * sqrt(theta),
                        pen_model_tensor(total, "projection").values[i * r + j], 1e-10, 1e-12);
            square += pen_model_tensor(unit, "projection").values[i * r + j]
                      * pen_model_tensor(unit, "projection").values[i * r + j];
            dot += pen_model_tensor(unit, "projection").values[i * r + j]
                   * pen_model_tensor(total, "projection").values[i * r + j];
        }
        CHECK_CLOSE(square, 1, 1e-12, 0);
        for (int64_t i = 0; i < 4; i++)
            CHECK_CLOSE(pen_model_tensor(unit, "projection").values[i * r + j] * dot,
                        pen_model_tensor(total, "projection").values[i * r + j], 1e-10, 1e-12);
    }
    free(whole);
    pair_oracle_free(f);
    pen_model_free(total);
    pen_model_free(within);
    pen_model_free(unit);
    linked_free(&l);
}

/* The units of the features do not change the embedding. */
static void units_make_no_difference(void **state)
{
    (void)state;
    static const char *const texts[] = { "cfld", "cfld total_rows=all",
                                         "cfld column_scaling=within dim=2", "cfld dim=1" };
    pen_rng rng = check_rng(904);

    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        linked l = linked_random(&rng, 60, 4, 4, 70, 0), other = linked_copy(&l);
        for (int64_t i = 0; i < 60 * 4; i++)
            other.s.x[i] *= pow(5, (double)(i % 4) - 1);
        const pen_data data = linked_data(&l), other_data = linked_data(&other);
        pen_model *one = fit_data(texts[t], &data), *two = fit_data(texts[t], &other_data);
        double *a = embedded_distances(one, &l), *b = embedded_distances(two, &other);
        for (int64_t i = 0; i < 60 * 60; i++)
            CHECK_CLOSE(a[i], b[i], 1e-8, 1e-8);
        free(a), free(b);
        pen_model_free(one);
        pen_model_free(two);
        linked_free(&l);
        linked_free(&other);
    }
}

/* Cannot-links are ignored. */
static void cannot_links_make_no_difference(void **state)
{
    (void)state;
    pen_rng rng = check_rng(905);
    linked l = linked_random(&rng, 60, 4, 3, 50, 60);
    pen_data data = linked_data(&l);
    pen_model *with = fit_data("cfld", &data);
    data.cannot_link = NULL;
    data.cannot_link_count = 0;
    pen_model *without = fit_data("cfld", &data);

    check_same_bits(with, without, "cfld");
    pen_model_free(with);
    pen_model_free(without);
    linked_free(&l);
}

static void invariances(void **state)
{
    (void)state;
    check_pair_invariances("cfld total_rows=all", 906);
    check_pair_invariances("cfld total_rows=all column_scaling=unit dim=1", 907);
    check_pair_nested("cfld total_rows=all", 908, 1);
    check_pair_scaled("cfld", 909, 5, 0.2, 1);
    check_pair_scaled("cfld total_rows=all column_scaling=within", 910, 1e-3, 1e3, 1);
    check_pair_scaled("cfld column_scaling=unit", 911, 1e-3, 1, 1);
    check_idle_features("cfld total_rows=all", 912);
    check_idle_features("cfld total_rows=all column_scaling=unit", 913);
}

static void types(void **state)
{
    (void)state;
    check_pair_types("cfld total_rows=all", 914);
    check_pair_types("cfld total_rows=all scale=standard pca=5", 915);
}

static void samples(void **state)
{
    (void)state;
    check_pair_sample("cfld total_rows=all", 916);
}

static void errors(void **state)
{
    (void)state;
    pen_error err;
    pen_spec *spec = spec_of("cfld total_rows=chunk column_scaling=total");
    pen_rng rng = check_rng(917);
    linked l = linked_random(&rng, 30, 4, 2, 0, 20), few = linked_random(&rng, 30, 8, 4, 5, 0);
    const pen_data data = linked_data(&l), of_few = linked_data(&few);

    check_pair_errors("cfld total_rows=all", 918);
    CHECK_FIT_FAILS("cfld", &data, PEN_NO_PAIRS, "must");
    CHECK_FIT_FAILS("cfld total_rows=all", &data, PEN_NO_PAIRS, "must");
    CHECK_FIT_FAILS("cfld column_scaling=within total_rows=all", &of_few, PEN_SINGULAR_SCATTER,
                    NULL); /* directions in which chunklets are points */
    CHECK_STATUS(pen_spec_set(spec, "total_rows", "scatter", &err), PEN_UNKNOWN_NAME, "chunk, all",
                 &err);
    CHECK_STATUS(pen_spec_set(spec, "column_scaling", "long", &err), PEN_UNKNOWN_NAME,
                 "total, within, unit", &err);
    check_pair_extremes("cfld", 931);
    check_pair_extremes("cfld total_rows=all column_scaling=within scale=standard", 932);
    pen_spec_free(spec);
    linked_free(&l);
    linked_free(&few);
}

/* One column in other units, up to 10^8 times as large: the same eigenvalues, and one dimension
 * fewer than classes. */
static void very_different_units(void **state)
{
    (void)state;
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
            CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[j],
                        pen_model_tensor(plain, "eigenvalues").values[j], 1e-9, 0);
        pen_model_free(model);
        sample_free(&scaled);
    }
    pen_model_free(plain);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(one_chunklet),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(fda_is_its_limit),
        cmocka_unit_test(lengths_of_columns),
        cmocka_unit_test(units_make_no_difference),
        cmocka_unit_test(cannot_links_make_no_difference),
        cmocka_unit_test(invariances),
        cmocka_unit_test(types),
        cmocka_unit_test(samples),
        cmocka_unit_test(errors),
        cmocka_unit_test(very_different_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
