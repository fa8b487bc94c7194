/* projection.c - projections of principal components by class probabilities, chosen on left-out
 * rows. */
#include "eval/choose/projection.h"

#include "classifiers/affine_classifier.h"
#include "classifiers/predictions.h"
#include "core/rng.h"
#include "core/row_steps.h"
#include "core/textbuf.h"
#include "eval/measures/class_picture.h"
#include "eval/trials/task_pool.h"
#include "eval/trials/sample_rows.h"
#include "eval/trials/trial_classifier.h"
#include "linalg/blas.h"
#include "linalg/products.h"
#include "linalg/signs.h"
#include "model/classifier_fit.h"
#include "model/describe.h"
#include "model/model.h"
#include "model/spec.h"
#include "solve/class_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ridges[] = { 0.01, 0.03, 0.1, 0.3, 1, 3, 1000 };
static const int64_t votes[] = { 1, 5, 10, 20 }, widths[] = { 15, 30, 60 };

enum {
    RIDGES = sizeof ridges / sizeof *ridges,
    VOTES = sizeof votes / sizeof *votes,
    WIDTHS = 1 + sizeof widths / sizeof *widths, /* and only the directions */
    FOLDS = 5,
    ASKED = 400, /* most rows to classify in a fold */
    MOST_COMPONENTS = 1000,
    LARGE = 2500, /* rows and columns: approximate components */
    SPLIT_TAG = 6000
};

/* The fraction of classified rows that fewer columns may lose. */
static const double LOSS = 0.005;

/* The rows in principal components, and their classes. */
struct rows {
    pen_known_rows all;
    int32_t *told; /* [n] class by p */
    /* for each fold, the left-out rows and the rows to learn from */
    int64_t *out[FOLDS], out_count[FOLDS], *in[FOLDS], in_count[FOLDS];
    int64_t widths[WIDTHS]; /* ascending */
    int count;              /* the number of widths */
    /* [FOLDS x RIDGES x WIDTHS x VOTES] rows classified as by p; -1: too few columns */
    int64_t *same;
};

/* ---- principal components ---- */

static pen_status fit_components(pen_run *run, const pen_data *data, const pen_row_params *steps,
                                 const pen_control *control, pen_model **out)
{
    const int64_t size = pen_min(data->x.rows, data->x.cols);
    const int64_t most = size > LARGE ? size / 50 : pen_min(size, MOST_COMPONENTS);
    pen_spec *spec;

    PEN_TRY(pen_spec_new("pca", &spec, pen_run_error(run)));
    spec->common.dim = most;
    spec->common.allow_fewer = 1;
    spec->common.classifier.kind = PEN_CLASSIFIER_NONE;
    spec->common.row = *steps;
    const pen_status status =
        pen_model_fit(pen_run_cache(run), spec, data, control, out, pen_run_error(run));
    pen_spec_free(spec);
    return status;
}

/* Embeds the rows of the data by the model of components. */
static pen_status embed(pen_run *run, const pen_data *data, const pen_model *model,
                        pen_known_rows *out)
{
    const int64_t n = data->x.rows, q = model->k;
    double *variance, *z;

    PEN_TRY(PEN_NEW(run, z, pen_times(n, q)));
    PEN_TRY(pen_model_embed(run, model, &data->x, z, q));
    PEN_TRY(PEN_FILLED(run, variance, q, 0));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < q; j++)
            variance[j] += z[i * q + j] * z[i * q + j] / (double)n;
    out->n = n;
    out->q = q;
    out->z = z;
    out->variance = variance;
    return PEN_OK;
}

pen_status pen_known_rows_open(pen_run *run, const pen_data *data, const pen_row_params *steps,
                               const pen_control *control, pen_known_rows *out)
{
    pen_model *model = NULL;

    PEN_TRY(fit_components(run, data, steps, control, &model));
    const pen_status status = embed(run, data, model, out);
    pen_model_free(model);
    return status;
}

/* ---- the choice ---- */

