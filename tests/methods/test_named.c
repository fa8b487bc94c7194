/* test_named.c - methods that are settings of others, as in docs/named-methods.md: Laplacian
 * regularized least squares, harmonic functions, local and global consistency, orthogonal least
 * squares regression. (Orthogonal neighborhood preserving projections are npssdr without pairs:
 * test_npssdr.) */
#include "kit/oracle_fit.h"
#include "kit/tables.h"
#include "oracle/named_oracle.h"

#include <stdio.h>

enum { N = 60, D = 5, CLASSES = 3, NEIGHBORS = 5 };

/* The largest difference, relative to the largest entry. */
static double far_apart(int64_t count, const double *a, const double *b)
{
    double off = 0, most = 0;

    for (int64_t i = 0; i < count; i++) {
        off = fmax(off, fabs(a[i] - b[i]));
        most = fmax(most, fabs(b[i]));
    }
    return off / most;
}

/* Rows without clusters, the first `labelled` of them labelled; the graph is connected. */
static sample cloud(pen_rng *rng, int64_t labelled)
{
    sample s = sample_new(N, D);

    for (int i = 0; i < N * D; i++)
        s.x[i] = check_normal(rng);
    for (int i = 0; i < N; i++)
        s.y[i] = i < labelled ? (int32_t)(i % CLASSES) : PEN_UNLABELLED;
    return s;
}

/* exp(-d^2 / mean d^2) between two rows if one is among the nearest of the other. */
static double *heat_graph(const sample *s, int64_t neighbors)
{
    double *distances = table_distances(s->n, s->d, s->x), heat;
    char text[64];

    snprintf(text, sizeof text, "fme neighbors=%lld", (long long)neighbors);
    fit_options o = options_read(text);
    double *A = table_graph(&o, s->n, distances, &heat);
    return A;
}

/* The largest difference between the scores of the fitted rows and F. */
static double error_of(const char *text, const sample *s, const double *F)
{
    pen_model *model = fit_sample(text, s);
    const double error = far_apart(s->n * CLASSES, model_values(model, "probabilities"), F);

    return error;
}

/* W, then b for centered rows, of a model of fme. */
static double laprls_error(const sample *s, double lambda_1, double lambda_2, double gamma)
{
    double *A = heat_graph(s, NEIGHBORS);
    double found[(D + 1) * CLASSES], x[N * D];
    char text[200];

    snprintf(text, sizeof text, "fme label_weight=%.17g mu=%.17g gamma=%.17g prior=none",
             1 / lambda_1, lambda_2 / lambda_1, gamma);
    pen_model *model = fit_sample(text, s);
    for (int i = 0; i < D * CLASSES; i++)
        found[i] = model_values(model, "projection")[i];
    for (int k = 0; k < CLASSES; k++)
        found[D * CLASSES + k] = model_values(model, "bias")[k];
    for (int i = 0; i < N * D; i++)
        x[i] = s->x[i] - model_values(model, "mean")[i % D];
    double *right = laprls_oracle(N, D, CLASSES, x, s->y, A, lambda_1, lambda_2);
    const double error = far_apart((D + 1) * CLASSES, found, right);
    return error;
}

/* label_weight 1/lambda_1, mu lambda_2/lambda_1, large gamma: the error decreases as 1/gamma. */
TEST(laprls_is_a_limit_of_fme)
{
    static const double lambdas[][2] = { { 0.1, 0.5 }, { 1, 10 }, { 0.1, 1 }, { 0.01, 0.2 } };
    pen_rng rng = check_rng(4401);
    for (int64_t i = 0; i < COUNT_OF(lambdas); i++) {
        sample s = cloud(&rng, 18);
        const double l1 = lambdas[i][0], l2 = lambdas[i][1];
        const double coarse = laprls_error(&s, l1, l2, 1e3), fine = laprls_error(&s, l1, l2, 1e4);
        CHECK(coarse > 1e-8 && fine > 0.09 * coarse && fine < 0.11 * coarse,
              "gamma 1e3 leaves %g, 1e4 %g", coarse, fine);
        CHECK_CLOSE(laprls_error(&s, l1, l2, 1e7), 0, 0, 1e-6);
    }
}

