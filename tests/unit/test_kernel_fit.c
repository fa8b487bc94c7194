/* test_kernel_fit.c - fits with kernels against printed numbers, the n x n problems of the papers
 * (kernel PCA: test_components), and Nystroem features, all compared by embeddings. */
#include "kit/embedded.h"
#include "kit/kernel_rows.h"
#include "oracle/dual_family.h"
#include "oracle/kernel_oracle.h"
#include "oracle/ratio_family.h"

#include <stdio.h>

/* The model and the oracle's coefficients embed fitted and new rows alike. */
static void check_dual(const char *text, const pen_data *data, const pen_array *fresh,
                       const dual *right, const double *K, const double *K_fresh, double tolerance)
{
    pen_model *const model = fit_data(text, data);
    const int64_t k = pen_model_dim(model), n = data->x.rows;
    const double *const lambda = pen_model_tensor(model, "eigenvalues").values;
    double *const z = embedded(model, &data->x), *const z_fresh = embedded(model, fresh),
                  *const w = dual_embedding(right, n, K, k),
                  *const w_fresh = dual_embedding(right, fresh->rows, K_fresh, k);

    CHECK(k <= right->k, "%s: %lld dimensions, expected %lld", text, (long long)k,
          (long long)right->k);
    for (int64_t j = 0; j < k; j++)
        CHECK_CLOSE(lambda[j], right->lambda[j], tolerance, tolerance * right->lambda[0]);
    const double apart = columns_apart(n, k, z, k, w, k),
                 fresh_apart = columns_apart(fresh->rows, k, z_fresh, k, w_fresh, k);
    CHECK(apart <= tolerance && fresh_apart <= tolerance,
          "%s: embeddings are %.3g apart, those of new rows %.3g", text, apart, fresh_apart);
}

enum { N = GOLDEN_D };

/* Embeddings of a model are centered, those of the specification are not. */
static void check_printed(const char *text, const pen_data *data, const pen_array *fresh,
                          const kernel_golden *golden)
{
    pen_model *const model = fit_data(text, data);
    double *const right = dense_copy(2 * N, golden->z),
                  *const right_fresh = dense_copy(2, golden->new_z),
                  *const mean = center_rows(N, 2, right, NULL), both[2 * N + 2], rights[2 * N + 2];
    double *const found = embedded(model, &data->x), *const found_fresh = embedded(model, fresh);

    center_rows(1, 2, right_fresh, mean);
    memcpy(both, found, 2 * N * sizeof *both);
    memcpy(both + 2 * N, found_fresh, 2 * sizeof *both);
    memcpy(rights, right, 2 * N * sizeof *rights);
    memcpy(rights + 2 * N, right_fresh, 2 * sizeof *rights);
    assert_int_equal(pen_model_dim(model), 2);
    for (int j = 0; j < 2; j++)
        CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[j], golden->values[j], 2e-9, 0);
    const double apart = columns_apart(N + 1, 2, both, 2, rights, 2);
    CHECK(apart <= 2e-9, "%s: %.3g apart", text, apart);
}

TEST(golden)
{
    const pen_data data = { .x = pen_dense(golden_d_rows, PEN_F64, N, 2, 2),
                            .labels = golden_d_labels };
    const pen_array fresh = pen_dense(golden_d_rows + 2 * N, PEN_F64, 1, 2, 2);
    const pen_kernel rbf = { .kind = PEN_KERNEL_RBF, .gamma = 0.5 },
                     linear = { .kind = PEN_KERNEL_LINEAR };
    double *const K = kernel_table(&rbf, N, N, 2, golden_d_rows, golden_d_rows),
                  *const K_new = kernel_table(&rbf, 1, N, 2, golden_d_rows + 2 * N, golden_d_rows),
                  *const G = kernel_table(&linear, N, N, 2, golden_d_rows, golden_d_rows),
                  *const G_new =
                      kernel_table(&linear, 1, N, 2, golden_d_rows + 2 * N, golden_d_rows);
    pen_data of_K = data, of_G = data;
    of_K.x = pen_dense(K, PEN_F64, N, N, N);
    of_G.x = pen_dense(G, PEN_F64, N, N, N);
    const pen_array K_row = pen_dense(K_new, PEN_F64, 1, N, N),
                    G_row = pen_dense(G_new, PEN_F64, 1, N, N);
    check_printed("self kernel=rbf kernel_gamma=0.5 kernel_ridge=0.01 neighbors=2 dim=2", &data,
                  &fresh, &golden_d_rbf);
    check_printed("self kernel=precomputed kernel_ridge=0.01 neighbors=2 dim=2", &of_K, &K_row,
                  &golden_d_rbf);
    check_printed("self kernel=linear neighbors=2", &data, &fresh, &golden_d_linear);
    check_printed("self kernel=precomputed neighbors=2", &of_G, &G_row, &golden_d_linear);
}

