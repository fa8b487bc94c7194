/* test_gaps.c - a model stores how to fill missing values. A row with gaps gets the same bits as
 * the filled row from a model without gaps, whatever rows are around it; or it gets no answer, and
 * other rows do. */
#include "kit/check_fit.h"
#include "kit/joined.h"
#include "model/model.h"

enum { N = 40, D = 6, EMPTY = 5, ROWS = 12, MOST = 64 };

static const char *const ways[] = {
    "fda ridge=0.1 classifier=lda",
    "pca dim=3 row_steps=l2 classifier=nearest",
    "pca dim=2 row_steps=total:100,log1p,select:4 classifier=means",
    "sda kernel=rbf kernel_landmarks=10 classifier=neighbors",
    "fda ridge=0.1 kernel=linear row_steps=select:4,l2 classifier=logistic",
    "fme",
};

/* Positive labelled rows. No row has a value in the last column: 0. */
static sample rows_of_fit(uint64_t tag, double fill[D])
{
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, N, D, 3, 30);

    for (int64_t j = 0; j < D; j++) {
        fill[j] = 0;
        for (int64_t i = 0; i < N; i++) {
            s.x[i * D + j] = j == EMPTY ? 0 : fabs(s.x[i * D + j]) + 1;
            fill[j] += s.x[i * D + j] / N;
        }
    }
    fill[EMPTY] = (double)NAN;
    return s;
}

/* New rows with gaps, and the same rows filled. */
static void new_rows(pen_rng *rng, const double fill[D], sample *gaps, sample *filled)
{
    *gaps = sample_new(ROWS, D);
    *filled = sample_new(ROWS, D);
    for (int64_t e = 0; e < ROWS * D; e++) {
        const double value = 1 + (double)pen_rng_below(rng, 64) / 8;
        const int gap = pen_rng_below(rng, 3) == 0 && e / D % 3;
        gaps->x[e] = gap ? (double)NAN : value;
        filled->x[e] = e % D == EMPTY ? 0 : gap ? fill[e % D] : value;
    }
}

/* Uses the model's file, as users do. */
static pen_model *fit_with(const char *way, const sample *s, pen_missing missing,
                           const double *fill)
{
    pen_data data = sample_data(s);
    pen_model *made, *read;
    void *bytes;
    size_t size;
    pen_error err;

    data.drop_missing = missing == PEN_MISSING_DROP;
    data.fill = fill;
    made = fit_data(way, &data);
    CHECK_OK(pen_model_to_bytes(made, &bytes, &size, &err), &err);
    CHECK_OK(pen_model_from_bytes(bytes, size, &read, &err), &err);
    CHECK(read->missing == missing, "%s: the file does not store the treatment", way);
    pen_free(bytes);
    return keep_model(read);
}

typedef struct answer {
    double z[ROWS * MOST], p[ROWS * 3];
    int32_t of[ROWS];
} answer;

/* Rows 0 and 3 have no gaps, and they differ, unlike rows of zeros. */
static void ask(const pen_model *model, const pen_array *x, answer *out)
{
    pen_error err;

    CHECK_OK(pen_transform(model, x, NULL, PEN_F64, out->z, MOST, &err), &err);
    CHECK_OK(pen_predict(model, x, NULL, out->of, out->p, NULL, &err), &err);
    CHECK(x->rows == 1 || memcmp(out->z, out->z + 3 * MOST, sizeof *out->z) != 0,
          "rows have the same embedding");
    CHECK(fabs(out->p[0] + out->p[1] + out->p[2] - 1) < 1e-9, "probabilities do not sum to 1");
}

/* Row i of one result equals row j of the other, bit for bit. */
static void check_row(const char *what, const pen_model *model, const answer *a, int64_t i,
                      const answer *b, int64_t j)
{
    const size_t k = (size_t)pen_model_dim(model);

    CHECK(memcmp(a->z + i * MOST, b->z + j * MOST, k * sizeof *a->z) == 0
              && memcmp(a->p + i * 3, b->p + j * 3, 3 * sizeof *a->p) == 0 && a->of[i] == b->of[j],
          "%s: row %lld is %.17g .., not %.17g ..", what, (long long)i, a->z[i * MOST],
          b->z[j * MOST]);
}