/* Removes excluded rows from a list [*count] of all rows. */
static pen_status leave_out(pen_run *run, const pen_known_rows *x, int64_t *rows, int64_t *count)
{
    char *out;

    PEN_TRY(PEN_FILLED(run, out, x->n, 0));
    for (int64_t i = 0; i < x->but_count; i++)
        out[x->but[i]] = 1;
    *count = 0;
    for (int64_t i = 0; i < x->n; i++)
        if (!out[rows[i]])
            rows[(*count)++] = rows[i];
    return PEN_OK;
}

/* Deals the rows to folds, in a random order that depends on their content. */
static pen_status split(pen_run *run, const pen_data *data, uint64_t seed, struct rows *x)
{
    pen_rng rng = { pen_rng_derive(seed, SPLIT_TAG) };
    int64_t *order, *turn, count;

    PEN_TRY(pen_data_order(run, data, &order));
    PEN_TRY(leave_out(run, &x->all, order, &count));
    PEN_TRY(PEN_NEW(run, turn, count));
    pen_rng_permutation(&rng, count, turn);
    for (int f = 0; f < FOLDS; f++) {
        PEN_TRY(PEN_NEW2(run, x->out[f], x->in[f], x->all.n));
        for (int64_t i = 0; i < count; i++)
            if (i % FOLDS != f)
                x->in[f][x->in_count[f]++] = order[turn[i]];
            else if (x->out_count[f] < ASKED)
                x->out[f][x->out_count[f]++] = order[turn[i]];
    }
    PEN_TRY(PEN_NEW(run, x->told, x->all.n));
    for (int64_t i = 0; i < x->all.n; i++)
        x->told[i] = pen_largest_share(x->all.classes, x->all.p + i * x->all.classes);
    return PEN_OK;
}

static void list_widths(int64_t wanted, struct rows *x)
{
    const int64_t most = pen_min(x->all.q, widths[WIDTHS - 2]);

    x->widths[0] = wanted > 0 ? wanted : pen_min(most, pen_max(2, x->all.classes - 1));
    x->count = 1;
    for (int i = 0; wanted == 0 && i < WIDTHS - 1; i++)
        if (pen_min(most, widths[i]) > x->widths[x->count - 1])
            x->widths[x->count++] = pen_min(most, widths[i]);
}

/* Projects rows [count] by W [k x q]: to [count x k]. */
static pen_status project(pen_run *run, const struct rows *x, int64_t count, const int64_t *rows,
                          const double *W, int64_t k, double **to)
{
    double *z;

    PEN_TRY(PEN_NEW(run, *to, pen_times(count, k)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_pick(run, x->all.z, x->all.q, x->all.q, count, rows, &z));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, count, k, x->all.q, 1, z, x->all.q, W,
                  x->all.q, 0, *to, k);
    pen_release(run, mark);
    return PEN_OK;
}

/* Classifies a row by its nearest rows, for each number of votes. near [count]: nearest first,
 * numbers in `from`. */
static void vote(const struct rows *x, const int64_t *from, int64_t count, const int64_t *near,
                 double *sum, int32_t told[VOTES])
{
    int next = 0;

    memset(sum, 0, (size_t)x->all.classes * sizeof *sum);
    for (int64_t v = 0; v < count; v++) {
        const double *const p = x->all.p + from[near[v]] * x->all.classes;
        for (int64_t c = 0; c < x->all.classes; c++)
            sum[c] += p[c];
        while (next < VOTES && (v + 1 == votes[next] || v + 1 == count))
            told[next++] = pen_largest_share(x->all.classes, sum);
    }
}

/* The rows to learn from and the rows to classify, in the columns of one ridge. */
struct trial {
    const struct rows *x;
    const int64_t *from, *asked;
    int64_t rows, count, stride; /* of both together, and of */
    double *a, *b;
};

/* same [VOTES] += rows that their nearest rows in the first k columns classify as by p. */
static pen_status ask(pen_run *run, const struct trial *t, int64_t k, const pen_control *control,
                      int64_t *same)
{
    const int64_t most = pen_min(votes[VOTES - 1], t->rows);
    const pen_array a = pen_dense(t->a, PEN_F64, t->rows, k, t->stride),
                    b = pen_dense(t->b, PEN_F64, t->count, k, t->stride);
    const pen_mark_t mark = pen_mark(run);
    int32_t told[VOTES];
    int64_t *near;
    double *sum;

    if (t->count == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, near, pen_times(t->count, most)));
    PEN_TRY(PEN_NEW(run, sum, t->x->all.classes));
    PEN_TRY(pen_neighbors(&a, &b, most, control, near, NULL, pen_run_error(run)));
    for (int64_t i = 0; i < t->count; i++) {
        vote(t->x, t->from, most, near + i * most, sum, told);
        for (int v = 0; v < VOTES; v++)
            same[v] += told[v] == t->x->told[t->asked[i]];
    }
    pen_release(run, mark);
    return PEN_OK;
}

