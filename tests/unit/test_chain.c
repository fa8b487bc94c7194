/* test_chain.c - a chain of methods is the same as a fit of each to the embedding of the one
 * before it. */
#include "kit/check_fit.h"

#include <string.h>

/* The embedding [n x k] of a sample. */
static double *embed(const pen_model *model, const sample *s)
{
    const int64_t k = pen_model_output_dim(model);
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    double *z = check_allocate(s->n * k, sizeof *z);
    pen_error err;

    CHECK_OK(pen_transform(model, &x, PEN_F64, z, k, NULL, &err), &err);
    return z;
}

/* The last of one fit after the other: its embedding of s [n x k]. */
static double *one_after_the_other(const sample *s, const char *const *fits, pen_model **last)
{
    sample at = sample_of(s->n, s->d, s->x, s->y);
    double *z = NULL;

    *last = NULL;
    for (; *fits; fits++) {
        pen_model_free(*last);
        *last = fit_sample(*fits, &at);
        free(z);
        z = embed(*last, &at);
        sample_free(&at);
        at = sample_of(s->n, pen_model_output_dim(*last), z, s->y);
    }
    sample_free(&at);
    return z;
}

static double largest(int64_t count, const double *a)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* Embeddings, eigenvalues and classes of all rows. */
static void check_chain(const char *text, const sample *s, const char *const *fits)
{
    pen_model *chain = fit_sample(text, s), *last;
    double *const want = one_after_the_other(s, fits, &last), *const z = embed(chain, s);
    const int64_t k = pen_model_output_dim(chain);

    CHECK(k == pen_model_output_dim(last) && pen_model_input_dim(chain) == s->d,
          "%s: maps %lld to %lld", text, (long long)pen_model_input_dim(chain), (long long)k);
    const double scale = largest(s->n * k, want);
    for (int64_t i = 0; i < s->n * k; i++)
        CHECK(fabs(z[i] - want[i]) <= 1e-10 * scale, "%s: row %lld: %.17g, expected %.17g", text,
              (long long)(i / k), z[i], want[i]);
    CHECK(!pen_model_eigenvalues(chain) == !pen_model_eigenvalues(last), "%s: eigenvalues", text);
    for (int64_t i = 0; pen_model_eigenvalues(last) && i < k; i++)
        CHECK_CLOSE(pen_model_eigenvalues(chain)[i], pen_model_eigenvalues(last)[i], 0, 1e-10);
    CHECK(strcmp(pen_model_reader(chain), pen_model_reader(last)) == 0, "%s: reader %s", text,
          pen_model_reader(chain));
    free(want);
    free(z);
    pen_model_free(chain);
    pen_model_free(last);
}

static void equals_one_after_the_other(void **state)
{
    (void)state;
    pen_rng rng = check_rng(1401);
    static const struct {
        const char *chain, *fits[5];
    } cases[] = {
        { "self:rca self.dim=4 beta=0.5 dim=2", { "self dim=4 beta=0.5", "rca dim=2" } },
        { "self:rca dim=3 beta=0.2 self.neighbors=3 rca.ridge=0.1",
          { "self dim=3 beta=0.2 neighbors=3", "rca dim=3 ridge=0.1" } },
        { "pca:lfda scale=standard pca.dim=3 lfda.scaling=all lfda.ridge=0.1",
          { "pca dim=3 scale=standard", "lfda scaling=all ridge=0.1" } },
        { "self:fme self.dim=4 beta=0.9 reader=scores", { "self dim=4 beta=0.9", "fme" } },
        { "pca:self:fda pca.dim=5 self.dim=4 self.beta=0.1 self.ridge=0.2 fda.ridge=0.1 "
          "reader=nearest",
          { "pca dim=5", "self dim=4 beta=0.1 ridge=0.2", "fda ridge=0.1 reader=nearest" } },
        { "self:rca normalize=l2 scale=minmax pca=5 self.dim=3 beta=0.3",
          { "self normalize=l2 scale=minmax pca=5 dim=3 beta=0.3", "rca" } },
        { "none:self self.beta=0.5", { "none", "self beta=0.5" } },
        { "none:fme reader=scores", { "none", "fme" } },
        { "pca:fda kernel=rbf kernel_gamma=0.01 pca.dim=6 fda.ridge=0.1",
          { "pca kernel=rbf kernel_gamma=0.01 dim=6", "fda ridge=0.1" } },
    };

    for (int repeat = 0; repeat < check_repeats(3); repeat++) {
        sample s = sample_random(&rng, 70, 6, 3, 30);
        for (int64_t i = 0; i < s.n; i++) /* far from the origin */
            s.x[i * s.d] += 1000;
        for (int64_t i = 0; i < COUNT_OF(cases); i++)
            check_chain(cases[i].chain, &s, cases[i].fits);
        sample_free(&s);
    }
}

