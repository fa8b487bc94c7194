/* test_class_prior.c - class priors from unlabelled rows: printed numbers on wine (computed in
 * NumPy), a literal version on random rows, and uninformative rows and labels. */
#include "classifiers/class_mass.h"
#include "kit/check_fit.h"
#include "kit/wine.h"
#include "oracle/logistic_oracle.h"

GROUP(wines_open, NULL);

/* Ranges first .. last of rows or labels; -1 ends the list. */
struct golden {
    int rows[5], labels[9];
    int64_t by_shares[3], by_rows[3];
    double square, b, prior[2]; /* b 0: not printed */
    int right[4];               /* none, uniform, labels, auto */
    double classifier_square, classifier_b;
};
/* clang-format off */
static const struct golden golden[] = {
    { { 0, 177, -1 }, { -1 }, { 38, 55, 49 }, { 35, 53, 54 },
      0.089462609, 0, { 1. / 3, 1. / 3 }, { 116, 127, 62, 127 }, 0, 0 },
    { { 0, 9, 59, 139, -1 }, { 0, 2, 59, 61, 130, 132, -1 }, { 16, 49, 17 }, { 33, 35, 14 },
      0.4740583762, 0.4374813735, { 0.3095426491, 0.4017150537 }, { 73, 59, 59, 73 },
      0.5021028322, 0 },
    { { 0, 11, 59, 141, -1 }, { 0, 2, 59, 82, 130, 132, -1 }, { 10, 43, 12 }, { 10, 45, 10 },
      1.3109762567, 0.658015533, { 0.2071184332, 0.6015114305 }, { 57, 61, 57, 62 },
      1.4334295995, 0.4895690378 },
};
/* clang-format on */
enum { GOLDEN = sizeof golden / sizeof *golden };

static int within(const int *ranges, int i)
{
    for (int r = 0; ranges[r] >= 0; r += 2)
        if (i >= ranges[r] && i <= ranges[r + 1])
            return 1;
    return 0;
}

/* 0 2 ... 58 60 80 100 130 150 170 */
static int is_first_label(int i)
{
    return i < 60 ? i % 2 == 0 : i == 60 || i == 80 || i == 100 || i == 130 || i == 150 || i == 170;
}

/* The rows, with columns standardized over them, their classes and labels. */
static int64_t take_rows(const struct golden *g, double *z, int32_t *classes, int32_t *labels)
{
    int64_t n = 0;

    for (int i = 0; i < WINES; i++) {
        if (!within(g->rows, i))
            continue;
        memcpy(z + n * WINE_COLUMNS, wines->x + i * WINE_COLUMNS, WINE_COLUMNS * sizeof *z);
        classes[n] = wines->classes[i];
        labels[n++] = (g->labels[0] < 0 ? is_first_label(i) : within(g->labels, i))
                          ? wines->classes[i]
                          : PEN_UNLABELLED;
    }
    wine_standardize(n, z);
    return n;
}

static double squares(const double *v)
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

