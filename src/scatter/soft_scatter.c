/* soft_scatter.c - scatters of soft classes. With F_i = b_i f_i, f_i summing to 1, row i
 * contributes
 *
 *   sum_c F_ic (x_i - m_c)(x_i - m_c)'
 *     = b_i (x_i - mu_i)(x_i - mu_i)' + sum_c F_ic (m_c - mu_i)(m_c - mu_i)'
 *   mu_i = sum_c f_ic m_c
 *
 * Over all rows the second term is M'T M, with T the Laplacian of the weights
 *
 *   t_cc' = sum_i b_i f_ic f_ic'
 *
 * between classes. So S_w is one sum of outer products of rows, plus a small term that is 0 for
 * hard labels. */
#include "scatter/soft_scatter.h"

#include "linalg/blas.h"
#include "linalg/products.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = 64 };

/* Rounding error of a mean of equal numbers, relative to the mean. */
static const double MEAN_ROUNDING = 4 * DBL_EPSILON;

struct soft {
    const pen_view *x;
    int64_t c;
    const double *membership; /* [n x c] f */
    const double *root;       /* [n] sqrt(b) */
    const double *size;       /* [c] G */
    double *mean;             /* [c x d] m_c */
    double *about;            /* [c x d] m_c - m */
    double *spread;           /* [c x d] T (m_c - m) */
    double *between;          /* [c x d] sqrt(G_c) (m_c - m) */
};

static pen_status find_memberships(pen_run *run, int64_t n, int64_t c, const double *F,
                                   struct soft *s)
{
    double *membership, *root, *size;

    PEN_TRY(PEN_NEW(run, membership, pen_times(n, c)));
    PEN_TRY(PEN_NEW(run, root, n));
    PEN_TRY(PEN_FILLED(run, size, c, 0));
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < c; j++) {
            sum += F[i * c + j];
            size[j] += F[i * c + j];
        }
        root[i] = sqrt(sum);
        for (int64_t j = 0; j < c; j++)
            membership[i * c + j] = sum > 0 ? F[i * c + j] / sum : 0;
    }
    s->membership = membership;
    s->root = root;
    s->size = size;
    return PEN_OK;
}

static void fill_memberships(const void *context, int64_t first, int64_t count, void *block)
{
    const struct soft *s = context;
    double *const to = block;

    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < s->c; j++)
            to[i * s->c + j] = s->root[first + i] * s->membership[(first + i) * s->c + j];
}

/* Computes T, whose rows sum to 0. */
static pen_status find_overlap(pen_run *run, const struct soft *s, pen_sym *T)
{
    const int64_t c = s->c;

    PEN_TRY(pen_sym_zero(run, c, T));
    PEN_TRY(
        pen_sym_add_gram(run, "overlap of classes", 1, PEN_F64, s->x->n, fill_memberships, s, T));
    for (int64_t i = 0; i < c; i++)
        T->a[i * c + i] = 0;
    for (int64_t i = 0; i < c; i++)
        for (int64_t j = 0; j < i; j++) {
            const double weight = T->a[i * c + j];
            T->a[i * c + i] += weight;
            T->a[j * c + j] += weight;
            T->a[i * c + j] = -weight;
        }
    return PEN_OK;
}

/* Computes the means from sums over all rows. */
static pen_status find_means(pen_run *run, const double *F, const pen_sym *T, struct soft *s)
{
    const int64_t d = s->x->d, c = s->c;
    double *sums, all = 0;

    PEN_TRY(PEN_NEW4(run, s->mean, s->about, s->spread, s->between, pen_times(c, d)));
    PEN_TRY(PEN_NEW(run, sums, pen_times(d, c)));
    PEN_TRY(pen_rows_gather(run, s->x, c, F, sums));
    for (int64_t i = 0; i < c; i++)
        all += s->size[i];
    for (int64_t j = 0; j < d; j++) {
        double mean = 0;
        for (int64_t i = 0; i < c; i++) {
            s->mean[i * d + j] = sums[j * c + i] / s->size[i];
            mean += s->mean[i * d + j] * (s->size[i] / all);
        }
        for (int64_t i = 0; i < c; i++) {
            s->about[i * d + j] = s->mean[i * d + j] - mean;
            s->between[i * d + j] = sqrt(s->size[i]) * s->about[i * d + j];
        }
    }
    pen_blas_symm(c, d, T->a, s->about, s->spread);
    return PEN_OK;
}

