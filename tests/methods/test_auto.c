/* test_auto.c - `auto` against literal versions: the ridge of singular scatters, and beta of
 * SELF. */
#include "core/rng.h"
#include "kit/dealt.h"
#include "kit/dense.h"
#include "kit/embedded.h"
#include "kit/oracle_fit.h"
#include "oracle/classifier_oracle.h"

#include <stdio.h>

static const char *const ridged[] = { "fda",  "lfda",      "self beta=0",
                                      "ilpp", "self-ilpp", "self-mix beta=0 gamma=0.4",
                                      "lpp" };

/* The shrinkage of Ledoit and Wolf from all d x d entries, with its floor; *trace: of E'E. */
static double literal_shrinkage(const sample *s, double *trace)
{
    int32_t classes = 0;

    for (int64_t i = 0; i < s->n; i++)
        classes = s->y[i] >= classes ? s->y[i] + 1 : classes;
    const pen_embedded_rows e = {
        .z = s->x, .n = s->n, .k = s->d, .labels = s->y, .classes = classes
    };
    return fmin(0.999, classifier_oracle_shrinkage(&e, trace));
}

/* auto equals that ridge as a number, for few labels, a column constant in labelled rows, fewer
 * rows than columns, and three labels of two classes, where the floor holds. */
TEST(shrinkage)
{
    pen_rng rng = check_rng(3101);
    sample few = sample_random(&rng, 40, 8, 3, 10), wide = sample_random(&rng, 20, 33, 3, 12),
           constant = sample_random(&rng, 60, 5, 3, 50), two = sample_random(&rng, 30, 4, 2, 3);
    const sample *all[] = { &few, &wide, &constant, &two };

    for (int64_t i = 0; i < constant.n; i++)
        if (constant.y[i] != PEN_UNLABELLED)
            constant.x[i * 5 + 2] = 0.1;
    for (size_t which = 0; which < COUNT_OF(all); which++)
        for (int m = 0; m < 3; m++) {
            const sample *s = all[which];
            double trace;
            const double rho = literal_shrinkage(s, &trace);
            char text[80];
            snprintf(text, sizeof text, "%s ridge=auto", ridged[m]);
            pen_model *model = fit_sample(text, s);
            CHECK_CLOSE(info_number(model, "shrinkage"), rho, 1e-9, 0);
            if (m == 0)
                CHECK_CLOSE(info_number(model, "ridge"), rho / (1 - rho) * trace / (double)s->d,
                            1e-9, 0);
            snprintf(text, sizeof text, "%s ridge=%.17g", ridged[m], rho / (1 - rho));
            pen_model *same = fit_sample(text, s);
            for (int64_t c = 0; c < pen_model_dim(same); c++)
                CHECK_CLOSE(model_values(model, "eigenvalues")[c],
                            model_values(same, "eigenvalues")[c], 1e-7, 1e-9);
        }
}

/* A regular scatter gets no ridge: the same bits. */
TEST(regular)
{
    pen_rng rng = check_rng(3102);
    sample s = sample_random(&rng, 60, 4, 3, 50);

    for (size_t m = 0; m < COUNT_OF(ridged); m++) {
        char text[80];
        snprintf(text, sizeof text, "%s ridge=auto", ridged[m]);
        pen_model *found = fit_sample(text, &s), *none = fit_sample(ridged[m], &s);
        const int64_t k = pen_model_dim(none);
        assert_int_equal(pen_model_dim(found), k);
        assert_memory_equal(model_values(found, "projection"), model_values(none, "projection"),
                            (size_t)(4 * k) * sizeof(double));
        assert_null(model_text(found, "info.regularized"));
        CHECK_CLOSE(info_number(found, "ridge"), 0, 0, 0);
    }
}

/* One label per class: any ridge replaces S_w = 0 by tr(S_b)/d I, so that the eigenvalues sum to
 * d. */
