/* logistic_classifier.c - Newton's method for logistic regression. Conjugate gradients find a step;
 * they need only products with the Hessian:
 *
 *   H V = X' A + (V but for biases),   row i of A: (diag(p_i) - p_i p_i') (X V)_i
 *
 * X [l x (k + 1)]: the rows and a column of ones; V [(k + 1) x columns]. W lies in the span of the
 * rows, so if rows are few, their coordinates in that span replace them. */
#include "classifiers/logistic_classifier.h"

#include "classifiers/affine_classifier.h"
#include "core/parallel.h"
#include "linalg/cg.h"
#include "linalg/products.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1024, MOST_STEPS = 200, MOST_HALVINGS = 50, MOST_ITERATIONS = 100000 };

/* Up to this number of rows per column of W, coordinates in their span save more than they cost. */
static const int64_t ROWS_IN_SPAN = 256;

/* Changes below this fraction of the objective are rounding. */
static const double ROUNDING = 1e-12;

/* This fraction of the number of rows is added to the diagonal of biases in the Hessian, which
 * stays regular if all p are 0 or 1. */
static const double DAMPING = 1e-12;

struct logistic {
    pen_run *run;
    pen_view x;                  /* [l x k] */
    int64_t l, k, columns, size; /* size = (k + 1) columns */
    double *span;                /* [l x columns of the embedding] orthonormal rows, or NULL */
    double tolerance;            /* for the largest entry of the gradient */
    int implicit;                /* 1: one more class has the score 0 */
    const int32_t *of;           /* [l] the column of the class of each row; -1: the implicit one */
    double *W;                   /* [(k + 1) x columns] biases last */
    double *scores;              /* [l x columns] X W */
    double *p;                   /* [l x columns] */
    double *parts;               /* [tasks] sums of losses */
    double *work;                /* [l x columns] */
    double *squares;             /* [k] sums of squares of the columns of x */
};

/* ---- products ---- */

/* to [l x columns] = X V. */
static pen_status multiply(const struct logistic *s, const double *V, double *to)
{
    const double *const bias = V + s->k * s->columns;

    PEN_TRY(pen_rows_multiply(s->run, &s->x, s->columns, V, to));
    for (int64_t i = 0; i < s->l; i++)
        for (int64_t c = 0; c < s->columns; c++)
            to[i * s->columns + c] += bias[c];
    return PEN_OK;
}

/* to [(k + 1) x columns] = X' A. */
static pen_status gather(const struct logistic *s, const double *A, double *to)
{
    double *const bias = to + s->k * s->columns;

    PEN_TRY(pen_rows_gather(s->run, &s->x, s->columns, A, to));
    memset(bias, 0, (size_t)s->columns * sizeof *bias);
    for (int64_t i = 0; i < s->l; i++)
        for (int64_t c = 0; c < s->columns; c++)
            bias[c] += A[i * s->columns + c];
    return PEN_OK;
}

/* ---- the objective ---- */

/* Computes p of a row from its scores; returns -ln p of its class. */
static double row_loss(const struct logistic *s, const double *scores, int32_t of, double *p)
{
    double most = s->implicit ? 0 : -INFINITY, sum;

    for (int64_t c = 0; c < s->columns; c++)
        most = fmax(most, scores[c]);
    sum = s->implicit ? exp(-most) : 0;
    for (int64_t c = 0; c < s->columns; c++)
        sum += p[c] = exp(scores[c] - most);
    for (int64_t c = 0; c < s->columns; c++)
        p[c] /= sum;
    return most + log(sum) - (of < 0 ? 0 : scores[of]);
}

static void loss_piece(void *context, int64_t task, int worker)
{
    const struct logistic *s = context;
    const int64_t end = pen_min(s->l, (task + 1) * PIECE);
    double sum = 0;

    (void)worker;
    for (int64_t i = task * PIECE; i < end; i++)
        sum += row_loss(s, s->scores + i * s->columns, s->of[i], s->p + i * s->columns);
    s->parts[task] = sum;
}

/* Uses W and its scores; sets p. */
static pen_status find_objective(struct logistic *s, double *objective)
{
    const int64_t tasks = (s->l + PIECE - 1) / PIECE;
    double sum = 0;

    PEN_TRY(pen_parallel(s->run, PEN_SILENT, tasks, loss_piece, s));
    for (int64_t i = 0; i < s->k * s->columns; i++)
        sum += s->W[i] * s->W[i] / 2;
    for (int64_t task = 0; task < tasks; task++)
        sum += s->parts[task];
    *objective = sum;
    return PEN_OK;
}

