/* test_multiply.c - dense products against a literal loop in the documented order, and against sums
 * in long double; every instruction set of this CPU gives the same bits. */
#include "check.h"

#include "products/multiply.h"

enum { SLICE = 256 }; /* of the inner dimension */

/* Arguments of a call: matrices with a row stride larger than the row. */
struct problem {
    pen_dense_product product;
    void *a, *b, *c;
    int64_t c_size; /* bytes */
};

static int64_t size_of(pen_dtype type)
{
    return type == PEN_F64 ? 8 : 4;
}

static double get(pen_dtype type, const void *values, int64_t at)
{
    return type == PEN_F64 ? ((const double *)values)[at] : (double)((const float *)values)[at];
}

static void set(pen_dtype type, void *values, int64_t at, double value)
{
    if (type == PEN_F64)
        ((double *)values)[at] = value;
    else
        ((float *)values)[at] = (float)value;
}

static void *numbers(pen_dtype type, pen_rng *rng, int64_t count)
{
    void *const values = check_allocate(count, (size_t)size_of(type));
    for (int64_t i = 0; i < count; i++)
        set(type, values, i, check_normal(rng));
    return values;
}

static double at(pen_dtype type, const pen_factor *f, int64_t i, int64_t j)
{
    if (f->mirrored && j > i)
        return at(type, f, j, i);
    return get(type, f->values, i * f->down + j * f->across);
}

/* A factor of rows x columns, transposed or not. */
static pen_factor factor(void *values, int64_t rows, int64_t columns, int turned)
{
    return turned ? (pen_factor){ values, 1, rows + 3, 0 }
                  : (pen_factor){ values, columns + 2, 1, 0 };
}

/* kind: bit 0: the left factor is transposed, bit 1: the right one, bit 2: lower triangle only. */
static struct problem open_problem(pen_dtype type, int64_t m, int64_t n, int64_t k, int kind,
                                   double alpha, double beta)
{
    pen_rng rng = check_rng((uint64_t)(m * 1000003 + n * 1009 + k) * 8 + (uint64_t)kind);
    struct problem p = { .a = numbers(type, &rng, (m + 3) * (k + 3)),
                         .b = numbers(type, &rng, (k + 3) * (n + 3)),
                         .c = numbers(type, &rng, (m + 1) * (n + 5)),
                         .c_size = (m + 1) * (n + 5) * size_of(type) };

    p.product = (pen_dense_product){ .type = type,
                                     .m = m,
                                     .n = n,
                                     .k = k,
                                     .a = factor(p.a, m, k, kind & 1),
                                     .b = factor(p.b, k, n, kind & 2),
                                     .alpha = alpha,
                                     .beta = beta,
                                     .c = p.c,
                                     .stride = n + 5,
                                     .lower = (kind & 4) != 0 };
    return p;
}

/* One element as the header defines it, in the precision of the product. */
static double literal(const pen_dense_product *p, int64_t i, int64_t j, double before)
{
    const double scaled =
        p->type == PEN_F64 ? p->beta * before : (double)((float)p->beta * (float)before);
    double c = p->k > 0 ? before : p->beta == 0 ? 0 : scaled;

    for (int64_t start = 0; start < p->k; start += SLICE) {
        const double beta = start == 0 ? p->beta : 1;
        double sum = 0;
        for (int64_t k = start; k < p->k && k < start + SLICE; k++) {
            const double a = at(p->type, &p->a, i, k), b = at(p->type, &p->b, k, j);
            sum =
                p->type == PEN_F64 ? fma(a, b, sum) : (double)fmaf((float)a, (float)b, (float)sum);
        }
        if (p->type == PEN_F64)
            c = p->alpha * sum + (beta == 0 ? 0 : beta * c);
        else if (beta == 0)
            c = (double)((float)p->alpha * (float)sum);
        else
            c = (double)((float)p->alpha * (float)sum + (float)beta * (float)c);
    }
    return c;
}

/* The whole memory of C after a product: elements outside stay unchanged. */
static void *expected(const struct problem *problem)
{
    const pen_dense_product *const p = &problem->product;
    char *const c = check_allocate(problem->c_size, 1);

    memcpy(c, problem->c, (size_t)problem->c_size);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < (p->lower && i < p->n ? i + 1 : p->n); j++) {
            const int64_t place = i * p->stride + j;
            const double value = literal(p, i, j, get(p->type, c, place));
            long double sum = p->beta == 0 ? 0 : p->beta * get(p->type, c, place), size = 0;
            for (int64_t k = 0; k < p->k; k++) {
                const long double product =
                    (long double)at(p->type, &p->a, i, k) * at(p->type, &p->b, k, j);
                sum += p->alpha * product;
                size += fabsl(product);
            }
            /* checks the literal loop itself */
            CHECK_CLOSE(value, (double)sum, p->type == PEN_F64 ? 1e-14 : 1e-5,
                        (p->type == PEN_F64 ? 1e-14 : 1e-5) * (double)(size + 1));
            set(p->type, c, place, value);
        }
    return c;
}