TEST(printed_numbers)
{
    static const char *const priors[] = { "none", "uniform", "labels", "auto" };
    static const double mass[] = { 20.9164972497, 38.6218778390, 22.4616249116 };
    for (int g = 0; g < GOLDEN; g++) {
        const struct golden *const right = &golden[g];
        double z[WINES * WINE_COLUMNS], v[3];
        int32_t classes[WINES], labels[WINES];
        int64_t sizes[3] = { 0 }, counts[3];
        const int64_t n = take_rows(right, z, classes, labels);
        const pen_data d = { .x = pen_dense(z, PEN_F64, n, WINE_COLUMNS, WINE_COLUMNS),
                             .labels = labels };
        pen_view x;
        pen_error err;
        pen_run *const run = check_run(1, &err);

        CHECK_OK(pen_rows_open(run, &d, 0, PEN_SCALE_NONE, &x), &err);
        CHECK_OK(pen_prior_count(run, &x, counts), &err);
        for (int64_t i = 0; i < n; i++)
            if (labels[i] >= 0)
                sizes[labels[i]]++;
        for (int k = 0; k < 3; k++)
            assert_int_equal(counts[k], right->by_rows[k]);
        double b =
            pen_prior_weight(3, sizes, 0.4, 2, (const int64_t *[]){ right->by_shares, counts }, v);
        CHECK_CLOSE(squares(v), right->square, 0, 1e-9);
        CHECK_CLOSE(b, right->b, 0, 1e-9);
        b = pen_prior_weight(3, sizes, 1, 1, (const int64_t *[]){ counts }, v);
        if (right->classifier_square > 0)
            CHECK_CLOSE(squares(v), right->classifier_square, 0, 1e-9);
        CHECK_CLOSE(b, right->classifier_b, 0, 1e-9);
        if (right->classifier_b > 0) {
            const double sum = exp(b * v[0]) + exp(b * v[1]) + exp(b * v[2]);
            CHECK_CLOSE(exp(b * v[0]) / sum, 0.2469094015, 0, 1e-9);
            CHECK_CLOSE(exp(b * v[1]) / sum, 0.5061811969, 0, 1e-9);
        }
        pen_run_close(run);
        for (int q = 0; q < 4; q++) {
            char text[80];
            int hits = 0;
            snprintf(text, sizeof text, "fme prior=%s", priors[q]);
            pen_model *const model = fit_data(text, &d);
            const double *const p = model_values(model, "probabilities");
            const double *const masses = model_values(model, "class_mass");
            for (int64_t i = 0; i < n; i++) {
                int best = p[i * 3 + 1] > p[i * 3] ? 1 : 0;
                best = p[i * 3 + 2] > p[i * 3 + best] ? 2 : best;
                hits += labels[i] < 0 && best == classes[i];
            }
            CHECK(hits == right->right[q], "%d, prior %s: %d right", g, priors[q], hits);
            if (q == 3) {
                CHECK_CLOSE(masses[3], right->prior[0], 0, 1e-8);
                CHECK_CLOSE(masses[4], right->prior[1], 0, 1e-8);
            }
            if (q == 3 && g == 1) {
                for (int k = 0; k < 3; k++)
                    CHECK_CLOSE(masses[k], mass[k], 0, 1e-7);
                CHECK_CLOSE(p[3 * 3], 0.9775982347, 0, 1e-8);
                CHECK_CLOSE(p[3 * 3 + 1], 0.0153830379, 0, 1e-8);
            }
        }
    }
}

static double centered_log(int c, const double *x, int of)
{
    double mean = 0;

    for (int k = 0; k < c; k++)
        mean += log(x[k]) / c;
    return log(x[of]) - mean;
}

enum { N = 90, K = 4, C = 3 };

/* Clusters of classes with unequal numbers of labels. */
static void draw(pen_rng *rng, const int *labelled, double *x, int32_t *labels)
{
    int seen[C] = { 0 };

    for (int i = 0; i < N; i++) {
        const int own = i % 7 < 4 ? 0 : i % 7 < 6 ? 1 : 2;
        labels[i] = seen[own]++ < labelled[own] ? own : PEN_UNLABELLED;
        for (int j = 0; j < K; j++)
            x[i * K + j] = check_normal(rng) + 2 * (j == own);
    }
}

/* The number of rows of each class by logistic regression with equal priors. */
static void count_literally(const pen_embedded_rows *e, const int *labelled, double *counts)
{
    double p[N * C];

    logistic_oracle(e, N, e->z, p);
    for (int i = 0; i < N; i++) {
        int best = 0;
        for (int k = 1; k < C; k++)
            best = p[i * C + k] / labelled[k] > p[i * C + best] / labelled[best] ? k : best;
        counts[best] += e->labels[i] < 0;
    }
}