/* Uses p; returns the largest entry in *largest. */
static pen_status find_gradient(const struct logistic *s, double *gradient, double *largest)
{
    memcpy(s->work, s->p, (size_t)(s->l * s->columns) * sizeof *s->work);
    for (int64_t i = 0; i < s->l; i++)
        if (s->of[i] >= 0)
            s->work[i * s->columns + s->of[i]] -= 1;
    PEN_TRY(gather(s, s->work, gradient));
    *largest = 0;
    for (int64_t i = 0; i < s->size; i++) {
        gradient[i] += i < s->k * s->columns ? s->W[i] : 0;
        *largest = fmax(*largest, fabs(gradient[i]));
    }
    return PEN_OK;
}

/* ---- the Hessian ---- */

/* A constant added to all scores of a row changes nothing, so the sum of the biases is free. Its
 * square is added to the objective, and is 0 at the minimum. */
static double sum_weight(const struct logistic *s)
{
    return s->implicit ? 0 : (double)s->l / (double)(s->columns * s->columns);
}

/* A pen_apply_fn of one column. */
static pen_status multiply_hessian(pen_run *run, const void *context, int64_t one, const double *v,
                                   double *y)
{
    const struct logistic *s = context;
    const int64_t columns = s->columns, weights = s->k * columns;
    double sum = 0;

    (void)run, (void)one;
    PEN_TRY(multiply(s, v, s->work));
    for (int64_t i = 0; i < s->l; i++) {
        const double *restrict p = s->p + i * columns;
        double *restrict a = s->work + i * columns, mean = 0;
        for (int64_t c = 0; c < columns; c++)
            mean += p[c] * a[c];
        for (int64_t c = 0; c < columns; c++)
            a[c] = p[c] * (a[c] - mean);
    }
    PEN_TRY(gather(s, s->work, y));
    for (int64_t c = 0; c < columns; c++)
        sum += v[weights + c];
    for (int64_t i = 0; i < weights; i++)
        y[i] += v[i];
    for (int64_t c = 0; c < columns; c++)
        y[weights + c] += DAMPING * (double)s->l * v[weights + c] + sum_weight(s) * sum;
    return PEN_OK;
}

/* An approximation that replaces the weights p (1 - p) of the rows by their mean. */
static void find_diagonal(const struct logistic *s, double *diagonal)
{
    const int64_t columns = s->columns;
    double *const bias = diagonal + s->k * columns;

    for (int64_t c = 0; c < columns; c++)
        bias[c] = DAMPING * (double)s->l;
    for (int64_t i = 0; i < s->l; i++)
        for (int64_t c = 0; c < columns; c++)
            bias[c] += s->p[i * columns + c] * (1 - s->p[i * columns + c]);
    for (int64_t j = 0; j < s->k; j++)
        for (int64_t c = 0; c < columns; c++)
            diagonal[j * columns + c] = 1 + bias[c] / (double)s->l * s->squares[j];
    for (int64_t c = 0; c < columns; c++)
        bias[c] += sum_weight(s);
}

/* ---- Newton's method ---- */

/* Numbers of one step. */
struct step {
    double *gradient, *side, *direction, *diagonal; /* [size] */
    double *along;                                  /* [l x columns] X direction */
    double *W, *scores;                             /* at the start of the step */
};

static pen_status open_step(pen_run *run, const struct logistic *s, struct step *t)
{
    const int64_t scores = pen_times(s->l, s->columns);

    PEN_TRY(PEN_NEW4(run, t->gradient, t->side, t->direction, t->diagonal, s->size));
    PEN_TRY(PEN_NEW(run, t->W, s->size));
    PEN_TRY(PEN_NEW(run, t->along, scores));
    return PEN_NEW(run, t->scores, scores);
}

/* The accuracy of a direction, relative to the gradient. It rises toward the minimum, but not
 * beyond what the end needs. */
static double accuracy(const struct logistic *s, double largest)
{
    return fmax(fmin(0.1, sqrt(largest / (double)s->l)), 0.1 * s->tolerance / largest);
}

