/* test_sparse.c - every method on sparse rows: equal to dense rows within 1e-10, the same bits for
 * any number of threads and in any batch, and printed numbers of twelve digits. */
#include "core/run.h"
#include "kit/compared.h"
#include "kit/oracle_fit.h"
#include "kit/dense.h"
#include "eval/choose/select.h"
#include "kit/embedded.h"
#include "kit/sparse_sample.h"

#include <stdio.h>

/* Iterations may stop at different steps. */
static const double TOLERANCE = 1e-10, ITERATED = 1e-8;

static const char *const zeros_names[] = { "no zeros stored", "some zeros stored",
                                           "all zeros stored" };

static pen_data data_of(const sample *s, const pen_array *x)
{
    pen_data data = sample_data(s);
    data.x = *x;
    return data;
}

/* A model embeds sparse rows as dense ones, with the same classes and probabilities. */
static void check_rows(const pen_model *model, const pen_array *dense, const pen_array *sparse,
                       const char *what)
{
    const int64_t n = dense->rows, c = pen_model_class_count(model);
    double *const z = embedded(model, dense), *const of_sparse = embedded(model, sparse),
                  *const p = zeros(2 * n * c);
    pen_error err;

    check_all_close(what, n * pen_model_dim(model), of_sparse, z, 1e-12);
    const pen_status right = pen_predict(model, dense, NULL, NULL, p, NULL, &err);
    CHECK_STATUS(pen_predict(model, sparse, NULL, NULL, p + n * c, NULL, &err), right, NULL, &err);
    if (right == PEN_OK)
        check_all_close(what, n * c, p + n * c, p, 1e-8);
}

/* True if eigenvalues define the span of the first j + 1 of k columns. */
static int is_apart(int64_t k, const double *e, int64_t j)
{
    return j + 1 == k || fabs(e[j] - e[j + 1]) > 1e-3 * dense_largest(k, e, 1);
}

/* Compares eigenvalues and, where gaps define them, the spans of the first columns. */
static void check_spans(const pen_model *model, const pen_model *right, const char *what)
{
    const int64_t d = pen_model_columns(right), k = pen_model_dim(right);
    const double *const e = model_values(right, "eigenvalues");

    check_all_close(what, k, model_values(model, "eigenvalues"), e, TOLERANCE);
    for (int64_t j = 0; j < k; j++) {
        if (!is_apart(k, e, j))
            continue;
        const double apart = check_subspaces(d, j + 1, model_values(model, "projection"), k,
                                             model_values(right, "projection"), k);
        CHECK(apart <= TOLERANCE, "%s: the spans of the first %lld columns are %.3g apart", what,
              (long long)j + 1, apart);
    }
}

/* The same by embedded rows, for kernels: the order of landmarks may differ. */
static void check_spans_of_rows(const pen_model *model, const pen_model *right,
                                const pen_array *dense, const pen_array *sparse, const char *what)
{
    const int64_t n = dense->rows, k = pen_model_dim(right);
    const double *const e = model_values(right, "eigenvalues");
    double *const z = embedded(right, dense), *const of_sparse = embedded(model, sparse);

    for (int64_t j = 0; j < pen_min(k, 5); j++) {
        if (!is_apart(k, e, j))
            continue;
        const double apart = check_subspaces(n, j + 1, z, k, of_sparse, k);
        CHECK(apart <= 1e-9, "%s: the spans of the first %lld dimensions are %.3g apart", what,
              (long long)j + 1, apart);
    }
}

static void compare_to(const char *text, const sample *s, pen_dtype type, enum zeros stored,
                       double of_columns)
{
    char what[160];
    pen_array x = recast(s, type, 0), sparse = sparse_of(&x, stored);
    const pen_data dense_data = data_of(s, &x), sparse_data = data_of(s, &sparse);
    pen_model *dense, *model;
    pen_error dense_err, err;

    snprintf(what, sizeof what, "%s, %lld x %lld, type %d, %s", text, (long long)s->n,
             (long long)s->d, (int)type, zeros_names[stored]);
    const pen_status right = fit_status(text, &dense_data, &dense, &dense_err),
                     status = fit_status(text, &sparse_data, &model, &err);
    CHECK(status == right, "%s: status %d (%s), dense %d (%s)", what, (int)status,
          status ? err.message : "", (int)right, right ? dense_err.message : "");
    if (status == PEN_OK) {
        CHECK(pen_model_dim(model) == pen_model_dim(dense), "%s: %lld dimensions, dense %lld", what,
              (long long)pen_model_dim(model), (long long)pen_model_dim(dense));
        if (strstr(text, "kernel=")) {
            check_spans_of_rows(model, dense, &x, &sparse, what);
        } else {
            if (model_values(dense, "eigenvalues"))
                check_spans(model, dense, what);
            else
                check_all_close(what, s->d * pen_model_dim(dense),
                                model_values(model, "projection"),
                                model_values(dense, "projection"), of_columns);
            check_all_close(what, s->d, model_values(model, "mean"), model_values(dense, "mean"),
                            1e-14);
        }
        check_rows(model, &x, &sparse, what);
    }
}

