/* compose.c - joins a model and a second model of its embedding into one model.
 *
 *   z = ((x - m) V - n) W = (x - m - n V^+) V W
 *
 * for the projections V and W and the means m and n of both. Columns of V may be dependent, as
 * class scores are: the inverse uses only the directions above rounding. */
#include "core/arguments.h"
#include "linalg/eig.h"
#include "linalg/products.h"
#include "linalg/signs.h"
#include "model/describe.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of length one: relative to the largest eigenvalue of their products, less is rounding. */
static const double DEPENDENT = 1e-13;

static void swap(void *a, void *b, size_t size)
{
    char *const p = a, *const q = b;
    for (size_t i = 0; i < size; i++) {
        const char kept = p[i];
        p[i] = q[i];
        q[i] = kept;
    }
}

#define SWAP(member) swap(&first->member, &last->member, sizeof first->member)

/* Lets `last`, which projects the embedding of `first` with mean 0, project the rows of `first`. */
static pen_status fold(pen_run *run, pen_model *first, pen_model *last)
{
    const int64_t d = first->d, k = last->k;
    char *info;
    double *product, *kept;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, product, pen_times(d, k)));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, d, k, first->k, first->projection,
                         last->projection, product));
    PEN_TRY(pen_model_numbers(run, product, pen_times(d, k), &kept));
    pen_release(run, mark);
    free(last->projection);
    last->projection = kept;
    PEN_TRY(pen_describe_both(run, first, last, 1, &info));
    free(last->info);
    last->info = info;
    SWAP(d);
    SWAP(missing);
    SWAP(fill);
    SWAP(row);
    SWAP(unit);
    SWAP(mean);
    SWAP(scale);
    SWAP(deviation);
    SWAP(kernel);
    SWAP(column_names);
    pen_model_forget_typical(last); /* its rows have different lengths */
    return PEN_OK;
}

static pen_status check(pen_run *run, const pen_model *first, const pen_model *second)
{
    PEN_REQUIRE(run, second->d == first->k && second->kernel.form.kind == PEN_KERNEL_NONE,
                PEN_BAD_ARGUMENT,
                "the second model must project the %lld dimensions of the first, without a kernel, "
                "got %lld columns%s",
                (long long)first->k, (long long)pen_model_columns(second),
                second->kernel.form.kind == PEN_KERNEL_NONE ? "" : " and a kernel");
    PEN_REQUIRE(run, !second->unit && second->row.steps.columns == 0, PEN_BAD_ARGUMENT,
                "the second model has row_steps, which cannot be composed");
    PEN_REQUIRE(run, first->member_count == 0 && second->member_count == 0, PEN_BAD_ARGUMENT,
                "an ensemble cannot be composed");
    return PEN_OK;
}

/* The length of 1 in the coordinates of the fit; 0 for a column that it ignores. */
static double unit_of(const pen_model *model, int64_t j)
{
    return !model->scale ? 1 : model->scale[j] > 0 ? 1 / model->scale[j] : 0;
}

/* mean += S^-1 U (U'U)^+ n for V = S U, to subtract the second model's mean as well. Of all rows
 * that V projects to n, this takes the nearest in the units S of the first fit. */
static pen_status move_mean(pen_run *run, const pen_model *first, const double *n, double *mean)
{
    const int64_t d = first->d, k = first->k;
    double *U, *scale, size = 0;
    pen_sym gram;
    pen_eig e;

    for (int64_t c = 0; c < k; c++)
        size = fmax(size, fabs(n[c]));
    if (size == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, U, pen_times(d, k)));
    PEN_TRY(PEN_NEW(run, scale, k));
    PEN_TRY(pen_sym_zero(run, k, &gram));
    for (int64_t i = 0; i < d * k; i++)
        U[i] = first->projection[i] * unit_of(first, i / k);
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, k, k, d, U, U, gram.a));
    pen_sym_note(&gram, k, DBL_EPSILON);
    pen_sym_unit_scale(&gram, scale);
    pen_sym_rescale(scale, &gram);
    PEN_TRY(pen_eig_largest(run, &gram, NULL, k, &e));
    for (int64_t i = 0; i < e.rank && e.values[i] > DEPENDENT * e.values[0]; i++) {
        const double *const v = e.vectors + i * k;
        double part = 0;
        for (int64_t c = 0; c < k; c++)
            part += v[c] * scale[c] * n[c] / e.values[i];
        for (int64_t j = 0; j < d; j++)
            for (int64_t c = 0; c < k; c++)
                mean[j] += U[j * k + c] * scale[c] * v[c] * part * unit_of(first, j);
    }
    pen_release(run, mark);
    return PEN_OK;
}

