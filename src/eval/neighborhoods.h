/* neighborhoods.h - purity and trustworthiness of a method, in a fit to all rows. */
#ifndef PEN_NEIGHBORHOODS_H
#define PEN_NEIGHBORHOODS_H

#include "eval/trials.h"

/* Numbers of neighbors that the protocol asks for; none: count 0. */
typedef struct pen_sizes_asked {
    const int64_t *list;
    int64_t count;
} pen_sizes_asked;

pen_sizes_asked pen_purity_sizes(const pen_protocol *protocol);
pen_sizes_asked pen_trust_sizes(const pen_protocol *protocol);

/* PEN_BAD_ARGUMENT: the protocol asks for more neighbors than there are. */
pen_status pen_neighborhoods_check(pen_run *run, const pen_trials *trials);

/* Fill scores->purity and scores->trustworthiness, where they are not NULL, for scores->dims; NaN
 * where the method does not give the dimensions. One search in each for all numbers of neighbors;
 * one fit, or one for each number of dimensions of a PEN_UNNESTED method. PEN_CANCELLED: what was
 * not measured by then is NaN. */
pen_status pen_neighborhoods_measure(pen_run *run, const pen_trials *trials, const pen_spec *spec,
                                     const pen_control *control, pen_scores *scores);

#endif
