/* test_none.c - the method none: the same bits as the input without preceding steps; standardized
 * columns and components; the baseline of trials and comparisons. */
#include "kit/compared.h"
#include "kit/embedded.h"
#include "kit/tables.h"

#include <stdio.h>
#include <string.h>

/* Also with fewer rows than columns, which other methods reduce to their span. */
TEST(same_bits)
{
    static const int64_t shapes[][2] = { { 40, 5 }, { 6, 19 }, { 1, 3 } };
    pen_rng rng = check_rng(1);

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        sample s = sample_random(&rng, shapes[i][0], shapes[i][1], 1, 0);
        pen_model *model = fit_sample("none", &s);
        double *const z = embedded_rows(model, s.n, s.d, s.x);
        assert_int_equal(pen_model_dim(model), s.d);
        assert_null(model_eigenvalues(model));
        assert_memory_equal(z, s.x, (size_t)(s.n * s.d) * sizeof *z);
    }
}

static double column_mean(const sample *s, int64_t j)
{
    double sum = 0;
    for (int64_t i = 0; i < s->n; i++)
        sum += s->x[i * s->d + j];
    return sum / (double)s->n;
}

TEST(standardized)
{
    pen_rng rng = check_rng(2);
    sample s = sample_random(&rng, 30, 4, 2, 0);
    pen_model *model = fit_sample("none scale=standard", &s);
    double *const z = embedded_rows(model, s.n, s.d, s.x);

    for (int64_t j = 0; j < s.d; j++) {
        const double mean = column_mean(&s, j);
        double squares = 0;
        for (int64_t i = 0; i < s.n; i++)
            squares += (s.x[i * s.d + j] - mean) * (s.x[i * s.d + j] - mean);
        const double deviation = sqrt(squares / (double)s.n);
        for (int64_t i = 0; i < s.n; i++)
            CHECK_CLOSE(z[i * s.d + j], (s.x[i * s.d + j] - mean) / deviation, 1e-12, 1e-12);
    }
}

/* Components and kernel coordinates are passed on: the distances are those of pca. */
TEST(passes_on)
{
    static const char *const steps[] = { "pca=3", "kernel=rbf kernel_gamma=0.1", "pca=rank",
                                         "row_steps=l2 pca=2" };
    pen_rng rng = check_rng(3);
    sample s = sample_random(&rng, 25, 6, 2, 0);
    char text[2][80];

    for (int64_t t = 0; t < COUNT_OF(steps); t++) {
        snprintf(text[0], sizeof text[0], "none %s", steps[t]);
        snprintf(text[1], sizeof text[1], "pca %s", steps[t]);
        pen_model *model = fit_sample(text[0], &s), *other = fit_sample(text[1], &s);
        double *const z = embedded_rows(model, s.n, s.d, s.x), *const w = embedded_rows(other, s.n,
                                                                                        s.d, s.x);
        double *const distances = table_distances(s.n, pen_model_dim(model), z),
                      *const right = table_distances(s.n, pen_model_dim(other), w);
        for (int64_t i = 0; i < s.n * s.n; i++)
            CHECK_CLOSE(distances[i], right[i], 1e-8, 1e-8);
    }
}

TEST(dimensions)
{
    pen_rng rng = check_rng(4);
    sample s = sample_random(&rng, 12, 5, 2, 0), wide = sample_new(2, 5001);
    const pen_data data = sample_data(&s);
    pen_data many = sample_data(&wide);

    CHECK_FIT_FAILS("none dim=2", &data, PEN_BAD_ARGUMENT, "dim must be auto or 5, the number");
    CHECK_FIT_FAILS("none dim=6", &data, PEN_RANK_TOO_SMALL, NULL);
    pen_model *model = fit_data("none dim=5", &data);
    assert_int_equal(pen_model_dim(model), 5);
    model = fit_data("none dim=9 allow_fewer=1", &data);
    assert_int_equal(pen_model_dim(model), 5);
    for (int64_t j = 0; j < wide.d; j++)
        wide.x[j] = 1;
    many.labels = NULL;
    CHECK_FIT_FAILS("none", &many, PEN_BAD_DATA, "use the columns directly");
    model = fit_data("none pca=rank", &many);
    assert_int_equal(pen_model_dim(model), 1);
}

/* Trials in all dimensions have the accuracy of all components, which rotate the columns. */
TEST(trials)
{
    pen_rng rng = check_rng(5);
    sample s = sample_random(&rng, 80, 4, 3, 60);
    const pen_data data = sample_data(&s);
    const int64_t four = 4;
    pen_spec *none, *pca;
    struct scores of_none, of_pca;

    assert_int_equal(pen_spec_new("none", &none, NULL), PEN_OK);
    assert_int_equal(pen_spec_new("pca", &pca, NULL), PEN_OK);
    assert_int_equal(evaluate(none, &data, NULL, NULL, 0, NULL, &of_none, NULL), PEN_OK);
    assert_int_equal(evaluate(pca, &data, NULL, &four, 1, NULL, &of_pca, NULL), PEN_OK);
    assert_true(of_none.trials > 0 && of_none.trials == of_pca.trials);
    for (int64_t t = 0; t < of_none.trials; t++)
        CHECK_CLOSE(of_none.accuracy[t], of_pca.accuracy[t], 0, 1e-12);
    pen_spec_free(none);
    pen_spec_free(pca);
}

/* The method is a baseline if named, and is not among `all` methods. */
TEST(comparisons)
{
    const char *const names[] = { "none/nearest", "pca/nearest" };
    const pen_trials protocol = { .runs = 1, .folds = 3, .effort = 0.001 };
    pen_rng rng = check_rng(6);
    sample s = sample_random(&rng, 60, 4, 3, 0);
    const pen_data data = sample_data(&s);
    pen_comparison *found;
    int seen = 0;

    for (int64_t i = 0; i < s.n; i++)
        s.y[i] = (int32_t)(i % 3);
    assert_int_equal(compare_named(names, 2, &data, &protocol, NULL, &found, NULL), PEN_OK);
    for (int64_t c = 0; c < found->count; c++)
        if (strcmp(found->candidates[c].name, "none/nearest") == 0) {
            seen++;
            assert_true(found->candidates[c].baseline);
        }
    assert_int_equal(seen, 1);
    /* pca of all columns, a rotation, is equally good */
    assert_false(found->candidates[found->chosen].baseline);
    assert_int_equal(pen_compare(NULL, 0, &data, &protocol, NULL, &found, NULL), PEN_OK);
    for (int64_t c = 0; c < found->count; c++)
        assert_int_not_equal(strncmp(found->candidates[c].name, "none/", 5), 0);
    pen_comparison_free(found);
}
