/* test_direct.c - differences and ratios of scatters that are not stored, for many rows and
 * columns, against stored scatters of the used columns. */
#include "kit/large_rows.h"
#include "kit/text_list.h"

#include <string.h>

enum { MANY = 8200, USED = 40, PAIRS = 70 };

/* The largest |eigenvalue| of differences belongs to must-links here, far from the wanted ones. */
static const double DIFFERENCE = 1e-12, RATIO = 1e-10;

/* Residuals are at most `most` of the largest |eigenvalue|. */
static void compare(const large_rows *t, const pen_data *data, const char *text, double most)
{
    pen_data dense = *data;

    dense.x = large_dense(t);
    pen_model *const model = large_fit(data, text, 3, PEN_OK, NULL), *const whole =
                                                                         large_fit(&dense, text, 1,
                                                                                   PEN_OK, NULL);
    if (t->n > t->d) /* few threads divide the rows differently */
        large_same_bits(t, model, data, text);
    large_compare(t, model, whole, 1e-7, text);
    for (int64_t c = 0; c < pen_model_dim(whole); c++)
        CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[c],
                    pen_model_tensor(whole, "eigenvalues").values[c], 1e-10, 0);
    assert_string_equal(model_text(model, "info.route"), "direct");
    CHECK(model_number(model, "info.residual") <= most, "%s: residual", text);
}

TEST(differences)
{
    const text_list texts = text_list_of(
        "ssdr dim=3; ssdr dim=5 alpha=10 beta=1; cmm dim=3 row_steps=l2; "
        "npssdr dim=1 alpha=3 beta=2 neighbors=4; npssdr dim=3 alpha=10 beta=1 mu=0.01; "
        "sodrpac dim=2 lambda=0.001 pair_terms=balanced");
    pen_rng rng = check_rng(1);
    int64_t must[2 * PAIRS], cannot[2 * PAIRS];
    double weights[PAIRS];
    for (int wide = 0; wide < 2; wide++) {
        large_rows t = large_new(&rng, MANY + 300 * !wide, MANY + 300 * wide, USED);
        int32_t *const y = large_labels(&rng, &t, 200);
        large_pairs(&rng, &t, 1, PAIRS, must);
        large_pairs(&rng, &t, 0, PAIRS, cannot);
        for (int i = 0; i < PAIRS; i++)
            weights[i] = 1 + (double)((cannot[2 * i] + cannot[2 * i + 1]) % 7);
        const pen_data lists = { .x = large_sparse(&t),
                                 .must_link = must,
                                 .must_link_count = PAIRS,
                                 .cannot_link = cannot,
                                 .cannot_link_count = PAIRS },
                       labels = { .x = lists.x, .labels = y };
        pen_data weighted = lists;
        weighted.cannot_link_weights = weights;
        for (int64_t i = 0; i < texts.count; i++) {
            if (!check_in_turn(i + !wide, 2))
                continue;
            if (!wide || !strstr(texts.text[i], "neighbors"))
                compare(&t, &lists, texts.text[i], DIFFERENCE);
            if (wide || !strstr(texts.text[i], "ssdr dim=5"))
                continue;
            compare(&t, &weighted, texts.text[i], DIFFERENCE);
            compare(&t, &labels, texts.text[i], DIFFERENCE);
            compare(&t, &lists, "ssdr dim=5 alpha=10 beta=1 closure=true", DIFFERENCE);
            compare(&t, &labels, "ssdr dim=5 alpha=10 beta=1 sample_pairs=80+50", DIFFERENCE);
        }
    }
}

TEST(ratios)
{
    static const char *const texts[] = { "sda", "sda dim=2 alpha=1 ridge=0.5",
                                         "sda alpha=0 ridge=2" };
    pen_rng rng = check_rng(3);
    for (int wide = 0; wide < 2; wide++) {
        large_rows t = large_new(&rng, MANY + 300 * !wide, MANY + 300 * wide, USED);
        int32_t *const y = large_labels(&rng, &t, 200);
        const pen_data data = { .x = large_sparse(&t), .labels = y };
        for (int i = wide; i < (int)COUNT_OF(texts); i++)
            if (check_in_turn(i + wide, 2))
                compare(&t, &data, texts[i], RATIO);
    }
}

/* A ridge is in units of tr(C)/d, so its number changes with d. With `affinity one` S_lw is the
 * scatter within classes. */