TEST(filled_by_the_means_of_the_fit)
{
    for (int64_t w = 0; w < COUNT_OF(ways); w++) {
        double fill[D];
        sample s = rows_of_fit((uint64_t)w, fill), gaps, filled;
        pen_rng rng = check_rng(100 + (uint64_t)w);
        pen_model *const model = fit_with(ways[w], &s, PEN_MISSING_MEAN, fill),
                         *const plain = fit_with(ways[w], &s, PEN_MISSING_ERROR, NULL);
        static answer found, right, some;
        pen_error err;
        new_rows(&rng, fill, &gaps, &filled);
        const pen_array x = pen_dense(gaps.x, PEN_F64, ROWS, D, D),
                        by_hand = pen_dense(filled.x, PEN_F64, ROWS, D, D);
        ask(model, &x, &found);
        ask(plain, &by_hand, &right);
        for (int64_t i = 0; i < ROWS; i++) {
            const pen_array alone = pen_dense(gaps.x + i * D, PEN_F64, 1, D, D);
            check_row(ways[w], model, &found, i, &right, i);
            ask(model, &alone, &some);
            check_row("alone", model, &some, 0, &right, i);
        }
        /* reversed, with a column stride, and all values of sparse rows */
        const pen_array back = { .dtype = PEN_F64,
                                 .values = gaps.x + (ROWS - 1) * D,
                                 .rows = ROWS,
                                 .cols = D,
                                 .stride = -D,
                                 .step = 1 };
        ask(model, &back, &some);
        for (int64_t i = 0; i < ROWS; i++)
            check_row("backwards", model, &some, i, &right, ROWS - 1 - i);
        int64_t starts[ROWS + 1];
        int32_t columns[ROWS * D];
        for (int64_t e = 0; e <= ROWS * D; e += D)
            starts[e / D] = e;
        for (int32_t e = 0; e < ROWS * D; e++)
            columns[e] = e % D;
        const pen_array sparse = pen_csr(gaps.x, PEN_F64, starts, columns, ROWS, D),
                        other = pen_csr(filled.x, PEN_F64, starts, columns, ROWS, D);
        ask(model, &sparse, &found);
        ask(plain, &other, &right);
        for (int64_t i = 0; i < ROWS; i++)
            check_row("sparse", model, &found, i, &right, i);
        CHECK_STATUS(pen_transform(plain, &x, NULL, PEN_F64, found.z, MOST, &err), PEN_NOT_FINITE,
                     "NaN at row 1", &err);
        pen_data both = sample_data(&s);
        pen_model *none;
        both.fill = fill;
        both.drop_missing = 1;
        CHECK_STATUS(fit_status(ways[w], &both, &none, &err), PEN_BAD_ARGUMENT,
                     "fill must be NULL if drop_missing is set", &err);
    }
}

TEST(rows_with_gaps_are_not_answered)
{
    for (int64_t w = 0; w < COUNT_OF(ways); w++) {
        double fill[D];
        sample s = rows_of_fit((uint64_t)w, fill), gaps, filled;
        pen_rng rng = check_rng(200 + (uint64_t)w);
        pen_model *const model = fit_with(ways[w], &s, PEN_MISSING_DROP, NULL),
                         *const plain = fit_with(ways[w], &s, PEN_MISSING_ERROR, NULL);
        static answer found, right;
        new_rows(&rng, fill, &gaps, &filled);
        const pen_array x = pen_dense(gaps.x, PEN_F64, ROWS, D, D);
        ask(model, &x, &found);
        for (int64_t i = 0; i < ROWS; i++) {
            const pen_array alone = pen_dense(gaps.x + i * D, PEN_F64, 1, D, D);
            if (all_finite(D, gaps.x + i * D)) {
                ask(plain, &alone, &right);
                check_row(ways[w], model, &found, i, &right, 0);
                continue;
            }
            CHECK(found.of[i] == PEN_UNLABELLED && isnan(found.p[i * 3 + 2])
                      && isnan(found.z[i * MOST])
                      && isnan(found.z[i * MOST + pen_model_dim(model) - 1]),
                  "%s: row %lld has a result", ways[w], (long long)i);
        }
    }
}

/* Ensembles also fill, and a model of an embedding fills as the first model does. */
TEST(models_of_models)
{
    double fill[D];
    sample s = rows_of_fit(7, fill), gaps, filled;
    pen_rng rng = check_rng(300);
    static answer found, right;
    pen_model *two[2][2], *both[2], *composed[2];
    pen_error err;
    new_rows(&rng, fill, &gaps, &filled);
    const pen_array x[] = { pen_dense(gaps.x, PEN_F64, ROWS, D, D),
                            pen_dense(filled.x, PEN_F64, ROWS, D, D) };
    for (int plain = 0; plain < 2; plain++) {
        const pen_missing missing = plain ? PEN_MISSING_ERROR : PEN_MISSING_MEAN;
        double z[N * 3];
        two[plain][0] = fit_with("pca dim=3 row_steps=l2", &s, missing, plain ? NULL : fill);
        two[plain][1] = fit_with("fda ridge=0.1", &s, missing, plain ? NULL : fill);
        both[plain] = joined((const pen_model *const *)two[plain], 2);
        const pen_array all = pen_dense(s.x, PEN_F64, N, D, D);
        CHECK_OK(pen_transform(two[plain][0], &all, NULL, PEN_F64, z, 3, &err), &err);
        pen_data data = sample_data(&s);
        data.x = pen_dense(z, PEN_F64, N, 3, 3);
        pen_model *const last = fit_data("fda ridge=0.1", &data);
        CHECK_OK(pen_model_compose(two[plain][0], last, &composed[plain], &err), &err);
        keep_model(composed[plain]);
    }
    ask(both[0], &x[0], &found), ask(both[1], &x[1], &right);
    for (int64_t i = 0; i < ROWS; i++)
        check_row("joined", both[0], &found, i, &right, i);
    ask(composed[0], &x[0], &found), ask(composed[1], &x[1], &right);
    for (int64_t i = 0; i < ROWS; i++)
        check_row("composed", composed[0], &found, i, &right, i);
}
