/* lda_classifier.c - class means, the scatter about them, shrunk toward a multiple of I, and its
 * inverse. */
#include "classifiers/lda_classifier.h"

#include "classifiers/affine_classifier.h"
#include "linalg/products.h"
#include "linalg/sym.h"
#include "scatter/shrinkage.h"

#include <math.h>
#include <string.h>

enum { ROWS_TO_POLL = 4096 };

static const double LEAST_VARIANCE =
    1e-9; /* of Sigma, in units of mu; of means, in units of rows */

/* Rows minus the means of their classes. */
struct residuals {
    const pen_classed_rows *set;
    int64_t k;
    double *means;  /* [classes x k] */
    int64_t *sizes; /* [classes] */
};

static const double *row_of(const pen_classed_rows *set, int64_t i)
{
    return set->rows->all->z + set->members[i] * set->rows->all->k;
}

static void unit_row(const pen_classed_rows *set, int64_t i, double *to)
{
    pen_classifier_row(set->rows->all->k, set->rows->center, set->rows->divisor, row_of(set, i),
                       to);
}

/* Computes a mean as the first row of a class plus the mean of differences to it, so that the
 * residuals of equal rows are exactly 0. */
static pen_status find_means(pen_run *run, const pen_classed_rows *set, struct residuals *e)
{
    const int64_t k = e->k, c = set->rows->all->classes;
    double *first, *row;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, first, pen_times(c, k)));
    PEN_TRY(PEN_NEW(run, row, k));
    memset(e->means, 0, (size_t)(c * k) * sizeof *e->means);
    memset(e->sizes, 0, (size_t)c * sizeof *e->sizes);
    for (int64_t i = 0; i < set->count; i++) {
        const int64_t class = set->of[i];
        unit_row(set, i, row);
        if (e->sizes[class]++ == 0)
            memcpy(first + class * k, row, (size_t)k * sizeof *row);
        for (int64_t j = 0; j < k; j++)
            e->means[class * k + j] += row[j] - first[class * k + j];
        if (i % ROWS_TO_POLL == 0)
            PEN_TRY(pen_poll(run));
    }
    for (int64_t class = 0; class < c; class ++)
        for (int64_t j = 0; e->sizes[class] > 0 && j < k; j++)
            e->means[class * k + j] =
                first[class * k + j] + e->means[class * k + j] / (double)e->sizes[class];
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status open_residuals(pen_run *run, const pen_classed_rows *set, struct residuals *e)
{
    const int64_t k = set->rows->all->k, c = set->rows->all->classes;

    *e = (struct residuals){ .set = set, .k = k };
    PEN_TRY(PEN_NEW(run, e->means, pen_times(c, k)));
    PEN_TRY(PEN_NEW(run, e->sizes, c));
    return find_means(run, set, e);
}

/* A pen_fill_fn. If a method projects each class to one point, residuals are rounding, which must
 * not be whitened like real ones. */
static void fill(const void *context, int64_t first, int64_t count, void *block)
{
    const struct residuals *e = context;
    const double *const noise = e->set->rows->all->rounding;

    for (int64_t i = 0; i < count; i++) {
        const double *restrict mean = e->means + e->set->of[first + i] * e->k;
        double *restrict to = (double *)block + i * e->k;
        unit_row(e->set, first + i, to);
        for (int64_t j = 0; j < e->k; j++)
            to[j] -= mean[j];
        for (int64_t j = 0; noise && j < e->k; j++)
            if (fabs(to[j]) <= noise[j] / e->set->rows->divisor)
                to[j] = 0;
    }
}

/* ---- Sigma ---- */

/* E'E, or EE' and E if there are fewer rows than dimensions. */
struct scatter {
    pen_sym gram;
    double *E; /* [l x k], or NULL */
    double mu; /* mean of the diagonal of E'E / l */
    double rho;
};

static pen_status open_scatter(pen_run *run, const struct residuals *e, struct scatter *s)
{
    const int64_t l = e->set->count, k = e->k;
    pen_residuals residuals = { l, k, 0, fill, e };

    *s = (struct scatter){ .rho = 1 };
    for (int64_t a = 0; a < e->set->rows->all->classes; a++)
        residuals.groups += e->sizes[a] > 0;
    PEN_TRY(pen_sym_zero(run, pen_min(l, k), &s->gram));
    if (l < k) {
        PEN_TRY(PEN_NEW(run, s->E, pen_times(l, k)));
        fill(e, 0, l, s->E);
        PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, l, l, k, s->E, s->E, s->gram.a));
    } else {
        PEN_TRY(pen_sym_add_gram(run, "scatter within classes", 1, PEN_F64, l, fill, e, &s->gram));
    }
    s->mu = pen_sym_trace(&s->gram) / (double)l / (double)k;
    if (s->mu > 0)
        PEN_TRY(pen_shrinkage(run, &residuals, k, &s->gram, &s->rho));
    return PEN_OK;
}

