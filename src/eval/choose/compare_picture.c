/* compare_picture.c - the picture of rows as the recommended candidate embeds them in the first
 * trial: positions, axes, known labels and predictions. */
#include "eval/choose/compare_passes.h"

#include "eval/measures/class_picture.h"
#include "eval/trials/sample_rows.h"
#include "eval/trials/task_pool.h"
#include "eval/trials/trial_classifier.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DRAWN = 5000, LEAST_DRAWN = 4, NO_CLASS = UINT16_MAX };

enum { NAMED = 3 }; /* columns in the name of an axis */

struct drawing {
    pen_trial_set set; /* the trials, with the drawn rows as stability sample */
    pen_trial trial;
    int64_t n, dim;
    const int64_t *rows;    /* [n] ascending */
    double *z;              /* [n x dim] */
    char *known;            /* [rows of the data] 1: the fit has the label */
    double *p;              /* [n x classes] */
    int32_t *predicted;     /* [n] */
    double *axes;           /* [dim x 2] the picture is z axes */
    double *contributed[2]; /* [d] of columns to an axis; NULL: not a direction */
    float *at, *weights[2]; /* [d] for curves: the columns and their weights; at NULL: not curves;
                             * weights[1] NULL: that axis is not a direction */
};

/* ---- rows ---- */

/* Chooses labelled rows before unlabelled ones, and known and held-out rows of each class in
 * proportion. */
static pen_status choose_rows(pen_run *run, struct drawing *d)
{
    int64_t *rows;

    PEN_TRY(pen_data_sample(run, d->set.data, MOST_DRAWN, d->set.protocol.seed, &rows, &d->n));
    PEN_REQUIRE(run, d->n >= LEAST_DRAWN, PEN_BAD_DATA, "a picture needs at least %d rows",
                LEAST_DRAWN);
    d->rows = d->set.stability_rows = rows;
    d->set.stability_count = d->n;
    PEN_TRY(pen_trial_open(run, &d->set, 0, &d->trial));
    PEN_TRY(PEN_FILLED(run, d->known, d->set.data->x.rows, 0));
    for (int64_t i = 0; i < d->trial.known; i++)
        d->known[d->trial.known_rows[i]] = 1;
    return PEN_OK;
}

static pen_status embed(pen_run *run, const pen_spec *spec, double temperature,
                        const pen_model *model, const pen_control *control, struct drawing *d)
{
    const int64_t classes = d->set.classes.classes;
    const pen_classifier_params *const params = &spec->common.classifier;
    pen_trial_classifier classifier;
    pen_embedding e;

    PEN_TRY(pen_trial_apply(run, model, &d->trial, spec,
                            pen_trial_classifier_needs_all(&d->trial, params), control, &e));
    d->dim = e.k;
    PEN_TRY(pen_rows_pick(run, e.z, e.k, e.k, d->n, d->rows, &d->z));
    PEN_TRY(PEN_NEW(run, d->p, pen_times(d->n, classes)));
    PEN_TRY(PEN_NEW(run, d->predicted, d->n));
    PEN_TRY(pen_trial_classifier_open(run, &d->trial, &e, e.k, params, &classifier));
    PEN_TRY(pen_trial_classifier_apply(run, &classifier, d->n, d->rows, d->p, d->predicted));
    for (int64_t i = 0; i < d->n; i++)
        pen_temper(classes, temperature, d->p + i * classes);
    return PEN_OK;
}

/* ---- axes ---- */

/* Chooses the axes without held-out labels: the axes must not separate classes that the fit does
 * not separate. */
