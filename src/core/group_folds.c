/* group_folds.c - whole groups of rows in folds, the largest first.
 *
 * Each goes to the fold with the least sum_c w_c r_c / n_c^2, for w_c rows of class c in the group,
 * r_c in the fold and n_c in all, which keeps the variances of the classes over folds low; ties go
 * to the smallest fold. scikit-learn's StratifiedGroupKFold does the same by deviations. */
#include "core/folds.h"

#include <math.h>
#include <stdlib.h>

/* The labelled rows of a group. */
struct group {
    int64_t size, order, first; /* next[first] is the second one */
};

static int by_size(const void *a, const void *b)
{
    const struct group *const p = a, *const q = b;
    return p->size != q->size ? (p->size < q->size ? 1 : -1)
                              : (p->order > q->order) - (p->order < q->order);
}

/* Lists the groups by size, ties in random order. */
static pen_status list_groups(pen_run *run, const pen_view *x, const int64_t *members, pen_rng *rng,
                              int64_t *next, struct group *out, int64_t *count)
{
    int64_t *at, *turn;

    PEN_TRY(PEN_FILLED(run, at, x->n, -1));
    PEN_TRY(PEN_NEW(run, turn, x->labelled));
    for (int64_t m = 0; m < x->labelled; m++) {
        const int64_t i = members[m];
        int64_t *const g = &at[x->group[i]];
        if (*g < 0)
            out[ *g = (*count)++] = (struct group){ .first = -1 };
        next[i] = out[*g].first;
        out[*g].first = i;
        out[*g].size++;
    }
    pen_rng_permutation(rng, *count, turn);
    for (int64_t g = 0; g < *count; g++)
        out[turn[g]].order = g;
    qsort(out, (size_t)*count, sizeof *out, by_size);
    return PEN_OK;
}

pen_status pen_folds_deal_groups(pen_run *run, const pen_view *x, const int64_t *members,
                                 const int32_t *class_of, int64_t k, int stratified, pen_rng *rng,
                                 int32_t *fold)
{
    const double all = 1 / (double)x->labelled;
    int64_t *next, count = 0;
    struct group *groups;
    double *load; /* [classes + 1 x k] r_c / n_c^2, then all rows of the fold, for ties */

    PEN_TRY(PEN_NEW(run, next, x->n));
    PEN_TRY(PEN_NEW(run, groups, x->labelled));
    PEN_TRY(PEN_FILLED(run, load, pen_times(x->classes + 1, k), 0));
    PEN_TRY(list_groups(run, x, members, rng, next, groups, &count));
    PEN_REQUIRE(run, k <= count, PEN_BAD_ARGUMENT,
                "folds must be in [2, %lld], the number of groups with labelled rows, got %lld",
                (long long)count, (long long)k);
    for (int64_t g = 0; g < count; g++) {
        double least = INFINITY;
        int64_t best = 0;
        for (int64_t f = 0; f < k; f++) {
            double sum = load[x->classes * k + f];
            for (int64_t i = groups[g].first; i >= 0 && stratified; i = next[i])
                sum += load[class_of[i] * k + f];
            best = sum < least ? f : best;
            least = fmin(sum, least);
        }
        for (int64_t i = groups[g].first; i >= 0; i = next[i]) {
            const double each = 1 / (double)pen_class_size(x, class_of[i]);
            load[class_of[i] * k + best] += each * each;
            load[x->classes * k + best] += all * all * all;
            fold[i] = (int32_t)best;
        }
    }
    return PEN_OK;
}

pen_status pen_folds_most(pen_run *run, const pen_view *x, int64_t *most)
{
    int64_t *seen; /* [n] the last class with rows of the group */

    *most = pen_class_largest(x);
    if (!x->group)
        return PEN_OK;
    PEN_TRY(PEN_FILLED(run, seen, x->n, -1));
    *most = 0;
    for (int64_t c = 0; c < x->classes; c++) {
        int64_t count = 0;
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++) {
            int64_t *const at = &seen[x->group[x->members[i]]];
            count += *at != c;
            *at = c;
        }
        *most = pen_max(*most, count);
    }
    return PEN_OK;
}
