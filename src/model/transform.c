/* transform.c - embedding rows and predicting their classes. */
#include "classifiers/class_mass.h"
#include "core/arguments.h"
#include "core/array.h"
#include "linalg/affine.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    STEPPED_VALUES = 1 << 22, /* values of rows after their steps, at a time */
    GAP = 2
};

/* ---- kernel values ---- */

static pen_status zeros(pen_run *run, int64_t count, const double **out)
{
    double *values;

    PEN_TRY(PEN_FILLED(run, values, count, 0));
    *out = values;
    return PEN_OK;
}

/* Opens the landmarks of the model. For precomputed values, opens their columns: x has a value for
 * each row of the fit, or for each landmark. */
static pen_status open_landmarks(pen_run *run, const pen_model *model, const pen_array *x,
                                 pen_kernel_set *set)
{
    const pen_model_kernel_map *const kernel = &model->kernel;
    const int64_t m = model->d;
    pen_view landmarks = { .n = m, .d = x->cols };
    int64_t *columns = NULL;

    if (kernel->landmarks) {
        landmarks.values = pen_dense(kernel->landmarks, PEN_F64, m, x->cols, x->cols);
        PEN_TRY(zeros(run, x->cols, &landmarks.mean));
    } else if (x->cols != m) {
        PEN_TRY(PEN_NEW(run, columns, m));
        for (int64_t l = 0; l < m; l++)
            columns[l] = (int64_t)kernel->rows[l];
    }
    return pen_kernel_open(run, &kernel->form, &landmarks, m, columns, set);
}

/* Where an embedding goes: rows `stride` apart; measured: one more number per row, its length. */
struct target {
    pen_dtype dtype;
    void *z;
    int64_t stride;
    int measured;
    char *empty; /* [rows] 1: all kernel values are 0; GAP: no prediction; or NULL */
};

static double square_at(const pen_view *x, int64_t column, double value)
{
    const double off = (value - x->mean[column]) * (x->scale ? x->scale[column] : 1);

    return off * off;
}

struct lengths {
    const pen_view *rows;
    const struct target *to;
    double of_zeros; /* squared length of a sparse row without entries; entries change it */
};

static void find_length(void *context, int64_t row, int worker)
{
    const struct lengths *const l = context;
    const pen_array *const v = &l->rows->values;
    const pen_row_length u = l->rows->unit ? pen_length_of_row(v, row) : (pen_row_length){ 1, 1 };
    const int64_t first = v->starts ? v->starts[row] : 0,
                  end = v->starts ? v->starts[row + 1] : v->cols;
    double sum = l->of_zeros;

    (void)worker;
    for (int64_t e = first; e < end; e++) {
        const int64_t j = v->starts ? v->columns[e] : e;
        const double value = v->starts ? pen_entry(v, e) : pen_value_at(v, row, j);
        sum += square_at(l->rows, j, value / u.largest / u.rest)
               - (v->starts ? square_at(l->rows, j, 0) : 0);
    }
    pen_store_value(l->to->dtype, l->to->z, (row + 1) * l->to->stride - 1, sqrt(fmax(sum, 0)));
}

/* Writes |scale (u v - mean)| of each row as the last number of its embedding. */
static pen_status find_lengths(pen_run *run, const pen_view *rows, const struct target *to)
{
    struct lengths l = { .rows = rows, .to = to };

    for (int64_t j = 0; rows->values.starts && j < rows->d; j++)
        l.of_zeros += square_at(rows, j, 0);
    return to->measured ? pen_parallel(run, PEN_SILENT, rows->n, find_length, &l) : PEN_OK;
}

/* ---- the steps of rows ---- */

/* Rows between steps; each step changes them into the input of the next. */
struct passage {
    const pen_model *model;
    pen_array x;
    int64_t first, count;           /* these rows of x */
    const double *mean, *scale, *W; /* of the columns that steps keep */
    struct target to;               /* of these rows */
    char *gaps;                     /* [count] 1: a value was missing; NULL: none can be */
};