TEST(one_label_a_class)
{
    pen_rng rng = check_rng(3103);
    sample s = sample_random(&rng, 30, 6, 3, 3);
    static const char *const texts[] = { "fda ridge=auto", "lfda ridge=auto", "fda ridge=0.1",
                                         "lfda ridge=5", "self beta=0 ridge=0.1" };

    for (int64_t i = 0; i < s.n; i++)
        s.y[i] = i < 3 ? (int32_t)i : PEN_UNLABELLED;
    for (size_t m = 0; m < COUNT_OF(texts); m++) {
        double sum = 0;
        pen_model *model = fit_sample(texts[m], &s);
        assert_int_equal(pen_model_dim(model), 2);
        for (int c = 0; c < 2; c++)
            sum += model_values(model, "eigenvalues")[c];
        CHECK_CLOSE(sum, 6, 1e-9, 0);
        CHECK_CLOSE(info_number(model, "shrinkage"), 1, 0, 0);
    }
}

/* With fewer rows than columns, W stays in the span of the rows, as after `pca rank`, where the
 * scatters are regular. */
TEST(spans)
{
    pen_rng rng = check_rng(3104);
    sample wide = sample_random(&rng, 12, 20, 2, 6);
    const text_list texts = text_list_of(
        "lpp; ilpp; lpp origin=mean; ilpp origin=mean; self-ilpp; lpp neighbors=3 graph=mutual");

    for (int64_t t = 0; t < texts.count; t++) {
        char text[80], reduced[80];
        snprintf(text, sizeof text, "%s ridge=auto", texts.text[t]);
        snprintf(reduced, sizeof reduced, "%s pca=rank", texts.text[t]);
        pen_model *model = fit_sample(text, &wide), *of = fit_sample(reduced, &wide);
        const int64_t k = pen_model_dim(of);
        assert_int_equal(pen_model_dim(model), k);
        assert_non_null(model_text(model, "info.regularized"));
        for (int64_t c = 0; c < k; c++)
            CHECK_CLOSE(model_values(model, "eigenvalues")[c], model_values(of, "eigenvalues")[c],
                        1e-7, 1e-9);
    }
}

/* Copies of few rows: most rows have only equal neighbors, and neighbors hardly differ. */
TEST(copies_of_few_rows)
{
    enum { DISTINCT = 14, COPIES = 12 };
    static const char *const texts[] = { "ilpp", "self-ilpp", "self-mix", "self", "fda" };
    pen_rng rng = check_rng(6011);
    sample s = sample_new(DISTINCT * COPIES + 1, 3);

    for (int64_t i = 0; i < s.n; i++) {
        for (int64_t j = 0; j < 3; j++)
            s.x[i * 3 + j] =
                i < DISTINCT ? (double)pen_rng_below(&rng, 3) - 1.75 : s.x[i % DISTINCT * 3 + j];
        s.y[i] = (int32_t)(i % DISTINCT % 2);
    }
    s.x[(s.n - 1) * 3] += 0.1;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const pen_data data = sample_data(&s);
        pen_model *model = fit_defaults(texts[t], &data);
        const int64_t k = pen_model_dim(model);
        for (int64_t c = 0; c < k; c++) {
            double length2 = 0;
            for (int64_t j = 0; j < 3; j++)
                length2 += pow(model_values(model, "projection")[j * k + c], 2);
            CHECK(isfinite(length2) && length2 > 0, "%s: column %d", texts[t], (int)c);
        }
        CHECK(k == (t == 4 ? 1 : 3), "%s: %d dimensions", texts[t], (int)k);
    }
}

/* The message about a singular scatter depends on the method: lpp has no classes. */
TEST(messages)
{
    pen_rng rng = check_rng(3105);
    sample wide = sample_random(&rng, 12, 20, 2, 8), few = sample_random(&rng, 40, 8, 3, 10);
    const pen_data rows = sample_data(&wide), labelled = sample_data(&few);

    CHECK_FIT_FAILS("lpp", &rows, PEN_SINGULAR_SCATTER, "there are fewer rows than the 20 columns");
    CHECK_FIT_FAILS("fda", &labelled, PEN_SINGULAR_SCATTER, "within classes or chunklets");
}