/* A kernel on all rows: the same in coordinates whose products are kernel values. The expected
 * scores are sum_i a_i k(x_i, x) + b, computed without coordinates: (J K + lambda_1 L K + lambda_2
 * I) a = Y - J 1 b', 1'a = 0. */
TEST(kernel_laprls_is_a_limit_of_fme)
{
    enum { Q = N + 1 };
    pen_rng rng = check_rng(4402);
    sample s = cloud(&rng, 18);
    const pen_data data = sample_data(&s);
    const double l1 = 0.1, l2 = 0.5, width = 0.2;
    double *distances = table_distances(N, D, s.x), *system = zeros(Q * Q),
           *right = zeros(Q * CLASSES), *found = zeros(N * CLASSES), *scores = zeros(N * CLASSES);
    double *K = zeros(N * N), *in_space = zeros(N * N);
    pen_error err;
    for (int p = 0; p < N * N; p++)
        K[p] = exp(-width * distances[p]);
    for (int p = 0; p < N * N; p++)
        in_space[p] = 2 - 2 * K[p];
    int *nearest = table_nearest(N, in_space, NEIGHBORS), *joined = table_union(N, nearest);
    double *A = table_heat(N, joined, in_space, 1), *L = table_laplacian(N, A),
           *LK = dense_product(N, N, N, L, K);
    for (int i = 0; i < N; i++) {
        const int known = s.y[i] >= 0;
        for (int j = 0; j < N; j++)
            system[i * Q + j] = (known ? K[i * N + j] : 0) + l1 * LK[i * N + j] + (i == j) * l2;
        system[i * Q + N] = known;
        system[N * Q + i] = 1;
        if (known)
            right[i * CLASSES + s.y[i]] = 1;
    }
    double *a = dense_solve(Q, CLASSES, system, right), *Ka = dense_product(N, N, CLASSES, K, a);
    for (int i = 0; i < N * CLASSES; i++)
        scores[i] = Ka[i] + a[N * CLASSES + i % CLASSES];

    pen_model *model = fit_data("fme kernel=rbf kernel_gamma=0.2 kernel_landmarks=60 heat=1 "
                                "label_weight=10 mu=5 gamma=1e6 prior=none",
                                &data);
    CHECK_OK(pen_transform(model, &data.x, NULL, PEN_F64, found, CLASSES, &err), &err);
    for (int i = 0; i < N * CLASSES; i++)
        found[i] += model_values(model, "bias")[i % CLASSES];
    CHECK_CLOSE(far_apart(N * CLASSES, found, scores), 0, 0, 1e-5);
}

/* mu 0 and large label_weight, on the union of neighbors and on the graph of all pairs. */
TEST(harmonic_functions_are_a_limit_of_fme)
{
    pen_rng rng = check_rng(4403);
    for (int all = 0; all < 2; all++) {
        const int64_t neighbors = all ? N - 1 : 8;
        sample s = cloud(&rng, 12);
        double *A = heat_graph(&s, neighbors), *F = harmonic_oracle(N, CLASSES, s.y, A);
        double errors[2];
        char text[200];
        for (int i = 0; i < 2; i++) {
            snprintf(text, sizeof text, "fme mu=0 label_weight=%g neighbors=%lld prior=none",
                     i ? 1e9 : 1e4, (long long)neighbors);
            errors[i] = error_of(text, &s, F);
        }
        CHECK(errors[0] > 1e-8 && errors[1] < 1e-7 && errors[1] < 1e-3 * errors[0],
              "label_weight 1e4 leaves %g, 1e9 %g", errors[0], errors[1]);
    }
}

/* alpha near 1: the propagation of soda converges to label propagation with clamped labels. */
TEST(harmonic_functions_are_a_limit_of_soda)
{
    pen_rng rng = check_rng(4404);
    sample s = cloud(&rng, 12);
    double *A = heat_graph(&s, 8), *F = harmonic_oracle(N, CLASSES, s.y, A);
    const double coarse = error_of("soda neighbors=8 alpha=0.999 prior=none", &s, F),
                 fine = error_of("soda neighbors=8 alpha=0.999999999 prior=none", &s, F);
    CHECK(coarse > 1e-5 && fine < 1e-6, "alpha 0.999 leaves %g, nearly 1 %g", coarse, fine);
}

