/* test_pair_weights.c - properties of weights of pairs, for all methods that learn from pairs. The
 * oracles of the methods check the numbers. */
#include "kit/pairs_fit.h"

static const char *const methods[] = { "bwdr", "wbdr", "ssdr",    "cmm",   "cfld",
                                       "rca",  "clpp", "sodrpac", "rssdr", "npssdr" };

/* Rows with pairs, each listed once. */
static linked some_pairs(pen_rng *rng)
{
    linked l = linked_random(rng, 60, 4, 3, 40, 40), once = linked_expand(&l);
    linked_new_weights(&once);
    return once;
}

static void weigh(linked *l, double must, double cannot)
{
    for (int64_t p = 0; p < l->must_count; p++)
        l->must_weights[p] = must;
    for (int64_t p = 0; p < l->cannot_count; p++)
        l->cannot_weights[p] = cannot;
}

/* The same subspace, and the same distances in it up to a factor. */
static void check_same(const char *text, const pen_data *a, const pen_data *b, int up_to_a_factor)
{
    pen_model *one = fit_data(text, a), *two = fit_data(text, b);
    const int64_t d = pen_model_columns(one), k = pen_model_dim(one);
    const double *v = pen_model_tensor(one, "projection").values,
                 *w = pen_model_tensor(two, "projection").values;
    double factor = 1, most = 0;

    CHECK(k == pen_model_dim(two), "%s: %lld dimensions, and %lld", text, (long long)k,
          (long long)pen_model_dim(two));
    for (int64_t i = 0; i < d * k; i++)
        if (fabs(v[i]) > most) {
            most = fabs(v[i]);
            factor = up_to_a_factor ? w[i] / v[i] : 1;
        }
    for (int64_t i = 0; i < d * k; i++)
        CHECK(fabs(w[i] - factor * v[i]) <= 1e-7 * fabs(factor) * most,
              "%s: projection %lld is %.17g, expected %.17g", text, (long long)i, w[i],
              factor * v[i]);
}

TEST(weights_of_one_change_nothing)
{
    pen_rng rng = check_rng(4101);
    for (int64_t m = 0; m < COUNT_OF(methods); m++) {
        linked l = some_pairs(&rng);
        pen_data with = linked_data(&l), without = with;
        char closed[64];
        without.must_link_weights = without.cannot_link_weights = NULL;
        weigh(&l, 1, 1);
        check_same(methods[m], &without, &with, 0);
        with.cannot_link_weights = NULL;
        check_same(methods[m], &without, &with, 0);
        snprintf(closed, sizeof closed, "%s closure=true", methods[m]);
        check_same(closed, &without, &with, 0);
    }
}

/* Means over pairs, ratios of scatters and stretched ones do not depend on the unit of the
 * weights. */
TEST(unit_of_the_weights)
{
    static const struct {
        const char *text;
        double must, cannot;
    } cases[] = {
        { "ssdr", 3, 0.5 }, { "cmm", 3, 0.5 },   { "npssdr", 3, 0.5 },
        { "bwdr", 3, 0.5 }, { "wbdr", 3, 0.5 },  { "cfld", 7, 1 },
        { "rca", 0.2, 1 },  { "sodrpac", 1, 4 }, { "rssdr beta=0 alpha=0", 0.5, 2 },
    };
    pen_rng rng = check_rng(4102);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        linked l = some_pairs(&rng), scaled = linked_copy(&l);
        linked_new_weights(&scaled);
        for (int64_t p = 0; p < l.must_count; p++)
            scaled.must_weights[p] =
                cases[c].must * (l.must_weights[p] = 0.1 + pen_rng_uniform(&rng));
        for (int64_t p = 0; p < l.cannot_count; p++)
            scaled.cannot_weights[p] =
                cases[c].cannot * (l.cannot_weights[p] = 0.1 + pen_rng_uniform(&rng));
        const pen_data one = linked_data(&l), other = linked_data(&scaled);
        check_same(cases[c].text, &one, &other, 1);
    }
}