/* The number of rows of fold f that 1-NN misclassifies after a fit without their labels. */
static int64_t wrong_in_fold(const char *text, const sample *s, const int32_t *fold, int32_t f)
{
    sample known = sample_of(s->n, s->d, s->x, s->y);
    int64_t wrong = 0;

    for (int64_t i = 0; i < s->n; i++)
        known.y[i] = fold[i] == f ? PEN_UNLABELLED : s->y[i];
    pen_model *model = fit_sample(text, &known);
    const int64_t k = pen_model_dim(model);
    double *z = embedded_rows(model, s->n, s->d, s->x);
    for (int64_t i = 0; i < s->n; i++) {
        double least = (double)INFINITY;
        int64_t nearest = -1;
        for (int64_t o = 0; fold[i] == f && o < s->n; o++) {
            const double distance2 = dense_distance2(k, z + i * k, z + o * k);
            if (known.y[o] != PEN_UNLABELLED && distance2 < least) {
                least = distance2;
                nearest = o;
            }
        }
        wrong += fold[i] == f && s->y[nearest] != s->y[i];
    }
    return wrong;
}

/* The errors of five betas, counted as in the library: beta 1 first, unless its C contains the
 * rows, then fold by fold the other betas, largest first, each until it has too many errors to
 * win. */
struct race {
    double wrong[5], left[5], runs, labelled;
};

static double most_allowed(const struct race *r, double fewest)
{
    const double each = fewest / r->runs;
    return fewest + r->runs * sqrt(each * (1 - each / r->labelled)) / 2;
}

static int takes_part(const struct race *r, int b)
{
    double fewest = (double)INFINITY;

    for (int i = 0; i < 5; i++)
        fewest = fmin(fewest, r->wrong[i] + r->left[i]);
    return r->wrong[b] <= most_allowed(r, fewest);
}

static void count_fold(struct race *r, int b, double wrong, double size)
{
    r->wrong[b] += wrong;
    r->left[b] -= size;
}

/* In run r, fold f: the number of rows, and the errors of each beta. */
struct fold_errors {
    double size, wrong[5];
};

static struct race run_race(const struct fold_errors *folds, int64_t count, double runs,
                            double labelled, int total_first)
{
    struct race r = { .runs = runs, .labelled = labelled };

    for (int b = 0; b < 5; b++)
        r.left[b] = runs * labelled;
    for (int64_t f = 0; total_first && f < count; f++)
        count_fold(&r, 4, folds[f].wrong[4], folds[f].size);
    for (int64_t f = 0; f < count; f++)
        for (int b = total_first ? 3 : 4; b >= 0; b--)
            if (takes_part(&r, b))
                count_fold(&r, b, folds[f].wrong[b], folds[f].size);
    return r;
}

static double largest_allowed(const double *grid, const double *wrong, const struct race *r)
{
    double fewest = (double)INFINITY, beta = 0;

    for (int b = 0; b < 5; b++)
        fewest = fmin(fewest, wrong[b]);
    for (int b = 0; b < 5; b++)
        beta = wrong[b] <= most_allowed(r, fewest) ? grid[b] : beta;
    return beta;
}

static void try_folds(const sample *s, int64_t folds, int64_t runs, const double *grid,
                      const char *rest, struct fold_errors *out)
{
    int32_t *const fold = check_allocate(s->n, sizeof *fold);
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    char text[100];

    for (int64_t r = 0; r < runs; r++) {
        dealt_folds(&x, strstr(rest, "standard") != NULL, s->y, folds, 1,
                    pen_rng_derive(0, (uint64_t)r), fold);
        for (int32_t f = 0; f < folds; f++, out++) {
            for (int64_t i = 0; i < s->n; i++)
                out->size += fold[i] == f;
            for (int b = 0; b < 5; b++) {
                snprintf(text, sizeof text, "self beta=%g%s", grid[b], rest);
                out->wrong[b] = (double)wrong_in_fold(text, s, fold, f);
            }
        }
    }
}