typedef pen_status step_fn(pen_run *run, struct passage *p);

/* From here on x has only these rows; messages keep the old row numbers. */
static void number_rows(pen_run *run, struct passage *p)
{
    pen_run_set_first(run, pen_run_first(run) + p->first);
    p->first = 0;
}

/* Copies the rows into scratch memory and fills their gaps. */
static pen_status fill_rows(pen_run *run, struct passage *p)
{
    const double *const fill = p->model->fill;
    const pen_array given = p->x, *const x = &p->x;
    int64_t *rows;

    PEN_TRY(PEN_FILLED(run, p->gaps, p->count, 0));
    PEN_TRY(PEN_NEW(run, rows, p->count));
    for (int64_t i = 0; i < p->count; i++)
        rows[i] = p->first + i;
    PEN_TRY(pen_array_pick(run, &given, p->count, rows, &p->x));
    void *const values = (void *)(uintptr_t)x->values;
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t e = pen_row_start(x, i); e < pen_row_start(x, i + 1); e++) {
            const double value = pen_load_value(x->dtype, values, e),
                         mean = fill ? fill[pen_entry_column(x, e)] : 0;
            if (isinf(value))
                return pen_rows_refuse(run, &given, p->first + i);
            if (isnan(value))
                p->gaps[i] = 1;
            if (isnan(value) || isnan(mean))
                pen_store_value(x->dtype, values, e, isnan(mean) ? 0 : mean);
        }
    number_rows(run, p);
    return PEN_OK;
}

static pen_status take_row_steps(pen_run *run, struct passage *p)
{
    const pen_array given = p->x;

    PEN_TRY(pen_row_steps_apply(run, &p->model->row.steps, &given, p->first, p->count, &p->x));
    number_rows(run, p);
    return PEN_OK;
}

static pen_view rows_of(const struct passage *p, const double *mean, const double *scale)
{
    return (pen_view){ .values = p->x,
                       .n = p->x.rows,
                       .d = p->x.cols,
                       .unit = p->model->unit,
                       .mean = mean,
                       .scale = scale };
}

static pen_status project_kernel(pen_run *run, struct passage *p)
{
    const pen_model *const model = p->model;
    pen_view rows = rows_of(p, model->kernel.origin, model->kernel.scale);
    pen_kernel_set set;

    PEN_TRY(open_landmarks(run, model, &p->x, &set));
    PEN_TRY(rows.mean ? find_lengths(run, &rows, &p->to) : zeros(run, rows.d, &rows.mean));
    return pen_kernel_apply(run, "embedding rows", &set, &rows, model->mean, model->projection,
                            model->k, p->to.dtype, p->to.z, p->to.stride, p->to.empty);
}

static pen_status project(pen_run *run, struct passage *p)
{
    const pen_view rows = rows_of(p, p->mean, p->scale);

    PEN_TRY(find_lengths(run, &rows, &p->to));
    return pen_affine_apply(run, "embedding rows", &p->x, rows.unit, p->mean, p->W, p->model->k,
                            p->to.dtype, p->to.z, p->to.stride);
}

enum { MOST_STEPS = 3 };

/* Lists the steps of a row, in order. */
static int list_steps(const pen_model *model, step_fn *steps[MOST_STEPS])
{
    int count = 0;

    if (model->missing)
        steps[count++] = fill_rows;
    if (model->row.steps.columns > 0)
        steps[count++] = take_row_steps;
    steps[count++] = model->kernel.form.kind == PEN_KERNEL_NONE ? project : project_kernel;
    return count;
}