/* More columns than rows, and pairs, which the first method does not learn from. */
static void wide_rows_and_pairs(void **state)
{
    (void)state;
    pen_rng rng = check_rng(1402);
    sample s = sample_random(&rng, 20, 40, 2, 12);
    static const int64_t must[] = { 0, 1, 2, 3 };
    static const char *const fits[] = { "self dim=5 beta=0.5", "rca ridge=0.1", NULL };
    pen_data data = sample_data(&s);

    check_chain("self:rca self.dim=5 beta=0.5 rca.ridge=0.1", &s, fits);
    data.must_link = must;
    data.must_link_count = 2;
    for (int64_t i = 0; i < 4; i++)
        s.y[i] = PEN_UNLABELLED;
    pen_model *with = fit_data("self:rca self.dim=5 beta=0.5 rca.ridge=0.1", &data);
    const pen_fact *links = pen_fact_named(pen_model_info_facts(with), "must_links");
    data.must_link_count = 0;
    pen_model *without = fit_data("self:rca self.dim=5 beta=0.5 rca.ridge=0.1", &data);
    const pen_fact *fewer = pen_fact_named(pen_model_info_facts(without), "must_links");
    CHECK(links && fewer && links->numbers[0] == fewer->numbers[0] + 2, "pairs: %g, %g",
          links->numbers[0], fewer->numbers[0]);
    data.must_link_count = 2;
    CHECK_FIT_FAILS("self:pca beta=0.5", &data, PEN_BAD_ARGUMENT, "does not learn from pairs");
    pen_model_free(with);
    pen_model_free(without);
    sample_free(&s);
}

/* A model says what its methods were, and a file keeps it. */
static void a_file_keeps_it(void **state)
{
    (void)state;
    pen_rng rng = check_rng(1403);
    sample s = sample_random(&rng, 50, 5, 3, 30);
    pen_model *model = fit_sample("self:rca self.dim=3 beta=auto rca.total=all dim=2", &s), *back;
    const pen_facts *const parameters = pen_model_parameter_facts(model), *const info =
                                                                              pen_model_info_facts(
                                                                                  model);
    void *bytes;
    size_t size;
    pen_error err;

    CHECK(strcmp(pen_model_method(model), "self:rca") == 0, "method %s", pen_model_method(model));
    CHECK(pen_fact_named(parameters, "self.dim")->numbers[0] == 3, "self.dim");
    CHECK(strcmp(pen_fact_named(parameters, "self.beta")->text, "auto") == 0, "self.beta");
    CHECK(strcmp(pen_fact_named(parameters, "rca.total")->text, "all") == 0, "rca.total");
    CHECK(pen_fact_named(parameters, "dim")->numbers[0] == 2, "dim");
    CHECK(pen_fact_named(info, "self.beta")->type == PEN_FACT_NUMBER, "the beta chosen");
    CHECK(pen_fact_named(info, "self.dimensions")->numbers[0] == 3, "self.dimensions");
    CHECK(pen_fact_named(info, "rows")->numbers[0] == 50, "rows");
    CHECK_OK(pen_model_bytes(model, &bytes, &size, &err), &err);
    CHECK_OK(pen_model_parse(bytes, size, &back, &err), &err);
    CHECK(strcmp(pen_model_info(back), pen_model_info(model)) == 0
              && strcmp(pen_model_parameters(back), pen_model_parameters(model)) == 0
              && strcmp(pen_model_method(back), "self:rca") == 0,
          "read back: %s", pen_model_info(back));
    double *const z = embed(model, &s), *const again = embed(back, &s);
    CHECK(memcmp(z, again, (size_t)(s.n * 2) * sizeof *z) == 0, "the map that was read differs");
    free(z);
    free(again);
    pen_model_bytes_free(bytes);
    pen_model_free(model);
    pen_model_free(back);
    sample_free(&s);
}