static int64_t *same_of(const struct rows *x, int fold, int ridge, int width)
{
    return x->same + ((fold * RIDGES + ridge) * WIDTHS + width) * VOTES;
}

/* Learns `most` columns. */
static pen_status learn_columns(pen_run *run, double ridge, int64_t most, struct trial *t)
{
    const struct rows *const x = t->x;
    pen_class_means means;
    double *W;

    PEN_TRY(PEN_NEW(run, W, pen_times(most, x->all.q)));
    PEN_TRY(pen_class_means_find(run, t->rows, t->from, x->all.z, x->all.p, x->all.q,
                                 x->all.classes, x->all.variance, &means));
    PEN_TRY(pen_class_columns(run, &means, ridge, most, W, &t->stride));
    PEN_TRY(project(run, x, t->rows, t->from, W, t->stride, &t->a));
    return project(run, x, t->count, t->asked, W, t->stride, &t->b);
}

/* Tries one ridge without one fold. */
static pen_status try_ridge(void *context, pen_run *run, const pen_control *control, int64_t piece)
{
    const struct rows *const x = context;
    const int fold = (int)(piece / RIDGES), ridge = (int)(piece % RIDGES);
    struct trial t = { x, x->in[fold], x->out[fold], x->in_count[fold], x->out_count[fold],
                       0, NULL,        NULL };

    PEN_TRY(learn_columns(run, ridges[ridge], x->widths[x->count - 1], &t));
    for (int w = 0; w < x->count; w++) {
        int64_t *const same = same_of(x, fold, ridge, w);
        if (x->widths[w] <= t.stride)
            PEN_TRY(ask(run, &t, x->widths[w], control, same));
        else
            same[0] = -1;
    }
    return PEN_OK;
}

/* Rows of all folds classified as by p; -1: a fold has too few columns. */
static int64_t same_of_all(const struct rows *x, int ridge, int width, int vote_count)
{
    int64_t sum = 0;

    for (int f = 0; f < FOLDS; f++) {
        const int64_t *const same = same_of(x, f, ridge, width);
        if (same[0] < 0)
            return -1;
        sum += same[vote_count];
    }
    return sum;
}

static pen_status choose(pen_run *run, struct rows *x, pen_projection_choice *out)
{
    const pen_task_pool tasks = {
        .phase = "projection", .pieces = FOLDS * RIDGES, .fn = try_ridge, .context = x
    };
    int64_t most = -1, best = -1, asked = 0;

    *out = (pen_projection_choice){ 1, (double)NAN, x->widths[0], votes[VOTES - 1] };
    PEN_TRY(PEN_FILLED(run, x->same, FOLDS * RIDGES * WIDTHS * VOTES, 0));
    PEN_TRY(pen_tasks_run(run, &tasks, NULL));
    for (int f = 0; f < FOLDS; f++)
        asked += x->out_count[f];
    for (int pass = 0; pass < 2; pass++) /* the best of all, then the fewest columns */
        for (int w = 0; w < x->count && (pass == 0 || best < 0); w++)
            for (int at = 0; at < RIDGES * VOTES; at++) {
                const int64_t same = same_of_all(x, at / VOTES, w, at % VOTES);
                if (pass == 0)
                    most = pen_max(most, same);
                else if (same > best && (double)same >= (double)most - LOSS * (double)asked) {
                    best = same;
                    *out =
                        (pen_projection_choice){ ridges[at / VOTES], (double)same / (double)asked,
                                                 x->widths[w], votes[at % VOTES] };
                }
            }
    return PEN_OK;
}

