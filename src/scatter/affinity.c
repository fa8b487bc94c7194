/* affinity.c - the scatter of similar rows within classes, from tiles of affinities.
 *
 * With y_i = x_i - m_c, where m_c and S_c are the mean and the scatter of class c,
 *
 *   G_c           = sum_i D_i y_i y_i' - sum_ij A_ij y_i y_j'
 *   n_c S_c - G_c = sum_i (n_c - D_i) y_i y_i' + sum_ij A_ij y_i y_j',
 *
 * so all weights of y_i y_i' are nonnegative. A is computed in tiles of 256 x 256 rows of a class,
 * each once. With T_i = sum_{j before i} A_ij y_j, where A_ii counts half,
 *
 *   sum_ij A_ij y_i y_j' = sum_i (y_i T_i' + T_i y_i'). */
#include "scatter/affinity.h"

#include "core/parallel.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* limits of a group: GROUP * TILE rows and STRIPS strips */
enum { TILE = 256, GROUP = 16, STRIPS = 64 };

/* Labelled rows first .. first + count - 1, of one class c, combined with all rows of the class up
 * to themselves. */
struct strip {
    int64_t c, first, count;
};

struct sums {
    pen_run *run;
    const pen_affinity *of;
    const pen_rows *x;
    /* the strips processed at a time; each writes its own part of the arrays below */
    struct strip group[STRIPS];
    double *y, *t;             /* [GROUP][TILE x d] */
    double *row_sum, *length2; /* [GROUP][TILE] */
    double *column_sum;        /* [strips of a group][size of the largest class] */
    int64_t largest;
    /* rows [TILE x d], affinities [TILE x TILE], their lengths and sums [2 x TILE] */
    pen_slices tile;
    double *own;         /* [classes] 1/n_c */
    const double *ratio; /* [classes] weights of n_c S_c - G_c */
    double between, within;
    pen_sym *B, *C; /* NULL where the weight is 0 */
};

/* ---- affinities ---- */

/* If cancellation leaves less than this fraction in an expanded distance, as between equal rows, it
 * is recomputed directly. */
static const double CANCELLED = 1e-3;

/* Converts the products of labelled row i with `wide` labelled rows from `first` to squared
 * distances. */
static void to_distances(const struct sums *s, int64_t i, double a2, int64_t first, int64_t wide,
                         const double *restrict b2, double *restrict row)
{
    const pen_rows *x = s->x;
    for (int64_t j = 0; j < wide; j++)
        row[j] = a2 + b2[j] - 2 * row[j];
    for (int64_t j = 0; j < wide; j++)
        if (!(row[j] >= CANCELLED * (a2 + b2[j])))
            row[j] = pen_rows_distance2(x, x->members[i], x->members[first + j]);
}

/* Sets squared distances beyond the reach of either row, or in a binary graph of both, to infinity.
 * If rounding leaves the decision open, the direct distance decides. */
static void apply_cutoff(const struct sums *s, int64_t i, double a2, int64_t first, int64_t wide,
                         const double *restrict b2, double *restrict row)
{
    const pen_rows *x = s->x;
    const double margin = 4 * DBL_EPSILON * (double)(x->d + 16), *reach2 = s->of->reach2;

    for (int64_t j = 0; j < wide; j++) {
        const double error = margin * (a2 + b2[j]),
                     reach = s->of->binary ? fmax(reach2[i], reach2[first + j])
                                           : fmin(reach2[i], reach2[first + j]);
        if (row[j] + error < reach)
            continue;
        if (!(row[j] - error > reach))
            row[j] = pen_rows_distance2(x, x->members[i], x->members[first + j]);
        if (!(row[j] <= reach))
            row[j] = (double)INFINITY;
    }
}

/* Converts squared distances to affinities, adds each to column_sum, and returns their sum. */
static double to_affinities(const struct sums *s, int64_t i, int64_t first, int64_t wide,
                            double *restrict a, double *restrict column_sum)
{
    const double sigma = s->of->sigma[i], *restrict sigmas = s->of->sigma + first;
    double sum = 0;

    if (s->of->binary)
        for (int64_t j = 0; j < wide; j++)
            a[j] = isfinite(a[j]);
    else
        for (int64_t j = 0; j < wide; j++) {
            const double scale = sigma * sigmas[j];
            a[j] = scale > 0 ? exp(-a[j] / scale) : a[j] == 0;
        }
    for (int64_t j = 0; j < wide; j++) {
        sum += a[j];
        column_sum[j] += a[j];
    }
    return sum;
}

/* ---- strips ---- */

/* T += A y_J for one tile, J = `wide` labelled rows from `first`. The diagonal tile has weight 1/2,
 * because it contains both orders of its pairs. */
