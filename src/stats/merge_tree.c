/* merge_tree.c - pen_stats_merge: the order in which several sets of blocks are merged.
 *
 * The canonical tree has the blocks in ascending order as leaves; the left subtree of a node holds
 * the largest power of two of them that is less than all. */
#include "core/arguments.h"
#include "stats/merge.h"
#include "stats/stats_rows.h"
#include "stats/pair_merge.h"
#include "stats/residual_stats.h"
#include "stats/soft_stats.h"

#include <stdlib.h>
#include <string.h>

/* Sets of blocks, or of pairs of these, by their lowest. */
struct forest {
    const pen_stats **list;
    int64_t *first; /* [count + 1] of its leaves among all */
    int64_t count;
    int is_free;
};

/* The leaves of the tree are blocks, or of edges pairs of them, in *tasks [x 2]; NULL: blocks. */
static int64_t leaves_in(const pen_stats *s, const int64_t **tasks)
{
    const int64_t count = pen_stats_tasks(s, s->parts, tasks);
    return *tasks ? count : s->block_count;
}

static int64_t leaves_of(const pen_stats *s)
{
    const int64_t *tasks;
    return leaves_in(s, &tasks);
}

/* The order of two leaves of two sets. */
static int compare_leaves(const pen_stats *p, int64_t i, const pen_stats *q, int64_t j)
{
    const int64_t *of_p, *of_q;

    leaves_in(p, &of_p);
    leaves_in(q, &of_q);
    return of_p ? pen_stats_compare(of_p + 2 * i, of_q + 2 * j, 2)
                : pen_stats_compare(p->blocks + 3 * i, q->blocks + 3 * j, 1);
}

static int by_lowest(const void *a, const void *b)
{
    return compare_leaves(*(const pen_stats *const *)a, 0, *(const pen_stats *const *)b, 0);
}

/* The number of leaves in the left subtree of a node. */
static int64_t left_of(int64_t leaves)
{
    int64_t left = 1;
    while (2 * left < leaves)
        left *= 2;
    return left;
}

/* The sets that begin at `from` are subtrees of the canonical tree over `blocks` blocks; returns
 * the position after them, or -1. */
static int64_t follows_tree(const struct forest *f, int64_t from, int64_t blocks)
{
    const int64_t here = from < f->count ? f->first[from + 1] - f->first[from] : 0;

    if (here == 0 || here > blocks)
        return -1;
    if (here == blocks)
        return from + 1;
    const int64_t middle = follows_tree(f, from, left_of(blocks));
    return middle < 0 ? -1 : follows_tree(f, middle, blocks - left_of(blocks));
}

/* The blocks of each set come before those of the next. */
static int is_in_order(const struct forest *f)
{
    for (int64_t i = 0; i + 1 < f->count; i++)
        if (compare_leaves(f->list[i], leaves_of(f->list[i]) - 1, f->list[i + 1], 0) >= 0)
            return 0;
    return 1;
}

/* Sets [count] from `from`, which all belong to one node. *own: the result is new, not one of the
 * list. By the canonical tree, or, where they do not follow it, by a tree over the sets: one after
 * another would copy the first ones once for each. */
static pen_status merge_sets(pen_run *run, const struct forest *f, int64_t from, int64_t count,
                             const pen_stats **out, int *own)
{
    const pen_stats *left, *right = NULL;
    int own_left = 0, own_right = 0;
    int64_t middle = from + left_of(count);
    pen_stats *both = NULL;

    *own = 0;
    *out = f->list[from];
    if (count == 1)
        return PEN_OK;
    if (!f->is_free) {
        const int64_t blocks = f->first[from + count] - f->first[from];
        for (middle = from; f->first[middle] - f->first[from] < left_of(blocks);)
            middle++;
    }
    PEN_TRY(merge_sets(run, f, from, middle - from, &left, &own_left));
    pen_status status = merge_sets(run, f, middle, from + count - middle, &right, &own_right);
    if (status == PEN_OK)
        status = left->parts == PEN_PART_EDGES       ? pen_pair_merge_edges(run, left, right, &both)
                 : left->parts == PEN_PART_SOFT      ? pen_soft_merge(run, left, right, &both)
                 : left->parts == PEN_PART_RESIDUALS ? pen_residual_merge(run, left, right, &both)
                                                     : pen_stats_merge_two(run, left, right, &both);
    if (own_left)
        pen_stats_free((pen_stats *)(uintptr_t)left);
    if (own_right)
        pen_stats_free((pen_stats *)(uintptr_t)right);
    *own = both != NULL;
    *out = both;
    return status;
}

/* A copy of one object. */
static pen_status copy(pen_run *run, const pen_stats *from, pen_stats **out)
{
    pen_stats *to;

    PEN_TRY(pen_stats_empty(run, from->d, &to));
    to->parts = from->parts;
    pen_stats_copy_steps(from, to);
    to->is_named = from->is_named;
    to->block_count = from->block_count;
    to->class_count = from->class_count;
    to->groups.count = from->groups.count;
    to->kept = from->kept;
    to->near_rows = from->near_rows;
    to->near = from->near;
    to->digest = from->digest;
    pen_pair_counts(from, to);
    pen_status status = pen_stats_names(run, (const char *const *)from->class_names,
                                        from->class_count, &to->class_names);
    if (status == PEN_OK && from->feature_names)
        status = pen_stats_names(run, (const char *const *)from->feature_names, from->d,
                                 &to->feature_names);
    if (status == PEN_OK)
        status = pen_stats_allocate(run, to);
    for (int t = 0; status == PEN_OK && t < STATS_TENSORS; t++) {
        const pen_stats_tensor *const tensor = &pen_stats_tensors[t];
        const int64_t count = pen_stats_shape(from, tensor, 0) * pen_stats_shape(from, tensor, 1);
        if (*pen_stats_at(from, tensor) && count > 0)
            memcpy(*pen_stats_at(to, tensor), *pen_stats_at(from, tensor),
                   (size_t)count * pen_stats_size(tensor->type));
    }
    if (status != PEN_OK) {
        pen_stats_free(to);
        return status;
    }
    *out = to;
    return PEN_OK;
}

