/* test_projection.c - the projection learned from probabilities: its choice against a literal
 * version, and its requirements. */
#include "kit/check_fit.h"

#include "core/rng.h"
#include "eval/choose/projection.h"
#include "eval/trials/sample_rows.h"
#include "model/model.h"
#include "solve/class_columns.h"

#include <string.h>

enum { N = 130, D = 20, C = 3, VOTES = 4, FOLDS = 5, SPLIT_TAG = 6000 };

typedef struct rows {
    double x[N * D], p[N * C];
    int32_t labels[N];
} rows;

/* Classes with several clusters differ in some columns; p is mostly right. */
static void make(uint64_t tag, rows *r)
{
    pen_rng rng = check_rng(tag);

    for (int64_t i = 0; i < N; i++) {
        const int64_t truth = i % C;
        double sum = 0;
        for (int64_t j = 0; j < D; j++)
            r->x[i * D + j] = check_normal(&rng) * (j < 4 ? 3 : 0.7)
                              + (j == 4 + truth ? (i % 2 ? 2.0 : -2.0) : 0) + (j == 8 + truth);
        for (int64_t c = 0; c < C; c++)
            sum += r->p[i * C + c] = exp(check_normal(&rng) + (c == truth ? 2.5 : 0));
        for (int64_t c = 0; c < C; c++)
            r->p[i * C + c] /= sum;
        r->labels[i] = i < 9 ? (int32_t)truth : PEN_UNLABELLED;
        for (int64_t c = 0; c < C && i < 9; c++)
            r->p[i * C + c] = c == truth;
    }
}

static pen_data data_of(const rows *r)
{
    return (pen_data){ .x = pen_dense(r->x, PEN_F64, N, D, D), .labels = r->labels };
}

static pen_status learn(const rows *r, const char *wanted, int threads, pen_model **out,
                        pen_error *err)
{
    const pen_control control = { .threads = threads };
    const pen_data data = data_of(r);
    const pen_projection_rows rows_of = { .data = &data, .p = r->p };
    pen_spec *const spec = spec_of(wanted);

    *out = NULL;
    CHECK_OK(pen_spec_set_number(spec, "seed", 5, err), err);
    pen_run *const run = check_run(threads, err);
    const pen_status status = pen_projection_learn(run, &rows_of, spec, &control, out);
    pen_run_close(run);
    return status;
}

static pen_model *learned(const rows *r, const char *wanted, int threads)
{
    pen_model *model;
    pen_error err;

    CHECK_OK(learn(r, wanted, threads, &model, &err), &err);
    return keep_model(model);
}

static int largest(const double *p)
{
    return p[0] >= p[1] && p[0] >= p[2] ? 0 : p[1] >= p[2] ? 1 : 2;
}

struct literal {
    double z[N * D], variance[D];
    int64_t in[FOLDS][N], count[FOLDS], out[FOLDS][N], left[FOLDS];
};

/* The rows in principal components, and the folds. */
static void open_literal(const rows *r, struct literal *l)
{
    const pen_data data = data_of(r);
    pen_rng rng = { pen_rng_derive(5, SPLIT_TAG) };
    int64_t *order, turn[N];
    pen_spec *spec;
    pen_model *pca;
    pen_error err;

    memset(l, 0, sizeof *l);
    CHECK_OK(pen_spec_new("pca", &spec, &err), &err);
    CHECK_OK(pen_spec_set_number(spec, "dim", D, &err), &err);
    CHECK_OK(pen_fit(spec, &data, NULL, &pca, &err), &err);
    CHECK_OK(pen_transform(pca, &data.x, NULL, PEN_F64, l->z, D, &err), &err);
    for (int64_t i = 0; i < N * D; i++)
        l->variance[i % D] += l->z[i] * l->z[i] / N;
    pen_run *const run = check_run(0, &err);
    CHECK_OK(pen_data_order(run, &data, &order), &err);
    pen_rng_permutation(&rng, N, turn);
    for (int64_t i = 0; i < N; i++)
        for (int f = 0; f < FOLDS; f++)
            if (i % FOLDS == f)
                l->out[f][l->left[f]++] = order[turn[i]];
            else
                l->in[f][l->count[f]++] = order[turn[i]];
    pen_run_close(run);
    pen_model_free(pca), pen_spec_free(spec);
}

static double distance2(const struct literal *l, int64_t a, int64_t b, const double *W, int64_t k)
{
    double sum = 0;

    for (int64_t c = 0; c < k; c++) {
        double along = 0;
        for (int64_t j = 0; j < D; j++)
            along += W[c * D + j] * (l->z[a * D + j] - l->z[b * D + j]);
        sum += along * along;
    }
    return sum;
}

static const int64_t votes[VOTES] = { 1, 5, 10, 20 };

/* Counts the held-out rows whose class, by that many nearest rows of the other folds, is the one of
 * p: adds to same [VOTES]. */
