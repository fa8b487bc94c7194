/* fuzz_model.c - model files. An accepted model has consistent parts, embeds a row, and predicts
 * its class if it has a classifier. */
#include "fuzz.h"

/* NULL if absent. */
static const char *text_of(const pen_model *model, const char *key)
{
    const char *text = NULL;

    pen_model_value(model, key, NULL, &text);
    return text;
}

static void promise_texts(const pen_model *model, int64_t d)
{
    const int64_t classes = pen_model_class_count(model);
    int named = 0;

    /* any name: the projection of a method unknown to this library is still usable */
    PROMISE(text_of(model, "method") && pen_model_info(model)[0] == '{');
    PROMISE(text_of(model, "parameters")[0] == '{' && text_of(model, "info")[0] == '{');
    PROMISE(classes >= 0 && !pen_model_class_name(model, -1)
            && !pen_model_class_name(model, classes));
    for (int64_t c = 0; c < classes; c++)
        PROMISE(pen_model_class_name(model, c));
    for (int64_t j = 0; j < d; j++)
        named += pen_model_column_name(model, j) != NULL;
    PROMISE(named == 0 || named == d);
    PROMISE(!pen_model_column_name(model, -1) && !pen_model_column_name(model, d));
}

/* A row of zeros is embedded at -mean W, or refused with a reason if this overflows. */
static void promise_map(const pen_model *model, int64_t d, int64_t k)
{
    double *row = calloc((size_t)d, sizeof *row), *z = calloc((size_t)k, sizeof *z);
    pen_error err;

    if (row && z) {
        const pen_array x = pen_dense(row, PEN_F64, 1, d, d);
        const pen_status status = pen_transform(model, &x, NULL, PEN_F64, z, k, &err);
        if (status != PEN_OK)
            promise_failure(status, &err, NULL);
    }
    free(row);
    free(z);
}

static void promise_numbers(const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        PROMISE(isfinite(values[i]));
}

/* Landmarks are training rows, with the columns after the row steps, or rows of values. */
static void promise_kernel(const pen_model *model, const char *name)
{
    const pen_matrix rows = pen_model_tensor(model, "landmarks"),
                     selected = pen_model_tensor(model, "selected"),
                     origin = pen_model_tensor(model, "kernel_origin");
    const int64_t d = selected.values ? selected.rows : pen_model_columns(model);

    double gamma = 1, degree = 1, coef0 = 0, count = 0;
    PROMISE(pen_model_value(model, "kernel.landmarks", &count, NULL));
    PROMISE(pen_model_value(model, "kernel.degree", &degree, NULL)
            == (strcmp(name, "polynomial") == 0));
    PROMISE(pen_model_value(model, "kernel.gamma", &gamma, NULL) || strcmp(name, "rbf") != 0);
    pen_model_value(model, "kernel.coef0", &coef0, NULL);
    PROMISE(degree >= 1 && gamma > 0 && coef0 >= 0);
    PROMISE((rows.values == NULL) == (strcmp(name, "precomputed") == 0));
    PROMISE(!rows.values || ((double)rows.rows == count && rows.cols == d && origin.rows == d));
    PROMISE((double)pen_model_tensor(model, "landmark_rows").rows == count);
}

/* A model with a classifier predicts. The classifier scores has a bias and a dimension for each
 * class. Other classifiers predict probabilities. */
static void promise_prediction(const pen_model *model, int64_t d, int64_t k)
{
    const int64_t count = pen_model_class_count(model);
    double *row = calloc((size_t)d, sizeof *row),
           *scores = calloc((size_t)count + 1, sizeof *scores);
    const char *const classifier = text_of(model, "classifier");
    const int is_raw =
        pen_model_tensor(model, "bias").values && !pen_model_tensor(model, "class_mass").values;
    int32_t class = -1;
    pen_error err;

    PROMISE(!pen_model_tensor(model, "bias").values || (count >= 1 && count <= k));
    PROMISE((pen_model_tensor(model, "bias").values != NULL)
            == (classifier && strcmp(classifier, "scores") == 0));
    if (row && scores) {
        const pen_array x = pen_dense(row, PEN_F64, 1, d, d);
        const pen_status status = pen_predict(model, &x, NULL, &class, scores, NULL, &err);
        PROMISE(status != PEN_OK || classifier);
        PROMISE(status != PEN_OK || (class >= 0 && class < count));
        for (int64_t c = 0; status == PEN_OK && c < count; c++)
            PROMISE(scores[class] >= scores[c] && (scores[c] >= 0 || is_raw));
        if (status != PEN_OK)
            promise_failure(status, &err, NULL);
    }
    free(row);
    free(scores);
}

static const char *const tensors[] = {
    "projection",
    "mean",
    "scale",
    "deviation",
    "eigenvalues",
    "bias",
    "class_mass",
    "idf",
    "selected",
    "landmark_rows",
    "landmarks",
    "kernel_origin",
    "kernel_scale",
    "classifier_center",
    "classifier_rows",
    "classifier_classes",
    "classifier_weights",
    "classifier_bias",
    "class_shares",
    "picture",
    "classifier_votes",
};

static void parse(const uint8_t *data, size_t size)
{
    pen_model *model = NULL;
    pen_error err;
    const pen_status status = pen_model_from_bytes(data, size, &model, &err);

    if (status != PEN_OK) {
        promise_failure(status, &err, model);
        return;
    }
    const char *const kernel = text_of(model, "kernel.name");
    const int64_t d = pen_model_columns(model), k = pen_model_dim(model),
                  m = pen_model_tensor(model, "projection").rows;
    /* the projection came with the file */
    PROMISE(d > 0 && k > 0 && m > 0 && (size_t)m <= size / sizeof(double) / (size_t)k);
    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++) {
        const pen_matrix tensor = pen_model_tensor(model, tensors[t]);
        promise_numbers(tensor.values, tensor.rows * tensor.cols);
    }
    PROMISE(kernel || m == d);
    if (kernel)
        promise_kernel(model, kernel);
    PROMISE(!pen_model_tensor(model, "class_mass").values
            || pen_model_tensor(model, "bias").values);
    PROMISE(!pen_model_tensor(model, "probabilities").values && !pen_model_graph(model, 0, NULL));
    promise_texts(model, d);
    promise_map(model, d, k);
    promise_prediction(model, d, k);
    pen_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    with_checksum(data, size, parse);
    return 0;
}
