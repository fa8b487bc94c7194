/* test_predict.c - models that predict classes by biases: tensors and predictions. */
#include "kit/model_bytes.h"
#include "oracle/class_mass_oracle.h"

/* A file written by hand from docs/model-file.md, with these optional tensors. */
enum { D = 5, K = 4, CLASSES = 3, EIGENVALUES = 1, BIAS = 2, MASSES = 4, ROWS = 300 };
enum { AT_BIAS, AT_MEAN, AT_PROJECTION, AT_EIGENVALUES, AT_MASSES, TENSORS };
static struct {
    const char *name;
    int with, rows, cols;
    double values[D * K];
} tensors[TENSORS] = {
    { "bias", BIAS, CLASSES, 0, { 0 } },
    { "mean", 0, D, 0, { 0 } },
    { "projection", 0, D, K, { 0 } },
    { "eigenvalues", EIGENVALUES, K, 0, { 0 } },
    { "class_mass", MASSES, 2, CLASSES, { 20, 3, 0.5, 0.5, 0.3, 0.2 } },
};
static double x[ROWS * D];
static pen_array rows;

static int set_up(void **state)
{
    pen_rng rng = check_rng(91);

    for (int t = 0; t < AT_MASSES; t++)
        for (int i = 0; i < D * K; i++)
            tensors[t].values[i] = check_normal(&rng);
    for (int i = 0; i < ROWS * D; i++)
        x[i] = check_normal(&rng);
    rows = pen_dense(x, PEN_F64, ROWS, D, D);
    return 0;
}

GROUP(set_up, NULL);

/* The header lists the tensors in another order than the data. */
static pen_model *hand_made(int with, const char *normalize)
{
    static const char *const formats[] = { "'1'", "'2','needs':'[`class_mass`]'" };
    double numbers[100];
    char header[1000];
    int at[TENSORS + 1] = { 0 };

    int used = snprintf(header, sizeof header,
                        "{'__metadata__':{'format':%s,'method':'hand-made','parameters':'{"
                        "`normalize`:`%s`}','info':'{`objective`:[3,2.5]}','class_names':'["
                        "`a`,`b`,`c`]'}",
                        formats[with & MASSES ? 1 : 0], normalize);
    for (int t = 0; t < TENSORS; t++) {
        const int there = (with & tensors[t].with) == tensors[t].with;
        at[t + 1] = at[t] + there * tensors[t].rows * (tensors[t].cols ? tensors[t].cols : 1);
        memcpy(numbers + at[t], tensors[t].values, (size_t)(at[t + 1] - at[t]) * sizeof *numbers);
    }
    for (int t = TENSORS - 1; t >= 0; t--) {
        char shape[20];
        snprintf(shape, sizeof shape, tensors[t].cols ? "%d,%d" : "%d", tensors[t].rows,
                 tensors[t].cols);
        if (at[t + 1] > at[t])
            used += snprintf(header + used, sizeof header - (size_t)used,
                             ",'%s':{'dtype':'F64','shape':[%s],'data_offsets':[%d,%d]}",
                             tensors[t].name, shape, 8 * at[t], 8 * at[t + 1]);
    }
    strcpy(header + used, "}");
    const model_file f = model_file_of(header, (size_t)at[TENSORS], numbers);
    pen_model *const model = model_file_read(&f);
    return model;
}

/* The model of its bytes. */
static pen_model *again(const pen_model *model)
{
    model_file f;
    f.bytes = model_bytes(model, &f.size);
    pen_model *const out = model_file_read(&f);
    return out;
}

/* With and without eigenvalues, biases and masses; existing ones are read, written, and read
 * back. */
TEST(tensors_are_optional)
{
    static const int kinds[] = { 0, EIGENVALUES, BIAS, EIGENVALUES | BIAS, BIAS | MASSES };

    for (int64_t i = 0; i < COUNT_OF(kinds); i++) {
        pen_model *const model = hand_made(kinds[i], "none"), *const both[] = { model,
                                                                                again(model) };
        for (int m = 0; m < 2; m++) {
            for (int t = 0; t < TENSORS; t++) {
                const pen_matrix found = pen_model_tensor(both[m], tensors[t].name);
                CHECK((found.values != NULL) == ((kinds[i] & tensors[t].with) == tensors[t].with),
                      "%s of kind %d: %p", tensors[t].name, kinds[i], (const void *)found.values);
                assert_true(!found.values
                            || memcmp(found.values, tensors[t].values,
                                      (size_t)(found.rows * found.cols) * sizeof(double))
                                   == 0);
            }
            assert_null(pen_model_tensor(both[m], "probabilities").values);
            assert_string_equal(model_text(both[m], "info"), "{\"objective\":[3,2.5]}");
        }
    }
}

static int first_largest(const double *a)
{
    int best = 0;
    for (int c = 1; c < CLASSES; c++)
        best = a[c] > a[best] ? c : best;
    return best;
}

/* The embedding of row i, plus the biases. */
static void score(const double *z, int i, double scores[CLASSES])
{
    for (int c = 0; c < CLASSES; c++)
        scores[c] = z[i * K + c] + tensors[AT_BIAS].values[c];
}