pen_status pen_projection_choose(pen_run *run, const pen_data *data, const pen_known_rows *all,
                                 uint64_t seed, pen_projection_choice *out)
{
    struct rows x = { .all = *all };

    PEN_TRY(split(run, data, seed, &x));
    list_widths(0, &x);
    return choose(run, &x, out);
}

pen_status pen_projection_tell(pen_run *run, const pen_known_rows *all,
                               const pen_projection_choice *choice, int64_t count,
                               const int64_t *rows, double *told)
{
    const struct rows x = { .all = *all };
    const int64_t c = all->classes;
    struct trial t = { .x = &x, .asked = rows, .count = count };
    int64_t *from;
    pen_classifier classifier;
    double *p;

    PEN_TRY(PEN_NEW(run, from, all->n));
    for (int64_t i = 0; i < all->n; i++)
        from[i] = i;
    PEN_TRY(leave_out(run, all, from, &t.rows));
    t.from = from;
    PEN_TRY(learn_columns(run, choice->ridge, choice->k, &t));
    PEN_TRY(pen_rows_pick(run, all->p, c, c, t.rows, from, &p));
    PEN_TRY(pen_classifier_fit_votes(run, t.rows, t.stride, t.a, c, p, choice->votes, &classifier));
    return pen_classifier_apply(run, &classifier, count, t.b, t.stride, told, NULL);
}

/* ---- the model ---- */

/* Turns the model of principal components into the model of their columns W [k x q]. */
static pen_status fold(pen_run *run, int64_t k, const double *W, pen_model *model)
{
    const int64_t d = model->d, q = model->k;
    double *projection, *rounding;

    PEN_TRY(PEN_NEW(run, projection, pen_times(d, k)));
    PEN_TRY(PEN_FILLED(run, rounding, k, 0));
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, d, k, q, 1, model->projection, q, W, q, 0,
                  projection, k);
    PEN_TRY(pen_fix_signs(run, d, k, model->deviation, projection));
    for (int64_t i = 0; i < k * q; i++)
        rounding[i / q] += fabs(W[i]) * model->rounding[i % q];
    free(model->projection);
    free(model->rounding);
    free(model->eigenvalues);
    model->eigenvalues = model->rounding = NULL;
    model->k = k;
    PEN_TRY(pen_model_numbers(run, projection, d * k, &model->projection));
    return pen_model_numbers(run, rounding, k, &model->rounding);
}

/* *out [2 k]: the classes with the largest and the least mean in each column of z. */
static pen_status find_separated(pen_run *run, const struct rows *x, const double *z, int64_t k,
                                 double **out)
{
    double *sum, *size;

    PEN_TRY(PEN_NEW(run, *out, pen_times(2, k)));
    PEN_TRY(PEN_NEW(run, sum, pen_times(x->all.classes, k)));
    PEN_TRY(PEN_FILLED(run, size, x->all.classes, 0));
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, x->all.classes, k, x->all.n, x->all.p, z,
                         sum));
    for (int64_t i = 0; i < x->all.n * x->all.classes; i++)
        size[i % x->all.classes] += x->all.p[i];
    for (int64_t j = 0; j < k; j++) {
        double most = -(double)INFINITY, least = (double)INFINITY;
        for (int64_t c = 0; c < x->all.classes; c++) {
            const double mean = size[c] > 0 ? sum[c * k + j] / size[c] : 0;
            if (mean > most) {
                most = mean;
                (*out)[2 * j] = (double)c;
            }
            if (mean < least) {
                least = mean;
                (*out)[2 * j + 1] = (double)c;
            }
        }
    }
    return PEN_OK;
}

/* The rows of the classifier: the rows of the projection, and further ones. */
struct known {
    int64_t n;
    double *z, *p; /* [n x k], [n x classes] */
    int32_t *told; /* [n] */
};

