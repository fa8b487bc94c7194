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
 *   sum_ij A_ij y_i y_j' = sum_i (y_i T_i' + T_i y_i').
 *
 * Groups of rows are processed at a time. D is known at the end of a group for the classes that lie
 * in it: there the squares y_i y_i' are part of the same product,
 *
 *   G_c           = sum_i (y_i U_i' + U_i y_i'),  U_i = D_i/2 y_i - T_i,
 *   n_c S_c - G_c = sum_i (y_i V_i' + V_i y_i'),  V_i = n_c/2 y_i - U_i.
 *
 * Squares of larger classes are added at the end. */
#include "scatter/affinity.h"

#include "core/parallel.h"
#include "linalg/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* limits of a group: GROUP * TILE rows and STRIPS strips */
enum { TILE = 256, GROUP = 16, STRIPS = 64 };

/* a tile of distances is computed in double if more than one in 64 of them needs it */
enum { MOST_OPEN = 64 };

/* Labelled rows first .. first + count - 1, of one class c, combined with all rows of the class up
 * to themselves. */
struct strip {
    int64_t c, first, count;
};

struct sums {
    pen_run *run;
    const pen_affinity *of;
    const pen_view *x;
    /* the strips processed at a time; each writes its own part of the arrays below */
    struct strip group[STRIPS];
    double *y, *t;             /* [GROUP][TILE x d] */
    float *single;             /* y in single precision, or NULL */
    double *row_sum, *length2; /* [GROUP][TILE] */
    double *column_sum;        /* [strips of a group][size of the largest class] */
    int64_t largest;
    /* rows of an earlier group [TILE x d] and their lengths [TILE], affinities [TILE x TILE], their
     * sums [TILE] */
    pen_slices tile;
    /* the same rows in single precision [TILE x d], products [TILE x TILE] */
    pen_slices single_tile;
    double *square;      /* [d] the diagonal of the squares of a group in C */
    double *own;         /* [classes] 1/n_c */
    const double *ratio; /* [classes] weights of n_c S_c - G_c */
    double between, within;
    pen_sym *B, *C; /* NULL if the weight is 0 */
};

/* 1 if a group can hold the class. */
static int fits(const pen_view *x, int64_t c)
{
    return pen_class_size(x, c) <= GROUP * TILE;
}

/* ---- affinities ---- */

/* If cancellation leaves less than this fraction in an expanded distance, as between equal rows, it
 * is recomputed directly. */
static const double CANCELLED = 1e-3, CANCELLED_SINGLE = 0x1p-6;

/* Labelled rows first .. first + count - 1 of a class, minus its mean, with squared lengths. */
struct part {
    int64_t first, count;
    const double *y, *length2;
    const float *single;
};

/* Squared distances from products of row i of a part with rows of another one. */
static void to_distances(const struct sums *s, int64_t i, double a2, const struct part *b,
                         double *restrict row)
{
    const pen_view *x = s->x;
    const double *restrict b2 = b->length2;

    for (int64_t j = 0; j < b->count; j++)
        row[j] = a2 + b2[j] - 2 * row[j];
    for (int64_t j = 0; j < b->count; j++)
        if (!(row[j] >= CANCELLED * (a2 + b2[j])))
            row[j] = pen_rows_distance2(x, x->members[i], x->members[b->first + j]);
}

/* The same from products in single precision. Returns the number of distances with too few digits
 * after cancellation; they are NaN. */
static int64_t to_distances_single(double a2, const struct part *b, const float *restrict product,
                                   double *restrict row)
{
    const double *restrict b2 = b->length2;
    int64_t open = 0;

    for (int64_t j = 0; j < b->count; j++) {
        const double sum = a2 + b2[j], distance2 = sum - 2 * (double)product[j];
        const int far = distance2 >= CANCELLED_SINGLE * sum;
        row[j] = far ? distance2 : (double)NAN;
        open += !far;
    }
    return open;
}

/* Squared distances [TILE x TILE] of two parts, by products in single precision. Returns 0 if too
 * many of them need more digits: a direct distance costs as much as many products. */
static int distances_single(const struct sums *s, const struct part *a, const struct part *b,
                            float *products, double *distances)
{
    const pen_view *x = s->x;
    const int64_t most = a->count * b->count / MOST_OPEN + pen_min(a->count, b->count);
    int64_t open = 0;

    pen_blas_gemm(PEN_F32, PEN_PLAIN, PEN_TRANSPOSED, a->count, b->count, x->d, 1, a->single, x->d,
                  b->single, x->d, 0, products, TILE);
    for (int64_t i = 0; i < a->count; i++)
        open += to_distances_single(a->length2[i], b, products + i * TILE, distances + i * TILE);
    if (open > most)
        return 0;
    for (int64_t i = 0; open > 0 && i < a->count; i++)
        for (int64_t j = 0; j < b->count; j++)
            if (isnan(distances[i * TILE + j]))
                distances[i * TILE + j] =
                    pen_rows_distance2(x, x->members[a->first + i], x->members[b->first + j]);
    return 1;
}

