/* labels_fit.c - see labels_fit.h. */
#define _POSIX_C_SOURCE 200809L

#include "kit/labels_fit.h"
#include "model/model.h"
#include "oracle/class_mass_oracle.h"

#include <stdio.h>
#include <unistd.h>

sample sample_labels(void)
{
    static const double x[] = { 0.97,  0.75, -0.02, -0.6, -1.43, 0.6,   -1.21, -0.42, -0.78, -0.28,
                                -1.35, 0.1,  0.44,  0.84, 0.78,  0.98,  -1.47, 1.03,  0.73,  -0.1,
                                -0.08, -0.4, -1.26, 0.85, -0.42, -0.41, 0.74,  0.48,  -0.59, 1.04 };
    static const int32_t y[] = { 0, 1, 0, 1, 0, 1, -1, -1, -1, -1 };
    return sample_of(10, 3, x, y);
}

double *info_list(const pen_model *model, const char *name, int64_t *count)
{
    char key[64];

    snprintf(key, sizeof key, "info.%s", name);
    *count = model_list(model, key, 0, NULL);
    double *list = check_allocate(*count, sizeof *list);
    model_list(model, key, *count, list);
    return list;
}

void check_entries(const char *what, int64_t count, const double *found, const double *right,
                   double tolerance, const char *file, int line)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(found[i] - right[i]) <= tolerance * (1 + fabs(right[i])))) {
            print_error("%s: entry %lld is %.17g, expected %.17g\n", what, (long long)i, found[i],
                        right[i]);
            check_fail(file, line);
        }
}

/* ---- models against the oracle ---- */

/* How the fitted rows are obtained from those the oracle fits. */
typedef struct turned {
    const double *q;        /* [d x d] rotation of the rows; NULL: none */
    const int64_t *row;     /* [n] row i is row row[i] of the oracle's; NULL: i */
    const int64_t *renamed; /* [classes] class k of the oracle is renamed[k]; NULL: k */
    double column_factor, value_factor;
} turned;

static int starts(const char *text, const char *method)
{
    const size_t length = strlen(method);
    return strncmp(text, method, length) == 0 && (text[length] == ' ' || text[length] == '\0');
}

static int predicts(const char *text)
{
    return starts(text, "fme") || starts(text, "asl") || starts(text, "soge");
}

static int64_t new_class(const turned *t, int64_t k)
{
    return t->renamed ? t->renamed[k] : k;
}

/* W [d x count] of the oracle, transformed to the fitted rows. */
static double *turn_columns(const label_oracle *o, const turned *t, int prediction)
{
    const int64_t d = o->fit->d, count = o->fit->count;
    double *right = check_allocate(d * count, sizeof *right);

    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < count; j++) {
            const int64_t block = j / o->classes * o->classes;
            const int64_t to = prediction && block + o->classes <= count
                                   ? block + new_class(t, j % o->classes)
                                   : j;
            for (int64_t c = 0; c < d; c++)
                right[i * count + to] += (t->q     ? t->q[c * d + i]
                                          : c == i ? 1
                                                   : 0)
                                         * t->column_factor * o->fit->W[c * count + j];
        }
    return right;
}

/* Of two equally good solutions, the one in the model: selected in every block by the sums of its
 * columns. */
static void choose_turn(const pen_model *model, label_oracle *o, const turned *t)
{
    const int64_t d = o->fit->d, m = o->fit->count, c = o->classes;

    for (int64_t from = 0; from + c <= m && label_oracle_two(o); from += c) {
        double *right = turn_columns(o, t, 1), along = 0;
        for (int64_t i = 0; i < d; i++) {
            double sum = 0, wanted = 0;
            for (int64_t k = 0; k < c; k++) {
                sum += pen_model_tensor(model, "projection").values[i * m + from + k];
                wanted += right[i * m + from + k];
            }
            along += sum * wanted;
        }
        if (along < 0)
            label_oracle_turn(o, from);
        free(right);
    }
}

static void check_array(const char *text, const char *what, int64_t count, const double *found,
                        const double *right, double tolerance)
{
    double most = 0;
    CHECK(found, "%s: no %s", text, what);
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(right[i]));
    for (int64_t i = 0; i < count; i++)
        CHECK(fabs(found[i] - right[i]) <= tolerance * most,
              "%s: %s[%lld] is %.17g, expected %.17g", text, what, (long long)i, found[i],
              right[i]);
}

