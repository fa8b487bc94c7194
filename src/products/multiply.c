/* multiply.c - cuts factors into panels that stay in the caches, and the result into tiles;
 * transposes panels. */
#include "products/multiply.h"

#include "core/run.h"
#include "products/panels.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 256, /* depth of a slice; of these numbers, only this one affects results */
    /* bytes of packed panels. Left panels stay in the second-level cache while a panel from the
     * right stays in the first. A larger right side means that the left factor is packed less
     * often */
    LEFT_BYTES = 192 << 10,
    RIGHT_BYTES = 1 << 20,
    LEFT_ON_STACK = 56 << 10,
    RIGHT_ON_STACK = 192 << 10,
    MOST_ON_STACK = 1 << 25, /* multiply-adds of a product that needs no allocated memory */
    LINE = 64,               /* bytes of a cache line */
    AHEAD = 8,               /* rows of a factor to prefetch */
};

/* Packs whole panels whose rows, `bytes` each, are contiguous in the factor. */
static inline __attribute__((always_inline)) void
copy_rows(int64_t depth, int64_t panels, const char *from, int64_t stride, char *to, size_t bytes)
{
    for (int64_t k = 0; k < depth; k++, from += stride, to += bytes)
        for (int64_t p = 0; p < panels; p++) {
            const char *const row = from + p * (int64_t)bytes;
            __builtin_prefetch(row + AHEAD * stride);
            if (bytes > LINE)
                __builtin_prefetch(row + AHEAD * stride + LINE);
            memcpy(to + p * depth * (int64_t)bytes, row, bytes);
        }
}

/* The same with constant sizes: a copy of known size takes a few instructions. */
static void pack_rows(int64_t depth, int64_t panels, const char *from, int64_t stride, char *to,
                      int64_t bytes)
{
#define CASE(size)                                                                                 \
    case size:                                                                                     \
        copy_rows(depth, panels, from, stride, to, size);                                          \
        break;
    switch (bytes) {
        CASE(16)
        CASE(24)
        CASE(32)
        CASE(48)
        CASE(56)
        CASE(64)
        CASE(112)
        CASE(128)
    default:
        copy_rows(depth, panels, from, stride, to, (size_t)bytes);
    }
}

/* A factor from the view of its panels: lane l at depth k is values[l * lane + k * depth]. */
struct lanes {
    pen_dtype type;
    const char *values;
    int64_t lane, depth; /* bytes */
    int mirrored;        /* only elements with k <= l exist; for others use depth l of lane k */
};

/* Lanes first .. first + count - 1 at depths start .. start + depth - 1. */
struct part {
    int64_t first, count, start, depth;
};

static const char *element(const struct lanes *a, int64_t lane, int64_t k)
{
    return a->values + lane * a->lane + k * a->depth;
}

static void pack_elements(const struct lanes *a, const struct part *p, int64_t wide, char *to)
{
    const size_t size = a->type == PEN_F64 ? sizeof(double) : sizeof(float);

    for (int64_t k = p->start; k < p->start + p->depth; k++, to += (size_t)wide * size)
        for (int64_t l = p->first; l < p->first + p->count; l++)
            memcpy(to + (size_t)(l - p->first) * size,
                   a->mirrored && k > l ? element(a, k, l) : element(a, l, k), size);
}

/* ---- transposed panels ----
 *
 * Transposing uses registers that every CPU of the architecture has: loads and stores of single
 * numbers would take a fifth of the time of a product. */
#if defined(__SSE2__)
#include <immintrin.h>

/* Four elements of four rows. */
static void turn_16(const float *from, int64_t stride, float *to, int64_t wide)
{
    __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + stride),
           c = _mm_loadu_ps(from + 2 * stride), d = _mm_loadu_ps(from + 3 * stride);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + wide, b);
    _mm_storeu_ps(to + 2 * wide, c);
    _mm_storeu_ps(to + 3 * wide, d);
}

