/* test_components.c - principal components before a method: number and units, with and without a
 * kernel, against the eigenvalues of the n x n matrix of products; random landmarks. */
#include "kit/dense.h"
#include "kit/dealt.h"
#include "kit/embedded.h"
#include "kit/wine.h"

#include <stdio.h>

enum { TEXT = 200 };

struct asked {
    double pca; /* a fraction, or a count */
    int64_t most;
    int unit;
};

/* Products [n x n] of centered rows, or of their images under the rbf kernel. */
static double *products(const sample *s, double gamma)
{
    double *const K = zeros(s->n * s->n), *const mean = zeros(s->n), all = 0;

    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++) {
            const double *const a = s->x + i * s->d, *const b = s->x + j * s->d;
            K[i * s->n + j] =
                gamma > 0 ? exp(-gamma * dense_distance2(s->d, a, b)) : dense_dot(s->d, a, b);
            mean[i] += K[i * s->n + j] / (double)s->n;
        }
    for (int64_t i = 0; i < s->n; i++)
        all += mean[i] / (double)s->n;
    for (int64_t i = 0; i < s->n * s->n; i++)
        K[i] += all - mean[i / s->n] - mean[i % s->n];
    return K;
}

/* Components z [n x *q], and the fraction of variance they retain. */
static double *components(const sample *s, double gamma, const struct asked *a, int64_t *q,
                          double *retained)
{
    double *const K = products(s, gamma), *const values = zeros(s->n),
                  *const vectors = zeros(s->n * s->n), total = 0, sum = 0;

    dense_eigen(s->n, K, values, vectors);
    const int64_t rank = dense_rank(s->n, values);
    for (int64_t i = 0; i < rank; i++)
        total += values[i];
    for (*q = 0; *q < rank && (a->pca < 1 ? sum < a->pca * total : (double)*q < a->pca); ++*q)
        sum += values[*q];
    *q = a->most > 0 && *q > a->most ? a->most : *q;
    sum = 0;
    for (int64_t i = 0; i < *q; i++)
        sum += values[i];
    *retained = sum / total;
    const double unit = a->unit ? sqrt(sum / (double)(s->n * *q)) : 1;
    double *const z = zeros(s->n * *q);
    for (int64_t i = 0; i < s->n * *q; i++)
        z[i] = vectors[i / *q * s->n + i % *q] * sqrt(values[i % *q]) / unit;
    return z;
}

static void check_components(const sample *s, double gamma, const struct asked *a)
{
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    char text[TEXT], kernel[TEXT / 2] = "", most[TEXT / 4] = "";
    double retained;
    int64_t q;

    if (gamma > 0)
        snprintf(kernel, sizeof kernel, " kernel=rbf kernel_landmarks=all kernel_gamma=%g", gamma);
    if (a->most > 0)
        snprintf(most, sizeof most, ":%lld", (long long)a->most);
    snprintf(text, sizeof text, "pca pca=%g%s%s%s", a->pca, most, a->unit ? " pca_scale=unit" : "",
             kernel);
    double *const expected_z = components(s, gamma, a, &q, &retained);
    pen_model *const model = fit_sample(text, s);
    double *const z = embedded(model, &x);
    CHECK(pen_model_dim(model) == q, "%s: %lld components, expected %lld", text,
          (long long)pen_model_dim(model), (long long)q);
    CHECK(model_number(model, "info.components") == (double)q, "%s: the info differs", text);
    CHECK_CLOSE(model_number(model, "info.variance"), retained, 1e-9, 0);
    const double apart = products_apart(s->n, q, z, expected_z);
    CHECK(apart < 1e-8, "%s: %g apart", text, apart);
    if (a->unit) {
        double square = 0;
        for (int64_t i = 0; i < s->n * q; i++)
            square += z[i] * z[i] / (double)(s->n * q);
        CHECK_CLOSE(square, 1, 1e-9, 0);
    }
}

