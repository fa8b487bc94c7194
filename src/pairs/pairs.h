/* pairs.h - what is known of pairs of rows: must-links and cannot-links, from lists, from labels,
 * or drawn from labels. */
#ifndef PEN_PAIRS_H
#define PEN_PAIRS_H

#include "core/rows.h"
#include "pairs/links.h"

typedef struct pen_pairs {
    int closed;             /* all pairs of labelled rows count, too, and are in none of the sets */
    const int64_t *rows;    /* [must.n] the rows that positions of the sets stand for */
    pen_links must, cannot; /* indexed */
    const int64_t *chain_members,
        /* NULL, or: must-links are all pairs within the chunklets chain_members[chain_starts[h]
         * ..], */
        *chain_starts;
    int64_t chains;     /* those of labels among them, and `must` is empty */
    int64_t must_count; /* pairs in all, with those of labels */
    int64_t cannot_count;
    int64_t duplicates;     /* said more than once, and counted once */
    int64_t contradictions; /* left out */
} pen_pairs;

/* Positions in the order of the rows; or rows that must link side by side, which makes their pairs
 * a dense part of the adjacency matrix. */
enum pen_order { PEN_ORDER_ROWS, PEN_ORDER_MUST_LINKS };

/* The pairs of data whose labels are the classes of x. PEN_BAD_PAIR, PEN_CONTRADICTION,
 * PEN_NO_LABELS (a sample of none), PEN_BAD_ARGUMENT as pen_fit says. Everything lives in scratch
 * memory. Memory: about 16 bytes a pair, or n^2 / 8 where that is less. */
pen_status pen_pairs_open(pen_run *run, const pen_data *data, const pen_rows *x,
                          enum pen_order order, pen_pairs *out);

/* Where all pairs of some groups of rows are must-links, whether of labels or of chunklets: those
 * groups are classes of `out`; 0 if there are none. */
int pen_pairs_must_groups(const pen_rows *x, pen_rows *out);

/* Hand every pair of one kind to `visit`, one by one, those of labels and chunklets too. others
 * [x->pairs->must.n]: scratch memory. */
void pen_pairs_each(const pen_rows *x, int must, int64_t *others,
                    void (*visit)(void *context, int64_t row, int64_t other), void *context);

/* Rows that must-links, listed or of labels, join: `out` is x with these chunklets for classes,
 * ordered by their first rows. */
pen_status pen_pairs_chunklets(pen_run *run, const pen_rows *x, pen_rows *out);

/* Which kinds of pairs a method needs. PEN_NO_PAIRS unless there is one of them at least. */
enum { PEN_NEED_MUST = 1, PEN_NEED_CANNOT = 2 };
pen_status pen_need_pairs(pen_run *run, const pen_rows *x, int kinds);

/* Add the pairs of labels that `sample` draws to the sets; position[row] is the place of a labelled
 * row in them. */
pen_status pen_sample_add(pen_run *run, const pen_pair_sample *sample, const pen_rows *labelled,
                          const int64_t *position, pen_links *must, pen_links *cannot);

/* How many pairs that will be; or PEN_BAD_ARGUMENT, PEN_NO_LABELS. */
pen_status pen_sample_size(pen_run *run, const pen_pair_sample *sample, const pen_rows *labelled,
                           int64_t *size);

#endif