/* list: sorted. */
static pen_status merge_all(pen_run *run, const pen_stats **list, int64_t count, pen_stats **out)
{
    struct forest f = { .list = list, .count = count };
    const pen_stats *result = NULL;
    int own, is_free = 0;

    PEN_TRY(PEN_NEW(run, f.first, count + 1));
    f.first[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        f.first[i + 1] = f.first[i] + leaves_of(list[i]);
        is_free |= list[i]->is_free;
    }
    f.is_free = !is_in_order(&f) || follows_tree(&f, 0, f.first[count]) < 0;
    PEN_TRY(merge_sets(run, &f, 0, count, &result, &own));
    if (own)
        *out = (pen_stats *)(uintptr_t)result;
    else
        PEN_TRY(copy(run, result, out));
    (*out)->is_free = is_free || f.is_free;
    return PEN_OK;
}

/* ---- all kinds ---- */

/* What a list is made of: sums, and what later passes find. */
enum kind { SUMS, NEAREST, LISTS, EDGES, SOFT, RESIDUALS, KINDS };

struct sorted {
    const pen_stats **of[KINDS];
    int64_t count[KINDS];
    pen_stats *merged[KINDS];
};

static enum kind kind_of(const pen_stats *s)
{
    return s->parts == PEN_PART_NEAREST     ? NEAREST
           : s->parts == PEN_PART_LISTS     ? LISTS
           : s->parts == PEN_PART_EDGES     ? EDGES
           : s->parts == PEN_PART_SOFT      ? SOFT
           : s->parts == PEN_PART_RESIDUALS ? RESIDUALS
                                            : SUMS;
}

static pen_status sort_kinds(pen_run *run, const pen_stats *const *list, int64_t count,
                             struct sorted *m)
{
    for (int k = 0; k < KINDS; k++)
        PEN_TRY(PEN_NEW(run, m->of[k], count));
    for (int64_t i = 0; i < count; i++) {
        PEN_TRY(pen_check_given(run, list[i], "a member of list"));
        PEN_REQUIRE(run, !(list[i]->parts & (PEN_PART_GRAPH | PEN_PART_SHARES)), PEN_BAD_ARGUMENT,
                    "%s not merged: it is what the second pass over %sblocks reads",
                    list[i]->parts & PEN_PART_GRAPH ? "a graph is" : "a file of shares is",
                    list[i]->parts & PEN_PART_GRAPH ? "pairs of " : "");
        const enum kind kind = kind_of(list[i]);
        m->of[kind][m->count[kind]++] = list[i];
    }
    for (int k = 0; k < KINDS; k++)
        qsort(m->of[k], (size_t)m->count[k], sizeof *m->of[k], by_lowest);
    return PEN_OK;
}

/* All of a kind, and then of later passes with the sums. */
static pen_status merge_kinds(pen_run *run, struct sorted *m, pen_stats **out)
{
    int kinds = 0, last = SUMS;

    for (int k = 0; k < KINDS; k++) {
        kinds += m->count[k] > 0;
        if (m->count[k] > 0)
            last = k;
        if (m->count[k] > 0)
            PEN_TRY(k == LISTS ? pen_pair_merge_lists(run, m->of[k], m->count[k], &m->merged[k])
                               : merge_all(run, m->of[k], m->count[k], &m->merged[k]));
    }
    PEN_REQUIRE(run, kinds == 1 || m->merged[SUMS], PEN_BAD_ARGUMENT,
                "lists, edges, soft classes, residuals and nearest rows belong to sums of rows: "
                "merge them with the "
                "statistics of the first pass");
    for (int k = NEAREST; k <= RESIDUALS && kinds > 1; k++)
        if (m->merged[k])
            PEN_TRY(pen_pair_attach(run, m->merged[k], m->merged[SUMS]));
    const int result = kinds > 1 ? SUMS : last;
    *out = m->merged[result];
    m->merged[result] = NULL;
    return PEN_OK;
}

static pen_status merge(pen_run *run, const pen_stats *const *list, int64_t count, pen_stats **out)
{
    struct sorted m = { .count = { 0 } };

    PEN_TRY(pen_check_given(run, list, "list"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_REQUIRE(run, count >= 1, PEN_BAD_ARGUMENT, "count must be at least 1, got %lld",
                (long long)count);
    PEN_TRY(sort_kinds(run, list, count, &m));
    const pen_status status = merge_kinds(run, &m, out);
    for (int k = 0; k < KINDS; k++)
        pen_stats_free(m.merged[k]);
    return status;
}

pen_status pen_stats_merge(const pen_stats *const *list, int64_t count, const pen_control *control,
                           pen_stats **out, pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = merge(run, list, count, out);
    pen_run_close(run);
    return status;
}