static pen_status find_direction(struct logistic *s, double largest, struct step *t)
{
    const pen_cg system = { .phase = "logistic regression",
                            .n = s->size,
                            .apply = multiply_hessian,
                            .context = s,
                            .diagonal = t->diagonal,
                            .tol = accuracy(s, largest),
                            .most = MOST_ITERATIONS };

    find_diagonal(s, t->diagonal);
    for (int64_t i = 0; i < s->size; i++)
        t->side[i] = -t->gradient[i];
    memset(t->direction, 0, (size_t)s->size * sizeof *t->direction);
    PEN_TRY(pen_cg_solve(s->run, &system, 1, t->side, t->direction));
    return multiply(s, t->direction, t->along);
}

/* Moves W along the direction, and halves the step until the objective decreases enough. *moved: 0
 * if it never does. */
static pen_status move(struct logistic *s, struct step *t, double *objective, int *moved)
{
    const double before = *objective, noise = ROUNDING * (1 + fabs(before));
    double length = 1, slope = pen_dot(s->size, t->gradient, t->direction);

    memcpy(t->W, s->W, (size_t)s->size * sizeof *t->W);
    memcpy(t->scores, s->scores, (size_t)(s->l * s->columns) * sizeof *t->scores);
    *moved = 0;
    for (int halving = 0; halving < MOST_HALVINGS && !*moved; halving++, length /= 2) {
        for (int64_t i = 0; i < s->size; i++)
            s->W[i] = t->W[i] + length * t->direction[i];
        for (int64_t i = 0; i < s->l * s->columns; i++)
            s->scores[i] = t->scores[i] + length * t->along[i];
        PEN_TRY(find_objective(s, objective));
        *moved = *objective <= before + 1e-4 * length * slope + noise;
    }
    return PEN_OK;
}

static pen_status minimize(pen_run *run, struct logistic *s)
{
    double objective, largest = INFINITY;
    struct step t;
    int moved = 1;

    PEN_TRY(open_step(run, s, &t));
    PEN_TRY(multiply(s, s->W, s->scores));
    PEN_TRY(find_objective(s, &objective));
    for (int step = 0; step < MOST_STEPS && moved; step++) {
        PEN_TRY(find_gradient(s, t.gradient, &largest));
        if (largest <= s->tolerance)
            return PEN_OK;
        PEN_TRY(find_direction(s, largest, &t));
        PEN_TRY(move(s, &t, &objective, &moved));
    }
    return pen_fail(
        run, PEN_NOT_CONVERGED,
        "logistic regression: the largest entry of the gradient must end at %g or less, got %.3g",
        s->tolerance, largest);
}

/* ---- the classifier ---- */

/* The column of each class: -1 for the first of two, and for classes without labels. */
static pen_status number_columns(pen_run *run, const pen_classifier_rows *rows, int32_t **out)
{
    int32_t next = rows->present == 2 ? -1 : 0;

    PEN_TRY(PEN_NEW(run, *out, rows->all->classes));
    for (int64_t a = 0; a < rows->all->classes; a++)
        (*out)[a] = rows->sizes[a] > 0 ? next++ : -1;
    return PEN_OK;
}

/* x [l x d] becomes the coordinates [l x l] in the span of its rows. A gradient of the same length
 * may have a larger entry in the original coordinates. */
static pen_status reduce_rows(pen_run *run, double *x, struct logistic *s)
{
    const int64_t l = s->l, d = s->k;
    double *rows, *work;

    if (l >= d || l / s->columns > ROWS_IN_SPAN)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, s->span, pen_times(l, d)));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, rows, pen_times(l, d)));
    PEN_TRY(PEN_NEW(run, work, pen_times(33, l)));
    memcpy(rows, x, (size_t)(l * d) * sizeof *rows);
    memcpy(s->span, x, (size_t)(l * d) * sizeof *rows);
    PEN_REQUIRE(run, pen_lapack_orthonormalize(d, l, s->span, work) == 0, PEN_INTERNAL,
                "the basis of the labelled rows is not orthonormal");
    PEN_TRY(pen_multiply(run, PEN_PLAIN, PEN_TRANSPOSED, l, l, d, rows, s->span, x));
    pen_release(run, mark);
    s->k = l;
    s->tolerance /= sqrt((double)l);
    return PEN_OK;
}

static pen_status open_rows(pen_run *run, const pen_classifier_rows *rows, const int32_t *column,
                            struct logistic *s)
{
    const int64_t d = s->k;
    double *x, *zeros;
    int32_t *of;

