/* tune.h - tunes parameters with a grid by trials of their combinations. */
#ifndef PEN_TUNE_H
#define PEN_TUNE_H

#include "eval/choose/grid.h"
#include "eval/trials/trials.h"

/* The largest number of dimensions to try, besides all dimensions. */
enum { PEN_MOST_TUNED_DIMS = 30 };

/* One combination of parameter values, and its score. */
typedef struct pen_candidate {
    pen_spec *spec;    /* with its `dim`: the fewest within one standard error of the best score */
    int64_t dim;       /* that number; if the method decides, the least of the trials */
    double score;      /* accuracy over the held-out rows of all trials, in these dimensions */
    int64_t order;     /* position in the grid */
    char failure[160]; /* the reason if score is NaN; or "" */
} pen_candidate;

/* Free with pen_tuning_free (NULL is fine). */
typedef struct pen_tuning {
    int64_t count; /* the number of candidates tried */
    /* [count] best first; ties: fewer dimensions first, then grid order */
    pen_candidate *candidates;
} pen_tuning;

/* Tries the first `most` combinations (eval/choose/grid.h) in numbers of dimensions up to
 * PEN_MOST_TUNED_DIMS, and in all dimensions. Classifiers of these kinds [count], with the
 * parameters of the combination, share each fit. Each has a result in found [count], whose specs
 * have the classifier of `spec`. Results outlive the run; free them with pen_tuning_free.
 * PEN_CANCELLED: the caller requested a stop. If all combinations fail for all classifiers: the
 * error of the first. */
pen_status pen_tune_classifiers(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                                const pen_spec *spec, int64_t count,
                                const enum pen_classifier_kind *kinds, int64_t most,
                                pen_tuning **found);
void pen_tuning_free(pen_tuning *tuning);

#endif