/* The chosen beta is that of complete counts, although the library stops counting early. */
static void check_beta(const sample *s, int64_t folds, int64_t runs, const char *rest)
{
    static const double grid[] = { 0.001, 0.25, 0.5, 0.75, 1 };
    struct fold_errors each[10] = { { 0 } };
    double wrong[5] = { 0 }, errors[5], labelled = 0;
    char text[100];

    for (int64_t i = 0; i < s->n; i++)
        labelled += s->y[i] != PEN_UNLABELLED;
    try_folds(s, folds, runs, grid, rest, each);
    const struct race race =
        run_race(each, runs * folds, (double)runs, labelled, !strstr(rest, "beta_within"));
    snprintf(text, sizeof text, "self beta=auto%s", rest);
    pen_model *model = fit_sample(text, s);
    assert_int_equal(model_list(model, "info.beta_errors", 5, errors), 5);
    for (int b = 0; b < 5; b++) {
        CHECK_CLOSE(errors[b], race.wrong[b], 0, 0);
        for (int64_t f = 0; f < runs * folds; f++)
            wrong[b] += each[f].wrong[b];
    }
    const double beta = largest_allowed(grid, wrong, &race);
    CHECK_CLOSE(info_number(model, "beta"), beta, 0, 0);
    snprintf(text, sizeof text, "self beta=%g%s", beta, rest);
    pen_model *same = fit_sample(text, s);
    assert_memory_equal(model_values(model, "projection"), model_values(same, "projection"),
                        (size_t)(s->d * pen_model_dim(same)) * sizeof(double));
}

TEST(chosen_beta)
{
    pen_rng rng = check_rng(3106);
    sample s = sample_random(&rng, 60, 5, 3, 0);

    for (int64_t i = 0; i < s.n; i++) {
        s.y[i] = i < 12 ? (int32_t)(i % 3) : PEN_UNLABELLED;
        for (int64_t j = 0; j < s.d; j++)
            s.x[i * s.d + j] += j == 1 ? 0.7 * (double)(i % 3) : 0;
    }
    check_beta(&s, 4, 2, ""); /* in all dimensions, without eigenproblems */
    check_beta(&s, 4, 2, " dim=2");
    check_beta(&s, 4, 2, " ridge=0.1 neighbors=3 total=covariance scale=standard");
    for (int64_t i = 12; i < 39; i++)
        s.y[i] = (int32_t)(i % 3);
    check_beta(&s, 10, 1, " dim=1");
    for (int64_t i = 0; i < s.n; i++) /* a column of noise: larger betas are abandoned */
        s.x[i * s.d] *= 50;
    check_beta(&s, 10, 1, " dim=1");
    check_beta(&s, 10, 1, " dim=1 beta_within=0.5");
}

/* Two labels per class, a single class, or no labels are too few to choose beta. */
TEST(usual_beta)
{
    pen_rng rng = check_rng(3107);
    sample s = sample_random(&rng, 30, 4, 3, 0);
    const pen_data data = sample_data(&s);

    for (int64_t i = 0; i < s.n; i++)
        s.y[i] = i < 6 ? (int32_t)(i % 3) : PEN_UNLABELLED;
    for (int part = 0; part < 2; part++) {
        pen_model *model = fit_sample("self beta=auto", &s);
        CHECK_CLOSE(info_number(model, "beta"), 0.75, 0, 0);
        assert_null(model_text(model, "info.beta_errors"));
        for (int64_t i = 0; i < s.n; i++)
            s.y[i] = i < 6 ? 0 : PEN_UNLABELLED;
    }
    for (int64_t i = 0; i < s.n; i++)
        s.y[i] = PEN_UNLABELLED;
    CHECK_FIT_FAILS("self beta=auto", &data, PEN_NO_LABELS, "label");
}