static void compare(const char *text, const sample *s, pen_dtype type, enum zeros stored)
{
    compare_to(text, s, type, stored, ITERATED);
}

TEST(every_method)
{
    pen_rng rng = check_rng(2001);
    sample golden = sparse_golden(), narrow = sparse_random(&rng, 150, 24, 3, 60),
           wide = sparse_random(&rng, 40, 90, 3, 24);

    for (int64_t m = 0; pen_method_at(m); m++) {
        const char *const name = pen_method_at(m)->name;
        if (check_in_turn(m, 3))
            compare_to(name, &golden, PEN_F64, NO_ZEROS, TOLERANCE);
        if (check_in_turn(m + 1, 3))
            compare(name, &narrow, PEN_F64, SOME_ZEROS);
        if (check_in_turn(m + 2, 3))
            compare(name, &wide, PEN_F32, NO_ZEROS);
    }
}

/* The numbers of a file in the folder PENUMBRA_DATA/ssl9_text_csr. */
static double *numbers_of(const char *folder, const char *name, int64_t *count)
{
    char path[512];
    pen_table *table;
    pen_error err;

    snprintf(path, sizeof path, "%s/ssl9_text_csr/%s.npy", folder, name);
    CHECK_OK(pen_read(path, NULL, &table, &err), &err);
    CHECK(table->x.dtype == PEN_F64 && table->x.stride == table->x.cols, "%s: wrong type", path);
    *count = table->x.rows * table->x.cols;
    double *const numbers = dense_copy(*count, table->x.values);
    pen_table_free(table);
    return numbers;
}

/* 1500 documents of the semi-supervised learning book: 11960 words, 78440 entries. */
TEST(documents)
{
    const char *const folder = getenv("PENUMBRA_DATA");
    static const char *const texts[] = { "pca", "self total=covariance beta=0.5",
                                         "self total=covariance beta=0.5 pca=20" };
    static const double right[][3] = {
        { 19.9621748358, 11.629052173, 9.57439428494 },
        { 1.48127101323, 0.499093064024, 0.47016573292 },
        { 1.07429937716, 0.599959253585, 0.438862978712 },
    };

    if (!folder || !*folder) {
        print_message("skipped: PENUMBRA_DATA is not set\n");
        return;
    }
    int64_t n, entries, kept, starts_count;
    double *const y = numbers_of(folder, "y", &n),
                  *const values = numbers_of(folder, "values", &entries),
                  *const of_starts = numbers_of(folder, "indptr", &starts_count),
                  *const indices = numbers_of(folder, "indices", &entries),
                  *const rows = numbers_of(folder, "splits_labeled100", &kept), sum = 0;
    int64_t *const starts = check_allocate(n + 1, sizeof *starts), *const index = check_allocate(
                                                                       n, sizeof *index);
    int32_t *const columns = check_allocate(entries, sizeof *columns);
    int32_t *const labels = check_allocate(n, sizeof *labels);
    double *const distance = check_allocate(n, sizeof *distance);
    pen_error err;

    for (int64_t i = 0; i <= n; i++)
        starts[i] = (int64_t)of_starts[i];
    for (int64_t e = 0; e < entries; e++)
        columns[e] = (int32_t)indices[e];
    for (int64_t i = 0; i < n; i++)
        labels[i] = PEN_UNLABELLED;
    for (int64_t i = 0; i < 100; i++) /* the first split */
        labels[(int64_t)rows[i]] = (int32_t)y[(int64_t)rows[i]];
    const pen_data data = { .x = pen_csr(values, PEN_F64, starts, columns, n, 11960),
                            .labels = labels };
    for (int t = 0; t < COUNT_OF(texts); t++) {
        if (!check_in_turn(t + 1, 2))
            continue;
        pen_model *const model = fit_data(texts[t], &data);
        const int64_t k = pen_model_dim(model);
        for (int j = 0; j < 3; j++)
            CHECK(fabs(model_values(model, "eigenvalues")[j] - right[t][j]) <= 5e-12 * right[t][j],
                  "%s: eigenvalue %d is %.17g, expected %.12g", texts[t], j,
                  model_values(model, "eigenvalues")[j], right[t][j]);
        sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += model_values(model, "eigenvalues")[j];
        CHECK(t > 0 || fabs(sum - 1474.73986583) < 1e-8, "trace %.12g", sum);
    }
    CHECK_OK(pen_neighbors(&data.x, NULL, 1, NULL, index, distance, &err), &err);
    sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += distance[i] * distance[i];
    CHECK(fabs(sum - 1782.81178695) < 1e-8, "sum of squared nearest distances %.12g", sum);
}