static void distances_double(const struct sums *s, const struct part *a, const struct part *b,
                             double *distances)
{
    const int64_t d = s->x->d;

    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_TRANSPOSED, a->count, b->count, d, 1, a->y, d, b->y, d, 0,
                  distances, TILE);
    for (int64_t i = 0; i < a->count; i++)
        to_distances(s, a->first + i, a->length2[i], b, distances + i * TILE);
}

/* Sets squared distances beyond the reach of either row, or in a binary graph of both, to infinity.
 * If rounding leaves the decision open, the direct distance decides. */
static void apply_cutoff(const struct sums *s, int64_t i, double a2, int64_t first, int64_t wide,
                         const double *restrict b2, double *restrict row)
{
    const pen_view *x = s->x;
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

static void to_single(const double *restrict y, int64_t size, float *restrict single)
{
    for (int64_t i = 0; i < size; i++)
        single[i] = (float)y[i];
}

/* Fills the rows of a strip in the arrays of its group. */
static void fill_strip(void *context, int64_t slot, int worker)
{
    const struct sums *s = context;
    const int64_t d = s->x->d;
    const struct strip own = s->group[slot];
    const int64_t offset = own.first - s->group[0].first;
    double *const y = s->y + offset * d;

    (void)worker;
    pen_classes_fill(&s->of->classes, own.first, own.count, y);
    pen_squared_lengths(PEN_F64, y, own.count, d, s->length2 + offset);
    if (s->single)
        to_single(y, own.count * d, s->single + offset * d);
    memset(s->row_sum + offset, 0, (size_t)own.count * sizeof *s->row_sum);
}

/* The rows of a strip of the group. */
static struct part part_of(const struct sums *s, int64_t first, int64_t count)
{
    const int64_t offset = first - s->group[0].first, d = s->x->d;
    return (struct part){ first, count, s->y + offset * d, s->length2 + offset,
                          s->single ? s->single + offset * d : NULL };
}

/* Rows of an earlier group, computed again. */
static struct part earlier_part(const struct sums *s, int64_t first, int64_t count, int worker)
{
    const int64_t d = s->x->d;
    double *const y = pen_slice(&s->tile, worker), *const length2 = y + TILE * d;
    float *const single = s->single ? pen_slice(&s->single_tile, worker) : NULL;

    pen_classes_fill(&s->of->classes, first, count, y);
    pen_squared_lengths(PEN_F64, y, count, d, length2);
    if (single)
        to_single(y, count * d, single);
    return (struct part){ first, count, y, length2, single };
}

/* T += A y_J for one tile, J = `wide` labelled rows from `first`. The diagonal tile has weight 1/2,
 * because it contains both orders of its pairs. */
static void tile(const struct sums *s, int64_t slot, int64_t first, int64_t wide, int worker)
{
    const struct strip own = s->group[slot];
    const int64_t d = s->x->d, start = s->group[0].first, offset = own.first - start;
    const int diagonal = first == own.first;
    double *const a = (double *)pen_slice(&s->tile, worker) + TILE * d + TILE;
    double *const column_sum =
        diagonal ? a + TILE * TILE
                 : s->column_sum + slot * s->largest + (first - s->x->starts[own.c]);
    const struct part rows = part_of(s, own.first, own.count);
    const struct part other =
        first >= start ? part_of(s, first, wide) : earlier_part(s, first, wide, worker);

    if (!s->single
        || !distances_single(s, &rows, &other,
                             (float *)pen_slice(&s->single_tile, worker) + TILE * d, a))
        distances_double(s, &rows, &other, a);
    memset(column_sum, 0, (size_t)wide * sizeof *column_sum);
    for (int64_t i = 0; i < own.count; i++) {
        if (s->of->reach2)
            apply_cutoff(s, own.first + i, rows.length2[i], first, wide, other.length2,
                         a + i * TILE);
        s->row_sum[offset + i] +=
            to_affinities(s, own.first + i, first, wide, a + i * TILE, column_sum);
    }
    pen_blas_gemm(PEN_F64, PEN_PLAIN, PEN_PLAIN, own.count, d, wide, diagonal ? 0.5 : 1, a, TILE,
                  other.y, d, first > s->x->starts[own.c], s->t + offset * d, d);
}

static void strip(void *context, int64_t slot, int worker)
{
    const struct sums *s = context;
    const struct strip own = s->group[slot];

    for (int64_t first = s->x->starts[own.c]; first <= own.first && !pen_stopped(s->run, worker);
         first += TILE)
        tile(s, slot, first, pen_min(TILE, own.first + own.count - first), worker);
}

/* ---- assembly ---- */

/* The row sums of a group, and its column sums, which belong to earlier rows of the class, are part
 * of the degrees. */
static void add_degrees(const struct sums *s, int64_t strips, int64_t first, int64_t count)
{
    const pen_view *x = s->x;
    double *const degree = s->of->degree;

    for (int64_t slot = 0; slot < strips; slot++) {
        const struct strip own = s->group[slot];
        for (int64_t i = 0; i < own.first - x->starts[own.c]; i++)
            degree[x->starts[own.c] + i] += s->column_sum[slot * s->largest + i];
    }
    for (int64_t i = 0; i < count; i++)
        degree[first + i] += s->row_sum[i];
}

/* Replaces T by U / n_c, or by -T / n_c in a larger class, and finds the diagonal of squares. */
static void to_within(const struct sums *s, int64_t first, int64_t count)
{
    const int64_t d = s->x->d;

    memset(s->square, 0, (size_t)d * sizeof *s->square);
    for (int64_t i = 0; i < count; i++) {
        const int64_t c = s->of->classes.class_of[first + i];
        const double own = s->own[c], degree = fits(s->x, c) ? own * s->of->degree[first + i] : 0;
        const double *restrict y = s->y + i * d;
        double *restrict t = s->t + i * d, *restrict square = s->square;
        for (int64_t j = 0; j < d; j++) {
            t[j] = degree / 2 * y[j] - own * t[j];
            square[j] += degree * (y[j] * y[j]);
        }
    }
}

/* Replaces the result by V ratio_c / n_c, or by T ratio_c / n_c in a larger class. */
static void to_between(const struct sums *s, int64_t first, int64_t count)
{
    const int64_t d = s->x->d;

    for (int64_t i = 0; i < count; i++) {
        const int64_t c = s->of->classes.class_of[first + i];
        const double ratio = s->ratio[c], half = fits(s->x, c) ? 0.5 : 0;
        const double *restrict y = s->y + i * d;
        double *restrict t = s->t + i * d;
        for (int64_t j = 0; j < d; j++)
            t[j] = ratio * (half * y[j] - t[j]);
    }
}

/* Rounding error of G_c after the cancellation of its two sums, relative to the first sum and to
 * the square root of the number of rows. */
static const double CANCELLATION = 4 * DBL_EPSILON;

static double cancellation(const pen_view *x)
{
    return CANCELLATION * sqrt((double)x->labelled);
}

/* Adds one group of strips: their sums to the degrees, their products to B and C. */
static pen_status add_group(pen_run *run, struct sums *s, int64_t strips)
{
    const pen_view *x = s->x;
    const int64_t first = s->group[0].first,
                  count = s->group[strips - 1].first + s->group[strips - 1].count - first;

    PEN_TRY(pen_parallel(run, PEN_SILENT, strips, fill_strip, s));
    PEN_TRY(pen_parallel(run, PEN_PART("local scatters", first, first + count, x->labelled), strips,
                         strip, s));
    add_degrees(s, strips, first, count);
    to_within(s, first, count);
    if (s->C) {
        PEN_TRY(pen_sym_add_product(run, s->within, count, s->y, s->t, s->C));
        for (int64_t j = 0; j < x->d; j++)
            s->C->floor[j] += cancellation(x) * s->within * s->square[j];
    }
    if (!s->B)
        return PEN_OK;
    to_between(s, first, count);
    return pen_sym_add_product(run, s->between, count, s->y, s->t, s->B);
}

/* 1 if `count` more rows, the first of class c, belong to another group: there are too many, or the
 * class fits in a group, but not in the rest of this one. */
static int ends_group(const struct sums *s, int64_t strips, int64_t c, int64_t first, int64_t count)
{
    const pen_view *x = s->x;
    const int64_t held = strips > 0 ? first - s->group[0].first : 0;
    const int64_t size = pen_class_size(x, c);

    if (strips == 0)
        return 0;
    if (strips == STRIPS || held + count > GROUP * TILE)
        return 1;
    return first == x->starts[c] && fits(x, c)
           && (held + size > GROUP * TILE || strips + (size + TILE - 1) / TILE > STRIPS);
}

/* Adds the sums of all strips, with the squares of classes that a group holds, group by group. */
static pen_status add_cross_terms(pen_run *run, struct sums *s)
{
    const pen_view *x = s->x;
    int64_t strips = 0;

    memset(s->of->degree, 0, (size_t)x->labelled * sizeof *s->of->degree);
    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t first = x->starts[c]; first < x->starts[c + 1]; first += TILE) {
            const int64_t count = pen_min(TILE, x->starts[c + 1] - first);
            if (ends_group(s, strips, c, first, count)) {
                PEN_TRY(add_group(run, s, strips));
                strips = 0;
            }
            s->group[strips++] = (struct strip){ c, first, count };
        }
    return strips > 0 ? add_group(run, s, strips) : PEN_OK;
}

