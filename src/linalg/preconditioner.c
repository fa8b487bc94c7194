/* preconditioner.c - a Chebyshev series of a matrix, evaluated by the three-term recurrence. */
#include "linalg/preconditioner.h"

#include "core/parallel.h"

#include <math.h>
#include <string.h>

enum { POINTS = 512, TASK_ROWS = 256 };

static const double MIN_LOW = 0.05, ERROR = 0.3, PI = 3.14159265358979323846;

/* The series ends once its error is below ERROR; each term reduces it by the factor
 *
 *   (sqrt(ratio) - 1) / (sqrt(ratio) + 1),  ratio = high / low */
static int64_t degree_for(double low, double high)
{
    const double root = sqrt(high / low);
    return root > 1 ? pen_max(1, (int64_t)ceil(log(ERROR) / log((root - 1) / (root + 1)))) : 1;
}

/* The Chebyshev coefficients of 1 / sqrt(x) on [low, high]. */
static void find_coefficients(double low, double high, int64_t degree, double *coefficient)
{
    for (int64_t j = 0; j <= degree; j++) {
        double sum = 0;
        for (int64_t i = 0; i < POINTS; i++) {
            const double angle = PI * ((double)i + 0.5) / POINTS,
                         x = (low + high) / 2 + (high - low) / 2 * cos(angle);
            sum += cos((double)j * angle) / sqrt(x);
        }
        coefficient[j] = (j == 0 ? 1 : 2) * sum / POINTS;
    }
}

/* Vertices in breadth-first order: neighbors are close in memory, and products have fewer cache
 * misses. */
static void find_order(const pen_csr_sym *A, int64_t *order, int64_t *place)
{
    int64_t count = 0;

    for (int64_t i = 0; i < A->n; i++)
        place[i] = -1;
    for (int64_t root = 0; root < A->n; root++) {
        if (place[root] >= 0)
            continue;
        place[root] = count;
        order[count++] = root;
        for (int64_t at = place[root]; at < count; at++)
            for (int64_t e = A->first[order[at]]; e < A->first[order[at] + 1]; e++)
                if (place[A->other[e]] < 0) {
                    place[A->other[e]] = count;
                    order[count++] = A->other[e];
                }
    }
}

pen_status pen_preconditioner_open(pen_run *run, const pen_csr_sym *A, double dominance,
                                   pen_preconditioner *out)
{
    const double low = fmin(fmax(dominance, MIN_LOW), 0.99), high = 2 - fmin(dominance, low),
                 half = (high - low) / 2;
    const int64_t n = A->n;
    double *coefficient, *scale, *weight, *diagonal;
    int64_t *order, *place, *first, *other, count = 0;

    *out = (pen_preconditioner){ .degree = degree_for(low, high) };
    PEN_TRY(PEN_NEW(run, coefficient, out->degree + 1));
    PEN_TRY(PEN_NEW(run, order, n));
    PEN_TRY(PEN_NEW(run, scale, n));
    PEN_TRY(PEN_NEW(run, diagonal, n));
    PEN_TRY(PEN_NEW(run, first, n + 1));
    PEN_TRY(PEN_NEW(run, other, A->first[n]));
    PEN_TRY(PEN_NEW(run, weight, A->first[n]));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, place, n));
    find_coefficients(low, high, out->degree, coefficient);
    find_order(A, order, place);
    for (int64_t i = 0; i < n; i++) {
        scale[i] = 1 / sqrt(A->diagonal[order[i]]);
        diagonal[i] = (1 - (low + high) / 2) / half;
    }
    for (int64_t i = 0; i < n; i++) {
        first[i] = count;
        for (int64_t e = A->first[order[i]]; e < A->first[order[i] + 1]; e++) {
            other[count] = place[A->other[e]];
            weight[count++] = A->weight[e] * scale[i] * scale[place[A->other[e]]] / half;
        }
    }
    first[n] = count;
    pen_release(run, mark);
    out->B = (pen_csr_sym){ n, first, other, weight, diagonal };
    out->coefficient = coefficient;
    out->scale = scale;
    out->order = order;
    return PEN_OK;
}