    PEN_TRY(PEN_NEW(run, x, pen_times(s->l, d)));
    PEN_TRY(PEN_NEW(run, of, s->l));
    for (int64_t i = 0; i < s->l; i++) {
        pen_classifier_row(d, rows->center, rows->divisor, rows->all->z + rows->members[i] * d,
                           x + i * d);
        of[i] = column[rows->of[i]];
    }
    PEN_TRY(reduce_rows(run, x, s));
    PEN_TRY(PEN_FILLED(run, zeros, s->k, 0));
    PEN_TRY(PEN_FILLED(run, s->squares, s->k, 0));
    for (int64_t i = 0; i < s->l * s->k; i++)
        s->squares[i % s->k] += x[i] * x[i];
    s->of = of;
    s->x = (pen_view){
        .values = pen_dense(x, PEN_F64, s->l, s->k, s->k), .n = s->l, .d = s->k, .mean = zeros
    };
    return PEN_OK;
}

/* Starts with W = 0, and biases that make p the fractions of the classes. */
static void start(const pen_classifier_rows *rows, const int32_t *column, struct logistic *s)
{
    double *const bias = s->W + s->k * s->columns, base = 0;

    memset(s->W, 0, (size_t)s->size * sizeof *s->W);
    for (int64_t a = 0; a < rows->all->classes; a++)
        if (rows->sizes[a] > 0 && column[a] >= 0)
            bias[column[a]] = log((double)rows->sizes[a]);
        else if (rows->sizes[a] > 0)
            base = log((double)rows->sizes[a]);
    for (int64_t c = 0; c < s->columns; c++)
        bias[c] -= base;
}

static pen_status open_logistic(pen_run *run, const pen_classifier_rows *rows,
                                const int32_t *column, double tolerance, struct logistic *s)
{
    const int two = rows->present == 2;
    const int64_t columns = two ? 1 : rows->present, l = rows->labelled, k = rows->all->k;

    *s = (struct logistic){
        .run = run, .l = l, .k = k, .columns = columns, .implicit = two, .tolerance = tolerance
    };
    PEN_TRY(open_rows(run, rows, column, s));
    s->size = pen_times(pen_plus(s->k, 1), columns);
    PEN_TRY(PEN_NEW(run, s->W, s->size));
    PEN_TRY(PEN_NEW3(run, s->scores, s->p, s->work, pen_times(l, columns)));
    PEN_TRY(PEN_NEW(run, s->parts, l / PIECE + 1));
    start(rows, column, s);
    return PEN_OK;
}

/* The weights for rows as given [k x columns], from weights for coordinates in their span. */
static pen_status expand(pen_run *run, int64_t k, const struct logistic *s, const double **out)
{
    double *weights;

    *out = s->W;
    if (!s->span)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, weights, pen_times(k, s->columns)));
    *out = weights;
    return pen_multiply(run, PEN_TRANSPOSED, PEN_PLAIN, k, s->columns, s->l, s->span, s->W,
                        weights);
}

static pen_status store(pen_run *run, const pen_classifier_rows *rows, const int32_t *column,
                        const struct logistic *s, pen_classifier *out)
{
    const int64_t columns = s->columns, classes = out->classes;
    const double *const bias = s->W + s->k * columns, *weights;
    double mean = 0;

    PEN_TRY(expand(run, out->k, s, &weights));
    for (int64_t c = 0; !s->implicit && c < columns; c++)
        mean += bias[c] / (double)columns;
    for (int64_t a = 0; a < classes; a++)
        if (rows->sizes[a] > 0) {
            out->bias[a] = column[a] < 0 ? 0 : bias[column[a]] - mean;
            for (int64_t j = 0; column[a] >= 0 && j < out->k; j++)
                out->weights[j * classes + a] = weights[j * columns + column[a]];
        }
    return PEN_OK;
}

pen_status pen_logistic_classifier_fit(pen_run *run, const pen_classifier_rows *rows,
                                       double tolerance, pen_classifier *out)
{
    struct logistic s;
    int32_t *column;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(number_columns(run, rows, &column));
    PEN_TRY(open_logistic(run, rows, column, tolerance, &s));
    PEN_TRY(minimize(run, &s));
    PEN_TRY(store(run, rows, column, &s, out));
    pen_release(run, mark);
    return pen_affine_classifier_fold(run, rows, out);
}