static pen_status prepare(pen_run *run, struct sums *s)
{
    const pen_view *x = s->x;
    const int64_t d = x->d, rows = pen_min(GROUP * TILE, x->labelled);
    /* each class has at most one strip shorter than a tile */
    const int64_t strips = pen_min(STRIPS, GROUP + x->classes);

    for (int64_t c = 0; c < x->classes; c++)
        s->largest = pen_max(s->largest, pen_class_size(x, c));
    PEN_TRY(pen_slices_new(run, pen_workers(run, STRIPS),
                           pen_plus(pen_times(TILE, d), TILE * TILE + 2 * TILE), sizeof(double),
                           &s->tile));
    if (s->of->single && !s->of->reach2) {
        PEN_TRY(pen_slices_new(run, pen_workers(run, STRIPS),
                               pen_plus(pen_times(TILE, d), TILE * TILE), sizeof(float),
                               &s->single_tile));
        PEN_TRY(PEN_NEW(run, s->single, pen_times(rows, d)));
    }
    PEN_TRY(PEN_NEW2(run, s->y, s->t, pen_times(rows, d)));
    PEN_TRY(PEN_NEW(run, s->square, d));
    PEN_TRY(PEN_NEW2(run, s->row_sum, s->length2, rows));
    PEN_TRY(PEN_NEW(run, s->column_sum, pen_times(strips, s->largest)));
    PEN_TRY(PEN_NEW(run, s->own, x->classes));
    for (int64_t c = 0; c < x->classes; c++)
        s->own[c] = 1 / (double)pen_class_size(x, c);
    return PEN_OK;
}

