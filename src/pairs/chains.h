/* chains.h - chains of must-links: the sets of rows that they join, and how strongly.
 *
 * A chain of must-links is as strong as its weakest link, and two rows are joined as strongly as
 * the strongest chain between them. These strengths form a tree. Must-links in descending order of
 * their weights either join two sets of rows, or lie within one set and change nothing. All pairs
 * across the two sets of a join have its weight. */
#ifndef PEN_CHAINS_H
#define PEN_CHAINS_H

#include "core/rows.h"
#include "pairs/links.h"

/* Joins members[first .. middle) with members[middle .. end). */
typedef struct pen_chain_join {
    int64_t first, middle, end;
    int64_t left, right; /* numbers of the joins that made the two sets, or -1: a single row */
    double weight;
} pen_chain_join;

typedef struct pen_chain_tree {
    int64_t count;              /* number of joins: rows in must-links - chunklets */
    const pen_chain_join *join; /* [count] each after the joins that made its sets */
    const int64_t *members;     /* [rows in must-links] */
} pen_chain_tree;

typedef struct pen_chain_links {
    const pen_links *must; /* indexed */
    const int64_t *rows;   /* [must->n] the row at each position */
    int closed;            /* labels also count as must-links */
} pen_chain_links;

/* Builds the tree of the must-links between rows of x. Cost: a sort of the must-links. */
pen_status pen_chains_tree(pen_run *run, const pen_view *x, const pen_chain_links *links,
                           pen_chain_tree *out);

/* path [x->n], its first *length: the rows of a shortest chain from `row` to `other`, which are in
 * one set. Cost: proportional to rows and must-links. */
pen_status pen_chains_path(pen_run *run, const pen_view *x, const pen_chain_links *links,
                           int64_t row, int64_t other, int64_t *path, int64_t *length);

/* The root of the set of a row; initially root [n] is the row itself. */
int64_t pen_chains_root(int64_t *root, int64_t row);

/* Joins two sets. The smaller root remains, so roots do not depend on the order of the pairs. */
void pen_chains_join(int64_t *root, int64_t row, int64_t other);

/* out [n]: the roots of rows joined by their labels, if `closed`. */
pen_status pen_chains_roots(pen_run *run, const pen_view *x, int closed, int64_t **out);

#endif
