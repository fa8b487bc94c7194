/* trial_sizes.h - the sizes of evaluate: how many labels or pairs its trials learn from. */
#ifndef TRIAL_SIZES_H
#define TRIAL_SIZES_H

#include "pair_flags.h"

enum { SIZE_TEXT = 64 };

/* One of the flags --keep-per-class, --keep-percent and --sample-pairs may be a list. */
typedef struct trial_sizes {
    int64_t count;     /* >= 1; 1: there is no list */
    const char *flag;  /* whose value is a list, or NULL */
    const char *title; /* of the list in a table */
    pen_label_sample labels[PAIRS_MOST_SAMPLES];
    pen_pair_sample pairs[PAIRS_MOST_SAMPLES];
    int64_t label_count, pair_count; /* 0: all of them, 1: the same for each size, or `count` */
} trial_sizes;

/* Read the sizes of labels. Those of pairs were read into `pairs` [pair_count] by pairs_options.
 * Returns CLI_OK or the exit status, with the error printed. */
int sizes_read(const cli_args *args, trial_sizes *sizes);

/* The k-th size: how many labels, and a sample of pairs, NULL for all. */
pen_label_sample sizes_labels(const trial_sizes *sizes, int64_t k);
const pen_pair_sample *sizes_pairs(const trial_sizes *sizes, int64_t k);

/* The k-th entry of a list: "3" or "5%". Returns `text`. */
const char *sizes_text(const trial_sizes *sizes, int64_t k, char text[SIZE_TEXT]);

#endif