/* Rows in a batch of another order, and each row alone. */
static void check_batches(const pen_model *model, const pen_array *sparse, const char *what)
{
    const int64_t n = sparse->rows, k = pen_model_dim(model);
    double *const z = zeros(n * k), *const other = zeros(n * k);
    pen_error err;

    CHECK_OK(pen_transform(model, sparse, NULL, PEN_F64, z, k, &err), &err);
    for (int threads = 1; threads <= 4; threads *= 2) {
        const pen_control control = { .threads = threads };
        CHECK_OK(pen_transform(model, sparse, &control, PEN_F64, other, k, &err), &err);
        CHECK(memcmp(z, other, (size_t)(n * k) * 8) == 0, "%s: bits differ with %d threads", what,
              threads);
    }
    for (int64_t i = 0; i < n; i++) {
        const int64_t first = sparse->starts[i], starts[2] = { 0, sparse->starts[i + 1] - first };
        const size_t item = sparse->dtype == PEN_F64 ? 8 : sparse->dtype == PEN_F32 ? 4 : 1;
        const pen_array row =
            pen_csr((const char *)sparse->values + (size_t)first * item, sparse->dtype, starts,
                    sparse->columns + first, 1, sparse->cols);
        CHECK_OK(pen_transform(model, &row, NULL, PEN_F64, other, k, &err), &err);
        CHECK(memcmp(z + i * k, other, (size_t)k * 8) == 0, "%s: bits of row %lld alone differ",
              what, (long long)i);
    }
}

static void check_threads(const char *text, const sample *s, pen_dtype type)
{
    pen_array x = recast(s, type, 0), sparse = sparse_of(&x, SOME_ZEROS);
    const pen_data data = data_of(s, &sparse);
    pen_spec *const spec = spec_of(text);
    pen_model *first = NULL;
    pen_error err;

    for (int threads = 1; threads <= 4; threads *= 2) {
        const pen_control control = { .threads = threads };
        pen_model *model;
        CHECK_OK(pen_fit(spec, &data, &control, &model, &err), &err);
        keep_model(model);
        if (first) {
            check_same_model(model, first, text);
        } else {
            first = model;
        }
    }
    check_batches(first, &sparse, text);
}

TEST(same_bits)
{
    static const char *const texts[] = {
        "pca", "self beta=0.5", "fda ridge=1 row_steps=l2", "self beta=0.5 scale=standard",
        "sda", "pca pca=5"
    };
    pen_rng rng = check_rng(2002);
    sample narrow = sparse_random(&rng, 600, 40, 3, 90),
           wide = sparse_random(&rng, 120, 500, 3, 60);

    for (int type = PEN_F64; type <= PEN_U8; type++)
        for (int64_t t = 0; t < COUNT_OF(texts); t++) {
            if (check_in_turn(type + t, 3))
                check_threads(texts[t], &narrow, (pen_dtype)type);
            if (check_in_turn(type + t + 1, 3))
                check_threads(texts[t], &wide, (pen_dtype)type);
        }
}

/* Empty rows and columns, one entry, all values stored, and parameters that all methods share. */
TEST(unusual)
{
    const text_list texts = text_list_of(
        "pca row_steps=l2; self scale=standard; self scale=minmax beta=0.3; lfda pca=rank; "
        "pca kernel=rbf; sda kernel=cosine; pca row_steps=l2 scale=standard; lpp graph=dense");
    pen_rng rng = check_rng(2003);
    sample one = sample_new(8, 5), full = sample_random(&rng, 70, 6, 3, 40),
           mixed = sparse_random(&rng, 90, 20, 3, 50), wide = sparse_random(&rng, 30, 70, 3, 20);

    one.x[3 * 5 + 2] = 4;
    compare("pca", &one, PEN_F64, NO_ZEROS);
    one.x[3 * 5 + 2] = 0;
    compare("pca", &one, PEN_F64, NO_ZEROS);
    compare("pca", &one, PEN_F64, ALL_ZEROS);
    for (int64_t i = 0; i < full.n * full.d; i++)
        full.x[i] += 1e6; /* means far from 0 compared with the deviations */
    for (int64_t t = 0; t < texts.count; t++)
        for (int type = PEN_F64; type <= PEN_U8; type++) {
            compare(texts.text[t], &mixed, (pen_dtype)type, (enum zeros)(t % 3));
            compare(texts.text[t], &wide, (pen_dtype)type, (enum zeros)(t % 3));
        }
    compare("self beta=0.5", &full, PEN_F64, NO_ZEROS);
    compare("pca", &full, PEN_F64, NO_ZEROS);
}

