/* test_tr_fsda.c - trace ratio discriminant analysis with flexible scores, compared with printed
 * numbers, the oracle and the definition: Huang, Xu, Nie: IEEE Transactions on Neural Networks and
 * Learning Systems 23 (2012). */
#include "kit/oracle_fit.h"

#include <stdio.h>

/* ---- the definition ---- */

/* L_b, and L_a = L_t + alpha L of the graph, as matrices of all rows. */
typedef struct laplacians {
    double *L_a, *L_b;
} laplacians;

static laplacians laplacians_of(const sample *s, int64_t neighbors, double alpha)
{
    const int64_t n = s->n;
    double *distances = keep(table_distances(n, s->d, s->x));
    int *nearest = keep(table_nearest(n, distances, neighbors)),
        *joined = keep(table_union(n, nearest));
    double *weights = keep(table_heat(n, joined, distances, INFINITY)), labelled = 0;
    laplacians l = { table_laplacian(n, weights), check_allocate(n * n, sizeof(double)) };

    for (int64_t i = 0; i < n; i++)
        labelled += s->y[i] >= 0;
    for (int64_t p = 0; p < n * n; p++) {
        const int64_t i = p / n, j = p % n;
        double size = 0;
        l.L_a[p] *= alpha;
        if (s->y[i] < 0 || s->y[j] < 0)
            continue;
        for (int64_t k = 0; k < n; k++)
            size += s->y[k] == s->y[i];
        l.L_a[p] += (i == j) - 1 / labelled;
        l.L_b[p] = (s->y[i] == s->y[j] ? 1 / size : 0) - 1 / labelled;
    }
    return l;
}

/* (X - mean) W [n x m]. */
static double *embedded(const pen_model *model, const sample *s)
{
    const int64_t m = pen_model_dim(model);
    double *z = check_allocate(s->n * m, sizeof *z);
    for (int64_t i = 0; i < s->n * m; i++)
        for (int64_t c = 0; c < s->d; c++)
            z[i] += (s->x[i / m * s->d + c] - model_mean(model)[c])
                    * model_columns(model)[c * m + i % m];
    return z;
}

/* F = ratio K^-1 z, K = ratio (L_a + I) - L_b. */
static double *best_scores(const laplacians *l, int64_t n, int64_t m, double ratio, const double *z)
{
    double *K = check_allocate(n * n, sizeof *K);
    for (int64_t p = 0; p < n * n; p++)
        K[p] = ratio * (l->L_a[p] + (p / n == p % n)) - l->L_b[p];
    double *F = dense_solve(n, m, K, z);
    for (int64_t i = 0; i < n * m; i++)
        F[i] *= ratio;
    free(K);
    return F;
}

static double trace_of(int64_t n, int64_t m, const double *F, const double *L)
{
    double sum = 0;
    for (int64_t p = 0; p < n * n; p++)
        for (int64_t k = 0; k < m; k++)
            sum += F[p / n * m + k] * L[p] * F[p % n * m + k];
    return sum;
}

/* The ratio to maximize over orthonormal columns. */
static double objective(const laplacians *l, int64_t n, int64_t m, double ridge, const double *z,
                        const double *F)
{
    double off = 0;
    for (int64_t i = 0; i < n * m; i++)
        off += (z[i] - F[i]) * (z[i] - F[i]);
    return trace_of(n, m, F, l->L_b) / (trace_of(n, m, F, l->L_a) + off + ridge * (double)m);
}

static void free_laplacians(laplacians *l)
{
    free(l->L_a), free(l->L_b);
}

/* ---- tests ---- */

