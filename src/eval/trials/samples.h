/* samples.h - random samples of labels. */
#ifndef PEN_SAMPLES_H
#define PEN_SAMPLES_H

#include "core/rows.h"

/* The labels to keep: a number or a percentage of each class. One member is not 0. */
typedef struct pen_label_sample {
    int64_t per_class; /* min(per_class, n_c) rows of class c; or */
    double percent;    /* in (0, 100]: floor(percent / 100 n_c + 1/2) rows, at least one */
    uint64_t seed;
} pen_label_sample;

/* Like pen_sample_labels, with rows in `order` [n] (core/row_order.h); NULL: by number. out may be
 * labels. */
pen_status pen_labels_draw(pen_run *run, const int32_t *labels, int64_t n, const int64_t *order,
                           const pen_label_sample *sample, int32_t *out);

/* Reads "3" (labels of each class) or "10%" (of each class) into the size of a sample; `seed` is
 * unchanged. PEN_BAD_ARGUMENT. */
pen_status pen_label_sample_read(pen_run *run, const char *text, pen_label_sample *out);

#endif
