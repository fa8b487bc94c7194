/* local.c - the local scatters of LFDA.
 *
 * With G_c = 1/2 sum_{i,j in c} A_ij (x_i - x_j)(x_i - x_j)', y_i = x_i - m_c, D_i = sum_{j in c} A_ij and S_c the scatter of class c,
 *
 *   S_lw = sum_c 1/n_c G_c
 *   S_lb = S_b + sum_c (1/n_c - 1/n') (n_c S_c - G_c)
 *   G_c  = sum_i D_i y_i y_i' - sum_ij A_ij y_i y_j'          n_c S_c - G_c = sum_i (n_c - D_i) y_i y_i' + sum_ij A_ij y_i y_j'
 *
 * so that all weights on y_i y_i' are non-negative. A is made in tiles of 256 x 256 rows of a class, each once: T_i = sum_{j before i} A_ij y_j,
 * with half of A_ii, gives sum_ij A_ij y_i y_j' = sum_i (y_i T_i' + T_i y_i'). */
#include "core/parallel.h"
#include "graph/neighbors.h"
#include "linalg/blas.h"
#include "scatter/classes.h"
#include "scatter/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const pen_scaling_names[] = { "classwise", "labelled", "all", NULL };

enum { TILE = 256, GROUP = 16, STRIPS = 64 }; /* a group: at most GROUP * TILE rows and STRIPS strips */

/* Rows first .. first + count - 1 (among the labelled) of one class, against those of its class up to itself. */
struct strip {
    int64_t c, first, count;
};

struct local {
    pen_classes classes;
    double *sigma;              /* [labelled] */
    double *degree;             /* [labelled] D_i */
    struct strip group[STRIPS]; /* strips worked on at a time; each writes its slice of what follows */
    double *y, *t;              /* [GROUP][TILE x d] */
    double *row_sum, *length2;  /* [GROUP][TILE] */
    double *column_sum;         /* [STRIPS][largest class] */
    int64_t largest;
    double *tile; /* [workers]: rows [TILE x d], affinities [TILE x TILE], their lengths and sums [2 x TILE] */
};

/* ---- local scaling ---- */

static pen_status scale_locally(pen_run *run, const pen_rows *x, int64_t neighbors, enum pen_scaling scaling, double *sigma)
{
    const pen_subset labelled = { x->members, x->labelled }, all = { NULL, x->n };

    if (scaling != PEN_SCALING_CLASSWISE)
        return neighbors_scaling(run, x, labelled, scaling == PEN_SCALING_ALL ? all : labelled, neighbors, sigma);
    for (int64_t c = 0; c < x->classes; c++) {
        const pen_subset class = { x->members + x->starts[c], pen_class_size(x, c) };
        PEN_TRY(neighbors_scaling(run, x, class, class, neighbors, sigma + x->starts[c]));
    }
    return PEN_OK;
}

/* ---- affinities ---- */

/* Where the expanded distance has lost too many digits, as between equal rows, the direct one is taken. */
static const double CANCELLED = 1e-3;

/* Products of labelled row i with `wide` labelled rows from `first` become squared distances. */
static void distances(const struct local *l, int64_t i, double a2, int64_t first, int64_t wide, const double *restrict b2,
                      double *restrict row)
{
    const pen_rows *x = &l->classes.x;
    for (int64_t j = 0; j < wide; j++)
        row[j] = a2 + b2[j] - 2 * row[j];
    for (int64_t j = 0; j < wide; j++)
        if (!(row[j] >= CANCELLED * (a2 + b2[j])))
            row[j] = pen_rows_distance2(x, x->members[i], x->members[first + j]);
}

/* Squared distances become affinities; their sum is returned and each is added to column_sum. */
static double affinities(const struct local *l, int64_t i, int64_t first, int64_t wide, double *restrict a, double *restrict column_sum)
{
    const double sigma = l->sigma[i], *restrict sigmas = l->sigma + first;
    double sum = 0;

    for (int64_t j = 0; j < wide; j++) {
        const double scale = sigma * sigmas[j];
        a[j] = scale > 0 ? exp(-a[j] / scale) : a[j] == 0;
        sum += a[j];
        column_sum[j] += a[j];
    }
    return sum;
}

/* ---- strips ---- */

