/* tune.h - tuning the parameters that have a grid by trials of their combinations. */
#ifndef PEN_TUNE_H
#define PEN_TUNE_H

#include "eval/grid.h"
#include "eval/trials.h"
#include "methods/method.h"

/* Try the first `most` combinations (eval/grid.h). Fits are read by each of classifiers [count]
 * (auto: the nearest known rows vote), and each has a result in found [count], whose specs have the
 * classifier of `spec`; or, with classifiers NULL and count 1, by the classifier of each
 * combination. Results outlive the run; free them with pen_tuning_free.
 * PEN_CANCELLED: no combination was finished.
 * If all combinations fail for all classifiers: the error of the first. */
pen_status pen_tune_classifiers(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                                const pen_spec *spec, int64_t count,
                                const pen_classifier_params *classifiers, int64_t most_dims,
                                int64_t most, pen_tuning **found);

#endif