static void add_agreement(const rows *r, const struct literal *l, double ridge, int64_t k,
                          int64_t *same)
{
    for (int h = 0; h < FOLDS; h++) {
        pen_class_means means;
        double W[D * D];
        pen_error err;
        int64_t found;
        pen_run *const run = check_run(0, &err);
        CHECK_OK(
            pen_class_means_find(run, l->count[h], l->in[h], l->z, r->p, D, C, l->variance, &means),
            &err);
        CHECK_OK(pen_class_columns(run, &means, ridge, k, W, &found), &err);
        pen_run_close(run);
        for (int64_t i = 0; i < l->left[h]; i++) {
            const int64_t row = l->out[h][i];
            double sum[C] = { 0 }, far[N];
            for (int64_t j = 0; j < l->count[h]; j++)
                far[j] = distance2(l, row, l->in[h][j], W, k);
            for (int64_t v = 1, w = 0; w < VOTES; v++) {
                int64_t best = 0;
                for (int64_t j = 1; j < l->count[h]; j++)
                    best = far[j] < far[best] ? j : best;
                far[best] = INFINITY;
                for (int64_t c = 0; c < C; c++)
                    sum[c] += r->p[l->in[h][best] * C + c];
                if (v == votes[w])
                    same[w++] += largest(sum) == largest(r->p + row * C);
            }
        }
    }
}

TEST(the_choice_agrees_best)
{
    enum { RIDGES = 7, WIDTHS = 3, EACH = RIDGES * VOTES };
    static const double ridges[] = { 0.01, 0.03, 0.1, 0.3, 1, 3, 1000 };
    static const int64_t widths[] = { 2, 15, 20 };
    struct literal l;
    rows r;
    for (uint64_t tag = 1; tag <= 2; tag++) {
        int64_t same[WIDTHS * EACH] = { 0 }, own[VOTES] = { 0 }, most = 0, best = -1, k = 0;
        make(tag, &r);
        open_literal(&r, &l);
        for (int i = 0; i < WIDTHS * RIDGES; i++)
            add_agreement(&r, &l, ridges[i % RIDGES], widths[i / RIDGES], same + i * VOTES);
        for (int i = 0; i < WIDTHS * EACH; i++)
            most = pen_max(most, same[i]);
        for (int w = 0; w < WIDTHS && best < 0; w++) /* the fewest columns */
            for (int i = w * EACH; i < (w + 1) * EACH; i++)
                if ((double)same[i] >= (double)most - 0.005 * N && same[i] > best) {
                    best = same[i];
                    k = widths[w];
                }
        pen_model *const model = learned(&r, "auto", 1);
        assert_int_equal(pen_model_dim(model), k);
        CHECK_CLOSE(model_number(model, "info.agreement"), (double)best / N, 1e-12, 0);
        add_agreement(&r, &l, model_number(model, "info.ridge"), k, own);
        for (int v = 0; v < VOTES; v++)
            CHECK(votes[v] != (int64_t)model_number(model, "info.neighbors") || own[v] == best,
                  "ridge %g and %g votes agree with fewer rows", model_number(model, "info.ridge"),
                  model_number(model, "info.neighbors"));
    }
}

/* For any options the model is linear and predicts classes; threads do not matter. */
TEST(options)
{
    const text_list wanted = text_list_of(
        "auto: dim=1; dim=7; dim=20; classifier=lda; classifier=means; classifier=logistic; "
        "classifier=nearest");
    rows r;
    make(3, &r);
    const pen_data data = data_of(&r);
    for (int64_t i = 0; i < wanted.count; i++) {
        pen_model *const model = learned(&r, wanted.text[i], 1), *const same =
                                                                     learned(&r, wanted.text[i], 3);
        const int64_t k = pen_model_dim(model);
        int32_t told[2][N];
        double p[2][N * C];
        pen_error err;
        const char *const dim = strstr(wanted.text[i], "dim="), *const classifier = strstr(
                                                                    wanted.text[i], "classifier=");
        if (dim)
            assert_int_equal(k, atoi(dim + 4));
        assert_string_equal(model_text(model, "method"), "auto");
        assert_string_equal(model_text(model, "classifier"),
                            classifier ? classifier + 11 : "neighbors");
        CHECK(pen_model_tensor(model, "picture").rows == (k > 1 ? k : 0), "picture of %d",
              (int)pen_model_tensor(model, "picture").rows);
        CHECK_OK(pen_predict(model, &data.x, NULL, told[0], p[0], NULL, &err), &err);
        CHECK_OK(pen_predict(same, &data.x, NULL, told[1], p[1], NULL, &err), &err);
        assert_memory_equal(p[0], p[1], sizeof p[0]);
        int right = 0;
        for (int64_t row = 0; row < N; row++)
            right += told[0][row] == largest(r.p + row * C);
        CHECK(right > N / 2, "%d of %d as p tells", right, N);
    }
    pen_model *none;
    pen_error err;
    CHECK_STATUS(learn(&r, "auto dim=21", 1, &none, &err), PEN_RANK_TOO_SMALL,
                 "dim must be at most 20, the rank of the rows, got 21", &err);
    pen_model_free(none);
}
