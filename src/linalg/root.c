/* root.c - Chebyshev series of a matrix, by the recurrence of its polynomials. */
#include "linalg/root.h"

#include <math.h>
#include <string.h>

enum { POINTS = 512 };

static const double LEAST = 0.05, ERROR = 0.3, PI = 3.14159265358979323846;

/* The series is as long as its error falls to ERROR: by the factor (sqrt(ratio) - 1) / (sqrt(ratio) + 1) a term. */
static int64_t degree_for(double low, double high)
{
    const double root = sqrt(high / low);
    return root > 1 ? pen_max(1, (int64_t)ceil(log(ERROR) / log((root - 1) / (root + 1)))) : 1;
}

/* Of 1 / sqrt(x) on [low, high]. */
static void find_coefficients(double low, double high, int64_t degree, double *coefficient)
{
    for (int64_t j = 0; j <= degree; j++) {
        double sum = 0;
        for (int64_t i = 0; i < POINTS; i++) {
            const double angle = PI * ((double)i + 0.5) / POINTS, x = (low + high) / 2 + (high - low) / 2 * cos(angle);
            sum += cos((double)j * angle) / sqrt(x);
        }
        coefficient[j] = (j == 0 ? 1 : 2) * sum / POINTS;
    }
}

pen_status root_open(pen_run *run, const pen_csr *A, double dominance, pen_root *out)
{
    const double low = fmin(fmax(dominance, LEAST), 0.99), high = 2 - fmin(dominance, low), half = (high - low) / 2;
    double *coefficient, *scale, *weight, *diagonal;

    *out = (pen_root){ .B = *A, .degree = degree_for(low, high) };
    PEN_TRY(PEN_NEW(run, coefficient, out->degree + 1));
    PEN_TRY(PEN_NEW(run, scale, A->n));
    PEN_TRY(PEN_NEW(run, weight, A->first[A->n]));
    PEN_TRY(PEN_NEW(run, diagonal, A->n));
    find_coefficients(low, high, out->degree, coefficient);
    for (int64_t i = 0; i < A->n; i++) {
        scale[i] = 1 / sqrt(A->diagonal[i]);
        diagonal[i] = (1 - (low + high) / 2) / half;
    }
    for (int64_t i = 0; i < A->n; i++)
        for (int64_t e = A->first[i]; e < A->first[i + 1]; e++)
            weight[e] = A->weight[e] * scale[i] * scale[A->other[e]] / half;
    out->B.weight = weight;
    out->B.diagonal = diagonal;
    out->coefficient = coefficient;
    out->scale = scale;
    return PEN_OK;
}

/* to [n x k] = rows of `from`, times the scale if there is one. */
static void scale_rows(int64_t n, int64_t k, const double *scale, const double *from, double *to)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k; c++)
            to[i * k + c] = scale ? scale[i] * from[i * k + c] : from[i * k + c];
}

pen_status root_multiply(pen_run *run, const pen_root *root, int transposed, int64_t k, const double *v, double *y)
{
    const int64_t n = root->B.n, size = n * k;
    double *before, *now, *next;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, before, size));
    PEN_TRY(PEN_NEW(run, now, size));
    PEN_TRY(PEN_NEW(run, next, size));
    scale_rows(n, k, transposed ? root->scale : NULL, v, before);
    PEN_TRY(csr_multiply(run, &root->B, k, before, now));
    for (int64_t i = 0; i < size; i++)
        y[i] = root->coefficient[0] * before[i] + root->coefficient[1] * now[i];
    for (int64_t j = 2; j <= root->degree; j++) {
        const double a = root->coefficient[j];
        PEN_TRY(csr_multiply(run, &root->B, k, now, next));
        for (int64_t i = 0; i < size; i++) {
            next[i] = 2 * next[i] - before[i];
            y[i] += a * next[i];
        }
        double *const spare = before;
        before = now;
        now = next;
        next = spare;
    }
    if (!transposed)
        scale_rows(n, k, root->scale, y, y);
    pen_release(run, mark);
    return PEN_OK;
}