static pen_classifier fitted(pen_run *run, const pen_embedded_rows *e, int kind,
                             enum pen_prior prior)
{
    const pen_classifier_params params = { .kind = (enum pen_classifier_kind)kind,
                                           .prior = (int)prior };
    pen_classifier out;

    assert_int_equal(pen_classifier_fit(run, e, &params, &out), PEN_OK);
    return out;
}

TEST(matches_the_literal_rule)
{
    static const int labelled[][C] = { { 3, 3, 3 }, { 20, 3, 3 }, { 10, 10, 10 }, { 4, 20, 8 } };
    pen_rng rng = check_rng(5811);
    int trusted = 0;
    for (int repeat = 0; repeat < 24; repeat++) {
        const int *const own = labelled[repeat % 4];
        double x[N * K], counts[C] = { 0.5, 0.5, 0.5 }, sizes[C], v2 = 0, t = 0, sum = 0, p[C];
        int32_t labels[N];
        const pen_embedded_rows e = { .z = x, .n = N, .k = K, .labels = labels, .classes = C };
        pen_run *const run = check_run(1, NULL);
        draw(&rng, own, x, labels);
        count_literally(&e, own, counts);
        for (int k = 0; k < C; k++)
            sizes[k] = own[k];
        for (int k = 0; k < C; k++) {
            v2 += pow(centered_log(C, counts, k), 2);
            t += (C - 1.) / C / own[k] + 0.09 * pow(centered_log(C, sizes, k), 2);
        }
        const double b = v2 > t ? 1 - t / v2 : 0;
        trusted += b > 0;
        for (int k = 0; k < C; k++)
            sum += p[k] = exp(b * centered_log(C, counts, k));
        for (int kind = PEN_CLASSIFIER_LDA; kind <= PEN_CLASSIFIER_LOGISTIC; kind++)
            for (int k = 0; k < C; k++)
                CHECK_CLOSE(fitted(run, &e, kind, PEN_PRIOR_AUTO).prior[k], p[k] / sum, 1e-9, 0);
        pen_run_close(run);
    }
    assert_true(trusted > 3);
}

/* lda, logistic: auto and labels differ only in the biases, by the ratio of the priors.
 * self-training uses equal priors in its rounds. */
TEST(prior_changes_biases)
{
    static const int labelled[] = { 20, 3, 3 };
    pen_rng rng = check_rng(5812);
    double x[N * K];
    int32_t labels[N];
    draw(&rng, labelled, x, labels);
    const pen_embedded_rows e = { .z = x, .n = N, .k = K, .labels = labels, .classes = C };
    for (int kind = PEN_CLASSIFIER_LDA; kind <= PEN_CLASSIFIER_LOGISTIC; kind++) {
        const enum pen_prior other =
            kind == PEN_CLASSIFIER_SELF_TRAINING ? PEN_PRIOR_UNIFORM : PEN_PRIOR_LABELS;
        pen_run *const run = check_run(1, NULL);
        const pen_classifier found[2] = { fitted(run, &e, kind, other),
                                          fitted(run, &e, kind, PEN_PRIOR_AUTO) };
        for (int i = 0; i < K * C; i++)
            CHECK_CLOSE(found[1].weights[i], found[0].weights[i], 1e-12, 0);
        for (int k = 0; k < C; k++)
            CHECK_CLOSE(found[1].bias[k] - found[1].bias[0] - found[0].bias[k] + found[0].bias[0],
                        log(found[1].prior[k] / found[1].prior[0])
                            - log(found[0].prior[k] / found[0].prior[0]),
                        1e-10, 1e-12);
        pen_run_close(run);
    }
}

/* With more labelled rows than logistic regression uses, estimated priors are right within a few
 * percent in any order of the rows. */