/* T += A y_J for one tile: J = wide labelled rows from `first`; the strip itself has weight 1/2, for both its orders are in one tile. */
static void tile(const struct local *l, int64_t slot, int64_t first, int64_t wide, int worker)
{
    const pen_rows *x = &l->classes.x;
    const struct strip s = l->group[slot];
    const int64_t d = x->d, offset = s.first - l->group[0].first;
    const int diagonal = first == s.first;
    double *const other = l->tile + worker * (TILE * d + TILE * TILE + 2 * TILE), *const a = other + TILE * d;
    double *const b2 = a + TILE * TILE, *const unused = b2 + TILE;
    double *const column_sum = diagonal ? unused : l->column_sum + slot * l->largest + (first - x->starts[s.c]);

    classes_fill(&l->classes, first, wide, other);
    pen_squared_lengths(PEN_F64, other, wide, d, b2);
    blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, s.count, wide, d, 1, l->y + offset * d, d, other, d, 0, a, TILE);
    memset(column_sum, 0, (size_t)wide * sizeof *column_sum);
    for (int64_t i = 0; i < s.count; i++) {
        distances(l, s.first + i, l->length2[offset + i], first, wide, b2, a + i * TILE);
        l->row_sum[offset + i] += affinities(l, s.first + i, first, wide, a + i * TILE, column_sum);
    }
    blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, s.count, d, wide, diagonal ? 0.5 : 1, a, TILE, other, d, first > x->starts[s.c],
              l->t + offset * d, d);
}

static void strip(void *context, int64_t slot, int worker)
{
    const struct local *l = context;
    const pen_rows *x = &l->classes.x;
    const struct strip s = l->group[slot];
    const int64_t offset = s.first - l->group[0].first;

    classes_fill(&l->classes, s.first, s.count, l->y + offset * x->d);
    pen_squared_lengths(PEN_F64, l->y + offset * x->d, s.count, x->d, l->length2 + offset);
    memset(l->row_sum + offset, 0, (size_t)s.count * sizeof *l->row_sum);
    for (int64_t first = x->starts[s.c]; first <= s.first; first += TILE)
        tile(l, slot, first, pen_min(TILE, s.first + s.count - first), worker);
}

/* ---- putting it together ---- */

/* Row i of t times by_class(class of i). */
static void multiply_rows(const struct local *l, int64_t first, int64_t count, const double *by_class)
{
    const int64_t d = l->classes.x.d;
    for (int64_t i = 0; i < count; i++) {
        const double factor = by_class[l->classes.class_of[first + i]];
        for (int64_t j = 0; j < d; j++)
            l->t[i * d + j] *= factor;
    }
}

/* One group of strips: their sums to the degrees, their products to B and C. `within` is 1/n_c, `ratio` (1/n_c - 1/n') / (1/n_c). */
static pen_status add_group(pen_run *run, struct local *l, int64_t strips, double weight, const double *within, const double *ratio,
                            pen_sym *B, pen_sym *C)
{
    const pen_rows *x = &l->classes.x;
    const int64_t first = l->group[0].first, count = l->group[strips - 1].first + l->group[strips - 1].count - first;

    PEN_TRY(pen_parallel(run, PEN_PART("local scatters", first, first + count, x->labelled), strips, strip, l));
    for (int64_t slot = 0; slot < strips; slot++) {
        const struct strip s = l->group[slot];
        for (int64_t i = 0; i < s.first - x->starts[s.c]; i++)
            l->degree[x->starts[s.c] + i] += l->column_sum[slot * l->largest + i];
    }
    for (int64_t i = 0; i < count; i++)
        l->degree[first + i] += l->row_sum[i];
    multiply_rows(l, first, count, within);
    PEN_TRY(sym_add_product(run, -weight, PEN_F64, count, l->y, l->t, C));
    multiply_rows(l, first, count, ratio);
    return sym_add_product(run, weight, PEN_F64, count, l->y, l->t, B);
}

/* All strips, a group at a time: what does not stand on y_i y_i'. */
static pen_status add_pairs(pen_run *run, struct local *l, double weight, const double *within, const double *ratio, pen_sym *B, pen_sym *C)
{
    const pen_rows *x = &l->classes.x;
    int64_t strips = 0;

    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t first = x->starts[c]; first < x->starts[c + 1]; first += TILE) {
            const int64_t count = pen_min(TILE, x->starts[c + 1] - first);
            if (strips == STRIPS || (strips > 0 && first + count - l->group[0].first > GROUP * TILE)) {
                PEN_TRY(add_group(run, l, strips, weight, within, ratio, B, C));
                strips = 0;
            }
            l->group[strips++] = (struct strip){ c, first, count };
        }
    return strips > 0 ? add_group(run, l, strips, weight, within, ratio, B, C) : PEN_OK;
}