/* Rows of a matrix [columns x k] that the steps select, in aligned memory. */
static pen_status select_rows(pen_run *run, const pen_row_steps *steps, int64_t k,
                              const double **numbers)
{
    double *selected;

    PEN_TRY(PEN_NEW(run, selected, pen_times(steps->kept, k)));
    for (int64_t c = 0; c < steps->kept; c++)
        memcpy(selected + c * k, *numbers + steps->selected[c] * k, (size_t)k * sizeof *selected);
    *numbers = selected;
    return PEN_OK;
}

/* Marks rows with gaps, or sets them to NaN. */
static void leave_out(const struct target *to, int64_t count, int64_t k, const char *gaps)
{
    for (int64_t i = 0; i < count; i++) {
        if (gaps[i] && to->empty)
            to->empty[i] = GAP;
        for (int64_t c = 0; gaps[i] && !to->empty && c < k; c++)
            pen_store_value(to->dtype, to->z, i * to->stride + c, (double)NAN);
    }
}

/* Selects the columns that row steps keep for the projection. */
static pen_status select_columns(pen_run *run, struct passage *p)
{
    const pen_row_steps *const steps = &p->model->row.steps;

    if (!steps->selected || p->model->kernel.form.kind != PEN_KERNEL_NONE)
        return PEN_OK;
    PEN_TRY(select_rows(run, steps, 1, &p->mean));
    if (p->scale)
        PEN_TRY(select_rows(run, steps, 1, &p->scale));
    return select_rows(run, steps, p->model->k, &p->W);
}

/* Takes a single step for all rows at once, or several steps for a block of rows at a time. */
static pen_status walk(pen_run *run, const pen_model *model, const pen_array *x,
                       const struct target *to)
{
    struct passage all = {
        .model = model, .x = *x, .mean = model->mean, .scale = model->scale, .W = model->projection
    };
    step_fn *steps[MOST_STEPS];
    const int count = list_steps(model, steps);
    const int64_t kept = model->row.steps.columns > 0 ? model->row.steps.kept : x->cols,
                  block = count > 1 ? pen_max(64, pen_min(4096, STEPPED_VALUES / kept)) : x->rows;

    PEN_TRY(select_columns(run, &all));
    for (int64_t first = 0; first < x->rows; first += block) {
        const pen_mark_t mark = pen_mark(run);
        struct passage p = all;
        p.first = first;
        p.count = pen_min(block, x->rows - first);
        p.to = *to;
        p.to.z = (char *)to->z + first * to->stride * (int64_t)pen_size(to->dtype);
        p.to.empty = to->empty ? to->empty + first : NULL;
        for (int s = 0; s < count; s++)
            PEN_TRY(steps[s](run, &p));
        pen_run_set_first(run, 0);
        if (model->missing == PEN_MISSING_DROP)
            leave_out(&p.to, p.count, model->k, p.gaps);
        pen_release(run, mark);
    }
    return PEN_OK;
}

static pen_status check_columns(pen_run *run, const pen_model *model, const pen_array *x)
{
    const int64_t columns = pen_model_columns(model);

    if (model->kernel.form.kind == PEN_KERNEL_PRECOMPUTED && columns != model->d)
        PEN_REQUIRE(run, x->cols == columns || x->cols == model->d, PEN_BAD_DATA,
                    "rows must have %lld kernel values (with the rows of the fit) or %lld (with "
                    "the landmarks), got %lld",
                    (long long)columns, (long long)model->d, (long long)x->cols);
    else
        PEN_REQUIRE(run, x->cols == columns, PEN_BAD_DATA,
                    "rows must have %lld columns, as the model was fitted on, got %lld",
                    (long long)columns, (long long)x->cols);
    return PEN_OK;
}

