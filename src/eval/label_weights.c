/* label_weights.c - the ratio of the density of all rows to that of the labelled ones, from the
 * probability that a row is labelled.
 *
 * With q the density of all rows and p(x) = P(labelled | x), labelled rows have the density
 * q(x) p(x) / P(labelled). So the ratio is w(x) = P(labelled) / p(x). p is estimated by logistic
 * regression in the leading principal components of standardized columns. */
#include "eval/label_weights.h"

#include "core/arguments.h"
#include "linalg/reduce.h"
#include "readers/reader.h"

#include <math.h>

/* Each component has FOR_EACH rows of the smaller group, labelled or not, to tell its coefficient,
 * but the first two are always there. */
enum { MOST_COMPONENTS = 20, FEWEST_COMPONENTS = 2, FOR_EACH = 5 };

/* No row counts for more rows than these: a few rows of hardly any p would decide alone. */
static const double MOST_WEIGHT = 20;

/* Of the largest weight: below this a fold of such rows has no weight next to the others. */
static const double LEAST_WEIGHT = 1e-12;

/* ---- weights that are given ---- */

static pen_status check(pen_run *run, const double *w, const pen_rows *classes, double *least,
                        double *most)
{
    *least = INFINITY;
    *most = 0;
    for (int64_t i = 0; i < classes->labelled; i++) {
        const int64_t row = classes->members[i];
        PEN_REQUIRE(run, w[row] > 0 && isfinite(w[row]), PEN_BAD_ARGUMENT,
                    "the weight of a labelled row must be a number > 0, got %g for row %lld",
                    w[row], (long long)row);
        *least = fmin(*least, w[row]);
        *most = fmax(*most, w[row]);
    }
    PEN_REQUIRE(run, *least >= LEAST_WEIGHT * *most, PEN_BAD_ARGUMENT,
                "weights must be at least %g of the largest, got %g and %g", LEAST_WEIGHT, *least,
                *most);
    return PEN_OK;
}

pen_status pen_weights_open(pen_run *run, const double *given, const pen_rows *classes,
                            const double **out, double *effective)
{
    const double l = (double)classes->labelled;
    double least, most, sum = 0, *w;

    *out = NULL;
    *effective = l;
    if (!given)
        return PEN_OK;
    PEN_TRY(check(run, given, classes, &least, &most));
    if (least == most)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, w, classes->n));
    for (int64_t i = 0; i < classes->n; i++)
        w[i] = 0;
    for (int64_t i = 0; i < classes->labelled; i++)
        sum += given[classes->members[i]] / most;
    for (int64_t i = 0; i < classes->labelled; i++)
        w[classes->members[i]] = given[classes->members[i]] / most * l / sum;
    *effective = pen_effective_rows(w, NULL, classes->n);
    *out = w;
    return PEN_OK;
}

/* ---- estimated weights ---- */

/* z [n x q]: the leading components of the standardized columns. */
static pen_status find_components(pen_run *run, const pen_data *data, int64_t labelled, double **z,
                                  int64_t *q)
{
    const int64_t n = data->x.rows, few = pen_min(labelled, n - labelled);
    const pen_components asked = { .pca = (double)INFINITY,
                                   .most = pen_min(MOST_COMPONENTS,
                                                   pen_max(FEWEST_COMPONENTS, few / FOR_EACH)) };
    const pen_common common = { .scale = PEN_SCALE_STANDARD };
    const pen_data alone = { .x = data->x };
    pen_reduction reduction;
    pen_rows all, some;

    PEN_TRY(pen_rows_open(run, &alone, &common, &all));
    PEN_TRY(pen_rows_components(run, &all, &asked, &reduction, &some));
    *q = some.d;
    PEN_TRY(PEN_NEW(run, *z, pen_times(n, some.d)));
    pen_rows_centered(&some, NULL, 0, n, *z);
    return PEN_OK;
}

/* p [n x 2]: the second is the probability that a row is labelled. */
static pen_status find_chances(pen_run *run, const pen_data *data, const pen_rows *classes,
                               double **p)
{
    const pen_reader_params params = { .kind = PEN_READER_LOGISTIC };
    pen_embedded_rows rows = { .n = data->x.rows, .classes = 2 };
    pen_reader reader;
    int32_t *is_labelled;
    double *z;

    PEN_TRY(find_components(run, data, classes->labelled, &z, &rows.k));
    PEN_TRY(PEN_NEW(run, is_labelled, rows.n));
    for (int64_t i = 0; i < rows.n; i++)
        is_labelled[i] = 0;
    for (int64_t i = 0; i < classes->labelled; i++)
        is_labelled[classes->members[i]] = 1;
    rows.z = z;
    rows.labels = is_labelled;
    PEN_TRY(pen_reader_fit(run, &rows, &params, &reader));
    PEN_TRY(PEN_NEW(run, *p, pen_times(rows.n, 2)));
    return pen_reader_apply(run, &reader, rows.n, z, rows.k, *p, NULL);
}

static pen_status estimate(pen_run *run, const pen_data *data, double *weights)
{
    const int64_t n = data->x.rows;
    pen_rows classes = { .n = 0 };
    double *p = NULL, sum = 0;

    PEN_TRY(pen_rows_label(run, data->labels, n, &classes));
    PEN_REQUIRE(run, classes.labelled > 0, PEN_NO_LABELS, "all %lld rows are unlabelled",
                (long long)n);
    if (classes.labelled < n)
        PEN_TRY(find_chances(run, data, &classes, &p));
    for (int64_t i = 0; i < n; i++)
        weights[i] = 0;
    for (int64_t i = 0; i < classes.labelled; i++) {
        const int64_t row = classes.members[i];
        weights[row] =
            p ? fmin((double)classes.labelled / (double)n / p[2 * row + 1], MOST_WEIGHT) : 1;
        sum += weights[row];
    }
    for (int64_t i = 0; i < classes.labelled; i++)
        weights[classes.members[i]] *= (double)classes.labelled / sum;
    return PEN_OK;
}

static pen_status check_and_estimate(pen_run *run, const pen_data *data, double *weights)
{
    PEN_TRY(pen_check_data(run, data));
    PEN_TRY(pen_check_given(run, weights, "weights"));
    return estimate(run, data, weights);
}

pen_status pen_estimate_weights(const pen_data *data, const pen_control *control, double *weights,
                                pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = check_and_estimate(run, data, weights);
    pen_run_close(run);
    return status;
}

double pen_effective_rows(const double *weights, const int32_t *labels, int64_t n)
{
    double largest = 0, sum = 0, squares = 0;

    for (int64_t i = 0; i < n; i++)
        if (!labels || labels[i] != PEN_UNLABELLED)
            largest = fmax(largest, weights ? weights[i] : 1);
    for (int64_t i = 0; i < n && largest > 0; i++)
        if (!labels || labels[i] != PEN_UNLABELLED) {
            const double v = (weights ? weights[i] : 1) / largest;
            sum += v;
            squares += v * v;
        }
    return squares > 0 ? sum * sum / squares : 0;
}
