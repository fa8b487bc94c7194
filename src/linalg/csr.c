/* csr.c - products of sparse symmetric matrices: one loop, compiled for each width of vectors.
 * Nothing is fused (-ffp-contract=off), so all versions give the same bits. */
#include "linalg/csr.h"

#include "core/isa.h"
#include "core/parallel.h"

enum { TASK_ROWS = 256 };

/* consecutive columns, whose sums stay in registers */
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

#define ADD_COLUMNS(type, width)                                                                   \
    for (; c + (width) <= k; c += (width)) {                                                       \
        type sum = A->diagonal[i] * *(const type *)(v + i * k + c);                                \
        for (int64_t e = A->first[i]; e < A->first[i + 1]; e++)                                    \
            sum += A->weight[e] * *(const type *)(v + A->other[e] * k + c);                        \
        *(type *)(y + i * k + c) = sum;                                                            \
    }

#define DEFINE(name, target)                                                                       \
    target static void name(const pen_csr_sym *A, int64_t first, int64_t end, int64_t k,           \
                            const double *v, double *y)                                            \
    {                                                                                              \
        for (int64_t i = first; i < end; i++) {                                                    \
            int64_t c = 0;                                                                         \
            ADD_COLUMNS(eight, 8)                                                                  \
            ADD_COLUMNS(two, 2)                                                                    \
            ADD_COLUMNS(double, 1)                                                                 \
        }                                                                                          \
    }

DEFINE(multiply_plain, )
#if defined(__x86_64__)
DEFINE(multiply_avx2, __attribute__((target("avx2"))))
DEFINE(multiply_avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))))
#endif

void pen_csr_multiply_rows(const pen_csr_sym *A, int64_t first, int64_t end, int64_t k,
                           const double *v, double *y)
{
#if defined(__x86_64__)
    const pen_isa isa = pen_isa_now();
    if (isa >= PEN_ISA_AVX512) {
        multiply_avx512(A, first, end, k, v, y);
        return;
    }
    if (isa >= PEN_ISA_AVX2) {
        multiply_avx2(A, first, end, k, v, y);
        return;
    }
#endif
    multiply_plain(A, first, end, k, v, y);
}

struct multiply {
    const pen_csr_sym *A;
    int64_t k;
    const double *v;
    double *y;
};

static void multiply_task(void *context, int64_t task, int worker)
{
    const struct multiply *m = context;
    const int64_t first = task * TASK_ROWS, end = pen_min(m->A->n, first + TASK_ROWS);

    (void)worker;
    pen_csr_multiply_rows(m->A, first, end, m->k, m->v, m->y);
}

pen_status pen_csr_apply(pen_run *run, const void *context, int64_t k, const double *v, double *y)
{
    struct multiply m = { context, k, v, y };
    return pen_parallel(run, PEN_SILENT, (m.A->n + TASK_ROWS - 1) / TASK_ROWS, multiply_task, &m);
}
