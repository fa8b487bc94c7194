/* classifier.c - classifiers of all kinds, and tempered probabilities. */
#include "classifiers/classifier.h"

#include "classifiers/affine_classifier.h"
#include "classifiers/class_prior.h"
#include "classifiers/lda_classifier.h"
#include "classifiers/logistic_classifier.h"
#include "classifiers/nearest_classifier.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- self-training: rounds that predict classes and learn from confident predictions ---- */

enum { ROUNDS = 5 };

/* Rows farther away have p near 1, and would dominate the scatter. */
static const double SURE = 0.9, MOST_SQUARE = 100;

struct rounds {
    const pen_embedded_rows *all;
    const double *square;
    double *p, *largest; /* [n x classes], [n] */
    int32_t *classes;    /* [n] */
    char *taken;         /* [n] 1: in the set */
    int64_t pseudo;      /* number of rows in the set */
    int64_t count;       /* these and the labelled rows */
    int64_t *members;
    int32_t *of;
};

static pen_status open_rounds(pen_run *run, const pen_classifier_rows *rows, struct rounds *r)
{
    const pen_embedded_rows *const all = rows->all;
    const int64_t n = all->n;

    *r = (struct rounds){ .all = all, .square = rows->square };
    PEN_TRY(PEN_NEW(run, r->p, pen_times(n, all->classes)));
    PEN_TRY(PEN_NEW2(run, r->largest, r->classes, n));
    PEN_TRY(PEN_FILLED(run, r->taken, n, 0));
    PEN_TRY(PEN_NEW2(run, r->members, r->of, n));
    return PEN_OK;
}

/* Takes the next set. Returns 0 if it equals the previous one. */
static int take(struct rounds *r)
{
    int changed = 0;

    r->count = r->pseudo = 0;
    for (int64_t i = 0; i < r->all->n; i++) {
        const int32_t label = r->all->labels[i];
        const char sure = label < 0 && r->largest[i] > SURE && r->square[i] <= MOST_SQUARE;
        changed |= sure != r->taken[i];
        r->taken[i] = sure;
        r->pseudo += sure;
        if (label >= 0 || sure) {
            r->members[r->count] = i;
            r->of[r->count++] = label >= 0 ? label : r->classes[i];
        }
    }
    return changed;
}

/* Fits pen_lda_classifier_fit to the labelled rows, then refits in up to five rounds. A round takes
 * the set of unlabelled rows whose largest p, by the last fit, exceeds 0.9, with the classes of
 * these p, without rows whose mean square in the units of classifiers exceeds 100. If the set
 * equals that of the previous round (initially empty), whatever the classes, the last fit is the
 * result; otherwise the labelled rows and this set give a new fit. Rows may leave the set; center
 * and divisor stay.
 *
 * Sets weights and bias, *rho, and notes "classifier_rounds", the number of refits, and
 * "classifier_pseudo", the number of rows in the last set. Errors and cost: up to six times those
 * of pen_lda_classifier_fit, with all rows, and of pen_affine_classifier_apply; memory: n (classes
 * + 4) numbers. */
static pen_status fit_self_training(pen_run *run, const pen_classifier_rows *rows,
                                    const double *log_prior, pen_classifier *out, double *rho)
{
    const pen_embedded_rows *const all = rows->all;
    pen_classed_rows set = { rows, rows->labelled, rows->members, rows->of };
    struct rounds r;
    int refits = 0;

    PEN_TRY(pen_lda_classifier_fit(run, &set, log_prior, out, rho));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_rounds(run, rows, &r));
    for (; refits < ROUNDS; refits++) {
        PEN_TRY(pen_affine_classifier_apply(run, out, all->n, all->z, all->k, r.p, r.classes,
                                            r.largest));
        if (!take(&r))
            break;
        set = (pen_classed_rows){ rows, r.count, r.members, r.of };
        PEN_TRY(pen_lda_classifier_fit(run, &set, log_prior, out, rho));
    }
    pen_release(run, mark);
    pen_note(run, "classifier_rounds", refits);
    pen_note(run, "classifier_pseudo", (double)r.pseudo);
    return PEN_OK;
}

const char *const pen_classifier_names[] = { "auto",     "nearest", "neighbors",
                                             "means",    "lda",     "self-training",
                                             "logistic", "scores",  "none",
                                             NULL };

static int votes(double kind)
{
    return kind == PEN_CLASSIFIER_NEIGHBORS;
}

static const pen_param parts[] = {
    PEN_CHOICE(pen_classifier_params, kind, pen_classifier_names, PEN_CLASSIFIER_AUTO, ""),
    PEN_INT(pen_classifier_params, neighbors, 5, 1, PEN_NO_LIMIT, ""),
    PEN_PARAMS_END,
};
const pen_text_form pen_classifier_form = { .parts = parts, .takes = votes };

int pen_classifier_needs_all(const pen_classifier_params *params)
{
    return params->kind != PEN_CLASSIFIER_LDA || params->prior == PEN_PRIOR_AUTO;
}

static pen_status check(pen_run *run, const pen_classifier_params *params)
{
    PEN_REQUIRE(run,
                params->kind >= PEN_CLASSIFIER_NEAREST && params->kind <= PEN_CLASSIFIER_LOGISTIC,
                PEN_BAD_ARGUMENT, "a classifier to fit must be one of %s to %s, got number %d",
                pen_classifier_names[PEN_CLASSIFIER_NEAREST],
                pen_classifier_names[PEN_CLASSIFIER_LOGISTIC], params->kind);
    if (params->kind == PEN_CLASSIFIER_NEIGHBORS)
        PEN_REQUIRE(run, params->neighbors >= 1, PEN_BAD_ARGUMENT,
                    "neighbors must be >= 1, got %lld", (long long)params->neighbors);
    return PEN_OK;
}

