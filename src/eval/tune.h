/* tune.h - the parameters of a method that have a grid, and trials of each combination. */
#ifndef PEN_TUNE_H
#define PEN_TUNE_H

#include "eval/trials.h"

/* How many combinations there are for `spec`: parameters with a grid that were not set. */
int64_t pen_grid_size(const pen_spec *spec);

/* Combination `index`, 0 being that of `spec` itself; the more parameters differ from it, the
 * later. Free with pen_spec_free. */
pen_status pen_grid_spec(pen_run *run, const pen_spec *spec, int64_t index, pen_spec **out);

/* Try the first `most` combinations; none begins after `until` (pen_task_clock; 0: no limit).
 * Memory of
 * *out outlives the run. PEN_CANCELLED: none was tried to the end. Errors of trials, if all
 * combinations fail. */
pen_status pen_tune_over(pen_run *run, const pen_data *data, const pen_protocol *protocol,
                         const pen_spec *spec, int64_t most_dims, int64_t most, double until,
                         pen_tuning **out);

#endif
