/* csr.c - products of sparse symmetric matrices. */
#include "linalg/csr.h"

#include "core/parallel.h"

enum { TASK_ROWS = 256 };

struct multiply {
    const pen_csr_sym *A;
    int64_t k;
    const double *v;
    double *y;
};

/* One column: the sum stays in a register. */
static void multiply_vector(const struct multiply *m, int64_t first, int64_t end)
{
    const pen_csr_sym *const A = m->A;
    const double *restrict v = m->v;

    for (int64_t i = first; i < end; i++) {
        double sum = A->diagonal[i] * v[i];
        for (int64_t e = A->first[i]; e < A->first[i + 1]; e++)
            sum += A->weight[e] * v[A->other[e]];
        m->y[i] = sum;
    }
}

static void multiply_rows(void *context, int64_t task, int worker)
{
    const struct multiply *m = context;
    const pen_csr_sym *const A = m->A;
    const int64_t k = m->k, first = task * TASK_ROWS, end = pen_min(A->n, first + TASK_ROWS);

    (void)worker;
    if (k == 1) {
        multiply_vector(m, first, end);
        return;
    }
    for (int64_t i = first; i < end; i++) {
        const double *restrict own = m->v + i * k;
        double *restrict y = m->y + i * k;
        for (int64_t c = 0; c < k; c++)
            y[c] = A->diagonal[i] * own[c];
        for (int64_t e = A->first[i]; e < A->first[i + 1]; e++) {
            const double weight = A->weight[e], *restrict v = m->v + A->other[e] * k;
            for (int64_t c = 0; c < k; c++)
                y[c] += weight * v[c];
        }
    }
}

pen_status pen_csr_multiply(pen_run *run, const pen_csr_sym *A, int64_t k, const double *v,
                            double *y)
{
    struct multiply m = { A, k, v, y };
    return pen_parallel(run, PEN_SILENT, (A->n + TASK_ROWS - 1) / TASK_ROWS, multiply_rows, &m);
}

pen_status pen_csr_apply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    return pen_csr_multiply(run, context, k, v, y);
}