/* Rows of the within scatter: sqrt(b_i) (x_i - mu_i). */
static void fill_within(const void *context, int64_t first, int64_t count, void *block)
{
    const struct soft *s = context;
    const int64_t d = s->x->d;

    pen_rows_centered(s->x, NULL, first, count, block);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, count, d, s->c, -1, s->membership + first * s->c,
                  s->c, s->mean, d, 1, block, d);
    for (int64_t i = 0; i < count; i++) {
        double *restrict row = (double *)block + i * d;
        for (int64_t j = 0; j < d; j++)
            row[j] *= s->root[first + i];
    }
}

/* The largest diagonal entry of the within scatter in the columns of the source. */
static pen_status largest_of_source(pen_run *run, const double *F, const pen_sym *T, struct soft s,
                                    double *largest)
{
    const int64_t d = s.x->d;
    double *block, *sum;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(find_means(run, F, T, &s));
    PEN_TRY(PEN_NEW(run, block, pen_times(ROWS, d)));
    PEN_TRY(PEN_FILLED(run, sum, d, 0));
    for (int64_t i = 0; i < s.c; i++)
        for (int64_t j = 0; j < d; j++)
            sum[j] += s.about[i * d + j] * s.spread[i * d + j];
    for (int64_t first = 0; first < s.x->n; first += ROWS) {
        const int64_t count = pen_min(ROWS, s.x->n - first);
        PEN_TRY(pen_progress(run, "scatter within classes", first, s.x->n));
        fill_within(&s, first, count, block);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < d; j++)
                sum[j] += block[i * d + j] * block[i * d + j];
    }
    *largest = 0;
    for (int64_t j = 0; j < d; j++)
        *largest = fmax(*largest, sum[j]);
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status note(pen_run *run, const struct soft *s, pen_sym *B, pen_sym *C)
{
    const int64_t d = s->x->d;
    double *rounding, all = 0;

    PEN_TRY(PEN_NEW(run, rounding, d));
    memcpy(rounding, s->x->rounding, (size_t)d * sizeof *rounding);
    for (int64_t i = 0; i < s->c; i++) {
        all += s->size[i];
        for (int64_t j = 0; j < d; j++)
            rounding[j] =
                fmax(rounding[j], s->x->rounding[j] + MEAN_ROUNDING * fabs(s->mean[i * d + j]));
    }
    pen_sym_note(B, s->c - 1, DBL_EPSILON);
    pen_sym_note(C, s->x->n, DBL_EPSILON);
    pen_sym_add_floor(all, rounding, B);
    pen_sym_add_floor(all, rounding, C);
    return PEN_OK;
}

/* Requires that both scatters exceed rounding. */
static pen_status require_nonzero(pen_run *run, const pen_sym *B, double largest)
{
    double floor = 0;

    for (int64_t j = 0; j < B->d; j++)
        floor += B->floor[j];
    PEN_REQUIRE(run, pen_sym_trace(B) > floor, PEN_RANK_TOO_SMALL,
                "nothing to project on: the means of all classes are equal");
    PEN_REQUIRE(run, largest > (double)B->d * DBL_EPSILON * pen_sym_largest(B),
                PEN_SINGULAR_SCATTER,
                "the within scatter is zero: the rows of each class are equal, or nearly so");
    return PEN_OK;
}

pen_status pen_scatter_soft(pen_run *run, const pen_view *x, const double *F, pen_sym *B,
                            pen_sym *C, double *largest)
{
    struct soft s = { .x = x, .c = x->classes };
    pen_sym T;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(find_memberships(run, x->n, s.c, F, &s));
    PEN_TRY(find_overlap(run, &s, &T));
    PEN_TRY(find_means(run, F, &T, &s));
    PEN_TRY(pen_sym_add_rows(run, "scatter between classes", 1, s.c, s.between, B));
    PEN_TRY(pen_sym_add_gram(run, "scatter within classes", 1, PEN_F64, x->n, fill_within, &s, C));
    PEN_TRY(pen_sym_add_product(run, 0.5, s.c, s.about, s.spread, C));
    PEN_TRY(note(run, &s, B, C));
    *largest = 0;
    for (int64_t j = 0; j < x->d; j++)
        *largest = fmax(*largest, C->a[j * x->d + j]);
    if (x->source && x->source->d != x->d) {
        s.x = x->source;
        PEN_TRY(largest_of_source(run, F, &T, s, largest));
    }
    pen_release(run, mark);
    return require_nonzero(run, B, *largest);
}
