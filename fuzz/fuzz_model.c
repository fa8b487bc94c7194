/* fuzz_model.c - model files. A model that is accepted has consistent parts, maps a row, and
 * predicts its class if it predicts at all. */
#include "fuzz.h"

static void promise_texts(const pen_model *model, int64_t d)
{
    const int64_t classes = pen_model_class_count(model);
    int named = 0;

    /* any name: the map of a method unknown to this library is still usable */
    PROMISE(pen_model_method(model));
    PROMISE(pen_model_parameters(model)[0] == '{' && pen_model_info(model)[0] == '{');
    PROMISE(classes >= 0 && !pen_model_class_name(model, -1)
            && !pen_model_class_name(model, classes));
    for (int64_t c = 0; c < classes; c++)
        PROMISE(pen_model_class_name(model, c));
    for (int64_t j = 0; j < d; j++)
        named += pen_model_feature_name(model, j) != NULL;
    PROMISE(named == 0 || named == d);
    PROMISE(!pen_model_feature_name(model, -1) && !pen_model_feature_name(model, d));
}

/* A row of zeros goes to -mean W, or is refused with a reason if that overflows. */
static void promise_map(const pen_model *model, int64_t d, int64_t k)
{
    double *row = calloc((size_t)d, sizeof *row), *z = calloc((size_t)k, sizeof *z);
    pen_error err;

    if (row && z) {
        const pen_array x = pen_dense(row, PEN_F64, 1, d, d);
        const pen_status status = pen_transform(model, &x, PEN_F64, z, k, NULL, &err);
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

/* Landmarks are rows of the fit, with the columns that the steps leave, or rows of values. */
static void promise_kernel(const pen_model *model, const pen_kernel_view *kernel)
{
    const pen_matrix rows = pen_model_tensor(model, "landmarks"),
                     selected = pen_model_tensor(model, "selected"),
                     origin = pen_model_tensor(model, "kernel_origin");
    const int64_t d = selected.values ? selected.rows : pen_model_input_dim(model);

    PROMISE(kernel->name && kernel->gamma >= 0 && kernel->coef0 >= 0);
    PROMISE((kernel->degree >= 1) == (strcmp(kernel->name, "polynomial") == 0));
    PROMISE(kernel->degree == 0 || kernel->gamma > 0);
    PROMISE(strcmp(kernel->name, "rbf") != 0 || kernel->gamma > 0);
    PROMISE((rows.values == NULL) == (strcmp(kernel->name, "precomputed") == 0));
    PROMISE(!rows.values || (rows.rows == kernel->count && rows.cols == d && origin.rows == d));
    PROMISE(pen_model_tensor(model, "landmark_rows").rows == kernel->count);
}

/* A model predicts if it has a classifier: one of scores has a bias for each class, and a class a
 * dimension of its own. What others predict are shares. */
static void promise_prediction(const pen_model *model, int64_t d, int64_t k)
{
    const int64_t count = pen_model_class_count(model);
    double *row = calloc((size_t)d, sizeof *row),
           *scores = calloc((size_t)count + 1, sizeof *scores);
    const char *const classifier = pen_model_classifier(model);
    const int is_raw = pen_model_bias(model) && !pen_model_class_mass(model);
    int32_t class = -1;
    pen_error err;

    PROMISE(!pen_model_bias(model) || (count >= 1 && count <= k));
    PROMISE((pen_model_bias(model) != NULL) == (classifier && strcmp(classifier, "scores") == 0));
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
    const pen_status status = pen_model_parse(data, size, &model, &err);

    if (status != PEN_OK) {
        promise_failure(status, &err, model);
        return;
    }
    const pen_kernel_view *const kernel = pen_model_kernel(model);
    const int64_t d = pen_model_input_dim(model), k = pen_model_output_dim(model),
                  m = kernel ? kernel->count : d;
    /* the projection came with the file */
    PROMISE(d > 0 && k > 0 && m > 0 && (size_t)m <= size / sizeof(double) / (size_t)k);
    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++) {
        const pen_matrix tensor = pen_model_tensor(model, tensors[t]);
        promise_numbers(tensor.values, tensor.rows * tensor.cols);
    }
    PROMISE(pen_model_tensor(model, "projection").rows == m);
    if (kernel)
        promise_kernel(model, kernel);
    PROMISE(!pen_model_class_mass(model) || pen_model_bias(model));
    PROMISE(pen_model_fitted_rows(model) == 0 && !pen_model_propagated(model));
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