static pen_status fit_affine(pen_run *run, const pen_classifier_rows *rows, enum pen_prior prior,
                             pen_classifier *out)
{
    const pen_classed_rows labelled = { rows, rows->labelled, rows->members, rows->of };
    const int64_t c = out->classes;
    double *log_prior, *shares, *learned, rho; /* learned: the prior already in the bias */

    PEN_TRY(pen_affine_classifier_new(run, rows, out));
    PEN_TRY(PEN_NEW(run, shares, c));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, log_prior, c));
    PEN_TRY(PEN_FILLED(run, learned, c, 0));
    PEN_TRY(pen_prior_find(run, rows, prior, log_prior));
    if (out->kind == PEN_CLASSIFIER_LOGISTIC) {
        PEN_TRY(pen_prior_find(run, rows, PEN_PRIOR_LABELS, learned));
        PEN_TRY(pen_logistic_classifier_fit(run, rows, PEN_LOGISTIC_TOLERANCE, out));
    } else if (out->kind == PEN_CLASSIFIER_LDA) {
        PEN_TRY(pen_lda_classifier_fit(run, &labelled, learned, out, &rho));
    } else {
        if (prior != PEN_PRIOR_AUTO)
            memcpy(learned, log_prior, (size_t)c * sizeof *learned);
        PEN_TRY(fit_self_training(run, rows, learned, out, &rho));
    }
    for (int64_t a = 0; a < c; a++)
        out->bias[a] += log_prior[a] - learned[a];
    for (int64_t a = 0; a < c; a++)
        shares[a] = rows->sizes[a] > 0 ? log_prior[a] : -(double)INFINITY;
    pen_softmax(c, shares);
    out->prior = shares;
    pen_release(run, mark);
    if (out->kind != PEN_CLASSIFIER_LOGISTIC)
        pen_note(run, "classifier_shrinkage", rho);
    return PEN_OK;
}

pen_status pen_classifier_fit(pen_run *run, const pen_embedded_rows *e,
                              const pen_classifier_params *params, pen_classifier *out)
{
    pen_classifier_rows rows;

    PEN_TRY(check(run, params));
    *out = (pen_classifier){ .kind = (enum pen_classifier_kind)params->kind,
                             .k = e->k,
                             .classes = e->classes };
    PEN_TRY(pen_classifier_rows_open(run, e, &rows));
    switch (out->kind) {
    case PEN_CLASSIFIER_NEAREST:
    case PEN_CLASSIFIER_NEIGHBORS:
        return pen_nearest_classifier_fit(run, &rows, params->neighbors, out);
    case PEN_CLASSIFIER_MEANS:
        return pen_means_classifier_fit(run, &rows, out);
    default:
        return fit_affine(run, &rows, (enum pen_prior)params->prior, out);
    }
}

/* Ignores classes: all rows count as one class, whose mean is the center. */
pen_status pen_classifier_fit_votes(pen_run *run, int64_t n, int64_t k, const double *z,
                                    int64_t classes, const double *p, int64_t neighbors,
                                    pen_classifier *out)
{
    const pen_classifier_params params = { .kind = PEN_CLASSIFIER_NEIGHBORS,
                                           .neighbors = neighbors };
    pen_embedded_rows e = { .z = z, .n = n, .k = k, .classes = 1 };
    int32_t *labels;

    PEN_TRY(PEN_FILLED(run, labels, n, 0));
    e.labels = labels;
    PEN_TRY(pen_classifier_fit(run, &e, &params, out));
    out->classes = classes;
    out->of = NULL;
    PEN_TRY(PEN_NEW(run, out->votes, pen_times(n, classes)));
    for (int64_t i = 0; i < n * classes; i++)
        out->votes[i] = (float)p[i];
    for (int64_t i = 0; i < n * k; i++)
        out->rows[i] = (float)fmax(-FLT_MAX, fmin(FLT_MAX, out->rows[i]));
    return PEN_OK;
}

pen_status pen_classifier_apply(pen_run *run, const pen_classifier *classifier, int64_t n,
                                const double *z, int64_t stride, double *p, int32_t *classes)
{
    if (!classifier->weights)
        return pen_nearest_classifier_apply(run, classifier, n, z, stride, p, classes);
    const pen_mark_t mark = pen_mark(run);
    if (!p)
        PEN_TRY(PEN_NEW(run, p, pen_times(n, classifier->classes)));
    PEN_TRY(pen_affine_classifier_apply(run, classifier, n, z, stride, p, classes, NULL));
    pen_release(run, mark);
    return PEN_OK;
}

void pen_temper(int64_t classes, double temperature, double *p)
{
    double most = PEN_SHARE_FLOOR, sum = 0;

    if (temperature <= 0)
        return;
    for (int64_t c = 0; c < classes; c++)
        most = fmax(most, p[c]);
    for (int64_t c = 0; c < classes; c++)
        sum += p[c] = pow(fmax(p[c], PEN_SHARE_FLOOR) / most, 1 / temperature);
    for (int64_t c = 0; c < classes; c++)
        p[c] /= sum;
}