/* More rows than columns, and fewer. */
TEST(literal)
{
    static const struct asked asked[] = { { 0.9, 0, 0 },   { 0.9, 2, 0 },  { 0.9, 2, 1 },
                                          { 0.5, 9, 0 },   { 0.99, 0, 1 }, { 0.999, 3, 0 },
                                          { 0.999, 3, 1 }, { 3, 0, 1 },    { 2, 0, 0 } };
    pen_rng rng = check_rng(9501);
    sample tall = sample_random(&rng, 30, 6, 3, 12), wide = sample_random(&rng, 12, 20, 3, 9);

    for (int64_t i = 0; i < COUNT_OF(asked); i++) {
        check_components(&tall, 0, &asked[i]);
        check_components(&wide, 0, &asked[i]);
        check_components(&tall, 0.05, &asked[i]);
        check_components(&wide, 0.01, &asked[i]);
    }
}

TEST(refused)
{
    pen_rng rng = check_rng(9503);
    sample s = sample_random(&rng, 20, 4, 2, 10);
    const pen_data data = sample_data(&s);

    CHECK_FIT_FAILS("pca pca_scale=unit", &data, PEN_BAD_ARGUMENT,
                    "pca_scale is set, but pca is off");
}

/* The rows at the first positions of the permutation of docs/sampling.md, for any number of
 * them. */
TEST(drawn_landmarks)
{
    static const int64_t first[] = { 74, 110, 78, 19, 155 };
    wine *const w = wine_read();
    const pen_data data = { .x = pen_dense(w->z, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                            .labels = w->classes };
    pen_rng rng = { pen_rng_derive(0, 4000) };
    int64_t order[WINES], turn[WINES];

    assert_true(pen_rng_derive(0, 4000) == 18351663259648736928U);
    pen_rng_permutation(&rng, WINES, turn);
    content_order(&data.x, 0, order);
    for (int m = 5; m <= 50; m += 45) {
        char text[TEXT];
        snprintf(text, sizeof text, "pca kernel=rbf kernel_landmarks=random:%d", m);
        pen_model *const model = fit_data(text, &data);
        const double *const rows = pen_model_tensor(model, "landmark_rows").values;
        assert_int_equal(pen_model_tensor(model, "landmark_rows").rows, m);
        for (int i = 0; i < m; i++) {
            assert_true(i >= 5 || turn[i] == first[i]);
            CHECK((int64_t)rows[i] == order[turn[i]], "landmark %d is row %g, expected %lld", i,
                  rows[i], (long long)order[turn[i]]);
        }
    }
}

/* Rows of zeros among others, with fewer rows than columns: their components are equal bit for bit,
 * so that neighbor graphs do not depend on rounding. Fits equal those without zero columns, whose
 * components come from the scatter. */
TEST(equal_rows)
{
    pen_rng rng = check_rng(1307);
    static const char *const texts[] = { "lpp pca=8 dim=3", "soda pca=0.9 neighbors=3",
                                         "sda pca=8 ridge=0.1", "stsd pca=8" };
    sample s = sample_random(&rng, 60, 40, 2, 20), padded = sample_new(s.n, 150);

    for (int64_t i = 0; i < s.n; i++) {
        for (int64_t j = 0; i % 4 == 0 && j < s.d; j++)
            s.x[i * s.d + j] = 0;
        memcpy(padded.x + i * padded.d, s.x + i * s.d, (size_t)s.d * sizeof *s.x);
        padded.y[i] = s.y[i];
    }
    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        pen_model *const model = fit_sample(texts[t], &padded), *const other =
                                                                    fit_sample(texts[t], &s);
        const int64_t k = pen_model_dim(other);
        const double *const e = pen_model_tensor(model, "eigenvalues").values,
                            *const f = pen_model_tensor(other, "eigenvalues").values;
        CHECK(pen_model_dim(model) == k && fabs(f[0]) > 1e-3, "%s: dimensions", texts[t]);
        for (int64_t j = 0; j < k; j++)
            CHECK(fabs(e[j] - f[j]) <= 1e-8 * fabs(f[0]),
                  "%s: eigenvalue %lld is %.12g, without columns of zeros %.12g", texts[t],
                  (long long)j, e[j], f[j]);
    }
}
