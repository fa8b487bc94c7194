/* test_pair_agreement.c - weights of pairs by agreement, against sums over all pairs of pairs. */
#include "kit/pairs_fit.h"

static double distance2(const linked *l, int64_t i, int64_t j)
{
    return dense_distance2(l->s.d, l->s.x + i * l->s.d, l->s.x + j * l->s.d);
}

static void mark(const int64_t *pairs, int64_t count, char *there)
{
    for (int64_t p = 0; p < 2 * count; p++)
        there[pairs[p]] = 1;
}

/* The distance to the 15th nearest other row in pairs, or to the farthest. */
static double *scaling(const linked *l)
{
    const int64_t n = l->s.n;
    double *sigma = zeros(n), *all = zeros(n);
    char *there = check_allocate(n, 1);

    mark(l->must, l->must_count, there);
    mark(l->cannot, l->cannot_count, there);
    for (int64_t i = 0; i < n; i++) {
        int64_t count = 0;
        for (int64_t j = 0; j < n; j++)
            if (j != i && there[j])
                all[count++] = sqrt(distance2(l, i, j));
        dense_sort(count, all);
        sigma[i] = count == 0 ? 0 : all[count < 15 ? count - 1 : 14];
    }
    return sigma;
}

static double affinity(const linked *l, const double *sigma, int64_t i, int64_t j)
{
    const double d = distance2(l, i, j), scale = sigma[i] * sigma[j];
    return d == 0 ? 1 : scale > 0 ? exp(-d / scale) : 0;
}

/* Pair number p of both lists, must-links first. */
static const int64_t *pair_of(const linked *l, int64_t p)
{
    return p < l->must_count ? l->must + 2 * p : l->cannot + 2 * (p - l->must_count);
}

static double given(const linked *l, int64_t p)
{
    const double *list = p < l->must_count ? l->must_weights : l->cannot_weights;
    return list ? list[p < l->must_count ? p : p - l->must_count] : 1;
}

/* The weights of all pairs, each listed once. */
static double *literal(const linked *l)
{
    const int64_t count = l->must_count + l->cannot_count;
    double *sigma = scaling(l), *weights = zeros(count);

    for (int64_t p = 0; p < count; p++) {
        const int64_t *a = pair_of(l, p);
        double sum = 0, votes = 0.5;
        for (int64_t q = 0; q < count; q++) {
            const int64_t *b = pair_of(l, q);
            const double k = affinity(l, sigma, a[0], b[0]) * affinity(l, sigma, a[1], b[1])
                             + affinity(l, sigma, a[0], b[1]) * affinity(l, sigma, a[1], b[0]);
            sum += p == q ? 0 : (q < l->must_count ? 1 : -1) * given(l, q) * k;
            votes += p == q ? 0 : given(l, q) * k;
        }
        const double agreement = (p < l->must_count ? sum : -sum) / votes;
        weights[p] = given(l, p) * fmin(1, fmax(0.01, 0.5 + 1.25 * agreement));
    }
    return weights;
}

/* The weights that a fit finds. */
static double *weigh(const pen_data *data, int threads)
{
    const pen_control control = { .threads = threads };
    const int64_t count = data->must_link_count + data->cannot_link_count;
    double *weights = zeros(count);
    pen_spec *spec = spec_of("ssdr dim=1 pair_weights=agreement");
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_fit(spec, data, &control, &model, &err), &err);
    const pen_matrix found = pen_model_tensor(model, "pair_weights");
    assert_int_equal(found.rows, count);
    memcpy(weights, found.values, (size_t)count * sizeof *weights);
    pen_model_free(model);
    return weights;
}

static void check_literal(const linked *l)
{
    const pen_data data = linked_data(l);
    double *right = literal(l), *found = weigh(&data, 1), *again = weigh(&data, 4);

    for (int64_t p = 0; p < l->must_count + l->cannot_count; p++) {
        CHECK_CLOSE(found[p], right[p], 1e-9, 1e-9);
        CHECK(memcmp(&found[p], &again[p], sizeof *found) == 0, "threads change weight %lld",
              (long long)p);
    }
}

/* Rows at several places of the plane, so that near pairs agree; some do not. */
static linked islands(pen_rng *rng, int64_t pairs, int64_t flipped)
{
    linked drawn = linked_random(rng, 60, 2, 3, pairs, pairs);
    for (int64_t i = 0; i < drawn.s.n; i++)
        drawn.s.x[2 * i] += 9 * drawn.s.y[i];
    linked l = linked_expand(&drawn);
    for (int64_t p = 0; p < flipped; p++) {
        linked_add(&l, PEN_CANNOT_LINK, l.must[0], l.must[1]);
        memmove(l.must, l.must + 2, (size_t)(2 * --l.must_count) * sizeof *l.must);
    }
    return l;
}