static pen_status transform(pen_run *run, const pen_model *model, const pen_array *x,
                            pen_dtype dtype, void *z, int64_t stride, int measured, char *empty)
{
    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, x, "x"));
    PEN_TRY(pen_check_given(run, z, "z"));
    PEN_TRY(pen_array_check(run, x, "x"));
    PEN_TRY(check_columns(run, model, x));
    PEN_REQUIRE(run, dtype == PEN_F64 || dtype == PEN_F32, PEN_BAD_ARGUMENT,
                "the dtype of z must be PEN_F64 or PEN_F32, got %d", (int)dtype);
    PEN_REQUIRE(run, stride >= model->k, PEN_BAD_ARGUMENT,
                "the stride of z must be >= %lld, the dimensions of the model, got %lld",
                (long long)model->k, (long long)stride);
    PEN_REQUIRE(run, stride <= INT64_MAX / 16 / x->rows, PEN_BAD_ARGUMENT,
                "z: %lld rows with a stride of %lld are more than memory can hold",
                (long long)x->rows, (long long)stride);
    const struct target to = { dtype, z, stride, measured, empty };
    return walk(run, model, x, &to);
}

pen_status pen_model_embed(pen_run *run, const pen_model *model, const pen_array *x, double *z,
                           int64_t stride)
{
    return transform(run, model, x, PEN_F64, z, stride, 0, NULL);
}

pen_status pen_model_embed_measured(pen_run *run, const pen_model *model, const pen_array *x,
                                    double *y)
{
    memset(y, 0, (size_t)(x->rows * (model->k + 1)) * sizeof *y);
    return transform(run, model, x, PEN_F64, y, model->k + 1, 1, NULL);
}

pen_status pen_transform(const pen_model *model, const pen_array *x, const pen_control *control,
                         pen_dtype type, void *z, int64_t stride, pen_error *err)
{
    PEN_CALL(control, err, transform(run, model, x, type, z, stride, 0, NULL));
}

/* ---- classes ---- */

/* -1 if the row has no prediction. */
static int32_t largest(int64_t count, const double *p)
{
    int64_t best = isnan(p[0]) ? PEN_UNLABELLED : 0;

    for (int64_t c = 1; best >= 0 && c < count; c++)
        if (p[c] > p[best])
            best = c;
    return (int32_t)best;
}

/* The class of each row of z [n x k] by the scores in its first entries, and the scores or
 * probabilities p [n x classes]. */
static void read_scores(const pen_model *model, int64_t n, const double *z, double *p,
                        int32_t *classes)
{
    const int64_t c = model->class_count;

    for (int64_t i = 0; i < n; i++) {
        double *const row = p + i * c;
        for (int64_t j = 0; j < c; j++)
            row[j] = z[i * model->k + j] + model->bias[j];
        if (model->class_mass)
            pen_class_shares(c, model->class_mass, row);
        classes[i] = largest(c, row);
    }
}

/* Predicts p [n x classes] and classes [n] of rows z [n x k]. */
static pen_status read_classes(pen_run *run, const pen_model *model, int64_t n, const double *z,
                               double *p, int32_t *classes)
{
    if (model->classifier.kind == PEN_CLASSIFIER_SCORES)
        read_scores(model, n, z, p, classes);
    else
        PEN_TRY(pen_classifier_apply(run, &model->classifier, n, z, model->k, p, classes));
    for (int64_t i = 0; model->temperature > 0 && i < n; i++)
        pen_temper(model->class_count, model->temperature, p + i * model->class_count);
    return PEN_OK;
}

static pen_status check_predicts(pen_run *run, const pen_model *model)
{
    PEN_REQUIRE(run, pen_model_classifier(model) || model->class_count >= 2, PEN_BAD_ARGUMENT,
                "the model predicts no classes: it was fitted without labels of "
                "at least two classes");
    PEN_REQUIRE(run, pen_model_classifier(model), PEN_BAD_ARGUMENT,
                "a model of %s predicts no classes without a classifier", model->method);
    return PEN_OK;
}