/* Values by both names, copies, and which columns depend on their number. */
static void parameters(void **state)
{
    (void)state;
    pen_error err;
    pen_spec *spec, *copy;
    double value;

    CHECK_OK(pen_spec_new("self-ilpp:rca", &spec, &err), &err);
    CHECK(strcmp(pen_method_name(pen_spec_method(spec)), "self-ilpp:rca") == 0, "name");
    CHECK(pen_method_traits(pen_spec_method(spec)) & PEN_UNNESTED, "dim is that of both");
    CHECK(pen_method_traits(pen_spec_method(spec)) & PEN_LABELS, "labels of the first");
    CHECK(pen_method_traits(pen_spec_method(spec)) & PEN_MUST_LINKS, "pairs of the last");
    CHECK(!pen_spec_is_set(spec, "self-ilpp.beta"), "set before");
    CHECK_OK(pen_spec_set(spec, "beta", "0.25", &err), &err);
    CHECK(pen_spec_is_set(spec, "self_ilpp.beta"), "set");
    CHECK_OK(pen_spec_get(spec, "self-ilpp.beta", &value, &err), &err);
    CHECK(value == 0.25, "beta %g", value);
    CHECK_OK(pen_spec_set_int(spec, "self-ilpp.dim", 4, &err), &err);
    CHECK(!(pen_method_traits(pen_spec_method(spec)) & PEN_UNNESTED), "self-ilpp.dim is given");
    CHECK_OK(pen_spec_set(spec, "self-ilpp.metric", "plain", &err), &err); /* the older name */
    CHECK_OK(pen_spec_copy(spec, &copy, &err), &err);
    CHECK_OK(pen_spec_set(spec, "self-ilpp.dim", "same", &err), &err);
    CHECK_OK(pen_spec_get(copy, "self-ilpp.dim", &value, &err), &err);
    CHECK(value == 4 && pen_spec_is_set(copy, "self-ilpp.dim"), "the copy has dim %g", value);
    CHECK(!(pen_method_traits(pen_spec_method(copy)) & PEN_UNNESTED), "of the copy");
    CHECK(pen_method_traits(pen_spec_method(spec)) & PEN_UNNESTED, "same");
    CHECK_STATUS(pen_spec_set(spec, "ridge", "1", &err), PEN_UNKNOWN_NAME,
                 "ridge is a parameter of several methods of self-ilpp:rca: self-ilpp.ridge, "
                 "rca.ridge",
                 &err);
    CHECK_STATUS(pen_spec_set(spec, "rca.beta", "1", &err), PEN_UNKNOWN_NAME, "rca.beta", &err);
    CHECK_STATUS(pen_spec_set(spec, "rca.dim", "1", &err), PEN_UNKNOWN_NAME, "rca.dim", &err);
    CHECK_STATUS(pen_spec_set(spec, "self-ilpp.beta", "2", &err), PEN_BAD_ARGUMENT,
                 "self-ilpp.beta must be in [0, 1], got 2", &err);
    pen_spec_free(copy);
    pen_spec_free(spec);
}

static void refusals(void **state)
{
    (void)state;
    pen_rng rng = check_rng(1404);
    sample s = sample_random(&rng, 40, 5, 3, 20);
    pen_data data = sample_data(&s);
    pen_spec *spec;
    pen_error err;

    CHECK_STATUS(pen_spec_new("self:nix", &spec, &err), PEN_UNKNOWN_NAME, "nix", &err);
    CHECK_STATUS(pen_spec_new(":rca", &spec, &err), PEN_UNKNOWN_NAME, NULL, &err);
    CHECK_STATUS(pen_spec_new("self:rca:", &spec, &err), PEN_UNKNOWN_NAME, NULL, &err);
    CHECK_STATUS(pen_spec_new("self:self", &spec, &err), PEN_BAD_ARGUMENT, "once", &err);
    CHECK_STATUS(pen_spec_new("pca:self:fda:rca:lfda", &spec, &err), PEN_BAD_ARGUMENT, "at most 4",
                 &err);
    CHECK(spec == NULL, "a spec after an error");
    CHECK_FIT_FAILS("self:rca self.dim=9 beta=0.5", &data, PEN_RANK_TOO_SMALL, "self of self:rca");
    CHECK_FIT_FAILS("self:rca self.dim=3 dim=4 beta=0.5", &data, PEN_RANK_TOO_SMALL,
                    "rca of self:rca");
    pen_model *fewer = fit_data("self:rca self.dim=9 dim=9 allow_fewer=true beta=0.5", &data);
    CHECK(pen_model_output_dim(fewer) == 5, "%lld dimensions",
          (long long)pen_model_output_dim(fewer));
    pen_model_free(fewer);
    data.labels = NULL;
    CHECK_FIT_FAILS("self:rca beta=0.5", &data, PEN_NO_LABELS, "label");
    CHECK_OK(pen_spec_new("self:rca", &spec, &err), &err);
    CHECK_STATUS(pen_fit(spec, NULL, NULL, &fewer, &err), PEN_BAD_ARGUMENT, "data must not be NULL",
                 &err);
    pen_spec_free(spec);
    sample_free(&s);
}

/* The share of fold f that the nearest row of another fold classifies correctly in the first r
 * dimensions, where the chain is fitted without the labels of fold f. */