static pen_status open_known(pen_run *run, const pen_projection_rows *rows, const struct rows *x,
                             const pen_model *model, struct known *out)
{
    const int64_t more = rows->more ? rows->more->rows : 0, c = x->all.classes, k = model->k;

    out->n = x->all.n + more;
    PEN_TRY(PEN_NEW(run, out->z, pen_times(out->n, k)));
    PEN_TRY(PEN_FILLED(run, out->p, pen_times(out->n, c), 0));
    PEN_TRY(PEN_NEW(run, out->told, out->n));
    PEN_TRY(pen_model_embed(run, model, &rows->data->x, out->z, k));
    if (more > 0)
        PEN_TRY(pen_model_embed(run, model, rows->more, out->z + x->all.n * k, k));
    memcpy(out->p, x->all.p, (size_t)(x->all.n * c) * sizeof *x->all.p);
    memcpy(out->told, x->told, (size_t)x->all.n * sizeof *x->told);
    for (int64_t i = 0; i < more; i++) {
        out->told[x->all.n + i] = rows->more_classes[i];
        out->p[(x->all.n + i) * c + rows->more_classes[i]] = 1;
    }
    return PEN_OK;
}

/* Tempers the probabilities until they are as sure as p. A row's nearest row is itself, which does
 * not count. */
static pen_status temper_like(pen_run *run, const struct known *known,
                              const pen_classifier *classifier, double *temperature)
{
    const double usual = pen_usual_temperature(classifier->kind);
    double *p;

    PEN_TRY(PEN_NEW(run, p, pen_times(known->n, classifier->classes)));
    PEN_TRY(pen_classifier_apply(run, classifier, known->n, known->z, classifier->k, p, NULL));
    *temperature = classifier->kind == PEN_CLASSIFIER_NEAREST
                       ? usual
                       : pen_temperature_like(known->n, classifier->classes, p, known->p, usual);
    return PEN_OK;
}

/* Keeps the nearest rows, or fits another classifier to the classes of p. */
static pen_status keep_classifier(pen_run *run, const pen_projection_rows *rows, int64_t classes,
                                  const struct known *known, const pen_projection_choice *choice,
                                  const pen_classifier_params *wanted, pen_model *model)
{
    const int is_auto = wanted->kind == PEN_CLASSIFIER_AUTO;
    const enum pen_classifier_kind kind = is_auto ? PEN_CLASSIFIER_NEIGHBORS : wanted->kind;
    const int64_t count = is_auto || wanted->neighbors < 1 ? choice->votes : wanted->neighbors;
    const pen_classifier_params params = { .kind = kind };
    const pen_embedded_rows e = { .n = known->n,
                                  .k = model->k,
                                  .z = known->z,
                                  .labels = known->told,
                                  .classes = classes,
                                  .rounding = model->rounding };
    pen_classifier classifier;

    if (kind == PEN_CLASSIFIER_NEIGHBORS) {
        model->temperature = rows->temperature;
        PEN_TRY(pen_classifier_fit_votes(run, known->n, model->k, known->z, classes, known->p,
                                         count, &classifier));
    } else {
        PEN_TRY(pen_classifier_fit(run, &e, &params, &classifier));
        PEN_TRY(temper_like(run, known, &classifier, &model->temperature));
    }
    return pen_classifier_keep(run, &classifier, model);
}

/* Facts of the model of components about the rows. */
static const char *const of_rows[] = { "rows",           "labelled", "classes", "class_type",
                                       "scaled_columns", "far_rows", "warning" };
enum { WARNING_SIZE = 256 };

/* Warns if the requested dimensions are too few to predict as well as the candidates, whose
 * accuracy the trials report. */
static int warn_of_dim(const pen_projection_choice *choice, const pen_model *model,
                       char text[WARNING_SIZE])
{
    snprintf(
        text, WARNING_SIZE,
        "in %lld dimension%s, %.0f%% of other rows get a different class than from the candidates, "
        "so predictions of new rows are less accurate than theirs: take more, or leave dim out",
        (long long)model->k, model->k == 1 ? "" : "s", 100 * (1 - choice->agreement));
    return model->k < model->class_count - 1 && choice->agreement < 0.9;
}

static pen_status describe_parameters(pen_run *run, const pen_row_params *row, pen_model *model)
{
    pen_string text = { .data = NULL };
    char steps[PEN_PARAM_SIZE];

    pen_text_add_string(&text, "{");
    pen_text_add_count(&text, "dim", model->k);
    pen_text_write(&pen_row_steps_form, row, steps);
    pen_text_add_member(&text, "row_steps", steps);
    pen_text_add_member(&text, "scale", "auto");
    pen_text_add_string(&text, "}");
    free(model->parameters);
    return pen_text_finish(run, &text, &model->parameters);
}