static void check_scores(const char *text, const pen_model *model, const label_oracle *o,
                         const turned *t, double tolerance)
{
    const int64_t c = o->classes;
    double *right = check_allocate(o->n * c, sizeof *right),
           *bias = check_allocate(c, sizeof *bias),
           *class_mass = check_allocate(2 * c, sizeof *class_mass),
           *turned_mass = check_allocate(2 * c, sizeof *turned_mass),
           *shares = label_oracle_shares(o, class_mass);

    for (int64_t i = 0; i < o->n; i++)
        for (int64_t k = 0; k < c; k++)
            right[i * c + new_class(t, k)] = shares[(t->row ? t->row[i] : i) * c + k];
    for (int64_t k = 0; k < 2 * c; k++)
        turned_mass[k / c * c + new_class(t, k % c)] = class_mass[k];
    for (int64_t k = 0; predicts(text) && k < c; k++)
        bias[new_class(t, k)] = o->bias[k];
    check_array(text, "propagated", o->n * c, pen_model_tensor(model, "probabilities").values,
                right, tolerance);
    if (predicts(text))
        check_array(text, "bias", c, pen_model_tensor(model, "bias").values, bias, tolerance);
    if (o->prior == PEN_PRIOR_NONE)
        CHECK(!model->class_mass, "%s: class masses", text);
    else
        check_array(text, "class_mass", 2 * c, model->class_mass, turned_mass, tolerance);
    free(right), free(bias), free(class_mass), free(turned_mass), free(shares);
}

static void check_model_of(const char *text, const pen_model *model, label_oracle *o,
                           const turned *t, double tolerance)
{
    const pair_oracle *f = o->fit;
    const int64_t r = pen_model_dim(model), d = f->d;
    const int of_ratio = starts(text, "soda") || starts(text, "tr-fsda");

    CHECK(r == f->gives && pen_model_columns(model) == d, "%s: %lld dimensions, expected %lld",
          text, (long long)r, (long long)f->gives);
    CHECK(pen_model_class_count(model) == o->classes && model->rows == o->n,
          "%s: %lld classes, %lld rows", text, (long long)pen_model_class_count(model),
          (long long)model->rows);
    if (starts(text, "soge"))
        choose_turn(model, o, t);
    double *right = turn_columns(o, t, predicts(text));
    if (predicts(text)) {
        CHECK(!pen_model_tensor(model, "eigenvalues").values, "%s: eigenvalues", text);
        check_array(text, "projection", d * r, pen_model_tensor(model, "projection").values, right,
                    tolerance);
    } else {
        CHECK(!pen_model_tensor(model, "bias").values, "%s: a bias", text);
        check_signs(model, text);
        for (int64_t j = 0; j < f->count; j++) {
            const double sign = j < r ? dense_sign(d, pen_model_tensor(model, "projection").values,
                                                   r, right, f->count, j)
                                      : 1;
            f->values[j] *= t->value_factor;
            for (int64_t i = 0; i < d; i++)
                right[i * f->count + j] *= sign;
        }
        if (f->count > 1 || !of_ratio)
            check_pair_columns(f, right, r, pen_model_tensor(model, "eigenvalues").values,
                               pen_model_tensor(model, "projection").values, tolerance, text);
        else /* a single eigenvalue of the difference is 0, except for rounding */
            check_array(text, "projection", d, pen_model_tensor(model, "projection").values, right,
                        tolerance);
    }
    if (predicts(text) || starts(text, "soda"))
        check_scores(text, model, o, t, tolerance);
    else
        CHECK(!pen_model_tensor(model, "probabilities").values, "%s: scores", text);
    if (of_ratio)
        CHECK_CLOSE(info_number(model, "ratio"), o->ratio, tolerance, 0);
    free(right);
}