static pen_status choose_axes(pen_run *run, const pen_control *control, struct drawing *d)
{
    pen_picture picture = { .method = NULL };
    int32_t *told;

    PEN_TRY(PEN_NEW(run, told, d->n));
    for (int64_t i = 0; i < d->n; i++)
        told[i] = d->known[d->rows[i]] ? d->set.class_of[d->rows[i]] : d->predicted[i];
    if (d->dim > 2)
        PEN_TRY(pen_picture_find(run, d->n, d->dim, d->z, told, control, &picture));
    PEN_TRY(PEN_FILLED(run, d->axes, pen_times(2, d->dim), 0));
    for (int64_t i = 0; i < pen_min(2, d->dim); i++)
        d->axes[3 * i] = 1;
    d->axes = picture.columns ? picture.columns : d->axes;
    return PEN_OK;
}

/* Writes "name +, name -" by the contributions of columns, whatever their units; overwrites
 * `contributed`. */
static void name_axis(const pen_data *data, double *contributed, pen_string *out)
{
    const char *const *const names = data->column_names;
    char text[PEN_NUMBER_SIZE];

    for (int i = 0; i < NAMED; i++) {
        int64_t most = 0;
        for (int64_t j = 1; j < data->x.cols; j++)
            most = fabs(contributed[j]) > fabs(contributed[most]) ? j : most;
        if (contributed[most] == 0)
            return;
        snprintf(text, sizeof text, "#%lld", (long long)most);
        pen_text_add_string(out, i ? ", " : "");
        pen_text_add_string(out, names && names[most] && *names[most] ? names[most] : text);
        pen_text_add_string(out, contributed[most] < 0 ? " -" : " +");
        contributed[most] = 0;
    }
}

/* Finds the weights of columns in the axes; with a kernel there are none. */
static pen_status describe_axes(pen_run *run, const pen_model *model, struct drawing *d)
{
    const char *const *const names = d->set.data->column_names;
    const int64_t columns = model->d;

    if (model->kernel.form.kind != PEN_KERNEL_NONE)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, d->at, columns));
    for (int a = 0; a < pen_min(2, d->dim); a++) {
        PEN_TRY(PEN_NEW2(run, d->weights[a], d->contributed[a], columns));
        for (int64_t j = 0; j < columns; j++) {
            double sum = 0;
            for (int64_t c = 0; c < d->dim; c++)
                sum += model->projection[j * d->dim + c] * d->axes[2 * c + a];
            d->weights[a][j] = (float)sum;
            d->contributed[a][j] = sum * model->deviation[j];
        }
    }
    const int ordered = pen_number_columns(names, columns, d->at);
    if (columns < PEN_LEAST_SPECTRUM || columns > PEN_MOST_SPECTRUM
        || !(ordered || model->row.steps.snv || model->row.steps.derivative > 0))
        d->at = NULL;
    return PEN_OK;
}

/* ---- the text ---- */

static void add_axes(pen_string *text, const struct drawing *d)
{
    const size_t size = (size_t)d->set.data->x.cols * sizeof *d->at;

    pen_text_add_plain(text, "axes", "[");
    for (int a = 0; a < 2; a++) {
        pen_string name = { .data = NULL };
        if (d->contributed[a])
            name_axis(d->set.data, d->contributed[a], &name);
        else
            pen_text_add_string(&name, a == 0 ? "z1" : d->dim > 1 ? "z2" : "row");
        pen_text_add_text(text, NULL, &name);
    }
    pen_text_add_string(text, "]");
    if (!d->at)
        return;
    pen_text_add_plain(text, "curves", "{");
    pen_text_add_base64(text, "at", d->at, size);
    pen_text_add_plain(text, "weights", "[");
    for (int a = 0; a < 2 && d->weights[a]; a++)
        pen_text_add_base64(text, NULL, d->weights[a], size);
    pen_text_add_string(text, "]}");
}

/* Numbers of the rows for the page. */
struct marks {
    float *points; /* [n x 2] */
    uint16_t *predicted, *probability, *label;
    uint32_t *row;
    uint8_t *known;
};