TEST(many_labels)
{
    enum { MANY = 12000 };
    static const double share[] = { 0.6, 0.3, 0.1 };
    double *x = check_allocate(MANY * K, sizeof *x), *y = check_allocate(MANY * K, sizeof *y);
    int32_t *labels = check_allocate(MANY, sizeof *labels);
    double prior[2][C];
    pen_rng rng = check_rng(5813);
    for (int i = 0; i < MANY; i++) {
        const double u = pen_rng_uniform(&rng);
        const int own = u < share[0] ? 0 : u < share[0] + share[1] ? 1 : 2;
        labels[i] = pen_rng_uniform(&rng) < (own == 1 ? 0.8 : 0.2) ? own : -1;
        for (int j = 0; j < K; j++)
            x[i * K + j] = check_normal(&rng) + (j == own ? 5 : 0);
    }
    for (int q = 0; q < 2; q++) {
        const pen_embedded_rows e = { .z = x, .n = MANY, .k = K, .labels = labels, .classes = C };
        pen_run *const run = check_run(1, NULL);
        memcpy(prior[q], fitted(run, &e, PEN_CLASSIFIER_LDA, PEN_PRIOR_AUTO).prior,
               sizeof prior[q]);
        pen_run_close(run);
        for (int i = 0; i < MANY / 2; i++) { /* reversed */
            const int32_t label = labels[i];
            labels[i] = labels[MANY - 1 - i];
            labels[MANY - 1 - i] = label;
        }
        for (int i = 0; i < MANY; i++)
            memcpy(y + (ptrdiff_t)i * K, x + (ptrdiff_t)(MANY - 1 - i) * K, K * sizeof *y);
        memcpy(x, y, (size_t)(MANY * K) * sizeof *x);
    }
    for (int k = 0; k < C; k++) {
        /* of the unlabelled rows */
        const double left = share[k] * (k == 1 ? 0.2 : 0.8) / (0.7 * 0.8 + 0.3 * 0.2);
        CHECK(fabs(log(prior[0][k] / left)) < 0.25, "class %d: %g, expected %g", k, prior[0][k],
              left);
        CHECK_CLOSE(prior[1][k], prior[0][k], 1e-6, 0);
    }
}

/* The prior is counted on a sample of many rows, whose order does not matter. One class has nine of
 * ten rows and half of the labels. Midway between the means, p are those of a count of all rows. */
TEST(prior_of_many_rows)
{
    enum { MANY = 6000, LABELS = 10, RARE = MANY / 10 };
    double *x = check_allocate(MANY * K, sizeof *x), middle[2][K] = { 0 }, p[2][2];
    int32_t *labels = check_allocate(MANY, sizeof *labels);
    pen_rng rng = check_rng(5814);
    for (int q = 0; q < 2; q++) { /* the rare class first, then last */
        rng = check_rng(5814);
        for (int i = 0; i < MANY; i++) {
            const int at = q ? MANY - 1 - i : i, own = i >= RARE;
            labels[at] = i < LABELS || i >= MANY - LABELS ? own : -1;
            for (int j = 0; j < K; j++) {
                x[at * K + j] = check_normal(&rng) + 8 * own;
                middle[q][j] += labels[at] >= 0 ? x[at * K + j] / (2 * LABELS) : 0;
            }
        }
        const pen_data d = { .x = pen_dense(x, PEN_F64, MANY, K, K), .labels = labels };
        const pen_array at = pen_dense(middle[q], PEN_F64, 1, K, K);
        const pen_model *const model = fit_data("pca classifier=lda temperature=none", &d);
        pen_error err;
        CHECK_OK(pen_predict(model, &at, NULL, NULL, p[q], NULL, &err), &err);
    }
    const double v = log((double)(MANY - RARE) / RARE) / 2, b = 1 - 0.5 / LABELS / (v * v);
    CHECK_CLOSE(log(p[0][1] / p[0][0]), 2 * b * v, 0, 0.15);
    CHECK_CLOSE(p[1][0], p[0][0], 1e-6, 0);
}