TEST(matches_the_definition)
{
    pen_rng rng = check_rng(4201);
    for (int repeat = 0; repeat < check_repeats(10); repeat++) {
        linked l = islands(&rng, 10 + 15 * repeat, repeat);
        check_literal(&l);
        linked_weigh(&rng, &l);
        for (int64_t p = 0; p < l.must_count; p++)
            l.must_weights[p] += 0.1;
        for (int64_t p = 0; p < l.cannot_count; p++)
            l.cannot_weights[p] += 0.1;
        check_literal(&l);
    }
}

TEST(few_or_equal_rows)
{
    static const int64_t one[] = { 0, 1 }, cannot[] = { 0, 3, 1, 4 };
    double x[14] = { 0, 1, 3, 2, 5, 5, 8, 0, 1, 9, 4, 4, 2, 7 }; /* the last row is in no pair */
    pen_data data = { .x = pen_dense(x, PEN_F64, 7, 2, 2), .must_link = one, .must_link_count = 1 };
    double *weights = weigh(&data, 1);
    CHECK_CLOSE(weights[0], 0.5, 1e-12, 0); /* no pair agrees or disagrees */
    for (int i = 0; i < 12; i++)
        x[i] = 3;
    data.cannot_link = cannot;
    data.cannot_link_count = 2;
    weights = weigh(&data, 1); /* with equal rows, all pairs are about each other */
    CHECK_CLOSE(weights[0], 0.01, 1e-12, 0);
    CHECK_CLOSE(weights[1], 0.5, 1e-12, 0);
    data.must_link_count = 0;
    weights = weigh(&data, 1);
    CHECK_CLOSE(weights[0], 1, 1e-12, 0);
}

/* A fit finds the same weights, also with repeated pairs and pairs of weight 0. */
TEST(fits_use_the_weights)
{
    static const char *const texts[] = { "wbdr", "ssdr", "sodrpac", "rca", "clpp" };
    pen_rng rng = check_rng(4203);
    linked l = islands(&rng, 60, 5);
    const pen_data plain = linked_data(&l);
    pen_data weighted = plain;
    char text[64];
    double *weights = weigh(&plain, 1);
    weighted.must_link_weights = weights;
    weighted.cannot_link_weights = weights + l.must_count;
    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        snprintf(text, sizeof text, "%s pair_weights=agreement", texts[t]);
        pen_model *a = fit_data(texts[t], &weighted), *b = fit_data(text, &plain);
        for (int64_t i = 0; i < pen_model_columns(a) * pen_model_dim(a); i++)
            CHECK_CLOSE(pen_model_tensor(b, "projection").values[i],
                        pen_model_tensor(a, "projection").values[i], 1e-6, 1e-9);
        CHECK_CLOSE(info_number(b, "must_link_weight"), info_number(a, "must_link_weight"), 1e-9,
                    0);
    }
    CHECK_FIT_FAILS("wbdr closure=true pair_weights=agreement", &plain, PEN_BAD_ARGUMENT,
                    "choose one of them");
}

TEST(order_of_the_caller)
{
    static const double x[] = { 0, 0, 1, 0, 0, 1, 5, 5, 6, 5, 5, 6 };
    static const int64_t must[] = { 0, 1, 1, 0, 3, 4, 0, 5 }, cannot[] = { 0, 3 };
    static const double weights[] = { 1, 1, 1, 0 };
    static const int32_t labels[] = { 0, 0, -1, 1, -1, -1 };
    pen_data data = { .x = pen_dense(x, PEN_F64, 6, 2, 2),
                      .must_link = must,
                      .must_link_count = 4,
                      .must_link_weights = weights,
                      .cannot_link = cannot,
                      .cannot_link_count = 1 };
    double *found = weigh(&data, 1);
    CHECK(found[0] == found[1] && found[0] > 0 && found[3] == 0, "%g %g %g", found[0], found[1],
          found[3]);
    data.labels = labels;
    found = weigh(&data, 1);
    CHECK(found[0] == 1 && found[4] == 1 && found[2] == 0.5, "%g %g %g", found[0], found[4],
          found[2]);
}