/* Two elements of two rows. */
static void turn_4(const double *from, int64_t stride, double *to, int64_t wide)
{
    const __m128d a = _mm_loadu_pd(from), b = _mm_loadu_pd(from + stride);
    _mm_storeu_pd(to, _mm_unpacklo_pd(a, b));
    _mm_storeu_pd(to + wide, _mm_unpackhi_pd(a, b));
}
#elif defined(__aarch64__)
#include <arm_neon.h>

static void turn_16(const float *from, int64_t stride, float *to, int64_t wide)
{
    const float32x4_t a = vld1q_f32(from), b = vld1q_f32(from + stride),
                      c = vld1q_f32(from + 2 * stride), d = vld1q_f32(from + 3 * stride);
    const float64x2_t ab0 = vreinterpretq_f64_f32(vtrn1q_f32(a, b)),
                      ab1 = vreinterpretq_f64_f32(vtrn2q_f32(a, b)),
                      cd0 = vreinterpretq_f64_f32(vtrn1q_f32(c, d)),
                      cd1 = vreinterpretq_f64_f32(vtrn2q_f32(c, d));
    vst1q_f32(to, vreinterpretq_f32_f64(vtrn1q_f64(ab0, cd0)));
    vst1q_f32(to + wide, vreinterpretq_f32_f64(vtrn1q_f64(ab1, cd1)));
    vst1q_f32(to + 2 * wide, vreinterpretq_f32_f64(vtrn2q_f64(ab0, cd0)));
    vst1q_f32(to + 3 * wide, vreinterpretq_f32_f64(vtrn2q_f64(ab1, cd1)));
}

static void turn_4(const double *from, int64_t stride, double *to, int64_t wide)
{
    const float64x2_t a = vld1q_f64(from), b = vld1q_f64(from + stride);
    vst1q_f64(to, vtrn1q_f64(a, b));
    vst1q_f64(to + wide, vtrn2q_f64(a, b));
}
#else
static void turn_16(const float *from, int64_t stride, float *to, int64_t wide)
{
    for (int64_t k = 0; k < 4; k++)
        for (int64_t l = 0; l < 4; l++)
            to[k * wide + l] = from[l * stride + k];
}

static void turn_4(const double *from, int64_t stride, double *to, int64_t wide)
{
    for (int64_t k = 0; k < 2; k++)
        for (int64_t l = 0; l < 2; l++)
            to[k * wide + l] = from[l * stride + k];
}
#endif

/* Element k of row l of `from`, `stride` elements apart, becomes to[k * wide + l]: `count` rows of
 * `depth` elements. Transposes squares of SIDE x SIDE elements by SQUARE, and the rest one
 * by one. */
#define TURN(NAME, NUMBER, SIDE, SQUARE)                                                           \
    static void NAME(int64_t count, int64_t depth, const NUMBER *from, int64_t stride, NUMBER *to, \
                     int64_t wide)                                                                 \
    {                                                                                              \
        const int64_t rows = count / SIDE * SIDE, columns = depth / SIDE * SIDE;                   \
                                                                                                   \
        for (int64_t k = 0; k < columns; k += SIDE) {                                              \
            for (int64_t l = 0; l < rows; l += SIDE)                                               \
                SQUARE(from + l * stride + k, stride, to + k * wide + l, wide);                    \
            for (int64_t l = rows; l < count; l++)                                                 \
                for (int64_t i = k; i < k + SIDE; i++)                                             \
                    to[i * wide + l] = from[l * stride + i];                                       \
        }                                                                                          \
        for (int64_t k = columns; k < depth; k++)                                                  \
            for (int64_t l = 0; l < count; l++)                                                    \
                to[k * wide + l] = from[l * stride + k];                                           \
    }
TURN(transpose_f32, float, 4, turn_16)
TURN(transpose_f64, double, 2, turn_4)