/* Classes and p of all rows; single rows have the same bits, and so do three threads, without p. */
static void predict(const pen_model *model, int32_t *classes, double *p)
{
    const pen_control three = { .threads = 3 };
    double alone[CLASSES];
    int32_t others[ROWS], one;
    pen_error err;

    CHECK_OK(pen_predict(model, &rows, NULL, classes, p, NULL, &err), &err);
    CHECK_OK(pen_predict(model, &rows, &three, others, NULL, NULL, &err), &err);
    assert_memory_equal(classes, others, sizeof others);
    for (int i = 0; i < ROWS; i++) {
        const pen_array row = pen_dense(x + i * D, PEN_F64, 1, D, D);
        CHECK_OK(pen_predict(model, &row, NULL, &one, alone, NULL, &err), &err);
        assert_int_equal(one, classes[i]);
        assert_memory_equal(alone, p + i * CLASSES, sizeof alone);
    }
}

/* Scores are the first dimensions of the embedding plus the biases; the class with the largest
 * score is predicted. */
TEST(scores_are_dimensions_and_biases)
{
    double p[ROWS * CLASSES], scores[CLASSES];
    int32_t classes[ROWS];
    int seen[CLASSES] = { 0 };

    for (int unit = 0; unit < 2; unit++) {
        pen_model *const model = hand_made(BIAS, unit ? "l2" : "none");
        double *const z = embedded(model, &rows);
        predict(model, classes, p);
        for (int i = 0; i < ROWS; i++) {
            score(z, i, scores);
            assert_memory_equal(p + i * CLASSES, scores, sizeof scores);
            assert_int_equal(classes[i], first_largest(scores));
            seen[classes[i]]++;
        }
    }
    CHECK(seen[0] && seen[1] && seen[2], "classes predicted: %d %d %d times", seen[0], seen[1],
          seen[2]);
}

/* Of equal scores, the first one wins. */
TEST(the_first_of_equal_scores_wins)
{
    static const double bias[] = { 1, 2, 2 }, rows_of_one[2 * D] = { [D] = 1 };
    const pen_array two = pen_dense(rows_of_one, PEN_F64, 2, D, D);
    char kept[sizeof tensors];
    int32_t classes[2];
    pen_error err;

    memcpy(kept, tensors, sizeof kept);
    memset(tensors[AT_MEAN].values, 0, sizeof tensors->values);
    memset(tensors[AT_PROJECTION].values, 0, sizeof tensors->values);
    tensors[AT_PROJECTION].values[0] = 1;
    memcpy(tensors[AT_BIAS].values, bias, sizeof bias);
    pen_model *const model = hand_made(BIAS, "none");
    CHECK_OK(pen_predict(model, &two, NULL, classes, NULL, NULL, &err), &err);
    assert_int_equal(classes[0], 1); /* scores 1, 2, 2 */
    assert_int_equal(classes[1], 0); /* scores 2, 2, 2 */
    memcpy(tensors, kept, sizeof kept);
}

/* Scores become probabilities, also after writing and reading. */
TEST(class_masses_give_probabilities)
{
    double p[ROWS * CLASSES], scores[CLASSES], right[CLASSES];
    int32_t classes[ROWS];
    int changed = 0;

    pen_model *const model = hand_made(BIAS | MASSES, "none"), *const other = again(model);
    double *const z = embedded(model, &rows);
    predict(other, classes, p);
    for (int i = 0; i < ROWS; i++) {
        score(z, i, scores);
        class_mass_oracle_row(CLASSES, tensors[AT_MASSES].values, scores, right);
        for (int c = 0; c < CLASSES; c++)
            CHECK_CLOSE(p[i * CLASSES + c], right[c], 1e-12, 1e-15);
        assert_int_equal(classes[i], first_largest(p + i * CLASSES));
        changed += classes[i] != first_largest(scores);
    }
    CHECK(changed > 15, "the class of %d rows is not that of their scores", changed);
}

static int stop_now(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)user, (void)phase, (void)done, (void)total;
    return 1;
}

TEST(mistakes_are_named)
{
    const pen_control stopped = { .progress = stop_now };
    pen_model *const plain = hand_made(0, "none"), *const model = hand_made(BIAS, "none");
    const double value = x[7];
    int32_t classes[ROWS];
    pen_array narrow = rows;
    pen_error err;

    narrow.cols = D - 1;
    CHECK_STATUS(pen_predict(plain, &rows, NULL, classes, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                 "a model of hand-made predicts no classes", &err);
    CHECK_OK(pen_predict(model, &rows, NULL, NULL, NULL, NULL, &err), &err);
    CHECK_STATUS(pen_predict(model, &narrow, NULL, classes, NULL, NULL, &err), PEN_BAD_DATA,
                 "must have 5 columns", &err);
    CHECK_STATUS(pen_predict(model, &rows, &stopped, classes, NULL, NULL, &err), PEN_CANCELLED,
                 NULL, &err);
    x[7] = INFINITY;
    CHECK_STATUS(pen_predict(model, &rows, NULL, classes, NULL, NULL, &err), PEN_NOT_FINITE,
                 "row 1, column 2", &err);
    x[7] = value;
}