/* ---- squares of larger classes ---- */

/* Adds the terms y_i y_i' to C. */
static pen_status add_squares_within(pen_run *run, const struct sums *s, pen_classes *classes,
                                     double *factor)
{
    const pen_view *x = s->x;
    double *previous;

    PEN_TRY(PEN_NEW(run, previous, x->d));
    for (int64_t j = 0; j < x->d; j++)
        previous[j] = s->C->a[j * x->d + j];
    for (int64_t i = 0; i < x->labelled; i++) {
        const int64_t c = classes->class_of[i];
        factor[i] = fits(x, c) ? 0 : sqrt(s->of->degree[i] * s->own[c]);
    }
    PEN_TRY(pen_sym_add_gram(run, "local scatters", s->within, PEN_F64, x->labelled,
                             pen_classes_fill, classes, s->C));
    for (int64_t j = 0; j < x->d; j++)
        s->C->floor[j] += cancellation(x) * fmax(0, s->C->a[j * x->d + j] - previous[j]);
    return PEN_OK;
}

/* Adds the terms y_i y_i' of classes that no group holds to B and C. */
static pen_status add_square_terms(pen_run *run, const struct sums *s)
{
    const pen_view *x = s->x;
    pen_classes classes = s->of->classes;
    double *factor;

    if (s->largest <= GROUP * TILE)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, factor, x->labelled));
    classes.factor = factor;
    if (s->C)
        PEN_TRY(add_squares_within(run, s, &classes, factor));
    if (!s->B)
        return PEN_OK;
    for (int64_t i = 0; i < x->labelled; i++) {
        const int64_t c = classes.class_of[i];
        const double rest = fmax(0, (double)pen_class_size(x, c) - s->of->degree[i]);
        factor[i] = fits(x, c) ? 0 : sqrt(rest * s->own[c] * s->ratio[c]);
    }
    return pen_sym_add_gram(run, "local scatters", s->between, PEN_F64, x->labelled,
                            pen_classes_fill, &classes, s->B);
}

pen_status pen_affinity_open(pen_run *run, const pen_view *x, pen_affinity *out)
{
    *out = (pen_affinity){ .single = x->work == PEN_F32 };
    PEN_TRY(PEN_NEW2(run, out->sigma, out->degree, x->labelled));
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