static void check_sets(struct problem *p, const char *what, int kind)
{
    const pen_isa before = pen_isa_now();
    void *const right = expected(p), *const start = check_allocate(p->c_size, 1);

    memcpy(start, p->c, (size_t)p->c_size);
    for (int isa = 0; isa < PEN_ISA_COUNT; isa++) {
        if (!pen_isa_has((pen_isa)isa))
            continue;
        pen_isa_use((pen_isa)isa);
        memcpy(p->c, start, (size_t)p->c_size);
        pen_multiply_dense(&p->product);
        CHECK(memcmp(p->c, right, (size_t)p->c_size) == 0,
              "%s: %s, %lld x %lld x %lld, kind %d, differs", what, pen_isa_name((pen_isa)isa),
              (long long)p->product.m, (long long)p->product.n, (long long)p->product.k, kind);
    }
    pen_isa_use(before);
}

static void check_product(pen_dtype type, const int64_t *mnk, int kind, double alpha, double beta)
{
    struct problem p = open_problem(type, mnk[0], mnk[1], mnk[2], kind, alpha, beta);
    check_sets(&p, kind & 4 ? "lower" : "whole", kind);
}

/* Sizes below, at and above those of tiles and slices, alone and combined; the lower triangle. */
TEST(sizes)
{
    static const int64_t list[][3] = { { 1, 1, 1 },     { 2, 13, 31 },    { 13, 2, 257 },
                                       { 31, 33, 2 },   { 33, 31, 13 },   { 14, 32, 256 },
                                       { 28, 64, 255 }, { 257, 13, 33 },  { 13, 257, 1 },
                                       { 6, 16, 513 },  { 100, 230, 64 }, { 1, 40, 300 },
                                       { 40, 1, 300 },  { 5, 7, 0 },      { 0, 3, 4 },
                                       { 3, 0, 4 } },
                         lower[][3] = { { 1, 1, 5 },
                                        { 13, 13, 31 },
                                        { 33, 33, 257 },
                                        { 130, 130, 20 },
                                        { 257, 257, 3 } };
    const int step = check_effort() < 0.5 ? 3 : 1;

    for (int type = 0; type < 2; type++) {
        const pen_dtype of = type ? PEN_F64 : PEN_F32;
        for (size_t s = 0; s < sizeof list / sizeof *list; s++)
            for (int kind = 0; kind < 4; kind += step)
                check_product(of, list[s], kind, kind == 1 ? -0.7 : 1, kind == 2 ? 0.3 : kind == 3);
        for (size_t s = 0; s < sizeof lower / sizeof *lower; s++)
            for (int beta = 0; beta < 2; beta++)
                check_product(of, lower[s], 4 + 1, 1, beta);
    }
}

/* Half of a symmetric factor, on either side; the other half is NaN. */
TEST(mirrored)
{
    static const int64_t list[][2] = { { 1, 3 }, { 17, 40 }, { 33, 2 }, { 300, 5 } };

    for (size_t s = 0; s < sizeof list / sizeof *list; s++)
        for (int type = 0; type < 2; type++)
            for (int right = 0; right < 2; right++) {
                const int64_t n = list[s][0], other = list[s][1];
                struct problem p = open_problem(type ? PEN_F64 : PEN_F32, right ? other : n,
                                                right ? n : other, n, 0, 1, 0);
                pen_factor *const f = right ? &p.product.b : &p.product.a;
                for (int64_t i = 0; i < n; i++)
                    for (int64_t j = i + 1; j < n; j++)
                        set(p.product.type, right ? p.b : p.a, i * f->down + j, (double)NAN);
                f->mirrored = 1;
                check_sets(&p, right ? "symmetric on the right" : "symmetric on the left", 0);
            }
}

/* A product that allocates memory has the bits of its parts, which do not. */
TEST(large)
{
    enum { N = 600, K = 300, PART = 7 };
    pen_rng rng = check_rng(77);
    float *const a = numbers(PEN_F32, &rng, N * K), *const b = numbers(PEN_F32, &rng, K * N),
                 *const c = check_allocate(N * N, sizeof *c),
                 *const part = check_allocate(PART * N, sizeof *part);
    pen_dense_product p = { .type = PEN_F32,
                            .m = N,
                            .n = N,
                            .k = K,
                            .a = { a, K, 1, 0 },
                            .b = { b, N, 1, 0 },
                            .alpha = 1,
                            .c = c,
                            .stride = N };

    pen_multiply_dense(&p);
    p.m = PART;
    p.c = part;
    for (int64_t i = 0; i + PART <= N; i += 31) {
        p.a.values = a + i * K;
        pen_multiply_dense(&p);
        assert_memory_equal(part, c + i * N, PART * N * sizeof *part);
    }
}

/* Unread memory may hold anything. */
TEST(not_read)
{
    struct problem p = open_problem(PEN_F64, 20, 20, 9, 4 + 1, 1, 0);

    for (int64_t i = 0; i < p.c_size / 8; i++)
        ((double *)p.c)[i] = (double)NAN;
    pen_multiply_dense(&p.product);
    for (int64_t i = 0; i < 20; i++)
        for (int64_t j = 0; j < 25; j++)
            assert_int_equal(isnan(((double *)p.c)[i * 25 + j]) != 0, j > i);
}
