/* protocol.h - how trials are made. */
#ifndef PEN_PROTOCOL_H
#define PEN_PROTOCOL_H

#include "core/rows.h"

enum {
    PEN_DEFAULT_FOLDS = 5, /* if the largest class has as many rows */
    PEN_DEFAULT_RUNS = 2
};

/* Which labels to keep: a number or a percentage of each class. One of them is not 0. */
typedef struct pen_label_sample {
    int64_t per_class; /* min(per_class, n_c) rows of class c; or */
    double percent;    /* in (0, 100]: floor(percent / 100 n_c + 1/2) rows of it, at least one */
    uint64_t seed;
} pen_label_sample;

/* How trials are made, as in pen_trials; all zero: the defaults. */
typedef struct pen_protocol {
    int64_t folds, runs;
    uint64_t seed;
    int inductive;
    pen_label_sample labels; /* all zero: all that are not held out; its seed is not used */
    int shuffle;
    const int32_t *fold_of;
} pen_protocol;

#endif