static void golden(void **state)
{
    static const double w[] = { 0.149887987,  -0.576730897,  0.9511495597,
                                0.3058440147, -0.2699038836, 0.7575228783 };
    static const double ratio[] = { 0.431663778 }, F[] = { 1.608492375, -0.1888452969 };
    static const char text[] = "tr-fsda alpha=0.5 ridge=0.2 neighbors=3 dim=2";
    sample s = keep(sample_labels());
    const pen_data data = sample_data(&s);
    pen_model *model = keep(fit_data(text, &data));
    label_oracle *o = keep(label_oracle_fit(text, &data));
    laplacians l = laplacians_of(&s, 3, 0.5);
    const double found = info_number(model, "ratio");
    double *z = keep(embedded(model, &s)), *scores = keep(best_scores(&l, 10, 2, found, z));
    (void)state;

    CHECK(pen_model_dim(model) == 2, "%lld dimensions", (long long)pen_model_dim(model));
    CHECK_ENTRIES(model_columns(model), w, 1e-9);
    CHECK_ENTRIES(&found, ratio, 1e-9);
    CHECK_ENTRIES(scores, F, 1e-8);
    CHECK_ENTRIES(o->F, F, 1e-9);
    check_like(text, &data, NULL, 1e-9);
    free_laplacians(&l);
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "tr-fsda",
        "tr-fsda alpha=2 neighbors=3 dim=1",
        "tr-fsda graph=heat dim=3 ridge=1",
        "tr-fsda graph=heat heat=4 alpha=0.5 ridge=3",
        "tr-fsda alpha=0 ridge=0.01",
        "tr-fsda neighbors=12 ridge=0.5 dim=2 allow_fewer=true",
        "tr-fsda scale=standard graph=heat",
        "tr-fsda pca=3 dim=2",
        "tr-fsda pca=rank scale=minmax ridge=0.01",
        "tr-fsda dim=40",
    };
    pen_rng rng = check_rng(4201);
    /* the last has too many rows for n x n matrices in every step */
    for (int which = 0; which < SHAPES - 1; which++) {
        sample s = keep(sample_shape(&rng, which));
        const pen_data data = sample_data(&s);
        for (int64_t i = 0; i < COUNT_OF(texts); i++)
            check_like(texts[i], &data, NULL, 1e-8);
    }
}

/* The ratio of the columns and their optimal scores is the reported one, between 0 and 1; no other
 * scores or columns attain more. */
static void ratio_is_largest(void **state)
{
    enum { N = 40, D = 5 };
    pen_rng rng = check_rng(4202);
    (void)state;
    for (int64_t m = 1; m <= 4; m++) {
        sample s = keep(sample_random(&rng, N, D, 3, 15));
        char text[64];
        snprintf(text, sizeof text, "tr-fsda alpha=0.3 ridge=0.7 dim=%lld", (long long)m);
        pen_model *model = keep(fit_sample(text, &s));
        laplacians l = laplacians_of(&s, 5, 0.3);
        const double ratio = info_number(model, "ratio"), *w = model_columns(model),
                     *values = model_eigenvalues(model);
        double *z = keep(embedded(model, &s)), *F = keep(best_scores(&l, N, m, ratio, z)), sum = 0,
               size = 0;
        CHECK(ratio > 0 && ratio < 1, "ratio %g", ratio);
        CHECK_CLOSE(objective(&l, N, m, 0.7, z, F), ratio, 1e-9, 0);
        for (int64_t j = 0; j < m; j++) {
            sum += values[j];
            size += fabs(values[j]);
            CHECK(j == 0 || values[j] >= values[j - 1], "eigenvalue %lld is %g after %g",
                  (long long)j, values[j], values[j - 1]);
            for (int64_t k = 0; k <= j; k++) {
                double inner = 0;
                for (int64_t c = 0; c < D; c++)
                    inner += w[c * m + j] * w[c * m + k];
                CHECK_CLOSE(inner, j == k, 0, 1e-12);
            }
        }
        CHECK(fabs(sum) <= 1e-9 * (size + 100), "the eigenvalues sum to %g of %g", sum, size);
        for (int turn = 0; turn < 20; turn++) {
            double *q = keep(random_orthonormal(&rng, D, m)),
                   *other = check_allocate(N * m, sizeof *other);
            for (int64_t i = 0; i < N * m; i++) {
                F[i] += 1e-3 * check_normal(&rng);
                for (int64_t c = 0; c < D; c++)
                    other[i] += (s.x[i / m * D + c] - model_mean(model)[c]) * q[c * m + i % m];
            }
            double *scores = keep(best_scores(&l, N, m, ratio, other));
            CHECK(objective(&l, N, m, 0.7, z, F) < ratio, "other scores reach more");
            CHECK(objective(&l, N, m, 0.7, other, scores) <= ratio,
                  "columns of chance reach %.17g of %.17g", objective(&l, N, m, 0.7, other, scores),
                  ratio);
            free(other);
        }
        free_laplacians(&l);
    }
}