/* The objectives and iterations that the info reports. */
static void check_history(const char *text, const pen_model *model, const label_oracle *o)
{
    int64_t count;
    double *list = info_list(model, "objective", &count);

    if (starts(text, "fme")) {
        CHECK(count == 1
                  && fabs(list[0] - o->history[0]) <= 1e-9 * o->history[0] + 1e-11 * o->weight,
              "%s: %lld objectives, %.17g, expected %.17g", text, (long long)count, list[0],
              o->history[0]);
    } else if (predicts(text)) {
        CHECK(count > 0 && info_number(model, "iterations") == (double)count,
              "%s: %g iterations, %lld objectives", text, info_number(model, "iterations"),
              (long long)count);
        for (int64_t i = 1; i < count; i++)
            CHECK(list[i] <= list[i - 1] + 1e-12 * fabs(list[i - 1]),
                  "%s: objective %lld is %.17g, and was %.17g", text, (long long)i, list[i],
                  list[i - 1]);
    }
    for (int64_t i = 0; starts(text, "asl") && i < count && i < o->iterations; i++)
        CHECK_CLOSE(list[i], o->history[i], 1e-9, 1e-12);
    if (starts(text, "asl") && !strstr(text, "tol=0"))
        CHECK(count == o->iterations, "%s: %lld iterations, expected %lld", text, (long long)count,
              (long long)o->iterations);
    free(list);
}

static void check_fit(const char *text, const char *label, label_oracle *o, const pen_data *data,
                      double tolerance)
{
    const turned same = { .column_factor = 1, .value_factor = 1 };
    pen_model *model = fit_data(text, data);

    check_model_of(label, model, o, &same, tolerance);
    for (int64_t i = 0; i < o->fit->d; i++)
        CHECK_CLOSE(pen_model_tensor(model, "mean").values[i], o->fit->mean[i], 1e-13, 1e-13);
    check_history(label, model, o);
    pen_model_free(model);
}

void check_like_label_oracle(const char *text, const pen_data *data, const pen_data *of,
                             double tolerance)
{
    label_oracle *o = label_oracle_fit(text, data);
    const pen_data *fitted = of ? of : data;
    char label[300];

    snprintf(label, sizeof label, "%s (%lld rows of %lld)", text, (long long)data->x.rows,
             (long long)data->x.cols);
    if (o->fit->status == PEN_OK && !o->arbitrary)
        check_fit(text, label, o, fitted, tolerance);
    else if (o->fit->status == PEN_OK)
        pen_model_free(fit_data(text, fitted));
    else
        CHECK_FIT_FAILS(text, fitted, o->fit->status, NULL);
    label_oracle_free(o);
}

void check_all_label_shapes(uint64_t tag, const char *const *texts, int64_t count, int64_t columns,
                            double tolerance)
{
    pen_rng rng = check_rng(tag);

    for (int repeat = 0; repeat < check_repeats(1); repeat++)
        for (int which = 0; which < SHAPES; which++) {
            sample s = sample_shape(&rng, which);
            const pen_data data = sample_data(&s);
            /* grid points: equal distances are no longer equal after scaling or rotation */
            const int lattice = which == SHAPES - 1;
            for (int64_t i = 0; i < count && s.d >= columns; i++)
                if (!lattice || (!strstr(texts[i], "pca=") && !strstr(texts[i], "scale=")))
                    check_like_label_oracle(texts[i], &data, NULL, tolerance);
            sample_free(&s);
        }
}

/* ---- invariances ---- */

static void check_turned(const char *text, const sample *s, const char *other_text,
                         const sample *other, const turned *t, double tolerance)
{
    const pen_data data = sample_data(s);
    label_oracle *o = label_oracle_fit(text, &data);
    pen_model *model = fit_sample(other_text, other);

    check_model_of(text, model, o, t, tolerance);
    pen_model_free(model);
    label_oracle_free(o);
}

/* Other names in the order of the old ones, and in a different order. */
static void pen_check_names(const label_changes *change, const sample *s)
{
    static const int32_t names[2][3] = { { INT32_MIN, -7, 40 }, { 5, INT32_MAX, -3 } };
    static const int64_t places[2][3] = { { 0, 1, 2 }, { 1, 2, 0 } };

    for (int form = 0; form < 2; form++) {
        sample other = sample_of(s->n, s->d, s->x, s->y);
        const turned t = { .column_factor = 1, .value_factor = 1, .renamed = places[form] };
        for (int64_t i = 0; i < s->n; i++)
            other.y[i] = s->y[i] == PEN_UNLABELLED ? PEN_UNLABELLED : names[form][s->y[i]];
        check_turned(change->text, s, change->text, &other, &t, change->tolerance);
        sample_free(&other);
    }
}

