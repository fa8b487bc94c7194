/* class_prior.c - counts of unlabelled rows by logistic regression with equal priors. */
#include "classifiers/class_prior.h"

#include "classifiers/affine_classifier.h"
#include "classifiers/logistic_classifier.h"
#include "core/row_order.h"
#include "core/sort.h"
#include "linalg/products.h"

#include <math.h>
#include <string.h>

enum { BLOCK_ROWS = 4096, MOST_LABELLED = 300, LEAST_OF_CLASS = 20 };

/* Limit of the largest entry of the gradient, per labelled row: far below what moves a row to
 * another class. */
static const double TOLERANCE = 1e-4;

static const double TIED = 1e-6; /* probabilities that differ by less are equal */

static const double SKEW = 0.09; /* square of how far many labels bend v */

const char *const pen_prior_names[] = { "auto", "labels", "uniform", "none", NULL };

/* ---- the rule ---- */

/* to += factor lc(values + offset), over the classes with labels. */
static void add_centered_logs(int64_t classes, const int64_t *sizes, const int64_t *values,
                              double offset, double factor, double *to)
{
    double mean = 0;
    int64_t present = 0;

    for (int64_t c = 0; c < classes; c++)
        if (sizes[c] > 0) {
            mean += log((double)values[c] + offset);
            present++;
        }
    mean /= (double)present;
    for (int64_t c = 0; c < classes; c++)
        to[c] += sizes[c] > 0 ? factor * (log((double)values[c] + offset) - mean) : 0;
}

double pen_prior_weight(int64_t classes, const int64_t *sizes, double noise, int lists,
                        const int64_t *const *counts, double *v)
{
    double t = 0, inverse = 0, square = 0, mean = 0;
    int64_t present = 0;

    memset(v, 0, (size_t)classes * sizeof *v);
    for (int i = 0; i < lists; i++)
        add_centered_logs(classes, sizes, counts[i], 0.5, 1 / (double)lists, v);
    for (int64_t c = 0; c < classes; c++)
        if (sizes[c] > 0) {
            inverse += 1 / (double)sizes[c];
            mean += log((double)sizes[c]);
            present++;
        }
    mean /= (double)present;
    t = noise * (double)(present - 1) * inverse / (double)present;
    for (int64_t c = 0; c < classes; c++) {
        const double off = sizes[c] > 0 ? log((double)sizes[c]) - mean : 0;
        t += SKEW * off * off;
        square += v[c] * v[c];
    }
    return square > t ? 1 - t / square : 0;
}

/* ---- logistic regression with equal priors ---- */

/* If there are many labelled rows, takes some of each class, spread evenly over the order of their
 * distances from the mean. */
static pen_status thin(pen_run *run, const pen_classifier_rows *rows, pen_classifier_rows *out)
{
    const int64_t l = rows->labelled, k = rows->all->k, c = rows->all->classes,
                  each = pen_max(LEAST_OF_CLASS, MOST_LABELLED / pen_max(1, rows->present));
    int64_t *order, *seen, count = 0;
    double *z, *zeros;

    *out = *rows;
    if (l <= MOST_LABELLED)
        return PEN_OK;
    PEN_TRY(PEN_NEW2(run, out->members, out->of, l));
    PEN_TRY(PEN_FILLED(run, out->sizes, c, 0));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, z, pen_times(l, k)));
    PEN_TRY(PEN_FILLED(run, zeros, k, 0));
    PEN_TRY(PEN_FILLED(run, seen, c, 0));
    for (int64_t i = 0; i < l; i++)
        pen_classifier_row(k, rows->center, rows->divisor, rows->all->z + rows->members[i] * k,
                           z + i * k);
    const pen_view x = { .values = pen_dense(z, PEN_F64, l, k, k),
                         .n = l,
                         .d = k,
                         .mean = zeros,
                         .origin = zeros,
                         .offset = zeros };
    PEN_TRY(pen_rows_order(run, &x, &order));
    for (int64_t i = 0; i < l; i++) {
        const int32_t of = rows->of[order[i]];
        const int64_t size = rows->sizes[of], at = seen[of]++, some = pen_min(size, each);
        if (at * some / size == (at + 1) * some / size)
            continue;
        out->members[count] = rows->members[order[i]];
        out->of[count++] = of;
        out->sizes[of]++;
    }
    pen_release(run, mark);
    out->labelled = count;
    return PEN_OK;
}

static pen_status fit_balanced(pen_run *run, const pen_classifier_rows *rows, pen_classifier *out)
{
    pen_classifier_rows some;

    *out = (pen_classifier){ .kind = PEN_CLASSIFIER_LOGISTIC,
                             .k = rows->all->k,
                             .classes = rows->all->classes };
    PEN_TRY(thin(run, rows, &some));
    PEN_TRY(pen_affine_classifier_new(run, &some, out));
    PEN_TRY(pen_logistic_classifier_fit(run, &some, TOLERANCE * (double)some.labelled, out));
    for (int64_t c = 0; c < out->classes; c++)
        if (some.sizes[c] > 0)
            out->bias[c] -= log((double)some.sizes[c]);
    return PEN_OK;
}