/* Predicts with a single model. A row whose kernel values are all 0 gets class_shares. */
static pen_status predict_by(pen_run *run, const pen_model *model, const pen_array *x, double *p,
                             int32_t *classes)
{
    const int64_t c = model->class_count;
    double *z;
    char *empty = NULL;

    PEN_TRY(PEN_NEW(run, z, pen_times(x->rows, model->k)));
    if (model->class_shares || model->missing == PEN_MISSING_DROP)
        PEN_TRY(PEN_FILLED(run, empty, x->rows, 0));
    PEN_TRY(transform(run, model, x, PEN_F64, z, model->k, 0, empty));
    PEN_TRY(read_classes(run, model, x->rows, z, p, classes));
    for (int64_t i = 0; empty && i < x->rows; i++)
        if (empty[i] == GAP || (empty[i] && model->class_shares)) {
            for (int64_t j = 0; j < c; j++)
                p[i * c + j] = empty[i] == GAP ? (double)NAN : model->class_shares[j];
            classes[i] = largest(c, p + i * c);
        }
    return PEN_OK;
}

/* Averages the probabilities of the models of an ensemble, and tempers the mean. */
static pen_status average(pen_run *run, const pen_model *model, const pen_array *x, double *p,
                          int32_t *classes)
{
    const int64_t c = model->class_count, count = x->rows * c;
    double *more;

    PEN_TRY(PEN_NEW(run, more, count));
    memset(p, 0, (size_t)count * sizeof *p);
    for (int64_t m = 0; m < model->member_count; m++) {
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(predict_by(run, model->members[m], x, more, classes));
        pen_release(run, mark);
        for (int64_t i = 0; i < count; i++)
            p[i] += more[i];
    }
    for (int64_t i = 0; i < count; i++)
        p[i] /= (double)model->member_count;
    for (int64_t i = 0; i < x->rows; i++) {
        classes[i] = largest(c, p + i * c);
        if (classes[i] >= 0)
            pen_temper(c, model->mean_temperature, p + i * c);
    }
    return PEN_OK;
}

/* A row whose kernel values are all 0 is far from all other rows. */
static pen_status tell_typical(pen_run *run, const pen_model *model, const pen_array *x,
                               double *typical)
{
    const pen_typical *const t = &model->typical;
    const pen_mark_t mark = pen_mark(run);
    char *empty;
    double *y;

    PEN_REQUIRE(run, t->units, PEN_BAD_ARGUMENT,
                "the model cannot tell how typical rows are: it is an old or a composed model, or "
                "its fit did not have all rows");
    PEN_TRY(PEN_FILLED(run, y, pen_times(x->rows, t->k), 0));
    PEN_TRY(PEN_FILLED(run, empty, x->rows, 0));
    PEN_TRY(transform(run, model, x, PEN_F64, y, t->k, 1, empty));
    PEN_TRY(pen_typical_measure(run, t, x->rows, y, typical));
    for (int64_t i = 0; i < x->rows; i++)
        typical[i] =
            empty[i] == GAP ? (double)NAN : pen_typical_share(t, empty[i] ? DBL_MAX : typical[i]);
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status predict(pen_run *run, const pen_model *model, const pen_array *x,
                          int32_t *classes, double *p, double *typical)
{
    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, x, "x"));
    PEN_TRY(check_predicts(run, model));
    PEN_TRY(pen_array_check(run, x, "x"));
    if (typical)
        PEN_TRY(tell_typical(run, model, x, typical));
    if (!classes && !p)
        return PEN_OK;
    if (!classes)
        PEN_TRY(PEN_NEW(run, classes, x->rows));
    if (!p)
        PEN_TRY(PEN_NEW(run, p, pen_times(x->rows, model->class_count)));
    return (model->member_count > 0 ? average : predict_by)(run, model, x, p, classes);
}

pen_status pen_predict(const pen_model *model, const pen_array *x, const pen_control *control,
                       int32_t *classes, double *probabilities, double *typical, pen_error *err)
{
    PEN_CALL(control, err, predict(run, model, x, classes, probabilities, typical));
}
