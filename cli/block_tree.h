/* block_tree.h - statistics of blocks, merged as they come. */
#ifndef BLOCK_TREE_H
#define BLOCK_TREE_H

#include <penumbra.h>

enum { BLOCK_LEVELS = 64 };

/* As many objects as the number of blocks has binary ones; all 0: none. */
typedef struct block_tree {
    pen_stats *nodes[BLOCK_LEVELS]; /* [depth] */
    int64_t sizes[BLOCK_LEVELS];    /* in blocks, falling */
    int depth;
} block_tree;

/* Takes the statistics of the next block, also on failure. */
pen_status block_tree_add(block_tree *t, pen_stats *block, const pen_control *control,
                          pen_error *err);

/* The statistics of all blocks, at least one: the tree is empty then. */
pen_status block_tree_all(block_tree *t, const pen_control *control, pen_stats **out,
                          pen_error *err);
void block_tree_free(block_tree *t);

#endif