/* Pairs of weight 0 are absent, even if they contradict others. */
TEST(zero_is_absent)
{
    pen_rng rng = check_rng(4103);
    for (int64_t m = 0; m < COUNT_OF(methods); m++) {
        linked l = some_pairs(&rng), more = linked_copy(&l);
        weigh(&l, 0.5, 0.25);
        linked_add(&more, PEN_MUST_LINK, l.cannot[0], l.cannot[1]);
        linked_add(&more, PEN_CANNOT_LINK, l.must[0], l.must[1]);
        linked_new_weights(&more);
        weigh(&more, 0.5, 0.25);
        more.must_weights[l.must_count] = more.cannot_weights[l.cannot_count] = 0;
        const pen_data one = linked_data(&l), other = linked_data(&more);
        check_same(methods[m], &one, &other, 0);
    }
}

TEST(mistakes_are_named)
{
    static const struct {
        double must, cannot; /* the weight of must-link 3 and of cannot-link 2 */
        const char *phrase;
    } cases[] = {
        { -0.5, 1, "pair 3 (counted from 0): weight must be a finite number >= 0, got -0.5" },
        { 1, NAN, "cannot_link: pair 2" },
        { 1, INFINITY, "cannot_link: pair 2" },
    };
    pen_rng rng = check_rng(4105);
    linked l = some_pairs(&rng);
    const pen_data data = linked_data(&l);
    for (int64_t c = 0; c < COUNT_OF(cases); c++) {
        weigh(&l, 1, 1);
        l.must_weights[3] = cases[c].must;
        l.cannot_weights[2] = cases[c].cannot;
        CHECK_FIT_FAILS("wbdr", &data, PEN_BAD_PAIR, cases[c].phrase);
    }
    weigh(&l, 0, 0);
    CHECK_FIT_FAILS("wbdr", &data, PEN_NO_PAIRS, "needs cannot-links, got none");
}

/* A pair with two weights, and one whose weight differs from that of its labels. */
TEST(contradictions)
{
    static const double x[] = { 0, 1, 2, 0, 5, 5, 6, 3, 9, 1, 1, 1 };
    static const int64_t must[] = { 0, 1, 1, 0, 2, 3 }, cannot[] = { 0, 2, 1, 3, 4, 5 };
    static const int32_t labels[] = { 0, 0, 1, 1, -1, -1 };
    double weights[] = { 0.5, 0.25, 1 };
    pen_data data = { .x = pen_dense(x, PEN_F64, 6, 2, 2),
                      .must_link = must,
                      .must_link_count = 3,
                      .must_link_weights = weights,
                      .cannot_link = cannot,
                      .cannot_link_count = 3 };
    CHECK_FIT_FAILS("wbdr", &data, PEN_CONTRADICTION,
                    "rows 0 and 1 are listed with different weights");
    pen_model *model = fit_data("wbdr contradictions=drop", &data);
    CHECK(info_number(model, "must_links") == 1 && info_number(model, "contradictions") == 1, "%s",
          pen_model_info(model));
    weights[1] = 0.5;
    model = fit_data("wbdr", &data);
    CHECK(info_number(model, "must_links") == 2 && info_number(model, "duplicates") == 1, "%s",
          pen_model_info(model));
    data.labels = labels;
    CHECK_FIT_FAILS("wbdr", &data, PEN_CONTRADICTION, "the weight is not 1");
    weights[0] = weights[1] = 1;
    model = fit_data("wbdr", &data);
    CHECK(info_number(model, "duplicates") == 5, "%s", pen_model_info(model));
}

/* The weakest link of a chain, if neither a list nor a label has the pair. */
TEST(closure_adds)
{
    static const double x[] = { 0, 1, 3, 2, 5, 5, 8, 0, 1, 9, 4, 4, 2, 7 },
                        weights[] = { 0.5, 0.25, 0.75 };
    static const int32_t labels[] = { 1, -1, -1, -1, -1, -1, 1 };
    static const int64_t must[] = { 4, 1, 1, 3, 2, 0 };
    static const double right[2][3] = { { 2, 6, 0.75 }, { 3, 4, 0.25 } };
    const pen_data data = { .x = pen_dense(x, PEN_F64, 7, 2, 2),
                            .labels = labels,
                            .must_link = must,
                            .must_link_count = 3,
                            .must_link_weights = weights };
    pen_model *model = fit_data("ssdr dim=1 closure=true classifier=none", &data);
    const pen_matrix found = pen_model_tensor(model, "derived_pairs");
    assert_true(found.rows == 2 && found.cols == 3);
    const int64_t first = found.values[0] == right[1][0];
    for (int64_t i = 0; i < 6; i++)
        CHECK_CLOSE(found.values[i], right[(first + i / 3) % 2][i % 3], 0, 0);
}
