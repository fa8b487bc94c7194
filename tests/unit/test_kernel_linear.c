/* test_kernel_linear.c - with the linear kernel, whose coordinates are rotated rows, every method
 * gives the same embedding as without a kernel: no method depends on the basis. */
#include "kit/embedded.h"
#include "methods/method.h"
#include "model/spec.h"

#include <stdio.h>

enum { ROWS = 60, D = 5, PAIRS = 8 };

/* Sample rows have full rank and singular values within a factor of 100. */
static const int64_t must[] = { 0, 3, 3, 6, 1, 4, 4, 10, 2, 5, 5, 8, 7, 13, 9, 12 },
                     cannot[] = { 0, 1, 1, 2, 3, 5, 6, 7, 9, 10, 12, 14, 15, 20, 21, 40 };

/* Smaller eigenvalues are rounding errors of the rows, whose values are about 1. */
static const double NOISE = 1e-10;

/* Equal eigenvalues leave columns undefined, as in wbdr: products of rows are compared. */
static int columns_are_unique(const pen_model *model)
{
    const int64_t k = pen_model_dim(model);
    const double *const lambda = pen_model_tensor(model, "eigenvalues").values;

    for (int64_t j = 1; lambda && j < k; j++)
        if (!(fabs(lambda[j - 1] - lambda[j]) > 1e-3 * dense_largest(k, lambda, 1) + NOISE))
            return 0;
    return 1;
}

/* Systems solved to a tolerance pass rounding errors on to later iterations. */
static double tolerance_of(const pen_spec *spec)
{
    double limit;
    return pen_spec_number(spec, "max_iter", &limit, NULL) == PEN_OK ? 1e-6 : 1e-8;
}

/* Methods whose ridge depends on the basis get none: soda scales it by the largest diagonal
 * entry. */
static const char *without_basis(const char *method)
{
    return strcmp(method, "soda") == 0 ? " ridge=0" : "";
}

static pen_status fit_with(const char *text, int paper, const pen_data *data, pen_model **model,
                           pen_error *err)
{
    pen_spec *const spec = paper ? spec_of(text) : spec_with_defaults(text);
    const pen_status status = pen_fit(spec, data, NULL, model, err);

    return status;
}

/* Returns 1 if the method succeeds without the kernel; the result with it must be the same. */
static int check_equal(const char *method, const char *options, int paper, const pen_data *data)
{
    char plain[128], mapped[192];
    pen_model *without = NULL, *with = NULL;
    pen_error err, other;

    snprintf(plain, sizeof plain, "%s%s%s", method, options, without_basis(method));
    snprintf(mapped, sizeof mapped, "%s kernel=linear", plain);
    const pen_status status = fit_with(plain, paper, data, &without, &err);
    CHECK(fit_with(mapped, paper, data, &with, &other) == status, "%s: %s, without: %s", mapped,
          status == PEN_OK ? other.message : "it succeeds", status ? err.message : "it succeeds");
    if (status != PEN_OK)
        return 0;
    const int64_t k = pen_model_dim(without);
    CHECK(pen_model_dim(with) == k, "%s: %lld dimensions, without the kernel %lld", mapped,
          (long long)pen_model_dim(with), (long long)k);
    double *const right = embedded(without, &data->x), *const z = embedded(with, &data->x);
    const double apart = columns_are_unique(without) ? columns_apart(ROWS, k, z, k, right, k)
                                                     : products_apart(ROWS, k, z, right);
    pen_spec *const spec = spec_of(plain);
    CHECK(apart <= tolerance_of(spec), "%s: embeddings are %.3g apart", mapped, apart);
    const double *const a = pen_model_tensor(without, "eigenvalues").values,
                        *const b = pen_model_tensor(with, "eigenvalues").values;
    CHECK((a == NULL) == (b == NULL), "%s: eigenvalues", mapped);
    for (int64_t j = 0; a && j < k; j++)
        CHECK_CLOSE(b[j], a[j], 1e-8, 1e-8 * dense_largest(k, a, 1) + NOISE);
    pen_model_free(without), pen_model_free(with);
    return 1;
}

/* Runs all methods with these options; returns the number that succeed. */
static int64_t check_methods(const char *options, int paper, const pen_data *data, int pairs)
{
    int64_t answers = 0;

    for (int64_t m = 0; pen_method_at(m); m++) {
        const pen_method *const method = pen_method_at(m);
        pen_data given = *data;
        const int traits = method->traits;
        if (pairs && !(traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS)))
            continue;
        if (traits & PEN_BASELINE) /* it does not center rows, but the kernel map does */
            continue;
        given.must_link = must;
        given.must_link_count = pairs && (traits & PEN_MUST_LINKS) ? PAIRS : 0;
        given.cannot_link = cannot;
        given.cannot_link_count = pairs && (traits & PEN_CANNOT_LINKS) ? PAIRS : 0;
        answers += check_equal(method->name, options, paper, &given);
    }
    return answers;
}

TEST(labels)
{
    pen_rng rng = check_rng(3201);
    sample s = sample_random(&rng, ROWS, D, 3, 30), whole = sample_random(&rng, ROWS, D, 2, ROWS);
    const pen_data data = sample_data(&s), all_labelled = sample_data(&whole);
    const int64_t all = pen_method_count() - 1;

    assert_int_equal(check_methods("", 0, &data, 0), all);
    assert_int_equal(check_methods("", 1, &data, 0), all);
    assert_int_equal(check_methods(" pca=0.9", 0, &data, 0), all);
    /* classes determine the dimensions of fme, soge and asl */
    assert_int_equal(check_methods(" dim=2", 0, &data, 0), all - 3);
    assert_int_equal(check_methods("", 0, &all_labelled, 0), all);
}

TEST(pairs)
{
    pen_rng rng = check_rng(3203);
    sample s = sample_random(&rng, ROWS, D, 3, 0);
    pen_data data = sample_data(&s);
    int64_t of_pairs = 0;

    data.labels = NULL;
    for (int64_t m = 0; pen_method_at(m); m++)
        of_pairs += (pen_method_at(m)->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS)) != 0;
    assert_int_equal(check_methods("", 0, &data, 1), of_pairs);
    assert_int_equal(check_methods(" pca=0.9", 0, &data, 1), of_pairs);
}