static void tile(const struct sums *s, int64_t slot, int64_t first, int64_t wide, int worker)
{
    const struct strip own = s->group[slot];
    const int64_t d = s->x->d, offset = own.first - s->group[0].first;
    const int diagonal = first == own.first;
    double *const other = pen_slice(&s->tile, worker), *const a = other + TILE * d;
    double *const b2 = a + TILE * TILE, *const unused = b2 + TILE;
    double *const column_sum =
        diagonal ? unused : s->column_sum + slot * s->largest + (first - s->x->starts[own.c]);

    pen_classes_fill(&s->of->classes, first, wide, other);
    pen_squared_lengths(PEN_F64, other, wide, d, b2);
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, own.count, wide, d, 1, s->y + offset * d, d,
                  other, d, 0, a, TILE);
    memset(column_sum, 0, (size_t)wide * sizeof *column_sum);
    for (int64_t i = 0; i < own.count; i++) {
        to_distances(s, own.first + i, s->length2[offset + i], first, wide, b2, a + i * TILE);
        if (s->of->reach2)
            apply_cutoff(s, own.first + i, s->length2[offset + i], first, wide, b2, a + i * TILE);
        s->row_sum[offset + i] +=
            to_affinities(s, own.first + i, first, wide, a + i * TILE, column_sum);
    }
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, own.count, d, wide, diagonal ? 0.5 : 1, a, TILE,
                  other, d, first > s->x->starts[own.c], s->t + offset * d, d);
}

static void strip(void *context, int64_t slot, int worker)
{
    const struct sums *s = context;
    const int64_t d = s->x->d;
    const struct strip own = s->group[slot];
    const int64_t offset = own.first - s->group[0].first;

    pen_classes_fill(&s->of->classes, own.first, own.count, s->y + offset * d);
    pen_squared_lengths(PEN_F64, s->y + offset * d, own.count, d, s->length2 + offset);
    memset(s->row_sum + offset, 0, (size_t)own.count * sizeof *s->row_sum);
    for (int64_t first = s->x->starts[own.c]; first <= own.first && !pen_stopped(s->run, worker);
         first += TILE)
        tile(s, slot, first, pen_min(TILE, own.first + own.count - first), worker);
}

/* ---- assembly ---- */

/* Multiplies each row of t by the factor of its class. */
static void multiply_rows(const struct sums *s, int64_t first, int64_t count,
                          const double *by_class)
{
    const int64_t d = s->x->d;
    for (int64_t i = 0; i < count; i++) {
        const double factor = by_class[s->of->classes.class_of[first + i]];
        for (int64_t j = 0; j < d; j++)
            s->t[i * d + j] *= factor;
    }
}

/* Adds one group of strips: their sums to the degrees, their products to B and C. */
static pen_status add_group(pen_run *run, struct sums *s, int64_t strips)
{
    const pen_rows *x = s->x;
    const int64_t first = s->group[0].first,
                  count = s->group[strips - 1].first + s->group[strips - 1].count - first;
    double *const degree = s->of->degree;

    PEN_TRY(pen_parallel(run, PEN_PART("local scatters", first, first + count, x->labelled), strips,
                         strip, s));
    for (int64_t slot = 0; slot < strips; slot++) {
        const struct strip own = s->group[slot];
        for (int64_t i = 0; i < own.first - x->starts[own.c]; i++)
            degree[x->starts[own.c] + i] += s->column_sum[slot * s->largest + i];
    }
    for (int64_t i = 0; i < count; i++)
        degree[first + i] += s->row_sum[i];
    multiply_rows(s, first, count, s->own);
    if (s->C)
        PEN_TRY(pen_sym_add_product(run, -s->within, PEN_F64, count, s->y, s->t, s->C));
    if (!s->B)
        return PEN_OK;
    multiply_rows(s, first, count, s->ratio);
    return pen_sym_add_product(run, s->between, PEN_F64, count, s->y, s->t, s->B);
}

/* Adds the products y_i y_j', i != j, of all strips, one group at a time. */
static pen_status add_cross_terms(pen_run *run, struct sums *s)
{
    const pen_rows *x = s->x;
    int64_t strips = 0;

    memset(s->of->degree, 0, (size_t)x->labelled * sizeof *s->of->degree);
    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t first = x->starts[c]; first < x->starts[c + 1]; first += TILE) {
            const int64_t count = pen_min(TILE, x->starts[c + 1] - first);
            if (strips == STRIPS
                || (strips > 0 && first + count - s->group[0].first > GROUP * TILE)) {
                PEN_TRY(add_group(run, s, strips));
                strips = 0;
            }
            s->group[strips++] = (struct strip){ c, first, count };
        }
    return strips > 0 ? add_group(run, s, strips) : PEN_OK;
}

