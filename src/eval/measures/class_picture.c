/* class_picture.c - the two coordinates of a projection that show classes best. */
#include "eval/measures/class_picture.h"

#include "core/sort.h"
#include "eval/trials/sample_rows.h"
#include "model/model.h"
#include "model/spec.h"
#include "solve/neighborhood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST = 10, LEAST_ROWS = 4 };

/* Limits for neighborhood components, whose cost grows with all pairs of rows: more rows gain
 * little. */
enum { MOST_ROWS = 1000, EVALUATIONS = 15 };

/* The rows, and the current drawing. */
struct view {
    pen_data data;
    pen_view classes; /* only classes */
    double *columns;  /* [k x 2] */
    double *drawn;    /* [n x 2] */
    int64_t *nearest;
};

/* Relative to the deviation of a coordinate: less is rounding of the other coordinate. */
static const double LEAST_ACROSS = 1e-6;

static pen_status fit_columns(const char *method, struct view *v, const pen_control *control,
                              pen_error *err)
{
    pen_spec *spec = NULL;
    pen_model *model = NULL;

    pen_status status = pen_spec_new(method, &spec, err);
    if (status == PEN_OK)
        status = pen_spec_set_number(spec, "dim", 2, err);
    if (status == PEN_OK) /* class scores may be dependent, up to rounding */
        status = pen_spec_set(spec, "pca", "rank", err);
    if (status == PEN_OK) {
        pen_spec_read_by(spec, PEN_CLASSIFIER_NONE);
        status = pen_model_fit(NULL, spec, &v->data, control, &model, err);
    }
    if (status == PEN_OK)
        memcpy(v->columns, model->projection, (size_t)(2 * model->d) * sizeof *v->columns);
    pen_model_free(model);
    pen_spec_free(spec);
    return status;
}

/* Multiplies coordinates and columns by a 2 x 2 matrix. */
static void turn(struct view *v, const double by[4])
{
    for (int64_t i = 0; i < v->data.x.rows + v->data.x.cols; i++) {
        double *const at =
            i < v->data.x.rows ? v->drawn + 2 * i : v->columns + 2 * (i - v->data.x.rows);
        const double a = at[0], b = at[1];
        at[0] = a * by[0] + b * by[2];
        at[1] = a * by[1] + b * by[3];
    }
}

/* Centers the drawn coordinates, and sums their products. */
static void center(struct view *v, double product[3])
{
    const int64_t n = v->data.x.rows;

    memset(product, 0, 3 * sizeof *product);
    for (int c = 0; c < 2; c++) {
        double mean = 0;
        for (int64_t i = 0; i < n; i++)
            mean += v->drawn[2 * i + c] / (double)n;
        for (int64_t i = 0; i < n; i++)
            v->drawn[2 * i + c] -= mean;
    }
    for (int64_t i = 0; i < 2 * n; i++)
        product[i % 2] += pow(v->drawn[i], 2) / (double)n;
    for (int64_t i = 0; i < n; i++)
        product[2] += v->drawn[2 * i] * v->drawn[2 * i + 1] / (double)n;
}

/* The angle of the direction in which the means of classes are farthest apart. */
static double angle_of(const struct view *v)
{
    double between[3] = { 0, 0, 0 };

    for (int64_t c = 0; c < v->classes.classes; c++) {
        double x = 0, y = 0;
        for (int64_t i = v->classes.starts[c]; i < v->classes.starts[c + 1]; i++) {
            x += v->drawn[2 * v->classes.members[i]];
            y += v->drawn[2 * v->classes.members[i] + 1];
        }
        const double count = (double)pen_class_size(&v->classes, c);
        between[0] += x * x / count;
        between[1] += y * y / count;
        between[2] += x * y / count;
    }
    return 0.5 * atan2(2 * between[2], between[0] - between[1]);
}

/* Computes the coordinates by the columns, then turns both so that the coordinates are uncorrelated
 * with deviation 1, the first one separates classes most, and the largest weight of each is
 * positive. Returns 0 if they do not vary in two directions. */
static int draw(struct view *v)
{
    const int64_t n = v->data.x.rows, k = v->data.x.cols;
    const double *const z = v->data.x.values;
    double product[3], sign[2] = { 1, 1 }, largest[2] = { 0, 0 };

    memset(v->drawn, 0, (size_t)(2 * n) * sizeof *v->drawn);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < 2 * k; j++)
            v->drawn[2 * i + j % 2] += z[i * k + j / 2] * v->columns[j];
    center(v, product);
    const double along = sqrt(product[0]), slope = product[2] / product[0],
                 across = sqrt(product[1] - slope * product[2]);
    if (!(along > 0 && across > LEAST_ACROSS * sqrt(product[1])))
        return 0;
    turn(v, (double[4]){ 1 / along, -slope / across, 0, 1 / across });
    const double angle = angle_of(v);
    turn(v, (double[4]){ cos(angle), -sin(angle), sin(angle), cos(angle) });
    for (int64_t j = 0; j < 2 * k; j++)
        if (fabs(v->columns[j]) > largest[j % 2]) {
            largest[j % 2] = fabs(v->columns[j]);
            sign[j % 2] = v->columns[j] < 0 ? -1 : 1;
        }
    turn(v, (double[4]){ sign[0], 0, 0, sign[1] });
    return 1;
}

