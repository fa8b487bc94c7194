/* embedded.c - see embedded.h. */
#include "kit/embedded.h"

pen_model *fit_defaults(const char *text, const pen_data *data)
{
    pen_spec *const spec = spec_with_defaults(text);
    pen_model *model = NULL;
    pen_error err;
    const pen_status status = pen_fit(spec, data, NULL, &model, &err);

    CHECK(status == PEN_OK, "%s, %lld columns: %s", text, (long long)data->x.cols, err.message);
    return keep_model(model);
}

double *embedded(const pen_model *model, const pen_array *x)
{
    const int64_t k = pen_model_dim(model);
    double *const z = check_allocate(x->rows * k, sizeof *z);
    pen_error err;

    CHECK_OK(pen_transform(model, x, NULL, PEN_F64, z, k, &err), &err);
    return z;
}

double *embedded_rows(const pen_model *model, int64_t n, int64_t d, const double *x)
{
    const pen_array rows = pen_dense(x, PEN_F64, n, d, d);
    return embedded(model, &rows);
}

double columns_apart(int64_t n, int64_t k, const double *a, int64_t a_stride, const double *b,
                     int64_t b_stride)
{
    double most = 0, size = 0;

    for (int64_t c = 0; c < k; c++) {
        double dot = 0;
        for (int64_t i = 0; i < n; i++)
            dot += a[i * a_stride + c] * b[i * b_stride + c];
        for (int64_t i = 0; i < n; i++) {
            const double value = b[i * b_stride + c],
                         off = (dot < 0 ? -1 : 1) * a[i * a_stride + c] - value;
            most = isnan(off) ? (double)INFINITY : fmax(most, fabs(off));
            size = fmax(size, fabs(value));
        }
    }
    return most / size;
}

double products_apart(int64_t n, int64_t k, const double *a, const double *b)
{
    double most = 0, size = 0;

    for (int64_t i = 0; i < n; i++) {
        size = fmax(size, dense_dot(k, b + i * k, b + i * k));
        for (int64_t j = 0; j <= i; j++) {
            const double off =
                dense_dot(k, a + i * k, a + j * k) - dense_dot(k, b + i * k, b + j * k);
            most = isnan(off) ? (double)INFINITY : fmax(most, fabs(off));
        }
    }
    return most / size;
}

double *center_rows(int64_t n, int64_t k, double *z, const double *mean)
{
    double *const used = check_allocate(k, sizeof *used);

    for (int64_t c = 0; c < k; c++) {
        for (int64_t i = 0; !mean && i < n; i++)
            used[c] += z[i * k + c] / (double)n;
        if (mean)
            used[c] = mean[c];
        for (int64_t i = 0; i < n; i++)
            z[i * k + c] -= used[c];
    }
    return used;
}

unsigned char *model_bytes(const pen_model *model, size_t *size)
{
    void *bytes;
    pen_error err;

    CHECK_OK(pen_model_to_bytes(model, &bytes, size, &err), &err);
    unsigned char *const copy = check_allocate((int64_t)*size, 1);
    memcpy(copy, bytes, *size);
    pen_free(bytes);
    return copy;
}

pen_model *through_file(const pen_model *model)
{
    size_t size;
    unsigned char *const bytes = model_bytes(model, &size);
    pen_model *read;
    pen_error err;

    CHECK_OK(pen_model_from_bytes(bytes, size, &read, &err), &err);
    return keep_model(read);
}

void check_same_model(const pen_model *a, const pen_model *b, const char *what)
{
    size_t a_size, b_size;
    unsigned char *const a_bytes = model_bytes(a, &a_size), *const b_bytes =
                                                                model_bytes(b, &b_size);

    CHECK(a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0, "%s: the models differ", what);
}
