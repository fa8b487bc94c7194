/* chain_scatter.c - a join t of sets a and b adds n_a n_b / (n_a + n_b) g g' to the scatter of its
 * set, g the difference of their means, and the pairs across it
 *
 *   n_a n_b g g' + n_b S_a + n_a S_b.
 *
 * So the sum over all pairs, each with the weight of its join, is the sum over joins of
 *
 *   n_a n_b / (n_a + n_b) (w_t (n_a + n_b) + sum over the joins u above t of w_u n_u) g g'
 *
 * with n_u the size of the other set of u. */
#include "scatter/chain_scatter.h"

#include <float.h>
#include <math.h>

struct joined {
    pen_view x; /* blocks in double */
    const pen_chain_tree *tree;
    double *means;  /* [joins x d] the mean of the set of each join, then g */
    double *factor; /* [joins] factor of g g' */
    char *inner;    /* [joins] 1: part of a larger set */
    double *row;    /* [2 x d] */
};

static double size_of(const pen_chain_join *join)
{
    return (double)(join->end - join->first);
}

/* The mean of one side of a join; for a single row it is written to `row` [d]. */
static const double *mean_of(const struct joined *s, const pen_chain_join *join, int right,
                             double *row)
{
    const int64_t made = right ? join->right : join->left;

    if (made >= 0)
        return s->means + made * s->x.d;
    pen_rows_block(&s->x, s->tree->members, right ? join->middle : join->first, 1, row);
    return row;
}

static void find_means(const struct joined *s)
{
    const int64_t d = s->x.d;

    for (int64_t t = 0; t < s->tree->count; t++) {
        const pen_chain_join *const join = s->tree->join + t;
        const double share = (double)(join->end - join->middle) / size_of(join);
        const double *const a = mean_of(s, join, 0, s->row);
        const double *const b = mean_of(s, join, 1, s->row + d);
        for (int64_t j = 0; j < d; j++)
            s->means[t * d + j] = a[j] + share * (b[j] - a[j]);
    }
}

/* Replaces the means by differences, and finds their factors, from the largest sets down. */
static void find_differences(const struct joined *s)
{
    const int64_t d = s->x.d;

    for (int64_t t = s->tree->count - 1; t >= 0; t--) {
        const pen_chain_join *const join = s->tree->join + t;
        const double left = (double)(join->middle - join->first),
                     right = (double)(join->end - join->middle), above = s->factor[t];
        const double *const a = mean_of(s, join, 0, s->row);
        const double *const b = mean_of(s, join, 1, s->row + d);
        for (int64_t j = 0; j < d; j++)
            s->means[t * d + j] = a[j] - b[j];
        s->factor[t] = left * right / (left + right) * (join->weight * (left + right) + above);
        if (join->left >= 0)
            s->factor[join->left] = above + join->weight * right;
        if (join->right >= 0)
            s->factor[join->right] = above + join->weight * left;
    }
}

static pen_status open(pen_run *run, const pen_view *x, const pen_chain_tree *tree,
                       struct joined *s)
{
    *s = (struct joined){ .x = *x, .tree = tree };
    s->x.work = PEN_F64;
    s->x.epsilon = DBL_EPSILON;
    PEN_TRY(PEN_NEW(run, s->means, pen_times(tree->count, x->d)));
    PEN_TRY(PEN_FILLED(run, s->factor, tree->count, 0));
    PEN_TRY(PEN_FILLED(run, s->inner, tree->count, 0));
    PEN_TRY(PEN_NEW(run, s->row, pen_times(2, x->d)));
    for (int64_t t = 0; t < tree->count; t++) {
        if (tree->join[t].left >= 0)
            s->inner[tree->join[t].left] = 1;
        if (tree->join[t].right >= 0)
            s->inner[tree->join[t].right] = 1;
    }
    PEN_TRY(pen_progress(run, "means of chains", 0, 1));
    find_means(s);
    return PEN_OK;
}

static void fill_differences(const void *context, int64_t first, int64_t count, void *block)
{
    const struct joined *s = context;
    const int64_t d = s->x.d;

    for (int64_t t = first; t < first + count; t++) {
        const double root = sqrt(s->factor[t]);
        for (int64_t j = 0; j < d; j++)
            ((double *)block)[(t - first) * d + j] = root * s->means[t * d + j];
    }
}