/* SELF and FDA, with a kernel by name and as a matrix; the last FRESH rows are not fitted. */
struct dual_case {
    const char *method; /* with the name of its first number */
    int laplacian;
    int64_t classes, labelled;
    int duplicates; /* pairs of equal rows: one labelled, one with another label or none */
    double first;
    int64_t neighbors; /* of SELF; 0: FDA */
    double eps;
};

static void check_case(pen_rng *rng, const struct dual_case *c)
{
    enum { ROWS = 22, FRESH = 4, D = 4 };
    const pen_kernel kernel = { .kind = c->laplacian ? PEN_KERNEL_LAPLACIAN : PEN_KERNEL_RBF,
                                .gamma = 0.25 };
    const char *const names[] = { c->laplacian ? "laplacian kernel_gamma=0.25"
                                               : "rbf kernel_gamma=0.25",
                                  "precomputed" };
    sample s = sample_random(rng, ROWS + FRESH, D, c->classes, c->labelled);
    char text[256], neighbors[32] = "";

    for (int64_t i = 0; c->duplicates && i + 1 < ROWS; i += 5)
        memcpy(s.x + (i + 1) * D, s.x + i * D, D * sizeof *s.x);
    const double *const new = s.x + ROWS *D;
    double *const K = kernel_table(&kernel, ROWS, ROWS, D, s.x, s.x);
    double *const K_new = kernel_table(&kernel, FRESH, ROWS, D, new, s.x);
    dual right = c->neighbors > 0 ? kernel_self_oracle(ROWS, K, s.y, c->first, c->neighbors, c->eps)
                                  : kernel_fda_oracle(ROWS, K, s.y, c->first, c->eps);
    if (c->neighbors > 0)
        snprintf(neighbors, sizeof neighbors, " neighbors=%d dim=2", (int)c->neighbors);
    for (int given = 0; given < 2; given++) {
        const int64_t d = given ? ROWS : D;
        const pen_data data = { .x = pen_dense(given ? K : s.x, PEN_F64, ROWS, d, d),
                                .labels = s.y };
        const pen_array fresh = pen_dense(given ? K_new : new, PEN_F64, FRESH, d, d);
        snprintf(text, sizeof text, "%s=%.17g kernel=%s kernel_ridge=%.17g%s", c->method, c->first,
                 names[given], c->eps, neighbors);
        check_dual(text, &data, &fresh, &right, K, K_new, 1e-8);
    }
}

TEST(problems_of_the_papers)
{
    static const struct dual_case cases[] = {
        /* the kernel matrix is regular: eps may be 0 */
        { "self beta", 0, 3, 15, 0, 0.5, 7, 0 },
        { "self beta", 1, 2, 26, 0, 0.3, 3, 0 },
        /* labels alone determine the fit */
        { "self beta", 0, 3, 15, 0, 0, 7, 0.02 },
        { "self beta", 0, 3, 15, 0, 0.1, 2, 1e-3 },
        /* singular: duplicates, some of them among the nearest rows */
        { "self beta", 0, 3, 15, 1, 0.5, 1, 1e-2 },
        { "self beta", 0, 3, 15, 1, 0.2, 4, 1e-3 },
        { "fda ridge", 0, 3, 17, 0, 0, 0, 0.01 },
        { "fda ridge", 0, 3, 17, 0, 0, 0, 1 },
        { "fda ridge", 0, 3, 17, 0, 0.1, 0, 0 },
        { "fda ridge", 0, 3, 17, 0, 0.02, 0, 0.05 },
    };
    pen_rng rng = check_rng(3102);
    for (int repeat = 0; repeat < check_repeats(3); repeat++)
        for (int64_t i = 0; i < COUNT_OF(cases); i++)
            check_case(&rng, &cases[i]);
}

/* K_xL K_LL^-1/2 [rows x m]. */
static double *nystroem(const pen_kernel *kernel, int64_t m, int64_t d, const double *landmarks,
                        int64_t rows, const double *x)
{
    double *const K = kernel_table(kernel, m, m, d, landmarks, landmarks),
                  *const values = kernel_table(kernel, rows, m, d, x, landmarks),
                  *const w = zeros(m), *const v = zeros(m * m), *const root = zeros(m * m);

    dense_eigen(m, K, w, v);
    for (int64_t i = 0; i < m * m; i++)
        for (int64_t c = 0; c < m; c++)
            root[i] += v[i / m * m + c] * v[i % m * m + c] / sqrt(w[c]);
    double *const features = dense_product(rows, m, m, values, root);
    return features;
}

