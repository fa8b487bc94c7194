/* class_mass.c - class-mass normalization: class masses, and probabilities of rows. */
#include "classifiers/class_mass.h"

#include "classifiers/affine_classifier.h"

#include <math.h>
#include <string.h>

/* Scores count up to this, so that no probability overflows. */
static const double MOST_SCORE = 1e100;

/* Fraction of the largest mass. A class without unlabelled rows has only floors and rounding errors
 * as scores; these must not be scaled up. */
static const double LEAST_MASS = 1e-6;

/* Most that a row adds to a mass. Only rows far from all other rows have scores well above 1. */
static const double MOST_OF_ROW = 2;

static const double NOISE = 0.4; /* noise of the two counts together (class_prior.h) */

/* fmax returns 0 for a score that is not a number. */
static double above_zero(double score)
{
    return fmin(fmax(score, 0), MOST_SCORE);
}

double pen_score_above_zero(double score)
{
    return above_zero(score) + PEN_SCORE_FLOOR;
}

void pen_class_shares(int64_t classes, const double *class_mass, double *row)
{
    const double *const mass = class_mass, *const prior = class_mass + classes;
    double sum = 0, largest = 0;

    for (int64_t k = 0; k < classes; k++)
        largest = fmax(largest, mass[k]);
    for (int64_t k = 0; k < classes; k++)
        sum += row[k] = prior[k] * (above_zero(row[k]) / mass[k] + PEN_SCORE_FLOOR / largest);
    for (int64_t k = 0; k < classes; k++)
        row[k] /= sum;
}

/* [n] 1 for labelled rows. */
static pen_status mark_labelled(pen_run *run, const pen_view *x, char **out)
{
    PEN_TRY(PEN_FILLED(run, *out, x->n, 0));
    for (int64_t i = 0; i < x->labelled; i++)
        (*out)[x->members[i]] = 1;
    return PEN_OK;
}

/* The sums over the unlabelled rows; 1 if there are none. The regression extrapolates, so a row far
 * from all other rows has scores of any size. */
static void find_masses(const pen_view *x, const char *labelled, const double *F, double *mass)
{
    const int64_t c = x->classes;
    double largest = 0;

    for (int64_t k = 0; k < c; k++)
        mass[k] = x->labelled == x->n;
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t k = 0; !labelled[i] && k < c; k++)
            mass[k] += fmin(pen_score_above_zero(F[i * c + k]), MOST_OF_ROW);
    for (int64_t k = 0; k < c; k++)
        largest = fmax(largest, mass[k]);
    for (int64_t k = 0; k < c; k++)
        mass[k] = fmax(mass[k], LEAST_MASS * largest);
}

/* Counts the unlabelled rows by their largest probability with equal priors, as in class_mass. */
static pen_status count_shares(pen_run *run, const pen_view *x, const char *labelled,
                               const double *F, const double *class_mass, int64_t *counts)
{
    const int64_t c = x->classes;
    double *row;

    PEN_TRY(PEN_NEW(run, row, c));
    for (int64_t i = 0; i < x->n; i++) {
        memcpy(row, F + i * c, (size_t)c * sizeof *row);
        pen_class_shares(c, class_mass, row);
        if (!labelled[i])
            counts[pen_largest_share(c, row)]++;
    }
    return PEN_OK;
}

/* Averages what counts and masses suggest: counts are too flat, and masses favor classes with many
 * labels. */
static pen_status find_prior_by_counts(pen_run *run, const pen_view *x, const char *labelled,
                                       const double *F, double *class_mass)
{
    const int64_t c = x->classes;
    double *const prior = class_mass + c, *v, mean = 0, sum = 0;
    int64_t *sizes, *by_shares, *by_rows;

    PEN_TRY(PEN_NEW2(run, v, sizes, c));
    PEN_TRY(PEN_FILLED(run, by_shares, c, 0));
    PEN_TRY(PEN_NEW(run, by_rows, c));
    for (int64_t k = 0; k < c; k++) {
        sizes[k] = pen_class_size(x, k);
        mean += log(class_mass[k]) / (double)c;
    }
    PEN_TRY(count_shares(run, x, labelled, F, class_mass, by_shares));
    PEN_TRY(pen_prior_count(run, x, by_rows));
    const double b =
        pen_prior_weight(c, sizes, NOISE, 2, (const int64_t *[]){ by_shares, by_rows }, v);
    for (int64_t k = 0; k < c; k++)
        sum += prior[k] = exp(b * (v[k] + log(class_mass[k]) - mean) / 2);
    for (int64_t k = 0; k < c; k++)
        prior[k] /= sum;
    return PEN_OK;
}

static pen_status find_priors(pen_run *run, const pen_view *x, enum pen_prior kind,
                              const char *labelled, const double *F, double *class_mass)
{
    const int64_t c = x->classes;

    for (int64_t k = 0; k < c; k++)
        class_mass[c + k] = kind == PEN_PRIOR_LABELS && x->labelled < x->n
                                ? (double)pen_class_size(x, k) / (double)x->labelled
                                : 1 / (double)c;
    return kind == PEN_PRIOR_AUTO && x->labelled < x->n && c > 1
               ? find_prior_by_counts(run, x, labelled, F, class_mass)
               : PEN_OK;
}

/* Do several classes share the largest value? */
static int is_tied(int64_t classes, const double *row)
{
    double largest = row[0];
    int count = 0;

    for (int64_t k = 1; k < classes; k++)
        largest = fmax(largest, row[k]);
    for (int64_t k = 0; k < classes; k++)
        count += row[k] == largest;
    return count > 1;
}

static int has_score(int64_t classes, const double *row)
{
    for (int64_t k = 0; k < classes; k++)
        if (row[k] > 0)
            return 1;
    return 0;
}

pen_status pen_normalize_class_mass(pen_run *run, const pen_view *x, enum pen_prior prior,
                                    pen_projection *out)
{
    const int64_t c = x->classes;
    const int raw = prior == PEN_PRIOR_NONE;
    int64_t undecided = 0;
    double *class_mass;
    char *labelled;

    PEN_TRY(PEN_NEW(run, class_mass, pen_times(2, c)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(mark_labelled(run, x, &labelled));
    find_masses(x, labelled, out->propagated, class_mass);
    PEN_TRY(find_priors(run, x, prior, labelled, out->propagated, class_mass));
    for (int64_t i = 0; i < x->n; i++) {
        double *const row = out->propagated + i * c;
        const int scored = raw || has_score(c, row);
        if (!raw)
            pen_class_shares(c, class_mass, row);
        undecided += !labelled[i] && (!scored || is_tied(c, row));
    }
    pen_release(run, mark);
    if (undecided > 0)
        pen_note(run, "undecided", (double)undecided);
    out->class_mass = raw ? NULL : class_mass;
    return PEN_OK;
}