/* The ratio decreases as alpha, ridge or the number of dimensions increases. */
static void ratio_falls(void **state)
{
    static const char *const forms[] = { "tr-fsda ridge=%.17g", "tr-fsda alpha=%.17g",
                                         "tr-fsda graph=heat alpha=%.17g ridge=0.01 dim=3" };
    pen_rng rng = check_rng(4203);
    (void)state;
    for (int form = 0; form < 3; form++) {
        sample s = keep(sample_random(&rng, 60, 6, 3, 24));
        double last = 1, first = 0;
        for (int power = -8; power <= 12; power++) {
            char text[96];
            snprintf(text, sizeof text, forms[form], ldexp(1, power));
            pen_model *model = keep(fit_sample(text, &s));
            const double ratio = info_number(model, "ratio");
            CHECK(ratio > 0 && ratio < last, "%s: ratio %.17g, and was %.17g", text, ratio, last);
            first = power == -8 ? ratio : first;
            last = ratio;
        }
        CHECK(last < 0.99 * first, "%s: from %g to %g", forms[form], first, last);
    }
}

/* Few labels and a graph with a large weight make the ratio small: the relative accuracy is
 * unchanged. */
static void small_ratios(void **state)
{
    pen_rng rng = check_rng(4207);
    int small = 0;
    (void)state;
    for (int repeat = 0; repeat < 12; repeat++) {
        sample s = keep(sample_random(&rng, 20, 3, 3, 3));
        const pen_data data = sample_data(&s);
        for (int64_t i = 0; i < 60; i++)
            s.x[i] = 1e4 * check_normal(&rng);
        for (int i = 0; i < 20; i++)
            s.y[i] = i < 3 ? i : PEN_UNLABELLED;
        label_oracle *o = keep(label_oracle_fit("tr-fsda alpha=1000 dim=1", &data));
        pen_model *model = keep(fit_data("tr-fsda alpha=1000 dim=1", &data));
        const double ratio = info_number(model, "ratio");
        small += ratio < 1e-2;
        CHECK_CLOSE(ratio, o->ratio, 1e-8, 0);
    }
    CHECK(small >= 8, "%d ratios are small", small);
}

/* alpha 0: no graph, so any neighbors. */
static void without_graph(void **state)
{
    pen_rng rng = check_rng(4204);
    sample s = keep(sample_random(&rng, 40, 4, 3, 20));
    pen_model *one = keep(fit_sample("tr-fsda alpha=0 neighbors=1000", &s)),
              *other = keep(fit_sample("tr_fsda alpha=0 graph=heat", &s));
    (void)state;
    check_same_bits(one, other, "tr-fsda alpha=0");
    CHECK(pen_model_dim(one) == 2, "%lld dimensions, one less than classes are usual",
          (long long)pen_model_dim(one));
}

static void errors(void **state)
{
    static const refused values[] = {
        { "alpha", "-0.5", "alpha" },      { "ridge", "0", "ridge" },
        { "neighbors", "0", "neighbors" }, { "heat", "0", "heat" },
        { "graph", "dense", "dense" },
    };
    pen_rng rng = check_rng(4206);
    sample s = keep(sample_random(&rng, 30, 4, 3, 12)),
           equal = keep(sample_random(&rng, 30, 4, 3, 12));
    pen_error err;
    (void)state;

    check_rank("tr-fsda", &s, 4);
    for (int64_t i = 0; i < 120; i++) /* the classes coincide: all columns are equally good */
        equal.x[i] = equal.y[i / 4] >= 0 ? 1 : equal.x[i];
    const pen_data equal_data = sample_data(&equal);
    pen_model *model = NULL;
    const pen_status status = fit_status("tr-fsda alpha=0", &equal_data, &model, &err);
    CHECK(status == PEN_RANK_TOO_SMALL || status == PEN_SINGULAR_SCATTER || status == PEN_BAD_DATA,
          "%d %s", (int)status, status ? err.message : "arbitrary columns");

    check_refused("tr-fsda graph=heat heat=auto dim=auto", values, COUNT_OF(values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),           cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(ratio_is_largest), cmocka_unit_test(ratio_falls),
        cmocka_unit_test(small_ratios),     cmocka_unit_test(without_graph),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