/* The method on Nystroem features of the model's landmarks, computed here, with eps a'a for the
 * landmark coefficients a in the denominator (coefficients of the features: K_LL^-1/2 v). With and
 * without principal components. */
static void check_landmarks(const char *method, const char *kernel, const pen_kernel *form,
                            const sample *s, int64_t m, const char *way, double eps)
{
    char text[256];
    const int64_t n = s->n, d = s->d;

    snprintf(text, sizeof text, "%s kernel=%s kernel_landmarks=%s%lld kernel_ridge=%.17g", method,
             kernel, way, (long long)m, eps);
    pen_model *const model = fit_sample(text, s);
    const double *const landmarks = pen_model_tensor(model, "landmarks").values,
                        *const rows = pen_model_tensor(model, "landmark_rows").values;
    assert_true(model_number(model, "kernel.landmarks") == (double)m);
    for (int64_t l = 0; l < m; l++) /* the landmarks are those rows */
        assert_memory_equal(landmarks + l * d, s->x + (int64_t)rows[l] * d,
                            (size_t)d * sizeof(double));
    double *const features = nystroem(form, m, d, landmarks, n, s->x);
    double *const K = kernel_table(form, m, m, d, landmarks, landmarks);
    oracle *const o = oracle_fit(method, n, m, features, s->y);
    const int64_t q = o->q, k = pen_model_dim(model);
    double *const inverse_basis = dense_solve(m, q, K, o->basis),
                  *const basis = dense_transpose(m, q, o->basis),
                  *const penalty = dense_product(q, m, q, basis, inverse_basis),
                  *const lambda = zeros(q), *const phi = zeros(q * q);
    dense_add(q * q, eps, penalty, o->C);
    assert_true(dense_generalized(q, o->B, o->C, lambda, phi));
    double *const columns = dense_product(m, q, q, o->basis, phi),
                  *const right = dense_product(n, m, q, features, columns),
                  *const z = embedded_rows(model, n, d, s->x);
    center_rows(n, q, right, NULL);
    for (int64_t i = 0; i < n * q; i++)
        right[i] *= sqrt(fmax(lambda[i % q], 0));
    const double apart = columns_apart(n, k, z, k, right, q);
    CHECK(k <= q && apart <= 1e-8, "%s: %.3g apart", text, apart);
}

TEST(landmarks_match_nystroem)
{
    static const char *const methods[] = { "self dim=2", "self pca=4 dim=2",
                                           "self beta=0.1 pca=0.9 dim=2", "fda dim=2",
                                           "lfda pca=5 dim=2" };
    const pen_kernel rbf = { .kind = PEN_KERNEL_RBF, .gamma = 0.1 },
                     cosine = { .kind = PEN_KERNEL_COSINE };
    pen_rng rng = check_rng(3107);
    sample s = sample_random(&rng, 50, 5, 3, 25);
    for (int64_t i = 0; i < COUNT_OF(methods); i++) {
        check_landmarks(methods[i], "rbf kernel_gamma=0.1", &rbf, &s, 10, "", 0.5);
        check_landmarks(methods[i], "rbf kernel_gamma=0.1 seed=3", &rbf, &s, 8, "random:", 0.01);
        check_landmarks(methods[i], "cosine", &cosine, &s, 5, "random:", 0);
    }
}

/* A precomputed kernel with landmarks: rows of values with all rows, or with the landmarks. */
TEST(precomputed_landmarks)
{
    enum { ROWS = 40, M = 8 };
    const pen_kernel rbf = { .kind = PEN_KERNEL_RBF, .gamma = 0.1 };
    pen_rng rng = check_rng(3106);
    sample s = sample_random(&rng, ROWS, 4, 3, 20);
    double *const K = kernel_table(&rbf, ROWS, ROWS, 4, s.x, s.x), values[ROWS * M];
    sample table = sample_of(ROWS, ROWS, K, s.y);
    for (int random = 0; random < 2; random++) {
        static const char *const others[] = { "kernel_landmarks=8 dim=3",
                                              "kernel_landmarks=random:8 dim=3" };
        char text[128];
        snprintf(text, sizeof text, "self kernel=precomputed %s", others[random]);
        pen_model *const of_table = fit_sample(text, &table);
        const double *const rows = pen_model_tensor(of_table, "landmark_rows").values;
        assert_true(model_number(of_table, "kernel.landmarks") == M);
        assert_int_equal(pen_model_columns(of_table), ROWS);
        for (int64_t i = 0; i < ROWS * M; i++)
            values[i] = K[i / M * ROWS + (int64_t)rows[i % M]];
        double *const all = embedded_rows(of_table, ROWS, ROWS, K), *const few = embedded_rows(
                                                                        of_table, ROWS, M, values);
        assert_memory_equal(all, few, ROWS * 3 * sizeof *all);
    }
}