static pen_status factor(pen_run *run, pen_sym *A)
{
    PEN_REQUIRE(run, isfinite(pen_sym_largest(A)) && pen_lapack_cholesky(A->d, A->a) == 0,
                PEN_BAD_DATA,
                "the scatter within classes is not positive definite: its values are too small "
                "compared with the embedding");
    return PEN_OK;
}

/* Replaces B [k x columns] by Sigma^-1 B. With Sigma = mu (a I + b E'E):
 *
 *   Sigma^-1 = (I - b E' (a I + b EE')^-1 E) / (mu a) */
static pen_status solve(pen_run *run, int64_t l, int64_t k, struct scatter *s, int64_t columns,
                        double *B)
{
    const double a = s->rho + LEAST_VARIANCE, b = (1 - s->rho) / ((double)l * s->mu);
    pen_sym *const A = &s->gram;
    double *inner, *back;

    for (int64_t i = 0; i < A->d * A->d; i++)
        A->a[i] *= b;
    pen_sym_add_identity(a, A);
    PEN_TRY(factor(run, A));
    if (!s->E) {
        pen_lapack_cholesky_solve(k, columns, A->a, B);
        for (int64_t i = 0; i < k * columns; i++)
            B[i] /= s->mu;
        return PEN_OK;
    }
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, inner, pen_times(l, columns)));
    PEN_TRY(PEN_NEW(run, back, pen_times(k, columns)));
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_PLAIN, l, columns, k, s->E, B, inner));
    pen_lapack_cholesky_solve(l, columns, A->a, inner);
    PEN_TRY(pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, k, columns, l, s->E, inner, back));
    for (int64_t i = 0; i < k * columns; i++)
        B[i] = (B[i] - b * back[i]) / a / s->mu;
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- the classifiers ---- */

/* Sets the constant parts of the scores; for classes without rows they stay -INFINITY. */
static void set_bias(const struct residuals *e, const double *log_prior, pen_classifier *out)
{
    const int64_t k = e->k, c = out->classes;

    for (int64_t a = 0; a < c; a++) {
        double sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += e->means[a * k + j] * out->weights[j * c + a];
        if (e->sizes[a] > 0)
            out->bias[a] = log_prior[a] - sum / 2;
    }
}

pen_status pen_lda_classifier_fit(pen_run *run, const pen_classed_rows *set,
                                  const double *log_prior, pen_classifier *out, double *rho)
{
    const int64_t k = set->rows->all->k, c = set->rows->all->classes;
    struct residuals e;
    struct scatter s;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_residuals(run, set, &e));
    PEN_TRY(open_scatter(run, &e, &s));
    pen_transpose(c, k, e.means, out->weights);
    if (s.mu > 0)
        PEN_TRY(solve(run, set->count, k, &s, c, out->weights));
    set_bias(&e, log_prior, out);
    *rho = s.rho;
    pen_release(run, mark);
    return pen_affine_classifier_fold(run, set->rows, out);
}

pen_status pen_means_classifier_fit(pen_run *run, const pen_classifier_rows *rows,
                                    pen_classifier *out)
{
    const int64_t k = rows->all->k, c = rows->all->classes;
    const pen_classed_rows set = { rows, rows->labelled, rows->members, rows->of };
    struct residuals e;
    double *row, sum = 0;

    PEN_TRY(PEN_NEW(run, out->rows, pen_times(rows->present, k)));
    PEN_TRY(PEN_NEW(run, out->of, rows->present));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(open_residuals(run, &set, &e));
    PEN_TRY(PEN_NEW(run, row, k));
    for (int64_t a = 0; a < c; a++)
        if (e.sizes[a] > 0) {
            memcpy(out->rows + out->count * k, e.means + a * k, (size_t)k * sizeof *out->rows);
            out->of[out->count++] = (int32_t)a;
        }
    for (int64_t i = 0; i < set.count; i++) {
        fill(&e, i, 1, row);
        for (int64_t j = 0; j < k; j++)
            sum += row[j] * row[j];
    }
    pen_release(run, mark);
    out->center = rows->center;
    out->divisor = rows->divisor;
    out->width = 2 * (LEAST_VARIANCE + sum / (double)set.count / (double)k) * sqrt((double)k);
    return PEN_OK;
}