/* Packs one panel of a plain factor as [depth][wide]. */
static void pack_plain(const struct lanes *a, const struct part *p, int64_t wide, char *to)
{
    const int64_t size = a->type == PEN_F64 ? 8 : 4;

    const void *const from = element(a, p->first, p->start);
    if (a->depth == size && a->type == PEN_F64)
        transpose_f64(p->count, p->depth, from, a->lane / size, (double *)(void *)to, wide);
    else if (a->depth == size)
        transpose_f32(p->count, p->depth, from, a->lane / size, (float *)(void *)to, wide);
    else if (p->count == wide)
        pack_rows(p->depth, 1, from, a->depth, to, wide * size);
    else
        pack_elements(a, p, wide, to);
}

/* Packs half of a symmetric factor: on one side of the diagonal as stored, on the other side with
 * lanes and depths exchanged, and around the diagonal one by one. */
static void pack_mirrored(const struct lanes *a, const struct part *p, int64_t wide, char *to)
{
    const int64_t size = a->type == PEN_F64 ? 8 : 4, end = p->start + p->depth;
    const struct lanes turned = { a->type, a->values, a->depth, a->lane, 0 },
                       straight = { a->type, a->values, a->lane, a->depth, 0 };
    /* end of the part below the diagonal, and start of the part above it */
    const int64_t below = pen_max(p->start, pen_min(end, p->first)),
                  above = pen_max(below, pen_min(end, p->first + p->count));
    const struct part parts[3] = { { p->first, p->count, p->start, below - p->start },
                                   { p->first, p->count, below, above - below },
                                   { p->first, p->count, above, end - above } };

    pack_plain(&straight, &parts[0], wide, to);
    pack_elements(a, &parts[1], wide, to + (below - p->start) * wide * size);
    pack_plain(&turned, &parts[2], wide, to + (above - p->start) * wide * size);
}

/* Packs panels of `wide` lanes, and pads the last one with zeros. */
static void pack(const struct lanes *a, const struct part *p, int64_t wide, char *to)
{
    const int64_t size = a->type == PEN_F64 ? 8 : 4, bytes = p->depth * wide * size;
    int64_t l = 0;

    if (a->lane == size && !a->mirrored) {
        l = p->count / wide * wide;
        pack_rows(p->depth, p->count / wide, element(a, p->first, p->start), a->depth, to,
                  wide * size);
    }
    for (; l < p->count; l += wide) {
        const struct part panel = { p->first + l, pen_min(wide, p->count - l), p->start, p->depth };
        char *const here = to + l / wide * bytes;
        if (panel.count < wide)
            memset(here, 0, (size_t)bytes);
        (a->mirrored ? pack_mirrored : pack_plain)(a, &panel, wide, here);
    }
}

/* One slice of the inner dimension, and room for packed panels: `high` rows of the left factor,
 * `wide` columns of the right one. */
struct slice {
    const pen_dense_product *product;
    const pen_panels *panels;
    struct lanes a, b;
    int64_t size, start, depth;
    char *left, *right;
    int64_t high, wide;
};

static void multiply_tile(const struct slice *s, int64_t row, int64_t column,
                          const pen_tile_end *end, const char *left, const char *right)
{
    const pen_dense_product *const p = s->product;
    char *const c = (char *)p->c + (row * p->stride + column) * s->size;
    _Alignas(LINE) char sums[PEN_LARGEST_TILE];

    for (int64_t i = 0; i < end->high; i++) { /* prefetched for the addition */
        const char *const line = c + i * p->stride * s->size;
        for (int64_t at = 0; at < end->wide * s->size; at += LINE)
            __builtin_prefetch(line + at, 1);
        __builtin_prefetch(line + end->wide * s->size - 1, 1);
    }
    s->panels->multiply(s->depth, left, right, sums);
    s->panels->add(end, sums, c, p->stride);
}