static pen_status prepare(pen_run *run, struct local *l)
{
    const pen_rows *x = &l->classes.x;
    const int64_t d = x->d, rows = pen_min(GROUP * TILE, x->labelled);
    const int workers = pen_workers(run, STRIPS);

    for (int64_t c = 0; c < x->classes; c++)
        l->largest = pen_max(l->largest, pen_class_size(x, c));
    PEN_TRY(PEN_NEW(run, l->tile, workers * (TILE * d + TILE * TILE + 2 * TILE)));
    PEN_TRY(PEN_NEW(run, l->y, rows * d));
    PEN_TRY(PEN_NEW(run, l->t, rows * d));
    PEN_TRY(PEN_NEW(run, l->row_sum, rows));
    PEN_TRY(PEN_NEW(run, l->length2, rows));
    return PEN_NEW(run, l->column_sum, STRIPS * l->largest);
}

/* What is left of G_c after its two sums have cancelled is rounded by so much of the first. */
static const double CANCELLATION = 8 * DBL_EPSILON;

/* B and C += what stands on y_i y_i'. */
static pen_status add_degrees(pen_run *run, struct local *l, double weight, const double *within, const double *ratio, pen_sym *B,
                              pen_sym *C)
{
    const pen_rows *x = &l->classes.x;
    double *factor, *before;

    PEN_TRY(PEN_NEW(run, factor, x->labelled));
    PEN_TRY(PEN_NEW(run, before, x->d));
    l->classes.factor = factor;
    for (int64_t j = 0; j < x->d; j++)
        before[j] = C->a[j * x->d + j];
    for (int64_t i = 0; i < x->labelled; i++)
        factor[i] = sqrt(l->degree[i] * within[l->classes.class_of[i]]);
    PEN_TRY(sym_add_gram(run, "local scatters", weight, PEN_F64, x->labelled, classes_fill, &l->classes, C));
    for (int64_t j = 0; j < x->d; j++)
        C->floor[j] += CANCELLATION * fmax(0, C->a[j * x->d + j] - before[j]);
    for (int64_t i = 0; i < x->labelled; i++) {
        const int64_t c = l->classes.class_of[i];
        factor[i] = sqrt(fmax(0, (double)pen_class_size(x, c) - l->degree[i]) * within[c] * ratio[c]);
    }
    return sym_add_gram(run, "local scatters", weight, PEN_F64, x->labelled, classes_fill, &l->classes, B);
}

pen_status scatter_local(pen_run *run, double weight, const pen_rows *x, int64_t neighbors, enum pen_scaling scaling, pen_sym *B,
                         pen_sym *C)
{
    struct local l = { .largest = 0 };
    double *within, *ratio;

    if (weight == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, l.sigma, x->labelled));
    PEN_TRY(PEN_NEW(run, l.degree, x->labelled));
    PEN_TRY(PEN_NEW(run, within, x->classes));
    PEN_TRY(PEN_NEW(run, ratio, x->classes));
    PEN_TRY(scale_locally(run, x, neighbors, scaling, l.sigma));
    PEN_TRY(classes_open(run, x, &l.classes));
    PEN_TRY(prepare(run, &l));
    for (int64_t c = 0; c < x->classes; c++) {
        within[c] = 1 / (double)pen_class_size(x, c);
        ratio[c] = 1 - (double)pen_class_size(x, c) / (double)x->labelled;
    }
    memset(l.degree, 0, (size_t)x->labelled * sizeof *l.degree);
    PEN_TRY(scatter_between(run, weight, &l.classes, B));
    PEN_TRY(add_pairs(run, &l, weight, within, ratio, B, C));
    PEN_TRY(add_degrees(run, &l, weight, within, ratio, B, C));
    sym_note(B, x->labelled - 1, DBL_EPSILON);
    sym_note(C, x->labelled - x->classes, DBL_EPSILON);
    sym_add_floor(weight * (double)x->labelled, l.classes.rounding, C);
    pen_release(run, mark);
    return PEN_OK;
}
