/* block_tree.c - statistics of blocks, merged as they come: subtrees of the canonical tree, of
 * falling sizes, as a binary counter has ones. */
#include "block_tree.h"

void block_tree_free(block_tree *t)
{
    for (int i = 0; i < t->depth; i++)
        pen_stats_free(t->nodes[i]);
    t->depth = 0;
}

/* The last two. */
static pen_status join(block_tree *t, const pen_control *control, pen_error *err)
{
    pen_stats *joined = NULL;

    const pen_status status = pen_stats_merge((const pen_stats *const *)t->nodes + t->depth - 2, 2,
                                              0, control, &joined, err);
    if (status != PEN_OK)
        return status;
    pen_stats_free(t->nodes[t->depth - 1]);
    pen_stats_free(t->nodes[t->depth - 2]);
    t->nodes[t->depth - 2] = joined;
    t->sizes[t->depth - 2] += t->sizes[t->depth - 1];
    t->depth--;
    return PEN_OK;
}

pen_status block_tree_add(block_tree *t, pen_stats *block, const pen_control *control,
                          pen_error *err)
{
    pen_status status = PEN_OK;

    t->nodes[t->depth] = block;
    t->sizes[t->depth++] = 1;
    while (status == PEN_OK && t->depth > 1 && t->sizes[t->depth - 1] == t->sizes[t->depth - 2])
        status = join(t, control, err);
    return status;
}

pen_status block_tree_all(block_tree *t, const pen_control *control, pen_stats **out,
                          pen_error *err)
{
    pen_status status = PEN_OK;

    while (status == PEN_OK && t->depth > 1)
        status = join(t, control, err);
    if (status == PEN_OK) {
        *out = t->nodes[0];
        t->depth = 0;
    }
    return status;
}