static pen_status mark_rows(pen_run *run, const struct drawing *d, struct marks *m)
{
    const int64_t classes = d->set.classes.classes;

    PEN_REQUIRE(run, classes < NO_CLASS, PEN_BAD_DATA, "a picture has room for %d classes",
                NO_CLASS - 1);
    PEN_TRY(PEN_NEW(run, m->points, pen_times(2, d->n)));
    PEN_TRY(PEN_NEW3(run, m->predicted, m->probability, m->label, d->n));
    PEN_TRY(PEN_NEW2(run, m->row, m->known, d->n));
    for (int64_t i = 0; i < d->n; i++) {
        const int64_t row = d->rows[i];
        const double p = d->p[i * classes + d->predicted[i]];
        for (int a = 0; a < 2; a++) {
            double sum = a < d->dim ? 0 : (double)row;
            for (int64_t c = 0; c < d->dim && a < d->dim; c++)
                sum += d->z[i * d->dim + c] * d->axes[2 * c + a];
            m->points[2 * i + a] = (float)sum;
            PEN_REQUIRE(run, isfinite(m->points[2 * i + a]), PEN_BAD_DATA,
                        "row %lld is too far out to draw", (long long)row);
        }
        m->predicted[i] = (uint16_t)d->predicted[i];
        m->probability[i] = (uint16_t)lround(UINT16_MAX * fmin(1, p));
        m->label[i] = (uint16_t)(d->set.class_of[row] < 0 ? NO_CLASS : d->set.class_of[row]);
        m->row[i] = (uint32_t)row;
        m->known[i] = (uint8_t)d->known[row];
    }
    return PEN_OK;
}

static pen_status write(pen_run *run, const struct drawing *d, char **out)
{
    const int64_t of = d->set.data->x.rows;
    const size_t n = (size_t)d->n;
    pen_string text = { .data = NULL };
    struct marks m = { .points = NULL };

    PEN_TRY(mark_rows(run, d, &m));
    pen_text_add_string(&text, "{");
    pen_text_add_member(&text, "title", "");
    pen_text_add_count(&text, "rows", d->n);
    if (d->n < of)
        pen_text_add_count(&text, "of", of);
    pen_text_add_count(&text, "dims", 2);
    add_axes(&text, d);
    pen_text_add_base64(&text, "points", m.points, 2 * n * sizeof *m.points);
    pen_text_add_base64(&text, "class", m.predicted, n * sizeof *m.predicted);
    pen_text_add_base64(&text, "probability", m.probability, n * sizeof *m.probability);
    pen_text_add_base64(&text, "label", m.label, n * sizeof *m.label);
    pen_text_add_base64(&text, "known", m.known, n * sizeof *m.known);
    if (d->n < of)
        pen_text_add_base64(&text, "row", m.row, n * sizeof *m.row);
    pen_text_add_string(&text, "}");
    return pen_text_finish(run, &text, out);
}

/* ---- all ---- */

/* A pen_piece_fn: draws everything in one piece, with fits as in trials. */
static pen_status draw(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const pen_comparing *const k = context;
    const pen_compared *const chosen = &k->out->candidates[k->out->chosen];
    const pen_spec *const spec = chosen->spec;
    const double given = spec->common.classifier.temperature;
    struct drawing d = { .set = *k->trials };
    pen_model *model;

    (void)piece;
    PEN_TRY(choose_rows(run, &d));
    PEN_TRY(pen_trial_model(run, &d.trial, spec, spec->common.dim, control, &model));
    pen_status status = embed(run, spec, given < 0 ? pen_comparing_temperature(k, chosen) : given,
                              model, control, &d);
    if (status == PEN_OK)
        status = choose_axes(run, control, &d);
    if (status == PEN_OK)
        status = describe_axes(run, model, &d);
    pen_model_free(model);
    return status == PEN_OK ? write(run, &d, &k->out->picture) : status;
}

pen_status pen_comparing_draw(pen_run *run, pen_comparing *k)
{
    const pen_task_pool tasks = { "picture", 1, draw, k };
    pen_error why;

    const pen_status status = pen_tasks_run(run, &tasks, &why);
    return status == PEN_CANCELLED ? PEN_OK : status;
}