static void check_rows(const label_changes *change, pen_rng *rng, const sample *s)
{
    double *q = random_rotation(rng, s->d);
    sample other = sample_new(s->n, s->d), shifted = sample_of(s->n, s->d, s->x, s->y),
           larger = sample_of(s->n, s->d, s->x, s->y), rotated = sample_times(s, q);
    int64_t *order = check_allocate(s->n, sizeof *order);

    pen_rng_permutation(rng, s->n, order);
    for (int64_t i = 0; i < s->n; i++) {
        memcpy(other.x + i * s->d, s->x + order[i] * s->d, (size_t)s->d * sizeof *s->x);
        other.y[i] = s->y[order[i]];
    }
    for (int64_t i = 0; i < s->n * s->d; i++) {
        shifted.x[i] += (double)(17 * (i % s->d) - 40);
        larger.x[i] *= 3;
    }
    const turned moved = { .column_factor = 1, .value_factor = 1 },
                 permuted = { .column_factor = 1, .value_factor = 1, .row = order },
                 round = { .column_factor = 1, .value_factor = 1, .q = q },
                 grown = { .column_factor = change->column_factor,
                           .value_factor = change->value_factor };
    check_turned(change->text, s, change->text, &other, &permuted, change->tolerance);
    check_turned(change->text, s, change->text, &shifted, &moved, change->tolerance);
    if (change->turned && (change->turned == 1 || s->n > s->d))
        check_turned(change->text, s, change->text, &rotated, &round, change->tolerance);
    if (change->scaled)
        check_turned(change->text, s, change->scaled, &larger, &grown, change->tolerance);
    free(q), free(order);
    sample_free(&other), sample_free(&shifted), sample_free(&larger), sample_free(&rotated);
}

static void check_dtypes(const label_changes *change, const sample *of)
{
    sample s = sample_of(of->n, of->d, of->x, of->y);
    sample_to_bytes(&s);
    const pen_data data = sample_data(&s);

    for (int kind = 0; kind < 6; kind++) {
        pen_data other = data;
        other.x = recast(&s, (pen_dtype)(kind % 3), kind < 3 ? 0 : 3);
        check_like_label_oracle(change->text, &data, &other, 10 * change->tolerance);
        recast_free(&other.x);
    }
    sample_free(&s);
}

void check_label_invariances(const label_changes *change, uint64_t tag)
{
    pen_rng rng = check_rng(tag);

    for (int which = 0; which < 2; which++) {
        sample s =
            sample_random(&rng, which == 1 ? 16 : 50, which == 1 ? 24 : 5, 3, which == 1 ? 9 : 18);
        check_rows(change, &rng, &s);
        pen_check_names(change, &s);
        check_dtypes(change, &s);
        sample_free(&s);
    }
}

/* ---- threads ---- */

static void check_same(const char *text, const char *what, int64_t count, const double *one,
                       const double *other)
{
    CHECK(!one == !other, "%s: %s, or not, with another number of threads", text, what);
    for (int64_t i = 0; one && i < count; i++)
        CHECK(memcmp(one + i, other + i, sizeof *one) == 0,
              "%s: %s[%lld] is %.17g, and %.17g with another number of threads", text, what,
              (long long)i, one[i], other[i]);
}