static pen_status measure(struct view *v, const pen_control *control, double *shown, pen_error *err)
{
    const int64_t n = v->data.x.rows, near = n <= NEAREST ? n - 1 : NEAREST;
    const pen_array drawn = pen_dense(v->drawn, PEN_F64, n, 2, 2);
    int64_t same = 0;

    PEN_TRY(pen_neighbors(&drawn, NULL, near, control, v->nearest, NULL, err));
    for (int64_t i = 0; i < n * near; i++)
        same += v->data.labels[v->nearest[i]] == v->data.labels[i / near];
    *shown = (double)same / (double)(n * near);
    return PEN_OK;
}

/* Takes at most MOST_ROWS rows, evenly spread over the first coordinate, independent of row
 * numbers. */
static pen_status spread_rows(pen_run *run, const struct view *v, pen_neighborhood *out)
{
    const int64_t n = v->data.x.rows, k = v->data.x.cols;
    struct place {
        double at;
        int64_t row;
    } * places;
    int32_t *classes;
    int64_t *rows;
    double *z;

    *out = (pen_neighborhood){ .n = n < MOST_ROWS ? n : MOST_ROWS, .k = k };
    PEN_TRY(PEN_NEW(run, places, n));
    PEN_TRY(PEN_NEW2(run, rows, classes, out->n));
    for (int64_t i = 0; i < n; i++)
        places[i] = (struct place){ v->drawn[2 * i], i };
    qsort(places, (size_t)n, sizeof *places, pen_by_double);
    for (int64_t i = 0; i < out->n; i++) {
        rows[i] = places[i * n / out->n].row;
        classes[i] = v->data.labels[rows[i]];
    }
    PEN_TRY(pen_rows_pick(run, v->data.x.values, k, k, out->n, rows, &z));
    out->z = z;
    out->classes = classes;
    return PEN_OK;
}

/* Improves the columns of the best picture so far. */
static pen_status improve(pen_run *run, struct view *v, const pen_picture *best)
{
    pen_neighborhood rows;

    memcpy(v->columns, best->columns, (size_t)(2 * v->data.x.cols) * sizeof *v->columns);
    draw(v);
    PEN_TRY(spread_rows(run, v, &rows));
    return pen_neighborhood_improve(run, &rows, EVALUATIONS, v->columns);
}

static void keep_better(const char *method, const struct view *v, double shown, pen_picture *out)
{
    if (!(shown > out->shown))
        return;
    out->method = method;
    out->shown = shown;
    memcpy(out->columns, v->columns, (size_t)(2 * v->data.x.cols) * sizeof *v->columns);
}

pen_status pen_picture_find(pen_run *run, int64_t n, int64_t k, const double *z,
                            const int32_t *classes, const pen_control *control, pen_picture *out)
{
    static const char *const methods[] = { "self", "fda", "nca" };
    struct view v = { .data = { .x = pen_dense(z, PEN_F64, n, k, k), .labels = classes } };
    pen_error err;

    *out = (pen_picture){ .shown = -1 };
    PEN_TRY(pen_rows_label(run, classes, n, &v.classes));
    if (n < LEAST_ROWS || k < 2 || v.classes.classes < 2)
        return PEN_OK;
    PEN_TRY(PEN_NEW2(run, out->columns, v.columns, pen_times(k, 2)));
    PEN_TRY(PEN_NEW(run, v.drawn, pen_times(n, 2)));
    PEN_TRY(PEN_NEW(run, v.nearest, pen_times(n, NEAREST)));
    for (int m = 0; m < 3 && (m < 2 || out->method); m++) {
        double shown = -1;
        if (m == 2)
            PEN_TRY(improve(run, &v, out));
        pen_status status = m < 2 ? fit_columns(methods[m], &v, control, &err) : PEN_OK;
        if (status == PEN_OK && draw(&v))
            status = measure(&v, control, &shown, &err);
        if (pen_ends_call(status))
            return pen_fail_as(run, &err);
        keep_better(methods[m], &v, shown, out);
    }
    if (!out->method)
        out->columns = NULL;
    return PEN_OK;
}