/* Computes the tiles of rows i .. i + high - 1 and columns j .. j + wide - 1. */
static void multiply_block(const struct slice *s, int64_t i, int64_t high, int64_t j, int64_t wide)
{
    const pen_dense_product *const p = s->product;
    const pen_panels *const of = s->panels;
    pen_tile_end end = { .alpha = p->alpha, .beta = s->start == 0 ? p->beta : 1 };

    for (int64_t column = j; column < j + wide; column += of->wide)
        for (int64_t row = i; row < i + high; row += of->high) {
            end.high = pen_min(of->high, i + high - row);
            end.wide = pen_min(of->wide, j + wide - column);
            end.first = p->lower ? row - column + 1 : end.wide;
            if (end.first + end.high > 1) /* not entirely above the diagonal */
                multiply_tile(s, row, column, &end, s->left + (row - i) * s->depth * s->size,
                              s->right + (column - j) * s->depth * s->size);
        }
}

static void multiply_slice(const struct slice *s)
{
    const pen_dense_product *const p = s->product;

    for (int64_t j = 0; j < p->n; j += s->wide) {
        const struct part columns = { j, pen_min(s->wide, p->n - j), s->start, s->depth };
        pack(&s->b, &columns, s->panels->wide, s->right);
        for (int64_t i = p->lower ? j : 0; i < p->m; i += s->high) {
            const struct part rows = { i, pen_min(s->high, p->m - i), s->start, s->depth };
            pack(&s->a, &rows, s->panels->high, s->left);
            multiply_block(s, i, rows.count, j, columns.count);
        }
    }
}

static void multiply_slices(struct slice *s, char *left, int64_t left_bytes, char *right,
                            int64_t right_bytes)
{
    const pen_dense_product *const p = s->product;
    const int64_t line = pen_min(DEPTH, p->k) * s->size, high = s->panels->high,
                  wide = s->panels->wide;

    s->left = left;
    s->right = right;
    s->high = left_bytes / (high * line) * high;
    s->wide = right_bytes / (wide * line) * wide;
    for (s->start = 0; s->start < p->k; s->start += DEPTH) {
        s->depth = pen_min(DEPTH, p->k - s->start);
        multiply_slice(s);
    }
}

static void multiply_on_stack(struct slice *s)
{
    _Alignas(LINE) char left[LEFT_ON_STACK], right[RIGHT_ON_STACK];

    multiply_slices(s, left, sizeof left, right, sizeof right);
}

/* C = beta C, if there is nothing to add. */
static void scale_result(const pen_dense_product *p)
{
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < (p->lower ? pen_min(i + 1, p->n) : p->n); j++) {
            const int64_t at = i * p->stride + j;
            if (p->type == PEN_F64)
                ((double *)p->c)[at] = p->beta == 0 ? 0 : p->beta * ((double *)p->c)[at];
            else
                ((float *)p->c)[at] = p->beta == 0 ? 0 : (float)p->beta * ((float *)p->c)[at];
        }
}

void pen_multiply_dense(const pen_dense_product *product)
{
    const int64_t size = product->type == PEN_F64 ? 8 : 4;
    const pen_factor *const a = &product->a, *const b = &product->b;
    struct slice s = {
        .product = product,
        .panels = pen_panels_of(pen_isa_now(), product->type),
        .a = { product->type, a->values, a->down * size, a->across * size, a->mirrored },
        .b = { product->type, b->values, b->across * size, b->down * size, b->mirrored },
        .size = size,
    };

    if (b->mirrored) /* its rows are its columns */
        s.b = (struct lanes){ product->type, b->values, b->down * size, b->across * size, 1 };
    if (product->k == 0) {
        scale_result(product);
        return;
    }
    const double work = (double)product->m * (double)product->n * (double)product->k;
    char *const memory =
        work > MOST_ON_STACK ? aligned_alloc(LINE, LEFT_BYTES + RIGHT_BYTES) : NULL;
    if (memory) /* without memory the product is the same, only slower */
        multiply_slices(&s, memory, LEFT_BYTES, memory + LEFT_BYTES, RIGHT_BYTES);
    else
        multiply_on_stack(&s);
    free(memory);
}
