/* given_graph.h - a neighbor graph from another program: lists of near rows with their
 * distances. */
#ifndef PEN_GIVEN_GRAPH_H
#define PEN_GIVEN_GRAPH_H

#include "neighbors/neighbor.h"

/* The list of row i is entries[starts[i]] .. entries[starts[i + 1] - 1], nearest first, ties by
 * row. */
typedef struct pen_given {
    int64_t n;
    const int64_t *starts;       /* [n + 1] */
    const pen_neighbor *entries; /* [starts[n]] */
} pen_given;

/* Checks the graph of n rows and sorts its lists, in scratch memory. PEN_BAD_DATA: it is not n x n,
 * its indices are out of range or out of order, a row lists itself or another row twice, a distance
 * is negative, not finite or too large to be squared, or two rows list each other at different
 * distances. Cost: m log m for m entries; memory: 16 bytes for each. */
pen_status pen_given_open(pen_run *run, const pen_sparse *graph, int64_t n, pen_given *out);

/* Compares up to 32 entries of each of 256 lists with the rows x. PEN_BAD_DATA: all entries are
 * equal and the distances of the rows are not; they fall with these distances; or the listed rows
 * are no nearer than other rows. Graphs of other metrics pass, and so do approximate lists.
 * Cost: d for each entry, at most 12 000 d. */
pen_status pen_given_spot_check(pen_run *run, const pen_given *given, const pen_view *x);

/* The k nearest entries of every list: found [n x k]. PEN_BAD_DATA: a list is shorter; the message
 * names the row, the length and the parameter `name`. */
pen_status pen_given_nearest(pen_run *run, const pen_given *given, const char *name, int64_t k,
                             pen_neighbor *found);

/* PEN_BAD_DATA, as above, if a list has fewer than k entries. */
pen_status pen_given_check(pen_run *run, const pen_given *given, const char *name, int64_t k);

#endif