static void compare_ridge(const large_rows *t, const pen_data *data)
{
    const double within = 0.4, ridge = 0.3;
    double trace = 0, other;
    char sparse[100], dense[100];

    for (int32_t label = 0; label <= 14; label += 7)
        for (int64_t j = 0; j < t->used; j++) {
            double sum = 0, squares = 0, count = 0;
            for (int64_t i = 0; i < t->n; i++)
                if (data->labels[i] == label) {
                    const double value = t->dense[i * t->used + j];
                    sum += value;
                    squares += value * value;
                    count++;
                }
            trace += squares - sum * sum / count;
        }
    trace *= 1 - within;
    other = ridge * (within + trace / (double)t->d) / (within + trace / (double)t->used);
    snprintf(sparse, sizeof sparse, "self dim=3 beta=0.4 affinity=one ridge=%.17g", ridge);
    snprintf(dense, sizeof dense, "self dim=3 beta=0.4 affinity=one ridge=%.17g", other);
    pen_data used = *data;
    used.x = large_dense(t);
    pen_model *const model = large_fit(data, sparse, 1, PEN_OK, NULL);
    pen_model *const whole = large_fit(&used, dense, 1, PEN_OK, NULL);
    large_compare(t, model, whole, 1e-7, sparse);
    CHECK_CLOSE(model_number(model, "info.ridge"), model_number(whole, "info.ridge"), 1e-12, 0);
}

/* The denominator is whitened: labelled rows plus a multiple of the identity. */
TEST(blends)
{
    const text_list texts =
        text_list_of("self dim=3 beta=0.5; self dim=2 beta=0.001 total=covariance; "
                     "self dim=4 beta=0.9 beta_within=0.2 affinity=knn neighbors=3; "
                     "self dim=2 beta=0.3 affinity=heat row_steps=l2; "
                     "self dim=2 beta=0.6 affinity=one total=covariance column_scaling=plain; self "
                     "dim=3 beta=1");
    pen_rng rng = check_rng(4);
    for (int wide = 0; wide < 2; wide++) {
        large_rows t = large_new(&rng, MANY + 300 * !wide, MANY + 300 * wide, USED);
        int32_t *const y = large_labels(&rng, &t, 200);
        const pen_data data = { .x = large_sparse(&t), .labels = y };
        for (int64_t i = 0; i < (wide ? 1 : texts.count); i++)
            if (check_in_turn(i + !wide, 2))
                compare(&t, &data, texts.text[i], RATIO);
        if (!wide)
            compare_ridge(&t, &data);
        large_fit(&data, "self dim=2 beta=auto", 1, PEN_BAD_ARGUMENT, "set beta, or pca");
        large_fit(&data, "self beta=0.5", 1, PEN_BAD_ARGUMENT, "set dim, or pca");
        large_fit(&data, "self beta=1e-8 dim=2", 1, PEN_NOT_CONVERGED,
                  "the condition number of the denominator is");
        large_fit(&data, "self beta=0 dim=2", 1, PEN_BAD_ARGUMENT, "would be formed; set pca");
    }
}

TEST(refusals)
{
    pen_rng rng = check_rng(2);
    large_rows t = large_new(&rng, MANY, MANY, USED);
    int64_t must[2 * PAIRS], cannot[2 * PAIRS];
    double weights[PAIRS];
    large_pairs(&rng, &t, 1, PAIRS, must);
    large_pairs(&rng, &t, 0, PAIRS, cannot);
    for (int i = 0; i < PAIRS; i++)
        weights[i] = (double)(must[2 * i] % 3 + must[2 * i + 1] % 3 + 1);
    pen_data data = { .x = large_sparse(&t),
                      .must_link = must,
                      .must_link_count = PAIRS,
                      .cannot_link = cannot,
                      .cannot_link_count = PAIRS };
    large_fit(&data, "ssdr", 1, PEN_BAD_ARGUMENT, "set dim, or pca to a number of components");
    large_fit(&data, "cmm dim=50", 1, PEN_RANK_TOO_SMALL, "directions make the criterion positive");
    large_fit(&data, "npssdr form=ratio dim=2 ridge=1", 1, PEN_BAD_ARGUMENT,
              "a matrix of all 8200 columns would be formed; set pca");
    data.must_link_count = data.cannot_link_count = 0;
    large_fit(&data, "pca dim=8200", 1, PEN_RANK_TOO_SMALL, "dim must be at most 8199");
    large_fit(&data, "none", 1, PEN_BAD_DATA, "or set pca to a number of components");
    data.must_link_count = data.cannot_link_count = PAIRS;
    data.must_link_weights = weights;
    large_fit(&data, "ssdr dim=2 closure=true", 1, PEN_BAD_ARGUMENT,
              "a matrix of all 8200 columns would be formed; set pca");
}