void check_label_threads(const char *text, uint64_t tag)
{
    static const int64_t shapes[][3] = { { 700, 6, 60 }, { 40, 60, 12 }, { 2500, 3, 90 } };
    pen_rng rng = check_rng(tag);

    for (int which = 0; which < 3; which++) {
        sample s = sample_random(&rng, shapes[which][0], shapes[which][1], 3, shapes[which][2]);
        const pen_data data = sample_data(&s);
        pen_spec *spec = spec_of(text);
        pen_model *first = NULL;
        for (int threads = 1; threads <= 5; threads += 2) {
            const pen_control control = { .threads = threads };
            pen_model *model = NULL;
            pen_error err;
            CHECK_OK(pen_fit(spec, &data, &control, &model, &err), &err);
            if (first) {
                const int64_t r = pen_model_dim(first), c = pen_model_class_count(first);
                CHECK(pen_model_dim(model) == r, "%s: %lld dimensions", text,
                      (long long)pen_model_dim(model));
                check_same(text, "projection", s.d * r,
                           pen_model_tensor(first, "projection").values,
                           pen_model_tensor(model, "projection").values);
                check_same(text, "mean", s.d, pen_model_tensor(first, "mean").values,
                           pen_model_tensor(model, "mean").values);
                check_same(text, "eigenvalues", r, pen_model_tensor(first, "eigenvalues").values,
                           pen_model_tensor(model, "eigenvalues").values);
                check_same(text, "bias", c, pen_model_tensor(first, "bias").values,
                           pen_model_tensor(model, "bias").values);
                check_same(text, "class_mass", 2 * c, first->class_mass, model->class_mass);
                check_same(text, "propagated", s.n * c,
                           pen_model_tensor(first, "probabilities").values,
                           pen_model_tensor(model, "probabilities").values);
                pen_model_free(model);
            } else {
                first = model;
            }
        }
        pen_model_free(first);
        pen_spec_free(spec);
        sample_free(&s);
    }
}

void check_label_cancelled(const char *text, uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, 120, 5, 3, 30);
    const pen_data data = sample_data(&s);
    pen_spec *spec = spec_of(text);
    struct check_stop stop = { .at = -1 };
    const pen_control control = { .threads = 1, .progress = check_stop_at, .user = &stop };
    pen_model *model = NULL;
    pen_error err;

    CHECK_OK(pen_fit(spec, &data, &control, &model, &err), &err);
    pen_model_free(model);
    const int64_t reports = stop.reports;
    CHECK(reports > 1, "%s: %lld reports", text, (long long)reports);
    for (int64_t at = 0; at < reports; at += 1 + reports / 40) {
        stop = (struct check_stop){ .at = at };
        CHECK_STATUS(pen_fit(spec, &data, &control, &model, &err), PEN_CANCELLED, NULL, &err);
        CHECK(!model && stop.after == 0, "%s: %lld calls after the answer to stop", text,
              (long long)stop.after);
    }
    pen_spec_free(spec);
    sample_free(&s);
}

/* ---- prediction ---- */

/* Classes and scores of the rows from the columns, the mean, the bias and the class masses,
 * computed here. */
static void check_scores_of_rows(const char *text, const pen_model *model, const pen_data *data)
{
    const int64_t n = data->x.rows, d = data->x.cols, m = pen_model_dim(model),
                  c = pen_model_class_count(model);
    const double *x = data->x.values, *w = pen_model_tensor(model, "projection").values,
                 *bias = pen_model_tensor(model, "bias").values, *mass = model->class_mass;
    int32_t *classes = check_allocate(n, sizeof *classes);
    double *scores = check_allocate(n * c, sizeof *scores),
           *right = check_allocate(c, sizeof *right), *shares = check_allocate(c, sizeof *shares);
    pen_error err;

    CHECK_OK(pen_predict(model, &data->x, NULL, classes, scores, NULL, &err), &err);
    for (int64_t i = 0; i < n; i++) {
        int64_t best = 0;
        double size = 0, most = 0;
        for (int64_t k = 0; k < c; k++) {
            right[k] = bias[k];
            for (int64_t l = 0; l < d; l++) {
                right[k] +=
                    (x[i * d + l] - pen_model_tensor(model, "mean").values[l]) * w[l * m + k];
                size +=
                    fabs((x[i * d + l] - pen_model_tensor(model, "mean").values[l]) * w[l * m + k]);
            }
            size += fabs(bias[k]);
            most = fmax(most, right[k]);
        }
        if (mass)
            class_mass_oracle_row(c, mass, right, shares);
        /* an error of a score is relative to its terms, and shares are relative to the largest */
        const double error = (mass ? 1e-10 / fmax(most, 1e-9) : 1e-12) * size;
        for (int64_t k = 0; k < c; k++) {
            CHECK(fabs(scores[i * c + k] - (mass ? shares : right)[k]) <= error,
                  "%s: score %lld of row %lld is %.17g, expected %.17g", text, (long long)k,
                  (long long)i, scores[i * c + k], (mass ? shares : right)[k]);
            best = scores[i * c + k] > scores[i * c + best] ? k : best;
        }
        CHECK(classes[i] == best, "%s: row %lld is of class %d, expected %lld", text, (long long)i,
              (int)classes[i], (long long)best);
    }
    free(classes), free(scores), free(right), free(shares);
}