/* 1: the columns are class scores, whose signs matter. The bias is also gone if a different
 * classifier predicts. */
static int scores_classes(const pen_model *model)
{
    const char *const colon = strrchr(model->method, ':');
    const pen_method *const method = pen_method_named(colon ? colon + 1 : model->method);

    return model->bias || (method && method->traits & PEN_PREDICTS);
}

/* Sets the signs as a single fit would, by the columns of the projection; the classifier
 * follows. */
static pen_status fix_signs(pen_run *run, pen_model *model)
{
    const int64_t k = model->k;
    pen_classifier *const classifier = &model->classifier;
    double *signs;

    if (scores_classes(model))
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, signs, k));
    PEN_TRY(pen_column_signs(run, model->d, k, model->projection, model->deviation, signs));
    pen_sign_columns(model->d, k, signs, model->projection);
    if (classifier->center)
        pen_sign_columns(1, k, signs, classifier->center);
    if (classifier->rows)
        pen_sign_columns(classifier->count, k, signs, classifier->rows);
    for (int64_t i = 0; model->picture && i < 2 * k; i++)
        model->picture[i] *= signs[i / 2] < 0 ? -1 : 1;
    for (int64_t j = 0; classifier->weights && j < k; j++)
        for (int64_t a = 0; signs[j] < 0 && a < classifier->classes; a++)
            classifier->weights[j * classifier->classes + a] *= -1;
    pen_release(run, mark);
    return PEN_OK;
}

/* Joins both copies into one model, `last`. */
static pen_status join(pen_run *run, pen_model *first, pen_model *last)
{
    const size_t size = strlen(first->method) + strlen(last->method) + 2;
    char *parameters, *method;
    double *mean;

    PEN_TRY(PEN_NEW(run, mean, first->d));
    memcpy(mean, first->mean, (size_t)first->d * sizeof *mean);
    PEN_TRY(move_mean(run, first, last->mean, mean));
    PEN_TRY(pen_describe_both(run, first, last, 0, &parameters));
    free(last->parameters);
    last->parameters = parameters;
    PEN_TRY(fold(run, first, last));
    PEN_TRY(fix_signs(run, last));
    memcpy(last->mean, mean, (size_t)last->d * sizeof *mean);
    PEN_TRY(PEN_KEEP(run, method, (int64_t)size));
    snprintf(method, size, "%s:%s", first->method, last->method);
    free(last->method);
    last->method = method;
    return PEN_OK;
}

pen_status pen_model_copy(pen_run *run, const pen_model *model, pen_model **out)
{
    size_t size;
    void *bytes;

    PEN_TRY(pen_model_to_bytes(model, &bytes, &size, pen_run_error(run)));
    const pen_status status = pen_model_from_bytes(bytes, size, out, pen_run_error(run));
    pen_free(bytes);
    return status;
}

static pen_status compose(pen_run *run, const pen_model *first, const pen_model *second,
                          pen_model **out)
{
    pen_model *before = NULL;

    PEN_TRY(pen_check_given(run, first, "first"));
    PEN_TRY(pen_check_given(run, second, "second"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(check(run, first, second));
    PEN_TRY(pen_model_copy(run, second, out));
    PEN_TRY(pen_model_copy(run, first, &before));
    const pen_status status = join(run, before, *out);
    pen_model_free(before);
    return status;
}

pen_status pen_model_compose(const pen_model *first, const pen_model *second, pen_model **out,
                             pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_model_free, compose(run, first, second, out));
}