static pen_status prepare(pen_run *run, struct sums *s)
{
    const pen_rows *x = s->x;
    const int64_t d = x->d, rows = pen_min(GROUP * TILE, x->labelled);
    /* each class has at most one strip shorter than a tile */
    const int64_t strips = pen_min(STRIPS, GROUP + x->classes);

    for (int64_t c = 0; c < x->classes; c++)
        s->largest = pen_max(s->largest, pen_class_size(x, c));
    PEN_TRY(pen_slices_new(run, pen_workers(run, STRIPS),
                           pen_plus(pen_times(TILE, d), TILE * TILE + 2 * TILE), sizeof(double),
                           &s->tile));
    PEN_TRY(PEN_NEW(run, s->y, pen_times(rows, d)));
    PEN_TRY(PEN_NEW(run, s->t, pen_times(rows, d)));
    PEN_TRY(PEN_NEW(run, s->row_sum, rows));
    PEN_TRY(PEN_NEW(run, s->length2, rows));
    PEN_TRY(PEN_NEW(run, s->column_sum, pen_times(strips, s->largest)));
    PEN_TRY(PEN_NEW(run, s->own, x->classes));
    for (int64_t c = 0; c < x->classes; c++)
        s->own[c] = 1 / (double)pen_class_size(x, c);
    return PEN_OK;
}

/* Rounding error of G_c after the cancellation of its two sums, relative to the first sum and to
 * the square root of the number of rows. */
static const double CANCELLATION = 4 * DBL_EPSILON;

/* Adds the terms y_i y_i' to C. */
static pen_status add_squares_within(pen_run *run, const struct sums *s, pen_classes *classes,
                                     double *factor)
{
    const pen_rows *x = s->x;
    const double rounding = CANCELLATION * sqrt((double)x->labelled);
    double *previous;

    PEN_TRY(PEN_NEW(run, previous, x->d));
    for (int64_t j = 0; j < x->d; j++)
        previous[j] = s->C->a[j * x->d + j];
    for (int64_t i = 0; i < x->labelled; i++)
        factor[i] = sqrt(s->of->degree[i] * s->own[classes->class_of[i]]);
    PEN_TRY(pen_sym_add_gram(run, "local scatters", s->within, PEN_F64, x->labelled,
                             pen_classes_fill, classes, s->C));
    for (int64_t j = 0; j < x->d; j++)
        s->C->floor[j] += rounding * fmax(0, s->C->a[j * x->d + j] - previous[j]);
    return PEN_OK;
}

/* Adds the terms y_i y_i' to B and C. */
static pen_status add_square_terms(pen_run *run, const struct sums *s)
{
    const pen_rows *x = s->x;
    pen_classes classes = s->of->classes;
    double *factor;

    PEN_TRY(PEN_NEW(run, factor, x->labelled));
    classes.factor = factor;
    if (s->C)
        PEN_TRY(add_squares_within(run, s, &classes, factor));
    if (!s->B)
        return PEN_OK;
    for (int64_t i = 0; i < x->labelled; i++) {
        const int64_t c = classes.class_of[i];
        factor[i] = sqrt(fmax(0, (double)pen_class_size(x, c) - s->of->degree[i]) * s->own[c]
                         * s->ratio[c]);
    }
    return pen_sym_add_gram(run, "local scatters", s->between, PEN_F64, x->labelled,
                            pen_classes_fill, &classes, s->B);
}

pen_status pen_affinity_open(pen_run *run, const pen_rows *x, pen_affinity *out)
{
    *out = (pen_affinity){ .reach2 = NULL };
    PEN_TRY(PEN_NEW(run, out->sigma, x->labelled));
    PEN_TRY(PEN_NEW(run, out->degree, x->labelled));
    return pen_classes_open(run, x, &out->classes);
}

pen_status pen_affinity_scatter(pen_run *run, double between, double within, pen_affinity *affinity,
                                const double *ratio, pen_sym *B, pen_sym *C)
{
    struct sums s = { .run = run,
                      .of = affinity,
                      .x = &affinity->classes.x,
                      .ratio = ratio,
                      .between = between,
                      .within = within,
                      .B = between == 0 ? NULL : B,
                      .C = within == 0 ? NULL : C };

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(prepare(run, &s));
    PEN_TRY(add_cross_terms(run, &s));
    PEN_TRY(add_square_terms(run, &s));
    if (s.C) {
        pen_sym_note(C, s.x->labelled - s.x->classes, DBL_EPSILON);
        pen_sym_add_floor(within * (double)s.x->labelled, affinity->classes.rounding, C);
    }
    pen_release(run, mark);
    return PEN_OK;
}
