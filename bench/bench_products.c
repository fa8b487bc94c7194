/* bench_products.c - dense products, against multiply-adds in registers and against the BLAS.
 *
 *   bench_products
 *
 * prints one JSON line per case: gigaflops of a product by the library and by the BLAS, the best of
 * several, in turn, and of a loop of multiply-adds that touches no memory; CPU time of one thread.
 * PENUMBRA_ISA and OPENBLAS_CORETYPE choose the kernels that are compared. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "linalg/blas_turn.h"
#include "products/multiply.h"
#include "registers.h"

#include <cblas.h>

enum { REPEATS = 7 };
static const double LEAST = 0.02; /* seconds of a repetition */

struct shape {
    pen_dtype type;
    int lower; /* X'X, half of it */
    int of_a;  /* 1: the left factor is turned */
    int64_t m, n, k;
    const void *a, *b;
    void *c;
};

static void ours(const struct shape *s)
{
    pen_multiply_dense(
        &(pen_dense_product){ .type = s->type,
                              .m = s->m,
                              .n = s->n,
                              .k = s->k,
                              .a = { s->a, s->of_a ? 1 : s->k, s->of_a ? s->m : 1, 0 },
                              .b = { s->b, s->n, 1, 0 },
                              .alpha = 1,
                              .c = s->c,
                              .stride = s->n,
                              .lower = s->lower });
}

static void theirs(const struct shape *s)
{
    const int m = (int)s->m, n = (int)s->n, k = (int)s->k, lda = s->of_a ? m : k;
    const CBLAS_TRANSPOSE of_a = s->of_a ? CblasTrans : CblasNoTrans;
    const int saved = pen_blas_begin();

    if (s->lower && s->type == PEN_F64)
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, k, 1, s->a, n, 0, s->c, n);
    else if (s->lower)
        cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, n, k, 1, s->a, n, 0, s->c, n);
    else if (s->type == PEN_F64)
        cblas_dgemm(CblasRowMajor, of_a, CblasNoTrans, m, n, k, 1, s->a, lda, s->b, n, 0, s->c, n);
    else
        cblas_sgemm(CblasRowMajor, of_a, CblasNoTrans, m, n, k, 1, s->a, lda, s->b, n, 0, s->c, n);
    pen_blas_end(saved);
}

/* Seconds of one call. */
static double seconds_of(const struct shape *s, void (*of)(const struct shape *))
{
    const double start = thread_cpu_now();
    int64_t calls = 0;

    do {
        of(s);
        calls++;
    } while (thread_cpu_now() - start < LEAST);
    return (thread_cpu_now() - start) / (double)calls;
}

static void measure(const struct shape *s)
{
    const double flops = (s->lower ? 1 : 2) * (double)s->m * (double)s->n * (double)s->k;
    void (*const kinds[2])(const struct shape *) = { ours, theirs };
    const registers_loop loop = registers_of_panels(pen_panels_of(pen_isa_now(), s->type), s->type);
    double best[2] = { 0 }, limit = 0;

    for (int i = 0; i < REPEATS; i++) {
        for (int kind = 0; kind < 2; kind++) {
            const double rate = flops / seconds_of(s, kinds[kind]) / 1e9;
            best[kind] = rate > best[kind] ? rate : best[kind];
        }
        for (int j = 0; j < REPEATS; j++) {
            const double most = registers_rate(&loop) / 1e9;
            limit = most > limit ? most : limit;
        }
    }
    printf("{\"case\":\"%s\",\"type\":\"%s\",\"m\":%lld,\"n\":%lld,\"k\":%lld,\"isa\":\"%s\","
           "\"instruction\":\"%s\",\"gigaflops\":%.1f,\"of_limit\":%.2f,\"of_blas\":%.2f,\"limit\":"
           "%.1f,\"blas\":%.1f}\n",
           s->lower  ? "syrk"
           : s->of_a ? "gemm_turned"
                     : "gemm",
           s->type == PEN_F64 ? "f64" : "f32", (long long)s->m, (long long)s->n, (long long)s->k,
           pen_isa_name(pen_isa_now()), loop.instruction, best[0], best[0] / limit,
           best[0] / best[1], limit, best[1]);
    fflush(stdout);
}

static void *numbers(pen_dtype type, int64_t count)
{
    void *const values = aligned_alloc(64, ((size_t)count * 8 + 63) / 64 * 64);

    if (!values)
        exit(1);
    for (int64_t i = 0; i < count; i++)
        if (type == PEN_F64)
            ((double *)values)[i] = (double)(i % 17) - 8;
        else
            ((float *)values)[i] = (float)(i % 17) - 8;
    return values;
}

int main(void)
{
    static const int64_t sizes[][3] = { { 64, 64, 784 },
                                        { 128, 128, 256 },
                                        { 784, 784, 256 },
                                        { 784, 784, 1024 },
                                        { 1000, 1000, 1000 } };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 6; kind++) {
            const int64_t m = sizes[i][0], n = sizes[i][1], k = sizes[i][2];
            const pen_dtype type = kind % 2 ? PEN_F64 : PEN_F32;
            void *const a = numbers(type, m * k), *const b = numbers(type, k * n),
                        *const c = numbers(type, m * n);
            measure(&(struct shape){ type, kind / 2 == 0, kind / 2 < 2, m, n, k, a, b, c });
            free(a);
            free(b);
            free(c);
        }
    return 0;
}