/* One term of the series: to = factor B from - to, and sum += coefficient to. */
struct term {
    const pen_preconditioner *E;
    int transposed;
    int64_t k;
    double factor, coefficient;
    const double *v, *from;
    double *to, *sum, *y;
};

/* `width` columns of row i, starting with column c. Called with constant widths, so that sums stay
 * in registers. */
static inline void add_columns(const struct term *t, int64_t i, int64_t c, int64_t width)
{
    const pen_csr_sym *const B = &t->E->B;
    const double *restrict from = t->from + c;
    double *restrict to = t->to + i * t->k + c, *restrict sum = t->sum + i * t->k + c, row[8];

    for (int64_t j = 0; j < width; j++)
        row[j] = B->diagonal[i] * from[i * t->k + j];
    for (int64_t e = B->first[i]; e < B->first[i + 1]; e++) {
        const double weight = B->weight[e], *restrict v = from + B->other[e] * t->k;
        for (int64_t j = 0; j < width; j++)
            row[j] += weight * v[j];
    }
    for (int64_t j = 0; j < width; j++) {
        to[j] = t->factor * row[j] - to[j];
        sum[j] += t->coefficient * to[j];
    }
}

static void add_term(void *context, int64_t task, int worker)
{
    const struct term *t = context;
    const int64_t end = pen_min(t->E->B.n, (task + 1) * TASK_ROWS);

    (void)worker;
    for (int64_t i = task * TASK_ROWS; i < end; i++) {
        int64_t c = 0;
        for (; c + 8 <= t->k; c += 8)
            add_columns(t, i, c, 8);
        for (; c + 2 <= t->k; c += 2)
            add_columns(t, i, c, 2);
        if (c < t->k)
            add_columns(t, i, c, 1);
    }
}

/* The constant term, in the order of the matrix. */
static void begin(void *context, int64_t task, int worker)
{
    const struct term *t = context;
    const int64_t k = t->k, end = pen_min(t->E->B.n, (task + 1) * TASK_ROWS);

    (void)worker;
    for (int64_t i = task * TASK_ROWS; i < end; i++) {
        const double scale = t->transposed ? t->E->scale[i] : 1, *restrict v =
                                                                     t->v + t->E->order[i] * k;
        double *restrict to = t->to + i * k, *restrict sum = t->sum + i * k;
        for (int64_t c = 0; c < k; c++) {
            to[c] = scale * v[c];
            sum[c] = t->coefficient * to[c];
        }
    }
}

static void finish(void *context, int64_t task, int worker)
{
    const struct term *t = context;
    const int64_t k = t->k, end = pen_min(t->E->B.n, (task + 1) * TASK_ROWS);

    (void)worker;
    for (int64_t i = task * TASK_ROWS; i < end; i++) {
        const double scale = t->transposed ? 1 : t->E->scale[i], *restrict sum = t->sum + i * k;
        double *restrict y = t->y + t->E->order[i] * k;
        for (int64_t c = 0; c < k; c++)
            y[c] = scale * sum[c];
    }
}

pen_status pen_preconditioner_multiply(pen_run *run, const pen_preconditioner *E, int transposed,
                                       int64_t k, const double *v, double *y)
{
    const int64_t n = E->B.n, tasks = (n + TASK_ROWS - 1) / TASK_ROWS;
    struct term t = { .E = E,
                      .transposed = transposed,
                      .k = k,
                      .factor = 1,
                      .coefficient = E->coefficient[0],
                      .v = v,
                      .y = y };
    double *before, *now;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, before, pen_times(n, k)));
    PEN_TRY(PEN_NEW(run, now, pen_times(n, k)));
    PEN_TRY(PEN_NEW(run, t.sum, pen_times(n, k)));
    memset(before, 0, (size_t)(n * k) * sizeof *before);
    t.to = now;
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, begin, &t));
    for (int64_t j = 1; j <= E->degree; j++) {
        t.from = now;
        t.to = before;
        t.coefficient = E->coefficient[j];
        PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, add_term, &t));
        t.factor = 2;
        before = now;
        now = t.to;
    }
    PEN_TRY(pen_parallel(run, PEN_SILENT, tasks, finish, &t));
    pen_release(run, mark);
    return PEN_OK;
}
