/* pairs.h - must-links and cannot-links between rows, from lists, from labels, or sampled from
 * labels. */
#ifndef PEN_PAIRS_H
#define PEN_PAIRS_H

#include "core/params.h"
#include "core/rows.h"
#include "pairs/chains.h"

enum pen_contradictions { PEN_CONTRADICTIONS_ERROR, PEN_CONTRADICTIONS_DROP };
enum pen_pair_weights { PEN_PAIR_WEIGHTS_GIVEN, PEN_PAIR_WEIGHTS_AGREEMENT };

/* A random subset of all pairs of labelled rows, with its size in one of three ways; all zero: all
 * pairs (docs/sampling.md). */
typedef struct pen_pair_sample {
    double percent;      /* in (0, 100]: floor(percent / 100 T + 1/2) of all T pairs; or */
    int64_t count;       /* the number of pairs of either kind; or */
    int64_t must_link;   /* the number of must-links and */
    int64_t cannot_link; /* the number of cannot-links */
} pen_pair_sample;

/* How methods that learn from pairs treat them. */
typedef struct pen_pair_params {
    enum pen_contradictions contradictions;
    int closure; /* 1: any two rows joined by a chain of must-links also become a must-link */
    enum pen_pair_weights weights;
    pen_pair_sample sample;
    int checked; /* not a parameter; 1: chains were checked before, without contradictions */
} pen_pair_params;

/* Does it call for a sample of pairs? */
static inline int pen_is_sample(const pen_pair_sample *s)
{
    return s->percent > 0 || s->count > 0 || s->must_link > 0 || s->cannot_link > 0;
}

typedef struct pen_pair_set {
    int closed;             /* labels imply all pairs of labelled rows; not stored in the sets */
    const int64_t *rows;    /* [must.n] the row at each position of the sets */
    pen_links must, cannot; /* indexed */
    pen_links listed;       /* with closure: must-links without those from labels and closure */
    const int64_t *chain_members, *chain_starts;
    int64_t chains; /* number of chunklets, including those of labels; then `must` is empty */
    /* how strongly rows of chunklets are joined (pairs/chains.h); NULL: all weights are 1 */
    const pen_chain_tree *tree;
    int weighted;       /* a list has weights */
    int64_t must_count; /* total number, including pairs implied by labels */
    int64_t cannot_count;
    double must_weight, cannot_weight; /* sums of weights of the same */
    int64_t duplicates;                /* pairs given more than once, counted once */
    int64_t contradictions;            /* number of pairs dropped */
} pen_pair_set;

/* The order of positions: that of the rows, or one that puts rows joined by must-links next to each
 * other, so that their pairs form dense blocks of the adjacency matrix. */
enum pen_order { PEN_ORDER_ROWS, PEN_ORDER_MUST_LINKS };

/* Builds the sets of pairs of `data` according to `how`; labels are the classes of x, the seed
 * determines a sample, and weights are those given. PEN_BAD_PAIR, PEN_CONTRADICTION, PEN_NO_LABELS
 * (a sample without labels), PEN_BAD_ARGUMENT as in pen_fit. All results are in scratch memory.
 * Memory: about 16 bytes per pair, or n^2 / 8 bytes if that is less and no pair has a weight; 40
 * bytes per pair with weights. */
pen_status pen_pairs_open(pen_run *run, const pen_data *data, const pen_pair_params *how,
                          int64_t seed, const pen_view *x, enum pen_order order, pen_pair_set *out);

/* If must-links are all pairs within groups of rows, from labels or chunklets, returns 1 and sets
 * `out` to x with these groups as classes; otherwise returns 0. If there is a tree, its joins have
 * the weights. */
int pen_pairs_must_groups(const pen_view *x, const pen_pair_set *pairs, pen_view *out);

/* Calls `visit` for every pair of one kind, including those implied by labels and chunklets. others
 * [pairs->must.n]: scratch memory. */
void pen_pairs_each(const pen_view *x, const pen_pair_set *pairs, int must, int64_t *others,
                    void (*visit)(void *context, int64_t row, int64_t other, double weight),
                    void *context);

/* Sets `out` to x with the chunklets as classes, ordered by their first rows: the sets of rows
 * joined by must-links, listed or implied by labels. */
pen_status pen_pairs_chunklets(pen_run *run, const pen_view *x, const pen_pair_set *pairs,
                               pen_view *out);

/* Computes how strongly the rows of chunklets are joined, for pairs with weights. */
pen_status pen_pairs_tree(pen_run *run, const pen_view *x, const pen_pair_set *pairs,
                          pen_chain_tree *out);

/* "5%" (a percentage of all pairs of labelled rows), "200" (their number), "50+100" (numbers of
 * must-links and of cannot-links) or "all", as the text of a pen_pair_sample. */
extern const pen_text_form pen_pair_sample_form;

/* Reads a whole number >= 0, far from overflow; 0: the text is something else. */
int pen_whole_read(const char *text, int64_t *out);

/* Adds the pairs that a sample draws from the labels with the seed; position[row] is the position
 * of a labelled row in the sets. */
pen_status pen_sample_add(pen_run *run, const pen_pair_sample *sample, int64_t seed,
                          const pen_view *labelled, const int64_t *position, pen_links *must,
                          pen_links *cannot);

/* Computes the number of pairs to draw. PEN_BAD_ARGUMENT, PEN_NO_LABELS. */
pen_status pen_sample_size(pen_run *run, const pen_pair_sample *sample, const pen_view *labelled,
                           int64_t *size);

#endif