/* W += weight times the sum over joins; `total` is the sum of the weights of its pairs. */
static pen_status add(pen_run *run, double weight, double total, const struct joined *s, pen_sym *W)
{
    PEN_TRY(pen_sym_add_gram(run, "scatter of chains", weight, PEN_F64, s->tree->count,
                             fill_differences, s, W));
    pen_sym_note(W, s->tree->count, DBL_EPSILON);
    pen_sym_add_floor(fabs(weight) * total, s->x.rounding, W);
    return PEN_OK;
}

pen_status pen_scatter_joined(pen_run *run, double weight, const pen_view *x,
                              const pen_chain_tree *tree, pen_sym *W)
{
    const pen_mark_t mark = pen_mark(run);
    struct joined s;
    double total = 0;

    if (weight == 0 || tree->count == 0)
        return PEN_OK;
    PEN_TRY(open(run, x, tree, &s));
    find_differences(&s);
    for (int64_t t = 0; t < tree->count; t++)
        total += s.factor[t];
    PEN_TRY(add(run, weight, total, &s, W));
    pen_release(run, mark);
    return PEN_OK;
}

/* ---- chunklets ---- */

/* sums [joins]: the sum of the weights of the pairs in the set of each join. */
static void sum_weights(const struct joined *s, double *sums)
{
    for (int64_t t = 0; t < s->tree->count; t++) {
        const pen_chain_join *const join = s->tree->join + t;
        sums[t] = join->weight * (double)(join->middle - join->first)
                  * (double)(join->end - join->middle);
        sums[t] += join->left >= 0 ? sums[join->left] : 0;
        sums[t] += join->right >= 0 ? sums[join->right] : 0;
    }
}

/* B += the rows sqrt(mass / M) (mean - mean of all); masses [joins]. */
static pen_status add_between(pen_run *run, const struct joined *s, const double *masses,
                              double mass, pen_sym *B)
{
    const int64_t d = s->x.d;
    int64_t chunklets = 0;
    double *rows, *mean;

    PEN_TRY(PEN_NEW(run, rows, pen_times(s->tree->count, d)));
    PEN_TRY(PEN_FILLED(run, mean, d, 0));
    for (int64_t t = 0; t < s->tree->count; t++)
        for (int64_t j = 0; !s->inner[t] && j < d; j++)
            mean[j] += masses[t] / mass * s->means[t * d + j];
    for (int64_t t = 0; t < s->tree->count; t++) {
        for (int64_t j = 0; !s->inner[t] && j < d; j++)
            rows[chunklets * d + j] = sqrt(masses[t] / mass) * (s->means[t * d + j] - mean[j]);
        chunklets += !s->inner[t];
    }
    PEN_TRY(pen_sym_add_rows(run, "scatter between chunklets", 1, chunklets, rows, B));
    pen_sym_note(B, chunklets - 1, DBL_EPSILON);
    pen_sym_add_floor(1, s->x.rounding, B);
    return PEN_OK;
}

/* Multiplies the factors of each chunklet by 1 / (n_c M). scale [joins] is overwritten. */
static void scale_chunklets(const struct joined *s, double mass, double *scale)
{
    for (int64_t t = s->tree->count - 1; t >= 0; t--) {
        const pen_chain_join *const join = s->tree->join + t;
        if (!s->inner[t])
            scale[t] = 1 / (size_of(join) * mass);
        if (join->left >= 0)
            scale[join->left] = scale[t];
        if (join->right >= 0)
            scale[join->right] = scale[t];
        s->factor[t] *= scale[t];
    }
}

pen_status pen_scatter_weighted_chunklets(pen_run *run, const pen_view *x,
                                          const pen_chain_tree *tree, pen_sym *B, pen_sym *W)
{
    const pen_mark_t mark = pen_mark(run);
    struct joined s;
    double *masses, mass = 0;

    PEN_TRY(open(run, x, tree, &s));
    PEN_TRY(PEN_NEW(run, masses, tree->count));
    sum_weights(&s, masses);
    for (int64_t t = 0; t < tree->count; t++) {
        masses[t] *= 2 / (size_of(tree->join + t) - 1);
        mass += s.inner[t] ? 0 : masses[t];
    }
    PEN_TRY(add_between(run, &s, masses, mass, B));
    find_differences(&s);
    scale_chunklets(&s, mass, masses);
    PEN_TRY(add(run, 1, 1, &s, W));
    pen_release(run, mark);
    return PEN_OK;
}