/* ---- counts ---- */

/* Counts a row for the class of its largest p, unless only rounding decides, as for equal rows. */
static void count_row(int64_t classes, const double *p, int64_t *counts)
{
    const int32_t best = pen_largest_share(classes, p);

    for (int64_t c = 0; c < classes; c++)
        if (c != best && p[c] >= (1 - TIED) * p[best])
            return;
    counts[best]++;
}

/* Counts the rows of an embedding. */
static pen_status count_embedded(pen_run *run, const pen_classifier_rows *rows, int64_t *counts)
{
    const pen_embedded_rows *const all = rows->all;
    pen_classifier classifier;
    double *p;

    PEN_TRY(fit_balanced(run, rows, &classifier));
    PEN_TRY(PEN_NEW(run, p, pen_times(BLOCK_ROWS, all->classes)));
    for (int64_t first = 0; first < all->n; first += BLOCK_ROWS) {
        const int64_t some = pen_min(BLOCK_ROWS, all->n - first);
        PEN_TRY(pen_affine_classifier_apply(run, &classifier, some, all->z + first * all->k, all->k,
                                            p, NULL, NULL));
        for (int64_t i = 0; i < some; i++)
            if (all->labels[first + i] < 0)
                count_row(all->classes, p + i * all->classes, counts);
    }
    return PEN_OK;
}

/* The mean square of the entries of centered rows. */
static pen_status find_spread(pen_run *run, const pen_view *x, double *spread)
{
    double *squares;

    PEN_TRY(PEN_NEW(run, squares, pen_max(x->n, x->d)));
    if (pen_rows_are_sparse(x)) {
        *spread = 0;
        PEN_TRY(pen_rows_deviations(run, x, squares));
        for (int64_t j = 0; j < x->d; j++)
            *spread += squares[j] * squares[j] / (double)x->d;
        return PEN_OK;
    }
    PEN_TRY(pen_rows_squares(run, x, squares));
    PEN_TRY(pen_mean_of_most(run, x->n, squares, spread));
    *spread /= (double)x->d;
    return PEN_OK;
}

/* Opens the labelled rows as an embedding. */
static pen_status open_labelled(pen_run *run, const pen_view *x, pen_embedded_rows *out)
{
    double *z, *zeros;
    int32_t *labels;

    *out = (pen_embedded_rows){ .n = x->labelled, .k = x->d, .classes = x->classes };
    PEN_TRY(PEN_NEW(run, z, pen_times(x->labelled, x->d)));
    PEN_TRY(PEN_FILLED(run, zeros, x->d, 0));
    PEN_TRY(PEN_NEW(run, labels, x->labelled));
    pen_rows_centered(x, x->members, 0, x->labelled, z);
    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++)
            labels[i] = (int32_t)c;
    out->z = z;
    out->labels = labels;
    out->mean = zeros;
    return find_spread(run, x, &out->spread);
}

pen_status pen_prior_count(pen_run *run, const pen_view *x, int64_t *counts)
{
    const int64_t c = x->classes;
    pen_embedded_rows labelled;
    pen_classifier_rows rows;
    pen_classifier classifier;
    int32_t *class_of;
    double *scores;

    memset(counts, 0, (size_t)c * sizeof *counts);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_labelled(run, x, &labelled));
    PEN_TRY(pen_classifier_rows_open(run, &labelled, &rows));
    PEN_TRY(fit_balanced(run, &rows, &classifier));
    PEN_TRY(PEN_NEW(run, scores, pen_times(x->n, c)));
    PEN_TRY(pen_rows_multiply(run, x, c, classifier.weights, scores));
    PEN_TRY(pen_rows_classes(run, x, &class_of));
    for (int64_t i = 0; i < x->n; i++) {
        for (int64_t k = 0; k < c; k++)
            scores[i * c + k] += classifier.bias[k];
        pen_softmax(c, scores + i * c);
        if (class_of[i] < 0)
            count_row(c, scores + i * c, counts);
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_prior_find(pen_run *run, const pen_classifier_rows *rows, enum pen_prior prior,
                          double *log_prior)
{
    const int64_t c = rows->all->classes;
    int64_t *counts;

    if (prior != PEN_PRIOR_AUTO || rows->labelled == rows->all->n || rows->present < 2) {
        for (int64_t k = 0; k < c; k++)
            log_prior[k] = prior != PEN_PRIOR_UNIFORM && rows->sizes[k] > 0
                               ? log((double)rows->sizes[k] / (double)rows->labelled)
                               : 0;
        return PEN_OK;
    }
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, counts, c, 0));
    PEN_TRY(count_embedded(run, rows, counts));
    const double b =
        pen_prior_weight(c, rows->sizes, 1, 1, (const int64_t *[]){ counts }, log_prior);
    for (int64_t k = 0; k < c; k++)
        log_prior[k] *= b;
    pen_release(run, mark);
    return PEN_OK;
}