/* The vertices of a regular polygon or a simplex: all rows have the same number of neighbors. */
static sample regular_rows(pen_rng *rng, int simplex)
{
    const int64_t n = simplex ? 12 : 40;
    sample s = sample_new(n, simplex ? n : 2);

    for (int64_t i = 0; i < n; i++) {
        const double angle = 6.283185307179586 * (double)i / (double)n;
        if (simplex)
            s.x[i * n + i] = 1;
        else
            s.x[2 * i] = cos(angle), s.x[2 * i + 1] = sin(angle);
        s.y[i] = i < 6 ? (int32_t)(i % CLASSES) : PEN_UNLABELLED;
    }
    for (int64_t i = n - 1; i > 0 && !simplex; i--) {
        const int64_t j = pen_rng_below(rng, i + 1);
        const int32_t y = s.y[i];
        s.y[i] = s.y[j], s.y[j] = y;
    }
    return s;
}

/* If all rows have degree g: mu 0, both weights w, alpha = g / (g + w). */
TEST(consistency_is_fme_on_regular_graphs)
{
    pen_rng rng = check_rng(4405);
    for (int simplex = 0; simplex < 2; simplex++) {
        sample s = regular_rows(&rng, simplex);
        const int64_t neighbors = simplex ? s.n - 1 : 2;
        const double weight = 0.05, alpha = (double)neighbors / ((double)neighbors + weight);
        double *distances = table_distances(s.n, s.d, s.x), *A = zeros(s.n * s.n);
        int *nearest = table_nearest(s.n, distances, neighbors);
        for (int64_t p = 0; p < s.n * s.n; p++)
            A[p] = nearest[p];
        double *F = consistency_oracle(s.n, CLASSES, s.y, A, alpha);
        char text[200];
        snprintf(text, sizeof text,
                 "fme mu=0 label_weight=%g unlabelled_weight=%g graph=binary neighbors=%lld "
                 "prior=none",
                 weight, weight, (long long)neighbors);
        CHECK_CLOSE(error_of(text, &s, F), 0, 0, 1e-9);
    }
}

/* soge without a graph and with fixed labels: |X_l W + 1 b' - Y_l|^2, W'W = I, is stationary:
 * X_c'(X_c W - Y) = W S with S symmetric, X_c the centered labelled rows. */
TEST(orthogonal_regression_is_a_limit_of_soge)
{
    enum { LABELLED = 30 };
    pen_rng rng = check_rng(4408);
    sample s = cloud(&rng, LABELLED);
    pen_model *model = fit_sample("soge heat=1e-9 label_weight=1e7 mu=1 tol=0 prior=none", &s);
    const double *W = model_values(model, "projection");
    double mean[D] = { 0 }, slope[D * CLASSES] = { 0 }, most = 0;
    for (int i = 0; i < LABELLED * D; i++)
        mean[i % D] += s.x[i] / LABELLED;
    for (int i = 0; i < LABELLED; i++)
        for (int k = 0; k < CLASSES; k++) {
            double off = -(s.y[i] == k);
            for (int l = 0; l < D; l++)
                off += (s.x[i * D + l] - mean[l]) * W[l * CLASSES + k];
            for (int l = 0; l < D; l++)
                slope[l * CLASSES + k] += (s.x[i * D + l] - mean[l]) * off;
        }
    double *t = dense_transpose(D, CLASSES, W), *S = dense_product(CLASSES, D, CLASSES, t, slope);
    for (int i = 0; i < D * CLASSES; i++)
        most = fmax(most, fabs(slope[i]));
    for (int a = 0; a < CLASSES; a++)
        for (int b = 0; b < a; b++)
            CHECK_CLOSE(S[a * CLASSES + b], S[b * CLASSES + a], 0, 1e-5 * most);
    for (int l = 0; l < D; l++)
        for (int k = 0; k < CLASSES; k++) {
            double inside = 0;
            for (int a = 0; a < CLASSES; a++)
                inside += W[l * CLASSES + a] * S[a * CLASSES + k];
            CHECK_CLOSE(slope[l * CLASSES + k], inside, 0, 1e-5 * most);
        }
}