static double literal_trial(const char *text, const sample *s, const int32_t *fold, int32_t f,
                            int64_t r)
{
    sample hidden = sample_of(s->n, s->d, s->x, s->y);
    int64_t held = 0, right = 0;

    for (int64_t i = 0; i < s->n; i++)
        hidden.y[i] = fold[i] == f ? PEN_UNLABELLED : s->y[i];
    pen_model *const model = fit_sample(text, &hidden);
    double *const z = embed(model, &hidden);
    const int64_t k = pen_model_output_dim(model);
    for (int64_t i = 0; i < s->n; i++) {
        double nearest = INFINITY;
        int32_t predicted = PEN_UNLABELLED;
        for (int64_t j = 0; j < s->n && fold[i] == f; j++) {
            double far = 0;
            for (int64_t c = 0; c < r; c++)
                far += pow(z[i * k + c] - z[j * k + c], 2);
            if (hidden.y[j] != PEN_UNLABELLED && far < nearest) {
                nearest = far;
                predicted = hidden.y[j];
            }
        }
        held += fold[i] == f;
        right += fold[i] == f && predicted == s->y[i];
    }
    free(z);
    pen_model_free(model);
    sample_free(&hidden);
    return (double)right / (double)held;
}

/* Trials of a chain are trials of its fits. */
static void trials(void **state)
{
    (void)state;
    pen_rng rng = check_rng(1405);
    sample s = sample_random(&rng, 90, 6, 3, 60);
    const pen_data data = sample_data(&s);
    static const int64_t dims[] = { 1, 2, 3 };
    const char *const text = "self:rca self.dim=3 beta=0.5";
    pen_spec *spec = spec_of(text), *pca = spec_of("pca:lfda pca.dim=3"),
             *lfda = spec_of("lfda pca=3");
    pen_scores *scores, *of_pca, *of_lfda;
    const pen_protocol protocol = { .folds = 3, .runs = 2 };
    pen_tuning *tuned;
    pen_error err;

    CHECK_OK(pen_evaluate(spec, &data, &protocol, dims, 3, NULL, &scores, &err), &err);
    assert_int_equal(scores->trials, 6);
    for (int64_t t = 0; t < scores->trials; t++) {
        int32_t fold[90];
        CHECK_OK(pen_folds(s.y, s.n, 3, 1, pen_run_seed(0, t / 3), fold, &err), &err);
        for (int64_t r = 1; r <= 3; r++)
            CHECK_CLOSE(scores->accuracy[t * 3 + r - 1],
                        literal_trial(text, &s, fold, (int32_t)(t % 3), r), 1e-12, 0);
    }
    /* components before a method are a chain, too, on the same trials */
    CHECK_OK(pen_spec_set(lfda, "ridge", "0", &err), &err);
    CHECK_OK(pen_spec_set(pca, "lfda.ridge", "0", &err), &err);
    CHECK_OK(pen_evaluate(pca, &data, &protocol, dims, 3, NULL, &of_pca, &err), &err);
    CHECK_OK(pen_evaluate(lfda, &data, &protocol, dims, 3, NULL, &of_lfda, &err), &err);
    for (int64_t i = 0; i < of_pca->trials * 3; i++)
        CHECK_CLOSE(of_pca->accuracy[i], of_lfda->accuracy[i], 1e-12, 0);
    CHECK_OK(pen_tune(spec, &data, &protocol, 0, 0, NULL, &tuned, &err), &err);
    CHECK(tuned->count > 1 && tuned->candidates[0].score > 0, "%lld candidates",
          (long long)tuned->count);
    pen_model *best;
    CHECK_OK(pen_fit(tuned->candidates[0].spec, &data, NULL, &best, &err), &err);
    CHECK(pen_model_output_dim(best) <= 3, "more dimensions than self.dim");
    pen_model_free(best);
    pen_tuning_free(tuned);
    pen_scores_free(scores);
    pen_scores_free(of_pca);
    pen_scores_free(of_lfda);
    pen_spec_free(spec);
    pen_spec_free(pca);
    pen_spec_free(lfda);
    sample_free(&s);
}

static void compare_refuses(void **state)
{
    (void)state;
    pen_rng rng = check_rng(1406);
    sample s = sample_random(&rng, 40, 4, 2, 20);
    const pen_data data = sample_data(&s);
    static const char *const names[] = { "self:rca" };
    pen_comparison *found;
    pen_error err;

    CHECK_STATUS(pen_compare(names, 1, &data, NULL, 0, NULL, &found, &err), PEN_BAD_ARGUMENT,
                 "is a chain", &err);
    CHECK(found == NULL, "a comparison after an error");
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_one_after_the_other),
        cmocka_unit_test(wide_rows_and_pairs),
        cmocka_unit_test(a_file_keeps_it),
        cmocka_unit_test(parameters),
        cmocka_unit_test(refusals),
        cmocka_unit_test(trials),
        cmocka_unit_test(compare_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