/* A model without scores reads classes from its embedding; a loaded one gives the same bits. */
static void check_classifier_of_rows(const char *text, const pen_model *model,
                                     const pen_model *loaded, const pen_data *data)
{
    const int64_t n = data->x.rows, c = pen_model_class_count(model);
    int32_t *classes = check_allocate(2 * n, sizeof *classes);
    double *p = check_allocate(2 * n * c, sizeof *p);
    pen_error err;

    CHECK(strcmp(model_text(model, "classifier"), "lda") == 0
              && strcmp(model_text(loaded, "classifier"), "lda") == 0,
          "%s: another classifier", text);
    CHECK_OK(pen_predict(model, &data->x, NULL, classes, p, NULL, &err), &err);
    CHECK_OK(pen_predict(loaded, &data->x, NULL, classes + n, p + n * c, NULL, &err), &err);
    CHECK(memcmp(classes, classes + n, (size_t)n * sizeof *classes) == 0
              && memcmp(p, p + n * c, (size_t)(n * c) * sizeof *p) == 0,
          "%s: a loaded model predicts otherwise", text);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0, most = 0;
        for (int64_t k = 0; k < c; k++) {
            sum += p[i * c + k];
            most = fmax(most, p[i * c + k]);
        }
        CHECK(fabs(sum - 1) < 1e-12 && p[i * c + classes[i]] == most,
              "%s: row %lld has probabilities that sum to %.17g", text, (long long)i, sum);
    }
    free(classes), free(p);
}

void check_prediction(const char *text, const pen_data *data)
{
    const int64_t n = data->x.rows;
    char path[] = "/tmp/penumbra-labels-XXXXXX";
    const int file = mkstemp(path);
    int32_t *classes = check_allocate(2 * n, sizeof *classes);
    pen_model *model = fit_data(text, data), *loaded = NULL;
    pen_error err;

    CHECK(file >= 0 && close(file) == 0, "no temporary file");
    CHECK_OK(pen_model_save(model, path, &err), &err);
    CHECK_OK(pen_model_load(path, &loaded, &err), &err);
    CHECK(!pen_model_tensor(loaded, "probabilities").values,
          "%s: a loaded model has rows of its fit", text);
    if (predicts(text)) {
        check_scores_of_rows(text, model, data);
        check_scores_of_rows(text, loaded, data);
        CHECK_OK(pen_predict(model, &data->x, NULL, classes, NULL, NULL, &err), &err);
        CHECK_OK(pen_predict(loaded, &data->x, NULL, classes + n, NULL, NULL, &err), &err);
        CHECK(memcmp(classes, classes + n, (size_t)n * sizeof *classes) == 0,
              "%s: a loaded model predicts otherwise", text);
        CHECK(memcmp(pen_model_tensor(model, "bias").values,
                     pen_model_tensor(loaded, "bias").values,
                     (size_t)pen_model_class_count(model) * sizeof(double))
                  == 0,
              "%s: a loaded model has another bias", text);
        CHECK(!model->class_mass == !loaded->class_mass
                  && (!model->class_mass
                      || memcmp(model->class_mass, loaded->class_mass,
                                2 * (size_t)pen_model_class_count(model) * sizeof(double))
                             == 0),
              "%s: a loaded model has other class masses", text);
    } else {
        CHECK(!loaded->class_mass, "%s: class masses without scores", text);
        check_classifier_of_rows(text, model, loaded, data);
    }
    unlink(path);
    free(classes);
    pen_model_free(model), pen_model_free(loaded);
}

/* ---- degenerate or invalid input ---- */

