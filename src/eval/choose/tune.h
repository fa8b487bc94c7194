/* tune.h - tuning the parameters that have a grid by trials of their combinations. */
#ifndef PEN_TUNE_H
#define PEN_TUNE_H

#include "eval/choose/grid.h"
#include "eval/trials/trials.h"
#include "methods/method.h"

/* The largest number of dimensions that is tried, besides all. */
enum { PEN_MOST_TUNED_DIMS = 30 };

/* One combination of parameter values, and its score. */
typedef struct pen_candidate {
    pen_spec *spec; /* with its `dim`: the fewest within one standard error of the best score */
    int64_t dim;    /* that number; where `spec` leaves it to the method, the least of the trials */
    double score;   /* accuracy over the held-out rows of all trials, in these dimensions */
    int64_t order;  /* position in the grid */
    char failure[160]; /* why there is no score (which is NaN); or "" */
} pen_candidate;

/* Free with pen_tuning_free (NULL is fine). */
typedef struct pen_tuning {
    int64_t count; /* the number of candidates tried */
    /* [count] best first; equal scores: fewer dimensions first, then the order of the grid */
    pen_candidate *candidates;
} pen_tuning;

/* Try the first `most` combinations (eval/choose/grid.h) in numbers of dimensions up to
 * PEN_MOST_TUNED_DIMS, and all there are. Fits are read by classifiers of each of these kinds
 * [count] with the parameters of the combination, and each has a result in found [count], whose
 * specs have the classifier of `spec`. Results outlive the run; free them with pen_tuning_free.
 * PEN_CANCELLED: the caller requested a stop. If all combinations fail for all classifiers: the
 * error of the first. */
pen_status pen_tune_classifiers(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                                const pen_spec *spec, int64_t count,
                                const enum pen_classifier_kind *kinds, int64_t most,
                                pen_tuning **found);
void pen_tuning_free(pen_tuning *tuning);

#endif