/* Results of these calls that do not depend on time: numbers that must be equal, and numbers that
 * differ by rounding. Returns the number of suggestions. */
static int64_t ask(const pen_data *data, double same[9], double rounded[4])
{
    const pen_protocol protocol = { .folds = 3, .runs = 1 };
    const pen_trials trials = { .folds = 3, .runs = 1, .effort = 1 },
                     inductive = { .folds = 3, .runs = 1, .inductive = 1 };
    static const char *const names[] = { "sda", "pca" };
    const int64_t dims[] = { 1, 2 };
    pen_spec *const spec = spec_of("fda ridge=0.1"), *const open = spec_of("pca");
    pen_model *const model = fit_data("fda ridge=0.1", data);
    pen_suggestion suggested[3] = { { 0 } };
    pen_comparison *compared;
    struct scores scores;
    pen_tuning *tuned;
    int64_t count;
    pen_error err;

    CHECK_OK(evaluate(spec, data, &inductive, dims, 2, NULL, &scores, &err), &err);
    memcpy(same, scores.accuracy, 6 * sizeof *same);
    CHECK_OK(tune(open, data, &protocol, NULL, &tuned, &err), &err);
    same[6] = tuned->candidates[0].score + (double)tuned->candidates[0].dim;
    pen_tuning_free(tuned);
    CHECK_OK(compare_named(names, COUNT_OF(names), data, &trials, NULL, &compared, &err), &err);
    same[7] = compared->candidates[0].score;
    pen_selection *const chosen = select_data("auto seed=1", data, 1);
    rounded[0] = chosen->candidates[chosen->best].score;
    same[8] = (double)chosen->best;
    CHECK_OK(pen_suggest(model, &(pen_data){ .x = data->x, .labels = data->labels }, 3, NULL,
                         suggested, &count, &err),
             &err);
    for (int i = 0; i < 3; i++) /* rows may be equally good */
        rounded[1 + i] = suggested[i].share;
    return count;
}

/* Trials, tuning, comparisons, choices and suggestions. */
TEST(calls_with_fits)
{
    pen_rng rng = check_rng(2004);
    sample s = sparse_random(&rng, 90, 130, 3, 60);
    const pen_data dense_data = sample_data(&s);
    pen_array sparse = sparse_of(&dense_data.x, NO_ZEROS);
    const pen_data sparse_data = data_of(&s, &sparse);
    double right[9], found[9], rounded[2][4];
    const int64_t suggestions = ask(&dense_data, right, rounded[0]);

    assert_int_equal(suggestions, 3);
    assert_int_equal(ask(&sparse_data, found, rounded[1]), suggestions);
    check_all_close("trials", 9, found, right, 0);
    CHECK_CLOSE(rounded[1][0], rounded[0][0], 0, 1e-9);
    check_all_close("suggestions", 3, rounded[1] + 1, rounded[0] + 1, 1e-6);
}

/* Stored zeros change no bit of an embedding or a fit: neighbors after components. */
TEST(stored_zeros)
{
    pen_rng rng = check_rng(2018);
    static const char *const texts[] = { "pca dim=5", "pca dim=5 row_steps=l2",
                                         "soda pca=6 neighbors=3", "lpp pca=6 dim=3" };

    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        sample s = sparse_random(&rng, 90, 20, 3, 30);
        for (int64_t i = 0; i < s.n; i += 3) /* rows of zeros are equal */
            memset(s.x + i * s.d, 0, (size_t)s.d * sizeof *s.x);
        const pen_array dense = pen_dense(s.x, PEN_F64, s.n, s.d, s.d);
        pen_array plain = sparse_of(&dense, NO_ZEROS);
        const pen_data data = data_of(&s, &plain);
        pen_model *const model = fit_data(texts[t], &data);
        double *const right = embedded(model, &plain);
        for (enum zeros stored = NO_ZEROS; stored <= ALL_ZEROS; stored++) {
            pen_array x = sparse_of(&dense, stored);
            double *const z = embedded(model, &x);
            CHECK(memcmp(z, right, (size_t)(s.n * pen_model_dim(model)) * sizeof *z) == 0,
                  "%s, %s: bits differ", texts[t], zeros_names[stored]);
            compare(texts[t], &s, PEN_F64, stored);
        }
    }
}