static void check_labels_and_pairs(const char *text, int graph)
{
    pen_rng rng = check_rng(4190);
    sample s = sample_random(&rng, 30, 4, 3, 12), none = sample_random(&rng, 30, 4, 3, 0),
           one = sample_random(&rng, 30, 4, 1, 12);
    static const int64_t pair[] = { 0, 1 };
    const pen_data data = sample_data(&s), none_data = sample_data(&none),
                   one_data = sample_data(&one);
    pen_data pairs = data, unlabelled = data;
    char asked[256];

    pairs.must_link = pair;
    pairs.must_link_count = 1;
    unlabelled.labels = NULL;
    CHECK_FIT_FAILS(text, &none_data, PEN_NO_LABELS, NULL);
    CHECK_FIT_FAILS(text, &unlabelled, PEN_NO_LABELS, NULL);
    if (starts(text, "ssda") || starts(text, "soge")) /* one class is enough for these */
        pen_model_free(fit_data(text, &one_data));
    else
        CHECK_FIT_FAILS(text, &one_data, PEN_ONE_CLASS, NULL);
    CHECK_FIT_FAILS(text, &pairs, PEN_BAD_ARGUMENT, "does not learn from pairs");
    snprintf(asked, sizeof asked, "%s neighbors=30", text);
    if (graph)
        CHECK_FIT_FAILS(asked, &data, PEN_BAD_ARGUMENT,
                        "neighbors must be in [1, 29], the number of other rows, got 30");
    s.x[7] = NAN;
    CHECK_FIT_FAILS(text, &data, PEN_NOT_FINITE, "row 1, column 3");
    s.x[7] = -INFINITY;
    CHECK_FIT_FAILS(text, &data, PEN_NOT_FINITE, "row 1, column 3");
    sample_free(&s), sample_free(&none), sample_free(&one);
}

static void check_equal_rows(const char *text)
{
    sample s = sample_new(12, 3);
    pen_model *model = NULL;
    pen_error err;

    for (int64_t i = 0; i < 12; i++) {
        s.x[i * 3] = 0.1, s.x[i * 3 + 1] = 1e6 + 0.3, s.x[i * 3 + 2] = -7;
        s.y[i] = (int32_t)(i % 3 - 1);
    }
    const pen_data data = sample_data(&s);
    const pen_status status = fit_status(text, &data, &model, &err);
    CHECK(status == PEN_RANK_TOO_SMALL || status == PEN_BAD_DATA, "%s of equal rows: %d %s", text,
          (int)status, status ? err.message : "");
    sample_free(&s);
}

/* An error, or a model without NaN or infinity. */
static void check_extremes(const char *text)
{
    static const double factors[] = { 1e-310, 1e-170, 1e-155, 1e-100, 1e-20, 1e20,
                                      1e100,  1e150,  1e154,  1e155,  1e300, 1e307 };
    pen_rng rng = check_rng(4191);
    sample s = sample_random(&rng, 40, 4, 3, 24);

    for (int64_t f = 0; f < COUNT_OF(factors); f++) {
        sample scaled = sample_of(s.n, s.d, s.x, s.y);
        for (int64_t i = 0; i < s.n * s.d; i++)
            scaled.x[i] *= factors[f];
        const pen_data data = sample_data(&scaled);
        pen_model *model = NULL;
        pen_error err;
        const pen_status status = fit_status(text, &data, &model, &err);
        CHECK(status == PEN_OK || status == PEN_BAD_DATA || status == PEN_SINGULAR_SCATTER
                  || status == PEN_RANK_TOO_SMALL || status == PEN_NOT_CONVERGED,
              "%s times %g: %d %s", text, factors[f], (int)status, err.message);
        if (model) {
            const int64_t r = pen_model_dim(model), c = pen_model_class_count(model);
            const double *values = pen_model_tensor(model, "eigenvalues").values,
                         *bias = pen_model_tensor(model, "bias").values,
                         *scores = pen_model_tensor(model, "probabilities").values;
            CHECK(all_finite(s.d * r, pen_model_tensor(model, "projection").values)
                      && all_finite(s.d, pen_model_tensor(model, "mean").values)
                      && (!values || all_finite(r, values)) && (!bias || all_finite(c, bias))
                      && (!scores || all_finite(s.n * c, scores)),
                  "%s times %g: the model is not finite", text, factors[f]);
        }
        pen_model_free(model);
        sample_free(&scaled);
    }
    sample_free(&s);
}

void check_label_errors(const char *text, int graph)
{
    check_labels_and_pairs(text, graph);
    check_equal_rows(text);
    check_extremes(text);
}
