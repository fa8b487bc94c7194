/* merge_tree.c - pen_stats_merge: merges several sets of blocks in order.
 *
 * The canonical tree has the blocks in ascending order as leaves; the left subtree of a node has
 * the largest power of two of them below their number. */
#include "core/arguments.h"
#include "stats/merge.h"

#include <stdlib.h>
#include <string.h>

/* Sets of blocks in the order of their lowest block. */
struct forest {
    const pen_stats **list;
    int64_t *first; /* [count + 1] the position of a set's first block */
    int64_t count;
    int is_free;
};

static int by_lowest(const void *a, const void *b)
{
    const pen_stats *const p = *(const pen_stats *const *)a;
    const pen_stats *const q = *(const pen_stats *const *)b;
    return pen_stats_compare(p->blocks, q->blocks, 1);
}

/* The number of blocks in the left subtree of a node. */
static int64_t left_of(int64_t blocks)
{
    int64_t left = 1;
    while (2 * left < blocks)
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

/* Do the blocks of each set come before the blocks of the next? */
static int is_in_order(const struct forest *f)
{
    for (int64_t i = 0; i + 1 < f->count; i++)
        if (f->list[i]->blocks[3 * f->list[i]->block_count - 3] >= f->list[i + 1]->blocks[0])
            return 0;
    return 1;
}

/* Merges sets [count] from `from`, which all belong to one node, by the canonical tree. If the sets
 * do not follow it, merges by a tree over the sets, because merging them one after another would
 * copy the first ones each time. *own: the result is new, not one of the list. */
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
        status = pen_stats_merge_two(run, left, right, &both);
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
    PEN_TRY(pen_stats_empty(run, from->d, out));
    pen_stats *const to = *out;
    *to = *from;
    to->class_names = to->column_names = NULL;
    for (int t = 0; t < STATS_TENSORS; t++)
        *pen_tensor_at(to, &pen_stats_tensors[t]) = NULL;
    PEN_TRY(pen_keep_names(run, from->class_names, from->class_count, &to->class_names));
    PEN_TRY(pen_keep_names(run, from->column_names, from->d, &to->column_names));
    PEN_TRY(pen_stats_allocate(run, to));
    for (int t = 0; t < STATS_TENSORS; t++) {
        const pen_tensor_kind *const tensor = &pen_stats_tensors[t];
        const int64_t count = pen_tensor_shape(from, tensor, 0) * pen_tensor_shape(from, tensor, 1);
        if (*pen_tensor_at(from, tensor) && count > 0)
            memcpy(*pen_tensor_at(to, tensor), *pen_tensor_at(from, tensor),
                   (size_t)count * pen_number_size(tensor->type));
    }
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
        f.first[i + 1] = f.first[i] + list[i]->block_count;
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

/* ---- nearest rows, from a second pass ---- */

/* The first block whose id or number of rows differs; -1: none. */
static int64_t other_block(const pen_stats *a, const pen_stats *b)
{
    for (int64_t i = 0; i < pen_max(a->block_count, b->block_count); i++) {
        const int64_t *const p = i < a->block_count ? a->blocks + 3 * i : NULL,
                             *const q = i < b->block_count ? b->blocks + 3 * i : NULL;
        if (!p || !q || pen_stats_compare(p, q, 2) != 0)
            return !p ? q[0] : !q ? p[0] : pen_min(p[0], q[0]);
    }
    return -1;
}

/* PEN_BAD_DATA: a block, with the same id in both, had other rows. */
static pen_status check_rows(pen_run *run, const pen_stats *a, const pen_stats *b)
{
    for (int64_t i = 0; i < a->block_count; i++)
        PEN_REQUIRE(run, a->block_digest[i] == b->block_digest[i], PEN_BAD_DATA,
                    "block %lld has different rows in the two passes: both must read the same rows",
                    (long long)a->blocks[3 * i]);
    return PEN_OK;
}

/* Checks that the nearest rows belong to the labelled rows that `all` keeps. */
static pen_status check_labelled(pen_run *run, const pen_stats *nearest, const pen_stats *all)
{
    int64_t at = 0;
    int same = 1;

    for (int64_t i = 0; same && i < all->kept; i++)
        if (all->row_class[i] >= 0) {
            same = at < nearest->near_rows
                   && pen_stats_compare(nearest->near_id + 2 * at, all->row_id + 2 * i, 2) == 0;
            at++;
        }
    PEN_REQUIRE(run, same && at == nearest->near_rows, PEN_BAD_ARGUMENT,
                "the nearest rows and the statistics have different labelled rows");
    return PEN_OK;
}

/* Moves the nearest rows to statistics of the same blocks without nearest rows. */
static pen_status attach(pen_run *run, pen_stats *nearest, pen_stats *all)
{
    PEN_TRY(pen_stats_same_columns(run, nearest, all));
    const int64_t other = other_block(nearest, all);
    PEN_REQUIRE(run, other < 0, PEN_BAD_ARGUMENT,
                "both passes must read the same blocks: the nearest rows have %lld, the sums %lld, "
                "and block %lld differs",
                (long long)nearest->block_count, (long long)all->block_count, (long long)other);
    PEN_TRY(check_rows(run, nearest, all));
    PEN_REQUIRE(run, !(all->parts & PEN_PART_NEAREST), PEN_BAD_ARGUMENT,
                "the statistics already have nearest rows");
    PEN_TRY(check_labelled(run, nearest, all));
    all->near = nearest->near;
    all->near_rows = nearest->near_rows;
    all->digest = nearest->digest;
    all->near_id = nearest->near_id;
    all->near_distance2 = nearest->near_distance2;
    nearest->near_id = NULL;
    nearest->near_distance2 = NULL;
    all->parts |= PEN_PART_NEAREST;
    all->is_free |= nearest->is_free;
    return PEN_OK;
}

/* ---- both passes ---- */

enum pass { SUMS, NEAREST, PASSES };

struct sorted {
    const pen_stats **of[PASSES];
    int64_t count[PASSES];
    pen_stats *merged[PASSES];
};

static pen_status sort_passes(pen_run *run, const pen_stats *const *list, int64_t count,
                              struct sorted *m)
{
    for (int p = 0; p < PASSES; p++)
        PEN_TRY(PEN_NEW(run, m->of[p], count));
    for (int64_t i = 0; i < count; i++) {
        PEN_TRY(pen_check_given(run, list[i], "a member of list"));
        const enum pass pass = list[i]->parts == PEN_PART_NEAREST ? NEAREST : SUMS;
        m->of[pass][m->count[pass]++] = list[i];
    }
    for (int p = 0; p < PASSES; p++)
        qsort(m->of[p], (size_t)m->count[p], sizeof *m->of[p], by_lowest);
    return PEN_OK;
}

/* Merges the objects of each pass, then the nearest rows with the sums. */
static pen_status merge_passes(pen_run *run, struct sorted *m, pen_stats **out)
{
    for (int p = 0; p < PASSES; p++)
        if (m->count[p] > 0)
            PEN_TRY(merge_all(run, m->of[p], m->count[p], &m->merged[p]));
    if (m->merged[SUMS] && m->merged[NEAREST])
        PEN_TRY(attach(run, m->merged[NEAREST], m->merged[SUMS]));
    const enum pass result = m->merged[SUMS] ? SUMS : NEAREST;
    *out = m->merged[result];
    m->merged[result] = NULL;
    return PEN_OK;
}

/* Within a larger merge, blocks may be missing before and after, but not between. */
static pen_status check_result(pen_run *run, pen_stats *s, int64_t blocks)
{
    PEN_REQUIRE(run, blocks >= 0, PEN_BAD_ARGUMENT, "blocks must be at least 0, got %lld",
                (long long)blocks);
    if (blocks > 0 || !s->is_all)
        PEN_TRY(pen_stats_check_blocks(run, s, blocks > 0 ? 0 : s->blocks[0], blocks));
    s->is_all |= blocks > 0;
    return PEN_OK;
}

static pen_status merge(pen_run *run, const pen_stats *const *list, int64_t count, int64_t blocks,
                        pen_stats **out)
{
    struct sorted m = { .count = { 0 } };

    PEN_TRY(pen_check_given(run, list, "list"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_REQUIRE(run, count >= 1, PEN_BAD_ARGUMENT, "count must be at least 1, got %lld",
                (long long)count);
    PEN_TRY(sort_passes(run, list, count, &m));
    pen_status status = merge_passes(run, &m, out);
    if (status == PEN_OK)
        status = check_result(run, *out, blocks);
    for (int p = 0; p < PASSES; p++)
        pen_stats_free(m.merged[p]);
    return status;
}

pen_status pen_stats_merge(const pen_stats *const *list, int64_t count, int64_t blocks,
                           const pen_control *control, pen_stats **out, pen_error *err)
{
    PEN_MAKE(control, err, out, pen_stats_free, merge(run, list, count, blocks, out));
}