/* The info is that of the components plus the choice. Their warning is dropped for a sample,
 * because it may have row numbers, which differ there. */
static pen_status describe(pen_run *run, const pen_projection_choice *choice,
                           const pen_projection_rows *rows, const double *separates,
                           const pen_picture *picture, pen_model *model)
{
    pen_string text = { .data = NULL };
    const char *const classifier = pen_model_classifier(model);
    pen_json *info;
    char warning[WARNING_SIZE];
    const int warns = warn_of_dim(choice, model, warning);

    free(model->method);
    PEN_TRY(pen_keep_text(run, "auto", &model->method));
    PEN_TRY(describe_parameters(run, &rows->steps, model));
    PEN_TRY(pen_describe_parse(run, model->info, &info));
    pen_text_add_string(&text, "{");
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        if (!(warns || rows->is_sample) || strcmp(of_rows[i], "warning") != 0)
            pen_describe_add(&text, of_rows[i], pen_json_member(info, of_rows[i]));
    if (warns)
        pen_text_add_member(&text, "warning", warning);
    if (rows->members)
        pen_text_add_member(&text, "members", rows->members);
    pen_text_add_number(&text, "ridge", choice->ridge);
    pen_text_add_number(&text, "agreement", choice->agreement);
    pen_text_add_numbers(&text, "separates", separates, 2 * model->k);
    if (classifier)
        pen_text_add_member(&text, "classifier", classifier);
    if (model->classifier.votes)
        pen_text_add_count(&text, "neighbors", model->classifier.neighbors);
    if (picture->method)
        pen_text_add_member(&text, "picture", picture->method);
    pen_text_add_string(&text, "}");
    free(model->info);
    return pen_text_finish(run, &text, &model->info);
}

static pen_status learn(pen_run *run, const pen_projection_rows *rows, struct rows *x,
                        const pen_spec *spec, const pen_control *control, pen_model *model)
{
    const pen_auto *const own = spec->own;
    const int64_t dim = spec->common.dim;
    pen_projection_choice choice;
    struct known known;
    pen_class_means means;
    pen_picture picture;
    double *W, *separates;
    int64_t k;

    PEN_REQUIRE(run, dim <= model->k, PEN_RANK_TOO_SMALL,
                "dim must be at most %lld, the rank of the rows, got %lld", (long long)model->k,
                (long long)dim);
    PEN_TRY(embed(run, rows->data, model, &x->all));
    PEN_TRY(split(run, rows->data, (uint64_t)spec->common.seed, x));
    list_widths(dim, x);
    PEN_TRY(choose(run, x, &choice));
    PEN_TRY(PEN_NEW(run, W, pen_times(choice.k, x->all.q)));
    PEN_TRY(pen_class_means_find(run, x->all.n, NULL, x->all.z, x->all.p, x->all.q, x->all.classes,
                                 x->all.variance, &means));
    PEN_TRY(pen_class_columns(run, &means, choice.ridge, choice.k, W, &k));
    PEN_TRY(fold(run, k, W, model));
    PEN_TRY(open_known(run, rows, x, model, &known));
    PEN_TRY(find_separated(run, x, known.z, k, &separates));
    if (!own->ensemble)
        PEN_TRY(keep_classifier(run, rows, x->all.classes, &known, &choice,
                                &spec->common.classifier, model));
    PEN_TRY(pen_picture_find(run, x->all.n, k, known.z, x->told, control, &picture));
    PEN_TRY(pen_model_numbers(run, picture.columns, 2 * k, &model->picture));
    return describe(run, &choice, rows, separates, &picture, model);
}

pen_status pen_projection_learn(pen_run *run, const pen_projection_rows *rows, const pen_spec *spec,
                                const pen_control *control, pen_model **out)
{
    struct rows x = { .all = { .p = rows->p } };

    PEN_TRY(fit_components(run, rows->data, &rows->steps, control, out));
    x.all.classes = (*out)->class_count;
    return learn(run, rows, &x, spec, control, *out);
}
